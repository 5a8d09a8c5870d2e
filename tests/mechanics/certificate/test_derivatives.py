"""Lines of the certificate about derivatives: they hold on random trees, and notice what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.identity import Proof, prove_zero
from equamo.mechanics.certificate import derivatives, prove
from equamo.mechanics.certificate.sides import residuals
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.model import BaseMotion, Robot, edits as model_edits
from force_robots import arm, one_of_each
from random_trees import random_tree

LINES = (
    derivatives.by_acceleration,
    derivatives.by_speed,
    derivatives.in_time,
)
BY_SPEED = "∂ID/∂v = 2C + [N, N] − ∂f/∂v"
IN_TIME = "d/dt ID = differentiated recursion"


def outcome(line: Any, eom: EquationsOfMotion) -> Proof:
    return prove_zero(residuals(line(eom)), unit=eom.robot.unit_groups, seed=1)


@pytest.mark.parametrize("seed", range(1, 200, 1 if WHOLE_SWEEPS else 40))
def test_they_hold_on_random_trees(seed: int) -> None:
    eom = derive(random_tree(seed, most=4, speeds=9).robot())
    for line in LINES:
        assert outcome(line, eom), line.__name__


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ["rolling_disc", "wheeled_inverted_pendulum", "krang_on_wheels"])
def test_they_hold_with_chosen_speeds(name: str) -> None:
    eom = derive(eq.load(name))
    for line in LINES:
        assert outcome(line, eom), line.__name__


def test_they_hold_with_every_force_element() -> None:
    eom = derive(arm(*one_of_each()))
    for line in (*LINES, derivatives.gravity_symmetric):
        assert outcome(line, eom), line.__name__


def names(robot: Robot) -> list[str]:
    return [line.name for line in prove(robot).lines]


def test_gravity_is_symmetric_only_where_the_rates_are_the_speeds() -> None:
    assert "∂g/∂q symmetric" in names(eq.load("rr_arm"))
    assert "∂g/∂q symmetric" not in names(eq.load("rolling_disc"))


def test_a_moving_base_is_left_out_with_a_reason() -> None:
    robot = model_edits.copy_with(eq.load("rr_arm"), base=BaseMotion(w="0 0 w0", alpha="0 0 a0"))
    certificate = prove(robot)
    assert certificate
    assert {BY_SPEED, IN_TIME}.isdisjoint(line.name for line in certificate.lines)
    assert any(text.startswith(BY_SPEED) for text in certificate.not_applicable)
    assert any(text.startswith(IN_TIME) for text in certificate.not_applicable)


class Wrong:
    """Equations with one quantity replaced."""

    def __init__(self, eom: EquationsOfMotion, **replaced: Any) -> None:
        self._eom, self._replaced = eom, replaced

    def __getattr__(self, name: str) -> Any:
        found = self._replaced.get(name)
        return getattr(self._eom, name) if found is None else found


def test_wrong_quantities_are_refuted() -> None:
    eom = derive(eq.load("three_link_arm"))
    M, C, g = eom.mass_matrix, eom.coriolis_matrix, eom.gravity
    turned = Matrix([[x for x in row] for row in C.T.rows])
    wrong: list[tuple[Any, dict[str, Any]]] = [
        (derivatives.by_acceleration, {"mass_matrix": M * 2}),
        (derivatives.by_speed, {"coriolis_matrix": turned}),
        (derivatives.by_speed, {"inverse_dynamics": eom.inverse_dynamics + eom.bias}),
        (derivatives.in_time, {"inverse_dynamics": eom.inverse_dynamics + g}),
        (derivatives.gravity_symmetric, {"gravity": M @ g}),
    ]
    for line, replaced in wrong:
        assert outcome(line, Wrong(eom, **replaced)).verdict == "refuted"  # type: ignore[arg-type]


def test_the_bracket_matters_where_rates_are_not_speeds(monkeypatch: pytest.MonkeyPatch) -> None:
    eom = derive(random_tree(7, kinds=["spherical quaternion"], bodies=2).robot())
    assert outcome(derivatives.by_speed, eom)
    monkeypatch.setattr(derivatives, "_bracket_force", lambda robot, w: w * 0)
    assert outcome(derivatives.by_speed, eom).verdict == "refuted"
