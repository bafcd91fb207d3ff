// SPDX-License-Identifier: MIT
// What would make it fit: each way is the whole account again.
import type { App } from './app';
import { kindShares, kindsOf } from './answers';
import { core, isOld } from './core';
import { h, put } from './dom';
import { asBytes, digits, lacking, num, percent, type Count } from './figures';
import { Section } from './section';
import { ask } from './state';

export class Ways extends Section {
    constructor(
        app: App,
        private take: (words: string) => void,
    ) {
        super(
            app,
            'fit',
            'What would make it fit',
            'Each is the whole account again, not a rule of thumb, and each by itself. The line is this device, the dots a card of 24 GB. A click takes it.',
        );
    }

    update(): void {
        const st = this.app.state;
        void core.ask(ask.fit(st), 'ways together', true).then(a => {
            if (!isOld(a)) this.pile(a.code === 0 ? a.json : null);
        });
        void core.ask(ask.step(st, '--ways'), 'ways', true).then(a => {
            if (isOld(a) || !a.json) return;
            this.show(a.json, [
                {
                    text: 'as it is now',
                    option: '',
                    peak: a.json.peak,
                    fits: a.json.fits,
                    left: a.json.left,
                    operations: 1,
                    ...Object.fromEntries(a.json.kinds.map((k: any) => [k.kind, k.bytes])),
                },
                ...(a.json.ways ?? []),
            ]);
        });
    }

    /** The same ways, each on top of those before, as `fit` goes through them; its bytes are those that are reserved. */
    private pile(j: any): void {
        const list: any[] = j?.savings ?? [],
            pieces = (x: any): string => (x.fits || !x.fewest_devices ? '' : ` --layout fsdp=${x.fewest_devices}`);
        put(
            this.together,
            list.length < 2
                ? null
                : [
                      h('h3', {}, 'One on top of the other'),
                      h(
                          'p',
                          { class: 'cr' },
                          'Estimates of what PyTorch’s allocator reserves. A click takes a way with all those above it, on as many devices as it says.',
                      ),
                      h(
                          'table',
                          { class: 'ways pile' },
                          h('caption', { class: 'vh' }, 'Ways to need less, each on top of those before'),
                          h(
                              'tbody',
                              {},
                              list.map((x, i) =>
                                  h(
                                      'tr',
                                      { class: x.fits ? 'ok' : x.fewest_devices ? 'some' : 'no' },
                                      h(
                                          'th',
                                          { scope: 'row' },
                                          h(
                                              'button',
                                              {
                                                  type: 'button',
                                                  class: 'lk',
                                                  onclick: () =>
                                                      this.take(
                                                          list
                                                              .slice(0, i + 1)
                                                              .map(y => y.option)
                                                              .join(' ') + pieces(x),
                                                      ),
                                              },
                                              `${i ? '… and ' : ''}${x.text}`,
                                          ),
                                          h('code', {}, x.option),
                                      ),
                                      h('td', { class: 'n' }, `≈ ${asBytes(x.needs)}`),
                                      h(
                                          'td',
                                          { class: 'v' },
                                          x.fits
                                              ? 'fits'
                                              : x.fewest_devices
                                                ? `fits on ${digits(x.fewest_devices)} devices (FSDP)`
                                                : 'does not fit',
                                      ),
                                  ),
                              ),
                          ),
                      ),
                  ],
        );
    }
    private together = h('div', { class: 'pl2' });

    private show(j: any, ways: any[]): void {
        const limit = j.limit as Count | undefined,
            most = Math.max(...ways.map(w => num(w.peak)), num(limit)) * 1.08;
        const small = num(this.app.devices.find(d => d.device === 'rtx-4090')?.memory);
        const more = (x: number): string => (Math.abs(x - 1) < 0.001 ? '' : `${percent(x)} of the operations`);
        const table = h(
            'table',
            { class: 'ways' },
            h('caption', { class: 'vh' }, 'Ways to need less, and the peak of each'),
            h(
                'tbody',
                {},
                ways.map((w, i) =>
                    h(
                        'tr',
                        { class: w.fits ? 'ok' : 'no' },
                        h(
                            'th',
                            { scope: 'row' },
                            i
                                ? h(
                                      'button',
                                      { type: 'button', class: 'lk', onclick: () => this.take(w.option) },
                                      w.text,
                                  )
                                : w.text,
                            w.option ? h('code', {}, w.option) : null,
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
                                    kindShares(kindsOf(w)).map(x =>
                                        h('b', { class: x.cls, style: { flex: String(1000 * x.share) } }),
                                    ),
                                ),
                                limit ? h('i', { style: { left: `${(100 * num(limit)) / most}%` } }) : null,
                                small && small < most
                                    ? h('i', { class: 't', style: { left: `${(100 * small) / most}%` } })
                                    : null,
                            ),
                        ),
                        h('td', { class: 'n' }, asBytes(w.peak)),
                        h(
                            'td',
                            { class: 'v' },
                            limit === undefined
                                ? ''
                                : w.fits
                                  ? 'fits'
                                  : `+${asBytes(lacking(w.left))}`,
                        ),
                        h('td', { class: 'xo' }, more(num(w.operations))),
                    ),
                ),
            ),
        );
        put(
            this.body,
            ways.length > 1 ? table : h('p', { class: 'cr' }, 'Nothing that the core knows would lower it.'),
            this.together,
        );
    }
}
