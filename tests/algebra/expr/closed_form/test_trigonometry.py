"""Every way to write a polynomial in sines and cosines has the same value."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from equamo.algebra.expr.closed_form.trigonometry import Angles, Poly, eliminated, sparse
from equamo.algebra.expr.closed_form.variants import variants

# Generators: sin and cos of three angles, and two others.
PAIRS = [(0, 1), (2, 3), (4, 5)]
PLAIN = 8
BETA = (0.3, 1.1, -0.7)
POLYNOMIALS = st.dictionaries(
    st.tuples(*[st.integers(0, 2)] * 6, *[st.integers(0, 1)] * 2),
    st.integers(-3, 3).filter(bool),
    min_size=1,
    max_size=8,
)


def made(angles: Angles, terms: dict[tuple[int, ...], int]) -> Poly:
    padding = bytes(angles.size - PLAIN)
    return {bytes(m) + padding: v for m, v in terms.items()}


def value(angles: Angles, p: Poly) -> float:
    x = [1.0] * angles.size
    x[6:8] = 1.7, 0.4
    for vector, (s, c) in zip(angles.vectors, angles.pairs, strict=True):
        angle = sum(n * beta for n, beta in zip(vector, BETA, strict=True))
        x[s], x[c] = math.sin(angle), math.cos(angle)
    return sum(v * math.prod(y**e for y, e in zip(x, m, strict=True)) for m, v in p.items())


def close(x: float, y: float) -> bool:
    return abs(x - y) < 1e-9 * (1 + abs(x))


@pytest.mark.ci
@given(POLYNOMIALS)
def test_all_variants_are_equal(terms: dict[tuple[int, ...], int]) -> None:
    angles = Angles(PLAIN, PAIRS)
    p = made(angles, terms)
    wanted = value(angles, p)
    if not angles.plain(p):  # zero, and nothing to be written
        return
    for scale, q in variants(angles, p):
        assert close(float(scale) * value(angles, q), wanted)
        assert angles.plain(q) == {
            m: v / scale for m, v in angles.plain(p).items()
        }  # and exactly so


@given(POLYNOMIALS)
def test_plain_has_no_sine_squared(terms: dict[tuple[int, ...], int]) -> None:
    angles = Angles(PLAIN, PAIRS)
    plain = angles.plain(made(angles, terms))
    assert all(m[s] < 2 for m in plain for s, _ in PAIRS)
    assert angles.plain(plain) == plain


def test_angle_sums() -> None:
    angles = Angles(PLAIN, PAIRS)
    p = made(angles, {(0, 1, 0, 1, 0, 0, 1, 0): 2, (1, 0, 1, 0, 0, 0, 1, 0): -2})
    merged = angles.merged(p, 0, 1)  # 2·x·cos(a + b)
    assert len(merged) == 1
    assert angles.vectors[-1] == (1, 1, 0)
    assert angles.plain(merged) == p
    assert angles.rebased(p, 0, 1, 1, below=2) == merged
    assert angles.harmonics(p, [0, 1]) == {m: 4 * v for m, v in merged.items()}


def test_one_angle() -> None:
    angles = Angles(PLAIN, PAIRS)
    cosines = made(angles, {(0, 2, 0, 0, 0, 0, 0, 0): 2, (0,) * 8: -1})  # 2·c² − 1
    double = angles.doubled(cosines, 0)
    assert double is not None
    assert list(double.values()) == [2]  # 2·cos 2β
    assert angles.vectors[-1] == (2, 0, 0)
    assert len(eliminated(cosines, 1, 0)) == 2
    both = made(angles, {(0, 2, 0, 0, 0, 0, 1, 0): -1, (0,) * 6 + (1, 0): 1, (0,) * 7 + (1,): 1})
    assert len(sparse(both, 0, 1)) == 2  # x − x·c² + y = x·s² + y


def test_room_for_angles_ends() -> None:
    angles = Angles(PLAIN, PAIRS)
    found = [angles.derived((1, n, 0)) for n in range(2, 60)]
    assert found[0] == (3, 1)
    assert found[-1] is None
    assert angles.derived((-1, -2, 0)) == (3, -1)
