"""Dry friction and other signs: when they switch, and what they hold at rest.

Friction that differs in the two directions allows any force between the two at rest.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import equamo as eq
from equamo.motion.simulation.flow import Flow
from equamo.motion.simulation.stepping import derivative
from loops_examples import four_bar

# 3 N against motion along +x, 1 N along −x: what a pair of numbers in a DH table becomes.
COULOMB = "3*(sign(dx) + 1)**2/4 + (sign(dx) - 1)**2/4"


def block(coulomb: str = COULOMB) -> eq.EquationsOfMotion:
    body = eq.Body("block", eq.prismatic("x", axis="x"), mass=2)
    forces = [eq.joint_actuator("x", "F"), eq.joint_friction("x", coulomb)]
    return eq.derive(eq.Robot("block", [body], gravity="0 0 0", forces=forces))


@pytest.mark.parametrize(("sign", "limit"), [(1, 3), (-1, 1)])
def test_a_block_rests_until_the_friction_of_its_direction(sign: int, limit: int) -> None:
    """m ẍ = ±(t − limit) from t = limit on, so x = ±(t − limit)³/(6 m)."""
    motion = eq.simulate(block(), duration=4, control={"F": f"{sign}*t"})
    assert motion.q[-1, 0] == pytest.approx(sign * (4 - limit) ** 3 / 12, rel=1e-9)
    at_rest = motion.t < limit
    assert at_rest.sum() > 1
    assert np.abs(motion.q[at_rest]).max() < 1e-13


def test_a_block_that_comes_to_rest_stays() -> None:
    motion = eq.simulate(block(), v=[1.5], duration=3, control={"F": "-0.9"})
    # ẍ = −(3 + 0.9)/2 until rest; 0.9 N is less than the 1 N of the other direction.
    assert motion.q[-1, 0] == pytest.approx(1.5**2 / 2 / 1.95, rel=1e-9)
    assert abs(motion.v[-1, 0]) < 1e-12


def test_equal_numbers_for_both_directions_are_one_number() -> None:
    pair = COULOMB.replace("3*", "2*").replace(" + (sign(dx) - 1)", " + 2*(sign(dx) - 1)")
    one, two = (
        eq.simulate(block(c), v=[1], duration=3, control={"F": "3*sin(2*t)"}).q[-1]
        for c in ("2", pair)
    )
    assert np.allclose(one, two, rtol=1e-9)


def test_a_robot_with_such_friction_comes_to_rest_in_few_steps() -> None:
    """It once chattered about rest with steps of 10⁻⁷ s."""
    motion = eq.simulate(
        eq.derive(eq.load("puma560")), q=[0.7] * 6, v=[0.5] * 6, duration=0.1, max_steps=200
    )
    assert motion.t[-1] == pytest.approx(0.1)


# -- signs whose arguments pass 0 several times in a step ----------------------------------------------
def plain() -> eq.EquationsOfMotion:
    body = eq.Body("block", eq.prismatic("x", axis="x"), mass=1)
    return eq.derive(
        eq.Robot("block", [body], gravity="0 0 0", forces=[eq.joint_actuator("x", "F")])
    )


def rubbing(coulomb: float = 1) -> eq.EquationsOfMotion:
    body = eq.Body("block", eq.prismatic("x", axis="x"), mass=1)
    forces = [eq.joint_actuator("x", "F"), eq.joint_friction("x", coulomb)]
    return eq.derive(eq.Robot("block", [body], gravity="0 0 0", forces=forces))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("height", [0.9, 0.9999, 0.999999])
def test_pulses_of_the_control_are_not_missed(height: float) -> None:
    """The argument is positive for a part of each second; in 10 s, a pulse each."""
    control = f"(1 + sign(sin(2*pi*t) - {height}))/2"
    motion = eq.simulate(plain(), duration=10, control=control)
    assert motion.v[-1, 0] == pytest.approx(10 * (0.5 - np.arcsin(height) / np.pi), abs=1e-10)


@pytest.mark.ci
def test_pulses_of_random_length() -> None:
    eom = plain()
    for seed in range(8):
        rng = np.random.default_rng(seed)
        f, height = rng.uniform(0.2, 3), 1 - 10 ** rng.uniform(-7, 0)
        control = f"(1 + sign(sin(2*pi*{f}*t) - {height}))/2"
        first = np.arcsin(height) / (2 * np.pi * f)
        last = 1 / (2 * f) - first
        pulses = [min(10, last + k / f) - min(10, first + k / f) for k in range(40)]
        motion = eq.simulate(eom, duration=10, control=control)
        assert motion.v[-1, 0] == pytest.approx(sum(pulses), abs=1e-9)


def force_driven(
    amplitude: float, frequency: float, duration: float, h: float
) -> tuple[float, float]:
    """x and the time at rest of a unit mass with friction 1, by implicit steps."""
    x = v = rest = 0.0
    for t in np.arange(h, duration, h):
        v += h * amplitude * np.sin(frequency * t)
        v = np.sign(v) * max(abs(v) - h, 0.0)
        x += h * v
        rest += h * (v == 0)
    return x, rest


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", range(12))
def test_a_mass_sticks_in_every_half_period(seed: int) -> None:
    rng = np.random.default_rng(seed)
    amplitude, frequency = rng.uniform(1.02, 3), rng.uniform(1, 20)
    times = np.linspace(0, 3, 3001)
    motion = eq.simulate(
        rubbing(), duration=3, control=f"{amplitude}*sin({frequency}*t)", t_eval=times
    )
    x, rest = force_driven(amplitude, frequency, 3, 2e-4)
    assert motion.q[-1, 0] == pytest.approx(x, abs=2e-3)
    assert (motion.v[:, 0] == 0).mean() * 3 == pytest.approx(rest, abs=0.02)


def test_a_release_within_a_long_step_is_not_missed() -> None:
    """At rest nothing limits the step, which would cover many periods of the force."""
    moving = eq.Event("dx - 1/10**8", terminal=True)
    motion = eq.simulate(rubbing(), duration=50, control="1.001*sin(40*t)**31", events=moving)
    assert motion.t[-1] == pytest.approx(np.pi / 80, abs=1e-3)


# -- signs within arguments of others ------------------------------------------------------------------
@pytest.mark.parametrize(("force", "rest"), [(0.0, 0.0), (0.3, 0.5 - 0.7 / 2.6)])
def test_a_sign_within_the_argument_of_another_one(force: float, rest: float) -> None:
    """A relay with hysteresis stops the mass: v² = 2 (1 − F)/2 at x = 1/2, then 1 + F brake it.

    It came to rest at x = 0, since the inner sign counted as 0.
    """
    motion = eq.simulate(plain(), [1], duration=10, control=f"{force} - sign(x + 0.5*sign(dx))")
    assert motion.q[-1, 0] == pytest.approx(rest, abs=1e-12)
    assert motion.v[-1, 0] == 0
    np.testing.assert_allclose(motion.vdot[-1], 0, atol=1e-12)


def test_an_outer_sign_leaves_its_inner_sign() -> None:
    """While dx sticks, the outer sign is ±1 at its ends, until t/10 moves one of them past 0."""
    motion = eq.simulate(plain(), [0.2], duration=3.15, control="-sign(x + t/10 + 0.5*sign(dx))")
    assert motion.t[motion.v[:, 0] == 0].max() == pytest.approx(3)
    assert motion.v[-1, 0] == pytest.approx(-0.15)


def test_fixed_steps_evaluate_inner_signs() -> None:
    for control in (
        "-sign(x + 0.5*sign(dx))",
        lambda t, q, v: [-np.sign(q[0] + 0.5 * np.sign(v[0]))],
    ):
        motion = eq.simulate(plain(), [1], duration=1.3, control=control, method="rk4", step=1e-3)
        assert motion.v[-1, 0] == pytest.approx(-1 + 0.3, abs=5e-3)
        assert np.abs(motion.energy.drift).max() < 1e-2  # the work takes the same directions


def test_a_rate_without_sticking_takes_inner_signs_first() -> None:
    eom = plain()
    flow = Flow(eom, "sign(x + 0.5*sign(dx))", None, np.zeros(len(eom.parameters)))
    for x, v, force in ((0.2, 1.0, 1.0), (0.2, -1.0, -1.0), (0.2, 0.0, 1.0), (-0.7, 1.0, -1.0)):
        assert derivative(flow, 0.0, np.array([x, v, 0.0]))[1] == force


def test_two_signs_at_rest_within_one_argument_are_refused() -> None:
    bodies = [
        eq.Body("a", eq.prismatic("x", axis="x"), mass=1),
        eq.Body("b", eq.prismatic("y", axis="y"), mass=1),
    ]
    forces = [
        eq.joint_actuator("x", "F"), eq.joint_actuator("y", "G"),
        eq.joint_friction("x", 1), eq.joint_friction("y", 1),
    ]  # fmt: skip
    eom = eq.derive(eq.Robot("two", bodies, gravity="0 0 0", forces=forces))
    with pytest.raises(eq.SimulationError, match="several signs within the argument of sign"):
        eq.simulate(eom, duration=1, control=["sign(x + sign(dx) + 0.3*sign(dy))/2", "0"])


# -- shared loads --------------------------------------------------------------------------------------
def geared(ratio: str = "3") -> eq.EquationsOfMotion:
    """Two wheels on one gear, which rub with 2 and 1/2 N m."""
    bodies = [
        eq.Body("a", eq.revolute("q1", axis="z"), mass=1, inertia="1 1 1"),
        eq.Body("b", eq.revolute("q2", axis="z"), mass=1, inertia="1 1 1"),
    ]
    forces = [
        eq.joint_actuator("q1", "tau"), eq.joint_friction("q1", 2), eq.joint_friction("q2", 0.5),
    ]  # fmt: skip
    robot = eq.Robot(
        "gear", bodies, gravity="0 0 0", forces=forces, constraints=[f"dq2 = {ratio}*dq1"],
        speeds="dq1", parameters={"N": 3},
    )  # fmt: skip
    return eq.derive(robot)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ratio", ["3", "-3", "N"])
def test_geared_joints_break_away_together(ratio: str) -> None:
    """At 2 + 3/2 N m; the inertia is 1 + 9. The run took 68 s, and failed."""
    motion = eq.simulate(geared(ratio), duration=6, control="t")
    assert motion.t[motion["dq1"] == 0].max() == pytest.approx(3.5)
    assert motion["dq1"][-1] == pytest.approx(2.5**2 / 2 / 10)
    friction = sum(motion.torques.elements[f"friction_q{k}"][:, 0] for k in (1, 2))
    np.testing.assert_allclose(friction, -np.minimum(motion.t, 3.5), atol=1e-9)


@pytest.mark.ci
def test_geared_joints_stick_again_and_again() -> None:
    motion = eq.simulate(geared(), duration=20, control="5*sin(t)", events={"stop": "dq1"})
    x = v = 0.0
    for t in np.arange(0, 20, 1e-4):
        v += 1e-4 * 5 * np.sin(t + 1e-4) / 10
        v = np.sign(v) * max(abs(v) - 1e-4 * 3.5 / 10, 0.0)
        x += 1e-4 * v
    assert motion["q1"][-1] == pytest.approx(x, abs=1e-4)
    assert len(motion.events["stop"]) == 6


@pytest.mark.ci
def test_friction_at_all_joints_of_a_loop() -> None:
    """Three joints share one load; the augmented and the minimal form describe the same motion."""
    ends: list[np.ndarray] = []
    for speeds in (None, ("dq1",)):
        robot = four_bar(speeds=speeds)
        rub = [eq.joint_friction(f"q{k}", c) for k, c in ((1, 1.0), (2, 0.3), (3, 0.7))]
        eom = eq.derive(robot.with_forces(*rub))
        start = eq.assemble(eom, {"q1": 1.0}, {"dq1": 4.0})
        motion = eq.simulate(eom, start.q, start.v, duration=4, control={"tau1": "3*sin(3*t)"})
        assert np.abs(motion.energy.drift).max() < 1e-6
        ends.append(motion.q[-1])
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-5)


# -- rest ----------------------------------------------------------------------------------------------
@pytest.mark.needs("scipy", cases="Radau")
@pytest.mark.sweep(1)
@pytest.mark.parametrize("method", ["DOP853", "Radau"])
def test_every_stop_is_one_event(method: str) -> None:
    """The speed is exactly 0 from then on; it kept ±1e-15, and 36 of 60 stops were events."""
    eom, rng = rubbing(), np.random.default_rng(0)
    for k in range(10):
        events = {"stop": eq.Event("dx", terminal=k % 2 == 0), "called": lambda t, q, v: v[0]}
        motion = eq.simulate(
            eom, v=[rng.uniform(0.1, 3)], duration=6, method=method, events=events,
            control="0.3*sin(t)",
        )  # fmt: skip
        assert len(motion.events["stop"]) == 1
        assert motion.v[-1, 0] == 0
        if k % 2:
            stop = motion.events["stop"][0]
            assert not motion.v[motion.t > stop].any()
            assert not motion.at(stop + 0.5)[1].any()
            assert np.ptp(motion.q[motion.t > stop]) == 0


def test_a_joint_whose_speed_is_no_state_rests_for_events() -> None:
    """Wheels of a robot with other speeds: the event is the argument of a sign that sticks."""
    eom = geared("N")
    motion = eq.simulate(eom, v=[1], duration=9, events={"other": "dq2", "own": "dq1"})
    assert len(motion.events["other"]) == len(motion.events["own"]) == 1


# -- sliding along a surface ---------------------------------------------------------------------------
@pytest.mark.sweep(2)
@pytest.mark.parametrize("scale", ["1", "1/10**13", "10**13"])
@pytest.mark.parametrize("rtol", [1e-2, 1e-4, 1e-9])
def test_sliding_along_a_curved_surface(scale: str, rtol: float) -> None:
    """ẋ = −x − x³; with loose tolerances, "a sign did not stop switching"."""
    surface = f"({scale})*(dx + x + x**3)"
    motion = eq.simulate(
        plain(), [0.5], [1], duration=5, rtol=rtol, atol=1e-3 * rtol, control=f"-20*sign({surface})"
    )
    x, v = motion.q[-1, 0], motion.v[-1, 0]
    assert abs(v + x + x**3) < 10 * rtol * (rtol + 1e-3)
    assert x == pytest.approx(0.00334739887, abs=max(rtol * 1e-3, 1e-10))


def test_directions_without_a_solution_end_the_run() -> None:
    """Each of two signs that push in their own direction turns the other one round."""
    bodies = [
        eq.Body("a", eq.prismatic("x", axis="x"), mass=1),
        eq.Body("b", eq.prismatic("y", axis="y"), mass=1),
    ]
    forces = [eq.joint_actuator("x", "F"), eq.joint_actuator("y", "G")]
    eom = eq.derive(eq.Robot("two", bodies, gravity="0 0 0", forces=forces))
    control = [
        "1/10 + sign(dx)/2 + 7*sign(dy)/2 - dy", "1/10 - 5*sign(dx)/2 + sign(dy)/2"
    ]  # fmt: skip
    with pytest.raises(eq.SimulationError, match="at 0 have no solution"):
        eq.simulate(eom, duration=1, control=control)


def test_signs_of_the_time_that_pass_0_together() -> None:
    """At 3π s both sines are 0, up to rounding: neither may turn the other one back."""
    control = "0.5*sign(sin(50*t)) + 0.6*sign(sin(31*t))"
    motion = eq.simulate(plain(), duration=10, control=control)

    def mean(f: float) -> float:  # ∫ sign(sin(f t)) dt
        half = np.pi / f
        k, rest = divmod(10, half)
        return rest if k % 2 == 0 else half - rest

    assert motion.v[-1, 0] == pytest.approx(0.5 * mean(50) + 0.6 * mean(31), abs=1e-10)


def test_a_relay_on_a_position_rests_at_0_until_it_is_moved() -> None:
    """The sign is 0 there, and the mass stays; a force moves it, and then the sign counts."""
    motion = eq.simulate(plain(), duration=3, control="-sign(x) + (1 + sign(t - 1))")
    assert not motion.q[motion.t < 1].any()
    assert motion.v[-1, 0] == pytest.approx(2)
    slow = eq.simulate(rubbing(), duration=3, control="-sign(x)/2 + t")
    # friction 1 holds it until 1 s; then the sign takes 1/2 more, and it moves from 1.5 s on
    assert slow.q[-1, 0] == pytest.approx(1.5**3 / 6, rel=1e-6)


def test_a_relay_that_drives_its_position_to_0_from_both_sides_is_refused() -> None:
    """−sign(x) + 1/2 holds x at 0 by its second derivative, which no direction does."""
    with pytest.raises(eq.SimulationError, match="has no direction at 0"):
        eq.simulate(plain(), duration=3, control="-sign(x) + 1/2")


# -- what a motion records ---------------------------------------------------------------------------
def test_both_signs_are_smooth_if_one_contains_the_other() -> None:
    """−1 until 1 s, 0 until 1.5 s, then 1, on 2 kg."""
    control = {"F": "sign(sign(t - 1) + sign(t - 3/2))"}
    motion = eq.simulate(block("0"), duration=2, control=control, smoothing=1e-4)
    assert motion.q[-1, 0] == pytest.approx(-0.6875, rel=1e-3)


def test_smoothed_friction_balances_the_other_torques() -> None:
    """What is computed from the samples has tanh(dx/width) too, not its sign."""
    motion = eq.simulate(
        block("3"), v=[0.3], duration=1, control={"F": "1 + sign(t - 2)"}, smoothing=0.5
    )
    assert np.allclose(motion.torques.passive, -3 * np.tanh(motion.v / 0.5), rtol=1e-12)
    assert np.abs(motion.torques.residual).max() < 1e-12


def test_a_control_that_slides_is_recorded_as_it_acts() -> None:
    """On x + dx = 0 the robot moves as if driven by m ẍ = m x, not by ±4 N."""
    motion = eq.simulate(block("0"), q=[1], duration=6, control={"F": "-4*sign(x + dx)"})
    slides = motion.t > 3
    assert slides.any()
    assert np.allclose(motion["F"][slides], 2 * motion["x"][slides], rtol=1e-6, atol=1e-9)
    assert np.abs(motion.torques.residual).max() < 1e-12


def test_smoothed_friction_in_a_loop_leaves_its_forces_right(tmp_path: Path) -> None:
    """Its λ was that of the full friction, and an AccuracyWarning doubted its accelerations."""
    robot = eq.load("four_bar").with_forces(eq.joint_friction("q1", "0.3"))
    eom = eq.derive(robot)
    motion = eq.simulate(eom, duration=0.3, smoothing=0.5)
    motion.save(tmp_path / "run.npz")
    again = eq.Trajectory.load(tmp_path / "run.npz")
    k = len(motion) // 2
    q, v, vdot = motion.q[k], motion.v[k], motion.vdot[k]
    A = eom.evaluate("constraint_matrix", q=q)
    force = eom.evaluate(eom.mass_matrix, q=q) @ vdot
    force += eom.evaluate(eom.bias + eom.gravity, q=q, v=v)
    force[0] += 0.3 * np.tanh(v[0] / 0.5)
    expected = np.asarray(np.linalg.lstsq(A.T, force, rcond=None)[0], dtype=np.float64)
    for run in (motion, again):
        found = [run.constraint_forces[n][k] for n in run.constraint_forces]
        assert np.allclose(
            eom.evaluate("constraint_matrix", q=q)[: len(found)].T @ found, A.T @ expected
        )
