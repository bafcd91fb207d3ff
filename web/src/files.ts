// SPDX-License-Identifier: MIT
// A file that was dropped: of a checkpoint its header alone is read.
const SMALL = 8 << 20; // configs and model files are read whole up to this
const HEADER = 100_000_000; // as safetensors bounds its header

export interface Dropped {
    name: string;
    bytes: Uint8Array;
    size: number;
}

const slice = async (f: File, n: number): Promise<Uint8Array> =>
    new Uint8Array(await f.slice(0, Math.min(n, f.size)).arrayBuffer());
/** A name that the command takes for a file: not for a path, an option or a number. */
const safe = (name: string): string => name.replace(/[\u0000-\u001f/\\=]/g, '_').replace(/^-+/, '_') || 'file';

export async function readDropped(f: File): Promise<Dropped> {
    const name = safe(f.name),
        kind = /\.(json|rk|gguf|safetensors)$/i.exec(name)?.[1]?.toLowerCase();
    if (!kind) throw new Error(`${name}: drop a config.json, a model file (.rk), a .gguf or a .safetensors.`);
    if (f.size === 0) throw new Error(`${name} is empty.`);
    if (kind === 'safetensors') {
        const head = await slice(f, 8),
            n = head.length < 8 ? 0 : Number(new DataView(head.buffer).getBigUint64(0, true));
        if (head.length < 8) throw new Error(`${name} has ${f.size} bytes: it is no safetensors file.`);
        if (n > HEADER || n + 8 > f.size)
            throw new Error(`${name}: its first eight bytes announce a header of ${n} bytes, which it cannot have.`);
        return { name, bytes: await slice(f, n + 8), size: f.size };
    }
    if (kind === 'gguf') return { name, bytes: await slice(f, 32 << 20), size: f.size };
    if (f.size > SMALL) throw new Error(`${name} has ${f.size} bytes; a config or a model file has a few thousand.`);
    return { name, bytes: await slice(f, SMALL), size: f.size };
}
