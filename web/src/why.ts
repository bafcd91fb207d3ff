// SPDX-License-Identifier: MIT
// A number explains itself in four rungs: equation, rule, formula, numbers.  All of it is what `explain` says.
import type { App } from './app';
import { core, isOld, said } from './core';
import { h, put, s, type Child } from './dom';
import { asBytes, digits, formula, num, percent, type Count } from './figures';
import { ask, counted, lengthOf, quoted, run } from './state';
import { PARTS, kindOf } from './words';

const OF: [string, string][] = [
    ['flops', 'forward'],
    ['backward', 'backward'],
    ['saved', 'saved'],
    ['memory', 'at the peak'],
    ['params', 'parameters'],
];
const BYTES = ['saved', 'memory'];

export class Why {
    el: HTMLElement;
    private box = h('div', { class: 'wy' });
    constructor(private app: App) {
        this.el = h('aside', { id: 'why', 'aria-label': 'Explanation', tabindex: -1 }, this.box);
    }

    async draw(): Promise<void> {
        const s = this.app.state,
            { why } = s,
            of = s.of === 'bytes' ? 'saved' : s.of,
            n = s.config ? 2 : 1;
        if (!why) {
            await this.whole(of || 'memory');
            return;
        }
        const words = BYTES.includes(of) ? run(s) : counted(s);
        const question = ['explain', ...words.slice(0, n), why, ...(of ? [of] : []), ...words.slice(n), '--format', 'json'];
        const a = await core.ask(question, 'why');
        if (isOld(a)) return;
        if (a.code === 0 && a.json && BYTES.includes(of)) {
            this.held(a.json, why, of, question);
            return;
        }
        // The line as it stands in this model, in place of the block's that it was made by.
        const row = a.json?.rows?.[0];
        if (row) {
            const l = (await core.ask(ask.lines(s), 'line of it', true)).json?.lines?.find(
                (x: any) => x.path === row.path,
            );
            if (s !== this.app.state && (s.why !== this.app.state.why || s.of !== this.app.state.of)) return;
            if (l)
                row.line_here = {
                    text: l.line,
                    summed: String(l.summed ?? '')
                        .split(/[·, ]+/)
                        .filter(Boolean),
                };
        }
        if (a.code !== 0 || !a.json) this.frame(why, of, h('p', { class: 'err' }, said(a)));
        else this.row(a.json, why, of || a.json.quantity, question);
    }

    private frame(path: string, of: string, ...body: Child[]): void {
        const tabs =
            path && of !== 'kind' && !path.includes('{')
                ? h(
                      'div',
                      { class: 'tabs', role: 'group', 'aria-label': 'Which number of it' },
                      OF.filter(([q]) => this.app.state.phase === 'train' || (q !== 'saved' && q !== 'backward')).map(([q, name]) =>
                          h(
                              'button',
                              {
                                  type: 'button',
                                  'aria-pressed': q === (of || 'flops') ? 'true' : 'false',
                                  onclick: () => this.app.explain(path, q),
                              },
                              name,
                          ),
                      ),
                  )
                : null;
        put(
            this.box,
            h(
                'button',
                { class: 'cx', type: 'button', 'aria-label': 'Close the explanation', onclick: () => this.close() },
                '×',
            ),
            h('p', { class: 'wh' }, 'Why this number'),
            h(
                'h2',
                {},
                path ||
                    {
                        params: 'all parameters',
                        flops: 'the forward pass',
                        step: 'the step',
                        time: 'the time',
                        memory: 'the peak',
                    }[of] ||
                    'the peak',
            ),
            tabs,
            body,
        );
    }

    private rungs(...list: [string, Child][]): HTMLElement {
        return h(
            'ol',
            { class: 'ld' },
            list.map(([name, body]) => h('li', {}, h('h3', {}, name), body)),
        );
    }

    private row(j: any, path: string, of: string, words: string[]): void {
        const r = j.rows?.[0],
            symbols: any[] = j.symbols ?? [];
        if (!r || j.rows.length > 1) {
            this.list(j, path, of, words);
            return;
        }
        const mean = meaning(symbols);
        const said = /summed over ([^:]+):/.exec(r.rule ?? '')?.[1]?.split('·') ?? [],
            summed: string[] = r.line_here?.summed.length ? r.line_here.summed : said,
            line: string = r.line_here?.text ?? r.equation ?? '';
        const unit = of === 'params' ? 'parameters' : 'FLOP';
        const times = symbols.find(q => q.name === r.times);
        const grads = (r.tensors ?? []).filter((t: any) => t.gradient && t.backward);
        this.frame(
            path,
            of,
            this.rungs(
                [
                    'Equation',
                    [
                        equation(line, summed),
                        h('span', { class: 'src' }, r.file ? `${r.file}, line ${r.line}` : ''),
                        contraction(line, summed),
                    ],
                ],
                ['Rule', rule(r.rule ?? '', said)],
                ['Formula', h('p', { class: 'ff' }, formula(r.formula ?? ''))],
                [
                    'Numbers',
                    [
                        substitution(r, symbols, mean),
                        h(
                            'p',
                            { class: 'res' },
                            digits(r.value),
                            h('small', {}, `${unit}${r.times && r.times !== '1' ? ', one layer' : ''}`),
                        ),
                    ],
                ],
            ),
            h(
                'div',
                { class: 'tw' },
                h(
                    'dl',
                    {},
                    r.times && r.times !== '1'
                        ? [
                              h('dt', {}, '× ', formula(r.times), times ? ` = ${digits(times.value)} layers` : ''),
                              h('dd', { class: 'd' }, digits(r.total)),
                          ]
                        : null,
                    j.whole
                        ? [
                              h(
                                  'dt',
                                  {},
                                  of === 'params'
                                      ? 'of all parameters'
                                      : `of the ${of === 'flops' ? 'forward pass' : of}`,
                              ),
                              h('dd', {}, percent(num(j.share))),
                          ]
                        : null,
                    grads.length
                        ? [
                              h('dt', {}, `backward, for ${grads.map((g: any) => g.name).join(' and ')}`),
                              h(
                                  'dd',
                                  {},
                                  grads.length === 2 && grads[0].backward === grads[1].backward
                                      ? `2 × ${digits(grads[0].backward)}`
                                      : grads.map((g: any) => digits(g.backward)).join(' + '),
                              ),
                          ]
                        : null,
                    (r.tensors ?? []).some((t: any) => t.role === 'result')
                        ? [h('dt', {}, 'kept for backward'), h('dd', {}, keptText(r.tensors))]
                        : null,
                    r.moved ? [h('dt', {}, 'numbers read and written'), h('dd', {}, digits(r.moved))] : null,
                ),
            ),
            this.next(j, path, of, words),
        );
    }

    private list(j: any, path: string, of: string, words: string[]): void {
        this.frame(
            path,
            of,
            this.rungs(
                [
                    'Lines',
                    h(
                        'table',
                        { class: 'wl' },
                        h(
                            'tbody',
                            {},
                            (j.rows ?? []).map((r: any) =>
                                h(
                                    'tr',
                                    {},
                                    h(
                                        'th',
                                        { scope: 'row' },
                                        h(
                                            'button',
                                            {
                                                type: 'button',
                                                class: 'lk',
                                                onclick: () => this.app.explain(r.path, of === 'step' ? 'flops' : of),
                                            },
                                            r.path.startsWith(`${path}.`) ? r.path.slice(path.length + 1) : r.path,
                                        ),
                                    ),
                                    h('td', {}, formula(r.formula ?? '')),
                                    h('td', { class: 'n' }, digits(r.total)),
                                ),
                            ),
                        ),
                    ),
                ],
                ['Rule', 'The sum of these lines, each as often as it occurs.'],
                ['Formula', h('p', { class: 'ff' }, formula(j.formula ?? ''))],
                [
                    'Numbers',
                    h('p', { class: 'res' }, digits(j.total), h('small', {}, of === 'params' ? 'parameters' : 'FLOP')),
                ],
            ),
            h(
                'div',
                { class: 'tw' },
                h(
                    'dl',
                    {},
                    j.whole ? [h('dt', {}, 'of the whole'), h('dd', {}, percent(num(j.share)))] : null,
                ),
            ),
            this.next(j, path, of, words),
        );
    }

    /** Bytes: which line holds them, in which type, why, until when; all of it as `explain PATH saved` says it. */
    private held(j: any, path: string, of: string, words: string[]): void {
        const rows: any[] = j.rows ?? [],
            few = rows.length <= 3 && j.kind !== 'part';
        const rung: [string, Child][] = few ? this.buffers(rows, j.symbols ?? []) : [['Buffers', this.bufferTable(rows, of)]];
        if (!rows.length)
            rung.push([
                'Rule',
                of === 'saved' ? 'Nothing of it is saved for the backward pass.' : 'Nothing of it is alive at the peak.',
            ]);
        else {
            if (!few) rung.push(['Rule', 'The sum of these, each as often as it occurs.']);
            if (rows.length > 1 || num(rows[0].times) > 1)
                rung.push([
                    'All of it',
                    [
                        h('p', { class: 'ff long' }, formula(j.formula ?? '')),
                        num(j.rounding) ? h('p', {}, `and ${digits(j.rounding)} that the allocator rounds up`) : null,
                        h('p', { class: 'res' }, digits(j.total), h('small', {}, 'bytes')),
                    ],
                ]);
        }
        this.frame(
            path,
            of,
            this.rungs(...rung),
            h(
                'div',
                { class: 'tw' },
                h(
                    'dl',
                    {},
                    h('dt', {}, of === 'saved' ? 'of all that is saved' : 'of the peak'),
                    h('dd', {}, percent(num(j.share))),
                    j.during ? [h('dt', {}, 'the peak is in'), h('dd', {}, j.during.replace('the ', ''))] : null,
                ),
            ),
            this.next({ rows: [], formula: j.formula, latex: j.latex }, path, of, words),
        );
    }

    /** A few buffers, each in four rungs. */
    private buffers(rows: any[], symbols: any[]): [string, Child][] {
        const out: [string, Child][] = [];
        let line = '';
        for (const r of rows) {
            if (r.line && r.line !== line)
                out.push([
                    'Equation',
                    [equation(r.line, []), h('span', { class: 'src' }, r.file ? `${r.file}, line ${r.file_line}` : '')],
                ]);
            line = r.line ?? line;
            out.push(
                [
                    'Rule',
                    [
                        h('b', {}, [r.path, r.what].filter(Boolean).join(', ')),
                        r.gloss ? `: ${r.gloss}` : '',
                        r.type ? `; in ${r.type}` : '',
                        '. ',
                        r.rule,
                    ],
                ],
                [
                    'Formula and numbers',
                    [
                        r.formula ? h('p', { class: 'ff' }, formula(r.formula)) : null,
                        r.substituted ? substitution({ ...r, rule: `: ${r.formula}` }, symbols, meaning(symbols)) : null,
                        h(
                            'p',
                            { class: 'res' },
                            digits(r.bytes),
                            h('small', {}, num(r.times) > 1 ? `bytes, ${digits(r.times)} times: ${digits(r.bytes_total)}` : 'bytes'),
                        ),
                    ],
                ],
            );
        }
        return out;
    }

    private bufferTable(rows: any[], of: string): HTMLElement {
        const list = [...rows].sort((a, b) => num(b.bytes_total) - num(a.bytes_total));
        return h(
            'table',
            { class: 'wl bt' },
            h('caption', { class: 'vh' }, 'Buffers, the largest first'),
            h(
                'tbody',
                {},
                list.slice(0, 24).map(r =>
                    h(
                        'tr',
                        {},
                        h(
                            'th',
                            { scope: 'row' },
                            h(
                                'button',
                                { type: 'button', class: 'lk', onclick: () => this.app.explain(r.path, of) },
                                r.path,
                            ),
                            h('small', {}, [r.what, r.type, r.gloss].filter(Boolean).join(', ')),
                        ),
                        h('td', { class: 'n' }, digits(r.bytes_total)),
                    ),
                ),
                list.length > 24
                    ? h('tr', {}, h('th', { scope: 'row' }, `and ${list.length - 24} smaller ones`), h('td', {}))
                    : null,
            ),
        );
    }

    /** How often the memory can be read through: a bound on new tokens. */
    private bound(): void {
        const step = this.app.state.phase === 'decode' ? this.app.account.fit?.step : null;
        this.frame(
            '',
            'time',
            this.rungs(
                [
                    'Rule',
                    this.app.state.phase === 'decode'
                        ? 'A step reads the weights that it needs and the cache once; the memory’s rate bounds how many steps there are in a second.'
                        : 'Only the time of a training step is estimated.',
                ],
                [
                    'Numbers',
                    step
                        ? [
                              h('p', {}, `${digits(step.moved)} bytes in a step, ${digits(step.bandwidth)} bytes in a second`),
                              h(
                                  'p',
                                  { class: 'res' },
                                  `≤ ${digits(step.tokens_per_second_at_most)}`,
                                  h('small', {}, 'tokens in a second'),
                              ),
                          ]
                        : '–',
                ],
            ),
            h('p', { class: 'nx' }, 'A bound, no forecast: activations, the operations themselves and what devices send come on top.'),
        );
    }

    /** The peak, at the start: what is alive, in which moment, by which formula. */
    private async whole(of: string): Promise<void> {
        const { memory: m, step: j, time: t } = this.app.account;
        const kind = /^memory:(.*)$/.exec(of)?.[1];
        if (!j) return;
        if (kind) {
            await this.kind(kind, j);
            return;
        }
        if (of === 'time' && this.app.state.phase !== 'train') {
            this.bound();
            return;
        }
        if (of === 'time') {
            this.frame(
                '',
                of,
                this.rungs(
                    [
                        'Rule',
                        `Operations of ${t?.steps > 1 ? `${digits(t.steps)} steps` : 'the step'}, divided by the rate that the device is assumed to reach.`,
                    ],
                    [
                        'Numbers',
                        t?.seconds
                            ? [
                                  h(
                                      'p',
                                      {},
                                      `${digits(t.flops)} FLOP at ${percent(num(t.mfu))} of ${digits(t.rate)} FLOP/s${t.devices > 1 ? ` on each of ${t.devices} devices` : ''}`,
                                  ),
                                  h('p', { class: 'res' }, `≈ ${t.seconds}`, h('small', {}, 'seconds')),
                                  t.steps > 1 ? h('p', {}, `${t.days} days, ${t.device_hours} device-hours`) : null,
                              ]
                            : t?.why || 'The table of devices has no rate of this device in this type.',
                    ],
                ),
                h(
                    'p',
                    { class: 'nx' },
                    'An estimate: which share of the peak rate is reached is assumed, not counted.',
                ),
            );
            return;
        }
        if (of === 'params' || of === 'step' || of === 'flops') {
            const q = of === 'params' ? j.parameters : of === 'step' && j.step ? j.step : j.forward;
            const figure = of === 'params' ? 'parameters' : 'forward';
            this.frame(
                '',
                of,
                this.rungs(
                    [
                        of === 'step' ? 'Parts, forward' : 'Parts',
                        h(
                            'table',
                            { class: 'wl' },
                            h('caption', { class: 'vh' }, `Parts and their ${figure === 'forward' ? 'forward FLOP' : figure}`),
                            h(
                                'tbody',
                                {},
                                j.parts
                                    .filter((x: any) => num(x[figure]))
                                    .map((x: any) =>
                                        h(
                                            'tr',
                                            {},
                                            h(
                                                'th',
                                                { scope: 'row' },
                                                h('span', { class: `sw ${PARTS[x.part]?.cls ?? 'other'}` }),
                                                PARTS[x.part]?.name ?? x.part,
                                            ),
                                            h('td', { class: 'n' }, digits(x[figure])),
                                        ),
                                    ),
                            ),
                        ),
                    ],
                    [
                        'Rule',
                        of === 'params'
                            ? 'Every stored tensor of the model once; tied ones are one.'
                            : `Products that sum over an index${of === 'step' ? ', forward and backward' : ''}: a multiply and an add for each.`,
                    ],
                    ['Formula', h('p', { class: 'ff long' }, formula(q.formula))],
                    [
                        'Numbers',
                        [
                            of === 'step' && j.backward
                                ? h('p', {}, `${digits(j.forward.total)} forward + ${digits(j.backward.total)} backward`)
                                : null,
                            h(
                                'p',
                                { class: 'res' },
                                digits(q.total),
                                h('small', {}, of === 'params' ? 'parameters' : 'FLOP'),
                            ),
                        ],
                    ],
                ),
                of === 'params' ? null : this.lines(),
            );
            return;
        }
        const moment = m?.moments?.[0];
        this.frame(
            '',
            'memory',
            this.rungs(
                [
                    'Moment',
                    h(
                        'p',
                        {},
                        `In ${j.during}`,
                        j.at
                            ? [
                                  ', at ',
                                  h(
                                      'button',
                                      { type: 'button', class: 'lk', onclick: () => this.app.explain(j.at, 'memory') },
                                      h('code', { class: 'in' }, j.at),
                                  ),
                              ]
                            : null,
                        '.',
                    ),
                ],
                ['Rule', 'All that is alive then, added up; every other moment of the step has less.'],
                [
                    'Formula',
                    h(
                        'p',
                        { class: 'ff long' },
                        moment && String(moment.bytes) === String(j.peak) ? formula(moment.formula) : '…',
                    ),
                ],
                [
                    'Numbers',
                    [
                        h(
                            'table',
                            { class: 'wl' },
                            h('caption', { class: 'vh' }, 'What is alive at the peak'),
                            h(
                                'tbody',
                                {},
                                j.kinds.map((x: any) =>
                                    h(
                                        'tr',
                                        {},
                                        h(
                                            'th',
                                            { scope: 'row' },
                                            h('span', { class: `sw ${kindOf(x.kind).cls}` }),
                                            h(
                                                'button',
                                                {
                                                    type: 'button',
                                                    class: 'lk',
                                                    onclick: () => this.app.explain('', `memory:${x.kind}`),
                                                },
                                                kindOf(x.kind).name,
                                            ),
                                        ),
                                        h('td', { class: 'n' }, digits(x.bytes)),
                                    ),
                                ),
                            ),
                        ),
                        h('p', { class: 'res' }, digits(j.peak), h('small', {}, 'bytes')),
                    ],
                ],
            ),
            h(
                'div',
                { class: 'tw' },
                h(
                    'dl',
                    {},
                    (m?.moments ?? [])
                        .slice(1, 5)
                        .map((x: any) => [h('dt', {}, x.during.replace('the ', '')), h('dd', {}, asBytes(x.bytes))]),
                ),
            ),
            h(
                'p',
                { class: 'nx' },
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'lk',
                        onclick: () =>
                            this.copy(['reckon', 'memory', ...run(this.app.state), '--details'].map(quoted).join(' ')),
                    },
                    'copy as a command',
                ),
            ),
        );
    }

    private copy(t: string): void {
        void navigator.clipboard?.writeText(t);
        this.app.tell('copied');
    }

    private async kind(kind: string, j: any): Promise<void> {
        const s = this.app.state,
            n = s.config ? 2 : 1,
            words = run(s),
            question = ['explain', ...words.slice(0, n), kind, 'memory', ...words.slice(n), '--format', 'json'];
        const part = j.kinds.find((x: any) => x.kind === kind),
            a = await core.ask(question, 'why');
        if (isOld(a) || this.app.state.why || this.app.state.of !== `memory:${kind}`) return;
        this.frame(
            kindOf(kind).name,
            'kind',
            this.rungs(
                [
                    'Parts',
                    h(
                        'table',
                        { class: 'wl' },
                        h('caption', { class: 'vh' }, 'Whose they are'),
                        h(
                            'tbody',
                            {},
                            Object.keys(PARTS)
                                .filter(k => num(part?.[k]))
                                .map(k =>
                                    h(
                                        'tr',
                                        {},
                                        h('th', { scope: 'row' }, h('span', { class: `sw ${PARTS[k]!.cls}` }), k),
                                        h('td', { class: 'n' }, digits(part[k])),
                                    ),
                                ),
                        ),
                    ),
                ],
                ['Rule', kindOf(kind).note],
                [
                    'Formula',
                    a.json?.formula
                        ? h('p', { class: 'ff long' }, formula(a.json.formula))
                        : h('p', { class: 'err' }, said(a)),
                ],
                ['Numbers', h('p', { class: 'res' }, digits(part?.bytes ?? 0), h('small', {}, 'bytes at the peak'))],
                ['Buffers', this.bufferTable(a.json?.rows ?? [], kind === 'kept' ? 'saved' : 'memory')],
            ),
            h(
                'div',
                { class: 'tw' },
                h('dl', {}, part ? [h('dt', {}, 'of the peak'), h('dd', {}, percent(num(part.share)))] : null),
            ),
            this.next({ rows: [], formula: a.json?.formula, latex: a.json?.latex }, '', 'memory', question),
        );
    }

    private lines(): HTMLElement {
        return h(
            'table',
            { class: 'wl' },
            h('caption', { class: 'vh' }, 'Lines that count'),
            h(
                'tbody',
                {},
                (this.app.account.flops?.rows ?? []).map((r: any) =>
                    h(
                        'tr',
                        {},
                        h(
                            'th',
                            { scope: 'row' },
                            h(
                                'button',
                                { type: 'button', class: 'lk', onclick: () => this.app.explain(r.path, 'flops') },
                                r.path,
                            ),
                        ),
                        h('td', {}, formula(r.formula)),
                    ),
                ),
            ),
        );
    }

    private next(j: any, path: string, of: string, words: string[]): HTMLElement {
        const r = j.rows?.[0],
            copy = (t: string, name: string): HTMLElement =>
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'lk',
                        onclick: () => {
                            void navigator.clipboard?.writeText(t);
                            this.app.tell('copied');
                        },
                    },
                    name,
                );
        const box = h('p', { class: 'nx' }),
            cross = h('span', {});
        const cmd = ['reckon', ...words.filter(w => w !== '--format' && w !== 'json')].map(quoted).join(' ');
        put(
            box,
            of === 'flops' && j.rows?.length === 1
                ? [
                      h(
                          'button',
                          { type: 'button', class: 'lk', onclick: () => void this.crossing(path, cross) },
                          `From which ${lengthOf(this.app.state)} on is it more than the FFN?`,
                      ),
                      ' ',
                      cross,
                      h('br'),
                  ]
                : null,
            h(
                'button',
                { type: 'button', class: 'lk', onclick: () => document.getElementById('others')?.scrollIntoView() },
                'Who counts it otherwise?',
            ),
            h('br'),
            r?.latex ? [copy(r.latex, 'LaTeX'), ' · '] : j.latex ? [copy(j.latex, 'LaTeX'), ' · '] : null,
            copy(r?.formula ?? j.formula ?? '', 'text'),
            ' · ',
            copy(cmd, 'as a command'),
        );
        return box;
    }

    private async crossing(path: string, to: HTMLElement): Promise<void> {
        const c = counted(this.app.state),
            n = this.app.state.config ? 2 : 1,
            symbol = 'S';
        const a = await core.ask(
            [
                'cross',
                ...c.slice(0, n),
                `flops:${path}`,
                'flops:ffn',
                symbol,
                ...c.slice(n).filter(w => !w.startsWith(`${symbol}=`)),
                '--format',
                'json',
            ],
            'cross',
            true,
        );
        const x = a.json?.crossings?.[0];
        put(
            to,
            x ? `From ${digits(x.from)}.` : a.json ? 'Nowhere.' : said(a),
            a.json?.equal_at?.[0]?.formula
                ? [' Equal at ', formula(`${symbol} = ${a.json.equal_at[0].formula}`), '.']
                : null,
        );
    }

    open(): void {
        this.el.classList.add('open');
        this.el.classList.remove('folded');
        document.body.classList.add('sheet');
    }
    close(): void {
        this.el.classList.remove('open');
        this.el.classList.add('folded');
        document.body.classList.remove('sheet');
    }
}

const keptText = (tensors: any[]): string => {
    const kept = tensors.filter(t => t.kept).map(t => t.name);
    return kept.length ? kept.join(', ') : 'nothing';
};

/** What a letter means, its number and where that came from. */
const meaning =
    (symbols: any[]) =>
    (letter: string): string => {
        const x = symbols.find(q => q.name === letter);
        return x
            ? `${x.meaning ?? letter}: ${digits(x.value)}, ${x.from === 'default' ? 'by default' : `from ${x.from}`}`
            : '';
    };

/** An equation with the summed letters marked, broken after the sign. */
export function equation(e: string, summed: string[], cls = ''): HTMLElement {
    const code = h('code', { class: cls });
    const [left, ...right] = e.split(/ = /);
    const side = (t: string): Child[] => {
        const out: Child[] = [];
        let inside = 0;
        for (const [w] of t.matchAll(/\[|\]|[A-Za-z_'][\w']*|[^]/gu)) {
            if (w === '[') inside++;
            else if (w === ']') inside--;
            out.push(inside > 0 && summed.includes(w) ? h('mark', {}, w) : w);
        }
        return out;
    };
    put(
        code,
        right.length
            ? [side(left!), ' =', h('br'), '  ', side(right.join(' = ').replace(/ where /, '\n  where '))]
            : side(e),
    );
    return code;
}

function rule(r: string, summed: string[]): Child {
    const m = /^(.*?)summed over ([^:]+): ([^;]+)(.*)$/.exec(r);
    if (!m) return h('span', {}, r);
    return [
        m[1] ? `${m[1]} ` : null,
        'The left side lacks ',
        summed.map((l, i) => [i ? ', ' : null, h('mark', {}, l)]),
        `: ${summed.length > 1 ? 'they are' : 'it is'} summed. A multiply and an add for each: `,
        formula(m[3]!),
        m[4] ? [' ', h('small', {}, m[4].replace(/^; /, 'with '))] : null,
    ];
}

/** Each letter above its value, as far as the rule names letters; else the numbers alone. */
function substitution(r: any, symbols: any[], mean: (l: string) => string): HTMLElement {
    const factors = String(r.substituted ?? '').split('·'),
        letters = factorLetters(r, symbols, factors);
    return h(
        'div',
        { class: 'sub' },
        factors.map((f, i) => [
            i ? h('u', {}, '·') : null,
            h(
                'span',
                { title: letters[i] ? mean(letters[i]!) : '' },
                h('i', {}, letters[i] || '\u00a0'),
                h('b', {}, f),
            ),
        ]),
    );
}

/** Which letter a factor of the substitution is: those of the formula in its order, with powers repeated. */
function factorLetters(r: any, symbols: any[], factors: string[]): string[] {
    const value = new Map(symbols.map(x => [x.name as string, digits(x.value)]));
    const names: string[] = [...value.keys()].sort((a, b) => b.length - a.length),
        pool: string[] = [];
    for (const [t] of String(r.rule ?? '')
        .replace(/^.*: /, '')
        .matchAll(/[A-Za-z_]+/g))
        if (names.includes(t)) pool.push(t);
    return factors.map(f => {
        const i = pool.findIndex(l => value.get(l) === f);
        if (i < 0) return names.find(l => value.get(l) === f && String(r.formula).includes(l)) ?? '';
        return pool.splice(i, 1)[0]!;
    });
}

/** A product drawn: rows times what is summed, what is summed times columns. */
function contraction(e: string, summed: string[]): SVGElement | null {
    const m = /^(\S+?)\[([^\]]*)\] = (\S+?)\[([^\]]*)\] \* (\S+?)\[([^\]]*)\]/.exec(e.replaceAll(/[()]/g, ''));
    if (!m || !summed.length) return null;
    const [out, a, b] = [m[2]!, m[4]!, m[6]!].map(x => x.split(/\s+/)) as [string[], string[], string[]];
    const rows = a.filter(i => !b.includes(i) && out.includes(i)),
        cols = b.filter(i => !a.includes(i) && out.includes(i)),
        batch = out.filter(i => a.includes(i) && b.includes(i));
    const join = (l: string[]): string => l.slice(-3).join('·') || '1';
    const masked = / where /.test(e);
    return s(
        'svg',
        { class: 'mx', viewBox: '0 0 312 122', 'aria-hidden': 'true' },
        s('rect', { class: 'r', x: 26, y: 20, width: 34, height: 84 }),
        s('rect', { class: 's', x: 26.5, y: 52, width: 33, height: 7 }),
        s('text', { x: 22, y: 66, 'text-anchor': 'end' }, join(rows)),
        s('text', { x: 43, y: 14, 'text-anchor': 'middle' }, join(summed)),
        s('text', { class: 'op', x: 68, y: 66 }, '×'),
        s('rect', { class: 'r', x: 84, y: 45, width: 84, height: 34 }),
        s('rect', { class: 's', x: 116, y: 45.5, width: 7, height: 33 }),
        s('text', { x: 126, y: 39, 'text-anchor': 'middle' }, join(cols)),
        s('text', { x: 172, y: 66 }, join(summed).slice(0, 5)),
        s('text', { class: 'op', x: 194, y: 66 }, '='),
        s('rect', { class: 'r', x: 212, y: 20, width: 84, height: 84 }),
        s('rect', { class: 's', x: 244, y: 52, width: 7, height: 7 }),
        s('text', { x: 254, y: 14, 'text-anchor': 'middle' }, join(cols)),
        masked ? s('path', { d: 'M212.5 20.5 295.5 103.5', class: 'dg' }) : null,
        s('text', { class: 'cp', x: 26, y: 117 }, clip(m[3]!)),
        s('text', { class: 'cp', x: 84, y: 93 }, clip(m[5]!, 17)),
        s(
            'text',
            { class: 'cp', x: 212, y: 117 },
            batch.length ? `${clip(m[1]!, 8)}, ${batch.join('·')} times` : clip(m[1]!),
        ),
    );
}
const clip = (t: string, n = 14): string => (t.length > n ? `…${t.slice(1 - n)}` : t);
export type { Count };
