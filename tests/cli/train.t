A run by tokens, which are decimal:

    $ reckon train llama-3.1-8b --tokens 15T --device h100-80gb --devices 512 --mfu 40%
    llama-3.1-8b: a training run
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    15,000,000,000,000 tokens (15.0 trillion) in sequences of 4,096; B divides out.

                                                            FLOPs              ratio
    a step, forward and backward              210,822,764,691,456   211 TFLOP
    a token                                        51,470,401,536  51.5 GFLOP
    the run                       772,056,023,040,000,000,000,000   772 ZFLOP  1.000
    6·N·D                         722,723,512,320,000,000,000,000   723 ZFLOP  0.936
    6·N·D takes N = 8,030,261,248 parameters, also those that are looked up or added and never
    multiplied, each once forward and twice backward; products of two activations (attention: 12.5% of
    the run) are not in it.

    Estimates:
    If each of 512 h100-80gb reaches 40% of its bf16 peak of 989 TFLOP/s (dense, see 'reckon devices').
    time                        44.1  days
    device-hours           541,894.1  hours
    energy of the devices      379.3  MWh
    Energy: if each device drew its rated 700 W throughout; hosts, network and cooling are not in it.
    $ reckon train llama-3.1-8b --tokens 300B | head -n 6
    llama-3.1-8b: a training run
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    300,000,000,000 tokens (300 billion) in sequences of 4,096; B divides out.

By steps; the days are those of an account by hand, gated and with two matrices:

    $ reckon train cs336-xl --steps 400000 B=1024 S=1024 --device a100-80gb --dtype fp32 --mfu 50% | grep days
    time                     6,583.6  days
    $ reckon train cs336-xl-plain --steps 400000 B=1024 S=1024 --device a100-80gb --dtype fp32 --mfu 50% | grep days
    time                     5,115.2  days
    $ reckon train cs336-xl --steps 400000 B=1024 S=1024 --rate 19.5TFLOP/s --mfu 50% | grep -e If -e days
    If one device reaches 50% of 19.5 TFLOP/s.
    time            6,583.6  days

Over a mesh of devices, whose ranks stand beside the run; a step has a batch of each that has its own:

    $ reckon train llama-3.1-70b --tokens 15T --layout fsdp=64,tp=8,sp --recompute full --device h100-80gb --mfu 40%
    llama-3.1-70b: a training run
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    15,000,000,000,000 tokens (15.0 trillion) in 57,220,459 steps of 262,144.

                                                              FLOPs              ratio
    a step, forward and backward            117,760,993,869,692,928   118 PFLOP
    a token                                         449,222,541,312   449 GFLOP
    the run                       6,738,338,119,680,000,000,000,000  6.74 YFLOP  1.000
    with what is recomputed       8,952,930,631,680,000,000,000,000  8.95 YFLOP  1.329
    6·N·D                         6,349,833,584,640,000,000,000,000  6.35 YFLOP  0.942
    6·N·D takes N = 70,553,706,496 parameters, also those that are looked up or added and never
    multiplied, each once forward and twice backward; products of two activations (attention: 7.2% of
    the run) are not in it.

    Over 512 devices: fsdp 64 × tp 8, sp; 64 batches of B sequences in a step.

    What each rank computes, holds and sends in a step:
    ranks  layers      FLOPs  weights  gradients  optimizer    saved     peak                      sends
    0–511      80  230 TFLOP   551 MB     551 MB    1.10 GB  2.86 GB  10.6 GB  ██▏                122 GB
    H100 SXM5 80GB has 84.2 GB for tensors: every rank fits.

    Estimates:
    If each of 512 h100-80gb reaches 40% of its bf16 peak of 989 TFLOP/s (dense, see 'reckon devices').
    That is MFU, of the model's FLOPs; with what is recomputed, devices reach 53.15% (HFU).
    time                         384.9  days
    a step                       0.581  seconds
    device-hours           4,729,534.5  hours
    energy of the devices      3,310.7  MWh
    Energy: if each device drew its rated 700 W throughout; hosts, network and cooling are not in it.
    $ reckon train gpt2-xl --steps 100 --layout pp=4,fsdp=2 --micro 8 --recipe bf16 --device a100-80gb --mfu 40%
    gpt2-xl: a training run
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    1,638,400 tokens (1.64 million) in 100 steps of 16,384.

                                                   FLOPs              ratio
    a step, forward and backward     168,321,771,110,400   168 TFLOP
    a token                               10,273,545,600  10.3 GFLOP
    the run                       16,832,177,111,040,000  16.8 PFLOP  1.000
    6·N·D                         15,311,941,140,480,000  15.3 PFLOP  0.910
    6·N·D takes N = 1,557,611,200 parameters, also those that are looked up or added and never
    multiplied, each once forward and twice backward; products of two activations (attention: 9.2% of
    the run) are not in it.

    Over 8 devices: pp 4 × fsdp 2; 16 batches of B sequences in a step.

    What each rank computes, holds and sends in a step:
    ranks  stage  layers       FLOPs  weights  gradients  optimizer    saved     peak              sends
      0–1      0      12  20.1 TFLOP   451 MB     451 MB     902 MB  1.10 GB  7.12 GB  ▋         3.88 GB
      2–3      1      12  20.1 TFLOP   369 MB     369 MB     738 MB  1.10 GB  5.45 GB  ▌         3.74 GB
      4–5      2      12  20.1 TFLOP   369 MB     369 MB     738 MB  1.10 GB  4.35 GB  ▍         3.74 GB
      6–7      3      12  24.0 TFLOP   449 MB     449 MB     899 MB  1.31 GB  5.24 GB  ▌         3.88 GB
    A100 SXM4 80GB has 84.2 GB for tensors: every rank fits.
    The busiest rank has 24.0 TFLOP to do in a step, where an even share is 21.0 TFLOP, and the pipeline
    fills and drains (27.27% of a step): if all wait, at most 63.75% of the rate is the model's.

    Estimates:
    If each of 8 a100-80gb reaches 40% of its bf16 peak of 312 TFLOP/s (dense, see 'reckon devices').
    time                   0.000195  days
    a step                    0.169  seconds
    device-hours             0.0375  hours
    energy of the devices   1.5e-05  MWh
    Energy: if each device drew its rated 400 W throughout; hosts, network and cooling are not in it.
    $ reckon train gpt2-xl --steps 100 --layout pp=4,fsdp=2 --micro 8 --format json | sed -n '/"layout"/,$p'
      "layout": {"axes": {"pp": 4, "fsdp": 2}, "rank": 0, "runtime": "torch", "devices": 8},
      "batches_per_step": 16,
      "mfu_at_most": 0.6374629456,
      "ranks": [
        {"ranks": "0–1", "stage": 0, "layers": 12, "flops": 20052128563200, "parameters": 901881600, "gradients": 901881600, "optimizer": 1803763200, "saved": 1102446784, "peak": 9439051776, "during": "the backward pass", "sent": 4330153600},
        {"ranks": "2–3", "stage": 1, "layers": 12, "flops": 20052128563200, "parameters": 737779200, "gradients": 737779200, "optimizer": 1475558400, "saved": 1102430400, "peak": 7363704832, "during": "the backward pass", "sent": 4110214400},
        {"ranks": "4–5", "stage": 2, "layers": 12, "flops": 20052128563200, "parameters": 737779200, "gradients": 737779200, "optimizer": 1475558400, "saved": 1102430400, "peak": 6261268480, "during": "the backward pass", "sent": 4110214400},
        {"ranks": "6–7", "stage": 3, "layers": 12, "flops": 24004499865600, "parameters": 898611200, "gradients": 898611200, "optimizer": 1797222400, "saved": 1314853068, "peak": 8505674240, "during": "the backward pass", "sent": 4325248000}
      ]
    }
    $ reckon train gpt2 --tokens 1G --accumulate 4 --layout ddp=2 | grep -e '^1,000' -e '^Over'
    1,000,000,000 tokens (1.00 billion) in 122,071 steps of 8,192.
    Over 2 devices: ddp 2; 8 batches of B sequences in a step.
    $ reckon train gpt2 --tokens 1G --layout ddp=2 --devices 4 --device h100
    reckon: --devices 4: the layout has 2
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 --tokens 1G --layout tp=5
    reckon: tp=5: N = 12 (heads) does not divide by that; tp=4 or tp=6 would
    [1]

'reckon flops' says the same:

    $ reckon flops cs336-xl B=1024 S=1024 --steps 400000 --rate 19.5TFLOP/s --mfu 50% | grep days
    400,000 steps at 19.5 TFLOP/s, of which 50% are reached, take 6,583.6 days (an estimate).

Experts: the rule with all parameters, and with those that a token uses.

    $ reckon train deepseek-v3 --tokens 14.8T --device h800 --devices 2048 --mfu 35%
    deepseek-v3: a training run
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    14,800,000,000,000 tokens (14.8 trillion) in sequences of 4,096; B divides out.

                                                                   FLOPs               ratio
    a step, forward and backward                   1,151,599,380,529,152  1.15 PFLOP
    a token                                              281,152,192,512   281 GFLOP
    the run                            4,161,052,449,177,600,000,000,000  4.16 YFLOP   1.000
    6·N·D, N all parameters           59,587,144,706,457,600,000,000,000  59.6 YFLOP  14.320
    6·N·D, N those that a token uses   3,334,642,697,011,200,000,000,000  3.33 YFLOP   0.801
    6·N·D takes N = 37,552,282,624 parameters that a token uses, also those that are looked up or added
    and never multiplied, each once forward and twice backward; products of two activations (attention:
    21.8% of the run) are not in it.

    Estimates:
    If each of 2,048 h800 reaches 35% of its bf16 peak of 989 TFLOP/s (dense, see 'reckon devices').
    time                 67.9  days
    device-hours  3,339,153.3  hours
    $ reckon train deepseek-v3 --tokens 14.8T --device h800 --devices 2048 --mfu 35% --format json
    {
      "version": 1,
      "model": "deepseek-v3",
      "notes": ["Published files hold one more layer, which predicts the token after next; it is not counted, as the reference implementation leaves it out (mtp=with counts it)."],
      "symbols": {"L": 61, "D": 7168, "V": 129280, "N": 128, "Q": 1536, "C": 512, "P": 128, "R": 64, "W": 128, "F": 18432, "M": 2048, "E": 256, "A": 8, "X": 1, "Y": 3, "B": 1, "S": 4096, "T": 4096},
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "tokens": 14800000000000,
      "steps": 3613281250,
      "tokens_per_step": 4096,
      "step_flops": 1151599380529152,
      "flops": 4161052449177600000000000,
      "attention_step_flops": 251513284853760,
      "6nd": {"parameters": 671026404352, "flops": 59587144706457600000000000, "active_parameters": 37552282624, "active_flops": 3334642697011200000000000, "ratio": 14.32020996},
      "time": {"device": "h800", "devices": 2048, "type": "bf16", "rate": 989000000000000, "mfu": 0.35, "seconds": 5869605.348, "days": 67.93524708, "device_hours": 3339153.265, "estimate": true}
    }

Only what the mask allows; an adapter alone:

    $ reckon train llama-3.1-8b --tokens 15T --causal exact | grep -e '^a token' -e '^the run  '
    a token                                        48,249,962,496  48.2 GFLOP
    the run                       723,749,437,440,000,000,000,000   724 ZFLOP  1.000
    $ reckon train llama-3.1-8b --tokens 1B --lora 16 | grep -e '^the run  ' -e Trained
    the run                       36,417,830,912,000,000,000  36.4 EFLOP  1.000
    Trained are 6,815,744 of them: the others need no gradient of their own.

Programs:

    $ reckon train gpt2 --tokens 10B --device a100 --mfu 30% B=512 --format csv
    what,flops,ratio
    "a step, forward and backward",447971799859200,
    a token,854438400,
    the run,8544384000000000000,1.000
    6·N·D,7466388480000000000,0.874
    
    estimate,value,unit
    time,16.9048433,days
    a step,76.57431381,seconds
    device-hours,405.7162393,hours
    energy of the devices,0.1622864957,MWh

What is wrong:

    $ reckon train gpt2
    reckon: how long? either --tokens 15T or --steps 400000
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 --tokens 0
    reckon: --tokens: '0' is no number of tokens, such as 15T or 300B
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 --tokens many
    reckon: --tokens: 'many' is no number of tokens, such as 15T or 300B
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 --tokens 1T --steps 5
    reckon: how long? either --tokens 15T or --steps 400000
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 --tokens 1T --device h100 --mfu 0%
    reckon: --mfu: '0%' is no share, such as 50% or 0.5
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 --tokens 1T --device h100 --mfu 101%
    reckon: --mfu: '101%' is no share, such as 50% or 0.5
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 --tokens 1T --device h100 --devices 0
    reckon: --devices is not '0' but a whole number from 1 to ten million
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 --tokens 1T --device hh100
    reckon: no device is called 'hh100'; did you mean 'h100-80gb'? ('reckon devices' lists them)
    [1]
    $ reckon train gpt2 --tokens 1T --device a100 --dtype fp8
    reckon: no source has a rate of a100-80gb in fp8, but in fp32, tf32, bf16, fp16, int8 (--dtype), or say a --rate
    [1]
    $ reckon train gpt2 --tokens 1T --device m3
    reckon: no source has a rate of m3 in fp32: say a --rate
    [1]
    $ reckon train gpt2 --tokens 1T --mfu 40%
    reckon: on what? --device h100-80gb ('reckon devices' lists them), or a --rate
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 --tokens 1T --device h100 --rate 1TFLOP/s
    reckon: --rate stands for a device: leave out --device, or --rate
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 --tokens 9999999999999999999999999999999999999999999T
    reckon: --tokens: '9999999999999999999999999999999999999999999T' is too large
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train gpt2 --tokens 15T --device v100 --dtype bf16
    reckon: no source has a rate of v100-16gb in bf16, but in fp32, fp16 (--dtype), or say a --rate
    [1]
    $ reckon train gpt2 --tokens 15T --device v100 --dtype fp16 | grep peak
    If one v100-16gb reaches 100% of its fp16 peak of 125 TFLOP/s (dense, see 'reckon devices'); nobody
    $ reckon train gpt2 --tokens 15T --device tpu-v4 --dtype fp16
    reckon: no source has a rate of tpu-v4 in fp16, but in bf16, int8 (--dtype), or say a --rate
    [1]
    $ reckon train gpt2 --tokens 1T --dtype bf16
    reckon: --dtype chooses a rate of a --device
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon train vit --tokens 1T
    reckon: vit has no S by which tokens could be counted: say how many --steps
    [1]
    $ reckon train gpt2 --steps 9223372036854775807 B=9223372036854775807 S=1000
    reckon: the operations of such a run exceed 128 bits
    [1]

A recipe says the type whose rate counts, and adapters:

    $ for r in fp32 mixed bf16 megatron lora qlora; do echo $r; reckon train llama-3.1-8b --tokens 1B --device h100 --recipe $r --json |
    > grep -oE '"(type|step)": ("[a-z0-9]*"|[0-9]+)' | tr '\n' ' '; echo; done
    fp32
    "type": "fp32"
    mixed
    "type": "bf16"
    bf16
    "type": "bf16"
    megatron
    "type": "bf16"
    lora
    "type": "bf16"
    qlora
    "type": "bf16"
    $ for w in '--recipe lora' '--lora 16' '--qlora' '--recipe qlora --lora 16'; do reckon train llama-3.1-8b --tokens 1B $w | grep 'forward and backward  '; done
    a step, forward and backward         149,167,435,415,552   149 TFLOP
    a step, forward and backward         149,167,435,415,552   149 TFLOP
    a step, forward and backward         149,167,435,415,552   149 TFLOP
    a step, forward and backward         149,167,435,415,552   149 TFLOP
    $ reckon train llama-3.1-8b --tokens 1B --device h100 --recipe fp32 --dtype tf32 | grep -o 'its [a-z0-9]* peak'
    its tf32 peak
    $ reckon train gpt2 --tokens 1B --recipe mixd
    reckon: --recipe is not 'mixd' but one of fp32|mixed|bf16|megatron|lora|qlora; did you mean 'mixed'?
    reckon: 'reckon help train' says how it is used
    [2]
