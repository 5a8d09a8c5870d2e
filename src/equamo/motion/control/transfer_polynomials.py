"""Numerator and denominator of a transfer function, from its Markov parameters.

    (1) c (s 1 − A)⁻¹ b = Σ h_k s^(−k−1),   h_k = c A^k b
    (2) h_k + d_1 h_(k−1) + … + d_r h_(k−r) = 0 for k ≥ r, with the smallest r (Berlekamp-Massey)
    (3) denominator s^r + d_1 s^(r−1) + … + d_r,   numerator Σ_i (Σ_(j ≤ i) d_j h_(i−j)) s^(r−1−i)

r is the number of states that the input reaches and the output shows (the rank of the Hankel matrix), so
that poles and zeros that cancel never appear. In doubles this would be hopeless: digits are lost with
every power of A. In balls (`balls`) it is not, and zeros are zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, log
from typing import Any, Final
from weakref import WeakKeyDictionary

from .balls import (
    BITS,
    Balls,
    Rows,
    UndecidedError,
    as_fraction,
    ball,
    bits,
    combined,
    decided,
    with_enough_bits,
    zero,
)
from .precise_system import PreciseSystem

_KEPT: Final[WeakKeyDictionary[PreciseSystem, tuple[int, tuple[Rows, Rows]]]] = WeakKeyDictionary()
KEPT_BITS: Final = 256  # of each coefficient
PER_STATE: Final = 8  # bits per state and bit of range; the 2 n powers of A need 4


def transfer_polynomials(
    system: PreciseSystem, column: int, output: Any
) -> tuple[list[Fraction], list[Fraction]]:
    """(numerator, denominator), highest power first; [] for the numerator if there is no effect.

    Raises:
        UndecidedError: The precision did not suffice.
    """

    def parts() -> tuple[Rows, Balls, Balls]:
        A, B = _matrices(system)
        return between(A, [row[column] for row in B], system.output_row(output))

    needed = BITS + PER_STATE * with_enough_bits(lambda: _range_bits(*parts()))
    return with_enough_bits(lambda: _polynomials(*parts()), needed)


def _matrices(system: PreciseSystem) -> tuple[Rows, Rows]:
    """Matrices with at least as many bits as are worked with now, kept for other inputs and outputs."""
    known = _KEPT.get(system)
    if known is None or known[0] < bits():
        known = bits(), system.matrices()
        _KEPT[system] = known
    return known[1]


def _range_bits(A: Rows, b: Balls, c: Balls) -> int:
    """States times the bits between the largest and the smallest number."""
    sizes = [float(abs(x).log()) / log(2) for row in (*A, b, c) for x in row if not x.is_zero()]
    return ceil(len(A) * (max(sizes) - min(sizes) + 1)) if sizes else 0


def _polynomials(A: Rows, b: Balls, c: Balls) -> tuple[list[Fraction], list[Fraction]]:
    h = _markov(A, b, c)
    d = _recurrence(h)
    top = [combined(d[: i + 1], h[i::-1][: i + 1]) for i in range(len(d) - 1)]
    while top and top[0].is_zero():
        top = top[1:]
    if not top:
        return [], [Fraction(1)]
    return [_kept(x) for x in top], [_kept(x) for x in d]


def between(A: Rows, b: Balls, c: Balls) -> tuple[Rows, Balls, Balls]:
    """The states between input and output: those that b reaches and that reach c."""
    n = range(len(A))
    onward = [[i for i in n if not A[i][j].is_zero()] for j in n]
    backward = [[j for j in n if not A[i][j].is_zero()] for i in n]
    forward = _reached([j for j in n if not b[j].is_zero()], onward)
    back = _reached([j for j in n if not c[j].is_zero()], backward)
    kept = sorted(forward & back)
    return [[A[i][j] for j in kept] for i in kept], [b[i] for i in kept], [c[i] for i in kept]


def _reached(start: Sequence[int], following: Sequence[Sequence[int]]) -> set[int]:
    """States that a chain of dependences leads to."""
    found, new = set(start), list(start)
    while new:
        more = [i for i in following[new.pop()] if i not in found]
        found |= set(more)
        new += more
    return found


def _markov(A: Rows, b: Balls, c: Balls) -> Balls:
    """h_0 … h_(2 n − 1) of (1)"""
    h: Balls = []
    sparse = [[(j, x) for j, x in enumerate(row) if not x.is_zero()] for row in A]
    for _ in range(2 * len(A)):
        h.append(combined(c, b))
        b = [combined([x for _, x in row], [b[j] for j, _ in row]) for row in sparse]
    return h


def _recurrence(h: Balls) -> Balls:
    """[1, d_1, …, d_r] of (2): Massey, Shift-register synthesis and BCH decoding, 1969."""
    d: Balls = [ball(1)]
    last: Balls = [ball(1)]  # the shorter recurrence before the last change of length
    order, gap, missed_before = 0, 1, ball(1)
    for k in range(len(h)):
        used = min(len(d), k + 1)
        missed = combined(d[:used], [h[k - i] for i in range(used)])
        if missed.is_zero():
            gap += 1
            continue
        factor = missed / missed_before
        shifted = [zero()] * gap + [factor * x for x in last]
        size = max(len(d), len(shifted))
        before = d
        pairs = zip(_padded(d, size), _padded(shifted, size), strict=True)
        d = [decided(x - y, [x, y]) for x, y in pairs]
        if 2 * order <= k:
            order, last, missed_before, gap = k + 1 - order, before, missed, 1
        else:
            gap += 1
    return _padded(d, order + 1)[: order + 1]


def _padded(x: Balls, size: int) -> Balls:
    return [*x, *([zero()] * (size - len(x)))]


def _kept(x: Any) -> Fraction:
    if not x.is_zero() and x.rel_accuracy_bits() < KEPT_BITS // 2:
        raise UndecidedError
    return as_fraction(x, KEPT_BITS)
