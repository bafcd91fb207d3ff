# SPDX-License-Identifier: MIT
"""The commands as methods.  Which options there are is asked of the library, so that nothing is listed twice."""
from __future__ import annotations

import functools
import json
from typing import Any, Dict, FrozenSet, List, Mapping, Sequence

from ._answer import Answer
from ._door import Door, UsageError

# Where an answer goes and how it looks is said to the answer, not to the question.
_OF_THE_ANSWER = frozenset({"--format", "--csv", "-o", "--help", "--help-all", "--version"})


@functools.lru_cache(maxsize=None)
def options_of(command: str) -> Mapping[str, FrozenSet[str]]:
    """The options of a command: all of them, those that take no value, those that may be given several times."""
    options = json.loads(Door().ask(["schema", command or "summary"]).text)["options"]
    names = {o["name"]: o for o in options if o["name"] not in _OF_THE_ANSWER}
    return {
        "all": frozenset(names),
        "flag": frozenset(n for n, o in names.items() if o["argument"] is None),
        "many": frozenset(n for n, o in names.items() if o["many"]),
    }


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
        """The operations of a training run; days, device-hours and energy as estimates."""
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
