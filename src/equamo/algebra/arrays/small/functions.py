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


sin: Any = _of(total(math.sin))
cos: Any = _of(total(math.cos))
tan: Any = _of(total(math.tan))
arcsin: Any = _of(total(math.asin))
arccos: Any = _of(total(math.acos))
arctan: Any = _of(math.atan)
sinh: Any = _of(total(math.sinh))
cosh: Any = _of(total(math.cosh))
tanh: Any = _of(math.tanh)
exp: Any = _of(total(math.exp))
log: Any = _of(total(math.log))
sqrt: Any = _of(total(math.sqrt))
arctan2: Any = _of(math.atan2)
sign: Any = _of(arithmetic.sign)
absolute: Any = _of(abs)
isfinite: Any = _of(_finite)
isnan: Any = _of(_isnan)
minimum: Any = _of(arithmetic.smaller)
maximum: Any = _of(arithmetic.larger)
where: Any = _of(arithmetic.choice)


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
