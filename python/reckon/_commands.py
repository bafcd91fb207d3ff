# SPDX-License-Identifier: MIT
"""The commands as methods.  Which options there are is asked of the library, so that nothing is listed twice."""
from __future__ import annotations

import functools
import inspect
import json
import keyword
import textwrap
from typing import Any, Callable, Dict, FrozenSet, List, Mapping, Sequence

from ._answer import Answer
from ._door import Door, UsageError

# Where an answer goes and how it looks is said to the answer, not to the question.
_OF_THE_ANSWER = frozenset({"--format", "--csv", "-o", "--help", "--help-all", "--version"})


@functools.lru_cache(maxsize=None)
def _options(command: str) -> Mapping[str, Dict[str, Any]]:
    options = json.loads(Door().ask(["schema", command or "summary"]).text)["options"]
    return {o["name"]: o for o in options if o["name"] not in _OF_THE_ANSWER}


@functools.lru_cache(maxsize=None)
def options_of(command: str) -> Mapping[str, FrozenSet[str]]:
    """The options of a command: all of them, those that take no value, those that may be given several times."""
    names = _options(command)
    return {
        "all": frozenset(names),
        "flag": frozenset(n for n, o in names.items() if o["argument"] is None),
        "many": frozenset(n for n, o in names.items() if o["many"]),
    }


def _keyword(option: str) -> str:
    name = option.lstrip("-").replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def with_options(command: str, function: Callable[..., Any], symbols: bool = True) -> Callable[..., Any]:
    """Puts the options of a command into the signature and the docstring of its function, for help() and editors.

    >>> import inspect, reckon
    >>> "device=" in str(inspect.signature(reckon.Model.fit)), "so many of them" in reckon.Model.fit.__doc__
    (True, True)
    """
    kept = inspect.signature(function)
    given = [p for p in kept.parameters.values() if p.kind is not p.VAR_KEYWORD]
    taken = {p.name for p in given}
    lines = ["Options, as keywords:", ""]
    for name, option in _options(command).items():
        key = _keyword(name)
        if key not in taken:
            given.append(inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=None))
        values = "True" if option["argument"] is None else "|".join(option.get("values", ())) or option["argument"]
        values += ", or a list" if option["many"] else ""
        lines += textwrap.wrap(f"{key}={values}: {option['text']}", 100, initial_indent="  ", subsequent_indent="      ",
                               break_long_words=False, break_on_hyphens=False)
    if symbols:
        given.append(inspect.Parameter("symbols", inspect.Parameter.VAR_KEYWORD))
        lines += ["", 'Other keywords are symbols of the model: B=4, S="8K".']
    function.__doc__ = inspect.cleandoc(function.__doc__ or "") + "\n\n" + "\n".join(lines) + "\n"
    function.__signature__ = kept.replace(parameters=given)  # type: ignore[attr-defined]
    return function


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_value, value))
    return str(value)


def words_of(command: str, keywords: Mapping[str, Any]) -> List[str]:
    """Keywords as words of the line: an option (``kv_dtype="fp8"``), a flag (``all=True``) or a symbol (``S="8K"``).

    >>> words_of("memory", {"S": "8K", "recompute": "full", "details": True, "layout": None})
    ['S=8K', '--recompute', 'full', '--details']
    """
    known, words = options_of(command), []
    for key, value in keywords.items():
        name = "--" + key.rstrip("_").replace("_", "-")
        if name in _OF_THE_ANSWER:
            raise UsageError(f"{key}: an answer has .format(), .save() and others for that")
        if value is None:
            continue
        if name in known["flag"]:
            if not isinstance(value, bool):
                raise UsageError(f"{key} takes True or False, not {value!r}")
            words += [name] if value else []
        elif name in known["many"] and isinstance(value, (list, tuple)):
            for v in value:
                words += [name, _value(v)]
        elif name in known["all"]:
            words += [name, _value(value)]
        elif isinstance(value, bool):
            raise UsageError(f"{command or 'reckon MODEL'} has no option {name}, and a symbol takes a number")
        else:
            words.append(f"{key}={_value(value)}")
    return words


class Commands:
    """The commands about one model.

    Keywords are the options of the command, with ``_`` for ``-`` (and ``as_`` for ``--as``), and symbols of the model.
    """

    _door: Door
    _words: Sequence[str]

    def ask(self, command: str, *words: object, **keywords: Any) -> Answer:
        """Any command about this model: ``ask("memory", S=1024)`` is ``reckon memory MODEL S=1024``."""
        line = [command, *self._words] if command else [*self._words]
        return Answer(self._door, [*line, *words, *words_of(command, keywords)])

    def summary(self, **keywords: Any) -> Answer:
        """The model in one look: parameters and FLOPs by part, context, cache, devices."""
        return self.ask("", **keywords)

    def params(self, **keywords: Any) -> Answer:
        """Every tensor with its name, shape and count.

        >>> import reckon
        >>> reckon.open("gpt2-xl").params().parameters.stored
        1557611200
        """
        return self.ask("params", **keywords)

    def flops(self, **keywords: Any) -> Answer:
        """Every operation, forward and backward.

        >>> import reckon
        >>> reckon.open("gpt2-xl").flops(S=1024).forward.total
        3506703564800
        """
        return self.ask("flops", **keywords)

    def memory(self, **keywords: Any) -> Answer:
        """What a training step, a prompt or one new token occupies, to the byte.

        >>> import reckon
        >>> reckon.open("gpt2").memory(B=4, dtype="bf16", attention="eager").parameters
        248879616
        """
        return self.ask("memory", **keywords)

    def derive(self, *words: object, **keywords: Any) -> Answer:
        """The closed form, line by line: ``derive("flops", "layers.attention")``."""
        return self.ask("derive", *words, **keywords)

    def explain(self, path: str, *words: object, **keywords: Any) -> Answer:
        """One row, part or tensor: its line, the rule, the formula, the numbers put into it."""
        return self.ask("explain", path, *words, **keywords)

    def sweep(self, *words: object, **keywords: Any) -> Answer:
        """A quantity over a symbol or a grid: ``sweep(S="1K..64K:x2", of="memory.peak")``."""
        return self.ask("sweep", *words, **keywords)

    def cross(self, one: str, other: str, symbol: str, **keywords: Any) -> Answer:
        """From which number of a symbol on one quantity is more than another.

        >>> import reckon
        >>> "3,201" in reckon.open("gpt2-xl").cross("attention", "ffn", "S").text()
        True
        """
        return self.ask("cross", one, other, symbol, **keywords)

    def compare(self, *others: object, **keywords: Any) -> Answer:
        """This model beside others, or beside itself in several layouts: ``compare(layout=["fsdp=8", "tp=8,sp"])``."""
        return self.ask("compare", *others, **keywords)

    def fit(self, **keywords: Any) -> Answer:
        """Whether a step fits on a device, the largest batch, what would make it fit; ``unfit`` where it does not."""
        return self.ask("fit", **keywords)

    def ranks(self, **keywords: Any) -> Answer:
        """What each of many devices computes, holds and sends: ``ranks(layout="fsdp=8,tp=8,sp")``."""
        return self.ask("ranks", **keywords)

    def train(self, **keywords: Any) -> Answer:
        """The operations of a training run; days, device-hours and energy as estimates.

        ``time.days`` is at the device's peak in ``time.type``, which is fp32 where neither ``dtype`` nor the config says
        16 bits; ``notes`` says so, and what bf16 would take.

        >>> import reckon
        >>> model = reckon.open("gpt2-xl")
        >>> for dtype in (None, "bf16"):
        ...     time = model.train(tokens="1B", device="a100-80gb", mfu="40%", dtype=dtype).time
        ...     print(time.type, round(time.days, 2))
        fp32 15.24
        bf16 0.95
        """
        return self.ask("train", **keywords)

    def report(self, **keywords: Any) -> Answer:
        """All of this on one page: ``report().save("report.html")``."""
        return self.ask("report", **keywords)

    def identify(self, number: object, **keywords: Any) -> Answer:
        """Which quantity of the model a number is, exact or rounded: ``identify("3.5e12")``."""
        line = ["identify", _value(number), *self._words]
        return Answer(self._door, [*line, *words_of("identify", keywords)])

    def verify(self, file: object, **keywords: Any) -> Answer:
        """Whether a checkpoint has the tensors of this model, by its header; ``differs`` where it has not."""
        return self.ask("verify", file, **keywords)


for _name, _method in list(vars(Commands).items()):
    if not _name.startswith("_") and _name != "ask":
        with_options("" if _name == "summary" else _name, _method)
