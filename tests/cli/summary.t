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

    weights in memory      fp32      bf16      int8     int4
    in decimal units    6.23 GB   3.12 GB   1.56 GB   779 MB
    in binary units    5.80 GiB  2.90 GiB  1.45 GiB  743 MiB

    L = 48 layers, D = 1,600 width, V = 50,257 vocabulary,
    C = 1,024 learned positions
    Counted: products that sum over an index (--count); a multiply and its add are
    two (--unit); masked attention as the full square (--causal).

    reckon params gpt2-xl  every tensor, its shape and its count
    reckon flops gpt2-xl   every operation, forward and backward
    reckon memory gpt2-xl  the bytes of a training step, and its peak
    reckon derive gpt2-xl  how the formulas come about, line by line

With experts, what one token uses of them:

    $ COLUMNS=80 reckon mixtral
    mixtral: 46.7 billion parameters, a family at its default sizes
    32 layers of width 4,096, 32 query heads and 8 key/value heads of 128,
    8 experts of 14,336, 2 per token, vocabulary 32,000
    as Llama, with A of E experts in every layer
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

    weights in memory     fp32      bf16      int8      int4
    in decimal units    187 GB   93.4 GB   46.7 GB   23.4 GB
    in binary units    174 GiB  87.0 GiB  43.5 GiB  21.7 GiB

    L = 32 layers, D = 4,096 width, V = 32,000 vocabulary, K = 8 key/value heads,
    H = 128 head width, F = 14,336 width of one expert, E = 8 experts,
    A = 2 experts per token
    Counted: products that sum over an index (--count); a multiply and its add are
    two (--unit); masked attention as the full square (--causal).

    reckon params mixtral  every tensor, its shape and its count
    reckon flops mixtral   every operation, forward and backward
    reckon memory mixtral  the bytes of a training step, and its peak
    reckon derive mixtral  how the formulas come about, line by line

Several kinds of layers, and formulas too long to stand beside the figures:

    $ COLUMNS=80 reckon deepseek-v3
    deepseek-v3: 671 billion parameters
    61 layers of width 7,168, 128 heads, dense FFN 18,432, 256 experts of 2,048,
    8 per token, 1 shared expert, vocabulary 129,280
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
      attention             561 M   561 M    0.1%  ▏        8.72 T    2.3%  ▏
      ffn                  1.19 B  1.19 B    0.2%  ▏        9.74 T    2.5%  ▏
    layers[3-60] × 58       667 B  33.9 B   99.5%  ███████   358 T   93.2%  ██████▌
      attention            10.9 B  10.9 B    1.6%  ▏         169 T   43.9%  ███▏
      ffn                   657 B  23.1 B   97.8%  ██████▉   189 T   49.3%  ███▌
    head                    927 M   927 M    0.1%  ▏        7.59 T    2.0%  ▏
    ───────────────────────────────────────────────────────────────────────────────
    total                   671 B  37.6 B  100.0%            384 T  100.0%
    (no room here for: per token)

    weights in memory      fp32      bf16     int8     int4
    in decimal units    2.68 TB   1.34 TB   671 GB   336 GB
    in binary units    2.44 TiB  1.22 TiB  625 GiB  312 GiB
    Quantised by fp8, 8 bits in blocks of 128 × 128, the rest bf16: 673,150,552,416
    bytes (673 GB), 8.03 bits a weight. Scales are taken as F32; some published
    checkpoints have them in two bytes, which no config says.

    parameters = 61DNW + 174DME + 174DMX + 2DV + 61DQ + 61DC + 61DR + 9DF + 58DE
                   + 123D + 61NQP + 61NQR + 61NCP + 61NCW + 61Q + 61C
    forward    = 122BS²NP + 122BS²NR + 122BS²NW + 122BSDNW + 348BSDMA + 348BSDMX
                   + 2BSDV + 122BSDQ + 122BSDC + 122BSDR + 18BSDF + 116BSDE
                   + 122BSNQP + 122BSNQR + 122BSNCP + 122BSNCW
    D = 7,168 width, V = 129,280 vocabulary, N = 128 heads, Q = 1,536 query latent,
    C = 512 key/value latent: what the cache keeps,
    P = 128 head width without position, R = 64 head width with rotary position,
    W = 128 value head width, F = 18,432 FFN width of the dense layers,
    M = 2,048 width of one expert, E = 256 experts, A = 8 experts per token,
    X = 1 shared experts
    Counted: products that sum over an index (--count); a multiply and its add are
    two (--unit); masked attention as the full square (--causal).

    reckon params deepseek-v3  every tensor, its shape and its count
    reckon flops deepseek-v3   every operation, forward and backward
    reckon memory deepseek-v3  the bytes of a training step, and its peak
    reckon derive deepseek-v3  how the formulas come about, line by line
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
      embed           20.1 M   53.2%  ███████▌             0    0.0%
      layers × 4      9.46 M   25.1%  ███▌            16.3 G   22.9%  ███▎
    head                   0    0.0%                  17.8 G   25.1%  ███▌
    $ COLUMNS=80 reckon vlm-784 | sed -n '1,22p'
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
      embed            403 k    0.6%  ▏               4.82 M    0.0%  ▏
      layers × 2      2.37 M    3.4%  ▌               12.4 G    8.3%  █▏
    projector         65.7 k    0.1%  ▏                206 M    0.1%  ▏
    text              33.0 M   47.8%  ██████▊         1.54 G    1.0%  ▏
      embed           32.9 M   47.7%  ██████▋              0    0.0%
      layers × 1       115 k    0.2%  ▏               1.54 G    1.0%  ▏
    head              33.2 M   48.0%  ██████▊          135 G   90.5%  ████████████▋
    ────────────────────────────────────────────────────────────────────────────────
    total             69.0 M  100.0%                   149 G  100.0%

One page is one screen:

    $ for model in gpt2 gpt2-xl cs336-xl llama-3.1-8b mixtral qwen3 gemma3_text block vlm-784; do
    >     n=$(COLUMNS=80 reckon $model | wc -l); [ "$n" -le 40 ] || echo "$model: $n lines"
    > done
    gemma3_text: 43 lines
    vlm-784: 41 lines

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
    Counted: products that sum over an index (--count); a multiply and its add are
    two (--unit); masked attention as the full square (--causal).

    reckon params block  every tensor, its shape and its count
    reckon flops block   every operation, forward and backward
    reckon memory block  the bytes of a training step, and its peak
    reckon derive block  how the formulas come about, line by line
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

    weights in memory     fp32      bf16      int8      int4
    in decimal units    164 MB   81.9 MB   41.0 MB   20.5 MB
    in binary units    156 MiB  78.1 MiB  39.1 MiB  19.5 MiB

What follows is asked in the same words:

    $ echo '{"model_type": "gpt2"}' > 'my config.json'
    $ reckon gpt2 'my config.json' S=16 --unit mac | tail -n 3
    reckon flops gpt2 'my config.json' S=16   every operation, forward and backward
    reckon memory gpt2 'my config.json' S=16  the bytes of a training step, and its peak
    reckon derive gpt2 'my config.json' S=16  how the formulas come about, line by line
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
    Counted: every operation (--count); a multiply and its add are two (--unit);
    masked attention as the pairs that its mask allows (--causal).

    reckon params gpt2 B=2  every tensor, its shape and its count
    reckon flops gpt2 B=2   every operation, forward and backward
    reckon memory gpt2 B=2  the bytes of a training step, and its peak
    reckon derive gpt2 B=2  how the formulas come about, line by line

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
      "forward": {"total": null, "formula": "8BSD² + 4BS²D + 6BSDF"},
      "backward": {"total": null, "formula": "16BSD² + 8BS²D + 12BSDF"},
      "step": {"total": null, "formula": "24BSD² + 12BS²D + 18BSDF"},
      "missing": "D (width), F (FFN width) have no value: set them, as in D=4096"
    }
