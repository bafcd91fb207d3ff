// SPDX-License-Identifier: MIT
// Memory over the step: the timeline, the column of one moment, and the ledger of it, linked.
import type { App } from './app';
import { h, put, s, text } from './dom';
import { asBytes, digits, minus, num, over, type Count } from './figures';
import { KINDS, kindOf, partOf } from './words';

const W = 1000,
    H = 280;
const STACK = ['weights', 'optimizer', 'gradients', 'cache', 'kept', 'work'];

/** Bytes of a moment by the page's kinds: what is at work is one. */
function stack(bytes: Record<string, Count>): Record<string, number> {
    const out: Record<string, number> = Object.fromEntries(STACK.map(k => [k, 0]));
    for (const [k, v] of Object.entries(bytes))
        out[STACK.includes(k) ? k : 'work'] = (out[STACK.includes(k) ? k : 'work'] ?? 0) + num(v);
    return out;
}
const cls = (k: string): string => (k === 'work' ? 'work' : kindOf(k).cls);

export class Memory {
    el: HTMLElement;
    private title = h('p', {});
    private svg = s('svg', { viewBox: `0 0 ${W} ${H}`, preserveAspectRatio: 'none', role: 'img' });
    private y = h('div', { class: 'yg', 'aria-hidden': 'true' });
    private over: HTMLElement;
    private tx = h('div', { class: 'tx', 'aria-hidden': 'true' });
    private col = h('div', { class: 'col', 'aria-hidden': 'true' });
    private led = h('tbody', {});
    private tl: HTMLElement;
    private marks = h('div', { class: 'mk0' });
    private at = -1; // the moment that is read, -1: the peak
    private zoom: [number, number] = [0, 1];
    private points: any[] = [];

    constructor(private app: App) {
        this.over = h('div', { class: 'cross', hidden: true });
        this.tl = h(
            'div',
            {
                class: 'tl',
                tabindex: 0,
                role: 'group',
                'aria-label': 'Timeline; arrows step through the operations, Esc returns to the peak',
            },
            this.y,
            this.svg,
            this.marks,
            this.over,
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
                this.tx,
            ),
        );
        this.tl.addEventListener('pointermove', e => this.hover(e));
        this.tl.addEventListener('pointerleave', () => {
            if (this.at >= 0 && document.activeElement !== this.tl) {
                this.at = -1;
                this.moment();
            }
        });
        this.tl.addEventListener('pointerdown', e => this.drag(e));
        this.tl.addEventListener('dblclick', () => {
            this.zoom = [0, 1];
            this.draw();
        });
        this.tl.addEventListener('keydown', e => this.key(e));
    }

    private hover(e: PointerEvent): void {
        if (!this.points.length) return;
        const box = this.svg.getBoundingClientRect();
        this.at = this.nearest(this.zoom[0] + ((e.clientX - box.left) / box.width) * (this.zoom[1] - this.zoom[0]));
        this.moment();
    }

    private nearest(x: number): number {
        const xs = this.xs;
        let best = 0;
        for (let i = 0; i < xs.length; i++) if (xs[i]! <= x) best = i;
        return best;
    }

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
            if (Math.abs(x1 - x0) < 0.02) {
                const p = this.points[this.at];
                if (p?.path) this.app.explain(p.path, 'memory');
                return;
            }
            const [a, b] = this.zoom,
                w = b - a;
            this.zoom = [a + w * Math.min(x0, x1), a + w * Math.max(x0, x1)];
            this.draw();
        };
        addEventListener('pointermove', move);
        addEventListener('pointerup', up);
    }

    private key(e: KeyboardEvent): void {
        const n = this.points.length;
        if (!n) return;
        const now = this.at < 0 ? this.peakAt() : this.at;
        if (e.key === 'ArrowRight') this.at = Math.min(n - 1, now + (e.shiftKey ? 10 : 1));
        else if (e.key === 'ArrowLeft') this.at = Math.max(0, now - (e.shiftKey ? 10 : 1));
        else if (e.key === 'Home') this.at = 0;
        else if (e.key === 'End') this.at = n - 1;
        else if (e.key === 'Escape' && (this.at >= 0 || this.zoom[1] - this.zoom[0] < 1)) {
            this.at = -1;
            this.zoom = [0, 1];
            this.draw();
        } else if (e.key === 'Enter' && this.points[now]?.path) this.app.explain(this.points[now].path, 'memory');
        else return;
        e.preventDefault();
        e.stopPropagation();
        this.moment();
    }

    private peakAt(): number {
        return this.points.reduce((b, p, i) => (num(p.bytes) > num(this.points[b].bytes) ? i : b), 0);
    }
    private xs: number[] = [];

    draw(): void {
        const m = this.app.account.memory;
        if (!m) return;
        const limit = this.app.account.fit?.limit;
        const line: any[] = m.timeline?.points ?? m.timeline ?? [];
        this.points = line.map(p => ({ ...p, stack: stack(p.kinds ?? p) }));
        put(
            this.title,
            this.app.state.phase === 'train'
                ? [
                      'Stone stays; what grows with ',
                      h('i', { class: 'f' }, 'B'),
                      ' and ',
                      h('i', { class: 'f' }, this.app.state.phase === 'train' ? 'S' : 'T'),
                      ' has a colour; the rail beside the bar says whose it is (',
                      h('span', { class: 'k norm' }, 'norms'),
                      ').',
                  ]
                : ['Stone stays; the cache grows with every token.'],
        );
        this.drawLine(m, limit);
        this.moment();
    }

    private drawLine(m: any, limit: Count | undefined): void {
        const top = 1.06 * Math.max(num(m.peak), num(limit ?? 0) * 1.04);
        const [step, unit, div] = scaleOf(top);
        const ceil = Math.ceil(top / step) * step,
            y = (b: number): number => H * (1 - b / ceil);
        this.ceil = ceil;
        const labels = [];
        for (let v = 0; v <= ceil + 1; v += step)
            labels.push(
                h(
                    'span',
                    { style: { bottom: `${(100 * v) / ceil}%` } },
                    `${Math.round((100 * v) / div) / 100}${v + step > ceil ? ` ${unit}` : ''}`,
                ),
            );
        put(this.y, labels);
        const n = this.points.length;
        this.svg.setAttribute(
            'aria-label',
            `Bytes alive over ${this.app.state.phase === 'train' ? 'one training step' : 'the step'}: ${asBytes(m.peak)} at the peak${m.moments?.[0] ? `, in ${m.moments[0].during}` : ''}`,
        );
        const shapes: SVGElement[] = [];
        if (n) {
            // Operations outside of layers are wider, or the peak at the loss would be a hair.
            const width = this.points.map(p => (p.width !== undefined ? num(p.width) : 1)),
                sum = width.reduce((a, b) => a + b, 0);
            let x = 0;
            this.xs = width.map(w => {
                const at = x;
                x += w / sum;
                return at;
            });
            const [a, b] = this.zoom,
                px = (v: number): number => (W * (v - a)) / (b - a);
            const base = new Array<number>(n).fill(0);
            const layers: [string, string][] = [];
            for (const k of STACK) {
                if (!this.points.some(p => p.stack[k])) continue;
                let path = '',
                    lower = '';
                for (let i = 0; i < n; i++) {
                    const x0 = px(this.xs[i]!),
                        x1 = px(this.xs[i + 1] ?? 1),
                        low = base[i]!,
                        high = low + this.points[i].stack[k];
                    if (x1 < 0 || x0 > W) {
                        base[i] = high;
                        continue;
                    }
                    path += `${path ? 'L' : 'M'}${x0.toFixed(1)} ${y(high).toFixed(2)}L${x1.toFixed(1)} ${y(high).toFixed(2)}`;
                    lower = `L${x1.toFixed(1)} ${y(low).toFixed(2)}L${x0.toFixed(1)} ${y(low).toFixed(2)}${lower}`;
                    base[i] = high;
                }
                layers.push([k, `${path}${lower}Z`]);
            }
            for (const [k, d] of layers) shapes.push(s('path', { class: `a ${cls(k)}`, d }));
        } else {
            let low = 0;
            const parts = stack(Object.fromEntries((m.peak_parts ?? []).map((p: any) => [p.kind, p.bytes])));
            for (const k of STACK)
                if (parts[k]) {
                    shapes.push(
                        s('rect', {
                            class: `a ${cls(k)}`,
                            x: 0,
                            width: W,
                            y: y(low + parts[k]),
                            height: y(low) - y(low + parts[k]),
                        }),
                    );
                    low += parts[k];
                }
        }
        put(
            this.svg,
            s(
                'defs',
                {},
                hatch('hw', '45', 'pw', 'ps', 5, 1.6),
                hatch('ho', '-45', '', 'po', 6, 1.5),
                limit ? s('clipPath', { id: 'ct' }, s('rect', { width: W, height: y(num(limit)) })) : null,
            ),
            shapes,
            limit
                ? s('rect', {
                      'clip-path': 'url(#ct)',
                      fill: 'url(#ho)',
                      x: 0,
                      y: 0,
                      width: W,
                      height: H,
                      class: 'hov',
                  })
                : null,
            limit && num(limit) < ceil
                ? s('line', { class: 'lim', x1: 0, x2: W, y1: y(num(limit)), y2: y(num(limit)) })
                : null,
        );
        this.drawMarks(m, limit, ceil);
        this.drawAxis(m);
    }
    private ceil = 1;

    private drawMarks(m: any, limit: Count | undefined, ceil: number): void {
        const device = this.app.device(),
            up = (b: Count): number => (100 * num(b)) / ceil,
            out: HTMLElement[] = [];
        if (limit && num(limit) < ceil)
            out.push(
                h(
                    'span',
                    { class: 'lml', style: { bottom: `calc(${up(limit)}% + 2px)` } },
                    `${device?.name?.split(' ')[0] ?? 'device'}: ${asBytes(limit)}`,
                ),
            );
        if (this.points.length) {
            const i = this.peakAt(),
                x = (100 * ((this.xs[i]! + (this.xs[i + 1] ?? 1)) / 2 - this.zoom[0])) / (this.zoom[1] - this.zoom[0]),
                p = this.points[i];
            if (x >= 0 && x <= 100)
                out.push(
                    h('span', { class: 'pkm', style: { left: `${x}%`, bottom: `calc(${up(m.peak)}% - 3px)` } }),
                    h(
                        'span',
                        { class: `pkl${x > 60 ? ' lft' : ''}`, style: { left: `${x}%`, bottom: `${up(m.peak)}%` } },
                        h('b', {}, asBytes(m.peak)),
                        h('span', { class: 'dsk' }, p?.path ? ` at ${p.path}${p.pass ? `, ${p.pass}` : ''}` : ''),
                    ),
                );
            for (const k of STACK) {
                const most = Math.max(...this.points.map(q => q.stack[k]));
                if (most < 0.07 * ceil || k === 'work') continue;
                const where = this.points.reduce((b, q, j) => (q.stack[k] > this.points[b].stack[k] ? j : b), 0);
                const under = STACK.slice(0, STACK.indexOf(k)).reduce((sum, q) => sum + this.points[where].stack[q], 0);
                const stays = k === 'weights' || k === 'optimizer' || k === 'cache',
                    x0 = (100 * (this.xs[where]! - this.zoom[0])) / (this.zoom[1] - this.zoom[0]);
                if (!stays && (x0 < 4 || x0 > 96) && this.zoom[1] - this.zoom[0] < 1) continue;
                out.push(
                    h(
                        'span',
                        {
                            class: `tn tn-${k}`,
                            style: stays
                                ? { left: '1.2%', bottom: `${(100 * (under + most * 0.5)) / ceil - 2.5}%` }
                                : k === 'gradients'
                                  ? { right: '3%', bottom: `${(100 * (under + most * 0.5)) / ceil - 3}%` }
                                  : {
                                        left: `${Math.max(4, x0 - 12)}%`,
                                        bottom: `${(100 * (under + most * 0.35)) / ceil}%`,
                                    },
                        },
                        kindOf(k).name,
                    ),
                );
            }
        }
        put(this.marks, out);
    }

    /** Names below: where each pass begins. */
    private drawAxis(m: any): void {
        const out: HTMLElement[] = [];
        let last = '';
        this.points.forEach((p, i) => {
            const pass = p.pass ?? p.during ?? '';
            const x = (100 * (this.xs[i]! - this.zoom[0])) / (this.zoom[1] - this.zoom[0]);
            if (pass && pass !== last && x >= -0.01 && x < 99) {
                out.push(
                    h(
                        'em',
                        {
                            class: out.length && x > 85 ? 'opx' : '',
                            style: x > 85 ? { right: '0' } : { left: `${Math.max(0, x)}%` },
                        },
                        `${pass}${x > 85 ? '' : ' →'}`,
                    ),
                );
                last = pass;
            } else if (pass !== last) last = pass;
        });
        if (!this.points.length && m.moments?.[0]) out.push(h('em', { style: { left: '0' } }, m.moments[0].during));
        put(this.tx, out);
    }

    /** The column and the ledger of the moment that is read; the peak's, when none is. */
    private moment(): void {
        const { memory: m, fit } = this.app.account;
        if (!m) return;
        const p = this.at >= 0 ? this.points[this.at] : null;
        const parts: { kind: string; bytes: Count }[] = p
            ? KINDS.filter(k => p.kinds?.[k.kind] !== undefined || p[k.kind] !== undefined).map(k => ({
                  kind: k.kind,
                  bytes: p.kinds?.[k.kind] ?? p[k.kind],
              }))
            : (m.peak_parts ?? []);
        const total: Count = p ? p.bytes : m.peak;
        this.over.hidden = !p;
        if (p) {
            const x =
                (100 * ((this.xs[this.at]! + (this.xs[this.at + 1] ?? 1)) / 2 - this.zoom[0])) /
                (this.zoom[1] - this.zoom[0]);
            this.over.style.left = `${x}%`;
            put(
                this.over,
                h(
                    'span',
                    { class: x > 60 ? 'lft' : '' },
                    h('b', {}, asBytes(total)),
                    ` ${p.path ?? ''}${p.pass ? `, ${p.pass}` : ''}`,
                ),
            );
        }
        this.column(parts, fit?.limit, p ? null : m.peak_parts);
        const rows = [...KINDS].reverse().flatMap(k => parts.filter(q => q.kind === k.kind).map(q => ({ ...q, k })));
        const row = (k: { cls: string; name: string; note: string }, b: Count, kind: string): HTMLElement =>
            h(
                'tr',
                { class: 'go', 'data-kind': kind, onclick: () => this.app.explain('', `memory:${kind}`) },
                h(
                    'th',
                    { scope: 'row' },
                    h('span', { class: `sw ${k.cls}` }),
                    h('button', { type: 'button', class: 'pl' }, k.name),
                    h('small', {}, k.note),
                ),
                h('td', { class: 'n' }, digits(b)),
                h('td', { class: 'g2' }, asBytes(b)),
            );
        const end: HTMLElement[] = [
            h(
                'tr',
                { class: 'tt' },
                h('th', { scope: 'row' }, p ? 'at this moment' : 'at the peak'),
                h('td', { class: 'n' }, digits(total)),
                h('td', { class: 'g2' }, asBytes(total)),
            ),
        ];
        const reserved = !p && (fit?.rows ?? []).find((r: any) => /allocator/.test(r.what));
        if (reserved)
            end.push(
                h(
                    'tr',
                    { class: 'lm' },
                    h(
                        'th',
                        { scope: 'row' },
                        'reserved beside it',
                        h('small', { class: 'flat' }, 'by the allocator, ≈'),
                    ),
                    h('td', { class: 'n' }, digits(reserved.bytes)),
                    h('td', { class: 'g2' }, asBytes(reserved.bytes)),
                ),
            );
        if (fit && !p)
            end.push(
                over(fit.needs, fit.limit)
                    ? h(
                          'tr',
                          { class: 'ov' },
                          h('th', { scope: 'row' }, 'too much by'),
                          h('td', { class: 'n' }, digits(minus(fit.needs, fit.limit))),
                          h('td', { class: 'g2' }, asBytes(minus(fit.needs, fit.limit))),
                      )
                    : h(
                          'tr',
                          { class: 'ov ok' },
                          h('th', { scope: 'row' }, 'left on the device'),
                          h('td', { class: 'n' }, digits(minus(fit.limit, fit.needs))),
                          h('td', { class: 'g2' }, asBytes(minus(fit.limit, fit.needs))),
                      ),
            );
        put(
            this.led,
            rows.map(r => row(r.k, r.bytes, r.kind)),
            end,
        );
    }

    private column(
        parts: { kind: string; bytes: Count; parts?: any[] }[],
        limit: Count | undefined,
        rails: any[] | null,
    ): void {
        const sums = stack(Object.fromEntries(parts.map(q => [q.kind, q.bytes])));
        const whole = STACK.reduce((a, k) => a + sums[k]!, 0);
        this.col.style.setProperty('--lim', `${limit ? (100 * num(limit)) / this.ceil : -9}%`);
        put(
            this.col,
            STACK.filter(k => sums[k]).map(k => {
                const rail: any[] = (rails ?? [])
                    .filter(r => (k === 'work' ? !STACK.includes(r.kind) : r.kind === k))
                    .flatMap(r => r.parts ?? []);
                return h(
                    'div',
                    { class: 'sg', style: { flex: `${(1000 * sums[k]!) / this.ceil} 0 0` } },
                    h('b', { class: cls(k) }),
                    h(
                        'span',
                        { class: 'rail' },
                        rail.map(r =>
                            h('b', { class: partOf(r.part ?? r.path ?? ''), style: { flex: String(num(r.bytes)) } }),
                        ),
                    ),
                );
            }),
            h('div', { style: { flex: `${(1000 * (this.ceil - whole)) / this.ceil} 0 0` } }),
            limit && num(limit) <= this.ceil ? h('i', { class: 'cl', 'data-limit': asBytes(limit) }) : null,
        );
    }

    /** The timeline as a picture that stands alone. */
    picture(): string {
        const copy = this.svg.cloneNode(true) as SVGElement,
            style = getComputedStyle(document.documentElement);
        const colour = (v: string): string => {
            const probe = h('i', { style: { color: `var(${v})` } });
            document.body.append(probe);
            const c = getComputedStyle(probe).color;
            probe.remove();
            return c;
        };
        const css =
            KINDS.map(k => `.${k.cls}{fill:${colour(`--${k.cls === 'work' ? 'act' : k.cls}`)}}`).join('') +
            `.work{fill:url(#hw)}.pw{fill:${colour('--paper')}}.ps{fill:${colour('--act')}}.po{fill:${colour('--paper')};opacity:.34}.lim{stroke:${colour('--over')};stroke-width:1.5}.hov{display:none}text{font:12px sans-serif;fill:${colour('--ink')}}`;
        copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
        copy.setAttribute('viewBox', `-70 -40 ${W + 90} ${H + 80}`);
        copy.setAttribute('width', '1090');
        copy.setAttribute('height', '360');
        copy.removeAttribute('preserveAspectRatio');
        copy.prepend(
            s('style', {}, css),
            s('rect', { x: -70, y: -40, width: W + 90, height: H + 80, style: undefined, fill: colour('--paper') }),
        );
        const m = this.app.account.memory;
        copy.append(s('text', { x: 0, y: -18 }, `${this.app.state.model}: ${asBytes(m.peak)} at the peak`));
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
        this.tx
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
        void style;
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
    const [unit, div] = units.find(([, u]) => top >= u) ?? ['B', 1];
    const rough = top / 6,
        power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map(m => m * power).find(v => v >= rough) ?? rough;
    return [step, unit, div];
}
void text;
