The long context of the XL model:

    $ reckon flops cs336-xl S=16K
    cs336-xl: FLOPs of a forward and a backward pass
    B = 1 sequences in the batch, S = 16,384 tokens of a sequence
    S = 16,384 is beyond the context of 1,024 tokens that the config gives.
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

                 times               each              forward   share  formula of each
    layers          48  3,060,164,198,400  146,887,881,523,200   98.2%  32BSD² + 4BS²D
      attention     48  2,053,531,238,400   98,569,499,443,200   65.9%  8BSD² + 4BS²D
        q           48     83,886,080,000    4,026,531,840,000    2.7%  2BSD²
        k           48     83,886,080,000    4,026,531,840,000    2.7%  2BSD²
        v           48     83,886,080,000    4,026,531,840,000    2.7%  2BSD²
        scores      48    858,993,459,200   41,231,686,041,600   27.6%  2BS²D
        context     48    858,993,459,200   41,231,686,041,600   27.6%  2BS²D
        output      48     83,886,080,000    4,026,531,840,000    2.7%  2BSD²
      ffn           48  1,006,632,960,000   48,318,382,080,000   32.3%  24BSD²
        gate        48    335,544,320,000   16,106,127,360,000   10.8%  8BSD²
        up          48    335,544,320,000   16,106,127,360,000   10.8%  8BSD²
        down        48    335,544,320,000   16,106,127,360,000   10.8%  8BSD²
    head.logits      1  2,634,914,201,600    2,634,914,201,600    1.8%  2BSDV
    ───────────────────────────────────────────────────────────────────────────────────
    total                                  149,522,795,724,800  100.0%
    (no room here for: backward)

    forward  = 32BSLD² + 4BS²LD + 2BSDV
             = 149,522,795,724,800   150 TFLOP
    backward = 64BSLD² + 8BS²LD + 4BSDV
             = 299,045,591,449,600   299 TFLOP
    step     = 96BSLD² + 12BS²LD + 6BSDV
             = 448,568,387,174,400   449 TFLOP

      B       1  sequences in the batch
      S  16,384  tokens of a sequence
      L      48  layers
      D   1,600  width
      V  50,257  vocabulary

And at 1,024 tokens, rolled up: shares of blocks and head.

    $ reckon flops cs336-small --depth 1
    cs336-small: FLOPs of a forward and a backward pass
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

            times            each          forward         backward   share  formula of each
    layers     12  22,548,578,304  270,582,939,648  541,165,879,296   77.4%  32BSD² + 4BS²D
    head        1  79,047,426,048   79,047,426,048  158,094,852,096   22.6%  2BSDV
    ────────────────────────────────────────────────────────────────────────────────────────
    total                          349,630,365,696  699,260,731,392  100.0%

    forward  = 32BSLD² + 4BS²LD + 2BSDV
             = 349,630,365,696   350 GFLOP
    backward = 64BSLD² + 8BS²LD + 4BSDV
             = 699,260,731,392   699 GFLOP
    step     = 96BSLD² + 12BS²LD + 6BSDV
             = 1,048,891,097,088   1.05 TFLOP

      B       1  sequences in the batch
      S   1,024  tokens of a sequence
      L      12  layers
      D     768  width
      V  50,257  vocabulary
    $ reckon flops cs336-medium --depth 1
    cs336-medium: FLOPs of a forward and a backward pass
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

            times             each            forward           backward   share  formula of each
    layers     24   38,654,705,664    927,712,935,936  1,855,425,871,872   89.8%  32BSD² + 4BS²D
    head        1  105,396,568,064    105,396,568,064    210,793,136,128   10.2%  2BSDV
    ─────────────────────────────────────────────────────────────────────────────────────────────
    total                           1,033,109,504,000  2,066,219,008,000  100.0%

    forward  = 32BSLD² + 4BS²LD + 2BSDV
             = 1,033,109,504,000   1.03 TFLOP
    backward = 64BSLD² + 8BS²LD + 4BSDV
             = 2,066,219,008,000   2.07 TFLOP
    step     = 96BSLD² + 12BS²LD + 6BSDV
             = 3,099,328,512,000   3.10 TFLOP

      B       1  sequences in the batch
      S   1,024  tokens of a sequence
      L      24  layers
      D   1,024  width
      V  50,257  vocabulary
    $ reckon flops cs336-large --depth 1
    cs336-large: FLOPs of a forward and a backward pass
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

            times             each            forward           backward   share  formula of each
    layers     36   59,055,800,320  2,126,008,811,520  4,252,017,623,040   94.2%  32BSD² + 4BS²D
    head        1  131,745,710,080    131,745,710,080    263,491,420,160    5.8%  2BSDV
    ─────────────────────────────────────────────────────────────────────────────────────────────
    total                           2,257,754,521,600  4,515,509,043,200  100.0%

    forward  = 32BSLD² + 4BS²LD + 2BSDV
             = 2,257,754,521,600   2.26 TFLOP
    backward = 64BSLD² + 8BS²LD + 4BSDV
             = 4,515,509,043,200   4.52 TFLOP
    step     = 96BSLD² + 12BS²LD + 6BSDV
             = 6,773,263,564,800   6.77 TFLOP

      B       1  sequences in the batch
      S   1,024  tokens of a sequence
      L      36  layers
      D   1,280  width
      V  50,257  vocabulary
    $ reckon flops cs336-xl --depth 2
    cs336-xl: FLOPs of a forward and a backward pass
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

                 times             each            forward           backward   share  formula of each
    layers          48   90,596,966,400  4,348,654,387,200  8,697,308,774,400   96.4%  32BSD² + 4BS²D
      attention     48   27,682,406,400  1,328,755,507,200  2,657,511,014,400   29.4%  8BSD² + 4BS²D
      ffn           48   62,914,560,000  3,019,898,880,000  6,039,797,760,000   66.9%  24BSD²
    head.logits      1  164,682,137,600    164,682,137,600    329,364,275,200    3.6%  2BSDV
    ──────────────────────────────────────────────────────────────────────────────────────────────────
    total                                4,513,336,524,800  9,026,673,049,600  100.0%

    forward  = 32BSLD² + 4BS²LD + 2BSDV
             = 4,513,336,524,800   4.51 TFLOP
    backward = 64BSLD² + 8BS²LD + 4BSDV
             = 9,026,673,049,600   9.03 TFLOP
    step     = 96BSLD² + 12BS²LD + 6BSDV
             = 13,540,009,574,400   13.5 TFLOP

      B       1  sequences in the batch
      S   1,024  tokens of a sequence
      L      48  layers
      D   1,600  width
      V  50,257  vocabulary
    $ reckon flops cs336-xl-plain-tied --depth 2
    cs336-xl-plain-tied: FLOPs of a forward and a backward pass
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

                 times             each            forward           backward   share  formula of each
    layers          48   69,625,446,400  3,342,021,427,200  6,684,042,854,400   95.3%  24BSD² + 4BS²D
      attention     48   27,682,406,400  1,328,755,507,200  2,657,511,014,400   37.9%  8BSD² + 4BS²D
      ffn           48   41,943,040,000  2,013,265,920,000  4,026,531,840,000   57.4%  16BSD²
    head.logits      1  164,682,137,600    164,682,137,600    329,364,275,200    4.7%  2BSDV
    ──────────────────────────────────────────────────────────────────────────────────────────────────
    total                                3,506,703,564,800  7,013,407,129,600  100.0%

    forward  = 24BSLD² + 4BS²LD + 2BSDV
             = 3,506,703,564,800   3.51 TFLOP
    backward = 48BSLD² + 8BS²LD + 4BSDV
             = 7,013,407,129,600   7.01 TFLOP
    step     = 72BSLD² + 12BS²LD + 6BSDV
             = 10,520,110,694,400   10.5 TFLOP

      B       1  sequences in the batch
      S   1,024  tokens of a sequence
      L      48  layers
      D   1,600  width
      V  50,257  vocabulary

Conventions:

    $ reckon flops gpt2 --unit mac --depth 1
    gpt2: MACs of a forward and a backward pass
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are one (--unit); masked
    attention as the full square (--causal).

            times            each          forward         backward   share  formula of each
    layers     12   8,858,370,048  106,300,440,576  212,600,881,152   72.9%  12BSD² + 2BS²D
    head        1  39,523,713,024   39,523,713,024   79,047,426,048   27.1%  BSDV
    ────────────────────────────────────────────────────────────────────────────────────────
    total                          145,824,153,600  291,648,307,200  100.0%

    forward  = 12BSLD² + 2BS²LD + BSDV
             = 145,824,153,600   146 GMAC
    backward = 24BSLD² + 4BS²LD + 2BSDV
             = 291,648,307,200   292 GMAC
    step     = 36BSLD² + 6BS²LD + 3BSDV
             = 437,472,460,800   437 GMAC

      B       1  sequences in the batch
      S   1,024  tokens of a sequence
      L      12  layers
      D     768  width
      V  50,257  vocabulary
    $ reckon flops gpt2 --causal exact --depth 2
    gpt2: FLOPs of a forward and a backward pass
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the pairs that its mask allows (--causal).

                 times            each          forward         backward   share  formula of each
    layers          12  16,107,700,224  193,292,402,688  386,584,805,376   71.0%  24BSD² + 2BS²D + 2BSD
      attention     12   6,444,023,808   77,328,285,696  154,656,571,392   28.4%  8BSD² + 2BS²D + 2BSD
      ffn           12   9,663,676,416  115,964,116,992  231,928,233,984   42.6%  16BSD²
    head.logits      1  79,047,426,048   79,047,426,048  158,094,852,096   29.0%  2BSDV
    ───────────────────────────────────────────────────────────────────────────────────────────────────
    total                               272,339,828,736  544,679,657,472  100.0%

    forward  = 24BSLD² + 2BS²LD + 2BSLD + 2BSDV
             = 272,339,828,736   272 GFLOP
    backward = 48BSLD² + 4BS²LD + 4BSLD + 4BSDV
             = 544,679,657,472   545 GFLOP
    step     = 72BSLD² + 6BS²LD + 6BSLD + 6BSDV
             = 817,019,486,208   817 GFLOP

      B       1  sequences in the batch
      S   1,024  tokens of a sequence
      L      12  layers
      D     768  width
      V  50,257  vocabulary
    $ reckon flops gpt2 --as torch --depth 1
    gpt2: FLOPs of a forward and a backward pass
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: what the FLOP counter of PyTorch sees (--count); a multiply and its add are two (--unit);
    masked attention as the full square (--causal).

            times            each          forward         backward   share  formula of each
    layers     12  17,716,740,096  212,600,881,152  425,201,762,304   72.9%  24BSD² + 4BS²D
    head        1  79,047,426,048   79,047,426,048  158,094,852,096   27.1%  2BSDV
    ────────────────────────────────────────────────────────────────────────────────────────
    total                          291,648,307,200  583,296,614,400  100.0%

    forward  = 24BSLD² + 4BS²LD + 2BSDV
             = 291,648,307,200   292 GFLOP
    backward = 48BSLD² + 8BS²LD + 4BSDV
             = 583,296,614,400   583 GFLOP
    step     = 72BSLD² + 12BS²LD + 6BSDV
             = 874,944,921,600   875 GFLOP

      B       1  sequences in the batch
      S   1,024  tokens of a sequence
      L      12  layers
      D     768  width
      V  50,257  vocabulary
    $ reckon flops block D=64 N=4 F=256 S=10 --count all
    block: FLOPs of a forward and a backward pass
    B = 1 sequences in the batch, S = 10 tokens of a sequence
    Counted: every operation (--count); a multiply and its add are two (--unit); masked attention as the
    full square (--causal).

                 times       each    forward   backward   share  formula of each
    attention        1    361,280    361,280    715,840   26.5%  8BSD² + 4BS²D + 4BS²N + 10BSD
      normed         1      1,920      1,920      3,840    0.1%  3BSD
      q              1     81,920     81,920    163,840    6.0%  2BSD²
      k              1     81,920     81,920    163,840    6.0%  2BSD²
      v              1     81,920     81,920    163,840    6.0%  2BSD²
      q.rope         1      1,920      1,920      1,920    0.1%  3BSD
      k.rope         1      1,920      1,920      1,920    0.1%  3BSD
      scores         1     12,800     12,800     25,600    0.9%  2BS²D
      probs          1      1,600      1,600      1,600    0.1%  4BS²N
      context        1     12,800     12,800     25,600    0.9%  2BS²D
      output         1     81,920     81,920    163,840    6.0%  2BSD²
      x              1        640        640          0    0.0%  BSD
    ffn              1  1,000,960  1,000,960  1,998,080   73.5%  6BSDF + 4BSD + 6BSF
      normed         1      1,920      1,920      3,840    0.1%  3BSD
      gate           1    327,680    327,680    655,360   24.1%  2BSDF
      up             1    327,680    327,680    655,360   24.1%  2BSDF
      activated      1     12,800     12,800     23,040    0.9%  5BSF
      hidden         1      2,560      2,560      5,120    0.2%  BSF
      down           1    327,680    327,680    655,360   24.1%  2BSDF
      y              1        640        640          0    0.0%  BSD
    ──────────────────────────────────────────────────────────────────────────────────────────
    total                          1,362,240  2,713,920  100.0%

    forward  = 8BSD² + 4BS²D + 4BS²N + 6BSDF + 14BSD + 6BSF
             = 1,362,240   1.36 MFLOP
    backward = 16BSD² + 8BS²D + 4BS²N + 12BSDF + 18BSD + 11BSF
             = 2,713,920   2.71 MFLOP
    step     = 24BSD² + 12BS²D + 8BS²N + 18BSDF + 32BSD + 17BSF
             = 4,076,160   4.08 MFLOP

      B    1  sequences in the batch
      S   10  tokens of a sequence
      D   64  width
      N    4  heads
      F  256  FFN width

By tensor: what has no tensor is listed by path.

    $ reckon flops vlm-784 --count all --by tensor B=2 I=784 S=1
    vlm-784: FLOPs of a forward and a backward pass
    B = 2 sequences in the batch, I = 784 image tokens, S = 1 text tokens
    Counted: every operation (--count); a multiply and its add are two (--unit); masked attention as the
    full square (--causal).

                                                    times         forward   share  formula of each
    imageComponent.embed.patchConv.weight               1       4,816,896    0.0%  6·B·I·Dv
    imageComponent.embed.patchConv.bias                 1         802,816    0.0%  B·I·Dv
    imageComponent.embed.positionEmbeddings.weight      1         802,816    0.0%  B·I·Dv
    imageComponent.layers.{i}.norm1.weight              2       6,422,528    0.0%  4·B·I·Dv
    imageComponent.layers.{i}.norm1.bias                2       1,605,632    0.0%  B·I·Dv
    imageComponent.layers.{i}.att.wq.weight             2   1,644,167,168   12.8%  2·B·I·Dv²
    imageComponent.layers.{i}.att.wq.bias               2       1,605,632    0.0%  B·I·Dv
    imageComponent.layers.{i}.att.wk.weight             2   1,644,167,168   12.8%  2·B·I·Dv²
    imageComponent.layers.{i}.att.wk.bias               2       1,605,632    0.0%  B·I·Dv
    imageComponent.layers.{i}.att.wv.weight             2   1,644,167,168   12.8%  2·B·I·Dv²
    imageComponent.layers.{i}.att.wv.bias               2       1,605,632    0.0%  B·I·Dv
    image.layers.attention.scores                       2   2,517,630,976   19.5%  2·B·I²·Dv
    image.layers.attention.probs                        2      78,675,968    0.6%  4·B·I²·Nv
    image.layers.attention.context                      2   2,517,630,976   19.5%  2·B·I²·Dv
    imageComponent.layers.{i}.att.wo.weight             2   1,644,167,168   12.8%  2·B·I·Dv²
    imageComponent.layers.{i}.att.wo.bias               2       1,605,632    0.0%  B·I·Dv
    image.layers.attention.y                            2       1,605,632    0.0%  B·I·Dv
    imageComponent.layers.{i}.norm2.weight              2       6,422,528    0.0%  4·B·I·Dv
    imageComponent.layers.{i}.norm2.bias                2       1,605,632    0.0%  B·I·Dv
    imageComponent.layers.{i}.FF.fc1.weight             2     411,041,792    3.2%  2·B·I·Dv·Fv
    imageComponent.layers.{i}.FF.fc1.bias               2         401,408    0.0%  B·I·Fv
    image.layers.ffn.hidden                             2       2,007,040    0.0%  5·B·I·Fv
    imageComponent.layers.{i}.FF.fc2.weight             2     411,041,792    3.2%  2·B·I·Dv·Fv
    imageComponent.layers.{i}.FF.fc2.bias               2       1,605,632    0.0%  B·I·Dv
    image.layers.ffn.y                                  2       1,605,632    0.0%  B·I·Dv
    imageComponent.normFinal.weight                     1       3,211,264    0.0%  4·B·I·Dv
    imageComponent.normFinal.bias                       1         802,816    0.0%  B·I·Dv
    projected.project.weight                            1     205,520,896    1.6%  2·B·I·Dv·D
    projected.project.bias                              1         200,704    0.0%  BID
    logits.decoderLayers.{i}.norm1.weight               1           1,024    0.0%  4BSD
    logits.decoderLayers.{i}.att.wq.weight              1          65,536    0.0%  2BSD²
    logits.decoderLayers.{i}.att.wq.bias                1             256    0.0%  BSD
    logits.decoderLayers.{i}.att.wk.weight              1          65,536    0.0%  2BSD²
    logits.decoderLayers.{i}.att.wk.bias                1             256    0.0%  BSD
    logits.decoderLayers.{i}.att.wv.weight              1          65,536    0.0%  2BSD²
    logits.decoderLayers.{i}.att.wv.bias                1             256    0.0%  BSD
    text.layers.attention.scores                        1             512    0.0%  2BS²D
    text.layers.attention.probs                         1              64    0.0%  4BS²N
    text.layers.attention.context                       1             512    0.0%  2BS²D
    logits.decoderLayers.{i}.att.wo.weight              1          65,536    0.0%  2BSD²
    logits.decoderLayers.{i}.att.wo.bias                1             256    0.0%  BSD
    text.layers.attention.x                             1             256    0.0%  BSD
    logits.decoderLayers.{i}.norm2.weight               1           1,024    0.0%  4BSD
    logits.decoderLayers.{i}.FF.gate_proj.weight        1          65,536    0.0%  2BSDF
    logits.decoderLayers.{i}.FF.up_proj.weight          1          65,536    0.0%  2BSDF
    text.layers.ffn.activated                           1           1,280    0.0%  5BSF
    text.layers.ffn.hidden                              1             256    0.0%  BSF
    logits.decoderLayers.{i}.FF.down_proj.weight        1          65,536    0.0%  2BSDF
    text.layers.ffn.x                                   1             256    0.0%  BSD
    logits.normFinal.weight                             1           1,024    0.0%  4BSD
    logits.logits.weight                                1     131,662,336    1.0%  2BSDV
    logits.logits.bias                                  1         514,306    0.0%  BSV
    ──────────────────────────────────────────────────────────────────────────────────────────────
    total                                                  12,891,195,202  100.0%
    (no room here for: each, backward)

    forward  = 8·B·I·Lv·Dv² + 8BSLD² + 4·B·I²·Lv·Dv + 4·B·I²·Lv·Nv + 4BS²LD + 4BS²LN + 4·B·I·Lv·Dv·Fv
                 + 17·B·I·Lv·Dv + 6·B·I·Lv·Fv + 2·B·I·Dv·D + 13·B·I·Dv + 6BSLDF + 14BSLD + 6BSLF + 2BSDV
                 + BID + 4BSD + BSV
             = 12,891,195,202   12.9 GFLOP
    backward = 16·B·I·Lv·Dv² + 16BSLD² + 8·B·I²·Lv·Dv + 4·B·I²·Lv·Nv + 8BS²LD + 4BS²LN + 8·B·I·Lv·Dv·Fv
                 + 25·B·I·Lv·Dv + 12·B·I·Lv·Fv + 4·B·I·Dv·D + 18·B·I·Dv + 12BSLDF + 22BSLD + 11BSLF
                 + 4BSDV + BID + 9BSD + BSV
             = 25,682,124,610   25.7 GFLOP
    step     = 24·B·I·Lv·Dv² + 24BSLD² + 12·B·I²·Lv·Dv + 8·B·I²·Lv·Nv + 12BS²LD + 8BS²LN
                 + 12·B·I·Lv·Dv·Fv + 42·B·I·Lv·Dv + 18·B·I·Lv·Fv + 6·B·I·Dv·D + 31·B·I·Dv + 18BSLDF
                 + 36BSLD + 17BSLF + 6BSDV + 2BID + 13BSD + 2BSV
             = 38,573,319,812   38.6 GFLOP

      B         2  sequences in the batch, one image each
      I       784  image tokens
      S         1  text tokens
      Lv        2  image layers
      Dv      512  image width
      Nv        8  image heads; no count of products depends on it
      Fv      128  image FFN width
      L         1  text layers
      D       128  text width
      V   257,153  vocabulary
      N         8  text heads; no count of products depends on it
      F       128  text FFN width
    $ reckon flops gpt2 --by tensor
    gpt2: FLOPs of a forward and a backward pass
    B = 1 sequences in the batch, S = 1,024 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).

                                          times          forward   share  formula of each
    transformer.h.{i}.attn.c_attn.weight     12   43,486,543,872   14.9%  6BSD²
    layers.attention.scores                  12   19,327,352,832    6.6%  2BS²D
    layers.attention.context                 12   19,327,352,832    6.6%  2BS²D
    transformer.h.{i}.attn.c_proj.weight     12   14,495,514,624    5.0%  2BSD²
    transformer.h.{i}.mlp.c_fc.weight        12   57,982,058,496   19.9%  8BSD²
    transformer.h.{i}.mlp.c_proj.weight      12   57,982,058,496   19.9%  8BSD²
    lm_head.weight                            1   79,047,426,048   27.1%  2BSDV
    ─────────────────────────────────────────────────────────────────────────────────────
    total                                        291,648,307,200  100.0%
    (no room here for: each, backward)

    forward  = 24BSLD² + 4BS²LD + 2BSDV
             = 291,648,307,200   292 GFLOP
    backward = 48BSLD² + 8BS²LD + 4BSDV
             = 583,296,614,400   583 GFLOP
    step     = 72BSLD² + 12BS²LD + 6BSDV
             = 874,944,921,600   875 GFLOP

      B       1  sequences in the batch
      S   1,024  tokens of a sequence
      L      12  layers
      D     768  width
      V  50,257  vocabulary

For programs:

    $ reckon flops cs336-xl --format json
    {
      "version": 1,
      "model": "cs336-xl",
      "symbols": {"L": 48, "D": 1600, "V": 50257, "N": 25, "H": 64, "F": 6400, "B": 1, "S": 1024, "T": 1024},
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "forward": {"total": 4513336524800, "formula": "32BSLD² + 4BS²LD + 2BSDV"},
      "backward": {"total": 9026673049600, "formula": "64BSLD² + 8BS²LD + 4BSDV"},
      "step": {"total": 13540009574400, "formula": "96BSLD² + 12BS²LD + 6BSDV"},
      "rows": [
        {"path": "layers.attention.q", "op": "product", "times": 48, "forward": 5242880000, "backward": 10485760000, "formula": "2BSD²"},
        {"path": "layers.attention.k", "op": "product", "times": 48, "forward": 5242880000, "backward": 10485760000, "formula": "2BSD²"},
        {"path": "layers.attention.v", "op": "product", "times": 48, "forward": 5242880000, "backward": 10485760000, "formula": "2BSD²"},
        {"path": "layers.attention.scores", "op": "product", "times": 48, "forward": 3355443200, "backward": 6710886400, "formula": "2BS²D"},
        {"path": "layers.attention.context", "op": "product", "times": 48, "forward": 3355443200, "backward": 6710886400, "formula": "2BS²D"},
        {"path": "layers.attention.output", "op": "product", "times": 48, "forward": 5242880000, "backward": 10485760000, "formula": "2BSD²"},
        {"path": "layers.ffn.gate", "op": "product", "times": 48, "forward": 20971520000, "backward": 41943040000, "formula": "8BSD²"},
        {"path": "layers.ffn.up", "op": "product", "times": 48, "forward": 20971520000, "backward": 41943040000, "formula": "8BSD²"},
        {"path": "layers.ffn.down", "op": "product", "times": 48, "forward": 20971520000, "backward": 41943040000, "formula": "8BSD²"},
        {"path": "head.logits", "op": "product", "times": 1, "forward": 164682137600, "backward": 329364275200, "formula": "2BSDV"}
      ]
    }
    $ reckon flops gpt2 --depth 1 --format=json --factored
    {
      "version": 1,
      "model": "gpt2",
      "symbols": {"L": 12, "D": 768, "V": 50257, "N": 12, "H": 64, "F": 3072, "C": 1024, "B": 1, "S": 1024, "T": 1024},
      "convention": {"count": "matmul", "causal": "full", "unit": "flop"},
      "forward": {"total": 291648307200, "formula": "2BSD(12LD + 2SL + V)"},
      "backward": {"total": 583296614400, "formula": "4BSD(12LD + 2SL + V)"},
      "step": {"total": 874944921600, "formula": "6BSD(12LD + 2SL + V)"},
      "rows": [
        {"path": "layers", "times": 12, "forward": 17716740096, "backward": 35433480192, "formula": "4BSD(6D + S)"},
        {"path": "head", "times": 1, "forward": 79047426048, "backward": 158094852096, "formula": "2BSDV"}
      ]
    }

Every number that is set is shown as it was understood.

    $ reckon flops gpt2 B=2 S=1.5k --depth 1 | sed -n 2p
    B = 2 sequences in the batch, S = 1,500 tokens of a sequence
    $ reckon flops gpt2 S=1e6 --depth 1 | sed -n 2p
    B = 1 sequences in the batch, S = 1,000,000 tokens of a sequence
    $ reckon flops gpt2 S=16Ki --depth 1 | sed -n 2p
    B = 1 sequences in the batch, S = 16,384 tokens of a sequence

The tasks of a step: forward, then the gradient of each operand, and sums of what is used twice.

    $ reckon flops cs336-small --tasks B=1 S=64 | head -12
    cs336-small: the tasks of a training step
    B = 1 sequences in the batch, S = 64 tokens of a sequence
    Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked
    attention as the full square (--causal).
    Bytes: of numbers of 4 bytes, as if nothing stayed on the chip between tasks.

    task                                  times           each   bytes read      written      saved
    forward     embed.x                       1              0  154,389,760      196,608        512
    forward     layers.attention.normed      12              0      199,680      196,608    196,864
    forward     layers.attention.q           12     75,497,472    2,555,904      196,608    196,608
    forward     layers.attention.k           12     75,497,472    2,555,904      196,608    196,608
    forward     layers.attention.v           12     75,497,472    2,555,904      196,608    196,608
    $ reckon flops gpt2 B=1 S=8 --tasks --format csv | grep -e ^task -e ffn.up, -e accumulate
    task,path,layers,of,times,flops,read,written,saves
    forward,layers.ffn.up,,,12,37748736,9461760,98304,24576
    gradient,layers.ffn.up,,normed,12,37748736,9535488,24576,0
    gradient,layers.ffn.up,,transformer.h.{i}.mlp.c_fc.weight,12,37748736,122880,9437184,0
    accumulate,layers.ffn.normed,,x,12,0,49152,24576,0
    accumulate,layers.attention.q+k+v.part.2,,qkv,12,0,147456,73728,0
    accumulate,layers.attention.q+k+v.part,,qkv,12,0,147456,73728,0
    accumulate,layers.attention.normed,,x,12,0,49152,24576,0
    accumulate,embed.tokens,,transformer.wte.weight,1,0,308779008,154389504,0
    $ reckon flops gpt2 B=1 S=8 --tasks --step --format json | tail -4
        {"task": "update", "path": "head", "of": "transformer.ln_f.weight", "times": 1, "flops": 10752, "read": 12288, "written": 9216, "saves": 0},
        {"task": "update", "path": "head", "of": "transformer.ln_f.bias", "times": 1, "flops": 10752, "read": 12288, "written": 9216, "saves": 0}
      ]
    }
