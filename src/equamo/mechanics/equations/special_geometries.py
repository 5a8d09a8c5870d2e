"""Geometries in which fewer base parameters remain, from a fixed list of features.

    parallel axes         of neighbouring revolute joints
    intersecting axes     of neighbouring revolute joints that are not parallel
    equal lengths         two lengths between neighbouring joints, or two symbols
    gravity along         the axis of a joint attached to the world

Each missing feature is added to the robot, and its base parameters are found again, by
the same bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, final

from ...algebra.expr import ONE, ZERO, Expr, as_expr
from ...algebra.expr.graph import NEG
from ...algebra.expr.matrix import Matrix, identity, outer
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...basics.wording import counted
from ...robot.model.body import WORLD, Body
from ...robot.model.edits import copy_with
from ...robot.model.joint import Joint
from ...robot.model.joints import Prismatic, Revolute
from ...robot.model.robot import Robot
from ..recursions.body_frames import without_fixed_parents

if TYPE_CHECKING:
    from .base_parameters import BaseParameters


@final
@dataclass(frozen=True, eq=False)
class SpecialGeometry:
    """A geometry in which fewer base parameters remain.

    Attributes:
        feature: Special feature, such as "axes of q2 and q3 parallel".
        count: Number of base parameters with this feature.
        base_parameters: The base parameters.
    """

    feature: str
    count: int
    base_parameters: BaseParameters = field(repr=False)

    def __str__(self) -> str:
        return f"{self.feature}: {counted(self.count, 'base parameter')}"


def special_geometries(base: BaseParameters) -> tuple[SpecialGeometry, ...]:
    """Features of the list with which fewer parameters remain.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> for geometry in derive(load("rr_arm")).base_parameters.special:
    ...     print(geometry)
    gravity along the axis of q1: 4 base parameters
    """
    from .derive import derive

    found: list[SpecialGeometry] = []
    for feature, robot in _variants(base.regressor.equations.robot):
        other = derive(robot).base_parameters
        if other.count < base.count:
            found.append(SpecialGeometry(feature, other.count, other))
    return tuple(found)


def _variants(robot: Robot) -> Iterator[tuple[str, Robot]]:
    """(feature, robot with it) for each feature that the robot does not have."""
    yield from _gravity(robot)
    if robot.speed_map is not None:  # its constraints hold only for its own geometry
        return
    plain = copy_with(robot, bodies=without_fixed_parents(robot))
    pairs = [(plain.body(b.parent), b) for b in plain.bodies if b.parent != WORLD]
    for parent, b in pairs:
        p, c = parent.joint, b.joint
        if isinstance(p, Revolute) and isinstance(c, Revolute):
            yield from _axes(plain, p, b, c)
    yield from _lengths(plain, pairs)


def _gravity(robot: Robot) -> Iterator[tuple[str, Robot]]:
    g = robot.gravity
    for b in robot.bodies:
        if b.parent == WORLD and isinstance(b.joint, (Revolute, Prismatic)) and not g.is_zero:
            along = b.joint.turned @ b.joint.axis
            if not along.cross(g).is_zero:
                size = next(x for x in g if x is not ZERO)
                changed = copy_with(robot, gravity=along * size)
                yield f"gravity along the axis of {b.joint.name}", changed


def _axes(robot: Robot, p: Revolute, b: Body, c: Revolute) -> Iterator[tuple[str, Robot]]:
    names = f"axes of {p.name} and {c.name}"
    direction = c.turned @ c.axis
    normal = p.axis.cross(direction)
    if normal.is_zero:
        return
    yield f"{names} parallel", _with_joint(robot, b, replace(c, turned=_turning(c.axis, p.axis)))
    if (c.at @ normal) is not ZERO:
        at = c.at - normal * ((normal @ c.at) / (normal @ normal))
        yield f"{names} intersecting", _with_joint(robot, b, replace(c, at=at))


def _turning(a: Vector, b: Vector) -> Matrix:
    """Rotation with R a = b (up to sign) for unit vectors: a half turn about a + b."""
    s = a + b
    if a.cross(b).is_zero:
        return identity(3)
    return outer(s, s) * (2 * ONE / (s @ s)) - identity(3)


def _lengths(robot: Robot, pairs: list[tuple[Body, Body]]) -> Iterator[tuple[str, Robot]]:
    lengths = [x for b in robot.bodies for x in map(_without_sign, b.joint.at) if x.is_symbol]
    for x, y in combinations(dict.fromkeys(lengths), 2):
        bodies = [_renamed(b, {y: x}) for b in robot.bodies]
        yield f"{x.name} = {y.name}", copy_with(robot, bodies=bodies)
    for parent, b in pairs:
        own, other = _offset(b.joint), _offset(parent.joint)
        if own is None or other is None or abs(own[1]) == abs(other[1]):
            continue
        at = [ZERO] * 3
        at[own[0]] = as_expr(other[1])
        names = f"offsets of {parent.joint.name} and {b.joint.name} of equal length"
        yield names, _with_joint(robot, b, replace(b.joint, at=Vector(at)))


def _without_sign(x: Expr) -> Expr:
    return x.a if x.op == NEG else x


def _offset(joint: Joint) -> tuple[int, int | Fraction] | None:
    """(axis, number) of an offset along one coordinate axis, if it is a number."""
    places = [k for k in range(3) if joint.at[k] is not ZERO]
    if len(places) != 1:
        return None
    value = joint.at[places[0]].value
    return None if value is None else (places[0], value)


def _renamed(b: Body, new: dict[Expr, Expr]) -> Body:
    joint = b.joint
    if set(new).isdisjoint(symbols([*joint.at, *joint.turned.entries])):
        return b
    joint = replace(joint, at=joint.at.subs(new), turned=joint.turned.subs(new))
    return Body(b.name, joint, inertia=b.inertia, parent=b.parent)


def _with_joint(robot: Robot, b: Body, joint: Joint) -> Robot:
    bodies = [
        Body(x.name, joint, inertia=x.inertia, parent=x.parent) if x is b else x
        for x in robot.bodies
    ]
    return copy_with(robot, bodies=bodies)
