One device, with room and without:

    $ reckon fit gpt2 --device rtx-4090 B=8
    gpt2: a training step on rtx-4090
    B = 8 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    Programs see 25,249,710,080 bytes (25.2 GB) of a device, of which a context takes 811,532,288 bytes
    (812 MB): --memory and --reserve change that.
    Bytes are those that PyTorch's allocator reserves for it, about: an estimate.

    It fits: it needs 17,374,904,320 bytes (17.4 GB), and 7.06 GB are left.
    Largest batch at S = 1,024: B = 11, with 23,748,149,248 bytes (23.7 GB); one more needs
    25,757,220,864 bytes (25.8 GB).
    Longest sequence at B = 8: S = 1,024, with 17,374,904,320 bytes (17.4 GB).
      The model has learned no more positions than these.
    Fewest devices for this, split by zero3: 1, with 17,374,904,320 bytes (17.4 GB).

    It holds at the peak, in the backward pass, at loss.log_softmax:
                                                   bytes           share
    weights                                  497,759,232   498 MB   2.9%
    optimizer                                995,594,240   996 MB   5.7%
    workspace of the matrix library           67,108,864  67.1 MB   0.4%
    activations and what else is at work  15,099,770,880  15.1 GB  86.9%
    reserved beside it by the allocator      714,671,104   715 MB   4.1%
    ────────────────────────────────────────────────────────────────────
    all together                          17,374,904,320  17.4 GB

    At work, the largest first:
                                              each  times          bytes  what it is, and its shape
    head.logits                      1,646,821,376      1  1,646,821,376  final times matrix lm_head,
                                                                          B×S×V
    loss                   gradient  1,646,821,376      1  1,646,821,376  of the loss with respect to it
    loss                   gradient  1,646,821,376      1  1,646,821,376  of the loss with respect to it
    loss.log_softmax                 1,646,821,376      1  1,646,821,376  log_softmax of logits, B×S×V
    layers.ffn.half_x                  100,663,296     12  1,207,959,552  0.5 times up, B×S×F
    layers.ffn.hidden                  100,663,296     12  1,207,959,552  half_x times hidden.add, B×S×F
    layers.ffn.hidden.add              100,663,296     12  1,207,959,552  1 plus tanh_out, B×S×F
    layers.ffn.tanh_out                100,663,296     12  1,207,959,552  tanh of tanh_out.scale.2,
                                                                          B×S×F
    19 others                                              3,680,647,168
    $ reckon fit gpt2-xl --device rtx-4090
    gpt2-xl: a training step on rtx-4090
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    Programs see 25,249,710,080 bytes (25.2 GB) of a device, of which a context takes 811,532,288 bytes
    (812 MB): --memory and --reserve change that.
    Bytes are those that PyTorch's allocator reserves for it, about: an estimate.

    It does not fit: it needs 34,928,066,560 bytes (34.9 GB), which is 10,489,888,768 bytes (10.5 GB)
    too much.
    Largest batch at S = 1,024: none; B = 1 needs 34,928,066,560 bytes (34.9 GB).
    Longest sequence at B = 1: none; S = 1 needs 26,235,371,520 bytes (26.2 GB).
    Fewest devices for this, split by zero3: 2, with 22,506,739,200 bytes (22.5 GB) on each.

    What would help: more devices, --recompute full, --loss fused, --dtype bf16, shorter sequences.

    It holds at the peak, in the backward pass, at loss.log_softmax:
                                                   bytes           share
    weights                                6,230,531,584  6.23 GB  17.8%
    optimizer                             12,461,186,560  12.5 GB  35.7%
    workspace of the matrix library           67,108,864  67.1 MB   0.2%
    activations and what else is at work   9,650,307,072  9.65 GB  27.6%
    reserved beside it by the allocator    6,518,932,480  6.52 GB  18.7%
    ────────────────────────────────────────────────────────────────────
    all together                          34,928,066,560  34.9 GB

    At work, the largest first:
                                     each  times          bytes  what it is, and its shape
    layers.ffn.half_x          26,214,400     48  1,258,291,200  0.5 times up, B×S×F
    layers.ffn.hidden          26,214,400     48  1,258,291,200  half_x times hidden.add, B×S×F
    layers.ffn.hidden.add      26,214,400     48  1,258,291,200  1 plus tanh_out, B×S×F
    layers.ffn.tanh_out        26,214,400     48  1,258,291,200  tanh of tanh_out.scale.2, B×S×F
    layers.ffn.up.bias         26,214,400     48  1,258,291,200  up with its bias, B×S×F
    layers.attention.qkv.bias  19,660,800     48    943,718,400  qkv with its bias, B×S×3NH
    layers.attention.context    6,553,600     48    314,572,800  attention of q to k, B×S×N×1×H
    layers.attention.normed     6,553,600     48    314,572,800  layernorm of x, B×S×D
    19 others                                     1,785,987,072
    [3]
    $ reckon fit gpt2-xl --device rtx-4090 > /dev/null; echo $?
    3

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
    Assumed: --dtype bf16 (weights, gradients), --master fp32 (states too), --optimizer adamw,
    --attention sdpa, --recompute full, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    Programs see 85,027,979,264 bytes (85.0 GB) of a device, of which a context takes 811,532,288 bytes
    (812 MB): --memory and --reserve change that.
    Split by zero3: the optimizer's state, gradients and weights are divided over 64 devices, rounded up
    to a byte, and the weights at work are gathered whole; activations are each device's own, and B is
    its batch.
    Nobody said how to split: this is the usual way (--shard says another).

    It fits: each device needs 32,800,906,904 bytes (32.8 GB), and 51.4 GB are left.
    Largest batch at S = 4,096: B = 4, with 71,776,624,280 bytes (71.8 GB); one more needs
    84,768,530,072 bytes (84.8 GB).
    Longest sequence at B = 1: S = 20,303, with 84,215,411,352 bytes (84.2 GB); one more needs
    84,218,583,192 bytes (84.2 GB).
    Fewest devices for this, split by zero3: 17, with 81,565,984,740 bytes (81.6 GB) on each.

    Each device holds at the peak, in the backward pass, at loss.log_softmax:
                                                     whole  over           bytes           share
    weights                                141,107,412,992    64   2,204,803,328  2.20 GB   6.7%
    weights at work, gathered whole: head                          2,101,362,688  2.10 GB   6.4%
    gradients                              141,107,412,992    64   2,204,803,328  2.20 GB   6.7%
    optimizer                              846,644,848,128    64  13,228,825,752  13.2 GB  40.3%
    workspace of the matrix library                                   67,108,864  67.1 MB   0.2%
    activations and what else is at work                          12,994,002,944  13.0 GB  39.6%
    ────────────────────────────────────────────────────────────────────────────────────────────
    all together                                                  32,800,906,904  32.8 GB

    At work, the largest first:
                                         each  times          bytes  what it is, and its shape
    layers.ffn.x                   67,108,864     79  5,301,600,256  sum of x and down, B×S×D
    loss              gradient  2,101,346,304      1  2,101,346,304  of the loss with respect to it
    loss              gradient  2,101,346,304      1  2,101,346,304  of the loss with respect to it
    loss.log_softmax            2,101,346,304      1  2,101,346,304  log_softmax of logits, B×S×V
    head.logits                 1,050,673,152      1  1,050,673,152  final times matrix lm_head, B×S×V
    head.upcast                   134,217,728      1    134,217,728  cast of x, B×S×D
    embed.x                        67,108,864      1     67,108,864  rows of embed_tokens for ids, B×S×D
    head.final                     67,108,864      1     67,108,864  cast of x_hat, B×S×D
    5 others                                             69,255,168
    $ reckon fit llama-3.1-8b --device h100 --devices 8 --shard zero1 --attention flash --dtype bf16 --format csv
    what,whole,over,bytes
    weights,16060522496,1,16060522496
    gradients,16060522496,1,16060522496
    optimizer,32121193984,8,4015149248
    workspace of the matrix library,67108864,1,67108864
    activations and what else is at work,33815592960,1,33815592960
    
    path,what,kind,layers,tokens,bytes,times,bytes_total,formula
    layers.ffn.activated,,,,,117440512,32,3758096384,
    layers.ffn.gate,,,,,117440512,32,3758096384,
    layers.ffn.hidden,,,,,117440512,32,3758096384,
    layers.ffn.up,,,,,117440512,32,3758096384,
    layers.attention.upcast,,,,,67108864,32,2147483648,
    layers.ffn.upcast,,,,,67108864,32,2147483648,
    loss,gradient,,,,2101346304,1,2101346304,
    loss,gradient,,,,2101346304,1,2101346304,
    loss.log_softmax,,,,,2101346304,1,2101346304,
    layers.attention.context,,,,,33554432,32,1073741824,
    layers.attention.normed,,,,,33554432,32,1073741824,
    layers.attention.normed.mul,,,,,33554432,32,1073741824,
    layers.attention.q.rope,,,,,33554432,32,1073741824,
    layers.ffn.normed,,,,,33554432,32,1073741824,
    layers.ffn.normed.mul,,,,,33554432,32,1073741824,
    head.logits,,,,,1050673152,1,1050673152,
    layers.attention.k.rope,,,,,8388608,32,268435456,
    layers.attention.v,,,,,8388608,32,268435456,
    head.upcast,,,,,67108864,1,67108864,
    head.final,,,,,33554432,1,33554432,
    head.final.mul,,,,,33554432,1,33554432,
    layers.attention.context,logsumexp,,,,524288,32,16777216,
    embed.table,cos,,,,1048576,1,1048576,
    embed.table,sin,,,,1048576,1,1048576,
    layers.attention.rstd,,,,,16384,32,524288,
    layers.ffn.rstd,,,,,16384,32,524288,
    ids,,,,,32768,1,32768,
    head.rstd,,,,,16384,1,16384,
    layers.attention.context,rng state,,,,512,32,16384,
    $ reckon fit llama-3.1-8b --device h100 --devices 8 --shard zero2 --attention flash --dtype bf16 | grep -e '^Split' -e '^weights' -e '^grad' -e '^opt'
    Split by zero2: the optimizer's state and gradients are divided over 8 devices, rounded up to a
    weights                                                     16,060,522,496  16.1 GB  28.7%
    gradients                             16,060,522,496     8   2,007,565,312  2.01 GB   3.6%
    optimizer                             32,121,193,984     8   4,015,149,248  4.02 GB   7.2%

Layers that are shared, also with the other split:

    $ reckon fit llama-3.1-70b --device h100-80gb --devices 8 --phase decode B=32 T=8K
    llama-3.1-70b: a decoding step on 8 × h100-80gb
    B = 32 sequences in the batch, S = 1 tokens of a sequence, T = 8,192 keys seen: cache and new
    Assumed: --dtype bf16 (weights, cache), --attention sdpa; as PyTorch 2.11 with transformers 5.17.
    Programs see 85,027,979,264 bytes (85.0 GB) of a device, of which a context takes 811,532,288 bytes
    (812 MB): --memory and --reserve change that.
    Split by tp=8: the devices share each layer. Divided are vocabulary 128,256 to 16,032, query heads
    64 to 8, key/value heads 8 to 1, FFN width 28,672 to 3,584; all else is whole on each, and B is the
    batch of all of them.
    Nobody said how to split: this is the usual way (--shard says another).

    It fits: each device needs 28,480,480,768 bytes (28.5 GB), and 55.7 GB are left.
    Largest batch at T = 8,192: B = 197, with 84,199,900,672 bytes (84.2 GB); one more needs
    84,537,593,344 bytes (84.5 GB).
    Longest sequence at B = 32: T = 50,451, with 84,216,382,976 bytes (84.2 GB); one more needs
    84,217,701,888 bytes (84.2 GB).
    Fewest devices for this, sharing layers: 4, with 56,923,194,880 bytes (56.9 GB) on each.

    Each device holds at the peak, in the forward pass, at layers.attention.k.rope:
                                                   bytes           share
    weights                               17,640,734,720  17.6 GB  61.9%
    workspace of the matrix library           33,554,432  33.6 MB   0.1%
    cache                                 10,804,527,104  10.8 GB  37.9%
    activations and what else is at work       1,664,512  1.66 MB   0.0%
    ────────────────────────────────────────────────────────────────────
    all together                          28,480,480,768  28.5 GB

    At work, the largest first:
                                         each  times    bytes  what it is, and its shape
    embed.x                           524,288      1  524,288  rows of embed_tokens for ids, B×S×D
    layers.attention.normed.mul       524,288      1  524,288  normed times input_layernorm, B×S×D
    layers.ffn.x                      524,288      1  524,288  sum of x and down, B×S×D
    layers.attention.q.rope            65,536      1   65,536  q, rotated by position, B×S×K×G×H
    layers.attention.k                  8,192      1    8,192  normed times matrix k_proj, B×S×KH
    layers.attention.k.rope             8,192      1    8,192  k, rotated by position, B×S×K×H
    layers.attention.v                  8,192      1    8,192  normed times matrix v_proj, B×S×KH
    embed.table                  cos      512      1      512  cosines of the rotary positions
    2 others                                            1,024

    Memory traffic of a step of 32 new tokens, at the least:
                             bytes   share  formula
    weights, read   17,378,590,720   61.8%  (7 terms)
    cache, read     10,736,107,520   38.2%  -4BSLKH + 4BTLKH
    cache, written       1,310,720    0.0%  4BSLKH
    all together    28,116,008,960  100.0%
    878,625,280 bytes for each new token; 22.83 FLOPs for each byte.
    At 3.35 TB/s that is at most 119.14 steps and 3,812.77 tokens in a second: a bound, which
    activations, launches and the products themselves only lower.
    On each device, for the tokens of all that share a layer; what they send each other is not counted.
    In the formulas, sizes that are divided are those of one device.
    $ reckon fit llama-3.1-8b --device h100 --shard tp=4 --attention flash --dtype bf16 | head -n 18
    llama-3.1-8b: a training step on 4 × h100-80gb
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Assumed: --dtype bf16 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    Programs see 85,027,979,264 bytes (85.0 GB) of a device, of which a context takes 811,532,288 bytes
    (812 MB): --memory and --reserve change that.
    Split by tp=4: the devices share each layer. Divided are vocabulary 128,256 to 32,064, query heads
    32 to 8, key/value heads 8 to 2, FFN width 14,336 to 3,584; all else is whole on each, and B is the
    batch of all of them.

    It fits: each device needs 27,113,268,736 bytes (27.1 GB), and 57.1 GB are left.
    Largest batch at S = 4,096: B = 4, with 72,105,190,912 bytes (72.1 GB); one more needs
    87,102,498,304 bytes (87.1 GB).
    Longest sequence at B = 1: S = 19,689, with 84,214,288,384 bytes (84.2 GB); one more needs
    84,217,947,648 bytes (84.2 GB).
    Fewest devices for this, sharing layers: 1, with 82,064,418,304 bytes (82.1 GB).

    Each device holds at the peak, in the backward pass, at loss.log_softmax:
    $ reckon fit llama-3.1-8b --device h100 --devices 16 --shard tp=8,zero1 --attention flash --dtype bf16 --format json | head -n 26
    {
      "version": 1,
      "model": "llama-3.1-8b",
      "symbols": {"L": 32, "D": 4096, "V": 128256, "N": 32, "K": 8, "G": 4, "H": 128, "F": 14336, "B": 1, "S": 4096, "T": 4096},
      "phase": "train",
      "device": "h100-80gb",
      "memory": 85027979264,
      "usable_measured": true,
      "reserve": 811532288,
      "limit": 84216446976,
      "split": {"name": "tp=8,zero1", "devices": 16, "tensor": 8, "zero": 1, "divided": {"V": 16032, "N": 4, "K": 1, "F": 1792}},
      "fits": true,
      "needs": 17954669312,
      "needs_of": "tensors",
      "during": "the backward pass",
      "batch": {"symbol": "B", "largest": 6, "needs": 77261062912, "next_needs": 89122341632, "bounded": false},
      "length": {"symbol": "S", "largest": 26973, "needs": 84214085888, "next_needs": 84216963840, "bounded": false},
      "fewest_devices": 8,
      "fewest_needs": 17954743808,
      "rows": [
        {"what": "weights", "whole": 2008031232, "over": 1, "bytes": 2008031232},
        {"what": "gradients", "whole": 2008031232, "over": 1, "bytes": 2008031232},
        {"what": "optimizer", "whole": 4016211456, "over": 2, "bytes": 2008105728},
        {"what": "workspace of the matrix library", "whole": 67108864, "over": 1, "bytes": 67108864},
        {"what": "activations and what else is at work", "whole": 11863392256, "over": 1, "bytes": 11863392256}
      ],

More devices than key/value heads:

    $ reckon fit llama-3.1-8b --device h100 --devices 16 --phase decode | sed -n '/^Split/,/^It fits/p'
    Split by tp=16: the devices share each layer. Divided are vocabulary 128,256 to 8,016, query heads
    32 to 2, key/value heads 8 to 1, queries to each key 4 to 2, FFN width 14,336 to 896; all else is
    whole on each, and B is the batch of all of them.
    There are more devices than key/value heads: each of those is on 2 devices.
    Nobody said how to split: this is the usual way (--shard says another).

    It fits: each device needs 1,139,576,320 bytes (1.14 GB), and 83.1 GB are left.
    $ reckon fit starcoderbase-7b --device h100 --devices 2 --phase decode --format json | grep divided
      "split": {"name": "tp=2", "devices": 2, "tensor": 2, "zero": 0, "divided": {"V": 24576, "G": 16, "F": 8192}},

A quantised model, divided:

    $ reckon fit deepseek-v3 --device h200 --devices 8 --phase decode B=16 T=16K --format json | grep -e fits -e needs -e step -e weights
      "fits": true,
      "needs": 107353815040,
      "needs_of": "tensors",
      "batch": {"symbol": "B", "largest": 46, "needs": 148941508608, "next_needs": 150327764992, "bounded": false},
      "length": {"symbol": "T", "largest": 47368, "needs": 149297723392, "next_needs": 149299077120, "bounded": false},
      "fewest_needs": 107353815040,
      "step": {"tokens": 16, "moved": 54135051069, "bandwidth": 4800000000000, "tokens_per_second_at_most": 1418, "estimate": true},
        {"what": "weights", "whole": 85140155392, "over": 1, "bytes": 85140155392},

A device has what programs see of it, less what a context takes:

    $ reckon fit gpt2 --device h200 | grep -A 1 '^Programs see'
    Programs see 150,109,880,320 bytes (150 GB) of a device, of which a context takes 811,532,288 bytes
    (812 MB): --memory and --reserve change that.
    $ reckon fit gpt2 --device v100-pcie-16gb | grep -A 1 '^Programs see'
    Programs see 17,179,869,184 bytes (17.2 GB) of a device (nominal: no source has seen it), of which a
    context takes 811,532,288 bytes (812 MB): --memory and --reserve change that.
    $ reckon fit gpt2 --device tpu-v5e | grep -A 1 '^Programs see'
    Programs see 16,911,433,728 bytes (16.9 GB) of a device, a context taken off already: --memory and
    --reserve change that.
    $ reckon fit gpt2 --device gaudi-3 | grep -A 1 '^Programs see'
    Programs see 137,438,953,472 bytes (137 GB) of a device (nominal: no source has seen it); what a
    context takes is not taken off: --memory and --reserve change that.
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
    $ reckon fit gpt2 --device h200 --reserve 0 | grep -A 1 '^Programs see'
    Programs see 150,109,880,320 bytes (150 GB) of a device, of which 0 bytes (0 B) are left alone
    (--reserve): --memory changes that.
    $ reckon fit gpt2 --device h200 --memory 70GB | grep -A 1 '^A device has'
    A device has 70,000,000,000 bytes (70.0 GB), of which a context takes 811,532,288 bytes (812 MB):
    --reserve changes that.
    $ reckon fit gpt2 --device h200 --memory 500MB
    reckon: a context (--reserve) leaves nothing of a device's memory
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h200 --memory 0
    reckon: --memory: '0' is no number of bytes, such as 80GB or 80GiB
    reckon: 'reckon help fit' says how it is used
    [2]

Memory that the line says, with some of it left alone:

    $ reckon fit gpt2 --memory 12GB --reserve 1GB B=2 | head -n 10
    gpt2: a training step on 12.0 GB
    B = 2 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    A device has 12,000,000,000 bytes (12.0 GB), of which 1,000,000,000 bytes (1.00 GB) are left alone
    (--reserve).
    Bytes are those that PyTorch's allocator reserves for it, about: an estimate.

    It fits: it needs 5,647,630,336 bytes (5.65 GB), and 5.35 GB are left.
    Largest batch at S = 1,024: B = 4, with 9,812,574,208 bytes (9.81 GB); one more needs 12,190,744,576

What a textbook has:

    $ reckon fit cs336-xl-plain --profile textbook --memory 80GB | head -n 14
    cs336-xl-plain: a training step on 80.0 GB
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --recompute none, --loss ce;
    as a derivation by hand lists it.
    A device has 80,000,000,000 bytes (80.0 GB); what a context takes is not taken off: --reserve
    changes that.

    It fits: it needs 42,006,240,256 bytes (42.0 GB), and 38.0 GB are left.
    Largest batch at S = 1,024: B = 3, with 73,681,517,568 bytes (73.7 GB); one more needs
    89,519,156,224 bytes (89.5 GB).
    Longest sequence at B = 1: S = 2,092, with 79,973,260,048 bytes (80.0 GB); one more needs
    80,019,072,092 bytes (80.0 GB).
    Fewest devices for this, split by zero3: 1, with 42,006,240,256 bytes (42.0 GB).

No number of devices does it:

    $ reckon fit llama-3.1-70b --device h100-80gb B=8 | head -n 16
    llama-3.1-70b: a training step on h100-80gb
    B = 8 sequences in the batch, S = 4,096 tokens of a sequence
    Assumed: --recipe mixed (products in bf16; fp32: weights, gradients, states), --optimizer adamw,
    --attention sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    Programs see 85,027,979,264 bytes (85.0 GB) of a device, of which a context takes 811,532,288 bytes
    (812 MB): --memory and --reserve change that.
    Bytes are those that PyTorch's allocator reserves for it, about: an estimate.

    It does not fit: it needs 2,364,482,256,896 bytes (2.36 TB), which is 2,280,265,809,920 bytes (2.28
    TB) too much.
    Largest batch at S = 4,096: none; B = 1 needs 1,366,246,293,504 bytes (1.37 TB).
    Longest sequence at B = 8: none; S = 1 needs 1,208,259,444,736 bytes (1.21 TB).
    It does not fit on any number of devices up to 65,536: on so many, each would hold
      activations and what else is at work: 1,457,500,102,656 bytes (1.46 TB)

    What would help: --recompute full, --loss fused, --dtype bf16, a smaller B, shorter sequences.

Learned positions are the end of a sequence:

    $ reckon fit gpt2 --device h100 | grep -A 1 Longest
    Longest sequence at B = 1: S = 1,024, with 3,600,809,984 bytes (3.60 GB).
      The model has learned no more positions than these.
    $ reckon fit gpt2 --device h100 S=2048 | grep beyond
    S = 2,048 is beyond the context of 1,024 tokens that the config gives.
    S is beyond the 1,024 positions that the model has learned.
    $ reckon fit bert-base-uncased --device h100 | grep -A 1 Longest
    Longest sequence at B = 1: S = 512, with 2,436,890,624 bytes (2.44 GB).
      The model has learned no more positions than these.

Those of an image are not those of its text:

    $ reckon fit gemma-3-27b-it --memory 2TB --attention flash | grep -A 1 Longest
    Longest sequence at B = 1: S = 39,624, with 1,969,854,873,600 bytes (1.97 TB).
    Fewest devices for this, split by zero3: 1, with 581,494,112,256 bytes (581 GB).
    $ reckon fit vlm-784 --memory 30GB | grep -c learned
    0
    [1]
    $ reckon fit whisper-tiny --memory 30GB | grep -A 1 Longest
    Longest sequence at B = 1: U = 448, with 1,256,194,048 bytes (1.26 GB).
      The model has learned no more positions than these.

What is wrong:

    $ reckon fit gpt2
    reckon: on what? --device h100-80gb ('reckon devices' lists them), or --memory 80GB
    reckon: 'reckon help fit' says how it is used
    [2]
    $ reckon fit gpt2 --device h1000
    reckon: no device is called 'h1000'; did you mean 'h100'? ('reckon devices' lists them)
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
    reckon: --shard: 'zero4' is no way to split: zero1, zero2, zero3, tp=8, or tp=8,zero1
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
    reckon: N = 12 (heads) cannot be divided over 5 devices, but over 1, 2, 3, 4, 6, 12
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
    reckon: N = 12 (heads) cannot be divided over 8 devices, but over 1, 2, 3, 4, 6, 12: --shard tp=4 makes them groups that share layers
    [1]
    $ reckon fit gpt2 --device h100 --phase decode --devices 7
    reckon: N = 12 (heads) cannot be divided over 7 devices, but over 1, 2, 3, 4, 6, 12: --shard tp=1 has all of it on each
    [1]
    $ reckon fit starcoderbase-7b --device h100 --phase decode --devices 3
    reckon: K = 1 (key/value heads) cannot be divided over 3 devices, but over 1, 2, 4, 8, 16, 32: --shard tp=1 has all of it on each
    [1]
