Colour only on a terminal that can show it, and where no one asked for none:

    $ script -qec 'TERM=xterm reckon params gpt2 --depth 1' /dev/null | tr -d '\r' | sed 's/\x1b/ESC/g' | sed -n '4,9p'
                 ESC[2mcountESC[0m  ESC[2mtimesESC[0m        ESC[2mtotalESC[0m   ESC[2mshareESC[0m  ESC[2mformulaESC[0m
    embed   39,383,808      1   39,383,808   31.6%  DV + DC
    layers   7,087,872     12   85,054,464   68.3%  12D² + 13D
    head         1,536      1        1,536    0.0%  2D
    ESC[2m──────────────────────────────────────────────────────────ESC[0m
    ESC[1mtotalESC[0m                      ESC[1m124,439,808ESC[0m  ESC[1m100.0%ESC[0m
    $ script -qec 'TERM=dumb reckon gpt2' /dev/null | grep -c "$(printf '\033')"
    0
    [1]
    $ script -qec 'TERM=xterm NO_COLOR=1 reckon gpt2' /dev/null | grep -c "$(printf '\033')"
    0
    [1]
    $ script -qec 'TERM=xterm NO_COLOR= reckon gpt2' /dev/null | grep -q "$(printf '\033')" && echo colours
    colours
    $ script -qec 'TERM=xterm reckon gpt2 -o page.txt' /dev/null; grep -c "$(printf '\033')" page.txt
    0
    [1]
    $ script -qec 'TERM=xterm reckon gpt2 --format md' /dev/null | grep -c "$(printf '\033')"
    0
    [1]
    $ TERM=xterm reckon gpt2 | grep -c "$(printf '\033')"
    0
    [1]

The width is that of the terminal, unless COLUMNS says another; 140 where neither is known, and 20 at least:

    $ script -qec 'stty cols 60; unset COLUMNS; reckon flops gpt2' /dev/null | tr -d '\r' | wc -L
    60
    $ script -qec 'stty cols 60; COLUMNS=72 reckon flops gpt2' /dev/null | tr -d '\r' | wc -L
    70
    $ (unset COLUMNS; reckon flops gpt2) | wc -L
    99
    $ COLUMNS=many reckon flops gpt2 | wc -L
    99
    $ COLUMNS=0 reckon flops gpt2 | wc -L
    99
    $ COLUMNS=5 reckon flops gpt2 | wc -L
    20
    $ COLUMNS=99999999999999999999999 reckon flops gpt2 | wc -L
    99

From 20 columns on nothing is wider than the paper, whatever the report:

    $ for columns in 20 27 40 80 131; do
    >     for line in gpt2 'params gpt2' 'flops gpt2 --count all' 'derive llama' 'params deepseek-v3' 'flops qwen3_next' \
    >         whisper block ops 'help flops'; do
    >         COLUMNS=$columns reckon $line > out || echo "$line fails"
    >         [ "$(wc -L < out)" -le "$columns" ] || echo "$line is wider than $columns columns"
    >     done
    > done

Twenty columns:

    $ COLUMNS=20 reckon gpt2
    gpt2: 124 million
    parameters
    12 layers of width
    768, 12 heads of 64,
    FFN 3,072,
    vocabulary 50,257,
    context 1,024
    learned positions,
    biases, weights
    stored [in out],
    fused query, key and
    value, tied head
    B = 1 sequences in
    the batch,
    S = 1,024 tokens of
    a sequence

    parameters
                   124 M
    forward
               292 GFLOP
    backward
               583 GFLOP
    step
               875 GFLOP

    embed
      parameters  39.4 M
    layers × 12
      parameters  85.1 M
      attention
      parameters  28.4 M
      ffn
      parameters  56.7 M
    head
      parameters   1,536
    ────────────────────
    total
      parameters   124 M
    (no room here for:
     share, FLOP, per
     token, share)

    memory
    load, in 32 bits
                  498 MB
      rtx-4090 (24 GB)
    load, in 16 bits
                  249 MB
      rtx-4090 (24 GB)
    load, in 8 bits
                  124 MB
      rtx-4090 (24 GB)
    load, in 4 bits
                 62.2 MB
      rtx-4090 (24 GB)
    serve 1 × 1,024,
      context
                  610 MB
      rtx-4090 (24 GB)
    fine-tune 1 × 1,024,
      fp32
                 3.45 GB
      rtx-4090 (24 GB)
    fine-tune 1 × 1,024,
      lora
                 1.50 GB
      rtx-4090 (24 GB)
    fine-tune 1 × 1,024,
      qlora
                 1.38 GB
      rtx-4090 (24 GB)
    (no room here for:
     bytes)
    Cache: 73,728 bytes
    for one more token,
    75.5 MB for a
    sequence of 1,024.

    L = 12 layers,
    D = 768 width,
    V = 50,257
    vocabulary,
    C = 1,024 learned
    positions
    Counted: products,
    multiply and add as
    two, masked
    attention as a full
    square.

    reckon fit gpt2 --
      device h100
    reckon memory gpt2
    reckon report gpt2
    Also params, flops
    and derive: every
    tensor, every
    operation, every
    formula.

    $ COLUMNS=20 reckon derive gpt2 flops layers.ffn.up
    gpt2, layers.ffn.up:
    forward FLOPs, line
    by line
    Counted: products
    that sum over an
    index (--count); a
    multiply and its add
    are two (--unit);
    masked attention as
    the full square
    (--causal).

      B       1
      S   1,024
      T   1,024  S
      L      12
      D     768
      V  50,257
      N      12
      H      64  D/N
      F   3,072  4D
      C   1,024
     up[B S F] =
       normed[B S D] *
       .c_fc.weight[D F]
      summed over D: 2 ×
      B·S·F·D
      up
       = 8BSD²
       = 4,831,838,208

    total
     = L × layers.ffn.up
     = 8BSLD²
     = 57,982,058,496

    $ COLUMNS=24 reckon help ops
    usage: reckon ops
      [OPTION …]

    The operations that
    model files are made of,
    and what each costs.

      --format
        text|json|csv|md|
        latex|html
        text, md, latex and
        html are for people,
        json and csv for
        programs (default
        text)
      --columns NAMES
        only these columns
        of the tables, by
        their heads or JSON
        keys: total,share
      --csv quoted|raw
        CSV: a ' before text
        that a spreadsheet
        would calculate (=,
        +, -, @), or as it
        is (default quoted)
      -o FILE
        write to FILE, whole
        or not at all,
        instead of standard
        output
      --help
        what most people
        need
      --help-all
        all options

    Examples:
      reckon ops  the table

Where a column does not fit, names get shorter, formulas go on in a next line, and columns are left out:

    $ COLUMNS=80 reckon params gpt2 | sed -n '4,12p'

                                        shape  times        total  formula
    embed                                          1   39,383,808  DV + DC
      transformer.wte.weight     50,257 × 768      1   38,597,376  DV
      transformer.wpe.weight      1,024 × 768      1      786,432  DC
    layers at transformer.h.{i}                   12   85,054,464  12D² + 13D
      attention                                   12   28,366,848  4D² + 6D
        .ln_1.weight                      768     12        9,216  D
        .ln_1.bias                        768     12        9,216  D

    $ COLUMNS=60 reckon params gpt2 | sed -n '4,12p'

                                 times        total  formula
    embed                            1   39,383,808  DV + DC
      transformer.wte.weight         1   38,597,376  DV
      transformer.wpe.weight         1      786,432  DC
    layers at transformer.h.{i}     12   85,054,464  12D² + 13D
      attention                     12   28,366,848  4D² + 6D
        .ln_1.weight                12        9,216  D
        .ln_1.bias                  12        9,216  D

    $ COLUMNS=40 reckon params gpt2 | sed -n '5,12p'

                                       total
    embed                         39,383,808
      transformer.wte.weight      38,597,376
      transformer.wpe.weight         786,432
    layers at transformer.h.{i}   85,054,464
      attention                   28,366,848
        .ln_1.weight                   9,216

    $ COLUMNS=140 reckon flops qwen3_next | sed -n '5,9p'
    attention as the full square (--causal).

                             times               each             forward            backward   share  formula of each
    layers[0-2,4-6,…,44-46]     36    587,622,187,008  21,154,398,732,288  42,299,133,788,160   63.7%  (16 terms)
      delta                     36    295,547,633,664  10,639,714,811,904  21,269,765,947,392   32.1%  (12 terms)

    $ COLUMNS=80 reckon flops qwen3_next | sed -n '6,14p'

                             times             forward   share  formula of each
    layers[0-2,4-6,…,44-46]     36  21,154,398,732,288   63.7%  (16 terms)
      delta                     36  10,639,714,811,904   32.1%  (12 terms)
        qkvz                    36   7,421,703,487,488   22.4%  4BSDnX + 4BSDmY
        ba                      36      38,654,705,664    0.1%  4BSDm
        conv_out                36       9,670,754,304    0.0%  4BnXJ² + 2BmYJ²
                                                                  + 4BSnXJ - 4BnXJ
                                                                  + 2BSmYJ - 2BmYJ

    $ COLUMNS=60 reckon flops deepseek-v3 | grep -A 4 '^forward'
    forward  = 122BS²NP + 122BS²NR + 122BS²NW + 122BSDNW
                 + 348BSDMA + 348BSDMX + 2BSDV + 122BSDQ
                 + 122BSDC + 122BSDR + 18BSDF + 116BSDE
                 + 122BSNQP + 122BSNQR + 122BSNCP + 122BSNCW
             = 383,866,460,176,384   384 TFLOP

Characters that occupy two columns, and those that occupy none:

    $ cat > wide.rk <<'END'
    > model wide: "名前 are wide"
    > use blocks/common.rk
    > let D = 4 "幅, the width"
    > let F = 8 "größe"
    > run B = 1 "rows"
    > input x[B D]
    > y = linear(x, "漢字", F, True)
    > z = linear(y, "plain", D, True)
    > output z
    > END
    $ reckon params wide.rk
    wide: 76 parameters
    名前 are wide

                  shape  count  times  total   share  formula
    漢字.weight   8 × 4     32      1     32   42.1%  DF
    漢字.bias         8      8      1      8   10.5%  F
    plain.weight  4 × 8     32      1     32   42.1%  DF
    plain.bias        4      4      1      4    5.3%  D
    ─────────────────────────────────────────────────────────
    total                                 76  100.0%

    stored = 2DF + D + F
           = 76

      D  4  幅, the width
      F  8  größe
    $ COLUMNS=30 reckon params wide.rk | head -n 6
    wide: 76 parameters
    名前 are wide

                  times  total
    漢字.weight       1     32
    漢字.bias         1      8
