"""Motion on loops and sticking contacts: the states stay on them, and energy is accounted for."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.motion.simulation.trajectory import Trajectory
from loops_examples import bennett, double_parallelogram, four_bar, four_bar_home, parallelogram

EPSILON = float(np.finfo(float).eps)


@lru_cache
def equations(name: str, *options: Any) -> eq.EquationsOfMotion:
    made = {"four_bar": four_bar, "parallelogram": parallelogram, "bennett": bennett,
            "double_parallelogram": double_parallelogram}  # fmt: skip
    return eq.derive(made[name](*options))


def free_leg() -> eq.Robot:
    """Body in the plane x-y with one leg of two links; its foot may be held."""
    bodies = [
        eq.Body("base", eq.planar("x y th"), mass=2, inertia="0.1 0.1 0.1"),
        eq.Body("leg", eq.revolute("q1"), mass="0.5", com="0.15 0 0", inertia="0 0.01 0.01",
                parent="base"),
        eq.Body("shank", eq.revolute("q2", at="0.3 0 0"), mass="0.3", com="0.15 0 0",
                inertia="0 0.01 0.01", parent="leg"),
    ]  # fmt: skip
    foot = eq.contact("foot", "shank", "0.3 0 0", normal="y")
    home = {"y": 0.5, "q1": -1.2, "q2": -0.6}
    return eq.Robot("free_leg", bodies, gravity="0 -g 0", contacts=[foot], home=home)


def held_body() -> eq.Robot:
    """One body with a quaternion, held in a point of it."""
    body = eq.Body("base", eq.free("b"), mass=2, inertia="0.1 0.2 0.3")
    return eq.Robot("held", [body], contacts=[eq.contact("c", "base", "0.1 0.2 -0.3")])


def energy_error(motion: Trajectory) -> float:
    return float(np.abs(motion.energy.drift).max())


def gap(motion: Trajectory) -> float:
    assert motion.closure_errors is not None
    return float(motion.closure_errors.positions.max())


# -- acceptance ----------------------------------------------------------------------------------------
def test_an_undamped_four_bar_stays_closed_and_keeps_its_energy(whole_sweeps: bool) -> None:
    """‖φ‖ ≤ 1e-10 and an energy drift ≤ 1e-8 J over 100 s; a part of it in the sampled sweep."""
    motion = eq.simulate(equations("four_bar"), {"q1": 1}, duration=100 if whole_sweeps else 3)
    assert gap(motion) < 1e-12
    assert motion.closure_errors is not None
    assert motion.closure_errors.velocities.max() < 1e-12
    assert repr(motion.closure_errors).startswith("<closure errors of ")
    assert len(repr(motion.closure_errors)) < 100
    assert energy_error(motion) < 1e-8
    assert motion.energy.range > 2


# -- states --------------------------------------------------------------------------------------------
def test_the_start_is_assembled_around_what_was_named() -> None:
    motion = eq.simulate(equations("four_bar"), {"q1": 0.7}, {"dq1": 2.0}, duration=0.01)
    expected = four_bar_home(0.7)
    np.testing.assert_allclose(motion.q[0], [expected[n] for n in ("q1", "q2", "q3")], atol=1e-12)
    # The projection subtracts what is left of A v: a rounding per product, in three rows.
    assert abs(motion.v[0, 0] - 2.0) <= 3 * len(motion.eom.v) * EPSILON * np.abs(motion.v[0]).max()
    assert motion.closure_errors is not None
    assert motion.closure_errors.velocities[0] < 1e-13


def test_a_start_off_the_loop_by_more_than_asked_for_is_an_error() -> None:
    eom = equations("four_bar")
    with pytest.raises(eq.AssemblyError, match=r"may exceed 1e-06, got 0\.151 in loop 'closure'"):
        eq.simulate(eom, {"q1": 0.7}, duration=1, start_gap=1e-6)
    assert len(eq.simulate(eom, four_bar_home_of(eom), duration=0.01, start_gap=1e-6))


def four_bar_home_of(eom: eq.EquationsOfMotion) -> dict[str, float]:
    return {s.name: four_bar_home()[s.name] for s in eom.q}


@pytest.mark.ci
def test_a_loop_that_cannot_be_closed_names_itself_and_its_gap() -> None:
    with pytest.raises(eq.AssemblyError, match=r"loop 'closure' .* a gap of 3\.\d+ remains"):
        eq.simulate(equations("four_bar"), values={"L4": 5}, duration=1)


@pytest.mark.needs("scipy", cases="Radau|BDF|RK45")
@pytest.mark.parametrize("method", ["Radau", "BDF", "RK45", "rk4", "semi_implicit_euler"])
def test_methods_agree(method: str) -> None:
    eom = equations("four_bar")
    fixed = method in ("rk4", "semi_implicit_euler")
    options = {"step": 1e-3} if fixed else {"rtol": 1e-7, "atol": 1e-9}
    motion = eq.simulate(eom, duration=0.15, method=method, **options)
    assert gap(motion) < 1e-12
    tolerance = 5e-2 if method == "semi_implicit_euler" else 1e-5
    np.testing.assert_allclose(motion.q[-1], _best().q[-1], atol=tolerance)


@lru_cache
def _best() -> Trajectory:
    return eq.simulate(equations("four_bar"), duration=0.15, rtol=1e-11)


def test_augmented_and_minimal_equations_move_alike() -> None:
    q = four_bar_home(1.3)
    start = [q[n] for n in ("q1", "q2", "q3")]
    whole = eq.simulate(equations("four_bar"), start, [1.0, 0, 0], duration=1, rtol=1e-11)
    v = {"dq1": whole.v[0, 0]}
    small = eq.simulate(
        equations("four_bar", "revolute", ("dq1",)), start, v, duration=1, rtol=1e-11
    )
    assert gap(small) < 1e-12
    np.testing.assert_allclose(small.q[-1], whole.q[-1], atol=1e-8)
    np.testing.assert_allclose(small["dq3"][-1], whole["dq3"][-1], atol=1e-7)
    forces = small.constraint_forces
    for name, force in whole.constraint_forces.items():
        np.testing.assert_allclose(force[-1], forces[name][-1], atol=1e-6)


@pytest.mark.parametrize("name", ["double_parallelogram", "bennett"])
def test_mechanisms_overconstrained_by_closure_move(name: str) -> None:
    motion = eq.simulate(equations(name), duration=0.1)
    assert gap(motion) < 1e-12
    assert energy_error(motion) < 1e-9
    assert np.abs(motion.v[-1]).max() > 0.1
    assert np.abs(motion.torques.residual).max() < 1e-9


def test_samples_within_steps_and_states_between_samples_are_projected() -> None:
    motion = eq.simulate(equations("four_bar"), duration=0.5, t_eval=np.linspace(0.1, 0.5, 20))
    assert gap(motion) < 1e-12
    assert motion.projections is not None
    assert motion.projections.shape == (20,)
    q, v = motion.at(0.123)
    eom = motion.eom
    assert np.abs(eom.evaluate("closure", q=q)).max() < 1e-12
    assert np.abs(eom.evaluate("constraint_matrix", q=q) @ v).max() < 1e-12


def test_a_state_that_cannot_be_projected_is_an_error() -> None:
    motion = eq.simulate(equations("four_bar"), duration=0.1)
    other = replace(motion, values={**motion.values, "L4": 5.0})
    with pytest.raises(
        eq.EvaluationError, match=r"at t = 0\.05 s loop or contact 'closure' cannot"
    ):
        other.at(0.05)


def test_an_event_ends_a_motion_on_the_loop() -> None:
    eom = equations("four_bar")
    for options in ({}, {"method": "rk4", "step": 1e-3}):
        event = eq.Event("q1 - 0.9", terminal=True)
        motion = eq.simulate(eom, {"q1": 1}, duration=3, events={"near": event}, **options)
        assert motion.stopped_by == "near"
        assert abs(motion["q1"][-1] - 0.9) < 1e-6
        assert gap(motion) < 1e-12
        assert motion.projections is not None
        assert len(motion.projections) == len(motion)


def test_dry_friction_sticks_in_a_loop() -> None:
    hold = [eq.joint_friction("q1", coulomb="8"), eq.joint_friction("q3", coulomb="0.1")]
    eom = eq.derive(four_bar(forces=hold))
    motion = eq.simulate(eom, {"q1": 1}, {"dq1": 1}, duration=0.3)
    assert np.abs(motion.v[-1]).max() < 1e-12
    assert gap(motion) < 1e-12
    assert energy_error(motion) < 1e-9


# -- contacts ------------------------------------------------------------------------------------------
def test_a_sticking_contact_stays_where_it_was() -> None:
    eom = eq.derive(free_leg().in_mode(foot="stick"))
    motion = eq.simulate(eom, {"y": 0.6}, {"dth": 0.4}, duration=0.3)
    foot = eom.frame("shank").position(at="0.3 0 0")
    places = eom.evaluate(foot, q=motion.q)
    np.testing.assert_allclose(places, np.broadcast_to(places[0], places.shape), atol=1e-12)
    assert energy_error(motion) < 1e-8
    runs = eq.rollout(eom, [motion.q[0]], [motion.v[0]], step=5e-4, duration=0.3)
    np.testing.assert_allclose(runs.q[0, -1], motion.q[-1], atol=1e-7)
    np.testing.assert_allclose(eom.evaluate(foot, q=runs.q[0, -1]), places[0], atol=1e-12)


def test_a_body_with_a_quaternion_turns_about_its_contact() -> None:
    eom = eq.derive(held_body().in_mode(c="stick"))
    motion = eq.simulate(eom, v={"b_wx": 1.0}, duration=1)
    assert gap(motion) < 1e-12
    assert energy_error(motion) < 1e-8
    np.testing.assert_allclose(np.linalg.norm(motion.q[:, 3:], axis=1), 1, atol=1e-14)
    runs = eq.rollout(eom, motion.q[0], motion.v[0], step=1e-3, duration=1)
    np.testing.assert_allclose(runs.q[-1], motion.q[-1], atol=1e-8)
    weight = motion.constraint_forces["c z"]
    assert weight[0] > 0


# -- results -------------------------------------------------------------------------------------------
def test_constraint_forces_are_those_of_the_equations() -> None:
    eom = equations("four_bar")
    motion = eq.simulate(eom, {"q1": 1}, {"dq1": 3}, duration=0.3, control={"tau1": "0.3 - q2"})
    forces = motion.constraint_forces
    assert set(forces) == set(eom.constraint_forces)
    for name, e in eom.constraint_forces.items():
        exact = eom.evaluate(e, q=motion.q, v=motion.v, inputs=motion.inputs)
        np.testing.assert_allclose(forces[name], exact, atol=1e-10)
    assert np.abs(motion.torques.residual).max() < 1e-11
    assert np.abs(motion.torques.constraints).max() > 0.1
    # they do no work
    power = np.einsum("ti,ti->t", motion.torques.constraints, motion.v)
    np.testing.assert_allclose(power, 0, atol=1e-12)


def test_a_tree_has_no_constraint_forces() -> None:
    motion = eq.simulate(eq.derive(eq.load("rr_arm")), duration=0.1)
    assert motion.closure_errors is None
    assert not motion.torques.constraints.any()
    with pytest.raises(eq.EquamoError, match="'rr_arm' has no loops"):
        _ = motion.constraint_forces


def test_the_ledger_has_lines_for_the_loops() -> None:
    energy = eq.simulate(equations("four_bar"), {"q1": 1}, duration=0.3).energy
    lines = str(energy).splitlines()
    heads = [line.split("  ")[0] for line in lines]
    assert heads[-3:] == ["of projections", "‖φ‖ [m, rad]", "‖A v‖ [m/s, rad/s]"]
    assert energy.closure is not None
    assert energy.closure.projections[0] == 0
    assert 0 < np.abs(energy.closure.projections).max() < 1e-9


@pytest.mark.needs("matplotlib")
def test_the_figure_has_a_panel_of_constraint_forces() -> None:
    figure = eq.simulate(equations("four_bar"), duration=0.1).plot()
    assert [ax.get_ylabel() for ax in figure.axes][-1] == "constraint forces [N, N m]"


def test_violations_have_the_names_of_the_rows() -> None:
    motion = eq.simulate(equations("four_bar"), duration=0.1)
    assert {"closure x", "closure y"} <= set(motion.constraint_violation)


def test_files_keep_the_energy_of_projections(tmp_path: Path) -> None:
    motion = eq.simulate(equations("four_bar"), duration=0.2)
    motion.save(tmp_path / "motion.npz")
    again = eq.Trajectory.load(tmp_path / "motion.npz")
    assert str(again.energy) == str(motion.energy)


# -- failures ------------------------------------------------------------------------------------------
def test_lsoda_cannot_be_projected() -> None:
    with pytest.raises(eq.EvaluationError, match="got 'LSODA'; use 'Radau' or 'BDF'"):
        eq.simulate(equations("four_bar"), duration=1, method="LSODA")


def test_the_midpoint_rule_cannot_be_projected() -> None:
    with pytest.raises(eq.EvaluationError, match='method must be "rk4"'):
        eq.simulate(equations("four_bar"), duration=1, method="implicit_midpoint", step=0.01)


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 2e-3}], ids=["DOP853", "rk4"])
def test_loss_of_rank_is_an_event_and_an_error(options: dict[str, Any]) -> None:
    """The links of a parallelogram are in line at q1 = π; two motions continue from there."""
    eom = equations("parallelogram")
    with pytest.raises(eq.SimulationError, match=r"singular configuration: .* 'closure'") as caught:
        eq.simulate(eom, {"q1": 1}, {"dq1": 8}, duration=5, **options)
    error = caught.value
    (time,) = error.trajectory.events["loss of rank"]
    assert abs(time - error.trajectory.t[-1]) < 3e-3
    assert abs(error.trajectory["q1"][-1] - np.pi) < 0.03


def test_a_terminal_event_before_the_singular_configuration_ends_the_motion() -> None:
    event = eq.Event("q1 - 3.1", terminal=True)
    eom = equations("parallelogram")
    motion = eq.simulate(eom, {"q1": 1}, {"dq1": 8}, duration=5, events={"before": event})
    assert motion.stopped_by == "before"


def test_a_motion_that_only_comes_close_continues() -> None:
    motion = eq.simulate(equations("parallelogram"), {"q1": 1.5}, duration=0.4)
    assert "loss of rank" not in motion.events
    assert motion.t[-1] == 0.4
