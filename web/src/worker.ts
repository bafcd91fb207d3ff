// SPDX-License-Identifier: MIT
// The core in a worker: it takes questions in words, and answers with what the command would print.
import { open } from '../door.mjs';

export type ToWorker =
    | { kind: 'core'; packed?: string; module?: WebAssembly.Module; seconds: number }
    | { kind: 'file'; name: string; bytes: Uint8Array | null; size: number }
    | { kind: 'ask'; id: number; words: string[] };
export type FromWorker =
    | { kind: 'ready'; module: WebAssembly.Module }
    | { kind: 'failed'; message: string }
    | {
          kind: 'answer';
          id: number;
          code: number;
          text: string;
          verdict: number;
          message: string;
          mistakes: string;
          ms: number;
      };

let door: Awaited<ReturnType<typeof open>> | null = null;
const waiting: ToWorker[] = [];
const post = (m: FromWorker): void => postMessage(m);

async function unpack(base64: string): Promise<ArrayBuffer> {
    const raw = atob(base64.trim()),
        bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

function serve(m: ToWorker): void {
    if (m.kind === 'file') door!.file(m.name, m.bytes, m.size);
    else if (m.kind === 'ask') {
        const begin = performance.now(),
            a = door!.ask(m.words);
        post({ kind: 'answer', id: m.id, ...a, ms: performance.now() - begin });
    }
}

async function start(m: ToWorker & { kind: 'core' }): Promise<void> {
    try {
        const module = m.module ?? (await WebAssembly.compile(await unpack(m.packed!)));
        door = await open(module, { columns: 100, seconds: m.seconds });
        post({ kind: 'ready', module });
        for (const w of waiting.splice(0)) serve(w);
    } catch (e) {
        post({ kind: 'failed', message: e instanceof Error ? e.message : String(e) });
    }
}

addEventListener('message', (e: MessageEvent<ToWorker>) => {
    if (e.data.kind === 'core') void start(e.data);
    else if (door) serve(e.data);
    else waiting.push(e.data);
});
