From which length on attention costs more than the FFN: the equation solved, and both sides of it.

    $ reckon cross gpt2-xl attention ffn S
    gpt2-xl: attention against ffn over S
    B = 1 sequences in the batch
    attention is larger than ffn from S = 3,201 on.

    attention = 8BSLD² + 4BS²LD
    ffn       = 16BSLD²
    equal at S = 2D = 3,200

        S          attention                ffn  larger
    3,200  6,291,456,000,000  6,291,456,000,000  equal
    3,201  6,294,405,427,200  6,293,422,080,000  attention

    From the formulas, for every whole S; both were read again on either side of it.
    L = 48 layers, D = 1,600 width
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

The other way round it is larger up to there.

    $ reckon cross gpt2-xl ffn attention S | sed -n '3p'
    ffn is larger than attention up to S = 3,199.

    $ reckon cross gpt2-xl attention ffn S --format json
    {
      "version": 1,
      "model": "gpt2-xl",
      "symbol": "S",
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "left": {"quantity": "attention", "formula": "8BSLD² + 4BS²LD"},
      "right": {"quantity": "ffn", "formula": "16BSLD²"},
      "answer": "some",
      "never": null,
      "crossings": [
        {"from": 3201, "larger": "left", "before": {"left": 6291456000000, "right": 6291456000000}, "at": {"left": 6294405427200, "right": 6293422080000}}
      ],
      "equal_at": [
        {"formula": "2D", "value": 3200}
      ],
      "searched": {"from": 1, "to": 1099511627776, "solved": true, "settled": true}
    }

    $ reckon cross gpt2-xl attention ffn S --format csv
    S,left,right,larger
    3200,6291456000000,6291456000000,equal
    3201,6294405427200,6293422080000,attention

    $ reckon cross gpt2-xl attention ffn S --format md | head -n 12
    # gpt2-xl: attention against ffn over S

    B = 1 sequences in the batch

    attention is larger than ffn from S = 3,201 on.

    ```text
    attention = 8BSLD² + 4BS²LD
    ffn       = 16BSLD²
    ```

    equal at S = 2D = 3,200

Where the cache is as large as the weights: bytes of a step, in the types of the line.

    $ reckon cross llama-3.1-8b cache weights T --phase decode
    llama-3.1-8b: cache against weights over T
    B = 1 sequences in the batch, S = 1 tokens of a sequence
    Assumed: --dtype bf16 (weights, cache), --attention sdpa; as PyTorch 2.11 with transformers 5.17.
    cache is larger than weights from T = 122,533 on.

    cache   = 4BTLKH
    weights = 4LD² + 4LDKH + 6LDF + 4LD + 4DV + 2D
    equal at T = (2LD² + 2LDKH + 3LDF + 2LD + 2DV + D) / (2BLKH) = 122,532.0625

          T           cache         weights  larger
    122,532  16,060,514,304  16,060,522,496  weights
    122,533  16,060,645,376  16,060,522,496  cache

    From the formulas, for every whole T; both were read again on either side of it.
    L = 32 layers, D = 4,096 width, V = 128,256 vocabulary, K = 8 key/value heads, H = 128 head width,
    F = 14,336 FFN width

    $ reckon cross llama-3.1-8b cache weights T --phase decode --kv-dtype fp8 B=8 | sed -n '3p'
    Assumed: --dtype bf16 (weights), --kv-dtype fp8, --attention sdpa; as PyTorch 2.11 with transformers

A window makes two equations of it, one below its width and one above.

    $ reckon cross gpt-oss-120b attention.products ffn S --causal exact
    gpt-oss-120b: attention.products against ffn over S
    B = 1 sequences in the batch
    attention.products is larger than ffn from S = 48,524 on.

    attention.products = 36BS²NH - 36BNH·min(S, W)² + 72BSNH·min(S, W) + 36BSNH + 36BNH·min(S, W)
    ffn                = 216BSDFA + 72BSDE
    equal at S = (6DFA + 2DE - 2NHW - NH + √(36D²F²A² + 24D²FEA + 4D²E² + 8N²H²W² + N²H² - 24DNHFAW -
    12DNHFA - 8DNHEW - 4DNHE)) / (2NH) = 48,523.3350, where S is at least 129

         S   attention.products                  ffn  larger
    48,523  349,018,868,219,904  349,021,265,264,640  ffn
    48,524  349,033,216,278,528  349,028,458,168,320  attention.products

    From the formulas, for every whole S; both were read again on either side of it.
    D = 2,880 width, N = 64 query heads, H = 64 head width, F = 2,880 width of one expert,
    E = 128 experts, A = 4 experts per token, W = 128 window of the sliding layers
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the pairs that its mask allows (--causal).

Symbols of the model can be asked for as well. Here the model cannot have the number itself.

    $ reckon cross gpt2-xl ffn head D
    gpt2-xl: ffn against head over D
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    ffn is larger than head from D = 131 on.

    ffn  = 16BSLD²
    head = 2BSDV
    equal at D = V/(8L) = 130.8776

      D             ffn            head  larger
    130  13,290,700,800  13,380,423,680  head
    131  13,495,959,552  13,483,350,016  ffn

    From the formulas, for every whole D.
    The model itself cannot have D there: models/gpt2.rk:12:11: D must be a multiple of n_head, but 131
    / 25 is not exact (// rounds down).
    L = 48 layers, D = 1,600 width, V = 50,257 vocabulary
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

A peak is no formula: numbers are looked at.

    $ reckon cross gpt2-xl memory.peak memory.optimizer S
    gpt2-xl: memory.peak against memory.optimizer over S
    B = 1 sequences in the batch
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    Always: memory.peak is larger than memory.optimizer for every S; memory.optimizer is not larger than
    memory.peak at any number looked at.

    Found by reading both at numbers from 1 to 1,099,511,627,776, each at most half as large again as
    the one before, and halving between them; where two changes lie between neighbours, neither is seen.

    $ reckon cross gpt2-xl memory.saved memory.weights S
    gpt2-xl: memory.saved against memory.weights over S
    B = 1 sequences in the batch
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    memory.saved is larger than memory.weights from S = 707 on.

    memory.saved   = 112BSLD + 128BLN·⌈S/32⌉ + 16BSL + 16L + 8BSD + 4BSV + 24BS + 8S + 12
    memory.weights = 48LD² + 52LD + 4DV + 4DC + 8D

      S   memory.saved  memory.weights  larger
    706  6,227,790,548   6,230,444,800  memory.weights
    707  6,236,606,776   6,230,444,800  memory.saved

    Found by reading both at numbers from 1 to 1,099,511,627,776, each at most half as large again as
    the one before, and halving between them; where two changes lie between neighbours, neither is seen.
    L = 48 layers, D = 1,600 width, V = 50,257 vocabulary, N = 25 heads, C = 1,024 learned positions

    $ reckon cross gpt2-xl head layers L
    gpt2-xl: head against layers over L
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    head is larger than layers up to L = 2.

    head   = 2BSDV
    layers = 24BSLD² + 4BS²LD

    L             head           layers  larger
    2  164,682,137,600  139,250,892,800  head
    3  164,682,137,600  208,876,339,200  layers

    Found by reading both at numbers from 1 to 98,304, each at most half as large again as the one
    before, and halving between them; where two changes lie between neighbours, neither is seen.
    L = 48 layers, D = 1,600 width, V = 50,257 vocabulary
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

Ratios are compared as they are.

    $ reckon cross gpt2-xl share:attention share:ffn S | sed -n '3,7p'
    share:attention is larger than share:ffn from S = 3,201 on.

    share:attention = (8BSLD² + 4BS²LD) / (24BSLD² + 4BS²LD + 2BSDV)
    share:ffn       = (16BSLD²) / (24BSLD² + 4BS²LD + 2BSDV)
    equal at S = 2D = 3,200

Without numbers there is still the formula.

    $ reckon cross block attention ffn S
    block: attention against ffn over S
    B = 1 sequences in the batch
    attention and ffn are equal where the formula below says; D (width), F (FFN width) have no value:
    set them, as in D=4096.

    attention = 8BSD² + 4BS²D
    ffn       = 6BSDF
    equal at S = -2D + 3F/2

    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

Never, and why.

    $ reckon cross gpt2-xl attention ffn B
    gpt2-xl: attention against ffn over B
    S = 1,024 tokens of a sequence
    Never: both grow as B, and attention stays at 0.66 of ffn.

    attention = 8BSLD² + 4BS²LD
    ffn       = 16BSLD²

    From the formulas, for every whole B.
    L = 48 layers, D = 1,600 width
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    [1]

    $ reckon cross gpt2-xl ffn attention.products+ffn S | sed -n '3p'
    Never: ffn grows slower: it grows as S, and attention.products+ffn grows as S².

    $ reckon cross gpt2-xl head layers S | sed -n '3p'
    Never: head grows slower: it grows as S, and layers grows as S².

    $ reckon cross gpt2-xl attention ffn V | sed -n '3p'
    Never: neither depends on V, and attention is smaller than ffn.

    $ reckon cross gpt2-xl ffn ffn S | sed -n '3p'
    Never: ffn and ffn are the same for every S.

    $ reckon cross gpt2-xl layers ffn S | sed -n '3p'
    Always: layers is larger than ffn for every S; ffn grows slower: it grows as S, and layers grows as

    $ reckon cross gpt2-xl layers ffn S --format csv
    S,left,right,larger

What is wrong is said.

    $ reckon cross gpt2-xl attention ffn
    reckon: a model, two quantities and a symbol are needed, as in 'reckon cross gpt2-xl attention ffn S'
    reckon: 'reckon help cross' says how it is used
    [2]

    $ reckon cross gpt2-xl attention ffn S S=4
    reckon: S is what is looked for: leave out S=4
    reckon: 'reckon help cross' says how it is used
    [2]

    $ reckon cross gpt2-xl attention ffn Q
    reckon: gpt2-xl has no symbol 'Q'; it has: L D V N H F C B S T
    [1]

    $ reckon cross gpt2-xl attentoin ffn S
    reckon: gpt2-xl has no quantity and no part 'attentoin' that counts; did you mean 'attention'?
    'reckon flops' lists the parts, 'reckon help sweep' the quantities
    [1]

    $ reckon cross gpt2-xl flops params S
    reckon: flops is a number of operations and params is a number of parameters: neither is larger
    [1]

    $ reckon cross gpt2-xl intensity share:ffn S
    reckon: intensity is a ratio of two units and share:ffn is a share: neither is larger
    [1]
