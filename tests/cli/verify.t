A model with experts, which published files store one by one and under another prefix, a buffer, and a tied head:

    $ cat > m.rk <<'END'
    > model m: "an embedding and two layers of experts"
    > let D = 4 "width"
    > let E = 2 "experts"
    > let A = 1 "experts per token"
    > let V = 8 "vocabulary"
    > let L = 2 "layers"
    > run B = 1 "rows"
    > run S = 2 "tokens"
    > input ids[B S]
    > tie .head.weight to .model.embed.weight
    > stored .model.body as .body
    > x[B S D] = lookup(ids, .model.embed.weight[V D])
    > part layers[i < L] at model.body.{i}:
    >     buffer .bias[E]
    >     router[B S E] = x[B S D] * .gate.weight[E D]
    >     weight        = route(softmax(router, E), A)
    >     up[B S A D]   = x[B S D'] * .experts.up[E@A D D']
    >     stored .experts.up as .experts.{E}.up.weight[D D']
    >     y[B S D]      = sum(weight[B S A] * up[B S A D], A)
    >     x = x + y
    > logits[B S V] = x[B S D] * .head.weight[V D]
    > output logits
    > END

`put FILE NAME 8,4 …` writes a safetensors file whose elements are single bytes:

    $ cat > put <<'END'
    > #!/bin/sh
    > file=$1 at=0 h= c='{'
    > shift
    > while [ $# -gt 0 ]; do
    >     n=$(($(echo "$2" | tr , '*')))
    >     h="$h$c\"$1\":{\"dtype\":\"U8\",\"shape\":[$2],\"data_offsets\":[$at,$((at + n))]}" c=, at=$((at + n))
    >     shift 2
    > done
    > h="$h}" n=${#h}
    > printf "\\$(printf %03o $((n % 256)))\\$(printf %03o $((n / 256)))" > "$file"
    > { printf '\0\0\0\0\0\0%s' "$h" && head -c $at /dev/zero; } >> "$file"
    > END
    $ chmod +x put

Both layouts, and a file that mixes them:

    $ ./put published.safetensors model.embed.weight 8,4 body.0.gate.weight 2,4 body.0.bias 2 \
    >     body.0.experts.0.up.weight 4,4 body.0.experts.1.up.weight 4,4 body.1.gate.weight 2,4 body.1.bias 2 \
    >     body.1.experts.0.up.weight 4,4 body.1.experts.1.up.weight 4,4
    $ reckon verify m.rk published.safetensors
    m and published.safetensors agree
    all 9 tensors are there, with the right shapes; checkpoint layout; 116 bytes
    $ ./put reference.safetensors model.embed.weight 8,4 model.body.0.gate.weight 2,4 model.body.0.bias 2 \
    >     model.body.0.experts.up 2,4,4 model.body.1.gate.weight 2,4 model.body.1.bias 2 \
    >     model.body.1.experts.up 2,4,4
    $ reckon verify m.rk reference.safetensors
    m and reference.safetensors agree
    all 7 tensors are there, with the right shapes; reference layout; 116 bytes
    $ ./put mixed.safetensors model.embed.weight 8,4 body.0.gate.weight 2,4 body.0.bias 2 \
    >     body.0.experts.0.up.weight 4,4 body.0.experts.1.up.weight 4,4 model.body.1.gate.weight 2,4 \
    >     model.body.1.bias 2 model.body.1.experts.up 2,4,4
    $ reckon verify m.rk mixed.safetensors
    m and mixed.safetensors agree
    all 8 tensors are there, with the right shapes; some in the reference layout, some in the checkpoint
    layout; 116 bytes

What says nothing against a file: a tied tensor that is stored too, or instead of the other; a buffer that is left out;
constants; a prefix on every name, or on none.

    $ ./put harmless.safetensors head.weight 8,4 body.0.gate.weight 2,4 body.0.bias 2 \
    >     body.0.experts.0.up.weight 4,4 body.0.experts.1.up.weight 4,4 body.1.gate.weight 2,4 \
    >     body.1.experts.0.up.weight 4,4 body.1.experts.1.up.weight 4,4 body.0.rotary_emb.inv_freq 2 \
    >     body.1.rotary_emb.inv_freq 2 body.0.mask 1,1,9,9
    $ reckon verify m.rk harmless.safetensors
    m and harmless.safetensors agree
    all 8 tensors are there, with the right shapes; checkpoint layout; 199 bytes

    stored under the name of a tensor that is tied to it: 1 tensor
                          tensors  the model's  the file's  type
      model.embed.weight        1        8 × 4       8 × 4  U8    as head.weight

    buffers, which are no parameters, left out of the file: 1 tensor
                   tensors  the model's
      body.1.bias        1            2

    constants, which loaders compute anew: 3 tensors
                                      tensors     the file's  type
      body.{0-1}.rotary_emb.inv_freq        2              2  U8
      body.0.mask                           1  1 × 1 × 9 × 9  U8
    $ ./put tied.safetensors head.weight 8,4 model.embed.weight 8,4 body.0.gate.weight 2,4 body.0.bias 2 \
    >     body.0.experts.0.up.weight 4,4 body.0.experts.1.up.weight 4,4 body.1.gate.weight 2,4 body.1.bias 2 \
    >     body.1.experts.0.up.weight 4,4 body.1.experts.1.up.weight 4,4
    $ reckon verify m.rk tied.safetensors
    m and tied.safetensors agree
    all 9 tensors are there, with the right shapes; checkpoint layout; 148 bytes

    tied, and stored all the same: 1 tensor
                   tensors  the model's  the file's  type
      head.weight        1        8 × 4       8 × 4  U8    tied to model.embed.weight
    $ ./put prefix.safetensors module.model.embed.weight 8,4 module.body.0.gate.weight 2,4 \
    >     module.body.0.bias 2 module.body.0.experts.0.up.weight 4,4 module.body.0.experts.1.up.weight 4,4 \
    >     module.body.1.gate.weight 2,4 module.body.1.bias 2 module.body.1.experts.0.up.weight 4,4 \
    >     module.body.1.experts.1.up.weight 4,4
    $ reckon verify m.rk prefix.safetensors
    m and prefix.safetensors agree
    all 9 tensors are there, with the right shapes; checkpoint layout; 116 bytes
    its names have the prefix 'module.' before them
    $ ./put body.safetensors embed.weight 8,4 body.0.gate.weight 2,4 body.0.bias 2 body.0.experts.up 2,4,4 \
    >     body.1.gate.weight 2,4 body.1.bias 2 body.1.experts.up 2,4,4
    $ reckon verify m.rk body.safetensors
    m and body.safetensors agree
    all 7 tensors are there, with the right shapes; some in the reference layout, some in the checkpoint
    layout; 116 bytes
    its names leave out the prefix 'model.'

Experts one by one, under names that the model file does not know, with as many elements:

    $ ./put pieces.safetensors model.embed.weight 8,4 model.body.0.gate.weight 2,4 model.body.0.bias 2 \
    >     model.body.0.experts.0.a 4,2 model.body.0.experts.0.b 8 model.body.0.experts.1.a 4,2 \
    >     model.body.0.experts.1.b 8 model.body.1.gate.weight 2,4 model.body.1.bias 2 \
    >     model.body.1.experts.0.a 4,2 model.body.1.experts.0.b 8 model.body.1.experts.1.a 4,2 \
    >     model.body.1.experts.1.b 8
    $ reckon verify m.rk pieces.safetensors
    m and pieces.safetensors agree
    all 7 tensors are there, with the right shapes or as many elements; reference layout; 116 bytes

    in one piece, and in the file one by one, with as many elements: 2 tensors
                                   tensors  the model's
      model.body.{0-1}.experts.up        2    2 × 4 × 4

What does: missing tensors, other shapes, more tensors.  Equal ones of all layers are one row; --all lists each.

    $ ./put other.safetensors model.embed.weight 9,4 body.0.gate.weight 2,5 body.0.bias 2 \
    >     body.0.experts.0.up.weight 4,4 body.1.gate.weight 2,5 body.1.bias 2 body.1.experts.0.up.weight 4,4 \
    >     body.2.gate.weight 2,4 mtp.0.a 3 mtp.1.a 3 mtp.2.a 3
    $ reckon verify m.rk other.safetensors
    m and other.safetensors differ
    of 9 tensors, 4 are there, 2 missing, 3 of another shape; 4 extra in the file; checkpoint layout;
    109 bytes

    missing: 2 tensors
                                      tensors  the model's
      body.{0-1}.experts.1.up.weight        2        4 × 4

    of another shape: 3 tensors
                              tensors  the model's  the file's  type
      model.embed.weight            1        8 × 4       9 × 4  U8
      body.{0-1}.gate.weight        2        2 × 4       2 × 5  U8

    extra in the file: 4 tensors
                          tensors  the file's  type
      body.2.gate.weight        1       2 × 4  U8
      mtp.{0-2}.a               3           3  U8
    [1]
    $ reckon verify m.rk other.safetensors --all
    m and other.safetensors differ
    of 9 tensors, 4 are there, 2 missing, 3 of another shape; 4 extra in the file; checkpoint layout;
    109 bytes

    missing: 2 tensors
                                  the model's
      body.0.experts.1.up.weight        4 × 4
      body.1.experts.1.up.weight        4 × 4

    of another shape: 3 tensors
                          the model's  the file's  type
      model.embed.weight        8 × 4       9 × 4  U8
      body.0.gate.weight        2 × 4       2 × 5  U8
      body.1.gate.weight        2 × 4       2 × 5  U8

    extra in the file: 4 tensors
                          the file's  type
      body.2.gate.weight       2 × 4  U8
      mtp.0.a                      3  U8
      mtp.1.a                      3  U8
      mtp.2.a                      3  U8
    [1]
    $ reckon verify m.rk other.safetensors --format csv
    name,kind,tensors,wanted,found,dtype,other
    body.{0-1}.experts.1.up.weight,missing,2,4x4,,,
    model.embed.weight,other_shape,1,8x4,9x4,U8,
    body.{0-1}.gate.weight,other_shape,2,2x4,2x5,U8,
    body.2.gate.weight,extra,1,,2x4,U8,
    mtp.{0-2}.a,extra,3,,3,U8,
    [1]
    $ reckon verify m.rk other.safetensors --format json
    {
      "version": 1,
      "model": "m",
      "file": "other.safetensors",
      "equal": false,
      "compared": "names",
      "stored": 11,
      "bytes": 109,
      "tensors": 9,
      "matched": 4,
      "unchecked": 0,
      "unlisted": 0,
      "layout": "checkpoint",
      "prefix_left_out": null,
      "prefix_added": null,
      "old_names": 0,
      "quantised": null,
      "missing": [
        {"name": "body.0.experts.1.up.weight", "shape": [4, 4]},
        {"name": "body.1.experts.1.up.weight", "shape": [4, 4]}
      ],
      "other_shape": [
        {"name": "model.embed.weight", "wanted": [8, 4], "found": [9, 4], "dtype": "U8"},
        {"name": "body.0.gate.weight", "wanted": [2, 4], "found": [2, 5], "dtype": "U8"},
        {"name": "body.1.gate.weight", "wanted": [2, 4], "found": [2, 5], "dtype": "U8"}
      ],
      "extra": [
        {"name": "body.2.gate.weight", "shape": [2, 4], "dtype": "U8"},
        {"name": "mtp.0.a", "shape": [3], "dtype": "U8"},
        {"name": "mtp.1.a", "shape": [3], "dtype": "U8"},
        {"name": "mtp.2.a", "shape": [3], "dtype": "U8"}
      ],
      "pieces": [],
      "tied_instead": [],
      "tied_too": [],
      "buffers_left_out": [],
      "constants": []
    }
    [1]
    $ reckon verify m.rk other.safetensors --format md
    # m and other.safetensors differ

    of 9 tensors, 4 are there, 2 missing, 3 of another shape; 4 extra in the file; checkpoint layout; 109 bytes

    ## missing: 2 tensors

    | | tensors | the model's |
    |:---|---:|---:|
    | `body.{0-1}.experts.1.up.weight` | 2 | 4 × 4 |

    ## of another shape: 3 tensors

    | | tensors | the model's | the file's | type |
    |:---|---:|---:|---:|:---|
    | `model.embed.weight` | 1 | 8 × 4 | 9 × 4 | `U8` |
    | `body.{0-1}.gate.weight` | 2 | 2 × 4 | 2 × 5 | `U8` |

    ## extra in the file: 4 tensors

    | | tensors | the file's | type |
    |:---|---:|---:|:---|
    | `body.2.gate.weight` | 1 | 2 × 4 | `U8` |
    | `mtp.{0-2}.a` | 3 | 3 | `U8` |
    [1]
    $ reckon verify m.rk other.safetensors --format latex
    % To be \input into a document with \usepackage{amsmath,array,booktabs}
    \section*{m and other.safetensors differ}
    \noindent of 9 tensors, 4 are there, 2 missing, 3 of another shape; 4 extra in the file; checkpoint layout; 109 bytes\par
    \medskip
    \paragraph{missing: 2 tensors}\leavevmode\par
    {\footnotesize\setlength{\tabcolsep}{3pt}\noindent
    \begin{tabular}{@{}lrr@{}}
    \toprule
     & tensors & the model's \\
    \midrule
    \texttt{body.\{0-1\}.experts.1.up.weight} & $2$ & 4 $\times$ 4 \\
    \bottomrule
    \end{tabular}\par}
    \medskip
    \paragraph{of another shape: 3 tensors}\leavevmode\par
    {\footnotesize\setlength{\tabcolsep}{3pt}\noindent
    \begin{tabular}{@{}lrrrl@{}}
    \toprule
     & tensors & the model's & the file's & type \\
    \midrule
    \texttt{model.embed.weight} & $1$ & 8 $\times$ 4 & 9 $\times$ 4 & \texttt{U8} \\
    \texttt{body.\{0-1\}.gate.weight} & $2$ & 2 $\times$ 4 & 2 $\times$ 5 & \texttt{U8} \\
    \bottomrule
    \end{tabular}\par}
    \medskip
    \paragraph{extra in the file: 4 tensors}\leavevmode\par
    {\footnotesize\setlength{\tabcolsep}{3pt}\noindent
    \begin{tabular}{@{}lrrl@{}}
    \toprule
     & tensors & the file's & type \\
    \midrule
    \texttt{body.2.gate.weight} & $1$ & 2 $\times$ 4 & \texttt{U8} \\
    \texttt{mtp.\{0-2\}.a} & $3$ & 3 & \texttt{U8} \\
    \bottomrule
    \end{tabular}\par}
    [1]

The model can be changed on the line:

    $ reckon verify m.rk published.safetensors L=3 V=9
    m and published.safetensors differ
    of 12 tensors, 8 are there, 3 missing, 1 of another shape; checkpoint layout; 116 bytes

    missing: 3 tensors
                                      tensors  the model's
      body.2.gate.weight                    1        2 × 4
      body.2.experts.{0-1}.up.weight        2        4 × 4

    of another shape: 1 tensor
                          tensors  the model's  the file's  type
      model.embed.weight        1        9 × 4       8 × 4  U8

    buffers, which are no parameters, left out of the file: 1 tensor
                   tensors  the model's
      body.2.bias        1            2
    [1]

An index whose shards are not here: names only.

    $ cat > model.safetensors.index.json <<'END'
    > {"metadata": {}, "weight_map": {"model.embed.weight": "a.safetensors",
    >  "model.body.0.gate.weight": "a.safetensors", "model.body.1.gate.weight": "a.safetensors",
    >  "model.body.0.experts.up": "b.safetensors", "model.body.1.experts.up": "b.safetensors"}}
    > END
    $ reckon verify m.rk model.safetensors.index.json
    m and model.safetensors.index.json agree
    all 5 tensors are there; reference layout
    names only for 5 tensors: the shapes stand in shards that are not here

    buffers, which are no parameters, left out of the file: 2 tensors
                             tensors  the model's
      model.body.{0-1}.bias        2            2
    $ reckon verify m.rk model.safetensors.index.json L=1 --format json
    {
      "version": 1,
      "model": "m",
      "file": "model.safetensors.index.json",
      "equal": false,
      "compared": "names",
      "stored": 5,
      "bytes": null,
      "tensors": 3,
      "matched": 3,
      "unchecked": 3,
      "unlisted": 0,
      "layout": "reference",
      "prefix_left_out": null,
      "prefix_added": null,
      "old_names": 0,
      "quantised": null,
      "missing": [],
      "other_shape": [],
      "extra": [
        {"name": "model.body.1.gate.weight"},
        {"name": "model.body.1.experts.up"}
      ],
      "pieces": [],
      "tied_instead": [],
      "tied_too": [],
      "buffers_left_out": [
        {"name": "model.body.0.bias", "shape": [2]}
      ],
      "constants": []
    }
    [1]

Shards one by one, then with the index, which leaves some out:

    $ ./put a.safetensors model.embed.weight 8,4 model.body.0.gate.weight 2,4 model.body.1.gate.weight 2,4
    $ ./put b.safetensors model.body.0.experts.up 2,4,4 model.body.1.experts.up 2,4,4 model.body.1.bias 2
    $ reckon verify m.rk a.safetensors b.safetensors
    m and a.safetensors and 1 more agree
    all 6 tensors are there, with the right shapes; reference layout; 114 bytes

    buffers, which are no parameters, left out of the file: 1 tensor
                         tensors  the model's
      model.body.0.bias        1            2
    $ reckon verify m.rk model.safetensors.index.json
    m and model.safetensors.index.json agree
    all 6 tensors are there, with the right shapes; reference layout; 114 bytes
    1 tensor in shards that the index does not list

    buffers, which are no parameters, left out of the file: 1 tensor
                         tensors  the model's
      model.body.0.bias        1            2
    $ reckon verify m.rk .
    m and . agree
    all 6 tensors are there, with the right shapes; reference layout; 114 bytes
    1 tensor in shards that the index does not list

    buffers, which are no parameters, left out of the file: 1 tensor
                         tensors  the model's
      model.body.0.bias        1            2

A folder with a config and a checkpoint; its two files; a family and a config before the file:

    $ reckon verify $TOP/examples/checkpoint | sed "s|$TOP|.|"
    checkpoint and ./examples/checkpoint agree
    all 20 tensors are there, with the right shapes; checkpoint layout; 2,256 bytes
    $ cp $TOP/examples/checkpoint/* .
    $ reckon verify config.json model.safetensors
    config and model.safetensors agree
    all 20 tensors are there, with the right shapes; checkpoint layout; 2,256 bytes
    $ reckon verify llama config.json model.safetensors
    config and model.safetensors agree
    all 20 tensors are there, with the right shapes; checkpoint layout; 2,256 bytes
    $ reckon verify model.safetensors --format json
    {
      "version": 1,
      "model": "model",
      "file": "model.safetensors",
      "equal": true,
      "compared": "names",
      "stored": 20,
      "bytes": 2256,
      "tensors": 20,
      "matched": 20,
      "unchecked": 0,
      "unlisted": 0,
      "layout": "checkpoint",
      "prefix_left_out": null,
      "prefix_added": null,
      "old_names": 0,
      "quantised": null,
      "missing": [],
      "other_shape": [],
      "extra": [],
      "pieces": [],
      "tied_instead": [],
      "tied_too": [],
      "buffers_left_out": [],
      "constants": []
    }
    $ reckon verify config.json model.safetensors -o out.txt; cat out.txt
    config and model.safetensors agree
    all 20 tensors are there, with the right shapes; checkpoint layout; 2,256 bytes

Another model, by name:

    $ reckon verify gpt2 model.safetensors | head -n 12
    gpt2 and model.safetensors differ
    of 148 tensors, 0 are there, 148 missing; 20 extra in the file; 2,256 bytes

    missing: 148 tensors
                                   tensors   the model's
      wte.weight                         1  50,257 × 768
      wpe.weight                         1   1,024 × 768
      h.{0-11}.ln_1.weight              12           768
      h.{0-11}.ln_1.bias                12           768
      h.{0-11}.attn.c_attn.weight       12   768 × 2,304
      h.{0-11}.attn.c_attn.bias         12         2,304
      h.{0-11}.attn.c_proj.weight       12     768 × 768

A GGUF file has names of its own:

    $ reckon verify m.rk $TOP/tests/read/fixtures/formats.gguf | sed "s|$TOP|.|"; reckon verify m.rk $TOP/tests/read/fixtures/formats.gguf --format json | tail -n 7
    m and ./tests/read/fixtures/formats.gguf differ
    the file has names of its own, so that its elements and shapes are compared, not its names; 2,782
    bytes

    the model's elements                = 112
    the file's elements                 = 5,448
    tied, which a file may store too    = 32
    buffers, which a file may store too = 4

    48 tensors in the file; 0 of them have a shape that the model has
      "equal": false,
      "compared": "sums",
      "stored": 48,
      "bytes": 2782,
      "elements": {"wanted": 112, "found": 5448, "tied": 32, "buffers": 4, "constants": 0},
      "shapes": 0
    }

Slips:

    $ reckon verify
    reckon: which model? ('reckon models' lists what is known by name)
    reckon: 'reckon help verify' says how it is used
    [2]
    $ reckon verify m.rk
    reckon: which checkpoint?  'm.rk' is a model; a file or a folder of tensors comes after it
    reckon: 'reckon help verify' says how it is used
    [2]
    $ reckon verify m.rk nothing.safetensors
    reckon: nothing.safetensors: cannot read: No such file or directory
    [4]
    $ reckon verify m.rk m.rk
    reckon: m.rk: byte 0: neither safetensors, nor its index, nor GGUF (722 bytes)
    [1]
    $ reckon verify m.rk config.json
    reckon: config.json: byte 0: an index has a weight_map; this has none
    [1]
    $ reckon verify llama published.safetensors
    llama and published.safetensors differ
    of 291 tensors, 0 are there, 291 missing; 9 extra in the file; 116 bytes

    missing: 291 tensors
                                                           tensors     the model's
      model.embed_tokens.weight                                  1  32,000 × 4,096
      model.layers.{0-31}.input_layernorm.weight                32           4,096
      model.layers.{0-31}.self_attn.q_proj.weight               32   4,096 × 4,096
      model.layers.{0-31}.self_attn.k_proj.weight               32   4,096 × 4,096
      model.layers.{0-31}.self_attn.v_proj.weight               32   4,096 × 4,096
      model.layers.{0-31}.self_attn.o_proj.weight               32   4,096 × 4,096
      model.layers.{0-31}.post_attention_layernorm.weight       32           4,096
      model.layers.{0-31}.mlp.gate_proj.weight                  32  11,008 × 4,096
      model.layers.{0-31}.mlp.up_proj.weight                    32  11,008 × 4,096
      model.layers.{0-31}.mlp.down_proj.weight                  32  4,096 × 11,008
      model.norm.weight                                          1           4,096
      lm_head.weight                                             1  32,000 × 4,096

    extra in the file: 9 tensors
                                          tensors  the file's  type
      model.embed.weight                        1       8 × 4  U8
      body.{0-1}.gate.weight                    2       2 × 4  U8
      body.{0-1}.bias                           2           2  U8
      body.{0-1}.experts.{0-1}.up.weight        4       4 × 4  U8
    [1]
    $ reckon verify a.safetensors
    a and a.safetensors differ
    of 20 tensors, 0 are there, 20 missing; 3 extra in the file; 48 bytes

    missing: 20 tensors
                                                          tensors  the model's
      model.embed_tokens.weight                                 1       16 × 8
      model.layers.{0-1}.input_layernorm.weight                 2            8
      model.layers.{0-1}.self_attn.q_proj.weight                2        8 × 8
      model.layers.{0-1}.self_attn.k_proj.weight                2        4 × 8
      model.layers.{0-1}.self_attn.v_proj.weight                2        4 × 8
      model.layers.{0-1}.self_attn.o_proj.weight                2        8 × 8
      model.layers.{0-1}.post_attention_layernorm.weight        2            8
      model.layers.{0-1}.mlp.gate_proj.weight                   2       12 × 8
      model.layers.{0-1}.mlp.up_proj.weight                     2       12 × 8
      model.layers.{0-1}.mlp.down_proj.weight                   2       8 × 12
      model.norm.weight                                         1            8

    extra in the file: 3 tensors
                                    tensors  the file's  type
      model.embed.weight                  1       8 × 4  U8
      model.body.{0-1}.gate.weight        2       2 × 4  U8
    [1]

A file that lies, and names that would draw on the terminal:

    $ printf '\377\377\377\377\0\0\0\0{}' > lies.safetensors
    $ reckon verify m.rk lies.safetensors
    reckon: lies.safetensors: byte 0: a header of 4294967295 bytes, in a file of 10
    [1]
    $ head -c 200 published.safetensors > cut.safetensors
    $ reckon verify m.rk cut.safetensors
    reckon: cut.safetensors: byte 0: a header of 674 bytes, in a file of 200
    [1]
    $ ./put draws.safetensors model.embed.weight 8,4 body.0.gate.weight 2,4 body.0.bias 2 \
    >     body.0.experts.0.up.weight 4,4 body.0.experts.1.up.weight 4,4 body.1.gate.weight 2,4 body.1.bias 2 \
    >     body.1.experts.0.up.weight 4,4 body.1.experts.1.up.weight 4,4 'a\u001b[31m.0.b' 1 \
    >     'a\u001b[31m.1.b' 1 '{}.0' 2
    $ reckon verify m.rk draws.safetensors
    m and draws.safetensors differ
    of 9 tensors, 9 are there; 3 extra in the file; checkpoint layout; 120 bytes

    extra in the file: 3 tensors
                         tensors  the file's  type
      a\x1b[31m.{0-1}.b        2           1  U8
      {}.0                     1           2  U8
    [1]
    $ reckon verify m.rk draws.safetensors --format json | grep 31m
        {"name": "a\u001b[31m.0.b", "shape": [1], "dtype": "U8"},
        {"name": "a\u001b[31m.1.b", "shape": [1], "dtype": "U8"},
