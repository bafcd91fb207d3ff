// SPDX-License-Identifier: MIT
// Four answers: parameters, operations, memory, time; rounded, then all digits, then whose it is, then the formula.
import type { App } from './app';
import { h, keep, put, text, type Child } from './dom';
import { asFlops, bytes, counts, digits, flops, num, percent, shortFormula, tinyFlops } from './figures';
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

/** Parts of an account with the shares that the core says; embedding and head are one colour, side by side. */
export function partShares(parts: any[], figure: string): Share[] {
    return parts
        .map(p => ({ ...(PARTS[p.part] ?? { cls: 'other', name: p.part }), share: num(p[`${figure}_share`]) }))
        .filter(p => p.share)
        .sort((a, b) => b.share - a.share);
}

/** Kinds from the bottom up. */
export function kindShares(kinds: any[]): Share[] {
    return KINDS.flatMap(k => kinds.filter(p => p.kind === k.kind)).map(p => ({
        cls: kindOf(p.kind).cls,
        name: kindOf(p.kind).name,
        share: num(p.share),
    }));
}

/** Kinds that stand as keys of a row, to be drawn: shares of the row's own peak. */
export const kindsOf = (row: any): any[] =>
    KINDS.filter(k => row[k.kind] !== undefined).map(k => ({ kind: k.kind, share: num(row[k.kind]) / num(row.peak) }));

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
    number([value, unit]: [string, string], exact: string, sign = '≈'): void {
        put(this.big, this.est && value !== '–' ? `${sign} ${value}` : value, h('small', {}, unit));
        text(this.exact, exact);
    }
    picture(key: string, make: () => Child): void {
        keep(this.pic, key, make);
    }
    parts(shares: Share[]): void {
        const list = [...shares]
            .sort((a, b) => b.share - a.share)
            .filter(x => x.share >= 0.005)
            .slice(0, 3);
        keep(this.pic, shares.map(x => `${x.name} ${x.share.toFixed(4)}`).join(), () => bar(shares));
        keep(this.legend, list.map(x => `${x.name} ${percent(x.share)}`).join(), () =>
            list.map(x => [h('span', { class: `k ${x.cls}` }, `${x.name} ${percent(x.share)}`), ' ']),
        );
    }
    note(t: string, cls = ''): void {
        keep(this.legend, `${cls} ${t}`, () => (cls ? h('span', { class: cls }, t) : t));
    }
    formula(f: string, most = 0): void {
        keep(this.form, f, () => (most ? shortFormula(f, most) : f));
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
        const each = this.app.state.devices > 1 ? ', each device' : '';
        this.par.title(each ? 'Parameters used by each device' : 'Parameters');
        this.mem.title(`Memory at the peak${each}`);
        this.par.number(counts(j.parameters.total), digits(j.parameters.total));
        this.par.parts(partShares(j.parts, 'parameters'));
        this.par.formula(j.parameters.formula, 8);
        this.ops.title(
            each
                ? `Operations${each}`
                : phase === 'train'
                  ? 'Operations of a step'
                  : phase === 'prefill'
                    ? 'Operations of a prompt'
                    : 'Operations of new tokens',
        );
        this.ops.number(flops(of.total, j.convention?.unit), digits(of.total));
        this.ops.parts(partShares(j.parts, 'forward'));
        this.ops.formula(of.formula, 7);
        this.mem.number(bytes(j.peak), `${digits(j.peak)} bytes`);
        this.mem.parts(kindShares(j.kinds));
        const moment = a.memory?.moments?.[0];
        if (moment && String(moment.bytes) === String(j.peak)) this.mem.formula(moment.formula, 5);
        this.mem.el.classList.toggle('isover', j.fits === false);
        this.duration();
    }

    /** What the device's rate allows: an estimate, or a bound, and said so. */
    private duration(): void {
        const a = this.app.account,
            d = this.app.device(),
            phase = this.app.state.phase,
            t = a.time;
        if (phase === 'decode') {
            const step = a.fit?.step,
                rate = step?.tokens_per_second_at_most;
            this.time.title('New tokens');
            this.time.number(
                rate === undefined ? ['–', ''] : [digits(rate), 'a second'],
                rate === undefined ? '' : 'at most, by the memory’s rate',
                '≤',
            );
            this.time.picture('', () => null);
            this.time.note(
                rate !== undefined
                    ? 'a bound: each step reads what it needs once'
                    : a.fit
                      ? 'the memory’s rate is not in the table of devices'
                      : 'being asked for',
                'k est',
            );
            this.time.formula(step ? `${bytes(step.moved).join(' ')} of ${bytes(step.bandwidth).join(' ')}/s` : '');
            return;
        }
        this.time.title(
            phase !== 'train'
                ? 'Time of a prompt'
                : t?.steps > 1
                  ? `Time of ${digits(t.steps)} steps`
                  : 'Time of a step',
        );
        if (phase === 'prefill' || !t?.seconds) {
            this.time.number(['–', ''], '');
            this.time.picture('', () => null);
            this.time.note(
                phase === 'prefill'
                    ? 'only the time of a training step is estimated'
                    : t
                      ? a.error
                          ? 'not answered'
                          : t.why || `the rate of ${d?.name ?? 'the device'} in this type is not in the table of devices`
                      : 'being asked for',
            );
            this.time.formula('');
            return;
        }
        const reached = percent(num(t.mfu));
        this.time.number(duration(num(t.seconds)), `${digits(t.tokens)} tokens`);
        this.time.picture(reached, () =>
            h(
                'div',
                { class: 'bar est', 'aria-hidden': 'true' },
                h('b', { style: { flex: String(1000 * num(t.mfu)) } }),
                h('s', { style: { flex: String(1000 - 1000 * num(t.mfu)) } }),
            ),
        );
        this.time.note(`an estimate: ${reached} of the device’s ${t.type} peak reached`, 'k est');
        this.time.formula(
            `${asFlops(t.flops)} ÷ (${reached} of ${t.devices > 1 ? `${t.devices} × ` : ''}${tinyFlops(t.rate)}/s)`,
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
