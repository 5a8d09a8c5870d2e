"""A counterexample is a real state, and what it shows is beyond rounding."""

from fractions import Fraction
from random import Random

import mpmath
import pytest

from equamo.algebra.expr import parse, sqrt, symbol, symbols
from equamo.algebra.expr.evaluate import Multiprecision, Tape, evaluate
from equamo.algebra.expr.functions import BY_NAME
from equamo.algebra.expr.graph import SYMBOL
from equamo.algebra.expr.walk import walk
from equamo.algebra.identity import prove_all
from equamo.algebra.identity.counterexample import Balls, _defined, _draw, find_counterexample


def find(text: str, unit: tuple[str, ...] = ()):
    groups = [symbols(unit)] if unit else []
    return find_counterexample([parse(text)], groups, Random(1))


@pytest.mark.parametrize(
    "text",
    ["x", "sin(x) - x", "x - y/10**12", "1", "sqrt(x) - 1/10**40", "tanh(x) - x", "sign(x) + 1",
     "abs(x) + x", "atan2(y, x) - atan(y/x)", "log(x) - x", "asin(x) - 1", "exp(-x**2)/10**90"],
)  # fmt: skip
def test_found_and_true(text: str) -> None:
    found = find(text)
    assert found is not None
    e = parse(text)
    ring = Multiprecision(150)
    state = {
        n: ring.constant(Fraction(repr(found.state[n.a]))) for n in walk([e]) if n.op == SYMBOL
    }
    value = evaluate([e], ring, state)[0]
    assert value != 0
    assert abs(value - found.difference) <= abs(value) * mpmath.mpf(10) ** -10
    assert all(isinstance(x, float) for x in found.state.values())


@pytest.mark.parametrize(
    "text",
    [
        "sin(x)**2 + cos(x)**2 - 1",
        "exp(x + y) - exp(x)*exp(y)",
        "sqrt(-1 - x**2)",
        "log(-exp(x))",
        "1/(sin(x)**2 + cos(x)**2 - 1)",
        "asin(2 + x**2)",
        "tan(pi/2) - x",
        "atan2(x - x, y - y)",
        # Lost in rounding at 120 digits: a jump, and a small term next to a large one.
        "sign((z + x**2/10**200) - z) - 1",
        "sqrt(x**4) - x**2 + ((z + x/10**200) - z - x/10**200)",
        # The argument of cos is large: rounding it would make noise of size 1.
        "exp(x + y) - exp(x)*exp(y) + cos(3*10**200*x) - 4*cos(10**200*x)**3 + 3*cos(10**200*x)",
    ],
)
def test_none_where_there_is_none(text: str) -> None:
    assert find(text) is None


def test_a_difference_is_never_shown_as_zero() -> None:
    for text, sign in (("x**2/10**500", 1), ("-x**2/10**500", -1)):
        found = find(text)
        assert found is not None
        assert found.difference * sign > 0


def test_the_entry_is_named() -> None:
    outputs = [parse("sin(x)**2 + cos(x)**2 - 1"), parse("x - y")]
    found = find_counterexample(outputs, [], Random(1))
    assert found is not None
    assert found.entry == 1


NOT_FINITE = ["nan", "inf", "-inf", "0 +/- inf"]


@pytest.mark.parametrize("text", NOT_FINITE)
@pytest.mark.parametrize("name", BY_NAME)
def test_a_function_of_what_is_not_finite_is_not_finite(name: str, text: str) -> None:
    ring = Balls()
    ball = ring.flint.arb(text)
    assert not ball.is_finite()
    assert not ring.apply(parse(f"{name}(x)"), ball).is_finite()


@pytest.mark.parametrize("text", NOT_FINITE)
def test_the_angle_of_what_is_not_finite_is_not_finite(text: str) -> None:
    ring = Balls()
    ball, one = ring.flint.arb(text), ring.flint.arb(1)
    node = parse("atan2(y, x)")
    assert not ring.apply(node, ball, one).is_finite()
    assert not ring.apply(node, one, ball).is_finite()


@pytest.mark.parametrize("text", ["1/exp(exp(exp(exp(9 + x**2)))) + 1", "exp(-exp(exp(exp(99))))"])
def test_what_overflows_on_the_way_shows_nothing(text: str) -> None:
    assert find(text) is None


@pytest.mark.parametrize(("infinite", "defined"), [("x", [0, 0, 1, 1]), ("y", [0, 1, 0, 0])])
def test_what_lies_above_a_value_that_is_not_finite_is_not_defined(
    infinite: str, defined: list[int]
) -> None:
    """Also if it is finite itself: 1/∞ is 0 in Arb."""
    arb = Balls().flint.arb
    tape = Tape([parse(x) for x in ("x/y", "sin(x)", "1 + cos(y)", "y**2")])
    balls = [arb(1)] * (len(tape.leaves) + len(tape.steps))
    balls[list(tape.leaves).index(symbol(infinite))] = arb("inf")
    found = _defined(tape, balls)
    assert [found[k] for k in tape.outputs] == [bool(k) for k in defined]


@pytest.mark.parametrize(
    ("text", "needed", "sign"), [("x", "sqrt(x)", 1), ("x", "log(-x)", -1), ("x", "1/(x - x*1)", 0)]
)
def test_what_must_be_defined_besides(text: str, needed: str, sign: int) -> None:
    e = [parse(text)]
    if not sign:
        x, y = symbols("x y")
        nowhere = sqrt(-(x**2) - y**2 - 1)
        assert find_counterexample(e, [], Random(1), domains=[[nowhere]]) is None
        return
    found = find_counterexample(e, [], Random(1), domains=[[parse(needed)]])
    assert found is not None
    assert found.state["x"] * sign > 0


def test_unit_vectors_differ() -> None:
    """Points on the sphere are drawn, each component by itself, and none of them twice."""
    q = symbols("qw qx qy qz")
    points: list[tuple[float | Fraction, ...]] = []
    for seed in range(40):
        found = find_counterexample([q[0] + q[1] + q[2] + q[3] + 9], [q], Random(seed))
        assert found is not None
        points.append(tuple(found.state[s.name] for s in q))
    assert len(set(points)) == 40
    assert sum(len(set(point)) == 4 for point in points) > 30  # now and then two are equal


def test_unit_vectors_are_exact() -> None:
    q = ("qw", "qx", "qy", "qz")
    found = find("qw**2 + qx**2 + qy**2 + qz**2 - 2", unit=q)
    assert found is not None
    assert sum(Fraction(found.state[n]) ** 2 for n in q) == 1
    assert found.difference == -1
    assert find("qw**2 + qx**2 + qy**2 + qz**2 - 1", unit=q) is None


def test_drawn_quaternions_are_unit_and_all_different() -> None:
    """A wrong equation may hold at one rotation: every attempt is at another one."""
    group = symbols(["qw", "qx", "qy", "qz"])
    random = Random(3)
    points = [tuple(_draw(group, [group], random, k).values()) for k in range(20)]
    assert all(sum(Fraction(x) ** 2 for x in p) == 1 for p in points)
    assert len(set(points)) == len(points)
    assert all(len({p[k] for p in points}) > 10 for k in range(4))


def test_declared_signs_are_respected() -> None:
    x, y = symbol("x"), symbol("y")
    for seed in range(20):
        (proof,) = prove_all([[x - y]], seed=seed, positive=[x])
        assert proof.counterexample is not None
        assert proof.counterexample["x"] >= 0
    (proof,) = prove_all([[parse("sqrt(x**2) - x")]], seed=1, positive=[x])
    assert proof.verdict == "undecided"  # it differs for negative x only
    assert prove_all([[parse("sqrt(x**2) - x")]], seed=1)[0].verdict == "refuted"


def test_powers_of_a_ball_that_contains_zero() -> None:
    """(x − y)³ with x = y = 1/10 is within rounding of 0, not undefined."""
    ring = Balls()
    tenth = ring.constant(Fraction(1, 10))
    given = {symbol("x"): tenth, symbol("y"): tenth}
    (cube,) = Tape([parse("(x - y)**3")]).run(ring, given)
    assert cube.contains(0)
    assert cube.is_finite()
    assert not Tape([parse("(x - y)**(-2)")]).run(ring, given)[0].is_finite()
    (power,) = Tape([parse("(-x)**3")]).run(ring, given)
    assert float(power) == pytest.approx(-1e-3, rel=1e-15)
