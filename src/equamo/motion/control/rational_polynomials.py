"""Polynomials with rational coefficients, highest power first: values, roots, sizes of roots."""

from __future__ import annotations

from cmath import exp, isfinite
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import log2, pi
from typing import Any, Final

from ...algebra.arrays import np
from ...basics.wording import brief
from ...errors import EvaluationError
from .balls import ball, working

FREQUENCIES: Final = 50  # at which two forms of a system are compared
CERTAIN: Final = 60  # bits of a value: more than a double has
PRECISIONS: Final = (128, 512, 2048, 8192)  # bits that are tried in turn
SLOW: Final = 3  # decades below half the sampling rate
ROOT_BITS: Final = 512

Polynomial = Sequence[Fraction]


def ratio_at(numerator: Polynomial, denominator: Polynomial, s: complex) -> complex:
    """numerator(s) / denominator(s), to the precision of a double.

    Raises:
        EvaluationError: s is a root of the denominator.
    """
    return certain(lambda: value(numerator, s) / value(denominator, s), s)


def at_points(function: Callable[[complex], complex], s: Any) -> Any:
    """Complex values of a function at one point, or an array of them."""
    if isinstance(s, (int, float, complex)):
        return function(_point(s))
    try:
        points: Any = np.asarray(s)
    except ValueError:  # rows of different lengths
        points = np.array(None)
    found = [function(_point(z)) for z in points.reshape(-1).tolist()]
    return np.array(found, dtype=complex).reshape(points.shape)


def _point(s: Any) -> complex:
    try:
        z = complex(s)
    except (TypeError, ValueError, OverflowError):
        z = complex("nan")
    if not isfinite(z):
        raise EvaluationError(
            f"s must be a finite complex number, and so must z in discrete time, got {brief(s)}."
        )
    return z


def value(p: Polynomial, s: complex) -> Any:
    """p(s) as a ball, by Horner's rule."""
    from flint import acb

    at: Any = complex_ball(s)
    total: Any = acb(0)
    for c in p:
        total = total * at + ball(c)
    return total


def complex_ball(s: complex) -> Any:
    """The exact number whose parts are the doubles of s."""
    from flint import acb

    return acb(ball(s.real), ball(s.imag))


def certain(compute: Callable[[], Any], s: complex) -> complex:
    """Value of a complex ball, computed with as many bits as it needs."""
    for bits in PRECISIONS:
        with working(bits):
            try:
                found = compute()
            except ZeroDivisionError:
                continue
            if not found.is_finite():
                continue
            if found.rel_accuracy_bits() >= CERTAIN:
                return complex(found)
    if found_is_zero(compute):
        return 0j
    raise EvaluationError(
        f"A transfer function has no value at a pole, got s = {s:.6g}; evaluate it at another s."
    )


def found_is_zero(compute: Callable[[], Any]) -> bool:
    """Whether a value is 0 to the last of many bits."""
    with working(PRECISIONS[-1]):
        try:
            found = compute()
        except ZeroDivisionError:
            return False
        return bool(found.is_finite() and found.contains(0))


def roots(p: Polynomial) -> list[complex]:
    """All roots, the largest first; several times if they are multiple."""
    from flint import fmpq, fmpq_poly

    coefficients: Any = [fmpq(c.numerator, c.denominator) for c in reversed(p)]
    with working(ROOT_BITS):
        polynomial: Any = fmpq_poly(coefficients)
        found: Any = polynomial.complex_roots() if len(p) > 1 else ()
        listed = [complex(x) for x, k in found for _ in range(k)]
    return sorted(listed, key=lambda z: (-abs(z), -z.real, -z.imag))


def sizes(p: Polynomial) -> tuple[float, float] | None:
    """log2 of bounds of the roots that are not 0: Fujiwara's, of p and of its mirror image."""
    logs = [(k, _log2(c)) for k, c in enumerate(p) if c]
    if len(logs) < 2:
        return None
    (first, a), (last, z) = logs[0], logs[-1]
    largest = max((x - a) / (k - first) for k, x in logs[1:])
    smallest = min((z - x) / (last - k) for k, x in logs[:-1])
    return smallest - 1, largest + 1


def frequencies(numerator: Polynomial, denominator: Polynomial, dt: float | None) -> list[complex]:
    """Points s = jω, or z = exp(jω dt), that cover all poles and zeros."""
    found = [x for x in (sizes(numerator), sizes(denominator)) if x is not None]
    if dt is not None:  # fractions of half the sampling rate
        return [_on_circle(pi * 10 ** (-SLOW * k / FREQUENCIES)) for k in range(FREQUENCIES)]
    # not symmetric, as undamped poles may lie in the middle
    low = min((x for x, _ in found), default=-3.0) - 2.137
    high = max((x for _, x in found), default=3.0) + 1.891
    steps = FREQUENCIES - 1
    return [complex(0, 2 ** (low + (high - low) * k / steps)) for k in range(FREQUENCIES)]


def _on_circle(angle: float) -> complex:
    return exp(1j * angle)


def _log2(x: Fraction) -> float:
    shift = abs(x.numerator).bit_length() - x.denominator.bit_length()
    scaled = abs(x) / Fraction(2) ** shift
    return shift + log2(float(scaled))
