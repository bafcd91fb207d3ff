The type of stored numbers comes from the config:

    $ cat > c.json <<'END'
    > {"model_type": "llama", "hidden_size": 128, "intermediate_size": 320, "num_hidden_layers": 1, "vocab_size": 64,
    >  "num_attention_heads": 4, "torch_dtype": "bfloat16"}
    > END
    $ reckon params c.json | grep bytes
    Stored as bf16: 410,368 bytes (410 kB).
    $ reckon params c.json --format json | head -n 8
    {
      "version": 1,
      "model": "c",
      "parameters": {"stored": 205184, "named": 205184, "active": 205184, "trained": 205184},
      "bytes": 410368,
      "bits_per_weight": 16.00,
      "formula": "4LD² + 3LDF + 2LD + 2DV + D",
      "tensors": [
    $ reckon c.json | grep "stored as"
    load, stored as bf16           410,368   410 kB   401 KiB  rtx-4090 (24 GB)
    $ reckon c.json --format json | grep checkpoint
      "checkpoint": {"dtype": "BF16", "bytes": 410368, "bits_per_weight": 16.00},
    $ reckon params c.json --all
    c: 205 thousand parameters
    rotary positions, RMS norms, grouped heads, gated FFN

                                                        shape    count  type    bytes
    model.embed_tokens.weight                        64 × 128    8,192  BF16   16,384
    model.layers.0.input_layernorm.weight                 128      128  BF16      256
    model.layers.0.self_attn.q_proj.weight          128 × 128   16,384  BF16   32,768
    model.layers.0.self_attn.k_proj.weight          128 × 128   16,384  BF16   32,768
    model.layers.0.self_attn.v_proj.weight          128 × 128   16,384  BF16   32,768
    model.layers.0.self_attn.o_proj.weight          128 × 128   16,384  BF16   32,768
    model.layers.0.post_attention_layernorm.weight        128      128  BF16      256
    model.layers.0.mlp.gate_proj.weight             320 × 128   40,960  BF16   81,920
    model.layers.0.mlp.up_proj.weight               320 × 128   40,960  BF16   81,920
    model.layers.0.mlp.down_proj.weight             128 × 320   40,960  BF16   81,920
    model.norm.weight                                     128      128  BF16      256
    lm_head.weight                                   64 × 128    8,192  BF16   16,384
    ─────────────────────────────────────────────────────────────────────────────────
    total                                                      205,184        410,368

    stored = 4LD² + 3LDF + 2LD + 2DV + D
           = 205,184
    Stored as bf16: 410,368 bytes (410 kB).

      L    1  layers
      D  128  width
      V   64  vocabulary
      F  320  FFN width
    $ reckon params c.json --all --format csv | tr -d '\r' | head -n 3
    name,shape,count,dtype,bytes,tied_to
    model.embed_tokens.weight,64x128,8192,BF16,16384,
    model.layers.0.input_layernorm.weight,128,128,BF16,256,

Without a type nothing is said:

    $ sed 's/, "torch_dtype": "bfloat16"//' c.json > bare.json; reckon params bare.json | grep -c bytes
    0
    [1]
    $ reckon params bare.json --format json | grep -c 'bytes\|dtype'
    0
    [1]

Packed by GPTQ; the reference layout keeps the parameters as they are:

    $ cat > quantise <<'END'
    > sed "s/}\$/, \"quantization_config\": $1}/" c.json > q.json
    > END
    $ sh quantise '{"quant_method": "gptq", "bits": 4, "group_size": 64}'
    $ reckon q.json | grep Quantised
    Quantised by gptq, 4 bits in groups of 64, the rest bf16: 139,456 bytes (139 kB), 5.44 bits a
    $ reckon params q.json --names checkpoint
    q: 205 thousand parameters
    rotary positions, RMS norms, grouped heads, gated FFN

                                                       shape  count  type    bytes
    model.embed_tokens.weight                       64 × 128  8,192  BF16   16,384
    model.layers.0.input_layernorm.weight                128    128  BF16      256
    model.layers.0.self_attn.q_proj.qweight         16 × 128  2,048  I32     8,192
    model.layers.0.self_attn.q_proj.qzeros            2 × 16     32  I32       128
    model.layers.0.self_attn.q_proj.scales           2 × 128    256  F16       512
    model.layers.0.self_attn.q_proj.g_idx                128    128  I32       512
    model.layers.0.self_attn.k_proj.qweight         16 × 128  2,048  I32     8,192
    model.layers.0.self_attn.k_proj.qzeros            2 × 16     32  I32       128
    model.layers.0.self_attn.k_proj.scales           2 × 128    256  F16       512
    model.layers.0.self_attn.k_proj.g_idx                128    128  I32       512
    model.layers.0.self_attn.v_proj.qweight         16 × 128  2,048  I32     8,192
    model.layers.0.self_attn.v_proj.qzeros            2 × 16     32  I32       128
    model.layers.0.self_attn.v_proj.scales           2 × 128    256  F16       512
    model.layers.0.self_attn.v_proj.g_idx                128    128  I32       512
    model.layers.0.self_attn.o_proj.qweight         16 × 128  2,048  I32     8,192
    model.layers.0.self_attn.o_proj.qzeros            2 × 16     32  I32       128
    model.layers.0.self_attn.o_proj.scales           2 × 128    256  F16       512
    model.layers.0.self_attn.o_proj.g_idx                128    128  I32       512
    model.layers.0.post_attention_layernorm.weight       128    128  BF16      256
    model.layers.0.mlp.gate_proj.qweight            16 × 320  5,120  I32    20,480
    model.layers.0.mlp.gate_proj.qzeros               2 × 40     80  I32       320
    model.layers.0.mlp.gate_proj.scales              2 × 320    640  F16     1,280
    model.layers.0.mlp.gate_proj.g_idx                   128    128  I32       512
    model.layers.0.mlp.up_proj.qweight              16 × 320  5,120  I32    20,480
    model.layers.0.mlp.up_proj.qzeros                 2 × 40     80  I32       320
    model.layers.0.mlp.up_proj.scales                2 × 320    640  F16     1,280
    model.layers.0.mlp.up_proj.g_idx                     128    128  I32       512
    model.layers.0.mlp.down_proj.qweight            40 × 128  5,120  I32    20,480
    model.layers.0.mlp.down_proj.qzeros               5 × 16     80  I32       320
    model.layers.0.mlp.down_proj.scales              5 × 128    640  F16     1,280
    model.layers.0.mlp.down_proj.g_idx                   320    320  I32     1,280
    model.norm.weight                                    128    128  BF16      256
    lm_head.weight                                  64 × 128  8,192  BF16   16,384
    ──────────────────────────────────────────────────────────────────────────────
    total                                                                  139,456

    stored = 4LD² + 3LDF + 2LD + 2DV + D
           = 205,184
    Quantised by gptq, 4 bits in groups of 64, the rest bf16: 139,456 bytes (139 kB), 5.44 bits a
    weight.

      L    1  layers
      D  128  width
      V   64  vocabulary
      F  320  FFN width
    $ reckon params q.json --format json | head -n 10
    {
      "version": 1,
      "model": "q",
      "parameters": {"stored": 205184, "named": 205184, "active": 205184, "trained": 205184},
      "quantised_by": "gptq",
      "bytes": 139456,
      "bits_per_weight": 5.44,
      "formula": "4LD² + 3LDF + 2LD + 2DV + D",
      "tensors": [
        {"name": "model.embed_tokens.weight", "shape": [64, 128], "count": 8192},

Not all of the bytes can be known:

    $ sh quantise '{"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_use_double_quant": true}'
    $ reckon params q.json | grep -A2 Quantised
    Quantised by bitsandbytes, 4 bits, the rest bf16: 138,356 bytes (138 kB), 5.39 bits a weight. Not
    counted: a text for each matrix (quant_state), of less than 200 bytes and as long as the weights
    make it.
    $ reckon params q.json --names checkpoint --format json | grep 'q_proj\|note'
      "bytes_note": "Not counted: a text for each matrix (quant_state), of less than 200 bytes and as long as the weights make it.",
        {"name": "model.layers.0.self_attn.q_proj.weight", "shape": [8192, 1], "count": 8192, "dtype": "U8", "bytes": 8192},
        {"name": "model.layers.0.self_attn.q_proj.weight.absmax", "shape": [256], "count": 256, "dtype": "U8", "bytes": 256},
        {"name": "model.layers.0.self_attn.q_proj.weight.quant_map", "shape": [16], "count": 16, "dtype": "F32", "bytes": 64},
        {"name": "model.layers.0.self_attn.q_proj.weight.nested_absmax", "shape": [1], "count": 1, "dtype": "F32", "bytes": 4},
        {"name": "model.layers.0.self_attn.q_proj.weight.nested_quant_map", "shape": [256], "count": 256, "dtype": "F32", "bytes": 1024},
        {"name": "model.layers.0.self_attn.q_proj.weight.quant_state.bitsandbytes__fp4", "shape": null},
    $ sh quantise '{"quant_method": "hqq"}'; reckon params q.json | grep Quantised
    Quantised by 'hqq': stored size not known, as the method is not known.
    $ reckon params q.json --format json | grep 'quantised\|bytes'
      "quantised_by": "hqq",
    $ sh quantise '{"quant_method": "gptq", "bits": 4}'; sed -i 's/, "torch_dtype": "bfloat16"//' q.json
    $ reckon params q.json | grep -A1 Quantised
    Quantised by gptq, 4 bits in groups of 128, the rest in 16 bits, as the config does not say its
    type: 135,936 bytes (136 kB), 5.30 bits a weight.

Nonsense:

    $ sh quantise '{"quant_method": "gptq", "bits": 5}'; reckon params q.json
    reckon: q.json: quantization_config.bits must be 2, 3, 4 or 8
    [1]
    $ sh quantise '{"quant_method": "awq", "group_size": 48}'; reckon params q.json
    reckon: q: model.layers.0.self_attn.q_proj from 128 inputs to 128 outputs has no tensor .qzeros: group_size 48 or words of 32 bits do not divide it; see quantization_config
    [1]

One stored size, whoever says it:

    $ reckon params gpt-oss-120b --format json | grep -o '"bytes": 65[0-9]*' | head -n 1
    "bytes": 65248815744
    $ reckon memory gpt-oss-120b --phase decode | sed -n 5p
    Weights are stored as in the quantised checkpoint (mxfp4), in 65,248,815,744 bytes.
    $ reckon gpt-oss-120b | grep -o '65,248,[0-9,]*'
    65,248,815,744
    65,248,815,744
    $ reckon report gpt-oss-120b | grep -o '65,248,[0-9,]*' | sort -u
    65,248,815,744
