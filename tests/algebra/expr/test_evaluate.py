"""One expression in five rings: floats, NumPy arrays, rationals, GF(p), mpmath."""

import math
import random
from fractions import Fraction

import mpmath
import numpy
import pytest

from equamo.algebra.expr import Expr, parse, sin, symbol, symbols
from equamo.algebra.expr.evaluate import (
    FLOATS,
    RATIONALS,
    Arrays,
    Modular,
    Multiprecision,
    Tape,
    evaluate,
    evaluate_floats,
)
from equamo.algebra.expr.graph import SUB
from equamo.errors import EquamoError, ExpressionError, NumberRangeError, UnknownNameError

x, y, z = symbols("x y z")
P = (1 << 127) - 1
LIMIT = P << 64  # sums up to here wait for the next product
RATIONAL = parse("(x*y - 3)**4/(z**2 + 1) + x*(y - z)*(0.3*x + 2/7) - (x - y)/z")
SMOOTH = parse(
    "sin(x)*cos(y)**2/(1 + exp(-z)) + atan2(x, y) - tanh(x*y)*abs(z - 1) + sqrt(1 + x**2)"
    " + log(2 + z**2) + asin(x/9) + acos(y/9) + atan(z) - sign(x)*tan(x/7) + pi/3"
)


def states(n: int) -> list[dict[str, Fraction]]:
    rng = random.Random(5)
    return [{s: Fraction(rng.randrange(1, 400), 100) for s in "xyz"} for _ in range(n)]


def by_hand(x: Fraction, y: Fraction, z: Fraction) -> Fraction:
    return (
        (x * y - 3) ** 4 / (z**2 + 1)
        + x * (y - z) * (Fraction(3, 10) * x + Fraction(2, 7))
        - (x - y) / z
    )


def by_math(m: object, x: object, y: object, z: object) -> object:
    return (
        m.sin(x) * m.cos(y) ** 2 / (1 + m.exp(-z)) + m.atan2(x, y) - m.tanh(x * y) * abs(z - 1)
        + m.sqrt(1 + x**2) + m.log(2 + z**2) + m.asin(x / 9) + m.acos(y / 9) + m.atan(z)
        - (x > 0) * m.tan(x / 7) + m.pi / 3
    )  # fmt: skip


@pytest.mark.parametrize("state", states(5))
def test_all_rings_agree_on_a_rational_expression(state: dict[str, Fraction]) -> None:
    at = {symbol(k): v for k, v in state.items()}
    exact = by_hand(**state)
    assert evaluate([RATIONAL], RATIONALS, at) == [exact]
    modular = {s: v.numerator * pow(v.denominator, -1, P) for s, v in at.items()}
    expected = exact.numerator * pow(exact.denominator, -1, P) % P
    assert evaluate([RATIONAL], Modular(P), modular) == [expected]
    floats = evaluate_floats([RATIONAL], {s: float(v) for s, v in at.items()})
    assert floats[0] == pytest.approx(float(exact), rel=1e-12)
    ring = Multiprecision(60)
    got = evaluate([RATIONAL], ring, {s: ring.constant(v) for s, v in at.items()})[0]
    assert abs(got - ring.constant(exact)) < abs(got) * ring.context.mpf(10) ** -55


@pytest.mark.parametrize("state", states(5))
def test_all_functions_in_floats_and_high_precision(state: dict[str, Fraction]) -> None:
    at = {symbol(k): float(v) for k, v in state.items()}
    floats = {k: float(v) for k, v in state.items()}
    expected = by_math(math, **floats)
    assert evaluate([SMOOTH], FLOATS, at)[0] == pytest.approx(expected, rel=1e-13)
    ring = Multiprecision(50)
    exact = evaluate([SMOOTH], ring, {symbol(k): ring.constant(v) for k, v in state.items()})[0]
    with mpmath.workdps(50):
        wanted = by_math(
            mpmath, **{k: mpmath.mpf(v.numerator) / v.denominator for k, v in state.items()}
        )
        assert abs(mpmath.mpf(exact) - wanted) < mpmath.mpf(10) ** -45


def test_a_batch_is_its_states_one_by_one() -> None:
    many = states(50)
    batch = {symbol(k): numpy.array([float(s[k]) for s in many]) for k in "xyz"}
    for e in (RATIONAL, SMOOTH):
        got = evaluate([e], Arrays(), batch)[0]
        one_by_one = [
            evaluate_floats([e], {symbol(k): float(v) for k, v in s.items()})[0] for s in many
        ]
        assert got.shape == (50,)
        assert got.dtype == numpy.float64
        numpy.testing.assert_allclose(got, one_by_one, rtol=1e-13)


def test_batches_broadcast() -> None:
    grid = evaluate(
        [parse("x*y + 1/2")], Arrays(), {x: numpy.arange(3.0)[:, None], y: numpy.arange(4.0)}
    )[0]
    numpy.testing.assert_array_equal(grid, numpy.outer(range(3), range(4)) + 0.5)


def test_functions_may_be_given_as_values_of_their_nodes() -> None:
    e = parse("3*sin(x)**2 + sin(x)*x")
    assert evaluate([e], RATIONALS, {sin(x): Fraction(3, 5), x: 2}) == [Fraction(57, 25)]
    assert evaluate([parse("2*pi")], Modular(P), {parse("pi"): 7}) == [14]
    assert evaluate([parse("sin(x)")], Modular(P, lambda node, v: v + 1), {x: 1}) == [2]


def test_long_sums_stay_short_modulo_p() -> None:
    a, b = x, y
    av, bv = 1, 1
    for _ in range(20_000):  # Fibonacci's numbers: 14,000 bits if they were not reduced
        a, b, av, bv = b, a + b, bv, (av + bv) % P
    tape = Tape([b])
    values = tape.run_all(Modular(P), {x: 1, y: 1})
    assert max(v.bit_length() for v in values) < 300
    assert tape.run(Modular(P), {x: 1, y: 1}) == [bv]


@pytest.mark.parametrize("minus", [False, True])
@pytest.mark.parametrize(
    ("total", "kept"),
    [
        (2 * P - 2, 2 * P - 2), (2 - P, 2 - P), (LIMIT - 1, LIMIT - 1), (1 - LIMIT, 1 - LIMIT),
        (LIMIT, 0), (-LIMIT, 0), (LIMIT + 5, 5), (-LIMIT - 5, P - 5),
    ],
)  # fmt: skip
def test_sums_modulo_p_are_reduced_when_they_are_long(total: int, kept: int, minus: bool) -> None:
    a, b = (x, y) if (x - y).op == SUB else (y, x)  # the order that is stored without a sign
    e, second = (a - b, 1 - total) if minus else (a + b, total - 1)
    assert Tape([e]).run_all(Modular(P), {a: 1, b: second})[-1] == kept
    assert evaluate([e], Modular(P), {a: 1, b: second}) == [total % P]


def test_each_operation_modulo_p() -> None:
    def value(text: str) -> int:
        return Tape([parse(text)]).run_all(Modular(P), {x: P - 3, y: P + 4})[-1]

    assert value("-x") == 3 - P  # a sign is not reduced either
    assert value("x*y") == P - 12
    assert value("x**3") == P - 27
    assert value("x/y") * 4 % P == P - 3
    assert 0 <= value("x/y") < P

    def reduced(node: Expr, *v: int) -> int:
        return int("".join(map(str, v)))

    values = {x: P + 3, y: P + 4}
    assert evaluate([parse("sin(x)"), parse("atan2(x, y)")], Modular(P, reduced), values) == [3, 34]


def test_a_tape_runs_many_times() -> None:
    tape = Tape([x * y, x - y, x])
    assert tape.run(RATIONALS, {x: 3, y: 4}) == [12, -1, 3]
    assert tape.run(RATIONALS, {x: 5, y: 4}) == [20, 1, 5]
    assert tape.run(Modular(7), {x: 3, y: 4}) == [5, 6, 3]


# -- errors ----------------------------------------------------------------------------------------
def test_a_missing_symbol_is_named() -> None:
    with pytest.raises(UnknownNameError, match=r"'theta2'.*Did you mean 'theta1'.*theta1"):
        evaluate_floats([parse("theta1 + theta2")], {symbol("theta1"): 1.0})


def test_no_exact_value() -> None:
    for ring in (RATIONALS, Modular(P)):
        for text in ("sin(x)", "pi*x", "atan2(x, 1)"):
            with pytest.raises(ExpressionError, match="has no"):
                evaluate([parse(text)], ring, {x: 1})


def test_outside_of_the_domain() -> None:
    at = {x: -1.0}
    for text in ("sqrt(x)", "log(x)", "1/(1 + x)", "asin(2*x)"):
        with pytest.raises((ValueError, ZeroDivisionError)):
            evaluate_floats([parse(text)], at)
        ring = Multiprecision(30)
        with pytest.raises((ArithmeticError, ValueError)):
            evaluate([parse(text)], ring, {x: ring.constant(-1)})
    with pytest.raises(ValueError, match="invertible"):
        evaluate([1 / x], Modular(7), {x: 7})


@pytest.mark.parametrize("ring", [FLOATS, Arrays()])
def test_a_constant_that_no_double_can_hold(ring) -> None:
    (large,) = evaluate([parse("x*1e308")], ring, {x: 1.5})
    assert float(large) == 1.5e308
    with pytest.raises(NumberRangeError, match=r"below 1\.8e308.*about 10\^400"):
        evaluate([parse("x - 1e400")], ring, {x: 1.0})
    with pytest.raises(EquamoError):
        float(parse("1e400"))
