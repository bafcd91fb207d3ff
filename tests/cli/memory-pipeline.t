One device of a pipeline: the layers of its stages, micro-batches in turn. Which rank is meant, or the largest.

    $ reckon memory gpt2 B=4 --dtype bf16 --layout pp=4 --micro 8 | sed -n 5,16p
    Rank 3 of 4, which holds most: stage 3 (3 layers) of 4; 8 micro-batches of B, 1f1b.

    Alive at the peak, in joining outputs:
                                  bytes           share
    weights                 120,124,928   120 MB   1.7%  ▍
    optimizer state         240,269,824   240 MB   3.3%  ▊
    gradients of weights    120,124,928   120 MB   1.7%  ▍
    workspace                67,108,864  67.1 MB   0.9%  ▎
    saved for backward       50,331,648  50.3 MB   0.7%  ▏
    temporaries           6,588,268,544  6.59 GB  91.7%  ██████████████████████
    ─────────────────────────────────────────────────────────────────────────────
    the peak              7,186,228,736  7.19 GB
    $ reckon memory gpt2 B=4 --dtype bf16 --layout pp=4 --micro 8 --stage 1 | sed -n 5,30p
    Rank 1 of 4: stage 1 (3 layers) of 4; 8 micro-batches of B, 1f1b.

    Alive at the peak, in the backward pass, at layers.ffn.down.bias:
                                      bytes           share
    weights                      42,527,232  42.5 MB   2.1%  ▌
    optimizer state              85,072,896  85.1 MB   4.3%  █
    gradients of weights         42,528,768  42.5 MB   2.1%  ▌
    workspace                    67,108,864  67.1 MB   3.4%  ▊
    saved for backward        1,594,102,272  1.59 GB  80.4%  ███████████████████▎
    gradients of activations     81,788,928  81.8 MB   4.1%  █
    temporaries                  69,206,528  69.2 MB   3.5%  ▉
    ─────────────────────────────────────────────────────────────────────────────────
    the peak                  1,982,335,488  1.98 GB
    PyTorch's allocator makes blocks of 1,990,855,168 bytes of it and reserves about 2.21 GB, which
    nvidia-smi shows as 2,106 MiB, beside the context.

    What the rank sends in a step:
    when    operation  type   elements  over  of  times        bytes  elements of one
    fwdbwd  recv       bf16  3,145,728  pp     4     16  100,663,296  BSD
    fwdbwd  send       bf16  3,145,728  pp     4     16  100,663,296  BSD

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
              bytes a parameter       the peak
    fp32                  16.00  3,896,748,544  3.90 GB
    mixed                 16.00  3,226,708,480  3.23 GB
    bf16                   8.00  1,982,335,488  1.98 GB  this step
    $ for r in 0 1 2 3; do reckon memory gpt2 B=4 --dtype bf16 --layout pp=4 --micro 8 --rank $r --format json | grep -E '"(parameters|peak)": [0-9]'; done
      "parameters": 121294848,
      "peak": 2797114368,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 5523622912, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 4646006272, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 2797114368, "chosen": true},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 3409782272, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 2135363072, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 2104839680, "chosen": false}
        {"option": "--recompute full", "text": "layers recomputed backward", "peak": 925662720},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 805624832},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 532625408}
      "parameters": 42527232,
      "peak": 1982335488,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 3896748544, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 3226708480, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 1982335488, "chosen": true},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 2201263104, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 1658128384, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 1627604992, "chosen": false}
        {"option": "--recompute full", "text": "layers recomputed backward", "peak": 621279744},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 579579392},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 465778688}
      "parameters": 42527232,
      "peak": 1453065216,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 2838995968, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 2390729728, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 1453065216, "chosen": true},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 1671992832, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 1203569152, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 1173045760, "chosen": false}
        {"option": "--recompute full", "text": "layers recomputed backward", "peak": 602405376},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 560705024},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 446904320}
      "parameters": 119725056,
      "peak": 7186228736,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 14309496320, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 7827430400, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 7186228736, "chosen": true},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 7791047680, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 6828196352, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 6797672960, "chosen": false}
        {"option": "--loss fused", "text": "a fused loss, by chunks", "peak": 3892585984},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 3774102016},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 3504030208}
    $ reckon memory gpt2 B=4 --dtype bf16 --layout pp=4 --micro 8 --drop-outputs --rank 3 --format json | grep '"peak": [0-9]'
      "peak": 4024093696,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 5508439040, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 4945492992, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 4024093696, "chosen": true},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 4628912640, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 3585058816, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 3554535424, "chosen": false}
        {"option": "--recompute full", "text": "layers recomputed backward", "peak": 3513697792},
        {"option": "--loss fused", "text": "a fused loss, by chunks", "peak": 921186304},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 802702336},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 455296000}

Its program. A tied head has the embedding's weight in the last stage, too; positions that are learned stay in the first.

    $ reckon memory gpt2 --layout pp=4 --rank 0 --dump-pass stage | grep -E "^incoming|^input|^# stage|^part|^output|lookup"
    input ids[B S]
    # stage 0
    tokens_2[B S D] = lookup(ids[B S], .transformer.wte.weight[V D])    # embed.tokens
    position_embeds_5[S D] = lookup(position_embeds_3[S], .transformer.wpe.weight[C D])    # embed.position_embeds
    part layers:    # L/pp layers; x_6 becomes x_42
    output x_42[B S D]
    $ reckon memory gpt2 --layout pp=5 --rank 4 --dump-pass stage | grep -E "^incoming|^input|^# stage|^part|^output|lookup|lm_head"
    incoming x_stage4[B S D]
    # stage 4
    part layers:    # 3 layers; x_stage4_0 becomes x_36
    logits_41[B S V] = final_39[B S D] * .lm_head.weight[V D]    # head.logits
    output logits_41[B S V]
    $ reckon memory gpt2 --layout pp=2,virtual=3 --schedule interleaved1f1b --rank 1 --dump-pass stage | grep -E "^incoming|^input|^# stage|^part|^output|lookup"
    incoming x_stage1[B S D]
    incoming x_stage3[B S D]
    incoming x_stage5[B S D]
    # stage 1
    part layers:    # L/(3·pp) layers; x_stage1_0 becomes x_36
    # stage 3
    part layers:    # L/(3·pp) layers; x_stage3_37 becomes x_73
    # stage 5
    part layers:    # L/(3·pp) layers; x_stage5_74 becomes x_110
    output x_36[B S D]
    output x_73[B S D]
    output logits_115[B S V]

Other orders keep other amounts.

    $ for s in gpipe 1f1b interleaved1f1b interleavedzb; do reckon memory gpt2 B=4 --dtype bf16 --layout pp=4 --micro 8 --rank 1 --schedule $s --format json | grep '"peak": [0-9]'; done
      "peak": 4584586752,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 9097314304, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 7318405120, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 4584586752, "chosen": true},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 4841323008, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 3924043264, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 3893519872, "chosen": false}
        {"option": "--recompute full", "text": "layers recomputed backward", "peak": 696777216},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 655076864},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 553465856}
      "peak": 1982335488,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 3896748544, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 3226708480, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 1982335488, "chosen": true},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 2201263104, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 1658128384, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 1627604992, "chosen": false}
        {"option": "--recompute full", "text": "layers recomputed backward", "peak": 621279744},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 579579392},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 465778688}
      "peak": 3034584576,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 5999670784, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 4886083072, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 3034584576, "chosen": true},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 3253512192, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 2560955392, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 2530432000, "chosen": false}
        {"option": "--recompute full", "text": "layers recomputed backward", "peak": 652737024},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 611036672},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 497235968}
      "peak": 2988188160,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 5835304960, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 4278169600, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 2988188160, "chosen": true},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 3207115776, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 1854834688, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 1824311296, "chosen": false}
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 2946487808},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 1824311296}
    $ reckon memory gpt2 B=4 --dtype bf16 --layout pp=4 --micro 8 --rank 1 --recompute full --format json | grep '"peak": [0-9]'
      "peak": 621279744,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 1176738304, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 1098095104, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 621279744, "chosen": true},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 840207360, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 496302080, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 465778688, "chosen": false}
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 579579392},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 465778688}
    $ reckon memory gpt2 B=4 --dtype bf16 --layout pp=2,virtual=2 --schedule interleavedzb --micro 4 --rank 1 --details | grep -A 6 "moments of the step"
    moments of the step                                                 bytes
    the backward pass of the head             loss.log_softmax  7,699,451,904
    the forward pass                          loss.log_softmax  6,875,237,888
    the backward pass of the first layer      layers.ffn.cube   6,739,619,840
    the backward pass of other layers         layers.ffn.cube   6,670,413,824
    the backward pass of the last layer       layers.ffn.cube   6,601,207,808
    the backward pass of the embedding        head.logits       5,611,195,904

What cannot be.

    $ reckon memory gpt2 --layout pp=13 --schedule gpipe
    reckon: --layout: 13 stages, but gpt2 has 12 layers: pp is that at most
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout pp=4 --micro 3
    reckon: --micro 3: 1f1b fills 4 stages: it takes at least 4 micro-batches
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout pp=4,virtual=2
    reckon: --layout: virtual stages take turns on a device: add --schedule interleaved1f1b, or interleavedzb
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout pp=4,virtual=2 --schedule interleaved1f1b --micro 9
    reckon: --micro 9: stages take turns in rounds as long as the pipeline, so --micro must be a multiple of how many there are
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout pp=4,virtual=2 --schedule interleavedzb --recompute full
    reckon: --schedule interleavedzb keeps what gradients of weights need: nothing is recomputed or taken in chunks beside it
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout pp=4 --accumulate 2
    reckon: --accumulate: a pipeline adds up the gradients of its micro-batches: say how many (--micro)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout pp=4 --micro 1000000 --rank 0
    reckon: the micro-batches of a step have too many operations for a timeline
    [1]
    $ reckon memory gpt2 --layout pp=4 --phase prefill
    reckon: --layout pp: micro-batches go through a pipeline in training steps
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout pp=2,fsdp=2
    gpt2: memory of a training step
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype fp32 (weights, gradients, states), --compute bf16, --optimizer adamw, --attention
    sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    Rank 2 of 4, which holds most: stage 1 (6 layers) of 2; 2 micro-batches of B, 1f1b.

    Alive at the peak, in the backward pass, at loss.log_softmax:
                                      bytes           share
    weights                     240,249,856   240 MB  11.3%  ██▊
    optimizer state             325,342,720   325 MB  15.3%  ███▋
    gradients of weights        402,898,944   403 MB  18.9%  ████▌
    workspace                    67,108,864  67.1 MB   3.2%  ▊
    saved for backward          475,216,896   475 MB  22.3%  █████▍
    gradients of activations    413,278,208   413 MB  19.4%  ████▋
    temporaries                 205,852,672   206 MB   9.7%  ██▍
    ─────────────────────────────────────────────────────────────────────────────────
    the peak                  2,129,948,160  2.13 GB
    PyTorch's allocator makes blocks of 2,145,661,440 bytes of it and reserves about 2.53 GB, which
    nvidia-smi shows as 2,412 MiB, beside the context.

    What the rank sends in a step:
    when    operation       type    elements  over  of  times        bytes  elements of one
    fwdbwd  recv            bf16     786,432  pp     2      2    3,145,728  BSD
    fwdbwd  all_gather      bf16  38,599,680  fsdp   2      1   77,199,360  D·fsdp·⌈V/fsdp⌉ + 2D
    fwdbwd  all_gather      bf16   7,087,872  fsdp   2     18  255,163,392  12D² + 13D
    fwdbwd  reduce_scatter  fp32  38,599,680  fsdp   2      1  154,398,720  D·fsdp·⌈V/fsdp⌉ + 2D
    fwdbwd  reduce_scatter  fp32   7,087,872  fsdp   2      6  170,108,928  12D² + 13D
    fwdbwd  send            bf16     786,432  pp     2      2    3,145,728  BSD

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
              bytes a parameter       the peak
    fp32                  16.00  2,761,525,760  2.76 GB
    mixed                 16.00  2,129,948,160  2.13 GB  this step
    bf16                   8.00  1,723,129,856  1.72 GB
    megatron              18.00  1,978,958,848  1.98 GB
    lora                   2.07  1,283,629,568  1.28 GB
    qlora                  1.09  1,253,106,176  1.25 GB

    What would lower it, each on top of those before:
                                                               the peak
    --recompute full         layers recomputed backward   1,874,747,904  1.87 GB
    --loss fused             a fused loss, by chunks      1,280,559,616  1.28 GB
    --optimizer adam8bit     optimizer states in 8 bits   1,038,441,472  1.04 GB
    --weights nf4 --lora 16  4-bit weights, LoRA trained    636,189,184   636 MB

    --details: formulas, moments, every buffer saved and alive; --timeline FILE.svg draws it.
    $ reckon memory t5-small --layout pp=2 --rank 1
    reckon: t5-small: stages after the first read x, which is made with weights of the first: they cannot be laid over a pipeline
    [1]
    $ reckon memory gpt2 --layout pp=4 --timeline t.csv --events
    reckon: --events and --layout: what the allocator is asked is known of one device alone
    reckon: 'reckon help memory' says how it is used
    [2]
