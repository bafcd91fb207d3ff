// SPDX-License-Identifier: MIT
// Side by side: the same questions to up to four models, the same run for all.
import type { App } from './app';
import { core, isOld, said } from './core';
import { h, put, type Child } from './dom';
import { asBytes, bytes, counts, digits, flops, num, percent } from './figures';
import { bar, kindShares, partShares, type Share } from './answers';
import { Section } from './section';
import { ask, at, lengthOf, type State } from './state';

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
    protected override key(): string {
        return `${super.key()} ${this.app.state.beside.join()} ${JSON.stringify(sameRun(this.app.state))}`;
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
            ['params', 'Parameters', st.devices > 1 ? 'used by each device' : 'stored'],
            ['flops', 'Operations', `forward, ${lengthOf(st)} = ${digits(at(st, lengthOf(st)))}${st.devices > 1 ? ', each device' : ''}`],
            ['cache', 'Cache', 'of one more token'],
            ['peak', 'Peak', `the sentence’s run${st.devices > 1 ? ', each device' : ''}`],
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
                { ...st, model, config: i ? '' : st.config, numbers: { ...(i ? {} : st.numbers), ...sameRun(st) } },
                i,
                cells,
            ),
        );
    }

    private column(s: State, i: number, cells: Record<string, HTMLElement[]>, own = ''): void {
        const value = (td: HTMLElement, [v, u]: [string, string], exact: string, ...more: Child[]): void =>
            put(td, h('span', { class: 'v1' }, v, ' ', h('small', {}, u)), h('span', { class: 'v2' }, exact), more);
        const most = (x: Share[]): string =>
            x
                .slice(0, 2)
                .map(q => `${q.name} ${percent(q.share)}`)
                .join(', ');
        void core.ask(ask.step(s), `side ${i}`, true).then(a => {
            if (isOld(a)) return;
            const j = a.json,
                length = lengthOf(s);
            if (!own && a.code !== 0 && said(a).includes(`has no symbol '${length}'`)) {
                const { [length]: _, ...rest } = s.numbers;
                this.column({ ...s, numbers: rest }, i, cells, `at its own sizes, as it has no ${length}`);
                return;
            }
            if (a.code !== 0 || !j) {
                for (const k of ['params', 'flops', 'peak']) {
                    cells[k]![i]!.className = 'na';
                    put(cells[k]![i]!, k === 'params' ? said(a) : '–');
                }
                return;
            }
            const params = partShares(j.parts, 'parameters'),
                ops = partShares(j.parts, 'forward'),
                kinds = kindShares(j.kinds),
                context = num(this.app.models.find(m => m.name === s.model)?.context),
                beyond = context && num(j.symbols?.[length]) > context,
                remark =
                    own || beyond
                        ? h(
                              'span',
                              { class: 'v3 rk' },
                              own || `${length} = ${digits(j.symbols[length])} is beyond its context of ${digits(context)} tokens`,
                          )
                        : null;
            value(
                cells.params![i]!,
                counts(j.parameters.total),
                digits(j.parameters.total),
                bar(params),
                h(
                    'span',
                    { class: 'v3' },
                    num(j.active) < num(j.parameters.total)
                        ? `${counts(j.active).join(' ')} used by a token`
                        : most(params),
                ),
            );
            value(
                cells.flops![i]!,
                flops(j.forward.total),
                digits(j.forward.total),
                bar(ops),
                h('span', { class: 'v3' }, most(ops)),
                remark,
            );
            value(
                cells.peak![i]!,
                bytes(j.peak),
                `${digits(j.peak)} bytes`,
                bar(kinds),
                h(
                    'span',
                    { class: `v3${j.fits === false ? ' over' : ''}` },
                    j.limit === undefined
                        ? ''
                        : j.fits
                          ? `fits in ${asBytes(j.limit)}`
                          : `more than ${asBytes(j.limit)}`,
                ),
                remark?.cloneNode(true),
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
                const t = a.json?.per_token;
                if (t === undefined) value(cells.cache![i]!, ['–', ''], a.code ? said(a) : 'no cache');
                else
                    value(
                        cells.cache![i]!,
                        bytes(t),
                        `${digits(t)} bytes`,
                        h(
                            'div',
                            { class: 'one' },
                            h('b', { class: 'kv', style: { width: `${Math.min(100, num(t) / 4096)}%` } }),
                        ),
                    );
            });
    }
}
/** What every column is asked with, whatever each model begins with by itself. */
const sameRun = (s: State): Record<string, number> => ({ B: at(s, 'B'), [lengthOf(s)]: at(s, lengthOf(s)) });
