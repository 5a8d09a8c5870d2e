"""Generalized forces of force elements by virtual power: f = Σ J_vᵀ F + J_ωᵀ T.

Each formulation passes its own Jacobians: `angular(body)` and `linear(body, point)` as columns of ∂ω/∂v
and ∂v_point/∂v in some frame, and `components`, which brings a vector to that frame. Elements whose
force depends on poses ask `BodyGeometry`, which knows rotations and positions only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import final

from ...algebra.expr import HALF, ONE, ZERO, Expr
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...algebra.identity import prove_zero
from ...algebra.identity.linearity import linear_coefficients
from ...basics.wording import brief
from ...errors import ExpressionError, ModelError
from ...robot.model.force import ForceElement, Geometry, Line, PointForce, SpeedForce
from ...robot.model.robot import Robot
from .poses import transform
from .velocities import Columns


class Jacobians(ABC):
    """Abstract: the partial velocities of one formulation."""

    @abstractmethod
    def angular(self, body: str) -> Columns:
        """∂ω/∂v of a body, in the frame of `components`."""

    @abstractmethod
    def linear(self, body: str, point: Vector) -> Columns:
        """∂v_point/∂v of a point of the body (in its frame), in the frame of `components`."""

    def joint_speed(self, i: int) -> dict[int, Expr]:
        """∂u_i/∂v of a joint speed; v = u unless a formulation overrides it."""
        return {i: ONE}

    @abstractmethod
    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        """Vector with components in `frame`, in the frame of the Jacobians of `body`."""


@final
class BodyGeometry(Geometry):
    """Lines between points of bodies, from rotations and positions; no velocity recursion."""

    def __init__(self, robot: Robot) -> None:
        self._tree = robot.tree

    @cached_property
    def _rates(self) -> dict[Expr, Expr]:
        """q̇ = N u"""
        tree = self._tree
        return dict(zip(tree.q, tree.kinematic_map @ Vector(tree.v), strict=True))

    @cached_property
    def _moving(self) -> frozenset[Expr]:
        return frozenset((*self._tree.q, *self._tree.v))

    def is_constant(self, *quantities: Expr) -> bool:
        return self._moving.isdisjoint(symbols(quantities))

    def line(self, origin: str, origin_point: Vector, body: str, point: Vector) -> Line:
        r = transform(self._tree, body, origin).point(point) - origin_point
        return Line(r, r.map(lambda entries: directional(entries, self._rates)))


def generalized_force(robot: Robot, element: ForceElement, J: Jacobians) -> Vector:
    """Generalized force of an element, on the right-hand side; its power into the robot is v·f.

    Args:
        robot: The robot.
        element: One of its force elements.
        J: Partial velocities of the formulation that asks.

    Returns:
        f, one entry per speed of the robot.
    """
    joint_speeds = [x.name for x in robot.joint_speeds]
    names = [x.name for x in robot.v]
    f: list[Expr] = [ZERO] * len(names)
    affected = {j for i in affected_speeds(robot, element) for j in J.joint_speed(i)}
    for load in element.loads(BodyGeometry(robot)):
        if isinstance(load, SpeedForce):
            for j, x in J.joint_speed(joint_speeds.index(load.speed)).items():
                f[j] = f[j] + x * load.force
            continue
        if isinstance(load, PointForce):
            columns, vector = J.linear(load.body, body_point(robot, load)), load.force
        else:
            columns, vector = J.angular(load.body), load.torque
        if vector.is_zero:
            continue
        F = J.components(vector, load.expressed_in, load.body)
        for j, column in columns.items():
            if j in affected:
                f[j] = f[j] + column @ F
    return Vector(f, names)


def affected_speeds(robot: Robot, element: ForceElement) -> list[int]:
    """Positions of the joint speeds along which the element's loads on bodies can do work.

    All of them, unless the element is internal: equal and opposite forces along one line do no work
    along joints that carry both bodies.
    """
    if not element.internal:
        return list(range(len(robot.joint_speeds)))
    first, *rest = [{b.name for b in robot.path(n)} for n in dict.fromkeys(element.bodies())]
    carries_some, carries_all = first.union(*rest), first.intersection(*rest)
    between = [b for b in robot.bodies if b.name in carries_some - carries_all]
    return [j for b in between for j in robot.columns(b)]


def body_point(robot: Robot, load: PointForce) -> Vector:
    """Point of application of a force, in the frame of its body."""
    if load.point_in is None:
        return load.point
    return transform(robot, load.point_in, load.body).point(load.point)


def input_matrix(robot: Robot, forces: Mapping[str, Vector]) -> Matrix:
    """B with Σ actuator forces = B · inputs, from generalized forces by the name of their element.

    Raises:
        ModelError: The forces are not linear in the inputs, or have a term without an input.
    """
    names = [x.name for x in robot.v]
    total = Vector([ZERO] * len(names), names)
    for element in robot.forces:
        if element.inputs():
            total = total + forces[element.name]
    if not robot.inputs:
        return Matrix([[] for _ in names], names, [])
    try:
        B, rest = linear_coefficients(total, robot.inputs)
    except ExpressionError as error:
        raise _not_linear(robot, str(error)) from None
    lost = [e for e in rest if e is not ZERO]
    if lost and not prove_zero(lost, unit=robot.unit_groups):
        raise _not_linear(robot, f"They have the term {brief(lost[0])} without an input.")
    return Matrix(B, names, [x.name for x in robot.inputs])


def _not_linear(robot: Robot, reason: str) -> ModelError:
    names = ", ".join(repr(f.name) for f in robot.forces if f.inputs())
    return ModelError(
        f"Robot {robot.name!r}: the forces of elements with inputs ({names}) must be sums of inputs "
        f"times factors. {reason} Put other forces into an element without inputs."
    )


def rotor_inertia(robot: Robot) -> list[Expr]:
    """Inertia that force elements add to the mass matrix along each joint speed: N² J_m of rotors."""
    added: dict[str, Expr] = {x.name: ZERO for x in robot.joint_speeds}
    for element in robot.forces:
        for speed, inertia in element.inertia().items():
            added[speed] = added[speed] + inertia
    return list(added.values())


def rotor_energy(robot: Robot) -> Expr:
    """Kinetic energy of the rotors, Σ ½ I_a u², in the joint speeds u."""
    energy = ZERO
    for inertia, u in zip(rotor_inertia(robot), robot.joint_speeds, strict=True):
        energy = energy + HALF * inertia * u**2
    return energy
