// SPDX-License-Identifier: MIT
// wasm.mjs MODULE COMMAND QUESTIONS LINES README
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { open } from '../../web/door.mjs';

const [module, command, questions, lines, readme] = process.argv.slice(2);
const bytes = readFileSync(module), MOST = 3000000; // of the module, compressed
const size = gzipSync(bytes, { level: 9 }).length;
let bad = 0;
console.log(`${bytes.length} bytes of WebAssembly, ${size} by gzip, ${brotliCompressSync(bytes).length} by brotli`);
if (size > MOST) { bad++; console.log(`more than ${MOST}`); }

const compiled = await WebAssembly.compile(bytes);
const wants = WebAssembly.Module.imports(compiled).map(i => `${i.module}.${i.name}`).join(' ');
if (wants !== 'host.door_progress') { bad++; console.log(`it wants more of its host than progress: ${wants}`); }
const door = await open(compiled);

// A page has no disk: files that a line names are given, folders with all that is in them.
const given = new Set();
function give(path) {
    if (given.has(path) || !existsSync(path)) return;
    given.add(path);
    if (statSync(path).isDirectory()) readdirSync(path).forEach(name => give(`${path}/${name}`));
    else door.file(path, readFileSync(path));
}

const read = (file, more = []) => readFileSync(file, 'utf8').split('\n').filter(l => l.trim() && l[0] !== '#')
    .map(l => [...l.trim().split(/\s+/), ...more]);
const all = [...read(questions, ['--format', 'json']), ...read(lines)];
for (const [, line] of readFileSync(readme, 'utf8').matchAll(/^\$ reckon (.*)$/gm))
    if (!/[|<>;'"]/.test(line)) all.push(line.split(/\s+/));

const env = { ...process.env };
delete env.COLUMNS; delete env.RECKON_MODELS;
for (const words of all) {
    words.filter(w => w.includes('/') || w.includes('.')).forEach(give);
    const run = spawnSync(command, words, { env, input: '', maxBuffer: 1 << 28 }), got = door.ask(words);
    const status = got.code === 0 ? got.verdict : got.code === -2 ? 2 : got.code === -4 || got.code === -5 ? 4 : 1;
    const text = Buffer.from(got.text);
    if (!text.equals(run.stdout) || status !== run.status) {
        bad++;
        console.log(`reckon ${words.join(' ')}: status ${status}, not ${run.status}; ` +
            `${text.length} bytes, not ${run.stdout.length}; ${got.message}`);
    }
}
console.log(`${all.length} questions, ${bad} answered differently`);
process.exit(bad > 0 ? 1 : 0);
