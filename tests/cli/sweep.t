Quantities over a range of numbers: a table, and a chart below it.

    $ reckon sweep cs336-xl S=1K..64K:x2 --of flops --by component
    cs336-xl: forward FLOPs over S
    flops: of a forward pass
    B = 1 sequences in the batch
    S > 1,024 is beyond the context that the config gives.

         S                  flops   growth  attention.projections  attention.products     ffn   head
     1,024      4,513,336,524,800    ×1.00                 22.30%               7.14%  66.91%  3.65%
     2,048      9,670,918,144,000    ×2.14                 20.82%              13.32%  62.45%  3.41%
     4,096     21,918,816,665,600    ×4.86                 18.37%              23.51%  55.11%  3.01%
     8,192     54,145,554,841,600   ×12.00                 14.87%              38.07%  44.62%  2.43%
    16,384    149,522,795,724,800   ×33.13                 10.77%              55.15%  32.32%  1.76%
    32,768    463,972,335,616,000  ×102.80                  6.94%              71.09%  20.83%  1.14%
    65,536  1,587,651,647,897,600  ×351.77                  4.06%              83.10%  12.17%  0.66%

      S  forward FLOPs
     1K  ████████ 22% ████████░ 7% ░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ 67% ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▒▒▒
     2K  ███████ 21% ████████░░░ 13% ░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ 62% ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▒▒▒
     4K  ██████ 18% ██████░░░░░░░░░ 24% ░░░░░░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ 55% ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▒▒▒
     8K  ████ 15% █████░░░░░░░░░░░░░░░ 38% ░░░░░░░░░░░░░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ 45% ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▒▒
    16K  ██ 11% ███░░░░░░░░░░░░░░░░░░░░░░░░ 55% ░░░░░░░░░░░░░░░░░░░░░░░░▓▓▓▓▓▓▓▓▓▓▓▓ 32% ▓▓▓▓▓▓▓▓▓▓▓▓▓▒▒
    32K  █ 7% ██░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 71% ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░▓▓▓▓▓▓▓ 21% ▓▓▓▓▓▓▓▓▒
    64K   4% ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 83% ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░▓▓▓ 12% ▓▓▓▒
    █ attention.projections  ░ attention.products  ▓ ffn  ▒ head
    $ COLUMNS=80 reckon sweep cs336-xl S=1K,16K --by component
    cs336-xl: forward FLOPs over S
    flops: of a forward pass
    B = 1 sequences in the batch
    S > 1,024 is beyond the context that the config gives.

         S       flops  attention.projections  attention.products     ffn   head
     1,024  4.51 TFLOP                 22.30%               7.14%  66.91%  3.65%
    16,384   150 TFLOP                 10.77%              55.15%  32.32%  1.76%
    (no room here for: growth)

      S  forward FLOPs
     1K  ██████ 22% ██████ 7% ░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ 67% ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▒▒▒
    16K  █ 11% ██░░░░░░░░░░░░░░░░░░ 55% ░░░░░░░░░░░░░░░░░░▓▓▓▓▓▓▓▓▓▓ 32% ▓▓▓▓▓▓▓▓▓▓▒
    █ attention.projections  ░ attention.products  ▓ ffn  ▒ head
    $ reckon sweep gpt2-xl S=256..4K:x2 --of flops,flops.step
    gpt2-xl over S
    flops: of a forward pass
    flops.step: forward and backward
    B = 1 sequences in the batch
    S > 1,024 is beyond the context that the config gives.

        S               flops                      flops.step
      256     816,277,913,600   816 GFLOP   2,448,833,740,800  2.45 TFLOP
      512   1,672,821,145,600  1.67 TFLOP   5,018,463,436,800  5.02 TFLOP
    1,024   3,506,703,564,800  3.51 TFLOP  10,520,110,694,400  10.5 TFLOP
    2,048   7,657,652,224,000  7.66 TFLOP  22,972,956,672,000  23.0 TFLOP
    4,096  17,892,284,825,600  17.9 TFLOP  53,676,854,476,800  53.7 TFLOP

    FLOPs
    60 TFLOP ┤
             │                                                                            ■ ■ flops.step
             │                                                                          ⡠⠊
             │                                                                       ⢀⠔⠉
             │                                                                     ⡠⠒⠁
    40 TFLOP ┤                                                                  ⢀⠤⠊
             │                                                                ⡠⠔⠁
             │                                                              ⣀⠔⠁
             │                                                            ⡠⠊
             │                                                         ■⠔⠉
    20 TFLOP ┤                                                   ⣀⡠⠤⠒⠊⠉
             │                                             ⣀⡠⠤⠒⠊⠉                    ⣀⡠⠤⠔⠒● ● flops
             │                                       ⣀⡠⠤⠒⠊⠉                   ⣀⡠⠤⠒⠒⠉⠉
             │                           ⣀⣀⣀⠤⠤⠤⠔⠒⠒⠒⠉■                ⢀⣀●⡠⠤⠔⠒⠉⠉
             │       ⣀⣀⣀⣀⣀⣀⡠⠤⠤⠤⠤⠤■⠒⠒⠒⠊⠉⠉⠉          ⣀●⣀⣀⣀⠤⠤⠤⠤⠔⠒⠒⠒⠒⠉⠉⠉⠉⠁
           0 ┤●⠭⠭⠭⠭⠭⠭⠤⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒●⠒⠒⠒⠒⠒⠒⠒⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
             └┬──────────────────┬──────────────────┬──────────────────┬──────────────────┬
             256                512                1K                 2K                 4K
                                        S (tokens of a sequence)

A grid of two symbols:

    $ reckon sweep llama-3.1-8b B=1,2,4,8 S=2K,8K,32K --of memory.peak --dtype bf16
    llama-3.1-8b: peak memory over B and S
    memory.peak: the most bytes that a step has at any moment
    Assumed: --dtype bf16 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.

    B       S        memory.peak           growth
    1   2,048     65,156,630,016  65.2 GB   ×1.00
    1   8,192    115,879,994,880   116 GB   ×1.78
    1  32,768    318,773,454,336   319 GB   ×4.89
    2   2,048     82,063,369,728  82.1 GB   ×1.26
    2   8,192    183,506,953,728   184 GB   ×2.82
    2  32,768    589,281,289,728   589 GB   ×9.04
    4   2,048    115,876,849,152   116 GB   ×1.78
    4   8,192    318,760,871,424   319 GB   ×4.89
    4  32,768  1,130,296,960,512  1.13 TB  ×17.35
    8   2,048    183,503,808,000   184 GB   ×2.82
    8   8,192    589,268,706,816   589 GB   ×9.04
    8  32,768  2,212,328,302,080  2.21 TB  ×33.95

    peak memory, across: S (tokens of a sequence), down: B (sequences in the batch)
                 2K        8K       32K
    B = 1 65.2 GB ▁  116 GB ▁  319 GB ▂
    B = 2 82.1 GB ▁  184 GB ▁  589 GB ▂
    B = 4  116 GB ▁  319 GB ▂ 1.13 TB ▄
    B = 8  184 GB ▁  589 GB ▂ 2.21 TB █
    $ reckon sweep gpt2-xl B=1,2 S=512,1K --of memory.peak,memory.saved --dtype bf16 --attention flash
    gpt2-xl over B and S
    memory.peak: the most bytes that a step has at any moment
    memory.saved: bytes saved for the backward pass
    Assumed: --dtype bf16 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.

    B      S     memory.peak            memory.saved
    1    512  12,903,369,216  12.9 GB  2,311,080,716  2.31 GB
    1  1,024  14,550,085,632  14.6 GB  4,622,160,652  4.62 GB
    2    512  14,550,081,536  14.6 GB  4,622,156,548  4.62 GB
    2  1,024  19,686,860,800  19.7 GB  9,244,312,324  9.24 GB

On narrow paper figures are rounded, and stand once:

    $ COLUMNS=80 reckon sweep llama-3.1-8b S=1K,2K --of memory.peak,memory.saved,memory.weights --dtype bf16 | sed -n '7,9p'
    --attention sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with
    transformers 5.17.

Shares, intensities, parts; symbols of the model:

    $ reckon sweep llama-3.1-8b S=1,4K --of share:products,intensity,flops:ffn --dtype bf16
    llama-3.1-8b over S
    B = 1 sequences in the batch

        S  share:products  intensity           flops:ffn
        1           0.00%   0.999624      11,274,289,152  11.3 GFLOP
    4,096          12.52%    644.882  46,179,488,366,592  46.2 TFLOP
    $ reckon sweep gpt2-xl L=12,48 D=1600 --of params,params:embed
    gpt2-xl over L
    params: parameters, tied tensors once
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

     L         params  params:embed
    12    450,942,400    82,049,600
    48  1,557,611,200    82,049,600

      2 G ┤
          │
          │
          │                                                                          ⢀⣀⡠● ● params
    1.5 G ┤                                                                 ⢀⣀⡠⠤⠤⠒⠒⠉⠉⠁
          │                                                        ⢀⣀⡠⠤⠤⠒⠒⠉⠉⠁
          │                                               ⢀⣀⣀⠤⠤⠒⠒⠊⠉⠁
          │                                      ⢀⣀⣀⠤⠤⠒⠒⠊⠉⠁
      1 G ┤                              ⣀⣀⠤⠤⠔⠒⠊⠉⠁
          │                     ⣀⣀⠤⠤⠔⠒⠊⠉⠉
          │            ⣀⣀⠤⠤⠔⠒⠊⠉⠉
    0.5 G ┤   ⣀⣀⡠⠤⠔⠒⠒⠉⠉
          │●⠉⠉
          │
          │
        0 ┤■⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉■ ■ params:embed
          └┬────────────────────────────────────────────────────────────────────────────┬
          12                                                                           48
                                             L (layers)
    $ reckon sweep whisper-tiny B=1,2 --by component
    whisper-tiny: forward FLOPs over B
    flops: of a forward pass
    U = 448 tokens of the text

                                                   B = 1            B = 2
    front                                          2.64%            2.64%
    encoder.layers.attention.projections           9.96%            9.96%
    encoder.layers.attention.products             19.45%           19.45%
    encoder.layers.ffn                            19.91%           19.91%
    decoder.layers.attention.projections           2.97%            2.97%
    decoder.layers.attention.products              1.73%            1.73%
    layers.cross.projections                       6.47%            6.47%
    layers.cross.products                          5.81%            5.81%
    decoder.layers.ffn                             5.95%            5.95%
    head                                          25.10%           25.10%
    ─────────────────────────────────────────────────────────────────────
    flops                                 71,082,196,992  142,164,393,984

    B  forward FLOPs
    1  ██ 10% ███░░░░░░░ 19% ░░░░░░░▓▓▓▓▓▓▓ 20% ▓▓▓▓▓▓▓▒ 6% ▒╱ 6% ╱╳ 6% ╳╌╌╌╌╌╌╌╌╌ 25% ╌╌╌╌╌╌╌╌╌╌· 7% ··
    2  ██ 10% ███░░░░░░░ 19% ░░░░░░░▓▓▓▓▓▓▓ 20% ▓▓▓▓▓▓▓▒ 6% ▒╱ 6% ╱╳ 6% ╳╌╌╌╌╌╌╌╌╌ 25% ╌╌╌╌╌╌╌╌╌╌· 7% ··
    █ encoder.layers.attention.projections  ░ encoder.layers.attention.products  ▓ encoder.layers.ffn
    ▒ layers.cross.projections  ╱ layers.cross.products  ╳ decoder.layers.ffn  ╌ head  · others (3)
    $ reckon sweep gpt2-xl B=1,2 --of memory --by component --format md
    # gpt2-xl: peak memory over B

    memory: the most bytes that a step has at any moment

    S = 1,024 tokens of a sequence

    *Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.*

    | B | memory | growth | weights | gradients | optimizer | saved | cache |
    |---:|---:|---:|---:|---:|---:|---:|---:|
    | 1 | 28,409,134,080 | ×1.00 | 6.23 GB | 6.23 GB | 12.5 GB | 9.03 GB | 0 B |
    | 2 | 38,059,408,384 | ×1.34 | 6.23 GB | 6.23 GB | 12.5 GB | 18.1 GB | 0 B |
    $ reckon sweep llama-3.1-8b T=1K..128K:x8 B=1 --of cache,cache/weights --phase decode
    llama-3.1-8b over T
    cache: bytes of the key/value cache and of states
    B = 1 sequences in the batch, S = 1 tokens of a sequence
    Assumed: --dtype bf16 (weights, cache), --attention sdpa; as PyTorch 2.11 with transformers 5.17.

         T          cache           cache/weights
     1,024    134,217,728   134 MB          0.84%
     8,192  1,073,741,824  1.07 GB          6.69%
    65,536  8,589,934,592  8.59 GB         53.48%

A line of zeros is a word below the chart, whose axis has the others alone:

    $ reckon sweep llama-3.1-8b S=1K..128K:x2 --of memory.peak,memory.saved,memory.cache --dtype bf16 | sed -n '/^bytes/,$p'
    bytes
           │
           │                                                                          ⢀⣀● ● memory.peak
      1 TB ┤                                                                    ⣀⡠⠤⠒⣊⡩⠥⠒■ ■ memory.saved
           │                                                             ⣀⣀⠤⠔●⣊⡩⠤⠒⠊⠉
           │                                                      ●⣀⠤⠤⠒⢊⣉⡠⠤⠒⠊■
           │                                               ⣀⡠⠤⠔⠒⠊⢉■⠤⠔⠒⠉⠁
           │                                      ⢀⣀⡠⠤⠤●⠒⠉⠉⢀⣀⠤⠔⠒⠉⠁
    100 GB ┤                            ⢀⣀⣀⡠⠤●⠔⠒⠊⠉⠉  ⢀⣀■⠔⠒⠉⠁
           │             ⢀⣀⣀⣀⣀⠤⠤⠤⠤●⠒⠒⠊⠉⠉⠁       ⣀⡠⠴⠒⠉⠁
           │●⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉●⠉⠁                ⣀⡠⠤■⠊⠉
           │                        ⣀⡠⠤⠒⠊⠉
           │                  ⣀⡠⠤⠒■⠉
           │            ⣀⡠⠤⠒⠊⠉
     10 GB ┤      ⣀⡠⠤⠒⠊■
           │■⡠⠤⠒⠊⠉
           │
           └┬──────────┬──────────┬──────────┬─────────┬──────────┬──────────┬──────────┬
           1K         2K         4K         8K        16K        32K        64K       128K
                                      S (tokens of a sequence)
    (memory.cache is 0)

Every length may vary, reading a prompt or decoding; T counts the cache and what is new:

    $ reckon sweep llama-3.1-8b --phase decode S=1,2 --of memory.peak | sed -n '3,7p'
    B = 1 sequences in the batch, T = 4,096 keys seen: cache and new
    Assumed: --dtype bf16 (weights, cache), --attention sdpa; as PyTorch 2.11 with transformers 5.17.

    S     memory.peak           growth
    1  16,639,376,896  16.6 GB   ×1.00
    $ reckon memory llama-3.1-8b --phase decode S=2 --details | grep '^the peak'
    the peak     16,639,415,808  16.6 GB
    the peak                     16,639,415,808  16.6 GB
    $ reckon sweep llama-3.1-8b --phase decode S=1,2 T=2,8K B=1,3 --of memory.peak,memory.cache --format csv
    S,T,B,memory.peak,memory.cache
    1,2,1,16094621184,262144
    1,2,3,16095707648,786432
    1,8192,1,17184636416,1073741824
    1,8192,3,19365752320,3221225472
    2,2,1,16094645760,262144
    2,2,3,16095781376,786432
    2,8192,1,17184675328,1073741824
    2,8192,3,19365869056,3221225472
    $ reckon memory llama-3.1-8b --phase decode S=2 T=8K B=3 --details | grep -e '^the peak' -e '^cache'
    cache         3,271,557,120  3.27 GB  16.9%  ████
    the peak     19,365,869,056  19.4 GB
    cache, read      3,220,439,040   17.7%  -4BSLKH + 4BTLKH
    cache, written         786,432    0.0%  4BSLKH
    cache                         3,221,225,472  3.22 GB  4BTLKH
    the peak                     19,365,869,056  19.4 GB
    $ reckon sweep llama-3.1-8b --phase prefill S=1,4K B=1,2 --of memory.peak,memory.cache --format csv
    S,B,memory.peak,memory.cache
    1,1,16094490112,131072
    1,2,16094902272,262144
    4096,1,17119617024,536870912
    4096,2,18143059968,1073741824
    $ reckon memory llama-3.1-8b --phase prefill B=2 --details | grep -e '^the peak' -e '^cache'
    cache         1,073,741,824  1.07 GB   5.9%  █▍
    the peak     18,143,059,968  18.1 GB
    cache                         1,073,741,824  1.07 GB  4BTLKH
    the peak                     18,143,059,968  18.1 GB
    $ reckon sweep llama-3.1-8b --phase prefill T=4K,8K --of memory.peak --format csv
    T,memory.peak
    4096,17119617024
    8192,17656487936
    $ reckon memory llama-3.1-8b --phase prefill T=8K --details | grep '^the peak'
    the peak     17,656,487,936  17.7 GB
    the peak                     17,656,487,936  17.7 GB
    $ reckon sweep bart-large --phase decode U=1,2 S=100,1K --of memory.peak,memory.cache --format csv
    U,S,memory.peak,memory.cache
    1,100,1773425152,110493696
    1,1024,1864258048,201326592
    2,100,1773441536,110493696
    2,1024,1864274432,201326592
    $ reckon memory bart-large --phase decode U=2 S=100 --details | grep -e '^the peak' -e '^cache'
    cache          114,688,000   115 MB   6.5%  █▌
    the peak     1,773,441,536  1.77 GB
    cache, read     110,297,088   13.5%  8BSLD - 8BULD + 8BTLD
    cache, written      196,608    0.0%  8BULD
    cache                          110,493,696   110 MB  8BSLD + 8BTLD
    the peak                     1,773,441,536  1.77 GB
    $ reckon sweep llama-3.1-8b --phase decode S=4K,8K --of memory.peak
    reckon: at S = 8,192: T = 4,096 keys cannot be seen by S = 8,192 new tokens: T counts the cache and what is new
    [1]
    $ reckon sweep llama-3.1-8b --phase prefill T=1K,2K --of memory.peak
    reckon: T = 1,024 keys cannot be seen by S = 4,096 new tokens: T counts the cache and what is new
    [1]
    $ reckon sweep bert-base-uncased --phase decode S=1,2 --of memory.peak
    reckon: bert-base-uncased keeps nothing from token to token: there is no decoding
    [1]

For programs:

    $ reckon sweep gpt2-xl B=1,2 S=1K,2K --format csv
    B,S,flops
    1,1024,3506703564800
    1,2048,7657652224000
    2,1024,7013407129600
    2,2048,15315304448000
    $ reckon sweep gpt2-xl S=1K..4K:x2 --of flops,intensity --format json
    {
      "version": 1,
      "model": "gpt2-xl",
      "symbols": {"B": 1},
      "over": ["S"],
      "quantities": [
        {"name": "flops", "unit": "FLOP"},
        {"name": "intensity", "unit": "per"}
      ],
      "rows": [
        {"S": 1024, "flops": 3506703564800, "intensity": 153.869757231},
        {"S": 2048, "flops": 7657652224000, "intensity": 128.715336669},
        {"S": 4096, "flops": 17892284825600, "intensity": 92.563884375}
      ]
    }
    $ reckon sweep gpt2-xl S=1,2,4..8:+2,16..64:x2 --format csv
    S,flops
    1,3110249600
    2,6221113600
    4,12444684800
    6,18670713600
    8,24899200000
    16,49837721600
    32,99832729600
    64,200294604800

What is wrong is said:

    $ reckon sweep gpt2-xl
    reckon: which numbers? A sweep has a range, such as S=1K..64K:x2, or a list: B=1,2,4
    reckon: 'reckon help sweep' says how it is used
    [2]
    $ reckon sweep gpt2-xl S=1024
    reckon: which numbers? A sweep has a range, such as S=1K..64K:x2, or a list: B=1,2,4
    reckon: 'reckon help sweep' says how it is used
    [2]
    $ reckon sweep gpt2-xl S=64K..1K:x2
    reckon: S=64K..1K:x2: the range runs backwards: the smaller number stands first
    [1]
    $ reckon sweep gpt2 S=1..
    reckon: S=1..: a number is missing; a list is S=1K,2K,4K and a range S=1K..64K:x2
    [1]
    $ reckon sweep gpt2 S=1,2 --of flops/
    reckon: 'flops/': a quantity is missing after the /
    [1]
    $ reckon sweep gpt2 S=1..9000 --format svg
    reckon: 9,000 points are more than a picture can show: 4,096 are the most
    [1]
    $ printf 'model x: "y"\ninput x[S D\n' > wrong.rk; reckon sweep wrong.rk S=1,2
    wrong.rk:2:8: this '[' is not closed
        input x[S D
               ^
    [1]
    $ reckon compare gpt2 wrong.rk
    wrong.rk:2:8: this '[' is not closed
        input x[S D
               ^
    [1]
    $ reckon sweep gpt2 S=1M,1 | grep '^ *1 '
            1             247,100,928   247 MFLOP  ×6.1e-09
                           1   247 MFLOP
    $ reckon sweep gpt2-xl S=1,,2
    reckon: S=1,,2: a number is missing; a list is S=1K,2K,4K and a range S=1K..64K:x2
    [1]
    $ reckon sweep gpt2-xl S=1..8:x1
    reckon: S=1..8:x1: a factor of 1 never gets to the end; x2 doubles
    [1]
    $ reckon sweep gpt2-xl S=1..8:0
    reckon: S=1..8:0: '0' is less than 1
    [1]
    $ reckon sweep gpt2-xl S=1..1000000 B=1..1000000 --format csv
    reckon: this grid would have 1,000,000,000,000 points, and the most are 1,000,000,000: use fewer or larger steps
    [1]
    $ reckon sweep gpt2-xl S=1..1000 B=1..1000
    reckon: this grid has 1,000,000 points, and a page shows at most 100,000: take steps (S=1K..128K:x2), or --format csv
    [1]
    $ reckon sweep gpt2-xl S=1K,2K S=4K,8K
    reckon: S is given twice: one list has all its numbers, as S=1K,2K,8K
    reckon: 'reckon help sweep' says how it is used
    [2]
    $ reckon sweep gpt2-xl Q=1,2
    reckon: gpt2-xl has no symbol 'Q'; it has: L D V N H F C B S T
    [1]
    $ reckon sweep gpt2-xl S=1,2 --of flps
    reckon: gpt2-xl has no quantity and no part 'flps' that counts; did you mean 'flops'?
    'reckon flops' lists the parts, 'reckon help sweep' the quantities
    [1]
    $ reckon sweep gpt2-xl S=1,2 --of share:atention
    reckon: gpt2-xl has no quantity and no part 'atention' that counts; did you mean 'attention'?
    'reckon flops' lists the parts, 'reckon help sweep' the quantities
    [1]
    $ reckon sweep gpt2-xl S=1,2 --of memory.peak:attention
    reckon: memory.peak is not known of parts: 'reckon memory' lists its rows
    [1]
    $ reckon sweep gpt2-xl S=1,2 --of flops,params --by component
    reckon: --by divides one quantity, and --of has 2
    reckon: 'reckon help sweep' says how it is used
    [2]
    $ reckon sweep gpt2-xl S=1,2 --of flops:ffn --by component
    reckon: flops:ffn is a ratio or a part already: it is not divided by --by
    [1]
    $ reckon sweep gpt2-xl S=1,2 --theme dark
    reckon: --theme is about a picture: add --format svg
    reckon: 'reckon help sweep' says how it is used
    [2]
    $ reckon sweep gpt2-xl S=7,7..7 B=1,2 --of flops,params --format svg
    reckon: a picture shows quantities of one unit over one symbol, or one quantity over two symbols
    [1]
    $ reckon sweep paligemma-3b-pt-224 S=512,16
    reckon: at S = 16: models/paligemma.rk:36:19: models/named/paligemma-3b-pt-224.json: this must hold, but I = 256, S = 16, T = 16, bare = false
        check N % K == 0, I <= S or T - S > 0 or bare, ($projection_dim ?? D) == D
                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^
    [1]
    $ reckon flops gpt2-xl S=1,2
    reckon: S=1,2 is not a number such as 16384, 16K (16,384) or 16k (16,000)
    [1]

A symbol has a range or a number:

    $ reckon sweep gpt2 S=1..4 S=8
    reckon: S is set twice: S=1..4 and S=8
    reckon: 'reckon help sweep' says how it is used
    [2]
    $ reckon sweep gpt2 S=8 S=1..4
    reckon: S is set twice: S=1..4 and S=8
    reckon: 'reckon help sweep' says how it is used
    [2]
