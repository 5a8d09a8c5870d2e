"""Arguments of sin and cos as combinations of monomials: the sum is the argument again."""

import random
from fractions import Fraction
from typing import Any

import pytest

from equamo.algebra.expr import Expr, constant, parse, sin, symbol, symbols
from equamo.algebra.expr.evaluate import RATIONALS, evaluate
from equamo.algebra.expr.graph import MAX_NUMBER_BITS
from equamo.algebra.expr.linear_form import LIMIT, MAX_TERMS, ONE_RADIAN, Monomial, linear_form

NAMES = "a b c L R"


def value_of(m: Monomial, at: dict[Expr, Fraction]) -> Fraction:
    product = Fraction(1)
    for atom, exponent in m:
        product *= value_of_atom(atom, at) ** exponent
    return product


def value_of_atom(atom: Any, at: dict[Expr, Fraction]) -> Fraction:
    if isinstance(atom, Expr):
        return evaluate([atom], RATIONALS, at)[0]
    return sum((c * value_of(m, at) for m, c in atom[1]), Fraction(0))


TEXTS = [
    "0", "3/7", "a", "-a", "R*(a - b)/L", "R*(a - b)/L/2", "(a + b)**3*c - a*(b - c)",
    "(a - b)/(L + R)", "(a + b)/(2*L - 2*R) + c", "1/(1/a + 1/b)", "(a*b)**5/b**2",
    "(a + b + c + L + R)**2 - a", "a - a*(b + 1) + a*b", "2*(a + 1) - 2",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_the_terms_add_up(text: str) -> None:
    e = parse(text)
    rng = random.Random(text)
    for _ in range(3):
        at = {s: Fraction(rng.randrange(1, 30), rng.randrange(1, 9)) for s in symbols(NAMES)}
        total = sum((c * value_of(m, at) for m, c in linear_form(e).items()), Fraction(0))
        assert [total] == evaluate([e], RATIONALS, at)


def test_equal_polynomials_have_one_form() -> None:
    for left, right in [
        ("R*(a - b)/L", "R*a/L - R*b/L"),
        ("(a + b)**2", "a**2 + 2*a*b + b**2"),
        ("a/(L + R)", "2*a/(2*R + 2*L)"),
        ("a - b - (a - b)", "0"),
    ]:
        assert dict(linear_form(parse(left))) == dict(linear_form(parse(right)))


def test_the_constant_term_is_in_radians() -> None:
    assert linear_form(parse("a + 1/2"))[ONE_RADIAN] == Fraction(1, 2)
    assert dict(linear_form(constant(0))) == {}


def test_no_coefficient_is_zero() -> None:
    for text in TEXTS:
        assert all(linear_form(parse(text)).values())


def test_functions_are_atoms() -> None:
    form = linear_form(parse("2*atan2(a, b) - sin(a + b)/3"))
    assert sorted(form.values()) == [Fraction(-1, 3), 2]


def test_what_does_not_fit_is_one_monomial() -> None:
    e = constant(1)
    for i in range(LIMIT):
        e = e + symbol(f"x{i}")
    square = e * e
    assert len(linear_form(square)) == 1
    assert len(linear_form(square + symbol("x0"))) == 2
    assert len(linear_form((symbol("a") + 1) ** 10_000)) == 1


def test_numbers_stay_short() -> None:
    """Exponents multiply: the coefficient of this one has 10¹¹ bits."""
    x, y = symbols("x y")
    e = 2 * x
    for _ in range(5):
        e = (e + y - y) ** 200
    for text in (e, e + x, e * e * x, e / (e + x)):
        for c in linear_form(text).values():
            assert max(c.numerator.bit_length(), c.denominator.bit_length()) <= MAX_NUMBER_BITS
    tiny = parse("x/3**4500")
    assert len(linear_form((tiny + y) * (x - y))) == 3
    assert len(linear_form((tiny + y) * (tiny - y))) == 1


def test_sums_of_too_many_terms_are_one_monomial() -> None:
    e = constant(0)
    for i in range(MAX_TERMS):
        e = e + symbol(f"x{i}")
    assert len(linear_form(e)) == MAX_TERMS
    assert len(linear_form(e + symbol("y"))) == 1


def test_products_of_too_many_atoms_are_one_monomial() -> None:
    e = symbol("x")
    for i in range(LIMIT + 5):
        e = e * sin(symbol(f"y{i}"))
    for m in linear_form(e):
        assert len(m) <= LIMIT


def test_what_is_below_a_function_is_not_looked_at() -> None:
    """Else functions inside functions take quadratic time."""
    inner = parse("a*b + c")
    known: dict[Expr, Any] = {}
    linear_form(2 * sin(inner) + symbol("L"), known)
    assert sin(inner) in known
    assert inner not in known


def test_forms_are_kept() -> None:
    a, b = symbols("a b")
    known: dict[Expr, Any] = {}
    first = linear_form(a + b, known)
    assert known[a + b] is first
    assert dict(linear_form((a + b) - 2 * a, known)) == dict(linear_form(b - a))
    assert linear_form(a + b, known) is first
