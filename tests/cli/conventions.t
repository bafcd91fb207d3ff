What others count, side by side:

    $ reckon flops gpt2 --as all
    gpt2: FLOPs as others count them
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    The reference is the count of all products with the full square of attention (of a window its keys):
    291,648,307,200 FLOPs forward. Figures of training are compared with three times that.

                   of                  counted  ratio  why
    2nd            forward     254,852,726,784  0.874  attention products: not counted; position tables,
                                                       norms, biases: counted as products
    6nd            training    764,558,180,352  0.874  attention products: not counted; position tables,
                                                       norms, biases: counted as products
    exact          forward     272,339,828,736  0.934  attention products: of the pairs that the mask
                                                       allows
    causal-half    forward     272,320,954,368  0.934  attention products: halved
    window         forward     291,648,307,200  1.000  the same
    window-half    forward     272,320,954,368  0.934  attention products: halved
    train-12       training    874,944,921,600  1.000  the same
    train-6        training    816,962,863,104  0.934  attention products: halved
    train-7        training    826,626,539,520  0.945  attention products: ×7/12
    every-op       forward     292,794,925,056  1.004  softmax of attention, norms, biases, all else:
                                                       counted too
    kaplan         forward     193,273,528,320  0.663  output head: not counted; attention products:
                                                       halved
    kaplan-table   forward     272,324,100,096  0.934  attention products: halved; lookups: counted too
    chinchilla     forward     371,148,718,080  1.273  lookups: counted as products; softmax of
                                                       attention: counted too
    palm           training    880,522,297,344  1.006  position tables, norms, biases: counted as
                                                       products
    megatron-2021  training  1,087,545,802,752  1.243  attention projections, attention products, FFN:
                                                       ×4/3
    mambaout       forward     212,600,881,152  0.729  output head: not counted
    nanogpt        forward     291,648,307,200  1.000  the same
    nanogpt-mfu    training    875,690,459,136  1.001  norms, biases: counted as products
    llm.c          training    822,540,238,848  0.940  attention products: halved; position tables,
                                                       norms, biases: counted as products
    torchtitan     training    875,690,459,136  1.001  norms, biases: counted as products
    megatron       training    817,184,636,928  0.934  attention products: halved; output head: of a
                                                       vocabulary padded to 50,304
    nanotron       training  1,048,891,097,088  1.199  FFN: ×3/2
    torch          forward     291,648,307,200  1.000  the same
    torch-fused    training    894,272,274,432  1.022  attention products: ×7/6
    fvcore         forward     126,595,104,768  0.434  attention projections, FFN, output head: one for
                                                       a multiply and its add; attention products: not
                                                       counted; norms: counted too
    thop           forward     126,496,800,768  0.434  attention projections, FFN, output head: one for
                                                       a multiply and its add; attention products: not
                                                       counted
    ptflops        forward     126,496,800,768  0.434  attention projections, FFN, output head: one for
                                                       a multiply and its add; attention products: not
                                                       counted
    calflops       forward     253,234,249,728  0.868  attention products: not counted; norms, biases,
                                                       all else: counted too
    llm-analysis   forward     291,648,307,200  1.000  the same
    cookbook       training    716,850,069,504  0.819  output head: ×1/3

    --as NAME shows one of them line by line.

One in full, with the formula of each difference:

    $ reckon flops mixtral-8x7b-v0.1 --as palm
    mixtral-8x7b-v0.1: FLOPs of a forward and a backward pass, as palm counts them
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    palm: all parameters, embeddings and all experts included, and the full square of attention.
    From: Chowdhery et al., PaLM, 2022, appendix B; for each token.
    As written there: 6N + 12Lqs

    The reference is three times the count of all products, with the full square of attention (of a
    window its keys).

                                         counted           difference                   its formula
    lookups                    3,221,225,472,000    3,221,225,472,000  counted as       6BSDV
                                                                       products
    attention projections     32,985,348,833,280                    0
    attention products        26,388,279,066,624                    0
    routed experts         1,108,307,720,798,208  831,230,790,598,656  all 8 instead    18BSLDFE
                                                                       of the 2 chosen    - 18BSLDFA
    routers                       25,769,803,776                    0
    output head                3,221,225,472,000                    0
    norms                          6,543,114,240        6,543,114,240  counted as       12BSLD + 6BSD
                                                                       products
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    total                  1,174,156,112,560,128  834,458,559,184,896  ratio 3.456
    (no room here for: reference)

    counted   = 12BSLD² + 12BS²LD + 12BSLDKH + 18BSLDFE + 6BSLDE + 12BSLD + 12BSDV + 6BSD
              = 1,174,156,112,560,128   1.17 PFLOP
    reference = 12BSLD² + 12BS²LD + 12BSLDKH + 18BSLDFA + 6BSLDE + 6BSDV
              = 339,697,553,375,232   340 TFLOP

      B       1       sequences in the batch
      S   4,096       tokens of a sequence
      L      32       layers
      D   4,096       width
      V  32,000       vocabulary
      K       8       key/value heads
      H     128  D/N  head width
      F  14,336       width of one expert
      E       8       experts
      A       2       experts per token

A convention that does not apply says why:

    $ reckon flops t5-large --as 6nd
    t5-large: FLOPs of a forward and a backward pass, as 6nd counts them
    B = 1 sequences in the batch, S = 512 tokens of the source, U = 512 tokens of the target
    6nd: six for each parameter and token: two forward, four backward.
    From: rule of thumb; for each token.
    As written there: 6N

    It does not apply to t5-large: its encoder reads S tokens and its decoder U.
    $ reckon flops deepseek-v3 --as torchtitan | tail -n 1
    It does not apply to deepseek-v3: the formula is of models without experts.

A norm after the projector of an image is no norm of a latent:

    $ reckon flops llava-1.5-7b --as megatron | grep -c latents
    0
    [1]
    $ reckon flops deepseek-v3 --as megatron | grep latents
    norms of latents               3,070,230,528         3,070,230,528  counted as       366BSQ + 366BSC

A program gets the head of the table that would be there:

    $ reckon flops whisper-tiny --as palm --format csv
    class,reference,counted,difference,why,formula
    $ reckon memory whisper-tiny --as korthikanti --format csv
    class,of,bytes,exact,ratio,formula

Attention that sees all keys is not halved, unless the formula does so whatever the model:

    $ reckon flops bert-base-uncased --as all | grep -e causal-half -e train-6 -e train-7
    causal-half    forward   121,244,221,440  1.000  the same
    train-6        training  363,732,664,320  1.000  the same
    train-7        training  368,564,502,528  1.013  attention products: ×7/6
    $ COLUMNS=200 reckon flops bert-base-uncased --as megatron | grep '^attention products'
    attention products      28,991,029,248   14,495,514,624  -14,495,514,624  halved, also where there is no mask  -6BS²LD
    $ COLUMNS=200 reckon flops whisper-tiny --as causal-half | grep '^attention products'
    attention products     19,185,893,376  18,569,330,688  -616,562,688  halved where there is a mask  -2BU²LD

Formulas that know one kind of FFN, or keys as many as queries, are taken at their word:

    $ reckon flops gpt2 --as nanotron | grep '^FFN'
    FFN                    347,892,350,976    521,838,526,464  173,946,175,488  ×3/2         24BSLD²
    $ reckon flops llama-3.1-8b --as chinchilla | grep -e '^attention projections' -e '^FFN  '
    attention projections  17,592,186,044,416    6,597,069,766,656  ×8/5                4BSLD² - 4BSLDKH
    FFN                    30,786,325,577,728  -15,393,162,788,864  ×2/3                -2BSLDF
    $ reckon flops mixtral-8x7b-v0.1 --as nanogpt-mfu | grep 'not apply'
    It does not apply to mixtral-8x7b-v0.1: the formula is of models without experts.
    $ echo '{"model_type": "gpt2", "vocab_size": 10}' > tiny.json
    $ COLUMNS=200 reckon flops tiny.json --as megatron | grep '^output head'
    output head                 47,185,920      603,979,776      556,793,856  of a vocabulary padded to 128  -6BSDV + 768BSD·⌈V/128⌉

For programs:

    $ reckon flops gpt2 --as kaplan --format json
    {
      "version": 1,
      "model": "gpt2",
      "symbols": {"L": 12, "D": 768, "V": 50257, "N": 12, "H": 64, "F": 3072, "C": 1024, "B": 1, "S": 1024, "T": 1024},
      "reference": {"total": 291648307200, "formula": "24BSLD² + 4BS²LD + 2BSDV"},
      "convention": {
        "name": "kaplan",
        "of": "forward",
        "unit": "FLOP",
        "per": "token",
        "source": "Kaplan et al., Scaling Laws for Neural Language Models, 2020",
        "text": "matrices without embeddings and output head (of experts those that a token visits), and one of the two products of attention",
        "applies": true,
        "counted": {"total": 193273528320, "formula": "24BSLD² + 2BS²LD"},
        "reference": {"total": 291648307200, "formula": "24BSLD² + 4BS²LD + 2BSDV"},
        "ratio": 0.662694,
        "why": "output head: not counted; attention products: halved",
        "as_written": "2N_ne + 2Lsq",
        "rows": [
          {"class": "attention", "rule": "2·active·tokens", "reference": 57982058496, "counted": 57982058496, "difference": 0, "why": "", "formula": "0"},
          {"class": "scores", "rule": "flops/2", "reference": 38654705664, "counted": 19327352832, "difference": -19327352832, "why": "halved", "formula": "-2BS²LD"},
          {"class": "ffn", "rule": "2·active·tokens", "reference": 115964116992, "counted": 115964116992, "difference": 0, "why": "", "formula": "0"},
          {"class": "head", "rule": null, "reference": 79047426048, "counted": 0, "difference": -79047426048, "why": "not counted", "formula": "-2BSDV"}
        ]
      }
    }
    $ reckon flops t5-large --as 6nd --format json | grep -o '"applies.*'
    "applies": false, "reason": "its encoder reads S tokens and its decoder U", "as_written": "6N"}
    $ reckon flops gpt2 --as all --format csv | head -n 3
    name,of,reason,counted,ratio,why
    2nd,forward,,254852726784,0.873836,"attention products: not counted; position tables, norms, biases: counted as products"
    6nd,training,,764558180352,0.873836,"attention products: not counted; position tables, norms, biases: counted as products"
    $ reckon flops gpt2 --as kaplan --format csv
    class,reference,counted,difference,why,formula
    attention,57982058496,57982058496,0,,0
    scores,38654705664,19327352832,-19327352832,halved,'-2BS²LD
    ffn,115964116992,115964116992,0,,0
    head,79047426048,0,-79047426048,not counted,'-2BSDV

The counter of PyTorch stays a ledger of its own:

    $ reckon flops gpt2 --as torch --format json | grep -E 'convention|forward.*total'
      "convention": {"count": "torch", "causal": "full", "unit": "flop"},
      "forward": {"total": 291648307200, "formula": "24BSLD² + 4BS²LD + 2BSDV"},

On narrow paper:

    $ COLUMNS=80 reckon flops gpt2 --as llm.c | sed -n '1,19p'
    gpt2: FLOPs of a forward and a backward pass, as llm.c counts them
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    llm.c: all parameters, and half of the square of attention.
    From: llm.c, gpt2_estimate_mfu, 2024; for each token.
    As written there: 6N + 6Lhs

    The reference is three times the count of all products, with the full square of
    attention (of a window its keys).

                                   counted       difference
    position tables          4,831,838,208    4,831,838,208  counted as products
    attention projections  173,946,175,488                0
    attention products      57,982,058,496  -57,982,058,496  halved
    FFN                    347,892,350,976                0
    output head            237,142,278,144                0
    norms                      117,964,800      117,964,800  counted as products
    biases                     627,572,736      627,572,736  counted as products
    ────────────────────────────────────────────────────────────────────────────
    total                  822,540,238,848  -52,404,682,752  ratio 0.940

Bytes by the rules of others, beside the exact account:

    $ reckon memory gpt2 --as all
    gpt2: bytes by rules that others use
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    The exact account is that of a training step of PyTorch on one device, 4 bytes a number.
    Rules for what a layer saves are of numbers of 2 bytes: --dtype bf16 compares like with like.

    Weights, gradients and optimizer:
                             bytes          exact  ratio  as written
    zero             1,991,036,928  1,991,036,928  1.000  2 + 2 + 12 = 16
    megatron-bytes   2,239,916,544  1,991,036,928  1.125  2 + 4 + 12 = 18
    megatron-shared  2,239,916,544  1,991,036,928  1.125  6 + 12/n
    zero-2           2,488,796,160  1,991,036,928  1.250  2 + 18/n
    zero-3           2,394,306,048  1,991,036,928  1.203  18/n + 4 · largest layer
    fp32             1,991,036,928  1,991,036,928  1.000  4 + 4 + 8 = 16
    accelerate-fp32  1,991,036,928  1,991,036,928  1.000  max(4, 4, 8, 16) = 16
    accelerate-fp16    995,518,464  1,991,036,928  0.500  max(4, 6, 8, 8) = 8

    Saved for backward, one layer:
                                 bytes       exact  ratio  as written
    korthikanti             89,653,248  88,145,936  1.017  sbh(34 + 5as/h); sbh(10 + 24/t + 5as/(ht)) on
                                                           t devices
    korthikanti-sequence    89,653,248  88,145,936  1.017  sbh(34 + 5as/h)/t
    korthikanti-selective   26,738,688  88,145,936  0.303  34sbh/t
    korthikanti-full         1,572,864  88,145,936  0.018  2sbh
    megatron-report         26,738,688  88,145,936  0.303  sbh(18 + 4f/h)/t
    megatron-plain          26,738,688  88,145,936  0.303  sbh(10 + 24/t)
    by-hand                154,198,016  88,145,936  1.749  4(17BTd + 2BhT² + BhT + 2BT), h heads, d
                                                           width

    Cache of one token, all layers together:
                bytes  as written
    kept       73,728  kv(d_k + d_v) for each layer; multi-latent r_kv + d_rope; a window min(length, w
                       - 1) tokens
    key-value  73,728  2 · kv · d · bytes for each layer

    --as NAME shows one of them line by line. t and n are devices among which something is divided;
    --devices says how many.
    $ reckon memory gpt2 --as zero-3 --devices 8 --dtype bf16 --master fp32
    gpt2: bytes by the rule zero-3
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    zero-3: everything divided among n devices, and the largest module (a table or a linear layer)
    gathered.
    From: DeepSpeed, estimate_zero3, 2021; for each parameter.
    As written there: 18/n + 4 · largest layer
    The exact account is that of a training step of PyTorch on one device, 2 bytes a number.

                     bytes          exact  ratio  formula
    weights    154,389,504    248,879,616  0.620  4DV
    gradients   31,109,952    248,879,616  0.125  ⌈(12LD² + 13LD + DV + DC + 2D)/4⌉
    optimizer  248,879,616  1,493,277,696  0.167  24LD² + 26LD + 2DV + 2DC + 4D
    ───────────────────────────────────────────────────────────────────────────────
    total      434,379,072  1,991,036,928  0.218

    bytes = 24LD² + 26LD + 6DV + 2DC + 4D + ⌈(12LD² + 13LD + DV + DC + 2D)/4⌉
          = 434,379,072   434 MB
    $ reckon memory deepseek-v3 --as kept --phase decode --dtype bf16 | tail -n 2
    bytes = 122C + 122R
          = 70,272   70.3 kB
    $ reckon memory deepseek-v3 --as megatron-report | tail -n 1
    It does not apply to deepseek-v3: its layers have FFNs of different widths.
    $ reckon memory gpt2 --as korthikanti --format json | tail -n 9
        "applies": true,
        "bytes": {"total": 89653248, "formula": "5BS²N + 34BSD"},
        "exact": 88145936,
        "as_written": "sbh(34 + 5as/h); sbh(10 + 24/t + 5as/(ht)) on t devices",
        "rows": [
          {"class": "layer", "rule": "batch·sequence·(10·width + 24·width/tensor + 5·heads·sequence/tensor)", "bytes": 89653248, "exact": 88145936, "formula": "5BS²N + 34BSD"}
        ]
      }
    }
    $ cat $TOP/models/named/gpt2.json | reckon memory gpt2 - --as zero | tail -n 2
    bytes = 192LD² + 208LD + 16DV + 16DC + 32D
          = 1,991,036,928   1.99 GB

What is not known, and what does not go together:

    $ reckon flops gpt2 --as kaplam
    reckon: no convention is called 'kaplam' (--as all lists them); did you mean 'kaplan'?
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --as zero
    reckon: 'zero' is a rule for bytes: reckon memory MODEL --as knows it
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon memory gpt2 --as palm
    reckon: 'palm' is a rule for operations: reckon flops MODEL --as knows it
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --as zeroo
    reckon: no convention is called 'zeroo' (--as all lists them); did you mean 'zero'?
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon flops gpt2 --as palm --depth 1
    reckon: --as palm has a table of its own, in which --depth has no say: leave one out
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --as palm --unit mac
    reckon: --as already says what counts: leave out --count, --causal and --unit
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon memory gpt2 --devices 8
    reckon: --devices is for the rules of others (--as); what each of several holds: 'reckon fit gpt2 --devices 8 --device h100-80gb'
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --as zero --within 80GB
    reckon: --as zero has a table of its own, in which --within has no say: leave one out
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon flops block --as palm
    reckon: D (width), F (FFN width) have no value: set them, as in D=4096
    [1]

A file of conventions beside the models of a user's own; mistakes in it are shown with their line:

    $ mkdir -p mine/data && cp $TOP/data/conventions.tsv whole.tsv
    $ printf 'ours\t=\tforward\tFLOP\ttoken\tour wiki\t2N/3\ta third of it\nours\tffn\tfloor(2·params·tokens/3)\n' > mine/data/conventions.tsv
    $ RECKON_MODELS=mine reckon flops gpt2 --as all | tail -n 4
    ours  forward  38,654,705,664  0.133  attention projections, attention products, output head: not
                                          counted; FFN: ×1/3

    --as NAME shows one of them line by line.
    $ printf 'ours\tffn\tflops\n' > mine/data/conventions.tsv
    $ RECKON_MODELS=mine reckon flops gpt2 --as all
    reckon: data/conventions.tsv: line 1: no line with = comes before that of 'ours'
    [1]
    $ sed 's/2·params/2·parms/' whole.tsv > mine/data/conventions.tsv
    $ RECKON_MODELS=mine reckon flops gpt2 --as all
    reckon: convention '2nd': data/conventions.tsv: line 9: formula '2·parms·tokens': 'parms' is no fact of a model; did you mean 'params'?
    [1]
    $ sed 's/attention,conv/atention,conv/' whole.tsv > mine/data/conventions.tsv
    $ RECKON_MODELS=mine reckon flops gpt2 --as all
    reckon: data/conventions.tsv: line 9: there is no class 'atention'
    [1]
    $ sed 's|flops/2|flops/(2|' whole.tsv > mine/data/conventions.tsv
    $ RECKON_MODELS=mine reckon flops gpt2 --as all
    reckon: convention 'kaplan': data/conventions.tsv: line 48: formula 'flops/(2': expected ')' at the end of '§flops/(2'
    [1]
    $ sed 's|flops/2|flops/0|' whole.tsv > mine/data/conventions.tsv
    $ RECKON_MODELS=mine reckon flops gpt2 --as all
    reckon: convention 'kaplan': data/conventions.tsv: line 48: formula 'flops/0': division by zero
    [1]
    $ printf 'no tabs' > mine/data/conventions.tsv
    $ RECKON_MODELS=mine reckon flops gpt2 --as all
    reckon: data/conventions.tsv: line 1: columns are separated by tabs, which are missing in 'no tabs'
    [1]
    $ printf 'a\033[31m\t=\n' > mine/data/conventions.tsv
    $ RECKON_MODELS=mine reckon flops gpt2 --as all
    reckon: data/conventions.tsv: line 1: a control character stands in 'a\x1b[31m\x09='
    [1]
