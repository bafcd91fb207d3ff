// SPDX-License-Identifier: MIT
// Memory over the step: the timeline, the column of one moment, and the ledger of it, linked.
import type { App } from './app';
import { h, keep, put, s, text } from './dom';
import { asBytes, digits, lacking, num, type Count } from './figures';
import { KINDS, PARTS, kindOf } from './words';

const W = 1000,
    H = 280;
const STACK = ['weights', 'optimizer', 'gradients', 'cache', 'kept', 'work'];
const OUTSIDE = 0.16; // of the width: operations outside of layers, or the peak at the loss would be a hair

/** Where a kind stands in the stack: all that is at work is its last. */
const PLACE = KINDS.map(k => (STACK.includes(k.kind) ? STACK.indexOf(k.kind) : STACK.length - 1));

const cls = (k: string): string => (k === 'work' ? 'work' : kindOf(k).cls);

/** Bytes of a moment by the page's kinds: all that is at work is one. */
function stack(row: any): number[] {
    const out = STACK.map(() => 0);
    KINDS.forEach((k, i) => {
        const bytes = row[k.kind];
        if (bytes) out[PLACE[i]!]! += Number(bytes);
    });
    return out;
}

export class Memory {
    el: HTMLElement;
    private title = h('p', {});
    private svg = s('svg', { viewBox: `0 0 ${W} ${H}`, preserveAspectRatio: 'none', role: 'img' });
    private shapes = STACK.map(k => s('path', { class: `a ${cls(k)}` }));
    private above = s('path', { class: 'hov', fill: 'url(#ho)', 'clip-path': 'url(#ct)' });
    private clip = s('rect', { width: W, height: 0 });
    private line = s('line', { class: 'lim', x1: 0, x2: W });
    private y = h('div', { class: 'yg', 'aria-hidden': 'true' });
    private cross = h('div', { class: 'cross', hidden: true });
    private axis = h('div', { class: 'tx', 'aria-hidden': 'true' });
    private col = h('div', { class: 'col', 'aria-hidden': 'true' });
    private led = h('tbody', {});
    private tl: HTMLElement;
    private marks = h('div', {});
    private at = -1; // the moment that is read, -1: the peak
    private zoom: [number, number] = [0, 1];
    private points: any[] = [];
    private heights: number[][] = [];
    private xs: number[] = [];
    private ceil = 1;

    constructor(private app: App) {
        put(
            this.svg,
            s(
                'defs',
                {},
                hatch('hw', '45', 'pw', 'ps', 5, 1.6),
                hatch('ho', '-45', '', 'po', 6, 1.5),
                s('clipPath', { id: 'ct' }, this.clip),
            ),
            this.shapes,
            this.above,
            this.line,
        );
        this.tl = h(
            'div',
            {
                class: 'tl',
                tabindex: 0,
                role: 'group',
                'aria-label':
                    'Timeline; arrows step through the operations, Enter explains one, Escape returns to the peak',
            },
            this.y,
            this.svg,
            this.marks,
            this.cross,
        );
        this.el = h(
            'section',
            { id: 'memory' },
            h('div', { class: 'hd' }, h('h2', {}, 'Memory over the step'), this.title),
            h(
                'div',
                { class: 'me' },
                this.tl,
                this.col,
                h(
                    'table',
                    { class: 'led' },
                    h('caption', { class: 'vh' }, 'Bytes alive at the moment; the rows add up to it'),
                    this.led,
                ),
                this.axis,
            ),
        );
        this.tl.addEventListener('pointermove', e => this.hover(e));
        this.tl.addEventListener('pointerleave', () => this.read(-1));
        this.tl.addEventListener('pointerdown', e => this.drag(e));
        this.tl.addEventListener('dblclick', () => this.look([0, 1]));
        this.tl.addEventListener('keydown', e => this.key(e));
        this.tl.addEventListener('blur', () => this.read(-1));
    }

    private read(i: number): void {
        if (i === this.at) return;
        this.at = i;
        this.moment();
    }

    private look(zoom: [number, number]): void {
        this.zoom = zoom;
        this.draw();
    }

    private hover(e: PointerEvent): void {
        const box = this.svg.getBoundingClientRect(),
            x = this.zoom[0] + ((e.clientX - box.left) / box.width) * (this.zoom[1] - this.zoom[0]);
        if (this.points.length)
            this.read(
                Math.max(
                    0,
                    this.xs.findLastIndex(v => v <= x),
                ),
            );
    }

    /** Dragging zooms, a click explains. */
    private drag(e: PointerEvent): void {
        const box = this.svg.getBoundingClientRect(),
            x0 = (e.clientX - box.left) / box.width,
            sel = h('div', { class: 'zoom' });
        let x1 = x0;
        const move = (m: PointerEvent): void => {
            x1 = Math.max(0, Math.min(1, (m.clientX - box.left) / box.width));
            if (Math.abs(x1 - x0) > 0.01 && !sel.parentElement) this.tl.append(sel);
            sel.style.left = `${100 * Math.min(x0, x1)}%`;
            sel.style.width = `${100 * Math.abs(x1 - x0)}%`;
        };
        const up = (): void => {
            removeEventListener('pointermove', move);
            removeEventListener('pointerup', up);
            sel.remove();
            const [a, b] = this.zoom,
                w = b - a;
            if (Math.abs(x1 - x0) > 0.02) this.look([a + w * Math.min(x0, x1), a + w * Math.max(x0, x1)]);
            else if (this.points[this.at]?.path) this.app.explain(this.points[this.at].path, 'memory');
        };
        addEventListener('pointermove', move);
        addEventListener('pointerup', up);
    }

    private key(e: KeyboardEvent): void {
        const n = this.points.length,
            now = this.at < 0 ? this.peakAt() : this.at,
            step = e.shiftKey ? 10 : 1;
        if (!n) return;
        if (e.key === 'ArrowRight') this.read(Math.min(n - 1, now + step));
        else if (e.key === 'ArrowLeft') this.read(Math.max(0, now - step));
        else if (e.key === 'Home') this.read(0);
        else if (e.key === 'End') this.read(n - 1);
        else if (e.key === 'Escape' && (this.at >= 0 || this.zoom[1] - this.zoom[0] < 1)) {
            this.at = -1;
            this.look([0, 1]);
        } else if (e.key === 'Enter' && this.points[now]?.path) this.app.explain(this.points[now].path, 'memory');
        else return;
        e.preventDefault();
        e.stopPropagation();
    }

    private peakAt(): number {
        const peak = String(this.app.account.step?.peak),
            exact = this.points.findIndex(p => String(p.bytes) === peak);
        return exact >= 0
            ? exact
            : this.points.reduce((b, p, i) => (num(p.bytes) > num(this.points[b].bytes) ? i : b), 0);
    }

    draw(): void {
        const j = this.app.account.step;
        if (!j) return;
        this.points = j.timeline ?? [];
        this.heights = this.points.map(stack);
        const inside = this.points.filter(p => p.layer !== undefined).length,
            outside = this.points.length - inside;
        const wide = inside ? Math.max(1, (OUTSIDE / (1 - OUTSIDE)) * (inside / Math.max(1, outside))) : 1,
            sum = inside + wide * outside;
        let x = 0;
        this.xs = this.points.map(p => {
            const at = x;
            x += (p.layer === undefined ? wide : 1) / sum;
            return at;
        });
        const train = this.app.state.phase === 'train';
        keep(this.title, String(train), () =>
            train
                ? [
                      'Stone stays; what grows with ',
                      h('i', { class: 'f' }, 'B'),
                      ' and ',
                      h('i', { class: 'f' }, 'S'),
                      ' has a colour; the rail beside the bar says whose it is (',
                      h('span', { class: 'k norm' }, 'norms'),
                      ').',
                  ]
                : 'Stone stays; the cache grows with every token that is seen.',
        );
        this.drawLine(j);
        this.moment();
    }

    private drawLine(j: any): void {
        const limit = num(j.limit),
            top = 1.04 * Math.max(num(j.peak), Math.min(limit, 2 * num(j.peak)));
        const [step, unit, div] = scaleOf(top),
            ceil = (this.ceil = Math.ceil(top / step) * step),
            y = (b: number): string => (H * (1 - b / ceil)).toFixed(2);
        keep(this.y, `${ceil} ${step}`, () => {
            const labels = [];
            for (let v = 0; v <= ceil + 1; v += step)
                labels.push(
                    h(
                        'span',
                        { style: { bottom: `${(100 * v) / ceil}%` } },
                        `${Math.round((100 * v) / div) / 100}${v + step > ceil + 1 ? ` ${unit}` : ''}`,
                    ),
                );
            return labels;
        });
        this.svg.setAttribute(
            'aria-label',
            `Bytes alive over ${this.app.state.phase === 'train' ? 'one training step' : 'the step'}: ${asBytes(this.points[0]?.bytes ?? 0)} at its beginning, ${asBytes(j.peak)} at its peak in ${j.during}, ${asBytes(this.points.at(-1)?.bytes ?? 0)} at its end`,
        );
        const n = this.points.length,
            [a, b] = this.zoom;
        let first = 0,
            last = n - 1;
        while (first < n - 1 && this.xs[first + 1]! <= a) first++;
        while (last > first && this.xs[last]! >= b) last--;
        const tenth = (v: number): number => Math.round(10 * v) / 10,
            ends = this.points.map((_, i) => tenth((W * ((this.xs[i + 1] ?? 1) - a)) / (b - a))),
            begin = n ? tenth((W * (this.xs[first]! - a)) / (b - a)) : 0,
            level = (v: number): number => tenth(H * (1 - v / ceil));
        // Steps of one height are one line.
        const upper = (rows: number[]): string => {
            let path = '';
            for (let i = first; i <= last; i++)
                if (i === last || rows[i + 1] !== rows[i]) path += `V${rows[i]}H${ends[i]}`;
            return path;
        };
        const lower = (rows: number[]): string => {
            let path = '';
            for (let i = last; i >= first; i--)
                if (i === first || rows[i - 1] !== rows[i]) path += `V${rows[i]}H${i === first ? begin : ends[i - 1]}`;
            return path;
        };
        const base = new Array<number>(n).fill(0);
        let under = base.map(level);
        STACK.forEach((_, k) => {
            let any = false;
            for (let i = first; i <= last; i++) {
                const more = this.heights[i]![k]!;
                any ||= more > 0;
                base[i]! += more;
            }
            const top = any ? base.map(level) : under;
            this.shapes[k]!.setAttribute('d', any ? `M${begin} ${top[first]}${upper(top)}${lower(under)}Z` : '');
            under = top;
        });
        const over = n ? `M${begin} ${under[first]}${upper(under)}` : '';
        this.above.setAttribute('d', over && limit ? `${over}L${W} ${H}L0 ${H}Z` : '');
        this.clip.setAttribute('height', String(Math.max(0, Number(y(limit)))));
        this.line.setAttribute('y1', y(limit));
        this.line.setAttribute('y2', y(limit));
        this.line.setAttribute('visibility', limit && limit < ceil ? 'visible' : 'hidden');
        this.drawMarks(j, limit);
        this.drawAxis();
    }

    private drawMarks(j: any, limit: number): void {
        const up = (b: number): number => (100 * b) / this.ceil,
            [a, b] = this.zoom,
            px = (v: number): number => (100 * (v - a)) / (b - a),
            out: HTMLElement[] = [];
        if (limit && limit < this.ceil)
            out.push(
                h(
                    'span',
                    { class: 'lml', style: { bottom: `calc(${up(limit)}% + 2px)` } },
                    `${this.app.device()?.name?.split(' ')[0] ?? 'device'}: ${asBytes(j.limit)}`,
                ),
            );
        const n = this.points.length,
            i = n ? this.peakAt() : -1,
            x = n ? px((this.xs[i]! + (this.xs[i + 1] ?? 1)) / 2) : -1;
        if (x >= 0 && x <= 100)
            out.push(
                h('span', { class: 'pkm', style: { left: `${x}%`, bottom: `calc(${up(num(j.peak))}% + 5px)` } }),
                h(
                    'span',
                    {
                        class: `pkl${x > 62 ? ' lft' : ''}`,
                        style: {
                            left: `${x}%`,
                            bottom: `calc(${up(num(j.peak))}% + 9px)`,
                            'max-width': `calc(${x > 62 ? x : 100 - x}% - 9px)`,
                        },
                    },
                    h('b', {}, asBytes(j.peak)),
                    h('span', { class: 'dsk' }, j.at ? ` at ${j.at}, ${j.during.replace('the ', '')}` : ''),
                ),
            );
        if (b - a === 1)
            STACK.forEach((k, row) => {
                const most = n ? Math.max(...this.heights.map(q => q[row]!)) : 0;
                if (k === 'work' || most < 0.07 * this.ceil) return;
                const where = this.heights.findIndex(q => q[row] === most),
                    under = this.heights[where]!.slice(0, row).reduce((p, q) => p + q, 0);
                // A name stands where there is room for it: as wide as it is, the band is high enough.
                const high = this.heights.map((q, at) => (q[row]! > 0.06 * this.ceil ? (this.xs[at + 1] ?? 1) - this.xs[at]! : 0));
                if (high.reduce((p, q) => p + q, 0) < 0.18) return;
                const stays = k === 'weights' || k === 'optimizer' || k === 'cache';
                const place: Record<string, string> = stays
                    ? { left: '1.2%', bottom: `${up(under + most / 2) - 3}%` }
                    : k === 'gradients'
                      ? { right: '3%', bottom: `${up(under + most / 2) - 3}%` }
                      : { left: `${Math.max(3, px(this.xs[where]!) - 10)}%`, bottom: `${up(under + most * 0.38)}%` };
                out.push(h('span', { class: `tn tn-${k}`, style: place }, kindOf(k).name));
            });
        put(this.marks, out);
    }

    /** Layers below, and where each pass begins. */
    private drawAxis(): void {
        const acts = this.points.map(p => `${p.act} ${p.layer ?? ''}`).join();
        keep(this.axis, `${this.zoom.join()} ${acts}`, () => this.axisMarks());
    }

    private axisMarks(): HTMLElement[] {
        const out: HTMLElement[] = [],
            [a, b] = this.zoom,
            px = (v: number): number => (100 * (v - a)) / (b - a);
        const layers = Math.max(0, ...this.points.map(p => num(p.layer ?? 0))) + 1,
            every = 2 ** Math.ceil(Math.log2(Math.max(1, (layers * (b - a)) / 4)));
        let act = '',
            layer = -1;
        this.points.forEach((p, i) => {
            const x = px(this.xs[i]!);
            if (p.layer !== undefined && p.layer !== layer && p.layer % every === 0 && x >= 0 && x <= 99)
                out.push(h('span', { style: { left: `${x}%` } }, String(p.layer)));
            layer = p.layer ?? -1;
            if (p.act !== act && p.act !== 'loss') {
                const range = p.act === 'forward' ? `, layers 0–${layers - 1}` : `, layers ${layers - 1}–0`,
                    late = x > 88;
                if (x >= -0.01 && x <= 100)
                    out.push(
                        h(
                            'em',
                            { style: late ? { right: '0' } : { left: `${Math.max(0, x)}%` } },
                            p.act,
                            layers > 1 && !late ? h('span', { class: 'dsk' }, range) : null,
                            late ? '' : ' →',
                        ),
                    );
                act = p.act;
            }
        });
        return out;
    }

    /** The column and the ledger of the moment that is read; the peak's, when none is. */
    private moment(): void {
        const j = this.app.account.step;
        if (!j) return;
        const p = this.at >= 0 ? this.points[this.at] : null;
        const kinds: any[] = p
                ? KINDS.filter(k => p[k.kind] !== undefined).map(k => ({ kind: k.kind, bytes: p[k.kind] }))
                : j.kinds,
            total: Count = p ? p.bytes : j.peak;
        this.cross.hidden = !p;
        if (p) {
            const x =
                (100 * ((this.xs[this.at]! + (this.xs[this.at + 1] ?? 1)) / 2 - this.zoom[0])) /
                (this.zoom[1] - this.zoom[0]);
            this.cross.style.left = `${x}%`;
            put(
                this.cross,
                h(
                    'span',
                    { class: x > 60 ? 'lft' : '' },
                    h('b', {}, asBytes(total)),
                    ` ${p.path ?? ''}${p.layer !== undefined ? `, layer ${p.layer}` : ''}, ${p.act}`,
                ),
            );
        }
        this.column(kinds, num(j.limit));
        const rows = [...KINDS].reverse().flatMap(k => kinds.filter(q => q.kind === k.kind).map(q => ({ ...q, k })));
        const tails: [string, Count, string][] = [[p ? 'at this moment' : 'at the peak', total, 'tt']];
        if (!p && j.left !== undefined)
            tails.push(j.fits ? ['left on the device', j.left, 'ov ok'] : ['too much by', lacking(j.left), 'ov']);
        // Rows stay while they are the same kinds: only their digits change.
        keep(this.led, [...rows.map(r => r.kind), ...tails.map(t => t[0])].join(), () => [
            rows.map(r => this.row(r.kind, r.k)),
            tails.map(([name, , c]) =>
                h(
                    'tr',
                    { class: c },
                    h('th', { scope: 'row' }, name),
                    h('td', { class: 'n' }),
                    h('td', { class: 'g2' }),
                ),
            ),
        ]);
        [...rows.map(r => r.bytes as Count), ...tails.map(t => t[1])].forEach((b, i) => {
            const tr = this.led.rows[i]!;
            text(tr.cells[1]!, digits(b));
            text(tr.cells[2]!, asBytes(b));
        });
    }

    private row(kind: string, k: { cls: string; name: string; note: string }): HTMLElement {
        return h(
            'tr',
            { class: 'go', 'data-kind': kind, onclick: () => this.app.explain('', `memory:${kind}`) },
            h(
                'th',
                { scope: 'row' },
                h('span', { class: `sw ${k.cls}` }),
                h('button', { type: 'button', class: 'pl' }, k.name),
                h('small', {}, k.note),
            ),
            h('td', { class: 'n' }),
            h('td', { class: 'g2' }),
        );
    }

    private column(kinds: any[], limit: number): void {
        const sums = stack(Object.fromEntries(kinds.map(q => [q.kind, q.bytes]))),
            whole = sums.reduce((a, b) => a + b, 0);
        this.col.style.setProperty('--lim', `${(100 * limit) / this.ceil}%`);
        put(
            this.col,
            STACK.map((k, i) => {
                if (!sums[i]) return null;
                const own = kinds.filter(q => (k === 'work' ? !STACK.includes(q.kind) : q.kind === k));
                const rail = Object.keys(PARTS)
                    .map(part => ({ part, bytes: own.reduce((a, q) => a + num(q[part]), 0) }))
                    .filter(r => r.bytes);
                return h(
                    'div',
                    { class: 'sg', style: { flex: `${(1000 * sums[i]!) / this.ceil} 0 0` } },
                    h('b', { class: cls(k) }),
                    h(
                        'span',
                        { class: 'rail' },
                        rail.map(r => h('b', { class: PARTS[r.part]!.cls, style: { flex: String(r.bytes / 1e6) } })),
                    ),
                );
            }),
            h('div', { style: { flex: `${(1000 * (this.ceil - whole)) / this.ceil} 0 0` } }),
            limit && limit <= this.ceil ? h('i', { class: 'cl', 'data-limit': asBytes(limit) }) : null,
        );
    }

    /** The timeline as a picture that stands alone. */
    picture(): string {
        const copy = this.svg.cloneNode(true) as SVGElement,
            j = this.app.account.step;
        const colour = (v: string): string => {
            const probe = h('i', { style: { color: `var(${v})` } });
            document.body.append(probe);
            const c = getComputedStyle(probe).color;
            probe.remove();
            return c;
        };
        const css = `${KINDS.filter(k => k.cls !== 'work')
            .map(k => `.${k.cls}{fill:${colour(`--${k.cls}`)}}`)
            .join(
                '',
            )}.work{fill:url(#hw)}.pw{fill:${colour('--paper')}}.ps{fill:${colour('--act')}}.po{fill:${colour('--paper')};opacity:.34}.lim{stroke:${colour('--over')};stroke-width:1.5}text{font:12px sans-serif;fill:${colour('--ink')}}`;
        for (const [k, v] of Object.entries({
            xmlns: 'http://www.w3.org/2000/svg',
            viewBox: `-70 -40 ${W + 90} ${H + 80}`,
            width: String(W + 90),
            height: String(H + 80),
        }))
            copy.setAttribute(k, v);
        copy.removeAttribute('preserveAspectRatio');
        copy.prepend(
            s('style', {}, css),
            s('rect', { x: -70, y: -40, width: W + 90, height: H + 80, fill: colour('--paper') }),
        );
        copy.append(
            s('text', { x: 0, y: -18 }, `${this.app.state.model}: ${asBytes(j.peak)} at the peak, ${j.during}`),
        );
        this.y
            .querySelectorAll('span')
            .forEach(t =>
                copy.append(
                    s(
                        'text',
                        { x: -8, y: H * (1 - parseFloat(t.style.bottom) / 100) + 4, 'text-anchor': 'end' },
                        t.textContent,
                    ),
                ),
            );
        this.axis
            .querySelectorAll('em')
            .forEach(t =>
                copy.append(
                    s(
                        'text',
                        t.style.right
                            ? { x: W, y: H + 20, 'text-anchor': 'end' }
                            : { x: (W * parseFloat(t.style.left)) / 100, y: H + 20 },
                        t.textContent,
                    ),
                ),
            );
        return new XMLSerializer().serializeToString(copy);
    }
}

function hatch(id: string, turn: string, ground: string, lines: string, size: number, width: number): SVGElement {
    return s(
        'pattern',
        { id, width: size, height: size, patternUnits: 'userSpaceOnUse', patternTransform: `rotate(${turn})` },
        ground ? s('rect', { width: size, height: size, class: ground }) : null,
        s('rect', { width, height: size, class: lines }),
    );
}

/** A round step of the axis, its unit, and what a label is divided by. */
function scaleOf(top: number): [number, string, number] {
    const units: [string, number][] = [
        ['TB', 1e12],
        ['GB', 1e9],
        ['MB', 1e6],
        ['kB', 1e3],
        ['B', 1],
    ];
    const [unit, div] = units.find(([, u]) => top >= u) ?? ['B', 1],
        rough = top / 6.6,
        power = 10 ** Math.floor(Math.log10(rough));
    return [[1, 2, 5, 10].map(m => m * power).find(v => v >= rough) ?? rough, unit, div];
}
