A model in one look:

    $ reckon gpt2-xl
    gpt2-xl: learned positions, biases, weights stored [in out], fused query, key and value, tied head
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index; a multiply and its add are two; masked attention as the full square.

    parameters       1,557,611,200  1.56 billion  12LD² + 13LD + DV + DC + 2D
    forward      3,506,703,564,800    3.51 TFLOP  24BSLD² + 4BS²LD + 2BSDV
    backward     7,013,407,129,600    7.01 TFLOP  48BSLD² + 8BS²LD + 4BSDV
    step        10,520,110,694,400    10.5 TFLOP  72BSLD² + 12BS²LD + 6BSDV

                 times            forward  share
    layers          48  3,342,021,427,200  95.3%
      attention     48  1,328,755,507,200  37.9%
      ffn           48  2,013,265,920,000  57.4%
    head.logits      1    164,682,137,600   4.7%

      B       1  sequences in the batch
      S   1,024  tokens of a sequence
      L      48  layers
      D   1,600  width
      V  50,257  vocabulary
      C   1,024  learned positions
    $ reckon mixtral A=2 E=8
    mixtral: as Llama, with A of E experts in every layer
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Counted: products that sum over an index; a multiply and its add are two; masked attention as the full square.

    parameters             46,702,792,704  46.7 billion  2LD² + 2LDKH + 3LDFE + LDE + 2LD + 2DV + D
    active per token       12,879,925,248  12.9 billion  2LD² + 2LDKH + 3LDFA + LDE + 2LD + 2DV + D
    forward           113,232,517,791,744     113 TFLOP  4BSLD² + 4BS²LD + 4BSLDKH + 6BSLDFA + 2BSLDE + 2BSDV
    backward          226,465,035,583,488     226 TFLOP  8BSLD² + 8BS²LD + 8BSLDKH + 12BSLDFA + 4BSLDE + 4BSDV
    step              339,697,553,375,232     340 TFLOP  12BSLD² + 12BS²LD + 12BSLDKH + 18BSLDFA + 6BSLDE + 6BSDV

                 times              forward  share
    layers          32  112,158,775,967,744  99.1%
      attention     32   19,791,209,299,968  17.5%
      ffn           32   92,367,566,667,776  81.6%
    head.logits      1    1,073,741,824,000   0.9%

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
    $ reckon gpt2 S=512 --format json
    {
      "model": "gpt2",
      "family": "gpt2",
      "text": "learned positions, biases, weights stored [in out], fused query, key and value, tied head",
      "symbols": {"L": 12, "D": 768, "V": 50257, "N": 12, "H": 64, "F": 3072, "C": 1024, "B": 1, "S": 512, "T": 512},
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "parameters": {"stored": 124439808, "named": 163037184, "active": 124439808},
      "forward": {"total": 136160477184, "formula": "24BSLD² + 4BS²LD + 2BSDV"},
      "backward": {"total": 272320954368, "formula": "48BSLD² + 8BS²LD + 4BSDV"},
      "step": {"total": 408481431552, "formula": "72BSLD² + 12BS²LD + 6BSDV"}
    }
    $ reckon block
    reckon: D (width), F (FFN width) have no value: set them, as in D=4096
    [1]
