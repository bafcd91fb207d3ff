One block:

    $ reckon derive block flops
    block: forward FLOPs, line by line
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

      B      1       sequences in the batch
      S  1,024       tokens of a sequence
      T  1,024  S    keys seen: cache and new
      D              width
      N              heads
      H         D/N  head width
      F              FFN width

    attention
      q[B S N H] = normed[B S D] * .q.weight[(N H) D]
        summed over D: 2 × B·S·N·H·D
        q = 2BSD²
      k[B S N H] = normed[B S D] * .k.weight[(N H) D]
        summed over D: 2 × B·S·N·H·D
        k = 2BSD²
      v[B S N H] = normed[B S D] * .v.weight[(N H) D]
        summed over D: 2 × B·S·N·H·D
        v = 2BSD²
      scores[B N S T] = q[B S N H] * k[B T N H] where causal(S, T)
        summed over H: 2 × B·N·S·T·H
        scores = 2BS²D
      context[B S N H] = probs[B N S T] * v[B T N H]
        summed over T: 2 × B·S·N·H·T
        context = 2BS²D
      output[B S D] = context[B S N H] * .o.weight[D (N H)]
        summed over N·H: 2 × B·S·D·N·H
        output = 2BSD²
      attention = q + k + v + scores + context + output
                = 8BSD² + 4BS²D

    ffn
      gate[B S F] = normed[B S D] * .w1.weight[F D]
        summed over D: 2 × B·S·F·D
        gate = 2BSDF
      up[B S F] = normed[B S D] * .w3.weight[F D]
        summed over D: 2 × B·S·F·D
        up = 2BSDF
      down[B S D] = hidden[B S F] * .w2.weight[D F]
        summed over F: 2 × B·S·D·F
        down = 2BSDF
      ffn = gate + up + down
          = 6BSDF

    total = attention + ffn
          = 2BSD(4D + 2S + 3F)
          = 8BSD² + 4BS²D + 6BSDF
    $ reckon derive block params
    block: parameters, line by line

      B      1       sequences in the batch
      S  1,024       tokens of a sequence
      T  1,024  S    keys seen: cache and new
      D              width
      N              heads
      H         D/N  head width
      F              FFN width

    attention
      .q.weight[(N H) D]
        NH × D
        q.weight = D²
      .k.weight[(N H) D]
        NH × D
        k.weight = D²
      .v.weight[(N H) D]
        NH × D
        v.weight = D²
      .o.weight[D (N H)]
        D × NH
        o.weight = D²
      attention = q.weight + k.weight + v.weight + o.weight
                = 4D²

    ffn
      .w1.weight[F D]
        F × D
        w1.weight = DF
      .w3.weight[F D]
        F × D
        w3.weight = DF
      .w2.weight[D F]
        D × F
        w2.weight = DF
      ffn = w1.weight + w3.weight + w2.weight
          = 3DF

    total = attention + ffn
          = D(4D + 3F)
          = 4D² + 3DF
    $ reckon derive block backward | tail -n 3
    total = attention + ffn
          = 4BSD(4D + 2S + 3F)
          = 16BSD² + 8BS²D + 12BSDF
    $ reckon derive block step --factored | tail -n 3
    total = attention + ffn
          = 24BSD² + 12BS²D + 18BSDF
          = 6BSD(4D + 2S + 3F)
    $ reckon derive block-mlp flops
    block-mlp: forward FLOPs, line by line
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

      D         channels
      L         tokens
      r  4
      F     4D  MLP width

    attention
      q[L D] = normed[L D'] * .q.weight[D D']
        summed over D': 2 × L·D·D'
        q = 2D²L
      k[L D] = normed[L D'] * .k.weight[D D']
        summed over D': 2 × L·D·D'
        k = 2D²L
      v[L D] = normed[L D'] * .v.weight[D D']
        summed over D': 2 × L·D·D'
        v = 2D²L
      scores[L L'] = q[L D] * k[L' D]
        summed over D: 2 × L·L'·D
        scores = 2DL²
      context[L D] = probs[L L'] * v[L' D]
        summed over L': 2 × L·D·L'
        context = 2DL²
      output[L D] = context[L D'] * .o.weight[D D']
        summed over D': 2 × L·D·D'
        output = 2D²L
      attention = q + k + v + scores + context + output
                = 8D²L + 4DL²

    mlp
      up[L F] = normed[L D] * .fc1.weight[F D]
        summed over D: 2 × L·F·D
        up = 8D²L
      down[L D] = hidden[L F] * .fc2.weight[D F]
        summed over F: 2 × L·D·F
        down = 8D²L
      mlp = up + down
          = 16D²L

    total = attention + mlp
          = 4DL(6D + L)
          = 24D²L + 4DL²

With numbers, the value follows:

    $ reckon derive block flops D=1600 N=25 F=6400 | tail -n 4
    total = attention + ffn
          = 2BSD(4D + 2S + 3F)
          = 8BSD² + 4BS²D + 6BSDF
          = 90,596,966,400
    $ reckon derive cs336-xl-plain params | tail -n 4
    total = embed + L × layers + head
          = D(12LD + 2L + 2V + 1)
          = 12LD² + 2LD + 2DV + D
          = 1,635,537,600
    $ reckon derive cs336-xl flops | tail -n 4
    total = L × layers + head
          = 2BSD(16LD + 2SL + V)
          = 32BSLD² + 4BS²LD + 2BSDV
          = 4,513,336,524,800

One part, one row:

    $ reckon derive cs336-xl flops layers.attention
    cs336-xl, layers.attention: forward FLOPs, line by line
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

      B       1       sequences in the batch
      S   1,024       tokens of a sequence
      T   1,024  S    keys seen: cache and new
      L      48       layers
      D   1,600       width
      V  50,257       vocabulary
      N      25       heads
      H      64  D/N  head width
      F   6,400  4D   FFN width

    layers.attention, L times
      q[B S N H] = normed[B S D] * .q_proj.weight[(N H) D]
        summed over D: 2 × B·S·N·H·D
        q = 2BSD² = 5,242,880,000
      k[B S N H] = normed[B S D] * .k_proj.weight[(N H) D]
        summed over D: 2 × B·S·N·H·D
        k = 2BSD² = 5,242,880,000
      v[B S N H] = normed[B S D] * .v_proj.weight[(N H) D]
        summed over D: 2 × B·S·N·H·D
        v = 2BSD² = 5,242,880,000
      scores[B N S T] = q[B S N H] * k[B T N H] where causal(S, T)
        summed over H: 2 × B·N·S·T·H
        scores = 2BS²D = 3,355,443,200
      context[B S N H] = probs[B N S T] * v[B T N H]
        summed over T: 2 × B·S·N·H·T
        context = 2BS²D = 3,355,443,200
      output[B S D] = context[B S N H] * .output_proj.weight[D (N H)]
        summed over N·H: 2 × B·S·D·N·H
        output = 2BSD² = 5,242,880,000
      attention = q + k + v + scores + context + output
                = 8BSD² + 4BS²D = 27,682,406,400

    total = L × layers.attention
          = 4BSLD(2D + S)
          = 8BSLD² + 4BS²LD
          = 1,328,755,507,200
    $ reckon derive cs336-xl flops layers.attention.scores --causal exact | tail -n 8
      scores[B N S T] = q[B S N H] * k[B T N H] where causal(S, T)
        summed over H: 2 × B·N·S·T·H, only the causal pairs of S and T
        scores = BS²D + BSD = 1,679,360,000

    total = L × layers.attention.scores
          = BSLD(S + 1)
          = BS²LD + BSLD
          = 80,609,280,000
    $ reckon derive cs336-xl params layers.ffn | tail -n 4
    total = L × layers.ffn
          = LD(12D + 1)
          = 12LD² + LD
          = 1,474,636,800

A line of a block is shown as it is instantiated, with the names and the sizes of its caller, and where it stands:

    $ reckon derive llama flops layers.ffn | sed -n '/^layers/,/^$/p'
    layers.ffn, L times
      gate[B S F] = normed[B S D] * .gate_proj.weight[F D]   # models/blocks/common.rk:4
        with model.layers.{i}.mlp.gate_proj.weight
        summed over D: 2 × B·S·F·D
        gate = 2BSDF = 184,683,593,728
      up[B S F] = normed[B S D] * .up_proj.weight[F D]   # models/blocks/common.rk:4
        with model.layers.{i}.mlp.up_proj.weight
        summed over D: 2 × B·S·F·D
        up = 2BSDF = 184,683,593,728
      down[B S D] = hidden[B S F] * .down_proj.weight[D F]   # models/blocks/common.rk:4
        with model.layers.{i}.mlp.down_proj.weight
        summed over F: 2 × B·S·D·F
        down = 2BSDF = 184,683,593,728
      ffn = gate + up + down
          = 6BSDF = 554,050,781,184
    $ reckon derive llama params layers.ffn | sed -n '/^layers/,/^$/p'
    layers.ffn, L times
      .post_attention_layernorm.weight[D]
        D
        model.layers.{i}.post_attention_layernorm.weight = D = 4,096
      .gate_proj.weight[F D]   # models/blocks/common.rk:4
        F × D
        model.layers.{i}.mlp.gate_proj.weight = DF = 45,088,768
      .up_proj.weight[F D]   # models/blocks/common.rk:4
        F × D
        model.layers.{i}.mlp.up_proj.weight = DF = 45,088,768
      .down_proj.weight[D F]   # models/blocks/common.rk:4
        D × F
        model.layers.{i}.mlp.down_proj.weight = DF = 45,088,768
      ffn = model.layers.{i}.post_attention_layernorm.weight + model.layers.{i}.mlp.gate_proj.weight
              + model.layers.{i}.mlp.up_proj.weight + model.layers.{i}.mlp.down_proj.weight
          = 3DF + D = 135,270,400
    $ reckon derive llama flops layers.ffn.gate --format json | grep '"tensor"'
        {"path": "layers.ffn.gate", "file": "models/blocks/common.rk", "line": 4, "equation": "y[.. O] = x[.. I] * .{name}.weight[O I]", "here": "gate[B S F] = normed[B S D] * .gate_proj.weight[F D]", "tensor": "model.layers.{i}.mlp.gate_proj.weight", "rule": "summed over D: 2 × B·S·F·D", "times": "L", "formula": "2BSDF"}

For a paper, and for programs:

    $ reckon derive block flops ffn --format latex
    % To be \input into a document with \usepackage{amsmath,array,booktabs}
    \section*{block, ffn: forward FLOPs, line by line}
    {\small\noindent Counted: products that sum over an index (-{}-count); a multiply and its add are two (-{}-unit); masked attention as the full square (-{}-causal).\par}
    \medskip
    {\footnotesize\setlength{\tabcolsep}{3pt}\noindent
    \begin{tabular}{@{}lrll@{}}
    \toprule
    $B$ & $1$ &  & sequences in the batch \\
    $S$ & $1{,}024$ &  & tokens of a sequence \\
    $T$ & $1{,}024$ & $S$ & keys seen: cache and new \\
    $D$ &  &  & width \\
    $N$ &  &  & heads \\
    $H$ &  & $\frac{D}{N}\rule[-1.4ex]{0pt}{4.2ex}$ & head width \\
    $F$ &  &  & FFN width \\
    \bottomrule
    \end{tabular}\par}
    \medskip
    \paragraph{ffn}\leavevmode\par
    \smallskip{\raggedright\frenchspacing\noindent\texttt{gate[B S F] = normed[B S D] * .w1.weight[F D]}\par}
    \noindent summed over D: 2 $\times$ B$\cdot$S$\cdot$F$\cdot$D\par
    \noindent\quad$\begin{aligned}[t]
      \text{gate} &= 2BSDF
    \end{aligned}$\par
    \smallskip{\raggedright\frenchspacing\noindent\texttt{up[B S F] = normed[B S D] * .w3.weight[F D]}\par}
    \noindent summed over D: 2 $\times$ B$\cdot$S$\cdot$F$\cdot$D\par
    \noindent\quad$\begin{aligned}[t]
      \text{up} &= 2BSDF
    \end{aligned}$\par
    \smallskip{\raggedright\frenchspacing\noindent\texttt{down[B S D] = hidden[B S F] * .w2.weight[D F]}\par}
    \noindent summed over F: 2 $\times$ B$\cdot$S$\cdot$D$\cdot$F\par
    \noindent\quad$\begin{aligned}[t]
      \text{down} &= 2BSDF
    \end{aligned}$\par
    \noindent\quad$\begin{aligned}[t]
      \text{ffn} &= \text{gate + up + down} \\
      &= 6BSDF
    \end{aligned}$\par
    \medskip
    \noindent\quad$\begin{aligned}[t]
      \text{total} &= \text{ffn} \\
      &= 6BSDF
    \end{aligned}$\par
    $ reckon derive block flops --format json
    {
      "version": 1,
      "model": "block",
      "quantity": "flops",
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "symbols": {"B": 1, "S": 1024, "T": 1024},
      "formula": "8BSD² + 4BS²D + 6BSDF",
      "latex": "8BSD^{2} + 4BS^{2}D + 6BSDF",
      "terms": [
        {
          "formula": "6BSDF",
          "latex": "6BSDF",
          "value": null,
          "parts": [
            {"part": "ffn", "formula": "6BSDF", "value": null}
          ]
        },
        {
          "formula": "8BSD²",
          "latex": "8BSD^{2}",
          "value": null,
          "parts": [
            {"part": "attention", "formula": "8BSD²", "value": null}
          ]
        },
        {
          "formula": "4BS²D",
          "latex": "4BS^{2}D",
          "value": null,
          "parts": [
            {"part": "attention", "formula": "4BS²D", "value": null}
          ]
        }
      ],
      "steps": [
        {"path": "", "times": "1", "formula": "8BSD² + 4BS²D + 6BSDF"},
        {"path": "attention", "times": "1", "formula": "8BSD² + 4BS²D"},
        {"path": "attention.q", "file": "models/block.rk", "line": 15, "equation": "q[B S N H] = normed[B S D] * .q.weight[(N H) D]", "rule": "summed over D: 2 × B·S·N·H·D", "times": "1", "formula": "2BSD²"},
        {"path": "attention.k", "file": "models/block.rk", "line": 16, "equation": "k[B S N H] = normed[B S D] * .k.weight[(N H) D]", "rule": "summed over D: 2 × B·S·N·H·D", "times": "1", "formula": "2BSD²"},
        {"path": "attention.v", "file": "models/block.rk", "line": 17, "equation": "v[B S N H] = normed[B S D] * .v.weight[(N H) D]", "rule": "summed over D: 2 × B·S·N·H·D", "times": "1", "formula": "2BSD²"},
        {"path": "attention.scores", "file": "models/block.rk", "line": 21, "equation": "scores[B N S T] = q[B S N H] * k[B T N H] where causal(S, T)", "rule": "summed over H: 2 × B·N·S·T·H", "times": "1", "formula": "2BS²D"},
        {"path": "attention.context", "file": "models/block.rk", "line": 23, "equation": "context[B S N H] = probs[B N S T] * v[B T N H]", "rule": "summed over T: 2 × B·S·N·H·T", "times": "1", "formula": "2BS²D"},
        {"path": "attention.output", "file": "models/block.rk", "line": 24, "equation": "output[B S D] = context[B S N H] * .o.weight[D (N H)]", "rule": "summed over N·H: 2 × B·S·D·N·H", "times": "1", "formula": "2BSD²"},
        {"path": "ffn", "times": "1", "formula": "6BSDF"},
        {"path": "ffn.gate", "file": "models/block.rk", "line": 28, "equation": "gate[B S F] = normed[B S D] * .w1.weight[F D]", "rule": "summed over D: 2 × B·S·F·D", "times": "1", "formula": "2BSDF"},
        {"path": "ffn.up", "file": "models/block.rk", "line": 29, "equation": "up[B S F] = normed[B S D] * .w3.weight[F D]", "rule": "summed over D: 2 × B·S·F·D", "times": "1", "formula": "2BSDF"},
        {"path": "ffn.down", "file": "models/block.rk", "line": 32, "equation": "down[B S D] = hidden[B S F] * .w2.weight[D F]", "rule": "summed over F: 2 × B·S·D·F", "times": "1", "formula": "2BSDF"}
      ],
      "value": null
    }

Without a quantity it is flops:

    $ reckon derive block | tail -n 1
          = 8BSD² + 4BS²D + 6BSDF

    $ reckon derive cs336-xl flops layers.atention
    reckon: cs336-xl has no part 'layers.atention'; did you mean 'layers.attention'?
    [1]
    $ reckon derive cs336-xl flosp
    reckon: the quantity is not 'flosp' but one of params|flops|backward|step|comm; did you mean 'flops'?
    reckon: 'reckon help derive' says how it is used
    [2]
    $ reckon derive cs336-xl flops layers.ffn more
    reckon: 'more' is too much
    reckon: 'reckon help derive' says how it is used
    [2]
