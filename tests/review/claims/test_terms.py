"""Terms and monomials: signs, expansion, and the numbers at which it ends."""

from fractions import Fraction

import pytest
import sympy

from equamo.algebra.expr import ZERO, parse, symbol
from equamo.algebra.identity import prove_equal
from equamo.review.claims.terms import monomial_count, monomials, terms, total


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("0", []),
        ("a", ["a"]),
        ("a - b*(c + d) + 2", ["2", "a", "-b*(c + d)"]),
        ("a - (b - (c - d))", ["a", "-b", "c", "-d"]),
        ("-(a + b) - 3*c", ["-a", "-b", "-3*c"]),
    ],
)
def test_terms_add_up_to_the_sum(text: str, parts: list[str]) -> None:
    found = terms(parse(text))
    assert {*found} == {parse(x) for x in parts}
    assert len(found) == len(parts)
    assert prove_equal(total(found), parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "0", "a", "-a", "3*a*b", "a*(b + c)", "(a - b)*(c + 2*d)", "-(a - b)*(a + b)",
        "(a - 2*b)**2", "(a - b)*(c + d)/3 - a*c/3", "(a + b)*c - a*c", "a - (b - c)",
        "(a + b)*(c + d)*(a - d)",
    ],
)  # fmt: skip
def test_monomials_are_those_of_sympy(text: str) -> None:
    e = parse(text)
    found = monomials(e)
    assert found is not None
    expected = sympy.Add.make_args(sympy.expand(sympy.sympify(text)))
    assert {sympy.sympify(str(x)) for x in found} == {x for x in expected if x != 0}
    assert monomial_count(e) == max(1, len(found))


@pytest.mark.parametrize(
    "text", ["(a - 2*b)**3", "(a + b)**4 - (a - b)**4", "(a + b + c)**3*(a - 1)"]
)
def test_monomials_of_powers_add_up(text: str) -> None:
    found = monomials(parse(text))
    assert found is not None
    assert not {str(x) for x in found if "+" in str(x) or " " in str(x)}
    assert prove_equal(total(found), parse(text))


def test_divisors_functions_and_high_powers_are_kept() -> None:
    assert monomials(parse("(a - b)/(c + d)")) == [parse(f"{x}/(c + d)") for x in ("a", "-b")]
    for text in ("sin(a + b)", "(a + b)**5", "a**9", "1/(a + b)"):
        assert monomials(parse(text)) == [parse(text)]


def test_the_limits_are_inclusive() -> None:
    cube = parse("(1 + x + x**2 + x**3)**3")  # 64 products, 10 monomials
    assert monomials(cube, 15) is None
    assert len(monomials(cube, 16) or ()) == 10
    f, product = symbol("f"), parse("(a + b)*(c + d)")  # 4 of both
    assert monomials(product, 3) is None
    assert monomials(product, 3) is monomials(-product, 3) is monomials(product / f, 3)
    assert monomials(product + f, 3) is monomials(f - product, 3) is None
    assert len(monomials(product, 4) or ()) == 4
    long = total(symbol(f"x{k}") for k in range(60))  # 60 by default
    assert monomial_count(long) == 60
    assert monomial_count(long + f) == 100
    assert (monomial_count(ZERO), monomial_count(parse(str(Fraction(1, 2))))) == (1, 1)
