"""Quantities as users type them become expressions, with the states at which the text is defined."""

from decimal import Decimal
from fractions import Fraction

import pytest
import sympy

from equamo.algebra.expr import Expr, parse, symbol
from equamo.algebra.expr.convert import as_expr, as_expr_with_domain
from equamo.errors import ExpressionError

pytestmark = pytest.mark.needs("sympy")


@pytest.mark.parametrize(
    ("x", "text"),
    [(1, "1"), (0.1, "1/10"), (Fraction(2, 3), "2/3"), (Decimal("1.5"), "3/2"), ("m*l/2", "l*m/2"),
     (sympy.Symbol("q"), "q"), (symbol("x"), "x")],
)  # fmt: skip
def test_what_is_a_quantity(x: object, text: str) -> None:
    assert as_expr(x) is parse(text)
    assert as_expr_with_domain(x)[0] is parse(text)


@pytest.mark.parametrize("x", [None, [1], {"a": 1}, object()])
def test_what_is_not(x: object) -> None:
    for read in (as_expr, as_expr_with_domain):
        with pytest.raises(ExpressionError, match="A quantity must be a number"):
            read(x)


def test_numbers_and_expressions_are_defined_where_their_nodes_are() -> None:
    x: Expr = symbol("x")
    for quantity in (1, 0.5, x, x * x / x, parse("sqrt(x)**2")):
        assert as_expr_with_domain(quantity)[1] == ()


def test_text_and_sympy_keep_what_was_written() -> None:
    assert as_expr_with_domain("x**2/x") == (symbol("x"), (parse("1/x"),))
    s = sympy.Symbol("x")
    written = sympy.Mul(s, sympy.Pow(s, -1, evaluate=False), evaluate=False)
    node, domain = as_expr_with_domain(written)
    assert node is parse("1")
    assert parse("1/x") in domain
