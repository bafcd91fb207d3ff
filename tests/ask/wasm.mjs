// SPDX-License-Identifier: MIT
// wasm.mjs LIBRARY.wasm COMMAND LINES README
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [library, command, lines, readme] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [], env: {}, preopens: { '/': '/', '.': process.cwd() } });
const { instance } = await WebAssembly.instantiate(readFileSync(library), wasi.getImportObject());
wasi.initialize(instance);
const r = instance.exports;
const memory = () => new DataView(r.memory.buffer);
const bytes = (at, n) => Buffer.from(new Uint8Array(r.memory.buffer, at, n));
const ERROR = 4 + 2048, ANSWER = 24, SETUP = 64; // bytes of the structs, where a pointer has four

const text = at => { let n = 0; while (memory().getUint8(at + n)) n++; return bytes(at, n); };
const zeros = n => { const at = r.malloc(n); new Uint8Array(r.memory.buffer, at, n).fill(0); return at; };
const put = s => { const b = Buffer.from(s), at = zeros(b.length + 1); new Uint8Array(r.memory.buffer, at).set(b); return at; };

function ask(context, words) {
    const list = zeros(4 * (words.length + 1)), error = zeros(ERROR), answer = zeros(ANSWER);
    words.forEach((w, i) => { const at = put(w); memory().setUint32(list + 4 * i, at, true); });
    const code = r.reckon_ask(context, list, 0, answer, error);
    const m = memory(), at = m.getUint32(answer, true), n = m.getUint32(answer + 4, true);
    const out = at ? bytes(at, n) : Buffer.alloc(0);
    const status = code === 0 ? (m.getInt32(answer + 20, true) ? 3 : m.getInt32(answer + 16, true) ? 1 : 0)
        : code === -2 ? 2 : code === -4 || code === -5 ? 4 : 1;
    const message = code ? text(error + 4) : Buffer.alloc(0);
    r.reckon_answer_free(answer);
    return { out, status, message };
}

const questions = readFileSync(lines, 'utf8').split('\n').filter(l => l.trim() && l[0] !== '#').map(l => l.split(/\s+/));
for (const [, line] of readFileSync(readme, 'utf8').matchAll(/^\$ reckon (.*)$/gm))
    if (!/[|<>;'"]/.test(line)) questions.push(line.split(/\s+/));
const holder = zeros(4), error = zeros(ERROR), env = { ...process.env };
delete env.COLUMNS; delete env.RECKON_MODELS;
if (r.reckon_context_new(zeros(SETUP), holder, error) !== 0) throw new Error(text(error + 4));
const context = memory().getUint32(holder, true);
let bad = 0;
for (const words of questions) {
    const run = spawnSync(command, words, { env, input: '', maxBuffer: 1 << 28 }), got = ask(context, words);
    if (!got.out.equals(run.stdout) || got.status !== run.status) {
        bad++;
        console.log(`reckon ${words.join(' ')}: status ${got.status}, not ${run.status}; ${got.out.length} bytes, not ${run.stdout.length}; ${got.message}`);
    }
}
console.log(`${questions.length} questions, ${bad} answered differently`);
process.exit(bad > 0 ? 1 : 0);
