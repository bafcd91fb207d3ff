// SPDX-License-Identifier: MIT
// Numbers and formulas as the core writes them: exact digits, three of them rounded, letters in italics.
import { h, type Child } from './dom';

/** A count of the core: a number where that is exact, else its digits. */
export type Count = number | string;

/** Whether a place in JSON lies within a string: no string goes on over the end of a line. */
function quoted(json: string, place: number): boolean {
    let inside = false;
    for (let i = json.lastIndexOf('\n', place) + 1; i < place; i++) {
        if (json[i] === '"') inside = !inside;
        else if (inside && json[i] === '\\') i++;
    }
    return inside;
}

/** JSON whose whole numbers beyond 2^53 stay exact: they come as texts of digits. */
export function parse(json: string): any {
    let out = '',
        done = 0;
    for (const m of json.matchAll(/(?<![\d.])-?\d{16,}(?![\d.eE])/g))
        if (!quoted(json, m.index)) {
            out += `${json.slice(done, m.index)}"${m[0]}"`;
            done = m.index + m[0].length;
        }
    return JSON.parse(out + json.slice(done));
}

export const num = (n: Count | null | undefined): number => (n === null || n === undefined ? 0 : Number(n));
/** How much is missing, where the core says that less than nothing is left. */
export const lacking = (left: Count): string => String(left).replace('-', '');
export const over = (a: Count, b: Count): boolean => BigInt(a) > BigInt(b);

export function digits(n: Count): string {
    return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Three digits and a power of a thousand, rounded from all digits: [8.03, 3]. */
function three(n: Count): [string, number] {
    let t = String(n).replace('-', '');
    const sign = String(n).startsWith('-') ? '−' : '';
    if (t.length <= 3) return [sign + t, 0];
    let head = Number(t.slice(0, 3)) + (t[3]! >= '5' ? 1 : 0),
        length = t.length;
    if (head === 1000) {
        head = 100;
        length++;
    }
    const group = Math.floor((length - 1) / 3),
        whole = length - 3 * group;
    t = String(head);
    return [sign + (whole === 3 ? t : `${t.slice(0, whole)}.${t.slice(whole)}`), group];
}

export function short(n: Count, units: string[]): [string, string] {
    const [t, group] = three(n);
    const g = Math.min(group, units.length - 1);
    if (g < group) return [digits((BigInt(n) / 10n ** BigInt(3 * g)) as unknown as string), units[g]!];
    return [t, units[g]!];
}

const BYTES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];
const FLOPS = ['FLOP', 'kFLOP', 'MFLOP', 'GFLOP', 'TFLOP', 'PFLOP', 'EFLOP', 'ZFLOP', 'YFLOP'];
const COUNTS = ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion'];
const SHORT = ['', 'k', 'M', 'B', 'T', 'P', 'E'];

export const bytes = (n: Count): [string, string] => short(n, BYTES);
export const flops = (n: Count, unit = 'flop'): [string, string] =>
    short(n, unit === 'mac' ? FLOPS.map(u => u.replace('FLOP', 'MAC')) : FLOPS);
export const counts = (n: Count): [string, string] => short(n, COUNTS);
export const asBytes = (n: Count): string => bytes(n).join(' ');
export const asFlops = (n: Count): string => flops(n).join(' ');
export const tiny = (n: Count): string => short(n, SHORT).join(' ').trim();
export const tinyFlops = (n: Count): string => short(n, ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z']).join(' ').trim();
export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** 8192 as 8K where that is the whole of it: a power of two times 1,024. */
export function brief(n: number): string {
    if (n >= 1024 && n % 1024 === 0) return n % (1024 * 1024) === 0 ? `${n / 1048576}M` : `${n / 1024}K`;
    return String(n);
}

/** "8K", "8,192", "16k" as the command reads them; null where it is no number. */
export function typed(t: string): number | null {
    const m = /^\s*([\d,]+(?:\.\d+)?)\s*([KkMm]?)\s*$/.exec(t);
    if (!m) return null;
    const n = Number(m[1]!.replaceAll(',', '')) * ({ K: 1024, k: 1000, M: 1048576, m: 1e6 }[m[2]!] ?? 1);
    return Number.isInteger(n) && n >= 1 && n <= 2 ** 40 ? n : null;
}

const SUPER: Record<string, string> = {
    '⁰': '0',
    '¹': '1',
    '²': '2',
    '³': '3',
    '⁴': '4',
    '⁵': '5',
    '⁶': '6',
    '⁷': '7',
    '⁸': '8',
    '⁹': '9',
};

/** A formula of the core with its letters in italics and breaks before signs. */
export function formula(f: string, cls = 'f'): HTMLElement {
    const el = h('span', { class: cls });
    for (const [t] of f.matchAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+|[A-Za-z_][A-Za-z_']*| [+−-] | × |[^A-Za-z_⁰¹²³⁴⁵⁶⁷⁸⁹ ]+|./gu)) {
        if (SUPER[t[0]!]) el.append(h('sup', {}, [...t].map(c => SUPER[c]!).join('')));
        else if (/^ [+−-] $/.test(t)) el.append(h('wbr'), t.replace('-', '−'));
        else if (/^[A-Za-z_]/.test(t)) el.append(h('i', {}, t));
        else el.append(t.replaceAll('-', '−'));
    }
    return el;
}

/** The first terms of a long formula, and how many more there are. */
export function shortFormula(f: string, most: number): Child {
    const terms = f.split(/ (?=[+-] )/);
    if (terms.length <= most + 1) return formula(f);
    return [formula(terms.slice(0, most).join(' ')), ' + ', h('small', {}, `${terms.length - most} more`)];
}
