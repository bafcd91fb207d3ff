// SPDX-License-Identifier: MIT
// The model's equations as a text to edit: the account follows each keystroke, a mistake is underlined with the core's words,
// and the last good account stays, dimmed.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { EditorState, StateEffect, StateField, RangeSetBuilder } from '@codemirror/state';
import {
    Decoration,
    EditorView,
    ViewPlugin,
    drawSelection,
    highlightActiveLine,
    keymap,
    lineNumbers,
    type DecorationSet,
    type ViewUpdate,
} from '@codemirror/view';
import type { App } from './app';
import { core, isOld, said } from './core';
import { download, h, put, rest } from './dom';
import { ask } from './state';

const KEYWORDS =
    /\b(model|use|family|classes|let|run|input|output|loss|part|at|block|check|tie|to|if|else|where|keep|over|as|within|for|return|note)\b/g;
const bad = StateEffect.define<{ line: number; column: number; n: number } | null>();
const mistakes = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(set, tr) {
        set = set.map(tr.changes);
        for (const e of tr.effects)
            if (e.is(bad)) {
                if (!e.value || e.value.line > tr.state.doc.lines) {
                    set = Decoration.none;
                    continue;
                }
                const l = tr.state.doc.line(e.value.line),
                    from = Math.min(l.to, l.from + e.value.column - 1),
                    to = Math.min(l.to, from + Math.max(1, e.value.n));
                set =
                    to > from
                        ? Decoration.set([Decoration.mark({ class: 'sq' }).range(from, to)])
                        : Decoration.set([Decoration.line({ class: 'sql' }).range(l.from)]);
            }
        return set;
    },
    provide: f => EditorView.decorations.from(f),
});

const colours = ViewPlugin.fromClass(
    class {
        decorations: DecorationSet;
        constructor(v: EditorView) {
            this.decorations = this.build(v);
        }
        update(u: ViewUpdate): void {
            if (u.docChanged || u.viewportChanged) this.decorations = this.build(u.view);
        }
        build(v: EditorView): DecorationSet {
            const b = new RangeSetBuilder<Decoration>();
            for (const { from, to } of v.visibleRanges) {
                const t = v.state.doc.sliceString(from, to);
                for (const m of t.matchAll(/#[^\n]*|"[^"\n]*"|\.[A-Za-z_{][\w{}.]*|\[[^\]\n]*\]|\$\w+|\b[a-z]+\b/g)) {
                    const w = m[0],
                        cls =
                            w[0] === '#'
                                ? 'c-note'
                                : w[0] === '"'
                                  ? 'c-text'
                                  : w[0] === '.'
                                    ? 'c-weight'
                                    : w[0] === '['
                                      ? 'c-index'
                                      : w[0] === '$'
                                        ? 'c-key'
                                        : w.replace(KEYWORDS, '') === ''
                                          ? 'c-word'
                                          : '';
                    if (cls) b.add(from + m.index, from + m.index + w.length, Decoration.mark({ class: cls }));
                }
            }
            return b.finish();
        }
    },
    { decorations: p => p.decorations },
);

export class Editor {
    el: HTMLElement;
    private message = h('p', { class: 'err', role: 'status' });
    private view: EditorView;
    private file = '';
    private quiet = false;
    private later = rest(60, () => void this.follow());

    constructor(
        private app: App,
        close: () => void,
    ) {
        const host = h('div', { class: 'cm' });
        this.view = new EditorView({
            parent: host,
            state: EditorState.create({
                extensions: [
                    lineNumbers(),
                    history(),
                    drawSelection(),
                    highlightActiveLine(),
                    colours,
                    mistakes,
                    EditorView.lineWrapping,
                    keymap.of([
                        {
                            key: 'Escape',
                            run: v => {
                                v.contentDOM.blur();
                                return true;
                            },
                        },
                        ...defaultKeymap,
                        ...historyKeymap,
                        indentWithTab,
                    ]),
                    EditorView.contentAttributes.of({ 'aria-label': 'Equations of the model' }),
                    EditorView.updateListener.of(u => {
                        if (u.docChanged && !this.quiet) this.later();
                    }),
                ],
            }),
        });
        this.el = h(
            'div',
            {},
            h(
                'div',
                { class: 'edh' },
                h('b', {}, 'Equations'),
                h('span', { class: 'sp' }),
                h('button', { type: 'button', class: 'lk', onclick: () => this.save() }, 'save'),
                h('button', { type: 'button', class: 'lk', onclick: () => void this.load(true) }, 'as it was'),
                h('button', { type: 'button', class: 'lk', onclick: close }, 'done'),
            ),
            host,
            this.message,
        );
    }

    /** The lines of the model: of a named config those of its family, with the config beside them. */
    async load(again = false): Promise<void> {
        const st = this.app.state;
        if (this.file && st.model === this.file && !again) {
            this.view.focus();
            return;
        }
        const own = core.files.get(st.model);
        let textOf = '',
            config = '';
        if (own?.bytes && st.model.endsWith('.rk') && !again) textOf = new TextDecoder().decode(own.bytes);
        else {
            const name = this.origin && again ? this.origin : st.model;
            const src = await core.ask(['models', name, '--source'], 'source', true);
            if (isOld(src)) return;
            if (/^\s*\{/.test(src.text)) {
                config = `${name}.json`;
                core.file(config, new TextEncoder().encode(src.text));
                textOf = (await core.ask(['models', `${name}.rk`, '--source'], 'source of the family', true)).text;
            } else textOf = src.text;
            this.origin = name;
        }
        if (!textOf) {
            put(this.message, 'This model has no lines of its own to edit here: it was read from a file.');
            return;
        }
        this.config = config;
        this.file = `${(this.origin || st.model).replace(/\.rk$/, '')}.rk`;
        this.quiet = true;
        this.view.dispatch({
            changes: { from: 0, to: this.view.state.doc.length, insert: textOf },
            effects: bad.of(null),
        });
        this.quiet = false;
        put(this.message);
        this.view.focus();
        if (again) void this.follow();
    }
    private origin = '';
    private config = '';

    private async follow(): Promise<void> {
        const t = this.view.state.doc.toString();
        core.file(this.file, new TextEncoder().encode(t));
        const next = { ...this.app.state, model: this.file, config: this.config };
        const a = await core.ask(ask.flops(next), 'edited');
        if (isOld(a)) return;
        if (a.code !== 0) {
            this.wrong(said(a));
            document.body.classList.add('stale');
            return;
        }
        put(this.message);
        this.view.dispatch({ effects: bad.of(null) });
        this.app.set({ model: this.file, config: this.config }, 'choice');
    }

    /** The text as a file, with the config beside it: what the command below the page is given. */
    private save(): void {
        download(this.file, 'text/plain', this.view.state.doc.toString());
        const config = this.config && core.files.get(this.config)?.bytes;
        if (config) download(this.config, 'application/json', new TextDecoder().decode(config));
    }

    private go(line: number): void {
        const l = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines));
        this.view.dispatch({ selection: { anchor: l.from }, effects: EditorView.scrollIntoView(l.from, { y: 'center' }) });
        this.view.focus();
    }

    wrong(message: string): void {
        if (this.el.offsetParent === null) return;
        const m = /:(\d+):(\d+): /.exec(message),
            carets = /\^+/.exec(message)?.[0].length ?? 1;
        const words = m ? message.slice(m.index + m[0].length).split('\n')[0]! : message;
        put(
            this.message,
            m
                ? [
                      h('button', { type: 'button', class: 'lk', onclick: () => this.go(Number(m[1])) }, `line ${m[1]}`),
                      `: ${words}`,
                  ]
                : words,
        );
        this.view.dispatch({ effects: bad.of(m ? { line: Number(m[1]), column: Number(m[2]), n: carets } : null) });
    }
}
