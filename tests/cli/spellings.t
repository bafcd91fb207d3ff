What people type who know other tools is understood, or answered with the right words. First, sizes of the run:

    $ for w in '--batch 4' '--batch-size 4' '--batch_size=4' '--bs 4' batch_size=4 batch=4 bs=4; do
    > reckon memory gpt2 $w | sed -n 2p; done
    B = 4 sequences in the batch, S = 1,024 tokens of a sequence
    B = 4 sequences in the batch, S = 1,024 tokens of a sequence
    B = 4 sequences in the batch, S = 1,024 tokens of a sequence
    B = 4 sequences in the batch, S = 1,024 tokens of a sequence
    B = 4 sequences in the batch, S = 1,024 tokens of a sequence
    B = 4 sequences in the batch, S = 1,024 tokens of a sequence
    B = 4 sequences in the batch, S = 1,024 tokens of a sequence
    $ for w in '--seq 128' '--seq-len 128' '--sequence-length 128' '--context 128' seq_len=128 seq=128 length=128 context=128; do
    > reckon flops gpt2 $w | sed -n 2p; done
    B = 1 sequences in the batch, S = 128 tokens of a sequence
    B = 1 sequences in the batch, S = 128 tokens of a sequence
    B = 1 sequences in the batch, S = 128 tokens of a sequence
    B = 1 sequences in the batch, S = 128 tokens of a sequence
    B = 1 sequences in the batch, S = 128 tokens of a sequence
    B = 1 sequences in the batch, S = 128 tokens of a sequence
    B = 1 sequences in the batch, S = 128 tokens of a sequence
    B = 1 sequences in the batch, S = 128 tokens of a sequence

In a decoding step, lengths are those that are seen, wherever the phase is said:

    $ reckon memory gpt2 --context 512 --phase decode | sed -n 2p
    B = 1 sequences in the batch, S = 1 tokens of a sequence, T = 512 keys seen: cache and new
    $ reckon memory gpt2 seq_len=512 --decode | sed -n 2p
    B = 1 sequences in the batch, S = 1 tokens of a sequence, T = 512 keys seen: cache and new
    $ reckon sweep gpt2 seq_len=128,256 --of flops | head -n 6
    gpt2: forward FLOPs over S
    flops: of a forward pass
    B = 1 sequences in the batch

      S           flops              growth
    128  32,228,179,968  32.2 GFLOP   ×1.00

One size cannot be set twice, and a symbol of the model's own goes first:

    $ reckon memory gpt2 --batch 4 B=8
    reckon: B is set twice
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --batch
    reckon: --batch needs a value: it sets B
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --batch many
    reckon: B is a number, not 'many'
    [1]
    $ cat > own.rk <<'END'
    > model own: "a product"
    > let D = 4 "width"
    > run B = 1 "sequences"
    > let length = 3 "its own"
    > input x[B D]
    > part a:
    >     y[B length] = x * .w[D length]
    > output y
    > END
    $ reckon params own.rk length=5 | head -n 1
    own: 20 parameters
    $ reckon flops own.rk batch=7 | sed -n 2p
    B = 7 sequences

Types:

    $ for t in bfloat16 float16 half float32 float BF16; do reckon memory gpt2 --dtype $t | sed -n 3p; done
    Assumed: --dtype bf16 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    Assumed: --dtype fp16 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    Assumed: --dtype fp16 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    Assumed: --dtype bf16 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    $ reckon memory gpt2 --dtype bfloat16 --master float32 --grad-dtype float32 | sed -n 3,4p
    Assumed: --dtype bf16 (weights), --grad-dtype fp32, --master fp32 (states too), --optimizer adamw,
    --attention sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    $ reckon memory gpt2 --lora 8 --lora-dtype float32 --weights 8-bit | sed -n 3,4p
    Assumed: --dtype fp32 (weights, gradients, states), --weights int8, --optimizer adamw, --attention
    sdpa, --recompute none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    $ reckon memory gpt2 --phase decode --weights 8bit --kv-dtype bfloat16 | sed -n 3,4p
    Assumed: --dtype fp32 (weights), --weights int8, --kv-dtype bf16, --attention sdpa; as PyTorch 2.11
    with transformers 5.17.
    $ reckon memory gpt2 --phase decode --weights int4 | sed -n 3,6p
    Assumed: --dtype fp32 (weights, cache), --weights int4, --attention sdpa; as PyTorch 2.11 with
    transformers 5.17.
    Linear layers and experts are stored as int4, other weights in 4 bytes.
    $ reckon memory gpt2 --phase decode --weights Q4_0 | sed -n 3,4p
    Assumed: --dtype fp32 (weights, cache), --weights q4_0, --attention sdpa; as PyTorch 2.11 with
    transformers 5.17.
    $ reckon memory gpt2 --phase decode --weights q4_k_m
    reckon: --weights q4_k_m: a file of that name has a type for each tensor (q4_k, and q5_k or q6_k where it matters most): --weights q4_k is the nearest of one type, and a .gguf file as MODEL has its own bytes
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --dtype int8
    reckon: --dtype is not 'int8' but one of fp32|tf32|bf16|fp16|fp8; weights are stored so by --weights int8
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --dtype floaty
    reckon: --dtype is not 'floaty' but one of fp32|tf32|bf16|fp16|fp8
    reckon: 'reckon help memory' says how it is used
    [2]

How a step is taken:

    $ for o in --flash --flash-attention --eager '--attn flash_attention_2' --gradient-checkpointing \
    > --activation-checkpointing --checkpoint-activations --qlora '--qlora 8' --4bit --load-in-4bit --8bit '--optim adam'; do
    > echo "$o"; reckon memory cs336-xl-plain $o --json 2>&1 | grep -oE '"(attention|recompute|weights)": "[^"]*"|"peak": [0-9]*|"optimizer": "[^"]*"|reckon: .*' | head -4 | tr '\n' ' '; echo; done
    --flash
    "attention": "sdpa" "recompute": "none" "optimizer": "adamw" "peak": 31232735744
    --flash-attention
    "attention": "sdpa" "recompute": "none" "optimizer": "adamw" "peak": 31232735744
    --eager
    "attention": "eager" "recompute": "none" "optimizer": "adamw" "peak": 31232735744
    --attn flash_attention_2
    "attention": "sdpa" "recompute": "none" "optimizer": "adamw" "peak": 31232735744
    --gradient-checkpointing
    "attention": "eager" "recompute": "full" "optimizer": "adamw" "peak": 26449900544
    --activation-checkpointing
    "attention": "eager" "recompute": "full" "optimizer": "adamw" "peak": 26449900544
    --checkpoint-activations
    "attention": "eager" "recompute": "full" "optimizer": "adamw" "peak": 26449900544
    --qlora
    "attention": "eager" "recompute": "none" "optimizer": "adamw" "peak": 10602057216
    --qlora 8
    "attention": "eager" "recompute": "none" "optimizer": "adamw" "peak": 10569420288
    --4bit
    reckon: layers.{i}.attn.q_proj.weight is trained, and cannot be while it is stored as nf4: --lora or --freeze leaves it alone
    --load-in-4bit
    reckon: layers.{i}.attn.q_proj.weight is trained, and cannot be while it is stored as nf4: --lora or --freeze leaves it alone
    --8bit
    reckon: layers.{i}.attn.q_proj.weight is trained, and cannot be while it is stored as int8: --lora or --freeze leaves it alone
    --optim adam
    "attention": "eager" "recompute": "none" "optimizer": "adamw" "peak": 31232735744
    $ reckon memory gpt2 --qlora 8 > a && reckon memory gpt2 --lora 8 --weights nf4 > b && cmp a b
    $ reckon memory gpt2 --gradient_checkpointing > a && reckon memory gpt2 --recompute full > b && cmp a b
    $ reckon flops gpt2 --flash
    reckon: --flash is --attention flash, of memory, derive, lines, sweep, compare, cross, explain, fit, step, ranks; flops does not take it
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon memory gpt2 --phase inference
    reckon: --phase inference: prefill reads a prompt, decode makes one new token of each sequence: say which
    reckon: 'reckon help memory' says how it is used
    [2]
    $ for p in generate generation prompt training; do reckon memory gpt2 --phase $p | head -n 1; done
    gpt2: memory of a decoding step
    gpt2: memory of a decoding step
    gpt2: memory of reading a prompt
    gpt2: memory of a training step

Formats:

    $ for f in --json --csv --markdown --latex --html; do reckon params gpt2 $f | head -n 1 | tr -d '\r'; done
    {
    part,tensor,shape,count,times,total,share,formula,tied_to
    # gpt2: 124 million parameters
    % gpt2: 124 million parameters; learned positions, biases, weights stored [in out], fused query, key and value, tied head
    <!DOCTYPE html>
    $ reckon params gpt2 --format markdown | head -n 1
    # gpt2: 124 million parameters
    $ reckon params gpt2 --csv raw | head -n 1
    gpt2: 124 million parameters

Devices, and how many of them:

    $ for d in '--device 8xh100' '--device h100x8' '--gpu h100 --gpus 8' '--device h100 --devices 8' 8xh100 '8xh100 fsdp' \
    > '8xh100 --zero 3' '8xh100 ddp' 'h100 --phase decode'; do reckon fit gpt2 $d | head -n 1; done
    gpt2: a training step on 8 × h100-80gb
    gpt2: a training step on 8 × h100-80gb
    gpt2: a training step on 8 × h100-80gb
    gpt2: a training step on 8 × h100-80gb
    gpt2: a training step on 8 × h100-80gb
    gpt2: a training step on 8 × h100-80gb
    gpt2: a training step on 8 × h100-80gb
    gpt2: a training step on 8 × h100-80gb
    gpt2: a decoding step on h100-80gb
    $ reckon fit gpt2 8xh100 fsdp > a; reckon fit gpt2 --device h100-80gb --devices 8 --shard zero3 > b; cmp a b
    $ for d in '--device 80GB' '--device 80gb' '--memory 80GB' '--within 80GB' '--device 80GiB' 80GB; do reckon fit gpt2 $d | head -n 1; done
    gpt2: a training step on 80.0 GB
    gpt2: a training step on 80.0 GB
    gpt2: a training step on 80.0 GB
    gpt2: a training step on 80.0 GB
    gpt2: a training step on 85.9 GB
    gpt2: a training step on 80.0 GB
    $ reckon memory gpt2 --memory 80GB > a; reckon memory gpt2 --within 80GB > b; cmp a b
    $ reckon train gpt2 --tokens 1T --device 80GB
    reckon: --device 80GB: a memory has no rate; 'reckon devices' lists devices
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 fsdp --tokens 1T
    reckon: fsdp is said with a number of devices, in a layout: --layout fsdp=8
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon fit gpt2 --device 8xh1000
    reckon: no device is called '8xh1000' ('reckon devices' lists them)
    [1]
    $ reckon fit gpt2 nonsense --device h100
    reckon: no model is called 'nonsense' ('reckon models' lists them)
    [1]
    $ reckon memory gpt2 --device h100
    reckon: --device is of fit, step, ranks, train; memory does not take it, but 'reckon fit gpt2 --device h100' does
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --devices 8
    reckon: --devices is for the rules of others (--as); what each of several holds: 'reckon fit gpt2 --devices 8 --device h100-80gb'
    reckon: 'reckon help memory' says how it is used
    [2]

A training run:

    $ for t in 1e12 1T 1.0T 1000B 1000b 1t; do reckon train gpt2 --tokens $t | sed -n 5p; done
    1,000,000,000,000 tokens (1.00 trillion) in sequences of 1,024; B divides out.
    1,000,000,000,000 tokens (1.00 trillion) in sequences of 1,024; B divides out.
    1,000,000,000,000 tokens (1.00 trillion) in sequences of 1,024; B divides out.
    1,000,000,000,000 tokens (1.00 trillion) in sequences of 1,024; B divides out.
    1,000,000,000,000 tokens (1.00 trillion) in sequences of 1,024; B divides out.
    1,000,000,000,000 tokens (1.00 trillion) in sequences of 1,024; B divides out.
    $ for m in 40 40% 0.4; do reckon train gpt2-xl --tokens 1T --device 8xa100 --dtype bfloat16 --mfu $m | grep -E '^(If|time)'; done
    If each of 8 a100-80gb reaches 40% of its bf16 peak of 312 TFLOP/s (dense, see 'reckon devices').
    time                      119.1  days
    If each of 8 a100-80gb reaches 40% of its bf16 peak of 312 TFLOP/s (dense, see 'reckon devices').
    time                      119.1  days
    If each of 8 a100-80gb reaches 40% of its bf16 peak of 312 TFLOP/s (dense, see 'reckon devices').
    time                      119.1  days
    $ reckon train gpt2 --tokens 1T --device h100 --mfu 140
    reckon: --mfu: '140' is no share, such as 50% or 0.5
    reckon: 'reckon help train' says how it is used
    [2]

The type is the config's, as in `reckon memory`, and what is recomputed is beside the model's operations:

    $ reckon train gpt2 --tokens 1T --device h100 --mfu 40 | sed -n '/^Est/,$p'
    Estimates:
    If one h100-80gb reaches 40% of its fp32 peak of 67.0 TFLOP/s (dense, see 'reckon devices').
    The type is fp32, as 'reckon memory' has it where neither --dtype nor the config says 16 bits:
    --dtype bf16 would take 24.99 days.
    time                     369.0  days
    device-hours           8,856.1  hours
    energy of the devices      6.2  MWh
    Energy: if each device drew its rated 700 W throughout; hosts, network and cooling are not in it.
    $ reckon train llama-3.1-8b --tokens 1T --device h100 --mfu 40 --recompute full | sed -n '/FLOPs  /,/^6/p;/^If/,$p'
                                                           FLOPs              ratio
    a step, forward and backward             210,822,764,691,456   211 TFLOP
    a token                                       51,470,401,536  51.5 GFLOP
    the run                       51,470,401,536,000,000,000,000  51.5 ZFLOP  1.000
    with what is recomputed       67,576,528,896,000,000,000,000  67.6 ZFLOP  1.313
    6·N·D                         48,181,567,488,000,000,000,000  48.2 ZFLOP  0.936
    If one h100-80gb reaches 40% of its bf16 peak of 989 TFLOP/s (dense, see 'reckon devices').
    That is MFU, of the model's FLOPs; with what is recomputed, devices reach 52.52% (HFU).
    time                    1,505.3  days
    device-hours           36,126.3  hours
    energy of the devices      25.3  MWh
    Energy: if each device drew its rated 700 W throughout; hosts, network and cooling are not in it.
    $ reckon train llama-3.1-8b --tokens 1T --device h100 --mfu 90 --recompute full
    reckon: --mfu 90%: with what is recomputed, devices would reach 118.2 % of the rate
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon memory llama-3.1-8b --recompute full --json | grep recompute_flops
      "recompute_flops": 65970697666560,

FLOPs of a prompt and of one new token; the last is what a decoding step of `reckon memory` divides by its bytes:

    $ reckon flops gpt2 --phase prefill --depth 1
    gpt2: FLOPs of reading a prompt
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

            times            each          forward   share  formula of each
    layers     12  17,716,740,096  212,600,881,152   72.9%  24BSD² + 4BS²D
    head        1  79,047,426,048   79,047,426,048   27.1%  2BSDV
    ───────────────────────────────────────────────────────────────────────
    total                          291,648,307,200  100.0%

    forward = 24BSLD² + 4BS²LD + 2BSDV
            = 291,648,307,200   292 GFLOP

      B       1  sequences in the batch
      S   1,024  tokens of a sequence
      L      12  layers
      D     768  width
      V  50,257  vocabulary
    $ reckon flops gpt2 --phase decode T=512 --depth 1
    gpt2: FLOPs of a decoding step
    B = 1 sequences in the batch, S = 1 tokens of a sequence, T = 512 keys seen: cache and new
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

            times        each      forward   share  formula of each
    layers     12  15,728,640  188,743,680   71.0%  24BSD² + 4BSTD
    head        1  77,194,752   77,194,752   29.0%  2BSDV
    ───────────────────────────────────────────────────────────────
    total                      265,938,432  100.0%

    forward = 24BSLD² + 4BSTLD + 2BSDV
            = 265,938,432   266 MFLOP

      B       1  sequences in the batch
      S       1  tokens of a sequence
      T     512  keys seen: cache and new
      L      12  layers
      D     768  width
      V  50,257  vocabulary
    $ reckon memory gpt2 --phase decode T=512 --json | grep -o '"flops": [0-9]*'
    "flops": 265938432
    $ reckon flops gpt2 --phase decode --json | head -n 6
    {
      "version": 1,
      "model": "gpt2",
      "symbols": {"L": 12, "D": 768, "V": 50257, "N": 12, "H": 64, "F": 3072, "C": 1024, "B": 1, "S": 1, "T": 1024},
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "forward": {"total": 284812800, "formula": "24BSLD² + 4BSTLD + 2BSDV"},
    $ reckon flops gpt2 --phase decode --step
    reckon: --step: this is of a training step (--phase train)
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --phase decode --as palm
    reckon: --as palm counts a training step: leave out --phase
    reckon: 'reckon help flops' says how it is used
    [2]

Commands by other names, and after the model:

    $ reckon mem gpt2 | head -n 1
    gpt2: memory of a training step
    $ reckon gpt2-xl memory | head -n 1
    gpt2-xl: memory of a training step
    $ reckon gpt2 B=4 mem | sed -n 2p
    B = 4 sequences in the batch, S = 1,024 tokens of a sequence
    $ reckon parameters gpt2 | head -n 1
    gpt2: 124 million parameters
    $ reckon gpt2 param | head -n 1
    gpt2: 124 million parameters
    $ reckon help mem | head -n 1
    usage: reckon memory MODEL [SYMBOL=VALUE …] [OPTION …]
    $ reckon flop gpt2 | head -n 1
    gpt2: FLOPs of a forward and a backward pass
    $ reckon diff gpt2 gpt2-xl | head -n 1
    gpt2 and gpt2-xl
    $ cp $TOP/models/named/gpt2.json mem
    $ reckon mem | head -n 1
    mem: 124 million parameters
    $ rm mem

Names of tensors are chosen by another option than once:

    $ reckon params gpt2 --names checkpoint | sed -n 4,6p
                                    shape        count
    wte.weight               50,257 × 768   38,597,376
    wpe.weight                1,024 × 768      786,432
    $ reckon params gpt2 --layout checkpoint
    reckon: --layout checkpoint is now --names checkpoint
    reckon: 'reckon help params' says how it is used
    [2]
    $ reckon flops gpt2 --layout checkpoint
    reckon: --layout checkpoint is now --names checkpoint
    reckon: 'reckon help flops' says how it is used
    [2]

One stored size, wherever it is told:

    $ reckon params gpt-oss-120b | grep -A 1 Quantised
    Quantised by mxfp4, 4 bits, the rest in 16 bits, as the config does not say its type: 65,248,815,744
    bytes (65.2 GB), 4.47 bits a weight.
    $ reckon memory gpt-oss-120b --phase decode | grep '^weights  ' | head -n 1
    weights      65,248,880,640  65.2 GB  99.7%  ███████████████████████▉
    $ reckon gpt-oss-120b --json | grep checkpoint | grep -o '"bytes": 65[0-9]*'
    "bytes": 65248815744

Suggestions are right or absent:

    $ reckon memory gpt2 --bathc 4
    reckon: unknown option '--bathc'
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --wholly-unknown
    reckon: unknown option '--wholly-unknown'
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --optimiser adamw
    reckon: unknown option '--optimiser'; did you mean '--optimizer'?
    reckon: 'reckon help memory' says how it is used
    [2]

Sizes of the model, by the words of configs, where it has one of the kind:

    $ for w in layers=6 n_layers=6 --num-layers=6 '--n-layer 6' L=6; do reckon params gpt2 $w | sed -n 1p; done
    gpt2: 81.9 million parameters
    gpt2: 81.9 million parameters
    gpt2: 81.9 million parameters
    gpt2: 81.9 million parameters
    gpt2: 81.9 million parameters
    $ reckon params gpt2 n_embd=512 heads=8 vocab_size=1000 | sed -n 1p
    gpt2: 38.9 million parameters
    $ reckon flops llava-1.5-7b layers=3
    reckon: 'layers' of llava-1.5-7b may be Lv (image layers) or L (text layers): say it by its letter
    [1]
    $ reckon params whisper-tiny heads=2
    reckon: 'heads' of whisper-tiny may be Ne (encoder heads) or N (decoder heads): say it by its letter
    [1]
    $ reckon params llama-3.1-8b experts=4
    reckon: llama-3.1-8b has no symbol 'experts'; it has: L D V N K G H F B S T
    [1]
    $ reckon params gpt2 layers=6 L=8
    reckon: L is set twice
    reckon: 'reckon help params' says how it is used
    [2]
    $ reckon sweep gpt2 layers=6,12 --of params | head -n 1
    gpt2: parameters over L

Adapters of a rank that is said beside a recipe:

    $ for w in '--lora 8 --qlora' '--qlora --lora 8' '--qlora --lora=8' '--qlora 8' '--lora 8 --weights nf4'; do
    > reckon memory cs336-xl-plain $w --json | grep -o '"peak": [0-9]*' | head -n 1; done
    "peak": 10569420288
    "peak": 10569420288
    "peak": 10569420288
    "peak": 10569420288
    "peak": 10569420288
    $ reckon memory cs336-xl-plain --lora 8 --lora 4
    reckon: --lora is given twice
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --recipe lora --targets c_attn | sed -n 1p
    gpt2: memory of a training step

What is of other commands is answered with the line to type:

    $ for w in 8xh100 h100 fsdp 80GB '--device 80GB' '--devices 8' '--tokens 1e12' '--tp 8' '--mfu 40'; do
    > reckon memory gpt2 B=4 --lora 8 --details $w 2>&1 | head -n 1; done
    reckon: 8xh100 is --devices 8 --device h100, of fit, step, ranks, train; memory does not take it, but 'reckon fit gpt2 B=4 --lora 8 --details 8xh100' does
    reckon: h100 is --device h100, of fit, step, ranks, train; memory does not take it, but 'reckon fit gpt2 B=4 --lora 8 --details h100' does
    reckon: fsdp is said with a number of devices, in a layout: --layout fsdp=8
    reckon: --within finds B: leave out B=4; whether that fits: 'reckon fit gpt2 B=4 --lora 8 --details 80GB'
    reckon: --device is of fit, step, ranks, train; memory does not take it, but 'reckon fit gpt2 B=4 --lora 8 --details --device 80GB' does
    reckon: --devices is for the rules of others (--as); what each of several holds: 'reckon fit gpt2 B=4 --lora 8 --details --devices 8 --device h100-80gb'
    reckon: --tokens is of train; memory does not take it, but 'reckon train gpt2 B=4 --lora 8 --tokens 1e12' does
    reckon: tp=8: N = 12 (heads) does not divide by that; tp=6 or tp=12 would
    reckon: --mfu is of flops, train; memory does not take it
    $ for c in flops report; do for w in 8xh100 fsdp 80GB; do reckon $c gpt2 $w 2>&1 | head -n 1; done; done
    reckon: 8xh100 is --devices 8 --device h100, of fit, step, ranks, train; flops does not take it, but 'reckon fit gpt2 8xh100' does
    reckon: fsdp is said with a number of devices, in a layout: --layout fsdp=8
    reckon: 80GB is --memory 80GB, of fit; flops does not take it, but 'reckon fit gpt2 80GB' does
    reckon: 8xh100 is --devices 8 --device h100, of fit, step, ranks, train; report does not take it, but 'reckon fit gpt2 8xh100' does
    reckon: fsdp is said with a number of devices, in a layout: --layout fsdp=8
    reckon: 80GB is --memory 80GB, of fit; report does not take it, but 'reckon fit gpt2 80GB' does
    $ reckon compare gpt2 gpt2-xl 8xh100
    reckon: 8xh100 is --devices 8 --device h100, of fit, step, ranks, train; compare does not take it
    reckon: 'reckon help compare' says how it is used
    [2]
    $ reckon sweep gpt2 S=128,256 8xh100 --of flops
    reckon: 8xh100 is --devices 8 --device h100, of fit, step, ranks, train; sweep does not take it
    reckon: 'reckon help sweep' says how it is used
    [2]
    $ reckon gpt2 8xh100
    reckon: 8xh100 is --devices 8 --device h100, of fit, step, ranks, train; reckon MODEL does not take it, but 'reckon fit gpt2 8xh100' does
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon train gpt2 fsdp --tokens 1B
    reckon: fsdp is said with a number of devices, in a layout: --layout fsdp=8
    reckon: 'reckon help train' says how it is used
    [2]

Hints are right or absent:

    $ reckon models list
    reckon: no model is called 'list' ('reckon models' lists them)
    [1]
    $ reckon mdoels
    reckon: no command is called 'mdoels'; did you mean 'models'?
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon memory gpt2 --reciep mixed
    reckon: unknown option '--reciep'; did you mean '--recipe'?
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --dtype bf61
    reckon: --dtype is not 'bf61' but one of fp32|tf32|bf16|fp16|fp8; did you mean 'bf16'?
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon lama-3-8b
    reckon: no model is called 'lama-3-8b'; did you mean 'llama-3-8b'?
    [1]
    $ reckon train gpt2 --tokens 1B --device hh100
    reckon: no device is called 'hh100'; did you mean 'h100-80gb'? ('reckon devices' lists them)
    [1]

Stored formats that are one type, and names of files that mix several:

    $ for w in Q4_K q6_k q8_0 iq4_xs mxfp4 int4 4bit; do reckon memory llama-3.1-8b --phase decode --weights $w | sed -n 4p; done
    transformers 5.17.
    transformers 5.17.
    transformers 5.17.
    transformers 5.17.
    transformers 5.17.
    transformers 5.17.
    transformers 5.17.
    $ for w in Q4_K_M q5_k_m q3_k_l q2_k_s awq GPTQ; do reckon memory llama-3.1-8b --phase decode --weights $w 2>&1 | head -n 1; done
    reckon: --weights Q4_K_M: a file of that name has a type for each tensor (q4_k, and q5_k or q6_k where it matters most): --weights q4_k is the nearest of one type, and a .gguf file as MODEL has its own bytes
    reckon: --weights q5_k_m: a file of that name has a type for each tensor (q5_k, and q6_k where it matters most): --weights q5_k is the nearest of one type, and a .gguf file as MODEL has its own bytes
    reckon: --weights q3_k_l: a file of that name has a type for each tensor (q3_k, and q4_k to q6_k where it matters most): --weights q3_k is the nearest of one type, and a .gguf file as MODEL has its own bytes
    reckon: --weights q2_k_s: a file of that name has a type for each tensor (q2_k, and q3_k to q6_k where it matters most): --weights q2_k is the nearest of one type, and a .gguf file as MODEL has its own bytes
    reckon: --weights awq: a config with such a quantization_config is counted as it is stored; --weights int4 is the nearest of one type
    reckon: --weights GPTQ: a config with such a quantization_config is counted as it is stored; --weights int4 is the nearest of one type
    $ for w in --qlora '--qlora --lora 8' '--lora 8'; do reckon flops gpt2 $w | grep -A 1 '^step'; done
    step     = 48BSLD² - 6BSD² + 12BS²LD + 24BSrLD - 2BSrD + 4BSDV
             = 621,926,154,240   622 GFLOP
    step     = 48BSLD² - 6BSD² + 12BS²LD + 24BSrLD - 2BSrD + 4BSDV
             = 620,126,797,824   620 GFLOP
    step     = 48BSLD² - 6BSD² + 12BS²LD + 24BSrLD - 2BSrD + 4BSDV
             = 620,126,797,824   620 GFLOP
