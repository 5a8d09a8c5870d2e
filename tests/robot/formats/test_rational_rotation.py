"""Rotations and axes of files: exactly orthonormal, and less than 1e-15 from what is written."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, strategies as st

from equamo.algebra.expr.matrix import Matrix, determinant3, identity
from equamo.errors import ModelError
from equamo.robot.formats.rational_rotation import (
    Turn,
    plane_of,
    rotation_rpy,
    simplest,
    unit_vector,
)

QUARTER = Fraction("1.57079632679489661923132169163975144209858469968755291")
SNAP = Fraction(1, 10**11)
angles = st.one_of(
    st.decimals("-7", "7", places=16).map(Fraction),
    st.sampled_from(
        ["0", "1.5707963267948966", "-3.14159265358979", "0.7853981633974483", "1e-9"]
    ).map(Fraction),
)


def reference(rpy: tuple[Fraction, Fraction, Fraction]) -> mpmath.matrix:
    with mpmath.workdps(40):
        (cr, sr), (cp, sp), (cy, sy) = (
            (mpmath.cos(a), mpmath.sin(a))
            for a in (mpmath.mpf(x.numerator) / x.denominator for x in rpy)
        )
        X = mpmath.matrix([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
        Y = mpmath.matrix([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
        Z = mpmath.matrix([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
        return Z * Y * X


def error(A: Matrix, exact: mpmath.matrix) -> float:
    with mpmath.workdps(40):
        values = [[Fraction(A[i, j].value or 0) for j in range(3)] for i in range(3)]
        return float(
            max(
                abs(mpmath.mpf(x.numerator) / x.denominator - exact[i, j])
                for i, row in enumerate(values)
                for j, x in enumerate(row)
            )
        )


@given(angles, angles, angles)
def test_rotation_is_orthonormal_and_near(r: Fraction, p: Fraction, y: Fraction) -> None:
    A = rotation_rpy(*(Turn.of(a) for a in (r, p, y)))
    assert identity(3) == A @ A.T
    assert determinant3(A).value == 1
    assert error(A, reference((r, p, y))) < 1e-15


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9))
def test_quarter_turns_are_exact(i: int, j: int, k: int) -> None:
    written = [Fraction(round(n * QUARTER * 10**12), 10**12) for n in (i, j, k)]
    A = rotation_rpy(*(Turn.of(a, SNAP) for a in written))
    assert {e.value for e in A.entries} <= {-1, 0, 1}
    assert error(A, reference((written[0], written[1], written[2]))) < 1e-10


def test_coarse_quarters_stay_as_written() -> None:
    turn = Turn.of(Fraction("1.5707963"), SNAP)
    assert not turn.is_quarter
    assert float(turn.distance) == pytest.approx(2.68e-8, rel=1e-2)
    assert Turn.of(Fraction("1.5707963"), Fraction(1, 10**7)).is_quarter


def test_numbers_are_short() -> None:
    """One angle: denominators of about 54 bits; three: about 110."""
    one = rotation_rpy(Turn.of(Fraction("0.3")), Turn.of(Fraction(0)), Turn.of(Fraction(0)))
    three = rotation_rpy(*(Turn.of(Fraction(x)) for x in ("0.3", "1.2", "-0.7")))
    assert max(Fraction(e.value or 0).denominator.bit_length() for e in one.entries) <= 60
    assert max(Fraction(e.value or 0).denominator.bit_length() for e in three.entries) <= 112


@given(st.fractions(-3, 3), st.fractions(-3, 3))
def test_simplest(a: Fraction, b: Fraction) -> None:
    low, high = min(a, b), max(a, b)
    x = simplest(low, high)
    assert low <= x <= high
    d = x.denominator
    for smaller in range(1, min(d, 30)):  # no fraction of a smaller denominator is in between
        assert -(-low.numerator * smaller // low.denominator) > high * smaller


@given(st.tuples(*[st.decimals("-9", "9", places=9).map(Fraction)] * 3))
def test_unit_vector(a: tuple[Fraction, Fraction, Fraction]) -> None:
    if not any(a):
        with pytest.raises(ModelError, match="length 0"):
            unit_vector(a)
        return
    e = unit_vector(a)
    assert (e @ e).value == 1
    with mpmath.workdps(40):
        parts = [mpmath.mpf(x.numerator) / x.denominator for x in a]
        length = mpmath.sqrt(sum(x * x for x in parts))
        for x, exact in zip(e, parts, strict=True):
            f = Fraction(x.value or 0)
            assert abs(mpmath.mpf(f.numerator) / f.denominator - exact / length) < 1e-15
    assert [x.value == 0 for x in e] == [x == 0 for x in a]
    P = plane_of(e)
    assert identity(3) == P @ P.T
    assert P.column(2) == e
