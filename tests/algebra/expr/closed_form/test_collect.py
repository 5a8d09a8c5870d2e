"""The search for the shortest form: its result is equal, and it terminates."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from equamo.algebra.expr.closed_form.collect import Collector
from equamo.algebra.expr.closed_form.forms import BRACKET, OPERATION, Prices, Product
from equamo.algebra.expr.closed_form.polynomial import Work
from equamo.algebra.expr.closed_form.trigonometry import Angles, Poly

SYMBOLS = 4  # then sin and cos of two angles
TERMS = st.dictionaries(
    st.tuples(*[st.integers(0, 2)] * 8), st.integers(-3, 3).filter(bool), min_size=1, max_size=10
)
POINT = [Fraction(n, 7) for n in (3, 5, -2, 11)]
CIRCLE = [(Fraction(3, 5), Fraction(4, 5)), (Fraction(5, 13), Fraction(-12, 13))]  # (sin, cos)


def collector() -> tuple[Collector, Angles, Prices]:
    prices = Prices([0] * SYMBOLS + [OPERATION] * 4)
    angles = Angles(SYMBOLS + 4, [(4, 5), (6, 7)])
    prices.generator += [2 * OPERATION] * (angles.size - len(prices.generator))
    return Collector(prices, angles), angles, prices


def padded(angles: Angles, terms: Mapping[tuple[int, ...], int]) -> Poly:
    return {bytes(m) + bytes(angles.size - len(m)): v for m, v in terms.items()}


def values(angles: Angles) -> list[Fraction]:
    x = [*POINT, *[Fraction(0)] * (angles.size - SYMBOLS)]
    for vector, (s, c) in zip(angles.vectors, angles.pairs, strict=True):
        re, im = Fraction(1), Fraction(0)
        for n, (sine, cosine) in zip(vector, CIRCLE, strict=True):
            for _ in range(abs(n)):
                y = sine if n > 0 else -sine
                re, im = re * cosine - im * y, re * y + im * cosine
        x[s], x[c] = im, re
    return x


def of_poly(p: Poly, x: list[Fraction]) -> Fraction:
    result = Fraction(0)
    for m, v in p.items():
        term = Fraction(v)
        for y, e in zip(x, m, strict=True):
            term *= y**e
        result += term
    return result


def of_form(form: Product, x: list[Fraction]) -> Fraction:
    result = Fraction(form[0])
    for base, e in form[1]:
        y = x[base] if isinstance(base, int) else sum(of_form(t, x) for t in base.terms)
        result *= y**e
    return result


@pytest.mark.ci
@given(TERMS)
def test_forms_are_equal(terms: dict[tuple[int, ...], int]) -> None:
    search, angles, prices = collector()
    p = padded(angles, terms)
    if not angles.plain(p):
        return
    form = search.search(p, Work(500))
    x = values(angles)
    assert of_form(form, x) == of_poly(p, x)
    alone = prices.sum((v, tuple((i, e) for i, e in enumerate(m) if e)) for m, v in p.items())
    # What all terms have in common is always pulled out: c·(1 + c) for c + c², as many operations
    # and one bracket more.
    assert prices.product(form) <= alone.price + BRACKET


def test_more_work_finds_no_longer_form() -> None:
    search, angles, prices = collector()
    # (x + y·c)²·z + w·(x + y)·s² + x
    p = padded(angles, {
        (2, 0, 1, 0, 0, 0, 0, 0): 1, (1, 1, 1, 0, 0, 1, 0, 0): 2, (0, 2, 1, 0, 0, 2, 0, 0): 1,
        (1, 0, 0, 1, 2, 0, 0, 0): 1, (0, 1, 0, 1, 2, 0, 0, 0): 1, (1, 0, 0, 0, 0, 0, 0, 0): 1,
    })  # fmt: skip
    found = [prices.product(collector()[0].search(p, Work(n))) for n in (0, 100, 1000, 10_000)]
    assert found == sorted(found, reverse=True)
    assert found[-1] // OPERATION <= 16
    assert prices.product(search.search(p, Work(10_000))) == found[-1]


def test_double_angles_in_products() -> None:
    search, angles, _ = collector()
    form = search.search(padded(angles, {(1, 0, 0, 0, 1, 1, 0, 0): 2}), Work(100))  # 2·x·s·c
    assert form[0] == 1
    assert len(form[1]) == 2
    assert angles.vectors[-1] == (2, 0)
