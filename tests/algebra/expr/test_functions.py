"""Every row of the table of functions against mpmath, and values at special arguments."""

from collections.abc import Iterator
from fractions import Fraction

import mpmath
import pytest

from equamo.algebra.expr import absolute, atan2, constant, cos, parse, sign, sin, sqrt, symbol, tan
from equamo.algebra.expr.differentiate import derivative
from equamo.algebra.expr.evaluate import FLOATS, Multiprecision, evaluate
from equamo.algebra.expr.functions import BY_NAME, TABLE, Function, apply, constructor, register
from equamo.algebra.expr.graph import PI_NODE, SYMBOL, Expr
from equamo.algebra.expr.rules import add, mul

x, y = symbol("x"), symbol("y")
ROWS = pytest.mark.parametrize("row", TABLE.values(), ids=lambda r: r.name)
POINTS = (Fraction(1, 7), Fraction(5, 8))


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mpmath.workdps(60):
        yield


def number(e: Expr, digits: int = 60) -> mpmath.mpf:
    return evaluate([e], Multiprecision(digits), {})[0]


def close(a: object, b: object) -> bool:
    a, b = mpmath.mpf(a), mpmath.mpf(b)
    return bool(abs(a - b) <= mpmath.mpf(10) ** -50 * max(1, abs(a)))


def reference(name: str, value: Fraction) -> mpmath.mpf:
    function = {"abs": mpmath.fabs}.get(name) or getattr(mpmath, name)
    return function(mpmath.mpf(value.numerator) / value.denominator)


@ROWS
def test_a_row_evaluates_as_mpmath_does(row: Function) -> None:
    for value in POINTS:
        f = apply(row.opcode, x)
        ring = Multiprecision(60)
        assert close(evaluate([f], ring, {x: ring.constant(value)})[0], reference(row.name, value))
        assert evaluate([f], FLOATS, {x: float(value)})[0] == pytest.approx(
            float(reference(row.name, value)), rel=1e-14
        )


@ROWS
def test_parity_and_values_at_numbers(row: Function) -> None:
    value = Fraction(3, 8)
    if row.parity is not None:
        minus = reference(row.name, -value)
        s = -1 if row.parity == "odd" else 1
        assert close(minus, s * reference(row.name, value))
        assert apply(row.opcode, -x) is (-apply(row.opcode, x) if s < 0 else apply(row.opcode, x))
    for at, result in row.values.items():
        assert close(reference(row.name, Fraction(at)), result)
        assert apply(row.opcode, constant(at)) == result


@ROWS
def test_a_row_is_found_by_name(row: Function) -> None:
    make = constructor(row.name)
    assert make is not None
    assert make(x) is apply(row.opcode, x) is parse(f"{row.name}(x)")


def test_unknown_function() -> None:
    assert constructor("sinc") is None


@pytest.mark.parametrize("twelfths", range(-30, 31))
def test_parts_of_a_turn(twelfths: int) -> None:
    angle = PI_NODE * Fraction(twelfths, 12)
    for function, name in ((cos, "cos"), (sin, "sin")):
        e = function(angle)
        assert close(number(e), getattr(mpmath, name)(mpmath.pi * twelfths / 12))
        if twelfths % 2 == 0 or twelfths % 3 == 0:
            assert not {n.op for n in [e, *e.args]} & {BY_NAME["sin"].opcode, BY_NAME["cos"].opcode}


@pytest.mark.parametrize("quarters", range(-9, 10))
def test_quarter_turns_fold(quarters: int) -> None:
    for angle in (x + PI_NODE * quarters / 2, PI_NODE * quarters / 2 - x):
        for function, name in ((cos, "cos"), (sin, "sin")):
            e = function(angle)
            assert e in (cos(x), sin(x), -cos(x), -sin(x))
            ring = Multiprecision(60)
            got = evaluate([e, angle], ring, {x: ring.constant(Fraction(3, 10))})
            assert close(got[0], getattr(mpmath, name)(got[1]))


def test_many_quarter_turns_in_one_sum() -> None:
    angle, turns, s = x, 0, 1
    for i in range(5000):
        if i % 3:
            angle, turns = angle + PI_NODE / 2, turns + 1
        else:
            angle, turns, s = -(angle - PI_NODE), -turns + 2, -s
    expected = (cos(x), sin(x) * -s, -cos(x), sin(x) * s)[turns % 4]
    assert cos(angle) is expected


@pytest.mark.parametrize("n", [2, 4, 12, 97, 360, 1009**2, 1009 * 1013, 10**30 + 57, 2**127 - 1])
def test_roots_of_numbers(n: int) -> None:
    for value in (Fraction(n), Fraction(n, 7), Fraction(3, n)):
        root = sqrt(constant(value))
        assert close(number(root), mpmath.sqrt(mpmath.mpf(value.numerator) / value.denominator))


def test_a_few_more() -> None:
    assert sqrt(constant(Fraction(9, 4))) == 1.5
    assert absolute(constant(-3)) == 3
    assert sign(constant(-3)) == -1
    assert sign(constant(0)) == 0
    assert tan(-x) is -tan(x)
    assert atan2(constant(0), constant(2)) == 0
    assert atan2(constant(0), constant(-2)).op != constant(0).op
    assert sqrt(x**2) is not x
    assert x.op == SYMBOL


@pytest.fixture
def cube() -> Iterator[object]:
    make = register(
        Function(
            "cube", lambda u: mul(constant(3), mul(u, u)), "odd", {0: 0}, python=lambda u: u**3
        )
    )
    yield make
    row = BY_NAME.pop("cube")
    del TABLE[row.opcode]


def test_one_more_row_is_one_more_function(cube: object) -> None:
    f = cube(add(x, y))  # type: ignore[operator]
    assert parse("cube(x + y)") is f
    assert evaluate([f], FLOATS, {x: 1.0, y: 2.0}) == [27.0]
    assert evaluate(derivative([f], "x"), FLOATS, {x: 1.0, y: 2.0}) == [27.0]
    assert str(f).replace(" ", "") in ("cube(x+y)", "cube(y+x)")
    with pytest.raises(ValueError, match="exists already"):
        register(Function("cube", lambda u: u))
