// SPDX-License-Identifier: MIT
// build.mjs WASM OUT: the page as one file, with the core in it, compressed, and with the answers that it opens with.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { open } from './door.mjs';

const [wasmFile, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const bundle = (file, more = {}) =>
    buildSync({
        entryPoints: [join(here, 'src', file)],
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        target: 'es2022',
        legalComments: 'none',
        charset: 'utf8',
        ...more,
    }).outputFiles[0].text;
// A script in a page ends at its end tag, wherever that stands.
const inside = text => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');

const wasm = readFileSync(wasmFile);
const door = await open(wasm);
const opening = JSON.parse(readFileSync(join(here, 'opening.json'), 'utf8'));
const seed = {};
for (const words of opening) {
    const a = door.ask(words);
    if (a.code !== 0) throw new Error(`${words.join(' ')}: ${a.message}`);
    seed[words.join('\n')] = JSON.stringify(
        JSON.parse(a.text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, t => (t[0] === '"' ? t : `"${t}"`))),
    );
}
const css = buildSync({ entryPoints: [join(here, 'src', 'style.css')], minify: true, write: false }).outputFiles[0]
    .text;
const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src blob: data:; connect-src 'none'; form-action 'none'; base-uri 'none'">
<title>reckon</title><meta name="color-scheme" content="light dark"><style>${css}</style></head><body>
<noscript>This page needs JavaScript. The command reckon answers the same questions.</noscript></body>
<script type="application/json" id="seed">${JSON.stringify(seed).replaceAll('<', '\\u003c')}</script>
<script type="text/plain" id="worker">${inside(bundle('worker.ts'))}</script>
<script type="text/plain" id="core">${gzipSync(wasm, { level: 9 }).toString('base64')}</script>
<script>${inside(bundle('main.ts'))}</script></html>
`;
writeFileSync(out, html);
console.log(`${out}: ${Math.round(html.length / 1024)} KiB`);
