"""The trials: their number, their bound, and the signs of square roots."""

from itertools import product
from math import log2
from random import Random
from typing import Any

import pytest

from equamo.algebra.expr import parse, symbols
from equamo.algebra.expr.evaluate import Modular
from equamo.algebra.expr.walk import walk
from equamo.algebra.identity.primes import SIZES, composite_bits
from equamo.algebra.identity.rewrite import rewrite_with_walk
from equamo.algebra.identity.trials import Trials

SEEDS = range(12)


def trials(*texts: str, error_bits: int = 100, seed: int = 1) -> Trials:
    return Trials(*rewrite_with_walk([parse(t) for t in texts]), [], error_bits, Random(seed))


class Dictated(Random):
    """A random number generator that says what it is told to."""

    def __new__(cls, told: Any) -> Any:
        return super().__new__(cls)

    def __init__(self, told: tuple[int, ...]) -> None:
        self.told = iter(told)

    def randrange(self, *_: Any, **__: Any) -> int:
        return next(self.told)


@pytest.mark.sweep(19)
@pytest.mark.parametrize("p", [23, 31, 47])
@pytest.mark.parametrize(
    "text",
    [
        "sin(x) - cos(y)", "z*cos(x) + 1", "cos(3*x) - z", "cos(x)*sin(2*y) + 1/3", "z**2 - 2",
        "cos(x) + cos(y) + cos(x - y)", "sin(x)*sin(y)*z - z", "(cos(x) + z)**3 - 5", "cos(x) + 1",
    ],
)  # fmt: skip
def test_zeros_at_all_points_of_a_small_field(text: str, p: int) -> None:
    """Schwartz and Zippel, circle by circle, counted: at most 2·degree/p of all points are zeros."""
    t = trials(text)
    names = len(t.points.symbols) + len(t.points.denominators)
    zeros = 0
    for told in product(range(p), repeat=names):
        values = t.points.draw(p, {}, Dictated(told))
        zeros += t.tape.run(Modular(p), values)[0] == 0
    assert zeros / p**names <= t.degree(0) / p
    assert zeros < p**names


@pytest.mark.sweep(14)
@pytest.mark.parametrize("error_bits", [1, 20, 100, 500, 3000])
@pytest.mark.parametrize("text", ["x - y", "cos(x)**2000*tanh(y)", "sqrt(x)*sqrt(y) - x/y"])
def test_the_bound_is_reached(text: str, error_bits: int) -> None:
    t = trials(text, error_bits=error_bits)
    assert t.bound(0) <= -error_bits
    assert t.count >= 1
    assert t.bits in SIZES


def test_the_bound_grows_with_what_it_is_made_of() -> None:
    def error(text: str) -> float:
        return trials(text).error(0, 127)

    assert error("x**2 - y") < error("x**200 - y")  # degree
    assert error("x - y") < error(f"{10**3000}*x - y")  # height
    assert error("x - y") < error("x/z - y")  # denominators
    assert error("x - y") < error("sqrt(x) - y")  # roots
    assert error("x - y") < error("tanh(x) - y")  # functions
    assert error("tanh(x) - y") < error("tanh(x**99) - y")
    assert error("tanh(x) - y") < error(f"tanh({10**3000}*x) - y")


def test_composite_primes_are_added_once() -> None:
    """Trials multiply; a composite "prime" would spoil the independence of roots in all of them."""
    t = trials("sqrt(x)*sqrt(y) - x/y", error_bits=200)
    assert t.count > 1
    together = 2.0 ** (t.count * t.error(0, t.bits)) + 2.0**t.composite
    assert 2.0 ** t.bound(0) == pytest.approx(together, rel=1e-9)
    primes = t.count * t.draws
    assert t.composite >= log2(primes) + composite_bits(t.bits, t.rounds)


def test_every_draw_of_a_trial_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Trials._draw  # pyright: ignore[reportPrivateUsage]
    count = 0

    def counted(self: Trials) -> Any:
        nonlocal count
        count += 1
        return draw(self) and None  # it never will do

    monkeypatch.setattr(Trials, "_draw", counted)
    for text in ("x - y", "x/z - y", "sqrt(x) - y", "sqrt(x) - sqrt(y)*sqrt(z)"):
        count = 0
        t = trials(text)
        assert t.reason
        assert count == t.draws
        before = t.error(0, 127)
        t.draws *= 8
        assert t.error(0, 127) == pytest.approx(before + 3)


def test_components_of_unit_vectors_have_bits_of_their_own() -> None:
    """1 − t₁² − … has n terms: log₂ n bits for each degree."""

    def error(n: int) -> float:
        group = symbols([f"u{i}" for i in range(n)])
        e = [group[0] ** 1000]
        return Trials(e, walk(e), [group], 100, Random(1)).points.bits_per_degree

    assert [error(n) for n in (2, 4, 5, 8, 9, 33)] == [2, 2, 3, 3, 4, 6]


def test_bits_of_degrees_count() -> None:
    t = trials("x**1000 - y")
    before = t.error(0, 127)
    t.points.bits_per_degree = 200
    assert t.error(0, 127) > before + 3


def test_large_degrees_take_large_primes() -> None:
    assert trials("cos(10**6*x)").bits <= 127
    assert trials("cos(10**40*x)").bits == 521
    too_large = trials("cos(10**700*x) - cos(y)")
    assert "degree is too large" in too_large.reason
    assert too_large.zero == [False]


@pytest.mark.parametrize("seed", SEEDS)
def test_several_at_once(seed: int) -> None:
    t = trials("sin(x)**2 + cos(x)**2 - 1", "x", "tan(x)*cos(x) - sin(x)", "y/x - 1", seed=seed)
    assert t.zero == [True, False, True, False]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x/(sin(x)**2 + cos(x)**2 - 1)", "denominator was zero"),
        ("sqrt(-4)*x", "no point"),
        (" + ".join(f"sqrt(x{i})" for i in range(11)), "more than 10"),
        ("1/(sqrt(x**2 + 2*x*y + y**2) - x - y)", "some signs|zero at"),
        ("sqrt(sqrt(x**2 + 2*x*y + y**2))", "depend on each other"),
    ],
)
def test_why_there_is_no_answer(text: str, reason: str) -> None:
    t = trials(text)
    assert t.zero == [False]
    assert any(part in t.reason for part in reason.split("|"))


# √((x + y)²), which is ±(x + y) in a field and |x + y| in the reals
R = "sqrt(x**2 + 2*x*y + y**2)"
S = "(x + y)"
# a square if R = x + y, and none if R = −(x + y)
Q = f"sqrt((({R} + {S})/2)**2 + ({R} - {S})/2*w)"

NOT_ZERO = [
    f"{R} - {S}",
    f"{R} + {S}",
    f"({R} - {S})*sqrt({R})",
    f"({R} - {S})*sqrt(sqrt({R}))",
    f"({R} + {S})*({Q} + {S})",
    "sqrt(x**2*y) - x*sqrt(y)",
    "sqrt(x**6) - x**3",
    "sqrt(x**4) + x**2",
    "sqrt(1009*1013) + sqrt(1009)*sqrt(1013)",
    "sqrt(x)*sqrt(y) + sqrt(x*y)",
    "sqrt(2*x + 2*y) + sqrt(2)*sqrt(x + y)",
    "sqrt(exp(x)) - 5",
    "sqrt(tanh(x) + 2)*sqrt(exp(y)) - z",
    "sqrt(5 + 2*sqrt(6)) + sqrt(2) + sqrt(3)",
    "sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(5)",
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("text", NOT_ZERO)
def test_no_sign_is_taken_for_granted(text: str, seed: int) -> None:
    assert trials(text, seed=seed).zero == [False]


@pytest.mark.ci
def test_a_root_that_fails_where_another_is_zero_is_not_independent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """√d = √(a²·d)/a fails to exist only where a = 0: one point in p, which small primes show."""
    monkeypatch.setattr(Trials, "_choose", lambda *_: (11, 2))
    zeros = [trials("sqrt(a**2*d) - a*sqrt(d)", seed=seed).zero for seed in range(500)]
    assert zeros.count([True]) == 0


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("sqrt(a) + sqrt(b) + sqrt(a*b)", 2),
        ("sqrt(d) + sqrt(a**2*d)", 1),
        ("sqrt(x**2*y/(x + 1)**2) + sqrt(y)", 1),
        ("sqrt(x) + sqrt(y) + sqrt(x + y + 2*sqrt(x)*sqrt(y))", 2),
        ("sqrt(x) + sqrt(1 + sqrt(x)) + sqrt(1 - sqrt(x)) + sqrt(1 - x)", 3),
    ],
)
def test_independent_roots_are_independent(
    text: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also modulo primes so small that accidents happen all the time."""
    monkeypatch.setattr(Trials, "_choose", lambda *_: (11, 1))
    for seed in range(60):
        assert len(trials(text, seed=seed)._independent) <= most  # pyright: ignore[reportPrivateUsage]


ZERO = [
    "(sqrt(sqrt(x)) + 1)*(sqrt(sqrt(x)) - 1) - sqrt(x) + 1",
    "(sqrt(2) + sqrt(3))**2 - 5 - 2*sqrt(6)",
    "(sqrt(exp(x)) + 1)*(sqrt(exp(x)) - 1) - exp(x) + 1",
    "(sqrt(x) + sqrt(y))*(sqrt(x) - sqrt(y)) - x + y",
    "1/(sqrt(x + 1) - sqrt(x)) - sqrt(x + 1) - sqrt(x)",
    f"{R}*{R}*x - {S}**2*x",
    f"({R} + {S})*({R} - {S})",
    "sqrt(3*x)*sqrt(x) - sqrt(3)*x",
    "tanh(sqrt(x)*sqrt(x + 1)**2) - tanh(sqrt(x)*(x + 1))",
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("text", ZERO)
def test_roots_that_cancel(text: str, seed: int) -> None:
    assert trials(text, seed=seed).zero == [True]


@pytest.mark.parametrize("last", ["sqrt(-4)", "sqrt(-z**2)"])
def test_a_root_that_never_exists_is_given_up(last: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Trials._draw  # pyright: ignore[reportPrivateUsage]
    count = 0

    def counted(self: Trials) -> Any:
        nonlocal count
        count += 1
        return draw(self)

    monkeypatch.setattr(Trials, "_draw", counted)
    t = trials("+".join([f"sqrt(x{i})" for i in range(5)]) + f" + y*{last}")
    assert "exists at no point" in t.reason
    assert count < 20 * 2**5 * 3
    assert t.zero == [False]


def test_long_multiples_of_angles_are_refused() -> None:
    t = trials("+".join(f"cos({3**600 + i}*x)/cos(y)" for i in range(900)))
    assert "too many digits" in t.reason
    assert t.count == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_root_of_one_is_one(seed: int) -> None:
    assert trials("sqrt(sin(x)**2 + cos(x)**2) - 1", seed=seed).zero == [True]
    assert trials("sqrt(sin(x)**2 + cos(x)**2) + 1", seed=seed).zero == [False]
    assert trials("sqrt(sin(x)**2 + cos(x)**2 - 1)", seed=seed).zero == [True]


def test_the_same_seed_gives_the_same_trials() -> None:
    a, b = trials("sqrt(x)*tanh(y) - 1", seed=5), trials("sqrt(x)*tanh(y) - 1", seed=5)
    assert (a.zero, a.random.random()) == (b.zero, b.random.random())


def test_every_root_counts_for_the_size_of_the_prime() -> None:
    """Weil: 2(d + 1) for each radicand of degree d, and two signs for each of the K roots."""
    t = trials("sqrt(x) - y")
    count = len(t.radicals)
    for b in SIZES:
        most = 1 << (b // 2 - 3 - count)  # the sum must stay below this
        t.degrees.radicands = [most // 4 - 1, most // 4 - 2]
        assert t._enough_points(b)  # pyright: ignore[reportPrivateUsage]
        t.degrees.radicands = [most // 4 - 1, most // 4 - 1]
        assert not t._enough_points(b)  # pyright: ignore[reportPrivateUsage]
