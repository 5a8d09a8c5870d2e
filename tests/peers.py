"""The same tree for other programs: joints as chains of the ones they have.

A peer has coordinates y = φ(q) and speeds u = T(q) v of its own, T = ∂φ/∂q where v = q̇. With its
M_p, its bias b_p and its gravity g_p, ours must be

    M = Tᵀ M_p T ,   bias = Tᵀ (b_p + M_p Ṫ v) ,   g = Tᵀ g_p ,   τ = Tᵀ τ_p at u̇ = T v̇ + Ṫ v
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from equamo.algebra.expr import Expr
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.review.referee.rotations import (
    quaternion_of as quaternion_of,
    rotation_of as rotation_of,
)
from equamo.robot.model import Robot
from random_trees import Link, Tree, numbers

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
Elementary = tuple[Any, ...]  # ("revolute", axis), ("prismatic", axis), ("helical", axis, pitch) …


def three(x: Sequence[Any]) -> tuple[float, float, float]:
    return float(x[0]), float(x[1]), float(x[2])


def depth_first(tree: Tree, root: str = "world") -> list[Link]:
    """The links below a body, each followed by all that it carries."""
    found: list[Link] = []
    for link in tree.links:
        if link.parent == root:
            found += [link, *depth_first(tree, link.name)]
    return found


def chain(link: Link) -> tuple[np.ndarray, list[Elementary]]:
    """(fixed rotation of the joint frame, joints that the peers have) from parent to body."""
    turned, e = link.placement(), three(link.axis)
    turns = [("revolute", a) for a in (X, Y, Z)]
    slides = [("prismatic", a) for a in (X, Y, Z)]
    chains: dict[str, list[Elementary]] = {
        "fixed": [],
        "revolute": [("revolute", e)],
        "prismatic": [("prismatic", e)],
        "helical": [("helical", e, float(link.pitch))],
        "cylindrical": [("revolute", e), ("prismatic", e)],
        "universal": turns[:2],
        "planar": [*slides[:2], turns[2]],
        "spherical quaternion": [("ball",)],
        "spherical euler": turns,
        "free quaternion": [("free",)],
        "free euler": [*slides, *turns],
    }
    if link.kind != "custom":
        return turned, chains[link.kind]
    turned = np.array(link.rotation, float)  # a custom joint is not placed by angles
    if link.variant == "two turns":
        return turned, [turns[2], ("shift", (float(link.length), 0, 0)), turns[0]]
    if link.variant == "unit vectors":
        return turned @ np.array(link.after, float), [("revolute", e)]
    if link.variant == "crank":
        return turned, [*slides, turns[2], turns[0]]
    return turned, [*slides, turns[1], turns[2]]


@dataclass(frozen=True)
class Chart:
    """Coordinates of a chain and their rates at one state."""

    y: np.ndarray
    T: np.ndarray  # u = T v
    T_dot_v: np.ndarray


def chart(link: Link, q: np.ndarray, v: np.ndarray) -> Chart:
    """φ(q), T and Ṫ v of one link; φ is the identity but for some custom joints."""
    if link.kind != "custom" or link.variant in ("two turns", "unit vectors"):
        return Chart(q, np.eye(len(v)), np.zeros(len(v)))
    length = float(link.length)
    if link.variant == "crank":  # x, y, z, angle about z, angle about x
        (a,), (da,) = q, v
        return Chart(
            np.array([length * a**2, np.cos(a), a / 3, a, 2 * a]),
            np.array([[2 * length * a], [-np.sin(a)], [1 / 3], [1], [2]]),
            np.array([2 * length, -np.cos(a), 0, 0, 0]) * da**2,
        )
    (a, b), (da, db) = q, v  # coupled: x, y, z, angle about y, angle about z
    s, c = np.sin(a - b), np.cos(a - b)
    return Chart(
        np.array([a * b, s, length * b, a + b, a - b]),
        np.array([[b, a], [c, -c], [0, length], [1, 1], [1, -1]]),
        np.array([2 * da * db, -s * (da - db) ** 2, 0, 0, 0]),
    )


@dataclass(frozen=True)
class Dynamics:
    """In our speeds."""

    mass_matrix: np.ndarray
    bias: np.ndarray
    gravity: np.ndarray
    inverse_dynamics: np.ndarray  # M v̇ + bias + gravity, by one pass


class Peer(Protocol):
    """What a peer must be able to do."""

    def __init__(self, tree: Tree, robot: Robot) -> None: ...
    def dynamics(self, state: dict[Expr, float]) -> Dynamics: ...


def ours(eom: EquationsOfMotion, state: dict[Expr, float]) -> Dynamics:
    """Numbers of our equations; forces are not part of them."""
    passive = numbers(eom.passive_force, state)
    return Dynamics(
        numbers(eom.mass_matrix, state),
        numbers(eom.bias, state),
        numbers(eom.gravity, state),
        numbers(eom.inverse_dynamics, state) + passive,
    )


def relative_error(a: np.ndarray, b: np.ndarray, least: float = 0.0) -> float:
    """max|a−b| / max|b|; `least` is what max|b| is taken to be where b vanishes."""
    if not b.size:
        return 0.0
    return float(np.abs(a - b).max() / max(np.abs(b).max(), least, 1e-300))


def errors(
    tree: Tree, robot: Robot, peer: type[Peer], state: dict[Expr, float]
) -> dict[str, float]:
    """Relative error of each quantity, ours against the peer's."""
    mine, theirs = ours(derive(robot), state), peer(tree, robot).dynamics(state)
    least = 1e-4 * np.abs(theirs.inverse_dynamics).max(initial=0)  # of a bias that vanishes
    names = ("mass_matrix", "bias", "gravity", "inverse_dynamics")
    return {n: relative_error(getattr(mine, n), getattr(theirs, n), least) for n in names}


def joint_state(
    robot: Robot, link: Link, state: dict[Expr, float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(q, v, v̇) of one link's joint."""
    joint = robot.body(link.name).joint
    return tuple(np.array([state[x] for x in xs]) for xs in (joint.q, joint.v, joint.vdot))  # type: ignore
