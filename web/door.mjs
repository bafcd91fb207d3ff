// SPDX-License-Identifier: MIT
// The door to the core: reckon.wasm asked in words, as the command `reckon` is.  It runs in a page, in a worker and in
// node, and knows nothing of what the words mean.  docs/web.md has the calls of the module.

/** What reckon_ask returns where it fails, as reckon.h has it. */
export const codes = {
    input: -1, usage: -2, overflow: -3, memory: -4, io: -5, limit: -6, value: -7, stopped: -8,
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Opens a context in a new instance of the module.
 *
 * @param {WebAssembly.Module | BufferSource} source the module, or its bytes
 * @param {{columns?: number, budget?: number, seconds?: number, stop?: (done: number, all: number) => boolean}} [setup]
 *     columns: of the paper that texts are drawn on; budget: units of work that one question may cost; seconds: how long
 *     one question may take; stop: asked every thousand units or so
 */
export async function open(source, setup = {}) {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    let instance = null, deadline = Infinity;
    const given = new Map(); // files, for an instance that takes the place of this one

    const progress = (done, all) => Number(performance.now() > deadline || (setup.stop ? setup.stop(done, all) : false));

    function start() {
        instance = new WebAssembly.Instance(module, { host: { door_progress: progress } }).exports;
        instance._initialize();
        check(instance.door_open(setup.columns ?? 0, setup.budget ?? 0));
        for (const [name, file] of given) pass(name, file.bytes, file.size);
    }

    /** Bytes of ours in the module's memory while `use` works with them. */
    function lend(bytes, use) {
        const at = instance.door_alloc(bytes.length || 1);
        if (!at) throw new Error('out of memory');
        try {
            new Uint8Array(instance.memory.buffer, at, bytes.length).set(bytes);
            return use(at, bytes.length);
        } finally {
            instance.door_free(at);
        }
    }

    function text(at, n) {
        if (!at) return '';
        const memory = new Uint8Array(instance.memory.buffer);
        return decoder.decode(memory.subarray(at, n === undefined ? memory.indexOf(0, at) : at + n));
    }

    function check(code) {
        if (code !== 0) throw new Error(text(instance.door_message()) || `failed with ${code}`);
    }

    function pass(name, bytes, size) {
        check(lend(encoder.encode(name + '\0'), at =>
            bytes === null ? instance.door_file(at, 0, 0, 0)
                : lend(bytes, (from, n) => instance.door_file(at, from, n, size))));
    }

    /** Gives a file, of which a checkpoint needs only the beginning; null bytes: it is gone. */
    function file(name, bytes, size = bytes?.length ?? 0) {
        name = name.replaceAll('\0', '\ufffd');
        pass(name, bytes, size);
        if (bytes === null) given.delete(name);
        else given.set(name, { bytes, size });
    }

    /**
     * Asks: ask(['memory', 'gpt2-xl', 'B=4', '--format', 'json']).
     *
     * @returns {{code: number, text: string, verdict: number, message: string, mistakes: string}}
     *     code: 0 or one of `codes`; verdict: 1 where what was compared differs, 3 where it does not fit, else 0
     */
    function ask(words) {
        deadline = setup.seconds ? performance.now() + 1000 * setup.seconds : Infinity;
        try {
            const code = lend(encoder.encode(words.map(w => w.replaceAll('\0', '\ufffd') + '\0').join('')),
                (at, n) => instance.door_ask(at, n));
            return {
                code,
                text: text(instance.door_text(), instance.door_text_size()),
                verdict: instance.door_verdict(),
                message: code ? text(instance.door_message()) : '',
                mistakes: code ? text(instance.door_mistakes()) : '',
            };
        } catch (trap) {
            // Not even the memory of a broken instance can be trusted: the next question has a new one.
            start();
            return { code: codes.memory, text: '', verdict: 0, message: `the core stopped: ${trap.message}`, mistakes: '' };
        }
    }

    start();
    return { ask, file };
}
