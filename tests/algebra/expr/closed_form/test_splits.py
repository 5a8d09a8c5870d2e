"""Splits of a polynomial give it back when they are multiplied out."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from equamo.algebra.expr.closed_form.splits import by_monomial, by_square, by_sum, content
from equamo.algebra.expr.closed_form.trigonometry import Poly, product, scaled, total

MONOMIALS = st.tuples(*[st.integers(0, 2)] * 4).map(bytes)
COEFFICIENTS = st.integers(-4, 4).filter(bool)
POLYNOMIALS = st.dictionaries(MONOMIALS, COEFFICIENTS, min_size=2, max_size=8)


def terms(p: Poly) -> int:
    return len(p)


@given(POLYNOMIALS)
def test_content(p: Poly) -> None:
    number, monomial, body = content(p)
    assert product({monomial: number}, body) == p
    assert body[max(body)] > 0
    assert content(body) == (1, bytes(4), body)
    assert content(scaled(p, -3))[2] == body


@given(POLYNOMIALS)
def test_by_monomial(p: Poly) -> None:
    for d, q, rest in by_monomial(p, terms):
        assert len(q) > 1
        assert total(product({d: 1}, q), rest) == p


@pytest.mark.ci
@given(POLYNOMIALS, POLYNOMIALS, POLYNOMIALS)
def test_by_sum(a: Poly, b: Poly, c: Poly) -> None:
    p = total(product(a, b), c)
    for d, q, rest in by_sum(p, terms) if len(p) > 1 else ():
        assert min(len(d), len(q)) > 1
        assert total(product(d, q), rest) == p


@pytest.mark.ci
@given(POLYNOMIALS, MONOMIALS, COEFFICIENTS, POLYNOMIALS)
def test_by_square(a: Poly, g: bytes, k: int, c: Poly) -> None:
    p = total(product({g: k}, product(a, a)), c)
    for number, monomial, root, rest in by_square(p) if len(p) > 1 else ():
        assert len(rest) <= len(p) - 3
        assert total(product({monomial: number}, product(root, root)), rest) == p


def test_what_is_there_is_found() -> None:
    x, y, z, w = (bytes(int(i == j) for j in range(4)) for i in range(4))
    one = bytes(4)
    d: Poly = {x: 1, y: -2, one: 3}
    q: Poly = {z: 1, w: 5}
    p = total(product(d, q), {bytes((0, 0, 2, 0)): 7})
    found = by_sum(p, terms)[0]
    assert found[2] == {bytes((0, 0, 2, 0)): 7}
    assert {len(found[0]), len(found[1])} == {2, 3}
    square = total(product({w: 2}, product(d, d)), {z: 1})
    k, g, root, rest = by_square(square)[0]
    assert (k, g, rest) == (2, w, {z: 1})
    assert root in (d, scaled(d, -1))
