"""Closed forms of four arms are as short as good hand-written ones, in whatever way they are built.

The equations are derived here, by Lagrange's method on the graph, independent of the formulations.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import HALF, ONE, ZERO, Expr, cos, parse, sin, symbol
from equamo.algebra.expr.closed_form.closed_form import closed_form, closed_form_or_none
from equamo.algebra.expr.differentiate import gradient, time_derivative
from equamo.algebra.expr.fingerprint import same

Vector = list[Expr]
Rows = list[Vector]
Link = tuple[Rows, Vector, Expr, Vector, Vector]  # rotation, offset, mass, centre of mass, inertia
Angle = Callable[[Expr], Expr]
Name = Callable[[str], str]
O: Vector = [ZERO, ZERO, ZERO]
EYE: Rows = [[ONE, ZERO, ZERO], [ZERO, ONE, ZERO], [ZERO, ZERO, ONE]]


def rx(a: Expr) -> Rows:
    return [[ONE, ZERO, ZERO], [ZERO, cos(a), -sin(a)], [ZERO, sin(a), cos(a)]]


def ry(a: Expr) -> Rows:
    return [[cos(a), ZERO, sin(a)], [ZERO, ONE, ZERO], [-sin(a), ZERO, cos(a)]]


def rz(a: Expr) -> Rows:
    return [[cos(a), -sin(a), ZERO], [sin(a), cos(a), ZERO], [ZERO, ZERO, ONE]]


def dot(x: Sequence[Expr], y: Sequence[Expr]) -> Expr:
    return sum((a * b for a, b in zip(x, y, strict=True)), ZERO)


def times(A: Rows, B: Rows) -> Rows:
    return [[dot(row, column) for column in zip(*B, strict=True)] for row in A]


def equations(
    links: list[Link], q: Vector, v: Vector, up: int, g: Expr, order: Sequence[int]
) -> dict[str, Expr]:
    """{M11: …, b1: …, g1: …} of a chain; the energies are summed in the given order of links."""
    A, r = EYE, O
    terms: list[tuple[Expr, Expr]] = []  # kinetic and potential energy of a link
    for rotation, offset, mass, com, inertia in links:
        r = [a + dot(row, offset) for a, row in zip(r, A, strict=True)]
        A = times(A, rotation)
        p = [a + dot(row, com) for a, row in zip(r, A, strict=True)]
        p_dot = time_derivative(p, q, v)
        flat = time_derivative([x for row in A for x in row], q, v)
        W = times([list(c) for c in zip(*A, strict=True)], [flat[0:3], flat[3:6], flat[6:9]])
        w = [W[2][1], W[0][2], W[1][0]]  # AᵀȦ is the angular velocity in the link's frame
        kinetic = HALF * mass * dot(p_dot, p_dot) + HALF * dot(inertia, [x * x for x in w])
        terms.append((kinetic, mass * g * p[up]))
    T = sum((terms[i][0] for i in order), ZERO)
    U = sum((terms[i][1] for i in order), ZERO)
    M = [[x.diff(y) for y in v] for x in gradient(T, v)]
    n = range(len(q))
    found = {f"M{i + 1}{j + 1}": M[i][j] for i in n for j in n if i <= j}
    for k, potential in enumerate(gradient(U, q)):
        found[f"g{k + 1}"] = potential
        bias = ZERO
        for i in n:
            for j in n:  # Christoffel
                c = M[k][j].diff(q[i]) + M[k][i].diff(q[j]) - M[i][j].diff(q[k])
                bias = bias + HALF * c * v[i] * v[j]
        found[f"b{k + 1}"] = bias
    return found


def rr(s: Callable[[str], Expr], a: list[Angle]) -> tuple[list[Link], str, int]:
    one: Link = (rz(a[0](s("q1"))), O, s("m1"), [s("Lc1"), ZERO, ZERO], [ZERO, ZERO, s("I1")])
    offset = [s("L1"), ZERO, ZERO]
    com = [s("Lc2"), ZERO, ZERO]
    two: Link = (rz(a[1](s("q2"))), offset, s("m2"), com, [ZERO, ZERO, s("I2")])
    return [one, two], "q1 q2", 1


def rp(s: Callable[[str], Expr], a: list[Angle]) -> tuple[list[Link], str, int]:
    com = [s("L1") / 2, ZERO, ZERO]
    one: Link = (rz(a[0](s("q1"))), O, s("m1"), com, [ZERO, ZERO, s("Iz1")])
    offset = [s("L1") + s("q2") / 2, ZERO, ZERO]
    return [one, (EYE, offset, s("m2"), O, [ZERO, ZERO, s("Iz2")])], "q1 q2", 1


def _inertia(s: Callable[[str], Expr], i: int) -> Vector:
    return [s(f"Th{i}_{axis}") for axis in ("xx", "yy", "zz")]


def three_link(s: Callable[[str], Expr], a: list[Angle]) -> tuple[list[Link], str, int]:
    q = [turn(s(f"q{i}")) for i, turn in enumerate(a, 1)]
    offsets = [O, [ZERO, ZERO, s("l1")], [ZERO, ZERO, s("l2")]]
    rotations = [rz(q[0]), rx(q[1]), ry(q[2])]
    links = [
        (rotations[i], offsets[i], s(f"m{i + 1}"), [ZERO, ZERO, s(f"s{i + 1}")], _inertia(s, i + 1))
        for i in range(3)
    ]
    return links, "q1 q2 q3", 2


def prismatic(s: Callable[[str], Expr], a: list[Angle]) -> tuple[list[Link], str, int]:
    one: Link = (rz(a[0](s("q1"))), O, s("m1"), [ZERO, ZERO, s("s1")], _inertia(s, 1))
    offset = [ZERO, ZERO, s("l1")]
    two: Link = (ry(a[1](s("q2"))), offset, s("m2"), [s("s2"), ZERO, ZERO], _inertia(s, 2))
    offset = [s("l2") + s("x"), ZERO, ZERO]
    return [one, two, (EYE, offset, s("m3"), [s("s3"), ZERO, ZERO], _inertia(s, 3))], "q1 q2 x", 2


ARMS = {"rr": rr, "rp": rp, "three_link": three_link, "prismatic": prismatic}
LIMITS = {  # operations (SymPy's count_ops) of good hand-written forms
    "rr": {"M11": 14, "M12": 7, "M22": 3, "b1": 15, "b2": 6, "g1": 12, "g2": 5},
    "rp": {"M11": 10, "M22": 1, "b1": 5, "b2": 7, "g1": 9, "g2": 4},
    "three_link": {
        "M11": 37, "M12": 14, "M13": 10, "M22": 17, "M33": 3,
        "b1": 86, "b2": 63, "b3": 55, "g1": 0, "g2": 10, "g3": 7,
    },
    "prismatic": {
        "M11": 18, "M22": 9, "M33": 0, "b1": 26, "b2": 24, "b3": 11, "g1": 0, "g2": 9, "g3": 4,
    },
}  # fmt: skip


def entries(
    arm: str,
    name: Name = lambda x: x,
    order: Sequence[int] | None = None,
    turned: int | None = None,
) -> dict[str, Expr]:
    """The entries with limits; symbols renamed, links in another order, one angle π/2 − q."""
    angles: list[Angle] = [lambda q: q] * 3
    if turned is not None:
        angles[turned] = lambda q: parse("pi") / 2 - q
    links, names, up = ARMS[arm](lambda x: symbol(name(x)), angles)
    q = [symbol(name(x)) for x in names.split()]
    v = [symbol(name(f"d{x}")) for x in names.split()]
    found = equations(links, q, v, up, symbol(name("g")), order or range(len(links)))
    return {k: found[k] for k in LIMITS[arm]}


def counts(forms: dict[str, Expr], leading_sign: bool = True) -> dict[str, int]:
    import sympy

    found: dict[str, int] = {}
    for k, e in forms.items():
        x = e.sympy(simplify=False)
        found[k] = int(sympy.count_ops(x) if leading_sign else min(map(sympy.count_ops, (x, -x))))
    return found


def check(arm: str, found: dict[str, int]) -> None:
    limits = LIMITS[arm]
    assert {k: n for k, n in found.items() if n > limits[k]} == {}


@pytest.mark.needs("sympy")
@pytest.mark.sweep(2)
@pytest.mark.parametrize("arm", ARMS)
def test_as_short_as_by_hand(arm: str) -> None:
    given = entries(arm)
    forms = {k: closed_form(e) for k, e in given.items()}
    assert all(same(given[k], forms[k]) for k in given)
    check(arm, counts(forms))


@pytest.mark.needs("sympy")
@pytest.mark.sweep(2)
@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("seed", range(2 if WHOLE_SWEEPS else 1))
def test_with_other_names_and_order(arm: str, seed: int) -> None:
    draw = random.Random(seed)
    names: dict[str, str] = {}

    def name(x: str) -> str:
        if x not in names:
            names[x] = f"{draw.choice('abcxyzABCXYZ')}{draw.randrange(100)}_{len(names)}"
        return names[x]

    order = draw.sample(range(2), 2) if arm in ("rr", "rp") else draw.sample(range(3), 3)
    check(arm, counts({k: closed_form(e) for k, e in entries(arm, name, order).items()}))


@pytest.mark.needs("sympy")
@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("arm", "angle"), [("rr", 0), ("rr", 1), ("rp", 0), ("three_link", 1), ("prismatic", 1)]
)
def test_with_another_zero_and_sense_of_an_angle(arm: str, angle: int) -> None:
    # The sense of an angle decides whether there is a minus sign in front of all: it is not counted.
    given = entries(arm, turned=angle)
    check(arm, counts({k: closed_form(e) for k, e in given.items()}, leading_sign=False))


@pytest.mark.needs("sympy")
def test_reads_like_a_textbook() -> None:
    forms = {k: closed_form(e) for k, e in entries("rr").items()}
    textbook = {
        "M11": "I1 + I2 + Lc1**2*m1 + m2*(L1**2 + Lc2**2 + 2*L1*Lc2*cos(q2))",
        "M22": "I2 + Lc2**2*m2",
        "b1": "-L1*Lc2*m2*dq2*(2*dq1 + dq2)*sin(q2)",
        "b2": "L1*Lc2*m2*dq1**2*sin(q2)",
        "g2": "g*m2*Lc2*cos(q1 + q2)",
    }
    for k, text in textbook.items():  # up to order: SymPy's is canonical, and it factors nothing
        assert forms[k].sympy(simplify=False) == parse(text).sympy(simplify=False)


def test_sums_of_all_parallel_axes() -> None:
    q = [symbol(f"q{i}") for i in range(1, 5)]
    c: Expr = ONE
    s: Expr = ZERO
    for x in q:
        c, s = c * cos(x) - s * sin(x), s * cos(x) + c * sin(x)
    assert str(closed_form(c)) == "cos(q1 + q2 + q3 + q4)"
    assert str(closed_form(s)) == "sin(q1 + q2 + q3 + q4)"


def test_a_big_robot_stops_early() -> None:
    """The inertia about the first axis of a chain with 12 joints that are not parallel."""
    A, r = EYE, O
    q = [symbol(f"q{i}") for i in range(12)]
    for i, x in enumerate(q):
        r = [a + dot(row, [symbol(f"{n}{i}") for n in "abc"]) for a, row in zip(r, A, strict=True)]
        A = times(A, (rx, ry, rz)[i % 3](x))
    assert closed_form_or_none(dot(r, r)) is None
    assert closed_form(dot(r, r)) is dot(r, r)
