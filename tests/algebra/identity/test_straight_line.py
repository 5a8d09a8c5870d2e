"""A straight-line program computes the expressions that it was written for."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from equamo.algebra.expr import ZERO, internal, parse, symbol
from equamo.algebra.expr.evaluate import RATIONALS, evaluate
from equamo.algebra.identity.straight_line import StraightLine

TEXTS = ["a**13 - 1/3", "-(a*b)**2/(a - b)", "(a + b)/(2*a) - 5*b**3", "-a", "7/3"]


def test_the_program_computes_the_expressions() -> None:
    outputs = [parse(text) for text in TEXTS]
    line = StraightLine([*outputs, ZERO])
    generator = Random(1)
    a, b = (Fraction(generator.randint(1, 99), generator.randint(1, 99)) for _ in range(2))
    values = [*map(Fraction, line.numbers), *({"a": a, "b": b}[name] for name in line.symbols)]
    for left, op, right in (text.split() for text in line.program()):
        x, y = values[int(left)], values[int(right)]
        values.append({"+": x + y, "-": x - y, "*": x * y, "/": x / y if y else y}[op])
    expected = evaluate(outputs, RATIONALS, {symbol("a"): a, symbol("b"): b})
    assert [values[line[e]] for e in outputs] == expected
    assert len(values) == len(line)


def test_a_power_costs_few_products() -> None:
    assert len(StraightLine([parse("a**1000")]).program()) < 20


def test_names_are_different() -> None:
    """A user's symbol may have the name that a variable of ours would have."""
    own, theirs = internal("circle", "cos(q)"), symbol("cos(q)")
    line = StraightLine([own * theirs], circles=[(own, internal("circle", "sin(q)"))])
    assert line.symbols == ["cos(q)"]
    assert line.circles == [["cos(q) no. 2", "sin(q)"]]


def test_all_components_of_a_sphere_have_a_register() -> None:
    group = [symbol(f"e{k}") for k in range(4)]
    line = StraightLine([group[2]], spheres=[group])
    assert (line[group[0]], line[group[2]], len(line)) == (1, 3, 5)


def test_sizes_of_differences() -> None:
    e, f = parse("a**3"), parse("a**3 + b")
    line = StraightLine([e, f])
    ((degree, size),) = line.sizes([(line[e], line[f])])
    assert (degree, size) == (3, 3 + 2)  # 2a³ + b: coefficients sum to at most 2²
