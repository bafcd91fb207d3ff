A model that the user wrote, with a file of blocks beside it:

    $ mkdir mine
    $ cat > mine/my-model.rk <<'END'
    > model my-model: "one layer"
    > use parts/linear.rk
    > let D "width"
    > run B = 3 "rows"
    > input x[B D]
    > y = lin(x)
    > output y
    > END
    $ mkdir mine/parts
    $ cat > mine/parts/linear.rk <<'END'
    > block lin(x[B D]) -> y:
    >     y[B D'] = x[B D] * .w[D' D]
    > END
    $ reckon params mine/my-model.rk D=4096
    my-model: 16.8 million parameters
    one layer

                   shape       count  times       total   share  formula
    w      4,096 × 4,096  16,777,216      1  16,777,216  100.0%  D²
    ────────────────────────────────────────────────────────────────────
    total                                    16,777,216  100.0%

    stored = D²
           = 16,777,216

      D  4,096  width
    $ reckon flops mine/my-model.rk D=4K --format json
    {
      "version": 1,
      "model": "my-model",
      "symbols": {"D": 4096, "B": 3},
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "forward": {"total": 100663296, "formula": "2BD²"},
      "backward": {"total": 100663296, "formula": "2BD²"},
      "step": {"total": 201326592, "formula": "4BD²"},
      "rows": [
        {"path": "y", "op": "product", "times": 1, "forward": 100663296, "backward": 100663296, "formula": "2BD²"}
      ]
    }
    $ reckon flops mine/my-model.rk
    reckon: D (width) has no value: set it, as in D=4096
    [1]

Blocks of the library are there for everyone; other files are not:

    $ printf 'model m: "m"\nuse blocks/common.rk\nlet D = 4\nrun B = 1\ninput x[B D]\ny = linear(x, "w", D, True)\noutput y\n' > m.rk
    $ reckon params m.rk | head -n 6
    m: 20 parameters
    m

              shape  count  times  total   share  formula
    w.weight  4 × 4     16      1     16   80.0%  16
    w.bias        4      4      1      4   20.0%  4
    $ printf 'model m: "m"\nuse /etc/passwd\nlet D = 4\n' > m.rk
    $ reckon params m.rk
    m.rk:2:1: there is no file '/etc/passwd' beside m.rk, nor in the library
        use /etc/passwd
        ^^^^^^^^^^^^^^^
    [1]
    $ printf 'model m: "m"\nuse nothing.rk\nlet D = 4\n' > m.rk
    $ reckon params m.rk
    m.rk:2:1: there is no file 'nothing.rk' beside m.rk, nor in the library
        use nothing.rk
        ^^^^^^^^^^^^^^
    [1]

Mistakes are shown in place:

    $ printf 'model m: "m"\nlet D = 4\nrun B = 1\ninput x[B D]\ny[B D] = x[B E] * .w[D D]\noutput z\n' > m.rk
    $ reckon params m.rk
    m.rk:5:14: nothing defines the size 'E': add a line  let E = …
        y[B D] = x[B E] * .w[D D]
                     ^
    m.rk:5:21: D stands twice here; write D' for a second index of its size
        y[B D] = x[B E] * .w[D D]
                            ^^^^^
    m.rk:6:8: no equation above defines the tensor 'z'
        output z
               ^
    [1]

A config: by itself, in a folder, on standard input, with its family.

    $ cat > gpt.json <<'END'
    > {"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": 100, "n_positions": 32}
    > END
    $ reckon params gpt.json --depth 1
    gpt: 109 thousand parameters
    learned positions, biases, weights stored [in out], fused query, key and value, tied head

             count  times    total   share  formula
    embed    8,448      1    8,448    7.8%  DV + DC
    layers  49,984      2   99,968   92.1%  12D² + 13D
    head       128      1      128    0.1%  2D
    ──────────────────────────────────────────────────
    total                  108,544  100.0%

    stored = 12LD² + 13LD + DV + DC + 2D
           = 108,544
    named  = 12LD² + 13LD + 2DV + DC + 2D
           = 114,944   tied tensors under each of their names

      L    2  layers
      D   64  width
      V  100  vocabulary
      C   32  learned positions
    $ mkdir tiny && cp gpt.json tiny/config.json
    $ reckon params tiny --depth 1 | head -n 1
    tiny: 109 thousand parameters
    $ reckon params tiny/config.json --depth 1 | head -n 1
    tiny: 109 thousand parameters
    $ reckon params - < gpt.json | head -n 1
    standard input: 109 thousand parameters
    $ reckon params gpt2 gpt.json --depth 1 | head -n 1
    gpt: 109 thousand parameters
    $ reckon params gpt2 - < gpt.json | head -n 1
    standard input: 109 thousand parameters
    $ reckon params gpt.json L=1 --depth 1 | head -n 1
    gpt: 58.6 thousand parameters
    $ echo '{"architectures": ["GPT2LMHeadModel"]}' > old.json
    $ reckon params old.json --depth 1 | head -n 1
    old: 124 million parameters

What is wrong with a config:

    $ echo '{"model_type": "lama"}' > c.json; reckon params c.json
    reckon: c.json: no model file is for the family 'lama'; nearest by name: 'llama'.  Read it like one of a known family (--like llama), or give a model file for it (FILE.rk CONFIG)
    [1]
    $ echo '{"model_type": "../../m"}' > c.json; reckon params c.json
    reckon: c.json: no model file is for the family '../../m'.  Read it like one of a known family (--like FAMILY), or give a model file for it (FILE.rk CONFIG)
    [1]
    $ echo '{}' > c.json; reckon params c.json
    reckon: c.json: it has no model_type: say how to read it (--like FAMILY), or name its family first (FAMILY CONFIG)
    [1]
    $ echo '[]' > c.json; reckon params c.json
    reckon: c.json: is not a JSON object
    [1]
    $ echo '{"model_type": "gpt2", "n_embd": "wide"}' > c.json; reckon params c.json 2>&1 | sed -n 1p
    models/gpt2.rk:9:1: c.json: 'n_embd' is a text, and D is a whole number
    $ echo '{"a": 1, "a": 2}' > c.json; reckon params c.json
    reckon: c.json:1:10: the key 'a' stands twice, first in line 1
    [1]
    $ printf '{"model_type": "\033[31mred"}' > c.json; reckon params c.json
    reckon: c.json:1:17: a control character in a string; write \u001b
    [1]
    $ echo '{"model_type": ["gpt2"]}' > c.json; reckon params c.json
    reckon: c.json: 'model_type' is a list, not the name of a family
    [1]
    $ echo '{"model_type": "gpt2", "architectures": "GPT2Model"}' > c.json; reckon params c.json
    reckon: c.json: 'architectures' is a text, not a list of classes
    [1]
    $ echo '{"model_type": "gpt2", "architectures": [null]}' > c.json; reckon params c.json
    reckon: c.json: 'architectures' lists null, not only classes
    [1]
    $ echo '{"model_type": "gpt2", "architectures": []}' > c.json; reckon params c.json | head -n 1
    c: 124 million parameters
    $ echo '{"model_type": "gpt2", "n_embd": 768.0}' > c.json; reckon params c.json | head -n 1
    c: 124 million parameters
    $ for n in 768.5 1e300 Infinity NaN; do
    > echo '{"model_type": "gpt2", "n_embd": '$n'}' > c.json; reckon params c.json 2>&1 | head -n 1
    > done
    models/gpt2.rk:9:1: c.json: 'n_embd' is 768.5, and D is a whole number
    models/gpt2.rk:9:1: c.json: 'n_embd' is 1e+300, and D is a whole number
    models/gpt2.rk:9:1: c.json: 'n_embd' is inf, and D is a whole number
    models/gpt2.rk:9:1: c.json: 'n_embd' is nan, and D is a whole number
    $ : > c.json; reckon params c.json
    reckon: c.json: is empty
    [1]
    $ reckon params gtp2 gpt.json
    reckon: no model file is for the family 'gtp2'; nearest by name: 'gpt2'
    [1]
    $ reckon params no-such.json
    reckon: no-such.json: cannot read: No such file or directory
    [4]
    $ reckon params no/such/folder
    reckon: no/such/folder: cannot read: No such file or directory
    [4]
    $ reckon params mine
    reckon: mine: has no config.json; as a checkpoint: holds no .safetensors, no .safetensors.index.json and no .gguf file
    [1]

Files too large to be what they are called are not read:

    $ truncate -s 2M large.rk; reckon params large.rk
    reckon: large.rk: larger than 1048576 bytes
    [1]
    $ truncate -s 65M large.json; reckon params large.json
    reckon: large.json: larger than 67108864 bytes
    [1]

A folder of the user's own goes before what is embedded:

    $ mkdir -p lib/named && cp mine/my-model.rk lib/block.rk && cp -r mine/parts lib/
    $ echo '{"model_type": "my-model", "_source": "here"}' > lib/named/gpt2.json
    $ RECKON_MODELS=lib reckon flops block D=5 --depth 1 | sed -n 1,7p
    block: FLOPs of a forward and a backward pass
    B = 3 rows
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

           times  each  forward  backward   share  formula of each
    y          1   150      150       150  100.0%  2BD²
    $ RECKON_MODELS=lib reckon models --format csv | tr -d '\r' | grep -e '^gpt2,' -e '^block,' | sort
    block,model file,my-model,,one layer,,,
    gpt2,config,my-model,,here,,,
    gpt2,model file,gpt2 gpt-sw3,,"learned positions, biases, weights stored [in out], fused query, key and value, tied head",,,
    $ RECKON_MODELS=lib reckon params gpt2 D=5
    gpt2: 25 parameters
    one layer

           shape  count  times  total   share  formula
    w      5 × 5     25      1     25  100.0%  D²
    ──────────────────────────────────────────────────
    total                          25  100.0%

    stored = D²
           = 25

      D  5  width
    $ RECKON_MODELS=lib reckon params gpt2-xl --depth 1 | head -n 1
    gpt2-xl: 1.56 billion parameters

Output goes to a file whole or not at all:

    $ reckon params gpt2 -o out.txt && head -n 1 out.txt
    gpt2: 124 million parameters
    $ reckon params gpt2 L=0 -o out.txt; head -n 1 out.txt; ls
    reckon: L=0 is less than 1
    gpt2: 124 million parameters
    c.json
    gpt.json
    large.json
    large.rk
    lib
    m.rk
    mine
    old.json
    out.txt
    tiny
    $ reckon params gpt2 -o no/such/folder/out.txt
    reckon: no/such/folder/out.txt: cannot write: No such file or directory
    [4]
    $ reckon params gpt2 --depth 1 -o - | head -n 1
    gpt2: 124 million parameters
    $ reckon params gpt2 > /dev/full
    reckon: cannot write to standard output: No space left on device
    [4]
    $ (reckon params gpt2 --all; echo $? > status) | head -n 1; cat status
    gpt2: 124 million parameters
    0

A model in the local Hugging Face cache, by its name there:

    $ mkdir -p hub/models--some-org--Tiny-1.0/refs hub/models--some-org--Tiny-1.0/snapshots/0a1b
    $ printf 0a1b > hub/models--some-org--Tiny-1.0/refs/main
    $ cp gpt.json hub/models--some-org--Tiny-1.0/snapshots/0a1b/config.json
    $ HF_HUB_CACHE= HUGGINGFACE_HUB_CACHE= HF_HOME=. reckon params some-org/Tiny-1.0 --depth 1 | head -n 1
    Tiny-1.0: 109 thousand parameters
    $ HF_HUB_CACHE=hub HF_HOME=elsewhere reckon params some-org/Tiny-1.0 --depth 1 | head -n 1
    Tiny-1.0: 109 thousand parameters
    $ HF_HUB_CACHE=hub reckon params some-org/Other
    reckon: some-org/Other: not in the local cache, and nothing is fetched; looked for hub/models--some-org--Other (HF_HUB_CACHE is set)
    [1]
    $ HF_HUB_CACHE=hub reckon params meta-llama/Llama-3.1-8B | head -n 3
    llama-3.1-8b: 8.03 billion parameters
    meta-llama/Llama-3.1-8B is not in the local cache; this is llama-3.1-8b, known by name.
    rotary positions, RMS norms, grouped heads, gated FFN

A name of a file cannot send sequences to a terminal, nor a formula to a spreadsheet:

    $ echo '{"model_type": "gpt2", "n_layer": 1}' > "$(printf 'a\033[31mb.json')"
    $ reckon compare "$(printf 'a\033[31mb.json')" gpt2 | grep -c "$(printf '\033')"
    0
    [1]
    $ reckon compare "$(printf 'a\033[31mb.json')" gpt2 | sed -n 3p
    In all of them: D = 768 width, V = 50,257 vocabulary, N = 12 heads, H = 64 head width,
    $ { echo 'model m: "m"'; echo 'run B = 1'; echo 'input x[B]'; echo 'y = x * .{"=1+1"}.w[B]'; echo 'output y'; } > cells.rk
    $ reckon params cells.rk --all --format csv | tr -d '\r'
    name,shape,count,dtype,bytes,tied_to
    '=1+1.w,1,1,,,
    $ reckon params cells.rk --all --format csv --csv raw | tr -d '\r'
    name,shape,count,dtype,bytes,tied_to
    =1+1.w,1,1,,,

A file that is used lies where its path says: a link that leads elsewhere is not followed.

    $ mkdir -p told/blocks other
    $ echo 'let D = 4' > other/secret.rk
    $ ln -s ../other/secret.rk told/link.rk
    $ { echo 'model m: "m"'; echo 'use link.rk'; echo 'run B = 1'; echo 'input x[B]'; echo 'output x'; } > told/m.rk
    $ reckon params told/m.rk
    told/m.rk:2:1: told/link.rk: a link in it leads out of the folder, and is not followed
        use link.rk
        ^^^^^^^^^^^
    [1]
    $ sed 's/link.rk/blocks\/..\/link.rk/' told/m.rk > told/n.rk
    $ reckon params told/n.rk
    told/n.rk:2:1: told/blocks/../link.rk: a link in it leads out of the folder, and is not followed
        use blocks/../link.rk
        ^^^^^^^^^^^^^^^^^^^^^
    [1]
    $ sed 's/link.rk/..\/other\/secret.rk/' told/m.rk > told/n.rk
    $ reckon params told/n.rk | head -n 1
    n: 0 parameters
    $ rm told/link.rk; echo 'let D = 4' > told/blocks/real.rk; ln -s blocks/real.rk told/link.rk
    $ reckon params told/m.rk | head -n 1
    m: 0 parameters

An output has a name, and one that is not finished is not left behind:

    $ reckon params gpt2 -o ''
    reckon: -o needs the name of a file, or - for standard output
    reckon: 'reckon help params' says how it is used
    [2]
    $ ln -s nowhere told/dangling
    $ reckon params gpt2 -o told/dangling
    reckon: told/dangling: is a link to a file that is not there
    [4]
    $ reckon sweep gpt2 S=1..1000000 B=1..1000 --of memory.peak --format csv -o told/rows.csv & sleep 1; kill -TERM $!; wait $! 2> /dev/null; ls told
    blocks
    dangling
    link.rk
    m.rk
    n.rk

What people try that is no model is answered with what works:

    $ reckon model.pt
    reckon: model.pt: a pickle runs code when it is read, and is not read here; give the config.json beside it, or a .safetensors
    [1]
    $ reckon https://example.org/org/model/
    reckon: an address is not read; its config can be piped in: curl -sL https://example.org/org/model/resolve/main/config.json | reckon -
    [1]
    $ reckon memory https://example.org/config.json
    reckon: an address is not read; its config can be piped in: curl -sL https://example.org/config.json | reckon -
    [1]
    $ reckon notes.md
    reckon: notes.md: a text is no model; what it says of one is read by 'reckon check notes.md'
    [1]
    $ reckon params gpt2 gpt2-xl
    reckon: gpt2 and gpt2-xl are two models: 'reckon compare gpt2 gpt2-xl' puts them side by side
    reckon: 'reckon help params' says how it is used
    [2]
