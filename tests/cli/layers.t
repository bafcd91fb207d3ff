Layers that differ are parts of their own; layers inside layers count as often as both say.

    $ cat > nest.rk <<'END'
    > model nest: "layers of two kinds, with layers in them"
    > let L = 4 "layers"
    > let M = 2 "layers in a layer"
    > let D = 8 "width"
    > run B = 1 "sequences"
    > run S = 5 "tokens"
    > input ids[B S]
    > x[B S D] = lookup(ids, .embed.weight[10 D])
    > part outer[i < L] at o.{i}:
    >     a = layernorm(x, .norm.weight[D], .norm.bias[D])
    >     part inner[j < M] at i.{j}:
    >         if i % 2 == 1:
    >             z[B S D'] = a[B S D] * .odd.weight[D' D]
    >         else:
    >             z[B S D'] = a[B S D] * .even.weight[D' D]
    >         x = x + z[B S D]
    > output x
    > END
    $ reckon params nest.rk
    nest: 656 parameters
    layers of two kinds, with layers in them

                                shape  count  times  total   share  formula
    embed.weight               10 × 8     80      1     80   12.2%  80
    outer[0,2]                           144      2    288   43.9%  144
      o.{i}.norm.weight             8      8      2     16    2.4%  8
      o.{i}.norm.bias               8      8      2     16    2.4%  8
      o.{i}.i.{j}.even.weight   8 × 8     64      4    256   39.0%  64
    outer[1,3]                           144      2    288   43.9%  144
      o.{i}.norm.weight             8      8      2     16    2.4%  8
      o.{i}.norm.bias               8      8      2     16    2.4%  8
      o.{i}.i.{j}.odd.weight    8 × 8     64      4    256   39.0%  64
    ───────────────────────────────────────────────────────────────────────
    total                                              656  100.0%

    stored = 656
    $ reckon params nest.rk --all
    nest: 656 parameters
    layers of two kinds, with layers in them

                          shape  count
    embed.weight         10 × 8     80
    o.0.norm.weight           8      8
    o.0.norm.bias             8      8
    o.0.i.0.even.weight   8 × 8     64
    o.0.i.1.even.weight   8 × 8     64
    o.1.norm.weight           8      8
    o.1.norm.bias             8      8
    o.1.i.0.odd.weight    8 × 8     64
    o.1.i.1.odd.weight    8 × 8     64
    o.2.norm.weight           8      8
    o.2.norm.bias             8      8
    o.2.i.0.even.weight   8 × 8     64
    o.2.i.1.even.weight   8 × 8     64
    o.3.norm.weight           8      8
    o.3.norm.bias             8      8
    o.3.i.0.odd.weight    8 × 8     64
    o.3.i.1.odd.weight    8 × 8     64
    ──────────────────────────────────
    total                          656

    stored = 656
    $ reckon flops nest.rk --count all
    nest: FLOPs of a forward and a backward pass
    B = 1 sequences, S = 5 tokens
    Counted: every operation (--count); a multiply and its add are two (--unit); masked attention as the
    full square (--causal).

                times   each  forward  backward   share  formula of each
    outer[0,2]      2  1,560    3,120     5,920   50.0%  312BS
      a             2    160      320       800    5.1%  32BS
      a.bias        2     40       80         0    1.3%  8BS
      inner         4    680    2,720     5,120   43.6%  136BS
        z           4    640    2,560     5,120   41.0%  128BS
        x           4     40      160         0    2.6%  8BS
    outer[1,3]      2  1,560    3,120     5,920   50.0%  312BS
      a             2    160      320       800    5.1%  32BS
      a.bias        2     40       80         0    1.3%  8BS
      inner         4    680    2,720     5,120   43.6%  136BS
        z           4    640    2,560     5,120   41.0%  128BS
        x           4     40      160         0    2.6%  8BS
    ────────────────────────────────────────────────────────────────────
    total                       6,240    11,840  100.0%

    forward  = 1248BS
             = 6,240   6.24 kFLOP
    backward = 2368BS
             = 11,840   11.8 kFLOP
    step     = 3616BS
             = 18,080   18.1 kFLOP

      B  1  sequences
      S  5  tokens
    $ reckon flops nest.rk --count all --format json
    {
      "version": 1,
      "model": "nest",
      "symbols": {"L": 4, "M": 2, "D": 8, "B": 1, "S": 5},
      "convention": {"count": "all", "causal": "full", "unit": "flop"},
      "forward": {"total": 6240, "formula": "1248BS"},
      "backward": {"total": 11840, "formula": "2368BS"},
      "step": {"total": 18080, "formula": "3616BS"},
      "rows": [
        {"path": "outer.a", "op": "layernorm", "layers": "0,2", "times": 2, "forward": 160, "backward": 400, "formula": "32BS"},
        {"path": "outer.a.bias", "op": "layernorm", "layers": "0,2", "times": 2, "forward": 40, "backward": 0, "formula": "8BS"},
        {"path": "outer.inner.z", "op": "product", "layers": "0,2", "times": 4, "forward": 640, "backward": 1280, "formula": "128BS"},
        {"path": "outer.inner.x", "op": "add", "layers": "0,2", "times": 4, "forward": 40, "backward": 0, "formula": "8BS"},
        {"path": "outer.a", "op": "layernorm", "layers": "1,3", "times": 2, "forward": 160, "backward": 400, "formula": "32BS"},
        {"path": "outer.a.bias", "op": "layernorm", "layers": "1,3", "times": 2, "forward": 40, "backward": 0, "formula": "8BS"},
        {"path": "outer.inner.z", "op": "product", "layers": "1,3", "times": 4, "forward": 640, "backward": 1280, "formula": "128BS"},
        {"path": "outer.inner.x", "op": "add", "layers": "1,3", "times": 4, "forward": 40, "backward": 0, "formula": "8BS"}
      ]
    }
    $ reckon flops nest.rk --depth 1 --format json
    {
      "version": 1,
      "model": "nest",
      "symbols": {"L": 4, "M": 2, "D": 8, "B": 1, "S": 5},
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "forward": {"total": 5120, "formula": "1024BS"},
      "backward": {"total": 10240, "formula": "2048BS"},
      "step": {"total": 15360, "formula": "3072BS"},
      "rows": [
        {"path": "outer", "layers": "0,2", "times": 2, "forward": 1280, "backward": 2560, "formula": "256BS"},
        {"path": "outer", "layers": "1,3", "times": 2, "forward": 1280, "backward": 2560, "formula": "256BS"}
      ]
    }
    $ reckon flops nest.rk --by tensor
    nest: FLOPs of a forward and a backward pass
    B = 1 sequences, S = 5 tokens
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

                             times  each  forward  backward   share  formula of each
    o.{i}.i.{j}.even.weight      4   640    2,560     5,120   50.0%  128BS
    o.{i}.i.{j}.odd.weight       4   640    2,560     5,120   50.0%  128BS
    ────────────────────────────────────────────────────────────────────────────────
    total                                   5,120    10,240  100.0%

    forward  = 1024BS
             = 5,120   5.12 kFLOP
    backward = 2048BS
             = 10,240   10.2 kFLOP
    step     = 3072BS
             = 15,360   15.4 kFLOP

      B  1  sequences
      S  5  tokens
    $ reckon derive nest.rk flops --count all
    nest: forward FLOPs, line by line
    Counted: every operation (--count); a multiply and its add are two (--unit); masked attention as the
    full square (--causal).

      B  1  sequences
      S  5  tokens
      L  4  layers
      M  2  layers in a layer
      D  8  width

    outer[0,2], 2 times
      a = layernorm(x, .norm.weight[D], .norm.bias[D])
        layernorm: 4 for each of B·S·D; D = 8
        a = 32BS = 160
      a = layernorm(x, .norm.weight[D], .norm.bias[D])
        bias of the layernorm: 1 for each of B·S·D; D = 8
        a.bias = 8BS = 40

    outer[0,2].inner, 4 times
      z[B S D'] = a[B S D] * .even.weight[D' D]
        summed over D: 2 × B·S·D'·D; D' = 8, D = 8
        z = 128BS = 640
      x = x + z[B S D]
        <a + b>: 1 for each of B·S·D; D = 8
        x = 8BS = 40
      inner = z + x
            = 136BS = 680

    outer = a + a.bias + 2 × inner
          = 312BS = 1,560

    outer[1,3], 2 times
      a = layernorm(x, .norm.weight[D], .norm.bias[D])
        layernorm: 4 for each of B·S·D; D = 8
        a = 32BS = 160
      a = layernorm(x, .norm.weight[D], .norm.bias[D])
        bias of the layernorm: 1 for each of B·S·D; D = 8
        a.bias = 8BS = 40

    outer[1,3].inner, 4 times
      z[B S D'] = a[B S D] * .odd.weight[D' D]
        summed over D: 2 × B·S·D'·D; D' = 8, D = 8
        z = 128BS = 640
      x = x + z[B S D]
        <a + b>: 1 for each of B·S·D; D = 8
        x = 8BS = 40
      inner = z + x
            = 136BS = 680

    outer = a + a.bias + 2 × inner
          = 312BS = 1,560

    total = 2 × outer[0,2] + 2 × outer[1,3]
          = 1248BS
          = 6,240
    $ reckon derive nest.rk flops outer | tail -n 3
    total = 2 × outer[0,2] + 2 × outer[1,3]
          = 1024BS
          = 5,120
