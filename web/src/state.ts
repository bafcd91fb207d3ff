// SPDX-License-Identifier: MIT
// What is asked: a model, a run, a device.  It is read from and written to the page's address, and said to the core in
// the words of the command.  Nothing here counts.
import { brief, typed } from './figures';

export type Phase = 'train' | 'prefill' | 'decode';
export interface State {
    model: string; // a name, or files that were given to the core
    config: string; // of a family that is edited, as a second file
    phase: Phase;
    numbers: Record<string, number>; // B, S, T and sizes of the model
    options: Record<string, string>; // of the command, without their dashes
    device: string;
    devices: number;
    layout: string; // how it is divided: an axis of --layout
    why: string; // the path that is explained, and which quantity of it
    of: string;
    beside: string[]; // other models, to compare with
}

export const VERSION = 1; // of addresses
/** What an address does not say has the defaults of its version: an entry here stays when a new one is added. */
export interface Defaults {
    device: string;
    layout: string;
    options: Record<string, string>;
}
export const DEFAULTS: Record<number, Defaults> = { 1: { device: 'h100-80gb', layout: 'fsdp', options: {} } };
const today = (): Defaults => DEFAULTS[VERSION]!;
export const OPTIONS = [
    'recipe',
    'dtype',
    'optimizer',
    'attention',
    'recompute',
    'loss',
    'weights',
    'kv-dtype',
    'lora',
    'targets',
    'experts',
    'master',
    'accumulate',
    'profile',
    'runtime',
    'count',
    'causal',
    'unit',
    'like',
    'mfu',
    'steps',
    'tokens',
];
const TIME = ['mfu', 'recipe', 'recompute', 'accumulate', 'lora', 'targets', 'causal', 'like', 'runtime'];
export const MFU = '40'; // per cent of a device's peak rate that is reached, where the sentence does not say another
/** What the account itself does not depend on: the time alone. */
const RUN = ['mfu', 'steps', 'tokens'];
const COUNTING = ['count', 'causal', 'unit'];

export const start = (of: Defaults = today()): State => ({
    model: 'llama-3.1-8b',
    config: '',
    phase: 'train',
    numbers: {},
    options: { ...of.options },
    device: of.device,
    devices: 1,
    layout: of.layout,
    why: '',
    of: '',
    beside: [],
});

/** The page that opens without an address. */
export const example = (): State => ({ ...start(), numbers: { S: 8192 }, options: { recipe: 'bf16' } });

export const lengthOf = (s: State): string => (s.phase === 'decode' ? 'T' : 'S');
const models = (s: State): string[] => (s.config ? [s.model, s.config] : [s.model]);
const numbers = (s: State): string[] =>
    Object.entries(s.numbers)
        .filter(([k]) => !(s.phase === 'decode' ? k === 'S' : k === 'T'))
        .map(([k, v]) => `${k}=${brief(v)}`);
/** What takes no phase is told that one token is new; the length is then the keys that it sees. */
const one = (s: State): string[] =>
    s.phase === 'decode' ? ['S=1', ...(s.numbers.T === undefined ? [`T=${brief(at(s, 'T'))}`] : [])] : [];
const options = (s: State, some: (k: string) => boolean): string[] =>
    OPTIONS.filter(k => some(k) && s.options[k]).flatMap(k => [`--${k}`, s.options[k]!]);
export const layoutOf = (s: State): string =>
    s.devices > 1 ? (s.layout.includes('=') ? s.layout : axes(s.layout, s.devices)) : '';

/** Over how many devices a layout of axes goes, as its words say. */
export const devicesOf = (layout: string): number =>
    [...layout.matchAll(/=(\d+)/g)].reduce((n, [, of]) => n * Number(of), 1);
/** Whose batch B is, in the words of `fit`: where copies have sequences of their own, what one of them has. */
export function batchOf(s: State): string {
    const layout = layoutOf(s);
    if (!/(ddp|fsdp)=/.test(layout)) return '';
    return /(tp|cp|pp|ep)=/.test(layout) ? 'each group of devices' : 'each device';
}
/** The layout that is meant where none is chosen. */
export const usual = (phase: Phase): string => (phase === 'train' ? today().layout : 'tp');

/** `zero1` is an optimizer divided over replicas, two are two axes; every other layout is an axis. */
export function axes(layout: string, n: number): string {
    if (layout === 'zero1') return `ddp=${n},zero1`;
    if (layout === 'tp+sp') return `tp=${n},sp`;
    if (layout === 'fsdp+tp') {
        const within = [8, 4, 2].find(t => n % t === 0 && n >= 2 * t); // devices that a layer is divided over
        return within ? `fsdp=${n / within},tp=${within},sp` : `fsdp=${n}`;
    }
    return `${layout}=${n}`;
}

const serving = new Set(['recipe', 'optimizer', 'recompute', 'loss', 'lora', 'targets', 'master', 'accumulate']);
const fits = (s: State, k: string): boolean =>
    s.phase === 'train' ? k !== 'kv-dtype' && k !== 'dtype' : !serving.has(k);

/** The run in words: model, numbers, options; what memory, fit and sweep take. */
export function run(s: State): string[] {
    const phase = s.phase === 'train' ? [] : ['--phase', s.phase],
        layout = layoutOf(s);
    return [
        ...models(s),
        ...numbers(s),
        ...phase,
        ...options(s, k => !COUNTING.includes(k) && !RUN.includes(k) && fits(s, k)),
        ...(layout ? ['--layout', layout] : []),
    ];
}

/** What flops, params and explain take of it. */
export function counted(s: State): string[] {
    return [...models(s), ...one(s), ...numbers(s), ...options(s, k => COUNTING.includes(k) || k === 'like')];
}

const JSON_ = ['--format', 'json'];
export const ask = {
    /** The account: everything that a change redraws, in one answer. */
    step: (s: State, ...more: string[]): string[] => [
        'step',
        ...run(s),
        ...options(s, k => COUNTING.includes(k)),
        '--device',
        s.device,
        ...more,
        ...JSON_,
    ],
    account: (s: State): string[] => ask.step(s, '--points', '300'),
    memory: (s: State): string[] => ['memory', ...run(s), ...JSON_],
    /** Lines are those of the whole model: they come before it is divided. */
    lines: (s: State): string[] => [
        'lines',
        ...run({ ...s, devices: 1 }),
        ...one(s),
        ...options(s, k => COUNTING.includes(k)),
        ...JSON_,
    ],
    flops: (s: State): string[] => [
        'flops',
        ...counted(s),
        ...(s.phase === 'train' ? [] : ['--phase', s.phase]),
        ...options(s, k => k === 'lora' || k === 'targets'),
        ...JSON_,
    ],
    /** How long a step takes, or a run of many: an estimate, which assumes a share of the device's rate. */
    time: (s: State): string[] => [
        'train',
        ...models(s),
        ...numbers(s),
        ...options(s, k => !RUN.includes(k) && TIME.includes(k)),
        ...(layoutOf(s) ? ['--layout', layoutOf(s)] : []),
        ...(s.options.tokens ? ['--tokens', s.options.tokens] : ['--steps', s.options.steps ?? '1']),
        '--device',
        s.device,
        '--mfu',
        `${s.options.mfu ?? MFU}%`,
        ...JSON_,
    ],
    params: (s: State): string[] => ['params', ...models(s), ...options(s, k => k === 'like'), ...JSON_],
    fit: (s: State): string[] => ['fit', ...run(s), '--device', s.device, ...JSON_],
    peak: (s: State): string[] => sweep(s, lengthOf(s), [at(s, lengthOf(s))], 'memory.peak'),
};

/** The value of a symbol, or what the model begins with. */
export const begin: Record<string, number> = { B: 1, S: 4096, T: 4096 };
export const at = (s: State, symbol: string): number => s.numbers[symbol] ?? begin[symbol] ?? 1;

export function sweep(s: State, symbol: string, values: number[], of: string, by = ''): string[] {
    const words = run(s).filter(w => !w.startsWith(`${symbol}=`));
    return [
        'sweep',
        ...words,
        `${symbol}=${values.length === 1 ? `${values[0]}..${values[0]}` : values.join(',')}`,
        '--of',
        of,
        ...(by ? ['--by', by] : []),
        ...options(s, k => COUNTING.includes(k)),
        ...JSON_,
    ];
}

/** The state as a command that anyone can type. */
export const command = (s: State, what = 'memory'): string =>
    ['reckon', what, ...run(s), ...(what === 'step' ? [...options(s, k => COUNTING.includes(k)), '--device', s.device] : [])]
        .map(quoted)
        .join(' ');
export const quoted = (w: string): string => (/^[\w.,=:@%+/-]+$/.test(w) ? w : `'${w.replaceAll("'", `'\\''`)}'`);

export function toHash(s: State, data = ''): string {
    const q: string[] = [],
        put = (k: string, v: string): void => {
            q.push(`${k}=${encodeURIComponent(v).replaceAll('%2C', ',').replaceAll('%3D', '=')}`);
        };
    for (const [k, v] of Object.entries(s.numbers)) put(k, brief(v));
    for (const k of OPTIONS) if (s.options[k]) put(k, s.options[k]!);
    if (s.device !== today().device || s.devices > 1) put('on', `${s.devices}x${s.device}`);
    if (s.devices > 1 && s.layout !== today().layout) put('layout', s.layout);
    if (s.why) put('why', s.why);
    if (s.why && s.of) put('of', s.of);
    if (s.beside.length) put('with', s.beside.join(','));
    if (s.config) put('config', s.config);
    if (data) put('data', data);
    q.push(`v=${VERSION}`);
    return `#${encodeURIComponent(s.model)}/${s.phase}?${q.join('&')}`;
}

export interface Read {
    state: State;
    version: number;
    data: string;
    unknown: string[];
}

export function fromHash(hash: string): Read | null {
    const m = /^#?([^/?]+)(?:\/(train|prefill|decode))?(?:\?(.*))?$/.exec(hash);
    if (!m) return null;
    const said = Number(/[?&]v=(\d{1,6})(?:&|$)/.exec(hash)?.[1] ?? VERSION),
        s = start(DEFAULTS[said]),
        unknown: string[] = [];
    let data = '';
    try {
        s.model = decodeURIComponent(m[1]!);
    } catch {
        s.model = m[1]!;
    }
    s.phase = (m[2] as Phase) ?? 'train';
    for (const [k, v] of new URLSearchParams(m[3] ?? '')) {
        const on = /^(\d{1,6})x([\w.-]+)$/.exec(v);
        if (k === 'v') continue;
        else if (k === 'on' && on) {
            s.devices = Math.max(1, Number(on[1]));
            s.device = on[2]!;
        } else if (k === 'layout' && /^[\w=,+]{1,80}$/.test(v)) s.layout = v;
        else if (k === 'why') s.why = v;
        else if (k === 'of') s.of = v;
        else if (k === 'with') s.beside = v.split(',').filter(Boolean).slice(0, 3);
        else if (k === 'config') s.config = v;
        else if (k === 'data') data = v;
        else if (OPTIONS.includes(k) && /^[\w.,:-]{1,60}$/.test(v)) s.options[k] = v;
        else if (/^[A-Za-z][A-Za-z_0-9]{0,15}$/.test(k) && typed(v) !== null) s.numbers[k] = typed(v)!;
        else unknown.push(`${k}=${v}`);
    }
    return { state: s, version: said, data, unknown };
}
