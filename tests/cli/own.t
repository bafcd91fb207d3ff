A model of one's own: windows in three of four layers, routed experts beside shared ones.  A number with a meaning is a
letter in every formula, and can be asked for by its letter; one without a meaning (every) is a number.

    $ cat > own.rk <<'END'
    > model own: "a hybrid: windows in three of four layers, experts beside a shared one"
    > use blocks/common.rk
    > let L = 8           "layers"
    > let D = 2048        "width"
    > let N = 16          "heads"
    > let H = D / N       "head width"
    > let W = 1024        "keys that a windowed layer sees"
    > let E = 32          "experts"
    > let A = 4           "experts per token"
    > let F = 768         "width of one expert"
    > let X = 2           "shared experts"
    > let V = 65536       "vocabulary"
    > let every = 4
    > run B = 1           "sequences in the batch"
    > run S = 4096        "tokens of a sequence"
    > let T = S           "keys seen: cache and new"
    > input ids[B S]
    > part embed:
    >     x[B S D] = lookup(ids, .embed.weight[V D])
    > part layers[i < L] at layers.{i}:
    >     let mask = causal if i % every == every - 1 else window(W)
    >     part attention:
    >         normed     = rmsnorm(x, .norm.weight[D])
    >         q[B S N H] = linear(normed, 'q', N * H, False)
    >         k[B S N H] = linear(normed, 'k', N * H, False)
    >         v[B S N H] = linear(normed, 'v', N * H, False)
    >         keep k, v over S as T within mask
    >         context    = attend(q, k, v, mask)
    >         output[B S D] = linear(context[B S D], 'o', D, False)
    >         x          = x + output
    >     part ffn:
    >         normed = rmsnorm(x, .ffn_norm.weight[D])
    >         shared = gated(normed, X * F)
    >         x      = x + shared
    >         part router:
    >             logits[B S E] = normed[B S D] * .router.weight[E D]
    >             shares[B S A] = route(softmax(logits, E), A)
    >         part experts:
    >             up[B S A F]   = normed[B S D] * .experts.up.weight[E@A F D]
    >             hidden        = silu(up)
    >             down[B S A D] = hidden[B S A F] * .experts.down.weight[E@A D F]
    >             y             = sum(shares[B S A] * down[B S A D], A)
    >         x = x + y
    > part head:
    >     normed        = rmsnorm(x, .norm.weight[D])
    >     logits[B S V] = normed[B S D] * .head.weight[V D]
    > output logits
    > loss cross_entropy(logits, ids)
    > END
    $ COLUMNS=100 reckon own.rk | sed -n '1,11p'
    own: 1.28 billion parameters
    8 layers of width 2,048, 16 heads of 128, 32 experts of 768, 4 per token, 2 shared experts,
    vocabulary 65,536
    a hybrid: windows in three of four layers, experts beside a shared one
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence

    parameters             1,284,016,128      1.28 B  32D² + 16DEF + 24DFX + 8DE + 2DV + 17D
    active per token         579,373,056       579 M  32D² + 16DAF + 24DFX + 8DE + 2DV + 17D
    forward            4,127,463,571,456  4.13 TFLOP  64BSD² + 8BS²D + 32BSDAF + 48BSDFX + 16BSDE
                                                        + 2BSDV + 24BSD·min(S, W)
    backward           8,254,927,142,912  8.25 TFLOP  2 × forward
    $ reckon flops own.rk --depth 1 | sed -n '5,$p'

                     times               each            forward   share  formula of each
    layers[0-2,4-6]      6    352,724,189,184  2,116,345,135,104   51.3%  8BSD² + 4BSDAF + 6BSDFX
                                                                            + 2BSDE + 4BSD·min(S, W)
    layers[3,7]          2    455,803,404,288    911,606,808,576   22.1%  8BSD² + 4BS²D + 4BSDAF
                                                                            + 6BSDFX + 2BSDE
    head                 1  1,099,511,627,776  1,099,511,627,776   26.6%  2BSDV
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    total                                      4,127,463,571,456  100.0%
    (no room here for: backward)

    forward  = 64BSD² + 8BS²D + 32BSDAF + 48BSDFX + 16BSDE + 2BSDV + 24BSD·min(S, W)
             = 4,127,463,571,456   4.13 TFLOP
    backward = 128BSD² + 16BS²D + 64BSDAF + 96BSDFX + 32BSDE + 4BSDV + 48BSD·min(S, W)
             = 8,254,927,142,912   8.25 TFLOP
    step     = 192BSD² + 24BS²D + 96BSDAF + 144BSDFX + 48BSDE + 6BSDV + 72BSD·min(S, W)
             = 12,382,390,714,368   12.4 TFLOP

      B       1  sequences in the batch
      S   4,096  tokens of a sequence
      D   2,048  width
      W   1,024  keys that a windowed layer sees
      E      32  experts
      A       4  experts per token
      F     768  width of one expert
      X       2  shared experts
      V  65,536  vocabulary
    $ reckon flops own.rk --depth 1 --format json | sed -n '4p;6p'
      "symbols": {"L": 8, "D": 2048, "N": 16, "H": 128, "W": 1024, "E": 32, "A": 4, "F": 768, "X": 2, "V": 65536, "every": 4, "B": 1, "S": 4096, "T": 4096},
      "forward": {"total": 4127463571456, "formula": "64BSD² + 8BS²D + 32BSDAF + 48BSDFX + 16BSDE + 2BSDV + 24BSD·min(S, W)"},
    $ reckon derive own.rk flops layers.attention.scores | sed -n '5,$p'
      B           1       sequences in the batch
      S       4,096       tokens of a sequence
      T       4,096  S    keys seen: cache and new
      L           8       layers
      D       2,048       width
      N          16       heads
      H         128  D/N  head width
      W       1,024       keys that a windowed layer sees
      E          32       experts
      A           4       experts per token
      F         768       width of one expert
      X           2       shared experts
      V      65,536       vocabulary
      every       4
      scores[B N S T] = q[B S N H] * k[B T N H] where mask(S, T)   # models/blocks/common.rk:59
        summed over H: 2 × B·N·S·T·H, a whole window of T for each S
        scores = 2BSD·min(S, W) = 17,179,869,184
      scores[B N S T] = q[B S N H] * k[B T N H] where mask(S, T)   # models/blocks/common.rk:59
        summed over H: 2 × B·N·S·T·H
        scores = 2BS²D = 68,719,476,736

    total = 6 × layers[0-2,4-6].attention.scores + 2 × layers[3,7].attention.scores
          = 4BSD(S + 3·min(S, W))
          = 4BS²D + 12BSD·min(S, W)
          = 240,518,168,576
    $ reckon explain own.rk layers.ffn.shared | sed -n '5,12p'
    layers[0-2,4-6].ffn.shared
      shared[B S D] = hidden[B S FX] * .down_proj.weight[D FX]   # models/blocks/common.rk:4
    with layers.{i}.down_proj.weight
    summed over FX: 2 × B·S·D·FX
    shared = 2BSDFX
           = 2·1·4,096·2,048·768·2
           = 25,769,803,776
    $ reckon memory own.rk --phase decode | grep -A3 '^cache'
    cache          268,337,152   268 MB   4.9%  █▏
    temporaries         49,664  49.7 kB   0.0%  ▏
    ────────────────────────────────────────────────────────────────────
    the peak     5,438,005,760  5.44 GB
    --
    cache, read                      234,749,952   11.6%  -16BSD + 16BTD + 48BD·min(-S + T, W - 1)
    cache, written                       131,072    0.0%  16BSD + 48BD·min(S, W - 1)
    all together                   2,015,510,528  100.0%
    2,015,510,528 bytes for each new token; 0.49 FLOPs for each byte.

A number on the line goes before that of the file, and what is defined by it follows.  A letter that decides about layers
is set like any other.

    $ reckon flops own.rk D=4096 N=32 every=2 --depth 1 | sed -n '6,12p'
                     times               each             forward   share  formula of each
    layers[0,2,…,6]      4    980,326,285,312   3,921,305,141,248   36.1%  8BSD² + 4BSDAF + 6BSDFX
                                                                             + 2BSDE + 4BSD·min(S, W)
    layers[1,3,…,7]      4  1,186,484,715,520   4,745,938,862,080   43.7%  8BSD² + 4BS²D + 4BSDAF
                                                                             + 6BSDFX + 2BSDE
    head                 1  2,199,023,255,552   2,199,023,255,552   20.2%  2BSDV
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    $ reckon own.rk | sed -n '2,3p'; reckon own.rk L=4 D=1024 X=1 | sed -n '2,3p'
    8 layers of width 2,048, 16 heads of 128, 32 experts of 768, 4 per token, 2 shared experts,
    vocabulary 65,536
    4 layers of width 1,024, 16 heads of 64, 32 experts of 768, 4 per token, 1 shared expert,
    vocabulary 65,536

Sweeps and crossings.

    $ reckon sweep own.rk D=1K..8K:x2 --of params,flops --format csv
    D,params,flops
    1024,608453632,1788853878784
    2048,1284016128,4127463571456
    4096,2836467712,10453950398464
    8192,6746677248,29703993819136
    $ reckon sweep own.rk A=1..4 --of flops --format csv
    A,flops
    1,3508988280832
    2,3715146711040
    3,3921305141248
    4,4127463571456
    $ reckon cross own.rk flops:attention flops:ffn S | sed -n '3,6p'
    flops:attention is larger than flops:ffn from S = 2,113 on.

    flops:attention = 64BSD² + 8BS²D + 24BSD·min(S, W)
    flops:ffn       = 32BSDAF + 48BSDFX + 16BSDE
    $ reckon cross own.rk flops:attention flops:ffn W | sed -n '3,6p'
    flops:attention is larger than flops:ffn from W = 363 on.

    flops:attention = 64BSD² + 8BS²D + 24BSD·min(S, W)
    flops:ffn       = 32BSDAF + 48BSDFX + 16BSDE
    $ reckon fit own.rk --memory 80GB W=512 | grep Largest
    Largest batch at S = 4,096: B = 6 (79.9 GB; one more: 92.4 GB).

Inside a block, and in a file that is used, a number is a value and no symbol of the model: it stands as that number, and
cannot be set.  A symbol of the model that takes it is a letter again.

    $ cat > sizes.rk <<'END'
    > let wide = 8 "a width for several models"
    > let more = 2 "another"
    > END
    $ cat > local.rk <<'END'
    > model local: "sizes from elsewhere"
    > use sizes.rk
    > let D = wide "width"
    > run S = 5    "tokens"
    > block up(x[S D]) -> y:
    >     let M = 3 "width inside"
    >     y[S M] = x[S D] * .w[M D]
    > input x[S D]
    > y[S D] = more * x[S D'] * .v[D D']
    > z = up(x)
    > output y, z
    > END
    $ reckon flops local.rk | grep -A1 '^forward'
    forward  = 2SD² + 6SD
             = 880   880 FLOP
    $ reckon flops local.rk D=4 | grep -A1 '^forward'
    forward  = 2SD² + 6SD
             = 280   280 FLOP
    $ reckon flops local.rk M=4
    reckon: local has no symbol 'M'; it has: D S
    [1]
    $ reckon flops local.rk wide=4
    reckon: local has no symbol 'wide'; it has: D S
    [1]

The letters of the run are its own: with a number and a meaning B and S are sizes of the run, and compared by name.

    $ cat > run.rk <<'END'
    > model run: "B and S by let"
    > let B = 4 "sequences"
    > let S = 4 "tokens"
    > let D = 4 "width"
    > input x[B S D]
    > y[B S D] = x[B S D'] * .w[D D']
    > output y
    > END
    $ reckon flops run.rk S=8 | sed -n '2p;/^forward/,/^  *=/p'
    B = 4 sequences, S = 8 tokens
    forward  = 2BSD²
             = 1,024   1.02 kFLOP
    $ reckon sweep run.rk S=1,2,4 --format csv
    S,flops
    1,128
    2,256
    4,512
    $ sed 's/^y.*/y[B M D] = x[B M D]/; s/^input/let M = 4 "length"\ninput/' run.rk > other.rk; reckon flops other.rk
    other.rk:7:12: x is [B S D], which cannot be read as [B M D]
        y[B M D] = x[B M D]
                   ^^^^^^^^
    [1]
