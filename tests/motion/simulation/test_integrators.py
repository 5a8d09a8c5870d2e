"""Fixed-step methods: their orders, and what each of them keeps."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import equamo as eq
from equamo.code.steps import METHODS, method_named
from equamo.errors import EnergyDriftWarning, UnknownNameError
from equamo.motion.simulation.rollout import rollout
from force_robots import arm
from random_trees import random_tree

pytestmark = pytest.mark.needs("scipy")


def top() -> eq.Robot:
    """A rigid body in free space, its three moments different."""
    body = eq.Body("top", eq.spherical("p"), mass=1, com="0 0 0", inertia="1 2 2.7")
    return eq.Robot("top", [body], gravity="0 0 0")


def mass() -> eq.Robot:
    """A mass of 1 kg on a line, pushed by F."""
    body = eq.Body("mass", eq.prismatic("x", axis="x"), mass=1)
    return eq.Robot("mass", [body], gravity="0 0 0", forces=[eq.joint_actuator("x", "F")])


def floating() -> eq.Robot:
    """A free body with a quaternion that carries a link, a ball joint and a slide."""
    kinds = ("free quaternion", "revolute", "spherical quaternion", "prismatic")
    return random_tree(6, bodies=kinds, forces=False, free_at_root=True).robot()


def with_elements() -> eq.Robot:
    smooth = eq.joint_friction("s", "Fc3", "Fv3", smoothing="w3")
    return arm(
        eq.joint_actuator("q1"), eq.joint_spring("s", "k3"), eq.joint_damper("q2", "d2"), smooth
    )


MAKE: dict[str, Any] = {
    "top": top, "mass": mass, "floating": floating, "with elements": with_elements
}  # fmt: skip
# as expressions, and the same in Python: of t, q and v
CONTROL: dict[str, Any] = {
    "rr_arm": {"tau1": "3*sin(5*t) - dq1/5", "tau2": "t**2 - q2*q1"},
    "wheeled_inverted_pendulum": {"tau_L": "2 + t - 3*q_imu", "tau_R": "cos(3*t)*dx"},
}
IN_PYTHON: dict[str, Any] = {
    "rr_arm": lambda t, q, v: [3 * np.sin(5 * t) - v[0] / 5, t**2 - q[1] * q[0]],
    "wheeled_inverted_pendulum": lambda t, q, v: [2 + t - 3 * q[4], np.cos(3 * t) * v[0]],
}
ROBOTS = ("rr_arm", "with elements", "rolling_disc", "wheeled_inverted_pendulum", "top", "floating")


@cache
def equations(name: str) -> eq.EquationsOfMotion:
    return eq.derive(MAKE[name]() if name in MAKE else eq.load(name))


def start(eom: eq.EquationsOfMotion, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    home = eom.robot.home  # of the disc: rolling so fast that it does not fall
    q = rng.uniform(-0.7, 0.7, len(eom.q)) + [float(x) for x in home.q.values()]
    v = rng.uniform(-1, 1, len(eom.v)) + [float(x) for x in home.v.values()]
    for group in eom.robot.unit_groups:
        columns = [eom.q.index(x) for x in group]
        q[columns] /= np.linalg.norm(q[columns])
    return q, v


def values(eom: eq.EquationsOfMotion) -> dict[str, float]:
    """Of what has no default; and friction so smooth that 25 steps see it."""
    chosen = {"g": 9.81, "w3": 1.0}
    return {n: x for n, x in chosen.items() if n in eom.robot.values}


@cache
def reference(name: str, seconds: float) -> np.ndarray:
    """The state at the end by SciPy, on the expressions themselves."""
    eom = equations(name)
    n, more = len(eom.q), values(eom)
    control = IN_PYTHON.get(name, lambda t, q, v: [0.0] * len(eom.inputs))

    def f(t: float, x: np.ndarray) -> np.ndarray:
        q, v = x[:n], x[n:]
        return np.array(
            eom.evaluate("state_derivative", q=q, v=v, inputs=control(t, q, v), values=more)
        )

    x = np.concatenate(start(eom, 1))
    found = solve_ivp(f, (0, seconds), x, method="DOP853", rtol=1e-12, atol=1e-13)
    return found.y[:, -1]


def error(name: str, method: str, steps: int, seconds: float) -> float:
    eom = equations(name)
    q, v = start(eom, 1)
    found = rollout(
        eom, q, v, step=seconds / steps, steps=steps, every=steps, method=method,
        control=CONTROL.get(name), values=values(eom),
    )  # fmt: skip
    return float(np.abs(found.states[-1] - reference(name, seconds)).max())


@pytest.mark.sweep(11)
@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("method", METHODS)
def test_the_error_falls_with_the_step_at_the_order_of_the_method(robot: str, method: str) -> None:
    order = METHODS[method].order
    steps = {1: 2000, 2: 400, 4: 50}[order]
    coarse, fine = (error(robot, method, k * steps, 0.5) for k in (1, 2))
    assert order - 0.25 < np.log2(coarse / fine) < order + 0.5, (coarse, fine)
    assert fine < {1: 3e-2, 2: 1e-3, 4: 1e-5}[order]


@pytest.mark.parametrize("method", METHODS)
def test_quaternions_stay_unit(method: str) -> None:
    eom = equations("floating")
    q, v = start(eom, 2)
    found = rollout(eom, q, v, step=0.01, steps=1000, method=method, values=values(eom))
    for group in eom.robot.unit_groups:
        columns = [eom.q.index(x) for x in group]
        assert np.abs(np.linalg.norm(found.q[:, columns], axis=1) - 1).max() < 5e-16


def energy(eom: eq.EquationsOfMotion, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    total = eom.kinetic_energy + eom.potential_energy
    flat = eom.evaluate(total, q=q.reshape(-1, q.shape[-1]), v=v.reshape(-1, v.shape[-1]))
    return np.asarray(flat).reshape(q.shape[:-1])


def test_energy_of_the_implicit_midpoint_rule_does_not_drift() -> None:
    """Double pendulums, 10⁵ steps, most of them chaotic; Runge-Kutta loses energy all the time."""
    eom = equations("rr_arm")
    rng = np.random.default_rng(1)
    q, v = rng.uniform(-2, 2, (8, 2)), rng.uniform(-1, 1, (8, 2))
    off: dict[str, np.ndarray] = {}
    for method in ("implicit_midpoint", "rk4"):
        loses = pytest.warns(EnergyDriftWarning) if method == "rk4" else nullcontext()
        with loses:
            found = rollout(eom, q, v, step=0.01, steps=100_000, every=20, method=method)
        assert not found.broken
        E = energy(eom, found.q, found.v)
        off[method] = (E - E[:, :1])[:, 1:].reshape(8, 10, -1)  # by tenths of the run
    swing = np.abs(off["implicit_midpoint"]).max(axis=2)
    assert swing.max() < 1.0  # [J]; between hanging and standing there are 38
    mean = off["implicit_midpoint"].mean(axis=2)
    assert np.abs(mean - mean[:, :1]).max() < 0.03
    lost = -off["rk4"].mean(axis=2).mean(axis=0)
    assert lost[-1] > 5 * lost[0] > 0.05


def test_the_implicit_midpoint_rule_keeps_quadratic_invariants() -> None:
    """½ ω·J ω and |J ω|² of a free body, over 10⁵ steps, to round-off."""
    eom = equations("top")
    J = np.array([1, 2, 2.7])
    v = np.array([[0.1, 2.0, 0.05], [1.0, -0.3, 0.8]])
    found = rollout(eom, v=v, step=0.02, steps=100_000, every=1000, method="implicit_midpoint")
    for kept in ((J * found.v**2).sum(2), (J**2 * found.v**2).sum(2)):
        assert np.abs(kept / kept[:, :1] - 1).max() < 1e-12
    assert np.ptp(found.v, axis=1).min() > 0.1  # it does move


def test_the_implicit_midpoint_rule_goes_back_the_way_it_came() -> None:
    eom = equations("with elements").robot.with_values(d2=0, Fc3=0, Fv3=0)
    still = eq.derive(eom)
    q, v = start(still, 3)
    options: dict[str, Any] = {
        "step": 0.005, "steps": 400, "method": "implicit_midpoint", "values": {"g": 9.81}
    }  # fmt: skip
    there = rollout(still, q, v, **options)
    back = rollout(still, there.q[-1], -there.v[-1], **options)
    assert np.abs(there.q[-1] - q).max() > 0.1
    assert np.abs(back.q[-1] - q).max() < 1e-9
    assert np.abs(back.v[-1] + v).max() < 1e-9


def test_semi_implicit_euler_keeps_its_invariant_of_an_oscillator() -> None:
    """x² + v² − h x v of ẍ = −x is constant, as one sees by inserting a step."""
    h = 0.1
    found = rollout(
        equations("mass"), [1.0], [0.3], step=h, steps=100_000, control=["-x"],
        method="semi_implicit_euler",
    )  # fmt: skip
    x, v = found.q[:, 0], found.v[:, 0]
    kept = x**2 + v**2 - h * x * v
    assert np.abs(kept / kept[0] - 1).max() < 1e-11


def test_runge_kutta_is_exact_for_a_cubic_force() -> None:
    """ẍ = 4 t³: its weights are Simpson's, which integrate a cubic without error."""
    found = rollout(equations("mass"), step=0.5, steps=8, control={"F": "4*t**3"}, start=1.0)
    assert found.t == pytest.approx(np.linspace(1, 5, 9))
    assert found.v[:, 0] == pytest.approx(found.t**4 - 1, rel=1e-14)


def test_unknown_method_names_the_choices() -> None:
    with pytest.raises(UnknownNameError, match=r"Unknown fixed-step method 'rk45'.*rk4"):
        method_named("rk45")
