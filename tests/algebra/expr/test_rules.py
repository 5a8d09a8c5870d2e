"""The rules never change a value, never expand, and keep the form that `graph` promises."""

import operator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy
import pytest
from hypothesis import given, strategies as st

from equamo.algebra.expr import Expr, as_expr, constant, parse, sqrt, symbol, symbols
from equamo.algebra.expr.evaluate import RATIONALS, evaluate
from equamo.algebra.expr.graph import ADD, CONST, DIV, MUL, NEG, POW, SUB
from equamo.algebra.expr.rules import (
    difference_of_products,
    signed_product,
    signed_sum,
    sum_of_products,
)
from equamo.algebra.expr.walk import walk
from equamo.errors import ExpressionError

x, y, z = symbols("x y z")
NAMES = ("x", "y", "z")
BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}

numbers = st.fractions(min_value=-3, max_value=3, max_denominator=4)
steps = st.tuples(
    st.sampled_from(["+", "-", "*", "/", "neg", "pow", "number"]),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    numbers,
)


def perform(program: list[Any], state: list[Fraction]) -> list[tuple[Expr, Fraction]]:
    """The same operations on nodes and on numbers, side by side."""
    made = [(symbol(n), v) for n, v in zip(NAMES, state, strict=True)]
    for op, i, j, c in program:
        (a, av), (b, bv) = made[i % len(made)], made[j % len(made)]
        if op == "neg":
            made.append((-a, -av))
        elif op == "number":
            made.append((constant(c), c))
        elif op == "pow":
            n = j % 7 - 3
            if av != 0 or n >= 0:
                made.append((a**n, av**n))
        elif op != "/" or bv != 0:
            made.append((BINARY[op](a, b), BINARY[op](av, bv)))
        if max(abs(made[-1][1].numerator), made[-1][1].denominator) > 10**60:
            made.pop()
    return made


@pytest.mark.ci
@given(st.lists(steps, max_size=25), st.lists(numbers, min_size=3, max_size=3))
def test_rules_never_change_the_value(program: list[Any], state: list[Fraction]) -> None:
    made = perform(program, state)
    values = dict(zip(symbols(NAMES), state, strict=True))
    assert evaluate([e for e, _ in made], RATIONALS, values) == [v for _, v in made]


@pytest.mark.ci
@given(st.lists(steps, max_size=25))
def test_the_form_that_the_graph_promises(program: list[Any]) -> None:
    made = perform(program, [Fraction(1, 3), Fraction(-2, 5), Fraction(7)])
    for n in walk([e for e, _ in made]):
        if n.op == CONST:
            assert n.a >= 0
            assert isinstance(n.a, int) or n.a.denominator > 1
        if n.op in (ADD, SUB, MUL):
            assert n.a.h < n.b.h  # structural order
            assert not (n.a.op == n.b.op == CONST)
        if n.op in (MUL, DIV, POW, NEG, ADD, SUB):  # the minus sign is outermost
            assert NEG not in [a.op for a in n.args]
        if n.op == POW:
            assert n.b >= 2


@pytest.mark.ci
@given(st.lists(steps, max_size=15))
def test_nodes_rebuilt_from_their_operands_are_themselves(program: list[Any]) -> None:
    for n, _ in perform(program, [Fraction(1, 3), Fraction(-2, 5), Fraction(7)]):
        for m in walk([n]):
            if m.op in (ADD, SUB, MUL, DIV):
                f = {ADD: "+", SUB: "-", MUL: "*", DIV: "/"}[m.op]
                assert BINARY[f](m.a, m.b) is m


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (x + 0, x),
        (0 - x, -x),
        (x * 1, x),
        (x * -1, -x),
        (x * 0, constant(0)),
        (x / 1, x),
        (0 / x, constant(0)),
        (x + x, 2 * x),
        (2 * x + 3 * x, 5 * x),
        (2 * x - 3 * x, -x),
        (x - x, constant(0)),
        (x * x, x**2),
        (x**2 * x**3, x**5),
        (x**3 / x, x**2),
        (x / x**3, 1 / x**2),
        (x / x, constant(1)),
        ((x**2) ** 3, x**6),
        ((-x) ** 3, -(x**3)),
        ((-x) * (-y), x * y),
        (-x - y, -(x + y)),
        (2 * (3 * x), 6 * x),
        ((2 * x) * (3 * y), 6 * (x * y)),
        ((2 * x) / (4 * y), x / y / 2),
        (1 + (2 + x), 3 + x),
        (1 - (2 - x), x - 1),
        (x * (y / x), y),
        (x * y / x, y),
        (0 - (-x), x),
        (x**0, constant(1)),
        (x**-1, 1 / x),
        (sqrt(x) ** 2, x),
        (sqrt(x) ** 5, x**2 * sqrt(x)),
        (x ** Fraction(3, 2), x * sqrt(x)),
    ],
)
def test_local_rules(made: Expr, expected: Expr) -> None:
    assert made is expected


def test_nothing_is_expanded() -> None:
    e = (x + y) * (x - z)
    assert e.op == MUL
    assert ((x + y) ** 2).op == POW
    assert (x * (y + z) + x * y).op == ADD
    assert (x**2 - y**2) / (x - y) is not x + y


# -- numbers ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "tenth",
    [0.1, Decimal("0.1"), Fraction(1, 10), numpy.float64(0.1), numpy.float32(0.1),
     numpy.longdouble("0.1"), numpy.array(0.1)],
)  # fmt: skip
def test_a_float_is_its_shortest_decimal(tenth: Any) -> None:
    assert (x + tenth) is x + Fraction(1, 10)
    assert (x * tenth) is x / 10
    assert as_expr(tenth) is constant(Fraction(1, 10))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_survives(value: float) -> None:
    e = constant(0) + value
    assert e.value == Fraction(repr(value))
    assert float(e) == value


def test_integers_and_booleans_of_numpy() -> None:
    assert x * numpy.int8(3) is 3 * x
    assert x + numpy.bool_(True) is x + 1
    assert x + True is x + 1


@pytest.mark.parametrize("bad", [None, 1j, numpy.complex128(1j), "x", [1], object()])
@pytest.mark.parametrize("operation", BINARY.values())
def test_an_operand_that_is_no_number(operation: Any, bad: Any) -> None:
    with pytest.raises(TypeError):
        operation(x, bad)
    with pytest.raises(TypeError):
        operation(bad, x)


@pytest.mark.parametrize(
    "bad",
    [float("nan"), float("inf"), -float("inf"), Decimal("NaN"), Decimal("sNaN"),
     Decimal("1e999999999"), numpy.float32("nan"), numpy.longdouble("inf")],
)  # fmt: skip
def test_no_number_that_is_not_finite(bad: Any) -> None:
    with pytest.raises(ExpressionError, match="must be finite"):
        _ = x + bad


# -- errors ----------------------------------------------------------------------------------------
def test_division_by_zero_is_an_error_at_once() -> None:
    for make in (lambda: x / 0, lambda: x / (y - y), lambda: constant(0) ** -1):
        with pytest.raises(ExpressionError, match="zero"):
            make()


@pytest.mark.parametrize("n", [Fraction(1, 3), x, 10**5, -(10**5), 0.3])
def test_an_exponent_out_of_the_language(n: Any) -> None:
    with pytest.raises(ExpressionError, match="exponent"):
        _ = x**n


def test_an_exponent_of_a_power_out_of_the_language() -> None:
    with pytest.raises(ExpressionError, match="must be at most 10000 in magnitude, got 18000"):
        _ = (x**9000) ** 2


def test_a_number_too_long() -> None:
    with pytest.raises(ExpressionError, match="at most 14000 bits"):
        _ = constant(10**1000) ** 9999
    with pytest.raises(ExpressionError, match="at most 14000 bits"):
        constant(10**5000)
    assert parse("2**61 - 1") is constant(2**61 - 1)


# Operands of both signs that the rules combine: equal terms, coefficients, numbers, roots of −x.
SIGNED = [sign * e for e in (x, 2 * x, x * y, 3 - x, x - y, constant(2), sqrt(-z), 2 * sqrt(-z))
          for sign in (1, -1)] + [constant(0)]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(SIGNED), st.sampled_from(SIGNED)), max_size=5),
       st.sampled_from(SIGNED))  # fmt: skip
def test_sums_of_products_are_the_nodes_of_the_plain_operations(
    pairs: list[tuple[Expr, Expr]], start: Expr
) -> None:
    total = start
    for a, b in pairs:
        total = total + a * b
    assert sum_of_products([a for a, _ in pairs], [b for _, b in pairs], start) is total
    if len(pairs) > 1:
        (a, b), (c, d) = pairs[:2]
        assert difference_of_products(a, b, c, d, start) is start + a * b - c * d
        assert difference_of_products(a, b, c, d) is a * b - c * d


@given(st.sampled_from(SIGNED), st.sampled_from(SIGNED))
def test_signs_beside_nodes(a: Expr, b: Expr) -> None:
    node, minus = signed_product(a, b)
    assert node.op != NEG
    assert (-node if minus else node) is a * b
    if NEG not in (a.op, b.op):
        for s, t in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            node, minus = signed_sum(a, s < 0, b, t < 0)
            assert node.op != NEG
            assert (-node if minus else node) is s * a + t * b
