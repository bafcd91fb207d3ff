The timeline of a step as a table: a row for each operation of each layer. The largest sum of all is the peak.

    $ reckon memory gpt2 L=2 B=2 S=64 --timeline step.csv --format json | grep '"peak":'
      "peak": 1259005440,
        {"recipe": "fp32", "bytes_per_parameter": 16.00, "peak": 1259005440, "chosen": true},
        {"recipe": "mixed", "bytes_per_parameter": 16.00, "peak": 1091750400, "chosen": false},
        {"recipe": "bf16", "bytes_per_parameter": 8.00, "peak": 663065088, "chosen": false},
        {"recipe": "megatron", "bytes_per_parameter": 18.00, "peak": 1275870720, "chosen": false},
        {"recipe": "lora", "bytes_per_parameter": 2.02, "peak": 274945536, "chosen": false},
        {"recipe": "qlora", "bytes_per_parameter": 1.64, "peak": 254596608, "chosen": false}
        {"option": "--loss fused", "text": "a fused loss, by chunks", "peak": 1078885376},
        {"option": "--optimizer adam8bit", "text": "optimizer states in 8 bits", "peak": 759308800},
        {"option": "--weights nf4 --lora 16", "text": "4-bit weights, LoRA trained", "peak": 264383488}
    $ tr -d '\r' < step.csv | head -n 4
    step,phase,operation,layer,bytes,weights,optimizer,gradients,workspace,cache,kept,activation_gradients,temporary
    0,forward,embed.tokens,,735982080,214244352,428503040,0,67108864,0,1024,0,26124800
    1,forward,embed.position_embeds.position,,735982592,214244352,428503040,0,67108864,0,1024,0,26125312
    2,forward,embed.position_embeds,,736179200,214244352,428503040,0,67108864,0,1536,0,26321408
    $ tr -d '\r' < step.csv | tail -n 2
    113,backward,embed.tokens,,1259005440,214244352,428503040,523023360,67108864,0,1024,393216,25731584
    114,optimizer,,,949832192,214244352,428503040,214244352,67108864,0,0,0,25731584
    $ tr -d '\r' < step.csv | awk -F, 'NR > 1 && $5 > most { most = $5; at = $2 " " $3 } END { printf "%.0f %s\n", most, at }'
    1259005440 backward embed.tokens
    $ tr -d '\r' < step.csv | awk -F, 'NR > 1 { for (i = 6; i <= NF; i++) $5 -= $i; if ($5) wrong++ } END { print wrong + 0 }'
    0
    $ tr -d '\r' < step.csv | cut -d, -f2 | sort | uniq -c | sed 's/^ *//'
    57 backward
    54 forward
    3 loss
    1 optimizer
    1 phase

Layers that are computed again are there twice; a prefill has one pass.

    $ reckon memory gpt2 L=2 B=2 S=64 --recompute full --timeline again.csv > page
    $ tr -d '\r' < again.csv | cut -d, -f2 | sort | uniq -c | sed 's/^ *//'
    57 backward
    54 forward
    3 loss
    1 optimizer
    1 phase
    48 recompute
    $ reckon memory gpt2 L=2 B=2 S=64 --phase prefill --timeline read.csv > page
    $ tr -d '\r' < read.csv | cut -d, -f2 | sort -u
    forward
    phase

The same as a picture, which is one file of text.

    $ reckon memory gpt2-xl B=4 --timeline step.svg > page
    $ head -n 3 step.svg | cut -c 1-60
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 460
    <title>gpt2-xl: memory of a training step</title>
    <desc>B = 4, S = 1,024, peak 57,359,956,992 bytes (57.4 GB)<
    $ tail -n 1 step.svg
    </svg>
    $ grep -o '>[^<]*</text>' step.svg | grep -v '^>[0-9]*<'
    >gpt2-xl: memory of a training step</text>
    >B = 4, S = 1,024, peak 57,359,956,992 bytes (57.4 GB)</text>
    >alive (GB)</text>
    >forward</text>
    >loss</text>
    >backward</text>
    >optimizer</text>
    >operations in the order in which they are done; numbers of layers where they begin</text>
    >peak 57.4 GB: loss.log_softmax</text>
    >alive at the peak</text>
    >temporaries</text>
    >823 MB</text>
    >gradients of activations</text>
    >1.65 GB</text>
    >saved for backward</text>
    >36.1 GB</text>
    >workspace</text>
    >67.1 MB</text>
    >gradients of weights</text>
    >0 B</text>
    >optimizer state</text>
    >12.5 GB</text>
    >weights</text>
    >6.23 GB</text>
    $ grep -c '<path fill' step.svg
    7

A name of any kind is text in it.

    $ sed 's/^model [^:]*/model odd/' "$TOP/models/block-mlp.rk" > 'a<b>&"c.rk'
    $ reckon memory 'a<b>&"c.rk' D=8 L=4 --timeline odd.svg > page
    $ grep '<title>' odd.svg
    <title>a&#60;b&#62;&#38;&#34;c: memory of a training step</title>

Other endings, and what has no order in time:

    $ reckon memory gpt2 --timeline step.png
    reckon: --timeline 'step.png': its name must end in .svg (a picture) or .csv (a table)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --timeline .svg
    reckon: --timeline '.svg': its name must end in .svg (a picture) or .csv (a table)
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --timeline
    reckon: --timeline needs a value: FILE
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --profile textbook --timeline step.svg
    reckon: --timeline and --profile textbook: a derivation by hand has no order in time
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --timeline nowhere/step.svg
    reckon: nowhere/step.svg: cannot write: No such file or directory
    [4]
    $ reckon memory gpt2 L=100000 --timeline step.csv
    reckon: the timeline has 4800019 rows, more than a table may have (1048576): take fewer layers, or a picture (--timeline FILE.svg)
    [1]

Births and deaths of all buffers, as the allocator is asked for them: each is born once and dies once, and the largest
sum of what is alive is what was requested beside weights, the optimizer's state and workspaces.

    $ reckon memory gpt2 L=2 B=2 S=64 --timeline events.csv --events --format json | grep '"allocator":'
      "allocator": {"requested": 1260039792, "allocated": 1266508288, "reserved": 1417674752, "first_step": {"forward": 324725248, "backward": 809018368, "optimizer": 929784320}},
    $ tr -d '\r' < events.csv | head -n 5
    event,phase,operation,layer,change,buffer,kind,of,what,bytes
    0,forward,,,birth,0,temporary,ids,,1024
    1,forward,embed.tokens,,birth,1,temporary,embed.tokens,,393216
    2,forward,embed.position_embeds.position,,birth,2,temporary,embed.position_embeds.position,,512
    3,forward,embed.position_embeds,,birth,3,temporary,embed.position_embeds,,196608
    $ tr -d '\r' < events.csv | awk -F, 'NR > 1 { n[$6] += $5 == "birth" ? 1 : -1; if (n[$6] < 0 || n[$6] > 1) wrong++ } END { for (i in n) wrong += n[i]; print wrong + 0 }'
    0
    $ tr -d '\r' < events.csv | awk -F, 'NR > 1 { sum += $5 == "birth" ? $10 : -$10; if (sum > most) most = sum } END { print most, sum }'
    549149184 0
    $ reckon memory gpt2 --events
    reckon: --events: say where they go: --timeline FILE.csv
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --events --timeline step.svg
    reckon: --events: say where they go: --timeline FILE.csv
    reckon: 'reckon help memory' says how it is used
    [2]
