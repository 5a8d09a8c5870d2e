"""Prices of forms and of expressions are SymPy's counts of operations."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from equamo.algebra.expr import parse, symbols
from equamo.algebra.expr.closed_form.forms import (
    BRACKET,
    NESTED,
    OPERATION,
    Prices,
    Product,
    nested_fractions,
    operations,
    price,
)
from equamo.algebra.expr.walk import walk

pytestmark = pytest.mark.needs("sympy")

TEXTS = [
    "x", "2*x", "x/2", "2*x/3", "3", "2/3", "x + y", "x - y", "x + y - 2*z", "x*(y + z)",
    "2*(x + y)", "2*(x + y)*z", "(x + y)/3", "x**2", "(x + y)**2", "2*(x + y)**2*z/3", "sin(2*x)",
    "sin(x + y)*cos(x - y)", "x/y", "1/x", "1/(x + y)", "(x + y)/(x*y)", "x/(2*y)", "tanh(x/y)*z",
    "sqrt(x)*y", "x + 2*(y + z*(x + 1))", "x - 2*(y - z)", "I1 + I2 + m2*(a**2 + 2*a*b*cos(q) + b**2)",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_operations_are_those_of_sympy(text: str) -> None:
    e = parse(text)
    assert operations(e) == sympy.count_ops(e.sympy(simplify=False))
    assert operations(-e) == operations(e)  # a sign in front is free


def test_brackets_cost_as_much_as_operations() -> None:
    assert price(parse("x*(y + z)")) - price(parse("x*y + z")) == BRACKET
    nested, textbook = parse("m*(a**2 + b*(b + 2*c))"), parse("m*(a**2 + b**2 + 2*b*c)")
    assert operations(nested) == operations(textbook) - 1
    assert price(nested) > price(textbook)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("g*(m/M + 1)/L", 1), ("(a/b + c)**2/d", 1), ("(a/b - (c/d + e)/f)/h", 2), ("a*(b/c + d)", 0),
        ("(a/2 + b)/c", 0), ("(a/b + c)/2", 0), ("a/b + c/d", 0), ("sin(a/b + c)/d", 0), ("a*b/c/d", 0),
    ],
)  # fmt: skip
def test_fractions_within_fractions(text: str, count: int) -> None:
    assert len(nested_fractions(walk([parse(text)]))) == count


def test_a_fraction_within_a_fraction_costs_more_than_brackets() -> None:
    nested, single = parse("g*(m/M + 1)/L"), parse("g*(M + m)/(L*M)")
    assert operations(nested) == operations(single)
    assert price(nested, bracket=0) < price(single, bracket=0)  # a symbol less
    assert price(nested) - price(nested, bracket=0) == BRACKET + NESTED
    assert price(single) - price(single, bracket=0) == BRACKET
    assert price(nested) > price(single)


def test_no_fraction_that_a_factor_cancels() -> None:
    x, y, z = symbols("x y z")
    prices = Prices([0, 0, 0])
    inner = prices.sum([(1, ((0, 1),)), (3, ((1, 1),)), (3, ((2, 1),))])  # x + 3·y + 3·z
    cube: Product = (1, ((inner, 3),))
    assert str(prices.to_expr((1, ((inner, 1), (0, 1))), [x, y, z])) == "x*(x + 3*y + 3*z)"
    assert str(prices.to_expr(cube, [x, y, z])) == "(x + 3*y + 3*z)**3"
    third: Product = (parse("1/3").a, ((inner, 1), (0, 1)))
    assert str(prices.to_expr(third, [x, y, z])) == "x*(x/3 + y + z)"
    # Numbers of a bracket with fractions that no given scale removes become integers.
    uneven = prices.sum([(parse("1/2").a, ((0, 1),)), (parse("1/3").a, ((1, 1),))])
    assert str(prices.to_expr((6, ((uneven, 1), (2, 1))), [x, y, z])) == "z*(3*x + 2*y)"


def test_numbers_go_where_they_cost_least() -> None:
    x, y, z = symbols("x y z")
    prices = Prices([0, 0, 0])
    inner = prices.sum([(1, ((0, 1),)), (2, ((1, 1),))])  # x + 2·y
    assert str(prices.to_expr((1, ((inner, 2), (2, 1))), [x, y, z])) == "z*(x + 2*y)**2"
    quarter: Product = prices.times((1, ((2, 1),)), (parse("1/4").a, ((inner, 2),)))
    assert str(prices.to_expr(quarter, [x, y, z])) == "z*(x/2 + y)**2"


def test_brackets_that_stand_alone_are_removed() -> None:
    prices = Prices([0, 0, 0])
    inner = prices.sum([(1, ((0, 1),)), (1, ((1, 1),))])
    outer = prices.sum([(3, ((inner, 1),)), (1, ((2, 1),))])
    assert len(outer.terms) == 3
    assert outer.price // OPERATION == 4  # 3·x + 3·y + z


def test_tangents() -> None:
    x, y, z = parse("sin(x)"), parse("1/cos(x)"), parse("y")
    form: Product = (2, ((0, 1), (1, 2), (2, 1)))
    assert str(Prices([0, 0, 0]).to_expr(form, [x, y, z])) == "2*y*tan(x)/cos(x)"


@pytest.mark.parametrize(("number", "operations"), [(7, 0), (Fraction(2, 3), 1), (-1, 0)])
def test_a_number_alone_needs_only_its_division(number: Fraction | int, operations: int) -> None:
    value = Fraction(number)
    size = value.numerator.bit_length() + value.denominator.bit_length()
    assert Prices([0]).product((value, ())) == operations * OPERATION + size
