"""Expressions in normal form compute the same, and hold nothing but + − × ÷ and roots."""

from __future__ import annotations

import math
from random import Random

import pytest

from equamo.algebra.expr import parse
from equamo.algebra.expr.evaluate import FLOATS, Tape
from equamo.algebra.expr.functions import SQRT
from equamo.algebra.expr.graph import CONST, DIV, LAST_LEAF, SYMBOL, Expr
from equamo.algebra.expr.walk import symbols, walk
from equamo.algebra.identity.normal_form import NormalForm, normal_form

TEXTS = [
    "cos(a + b)*sin(a - 2*b) + tan(a/3)",
    "sin(5*a/6) + cos(a/4)",
    "cos(a + pi/4) - sin(pi/2 - b)",
    "cos(-3*a + pi)",
    "sin(R*(a - b)/L)*cos(R*a/L)",
    "sqrt(a**2 + b**2 + 1)/(1 + exp(a))",
    "tanh(a)*tanh(a*b + a*c) + sign(b)*abs(a)",
    "cos(atan2(a, b))*pi + log(c)",
    "atan2(a, b) + asin(c/9)",
]


def value(e: Expr, given: dict[str, float]) -> float:
    tape = Tape([e])
    return float(tape.run(FLOATS, {s: given[s.name] for s in symbols([e])})[0])


def values_of(form: NormalForm, given: dict[str, float]) -> dict[str, float]:
    """Values of the variables that were introduced, read from their names."""
    found = dict(given)
    for angle, (c, s) in form.circles.items():
        x = value(parse(angle), given)
        found[c.name], found[s.name] = math.cos(x), math.sin(x)
    for s in symbols(form.outputs):
        if s.b == "function":
            found[s.name] = value(parse(s.a), given)
        elif s.b == "number":
            found[s.name] = math.pi
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_the_normal_form_has_the_same_value(text: str) -> None:
    e, generator = parse(text), Random(text)
    form = normal_form([e])
    assert all(n.op in (CONST, SYMBOL, SQRT) or LAST_LEAF < n.op <= DIV for n in walk(form.outputs))
    for _ in range(5):
        given = {n: generator.uniform(0.2, 2) for n in ("a", "b", "c", "R", "L")}
        expected = value(e, given)
        assert value(form.outputs[0], values_of(form, given)) == pytest.approx(expected, rel=1e-9)


def test_equal_arguments_are_one_variable_and_a_lemma() -> None:
    first, second = parse("tanh(x*(y + z))"), parse("tanh(x*y + x*z)")
    assert first is not second
    form = normal_form([first, second, parse("sqrt(x*(y + z))"), parse("sqrt(x*y + x*z)")])
    assert form.outputs[0] is form.outputs[1]
    assert form.outputs[2] is form.outputs[3]
    assert len(form.lemmas) == 2
    minus = normal_form([first, parse("tanh(-x*y - x*z)")])
    assert str(minus.outputs[0] + minus.outputs[1]) == "0"
    other = normal_form([first, parse("tanh(x*y - x*z)"), parse("exp(x*y + x*z)")])
    assert len(set(other.outputs)) == 3
    assert not other.lemmas


def test_every_variable_has_a_name_of_its_own() -> None:
    long = "+".join(f"{'abcdefgh'[k % 8]}**{k}" for k in range(2, 60))
    form = normal_form([parse(f"tanh({long})"), parse(f"tanh({long} + 1)")])
    assert len({x.name for x in form.outputs}) == 2


def test_an_argument_that_is_a_symbol_in_disguise() -> None:
    """Both orders: what is known is the quotient, or the symbol."""
    texts = ["tanh((x**2 + x*y)/(x + y))", "tanh(x)"]
    for order in (texts, texts[::-1]):
        form = normal_form([parse(t) for t in order])
        assert form.outputs[0] is form.outputs[1]
        assert len(form.lemmas) == 1
    different = normal_form([parse("tanh(x)"), parse("tanh(y)")])
    assert different.outputs[0] is not different.outputs[1]
