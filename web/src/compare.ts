// SPDX-License-Identifier: MIT
// Side by side: the same questions to up to four models, the same run for all.
import type { App } from './app';
import { core, isOld, said } from './core';
import { h, put } from './dom';
import { asBytes, bytes, counts, digits, flops, num, over, percent, tiny } from './figures';
import { bar, sharesOf } from './answers';
import { Section } from './section';
import { ask, at, lengthOf, sweep, type State } from './state';

const MOST = 4;

export class Compare extends Section {
    private button = h(
        'button',
        { type: 'button', class: 'lk', id: 'add-model', 'aria-haspopup': 'listbox', onclick: () => this.add() },
        'Add a model',
    );
    constructor(
        app: App,
        private pick: (then: (n: string) => void, from?: HTMLElement) => void,
    ) {
        super(app, 'side', 'Side by side', '');
        put(
            this.about,
            'The same questions and the same run for up to four models. ',
            this.button,
            h(
                'span',
                { class: 'lg' },
                h('span', { class: 'k ffn' }, 'FFN'),
                ' ',
                h('span', { class: 'k attn' }, 'attention'),
                ' ',
                h('span', { class: 'k emb' }, 'embedding, head'),
            ),
        );
    }
    private models(): string[] {
        return [
            this.app.state.model,
            ...(this.app.state.beside.length
                ? this.app.state.beside
                : ['gpt2-xl', 'deepseek-v3'].filter(m => m !== this.app.state.model)),
        ].slice(0, MOST);
    }

    add(): void {
        const now = this.models().slice(1);
        this.pick(
            name => this.app.set({ beside: [...now.filter(m => m !== name), name].slice(-(MOST - 1)) }),
            this.button,
        );
    }

    update(): void {
        const st = this.app.state,
            list = this.models(),
            cells: Record<string, HTMLElement[]> = {};
        const rows: [string, string, string][] = [
            ['params', 'Parameters', 'stored'],
            ['flops', 'Operations', `forward, ${lengthOf(st)} = ${digits(at(st, lengthOf(st)))}`],
            ['cache', 'Cache', 'of one more token'],
            ['peak', 'Peak', 'the sentence’s run'],
        ];
        put(
            this.body,
            h(
                'table',
                { class: 'sb' },
                h('caption', { class: 'vh' }, 'Models side by side'),
                h(
                    'thead',
                    {},
                    h(
                        'tr',
                        {},
                        h('td', {}),
                        list.map((m, i) =>
                            h(
                                'th',
                                { scope: 'col' },
                                h(
                                    'button',
                                    {
                                        type: 'button',
                                        class: 'lk',
                                        onclick: () =>
                                            this.app.set(
                                                { model: m, config: '', why: '', beside: list.filter(x => x !== m) },
                                                'load',
                                            ),
                                    },
                                    m,
                                ),
                                i
                                    ? [
                                          ' ',
                                          h(
                                              'button',
                                              {
                                                  type: 'button',
                                                  class: 'rm',
                                                  'aria-label': `Leave out ${m}`,
                                                  onclick: () =>
                                                      this.app.set({ beside: list.slice(1).filter(x => x !== m) }),
                                              },
                                              '×',
                                          ),
                                      ]
                                    : null,
                                h('small', {}, this.app.models.find(x => x.name === m)?.family ?? ''),
                            ),
                        ),
                    ),
                ),
                h(
                    'tbody',
                    {},
                    rows.map(([k, name, note]) =>
                        h(
                            'tr',
                            {},
                            h('th', { scope: 'row' }, name, h('small', {}, note)),
                            list.map(() => {
                                const td = h('td', {}, h('div', { class: 'sk' }));
                                (cells[k] ??= []).push(td);
                                return td;
                            }),
                        ),
                    ),
                ),
            ),
        );
        list.forEach((model, i) =>
            this.column(
                { ...st, model, config: i ? '' : st.config, numbers: i ? keepRun(st.numbers) : st.numbers },
                i,
                cells,
            ),
        );
    }

    private column(s: State, i: number, cells: Record<string, HTMLElement[]>): void {
        const fail = (td: HTMLElement, message: string): void => {
            td.className = 'na';
            put(td, message);
        };
        void core.ask(ask.params(s), `side params ${i}`, true).then(async a => {
            if (isOld(a)) return;
            const td = cells.params![i]!;
            if (!a.json || a.code) {
                fail(td, said(a));
                return;
            }
            const p = a.json.parameters,
                [v, u] = counts(p.stored);
            const by = (
                await core.ask(
                    sweep({ ...s, phase: 'train', devices: 1, options: {} }, 'B', [1], 'params', 'component'),
                    `side by ${i}`,
                    true,
                )
            ).json?.rows?.[0];
            const shares = by ? sharesOf(by, 'params') : [];
            put(
                td,
                h('span', { class: 'v1' }, v, ' ', h('small', {}, u)),
                h('span', { class: 'v2' }, digits(p.stored)),
                bar(shares),
                h(
                    'span',
                    { class: 'v3' },
                    num(p.active) < num(p.stored)
                        ? `${counts(p.active).join(' ')} used by a token`
                        : shares
                              .slice(0, 2)
                              .map(x => `${x.name} ${percent(x.share)}`)
                              .join(', '),
                ),
            );
        });
        const n = at(s, lengthOf(s));
        void core
            .ask(
                sweep({ ...s, devices: 1, options: {} }, lengthOf(s), [n], 'flops', 'component'),
                `side flops ${i}`,
                true,
            )
            .then(a => {
                if (isOld(a)) return;
                const td = cells.flops![i]!,
                    row = a.json?.rows?.[0];
                if (!row) {
                    fail(td, said(a));
                    return;
                }
                const shares = sharesOf(row, 'flops'),
                    [v, u] = flops(row.flops);
                put(
                    td,
                    h('span', { class: 'v1' }, v, ' ', h('small', {}, u)),
                    h('span', { class: 'v2' }, digits(row.flops)),
                    bar(shares),
                    h(
                        'span',
                        { class: 'v3' },
                        shares
                            .slice(0, 2)
                            .map(x => `${x.name} ${percent(x.share)}`)
                            .join(', '),
                    ),
                );
            });
        void core
            .ask(
                ['memory', s.model, ...(s.config ? [s.config] : []), '--phase', 'decode', '--format', 'json'],
                `side cache ${i}`,
                true,
            )
            .then(a => {
                if (isOld(a)) return;
                const td = cells.cache![i]!,
                    t = a.json?.per_token;
                if (t === undefined) {
                    put(td, h('span', { class: 'v1' }, '–'), h('span', { class: 'v2' }, a.code ? said(a) : 'no cache'));
                    return;
                }
                const [v, u] = bytes(t);
                put(
                    td,
                    h('span', { class: 'v1' }, v, ' ', h('small', {}, u)),
                    h('span', { class: 'v2' }, `${digits(t)} bytes`),
                    h(
                        'div',
                        { class: 'one' },
                        h('b', { class: 'kv', style: { width: `${Math.min(100, num(t) / 4096)}%` } }),
                    ),
                );
            });
        void core.ask(ask.peak(s), `side peak ${i}`, true).then(a => {
            if (isOld(a)) return;
            const td = cells.peak![i]!,
                peak = a.json?.rows?.[0]?.['memory.peak'],
                limit = this.app.account.fit?.limit;
            if (peak === undefined) {
                fail(td, said(a));
                return;
            }
            const [v, u] = bytes(peak);
            put(
                td,
                h('span', { class: 'v1' }, v, ' ', h('small', {}, u)),
                h('span', { class: 'v2' }, `${digits(peak)} bytes`),
                h(
                    'span',
                    { class: `v3${limit && over(peak, limit) ? ' over' : ''}` },
                    limit ? (over(peak, limit) ? `more than ${asBytes(limit)}` : `within ${asBytes(limit)}`) : '',
                ),
            );
        });
    }
}
const keepRun = (n: Record<string, number>): Record<string, number> =>
    Object.fromEntries(Object.entries(n).filter(([k]) => 'BST'.includes(k)));
void tiny;
