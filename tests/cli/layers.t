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
    embed.weight               10 × 8     80      1     80   12.2%  10D
    outer[0,2]                           144      2    288   43.9%  MD² + 2D
      o.{i}.norm.weight             8      8      2     16    2.4%  D
      o.{i}.norm.bias               8      8      2     16    2.4%  D
      o.{i}.i.{j}.even.weight   8 × 8     64      4    256   39.0%  D²
    outer[1,3]                           144      2    288   43.9%  MD² + 2D
      o.{i}.norm.weight             8      8      2     16    2.4%  D
      o.{i}.norm.bias               8      8      2     16    2.4%  D
      o.{i}.i.{j}.odd.weight    8 × 8     64      4    256   39.0%  D²
    ────────────────────────────────────────────────────────────────────────
    total                                              656  100.0%

    stored = 4MD² + 18D
           = 656

      M  2  layers in a layer
      D  8  width
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

    stored = 4MD² + 18D
           = 656

      M  2  layers in a layer
      D  8  width
    $ reckon flops nest.rk --count all
    nest: FLOPs of a forward and a backward pass
    B = 1 sequences, S = 5 tokens
    Counted: every operation (--count); a multiply and its add are two (--unit); masked attention as the
    full square (--causal).

                times   each  forward  backward   share  formula of each
    outer[0,2]      2  1,560    3,120     5,920   50.0%  2BSMD² + BSMD + 5BSD
      a             2    160      320       800    5.1%  4BSD
      a.bias        2     40       80         0    1.3%  BSD
      inner         4    680    2,720     5,120   43.6%  2BSD² + BSD
        z           4    640    2,560     5,120   41.0%  2BSD²
        x           4     40      160         0    2.6%  BSD
    outer[1,3]      2  1,560    3,120     5,920   50.0%  2BSMD² + BSMD + 5BSD
      a             2    160      320       800    5.1%  4BSD
      a.bias        2     40       80         0    1.3%  BSD
      inner         4    680    2,720     5,120   43.6%  2BSD² + BSD
        z           4    640    2,560     5,120   41.0%  2BSD²
        x           4     40      160         0    2.6%  BSD
    ─────────────────────────────────────────────────────────────────────────
    total                       6,240    11,840  100.0%

    forward  = 8BSMD² + 4BSMD + 20BSD
             = 6,240   6.24 kFLOP
    backward = 16BSMD² + 40BSD
             = 11,840   11.8 kFLOP
    step     = 24BSMD² + 4BSMD + 60BSD
             = 18,080   18.1 kFLOP

      B  1  sequences
      S  5  tokens
      M  2  layers in a layer
      D  8  width
    $ reckon flops nest.rk --count all --format json
    {
      "version": 1,
      "model": "nest",
      "symbols": {"L": 4, "M": 2, "D": 8, "B": 1, "S": 5},
      "convention": {"count": "all", "causal": "full", "unit": "flop"},
      "forward": {"total": 6240, "formula": "8BSMD² + 4BSMD + 20BSD"},
      "backward": {"total": 11840, "formula": "16BSMD² + 40BSD"},
      "step": {"total": 18080, "formula": "24BSMD² + 4BSMD + 60BSD"},
      "rows": [
        {"path": "outer.a", "op": "layernorm", "layers": "0,2", "times": 2, "forward": 160, "backward": 400, "formula": "4BSD"},
        {"path": "outer.a.bias", "op": "layernorm", "layers": "0,2", "times": 2, "forward": 40, "backward": 0, "formula": "BSD"},
        {"path": "outer.inner.z", "op": "product", "layers": "0,2", "times": 4, "forward": 640, "backward": 1280, "formula": "2BSD²"},
        {"path": "outer.inner.x", "op": "add", "layers": "0,2", "times": 4, "forward": 40, "backward": 0, "formula": "BSD"},
        {"path": "outer.a", "op": "layernorm", "layers": "1,3", "times": 2, "forward": 160, "backward": 400, "formula": "4BSD"},
        {"path": "outer.a.bias", "op": "layernorm", "layers": "1,3", "times": 2, "forward": 40, "backward": 0, "formula": "BSD"},
        {"path": "outer.inner.z", "op": "product", "layers": "1,3", "times": 4, "forward": 640, "backward": 1280, "formula": "2BSD²"},
        {"path": "outer.inner.x", "op": "add", "layers": "1,3", "times": 4, "forward": 40, "backward": 0, "formula": "BSD"}
      ]
    }
    $ reckon flops nest.rk --depth 1 --format json
    {
      "version": 1,
      "model": "nest",
      "symbols": {"L": 4, "M": 2, "D": 8, "B": 1, "S": 5},
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "forward": {"total": 5120, "formula": "8BSMD²"},
      "backward": {"total": 10240, "formula": "16BSMD²"},
      "step": {"total": 15360, "formula": "24BSMD²"},
      "rows": [
        {"path": "outer", "layers": "0,2", "times": 2, "forward": 1280, "backward": 2560, "formula": "2BSMD²"},
        {"path": "outer", "layers": "1,3", "times": 2, "forward": 1280, "backward": 2560, "formula": "2BSMD²"}
      ]
    }
    $ reckon flops nest.rk --by tensor
    nest: FLOPs of a forward and a backward pass
    B = 1 sequences, S = 5 tokens
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

                             times  each  forward  backward   share  formula of each
    o.{i}.i.{j}.even.weight      4   640    2,560     5,120   50.0%  2BSD²
    o.{i}.i.{j}.odd.weight       4   640    2,560     5,120   50.0%  2BSD²
    ────────────────────────────────────────────────────────────────────────────────
    total                                   5,120    10,240  100.0%

    forward  = 8BSMD²
             = 5,120   5.12 kFLOP
    backward = 16BSMD²
             = 10,240   10.2 kFLOP
    step     = 24BSMD²
             = 15,360   15.4 kFLOP

      B  1  sequences
      S  5  tokens
      M  2  layers in a layer
      D  8  width
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
        layernorm: 4 for each of B·S·D
        a = 4BSD = 160
      a = layernorm(x, .norm.weight[D], .norm.bias[D])
        bias of the layernorm: 1 for each of B·S·D
        a.bias = BSD = 40

    outer[0,2].inner, 2M times
      z[B S D'] = a[B S D] * .even.weight[D' D]
        summed over D: 2 × B·S·D'·D
        z = 2BSD² = 640
      x = x + z[B S D]
        <a + b>: 1 for each of B·S·D
        x = BSD = 40
      inner = z + x
            = 2BSD² + BSD = 680

    outer = a + a.bias + M × inner
          = 2BSMD² + BSMD + 5BSD = 1,560

    outer[1,3], 2 times
      a = layernorm(x, .norm.weight[D], .norm.bias[D])
        layernorm: 4 for each of B·S·D
        a = 4BSD = 160
      a = layernorm(x, .norm.weight[D], .norm.bias[D])
        bias of the layernorm: 1 for each of B·S·D
        a.bias = BSD = 40

    outer[1,3].inner, 2M times
      z[B S D'] = a[B S D] * .odd.weight[D' D]
        summed over D: 2 × B·S·D'·D
        z = 2BSD² = 640
      x = x + z[B S D]
        <a + b>: 1 for each of B·S·D
        x = BSD = 40
      inner = z + x
            = 2BSD² + BSD = 680

    outer = a + a.bias + M × inner
          = 2BSMD² + BSMD + 5BSD = 1,560

    total = 2 × outer[0,2] + 2 × outer[1,3]
          = 4BSD(2MD + M + 5)
          = 8BSMD² + 4BSMD + 20BSD
          = 6,240
    $ reckon derive nest.rk flops outer | tail -n 3
    total = 2 × outer[0,2] + 2 × outer[1,3]
          = 8BSMD²
          = 5,120
