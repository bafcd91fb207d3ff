CSV is for programs: a head, exact counts, no sums of other rows, and lines as RFC 4180 ends them:

    $ reckon params gpt2 --format csv | tr -d '\r'
    part,tensor,shape,count,times,total,share,formula,tied_to
    embed,transformer.wte.weight,50257x768,38597376,1,38597376,0.310169,DV,
    embed,transformer.wpe.weight,1024x768,786432,1,786432,0.006320,DC,
    layers.attention,transformer.h.{i}.ln_1.weight,768,768,12,9216,0.000074,D,
    layers.attention,transformer.h.{i}.ln_1.bias,768,768,12,9216,0.000074,D,
    layers.attention,transformer.h.{i}.attn.c_attn.weight,768x2304,1769472,12,21233664,0.170634,3D²,
    layers.attention,transformer.h.{i}.attn.c_attn.bias,2304,2304,12,27648,0.000222,3D,
    layers.attention,transformer.h.{i}.attn.c_proj.weight,768x768,589824,12,7077888,0.056878,D²,
    layers.attention,transformer.h.{i}.attn.c_proj.bias,768,768,12,9216,0.000074,D,
    layers.ffn,transformer.h.{i}.ln_2.weight,768,768,12,9216,0.000074,D,
    layers.ffn,transformer.h.{i}.ln_2.bias,768,768,12,9216,0.000074,D,
    layers.ffn,transformer.h.{i}.mlp.c_fc.weight,768x3072,2359296,12,28311552,0.227512,4D²,
    layers.ffn,transformer.h.{i}.mlp.c_fc.bias,3072,3072,12,36864,0.000296,F,
    layers.ffn,transformer.h.{i}.mlp.c_proj.weight,3072x768,2359296,12,28311552,0.227512,4D²,
    layers.ffn,transformer.h.{i}.mlp.c_proj.bias,768,768,12,9216,0.000074,D,
    head,transformer.ln_f.weight,768,768,1,768,0.000006,D,
    head,transformer.ln_f.bias,768,768,1,768,0.000006,D,
    head,lm_head.weight,50257x768,0,1,0,0.000000,0,transformer.wte.weight
    $ reckon flops gpt2 --format csv | tr -d '\r'
    path,op,layers,times,forward,backward,share,formula
    layers.attention.qkv,product,,12,3623878656,7247757312,0.149106,6BSD²
    layers.attention.scores,product,,12,1610612736,3221225472,0.066269,2BS²D
    layers.attention.context,product,,12,1610612736,3221225472,0.066269,2BS²D
    layers.attention.output,product,,12,1207959552,2415919104,0.049702,2BSD²
    layers.ffn.up,product,,12,4831838208,9663676416,0.198808,8BSD²
    layers.ffn.down,product,,12,4831838208,9663676416,0.198808,8BSD²
    head.logits,product,,1,79047426048,158094852096,0.271037,2BSDV
    $ reckon flops gpt2 --format csv | grep -c "$(printf '\r')\$"
    8
    $ reckon derive llama flops layers.ffn --format csv | tr -d '\r'
    path,layers,file,line,equation,here,tensor,rule,times,formula,value
    layers.ffn.gate,,models/blocks/common.rk,4,y[.. O] = x[.. I] * .{name}.weight[O I],gate[B S F] = normed[B S D] * .gate_proj.weight[F D],model.layers.{i}.mlp.gate_proj.weight,summed over D: 2 × B·S·F·D,L,2BSDF,184683593728
    layers.ffn.up,,models/blocks/common.rk,4,y[.. O] = x[.. I] * .{name}.weight[O I],up[B S F] = normed[B S D] * .up_proj.weight[F D],model.layers.{i}.mlp.up_proj.weight,summed over D: 2 × B·S·F·D,L,2BSDF,184683593728
    layers.ffn.down,,models/blocks/common.rk,4,y[.. O] = x[.. I] * .{name}.weight[O I],down[B S D] = hidden[B S F] * .down_proj.weight[D F],model.layers.{i}.mlp.down_proj.weight,summed over F: 2 × B·S·D·F,L,2BSDF,184683593728

A column adds up to the total:

    $ reckon params deepseek-v3 --format csv | awk -F, 'NR > 1 { n += $(NF - 3) } END { printf "%.0f\n", n }'
    671026404352
    $ reckon params deepseek-v3 --format json | sed -n 's/.*"stored": \([0-9]*\).*/\1/p'
    671026404352
    $ reckon flops gpt2-xl --format csv | awk -F, 'NR > 1 { n += $4 * $5 } END { printf "%.0f\n", n }'
    3506703564800
    $ reckon flops gpt2-xl --depth 1 --format csv | awk -F, 'NR > 1 { n += $4 * $5 } END { printf "%.0f\n", n }'
    3506703564800

Each tensor, layers of several kinds, tensors instead of parts; fields with commas are quoted:

    $ reckon params gpt2 L=1 --all --format csv | tr -d '\r'
    name,shape,count,dtype,bytes,tied_to
    transformer.wte.weight,50257x768,38597376,,,
    transformer.wpe.weight,1024x768,786432,,,
    transformer.h.0.ln_1.weight,768,768,,,
    transformer.h.0.ln_1.bias,768,768,,,
    transformer.h.0.attn.c_attn.weight,768x2304,1769472,,,
    transformer.h.0.attn.c_attn.bias,2304,2304,,,
    transformer.h.0.attn.c_proj.weight,768x768,589824,,,
    transformer.h.0.attn.c_proj.bias,768,768,,,
    transformer.h.0.ln_2.weight,768,768,,,
    transformer.h.0.ln_2.bias,768,768,,,
    transformer.h.0.mlp.c_fc.weight,768x3072,2359296,,,
    transformer.h.0.mlp.c_fc.bias,3072,3072,,,
    transformer.h.0.mlp.c_proj.weight,3072x768,2359296,,,
    transformer.h.0.mlp.c_proj.bias,768,768,,,
    transformer.ln_f.weight,768,768,,,
    transformer.ln_f.bias,768,768,,,
    lm_head.weight,50257x768,38597376,,,transformer.wte.weight
    $ reckon flops deepseek-v3 --depth 2 --format csv | tr -d '\r'
    path,op,layers,times,forward,backward,share,formula
    layers.attention,,0-2,3,2907155988480,5814311976960,0.022720,2BS²NP + 2BS²NR + 2BS²NW + 2BSDNW + 2BSDQ + 2BSDC + 2BSDR + 2BSNQP + 2BSNQR + 2BSNCP + 2BSNCW
    layers.ffn,,0-2,3,3246995275776,6493990551552,0.025376,6BSDF
    layers.attention,,3-60,58,2907155988480,5814311976960,0.439254,2BS²NP + 2BS²NR + 2BS²NW + 2BSDNW + 2BSDQ + 2BSDC + 2BSDR + 2BSNQP + 2BSNQR + 2BSNCP + 2BSNCW
    layers.ffn,,3-60,58,3262027661312,6524055322624,0.492873,6BSDMA + 6BSDMX + 2BSDE
    head.logits,product,,1,7591354695680,15182709391360,0.019776,2BSDV
    $ reckon flops gpt2 --by tensor --format csv | tr -d '\r' | tail -n 2
    transformer.h.{i}.mlp.c_proj.weight,,,12,4831838208,9663676416,0.198808,8BSD²
    lm_head.weight,,,1,79047426048,158094852096,0.271037,2BSDV
    $ reckon models --format csv | tr -d '\r' | grep -e '^name,' -e '^gpt2-xl,' -e '^vlm-784,'
    name,kind,family,parameters,text,layers,width,context
    gpt2-xl,config,gpt2,1557611200,config.json of openai-community/gpt2-xl,48,1600,1024
    vlm-784,model file,vlm-784,,"a small image-and-text model: 784 image tokens, a projector, one text layer",,,
    $ reckon ops --format csv | tr -d '\r' | grep -e '^name' -e softmax
    name,forward,backward,per,text
    log_softmax,4,4,element of the first operand,x - log(Σexp(x)) along an axis
    softmax,4,4,element of the first operand,exp(x - max) / Σexp(x - max) along an axis
    sdpa,0,0,,"attention in one operation: softmax of queries times keys, times values"
    cross_entropy,4,2,element of the first operand,mean of -log softmax at the wanted class

Markdown:

    $ reckon gpt2 --format md
    # gpt2: 124 million parameters

    12 layers of width 768, 12 heads of 64, FFN 3,072, vocabulary 50,257, context 1,024

    learned positions, biases, weights stored \[in out\], fused query, key and value, tied head

    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

    | | | | |
    |:---|---:|---:|:---|
    | parameters | 124,439,808 | 124 M | 12LD² + 13LD + DV + DC + 2D |
    | forward | 291,648,307,200 | 292 GFLOP | 24BSLD² + 4BS²LD + 2BSDV |
    | backward | 583,296,614,400 | 583 GFLOP | 2 × forward |
    | step | 874,944,921,600 | 875 GFLOP | 3 × forward |

    | | parameters | share | FLOP | per token | share |
    |:---|---:|---:|---:|---:|---:|
    | `embed` | 39.4 M | 31.6% | 0 | 0 | 0.0% |
    | `layers × 12` | 85.1 M | 68.3% | 213 G | 208 M | 72.9% |
    | &emsp;`attention` | 28.4 M | 22.8% | 96.6 G | 94.4 M | 33.1% |
    | &emsp;`ffn` | 56.7 M | 45.6% | 116 G | 113 M | 39.8% |
    | `head` | 1,536 | 0.0% | 79.0 G | 77.2 M | 27.1% |
    | **total** | **124 M** | **100.0%** | **292 G** | **285 M** | **100.0%** |

    | memory | bytes | | | smallest device |
    |:---|---:|---:|---:|:---|
    | load, in 32 bits | 497,759,232 | 498 MB | 475 MiB | rtx-4090 (24 GB) |
    | load, in 16 bits | 248,879,616 | 249 MB | 237 MiB | rtx-4090 (24 GB) |
    | load, in 8 bits | 124,439,808 | 124 MB | 119 MiB | rtx-4090 (24 GB) |
    | load, in 4 bits | 62,219,904 | 62.2 MB | 59.3 MiB | rtx-4090 (24 GB) |
    | serve 1 × 1,024, context | 609,981,952 | 610 MB | 582 MiB | rtx-4090 (24 GB) |
    | fine-tune 1 × 1,024, fp32 | 3,447,946,240 | 3.45 GB | 3.21 GiB | rtx-4090 (24 GB) |
    | fine-tune 1 × 1,024, lora | 1,498,135,040 | 1.50 GB | 1.40 GiB | rtx-4090 (24 GB) |
    | fine-tune 1 × 1,024, qlora | 1,376,041,472 | 1.38 GB | 1.28 GiB | rtx-4090 (24 GB) |

    Cache: 73,728 bytes for one more token, 75.5 MB for a sequence of 1,024.

    L = 12 layers, D = 768 width, V = 50,257 vocabulary, C = 1,024 learned positions

    *Counted: products, multiply and add as two, masked attention as a full square.*

    | | |
    |:---|:---|
    | `reckon fit gpt2 --device h100` | what fits: batch, length, devices |
    | `reckon memory gpt2` | a step's peak, and what lowers it |
    | `reckon report gpt2` | all of it, with pictures |

    Also params, flops and derive: every tensor, every operation, every formula.
    $ reckon flops gpt2 --format md
    # gpt2: FLOPs of a forward and a backward pass

    B = 1 sequences in the batch, S = 1,024 tokens of a sequence

    *Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked attention as the full square (--causal).*

    | | times | each | forward | backward | share | formula of each |
    |:---|---:|---:|---:|---:|---:|:---|
    | `layers` | 12 | 17,716,740,096 | 212,600,881,152 | 425,201,762,304 | 72.9% | 24BSD² + 4BS²D |
    | &emsp;`attention` | 12 | 8,053,063,680 | 96,636,764,160 | 193,273,528,320 | 33.1% | 8BSD² + 4BS²D |
    | &emsp;&emsp;`qkv` | 12 | 3,623,878,656 | 43,486,543,872 | 86,973,087,744 | 14.9% | 6BSD² |
    | &emsp;&emsp;`scores` | 12 | 1,610,612,736 | 19,327,352,832 | 38,654,705,664 | 6.6% | 2BS²D |
    | &emsp;&emsp;`context` | 12 | 1,610,612,736 | 19,327,352,832 | 38,654,705,664 | 6.6% | 2BS²D |
    | &emsp;&emsp;`output` | 12 | 1,207,959,552 | 14,495,514,624 | 28,991,029,248 | 5.0% | 2BSD² |
    | &emsp;`ffn` | 12 | 9,663,676,416 | 115,964,116,992 | 231,928,233,984 | 39.8% | 16BSD² |
    | &emsp;&emsp;`up` | 12 | 4,831,838,208 | 57,982,058,496 | 115,964,116,992 | 19.9% | 8BSD² |
    | &emsp;&emsp;`down` | 12 | 4,831,838,208 | 57,982,058,496 | 115,964,116,992 | 19.9% | 8BSD² |
    | `head.logits` | 1 | 79,047,426,048 | 79,047,426,048 | 158,094,852,096 | 27.1% | 2BSDV |
    | **total** | | | **291,648,307,200** | **583,296,614,400** | **100.0%** | |

    ```text
    forward  = 24BSLD² + 4BS²LD + 2BSDV
             = 291,648,307,200   292 GFLOP
    backward = 48BSLD² + 8BS²LD + 4BSDV
             = 583,296,614,400   583 GFLOP
    step     = 72BSLD² + 12BS²LD + 6BSDV
             = 874,944,921,600   875 GFLOP
    ```

    | | | |
    |:---|---:|:---|
    | B | 1 | sequences in the batch |
    | S | 1,024 | tokens of a sequence |
    | L | 12 | layers |
    | D | 768 | width |
    | V | 50,257 | vocabulary |
    $ reckon derive block flops ffn --format md
    # block, ffn: forward FLOPs, line by line

    *Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked attention as the full square (--causal).*

    | | | | |
    |:---|---:|:---|:---|
    | B | 1 | | sequences in the batch |
    | S | 1,024 | | tokens of a sequence |
    | T | 1,024 | S | keys seen: cache and new |
    | D | | | width |
    | N | | | heads |
    | H | | D/N | head width |
    | F | | | FFN width |

    ## ffn

    `gate[B S F] = normed[B S D] * .w1.weight[F D]`

    summed over D: 2 × B·S·F·D

    ```text
    gate = 2BSDF
    ```

    `up[B S F] = normed[B S D] * .w3.weight[F D]`

    summed over D: 2 × B·S·F·D

    ```text
    up = 2BSDF
    ```

    `down[B S D] = hidden[B S F] * .w2.weight[D F]`

    summed over F: 2 × B·S·D·F

    ```text
    down = 2BSDF
    ```

    ```text
    ffn = gate + up + down
        = 6BSDF
    ```

    ```text
    total = ffn
          = 6BSDF
    ```
    $ printf 'model m: "a*b_c | <d> `e`"\nlet D = 4\nrun B = 1\ninput x[B D]\ny[B D'"'"'] = x[B D] * .w_1[D'"'"' D]\noutput y\n' > m.rk
    $ reckon params m.rk --format md
    # m: 16 parameters

    a\*b\_c \| \<d\> \`e\`

    | | shape | count | times | total | share | formula |
    |:---|---:|---:|---:|---:|---:|:---|
    | `w_1` | 4 × 4 | 16 | 1 | 16 | 100.0% | 16 |
    | **total** | | | | **16** | **100.0%** | |

    ```text
    stored = 16
    ```

LaTeX, to be included; the first line says what it needs:

    $ reckon flops gpt2 --format latex
    % gpt2: FLOPs of a forward and a backward pass; B = 1 sequences in the batch, S = 1,024 tokens of a sequence; Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked attention as the full square (--causal).
    % no room for: backward (FLOP) (--columns chooses)
    % \usepackage{amsmath,booktabs}
    \begin{tabular}{@{}lrrrrl@{}}
    \toprule
     & times & each (FLOP) & forward (FLOP) & share & formula of each \\
    \midrule
    \texttt{layers} & $12$ & 17.7 G & 213 G & 72.9\% & $24BSD^{2} + 4BS^{2}D$ \\
    \hspace{1em}\texttt{attention} & $12$ & 8.05 G & 96.6 G & 33.1\% & $8BSD^{2} + 4BS^{2}D$ \\
    \hspace{2em}\texttt{qkv} & $12$ & 3.62 G & 43.5 G & 14.9\% & $6BSD^{2}$ \\
    \hspace{2em}\texttt{scores} & $12$ & 1.61 G & 19.3 G & 6.6\% & $2BS^{2}D$ \\
    \hspace{2em}\texttt{context} & $12$ & 1.61 G & 19.3 G & 6.6\% & $2BS^{2}D$ \\
    \hspace{2em}\texttt{output} & $12$ & 1.21 G & 14.5 G & 5.0\% & $2BSD^{2}$ \\
    \hspace{1em}\texttt{ffn} & $12$ & 9.66 G & 116 G & 39.8\% & $16BSD^{2}$ \\
    \hspace{2em}\texttt{up} & $12$ & 4.83 G & 58.0 G & 19.9\% & $8BSD^{2}$ \\
    \hspace{2em}\texttt{down} & $12$ & 4.83 G & 58.0 G & 19.9\% & $8BSD^{2}$ \\
    \texttt{head.logits} & $1$ & 79.0 G & 79.0 G & 27.1\% & $2BSDV$ \\
    \midrule
    total &  &  & 292 G & 100.0\% &  \\
    \bottomrule
    \end{tabular}
    $ reckon params deepseek-v3 --depth 2 --format latex
    % deepseek-v3: 671 billion parameters; multi-latent attention; the first layers dense, then shared and A of E routed experts; Published files hold one more layer, which predicts the token after next; it is not counted, as the reference implementation leaves it out (mtp=with counts it).
    % no room for: count, formula (--columns chooses)
    % \usepackage{booktabs}
    \begin{tabular}{@{}lrrrr@{}}
    \toprule
     & shape & times & total & share \\
    \midrule
    \texttt{model.embed\_tokens.weight} & 129,280 $\times$ 7,168 & $1$ & 927 M & 0.1\% \\
    \texttt{layers[0-2] at model.layers.\{i\}} &  & $3$ & 1.75 B & 0.3\% \\
    \hspace{1em}\texttt{attention} &  & $3$ & 561 M & 0.1\% \\
    \hspace{1em}\texttt{ffn} &  & $3$ & 1.19 B & 0.2\% \\
    \texttt{layers[3-60] at model.layers.\{i\}} &  & $58$ & 667 B & 99.5\% \\
    \hspace{1em}\texttt{attention} &  & $58$ & 10.9 B & 1.6\% \\
    \hspace{1em}\texttt{ffn} &  & $58$ & 657 B & 97.8\% \\
    \texttt{head} &  & $1$ & 927 M & 0.1\% \\
    \hspace{1em}\texttt{model.norm.weight} & 7,168 & $1$ & 7,168 & 0.0\% \\
    \hspace{1em}\texttt{lm\_head.weight} & 129,280 $\times$ 7,168 & $1$ & 927 M & 0.1\% \\
    \midrule
    total &  &  & 671 B & 100.0\% \\
    \bottomrule
    \end{tabular}
    $ reckon params m.rk --format latex | grep -v '^.toprule\|^.bottomrule'
    % m: 16 parameters; a*b_c | <d> `e`
    % \usepackage{amsmath,booktabs}
    \begin{tabular}{@{}lrrrrrl@{}}
     & shape & count & times & total & share & formula \\
    \midrule
    \texttt{w\_1} & 4 $\times$ 4 & 16 & $1$ & 16 & 100.0\% & $16$ \\
    \midrule
    total &  &  &  & 16 & 100.0\% &  \\
    \end{tabular}
    $ reckon params deepseek-v3 --format latex | sed -n '1p;/begin{/p;/endhead/p;/end{/p'
    % deepseek-v3: 671 billion parameters; multi-latent attention; the first layers dense, then shared and A of E routed experts; Published files hold one more layer, which predicts the token after next; it is not counted, as the reference implementation leaves it out (mtp=with counts it).
    \begin{tabular}{@{}lrrr@{}}
    \end{tabular}
    $ reckon params gpt2-xl --format latex | sed -n '1p;/begin{/p;/endhead/p;/end{/p'
    % gpt2-xl: 1.56 billion parameters; learned positions, biases, weights stored [in out], fused query, key and value, tied head
    \begin{tabular}{@{}lrrrrl@{}}
    \end{tabular}
    $ reckon derive block flops ffn --format latex --factored | tail -n 5
    \medskip
    \noindent\quad$\begin{aligned}[t]
      \text{total} &= \text{ffn} \\
      &= 6BSDF
    \end{aligned}$\par

Columns of the tables by name, in that order; a table that has none of them is left out, the names of rows stay:

    $ reckon flops gpt2 --depth 2 --columns share,forward | head -n 11 | tail -n 6
                  share          forward
    layers        72.9%  212,600,881,152
      attention   33.1%   96,636,764,160
      ffn         39.8%  115,964,116,992
    head.logits   27.1%   79,047,426,048
    ────────────────────────────────────
    $ reckon flops gpt2 --depth 2 --columns path,forward --format csv | tr -d '\r'
    path,forward
    layers.attention,8053063680
    layers.ffn,9663676416
    head.logits,79047426048
    $ reckon params gpt2 --depth 1 --columns total,share --format md | grep '^|'
    | | total | share |
    |:---|---:|---:|
    | `embed` | 39,383,808 | 31.6% |
    | `layers` | 85,054,464 | 68.3% |
    | `head` | 1,536 | 0.0% |
    | **total** | **124,439,808** | **100.0%** |
    | | | |
    |:---|---:|:---|
    | L | 12 | layers |
    | D | 768 | width |
    | V | 50,257 | vocabulary |
    | C | 1,024 | learned positions |
    $ reckon memory gpt2 --columns bytes --format latex | grep -v '^%'
    \begin{tabular}{@{}lr@{}}
    \toprule
     & bytes \\
    \midrule
    weights & 498 MB \\
    optimizer state & 996 MB \\
    workspace & 67.1 MB \\
    saved for backward & 1.27 GB \\
    gradients of activations & 412 MB \\
    temporaries & 206 MB \\
    \midrule
    the peak & 3.45 GB \\
    \bottomrule
    \end{tabular}
    $ reckon sweep gpt2 S=1K,2K --of flops,flops.step --columns S,flops.step --format csv | tr -d '\r'
    S,flops.step
    1024,874944921600
    2048,1981818077184
    $ reckon flops gpt2 --columns fooward
    reckon: --columns: no table here has 'fooward'; did you mean 'forward'? (columns: times, each, forward, backward, share, formula of each)
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --columns ,
    reckon: --columns needs the names of columns: total,share
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon flops gpt2 --columns share --format json
    {"error": {"code": "usage", "where": null, "message": "--columns chooses columns of tables, and json has none: leave one out"}}
    [2]
    $ reckon derive gpt2 params --columns nothing
    reckon: --columns: there is no table here that has 'nothing'
    reckon: 'reckon help derive' says how it is used
    [2]

A table for a paper: sizes and figures of the models in one, its numbers rounded; what it is of stands before it:

    $ reckon compare gpt2 gpt2-xl --format latex
    % gpt2 and gpt2-xl; B = 1 sequences in the batch, S = 1,024 tokens of a sequence; In all of them: V = 50,257 vocabulary, H = 64 head width, C = 1,024 learned positions; Counted: products that sum over an index (--count); a multiply and its add are two (--unit); masked attention as the full square (--causal).
    % \usepackage{booktabs}
    \begin{tabular}{@{}lrrr@{}}
    \toprule
     & gpt2 & gpt2-xl & ratio \\
    \midrule
    $L$ layers & $12$ & $48$ & $\times$4 \\
    $D$ width & $768$ & $1{,}600$ & $\times$2.08 \\
    $N$ heads & $12$ & $25$ & $\times$2.08 \\
    $F$ FFN width & $3{,}072$ & $6{,}400$ & $\times$2.08 \\
    \midrule
    parameters & 124 M & 1.56 B & $\times$12.5 \\
    weights in bf16 & 249 MB & 3.12 GB & $\times$12.5 \\
    forward, FLOP & 292 G & 3.51 T & $\times$12 \\
    per token & 285 M & 3.42 G & $\times$12 \\
    \bottomrule
    \end{tabular}
    $ reckon gpt2 --format latex | sed -n '/toprule/,$p'
    \toprule
     & parameters & share & FLOP & per token & share \\
    \midrule
    \texttt{embed} & 39.4 M & 31.6\% & 0 & 0 & 0.0\% \\
    \texttt{layers $\times$ 12} & 85.1 M & 68.3\% & 213 G & 208 M & 72.9\% \\
    \hspace{1em}\texttt{attention} & 28.4 M & 22.8\% & 96.6 G & 94.4 M & 33.1\% \\
    \hspace{1em}\texttt{ffn} & 56.7 M & 45.6\% & 116 G & 113 M & 39.8\% \\
    \texttt{head} & 1,536 & 0.0\% & 79.0 G & 77.2 M & 27.1\% \\
    \midrule
    total & 124 M & 100.0\% & 292 G & 285 M & 100.0\% \\
    \bottomrule
    \end{tabular}
