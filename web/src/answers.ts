// SPDX-License-Identifier: MIT
// Four answers: parameters, operations, memory, time; rounded, then all digits, then whose it is, then the formula.
import type { App } from './app';
import { h, put, text, type Child } from './dom';
import { asFlops, bytes, counts, digits, flops, num, percent, shortFormula, tinyFlops, type Count } from './figures';
import { at } from './state';
import { KINDS, kindOf, partOf } from './words';

export interface Share {
    cls: string;
    name: string;
    value: Count;
    share: number;
    path?: string;
}

export function bar(shares: Share[], tall = false): HTMLElement {
    return h(
        'div',
        { class: tall ? 'bar tall' : 'bar', 'aria-hidden': 'true' },
        shares.map(p => h('b', { class: p.cls, style: { flex: String(1000 * p.share) } })),
    );
}

/** Rows of a sweep by component, as the core has divided them. */
export function sharesOf(row: any, whole: string): Share[] {
    const total = num(row[whole]),
        out = new Map<string, Share>();
    for (const [path, value] of Object.entries(row as Record<string, Count>)) {
        if (path === whole || /^[A-Z]/.test(path)) continue;
        const cls = partOf(path),
            name = { attn: 'attention', ffn: 'FFN', emb: 'embedding, head', norm: 'norms', other: path }[cls] ?? path;
        const key = cls === 'other' ? path : cls,
            old = out.get(key),
            v = num(value);
        if (v) out.set(key, { cls, name, value, share: (old?.share ?? 0) + v / total, path });
    }
    return [...out.values()].sort((a, b) => b.share - a.share);
}

export function kindShares(memory: any): Share[] {
    const parts: any[] = memory?.peak_parts ?? [];
    return KINDS.flatMap(k => parts.filter(p => p.kind === k.kind))
        .concat(parts.filter(p => !KINDS.some(k => k.kind === p.kind)))
        .map(p => ({ cls: kindOf(p.kind).cls, name: kindOf(p.kind).name, value: p.bytes, share: p.share }));
}

class Box {
    el: HTMLElement;
    private big = h('button', { class: 'num', type: 'button' });
    private exact = h('p', { class: 'exact' });
    private pic = h('div', {});
    private legend = h('p', { class: 'leg' });
    private form = h('p', { class: 'form' });
    constructor(
        id: string,
        title: string,
        go: () => void,
        private est = false,
    ) {
        this.exact.id = `${id}x`;
        this.big.setAttribute('aria-describedby', this.exact.id);
        this.big.addEventListener('click', go);
        this.el = h(
            'article',
            { class: `ans${est ? ' isest' : ''}`, id },
            h('h3', {}, title),
            h('p', { class: 'big' }, this.big),
            this.exact,
            this.pic,
            this.legend,
            this.form,
        );
    }
    title(t: string): void {
        text(this.el.querySelector('h3')!, t);
    }
    number([value, unit]: [string, string], exact: string): void {
        put(this.big, this.est ? `≈ ${value}` : value, h('small', {}, unit));
        text(this.exact, exact);
    }
    picture(...c: Child[]): void {
        put(this.pic, c);
    }
    parts(shares: Share[]): void {
        put(this.pic, bar(shares));
        put(
            this.legend,
            shares
                .filter(x => x.share >= 0.005)
                .sort((a, b) => b.share - a.share)
                .slice(0, 3)
                .map(x => [h('span', { class: `k ${x.cls}` }, `${x.name} ${percent(x.share)}`), ' ']),
        );
    }
    note(...c: Child[]): void {
        put(this.legend, c);
    }
    formula(c: Child): void {
        put(this.form, c);
    }
    dim(on: boolean): void {
        this.el.classList.toggle('dim', on);
    }
}

export class Answers {
    el = h('div', { class: 'an', id: 'answers' });
    private par: Box;
    private ops: Box;
    private mem: Box;
    private time: Box;
    constructor(private app: App) {
        this.par = new Box('a-par', 'Parameters', () => app.explain('', 'params'));
        this.ops = new Box('a-ops', 'Operations', () =>
            app.explain('', app.state.phase === 'train' ? 'step' : 'flops'),
        );
        this.mem = new Box('a-mem', 'Memory at the peak', () => app.explain('', 'memory'));
        this.time = new Box('a-time', 'Time', () => app.explain('', 'time'), true);
        put(
            this.el,
            [this.par, this.ops, this.mem, this.time].map(b => b.el),
        );
    }

    /** A frame of a drag: the row of the slider's sweep, nothing else. */
    quick(row: any): void {
        const train = this.app.state.phase === 'train',
            ops = train ? row['flops.step'] : row.flops;
        if (ops !== undefined && this.app.state.phase !== 'decode') {
            this.ops.number(flops(ops), digits(ops));
            this.duration(ops);
        }
        if (row['memory.peak'] !== undefined)
            this.mem.number(bytes(row['memory.peak']), `${digits(row['memory.peak'])} bytes`);
    }

    draw(): void {
        const { params, flops: f, memory, shares } = this.app.account,
            phase = this.app.state.phase;
        if (params) {
            const stored = params.parameters?.stored ?? params.parameters;
            this.par.number(counts(stored), digits(stored));
            if (shares?.params) this.par.parts(sharesOf(shares.params, 'params'));
            this.par.formula(params.formula ? shortFormula(params.formula, 8) : '');
        }
        if (f) {
            const of = phase === 'train' ? f.step : f.forward;
            this.ops.title(
                phase === 'train'
                    ? 'Operations of a step'
                    : phase === 'prefill'
                      ? 'Operations of a prompt'
                      : 'Operations of new tokens',
            );
            this.ops.number(flops(of.total, f.convention?.unit), digits(of.total));
            if (shares?.flops) this.ops.parts(sharesOf(shares.flops, 'flops'));
            this.ops.formula(shortFormula(of.formula, 7));
            this.duration(of.total);
        }
        if (memory) {
            this.mem.number(bytes(memory.peak), `${digits(memory.peak)} bytes`);
            const list = kindShares(memory);
            this.mem.parts(list);
            if (memory.moments?.[0]?.formula) this.mem.formula(shortFormula(memory.moments[0].formula, 5));
        }
        this.mem.el.classList.toggle('isover', Boolean(this.app.account.fit && !this.app.account.fit.fits));
    }

    dim(on: boolean): void {
        for (const b of [this.par, this.ops, this.mem, this.time]) b.dim(on);
    }

    /** What the device's rate allows: a bound, and said so. */
    private duration(total: Count): void {
        const a = this.app.account,
            d = this.app.device(),
            state = this.app.state;
        if (state.phase === 'decode') {
            const rate = a.fit?.step?.tokens_per_second_at_most;
            this.time.title('Tokens in a second');
            if (rate === undefined) {
                this.time.number(['–', ''], '');
                this.time.note('the memory’s rate is not known');
            } else {
                this.time.number([digits(rate), 'tokens/s'], 'at most, by the memory’s rate');
                this.time.note(h('span', { class: 'k est' }, 'a bound: each step reads what it needs once'));
            }
            this.time.picture();
            this.time.formula(
                a.fit?.step ? `${bytes(a.fit.step.moved).join(' ')} of ${bytes(a.fit.step.bandwidth).join(' ')}/s` : '',
            );
            return;
        }
        const type = rateType(a.memory),
            rate = d?.rates?.[type];
        this.time.title(state.phase === 'train' ? 'Time of a step' : 'Time of a prompt');
        if (!rate) {
            this.time.number(['–', ''], '');
            this.time.picture();
            this.time.note(`the rate of ${d?.name ?? 'the device'} in ${type} is not known`);
            this.time.formula('');
            return;
        }
        const seconds = num(total) / (0.4 * num(rate) * state.devices),
            tokens = at(state, 'B') * at(state, 'S');
        this.time.number(duration(seconds), `${digits(Math.round(tokens / seconds))} tokens in a second`);
        this.time.picture(
            h(
                'div',
                { class: 'bar est', 'aria-hidden': 'true' },
                h('b', { style: { flex: '400' } }),
                h('s', { style: { flex: '600' } }),
            ),
        );
        this.time.note(h('span', { class: 'k est' }, `an estimate: 40% of the device’s ${type} peak reached`));
        this.time.formula(
            `${asFlops(total).replace('FLOP', '')} ÷ (40% of ${state.devices > 1 ? `${state.devices} × ` : ''}${tinyFlops(rate)}/s)`,
        );
    }
}

function rateType(memory: any): string {
    const p = memory?.profile;
    if (p?.autocast) return p.autocast;
    return p?.bytes_per_number === 4 ? 'fp32' : 'bf16';
}

export function duration(sec: number): [string, string] {
    if (sec < 1e-3) return [(sec * 1e6).toPrecision(3), 'µs'];
    if (sec < 1) return [(sec * 1e3).toPrecision(3), 'ms'];
    if (sec < 120) return [sec.toPrecision(3), 's'];
    if (sec < 7200) return [(sec / 60).toPrecision(3), 'min'];
    if (sec < 172800) return [(sec / 3600).toPrecision(3), 'h'];
    return [(sec / 86400).toPrecision(3), 'days'];
}
