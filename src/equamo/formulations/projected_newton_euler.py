"""Projected Newton-Euler equations (document 002: proNEu, Hutter and Gehring 2012).

    (1.14) Σ J_Sᵀ ṗ + J_Rᵀ Ṅ_S − J_Sᵀ F − J_Rᵀ T = 0       (1.15) p = m ṙ_OS     (1.16) N_S = θ Ω
    (1.8)  Ω̃ = Ȧ Aᵀ      (1.10) J_S = ∂r_OS/∂q,  J_R = ∂Ω/∂q̇
    (1.24) M = Σ J_Sᵀ m J_S + J_Rᵀ θ J_R
    (1.25) b = Σ J_Sᵀ m J̇_S q̇ + J_Rᵀ (θ J̇_R q̇ + Ω × θ Ω)      (print forgets J_Rᵀ before Ω × θ Ω)
    (1.26) g = Σ −J_Sᵀ F_g

Everything in the inertial frame, velocities by differentiating rotations and positions. With q̇ = N v,
J q̇ becomes (J N) v and its derivative brings Ṅ.
"""

from __future__ import annotations

from ..expr import ZERO, Expr
from ..expr.differentiate import directional
from ..expr.matrix import Matrix, unskew
from ..expr.vector import Vector, dot
from ..model.robot import Robot
from .derivation import Derivation
from .kinematics import Columns
from .projection import Jacobians, generalized_force
from .transforms import Poses, poses


def projected_newton_euler(robot: Robot) -> Derivation:
    """M, bias, gravity and generalized forces by projection of impulse and angular momentum."""
    n = len(robot.v)
    pose = poses(robot)
    J = WorldJacobians(robot, pose)
    rates = dict(zip(robot.q, robot.kinematic_map @ Vector(robot.v), strict=True))
    rates |= robot.base.rates()
    w0, v0 = robot.base.w, robot.base.v

    def derivative(x: Vector) -> Vector:
        """Time derivative at v̇ = 0, of components in a frame 0 that turns with w0."""
        return x.map(lambda e: directional(e, rates)) + w0.cross(x)

    M: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    bias: list[Expr] = [ZERO] * n
    gravity: list[Expr] = [ZERO] * n
    for b in robot.bodies:
        if b.inertia.is_zero:
            continue
        A, m = pose.rotation[b.name], b.inertia.mass
        theta = A @ b.inertia.tensor_at_center @ A.T
        r_S = pose.position[b.name] + A @ b.inertia.center
        J_S, J_R = J.linear(b.name, b.inertia.center), J.angular(b.name)
        # (1.22) Ω = J_R q̇ and ṙ_OS = J_S q̇, plus what a moving base adds
        omega = _combine(J_R, robot.v) + w0
        r_dot = _combine(J_S, robot.v) + v0 + w0.cross(r_S)
        # (1.19) ṗ = m r̈_OS, (1.20) Ṅ_S = θ Ω̇ + Ω × θ Ω, at v̇ = 0
        p_dot = derivative(r_dot) * m
        N_dot = theta @ derivative(omega) + omega.cross(theta @ omega)
        F_g = robot.gravity * m
        for i in J_R:
            p_i, N_i = J_S[i] * m, theta @ J_R[i]
            for j in J_R:
                if j <= i:  # (1.24)
                    M[j][i] = M[j][i] + (J_S[j] @ p_i + J_R[j] @ N_i)
            bias[i] = bias[i] + (J_S[i] @ p_dot + J_R[i] @ N_dot)  # (1.25)
            gravity[i] = gravity[i] - J_S[i] @ F_g  # (1.26)
    for i in range(n):
        for j in range(i):
            M[i][j] = M[j][i]
    forces = {f.name: generalized_force(robot, f, J) for f in robot.forces}
    return Derivation(Matrix(M), Vector(bias), Vector(gravity), forces)


def _combine(columns: Columns, v: tuple[Expr, ...]) -> Vector:
    """Σ column_j v_j"""
    speeds = [v[j] for j in columns]
    return Vector(dot((column[c] for column in columns.values()), speeds) for c in range(3))


class WorldJacobians(Jacobians):
    """J_R and J_S in the inertial frame, by differentiation."""

    def __init__(self, robot: Robot, pose: Poses) -> None:
        self._robot, self._pose = robot, pose
        self._angular: dict[str, Columns] = {}

    def _by_speed(self, body: str, by_coordinate: dict[Expr, Vector]) -> Columns:
        """∂/∂v = ∂/∂q̇ N, joint by joint"""
        columns: Columns = {}
        for b in self._robot.path(body):
            N = b.joint.map()
            for c, j in enumerate(self._robot.columns(b)):
                total = Vector([0, 0, 0])
                for r, q in enumerate(b.joint.q):
                    total = total + by_coordinate[q] * N[r, c]
                columns[j] = total
        return columns

    def _coordinates(self, body: str) -> list[Expr]:
        return [q for b in self._robot.path(body) for q in b.joint.q]

    def angular(self, body: str) -> Columns:
        if body not in self._angular:
            A = self._pose.rotation[body]
            # (1.8) Ω̃ = Ȧ Aᵀ, (1.10) J_R = ∂Ω/∂q̇
            parts = {q: unskew(A.diff(q) @ A.T) for q in self._coordinates(body)}
            self._angular[body] = self._by_speed(body, parts)
        return self._angular[body]

    def linear(self, body: str, point: Vector) -> Columns:
        r = self._pose.position[body] + self._pose.rotation[body] @ point
        # (1.10) J_S = ∂r/∂q
        return self._by_speed(body, {q: r.diff(q) for q in self._coordinates(body)})

    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        return self._pose.rotation[frame] @ vector
