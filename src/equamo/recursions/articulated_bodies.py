"""Forward dynamics by articulated bodies (Featherstone 1983; [RBDA] table 7.1), O(n).

An articulated inertia is kept in blocks about the origin of its body, angular first:

    n = J α + H a + p_n        J, M symmetric; of one rigid body H = MS~ and M = m 1
    f = Hᵀ α + M a + p_f

α and a are what v̇ adds to the accelerations that the bodies have at v̇ = 0 under gravity, and p is what
they take for those: so no velocity enters but in p, which the recursion of Newton and Euler gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from ..expr import ZERO, Expr
from ..expr.matrix import Matrix, identity, mirrored, skew
from ..expr.vector import ZERO3, Vector
from ..kinematics.force_projection import rotor_inertia
from ..model.body import WORLD, Body
from ..model.force import ForceElement
from ..model.robot import Robot
from .accumulate import minus_dot, plus_cross, plus_dot
from .factorisation import Factors, ltdl
from .newton_euler import body_wrenches, loads_of
from .symmetric import rotate, rotate_any


@final
@dataclass(frozen=True)
class ArticulatedInertia:
    """J, H, M and the bias (p_n, p_f)."""

    J: Matrix
    H: Matrix
    M: Matrix
    n: Vector
    f: Vector

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(
            self.J + other.J, self.H + other.H, self.M + other.M, self.n + other.n, self.f + other.f
        )

    def momentum(self, w: Vector, v: Vector) -> tuple[Vector, Vector]:
        """(J w + H v, Hᵀ w + M v)"""
        return self.J @ w + self.H @ v, self.H.T @ w + self.M @ v

    def moved(self, A: Matrix, P: Vector) -> ArticulatedInertia:
        """About the origin and axes of a frame in which the body has rotation A, origin P."""
        J, H, M = rotate(A, self.J), rotate_any(A, self.H), rotate(A, self.M)
        f = A @ self.f
        n = plus_cross(A @ self.n, P, f)
        if not P.is_zero:
            # H' = H + P~ M ,  J' = J + P~ Hᵀ − H' P~
            X = skew(P)
            shifted = Matrix(
                [[plus_dot(H[r, k], X.rows[r], M.rows[k]) for k in range(3)] for r in range(3)]
            )
            columns = X.T.rows
            J = mirrored([
                [minus_dot(plus_dot(J[r, k], X.rows[r], H.rows[k]), shifted.rows[r], columns[k])
                 for k in range(3)] for r in range(3)
            ])  # fmt: skip
            H = shifted
        return ArticulatedInertia(J, H, M, n, f)


def forward_dynamics(
    robot: Robot,
    v: Sequence[Expr],
    tau: Sequence[Expr],
    gravity: Vector,
    helped_by: Sequence[ForceElement] = (),
) -> Vector:
    """v̇ under the generalized forces tau and the force elements in `helped_by`."""
    nothing = [ZERO] * len(robot.v)
    direct, wrenches = loads_of(robot, helped_by)
    inertia: dict[str, ArticulatedInertia] = {}
    for j, (f, n) in body_wrenches(robot, v, nothing, gravity).items():
        I = robot.body(j).inertia
        f_j, n_j = wrenches.get(j, (ZERO3, ZERO3))
        inertia[j] = ArticulatedInertia(
            I.tensor, skew(I.first_moment), identity(3) * I.mass, n - n_j, f - f_j
        )
    U: dict[str, list[tuple[Vector, Vector]]] = {}
    scaled: dict[str, list[tuple[Vector, Vector]]] = {}
    x: dict[str, list[Expr]] = {}
    rotors = rotor_inertia(robot)
    for b in reversed(robot.bodies):  # tips to base
        I, own = inertia[b.name], robot.columns(b)
        # U = I S ,  D = Sᵀ U (with rotors) ,  u = τ − Sᵀ p
        U[b.name] = [I.momentum(s_w, s_v) for s_w, s_v in b.joint.columns]
        D = [[s_w @ n + s_v @ f for n, f in U[b.name]] for s_w, s_v in b.joint.columns]
        for k, j in enumerate(own):
            D[k][k] = D[k][k] + rotors[j]
        factors = ltdl(Matrix(D)) if D else Factors({}, (), ())
        u = [
            tau[j] + direct[j] - s_w @ I.n - s_v @ I.f
            for (s_w, s_v), j in zip(b.joint.columns, own, strict=True)
        ]
        # x = D⁻¹ u and the rows of D⁻¹ Uᵀ
        x[b.name] = factors.solve(u)
        scaled[b.name] = _rows(factors, U[b.name])
        if b.parent != WORLD:
            free = all(rotors[j] is ZERO for j in own)
            handed = _handed_on(b, I, U[b.name], scaled[b.name], u, free)
            A, P = b.joint.rotation, b.joint.position
            inertia[b.parent] = inertia[b.parent] + handed.moved(A, P)
    alpha: dict[str, Vector] = {WORLD: ZERO3}
    a: dict[str, Vector] = {WORLD: ZERO3}
    vdot = list(nothing)
    for b in robot.bodies:  # base to tips
        A, P, i, j = b.joint.rotation.T, b.joint.position, b.parent, b.name
        # (α', a') = X (α_i, a_i) ,  v̇ = D⁻¹ (u − Uᵀ (α', a')) ,  (α, a) = (α', a') + S v̇
        alpha[j] = A @ alpha[i]
        a[j] = A @ plus_cross(a[i], alpha[i], P)
        own = [
            minus_dot(minus_dot(y, n, alpha[j]), f, a[j])
            for y, (n, f) in zip(x[j], scaled[j], strict=True)
        ]
        for k, y in zip(robot.columns(b), own, strict=True):
            vdot[k] = y
        for (s_w, s_v), y in zip(b.joint.columns, own, strict=True):
            alpha[j] = alpha[j] + s_w * y
            a[j] = a[j] + s_v * y
    return Vector(vdot)


def _rows(factors: Factors, U: list[tuple[Vector, Vector]]) -> list[tuple[Vector, Vector]]:
    """D⁻¹ Uᵀ, row by row."""
    solved = [factors.solve([n_f[part][r] for n_f in U]) for part in (0, 1) for r in range(3)]
    rows = list(zip(*solved, strict=True))
    return [(Vector(row[:3]), Vector(row[3:])) for row in rows]


def _handed_on(
    b: Body,
    I: ArticulatedInertia,
    U: list[tuple[Vector, Vector]],
    scaled: list[tuple[Vector, Vector]],
    u: list[Expr],
    free: bool,
) -> ArticulatedInertia:
    """What the parent feels through the joint: I_a = I − U D⁻¹ Uᵀ, p_a = p + U D⁻¹ u."""
    J, H, M = ([list(r) for r in x.rows] for x in (I.J, I.H, I.M))
    p_n, p_f = I.n, I.f
    for (n, f), (s_n, s_f), y in zip(U, scaled, u, strict=True):
        p_n, p_f = p_n + s_n * y, p_f + s_f * y
        for r in range(3):
            for k in range(3):
                H[r][k] = H[r][k] - n[r] * s_f[k]
                if k >= r:
                    J[r][k] = J[r][k] - n[r] * s_n[k]
                    M[r][k] = M[r][k] - f[r] * s_f[k]
    if free:
        _clear(b, J, H, M)
    return ArticulatedInertia(mirrored(J), Matrix(H), mirrored(M), p_n, p_f)


def _clear(b: Body, J: list[list[Expr]], H: list[list[Expr]], M: list[list[Expr]]) -> None:
    """Along an axis in which the joint moves freely nothing is felt: those rows are exactly zero."""
    for s_w, s_v in b.joint.columns:
        for r in range(3):
            if s_w[r].value in (1, -1) and sum(x is not ZERO for x in (*s_w, *s_v)) == 1:
                for k in range(3):
                    J[min(r, k)][max(r, k)] = H[r][k] = ZERO
            if s_v[r].value in (1, -1) and sum(x is not ZERO for x in (*s_w, *s_v)) == 1:
                for k in range(3):
                    M[min(r, k)][max(r, k)] = H[k][r] = ZERO
