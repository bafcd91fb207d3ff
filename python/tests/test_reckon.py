# SPDX-License-Identifier: MIT
"""The package: every door gives what the command gives, and what is wrong is an exception."""
import inspect
import json
import math
import numbers
import os
import pathlib
import pickle
import pydoc
import re
import runpy
import shlex
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

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
    for ending, start in ((".html", "<!DOCTYPE html>"), (".json", "{"), (".csv", "part"), (".md", "#"), (".txt", "gpt2"),
                          (".HTM", "<!DOCTYPE html>"), ("", "gpt2")):
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
    assert not reckon.check(path=file).differs and not reckon.check(path=str(file)).differs


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
    assert model.parameters == 1557611200
    assert model.flops(B=4).forward.total == 4 * model.flops(B=1).forward.total == 4 * 3506703564800
    step = model.memory(B=4)
    assert step.optimizer == 2 * step.parameters == 8 * 1557611200
    fit = model.fit(device="a100-80gb")
    assert model.memory(B=fit.batch.largest).peak <= fit.limit
    run = model.train(tokens="1e9", device="a100-80gb", mfu="40%")
    assert run.time.days == pytest.approx(run.flops / (run.time.rate * 0.4) / 86400)


def test_a_figure_is_its_number():
    figure, number = reckon.open("gpt2-xl").parameters, 1557611200
    assert figure.value == number == reckon.open("gpt2-xl").params().parameters.stored and type(figure.value) is int
    assert str(figure) == f"{figure}" == str(number)
    for spec in (",", "d", ".2e", ">20", "_", "x", "012,"):
        assert format(figure, spec) == format(number, spec)
    assert repr(figure) == f"<Figure {number} = {figure.formula}>"
    assert figure._repr_latex_() == f"${figure.latex} = 1{{,}}557{{,}}611{{,}}200$"
    assert (int(figure), float(figure), math.floor(figure), round(figure)) == (number, float(number), number, number)
    assert range(10 ** 10)[figure] == number and math.log2(figure) == math.log2(number)
    assert isinstance(figure, numbers.Integral) and bool(figure) and Fraction(figure, 2) == number // 2


@pytest.mark.parametrize("of", [
    lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b, lambda a, b: a // b, lambda a, b: a % b,
    lambda a, b: divmod(a, b), lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b,
    lambda a, b: a == b, lambda a, b: a != b,
])
def test_figures_calculate_and_compare(of):
    model = reckon.open("gpt2-xl")
    one, other = model.forward, model.parameters
    assert of(one, other) == of(one.value, other.value)
    assert of(one, one) == of(one.value, one.value)
    for number in (7, 1e9, Fraction(3, 7), one.value):
        assert of(one, number) == of(one.value, number) and type(of(one, number)) is type(of(one.value, number))
        assert of(number, one) == of(number, one.value) and type(of(number, one)) is type(of(number, one.value))


def test_figures_among_numbers():
    model, tiny = reckon.open("gpt2-xl"), reckon.open(text=TINY)
    figures = [model.step, model.parameters, model.backward, model.forward]
    assert sorted(figures) == [model.parameters, model.forward, model.backward, model.step]
    assert sum(figures) == sum(f.value for f in figures) and max(figures) is figures[0]
    assert hash(model.forward) == hash(model.forward.value) and {model.forward: 1}[model.forward.value] == 1
    assert len({model.forward, model.forward, model.forward.value}) == 1
    assert 2 ** tiny.parameters == 2 ** 64 and tiny.parameters ** 2 == 4096 and -tiny.parameters == -64
    assert model.forward != model.forward.formula and model.forward not in (None, "")
    for wrong in (lambda: model.forward + "1", lambda: model.forward < "1"):
        with pytest.raises(TypeError):
            wrong()
    # as numbers of a question, too
    assert model.train(tokens=model.parameters).tokens == model.parameters
    assert tiny.forward(B=tiny.parameters) == 64 * tiny.forward
    for wrong in (True, 1.5, "2"):
        with pytest.raises(reckon.InputError):
            tiny.forward(B=wrong)


def test_a_figure_without_a_number():
    model = reckon.open(text=TINY.replace("run B = 1", "run B"))
    figure = model.forward
    assert (str(figure), repr(figure), figure._repr_latex_()) == ("2BD²", "<Figure 2BD²>", "$2BD^{2}$")
    assert figure == model.forward and hash(figure) == hash(model.forward) and figure != 128 and figure != model.parameters
    for wrong in (lambda: figure.value, lambda: int(figure), lambda: f"{figure:,}", lambda: figure + 1, lambda: figure < 1):
        with pytest.raises(reckon.NoNumberError, match="B"):
            wrong()
    assert figure(B=2) == 256
    assert repr(reckon.open(text=TINY.replace(' "width"', "")).parameters) == "<Figure 64>"


@pytest.mark.parametrize("name", ["page.foo", "page.pdf", "page.html.bak"])
def test_an_unknown_ending_is_no_text(tmp_path, name):
    with pytest.raises(ValueError, match=r"\.html .*\.md .*\.tex .*\.json .*\.csv .*\.svg .*\.txt"):
        reckon.open("gpt2").params(depth=1).save(tmp_path / name)
    assert not (tmp_path / name).exists()


def test_a_dot_of_a_folder_is_no_ending(tmp_path):
    (tmp_path / "v1.0").mkdir()
    reckon.open("gpt2").params(depth=1).save(tmp_path / "v1.0" / "page")
    assert (tmp_path / "v1.0" / "page").read_text(encoding="utf-8").startswith("gpt2")


def test_the_name_of_a_file_is_no_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "account").write_text("8 * 1000 = 8,100\n")
    for name in ("account", "account.md", "nowhere/an account.TEX", "a.txt", "a.ipynb", "a.html"):
        with pytest.raises(ValueError, match=re.escape(f"check(path={name!r})")) as error:
            reckon.check(name)
        assert "pathlib.Path" in str(error.value)
    assert reckon.check(path="account").differs
    assert reckon.check("8 * 1000 = 8,100, as in account.md\n").differs
    assert reckon.check("8 * 1000 = 8,100\nsee account.md").differs
    with pytest.raises(reckon.FileError, match="nowhere.md"):
        reckon.check(path="nowhere.md")
    for wrong in (lambda: reckon.check(), lambda: reckon.check("8 * 8 = 64", path="account")):
        with pytest.raises(reckon.InputError, match="one text"):
            wrong()


def test_notes_are_those_of_the_page():
    """Each is on the page as it stands, and what the page says of another type is among them."""
    model = reckon.open("gpt2-xl")
    run = model.train(tokens="1B", device="a100-80gb", mfu="40%")
    told, = [note for note in run.notes if "bf16" in note]
    days = model.train(tokens="1B", device="a100-80gb", mfu="40%", dtype="bf16").time.days
    assert run.time.type == "fp32" and float(re.search(r"take (\S+) days", told)[1]) == pytest.approx(days, rel=1e-3)
    assert not any("bf16" in note for note in model.train(tokens="1B", device="a100-80gb", dtype="bf16").notes)
    flan = reckon.open("flan-t5-base").memory()
    assert flan["notes"] == flan.notes[:1] and "tie_word_embeddings" in flan.notes[0] and len(flan.notes) > 1
    for answer in (run, flan, model.derive("flops"), model.explain("scores"), model.report()):
        page = " ".join(answer.text().split())
        assert answer.notes and all(" ".join(note.split()) in page for note in answer.notes)
    assert reckon.ops().notes == []


def test_every_option_is_in_the_help():
    """help() of each command has the keyword of every option of the stub, which is made of the same schema."""
    stub = pathlib.Path(reckon.__file__).with_name("_commands.pyi").read_text(encoding="utf-8")
    told = 0
    for name, arguments in re.findall(r"^    def (\w+)\(self(.*)\*\*symbols: Value\)", stub, re.M):
        method = getattr(reckon.Model, name)
        page = pydoc.render_doc(method, renderer=pydoc.plaintext)
        for key in re.findall(r"(\w+): Optional\[", arguments):
            assert re.search(rf"^ +{key}=\S", page, re.M), (name, key)
            assert key in inspect.signature(method).parameters, (name, key)
            told += 1
    assert told > 300
    page = pydoc.render_doc(reckon.open("gpt2").fit, renderer=pydoc.plaintext)
    assert "Whether a step fits" in page and "phase=train|prefill|decode: a training step" in page
    assert "no_sync=True" in page and "  format=" not in page
    assert "fail_on=mistake|slip|doubtful" in reckon.check.__doc__ and "as_=" in reckon.Model.flops.__doc__
    assert "layout=AXES, or a list" in reckon.compare.__doc__
