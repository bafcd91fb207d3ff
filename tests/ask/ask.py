#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks the shared library what the command is asked, word for word: same bytes, same verdict.

    ask.py LIBRARY COMMAND LINES README
"""
import ctypes, os, re, shlex, subprocess, sys

library, command, lines, readme = sys.argv[1:5]
r = ctypes.CDLL(library)


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char * 2048)]


class Answer(ctypes.Structure):
    _fields_ = [("text", ctypes.c_void_p), ("n_text", ctypes.c_size_t), ("mistakes", ctypes.c_char_p),
                ("command", ctypes.c_char_p), ("differs", ctypes.c_int), ("unfit", ctypes.c_int)]


def ask(context, words):
    answer, error = Answer(), Error()
    word = (ctypes.c_char_p * (len(words) + 1))(*[w.encode() for w in words], None)
    code = r.reckon_ask(context, word, None, ctypes.byref(answer), ctypes.byref(error))
    text = ctypes.string_at(answer.text, answer.n_text) if answer.text else b""
    status = {0: 3 if answer.unfit else 1 if answer.differs else 0, -2: 2, -4: 4, -5: 4}.get(code, 1)
    r.reckon_answer_free(ctypes.byref(answer))
    return text, status, error.message


def questions():
    with open(lines) as f:
        yield from (line.split() for line in f if line.strip() and line[0] != "#")
    with open(readme) as f:
        for line in re.findall(r"^\$ (reckon .*)$", f.read(), re.M):
            if not re.search(r"[|<>;]", line):
                yield shlex.split(line)[1:]


context, error, bad, n = ctypes.c_void_p(), Error(), 0, 0
environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "RECKON_MODELS")}
assert r.reckon_context_new(None, ctypes.byref(context), ctypes.byref(error)) == 0, error.message
for words in questions():
    run = subprocess.run([command, *words], capture_output=True, stdin=subprocess.DEVNULL, env=environment)
    text, status, message = ask(context, words)
    n += 1
    if text != run.stdout or status != run.returncode or (message and message.split(b"\n")[0] not in run.stderr):
        bad += 1
        print(f"reckon {' '.join(words)}: status {status}, not {run.returncode}; {len(text)} bytes, not "
              f"{len(run.stdout)}; {message.decode()}")
# Files from memory come before the disk.
model = b"model tiny: \"one matrix\"\nlet D = 8 \"width\"\nrun B = 1 \"rows\"\ninput x[B D]\ny[B D'] = x[B D] * .w[D D']\noutput y\n"
assert r.reckon_context_file(context, b"tiny.rk", model, ctypes.c_size_t(len(model)), ctypes.c_uint64(len(model)), None) == 0
bad += b"64" not in ask(context, ["params", "tiny.rk"])[0]
r.reckon_context_free(ctypes.byref(context))
print(f"{n} questions, {bad} answered differently")
sys.exit(bad > 0)
