// SPDX-License-Identifier: MIT
// A section below the account.  It asks when it is near the screen, and after a rest.
import type { App } from './app';
import { h, put, type Child } from './dom';

/** About how high each is, until it is there: who goes to one below finds it where it was. */
const ROOM: Record<string, number> = {
    fit: 700,
    lines: 1190,
    forms: 360,
    others: 220,
    devices: 520,
    serve: 370,
    side: 590,
    check: 264,
};

export abstract class Section {
    el: HTMLElement;
    body = h('div', {});
    about = h('p', {});
    near = false;
    private done = '';
    constructor(
        protected app: App,
        id: string,
        title: string,
        about: Child,
    ) {
        this.el = h('section', { id }, h('h2', {}, title), this.about, this.body);
        put(this.about, about);
        this.el.style.minHeight = `${ROOM[id] ?? 0}px`;
    }
    /** What it depends on, so that it is not asked twice. */
    protected key(): string {
        return JSON.stringify({ ...this.app.state, why: '', of: '', beside: [], limit: this.app.account.step?.limit });
    }
    touch(): void {
        if (!this.near || this.done === this.key()) return;
        this.done = this.key();
        this.hold();
        this.update();
    }
    /** What is drawn anew keeps its height until it is there, so that nothing below it jumps. */
    private hold(): void {
        const height = this.body.offsetHeight;
        if (height) this.body.style.minHeight = `${height}px`;
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => {
            this.body.style.minHeight = this.el.style.minHeight = '';
        }, 3000);
    }
    private timer = 0;
    again(): void {
        this.done = '';
        this.touch();
    }
    abstract update(): void;
    mark(_path: string): void {}
    wrong(_message: string): void {}
}
