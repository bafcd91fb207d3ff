// SPDX-License-Identifier: MIT
// The model: found by words in any order, or dropped as a file.
import type { App } from './app';
import { h, put, s } from './dom';
import { asBytes, digits, tiny } from './figures';
import { openMenu, type Item } from './menu';

const FIRST = ['llama-3.1-8b', 'gpt2-xl', 'qwen3-0.6b', 'deepseek-v3', 'mixtral-8x7b', 'bert-base-uncased'];
const plain = (t: string): string => t.toLowerCase().replace(/[^a-z0-9]+/g, ' ');

export class Picker {
    el: HTMLElement;
    private name = h('b', {});
    private about = h('span', {});
    constructor(private app: App) {
        this.el = h(
            'button',
            {
                class: 'om',
                id: 'pick',
                type: 'button',
                'aria-haspopup': 'listbox',
                'aria-expanded': 'false',
                onclick: () => this.open(),
            },
            s(
                'svg',
                {
                    viewBox: '0 0 16 16',
                    fill: 'none',
                    stroke: 'currentColor',
                    'stroke-width': 1.5,
                    'aria-hidden': 'true',
                },
                s('circle', { cx: 7, cy: 7, r: 4.5 }),
                s('path', { d: 'm10.5 10.5 3.5 3.5' }),
            ),
            h('span', { class: 'vh' }, 'Model: '),
            this.name,
            this.about,
            h('kbd', { 'aria-hidden': 'true' }, '/'),
        );
    }

    draw(): void {
        const m = this.app.models.find(x => x.name === this.app.state.model),
            sy = this.app.account.error ? null : (this.app.account.step ?? this.app.account.flops)?.symbols;
        put(this.name, this.app.state.model);
        put(
            this.about,
            m?.layers
                ? `${digits(m.layers)} layers of width ${digits(m.width)}${m.context ? ` · context ${digits(m.context)}` : ''}`
                : sy?.L && sy?.D
                  ? `${digits(sy.L)} layers of width ${digits(sy.D)}`
                  : (m?.text ?? ''),
        );
    }

    private find(query: string): Item[] {
        const words = plain(query).split(' ').filter(Boolean);
        const list = words.length
            ? this.app.models
                  .filter(m => {
                      const t = plain(`${m.name} ${m.family} ${m.text ?? ''}`);
                      return words.every(w => t.includes(w));
                  })
                  .sort((a, b) => score(b, words) - score(a, words) || a.name.length - b.name.length)
            : [
                  ...FIRST.map(f => this.app.models.find(m => m.name === f)).filter(Boolean),
                  ...this.app.models.filter(m => !FIRST.includes(m.name)),
              ];
        return list.slice(0, 60).map(m => ({
            value: m.name,
            name: m.name,
            note: [m.parameters ? tiny(m.parameters) : '', m.family && m.family !== m.name ? m.family : '']
                .filter(Boolean)
                .join(' · '),
            on: m.name === this.app.state.model,
        }));
    }

    open(then?: (name: string) => void, from: HTMLElement = this.el): void {
        const show = openMenu(from, {
            label: then ? 'A model to compare with' : 'Model',
            items: this.find(''),
            filter: q => {
                const list = this.find(q);
                queueMicrotask(() => this.sizes(show, list));
                return list;
            },
            wide: true,
            pick:
                then ??
                ((v: string) =>
                    this.app.set({ model: v, config: '', why: '', numbers: keep(this.app.state.numbers) }, 'load')),
            foot: [
                h('span', {}, '↑↓ to move, ↵ to open'),
                ' · ',
                h(
                    'label',
                    { class: 'lk' },
                    'open a file',
                    h('input', {
                        type: 'file',
                        class: 'vh',
                        accept: '.json,.rk,.gguf,.safetensors',
                        onchange: (e: Event) => {
                            const f = (e.target as HTMLInputElement).files?.[0];
                            if (f) dispatchEvent(new CustomEvent('reckon-file', { detail: f }));
                        },
                    }),
                ),
                ' or drop one anywhere',
            ],
        });
        this.sizes(show, this.find(''));
    }

    private sizes(show: (v: string, f: string, s: number, o: boolean) => void, list: Item[]): void {
        for (const i of list) {
            const m = this.app.models.find(x => x.name === i.value);
            if (m?.bytes) show(i.value, asBytes(m.bytes), 0, false);
        }
    }
}
const keep = (n: Record<string, number>): Record<string, number> =>
    Object.fromEntries(Object.entries(n).filter(([k]) => 'BST'.includes(k)));
const score = (m: any, words: string[]): number =>
    words.filter(w =>
        plain(m.name)
            .split(' ')
            .some(p => p.startsWith(w)),
    ).length + (plain(m.name).startsWith(words[0]!) ? 1 : 0);
