// SPDX-License-Identifier: MIT
// Three sliders that know where they lead: over each track runs the peak, with the device's line and the last value that fits.
import type { App } from './app';
import { core, isOld } from './core';
import { h, isPhone, keep, put, s, text } from './dom';
import { asBytes, brief, digits, lacking, num, typed } from './figures';
import { at, batchOf, layoutOf, lengthOf, sweep } from './state';
import { LAYOUTS } from './words';

const QUANTITIES = 'memory.peak,flops,flops.step';
const W = 320,
    H = 46;

interface Point {
    value: number;
    peak: number;
    row: any;
}

class Slider {
    el: HTMLElement;
    private label = h('span', {});
    private out = h('output', {});
    private letter = h('b', {});
    private curve = s('svg', { viewBox: `0 0 ${W} ${H}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    private last = h('i', { class: 'fx' });
    private lastText = h('em', { class: 'fl' });
    private dot = h('u', {});
    private knob = h('i', {});
    private track: HTMLElement;
    private ticks = h('div', { class: 'tk', 'aria-hidden': 'true' });
    private note = h('p', { class: 'sn' });
    points: Point[] = [];
    private typing = '';
    min = 1;
    max = 64;

    constructor(
        private app: App,
        public kind: 'length' | 'batch' | 'devices',
        private sliders: Sliders,
    ) {
        this.track = h('div', { class: 'tr', role: 'slider', tabindex: 0, id: `slider-${kind}` }, this.knob);
        this.el = h(
            'div',
            { class: 'sl', id: `sl-${kind}` },
            h('div', { class: 'lb0' }, this.letter, this.out, this.label),
            h('div', { class: 'sc' }, this.curve, this.last, this.lastText, this.dot),
            this.track,
            this.ticks,
            this.note,
        );
        this.track.addEventListener('pointerdown', e => this.grab(e));
        this.el.querySelector('.sc')!.addEventListener('pointerdown', e => this.grab(e as PointerEvent));
        this.track.addEventListener('keydown', e => this.key(e));
        this.track.addEventListener('focus', () => this.sliders.prepare(this));
    }

    symbol(): string {
        return this.kind === 'length' ? lengthOf(this.app.state) : this.kind === 'batch' ? 'B' : 'N';
    }
    value(): number {
        return this.kind === 'devices' ? this.app.state.devices : at(this.app.state, this.symbol());
    }
    private set(v: number, how: 'drag' | 'choice'): void {
        const n = Math.max(1, v);
        if (this.kind === 'devices') {
            if (n !== this.app.state.devices) this.app.set({ devices: n }, how);
        } else this.app.number(this.symbol(), n, how);
    }

    range(): void {
        const context = num(this.app.models.find(m => m.name === this.app.state.model)?.context) || 131072;
        if (this.kind === 'length') {
            this.min = 256;
            this.max = 2 ** Math.ceil(Math.log2(Math.max(8192, Math.min(context, 1 << 20), this.value())));
        } else {
            this.min = 1;
            this.max = this.kind === 'batch' ? (this.app.state.phase === 'train' ? 32 : 256) : 64;
            while (this.max < this.value()) this.max *= 2;
        }
    }
    private x(v: number): number {
        return Math.max(0, Math.min(1, Math.log2(Math.max(v, this.min) / this.min) / Math.log2(this.max / this.min)));
    }

    /** The values that the slider stops at: sixteen in each doubling of a length, whole numbers elsewhere. */
    grid(): number[] {
        const set = new Set<number>(),
            steps = this.kind === 'length' ? 10 : 8,
            n = Math.round(Math.log2(this.max / this.min)) * steps;
        for (let i = 0; i <= n; i++) {
            const v = this.min * 2 ** (i / steps);
            // lengths that divide over devices
            set.add(
                this.kind === 'length' && (v > 1024 || this.app.state.devices > 1)
                    ? Math.round(v / 64) * 64
                    : Math.round(v),
            );
        }
        return [...set];
    }

    private grab(e: PointerEvent): void {
        e.preventDefault();
        this.track.focus({ preventScroll: true });
        this.sliders.prepare(this);
        const box = this.track.getBoundingClientRect(),
            grid = this.grid();
        let moved = false;
        const go = (x: number, how: 'drag' | 'choice'): void => {
            const v = this.min * (this.max / this.min) ** Math.max(0, Math.min(1, (x - box.left) / box.width));
            const near = grid.reduce((a, b) => (Math.abs(Math.log(b / v)) < Math.abs(Math.log(a / v)) ? b : a));
            if (near !== this.value() || how === 'choice') this.set(near, how);
        };
        const move = (m: PointerEvent): void => {
            moved = true;
            go(m.clientX, 'drag');
        };
        const up = (u: PointerEvent): void => {
            removeEventListener('pointermove', move);
            removeEventListener('pointerup', up);
            go(u.clientX, 'choice');
        };
        addEventListener('pointermove', move);
        addEventListener('pointerup', up);
        if (!moved) go(e.clientX, 'drag');
    }

    private key(e: KeyboardEvent): void {
        const v = this.value(),
            grid = this.grid(),
            up = e.key === 'ArrowRight' || e.key === 'ArrowUp',
            down = e.key === 'ArrowLeft' || e.key === 'ArrowDown';
        if (up && e.shiftKey) this.set(v * 2, 'choice');
        else if (down && e.shiftKey) this.set(Math.ceil(v / 2), 'choice');
        else if (up) this.set(grid.find(g => g > v) ?? v, 'choice');
        else if (down) this.set(grid.findLast(g => g < v) ?? v, 'choice');
        else if (e.key === 'Home') this.set(this.min, 'choice');
        else if (e.key === 'End') this.set(this.max, 'choice');
        else if (/^[\dKkMm]$/.test(e.key) && !e.ctrlKey && !e.metaKey) {
            this.typing += e.key;
            text(this.out, this.typing);
            e.preventDefault();
            return;
        } else if (e.key === 'Backspace' && this.typing) {
            this.typing = this.typing.slice(0, -1);
            text(this.out, this.typing || digits(v));
            return;
        } else if (e.key === 'Enter' && this.typing) {
            const n = typed(this.typing);
            this.typing = '';
            if (n) this.set(n, 'choice');
            else this.draw();
            return;
        } else if (e.key === 'Escape' && this.typing) {
            this.typing = '';
            this.draw();
            e.stopPropagation();
            return;
        } else return;
        this.typing = '';
        e.preventDefault();
    }

    draw(): void {
        const v = this.value(),
            st = this.app.state,
            fit = this.app.account.step,
            peak = this.app.account.quick?.['memory.peak'] ?? this.app.account.step?.peak;
        this.range();
        const meaning =
            this.kind === 'length'
                ? st.phase === 'decode'
                    ? 'tokens seen'
                    : 'tokens of a sequence'
                : this.kind === 'batch'
                  ? `sequences in the batch${batchOf(st) ? ` of ${batchOf(st)}` : ''}`
                  : `devices${st.devices > 1 ? `, ${LAYOUTS.find(l => l.value === st.layout)?.name ?? layoutOf(st)}` : ''}`;
        text(this.letter, this.symbol());
        text(this.out, digits(v));
        text(this.label, ` ${meaning}`);
        const x = 100 * this.x(v);
        this.knob.style.left = `${x}%`;
        this.track.setAttribute('aria-label', meaning);
        this.track.setAttribute('aria-valuemin', String(this.min));
        this.track.setAttribute('aria-valuemax', String(this.max));
        this.track.setAttribute('aria-valuenow', String(v));
        this.track.setAttribute(
            'aria-valuetext',
            `${digits(v)} ${meaning}${peak ? `, peak ${asBytes(peak)}` : ''}${fit ? (fit.fits ? ', fits' : ', does not fit') : ''}`,
        );
        this.dot.style.left = `${x}%`;
        if (peak && this.sliders.most)
            this.dot.style.top = `${100 * (1 - Math.min(1, num(peak) / this.sliders.most))}%`;
        this.dot.hidden = !peak || !this.sliders.most;
        this.drawTicks();
        this.drawLast();
    }

    private drawTicks(): void {
        const list: number[] = [],
            step = this.kind === 'length' ? 4 : 2;
        for (let t = this.min; t <= this.max; t *= step) list.push(t);
        if (this.ticks.dataset.key === list.join()) return;
        this.ticks.dataset.key = list.join();
        put(
            this.ticks,
            list.map(t => h('span', { style: { left: `${100 * this.x(t)}%` } }, brief(t))),
        );
    }

    /** The last value that fits, as the core found it. */
    private drawLast(): void {
        const st = this.app.state,
            fit = this.app.account.step,
            x0 = this.app.account.extents.find(e => e.symbol === this.symbol());
        let value = 0,
            words: (string | HTMLElement)[] = [];
        if (x0 && this.kind === 'devices') {
            if (num(x0.last) > 1) {
                value = num(x0.last);
                words = ['fits from ', h('b', {}, digits(x0.last)), ` on, with ${asBytes(x0.peak)} each`];
            } else if (num(x0.last) === 1) words = ['one is enough'];
            else {
                const least = (x0.curve ?? []).reduce((a: any, b: any) => (a && num(a.peak) <= num(b.peak) ? a : b), null);
                words = [
                    `no number of them is enough in pieces (FSDP)${least ? `; ${digits(least.number)} have the least, ${asBytes(least.peak)} each` : ''}`,
                ];
            }
        } else if (x0 && num(x0.last) > 0) {
            value = num(x0.last);
            words = ['fits up to ', h('b', {}, digits(x0.last)), x0.next ? `; one more needs ${digits(x0.next)} bytes` : ''];
        } else if (x0)
            words = [
                this.kind === 'batch'
                    ? `none fits at ${lengthOf(st)} = ${digits(at(st, lengthOf(st)))}`
                    : `none fits at B = ${digits(at(st, 'B'))}`,
            ];
        if (this.kind === 'devices' && !x0 && fit && !this.app.account.error)
            words = [
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'lk',
                        onclick: () => document.getElementById('devices')?.scrollIntoView(),
                    },
                    'Over devices',
                ),
                ' has each layout',
            ];
        keep(this.note, words.map(w => (typeof w === 'string' ? w : w.textContent)).join(), () => words);
        const show = value >= this.min && value <= this.max;
        this.last.hidden = this.lastText.hidden = !show;
        if (!show) return;
        const x = 100 * this.x(value);
        this.last.style.left = this.lastText.style.left = `${x}%`;
        this.lastText.classList.toggle('lft', x > 80);
        text(this.lastText, digits(value));
    }

    drawCurve(): void {
        const limit = num(this.app.account.step?.limit),
            most = this.sliders.most;
        if (!this.points.length || !most) {
            put(this.curve);
            return;
        }
        const y = (b: number): number => H * (1 - b / most);
        const line = this.points.map(p => `${(W * this.x(p.value)).toFixed(1)},${y(p.peak).toFixed(1)}`).join(' ');
        const area = `0,${H} ${line} ${(W * this.x(this.points.at(-1)!.value)).toFixed(1)},${H}`,
            id = `cut-${this.kind}-${this.sliders.id}`;
        put(
            this.curve,
            s('clipPath', { id }, s('rect', { x: 0, y: 0, width: W, height: y(limit) })),
            s('polygon', { class: 'scf', points: area }),
            limit ? s('polygon', { class: 'sco', 'clip-path': `url(#${id})`, points: area }) : null,
            limit ? s('line', { class: 'scl', x1: 0, x2: W, y1: y(limit), y2: y(limit) }) : null,
            s('polyline', { class: 'scc', points: line }),
        );
    }
}

let instances = 0;

export class Sliders {
    el = h('div', { class: 'sls', id: 'sliders' });
    dock = h('div', { class: 'dock', role: 'region', 'aria-label': 'Sliders' });
    id = instances++;
    most = 0;
    list: Slider[];
    private shown = 0;

    constructor(private app: App) {
        this.list = (['length', 'batch', 'devices'] as const).map(k => new Slider(app, k, this));
        put(
            this.el,
            this.list.map(x => x.el),
        );
    }

    /** The phone has one at a time, at the thumb. */
    arrange(): void {
        if (!isPhone()) {
            if (this.list[0]!.el.parentElement !== this.el)
                put(
                    this.el,
                    this.list.map(x => x.el),
                );
            put(this.dock);
            return;
        }
        const names = ['Length', 'Batch', 'Devices'];
        const fit = this.app.account.step;
        put(
            this.dock,
            h(
                'div',
                { class: 'dk' },
                names.map((n, i) =>
                    h(
                        'button',
                        {
                            type: 'button',
                            'aria-pressed': i === this.shown ? 'true' : 'false',
                            onclick: () => {
                                this.shown = i;
                                this.arrange();
                            },
                        },
                        n,
                    ),
                ),
                h(
                    'span',
                    { class: fit && !fit.fits ? 'over' : '' },
                    fit ? (fit.fits ? 'fits' : `${asBytes(lacking(fit.left))} over`) : '',
                ),
            ),
            this.list[this.shown]!.el,
        );
    }

    /** One sweep before a slider moves: each place that it stops at has its row then, and no frame has to wait. */
    prepare(slider: Slider): void {
        if (slider.kind === 'devices') return;
        const st = this.app.state;
        slider.range();
        void core.ask(sweep(st, slider.symbol(), slider.grid(), QUANTITIES), `grid ${slider.kind}`).then(a => {
            if (!isOld(a) && a.json?.rows)
                this.rows.set(
                    this.key(slider.symbol()),
                    new Map(a.json.rows.map((r: any) => [num(r[slider.symbol()]), r])),
                );
        });
    }
    private rows = new Map<string, Map<number, any>>();
    private key(symbol: string): string {
        return sweep(this.app.state, symbol, [], '').join(' ');
    }
    row(symbol: string, value: number): any {
        return this.rows.get(this.key(symbol))?.get(value) ?? null;
    }

    /** After a rest: the curves of all three, on one axis. */
    update(): void {
        const st = this.app.state;
        for (const slider of this.list) {
            slider.range();
            if (slider.kind === 'devices') continue;
            const key = this.key(slider.symbol());
            void core
                .ask(sweep(st, slider.symbol(), slider.grid(), QUANTITIES), `curve ${slider.kind}`, true)
                .then(a => {
                    if (isOld(a)) return;
                    const rows = a.json?.rows ?? [];
                    if (rows.length) this.rows.set(key, new Map(rows.map((r: any) => [num(r[slider.symbol()]), r])));
                    if (this.rows.size > 40) this.rows.delete(this.rows.keys().next().value!);
                    this.take(
                        slider,
                        rows.map((r: any) => ({ value: num(r[slider.symbol()]), peak: num(r['memory.peak']), row: r })),
                    );
                });
        }
    }

    private devices(slider: Slider): void {
        const curve: any[] = this.app.account.extents.find(e => e.symbol === 'N')?.curve ?? [];
        slider.points = curve
            .map(c => ({ value: num(c.number), peak: num(c.peak), row: null }))
            .filter(c => c.value <= slider.max);
    }

    private take(slider: Slider, points: Point[]): void {
        slider.points = points;
        this.scale();
    }

    scale(): void {
        this.devices(this.list[2]!);
        const limit = num(this.app.account.step?.limit),
            now = num(this.app.account.step?.peak);
        const all = Math.max(...this.list.flatMap(l => l.points.map(p => p.peak)), limit, now);
        this.most = Math.min(all, 6 * Math.max(limit, now)) * 1.04;
        for (const l of this.list) {
            l.drawCurve();
            l.draw();
        }
    }

    draw(): void {
        for (const l of this.list) l.draw();
    }
}
