# SPDX-License-Identifier: MIT
"""Writes the notebook: notebook.py OUTPUT, with the package on the path.  Each cell is run here, in their order."""
import io
import json
import sys
from contextlib import redirect_stdout

CELLS = [
    "# The books of a Transformer\n\nParameters, FLOPs and bytes of a model, exact, each with its formula. `pip install` the wheel of "
    "`make wheel`, then:",
    ["import reckon\n\nmodel = reckon.open(\"llama-3.1-8b\")\nmodel.params(depth=1)"],
    "Totals are figures: a number, to calculate with as with any other, and the formula behind it.",
    ["model.parameters"],
    ["print(f\"{model.parameters:,} parameters, {model.parameters / 1e9:.2f} billion\")"],
    ["model.forward.latex"],
    "What does a training step occupy, and does it fit on a device with 80 GB?",
    ["step = model.memory(S=\"4K\", recipe=\"bf16\")\nstep.peak, step.saved"],
    ["fit = model.fit(device=\"h100-80gb\", S=\"4K\", recipe=\"bf16\", recompute=\"full\")\nfit.unfit"],
    "Over eight devices, with weights, gradients and optimizer in pieces: what one of them holds and sends.",
    ["rank = model.memory(S=\"4K\", layout=\"fsdp=8\")\nprint(rank.peak)\nfor row in rank.to_dicts(\"collectives\"):\n"
     "    print(row[\"phase\"], row[\"op\"], row[\"times\"], \"×\", row[\"elements\"], \"=\", row[\"formula\"])"],
    "A quantity over a symbol; `pandas.DataFrame(sweep.to_dicts())` makes a table of it.",
    ["sweep = model.sweep(S=\"1K..32K:x2\", of=\"flops:attention/flops\")\nsweep.to_dicts()[:2]"],
    "From which length on does attention cost more than the FFN?",
    ["print(model.cross(\"attention\", \"ffn\", \"S\").text().splitlines()[0])"],
    "A model of one's own is a page of equations.",
    ["own = reckon.open(text='''model mine: \"a gated FFN\"\nlet D = 512 \"width\"\nlet F = 3 * D \"FFN width\"\nrun B = 1 \"tokens\"\n"
     "input x[B D]\ngate[B F] = x[B D] * .gate[F D]\nup[B F] = x[B D] * .up[F D]\nhidden = silu(gate) * up\n"
     "y[B D] = hidden[B F] * .down[D F]\noutput y\n''')\nown.forward.formula, own.parameters.value"],
    "And a text can be checked.",
    ["found = reckon.check(\"Each layer has 12 * 1600^2 = 30,270,000 weights.\")\nfound.claims[0].status, found.claims[0].found"],
]


def lines(text):
    return text.splitlines(keepends=True)


def run(source, names):
    """What a cell prints and shows, as a notebook stores it; the tests run those of docs/reckon.ipynb again."""
    *before, last = source.split("\n")
    try:
        value = compile(last, "cell", "eval")
    except SyntaxError:
        before, value = [*before, last], None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec("\n".join(before), names)
        shown = eval(value, names) if value else None
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if shown is not None:
        bundle = shown._repr_mimebundle_() if hasattr(shown, "_repr_mimebundle_") else {"text/plain": repr(shown)}
        if hasattr(shown, "_repr_latex_"):
            bundle["text/latex"] = shown._repr_latex_()
        outputs.append({"data": {k: lines(v) for k, v in bundle.items()}, "execution_count": None, "metadata": {},
                        "output_type": "execute_result"})
    return outputs


def main():
    names, cells = {}, []
    for number, cell in enumerate(CELLS):
        about = {"id": f"cell-{number}", "metadata": {}}
        if isinstance(cell, str):
            cells.append({"cell_type": "markdown", **about, "source": lines(cell)})
            continue
        outputs = run(cell[0], names)
        count = 1 + sum(c["cell_type"] == "code" for c in cells)
        for output in outputs:
            if "execution_count" in output:
                output["execution_count"] = count
        cells.append({"cell_type": "code", **about, "execution_count": count, "outputs": outputs, "source": lines(cell[0])})
    notebook = {"cells": cells, "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                                             "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        json.dump(notebook, f, ensure_ascii=False, indent=1)
        f.write("\n")


if __name__ == "__main__":
    del sys.path[0]  # the sources beside this file have no extension: the package on the path has
    main()
