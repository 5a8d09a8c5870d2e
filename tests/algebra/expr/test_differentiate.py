"""Derivatives against mpmath (every function), SymPy (random expressions) and each other."""

import random
from fractions import Fraction

import mpmath
import pytest
import sympy

from equamo.algebra.expr import Expr, atan2, constant, cos, exp, parse, sin, symbol, symbols
from equamo.algebra.expr.differentiate import (
    derivative,
    directional,
    gradient,
    hessian,
    jacobian,
    pullback,
    time_derivative,
)
from equamo.algebra.expr.evaluate import RATIONALS, Multiprecision, evaluate
from equamo.algebra.expr.functions import TABLE, Function, apply
from equamo.algebra.identity import prove_equal
from equamo.errors import ExpressionError

pytestmark = pytest.mark.needs("sympy")

x, y, z = XYZ = symbols("x y z")


def close(a: mpmath.mpf, b: mpmath.mpf, digits: int) -> bool:
    return bool(abs(a - b) <= mpmath.mpf(10) ** -digits * max(1, abs(a)))


@pytest.mark.parametrize("row", TABLE.values(), ids=lambda r: r.name)
@pytest.mark.parametrize("at", ["0.137", "0.625"])
def test_every_function_against_a_numeric_derivative(row: Function, at: str) -> None:
    with mpmath.workdps(50):
        u = mpmath.mpf(at)
        ring = Multiprecision(50)
        inner = x**2 / 3 + x / 2  # the chain rule as well
        f = apply(row.opcode, inner)
        reference = {"abs": mpmath.fabs}.get(row.name) or getattr(mpmath, row.name)
        expected = mpmath.diff(lambda t: reference(t**2 / 3 + t / 2), u)
        assert close(evaluate(derivative([f], "x"), ring, {x: u})[0], expected, 20)


def test_atan2_in_all_quadrants() -> None:
    f = atan2(sin(x) - constant(Fraction(1, 2)), x * cos(x))
    with mpmath.workdps(50):
        for at in ("0.3", "1.2", "2.1", "-0.4", "-2.2"):
            u = mpmath.mpf(at)
            expected = mpmath.diff(
                lambda t: mpmath.atan2(mpmath.sin(t) - 0.5, t * mpmath.cos(t)), u
            )
            got = evaluate(derivative([f], x), Multiprecision(50), {x: u})[0]
            assert close(got, expected, 20)


def random_expression(rng: random.Random, size: int) -> Expr:
    pool = [*XYZ, constant(Fraction(2, 3)), parse("pi")]
    for _ in range(size):
        a, b = rng.choice(pool[-6:]), rng.choice(pool)
        pool.append(
            rng.choice([
                lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b,
                lambda a, b: a / (b * b + 2), lambda a, b: sin(a), lambda a, b: cos(a - b),
                lambda a, b: (a + b) ** 3, lambda a, b: exp(-a * a), lambda a, b: atan2(a, b * b + 1),
            ])(a, b)
        )  # fmt: skip
    return pool[-1]


@pytest.mark.parametrize("seed", range(12))
def test_against_sympy(seed: int) -> None:
    rng = random.Random(seed)
    e = random_expression(rng, 8)
    at = {s: Fraction(rng.randrange(-99, 99), 70) for s in XYZ}
    for s in XYZ:
        expected = sympy.diff(e.sympy(simplify=False), sympy.Symbol(s.name))
        expected = expected.subs({t.name: sympy.Rational(v) for t, v in at.items()})
        ring = Multiprecision(40)
        got = evaluate([e.diff(s)], ring, {t: ring.constant(v) for t, v in at.items()})[0]
        with mpmath.workdps(40):
            assert close(got, mpmath.mpf(sympy.N(expected, 40)), 25)


def rational_expressions(rng: random.Random) -> list[Expr]:
    e = [*XYZ]
    for _ in range(15):
        a, b = rng.choice(e), rng.choice(e)
        e.append(rng.choice([a + b, a - b, a * b, a / (b**2 + 1), (a - 2) ** 3]))
    return e[-3:]


@pytest.mark.parametrize("seed", range(10))
def test_reverse_is_forward(seed: int) -> None:
    rng = random.Random(seed)
    outputs = rational_expressions(rng)
    at = {s: Fraction(rng.randrange(-9, 9), 7) for s in XYZ}
    J = jacobian(outputs, XYZ)
    for f, row in zip(outputs, J, strict=True):
        columns = [derivative([f], s)[0] for s in XYZ]
        assert row == columns  # the same nodes
        g = gradient(f, ["x", "y", "z"])
        assert evaluate(g, RATIONALS, at) == evaluate(row, RATIONALS, at)


def test_a_direction_is_a_combination_of_columns() -> None:
    f = parse("sin(x*y)/z + x**3")
    dx, dy = symbols("dx dy")
    got = directional([f], {x: dx, y: dy})[0]
    expected = f.diff(x) * dx + f.diff(y) * dy
    assert sympy.simplify((got - expected).sympy(simplify=False)) == 0


def test_time_derivative() -> None:
    t = sympy.Symbol("t")
    q1, q2 = sympy.Function("q1")(t), sympy.Function("q2")(t)
    e = parse("m*v1**2*cos(q1 - q2) + v2*q1*sin(q2)")
    q, v, a = symbols("q1 q2"), symbols("v1 v2"), symbols("a1 a2")
    got = time_derivative([e], q, v, v, a)[0].sympy(simplify=False)
    in_time = {"q1": q1, "q2": q2, "v1": q1.diff(t), "v2": q2.diff(t)}
    expected = e.sympy(simplify=False).subs(in_time).diff(t)
    got = got.subs({"a1": q1.diff(t, 2), "a2": q2.diff(t, 2)}).subs(in_time)
    assert sympy.expand(got - expected) == 0
    with pytest.raises(ValueError, match="zip"):
        time_derivative([e], q, v[:1])


def test_zeros_and_higher_derivatives() -> None:
    assert derivative([parse("a*b"), parse("pi*3")], "x") == [constant(0), constant(0)]
    assert gradient(parse("a*b"), ["x"]) == [constant(0)]
    assert parse("x**5").diff("x", 3) is 60 * x**2
    assert symbol("x").diff("x") == 1
    assert x.diff("x", 0) is x


def test_by_a_symbol_only() -> None:
    for wrong in (x + 1, parse("pi"), constant(2)):
        with pytest.raises(ExpressionError, match="symbol"):
            derivative([x], wrong)


def test_hessian_is_the_derivative_of_the_gradient() -> None:
    e = parse("x**3*sin(y) - z*x*y/(1 + z**2) + exp(-y*z) - sqrt(x + z)*y")
    found = hessian(gradient(e, XYZ), XYZ)
    for i, a in enumerate(XYZ):
        for j, b in enumerate(XYZ):
            assert prove_equal(found[i][j], e.diff(a).diff(b), seed=1)
            assert found[i][j] is found[j][i]
    assert hessian([x, x * 0, x * 0], XYZ) == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_pullback_is_the_weighted_sum_of_gradients() -> None:
    outputs = [parse("x*y - sin(z)"), parse("-x*z"), parse("x*y - sin(z)"), parse("y"), parse("2")]
    weights = [parse("x"), parse("-y"), parse("z"), parse("0"), parse("x")]
    found = pullback(zip(outputs, weights, strict=True), XYZ)
    for k, a in enumerate(XYZ):
        expected = sum((w * o.diff(a) for o, w in zip(outputs, weights, strict=True)), constant(0))
        assert prove_equal(found[k], expected, seed=1)
    assert pullback([(x, y), (x, -y)], XYZ) == [0, 0, 0]  # weights that cancel
