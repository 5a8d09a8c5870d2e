"""Mechanisms with closed loops, for comparisons: built-in ones, and two linkages."""

from __future__ import annotations

import numpy as np

import equamo as eq
from equamo.model import Robot

BUILT_IN = ("four_bar", "five_bar", "delta", "stewart", "cassie_leg")
NAMES = (*BUILT_IN, "parallelogram", "watt")
# Rows of all loops, and how many of them are independent.
RANKS = {
    "four_bar": (5, 2), "five_bar": (5, 2), "delta": (12, 12), "stewart": (18, 18),
    "cassie_leg": (6, 5), "parallelogram": (5, 2), "watt": (10, 4),
}  # fmt: skip


def mechanism(name: str) -> Robot:
    """Mechanism of one of NAMES, with numbers for all parameters."""
    if name == "parallelogram":
        return _parallelogram()
    return _watt() if name == "watt" else eq.load(name)


def _bar(name: str, q: str, length: str, at: str = "0 0 0", parent: str = "world") -> eq.Body:
    """Bar along x that turns about z."""
    return eq.Body(
        name, eq.revolute(q, axis="z", at=at), mass=length, com=f"{length}/2 0.01 0",
        inertia="0.001 0.01 0.01", parent=parent,
    )  # fmt: skip


def _parallelogram() -> Robot:
    bodies = [
        _bar("left", "q1", "0.3"),
        _bar("top", "q2", "0.5", "0.3 0 0", "left"),
        _bar("right", "q3", "0.3", "0.5 0 0"),
    ]
    loop = eq.loop("corner", body="top", at="0.5 0 0", to="right", to_at="0.3 0 0")
    home = {"q1": 1.2, "q2": -1.2, "q3": 1.2}
    return eq.Robot("parallelogram", bodies, gravity="0 -9.81 0", loops=[loop], home=home)


def _watt() -> Robot:
    """Watt's six-bar linkage: a four-bar, and a second loop on its coupler and its rocker."""
    bodies = [
        _bar("crank", "q1", "0.2"),
        _bar("coupler", "q2", "0.5", "0.2 0 0", "crank"),
        _bar("upper", "q3", "0.4", "0.2 0.3 0", "coupler"),
        _bar("rocker", "q4", "0.4", "0.45 0 0"),
        _bar("lower", "q5", "0.45", "0.3 -0.25 0", "rocker"),
    ]
    loops = [
        eq.loop("first", body="coupler", at="0.5 0 0", to="rocker", to_at="0.4 0 0"),
        eq.loop("second", body="upper", at="0.4 0 0", to="lower", to_at="0.45 0 0"),
    ]
    guess = {"q1": 1.0, "q2": -0.2, "q3": -0.5, "q4": 1.2, "q5": 0.3}
    robot = eq.Robot("watt", bodies, gravity="0 -9.81 0", loops=loops, home=guess)
    home = dict(zip(guess, eq.assemble(robot).q, strict=True))
    return eq.Robot("watt", bodies, gravity="0 -9.81 0", loops=loops, home=home)


def closed_states(
    robot: Robot, count: int, seed: int, spread: float = 0.15
) -> list[tuple[np.ndarray, np.ndarray]]:
    """States near home with φ(q) = 0 and A(q) v = 0."""
    random = np.random.default_rng(seed)
    home = np.array([float(x) for x in robot.home.q.values()])
    states: list[tuple[np.ndarray, np.ndarray]] = []
    while len(states) < count:
        q = home + random.uniform(-spread, spread, len(home))
        for group in robot.unit_groups:
            at = [robot.joint_coordinates.index(x) for x in group]
            q[at] /= np.linalg.norm(q[at])
        try:
            state = eq.assemble(robot, q, random.uniform(-1, 1, len(robot.v)))
        except eq.AssemblyError:  # too far away: draw another one
            continue
        states.append((state.q, state.v))
    return states
