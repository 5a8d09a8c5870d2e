"""Identities of joints and kinematic maps, both sides of each."""

from __future__ import annotations

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import identity
from ...algebra.expr.vector import Vector
from ...robot.model import Robot
from ...robot.model.check import kinematic_identities
from .sides import Sides, sides, vanishing


def joints(robot: Robot) -> list[Sides]:
    """For every joint A Aᵀ = 1, det A = 1, S_ω v = unskew(Aᵀ Ȧ) and S_v v = Aᵀ ṙ."""
    return [(left, right) for b in robot.bodies for _, left, right in kinematic_identities(b)]


def unit_lengths(robot: Robot) -> list[Sides]:
    """Constant length of unit quaternions: d/dt |quaternion|² = 0 along q̇ = N v."""
    rates = dict(zip(robot.q, robot.kinematic_map @ Vector(robot.v), strict=True))
    zero: list[Expr] = []
    for group in robot.unit_groups:
        total = ZERO
        for x in group:
            total = total + 2 * x * rates.get(x, ZERO)
        zero.append(total)
    return vanishing(zero)


def inverse_map(robot: Robot) -> list[Sides]:
    """Left inverse of the joints' kinematic maps: N⁺ N = 1."""
    tree = robot.tree
    return sides(tree.kinematic_map_inverse @ tree.kinematic_map, identity(len(tree.v)))


def dependent_coordinates(robot: Robot) -> list[Sides]:
    """Rate of each dependent coordinate, which must equal its row of N W v."""
    assert robot.speed_map is not None
    tree, followed = robot.tree, dict(robot.speed_map.dependent)
    v = Vector(robot.v)
    q_dot = tree.kinematic_map.subs(followed) @ (robot.speed_map.W @ v)
    rates = dict(zip(robot.q, robot.kinematic_map @ v, strict=True))
    return [
        (directional([followed[x.name]], rates)[0], rate)
        for x, rate in zip(tree.q, q_dot, strict=True)
        if x.name in followed
    ]
