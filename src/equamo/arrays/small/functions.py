"""Functions of every entry: sine, square root, comparisons, choices."""

from __future__ import annotations

import math
from typing import Any

from . import arithmetic
from .arithmetic import total
from .array import SmallArray, as_array, elementwise


def _of(function: Any) -> Any:
    """Apply a function to every entry; a number gives a number."""

    def apply(*arguments: Any) -> Any:
        if not any(isinstance(a, (SmallArray, list, tuple)) for a in arguments):
            return function(*arguments)
        return elementwise(function, *(as_array(a) for a in arguments))

    return apply


def _finite(x: Any) -> bool:
    return math.isfinite(x.real) and math.isfinite(x.imag)


def _isnan(x: Any) -> bool:
    return x != x


sin, cos, tan = _of(total(math.sin)), _of(total(math.cos)), _of(total(math.tan))
arcsin, arccos, arctan = _of(total(math.asin)), _of(total(math.acos)), _of(math.atan)
sinh, cosh, tanh = _of(total(math.sinh)), _of(total(math.cosh)), _of(math.tanh)
exp, log, sqrt = _of(total(math.exp)), _of(total(math.log)), _of(total(math.sqrt))
arctan2, sign = _of(math.atan2), _of(arithmetic.sign)
absolute = _of(abs)
isfinite, isnan = _of(_finite), _of(_isnan)
minimum, maximum = _of(arithmetic.smaller), _of(arithmetic.larger)
where = _of(arithmetic.choice)


def clip(array: Any, low: Any, high: Any) -> Any:
    """Entries limited to a range; None means no limit."""
    found = array if low is None else maximum(array, low)
    return found if high is None else minimum(found, high)


def around(array: Any, decimals: int = 0) -> Any:
    """Entries rounded to a number of decimals."""
    return _of(arithmetic.rounded)(array, decimals)


def polyval(x: Any, coefficients: Any) -> Any:
    """Value of a polynomial, lowest coefficient first.

    >>> polyval(2.0, [1.0, 0.0, 3.0])
    13.0
    """
    result: Any = 0.0 * x
    for c in reversed(list(coefficients)):
        result = result * x + c
    return result
