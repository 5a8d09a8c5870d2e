"""A and Ȧ u of loops and sticking contacts from joint axes, without differentiating φ.

Everything is in the frame of `to` (the world for contacts), which is treated as fixed. Along the path
from `to` to `body` through their nearest common ancestor, joint j with the axes S_j adds

    (1) ω_j = ± A_j S_ω ,   v_j = ± (A_j S_v + A_j S_ω × (p − r_j))

to the motion of `body` and of its point p, per unit of its speed; minus, if the path runs from a body to
its parent. Every equation is a combination of ω and ṗ:

    (2) d:      ṗ                     (5) E = Eᵀ:   ½ (trace E − E) ω
    (3) z₂ × z₁ and z₁·z₂:  c·ż₁ = (z₁ × c)·ω       with a constant c
    (4) ½ d·d:  d·ṗ

Accelerations at u̇ = 0 follow the same path in the frames of the bodies, which takes fewer operations.
From parent p to child b, with P the origin of b in p, w = S_ω u and s = S_v u,

    (6) α_b = Aᵀ α_p + Ṡ_ω u + ω_b × w
    (7) a_b = Aᵀ (a_p + α_p × P + ω_p × (ω_p × P)) + Ṡ_v u + 2 ω_b × s − w × s

and from child to parent by the same equations, solved for the parent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.count import count
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import ZERO3, Vector, dot
from ...robot.model.body import WORLD, Body
from ...robot.model.closure import perpendicular
from ...robot.model.contact import STICK, Contact
from ...robot.model.loop import TURNED, Loop
from ...robot.model.robot import Robot
from ...robot.spatial.acceleration import Acceleration
from ...robot.spatial.motion import Motion


def constraint_matrix(robot: Robot) -> Matrix:
    """A of all rows of a robot, from the joint axes; velocity constraints as the user wrote them.

    >>> from equamo.robot.model import Body, contact, revolute
    >>> bar = Body("bar", revolute("q"), mass="m")
    >>> held = Robot("bar", [bar], contacts=[contact("end", "bar", "L 0 0")], mode={"end": "stick"})
    >>> constraint_matrix(held)
    Matrix([[-L*sin(q)],
            [L*cos(q)],
            [0]])
    """
    rows = [row for path in _paths(robot) for row in path.matrix()]
    rows += [list(r.A) for r in robot.rows[len(rows) :]]
    A = Matrix(rows, [r.name for r in robot.rows], [u.name for u in robot.joint_speeds])
    return A.subs(robot.eliminated)


def constraint_bias(robot: Robot) -> Vector:
    """Ȧ u of all rows of a robot: the second derivatives of the equations at u̇ = 0.

    Without chosen speeds u are the speeds of the robot.
    """
    entries = [e for path in _paths(robot) for e in path.bias()]
    others = robot.rows[len(entries) :]
    entries = substitute(entries, robot.eliminated)
    if others:
        u = robot.joint_speeds
        rates = _coordinate_rates(robot)
        entries += directional([dot(r.A, u) for r in others], rates)
    return Vector(entries, [r.name for r in robot.rows])


def _coordinate_rates(robot: Robot) -> dict[Expr, Expr]:
    """q̇ = N u of the remaining coordinates."""
    follow = robot.eliminated
    pairs = [(q, r) for b in robot.bodies for q, r in zip(b.joint.q, b.joint.q_dot, strict=True)]
    kept = [(q, r) for q, r in pairs if q.name not in follow]
    rates = substitute([r for _, r in kept], follow)
    return {q: r for (q, _), r in zip(kept, rates, strict=True)}


def _paths(robot: Robot) -> Iterator[Path]:
    for loop in robot.loops:
        yield Path(robot, loop)
    for c in robot.contacts:
        if robot.mode[c.name] == STICK:
            yield Path(robot, c)


@final
@dataclass(frozen=True, slots=True)
class Step:
    """Joint of `child` on the path, with the rotation and the origin of the child."""

    child: Body
    sign: int  # +1 from parent to child, −1 from child to parent
    A: Matrix  # of the child
    r: Vector
    e: Vector  # from the origin of the parent to that of the child
    after: tuple[Matrix, Vector]  # rotation and origin of the frame to which it leads


def _steps(way: list[tuple[Body, int]], forward: bool) -> list[Step]:
    """Steps from a frame, along the path or against it."""
    A, r = identity(3), ZERO3
    steps: list[Step] = []
    for b, sign in way:
        child = A, r
        if (sign > 0) == forward:  # from the parent to the child
            e = A @ b.joint.position
            A, r = A @ b.joint.rotation, r + e
            child = A, r
        else:
            A = A @ b.joint.rotation.T
            e = A @ b.joint.position
            r = r - e
        steps.append(Step(b, sign, *child, e, (A, r)))
    return steps


@final
class Path:
    """Joints between the two sides of a loop, or between the world and a contact.

    With `frame`, a body on the path, components are in its frame instead of that of `to`; then only
    `point_rows` is meaningful. Derivatives are still relative to `to`.
    """

    robot: Robot
    closed: Loop | Contact

    def __init__(self, robot: Robot, closed: Loop | Contact, frame: str | None = None) -> None:
        self.robot, self.closed = robot, closed
        to = closed.to if isinstance(closed, Loop) else WORLD
        down, up = robot.path(closed.body), robot.path(to)
        n = 0
        while n < min(len(up), len(down)) and up[n] is down[n]:
            n += 1
        # From `to` to the common ancestor, and on to `body`.
        way = [*((b, -1) for b in reversed(up[n:])), *((b, 1) for b in down[n:])]
        self.frames: list[str] = [to, *(b.parent if sign < 0 else b.name for b, sign in way)]
        start = 0 if frame is None else self.frames.index(frame)
        ahead = _steps(way[start:], forward=True)
        behind = _steps(list(reversed(way[:start])), forward=False)
        self.steps: list[Step] = [*reversed(behind), *ahead]
        A, r = ahead[-1].after if ahead else (identity(3), ZERO3)
        self.A = A  # of `body`
        self.p: Vector = r + A @ closed.at

    def point_rows(self) -> tuple[list[list[Expr]], list[Expr]]:
        """Rows of A of the three components of ṗ, and those of p̈ at u̇ = 0.

        p̈ comes from the recursion in the frames of the bodies or from that in one frame, whichever has
        fewer operations.
        """
        rows = [[ZERO] * len(self.robot.joint_speeds) for _ in range(3)]
        for j, _, v in self._columns():
            for i in range(3):
                rows[i][j] = v[i]
        flat = [e for row in rows for e in row]
        ways = list(self._point_acceleration), list(self._acceleration_in_one_frame())
        return rows, min(ways, key=lambda p: count([*flat, *p]).instructions)

    def _columns(self) -> Iterator[tuple[int, Vector, Vector]]:
        """(position of the speed, ω, ṗ) of each joint speed on the path: (1)"""
        for step in self.steps:
            for j, S in zip(self.robot.columns(step.child), step.child.subspace, strict=True):
                w = step.A @ S.angular
                v = step.A @ S.linear + w.cross(self.p - step.r)
                yield (j, w, v) if step.sign > 0 else (j, -w, -v)

    # -- equations (2) to (5) as combinations of ω and ṗ -----------------------------------------------
    @cached_property
    def directions(self) -> list[tuple[Vector | None, Vector | None]]:
        """Constant directions c of each row: ½ d·d has none, d has c·d, axes have c·z₁."""
        x, y, z = identity(3).rows
        if isinstance(self.closed, Contact):
            normal = self.closed.normal
            vertical = tuple(c.value for c in normal) == (0, 0, 1)
            along = map(Vector, (x, y, z)) if vertical else (*perpendicular(normal), normal)
            return [(c, None) for c in along]
        joint, z2 = self.closed.joint, self.closed.to_axis
        x2, y2 = perpendicular(z2)
        points = {
            "planar": [z2], "cylindrical": [x2, y2], "prismatic": [x2, y2], "distance": [],
        }.get(joint, [Vector(x), Vector(y), Vector(z)])  # fmt: skip
        axes = {"universal": [z2], "spherical": [], "fixed": [], "prismatic": [], "distance": []}
        return [*((c, None) for c in points), *((None, c) for c in axes.get(joint, [-y2, x2]))]

    @cached_property
    def z1(self) -> Vector:
        """Axis of the loop on `body`."""
        assert isinstance(self.closed, Loop)
        return self.A @ self.closed.axis

    @cached_property
    def _turning(self) -> Matrix:
        """½ (trace E − E), with E = A A₀ᵀ"""
        E = self._E
        trace = E[0, 0] + E[1, 1] + E[2, 2]
        return (identity(3) * trace - E) * Fraction(1, 2)

    @cached_property
    def _E(self) -> Matrix:
        assert isinstance(self.closed, Loop)
        turned = self.closed.rotation
        return self.A if turned is None else self.A @ turned.T

    @property
    def _is_distance(self) -> bool:
        return isinstance(self.closed, Loop) and self.closed.joint == "distance"

    @property
    def _is_turned(self) -> bool:
        return isinstance(self.closed, Loop) and self.closed.joint in TURNED

    @cached_property
    def _levers(self) -> list[Vector | None]:
        """z₁ × c of the rows (3)."""
        return [None if c is None else self.z1.cross(c) for _, c in self.directions]

    def _rate(self, w: Vector, v: Vector) -> Iterator[Expr]:
        """Rates (2) to (5) of all rows at ω and ṗ."""
        if self._is_distance:
            assert isinstance(self.closed, Loop)
            yield (self.p - self.closed.to_at) @ v  # (4)
            return
        for (c, _), lever in zip(self.directions, self._levers, strict=True):
            if c is not None:
                yield c @ v  # (2)
            elif lever is not None:
                yield lever @ w  # (3)
        if self._is_turned:
            yield from self._turning @ w  # (5)

    def matrix(self) -> Iterator[list[Expr]]:
        """Rows of A."""
        columns = {j: list(self._rate(w, v)) for j, w, v in self._columns()}
        count = len(next(iter(columns.values()))) if columns else len(self.closed.row_names)
        n = range(len(self.robot.joint_speeds))
        return ([columns[j][i] if j in columns else ZERO for j in n] for i in range(count))

    # -- accelerations ---------------------------------------------------------------------------------
    @cached_property
    def motion(self) -> tuple[Motion, Acceleration]:
        """Motion of `body` relative to `to` and its derivative at u̇ = 0, in the frame of `body`."""
        to = self.closed.to if isinstance(self.closed, Loop) else WORLD
        frame = self.robot.spatial_frame(to)
        V, a = Motion.zero(frame), Acceleration.zero(frame)
        for step in self.steps:
            b, X = step.child, self.robot.joint_pose(step.child)
            own = b.relative_velocity
            if step.sign > 0:
                a = a.moved(X.inverse, V)
                V = X.inverse @ V + own
                a = a + (b.bias_acceleration + Acceleration.coriolis(V, own))  # (6), (7)
            else:  # the same, solved for the parent
                a = a - (b.bias_acceleration + Acceleration.coriolis(V, own))
                V = V - own
                a, V = a.moved(X, V), X @ V
        return V, a

    @cached_property
    def _point_acceleration(self) -> Vector:
        """p̈ at u̇ = 0"""
        V, a = self.motion
        return self.A @ a.at(self.closed.at, V)

    def _acceleration_in_one_frame(self) -> Vector:
        """p̈ at u̇ = 0, with (6) and (7) in the components of `steps`"""
        w = alpha = a = ZERO3
        for step in self.steps:
            own, bias = step.child.relative_velocity, step.child.bias_acceleration
            turn, slide = step.A @ own.angular, step.A @ own.linear
            if step.sign < 0:
                w = w - turn
                alpha = alpha - (w.cross(turn) + step.A @ bias.angular)
            # ω and α of the parent
            da = alpha.cross(step.e) + w.cross(w.cross(step.e) + slide * 2) + turn.cross(slide)
            da = da + step.A @ bias.linear
            if step.sign < 0:
                a = a - da
                continue
            a = a + da
            alpha = alpha + w.cross(turn) + step.A @ bias.angular
            w = w + turn
        arm = self.A @ self.closed.at
        return a + alpha.cross(arm) + w.cross(w.cross(arm))

    def bias(self) -> Iterator[Expr]:
        """Second derivatives of all rows at u̇ = 0."""
        (V, a), p = self.motion, self._point_acceleration
        if self._is_distance:
            v = V.at(self.closed.at)
            yield next(self._rate(ZERO3, p)) + v @ v  # d·p̈ + ṗ·ṗ
            return
        z = ZERO3
        if any(c is not None for _, c in self.directions):
            assert isinstance(self.closed, Loop)
            e, w = self.closed.axis, V.angular
            z = self.A @ (a.angular.cross(e) + w.cross(w.cross(e)))  # z̈₁
        for c, axis in self.directions:
            if c is not None:
                yield c @ p
            elif axis is not None:
                yield axis @ z
        if self._is_turned:
            # Ë = (α× + ω× ω×) E ; the skew part of ω×ω× E is that of ω (Eᵀω)ᵀ − ω·ω E
            E, w, alpha = self._E, self.A @ V.angular, self.A @ a.angular
            u = E.T @ w
            skew = Vector([E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]])
            yield from self._turning @ alpha + (u.cross(w) - skew * (w @ w)) / 2
