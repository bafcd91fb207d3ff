What a model file has to say of a model stands under the title, where its condition holds. T5 1.1 and Flan-T5 publish
a head of their own:

    $ cat > flan.json <<'END'
    > {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "d_model": 768, "d_ff": 2048, "d_kv": 64,
    >  "num_layers": 12, "num_heads": 12, "vocab_size": 32128, "feed_forward_proj": "gated-gelu",
    >  "tie_word_embeddings": false, "n_positions": 512}
    > END
    $ reckon flan.json | sed -n 1,9p
    flan: 248 million parameters
    12 encoder layers, 12 decoder layers, width 768, 12 heads of 64, FFN 2,048, vocabulary 32,128,
    context 512
    relative position bias made in the first layer and shared by all, no biases, plain or gated FFN
    The head is counted as a tensor of its own, as the published files have it (tie_word_embeddings is
    false). transformers 5 ties it to the embedding when it reads them, and has V × D fewer.
    B = 1 sequences in the batch, S = 512 tokens of the source, U = 512 tokens of the target

    parameters      247,577,856      248 M  12·Le·D·N·H + 6·Le·D·F + 5·Le·D + 2DV + 2D + 2NQ
    $ reckon params flan.json | sed -n 1,5p
    flan: 248 million parameters
    relative position bias made in the first layer and shared by all, no biases, plain or gated FFN
    The head is counted as a tensor of its own, as the published files have it (tie_word_embeddings is
    false). transformers 5 ties it to the embedding when it reads them, and has V × D fewer.
    $ reckon memory flan.json --attention eager --dtype bf16 | sed -n 1,4p
    flan: memory of a training step
    The head is counted as a tensor of its own, as the published files have it (tie_word_embeddings is
    false). transformers 5 ties it to the embedding when it reads them, and has V × D fewer.
    B = 1 sequences in the batch, S = 512 tokens of the source, U = 512 tokens of the target

Files that transformers 5 writes have a tied head, as the first T5 has, and an encoder has none:

    $ sed 's/"n_positions"/"scale_decoder_outputs": false, &/' flan.json > again.json
    $ reckon params again.json | sed -n 1,3p
    again: 223 million parameters
    relative position bias made in the first layer and shared by all, no biases, plain or gated FFN
    $ reckon t5-large | sed -n 4,5p
    relative position bias made in the first layer and shared by all, no biases, plain or gated FFN
    B = 1 sequences in the batch, S = 512 tokens of the source, U = 512 tokens of the target
    $ sed 's/T5ForConditionalGeneration/T5EncoderModel/' flan.json > reads.json
    $ reckon params reads.json | sed -n 1,3p
    reads: 110 million parameters
    relative position bias made in the first layer and shared by all, no biases, plain or gated FFN

Programs get a list, where there are any:

    $ reckon flan.json --format json | sed -n 1,4p
    {
      "version": 1,
      "model": "flan",
      "notes": ["The head is counted as a tensor of its own, as the published files have it (tie_word_embeddings is false). transformers 5 ties it to the embedding when it reads them, and has V × D fewer."],
    $ reckon params flan.json --format json | sed -n 2,3p
      "version": 1,
      "model": "flan",
    $ reckon memory flan.json --attention eager --format json | sed -n 2,5p
      "version": 1,
      "model": "flan",
      "notes": ["The head is counted as a tensor of its own, as the published files have it (tie_word_embeddings is false). transformers 5 ties it to the embedding when it reads them, and has V × D fewer."],
      "symbols": {"Le": 12, "L": 12, "D": 768, "V": 32128, "N": 12, "H": 64, "F": 2048, "Q": 32, "B": 1, "S": 512, "U": 512, "R": 512, "T": 512, "C": 2},
    $ reckon params gpt2 --format json | grep -c notes
    0
    [1]

Other formats have them in their own way; no other page has them:

    $ reckon params flan.json --format md | grep -A 1 'The head is'
    *The head is counted as a tensor of its own, as the published files have it (tie\_word\_embeddings is false). transformers 5 ties it to the embedding when it reads them, and has V × D fewer.*
    $ reckon params flan.json --format latex | grep 'The head is'
    % flan: 248 million parameters; relative position bias made in the first layer and shared by all, no biases, plain or gated FFN; The head is counted as a tensor of its own, as the published files have it (tie_word_embeddings is false). transformers 5 ties it to the embedding when it reads them, and has V × D fewer.
    $ reckon params flan.json --format html | grep 'The head is'
    <p class="note">The head is counted as a tensor of its own, as the published files have it (tie_word_embeddings is false). transformers 5 ties it to the embedding when it reads them, and has V × D fewer.</p>
    $ reckon flops flan.json --causal full | grep -c 'The head is'
    0
    [1]
    $ reckon params flan.json --format csv | grep -c 'The head is'
    0
    [1]

The layer that predicts the token after next is published and not counted, unless it is asked for:

    $ reckon params deepseek-v3 | sed -n 1,4p
    deepseek-v3: 671 billion parameters
    multi-latent attention; the first layers dense, then shared and A of E routed experts
    Published files hold one more layer, which predicts the token after next; it is not counted, as the
    reference implementation leaves it out (mtp=with counts it).
    $ reckon params deepseek-v3 mtp=with | sed -n 1,3p
    deepseek-v3: 684 billion parameters
    multi-latent attention; the first layers dense, then shared and A of E routed experts
    $ reckon params glm-4.5 | sed -n 1,4p
    glm-4.5: 353 billion parameters
    half of each head rotates; the first layers dense, then shared and A of E routed experts
    Published files hold one more layer, which predicts the token after next; it is not counted, as the
    reference implementation leaves it out.

A condition may be about the run; one without a number waits:

    $ cat > own.rk <<'END'
    > model own: "a product"
    > let D = 8 "width"
    > let Q     "without a number"
    > run S = 4 "tokens"
    > note "Said always: 100 % of <it> & $more."
    > note "Q is large." if Q > 3
    > if S > 100:
    >     note "Many tokens."
    > note "Very many." if S > 1000
    > input x[S D]
    > note[S D'] = x[S D] * .w[D' D]
    > output note
    > END
    $ reckon params own.rk | sed -n 1,4p
    own: 64 parameters
    a product
    Said always: 100 % of <it> & $more.
    $ reckon params own.rk Q=4 S=101 | sed -n 3,6p
    Said always: 100 % of <it> & $more.
    Q is large.
    Many tokens.
    $ reckon own.rk S=1K | sed -n 4,7p
    Said always: 100 % of <it> & $more.
    Many tokens.
    Very many.
    S = 1,024 tokens
    $ reckon params own.rk --format html | grep Said
    <p class="note">Said always: 100 % of &#60;it&#62; &#38; $more.</p>

A config that the reference implementation refuses is counted where the refusal changes no count, and a note says so:

    $ printf '{"model_type": "llama", "rope_scaling": {"rope_type": "yarn"}}' > yarn.json
    $ reckon params yarn.json | sed -n 3p
    transformers refuses this config: rope_scaling of the type yarn has no 'factor'.
    $ printf '{"model_type": "llama", "rope_parameters": {"rope_type": "spi\\u001bral"}}' > spiral.json
    $ reckon params spiral.json | sed -n 3,4p
    transformers refuses this config: rope_parameters has the type 'spi\x1bral', which it does not know.
    $ printf '{"model_type": "qwen3", "pad_token_id": 32000, "vocab_size": 32000}' > pad.json
    $ reckon params pad.json | sed -n 3p
    transformers refuses this config: pad_token_id is not below vocab_size.
    $ printf '{"model_type": "llama", "hidden_size": 100, "num_attention_heads": 6, "head_dim": 16}' > wide.json
    $ reckon params wide.json | sed -n 3p
    transformers refuses this config: hidden_size is not a multiple of num_attention_heads.
    $ printf '{"model_type": "qwen3", "head_dim": 19}' > odd.json
    $ reckon params odd.json | sed -n 3,4p
    transformers builds this model and cannot run it: its heads have an odd width, and pairs of elements
    rotate.
    $ printf '{"model_type": "phi3", "rope_scaling": {"type": "longrope", "short_factor": [1.0], "long_factor": [1.0]}}' > long.json
    $ reckon params long.json --format json | grep notes
      "notes": ["transformers refuses this config: short_factor and long_factor must have half as many numbers as elements of a head rotate."],

Of families that do not look at the key, there is nothing to say:

    $ printf '{"model_type": "gpt2", "pad_token_id": 50257, "vocab_size": 50257}' > pad2.json
    $ reckon params pad2.json | sed -n 3p
