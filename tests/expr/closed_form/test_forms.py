"""Prices of forms and of expressions are SymPy's counts of operations."""

from __future__ import annotations

import pytest
import sympy

from equamo.expr import parse, symbols
from equamo.expr.closed_form.forms import (
    BRACKET,
    OPERATION,
    Prices,
    Product,
    operations,
    price,
)

TEXTS = [
    "x", "2*x", "x/2", "2*x/3", "3", "2/3", "x + y", "x - y", "x + y - 2*z", "x*(y + z)",
    "2*(x + y)", "2*(x + y)*z", "(x + y)/3", "x**2", "(x + y)**2", "2*(x + y)**2*z/3", "sin(2*x)",
    "sin(x + y)*cos(x - y)", "x/y", "1/x", "1/(x + y)", "(x + y)/(x*y)", "x/(2*y)", "tanh(x/y)*z",
    "sqrt(x)*y", "x + 2*(y + z*(x + 1))", "x - 2*(y - z)", "I1 + I2 + m2*(a**2 + 2*a*b*cos(q) + b**2)",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_operations_are_those_of_sympy(text: str) -> None:
    e = parse(text)
    assert operations(e) == sympy.count_ops(e.sympy())
    assert operations(-e) == operations(e)  # a sign in front is free


def test_brackets_cost_as_much_as_operations() -> None:
    assert price(parse("x*(y + z)")) - price(parse("x*y + z")) == BRACKET
    nested, textbook = parse("m*(a**2 + b*(b + 2*c))"), parse("m*(a**2 + b**2 + 2*b*c)")
    assert operations(nested) == operations(textbook) - 1
    assert price(nested) > price(textbook)


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
