All ranks of a layout on one page: those that are alike stand in one row.

    $ reckon ranks gpt2 --layout pp=2,fsdp=2 --micro 4 --device h100 | sed '/^Layouts/,$d'
    gpt2 over 4 devices: pp 2 × fsdp 2
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    B is of one rank and one micro-batch; all together take 8 sequences in a step.
    Assumed: --dtype fp32 (weights, gradients, states), --compute bf16, --optimizer adamw, --attention
    sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.

    axis  size  what lies over it                                             beside rank 0
    fsdp     2  weights, gradients and optimizer in pieces, gathered for use  1
    pp       2  stages of layers, one after the other                         2

    What each rank computes, holds and sends in a step:
    ranks  stage  layers       FLOPs  weights  gradients  optimizer   saved     peak               sends
      0–1      0       6  1.28 TFLOP   164 MB     164 MB     328 MB  265 MB  1.55 GB  ▏           422 MB
      2–3      1       6  2.22 TFLOP   162 MB     162 MB     325 MB  474 MB  2.49 GB  ▎           420 MB
    H100 SXM5 80GB has 84.2 GB for tensors: every rank fits.

    What the rank sends in a step:
    when    operation       type    elements  over  of  times        bytes  elements of one
    fwdbwd  recv            bf16     786,432  pp     2      4    6,291,456  BSD
    fwdbwd  all_gather      bf16  38,599,680  fsdp   2      1   77,199,360  D·fsdp·⌈V/fsdp⌉ + 2D
    fwdbwd  all_gather      bf16   7,087,872  fsdp   2     30  425,272,320  12D² + 13D
    fwdbwd  reduce_scatter  fp32  38,599,680  fsdp   2      1  154,398,720  D·fsdp·⌈V/fsdp⌉ + 2D
    fwdbwd  reduce_scatter  fp32   7,087,872  fsdp   2      6  170,108,928  12D² + 13D
    fwdbwd  send            bf16     786,432  pp     2      4    6,291,456  BSD

    What it hands to others, by link (nodes of 8):
    over  of  links                   sends
    fsdp   2  inside of a node  413,489,664  ████████████████████████
    pp     2  inside of a node    6,291,456  ▍
    $ reckon ranks llama-3.1-8b --layout tp=8 --phase decode T=8K | sed -n '/^What each/,/^What it/p'
    What each rank computes, holds and sends in a step:
    ranks  layers       FLOPs  weights   cache     peak                              sends
      0–7      32  2.41 GFLOP  2.01 GB  134 MB  2.18 GB  ████████████████████████  1.16 MB

    What the rank sends in a step:
    when    operation   type  elements  over  of  times    bytes  elements of one
    decode  all_reduce  bf16     4,096  tp     8     65  532,480  BSD
    decode  all_gather  bf16   128,256  tp     8      1  256,512  BV

    What it hands to others, by link (nodes of 8):
    $ reckon ranks gpt2 --layout tp=4,sp --format json | sed -n '/"layout"/,/^  \],/p'
      "layout": {"axes": {"tp": 4}, "rank": 0, "runtime": "torch", "devices": 4},
      "global_batch": 1,
      "ranks": [
        {"ranks": "0–3", "layers": 12, "flops": 218739769344, "parameters": 165571584, "gradients": 281361408, "optimizer": 331143168, "saved": 530872524, "peak": 1713121792, "during": "the backward pass", "sent": 392918016}
      ],
        {"layout": "tp=2,sp", "what": "tp half as large", "devices": 2, "peak": 2447647232, "sent": 261941248},
        {"layout": "tp=4", "what": "without sp", "devices": 4, "peak": 1772257792, "sent": 390328320},
        {"layout": "tp=4,sp,vocab-loss", "what": "with vocab-loss", "devices": 4, "peak": 1151855104, "sent": 238537728}
      ]
    }

To decode, a rank has its part of the keys and values; and of weights that a config packs, its part of the bytes:

    $ for l in tp=1 tp=8; do reckon memory llama-3.1-8b --phase decode --layout $l --format json | grep -e '"parameters"' -e '"kind": "cache"'; done
      "parameters": 16060522496,
        {"kind": "cache", "bytes": 545259520, "share": 0.032769},
      "parameters": 2008031232,
        {"kind": "cache", "bytes": 68157440, "share": 0.032282},
    $ for l in tp=1 tp=8; do reckon memory deepseek-v3 --phase decode --layout $l --format json | grep '"parameters"'; done
      "parameters": 673150552416,
      "parameters": 85140071456,

What was made with a prompt, the keys of cross-attention, lies in pieces, too:

    $ for l in tp=1 tp=2; do reckon memory t5-small --phase decode --layout $l --format json | grep '"kind": "cache"'; done
        {"kind": "cache", "bytes": 25165824, "share": 0.083370},
        {"kind": "cache", "bytes": 12582912, "share": 0.051150},

Sizes of the mesh vary as symbols do, and all quantities are of the rank:

    $ reckon sweep llama-3.1-8b tp=1,2,8 --of flops,params,memory.weights --layout fsdp=2 --format csv
    tp,flops,params,memory.weights
    1,70274254897152,8030261248,16060522496
    2,35137127448576,4015263744,8030527488
    8,8784281862144,1004015616,2008031232
    $ reckon sweep gpt2 pp=2,4 B=1,2 --micro 8 --of flops.step,memory.peak --format csv
    pp,B,flops.step,memory.peak
    2,1,556043599872,4688719360
    2,2,1112087199744,8008510976
    4,1,396592939008,4346910208
    4,2,793185878016,7666701824
    $ reckon flops gpt2 --layout pp=4 --stage 3 | grep -A1 '^step'
    step     = 72·B·S·L·D²/pp + 12·B·S²·L·D/pp + 6BSDV
             = 396,592,939,008   397 GFLOP
    $ reckon sweep gpt2 tp=1..5 --of memory.peak --format csv
    tp,memory.peak
    1,3455037440
    2,2487071232
    3,2011130368
    4,1772257792
    reckon: at tp = 5: tp=5: N = 12 (heads) does not divide by that; tp=4 or tp=6 would
    [1]
    $ reckon sweep gpt2 tp=1,2 --layout tp=4 --of memory.peak
    reckon: --layout: tp is there twice
    reckon: 'reckon help sweep' says how it is used
    [2]
    $ reckon memory gpt2 tp=8
    reckon: tp=8 is the size of an axis, which is said in a layout: --layout tp=8
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon cross gpt2 memory.weights memory.saved tp
    reckon: tp is the size of an axis, by which not every number of devices divides: 'reckon sweep' reads both at some, tp=1,2,4,8
    reckon: 'reckon help cross' says how it is used
    [2]
    $ reckon cross llama-3.1-8b flops:attention flops:ffn S --layout tp=8 | sed -n 3p
    flops:attention is larger than flops:ffn from S = 16,385 on.

Sizes that do not divide, with those that would:

    $ reckon memory gpt2 --layout tp=8
    reckon: tp=8: N = 12 (heads) does not divide by that; tp=6 or tp=12 would
    [1]
    $ reckon memory llama-3.1-8b --layout tp=16
    reckon: tp=16: K = 8 (key/value heads) does not divide by that; tp=8 would
    [1]
    $ reckon memory gpt2 --layout tp=1000003
    reckon: tp=1000003: N = 12 (heads) does not divide by that; tp=12 would
    [1]
    $ reckon memory mixtral-8x7b-v0.1 --layout ep=3
    reckon: 8 experts do not divide by ep=3; ep=2 or ep=4 would
    [1]
    $ reckon memory gpt2 --layout cp=5
    reckon: S = 1024 tokens do not divide by two for each of cp=5; a multiple of 10 would
    [1]
    $ reckon memory gpt2 --layout tp=4,sp S=1022
    reckon: S = 1022 tokens do not divide by tp=4; a multiple of 4 would
    [1]
    $ reckon memory gpt2 --layout cp=8 --rotate ulysses
    reckon: --rotate ulysses: 12 query heads of a device do not divide by cp=8, among whose devices they travel; cp=6 or cp=12 would
    [1]
    $ reckon memory llama-3.1-8b --layout cp=16 --rotate ulysses S=8K
    reckon: --rotate ulysses: 8 key/value heads of a device do not divide by cp=16, among whose devices they travel; cp=8 would
    [1]
    $ reckon memory llama-3.1-8b --layout tp=2,cp=8 --rotate ulysses S=8K
    reckon: --rotate ulysses: 4 key/value heads of a device do not divide by cp=8, among whose devices they travel; cp=4 would
    [1]
    $ reckon memory llama-3.1-8b --layout tp=2,cp=4 --rotate ulysses S=8K --format json | grep -c all_to_all
    4
    $ reckon memory gpt2 --layout pp=16
    reckon: --layout: 16 stages, but gpt2 has 12 layers: pp is that at most
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout pp=4 --micro 2
    reckon: --micro 2: 1f1b fills 4 stages: it takes at least 4 micro-batches
    reckon: 'reckon help memory' says how it is used
    [2]

What a model has no index for, and what is outside of the mesh:

    $ reckon memory gpt2 --layout ep=2
    reckon: gpt2 has nothing that could lie over ep: pieces of the list of experts
    [1]
    $ reckon memory gpt2 --layout tp=4 --split C
    reckon: --split C: no size of that name can lie over tp: heads, FFN widths and the vocabulary can
    [1]
    $ reckon memory gpt2 --layout fsdp=4 --rank 4
    reckon: --rank 4: there are 4 devices, counted from 0
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout pp=4 --stage 4
    reckon: --stage 4: the pipeline has 4, counted from 0
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon ranks gpt2 --layout tp=4 --devices 5
    reckon: --devices 5: the layout has 4
    reckon: 'reckon help ranks' says how it is used
    [2]

What contradicts itself, or is no layout:

    $ reckon memory gpt2 --layout tp=4,tp=2
    reckon: --layout: tp is there twice
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout ddp=2,zero1,zero2
    reckon: --layout: zero1 and zero2: one of them says what is divided
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout tp=4,,sp
    reckon: --layout: an axis is missing beside a comma: fsdp=8,tp=4,sp
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout =4
    reckon: --layout: an axis is missing before '=': fsdp=8,tp=4,sp
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout dp=4
    reckon: --layout: there is no axis 'dp'; did you mean 'ddp'? (axes: pp, replicate, ddp, fsdp, cp, ep, tp; words: sp, vocab-loss, zero1, zero2, zero3, virtual=2)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout tp=99999999999999999999
    reckon: --layout: 'tp=99999999999999999999': the size of an axis is a whole number from 1 to 2^40
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout sp
    reckon: --layout: sp lays the sequence over the devices of tp: add tp=8
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout 'tp=4, sp' | head -n 1
    gpt2: memory of a training step
    $ reckon memory gpt2 --layout ddp=8 --dtype bf16 --grad-dtype fp32
    reckon: --grad-dtype fp32: copies reduce gradients in the type of the weights (ddp); Megatron adds them up in fp32: --runtime megatron
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon ranks gpt2
    reckon: over which devices? --layout fsdp=8,tp=4,sp ('reckon help ranks' has the axes)
    reckon: 'reckon help ranks' says how it is used
    [2]
    $ printf 'mesh tp = 4, fsdq = 2\n' > my.layout; reckon memory gpt2 --layout my.layout
    reckon: my.layout:1: --layout: there is no axis 'fsdq'; did you mean 'fsdp'? (axes: pp, replicate, ddp, fsdp, cp, ep, tp; words: sp, vocab-loss, zero1, zero2, zero3, virtual=2)
      mesh tp = 4, fsdq = 2
                   ^
    [1]
    $ printf 'mesh tp = 4\nsplit F over cp\n' > my.layout; reckon memory gpt2 --layout my.layout
    reckon: my.layout:2: sizes of the model lie over tp; the sequence lies over cp, experts over ep, layers over pp
      split F over cp
                   ^
    [1]

A million ranks are as much work as eight:

    $ reckon ranks gpt2 --layout fsdp=1048576 --format json | grep '"ranks": "'
        {"ranks": "0–1,048,575", "layers": 12, "flops": 874944921600, "parameters": 338312, "gradients": 338312, "optimizer": 676624, "saved": 738300108, "peak": 62027499520, "during": "the backward pass", "sent": 706265594100}
