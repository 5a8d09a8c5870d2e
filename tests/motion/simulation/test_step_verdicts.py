"""`step` and `step_derivatives` agree: the same verdict, the same solution, alone and in batches.

Random cases of a robot, a state, a method and a step up to 10 s, so that many of them diverge. The
processor must not matter: every verdict is compared with that of `step` on this machine, and every
derivative with differences of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import DivergenceError
from loops_examples import four_bar

METHODS = ("rk4", "semi_implicit_euler", "implicit_midpoint")
HINGE = 0.3  # [m]
COMPANIONS = 4  # further states in the batch of a case
STEPS = 10.0 ** -np.arange(3, 9)  # of differences
TRUST, CLOSE = 1e-5, 1e-4  # of two differences to each other, of a derivative to them; relative


def pendulum() -> eq.Robot:
    """M is constant and the torque is bounded, so an iteration that diverges wanders for ever."""
    body = eq.Body("rod", eq.revolute("q", axis="y"), mass=1, com="0.5 0 0", inertia="0 0.1 0")
    return eq.Robot("pendulum", [body], forces=[eq.joint_actuator("q", "tau")])


def floating() -> eq.Robot:
    bodies = [
        eq.Body("a", eq.free("base"), mass=1, com=".1 .2 .3", inertia="1 2 3"),
        eq.Body("b", eq.revolute("q1", at="0 .3 .1"), parent="a", mass=2, com=".3 .1 0"),
    ]
    return eq.Robot("floating", bodies, forces=[eq.joint_actuator("q1", "tau")])


def held() -> eq.Robot:
    """A rod in a plane whose tip sticks to the ground."""
    body = eq.Body("rod", eq.planar("x y q1"), mass=1, com=".2 0 0", inertia="0 0.1 0.1")
    contact = eq.contact("tip", "rod", ".4 0 0", normal="y")
    robot = eq.Robot("held", [body], gravity="0 -9.81 0", contacts=[contact])
    return robot.in_mode(tip="stick")


def door() -> eq.Robot:
    """A free body, its orientation a quaternion, on a hinge that is a loop."""
    body = eq.Body("door", eq.free("b"), mass=2, com="0 0.1 0", inertia="0.3 0.4 0.5")
    hinge = eq.loop("hinge", "door", f"{HINGE} 0 0", joint="revolute")
    return eq.Robot("door", [body], loops=[hinge], gravity="0 -9.81 0")


def bar() -> eq.EquationsOfMotion:
    return eq.derive(four_bar())


MAKE: dict[str, Callable[[], eq.EquationsOfMotion]] = {
    "pendulum": lambda: eq.derive(pendulum()),
    "rr_arm": lambda: eq.derive(eq.load("rr_arm")),
    "three_link_prismatic_arm": lambda: eq.derive(eq.load("three_link_prismatic_arm")),
    "floating": lambda: eq.derive(floating()),
    "rolling_disc": lambda: eq.derive(eq.load("rolling_disc")),
    "wheeled_inverted_pendulum": lambda: eq.derive(eq.load("wheeled_inverted_pendulum")),
    "four_bar": bar,
    "four_bar, minimal": lambda: bar().minimal("dq1"),
    "held": lambda: eq.derive(held()),
    "door": lambda: eq.derive(door()),
}
LOOPS = ("four_bar", "four_bar, minimal", "held", "door")
SAMPLED, WHOLE = 6, 100  # cases per robot


@cache
def equations(name: str) -> eq.EquationsOfMotion:
    return MAKE[name]()


@cache
def compiled(name: str, lanes: int | None = None) -> Any:
    return eq.compile(equations(name), lanes=lanes)


@dataclass(frozen=True)
class Case:
    """A step of one robot: the case itself is the first row, the others are its companions."""

    name: str
    method: str
    dt: float
    q: np.ndarray
    v: np.ndarray
    u: np.ndarray

    def __repr__(self) -> str:
        first = [x[0].tolist() for x in (self.q, self.v, self.u)]
        return f"{self.name}, {self.method}, dt={self.dt!r}, q, v, u = {first}"

    def step(self, row: int, lanes: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        given = self.q[row], self.v[row], self.u[row]
        return compiled(self.name, lanes).step(*given, dt=self.dt, method=self.method)

    def derivatives(self, row: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        given = self.q[row], self.v[row], self.u[row]
        return compiled(self.name).step_derivatives(*given, dt=self.dt, method=self.method)


def methods(name: str) -> tuple[str, ...]:
    return METHODS[:2] if name in LOOPS and not name.endswith("minimal") else METHODS


def draw(name: str, number: int) -> Case:
    rng = np.random.default_rng([sorted(MAKE).index(name), number])
    method = methods(name)[number % len(methods(name))]
    states = [state(name, rng) for _ in range(1 + COMPANIONS)]
    q, v, u = (np.array(x) for x in zip(*states, strict=True))
    return Case(name, method, float(10 ** rng.uniform(-3, 1)), q, v, u)


def state(name: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    eom = equations(name)
    size = 0.0 if rng.random() < 0.05 else 10 ** rng.uniform(-2, 1.5)  # some are at rest
    u = size * rng.normal(size=len(eom.inputs))
    if name in LOOPS:
        angle, speed = rng.uniform(-3, 3), size * rng.normal()
        if name == "door":  # about the hinge, whose axis is z
            x, y, c, s = np.cos(angle), np.sin(angle), np.cos(angle / 2), np.sin(angle / 2)
            at, w = [-HINGE * x, -HINGE * y, 0, c, 0, 0, s], [0, -HINGE * speed, 0, 0, 0, speed]
            return np.array(at), np.array(w), u
        closed = eq.assemble(eom, {"q1": angle}, {"dq1": speed})
        return closed.q, closed.v, u
    q = rng.uniform(-np.pi, np.pi, len(eom.q))
    for group in eom.robot.state_space.quaternions:
        q[list(group)] /= np.linalg.norm(q[list(group)])
    return q, size * rng.normal(size=len(eom.v)), u


def outcome(compute: Callable[[], Any]) -> tuple[Any, str]:
    """Arrays, or the message of a DivergenceError."""
    try:
        return compute(), ""
    except DivergenceError as error:
        return None, str(error)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", MAKE)
def test_a_step_and_its_derivatives_agree(name: str, whole_sweeps: bool) -> None:
    converged = diverged = trusted = 0
    for number in range(WHOLE if whole_sweeps else SAMPLED):
        case = draw(name, number)
        ends, message = outcome(lambda case=case: case.step(0))
        slopes, same = outcome(lambda case=case: case.derivatives(0))
        assert message.replace("step by", "step_derivatives by") == same, case
        check_a_batch(case)
        if ends is None:
            diverged += 1
            continue
        converged += 1
        assert all(np.isfinite(x).all() for x in (*ends, *slopes)), case
        trusted += check_differences(case, slopes)
    if whole_sweeps:
        print(f"{name}: {converged} converged, {trusted} of them compared, {diverged} diverged")
        assert min(converged, diverged) >= 5
        assert trusted > converged / 2


def check_a_batch(case: Case) -> None:
    """Every row has the verdict and the numbers that it has alone, in any lane."""
    alone = [outcome(lambda row=row: case.step(row))[0] for row in range(len(case.q))]
    order = np.roll(np.arange(len(case.q)), 1)
    for lanes, rows in ((None, np.arange(len(case.q))), (2, order)):
        fast = compiled(case.name, lanes)
        given = case.q[rows], case.v[rows], case.u[rows]
        ends = fast.step(*given, dt=case.dt, method=case.method)
        slopes = fast.step_derivatives(*given, dt=case.dt, method=case.method)
        for k, row in enumerate(rows):
            single, found = alone[row], [x[k] for x in (*ends, *slopes)]
            if single is None:
                assert all(np.isnan(x).all() for x in found), (case, row)
                continue
            assert all(np.isfinite(x).all() for x in found), (case, row)
            assert all(map(np.array_equal, found, single)), (case, row)


def check_differences(case: Case, slopes: tuple[np.ndarray, ...]) -> bool:
    """Compare with central differences of `step` in a random direction, if they can be trusted."""
    fast = compiled(case.name)
    n = len(fast.eom.robot.joint_speeds)
    rng = np.random.default_rng(1)
    d = rng.normal(size=slopes[0].shape[1])
    e = rng.normal(size=len(case.u[0]))
    q, v, u = case.q[0], case.v[0], case.u[0]
    s = np.concatenate([STEPS, -STEPS])
    moved = np.array([fast.integrate(q, x * d[:n]) for x in s]), v + s[:, None] * d[n:]
    p, w = fast.step(*moved, u + s[:, None] * e, dt=case.dt, method=case.method)
    if not np.isfinite(w).all(axis=1).reshape(2, -1)[:, -2:].all():
        return False  # no step beside this one converges, or its loop is left
    differences: list[np.ndarray] = []
    for k, h in enumerate(STEPS):
        up, down = k, k + len(STEPS)
        if np.isfinite(w[[up, down]]).all():
            turned = fast.difference(p[down], p[up])
            differences.append(np.concatenate([turned, w[up] - w[down]]) / (2 * h))
    first, second = min(pairwise(differences), key=lambda x: far(*x))
    rounding = np.finfo(float).eps * max(np.abs(p[-1]).max(), np.abs(w[-1]).max()) / STEPS[0]
    if far(first, second) > TRUST or rounding > TRUST:
        return False
    ours = slopes[0] @ d + slopes[1] @ e
    assert far(ours, second) < CLOSE, (case, ours, second)
    return True


def far(x: np.ndarray, y: np.ndarray) -> float:
    """Largest relative difference of two entries, or absolute difference of small ones."""
    return float((np.abs(x - y) / (1 + np.abs(y))).max())
