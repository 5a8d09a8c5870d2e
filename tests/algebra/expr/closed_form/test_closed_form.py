"""Closed forms: short, equal to what they are made from, the same everywhere, and within a budget."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from equamo.algebra.expr import Expr, constant, cos, parse, sin, sqrt, symbols, tan, tanh
from equamo.algebra.expr.closed_form.closed_form import (
    closed_form,
    closed_form_or_none,
    closed_forms,
)
from equamo.algebra.expr.closed_form.forms import operations
from equamo.algebra.expr.evaluate import Multiprecision, evaluate
from equamo.algebra.identity import prove_equal
from equamo.errors import BudgetWarning

MODULE = sys.modules[closed_form.__module__]
MANY = 10 if os.environ.get("EQUAMO_TEST_ALL", "") not in ("", "0") else 1  # make test-all
FORMS = {
    # angle sums and double angles
    "cos(q1)*cos(q2) - sin(q1)*sin(q2)": "cos(q1 + q2)",
    "sin(q1)*cos(q2) - cos(q1)*sin(q2)": "sin(q1 - q2)",
    "sin(a)*cos(b) + cos(a)*sin(b) + x": "sin(a + b) + x",
    "a*(cos(x)*cos(y)*cos(z) - cos(x)*sin(y)*sin(z) - sin(x)*cos(y)*sin(z) - sin(x)*sin(y)*cos(z))":
        "a*cos(x + y + z)",
    "m*s**2*sin(q)**2 + m*s**2*cos(q)**2": "m*s**2",
    "cos(q)**2 - sin(q)**2": "cos(2*q)",
    "2*sin(q)*cos(q)": "sin(2*q)",
    "sin(q)*cos(q)": "sin(q)*cos(q)",
    "sin(q/2)*cos(q/2)": "sin(q)/2",
    "(sin(x) + cos(x))**2": "1 + sin(2*x)",
    "sin(x)**4 - cos(x)**4": "-cos(2*x)",
    "a*sin(q + pi/2) + b*cos(q)": "cos(q)*(a + b)",
    "cos(R*a/L)*cos(R*b/L) + sin(R*a/L)*sin(R*b/L)": "cos(R*(a - b)/L)",
    "cos(100*x)*cos(y) - sin(100*x)*sin(y)": "cos(100*x + y)",
    "sin(sin(x)**2 + cos(x)**2)": "sin(1)",
    "sin(q + pi/4)": "sin(q + pi/4)",
    # factors, common sums, squares
    "(a + b)**2 - a**2": "b*(2*a + b)",
    "a*x + b*x + a*y + b*y + z": "(a + b)*(x + y) + z",
    "a**2 + b**2 + c**2 + 2*a*b - 2*a*c - 2*b*c + d": "(a + b - c)**2 + d",
    "m*(a**2 + 2*a*b*cos(q) + b**2*cos(q)**2) + k": "k + m*(a + b*cos(q))**2",
    "a*x/2 + a*y/2": "a*(x + y)/2",
    "2*x + 2*y": "2*(x + y)",
    "a*(0.1*x + 0.37*y)": "a*(0.1*x + 0.37*y)",
    "pi*x + pi*y": "pi*(x + y)",
    # quotients
    "(x**2 - y**2)/(x - y)": "x + y",
    "1/x + 1/y": "1/x + 1/y",
    "a + 1/(x + y)": "a + 1/(x + y)",
    "a/(x + y) + b/(x + y)": "(a + b)/(x + y)",
    "1/(1 + 1/x)": "x/(x + 1)",
    "R*a/L + b": "R*a/L + b",
    "(1 - cos(q)**2)/sin(q)": "sin(q)",
    "1/(cos(q)**2 + sin(q)**2)": "1",
    # common factors cancel, also within a term
    "F*sin(a)*(m + m_L)/(m*(m + m_L)*L)": "F*sin(a)/(L*m)",
    "(F*m + F*m_L)/(L*m**2 + L*m*m_L)": "F/(L*m)",
    "x + F*sin(a)*(m + m_L)/(m*(m + m_L)*L)": "F*sin(a)/(L*m) + x",
    "x + F*sin(a)*(m - m_L)/(m*(m_L - m)*L)": "x - F*sin(a)/(L*m)",
    # one bar instead of a fraction within a fraction
    "g*(m/M + 1)/L": "g*(M + m)/(L*M)",
    "x + g/L + g*m/(L*M)": "x + g*(M + m)/(L*M)",
    "x + g*m/(L*(M + N)) + g/L": "x + g*m/(L*(M + N)) + g/L",
    "x + g*(m/(M + N) + 1)/(M + N + m)": "g/(M + N) + x",
    "sin(g/L + g*m/(L*M))": "sin(g*(M + m)/(L*M))",
    "a/(L*M) + b/M + c/L": "a/(L*M) + b/M + c/L",
    "a*(b/L + c)": "a*(b/L + c)",
    # factoring introduces no fractions
    "m_B + 4*m_H + 4*m_S + 4*m_T": "m_B + 4*m_H + 4*m_S + 4*m_T",
    "R*m_B + 4*R*m_H + 4*R*m_S + 4*R*m_T": "R*(m_B + 4*m_H + 4*m_S + 4*m_T)",
    "l**2*m1/4 + l**2*m2": "l**2*(m1/4 + m2)",
    "m*(a/2 + b/4)": "m*(a + b/2)/2",
    "v**2*(I + L**2*m/4 + M*(L + q/2)**2)/2 + w**2*M/8 - g*sin(b)*(L*m/2 + M*(L + q/2))":
        "v**2*(I + L**2*m/4 + M*(L + q/2)**2)/2 + w**2*M/8 - g*sin(b)*(L*m/2 + M*(L + q/2))",
    "m*(a/2 + b/3)": "m*(a/2 + b/3)",
    "m/2 + n/10": "m/2 + n/10",
    # functions
    "tan(q)*cos(q)": "sin(q)",
    "sin(q)/cos(q)": "tan(q)",
    "tan(q) + 1": "tan(q) + 1",
    "tanh(a*b + a*c) - tanh(a*(b + c))": "0",
    "tanh(v/w)*(mu*a + mu*b)": "mu*(a + b)*tanh(v/w)",
    "sign(b*x - a*x) + sign(x*(a - b))": "0",
    "a*sqrt(x**2 + y**2)**2 + b*sqrt(y**2 + x**2)**3": "(x**2 + y**2)*(a + b*sqrt(x**2 + y**2))",
    "cos(atan2(a*b + a*c, x)) - cos(atan2(a*(b + c), x))": "0",
    "atan2(a*sin(q) + b*sin(q), x)": "atan2((a + b)*sin(q), x)",
    "exp(x)*a + exp(x)*b": "exp(x)*(a + b)",
    "abs(a*b + a*c)": "abs(a*(b + c))",
    # nothing to be done
    "0": "0",
    "3/7": "3/7",
    "x": "x",
    "-x - y": "-x - y",
    "x - x*cos(q)": "x*(1 - cos(q))",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _every_result_is_equal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Should a wrong form ever be found, it is dropped without a word: not here."""
    right = MODULE.same
    wrong: list[tuple[Expr, Expr]] = []

    def same(a: Expr, b: Expr) -> bool:
        if not right(a, b):
            wrong.append((a, b))
        return right(a, b)

    monkeypatch.setattr(MODULE, "same", same)
    yield
    assert wrong == []


def as_written(a: Expr, b: Expr) -> bool:
    """Equal up to the order of terms and factors (SymPy's own, and it factors nothing)."""
    return a is b or a.sympy(simplify=False) == b.sympy(simplify=False)


@pytest.mark.needs("sympy", cases=r"^x \+ g\*m/|^tanh\(v/w\)")
@pytest.mark.sweep(38)
@pytest.mark.parametrize(("given_text", "wanted"), FORMS.items())
def test_forms(given_text: str, wanted: str) -> None:
    form = closed_form(parse(given_text))
    assert as_written(form, parse(wanted)), form


@pytest.mark.parametrize("text", FORMS)
def test_a_closed_form_is_its_own(text: str) -> None:
    form = closed_form(parse(text))
    assert closed_form(form) is form


@pytest.mark.parametrize("text", FORMS)
def test_changed_sign(text: str) -> None:
    form = closed_form(parse(text))
    assert operations(closed_form(-parse(text))) == operations(form)


def test_never_longer_than_what_is_given() -> None:
    short = parse("m2*(L1**2 + Lc2*(Lc2 + 2*L1*cos(q2)))")  # a bracket more, an operation less
    assert closed_form(short) is short
    factored = parse("(a + b)*(a - b)*(a**2 + b**2) + (x + 1)**7")
    assert operations(closed_form(factored)) <= operations(factored)


def test_numbers_as_functions_of_angles_do_not_hide_numbers() -> None:
    assert str(closed_form(parse("x/2 + cos(q + pi/3) - x/2"))) == "cos(q + pi/3)"


@pytest.mark.parametrize("n", [3 * 10**9, 2**31, 2**62 - 1, 2**63, 10**30])
def test_coefficients_of_any_size(n: int) -> None:
    """Two factors that differ in their coefficients only, from 2³¹ to 100 bits."""
    product = f"({n}*a + b + c)*({n + 1}*a + b + c)"
    expanded = f"{n * (n + 1)}*a**2 + {2 * n + 1}*a*(b + c) + b**2 + 2*b*c + c**2"
    found = closed_form(parse(f"x*({expanded}) + y"))
    assert prove_equal(found, parse(f"x*{product} + y")).verdict == "proved"
    assert operations(found) <= operations(parse(f"x*{product} + y")), found
    found = closed_form(parse(f"{n}*a**2*sin(q) + {n}*a*b*sin(q) - {2 * n}*a*c*sin(q)"))
    assert as_written(found, parse(f"{n}*a*sin(q)*(a + b - 2*c)")), found


def test_method_and_several() -> None:
    a, b = parse("x*y + x*z"), parse("sin(q)**2 + cos(q)**2")
    assert a.closed_form() is closed_form(a)
    assert closed_forms([a, b]) == [closed_form(a), closed_form(b)]


# -- the budget ------------------------------------------------------------------------------------
def test_past_the_budget_the_expression_itself() -> None:
    long = parse("(a + b*sin(q1) + c*cos(q1 + q2) + d)**12")
    assert closed_form_or_none(long) is None
    assert closed_form(long) is long
    small = parse("x*y + x*z")
    assert closed_form_or_none(small, budget=100) is None
    assert str(closed_form_or_none(small)) == "x*(y + z)"


def test_a_big_argument_does_not_stop_the_rest() -> None:
    e = parse("a*tanh((a + b + c + d + e + f)**8) + b*tanh((a + b + c + d + e + f)**8)")
    assert str(closed_form(e)) == "tanh((a + b + c + d + e + f)**8)*(a + b)"


@pytest.mark.parametrize(
    "text", ["x**300 + x**299", "1/(sin(x)**2 + cos(x)**2 - 1)", "(x + 1)**9999"]
)
def test_what_cannot_be_read_is_left_alone(text: str) -> None:
    e = parse(text)
    assert closed_form(e) is e


def test_depth_does_not_matter() -> None:
    x, y = symbols("x y")
    e = x
    for _ in range(3000):
        e = (e + y) - x * y * 0
    assert str(closed_form(e)) == "x + 3000*y"


# -- equal, and the same everywhere -------------------------------------------------------------------
a, b, c, q1, q2, q3 = SYMBOLS = symbols("a b c q1 q2 q3")
ANGLES = st.tuples(*[st.integers(-2, 2)] * 3).map(
    lambda n: n[0] * q1 + n[1] * q2 + Fraction(n[2], 2) * q3
)
LEAVES = st.one_of(
    st.sampled_from(SYMBOLS),
    st.fractions(-3, 3, max_denominator=4).map(constant),
    ANGLES.map(sin),
    ANGLES.map(cos),
)
POLYNOMIALS = st.recursive(
    LEAVES,
    lambda x: st.one_of(
        st.tuples(x, x).map(lambda t: t[0] + t[1]),
        st.tuples(x, x).map(lambda t: t[0] - t[1]),
        st.tuples(x, x).map(lambda t: t[0] * t[1]),
        x.map(lambda e: e**2),
    ),
    max_leaves=12,
)
ANY = st.recursive(
    POLYNOMIALS,
    lambda x: st.one_of(
        st.tuples(x, x).map(lambda t: t[0] / (t[1] ** 2 + 1)),
        st.tuples(x, x).map(lambda t: t[0] * t[1]),
        x.map(tanh),
        x.map(tan),
        x.map(lambda e: sqrt(e**2 + a**2)),
    ),
    max_leaves=4,
)


def check(e: Expr, values: list[int]) -> None:
    form = closed_form(e, budget=200_000)
    assert operations(form) <= operations(e)
    ring = Multiprecision(60)
    at = {x: ring.context.mpf(n) / 997 for x, n in zip(SYMBOLS, values, strict=True)}
    x, y = evaluate([e, form], ring, at)
    assert abs(x - y) <= ring.context.mpf(10) ** -40 * (1 + abs(x))


VALUES = st.lists(st.integers(100, 1500), min_size=6, max_size=6)


@pytest.mark.ci
@settings(max_examples=120 * MANY)
@given(POLYNOMIALS, VALUES)
def test_equal_to_40_digits(e: Expr, values: list[int]) -> None:
    check(e, values)


@settings(max_examples=40 * MANY)
@given(ANY, VALUES)
def test_equal_to_40_digits_with_quotients_and_functions(e: Expr, values: list[int]) -> None:
    check(e, values)


PROGRAM = """
from equamo.algebra.expr import parse
from equamo.algebra.expr.closed_form.closed_form import closed_form
for text in {texts!r}:
    print(closed_form(parse(text)))
"""


@pytest.mark.ci
def test_the_same_for_every_hash_seed() -> None:
    texts = [
        *FORMS,
        "(a*sin(q1) + b*cos(q1 + q2))**2 + (c*tanh(x) + a/b)**2*(sin(q2) - 1)",
        "(m1 + m2)*(l1*cos(q1) + l2*cos(q1 + q2))**2 + m2*l1*l2*sin(q2)*(a + b)*(c + d)",
    ]
    printed: set[str] = set()
    for seed in ("0", "12345"):
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM.format(texts=texts)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        printed.add(run.stdout)
    assert len(printed) == 1


def test_past_the_budget_it_says_so_and_returns_the_shared_form() -> None:
    e = parse("(a + b + c + d + e + f)**20")
    with pytest.warns(BudgetWarning, match="budget of 1,000,000 is too small"):
        assert e.closed_form() is e


def test_degrees_up_to_60_have_a_closed_form() -> None:
    assert str(closed_form(parse("x*(x**59 + 1) - x"))) == "x**60"
    beyond = parse("x*(x**60 + 1) - x")
    assert closed_form(beyond) is beyond
