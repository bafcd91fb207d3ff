// SPDX-License-Identifier: MIT
// The words of the sentence: which options of the command they are, and how each choice is called.  The command knows what
// they mean; a test asks it for each of them.
export interface Choice {
    value: string;
    name: string;
    note?: string;
}

export const PHASES: Choice[] = [
    { value: 'train', name: 'a training step' },
    { value: 'prefill', name: 'reading a prompt' },
    { value: 'decode', name: 'one new token' },
];

/** The first choice of each is what the command takes where nothing is said. */
export const CHOICES: Record<string, Choice[]> = {
    recipe: [
        { value: '', name: 'the usual types' },
        { value: 'mixed', name: 'mixed fp32 and bf16' },
        { value: 'bf16', name: 'bf16' },
        { value: 'fp32', name: 'fp32' },
        { value: 'megatron', name: 'bf16 with fp32 masters' },
        { value: 'lora', name: 'bf16 with LoRA' },
        { value: 'qlora', name: '4 bits with LoRA' },
    ],
    optimizer: [
        { value: '', name: 'AdamW' },
        { value: 'adamw-foreach', name: 'AdamW, foreach' },
        { value: 'adam8bit', name: '8-bit AdamW' },
        { value: 'lion', name: 'Lion' },
        { value: 'momentum', name: 'SGD, momentum' },
        { value: 'sgd', name: 'SGD' },
        { value: 'adafactor', name: 'Adafactor' },
        { value: 'muon', name: 'Muon' },
    ],
    attention: [
        { value: '', name: 'fused' },
        { value: 'flash', name: 'flash' },
        { value: 'eager', name: 'eager' },
    ],
    recompute: [
        { value: '', name: 'nothing' },
        { value: 'selective', name: 'attention’s scores' },
        { value: 'full', name: 'each layer' },
    ],
    loss: [
        { value: '', name: 'in one piece' },
        { value: 'fused', name: 'fused' },
        { value: 'none', name: 'left out' },
    ],
    dtype: [
        { value: '', name: 'the config’s type' },
        { value: 'bf16', name: 'bf16' },
        { value: 'fp16', name: 'fp16' },
        { value: 'fp32', name: 'fp32' },
    ],
    weights: [
        { value: '', name: 'the same type' },
        { value: 'fp8', name: 'fp8' },
        { value: 'int8', name: 'int8' },
        { value: 'q8_0', name: 'q8_0' },
        { value: 'q6_k', name: 'q6_k' },
        { value: 'q4_k', name: 'q4_k' },
        { value: 'nf4', name: 'nf4' },
        { value: 'int4', name: 'int4' },
        { value: 'mxfp4', name: 'mxfp4' },
        { value: 'q2_k', name: 'q2_k' },
    ],
    'kv-dtype': [
        { value: '', name: 'the same type' },
        { value: 'fp8', name: 'fp8' },
        { value: 'int8', name: 'int8' },
        { value: 'q8_0', name: 'q8_0' },
        { value: 'q4_0', name: 'q4_0' },
    ],
    causal: [
        { value: '', name: 'the full square of attention' },
        { value: 'exact', name: 'only the pairs that the mask allows' },
    ],
    count: [
        { value: '', name: 'products that sum over an index' },
        { value: 'all', name: 'every operation' },
    ],
    unit: [
        { value: '', name: 'a multiply and its add are two' },
        { value: 'mac', name: 'a multiply and its add are one' },
    ],
};

export const LAYOUTS: Choice[] = [
    { value: 'ddp', name: 'replicas (DDP)' },
    { value: 'zero1', name: 'ZeRO-1' },
    { value: 'fsdp', name: 'ZeRO-3 (FSDP)' },
    { value: 'fsdp+tp', name: 'ZeRO-3 and tensor parallelism' },
    { value: 'tp', name: 'tensor parallelism' },
    { value: 'pp', name: 'a pipeline' },
    { value: 'cp', name: 'context parallelism' },
];

export const nameOf = (option: string, value: string | undefined): string =>
    CHOICES[option]?.find(c => c.value === (value ?? ''))?.name ?? value ?? '';

/** Kinds of bytes, from the bottom up: the core's word, the page's colour, its name. */
export const KINDS: { kind: string; cls: string; name: string; note: string }[] = [
    { kind: 'weights', cls: 'w', name: 'weights', note: 'what is stored of the model' },
    { kind: 'optimizer', cls: 'o', name: 'optimizer', note: 'its state' },
    { kind: 'gradients', cls: 'g', name: 'gradients', note: 'of weights' },
    { kind: 'cache', cls: 'kv', name: 'cache', note: 'keys and values' },
    { kind: 'kept', cls: 'act', name: 'kept activations', note: 'saved for the backward pass' },
    { kind: 'activation_gradients', cls: 'work', name: 'gradients of activations', note: 'at work' },
    { kind: 'temporary', cls: 'work', name: 'temporaries', note: 'at work' },
    { kind: 'workspace', cls: 'work', name: 'workspace', note: 'of the matrix library' },
];
export const kindOf = (kind: string): (typeof KINDS)[number] =>
    KINDS.find(k => k.kind === kind) ?? { kind, cls: 'work', name: kind.replaceAll('_', ' '), note: '' };

/** The colour of a part, by the words of its path. */
export function partOf(path: string): string {
    if (/norm/.test(path)) return 'norm';
    if (/attention|attn|attend/.test(path)) return 'attn';
    if (/ffn|mlp|expert|moe|router/.test(path)) return 'ffn';
    if (/embed|head|logits|loss|ids/.test(path)) return 'emb';
    return 'other';
}

/** Parts as `step` names them: their colour and their name. */
export const PARTS: Record<string, { cls: string; name: string }> = {
    embedding: { cls: 'emb', name: 'embedding' },
    head: { cls: 'emb', name: 'head' },
    attention: { cls: 'attn', name: 'attention' },
    mixer: { cls: 'mix', name: 'mixer' },
    ffn: { cls: 'ffn', name: 'FFN' },
    norms: { cls: 'norm', name: 'norms' },
    rest: { cls: 'other', name: 'rest' },
};
