Runtimes.  Megatron's distributed optimizer has 6 bytes for each parameter and 12 among the copies:

    $ reckon memory llama-2-7b S=1024 --layout ddp=8,zero1 --runtime megatron --format json | grep -E '"(parameters|gradients|optimizer)": [0-9]*,$'
      "parameters": 13476831232,
      "gradients": 26953662464,
      "optimizer": 10107623424,
    $ reckon memory llama-2-7b S=1024 --layout ddp=8,zero1 --runtime megatron | grep '^opt'
    optimizer state           10,110,369,792  10.1 GB  18.1%  ████▍
    opt   reduce_scatter  fp32  6,738,415,616  ddp    8      1  26,953,662,464  ddp·⌈128·⌈(2LD²N + 2LD²K
    opt   all_gather      bf16  6,738,415,616  ddp    8      1  13,476,831,232  ddp·⌈128·⌈(2LD²N + 2LD²K

Its vocabulary is padded to 128 for each device, and key heads that are fewer than these are copied:

    $ reckon params gpt2 --layout tp=2 --runtime megatron | grep -E 'wte'
      transformer.wte.weight     25,216 × 768  19,365,888      1  19,365,888   30.9%  D·V/tp
    $ reckon params llama-3.1-8b --layout tp=16 --runtime megatron | grep k_proj
        .self_attn.k_proj.weight            128 × 4,096     32   16,777,216    3.2%  D·K·H/tp
    $ reckon params llama-3.1-8b --layout tp=16 2>&1 | head -n 1
    reckon: tp=16: K = 8 (key/value heads) does not divide by that; tp=8 would

What is recomputed of layers, by module and by kind of operation:

    $ reckon memory llama-2-7b S=1024 --layout ddp=8,zero1 --runtime megatron --recompute-modules layernorm,mlp --details | grep '^saved for backward  ' | tail -n 1
    saved for backward   1,697,657,344  1.70 GB  (8 terms)
    $ reckon memory llama-2-7b S=1024 --layout ddp=8,zero1 --runtime megatron --details | grep '^saved for backward  ' | tail -n 1
    saved for backward   4,399,051,264  4.40 GB  (10 terms)
    $ reckon memory llama-2-7b --dtype bf16 S=1024 --recompute ops --details | grep -E 'q_proj|k_proj|gate_proj|up_proj|attention of q' | head -n 4
    model.layers.{i}.self_attn.q_proj.weight          gradient      33,554,432     32   1,073,741,824
    model.layers.{i}.self_attn.k_proj.weight          gradient      33,554,432     32   1,073,741,824
    model.layers.{i}.mlp.gate_proj.weight             gradient      90,177,536     32   2,885,681,152
    model.layers.{i}.mlp.up_proj.weight               gradient      90,177,536     32   2,885,681,152
    $ reckon memory llama-2-7b --recompute-modules router
    reckon: --recompute-modules is not 'router' but one of core_attn|layernorm|mla_up_proj|mlp|moe|moe_act|shared_experts
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --recompute full --recompute-modules mlp
    reckon: --recompute-modules says what is recomputed: --recompute full says another thing
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --recompute-modules moe
    reckon: gpt2 has nothing of what is to be recomputed
    [1]

DeepSpeed's third stage has 16 bytes for each parameter among its devices:

    $ reckon memory llama-2-7b S=1024 --layout ddp=8,zero3 --runtime deepspeed --dtype bf16 --format json | grep -E '"(parameters|gradients|optimizer)": [0-9]*,$'
      "parameters": 1684603904,
      "gradients": 1684603904,
      "optimizer": 10107623424,
    $ reckon memory llama-2-7b --layout ddp=8,zero3
    reckon: --layout: zero3 is a word of DeepSpeed: add --runtime deepspeed, or say fsdp=8 in place of ddp=8
    reckon: 'reckon help memory' says how it is used
    [2]

What the host holds:

    $ reckon memory llama-2-7b --dtype bf16 S=1024 --offload optimizer,gradients | grep -A1 'host holds'
    The host holds 40,430,493,696 bytes: optimizer state 27.0 GB, gradients of weights 13.5 GB. In a
    step 13.5 GB go there, and 13.5 GB come back.
    $ reckon memory llama-2-7b --dtype bf16 S=1024 --offload activations | grep -A1 'host holds'
    The host holds 6,111,363,584 bytes: saved for backward, in layers 6.11 GB. In a step 6.11 GB go
    there, and 6.11 GB come back.
    $ reckon memory llama-2-7b S=1024 --layout ddp=8,zero2 --runtime deepspeed --dtype bf16 --offload optimizer,gradients | grep -A1 'host holds'
    The host holds 11,792,227,328 bytes: optimizer state 10.1 GB, gradients of weights 1.68 GB. In a
    step 1.68 GB go there, and 1.68 GB come back.
    $ reckon memory llama-2-7b --layout fsdp=8 --offload optimizer,gradients,weights S=1024 | grep -A1 'host holds'
    The host holds 13,476,831,232 bytes: optimizer state 6.74 GB, gradients of weights 3.37 GB, weights,
    in pieces 3.37 GB. In a step 3.37 GB go there, and 6.61 GB come back.
    $ reckon memory gpt2 --offload weights
    reckon: --offload weights: pieces of them are held so, and gathered: add --layout fsdp=8
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout ddp=8 --offload gradients
    reckon: --offload gradients: here they lie in buckets, or whole, on the device; fsdp=8 and DeepSpeed's zero2 move them
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --layout pp=2 --offload activations
    reckon: --offload activations: this is not known of a pipeline
    reckon: 'reckon help memory' says how it is used
    [2]
