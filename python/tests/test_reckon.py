# SPDX-License-Identifier: MIT
"""The package: every door gives what the command gives, and what is wrong is an exception."""
import json
import os
import pathlib
import pickle
import re
import runpy
import shlex
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import reckon

ROOT = pathlib.Path(__file__).resolve().parents[2]
TINY = """model tiny: "one matrix"
let D = 8 "width"
run B = 1 "rows"
input x[B D]
y[B D'] = x[B D] * .w[D D']
output y
"""


def command(*words, program=(sys.executable, "-m", "reckon")):
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "RECKON_MODELS")}
    return subprocess.run([*program, *map(str, words)], capture_output=True, stdin=subprocess.DEVNULL, env=environment)


def test_the_first_line():
    assert reckon.open("llama-3.1-8b").memory(B=4, S="8K", layout="fsdp=8").peak == json.loads(
        command("memory", "llama-3.1-8b", "B=4", "S=8K", "--layout", "fsdp=8", "--format", "json").stdout)["peak"]


@pytest.mark.parametrize("ask,line", [
    (lambda m: m.summary(), "gpt2"),
    (lambda m: m.params(all=True), "params gpt2 --all"),
    (lambda m: m.flops(S="2K", causal="exact"), "flops gpt2 S=2K --causal exact"),
    (lambda m: m.memory(phase="decode", T=2048, kv_dtype="fp8"), "memory gpt2 --phase decode T=2048 --kv-dtype fp8"),
    (lambda m: m.derive("flops", "layers"), "derive gpt2 flops layers"),
    (lambda m: m.explain("scores"), "explain gpt2 scores"),
    (lambda m: m.sweep(S="1K..8K:x2", of="flops"), "sweep gpt2 S=1K..8K:x2 --of flops"),
    (lambda m: m.cross("attention", "ffn", "S"), "cross gpt2 attention ffn S"),
    (lambda m: m.compare("gpt2-xl"), "compare gpt2 gpt2-xl"),
    (lambda m: m.compare(layout=["fsdp=2", "tp=2"]), "compare gpt2 --layout fsdp=2 --layout tp=2"),
    (lambda m: m.fit(device="a100"), "fit gpt2 --device a100"),
    (lambda m: m.ranks(layout="tp=2"), "ranks gpt2 --layout tp=2"),
    (lambda m: m.params(layout="tp=2"), "params gpt2 --layout tp=2"),
    (lambda m: m.flops(layout="tp=2,sp"), "flops gpt2 --layout tp=2,sp"),
    (lambda m: m.memory(layout="pp=2", micro=4, stage=1), "memory gpt2 --layout pp=2 --micro 4 --stage 1"),
    (lambda m: m.derive("comm", layout="tp=2"), "derive gpt2 comm --layout tp=2"),
    (lambda m: m.explain("scores", layout="tp=2"), "explain gpt2 scores --layout tp=2"),
    (lambda m: m.sweep(fsdp="2,4", tp="1,2", of="memory.peak,flops"),
     "sweep gpt2 fsdp=2,4 tp=1,2 --of memory.peak,flops"),
    (lambda m: m.sweep(B="1,2", of="memory.peak", layout="fsdp=2"), "sweep gpt2 B=1,2 --of memory.peak --layout fsdp=2"),
    (lambda m: m.cross("attention", "ffn", "S", layout="tp=2"), "cross gpt2 attention ffn S --layout tp=2"),
    (lambda m: m.fit(device="a100", layout="fsdp=*"), "fit gpt2 --device a100 --layout fsdp=*"),
    (lambda m: m.fit(device="a100", devices=4, shard="zero1"), "fit gpt2 --device a100 --devices 4 --shard zero1"),
    (lambda m: m.train(tokens="1B", layout="fsdp=8"), "train gpt2 --tokens 1B --layout fsdp=8"),
    (lambda m: m.report(layout="tp=2"), "report gpt2 --layout tp=2"),
    (lambda m: m.train(tokens="1B", device="a100"), "train gpt2 --tokens 1B --device a100"),
    (lambda m: m.identify(124439808), "identify 124439808 gpt2"),
    (lambda m: m.flops(as_="palm"), "flops gpt2 --as palm"),
])
def test_an_answer_is_the_command_s(ask, line):
    answer, run = ask(reckon.open("gpt2")), command(*shlex.split(line), "--format", "json")
    assert answer.json().encode() == run.stdout
    assert answer.to_dict() == json.loads(run.stdout)
    assert answer.text().encode() == command(*shlex.split(line)).stdout
    assert isinstance(answer.unfit, bool) and answer.unfit == (run.returncode == 3)


def test_models_from_memory():
    assert reckon.open(text=TINY).params().parameters.stored == 64
    assert int(reckon.open(text=TINY).parameters) == 64
    config = {"model_type": "gpt2", "n_layer": 2}
    assert reckon.open(config).memory(B=2).symbols["B"] == 2
    assert reckon.open(config=json.dumps(config)).symbols["L"].value == 2
    assert reckon.open(config={"n_layer": 3}, family="gpt2").symbols["L"].value == 3


def test_models_from_files(tmp_path):
    file = tmp_path / "tiny.rk"
    file.write_text(TINY)
    assert reckon.open(file).params().parameters.stored == 64
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "gpt2", "n_layer": 1}))
    assert reckon.open(str(tmp_path)).symbols["L"].value == 1


def test_a_checkpoint_without_a_config(tmp_path):
    header = json.dumps({"a.weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}).encode()
    header += b" " * (-len(header) % 8)
    file = tmp_path / "model.safetensors"
    file.write_bytes(len(header).to_bytes(8, "little") + header + bytes(24))
    model = reckon.open(file)
    assert "a.weight" in model.params().text()
    with pytest.raises(reckon.InputError, match="no equations"):
        model.forward


def test_figures():
    model = reckon.open("gpt2-xl")
    assert model.forward.formula == "24BSLD² + 4BS²LD + 2BSDV"
    assert model.forward.latex == "24BSLD^{2} + 4BS^{2}LD + 2BSDV"
    assert model.forward._repr_latex_().startswith("$24")
    assert int(model.step) == int(model.forward) + int(model.backward)
    assert model.forward(S=2048) > model.forward(S=1024) == int(model.forward)
    with pytest.raises(reckon.InputError):
        model.forward(S=0)
    with pytest.raises(reckon.InputError):
        model.forward(nothing=1)


def test_a_gauge():
    gauge = reckon.open("gpt2").gauge("memory.peak", "flops:attention/flops", S=128)
    low, high = gauge(S=128), gauge(S=1024)
    assert low["memory.peak"] < high["memory.peak"]
    assert high["flops:attention/flops"] < 1
    with pytest.raises(reckon.InputError):
        gauge(S=-1)
    with pytest.raises(reckon.InputError, match="nonsense"):
        reckon.open("gpt2").gauge("nonsense")


def test_tables():
    answer = reckon.open("gpt2").memory()
    assert "rows" in answer.tables()
    assert all(isinstance(v, (int, float, str, type(None), list)) for row in answer.to_dicts() for v in row.values())
    with pytest.raises(KeyError, match="rows"):
        answer.to_dicts("nothing")
    with pytest.raises(AttributeError, match="peak"):
        answer.peek
    with pytest.raises(AttributeError):
        answer.peak = 1
    assert "peak" in dir(answer) and answer["peak"] == answer.peak and set(answer) == set(answer.to_dict())


def test_pages(tmp_path):
    answer = reckon.open("gpt2").params(depth=1)
    bundle = answer._repr_mimebundle_()
    assert bundle["text/plain"] == answer.text() and "|" in bundle["text/markdown"]
    for ending, start in ((".html", "<!DOCTYPE html>"), (".json", "{"), (".csv", "part"), (".md", "#"), (".txt", "gpt2")):
        file = tmp_path / ("page" + ending)
        answer.save(file)
        assert file.read_text(encoding="utf-8").startswith(start), ending
    with pytest.raises(reckon.UsageError):
        answer.format("nonsense")


def test_check(tmp_path):
    text = "Eight layers of 1000 weights: 8 * 1000 = 8,100.\n"
    answer = reckon.check(text)
    assert answer.differs and answer.claims[0].status == "wrong"
    file = tmp_path / "account.md"
    file.write_text(text.replace("8,100", "8,000"))
    assert not reckon.check(file).differs


@pytest.mark.parametrize("ask,kind,message", [
    (lambda: reckon.open("gtp2-xl"), reckon.InputError, "gpt2-xl"),
    (lambda: reckon.open(), reckon.InputError, "one model"),
    (lambda: reckon.open("gpt2", text=TINY), reckon.InputError, "one model"),
    (lambda: reckon.open("gpt2").memory(dtype="fp99"), reckon.UsageError, "fp99"),
    (lambda: reckon.open("gpt2").memory(Q=3), reckon.InputError, "no symbol 'Q'"),
    (lambda: reckon.open("gpt2").memory(B=0), reckon.Error, "B"),
    (lambda: reckon.open("gpt2").memory(nonsense=True), reckon.UsageError, "--nonsense"),
    (lambda: reckon.open("gpt2").memory(details="yes"), reckon.UsageError, "True or False"),
    (lambda: reckon.open("gpt2").memory(format="json"), reckon.UsageError, ".format()"),
    (lambda: reckon.open("gpt2").explain("no\0thing"), reckon.InputError, "NUL"),
    (lambda: reckon.open(text=TINY.replace("[D D']", "[D E]")), reckon.InputError, "model.rk:5"),
    (lambda: reckon.open({"model_type": "nothing"}), reckon.InputError, "nothing"),
    (lambda: reckon.open(config="{"), reckon.InputError, "config.json"),
    (lambda: reckon.open("nowhere/config.json"), reckon.FileError, "nowhere"),
    (lambda: reckon.open("deepseek-v3", budget=1000).memory(), reckon.StoppedError, "budget"),
])
def test_what_is_wrong_is_an_exception(ask, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        ask()


def test_after_a_stop_the_next_question_is_answered():
    model = reckon.open("gpt2", budget=200_000)
    with pytest.raises(reckon.StoppedError):
        model.sweep(S="1..1000000", of="memory.peak")
    assert model.params().parameters.stored == 124439808


def test_the_interrupt_is_heard(monkeypatch):
    def interrupt():
        import _thread
        _thread.interrupt_main()

    threading.Timer(0.3, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            reckon.open("gpt2").sweep(S="1..100000", of="memory.peak", threads=1)


def test_threads():
    model = reckon.open("gpt2")
    want = {s: model.memory(S=s).peak for s in (64, 128, 256)}
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda s: (s, model.memory(S=s).peak, model.forward(S=s)), [64, 128, 256] * 20))
    assert all(peak == want[s] and flops == model.forward(S=s) for s, peak, flops in got)


def test_answers_travel():
    answer = reckon.open("gpt2").params()
    assert pickle.loads(pickle.dumps(answer)).to_dict() == answer.to_dict()


def test_python_m_reckon_is_the_command():
    program = os.environ.get("RECKON")
    if not program:
        pytest.skip("RECKON does not name the command")
    for words in (["gpt2"], ["params", "gpt2", "--all"], ["flops", "nothing"], ["--nonsense"], ["help"],
                  ["fit", "llama-3.1-405b", "--device", "rtx-4090"], ["memory", "gpt2", "--format", "json"]):
        native, ours = command(*words, program=[program]), command(*words)
        assert (ours.stdout, ours.stderr, ours.returncode) == (native.stdout, native.stderr, native.returncode), words


def test_every_method_has_its_types():
    """What the stub declares is there, and what is there is declared."""
    stub = pathlib.Path(reckon.__file__).with_name("_commands.pyi").read_text(encoding="utf-8")
    compile(stub, "_commands.pyi", "exec")
    methods = set(re.findall(r"^    def (\w+)\(self", stub, re.M))
    assert methods == {n for n in vars(reckon.Model.__mro__[1]) if not n.startswith("_")}
    assert re.search(r"class MemoryAnswer\(Answer\):\n(    .*\n)*    peak: int", stub)


def test_the_notebook_is_as_it_was_run():
    """Each cell of the notebook is run again, in their order; what it shows is what stands there."""
    notebook, writer = ROOT / "docs" / "reckon.ipynb", ROOT / "python" / "notebook.py"
    if not notebook.exists() or not writer.exists():
        pytest.skip("not beside the sources")
    run, names, told = runpy.run_path(str(writer))["run"], {}, 0
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        for output in cell["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = None
        assert run("".join(cell["source"]), names) == cell["outputs"]
        told += len(cell["outputs"])
    assert told > 5


def test_bytes_are_explained():
    """Which line saves them, in which type, why and until when; and what a part has at the peak."""
    model = reckon.open("llama-3.1-8b")
    saved = model.explain("ffn.gate", "saved", S="8K", recipe="bf16")
    row = saved.rows[0]
    assert (saved.total, row.formula, row.type, row.times) == (7516192768, "2BSF", "bf16", 32)
    assert row.until == "layers.ffn.activated" and list(row.needed_by) == ["layers.ffn.activated"]
    step = model.memory(S="8K", recipe="bf16")
    assert saved.whole == step.saved
    peak = model.explain("memory", S="8K", recipe="bf16")
    assert peak.total == sum(r["bytes_total"] for r in peak.to_dicts("rows")) == step.peak
    with pytest.raises(reckon.UsageError):
        model.explain("ffn", "flops", recipe="bf16")


def test_a_students_tasks():
    """GPT-2 XL: parameters, operations, the peak with AdamW at batch 4, the largest batch on 80 GB, days on an A100."""
    model = reckon.open("gpt2-xl")
    assert int(model.parameters) == 1557611200
    assert model.flops(B=4).forward.total == 4 * model.flops(B=1).forward.total == 4 * 3506703564800
    step = model.memory(B=4)
    assert step.optimizer == 2 * step.parameters == 8 * 1557611200
    fit = model.fit(device="a100-80gb")
    assert model.memory(B=fit.batch.largest).peak <= fit.limit
    run = model.train(tokens="1e9", device="a100-80gb", mfu="40%")
    assert run.time.days == pytest.approx(run.flops / (run.time.rate * 0.4) / 86400)
