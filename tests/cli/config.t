How a config is read: each key, what it gave, and what was not read.

    $ cat > mine.json << 'END'
    > {"model_type": "llama", "_name_or_path": "me/mine", "torch_dtype": "bfloat16", "bos_token_id": 1,
    >  "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128,
    >  "vocab_size": 100, "num_key_value_heads": null, "attention_bias": true, "use_magic": [1, 2, 3, 4, 5],
    >  "gates": {"kind": "soft", "n": 4}, "rope_theta": 10000.0, "ratio": 0.5}
    > END
    $ reckon mine.json --explain-config
    mine: the config as the family llama reads it

    key                      value        symbol  from            meaning
    num_hidden_layers        2            L       given           layers
    hidden_size              64           D       given           width
    vocab_size               100          V       given           vocabulary
    num_attention_heads      4            N       given           query heads
    num_key_value_heads      4            K       default: N      key/value heads
    head_dim                 16           H       default: D / N  head width
    intermediate_size        128          F       given           FFN width
    max_position_embeddings  2,048        S       default         tokens of a sequence
    tie_word_embeddings      none                 default
    architectures            ForCausalLM          default
    attention_bias           true                 given
    mlp_bias                 none                 default
    hidden_act               silu                 default

    Structural keys that were not read:
    key        value
    use_magic  [1, 2, 3, … 5 values]
    gates      {2 keys}
    ratio      0.5
    5 keys about names, tokens, training and the like are left out.
    $ reckon flops mine.json --explain-config --format json D=32
    {
      "version": 1,
      "model": "mine",
      "family": "llama",
      "keys": [
        {"key": "num_hidden_layers", "value": 2, "symbol": "L", "from": "given", "meaning": "layers"},
        {"key": "hidden_size", "value": 32, "symbol": "D", "from": "line", "meaning": "width"},
        {"key": "vocab_size", "value": 100, "symbol": "V", "from": "given", "meaning": "vocabulary"},
        {"key": "num_attention_heads", "value": 4, "symbol": "N", "from": "given", "meaning": "query heads"},
        {"key": "num_key_value_heads", "value": 4, "symbol": "K", "from": "default", "meaning": "key/value heads", "default": "N"},
        {"key": "head_dim", "value": 8, "symbol": "H", "from": "default", "meaning": "head width", "default": "D / N"},
        {"key": "intermediate_size", "value": 128, "symbol": "F", "from": "given", "meaning": "FFN width"},
        {"key": "max_position_embeddings", "value": 2048, "symbol": "S", "from": "default", "meaning": "tokens of a sequence"},
        {"key": "tie_word_embeddings", "value": null, "from": "default"},
        {"key": "architectures", "value": "ForCausalLM", "from": "default"},
        {"key": "attention_bias", "value": true, "from": "given"},
        {"key": "mlp_bias", "value": null, "from": "default"},
        {"key": "hidden_act", "value": "silu", "from": "default"}
      ],
      "not_read": [
        {"key": "use_magic", "value": [1, 2, 3, 4, 5], "from": "not read"},
        {"key": "gates", "value": {"kind": "soft", "n": 4}, "from": "not read"},
        {"key": "ratio", "value": 0.5, "from": "not read"}
      ]
    }
    $ reckon params mine.json --explain-config --format csv | tr -d '\r'
    key,value,symbol,from,meaning
    num_hidden_layers,2,L,given,layers
    hidden_size,64,D,given,width
    vocab_size,100,V,given,vocabulary
    num_attention_heads,4,N,given,query heads
    num_key_value_heads,4,K,default,key/value heads
    head_dim,16,H,default,head width
    intermediate_size,128,F,given,FFN width
    max_position_embeddings,2048,S,default,tokens of a sequence
    tie_word_embeddings,,,default,
    architectures,ForCausalLM,,default,
    attention_bias,true,,given,
    mlp_bias,,,default,
    hidden_act,silu,,default,
    use_magic,"[1, 2, 3, 4, 5]",,not read,
    gates,{2 keys},,not read,
    ratio,0.5,,not read,
    $ reckon params mine.json --explain-config --format md
    # mine: the config as the family llama reads it

    | key | value | symbol | from | meaning |
    |:---|:---|:---|:---|:---|
    | `num_hidden_layers` | 2 | `L` | given | layers |
    | `hidden_size` | 64 | `D` | given | width |
    | `vocab_size` | 100 | `V` | given | vocabulary |
    | `num_attention_heads` | 4 | `N` | given | query heads |
    | `num_key_value_heads` | 4 | `K` | default: N | key/value heads |
    | `head_dim` | 16 | `H` | default: D / N | head width |
    | `intermediate_size` | 128 | `F` | given | FFN width |
    | `max_position_embeddings` | 2,048 | `S` | default | tokens of a sequence |
    | `tie_word_embeddings` | none | | default | |
    | `architectures` | ForCausalLM | | default | |
    | `attention_bias` | true | | given | |
    | `mlp_bias` | none | | default | |
    | `hidden_act` | silu | | default | |

    ## Structural keys that were not read:

    | key | value |
    |:---|:---|
    | `use_magic` | \[1, 2, 3, … 5 values\] |
    | `gates` | {2 keys} |
    | `ratio` | 0.5 |

    *5 keys about names, tokens, training and the like are left out.*
    $ reckon params mine.json --explain-config --format latex | grep -e hidden_size -e 'hidden.*size' | head -n 2
    \texttt{hidden\_size} & 64 & \texttt{D} & given & width \\

Two spellings of one key: the one that was given; where there is none, the first with the default.

    $ echo '{"model_type": "gptj", "n_embd": 64, "n_head": 4, "n_layer": 2, "rotary_dim": 8}' > two.json
    $ reckon params two.json --explain-config --format json | grep -e n_embd -e hidden_size -e n_positions -e max_position
        {"key": "n_embd", "value": 64, "symbol": "D", "from": "given", "meaning": "width"},
        {"key": "max_position_embeddings", "value": 2048, "symbol": "S", "from": "default", "meaning": "tokens of a sequence"},

A null that says something, and a default that differs between layers:

    $ echo '{"model_type": "deepseek_v3", "q_lora_rank": null}' | reckon params - --explain-config | grep q_lora
    q_lora_rank              none         Q       given                       query latent; 0: a plain
    $ reckon params gemma3_text --explain-config | grep layer_types
    layer_types                  by layer                   default:
    $ reckon params cs336-xl-plain --explain-config | tail -n 8
    num_heads       25      N       given           heads
    d_ff            6,400   F       default: 4 * D  FFN width
    context_length  1,024   S       given           tokens of a sequence
    tied            false           given
    gated           false           given

    There is no structural key that was not read.
    2 keys about names, tokens, training and the like are left out.

Parts of a config that are configs themselves:

    $ reckon params paligemma-3b-pt-224 --explain-config | sed -n '/not read/,$p'
    Structural keys that were not read:
    key                                 value
    hidden_size                         2,048
    text_config.num_image_tokens        256
    vision_config.num_image_tokens      256
    vision_config.projection_dim        2,048
    vision_config.projector_hidden_act  gelu_fast
    vocab_size                          257,216
    7 keys about names, tokens, training and the like are left out.

A page is no table, but this is one:

    $ reckon mine.json --format csv
    reckon: a whole page is no csv: 'reckon params' and 'reckon flops' have tables
    reckon: 'reckon help' lists the commands
    [2]

Of families with the same keys, one of the same line is named first, then one that reads the constants too; a family that
reads the text by way of another file counts its keys; what is far behind the nearest is not named:

    $ printf '{"model_type": "qwen4", "hidden_size": 64, "num_attention_heads": 4, "vocab_size": 100, "head_dim": 16}' > q.json
    $ reckon q.json
    reckon: q.json: no model file is for the family 'qwen4'; by keys: 'qwen2' (4), 'qwen3' (4), 'qwen2_vl_text' (4), of the 4 it has.  --like qwen2 takes them all; or give a model file for it (FILE.rk CONFIG)
    [1]
    $ printf '{"model_type": "nova", "hidden_size": 64, "num_attention_heads": 4, "vocab_size": 100, "head_dim": 16, "sliding_window": 8, "attn_logit_softcapping": 50.0}' > g.json
    $ reckon g.json
    reckon: g.json: no model file is for the family 'nova'; by keys: 'gemma2' (5), 'mistral' (5), 'ministral3' (5), of the 5 it has.  --like gemma2 takes them all; or give a model file for it (FILE.rk CONFIG)
    [1]
    $ printf '{"model_type": "sees", "vision_feature_layer": -2, "vision_feature_select_strategy": "full", "text_config": {"hidden_size": 64, "num_hidden_layers": 2, "intermediate_size": 96}}' > v.json
    $ reckon v.json
    reckon: v.json: no model file is for the family 'sees'; by keys: 'llava_next' (5), 'internvl' (5), 'llava' (5), of the 5 it has.  --like llava_next takes them all; or give a model file for it (FILE.rk CONFIG)
    [1]
    $ printf '{"model_type": "hears", "encoder_layers": 2, "decoder_layers": 2, "num_mel_bins": 80, "max_source_positions": 1500, "max_target_positions": 448, "d_model": 64}' > h.json
    $ reckon h.json
    reckon: h.json: no model file is for the family 'hears'; by keys: 'whisper' (6), 'bart' (3), 'trocr' (2), of the 6 it has.  --like whisper takes them all; or give a model file for it (FILE.rk CONFIG)
    [1]

A family that no model file is for:

    $ sed 's/"llama"/"llamo"/' mine.json > llamo.json
    $ reckon llamo.json
    reckon: llamo.json: no model file is for the family 'llamo'; nearest by name: 'llama', 'llava'; by keys: 'llama' (7), 'llama4_text' (7), 'olmo2' (7), of the 10 it has.  --like llama takes all but use_magic, gates, ratio; or give a model file for it (FILE.rk CONFIG)
    [1]
    $ reckon params llamo.json --like llama --depth 1
    llamo: 95.6 thousand parameters
    Read like llama; left to its defaults: num_key_value_heads, head_dim, max_position_embeddings,
    tie_word_embeddings, architectures, mlp_bias, hidden_act (--explain-config says more).
    rotary positions, RMS norms, grouped heads, gated FFN

             count  times   total   share  formula
    embed    6,400      1   6,400    6.7%  DV
    layers  41,344      2  82,688   86.5%  4D² + 3DF + 6D
    head     6,464      1   6,464    6.8%  DV + D
    ─────────────────────────────────────────────────────
    total                  95,552  100.0%

    stored = 4LD² + 3LDF + 6LD + 2DV + D
           = 95,552
    Stored as bf16: 191,104 bytes (191 kB).

      L    2  layers
      D   64  width
      V  100  vocabulary
      F  128  FFN width
    $ reckon flops llamo.json --like llama --format json | head -n 3
    {
      "version": 1,
      "model": "llamo",
    $ reckon llamo.json --like mixtral
    reckon: llamo.json: it cannot be read like mixtral: it lacks num_key_value_heads (K: key/value heads), num_local_experts (E: experts), num_experts_per_tok (A: experts per token), and that family's own numbers are not its sizes.  Add what is lacking to the config, or set it on the line (SYMBOL=VALUE)
    [1]
    $ reckon llamo.json --like mixtral E=4 A=2 K=2 | head -n 4
    llamo: 235 thousand parameters
    Read like mixtral; left to its defaults: head_dim, max_position_embeddings, tie_word_embeddings,
    architectures, sliding_window, hidden_act (--explain-config says more).
    2 layers of width 64, 4 query heads and 2 key/value heads of 16, 4 experts of 128, 2 per token,
    $ reckon derive llamo.json params --like mixtral E=4 A=2
    reckon: llamo.json: it cannot be read like mixtral: it lacks num_key_value_heads (K: key/value heads), and that family's own numbers are not its sizes.  Add what is lacking to the config, or set it on the line (SYMBOL=VALUE)
    [1]
    $ reckon llamo.json --like lama
    reckon: no model file is for the family 'lama'; nearest by name: 'llama'
    [1]
    $ reckon llama mine.json --like llama
    reckon: --like llama says how to read a config, and here its model file is named already
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon llama --like llama
    reckon: --like llama says how to read a config, and here is none
    reckon: 'reckon help' lists the commands
    [2]
    $ echo '{"hidden_size": 64}' | reckon -
    reckon: standard input: it has no model_type: say how to read it (--like FAMILY), or name its family first (FAMILY CONFIG)
    [1]
    $ echo '{"model_type": "zzz", "colour": "red"}' | reckon -
    reckon: standard input: no model file is for the family 'zzz'.  Read it like one of a known family (--like FAMILY), or give a model file for it (FILE.rk CONFIG)
    [1]
    $ reckon llamo mine.json
    reckon: no model file is for the family 'llamo'; nearest by name: 'llama', 'llava'
    [1]

The family named first is trusted: its defaults are taken.

    $ reckon params mixtral llamo.json K=2 --depth 1 | head -n 1
    llamo: 432 thousand parameters

Every family of a model file has its name, with or without a config:

    $ reckon params xlm-roberta --depth 1 | head -n 1
    xlm-roberta: 110 million parameters
    $ reckon params qwen3_vl_moe --format json | grep -c experts
    48
    $ reckon params camembrt
    reckon: no model is called 'camembrt'; did you mean 'camembert'?
    [1]
    $ reckon models camembert --source | head -n 1
    model roberta: "BERT's encoder with positions that begin after the padding's number, and heads of its own"

Contradictions name the keys:

    $ printf '%s\n' '#!/bin/sh' 'echo "$1" | reckon params - 2>&1 | sed -n "1s/^models[^ ]* //p"' > try && chmod +x try
    $ ./try '{"model_type": "llama", "hidden_size": 30, "num_attention_heads": 7}'
    hidden_size must be a multiple of num_attention_heads, but 30 / 7 is not exact (// rounds down)
    $ ./try '{"model_type": "llama", "num_attention_heads": 8, "num_key_value_heads": 3}'
    num_attention_heads must be a multiple of num_key_value_heads, but 8 / 3 is not exact (// rounds down)
    $ ./try '{"model_type": "mixtral", "num_local_experts": 4, "num_experts_per_tok": 5}'
    standard input: this must hold, but A = 5 (num_experts_per_tok), E = 4 (num_local_experts)
    $ ./try '{"model_type": "gemma3_text", "num_hidden_layers": 3, "layer_types": ["full_attention"]}'
    standard input: this must hold, but layer_types = 1 value, L = 3 (num_hidden_layers)
    $ ./try '{"model_type": "gemma3_text", "num_hidden_layers": 1, "layer_types": ["full_attention", "full_attention"]}'
    standard input: this must hold, but layer_types = 2 values, L = 1 (num_hidden_layers)
    $ ./try '{"model_type": "gpt2", "n_embd": -768}'
    D = -768 (n_embd): a size is from 0 to 2^63 - 1
    $ ./try '{"model_type": "gpt2", "n_embd": 768.5}'
    standard input: 'n_embd' is 768.5, and D is a whole number
    $ ./try '{"model_type": "gpt2", "n_embd": 1000000000000000000000000000000}'
    D = 1000000000000000000000000000000 (n_embd): a size is from 0 to 2^63 - 1
    $ ./try '{"model_type": "bert", "vocab_size": "many"}'
    standard input: 'vocab_size' is a text, and V is a whole number
    $ ./try '{"model_type": "t5", "d_model": [512]}'
    standard input: 'd_model' is a list, and D is a whole number
    $ ./try '{"model_type": "whisper", "encoder_attention_heads": 0}'
    division by zero: 'encoder_attention_heads' is 0
    $ ./try '{"model_type": "qwen2", "num_hidden_layers": 1000000}'
    a part is repeated from 0 to 100000 times, and 'num_hidden_layers' says otherwise
    $ ./try '{"model_type": "cs336", "d_model": null, "num_heads": 4, "num_layers": 2}'
    standard input has no key 'd_model', which is needed here
    $ ./try '{"model_type": "vit", "hidden_size": true}'
    standard input: 'hidden_size' is a truth value, and D is a whole number

What is suggested keeps the family and the settings:

    $ echo '{"model_type": "newllama", "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 100, "num_key_value_heads": 4, "max_position_embeddings": 64, "rms_norm_eps": 1e-6}' > new.json
    $ reckon new.json --like llama B=4 | tail -n 4
    reckon fit new.json B=4 --like llama --device h100  what fits: batch, length, devices
    reckon memory new.json B=4 --like llama             a step's peak, and what lowers it
    reckon report new.json B=4 --like llama             all of it, with pictures
    Also params, flops and derive: every tensor, every operation, every formula.
    $ reckon report new.json --like llama B=4 | grep -c 'B=4.* --like llama'
    12
    $ reckon memory new.json --like llama B=4 8xh100
    reckon: 8xh100 is --devices 8 --device h100, of fit, step, ranks, train; memory does not take it, but 'reckon fit new.json --like llama B=4 8xh100' does
    reckon: 'reckon help memory' says how it is used
    [2]
