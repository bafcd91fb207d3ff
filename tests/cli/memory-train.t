Sixteen bytes for each parameter and four for each number kept, by the book:

    $ reckon memory cs336-xl-plain --profile textbook S=1024 | head -n 17
    cs336-xl-plain: memory of a training step
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --recompute none, --loss ce;
    as a derivation by hand lists it.

                                 bytes           formula
    weights              6,542,150,400  6.54 GB  48LD² + 8LD + 8DV + 4D
    gradients            6,542,150,400  6.54 GB  48LD² + 8LD + 8DV + 4D
    optimizer           13,084,300,800  13.1 GB  96LD² + 16LD + 16DV + 8D
    saved for backward  15,837,638,656  15.8 GB  (7 terms)
    all together        42,006,240,256  42.0 GB  (11 terms)

    All together: 16P + 4A bytes, with P parameters and A numbers saved:
    P = 12LD² + 2LD + 2DV + D
      = 1,635,537,600
    A = 2BS²LN + 17BSLD + BSLN + 2BSL + BSD + 2BSV + BS
      = 3,959,409,664

The largest batch within 80 GB, and one within less than one sequence needs:

    $ reckon memory cs336-xl-plain --profile textbook S=1024 --within 80GB | grep -e largest -e '^B ='
    B = 3 sequences in the batch, S = 1,024 tokens of a sequence
    The largest batch within 80,000,000,000 bytes is B = 3, with 73,681,517,568; one sequence more needs

    $ reckon memory gpt2-xl --within 10GB | grep fits
    Within 10,000,000,000 bytes not even B = 1 fits: it needs 28,409,134,080.
    $ reckon memory gpt2-xl --within 10GB > /dev/null; echo $?
    3
    $ reckon memory llama-3.1-8b S=2K --attention flash --dtype bf16 --recompute full --within 141GB --format json | grep within
      "within": {"bytes": 141000000000, "symbol": "B", "largest": 21, "needs": 138158441984, "next_needs": 142439802368},

What is computed again:

    $ reckon memory gpt2 B=4 --recompute selective --details | grep -A 1 -e '^saved' -e '^recomputed'
    saved for backward        5,077,295,104  5.08 GB  55.7%  █████████████▍
    gradients of activations  1,646,821,376  1.65 GB  18.1%  ████▍
    --
    recomputed = 4BS²LD
               = 154,618,822,656   155 GFLOP
    --
    saved for backward  5,077,327,876  5.08 GB  (7 terms)
    the peak            9,107,989,504  9.11 GB
    $ reckon memory gpt2 B=4 --recompute full --details | grep -A 1 -e '^saved' -e '^recomputed'
    saved for backward          999,645,184  1.00 GB  19.9%  ████▊
    gradients of activations  1,646,821,376  1.65 GB  32.7%  ███████▉
    --
    recomputed = 24BSLD² + 4BS²LD
               = 850,403,524,608   850 GFLOP
    --
    saved for backward    999,677,956  1.00 GB  4BSLD + 8BSD + 4BSV + 24BS + 8S + 4
    the peak            5,030,339,584  5.03 GB
    $ reckon memory gpt2 B=4 --recompute-every 3 --details | grep -A 1 -e '^saved' -e '^recomputed'
    saved for backward          898,981,888   899 MB  18.2%  ████▍
    gradients of activations  1,646,821,376  1.65 GB  33.4%  ████████
    --
    recomputed = 24BSLD² + 4BS²LD
               = 850,403,524,608   850 GFLOP
    --
    saved for backward    899,014,660   899 MB  4BSLD - 24BSD + 4BSV + 24BS + 8S + 4
    the peak            4,929,676,288  4.93 GB
    $ reckon memory gpt2 B=4 --recompute full --format json | grep recompute
      "profile": {"name": "torch", "phase": "train", "bytes_per_number": 4, "autocast": null, "attention": "sdpa", "recompute": "full", "optimizer": "adamw", "master_bytes": 0, "gradient_bytes": 4, "accumulate": 1, "fp8_products": false, "loss": true, "loss_way": "ce", "dropout": "0", "rounding": 512, "workspace": 33554432},
      "recompute_flops": 850403524608,
      "recompute_formula": "24BSLD² + 4BS²LD",

Types, passes, the loss, optimizers:

    $ reckon memory gpt2 --dtype bf16 --master fp32 --grad-dtype fp32 --details | grep -e '^weights' -e '^gradients' -e '^optimizer'
    weights                     248,879,616   249 MB   7.0%  █▋
    optimizer state           1,493,353,472  1.49 GB  41.9%  ██████████▏
    gradients of weights        497,759,232   498 MB  14.0%  ███▍
    gradients of activations    411,705,344   412 MB  11.6%  ██▊
    weights               248,879,616   249 MB  24LD² + 26LD + 2DV + 2DC + 4D
    gradients             497,759,232   498 MB  48LD² + 52LD + 4DV + 4DC + 8D
    optimizer           1,493,277,696  1.49 GB  144LD² + 156LD + 12DV + 12DC + 24D
    weights                                      248,879,616      1    248,879,616
    optimizer                                  1,493,353,472      1  1,493,353,472
    gradients                                    497,759,232      1    497,759,232
    $ reckon memory gpt2 B=4 --accumulate 8 --details | grep -e '^the peak' -e '^gradients'
    gradients of weights        497,759,232   498 MB   5.2%  █▎
    gradients of activations  1,646,821,376  1.65 GB  17.1%  ████▏
    the peak                  9,608,114,176  9.61 GB
    gradients             497,759,232   498 MB  48LD² + 52LD + 4DV + 4DC + 8D
    the peak            9,608,114,176  9.61 GB
    gradients                                  497,759,232      1  497,759,232
    $ reckon memory gpt2 B=4 --loss chunked --loss-chunk 512 --details | grep -e '^the peak' -e '^saved'
    saved for backward        4,256,282,624  4.26 GB  66.6%  ████████████████
    the peak                  6,395,422,720  6.40 GB
    saved for backward  4,256,276,672  4.26 GB  (7 terms)
    the peak            6,395,422,720  6.40 GB
    $ reckon memory gpt2 B=3 S=256 --loss chunked --loss-chunk 128 --details | grep -A 6 '^peak ='
    peak = 144LD² + 112BSLD + 128BLN·⌈S/32⌉ + 16BSL + 156LD + 16L + 12BSD + 24DV + 12DC + 24D + 512V
             + 24BS + 8S + 67108864
         = 2,849,698,496   and 81,728 that the allocator rounds up
    It stays there while the first of these is not below the second; else it is in the backward pass of
    the last layer:
      8DV + 512V + 8BS   = 334,516,736
      16D² + 24BSD + 12D = 23,602,176
    $ reckon memory gpt2 B=4 --loss fused --details | grep -e '^the peak' -e '^saved' -e gradient.of
    saved for backward        4,335,109,120  4.34 GB  71.4%  █████████████████▏
    the peak                  6,068,628,480  6.07 GB
    saved for backward  4,410,633,408  4.41 GB  (8 terms)
    the peak            6,068,628,480  6.07 GB
    head.logits                     gradient of its input    12,582,912      1   12,582,912
    head.logits                     gradient of its weight  154,389,504      1  154,389,504
    head.logits                          gradient of its weight  154,389,504      1  154,389,504
    $ reckon memory gpt2 --optimizer adam8bit --details | grep '^optimizer'
    optimizer state             253,494,784   253 MB   9.4%  ██▎
    optimizer             253,494,680   253 MB  (11 terms)
    optimizer                                  253,494,784      1  253,494,784
    $ reckon memory gpt2 --optimizer muon --format json | grep '"optimizer": [0-9]'
      "optimizer": 655779840,
      "first_step": {"forward": 2013393408, "backward": 2246499328, "optimizer": 1739640832},
      "allocator": {"requested": 3109174464, "allocated": 3118644224, "reserved": 3223322624, "first_step": {"forward": 2008950272, "backward": 2214793216, "optimizer": 1758798848}},
    $ reckon memory gpt2 --dtype fp8 --format json | grep '"profile"'
      "profile": {"name": "torch", "phase": "train", "bytes_per_number": 2, "autocast": null, "attention": "sdpa", "recompute": "none", "optimizer": "adamw", "master_bytes": 0, "gradient_bytes": 2, "accumulate": 1, "fp8_products": true, "loss": true, "loss_way": "ce", "dropout": "0", "rounding": 512, "workspace": 33554432},

What contradicts itself is refused:

    $ reckon memory gpt2 --recompute selective --attention flash
    reckon: --recompute selective: fused attention saves no scores that could be recomputed
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --recompute selective --recompute-every 2
    reckon: --recompute-every: this is of --recompute full
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --recompute-every 0
    reckon: --recompute-every is not '0' but a whole number of at least 1
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --accumulate none
    reckon: --accumulate is not 'none' but a whole number of at least 1
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --dtype fp32 --master fp32
    reckon: --master fp32: the weights are in fp32 already (--dtype bf16 or fp16)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --dtype fp32 --grad-dtype bf16
    reckon: --grad-dtype bf16: gradients would be narrower than their weights
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --loss chunked
    reckon: --loss chunked: how many tokens at a time? (--loss-chunk 1024)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --loss-chunk 512
    reckon: --loss-chunk: this is of --loss chunked or --loss fused
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --phase prefill --optimizer sgd
    reckon: --optimizer: this is of a training step (--phase train)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --phase decode --accumulate 2
    reckon: --accumulate: this is of a training step (--phase train)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --phase prefill --dtype fp8
    reckon: --dtype fp8: this is of a training step; weights are stored so by --weights fp8
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --profile textbook --attention flash
    reckon: --attention flash: a derivation by hand has no such thing (--profile torch)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --profile textbook --loss fused
    reckon: --loss fused: a derivation by hand has no such thing (--profile torch)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --within much
    reckon: --within: 'much' is no number of bytes, such as 80GB or 80GiB
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --within 80GB B=2
    reckon: --within finds B: leave out B=2; whether that fits: 'reckon fit gpt2 --within 80GB B=2'
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 B=9223372036854775808
    reckon: B=9223372036854775808 is more than 9,223,372,036,854,775,807
    [1]

The optimizer's step, and how long a training run takes:

    $ reckon flops cs336-xl --depth 1 B=1024 --step --steps 400000 --rate 19.5TFLOP/s --mfu 50% | grep -A 1 -e '^optimizer' -e '^step' -e days
    optimizer = 224LD² + 28LD + 28DV + 14D
              = 29,778,806,400   29.8 GFLOP
    step      = 96BSLD² + 224LD² + 12BS²LD + 28LD + 6BSDV + 28DV + 14D
              = 13,864,999,582,992,000   13.9 PFLOP
    --
    400,000 steps at 19.5 TFLOP/s, of which 50% are reached, take 6,583.6 days (an estimate).
    $ reckon flops cs336-xl-plain B=1024 --steps 400000 --rate 19.5TFLOP/s --mfu 0.5 | grep days
    400,000 steps at 19.5 TFLOP/s, of which 50% are reached, take 5,115.2 days (an estimate).
    $ reckon flops gpt2 --step --optimizer muon --format json | sed -n '/"optimizer"/,/]/p'
      "optimizer": {
        "name": "muon",
        "parameters": 124439808,
        "total": 1524875343360,
        "formula": "280LD³ + 324LD² + 182LD + 14DV + 14DC + 28D",
        "rows": [
          {"path": "optimizer.elements", "times": 1, "count": 2846307840, "formula": "324LD² + 182LD + 14DV + 14DC + 28D"},
          {"path": "transformer.h.{i}.attn.c_attn.weight", "times": 12, "count": 31708938240, "formula": "70D³"},
          {"path": "transformer.h.{i}.attn.c_proj.weight", "times": 12, "count": 13589544960, "formula": "30D³"},
          {"path": "transformer.h.{i}.mlp.c_fc.weight", "times": 12, "count": 40768634880, "formula": "90D³"},
          {"path": "transformer.h.{i}.mlp.c_proj.weight", "times": 12, "count": 40768634880, "formula": "90D³"}
        ]
    $ reckon flops gpt2 --step --as torch --format json | grep -A 3 '"optimizer"'
      "optimizer": {
        "name": "adamw",
        "parameters": 124439808,
        "total": 0,
    $ reckon flops gpt2 --optimizer sgd
    reckon: --optimizer: this is of --step
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --steps 10
    reckon: --steps and --rate say together how long a training run takes
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --steps 10 --rate fast
    reckon: --rate: 'fast' is no number of FLOPs in a second, such as 19.5TFLOP/s
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --steps 10 --rate 1TFLOP/s --mfu 150%
    reckon: --mfu: '150%' is no share, such as 50% or 0.5
    reckon: 'reckon help flops' says how it is used
    [2]

Experts run all in one product, as transformers runs them on a GPU, or one after the other. The first keeps lists of
places in the place of what each expert adds.

    $ reckon memory mixtral B=1 S=64 L=2 --dtype bf16 --attention eager --experts grouped | grep Experts
    [1]
    $ reckon memory mixtral B=1 S=64 L=2 --dtype bf16 --attention eager --experts grouped --format json | grep -Eo '"(experts|saved)": [^,]*'
    "experts": "grouped"
    "saved": 58049612
    $ reckon memory mixtral B=1 S=64 L=2 --dtype bf16 --attention eager --experts each --format json | grep -Eo '"(experts|saved)": [^,]*'
    "experts": "each"
    "saved": 60144396

In fp32 what PyTorch fuses is another kernel, which takes 32 queries of a sequence together; where queries share keys it
is computed operation by operation, and keeps what that does.

    $ for t in fp32 bf16; do reckon memory llama B=2 S=64 L=2 K=8 --dtype $t --attention sdpa --format json | grep -o '"saved": [0-9]*'; done
    "saved": 111874564
    "saved": 65212964
    $ reckon memory llama B=2 S=64 L=2 K=8 --dtype fp32 --attention eager --format json | grep -o '"saved": [0-9]*'
    "saved": 111874564
    $ reckon memory llama B=2 S=64 L=2 K=8 --dtype bf16 --attention flash --format json | grep -o '"saved": [0-9]*'
    "saved": 65212964

Dropout is off unless the config's is asked for. Then PyTorch keeps a mask of one byte for each element, and eager attention
its weights once more; fused attention keeps the same as without. The numbers are those of an H200.

    $ for a in eager sdpa; do for t in fp32 bf16; do reckon memory gpt2 L=3 D=256 N=4 V=1000 B=2 S=96 --dtype $t --attention $a --loss none --dropout config --format json | grep -Eo '"saved": [0-9]*'; done; done
    "saved": 19256064
    "saved": 9917184
    "saved": 17274672
    "saved": 8820528
    $ cat > llama.json <<'END'
    > {"model_type": "llama", "num_hidden_layers": 3, "hidden_size": 256, "num_attention_heads": 8, "num_key_value_heads": 2,
    >  "intermediate_size": 512, "vocab_size": 1000, "attention_dropout": 0.1}
    > END
    $ for a in eager sdpa; do for t in fp32 bf16; do reckon memory llama.json B=2 S=96 --dtype $t --attention $a --loss none --dropout config --format json | grep -Eo '"saved": [0-9]*'; done; done
    "saved": 15219456
    "saved": 9407232
    "saved": 15219456
    "saved": 5886768
    $ reckon memory llama.json B=2 S=96 --dtype bf16 --attention eager --loss none --dropout 0 --format json | grep -Eo '"(saved|dropout)": ["0-9]*'
    "dropout": "0"
    "saved": 8964864

Of a probability of 0 nothing is left, and of 1 a single zero for each. A probability is none beyond that.

    $ for p in 0 0.0 null 1.0; do sed "s/0.1}/$p}/" llama.json > p.json; reckon memory p.json B=2 S=96 --dtype bf16 --attention eager --loss none --dropout config --format json | grep -Eo '"saved": [0-9]*'; done
    "saved": 8964864
    "saved": 8964864
    "saved": 8964864
    "saved": 8964870
    $ sed "s/0.1}/1.5}/" llama.json > p.json; reckon memory p.json --dropout config; reckon memory p.json S=8 --dropout 0 | head -1
    reckon: p: p.json: this must hold, but p = 1.5 (attention_dropout)
    p: memory of a training step

What the equations do not say is refused by name, and no other step than training has dropout.

    $ reckon memory cs336 --dropout config
    reckon: cs336: dropout of the config: the equations of its layers name none; a model file names it with dropout(x, $key), or dropout_unused(x, $key) where it is ignored
    [1]
    $ sed 's/0.1}/0.1, "layerdrop": 0.2, "classifier_dropout": 0.3}/' llama.json > p.json; reckon memory p.json --dropout config
    reckon: p: dropout of the config: the equations do not say where layerdrop acts
    [1]
    $ reckon memory gpt2 --phase decode --dropout config
    reckon: --dropout: this is of a training step (--phase train)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --profile textbook --dropout config
    reckon: --dropout config: a derivation by hand has no such thing (--profile torch)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --dropout 0.1
    reckon: --dropout is not '0.1' but one of 0|config
    reckon: 'reckon help memory' says how it is used
    [2]

Each buffer says what it is, where there is room:

    $ COLUMNS=140 reckon memory gpt2 --attention eager | sed -n '/^Kept/,/^layers.ffn.x /p' | cut -c 1-132
    $ COLUMNS=80 reckon memory gpt2 --attention eager --details | grep -A 1 -e 'attention.probs' -e 'no room'
    the backward pass of the last layer   layers.attention.probs  3,637,721,088
    the backward pass of other layers     layers.attention.probs  3,527,644,160
    the backward pass of the embedding    embed.tokens            2,576,007,168
    the backward pass of the first layer  layers.attention.probs  2,426,874,880
    the optimizer's step                                          2,264,074,240
    --
    layers.attention.probs                           50,331,648     12  603,979,776
    layers.attention.output         copy (S > 1)      3,145,728     12   37,748,736
    --
    (no room here for: formula of each, what it is, and its shape)
    These formulas hold for B = 1 and S > 1: where an axis has one element, copies
    --
    layers.attention.probs                     50,331,648     12  603,979,776
    layers.attention.output         copy        3,145,728     12   37,748,736
    --
    (no room here for: formula of each, what it is, and its shape)
    $ reckon memory llama-3.1-8b --dtype bf16 --format json | grep -e '"logsumexp"' -e '"layers.attention.rstd"' | sort -u
        {"path": "layers.attention.context", "what": "logsumexp", "bytes": 524288, "times": 32, "bytes_total": 16777216, "formula": "4BSN", "gloss": "log of the softmax's sum, of each row", "part": "attention", "kept": 32, "needed_by": ["layers.attention.context"], "until": "layers.attention.context"},
        {"path": "layers.attention.context", "what": "logsumexp", "bytes": 524288, "times": 32, "bytes_total": 16777216, "formula": "4BSN", "gloss": "log of the softmax's sum, of each row", "part": "attention", "number_bytes": 4, "needed_by": ["layers.attention.context"], "until": "layers.attention.context"},
        {"path": "layers.attention.rstd", "bytes": 16384, "times": 32, "bytes_total": 524288, "formula": "4BS", "gloss": "rsqrt of rstd.add, B×S", "part": "norms", "kept": 32, "needed_by": ["layers.attention.rstd", "layers.attention.x_hat"], "until": "layers.attention.rstd"},
        {"path": "layers.attention.rstd", "bytes": 16384, "times": 32, "bytes_total": 524288, "formula": "4BS", "gloss": "rsqrt of rstd.add, B×S", "part": "norms", "number_bytes": 4, "needed_by": ["layers.attention.rstd", "layers.attention.x_hat"], "until": "layers.attention.rstd"},

Where nothing is said of types, a model of 16 bits is trained as trainers do it, any other in fp32; what is said of one
type leaves the others to the config:

    $ for o in '' '--recipe mixed' '--recipe fp32' '--dtype bf16' '--master fp32' '--lora 16'; do
    > reckon memory llama-3.1-8b $o | grep -E '^Assumed|^the peak '; done
    Assumed: --recipe mixed (products in bf16; fp32: weights, gradients, states), --optimizer adamw,
    the peak                  150,659,663,360   151 GB
    Assumed: --recipe mixed (products in bf16; fp32: weights, gradients, states), --optimizer adamw,
    the peak                  150,659,663,360   151 GB
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    the peak                  225,301,480,960   225 GB
    Assumed: --dtype bf16 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    the peak                  82,064,418,304  82.1 GB
    Assumed: --dtype bf16 (weights, gradients), --master fp32 (states too), --optimizer adamw,
    the peak                  146,306,508,288   146 GB
    Assumed: --dtype bf16 (weights; adapters, their gradients and states in fp32), --optimizer adamw,
    the peak                  46,149,525,504  46.1 GB
    $ reckon memory gpt2 | grep -E '^Assumed|^the peak '
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    the peak                  3,447,946,240  3.45 GB
    $ reckon memory gpt-oss-120b S=64 | sed -n '3,4p'
    Assumed: --recipe mixed (products in bf16; fp32: weights, gradients, states), --optimizer adamw,
    --attention eager (no sdpa), --experts each, --recompute none, --loss ce, --dropout 0; as PyTorch
    $ reckon memory gpt-oss-120b S=64 --experts grouped | sed -n '3,4p'
    Assumed: --recipe mixed (products in bf16; fp32: weights, gradients, states), --optimizer adamw,
    --attention eager (no sdpa), --experts grouped, --recompute none, --loss ce, --dropout 0; as PyTorch
    $ reckon memory llama-3.1-8b --profile textbook | grep -E '^Assumed|^the peak '
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --recompute none, --loss ce;

A recipe is a short form; an option that is given goes before it:

    $ reckon memory gpt2 B=2 S=1000 --recipe mixed | head -n 16
    gpt2: memory of a training step
    B = 2 sequences in the batch, S = 1,000 tokens of a sequence
    Assumed: --recipe mixed (products in bf16; fp32: weights, gradients, states), --optimizer adamw,
    --attention sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.

    Alive at the peak, in the backward pass, at loss.log_softmax:
                                      bytes           share
    weights                     497,759,232   498 MB  10.4%  ██▌
    optimizer state             995,594,240   996 MB  20.9%  █████
    workspace                    67,108,864  67.1 MB   1.4%  ▍
    saved for backward        2,208,219,648  2.21 GB  46.3%  ███████████▏
    gradients of activations    804,112,384   804 MB  16.8%  ████
    temporaries                 201,028,096   201 MB   4.2%  █
    ─────────────────────────────────────────────────────────────────────────────────
    the peak                  4,773,822,464  4.77 GB
    PyTorch's allocator makes blocks of 4,818,074,624 bytes of it and reserves about 5.11 GB, which
    $ reckon memory gpt2 B=2 S=1000 --recipe mixed --attention eager --dump-pass autocast | grep -E "scores_|probs_|context_|qkv_" | sed "s/ *#.*//"
        qkv_10[B S D] = cast(normed_9[B S D])
        qkv_12[D (N H + N H + N H)] = cast(.transformer.h.{i}.attn.c_attn.weight[D (N H + N H + N H)])
        qkv_14[(N H + N H + N H)] = cast(.transformer.h.{i}.attn.c_attn.bias[(N H + N H + N H)])
        qkv_15[B S (N H + N H + N H)] = qkv_10[B S D] * qkv_12[D (N H + N H + N H)]
        qkv_16[B S (N H + N H + N H)] = qkv_15[B S (N H + N H + N H)] + qkv_14[(N H + N H + N H)]
        q_17[B S N H] = qkv_16[B S (N H + N H + N H)]
        k_18[B S N H] = qkv_16[B S (N H + N H + N H)]
        v_19[B S N H] = qkv_16[B S (N H + N H + N H)]
        scores_20[B N S T] = q_17[B S N H] * k_18[B T N H] where causal(S, T)
        probs_22[B N S T] = cast(scores_20[B N S T])
        probs_23[B N S T] = softmax(probs_22[B N S T], T)
        probs_24[B N S T] = cast(probs_23[B N S T])
        context_25[B N S T] = cast(probs_24[B N S T])
        context_26[B S N H] = context_25[B N S T] * v_19[B T N H] where causal(S, T)
        output_31[B S D] = context_26[B S N H] * output_28[N H D]
    $ reckon memory gpt2 B=4 --recipe mixed --recompute full --format json | grep -E '"saved"|"peak"'
      "saved": 1070581252,
      "peak": 4689537536,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 5030339584, "chosen": false},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 4689537536, "chosen": true},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 3783915008, "chosen": false},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 5277192704, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.07, "peak": 3286870528, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.09, "peak": 3164776960, "chosen": false}
        {"option": "--loss fused", "text": "a fused loss, by chunks", "peak": 2424995328},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 1682895872},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 799598080}
    $ reckon memory gpt2 --recipe bf16 | head -n 4
    gpt2: memory of a training step
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype bf16 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    $ reckon memory gpt2 --recipe megatron | head -n 10
    gpt2: memory of a training step
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype bf16 (weights), --grad-dtype fp32, --master fp32 (states too), --optimizer adamw,
    --attention sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.

    Alive at the peak, in the backward pass, at loss.log_softmax:
                                      bytes           share
    weights                     248,879,616   249 MB   7.0%  █▋
    optimizer state           1,493,353,472  1.49 GB  41.9%  ██████████▏
    gradients of weights        497,759,232   498 MB  14.0%  ███▍
    $ reckon memory gpt2 --recipe megatron --grad-dtype same | head -n 4
    gpt2: memory of a training step
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype bf16 (weights, gradients), --master fp32 (states too), --optimizer adamw,
    --attention sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    $ reckon memory gpt2 --recipe qlora | head -n 8
    gpt2: memory of a training step
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype bf16 (weights; adapters, their gradients and states in fp32), --weights nf4,
    --optimizer adamw, --attention sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with
    transformers 5.17.
    Linear layers and experts are stored as nf4, other weights in 2 bytes.
    Trained: 589,824 of 125,029,632 parameters.
    $ reckon memory gpt2 --recipe lora --lora 8 | grep Trained
    Trained: 294,912 of 124,734,720 parameters.
    $ reckon memory gpt2 --recipe mixed --dtype bf16
    reckon: --dtype bf16: --recipe mixed has its weights in fp32 and casts what it multiplies to bf16
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --recipe mixed --loss fused
    gpt2: memory of a training step
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --recipe mixed (products in bf16; fp32: weights, gradients, states), --optimizer adamw,
    --attention sdpa, --recompute none, --loss fused, --dropout 0; as PyTorch 2.11 with transformers
    5.17.

    Alive at the peak, in the forward pass, at head.logits:
                                bytes           share
    weights               497,759,232   498 MB  18.0%  ████▎
    optimizer state       995,594,240   996 MB  35.9%  ████████▋
    workspace              67,108,864  67.1 MB   2.4%  ▋
    saved for backward    966,555,648   967 MB  34.9%  ████████▍
    temporaries           245,954,560   246 MB   8.9%  ██▏
    ───────────────────────────────────────────────────────────────────────────
    the peak            2,772,972,544  2.77 GB
    PyTorch's allocator makes blocks of 2,827,027,456 bytes of it and reserves about 3.02 GB, which
    nvidia-smi shows as 2,880 MiB, beside the context.

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
              bytes a parameter       the peak
    fp32                  16.00  2,810,392,064  2.81 GB
    mixed                 16.00  2,772,972,544  2.77 GB  this step
    bf16                   8.00  1,439,197,184  1.44 GB
    megatron              18.00  2,927,751,680  2.93 GB
    lora                   2.07    796,525,568   797 MB
    qlora                  1.09    674,432,000   674 MB

    What would lower it, each on top of those before:
                                                               the peak
    --recompute full         layers recomputed backward   2,215,773,696  2.22 GB
    --optimizer adam8bit     optimizer states in 8 bits   1,473,674,240  1.47 GB
    --weights nf4 --lora 16  4-bit weights, LoRA trained    420,195,840   420 MB

    --details: formulas, moments, every buffer saved and alive; --timeline FILE.svg draws it.
    $ reckon memory gpt2 --recipe mixed --loss chunked --loss-chunk 256 --details | grep -E "^the peak |^peak =|^saved"
    saved for backward          969,710,080   970 MB  31.6%  ███████▋
    the peak                  3,070,928,896  3.07 GB
    saved for backward    969,703,624   970 MB  (9 terms)
    the peak            3,070,928,896  3.07 GB
    peak = 168LD² + 84BSLD + 4BSLN + 16BSL + 156LD + 16L + 8BSD + 26DV + 12DC + 536D + 24BS + 8S
    $ reckon memory gpt2 --recipe mixed --profile textbook
    reckon: --recipe mixed: a derivation by hand has no such thing (--profile torch)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --recipe mixed --phase decode
    reckon: --recipe: this is of a training step (--phase train)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --recipe mixd
    reckon: --recipe is not 'mixd' but one of fp32|mixed|bf16|megatron|lora|qlora; did you mean 'mixed'?
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon fit gpt2-xl --recipe mixed --device h100-80gb | head -n 11
    gpt2-xl: a training step on h100-80gb
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

    It fits: it needs 35.7 GB of 84.2 GB, and 48.5 GB are left.
    Largest batch at S = 1,024: B = 8 (83.9 GB; one more: 90.0 GB).
    Longest sequence at B = 1: S = 1,024 (35.7 GB), all that it has learned.
    Fewest devices: 1 (35.7 GB).

    In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:
              bytes a parameter    needs
    fp32                  16.00  34.9 GB  fits

A config on standard input is opened in other types, too, as that of a name is:

    $ reckon models gpt2 --source > config.json; reckon memory config.json --format json > file
    $ reckon memory - --format json < config.json | grep -c -e '"recipe"' -e '"option"'
    10
    $ grep -c -e '"recipe"' -e '"option"' file
    10
