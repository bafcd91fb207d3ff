What is too large, or no file at all, is refused at once: nothing of it is read first.

    $ truncate -s 1G sparse.rk
    $ timeout 10 reckon flops sparse.rk
    reckon: sparse.rk: larger than 1048576 bytes
    [1]
    $ timeout 10 reckon params llama sparse.rk
    reckon: sparse.rk: larger than 1048576 bytes
    [1]
    $ truncate -s 1G sparse.json
    $ timeout 10 reckon flops sparse.json
    reckon: sparse.json: larger than 67108864 bytes
    [1]
    $ timeout 10 reckon flops llama sparse.json
    reckon: sparse.json: larger than 67108864 bytes
    [1]
    $ timeout 10 reckon flops llama - < sparse.json
    reckon: standard input: larger than 67108864 bytes
    [1]

What has no end is read up to the limit only:

    $ timeout 10 reckon flops /dev/zero
    reckon: /dev/zero: larger than 67108864 bytes
    [1]
    $ timeout 10 reckon flops llama /dev/zero
    reckon: /dev/zero: larger than 67108864 bytes
    [1]
    $ timeout 10 reckon flops llama - < /dev/zero
    reckon: standard input: larger than 67108864 bytes
    [1]
    $ yes | timeout 10 reckon flops llama -
    reckon: standard input: larger than 67108864 bytes
    [1]
    $ ln -s /dev/zero endless.rk
    $ timeout 10 reckon flops endless.rk
    reckon: endless.rk: larger than 1048576 bytes
    [1]

A folder is no file, and neither is what is not there:

    $ mkdir folder.rk
    $ reckon flops folder.rk
    reckon: folder.rk: is a directory
    [4]
    $ reckon flops llama folder.rk
    reckon: folder.rk: is a directory
    [4]
    $ reckon flops nowhere.rk
    reckon: nowhere.rk: cannot read: No such file or directory
    [4]
    $ reckon flops llama nowhere.json
    reckon: nowhere.json: cannot read: No such file or directory
    [4]
    $ : > empty.rk
    $ reckon flops empty.rk
    reckon: empty.rk has no line  model NAME: "…"  : it is a file of blocks, not a model
    [1]
    $ : > empty.json
    $ reckon flops llama empty.json
    reckon: empty.json: is empty
    [1]

A model file as long as one may be is read in time:

    $ { echo 'model long: "long"'; echo 'run B = 2'; echo 'input x[B]'; yes 'x = x + x' | head -n 19990; echo 'output x'; } > long.rk
    $ timeout 60 reckon flops long.rk --count all | grep -o '19990B' | head -n 1
    19990B
    $ yes 'x = x + x' | head -n 30 >> long.rk
    $ timeout 60 reckon flops long.rk
    long.rk:20001:1: too many statements; the limit is 20000
        x = x + x
        ^
    [1]
    $ yes '# a comment that has no end' | head -c 1100000 > long.rk
    $ timeout 60 reckon flops long.rk
    reckon: long.rk: larger than 1048576 bytes
    [1]
