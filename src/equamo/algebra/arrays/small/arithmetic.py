"""Operations on two numbers that never raise: as in NumPy, 1/0 is inf and √−1 is nan."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

add: Callable[..., Any] = operator.add
subtract: Callable[..., Any] = operator.sub
multiply: Callable[..., Any] = operator.mul
negative: Callable[..., Any] = operator.neg
less: Callable[..., Any] = operator.lt
less_equal: Callable[..., Any] = operator.le
greater: Callable[..., Any] = operator.gt
greater_equal: Callable[..., Any] = operator.ge
equal: Callable[..., Any] = operator.eq
unequal: Callable[..., Any] = operator.ne


def divide(a: Any, b: Any) -> Any:
    """a / b.

    >>> divide(-1.0, 0.0), divide(0.0, 0.0), divide(1, 4)
    (-inf, nan, 0.25)
    """
    try:
        return a / b
    except ZeroDivisionError:
        if isinstance(a, complex) or a == 0 or a != a:
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)


def power(a: Any, b: Any) -> Any:
    """aᵇ, nan where it is not real.

    >>> power(-8.0, 0.5), power(2.0, 3), power(0.0, -1)
    (nan, 8.0, inf)
    """
    try:
        result = a**b
    except ZeroDivisionError:
        return math.inf
    except OverflowError:
        return math.inf if a > 0 or b % 2 == 0 else -math.inf
    real = not isinstance(a, complex) and isinstance(result, complex)
    return math.nan if real else result


def remainder(a: Any, b: Any) -> Any:
    """a mod b, with the sign of b; nan for b = 0."""
    return math.nan if b == 0 else a % b


def both(a: Any, b: Any) -> Any:
    """Whether both are true, or the common bits of two integers."""
    return a & b


def either(a: Any, b: Any) -> Any:
    """Whether one is true, or the bits of either integer."""
    return a | b


def rounded(x: Any, decimals: Any) -> Any:
    """A number rounded to some decimals, ties to even."""
    return round(x, decimals)


def smaller(a: Any, b: Any) -> Any:
    """The smaller of two numbers; nan if the first is."""
    return a if a != a or a < b else b


def larger(a: Any, b: Any) -> Any:
    """The larger of two numbers; nan if the first is."""
    return a if a != a or a > b else b


def choice(condition: Any, a: Any, b: Any) -> Any:
    """a if the condition is true, else b."""
    return a if condition else b


def opposite(x: Any) -> Any:
    """Logical opposite of a truth value, bits of an integer inverted."""
    return not x if isinstance(x, bool) else ~x


def total(function: Callable[..., float]) -> Callable[..., float]:
    """A function of `math` without exceptions: nan outside its domain, inf on overflow.

    >>> total(math.sqrt)(-1.0), total(math.exp)(1000.0)
    (nan, inf)
    """

    def safe(*x: float) -> float:
        try:
            return function(*x)
        except ValueError:
            return -math.inf if function is math.log and x[0] == 0 else math.nan
        except OverflowError:
            return math.inf

    return safe


def sign(x: float) -> float:
    """−1, 0 or 1; nan stays."""
    return x if x != x else float((x > 0) - (x < 0))
