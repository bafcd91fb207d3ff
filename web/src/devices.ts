// SPDX-License-Identifier: MIT
// Over devices: the peak on each, by layout and count.  Served instead: how many at once until the device is full.
import type { App } from './app';
import { kindShares } from './answers';
import { core, isOld, said } from './core';
import { h, put, text } from './dom';
import { asBytes, brief, bytes, digits, lacking, num } from './figures';
import { Section } from './section';
import { ask, axes, layoutOf, run, usual, type State } from './state';
import { LAYOUTS } from './words';

export const COUNTS = [2, 4, 8, 16, 64];
export const ROWS = ['zero1', 'fsdp', 'fsdp+tp', 'tp', 'pp'];
const SERVED = ['tp'];
const WRITTEN: Record<string, string> = { 'fsdp+tp': 'fsdp=N/8,tp=8,sp' };
/** Whether so many devices can be divided by all axes of the layout. */
export const isMesh = (s: State): boolean => !WRITTEN[s.layout] || layoutOf(s).includes(',');

export class Devices extends Section {
    constructor(app: App) {
        super(app, 'devices', 'Over devices', '');
    }

    update(): void {
        const st = this.app.state,
            limit = this.app.account.step?.limit,
            rows = st.phase === 'train' ? ROWS : SERVED;
        put(
            this.about,
            limit
                ? `What each device holds at its peak, ${digits(limit)} bytes at most. Same step, same recipe, divided. A click sets the sentence.`
                : 'What each device holds at its peak.',
            h(
                'span',
                { class: 'lg' },
                h('span', { class: 'k w' }, 'weights'),
                ' ',
                st.phase === 'train'
                    ? [
                          h('span', { class: 'k o' }, 'optimizer'),
                          ' ',
                          h('span', { class: 'k g' }, 'gradients'),
                          ' ',
                          h('span', { class: 'k act' }, 'activations, kept and at work'),
                      ]
                    : [h('span', { class: 'k kv' }, 'cache'), ' ', h('span', { class: 'k act' }, 'at work')],
            ),
        );
        const cells = new Map<string, HTMLElement>(),
            found: { el: HTMLElement; j: any; s: State }[] = [];
        put(
            this.body,
            h(
                'table',
                { class: 'lay' },
                h('caption', { class: 'vh' }, 'Peak on each device, by layout and number of devices'),
                h(
                    'thead',
                    {},
                    h(
                        'tr',
                        {},
                        h('td', {}),
                        COUNTS.map((n, i) => h('th', { scope: 'col' }, i ? String(n) : `${n} devices`)),
                    ),
                ),
                h(
                    'tbody',
                    {},
                    rows.map(l =>
                        h(
                            'tr',
                            {},
                            h(
                                'th',
                                { scope: 'row' },
                                LAYOUTS.find(x => x.value === l)?.name ?? l,
                                h('code', {}, WRITTEN[l] ?? axes(l, 0).replace('0', 'N')),
                            ),
                            COUNTS.map(n => {
                                const td = h('td', {}, h('div', { class: 'sk' }));
                                cells.set(`${l} ${n}`, td);
                                return td;
                            }),
                        ),
                    ),
                ),
            ),
        );
        let left = rows.length * COUNTS.length;
        for (const l of rows)
            for (const n of COUNTS) {
                const s2: State = { ...st, devices: n, layout: l },
                    td = cells.get(`${l} ${n}`)!;
                if (!isMesh(s2)) {
                    left--;
                    td.className = 'na';
                    put(td, '–');
                    continue;
                }
                void core.ask(ask.step(s2), `layout ${l} ${n}`, true).then(a => {
                    if (isOld(a)) return;
                    left--;
                    if (a.code === 0 && a.json) found.push({ el: td, j: a.json, s: s2 });
                    else {
                        td.className = 'na';
                        put(td, said(a).split('\n')[0]!);
                        td.title = said(a);
                    }
                    if (left === 0 || found.length % 5 === 0) this.fill(found);
                });
            }
    }

    private fill(found: { el: HTMLElement; j: any; s: State }[]): void {
        const most = Math.max(...found.map(f => Math.max(num(f.j.peak), num(f.j.limit)))) * 1.05;
        for (const { el, j, s } of found) {
            el.className = j.fits ? 'ok' : 'no';
            put(
                el,
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'cell',
                        'aria-label': `${asBytes(j.peak)} ${j.fits ? 'fits' : `+${bytes(lacking(j.left))[0]}`}, ${s.devices} devices, ${s.layout}`,
                        onclick: () => {
                            this.app.set({ devices: s.devices, layout: s.layout });
                            scrollTo({ top: 0 });
                        },
                    },
                    h(
                        'div',
                        { class: 'lb' },
                        h(
                            'div',
                            { class: 'bar', style: { width: `${(100 * num(j.peak)) / most}%` } },
                            kindShares(j.kinds).map(x =>
                                h('b', { class: x.cls, style: { flex: String(1000 * x.share) } }),
                            ),
                        ),
                        h('i', { style: { left: `${(100 * num(j.limit)) / most}%` } }),
                    ),
                    h('span', {}, asBytes(j.peak)),
                    ' ',
                    h('em', {}, j.fits ? 'fits' : `+${bytes(lacking(j.left))[0]}`),
                ),
            );
        }
    }
}

const TOKENS = [2048, 8192, 32768, 131072];

export class Serve extends Section {
    constructor(app: App) {
        super(app, 'serve', 'Served instead', '');
    }

    update(): void {
        const st = this.app.state,
            own = st.phase !== 'train' && st.devices > 1;
        // Each row is a device, and the sentence's own layout where it serves on several.
        const rows: { id: string; device: string; devices: number; layout: string }[] = [
            ...(own ? [{ id: 'own', device: st.device, devices: st.devices, layout: st.layout }] : []),
            ...[...new Set(['rtx-4090', st.device, 'h200'])].map(d => ({
                id: d,
                device: d,
                devices: 1,
                layout: usual('decode'),
            })),
        ];
        text(this.el.querySelector('h2')!, st.phase === 'decode' ? 'How many at once' : 'Served instead');
        put(
            this.about,
            'How many sequences at once, each with so many tokens seen, until the device is full; tokens in a second are a bound (≤), by the memory’s rate. A click sets the sentence.',
            h(
                'span',
                { class: 'lg' },
                h('span', { class: 'k w' }, 'weights'),
                ' ',
                h('span', { class: 'k kv' }, 'cache'),
            ),
        );
        const cells = new Map<string, HTMLElement>(),
            rooms = new Map<string, HTMLElement>();
        put(
            this.body,
            h(
                'table',
                { class: 'lay sv' },
                h('caption', { class: 'vh' }, 'Sequences at once, by device and tokens of each'),
                h(
                    'thead',
                    {},
                    h(
                        'tr',
                        {},
                        h('td', {}),
                        TOKENS.map((n, i) => h('th', { scope: 'col' }, i ? brief(n) : `${brief(n)} tokens each`)),
                    ),
                ),
                h(
                    'tbody',
                    {},
                    rows.map(r => {
                        const dev = this.app.devices.find(x => x.device === r.device),
                            room = h('code', {});
                        rooms.set(r.id, room);
                        return h(
                            'tr',
                            {},
                            h(
                                'th',
                                { scope: 'row' },
                                r.devices > 1 ? `${r.devices} × ` : '',
                                dev?.name ?? r.device,
                                r.devices > 1 ? h('code', {}, layoutOf({ ...st, ...r })) : null,
                                room,
                            ),
                            TOKENS.map(n => {
                                const td = h('td', {}, h('div', { class: 'sk' }));
                                cells.set(`${r.id} ${n}`, td);
                                return td;
                            }),
                        );
                    }),
                ),
            ),
        );
        for (const r of rows)
            for (const n of TOKENS) {
                const d = r.device,
                    s2: State = { ...st, phase: 'decode', devices: r.devices, layout: r.layout, numbers: { T: n } },
                    td = cells.get(`${r.id} ${n}`)!;
                const words = (b: number): string[] => [
                    'fit',
                    ...run({ ...s2, numbers: { T: n, ...(b > 1 ? { B: b } : {}) } }),
                    '--device',
                    d,
                    '--format',
                    'json',
                ];
                void core.ask(words(1), `serve ${r.id} ${n}`, true).then(async a => {
                    if (isOld(a)) return;
                    if (!a.json || a.code) {
                        td.className = 'na';
                        put(td, said(a));
                        return;
                    }
                    text(rooms.get(r.id)!, `${asBytes(a.json.limit)}${r.devices > 1 ? ' each' : ''}`);
                    const most = num(a.json.batch?.largest);
                    const full = most > 1 ? (await core.ask(words(most), `served ${r.id} ${n}`, true)).json : a.json;
                    if (full) this.cell(td, full, most, { ...s2, device: d }, n);
                });
            }
    }

    private cell(td: HTMLElement, j: any, most: number, s: State, n: number): void {
        const row = (w: string): number => num(j.rows?.find((r: any) => r.what === w)?.bytes),
            all = num(j.needs),
            top = Math.max(all, num(j.limit)) * 1.02;
        const rate = j.step?.tokens_per_second_at_most;
        put(
            td,
            h(
                'button',
                {
                    type: 'button',
                    class: 'cell',

                    onclick: () => {
                        this.app.set({
                            phase: 'decode',
                            device: s.device,
                            devices: s.devices,
                            layout: s.layout,
                            numbers: { ...this.app.state.numbers, T: n, B: Math.max(1, most) },
                        });
                        scrollTo({ top: 0 });
                    },
                },
                h(
                    'div',
                    { class: 'lb' },
                    h(
                        'div',
                        { class: 'bar', style: { width: `${(100 * all) / top}%` } },
                        h('b', { class: 'w', style: { flex: String(row('weights')) } }),
                        h('b', { class: 'kv', style: { flex: String(row('cache')) } }),
                        h('b', {
                            class: 'work',
                            style: { flex: String(Math.max(0, all - row('weights') - row('cache'))) },
                        }),
                    ),
                    h('i', { style: { left: `${(100 * num(j.limit)) / top}%` } }),
                ),
                h('span', { class: 'v1' }, digits(most)),
                ' ',
                most
                    ? h('em', {}, rate !== undefined ? `≤ ${digits(rate)} tokens/s` : '')
                    : h('em', { class: 'over' }, `+${asBytes(lacking(j.left))}`),
            ),
        );
    }
}
