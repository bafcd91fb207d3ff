An account of a model in which two figures are wrong; nothing in it is an equation:

    $ cat > account.md <<'END'
    > # GPT-2 XL, from memory
    > In total it has 1,557,611,200 parameters: 5.80 GB in fp32.
    > ## Per block, at 1,024 tokens
    > - QKV projection: 15,728,640,000 FLOPs
    > - scores: 6,710,886,400 FLOPs
    > - attention weights @ V: 3,355,443,200 FLOPs
    > - output projection: 5,242,880,000 FLOPs
    > - MLP: 41,943,040,000 FLOPs
    > ## All of it
    > The blocks take 3.34 TFLOPs, the LM head takes 165 GFLOPs, and the total is 3.56 TFLOPs.
    > ## GPT-2 (L = 12, D = 768, N = 12)
    > The blocks take 212,600,881,152 FLOPs and the LM head takes 79,047,426,048 FLOPs.
    > END
    $ reckon check account.md
    account.md: 0 wrong, 2 doubtful, 11 right

    Doubtful:
    line
       5  6,710,886,400 FLOPs  if gpt2-xl is meant, it is 3,355,443,200: attention scores (QKᵀ), forward
                               FLOPs, one of 48 layers: 2BS²D; what is stated is twice that
      10  3.56 TFLOPs          if gpt2-xl is meant, it is 3,506,703,564,800 (3.5067 TFLOPs): the whole
                               model, forward FLOPs: 24BSLD² + 4BS²LD + 2BSDV

    Taken as gpt2-xl, S = 1,024, from line 1: 10 figures are its own, 2 not.
    $ reckon check account.md --model gpt2-xl
    account.md: 2 wrong, 11 right

    line 5, column 11
      - scores: 6,710,886,400 FLOPs
                ^^^^^^^^^^^^^^^^^^^
      says 6,710,886,400 FLOPs; it is 3,355,443,200: attention scores (QKᵀ), forward FLOPs, one of 48
      layers: 2BS²D; what is stated is twice that

    line 10, column 77
      The blocks take 3.34 TFLOPs, the LM head takes 165 GFLOPs, and the total is 3.56 TFLOPs.
                                                                                  ^^^^^^^^^^^
      says 3.56 TFLOPs; it is 3,506,703,564,800 (3.5067 TFLOPs): the whole model, forward FLOPs: 24BSLD²
      + 4BS²LD + 2BSDV
    [1]
    $ reckon check account.md --model gpt2-xl --all
    account.md: 2 wrong, 11 right

    line 5, column 11
      - scores: 6,710,886,400 FLOPs
                ^^^^^^^^^^^^^^^^^^^
      says 6,710,886,400 FLOPs; it is 3,355,443,200: attention scores (QKᵀ), forward FLOPs, one of 48
      layers: 2BS²D; what is stated is twice that

    line 10, column 77
      The blocks take 3.34 TFLOPs, the LM head takes 165 GFLOPs, and the total is 3.56 TFLOPs.
                                                                                  ^^^^^^^^^^^
      says 3.56 TFLOPs; it is 3,506,703,564,800 (3.5067 TFLOPs): the whole model, forward FLOPs: 24BSLD²
      + 4BS²LD + 2BSDV

    line
       2  right  1,557,611,200          the whole model, parameters: 12LD² + 13LD + DV + DC + 2D
       2  right  5.80 GB                1,557,611,200 × fp32, with powers of 1,024
       2  right  5.80 GB                the whole model, parameters, 4 bytes each (fp32): 48LD² + 52LD +
                                        4DV + 4DC + 8D; in powers of 1,024, which is GiB, not GB
       4  right  15,728,640,000 FLOPs   query, key and value projection, forward FLOPs, one of 48
                                        layers: 6BSD²
       5  wrong  6,710,886,400 FLOPs    attention scores (QKᵀ), forward FLOPs, one of 48 layers: 2BS²D;
                                        what is stated is twice that
       6  right  3,355,443,200 FLOPs    attention weights times values, forward FLOPs, one of 48 layers:
                                        2BS²D
       7  right  5,242,880,000 FLOPs    attention output projection, forward FLOPs, one of 48 layers:
                                        2BSD²
       8  right  41,943,040,000 FLOPs   FFN, forward FLOPs, one of 48 layers: 16BSD²
      10  right  3.34 TFLOPs            layers, forward FLOPs, all 48 layers: 24BSLD² + 4BS²LD
      10  right  165 GFLOPs             LM head, forward FLOPs: 2BSDV
      10  wrong  3.56 TFLOPs            the whole model, forward FLOPs: 24BSLD² + 4BS²LD + 2BSDV
      12  right  212,600,881,152 FLOPs  layers, forward FLOPs, all 12 layers, at L = 12, D = 768, N =
                                        12: 24BSLD² + 4BS²LD
      12  right  79,047,426,048 FLOPs   LM head, forward FLOPs, at L = 12, D = 768, N = 12: 2BSDV
    [1]

For programs:

    $ reckon check account.md --model gpt2-xl --format json
    {
      "version": 1,
      "file": "account.md",
      "claims": [
        {"line": 2, "column": 17, "kind": "model", "status": "right", "text": "1,557,611,200", "stated": 1557611200, "found": 1557611200, "note": "the whole model, parameters: 12LD² + 13LD + DV + DC + 2D", "quantity": "the whole model, parameters", "formula": "12LD² + 13LD + DV + DC + 2D"},
        {"line": 2, "column": 43, "kind": "equation", "status": "right", "text": "5.80 GB", "stated": 5800000000, "found": 5800000000, "note": "1,557,611,200 × fp32, with powers of 1,024"},
        {"line": 2, "column": 43, "kind": "model", "status": "right", "text": "5.80 GB", "stated": 5800000000, "found": 6230444800, "note": "the whole model, parameters, 4 bytes each (fp32): 48LD² + 52LD + 4DV + 4DC + 8D; in powers of 1,024, which is GiB, not GB", "quantity": "the whole model, parameters, 4 bytes each (fp32)", "formula": "48LD² + 52LD + 4DV + 4DC + 8D"},
        {"line": 4, "column": 19, "kind": "model", "status": "right", "text": "15,728,640,000 FLOPs", "stated": 15728640000, "found": 15728640000, "note": "layers.attention.qkv, forward FLOPs, one of 48 layers: 6BSD²", "quantity": "layers.attention.qkv, forward FLOPs, one of 48 layers", "formula": "6BSD²"},
        {"line": 5, "column": 11, "kind": "model", "status": "wrong", "text": "6,710,886,400 FLOPs", "stated": 6710886400, "found": 3355443200, "note": "layers.attention.scores, forward FLOPs, one of 48 layers: 2BS²D; what is stated is twice that", "quantity": "layers.attention.scores, forward FLOPs, one of 48 layers", "formula": "2BS²D"},
        {"line": 6, "column": 26, "kind": "model", "status": "right", "text": "3,355,443,200 FLOPs", "stated": 3355443200, "found": 3355443200, "note": "layers.attention.context, forward FLOPs, one of 48 layers: 2BS²D", "quantity": "layers.attention.context, forward FLOPs, one of 48 layers", "formula": "2BS²D"},
        {"line": 7, "column": 22, "kind": "model", "status": "right", "text": "5,242,880,000 FLOPs", "stated": 5242880000, "found": 5242880000, "note": "layers.attention.output, forward FLOPs, one of 48 layers: 2BSD²", "quantity": "layers.attention.output, forward FLOPs, one of 48 layers", "formula": "2BSD²"},
        {"line": 8, "column": 8, "kind": "model", "status": "right", "text": "41,943,040,000 FLOPs", "stated": 41943040000, "found": 41943040000, "note": "layers.ffn, forward FLOPs, one of 48 layers: 16BSD²", "quantity": "layers.ffn, forward FLOPs, one of 48 layers", "formula": "16BSD²"},
        {"line": 10, "column": 17, "kind": "model", "status": "right", "text": "3.34 TFLOPs", "stated": 3340000000000, "found": 3342021427200, "note": "layers, forward FLOPs, all 48 layers: 24BSLD² + 4BS²LD", "quantity": "layers, forward FLOPs, all 48 layers", "formula": "24BSLD² + 4BS²LD"},
        {"line": 10, "column": 48, "kind": "model", "status": "right", "text": "165 GFLOPs", "stated": 165000000000, "found": 164682137600, "note": "head.logits, forward FLOPs: 2BSDV", "quantity": "head.logits, forward FLOPs", "formula": "2BSDV"},
        {"line": 10, "column": 77, "kind": "model", "status": "wrong", "text": "3.56 TFLOPs", "stated": 3560000000000, "found": 3506703564800, "note": "the whole model, forward FLOPs: 24BSLD² + 4BS²LD + 2BSDV", "quantity": "the whole model, forward FLOPs", "formula": "24BSLD² + 4BS²LD + 2BSDV"},
        {"line": 12, "column": 17, "kind": "model", "status": "right", "text": "212,600,881,152 FLOPs", "stated": 212600881152, "found": 212600881152, "note": "layers, forward FLOPs, all 12 layers, at L = 12, D = 768, N = 12: 24BSLD² + 4BS²LD", "quantity": "layers, forward FLOPs, all 12 layers", "formula": "24BSLD² + 4BS²LD"},
        {"line": 12, "column": 61, "kind": "model", "status": "right", "text": "79,047,426,048 FLOPs", "stated": 79047426048, "found": 79047426048, "note": "head.logits, forward FLOPs, at L = 12, D = 768, N = 12: 2BSDV", "quantity": "head.logits, forward FLOPs", "formula": "2BSDV"}
      ],
      "wrong": 2,
      "slip": 0,
      "doubtful": 0,
      "right": 11,
      "unknown": 0,
      "unbound": 0,
      "ignored": 0,
      "skipped": [],
      "open": [],
      "models": []
    }
    [1]
    $ reckon check account.md --model gpt2-xl --format csv | head -3
    line,column,kind,status,text,stated,found,note,quantity,formula,cell,output
    2,17,model,right,"1,557,611,200",1557611200,1557611200,"the whole model, parameters: 12LD² + 13LD + DV + DC + 2D","the whole model, parameters",12LD² + 13LD + DV + DC + 2D,,
    2,43,equation,right,5.80 GB,5800000000,5800000000,"1,557,611,200 × fp32, with powers of 1,024",,,,

Formulas; letters are matched by what the text says of them, or as the line says:

    $ cat > letters.md <<'END'
    > Let `T` be the sequence length and `d` the model dimension.
    > - scores, per block: `2T²d` FLOPs
    > - FFN, per block: `4Td·d_ff` FLOPs
    > - output projection, per block: `2Td²` FLOPs
    > - query projection, per block: `2Td²` FLOPs
    > END
    $ reckon check letters.md --model cs336-xl --all
    letters.md: 1 wrong, 3 right

    line 3, column 20
      - FFN, per block: 4Td·d_ff FLOPs
                        ^^^^^^^^^^^^^^
      says 4Td·d_ff FLOPs; it is 24BSD²: FFN, forward FLOPs, one of 48 layers; what is stated is only
      (gate + down)

    line
       2  right  2T²d FLOPs      attention scores (QKᵀ), forward FLOPs, one of 48 layers
       3  wrong  4Td·d_ff FLOPs  FFN, forward FLOPs, one of 48 layers; what is stated is only (gate +
                                 down)
       4  right  2Td² FLOPs      attention output projection, forward FLOPs, one of 48 layers
       5  right  2Td² FLOPs      query projection, forward FLOPs, one of 48 layers
    [1]
    $ reckon check letters.md --model cs336-xl --let T=S,d=D
    letters.md: 1 wrong, 3 right

    line 3, column 20
      - FFN, per block: 4Td·d_ff FLOPs
                        ^^^^^^^^^^^^^^
      says 4Td·d_ff FLOPs; it is 24BSD²: FFN, forward FLOPs, one of 48 layers; what is stated is only
      (gate + down)
    [1]
    $ reckon check letters.md --model cs336-xl --let T=Q
    reckon: --let: cs336-xl has no symbol 'Q'.  It has L, D, V, N, H, F, B, S, T.
    [1]
    $ reckon check letters.md --model cs336-xl --let T
    reckon: --let: 'T' is not LETTER=SYMBOL, as in --let d=D,T=S
    reckon: 'reckon help check' says how it is used
    [2]
    $ reckon check letters.md --let T=S
    reckon: --let says what letters are in a model: which one?  Give it with --model MODEL
    reckon: 'reckon help check' says how it is used
    [2]
    $ reckon check letters.md S=12
    reckon: 'S=12' sets a size of a model: which one?  Give it with --model MODEL
    reckon: 'reckon help check' says how it is used
    [2]
    $ reckon check letters.md --model block
    reckon: D (width), F (FFN width) have no value: set them, as in D=4096
    [1]
    $ reckon check letters.md --model gpt2-xll
    reckon: no model is called 'gpt2-xll'; did you mean 'gpt2-xl'?
    [1]

Sizes that a text states are checked where three and more that stand together are the model's and one is not:

    $ cat > sizes.md <<'END'
    > Llama 3 70B has 80 layers, a hidden size of 8192, 64 attention heads, 16 KV heads and head_dim 128.
    > - layers: 80
    > - hidden size: 8192
    > - vocabulary size: 128,000
    > END
    $ reckon check sizes.md --model llama-3-70b
    sizes.md: 1 wrong, 0 right; 1 figure left open

    line 1, column 71
      … 70B has 80 layers, a hidden size of 8192, 64 attention heads, 16 KV heads and head_dim 128.
                                                                      ^^
      says 16; it is 8: key/value heads (K)

    Left open, as it is not clear which quantity of llama-3-70b is meant; the nearest:
    line
       4  128,000  the whole model, numbers of the cache of one token: 163,840
    [1]

A figure of which it is not clear what it is stands in a list, with what is nearest:

    $ printf 'About 12,345,678 of something.\n' > open.md
    $ reckon check open.md --model gpt2
    open.md: nothing in it that could be checked; 1 figure left open

    Left open, as it is not clear which quantity of gpt2 is meant; the nearest:
    line
       1  12,345,678  attention scores (QKᵀ), numbers of its result, one of 12 layers: 12,582,912

Heads that share keys and values have no cache of their own each:

    $ printf 'KV cache per token of Llama 3 8B: 2 × 32 × 32 × 128 × 2 bytes = 524,288 bytes\n' > cache.md
    $ reckon check cache.md --model llama-3-8b
    cache.md: 1 wrong, 1 right

    line 1, column 35
      KV cache per token of Llama 3 8B: 2 × 32 × 32 × 128 × 2 bytes = 524,288 bytes
                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      says 524,288 bytes; it is 131,072: 32 heads share the keys and values of 8: each has none of its
      own
    [1]
    $ reckon check cache.md
    cache.md: 0 wrong, 1 right

    It speaks of llama-3-8b (line 1); too few figures there are such a model's to say more.  --model
    llama-3-8b compares all.
