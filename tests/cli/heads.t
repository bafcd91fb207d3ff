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
    reckon: standard input: 'architectures' names the class 'LlamaForRewards', and its equations are known for LlamaForCausalLM, LlamaModel, LlamaForSequenceClassification, LlamaForTokenClassification, LlamaForQuestionAnswering and LLaMAForCausalLM alone
    [1]

Without a class it is the vocabulary's.

    $ echo "{$(cat llama.txt)}" | reckon params - --all | grep head
    rotary positions, RMS norms, grouped heads, gated FFN
    lm_head.weight                                  10 × 8     80

A class that looks like a known one is none.  Read like one of a family, its name says the head.

    $ echo '{"model_type": "gpt2", "architectures": ["GPT2DoubleHeadsModel"]}' | reckon params - 2>&1 | cut -c 1-90
    reckon: standard input: 'architectures' names the class 'GPT2DoubleHeadsModel', and its eq
    $ echo "{$(cat llama.txt), \"architectures\": [\"LlamaBanana\"]}" | reckon params - 2>&1 | cut -c 1-90
    reckon: standard input: 'architectures' names the class 'LlamaBanana', and its equations a
    $ echo "{$(cat llama.txt), \"architectures\": [\"BananaForCausalLM\"]}" | reckon params - --like llama | head -1
    standard input: 536 parameters
    $ echo '{"architectures": ["Qwen3_5ForCausalLM"]}' | reckon params - | head -1
    standard input: 8.95 billion parameters

The head of Flan-T5 is one of its own in what is published.

    $ echo '{"model_type": "t5", "tie_word_embeddings": false}' | reckon params - --all | grep 'parameters\|lm_head\|shared'
    standard input: 77.0 million parameters
    relative position bias made in the first layer and shared by all, no biases, plain or gated FFN
    shared.weight                                                         32,128 × 512  16,449,536
    lm_head.weight                                                        32,128 × 512  16,449,536

What is wrong with a run does not keep the weights from being counted; an image whose patches do not merge is not the default.

    $ cat > vl.json <<'END'
    > {"model_type": "qwen2_vl", "vision_config": {"spatial_merge_size": 3}, "text_config": {"max_position_embeddings": 8}}
    > END
    $ reckon params vl.json | head -1
    vl: 73.6 billion parameters
    $ reckon flops vl.json 2>&1 | head -1
    models/qwen2_vl.rk:40:19: vl.json: this must hold, but A = 28, S = 8, T = 8, bare = false

A family's name is no model's.

    $ reckon params qwen3 | head -2
    qwen3: 12.0 billion parameters
    A family at its default sizes, not a model known by name.
    $ reckon params qwen3 L=2 D=64 V=100 N=4 K=2 H=16 F=8 | head -2
    qwen3: 40.8 thousand parameters
    as Llama, queries and keys normed head by head; the upper layers may slide
    $ reckon flops bloom --format json | grep default
      "default_sizes": true,
    $ reckon params gpt2 | head -2
    gpt2: 124 million parameters
    learned positions, biases, weights stored [in out], fused query, key and value, tied head
