// SPDX-License-Identifier: MIT
// The page: parts put together, the state, and what is asked when it changes.
import type { Account, App, Change } from './app';
import { Answers } from './answers';
import { core, isOld, said, type Answer } from './core';
import { calm, h, put, rest, s, text } from './dom';
import { readDropped } from './files';
import { num } from './figures';
import { closeMenu } from './menu';
import { Memory } from './memory';
import { Picker } from './picker';
import { Sections } from './sections';
import { Sentence } from './sentence';
import { shareMenu, saveMenu, embedded } from './share';
import { Sliders } from './sliders';
import {
    DEFAULTS,
    VERSION,
    ask,
    begin,
    command,
    devicesOf,
    example,
    fromHash,
    lengthOf,
    start,
    toHash,
    usual,
    type State,
} from './state';
import { Why } from './why';
import { CHOICES } from './words';

const empty = (): Account => ({
    step: null,
    extents: [],
    ways: [],
    memory: null,
    flops: null,
    fit: null,
    time: null,
    error: '',
    quick: null,
});

/** Which view of the top line a part of the page belongs to. */
const VIEWS: Record<string, string> = {
    sentence: 'account',
    sliders: 'account',
    answers: 'account',
    memory: 'account',
    fit: 'account',
    lines: 'lines',
    forms: 'lines',
    others: 'lines',
    devices: 'account',
    serve: 'account',
    side: 'side',
    check: 'check',
};

class Page implements App {
    state: State = example();
    account: Account = empty();
    models: any[] = [];
    devices: any[] = [];
    private picker = new Picker(this);
    private sentence = new Sentence(this);
    private sliders = new Sliders(this);
    private answers = new Answers(this);
    private memory = new Memory(this);
    private why = new Why(this);
    private sections = new Sections(
        this,
        words => this.sentence.take(words),
        (then, from) => this.picker.open(then, from),
    );
    private notice = h('div', { class: 'notice', hidden: true, role: 'status' });
    private status = h('code', {});
    private counting = h('span', {});
    private later = rest(120, () => this.settle());
    private last = rest(1500, () => this.askFit());
    private written = '';
    private first = true;

    build(): void {
        const theme = h(
            'button',
            { type: 'button', class: 'ic', id: 'theme', 'aria-label': 'Dark or light', onclick: () => this.theme() },
            s(
                'svg',
                { viewBox: '0 0 16 16', fill: 'currentColor', 'aria-hidden': 'true' },
                s('path', { d: 'M8 1a7 7 0 1 0 7 7 5.5 5.5 0 0 1-7-7z' }),
            ),
        );
        const link = (id: string, name: string): HTMLElement =>
            h(
                'a',
                {
                    href: `#${id}`,
                    'data-to': id,
                    onclick: (e: Event) => {
                        e.preventDefault();
                        this.go(id);
                    },
                },
                name,
            );
        const more = h(
            'button',
            {
                type: 'button',
                class: 'ic mob',
                id: 'more',
                'aria-label': 'Share, save, sections',
                'aria-haspopup': 'listbox',
                onclick: (e: Event) => saveMenu(this, e.currentTarget as HTMLElement, this.memory, true),
            },
            '⋯',
        );
        put(
            document.body,
            h(
                'a',
                {
                    class: 'skip',
                    href: '#account',
                    onclick: (e: Event) => {
                        e.preventDefault();
                        document.getElementById('account')?.focus();
                    },
                },
                'To the account',
            ),
            h(
                'header',
                { class: 'top' },
                h(
                    'a',
                    {
                        class: 'mk',
                        href: '#',
                        'aria-label': 'reckon, from the beginning',
                        onclick: (e: Event) => {
                            e.preventDefault();
                            this.set(example(), 'load');
                            scrollTo(0, 0);
                        },
                    },
                    'reckon',
                ),
                this.picker.el,
                h(
                    'nav',
                    { 'aria-label': 'Views' },
                    link('account', 'Account'),
                    link('lines', 'Equations'),
                    link('side', 'Compare'),
                    link('check', 'Check a text'),
                ),
                h(
                    'div',
                    { class: 'r' },
                    h(
                        'button',
                        {
                            type: 'button',
                            class: 't',
                            id: 'share',
                            'aria-haspopup': 'listbox',
                            onclick: (e: Event) => shareMenu(this, e.currentTarget as HTMLElement),
                        },
                        'Share',
                    ),
                    h(
                        'button',
                        {
                            type: 'button',
                            class: 't',
                            id: 'save',
                            'aria-haspopup': 'listbox',
                            onclick: (e: Event) => saveMenu(this, e.currentTarget as HTMLElement, this.memory),
                        },
                        'Save',
                    ),
                    theme,
                    more,
                ),
            ),
            h(
                'div',
                { class: 'pg' },
                h(
                    'main',
                    { id: 'account', tabindex: -1 },
                    this.notice,
                    h('h1', { class: 'vh' }, 'reckon: the account of a Transformer'),
                    this.sentence.el,
                    this.sentence.verdict,
                    this.sentence.live,
                    this.sliders.el,
                    this.answers.el,
                    this.memory.el,
                    this.sections.el,
                    h(
                        'footer',
                        {},
                        h('span', {}, 'Exact numbers are plain; estimates begin with ≈ or ≤.'),
                        h('span', {}, 'Works without a network; nothing leaves this page.'),
                        h('span', {}, `Keys: / model, e explanation, c compare, ? all of them`),
                    ),
                ),
                this.why.el,
            ),
            h(
                'div',
                { class: 'stat', role: 'region', 'aria-label': 'The same as a command' },
                h('span', {}, 'The same as a command'),
                this.status,
                h(
                    'button',
                    {
                        type: 'button',
                        onclick: () => {
                            void navigator.clipboard?.writeText(command(this.state));
                            this.tell('copied');
                        },
                    },
                    'copy',
                ),
                h('span', { class: 'sp' }),
                this.counting,
            ),
            this.sliders.dock,
            h(
                'div',
                { class: 'dropping', hidden: true, 'aria-hidden': 'true' },
                h(
                    'div',
                    {},
                    'Drop a config.json, .rk, .gguf or .safetensors.',
                    h('small', {}, 'Only the header is read. Nothing leaves this page.'),
                ),
            ),
        );
        this.listen();
    }

    private listen(): void {
        addEventListener('keydown', e => this.key(e));
        addEventListener('hashchange', () => {
            if (location.hash !== this.written) this.open(location.hash);
        });
        addEventListener(
            'resize',
            rest(150, () => {
                this.sliders.arrange();
                this.sliders.draw();
            }),
        );
        const veil = document.querySelector<HTMLElement>('.dropping')!;
        let depth = 0;
        addEventListener('dragenter', e => {
            e.preventDefault();
            depth++;
            veil.hidden = false;
        });
        addEventListener('dragleave', () => {
            if (--depth <= 0) {
                depth = 0;
                veil.hidden = true;
            }
        });
        addEventListener('dragover', e => e.preventDefault());
        addEventListener('drop', e => {
            e.preventDefault();
            depth = 0;
            veil.hidden = true;
            const f = e.dataTransfer?.files[0];
            if (f) void this.file(f);
        });
        addEventListener('reckon-file', e => void this.file((e as CustomEvent<File>).detail));
        const io = new IntersectionObserver(
            list => {
                for (const x of list) if (x.isIntersecting) this.mark(VIEWS[x.target.id]!);
            },
            { rootMargin: '-20% 0px -70% 0px' },
        );
        for (const id of Object.keys(VIEWS)) io.observe(document.getElementById(id)!);
    }

    private mark(id: string): void {
        document.querySelectorAll('.top nav a').forEach(a => {
            if ((a as HTMLElement).dataset.to === id) a.setAttribute('aria-current', 'true');
            else a.removeAttribute('aria-current');
        });
    }
    go(id: string): void {
        const el = document.getElementById(id);
        if (id === 'account') scrollTo({ top: 0, behavior: calm() ? 'auto' : 'smooth' });
        else el?.scrollIntoView({ behavior: calm() ? 'auto' : 'smooth' });
        this.mark(id);
    }

    private key(e: KeyboardEvent): void {
        const t = e.target as HTMLElement;
        if (e.key === 'Escape') {
            if (!closeMenu()) {
                this.why.close();
                document.querySelector('.keys')?.remove();
            }
            return;
        }
        if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName) || t.isContentEditable)
            return;
        if (e.key === '/') this.picker.open();
        else if (e.key === 'e') {
            this.why.open();
            this.why.el.focus({ preventScroll: true });
        } else if (e.key === 'c') {
            this.go('side');
            this.sections.addModel();
        } else if (e.key === '?') this.keys();
        else return;
        e.preventDefault();
    }

    private keys(): void {
        const old = document.querySelector('.keys');
        if (old) {
            old.remove();
            return;
        }
        const rows: [string, string][] = [
            ['/', 'models'],
            ['e', 'the explanation'],
            ['c', 'compare with another model'],
            ['Esc', 'closes what is open'],
            ['← →', 'on a slider: a step; with Shift: half or double; digits and Enter: that number'],
            ['← →', 'on the timeline: an operation; Enter explains it'],
            ['?', 'these keys'],
        ];
        const box = h(
            'div',
            { class: 'keys', role: 'dialog', 'aria-label': 'Keys', tabindex: -1 },
            h('h2', {}, 'Keys'),
            h(
                'dl',
                {},
                rows.map(([k, v]) => [h('dt', {}, h('kbd', {}, k)), h('dd', {}, v)]),
            ),
            h('button', { type: 'button', class: 'lk', onclick: () => box.remove() }, 'close'),
        );
        document.body.append(box);
        box.focus();
    }

    private theme(): void {
        const dark =
            getComputedStyle(document.documentElement).colorScheme.includes('dark') &&
            (document.documentElement.dataset.theme === 'dark' ||
                (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches));
        document.documentElement.dataset.theme = dark ? 'light' : 'dark';
        try {
            localStorage.setItem('reckon-theme', document.documentElement.dataset.theme);
        } catch {
            /* a page from disk may not keep anything */
        }
    }

    device(): any {
        return this.devices.find(d => d.device === this.state.device);
    }
    tell(message: string): void {
        put(
            this.notice,
            message,
            ' ',
            h(
                'button',
                {
                    type: 'button',
                    class: 'lk',
                    onclick: () => {
                        this.notice.hidden = true;
                    },
                },
                'dismiss',
            ),
        );
        this.notice.hidden = false;
        if (message === 'copied')
            setTimeout(() => {
                this.notice.hidden = true;
            }, 1500);
    }
    option(name: string, value: string): void {
        const options = { ...this.state.options, [name]: value };
        if (!value) delete options[name];
        this.set({ options });
    }
    number(symbol: string, value: number, how: Change = 'choice'): void {
        this.set({ numbers: { ...this.state.numbers, [symbol]: value } }, how);
    }
    explain(path: string, of = ''): void {
        this.state = { ...this.state, why: path, of };
        this.why.open();
        void this.why.draw();
        this.sections.mark(path);
        this.later();
    }

    set(patch: Partial<State>, how: Change = 'choice'): void {
        const begun = performance.now();
        this.state = divided({ ...this.state, ...patch }, patch);
        this.account.quick = how === 'drag' ? this.quickRow(patch) : null;
        this.sentence.draw();
        if (this.account.quick) this.answers.quick(this.account.quick);
        this.sliders.draw();
        text(this.status, command(this.state, 'step'));
        this.work();
        this.later();
        performance.measure('change', { start: begun, end: performance.now() });
    }

    private quickRow(patch: Partial<State>): any {
        for (const k of ['B', lengthOf(this.state)]) {
            const row = patch.numbers?.[k] === undefined ? null : this.sliders.row(k, patch.numbers[k]!);
            if (row) return row;
        }
        return null;
    }

    /** What a change needs at once: the account itself, in one answer. */
    private work(): void {
        const st = this.state,
            asked = performance.now();
        void core.ask(ask.account(st), 'account').then(a => {
            if (isOld(a) || st.model !== this.state.model) return;
            if (a.code !== 0 || !a.json) {
                this.wrong(a);
                return;
            }
            this.account.step = a.json;
            this.account.error = '';
            this.account.quick = null;
            this.draw();
            performance.measure('answered', { start: asked, end: performance.now(), detail: a.ms });
        });
    }

    private wrong(a: Answer): void {
        this.account.error = said(a) || a.message || 'no answer';
        this.sentence.drawVerdict();
        this.picker.draw();
        document.body.classList.add('stale');
        this.sections.wrong(this.account.error);
    }

    private draw(): void {
        const begun = performance.now(),
            sy = this.account.step.symbols ?? {};
        document.body.classList.remove('stale');
        for (const k of ['B', 'S', 'T'])
            if (sy[k] !== undefined && this.state.numbers[k] === undefined && begin[k] !== num(sy[k])) {
                begin[k] = num(sy[k]);
                this.sentence.draw();
                this.later(); // what was asked with the length of the model before
            }
        this.sentence.learn();
        this.answers.draw();
        this.memory.draw();
        this.picker.draw();
        this.sliders.scale();
        this.sentence.drawVerdict();
        if (!this.state.why) void this.why.draw();
        performance.measure('draw', { start: begun, end: performance.now() });
        if (this.first) {
            this.first = false;
            performance.mark('first-view');
        }
    }

    /** After a rest: what may wait. */
    private settle(): void {
        const st = this.state,
            far = (words: string[], kind: string, take: (j: any) => void): void =>
                void core.ask(words, kind, true).then(a => {
                    if (isOld(a) || this.state.model !== st.model) return;
                    take(a.code === 0 ? a.json : null);
                });
        this.writeHash();
        document.title = `${st.model} · reckon`;
        far(ask.step(st, '--curves'), 'extents', j => {
            this.account.extents = j?.extents ?? [];
            this.sliders.scale();
            this.sentence.drawVerdict();
        });
        far(ask.step(st, '--ways'), 'ways of it', j => {
            this.account.ways = j?.ways ?? [];
            this.sentence.drawVerdict();
        });
        this.sliders.update();
        far(ask.memory(st), 'memory', j => {
            this.account.memory = j;
            this.answers.draw();
            if (!st.why) void this.why.draw();
        });
        far(ask.flops(st), 'flops', j => (this.account.flops = j));
        this.account.time = null;
        if (st.phase === 'train')
            void core.ask(ask.time(st), 'time', true).then(a => {
                if (isOld(a) || this.state.model !== st.model) return;
                const t = a.json?.time;
                this.account.time = t
                    ? { ...t, steps: num(a.json.steps), tokens: a.json.tokens, flops: a.json.flops }
                    : { why: said(a) };
                this.answers.draw();
            });
        this.sections.update();
        this.sliders.arrange();
        if (st.why) void this.why.draw();
        this.last();
        put(
            this.counting,
            `Counted: ${st.options.count ? 'every operation' : 'products that sum over an index'} · a multiply and its add are ${st.options.unit === 'mac' ? 'one' : 'two'} · ${st.options.causal ? 'the pairs that the mask allows' : 'the full square of attention'}`,
        );
    }

    /** `fit` searches among many accounts, so it is asked when all else has been. */
    private askFit(): void {
        const st = this.state;
        void core.ask(ask.fit(st), 'fit', true).then(a => {
            if (isOld(a) || this.state.model !== st.model) return;
            this.account.fit = a.code === 0 && a.json ? { ...a.json, asked: ask.fit(st).join('\n') } : null;
            this.answers.draw();
            this.sentence.drawVerdict();
        });
    }

    private writeHash(): void {
        const hash = toHash(this.state, embedded(this.state));
        if (hash === location.hash) return;
        this.written = hash;
        try {
            history.replaceState(null, '', hash);
        } catch {
            location.hash = hash;
        }
        this.written = location.hash;
    }

    /** The state that an address says. */
    open(hash: string): void {
        const read = hash.length > 1 ? fromHash(hash) : null;
        if (hash.length > 1 && !read)
            this.tell('The address says nothing that this page understands; it shows its example.');
        if (read?.data) this.unpack(read.state.model, read.data);
        if (read && read.version !== VERSION)
            this.tell(
                `This link was made with version ${read.version} of addresses; this page writes version ${VERSION}. What the link names is kept, ${
                    DEFAULTS[read.version]
                        ? `and the rest has the defaults of its time: ${DEFAULTS[read.version]!.device}.`
                        : 'the rest has the defaults of today.'
                }`,
            );
        else if (read?.unknown.length)
            this.tell(`Not understood in the address, and left out: ${read.unknown.join(', ')}.`);
        const base = read ? read.state : example();
        if (base.config) this.config(base.config);
        this.account = { ...empty() };
        this.set({ ...start(), ...base }, 'load');
        if (base.why) void this.why.draw();
    }

    /** The config beside an edited family is that of the model with its name. */
    private config(name: string): void {
        if (core.files.has(name)) return;
        const model = name.replace(/\.json$/, '');
        void core.ask(['models', model, '--source'], 'config of a link', true).then(a => {
            if (a.code !== 0 || !/^\s*\{/.test(a.text)) return;
            core.file(name, new TextEncoder().encode(a.text));
            this.set({}, 'load');
        });
    }

    private unpack(name: string, data: string): void {
        try {
            const raw = atob(data.replaceAll('-', '+').replaceAll('_', '/')),
                bytes = Uint8Array.from(raw, c => c.charCodeAt(0));
            core.file(name, bytes);
        } catch {
            this.tell('The file in the address cannot be read.');
        }
    }

    async file(f: File): Promise<void> {
        try {
            const got = await readDropped(f);
            core.file(got.name, got.bytes, got.size);
            this.notice.hidden = true;
            this.set({ model: got.name, config: '', why: '', options: this.state.options, numbers: {} }, 'load');
        } catch (e) {
            this.tell(e instanceof Error ? e.message : String(e));
        }
    }

    async begin(): Promise<void> {
        core.onfail = m => this.fatal(m);
        const read = (id: string): string => document.getElementById(id)?.textContent ?? '';
        try {
            core.seed(JSON.parse(read('seed') || '{}'));
        } catch {
            /* a page without answers asks for them */
        }
        try {
            const t = localStorage.getItem('reckon-theme');
            if (t === 'dark' || t === 'light') document.documentElement.dataset.theme = t;
        } catch {
            /* as above */
        }
        const worker = read('worker'),
            packed = read('core');
        this.build();
        const lists = Promise.all([
            core.ask(['models', '--format', 'json'], 'models', true),
            core.ask(['devices', '--format', 'json'], 'devices', true),
        ]);
        const seeded = core.known(['devices', '--format', 'json']);
        if (seeded) {
            this.devices = seeded.json.devices;
            this.models = core.known(['models', '--format', 'json'])?.json.models ?? [];
        }
        this.open(location.hash);
        requestAnimationFrame(() => setTimeout(() => core.start(worker, packed), 0));
        const [models, devices] = await lists;
        this.models = models.json?.models ?? this.models;
        this.devices = devices.json?.devices ?? this.devices;
        this.picker.draw();
        this.sliders.arrange();
        this.sentence.draw();
    }

    private fatal(message: string): void {
        document.body.classList.add('stale');
        this.tell(
            `The core does not run here: ${message}. What is shown was computed when the page was built; the command reckon gives all of it.`,
        );
    }
}

/** Devices and layout agree: axes that are written out say how many there are, and another number has other axes. */
function divided(s: State, patch: Partial<State>): State {
    if (patch.layout?.includes('=')) return { ...s, devices: devicesOf(s.layout) };
    if (patch.devices !== undefined && s.layout.includes('=') && devicesOf(s.layout) !== s.devices)
        return { ...s, layout: usual(s.phase) };
    return s;
}

const page = new Page();
(window as any).reckon = { page, core, choices: CHOICES, defaults: DEFAULTS };
void page.begin();
