// SPDX-License-Identifier: MIT
// The model, line by line: every line with its parameters, operations and bytes; and the same lines as a text to edit.
import type { App } from './app';
import { core, isOld, said } from './core';
import { h, put, text, type Child } from './dom';
import { asBytes, digits, num, tiny, tinyFlops, type Count } from './figures';
import { Section } from './section';
import { ask } from './state';
import { PARTS, partOf } from './words';

export class Lines extends Section {
    private table = h('div', {});
    private whole = h('span', {});
    private edit = h('div', { class: 'ed', hidden: true });
    constructor(app: App) {
        super(app, 'lines', 'The model, line by line', '');
        put(
            this.about,
            'Every number on this page comes from one of these lines. An index that the left side lacks (',
            h('u', {}, 'underlined'),
            ') is summed; a name with a dot is stored. ',
            h('button', { type: 'button', class: 'lk', id: 'edit', onclick: () => void this.open() }, 'Edit'),
            ' a line, and all of it follows.',
            this.whole,
        );
        put(this.body, this.edit, this.table);
    }
    protected override key(): string {
        return JSON.stringify(ask.lines(this.app.state));
    }

    update(): void {
        const st = this.app.state;
        text(this.whole, st.devices > 1 ? ' These are the whole model’s, before it is divided.' : '');
        void Promise.all([
            core.ask(ask.lines(st), 'lines', true),
            core.ask(ask.step({ ...st, devices: 1 }), 'sum of lines', true),
        ]).then(([a, sum]) => {
            if (isOld(a) || isOld(sum)) return;
            if (a.json?.lines) this.show(a.json, sum.json);
            else put(this.table, h('p', { class: 'err' }, said(a)));
        });
    }

    private show(j: any, sum: any): void {
        const train = this.app.state.phase === 'train';
        const rows: any[] = j.lines.map((r: any) => ({
            ...r,
            params: r.parameters_all,
            ops: r.forward_all,
        }));
        const most = (k: string): number => Math.max(1, ...rows.map(r => num(r[k])));
        const top = { params: most('params'), ops: most('ops'), saved: most('saved') };
        const cell = (r: any, k: 'params' | 'ops' | 'saved', words: (n: Count) => string): HTMLElement =>
            !num(r[k])
                ? h('td', { class: 'm z' }, h('span', {}, '·'))
                : h(
                      'td',
                      { class: 'm' },
                      h('span', { title: digits(r[k]) }, words(r[k])),
                      h(
                          'div',
                          { class: 'mb' },
                          h('b', {
                              class: PARTS[r.part]?.cls ?? 'other',
                              style: { width: `${Math.max(0.6, (100 * num(r[k])) / top[k])}%` },
                          }),
                      ),
                  );
        const out: Child[] = [];
        let group = '';
        for (const r of rows) {
            const g =
                    r.path.split('.')[0] === 'layers' || r.path.includes('.layers')
                        ? r.path.split('.').slice(0, 2).join('.')
                        : r.path.split('.')[0],
                cls = PARTS[r.part]?.cls ?? 'other';
            if (g !== group) {
                group = g;
                out.push(
                    h(
                        'tr',
                        { class: `gh ${partOf(g)}` },
                        h(
                            'th',
                            { scope: 'rowgroup', colspan: 4 },
                            g,
                            num(r.times) > 1 ? h('small', {}, ` × ${digits(r.times)}`) : null,
                        ),
                    ),
                );
            }
            const summed = String(r.summed ?? '')
                .split(/[·, ]+/)
                .filter(Boolean);
            out.push(
                h(
                    'tr',
                    {
                        class: `ln ${cls}`,
                        'data-path': r.path,
                        onclick: () =>
                            this.app.explain(r.path, num(r.forward) ? 'flops' : num(r.parameters) ? 'params' : 'saved'),
                    },
                    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'pl' }, source(r.line, summed))),
                    cell(r, 'params', tiny),
                    cell(r, 'ops', tinyFlops),
                    train ? cell(r, 'saved', asBytes) : null,
                ),
            );
        }
        put(
            this.table,
            h(
                'table',
                { class: 'li' },
                h(
                    'caption',
                    { class: 'vh' },
                    `Lines of the model, with the parameters${train ? ', forward operations and bytes kept for backward' : ' and forward operations'} of each`,
                ),
                h(
                    'thead',
                    {},
                    h(
                        'tr',
                        {},
                        h('th', { scope: 'col' }, 'equation'),
                        h('th', { scope: 'col' }, 'parameters'),
                        h('th', { scope: 'col' }, 'forward, FLOP'),
                        train ? h('th', { scope: 'col' }, 'kept for backward') : null,
                    ),
                ),
                h(
                    'tbody',
                    {},
                    out,
                    num(j.saved_elsewhere)
                        ? h(
                              'tr',
                              { class: 'ln other' },
                              h('th', { scope: 'row' }, 'inputs, and what no line has'),
                              h('td', { class: 'm z' }, h('span', {}, '·')),
                              h('td', { class: 'm z' }, h('span', {}, '·')),
                              h('td', { class: 'm' }, h('span', {}, asBytes(j.saved_elsewhere))),
                          )
                        : null,
                    sum
                        ? h(
                              'tr',
                              { class: 'tot' },
                              h('th', { scope: 'row' }, 'total'),
                              h('td', { class: 'm' }, h('span', {}, digits(sum.parameters.total))),
                              h('td', { class: 'm' }, h('span', {}, digits(sum.forward.total))),
                              train ? h('td', { class: 'm' }, h('span', {}, `${digits(j.saved)} B`)) : null,
                          )
                        : null,
                ),
            ),
        );
        this.mark(this.app.state.why);
    }

    override mark(path: string): void {
        this.table
            .querySelectorAll('tr.ln')
            .forEach(r => r.classList.toggle('sel', (r as HTMLElement).dataset.path === path));
    }

    private async open(): Promise<void> {
        const { Editor } = await import('./editor');
        if (!this.editor) {
            this.editor = new Editor(this.app, () => this.shut());
            put(this.edit, this.editor.el);
        }
        this.edit.hidden = false;
        await this.editor.load();
    }
    private editor: import('./editor').Editor | null = null;
    private shut(): void {
        this.edit.hidden = true;
    }
    override wrong(message: string): void {
        this.editor?.wrong(message);
    }
}

/** An equation with its names bold, its indices pale and what is summed underlined. */
export function source(e: string, summed: string[]): HTMLElement {
    const code = h('code', {}),
        [left, ...right] = e.split(' = ');
    const side = (t: string): Child[] => {
        const out: Child[] = [];
        for (const [w] of t.matchAll(/\[[^\]]*\]|\.[\w{}.]+|[^[.]+|./gu)) {
            if (w[0] === '[')
                out.push(
                    h(
                        's',
                        {},
                        [...w.matchAll(/[A-Za-z_']+|[^A-Za-z_']+/g)].map(([x]) =>
                            summed.includes(x) ? h('mark', {}, x) : x,
                        ),
                    ),
                );
            else if (w[0] === '.' && w.length > 1) out.push(h('em', {}, w));
            else out.push(w);
        }
        return out;
    };
    put(code, right.length ? [h('b', {}, side(left!)), ' = ', side(right.join(' = '))] : side(e));
    return code;
}

