An account in which two figures and a total are wrong:

    $ cat > account.md <<'END'
    > # A block
    > * $T$ (tokens) = $1024$
    > * $D$ (width) = $1600$
    > - projections: $8TD^2 = 20{,}971{,}520{,}000$
    > - scores: $2T^2D = 6{,}710{,}886{,}400$
    > - context: 3,355,443,200
    > - total: 27,682,406,400
    > In single precision 2,127,057,600 parameters × 4 bytes = 7.92 GB, or 8.52 GB = 8,508,230,400 bytes.
    > | part | parameters |
    > |---|---|
    > | table | 80,411,200 |
    > | blocks | 1,966,233,600 |
    > | norm | 1,600 |
    > | total | 2,046,644,800 |
    > END
    $ reckon check account.md
    account.md: 3 wrong, 3 right

    line 5, column 12
      - scores: 2T^2D = 6,710,886,400
                ^^^^^^^^^^^^^^^^^^^^^
      says 6,710,886,400; it is 3,355,443,200: what is stated is exactly twice that

    line 8, column 70
      … precision 2,127,057,600 parameters × 4 bytes = 7.92 GB, or 8.52 GB = 8,508,230,400 bytes.
                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      says 8.52 GB; it is 8,508,230,400 (8.5082 GB)

    line 14, column 11
      | total | 2,046,644,800 |
                ^^^^^^^^^^^^^
      says 2,046,644,800; the rows add up to 2,046,646,400; that is 1,600 more: left out: the row of
      line 13, 1,600
    [1]

Each claim; as a table for programs; as JSON:

    $ reckon check account.md --all
    account.md: 3 wrong, 3 right

    line 5, column 12
      - scores: 2T^2D = 6,710,886,400
                ^^^^^^^^^^^^^^^^^^^^^
      says 6,710,886,400; it is 3,355,443,200: what is stated is exactly twice that

    line 8, column 70
      … precision 2,127,057,600 parameters × 4 bytes = 7.92 GB, or 8.52 GB = 8,508,230,400 bytes.
                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      says 8.52 GB; it is 8,508,230,400 (8.5082 GB)

    line 14, column 11
      | total | 2,046,644,800 |
                ^^^^^^^^^^^^^
      says 2,046,644,800; the rows add up to 2,046,646,400; that is 1,600 more: left out: the row of
      line 13, 1,600

    line
       4  right  8TD^2 = 20,971,520,000
       5  wrong  2T^2D = 6,710,886,400                       what is stated is exactly twice that
       7  right  total: 27,682,406,400                       the sum of 3 rows, once line 5 is put right
       8  right  2,127,057,600 parameters × 4 bytes = 7.92   with GB as powers of 1,024, which is GiB
                 GB
       8  wrong  8.52 GB = 8,508,230,400 bytes
      14  wrong  2,046,644,800                               the rows add up to 2,046,646,400; that is
                                                             1,600 more: left out: the row of line 13,
                                                             1,600
    [1]
    $ reckon check account.md --format csv
    line,column,kind,status,text,stated,found,note,quantity,formula,cell,output
    4,17,equation,right,"8TD^2 = 20,971,520,000",20971520000,20971520000,,,,,
    5,12,equation,wrong,"2T^2D = 6,710,886,400",6710886400,3355443200,what is stated is exactly twice that,,,,
    7,3,sum,right,"total: 27,682,406,400",27682406400,27682406400,"the sum of 3 rows, once line 5 is put right",,,,
    8,21,equation,right,"2,127,057,600 parameters × 4 bytes = 7.92 GB",7.92 GB,8508230400,"with GB as powers of 1,024, which is GiB",,,,
    8,70,equation,wrong,"8.52 GB = 8,508,230,400 bytes",8520000000,8508230400,,,,,
    14,11,sum,wrong,"2,046,644,800",2046644800,2046646400,"the rows add up to 2,046,646,400; that is 1,600 more: left out: the row of line 13, 1,600",,,,
    [1]
    $ reckon check account.md --format md
    # account.md: 3 wrong, 3 right

    ## line 5, column 12

    `2T^2D = 6,710,886,400` in: - scores: 2T^2D = 6,710,886,400

    says 6,710,886,400; it is 3,355,443,200: what is stated is exactly twice that

    ## line 8, column 70

    `8.52 GB = 8,508,230,400 bytes` in: … precision 2,127,057,600 parameters × 4 bytes = 7.92 GB, or 8.52 GB = 8,508,230,400 bytes.

    says 8.52 GB; it is 8,508,230,400 (8.5082 GB)

    ## line 14, column 11

    `2,046,644,800` in: \| total \| 2,046,644,800 \|

    says 2,046,644,800; the rows add up to 2,046,646,400; that is 1,600 more: left out: the row of line 13, 1,600
    [1]
    $ printf '2 + 2 = 4\n' | reckon check - --format json
    {
      "version": 1,
      "file": "standard input",
      "claims": [
        {"line": 1, "column": 1, "kind": "equation", "status": "right", "text": "2 + 2 = 4", "stated": 4, "found": 4, "note": null}
      ],
      "wrong": 0,
      "slip": 0,
      "doubtful": 0,
      "right": 1,
      "unknown": 0,
      "unbound": 0,
      "ignored": 0,
      "skipped": [],
      "open": [],
      "models": []
    }
    $ printf '2 + 2 = 4\n' | reckon check -
    standard input: 0 wrong, 1 right
    $ printf 'no numbers here\n' | reckon check -
    standard input: nothing in it that could be checked

What cannot be read, and what is passed over:

    $ reckon check
    reckon: which text?  A file, or - for standard input
    reckon: 'reckon help check' says how it is used
    [2]
    $ reckon check account.md other.md
    reckon: other.md: cannot read: No such file or directory
    [4]
    $ reckon check gpt2-xl
    reckon: there is no file 'gpt2-xl'.  A model is given beside a text, with --model gpt2-xl
    reckon: 'reckon help check' says how it is used
    [2]
    $ reckon check account.md gpt2-xl
    reckon: there is no file 'gpt2-xl'.  A model is given beside a text, with --model gpt2-xl
    reckon: 'reckon help check' says how it is used
    [2]
    $ reckon check - -
    reckon: standard input is read once: - stands there 2 times
    reckon: 'reckon help check' says how it is used
    [2]
    $ reckon check account.md --annotate --format json
    {"error": {"code": "usage", "where": null, "message": "--annotate shows the text itself: as text, or with --format html"}}
    [2]
    $ reckon check account.md --annotate --all
    reckon: --annotate shows every claim in its place: leave out --all
    reckon: 'reckon help check' says how it is used
    [2]
    $ reckon check account.md B=2
    reckon: 'B=2' sets a size of a model: which one?  Give it with --model MODEL
    reckon: 'reckon help check' says how it is used
    [2]
    $ reckon check nothing.md
    reckon: nothing.md: cannot read: No such file or directory
    [4]
    $ printf 'a\000b' | reckon check -
    reckon: -: no text: byte 2 is 0; what can be checked is plain text, Markdown, LaTeX, HTML or a notebook
    [1]
    $ printf '\377\376a\000' | reckon check -
    reckon: -: a text in UTF-16: turn it into UTF-8, as with iconv -f UTF-16 -t UTF-8
    [1]
    $ head -c 5000000 /dev/zero | tr '\000' 'x' > large.txt; reckon check large.txt
    reckon: large.txt: larger than 4 MiB, nothing of it was checked: cut it into parts
    [1]
    $ { printf '2 + 2 = 5\n'; head -c 70000 /dev/zero | tr '\000' 'x'; printf '\n9^9^9^9 = 3\n'; } | reckon check - --all
    standard input: 1 wrong, 0 right, 1 not understood

    line 1, column 1
      2 + 2 = 5
      ^^^^^^^^^
      says 5; it is 4

    line
       1  wrong           2 + 2 = 5
       3  not understood  9^9^9^9 = 3  too large: a number beyond 128 bits

    Not read: 1 line longer than 65536 bytes, line 2 first.
    [1]

Off by less than one of the last digit is a slip, no mistake, and does not count in the exit status; what may be cut out
of its words, or in a unit that is not written, is not called wrong:

    $ printf '12 × 12288^2 × 96 ≈ 173B\nMFU (50%%) = 0.5 × 19.5 × 10^12\n\n48 *\n(16 + 2) = 864\n' > slips.md
    $ reckon check slips.md --all
    slips.md: 0 wrong, 1 off in the last digit, 2 doubtful, 0 right

    line 1, column 1: off in the last digit
      12 × 12288^2 × 96 ≈ 173B
      ~~~~~~~~~~~~~~~~~~~~~~~~
      says 173B; it is 173,946,175,488 (173.95 B)

    line
       1  slip      12 × 12288^2 × 96 ≈ 173B
       2  doubtful  (50%) = 0.5 × 19.5 × 10^12  perhaps the end of something in words
       5  doubtful  (16 + 2) = 864              perhaps it begins on the line before

Models that a text speaks of are named, so that it can be compared with one:

    $ printf 'Llama 3.1 8B has 32 layers, GPT-2 XL 48.\n\n2 * 3 = 6, and llama-3.1-8b-foo is none.\n' > names.md
    $ reckon check names.md
    names.md: 0 wrong, 1 right

    It speaks of llama-3.1-8b (line 1), gpt2-xl (line 1); too few figures there are such a model's to
    say more.  --model llama-3.1-8b compares all.

A text that names several, each in its section, is compared with each there; what is not the model's is doubtful, as no
one has said that it is meant:

    $ cat > two.md <<'END'
    > # Llama 2 7B
    > One layer has 202,383,360 parameters, the whole model 6,738,415,616.
    > # Llama 3.1 8B
    > One layer has 218,112,000 parameters, the whole model 8,030,261,248.
    > The LM head alone has 525,336,567.
    > END
    $ reckon check two.md
    two.md: 0 wrong, 1 doubtful, 4 right

    Doubtful:
    line
       5  525,336,567  if llama-3.1-8b is meant, it is 525,336,576: token embedding, parameters: DV; two
                       of its digits have changed places

    Taken as llama-2-7b, S = 4,096, from line 1: 2 figures are its own, 0 not.
    Taken as llama-3.1-8b, S = 4,096, from line 3: 2 figures are its own, 1 not.

By sizes that it gives, a known one is found, or it is said that there is none:

    $ cat > sized.md <<'END'
    > With vocab_size = 50257, n_layer = 48 and n_embd = 1600, a block has 30,740,800 parameters.
    > All of them together have 1,475,558,400 parameters, and the total is 1,557,611,200 parameters.
    > END
    $ reckon check sized.md
    sized.md: 0 wrong, 4 right

    Taken as gpt2-xl, S = 1,024, from line 1, by its sizes: 3 figures are its own, 0 not.
    $ cat > own.md <<'END'
    > vocab_size: 32,000
    > num_layers: 7
    > d_model: 640
    > The head has 640 × 32,000 = 20,480,000 parameters.
    > END
    $ reckon check own.md
    own.md: 0 wrong, 1 right

    Its sizes (vocabulary 32,000, layers 7, width 640, line 1) are those of no model that is known by
    name.
