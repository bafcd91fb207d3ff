// SPDX-License-Identifier: MIT
// The assumptions as a sentence whose words are the controls, and the verdict below it.
import type { App } from './app';
import { core, isOld } from './core';
import { h, put, text, type Child } from './dom';
import { asBytes, digits, lacking, num, over, percent, typed, type Count } from './figures';
import { openMenu, type Item } from './menu';
import { MFU, ask, at, axes, batchOf, layoutOf, lengthOf, usual, type State } from './state';
import { CHOICES, LAYOUTS, PHASES, nameOf } from './words';

const LENGTHS = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072];
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128];
const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128];
const RATES = ['20', '30', '40', '50', '60', '100'];
const STEPS = ['1', '1000', '100000', '400000'];
const TOKENS = ['20B', '300B', '1T', '15T'];

const steps = (n?: string): string => (n && n !== '1' ? `${digits(n)} steps` : 'one step');
const UNITS: Record<string, string> = { K: 'thousand', M: 'million', B: 'billion', T: 'trillion' };
const tokens = (n: string): string => n.replace(/([KMBT])$/, (_, u: string) => ` ${UNITS[u]}`) + ' tokens';

export class Sentence {
    el = h('p', { class: 'st', id: 'sentence' });
    verdict = h('p', { class: 'vd', id: 'verdict' });
    live = h('p', { class: 'vh', role: 'status', 'aria-live': 'polite' });
    private timer = 0;
    constructor(private app: App) {}

    draw(): void {
        const s = this.app.state,
            held = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.word : undefined;
        const word = (id: string, name: Child, open: (from: HTMLElement) => void, cls = ''): HTMLElement =>
            h(
                'button',
                {
                    class: `w1d ${cls}`,
                    'data-word': id,
                    type: 'button',
                    'aria-haspopup': 'listbox',
                    'aria-expanded': 'false',
                    onclick: (e: Event) => open(e.currentTarget as HTMLElement),
                },
                name,
            );
        const option = (name: string): HTMLElement =>
            word(name, name === 'recipe' ? this.types() : nameOf(name, s.options[name]), from =>
                this.choices(from, name),
            );
        const number = (symbol: string, list: number[]): HTMLElement => {
            const b = word(symbol, digits(at(s, symbol)), from => this.numbers(from, symbol, list));
            this.drag(b, symbol);
            return b;
        };
        const nw = (...c: Child[]): HTMLElement => h('span', { class: 'nw' }, c);
        const length = lengthOf(s),
            n = at(s, 'B');
        const model = word('model', this.name(), () => document.getElementById('pick')?.click(), 'm');
        const sequences = n === 1 ? ' sequence' : ' sequences',
            whose = batchOf(s) ? ` on ${batchOf(s)}` : '';
        const device = this.app.device();
        const train = s.phase === 'train',
            name = word('device', device?.name ?? s.device, from => this.deviceMenu(from));
        const on: Child = [
            ' on ',
            word('devices', String(s.devices), from => this.counts(from)),
            ' × ',
            nw(name, s.devices > 1 || train ? ',' : '.'),
            s.devices > 1
                ? [
                      ' divided by ',
                      nw(
                          word('layout', LAYOUTS.find(l => l.value === s.layout)?.name ?? s.layout, from =>
                              this.layouts(from),
                          ),
                          train ? ',' : '.',
                      ),
                  ]
                : null,
            train
                ? [
                      ' at ',
                      word('mfu', `${s.options.mfu ?? MFU}%`, from => this.rates(from)),
                      ' of its peak rate, for ',
                      nw(
                          word('steps', s.options.tokens ? tokens(s.options.tokens) : steps(s.options.steps), from =>
                              this.steps(from),
                          ),
                          '.',
                      ),
                  ]
                : null,
        ];
        const begin: Child = [
            nw(model, ':'),
            ' ',
            word('phase', PHASES.find(p => p.value === s.phase)!.name, from => this.phases(from)),
            ' of ',
            number('B', BATCHES),
            sequences,
        ];
        if (s.phase === 'train')
            put(
                this.el,
                begin,
                ' of ',
                number(length, LENGTHS),
                ` tokens${whose} in `,
                option('recipe'),
                ' with ',
                nw(option('optimizer'), ','),
                ' attention ',
                nw(option('attention'), ','),
                ' ',
                option('recompute'),
                ' recomputed, the loss ',
                nw(option('loss'), ','),
                on,
            );
        else
            put(
                this.el,
                begin,
                s.phase === 'decode' ? ', with ' : ' of ',
                number(length, LENGTHS),
                s.phase === 'decode' ? ` tokens seen${whose}, in ` : ` tokens${whose} in `,
                nw(option('dtype'), ','),
                ' weights in ',
                nw(option('weights'), ','),
                ' cache in ',
                nw(option('kv-dtype'), ','),
                ' attention ',
                nw(option('attention'), ','),
                on,
            );
        if (held) this.el.querySelector<HTMLElement>(`[data-word="${held}"]`)?.focus({ preventScroll: true });
    }

    /** Words that only the account knows are written when it has come. */
    learn(): void {
        const word = this.el.querySelector('[data-word="recipe"]');
        if (word) text(word, this.types());
    }

    private name(): string {
        return this.app.state.model.replace(/\.(rk|json|gguf|safetensors)$/, '');
    }

    /** The types of a training step: those that the account says, where none is chosen. */
    private types(): string {
        const p = this.app.account.step?.profile,
            chosen = this.app.state.options.recipe;
        if (chosen || !p || p.phase !== 'train') return nameOf('recipe', chosen);
        return p.autocast ? nameOf('recipe', 'mixed') : p.bytes_per_number === 4 ? 'fp32' : nameOf('recipe', '');
    }

    /** Puts the peak of each choice beside it, as the core answers. */
    private peaks(show: (v: string, f: string, share: number, over: boolean) => void, states: [string, State][]): void {
        const known: [string, any][] = [],
            limit = this.app.account.step?.limit;
        states.forEach(
            ([value, s], i) =>
                void core.ask(ask.peak(s), `menu ${i}`, true).then(a => {
                    if (isOld(a)) return;
                    const peak = a.json?.rows?.[0]?.['memory.peak'];
                    if (peak === undefined) {
                        show(value, '–', 0, false);
                        return;
                    }
                    known.push([value, peak]);
                    const most = Math.max(...known.map(k => num(k[1])));
                    for (const [v, p] of known)
                        show(v, asBytes(p), num(p) / most, limit !== undefined && over(p, limit));
                }),
        );
    }

    private choices(from: HTMLElement, name: string): void {
        const s = this.app.state,
            list = CHOICES[name]!;
        const items: Item[] = list.map(c => ({
            value: c.value,
            name: c.name,
            note: c.value ? `--${name} ${c.value}` : '',
            on: (s.options[name] ?? '') === c.value,
        }));
        const show = openMenu(from, { label: name, items, pick: v => this.app.option(name, v) });
        this.peaks(
            show,
            list.map(c => [c.value, { ...s, options: { ...s.options, [name]: c.value } }]),
        );
    }

    /** The share of the device's rate that is reached: nothing but the time of a step depends on it. */
    private rates(from: HTMLElement): void {
        const now = this.app.state.options.mfu ?? MFU;
        openMenu(from, {
            label: 'share of the peak rate that is reached',
            items: RATES.map(v => ({ value: v, name: `${v}%`, note: `--mfu ${v}%`, on: v === now })),
            pick: v => this.app.option('mfu', v === MFU ? '' : v),
            typed: {
                value: now,
                hint: 'per cent, from 1 to 100',
                take: t => {
                    const ok = /^(100|[1-9]\d?)%?$/.test(t.trim());
                    if (ok) this.app.option('mfu', t.trim().replace('%', ''));
                    return ok;
                },
            },
        });
    }

    /** How many steps or tokens a run has: only its time depends on them. */
    private steps(from: HTMLElement): void {
        const o = this.app.state.options,
            now = o.tokens ?? o.steps ?? '1';
        const take = (t: string): boolean => {
            const n = t.replace(/[,_ ]|steps?$|tokens?$/g, ''),
                many = /^\d{1,6}(\.\d{1,3})?[KMBT]$/.test(n),
                ok = many || (/^[1-9]\d{0,9}$/.test(n) && Number(n) <= 1e9);
            const { steps: _s, tokens: _t, ...rest } = o;
            if (ok)
                this.app.set({ options: { ...rest, ...(many ? { tokens: n } : n === '1' ? {} : { steps: n }) } });
            return ok;
        };
        openMenu(from, {
            label: 'steps or tokens of the run',
            items: [
                ...STEPS.map(v => ({ value: v, name: steps(v), note: `--steps ${v}`, on: v === now })),
                ...TOKENS.map(v => ({ value: v, name: tokens(v), note: `--tokens ${v}`, on: v === now })),
            ],
            pick: v => void take(v),
            typed: { value: now, hint: 'steps, as 5000, or tokens, as 1.4T', take },
        });
    }

    private phases(from: HTMLElement): void {
        const s = this.app.state;
        const show = openMenu(from, {
            label: 'what is run',
            items: PHASES.map(p => ({ value: p.value, name: p.name, on: p.value === s.phase })),
            pick: v => {
                const phase = v as State['phase'];
                this.app.set({ phase, ...(s.layout === usual(s.phase) ? { layout: usual(phase) } : {}) });
            },
        });
        this.peaks(
            show,
            PHASES.map(p => {
                const phase = p.value as State['phase'];
                return [p.value, { ...s, phase, layout: s.layout === usual(s.phase) ? usual(phase) : s.layout }];
            }),
        );
    }

    private numbers(from: HTMLElement, symbol: string, list: number[]): void {
        const s = this.app.state,
            now = at(s, symbol);
        const show = openMenu(from, {
            label: symbol === 'B' ? 'sequences' : 'tokens',
            items: list.map(n => ({ value: String(n), name: digits(n), on: n === now })),
            pick: v => this.app.number(symbol, Number(v)),
            typed: {
                value: String(now),
                hint: 'a number, as 6000 or 8K',
                take: t => {
                    const n = typed(t);
                    if (n) this.app.number(symbol, n);
                    return n !== null;
                },
            },
        });
        this.peaks(
            show,
            list.map(n => [String(n), { ...s, numbers: { ...s.numbers, [symbol]: n } }]),
        );
    }

    private counts(from: HTMLElement): void {
        const s = this.app.state;
        const show = openMenu(from, {
            label: 'devices',
            items: COUNTS.map(n => ({ value: String(n), name: String(n), on: n === s.devices })),
            pick: v => this.app.set({ devices: Number(v) }),
            typed: {
                value: String(s.devices),
                hint: 'how many',
                take: t => {
                    const n = typed(t);
                    if (n && n <= 65536) this.app.set({ devices: n });
                    return n !== null && n <= 65536;
                },
            },
        });
        this.peaks(
            show,
            COUNTS.map(n => [String(n), { ...s, devices: n, layout: s.layout.includes('=') ? usual(s.phase) : s.layout }]),
        );
    }

    private layouts(from: HTMLElement): void {
        const s = this.app.state;
        const show = openMenu(from, {
            label: 'how it is divided',
            items: LAYOUTS.map(l => ({
                value: l.value,
                name: l.name,
                note: `--layout ${axes(l.value, s.devices)}`,
                on: l.value === s.layout,
            })),
            pick: v => this.app.set({ layout: v }),
            typed: {
                value: layoutOf(s),
                hint: 'axes, as fsdp=4,tp=2',
                take: t => {
                    if (!/^[\w=,+]+$/.test(t)) return false;
                    this.app.set({ layout: t });
                    return true;
                },
            },
        });
        this.peaks(
            show,
            LAYOUTS.map(l => [l.value, { ...s, layout: l.value }]),
        );
    }

    private deviceMenu(from: HTMLElement): void {
        const s = this.app.state;
        const items = (q: string): Item[] =>
            this.app.devices
                .filter(d =>
                    q
                        .toLowerCase()
                        .split(/\s+/)
                        .every(w => `${d.device} ${d.name} ${d.vendor}`.toLowerCase().includes(w)),
                )
                .map(d => ({
                    value: d.device,
                    name: d.name,
                    note: `${d.vendor}, ${asBytes(d.usable ?? d.memory)}`,
                    on: d.device === s.device,
                }));
        openMenu(from, {
            label: 'devices',
            items: items(''),
            filter: items,
            pick: v => this.app.set({ device: v }),
            wide: true,
        });
    }

    /** A number is dragged to both sides, a doubling for every forty pixels. */
    private drag(b: HTMLElement, symbol: string): void {
        b.classList.add('num1');
        b.addEventListener('pointerdown', e => {
            const x = e.clientX,
                first = at(this.app.state, symbol);
            let moved = false;
            const move = (m: PointerEvent): void => {
                if (!moved && Math.abs(m.clientX - x) < 5) return;
                moved = true;
                const n = Math.max(1, Math.round(first * 2 ** ((m.clientX - x) / 40)));
                this.app.number(symbol, n, 'drag');
            };
            const up = (): void => {
                removeEventListener('pointermove', move);
                removeEventListener('pointerup', up);
                if (moved) {
                    addEventListener(
                        'click',
                        c => {
                            c.stopPropagation();
                            c.preventDefault();
                        },
                        { capture: true, once: true },
                    );
                    this.app.number(symbol, at(this.app.state, symbol), 'choice');
                }
            };
            addEventListener('pointermove', move);
            addEventListener('pointerup', up);
        });
    }

    drawVerdict(): void {
        const { account, state } = this.app,
            j = account.step;
        this.verdict.classList.toggle('dim', account.quick !== null);
        if (account.error) {
            const [first, ...more] = account.error.split('\n'),
                like = /--like (\w[\w.-]*)/.exec(account.error)?.[1];
            put(
                this.verdict,
                h('b', { class: 'over' }, 'Not answered: '),
                h('span', { class: 'msg' }, first),
                more.length ? h('code', { class: 'mt' }, more.join('\n')) : null,
                like
                    ? [
                          ' ',
                          h(
                              'button',
                              { type: 'button', class: 'lk', onclick: () => this.app.option('like', like) },
                              `Read it as ${like}`,
                          ),
                      ]
                    : null,
            );
            this.say(account.error);
            return;
        }
        if (!j || j.limit === undefined) return;
        const word = (name: Child, go: () => void): HTMLElement =>
            h('button', { type: 'button', class: 'lk', onclick: go }, name);
        const each = state.devices > 1 ? ' on each device' : '',
            last = (symbol: string): number => num(account.extents.find(e => e.symbol === symbol)?.last);
        const length = lengthOf(state),
            context = num(this.app.models.find(m => m.name === state.model)?.context),
            fit = account.fit?.asked === ask.fit(state).join('\n') ? account.fit : null,
            reserved = fit?.needs_of === 'reserved' ? fit.needs : null,
            differ = reserved && j.fits && over(reserved, j.limit);
        if (differ)
            put(
                this.verdict,
                h('b', { class: 'over' }, `The tensors fit, but PyTorch’s allocator would reserve ≈ ${asBytes(reserved)}${each}: `),
                `the peak of its tensors is ${asBytes(j.peak)} of ${asBytes(j.limit)}, what would be reserved is ${asBytes(lacking(fit.left))} more than there is. `,
                word('What would help?', () => document.getElementById('fit')?.scrollIntoView()),
            );
        else if (j.fits)
            put(
                this.verdict,
                h('b', {}, 'It fits, by the peak of its tensors: '),
                `${asBytes(j.peak)} of ${asBytes(j.limit)}${each}, and ${asBytes(j.left)} are left. `,
                last('B') > at(state, 'B')
                    ? [
                          'Up to ',
                          word(`${digits(last('B'))} sequences`, () => this.app.number('B', last('B'))),
                          ' would fit',
                      ]
                    : null,
                last('B') > at(state, 'B') && last(length) > at(state, length) ? ', or ' : null,
                last(length) > at(state, length)
                    ? [
                          word(`${digits(last(length))} tokens`, () => this.app.number(length, last(length))),
                          context && last(length) > context ? ` (its context is ${digits(context)})` : '',
                          last('B') > at(state, 'B') ? '' : ' would fit',
                      ]
                    : null,
                last('B') > at(state, 'B') || last(length) > at(state, length) ? '.' : null,
            );
        else {
            const ways = account.ways.filter(w => w.fits && !/--layout/.test(w.option)),
                way = ways.find(w => !/lora/.test(w.option)) ?? ways[0],
                few = account.ways.find(w => w.fits && /--layout/.test(w.option)),
                together = !way && !few && state.devices === 1 ? this.together() : null;
            const more =
                way && num(way.operations) > 1.001
                    ? `, with ${percent(num(way.operations))} of the operations`
                    : '';
            put(
                this.verdict,
                h('b', { class: 'over' }, 'It does not fit, by the peak of its tensors: '),
                `${asBytes(lacking(j.left))} too much${each}. `,
                way
                    ? [
                          word(upper(way.text), () => this.take(way.option)),
                          `: ${asBytes(way.peak)}${more}`,
                          few && state.devices === 1 ? '; ' : '.',
                      ]
                    : null,
                few && state.devices === 1
                    ? [
                          word(few.text, () => this.take(few.option)),
                          ` it fits as it is, with ${asBytes(few.peak)} on each.`,
                      ]
                    : null,
                together
                    ? [
                          word(upper(together.text), () => this.take(together.option)),
                          `: it fits${together.needs ? `, with ≈ ${asBytes(together.needs)}` : ''}. `,
                      ]
                    : null,
                !way && !few ? word('What would help?', () => document.getElementById('fit')?.scrollIntoView()) : null,
            );
        }
        if (reserved && !differ)
            this.verdict.append(
                ' ',
                h(
                    'small',
                    { title: 'an estimate of what PyTorch’s allocator takes from the device for it' },
                    `PyTorch reserves ≈ ${asBytes(reserved)}${j.fits ? ', which fits, too' : ''}.`,
                ),
            );
        this.say(this.verdict.textContent ?? '');
    }

    /** Where nothing helps by itself: the first savings, each on top of those before, with which it fits. */
    private together(): { text: string; option: string; needs: Count | null } | null {
        const fit = this.app.account.fit,
            list: any[] = fit?.savings ?? [],
            i = list.findIndex(x => x.fits || x.fewest_devices);
        if (i < 0 || fit.asked !== ask.fit(this.app.state).join('\n')) return null;
        const taken = list.slice(0, i + 1),
            some = list[i].fits ? '' : ` on ${digits(list[i].fewest_devices)} devices`;
        return {
            text: `${taken.map(x => x.text).join(', ')}${some}`,
            option: `${taken.map(x => x.option).join(' ')}${some ? ` --layout fsdp=${list[i].fewest_devices}` : ''}`,
            needs: list[i].fits ? list[i].needs : null,
        };
    }

    /** An option as the core writes it: "--recompute full". */
    take(words: string): void {
        const o = { ...this.app.state.options };
        let patch: Partial<State> = {};
        for (const [, k, v] of words.matchAll(/--([\w-]+) (\S+)/g)) {
            const axis = k === 'layout' ? /^(\w+)=(\d+)$/.exec(v!) : null;
            if (axis) patch = { layout: axis[1]!, devices: Number(axis[2]) };
            else o[k!] = v!;
        }
        this.app.set({ options: o, ...patch });
    }

    private say(t: string): void {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => text(this.live, t), 500);
    }
}
const upper = (t: string): string => t.charAt(0).toUpperCase() + t.slice(1);
