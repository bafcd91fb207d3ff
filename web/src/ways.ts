// SPDX-License-Identifier: MIT
// What would make it fit: each way is the whole account again.
import type { App } from './app';
import { core, isOld } from './core';
import { h, put } from './dom';
import { asBytes, asFlops, minus, num, over, type Count } from './figures';
import { Section } from './section';
import { ask } from './state';
import { kindShares } from './answers';

interface Way {
    text: string;
    option: string;
    peak: Count;
    needs?: Count;
    shares: { cls: string; share: number }[];
    more?: string;
}

export class Ways extends Section {
    constructor(
        app: App,
        private take: (words: string) => void,
    ) {
        super(
            app,
            'fit',
            'What would make it fit',
            'Each is the whole account again, not a rule of thumb, on top of those before it. The line is this device, the dots a card of 24 GB. A click takes it.',
        );
    }

    update(): void {
        const st = this.app.state;
        void core.ask(ask.memory(st), 'ways', true).then(a => {
            if (isOld(a) || !a.json) return;
            const m = a.json,
                base: Way = { text: 'as it is now', option: '', peak: m.peak, shares: kindShares(m) };
            const ways: Way[] = (m.ways ?? m.savings ?? []).map((w: any) => ({
                text: w.text,
                option: w.option,
                peak: w.peak,
                shares: w.parts ? kindShares({ peak_parts: w.parts }) : [],
            }));
            this.show([base, ...ways]);
            // The make-up of each, as the account of it has it.
            let options = { ...st.options };
            ways.forEach((w, i) => {
                for (const [, k, v] of w.option.matchAll(/--([\w-]+) (\S+)/g)) options = { ...options, [k!]: v! };
                if (w.shares.length) return;
                void core.ask(ask.memory({ ...st, options }), `way ${i}`, true).then(b => {
                    if (!isOld(b) && b.json) {
                        w.shares = kindShares(b.json);
                        w.more = extra(b.json);
                        this.show([base, ...ways]);
                    }
                });
            });
        });
    }

    private show(ways: Way[]): void {
        const limit = this.app.account.fit?.limit as Count | undefined,
            most = Math.max(...ways.map(w => num(w.peak)), num(limit ?? 0)) * 1.08;
        const small = this.app.devices.find(d => d.device === 'rtx-4090')?.memory ?? 0;
        const table = h(
            'table',
            { class: 'ways' },
            h('caption', { class: 'vh' }, 'Ways to need less, and the peak of each'),
            h(
                'tbody',
                {},
                ways.map((w, i) => {
                    const fits = limit === undefined || !over(w.peak, limit);
                    const sofar = ways
                        .slice(1, i + 1)
                        .map(x => x.option)
                        .join(' ');
                    return h(
                        'tr',
                        { class: fits ? 'ok' : 'no' },
                        h(
                            'th',
                            { scope: 'row' },
                            i
                                ? h(
                                      'button',
                                      { type: 'button', class: 'lk', onclick: () => this.take(sofar) },
                                      `${i > 1 ? '… and ' : ''}${w.text}`,
                                  )
                                : w.text,
                            w.option ? h('code', {}, `${i > 1 ? '… ' : ''}${w.option}`) : null,
                        ),
                        h(
                            'td',
                            { class: 'wb' },
                            h(
                                'div',
                                { class: 'w1' },
                                h(
                                    'div',
                                    { class: 'bar', style: { width: `${(100 * num(w.peak)) / most}%` } },
                                    w.shares.length
                                        ? w.shares.map(x =>
                                              h('b', { class: x.cls, style: { flex: String(1000 * x.share) } }),
                                          )
                                        : h('b', { class: 'g', style: { flex: '1' } }),
                                ),
                                limit ? h('i', { style: { left: `${(100 * num(limit)) / most}%` } }) : null,
                                small ? h('i', { class: 't', style: { left: `${(100 * num(small)) / most}%` } }) : null,
                            ),
                        ),
                        h('td', { class: 'n' }, asBytes(w.peak)),
                        h(
                            'td',
                            { class: 'v' },
                            limit === undefined ? '' : fits ? 'fits' : `+${asBytes(minus(w.peak, limit))}`,
                        ),
                        h('td', { class: 'xo' }, w.more ?? ''),
                    );
                }),
            ),
        );
        put(
            this.body,
            ways.length > 1 ? table : h('p', { class: 'cr' }, 'Nothing that the core knows would lower it.'),
        );
    }
}

const extra = (m: any): string => (num(m.recompute_flops) > 0 ? `+${asFlops(m.recompute_flops)} recomputed` : '');
