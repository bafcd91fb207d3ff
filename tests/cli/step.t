A step that does not fit, by kind and part; what would make it fit, and how far it goes:

    $ reckon step gpt2 B=16 --device rtx-4090 --ways --curves
    gpt2: a training step
    B = 16 sequences in the batch, S = 1,024 tokens of a sequence
    Assumed: --dtype fp32 (weights, gradients, states), --optimizer adamw, --attention sdpa, --recompute
    none, --loss ce, --dropout 0; as PyTorch 2.11 with transformers 5.17.
    Its peak is 31,759,989,760 bytes (31.8 GB), which does not fit into the 24.4 GB that tensors can
    have of rtx-4090: 7.32 GB too much.

               parameters            forward           backward     at the peak
    embedding     786,432                  0                  0      59,777,024
    attention  28,348,416  1,546,188,226,560  3,092,376,453,120   3,369,523,200
    ffn        56,669,184  1,855,425,871,872  3,710,851,743,744  13,363,605,504
    norms          38,400                  0                  0   1,262,028,800
    head       38,597,376  1,264,758,816,768  2,529,517,633,536  13,637,739,520
    rest                0                  0                  0      67,315,712

    Alive at the peak, in the backward pass, at loss.log_softmax:
                                       bytes  embedding  attention      ffn    norms     head     rest
    weights                      497,759,232    3.15 MB     113 MB   227 MB   154 kB   154 MB
    optimizer state              995,594,240    6.29 MB     227 MB   453 MB   307 kB   309 MB  75.8 kB
    workspace                     67,108,864                                                   67.1 MB
    saved for backward        20,318,599,168    50.3 MB    3.03 GB  12.7 GB  1.26 GB  3.29 GB   131 kB
    gradients of activations   6,587,285,504                                          6.59 GB
    temporaries                3,293,642,752                                          3.29 GB
    (no room here for: share)

    The same step otherwise, each way by itself:
                                                                      peak  operations  fits
    --recompute full         layers recomputed backward     15,439,946,752      124.3%  yes
    --loss fused             a fused loss, by chunks        19,101,576,192      100.0%  yes
    --optimizer adam8bit     optimizer states in 8 bits     31,017,890,304      100.0%  no
    --weights nf4 --lora 16  4-bit weights, LoRA trained    27,371,404,288       71.1%  no
    --lora 16                LoRA trained, the rest frozen  27,663,367,168       71.1%  no
    --layout fsdp=2          in pieces on 2 devices         20,958,480,384      100.0%  yes

         now  last that fits        its peak            next
    B     16              12  24,210,111,488  26,097,581,056
    S  1,024             775  24,416,785,920  24,446,264,832
    N      1               2  20,958,480,384  31,759,989,760
    [3]

Programs get the timeline, too, in about so many points:

    $ reckon step gpt2 --points 12 --format json | grep -A 3 '"timeline"'
      "timeline": [
        {"step": 0, "act": "forward", "path": "embed.tokens", "part": "embedding", "bytes": 1563616256, "weights": 497759232, "optimizer": 995594240, "workspace": 67108864, "kept": 8192, "temporary": 3145728},
        {"step": 1, "act": "forward", "path": "embed.position_embeds.position", "part": "embedding", "bytes": 1563624448, "weights": 497759232, "optimizer": 995594240, "workspace": 67108864, "kept": 8192, "temporary": 3153920},
        {"step": 2, "act": "forward", "path": "embed.position_embeds", "part": "embedding", "bytes": 1566770176, "weights": 497759232, "optimizer": 995594240, "workspace": 67108864, "kept": 16384, "temporary": 6291456},

    $ reckon step gpt2 --phase decode --layout tp=2 --points 40 --format json | grep -o '"act": "[a-z]*"' | sort -u
    "act": "forward"

    $ reckon step gpt2 --points 5000
    reckon: --points 5000: at most 4096
    reckon: 'reckon help step' says how it is used
    [2]
