What is too large, or no file at all, is refused at once: nothing of it is read first.

    $ truncate -s 1G sparse.rk
    $ timeout 300 reckon flops sparse.rk
    reckon: sparse.rk: larger than 1048576 bytes
    [1]
    $ timeout 300 reckon params llama sparse.rk
    reckon: sparse.rk: larger than 1048576 bytes
    [1]
    $ truncate -s 1G sparse.json
    $ timeout 300 reckon flops sparse.json
    reckon: sparse.json: larger than 67108864 bytes
    [1]
    $ timeout 300 reckon flops llama sparse.json
    reckon: sparse.json: larger than 67108864 bytes
    [1]
    $ timeout 300 reckon flops llama - < sparse.json
    reckon: standard input: larger than 67108864 bytes
    [1]

What has no end is read up to the limit only:

    $ timeout 300 reckon flops /dev/zero
    reckon: /dev/zero: larger than 67108864 bytes
    [1]
    $ timeout 300 reckon flops llama /dev/zero
    reckon: /dev/zero: larger than 67108864 bytes
    [1]
    $ timeout 300 reckon flops llama - < /dev/zero
    reckon: standard input: larger than 67108864 bytes
    [1]
    $ yes | timeout 300 reckon flops llama -
    reckon: standard input: larger than 67108864 bytes
    [1]
    $ ln -s /dev/zero endless.rk
    $ timeout 300 reckon flops endless.rk
    reckon: endless.rk: larger than 1048576 bytes
    [1]

A folder is no file, and neither is what is not there:

    $ mkdir folder.rk
    $ reckon flops folder.rk
    reckon: folder.rk: is a directory
    [4]
    $ reckon flops llama folder.rk
    reckon: folder.rk: is a directory
    [4]
    $ reckon flops nowhere.rk
    reckon: nowhere.rk: cannot read: No such file or directory
    [4]
    $ reckon flops llama nowhere.json
    reckon: nowhere.json: cannot read: No such file or directory
    [4]
    $ : > empty.rk
    $ reckon flops empty.rk
    reckon: empty.rk has no line  model NAME: "…"  : it is a file of blocks, not a model
    [1]
    $ : > empty.json
    $ reckon flops llama empty.json
    reckon: empty.json: is empty
    [1]

A model file as long as one may be is read in time:

    $ { echo 'model long: "long"'; echo 'run B = 2'; echo 'input x[B]'; yes 'x = x + x' | head -n 19990; echo 'output x'; } > long.rk
    $ timeout 300 reckon flops long.rk --count all | grep -o '19990B' | head -n 1
    19990B
    $ yes 'x = x + x' | head -n 30 >> long.rk
    $ timeout 300 reckon flops long.rk
    long.rk:20001:1: too many statements; the limit is 20000
        x = x + x
        ^
    [1]
    $ yes '# a comment that has no end' | head -c 1100000 > long.rk
    $ timeout 300 reckon flops long.rk
    reckon: long.rk: larger than 1048576 bytes
    [1]

A list of which each layer asks for its number is gone through once:

    $ { printf '{"model_type": "qwen3_moe", "num_hidden_layers": 100000, "mlp_only_layers": ['; seq -s , 0 2 32000; echo ']}'; } > listed.json
    $ timeout 300 reckon params listed.json --format json | grep '"stored"'
      "parameters": {"stored": 52304497694720, "named": 52304497694720, "active": 4741656565760, "trained": 52304497694720},

Tensors that would be named one by one are counted before:

    $ echo '{"model_type": "qwen3_moe", "num_hidden_layers": 100000, "num_experts": 100000}' > many.json
    $ timeout 300 reckon params many.json --format csv | grep -c layers
    11
    $ timeout 300 reckon params many.json --all
    reckon: many has more than 262144 tensors, too many to name each; set fewer layers or experts, or see them by part: reckon params
    [1]
    $ timeout 300 reckon params many.json --names checkpoint
    reckon: many has more than 262144 tensors, too many to name each; set fewer layers or experts, or see them by part: reckon params
    [1]
    $ timeout 300 reckon explain many.json model.layers.3.mlp.experts.5.up_proj.weight
    reckon: many has more than 262144 tensors, too many to name each; set fewer layers or experts, or see them by part: reckon params
    [1]
    $ printf '\130\0\0\0\0\0\0\0{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}                                  12345678' > one.safetensors
    $ timeout 300 reckon verify many.json one.safetensors
    reckon: many has more than 262144 tensors, too many to name each; set fewer layers or experts, or see them by part: reckon params
    [1]

So are the keys and values of a config:

    $ { echo '{"model_type": "gpt2"'; seq -f ', "k%.0f": 0' 400000; echo '}'; } > keys.json
    $ timeout 300 reckon params keys.json --format json | grep '"stored"'
      "parameters": {"stored": 124439808, "named": 163037184, "active": 124439808, "trained": 124439808},
    $ { echo '{"model_type": "gpt2"'; seq -f ', "k%.0f": 0' 600000; echo '}'; } > keys.json
    $ timeout 300 reckon params keys.json
    reckon: keys.json:524288:14: more than 1048576 keys and values: this is no config
    [1]

Layers that all differ are told apart without asking each of all others:

    $ { echo 'model differ: "all differ"'; echo 'let L = 2000'; echo 'let D = 64'; echo 'run B = 1'; echo 'input x[B D]'; echo 'part layers[i < L] at h.{i}:'; echo '    let F = i + 1'; echo '    up[B F] = x * .up[D F]'; echo '    down[B D] = up * .down[F D]'; echo '    x = x + down'; echo 'output x'; } > differ.rk
    $ timeout 300 reckon flops differ.rk --format csv | grep -c up
    2000
    $ timeout 300 reckon params differ.rk --format json L=2600 | grep stored
      "parameters": {"stored": 432806400, "named": 432806400, "active": 432806400, "trained": 432806400},
    $ timeout 300 reckon params differ.rk L=9000
    reckon: differ: too many layers that differ: telling them apart takes more than 4000000 questions
    [1]
