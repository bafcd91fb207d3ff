A number that is exactly twice a row:
    $ reckon identify 6710886400 gpt2-xl
    gpt2-xl: what is 6710886400?
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    Exactly twice layers.attention.scores, forward FLOPs, one of 48 layers:
      2 × 2BS²D = 6,710,886,400

    4 candidates, the simplest first:
                quantity                                                     formula               value
    twice       layers.attention.scores, forward FLOPs, one of 48 layers     2 × 2BS²D     6,710,886,400
    twice       layers.attention.context, forward FLOPs, one of 48 layers    2 × 2BS²D     6,710,886,400
                layers.attention (scores + context), forward FLOPs, one of   4BS²D         6,710,886,400
                48 layers
    a third of  layers.attention.output, backward FLOPs, all 48 layers, per  1/3 × 4BSLDH  6,710,886,400
                head

Rounded, of the whole model:

    $ reckon identify 3.5e12 gpt2-xl
    gpt2-xl: what is 3.5e12?
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    A rounded number: any value from 3,450,000,000,000 to 3,550,000,000,000 rounds to it.

    About the whole model, forward FLOPs:
      24BSLD² + 4BS²LD + 2BSDV = 3,506,703,564,800

    8 candidates, the simplest first:
                  quantity                          formula                                        value
                  the whole model, forward FLOPs    24BSLD² + 4BS²LD + 2BSDV           3,506,703,564,800
                  the whole model, forward FLOPs,   24BSLD² + 4BS²LD + 4BS²LN +        3,516,229,222,400
                  every operation counted           57BSLD + 2BSDV + 6BSD
                  layers.attention, FLOPs of a      24BSLD² + 6BS²LD + 6BSLD           3,503,554,560,000
                  step, all 48 layers, only pairs
                  that the mask allows
    a third of    the whole model, FLOPs of a       1/3 × (72BSLD² + 12BS²LD + 78BSLD  3,508,754,841,600
                  step, as 'nanogpt-mfu' counts     + 6BSDV + 12BSD)
    a third of    the whole model, FLOPs of a       1/3 × (72BSLD² + 12BS²LD + 78BSLD  3,508,754,841,600
                  step, as 'torchtitan' counts      + 6BSDV + 12BSD)
    a third of    the whole model, FLOPs of a       1/3 × (72BSLD² + 12BS²LD + 78BSLD  3,512,110,284,800
                  step, as 'palm' counts            + 6BSDV + 6BSDC + 12BSD)
    half of       the whole model, backward FLOPs,  1/2 × (48BSLD² + 8BS²LD + 4BS²LN   3,513,200,640,000
                  every operation counted           + 101BSLD + 4BSDV + 11BSD)
    a quarter of  the whole model, FLOPs of a       1/4 × (96BSLD² + 16BS²LD + 6BSDV)  3,465,533,030,400
                  step, as 'megatron-2021' counts

One of several kinds of layers, and what several kinds are together:

    $ reckon identify 187114496 deepseek-v3
    deepseek-v3: what is 187114496?
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    Exactly layers[0-2].attention, parameters, one of 3 layers:
      DNW + DQ + DC + DR + D + NQP + NQR + NCP + NCW + Q + C = 187,114,496

    2 candidates, the simplest first:
    quantity                                              formula           value
    layers[0-2].attention, parameters, one of 3 layers    (11 terms)  187,114,496
    layers[3-60].attention, parameters, one of 58 layers  (11 terms)  187,114,496
    $ reckon identify 11413984256 parameters deepseek-v3
    deepseek-v3: what is 11413984256 parameters?
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    Exactly layers.attention, parameters, all layers:
      61DNW + 61DQ + 61DC + 61DR + 61D + 61NQP + 61NQR + 61NCP + 61NCW + 61Q + 61C = 11,413,984,256

    1 candidate:
    quantity                                  formula              value
    layers.attention, parameters, all layers  (11 terms)  11,413,984,256

Sizes are those of the line:

    $ reckon identify 53687091200 gpt2-xl B=8 S=1K
    gpt2-xl: what is 53687091200?
    B = 8 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    Exactly twice layers.attention.scores, forward FLOPs, one of 48 layers:
      2 × 2BS²D = 53,687,091,200

    5 candidates, the simplest first:
                 quantity                                                   formula                value
    twice        layers.attention.scores, forward FLOPs, one of 48 layers   2 × 2BS²D     53,687,091,200
    twice        layers.attention.context, forward FLOPs, one of 48 layers  2 × 2BS²D     53,687,091,200
                 layers.attention (scores + context), forward FLOPs, one    4BS²D         53,687,091,200
                 of 48 layers
    a third of   layers.attention.output, backward FLOPs, all 48 layers,    1/3 × 4BSLDH  53,687,091,200
                 per head
    B (8) times  layers.attention (qkv + output), forward FLOPs, one of 48  B × 8BSDH     53,687,091,200
                 layers, per head
    $ reckon identify 3506703564800 gpt2-xl B=8
    gpt2-xl: what is 3506703564800?
    B = 8 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    Exactly the whole model, forward FLOPs, per sequence:
      24SLD² + 4S²LD + 2SDV = 3,506,703,564,800

    1 candidate:
    quantity                                      formula                            value
    the whole model, forward FLOPs, per sequence  24SLD² + 4S²LD + 2SDV  3,506,703,564,800
    $ reckon identify 55% cs336-xl S=16K
    cs336-xl: what is 55%?
    B = 1 sequences in the batch, S = 16,384 tokens of a sequence
    S = 16,384 is beyond the context of 1,024 tokens that the config gives.
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    About layers.attention (scores + context), share of the forward FLOPs of the whole model:
      2SL/(16LD + 2SL + V) = 55.15%

    1 candidate:
    quantity                                                                formula                value
    layers.attention (scores + context), share of the forward FLOPs of the  2SL/(16LD + 2SL + V)  55.15%
    whole model

Units narrow what is looked for, and may stand after the number; GB for GiB is seen:

    $ reckon identify 7.92 GB cs336-xl
    cs336-xl: what is 7.92 GB?
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    A rounded number: any value from 7,915,000,000 to 7,925,000,000 rounds to it.

    With its unit in powers of 1,024, about the whole model, parameters, 4 bytes each (fp32):
      64LD² + 8LD + 8DV + 4D = 8,508,230,400

    11 candidates, the 10 simplest (--all shows more):
                  quantity                             formula                                     value
                  the whole model, parameters, 4       64LD² + 8LD + 8DV + 4D              8,508,230,400
                  bytes each (fp32), in powers of
                  1,024
                  the whole model, bytes of AdamW's    64LD² + 8LD + 8DV + 4D              8,508,230,400
                  state, as PyTorch does in bf16,
                  attention fused, in powers of 1,024
                  the whole model, bytes of AdamW's    64LD² + 8LD + 8DV + 4D              8,508,230,400
                  state, as PyTorch does in bf16,
                  attention eager, in powers of 1,024
                  the whole model without              64LD² + 8LD + 8DV                   8,508,224,000
                  ln_final.weight, parameters, 4
                  bytes each (fp32), in powers of
                  1,024
    half of       the whole model, bytes of weights,   1/2 × (128LD² + 16LD + 16DV + 8D)   8,508,230,400
                  gradients and optimizer, as
                  'accelerate-fp16' counts, in powers
                  of 1,024
    half of       the whole model, bytes of AdamW's    1/2 × (128LD² + 16LD + 16DV + 8D)   8,508,230,400
                  state, by the book in fp32, in
                  powers of 1,024
    half of       the whole model, bytes of AdamW's    1/2 × (128LD² + 16LD + 16DV + 8D)   8,508,230,400
                  state, as PyTorch does in fp32,
                  attention fused, in powers of 1,024
    half of       the whole model, bytes of AdamW's    1/2 × (128LD² + 16LD + 16DV + 8D)   8,508,230,400
                  state, as PyTorch does in fp32,
                  attention eager, in powers of 1,024
    a quarter of  the whole model, bytes of weights,   1/4 × (256LD² + 32LD + 32DV + 16D)  8,508,230,400
                  gradients and optimizer, as 'zero'
                  counts, in powers of 1,024
    a quarter of  the whole model, bytes of weights,   1/4 × (256LD² + 32LD + 32DV + 16D)  8,508,230,400
                  gradients and optimizer, as 'fp32'
                  counts, in powers of 1,024
    $ reckon identify 160,822,400 parameters cs336-xl
    cs336-xl: what is 160,822,400 parameters?
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    Exactly twice token_embeddings.weight, parameters:
      2 × DV = 160,822,400

    3 candidates, the simplest first:
           quantity                                                                formula        value
    twice  token_embeddings.weight, parameters                                     2 × DV   160,822,400
    twice  lm_head.weight, parameters                                              2 × DV   160,822,400
           the whole model (token_embeddings.weight + lm_head.weight), parameters  2DV      160,822,400
    $ reckon identify '2*1024^2*64' gpt2-xl
    gpt2-xl: what is 2*1024^2*64?
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    Exactly layers.attention.scores, forward FLOPs, one of 48 layers, per head:
      2BS²H = 134,217,728

    3 candidates, the simplest first:
             quantity                                                           formula            value
             layers.attention.scores, forward FLOPs, one of 48 layers, per      2BS²H        134,217,728
             head
             layers.attention.context, forward FLOPs, one of 48 layers, per     2BS²H        134,217,728
             head
    half of  layers.attention (scores + context), forward FLOPs, one of 48      1/2 × 4BS²H  134,217,728
             layers, per head

An exact number with zeros at its end may be a rounded one:

    $ reckon identify 1557600000 gpt2-xl | head -n 10
    gpt2-xl: what is 1557600000?
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    Nothing is exactly that; taken as a rounded number: any value from 1,557,550,000 to 1,557,650,000
    rounds to it.

    About the whole model, parameters:
      12LD² + 13LD + DV + DC + 2D = 1,557,611,200

Nothing:

    $ reckon identify 123456789123 gpt2-xl
    gpt2-xl: what is 123456789123?
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    Nothing here is that number. Searched: 755 quantities (rows, parts, totals, parameters, activations,
    bytes of training steps, other ways of counting), and their multiples that mean something (per
    token, per head, bytes, twice, half, all layers …). The nearest:
           quantity                                                      formula                   value
    below  layers.ffn, backward FLOPs, one of 48 layers, every           32BSD² + 87BSD   84,028,620,800
           operation counted
    above  layers.ffn, FLOPs of a step, one of 48 layers                 48BSD²          125,829,120,000
    [1]
    $ reckon identify 12.3% gpt2-xl
    gpt2-xl: what is 12.3%?
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    Nothing here is that number. Searched: 539 quantities (rows, parts, totals, parameters, activations,
    bytes of training steps, other ways of counting), and their multiples that mean something (per
    token, per head, bytes, twice, half, all layers …). The nearest:
           quantity                                   formula                                      value
    below  layers.attention.context, share of the     S/2/(2D + S)                                12.12%
           forward FLOPs of layers.attention
    above  layers.attention (scores + context +       LD/(12LD + 2SL + V) + 2SL/(12LD + 2SL + V)  16.36%
           output), share of the forward FLOPs of
           the whole model
    [1]

For programs:

    $ reckon identify 27,682,406,400 cs336-xl --format json
    {
      "version": 1,
      "model": "cs336-xl",
      "symbols": {"L": 48, "D": 1600, "V": 50257, "N": 25, "H": 64, "F": 6400, "B": 1, "S": 1024, "T": 1024},
      "number": "27,682,406,400",
      "exact": true,
      "quantities": 502,
      "candidates": 2,
      "matches": [
        {"path": "layers.attention", "with": null, "what": "forward FLOPs", "kind": "flops", "occurrences": "one", "times": 48, "convention": null, "as": null, "factor": "1", "formula": "8BSD² + 4BS²D", "value": 27682406400, "cost": 1, "other_powers": false},
        {"path": "layers.attention", "with": "(k + v + scores)", "what": "forward FLOPs", "kind": "flops", "occurrences": "one", "times": 48, "convention": null, "as": null, "factor": "2", "formula": "4BSD² + 2BS²D", "value": 27682406400, "cost": 10, "other_powers": false}
      ],
      "below": {"path": "layers.attention", "with": null, "what": "forward FLOPs", "kind": "flops", "occurrences": "one", "times": 48, "convention": "only pairs that the mask allows", "value": 24330240000},
      "above": {"path": "layers.attention", "with": null, "what": "forward FLOPs", "kind": "operations", "occurrences": "one", "times": 48, "convention": "every operation counted", "value": 27805286400}
    }
    $ reckon identify 69.4% cs336-xl --format csv
    near,path,with,what,kind,occurrences,times,convention,as,factor,formula,value,cost,other_powers
    ,layers.ffn,,share of the forward FLOPs of layers,share,once,1,,,1,6D/(8D + S),0.694444,2,false
    $ reckon identify 123456789123 gpt2 --format json
    {
      "version": 1,
      "model": "gpt2",
      "symbols": {"L": 12, "D": 768, "V": 50257, "N": 12, "H": 64, "F": 3072, "C": 1024, "B": 1, "S": 1024, "T": 1024},
      "number": "123456789123",
      "exact": true,
      "quantities": 755,
      "candidates": 0,
      "matches": [],
      "below": {"path": "layers.ffn", "with": null, "what": "forward FLOPs", "kind": "operations", "occurrences": "all", "times": 12, "convention": "every operation counted", "value": 116407664640},
      "above": {"path": "", "with": null, "what": "forward FLOPs", "kind": "operations", "occurrences": "once", "times": 1, "convention": "as 'thop' counts (MACs)", "value": 126496800768}
    }
    [1]
    $ reckon identify 1600 gpt2-xl --all --format csv | wc -l
    43
    $ reckon identify 3.51e12 gpt2-xl --format md
    # gpt2-xl: what is 3.51e12?

    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

    *Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked attention as the full square (--causal).*

    A rounded number: any value from 3,505,000,000,000 to 3,515,000,000,000 rounds to it.

    About the whole model, forward FLOPs:

    24BSLD² + 4BS²LD + 2BSDV = 3,506,703,564,800

    5 candidates, the simplest first:

    | | quantity | formula | value |
    |:---|:---|:---|---:|
    | | the whole model, forward FLOPs | 24BSLD² + 4BS²LD + 2BSDV | 3,506,703,564,800 |
    | a third of | the whole model, FLOPs of a step, as 'nanogpt-mfu' counts | 1/3 × (72BSLD² + 12BS²LD + 78BSLD + 6BSDV + 12BSD) | 3,508,754,841,600 |
    | a third of | the whole model, FLOPs of a step, as 'torchtitan' counts | 1/3 × (72BSLD² + 12BS²LD + 78BSLD + 6BSDV + 12BSD) | 3,508,754,841,600 |
    | a third of | the whole model, FLOPs of a step, as 'palm' counts | 1/3 × (72BSLD² + 12BS²LD + 78BSLD + 6BSDV + 6BSDC + 12BSD) | 3,512,110,284,800 |
    | half of | the whole model, backward FLOPs, every operation counted | 1/2 × (48BSLD² + 8BS²LD + 4BS²LN + 101BSLD + 4BSDV + 11BSD) | 3,513,200,640,000 |

Bad input:

    $ reckon identify
    reckon: a number and a model are needed, as in 'reckon identify 3.5e12 gpt2-xl'
    reckon: 'reckon help identify' says how it is used
    [2]
    $ reckon identify 5
    reckon: a number and a model are needed, as in 'reckon identify 3.5e12 gpt2-xl'
    reckon: 'reckon help identify' says how it is used
    [2]
    $ reckon identify words gpt2
    reckon: 'words' is not a number above zero, as in 6710886400, 3.5e12, 1.56B, 7.92GiB or 69.4%
    [1]
    $ reckon identify 0 gpt2
    reckon: '0' is not a number above zero, as in 6710886400, 3.5e12, 1.56B, 7.92GiB or 69.4%
    [1]
    $ reckon identify NaN gpt2
    reckon: 'NaN' is not a number above zero, as in 6710886400, 3.5e12, 1.56B, 7.92GiB or 69.4%
    [1]
    $ reckon identify -5 gpt2
    reckon: '-5' is not a number above zero, as in 6710886400, 3.5e12, 1.56B, 7.92GiB or 69.4%
    [1]
    $ reckon identify -- -5 gpt2
    reckon: '-5' is not a number above zero, as in 6710886400, 3.5e12, 1.56B, 7.92GiB or 69.4%
    [1]
    $ reckon identify 1e99 gpt2
    reckon: '1e99' is beyond all that is counted here: numbers have at most 36 digits
    [1]
    $ reckon identify 123456789012345678901234567890123456789012345678901234567890 gpt2
    reckon: '1234567890123456789012345678901234567890…' is beyond all that is counted here: numbers have at most 36 digits
    [1]
    $ reckon identify 9^9^9^9 gpt2
    reckon: '9^9^9^9' cannot be worked out: products and powers of whole numbers can
    [1]
    $ reckon identify '3.5 apples' gpt2
    reckon: 'apples' is no unit: K, M, B, T, FLOPs, TFLOPs, bytes, GB, GiB, % and parameters are
    [1]
    $ reckon identify 3.5 GiB FLOPs gpt2
    reckon: 'GiB FLOPs' is no unit: K, M, B, T, FLOPs, TFLOPs, bytes, GB, GiB, % and parameters are
    [1]
    $ reckon identify 7 gtp2
    reckon: no model is called 'gtp2'; did you mean 'gpt2'?
    [1]
    $ reckon identify 7 block
    reckon: D (width), F (FFN width) have no value: set them, as in D=4096
    [1]

What people write down: an FFN without its norm, queries, keys and values together, a model without biases, a cache in bf16:

    $ reckon identify 4722432 gpt2 | sed -n '6,7p'
    Exactly layers.ffn without its norm, parameters, one of 12 layers:
      8D² + 5D = 4,722,432
    $ reckon identify 25165824 llama-3.1-8b --format csv | sed -n '2p' | cut -d, -f1-3
    ,layers.attention,(model.layers.{i}.self_attn.q_proj.weight + model.layers.{i}.self_attn.k_proj.weight + model.layers.{i}.self_attn.v_proj.weight)
    $ reckon identify 124337664 gpt2 | sed -n '6,7p'
    Exactly the whole model without biases, parameters:
      12LD² + 2LD + DV + DC + D = 124,337,664
    $ reckon identify 131072bytes llama-3.1-8b | sed -n '6,7p'
    Exactly the whole model, numbers of the cache of one token, 2 bytes each (bf16, fp16):
      4LKH = 131,072
