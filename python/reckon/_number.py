# SPDX-License-Identifier: MIT
"""Arithmetic of what has a number and something more: it calculates, compares, sorts and is formatted as its number."""
from __future__ import annotations

import math
import numbers
import operator
from typing import Any, Optional, Tuple


def plain(value: Any) -> Any:
    """The number of a figure; anything else as it is."""
    return value.value if isinstance(value, Counted) else value


class Counted:
    """Behaves as the whole number ``value``; what is calculated with it is a plain number."""

    __slots__ = ()

    @property
    def value(self) -> int:
        raise NotImplementedError

    # ---- as another type

    def __int__(self) -> int:
        return self.value

    def __index__(self) -> int:
        return self.value

    def __float__(self) -> float:
        return float(self.value)

    def __complex__(self) -> complex:
        return complex(self.value)

    def __bool__(self) -> bool:
        return self.value != 0

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __round__(self, digits: Optional[int] = None) -> int:
        return round(self.value, digits) if digits is not None else self.value

    def __trunc__(self) -> int:
        return self.value

    def __floor__(self) -> int:
        return math.floor(self.value)

    def __ceil__(self) -> int:
        return math.ceil(self.value)

    @property
    def numerator(self) -> int:
        return self.value

    @property
    def denominator(self) -> int:
        return 1

    @property
    def real(self) -> int:
        return self.value

    @property
    def imag(self) -> int:
        return 0

    def conjugate(self) -> int:
        return self.value

    def as_integer_ratio(self) -> Tuple[int, int]:
        return self.value, 1

    def bit_length(self) -> int:
        return self.value.bit_length()

    # ---- comparison; what is equal to a number has its hash

    def __eq__(self, other: object) -> Any:
        return self.value == plain(other)

    def __ne__(self, other: object) -> Any:
        return self.value != plain(other)

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: Any) -> Any:
        return self.value < plain(other)

    def __le__(self, other: Any) -> Any:
        return self.value <= plain(other)

    def __gt__(self, other: Any) -> Any:
        return self.value > plain(other)

    def __ge__(self, other: Any) -> Any:
        return self.value >= plain(other)

    # ---- calculation

    def __neg__(self) -> int:
        return -self.value

    def __pos__(self) -> int:
        return self.value

    def __abs__(self) -> int:
        return abs(self.value)

    def __invert__(self) -> int:
        return ~self.value

    def __add__(self, other: Any) -> Any:
        return self.value + plain(other)

    def __radd__(self, other: Any) -> Any:
        return other + self.value

    def __sub__(self, other: Any) -> Any:
        return self.value - plain(other)

    def __rsub__(self, other: Any) -> Any:
        return other - self.value

    def __mul__(self, other: Any) -> Any:
        return self.value * plain(other)

    def __rmul__(self, other: Any) -> Any:
        return other * self.value

    def __truediv__(self, other: Any) -> Any:
        return self.value / plain(other)

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.value

    def __floordiv__(self, other: Any) -> Any:
        return self.value // plain(other)

    def __rfloordiv__(self, other: Any) -> Any:
        return other // self.value

    def __mod__(self, other: Any) -> Any:
        return self.value % plain(other)

    def __rmod__(self, other: Any) -> Any:
        return other % self.value

    def __divmod__(self, other: Any) -> Any:
        return divmod(self.value, plain(other))

    def __rdivmod__(self, other: Any) -> Any:
        return divmod(other, self.value)

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        return pow(self.value, plain(other), plain(modulus))

    def __rpow__(self, other: Any, modulus: Any = None) -> Any:
        return pow(other, self.value, plain(modulus))

    def __lshift__(self, other: Any) -> Any:
        return self.value << plain(other)

    def __rlshift__(self, other: Any) -> Any:
        return other << self.value

    def __rshift__(self, other: Any) -> Any:
        return self.value >> plain(other)

    def __rrshift__(self, other: Any) -> Any:
        return other >> self.value

    def __and__(self, other: Any) -> Any:
        return self.value & plain(other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return self.value | plain(other)

    __ror__ = __or__

    def __xor__(self, other: Any) -> Any:
        return self.value ^ plain(other)

    __rxor__ = __xor__


numbers.Integral.register(Counted)


def whole(value: Any) -> Optional[int]:
    """An int, or what can stand for one (a figure, numpy's); None: it is something else, or True or False."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None
