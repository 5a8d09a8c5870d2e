"""Identities of the edits `lock` and `add_mass`, both sides of each.

An edit makes a new robot, whose own certificate cannot know the request; so the edits are tested on the
robot itself.
"""

from __future__ import annotations

from fractions import Fraction

from ...algebra.expr import HALF, ZERO, Expr, as_expr, symbol
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...robot.model import Body, ForceElement, Robot
from ...robot.model.forces import Cylinder, Spring
from ..equations.derive import formulate
from ..formulations.lagrange import potential_energy
from ..kinematics.poses import poses
from ..recursions.newton_euler import inverse_dynamics
from . import properties
from .sides import Sides, sides
from .virtual_motion import VirtualMotion

_HELD = Fraction(1, 3)  # a generic angle or length
_MASS, _COM, _TENSOR = 2, Vector([3, 5, 7]), Matrix([[11, 0, 0], [0, 13, 0], [0, 0, 17]])


def joints_to_lock(robot: Robot) -> list[Body]:
    """Every second moving body, starting with the first; empty if no joint would remain."""
    moving = [b for b in robot.bodies if b.joint.speeds]
    return moving[::2] if len(moving) > 1 else []


def lock(robot: Robot) -> list[Sides]:
    """Equations of a robot with locked joints = those of the robot with these joints held at rest."""
    tree = robot.tree
    held: dict[str, Expr] = {}
    still: dict[Expr, Expr] = {}
    for joint in (b.joint for b in joints_to_lock(robot)):
        units = {n for group in joint.unit_groups() for n in group}
        held |= {n: HALF if n in units else as_expr(_HELD) for n in joint.coordinates}
        still |= dict.fromkeys((*joint.v, *joint.vdot), ZERO)
    still |= {symbol(n): x for n, x in held.items()}
    kept = [f for f, u in zip(_residual(tree), tree.v, strict=True) if u not in still]
    locked = tree.lock(**held)
    left = inverse_dynamics(
        locked, locked.v, locked.vdot, locked.gravity, elements=_without_roots(locked)
    )
    return sides(left, Vector(substitute(kept, still)))


def _residual(tree: Robot) -> Vector:
    """Residual M v̇ + C v + g − Σ(forces of elements), in the joint speeds, by Kane's equations."""
    d = formulate(tree, "kane")
    total = d.mass_matrix @ Vector(tree.vdot) + d.bias + d.gravity
    for f in _without_roots(tree):
        total = total - d.forces[f.name]
    return total


def _without_roots(tree: Robot) -> list[ForceElement]:
    """Force elements without a square root.

    In the locked robot the root has another form, and each further root doubles the work of the proof.
    """
    return [f for f in tree.forces if not isinstance(f, (Cylinder, Spring))]


def add_mass(robot: Robot) -> list[Sides]:
    """Mass added to the last body adds the energies ½ m ṙ·ṙ + ½ ω·J ω and −m g·r."""
    tree, name = robot.tree, robot.bodies[-1].name
    heavier = tree.add_mass(name, _MASS, _COM, _TENSOR)
    m = VirtualMotion(tree)
    r = m.point(name, _COM)
    r_dot = m.point_displacement(name, r, m.u)
    w = m.pose(name)[0].T @ m.displacement(name, m.u).angular
    T = HALF * (_MASS * (r_dot @ r_dot) + w @ (_TENSOR @ w))
    U = -(tree.gravity @ r) * _MASS
    return [
        (properties.kinetic_energy(heavier), properties.kinetic_energy(tree) + T),
        (_potential_energy(heavier), _potential_energy(tree) + U),
    ]


def _potential_energy(tree: Robot) -> Expr:
    return potential_energy(tree, poses(tree))
