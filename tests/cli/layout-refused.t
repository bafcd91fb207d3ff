Layouts that cannot be: what is wrong is named, with the way out.

    $ reckon memory llama-3.1-8b --layout tp=3
    reckon: tp=3: K = 8 (key/value heads) does not divide by that; tp=2 or tp=4 would
    [1]
    $ reckon memory llama-3.1-8b --layout tp=16
    reckon: tp=16: K = 8 (key/value heads) does not divide by that; tp=8 would
    [1]
    $ reckon memory mixtral-8x7b --layout ep=3
    reckon: 8 experts do not divide by ep=3; ep=2 or ep=4 would
    [1]
    $ reckon memory llama-3.1-8b --layout cp=3
    reckon: S = 4096 tokens do not divide by two for each of cp=3; a multiple of 6 would
    [1]
    $ reckon memory llama-3.1-8b --layout tp=8,sp S=4001
    reckon: S = 4001 tokens do not divide by tp=8; a multiple of 8 would
    [1]
    $ reckon memory llama-3.1-8b --layout ep=8
    reckon: llama-3.1-8b has nothing that could lie over ep: pieces of the list of experts
    [1]
    $ reckon memory llama-3.1-8b --layout ep=8,pp=2
    reckon: llama-3.1-8b has nothing that could lie over ep: pieces of the list of experts
    [1]
    $ reckon memory llama-3.1-8b --layout tp=8 --rank 8
    reckon: --rank 8: there are 8 devices, counted from 0
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout pp=4 --stage 4
    reckon: --stage 4: the pipeline has 4, counted from 0
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout pp=4 --stage 1 --rank 2
    reckon: --rank and --stage: one of them says which device is meant
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout pp=64
    reckon: --layout: 64 stages, but llama-3.1-8b has 32 layers: pp is that at most
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout pp=4,virtual=16 --schedule interleaved1f1b
    reckon: --layout: 64 stages, but llama-3.1-8b has 32 layers: pp times virtual is that at most
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout pp=4,virtual=2
    reckon: --layout: virtual stages take turns on a device: add --schedule interleaved1f1b, or interleavedzb
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout pp=4 --micro 2
    reckon: --micro 2: 1f1b fills 4 stages: it takes at least 4 micro-batches
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout pp=4,ddp=2,virtual=2 --schedule interleavedzb
    reckon: --schedule interleavedzb takes gradients of weights by themselves, which ddp does not reduce: fsdp does
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout cp=2,cp=4
    reckon: --layout: cp is there twice
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout ddp=2,fsdp=2
    reckon: --layout: ddp beside fsdp: copies of what fsdp divides are called replicate
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout fsdp=0
    reckon: --layout: 'fsdp=0': the size of an axis is a whole number from 1 to 2^40
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout fdsp=8
    reckon: --layout: there is no axis 'fdsp'; did you mean 'fsdp'? (axes: pp, replicate, ddp, fsdp, cp, ep, tp; words: sp, vocab-loss, zero1, zero2, zero3, virtual=2)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout fsdp=1099511627776,tp=8
    reckon: --layout: that are more than 2^40 devices
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout tp
    reckon: --layout: over how many devices? tp=8
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout 'fsdp=*'
    reckon: --layout: 'fsdp=*': which size fits is what 'reckon fit' finds
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory mixtral-8x7b --layout ep=6,fsdp=8
    reckon: --layout: ep=6 regroups the 8 devices of fsdp, and must divide them: fsdp=6 would do
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory mixtral-8x7b --layout ep=8,ddp=8,zero1
    reckon: --layout: zero1 beside ep: other copies have other experts, whose states they cannot hold; fsdp=8 divides weights, gradients and states
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout tp=2 --split D
    reckon: --split D: no size of that name can lie over tp: heads, FFN widths and the vocabulary can
    [1]
    $ reckon memory llama-3.1-8b --layout tp=2 --split Q
    reckon: --split: llama-3.1-8b has no size 'Q' ('reckon llama-3.1-8b' lists its symbols)
    [1]
    $ reckon memory llama-3.1-8b --layout tp=4 --reshard no
    reckon: --reshard is said of weights that are gathered: add fsdp=8 to --layout
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout tp=4 --bucket 5
    reckon: --bucket is said of copies of the model: add ddp=8 to --layout
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout tp=4 --rotate ulysses
    reckon: --rotate is said of pieces of the sequence: add cp=2 to --layout
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --layout fsdp=2 --schedule gpipe
    reckon: --schedule is said of a pipeline: add pp=4 to --layout
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --rank 2
    reckon: --rank is said of a layout over devices: add --layout fsdp=8
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon fit gpt2 --device h200 --layout 'pp=*,ddp=*'
    reckon: --layout: the size of one axis can be left open (*), not of several
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h200 --layout 'sp=*,tp=2'
    reckon: --layout: '*' stands for the size of an axis: fsdp=*,tp=8
    reckon: 'reckon help fit' says how it is used
    [2]

In a file, with the line and the place:

    $ printf 'mesh tp = 3, fsdp\n' > own.layout; reckon memory gpt2 --layout own.layout
    reckon: own.layout:1: --layout: over how many devices? fsdp=8
      mesh tp = 3, fsdp
                   ^
    [1]
    $ printf 'mesh tp = 2\nfoo\n' > own.layout; reckon memory gpt2 --layout own.layout
    reckon: own.layout:2: --layout: there is no axis 'foo' (axes: pp, replicate, ddp, fsdp, cp, ep, tp; words: sp, vocab-loss, zero1, zero2, zero3, virtual=2)
      foo
      ^
    [1]
    $ printf 'mesh tp = 2\nsplit F over cp\n' > own.layout; reckon memory gpt2 --layout own.layout
    reckon: own.layout:2: sizes of the model lie over tp; the sequence lies over cp, experts over ep, layers over pp
      split F over cp
                   ^
    [1]
    $ printf 'mesh tp = 2, tp = 4\n' > own.layout; reckon memory gpt2 --layout own.layout
    reckon: own.layout:1: tp is there twice
      mesh tp = 2, tp = 4
                   ^
    [1]
    $ printf 'mesh fsdp = 2\ncompute bf17\n' > own.layout; reckon memory gpt2 --layout own.layout
    reckon: own.layout:2: --compute is not 'bf17' but one of same|bf16|fp16|fp32|autocast-bf16; did you mean 'bf16'?
      compute bf17
              ^
    [1]
    $ printf 'mesh pp = 2\nmicro x\n' > own.layout; reckon memory gpt2 --layout own.layout
    reckon: own.layout:2: --micro 'x': it is a whole number of at least 1
      micro x
            ^
    [1]
    $ printf '# nothing\n' > own.layout; reckon memory gpt2 --layout own.layout
    reckon: own.layout: it has no axes: mesh tp = 4, fsdp = 8
    [1]
