A prompt: the cache, what it is for one sequence and for one token, and the peak.

    $ reckon memory llama-3.1-8b --phase prefill S=4096 --attention flash
    llama-3.1-8b: memory of reading a prompt
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Assumed: --dtype bf16 (weights, cache), --attention sdpa; as PyTorch 2.11 with transformers 5.17.

    Alive at the peak, in the forward pass, at layers.ffn.activated:
                          bytes           share
    weights      16,060,522,496  16.1 GB  93.8%  ██████████████████████▌
    workspace        33,554,432  33.6 MB   0.2%  ▏
    cache           536,870,912   537 MB   3.1%  ▊
    temporaries     488,669,184   489 MB   2.9%  ▋
    ─────────────────────────────────────────────────────────────────────
    the peak     17,119,617,024  17.1 GB
    PyTorch's allocator makes blocks of 17,119,617,024 bytes of it and reserves about 17.5 GB, which
    nvidia-smi shows as 16,664 MiB, beside the context.
    The cache of one sequence has 537 MB, of one more token of it 131,072 bytes (131 kB).

    What would lower it, each on top of those before:
                                          the peak
    --kv-dtype fp8  an 8-bit cache  16,851,181,568  16.9 GB
    --weights int8  8-bit weights    9,877,364,736  9.88 GB
    --weights nf4   4-bit weights    6,818,406,400  6.82 GB

    --details: formulas, the cache by layers, every buffer alive.

Decoding: one new token that sees T, what a step must move, and the bound of a bandwidth.

    $ reckon memory llama-3.1-8b --phase decode B=32 T=32K --attention flash --bandwidth 3.35TB/s
    llama-3.1-8b: memory of a decoding step
    B = 32 sequences in the batch, S = 1 tokens of a sequence, T = 32,768 keys seen: cache and new
    Assumed: --dtype bf16 (weights, cache), --attention sdpa; as PyTorch 2.11 with transformers 5.17.

    Alive at the peak, in the forward pass, at layers.attention.k.rope:
                           bytes           share
    weights       16,060,522,496  16.1 GB  10.3%  ██▌
    workspace         33,554,432  33.6 MB   0.0%  ▏
    cache        139,586,437,120   140 GB  89.7%  █████████████████████▌
    temporaries        1,246,720  1.25 MB   0.0%  ▏
    ──────────────────────────────────────────────────────────────────────
    the peak     155,681,760,768   156 GB
    PyTorch's allocator makes blocks of 155,682,022,912 bytes of it and reserves about 156 GB, which
    nvidia-smi shows as 148,602 MiB, beside the context.
    The cache of one sequence has 4.29 GB, of one more token of it 131,072 bytes (131 kB); where it
    grows, one layer's is there twice.

    Memory traffic of a step of 32 new tokens, at the least:
                              bytes   share  formula
    weights, read    15,010,111,488    9.8%  (7 terms)
    cache, read     137,434,759,168   90.2%  -4BSLKH + 4BTLKH
    cache, written        4,194,304    0.0%  4BSLKH
    all together    152,449,064,960  100.0%
    4,764,033,280 bytes for each new token; 6.75 FLOPs for each byte.
    At 3.35 TB/s that is at most 21.97 steps and 703.18 tokens in a second: a bound, which activations,
    launches and the products themselves only lower.

    What would lower it, each on top of those before:
                                          the peak
    --kv-dtype fp8  an 8-bit cache  85,888,542,208  85.9 GB
    --weights int8  8-bit weights   78,914,725,376  78.9 GB
    --weights nf4   4-bit weights   75,855,767,040  75.9 GB

    --details: formulas, the cache by layers, every buffer alive.

Windows beside layers that see all; experts that several tokens are expected to visit, and one.

    $ reckon memory gpt-oss-120b --phase decode B=4 --attention flash --details | sed -n '/^The cache/,/^Alive/p'
    The cache of one sequence has 156 MB, of one more token of it 36,864 bytes (36.9 kB).

    Memory traffic of a step of 4 new tokens, at the least:
                                            bytes   share  formula
    weights without experts, read   3,096,872,064   28.2%  1158266880BS/V + 3096849024
    experts, read, as expected      7,274,214,872   66.2%
    cache, read                       622,559,232    5.7%  -72BSKH + 72BTKH + 72BKH·min(-S + T, W - 1)
    cache, written                        294,912    0.0%  72BSKH + 72BKH·min(S, W - 1)
    all together                   10,993,941,080  100.0%
    2,748,485,270 bytes for each new token; 4.18 FLOPs for each byte.
    Expected, if every expert is as likely as any other: of E experts, n tokens that visit A each visit
    E(1 - (1 - A/E)^n) different ones. Here they are 7,274,214,872 of the 60,993,699,840 bytes of all
    experts.

    What would lower it, each on top of those before:
                                          the peak
    --kv-dtype fp8  an 8-bit cache  65,730,207,232  65.7 GB

                                          bytes           formula
    weights                      65,248,815,744  65.2 GB
    cache                           622,706,688   623 MB  72BTKH + 72BKH·min(T, W - 1)
        of one sequence             155,676,672   156 MB  72TKH + 72KH·min(T, W - 1)
        of one more token of it          36,864  36.9 kB  72KH
    logits                            1,608,704  1.61 MB  2BV
    workspace at the peak           169,973,248   170 MB
    the peak                     66,041,560,576  66.0 GB

    peak = 6BSD + 2BSNH + 2BTNH + 2BSTN + 2BSN + 72BTKH + 72BKH·min(T, W - 1) + 8BS + 4S·⌈H/2⌉
             + 65282370176
         = 66,041,494,304   and 66,272 that the allocator rounds up

    The cache:
                                layers      tokens        each  times        bytes  formula of each
    layers.attention.k  window  0,2,4,…,34     127     520,192     18    9,363,456  2BKH·min(T, W - 1)
    layers.attention.v  window  0,2,4,…,34     127     520,192     18    9,363,456  2BKH·min(T, W - 1)
    layers.attention.k          1,3,5,…,35   4,096  16,777,216     18  301,989,888  2BTKH
    layers.attention.v          1,3,5,…,35   4,096  16,777,216     18  301,989,888  2BTKH

    Alive at the peak:
    $ reckon memory gpt-oss-120b --phase decode --attention flash --details | sed -n '/^Memory traffic/,/^Alive/p'
    Memory traffic of a step of 1 new token, at the least:
                                           bytes   share  formula
    weights without experts, read  3,096,854,784   60.0%  1158266880BS/V + 3096849024
    experts, read                  1,906,053,120   36.9%
    cache, read                      155,639,808    3.0%  -72BSKH + 72BTKH + 72BKH·min(-S + T, W - 1)
    cache, written                        73,728    0.0%  72BSKH + 72BKH·min(S, W - 1)
    all together                   5,158,621,440  100.0%
    5,158,621,440 bytes for each new token; 2.23 FLOPs for each byte.

    What would lower it, each on top of those before:
                                          the peak
    --kv-dtype fp8  an 8-bit cache  65,394,380,800  65.4 GB

                                          bytes           formula
    weights                      65,248,815,744  65.2 GB
    cache                           155,676,672   156 MB  72BTKH + 72BKH·min(T, W - 1)
        of one sequence             155,676,672   156 MB  72TKH + 72KH·min(T, W - 1)
        of one more token of it          36,864  36.9 kB  72KH
    logits                              402,176   402 kB  2BV
    workspace at the peak            67,661,824  67.7 MB
    the peak                     65,472,219,136  65.5 GB

    peak = 6BSD + 2BSNH + 2BTNH + 2BSTN + 2BSN + 72BTKH + 72BKH·min(T, W - 1) + 8BS + 4S·⌈H/2⌉
             + 65282370176
         = 65,472,151,304   and 67,832 that the allocator rounds up

    The cache:
                                layers      tokens       each  times       bytes  formula of each
    layers.attention.k  window  0,2,4,…,34     127    130,048     18   2,340,864  2BKH·min(T, W - 1)
    layers.attention.v  window  0,2,4,…,34     127    130,048     18   2,340,864  2BKH·min(T, W - 1)
    layers.attention.k          1,3,5,…,35   4,096  4,194,304     18  75,497,472  2BTKH
    layers.attention.v          1,3,5,…,35   4,096  4,194,304     18  75,497,472  2BTKH

    Alive at the peak:

States beside keys and values.

    $ reckon memory nemotron-h-56b-base-8k --phase decode --attention flash --details | sed -n '/^The cache/,/^Memory traffic/p'
    The cache of one sequence has 1.08 GB, of one more token of it 40,960 bytes (41.0 kB).

    Memory traffic of a step of 1 new token, at the least:
    The cache:
                                layers         tokens        each  times        bytes  formula of each
    layers.mamba.xbc     state  0,2,4,…,116         4     163,840     54    8,847,360  2BnPJ + 4BgZJ
    layers.mamba.states  state  0,2,4,…,116         1  16,777,216     54  905,969,664  4BnPZ
    layers.attention.k          7,18,29,…,106   4,096   8,388,608     10   83,886,080  2BTKH
    layers.attention.v          7,18,29,…,106   4,096   8,388,608     10   83,886,080  2BTKH

    Alive at the peak:
                                                     each  times            bytes  formula of each
    weights                               112,648,700,928      1  112,648,700,928
    workspace                                  33,554,432      1       33,554,432
    ids                                               512      1              512  8BS
    embed.x                                        16,384      1           16,384  2BSD
    layers.mamba.normed.mul                        16,384      1           16,384  2BSD
    layers.mamba.projected                         74,240      1           74,240  4BSnP + 2BSn + 4BSgZ
    layers.mamba.d_residual                     8,388,608      1        8,388,608  512BnP·⌈S/128⌉
    layers.mamba.dt_u.view                      8,388,608      1        8,388,608  512BnP·⌈S/128⌉
    layers.mamba.ssm_b_heads.view              33,554,432      1       33,554,432  512BnZ·⌈S/128⌉
    layers.mamba.ssm_c_heads.view              33,554,432      1       33,554,432  512BnZ·⌈S/128⌉
    layers.mamba.dt_a_cumsum                      131,072      1          131,072  512Bn·⌈S/128⌉
    layers.mamba.decay_mask.exp                16,777,216      1       16,777,216  65536Bn·⌈S/128⌉
    layers.mamba.scores.mul                 4,294,967,296      1    4,294,967,296  65536BnZ·⌈S/128⌉
    layers.mamba.scores.sum                    16,777,216      1       16,777,216  65536Bn·⌈S/128⌉
    layers.ffn.x                                   16,384      1           16,384  2BSD
    layers.mamba.xbc               cache          163,840     54        8,847,360  2BnPJ + 4BgZJ
    layers.mamba.states            cache       16,777,216     54      905,969,664  4BnPZ
    layers.attention.k             cache        8,388,608     10       83,886,080  2BTKH
    layers.attention.v             cache        8,388,608     10       83,886,080  2BTKH
    (no room here for: what it is, and its shape)

What an encoder made is read from the cache, and its weights are not.

    $ reckon memory whisper-small --phase decode --attention flash --details | sed -n '/^The cache/,/^Alive/p'
    The cache of one sequence has 144 MB, of one more token of it 73,728 bytes (73.7 kB); where it
    grows, one layer's is there twice.

    Memory traffic of a step of 1 new token, at the least:
                          bytes   share  formula
    weights, read   556,290,048   79.5%  (7 terms)
    cache, read     143,548,416   20.5%  8BLDA - 8BULD + 8BTLD
    cache, written       73,728    0.0%  8BULD
    all together    699,912,192  100.0%
    699,912,192 bytes for each new token; 0.49 FLOPs for each byte.

    What would lower it, each on top of those before:
                                         the peak
    --kv-dtype fp8  an 8-bit cache  1,036,771,840  1.04 GB
    --weights int8  8-bit weights     443,040,256   443 MB
    --weights nf4   4-bit weights     355,525,120   356 MB

                                         bytes           formula
    weights                        966,939,648   967 MB  (14 terms)
    cache                          143,622,144   144 MB  8BLDA + 8BTLD
        of one sequence            143,622,144   144 MB  8LDA + 8TLD
        of one more token of it         73,728  73.7 kB  8LD
    logits                             207,460   207 kB  4BV
    workspace at the peak           33,582,592  33.6 MB
    the peak                     1,145,520,640  1.15 GB

    peak = 16·Le·D² + 32LD² + 12D² + 8·Le·D·Fe + 32·Le·D + 4·Le·Fe + 8BLDA + 8BTLD + 8LDF + 52LD + 4LF
             + 36BUD + 4BTD + 4DV + 12DM + 4DA + 4DC + 24D + 8BU + 33554432
         = 1,145,520,136   and 504 that the allocator rounds up

    The cache:
                                           tokens       each  times       bytes  formula of each
    decoder.layers.attention.k                448  1,376,256     12  16,515,072  4BTD
    decoder.layers.attention.v                448  1,376,256     12  16,515,072  4BTD
    decoder.layers.cross.k      made once   1,500  4,608,000     12  55,296,000  4BDA
    decoder.layers.cross.v      made once   1,500  4,608,000     12  55,296,000  4BDA

    Alive at the peak:

The cache of a multi-latent model in one byte a number; its weights as the checkpoint stores them.

    $ reckon memory deepseek-v3 --phase prefill S=4K --kv-dtype fp8 --attention flash --experts grouped --details | sed -n '1,15p'
    deepseek-v3: memory of reading a prompt
    Published files hold one more layer, which predicts the token after next; it is not counted, as the
    reference implementation leaves it out (mtp=with counts it).
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Assumed: --dtype bf16 (weights), --kv-dtype fp8, --attention sdpa, --experts grouped; as PyTorch
    2.11 with transformers 5.17.
    Weights are stored as in the quantised checkpoint (fp8), in 673,150,552,416 bytes.

    Alive at the peak, in the forward pass, at layers.ffn.expert_outputs:
                           bytes           share
    weights      673,150,601,216   673 GB  99.5%  ███████████████████████▉
    workspace         33,554,432  33.6 MB   0.0%  ▏
    cache            143,917,056   144 MB   0.0%  ▏
    temporaries    3,054,796,800  3.05 GB   0.5%  ▏
    ──────────────────────────────────────────────────────────────────────

Weights and cache in blocks that carry their scales.

    $ reckon memory llama-3.1-8b --phase decode --weights q4_0 --kv-dtype q8_0 --attention flash --details | sed -n '1,12p'
    llama-3.1-8b: memory of a decoding step
    B = 1 sequences in the batch, S = 1 tokens of a sequence, T = 4,096 keys seen: cache and new
    Assumed: --dtype bf16 (weights), --weights q4_0, --kv-dtype q8_0, --attention sdpa; as PyTorch 2.11
    with transformers 5.17.
    Linear layers and experts are stored as q4_0, other weights in 2 bytes.

    Alive at the peak, in the forward pass, at layers.attention.k.rope:
                         bytes           share
    weights      6,027,747,328  6.03 GB  94.9%  ██████████████████████▊
    workspace       33,554,432  33.6 MB   0.5%  ▏
    cache          289,669,120   290 MB   4.6%  █▏
    temporaries         40,448  40.4 kB   0.0%  ▏
    $ reckon memory llama-3.1-8b --phase decode --weights nf4 --format json | head -n 24
    {
      "version": 1,
      "model": "llama-3.1-8b",
      "symbols": {"L": 32, "D": 4096, "V": 128256, "N": 32, "K": 8, "G": 4, "H": 128, "F": 14336, "B": 1, "S": 1, "T": 4096},
      "profile": {"name": "torch", "phase": "decode", "bytes_per_number": 2, "autocast": null, "attention": "sdpa", "recompute": "none", "optimizer": "adamw", "master_bytes": 0, "gradient_bytes": 2, "accumulate": 1, "fp8_products": false, "loss": true, "loss_way": "ce", "dropout": "0", "rounding": 512, "workspace": 33554432},
      "parameters": 6027747328,
      "trained": 8030261248,
      "gradients": 0,
      "optimizer": 0,
      "saved": 0,
      "saved_formula": "0",
      "kv_cache": 536870912,
      "peak": 6606601728,
      "per_sequence": 536870912,
      "per_token": 131072,
      "logits": 256512,
      "workspace": 33594880,
      "weights_held_as": "nf4",
      "read_per_token": 5513822208,
      "step": {"tokens": 1, "flops": 17156800512, "weights_read": {"bytes": 4977082368, "formula": "4LD + 12L·⌈DF/64⌉ + 3L·⌈DF/2⌉ + 8L·⌈D²/64⌉ + 2L·⌈D²/2⌉ + 8L·⌈D²K/(64N)⌉ + 2L·⌈D²K/(2N)⌉ + 2BSD + 2DV + 2D"}, "experts": 0, "experts_read": 0, "experts_expected": false, "cache_read": {"bytes": 536739840, "formula": "-4BSLKH + 4BTLKH"}, "cache_written": {"bytes": 131072, "formula": "4BSLKH"}, "moved": 5513953280},
      "first_step": {"forward": 0, "backward": 0, "optimizer": 0},
      "allocator": {"requested": 6606608904, "allocated": 6656941568, "reserved": 6889144320},
      "saved_for": [],
      "moments": [

An image is read with the prompt.

    $ reckon memory llava-1.5-7b --phase decode T=1024 --attention flash --details | sed -n '/^Memory traffic/,/^Alive/p'
    Memory traffic of a step of 1 new token, at the least:
                             bytes   share  formula
    weights, read   13,215,219,712   96.1%  8LD² + 6LDF + 4LD + 2BSD + 2DV + 2D
    cache, read        536,346,624    3.9%  -4BSLD + 4BTLD
    cache, written         524,288    0.0%  4BSLD
    all together    13,752,090,624  100.0%
    13,752,090,624 bytes for each new token; 0.99 FLOPs for each byte.

    What would lower it, each on top of those before:
                                          the peak
    --kv-dtype fp8  an 8-bit cache  14,433,080,832  14.4 GB
    --weights int8  8-bit weights    7,657,231,872  7.66 GB
    --weights nf4   4-bit weights    4,683,683,328  4.68 GB

                                          bytes           formula
    weights                      14,126,854,144  14.1 GB  (14 terms)
    cache                           536,870,912   537 MB  4BTLD
        of one sequence             536,870,912   537 MB  4TLD
        of one more token of it         524,288   524 kB  4LD
    logits                               64,128  64.1 kB  2BV
    workspace at the peak            33,596,928  33.6 MB
    the peak                     14,705,710,592  14.7 GB

    peak = 8·Lv·Dv² + 2·Dv·p²·c + 8LD² + 2D² + 2·Dv·⌊336/p⌋² + 4·Lv·Dv·Fv + 18·Lv·Dv + 2·Lv·Fv
             + 2·Dv·n·D + 12·Dv + 4BTLD + 6LDF + 4LD + 10BSD + 2BTD + 4DV + 6D + 8BS + 8S·⌈D/(2N)⌉
             + 33554432
         = 14,705,709,576   and 1,016 that the allocator rounds up

    The cache:
                             tokens       each  times        bytes  formula of each
    text.layers.attention.k   1,024  8,388,608     32  268,435,456  2BTD
    text.layers.attention.v   1,024  8,388,608     32  268,435,456  2BTD

    Alive at the peak:
    $ reckon memory llava-1.5-7b --phase prefill S=100
    models/llava.rk:47:19: models/named/llava-1.5-7b.json: this must hold, but A = 576, S = 100, T = 100, bare = false
        check N % K == 0, A <= S or T - S > 0 or bare, J <= Lv, n <= 4, Dv % Nv == 0
                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^
    [1]

What cannot be.

    $ reckon memory llama-3.1-8b --phase prefill S=1024 T=512
    reckon: T = 512 keys cannot be seen by S = 1,024 new tokens: T counts the cache and what is new
    [1]
    $ reckon memory llama-3.1-8b --phase decode S=8 T=4
    reckon: T = 4 keys cannot be seen by S = 8 new tokens: T counts the cache and what is new
    [1]
    $ reckon memory bert-base-uncased --phase decode
    reckon: bert-base-uncased keeps nothing from token to token: there is no decoding
    [1]
    $ reckon memory smollm2-135m --phase decode --weights q4_k
    reckon: model.layers.{i}.self_attn.q_proj.weight cannot be stored as q4_k: its rows have 576 numbers, and a block 256
    [1]
    $ reckon memory phi-2 --phase decode --kv-dtype q4_0 | head -n 2
    reckon: the cache cannot be stored as q4_0: a row of layers.attention.k has 80 numbers, and a block 32; int8 and fp8 have no blocks
    $ reckon memory gpt2 --phase decode T=4096 | head -n 5
    gpt2: memory of a decoding step
    B = 1 sequences in the batch, S = 1 tokens of a sequence, T = 4,096 keys seen: cache and new
    T = 4,096 is beyond the context of 1,024 tokens that the config gives.
    Assumed: --dtype fp32 (weights, cache), --attention sdpa; as PyTorch 2.11 with transformers 5.17.
    $ reckon memory gpt2 --weights nf4
    reckon: transformer.h.{i}.attn.c_attn.weight is trained, and cannot be while it is stored as nf4: --lora or --freeze leaves it alone
    [1]
    $ reckon memory gpt2 --kv-dtype fp8
    reckon: --kv-dtype is about a cache, which training has none of: add --phase decode
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --phase prefill --bandwidth 1TB/s
    reckon: --bandwidth is about decoding: add --phase decode
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --phase decode --bandwidth fast
    reckon: --bandwidth: 'fast' is no number of bytes in a second, such as 3.35TB/s
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --phase decode --bandwidth 0.5B/s
    reckon: --bandwidth: '0.5B/s' is no number of bytes in a second, such as 3.35TB/s
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --phase decode --optimizer sgd
    reckon: --optimizer: this is of a training step (--phase train)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --phase decode B=9223372036854775807 T=9223372036854775807
    reckon: ids has more than 2^56 elements: no memory holds that
    [1]
    $ reckon memory gpt2 T=2K
    reckon: T is what a step sees with its cache, which training has none of: set S, or add --phase decode
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --attention flash --phase decode T=9223372036854775807
    reckon: a tensor of more than 2^63 elements
    [1]
    $ reckon memory deepseek-v4-flash --phase decode
    reckon: the bytes of this quantised checkpoint are not known: its scale_fmt does not say how scales are stored; --weights says a type
    [1]

One token after others: the delta rule goes by steps, not by a padded chunk; a window's cache has let go of older keys; the
image has been read before.

    $ reckon flops qwen3-next-80b-a3b-thinking S=1 T=4096 | grep '^total'
    total                                        7,934,771,200  15,869,542,400  100.0%
    $ reckon flops qwen3-next-80b-a3b-thinking S=1 | grep '^total'
    total                                        18,006,016,000  26,348,355,584  100.0%
    $ reckon flops gemma3_text S=1 T=100000 | grep 'scores\|^total'
        scores                22     16,777,216    369,098,752     738,197,504    4.0%  2BSNH·min(W, S
        scores                 4    409,600,000  1,638,400,000   3,276,800,000   17.7%  2BSTNH
    total                                        9,271,803,904  18,543,607,808  100.0%
    $ reckon flops paligemma-3b-pt-224 S=1 T=300 | grep -c '^image'
    0
    [1]

What a layer's later parts are given lives until they are done: in Phi the norm that attention and the FFN both read. On an
H200 PyTorch measured 9,039,727,616 and 12,690,492,928 bytes.

    $ for run in 'B=8 S=1000' 'B=33 S=500'; do reckon memory $TOP/tests/golden/alloc/phi-2.config.json $run --phase prefill --dtype bf16 --attention flash --format json | grep -o '"allocated": [0-9]*'; done
    "allocated": 9039717888
    "allocated": 12690487296

The batch that is found is that of the step's operations, too: the same as if it had been given.

    $ reckon memory gpt2 --phase decode --within 20GB T=1024 --format json | grep -o '"tokens": [0-9]*, "flops": [0-9]*'
    "tokens": 247, "flops": 70348761600
    $ reckon memory gpt2 --phase decode B=247 T=1024 --format json | grep -o '"tokens": [0-9]*, "flops": [0-9]*'
    "tokens": 247, "flops": 70348761600
