"""Substitution commutes with evaluation, is simultaneous, and keeps what does not change."""

import random
from fractions import Fraction

import pytest

from equamo.algebra.expr import constant, parse, sin, symbol, symbols
from equamo.algebra.expr.evaluate import RATIONALS, evaluate
from equamo.algebra.expr.substitute import substitute
from equamo.errors import ExpressionError

x, y, z = symbols("x y z")


@pytest.mark.parametrize("seed", range(10))
def test_substitution_commutes_with_evaluation(seed: int) -> None:
    rng = random.Random(seed)

    def value() -> Fraction:
        return Fraction(rng.randrange(1, 40), rng.randrange(1, 9))

    e = parse("(x*y - 3)**2/(z**2 + 1) + x*(y - z)*(x + 2/7)")
    new = {x: parse("y + z/2"), y: parse("x*z"), z: constant(value())}
    at = {x: value(), y: value(), z: value()}
    inner = dict(zip(new, evaluate(new.values(), RATIONALS, at), strict=True))
    assert evaluate(substitute([e], new), RATIONALS, at) == evaluate([e], RATIONALS, inner)


def test_all_at_once() -> None:
    assert parse("x - 2*y").subs({"x": "y", "y": "x"}) is parse("y - 2*x")
    assert parse("x + y").subs({x: y, y: 2}) is y + 2


def test_whole_sub_expressions() -> None:
    e = parse("sin(x + y)**2 + z*(x + y)")
    assert e.subs({x + y: symbol("s")}) is parse("sin(s)**2 + z*s")
    assert e.subs({sin(x + y): 1, x + y: 0}) == 1


def test_what_does_not_change_is_kept() -> None:
    e = parse("sin(x)*cos(y) + z")
    assert e.subs({}) is e
    assert e.subs({"other": 3}) is e
    assert e.subs({"z": 0}) is parse("sin(x)*cos(y)")


def test_values_of_every_kind() -> None:
    assert x.subs({"x": 0.1}) == Fraction(1, 10)
    assert x.subs({"x": Fraction(1, 3)}) == Fraction(1, 3)
    assert parse("cos(x)").subs({"x": "pi/3"}) == 0.5


def test_a_pole_is_an_error() -> None:
    with pytest.raises(ExpressionError, match="zero"):
        parse("1/(x - y)").subs({"x": y})


@pytest.mark.ci
def test_a_deep_graph() -> None:
    e = x
    for i in range(50_000):
        e = e * y + (i + 1)
    assert e.subs({"y": 0}) == 50_000
