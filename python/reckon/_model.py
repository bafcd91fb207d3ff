# SPDX-License-Identifier: MIT
"""Models, their figures with formulas, and gauges that read quantities at many numbers."""
from __future__ import annotations

import json
from fractions import Fraction
from os import PathLike, fspath
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Union

from ._commands import Commands
from ._door import CountError, Door, InputError, NoNumberError, fail, take_text, text_of, word
from ._number import Counted, plain, whole
from ._reckon import ffi, lib

Number = Union[int, Fraction]


def _count(n) -> int:
    return (n.high << 64) | n.low


def _symbols(values: Mapping[str, Any]):
    return ffi.new("char[]", word(" ".join(f"{k}={v}" for k, v in values.items()))) if values else ffi.NULL


class Figure(Counted):
    """A quantity of a model: an exact count at the model's numbers, and the closed formula behind it.

    It calculates, compares, sorts and is formatted as the number that it is; ``value`` is that number as an int, and
    ``formula``, ``factored`` and ``latex`` are the formula.  Called, it is evaluated at other numbers of the run.

    >>> import reckon
    >>> model = reckon.open("gpt2-xl")
    >>> model.parameters
    <Figure 1557611200 = 12LD² + 13LD + DV + DC + 2D>
    >>> print(model.parameters, f"{model.parameters:,} {model.parameters:.2e}")
    1557611200 1,557,611,200 1.56e+09
    >>> model.parameters / 1e9, model.parameters > 10**9
    (1.5576112, True)
    >>> model.step == model.forward + model.backward, model.step.formula
    (True, '72BSLD² + 12BS²LD + 6BSDV')
    >>> model.step.value, model.step(B=2, S=512)
    (10520110694400, 10036926873600)

    Where a symbol has no number, the figure has none either: it prints as its formula, and ``value`` is a NoNumberError.
    """

    def __init__(self, account, figure):
        self._account = account
        self._figure = figure

    def _written(self, style: int) -> str:
        out, error = ffi.new("char **"), ffi.new("reckon_error *")
        code = lib.reckon_formula(self._figure, style, out, error)
        if code != lib.RECKON_OK:
            fail(code, error)
        return take_text(out) or ""

    @property
    def formula(self) -> str:
        """As text: '24BSLD² + 4BS²LD + 2BSDV'."""
        return self._written(lib.RECKON_TEXT)

    @property
    def factored(self) -> str:
        """The same with common factors before brackets: '2BSD(12LD + 2SL + V)'."""
        return self._written(lib.RECKON_FACTORED)

    @property
    def latex(self) -> str:
        """The formula as LaTeX: '24BSLD^{2} + 4BS^{2}LD + 2BSDV'."""
        return self._written(lib.RECKON_LATEX)

    @property
    def value(self) -> int:
        """The number, a plain int of any size."""
        out, error = ffi.new("reckon_count *"), ffi.new("reckon_error *")
        code = lib.reckon_value(self._figure, out, error)
        if code != lib.RECKON_OK:
            fail(code, error)
        return _count(out[0])

    def _known(self) -> Optional[int]:
        try:
            return self.value
        except (NoNumberError, CountError):
            return None

    def __call__(self, **numbers: int) -> int:
        """The count at other numbers of the run: ``figure(B=8, S=4096)``."""
        error, sheet = ffi.new("reckon_error *"), ffi.gc(ffi.new("reckon_sheet **"), lib.reckon_sheet_free)
        figures = ffi.new("const reckon_figure *[]", [self._figure])
        out = ffi.new("reckon_count *")
        code = lib.reckon_sheet_new(self._account[0], figures, 1, sheet, error)
        for name, value in numbers.items():
            if code == lib.RECKON_OK:
                code = lib.reckon_sheet_set(sheet[0], word(name), _whole(name, value), error)
        if code == lib.RECKON_OK:
            code = lib.reckon_sheet_evaluate(sheet[0], out, error)
        if code != lib.RECKON_OK:
            fail(code, error)
        return _count(out[0])

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Figure) and self._figure == other._figure:
            return True
        value = self._known()
        if value is None or (isinstance(other, Figure) and other._known() is None):
            return False  # what has no number is equal to itself alone
        return value == plain(other)

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return not same if isinstance(same, bool) else self.value != plain(other)  # an array's is one of each element

    def __hash__(self) -> int:
        value = self._known()
        return hash(self._figure if value is None else value)

    def __repr__(self) -> str:
        value, formula = self._known(), self.formula
        return f"<Figure {formula}>" if value is None or formula == str(value) else f"<Figure {value} = {formula}>"

    def __str__(self) -> str:
        value = self._known()
        return self.formula if value is None else str(value)

    def _repr_latex_(self) -> str:
        value, formula = self._known(), self.latex
        if value is None or formula == str(value):
            return f"${formula}$"
        return f"${formula} = {f'{value:,}'.replace(',', '{,}')}$"


def _whole(name: str, value: Any) -> int:
    number = whole(value)
    if number is None or not 0 < number < 1 << 63:
        raise InputError(f"{name} takes a whole number from 1 to 2^63 - 1, not {value!r}")
    return number


class Symbol(NamedTuple):
    """A letter of the formulas."""

    name: str
    value: Optional[int]  #: None: it has no number
    meaning: Optional[str]
    key: Optional[str]  #: of the config that it comes from
    of_run: bool  #: B, S …: of a run, not of the model


class Gauge:
    """Quantities by name, compiled once and read at many numbers: one thread's at a time.

    >>> import reckon
    >>> gauge = reckon.open("gpt2").gauge("params", "flops:attention/flops", S=1024)
    >>> gauge(S=2048)["params"], round(float(gauge(S=4096)["flops:attention/flops"]), 3)
    (124439808, 0.522)
    """

    def __init__(self, request, run, quantities, symbols: Mapping[str, Any]):
        error = ffi.new("reckon_error *")
        self._gauge = ffi.gc(ffi.new("reckon_gauge **"), lib.reckon_gauge_free)
        code = lib.reckon_gauge_new(request, run, word(",".join(quantities)), _symbols(symbols), self._gauge, error)
        if code != lib.RECKON_OK:
            fail(code, error)
        self.quantities: List[str] = [
            text_of(lib.reckon_gauge_at(self._gauge[0], i).name) or "" for i in range(lib.reckon_gauge_count(self._gauge[0]))
        ]

    def __call__(self, **numbers: int) -> Dict[str, Number]:
        """Sets symbols, and reads every quantity: whole numbers, of a ratio a Fraction."""
        error = ffi.new("reckon_error *")
        out = ffi.new("reckon_reading[]", len(self.quantities))
        code = lib.RECKON_OK
        for name, value in numbers.items():
            if code == lib.RECKON_OK:
                code = lib.reckon_gauge_set(self._gauge[0], word(name), _whole(name, value), error)
        if code == lib.RECKON_OK:
            code = lib.reckon_gauge_read(self._gauge[0], out, error)
        if code != lib.RECKON_OK:
            fail(code, error)
        readings: Dict[str, Number] = {}
        for i, name in enumerate(self.quantities):
            over, under = _count(out[i].over), _count(out[i].under)
            is_ratio = lib.reckon_gauge_at(self._gauge[0], i).is_ratio
            readings[name] = Fraction(over, under) if is_ratio else over
        return readings


class Model(Commands):
    """A model: its commands (``params``, ``flops``, ``memory`` …), its symbols, and its totals as figures."""

    def __init__(self, source: object = None, *, text: Optional[str] = None, config: object = None,
                 family: Optional[str] = None, folder: Union[str, "PathLike[str]", None] = None, budget: int = 0):
        files: Dict[str, bytes] = {}
        given = [w for w in (source, text, config) if w is not None]
        if len(given) != 1 and not (text is not None and config is not None and source is None):
            raise InputError("one model is wanted: a name or a path, text='model …', or config={…}")
        if isinstance(source, Mapping):
            source, config = None, source
        if isinstance(config, Mapping):
            config = json.dumps(config)
        self._request = ffi.new("reckon_request *")
        self._kept: List[Any] = []
        words: List[str] = []
        if source is not None:
            words = [fspath(source) if isinstance(source, PathLike) else str(source)]
            self._request.model = self._keep(words[0])
        if text is not None:
            words = ["model.rk"]
            files["model.rk"] = text.encode()
            self._request.model = self._keep("model.rk")
            self._request.model_text = self._keep(text)
        if config is not None:
            if text is None and family is not None:
                words = [family]
                self._request.model = self._keep(family)
            words.append("config.json")
            files["config.json"] = str(config).encode()
            self._request.config = self._keep("config.json")
            self._request.config_text = self._keep(str(config))
        if folder is not None:
            self._request.library = self._keep(fspath(folder))
        self._words = words
        self._door = Door(files, None if folder is None else fspath(folder), budget) if files or folder or budget else door
        self._account = self._open()

    def _keep(self, text: str):
        self._kept.append(ffi.new("char[]", word(text)))
        return self._kept[-1]

    def _open(self):
        account = ffi.gc(ffi.new("reckon_account **"), lib.reckon_close)
        error, mistakes = ffi.new("reckon_error *"), ffi.new("char **")
        code = lib.reckon_open(self._request, account, mistakes, error)
        if code == lib.RECKON_OK:
            return account
        stored = ffi.gc(ffi.new("reckon_stored **"), lib.reckon_stored_close)
        if self._request.config_text == ffi.NULL and self._request.model_text == ffi.NULL and \
                lib.reckon_stored_open(self._request.model, stored, ffi.NULL) == lib.RECKON_OK:
            return None  # a checkpoint without a config: it has tensors, and no equations
        fail(code, error, take_text(mistakes))

    def __repr__(self) -> str:
        return f"<Model {self.name}>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return self.summary()._repr_mimebundle_()

    def _need(self):
        if self._account is None:
            raise InputError(f"{self._words[0]}: a checkpoint without a config has no equations; params() lists what is stored")
        return self._account[0]

    @property
    def name(self) -> str:
        return (text_of(lib.reckon_model_name(self._account[0])) if self._account else None) or self._words[0]

    @property
    def family(self) -> Optional[str]:
        return text_of(lib.reckon_model_family(self._need()))

    @property
    def about(self) -> str:
        """One line about it."""
        return text_of(lib.reckon_model_about(self._need())) or ""

    def _total(self, which: int) -> Figure:
        return Figure(self._account, lib.reckon_total(self._need(), which))

    @property
    def parameters(self) -> Figure:
        """A tensor with two names counts once: what papers quote."""
        return self._total(lib.RECKON_STORED)

    @property
    def active(self) -> Figure:
        """Parameters that one token uses."""
        return self._total(lib.RECKON_ACTIVE)

    @property
    def forward(self) -> Figure:
        """FLOPs of a forward pass."""
        return self._total(lib.RECKON_FORWARD)

    @property
    def backward(self) -> Figure:
        """FLOPs of a backward pass."""
        return self._total(lib.RECKON_BACKWARD)

    @property
    def step(self) -> Figure:
        """FLOPs of a forward and a backward pass."""
        return self._total(lib.RECKON_STEP)

    @property
    def symbols(self) -> Dict[str, Symbol]:
        """The letters of the formulas, in the order of the model file.

        >>> import reckon
        >>> reckon.open("gpt2").symbols["D"].value
        768
        """
        out: Dict[str, Symbol] = {}
        for i in range(lib.reckon_symbol_count(self._need())):
            s = lib.reckon_symbol_at(self._account[0], i)
            name = text_of(s.name) or ""
            out[name] = Symbol(name, s.value if s.known else None, text_of(s.meaning), text_of(s.key),
                               s.kind == lib.RECKON_SYMBOL_RUN)
        return out

    def gauge(self, *quantities: str, layout: Optional[str] = None, **symbols: Any) -> Gauge:
        """Reads quantities ("flops", "memory.peak", "flops:attention/flops") at many numbers of the symbols given.

        With a layout they are those of a rank; the size of an axis may be a symbol, too.

        >>> import reckon
        >>> peak = reckon.open("gpt2").gauge("memory.peak", layout="tp=2", fsdp=2)
        >>> peak(fsdp=8)["memory.peak"] < peak(fsdp=2)["memory.peak"]
        True
        """
        request = ffi.new("reckon_request *", self._request[0])
        kept = ffi.new("char[]", word(layout)) if layout is not None else ffi.NULL
        request.layout = kept
        return Gauge(request, ffi.NULL, quantities, symbols)


door = Door()
