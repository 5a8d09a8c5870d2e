"""Kinematic quantities from their definitions, for specifications: products of joints, differentiated.

Poses are those of `VirtualMotion`, the product of the joints from the base to a body; velocities along
virtual speeds w are their derivatives. Programs use other code: relative poses, and axes of joints.

    pose            A and p
    twist           ω from δA Aᵀ, and ṗ
    mass moment     Σ m r of all bodies: the centre of mass times Σ m, and U = −g·Σ m r
    rates           q̇ of each joint along W w

With symbols replaced in the equations, the definitions are written first, and replaced last.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import final

from ...algebra.expr import ZERO, Expr, internal
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import ZERO3, Vector
from ...mechanics.certificate.virtual_motion import VirtualMotion
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.replaced import replace_in
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds


@final
class KinematicDefinitions:
    """Definitions for one robot; w are virtual speeds, one per speed of the equations."""

    w: Vector

    def __init__(self, eom: EquationsOfMotion) -> None:
        self.whole: EquationsOfMotion = eom if eom.replaced is None else eom.replaced.whole
        self._steps = () if eom.replaced is None else eom.replaced.steps
        self._motion = VirtualMotion(self.whole.robot)
        self._speeds = ChosenSpeeds(self.whole.robot)
        self.w = Vector([internal("virtual", x.name) for x in eom.v])

    def pose(self, frame: str) -> Matrix:
        """Homogeneous matrix of a frame."""
        A, p = self._motion.pose(frame)
        rows = [[*self._out(row), x] for row, x in zip(A.rows, self._out(p), strict=True)]
        return Matrix([*rows, [0, 0, 0, 1]])

    def jacobian(self, frame: str) -> Matrix:
        """Twists of a frame along each speed, as columns."""
        n = len(self.w)
        units = [[int(i == j) for i in range(n)] for j in range(n)]
        columns = [self._twist(frame, self._joint_speeds(unit)) for unit in units]
        return Matrix([[column[i] for column in columns] for i in range(6)])

    def twist(self, frame: str) -> list[Expr]:
        """ω and ṗ of a frame along w."""
        return self._twist(frame, self._joint_speeds(self.w))

    def twist_rate(self, frame: str) -> list[Expr]:
        """d/dt of the twist along v, at v̇ = 0 and on a base at rest."""
        robot = self.whole.robot
        v = Vector(robot.v)
        rates = dict(zip(robot.q, robot.kinematic_map @ v, strict=True))
        d = self._motion.displacement(frame, self._joint_speeds(v))
        twist = self._motion.insert([*d.angular, *d.linear])
        return list(replace_in(Vector(directional(twist, rates)), self._steps))

    def _twist(self, frame: str, speeds: tuple[Expr, ...]) -> list[Expr]:
        d = self._motion.displacement(frame, speeds)
        return self._out([*d.angular, *d.linear])

    def rates(self) -> list[Expr]:
        """q̇ along w."""
        robot = self.whole.robot
        rates = self._motion.rates(self._joint_speeds(self.w))
        return self._out([rates[x] for x in robot.q])

    @cached_property
    def mass(self) -> Expr:
        """Σ m"""
        return self._out([sum((b.inertia.mass for b in self.whole.robot.bodies), ZERO)])[0]

    @cached_property
    def mass_moment(self) -> Vector:
        """Σ m r, in the world frame."""
        return Vector(self._out(self._mass_moment))

    @cached_property
    def potential_energy(self) -> Expr:
        """U = −g·Σ m r"""
        return self._out([-(self.whole.robot.gravity @ self._mass_moment)])[0]

    @cached_property
    def _mass_moment(self) -> Vector:
        total = ZERO3
        for b in self.whole.robot.bodies:
            A, p = self._motion.pose(b.name)
            total = total + p * b.inertia.mass + A @ b.inertia.first_moment
        return total

    @cached_property
    def input_force(self) -> list[Expr]:
        """Sum of the forces of all actuators, at w in place of the inputs."""
        eom = self.whole
        total = Vector([ZERO] * len(eom.v))
        for element in eom.robot.forces:
            if element.inputs():
                total = total + eom.forces[element.name]
        given = dict(zip(eom.inputs, self.inputs, strict=True))
        return list(replace_in(Vector(substitute(list(total), given)), self._steps))

    @property
    def inputs(self) -> Vector:
        """Virtual inputs, in place of the inputs."""
        return Vector([internal("virtual input", x.name) for x in self.whole.inputs])

    def _joint_speeds(self, w: Sequence[Expr] | Sequence[int] | Vector) -> tuple[Expr, ...]:
        """u = W w"""
        return tuple(self._speeds.W @ Vector(w))

    def _out(self, entries: Sequence[Expr] | Vector) -> list[Expr]:
        """In the speeds and coordinates of the equations, with their symbols replaced."""
        return list(replace_in(Vector(self._motion.insert(list(entries))), self._steps))
