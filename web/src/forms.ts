// SPDX-License-Identifier: MIT
// Closed forms with their terms, shares over the length with the crossing solved, and the same step as others count it.
import type { App } from './app';
import { core, isOld } from './core';
import { h, put, s, type Child } from './dom';
import { brief, digits, formula, num, percent, type Count } from './figures';
import { Section } from './section';
import { copy } from './share';
import { ask, at, counted, lengthOf, sweep } from './state';
import { PARTS, partOf } from './words';

const LENGTHS = Array.from({ length: 37 }, (_, i) => Math.round(256 * 2 ** (i / 4)));

export class Forms extends Section {
    private left = h('div', {});
    private right = h('div', {});
    constructor(app: App) {
        super(app, 'forms', 'Closed forms', '');
        put(this.body, h('div', { class: 'cf' }, this.left, this.right));
    }
    protected override key(): string {
        const s = this.app.state;
        return JSON.stringify([counted(s), s.phase, s.devices > 1]);
    }

    update(): void {
        const st = this.app.state,
            length = lengthOf(st),
            c = counted(st),
            n = this.app.state.config ? 2 : 1,
            models = c.slice(0, n),
            rest = c.slice(n);
        put(
            this.about,
            'A term’s bar is its share at these numbers; its colour says whose it is.',
            st.devices > 1 ? ' These are the whole model’s, before it is divided.' : '',
        );
        const whole = core.ask(ask.step({ ...st, devices: 1 }), 'sum of forms', true);
        const parts: Child[] = [];
        for (const [of, name, unit] of [
            ['flops', 'forward', 'FLOP'],
            ['params', 'parameters', ''],
        ] as const)
            void core
                .ask(
                    ['derive', ...models, of, ...(of === 'params' ? [] : rest), '--format', 'json'],
                    `form ${of}`,
                    true,
                )
                .then(async a => {
                    if (isOld(a) || !a.json) return;
                    const j = a.json,
                        sum = (await whole).json,
                        total = of === 'flops' ? sum?.forward?.total : sum?.parameters?.total;
                    const box = h(
                        'div',
                        { class: 'form1' },
                        h(
                            'p',
                            { class: 'cfl' },
                            `${name} = `,
                            formula(j.formula),
                            h('span', { class: 'n' }, total ? `= ${digits(total)} ${unit}` : '', this.copies(j)),
                        ),
                        this.terms(j),
                    );
                    parts[of === 'flops' ? 0 : 1] = box;
                    put(this.left, parts);
                });
        this.chart();
        const cross = [
            'cross',
            ...models,
            'flops:attention',
            'flops:ffn',
            length,
            ...rest.filter(w => !w.startsWith(`${length}=`) && w !== 'S=1'),
            ...(st.phase === 'decode' ? ['--phase', 'decode'] : []),
            '--format',
            'json',
        ];
        void core.ask(cross, 'form cross', true).then(a => {
            if (isOld(a)) return;
            const x = a.json?.crossings?.[0],
                e = a.json?.equal_at?.[0];
            put(
                this.crossing,
                st.phase === 'decode' ? 'Shares of one new token’s operations over ' : 'Shares of the forward pass over ',
                formula(length),
                '; ',
                h('span', { class: 'k emb' }, 'head'),
                ' on top. ',
                x
                    ? [
                          x.larger === 'left'
                              ? 'Attention costs more than the FFN '
                              : 'The FFN costs more than attention ',
                          h('b', {}, `from ${length} = ${digits(x.from)} on`),
                          e?.formula ? [': equal at ', formula(`${length} = ${e.formula}`)] : null,
                          '.',
                      ]
                    : a.json
                      ? 'Neither overtakes the other.'
                      : '',
            );
            this.cross = x ? num(x.from) : 0;
            this.lines();
        });
    }
    private crossing = h('p', { class: 'cr' });
    private cross = 0;
    private pic = h('div', { class: 'sh' });

    /** Each term with its share, and whose it is: the part that has most of it. */
    private terms(j: any): Child {
        const list: any[] = (j.terms ?? []).map((t: any) => {
            const owners = [...(t.parts ?? [])].sort((a, b) => num(b.value) - num(a.value)),
                names = owners.map(o => PARTS[o.part]?.name ?? o.part);
            return { ...t, cls: PARTS[owners[0]?.part]?.cls ?? 'other', owners: [...new Set(names)].join(' and ') };
        });
        if (!list.length) return null;
        list.sort((a, b) => num(b.share) - num(a.share));
        return [
            h(
                'div',
                { class: 'bar tall', 'aria-hidden': 'true' },
                list.map(t => h('b', { class: t.cls, style: { flex: String(1000 * num(t.share)) } })),
            ),
            h(
                'div',
                { class: 'tms' },
                list
                    .slice(0, 10)
                    .map(t =>
                        h(
                            'div',
                            { class: `tm ${t.cls}`, title: `${t.owners}: ${digits(t.value)}` },
                            formula(t.formula),
                            h('small', {}, percent(num(t.share))),
                        ),
                    ),
            ),
        ];
    }

    /** The form for a paper. */
    private copies(j: any): Child {
        const one = (name: string, t: string): HTMLElement =>
            h(
                'button',
                {
                    type: 'button',
                    class: 'lk cp1',
                    'aria-label': `copy as ${name}`,
                    onclick: () => copy(this.app, t),
                },
                name,
            );
        return h('small', { class: 'cps' }, one('LaTeX', j.latex), ' · ', one('text', j.formula));
    }

    private chart(): void {
        const now = this.app.state,
            length = lengthOf(now),
            st = {
                ...now,
                phase: now.phase === 'decode' ? now.phase : ('train' as const),
                devices: 1,
                options: {},
            };
        void core.ask(sweep(st, length, LENGTHS, 'flops', 'component'), 'form shares', true).then(a => {
            if (isOld(a)) return;
            const rows: any[] = a.json?.rows ?? [];
            if (!rows.length) {
                put(this.right);
                return;
            }
            const W = 480,
                H = 150,
                order = ['ffn', 'attn', 'other', 'norm', 'emb'],
                x = (n: number): number => (W * Math.log2(n / 256)) / 9;
            const shares = rows.map(r => sharesOf(r, 'flops'));
            const base = rows.map(() => 0),
                shapes: SVGElement[] = [],
                names: HTMLElement[] = [];
            for (const k of order) {
                if (!shares.some(q => q[k])) continue;
                const top = base.map((b, i) => b + (shares[i]![k] ?? 0));
                shapes.push(
                    s('polygon', {
                        class: `a ${k}`,
                        points: [
                            ...top.map((t, i) => `${x(num(rows[i][length])).toFixed(1)},${(H * (1 - t)).toFixed(1)}`),
                            ...base
                                .map((b, i) => `${x(num(rows[i][length])).toFixed(1)},${(H * (1 - b)).toFixed(1)}`)
                                .reverse(),
                        ].join(' '),
                    }),
                );
                if (k === 'ffn') names.push(h('em', { style: { left: '3%', bottom: '8px' } }, 'FFN'));
                if (k === 'attn')
                    names.push(
                        h(
                            'em',
                            {
                                style: {
                                    right: '3%',
                                    bottom: `${(100 * (base.at(-1)! + 0.5 * (shares.at(-1)![k] ?? 0))).toFixed(0)}%`,
                                },
                            },
                            'attention',
                        ),
                    );
                top.forEach((t, i) => {
                    base[i] = t;
                });
            }
            const first = shares[0]!,
                last = shares.at(-1)!;
            put(
                this.pic,
                s(
                    'svg',
                    {
                        viewBox: `0 0 ${W} ${H}`,
                        preserveAspectRatio: 'none',
                        role: 'img',
                        'aria-label': `Shares of forward operations over the length: FFN ${percent(first.ffn ?? 0)} at 256 tokens and ${percent(last.ffn ?? 0)} at 131,072; attention ${percent(first.attn ?? 0)} and ${percent(last.attn ?? 0)}`,
                    },
                    shapes,
                ),
                names,
            );
            this.lines();
            put(
                this.right,
                this.pic,
                h(
                    'div',
                    { class: 'axs', 'aria-hidden': 'true' },
                    [256, 1024, 4096, 16384, 65536].map(n =>
                        h('span', { style: { left: `${(100 * Math.log2(n / 256)) / 9}%` } }, brief(n)),
                    ),
                ),
                this.crossing,
            );
        });
    }

    private lines(): void {
        this.pic.querySelectorAll('.v').forEach(v => v.remove());
        const add = (n: number, cls: string): void => {
            const x = (100 * Math.log2(n / 256)) / 9;
            if (x >= 0 && x <= 100) this.pic.append(h('i', { class: `v ${cls}`, style: { left: `${x}%` } }));
        };
        add(at(this.app.state, lengthOf(this.app.state)), '');
        if (this.cross) add(this.cross, 'x');
    }
}

export class Others extends Section {
    constructor(app: App) {
        super(
            app,
            'others',
            'As others count it',
            'The same step by the rules of papers and tools, against this account = 1.',
        );
    }
    protected override key(): string {
        return JSON.stringify([counted(this.app.state), this.app.state.phase]);
    }

    update(): void {
        if (this.app.state.phase !== 'train') {
            put(
                this.body,
                h('p', { class: 'cr' }, 'Papers and tools count training steps: choose one in the sentence to compare.'),
            );
            return;
        }
        const words = ['flops', ...counted(this.app.state), '--as', 'all', '--format', 'json'];
        void core.ask(words, 'others', true).then(a => {
            if (isOld(a)) return;
            const all: any[] = (a.json?.conventions ?? []).filter((c: any) => c.applies && num(c.ratio) > 0);
            if (!all.length) {
                put(this.body, h('p', { class: 'cr' }, 'No rule applies to this model.'));
                return;
            }
            const groups = new Map<string, any[]>();
            for (const c of all) {
                const k = num(c.ratio).toFixed(3);
                groups.set(k, [...(groups.get(k) ?? []), c]);
            }
            const list = [...groups].map(([k, g]) => ({ ratio: Number(k), g })).sort((p, q) => p.ratio - q.ratio);
            const min = Math.min(1, list[0]!.ratio),
                max = Math.max(1, list.at(-1)!.ratio),
                span = max - min || 1;
            const x = (r: number): number => 4 + (92 * (r - min)) / span;
            // A label stands above or below where it has room; the table has them all.
            const free = [-99, -99],
                each = 650 / Math.max(600, this.body.clientWidth); // of the width, a letter
            const labels = list.map(p => {
                const names = p.g.map(c => c.name),
                    name = names.slice(0, 2).join(', ') + (names.length > 2 ? ` +${names.length - 2}` : ''),
                    pos = x(p.ratio),
                    half = (each * Math.max(6, name.length + 2)) / 2,
                    low = free.findIndex(f => pos - half >= f);
                if (low < 0 || pos + half > 104) return null;
                free[low] = pos + half;
                const left = Math.max(half - 1, Math.min(101 - half, pos));
                return h(
                    'span',
                    { class: low ? 'dn' : '', style: { left: `${left}%` } },
                    name,
                    h('small', {}, p.ratio.toFixed(3)),
                );
            });
            put(
                this.body,
                h(
                    'div',
                    { class: 'cv', 'aria-hidden': 'true' },
                    list.map(p =>
                        h('i', {
                            style: { left: `${x(p.ratio)}%` },
                            title: `${p.g.map(c => c.name).join(', ')}: ${p.ratio.toFixed(3)}`,
                        }),
                    ),
                    h('u', { style: { left: `${x(1)}%` } }),
                    labels,
                ),
                h(
                    'details',
                    {},
                    h('summary', {}, `All ${all.length} as a table, and why each differs`),
                    h(
                        'table',
                        { class: 'ot' },
                        h(
                            'thead',
                            {},
                            h(
                                'tr',
                                {},
                                h('th', { scope: 'col' }, 'rule'),
                                h('th', { scope: 'col' }, 'of'),
                                h('th', { scope: 'col' }, 'counted'),
                                h('th', { scope: 'col' }, 'against exact'),
                                h('th', { scope: 'col' }, 'why'),
                            ),
                        ),
                        h(
                            'tbody',
                            {},
                            all.map(c =>
                                h(
                                    'tr',
                                    {},
                                    h('th', { scope: 'row' }, c.name, h('small', {}, c.source)),
                                    h('td', {}, c.of),
                                    h('td', { class: 'n' }, digits(c.counted?.total ?? '')),
                                    h('td', { class: 'n' }, num(c.ratio).toFixed(3)),
                                    h('td', {}, c.why || 'the same'),
                                ),
                            ),
                        ),
                    ),
                ),
            );
        });
    }
}

/** A row of a sweep by component, in shares by colour. */
function sharesOf(row: any, whole: string): Record<string, number> {
    const out: Record<string, number> = {};
    for (const [path, value] of Object.entries(row as Record<string, Count>)) {
        if (path === whole || /^[A-Z]/.test(path)) continue;
        const cls = partOf(path);
        out[cls] = (out[cls] ?? 0) + num(value) / num(row[whole]);
    }
    return out;
}
