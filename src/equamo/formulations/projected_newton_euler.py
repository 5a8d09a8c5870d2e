"""Projected Newton-Euler equations (document 002: proNEu, Hutter and Gehring 2012).

    (1.14) Σ J_Sᵀ ṗ + J_Rᵀ Ṅ_S − J_Sᵀ F − J_Rᵀ T = 0       (1.15) p = m ṙ_OS     (1.16) N_S = θ Ω
    (1.8)  Ω̃ = Ȧ Aᵀ      (1.10) J_S = ∂r_OS/∂q,  J_R = ∂Ω/∂q̇
    (1.24) M = Σ J_Sᵀ m J_S + J_Rᵀ θ J_R
    (1.25) b = Σ J_Sᵀ m J̇_S q̇ + J_Rᵀ (θ J̇_R q̇ + Ω × θ Ω)      (print forgets J_Rᵀ before Ω × θ Ω)
    (1.26) g = Σ −J_Sᵀ F_g

Everything in the inertial frame, velocities by differentiating rotations and positions. With q̇ = N v,
J q̇ becomes (J N) v, whose derivative contains Ṅ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..expr import ZERO, Expr
from ..expr.differentiate import directional
from ..expr.matrix import mirrored, unskew
from ..expr.vector import Vector, dot
from ..kinematics.force_projection import Jacobians, generalized_force
from ..kinematics.poses import coordinate_derivatives, poses
from ..kinematics.quantity_name import QuantityName
from ..kinematics.steps import Recorder, matrix_inputs, of, vector_inputs
from ..kinematics.velocities import Columns
from ..model.robot import Robot
from ..spatial.pose import Pose
from .derivation import Derivation, force_inputs, record_entries

_RULES: Final = {"M": "(1.24)", "bias": "(1.25)", "gravity": "(1.26)", "Q": "(1.14)"}


def projected_newton_euler(robot: Robot, record: Recorder | None = None) -> Derivation:
    """M, bias, gravity and generalized forces by projecting momentum and angular momentum.

    Args:
        robot: The robot, in its joint speeds.
        record: Takes the steps.

    >>> from equamo.robots import load
    >>> projected_newton_euler(load("rr_arm")).mass_matrix[1, 1].closed_form()
    I2 + Lc2**2*m2
    """
    n = len(robot.v)
    pose = poses(robot, record)
    J = WorldJacobians(robot, pose)
    w0, v0 = robot.base.w, robot.base.v
    bodies = [b for b in robot.bodies if not b.inertia.is_zero]
    J_S = {b.name: J.linear(b.name, b.inertia.center) for b in bodies}
    J_R = {b.name: J.angular(b.name) for b in bodies}
    omega: dict[str, Vector] = {}
    r_dot: dict[str, Vector] = {}
    for b in bodies:
        # (1.22) Ω = J_R q̇ and ṙ_OS = J_S q̇, plus the motion of the base
        r_S = pose[b.name].position + pose[b.name].rotation @ b.inertia.center
        omega[b.name] = _combine(J_R[b.name], robot.v) + w0
        r_dot[b.name] = _combine(J_S[b.name], robot.v) + v0 + w0.cross(r_S)
    omega_dot, r_ddot = _derivatives(robot, omega), _derivatives(robot, r_dot)
    names = [x.name for x in robot.v]
    if record is not None:
        for k in omega:
            known = of("Ar", k)
            for j in J_R[k]:
                by = (names[j],)
                record("(1.8), (1.10)", QuantityName("J_R", k, by=by), J_R[k][j], known[:1])
                record("(1.10)", QuantityName("J_S", k, by=by), J_S[k][j], known)
            known = [x for j in J_R[k] for x in of(("J_R", "J_S"), k, (names[j],))]
            record("(1.22)", QuantityName("Omega", k), omega[k], known[::2])
            record("(1.22)", QuantityName("r_S_dot", k), r_dot[k], [*known[1::2], *of("Ar", k)])
            rates = (("Omega", "Omega_dot", omega_dot), ("r_S_dot", "r_S_ddot", r_ddot))
            for x, x_dot, rate in rates:
                record("d/dt at v̇ = 0", QuantityName(x_dot, k, case="bias"), rate[k], of((x,), k))

    M: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    bias: list[Expr] = [ZERO] * n
    gravity: list[Expr] = [ZERO] * n
    for b in bodies:
        k, A, m = b.name, pose[b.name].rotation, b.inertia.mass
        theta = A @ b.inertia.tensor_at_center @ A.T
        # (1.19) ṗ = m r̈_OS, (1.20) Ṅ_S = θ Ω̇ + Ω × θ Ω, at v̇ = 0
        p_dot = r_ddot[k] * m
        N_dot = theta @ omega_dot[k] + omega[k].cross(theta @ omega[k])
        F_g = robot.gravity * m
        if record is not None:
            rotation = [*of(("theta", "Omega"), k), *of(("Omega_dot",), k, case="bias")]
            record("θ = A θ_S Aᵀ", QuantityName("theta", k), theta, of("A", k))
            center = of(("r_S_ddot",), k, case="bias")
            record("(1.19)", QuantityName("p_dot", k, case="bias"), p_dot, center)
            record("(1.20)", QuantityName("N_dot", k, case="bias"), N_dot, rotation)
            record("(1.26)", QuantityName("F_g", k), F_g)
        for i in J_R[k]:
            p_i, N_i = J_S[k][i] * m, theta @ J_R[k][i]
            if record is not None:
                by = (names[i],)
                inputs = [*of(("theta",), k), *of(("J_R",), k, by)]
                record("(1.15)", QuantityName("p", k, by=by), p_i, of(("J_S",), k, by))
                record("(1.16)", QuantityName("N", k, by=by), N_i, inputs)
            for j in J_R[k]:
                if j <= i:  # (1.24)
                    M[j][i] = M[j][i] + (J_S[k][j] @ p_i + J_R[k][j] @ N_i)
            bias[i] = bias[i] + (J_S[k][i] @ p_dot + J_R[k][i] @ N_dot)  # (1.25)
            gravity[i] = gravity[i] - J_S[k][i] @ F_g  # (1.26)
    forces = {f.name: generalized_force(robot, f, J) for f in robot.forces}
    D = Derivation(mirrored(M), Vector(bias), Vector(gravity), forces)
    if record is not None:
        inputs = (
            matrix_inputs(J_R, names, "p N", "J_S J_R")
            | vector_inputs("bias", J_R, names, "p_dot N_dot", "J_S J_R", case="bias")
            | vector_inputs("gravity", J_R, names, "F_g", "J_S")
            | force_inputs(record, robot, "J_R J_S", [(n, n) for n in names])
        )
        record_entries(record, _RULES, names, D, lambda x: inputs.get(x, ()))
    return D


def _derivatives(robot: Robot, vectors: dict[str, Vector]) -> dict[str, Vector]:
    """Time derivatives at v̇ = 0 of vectors with components in frame 0, which rotates with w0."""
    rates = dict(zip(robot.q, robot.kinematic_map @ Vector(robot.v), strict=True))
    rates |= robot.base.rates()
    flat = iter(directional([e for x in vectors.values() for e in x], rates))
    slopes = {k: Vector([next(flat) for _ in range(3)]) for k in vectors}
    return {k: slopes[k] + robot.base.w.cross(x) for k, x in vectors.items()}


def _combine(columns: Columns, v: tuple[Expr, ...]) -> Vector:
    """Σ column_j v_j"""
    speeds = [v[j] for j in columns]
    return Vector(dot((column[c] for column in columns.values()), speeds) for c in range(3))


class WorldJacobians(Jacobians):
    """J_R and J_S in the inertial frame, by differentiation."""

    def __init__(self, robot: Robot, pose: Mapping[str, Pose]) -> None:
        self._robot, self._pose = robot, pose
        self._slope = coordinate_derivatives(robot, pose)
        self._angular: dict[str, Columns] = {"world": {}}

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
            A = self._pose[body].rotation
            # (1.8) Ω̃ = Ȧ Aᵀ, (1.10) J_R = ∂Ω/∂q̇
            slope = self._slope
            parts = {q: unskew(slope[q].rotation[body] @ A.T) for q in self._coordinates(body)}
            self._angular[body] = self._by_speed(body, parts)
        return self._angular[body]

    def linear(self, body: str, point: Vector) -> Columns:
        # (1.10) J_S = ∂r/∂q of r = r_O + A s
        parts: dict[Expr, Vector] = {}
        for q in self._coordinates(body):
            slope = self._slope[q]
            parts[q] = slope.position[body] + slope.rotation[body] @ point
        return self._by_speed(body, parts)

    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        return self._pose[frame].rotation @ vector
