"""Random points: on the circle, on the sphere, and true to the addition formulas."""

from contextlib import suppress
from random import Random
from typing import Any

import pytest

from equamo.algebra.expr import Expr, cos, parse, sin, sqrt, symbols
from equamo.algebra.identity import point
from equamo.algebra.identity.point import (
    OutOfReach,
    Points,
    Unlucky,
    _sphere_point,  # pyright: ignore[reportPrivateUsage]
)
from equamo.errors import ExpressionError


def drawn(texts: list[str], unit: list[tuple[Expr, ...]] | None = None) -> tuple[int, Any]:
    """(p, value of a node) at a random point."""
    random = Random(1)
    points = Points([parse(t) for t in texts], unit or [])
    values: dict[Expr, int] = {}
    while not values:
        with suppress(Unlucky):
            p, roots = points.prime(127, random)
            values = points.draw(p, roots, random)

    def value(text: str) -> int:
        e = parse(text)
        return values[e] if e in values else -values[-e]

    return p, value


@pytest.mark.parametrize("angle", ["x", "x - y", "R*(a - b)/L", "3*x/2 + 1", "x + pi/4", "7*x*y"])
def test_on_the_circle(angle: str) -> None:
    p, v = drawn([f"sin({angle})", f"cos({angle})"])
    assert (v(f"sin({angle})") ** 2 + v(f"cos({angle})") ** 2) % p == 1


@pytest.mark.parametrize(
    ("a", "b"), [("x", "y"), ("x/2", "x/3"), ("R*a/L", "R*b/L"), ("x", "pi/4"), ("0.3*x", "1")]
)
def test_addition_formulas(a: str, b: str) -> None:
    whole, parts = parse(f"{a} + {b}"), [parse(a), parse(b)]
    nodes = [f(u) for u in (whole, *parts) for f in (cos, sin)]
    random = Random(3)
    points = Points(nodes, [])
    p, roots = points.prime(127, random)
    values = points.draw(p, roots, random)

    def at(e: Expr) -> int:
        if e in values:
            return values[e]
        return values[sqrt(parse("2"))] * pow(2, -1, p)  # cos(pi/4) is a number on the graph

    c, s, ca, sa, cb, sb = map(at, nodes)
    assert (ca * cb - sa * sb - c) % p == 0
    assert (sa * cb + ca * sb - s) % p == 0


def test_inside_and_outside_are_independent() -> None:
    p, v = drawn(["x*sin(x)"])
    assert 0 <= v("x") < p
    assert v("x") != v("sin(x)")


def test_on_the_sphere() -> None:
    q = symbols("qw qx qy qz")
    p, v = drawn(["qw*qx + qy*qz + x"], [q])
    assert sum(v(s.name) ** 2 for s in q) % p == 1


def test_degrees_of_angles() -> None:
    points = Points([parse(t) for t in ("cos(x/2)", "cos(x/3 - 2*y)", "sin(10**6*z)")], [])
    assert points.degree(parse("cos(x/2)")) == 3  # x/6 is the angle of the point
    assert points.degree(parse("cos(x/3 - 2*y)")) == 4
    assert points.degree(parse("sin(10**6*z)")) == 10**6


def test_roots_of_numbers() -> None:
    p, v = drawn(["sqrt(3)*x + sqrt(1009*1013)"])
    assert v("sqrt(3)") ** 2 % p == 3
    assert v("sqrt(1009*1013)") ** 2 % p == 1009 * 1013


@pytest.mark.parametrize(
    ("group", "message"),
    [
        (["qw*2", "qx"], "must consist of symbols"),
        (["qw"], "at least two symbols"),
        (["qw", "qw"], "no symbol may occur twice"),
    ],
)
def test_bad_groups(group: list[str], message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        Points([parse("sin(x) + qw")], [tuple(parse(g) for g in group)])


def test_a_component_of_a_unit_vector_is_not_an_angle() -> None:
    with pytest.raises(OutOfReach, match="must not be an angle, but x is both"):
        Points([parse("sin(x) + qw")], [symbols("x y")])


def test_common_denominators_are_bounded() -> None:
    texts = [f"sin(x/{10**4000 + 2 * i + 1})" for i in range(3)]
    with pytest.raises(OutOfReach, match="common denominator of at most 14000 bits"):
        Points([parse(t) for t in texts], [])


def test_a_root_of_a_number_is_not_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """A zero root shows nothing about other roots."""
    p = 2**61 - 1
    monkeypatch.setattr(point, "random_prime", lambda *_: p)
    assert p % 8 == 7
    points = Points([parse(f"sqrt({p}*1009)")], [])
    with pytest.raises(Unlucky) as caught:
        points.prime(61, Random(1))
    assert caught.value.radical is None


def test_groups_do_not_overlap() -> None:
    a, b, c = symbols("a b c")
    with pytest.raises(ExpressionError, match="no symbol may occur twice"):
        Points([a + b + c], [(a, b), (b, c)])


def test_no_point_of_the_sphere_belongs_to_numbers_whose_squares_sum_to_minus_one() -> None:
    """1 + 2² + 3² = 14 is 0 modulo 7, and has no reciprocal; 1 + 1² + 2² = 6 has."""

    class Given(Random):
        def randrange(self, *_: Any) -> int:
            return numbers.pop()

    numbers = [2, 1]
    assert sum(x * x for x in _sphere_point(3, 7, Given())) % 7 == 1
    numbers = [3, 2]
    with pytest.raises(Unlucky):
        _sphere_point(3, 7, Given())
