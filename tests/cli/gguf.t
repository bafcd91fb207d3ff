A GGUF file alone: its metadata says which family it is of, its tensors how large it is.  The files here are the
beginnings of real ones, and zeros.

    $ cp $TOP/tests/gguf/jamba.head jamba.gguf && truncate -s 4427616 jamba.gguf
    $ reckon jamba.gguf | head -n 12
    jamba: 1.11 million parameters
    4 layers of width 96, 6 query heads and 2 key/value heads of 16, FFN 160, 8 experts, 2 per token,
    vocabulary 509, context 256
    Mamba layers with an attention layer here and there, and A of E experts in every other layer; no
    positions
    B = 1 sequences in the batch, S = 256 tokens of a sequence

    parameters          1,105,868     1.11 M  (12 terms)
    active per token      552,908      553 k  (12 terms)
    forward           307,356,672  307 MFLOP  (12 terms)
    backward          614,713,344  615 MFLOP  2 × forward
    step              922,070,016  922 MFLOP  3 × forward
    $ reckon jamba.gguf | grep -E '^(load, as|The file)'
    load, as the file stores it    4,423,472  4.42 MB  4.22 MiB  rtx-4090 (24 GB)
    The file stores 4,423,472 bytes (4.42 MB), 32.00 bits a weight: F32 100.0%.
    $ reckon flops $TOP/tests/golden/tiny/jamba.config.json S=16 --format json | grep '"total"' | head -n 2
      "forward": {"total": 16269312, "formula": "32BSD² + 8BDJ² + 8BS²D + 8BSDKH + 12BSDFA + 2BSDV + 12BSDF + 4BSDE + 24BSDZ + 16BSDR + 8BSDJ - 8BDJ"},
      "backward": {"total": 32538624, "formula": "64BSD² + 16BDJ² + 16BS²D + 16BSDKH + 24BSDFA + 4BSDV + 24BSDF + 8BSDE + 48BSDZ + 32BSDR + 16BSDJ - 16BDJ"},
    $ reckon flops jamba.gguf S=16 --format json | grep '"total"' | head -n 2
      "forward": {"total": 16269312, "formula": "32BSD² + 8BDJ² + 8BS²D + 8BSDKH + 12BSDFA + 2BSDV + 12BSDF + 4BSDE + 24BSDZ + 16BSDR + 8BSDJ - 8BDJ"},
      "backward": {"total": 32538624, "formula": "64BSD² + 16BDJ² + 16BS²D + 16BSDKH + 24BSDFA + 4BSDV + 24BSDF + 8BSDE + 48BSDZ + 32BSDR + 16BSDJ - 16BDJ"},

An architecture that no mapping is for: the tensors can be listed.

    $ sed 's/jamba/jambo/g' jamba.gguf > jambo.gguf
    $ reckon flops jambo.gguf
    reckon: jambo.gguf: no mapping is for the architecture 'jambo'; did you mean 'jamba'? ('reckon params jambo.gguf' lists its tensors; the config.json that it was made from may be known)
    [1]
    $ reckon params jambo.gguf | head -n 1
    jambo: 1.11 million parameters, as stored

Metadata that does not go with the tensors, or is not there.

    $ sed 's/jamba.embedding_length/jamba.embedding_lengtH/' jamba.gguf > absent.gguf
    $ reckon flops absent.gguf
    reckon: absent.gguf: has no key 'jamba.embedding_length', which every model needs
    [1]
    $ sed 's/jamba.ssm.state_size/jamba.ssm.state_sizE/' jamba.gguf > absent.gguf
    $ reckon flops absent.gguf 2>&1 | sed 's/:[0-9]*: [a-z_]* *=/: … =/'
    reckon: absent.gguf: has no key 'ssm.state_size', which is needed here (models/gguf/jamba.rk: … = $ssm.state_size)
    $ cp $TOP/tests/gguf/qwen3.head qwen2.gguf && truncate -s 1627360 qwen2.gguf
    $ sed -i 's/token_embd.weight/token_embd.weighT/' qwen2.gguf
    $ reckon flops qwen2.gguf 2>&1 | sed 's/:[0-9]*: [a-z_]* *=/: … =/'
    reckon: qwen2.gguf: has no $tensor["token_embd.weight"][0], which is needed here (models/gguf/shared/common.rk: … = V)
