"""Linearizations against finite differences, Pinocchio's derivatives, MuJoCo's and SciPy's solvers."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin
import pytest
import scipy.integrate
import scipy.signal

from equamo.code.jit.compiled import compile
from equamo.errors import (
    EquamoError,
    EquilibriumError,
    EvaluationError,
    ShapeError,
    UnknownNameError,
)
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.motion.control.equilibria import equilibria
from equamo.motion.control.linear_system import LinearSystem
from equamo.motion.control.linearize import linearize
from equamo.motion.control.state_chart import StateChart
from equamo.robot.catalog import load
from equamo.robot.library import load as built_in
from equamo.robot.model import (
    Body,
    Robot,
    fixed,
    joint_actuator,
    joint_damper,
    prismatic,
    revolute,
    spherical,
    spring,
)
from equamo.robot.model.edits import copy_with
from peer_urdf import Peer, file, relative, states

pytestmark = pytest.mark.needs("mujoco", "pinocchio", "scipy")


def random_state(eom: EquationsOfMotion, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    (q,), (v,) = states(eom.robot, 1, seed)
    return q, v, np.random.default_rng(seed).uniform(-5, 5, len(eom.inputs))


def moved(chart: StateChart, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The state at x of a chart, quaternions turned by the rotation vector of their error."""
    eom, point = chart.point.eom, chart.point
    change = chart.embedding @ x
    k = len(eom.q)
    q, v = point.q + change[:k], point.v + change[k:]
    at = {s: i for i, s in enumerate(eom.q)}
    for group in eom.robot.unit_groups:
        columns = [at[s] for s in group]
        first = next(b.joint.name for b in eom.robot.bodies if group[0] in b.joint.q)
        e = np.array([x[chart.names.index(f"{first}_e{c}")] for c in "xyz"])
        q[columns] = turned(point.q[columns], e)
    return q, v


def turned(quaternion: np.ndarray, e: np.ndarray) -> np.ndarray:
    """A quaternion (w, x, y, z) after a turn by the rotation vector e in body axes, by Pinocchio."""
    w, x, y, z = quaternion
    R = pin.Quaternion(w, x, y, z).matrix() @ pin.exp3(e)
    new = pin.Quaternion(R)
    array = np.array([new.w, new.x, new.y, new.z])
    return array if array @ quaternion > 0 else -array


def rates(eom: EquationsOfMotion, chart: StateChart, x: np.ndarray, u: np.ndarray) -> np.ndarray:
    """ẋ of the chart at x, from the derivative of the state."""
    q, v = moved(chart, x)
    return chart.matrix @ eom.evaluate("state_derivative", q=q, v=v, inputs=u)


def by_differences(
    eom: EquationsOfMotion, lin: LinearSystem, u: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(A, B) by central differences, the step chosen for about 1e-9."""
    chart, h = lin.chart, 1e-5
    assert chart is not None
    zero = np.zeros(len(lin.states))
    A = [
        (rates(eom, chart, zero + d, u) - rates(eom, chart, zero - d, u)) / (2 * h)
        for d in h * np.eye(len(lin.states))
    ]
    B = [
        (rates(eom, chart, zero, u + d) - rates(eom, chart, zero, u - d)) / (2 * h)
        for d in h * np.eye(len(u))
    ]
    return np.array(A).T, np.array(B).reshape(len(u), len(lin.states)).T


def ball_pendulum() -> Robot:
    """A ball joint (quaternion) with a link on it that has an actuator and a damper."""
    return Robot(
        "ball",
        [
            Body("top", spherical("s"), mass=2, com="0.1 0 -0.5", inertia="0.1 0.2 0.15"),
            Body("end", revolute("q", axis="y", at="0 0 -1"), mass=1, com="0 0.1 -0.3",
                 inertia="0.02 0.03 0.01", parent="top"),
        ],
        forces=[joint_actuator("q"), joint_damper("q", "1/2")],
    )  # fmt: skip


ROBOTS = ["rr_arm", "rp_arm", "three_link_arm", "wheeled_inverted_pendulum", "rolling_disc", "ball"]


@pytest.mark.parametrize("name", ROBOTS)
def test_equals_central_differences(name: str) -> None:
    eom = derive(ball_pendulum() if name == "ball" else built_in(name))
    q, v, u = random_state(eom, 3)
    lin = linearize(eom, q=q, v=v, inputs=u)
    A, B = by_differences(eom, lin, u)
    assert relative(lin.A, A) < 1e-7
    assert relative(lin.B, B) < 1e-7
    assert lin.chart is not None
    drift = rates(eom, lin.chart, np.zeros(len(lin.states)), u)
    assert relative(lin.drift, drift) < 1e-12


@pytest.mark.ci
def test_krang_on_wheels_equals_central_differences() -> None:
    eom = derive(built_in("krang_on_wheels"))
    q, v, u = random_state(eom, 4)
    lin = linearize(eom, q=q, v=v / 3, inputs=u)
    fast, h = compile(eom), 1e-5
    assert lin.A.shape == (21 + 19, 21 + 19)
    for k in range(0, 40, 3):
        d = h * np.eye(40)[k]
        ahead, behind = (
            fast.state_derivative(q + s * d[:21], v / 3 + s * d[21:], u) for s in (1, -1)
        )
        assert relative(lin.A[:, k], (ahead - behind) / (2 * h)) < 1e-6


# -- Pinocchio -----------------------------------------------------------------------------------------
def without_passive_forces(robot: Robot) -> Robot:
    """Pinocchio stores friction and damping and leaves them out."""
    return copy_with(robot, forces=[f for f in robot.forces if f.inputs()])


def against_pinocchio(name: str, free: bool) -> None:
    path = file(name)
    robot = without_passive_forces(load(path, base="free" if free else "fixed"))
    eom, peer = derive(robot), Peer(path, free=free)
    q, v, u = random_state(eom, 5)
    lin = linearize(eom, q=q, v=v, inputs=u)
    order = peer.order(robot)
    their_v, tau = np.zeros(peer.model.nv), np.zeros(peer.model.nv)
    their_v[order] = v
    tau[order] = eom.evaluate("input_matrix") @ u
    of_q, of_v, of_tau = (
        np.array(x)
        for x in pin.computeABADerivatives(
            peer.model, peer.data, peer.arrange(robot, q), their_v, tau
        )
    )
    n, k = len(v), len(lin.states) - len(v)
    assert k == n  # three numbers for the quaternion
    grid = np.ix_(order, order)
    of_q, of_v, of_tau = of_q[grid], of_v[grid], of_tau[grid]
    if free:  # their tangent of the position is in body axes, ours is x, y, z
        w, x, y, z = q[3:7]
        of_q[:, :3] = of_q[:, :3] @ pin.Quaternion(w, x, y, z).matrix().T
    assert relative(lin.A[k:, :k], of_q) < 1e-8
    assert relative(lin.A[k:, k:], of_v) < 1e-8
    assert relative(lin.B[k:], of_tau @ eom.evaluate("input_matrix")) < 1e-8


@pytest.mark.parametrize("name", ["ur5_robot.urdf", "panda.urdf"])
def test_equals_pinocchios_derivatives(name: str) -> None:
    against_pinocchio(name, free=False)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ["robots/anymal.urdf", "hyq_no_sensors.urdf"])
def test_free_base_equals_pinocchios_tangent_derivatives(name: str) -> None:
    against_pinocchio(name, free=True)


# -- discrete time -------------------------------------------------------------------------------------
def test_discrete_equals_scipys() -> None:
    eom = derive(built_in("wheeled_inverted_pendulum"))
    q, v, u = random_state(eom, 6)
    lin = linearize(eom, q=q, v=v, inputs=u)
    n, m = lin.B.shape
    A, B, *_ = scipy.signal.cont2discrete((lin.A, lin.B, np.eye(n), np.zeros((n, m))), 0.05)
    short = linearize(eom, q=q, v=v, inputs=u, dt=0.05)
    assert short.dt == 0.05
    assert relative(short.A, A) < 1e-13
    assert relative(short.B, B) < 1e-13
    # drift: x after a step of ẋ = A x + drift from 0
    step = scipy.integrate.solve_ivp(
        lambda t, x: lin.A @ x + lin.drift, (0, 0.05), np.zeros(n), rtol=1e-12, atol=1e-14
    )
    assert relative(short.drift, step.y[:, -1]) < 1e-10


MJCF = """
<mujoco><option timestep="1"><flag eulerdamp="disable"/></option><worldbody>
  <body><joint name="base" type="ball"/><inertial mass="2" pos="0.1 0 -0.5" diaginertia="0.1 0.2 0.15"/>
    <body pos="0 0 -1"><joint name="q" axis="0 1 0" damping="0.5"/>
      <inertial mass="1" pos="0 0.1 -0.3" diaginertia="0.02 0.03 0.01"/></body></body>
</worldbody><actuator><motor joint="q"/></actuator></mujoco>
"""


def test_quaternions_equal_mujocos_transition() -> None:
    """Of a semi-implicit step of 1 s, v⁺ = v + v̇: the rows of v⁺ less 1 are ∂v̇/∂x."""
    model = mujoco.MjModel.from_xml_string(MJCF)
    data = mujoco.MjData(model)
    eom = derive(ball_pendulum())
    q, v, u = random_state(eom, 7)
    lin = linearize(eom, q=q, v=v, inputs=u)
    data.qpos[:], data.qvel[:], data.ctrl[:] = q, v, u
    n = model.nv
    A, B = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, 1))
    mujoco.mjd_transitionFD(model, data, 1e-6, 1, A, B, None, None)
    assert relative(lin.A[n:, :n], A[n:, :n]) < 1e-8
    assert relative(lin.A[n:, n:], A[n:, n:] - np.eye(n)) < 1e-8
    assert relative(lin.B[n:], B[n:]) < 1e-8


def test_quaternions_in_discrete_time_equal_the_flow() -> None:
    """At an equilibrium exactly: differences of the motion itself after a step."""
    eom = derive(ball_pendulum())
    hanging = np.array([1.0, 0, 0, 0, 0])
    rest = equilibria(eom, q=hanging)[0]
    lin = linearize(eom, q=rest.q, inputs=rest.inputs, dt=0.2)
    assert np.abs(lin.drift).max() < 1e-9
    fast, h = compile(eom), 1e-5
    chart = lin.chart
    assert chart is not None

    def after(x: np.ndarray) -> np.ndarray:
        start = np.concatenate(moved(chart, x))
        k = len(eom.q)
        run = scipy.integrate.solve_ivp(
            lambda t, y: fast.state_derivative(y[:k], y[k:], rest.inputs),
            (0, 0.2),
            start,
            method="DOP853",
            rtol=1e-12,
            atol=1e-13,
        )
        return chart.deviation(run.y[:k, -1], run.y[k:, -1])

    for k in range(len(lin.states)):
        d = h * np.eye(len(lin.states))[k]
        assert relative((after(d) - after(-d)) / (2 * h), lin.A[:, k]) < 1e-6


# -- inputs, points, states ----------------------------------------------------------------------------
def test_inputs_default_to_the_equilibriums() -> None:
    eom = derive(built_in("rr_arm"))
    lin = linearize(eom, q=[0.3, 0.5])
    np.testing.assert_allclose(lin.point.inputs, eom.evaluate("gravity", q=[0.3, 0.5]), rtol=1e-12)
    assert np.abs(lin.drift).max() < 1e-12


def test_no_equilibrium_is_an_error_that_names_the_equation() -> None:
    eom = derive(built_in("wheeled_inverted_pendulum"))
    with pytest.raises(EquilibriumError, match=r"dphi \(by .*eq\.equilibria"):
        linearize(eom, q={"q_imu": 0.3})
    assert np.abs(linearize(eom, q={"q_imu": 0.3}, inputs=[0, 0]).drift).max() > 0.1


def test_values_and_external_loads_count() -> None:
    eom = derive(built_in("wheeled_inverted_pendulum"))
    load_on = {"Flx": 10.0, "rlz": 1.0}
    heavy = {"m_B": 90.0}
    lin = linearize(eom, inputs=[1, 2], values=heavy, external={"Flx": 10})
    rate = eom.evaluate("state_derivative", inputs=[1, 2], values=heavy, external={"Flx": 10})
    np.testing.assert_allclose(lin.drift, rate, rtol=1e-12, atol=1e-12)
    with pytest.raises(UnknownNameError, match="rlz"):
        linearize(eom, inputs=[0, 0], external=load_on)


def test_names_of_states() -> None:
    lin = linearize(derive(ball_pendulum()), inputs=[0])
    assert lin.states == ("s_ex", "s_ey", "s_ez", "q", "s_wx", "s_wy", "s_wz", "dq")
    assert "s_ex" in str(lin)


def test_other_states_are_the_same_system() -> None:
    """x = R(θ_L + θ_R)/2 …: the transfer function to shared outputs is unchanged."""
    eom = derive(built_in("wheeled_inverted_pendulum"))
    lin = linearize(eom, q={"q_imu": -np.arctan(0.1)})
    kept = lin.in_terms_of(
        {"x": "R*(theta_L + theta_R)/2", "psi": "psi", "lean": "2*q_imu", "dx": "dx",
         "dpsi": "dpsi", "dphi": "dphi"}
    )  # fmt: skip
    for s in (0.3 + 1j, 2 - 0.5j):
        whole = np.linalg.solve(s * np.eye(8) - lin.A, lin.B)
        part = np.linalg.solve(s * np.eye(6) - kept.A, kept.B)
        np.testing.assert_allclose(part[3:], whole[5:], rtol=1e-9)
        np.testing.assert_allclose(part[2], 2 * whole[4], rtol=1e-9)
        np.testing.assert_allclose(part[0], whole[0], rtol=1e-9)  # X0 at ψ = 0
    state = np.array([0.1, 0.2, 0.3, 0.5, 0.04])
    x = kept.deviation(state, [1, 2, 3])
    np.testing.assert_allclose(
        x, [0.1, 0.25 / 0.68 * 0.2, 2 * (0.04 + np.arctan(0.1)), 1, 2, 3], rtol=1e-12
    )


def test_states_that_are_no_system_are_refused() -> None:
    lin = linearize(derive(built_in("rr_arm")), q=[0.3, 0.5])
    with pytest.raises(
        EvaluationError, match=r"must depend on these states only, but .* depends on 'q1'"
    ):
        lin.without(["q1"])
    with pytest.raises(UnknownNameError, match="q3"):
        lin.without("q3")
    with pytest.raises(UnknownNameError, match="nonsense"):
        lin.in_terms_of({"a": "nonsense*q1"})


def test_to_control() -> None:
    lin = linearize(derive(built_in("rr_arm")), q=[0.3, 0.5])
    system = lin.to_control()
    np.testing.assert_array_equal(system.A, lin.A)
    np.testing.assert_array_equal(system.B, lin.B)
    assert system.isctime(strict=True)
    assert list(system.state_labels) == list(lin.states)
    assert lin.discrete(0.1).to_control().dt == 0.1


def test_to_control_without_python_control(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(EquamoError, match="not installed"):
        linearize(derive(built_in("rr_arm"))).to_control()


def test_wrong_arguments() -> None:
    eom = derive(built_in("rr_arm"))
    with pytest.raises(EquamoError, match="takes EquationsOfMotion"):
        linearize(eom.robot)  # type: ignore[arg-type]
    with pytest.raises(EvaluationError, match="shape"):
        linearize(eom, q=[1, 2, 3])
    with pytest.raises(EvaluationError, match="one state"):
        linearize(eom, q=np.zeros((4, 2)))
    with pytest.raises(
        EvaluationError, match=r"linearize: q\['q2'\] must be a finite number, got nan"
    ):
        linearize(eom, q=[1, np.nan])
    with pytest.raises(UnknownNameError, match="q9"):
        linearize(eom, q={"q9": 1})
    with pytest.raises(UnknownNameError, match="m9"):
        linearize(eom, values={"m9": 1})
    with pytest.raises(EvaluationError, match="greater than 0 s, got 0"):
        linearize(eom, dt=0)
    with pytest.raises(EvaluationError, match="already discrete"):
        linearize(eom, dt=0.1).discrete(0.1)
    with pytest.raises(EvaluationError, match=r"must have length 1, got 1\.2"):
        linearize(derive(ball_pendulum()), q=[1.2, 0, 0, 0, 0], inputs=[0])
    with pytest.raises(ShapeError, match="2 states"):
        LinearSystem(np.eye(2), np.eye(3), ("a", "b"), ("u",))
    with pytest.raises(EvaluationError, match=r"dt must be a time step in seconds, got 'x'"):
        linearize(eom, dt="x")  # type: ignore[arg-type]
    with pytest.raises(EvaluationError, match=r"State 'a': "):
        linearize(eom).in_terms_of({"a": "q1 +"})
    alone = LinearSystem(np.eye(1), np.eye(1), ("a",), ("u",))
    with pytest.raises(
        EvaluationError, match=r"operating point only if .*make it with eq.linearize"
    ):
        _ = alone.point
    with pytest.raises(UnknownNameError, match=r"Unknown state 'b' in the linear system"):
        alone.in_terms_of({"x": "b"})


def test_states_without_a_linear_system() -> None:
    """A spring of length 0 has no derivative; a body without inertia has no acceleration."""
    sprung = Robot("sprung", [Body("b", prismatic("x", axis="x"), mass=1)], gravity="0 0 0",
                   forces=[spring("b", "world", stiffness=3, rest=1)])  # fmt: skip
    with pytest.raises(EvaluationError, match=r"'sprung' are not differentiable at this state"):
        linearize(derive(sprung), inputs=[])
    empty = Robot("empty", [Body("b", revolute("q", axis="y"), mass=0)])
    with pytest.raises(EvaluationError, match=r"mass matrix of robot 'empty' is singular"):
        linearize(derive(empty))


def test_state_derivative_with_scipy() -> None:
    """For everybody's own solver: eom.state_derivative conserves energy, as expressions and compiled."""
    eom = derive(built_in("rr_arm"))
    fast = compile(eom)
    run = scipy.integrate.solve_ivp(
        lambda t, x: fast.state_derivative(x[:2], x[2:], np.zeros(2)),
        (0, 5),
        [1.0, 0.5, 0, 0],
        method="DOP853",
        rtol=1e-11,
        atol=1e-11,
    )
    x = run.y[:, -1]
    np.testing.assert_allclose(
        eom.evaluate("state_derivative", q=x[:2], v=x[2:]),
        fast.state_derivative(x[:2], x[2:], np.zeros(2)),
        rtol=1e-12,
    )
    energy = [
        eom.evaluate(eom.kinetic_energy + eom.potential_energy, q=y[:2], v=y[2:])
        for y in (run.y[:, 0], x)
    ]
    assert abs(energy[1] - energy[0]) < 1e-8


def test_a_robot_without_joints_has_no_states() -> None:
    still = Robot("still", [Body("b", fixed(), mass=1)], gravity="0 0 -9.81")
    lin = linearize(derive(still))
    assert (lin.A.shape, lin.B.shape, lin.states) == ((0, 0), (0, 0), ())
