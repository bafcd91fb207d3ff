Models side by side: what differs in size, what follows from it, where it goes, and how it scales.

    $ COLUMNS=140 reckon compare cs336-small cs336-medium cs336-large cs336-xl
    cs336-small, cs336-medium, cs336-large and cs336-xl
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    In all of them: V = 50,257 vocabulary, H = 64 head width

                  cs336-small  cs336-medium  cs336-large  cs336-xl
    L  layers              12            24           36        48
    D  width              768         1,024        1,280     1,600
    N  heads               12            16           20        25
    F  FFN width        3,072         4,096        5,120     6,400

                         cs336-small       cs336-medium        cs336-large           cs336-xl
    parameters           190,460,160        505,629,696      1,072,469,760      2,127,057,600
    weights in bf16           381 MB            1.01 GB            2.14 GB            4.25 GB
    forward, FLOP    349,630,365,696  1,033,109,504,000  2,257,754,521,600  4,513,336,524,800
    per token            341,435,904      1,008,896,000      2,204,838,400      4,407,555,200

    flops                cs336-small    share       cs336-medium    share        cs336-large    share           cs336-xl    share
    layers           270,582,939,648   77.39%    927,712,935,936   89.80%  2,126,008,811,520   94.16%  4,348,654,387,200   96.35%
      attention       96,636,764,160   27.64%    309,237,645,312   29.93%    676,457,349,120   29.96%  1,328,755,507,200   29.44%
        projections   57,982,058,496   16.58%    206,158,430,208   19.96%    483,183,820,800   21.40%  1,006,632,960,000   22.30%
        products      38,654,705,664   11.06%    103,079,215,104    9.98%    193,273,528,320    8.56%    322,122,547,200    7.14%
      ffn            173,946,175,488   49.75%    618,475,290,624   59.87%  1,449,551,462,400   64.20%  3,019,898,880,000   66.91%
    head              79,047,426,048   22.61%    105,396,568,064   10.20%    131,745,710,080    5.84%    164,682,137,600    3.65%
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    total            349,630,365,696  100.00%  1,033,109,504,000  100.00%  2,257,754,521,600  100.00%  4,513,336,524,800  100.00%

    Largest part: layers.ffn, in every model.
    Shares that grow: layers.attention.projections 16.6% → 22.3%, layers.ffn 49.8% → 66.9%
    Shares that shrink: layers.attention.products 11.1% → 7.1%, head 22.6% → 3.6%

    Fitted between neighbours: with which power of its parameters each part of a model grows.
    flops            → cs336-medium  → cs336-large  → cs336-xl  over all
    layers                     1.26           1.10        1.05      1.15
      attention                1.19           1.04        0.99      1.09
        projections            1.30           1.13        1.07      1.18
        products               1.00           0.84        0.75      0.88
      ffn                      1.30           1.13        1.07      1.18
    head                       0.29           0.30        0.33      0.30
    ────────────────────────────────────────────────────────────────────
    total                      1.11           1.04        1.01      1.06

    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

Numbers are exact for programs: the blocks and the head of four models, with their shares.

    $ reckon compare cs336-small cs336-medium cs336-large cs336-xl --by part --format json
    {
      "version": 1,
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "models": [
        {"model": "cs336-small", "symbols": {"L": 12, "D": 768, "V": 50257, "N": 12, "H": 64, "F": 3072, "B": 1, "S": 1024}, "parameters": 190460160, "quantities": {"params": 190460160, "params.active": 190460160, "flops": 349630365696}},
        {"model": "cs336-medium", "symbols": {"L": 24, "D": 1024, "V": 50257, "N": 16, "H": 64, "F": 4096, "B": 1, "S": 1024}, "parameters": 505629696, "quantities": {"params": 505629696, "params.active": 505629696, "flops": 1033109504000}},
        {"model": "cs336-large", "symbols": {"L": 36, "D": 1280, "V": 50257, "N": 20, "H": 64, "F": 5120, "B": 1, "S": 1024}, "parameters": 1072469760, "quantities": {"params": 1072469760, "params.active": 1072469760, "flops": 2257754521600}},
        {"model": "cs336-xl", "symbols": {"L": 48, "D": 1600, "V": 50257, "N": 25, "H": 64, "F": 6400, "B": 1, "S": 1024}, "parameters": 2127057600, "quantities": {"params": 2127057600, "params.active": 2127057600, "flops": 4513336524800}}
      ],
      "divided": "flops",
      "rows": [
        {"path": "layers", "sum": false, "values": [270582939648, 927712935936, 2126008811520, 4348654387200], "shares": [0.773911, 0.897981, 0.941647, 0.963512]},
        {"path": "head", "sum": false, "values": [79047426048, 105396568064, 131745710080, 164682137600], "shares": [0.226089, 0.102019, 0.058353, 0.036488]}
      ]
    }

    $ reckon compare cs336-small cs336-xl --by part --format csv
    model,quantity,path,value
    cs336-small,params,,190460160
    cs336-small,params.active,,190460160
    cs336-small,flops,,349630365696
    cs336-small,flops,layers,270582939648
    cs336-small,flops,head,79047426048
    cs336-xl,params,,2127057600
    cs336-xl,params.active,,2127057600
    cs336-xl,flops,,4513336524800
    cs336-xl,flops,layers,4348654387200
    cs336-xl,flops,head,164682137600

On narrow paper numbers are shorter, and stand beside their shares.

    $ COLUMNS=80 reckon compare cs336-small cs336-medium cs336-large cs336-xl | sed -n '17,26p'
    flops               cs336-small    cs336-medium     cs336-large        cs336-xl
    layers            271 G   77.4%   928 G   89.8%  2.13 T   94.2%  4.35 T   96.4%
      attention      96.6 G   27.6%   309 G   29.9%   676 G   30.0%  1.33 T   29.4%
        projections  58.0 G   16.6%   206 G   20.0%   483 G   21.4%  1.01 T   22.3%
        products     38.7 G   11.1%   103 G   10.0%   193 G    8.6%   322 G    7.1%
      ffn             174 G   49.8%   618 G   59.9%  1.45 T   64.2%  3.02 T   66.9%
    head             79.0 G   22.6%   105 G   10.2%   132 G    5.8%   165 G    3.6%
    ───────────────────────────────────────────────────────────────────────────────
    total             350 G  100.0%  1.03 T  100.0%  2.26 T  100.0%  4.51 T  100.0%

    $ COLUMNS=40 reckon compare gpt2 gpt2-xl --by part | sed -n '25,40p'
    (no room here for: ratio)

    Largest part: layers, in every model.
    Shares that grow: layers 72.9% → 95.3%
    Shares that shrink: head 27.1% → 4.7%

    Fitted between neighbours: with which
    power of its parameters each part of a
    model grows.
    flops   → gpt2-xl
    layers       1.09
    head         0.29
    ─────────────────
    total        0.98

    Counted: products that sum over an index

Two models have a ratio.

    $ reckon compare gpt2 gpt2-xl
    gpt2 and gpt2-xl
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    In all of them: V = 50,257 vocabulary, H = 64 head width, C = 1,024 learned positions

                   gpt2  gpt2-xl  ratio
    L  layers        12       48     ×4
    D  width        768    1,600  ×2.08
    N  heads         12       25  ×2.08
    F  FFN width  3,072    6,400  ×2.08

                                gpt2            gpt2-xl  ratio
    parameters           124,439,808      1,557,611,200  ×12.5
    weights in bf16           249 MB            3.12 GB  ×12.5
    forward, FLOP    291,648,307,200  3,506,703,564,800    ×12
    per token            284,812,800      3,424,515,200    ×12

    flops                       gpt2    share            gpt2-xl    share  ratio
    layers           212,600,881,152   72.90%  3,342,021,427,200   95.30%  ×15.7
      attention       96,636,764,160   33.13%  1,328,755,507,200   37.89%  ×13.8
        projections   57,982,058,496   19.88%  1,006,632,960,000   28.71%  ×17.4
        products      38,654,705,664   13.25%    322,122,547,200    9.19%  ×8.33
      ffn            115,964,116,992   39.76%  2,013,265,920,000   57.41%  ×17.4
    head              79,047,426,048   27.10%    164,682,137,600    4.70%  ×2.08
    ────────────────────────────────────────────────────────────────────────────
    total            291,648,307,200  100.00%  3,506,703,564,800  100.00%    ×12

    Largest part: layers.ffn, in every model.
    Shares that grow: layers.attention.projections 19.9% → 28.7%, layers.ffn 39.8% → 57.4%
    Shares that shrink: layers.attention.products 13.3% → 9.2%, head 27.1% → 4.7%

    Fitted between neighbours: with which power of its parameters each part of a model grows.
    flops            → gpt2-xl
    layers                1.09
      attention           1.04
        projections       1.13
        products          0.84
      ffn                 1.13
    head                  0.29
    ──────────────────────────
    total                 0.98

    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

Models of different families have different symbols and parts. The same letter may mean different things.

    $ reckon compare gpt2 whisper-tiny | sed -n '1,/^parameters/p'
    gpt2 and whisper-tiny
    B = 1 sequences in the batch
    In all of them: H = 64 head width

                               gpt2  whisper-tiny   ratio
    L  layers                    12             4  ×0.333
    D  width                    768           384    ×0.5
    V  vocabulary            50,257        51,865   ×1.03
    N  heads                     12             6    ×0.5
    F  FFN width              3,072         1,536    ×0.5
    C  learned positions      1,024           448  ×0.438
    S  tokens of a sequence   1,024             –
    Le  encoder layers            –             4
    Ne  encoder heads             –             6
    He  encoder head width        –            64
    Fe  encoder FFN width         –         1,536
    M  mel bins                   –            80
    A  audio positions            –         1,500
    Z  frames                     –         3,000
    U  tokens of the text         –           448

                                gpt2    whisper-tiny   ratio
    parameters           124,439,808      37,760,640  ×0.303

    $ reckon compare gpt2 whisper-tiny | sed -n '/^flops/,$p'
    flops                         gpt2    share    whisper-tiny    share   ratio
    layers             212,600,881,152   72.90%               –
      attention         96,636,764,160   33.13%               –
        projections     57,982,058,496   19.88%               –
        products        38,654,705,664   13.25%               –
      ffn              115,964,116,992   39.76%               –
    head                79,047,426,048   27.10%  17,844,879,360   25.10%  ×0.226
    encoder                          –           36,937,728,000   51.96%
      front                          –            1,880,064,000    2.64%
      layers                         –           35,057,664,000   49.32%
        attention                    –           20,901,888,000   29.41%
          projections                –            7,077,888,000    9.96%
          products                   –           13,824,000,000   19.45%
        ffn                          –           14,155,776,000   19.91%
    decoder.layers                   –           16,299,589,632   22.93%
      attention                      –            3,347,054,592    4.71%
        projections                  –            2,113,929,216    2.97%
        products                     –            1,233,125,376    1.73%
      cross                          –            8,724,676,608   12.27%
        projections                  –            4,595,908,608    6.47%
        products                     –            4,128,768,000    5.81%
      ffn                            –            4,227,858,432    5.95%
    ────────────────────────────────────────────────────────────────────────────
    total              291,648,307,200  100.00%  71,082,196,992  100.00%  ×0.244

    Largest part: layers.ffn in gpt2; head in whisper-tiny
    Shares that shrink: head 27.1% → 25.1%

    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

A number that the formulas of a model do without is shown where those of another need it.

    $ reckon compare llama-3.1-8b mixtral-8x7b-v0.1 | grep 'query heads'
    In all of them: L = 32 layers, D = 4,096 width, N = 32 query heads, K = 8 key/value heads,

More models than a table has room for are in further tables.

    $ reckon compare gpt2 gpt2-medium gpt2-large gpt2-xl opt-125m opt-6.7b --of params,flops
    gpt2, gpt2-medium, gpt2-large, gpt2-xl, opt-125m and opt-6.7b
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    S is the shortest of the models' own lengths; S=2K sets another.

                       gpt2      gpt2-medium         gpt2-large            gpt2-xl         opt-125m
    params      124,439,808      354,823,168        774,030,080      1,557,611,200      125,239,296
    flops   291,648,307,200  826,951,073,792  1,774,570,700,800  3,506,703,564,800  291,671,900,160

                      opt-6.7b
    params       6,658,473,984
    flops   14,165,607,448,576

    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

Quantities by name, and one of them divided.

    $ reckon compare gpt2-xl llama-3.1-8b S=1K --of memory.peak,intensity,share:attention
    gpt2-xl and llama-3.1-8b
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    But llama-3.1-8b, by its config: --recipe mixed (products in bf16; fp32: weights, gradients,
    states).

                            gpt2-xl     llama-3.1-8b   ratio
    memory.peak      28,409,134,080  128,830,891,520   ×4.53
    intensity                153.87           621.48   ×4.04
    share:attention          37.89%           20.72%  ×0.547

    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    $ reckon compare gpt2 gpt2-xl --of params --by component
    gpt2 and gpt2-xl
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

                   gpt2        gpt2-xl  ratio
    params  124,439,808  1,557,611,200  ×12.5

    params              gpt2    share        gpt2-xl    share  ratio
    embed         39,383,808   31.65%     82,049,600    5.27%  ×2.08
    layers        85,054,464   68.35%  1,475,558,400   94.73%  ×17.3
      attention   28,366,848   22.80%    491,980,800   31.59%  ×17.3
      ffn         56,687,616   45.55%    983,577,600   63.15%  ×17.4
    head               1,536    0.00%          3,200    0.00%  ×2.08
    ────────────────────────────────────────────────────────────────
    total        124,439,808  100.00%  1,557,611,200  100.00%  ×12.5

    Largest part: layers.ffn, in every model.
    Shares that grow: layers.attention 22.8% → 31.6%, layers.ffn 45.6% → 63.1%
    Shares that shrink: embed 31.6% → 5.3%

    Fitted between neighbours: with which power of its parameters each part of a model grows.
    params       → gpt2-xl
    embed             0.29
    layers            1.13
      attention       1.13
      ffn             1.13
    head              0.29
    ──────────────────────
    total             1.00

    $ reckon compare gpt2 gpt2-xl --of memory.peak --by component
    gpt2 and gpt2-xl
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.

                          gpt2         gpt2-xl  ratio
    memory.peak  3,447,946,240  28,409,134,080  ×8.24

    memory.peak           gpt2         gpt2-xl  ratio
    weights        497,759,232   6,230,444,800  ×12.5
    gradients      497,759,232   6,230,444,800  ×12.5
    optimizer      995,518,464  12,460,889,600  ×12.5
    saved        1,269,928,140   9,032,733,452  ×7.11
    cache                    0               0      –
    ─────────────────────────────────────────────────
    memory.peak  3,447,946,240  28,409,134,080  ×8.24

    Largest part: saved in gpt2; optimizer in gpt2-xl

What differs between tensors, and which symbols make the difference.

    $ reckon compare llama-2-7b llama-3.1-8b --of params
    Parameters of llama-2-7b and llama-3.1-8b
    Equal: 129 tensors with 1,074,008,064 parameters (--all lists them).

                          formula  llama-2-7b  llama-3.1-8b  difference  because
    …embed_tokens.weight  DV            131 M         525 M      +394 M  V 32,000 → 128,256
    …k_proj.weight        LDKH          537 M         134 M      -403 M  K 32 → 8
    …v_proj.weight        LDKH          537 M         134 M      -403 M  K 32 → 8
    …gate_proj.weight     LDF          1.44 B        1.88 B      +436 M  F 11,008 → 14,336
    …up_proj.weight       LDF          1.44 B        1.88 B      +436 M  F 11,008 → 14,336
    …down_proj.weight     LDF          1.44 B        1.88 B      +436 M  F 11,008 → 14,336
    lm_head.weight        DV            131 M         525 M      +394 M  V 32,000 → 128,256
    all others                         1.07 B        1.07 B           0
    ───────────────────────────────────────────────────────────────────────────────────────
    total                              6.74 B        8.03 B     +1.29 B

    $ reckon compare llama-2-7b llama-3.1-8b --of params --format csv
    tensor,shape_a,shape_b,formula,a,b,difference,why
    model.embed_tokens.weight,32000x4096,128256x4096,DV,131072000,525336576,394264576,"V 32,000 → 128,256"
    model.layers.{i}.self_attn.k_proj.weight,4096x4096,1024x4096,LDKH,536870912,134217728,-402653184,K 32 → 8
    model.layers.{i}.self_attn.v_proj.weight,4096x4096,1024x4096,LDKH,536870912,134217728,-402653184,K 32 → 8
    model.layers.{i}.mlp.gate_proj.weight,11008x4096,14336x4096,LDF,1442840576,1879048192,436207616,"F 11,008 → 14,336"
    model.layers.{i}.mlp.up_proj.weight,11008x4096,14336x4096,LDF,1442840576,1879048192,436207616,"F 11,008 → 14,336"
    model.layers.{i}.mlp.down_proj.weight,4096x11008,4096x14336,LDF,1442840576,1879048192,436207616,"F 11,008 → 14,336"
    lm_head.weight,32000x4096,128256x4096,DV,131072000,525336576,394264576,"V 32,000 → 128,256"

    $ reckon compare cs336-xl-plain cs336-xl-plain-tied --of params --format json
    {
      "version": 1,
      "models": [
        {"model": "cs336-xl-plain", "parameters": 1635537600},
        {"model": "cs336-xl-plain-tied", "parameters": 1555126400}
      ],
      "rows": [
        {"equal": false, "difference": -80411200, "why": "tied in cs336-xl-plain-tied", "sides": [{"name": "lm_head.weight", "shape": [50257, 1600], "tensors": 1, "total": 80411200, "formula": "DV", "tied": false}, {"name": "lm_head.weight", "shape": [50257, 1600], "tensors": 1, "total": 0, "formula": "0", "tied": true}]}
      ]
    }

    $ COLUMNS=140 reckon compare gpt2 opt-125m --of params
    Parameters of gpt2 and opt-125m
    Equal: 1 tensor with 0 parameters (--all lists them).

                                                          formula         gpt2     opt-125m   difference  because
    transformer.wte.weight                                DV        38,597,376            –  -38,597,376  only in gpt2
    transformer.wpe.weight                                DC           786,432            –     -786,432  only in gpt2
    model.decoder.embed_tokens.weight                     VE                 –   38,608,896  +38,608,896  only in opt-125m
    model.decoder.embed_positions.weight                  DP                 –    1,574,400   +1,574,400  only in opt-125m
    transformer.h.{i}.ln_1.weight                         LD             9,216            –       -9,216  only in gpt2
    transformer.h.{i}.ln_1.bias                           LD             9,216            –       -9,216  only in gpt2
    transformer.h.{i}.attn.c_attn.weight                  3LD²      21,233,664            –  -21,233,664  only in gpt2
    transformer.h.{i}.attn.c_attn.bias                    3LD           27,648            –      -27,648  only in gpt2
    transformer.h.{i}.attn.c_proj.weight                  LD²        7,077,888            –   -7,077,888  only in gpt2
    transformer.h.{i}.attn.c_proj.bias                    LD             9,216            –       -9,216  only in gpt2
    model.decoder.layers.{i}.self_attn_layer_norm.weight  LD                 –        9,216       +9,216  only in opt-125m
    model.decoder.layers.{i}.self_attn_layer_norm.bias    LD                 –        9,216       +9,216  only in opt-125m
    model.decoder.layers.{i}.self_attn.q_proj.weight      LD²                –    7,077,888   +7,077,888  only in opt-125m
    model.decoder.layers.{i}.self_attn.q_proj.bias        LD                 –        9,216       +9,216  only in opt-125m
    model.decoder.layers.{i}.self_attn.k_proj.weight      LD²                –    7,077,888   +7,077,888  only in opt-125m
    model.decoder.layers.{i}.self_attn.k_proj.bias        LD                 –        9,216       +9,216  only in opt-125m
    model.decoder.layers.{i}.self_attn.v_proj.weight      LD²                –    7,077,888   +7,077,888  only in opt-125m
    model.decoder.layers.{i}.self_attn.v_proj.bias        LD                 –        9,216       +9,216  only in opt-125m
    model.decoder.layers.{i}.self_attn.out_proj.weight    LD²                –    7,077,888   +7,077,888  only in opt-125m
    model.decoder.layers.{i}.self_attn.out_proj.bias      LD                 –        9,216       +9,216  only in opt-125m
    transformer.h.{i}.ln_2.weight                         LD             9,216            –       -9,216  only in gpt2
    transformer.h.{i}.ln_2.bias                           LD             9,216            –       -9,216  only in gpt2
    transformer.h.{i}.mlp.c_fc.weight                     4LD²      28,311,552            –  -28,311,552  only in gpt2
    transformer.h.{i}.mlp.c_fc.bias                       LF            36,864            –      -36,864  only in gpt2
    transformer.h.{i}.mlp.c_proj.weight                   4LD²      28,311,552            –  -28,311,552  only in gpt2
    transformer.h.{i}.mlp.c_proj.bias                     LD             9,216            –       -9,216  only in gpt2
    model.decoder.layers.{i}.final_layer_norm.weight      LD                 –        9,216       +9,216  only in opt-125m
    model.decoder.layers.{i}.final_layer_norm.bias        LD                 –        9,216       +9,216  only in opt-125m
    model.decoder.layers.{i}.fc1.weight                   LDF                –   28,311,552  +28,311,552  only in opt-125m
    model.decoder.layers.{i}.fc1.bias                     LF                 –       36,864      +36,864  only in opt-125m
    model.decoder.layers.{i}.fc2.weight                   LDF                –   28,311,552  +28,311,552  only in opt-125m
    model.decoder.layers.{i}.fc2.bias                     LD                 –        9,216       +9,216  only in opt-125m
    transformer.ln_f.weight                               D                768            –         -768  only in gpt2
    transformer.ln_f.bias                                 D                768            –         -768  only in gpt2
    model.decoder.final_layer_norm.weight                 D                  –          768         +768  only in opt-125m
    model.decoder.final_layer_norm.bias                   D                  –          768         +768  only in opt-125m
    ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    total                                                          124,439,808  125,239,296     +799,488

    $ reckon compare gpt2 gpt2-medium distilgpt2 --of params --all | tail -n 8
    transformer.h.{i}.mlp.c_fc.bias            36,864       98,304      18,432  LF
    transformer.h.{i}.mlp.c_proj.weight    28,311,552  100,663,296  14,155,776  4LD²
    transformer.h.{i}.mlp.c_proj.bias           9,216       24,576       4,608  LD
    transformer.ln_f.weight                       768        1,024         768  D
    transformer.ln_f.bias                         768        1,024         768  D
    lm_head.weight                               tied         tied        tied
    ───────────────────────────────────────────────────────────────────────────────────
    total                                 124,439,808  354,823,168  81,912,576

    $ reckon compare gpt2 gpt2 --of params
    Parameters of gpt2 and gpt2
    Equal: 149 tensors with 124,439,808 parameters (--all lists them).

    Nothing differs.

    $ reckon compare gpt2 gpt2 --of params --format csv
    tensor,shape_a,shape_b,formula,a,b,difference,why

What is wrong is said.

    $ reckon compare gpt2
    reckon: two models or more are compared, as in 'reckon compare gpt2 gpt2-xl'
    reckon: 'reckon help compare' says how it is used
    [2]

    $ reckon compare gpt2 gpt2-lx
    reckon: no model is called 'gpt2-lx'; did you mean 'gpt2-xl'?
    [1]

    $ reckon compare gpt2 block
    reckon: block: 'D' has no value: numbers are set as in D=4096
    [1]

    $ reckon compare gpt2 gpt2-xl --of flopz
    reckon: gpt2 has no quantity and no part 'flopz' that counts; did you mean 'flops'?
    'reckon flops' lists the parts, 'reckon help sweep' the quantities
    [1]

    $ reckon compare gpt2 gpt2-xl --of flops:attn
    reckon: gpt2 has no quantity and no part 'attn' that counts
    'reckon flops' lists the parts, 'reckon help sweep' the quantities
    [1]

    $ reckon compare gpt2 llama-3.1-8b K=4
    reckon: gpt2 has no symbol 'K'; it has: L D V N H F C B S T
    [1]

    $ reckon compare gpt2 gpt2-xl --of flops,params --by part
    reckon: --by divides one quantity, and --of has 2
    reckon: 'reckon help compare' says how it is used
    [2]

    $ reckon compare gpt2 gpt2-xl --of share:ffn --by part
    reckon: gpt2: share:ffn is a ratio or a part already: it is not divided by --by
    [1]

    $ reckon compare gpt2 gpt2-xl --all
    reckon: --all lists tensors: it goes with --of params
    reckon: 'reckon help compare' says how it is used
    [2]

Where nobody says a length, all models have the shortest of their own; one beyond a context is said:

    $ reckon compare gpt2 llama-3.1-8b --of flops
    gpt2 and llama-3.1-8b
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    S is the shortest of the models' own lengths; S=2K sets another.

                      gpt2        llama-3.1-8b  ratio
    flops  291,648,307,200  15,919,296,282,624  ×54.6

    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    $ reckon compare gpt2 llama-3.1-8b --of flops S=1K | tail -n 2
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    $ reckon compare gpt2 llama-3.1-8b --of flops S=2K
    gpt2 and llama-3.1-8b
    B = 1 sequences in the batch, S = 2,048 tokens of a sequence
    S = 2,048 is beyond the context of gpt2 (1,024).

                      gpt2        llama-3.1-8b  ratio
    flops  660,606,025,728  32,938,104,193,024  ×49.9

    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    $ reckon compare gpt2 llama-3.1-8b --of memory.peak --phase decode
    gpt2 and llama-3.1-8b
    B = 1 sequences in the batch, S = 1 tokens of a sequence, T = 1,024 keys seen: cache and new
    T is the shortest of the models' own lengths; T=2K sets another.
    Assumed: --dtype fp32 (weights, cache), --attention sdpa; as PyTorch 2.11 with transformers 5.17.
    But llama-3.1-8b, by its config: --dtype bf16 (weights, cache).

                        gpt2    llama-3.1-8b  ratio
    memory.peak  609,981,952  16,230,432,256  ×26.6
    $ reckon compare gpt2 llama-3.1-8b --of params | head -n 2
    Parameters of gpt2 and llama-3.1-8b
    No tensor is equal.
