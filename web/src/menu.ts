// SPDX-License-Identifier: MIT
// A menu below a word: choices with a figure each, worked by arrows, Enter and Esc, or by typing a number.
import { h, put, text, type Child } from './dom';

export interface Item {
    value: string;
    name: Child;
    note?: string;
    on?: boolean;
    head?: boolean;
}
export interface MenuSetup {
    label: string;
    items: Item[];
    pick: (value: string) => void;
    typed?: { value: string; hint: string; take: (text: string) => boolean };
    filter?: (query: string) => Item[];
    foot?: Child;
    wide?: boolean;
}

let close: (() => void) | null = null;
export const closeMenu = (): boolean => {
    if (!close) return false;
    close();
    return true;
};

/** Opens it, and hands back a function that writes figures beside choices when they are known. */
export function openMenu(
    from: HTMLElement,
    setup: MenuSetup,
): (value: string, figure: string, share: number, over: boolean) => void {
    closeMenu();
    const list = h('ul', { role: 'listbox', 'aria-label': setup.label, tabindex: -1 });
    const field =
        setup.typed || setup.filter
            ? h('input', {
                  class: 'mi',
                  'aria-label': setup.typed ? `${setup.label}, typed` : setup.label,
                  placeholder: setup.typed?.hint ?? 'search',
                  value: setup.typed?.value ?? '',
                  autocomplete: 'off',
                  spellcheck: 'false',
                  role: setup.filter ? 'combobox' : undefined,
                  'aria-expanded': setup.filter ? 'true' : undefined,
                  'aria-controls': setup.filter ? 'menu-list' : undefined,
              })
            : null;
    list.id = 'menu-list';
    const box = h(
        'div',
        { class: `menu${setup.wide ? ' wide' : ''}` },
        field,
        list,
        setup.foot ? h('div', { class: 'mf' }, setup.foot) : null,
    );
    const rows = new Map<string, HTMLElement>();
    let items = setup.items,
        current = Math.max(
            0,
            items.findIndex(i => i.on),
        );

    function draw(): void {
        rows.clear();
        put(
            list,
            items.map((it, i) => {
                const row = h(
                    'li',
                    {
                        role: 'option',
                        id: `menu-${i}`,
                        'aria-selected': it.on ? 'true' : 'false',
                        class: it.on ? 'on' : '',
                        'data-value': it.value,
                        onmousedown: (e: Event) => {
                            e.preventDefault();
                            take(it.value);
                        },
                        onmousemove: () => mark(i),
                    },
                    h('span', {}, it.name, it.note ? h('small', {}, it.note) : null),
                    h('span', { class: 'one', 'aria-hidden': 'true' }),
                    h('em', {}),
                );
                rows.set(it.value, row);
                return row;
            }),
        );
        mark(Math.min(current, items.length - 1));
    }
    function mark(i: number): void {
        list.children[current]?.classList.remove('at');
        current = i;
        const row = list.children[current];
        row?.classList.add('at');
        row?.scrollIntoView({ block: 'nearest' });
        for (const el of [list, field]) if (row) el?.setAttribute('aria-activedescendant', row.id);
    }
    function take(value: string): void {
        shut();
        setup.pick(value);
    }
    function shut(): void {
        if (close !== shut) return;
        close = null;
        box.remove();
        from.setAttribute('aria-expanded', 'false');
        removeEventListener('pointerdown', outside, true);
        removeEventListener('resize', shut);
        from.focus({ preventScroll: true });
    }
    function outside(e: Event): void {
        if (!box.contains(e.target as Node) && !from.contains(e.target as Node)) shut();
    }

    box.addEventListener('keydown', e => {
        if (e.key === 'ArrowDown' || e.key === 'ArrowUp')
            mark((current + (e.key === 'ArrowDown' ? 1 : items.length - 1)) % Math.max(1, items.length));
        else if (e.key === 'Home' && e.target !== field) mark(0);
        else if (e.key === 'End' && e.target !== field) mark(items.length - 1);
        else if (e.key === 'Enter') {
            if (field && setup.typed && field.value !== setup.typed.value && field.value) {
                if (setup.typed.take(field.value)) shut();
                else field.setAttribute('aria-invalid', 'true');
            } else if (items[current]) take(items[current]!.value);
        } else if (e.key === 'Escape') shut();
        else if (e.key === 'Tab') {
            shut();
            return;
        } else return;
        e.preventDefault();
        e.stopPropagation();
    });
    field?.addEventListener('input', () => {
        field.removeAttribute('aria-invalid');
        if (!setup.filter) return;
        items = setup.filter(field.value);
        current = 0;
        draw();
    });
    draw();
    document.body.append(box);
    place(box, from);
    const chosen = list.children[current] as HTMLElement | undefined;
    if (chosen && chosen.offsetTop + chosen.offsetHeight > list.clientHeight)
        list.scrollTop = chosen.offsetTop - list.clientHeight / 2;
    from.setAttribute('aria-expanded', 'true');
    close = shut;
    addEventListener('pointerdown', outside, true);
    addEventListener('resize', shut);
    const first = field ?? list;
    first.focus({ preventScroll: true });
    if (setup.typed) field?.select();
    return (value, figure, share, over) => {
        const row = rows.get(value);
        if (!row) return;
        text(row.querySelector('em')!, figure);
        row.querySelector('em')!.className = over ? 'over' : '';
        put(row.querySelector('.one')!, h('b', { style: { width: `${Math.min(100, 100 * share)}%` } }));
    };
}

function place(box: HTMLElement, from: HTMLElement): void {
    const r = from.getBoundingClientRect(),
        w = box.offsetWidth,
        hgt = box.offsetHeight;
    const left = Math.max(8, Math.min(r.left, innerWidth - w - 8));
    const below = r.bottom + 6 + hgt <= innerHeight || r.top < hgt + 12;
    box.style.left = `${left + scrollX}px`;
    box.style.top = `${(below ? r.bottom + 6 : r.top - hgt - 6) + scrollY}px`;
}
