What is known by name:

    $ COLUMNS=160 reckon models | grep -e '^  gpt2-xl ' -e '^  block ' -e '^[A-Z]' | tr -s ' '
    Models, with their family:
     gpt2-xl gpt2
    Model files, which read a config or stand alone:
     block one block: attention with N heads, then a gated FFN; norms without weights
    $ reckon models --format json | grep -e '"gpt2-xl"' -e '"block"'
        {"name": "gpt2-xl", "family": "gpt2", "text": "config.json of openai-community/gpt2-xl"},
        {"name": "block", "text": "one block: attention with N heads, then a gated FFN; norms without weights"},

A config, or a model file, as it is:

    $ reckon models cs336-xl
    {
      "model_type": "cs336",
      "_source": "Stanford CS336, assignment 1: the shape of GPT-2 XL, gated FFN of width 4·d_model, separate head",
      "vocab_size": 50257,
      "context_length": 1024,
      "num_layers": 48,
      "d_model": 1600,
      "num_heads": 25,
      "gated": true,
      "tied": false
    }
    $ reckon models block | head -n 1
    model block: "one block: attention with N heads, then a gated FFN; norms without weights"
    $ reckon models block | cmp - "$TOP/models/block.rk"

    $ reckon models gpt3
    reckon: no model is called 'gpt3'; did you mean 'gpt2'?
    [1]
    $ reckon models gpt2 gpt2-xl
    reckon: 'gpt2-xl' is too much
    reckon: 'reckon help models' says how it is used
    [2]
    $ reckon models S=4
    reckon: there is nothing to set here: S=…
    reckon: 'reckon help models' says how it is used
    [2]

The operations:

    $ COLUMNS=160 reckon ops | tr -s ' ' | grep -e meaning -e '^<a [*] b>' -e '^rmsnorm ' -e '^softmax '
    operation forward backward per meaning
    <a * b> 2 4 pair of elements multiplied product: all labels touched; two each if one of them is summed
    <a * b> 1 2 element of the result product element by element: no label is summed
    rmsnorm 3 6 element of the first operand x / √(mean(x²) + ε) · w; each weight one more
    softmax 4 4 element of the first operand exp(x - max) / Σexp(x - max) along an axis
    $ reckon ops --format json | grep -e '"softmax"' -e '"solve"'
        {"name": "softmax", "forward": 4, "backward": 4, "per": "element of the first operand", "text": "exp(x - max) / Σexp(x - max) along an axis"},
        {"name": "solve", "forward": 1, "backward": 2, "per": "element of the result and unknown", "text": "the solution y of (1 + lower triangle of a) y = b"},
    $ reckon ops rmsnorm
    reckon: 'rmsnorm' is too much
    reckon: 'reckon help ops' says how it is used
    [2]
