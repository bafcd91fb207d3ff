# SPDX-License-Identifier: MIT
"""step.py RECKON: what `reckon step` and `reckon lines` divide adds up, and is what the other commands say."""
import json
import subprocess
import sys

STEPS = """\
gpt2
llama-3.1-8b B=2 S=2K --attention eager
mixtral-8x7b-v0.1 --recompute full
deepseek-v3 --layout fsdp=16
whisper-small
flan-t5-base --accumulate 4
llama-3.1-8b --phase prefill
llama-3.1-8b --phase decode B=8 T=2K
gpt2 --layout ddp=4
qwen3-next-80b-a3b-thinking
gpt2 --optimizer muon
gpt2 --lora 8
llama-3.1-8b --layout tp=4,sp
gpt2-xl --layout ddp=2 --accumulate 2
llama-3.1-8b --layout pp=4
"""
PARTS = ["embedding", "attention", "mixer", "ffn", "norms", "head", "rest"]


def ask(*words):
    return json.loads(subprocess.run([sys.argv[1], *words, "--format", "json"], stdout=subprocess.PIPE).stdout)


def total(rows, key):
    return sum(row.get(key, 0) for row in rows)


def check_step(words):
    step, memory = ask("step", *words, "--points", "100"), ask("memory", *words)
    kinds, parts, timeline = step["kinds"], step["parts"], step["timeline"]
    highest = max(point["bytes"] for point in timeline)
    yield "the peak is memory's", step["peak"] == memory["peak"] and step["saved"] == memory["saved"]
    yield "kinds are memory's", [(k["kind"], k["bytes"]) for k in kinds] == [
        (k["kind"], k["bytes"]) for k in memory["peak_parts"]]
    yield "kinds add up", total(kinds, "bytes") == step["peak"]
    yield "each kind is the sum of its parts", all(sum(k.get(p, 0) for p in PARTS) == k["bytes"] for k in kinds)
    yield "no part is less than nothing", all(k.get(p, 0) >= 0 for k in kinds for p in PARTS)
    yield "parts add up to the peak", total(parts, "peak") == step["peak"]
    yield "to the parameters", total(parts, "parameters") == step["parameters"]["total"]
    yield "and to the operations", total(parts, "forward") == step["forward"]["total"]
    # While a cache grows, its copy is there for a moment between two operations, which no point shows.
    yield "the timeline reaches the peak", highest == step["peak"] or ("decode" in words and highest < step["peak"])
    yield "each operation is in one point", sum(p.get("n", 1) for p in timeline) == step["operations"]


def check_lines(model):
    lines, params, flops = ask("lines", model), ask("params", model), ask("flops", model)
    rows = lines["lines"]
    yield "saved bytes add up", total(rows, "saved") + lines["saved_elsewhere"] == lines["saved"]
    yield "operations add up", sum(r["forward"] * r["times"] for r in rows) == flops["forward"]["total"]
    yield "parameters add up", sum(r["parameters"] * r["times"] for r in rows) == params["parameters"]["stored"]


def check_terms(model, quantity):
    answer = ask("derive", model, quantity)
    yield "terms add up", sum(t["value"] for t in answer["terms"]) == answer["value"]
    yield "each term is the sum of its parts", all(
        sum(p["value"] for p in t["parts"]) == t["value"] for t in answer["terms"])


def main():
    checks = [("step " + line, check_step(line.split())) for line in STEPS.splitlines()]
    for model in ["gpt2", "llama-3.1-8b", "deepseek-v3", "whisper-small", "qwen3-next-80b-a3b-thinking", "gpt-oss-20b"]:
        checks.append(("lines " + model, check_lines(model)))
        checks += [(f"derive {model} {q}", check_terms(model, q)) for q in ["params", "flops", "step"]]
    n = bad = 0
    for name, of in checks:
        for what, holds in of:
            n += 1
            if not holds:
                bad += 1
                print(f"reckon {name}: {what}: no")
    print(f"{n} statements, {bad} of them wrong")
    return bad > 0


sys.exit(main())
