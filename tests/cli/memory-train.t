Sixteen bytes for each parameter and four for each number kept, by the book:

    $ reckon memory cs336-xl-plain --profile textbook S=1024 | head -n 15
    cs336-xl-plain: memory of a training step
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

                                         bytes            formula
    weights                      6,542,150,400  6.09 GiB  48LD² + 8LD + 8DV + 4D
    gradients                    6,542,150,400  6.09 GiB  48LD² + 8LD + 8DV + 4D
    optimizer                   13,084,300,800  12.2 GiB  96LD² + 16LD + 16DV + 8D
    kept for the backward pass  15,837,638,656  14.7 GiB  (7 terms)
    all together                42,006,240,256  39.1 GiB  (11 terms)

    All together: 16P + 4A bytes, with P parameters and A numbers kept:
    P = 12LD² + 2LD + 2DV + D
      = 1,635,537,600
    A = 2BS²LN + 17BSLD + BSLN + 2BSL + BSD + 2BSV + BS
      = 3,959,409,664

The largest batch within 80 GB, and one within less than one sequence needs:

    $ reckon memory cs336-xl-plain --profile textbook S=1024 --within 80GB | grep -e largest -e '^B ='
    B = 3 sequences in the batch, S = 1,024 tokens of a sequence
    The largest batch within 80,000,000,000 bytes is B = 3, with 73,681,517,568; one sequence more needs

    $ reckon memory gpt2-xl --within 10GB | grep fits
    Within 10,000,000,000 bytes not even B = 1 fits: it needs 33,437,359,104.
    $ reckon memory gpt2-xl --within 10GB > /dev/null; echo $?
    3
    $ reckon memory llama-3.1-8b S=2K --attention flash --dtype bf16 --recompute full --within 141GB --format json | grep within
      "within": {"bytes": 141000000000, "symbol": "B", "largest": 21, "needs": 138158441984, "next_needs": 142439802368},

What is computed again:

    $ reckon memory gpt2 B=4 --recompute selective | grep -A 1 -e '^kept' -e '^computed'
    kept for the backward pass  5,077,327,876  4.73 GiB  (7 terms)
    the peak                    9,107,989,504  8.48 GiB
    --
    computed again = 4BS²LD
                   = 154,618,822,656   155 GFLOP
    $ reckon memory gpt2 B=4 --recompute full | grep -A 1 -e '^kept' -e '^computed'
    kept for the backward pass  1,016,455,172   969 MiB  (7 terms)
    the peak                    5,047,116,800  4.70 GiB
    --
    computed again = 24BSLD² + 4BS²LD
                   = 850,403,524,608   850 GFLOP
    $ reckon memory gpt2 B=4 --recompute-every 3 | grep -A 1 -e '^kept' -e '^computed'
    kept for the backward pass    915,791,876   873 MiB  (7 terms)
    the peak                    4,946,453,504  4.61 GiB
    --
    computed again = 24BSLD² + 4BS²LD
                   = 850,403,524,608   850 GFLOP
    $ reckon memory gpt2 B=4 --recompute full --format json | grep recompute
      "profile": {"name": "torch", "phase": "train", "bytes_per_number": 4, "attention": "eager", "recompute": "full", "optimizer": "adamw", "master_bytes": 0, "gradient_bytes": 4, "accumulate": 1, "fp8_products": false, "loss": true, "loss_way": "ce", "rounding": 512, "workspace": 33554432},
      "recompute_flops": 850403524608,
      "recompute_formula": "24BSLD² + 4BS²LD",

Types, passes, the loss, optimizers:

    $ reckon memory gpt2 --dtype bf16 --master fp32 --grad-dtype fp32 | grep -e '^weights' -e '^gradients' -e '^optimizer'
    weights                       248,879,616   237 MiB  24LD² + 26LD + 2DV + 2DC + 4D
    gradients                     497,759,232   475 MiB  48LD² + 52LD + 4DV + 4DC + 8D
    optimizer                   1,493,277,696  1.39 GiB  144LD² + 156LD + 12DV + 12DC + 24D
    weights                                        248,879,616      1    248,879,616
    optimizer                                    1,493,353,472      1  1,493,353,472
    gradients                                      497,759,232      1    497,759,232
    $ reckon memory gpt2 B=4 --accumulate 8 | grep -e '^the peak' -e '^gradients'
    gradients                      497,759,232   475 MiB  48LD² + 52LD + 4DV + 4DC + 8D
    the peak                    12,021,667,840  11.2 GiB
    gradients                                    497,759,232      1    497,759,232
    $ reckon memory gpt2 B=4 --loss chunked --loss-chunk 512 | grep -e '^the peak' -e '^kept'
    kept for the backward pass  6,669,836,288  6.21 GiB  4BS²LN + 112BSLD + 16BSL + 8BSD + 24BS + 8S
    the peak                    8,808,976,384  8.20 GiB
    $ reckon memory gpt2 B=3 S=256 --loss chunked --loss-chunk 128 | grep -A 6 '^peak ='
    peak = 144LD² + 4BS²LN + 112BSLD + 16BSL + 156LD + 12BSD + 24DV + 12DC + 24D + 512V + 24BS + 8S
             + 67108864
         = 2,962,502,144   and 75,776 that the allocator rounds up
    It stays there while the first of these is not below the second; else it is in the backward pass of
    the last layer:
      8DV + 512V + 8BS   = 334,516,736
      16D² + 24BSD + 12D = 23,602,176
    $ reckon memory gpt2 B=4 --loss fused | grep -e '^the peak' -e '^kept' -e gradient.of
    kept for the backward pass  6,824,193,024  6.36 GiB  (7 terms)
    the peak                    8,506,550,272  7.92 GiB
    head.logits                       gradient of its input    12,582,912      1     12,582,912
    head.logits                       gradient of its weight  154,389,504      1    154,389,504
    head.logits                           gradient of its weight  154,389,504      1    154,389,504
    $ reckon memory gpt2 --optimizer adam8bit | grep '^optimizer'
    optimizer                     253,494,680   242 MiB  (11 terms)
    optimizer                                    253,494,784      1  253,494,784
    $ reckon memory gpt2 --optimizer muon --format json | grep '"optimizer": [0-9]'
      "optimizer": 655779840,
      "first_step": {"forward": 2620971520, "backward": 2849883136, "optimizer": 1739640832},
      "allocator": {"requested": 3712564224, "allocated": 3721241600, "reserved": 3806330880, "first_step": {"forward": 2616528384, "backward": 2818177024, "optimizer": 1754093568}},
    $ reckon memory gpt2 --dtype fp8 --format json | grep '"profile"'
      "profile": {"name": "torch", "phase": "train", "bytes_per_number": 2, "attention": "eager", "recompute": "none", "optimizer": "adamw", "master_bytes": 0, "gradient_bytes": 2, "accumulate": 1, "fp8_products": true, "loss": true, "loss_way": "ce", "rounding": 512, "workspace": 33554432},

What contradicts itself is refused:

    $ reckon memory gpt2 --recompute selective --attention flash
    reckon: --recompute selective: flash attention keeps no scores that could be computed again
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --recompute selective --recompute-every 2
    reckon: --recompute-every: this is of --recompute full
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --recompute-every 0
    reckon: --recompute-every is not '0' but a whole number of at least 1
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --accumulate none
    reckon: --accumulate is not 'none' but a whole number of at least 1
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --dtype fp32 --master fp32
    reckon: --master fp32: the weights are in fp32 already (--dtype bf16 or fp16)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --dtype fp32 --grad-dtype bf16
    reckon: --grad-dtype bf16: gradients would be narrower than their weights
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --loss chunked
    reckon: --loss chunked: how many tokens at a time? (--loss-chunk 1024)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --loss-chunk 512
    reckon: --loss-chunk: this is of --loss chunked or --loss fused
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --phase prefill --optimizer sgd
    reckon: --optimizer: this is of a training step (--phase train)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --phase decode --accumulate 2
    reckon: --accumulate: this is of a training step (--phase train)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --phase prefill --dtype fp8
    reckon: --dtype fp8: this is of a training step; weights are held so by --weights fp8
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --profile textbook --attention flash
    reckon: --attention flash: a derivation by hand has no such thing (--profile torch)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --profile textbook --loss fused
    reckon: --loss fused: a derivation by hand has no such thing (--profile torch)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --within much
    reckon: --within: 'much' is no number of bytes, such as 80GB or 80GiB
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --within 80GB B=2
    reckon: --within finds B: leave out B=2
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 B=9223372036854775808
    reckon: B=9223372036854775808 is more than 9,223,372,036,854,775,807
    [1]

The optimizer's step, and how long a training run takes:

    $ reckon flops cs336-xl --depth 1 B=1024 --step --steps 400000 --rate 19.5TFLOP/s --mfu 50% | grep -A 1 -e '^optimizer' -e '^step' -e days
    optimizer = 224LD² + 28LD + 28DV + 14D
              = 29,778,806,400   29.8 GFLOP
    step      = 96BSLD² + 224LD² + 12BS²LD + 28LD + 6BSDV + 28DV + 14D
              = 13,864,999,582,992,000   13.9 PFLOP
    --
    400,000 steps at 19.5 TFLOP/s, of which 50 % are reached, take 6,583.6 days (an estimate).
    $ reckon flops cs336-xl-plain B=1024 --steps 400000 --rate 19.5TFLOP/s --mfu 0.5 | grep days
    400,000 steps at 19.5 TFLOP/s, of which 50 % are reached, take 5,115.2 days (an estimate).
    $ reckon flops gpt2 --step --optimizer muon --format json | grep -o '"optimizer".*'
    "optimizer": {"name": "muon", "parameters": 124439808, "total": 1524875343360, "formula": "280LD³ + 324LD² + 182LD + 14DV + 14DC + 28D", "rows": [{"path": "optimizer.elements", "times": 1, "count": 2846307840, "formula": "324LD² + 182LD + 14DV + 14DC + 28D"}, {"path": "transformer.h.{i}.attn.c_attn.weight", "times": 12, "count": 31708938240, "formula": "70D³"}, {"path": "transformer.h.{i}.attn.c_proj.weight", "times": 12, "count": 13589544960, "formula": "30D³"}, {"path": "transformer.h.{i}.mlp.c_fc.weight", "times": 12, "count": 40768634880, "formula": "90D³"}, {"path": "transformer.h.{i}.mlp.c_proj.weight", "times": 12, "count": 40768634880, "formula": "90D³"}]},
    $ reckon flops gpt2 --step --as torch --format json | grep -o '"optimizer": {"name": "adamw".*"total": [0-9]*'
    "optimizer": {"name": "adamw", "parameters": 124439808, "total": 0
    $ reckon flops gpt2 --optimizer sgd
    reckon: --optimizer: this is of --step
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --steps 10
    reckon: --steps and --rate say together how long a training run takes
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --steps 10 --rate fast
    reckon: --rate: 'fast' is no number of FLOPs in a second, such as 19.5TFLOP/s
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --steps 10 --rate 1TFLOP/s --mfu 150%
    reckon: --mfu: '150%' is no share, such as 50% or 0.5
    reckon: 'reckon help flops' says how it is used
    [2]
