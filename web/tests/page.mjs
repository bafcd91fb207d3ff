// SPDX-License-Identifier: MIT
// page.mjs PAGE COMMAND: what a user does with the page, in a real browser; its numbers are held against the command's.
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import puppeteer from 'puppeteer-core';

const [file, command] = process.argv.slice(2).map(a => resolve(a));
const only = process.env.ONLY;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const url = `file://${file}`;
const tmp = mkdtempSync(join(tmpdir(), 'reckon-page-'));
const ask = (...words) => JSON.parse(execFileSync(command, [...words, '--format', 'json'], { encoding: 'utf8', maxBuffer: 1 << 28 }));
const digits = n => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
const step = (...words) => {
    try {
        return ask('step', ...words, '--device', 'h100-80gb');
    } catch (e) {
        return JSON.parse(e.stdout); // status 3: it does not fit
    }
};

const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});

function is(got, wanted, what = '') {
    if (got !== wanted) throw new Error(`${what}: ${JSON.stringify(got)?.slice(0, 1500)}, not ${JSON.stringify(wanted)?.slice(0, 300)}`);
}
function ok(value, what) {
    if (!value) throw new Error(what);
}

/** A page that fails the test when it says anything on its console, or wants anything from a network. */
async function open(hash = '', { width = 1440, height = 900, scheme = 'light', before, motion } = {}) {
    const page = await browser.newPage();
    page.complaints = [];
    page.on('pageerror', e => page.complaints.push(e.message));
    page.on('console', m => { if (m.type() === 'error') page.complaints.push(m.text()); });
    page.on('request', r => { if (!/^(file|blob|data):/.test(r.url())) page.complaints.push(`asks for ${r.url()}`); });
    await page.setViewport({ width, height, isMobile: width < 500, hasTouch: width < 500 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }, ...(motion ? [{ name: 'prefers-reduced-motion', value: motion }] : [])]);
    if (before) await page.evaluateOnNewDocument(before);
    await page.goto(url + hash);
    return page;
}
const text = (page, selector) => page.$eval(selector, e => e.textContent);
const until = (page, test, ...args) => page.waitForFunction(test, { timeout: 60_000, polling: 50 }, ...args);
const settled = page => until(page, () => reckon.page.account.step && !reckon.page.account.quick && !document.body.classList.contains('stale'));
/** Until the page shows the account of these words. */
async function shows(page, ...words) {
    const peak = `${digits(step(...words).peak)} bytes`;
    await until(page, t => document.querySelector('#a-memx').textContent === t, peak);
}
const drop = (page, name, content) => page.evaluate((n, c) => {
    const d = new DataTransfer();
    d.items.add(new File([typeof c === 'string' ? c : new Uint8Array(c)], n));
    for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: d, bubbles: true, cancelable: true }));
}, name, content);
const focusWord = (page, word) => page.focus(`#sentence [data-word="${word}"]`);
/** Takes a choice of a word of the sentence, or types one. */
async function choose(page, word, value) {
    await page.$eval(`#sentence [data-word="${word}"]`, e => e.click());
    await page.waitForSelector(`.menu li[data-value="${value}"]`);
    await page.$eval(`.menu li[data-value="${value}"]`, e => e.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })));
}
async function typeWord(page, word, text) {
    await page.$eval(`#sentence [data-word="${word}"]`, e => e.click());
    await page.waitForSelector('.menu input');
    await page.type('.menu input', text);
    await page.keyboard.press('Enter');
}
async function pick(page, words, name) {
    await page.keyboard.press('/');
    await page.waitForSelector('.menu input');
    await page.keyboard.type(words);
    await until(page, n => document.querySelector('.menu li')?.dataset.value === n, name);
    await page.keyboard.press('Enter');
    await until(page, n => reckon.page.account.step?.model === n, name);
}
const clickText = (page, selector, words) => has(page, selector, words).then(() => page.evaluate((s, t) => [...document.querySelectorAll(s)].find(e => e.textContent.includes(t)).click(), selector, words));
const see = (page, id) => page.$eval(`#${id}`, e => e.scrollIntoView());
const has = (page, selector, words) => until(page, (s, t) => [...document.querySelectorAll(s)].some(e => e.textContent.includes(t)), selector, words);
async function saved(page) {
    const cdp = await page.createCDPSession();
    await cdp.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: tmp });
    return async name => {
        for (let i = 0; i < 200 && !readdirSync(tmp).includes(name); i++) await new Promise(r => setTimeout(r, 50));
        return readFileSync(join(tmp, name), 'utf8');
    };
}

const tests = {
    async 'opens from disk with the numbers of the command'() {
        const page = await open();
        await until(page, () => performance.getEntriesByName('first-view').length);
        const j = step('llama-3.1-8b', 'S=8K', '--recipe', 'bf16');
        is(await text(page, '#a-parx'), digits(j.parameters.total));
        is(await text(page, '#a-opsx'), digits(j.step.total));
        is(await text(page, '#a-memx'), `${digits(j.peak)} bytes`);
        const rows = await page.$$eval('.led tr.go', list => list.map(r => [r.dataset.kind, r.querySelector('.n').textContent]));
        is(rows.length, j.kinds.length, 'rows of the ledger');
        for (const k of j.kinds) is(rows.find(r => r[0] === k.kind)?.[1], digits(k.bytes), k.kind);
        is(await text(page, '.led .tt .n'), digits(j.peak), 'the total');
        ok(/does not fit/.test(await text(page, '#verdict')), 'the verdict');
        return page;
    },
    async 'words of the sentence open menus, with a peak beside each choice'() {
        const page = await open();
        await settled(page);
        await page.click('#sentence [data-word="optimizer"]');
        await until(page, () => [...document.querySelectorAll('.menu em')].every(e => e.textContent));
        const peak = await page.$eval('.menu li[data-value="adam8bit"] em', e => e.textContent);
        await page.click('.menu li[data-value="adam8bit"]');
        await shows(page, 'llama-3.1-8b', 'S=8K', '--recipe', 'bf16', '--optimizer', 'adam8bit');
        is(await page.$eval('#a-mem .num', e => e.childNodes[0].textContent + ' ' + e.querySelector('small').textContent), peak);
        await until(page, () => location.hash.includes('optimizer=adam8bit'));
        return page;
    },
    async 'every choice of every menu is one that the command takes'() {
        const page = await open();
        await settled(page);
        const bad = await page.evaluate(async () => {
            const { core, choices, page } = reckon, out = [];
            for (const [option, list] of Object.entries(choices))
                for (const c of list.filter(x => x.value)) {
                    const phase = ['dtype', 'weights', 'kv-dtype'].includes(option) ? ['--phase', 'decode'] : [];
                    const what = ['count', 'causal', 'unit'].includes(option) ? ['flops', 'gpt2'] : ['sweep', 'gpt2', 'B=1..1', '--of', 'memory.peak', ...phase];
                    const a = await core.ask([...what, `--${option}`, c.value, '--format', 'json'], `choice ${option} ${c.value}`, true);
                    if (a.code !== 0) out.push(`--${option} ${c.value}: ${a.message}`);
                }
            void page;
            return out;
        });
        is(bad.join('; '), '');
        return page;
    },
    async 'sliders: keys, digits, a drag, and where they stop fitting'() {
        const page = await open();
        await settled(page);
        await page.focus('#slider-length');
        await page.keyboard.down('Shift');
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.up('Shift');
        await shows(page, 'llama-3.1-8b', 'S=4096', '--recipe', 'bf16');
        await page.keyboard.type('6000');
        await page.keyboard.press('Enter');
        await shows(page, 'llama-3.1-8b', 'S=6000', '--recipe', 'bf16');
        ok(/6,000 tokens of a sequence, peak .*GB, does not fit/.test(await page.$eval('#slider-length', e => e.getAttribute('aria-valuetext'))), 'what a slider says');
        await until(page, () => reckon.page.account.extents.length === 3 && /fits up to/.test(document.querySelector('#sl-length .sn').textContent));
        const last = step('llama-3.1-8b', 'S=6000', '--recipe', 'bf16', '--curves').extents.find(e => e.symbol === 'S');
        ok((await text(page, '#sl-length .sn')).includes(digits(last.last)), 'the last length that fits');
        await page.focus('#slider-batch');
        await until(page, () => reckon.page.sliders.row('B', 2));
        const box = await (await page.$('#slider-batch')).boundingBox();
        await page.mouse.move(box.x + 1, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2, { steps: 8 });
        const quick = await page.evaluate(async () => {
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))); // what was drawn by the next frame
            return [reckon.page.state.numbers.B, document.querySelector('#a-memx').textContent];
        });
        await page.mouse.up();
        is(quick[0], 4, 'B after a drag');
        is(quick[1], `${digits(step('llama-3.1-8b', 'S=6000', 'B=4', '--recipe', 'bf16').peak)} bytes`, 'in the next frame');
        await shows(page, 'llama-3.1-8b', 'S=6000', 'B=4', '--recipe', 'bf16');
        await page.focus('#slider-devices');
        await page.keyboard.type('8');
        await page.keyboard.press('Enter');
        await shows(page, 'llama-3.1-8b', 'S=6000', 'B=4', '--recipe', 'bf16', '--layout', 'fsdp=8');
        const track = await (await page.$('#slider-devices')).boundingBox();
        await page.mouse.move(track.x + track.width * 0.5, track.y + track.height / 2);
        await page.mouse.down();
        await page.mouse.move(track.x + track.width * 0.75, track.y + track.height / 2, { steps: 6 });
        const dragged = await page.evaluate(() => reckon.page.state.devices);
        await page.mouse.up();
        ok(dragged > 8, `${dragged} devices after a drag`);
        await shows(page, 'llama-3.1-8b', 'S=6000', 'B=4', '--recipe', 'bf16', '--layout', `fsdp=${dragged}`);
        return page;
    },
    async 'the model is found by words, and by keys alone'() {
        const page = await open();
        await settled(page);
        await page.keyboard.press('/');
        await page.waitForSelector('.menu input');
        await page.keyboard.type('xl gpt2');
        await until(page, () => document.querySelector('.menu li')?.dataset.value === 'gpt2-xl');
        await page.keyboard.press('Enter');
                await until(page, () => reckon.page.state.model === 'gpt2-xl');
        await page.keyboard.press('/');
        await page.waitForSelector('.menu');
        await page.keyboard.press('Escape');
        is(await page.$('.menu'), null, 'Esc closes it');
        return page;
    },
    async 'keys: e, c, ?, Esc; Tab goes in reading order'() {
        const page = await open();
        await settled(page);
        await page.keyboard.press('?');
        await page.waitForSelector('.keys');
        await page.keyboard.press('Escape');
        is(await page.$('.keys'), null);
        await page.keyboard.press('e');
        is(await page.evaluate(() => document.activeElement.id), 'why');
        await page.keyboard.press('c');
        await page.waitForSelector('.menu');
        await page.keyboard.press('Escape');
        await page.focus('.skip');
        const seen = [];
        for (let i = 0; i < 32; i++) {
            await page.keyboard.press('Tab');
            seen.push(await page.evaluate(() => document.activeElement.dataset.word || document.activeElement.id || document.activeElement.textContent.slice(0, 12)));
        }
        const order = ['pick', 'theme', 'model', 'phase', 'B', 'S', 'recipe', 'optimizer', 'device', 'slider-length', 'slider-batch', 'slider-devices'].map(x => seen.indexOf(x));
        ok(order.every((n, i) => n >= 0 && (i === 0 || n > order[i - 1])), `order of Tab: ${seen.join(', ')}`);
        await focusWord(page, 'recompute');
        await page.keyboard.press('Enter');
        await page.waitForSelector('.menu');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await shows(page, 'llama-3.1-8b', 'S=8K', '--recipe', 'bf16', '--recompute', 'full');
        is(await page.evaluate(() => document.activeElement.dataset.word), 'recompute', 'focus returns');
        return page;
    },
    async 'the address is the state'() {
        const page = await open('#gpt2/decode?B=4&T=512&on=2xa100-80gb&v=1');
        await settled(page);
        ok(/one new token/.test(await text(page, '#sentence')) && /A100/.test(await text(page, '#sentence')), 'read');
        const back = await page.evaluate(() => location.hash);
        for (const part of ['#gpt2/decode', 'B=4', 'T=512', 'on=2xa100-80gb', 'v=1']) ok(back.includes(part), `${part} in ${back}`);
        await page.evaluate(() => { location.hash = '#llama-3.1-8b/train?S=2K&recipe=bf16&why=layers.attention.scores&v=1'; });
        await until(page, () => /layers\.attention\.scores/.test(document.querySelector('#why h2').textContent));
        await until(page, () => /q\[B S K G/.test(document.querySelector('#why code')?.textContent ?? ''));
        return page;
    },
    async 'an address of another version, or with nonsense in it, says so'() {
        const page = await open('#llama-3.1-8b/train?S=2K&recipe=bf16&v=7');
        await until(page, () => /version 7/.test(document.querySelector('.notice').textContent));
        await shows(page, 'llama-3.1-8b', 'S=2K', '--recipe', 'bf16');
        // An older version that is known keeps the defaults of its time.
        await page.evaluate(() => {
            reckon.defaults[0] = { device: 'a100-80gb', layout: 'ddp', options: { recipe: 'fp32' } };
            location.hash = '#gpt2/train?S=512&v=0';
        });
        await until(page, () => /defaults of its time: a100-80gb/.test(document.querySelector('.notice').textContent));
        const old = await page.evaluate(() => reckon.page.state);
        is(JSON.stringify([old.device, old.layout, old.options]), '["a100-80gb","ddp",{"recipe":"fp32"}]', 'the state of a link of version 0');
        await until(page, () => location.hash.includes('on=1xa100-80gb') && location.hash.includes('recipe=fp32') && location.hash.includes('v=1'));
        await page.evaluate(() => { location.hash = '#gpt2/train?<script>=1&v=1'; });
        await until(page, () => /Not understood/.test(document.querySelector('.notice').textContent));
        await page.evaluate(() => { location.hash = '#no-such-model/train?v=1'; });
        await until(page, () => /no-such-model/.test(document.querySelector('#verdict').textContent));
        return page;
    },
    async 'a dropped config; a hostile name and hostile words are text'() {
        const page = await open();
        await settled(page);
        const config = { model_type: 'llama', hidden_size: 256, num_hidden_layers: 3, num_attention_heads: 4, intermediate_size: 512, vocab_size: 1000, };
        const name = '<img src=x onerror=window.hurt=1>.json', known = name.replaceAll('=', '_');
        await drop(page, name, JSON.stringify(config));
        await until(page, n => reckon.page.state.model === n && reckon.page.account.step?.symbols?.L === 3, known);
        ok((await text(page, '#sentence')).includes('<img src_x'), 'the name as text');
        await drop(page, 'family.json', '{"model_type": "<img src=x onerror=window.hurt=1>"}');
        await until(page, () => document.querySelector('#verdict').textContent.includes('<img src=x onerror'));
        is(await page.$('main img, header img'), null, 'no element came of it');
        await drop(page, name, JSON.stringify(config));
        await until(page, n => reckon.page.state.model === n && location.hash.includes('%3Cimg') && location.hash.includes('data='), known);
        is(await page.evaluate(() => window.hurt), undefined);
        ok(await page.evaluate(() => location.hash.includes('data=')), 'a small config travels in the address');
        const hash = await page.evaluate(() => location.hash);
        const again = await open(hash);
        await until(again, () => reckon.page.account.step?.symbols?.L === 3);
        await again.close();
        return page;
    },
    async 'broken JSON, an unknown family, a file of another kind: said in place, the rest stays'() {
        const page = await open();
        await settled(page);
        const before = await text(page, '#a-parx');
        await drop(page, 'config.json', '{"model_type": "llama", ');
        await until(page, () => /Not answered/.test(document.querySelector('#verdict').textContent));
        is(await text(page, '#a-parx'), before, 'the account stays');
        ok(await page.$eval('body', b => b.classList.contains('stale')), 'dimmed');
        await drop(page, 'other.json', '{"model_type": "my_llama"}');
        await until(page, () => /my_llama/.test(document.querySelector('#verdict').textContent));
        await drop(page, 'movie.mp4', 'xx');
        await until(page, () => /movie\.mp4: drop a config/.test(document.querySelector('.notice').textContent));
        return page;
    },
    async 'of a checkpoint of gigabytes the header alone is read'() {
        const page = await open();
        await settled(page);
        const header = Buffer.from(JSON.stringify({ 'model.w': { dtype: 'BF16', shape: [1 << 20, 2048], data_offsets: [0, 2 ** 32] } })), path = join(tmp, 'large.safetensors'), fd = openSync(path, 'w'), n = Buffer.alloc(8);
        n.writeBigUInt64LE(BigInt(header.length));
        writeSync(fd, n);
        writeSync(fd, header);
        ftruncateSync(fd, 8 + header.length + 2 ** 32);
        closeSync(fd);
        await page.keyboard.press('/');
        const input = await page.waitForSelector('.menu input[type=file]');
        await input.uploadFile(path);
        await until(page, () => reckon.core.files.has('large.safetensors'));
        const got = await page.evaluate(() => { const f = reckon.core.files.get('large.safetensors'); return [f.bytes.length, f.size]; });
        is(got[0], 8 + header.length, 'bytes read');
        is(got[1], 8 + header.length + 2 ** 32, 'size known');
        await until(page, () => document.querySelector('#a-parx').textContent === '2,147,483,648' || /large/.test(document.querySelector('#verdict').textContent));
        return page;
    },
    async 'a GGUF header is dropped, and read'() {
        const page = await open();
        await settled(page);
        const path = join(process.cwd(), 'tests/read/fixtures/formats.gguf'), stored = ask('params', path);
        await drop(page, 'formats.gguf', [...readFileSync(path)]);
        await until(page, () => reckon.core.files.has('formats.gguf'));
        const got = await page.evaluate(async () => (await reckon.core.ask(['params', 'formats.gguf', '--format', 'json'], 'test')).json);
        is(JSON.stringify(got.parameters ?? got.total), JSON.stringify(stored.parameters ?? stored.total), 'what the file stores');
        return page;
    },
    async 'the tasks of a student, with the page alone: GPT-2 XL at batch 4, and what fits on an A100'() {
        const page = await open();
        await settled(page);
        await page.keyboard.press('/');
        await page.waitForSelector('.menu input');
        await page.keyboard.type('gpt2 xl');
        await until(page, () => document.querySelector('.menu li')?.dataset.value === 'gpt2-xl');
        await page.keyboard.press('Enter');
        await page.waitForFunction(() => reckon.page.account.step?.model === 'gpt2-xl');
        await page.focus('#slider-batch');
        await page.keyboard.type('4');
        await page.keyboard.press('Enter');
        await page.focus('#slider-length');
        await page.keyboard.type('1024');
        await page.keyboard.press('Enter');
        for (const [word, value] of [['recipe', 'fp32'], ['device', 'a100-80gb']]) {
            await shows(page, 'gpt2-xl', 'B=4', 'S=1024', '--recipe', word === 'recipe' ? 'bf16' : 'fp32');
            await page.$eval(`#sentence [data-word="${word}"]`, e => e.click());
            await page.waitForSelector(`.menu li[data-value="${value}"]`);
            await page.click(`.menu li[data-value="${value}"]`);
        }
        const words = ['gpt2-xl', 'B=4', 'S=1024', '--recipe', 'fp32'], j = step(...words);
        await shows(page, ...words);
        is(await text(page, '#a-parx'), digits(j.parameters.total), 'parameters');
        is(await text(page, '#a-opsx'), digits(j.step.total), 'operations');
        const last = ask('step', ...words, '--device', 'a100-80gb', '--curves').extents.find(e => e.symbol === 'B');
        await until(page, t => document.querySelector('#sl-batch .sn').textContent.includes(t), digits(last.last));
        const time = ask('train', 'gpt2-xl', 'B=4', 'S=1024', '--recipe', 'fp32', '--steps', '1', '--device', 'a100-80gb', '--mfu', '40%').time;
        await until(page, t => document.querySelector('#a-time .num').textContent.includes(t), time.seconds.toPrecision(3));
        await page.$eval('#sentence [data-word="steps"]', e => e.click());
        await page.waitForSelector('.menu li[data-value="400000"]');
        await page.click('.menu li[data-value="400000"]');
        const run = ask('train', 'gpt2-xl', 'B=4', 'S=1024', '--recipe', 'fp32', '--steps', '400000', '--device', 'a100-80gb', '--mfu', '40%').time;
        await until(page, t => document.querySelector('#a-time .num').textContent.includes(t), `${run.days.toPrecision(3)}days`);
        await page.$eval('.led tr[data-kind="optimizer"] button', e => e.click());
        await until(page, t => document.querySelector('#why .res')?.textContent.includes(t), digits(j.kinds.find(k => k.kind === 'optimizer').bytes));
        return page;
    },
    async 'the tasks of an engineer: how many users of a 70B in fp8 on two H100 at 32K'() {
        const page = await open();
        await settled(page);
        await pick(page, 'llama 3.1 70b', 'llama-3.1-70b');
        await choose(page, 'phase', 'decode');
        await choose(page, 'T', '32768');
        await choose(page, 'weights', 'fp8');
        await choose(page, 'devices', '2');
        const words = ['llama-3.1-70b', '--phase', 'decode', 'T=32K', '--weights', 'fp8'];
        ok(/tensor parallelism/.test(await text(page, '#sentence')), 'what is served is divided by tensor parallelism');
        await shows(page, ...words, '--layout', 'tp=2');
        const fit = ask('fit', ...words, '--layout', 'tp=2', '--device', 'h100-80gb'), whole = step(...words);
        await has(page, '#verdict', `Up to ${fit.batch.largest} sequences would fit`);
        await has(page, '#verdict', `${digits(fit.length.largest)} tokens (its context is 131,072)`);
        await has(page, '#a-time .num', `≤ ${digits(fit.step.tokens_per_second_at_most)}`);
        is(await text(page, '#a-par h2'), 'Parameters used by each device');
        await see(page, 'serve');
        await until(page, () => document.querySelectorAll('#serve .v1').length === 16);
        ok(/^2 × H100/.test(await text(page, '#serve tbody th')), 'the row of the sentence’s own devices');
        is(await page.$eval('#serve tbody tr td:nth-of-type(3) .v1', e => e.textContent), String(fit.batch.largest), 'users at 32K');
        // Lines and forms are the whole model's, and their sums are theirs.
        await see(page, 'lines');
        await has(page, '.li .tot', digits(whole.forward.total));
        const gate = ask('lines', ...words.slice(0, 4), 'S=1').lines.find(l => l.path === 'layers.ffn.gate');
        is(await page.$eval('tr[data-path="layers.ffn.gate"] .m:nth-of-type(2) span', e => e.title), digits(BigInt(gate.forward) * BigInt(gate.times)), 'one new token');
        await see(page, 'forms');
        await has(page, '.cfl .n', `= ${digits(whole.forward.total)} FLOP`);
        await has(page, '.cr', `from T = ${digits(ask('cross', 'llama-3.1-70b', 'flops:attention', 'flops:ffn', 'T', '--phase', 'decode').crossings[0].from)} on`);
        // A model that cannot be divided so says why in its column.
        await see(page, 'side');
        await has(page, '.sb td.na', 'does not divide');
        await see(page, 'devices');
        await has(page, '#devices td.na', 'K = 8 (key/value heads) does not divide');
        return page;
    },
    async 'the tasks of an engineer: a LoRA of an 8B on a card of 24 GB'() {
        const page = await open();
        await settled(page);
        await choose(page, 'device', 'rtx-4090');
        await choose(page, 'S', '2048');
        for (const recipe of ['lora', 'qlora']) {
            await choose(page, 'recipe', recipe);
            const words = ['llama-3.1-8b', 'S=2K', '--recipe', recipe];
            await shows(page, ...words);
            let j;
            try {
                j = ask('step', ...words, '--device', 'rtx-4090', '--curves', '--ways');
            } catch (e) {
                j = JSON.parse(e.stdout);
            }
            await until(page, fits => (fits ? /It fits|The tensors fit/ : /It does not fit/).test(document.querySelector('#verdict').textContent), j.fits);
            await has(page, '#sl-length .sn', `fits up to ${digits(j.extents.find(e => e.symbol === 'S').last)}`);
            const last = j.extents.find(e => e.symbol === 'B').last;
            await has(page, '#sl-batch .sn', last ? `fits up to ${digits(last)}` : 'none fits at S = 2,048');
        }
        return page;
    },
    async 'the tasks of an engineer: 70B over 64 H100, which layout fits, and days for a trillion tokens'() {
        const page = await open();
        await settled(page);
        await pick(page, 'llama 3.1 70b', 'llama-3.1-70b');
        const words = ['llama-3.1-70b', 'S=8K', '--recipe', 'bf16'];
        // Nothing helps by itself: what helps together is offered, and fits when it is taken.
        const savings = (() => {
            try {
                return ask('fit', ...words, '--device', 'h100-80gb');
            } catch (e) {
                return JSON.parse(e.stdout);
            }
        })().savings, first = savings.find(x => x.fits || x.fewest_devices);
        await has(page, '#verdict .lk', `on ${first.fewest_devices} devices`);
        await see(page, 'fit');
        await until(page, n => document.querySelectorAll('.pile tbody tr').length === n, savings.length);
        await page.$eval('#verdict .lk', e => e.click());
        const some = [...words, ...first.option.split(' '), '--layout', `fsdp=${first.fewest_devices}`];
        await shows(page, ...some);
        await has(page, '#verdict', 'It fits');
        ok(/8,192 tokens on each device/.test(await text(page, '#sentence')), 'whose batch it is');
        // Over devices: the mesh fits as it is; a click sets it, and the sentence says how many devices that are.
        await choose(page, 'recompute', '');
        await see(page, 'devices');
        const mesh = step(...words, '--layout', 'fsdp=8,tp=8,sp');
        await has(page, '#devices .cell', `${(mesh.peak / 1e9).toPrecision(3)} GB`);
        await page.evaluate(() => [...document.querySelectorAll('#devices .cell')].find(b => b.getAttribute('aria-label').endsWith(', 64 devices, fsdp+tp')).click());
        await shows(page, ...words, '--layout', 'fsdp=8,tp=8,sp');
        ok(mesh.fits && /64 × H100.*ZeRO-3 and tensor parallelism/.test(await text(page, '#sentence')), 'the layout in the sentence');
        await until(page, () => document.querySelectorAll('#sl-length .scc').length);
        await choose(page, 'steps', '1T');
        const run = ask('train', ...words, '--layout', 'fsdp=8,tp=8,sp', '--tokens', '1T', '--device', 'h100-80gb', '--mfu', '40%');
        await has(page, '#a-time .num', `${run.time.days.toPrecision(3)}days`);
        await has(page, '#a-time h2', `Time of ${digits(run.steps)} steps`);
        await until(page, () => location.hash.includes('tokens=1T'));
        await typeWord(page, 'steps', '1.4T');
        await has(page, '#sentence', '1.4 trillion tokens');
        // Axes that are written out say how many devices there are; another number has other axes.
        await typeWord(page, 'layout', 'fsdp=4,tp=2');
        await shows(page, ...words, '--layout', 'fsdp=4,tp=2');
        is(await text(page, '[data-word="devices"]'), '8');
        await choose(page, 'devices', '4');
        await shows(page, ...words, '--layout', 'fsdp=4');
        // What cannot be divided so is said in the words of the command, and nothing else is blamed.
        await typeWord(page, 'layout', 'tp=64');
        await has(page, '#verdict', 'does not divide by that');
        await has(page, '#a-time', 'not answered');
        return page;
    },
    async 'the tasks of a researcher: an own hybrid, its forms, its crossing, tables for a paper, a link'() {
        const page = await open('#mixtral-8x7b/train?S=8K&recipe=bf16&v=1');
        await settled(page);
        await see(page, 'lines');
        await page.click('#edit');
        await page.waitForSelector('.cm-content');
        await until(page, () => reckon.page.sections.list[1].editor?.view.state.doc.length > 100);
        const edit = (from, to) => page.evaluate((a, b) => {
            const v = reckon.page.sections.list[1].editor.view, i = v.state.doc.toString().indexOf(a);
            if (i < 0) throw new Error(`no ${a}`);
            v.dispatch({ changes: { from: i, to: i + a.length, insert: b } });
        }, from, to);
        await edit('        part attention:\n', '        part attention:\n            let mask = window(1024) if i % 4 != 0 else causal\n');
        await edit('as last of T within window($sliding_window)', 'as last of T within mask');
        await edit('attend_grouped(q, k, v, window($sliding_window),', 'attend_grouped(q, k, v, mask,');
        await edit('            x = x + mixed\n', '            at shared:\n                common = gated(normed, F, "silu", False)\n            x = x + mixed + comon\n');
        await until(page, () => /^line 51: nothing defines 'comon'; did you mean 'common'/.test(document.querySelector('.ed .err').textContent));
        await page.$eval('.ed .err .lk', e => e.click());
        await until(page, () => document.querySelector('.cm-content .sq')?.textContent === 'comon' && document.activeElement.classList.contains('cm-content'));
        await edit('comon', 'common');
        await until(page, () => reckon.page.state.model === 'mixtral-8x7b.rk' && !document.body.classList.contains('stale') && !document.querySelector('.ed .err').textContent);
        // Saved, the equations and the config give the command's numbers.
        const file = await saved(page);
        await page.evaluate(() => [...document.querySelectorAll('.edh .lk')].find(b => b.textContent === 'save').click());
        ok((await file('mixtral-8x7b.rk')).includes('mixed + common') && (await file('mixtral-8x7b.json')).includes('mixtral'), 'two files');
        const own = [join(tmp, 'mixtral-8x7b.rk'), join(tmp, 'mixtral-8x7b.json')], j = step(...own, 'S=8K', '--recipe', 'bf16');
        await shows(page, ...own, 'S=8K', '--recipe', 'bf16');
        is(await text(page, '#a-parx'), digits(j.parameters.total));
        is(await text(page, '#a-opsx'), digits(j.step.total));
        await see(page, 'forms');
        await has(page, '.cfl .n', `= ${digits(j.forward.total)} FLOP`);
        const derived = ask('derive', ...own, 'flops', 'S=8K');
        await until(page, n => document.querySelector('.form1').querySelectorAll('.tm').length === n, derived.terms.length);
        const cross = ask('cross', ...own, 'flops:attention', 'flops:ffn', 'S').crossings[0];
        await has(page, '.cr', `from S = ${digits(cross.from)} on`);
        // A table in LaTeX and the form, as the command writes them.
        await page.click('#save');
        await page.waitForSelector('.menu');
        await page.$eval('.menu li[data-value="flops.latex"]', e => e.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })));
        const plain = t => t.replaceAll(/^%.*\n/gm, '');
        is(plain(await file('mixtral-8x7b.rk-flops.tex')), plain(execFileSync(command, ['flops', ...own, 'S=8K', '--format', 'latex'], { encoding: 'utf8' })), 'the table');
        await page.evaluate(() => { navigator.clipboard.writeText = t => { window.copied = t; return Promise.resolve(); }; });
        await page.$eval('.form1 .cp1', e => e.click());
        is(await page.evaluate(() => window.copied), derived.latex, 'the form in LaTeX');
        // The link has the equations in it, and finds the config again.
        await until(page, () => location.hash.includes('data=') && location.hash.includes('config='));
        const again = await open(await page.evaluate(() => location.hash));
        await until(again, t => document.querySelector('#a-parx').textContent === t, digits(j.parameters.total));
        await again.close();
        return page;
    },
    async 'the tasks of a reviewer: a wrong figure, and why a paper has another'() {
        const page = await open('#gpt2-xl/train?v=1');
        await settled(page);
        await see(page, 'check');
        await page.type('#text', 'A sentence without figures.');
        await has(page, '.ck', 'No figure in it was understood');
        await page.$eval('#text', e => { e.value = ''; });
        await page.type('#text', 'scores: 6,710,886,400 FLOPs');
        await has(page, '#taken', 'It names no model that is recognised');
        await clickText(page, '#taken .lk', 'Compare with gpt2-xl, the chosen model');
        await has(page, '.ck .cr', 'left open, as it is not clear what is meant; the nearest is layers.attention.scores');
        await page.evaluate(() => [...document.querySelectorAll('#check .lk')].find(b => /example/.test(b.textContent)).click());
        await has(page, '#taken', 'Taken as gpt2-xl, S = 1,024, from line 1.');
        await has(page, '.ck .cr', 'if gpt2-xl is meant, it is 3,355,443,200');
        await has(page, '.ck .cr', 'twice that');
        await has(page, '.ck .err', 'it is 1,474,560,000');
        await clickText(page, '#taken .lk', 'Compare all of it with gpt2-xl');
        await has(page, '.ck .err', 'it is 3,355,443,200');
        await see(page, 'others');
        const rules = ask('flops', 'gpt2-xl', '--as', 'all').conventions.filter(c => c.applies && c.ratio > 0);
        await until(page, n => document.querySelectorAll('.ot tbody tr').length === n, rules.length);
        const rows = await page.$$eval('.ot tbody tr', list => list.map(r => [...r.cells].map(c => c.textContent)));
        rules.forEach((c, i) => {
            ok(rows[i][0].startsWith(c.name), c.name);
            is(rows[i][2], digits(c.counted.total), c.name);
            is(rows[i][4], c.why || 'the same', c.name);
        });
        return page;
    },
    async 'words stand where they can be read: labels apart, the peak above its area, the view that is in sight'() {
        const apart = list => list.every((a, i) => list.every((b, k) => k <= i || a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1));
        for (const model of ['gpt2-xl', 'llama-3.1-70b', 'mixtral-8x7b']) {
            const page = await open(`#${model}/train?recipe=bf16&v=1`);
            await settled(page);
            const y = await page.evaluate(() => {
                const svg = document.querySelector('.tl svg').getBoundingClientRect(), m = reckon.page.memory;
                return [document.querySelector('.pkl').getBoundingClientRect().bottom, svg.bottom - (svg.height * Number(reckon.page.account.step.peak)) / m.ceil];
            });
            ok(y[0] <= y[1] + 1, `${model}: the label of the peak ends at ${y[0]}, the peak is at ${y[1]}`);
            await see(page, 'others');
            await until(page, () => document.querySelectorAll('.cv span').length > 3);
            ok(apart(await page.$$eval('.cv span', l => l.map(e => { const { left, right, top, bottom } = e.getBoundingClientRect(); return { left, right, top, bottom }; }))), `${model}: labels of others apart`);
            const current = () => page.$eval('.top nav [aria-current]', e => e.dataset.to);
            is(await current(), 'lines');
            await page.evaluate(() => scrollTo(0, 0));
            await until(page, () => document.querySelector('.top nav [aria-current]').dataset.to === 'account');
            await page.close();
        }
        const phone = await open('', { width: 360, height: 740 });
        await settled(phone);
        await see(phone, 'lines');
        await until(phone, () => document.querySelectorAll('.li tr.ln').length > 8);
        ok((await phone.$$eval('.li .m span', l => l.map(e => e.getBoundingClientRect().right))).every(x => x <= 347), 'figures of lines on the screen');
        return phone;
    },
    async 'who goes to a section finds it there, while those above it are still asked for'() {
        const page = await open('#gpt2/train?v=1', { motion: 'reduce' });
        await settled(page);
        const top = () => page.$eval('#side', e => e.getBoundingClientRect().top + scrollY), before = await top();
        await page.click('.top nav a[data-to="side"]');
        await page.click('#add-model');
        await page.waitForSelector('.menu input');
        await until(page, () => document.querySelectorAll('#devices .cell').length > 8 && document.querySelectorAll('.sb .v1').length > 8);
        const at = await page.$eval('#side', e => e.getBoundingClientRect().top);
        ok(Math.abs(at - 64) < 120, `the section lies at ${at}`);
        for (const id of ['fit', 'lines', 'forms', 'others']) await see(page, id);
        await until(page, () => document.querySelectorAll('.li tr.ln').length > 8 && document.querySelectorAll('.ot tr').length > 8);
        const after = await top();
        ok(Math.abs(after - before) < 600, `it moved from ${before} to ${after}`);
        return page;
    },
    async 'an unknown family is read as one that is near; a checkpoint of four bytes is none'() {
        const page = await open();
        await settled(page);
        const config = { model_type: 'my_llama', hidden_size: 256, num_hidden_layers: 3, num_attention_heads: 4, intermediate_size: 512, vocab_size: 1000 };
        await drop(page, 'mine.json', JSON.stringify(config));
        await has(page, '#verdict .lk', 'Read it as llama');
        await page.$eval('#verdict .lk', e => e.click());
        await until(page, () => reckon.page.account.step?.symbols?.L === 3 && !document.body.classList.contains('stale'));
        await drop(page, 'short.safetensors', 'abcd');
        await has(page, '.notice', 'short.safetensors has 4 bytes');
        return page;
    },
    async 'as a static file of a server it is the same page'() {
        const server = createServer((request, response) => {
            response.writeHead(200, { 'content-type': 'text/html' });
            response.end(readFileSync(file));
        }).listen(0, '127.0.0.1');
        await new Promise(done => server.once('listening', done));
        const from = `http://127.0.0.1:${server.address().port}/reckon.html`, page = await browser.newPage();
        page.complaints = [];
        page.on('pageerror', e => page.complaints.push(e.message));
        page.on('request', r => { if (!/^(blob|data):/.test(r.url()) && r.url().split('#')[0] !== from && !r.url().endsWith('/favicon.ico')) page.complaints.push(`asks for ${r.url()}`); });
        await page.goto(`${from}#gpt2/train?S=512&v=1`);
        await shows(page, 'gpt2', 'S=512');
        server.close();
        return page;
    },
    async 'a model file that takes too long is stopped, and the page goes on'() {
        const page = await open();
        await settled(page);
        const lines = Array.from({ length: 12 }, (_, i) => `    y${i}[B S E] = x[B S D] * .w${i}.weight[E D]\n    x[B S D] = y${i}[B S E] * .v${i}.weight[D E]`).join('\n');
        await drop(page, 'slow.rk', `model slow: "each layer has another width"\nlet L = 1900 "layers"\nlet D = 64 "width"\nrun B = 1 "sequences"\nrun S = 16 "tokens"\ninput ids[B S]\nx[B S D] = lookup(ids, .embed.weight[128 D])\npart layers[i < L] at layers.{i}:\n    let E = D + i\n${lines}\noutput x\n`);
        await until(page, () => /Not answered: .*(stopped|too many|limit)/s.test(document.querySelector('#verdict').textContent));
        await page.evaluate(() => { location.hash = '#gpt2/train?v=1'; });
        await until(page, () => document.querySelector('#a-parx').textContent === '124,439,808');
        return page;
    },
    async 'without WebAssembly it says so and shows what it opened with'() {
        const page = await open('', { before: () => { delete window.WebAssembly; } });
        await until(page, () => /no WebAssembly/.test(document.querySelector('.notice').textContent));
        is(await text(page, '#a-parx'), '8,030,261,248');
        return page;
    },
    async 'equations are edited in place; a mistake is underlined with the words of the core'() {
        const page = await open('#llama-3.1-8b/train?S=2K&recipe=bf16&v=1');
        await settled(page);
        await page.$eval('#lines', e => e.scrollIntoView());
        await page.click('#edit');
        await page.waitForSelector('.cm-content');
        await until(page, () => reckon.page.sections.list[1].editor?.view.state.doc.length > 100);
        const edit = (from, to) => page.evaluate((a, b) => { const v = reckon.page.sections.list[1].editor.view, t = v.state.doc.toString(), i = t.indexOf(a); v.dispatch({ changes: { from: i, to: i + a.length, insert: b } }); }, from, to);
        await edit('\ninput ', '\ninput input ');
        await until(page, () => document.querySelector('.cm-content .sq, .cm-content .sql') && /line \d+/.test(document.querySelector('.ed .err').textContent));
        ok(await page.$eval('body', b => b.classList.contains('stale')), 'the last account is dimmed');
        await edit('\ninput input ', '\ninput ');
        await until(page, () => !document.querySelector('.cm-content .sq') && !document.body.classList.contains('stale') && reckon.page.state.model === 'llama-3.1-8b.rk');
        is(await text(page, '#a-parx'), '8,030,261,248', 'as it was');
        return page;
    },
    async 'explanation: equation, rule, formula, numbers; its tabs; the peak at first'() {
        const page = await open('#llama-3.1-8b/train?S=8K&recipe=bf16&why=layers.attention.scores&of=flops&v=1');
        await until(page, () => document.querySelectorAll('#why .ld > li').length === 4);
        const j = ask('explain', 'llama-3.1-8b', 'layers.attention.scores', 'S=8K').rows[0];
        is(/^[\d,]*\d/.exec(await text(page, '#why .res'))[0], digits(j.value));
        is((await text(page, '#why .tw .d')), digits(j.total));
        ok(await page.$('#why svg.mx'), 'the contraction is drawn');
        await page.evaluate(() => [...document.querySelectorAll('#why .tabs button')].find(b => b.textContent === 'backward').click());
        await until(page, n => document.querySelector('#why .res').textContent.includes(n), digits(ask('explain', 'llama-3.1-8b', 'layers.attention.scores', 'backward', 'S=8K').rows[0].value));
        const first = await open();
        await settled(first);
        is(await text(first, '#why h2'), 'the peak');
        await first.close();
        return page;
    },
    async 'each big number is explained by itself, on one device, on many, and while serving'() {
        for (const hash of ['#llama-3.1-8b/train?S=8K&recipe=bf16&v=1', '#llama-3.1-70b/train?S=8K&recipe=bf16&on=64xh100-80gb&layout=fsdp%2Btp&v=1', '#llama-3.1-70b/decode?T=32K&weights=fp8&on=2xh100-80gb&layout=tp&v=1']) {
            const page = await open(hash);
            await settled(page);
            for (const id of ['a-par', 'a-ops', 'a-mem']) {
                const n = (await text(page, `#${id}x`)).replace(' bytes', '');
                await page.$eval(`#${id} .num`, e => e.click());
                await has(page, '#why .res', n);
            }
            if (hash.includes('/train')) {
                await page.$eval('#a-ops .num', e => e.click());
                const j = await page.evaluate(() => reckon.page.account.step);
                await has(page, '#why li p', `${digits(j.forward.total)} forward + ${digits(j.backward.total)} backward`);
            } else {
                const rate = ask('fit', 'llama-3.1-70b', '--phase', 'decode', 'T=32K', '--weights', 'fp8', '--layout', 'tp=2', '--device', 'h100-80gb').step;
                await has(page, '#a-time .num', digits(rate.tokens_per_second_at_most));
                await page.$eval('#a-time .num', e => e.click());
                await has(page, '#why .res', `≤ ${digits(rate.tokens_per_second_at_most)}`);
                await has(page, '#why li p', `${digits(rate.moved)} bytes in a step`);
            }
            ok(!page.complaints.length, page.complaints.join());
            await page.close();
        }
    },
    async 'the timeline is read by arrows and by the pointer'() {
        const page = await open();
        await settled(page);
        await page.focus('.tl');
        await page.keyboard.press('Home');
        const j = step('llama-3.1-8b', 'S=8K', '--recipe', 'bf16', '--points', '300').timeline[0];
        is(await text(page, '.led .tt .n'), digits(j.bytes), 'the first moment');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Escape');
        is(await text(page, '.led .tt th'), 'at the peak');
        const box = await (await page.$('.tl svg')).boundingBox();
        await page.mouse.move(box.x + box.width / 2, box.y + 40);
        is(await text(page, '.led .tt th'), 'at this moment');
        return page;
    },
    async 'sections below: ways, lines, forms, others, devices, serving, side by side'() {
        const page = await open();
        await settled(page);
        const ways = step('llama-3.1-8b', 'S=8K', '--recipe', 'bf16', '--ways').ways;
        for (const [id, selector, n] of [['fit', '.ways tr', ways.length + 1], ['lines', '.li tr.ln', 8], ['forms', '.cfl', 2], ['others', '.cv i', 5], ['devices', '.lay td.ok, .lay td.no, .lay td.na', 20], ['serve', '.sv .v1', 12], ['side', '.sb .v1', 12]]) {
            await page.$eval(`#${id}`, e => e.scrollIntoView());
            await until(page, (i, s, k) => document.querySelectorAll(`#${i} ${s}`).length >= k, id, selector, n);
        }
        const bad = await page.evaluate(() => document.body.innerText.match(/.{0,40}\b(NaN|undefined|null|Infinity)\b.{0,20}/)?.[0]);
        is(bad, undefined, 'a number that is none');
        const cell = step('llama-3.1-8b', 'S=8K', '--recipe', 'bf16', '--layout', 'fsdp=8');
        await page.evaluate(() => [...document.querySelectorAll('#devices .cell')].find(b => b.getAttribute('aria-label').endsWith(', 8 devices, fsdp')).click());
        await until(page, t => document.querySelector('#a-memx').textContent === t, `${digits(cell.peak)} bytes`);
        return page;
    },
    async 'a text is checked'() {
        const page = await open('#gpt2-xl/train?v=1');
        await settled(page);
        await page.$eval('#check', e => e.scrollIntoView());
        await page.type('#text', 'gpt2-xl has 1,557,611,200 parameters.\n2 + 2 = 5');
        await until(page, () => document.querySelector('.ck .good') && document.querySelector('.ck .bad'));
        is(await text(page, '.ck .good'), '1,557,611,200');
        return page;
    },
    async 'a text is held against the model that it names, not the chosen one; that is offered'() {
        const page = await open('#deepseek-v3/train?v=1');
        await settled(page);
        await see(page, 'check');
        const about = '# Llama 3.1 8B\n\nThe model has 8,030,261,248 parameters and 32 layers.\nThe embedding has 525,336,576 parameters. One layer has 218,112,000 parameters.';
        await page.$eval('#text', (e, t) => { e.value = t; e.dispatchEvent(new Event('input')); }, about);
        await has(page, '#taken', 'Taken as llama-3.1-8b, S = 4,096, from line 1.');
        await until(page, () => document.querySelectorAll('.ck .good').length === 3);
        await clickText(page, '#taken .lk', 'Compare with deepseek-v3, the chosen model, instead');
        await has(page, '#taken', 'Compared with deepseek-v3, as you asked');
        await until(page, () => !document.querySelector('.ck .good'));
        await clickText(page, '#taken .lk', 'Take the model from the text');
        await has(page, '#taken', 'Taken as llama-3.1-8b');
        // Too few figures: in the command's words, and both are offered.
        await page.$eval('#text', e => { e.value = '# Llama 3.1 8B\n\nThe model has 8,030,261,248 parameters.'; e.dispatchEvent(new Event('input')); });
        await has(page, '#taken', 'It speaks of llama-3.1-8b (line 1); too few figures there');
        await has(page, '#taken .lk', 'Compare with deepseek-v3, the chosen model');
        await clickText(page, '#taken .lk', 'Compare with llama-3.1-8b');
        await until(page, () => document.querySelectorAll('.ck .good').length === 1);
        return page;
    },
    async 'the same run holds for all models beside each other'() {
        const page = await open('#deepseek-v3/train?with=gpt2-xl,vit-base-patch16-224&v=1');
        await settled(page);
        await see(page, 'side');
        const run = ['S=4096', 'B=1'], models = ['deepseek-v3', 'gpt2-xl', 'vit-base-patch16-224'];
        await until(page, () => document.querySelectorAll('.sb .v1').length === 12);
        const rows = await page.$$eval('.sb tbody tr', l => l.map(r => [...r.cells].map(c => [c.querySelector('.v2')?.textContent ?? '', c.textContent])));
        is(rows[1][0][1], 'Operationsforward, S = 4,096');
        models.forEach((m, i) => {
            const j = step(m, ...(m.startsWith('vit') ? ['B=1'] : run));
            is(rows[1][i + 1][0], digits(j.forward.total), `${m}, forward`);
            is(rows[3][i + 1][0], `${digits(j.peak)} bytes`, `${m}, peak`);
        });
        for (const row of [1, 3]) {
            ok(/S = 4,096 is beyond its context of 1,024 tokens/.test(rows[row][2][1]), 'beyond the context');
            ok(!/beyond|own sizes/.test(rows[row][1][1]) && /at its own sizes, as it has no S/.test(rows[row][3][1]), 'nothing else is');
        }
        // Another model begins with another length: the row says it, and all columns have it.
        await pick(page, 'gpt2 xl', 'gpt2-xl');
        await page.evaluate(() => reckon.page.set({ beside: ['deepseek-v3'] }));
        await has(page, '.sb tbody th', 'S = 1,024');
        await has(page, '.sb .v2', digits(step('deepseek-v3', 'S=1024').forward.total));
        return page;
    },
    async 'a kind of bytes is explained with all of its digits in sight, and no other number is marked'() {
        const page = await open('#deepseek-v3/train?on=64xh100-80gb&v=1');
        await settled(page);
        for (const kind of ['kept', 'gradients']) {
            await page.$eval(`.led tr[data-kind="${kind}"] button`, e => e.click());
            await until(page, k => reckon.page.state.of === `memory:${k}` && document.querySelectorAll('#why .wl').length > 1, kind);
            const seen = await page.evaluate(() => {
                const right = document.querySelector('#why').getBoundingClientRect().right;
                return [...document.querySelectorAll('#why .wl .n')].map(e => e.getBoundingClientRect().right - right);
            });
            ok(seen.length > 4 && seen.every(x => x <= 0.5), `${kind}: figures end ${Math.max(...seen)} beyond the column`);
            is(await page.$('#why .tabs [aria-pressed=true]'), null, 'no tab is that of these bytes');
        }
        return page;
    },
    async 'tensors and what is reserved are told apart: in the verdict, in the tables, on a slider'() {
        const page = await open('#gpt2-xl/train?S=1K&v=1');
        await settled(page);
        await has(page, '#verdict', 'It fits, by the peak of its tensors');
        const last = step('gpt2-xl', 'S=1K', '--curves').extents.find(e => e.symbol === 'B');
        await has(page, '#sl-batch .sn', `fits up to ${digits(last.last)}; one more needs ${digits(last.next)} bytes`);
        // Where they disagree, that is the verdict.
        await page.evaluate(() => { location.hash = '#llama-3.1-8b/train?S=4K&recipe=bf16&v=1'; });
        const words = ['llama-3.1-8b', 'S=4K', '--recipe', 'bf16'], j = step(...words);
        let fit;
        try {
            fit = ask('fit', ...words, '--device', 'h100-80gb');
        } catch (e) {
            fit = JSON.parse(e.stdout);
        }
        ok(j.fits && !fit.fits, 'they disagree');
        await has(page, '#verdict', `The tensors fit, but PyTorch’s allocator would reserve ≈ ${(fit.needs / 1e9).toPrecision(3)} GB`);
        await page.evaluate(() => { location.hash = '#llama-3.1-70b/train?S=8K&recipe=bf16&v=1'; });
        await see(page, 'fit');
        await has(page, '.ways:not(.pile) thead', 'peak of tensors');
        await has(page, '.pile thead', 'reserved by PyTorch');
        return page;
    },
    async 'where no way fits, the best layout is one; pieces that do not fit are none'() {
        const page = await open('#deepseek-v3/train?on=64xh100-80gb&v=1');
        await settled(page);
        await see(page, 'fit');
        const mesh = step('deepseek-v3', '--layout', 'fsdp=8,tp=8,sp'), short = n => `${(n / 1e9).toPrecision(3)} GB`;
        await has(page, '.ways tr', `--layout fsdp=8,tp=8,sp${short(mesh.peak)}+${short(-mesh.left)}`);
        await clickText(page, '.ways .lk', 'ZeRO-3 and tensor parallelism on 64 devices');
        await shows(page, 'deepseek-v3', '--layout', 'fsdp=8,tp=8,sp');
        const one = await open('#deepseek-v3/train?v=1');
        await settled(one);
        await see(one, 'fit');
        await has(one, '.ways tr', '--layout fsdp=8,tp=8,sp');
        ok(!/in pieces on/.test(await text(one, '.ways')), 'no way that does not lead there');
        const least = step('deepseek-v3', '--curves').extents.find(e => e.symbol === 'N').curve.reduce((a, b) => (a.peak <= b.peak ? a : b));
        await has(one, '#sl-devices .sn', `no number of them is enough in pieces (FSDP); ${least.number} have the least, ${short(least.peak)} each`);
        await one.close();
        return page;
    },
    async 'models beside each other are added and left out'() {
        const page = await open('#gpt2/train?with=gpt2-medium&v=1');
        await settled(page);
        await page.$eval('#side', e => e.scrollIntoView());
        await until(page, () => document.querySelectorAll('.sb thead .lk').length === 2);
        await page.click('#add-model');
        await page.waitForSelector('.menu input');
        await page.keyboard.type('gpt2-xl');
        await until(page, () => document.querySelector('.menu li')?.dataset.value === 'gpt2-xl');
        await page.keyboard.press('Enter');
        await until(page, () => document.querySelectorAll('.sb thead .lk').length === 3 && location.hash.includes('with=gpt2-medium,gpt2-xl'));
        await page.click('.sb .rm');
        await until(page, () => document.querySelectorAll('.sb thead .lk').length === 2);
        return page;
    },
    async 'pictures and tables are saved'() {
        const page = await open();
        await settled(page);
        const cdp = await page.createCDPSession();
        await cdp.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: tmp });
        for (const [value, name] of [['svg', 'llama-3.1-8b.svg'], ['png', 'llama-3.1-8b.png'], ['memory.csv', 'llama-3.1-8b-memory.csv'], ['memory.json', 'llama-3.1-8b-memory.json']]) {
            await page.click('#save');
            await page.waitForSelector('.menu');
            await page.click(`.menu li[data-value="${value}"]`);
            for (let i = 0; i < 200 && !readdirSync(tmp).includes(name); i++) await new Promise(r => setTimeout(r, 50));
            ok(readFileSync(join(tmp, name)).length > 100, name);
        }
        const json = execFileSync(command, ['memory', 'llama-3.1-8b', 'S=8K', '--recipe', 'bf16', '--format', 'json'], { encoding: 'utf8' });
        is(readFileSync(join(tmp, 'llama-3.1-8b-memory.json'), 'utf8'), json, 'the bytes of the command');
        return page;
    },
    async 'light and dark have the colours of the design, and can be chosen'() {
        const paper = p => p.$eval('body', e => getComputedStyle(e).backgroundColor);
        const light = await open();
        is(await paper(light), 'rgb(251, 250, 246)');
        await light.click('#theme');
        is(await paper(light), 'rgb(23, 22, 20)');
        await light.close();
        const dark = await open('', { scheme: 'dark' });
        is(await paper(dark), 'rgb(23, 22, 20)');
        return dark;
    },
    async 'a phone of 360 pixels: nothing wider than the screen, sliders at the thumb, the explanation as a sheet'() {
        const page = await open('', { width: 360, height: 740 });
        await settled(page);
        await until(page, () => document.querySelector('.dock .tr'));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        ok(wide <= 360, `${wide} pixels wide`);
        await page.evaluate(() => document.querySelector('#a-mem .num').click());
        await until(page, () => document.querySelector('aside').classList.contains('open'));
        await page.evaluate(() => document.querySelector('.cx').click());
        await page.evaluate(() => [...document.querySelectorAll('.dk button')][1].click());
        ok(await page.$('.dock #slider-batch'), 'one slider at a time');
        return page;
    },
    async 'with reduced motion nothing moves'() {
        const page = await open('', { motion: 'reduce' });
        await settled(page);
        is(await page.$eval('.bar b', e => getComputedStyle(e).transitionDuration), '0s');
        return page;
    },
    async 'axe finds nothing: light, dark, phone'() {
        for (const setup of [{}, { scheme: 'dark' }, { width: 360, height: 740 }]) {
            const page = await open('', setup);
            await settled(page);
            for (const id of ['fit', 'lines', 'forms', 'devices', 'side', 'check']) await page.$eval(`#${id}`, e => e.scrollIntoView());
            await until(page, () => document.querySelectorAll('.sk').length === 0 && document.querySelectorAll('.sb .v1').length >= 12);
            await page.evaluate(axe);
            const found = await page.evaluate(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
            is(found.violations.map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.target + ' ' + (n.any[0]?.message ?? '')).join(' | ')}`).join('\n'), '', JSON.stringify(setup));
            await page.close();
        }
    },
};

let failed = 0;
const begun = Date.now();
for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const at = Date.now();
    try {
        const page = await test();
        if (page) {
            if (page.complaints.length) throw new Error(page.complaints.join('; '));
            await page.close();
        }
        console.log(`ok   ${name} (${((Date.now() - at) / 1000).toFixed(1)} s)`);
    } catch (e) {
        failed++;
        console.log(`FAIL ${name}: ${e.message}`);
        for (const p of (await browser.pages()).slice(1)) await p.close().catch(() => {});
    }
}
await browser.close();
rmSync(tmp, { recursive: true, force: true });
console.log(`${failed ? `${failed} failed` : 'all passed'} in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
process.exit(failed ? 1 : 0);
