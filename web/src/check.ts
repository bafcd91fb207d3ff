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
    private against = ''; // the model that it is to be held against; none: the one that the text names
    constructor(app: App) {
        super(app, 'check', 'Check a text', '');
        put(
            this.about,
            'Every equation and every total in it is computed again, and what it says about ',
            h('b', {}, 'the model that it names'),
            ' is held against its account. What is not understood is never called wrong. ',
            h(
                'button',
                {
                    type: 'button',
                    class: 'lk',
                    onclick: () => {
                        this.field.value = SAMPLE;
                        this.against = '';
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
            this.against = '';
            put(this.out);
            return;
        }
        const chosen = st.config ? '' : st.model;
        if (this.against && !this.named.includes(this.against)) this.against = chosen;
        core.file('text.md', new TextEncoder().encode(`${t}\n`)); // a file that ends within a line may have been cut; this has not
        // As the command: the text says of which model it is.  Sizes of the sentence are those of the chosen one.
        const words = (model: string): string[] => [
            'check',
            'text.md',
            ...(model && model === chosen ? Object.entries(st.numbers).map(([k, v]) => `${k}=${v}`) : []),
            ...(model ? ['--model', model] : []),
            '--all',
            '--format',
            'json',
        ];
        const first = await core.ask(words(''), 'check', true);
        if (isOld(first)) return;
        const found: any[] = first.json?.models ?? [];
        this.named = found.map(m => m.model);
        // A text that names the chosen model, with too few figures to be sure, is held against it.
        const model = this.against || (found.length === 1 && !found[0].compared && found[0].model === chosen ? chosen : '');
        const a = model ? await core.ask(words(model), 'check with', true) : first;
        if (isOld(a)) return;
        if (!a.json?.claims) {
            put(this.out, h('p', { class: 'err' }, said(a)), this.taken(found, model, chosen));
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
            this.taken(found, model, chosen),
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
                `${a.json.right} right, ${a.json.wrong} wrong, ${a.json.slip} slips, ${a.json.doubtful} doubtful, ${num0(a.json.unknown)} not understood, ${num0(a.json.unbound)} left open`,
            ),
        );
    }

    private named: string[] = [];

    /** Which model the text was held against, and which others it could be. */
    private taken(found: any[], model: string, chosen: string): HTMLElement {
        const sure = found.filter(m => m.compared),
            unsure = found.filter(m => !m.compared),
            line = (m: any): string => `${m.model}${m.sizes ? `, ${m.sizes}` : ''}, from line ${m.line}`;
        const say = model
            ? this.against
                ? `Compared with ${model}, as you asked. `
                : `Taken as ${model}, which the text names and which is chosen above. `
            : sure.length
              ? `Taken as ${sure.map(line).join('; as ')}. `
              : unsure.length
                ? `It speaks of ${unsure.map(m => `${m.model} (line ${m.line})`).join(', ')}; too few figures there are such a model’s to say more. `
                : 'It names no model that is recognised, so only its own sums are checked. ';
        const others = [...new Set([...unsure.map(m => m.model as string), chosen])].filter(m => m && m !== model),
            go = (name: string, to: string): Child => [
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'lk',
                        onclick: () => {
                            this.against = to;
                            void this.ask();
                        },
                    },
                    name,
                ),
                ' ',
            ];
        return h(
            'p',
            { class: 'cr', id: 'taken' },
            say,
            this.against ? go('Take the model from the text', '') : null,
            others.map(m =>
                go(
                    sure.some(x => x.model === m)
                        ? `Compare all of it with ${m}`
                        : `Compare with ${m}${m === chosen ? ', the chosen model' : ''}${sure.length || model ? ', instead' : ''}`,
                    m,
                ),
            ),
        );
    }
}
const num0 = (n: unknown): string => String(n ?? 0);
