What is wrong is said in one line, on standard error; the exit status says whose fault it is: 1 the input's, 2 the
line's, 4 the system's.

Values of symbols:

    $ reckon flops gpt2 S=banana
    reckon: S is a number, not 'banana'
    [1]
    $ reckon flops gpt2 S=-1
    reckon: S=-1 is less than 1
    [1]
    $ reckon flops gpt2 S=0
    reckon: S=0 is less than 1
    [1]
    $ reckon flops gpt2 S=1e30
    reckon: S=1e30 is more than 9,223,372,036,854,775,807
    [1]
    $ reckon flops gpt2 S=
    reckon: S= needs a value, as in S=4096
    [1]
    $ reckon flops gpt2 S=1.5
    reckon: S=1.5 is not a whole number
    [1]
    $ reckon flops gpt2 S=1.5k | sed -n 2p
    B = 1 sequences in the batch, S = 1,500 tokens of a sequence
    $ reckon flops gpt2 S=1.5K | sed -n 2p
    B = 1 sequences in the batch, S = 1,536 tokens of a sequence
    $ reckon flops gpt2 S=1_000
    reckon: S=1_000 is not a number such as 16384, 16K (16,384) or 16k (16,000)
    [1]
    $ reckon flops gpt2 Q=1
    reckon: gpt2 has no symbol 'Q'; it has: L D V N H F C B S T
    [1]
    $ reckon flops gpt2 s=1
    reckon: gpt2 has no symbol 's'; it has: L D V N H F C B S T; did you mean 'S'?
    [1]
    $ reckon gpt2 S=4 S=8
    reckon: S is set twice
    reckon: 'reckon help' lists the commands
    [2]

Numbers that are missing, all of them at once:

    $ reckon flops block
    reckon: D (width), F (FFN width) have no value: set them, as in D=4096
    [1]
    $ reckon flops block D=64 --format csv
    reckon: F (FFN width) has no value: set it, as in F=4096
    [1]
    $ reckon params block --format md
    reckon: D (width), F (FFN width) have no value: set them, as in D=4096
    [1]

Options:

    $ reckon gpt2 --format csv
    reckon: a whole page is no csv: 'reckon params' and 'reckon flops' have tables
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon params gpt2 --format csv --format md
    reckon: --format is given twice
    reckon: 'reckon help params' says how it is used
    [2]
    $ reckon params gpt2 -o a -o b; ls
    reckon: -o is given twice
    reckon: 'reckon help params' says how it is used
    $ reckon params gpt2 -o
    reckon: -o needs a value: FILE
    reckon: 'reckon help params' says how it is used
    [2]
    $ reckon params gpt2 --format
    reckon: --format needs a value: text|json|csv|md|latex|html
    reckon: 'reckon help params' says how it is used
    [2]
    $ reckon params gpt2 --colour
    reckon: unknown option '--colour'
    reckon: 'reckon help params' says how it is used
    [2]

Standard output that is full, closed, or read no further:

    $ reckon flops gpt2 > /dev/full
    reckon: cannot write to standard output: No space left on device
    [4]
    $ reckon flops gpt2 >&-
    reckon: cannot write to standard output: Bad file descriptor
    [4]
    $ (reckon flops gpt2-xl; echo $? > status) | head -n 1; cat status
    gpt2-xl: FLOPs of a forward and a backward pass
    0
    $ (reckon params gpt2 --all; echo $? > status) | :; cat status
    0

A file that cannot be written, wholly or at all; what was there before stays as it was, and nothing is left beside it:

    $ reckon params gpt2 -o /dev/full
    reckon: /dev/full: cannot write: No space left on device
    [4]
    $ mkdir empty; reckon params gpt2 -o empty; ls -A empty
    reckon: empty: is a directory
    $ reckon params gpt2 -o no/such/folder/file
    reckon: no/such/folder/file: cannot write: No such file or directory
    [4]
    $ ln -s loop loop; reckon params gpt2 -o loop/file
    reckon: loop/file: cannot write: Too many levels of symbolic links
    [4]
    $ echo before > old; (ulimit -f 1; trap '' XFSZ; reckon params gpt2 --all -o old); cat old; ls
    reckon: old: cannot write: File too large
    before
    empty
    loop
    old
    status
    $ reckon params gpt2 --depth 1 -o old; head -n 1 old; ls
    gpt2: 124 million parameters
    empty
    loop
    old
    status

Files and folders that cannot be read:

    $ reckon params ./loop
    reckon: ./loop: cannot read: Too many levels of symbolic links
    [4]
    $ reckon params empty
    reckon: empty: has no config.json; as a checkpoint: holds no .safetensors, no .safetensors.index.json and no .gguf file
    [1]
    $ reckon params old
    reckon: old:1:1: a value expected near 'gpt2'
    [1]
    $ mkfifo pipe; reckon params pipe
    reckon: pipe: is a pipe, and no one writes to it
    [4]
    $ (sleep 0.1; echo '{"model_type": "gpt2"}') > pipe & reckon params pipe | head -n 1
    pipe: 124 million parameters
    $ reckon params old/config.json
    reckon: old/config.json: cannot read: Not a directory
    [4]
    $ reckon params /dev/null
    reckon: /dev/null: is empty
    [1]
    $ RECKON_MODELS=no-such-folder reckon params gpt2
    reckon: RECKON_MODELS: no-such-folder: cannot read: No such file or directory
    [4]
    $ RECKON_MODELS=old reckon models
    reckon: RECKON_MODELS: old: cannot read: Not a directory
    [4]
    $ RECKON_MODELS=old reckon help | head -n 1
    reckon keeps the books of Transformer models: parameters, FLOPs and bytes, each with its formula.
    $ RECKON_MODELS=empty reckon params gpt2 | head -n 1
    gpt2: 124 million parameters

Names that are none:

    $ reckon ''
    reckon: no model is called '' ('reckon models' lists them)
    [1]
    $ reckon params "$(printf 'a\033[31mb')"
    reckon: no model is called 'a\x1b[31mb' ('reckon models' lists them)
    [1]
    $ reckon params gtp2
    reckon: no model is called 'gtp2'; did you mean 'gpt2'?
    [1]
