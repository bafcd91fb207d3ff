// SPDX-License-Identifier: MIT
// The model, line by line: every line with its parameters, operations and bytes; and the same lines as a text to edit.
import type { App } from './app';
import { core, isOld, said } from './core';
import { h, put, type Child } from './dom';
import { asBytes, digits, num, tiny, tinyFlops, type Count } from './figures';
import { Section } from './section';
import { counted, run } from './state';
import { partOf } from './words';

export class Lines extends Section {
    private table = h('div', {});
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
        );
        put(this.body, this.edit, this.table);
    }
    protected override key(): string {
        return JSON.stringify([run(this.app.state), counted(this.app.state)]);
    }

    update(): void {
        const c = counted(this.app.state),
            n = this.app.state.config ? 2 : 1;
        void core
            .ask(['derive', ...c.slice(0, n), 'flops', ...c.slice(n), '--format', 'json'], 'lines', true)
            .then(a => {
                if (isOld(a) || !a.json) return;
                this.show(a.json.steps ?? []);
            });
    }

    private show(steps: any[]): void {
        const flops = new Map<string, any>((this.app.account.flops?.rows ?? []).map((r: any) => [r.path, r]));
        const cell = (v: Count | undefined, most: number, cls: string, words: (n: Count) => string): HTMLElement =>
            v === undefined || num(v) === 0
                ? h('td', { class: 'm z' }, h('span', {}, '·'))
                : h(
                      'td',
                      { class: 'm' },
                      h('span', {}, words(v)),
                      h(
                          'div',
                          { class: 'mb' },
                          h('b', { class: cls, style: { width: `${Math.max(0.6, (100 * num(v)) / most)}%` } }),
                      ),
                  );
        const rows = steps.filter(x => x.equation),
            most = Math.max(
                1,
                ...rows.map(r => num(flops.get(r.path)?.forward ?? 0) * num(flops.get(r.path)?.times ?? 1)),
            );
        let group = '';
        const out: Child[] = [];
        for (const r of rows) {
            const g = r.path.split('.').slice(0, -1).join('.'),
                cls = partOf(r.path),
                f = flops.get(r.path);
            if (g !== group) {
                group = g;
                out.push(h('tr', { class: `gh ${cls}` }, h('th', { scope: 'rowgroup', colspan: 4 }, g)));
            }
            out.push(
                h(
                    'tr',
                    { class: `ln ${cls}`, 'data-path': r.path, onclick: () => this.app.explain(r.path, 'flops') },
                    h(
                        'th',
                        { scope: 'row' },
                        h(
                            'button',
                            { type: 'button', class: 'pl' },
                            source(r.equation, /summed over ([^:]+):/.exec(r.rule ?? '')?.[1]?.split('·') ?? []),
                        ),
                    ),
                    h('td', { class: 'm z' }, h('span', {}, '·')),
                    cell(f ? (f.total ?? num(f.forward) * num(f.times)) : undefined, most, cls, tinyFlops),
                    h('td', { class: 'm z' }, h('span', {}, '·')),
                ),
            );
        }
        put(
            this.table,
            h(
                'table',
                { class: 'li' },
                h('caption', { class: 'vh' }, 'Lines of the model'),
                h(
                    'thead',
                    {},
                    h(
                        'tr',
                        {},
                        h('th', { scope: 'col' }, 'equation'),
                        h('th', { scope: 'col' }, 'parameters'),
                        h('th', { scope: 'col' }, 'forward, FLOP'),
                        h('th', { scope: 'col' }, 'kept for backward'),
                    ),
                ),
                h('tbody', {}, out),
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
void [asBytes, digits, tiny, said];
