# SPDX-License-Identifier: MIT
"""What a question was answered: keys as attributes, tables for pandas, pages for people."""
from __future__ import annotations

import json
import re
from os import PathLike, fsdecode, path as paths
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

from ._door import Door, InputError

_FORMATS = {".html": "html", ".htm": "html", ".md": "md", ".tex": "latex", ".json": "json", ".csv": "csv", ".svg": "svg",
            ".txt": "text"}


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return Row(value)
    if isinstance(value, list):
        return [_wrapped(v) for v in value]
    return value


class Row(Mapping[str, Any]):
    """An object of an answer: ``row.bytes`` and ``row["bytes"]`` are the same.

    Counts are whole numbers of any size; what is not known is None.
    """

    def __init__(self, values: Mapping[str, Any]):
        self.__dict__["_values"] = values

    def __getitem__(self, key: str) -> Any:
        return _wrapped(self._values[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        if key in self._values:
            return self[key]
        raise AttributeError(f"the answer has no '{key}': it has {', '.join(self._values)}")

    def __setattr__(self, key: str, value: Any) -> None:
        raise AttributeError("an answer does not change")

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._values]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self._values.items())})"

    def to_dict(self) -> Dict[str, Any]:
        """The same as a plain dict of dicts and lists, a copy."""
        return json.loads(json.dumps(self._values))


def _flat(values: Mapping[str, Any], before: str = "") -> Dict[str, Any]:
    out: Dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            out.update(_flat(value, f"{before}{key}."))
        else:
            out[before + key] = value
    return out


class Answer(Row):
    """An answer, with all that ``--format json`` of the command has.

    It prints as the command's page, is shown as tables in a notebook, and can be had in every format of the command.
    """

    def __init__(self, door: Door, words: Sequence[object]):
        reply = door.ask(words, "json")
        super().__init__(json.loads(reply.text))
        self.__dict__.update(_door=door, _words=list(words), differs=reply.differs, unfit=reply.unfit)

    def __reduce__(self):
        return Answer, (self._door, self._words)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<reckon {' '.join(map(str, self._words))}>"

    def format(self, name: str) -> str:
        """The answer as "text", "md", "html", "latex", "csv", "json", or of some commands "svg"."""
        return self._door.ask(self._words, name).text

    def text(self) -> str:
        """The page that the command prints."""
        return self.format("text")

    def markdown(self) -> str:
        return self.format("md")

    def html(self) -> str:
        """A whole page, to be kept or published."""
        return self.format("html")

    def latex(self) -> str:
        return self.format("latex")

    def csv(self) -> str:
        return self.format("csv")

    def json(self) -> str:
        return self.format("json")

    def save(self, path: "str | PathLike[str]") -> None:
        """Writes the answer to a file, in the format that its ending says: .html .md .tex .json .csv .svg .txt.

        Without an ending it is text; another ending is an InputError, a ValueError.
        """
        name = fsdecode(path)
        ending = paths.splitext(name)[1]
        if ending and ending.lower() not in _FORMATS:
            raise InputError(f"{name}: the ending '{ending}' is that of no format, but {' '.join(_FORMATS)} are")
        text = self.format(_FORMATS.get(ending.lower(), "text"))
        with open(name, "w", encoding="utf-8", newline="") as f:
            f.write(text)

    @property
    def notes(self) -> List[str]:
        """What the page remarks beside its numbers: what was assumed and counted, what another choice would give.

        The notes of the model file are among them; ``answer["notes"]`` has these alone, where there are any.

        >>> import reckon
        >>> run = reckon.open("gpt2-xl").train(tokens="1B", device="a100-80gb", mfu="40%")
        >>> run.time.type, round(run.time.days, 1)
        ('fp32', 15.2)
        >>> [note for note in run.notes if "bf16" in note]  # doctest: +ELLIPSIS
        ["The type is fp32, ...: --dtype bf16 would take 0.9528 days."]
        """
        # The Markdown of the page sets notes, and nothing else, in italics, a line each.
        prose = re.sub(r"^```.*?^```$", "", self.markdown(), flags=re.M | re.S)
        return [re.sub(r"\\(\W|_)", r"\1", note) for note in re.findall(r"^\*(?!\*)(.+)\*$", prose, re.M)]

    def tables(self) -> List[str]:
        """The keys of the lists of rows that the answer has."""
        return [k for k, v in self._values.items() if isinstance(v, list) and v and all(isinstance(r, dict) for r in v)]

    def to_dicts(self, table: Optional[str] = None) -> List[Dict[str, Any]]:
        """The rows of a table, each a flat dict: what ``pandas.DataFrame`` takes.

        ``table`` is one of ``tables()``; without it, ``rows``, or the first one.

        >>> import reckon
        >>> [row["total"] for row in reckon.open("gpt2").params(depth=1).to_dicts()]  # doctest: +ELLIPSIS
        [39383808, ...]
        """
        keys = self.tables()
        if table is None:
            table = "rows" if "rows" in keys else keys[0] if keys else "rows"
        rows = self._values.get(table, None if table != "rows" else [])
        if not isinstance(rows, list) or not all(isinstance(r, dict) for r in rows):
            raise KeyError(f"'{table}' is no table of the answer: it has {', '.join(keys) or 'none'}")
        return [_flat(r) for r in rows]

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": self.text(), "text/markdown": self.markdown()}
