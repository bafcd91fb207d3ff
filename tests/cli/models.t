What is known by name, in short:

    $ COLUMNS=80 reckon models
    162 families, and 304 models of them that are known by name
    A family reads every config.json of its model_type, of any size.

                                                  families  models    from      to
    language models                                     99     193  14.1 M  1.57 T
    encoder-decoders; images or speech to text          30      51  37.8 M   401 B
    encoders of text                                    16      38  11.2 M   885 M
    encoders of images                                   4      15  22.1 M  1.14 B
    others: towers, models and blocks of courses        13       7   190 M  2.13 B

    Families with models known by name:
    albert, bart, bert, biogpt, bloom, clip, clip_text_model, cohere, cs336,
    deberta-v2, deepseek_v2, deepseek_v3, deepseek_v32, deepseek_v4, dinov2,
    distilbert, electra, ernie4_5, ernie4_5_moe, exaone4, falcon, gemma, gemma2,
    gemma3, gemma3_text, glm, glm4_moe, glm4_moe_lite, glm4v, glm_moe_dsa, gpt2,
    gpt_bigcode, gpt_neo, gpt_neox, gpt_oss, gptj, granite, granitemoe,
    granitemoehybrid, jamba, lfm2_vl, llama, llama4, llava, mimo_v2_flash,
    minimax_m2, ministral3, mistral, mixtral, mllama, modernbert, mpnet, nemotron_h,
    olmo, olmo2, olmo3, olmoe, openai-gpt, opt, paligemma, phi, phi3, phimoe, qwen2,
    qwen2_5_vl, qwen2_moe, qwen2_vl, qwen3, qwen3_5, qwen3_moe, qwen3_next,
    qwen3_vl, roberta, siglip, smollm3, stablelm, starcoder2, t5, vit, whisper, xglm

    reckon models llama           those with a word in their name
    reckon models --all           all of them
    reckon models llama --source  the model file of a family
    reckon llama-3.1-8b           what a model is

All of it:

    $ reckon models --all | sed -n '1,4p'
    304 models and 162 families

                                            parameters  layers   width     context  family
    albert-base-v1                              11.2 M      12     768         512  albert
    $ COLUMNS=160 reckon models --all | grep -e '^gpt2-xl ' -e '^block ' -e '^roberta' | tr -s ' '
    gpt2-xl 1.56 B 48 1,600 1,024 gpt2
    roberta-base 125 M 12 768 roberta
    roberta-large 355 M 24 1,024 roberta
    block one block: attention with N heads, then a gated FFN; norms without weights
    roberta, xlm-roberta, camembert, data2vec-text BERT's encoder with positions that begin after the padding's number, and heads of
    $ reckon models --format json | grep -e '"gpt2-xl"' -e '"block"' -e '"roberta"'
        {"name": "distilroberta-base", "family": "roberta", "parameters": 82170201, "text": "config of distilbert/distilroberta-base", "layers": 6, "width": 768},
        {"name": "gpt2-xl", "family": "gpt2", "parameters": 1557611200, "text": "config.json of openai-community/gpt2-xl", "layers": 48, "width": 1600, "context": 1024},
        {"name": "roberta-base", "family": "roberta", "parameters": 124697433, "text": "sizes of FacebookAI/roberta-base as in huanyuai/FKT-KE; head as in the config of FacebookAI/roberta-large", "layers": 12, "width": 768},
        {"name": "roberta-large", "family": "roberta", "parameters": 355412057, "text": "config of FacebookAI/roberta-large", "layers": 24, "width": 1024},
        {"name": "block", "families": ["block"], "text": "one block: attention with N heads, then a gated FFN; norms without weights"},
        {"name": "roberta", "families": ["roberta", "xlm-roberta", "camembert", "data2vec-text"], "text": "BERT's encoder with positions that begin after the padding's number, and heads of its own"},
    $ reckon models --format csv | tr -d '\r' | grep -e ^name -e ^gpt2-xl -e ^block, -e roberta,
    name,kind,family,parameters,text,layers,width,context
    block,model file,block,,"one block: attention with N heads, then a gated FFN; norms without weights",,,
    gpt2-xl,config,gpt2,1557611200,config.json of openai-community/gpt2-xl,48,1600,1024
    roberta,model file,roberta xlm-roberta camembert data2vec-text,,"BERT's encoder with positions that begin after the padding's number, and heads of its own",,,
    distilroberta-base,config,roberta,82170201,config of distilbert/distilroberta-base,6,768,
    roberta-base,config,roberta,124697433,sizes of FacebookAI/roberta-base as in huanyuai/FKT-KE; head as in the config of FacebookAI/roberta-large,12,768,
    multilingual-e5-base,config,xlm-roberta,278043648,"config of intfloat/multilingual-e5-base, as in Gomez12/OpenTeddy",12,768,
    xlm-roberta-base,config,xlm-roberta,278295186,sizes of FacebookAI/xlm-roberta-base as the table of keras-team/keras-hub has them; positions and head as in the config of FacebookAI/roberta-large,12,768,
    roberta-large,config,roberta,355412057,config of FacebookAI/roberta-large,24,1024,
    multilingual-e5-large,config,xlm-roberta,559890432,config of intfloat/multilingual-e5-large (XLM-R large),24,1024,
    xlm-roberta-large,config,xlm-roberta,560142482,sizes of FacebookAI/xlm-roberta-large as the table of keras-team/keras-hub has them; positions and head as in the config of FacebookAI/roberta-large,24,1024,
    bge-m3,config,xlm-roberta,567754752,"config of BAAI/bge-m3, as in vminh16/VI-Legal-RAG",24,1024,
    bge-reranker-v2-m3,config,xlm-roberta,567755777,"config of BAAI/bge-reranker-v2-m3, as in paxtonedgar/utilities_assist",24,1024,
    $ reckon models --names | grep -e '^gpt2$' -e camembert
    gpt2
    camembert

By a word or a pattern, in names, families and descriptions:

    $ reckon models OSS
    2 models and 2 families with 'OSS' in the name

                  parameters  layers  width  context  family
    gpt-oss-20b       20.9 B      24  2,880  131,072  gpt_oss
    gpt-oss-120b       117 B      36  2,880  131,072  gpt_oss

              what it is
    gpt_oss   attention sinks, alternating windows, fused experts with biases, gate and up interleaved
    seed_oss  as Llama, biases on queries, keys and values, elsewhere by choice

    Also in the descriptions of bart, blip, mllama, mllama_text_model, whisper.
    $ reckon models 'llama-3.?-*b' | tr -s ' '
    3 models and 1 family with 'llama-3.?-*b' in the name

     parameters layers width context family
    llama-3.1-8b 8.03 B 32 4,096 131,072 llama
    llama-3.1-70b 70.6 B 80 8,192 131,072 llama
    llama-3.1-405b 406 B 126 16,384 131,072 llama

     what it is
    llama rotary positions, RMS norms, grouped heads, gated FFN
    $ reckon models 'latent' --format json
    {
      "version": 1,
      "models": [],
      "files": [
        {"name": "deepseek_v2", "families": ["deepseek_v2"], "text": "multi-latent attention; the first layers dense, then shared and A of E routed experts"},
        {"name": "deepseek_v3", "families": ["deepseek_v3", "youtu"], "text": "multi-latent attention; the first layers dense, then shared and A of E routed experts"},
        {"name": "deepseek_v32", "families": ["deepseek_v32"], "text": "multi-latent attention to the best keys, which a small indexer names; shared and A of E routed experts"},
        {"name": "glm4_moe_lite", "families": ["glm4_moe_lite"], "text": "multi-latent attention; the first layer dense, then shared and A of E routed experts"},
        {"name": "kimi_linear", "families": ["kimi_linear"], "text": "three delta-rule layers that forget by the channel to one latent attention without positions; the first layers dense, then shared and A of E routed experts"},
        {"name": "longcat_flash", "families": ["longcat_flash"], "text": "two latent attentions and two FFNs in a layer, beside which experts run; some of those that a token may choose hand it on as it is"},
        {"name": "minicpm3", "families": ["minicpm3"], "text": "multi-latent attention in every layer, a gated FFN; embeddings, residual sums and what the head reads are scaled"},
        {"name": "nemotron_h", "families": ["nemotron_h"], "text": "each layer is one thing: Mamba-2, attention, an FFN, or experts that may work in a latent; no positions"}
      ]
    }
    $ reckon models latent
    8 families with 'latent' in the description

                        what it is
    deepseek_v2         multi-latent attention; the first layers dense, then shared and A of E routed
                        experts
    deepseek_v3, youtu  multi-latent attention; the first layers dense, then shared and A of E routed
                        experts
    deepseek_v32        multi-latent attention to the best keys, which a small indexer names; shared and
                        A of E routed experts
    glm4_moe_lite       multi-latent attention; the first layer dense, then shared and A of E routed
                        experts
    kimi_linear         three delta-rule layers that forget by the channel to one latent attention
                        without positions; the first layers dense, then shared and A of E routed experts
    longcat_flash       two latent attentions and two FFNs in a layer, beside which experts run; some of
                        those that a token may choose hand it on as it is
    minicpm3            multi-latent attention in every layer, a gated FFN; embeddings, residual sums
                        and what the head reads are scaled
    nemotron_h          each layer is one thing: Mamba-2, attention, an FFN, or experts that may work in
                        a latent; no positions
    $ reckon models gpt2 --columns context,parameters
    6 models and 1 family with 'gpt2' in the name

                 context  parameters
    distilgpt2     1,024      81.9 M
    gpt2           1,024       124 M
    gpt2-medium    1,024       355 M
    gpt2-large     1,024       774 M
    gpt2-xl        1,024      1.56 B
    gpt-3-175b     2,048       175 B
    $ reckon models 'no such*'
    reckon: no model is called 'no such*' ('reckon models' lists them)
    [1]
    $ reckon models lama-3-8b
    1 model and 1 family with 'lama-3-8b' in the name

                parameters  layers  width  context  family
    llama-3-8b      8.03 B      32  4,096    8,192  llama

           what it is
    llama  rotary positions, RMS norms, grouped heads, gated FFN

A folder of one's own; what cannot be opened has no size, and no family is none:

    $ mkdir -p own/named && echo '{"model_type": "gpt2", "n_embd": 7}' > own/named/bad.json
    $ echo '{"model_type": "unheard"}' > own/named/alone.json && echo '{"model_type": "gpt2"}' > own/named/good.json
    $ RECKON_MODELS=own reckon models '*d' --format csv | tr -d '\r' | grep -e bad -e good
    bad,config,gpt2,,,,,
    good,config,gpt2,124439808,,12,768,
    $ RECKON_MODELS=own reckon models alone --source
    {"model_type": "unheard"}
    $ RECKON_MODELS=own reckon models unheard
    1 model with 'unheard' in the name

           family
    alone  unheard

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
    reckon: --names lists models, --symbols, --keys and --source what one has: choose one
    reckon: 'reckon help models' says how it is used
    [2]

A config, or a model file, as it is:

    $ reckon models cs336-xl --source
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
    $ reckon models block --source | head -n 1
    model block: "one block: attention with N heads, then a gated FFN; norms without weights"
    $ reckon models block --source | cmp - "$TOP/models/block.rk"

    $ reckon models gtp2
    reckon: no model is called 'gtp2'; did you mean 'gpt2'?
    [1]
    $ reckon models gpt2.rk --source | cmp - "$TOP/models/gpt2.rk"
    $ reckon models gpt2-xl.rk --source | cmp - "$TOP/models/gpt2.rk"
    $ reckon models gtp2 --source
    reckon: no model is called 'gtp2'; did you mean 'gpt2'?
    [1]
    $ reckon models --source
    reckon: the file of which model? 'reckon models llama --source'
    reckon: 'reckon help models' says how it is used
    [2]
    $ reckon models gpt2 --source --format json
    {"error": {"code": "usage", "where": null, "message": "--names, --symbols and --source are lines already: leave out --format"}}
    [2]
    $ reckon models gpt2 --source --keys
    reckon: --names lists models, --symbols, --keys and --source what one has: choose one
    reckon: 'reckon help models' says how it is used
    [2]
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
