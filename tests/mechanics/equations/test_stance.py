"""Standing robots: modes of contacts, and the projected form without constraint forces."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr.matrix import identity
from equamo.algebra.identity import prove_equal, prove_zero
from equamo.errors import ConstraintError, UnknownNameError
from equamo.mechanics.equations import EquationsOfMotion
from equamo.robot.library.starleth import LEGS, support_bias, support_jacobian
from loops_examples import four_bar


@pytest.fixture(scope="module")
def eom() -> EquationsOfMotion:
    return eq.derive(eq.load("starleth"))


@pytest.fixture(scope="module")
def stance(eom: EquationsOfMotion) -> EquationsOfMotion:
    return eom.in_mode(LF="stick", RH="stick")


def test_a_mode_keeps_the_tree(eom: EquationsOfMotion, stance: EquationsOfMotion) -> None:
    assert stance.robot.mode == {"LF": "stick", "RF": "open", "LH": "open", "RH": "stick"}
    assert stance.mass_matrix == eom.mass_matrix
    assert stance.derivation is eom.derivation  # not derived again
    assert stance.by == eom.by
    assert stance.is_recursive
    assert not eom.robot.rows


def test_all_contacts_are_open_by_default(stance: EquationsOfMotion) -> None:
    assert not stance.in_mode().robot.rows
    assert [r.owner for r in stance.in_mode({"LH": "stick"}).robot.rows] == ["LH"] * 3


def test_rows_are_the_support_jacobian(eom: EquationsOfMotion, stance: EquationsOfMotion) -> None:
    """Document 002: Js and J̇s v of the feet, from Jacobians of frames."""
    feet = ("LF", "RH")
    assert prove_equal(
        list(stance.constraint_matrix.entries), list(support_jacobian(eom, feet).entries)
    )
    assert prove_equal(list(stance.constraint_bias), list(support_bias(eom, feet)))


def test_ground_forces_carry_the_weight() -> None:
    """At rest the forces of the four feet balance the weight: Σ λ = (0, 0, m g). Fs of 002 is −λ."""
    stance = eq.derive(eq.load("starleth")).in_mode(dict.fromkeys(LEGS, "stick"))
    force = {n: stance.evaluate(e) for n, e in stance.constraint_forces.items()}
    rest = stance.evaluate(stance.state_derivative)
    # The joints have no torques, so the legs give way; the centre of mass accelerates.
    moved = stance.evaluate(stance.center_of_mass_jacobian) @ rest[18:]
    total = [sum(x for n, x in force.items() if n.endswith(f" {c}")) for c in "xyz"]
    assert total == pytest.approx(23 * (moved + np.array([0, 0, 9.81])), abs=1e-9)


@pytest.mark.ci
def test_projected_form(stance: EquationsOfMotion) -> None:
    form = stance.projected()
    N, A = form.projector, form.constraint_matrix
    assert form.rows == tuple(f"{leg} {c}" for leg in ("LF", "RH") for c in "xyz")
    assert prove_zero(A @ N)
    assert prove_equal(N @ N, N)
    assert prove_zero(N.T @ A.T)
    assert prove_equal(form.mass_matrix, form.mass_matrix.T)
    assert prove_equal(
        form.constraint_inertia @ (A @ stance.constrained_system.response), identity(6)
    )
    v_dot = stance.state_derivative[18:]
    assert prove_zero(form.residual(v_dot, stance.inputs))
    assert form.mass_matrix.row_names == stance.mass_matrix.row_names


def test_another_acceleration_does_not_satisfy_the_projected_form() -> None:
    eom = eq.derive(four_bar())
    form = eom.projected()
    assert prove_zero(form.residual(eom.state_derivative[3:], eom.inputs))
    wrong = list(eom.state_derivative[3:])
    wrong[0] = wrong[0] + 1
    assert prove_zero(form.residual(wrong, eom.inputs)).verdict == "refuted"


def test_a_robot_without_inertia_in_a_joint() -> None:
    """A weld to a pin without mass: Λ and N exist although M is singular."""
    eom = eq.derive(four_bar("fixed"))
    form = eom.projected()
    other = eq.derive(four_bar("revolute")).projected()
    assert len(form.rows) == 3
    values = dict(q=eom.robot.home.q)
    N = eom.evaluate(form.projector, **values)
    expected = eq.derive(four_bar("revolute")).evaluate(other.projector)
    assert N[:3, :3] == pytest.approx(expected)
    assert eom.evaluate(form.constraint_matrix @ form.projector, **values) == pytest.approx(
        0, abs=1e-12
    )


def test_symbols_are_replaced_after_the_derivation(stance: EquationsOfMotion) -> None:
    still = stance.subs({"g": 0})
    assert prove_zero(still.projected().gravity)
    assert not prove_zero(stance.projected().gravity)
    assert still.in_mode(LF="stick").subs({}).projected().rows == ("LF x", "LF y", "LF z")
    assert prove_zero(still.in_mode(LF="stick").gravity)


def test_constraint_inertia(stance: EquationsOfMotion) -> None:
    Lambda = stance.constraint_inertia
    assert Lambda.row_names == Lambda.column_names == stance.projected().rows
    numbers = stance.evaluate(Lambda)
    assert np.linalg.eigvalsh(numbers).min() > 0
    A, M = (stance.evaluate(x) for x in (stance.constraint_matrix, stance.mass_matrix))
    assert numbers == pytest.approx(np.linalg.inv(A @ np.linalg.solve(M, A.T)))


def test_redundant_rows_are_left_out() -> None:
    eom = eq.derive(four_bar())
    assert len(eom.robot.rows) == 5
    assert eom.constraint_inertia.row_names == ("closure x", "closure y")


def test_wrong_modes(eom: EquationsOfMotion) -> None:
    with pytest.raises(UnknownNameError, match="Valid: LF, RF, LH, RH"):
        eom.in_mode(FL="stick")
    with pytest.raises(UnknownNameError, match="Valid: open, stick"):
        eom.in_mode(LF="glue")


def test_without_rows() -> None:
    eom = eq.derive(eq.load("starleth"))
    with pytest.raises(ConstraintError, match=r"hold a contact, eom.in_mode\({'LF': \"stick\"}\)"):
        eom.projected()
    with pytest.raises(ConstraintError, match="needs a loop or a held contact, but robot 'rr_arm'"):
        eq.derive(eq.load("rr_arm")).projected()
    with pytest.raises(ConstraintError, match=r"chosen speeds dq1; use eom.augmented\(\)"):
        eq.derive(four_bar(speeds="dq1")).projected()
