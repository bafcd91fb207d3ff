// SPDX-License-Identifier: MIT
// The state as a link or a command; pictures and tables to keep.
import type { App } from './app';
import { core, said } from './core';
import { download } from './dom';
import type { Memory } from './memory';
import { openMenu, type Item } from './menu';
import { ask, command, counted, run, toHash, type State } from './state';

const MOST = 4096; // bytes of a file that travels in a link

/** A small config travels in the link; a larger file does not. */
export function embedded(s: State): string {
    const f = core.files.get(s.model);
    if (!f?.bytes || f.bytes.length > MOST || f.size !== f.bytes.length) return '';
    return btoa(String.fromCharCode(...f.bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
}

export const copy = (app: App, t: string): void => {
    void navigator.clipboard?.writeText(t).then(
        () => app.tell('copied'),
        () => app.tell(t),
    );
};

export function shareMenu(app: App, from: HTMLElement): void {
    const url = location.href.split('#')[0] + toHash(app.state, embedded(app.state));
    const left = core.files.has(app.state.model) && !embedded(app.state);
    openMenu(from, {
        label: 'Share',
        items: [
            {
                value: 'link',
                name: 'Copy the link',
                note: left ? `without ${app.state.model}, which is too large for a link` : 'all that the sentence says',
            },
            { value: 'command', name: 'Copy as a command', note: command(app.state) },
            ...(navigator.share! ? [{ value: 'share', name: 'Share …' }] : []),
        ],
        pick: v => {
            if (v === 'share') void navigator.share({ url, title: document.title }).catch(() => {});
            else copy(app, v === 'link' ? url : command(app.state));
        },
    });
}

export function saveMenu(app: App, from: HTMLElement, memory: Memory, all = false): void {
    const name = app.state.model.replace(/[^\w.-]+/g, '_');
    const items: Item[] = [
        { value: 'svg', name: 'Timeline as a picture', note: 'SVG' },
        { value: 'png', name: 'Timeline as a picture', note: 'PNG' },
        { value: 'memory.csv', name: 'Memory as tables', note: 'CSV' },
        { value: 'flops.csv', name: 'Operations as a table', note: 'CSV' },
        { value: 'params.csv', name: 'Tensors as a table', note: 'CSV' },
        { value: 'flops.latex', name: 'Operations for a paper', note: 'a table in LaTeX' },
        { value: 'params.latex', name: 'Tensors for a paper', note: 'a table in LaTeX' },
        { value: 'memory.latex', name: 'Memory for a paper', note: 'a table in LaTeX' },
        { value: 'derive.latex', name: 'The closed form, line by line', note: 'LaTeX' },
        ...(app.state.beside.length
            ? [{ value: 'compare.latex', name: 'Models side by side', note: 'a table in LaTeX' }]
            : []),
        { value: 'memory.json', name: 'The account', note: 'JSON' },
        { value: 'report.html', name: 'A report to keep', note: 'HTML' },
    ];
    if (all)
        items.unshift(
            { value: 'share', name: 'Share' },
            { value: 'lines', name: 'Equations' },
            { value: 'side', name: 'Compare' },
            { value: 'check', name: 'Check a text' },
        );
    openMenu(from, {
        label: all ? 'More' : 'Save',
        items,
        pick: v => {
            if (v === 'share') shareMenu(app, from);
            else if (!v.includes('.') && all && v !== 'svg' && v !== 'png')
                document.getElementById(v)?.scrollIntoView();
            else if (v === 'svg') download(`${name}.svg`, 'image/svg+xml', memory.picture());
            else if (v === 'png') void png(memory.picture()).then(b => download(`${name}.png`, 'image/png', b));
            else void table(app, v, name);
        },
    });
}

async function table(app: App, what: string, name: string): Promise<void> {
    const [kind, format] = what.split('.') as [string, string];
    const words =
        kind === 'memory'
            ? ['memory', ...run(app.state)]
            : kind === 'flops'
              ? ask.flops(app.state).slice(0, -2)
              : kind === 'params'
                ? ask.params(app.state).slice(0, -2)
                : kind === 'derive'
                  ? ['derive', ...counted(app.state)]
                  : kind === 'compare'
                    ? ['compare', app.state.model, ...app.state.beside]
                    : ['report', ...run(app.state)];
    const a = await core.ask([...words, '--format', format], `save ${what}`, true);
    if (a.code === 0)
        download(
            `${name}-${kind}.${format === 'latex' ? 'tex' : format}`,
            { csv: 'text/csv', json: 'application/json', latex: 'application/x-tex' }[format] ?? 'text/html',
            a.text,
        );
    else app.tell(said(a));
}

function png(svg: string): Promise<Blob> {
    return new Promise((done, fail) => {
        const img = new Image(),
            url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
        img.onload = () => {
            const c = document.createElement('canvas');
            c.width = 2 * img.width;
            c.height = 2 * img.height;
            c.getContext('2d')!.drawImage(img, 0, 0, c.width, c.height);
            URL.revokeObjectURL(url);
            c.toBlob(b => (b ? done(b) : fail(new Error('no picture'))), 'image/png');
        };
        img.onerror = () => fail(new Error('no picture'));
        img.src = url;
    });
}
