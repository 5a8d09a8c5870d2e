"""Frame: kinematics of any frame of the robot, and of any point on it.

The methods have three arguments in common: `at`, a point in the frame itself (default: the origin;
"com": the body's centre of mass), `expressed_in`, the frame of the components (default: the world), and
`relative_to`, the frame relative to which it moves (default: the world). Six-vectors are angular first.

In components of this frame, with the pose X and the velocity V_R of the reference R,

    (1) V_rel = V − X V_R
    (2) α_rel = α − α_R − ω_R × ω_rel
        a_rel = a − a_R − 2 ω_R × v_rel        at the point, where R has the acceleration a_R
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar, final

from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import ZERO3, Vector, vector3
from ...basics.arguments import is_one_of
from ...basics.renamed import renamed
from ...errors import UnknownNameError
from ...robot.model.body import WORLD
from ...robot.model.robot import Robot
from ...robot.spatial.motion import Motion
from ...robot.spatial.pose import Pose
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.poses import transform
from ..kinematics.velocities import (
    BodyMotions,
    PartialVelocities,
    accelerations,
    partial_velocities,
)
from .replaced import replace_in

T = TypeVar("T", Vector, Matrix)

SIX = ("wx", "wy", "wz", "vx", "vy", "vz")


@final
class Frame:
    """A frame of the robot: of a body, or the world.

    >>> from equamo.robot.library import load
    >>> Frame(load("rr_arm"), "fore").position()[0].closed_form()
    L1*cos(q1)
    """

    robot: Robot  # robot that the frame belongs to
    name: str  # name of its body, or "world"

    def __init__(
        self, robot: Robot, name: str, replaced: tuple[Mapping[Any, Any], ...] = ()
    ) -> None:
        frames = [WORLD, *(b.name for b in robot.bodies)]
        if not is_one_of(name, frames):
            raise UnknownNameError("frame", name, frames, f"robot {robot.name!r}")
        self.robot, self.name = robot, name
        self._tree, self._speeds, self._replaced = robot.tree, ChosenSpeeds(robot), replaced
        self._rotations: dict[str, Matrix] = {}

    # -- pose ------------------------------------------------------------------------------------------
    def rotation(self, relative_to: str = WORLD) -> Matrix:
        """Rotation A: components in this frame to those in `relative_to` (document 000, Rot)."""
        return self._out(self._pose(relative_to).rotation.map(self._speeds.insert))

    @renamed(point="at")
    def position(
        self, at: Any = None, expressed_in: str | None = None, relative_to: str = WORLD
    ) -> Vector:
        """Position of a point, from the origin of `relative_to`.

        Args:
            at: Point in this frame, or "com"; default: the origin.
            expressed_in: Frame of the components; default: `relative_to`.
            relative_to: Frame from whose origin the position is measured.

        Returns:
            Three components [m].
        """
        r = self._pose(relative_to).point(self._point(at))
        if expressed_in is not None and not is_one_of(expressed_in, (relative_to,)):
            r = transform(self._tree, relative_to, expressed_in).rotation @ r
        return self._out(r.map(self._speeds.insert))

    def transform(self, relative_to: str = WORLD) -> Matrix:
        """Homogeneous 4×4 matrix of this frame in `relative_to` (document 000, Tf)."""
        return self._out(self._pose(relative_to).homogeneous().map(self._speeds.insert))

    # -- velocity --------------------------------------------------------------------------------------
    @renamed(point="at")
    def velocity(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Vector:
        """Angular velocity, then linear velocity of a point.

        Args:
            at: Point in this frame, or "com"; default: the origin.
            expressed_in: Frame of the components.
            relative_to: Frame relative to which the point moves.

        Returns:
            Six components, angular first [rad/s, m/s].
        """
        V = self._relative(self._motion.velocity, relative_to)
        return self._out(self._six(V.angular, V.at(self._point(at)), expressed_in))

    def angular_velocity(self, expressed_in: str = WORLD, relative_to: str = WORLD) -> Vector:
        """Angular velocity."""
        return self.velocity(None, expressed_in, relative_to)[:3]

    @renamed(point="at")
    def linear_velocity(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Vector:
        """Velocity of the point `at`."""
        return self.velocity(at, expressed_in, relative_to)[3:]

    # -- acceleration ----------------------------------------------------------------------------------
    @renamed(point="at")
    def acceleration(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Vector:
        """Angular acceleration, then acceleration of a point, in v̇, v and q.

        Args:
            at: Point in this frame, or "com"; default: the origin.
            expressed_in: Frame of the components.
            relative_to: Frame relative to which the point moves.

        Returns:
            Six components, angular first [rad/s², m/s²].
        """
        motion, r = self._motion, self._point(at)
        V, A = motion.velocity[self.name], motion.acceleration[self.name]
        alpha, a = A.angular, A.at(r, V)
        if not is_one_of(relative_to, (WORLD,)):
            X = transform(self._tree, relative_to, self.name)
            V_R, A_R = motion.velocity[relative_to], motion.acceleration[relative_to]
            A_R, V_R = (
                A_R.moved(X, V_R),
                X @ V_R,
            )  # of R, at the origin and in components of this frame
            V_rel, w_R = V - V_R, V_R.angular  # (1)
            alpha = alpha - A_R.angular - w_R.cross(V_rel.angular)  # (2)
            a = a - A_R.at(r, V_R) - w_R.cross(V_rel.at(r)) * 2
        return self._out(self._six(alpha, a, expressed_in))

    def angular_acceleration(self, expressed_in: str = WORLD, relative_to: str = WORLD) -> Vector:
        """Angular acceleration."""
        return self.acceleration(None, expressed_in, relative_to)[:3]

    @renamed(point="at")
    def linear_acceleration(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Vector:
        """Acceleration of the point `at`."""
        return self.acceleration(at, expressed_in, relative_to)[3:]

    # -- Jacobians -------------------------------------------------------------------------------------
    @renamed(point="at")
    def jacobian(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Matrix:
        """Jacobian J with velocity = J v (plus the motion of a moving base).

        Args:
            at: Point in this frame, or "com"; default: the origin.
            expressed_in: Frame of the components.
            relative_to: Frame relative to which the point moves.

        Returns:
            6×n matrix, angular rows first.
        """
        return self._out(self._jacobian(self._point(at), expressed_in, relative_to))

    def _jacobian(self, r: Vector, expressed_in: str, relative_to: str) -> Matrix:
        partial = self._partial_velocities
        both = (self.name, relative_to)
        rest = {n: Motion.zero(self._tree.spatial_frame(n)) for n in both}
        columns: list[Vector] = []
        for j in range(len(self._tree.v)):
            V = self._relative({n: partial[n].get(j, rest[n]) for n in both}, relative_to)
            columns.append(self._six(V.angular, V.at(r), expressed_in))
        rows = [[c[i] for c in columns] for i in range(6)]
        J = Matrix(rows) if self._speeds.trivial else Matrix(rows) @ self._speeds.W
        return Matrix(J.rows, SIX, [x.name for x in self.robot.v])

    def angular_jacobian(self, expressed_in: str = WORLD, relative_to: str = WORLD) -> Matrix:
        """Rows of J that give the angular velocity, 3×n."""
        return self.jacobian(None, expressed_in, relative_to)[0:3, :]

    @renamed(point="at")
    def linear_jacobian(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Matrix:
        """Rows of J that give the velocity of the point `at`, 3×n."""
        return self.jacobian(at, expressed_in, relative_to)[3:6, :]

    @renamed(point="at")
    def jacobian_dot(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Matrix:
        """Time derivative of J, entry by entry."""
        q_dot = self.robot.kinematic_map @ Vector(self.robot.v)
        seeds = dict(zip(self.robot.q, q_dot, strict=True))
        J = self._jacobian(self._point(at), expressed_in, relative_to)
        return self._out(J.map(lambda entries: directional(entries, seeds)))

    def _out(self, x: T) -> T:
        return replace_in(x, self._replaced)

    # -- internal --------------------------------------------------------------------------------------
    def _point(self, point: Any) -> Vector:
        if point is None:
            return ZERO3
        if isinstance(point, str) and point == "com":
            return ZERO3 if self.name == WORLD else self.robot.body(self.name).inertia.center
        return vector3(point)

    @cached_property
    def _motion(self) -> BodyMotions:
        return accelerations(self._tree, self._tree.vdot)

    @cached_property
    def _partial_velocities(self) -> dict[str, PartialVelocities]:
        return partial_velocities(self._tree)

    def _pose(self, relative_to: str) -> Pose:
        return transform(self._tree, self.name, relative_to)

    def _rotation(self, to: str) -> Matrix:
        """Rotation from this frame to another; kept, since a Jacobian needs it once per speed."""
        self.robot.spatial_frame(to)  # an error unless it is the name of a frame
        if to not in self._rotations:
            self._rotations[to] = transform(self._tree, self.name, to).rotation
        return self._rotations[to]

    def _relative(self, V: Mapping[str, Motion], relative_to: str) -> Motion:
        """(1) of velocities, or of partial velocities"""
        own = V[self.name]
        if is_one_of(relative_to, (WORLD,)):  # velocities are those in the inertial frame already
            return own
        return own - transform(self._tree, relative_to, self.name) @ V[relative_to]

    def _six(self, angular: Vector, linear: Vector, expressed_in: str) -> Vector:
        if not is_one_of(expressed_in, (self.name,)):
            A = self._rotation(expressed_in)
            angular, linear = A @ angular, A @ linear
        return Vector(self._speeds.insert([*angular, *linear]), SIX)
