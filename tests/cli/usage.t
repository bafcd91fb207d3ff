Help is made from the tables of the commands:

    $ reckon help
    reckon keeps the books of Transformer models: parameters, FLOPs and bytes, each with its formula.

      reckon MODEL          the model on one page: its shape, parameters, operations and memory
      reckon params MODEL   parameters: tensors by layer group, or each
      reckon flops MODEL    floating-point operations, each with its formula
      reckon memory MODEL   weights, gradients, optimizer, saved activations, cache, the peak
      reckon derive MODEL   the closed form, line by line of the model
      reckon lines MODEL    the equations with the sizes that they have here, and what each costs and
                            saves
      reckon sweep MODEL    a quantity over one symbol or several: table, chart, csv, picture
      reckon compare MODEL  models side by side: sizes, quantities, shares, how they scale, what differs
      reckon cross MODEL    from which number of a symbol on one quantity is larger than another
      reckon explain MODEL  one row explained: its line, rule, formula and numbers, gradients or bytes
      reckon fit MODEL      does it fit on a device or on several: largest batch, longest sequence,
                            fewest devices
      reckon step MODEL     a step in one answer: sums, the peak by kind and part, ways to fit, its
                            timeline
      reckon ranks MODEL    what each of many devices computes, holds and sends
      reckon train MODEL    a training run: operations, days, device-hours, energy; 6·N·D beside it
      reckon identify       which quantity of a model a number is, and under which convention
      reckon report MODEL   all of it on one page to keep: pictures, formulas, memory, what fits, what
                            others count
      reckon verify MODEL   a model against a checkpoint, tensor by tensor
      reckon check          what holds of a written account: every equation and every total in it
      reckon models         what is known by name, and how large it is; with NAME, the models that have
                            it in their name
      reckon devices        accelerators: memory, bandwidth, peak rates, links, power; with a name, one
                            in full
      reckon ops            the operations that model files are made of, and what each costs
      reckon schema         the keys of what a command answers in JSON, as a JSON Schema, and its
                            options
      reckon completion     the script by which a shell completes lines of reckon
      reckon help           the commands, or one of them with its options

    MODEL is a name ('reckon models' lists them), a model file (.rk), a config.json, a checkpoint
    (.gguf, .safetensors or the index of its shards), a folder that holds one of these, ORG/NAME of a
    model in the local Hugging Face cache, - for a config on standard input, or a family and a config.
    SYMBOL=VALUE sets a symbol of the model or of the run: B=8 S=16K (16,384) S=16k (16,000) D=4096.

    Options of reckon MODEL ('reckon help COMMAND' has those of a command):
      --count matmul|all                    count products that sum over an index, or every operation
                                            (default matmul)
      --causal full|exact                   masked attention: the full square (of a window its keys), or
                                            only the pairs that it allows (default full)
      --unit flop|mac                       a multiply and its add are two FLOPs, or one MAC (default
                                            flop)
      --as torch                            count as a tool does: torch is the FLOP counter of PyTorch
      --expanded                            formulas as sums: 8BSD² + 4BS²D + 6BSDF (the default)
      --factored                            formulas as products: 2BSD(4D + 2S + 3F)
      --explain-config                      instead: each key of the config, what it gave, and which
                                            were not read
      --like FAMILY                         read the config as one of FAMILY, if it has every size that
                                            FAMILY needs
      --format text|json|csv|md|latex|html  text, md, latex and html are for people, json and csv for
                                            programs (default text)
      --columns NAMES                       only these columns of the tables, by their heads or JSON
                                            keys: total,share
      --csv quoted|raw                      CSV: a ' before text that a spreadsheet would calculate (=,
                                            +, -, @), or as it is (default quoted)
      -o FILE                               write to FILE, whole or not at all, instead of standard
                                            output
      --help                                what most people need
      --help-all                            all options
      --version                             the version of reckon

    Examples:
      reckon gpt2-xl               GPT-2 XL
      reckon llama D=4K L=32 S=8K  a Llama of width 4,096 and 32 layers, on 8,192 tokens
    $ reckon --help | head -n 1
    reckon keeps the books of Transformer models: parameters, FLOPs and bytes, each with its formula.
    $ reckon help flops
    usage: reckon flops MODEL [SYMBOL=VALUE …] [OPTION …]

    Floating-point operations, each with its formula.

      --phase train|prefill|decode           a training step, reading a prompt, or one new token
                                             (default train)
      --count matmul|all                     count products that sum over an index, or every operation
                                             (default matmul)
      --causal full|exact                    masked attention: the full square (of a window its keys),
                                             or only the pairs that it allows (default full)
      --unit flop|mac                        a multiply and its add are two FLOPs, or one MAC (default
                                             flop)
      --as NAME                              count as a paper or a tool does, and say why it differs:
                                             torch, palm, …; all lists them
      --by part|tensor                       one row for each operation, by part, or for each tensor
                                             that operations use (default part)
      --depth N                              sum up all below the N-th level of parts
      --tasks                                instead: what a training step runs, task by task, with the
                                             memory traffic of each
      --step                                 also the optimizer's step, operation by operation
      --optimizer NAME                       whose step it is (default adamw): adamw, adamw-foreach,
                                             sgd, momentum, lion, adam8bit, adafactor, muon
      --steps N                              how long so many steps take at a --rate
      --rate RATE                            of the device, as 19.5TFLOP/s
      --mfu SHARE                            of the rate that is reached, as 50% (all of it, where
                                             nothing is said)
      --lora RANK                            adapters of that rank beside the targets; nothing else is
                                             trained
      --targets WORDS                        the linear layers that get adapters: q,v (the usual ones),
                                             gate_proj, all-linear
      --freeze WORDS                         what is not trained, by part or name: embed,
                                             layers.attention, model.layers.0
      --layout AXES                          how it lies over devices: fsdp=8,tp=4,sp, or a file that
                                             says it (axes ddp fsdp replicate tp cp pp ep; sp,
                                             vocab-loss, zero1, zero2, zero3, virtual=2)
      --runtime torch|hf|megatron|deepspeed  whose way of doing that (default torch)
      --rank N                               which device (default: the one that holds most)
      --split SIZES                          sizes of the model that lie over tp, instead of what the
                                             runtime divides: F,V
      --stage N                              the same of a pipeline: its place there
      --expanded                             formulas as sums: 8BSD² + 4BS²D + 6BSDF (the default)
      --factored                             formulas as products: 2BSD(4D + 2S + 3F)
      --explain-config                       instead: each key of the config, what it gave, and which
                                             were not read
      --like FAMILY                          read the config as one of FAMILY, if it has every size that
                                             FAMILY needs
      --format text|json|csv|md|latex|html   text, md, latex and html are for people, json and csv for
                                             programs (default text)
      --columns NAMES                        only these columns of the tables, by their heads or JSON
                                             keys: total,share
      --csv quoted|raw                       CSV: a ' before text that a spreadsheet would calculate (=,
                                             +, -, @), or as it is (default quoted)
      -o FILE                                write to FILE, whole or not at all, instead of standard
                                             output
      --help                                 what most people need
      --help-all                             all options

    MODEL is a name ('reckon models' lists them), a model file (.rk), a config.json, a checkpoint
    (.gguf, .safetensors or the index of its shards), a folder that holds one of these, ORG/NAME of a
    model in the local Hugging Face cache, - for a config on standard input, or a family and a config.
    SYMBOL=VALUE sets a symbol of the model or of the run: B=8 S=16K (16,384) S=16k (16,000) D=4096.

    Examples:
      reckon flops gpt2-xl B=8
          a batch of eight sequences
      reckon flops cs336-xl B=1024 --steps 400000 --rate 19.5TFLOP/s --mfu 50%
          days of training
      reckon flops gpt2 --count all --causal exact
          every operation, and only the pairs that the mask allows
    $ reckon flops --help | head -n 1
    usage: reckon flops MODEL [SYMBOL=VALUE …] [OPTION …]
    $ reckon derive --help
    usage: reckon derive MODEL [params|flops|backward|step|comm [PATH]] [SYMBOL=VALUE …] [OPTION …]

    The closed form, line by line of the model.

      --count matmul|all                     count products that sum over an index, or every operation
                                             (default matmul)
      --causal full|exact                    masked attention: the full square (of a window its keys),
                                             or only the pairs that it allows (default full)
      --unit flop|mac                        a multiply and its add are two FLOPs, or one MAC (default
                                             flop)
      --as torch                             count as a tool does: torch is the FLOP counter of PyTorch
      --phase train|prefill|decode           a training step, reading a prompt, or one new token
                                             (default train)
      --recipe NAME                          a usual set of types (default mixed, fp32 under autocast to
                                             bf16, where the config is 16-bit, else fp32): fp32, mixed,
                                             bf16, megatron, lora, qlora
      --dtype fp32|tf32|bf16|fp16|fp8        of weights, activations and gradients (default: to serve
                                             the config's, to train --recipe)
      --attention sdpa|flash|eager           one operation that stores no scores (flash: even if the
                                             model has no sdpa), or several (default sdpa)
      --recompute none|selective|full|ops    save everything; all but attention's scores; what enters
                                             layers (default none)
      --optimizer NAME                       whose state is counted (default adamw): adamw,
                                             adamw-foreach, sgd, momentum, lion, adam8bit, adafactor,
                                             muon
      --accumulate N                         add up the gradients of N passes before each step of the
                                             optimizer
      --loss ce|chunked|fused|none           cross entropy: of all tokens at once, or of some at a time;
                                             or none (default ce)
      --weights TYPE                         in which the matrices of linear layers and experts are
                                             stored (default same): same, fp32, bf16, fp16, fp8, int8,
                                             int4, nf4, q8_0, q6_k, q5_k, q5_1, q5_0, q4_k, q4_1, q4_0,
                                             q3_k, q2_k, iq4_nl, iq4_xs, mxfp4, nvfp4
      --kv-dtype TYPE                        in which keys and values are stored in the cache (default
                                             same): same, fp32, bf16, fp16, fp8, int8, q8_0, q5_1, q5_0,
                                             q4_1, q4_0, iq4_nl
      --layout AXES                          how it lies over devices: fsdp=8,tp=4,sp, or a file that
                                             says it (axes ddp fsdp replicate tp cp pp ep; sp,
                                             vocab-loss, zero1, zero2, zero3, virtual=2)
      --runtime torch|hf|megatron|deepspeed  whose way of doing that (default torch)
      --rank N                               which device (default: the one that holds most)
      --split SIZES                          sizes of the model that lie over tp, instead of what the
                                             runtime divides: F,V
      --stage N                              the same of a pipeline: its place there
      --compute TYPE                         the type at work, where weights are stored in another
                                             (default same): same, bf16, fp16, fp32, autocast-bf16
      --reduce same|bf16|fp16|fp32           the type in which gradients are reduced (default same)
      --reshard default|no|all               which gathered weights are let go after the forward pass
                                             (default: those of layers)
      --units default|hf|titan               what is gathered together (default default)
      --no-sync                              with --accumulate: gradients are reduced after the last
                                             pass alone
      --clip                                 gradients are clipped by their norm
      --bucket-view yes|no                   gradients lie inside of the buckets that are reduced
                                             (default yes)
      --bucket MIB                           of gradients that are reduced together (default 25)
      --drop-outputs                         the caller holds the loss, not the logits
      --schedule NAME                        the order of a pipeline's micro-batches (default 1f1b):
                                             1f1b, gpipe, interleaved1f1b, interleavedzb
      --micro N                              micro-batches of a step of a pipeline (default: as many as
                                             stages)
      --rotate allgather|alltoall|ulysses    how cp brings keys and values to the queries (default
                                             allgather)
      --format text|json|csv|md|latex|html   text, md, latex and html are for people, json and csv for
                                             programs (default text)
      --columns NAMES                        only these columns of the tables, by their heads or JSON
                                             keys: total,share
      -o FILE                                write to FILE, whole or not at all, instead of standard
                                             output
      --help                                 what most people need
      --help-all                             all options
    13 more: reckon derive --help-all

    MODEL is a name ('reckon models' lists them), a model file (.rk), a config.json, a checkpoint
    (.gguf, .safetensors or the index of its shards), a folder that holds one of these, ORG/NAME of a
    model in the local Hugging Face cache, - for a config on standard input, or a family and a config.
    SYMBOL=VALUE sets a symbol of the model or of the run: B=8 S=16K (16,384) S=16k (16,000) D=4096.

    PATH is a part of the model, such as layers.attention.  Symbols need no value here.

    Examples:
      reckon derive gpt2-xl                      forward, line by line of the model
      reckon derive llama step layers.attention  both passes of the attention of all layers
      reckon derive gpt2 params --format latex   as LaTeX
    $ reckon help params | head -n 3
    usage: reckon params MODEL [SYMBOL=VALUE …] [OPTION …]

    Parameters: tensors by layer group, or each.
    $ reckon help help
    usage: reckon help [COMMAND] [OPTION …]

    The commands, or one of them with its options.

      -o FILE     write to FILE, whole or not at all, instead of standard output
      --help      what most people need
      --help-all  all options

    Examples:
      reckon help flops  the options of flops
    $ reckon --version
    reckon 0.1.0

Nothing asked:

    $ reckon
    reckon keeps the books of Transformer models: parameters, FLOPs and bytes, each with its formula.

      reckon gpt2-xl                                a model on one page
      reckon params llama-3.1-8b                    every tensor; flops: operations
      reckon memory gpt2-xl B=4                     a training step, to the byte
      reckon memory gpt2-xl --phase decode          serving: weights and cache
      reckon fit llama-3.1-8b --device h100         does it fit, how large a batch
      reckon train gpt2 --tokens 10B --device a100  days, device-hours, energy
      reckon derive gpt2                            the formulas, line by line
      reckon models                                 what is known by name
      reckon path/to/config.json                    any model that has one
      reckon help                                   all commands
    $ reckon flops
    reckon: which model? ('reckon models' lists what is known by name)
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon S=4
    reckon: which model? ('reckon models' lists what is known by name)
    reckon: 'reckon help' lists the commands
    [2]

Unknown words suggest the nearest known one:

    $ reckon flosp gpt2
    reckon: no command is called 'flosp'; did you mean 'flops'?
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon gtp2
    reckon: no model is called 'gtp2'; did you mean 'gpt2'?
    [1]
    $ reckon params gpt2-lx
    reckon: no model is called 'gpt2-lx'; did you mean 'gpt2-xl'?
    [1]
    $ reckon params zzzzzz
    reckon: no model is called 'zzzzzz' ('reckon models' lists them)
    [1]
    $ reckon help flps
    reckon: no command is called 'flps'; did you mean 'flops'?
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon flops gpt2 --depht 2
    reckon: unknown option '--depht'; did you mean '--depth'?
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --zzz
    reckon: unknown option '--zzz'
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --count mtmul
    reckon: --count is not 'mtmul' but one of matmul|all; did you mean 'matmul'?
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --as troch
    reckon: no convention is called 'troch' (--as all lists them); did you mean 'torch'?
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon params gpt2 --format xml
    reckon: --format is not 'xml' but one of text|json|csv|md|latex|html
    reckon: 'reckon help params' says how it is used
    [2]

Symbols:

    $ reckon flops gpt2 Q=4
    reckon: gpt2 has no symbol 'Q'; it has: L D V N H F C B S T
    [1]
    $ reckon flops gpt2 S=-1
    reckon: S=-1 is less than 1
    [1]
    $ reckon flops gpt2 S=0
    reckon: S=0 is less than 1
    [1]
    $ reckon flops gpt2 S=1.5
    reckon: S=1.5 is not a whole number
    [1]
    $ reckon flops gpt2 S=1e30
    reckon: S=1e30 is more than 9,223,372,036,854,775,807
    [1]
    $ reckon flops gpt2 S=
    reckon: S= needs a value, as in S=4096
    [1]
    $ reckon flops gpt2 S=12x
    reckon: S=12x is not a number such as 16384, 16K (16,384) or 16k (16,000)
    [1]
    $ reckon flops gpt2 S=banana
    reckon: S is a number, not 'banana'
    [1]
    $ reckon flops gpt2 S=4 B=2 S=4
    reckon: S is set twice
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 N=5
    models/gpt2.rk:12:11: n_embd must be a multiple of N, but 768 / 5 is not exact (// rounds down)
        let H = D / N                                             "head width"
                  ^
    [1]
    $ reckon flops gpt2 B=2 scan=recurrent
    reckon: gpt2 has no symbol 'scan'; it has: L D V N H F C B S T
    [1]

Options, anywhere, once, with their values:

    $ reckon --depth 1 flops --unit=mac gpt2 | sed -n 1p
    gpt2: MACs of a forward and a backward pass
    $ reckon flops gpt2 --depth
    reckon: --depth needs a value: N
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --depth 0
    reckon: --depth is not '0' but a whole number of at least 1
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --depth two
    reckon: --depth is not 'two' but a whole number of at least 1
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --depth 1 --depth=2
    reckon: --depth is given twice
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon params gpt2 --all=yes
    reckon: --all takes no value
    reckon: 'reckon help params' says how it is used
    [2]
    $ reckon params gpt2 --all --all
    reckon: --all is given twice
    reckon: 'reckon help params' says how it is used
    [2]
    $ reckon flops gpt2 --as torch --unit mac
    reckon: --as already says what counts: leave out --count, --causal and --unit
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon params gpt2 --factored --expanded
    reckon: formulas are either --expanded or --factored
    reckon: 'reckon help params' says how it is used
    [2]
    $ reckon flops -- --depth
    reckon: no model is called '--depth' ('reckon models' lists them)
    [1]

Too many words:

    $ reckon params gpt2 gpt2-xl gpt2-large
    reckon: one model is wanted, or a family and a config: 'gpt2-large' is too much
    reckon: 'reckon help params' says how it is used
    [2]
    $ reckon params gpt2 block
    reckon: 'block' is not a config: after the family 'gpt2' comes one
    reckon: 'reckon help params' says how it is used
    [2]

A number beyond 128 bits is an error, never a wrong number:

    $ reckon flops gpt2 B=4000000T S=4000000T
    reckon: 8BSLDNH + 4BSTLNH + 4BSLDF + 2BSDV exceeds 128 bits
    [1]

Alone, it greets with what most people come for; a command shows its common options, and all on demand, 80 columns wide:

    $ COLUMNS= reckon
    reckon keeps the books of Transformer models: parameters, FLOPs and bytes, each
    with its formula.

      reckon gpt2-xl                                a model on one page
      reckon params llama-3.1-8b                    every tensor; flops: operations
      reckon memory gpt2-xl B=4                     a training step, to the byte
      reckon memory gpt2-xl --phase decode          serving: weights and cache
      reckon fit llama-3.1-8b --device h100         does it fit, how large a batch
      reckon train gpt2 --tokens 10B --device a100  days, device-hours, energy
      reckon derive gpt2                            the formulas, line by line
      reckon models                                 what is known by name
      reckon path/to/config.json                    any model that has one
      reckon help                                   all commands
    $ COLUMNS= reckon memory --help | wc -L
    80
    $ COLUMNS= reckon help memory | wc -L
    80
    $ reckon memory --help | grep -e --help-all -e --experts
      --help-all                             all options
    16 more: reckon memory --help-all
    $ reckon memory --help-all | grep -c -e --experts
    1
