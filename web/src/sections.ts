// SPDX-License-Identifier: MIT
// What lies below the account, in one scroll.
import type { App } from './app';
import { h, put } from './dom';
import { Check } from './check';
import { Compare } from './compare';
import { Devices, Serve } from './devices';
import { Forms, Others } from './forms';
import { Lines } from './lines';
import type { Section } from './section';
import { Ways } from './ways';

export class Sections {
    el = h('div', { class: 'below' });
    private list: Section[];
    private compare: Compare;
    constructor(
        app: App,
        take: (words: string) => void,
        pick: (then: (n: string) => void, from?: HTMLElement) => void,
    ) {
        this.compare = new Compare(app, pick);
        this.list = [
            new Ways(app, take),
            new Lines(app),
            new Forms(app),
            new Others(app),
            new Devices(app),
            new Serve(app),
            this.compare,
            new Check(app),
        ];
        put(
            this.el,
            this.list.map(x => x.el),
        );
        const io = new IntersectionObserver(
            es => {
                for (const e of es) {
                    const x = this.list.find(q => q.el === e.target);
                    if (x) {
                        x.near = e.isIntersecting;
                        if (x.near) x.touch();
                    }
                }
            },
            { rootMargin: '500px 0px' },
        );
        for (const x of this.list) io.observe(x.el);
    }
    update(): void {
        for (const x of this.list) x.touch();
    }
    mark(path: string): void {
        for (const x of this.list) x.mark(path);
    }
    wrong(message: string): void {
        for (const x of this.list) x.wrong(message);
    }
    addModel(): void {
        this.compare.add();
    }
}
