A model on one page:

    $ COLUMNS=80 reckon gpt2-xl
    gpt2-xl: 1.56 billion parameters
    48 layers of width 1,600, 25 heads of 64, FFN 6,400, vocabulary 50,257,
    context 1,024
    learned positions, biases, weights stored [in out], fused query, key and value,
    tied head
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

    parameters       1,557,611,200      1.56 B  12LD² + 13LD + DV + DC + 2D
    forward      3,506,703,564,800  3.51 TFLOP  24BSLD² + 4BS²LD + 2BSDV
    backward     7,013,407,129,600  7.01 TFLOP  2 × forward
    step        10,520,110,694,400  10.5 TFLOP  3 × forward

                 parameters   share               FLOP  per token   share
    embed            82.0 M    5.3%  ▌               0          0    0.0%
    layers × 48      1.48 B   94.7%  ████████▌  3.34 T     3.26 G   95.3%  ████████▋
      attention       492 M   31.6%  ██▉        1.33 T     1.30 G   37.9%  ███▍
      ffn             984 M   63.1%  █████▋     2.01 T     1.97 G   57.4%  █████▏
    head              3,200    0.0%  ▏           165 G      161 M    4.7%  ▍
    ────────────────────────────────────────────────────────────────────────────────
    total            1.56 B  100.0%             3.51 T     3.42 G  100.0%

    memory                               bytes                     smallest device
    load, in 32 bits             6,230,444,800  6.23 GB  5.80 GiB  rtx-4090 (24 GB)
    load, in 16 bits             3,115,222,400  3.12 GB  2.90 GiB  rtx-4090 (24 GB)
    load, in 8 bits              1,557,611,200  1.56 GB  1.45 GiB  rtx-4090 (24 GB)
    load, in 4 bits                778,805,600   779 MB   743 MiB  rtx-4090 (24 GB)
    serve 1 × 1,024, context     6,899,838,464  6.90 GB  6.43 GiB  rtx-4090 (24 GB)
    fine-tune 1 × 1,024, fp32   28,409,134,080  28.4 GB  26.5 GiB  l40s (48 GB)
    fine-tune 1 × 1,024, lora    7,745,718,784  7.75 GB  7.21 GiB  rtx-4090 (24 GB)
    fine-tune 1 × 1,024, qlora   5,626,063,360  5.63 GB  5.24 GiB  rtx-4090 (24 GB)
    Cache: 614,400 bytes for one more token, 629 MB for a sequence of 1,024.

    L = 48 layers, D = 1,600 width, V = 50,257 vocabulary,
    C = 1,024 learned positions
    Counted: products, multiply and add as two, masked attention as a full square.

    reckon fit gpt2-xl --device h100  what fits: batch, length, devices
    reckon memory gpt2-xl             a step's peak, and what lowers it
    reckon report gpt2-xl             all of it, with pictures
    Also params, flops and derive: every tensor, every operation, every formula.

With experts, what one token uses of them:

    $ COLUMNS=80 reckon mixtral
    mixtral: 46.7 billion parameters, a family at its default sizes
    32 layers of width 4,096, 32 query heads and 8 key/value heads of 128,
    8 experts of 14,336, 2 per token, vocabulary 32,000
    as Llama, with A of E experts in every layer
    mixtral is a family; its models known by name: mixtral-8x22b-instruct-v0.1,
    mixtral-8x7b-v0.1.
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence

    parameters             46,702,792,704     46.7 B  2LD² + 2LDKH + 3LDFE + LDE
                                                        + 2LD + 2DV + D
    active per token       12,879,925,248     12.9 B  2LD² + 2LDKH + 3LDFA + LDE
                                                        + 2LD + 2DV + D
    forward           113,232,517,791,744  113 TFLOP  4BSLD² + 4BS²LD + 4BSLDKH
                                                        + 6BSLDFA + 2BSLDE + 2BSDV
    backward          226,465,035,583,488  226 TFLOP  2 × forward
    step              339,697,553,375,232  340 TFLOP  3 × forward

                 parameters  active   share                FLOP   share
    embed             131 M   131 M    0.3%  ▏                0    0.0%
    layers × 32      46.4 B  12.6 B   99.4%  ██████████   112 T   99.1%  █████████▉
      attention      1.34 B  1.34 B    2.9%  ▎           19.8 T   17.5%  █▊
      ffn            45.1 B  11.3 B   96.6%  █████████▋  92.4 T   81.6%  ████████▏
    head              131 M   131 M    0.3%  ▏           1.07 T    0.9%  ▏
    ───────────────────────────────────────────────────────────────────────────────
    total            46.7 B  12.9 B  100.0%               113 T  100.0%
    (no room here for: per token)

    memory                                bytes                     smallest device
    load, in 32 bits            186,811,170,816   187 GB   174 GiB  4 × h100 (80 GB)
    load, in 16 bits             93,405,585,408  93.4 GB  87.0 GiB  h200 (141 GB)
    load, in 8 bits              46,702,792,704  46.7 GB  43.5 GiB  l40s (48 GB)
    load, in 4 bits              23,351,396,352  23.4 GB  21.7 GiB  rtx-4090 (24 GB)
    serve 1 × 4,096 tokens      188,120,409,600   188 GB   175 GiB  4 × h100 (80 GB)
    fine-tune 1 × 4,096, fp32   754,127,717,888   754 GB   702 GiB  not on 8 × h200
    fine-tune 1 × 4,096, lora   131,412,140,032   131 GB   122 GiB  h200 (141 GB)
    fine-tune 1 × 4,096, qlora   64,793,927,680  64.8 GB  60.3 GiB  h100 (80 GB)
    Cache: 262,144 bytes for one more token, 1.07 GB for a sequence of 4,096.

    L = 32 layers, D = 4,096 width, V = 32,000 vocabulary, K = 8 key/value heads,
    H = 128 head width, F = 14,336 width of one expert, E = 8 experts,
    A = 2 experts per token
    Counted: products, multiply and add as two, masked attention as a full square.

    reckon fit mixtral --device h100  what fits: batch, length, devices
    reckon memory mixtral             a step's peak, and what lowers it
    reckon report mixtral             all of it, with pictures
    Also params, flops and derive: every tensor, every operation, every formula.

Several kinds of layers, and formulas too long to stand beside the figures:

    $ COLUMNS=80 reckon deepseek-v3
    deepseek-v3: 671 billion parameters
    61 layers of width 7,168, 128 heads, dense FFN 18,432, 256 experts of 2,048,
    8 per token, 1 shared expert, vocabulary 129,280, context 163,840
    multi-latent attention; the first layers dense, then shared and A of E routed
    experts
    Published files hold one more layer, which predicts the token after next; it is
    not counted, as the reference implementation leaves it out (mtp=with counts it).
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence

    parameters              671,026,404,352       671 B  (16 terms)
    active per token         37,552,282,624      37.6 B  (16 terms)
    forward             383,866,460,176,384   384 TFLOP  (16 terms)
    backward            767,732,920,352,768   768 TFLOP  2 × forward
    step              1,151,599,380,529,152  1.15 PFLOP  3 × forward

                       parameters  active   share             FLOP   share
    embed                   927 M   927 M    0.1%  ▏             0    0.0%
    layers[0-2] × 3        1.75 B  1.75 B    0.3%  ▏        18.5 T    4.8%  ▍
    layers[3-60] × 58       667 B  33.9 B   99.5%  ███████   358 T   93.2%  ██████▌
      attention            10.9 B  10.9 B    1.6%  ▏         169 T   43.9%  ███▏
      ffn                   657 B  23.1 B   97.8%  ██████▉   189 T   49.3%  ███▌
    head                    927 M   927 M    0.1%  ▏        7.59 T    2.0%  ▏
    ───────────────────────────────────────────────────────────────────────────────
    total                   671 B  37.6 B  100.0%            384 T  100.0%
    (no room here for: per token)

    memory                                   bytes           smallest device
    load, stored as fp8            673,150,552,416   673 GB  8 × h100 (80 GB)
    load, in 16 bits             1,342,052,808,704  1.34 TB  not on 8 × h200
    load, in 4 bits                335,513,202,176   336 GB  4 × h100 (80 GB)
    serve 1 × 4,096 tokens         673,941,864,960   674 GB  8 × h200 (141 GB)
    serve 1 × 163,840, context     703,488,115,200   703 GB  8 × h200 (141 GB)
    fine-tune 1 × 4,096, mixed  10,754,312,610,304  10.8 TB  not on 8 × h200
    Cache: 70,272 bytes for one more token, 11.5 GB for a sequence of 163,840.
    Quantised by fp8, 8 bits in blocks of 128 × 128, the rest bf16: 673,150,552,416
    bytes (673 GB), 8.03 bits a weight. Scales are taken as F32; some published
    checkpoints have them in two bytes, which no config says.

    Counted: products, multiply and add as two, masked attention as a full square.

    reckon fit deepseek-v3 --device h100  what fits: batch, length, devices
    reckon memory deepseek-v3             a step's peak, and what lowers it
    reckon report deepseek-v3             all of it, with pictures
    Also params, flops and derive: every tensor, every operation, every formula.
    $ COLUMNS=120 reckon qwen3_next | sed -n '/parameters  /,/^total/p'
    parameters            79,674,391,296      79.7 B  (15 terms)
    active per token       3,874,929,408      3.87 B  (15 terms)
    forward           33,186,950,938,624  33.2 TFLOP  (20 terms)
    backward          66,364,238,200,832  66.4 TFLOP  (21 terms)
    step              99,551,189,139,456  99.6 TFLOP  (21 terms)

                                  parameters  active   share                      FLOP  per token   share
    embed                              311 M   311 M    0.4%  ▏                      0          0    0.0%
    layers[0-2,4-6,…,44-46] × 36      59.3 B  2.50 B   74.5%  ███████████▉      21.2 T     5.16 G   63.7%  ██████████▎
      delta                           1.21 B  1.21 B    1.5%  ▎                 10.6 T     2.60 G   32.1%  █████▏
      ffn                             58.1 B  1.28 B   73.0%  ███████████▋      10.5 T     2.57 G   31.7%  █████▏
    layers[3,7,…,47] × 12             19.7 B   755 M   24.7%  ████              9.48 T     2.32 G   28.6%  ████▋
      attention                        327 M   327 M    0.4%  ▏                 5.98 T     1.46 G   18.0%  ██▉
      ffn                             19.4 B   428 M   24.3%  ███▉              3.50 T      856 M   10.6%  █▊
    head                               311 M   311 M    0.4%  ▏                 2.55 T      622 M    7.7%  █▎
    ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    total                             79.7 B  3.87 B  100.0%                    33.2 T     8.10 G  100.0%

An encoder and a decoder; images and text:

    $ COLUMNS=80 reckon whisper | sed -n '1,20p'
    whisper: 37.8 million parameters, a family at its default sizes
    4 encoder layers, 4 decoder layers, width 384, 6 encoder heads of 64,
    6 decoder heads of 64, encoder FFN 1,536, decoder FFN 1,536, vocabulary 51,865
    convolutions over mel frames, an encoder, a decoder with cross attention; two
    caches
    whisper is a family; its models known by name: whisper-base, whisper-large-v2,
    whisper-large-v3, whisper-large-v3-turbo, whisper-medium, whisper-small,
    whisper-tiny.
    B = 1 recordings in the batch, U = 448 tokens of the text

    parameters       37,760,640      37.8 M  (14 terms)
    forward      71,082,196,992  71.1 GFLOP  (11 terms)
    backward    141,611,433,984   142 GFLOP  (11 terms)
    step        212,693,630,976   213 GFLOP  (11 terms)

                  parameters   share                    FLOP   share
    encoder           8.21 M   21.7%  ███             36.9 G   52.0%  ███████▎
      front           1.11 M    2.9%  ▍               1.88 G    2.6%  ▍
      layers × 4      7.10 M   18.8%  ██▋             35.1 G   49.3%  ██████▉
    decoder           29.6 M   78.3%  ███████████     16.3 G   22.9%  ███▎
    $ COLUMNS=80 reckon vlm-784 | sed -n '1,20p'
    vlm-784: 69.0 million parameters
    2 image layers of width 512, 1 text layer of width 128, 8 image heads of 64,
    8 text heads of 16, image FFN 128, text FFN 128, vocabulary 257,153
    a small image-and-text model: 784 image tokens, a projector, one text layer
    B = 2 sequences in the batch, I = 784 image tokens, S = 1,024 text tokens

    parameters       69,042,817     69.0 M  (13 terms)
    forward     149,010,087,936  149 GFLOP  (9 terms)
    backward    298,015,358,976  298 GFLOP  (9 terms)
    step        447,025,446,912  447 GFLOP  (9 terms)

                  parameters   share                    FLOP   share
    image             2.77 M    4.0%  ▌               12.4 G    8.3%  █▏
    projector         65.7 k    0.1%  ▏                206 M    0.1%  ▏
    text              33.0 M   47.8%  ██████▊         1.54 G    1.0%  ▏
      embed           32.9 M   47.7%  ██████▋              0    0.0%
      layers × 1       115 k    0.2%  ▏               1.54 G    1.0%  ▏
    head              33.2 M   48.0%  ██████▊          135 G   90.5%  ████████████▋
    ────────────────────────────────────────────────────────────────────────────────
    total             69.0 M  100.0%                   149 G  100.0%

One page is one screen:

    $ for model in gpt2 gpt2-xl cs336-xl llama-3.1-8b mixtral qwen3 gemma3_text block vlm-784; do
    >     n=$(COLUMNS=80 reckon $model | wc -l); [ "$n" -le 42 ] || echo "$model: $n lines"
    > done
    mixtral: 47 lines
    gemma3_text: 48 lines

Without numbers, formulas:

    $ COLUMNS=80 reckon block
    block
    width D, N heads of H, FFN F
    one block: attention with N heads, then a gated FFN; norms without weights
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

    parameters  4D² + 3DF
    forward     8BSD² + 4BS²D + 6BSDF
    backward    2 × forward
    step        3 × forward

               parameters  forward
    attention  4D²         8BSD² + 4BS²D
    ffn        3DF         6BSDF

    D (width), F (FFN width) have no value: set them, as in D=4096
    Counted: products, multiply and add as two, masked attention as a full square.

    reckon fit block --device h100  what fits: batch, length, devices
    reckon memory block             a step's peak, and what lowers it
    reckon report block             all of it, with pictures
    Also params, flops and derive: every tensor, every operation, every formula.
    $ COLUMNS=80 reckon block D=1600 N=25 F=6400 | sed -n '1,20p'
    block: 41.0 million parameters
    width 1,600, 25 heads of 64, FFN 6,400
    one block: attention with N heads, then a gated FFN; norms without weights
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

    parameters       40,960,000      41.0 M  4D² + 3DF
    forward      90,596,966,400  90.6 GFLOP  8BSD² + 4BS²D + 6BSDF
    backward    181,193,932,800   181 GFLOP  2 × forward
    step        271,790,899,200   272 GFLOP  3 × forward

               parameters   share                FLOP  per token   share
    attention      10.2 M   25.0%  ██▌         27.7 G     27.0 M   30.6%  ███
    ffn            30.7 M   75.0%  ███████▌    62.9 G     61.4 M   69.4%  ███████
    ────────────────────────────────────────────────────────────────────────────────
    total          41.0 M  100.0%              90.6 G     88.5 M  100.0%

    memory                              bytes                     smallest device
    load, in 32 bits              163,840,000   164 MB   156 MiB  rtx-4090 (24 GB)
    load, in 16 bits               81,920,000  81.9 MB  78.1 MiB  rtx-4090 (24 GB)
    load, in 8 bits                40,960,000  41.0 MB  39.1 MiB  rtx-4090 (24 GB)

What follows is asked in the same words:

    $ echo '{"model_type": "gpt2"}' > 'my config.json'
    $ reckon gpt2 'my config.json' S=16 --unit mac | tail -n 3
    reckon memory gpt2 'my config.json' S=16             a step's peak, and what lowers it
    reckon report gpt2 'my config.json' S=16             all of it, with pictures
    Also params, flops and derive: every tensor, every operation, every formula.
    $ COLUMNS=80 reckon gpt2 B=2 --count all --causal exact | sed -n '/^B/,/^total/p;/^Counted/,$p'
    B = 2 sequences in the batch, S = 1,024 tokens of a sequence

    parameters        124,439,808       124 M  12LD² + 13LD + DV + DC + 2D
    forward       546,369,503,232   546 GFLOP  24BSLD² + 2BS²LD + 2BS²LN + 59BSLD
                                                 + 2BSLN + 2BSDV + 6BSD
    backward    1,091,887,497,216  1.09 TFLOP  48BSLD² + 4BS²LD + 2BS²LN + 105BSLD
                                                 + 2BSLN + 4BSDV + 11BSD
    step        1,638,257,000,448  1.64 TFLOP  72BSLD² + 6BS²LD + 4BS²LN + 164BSLD
                                                 + 4BSLN + 6BSDV + 17BSD

                 parameters   share               FLOP  per token   share
    embed            39.4 M   31.6%  ██▉        1.57 M        768    0.0%  ▏
    layers × 12      85.1 M   68.3%  ██████▏     388 G      190 M   71.1%  ██████▍
      attention      28.4 M   22.8%  ██          155 G     75.9 M   28.5%  ██▌
      ffn            56.7 M   45.6%  ████▏       233 G      114 M   42.6%  ███▉
    head              1,536    0.0%  ▏           158 G     77.2 M   28.9%  ██▋
    ────────────────────────────────────────────────────────────────────────────────
    total             124 M  100.0%              546 G      267 M  100.0%
    Counted: every operation, multiply and add as two, masked attention as its mask
    allows.

    reckon fit gpt2 B=2 --device h100  what fits: batch, length, devices
    reckon memory gpt2 B=2             a step's peak, and what lowers it
    reckon report gpt2 B=2             all of it, with pictures
    Also params, flops and derive: every tensor, every operation, every formula.

For programs:

    $ reckon gpt2 S=512 --format json
    {
      "version": 1,
      "model": "gpt2",
      "family": "gpt2",
      "text": "learned positions, biases, weights stored [in out], fused query, key and value, tied head",
      "symbols": {"L": 12, "D": 768, "V": 50257, "N": 12, "H": 64, "F": 3072, "C": 1024, "B": 1, "S": 512, "T": 512},
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "parameters": {"stored": 124439808, "named": 163037184, "active": 124439808},
      "bytes": {"fp32": 497759232, "bf16": 248879616, "int8": 124439808, "int4": 62219904},
      "context": 1024,
      "cache_per_token": 73728,
      "memory": [
        {"what": "load", "as": "32 bits", "batch": null, "tokens": null, "bytes": 497759232, "device": "rtx-4090", "devices": 1},
        {"what": "load", "as": "16 bits", "batch": null, "tokens": null, "bytes": 248879616, "device": "rtx-4090", "devices": 1},
        {"what": "load", "as": "8 bits", "batch": null, "tokens": null, "bytes": 124439808, "device": "rtx-4090", "devices": 1},
        {"what": "load", "as": "4 bits", "batch": null, "tokens": null, "bytes": 62219904, "device": "rtx-4090", "devices": 1},
        {"what": "serve", "as": null, "batch": 1, "tokens": 512, "bytes": 570660352, "device": "rtx-4090", "devices": 1},
        {"what": "serve", "as": null, "batch": 1, "tokens": 1024, "bytes": 609981952, "device": "rtx-4090", "devices": 1},
        {"what": "fine-tune", "as": "fp32", "batch": 1, "tokens": 512, "bytes": 2504207360, "device": "rtx-4090", "devices": 1},
        {"what": "fine-tune", "as": "lora", "batch": 1, "tokens": 512, "bytes": 910609920, "device": "rtx-4090", "devices": 1},
        {"what": "fine-tune", "as": "qlora", "batch": 1, "tokens": 512, "bytes": 788516352, "device": "rtx-4090", "devices": 1}
      ],
      "forward": {"total": 136160477184, "formula": "24BSLD² + 4BS²LD + 2BSDV"},
      "backward": {"total": 272320954368, "formula": "48BSLD² + 8BS²LD + 4BSDV"},
      "step": {"total": 408481431552, "formula": "72BSLD² + 12BS²LD + 6BSDV"}
    }
    $ reckon block --format json
    {
      "version": 1,
      "model": "block",
      "family": "block",
      "text": "one block: attention with N heads, then a gated FFN; norms without weights",
      "symbols": {"B": 1, "S": 1024, "T": 1024},
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "parameters": {"stored": null, "named": null, "active": null},
      "bytes": {"fp32": null, "bf16": null, "int8": null, "int4": null},
      "context": null,
      "cache_per_token": null,
      "memory": [],
      "forward": {"total": null, "formula": "8BSD² + 4BS²D + 6BSDF"},
      "backward": {"total": null, "formula": "16BSD² + 8BS²D + 12BSDF"},
      "step": {"total": null, "formula": "24BSD² + 12BS²D + 18BSDF"},
      "missing": "D (width), F (FFN width) have no value: set them, as in D=4096"
    }

What it takes to load, serve and fine-tune a model; `memory` says the same, and `fit` of the devices:

    $ reckon llama-3-8b --format json | sed -n '/"context"/,/\]/p'
      "context": 8192,
      "cache_per_token": 131072,
      "memory": [
        {"what": "load", "as": "bf16", "batch": null, "tokens": null, "bytes": 16060522496, "device": "rtx-4090", "devices": 1},
        {"what": "load", "as": "8 bits", "batch": null, "tokens": null, "bytes": 8030261248, "device": "rtx-4090", "devices": 1},
        {"what": "load", "as": "4 bits", "batch": null, "tokens": null, "bytes": 4015130624, "device": "rtx-4090", "devices": 1},
        {"what": "serve", "as": null, "batch": 1, "tokens": 4096, "bytes": 16639376896, "device": "rtx-4090", "devices": 1},
        {"what": "serve", "as": null, "batch": 1, "tokens": 8192, "bytes": 17184636416, "device": "rtx-4090", "devices": 1},
        {"what": "fine-tune", "as": "mixed", "batch": 1, "tokens": 4096, "bytes": 150659663360, "device": "h100-80gb", "devices": 4},
        {"what": "fine-tune", "as": "lora", "batch": 1, "tokens": 4096, "bytes": 46149525504, "device": "h100-80gb", "devices": 1},
        {"what": "fine-tune", "as": "qlora", "batch": 1, "tokens": 4096, "bytes": 36116750336, "device": "l40s", "devices": 1}
      ],
    $ for step in "--phase decode" "--phase decode T=8K" "" "--recipe lora" "--recipe qlora"; do
    >     reckon memory llama-3-8b $step --format json | grep '^  "peak":'
    > done
      "peak": 16639376896,
      "peak": 17184636416,
      "peak": 150659663360,
      "peak": 46149525504,
      "peak": 36116750336,
    $ reckon memory llama-3-8b --phase decode T=8K --format json | grep -E -o '"per_(token|sequence)": [0-9]*'
    "per_sequence": 1073741824
    "per_token": 131072
    $ for on in "lora --device l40s" "lora --device h100" "qlora --device rtx-4090" "qlora --device l40s"; do
    >     reckon fit llama-3-8b --recipe $on --format json | grep '^  "fits":'
    > done
      "fits": false,
      "fits": true,
      "fits": false,
      "fits": true,

Several devices share what none has alone, and what not even they have is said:

    $ reckon llama-3.1-70b | sed -n '/^memory/,/^Cache/p'
    memory                                  bytes                     smallest device
    load, stored as bf16          141,107,412,992   141 GB   131 GiB  h200 (141 GB)
    load, in 8 bits                70,553,706,496  70.6 GB  65.7 GiB  h100 (80 GB)
    load, in 4 bits                35,276,853,248  35.3 GB  32.9 GiB  l40s (48 GB)
    serve 1 × 4,096 tokens        142,491,606,528   142 GB   133 GiB  h200 (141 GB)
    serve 1 × 131,072, context    184,359,149,056   184 GB   172 GiB  4 × h100 (80 GB)
    fine-tune 1 × 4,096, mixed  1,150,531,175,936  1.15 TB  1.05 TiB  not on 8 × h200
    fine-tune 1 × 4,096, lora     260,453,949,440   260 GB   243 GiB  not on 8 × h200
    fine-tune 1 × 4,096, qlora    162,055,577,600   162 GB   151 GiB  not on 8 × h200
    Cache: 327,680 bytes for one more token, 42.9 GB for a sequence of 131,072.
    $ for on in "--phase decode T=128K --devices 2" "--phase decode T=128K --devices 4" "--recipe qlora --devices 8"; do
    >     reckon fit llama-3.1-70b --device h100 $on --format json | grep '^  "fits":'
    > done
      "fits": false,
      "fits": true,
      "fits": false,

Nothing is kept by an encoder, a state does not grow, a step of very many operations is not taken for a look:

    $ reckon bert-base-uncased | sed -n '/^memory/,/^$/p'
    memory                            bytes                     smallest device
    load, in 32 bits            438,057,192   438 MB   418 MiB  rtx-4090 (24 GB)
    load, in 16 bits            219,028,596   219 MB   209 MiB  rtx-4090 (24 GB)
    load, in 8 bits             109,514,298   110 MB   104 MiB  rtx-4090 (24 GB)
    load, in 4 bits              54,757,149  54.8 MB  52.2 MiB  rtx-4090 (24 GB)
    forward 1 × 512 tokens      598,206,976   598 MB   570 MiB  rtx-4090 (24 GB)
    fine-tune 1 × 512, fp32   2,071,054,848  2.07 GB  1.93 GiB  rtx-4090 (24 GB)
    fine-tune 1 × 512, lora     553,145,856   553 MB   528 MiB  rtx-4090 (24 GB)
    fine-tune 1 × 512, qlora    430,204,416   430 MB   410 MiB  rtx-4090 (24 GB)
    $ reckon mamba | grep -E '^(serve|Cache)'
    serve 1 × 4,096 tokens         675,240,960   675 MB   644 MiB  rtx-4090 (24 GB)
    Cache: 3.93 MB for a sequence, and no more for a longer one.
    $ reckon vit-huge-patch14-224 B=2 | grep -E '^(forward B|fine-tune)'
    forward B = 2            2,590,693,376  2.59 GB  2.41 GiB  rtx-4090 (24 GB)
    fine-tune B = 2, fp32   10,198,509,568  10.2 GB  9.50 GiB  rtx-4090 (24 GB)
    fine-tune B = 2, lora    1,968,920,576  1.97 GB  1.83 GiB  rtx-4090 (24 GB)
    fine-tune B = 2, qlora   1,072,367,616  1.07 GB  1.00 GiB  rtx-4090 (24 GB)
    $ reckon llama-3-8b L=48000 | sed -n '/^memory/,/^$/p'
    memory                             bytes                     smallest device
    load, stored as bf16  20,940,853,354,496  20.9 TB  19.0 TiB  not on 8 × h200
    load, in 8 bits       10,470,426,677,248  10.5 TB  9.52 TiB  not on 8 × h200
    load, in 4 bits        5,235,213,338,624  5.24 TB  4.76 TiB  not on 8 × h200

A quantised config and a checkpoint are loaded as they are stored:

    $ reckon gpt-oss-120b | grep -E '^(load|Quantised)'
    load, stored as mxfp4          65,248,815,744  65.2 GB  60.8 GiB  h100 (80 GB)
    load, in 16 bits              233,658,313,344   234 GB   218 GiB  4 × h100 (80 GB)
    load, in 8 bits               116,829,156,672   117 GB   109 GiB  h200 (141 GB)
    load, in 4 bits                58,414,578,336  58.4 GB  54.4 GiB  h100 (80 GB)
    Quantised by mxfp4, 4 bits, the rest in 16 bits, as the config does not say its type: 65,248,815,744

How positions reach further is said in the config's word; another word is no scaling:

    $ cat > far.json <<END
    > {"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4,
    >  "num_key_value_heads": 2, "num_hidden_layers": 2, "vocab_size": 100, "max_position_embeddings": 2048,
    >  "rms_norm_eps": 1e-6, "sliding_window": 512, "rope_scaling": {"type": "linear", "factor": 2.0}}
    > END
    $ reckon far.json | sed -n 3p
    context 2,048 (linear)
    $ sed 's/"linear"/"default"/' far.json | reckon - | sed -n 3p
    context 2,048
    $ sed 's/{"type".*}}/"linear"}/' far.json | reckon - | sed -n 3p
    context 2,048

What was given is kept in what to ask next:

    $ reckon far.json B=4 S=1K --like mistral | grep ^reckon
    reckon fit far.json B=4 S=1K --like mistral --device h100  what fits: batch, length, devices
    reckon memory far.json B=4 S=1K --like mistral             a step's peak, and what lowers it
    reckon report far.json B=4 S=1K --like mistral             all of it, with pictures
