#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds what commands answer in JSON against the schema that they say: each key is there, and of its type.  Every command
has a line among LINES.

    schema.py COMMAND LINES
"""
import json, os, subprocess, sys

command, lines = sys.argv[1:3]
TYPES = {"string": str, "boolean": bool, "integer": int, "number": (int, float), "array": list, "object": dict}
schemas = {}


def ask(*words):
    return subprocess.run([command, *words], capture_output=True, stdin=subprocess.DEVNULL)


def is_of(value, schema, at):
    """The first place that does not fit, or None."""
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if value is None:
        return None if not types or "null" in types else at
    fits = [t for t in types if t != "null" and isinstance(value, TYPES[t]) and not (t != "boolean" and value is True)]
    if types and not fits:
        return f"{at}: {value!r:.40} is no {types[0]}"
    if isinstance(value, list):
        return next(filter(None, (is_of(v, schema.get("items", {}), f"{at}[{i}]") for i, v in enumerate(value))), None)
    if not isinstance(value, dict) or "properties" not in schema:
        return None
    for key, v in value.items():
        more = schema["properties"].get(key, schema.get("additionalProperties", {}))
        wrong = f"{at}.{key} is in no schema" if more is False else is_of(v, more, f"{at}.{key}")
        if wrong:
            return wrong
    return None


def check(words):
    run = ask(*words, "--format", "json")
    if not run.stdout.startswith(b"{") or b"\"version\"" not in run.stdout[:40]:  # a file as it is is no answer
        return None
    name = words[0] if words[0] in commands else "summary"
    name = "params" if "--explain-config" in words else name
    said = ask("schema", name)
    if said.returncode != 0:
        return [f"{name} answers in JSON, and has no row in src/report/answers.h"]
    schema = schemas.setdefault(name, json.loads(said.stdout))
    wrong = [is_of(json.loads(run.stdout), s, name) for s in schema.get("anyOf", [schema])]
    return None if None in wrong else wrong


os.environ["COLUMNS"] = "10000"  # no line is broken
overview = ask("help").stdout.decode().split("\n\n")[1]
commands = {line.split()[1] for line in overview.splitlines()} - {"MODEL"}
n = bad = 0
with open(lines) as f:
    asked = sorted({l.split(" --format")[0].strip() for l in f if l.strip() and l[0] != "#"})
for name in sorted(commands - {line.split()[0] for line in asked}):
    bad += 1
    print(f"{name}: no line of {lines} is of this command")
for line in asked:
    wrong = check(line.split())
    n += 1
    if wrong:
        bad += 1
        print(f"reckon {line}: {' or '.join(wrong)}")
print(f"{n} lines, {bad} not as their schema says")
sys.exit(bad > 0)
