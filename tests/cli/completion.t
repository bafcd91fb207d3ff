Scripts for shells; tests/completion has what they offer:

    $ reckon completion bash | head -n 1
    # bash completion of reckon, written by 'reckon completion bash'.
    $ reckon completion zsh | head -n 1
    #compdef reckon
    $ reckon completion
    reckon: which shell? (bash|zsh)
    reckon: 'reckon help completion' says how it is used
    [2]
    $ reckon completion fish
    reckon: the shell is not 'fish' but one of bash|zsh
    reckon: 'reckon help completion' says how it is used
    [2]
    $ reckon completion zhs
    reckon: the shell is not 'zhs' but one of bash|zsh; did you mean 'zsh'?
    reckon: 'reckon help completion' says how it is used
    [2]
    $ reckon completion bash zsh
    reckon: 'zsh' is too much
    reckon: 'reckon help completion' says how it is used
    [2]
    $ reckon completion bash S=4
    reckon: 'S' is too much
    reckon: 'reckon help completion' says how it is used
    [2]

What they ask for while a line is typed. Names, each once:

    $ reckon models --names | grep -e '^gpt2' -e '^block'
    block
    block-mlp
    gpt2
    gpt2-large
    gpt2-medium
    gpt2-xl
    $ reckon models --names gpt2
    reckon: 'gpt2' is too much
    reckon: 'reckon help models' says how it is used
    [2]
    $ reckon models --names --format json
    {"error": {"code": "usage", "where": null, "message": "--names, --symbols and --source are lines already: leave out --format"}}
    [2]
    $ mkdir -p mine/named && echo 'model my-own: "mine"' > mine/my-own.rk && echo 'not JSON' > mine/named/my-size.json
    $ echo 'block f(x[D]) -> y:' > mine/some-blocks.rk
    $ RECKON_MODELS=mine reckon models --names | grep -e '^my-' -e '^some-'
    my-own
    my-size

Symbols of a model, with their meaning:

    $ reckon models --symbols gpt2 | head -n 4
    L	layers
    D	width
    V	vocabulary
    N	heads
    $ echo '{"model_type": "gpt2", "n_embd": 96}' > config.json
    $ reckon models --symbols gpt2 config.json | tail -n 1
    T	keys seen: cache and new
    $ reckon models --symbols - < config.json | head -n 1
    L	layers
    $ reckon models --symbols
    reckon: which model? ('reckon models' lists what is known by name)
    reckon: 'reckon help models' says how it is used
    [2]
    $ reckon models --symbols gtp2
    reckon: no model is called 'gtp2'; did you mean 'gpt2'?
    [1]
    $ reckon models --symbols gpt2 S=4
    reckon: there is nothing to set here: S=…
    reckon: 'reckon help models' says how it is used
    [2]
    $ reckon models --symbols gpt2 config.json config.json
    reckon: 'config.json' is too much
    reckon: 'reckon help models' says how it is used
    [2]
    $ reckon models --symbols --names gpt2
    reckon: --names lists models, --symbols, --keys and --source what one has: choose one
    reckon: 'reckon help models' says how it is used
    [2]
    $ reckon models --symbols gpt2 --format json
    {"error": {"code": "usage", "where": null, "message": "--names, --symbols and --source are lines already: leave out --format"}}
    [2]
