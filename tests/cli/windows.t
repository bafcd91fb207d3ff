Fused attention is handed a mask where a window is not longer than the sequence: keys and values are then repeated, and
each layer keeps its mask.

    $ cat > window.json <<'END'
    > {"model_type": "mistral", "hidden_size": 512, "intermediate_size": 1024, "num_hidden_layers": 3,
    >  "num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 4096, "sliding_window": 64}
    > END
    $ reckon sweep window.json S=63,64,250 B=3 --of memory.saved --dtype bf16 --format csv
    S,memory.saved
    63,14654608
    64,15845684
    250,62734052
    $ reckon sweep window.json S=63,64,250 B=3 --of memory.saved --dtype fp32 --format csv
    S,memory.saved
    63,26343328
    64,25766196
    250,102378780
    $ reckon memory window.json S=250 B=3 --dtype bf16 | grep attention_mask
    [1]
    $ reckon memory window.json S=63 B=3 --dtype bf16 | grep attention_mask
    [1]

A search over lengths opens the model again on the other side of the window: from either side the same.

    $ reckon fit window.json --memory 1GB --dtype fp32 S=32 --reserve 0 --format json | grep '"length"'
      "length": {"symbol": "S", "largest": 3072, "needs": 952107008, "next_needs": 1000341504, "bounded": false},
    $ reckon fit window.json --memory 1GB --dtype fp32 S=100 --reserve 0 --format json | grep '"length"'
      "length": {"symbol": "S", "largest": 3072, "needs": 952107008, "next_needs": 1000341504, "bounded": false},
