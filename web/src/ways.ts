// SPDX-License-Identifier: MIT
// What would make it fit: each way is the whole account again.
import type { App } from './app';
import { kindShares, kindsOf } from './answers';
import { core, isOld } from './core';
import { h, put } from './dom';
import { asBytes, digits, lacking, num, percent, type Count } from './figures';
import { Section } from './section';
import { ROWS, COUNTS, isMesh } from './devices';
import { ask, layoutOf, type State } from './state';
import { LAYOUTS } from './words';

export class Ways extends Section {
    constructor(
        app: App,
        private take: (words: string) => void,
    ) {
        super(
            app,
            'fit',
            'What would make it fit',
            'By the peak of tensors: each is the whole account again, not a rule of thumb, and each by itself. The line is this device, the dots a card of 24 GB. A click takes it.',
        );
    }

    update(): void {
        const st = this.app.state;
        void core.ask(ask.fit(st), 'ways together', true).then(a => {
            if (!isOld(a)) this.pile(a.code === 0 ? a.json : null);
        });
        void core.ask(ask.step(st, '--ways'), 'ways', true).then(a => {
            if (isOld(a) || !a.json) return;
            // Pieces that do not fit are no way, as the slider says; the best of all layouts is.
            const list = [
                whole(a.json, 'as it is now', ''),
                ...(a.json.ways ?? []).filter((w: any) => w.fits || !/--layout/.test(w.option)),
            ];
            this.show(a.json, list);
            if (!a.json.limit || list.some(w => w.fits)) return;
            const key = this.key();
            void this.layout(st, a.json).then(best => {
                if (best && key === this.key()) this.show(a.json, [...list, best]);
            });
        });
    }

    /** Where no way fits by itself: of the layouts of *Over devices* the one on the fewest devices that fits, else the lowest. */
    private async layout(st: State, now: any): Promise<any> {
        const counts = st.devices > 1 ? [st.devices] : COUNTS,
            rows = st.phase === 'train' ? ROWS : ['tp'];
        const asked = counts.flatMap(n =>
            rows
                .map(layout => ({ ...st, devices: n, layout }))
                .filter(s => isMesh(s) && layoutOf(s) !== layoutOf(st))
                .map(async s => ({ s, a: await core.ask(ask.step(s), `way ${s.layout} ${s.devices}`, true) })),
        );
        const got = (await Promise.all(asked)).filter(x => x.a.code === 0 && x.a.json);
        const before = (x: any, y: any): boolean =>
            x.a.json.fits !== y.a.json.fits
                ? x.a.json.fits
                : x.a.json.fits && x.s.devices !== y.s.devices
                  ? x.s.devices < y.s.devices
                  : num(x.a.json.peak) < num(y.a.json.peak);
        const best = got.reduce<any>((p, q) => (p && !before(q, p) ? p : q), null);
        if (!best || num(best.a.json.peak) >= num(now.peak)) return null;
        const name = LAYOUTS.find(l => l.value === best.s.layout)?.name ?? best.s.layout;
        return {
            ...whole(best.a.json, `${name} on ${digits(best.s.devices)} devices`, `--layout ${layoutOf(best.s)}`),
            go: () => this.app.set({ devices: best.s.devices, layout: best.s.layout }),
        };
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
                          'By what PyTorch’s allocator would reserve, which is more than the tensors: estimates. A click takes a way with all those above it, on as many devices as it says.',
                      ),
                      h(
                          'table',
                          { class: 'ways pile' },
                          h('caption', { class: 'vh' }, 'Ways to need less, each on top of those before'),
                          h(
                              'thead',
                              {},
                              h('tr', {}, h('td', {}), h('th', { scope: 'col', class: 'n' }, 'reserved by PyTorch'), h('td', { class: 'v' })),
                          ),
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
                'thead',
                {},
                h(
                    'tr',
                    {},
                    h('td', {}),
                    h('td', { class: 'wb' }),
                    h('th', { scope: 'col', class: 'n' }, 'peak of tensors'),
                    h('td', { class: 'v' }),
                    h('td', { class: 'xo' }),
                ),
            ),
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
                                      { type: 'button', class: 'lk', onclick: () => (w.go ? w.go() : this.take(w.option)) },
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

/** An account as a way: its peak and the kinds of it. */
const whole = (j: any, text: string, option: string): any => ({
    text,
    option,
    peak: j.peak,
    fits: j.fits,
    left: j.left,
    operations: 1,
    ...Object.fromEntries(j.kinds.map((k: any) => [k.kind, k.bytes])),
});
