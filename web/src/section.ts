// SPDX-License-Identifier: MIT
// A section below the account.  It asks when it is near the screen, and after a rest.
import type { App } from './app';
import { h, put, type Child } from './dom';

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
    }
    /** What it depends on, so that it is not asked twice. */
    protected key(): string {
        return JSON.stringify({ ...this.app.state, why: '', of: '', limit: this.app.account.step?.limit });
    }
    touch(): void {
        if (!this.near || this.done === this.key()) return;
        this.done = this.key();
        this.update();
    }
    again(): void {
        this.done = '';
        this.touch();
    }
    abstract update(): void;
    mark(_path: string): void {}
    wrong(_message: string): void {}
}
