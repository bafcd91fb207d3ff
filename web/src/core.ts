// SPDX-License-Identifier: MIT
// Questions to the core from the page: two workers, one for the account in view and one for all that may wait, each with
// a queue in which a newer question of the same kind takes the place of an older one.  The page itself never waits.
import { parse } from './figures';
import type { FromWorker, ToWorker } from './worker';

export interface Answer {
    code: number;
    json: any;
    text: string;
    verdict: number;
    message: string;
    mistakes: string;
    ms: number;
}
interface Job {
    id: number;
    words: string[];
    kind: string;
    done: (a: Answer) => void;
}

const SECONDS = 6; // that one question may take
const PATIENCE = 9_000; // ms after which a worker that says nothing is replaced
const KEPT = 400; // answers

const superseded: Answer = { code: -8, json: null, text: '', verdict: 0, message: 'superseded', mistakes: '', ms: 0 };
export const isOld = (a: Answer): boolean => a.message === 'superseded';

class Lane {
    private worker: Worker | null = null;
    private queue: Job[] = [];
    private running: Job | null = null;
    private timer = 0;
    constructor(private core: Core) {}

    start(): void {
        this.worker = new Worker(this.core.script);
        this.worker.onmessage = (e: MessageEvent<FromWorker>) => this.hear(e.data);
        this.worker.onerror = e => this.core.fail(e.message || 'the worker did not start');
        this.post(
            this.core.module
                ? { kind: 'core', module: this.core.module, seconds: SECONDS }
                : { kind: 'core', packed: this.core.packed, seconds: SECONDS },
        );
        for (const [name, f] of this.core.files) this.post({ kind: 'file', name, ...f });
        this.next();
    }

    post(m: ToWorker): void {
        this.worker?.postMessage(m);
    }

    add(job: Job): void {
        this.queue = this.queue.filter(j => j.kind !== job.kind || (j.done(superseded), false));
        this.queue.push(job);
        this.next();
    }

    private next(): void {
        if (this.running || !this.worker) return;
        const job = this.queue.shift();
        if (!job) return;
        this.running = job;
        this.timer = window.setTimeout(() => this.replace(), PATIENCE);
        this.post({ kind: 'ask', id: job.id, words: job.words });
    }

    private finish(a: Answer): void {
        const job = this.running;
        clearTimeout(this.timer);
        this.running = null;
        job?.done(a);
        this.next();
    }

    private hear(m: FromWorker): void {
        if (m.kind === 'ready') this.core.opened(m.module);
        else if (m.kind === 'failed') this.core.fail(m.message);
        else if (this.running?.id === m.id) this.finish({ ...m, json: null });
    }

    private replace(): void {
        this.worker?.terminate();
        this.start();
        this.finish({ ...superseded, message: `stopped after ${PATIENCE / 1000} seconds without an answer` });
    }
}

export class Core {
    module: WebAssembly.Module | null = null;
    packed = '';
    script = '';
    files = new Map<string, { bytes: Uint8Array | null; size: number }>();
    onfail: (message: string) => void = () => {};
    onopen: () => void = () => {};
    ms = 0;
    private near = new Lane(this);
    private far = new Lane(this);
    private kept = new Map<string, Answer>();
    private id = 0;
    private isOpen = false;

    /** Answers that the build has asked for already. */
    seed(answers: Record<string, string>): void {
        for (const [words, text] of Object.entries(answers))
            this.kept.set(words, { ...superseded, code: 0, message: '', text, json: parse(text) });
    }

    start(workerText: string, packed: string): void {
        if (typeof WebAssembly === 'undefined') {
            this.fail('this browser has no WebAssembly');
            return;
        }
        this.script = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
        this.packed = packed;
        this.near.start();
    }

    opened(module: WebAssembly.Module): void {
        if (this.isOpen) return;
        this.isOpen = true;
        this.module = module;
        this.packed = '';
        this.far.start();
        this.onopen();
    }

    fail(message: string): void {
        this.onfail(message);
    }

    /** Gives a file; answers about an older one of that name are forgotten. */
    file(name: string, bytes: Uint8Array | null, size = bytes?.length ?? 0): void {
        this.files.set(name, { bytes, size });
        for (const key of [...this.kept.keys()]) if (key.split('\n').includes(name)) this.kept.delete(key);
        for (const lane of [this.near, this.far]) lane.post({ kind: 'file', name, bytes, size });
    }

    known(words: string[]): Answer | undefined {
        return this.kept.get(words.join('\n'));
    }

    /** `kind`: questions of one kind replace each other; "far" ones do not hold up the account. */
    ask(words: string[], kind: string, far = false): Promise<Answer> {
        const key = words.join('\n'),
            known = kind.startsWith('save') ? undefined : this.kept.get(key);
        if (known) {
            this.kept.delete(key);
            this.kept.set(key, known);
            return Promise.resolve(known);
        }
        return new Promise(done =>
            (far ? this.far : this.near).add({
                id: ++this.id,
                words,
                kind,
                done: a => {
                    if (isOld(a)) {
                        done(a);
                        return;
                    }
                    this.ms = a.ms;
                    if (words.includes('json') && a.text)
                        try {
                            a.json = parse(a.text);
                        } catch {
                            a.json = null;
                        }
                    if (a.code === 0) {
                        this.kept.set(key, a);
                        if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
                    }
                    done(a);
                },
            }),
        );
    }
}

export const core = new Core();

/** The words of the command for an error, without its place in a file. */
export function said(a: Answer): string {
    return a.json?.error?.message || a.mistakes || a.message || '';
}
