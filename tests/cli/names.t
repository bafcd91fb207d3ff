Names as people type them.  Each line below is what was typed, and the names of the library that it may mean: the first of
these that is known must open; where none is, the name must be refused.  Whatever else opens is wrong.

    $ cat > names <<'END'
    > GPT-2-XL = gpt2-xl
    > gpt2xl = gpt2-xl
    > GPT2_XL = gpt2-xl
    > gpt-2 = gpt2
    > openai-community/gpt2-large = gpt2-large
    > gpt2 medium = gpt2-medium
    > gpt2-xxl = gpt2-xxl
    > gpt-3-175b = gpt-3-175b
    > gpt-3.5 = gpt-3.5
    > gpt-4 = gpt-4
    > gpt-5 = gpt-5
    > gpt-oss-20b = gpt-oss-20b
    > openai/gpt-oss-20b = gpt-oss-20b
    > gpt-oss-120b = gpt-oss-120b
    > GPT-OSS 120B = gpt-oss-120b
    > gpt_oss_120b = gpt-oss-120b
    > gpt-oss = gpt_oss
    > Llama-3-70B = llama-3-70b
    > llama3-8b = llama-3-8b
    > llama3_8b = llama-3-8b
    > Llama 3 8B = llama-3-8b
    > llama-3-8B-Instruct = llama-3-8b-instruct llama-3-8b
    > meta-llama/Meta-Llama-3-8B = llama-3-8b
    > Meta-Llama-3-70B = llama-3-70b
    > meta-llama/Llama-3.1-8B-Instruct = llama-3.1-8b-instruct
    > Meta-Llama-3.1-8B = llama-3.1-8b
    > Llama-3.1-70B-Instruct = llama-3.1-70b-instruct llama-3.1-70b
    > llama31-8b = llama-3.1-8b
    > llama-3.1-405b = llama-3.1-405b
    > meta-llama/Llama-3.1-405B-Instruct = llama-3.1-405b-instruct llama-3.1-405b
    > Llama-3.2-1B = llama-3.2-1b llama-3.2-1b-instruct
    > llama3.2-3b = llama-3.2-3b llama-3.2-3b-instruct
    > Llama-3.2-11B-Vision = llama-3.2-11b-vision llama-3.2-11b-vision-instruct
    > llama-3.3-70b = llama-3.3-70b llama-3.3-70b-instruct
    > llama-3.3 = llama-3.3-70b-instruct
    > llama-3.1-8b-it = llama-3.1-8b-instruct
    > llama-3-13b = llama-3-13b
    > Llama-2-7b-hf = llama-2-7b-hf llama-2-7b
    > Llama-2-7b-chat-hf = llama-2-7b-chat-hf llama-2-7b-chat llama-2-7b
    > meta-llama/Llama-2-13b-chat = llama-2-13b-chat llama-2-13b
    > llama2-7b = llama-2-7b
    > llama-2-70b = llama-2-70b
    > llama-7b = llama-7b
    > LLaMA-7B = llama-7b
    > llama:7b = llama-7b
    > huggyllama/llama-7b = llama-7b
    > llama-1-7b = llama-7b
    > llama1-13b = llama-13b
    > LLaMA 30B = llama-30b
    > llama-33b = llama-30b
    > llama-1-33b = llama-30b
    > llama-34b = llama-34b
    > llama-1-65b = llama-65b
    > llama-1-70b = llama-1-70b
    > llama-1 = llama-1
    > llama-3-405b = llama-3.1-405b
    > Llama 3 405B = llama-3.1-405b
    > llama3:405b-instruct-fp16 = llama-3.1-405b
    > meta-llama/Meta-Llama-3-405B = llama-3.1-405b
    > llama-3-90b = llama-3-90b
    > llama-4-scout = llama-4-scout-17b-16e llama-4-scout-17b-16e-instruct
    > Llama-4-Maverick = llama-4-maverick-17b-128e llama-4-maverick-17b-128e-instruct
    > TinyLlama-1.1B-Chat-v1.0 = tinyllama-1.1b-chat-v1.0 tinyllama-1.1b
    > vicuna-7b-v1.5 = vicuna-7b-v1.5
    > Qwen/Qwen2.5-32B = qwen2.5-32b
    > Qwen2.5-32B-Instruct = qwen2.5-32b-instruct qwen2.5-32b
    > qwen2.5-7b-instruct = qwen2.5-7b-instruct qwen2.5-7b
    > qwen25-7b = qwen2.5-7b
    > qwen-2.5-72b = qwen2.5-72b
    > Qwen2.5-Coder-32B-Instruct = qwen2.5-coder-32b-instruct qwen2.5-coder-32b
    > qwen2.5-1.5b = qwen2.5-1.5b
    > qwen2-7b = qwen2-7b qwen2-7b-instruct
    > qwen2-57b-a14b = qwen2-57b-a14b
    > qwen1.5-7b = qwen1.5-7b qwen1.5-7b-chat
    > Qwen3-8B = qwen3-8b
    > qwen3-14b = qwen3-14b
    > qwen3-32b = qwen3-32b
    > Qwen 3 0.6B = qwen3-0.6b
    > qwen3-30b = qwen3-30b-a3b
    > qwen3-235b = qwen3-235b-a22b
    > Qwen3-4B-Instruct-2507 = qwen3-4b
    > qwen-3 = qwen3
    > gemma-3-27b = gemma-3-27b gemma-3-27b-it
    > google/gemma-3-27b-pt = gemma-3-27b-pt gemma-3-27b-it
    > gemma3-270m = gemma-3-270m
    > gemma-3-4b = gemma-3-4b gemma-3-4b-it gemma-3-4b-pt
    > gemma-3-1b = gemma-3-1b gemma-3-1b-it gemma-3-1b-pt
    > gemma-3-12b-it = gemma-3-12b-it gemma-3-12b gemma-3-12b-pt
    > gemma-2-27b = gemma-2-27b
    > gemma2-9b = gemma-2-9b
    > gemma-2-9b-it = gemma-2-9b-it gemma-2-9b
    > gemma-2-2b = gemma-2-2b
    > gemma-29b = gemma-29b
    > Gemma 7B = gemma-7b
    > google/gemma-2b-it = gemma-2b-it gemma-2b
    > gemma-4-27b = gemma-4-27b
    > mistralai/Mistral-7B-Instruct-v0.3 = mistral-7b-instruct-v0.3
    > Mistral-7B-v0.1 = mistral-7b-v0.1
    > mistral-nemo = mistral-nemo-instruct-2407
    > Mistral-Nemo-Base-2407 = mistral-nemo-base-2407 mistral-nemo-instruct-2407
    > Mixtral-8x7B = mixtral-8x7b mixtral-8x7b-v0.1
    > mistralai/Mixtral-8x7B-Instruct-v0.1 = mixtral-8x7b-instruct-v0.1 mixtral-8x7b-v0.1
    > mixtral 8x22b = mixtral-8x22b mixtral-8x22b-v0.1 mixtral-8x22b-instruct-v0.1
    > mistral-large = mistral-large-instruct-2407 mistral-large-instruct-2411
    > deepseekv3 = deepseek-v3
    > deepseek_v3 = deepseek-v3
    > deepseek-ai/DeepSeek-V3 = deepseek-v3
    > DeepSeek-V3-Base = deepseek-v3-base deepseek-v3
    > deepseek-v3.1 = deepseek-v3.1
    > deepseek-ai/DeepSeek-R1 = deepseek-r1
    > deepseek r1 = deepseek-r1
    > DeepSeek-R1-Distill-Qwen-32B = deepseek-r1-distill-qwen-32b
    > DeepSeek-R1-Distill-Qwen-7B = deepseek-r1-distill-qwen-7b
    > DeepSeek-R1-Distill-Llama-8B = deepseek-r1-distill-llama-8b
    > DeepSeek-V2-Lite-Chat = deepseek-v2-lite-chat deepseek-v2-lite
    > deepseek-v5 = deepseek-v5
    > phi-2 = phi-2
    > microsoft/phi-4 = phi-4
    > Phi-4-mini = phi-4-mini phi-4-mini-instruct
    > phi-3.5-mini-instruct = phi-3.5-mini-instruct
    > Phi-3-mini-128k = phi-3-mini-128k phi-3-mini-128k-instruct
    > opt-13b = opt-13b
    > opt-1.3b = opt-1.3b
    > facebook/opt-125m = opt-125m
    > opt-125b = opt-125b
    > opt-66b = opt-66b
    > pythia-1.4b = pythia-1.4b
    > EleutherAI/pythia-14b = pythia-14b
    > falcon-40b-instruct = falcon-40b-instruct falcon-40b
    > falcon-180b = falcon-180b
    > Yi-34B-Chat = yi-34b-chat yi-34b
    > 01-ai/Yi-1.5-34B = yi-1.5-34b
    > starcoder2-7b = starcoder2-7b
    > SmolLM2-135M-Instruct = smollm2-135m-instruct smollm2-135m
    > smollm-135m = smollm-135m
    > OLMo-2-7B = olmo-2-7b olmo-2-1124-7b
    > allenai/OLMo-7B = olmo-7b
    > stablelm-2-zephyr-1.6b = stablelm-2-zephyr-1_6b
    > bert-base-uncased = bert-base-uncased
    > BERT_base_uncased = bert-base-uncased
    > FacebookAI/roberta-large = roberta-large
    > roberta-base = roberta-base
    > openai/whisper-large-v3 = whisper-large-v3
    > whisper-large-v2 = whisper-large-v2
    > whisper-medium = whisper-medium
    > t5-large = t5-large
    > t5-3b = t5-3b
    > google/vit-large-patch32-224 = vit-large-patch32-224
    > glm-4.5 = glm-4.5
    > glm-4.6 = glm-4.6
    > GLM-4.5-Air = glm-4.5-air
    > command-r-v01 = command-r-v01 c4ai-command-r-v01
    > Kimi-K2 = kimi-k2 kimi-k2-instruct kimi-k2-base
    > nemotron-3-super-120b = nvidia-nemotron-3-super-120b-a12b-fp8
    > claude-3 = claude-3
    > Llama-3-8B = llama-3-8b
    > meta-llama/Meta-Llama-3-8B-Instruct = llama-3-8b
    > mistral-7b-v0.3 = mistral-7b-instruct-v0.3
    > qwen2.5-coder-32b = qwen2.5-coder-32b
    > deepseek-r1-distill-qwen-7b = deepseek-r1-distill-qwen-7b
    > flan-t5-xl = flan-t5-xl
    > google/flan-t5-xxl = flan-t5-xxl
    > bge-m3 = bge-m3
    > BAAI/bge-large-en-v1.5 = bge-large-en-v1.5
    > bge-base = bge-base-en-v1.5
    > whisper-large-v3 = whisper-large-v3
    > whisper-large = whisper-large
    > openai/whisper-large-v3-turbo = whisper-large-v3-turbo
    > whisper turbo = whisper-turbo
    > qwen3 = qwen3
    > llama 3 = llama-3
    > llama-3 = llama-3
    > llama3 = llama3
    > llama3:8b = llama-3-8b
    > llama3.1:70b = llama-3.1-70b
    > gemma3:27b = gemma-3-27b-it
    > gemma3 = gemma3
    > gemma:7b = gemma-7b
    > phi-4-mini = phi-4-mini-instruct
    > phi4 = phi-4
    > phi3 = phi3
    > phi3:mini = phi3-mini
    > Mixtral-8x7B-Instruct-v0.1 = mixtral-8x7b-v0.1
    > mixtral = mixtral
    > mistral = mistral
    > mistral-7b = mistral-7b-v0.1
    > mistral 7b instruct = mistral-7b-instruct
    > mistral-small = mistral-small-24b-instruct-2501
    > mistral-small-24b = mistral-small-24b-instruct-2501
    > mistral-small-3.1 = mistral-small-3.1
    > starcoder2-15b = starcoder2-15b
    > starcoder2 = starcoder2
    > StarCoder = starcoder
    > multilingual-e5-large = multilingual-e5-large
    > intfloat/multilingual-e5-large-instruct = multilingual-e5-large
    > e5-large = e5-large
    > e5-base-v2 = e5-base-v2
    > qwen2.5 = qwen2.5
    > qwen2.5:7b = qwen2.5-7b
    > qwen2.5-7b-instruct-1m = qwen2.5-7b-instruct-1m
    > qwen2.5-72b-instruct-awq = qwen2.5-72b
    > Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4 = qwen2.5-7b
    > Qwen2.5-Math-7B = qwen2.5-math-7b
    > Qwen/Qwen3-30B-A3B-Instruct-2507 = qwen3-30b-a3b
    > Qwen3-Coder-480B-A35B-Instruct = qwen3-coder-480b-a35b
    > qwen3-coder = qwen3-coder-480b-a35b
    > qwen3-coder-30b = qwen3-coder-30b
    > qwen3-next = qwen3_next
    > Qwen3-Next-80B-A3B-Instruct = qwen3-next-80b-a3b-thinking
    > qwen3:4b = qwen3-4b
    > qwen3-vl-8b = qwen3-vl-8b-instruct
    > qwen2-vl-7b = qwen2-vl-7b-instruct
    > qwen2.5-vl = qwen2_5_vl
    > qwen-vl = qwen-vl
    > QwQ = qwq-32b
    > qwen3-embedding = qwen3-embedding
    > deepseek = deepseek
    > deepseek-v3 = deepseek-v3
    > deepseek-v3-0324 = deepseek-v3
    > deepseek-ai/DeepSeek-V3.1 = deepseek-v3.1
    > deepseek-r1:671b = deepseek-r1
    > deepseek-r1-0528 = deepseek-r1
    > deepseek-r1-distill = deepseek-r1-distill
    > deepseek-r1-distill-qwen = deepseek-r1-distill-qwen
    > deepseek-coder-6.7b = deepseek-coder-6.7b
    > deepseek-coder-v2-lite = deepseek-coder-v2-lite
    > deepseek-v2.5 = deepseek-v2.5
    > kimi-k2 = kimi-k2-instruct
    > moonshotai/Kimi-K2-Thinking = kimi-k2-instruct
    > kimi-k2.5 = kimi-k2.5
    > glm-4 = glm4
    > glm4 = glm4
    > GLM-4-9B = glm-4-9b-chat
    > zai-org/GLM-4.6 = glm-4.6
    > chatglm3-6b = chatglm3-6b
    > granite-3.3-8b = granite-3.3-8b-instruct
    > granite-3.3-2b = granite-3.3-2b
    > granite-4 = granite-4-8b-dense-hybrid
    > ibm-granite/granite-3.1-8b-instruct = granite-3.1-8b-instruct
    > OLMo-2-1124-13B-Instruct = olmo-2-1124-13b
    > olmo2 = olmo2
    > olmo-2-32b = olmo-2-0325-32b
    > olmo3 = olmo3
    > olmo-3-7b = olmo-3-7b
    > smollm = smollm
    > SmolLM2 = smollm2
    > smollm3 = smollm3
    > HuggingFaceTB/SmolLM3-3B-Base = smollm3-3b
    > falcon = falcon
    > falcon3-7b-instruct = falcon3-7b
    > falcon-11b = falcon-11b
    > tiiuae/falcon-7b-instruct = falcon-7b
    > Yi = yi
    > yi-6b = yi-6b-chat
    > yi-1.5-9b = yi-1.5-9b
    > gpt2-small = gpt2
    > gpt-2 medium = gpt2-medium
    > gpt2-xl-1.5b = gpt2-xl
    > gpt-neo = gpt_neo
    > gpt-neox = gpt_neox
    > gptj = gptj
    > EleutherAI/gpt-j-6b = gpt-j-6b
    > gpt-oss:20b = gpt-oss-20b
    > pythia = pythia
    > EleutherAI/pythia-6.9b-deduped = pythia-6.9b
    > opt-175b = opt-175b
    > facebook/opt-6.7b = opt-6.7b
    > bloom = bloom
    > bigscience/bloom-560m = bloom-560m
    > t5 = t5
    > t5-v1_1-xl = t5-v1_1-xl
    > google/mt5-base = mt5-base
    > mt5-xl = mt5-xl
    > facebook/bart-large-cnn = bart-large-cnn
    > bert = bert
    > bert-base = bert-base
    > bert-large = bert-large
    > google-bert/bert-base-cased = bert-base-cased
    > roberta = roberta
    > xlm-roberta-base = xlm-roberta-base
    > deberta = deberta
    > microsoft/deberta-v3-base = deberta-v3-base
    > deberta-v3 = deberta-v3
    > ModernBERT = modernbert
    > answerdotai/ModernBERT-large = modernbert-large
    > distilbert = distilbert
    > clip = clip
    > openai/clip-vit-large-patch14 = clip-vit-large-patch14
    > siglip = siglip
    > google/siglip-so400m-patch14-384 = siglip-so400m-patch14-384
    > siglip2 = siglip2
    > vit = vit
    > vit-b-16 = vit-b-16
    > vit-base = vit-base-patch16-224
    > dino = dino
    > dinov2 = dinov2
    > facebook/dinov2-giant = dinov2-giant
    > dinov3 = dinov3
    > llava = llava
    > llava-hf/llava-1.5-7b-hf = llava-1.5-7b
    > llava-1.5-13b = llava-1.5-13b
    > paligemma = paligemma
    > google/paligemma-3b-pt-224 = paligemma-3b-pt-224
    > paligemma2-3b = paligemma2-3b
    > gemma-2b = gemma-2b
    > gemma 2 2b = gemma-2-2b
    > gemma2:2b = gemma-2-2b
    > gemma-1.1-7b-it = gemma-1.1-7b-it
    > gemma-3n-e4b = gemma-3n-e4b
    > gemma-4-31b = gemma-4-31b
    > codellama = codellama
    > CodeLlama-7b-Instruct-hf = codellama-7b
    > codellama-34b = codellama-34b
    > llama = llama
    > llama-2 = llama-2
    > llama2:13b = llama-2-13b
    > llama-65b = llama-65b
    > llama-3.2 = llama-3.2
    > llama-3.2-3b = llama-3.2-3b-instruct
    > llama-3.2-90b = llama-3.2-90b-vision
    > llama-4 = llama4
    > llama4:scout = llama-4-scout-17b-16e
    > TinyLlama = tinyllama-1.1b
    > vicuna = vicuna-7b-v1.3
    > vicuna-13b = vicuna-13b
    > phi = phi
    > phi-1.5 = phi-1_5
    > phi-3-medium = phi-3-medium
    > phi-3-small = phi-3-small
    > microsoft/Phi-3.5-MoE-instruct = phi-3.5-moe-instruct
    > phi-4-multimodal = phi4_multimodal
    > nemotron = nemotron
    > nemotron-nano = nemotron-nano
    > nvidia/Llama-3.1-Nemotron-70B-Instruct-HF = llama-3.1-nemotron-70b-instruct-hf
    > mimo = mimo
    > minimax-m1 = minimax-m1
    > minimax-m2 = minimax_m2
    > command-r = command-r
    > command-r-plus = command-r-plus
    > aya = aya-23-8b
    > exaone = exaone-4.0-32b
    > ernie-4.5 = ernie4_5
    > seed-oss-36b = seed-oss-36b
    > hunyuan-7b = hunyuan-7b
    > mamba = mamba
    > mamba-2.8b = mamba-2.8b
    > jamba = jamba
    > rwkv = rwkv
    > stablelm = stablelm
    > all-MiniLM-L6-v2 = all-minilm-l6-v2
    > sentence-transformers/all-mpnet-base-v2 = all-mpnet-base-v2
    > gte-large = gte-large
    > nomic-embed-text = nomic-embed-text
    > snowflake-arctic-embed = snowflake-arctic-embed-m
    > wav2vec2-base = wav2vec2-base
    > llama3.1:8b-instruct-q4_K_M = llama-3.1-8b-instruct
    > llama3.2:1b = llama-3.2-1b-instruct
    > llama3.3:70b-instruct-q8_0 = llama-3.3-70b-instruct
    > qwen2.5-coder:32b = qwen2.5-coder-32b
    > qwen2.5:0.5b-instruct-fp16 = qwen2.5-0.5b
    > qwen3:30b-a3b = qwen3-30b-a3b
    > qwen3:235b = qwen3-235b-a22b
    > gemma2:27b-instruct-q4_0 = gemma-2-27b
    > gemma3:12b-it-qat = gemma-3-12b-it
    > phi4:14b = phi-4
    > phi4-mini:3.8b = phi-4-mini-instruct
    > deepseek-r1:7b = deepseek-r1-7b
    > deepseek-r1:70b = deepseek-r1-70b
    > deepseek-v3:671b = deepseek-v3
    > mixtral:8x7b = mixtral-8x7b-v0.1
    > mixtral:8x22b-instruct-v0.1-q4_0 = mixtral-8x22b-instruct-v0.1
    > gpt-oss:120b-cloud = gpt-oss-120b-cloud
    > tinyllama:1.1b = tinyllama-1.1b
    > codellama:13b = codellama-13b
    > llama2:7b-chat = llama-2-7b
    > mistral-nemo:12b = mistral-nemo-instruct-2407
    > mistral-small:24b = mistral-small-24b-instruct-2501
    > qwen2.5vl:7b = qwen2.5-vl-7b
    > llama3.2-vision:11b = llama-3.2-11b-vision
    > bge-m3:567m = bge-m3
    > unsloth/Meta-Llama-3.1-8B-bnb-4bit = llama-3.1-8b
    > unsloth/llama-3-8b-Instruct-bnb-4bit = llama-3-8b
    > unsloth/Qwen3-14B-unsloth-bnb-4bit = qwen3-14b
    > unsloth/gemma-3-27b-it-GGUF = gemma-3-27b-it
    > unsloth/DeepSeek-R1-GGUF = deepseek-r1
    > unsloth/DeepSeek-V3-0324-GGUF = deepseek-v3
    > unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF = qwen3-30b-a3b
    > unsloth/gpt-oss-20b-BF16 = gpt-oss-20b
    > TheBloke/Llama-2-7B-Chat-GGUF = llama-2-7b
    > TheBloke/Mistral-7B-Instruct-v0.2-GPTQ = mistral-7b-instruct-v0.2
    > TheBloke/Mixtral-8x7B-Instruct-v0.1-AWQ = mixtral-8x7b-v0.1
    > TheBloke/CodeLlama-13B-Instruct-GGUF = codellama-13b
    > TheBloke/Llama-2-70B-fp16 = llama-2-70b
    > bartowski/Meta-Llama-3.1-70B-Instruct-GGUF = llama-3.1-70b
    > bartowski/Qwen2.5-Coder-32B-Instruct-GGUF = qwen2.5-coder-32b
    > bartowski/google_gemma-3-12b-it-GGUF = gemma-3-12b-it
    > lmstudio-community/Qwen2.5-7B-Instruct-GGUF = qwen2.5-7b
    > mlx-community/Meta-Llama-3-8B-Instruct-4bit = llama-3-8b
    > mlx-community/Qwen3-8B-4bit = qwen3-8b
    > mlx-community/Llama-3.2-3B-Instruct-8bit = llama-3.2-3b-instruct
    > neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8 = llama-3.1-8b-instruct
    > RedHatAI/Llama-3.3-70B-Instruct-quantized.w4a16 = llama-3.3-70b-instruct
    > Qwen/Qwen2.5-72B-Instruct-AWQ = qwen2.5-72b
    > Qwen/Qwen2.5-14B-Instruct-GPTQ-Int4 = qwen2.5-14b
    > Qwen/Qwen3-32B-FP8 = qwen3-32b
    > Qwen/Qwen3-235B-A22B-Instruct-2507-FP8 = qwen3-235b-a22b
    > hugging-quants/Meta-Llama-3.1-70B-Instruct-AWQ-INT4 = llama-3.1-70b
    > nvidia/Llama-3.1-405B-Instruct-FP8 = llama-3.1-405b
    > nvidia/DeepSeek-R1-FP4 = deepseek-r1
    > nvidia/DeepSeek-R1-0528-NVFP4 = deepseek-r1
    > Llama-3.1-8B-Instruct-Q4_K_M = llama-3.1-8b-instruct
    > Meta-Llama-3-8B-Instruct.Q5_K_M = llama-3-8b
    > qwen3-8b-q4_k_m = qwen3-8b
    > qwen3-8b-int8 = qwen3-8b
    > qwen3-4b-mlx = qwen3-4b
    > Qwen3-4B-Thinking-2507 = qwen3-4b
    > Kimi-K2-Instruct-0905 = kimi-k2-instruct
    > GLM-4-9B-0414 = glm-4-9b-0414
    > mistral-large-instruct-2411 = mistral-large-instruct-2411
    > gpt2-124m = gpt2
    > gpt2-1.5b = gpt2-xl
    > gpt2-large-774m = gpt2-large
    > gpt2-large-1.5b = gpt2-large-1.5b
    > phi-2-small = phi-2-small
    > bert-base-uncased-110m = bert-base-uncased
    > roberta-large-355m = roberta-large
    > kimi-k2-1t = kimi-k2-instruct
    > bart-large-mnli = bart-large-mnli
    > facebook/bart-large-mnli = bart-large-mnli
    > roberta-large-mnli = roberta-large-mnli
    > distilbert-base-uncased-finetuned-sst-2-english = distilbert-base-uncased-finetuned-sst-2-english
    > Qwen 2.5 7B Instruct = qwen2.5-7b
    > QWEN3-8B = qwen3-8b
    > Deep Seek V3 = deepseek-v3
    > gpt 2 xl = gpt2-xl
    > LLaMA-2 13B = llama-2-13b
    > GLM4.5-Air = glm-4.5-air
    > glm4-9b = glm-4-9b-chat
    > kimi k2 = kimi-k2-instruct
    > deepseek v3.2 = deepseek-v3.2
    > Qwen3－8B = qwen3-8b
    > ｑｗｅｎ３－８ｂ = qwen3-8b
    > Qwen2.5—7B = qwen2.5-7b
    > qwen3　8b = qwen3-8b
    > Qwen3–14B = qwen3-14b
    > qwen3-8b-base = qwen3-8b
    > qwen3-8b（base） = qwen3-8b
    > 通义千问3-8b = 通义千问3-8b
    > llama-3-8b-instruct-262k = llama-3-8b-instruct-262k
    > llama-3-8b-instruct-gradient-1048k = llama-3-8b-instruct-gradient-1048k
    > Qwen/Qwen3-8B-GGUF:Q4_K_M = qwen3-8b
    > hf.co/unsloth/Qwen3-8B-GGUF:Q8_0 = qwen3-8b
    > hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF = llama-3.2-3b-instruct
    > https://huggingface.co/Qwen/Qwen3-8B = qwen3-8b
    > ollama run qwen3:8b = ollama run qwen3:8b
    > llama3.1:405b-instruct-fp16 = llama-3.1-405b
    > llama3:70b-instruct-q5_K_S = llama-3-70b
    > qwen2.5:72b-instruct-q4_K_M = qwen2.5-72b
    > qwen2.5-coder:7b-base-q8_0 = qwen2.5-coder-7b
    > qwen3:0.6b-fp16 = qwen3-0.6b
    > qwen3-coder:480b = qwen3-coder-480b-a35b
    > gemma:2b-instruct = gemma-2b
    > gemma3:1b = gemma-3-1b
    > gemma3:270m-it-fp16 = gemma-3-270m
    > phi3.5:3.8b = phi-3.5-mini-instruct
    > phi:2.7b = phi-2
    > mistral:7b-instruct-v0.3-q4_0 = mistral-7b-instruct-v0.3
    > mistral:latest = none
    > smollm2:1.7b-instruct = smollm2-1.7b
    > olmo2:13b = olmo-2-1124-13b
    > deepseek-v2:16b = deepseek-v2-lite
    > deepseek-v2:236b = deepseek-v2
    > deepseek-r1:671b-q4_K_M = deepseek-r1
    > deepseek-r1:1.5b-qwen-distill-q4_K_M = none
    > deepseek-r1-qwen-7b = deepseek-r1-qwen-7b
    > granite3.3:8b = granite-3.3-8b-instruct
    > falcon:180b = falcon-180b
    > falcon:7b-instruct = falcon-7b
    > starcoder:15b = starcoder
    > starcoder2:15b-instruct = starcoder2-15b
    > yi:34b-chat = yi-34b
    > codellama:7b-python = codellama-7b-python
    > vicuna:7b = vicuna-7b-v1.3
    > whisper:large-v3 = whisper-large-v3
    > unsloth/Llama-3.2-1B-Instruct-GGUF = llama-3.2-1b-instruct
    > unsloth/mistral-7b-v0.3-bnb-4bit = mistral-7b-instruct-v0.3
    > unsloth/Qwen2.5-VL-7B-Instruct-bnb-4bit = qwen2.5-vl-7b
    > unsloth/gemma-2-9b-bnb-4bit = gemma-2-9b
    > unsloth/Phi-4 = phi-4
    > unsloth/gpt-oss-120b-GGUF = gpt-oss-120b
    > TheBloke/Yi-34B-GPTQ = yi-34b
    > TheBloke/falcon-40b-instruct-GPTQ = falcon-40b
    > TheBloke/TinyLlama-1.1B-Chat-v1.0-GGUF = tinyllama-1.1b
    > TheBloke/phi-2-GGUF = phi-2
    > TheBloke/vicuna-7B-v1.5-AWQ = vicuna-7b-v1.5
    > bartowski/Mistral-Nemo-Instruct-2407-GGUF = mistral-nemo-instruct-2407
    > bartowski/Mistral-Small-24B-Instruct-2501-GGUF = mistral-small-24b-instruct-2501
    > bartowski/QwQ-32B-GGUF = qwq-32b
    > bartowski/DeepSeek-R1-Distill-Qwen-32B-GGUF = deepseek-r1-distill-qwen-32b
    > lmstudio-community/gemma-3-4b-it-GGUF = gemma-3-4b-it
    > lmstudio-community/Meta-Llama-3.1-8B-Instruct-GGUF = llama-3.1-8b-instruct
    > mlx-community/DeepSeek-R1-Distill-Llama-70B-4bit = deepseek-r1-distill-llama-70b
    > mlx-community/Qwen3-30B-A3B-4bit-DWQ = qwen3-30b-a3b
    > mradermacher/Qwen3-14B-i1-GGUF = qwen3-14b
    > cyankiwi/Qwen3-Next-80B-A3B-Instruct-AWQ-4bit = qwen3-next-80b-a3b-thinking
    > RedHatAI/Meta-Llama-3.1-405B-Instruct-quantized.w8a8 = llama-3.1-405b
    > amd/Llama-3.1-70B-Instruct-FP8-KV = llama-3.1-70b
    > Qwen/Qwen1.5-7B-Chat-GPTQ-Int8 = qwen1.5-7b-chat
    > Qwen2.5-7B-Instruct-1M = qwen2.5-7b-instruct-1m
    > Qwen3-235B-A22B-Thinking-2507 = qwen3-235b-a22b
    > kimi-k2-0905 = kimi-k2-0905
    > OLMo-7B-0424-hf = olmo-7b
    > t5-base-220m = t5-base
    > flan-t5-large-780m = flan-t5-large
    > gpt2-medium-355M = gpt2-medium
    > gpt2-345m = gpt2-medium
    > starcoder-15.5b = starcoder
    > command-r-35b = none
    > deepseek-v3-685b = deepseek-v3
    > Qwen2-7B-VL = qwen2-vl-7b-instruct
    > llama-8b-3.1 = llama-3.1-8b
    > Llama-3-Instruct-8B = llama-3-8b
    > GLM 4.5 Air = glm-4.5-air
    > Ｌｌａｍａ３．１－８Ｂ = llama-3.1-8b
    > qwen2.5 － 7b = qwen2.5-7b
    > Qwen 3（8B） = qwen3-8b
    > DeepSeek－V3 = deepseek-v3
    > deepseekR1 = deepseek-r1
    > QWEN2.5-CODER-32B-INSTRUCT = qwen2.5-coder-32b
    > Mixtral 8×7B = mixtral-8x7b-v0.1
    > 千问3-8B = 千问3-8B
    > bert-base-small = bert-base-small
    > bge-large-zh = bge-large-zh
    > bge-large-en-v1.5-onnx = bge-large-en-v1.5-onnx
    > bart-large-xsum = bart-large-xsum
    > whisper-large-v3-turbo-q5_0 = whisper-large-v3-turbo
    > llama-3.2-1b-instruct-spinquant_int4_eo8 = llama-3.2-1b-instruct-spinquant_int4_eo8
    > END
    $ reckon models --names > known
    $ opened=0 refused=0
    > while IFS='=' read -r typed meant; do
    >     typed=${typed% } wanted=
    >     for name in $meant; do grep -qxF -- "$name" known && { wanted=$name; break; }; done
    >     if name=$(reckon params "$typed" --depth 1 2> why); then
    >         name=$(echo "$name" | sed 's/: .*//; q') opened=$((opened + 1))
    >     else
    >         name= refused=$((refused + 1))
    >     fi
    >     [ "$name" = "$wanted" ] || echo "'$typed' is '$wanted', not '$name': $(cat why)"
    >     # A hint is never another size, nor another generation.
    >     hint=$(sed -n "s/.*did you mean '\(.*\)'.*/\1/p" why)
    >     [ -z "$hint" ] || echo "'$typed': a hint, '$hint'"
    > done < names
    > [ $((opened + refused)) -gt 500 ] && echo "more than 500"
    > [ $((opened)) -gt 350 ] && echo "most of them open"
    more than 500
    most of them open

Which one was taken is said, and also that a model of an organisation is not the one of its cache:

    $ reckon params llama-3.3-70b --depth 1 | sed -n '1,3p'
    llama-3.3-70b-instruct: 70.6 billion parameters
    No model is called 'llama-3.3-70b'; llama-3.3-70b-instruct is the one like it.
    rotary positions, RMS norms, grouped heads, gated FFN
    $ reckon params llama-3-405b --depth 1 | sed -n '1,2p'
    llama-3.1-405b: 406 billion parameters
    No model is called 'llama-3-405b'; llama-3.1-405b is the one like it.
    $ reckon params openai-community/gpt2-xl --depth 1 | sed -n '1,3p'
    gpt2-xl: 1.56 billion parameters
    openai-community/gpt2-xl is not in the local cache; this is gpt2-xl, known by name.
    learned positions, biases, weights stored [in out], fused query, key and value, tied head
    $ reckon params GPT-2-XL --depth 1 | sed -n '1,3p'
    gpt2-xl: 1.56 billion parameters
    learned positions, biases, weights stored [in out], fused query, key and value, tied head
    $ reckon params llama-3.3-70b --format json | grep -e '"model"' -e notes
      "model": "llama-3.3-70b-instruct",
      "notes": ["No model is called 'llama-3.3-70b'; llama-3.3-70b-instruct is the one like it."],

A config says under `_also` what else its model is called; one that cannot be read has no other names, and a name
of its own comes first:

    $ mkdir -p own/named
    $ echo '{"_also": ["our-model-2", 3, "our model 8b"], "model_type": "gpt2", "n_layer": 3}' > own/named/mine-1.json
    $ echo '{"_also": "our-model-4", "model_type": "gpt2"}' > own/named/mine-2.json
    $ echo '{"_also": ["our-model-5"' > own/named/mine-3.json
    $ echo '{"_also": ["gpt2-xl"], "model_type": "gpt2"}' > own/named/mine-4.json
    $ for name in OurModel2 our-model-8b-chat our-model our-model-3 our-model-4 our-model-5 gpt2-xl; do
    >     RECKON_MODELS=own reckon params "$name" --depth 1 2>&1 | sed -n '1,2{ /biases/d; p; }'
    > done
    mine-1: 60.6 million parameters
    No model is called 'OurModel2'; mine-1 is the one like it.
    mine-1: 60.6 million parameters
    No model is called 'our-model-8b-chat'; mine-1 is the one like it.
    mine-1: 60.6 million parameters
    No model is called 'our-model'; mine-1 is the one like it.
    reckon: no model is called 'our-model-3' ('reckon models' lists them)
    reckon: no model is called 'our-model-4' ('reckon models' lists them)
    reckon: no model is called 'our-model-5' ('reckon models' lists them)
    gpt2-xl: 1.56 billion parameters

What a name says of the weights is not counted, which is said:

    $ reckon params llama3:8b-instruct-q4_K_M --depth 1 | sed -n '2,3p'
    No model is called 'llama3:8b-instruct-q4_K_M'; llama-3-8b is the one like it, its weights in the
    type of the run (--weights has others).
    $ reckon params unsloth/Qwen3-14B-bnb-4bit --depth 1 | sed -n '2,3p'
    unsloth/Qwen3-14B-bnb-4bit is not in the local cache; this is qwen3-14b, known by name, its weights
    in the type of the run (--weights has others).
    $ reckon params https://example.com/Qwen/Qwen3-14B/ --depth 1 | sed -n '2p'
    An address is not read; this is qwen3-14b, known by name.
    $ reckon params phi4:14b --depth 1 | sed -n '2p'
    No model is called 'phi4:14b'; phi-4 is the one like it.

One of several is not chosen:

    $ reckon distil
    reckon: 'distil' may be one of 4 models, say which: distilbert-base-uncased (67.0 M), distilgpt2 (81.9 M), distilroberta-base (82.2 M), distilbart-cnn-12-6 (306 M)
    [1]

A letter may be wrong, not a number:

    $ reckon lama-3-8b
    reckon: no model is called 'lama-3-8b'; did you mean 'llama-3-8b'?
    [1]
    $ reckon gemma-3-4x
    reckon: no model is called 'gemma-3-4x' ('reckon models gemma-3' lists those known by name; of any other, its config.json is read)
    [1]
    $ reckon smolm2-135m
    reckon: no model is called 'smolm2-135m'; did you mean 'smollm2-135m'?
    [1]

A family is said to be one, with its models that are known by name:

    $ reckon params starcoder2 --depth 1 | sed -n '1,4{ s/ starcoder2-7b.*//; p; }'
    starcoder2: 3.03 billion parameters
    A family at its default sizes, not a model known by name.
    rotary positions, layer norms, biases, a plain FFN, tied head
    starcoder2 is a family; its models known by name: starcoder2-15b, starcoder2-3b,
    $ reckon params Electra --depth 1 | head -n 1
    electra: 13.5 million parameters

Devices:

    $ cat > devices <<'END'
    > rtx4090 = rtx-4090
    > RTX 4090 = rtx-4090
    > 4090 = rtx-4090
    > NVIDIA GeForce RTX 4090 = rtx-4090
    > rtx3090 = rtx-3090
    > 3080Ti = rtx-3080-ti
    > rtx 2080 = none
    > rtx-4070-ti = none
    > H100 SXM = h100-80gb
    > NVIDIA H100 80GB HBM3 = h100-80gb
    > h100_pcie = h100-pcie-80gb
    > a100 40gb = a100-40gb
    > A100-SXM4-80GB = a100-80gb
    > NVIDIA A100-PCIE-40GB = a100-pcie-40gb
    > Tesla T4 = t4
    > Tesla V100-SXM2-16GB = v100-16gb
    > A6000 = rtx-a6000
    > AMD Instinct MI300X = mi300x
    > mi300 = none
    > M4 Max = m4-max
    > Apple M1 8GB = m1-8gb
    > TPUv4 = tpu-v4
    > TPU v5e = tpu-v5e
    > h300 = none
    > b20 = none
    > END
    $ while IFS='=' read -r typed meant; do
    >     name=$(reckon devices "${typed% }" 2> /dev/null | sed -n '1s/: [A-Z].*//p')
    >     [ "${name:-none}" = "${meant# }" ] || echo "'${typed% }' is$meant, not '$name'"
    > done < devices
    $ reckon fit gpt2 --device h300
    reckon: no device is called 'h300' ('reckon devices' lists them)
    [1]
    $ reckon fit gpt2 --device 'rtx 2080'
    reckon: no device is called 'rtx 2080'; those that are called alike: rtx-2080-ti ('reckon devices' lists them)
    [1]
    $ reckon fit gpt2 --device rtz-4090
    reckon: no device is called 'rtz-4090'; did you mean 'rtx-4090'? ('reckon devices' lists them)
    [1]

Conventions and quantities:

    $ reckon flops gpt2 --as Chinchilla | head -n 1
    gpt2: FLOPs of a forward pass, as chinchilla counts them
    $ reckon flops gpt2 --as causal_half | head -n 1
    gpt2: FLOPs of a forward pass, as causal-half counts them
    $ reckon flops gpt2 --as 6ND | head -n 1
    gpt2: FLOPs of a forward and a backward pass, as 6nd counts them
    $ reckon flops gpt2 --as 8nd
    reckon: no convention is called '8nd' (--as all lists them)
    reckon: 'reckon help flops' says how it is used
    [2]
    $ reckon sweep gpt2 S=128,256 --of Params.Active | head -n 1
    gpt2: active parameters over S
    $ reckon sweep gpt2 S=128,256 --of memory_peak | head -n 1
    gpt2: peak memory over S
    $ reckon sweep gpt2 S=128,256 --of 'kv cache' | head -n 1
    gpt2: cache over S
    $ reckon sweep gpt2 S=128,256 --of 'Active parameters' | head -n 1
    gpt2: active parameters over S

What is no command, and no option:

    $ reckon kv gpt2
    reckon: no command is called 'kv'; 'reckon memory gpt2 --phase decode' has it
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon cache gpt2
    reckon: no command is called 'cache'; 'reckon memory gpt2 --phase decode' has it
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon gpt2 kv-cache
    reckon: no command is called 'kv-cache'; 'reckon memory gpt2 --phase decode' has it
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon formula gpt2
    reckon: no command is called 'formula'; 'reckon derive gpt2' has it
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon serve gpt2
    reckon: no command is called 'serve'; 'reckon fit gpt2 --phase decode --device h100-80gb' has it
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon help serve
    reckon: no command is called 'serve'; 'reckon fit MODEL --phase decode --device h100-80gb' has it
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon bogus gpt2
    reckon: no command is called 'bogus'
    reckon: 'reckon help' lists the commands
    [2]
    $ reckon memory gpt2 --serve
    reckon: unknown option '--serve': --phase prefill reads a prompt, --phase decode makes one new token of each sequence
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon memory gpt2 --users 10
    reckon: unknown option '--users': as many sequences at once are B=10, and 'reckon fit MODEL --phase decode --device h100-80gb' says how many fit
    reckon: 'reckon help memory' says how it is used
    [2]
    $ reckon train gpt2 --utilization 40%
    reckon: unknown option '--utilization': the share of the rate that is reached is --mfu 40%
    reckon: 'reckon help train' says how it is used
    [2]
    $ reckon memory gpt2 -v
    reckon: unknown option '-v'
    reckon: 'reckon help memory' says how it is used
    [2]

Ways to split, as tools call them:

    $ reckon fit gpt2 --device h100 --devices 8 --shard fsdp > a
    > reckon fit gpt2 --device h100 --devices 8 --fsdp > b
    > reckon fit gpt2 --device h100 --devices 8 --shard zero3 > c
    > cmp a b && cmp a c && reckon fit gpt2 --device h100 --devices 8 --shard FSDP,tp=2 | head -n 1
    gpt2: a training step on 8 × h100-80gb

A config of a family that is not known: the nearest by its keys, and which of them would not be read:

    $ cat > new.json <<'END'
    > {"model_type": "brandnew", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    >  "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 1000, "max_position_embeddings": 512,
    >  "sliding_window": 128, "novel_gate": 3}
    > END
    $ reckon new.json 2>&1 | grep -o 'by keys: .*(8), of the 9 it has\.  --like [a-z0-9]* takes all but novel_gate' | wc -l
    1
    $ reckon params new.json --like Mistral --depth 1 | head -n 1
    new: 202 thousand parameters
