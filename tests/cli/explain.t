A row, from its line to its number:

    $ reckon explain gpt2-xl layers.attention.scores
    gpt2-xl, layers.attention.scores: forward FLOPs
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

      scores[B N S T] = q[B S N H] * k[B T N H] where mask(S, T)   # models/blocks/common.rk:59
    summed over H: 2 × B·N·S·T·H
    scores = 2BSTNH
           = 2BS²D
           = 2·1·1,024·1,024·25·64
           = 3,355,443,200

           tensor  shape        elements  saved       gradient  because
    reads  q       [B S N H]   1,638,400  yes    3,355,443,200  weights before it are trained
    reads  k       [B T N H]   1,638,400  yes    3,355,443,200  weights before it are trained
    makes  scores  [B N S T]  26,214,400  no
    Memory traffic by itself: 29,491,200 elements, each tensor read or written once.

    total = L × scores
          = 48 × 3,355,443,200
          = 2BS²LD
          = 161,061,273,600   4.6% of all forward FLOPs

    symbol  value  from                   meaning
    B           1  default                sequences in the batch
    S       1,024  default                tokens of a sequence
    T       1,024  S                      keys seen: cache and new
    L          48  n_layer of the config  layers
    D       1,600  n_embd of the config   width
    N          25  n_head of the config   heads
    H          64  D/N                    head width

The end of its name will do; a quantity may follow:

    $ reckon explain gpt2-xl attention.scores backward | sed -n '5,9p'
      scores[B N S T] = q[B S N H] * k[B T N H] where mask(S, T)   # models/blocks/common.rk:59
    2 × forward; forward summed over H: 2 × B·N·S·T·H
    scores = 4BSTNH
           = 4BS²D
           = 4·1·1,024·1,024·25·64
    $ reckon explain gpt2-xl scores step --unit mac | sed -n '1,9p'
    gpt2-xl, layers.attention.scores: forward and backward MACs
    Counted: products that sum over an index (--count); a multiply and its add are one (--unit); masked
    attention as the full square (--causal).

      scores[B N S T] = q[B S N H] * k[B T N H] where mask(S, T)   # models/blocks/common.rk:59
    3 × forward; forward summed over H: B·N·S·T·H
    scores = 3BSTNH
           = 3BS²D
           = 3·1·1,024·1,024·25·64

A line of a block, with the tensor that it uses here:

    $ reckon explain llama-3.1-8b gate S=8 | sed -n '/^  gate/,/^total/p'
      gate[B S F] = normed[B S D] * .gate_proj.weight[F D]   # models/blocks/common.rk:4
    with model.layers.{i}.mlp.gate_proj.weight
    summed over D: 2 × B·S·F·D
    gate = 2BSDF
         = 2·1·8·4,096·14,336
         = 939,524,096

           tensor                                 shape      elements  saved      gradient  because
    reads  normed                                 [B S D]      32,768  yes     939,524,096  weights
                                                                                            before it
                                                                                            are trained
    reads  model.layers.{i}.mlp.gate_proj.weight  [F D]    58,720,256  stored  939,524,096  it is
                                                                                            trained
    makes  gate                                   [B S F]     114,688  no
    Memory traffic by itself: 58,867,712 elements, each tensor read or written once.

    total = L × gate

Where nothing before an operand is trained, its gradient is not computed:

    $ reckon explain whisper-tiny first_conv | sed -n '/tensor .*shape/,/^Memory traffic/p'
           tensor                      shape         elements  saved      gradient  because
    reads  mel                         [B M Z+J-1]    240,000  yes            none  an input: nothing
                                                                                    before it is trained
    reads  model.encoder.conv1.weight  [D M J]         92,160  stored  552,960,000  it is trained
    makes  first_conv                  [B D Z]      1,152,000  no
    Memory traffic by itself: 1,484,160 elements, each tensor read or written once.
    $ reckon explain whisper-tiny encoder.front.x --count all | sed -n '/tensor .*shape/,/^Memory traffic/p'
           tensor           shape    elements  saved  gradient  because
    reads  conv_out         [B D A]   576,000  no            0  weights before it are trained
    reads  position_embeds  [A D]     576,000  no         none  nothing before it is trained
    makes  x                [B A D]   576,000  no
    Memory traffic by itself: 1,728,000 elements, each tensor read or written once.

Under another convention:

    $ reckon explain gpt2-xl scores --causal exact | sed -n '/^summed/,/^$/p'
    summed over H: 2 × B·N·S·T·H, only the causal pairs of S and T
    scores = BS²NH + BSNH
           = BS²D + BSD
           = 1·1,024²·25·64 + 1·1,024·25·64
           = 1,679,360,000
    $ reckon explain gpt2-xl layers.attention.probs --count all | sed -n '/^softmax/,/^makes/p'
    softmax: 4 for each of B·N·S·T
    probs = 4BSTN
          = 4BS²N
          = 4·1·1,024·1,024·25
          = 104,857,600

           tensor  shape        elements  saved     gradient  because
    reads  scores  [B N S T]  26,214,400  no     104,857,600  weights before it are trained
    makes  probs   [B N S T]  26,214,400  yes
    $ reckon explain gpt2-xl layers.attention.normed.bias --count all | sed -n '/^  normed/,/^Memory traffic/p'
      normed[B S D] = layernorm(x[B S D], .ln_1.weight[D], .ln_1.bias[D], D)
          # models/blocks/common.rk:8
    with transformer.h.{i}.ln_1.bias
    bias of the layernorm: 1 for each of B·S·D
    normed.bias = BSD
                = 1·1,024·1,600
                = 1,638,400

           tensor                         shape     elements  saved     gradient  because
    reads  x                              [B S D]  1,638,400  yes     11,468,800  weights before it are
                                                                                  trained
    reads  transformer.h.{i}.ln_1.weight  [D]          1,600  stored   3,276,800  it is trained
    reads  transformer.h.{i}.ln_1.bias    [D]          1,600  stored   1,638,400  it is trained
    makes  normed                         [B S D]  1,638,400  no
    Also saved: one or two numbers for each row.
    Memory traffic by itself: 3,280,000 elements, each tensor read or written once.

Layers of two kinds, together and one of them; numbers are not needed:

    $ reckon explain deepseek-v3 layers.ffn
    deepseek-v3, layers.ffn: forward FLOPs
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

    row            times               each                total  share  formula of each
    gate               3  1,082,331,758,592    3,246,995,275,776   1.6%  2BSDF
    up                 3  1,082,331,758,592    3,246,995,275,776   1.6%  2BSDF
    mixed              3  1,082,331,758,592    3,246,995,275,776   1.6%  2BSDF
    router_logits     58     15,032,385,536      871,878,361,088   0.4%  2BSDE
    gate_up           58  1,924,145,348,608  111,600,430,219,264  56.1%  4BSDMA
    down              58    962,072,674,304   55,800,215,109,632  28.0%  2BSDMA
    shared            58    360,777,252,864   20,925,080,666,112  10.5%  6BSDMX

    total = 3 × layers[0-2].ffn + 58 × layers[3-60].ffn
          = 348BSDMA + 348BSDMX + 18BSDF + 116BSDE
          = 198,938,590,183,424   51.8% of all forward FLOPs

    symbol   value  from                                 meaning
    B            1  default                              sequences in the batch
    S        4,096  default                              tokens of a sequence
    D        7,168  hidden_size of the config            width
    F       18,432  intermediate_size of the config      FFN width of the dense layers
    M        2,048  moe_intermediate_size of the config  width of one expert
    E          256  n_routed_experts of the config       experts
    A            8  num_experts_per_tok of the config    experts per token
    X            1  n_shared_experts of the config       shared experts, side by side in one FFN
    $ reckon explain deepseek-v3 'layers[0-2].ffn.gate' | sed -n '/^total/,/^$/p'
    total = 3 × gate
          = 3 × 1,082,331,758,592
          = 6BSDF
          = 3,246,995,275,776   0.8% of all forward FLOPs
    $ reckon explain deepseek-v3 layers.attention.scores | grep '^layers\|^total'
    layers[0-2].attention.scores
    layers[3-60].attention.scores
    total = 3 × layers[0-2].attention.scores + 58 × layers[3-60].attention.scores
    $ reckon explain block scores
    block, attention.scores: forward FLOPs
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

      scores[B N S T] = q[B S N H] * k[B T N H] where causal(S, T)   # models/block.rk:21
    summed over H: 2 × B·N·S·T·H
    scores = 2BSTNH
           = 2BS²D

           tensor  shape      elements  saved  gradient  because
    reads  q       [B S N H]       BSD  yes       2BS²D  weights before it are trained
    reads  k       [B T N H]       BTD  yes       2BS²D  weights before it are trained
    makes  scores  [B N S T]      BS²N  no

    It occurs once.

    symbol  value  from          meaning
    B           1  default       sequences in the batch
    S       1,024  default       tokens of a sequence
    T       1,024  S             keys seen: cache and new
    D              no value yet  width
    N              no value yet  heads
    H              D/N           head width
    $ reckon explain block attention params
    block, attention: parameters

    row       times  formula of each
    q.weight      1  D²
    k.weight      1  D²
    v.weight      1  D²
    o.weight      1  D²

    total = attention
          = 4D²

    symbol  from          meaning
    D       no value yet  width
    N       no value yet  heads
    H       D/N           head width

Tensors, by pattern, by the end of it, by full name, as published:

    $ reckon explain llama-3.1-8b 'model.layers.{i}.self_attn.k_proj.weight'
    llama-3.1-8b, model.layers.{i}.self_attn.k_proj.weight: parameters

      .k_proj.weight[KH D]   # models/blocks/common.rk:4
    KH × D
    count = DKH
          = 4,096·8·128
          = 4,194,304

    total = L × count
          = 32 × 4,194,304
          = LDKH
          = 134,217,728   1.7% of all parameters

    Its shape is 1,024 × 4,096. It is trained.

    used by             line                       times         forward
    layers.attention.k  models/blocks/common.rk:4     32  34,359,738,368

    symbol  value  from                               meaning
    L          32  num_hidden_layers of the config    layers
    D       4,096  hidden_size of the config          width
    N          32  num_attention_heads of the config  query heads
    K           8  num_key_value_heads of the config  key/value heads
    H         128  D/N; the config has no head_dim    head width
    $ reckon explain llama-3.1-8b k_proj.weight | head -n 1
    llama-3.1-8b, model.layers.{i}.self_attn.k_proj.weight: parameters
    $ reckon explain llama-3.1-8b model.layers.7.self_attn.k_proj.weight | head -n 2
    llama-3.1-8b, model.layers.7.self_attn.k_proj.weight: parameters
    One of the tensors model.layers.{i}.self_attn.k_proj.weight.
    $ reckon explain deepseek-v3 model.layers.3.mlp.experts.0.gate_proj.weight | head -n 2
    deepseek-v3, model.layers.3.mlp.experts.0.gate_proj.weight: parameters
    As published: 14,680,064 elements of the tensor model.layers.{i}.mlp.experts.gate_up_proj.
    $ reckon explain deepseek-v3 model.layers.0.input_layernorm.weight | sed -n '/^total/,/^$/p'
    total = 3 × count
          = 3 × 7,168
          = 3D
          = 21,504   0.0% of all parameters
    $ reckon explain gpt2-xl wte.weight
    gpt2-xl, transformer.wte.weight: parameters

      .wte.weight[V D]   # models/gpt2.rk:29
    V × D
    count = DV
          = 1,600·50,257
          = 80,411,200

    It occurs once: 5.2% of all parameters.

    Its shape is 50,257 × 1,600. It is trained.

    used by       line                      times          forward
    embed.tokens  models/gpt2.rk:29             1                0
    head.logits   models/blocks/head.rk:17      1  164,682,137,600

    symbol   value  from                      meaning
    D        1,600  n_embd of the config      width
    V       50,257  vocab_size of the config  vocabulary
    $ reckon explain gpt2-xl lm_head.weight | sed -n '3,5p'
      .lm_head.weight[V D]   # models/blocks/head.rk:17
    the same storage as transformer.wte.weight
    count = 0
    $ reckon explain whisper-tiny encoder.embed_positions.weight | grep shape
    Its shape is 1,500 × 384. It is frozen: not trained, and it has no gradient.

For programs, and for papers:

    $ reckon explain gpt2-xl scores --format json
    {
      "version": 1,
      "model": "gpt2-xl",
      "quantity": "flops",
      "path": "layers.attention.scores",
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "kind": "row",
      "formula": "2BS²LD",
      "total": 161061273600,
      "whole": 3506703564800,
      "share": 0.045930,
      "rows": [
        {
          "path": "layers.attention.scores",
          "file": "models/blocks/common.rk",
          "line": 59,
          "equation": "scores[B N S T] = q[B S N H] * k[B T N H] where mask(S, T)",
          "rule": "summed over H: 2 × B·N·S·T·H",
          "times": "L",
          "formula": "2BS²D",
          "value": 3355443200,
          "latex": "2BS^{2}D",
          "substituted": "2·1·1,024·1,024·25·64",
          "total": 161061273600,
          "tensors": [
            {"role": "operand", "name": "q", "shape": "[B S N H]", "elements": 1638400, "kept": true, "gradient": true, "because": "weights before it are trained", "backward": 3355443200},
            {"role": "operand", "name": "k", "shape": "[B T N H]", "elements": 1638400, "kept": true, "gradient": true, "because": "weights before it are trained", "backward": 3355443200},
            {"role": "result", "name": "scores", "shape": "[B N S T]", "elements": 26214400, "kept": false}
          ],
          "moved": 29491200
        }
      ],
      "symbols": [
        {"name": "B", "value": 1, "from": "default", "meaning": "sequences in the batch"},
        {"name": "S", "value": 1024, "from": "default", "meaning": "tokens of a sequence"},
        {"name": "T", "value": 1024, "from": "S", "meaning": "keys seen: cache and new"},
        {"name": "L", "value": 48, "from": "n_layer of the config", "meaning": "layers"},
        {"name": "D", "value": 1600, "from": "n_embd of the config", "meaning": "width"},
        {"name": "N", "value": 25, "from": "n_head of the config", "meaning": "heads"},
        {"name": "H", "value": 64, "from": "D/N", "meaning": "head width"}
      ]
    }
    $ reckon explain gpt2-xl c_proj.weight --format json
    {"error": {"code": "input", "where": null, "message": "'c_proj.weight' is the end of 2 names: transformer.h.{i}.attn.c_proj.weight, transformer.h.{i}.mlp.c_proj.weight; say more of the one you mean"}}
    [1]
    $ reckon explain gpt2-xl attn.c_proj.weight --format json
    {
      "version": 1,
      "model": "gpt2-xl",
      "quantity": "params",
      "path": "transformer.h.{i}.attn.c_proj.weight",
      "kind": "tensor",
      "formula": "LD²",
      "total": 122880000,
      "whole": 1557611200,
      "share": 0.078890,
      "rows": [
        {"path": "transformer.h.{i}.attn.c_proj.weight", "file": "models/gpt2.rk", "line": 42, "equation": ".c_proj.weight[(N H) D]", "rule": "NH × D", "times": "L", "formula": "D²", "value": 2560000, "latex": "D^{2}", "substituted": "1,600·25·64", "total": 122880000}
      ],
      "shape": [1600, 1600],
      "trained": true,
      "used_by": [
        {"path": "layers.attention.output", "file": "models/gpt2.rk", "line": 42, "times": 48, "forward": 5242880000}
      ],
      "symbols": [
        {"name": "L", "value": 48, "from": "n_layer of the config", "meaning": "layers"},
        {"name": "D", "value": 1600, "from": "n_embd of the config", "meaning": "width"},
        {"name": "N", "value": 25, "from": "n_head of the config", "meaning": "heads"},
        {"name": "H", "value": 64, "from": "D/N", "meaning": "head width"}
      ]
    }
    $ reckon explain gpt2-xl scores --format csv | tr -d '\r'
    path,layers,file,line,equation,here,tensor,rule,times,formula,value
    layers.attention.scores,,models/blocks/common.rk,59,"scores[B N S T] = q[B S N H] * k[B T N H] where mask(S, T)",,,summed over H: 2 × B·N·S·T·H,L,2BS²D,3355443200
    $ reckon explain gpt2-xl scores --format md | sed -n '/text/,/^| r/p'
    ```text
    scores = 2BSTNH
           = 2BS²D
           = 2·1·1,024·1,024·25·64
           = 3,355,443,200
    ```

    | | tensor | shape | elements | saved | gradient | because |
    |:---|:---|:---|---:|:---|---:|:---|
    | reads | `q` | `[B S N H]` | 1,638,400 | yes | 3,355,443,200 | weights before it are trained |
    ```text
    total = L × scores
          = 48 × 3,355,443,200
          = 2BS²LD
          = 161,061,273,600   4.6% of all forward FLOPs
    ```

    | symbol | value | from | meaning |
    |:---|---:|:---|:---|
    | B | 1 | default | sequences in the batch |
    | S | 1,024 | default | tokens of a sequence |
    | T | 1,024 | S | keys seen: cache and new |
    | L | 48 | n\_layer of the config | layers |
    | D | 1,600 | n\_embd of the config | width |
    | N | 25 | n\_head of the config | heads |
    | H | 64 | D/N | head width |
    $ reckon explain gpt2-xl scores --format latex | sed -n '/aligned/,/aligned/p'
    \noindent\quad$\begin{aligned}[t]
      \text{scores} &= 2BSTNH \\
      &= 2BS^{2}D \\
      &= 2 \cdot 1 \cdot 1{,}024 \cdot 1{,}024 \cdot 25 \cdot 64 \\
      &= 3{,}355{,}443{,}200
    \end{aligned}$\par
    \noindent\quad$\begin{aligned}[t]
      \text{total} &= \text{L $\times$ scores} \\
      &= \text{48 $\times$ 3,355,443,200} \\
      &= 2BS^{2}LD \\
      &= 161{,}061{,}273{,}600\quad\text{\footnotesize 4.6\% of all forward FLOPs}
    \end{aligned}$\par

Narrow paper leaves out the reasons:

    $ COLUMNS=60 reckon explain gpt2-xl scores | sed -n '/tensor/,/^Memory traffic/p'
           tensor  shape        elements  saved       gradient
    reads  q       [B S N H]   1,638,400  yes    3,355,443,200
    reads  k       [B T N H]   1,638,400  yes    3,355,443,200
    makes  scores  [B N S T]  26,214,400  no
    (no room here for: because)
    Memory traffic by itself: 29,491,200 elements, each tensor

What cannot be explained:

    $ reckon explain
    reckon: say which model, and what of it
    reckon: 'reckon help explain' says how it is used
    [2]
    $ reckon explain gpt2-xl
    reckon: say what of it: a row, a part or a tensor, as in layers.attention
    reckon: 'reckon help explain' says how it is used
    [2]
    $ reckon explain gpt2-xl scors
    reckon: gpt2-xl has no part, row or tensor 'scors'; did you mean 'scores'?
    [1]
    $ reckon explain gpt2-xl nothing-like-it
    reckon: gpt2-xl has no part, row or tensor 'nothing-like-it'; 'reckon flops' lists the rows, 'reckon params' the tensors, 'reckon memory' has caches
    [1]
    $ reckon explain gpt2-xl ''
    reckon: gpt2-xl has no part, row or tensor ''; 'reckon flops' lists the rows, 'reckon params' the tensors, 'reckon memory' has caches
    [1]
    $ reckon explain gpt2-xl layers.attention.probs
    reckon: layers.attention.probs is not counted: only products that sum over an index are; --count all counts the others
    [1]
    $ reckon explain gpt2-xl embed.tokens --count all
    reckon: embed.tokens costs nothing: it computes nothing that is counted
    [1]
    $ reckon explain gpt2-xl qkv params
    reckon: layers.attention.qkv is an operation; leave out params to see the tensors that it reads
    [1]
    $ reckon explain gpt2-xl embed flops
    reckon: embed has parameters, but no operation that is counted; ask for its params, or use --count all
    [1]
    $ reckon explain gpt2-xl bias
    reckon: 'bias' is the end of 7 names: transformer.h.{i}.ln_1.bias, transformer.h.{i}.attn.c_attn.bias, transformer.h.{i}.attn.c_proj.bias, transformer.h.{i}.ln_2.bias, transformer.h.{i}.mlp.c_fc.bias, transformer.h.{i}.mlp.c_proj.bias and 1 more; say more of the one you mean
    [1]
    $ reckon explain whisper-tiny scores
    reckon: 'scores' is the end of 3 names: encoder.layers.attention.scores, decoder.layers.attention.scores, decoder.layers.cross.scores; say more of the one you mean
    [1]
    $ reckon explain llama-3.1-8b model.layers.99.self_attn.q_proj.weight
    reckon: llama-3.1-8b has no part, row or tensor 'model.layers.99.self_attn.q_proj.weight'; did you mean 'model.layers.{i}.self_attn.q_proj.weight'?
    [1]
    $ reckon explain gpt2-xl scores flop
    reckon: the quantity is not 'flop' but one of params|flops|backward|step|saved|memory; did you mean 'flops'?
    reckon: 'reckon help explain' says how it is used
    [2]
    $ reckon explain llama config.json scores flops more
    reckon: 'more' is too much
    reckon: 'reckon help explain' says how it is used
    [2]
    $ reckon explain gpt2-xl "$(printf 'a\033[31mb')"
    reckon: gpt2-xl has no part, row or tensor 'a\x1b[31mb'; 'reckon flops' lists the rows, 'reckon params' the tensors, 'reckon memory' has caches
    [1]

A length beyond the context is said:

    $ reckon explain gpt2 scores S=2K | sed -n 2p
    S = 2,048 is beyond the context of 1,024 tokens that the config gives.
    $ reckon derive gpt2 flops S=2K | sed -n 2p
    S = 2,048 is beyond the context of 1,024 tokens that the config gives.

Bytes: what a line saves for backward, in which type, why, and until when. A norm is several operations, of which the
reference saves two:

    $ reckon explain llama-3.1-8b ffn.gate saved S=8K --recipe bf16
    llama-3.1-8b, layers.ffn.gate: bytes saved for backward
    B = 1 sequences in the batch, S = 8,192 tokens of a sequence
    Assumed: --dtype bf16 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.

      gate[B S F] = normed[B S D] * .gate_proj.weight[F D]   # models/blocks/common.rk:4
    layers.ffn.gate: normed times matrix gate_proj, B×S×F; in bf16.
    It is saved for the gradient of layers.ffn.activated, and held until that is done.
    bytes = 2BSF
          = 2·1·8,192·14,336
          = 234,881,024
    all   = 32 × 234,881,024
          = 7,516,192,768

    total = 2BSLF
          = 7,516,192,768
    7,516,192,768 bytes (7.52 GB) are 13.2% of all that is saved.

    symbol   value  from                             meaning
    B            1  default                          sequences in the batch
    S        8,192  set on the line                  tokens of a sequence
    L           32  num_hidden_layers of the config  layers
    F       14,336  intermediate_size of the config  FFN width
    $ reckon explain gpt2 layers.attention.normed saved | sed -n '5,$p'

      normed[B S D] = layernorm(x[B S D], .ln_1.weight[D], .ln_1.bias[D], D)
          # models/blocks/common.rk:8
    layers.attention.normed: layernorm of x, B×S×D; in fp32.
    It is saved for the gradient of layers.attention.qkv, and held until that is done.
    bytes = 4BSD
          = 4·1·1,024·768
          = 3,145,728
    all   = 12 × 3,145,728
          = 37,748,736

    layers.attention.normed, mean: mean of each row; in fp32.
    It is saved for the gradient of layers.attention.normed, and held until that is done.
    bytes = 4BS
          = 4·1·1,024
          = 4,096
    all   = 12 × 4,096
          = 49,152

    layers.attention.normed, rstd: 1 / standard deviation of each row; in fp32.
    It is saved for the gradient of layers.attention.normed, and held until that is done.
    bytes = 4BS
          = 4·1·1,024
          = 4,096
    all   = 12 × 4,096
          = 49,152

    total = 4BSLD + 8BSL
          = 37,847,040
    37,847,040 bytes (37.8 MB) are 3.0% of all that is saved.

    symbol  value  from                   meaning
    B           1  default                sequences in the batch
    S       1,024  default                tokens of a sequence
    L          12  n_layer of the config  layers
    D         768  n_embd of the config   width

A part is a table; a name of a part of the account is one, too; without a path it is all:

    $ reckon explain gpt2 layers.attention saved
    gpt2, layers.attention: bytes saved for backward
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.

                                          type        each  times        bytes  share  formula of each
    layers.attention.normed               fp32   3,145,728     12   37,748,736  16.6%  4BSD
    layers.attention.normed    mean       fp32       4,096     12       49,152   0.0%  4BS
    layers.attention.normed    rstd       fp32       4,096     12       49,152   0.0%  4BS
    layers.attention.qkv.bias             fp32   9,437,184     12  113,246,208  49.8%  12BSD
    layers.attention.context              fp32   3,145,728     12   37,748,736  16.6%  4BSD
    layers.attention.context   rng state  int64         16     12          192   0.0%  16
    layers.attention.context   logsumexp  fp32      49,152     12      589,824   0.3%  128BN·⌈S/32⌉
    layers.attention.x                    fp32   3,145,728     12   37,748,736  16.6%  4BSD

    total = 24BSLD + 128BLN·⌈S/32⌉ + 8BSL + 16L
          = 227,180,736
    227,180,736 bytes (227 MB) are 17.9% of all that is saved.

    symbol  value  from                   meaning
    B           1  default                sequences in the batch
    S       1,024  default                tokens of a sequence
    L          12  n_layer of the config  layers
    D         768  n_embd of the config   width
    N          12  n_head of the config   heads
    H          64  D/N                    head width
    $ reckon explain llama-3.1-8b norms saved | tail -22
    llama-3.1-8b, norms: bytes saved for backward
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Assumed: --recipe mixed (products in bf16; fp32: weights, gradients, states), --optimizer adamw,
    --attention sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.

                            type        each  times          bytes  share  formula of each
    layers.attention.rstd   fp32      16,384     32        524,288   0.0%  4BS
    layers.attention.x_hat  fp32  67,108,864     32  2,147,483,648  49.2%  4BSD
    layers.ffn.rstd         fp32      16,384     32        524,288   0.0%  4BS
    layers.ffn.x_hat        fp32  67,108,864     32  2,147,483,648  49.2%  4BSD
    head.rstd               fp32      16,384      1         16,384   0.0%  4BS
    head.x_hat              fp32  67,108,864      1     67,108,864   1.5%  4BSD

    total = 8BSLD + 8BSL + 4BSD + 4BS
          = 4,363,141,120
    4,363,141,120 bytes (4.36 GB) are 8.9% of all that is saved.

    symbol  value  from                             meaning
    B           1  default                          sequences in the batch
    S       4,096  default                          tokens of a sequence
    L          32  num_hidden_layers of the config  layers
    D       4,096  hidden_size of the config        width
    $ reckon explain gpt2 saved --recompute full --format json | sed -n '/"formula"/p;/"total"/p;/"whole"/p' | head -3
      "formula": "4BSLD + 8BSD + 4BSV + 24BS + 8S + 12",
      "total": 249925644,
      "whole": 249925644,

At the peak a line also has its weights and what the optimizer holds of them; gradients have no line of their own:

    $ reckon explain gpt2 ffn.up memory --recipe bf16
    gpt2, layers.ffn.up: bytes at the peak
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype bf16 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    The peak is in the backward pass, at loss.log_softmax.

      up[B S F] = normed[B S D] * .c_fc.weight[D F]   # models/gpt2.rk:56
    transformer.h.{i}.mlp.c_fc.weight; in bf16.
    Weights are held from step to step.
    bytes = 2DF
          = 8D²
          = 2·768·3,072
          = 4,718,592
    all   = 12 × 4,718,592
          = 56,623,104

      up[B S F] = up[B S F] + .c_fc.bias[F]   # models/gpt2.rk:57
    transformer.h.{i}.mlp.c_fc.bias; in bf16.
    Weights are held from step to step.
    bytes = 2F
          = 2·3,072
          = 6,144
    all   = 12 × 6,144
          = 73,728

      up[B S F] = normed[B S D] * .c_fc.weight[D F]   # models/gpt2.rk:56
    transformer.h.{i}.mlp.c_fc.weight.
    The optimizer holds its state from step to step.
    bytes = 4DF
          = 16D²
          = 4·768·3,072
          = 9,437,184
    all   = 12 × 9,437,184
          = 113,246,208

      up[B S F] = up[B S F] + .c_fc.bias[F]   # models/gpt2.rk:57
    transformer.h.{i}.mlp.c_fc.bias.
    The optimizer holds its state from step to step.
    bytes = 4F
          = 4·3,072
          = 12,288
    all   = 12 × 12,288
          = 147,456

    layers.ffn.up.bias: up with its bias, B×S×F; in bf16.
    It is saved for the gradient of layers.ffn.cube, and held until that is done.
    bytes = 2BSF
          = 2·1·1,024·3,072
          = 6,291,456
    all   = 12 × 6,291,456
          = 75,497,472

    total = 24LD² + 8BSLD + 24LD
          = 245,587,968
    245,587,968 bytes (246 MB) are 11.9% of the peak.

    symbol  value  from                           meaning
    B           1  default                        sequences in the batch
    S       1,024  default                        tokens of a sequence
    L          12  n_layer of the config          layers
    D         768  n_embd of the config           width
    F       3,072  4D; the config has no n_inner  FFN width
    $ reckon explain llama-3.1-8b memory --phase decode B=8 S=1 T=8K --columns path,as,type,bytes
    llama-3.1-8b: bytes at the peak
    B = 8 sequences in the batch, S = 1 tokens of a sequence, T = 8,192 keys seen: cache and new
    Assumed: --dtype bf16 (weights, cache), --attention sdpa; as PyTorch 2.11 with transformers 5.17.
    The peak is in the forward pass, at layers.attention.k.rope.

                                                      as           type           bytes
    model.embed_tokens.weight                         weights      bf16   1,050,673,152
    model.layers.{i}.input_layernorm.weight           weights      bf16         262,144
    model.layers.{i}.self_attn.q_proj.weight          weights      bf16   1,073,741,824
    model.layers.{i}.self_attn.k_proj.weight          weights      bf16     268,435,456
    model.layers.{i}.self_attn.v_proj.weight          weights      bf16     268,435,456
    model.layers.{i}.self_attn.o_proj.weight          weights      bf16   1,073,741,824
    model.layers.{i}.post_attention_layernorm.weight  weights      bf16         262,144
    model.layers.{i}.mlp.gate_proj.weight             weights      bf16   3,758,096,384
    model.layers.{i}.mlp.up_proj.weight               weights      bf16   3,758,096,384
    model.layers.{i}.mlp.down_proj.weight             weights      bf16   3,758,096,384
    model.norm.weight                                 weights      bf16           8,192
    lm_head.weight                                    weights      bf16   1,050,673,152
    workspace                                         workspace              33,554,432
    ids                                               temporaries  int64            512
    embed.x                                           temporaries  bf16          65,536
    embed.table                                       temporaries  bf16             512
    embed.table                                       temporaries  bf16             512
    layers.attention.normed.mul                       temporaries  bf16          65,536
    layers.attention.k                                temporaries  bf16          16,384
    layers.attention.v                                temporaries  bf16          16,384
    layers.attention.q.rope                           temporaries  bf16          65,536
    layers.attention.k.rope                           temporaries  bf16          16,384
    layers.ffn.x                                      temporaries  bf16          65,536
    layers.attention.v                                cache        bf16   4,294,967,296
    layers.attention.k                                cache        bf16   4,429,185,024

    total = 4LD² + 4BTLKH + 4LDKH + 6LDF + 4LD + 8BSD + 4DV + 2D + 6BSKH + 2BTKH + 8BS + 8S·⌈H/2⌉
              + 33554432
          = 24,818,541,120   and 960 that the allocator rounds up

What a framework computes in one operation saves nothing of what is inside:

    $ reckon explain gpt2 scores saved | sed -n '6,$p'
    Nothing of it is saved for the backward pass.
    $ reckon explain gpt2 probs saved --attention eager | sed -n '6,$p'
      probs[B N S T] = softmax(scores[B N S T], T)   # models/blocks/common.rk:60
    layers.attention.probs: softmax of scores, B×N×S×T; in fp32.
    It is saved for the gradient of layers.attention.probs and layers.attention.context, and held until
    that of layers.attention.probs is done.
    bytes = 4BSTN
          = 4BS²N
          = 4·1·1,024·1,024·12
          = 50,331,648
    all   = 12 × 50,331,648
          = 603,979,776

    total = 4BS²LN
          = 603,979,776
    603,979,776 bytes (604 MB) are 32.2% of all that is saved.

    symbol  value  from                   meaning
    B           1  default                sequences in the batch
    S       1,024  default                tokens of a sequence
    T       1,024  S                      keys seen: cache and new
    L          12  n_layer of the config  layers
    N          12  n_head of the config   heads

A block of the allocator is larger than what is in it:

    $ reckon explain gpt2 attention.context memory | grep -B4 'in a block'
          = 37,748,736

    layers.attention.context, rng state: seed and offset of its random numbers; in int64.
    It is saved for the gradient of layers.attention.context, and held until that is done.
    bytes = 16   in a block of 512

Only training saves, and how a step is taken says nothing of operations:

    $ reckon explain gpt2 attention saved --phase decode
    reckon: saved: only a training step saves for its backward pass; ask for memory
    reckon: 'reckon help explain' says how it is used
    [2]
    $ reckon explain gpt2 attention flops --recipe bf16
    reckon: --recipe says how a step is taken: ask for saved or memory
    reckon: 'reckon help explain' says how it is used
    [2]
    $ reckon explain gpt2 attention --reshard no
    reckon: --reshard says how a step is taken: ask for saved or memory
    reckon: 'reckon help explain' says how it is used
    [2]
    $ reckon explain gpt2 normed saved
    reckon: 'normed' is the end of 2 names: layers.attention.normed, layers.ffn.normed; say more of the one you mean
    [1]
    $ reckon explain gpt2 nonsense memory
    reckon: gpt2 has no part, row or tensor 'nonsense'; 'reckon flops' lists the rows, 'reckon params' the tensors, 'reckon memory' has caches
    [1]
    $ reckon explain gpt2 attention bytes
    reckon: the quantity is not 'bytes' but one of params|flops|backward|step|saved|memory
    reckon: 'reckon help explain' says how it is used
    [2]
