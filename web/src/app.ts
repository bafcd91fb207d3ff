// SPDX-License-Identifier: MIT
// What the parts of the page share: the state, the account of it as the core gave it, and who wants to know.
import type { State } from './state';

export interface Account {
    step: any; // the account itself: parameters, operations, the peak by kind and part, the timeline
    extents: any[]; // of each slider the last number that fits
    ways: any[]; // the same step otherwise
    memory: any; // moments and buffers, for the explanation
    flops: any; // lines that count
    fit: any; // what the allocator reserves, and tokens in a second
    time: any;
    error: string;
    quick: Record<string, any> | null; // a row of a slider's sweep, while it is dragged
}

export type Change = 'drag' | 'choice' | 'load';

export interface App {
    state: State;
    account: Account;
    models: any[];
    devices: any[];
    set(patch: Partial<State>, how?: Change): void;
    option(name: string, value: string): void;
    number(symbol: string, value: number, how?: Change): void;
    explain(path: string, of?: string): void;
    tell(message: string): void;
    device(): any;
}
