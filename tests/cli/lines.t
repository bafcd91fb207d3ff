Lines of blocks, with the names and sizes of their calls:

    $ reckon lines llama-3.1-8b | sed -n '/^layers.ffn/,/^head/p'
    layers.ffn
      normed[B S D] = rmsnorm(x[B S D], .post_         32        4,096                  0  2,148,007,936
        attention_layernorm.weight[D], D)
      gate[B S F] = normed[B S D] * .gate_proj.        32   58,720,256    481,036,337,152  8,589,934,592
        weight[F D]
      up[B S F] = normed[B S D] * .up_proj.            32   58,720,256    481,036,337,152  8,589,934,592
        weight[F D]
      activated[B S F] = silu(gate[B S F])             32            0                  0  3,758,096,384
      hidden[B S F] = activated[B S F] * up[B S F]     32            0                  0  3,758,096,384
      down[B S D] = hidden[B S F] * .down_proj.        32   58,720,256    481,036,337,152  3,758,096,384
        weight[D F]
      x[B S D] = x[B S D] + down[B S D]                32            0                  0  2,147,483,648
    head

Layers of two kinds are listed one after the other, and programs get the rest:

    $ reckon lines deepseek-v3 --format json | grep -c '"path": "layers.attention.scores"'
    2

    $ reckon lines gpt2 --format json | grep -F 'scores['
        {"line": "scores[B N S T] = q[B S N H] * k[B T N H] where causal(S, T)", "path": "layers.attention.scores", "part": "attention", "times": 12, "summed": "H", "file": "models/blocks/common.rk", "file_line": 59, "parameters": 0, "parameters_all": 0, "forward": 1610612736, "forward_formula": "2BS²D", "forward_all": 19327352832, "backward": 3221225472, "saved": 0},
        {"line": "probs[B N S T] = softmax(scores[B N S T], T)", "path": "layers.attention.probs", "part": "attention", "times": 12, "file": "models/blocks/common.rk", "file_line": 60, "parameters": 0, "parameters_all": 0, "forward": 0, "forward_all": 0, "backward": 0, "saved": 0},

The terms of a closed form, with the parts that add to them:

    $ reckon derive gpt2 params --format json | sed -n '/"terms"/,/^    }/p'
      "terms": [
        {
          "formula": "12LD²",
          "latex": "12LD^{2}",
          "value": 84934656,
          "share": 0.682536,
          "parts": [
            {"part": "attention", "formula": "4LD²", "value": 28311552},
            {"part": "ffn", "formula": "8LD²", "value": 56623104}
          ]
        },
