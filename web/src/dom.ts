// SPDX-License-Identifier: MIT
// Elements, made with text and never with markup: names come from files of strangers.

export type Child = Node | string | number | null | undefined | false | Child[];
type Props = Record<string, unknown>;

function fill(el: Element, children: Child[]): void {
    for (const c of children) {
        if (c === null || c === undefined || c === false) continue;
        if (Array.isArray(c)) fill(el, c);
        else el.append(c instanceof Node ? c : String(c));
    }
}

function dress(el: Element, props: Props): void {
    for (const [key, value] of Object.entries(props)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith('on')) el.addEventListener(key.slice(2), value as EventListener);
        else if (key === 'style' && el instanceof HTMLElement)
            for (const [k, v] of Object.entries(value as object)) el.style.setProperty(k, String(v));
        else el.setAttribute(key, value === true ? '' : String(value));
    }
}

export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    props: Props = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const el = document.createElement(tag);
    dress(el, props);
    fill(el, children);
    return el;
}

export function s<K extends keyof SVGElementTagNameMap>(
    tag: K,
    props: Props = {},
    ...children: Child[]
): SVGElementTagNameMap[K] {
    const el = document.createElementNS('http://www.w3.org/2000/svg', tag);
    dress(el, props);
    fill(el, children);
    return el;
}

/** Replaces what is in an element; an element that is already there stays, with its focus. */
export function put(el: Element, ...children: Child[]): void {
    const list: Node[] = [];
    const add = (c: Child): void => {
        if (c === null || c === undefined || c === false) return;
        if (Array.isArray(c)) c.forEach(add);
        else list.push(c instanceof Node ? c : document.createTextNode(String(c)));
    };
    children.forEach(add);
    el.replaceChildren(...list);
}

const shown = new WeakMap<Element, string>();

/** Fills an element anew only where `key`, which says all that it shows, is another than the last time. */
export function keep(el: Element, key: string, make: () => Child): void {
    if (shown.get(el) === key) return;
    shown.set(el, key);
    put(el, make());
}

export function text(el: Element, value: string): void {
    if (el.textContent !== value) el.textContent = value;
}

export const calm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
export const isPhone = (): boolean => matchMedia('(max-width: 719px)').matches;

/** Calls `then` once nothing came for `ms`. */
export function rest(ms: number, then: () => void): () => void {
    let timer = 0;
    return () => {
        clearTimeout(timer);
        timer = window.setTimeout(then, ms);
    };
}

export function download(name: string, type: string, content: string | Blob): void {
    const blob = content instanceof Blob ? content : new Blob([content], { type });
    const url = URL.createObjectURL(blob);
    const a = h('a', { href: url, download: name });
    document.body.append(a);
    a.click();
    a.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
