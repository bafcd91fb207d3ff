The class that a config names decides what stands on top.

    $ cat > llama.txt <<'END'
    > "model_type": "llama", "num_hidden_layers": 1, "hidden_size": 8, "num_attention_heads": 2, "vocab_size": 10,
    > "intermediate_size": 4
    > END
    $ echo "{$(cat llama.txt), \"architectures\": [\"LlamaModel\"]}" > body.json
    $ reckon params body.json --all
    body: 456 parameters
    rotary positions, RMS norms, grouped heads, gated FFN

                                               shape  count
    embed_tokens.weight                       10 × 8     80
    layers.0.input_layernorm.weight                8      8
    layers.0.self_attn.q_proj.weight           8 × 8     64
    layers.0.self_attn.k_proj.weight           8 × 8     64
    layers.0.self_attn.v_proj.weight           8 × 8     64
    layers.0.self_attn.o_proj.weight           8 × 8     64
    layers.0.post_attention_layernorm.weight       8      8
    layers.0.mlp.gate_proj.weight              4 × 8     32
    layers.0.mlp.up_proj.weight                4 × 8     32
    layers.0.mlp.down_proj.weight              8 × 4     32
    norm.weight                                    8      8
    ───────────────────────────────────────────────────────
    total                                               456

    stored = 4LD² + 3LDF + 2LD + DV + D
           = 456

      L   1  layers
      D   8  width
      V  10  vocabulary
      F   4  FFN width
    $ echo "{$(cat llama.txt), \"architectures\": [\"LlamaForSequenceClassification\"]}" > score.json
    $ reckon params score.json --all | grep 'embed\|score'
    score: 472 parameters
    model.embed_tokens.weight                       10 × 8     80
    score.weight                                     2 × 8     16
    $ reckon flops score.json S=16 | grep logits
    head.logits      1     512      512     1,024    2.6%  4BSD
    $ echo "{$(cat llama.txt), \"architectures\": [\"LlamaForRewards\"]}" | reckon params -
    models/blocks/head.rk:25:15: standard input: this must hold, but class = "LlamaForRewards" (architectures)
                check "ForQuestionAnswering" in class                          # any other class is an error that shows it
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    [1]

Without a class it is the vocabulary's.

    $ echo "{$(cat llama.txt)}" | reckon params - --all | grep head
    rotary positions, RMS norms, grouped heads, gated FFN
    lm_head.weight                                  10 × 8     80
