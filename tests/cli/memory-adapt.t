Adapters beside some linear layers: everything else is frozen, and what is kept follows.

    $ reckon memory qwen3-8b --lora 16 --targets q,v --weights nf4 --attention flash --recompute full B=2 --details | sed -n 1,12p
    qwen3-8b: memory of a training step
    B = 2 sequences in the batch, S = 4,096 tokens of a sequence
    Assumed: --dtype bf16 (weights; adapters, their gradients and states in fp32), --weights nf4,
    --optimizer adamw, --attention sdpa, --recompute full, --loss ce, --dropout 0; as PyTorch 2.11 with
    transformers 5.17.
    Linear layers and experts are stored as nf4, other weights in 2 bytes.
    Trained: 7,667,712 of 8,198,403,072 parameters.

    Alive at the peak, in the backward pass, at loss.log_softmax:
                                       bytes           share
    weights                    6,427,619,328  6.43 GB  24.2%  █████▉
    optimizer state               61,415,424  61.4 MB   0.2%  ▏

What is trained of it.

    $ reckon params gpt2 --lora 8 --depth 2
    gpt2: 125 million parameters
    learned positions, biases, weights stored [in out], fused query, key and value, tied head

                                      shape       count  times        total   share  formula
    embed                                    39,383,808      1   39,383,808   31.6%  DV + DC
      transformer.wte.weight   50,257 × 768  38,597,376      1   38,597,376   30.9%  not trained
      transformer.wpe.weight    1,024 × 768     786,432      1      786,432    0.6%  not trained
    layers[0]                                 7,112,448      1    7,112,448    5.7%  12D² + 4rD + 13D
      attention                               2,388,480      1    2,388,480    1.9%  4D² + 4rD + 6D
      ffn                                     4,723,968      1    4,723,968    3.8%  8D² + 7D
    layers[1-11]                              7,112,448     11   78,236,928   62.7%  12D² + 4rD + 13D
      attention                               2,388,480     11   26,273,280   21.1%  4D² + 4rD + 6D
      ffn                                     4,723,968     11   51,963,648   41.7%  8D² + 7D
    head                                          1,536      1        1,536    0.0%  2D
      transformer.ln_f.weight           768         768      1          768    0.0%  not trained
      transformer.ln_f.bias             768         768      1          768    0.0%  not trained
      lm_head.weight           50,257 × 768           0      1            0    0.0%  tied to
                                                                                     transformer.wte.
                                                                                     weight
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    total                                                       124,734,720  100.0%

    stored  = 12LD² + 4rLD + 13LD + DV + DC + 2D
            = 124,734,720
    named   = 12LD² + 4rLD + 13LD + 2DV + DC + 2D
            = 163,332,096   tied tensors under each of their names
    trained = 4rLD
            = 294,912   what has a gradient

      r       8  rank of the adapters
      L      12  layers
      D     768  width
      V  50,257  vocabulary
      C   1,024  learned positions

    $ reckon params gpt2 --lora 8 --all --format json | head -c 700
    {
      "version": 1,
      "model": "gpt2",
      "parameters": {"stored": 124734720, "named": 163332096, "active": 124734720, "trained": 294912},
      "formula": "12LD² + 4rLD + 13LD + DV + DC + 2D",
      "tensors": [
        {"name": "transformer.wte.weight", "shape": [50257, 768], "count": 38597376},
        {"name": "transformer.wpe.weight", "shape": [1024, 768], "count": 786432},
        {"name": "transformer.h.0.ln_1.weight", "shape": [768], "count": 768},
        {"name": "transformer.h.0.ln_1.bias", "shape": [768], "count": 768},
        {"name": "transformer.h.0.attn.c_attn.weight", "shape": [768, 2304], "count": 1769472},
        {"name": "transformer.h.0.attn.c_attn.lora_A.default.weight", "shape": [8, 768], "count": 61

Products with adapters: each is a row of its own, and the first layer needs fewer gradients.

    $ reckon flops qwen3-0.6b --lora 16 --targets q,v --as torch
    qwen3-0.6b: FLOPs of a forward and a backward pass
    B = 1 sequences in the batch, S = 4,096 tokens of a sequence
    Counted: what the FLOP counter of PyTorch sees (--count); a multiply and its add are two (--unit);
    masked attention as the full square (--causal).

                  times               each            forward   share  formula of each
    embed.table       1            524,288            524,288    0.0%  2S·⌈H/2⌉
    layers[0]         1    266,959,060,992    266,959,060,992    3.1%  (7 terms)
      attention       1    189,649,649,664    189,649,649,664    2.2%  4BS²NH + 2BSrNH + 2BSrKH + 4BSrD
                                                                         + 4BSDNH + 4BSDKH
        q             1     17,179,869,184     17,179,869,184    0.2%  2BSDNH
        q.lora_A      1        134,217,728        134,217,728    0.0%  2BSrD
        q.lora_B      1        268,435,456        268,435,456    0.0%  2BSrNH
        k             1      8,589,934,592      8,589,934,592    0.1%  2BSDKH
        v             1      8,589,934,592      8,589,934,592    0.1%  2BSDKH
        v.lora_A      1        134,217,728        134,217,728    0.0%  2BSrD
        v.lora_B      1        134,217,728        134,217,728    0.0%  2BSrKH
        scores        1     68,719,476,736     68,719,476,736    0.8%  2BS²NH
        context       1     68,719,476,736     68,719,476,736    0.8%  2BS²NH
        output        1     17,179,869,184     17,179,869,184    0.2%  2BSDNH
      ffn             1     77,309,411,328     77,309,411,328    0.9%  6BSDF
        gate          1     25,769,803,776     25,769,803,776    0.3%  2BSDF
        up            1     25,769,803,776     25,769,803,776    0.3%  2BSDF
        down          1     25,769,803,776     25,769,803,776    0.3%  2BSDF
    layers[1-27]     27    266,959,060,992  7,207,894,646,784   82.4%  (7 terms)
      attention      27    189,649,649,664  5,120,540,540,928   58.5%  4BS²NH + 2BSrNH + 2BSrKH + 4BSrD
                                                                         + 4BSDNH + 4BSDKH
        q            27     17,179,869,184    463,856,467,968    5.3%  2BSDNH
        q.lora_A     27        134,217,728      3,623,878,656    0.0%  2BSrD
        q.lora_B     27        268,435,456      7,247,757,312    0.1%  2BSrNH
        k            27      8,589,934,592    231,928,233,984    2.7%  2BSDKH
        v            27      8,589,934,592    231,928,233,984    2.7%  2BSDKH
        v.lora_A     27        134,217,728      3,623,878,656    0.0%  2BSrD
        v.lora_B     27        134,217,728      3,623,878,656    0.0%  2BSrKH
        scores       27     68,719,476,736  1,855,425,871,872   21.2%  2BS²NH
        context      27     68,719,476,736  1,855,425,871,872   21.2%  2BS²NH
        output       27     17,179,869,184    463,856,467,968    5.3%  2BSDNH
      ffn            27     77,309,411,328  2,087,354,105,856   23.9%  6BSDF
        gate         27     25,769,803,776    695,784,701,952    8.0%  2BSDF
        up           27     25,769,803,776    695,784,701,952    8.0%  2BSDF
        down         27     25,769,803,776    695,784,701,952    8.0%  2BSDF
    head.logits       1  1,274,531,545,088  1,274,531,545,088   14.6%  2BSDV
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    total                                   8,749,385,777,152  100.0%
    (no room here for: backward)

    forward  = 4BS²LNH + 2BSrLNH + 2BSrLKH + 4BSrLD + 4BSLDNH + 4BSLDKH + 6BSLDF + 2BSDV + 2S·⌈H/2⌉
             = 8,749,385,777,152   8.75 TFLOP
    backward = 8BS²LNH - 2BS²NH + 4BSrLNH + 4BSrLKH + 8BSrLD - 4BSrD + 4BSLDNH + 4BSLDKH + 6BSLDF
                 - 2BSDNH - 4BSDKH + 2BSDV
             = 12,513,118,781,440   12.5 TFLOP
    step     = 12BS²LNH - 2BS²NH + 6BSrLNH + 6BSrLKH + 12BSrLD - 4BSrD + 8BSLDNH + 8BSLDKH + 12BSLDF
                 - 2BSDNH - 4BSDKH + 4BSDV + 2S·⌈H/2⌉
             = 21,262,504,558,592   21.3 TFLOP

      B        1  sequences in the batch
      S    4,096  tokens of a sequence
      r       16  rank of the adapters
      L       28  layers
      D    1,024  width
      V  151,936  vocabulary
      N       16  query heads
      K        8  key/value heads
      H      128  head width
      F    3,072  FFN width

Frozen parts, by the path of a part, by the name of a layer, by a pattern.

    $ reckon params gpt2 --freeze embed --depth 1
    gpt2: 124 million parameters
    learned positions, biases, weights stored [in out], fused query, key and value, tied head

                       count  times        total   share  formula
    embed         39,383,808      1   39,383,808   31.6%  DV + DC
    layers[0]      7,087,872      1    7,087,872    5.7%  12D² + 13D
    layers[1-11]   7,087,872     11   77,966,592   62.7%  12D² + 13D
    head               1,536      1        1,536    0.0%  2D
    ────────────────────────────────────────────────────────────────
    total                            124,439,808  100.0%

    stored  = 12LD² + 13LD + DV + DC + 2D
            = 124,439,808
    named   = 12LD² + 13LD + 2DV + DC + 2D
            = 163,037,184   tied tensors under each of their names
    trained = 12LD² + 13LD + 2D
            = 85,056,000   what has a gradient

      L      12  layers
      D     768  width
      V  50,257  vocabulary
      C   1,024  learned positions

    $ reckon params gpt2 --freeze transformer.h.0,transformer.h.1 --depth 1
    gpt2: 124 million parameters
    learned positions, biases, weights stored [in out], fused query, key and value, tied head

                       count  times        total   share  formula
    embed         39,383,808      1   39,383,808   31.6%  DV + DC
    layers[0,1]    7,087,872      2   14,175,744   11.4%  12D² + 13D
    layers[2-11]   7,087,872     10   70,878,720   57.0%  12D² + 13D
    head               1,536      1        1,536    0.0%  2D
    ────────────────────────────────────────────────────────────────
    total                            124,439,808  100.0%

    stored  = 144D² + DV + DC + 158D
            = 124,439,808
    named   = 144D² + 2DV + DC + 158D
            = 163,037,184   tied tensors under each of their names
    trained = 120D² + DV + DC + 132D
            = 110,264,064   what has a gradient

      D     768  width
      V  50,257  vocabulary
      C   1,024  learned positions

    $ reckon params gpt2 --freeze '*.bias' --depth 1
    gpt2: 124 million parameters
    learned positions, biases, weights stored [in out], fused query, key and value, tied head

                 count  times        total   share  formula
    embed   39,383,808      1   39,383,808   31.6%  DV + DC
    layers   7,087,872     12   85,054,464   68.3%  12D² + 13D
    head         1,536      1        1,536    0.0%  2D
    ──────────────────────────────────────────────────────────
    total                      124,439,808  100.0%

    stored  = 12LD² + 13LD + DV + DC + 2D
            = 124,439,808
    named   = 12LD² + 13LD + 2DV + DC + 2D
            = 163,037,184   tied tensors under each of their names
    trained = 12LD² + 2LD + DV + DC + D
            = 124,337,664   what has a gradient

      L      12  layers
      D     768  width
      V  50,257  vocabulary
      C   1,024  learned positions

Adapters in the type of the run; and in a derivation by hand.

    $ reckon memory qwen3-0.6b --lora 16 --lora-dtype same --format json | grep -E '^  "(parameters|gradients|optimizer|saved|trained)"'
      "parameters": 1196687360,
      "trained": 2293760,
      "gradients": 4587520,
      "optimizer": 9175040,
      "saved": 8608055756,

    $ reckon memory qwen3-0.6b --lora 16 --profile textbook --format json | grep -E '^  "(parameters|gradients|optimizer|saved|trained)"'
      "parameters": 2393374720,
      "trained": 2293760,
      "gradients": 9175040,
      "optimizer": 18350080,
      "saved": 78782021632,

Layers are computed again in the same way, whether one option says it or two:

    $ reckon memory bert-base-uncased --lora 8 --recompute-every 2 --details | grep '^saved'
    saved for backward         76,673,024  76.7 MB   9.9%  ██▍
    saved for backward   76,677,124  76.7 MB  4BSLD - 12BSD + 4BSV + 24BS + 4
    $ reckon memory bert-base-uncased --lora 8 --recompute full --recompute-every 2 --details | grep '^saved'
    saved for backward         76,673,024  76.7 MB   9.9%  ██▍
    saved for backward   76,677,124  76.7 MB  4BSLD - 12BSD + 4BSV + 24BS + 4

What is wrong is said.

    $ reckon memory gpt2 --lora 1000
    reckon: gpt2: one side of transformer.h.{i}.attn.c_attn.weight has 768: the rank of an adapter cannot be above that (--targets names others)
    [1]

    $ reckon memory gpt2 --lora 0
    reckon: --lora: a rank of at least 1 is wanted, not '0'
    reckon: 'reckon help memory' says how it is used
    [2]

    $ reckon memory gpt2 --lora many
    reckon: --lora: a rank of at least 1 is wanted, not 'many'
    reckon: 'reckon help memory' says how it is used
    [2]

    $ reckon memory gpt2 --lora 8 --targets q,v
    reckon: --targets q: no linear layer is called so (there are: c_attn c_proj c_fc lm_head)
    [1]

    $ reckon memory qwen3-8b --lora 8 --targets qproj
    reckon: --targets qproj: no linear layer is called so; did you mean 'q_proj'? (there are: q_proj k_proj v_proj o_proj gate_proj up_proj down_proj lm_head)
    [1]

    $ reckon memory qwen3-8b --lora 8 --targets embed_tokens
    reckon: --targets embed_tokens: this is no linear layer, and adapters stand beside those: q_proj k_proj v_proj o_proj gate_proj up_proj down_proj lm_head
    [1]

    $ reckon memory qwen3-8b --targets q
    reckon: --targets says where adapters stand: --lora RANK is missing
    reckon: 'reckon help memory' says how it is used
    [2]

    $ reckon memory qwen3-8b --lora-dtype same
    reckon: --lora-dtype is the type of adapters: --lora, their rank, is missing
    reckon: 'reckon help memory' says how it is used
    [2]

    $ reckon memory qwen3-8b --lora 8 --targets q,
    reckon: --targets: words between commas are wanted, not 'q,'
    reckon: 'reckon help memory' says how it is used
    [2]

    $ reckon memory gpt2 --freeze embedding
    reckon: --freeze embedding: nothing that is trained is called so
    [1]

    $ reckon memory gpt2 --freeze transformer
    reckon: --freeze leaves nothing to train
    [1]

    $ reckon memory gpt2 --freeze embed --phase prefill
    reckon: --freeze says what is not trained, and here nothing is
    reckon: 'reckon help memory' says how it is used
    [2]

    $ reckon memory qwen3-8b --weights nf4
    reckon: model.layers.{i}.self_attn.q_proj.weight is trained, and cannot be while it is stored as nf4: --lora or --freeze leaves it alone
    [1]

The program after a pass, one operation a line.

    $ reckon memory gpt2 --lora 4 --dump-pass adapt | grep -E "^# |c_attn.(weight|lora)" | cut -c 1-118
    # gpt2: 39 operations, 19 weights
        qkv_11[B S (N H + N H + N H)] = normed_9[B S D] * .transformer.h.{i}.attn.c_attn.weight[D (N H + N H + N H)]    #
        qkv_15[B S r] = qkv_14[B S D] * .transformer.h.{i}.attn.c_attn.lora_A.default.weight[r D]    # layers.attention.qk
        qkv_16[B S (N H + N H + N H)] = qkv_15[B S r] * .transformer.h.{i}.attn.c_attn.lora_B.default.weight[(N H + N H +
    $ reckon memory gpt2 --dump-pass lowered
    reckon: there is no pass 'lowered', but lower, mesh, merge, stack, adapt, freeze, stage, split, serve, shard, recompute, autocast, chunk
    reckon: 'reckon help memory' says how it is used
    [2]
