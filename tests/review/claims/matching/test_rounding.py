"""Agreement to rounding: what it accepts, what it refuses, and what its bound says."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from equamo.algebra.expr import Expr, constant, parse, symbol
from equamo.algebra.expr.evaluate import Multiprecision, Tape, evaluate, evaluate_floats
from equamo.algebra.expr.functions import TABLE
from equamo.algebra.expr.graph import CONST
from equamo.algebra.expr.substitute import substitute
from equamo.algebra.expr.walk import walk
from equamo.review.claims.matching import rounding
from equamo.review.claims.matching.rounding import (
    STATES,
    UNIT,
    Agreement,
    agreements,
    is_folded,
    significant_digits,
    unrounded,
)

X = symbol("x")


def agreement(code: str, derived: str, **options: object) -> Agreement:
    return agreements([parse(code)], [parse(derived)], [X], **options)[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "derived"),
    [
        ("0.3333333333333333*x", "x/3"),
        ("0.333333333333333*x", "x/3"),  # 15 digits, as SymPy prints them
        ("sin(x + 1.5707963267948966)", "cos(x)"),
        ("x*0.1000000000000000055/0.7", "x/7"),
        ("sqrt(2.0000000000000004)*x", "sqrt(2)*x"),
        ("atan2(x, 0.1000000000000000055)", "atan2(x, 1/10)"),
        ("x**3*0.1000000000000000055 - exp(x)", "x**3/10 - exp(x)"),
    ],
)
def test_rounded_constants_agree(code: str, derived: str) -> None:
    found = agreement(code, derived)
    assert found.agrees
    assert found.states == STATES
    assert 0 < abs(found.residual) <= found.bound < 1e-9


@pytest.mark.parametrize(
    ("code", "derived"),
    [
        ("0.33333333333*x", "x/3"),  # 11 digits
        ("sin(x + 1.570796326)", "cos(x)"),
        ("1.0000000000001*x", "x"),
        ("x + 1.1e-11", "x"),
        ("-0.3333333333333333*x", "x/3"),
    ],
)
def test_other_differences_do_not(code: str, derived: str) -> None:
    found = agreement(code, derived)
    assert found.agrees is False
    assert abs(found.residual) > found.bound > 0
    # The state is one at which the difference is what was reported.
    gap = parse(code) - parse(derived)
    assert found.state is not None
    ring = Multiprecision(50)
    state = {symbol(k): ring.constant(Fraction(repr(v))) for k, v in found.state.items()}
    (value,) = evaluate([gap], ring, state)
    assert float(value) == pytest.approx(found.residual, rel=1e-9)


def test_another_unit_moves_the_bound() -> None:
    assert agreement("0.33333333333*x", "x/3", unit=Fraction(1, 10**10)).agrees
    assert not agreement("0.3333333333333333*x", "x/3", unit=Fraction(1, 2**60)).agrees


def test_an_entry_that_is_zero_is_measured_with_the_largest() -> None:
    code = [parse("3*x"), parse("1.8e-16*x")]
    derived = [parse("3*x"), parse("0")]
    assert [a.agrees for a in agreements(code, derived, [X])] == [True, True]
    assert not agreements(code[1:], derived[1:], [X])[0].agrees


def test_undefined_everywhere_is_not_judged() -> None:
    found = agreement("0.3333333333333333*sqrt(-1 - x**2)", "sqrt(-1 - x**2)/3")
    assert found.agrees is None
    assert "could not be bounded" in str(found)


def test_a_state_is_drawn_five_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state at which an entry is not defined is drawn again, up to four times."""
    honest, calls = rounding._measured, 0

    def fifth(*args: Any) -> Any:
        nonlocal calls
        calls += 1
        return None if calls % 5 else honest(*args)

    monkeypatch.setattr(rounding, "_measured", fifth)
    found = agreement("0.3333333333333333*x", "x/3")
    assert (found.agrees, found.states, calls) == (True, STATES, 5 * STATES)


def test_states_respect_quaternions() -> None:
    w, x = symbol("w"), symbol("x")
    code = [parse("0.3333333333333333*(w**2 + x**2)")]
    assert agreements(code, [parse("1/3")], [w, x], [[w, x]])[0].agrees
    assert not agreements(code, [parse("1/3")], [w, x])[0].agrees


def test_the_bound_covers_every_rounding_of_the_constants() -> None:
    """Constants that are changed by up to the unit never leave the bound: (2) is an upper bound."""
    random = Random(3)
    e = parse("(0.7*sin(x) - 1.3)/(2.1 + cos(0.9*x)) + sqrt(1.7 + x**2*0.4) - 0.11*x**3")
    constants = [n for n in walk([e]) if n.op == CONST and n.a.denominator > 1]
    for _ in range(20):
        table: dict[Expr, Expr] = {
            n: constant(n.a * (1 + UNIT * Fraction(random.randrange(-999, 1000), 1000)))
            for n in constants
        }
        changed = substitute([e], table)
        assert agreements(changed, [e], [X], seed=random.randrange(99))[0].agrees


GROWTH = (
    "x + y", "x - y", "x*y", "x/y", "x**2", "x**3", "atan2(x, y)", "-x",
    *(f"{f.name}(x)" for f in TABLE.values()),
)  # fmt: skip


@pytest.mark.parametrize("text", GROWTH)
@pytest.mark.parametrize("at", [{"x": 0.3, "y": 0.7}, {"x": 0.9, "y": -0.4}])
def test_the_error_of_an_operation_is_that_of_its_operands(text: str, at: dict[str, float]) -> None:
    """(2): |∂f/∂x| |x| + |∂f/∂y| |y| by central differences, and the rounding of the result."""
    e = parse(text)

    def value(**changed: float) -> float:
        state = {symbol(n): x for n, x in (at | changed).items()}
        return evaluate_floats([e], state)[0]

    h = 1e-6
    slopes = {n: (value(**{n: x + h}) - value(**{n: x - h})) / (2 * h) for n, x in at.items()}
    grown = sum(abs(slopes[n] * x) for n, x in at.items())
    rounded = 0.0 if text == "-x" else abs(value())
    (found,) = rounding._errors(Tape([e]), {symbol(n): x for n, x in at.items()})
    assert found == pytest.approx(grown + rounded, rel=1e-7)


def test_the_statement_names_residual_bound_states_and_unit() -> None:
    text = str(agreement("0.3333333333333333*x", "x/3"))
    assert text == "residual 5.1e-17 ≤ 1.1e-14, the worst of 20 random states (relative unit 2⁻⁴⁷)"
    assert "1e-10" in str(agreement("0.3*x", "x", unit=Fraction(1, 10**10)))


def test_folded_numbers() -> None:
    assert [significant_digits(Fraction(x)) for x in ("0", "1200", "0.0125", "1/7", "5/3")] == [
        0, 2, 3, 1, 1,
    ]  # fmt: skip
    assert significant_digits(10**5000 + 1) >= 15  # more digits than Python would write
    assert not is_folded([parse("9.81*x + x/3 + 1e-30")])
    assert is_folded([parse("x*(1 + 0.12345678901234)")])


def test_unrounded_numbers_are_the_simplest() -> None:
    text = "9.8100000000000005*x + 0.083333333333333329*y"
    assert unrounded(parse(text)) is parse("9.81*x + y/12")
    assert unrounded(parse("0.125*x")) is parse("x/8")
    assert unrounded(parse("0.3183098861837907*x + 0.083333333333333329*y")) is None
