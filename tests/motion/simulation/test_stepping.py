"""Runs with a fixed step: how many steps there may be."""

from functools import cache

import pytest

import equamo as eq
from equamo.errors import EvaluationError
from equamo.motion.simulation import stepping


@cache
def equations() -> eq.EquationsOfMotion:
    return eq.derive(eq.load("rr_arm"))


@pytest.mark.parametrize("method", stepping.FIXED)
@pytest.mark.parametrize(
    ("step", "message"),
    [
        (5e-324, "at most 9007199254740992 steps"),
        (1e-300, "at most 9007199254740992 steps.*take a longer step"),
        (1e-9, r"at most 1e\+08 numbers, got 1e\+10 steps with 4 numbers each.*every="),
        (1e-7, r"at most 1e\+08 numbers, got 1e\+08 steps"),
        (3.0, r"a multiple of step=3 s, got 10 s; use step=3\.33333"),
        (1e300, r"a multiple of step=1e\+300 s, got 10 s"),
    ],
)
def test_steps_that_cannot_be_made(method: str, step: float, message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        eq.simulate(equations(), q={"q1": 1}, duration=10, method=method, step=step)


def test_a_function_as_control_has_the_same_limit() -> None:
    with pytest.raises(EvaluationError, match="at most"):
        eq.simulate(equations(), control=lambda t, q, v: [0, 0], method="rk4", step=1e-9)


def test_the_limit_counts_steps_and_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 steps of 4 numbers fit into 400, and not into 399."""
    monkeypatch.setattr(stepping, "MOST_NUMBERS", 400)
    run = eq.simulate(equations(), q={"q1": 1}, duration=1, method="rk4", step=0.01)
    assert len(run.t) == 101
    monkeypatch.setattr(stepping, "MOST_NUMBERS", 399)
    with pytest.raises(EvaluationError, match="100 steps with 4 numbers each"):
        eq.simulate(equations(), q={"q1": 1}, duration=1, method="rk4", step=0.01)


@pytest.mark.parametrize("power", [400, 5000])  # 5000 digits are more than Python writes down
def test_numbers_that_no_double_can_hold(power: int) -> None:
    number = 10**power
    for options, message in (
        ({"values": {"m1": number}}, r"values\['m1'\] must be below 1\.8e308"),
        ({"duration": number}, r"duration must be below 1\.8e308"),
        ({"step": number, "method": "rk4"}, r"step must be below 1\.8e308"),
    ):
        with pytest.raises(EvaluationError, match=message):
            eq.simulate(equations(), **options)
    with pytest.raises(EvaluationError, match=r"below 1\.8e308"):
        equations().evaluate("mass_matrix", q=[number, 0])
