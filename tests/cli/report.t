A model on one page, as Markdown. What others count is a list of its own (tests/cli/conventions.t).

    $ cat > tiny.json << 'END'
    > {"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 4, "vocab_size": 256, "n_positions": 128}
    > END
    $ reckon report tiny.json --devices rtx-4090,h100 --format md | sed -e '/^## As others/,/^## Assump/{/^| `/d}' -e 's/reckon [0-9.]*[.]\*$/reckon VERSION.*/'
    # tiny: 125 thousand parameters

    tiny is read as a model of the family gpt2: learned positions, biases, weights stored \[in out\], fused query, key and value, tied head. Its shape: 2 layers of width 64, 4 heads of 16, FFN 256, vocabulary 256, context 128. It has 124,672 parameters.

    B = 1 sequences in the batch, S = 128 tokens of a sequence

    ## At a glance

    | | exactly | about |
    |:---|---:|---:|
    | parameters | 124,672 | 125 k |
    | forward pass | 37,748,736 | 37.7 MFLOP |
    | backward pass | 75,497,472 | 75.5 MFLOP |
    | both | 113,246,208 | 113 MFLOP |
    | peak of a training step, as it runs | 71,060,480 | 71.1 MB |
    | peak of a training step, attention eager | 71,582,208 | 71.6 MB |
    | peak of a training step, recompute full | 70,307,840 | 70.3 MB |
    | cache of one more token | 1,024 | 1.02 kB |

    ## Closed forms

    ```text
    parameters              = 12LD² + 13LD + DV + DC + 2D
                            = 124,672
    forward FLOPs           = 24BSLD² + 4BS²LD + 2BSDV
                            = 37,748,736
    backward FLOPs          = 48BSLD² + 8BS²LD + 4BSDV
                            = 75,497,472
    cache of one more token = 8LD   bytes
                            = 1,024
    ```

    | symbol | here | what it is | from |
    |:---|---:|:---|:---|
    | B | 1 | sequences in the batch | default |
    | S | 128 | tokens of a sequence | default |
    | L | 2 | layers | n\_layer of the config |
    | D | 64 | width | n\_embd of the config |
    | V | 256 | vocabulary | vocab\_size of the config |
    | C | 128 | learned positions | n\_positions of the config |

    ## Parameters by part

    | | times | parameters | share | formula of all |
    |:---|---:|---:|---:|:---|
    | `embed` | 1 | 24,576 | 19.7% | DV + DC |
    | &emsp;`transformer.wte.weight` | 1 | 16,384 | 13.1% | DV |
    | &emsp;`transformer.wpe.weight` | 1 | 8,192 | 6.6% | DC |
    | `layers` | 2 | 99,968 | 80.2% | 12LD² + 13LD |
    | &emsp;`attention` | 2 | 33,536 | 26.9% | 4LD² + 6LD |
    | &emsp;&emsp;`transformer.h.{i}.ln_1.weight` | 2 | 128 | 0.1% | LD |
    | &emsp;&emsp;`transformer.h.{i}.ln_1.bias` | 2 | 128 | 0.1% | LD |
    | &emsp;&emsp;`transformer.h.{i}.attn.c_attn.weight` | 2 | 24,576 | 19.7% | 3LD² |
    | &emsp;&emsp;`transformer.h.{i}.attn.c_attn.bias` | 2 | 384 | 0.3% | 3LD |
    | &emsp;&emsp;`transformer.h.{i}.attn.c_proj.weight` | 2 | 8,192 | 6.6% | LD² |
    | &emsp;&emsp;`transformer.h.{i}.attn.c_proj.bias` | 2 | 128 | 0.1% | LD |
    | &emsp;`ffn` | 2 | 66,432 | 53.3% | 8LD² + 7LD |
    | &emsp;&emsp;`transformer.h.{i}.ln_2.weight` | 2 | 128 | 0.1% | LD |
    | &emsp;&emsp;`transformer.h.{i}.ln_2.bias` | 2 | 128 | 0.1% | LD |
    | &emsp;&emsp;`transformer.h.{i}.mlp.c_fc.weight` | 2 | 32,768 | 26.3% | 4LD² |
    | &emsp;&emsp;`transformer.h.{i}.mlp.c_fc.bias` | 2 | 512 | 0.4% | LF |
    | &emsp;&emsp;`transformer.h.{i}.mlp.c_proj.weight` | 2 | 32,768 | 26.3% | 4LD² |
    | &emsp;&emsp;`transformer.h.{i}.mlp.c_proj.bias` | 2 | 128 | 0.1% | LD |
    | `head` | 1 | 128 | 0.1% | 2D |
    | &emsp;`transformer.ln_f.weight` | 1 | 64 | 0.1% | D |
    | &emsp;`transformer.ln_f.bias` | 1 | 64 | 0.1% | D |
    | &emsp;`lm_head.weight` | 1 | 0 | 0.0% | |
    | **total** | | **124,672** | **100.0%** | **12LD² + 13LD + DV + DC + 2D** |

    ## FLOPs by part

    | | times | forward | share | backward | formula of all |
    |:---|---:|---:|---:|---:|:---|
    | `layers` | 2 | 33,554,432 | 88.9% | 67,108,864 | 24BSLD² + 4BS²LD |
    | &emsp;`attention` | 2 | 16,777,216 | 44.4% | 33,554,432 | 8BSLD² + 4BS²LD |
    | &emsp;&emsp;`qkv` | 2 | 6,291,456 | 16.7% | 12,582,912 | 6BSLD² |
    | &emsp;&emsp;`scores` | 2 | 4,194,304 | 11.1% | 8,388,608 | 2BS²LD |
    | &emsp;&emsp;`context` | 2 | 4,194,304 | 11.1% | 8,388,608 | 2BS²LD |
    | &emsp;&emsp;`output` | 2 | 2,097,152 | 5.6% | 4,194,304 | 2BSLD² |
    | &emsp;`ffn` | 2 | 16,777,216 | 44.4% | 33,554,432 | 16BSLD² |
    | &emsp;&emsp;`up` | 2 | 8,388,608 | 22.2% | 16,777,216 | 8BSLD² |
    | &emsp;&emsp;`down` | 2 | 8,388,608 | 22.2% | 16,777,216 | 8BSLD² |
    | `head.logits` | 1 | 4,194,304 | 11.1% | 8,388,608 | 2BSDV |
    | **total** | | **37,748,736** | **100.0%** | **75,497,472** | **24BSLD² + 4BS²LD + 2BSDV** |

    ## As sequences grow

    FLOPs of a forward pass, and the share of each component; products are those of two activations, projections those with a weight.

    | S | flops | growth | attention.projections | attention.products | ffn | head |
    |---:|---:|---:|---:|---:|---:|---:|
    | 128 | 37,748,736 | ×1.00 | 22.22% | 22.22% | 44.44% | 11.11% |
    | 256 | 92,274,688 | ×2.44 | 18.18% | 36.36% | 36.36% | 9.09% |
    | 512 | 251,658,240 | ×6.67 | 13.33% | 53.33% | 26.67% | 6.67% |
    | 1,024 | 771,751,936 | ×20.44 | 8.70% | 69.57% | 17.39% | 4.35% |
    | 2,048 | 2,617,245,696 | ×69.33 | 5.13% | 82.05% | 10.26% | 2.56% |

    ## Memory to load it

    | weights in memory | fp32 | bf16 | int8 | int4 |
    |:---|---:|---:|---:|---:|
    | in bytes | 498,688 | 249,344 | 124,672 | 62,336 |
    | in decimal units | 499 kB | 249 kB | 125 kB | 62.3 kB |
    | in binary units | 487 KiB | 244 KiB | 122 KiB | 60.9 KiB |

    ## Memory to train it

    *Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.*

    | bytes | as it runs | | attention eager | | recompute full | |
    |:---|---:|---:|---:|---:|---:|---:|
    | weights | 498,688 | 499 kB | 498,688 | 499 kB | 498,688 | 499 kB |
    | gradients | 498,688 | 499 kB | 498,688 | 499 kB | 498,688 | 499 kB |
    | optimizer | 997,376 | 997 kB | 997,376 | 997 kB | 997,376 | 997 kB |
    | saved for backward | 2,043,948 | 2.04 MB | 2,564,108 | 2.56 MB | 266,252 | 266 kB |
    | **the peak** | **71,060,480** | **71.1 MB** | **71,582,208** | **71.6 MB** | **70,307,840** | **70.3 MB** |

    The peak (as it runs) is reached in the backward pass, at loss.log\_softmax.

    The peak (attention eager) is reached in the forward pass, at loss.

    The peak (recompute full) is reached in the backward pass, at layers.ffn.hidden.

    ```text
    saved (as it runs)      = 112BSLD + 128BLN·⌈S/32⌉ + 16BSL + 16L + 8BSD + 4BSV + 24BS + 8S + 12
                            = 2,043,948
    saved (attention eager) = 4BS²LN + 112BSLD + 16BSL + 8BSD + 4BSV + 24BS + 8S + 12 = 2,564,108
    saved (recompute full)  = 4BSLD + 8BSD + 4BSV + 24BS + 8S + 12 = 266,252
    ```

    ## Memory to serve it

    Decoding, one new token of each sequence at a time.

    | | tokens seen | bytes | |
    |:---|---:|---:|---:|
    | weights | | 498,688 | 499 kB |
    | cache of one more token | | 1,024 | 1.02 kB |
    | cache of the batch | 128 | 131,072 | 131 kB |
    | the peak | 128 | 34,225,152 | 34.2 MB |

    ## The largest batch on a device

    | sequences at once | rtx-4090 | h100-80gb |
    |:---|---:|---:|
    | memory | 24.4 GB | 84.2 GB |
    | training, as it runs | 10,007 | 34,556 |
    | training, attention eager | 8,246 | 28,473 |
    | training, recompute full | 17,641 | 60,915 |
    | decoding, T = 128 | 147,332 | 508,224 |
    | **tokens/s at most, T = 128 (estimate)** | **1,687,741.10** | **5,609,060.22** |

    *By the bytes of tensors and workspaces. PyTorch's allocator reserves more in a training step; reckon fit goes by that.*

    ## As others count it

    The reference is the count of all products with the full square of attention (of a window its keys): 37,748,736 FLOPs forward. Figures of training are compared with three times that.

    | | of | counted | ratio | why |
    |:---|:---|---:|---:|:---|

    ## Assumptions

    *Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked attention as the full square (--causal).*

    *Memory is what PyTorch's allocator hands out when the reference implementation runs on one device, walked operation by operation. It leaves out the driver, other programs, and what an allocator loses between its blocks.*

    *A device has the bytes that programs see of it, less those that a context takes (figures of 2026-11; 'reckon devices' has them).*

    *All counts are exact under these conventions; rounded figures stand beside them. Nothing on this page was measured. Tokens in a second are an estimate: a bound from the bandwidth of a device's memory alone, for the batch of this page, where that fits.*

    *Made by reckon VERSION.*

    ## To see it again

    | | |
    |:---|:---|
    | `reckon params tiny.json` | every tensor, its shape and its count |
    | `reckon flops tiny.json` | every operation, forward and backward |
    | `reckon derive tiny.json` | how the formulas come about, line by line |
    | `reckon flops tiny.json --as all` | as others count it |
    | `reckon sweep tiny.json S=128..2048:x2 --by component` | FLOPs as sequences grow |
    | `reckon memory tiny.json` | a training step |
    | `reckon memory tiny.json --attention eager` | with attention operation by operation |
    | `reckon memory tiny.json --recompute full` | as it runs, layers recomputed in backward |
    | `reckon memory tiny.json T=128 --phase decode` | decoding |
    | `reckon fit tiny.json --device rtx-4090` | the largest batch, and what a device holds |
    | `reckon fit tiny.json --device h100-80gb` | the largest batch, and what a device holds |

What the file is called says what is written into it; --format says it, too.

    $ reckon report tiny.json -o page.html && head -n 1 page.html
    <!DOCTYPE html>
    $ reckon report tiny.json -o page.md && head -n 1 page.md
    # tiny: 125 thousand parameters
    $ reckon report tiny.json -o page.tex && head -n 1 page.tex
    % To be \input into a document with \usepackage{amsmath,array,booktabs,longtable}
    $ reckon report tiny.json -o page.txt && head -n 1 page.txt
    tiny: 125 thousand parameters
    $ reckon report tiny.json -o page --format html && head -n 1 page
    <!DOCTYPE html>
    $ reckon report tiny.json -o page.pdf
    reckon: -o page.pdf: its name ends in none of .html, .md, .tex, .txt, .json and .csv: --format says what it shall be
    reckon: 'reckon help report' says how it is used
    [2]
    $ reckon report tiny.json --format svg
    reckon: --format is not 'svg' but one of text|json|csv|md|latex|html
    reckon: 'reckon help report' says how it is used
    [2]
    $ ls
    page
    page.html
    page.md
    page.tex
    page.txt
    tiny.json

The same line makes the same page, from a file or from standard input.

    $ reckon report tiny.json --format html | cmp - page.html
    $ reckon report - --format md < tiny.json | sed -e 's/standard input/tiny/g' -e '/^## To see it/,$d' > a.md
    $ sed '/^## To see it/,$d' page.md | cmp - a.md

HTML has five pictures, nothing that runs, and nothing from elsewhere.

    $ grep -c '<svg' page.html
    5
    $ grep -ci '<script\|http:\|https:\|src=\|@import' page.html
    0
    [1]

Each figure is one that the command beside it prints.

    $ reckon report llama-3.1-8b --dtype bf16 --devices h100-80gb | grep 'training, \|decoding, '
    training, as it runs                                          1
    training, attention eager                 none: 103 GB too much
    training, recompute full                                      4
    decoding, T = 4,096                                         124
    decoding, T = 131,072                                         3
    $ reckon fit llama-3.1-8b --dtype bf16 --device h100-80gb --attention flash --recompute full | grep -o 'Largest.*: B = [0-9,]*[0-9]'
    Largest batch at S = 4,096: B = 3
    $ reckon fit llama-3.1-8b --device h100-80gb --phase decode | grep -o 'Largest.*: B = [0-9,]*[0-9]'
    Largest batch at T = 4,096: B = 124
    $ reckon fit llama-3.1-8b --device h100-80gb --phase decode T=128K | grep -o 'Largest.*: B = [0-9,]*[0-9]'
    Largest batch at T = 131,072: B = 3
    $ reckon fit llama-3.1-8b --dtype bf16 --device h100-80gb --attention eager | grep -o '[0-9]* [GT]B too much'
    110 GB too much
    $ reckon report llama-3.1-8b --dtype bf16 | grep 'the peak  '
    the peak            82,064,418,304  82.1 GB  186,737,452,544   187 GB  65,393,608,192  65.4 GB
    the peak                       4,096  16,639,376,896  16.6 GB
    the peak                     131,072  33,542,422,016  33.5 GB
    $ for o in '' '--attention flash' '--attention flash --recompute full' '--phase decode' '--phase decode T=128K'; do
    > reckon memory llama-3.1-8b --dtype bf16 $o | grep '^the peak '; done
    the peak                  82,064,418,304  82.1 GB
    the peak                  82,064,418,304  82.1 GB
    the peak                  65,393,608,192  65.4 GB
    the peak     16,639,376,896  16.6 GB
    the peak     33,542,422,016  33.5 GB

What is set on the line holds for all of it, and stands in the commands; what varies does not.

    $ reckon report gpt2 B=4 S=512 --dtype bf16 --optimizer sgd --devices a100 | sed -n '/^The largest/,/^$/p; /^To see/,$p'
    The largest batch on a device
    sequences at once                       a100-80gb
    memory                                    84.2 GB
    training, as it runs                          133
    training, attention eager                     119
    training, recompute full                      225
    decoding, T = 512                           4,264
    decoding, T = 1,024                         2,132
    ─────────────────────────────────────────────────
    tokens/s at most, T = 1,024 (estimate)  20,476.86
    By the bytes of tensors and workspaces. PyTorch's allocator reserves more in a training step; reckon
    fit goes by that.

    To see it again
    reckon params gpt2 B=4 S=512                                                 every tensor, its shape
                                                                                 and its count
    reckon flops gpt2 B=4 S=512                                                  every operation,
                                                                                 forward and backward
    reckon derive gpt2 B=4 S=512                                                 how the formulas come
                                                                                 about, line by line
    reckon flops gpt2 B=4 S=512 --as all                                         as others count it
    reckon sweep gpt2 B=4 S=1024..16384:x2 --by component                        FLOPs as sequences grow
    reckon memory gpt2 B=4 S=512 --dtype bf16 --optimizer sgd                    a training step
    reckon memory gpt2 B=4 S=512 --attention eager --dtype bf16 --optimizer sgd  with attention
                                                                                 operation by operation
    reckon memory gpt2 B=4 S=512 --recompute full --dtype bf16 --optimizer sgd   as it runs, layers
                                                                                 recomputed in backward
    reckon memory gpt2 B=4 T=1024 --phase decode --dtype bf16                    decoding
    reckon fit gpt2 B=4 S=512 --device a100-80gb --dtype bf16 --optimizer sgd    the largest batch, and
                                                                                 what a device holds
    $ reckon report llama-3.1-8b S=8K | grep 'context is\|decoding, '
    14,336, vocabulary 128,256. It has 8,030,261,248 parameters. Its context is 131,072 tokens.
    decoding, T = 8,192                               62                      62                       7
    decoding, T = 131,072                              3                       3  none: 9.10 GB too much

What does not apply is said in a sentence.

    $ reckon report vit-huge-patch14-224 | sed -n '/^As seq/,/^$/p; /^Memory to serve/,/^$/p'
    As sequences grow
    The config fixes how many tokens there are: nothing grows.

    Memory to serve it
    vit-huge-patch14-224 keeps nothing from token to token: there is no decoding.
    $ reckon report mamba2 | grep '^state of\|cache of'
    state of one sequence = 4LNPZ + 4LNPJ + 8LgZJ   bytes
    cache of the batch        4,096     278,921,216   279 MB

Programs get a key for each section, and a row for each variant, length and device.

    $ reckon report tiny.json --devices rtx-4090,h100 --format json | sed -e '/^  "growth"/,/^  "conv/!d' -e '/^  "conv/d'
      "growth": [
        {"tokens": 128, "forward": 37748736, "pieces": {"attention.projections": 8388608, "attention.products": 8388608, "ffn": 16777216, "head": 4194304}},
        {"tokens": 256, "forward": 92274688, "pieces": {"attention.projections": 16777216, "attention.products": 33554432, "ffn": 33554432, "head": 8388608}},
        {"tokens": 512, "forward": 251658240, "pieces": {"attention.projections": 33554432, "attention.products": 134217728, "ffn": 67108864, "head": 16777216}},
        {"tokens": 1024, "forward": 771751936, "pieces": {"attention.projections": 67108864, "attention.products": 536870912, "ffn": 134217728, "head": 33554432}},
        {"tokens": 2048, "forward": 2617245696, "pieces": {"attention.projections": 134217728, "attention.products": 2147483648, "ffn": 268435456, "head": 67108864}}
      ],
      "bytes": {"fp32": 498688, "bf16": 249344, "int8": 124672, "int4": 62336},
      "training": [
        {"variant": "as it runs", "weights": 498688, "gradients": 498688, "optimizer": 997376, "saved": 2043948, "saved_formula": "112BSLD + 128BLN·⌈S/32⌉ + 16BSL + 16L + 8BSD + 4BSV + 24BS + 8S + 12", "peak": 71060480},
        {"variant": "attention eager", "weights": 498688, "gradients": 498688, "optimizer": 997376, "saved": 2564108, "saved_formula": "4BS²LN + 112BSLD + 16BSL + 8BSD + 4BSV + 24BS + 8S + 12", "peak": 71582208},
        {"variant": "recompute full", "weights": 498688, "gradients": 498688, "optimizer": 997376, "saved": 266252, "saved_formula": "4BSLD + 8BSD + 4BSV + 24BS + 8S + 12", "peak": 70307840}
      ],
      "serving": {
        "weights": 498688,
        "per_token": 1024,
        "lengths": [
          {"tokens": 128, "kv_cache": 131072, "peak": 34225152}
        ]
      },
      "devices": [
        {"device": "rtx-4090", "memory": 24438177792, "tokens_per_second_at_most": 1687741},
        {"device": "h100-80gb", "memory": 84216446976, "tokens_per_second_at_most": 5609060}
      ],
      "batches": [
        {"step": "training, as it runs", "device": "rtx-4090", "largest": 10007},
        {"step": "training, as it runs", "device": "h100-80gb", "largest": 34556},
        {"step": "training, attention eager", "device": "rtx-4090", "largest": 8246},
        {"step": "training, attention eager", "device": "h100-80gb", "largest": 28473},
        {"step": "training, recompute full", "device": "rtx-4090", "largest": 17641},
        {"step": "training, recompute full", "device": "h100-80gb", "largest": 60915},
        {"step": "decoding, T = 128", "device": "rtx-4090", "largest": 147332},
        {"step": "decoding, T = 128", "device": "h100-80gb", "largest": 508224}
      ],
    $ reckon report tiny.json --format csv | grep -A1 '^path,\|^tokens,\|^variant,\|^device,\|^step,\|^name,\|^command,' | cut -c 1-80
    path,layers,times,parameters,share,active,formula
    transformer.wte.weight,,1,16384,0.131417,,DV
    --
    path,layers,times,forward,share,backward,formula
    layers.attention.qkv,,2,6291456,0.166667,12582912,6BSLD²
    --
    tokens,forward
    128,37748736
    --
    variant,weights,gradients,optimizer,saved,saved_formula,peak,reason
    as it runs,498688,498688,997376,2043948,112BSLD + 128BLN·⌈S/32⌉ + 16BSL + 1
    --
    tokens,kv_cache,peak
    128,131072,34225152
    --
    device,memory,tokens_per_second_at_most
    h100-80gb,84216446976,5609060
    --
    step,device,largest,too_much
    "training, as it runs",h100-80gb,34556,
    --
    name,of,reason,counted,ratio,why
    2nd,forward,,31916032,0.845486,"attention products: not counted; position tables
    --
    command,text
    reckon params tiny.json,"every tensor, its shape and its count"
    $ reckon report vit-huge-patch14-224 --format json | grep '"growth"\|"serving"\|second'
      "growth": [],
      "serving": {"reason": "vit-huge-patch14-224 keeps nothing from token to token: there is no decoding"},
        {"device": "h100-80gb", "memory": 84216446976, "tokens_per_second_at_most": null},
        {"device": "a100-80gb", "memory": 84162969600, "tokens_per_second_at_most": null},
        {"device": "rtx-4090", "memory": 24438177792, "tokens_per_second_at_most": null}
    $ reckon report mamba2 --format csv | grep '^layers' | cut -d , -f 1-5     # no sum of others
    layers.mixer.projected,,64,39857296506880,0.680501
    layers.mixer.conv_out,,64,21490565120,0.000367
    layers.mixer.output,,64,17592186044416,0.300359
    $ reckon report tiny.json --devices h100 -o tiny-report.json && head -n 4 tiny-report.json
    {
      "version": 1,
      "model": "tiny",
      "family": "gpt2",

A slip is told.

    $ reckon report
    reckon: which model? ('reckon models' lists what is known by name)
    reckon: 'reckon help report' says how it is used
    [2]
    $ reckon report gtp2
    reckon: no model is called 'gtp2'; did you mean 'gpt2'?
    [1]
    $ reckon report gpt2 --devices h100,rtz-4090
    reckon: no device is called 'rtz-4090'; did you mean 'rtx-4090'? ('reckon devices' lists them)
    [1]
    $ reckon report gpt2 --devices h100,h100,h100,h100,h100,h100,h100
    reckon: --devices: a page has room for 6 of them
    reckon: 'reckon help report' says how it is used
    [2]
    $ reckon report gpt2 --devices h100,
    reckon: no device is called '' ('reckon devices' lists them)
    [1]
    $ reckon report gpt2 --optimizer adamm
    reckon: --optimizer is not 'adamm' but one of adamw|adamw-foreach|sgd|momentum|lion|adam8bit|adafactor|muon; did you mean 'adamw'?
    reckon: 'reckon help report' says how it is used
    [2]
    $ reckon report gpt2 S=0
    reckon: S=0 is less than 1
    [1]
    $ reckon report gpt2 S=1K..4K:x2
    reckon: S=1K..4K:x2 is not a number such as 16384, 16K (16,384) or 16k (16,000)
    [1]

Decoding with weights in few bits; names of devices, not how many:

    $ reckon report llama-3.1-8b --weights q4_k | grep -A 3 'Memory to serve'
    Memory to serve it
    Decoding, one new token of each sequence at a time.
    Linear layers and experts are stored as q4_k, other weights in 2 bytes.
                             tokens seen           bytes
    $ reckon report llama-3.1-8b --weights q4_k_m
    reckon: --weights q4_k_m: a file of that name has a type for each tensor (q4_k, and q5_k or q6_k where it matters most): --weights q4_k is the nearest of one type, and a .gguf file as MODEL has its own bytes
    reckon: 'reckon help report' says how it is used
    [2]
    $ reckon report gpt2 --devices 8 B=4
    reckon: --devices 8: here these are names (h100-80gb,a100-80gb,rtx-4090); on several of one: 'reckon fit gpt2 --devices 8 B=4 --device h100-80gb'
    reckon: 'reckon help report' says how it is used
    [2]

Over devices, with a layout:

    $ reckon report gpt2 --layout pp=2,fsdp=2 --micro 4 --devices h100,rtx-4090 | sed -n '/^Over dev/,/^As others/p; /reckon ranks/p'
    Over devices
    A training step over 4 devices: pp 2 × fsdp 2.

    What each rank computes, holds and sends in a step:
    ranks  stage  layers       FLOPs  weights  gradients  optimizer   saved     peak               sends
      0–1      0       6  1.28 TFLOP   164 MB     164 MB     328 MB  265 MB  1.55 GB  ██████▎     422 MB
      2–3      1       6  2.22 TFLOP   162 MB     162 MB     325 MB  474 MB  2.49 GB  ██████████  420 MB
    All ranks fit on h100-80gb, rtx-4090.

    As others count it
    reckon ranks gpt2 --layout pp=2,fsdp=2 --micro 4   each rank, and what it sends
    $ reckon report gpt2 --layout tp=5 | sed -n '/^Over dev/,/^As others/p'
    Over devices
    tp=5: N = 12 (heads) does not divide by that; tp=4 or tp=6 would.

    As others count it
    $ reckon report gpt2 --recompute full
    reckon: --recompute is said of a step over devices (--layout fsdp=8); the page has a step of one device both ways
    reckon: 'reckon help report' says how it is used
    [2]
