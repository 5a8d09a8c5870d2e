"""What is rewritten before a proof keeps its value where it is defined."""

import random

import pytest

from equamo.algebra.expr import parse
from equamo.algebra.expr.evaluate import Multiprecision, evaluate
from equamo.algebra.expr.functions import ABS, BY_NAME, TAN
from equamo.algebra.expr.graph import ATAN2
from equamo.algebra.expr.walk import walk
from equamo.algebra.identity.point import Points
from equamo.algebra.identity.rewrite import rewrite

INVERSE = {ATAN2, TAN, ABS, *(BY_NAME[n].opcode for n in ("asin", "acos", "atan"))}

ALGEBRAIC = [
    "tan(x)", "abs(x - y)", "sqrt(x**2)", "sqrt(3*x**2)", "sqrt(5*x**8)", "sqrt(x**6/2)",
    "sqrt(4*y)", "cos(atan2(y, x))", "sin(atan2(y, x) - z)", "cos(3*atan2(x, -y) + z/2)",
    "tan(2*atan(x))", "sin(asin(x/9))", "cos(2*asin(x/9) - acos(y/9))", "sin(-2*acos(x/9))",
    "abs(tan(abs(x)))", "sin(z*(1 + atan(x)/z))",
]  # fmt: skip


@pytest.mark.parametrize("text", ALGEBRAIC)
def test_the_value_is_kept(text: str) -> None:
    e = parse(text)
    new = rewrite([e])[0]
    rng = random.Random(text)
    ring = Multiprecision(40)
    compared = 0
    for _ in range(20):
        at = {s: ring.context.mpf(rng.randrange(-300, 300)) / 100 for s in e.symbols()}
        try:
            a, b = evaluate([e, new], ring, at)
        except (ArithmeticError, ValueError):
            continue
        assert abs(a - b) < ring.context.mpf(10) ** -30
        compared += 1
    assert compared >= 5


@pytest.mark.parametrize("text", ALGEBRAIC)
def test_inverse_functions_are_gone(text: str) -> None:
    roots = rewrite([parse(text)])
    points = Points(roots, [])
    assert not INVERSE & {n.op for n in walk(roots, stop=points.trig)}
    assert not INVERSE & {atom.op for m in points.denominators for atom, _ in m}


@pytest.mark.parametrize("text", ["x*sin(y)", "exp(x)", "cos(x + pi/4)"])
def test_what_needs_no_rewriting_stays(text: str) -> None:
    e = parse(text)
    assert rewrite([e])[0] is e


@pytest.mark.parametrize(
    "text",
    ["tan(pi/2) - x", "sin(atan2(0, 0))", "1/(abs(x) - sqrt(x**2))", "cos(atan2(x - x, 0)) + y"],
)
def test_what_is_defined_nowhere_is_no_crash(text: str) -> None:
    assert len(rewrite([parse(text), parse("y")])) == 2


def test_half_of_an_inverse_function_is_an_angle_of_its_own() -> None:
    e = parse("cos(atan2(y, x)/2)")
    assert rewrite([e])[0] is e
