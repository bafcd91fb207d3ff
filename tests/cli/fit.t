One device, with room and without:

    $ reckon fit gpt2 --device rtx-4090 B=8
    gpt2: a training step on rtx-4090
    B = 8 sequences in the batch, S = 1,024 tokens of a sequence

    It fits: it needs 17.4 GB of 24.4 GB, and 7.06 GB are left.
    Largest batch at S = 1,024: B = 11 (23.7 GB; one more: 25.8 GB).
    Longest sequence at B = 8: S = 1,024 (17.4 GB), all that it has learned.
    Fewest devices: 1 (17.4 GB).

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
              bytes a parameter    needs
    fp32                  16.00  17.4 GB  fits  this step
    mixed                 16.00  14.8 GB  fits
    bf16                   8.00  12.0 GB  fits
    megatron              18.00  14.2 GB  fits
    lora                   2.07  11.5 GB  fits
    qlora                  1.09  11.4 GB  fits

    It holds at the peak, in the backward pass, at loss.log_softmax:
                                                  bytes           share
    weights                                 497,759,232   498 MB   2.9%
    optimizer state                         995,594,240   996 MB   5.7%
    workspace                                67,108,864  67.1 MB   0.4%
    saved for backward                   10,159,306,752  10.2 GB  58.5%
    gradients of activations              3,293,642,752  3.29 GB  19.0%
    temporaries                           1,646,821,376  1.65 GB   9.5%
    reserved beside it by the allocator     714,671,104   715 MB   4.1%
    ───────────────────────────────────────────────────────────────────
    all together                         17,374,904,320  17.4 GB

    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    Programs see 25.2 GB of a device; a context takes 812 MB (--memory, --reserve).
    Bytes are those that PyTorch's allocator reserves, an estimate.
    --details: what is alive at the peak, buffer by buffer.
    $ reckon fit gpt2-xl --device rtx-4090
    gpt2-xl: a training step on rtx-4090
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

    It does not fit: it needs 34.9 GB of 24.4 GB: 10.5 GB too much.
    Largest batch at S = 1,024: none; B = 1 needs 34.9 GB.
    Longest sequence at B = 1: none; S = 1 needs 26.2 GB.
    Fewest devices: 2, by fsdp=2 (19.9 GB on each).

    It would fit with --devices 2 (19.9 GB on each).
    What would lower it, each on top of those before:
                                                        needs
    --recompute full      layers recomputed backward  27.3 GB  on 2 devices
    --loss fused          a fused loss, by chunks     26.9 GB  on 2 devices
    --optimizer adam8bit  optimizer states in 8 bits  17.1 GB  fits

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
              bytes a parameter    needs
    fp32                  16.00  34.9 GB        this step
    mixed                 16.00  35.7 GB
    bf16                   8.00  15.9 GB  fits
    megatron              18.00  34.9 GB
    lora                   2.05  8.41 GB  fits
    qlora                  0.68  6.47 GB  fits

    It holds at the peak, in the backward pass, at loss.log_softmax:
                                                  bytes           share
    weights                               6,230,531,584  6.23 GB  17.8%
    optimizer state                      12,461,186,560  12.5 GB  35.7%
    workspace                                67,108,864  67.1 MB   0.2%
    saved for backward                    9,032,749,056  9.03 GB  25.9%
    gradients of activations                411,705,344   412 MB   1.2%
    temporaries                             205,852,672   206 MB   0.6%
    reserved beside it by the allocator   6,518,932,480  6.52 GB  18.7%
    ───────────────────────────────────────────────────────────────────
    all together                         34,928,066,560  34.9 GB

    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    Programs see 25.2 GB of a device; a context takes 812 MB (--memory, --reserve).
    Bytes are those that PyTorch's allocator reserves, an estimate.
    --details: what is alive at the peak, buffer by buffer.
    [3]
    $ reckon fit gpt2-xl --device rtx-4090 > /dev/null; echo $?
    3

Buffer by buffer, for people who ask; programs have them in any case:

    $ reckon fit gpt2 --device rtx-4090 B=8 --details | sed -n '/^At work/,/^$/p'
    $ reckon fit gpt2 --device rtx-4090 B=8 --format json | grep -c bytes_total
    30

It is the peak of 'reckon memory':

    $ reckon memory gpt2 B=8 --format json | grep '"peak"'
      "peak": 16660233216,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 16660233216, "chosen": true},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 13957374464, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 10837159424, "chosen": false},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 12330437120, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 9723486720, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 9601393152, "chosen": false}
        {"option": "--recompute full", "text": "layers recomputed backward", "peak": 8500208640},
        {"option": "--loss fused", "text": "a fused loss, by chunks", "peak": 2967964160},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 2225864704},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 1463969280}
    $ reckon fit gpt2 --device rtx-4090 B=8 --format json | grep '"needs": [0-9]*,$'
      "needs": 17374904320,

Several devices: a part of weights, gradients and optimizer on each.

    $ reckon fit llama-3.1-70b --device h100-80gb --devices 64 --master fp32 --attention flash --recompute full
    llama-3.1-70b: a training step on 64 × h100-80gb
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence

    It fits: each device needs 44.9 GB of 84.2 GB, and 39.3 GB are left.
    Largest batch at S = 4,096: B = 3 on each of 64 devices, 192 in all (73.7 GB; one more: 84.2 GB).
    Longest sequence at B = 1: S = 14,551 (84.2 GB).
    Fewest devices: 21, by fsdp=21 (81.9 GB on each).

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
              bytes a parameter    needs
    fp32                  16.00  85.5 GB
    mixed                 16.00  46.6 GB  fits
    bf16                   8.00  35.2 GB  fits
    megatron              18.00  42.8 GB  fits
    lora                   2.00  28.2 GB  fits
    qlora                  0.61  27.8 GB  fits

    Each device holds at the peak, in the backward pass, at layers.ffn.square:
                                                  bytes           share
    weights                               9,831,612,928  9.83 GB  21.9%
    optimizer state                      13,229,452,288  13.2 GB  29.4%
    gradients of weights                  5,249,236,992  5.25 GB  11.7%
    workspace                                67,108,864  67.1 MB   0.1%
    saved for backward                    5,858,443,776  5.86 GB  13.0%
    gradients of activations                469,762,048   470 MB   1.0%
    temporaries                           1,319,108,608  1.32 GB   2.9%
    reserved beside it by the allocator   8,917,241,856  8.92 GB  19.8%
    ───────────────────────────────────────────────────────────────────
    all together                         44,941,967,360  44.9 GB

    Assumed: --dtype bf16 (weights, gradients), --master fp32 (states too), --optimizer adamw,
    --attention sdpa, --recompute full, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    Programs see 85.0 GB of a device; a context takes 812 MB (--memory, --reserve).
    Laid out by --layout fsdp=64 --runtime torch, the usual way (--shard). fsdp: weights, gradients and
    optimizer in pieces, gathered for use. B is the batch of each device.
    Bytes are those that PyTorch's allocator reserves, an estimate.
    --details: what is alive at the peak, buffer by buffer.
    $ reckon fit llama-3.1-8b --device h100 --devices 8 --shard zero1 --attention flash --dtype bf16 --format csv
    recipe,bytes_per_parameter,needs,fits,chosen
    fp32,16.00,207062302720,false,false
    mixed,16.00,127152422912,false,false
    bf16,8.00,70627885056,true,true
    lora,2.01,48735715328,true,false
    qlora,0.76,39306919936,true,false
    
    what,bytes
    weights,16060522496
    optimizer state,4026547712
    gradients of weights,16060522496
    workspace,67108864
    saved for backward,28562227200
    gradients of activations,4202692608
    temporaries,1050673152
    reserved beside it by the allocator,597590528
    
    path,what,kind,layers,tokens,bytes,times,bytes_total,formula
    weights,,,,,16060522496,1,16060522496,
    gradients,buckets,,,,16060522496,1,16060522496,
    optimizer,,,,,4026547712,1,4026547712,
    layers.ffn.gate,,,,,117440512,32,3758096384,
    layers.ffn.up,,,,,117440512,32,3758096384,
    layers.ffn.activated,,,,,117440512,32,3758096384,
    layers.ffn.hidden,,,,,117440512,32,3758096384,
    layers.attention.upcast,,,,,67108864,32,2147483648,
    layers.ffn.upcast,,,,,67108864,32,2147483648,
    loss.log_softmax,,,,,2101346304,1,2101346304,
    loss,gradient,,,,2101346304,1,2101346304,
    loss,gradient,,,,2101346304,1,2101346304,
    layers.attention.normed,,,,,33554432,32,1073741824,
    layers.attention.normed.mul,,,,,33554432,32,1073741824,
    layers.attention.q.rope,,,,,33554432,32,1073741824,
    layers.attention.context,,,,,33554432,32,1073741824,
    layers.ffn.normed,,,,,33554432,32,1073741824,
    layers.ffn.normed.mul,,,,,33554432,32,1073741824,
    head.logits,,,,,1050673152,1,1050673152,
    layers.attention.v,,,,,8388608,32,268435456,
    layers.attention.k.rope,,,,,8388608,32,268435456,
    workspace,,,,,33554432,2,67108864,
    head.upcast,,,,,67108864,1,67108864,
    head.final,,,,,33554432,1,33554432,
    head.final.mul,,,,,33554432,1,33554432,
    layers.attention.context,logsumexp,,,,524288,32,16777216,
    embed.table,cos,,,,1048576,1,1048576,
    embed.table,sin,,,,1048576,1,1048576,
    layers.attention.rstd,,,,,16384,32,524288,
    layers.ffn.rstd,,,,,16384,32,524288,
    ids,,,,,32768,1,32768,
    layers.attention.context,rng state,,,,512,32,16384,
    head.rstd,,,,,16384,1,16384,
    $ reckon fit llama-3.1-8b --device h100 --devices 8 --shard zero2 --attention flash --dtype bf16 | grep -e '^Split' -e '^weights' -e '^grad' -e '^opt'
    weights                   16,060,522,496  16.1 GB  25.5%
    optimizer state           12,048,138,240  12.0 GB  19.1%
    gradients of weights       1,000,341,504  1.00 GB   1.6%
    gradients of activations   4,202,692,608  4.20 GB   6.7%

Layers that are shared, also with the other split:

    $ reckon fit llama-3.1-70b --device h100-80gb --devices 8 --phase decode B=32 T=8K --details
    llama-3.1-70b: a decoding step on 8 × h100-80gb
    B = 32 sequences in the batch, S = 1 tokens of a sequence, T = 8,192 keys seen: cache and new

    It fits: each device needs 28.5 GB of 84.2 GB, and 55.7 GB are left.
    Largest batch at T = 8,192: B = 197 users at once (84.2 GB; one more: 84.5 GB).
    Longest sequence at B = 32: T = 50,451 (84.2 GB).
    Fewest devices: 4, by tp=4 (56.9 GB on each).
    Tokens a second, at most: 3,812 at B = 32 (119 of each), 7,905 at B = 197 (40 of each).
      The bound of the memory bandwidth (3.35 TB/s of each device), no forecast.

    Each device holds at the peak, in the forward pass, at layers.attention.k.rope:
                           bytes           share
    weights       17,640,734,720  17.6 GB  61.9%
    workspace         33,554,432  33.6 MB   0.1%
    cache         10,804,527,104  10.8 GB  37.9%
    temporaries        1,664,512  1.66 MB   0.0%
    ────────────────────────────────────────────
    all together  28,480,480,768  28.5 GB

    Buffer by buffer, the largest first:
                                                  each  times           bytes  what it is, and its shape
    weights                             17,640,734,720      1  17,640,734,720
    layers.attention.k           cache      67,108,864     81   5,435,817,984
    layers.attention.v           cache      67,108,864     80   5,368,709,120
    workspace                               33,554,432      1      33,554,432
    embed.x.lookup                             524,288      1         524,288  rows of embed_tokens for
                                                                               ids, B×S×D
    layers.attention.normed.mul                524,288      1         524,288  normed times
                                                                               input_layernorm, B×S×D
    layers.ffn.x                               524,288      1         524,288  sum of x and down, B×S×D
    layers.attention.q.rope                     65,536      1          65,536  q, rotated by position,
                                                                               B×S×K/tp×G×H
    6 others                                                           26,112

    Memory traffic of a step of 32 new tokens, at the least:
                             bytes   share  formula
    weights, read   17,378,590,720   61.8%  (7 terms)
    cache, read     10,736,107,520   38.2%  -4·B·S·L·K·H/tp + 4·B·T·L·K·H/tp
    cache, written       1,310,720    0.0%  4·B·S·L·K·H/tp
    all together    28,116,008,960  100.0%
    878,625,280 bytes for each new token; 22.83 FLOPs for each byte.
    At 3.35 TB/s that is at most 119.14 steps and 3,812.77 tokens in a second: a bound, which
    activations, launches and the products themselves only lower.
    On each device, for the tokens of all that share a layer; what they send each other is not counted.

    Assumed: --dtype bf16 (weights, cache), --attention sdpa; as PyTorch 2.11 with transformers 5.17.
    Programs see 85.0 GB of a device; a context takes 812 MB (--memory, --reserve).
    Laid out by --layout tp=8 --runtime torch, the usual way (--shard). tp: pieces of heads, FFN width
    and vocabulary. B is the batch of each step of them all.
    $ reckon fit llama-3.1-8b --device h100 --shard tp=4 --attention flash --dtype bf16 | head -n 18
    llama-3.1-8b: a training step on 4 × h100-80gb
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence

    It fits: each device needs 34.5 GB of 84.2 GB, and 49.7 GB are left.
    Largest batch at S = 4,096: B = 3 (82.7 GB; one more: 101 GB).
    Longest sequence at B = 1: S = 12,452 (84.2 GB).
    Fewest devices: 2, by tp=2 (53.6 GB on each).

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
              bytes a parameter    needs
    fp32                  16.00  73.2 GB  fits
    mixed                 16.00  58.3 GB  fits
    bf16                   8.00  34.5 GB  fits  this step
    megatron              18.00  59.0 GB  fits
    lora                   2.01  25.3 GB  fits
    qlora                  0.76  22.8 GB  fits

    Each device holds at the peak, in the backward pass, at loss.log_softmax:
    $ reckon fit llama-3.1-8b --device h100 --devices 16 --shard tp=8,zero1 --attention flash --dtype bf16 --format json | sed '/"pieces"/,$d'
    {
      "version": 1,
      "model": "llama-3.1-8b",
      "symbols": {"ddp": 2, "tp": 8, "L": 32, "D": 4096, "V": 128256, "N": 32, "K": 8, "G": 4, "H": 128, "F": 14336, "B": 1, "S": 4096, "T": 4096},
      "phase": "train",
      "device": "h100-80gb",
      "memory": 85027979264,
      "usable_measured": true,
      "reserve": 811532288,
      "limit": 84216446976,
      "devices": 16,
      "fits": true,
      "needs": 26000490496,
      "left": 58215956480,
      "needs_of": "reserved",
      "during": "the backward pass",
      "batch": {"symbol": "B", "largest": 3, "needs": 69526880256, "next_needs": 91307900928, "bounded": false},
      "length": {"symbol": "S", "largest": 14992, "needs": 84215332864, "bounded": false},
      "fewest_devices": 8,
      "fewest_layout": "tp=8",
      "fewest_needs": 26094862336,
      "layout": {"line": "ddp=2,zero1,tp=8", "runtime": "torch", "axis": null},
      "recipes": [
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "needs": 47691333632, "fits": true, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "needs": 41362128896, "fits": true, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "needs": 26000490496, "fits": true, "chosen": true},
        {"recipe": "lora", "bytes_per_parameter": 2.01, "needs": 21309161472, "fits": true, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 0.76, "needs": 20061356032, "fits": true, "chosen": false}
      ],
      "savings": [],
      "rows": [
        {"what": "weights", "bytes": 2009604096},
        {"what": "optimizer state", "bytes": 2008114176},
        {"what": "gradients of weights", "bytes": 2009587712},
        {"what": "workspace", "bytes": 67108864},
        {"what": "saved for backward", "bytes": 13045399552},
        {"what": "gradients of activations", "bytes": 4202692608},
        {"what": "temporaries", "bytes": 1050673152},
        {"what": "reserved beside it by the allocator", "bytes": 1607310336}
      ],

More devices than key/value heads:

    $ reckon fit llama-3.1-8b --device h100 --devices 16 --phase decode | sed -n '/^It fits/p; /^Split/,/^There/p'
    It fits: each device needs 1.14 GB of 84.2 GB, and 83.1 GB are left.
    $ reckon fit starcoderbase-7b --device h100 --devices 2 --phase decode --format json | grep divided
    [1]

A quantised model, divided:

    $ reckon fit deepseek-v3 --device h200 --devices 8 --phase decode B=16 T=16K --format json | grep -e fits -e needs -e step -e weights
      "fits": true,
      "needs": 107356137472,
      "needs_of": "tensors",
      "batch": {"symbol": "B", "largest": 46, "needs": 148943831040, "next_needs": 150330087424, "bounded": false},
      "length": {"symbol": "T", "largest": 47366, "needs": 149297338368, "next_needs": 149298692096, "bounded": false},
      "fewest_needs": 107356137472,
      "step": {"tokens": 16, "moved": 54135051069, "bandwidth": 4800000000000, "tokens_per_second_at_most": 1418, "estimate": true},
        {"what": "weights", "bytes": 85142477824},
        {"path": "weights", "bytes": 85142477824, "times": 1, "bytes_total": 85142477824},

A device has what programs see of it, less what a context takes:

    $ reckon fit gpt2 --device h200 | grep '^Programs see'
    Programs see 150 GB of a device; a context takes 812 MB (--memory, --reserve).
    $ reckon fit gpt2 --device v100-pcie-16gb | grep '^Programs see'
    Programs see 17.2 GB of a device (nominal: no source has seen it); a context takes 812 MB (--memory,
    $ reckon fit gpt2 --device tpu-v5e | grep '^Programs see'
    Programs see 16.9 GB of a device, a context taken off already (--memory, --reserve).
    $ reckon fit gpt2 --device gaudi-3 | grep '^Programs see'
    Programs see 137 GB of a device (nominal: no source has seen it); what a context takes is not taken
    $ reckon fit gpt2 --device h200 --format json | grep -e '"memory"' -e measured -e '"reserve"' -e limit
      "memory": 150109880320,
      "usable_measured": true,
      "reserve": 811532288,
      "limit": 149298348032,
    $ reckon fit gpt2 --device b100 --format json | grep -e '"memory"' -e measured -e '"reserve"' -e limit
      "memory": 206158430208,
      "usable_measured": false,
      "reserve": 811532288,
      "limit": 205346897920,
    $ reckon fit gpt2 --device h200 --reserve 0 | grep '^Programs see'
    Programs see 150 GB of a device; 0 B are left alone (--memory, --reserve).
    $ reckon fit gpt2 --device h200 --memory 70GB | grep '^A device has'
    A device has 70.0 GB; a context takes 812 MB (--reserve).
    $ reckon fit gpt2 --device h200 --memory 500MB
    reckon: a context (--reserve) leaves nothing of a device's memory
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h200 --memory 0
    reckon: --memory: '0' is no number of bytes, such as 80GB or 80GiB
    reckon: 'reckon help fit' says how it is used
    [2]

Memory that the line says, with some of it left alone:

    $ reckon fit gpt2 --memory 12GB --reserve 1GB B=2 | grep -e '^It fits' -e '^A device'
    It fits: it needs 5.65 GB of 11.0 GB, and 5.35 GB are left.
    A device has 12.0 GB; 1.00 GB are left alone (--reserve).

What a textbook has:

    $ reckon fit cs336-xl-plain --profile textbook --memory 80GB
    cs336-xl-plain: a training step on 80.0 GB
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

    It fits: it needs 42.0 GB of 80.0 GB, and 38.0 GB are left.
    Largest batch at S = 1,024: B = 3 (73.7 GB; one more: 89.5 GB).
    Longest sequence at B = 1: S = 2,092 (80.0 GB); the config's context is 1,024.
    Fewest devices: 1 (42.0 GB).

    It holds:
                                   bytes           share
    weights                6,542,150,400  6.54 GB  15.6%
    optimizer state       13,084,300,800  13.1 GB  31.1%
    gradients of weights   6,542,150,400  6.54 GB  15.6%
    saved for backward    15,837,638,656  15.8 GB  37.7%
    ────────────────────────────────────────────────────
    all together          42,006,240,256  42.0 GB

    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --recompute none, --loss ce;
    as a derivation by hand lists it.
    A device has 80.0 GB; what a context takes is not taken off (--reserve).
    --details: what is alive at the peak, buffer by buffer.

No number of devices does it:

    $ reckon fit llama-3.1-70b --device h100-80gb --dtype bf16 B=8 | sed '/^In other/,$d'
    llama-3.1-70b: a training step on h100-80gb
    B = 8 sequences in the batch, S = 4,096 tokens of a sequence

    It does not fit: it needs 1.59 TB of 84.2 GB: 1.50 TB too much.
    Largest batch at S = 4,096: none; B = 1 needs 635 GB.
    Longest sequence at B = 8: none; S = 1 needs 567 GB.
    Fewest devices: none; by fsdp=2048, each of 2,048 still needs 1.11 TB.

    What would lower it, each on top of those before:
                                                           needs
    --recompute full         layers recomputed backward   598 GB  on no number
    --loss fused             a fused loss, by chunks      585 GB  on no number
    --optimizer adam8bit     optimizer states in 8 bits   448 GB  on no number
    --weights nf4 --lora 16  4-bit weights, LoRA trained  116 GB  on 512 devices

A shorter sequence or a smaller batch is an answer where one fits, and options end with the first that does:

    $ reckon fit llama-3-8b --dtype bf16 --device h100 | sed -n '/^It does/,/^In other/p'
    It does not fit: it needs 84.5 GB of 84.2 GB: 288 MB too much.
    Largest batch at S = 4,096: none; B = 1 needs 84.5 GB.
    Longest sequence at B = 1: S = 3,546 (82.9 GB).
    Fewest devices: 2, by fsdp=2 (74.0 GB on each).

    It would fit with --devices 2 (74.0 GB on each) or S=3546 (82.9 GB).
    What would lower it, each on top of those before:
                                                    needs
    --recompute full  layers recomputed backward  66.8 GB  fits

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
    $ reckon fit gpt2-xl --device 40GB B=8 | sed -n '/^It does/,/^In other/p'
    It does not fit: it needs 99.6 GB of 40.0 GB: 59.6 GB too much.
    Largest batch at S = 1,024: B = 1 (34.9 GB; one more: 42.4 GB).
    Longest sequence at B = 8: S = 245 (39.1 GB).
    Fewest devices: none; by fsdp=2048, each of 2,048 still needs 41.7 GB.

    It would fit with B=1 (34.9 GB) or S=245 (39.1 GB).
    What would lower it, each on top of those before:
                                                    needs
    --recompute full  layers recomputed backward  32.1 GB  fits

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
    $ reckon fit llama-3-8b --recipe lora --device 24GB | sed -n '/^It does/,/^It holds/p'
    It does not fit: it needs 48.8 GB of 24.0 GB: 24.8 GB too much.
    Largest batch at S = 4,096: none; B = 1 needs 48.8 GB.
    Longest sequence at B = 1: S = 950 (24.0 GB).
    Fewest devices: none; by fsdp=512, each of 512 still needs 32.6 GB.

    It would fit with S=950 (24.0 GB).
    What would lower it, each on top of those before:
                                                    needs
    --recompute full  layers recomputed backward  25.5 GB  on 2 devices
    --loss fused      a fused loss, by chunks     19.0 GB  fits

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
              bytes a parameter    needs
    fp32                  15.98   233 GB
    mixed                 15.98   162 GB
    bf16                   7.99  84.5 GB
    megatron              17.98   182 GB
    lora                   2.01  48.8 GB  this step
    qlora                  0.76  39.3 GB

    It holds at the peak, in the backward pass, at loss.log_softmax:
    $ reckon fit llama-3-8b --recipe lora --device 24GB --recompute full --loss fused | grep -e '^It' -e '^L'
    It fits: it needs 19.0 GB of 24.0 GB, and 5.01 GB are left.
    Largest batch at S = 4,096: B = 2 (21.6 GB; one more: 24.3 GB).
    Longest sequence at B = 1: S = 11,776 (24.0 GB); the config's context is 8,192.
    It holds at the peak, in the backward pass, at layers.ffn.hidden:
    $ reckon fit llama-3-70b --recipe bf16 --device 64xh100 | sed -n '/^It does/,/^In other/p'
    It does not fit: each device needs 160 GB of 84.2 GB: 75.9 GB too much.
    Largest batch at S = 4,096: none; B = 1 needs 160 GB.
    Longest sequence at B = 1: S = 1,682 (83.9 GB).
    Fewest devices: none; by fsdp=2048, each of 2,048 still needs 144 GB.

    It would fit with S=1682 (83.9 GB).
    What would lower it, each on top of those before:
                                                    needs
    --recompute full  layers recomputed backward  35.2 GB  fits

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
    $ reckon fit llama-3-70b --recipe bf16 --device 64xh100 --recompute full | grep -e '^It' -e '^L' -e '^F'
    It fits: each device needs 35.2 GB of 84.2 GB, and 49.1 GB are left.
    Largest batch at S = 4,096: B = 4 on each of 64 devices, 256 in all (84.0 GB; one more: 90.3 GB).
    Longest sequence at B = 1: S = 18,757 (84.2 GB); the config's context is 8,192.
    Fewest devices: 11, by fsdp=11 (79.3 GB on each).
    Laid out by --layout fsdp=64 --runtime torch, the usual way (--shard). fsdp: weights, gradients and
    $ reckon fit llama-3-70b --device 64xh100 | sed -n '/^It does/,/^In other/p; /^Split/,/^Bytes/p'
    It does not fit: each device needs 178 GB of 84.2 GB: 94.1 GB too much.
    Largest batch at S = 4,096: none; B = 1 needs 178 GB.
    Longest sequence at B = 1: S = 1,133 (83.8 GB).
    Fewest devices: none; by fsdp=2048, each of 2,048 still needs 145 GB.

    It would fit with S=1133 (83.8 GB).
    What would lower it, each on top of those before:
                                                    needs
    --recompute full  layers recomputed backward  46.6 GB  fits

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
    $ reckon fit llama-3-70b --device 64xh100 --recompute full | grep -e '^It' -e '^L' -e '^F' -e gathered
    It fits: each device needs 46.6 GB of 84.2 GB, and 37.7 GB are left.
    Largest batch at S = 4,096: B = 3 on each of 64 devices, 192 in all (73.6 GB; one more: 88.3 GB).
    Longest sequence at B = 1: S = 15,225 (84.2 GB); the config's context is 8,192.
    Fewest devices: 25, by fsdp=25 (83.0 GB on each).
    Laid out by --layout fsdp=64 --runtime torch, the usual way (--shard). fsdp: weights, gradients and
    optimizer in pieces, gathered for use. B is the batch of each device.
    $ reckon fit llama-3-70b --recipe mixed --device 64xh100 --format json | grep -c 'cast of down_proj'
    0
    [1]
    $ reckon fit llama-3-70b --recipe mixed --device 64xh100 --shard zero2 --format json | grep -c 'cast of down_proj'
    1
    $ reckon fit gpt2-xl --device 80GB | grep -e '^It fits' -e '^L'
    It fits: it needs 34.9 GB of 80.0 GB, and 45.1 GB are left.
    Largest batch at S = 1,024: B = 6 (78.1 GB; one more: 88.2 GB).
    Longest sequence at B = 1: S = 1,024 (34.9 GB), all that it has learned.
    $ reckon fit gpt2-xl --device rtx-4090 --format json | sed -n '/"recipes"/,/^  \],/p; /"savings"/,/^  \],/p'
      "recipes": [
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "needs": 34928066560, "fits": false, "chosen": true},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "needs": 35724984320, "fits": false, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "needs": 15911092224, "fits": true, "chosen": false},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "needs": 34934358016, "fits": false, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.05, "needs": 8413773824, "fits": true, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 0.68, "needs": 6471811072, "fits": true, "chosen": false}
      ],
      "savings": [
        {"option": "--recompute full", "text": "layers recomputed backward", "needs": 27294433280, "fits": false, "fewest_devices": 2},
        {"option": "--loss fused", "text": "a fused loss, by chunks", "needs": 26854031360, "fits": false, "fewest_devices": 2},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "needs": 17091788800, "fits": true, "fewest_devices": 1}
      ],

To serve, in other types and on more devices:

    $ reckon fit llama-3-70b --phase decode --weights fp8 --kv-dtype fp8 T=32K --device 2xh100 | sed '/^Each/,$d'
    llama-3-70b: a decoding step on 2 × h100-80gb
    B = 1 sequences in the batch, S = 1 tokens of a sequence, T = 32,768 keys seen: cache and new
    T = 32,768 is beyond the context of 8,192 tokens that the config gives.

    It fits: each device needs 39.1 GB of 84.2 GB, and 45.2 GB are left.
    Largest batch at T = 32,768: B = 17 users at once (82.3 GB; one more: 85.0 GB).
    Longest sequence at B = 1: T = 579,583 (84.1 GB); the config's context is 8,192.
    Fewest devices: 1 (78.1 GB).
    Tokens a second, at most: 88 at B = 1, 703 at B = 17 (41 of each).
      The bound of the memory bandwidth (3.35 TB/s of each device), no forecast.
    $ reckon fit llama-3.1-70b --device h100 --phase decode T=32K B=8 | sed -n '/^It does/,/^It holds/p'
    It does not fit: it needs 228 GB of 84.2 GB: 143 GB too much.
    Largest batch at T = 32,768: none; B = 1 needs 152 GB.
    Longest sequence at B = 8: none; T = 1 needs 141 GB.
    Fewest devices: 4, by tp=4 (56.9 GB on each).

    It would fit with --devices 4 (56.9 GB on each).
    What would lower it, each on top of those before:
                                      needs
    --kv-dtype fp8  an 8-bit cache   184 GB  on 4 devices
    --weights int8  8-bit weights    116 GB  on 2 devices
    --weights nf4   4-bit weights   86.0 GB  on 2 devices

    It holds at the peak, in the forward pass, at layers.attention.k.rope:
    $ reckon fit llama-3.1-70b --device h100 --phase decode --weights fp8 --kv-dtype fp8 T=128K | grep -e '^It' -e '^--'
    It does not fit: it needs 94.3 GB of 84.2 GB: 10.1 GB too much.
    It would fit with --devices 2 (47.2 GB on each) or T=69913 (84.2 GB).
    --weights nf4  4-bit weights  64.4 GB  fits
    It holds at the peak, in the forward pass, at layers.attention.k.rope:
    --details: what is alive at the peak, buffer by buffer, and the memory traffic.
    $ reckon fit llama-3.1-8b --device 24GB --phase decode --weights int4 | grep -e '^It fits' -e '^Largest'
    It fits: it needs 6.18 GB of 24.0 GB, and 17.8 GB are left.
    Largest batch at T = 4,096: B = 33 users at once (23.6 GB; one more: 24.2 GB).
    $ reckon fit llama-3.1-8b --device h100 --phase prefill --attention eager S=64K | sed -n '/^It does/,/^It holds/p'
    It does not fit: it needs 1.13 TB of 84.2 GB: 1.04 TB too much.
    Largest batch at S = 65,536: none; B = 1 needs 1.13 TB.
    Longest sequence at B = 1: S = 15,994 (84.2 GB).
    Fewest devices: 16, by tp=16 (72.6 GB on each).

    It would fit with --devices 16 (72.6 GB on each) or S=15994 (84.2 GB).
    What would lower it, each on top of those before:
                                                     needs
    --attention flash  attention in one operation  32.5 GB  fits

    It holds at the peak, in the forward pass, at layers.attention.probs:
    $ reckon fit llama-3.1-8b --device h100 --devices 4 --shard tp=2 --phase decode | grep -e '^Largest' -e '^Tokens' -e bound
    Largest batch at T = 4,096: B = 279 on each of 2 groups, 558 users at once (84.1 GB; one more: 84.4
    Tokens a second of each group, at most: 430 at B = 1, 11,342 at B = 279 (40 of each).
      The bound of the memory bandwidth (3.35 TB/s of each device), no forecast.

Tokens of a sequence are new ones where it decodes: who means the cache is told how to say so.

    $ reckon fit llama-3.1-8b --device h100 --phase decode S=8K | grep -e 'S are' -e alone -e Tokens
    S are new tokens, here all in one step: a cache of so many, and one new token, is T=8192 alone.

A config on standard input is opened again for each of these:

    $ echo '{"model_type": "gpt2"}' | reckon fit - --device 2GB --format json | grep -c -e '"recipe":' -e '"option":'
    9

Learned positions are the end of a sequence:

    $ reckon fit gpt2 --device h100 | grep Longest
    Longest sequence at B = 1: S = 1,024 (3.60 GB), all that it has learned.
    $ reckon fit gpt2 --device h100 S=2048 | grep beyond
    S = 2,048 is beyond the context of 1,024 tokens that the config gives.
    S is beyond the 1,024 positions that the model has learned.
    $ reckon fit bert-base-uncased --device h100 | grep Longest
    Longest sequence at B = 1: S = 512 (2.44 GB), all that it has learned.

Those of an image are not those of its text:

    $ reckon fit gemma-3-27b-it --memory 2TB --attention flash | grep Longest
    Longest sequence at B = 1: S = 39,624 (1.97 TB).
    $ reckon fit vlm-784 --memory 30GB | grep -c learned
    0
    [1]
    $ reckon fit whisper-tiny --memory 30GB | grep Longest
    Longest sequence at B = 1: U = 448 (1.26 GB), all that it has learned.

What is wrong:

    $ reckon fit gpt2
    reckon: on what? --device h100-80gb ('reckon devices' lists them), or --memory 80GB
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h100 --details yes
    reckon: no model is called 'yes' ('reckon models' lists them)
    [1]
    $ reckon fit gpt2 --device hh100
    reckon: no device is called 'hh100'; did you mean 'h100-80gb'? ('reckon devices' lists them)
    [1]
    $ mkdir -p own/data; printf 'source\tS\tmy desk\ndevice\tmine\t-\tMine\tMe\t2026\t-\t-\t-\t10\t-\t-\t1\t1\t-\t-\t-\t-\t-\t-\t-\t-\tS\t-\n' > own/data/devices.tsv
    $ RECKON_MODELS=own reckon fit gpt2 --device mine
    reckon: no source says how much memory programs see of mine: --memory does
    [1]
    $ reckon fit gpt2 --device h100 --devices 0
    reckon: --devices is not '0' but a whole number from 1 to ten million
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h100 --shard zero4
    reckon: --shard: 'zero4' is no way to split: zero1, zero2, zero3, tp=8, or tp=8,zero1 (--layout has more)
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h100 --shard tp=0
    reckon: --shard: 'tp=0': tp=N shares each layer over N devices, from 1 to 65536
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h100 --shard tp=2,tp=4
    reckon: --shard says tp= twice
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h100 --devices 6 --shard tp=4
    reckon: --devices 6 cannot be groups of 4 that share layers (--shard tp=4)
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h100 --shard tp=5
    reckon: tp=5: N = 12 (heads) does not divide by that; tp=4 or tp=6 would
    [1]
    $ reckon fit gpt2 --device h100 --phase decode --shard zero3 --devices 2
    reckon: --shard zero3 divides what training has: to serve, share the layers (--shard tp=N)
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h100 --memory lots
    reckon: --memory: 'lots' is no number of bytes, such as 80GB or 80GiB
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h100 --reserve 86GB
    reckon: --reserve leaves nothing of a device's memory
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h100 --bandwidth 1TB/s
    reckon: --bandwidth is about decoding: add --phase decode
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit bert-base-uncased --device h100 --phase decode
    reckon: bert-base-uncased keeps nothing from token to token: there is no decoding
    [1]
    $ reckon fit gpt2 --device h100 --phase decode --devices 8
    reckon: tp=8: N = 12 (heads) does not divide by that; tp=6 or tp=12 would; --shard tp=4 makes them groups that share layers
    [1]
    $ reckon fit gpt2 --device h100 --phase decode --devices 7
    reckon: tp=7: N = 12 (heads) does not divide by that; tp=6 or tp=12 would; --shard tp=1 has all of it on each
    [1]
    $ reckon fit starcoderbase-7b --device h100 --phase decode --devices 3
    reckon: tp=3: G = 32 (queries to each key) does not divide by that; tp=2 or tp=4 would; --shard tp=1 has all of it on each
    [1]

What cannot be stored as asked is said, whatever else is looked for:

    $ reckon fit gpt2-xl --device rtx-4090 --phase decode --weights q4_k
    reckon: transformer.h.{i}.attn.c_attn.weight cannot be stored as q4_k: its rows have 1600 numbers, and a block 256
    [1]
