"""Frame: kinematics of any frame of the robot, and of any point on it.

Every method takes `point` (in the frame itself; "com" is the body's centre of mass), `expressed_in`
(the frame of the components, by default the world) and `relative_to` (what it moves relative to).
Six-vectors are angular first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, final

from ..errors import UnknownNameError
from ..expr.differentiate import directional
from ..expr.matrix import Matrix
from ..expr.vector import ZERO3, Vector, vector3
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.poses import homogeneous, transform
from ..kinematics.velocities import (
    Columns,
    Motion,
    accelerations,
    column_or_zero,
    partial_velocities,
)
from ..model.body import WORLD
from ..model.robot import Robot
from ..renamed import renamed
from .replaced import replace_in

T = TypeVar("T", Vector, Matrix)

SIX = ("wx", "wy", "wz", "vx", "vy", "vz")


@final
class Frame:
    """A frame of the robot: of a body, or the world.

    >>> from equamo.robots import load
    >>> Frame(load("rr_arm"), "fore").position()[0].closed_form()
    L1*cos(q1)
    """

    def __init__(
        self, robot: Robot, name: str, replaced: tuple[Mapping[Any, Any], ...] = ()
    ) -> None:
        frames = [WORLD, *(b.name for b in robot.bodies)]
        if name not in frames:
            raise UnknownNameError("frame", name, frames, f"robot {robot.name!r}")
        self.robot, self.name = robot, name
        self._tree, self._speeds, self._replaced = robot.tree, ChosenSpeeds(robot), replaced
        self._motion: Motion | None = None
        self._columns: tuple[dict[str, Columns], dict[str, Columns]] | None = None

    # -- pose ------------------------------------------------------------------------------------------
    def rotation(self, relative_to: str = WORLD) -> Matrix:
        """A: components in this frame to components in `relative_to` (document 000, Rot)."""
        return self._out(self._transform(relative_to)[0].map(self._speeds.insert))

    @renamed(point="at")
    def position(
        self, at: Any = None, expressed_in: str | None = None, relative_to: str = WORLD
    ) -> Vector:
        """From the origin of `relative_to` to the point `at`; components there unless said."""
        A, p = self._transform(relative_to)
        r = self._turn(p + A @ self._point(at), relative_to, expressed_in or relative_to)
        return self._out(r.map(self._speeds.insert))

    def transform(self, relative_to: str = WORLD) -> Matrix:
        """The 4×4 matrix of this frame in `relative_to` (document 000, Tf)."""
        return self._out(homogeneous(*self._transform(relative_to)).map(self._speeds.insert))

    # -- velocity --------------------------------------------------------------------------------------
    @renamed(point="at")
    def velocity(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Vector:
        """Angular, then linear velocity of the point `at`."""
        w, v = self._velocity(self._point(at), relative_to)
        return self._out(self._six(w, v, expressed_in))

    def angular_velocity(self, expressed_in: str = WORLD, relative_to: str = WORLD) -> Vector:
        return self.velocity(None, expressed_in, relative_to)[:3]

    @renamed(point="at")
    def linear_velocity(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Vector:
        return self.velocity(at, expressed_in, relative_to)[3:]

    # -- acceleration ----------------------------------------------------------------------------------
    @renamed(point="at")
    def acceleration(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Vector:
        """Angular, then linear acceleration of the point `at`, in v̇, v and q."""
        m, r = self._moving(), self._point(at)
        w, alpha = m.w[self.name], m.alpha[self.name]
        a = m.a[self.name] + alpha.cross(r) + w.cross(w.cross(r))
        if relative_to != WORLD:
            A, p = transform(self._tree, relative_to, self.name)  # the other frame, seen from here
            w_R, alpha_R, a_R = (A @ x[relative_to] for x in (m.w, m.alpha, m.a))
            w_rel, v_rel = self._velocity(r, relative_to)
            d = r - p
            a = a - a_R - alpha_R.cross(d) - w_R.cross(w_R.cross(d)) - w_R.cross(v_rel) * 2
            alpha = alpha - alpha_R - w_R.cross(w_rel)
        return self._out(self._six(alpha, a, expressed_in))

    def angular_acceleration(self, expressed_in: str = WORLD, relative_to: str = WORLD) -> Vector:
        return self.acceleration(None, expressed_in, relative_to)[:3]

    @renamed(point="at")
    def linear_acceleration(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Vector:
        return self.acceleration(at, expressed_in, relative_to)[3:]

    # -- Jacobians -------------------------------------------------------------------------------------
    @renamed(point="at")
    def jacobian(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Matrix:
        """J, 6×n, angular first: velocity = J v (plus the motion of a moving base)."""
        return self._out(self._jacobian(self._point(at), expressed_in, relative_to))

    def _jacobian(self, r: Vector, expressed_in: str, relative_to: str) -> Matrix:
        w, v = self._partials()
        A_R, p_R = transform(self._tree, relative_to, self.name)
        columns: list[Vector] = []
        for j in range(len(self._tree.v)):
            w_j, v_j = column_or_zero(w[self.name], j), column_or_zero(v[self.name], j)
            v_j = v_j + w_j.cross(r)
            if relative_to != WORLD:
                w_R = A_R @ column_or_zero(w[relative_to], j)
                v_R = A_R @ column_or_zero(v[relative_to], j)
                w_j, v_j = w_j - w_R, v_j - v_R - w_R.cross(r - p_R)
            columns.append(self._six(w_j, v_j, expressed_in))
        rows = [[c[i] for c in columns] for i in range(6)]
        J = Matrix(rows) if self._speeds.trivial else Matrix(rows) @ self._speeds.W
        return Matrix(J.rows, SIX, [x.name for x in self.robot.v])

    def angular_jacobian(self, expressed_in: str = WORLD, relative_to: str = WORLD) -> Matrix:
        return self.jacobian(None, expressed_in, relative_to)[0:3, :]

    @renamed(point="at")
    def linear_jacobian(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Matrix:
        return self.jacobian(at, expressed_in, relative_to)[3:6, :]

    @renamed(point="at")
    def jacobian_dot(
        self, at: Any = None, expressed_in: str = WORLD, relative_to: str = WORLD
    ) -> Matrix:
        """d/dt of the entries of J."""
        q_dot = self.robot.kinematic_map @ Vector(self.robot.v)
        seeds = dict(zip(self.robot.q, q_dot, strict=True))
        J = self._jacobian(self._point(at), expressed_in, relative_to)
        return self._out(J.map(lambda entries: directional(entries, seeds)))

    def _out(self, x: T) -> T:
        return replace_in(x, self._replaced)

    # -- the machinery ---------------------------------------------------------------------------------
    def _point(self, point: Any) -> Vector:
        if point is None:
            return ZERO3
        if isinstance(point, str) and point == "com":
            return ZERO3 if self.name == WORLD else self.robot.body(self.name).inertia.center
        return vector3(point)

    def _moving(self) -> Motion:
        if self._motion is None:
            self._motion = accelerations(self._tree, self._tree.vdot)
        return self._motion

    def _partials(self) -> tuple[dict[str, Columns], dict[str, Columns]]:
        if self._columns is None:
            self._columns = partial_velocities(self._tree)
        return self._columns

    def _velocity(self, r: Vector, relative_to: str) -> tuple[Vector, Vector]:
        """(ω, v) of the point r, components in this frame."""
        m = self._moving()
        w = m.w[self.name]
        v = m.v[self.name] + w.cross(r)
        if relative_to == WORLD:
            return w, v
        A, p = transform(self._tree, relative_to, self.name)
        w_R, v_R = A @ m.w[relative_to], A @ m.v[relative_to]
        return w - w_R, v - v_R - w_R.cross(r - p)

    def _turn(self, x: Vector, source: str, target: str) -> Vector:
        return x if source == target else transform(self._tree, source, target)[0] @ x

    def _six(self, w: Vector, v: Vector, expressed_in: str) -> Vector:
        turned = [self._turn(x, self.name, expressed_in) for x in (w, v)]
        return Vector(self._speeds.insert([*turned[0], *turned[1]]), SIX)

    def _transform(self, relative_to: str) -> tuple[Matrix, Vector]:
        return transform(self._tree, self.name, relative_to)
