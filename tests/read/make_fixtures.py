#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/read/fixtures with the packages that the field writes checkpoints with, and beside each file what the
same packages read from it (NAME.want).  Needs safetensors, gguf and numpy; PROVENANCE says which versions wrote the
files that are kept.  Usage: make_fixtures.py FOLDER"""

import ctypes
import json
import os
import sys

import gguf
import numpy as np
import safetensors
from gguf import GGMLQuantizationType as Q
from gguf import GGUFValueType as V
from safetensors import safe_open
from safetensors.numpy import save_file

out = sys.argv[1]
os.makedirs(out, exist_ok=True)
os.chdir(out)


def want(name, lines):
    with open(name + ".want", "w", encoding="utf-8") as f:
        f.writelines(line + "\n" for line in lines)


def row(name, dtype, shape, count, size, offset):
    return "\t".join([name, dtype, "[" + ",".join(map(str, shape)) + "]", str(count), str(size), str(offset)])


# ---- safetensors

def want_safetensors(name):
    """The order of the header; offsets from the header, everything else by the package."""
    with open(name, "rb") as f:
        n = int.from_bytes(f.read(8), "little")
        header = json.loads(f.read(n))
    lines = []
    with safe_open(name, framework="numpy") as f:
        metadata = f.metadata() or {}
        assert set(f.keys()) == set(header) - {"__metadata__"}
        for key, info in header.items():
            if key == "__metadata__":
                continue
            s = f.get_slice(key)
            begin, end = info["data_offsets"]
            count = int(np.prod(s.get_shape(), dtype=object)) if s.get_shape() else 1
            lines.append(row(key, s.get_dtype(), s.get_shape(), count, end - begin, 8 + n + begin))
    want(name, lines + ["meta\t" + k + "\t" + json.dumps(metadata[k], ensure_ascii=False) for k in header.get("__metadata__", {})])


def spec(dtype, shape, n_bytes, hold):
    """A tensor of a format that numpy does not have."""
    data = bytes((7 * i + 1) % 256 for i in range(n_bytes))
    hold.append(data)
    return safetensors.TensorSpec(dtype=dtype, shape=shape, data_ptr=ctypes.cast(data, ctypes.c_void_p).value,
                                  data_len=n_bytes)


plain = {t: np.arange(6).reshape(2, 3).astype(t) for t in
         ["float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8",
          "bool", "complex64"]}
plain["scalar"] = np.array(1.5, dtype=np.float32)
plain["empty"] = np.zeros((4, 0, 2), dtype=np.float16)
plain['a "name" with \\ / é 漢字 😀 and a tab\t'] = np.zeros(3, dtype=np.int8)
save_file(plain, "plain.safetensors", metadata={"format": "np", "note": "é\n\"quoted\"", "empty": ""})
want_safetensors("plain.safetensors")

hold = []
small = {
    "bf16": spec("bfloat16", [2, 3], 12, hold),
    "e4m3": spec("float8_e4m3fn", [5], 5, hold),
    "e5m2": spec("float8_e5m2", [5], 5, hold),
    "e8m0": spec("float8_e8m0fnu", [3], 3, hold),
    "e4m3fnuz": spec("float8_e4m3fnuz", [2], 2, hold),
    "e5m2fnuz": spec("float8_e5m2fnuz", [2], 2, hold),
    "f4": spec("float4_e2m1fn_x2", [3, 2], 6, hold),
}
with open("small.safetensors", "wb") as f:
    f.write(safetensors.serialize(small))
want_safetensors("small.safetensors")

os.makedirs("sharded", exist_ok=True)
first = {"model.embed_tokens.weight": np.zeros((10, 4), np.float32), "model.norm.weight": np.zeros(4, np.float32)}
second = {"lm_head.weight": np.zeros((10, 4), np.float16)}
save_file(first, "sharded/model-00001-of-00002.safetensors", metadata={"format": "pt"})
save_file(second, "sharded/model-00002-of-00002.safetensors", metadata={"format": "pt"})
weight_map = {k: "model-00001-of-00002.safetensors" for k in first}
weight_map |= {k: "model-00002-of-00002.safetensors" for k in second}
with open("sharded/model.safetensors.index.json", "w") as f:
    json.dump({"metadata": {"total_size": 256, "total_parameters": 84}, "weight_map": dict(sorted(weight_map.items()))},
              f, indent=2)

# ---- GGUF

def text_of(value):
    if isinstance(value, bool) or isinstance(value, np.bool_):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ",".join(text_of(v) for v in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return "%.17g" % value if isinstance(value, float) else str(value)


def want_gguf(name, names=None):
    lines, meta = [], []
    for i, part in enumerate(names or [name]):
        reader = gguf.GGUFReader(part)
        for t in reader.tensors:
            shape = [int(d) for d in reversed(t.shape)]
            lines.append(row(t.name, t.tensor_type.name, shape, int(t.n_elements), int(t.n_bytes), int(t.data_offset)))
        if i == 0:
            meta = ["meta\t" + k + "\t" + text_of(f.contents()) for k, f in reader.fields.items()
                    if not k.startswith("GGUF.")]
    want(name, lines + meta)


def write(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


# Every format that the package knows the right size of, one row of one block and two rows of two.
w = gguf.GGUFWriter("formats.gguf", "llama")
for q in Q:
    if q == Q.Q8_1:  # 40 bytes in the package, 36 in ggml since its scales are halves
        continue
    block, size = gguf.GGML_QUANT_SIZES[q]
    w.add_tensor(f"one.{q.name}", np.full(size, 17, np.uint8), raw_shape=[size], raw_dtype=q)
    if block <= 32:
        w.add_tensor(f"two.{q.name}", np.full((2, 2 * size), 17, np.uint8), raw_shape=[2, 2 * size], raw_dtype=q)
write(w)
want_gguf("formats.gguf")

# Every type of value, and an alignment of its own.
w = gguf.GGUFWriter("values.gguf", "llama")
w.add_custom_alignment(64)
w.add_name("a name \u00e9 with \"quotes\"")
w.add_block_count(3)
w.add_head_count(8)
w.add_head_count_kv([8, 4, 2])
w.add_feed_forward_length([32, 64, 48])
w.add_rope_freq_base(10000.0)
w.add_layer_norm_rms_eps(1e-5)
w.add_token_list(["<s>", "</s>", "a", "b"])
w.add_tags(["text-generation", "tiny"])
w.add_key_value("x.u8", 255, V.UINT8)
w.add_key_value("x.i8", -128, V.INT8)
w.add_key_value("x.u16", 65535, V.UINT16)
w.add_key_value("x.i16", -32768, V.INT16)
w.add_key_value("x.u32", 2**32 - 1, V.UINT32)
w.add_key_value("x.i32", -(2**31), V.INT32)
w.add_key_value("x.u64", 2**64 - 1, V.UINT64)
w.add_key_value("x.i64", -(2**63), V.INT64)
w.add_key_value("x.f32", 0.5, V.FLOAT32)
w.add_key_value("x.f64", 1e300, V.FLOAT64)
w.add_key_value("x.true", True, V.BOOL)
w.add_key_value("x.false", False, V.BOOL)
w.add_key_value("x.empty", "", V.STRING)
w.add_array("x.bools", [True, False, True])
w.add_array("x.floats", [0.25, -1.5])
w.add_tensor("token_embd.weight", np.zeros((4, 8), np.float32))
w.add_tensor("blk.0.attn_norm.weight", np.zeros(8, np.float32))
w.add_tensor("rope_freqs.weight", np.zeros((2, 3, 4, 5), np.float16))
write(w)
want_gguf("values.gguf")

# A set of parts, and a file for the other kind of machine.
w = gguf.GGUFWriter("split.gguf", "llama", split_max_tensors=2)
for i in range(5):
    w.add_tensor(f"blk.{i}.weight", np.full((2, 32), i, np.float32))
write(w)
want_gguf("split.gguf", [f"split-0000{i}-of-00003.gguf" for i in (1, 2, 3)])

w = gguf.GGUFWriter("big-endian.gguf", "llama", endianess=gguf.GGUFEndian.BIG)
w.add_tensor("a", np.zeros(4, np.float32))
write(w)

for folder, _, names in os.walk("."):
    for n in names:
        os.chmod(os.path.join(folder, n), 0o644)
