"""Enclosure of an expression and of its rate over an interval of time.

Every node has bounds [a, b] of its values and bounds of its rate, by interval arithmetic and by the
rules of differentiation ([M] chapters 2 and 5). Bounds of symbols come from the caller. Where a function
is not defined or not smooth, the bounds are infinite; bisection then separates that place. Rounding is
not added: it is far below the errors of the steps, whose polynomials are enclosed.

[M] Moore, Kearfott, Cloud: Introduction to Interval Analysis, SIAM 2009.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from math import inf, isnan
from typing import Final, final

from ...algebra.expr import Expr
from ...algebra.expr.evaluate import Tape
from ...algebra.expr.functions import BY_NAME, TABLE
from ...algebra.expr.graph import ADD, ATAN2, CONST, DIV, MUL, NEG, PI, POW, SUB, SYMBOL

Interval = tuple[float, float]
Bounds = tuple[float, float, float, float]  # of a value, and of its rate

WHOLE: Final = (-inf, inf)
ANY: Final = (-inf, inf, -inf, inf)
_STILL: Final = (0.0, 0.0)


@final
class Enclosure:
    """Bounds of one expression, from bounds of its symbols."""

    symbols: tuple[Expr, ...]

    def __init__(self, expression: Expr) -> None:
        tape = Tape([expression])
        self._leaves: list[Expr | Bounds] = [_leaf(n) for n in tape.leaves]
        self.symbols = tuple(n for n in tape.leaves if n.op == SYMBOL)
        self._steps = [
            (op, i, j, _FUNCTIONS.get(TABLE[op].name) if op in TABLE else None)
            for op, i, j in tape.steps
        ]
        self._output = tape.outputs[0]

    def __call__(self, bounds: Mapping[Expr, Bounds]) -> Bounds:
        """Bounds of the value and of its rate."""
        v = [x if isinstance(x, tuple) else bounds[x] for x in self._leaves]
        for op, i, j, function in self._steps:
            a = v[i]
            if op == MUL:
                v.append(_mul(a, v[j]))
            elif op == ADD:
                b = v[j]
                v.append((a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]))
            elif op == SUB:
                b = v[j]
                v.append((a[0] - b[1], a[1] - b[0], a[2] - b[3], a[3] - b[2]))
            elif op == NEG:
                v.append((-a[1], -a[0], -a[3], -a[2]))
            elif op == POW:
                v.append(_power(a, j))
            elif op == DIV:
                v.append(_div(a, v[j]))
            elif op == ATAN2:
                v.append(_atan2(a, v[j]))
            elif function is None:
                v.append(ANY)
            else:
                value, slope = function(a[0], a[1])
                v.append((*value, *times(slope, (a[2], a[3]))))
        result = v[self._output]
        return ANY if any(map(isnan, result)) else result


def _leaf(n: Expr) -> Expr | Bounds:
    if n.op == SYMBOL:
        return n
    x = math.pi if n.op == PI else float(n.a)
    assert n.op in (CONST, PI)
    return x, x, 0.0, 0.0


# -- arithmetic ----------------------------------------------------------------------------------------
def times(a: Interval, b: Interval) -> Interval:
    """a b, where 0 · ∞ = 0: 0 stands for a value that is exactly 0.

    >>> times((-1.0, 2.0), (3.0, 4.0))
    (-4.0, 8.0)
    """
    if a == _STILL or b == _STILL:
        return _STILL
    p = a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]
    if any(map(isnan, p)):
        return WHOLE
    return min(p), max(p)


def _mul(a: Bounds, b: Bounds) -> Bounds:
    x, y = times((a[0], a[1]), (b[2], b[3])), times((a[2], a[3]), (b[0], b[1]))
    return (*times((a[0], a[1]), (b[0], b[1])), x[0] + y[0], x[1] + y[1])


def _div(a: Bounds, b: Bounds) -> Bounds:
    if b[0] <= 0 <= b[1]:
        return ANY
    over = 1 / b[1], 1 / b[0]
    x = times((a[0], a[1]), over)
    part = times(x, (b[2], b[3]))  # (a/b)˙ = (ȧ − (a/b) ḃ)/b
    return (*x, *times((a[2] - part[1], a[3] - part[0]), over))


def _raised(low: float, high: float, k: int) -> Interval:
    try:
        a, b = low**k, high**k
    except OverflowError:
        return WHOLE
    if k % 2:
        return a, b
    return (0.0 if low <= 0 <= high else min(a, b)), max(a, b)


def _power(a: Bounds, k: int) -> Bounds:
    low, high = _raised(a[0], a[1], k - 1)
    return (*_raised(a[0], a[1], k), *times((k * low, k * high), (a[2], a[3])))


def _atan2(y: Bounds, x: Bounds) -> Bounds:
    """The angle of a point; ±π away from the half-line on which it jumps, its rate is (x ẏ − y ẋ)/r²."""
    if x[0] <= 0 and y[0] <= 0 <= y[1]:
        return ANY
    corners = [math.atan2(b, a) for a in (x[0], x[1]) for b in (y[0], y[1])]
    if any(map(math.isinf, (*x[:2], *y[:2]))):
        return (-math.pi, math.pi, -inf, inf)
    up, down = times((x[0], x[1]), (y[2], y[3])), times((y[0], y[1]), (x[2], x[3]))
    squares = [_raised(*z[:2], 2) for z in (x, y)]
    r = squares[0][0] + squares[1][0], squares[0][1] + squares[1][1]
    rate = times((up[0] - down[1], up[1] - down[0]), (1 / r[1], 1 / r[0])) if r[0] > 0 else WHOLE
    return (min(corners), max(corners), *rate)


# -- functions: bounds of the value and of the derivative on [a, b] ------------------------------------
def _cos_bounds(a: float, b: float) -> Interval:
    if not b - a < 2 * math.pi or not math.isfinite(a):
        return -1.0, 1.0
    ends = math.cos(a), math.cos(b)
    turns = math.pi
    high = 1.0 if math.floor(b / (2 * turns)) * 2 * turns >= a else max(ends)
    low = -1.0 if math.floor((b - turns) / (2 * turns)) * 2 * turns + turns >= a else min(ends)
    return low, high


def _sin_bounds(a: float, b: float) -> Interval:
    low, high = _cos_bounds(a - math.pi / 2, b - math.pi / 2)
    if not math.isfinite(b - a):
        return low, high
    ends = math.sin(a), math.sin(b)  # exact also near 0, unlike those of the shifted cosine
    return (low if low == -1 else min(ends)), (high if high == 1 else max(ends))


def _cos(a: float, b: float) -> tuple[Interval, Interval]:
    low, high = _sin_bounds(a, b)
    return _cos_bounds(a, b), (-high, -low)


def _tan(a: float, b: float) -> tuple[Interval, Interval]:
    low, high = _cos_bounds(a, b)
    if low <= 0 <= high:
        return WHOLE, (1.0, inf)
    x = math.tan(a), math.tan(b)
    square = _raised(*x, 2)
    return x, (1 + square[0], 1 + square[1])


def _sqrt(a: float, b: float) -> tuple[Interval, Interval]:
    if a < 0:
        return WHOLE, WHOLE
    x = math.sqrt(a), math.sqrt(b)
    return x, (0.5 / x[1] if x[1] else inf, 0.5 / x[0] if x[0] else inf)


def _exp(a: float, b: float) -> tuple[Interval, Interval]:
    x = math.exp(min(a, 700.0)), inf if b > 700 else math.exp(b)
    return x, x


def _log(a: float, b: float) -> tuple[Interval, Interval]:
    if a <= 0:
        return WHOLE, WHOLE
    return (math.log(a), math.log(b)), (1 / b, 1 / a)


def _tanh(a: float, b: float) -> tuple[Interval, Interval]:
    x = math.tanh(a), math.tanh(b)
    low, high = _raised(*x, 2)
    return x, (1 - high, 1 - low)


def _abs(a: float, b: float) -> tuple[Interval, Interval]:
    if a >= 0:
        return (a, b), (1.0, 1.0)
    return ((-b, -a), (-1.0, -1.0)) if b <= 0 else ((0.0, max(-a, b)), (-1.0, 1.0))


def _sign(a: float, b: float) -> tuple[Interval, Interval]:
    if a > 0 or b < 0 or a == b:
        s = 1.0 if a > 0 else -1.0 if b < 0 else 0.0
        return (s, s), (0.0, 0.0)
    return (-1.0, 1.0), (-inf, inf)


def _arc(function: Callable[[float], float], sign: int) -> Callable[..., tuple[Interval, Interval]]:
    def bounds(a: float, b: float) -> tuple[Interval, Interval]:
        if a < -1 or b > 1:
            return WHOLE, WHOLE
        inner, outer = 1 - _raised(a, b, 2)[1], 1 - _raised(a, b, 2)[0]
        steep = (1 / math.sqrt(outer) if outer else inf, 1 / math.sqrt(inner) if inner else inf)
        x = function(a), function(b)
        return (x, steep) if sign > 0 else ((x[1], x[0]), (-steep[1], -steep[0]))

    return bounds


def _atan(a: float, b: float) -> tuple[Interval, Interval]:
    low, high = _raised(a, b, 2)
    return (math.atan(a), math.atan(b)), (1 / (1 + high), 1 / (1 + low))


_FUNCTIONS: Final[Mapping[str, Callable[[float, float], tuple[Interval, Interval]]]] = {
    "sin": lambda a, b: (_sin_bounds(a, b), _cos_bounds(a, b)),
    "cos": _cos, "tan": _tan, "sqrt": _sqrt, "exp": _exp, "log": _log, "tanh": _tanh, "abs": _abs,
    "sign": _sign, "asin": _arc(math.asin, 1), "acos": _arc(math.acos, -1), "atan": _atan,
}  # fmt: skip
assert set(_FUNCTIONS) <= set(BY_NAME)
