// SPDX-License-Identifier: MIT
// Four answers: parameters, operations, memory, time; rounded, then all digits, then whose it is, then the formula.
import type { App } from './app';
import { h, put, text, type Child } from './dom';
import { asFlops, bytes, counts, digits, flops, num, percent, shortFormula, tinyFlops, type Count } from './figures';
import { KINDS, PARTS, kindOf } from './words';

export interface Share {
    cls: string;
    name: string;
    share: number;
}

export function bar(shares: Share[], tall = false): HTMLElement {
    return h(
        'div',
        { class: tall ? 'bar tall' : 'bar', 'aria-hidden': 'true' },
        shares.map(p => h('b', { class: p.cls, style: { flex: String(1000 * p.share) } })),
    );
}

/** Parts of an account by one of their figures; embedding and head are one colour. */
export function partShares(parts: any[], figure: string): Share[] {
    const total = parts.reduce((a, p) => a + num(p[figure]), 0) || 1,
        out = new Map<string, Share>();
    for (const p of parts) {
        const { cls, name } = PARTS[p.part] ?? { cls: 'other', name: p.part },
            old = out.get(name),
            share = num(p[figure]) / total;
        if (share) out.set(name, { cls, name, share: (old?.share ?? 0) + share });
    }
    return [...out.values()].sort((a, b) => b.share - a.share);
}

/** Kinds from the bottom up. */
export function kindShares(kinds: any[]): Share[] {
    const total = kinds.reduce((a, k) => a + num(k.bytes), 0) || 1;
    return KINDS.flatMap(k => kinds.filter(p => p.kind === k.kind)).map(p => ({
        cls: kindOf(p.kind).cls,
        name: kindOf(p.kind).name,
        share: num(p.bytes) / total,
    }));
}

/** Kinds that stand as keys of a row. */
export const kindsOf = (row: any): any[] =>
    KINDS.filter(k => row[k.kind] !== undefined).map(k => ({ kind: k.kind, bytes: row[k.kind] }));

class Box {
    el: HTMLElement;
    private big = h('button', { class: 'num', type: 'button' });
    private exact = h('p', { class: 'exact' });
    private pic = h('div', { class: 'pic' });
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
            h('h2', {}, title),
            h('p', { class: 'big' }, this.big),
            this.exact,
            this.pic,
            this.legend,
            this.form,
        );
    }
    title(t: string): void {
        text(this.el.querySelector('h2')!, t);
    }
    number([value, unit]: [string, string], exact: string): void {
        put(this.big, this.est && value !== '–' ? `≈ ${value}` : value, h('small', {}, unit));
        text(this.exact, exact);
    }
    picture(...c: Child[]): void {
        put(this.pic, c);
    }
    parts(shares: Share[]): void {
        put(this.pic, bar(shares));
        const list = [...shares]
            .sort((a, b) => b.share - a.share)
            .filter(x => x.share >= 0.005)
            .slice(0, 3);
        put(
            this.legend,
            list.map(x => [h('span', { class: `k ${x.cls}` }, `${x.name} ${percent(x.share)}`), ' ']),
        );
    }
    note(...c: Child[]): void {
        put(this.legend, c);
    }
    formula(c: Child): void {
        put(this.form, c);
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
        const ops = this.app.state.phase === 'train' ? row['flops.step'] : row.flops;
        if (ops !== undefined && this.app.state.phase !== 'decode')
            this.ops.number(flops(ops, this.app.state.options.unit), digits(ops));
        if (row['memory.peak'] !== undefined)
            this.mem.number(bytes(row['memory.peak']), `${digits(row['memory.peak'])} bytes`);
    }

    draw(): void {
        const a = this.app.account,
            j = a.step,
            phase = this.app.state.phase;
        if (!j) return;
        const of = phase === 'train' && j.step ? j.step : j.forward;
        this.par.number(counts(j.parameters.total), digits(j.parameters.total));
        this.par.parts(partShares(j.parts, 'parameters'));
        this.par.formula(shortFormula(j.parameters.formula, 8));
        this.ops.title(
            phase === 'train'
                ? 'Operations of a step'
                : phase === 'prefill'
                  ? 'Operations of a prompt'
                  : 'Operations of new tokens',
        );
        this.ops.number(flops(of.total, j.convention?.unit), digits(of.total));
        this.ops.parts(partShares(j.parts, 'forward'));
        this.ops.formula(shortFormula(of.formula, 7));
        this.mem.number(bytes(j.peak), `${digits(j.peak)} bytes`);
        this.mem.parts(kindShares(j.kinds));
        const moment = a.memory?.moments?.[0];
        if (moment && String(moment.bytes) === String(j.peak)) this.mem.formula(shortFormula(moment.formula, 5));
        this.mem.el.classList.toggle('isover', j.fits === false);
        this.duration(of.total);
    }

    /** What the device's rate allows: an estimate, or a bound, and said so. */
    private duration(total: Count): void {
        const a = this.app.account,
            d = this.app.device(),
            phase = this.app.state.phase,
            t = a.time;
        if (phase === 'decode') {
            const step = a.fit?.step,
                rate = step?.tokens_per_second_at_most;
            this.time.title('Tokens in a second');
            this.time.number(
                rate === undefined ? ['–', ''] : [`${digits(rate)}`, 'at most'],
                rate === undefined ? '' : 'by the memory’s rate',
            );
            this.time.picture();
            this.time.note(
                h(
                    'span',
                    { class: 'k est' },
                    rate === undefined
                        ? 'the memory’s rate is not known'
                        : 'a bound: each step reads what it needs once',
                ),
            );
            this.time.formula(step ? `${bytes(step.moved).join(' ')} of ${bytes(step.bandwidth).join(' ')}/s` : '');
            return;
        }
        this.time.title(phase === 'train' ? 'Time of a step' : 'Time of a prompt');
        if (phase === 'prefill' || !t?.seconds) {
            this.time.number(['–', ''], '');
            this.time.picture();
            this.time.note(
                phase === 'prefill'
                    ? 'the time of a training step alone is estimated'
                    : `the rate of ${d?.name ?? 'the device'} is not known`,
            );
            this.time.formula('');
            return;
        }
        this.time.number(duration(num(t.seconds)), `${digits(t.tokens)} tokens`);
        this.time.picture(
            h(
                'div',
                { class: 'bar est', 'aria-hidden': 'true' },
                h('b', { style: { flex: '400' } }),
                h('s', { style: { flex: '600' } }),
            ),
        );
        this.time.note(h('span', { class: 'k est' }, `an estimate: 40% of the device’s ${t.type} peak reached`));
        this.time.formula(
            `${asFlops(total)} ÷ (40% of ${t.devices > 1 ? `${t.devices} × ` : ''}${tinyFlops(t.rate)}/s)`,
        );
    }
}

export function duration(sec: number): [string, string] {
    const steps: [number, number, string][] = [
        [1e-3, 1e-6, 'µs'],
        [1, 1e-3, 'ms'],
        [120, 1, 's'],
        [7200, 60, 'min'],
        [172800, 3600, 'h'],
    ];
    const [, unit, name] = steps.find(([most]) => sec < most) ?? [0, 86400, 'days'];
    return [(sec / unit).toPrecision(3), name];
}
