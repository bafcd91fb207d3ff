# SPDX-License-Identifier: MIT
"""reckon keeps the books of Transformer models: exact parameters, FLOPs and bytes, each with its formula.

>>> import reckon
>>> model = reckon.open("llama-3.1-8b")
>>> print(f"{model.parameters:,}")
8,030,261,248
>>> model.parameters.formula
'2LD² + 2LDKH + 3LDF + 2LD + 2DV + D'
>>> model.memory(B=4, S="8K", layout="fsdp=8").collectives[0].op
'all_gather'

Everything that the command can do is here: what ``reckon memory llama-3.1-8b B=4 --layout fsdp=8`` prints is
``print(model.memory(B=4, layout="fsdp=8"))``, and its keys in JSON are attributes of the answer.
"""
from __future__ import annotations

from os import PathLike, fspath, path as _paths
from typing import Any, Optional, Union

from ._answer import Answer, Row
from ._commands import with_options as _with_options, words_of
from ._door import (CountError, Door, Error, FileError, InputError, LimitError, NoNumberError, OutOfMemoryError,
                    StoppedError, UsageError, text_of)
from ._model import Figure, Gauge, Model, Symbol, door as _door
from ._reckon import lib as _lib

__all__ = [
    "Answer", "CountError", "Error", "Figure", "FileError", "Gauge", "InputError", "LimitError", "Model", "NoNumberError",
    "OutOfMemoryError", "Row", "StoppedError", "Symbol", "UsageError", "ask", "check", "compare", "devices", "models",
    "open", "ops",
]

__version__: str = text_of(_lib.reckon_version()) or ""


def open(source: object = None, *, text: Optional[str] = None, config: object = None, family: Optional[str] = None,
         folder: Union[str, "PathLike[str]", None] = None, budget: int = 0) -> Model:
    """Opens a model.

    ``source`` is a name ("llama-3.1-8b"), a path (a model file, a config.json or its folder, a checkpoint), a model in the
    local Hugging Face cache ("org/name"), or a config as a dict.  ``text`` is a model file in memory, ``config`` a config
    in memory, as a dict or as JSON, which ``family`` may say how to read.  ``folder`` has models of one's own; ``budget``
    ends questions that take more work than this with a StoppedError, 0: none.

    >>> open({"model_type": "gpt2", "n_layer": 2}).params().parameters.stored
    53561088
    >>> open("no-such-model")  # doctest: +ELLIPSIS +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    reckon.InputError: ...
    """
    return Model(source, text=text, config=config, family=family, folder=folder, budget=budget)


def ask(command: str, *words: object, **keywords: Any) -> Answer:
    """Any command: ``ask("devices", "h100")``, ``ask("memory", "gpt2", B=4)``.

    >>> ask("params", "gpt2").parameters.stored
    124439808
    """
    return Answer(_door, [command, *words, *words_of(command, keywords)])


_TEXTS = (".md", ".markdown", ".txt", ".tex", ".typ", ".ipynb", ".html", ".htm")


def _names_a_file(text: str) -> bool:
    if len(text) > 255 or "\n" in text or "\0" in text:
        return False
    return text.lower().endswith(_TEXTS) or _paths.isfile(text)


def check(text: Union[str, "PathLike[str]", None] = None, *, path: Union[str, "PathLike[str]", None] = None,
          **keywords: Any) -> Answer:
    """What holds of a written account: of a text, or of the file ``path``; a ``pathlib.Path`` is a file, too.

    ``differs`` is True where something is wrong; ``model="gpt2-xl"`` compares it with a model, too.  A text that looks like
    the name of a file is an InputError, unless it ends in a newline.

    >>> answer = check("12 layers of 64 x 64 weights: 12 * 64 * 64 = 49,162")
    >>> answer.differs, answer.claims[0].status
    (True, 'wrong')
    >>> check("account.md")  # doctest: +ELLIPSIS +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    reckon.InputError: ...
    """
    if (text is None) == (path is None):
        raise InputError("one text is wanted: a str, or path='account.md'")
    if isinstance(text, PathLike):
        text, path = None, text
    if text is None:
        return Answer(_door, ["check", fspath(path), *words_of("check", keywords)])
    if _names_a_file(text):
        raise InputError(f"{text!r} looks like the name of a file: check(path={text!r}) or check(pathlib.Path({text!r})) reads "
                         "it; to check these words themselves, end them with a newline")
    whole = text.encode() + b"\n"  # a file that ends within a line may have been cut; a string has not
    return Answer(Door({"text.md": whole}), ["check", "text.md", *words_of("check", keywords)])


def compare(*models: object, **keywords: Any) -> Answer:
    """Models side by side, by their names or paths."""
    return ask("compare", *models, **keywords)


def models(*words: object, **keywords: Any) -> Answer:
    """The models that are known by name: ``models("llama").to_dicts()``."""
    return ask("models", *words, **keywords)


def devices(*words: object) -> Answer:
    """The accelerators that are known."""
    return ask("devices", *words)


def ops() -> Answer:
    """The operations that model files are made of."""
    return ask("ops")


_with_options("check", check)
_with_options("compare", compare)
_with_options("models", models, symbols=False)
