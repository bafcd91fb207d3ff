// SPDX-License-Identifier: MIT
// door.mjs MODULE: what a page is given by strangers, through web/door.mjs.  Whatever it is, there is an answer or a
// message, and the next question is answered as if nothing had been.
import { readFileSync } from 'node:fs';
import { codes, open } from '../../web/door.mjs';

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const bytes = text => new TextEncoder().encode(text);
let n = 0, bad = 0;
function say(what, holds, more = '') {
    n++;
    if (!holds) { bad++; console.log(`${what}: no${more && ` (${more})`}`); }
}

const door = await open(module);
const good = () => door.ask(['params', 'gpt2', '--format', 'json']);
const before = good().text;
function refused(what, words, code, word) {
    const answer = door.ask([...words, '--format', 'json']);
    const text = answer.mistakes || answer.message;
    say(what, answer.code === code && text.includes(word), `${answer.code}: ${text}`);
    say(`${what}, and the next question`, good().text === before);
}

refused('more words than a question has', ['params', 'gpt2', ...Array(5000).fill('B=1')], -2, 'more than 4096 words');

// Files that are none.
const files = {
    'broken.json': '{"model_type": "llama", "hidden_size": ',
    'other.json': '{"model_type": "no-such-family", "hidden_size": 64}',
    'empty.json': '',
    'deep.json': '['.repeat(100000),
    'huge.json': '{"model_type": "llama", "num_hidden_layers": 1e300}',
    'wrong.rk': 'model wrong: "a line with a mistake"\nrun B = 1 "batch"\ninput ids[B]\nx[B] = nonsense(ids)\noutput x\n',
    'cut.safetensors': '\xff\xff\xff\xff\xff\xff\xff\x7f{}',
    'cut.gguf': 'GGUF\x03\x00\x00\x00',
};
for (const [name, text] of Object.entries(files)) {
    door.file(name, name.endsWith('json') || name.endsWith('rk') ? bytes(text) : Uint8Array.from(text, c => c.charCodeAt(0)));
    const answer = door.ask(['params', name, '--format', 'json']);
    say(`${name} is refused`, answer.code !== 0 && (answer.mistakes || answer.message).length > 0, `${answer.code}`);
    say(`${name}, and the next question`, good().text === before);
}
say('a mistake has its place', door.ask(['params', 'wrong.rk']).mistakes.includes('wrong.rk:4'));

// Names that are markup, or no names at all.
const hostile = ['<img src=x onerror=alert(1)>', '"><script>', '../../etc/passwd', 'a\u0000b', '\u001b[31mred', 'x'.repeat(4000)];
try {
    door.file('x'.repeat(10000), bytes('{}'));
    say('a name that is too long is refused', false);
} catch (error) {
    say('a name that is too long is refused', error.message.includes('4095'), error.message);
}
for (const name of hostile) {
    door.file(`${name}.rk`, bytes('model m: "one weight"\nlet D = 8 "width"\nrun B = 1 "batch"\ninput x[B D]\n' +
        'y[B D\'] = x[B D] * .w.weight[D\' D]\noutput y\n'));
    for (const format of ['json', 'html', 'text']) {
        const answer = door.ask(['params', `${name}.rk`, '--format', format]);
        const shown = answer.text + (format === 'json' ? '' : answer.message);
        say(`${JSON.stringify(name.slice(0, 20))} as ${format}`,
            format === 'json' ? answer.code !== 0 || JSON.parse(answer.text).parameters.stored === 64
                : format === 'html' ? !shown.includes('<img') && !shown.includes('"><script>') : !shown.includes('\u001b'));
    }
}
refused('there is no disk', ['params', '/etc/passwd'], codes.io, 'passwd');
refused('and no standard input', ['params', '-'], codes.io, '');
refused('no such model', ['params', '<b>bold</b>'], codes.io, '<b>bold</b>');
refused('no such command', ['frobnicate'], codes.input, 'frobnicate');
refused('no words', [], codes.usage, '');
refused('words without end', Array(70000).fill('x'), codes.usage, '');

// A header of gigabytes is given by its beginning.
const header = bytes('{"w": {"dtype": "F32", "shape": [1000000, 1000], "data_offsets": [0, 4000000000]}}');
const start = new Uint8Array(8 + header.length);
new DataView(start.buffer).setBigUint64(0, BigInt(header.length), true);
start.set(header, 8);
door.file('large.safetensors', start, 8 + header.length + 4e9);
const large = door.ask(['params', 'large.safetensors', '--format', 'json']);
say('a checkpoint of 4 GB by its header', large.code === 0 && large.text.includes('1000000000'), large.message);

// What takes too long is stopped, by work, by time and by whoever watches.
const small = await open(module, { budget: 100000 });
const spent = small.ask(['report', 'llama-3.1-405b', '--format', 'json']);
say('a budget is kept', spent.code === codes.stopped && spent.message.includes('budget'), spent.message);
say('and the next question fits into it', small.ask(['params', 'gpt2', '--format', 'json']).text === before);
const brief = await open(module, { seconds: 0.02 });
say('so is a time', brief.ask(['sweep', 'deepseek-v3', 'S=1..4096', 'B=1..4096', '--of', 'memory.peak', '--format', 'csv']).code === codes.stopped);
let calls = 0;
const watched = await open(module, { stop: () => ++calls > 3 });
say('and a stop', watched.ask(['report', 'llama-3.1-405b']).code === codes.stopped && calls === 4, `${calls} calls`);
calls = -Infinity;
say('which stops one question alone', watched.ask(['params', 'gpt2', '--format', 'json']).text === before);

// Text that does not end as it should, and every byte there is.
for (const text of ['\ud800', '\u202e', '\ufeff', '💥'.repeat(1000)]) {
    door.file('text.md', bytes(text));
    const answer = door.ask(['check', 'text.md', '--format', 'json']);
    say(`check of ${JSON.stringify(text.slice(0, 4))}`, answer.code === 0 ? !!JSON.parse(answer.text) : answer.message.length > 0);
}
say('at the end all is as it was', good().text === before);
console.log(`${n} statements about what strangers give, ${bad} of them wrong`);
process.exit(bad > 0 ? 1 : 0);
