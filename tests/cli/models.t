What is known by name, with its size, below its family:

    $ reckon models | sed -n '1,/^albert/p'
    Families, each with the models that are known by name and their parameters:

    albert                                    a narrow embedding and a few groups of layers, each read
    $ COLUMNS=160 reckon models | grep -e '^  gpt2-xl ' -e '^block ' -e '^roberta' | tr -s ' '
    block one block: attention with N heads, then a gated FFN; norms without weights
     gpt2-xl 1.56 B
    roberta, xlm-roberta, camembert BERT's encoder with positions that begin after the padding's number, and heads of its own
    $ reckon models --format json | grep -e '"gpt2-xl"' -e '"block"' -e '"roberta"'
        {"name": "distilroberta-base", "family": "roberta", "parameters": 82170201, "text": "config of distilbert/distilroberta-base"},
        {"name": "gpt2-xl", "family": "gpt2", "parameters": 1557611200, "text": "config.json of openai-community/gpt2-xl"},
        {"name": "roberta-large", "family": "roberta", "parameters": 355412057, "text": "config of FacebookAI/roberta-large"},
        {"name": "block", "families": ["block"], "text": "one block: attention with N heads, then a gated FFN; norms without weights"},
        {"name": "roberta", "families": ["roberta", "xlm-roberta", "camembert"], "text": "BERT's encoder with positions that begin after the padding's number, and heads of its own"},
    $ reckon models --format csv | tr -d '\r' | grep -e ^name -e ^gpt2-xl -e ^block, -e roberta,
    name,kind,family,parameters,text
    block,model file,block,,"one block: attention with N heads, then a gated FFN; norms without weights"
    gpt2-xl,config,gpt2,1557611200,config.json of openai-community/gpt2-xl
    roberta,model file,roberta xlm-roberta camembert,,"BERT's encoder with positions that begin after the padding's number, and heads of its own"
    distilroberta-base,config,roberta,82170201,config of distilbert/distilroberta-base
    roberta-large,config,roberta,355412057,config of FacebookAI/roberta-large
    multilingual-e5-large,config,xlm-roberta,559890432,config of intfloat/multilingual-e5-large (XLM-R large)
    $ reckon models --names | grep -e '^gpt2$' -e camembert
    gpt2
    camembert

By a word or a pattern, in names, families and descriptions:

    $ reckon models OSS
    Families, each with the models that are known by name and their parameters:

    bart            an encoder and a decoder with cross attention, learned positions, norms after the
                    residual sums
    gpt_oss         attention sinks, alternating windows, fused experts with biases, gate and up
                    interleaved
      gpt-oss-120b  117 B
    mllama          an image of several tiles in a tower of two parts; the text reads it by cross
                    attention in some of its layers
    seed_oss        as Llama, biases on queries, keys and values, elsewhere by choice
    whisper         convolutions over mel frames, an encoder, a decoder with cross attention; two caches
    $ reckon models 'llama-3.?-*b' | tr -s ' '
    Families, each with the models that are known by name and their parameters:

    llama rotary positions, RMS norms, grouped heads, gated FFN
     llama-3.1-8b 8.03 B
     llama-3.1-70b 70.6 B
     llama-3.1-405b 406 B
    $ reckon models 'latent' --format json
    {
      "version": 1,
      "models": [],
      "files": [
        {"name": "deepseek_v2", "families": ["deepseek_v2"], "text": "multi-latent attention; the first layers dense, then shared and A of E routed experts"},
        {"name": "deepseek_v3", "families": ["deepseek_v3"], "text": "multi-latent attention; the first layers dense, then shared and A of E routed experts"},
        {"name": "deepseek_v32", "families": ["deepseek_v32"], "text": "multi-latent attention to the best keys, which a small indexer names; shared and A of E routed experts"},
        {"name": "glm4_moe_lite", "families": ["glm4_moe_lite"], "text": "multi-latent attention; the first layer dense, then shared and A of E routed experts"},
        {"name": "nemotron_h", "families": ["nemotron_h"], "text": "each layer is one thing: Mamba-2, attention, an FFN, or experts that may work in a latent; no positions"}
      ]
    }
    $ reckon models 'no such*'
    reckon: no model is called 'no such*' ('reckon models' lists them)
    [1]
    $ reckon models lama-3-8b
    Families, each with the models that are known by name and their parameters:

    llama         rotary positions, RMS norms, grouped heads, gated FFN
      llama-3-8b  8.03 B

A folder of one's own; what cannot be opened has no size, and no family is none:

    $ mkdir -p own/named && echo '{"model_type": "gpt2", "n_embd": 7}' > own/named/bad.json
    $ echo '{"model_type": "unheard"}' > own/named/alone.json && echo '{"model_type": "gpt2"}' > own/named/good.json
    $ RECKON_MODELS=own reckon models '*d' --format csv | tr -d '\r' | grep -e bad -e good
    bad,config,gpt2,,
    good,config,gpt2,124439808,
    $ RECKON_MODELS=own reckon models alone --format json
    {"model_type": "unheard"}
    $ RECKON_MODELS=own reckon models unheard
    Families, each with the models that are known by name and their parameters:

      alone

What a family reads from a config:

    $ reckon models --keys gpt2
    What the family gpt2 reads from a config:

    key                      default     symbol  meaning
    n_layer                  12          L       layers
    num_hidden_layers        12          L       layers
    n_embd                   768         D       width
    hidden_size              768         D       width
    vocab_size               50257       V       vocabulary
    n_head                   12          N       heads
    num_attention_heads      12          N       heads
    n_inner                  4 * D       F       FFN width
    n_positions              1024        C       learned positions
    max_position_embeddings  1024        C       learned positions
    tie_word_embeddings      True
    embd_pdrop               0.1
    attn_pdrop               0.1
    resid_pdrop              0.1
    add_cross_attention
    activation_function      "gelu_new"
    $ reckon models --keys gpt2-xl --format json | head -n 4
    {
      "version": 1,
      "family": "gpt2",
      "keys": [
    $ reckon models --keys xlm-roberta | head -n 1
    What the family roberta reads from a config:
    $ reckon models --keys llama --format csv | tr -d '\r' | head -n 3
    key,default,symbol,meaning
    num_hidden_layers,32,L,layers
    hidden_size,4096,D,width
    $ reckon models --keys
    reckon: which family? 'reckon models --keys llama'
    reckon: 'reckon help models' says how it is used
    [2]
    $ reckon models --keys lama
    reckon: no model file is for the family 'lama'; nearest by name: 'llama'
    [1]
    $ reckon models --keys --symbols llama
    reckon: --names lists models, --symbols and --keys what one has: choose one
    reckon: 'reckon help models' says how it is used
    [2]

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
