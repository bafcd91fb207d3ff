// SPDX-License-Identifier: MIT
// measure.mjs PAGE: how long the page takes, by its own marks, in the system's Chromium (bench/README.md).
import { resolve } from 'node:path';
import puppeteer from 'puppeteer-core';

const url = `file://${resolve(process.argv[2])}`;
const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
const median = list => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;
const most = list => Math.max(...list);
const say = (what, list) => console.log(`${what}: median ${median(list).toFixed(1)} ms, most ${most(list).toFixed(1)} ms, of ${list.length}`);

const first = [];
for (let i = 0; i < 7; i++) {
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForFunction(() => performance.getEntriesByName('first-view').length, { timeout: 60_000 });
    first.push(await page.evaluate(() => performance.getEntriesByName('first-view')[0].startTime));
    await page.close();
}
say('first view after the load began', first);

for (const model of ['llama-3.1-8b', 'llama-3.1-405b', 'deepseek-v3']) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    await page.goto(`${url}#${model}/train?S=4K&recipe=bf16&v=1`);
    await page.waitForFunction(m => reckon.page.account.step?.model === m, { timeout: 60_000 }, model);
    await page.focus('#slider-length');
    await page.waitForFunction(() => reckon.page.sliders.row('S', 4096), { timeout: 60_000 });
    await new Promise(r => setTimeout(r, 4000)); // what may wait has been asked by then
    const box = await (await page.$('#slider-length')).boundingBox();
    await page.evaluate(() => performance.clearMeasures());
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
    await page.mouse.down();
    for (let i = 0; i < 60; i++) {
        await page.mouse.move(box.x + box.width * (0.3 + i / 120), box.y + box.height / 2);
        await new Promise(r => setTimeout(r, 16));
    }
    await page.mouse.up();
    await new Promise(r => setTimeout(r, 1500));
    const got = await page.evaluate(() => ['change', 'draw', 'answered'].map(n => performance.getEntriesByName(n).map(e => e.duration)));
    const core = await page.evaluate(() => performance.getEntriesByName('answered').map(e => e.detail));
    say(`${model}, a frame of a drag: numbers`, got[0]);
    say(`${model}, the account drawn anew`, got[1]);
    say(`${model}, from a change to its account`, got[2]);
    say(`${model}, of that in the core`, core);
    await page.close();
}
await browser.close();
