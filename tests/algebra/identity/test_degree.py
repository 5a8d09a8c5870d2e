"""Degree and height really bound the numerators, computed here with SymPy's rational functions."""

import random
from fractions import Fraction
from math import lcm
from typing import Any

import pytest
from sympy import QQ, QQ_I
from sympy.polys.fields import field

from equamo.algebra.expr import Expr, constant, cos, parse, sin, symbols
from equamo.algebra.expr.evaluate import Ring, Tape
from equamo.algebra.expr.graph import CONST
from equamo.algebra.expr.linear_form import linear_form
from equamo.algebra.identity.degree import Degrees
from equamo.algebra.identity.point import Points

pytestmark = pytest.mark.needs("sympy")

SYMBOLS = symbols("x y z")


class RationalFunctions(Ring):
    def __init__(self, K: Any) -> None:
        self.K = K

    def constant(self, value: int | Fraction) -> Any:
        return self.K(QQ(value.numerator, value.denominator))

    def pi(self) -> Any:
        raise NotImplementedError

    def apply(self, node: Expr, *x: Any) -> Any:
        raise NotImplementedError


def random_expressions(rng: random.Random, leaves: list[Expr], size: int) -> list[Expr]:
    made = [*leaves, constant(Fraction(rng.randrange(1, 30), rng.randrange(1, 7))), constant(3)]
    for _ in range(size):
        a, b = rng.choice(made[-5:]), rng.choice(made)
        operation = rng.choice("++--**/p")
        if operation == "/" and b.value is None:
            made.append(a / b)
        elif operation == "p":
            made.append(a ** rng.randrange(2, 4))
        else:
            made.append({"+": a + b, "-": a - b}.get(operation, a * b))
    return made[-3:]


def numerators(tape: Tape, degrees: Degrees, K: Any, given: dict[Expr, Any]) -> list[Any]:
    """N = e·Δᵏ·ΠF of every node; empty where a denominator is zero everywhere."""
    delta = lcm(1, *(Fraction(n.a).denominator for n in tape.leaves if n.op == CONST))
    try:
        values = tape.run_all(RationalFunctions(K), given)
    except ZeroDivisionError:
        return []
    made: list[Any] = []
    for i, e in enumerate(values):
        N = e * K(delta) ** degrees.scale[i]
        for f, exponent in degrees.factors[i].items():
            N *= made[f] ** exponent
        made.append(N)
    return made


@pytest.mark.parametrize("seed", range(60))
def test_numerators_are_within_degree_and_bits(seed: int) -> None:
    """N is a polynomial with integer coefficients within the tracked size."""
    roots = random_expressions(random.Random(seed), list(SYMBOLS), 7)
    tape = Tape(roots)
    degrees = Degrees(tape, Points(roots, []))
    K, *generators = field("x,y,z", QQ)
    given = dict(zip(SYMBOLS, generators, strict=True))
    for i, N in enumerate(numerators(tape, degrees, K, given)):
        assert N.denom.is_ground
        terms = (N.numer * QQ(1, N.denom.LC)).terms()
        assert max((sum(m) for m, _ in terms), default=0) <= degrees.degree[i]
        assert all(c.denominator == 1 for _, c in terms)
        assert sum(abs(int(c.numerator)) for _, c in terms) <= 2 ** degrees.bits[i]


@pytest.mark.parametrize("seed", range(30))
def test_with_angles_they_are_too(seed: int) -> None:
    """With w = exp(iφ), cos φ = (w + 1/w)/2 and sin φ = (w − 1/w)/2i, N is a polynomial in w, 1/w
    and symbols; times 2^degree it has Gaussian integers as coefficients. Its bits are those tracked
    and twice the degree, as the proof adds them."""
    rng = random.Random(seed)
    x, y, z = SYMBOLS
    angles = rng.sample([x, y, x + y, 2 * x, x / 2, 3 * y - x / 2, x - y / 3], 3)
    trig = [f(a) for a in angles for f in (sin, cos)]
    roots = random_expressions(rng, [*rng.sample(trig, 3), z], 5)
    points = Points(roots, [])
    tape = Tape(roots, points.given)
    degrees = Degrees(tape, points)
    K, wx, wy, zz = field("wx,wy,z", QQ_I)
    given: dict[Expr, Any] = {z: zz}
    for n in points.trig:
        w = K(1)
        for m, factor in linear_form(n.a).items():
            w *= (wx if (x, 1) in m else wy) ** int(factor * points.denominators[m])
        given[n] = (w + 1 / w) / K(2) if n == cos(n.a) else (w - 1 / w) / K(QQ_I(0, 2))
    for i, N in enumerate(numerators(tape, degrees, K, given)):
        assert len(N.denom.terms()) == 1  # a monomial in w
        (shift, unit), d = N.denom.terms()[0], degrees.degree[i]
        norm = 0
        for m, c in N.numer.terms():
            assert sum(abs(j - k) for j, k in zip(m, shift, strict=True)) <= d
            c = c / unit * 2**d
            assert c.x.denominator == c.y.denominator == 1
            norm += abs(int(c.x)) + abs(int(c.y))
        assert norm <= 2 ** (degrees.bits[i] + 2 * d)


def small(text: str) -> Degrees:
    e = parse(text)
    points = Points([e], [])
    return Degrees(Tape([e], points.given), points)


@pytest.mark.parametrize(
    ("text", "degree"),
    [
        ("x*y + z", 2),
        ("x/y + z", 2),  # (x + z·y)/y
        ("x/y + z/y", 1),  # the common denominator is found
        ("(x/y)/(z/y)", 1),
        ("cos(5*x)*sin(x)", 6),
        ("tanh(x**7) + 1", 1),  # a new variable
    ],
)
def test_by_hand(text: str, degree: int) -> None:
    assert small(text).degree[-1] == degree


def test_functions_that_are_not_looked_into() -> None:
    d = small("tanh(x**7/3) + exp(y) + atan2(z, 5*x)")
    assert d.arguments == 4
    assert d.argument_degree >= 7
    assert d.argument_bits >= 3  # 5·x − …
    assert small("x").arguments == 0


def test_a_degree_beyond_counting() -> None:
    e = SYMBOLS[0]
    for i in range(20_000):
        e = e * e + (i + 1)
    d = Degrees(Tape([e]), Points([e], []))
    assert d.degree[-1].bit_length() < 3000
    assert d.degree[-1] > 1 << 2203
