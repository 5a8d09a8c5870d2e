"""eq.simulate: against closed forms, conserved quantities, and what must be refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import EquamoError, EvaluationError, SimulationError
from equamo.mechanics.equations import EquationsOfMotion
from equamo.motion.simulation.events import Event
from equamo.motion.simulation.simulate import simulate
from equamo.motion.simulation.solve import ADAPTIVE
from equamo.robot.model.edits import copy_with


def block(friction: float = 0.0, **options: Any) -> EquationsOfMotion:
    """A mass of 2 kg on a slide, with an actuator; with a spring or dry friction."""
    forces = [eq.joint_actuator("x"), eq.joint_spring("x", "k")]
    if friction:
        forces.append(eq.joint_friction("x", friction, **options))
    body = eq.Body("block", eq.prismatic("x", axis="x"), mass=2)
    return eq.derive(eq.Robot("slide", [body], gravity="0 0 0", forces=forces, parameters={"k": 0}))


@pytest.fixture(scope="module")
def arm() -> EquationsOfMotion:
    return eq.derive(eq.load("rr_arm"))


# -- motions that are known ----------------------------------------------------------------------------
@pytest.mark.needs("scipy", cases="RK|Radau|BDF|LSODA")
@pytest.mark.sweep(1)
@pytest.mark.parametrize("method", ADAPTIVE)
def test_oscillator(method: str) -> None:
    """m ẍ = −k x: x = cos(t √(k/m)) + sin(t √(k/m)) v/√(k/m)."""
    motion = simulate(block(), [1], [0.5], duration=6, values={"k": 8}, method=method, rtol=1e-8)
    expected = np.cos(2 * motion.t) + 0.25 * np.sin(2 * motion.t)
    np.testing.assert_allclose(motion.q[:, 0], expected, atol=2e-5)


@pytest.mark.parametrize(
    ("method", "order"), [("rk4", 4), ("semi_implicit_euler", 1), ("implicit_midpoint", 2)]
)
def test_order_of_fixed_steps(method: str, order: int) -> None:
    errors = [
        abs(simulate(block(), [1], duration=2, values={"k": 8}, method=method, step=h).q[-1, 0]
            - np.cos(4)) for h in (1 / 64, 1 / 128)
    ]  # fmt: skip
    assert 0.8 * 2**order < errors[0] / errors[1] < 1.25 * 2**order


@pytest.mark.parametrize("method", ["rk4", "semi_implicit_euler"])
def test_functions_and_expressions_drive_alike(arm: EquationsOfMotion, method: str) -> None:
    """The loop in Python and the machine code are the same method."""
    options: dict[str, Any] = {"q": [1, 0.5], "duration": 1, "method": method, "step": 0.01}
    inside = simulate(arm, control={"tau2": "-dq2 + sin(t)"}, **options)
    called = simulate(arm, control=lambda t, _, v: [0, np.sin(t) - v[1]], **options)
    np.testing.assert_allclose(inside.q, called.q, rtol=1e-10, atol=1e-11)


def test_free_fall_and_spin_of_a_free_body() -> None:
    """The centre of mass falls on a parabola; without torque the angular momentum stays."""
    body = eq.Body("stone", eq.free("b"), mass=2, com="0.1 0 0.2", inertia="1 2 2.5")
    eom = eq.derive(eq.Robot("stone", [body], gravity="0 0 -9.81", forces=[]))
    motion = simulate(eom, v=[1, 0, 5, 0.1, 3, 0.2], duration=5, rtol=1e-11)
    com = eom.evaluate("center_of_mass", q=motion.q)
    momentum = eom.evaluate("momentum", q=motion.q, v=motion.v)
    velocity = momentum[0, 3:] / 2
    fall = np.outer(motion.t**2 / 2, [0, 0, -9.81])
    np.testing.assert_allclose(com, com[0] + np.outer(motion.t, velocity) + fall, atol=1e-7)
    np.testing.assert_allclose(momentum[:, :3] - momentum[0, :3], 0, atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(motion.q[:, 3:], axis=1), 1, atol=1e-14)
    (drift,) = motion.constraint_violation.values()
    assert np.abs(drift).max() < 1e-10


# -- dry friction --------------------------------------------------------------------------------------
def test_a_sliding_block_comes_to_rest() -> None:
    """v² = 2 a x with a = F/m; then it stops, and friction has dissipated all of its energy."""
    motion = simulate(block(3.0), v=[3], duration=4)
    np.testing.assert_allclose(motion.q[-1], 3.0, rtol=1e-10)
    assert abs(motion.v[-1, 0]) < 1e-10
    np.testing.assert_allclose(motion.energy.work["friction_x"][-1], -9.0, rtol=1e-10)
    np.testing.assert_allclose(motion.vdot[-1], 0, atol=1e-12)


def test_it_sticks_until_the_force_is_larger_than_friction() -> None:
    """m ẍ = 2t − 3 from t = 1.5 on; before that friction is just the force."""
    motion = simulate(block(3.0), duration=4, control="2*t")
    stuck = motion.t < 1.5
    np.testing.assert_allclose(motion.q[stuck], 0, atol=1e-12)
    friction = motion.torques.elements["friction_x"][:, 0]
    np.testing.assert_allclose(friction, -np.minimum(2 * motion.t, 3), atol=1e-9)
    # x = ((t³ − 1.5³)/3 − 3 (t² − 1.5²)/2 + 2.25 (t − 1.5)) / 2
    np.testing.assert_allclose(motion.q[-1, 0], 2.5**3 / 6, rtol=1e-9)


def test_smooth_friction_is_near() -> None:
    exact = simulate(block(3.0), [0], [3], duration=1, control="4*sin(t)")
    smooth = simulate(block(3.0), [0], [3], duration=1, control="4*sin(t)", smoothing=1e-3)
    np.testing.assert_allclose(smooth.q[-1], exact.q[-1], rtol=1e-3)


def test_stick_and_slip_repeat() -> None:
    """Held by 3 N under 4 sin t: it slips first when sin t = 3/4."""
    motion = simulate(block(3.0), duration=10, control="4*sin(t)")
    stands = np.abs(motion.directions[:, 0]) < 1 - 1e-6
    assert np.count_nonzero(np.diff(stands)) >= 5
    moving = motion.t[np.abs(motion.v[:, 0]) > 1e-9]
    assert moving[0] > np.arcsin(0.75)
    assert np.abs(motion.energy.drift).max() < 1e-8


@pytest.mark.ci
def test_wheels_with_dry_friction_stand_while_the_body_swings() -> None:
    """Speeds that were chosen: sign(u) of a wheel's speed u = W v, two of them at once."""
    robot = eq.load("wheeled_inverted_pendulum")
    rub = [eq.joint_friction("theta_L", 2), eq.joint_friction("theta_R", 2)]
    eom = eq.derive(copy_with(robot, forces=[*robot.forces, *rub]))
    motion = simulate(eom, {"q_imu": 3.0}, {"dx": 0.5, "dpsi": 0.3}, duration=20)
    assert np.abs(motion.energy.drift).max() < 1e-8
    assert np.abs([motion["dtheta_L"][-1], motion["dtheta_R"][-1]]).max() < 1e-9
    assert abs(motion["dphi"][-1]) > 1e-3
    assert np.abs(motion.torques.residual).max() < 1e-9


# -- what drives it, and what is seen -------------------------------------------------------------------
def test_every_kind_of_control_is_the_same(arm: EquationsOfMotion) -> None:
    class Damping:
        def inputs(self, t: float, q: np.ndarray, v: np.ndarray) -> dict[str, float]:
            return {"tau2": -2 * v[1]}

    kinds: list[Any] = [
        {"tau2": "-2*dq2"}, ["0", eq.parse("-2*dq2")], Damping(), lambda t, q, v: [0, -2 * v[1]],
    ]  # fmt: skip
    times = np.linspace(0, 2, 21)
    motions = [simulate(arm, {"q1": 1}, duration=2, control=c, t_eval=times) for c in kinds]
    for motion in motions[1:]:
        np.testing.assert_allclose(motion.q, motions[0].q, atol=1e-8)
        np.testing.assert_allclose(motion.inputs, motions[0].inputs, atol=1e-7)
    np.testing.assert_array_equal(motions[0].t, times)


def test_external_loads_in_time() -> None:
    """A push on a body without anything else: its momentum is the impulse."""
    body = eq.Body("puck", eq.planar("x y a"), mass=2, inertia="1 1 1")
    push = eq.wrench("puck", "Fx Fy Fz", "Tx Ty Tz", expressed_in="world", name="push")
    eom = eq.derive(eq.Robot("puck", [body], gravity="0 0 0", forces=[push]))
    motion = simulate(eom, duration=2, external={"Fx": "3*t**2", "Tz": "cos(t)"})
    np.testing.assert_allclose(motion["dx"][-1], 8 / 2, rtol=1e-9)
    np.testing.assert_allclose(motion["da"][-1], np.sin(2), rtol=1e-9)


def test_dependent_coordinates_follow() -> None:
    """The heading of the pendulum on wheels, by its wheels, turns as its yaw rate says."""
    eom = eq.derive(eq.load("wheeled_inverted_pendulum"))
    motion = simulate(eom, {"q_imu": 0.1}, {"dx": 1, "dpsi": 0.5}, duration=1)
    at = np.linspace(0, 1, 2001)
    q, v = motion.at(at)
    names = [x.name for x in eom.q]
    value = {n: float(x) for n, x in eom.robot.values.items() if x is not None}
    wheels = q[:, names.index("theta_R")] - q[:, names.index("theta_L")]
    heading = value["R"] / value["L"] * wheels
    np.testing.assert_allclose(motion["psi"][-1], heading[-1], rtol=1e-12)
    np.testing.assert_allclose(heading[-1], np.diff(at) @ (v[1:, 1] + v[:-1, 1]) / 2, rtol=1e-6)


@pytest.mark.ci
def test_rolling_holds_over_a_minute() -> None:
    eom = eq.derive(eq.load("wheeled_inverted_pendulum"))
    motion = simulate(eom, {"q_imu": 0.2}, {"dx": 0.5, "dpsi": 0.3}, duration=60, rtol=1e-11)
    violation = motion.constraint_violation
    assert list(violation) == ["left wheel rolls", "right wheel rolls", "no skidding"]
    assert max(np.abs(x).max() for x in violation.values()) < 1e-10
    # Integrated: the wheels turn as far as the middle of the axle goes, ∫ẋ dt = R (θ_L + θ_R)/2.
    nodes, weights = np.polynomial.legendre.leggauss(8)
    assert motion.steps is not None
    way = 0.0
    for a, b in zip(motion.steps.edges[:-1], motion.steps.edges[1:], strict=True):
        way += (b - a) / 2 * weights @ motion.at((a + b) / 2 + (b - a) / 2 * nodes)[1][:, 0]
    turned = (motion["theta_L"][-1] + motion["theta_R"][-1]) / 2 * 0.25
    assert abs(way - turned) < 1e-8


@pytest.mark.ci
def test_krang_keeps_its_energy() -> None:
    eom = eq.derive(eq.load("krang"))
    q, v = np.random.default_rng(8).uniform(-1, 1, (2, 17))
    energy = simulate(eom, q, v, duration=10, rtol=1e-10).energy
    assert np.abs(energy.drift).max() < 1e-8 * np.ptp(energy.kinetic)


# -- events --------------------------------------------------------------------------------------------
def test_events_of_an_oscillator() -> None:
    """cos(2t) passes 1/2 at t = π/6 downwards and at 5π/6 upwards."""
    found = simulate(
        block(), [1], duration=3, values={"k": 8},
        events={"both": "x - 1/2", "up": Event(lambda t, q, v: q[0] - 0.5, direction=1)},
    ).events  # fmt: skip
    np.testing.assert_allclose(found["both"], [np.pi / 6, 5 * np.pi / 6], rtol=1e-7)
    np.testing.assert_allclose(found["up"], [5 * np.pi / 6], rtol=1e-7)


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 0.01}])
def test_a_terminal_event_ends_the_run(options: dict[str, Any]) -> None:
    end = Event("x - t/10", terminal=True)
    motion = simulate(block(), [1], duration=5, values={"k": 8}, events=[end], **options)
    assert motion.stopped_by == "x - t/10"
    np.testing.assert_allclose(motion.q[-1, 0], motion.t[-1] / 10, atol=1e-8)
    np.testing.assert_allclose(np.cos(2 * motion.t[-1]), motion.t[-1] / 10, atol=1e-6)


# -- what must be refused ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"q": [1]}, "q1, q2"),
        ({"q": [1, np.nan]}, r"simulate: q\['q2'\] must be a finite number, got nan"),
        ({"q": [[1, 2]]}, r"one state of shape \(2,\), got \(1, 2\); eq.rollout runs a batch"),
        ({"q": {"q3": 1}}, "'q3'.*q1, q2"),
        ({"v": [np.inf, 0]}, r"v\['dq1'\]"),
        ({"q": "abc"}, "q"),
        ({"duration": 0}, "duration must be greater than 0 s"),
        ({"duration": np.nan}, "duration"),
        ({"duration": "long"}, "duration"),
        ({"values": {"m9": 1}}, "Unknown parameter 'm9' in values of simulate.*m1"),
        ({"values": {"m1": np.nan}}, r"values\['m1'\] must be a finite number, got nan"),
        ({"values": 3}, "values"),
        ({"control": {"tau3": 0}}, "'tau3'.*tau1, tau2"),
        ({"control": [0, 0, 0]}, r"control must have 2 entries \(tau1, tau2\), got 3"),
        ({"control": {"tau1": "q7"}}, "'q7'"),
        ({"control": {"tau1": np.nan}}, r"control\['tau1'\] must be a finite number .*, got nan"),
        ({"control": lambda t, q, v: [0]}, r"2 entries \(tau1, tau2\), got shape \(1,\) at t = 0 s"),
        ({"control": lambda t, q, v: [0, np.nan if t > 0.5 else 0]}, "got nan for 'tau2' at t = 0."),
        ({"control": lambda t, q, v: {"tau9": 1}}, "'tau9'"),
        ({"control": lambda t, q, v: "x"}, "must return numbers .*, got 'x' at t = 0"),
        ({"external": {"Fx": 1}}, "'Fx'"),
        ({"method": "euler"}, "DOP853.*rk4"),
        ({"method": "rk4"}, "method='rk4' needs a fixed step; pass step="),
        ({"method": "rk4", "step": 0}, "step must be greater than 0 s"),
        ({"method": "rk4", "step": 0.3}, r"duration must be a multiple of step=0\.3 s, got 1 s"),
        ({"method": "rk4", "step": 0.1, "t_eval": [0]}, "t_eval can be used only with a variable step"),
        ({"step": -1}, "step must be greater than 0 s"),
        ({"rtol": 1e-17}, "rtol must be at least .*, got 1e-17"),
        ({"atol": 0}, "atol"),
        ({"smoothing": 0}, "smoothing"),
        ({"t_eval": "x"}, "t_eval must contain times in seconds, got 'x'"),
        ({"t_eval": [0, 3]}, r"t_eval must be increasing times between 0 and .*, got \[0, 3\]"),
        ({"t_eval": [0.5, 0.2]}, "t_eval must be increasing times"),
        ({"events": "q9"}, "'q9'"),
        ({"events": 3}, "events must be an expression, .*, got 3"),
        ({"events": ["q1", "q1"]}, "events must have different names, got 'q1' twice"),
        ({"events": ["q2", "q1", "q1"]}, "events must have different names, got 'q1' twice"),
        ({"events": lambda t, q, v: "high"}, "must return a number, got 'high' at t = 0 s"),
        ({"method": "implicit_midpoint", "step": 0.1, "control": lambda t, q, v: [0, 0]}, "be .rk4"),
    ],
)  # fmt: skip
def test_bad_input(arm: EquationsOfMotion, given: dict[str, Any], said: str) -> None:
    with pytest.raises(EvaluationError, match=said):
        simulate(arm, **{"duration": 1, **given})


def test_a_quaternion_that_is_not_unit_is_refused_with_its_length() -> None:
    eom = eq.derive(eq.Robot("b", [eq.Body("b", eq.free("f"), mass=1, inertia="1 1 1")], forces=[]))
    with pytest.raises(
        EvaluationError, match=r"f_qw, f_qx, f_qy, f_qz.* must have length 1, got 2"
    ):
        simulate(eom, {"f_qw": 2}, duration=1)
    with pytest.raises(EquamoError, match="derive"):
        simulate(eom.robot, duration=1)  # type: ignore[arg-type]
    fixed = eq.derive(eq.Robot("post", [eq.Body("b", eq.fixed(), mass=1)], forces=[]))
    with pytest.raises(
        EvaluationError, match="robot 'post' cannot move; it must have at least one"
    ):
        simulate(fixed, duration=1)


@pytest.mark.needs("scipy", cases="options[12]")
@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    "options", [{}, {"method": "Radau"}, {"method": "LSODA"}, {"method": "rk4", "step": 1 / 64}]
)
def test_a_diverging_run_says_where(options: dict[str, Any]) -> None:
    """ẍ = 6 x²: with x = 1, ẋ = 2 at 0 it is 1/(1 − t)², which ends at t = 1."""
    with pytest.raises(SimulationError, match=r"failed at t = .*x = ") as caught:
        simulate(block(), [1], [2], duration=50, control="12*x**2", **options)
    error = caught.value
    assert 0.9 < error.t < (1.2 if options.get("step") else 1.001)
    assert error.q[0] > 100
    assert error.trajectory.t[-1] <= error.t
    early = error.trajectory.t < 0.8
    expected = 1 / (1 - error.trajectory.t[early]) ** 2
    np.testing.assert_allclose(error.trajectory.q[early, 0], expected, rtol=1e-2)


def test_a_tolerance_that_rounding_does_not_reach(arm: EquationsOfMotion) -> None:
    with pytest.raises(SimulationError, match="tolerance"):
        simulate(arm, [1, 0], duration=1, rtol=2.3e-14, atol=1e-300)


def test_progress_is_told(arm: EquationsOfMotion) -> None:
    told: list[float] = []
    motion = simulate(arm, [1, 0], duration=1, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == motion.t[-1] == 1


# -- what no run can start from, or lacks --------------------------------------------------------------
def pendulum(**parameters: Any) -> EquationsOfMotion:
    body = eq.Body("bob", eq.revolute("q", axis="z"), mass="m", com="l 0 0")
    table = {"m": 1, "l": 1, **parameters}
    forces = [eq.joint_actuator("q")]
    return eq.derive(
        eq.Robot("pendulum", [body], gravity="0 -9.81 0", forces=forces, parameters=table)
    )


@pytest.mark.needs("scipy", cases="RK|Radau|BDF|LSODA")
@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize(
    "options",
    [
        {"q": [1], "values": {"m": 0}},
        {"q": [1e300]},
        {"q": [1], "control": "log(q - 1)"},
        {"q": [-1], "control": "log(q)"},
    ],
    ids=["no mass", "far", "infinite", "undefined"],
)
def test_rates_that_are_not_finite_at_the_start(method: str, options: dict[str, Any]) -> None:
    with pytest.raises(SimulationError, match="accelerations are not finite") as caught:
        simulate(pendulum(), duration=1, method=method, **options)
    assert caught.value.t == 0
    assert caught.value.q[0] == options["q"][0]
    assert len(caught.value.trajectory) == 1


@pytest.mark.needs("scipy", cases="RK|Radau|BDF|LSODA")
@pytest.mark.parametrize("method", ADAPTIVE)
def test_rates_that_are_not_finite_where_a_sign_switches(method: str) -> None:
    """ẍ = −1/2 up to t = 1, where the control has a pole so narrow that no other time sees it."""
    control = "sign(t - 1) + 1e-30/(t - 1)"
    with pytest.raises(SimulationError, match=r"accelerations are not finite|step size") as caught:
        simulate(block(), [0], [1], duration=3, control=control, method=method)
    assert abs(caught.value.t - 1) < 1e-9
    np.testing.assert_allclose([*caught.value.q, *caught.value.v], [0.75, 0.5], rtol=1e-6)


def test_a_parameter_without_a_value_is_asked_for_wherever_it_is_used() -> None:
    eom = pendulum(k=None, unused=None)
    for options in (
        {"control": "-k*q"},
        {"control": {"tau_q": "k"}},
        {"events": "q - k"},
        {"events": {"a": Event("k*q", terminal=True)}},
    ):
        with pytest.raises(EvaluationError, match=r"'k'.*values=\{'k'"):
            simulate(eom, [1], duration=0.1, **options)
    with pytest.raises(EvaluationError, match="'k'"):
        eq.rollout(eom, [1], step=0.1, steps=1, control="-k*q")
    motion = simulate(eom, [1], duration=0.1, control="-k*q", values={"k": 2})
    np.testing.assert_allclose(motion["tau_q"], -2 * motion["q"])
    assert len(simulate(eom, [1], duration=0.1)) > 1


@pytest.mark.parametrize(
    "options",
    [{"base": eq.BaseMotion(a="0 0 k")}, {"speeds": {"u": "k*dx"}}],
    ids=["moving base", "chosen speed"],
)
def test_a_parameter_of_base_or_speeds_is_asked_for(options: dict[str, Any]) -> None:
    body = eq.Body("block", eq.prismatic("x", axis="z"), mass=2)
    robot = eq.Robot("lift", [body], gravity="0 0 -8", parameters={"k": None}, **options)
    with pytest.raises(EvaluationError, match="'k'"):
        simulate(eq.derive(robot), [1], duration=0.1)
    assert len(simulate(eq.derive(robot), [1], duration=0.1, values={"k": 2})) > 1


# -- times and events ----------------------------------------------------------------------------------
def test_times_up_to_the_end_within_rounding(arm: EquationsOfMotion) -> None:
    times = np.arange(0, 0.31, 0.1)
    assert times[-1] > 0.3
    motion = simulate(arm, [1, 0], duration=0.3, t_eval=times)
    np.testing.assert_array_equal(motion.t, [*times[:-1], 0.3])
    with pytest.raises(EvaluationError, match="t_eval"):
        simulate(arm, [1, 0], duration=0.3, t_eval=[0, 0.3 + 1e-9])


def test_the_end_by_an_event_is_a_sample() -> None:
    """x = 1 − t passes 0.25 at t = 0.75."""
    options: dict[str, Any] = {"duration": 2, "events": Event("x - 1/4", terminal=True)}
    motion = simulate(block(), [1], [-1], t_eval=[0, 0.5, 1.5], **options)
    np.testing.assert_allclose(motion.t, [0, 0.5, 0.75], rtol=1e-9)
    np.testing.assert_allclose(motion.q[:, 0], 1 - motion.t, atol=1e-9)
    none = simulate(block(), [1], [-1], t_eval=[1.5], **options)
    np.testing.assert_allclose(none.t, [0.75], rtol=1e-9)


@pytest.mark.parametrize("direction", ["up", None, float("nan")])
def test_a_direction_is_a_number(direction: Any) -> None:
    with pytest.raises(EvaluationError, match=r"direction must be 1 \(upwards\), -1 .*, got"):
        simulate(block(), [1], duration=1, events=Event("x", direction=direction))


def test_a_function_with_the_wrong_signature(arm: EquationsOfMotion) -> None:
    with pytest.raises(
        EvaluationError, match=r"control must be a function of \(t, q, v\), got <lambda>\(t, q\)"
    ):
        simulate(arm, [1, 0], duration=1, control=lambda t, q: [0, 0])
    with pytest.raises(EvaluationError, match=r"Event 'event 0' must be a function of \(t, q, v\)"):
        simulate(arm, [1, 0], duration=1, events=lambda t: t)


def test_what_is_not_given() -> None:
    """Ten seconds from home at rest."""
    motion = simulate(block(), values={"k": 8})
    assert (motion.t[0], motion.t[-1]) == (0, 10)
    assert not motion.q.any()
    assert not motion.v.any()
