// SPDX-License-Identifier: MIT
// Check a text: right figures get a tick, wrong ones a red line and what they should be.
import type { App } from './app';
import { core, isOld, said } from './core';
import { h, put, rest, type Child } from './dom';
import { digits } from './figures';
import { Section } from './section';

const SAMPLE =
    'GPT-2 XL, each of its 48 layers, at S = 1,024:\n\n- scores: 6,710,886,400 FLOPs\n- context: 3,355,443,200 FLOPs\n\nThe whole model has 1,557,611,200 parameters.\n\n12 · 48 · 1,600² = 1,474,650,000';

export class Check extends Section {
    private field = h('textarea', {
        id: 'text',
        rows: 6,
        spellcheck: 'false',
        'aria-label': 'A text to check',
        placeholder: 'Paste a text, a derivation, a table …',
    });
    private out = h('div', { class: 'ck', 'aria-live': 'polite' });
    private later = rest(300, () => void this.ask());
    constructor(app: App) {
        super(app, 'check', 'Check a text', '');
        put(
            this.about,
            'Every equation and every total in it is computed again, and what it says about ',
            h('b', {}, 'the model above'),
            ' is held against its account. What is not understood is never called wrong. ',
            h(
                'button',
                {
                    type: 'button',
                    class: 'lk',
                    onclick: () => {
                        this.field.value = SAMPLE;
                        this.app.set({ model: 'gpt2-xl', config: '', why: '', numbers: {} }, 'load');
                        void this.ask();
                    },
                },
                'An example, of GPT-2 XL',
            ),
        );
        put(this.body, this.field, this.out);
        this.field.addEventListener('input', () => this.later());
    }
    protected override key(): string {
        return JSON.stringify([this.app.state.model, this.app.state.config, this.app.state.numbers]);
    }
    update(): void {
        if (this.field.value) void this.ask();
    }

    private async ask(): Promise<void> {
        const t = this.field.value,
            st = this.app.state;
        if (!t.trim()) {
            put(this.out);
            return;
        }
        core.file('text.md', new TextEncoder().encode(`${t}\n`)); // a file that ends within a line may have been cut; this has not
        const a = await core.ask(
            [
                'check',
                'text.md',
                ...Object.entries(st.numbers).map(([k, v]) => `${k}=${v}`),
                ...(st.config ? [] : ['--model', st.model]),
                '--all',
                '--format',
                'json',
            ],
            'check',
            true,
        );
        if (isOld(a)) return;
        if (!a.json?.claims) {
            put(this.out, h('p', { class: 'err' }, said(a)));
            return;
        }
        const lines = t.split('\n'),
            out: Child[] = [],
            notes: HTMLElement[] = [];
        lines.forEach((line, i) => {
            let at = 0;
            const chars = [...line];
            const here = [...(a.json.claims as any[]), ...((a.json.open ?? []) as any[]).map(o => ({ ...o, status: 'open' }))]
                .filter(c => c.line === i + 1)
                .sort((p, q) => p.column - q.column);
            for (const c of here) {
                const begin = c.column - 1,
                    n = [...String(c.text)].length;
                if (begin < at) continue;
                out.push(
                    chars.slice(at, begin).join(''),
                    h(
                        's',
                        {
                            class:
                                c.status === 'right'
                                    ? 'good'
                                    : c.status === 'wrong' || c.status === 'slip'
                                      ? 'bad'
                                      : 'un',
                            title: c.note ?? '',
                        },
                        chars.slice(begin, begin + n).join(''),
                    ),
                );
                at = begin + n;
                if (c.status !== 'right')
                    notes.push(
                        h(
                            'p',
                            { class: c.status === 'wrong' ? 'err' : 'cr' },
                            h('b', {}, `line ${c.line}: `),
                            c.status === 'open'
                                ? `${c.text}: left open, as it is not clear what is meant${c.nearest ? `; the nearest is ${c.nearest}: ${digits(c.value)}` : ''}`
                                : `${c.text} is ${c.status}`,
                            c.found !== undefined && c.found !== null && c.status === 'wrong'
                                ? `; it is ${digits(c.found)}`
                                : '',
                            c.note ? `: ${c.note}` : '',
                        ),
                    );
            }
            out.push(chars.slice(at).join(''), i < lines.length - 1 ? h('br') : null);
        });
        put(
            this.out,
            h('p', { class: 'ckt' }, out),
            notes,
            a.json.claims.length || a.json.open?.length
                ? null
                : h(
                      'p',
                      { class: 'cr' },
                      'No figure in it was understood. Name what a figure is of, as in “The scores of one layer take 6,710,886,400 FLOPs”.',
                  ),
            h(
                'small',
                {},
                `${st.model} · ${a.json.right} right, ${a.json.wrong} wrong, ${a.json.slip} slips, ${a.json.doubtful} doubtful, ${num0(a.json.unknown)} not understood, ${num0(a.json.unbound)} left open`,
            ),
        );
    }
}
const num0 = (n: unknown): string => String(n ?? 0);
