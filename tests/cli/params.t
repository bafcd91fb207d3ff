Parameters by layer group:

    $ reckon params gpt2-xl
    gpt2-xl: 1.56 billion parameters
    learned positions, biases, weights stored [in out], fused query, key and value, tied head

                                          shape       count  times          total   share  formula
    embed                                        82,049,600      1     82,049,600    5.3%  DV + DC
      transformer.wte.weight     50,257 × 1,600  80,411,200      1     80,411,200    5.2%  DV
      transformer.wpe.weight      1,024 × 1,600   1,638,400      1      1,638,400    0.1%  DC
    layers at transformer.h.{i}                  30,740,800     48  1,475,558,400   94.7%  12D² + 13D
      attention                                  10,249,600     48    491,980,800   31.6%  4D² + 6D
        .ln_1.weight                      1,600       1,600     48         76,800    0.0%  D
        .ln_1.bias                        1,600       1,600     48         76,800    0.0%  D
        .attn.c_attn.weight       1,600 × 4,800   7,680,000     48    368,640,000   23.7%  3D²
        .attn.c_attn.bias                 4,800       4,800     48        230,400    0.0%  3D
        .attn.c_proj.weight       1,600 × 1,600   2,560,000     48    122,880,000    7.9%  D²
        .attn.c_proj.bias                 1,600       1,600     48         76,800    0.0%  D
      ffn                                        20,491,200     48    983,577,600   63.1%  8D² + 7D
        .ln_2.weight                      1,600       1,600     48         76,800    0.0%  D
        .ln_2.bias                        1,600       1,600     48         76,800    0.0%  D
        .mlp.c_fc.weight          1,600 × 6,400  10,240,000     48    491,520,000   31.6%  4D²
        .mlp.c_fc.bias                    6,400       6,400     48        307,200    0.0%  F
        .mlp.c_proj.weight        6,400 × 1,600  10,240,000     48    491,520,000   31.6%  4D²
        .mlp.c_proj.bias                  1,600       1,600     48         76,800    0.0%  D
    head                                              3,200      1          3,200    0.0%  2D
      transformer.ln_f.weight             1,600       1,600      1          1,600    0.0%  D
      transformer.ln_f.bias               1,600       1,600      1          1,600    0.0%  D
      lm_head.weight             50,257 × 1,600           0      1              0    0.0%  tied
    ─────────────────────────────────────────────────────────────────────────────────────────────────
    total                                                           1,557,611,200  100.0%

    stored = 12LD² + 13LD + DV + DC + 2D
           = 1,557,611,200
    named  = 12LD² + 13LD + 2DV + DC + 2D
           = 1,638,022,400   tied tensors under each of their names

      L      48  layers
      D   1,600  width
      V  50,257  vocabulary
      C   1,024  learned positions

The same shape as the course's model: two-matrix FFN, tied and untied; three matrices.

    $ reckon params cs336-xl-plain-tied --depth 1
    cs336-xl-plain-tied: 1.56 billion parameters
    the course's language model: RMS norms, rotary positions, no biases; gated or plain FFN, tied or not

                 count  times          total   share  formula
    embed   80,411,200      1     80,411,200    5.2%  DV
    layers  30,723,200     48  1,474,713,600   94.8%  12D² + 2D
    head         1,600      1          1,600    0.0%  D
    ───────────────────────────────────────────────────────────
    total                      1,555,126,400  100.0%

    stored = 12LD² + 2LD + DV + D
           = 1,555,126,400
    named  = 12LD² + 2LD + 2DV + D
           = 1,635,537,600   tied tensors under each of their names

      L      48  layers
      D   1,600  width
      V  50,257  vocabulary
    $ reckon params cs336-xl-plain --depth 2 --factored
    cs336-xl-plain: 1.64 billion parameters
    the course's language model: RMS norms, rotary positions, no biases; gated or plain FFN, tied or not

                                      shape       count  times          total   share  formula
    token_embeddings.weight  50,257 × 1,600  80,411,200      1     80,411,200    4.9%  DV
    layers                                   30,723,200     48  1,474,713,600   90.2%  2D(6D + 1)
      attention                              10,241,600     48    491,596,800   30.1%  D(4D + 1)
      ffn                                    20,481,600     48    983,116,800   60.1%  D(8D + 1)
    head                                     80,412,800      1     80,412,800    4.9%  D(V + 1)
      ln_final.weight                 1,600       1,600      1          1,600    0.0%  D
      lm_head.weight         50,257 × 1,600  80,411,200      1     80,411,200    4.9%  DV
    ─────────────────────────────────────────────────────────────────────────────────────────────
    total                                                       1,635,537,600  100.0%

    stored = D(12LD + 2L + 2V + 1)
           = 1,635,537,600

      L      48  layers
      D   1,600  width
      V  50,257  vocabulary
    $ reckon params cs336-xl --depth 1
    cs336-xl: 2.13 billion parameters
    the course's language model: RMS norms, rotary positions, no biases; gated or plain FFN, tied or not

                 count  times          total   share  formula
    embed   80,411,200      1     80,411,200    3.8%  DV
    layers  40,963,200     48  1,966,233,600   92.4%  16D² + 2D
    head    80,412,800      1     80,412,800    3.8%  DV + D
    ───────────────────────────────────────────────────────────
    total                      2,127,057,600  100.0%

    stored = 16LD² + 2LD + 2DV + D
           = 2,127,057,600

      L      48  layers
      D   1,600  width
      V  50,257  vocabulary

Each tensor:

    $ reckon params gpt2 L=1 --all
    gpt2: 46.5 million parameters
    learned positions, biases, weights stored [in out], fused query, key and value, tied head

                                               shape       count
    transformer.wte.weight              50,257 × 768  38,597,376
    transformer.wpe.weight               1,024 × 768     786,432
    transformer.h.0.ln_1.weight                  768         768
    transformer.h.0.ln_1.bias                    768         768
    transformer.h.0.attn.c_attn.weight   768 × 2,304   1,769,472
    transformer.h.0.attn.c_attn.bias           2,304       2,304
    transformer.h.0.attn.c_proj.weight     768 × 768     589,824
    transformer.h.0.attn.c_proj.bias             768         768
    transformer.h.0.ln_2.weight                  768         768
    transformer.h.0.ln_2.bias                    768         768
    transformer.h.0.mlp.c_fc.weight      768 × 3,072   2,359,296
    transformer.h.0.mlp.c_fc.bias              3,072       3,072
    transformer.h.0.mlp.c_proj.weight    3,072 × 768   2,359,296
    transformer.h.0.mlp.c_proj.bias              768         768
    transformer.ln_f.weight                      768         768
    transformer.ln_f.bias                        768         768
    lm_head.weight                      50,257 × 768  38,597,376  tied to transformer.wte.weight
    ────────────────────────────────────────────────────────────────────────────────────────────
    total                                             46,473,216

    stored = 12LD² + 13LD + DV + DC + 2D
           = 46,473,216
    named  = 12LD² + 13LD + 2DV + DC + 2D
           = 85,070,592   tied tensors under each of their names

      L       1  layers
      D     768  width
      V  50,257  vocabulary
      C   1,024  learned positions
    $ reckon params gpt2 L=2 V=100 --format json
    {
      "version": 1,
      "model": "gpt2",
      "parameters": {"stored": 15040512, "named": 15117312, "active": 15040512, "trained": 15040512},
      "formula": "12LD² + 13LD + DV + DC + 2D",
      "tensors": [
        {"name": "transformer.wte.weight", "shape": [100, 768], "count": 76800},
        {"name": "transformer.wpe.weight", "shape": [1024, 768], "count": 786432},
        {"name": "transformer.h.0.ln_1.weight", "shape": [768], "count": 768},
        {"name": "transformer.h.0.ln_1.bias", "shape": [768], "count": 768},
        {"name": "transformer.h.0.attn.c_attn.weight", "shape": [768, 2304], "count": 1769472},
        {"name": "transformer.h.0.attn.c_attn.bias", "shape": [2304], "count": 2304},
        {"name": "transformer.h.0.attn.c_proj.weight", "shape": [768, 768], "count": 589824},
        {"name": "transformer.h.0.attn.c_proj.bias", "shape": [768], "count": 768},
        {"name": "transformer.h.0.ln_2.weight", "shape": [768], "count": 768},
        {"name": "transformer.h.0.ln_2.bias", "shape": [768], "count": 768},
        {"name": "transformer.h.0.mlp.c_fc.weight", "shape": [768, 3072], "count": 2359296},
        {"name": "transformer.h.0.mlp.c_fc.bias", "shape": [3072], "count": 3072},
        {"name": "transformer.h.0.mlp.c_proj.weight", "shape": [3072, 768], "count": 2359296},
        {"name": "transformer.h.0.mlp.c_proj.bias", "shape": [768], "count": 768},
        {"name": "transformer.h.1.ln_1.weight", "shape": [768], "count": 768},
        {"name": "transformer.h.1.ln_1.bias", "shape": [768], "count": 768},
        {"name": "transformer.h.1.attn.c_attn.weight", "shape": [768, 2304], "count": 1769472},
        {"name": "transformer.h.1.attn.c_attn.bias", "shape": [2304], "count": 2304},
        {"name": "transformer.h.1.attn.c_proj.weight", "shape": [768, 768], "count": 589824},
        {"name": "transformer.h.1.attn.c_proj.bias", "shape": [768], "count": 768},
        {"name": "transformer.h.1.ln_2.weight", "shape": [768], "count": 768},
        {"name": "transformer.h.1.ln_2.bias", "shape": [768], "count": 768},
        {"name": "transformer.h.1.mlp.c_fc.weight", "shape": [768, 3072], "count": 2359296},
        {"name": "transformer.h.1.mlp.c_fc.bias", "shape": [3072], "count": 3072},
        {"name": "transformer.h.1.mlp.c_proj.weight", "shape": [3072, 768], "count": 2359296},
        {"name": "transformer.h.1.mlp.c_proj.bias", "shape": [768], "count": 768},
        {"name": "transformer.ln_f.weight", "shape": [768], "count": 768},
        {"name": "transformer.ln_f.bias", "shape": [768], "count": 768},
        {"name": "lm_head.weight", "shape": [100, 768], "count": 76800, "tied_to": "transformer.wte.weight"}
      ],
      "buffers": []
    }

A block needs numbers; derive does without.

    $ reckon params block
    reckon: D (width), F (FFN width) have no value: set them, as in D=4096
    [1]
    $ reckon params block D=4096 N=32 F=11008
    block: 202 million parameters
    one block: attention with N heads, then a gated FFN; norms without weights

                          shape        count  times        total   share  formula
    attention                     67,108,864      1   67,108,864   33.2%  4D²
      q.weight    4,096 × 4,096   16,777,216      1   16,777,216    8.3%  D²
      k.weight    4,096 × 4,096   16,777,216      1   16,777,216    8.3%  D²
      v.weight    4,096 × 4,096   16,777,216      1   16,777,216    8.3%  D²
      o.weight    4,096 × 4,096   16,777,216      1   16,777,216    8.3%  D²
    ffn                          135,266,304      1  135,266,304   66.8%  3DF
      w1.weight  11,008 × 4,096   45,088,768      1   45,088,768   22.3%  DF
      w3.weight  11,008 × 4,096   45,088,768      1   45,088,768   22.3%  DF
      w2.weight  4,096 × 11,008   45,088,768      1   45,088,768   22.3%  DF
    ─────────────────────────────────────────────────────────────────────────────
    total                                            202,375,168  100.0%

    stored = 4D² + 3DF
           = 202,375,168

      D   4,096  width
      F  11,008  FFN width
    $ reckon params block D=4096
    reckon: F (FFN width) has no value: set it, as in F=4096
    [1]

One or the other:

    $ reckon params gpt2 --all --depth 2
    reckon: --all lists tensors, --depth sums them up: choose one
    reckon: 'reckon help params' says how it is used
    [2]

The image-and-text model:

    $ reckon params vlm-784 --depth 2
    vlm-784: 69.0 million parameters
    a small image-and-text model: 784 image tokens, a projector, one text layer

                                               shape  times       total   share  formula
    image                                                 1   2,773,248    4.0%  4·Lv·Dv² + 2·Lv·Dv·Fv
                                                                                   + 9·Lv·Dv + Lv·Fv
                                                                                   + Dv·C + 6·Dv
      embed                                               1     403,456    0.6%  Dv·C + 4·Dv
      layers                                              2   2,368,768    3.4%  4·Dv² + 2·Dv·Fv + 9·Dv
                                                                                   + Fv
      imageComponent.normFinal.weight            512      1         512    0.0%  Dv
      imageComponent.normFinal.bias              512      1         512    0.0%  Dv
    projector                                             1      65,664    0.1%  Dv·D + D
      projected.project.weight             128 × 512      1      65,536    0.1%  Dv·D
      projected.project.bias                     128      1         128    0.0%  D
    text                                                  1  33,031,168   47.8%  4LD² + 3LDF + 6LD + DV
                                                                                   + D
      embed                                               1  32,915,584   47.7%  DV
      layers                                              1     115,456    0.2%  4D² + 3DF + 6D
      logits.normFinal.weight                    128      1         128    0.0%  D
    head                                                  1  33,172,737   48.0%  DV + V
      logits.logits.weight             257,153 × 128      1  32,915,584   47.7%  DV
      logits.logits.bias                     257,153      1     257,153    0.4%  V
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    total                                                    69,042,817  100.0%
    (no room here for: count)

    stored = 4·Lv·Dv² + 4LD² + 2·Lv·Dv·Fv + 9·Lv·Dv + Lv·Fv + Dv·C + Dv·D + 6·Dv + 3LDF + 6LD + 2DV + 2D
               + V
           = 69,042,817

      Lv        2  image layers
      Dv      512  image width
      Fv      128  image FFN width
      C       784  learned image positions
      L         1  text layers
      D       128  text width
      V   257,153  vocabulary
      F       128  text FFN width

The layout of a published checkpoint:

    $ reckon params gpt2 --names checkpoint | sed -n 4,8p
                                    shape        count
    wte.weight               50,257 × 768   38,597,376
    wpe.weight                1,024 × 768      786,432
    h.0.ln_1.weight                   768          768
    h.0.ln_1.bias                     768          768
    $ reckon params mixtral --names checkpoint L=1 E=2 | grep experts
    as Llama, with A of E experts in every layer
    model.layers.0.block_sparse_moe.experts.0.w1.weight  14,336 × 4,096   58,720,256
    model.layers.0.block_sparse_moe.experts.1.w1.weight  14,336 × 4,096   58,720,256
    model.layers.0.block_sparse_moe.experts.0.w3.weight  14,336 × 4,096   58,720,256
    model.layers.0.block_sparse_moe.experts.1.w3.weight  14,336 × 4,096   58,720,256
    model.layers.0.block_sparse_moe.experts.0.w2.weight  4,096 × 14,336   58,720,256
    model.layers.0.block_sparse_moe.experts.1.w2.weight  4,096 × 14,336   58,720,256
      E       2       experts
      A       2       experts per token
    $ reckon params gpt2 --names other
    reckon: --names is not 'other' but one of reference|checkpoint
    reckon: 'reckon help params' says how it is used
    [2]

One file of several says so; their folder and their index have all of them:

    $ reckon params $TOP/tests/read/fixtures/sharded/model-00001-of-00002.safetensors | tail -n 1
    This is file 1 of 2: their folder, or their index, has them all.
    $ reckon params $TOP/tests/read/fixtures/sharded/model-00002-of-00002.safetensors | sed -n 2p
    1 tensor in 1 file: the header was read, the numbers were not
    $ reckon params $TOP/tests/read/fixtures/sharded | sed -n 2p
    3 tensors in 2 files: the header was read, the numbers were not
    $ reckon params $TOP/tests/read/fixtures/sharded/model.safetensors.index.json | tail -n 1
    stored in 256 bytes, 24.38 bits a weight
    $ mkdir part; cp $TOP/tests/read/fixtures/sharded/*00001-of* part; reckon params part
    reckon: part: has no config.json; as a checkpoint: part/model-00002-of-00002.safetensors: is not there, and it is one of 2 shards
    [1]
    $ cp $TOP/tests/read/fixtures/sharded/*.json part; reckon params part | tail -n 2
    stored in 176 bytes, 32.00 bits a weight
    1 tensor is in files that are not here: of these only the names are known, and they are not counted.

Sums by part are for programs, too; their totals add up to what is stored:

    $ reckon params gpt2 --depth 1 --format json
    {
      "version": 1,
      "model": "gpt2",
      "parameters": {"stored": 124439808, "named": 163037184, "active": 124439808, "trained": 124439808},
      "formula": "12LD² + 13LD + DV + DC + 2D",
      "parts": [
        {"part": "embed", "count": 39383808, "times": 1, "total": 39383808, "formula": "DV + DC"},
        {"part": "layers", "count": 7087872, "times": 12, "total": 85054464, "formula": "12D² + 13D"},
        {"part": "head", "count": 1536, "times": 1, "total": 1536, "formula": "2D"}
      ]
    }
    $ reckon params gpt2-xl --depth 2 --format json | grep -oE '"total": [0-9]+' | awk '{n += $2} END {print n}'
    1557611200
    $ reckon params gpt2-xl --format json | grep -oE '"stored": [0-9]+'
    "stored": 1557611200
