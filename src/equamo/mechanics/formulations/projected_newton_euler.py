"""Projected Newton-Euler equations (document 002: proNEu, Hutter and Gehring 2012).

    (1.14) Σ J_Sᵀ ṗ + J_Rᵀ Ṅ_S − J_Sᵀ F − J_Rᵀ T = 0       (1.15) p = m ṙ_OS     (1.16) N_S = θ Ω
    (1.8)  Ω̃ = Ȧ Aᵀ      (1.10) J_S = ∂r_OS/∂q,  J_R = ∂Ω/∂q̇
    (1.24) M = Σ J_Sᵀ m J_S + J_Rᵀ θ J_R
    (1.25) b = Σ J_Sᵀ m J̇_S q̇ + J_Rᵀ (θ J̇_R q̇ + Ω × θ Ω)      (print forgets J_Rᵀ before Ω × θ Ω)
    (1.26) g = Σ −J_Sᵀ F_g

Everything in the inertial frame, velocities by differentiating rotations and positions. With q̇ = N v,
J q̇ becomes (J N) v, whose derivative contains Ṅ.

A speed moves all bodies that its joint carries as one: J_R is Ω_j, the same for all of them, and
J_S = c_j + Ω_j × r_OS, with c_j the velocity of the point at the origin. So momenta and moments
about the origin are summed over the bodies before they are projected:

    Σ J_Sᵀ p + J_Rᵀ N = c_j·Σ p + Ω_j·Σ (N + r_OS × p)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix, mirrored, unskew_product
from ...algebra.expr.vector import ZERO3, Vector
from ...robot.model.body import WORLD, Body
from ...robot.model.robot import Robot
from ...robot.spatial.pose import Pose
from ..kinematics.force_projection import Jacobians, generalized_force
from ..kinematics.poses import coordinate_derivatives, poses, time_derivatives
from ..kinematics.steps import NO_RECORD, Record, Recorder, of
from ..kinematics.velocities import Columns
from .derivation import Derivation
from .entries import bodies_by_speed, path_speeds, record_sums

_RULES: Final = {"M": "(1.24)", "bias": "(1.25)", "gravity": "(1.26)", "Q": "(1.14)"}


def projected_newton_euler(robot: Robot, record: Record = NO_RECORD) -> Derivation:
    """M, bias, gravity and generalized forces by projecting momentum and angular momentum.

    Args:
        robot: The robot, in its joint speeds.
        record: Takes the steps.

    >>> from equamo.robot.library import load
    >>> projected_newton_euler(load("rr_arm")).mass_matrix[1, 1].closed_form()
    I2 + Lc2**2*m2
    """
    n, v = len(robot.v), [x.name for x in robot.v]
    pose = poses(robot, record)
    J = WorldJacobians(robot, pose)
    bodies = [b for b in robot.bodies if not b.inertia.is_zero]
    r_S = {b.name: pose[b.name].point(b.inertia.center) for b in bodies}
    record.aside(_record_columns, robot, J, r_S)
    theta: dict[str, Matrix] = {}
    for b in bodies:
        tensor = _tensor(b, pose[b.name])
        theta[b.name] = record("θ = A θ_S Aᵀ", of("theta", b.name), tensor, of("A", b.name))
    M: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    for b in robot.bodies:
        carried = [c for c in bodies if b in robot.path(c.name)]
        for i in robot.columns(b):
            P, L = ZERO3, ZERO3  # momentum, and angular momentum about the origin, at v_i = 1
            for c in carried:
                k = c.name
                p = (J.origin[i] + J.rotation[i].cross(r_S[k])) * c.inertia.mass  # (1.15)
                N = theta[k] @ J.rotation[i]  # (1.16)
                P, L = P + p, L + N + r_S[k].cross(p)
                record("(1.15)", of("p", k, v[i]), p, of("J_R J_O", b.name, v[i]), of("r_S", k))
                record("(1.16)", of("N", k, v[i]), N, of("J_R", b.name, v[i]), of("theta", k))
            record.aside(_record_momenta, b.name, v[i], (P, L), carried)
            for j in (j for c in robot.path(b.name) for j in robot.columns(c)):
                if j <= i:  # (1.24)
                    M[j][i] = J.origin[j] @ P + J.rotation[j] @ L

    # (1.14), sorted by powers of v̇: M above, and here bias and gravity
    loads = _loads(robot, pose, r_S, theta, record)
    bias: list[Expr] = [ZERO] * n
    gravity: list[Expr] = [ZERO] * n
    for b in robot.bodies:
        for j in robot.columns(b):
            (P_dot, L_dot), (F, T) = loads[b.name]
            bias[j] = J.origin[j] @ P_dot + J.rotation[j] @ L_dot  # (1.25)
            gravity[j] = -(J.origin[j] @ F + J.rotation[j] @ T)  # (1.26)
    forces = {f.name: generalized_force(robot, f, J) for f in robot.forces}
    D = Derivation(mirrored(M), Vector(bias), Vector(gravity), forces)
    record.aside(_record_result, robot, D)
    return D


def _tensor(b: Body, X: Pose) -> Matrix:
    """θ of (1.16), in the inertial frame."""
    A = X.rotation
    return A @ b.inertia.tensor_at_center @ A.T


Load = tuple[Vector, Vector]  # force, and moment about the origin


def _loads(
    robot: Robot,
    pose: Mapping[str, Pose],
    r_S: Mapping[str, Vector],
    theta: Mapping[str, Matrix],
    record: Record,
) -> dict[str, tuple[Load, Load]]:
    """(ṗ at v̇ = 0, weight) of each body and everything it carries."""
    omega, r_dot = _velocities(robot, pose, r_S)
    omega_dot, r_ddot = _derivatives(robot, omega), _derivatives(robot, r_dot)
    for k in r_S:
        record("(1.8)", of("Omega", k), omega[k], of("A", k))
        record("(1.22)", of("r_S_dot", k), r_dot[k], of("r_S", k))
        record("d/dt at v̇ = 0", of("Omega_dot", k, "", "bias"), omega_dot[k], of("Omega", k))
        record("d/dt at v̇ = 0", of("r_S_ddot", k, "", "bias"), r_ddot[k], of("r_S_dot", k))
    nothing = (ZERO3, ZERO3)
    loads: dict[str, tuple[Load, Load]] = {b.name: (nothing, nothing) for b in robot.bodies}
    for b in reversed(robot.bodies):
        k = b.name
        (P_dot, L_dot), (F, T) = loads[k]
        if k in theta:
            m, r = b.inertia.mass, r_S[k]
            # (1.19) ṗ = m r̈_OS, (1.20) Ṅ_S = θ Ω̇ + Ω × θ Ω, at v̇ = 0
            p_dot = r_ddot[k] * m
            N_dot = theta[k] @ omega_dot[k] + omega[k].cross(theta[k] @ omega[k])
            F_g = robot.gravity * m
            P_dot, L_dot = P_dot + p_dot, L_dot + N_dot + r.cross(p_dot)
            F, T = F + F_g, T + r.cross(F_g)
            record("(1.19)", of("p_dot", k, "", "bias"), p_dot, of("r_S_ddot", k, "", "bias"))
            rates = of("Omega_dot", k, "", "bias")
            record("(1.20)", of("N_dot", k, "", "bias"), N_dot, of("theta Omega", k), rates)
            record("(1.26)", of("F_g", k), F_g)
        loads[k] = (P_dot, L_dot), (F, T)
        names, own = of("P_dot L_dot", k, "", "bias"), of("p_dot N_dot", k, "", "bias")
        record.sum(("Σ ṗ", "Σ (Ṅ + r × ṗ)"), names, (P_dot, L_dot), robot, of("r_S", k), own)
        record.sum(("Σ F_g", "Σ r × F_g"), of("F T", k), (F, T), robot, of("r_S F_g", k))
        if b.parent != WORLD:
            inertial, weight = loads[b.parent]
            loads[b.parent] = (
                (inertial[0] + P_dot, inertial[1] + L_dot),
                (weight[0] + F, weight[1] + T),
            )
    return loads


def _velocities(
    robot: Robot, pose: Mapping[str, Pose], r_S: Mapping[str, Vector]
) -> tuple[dict[str, Vector], dict[str, Vector]]:
    """Ω and ṙ_OS, plus the motion of the base."""
    rates = dict(zip(robot.q, robot.kinematic_map @ Vector(robot.v), strict=True))
    A_dot = time_derivatives(robot, pose, rates)
    w0, v0 = robot.base.w, robot.base.v
    flat = iter(directional([e for x in r_S.values() for e in x], rates))  # (1.22) ṙ_OS = J_S q̇
    r_dot = {k: Vector([next(flat) for _ in range(3)]) for k in r_S}
    # (1.8) Ω̃ = Ȧ Aᵀ
    omega = {k: unskew_product(A_dot[k].rotation, pose[k].rotation.T) + w0 for k in r_S}
    return omega, {k: r_dot[k] + v0 + w0.cross(x) for k, x in r_S.items()}


def _derivatives(robot: Robot, vectors: dict[str, Vector]) -> dict[str, Vector]:
    """Time derivatives at v̇ = 0 of vectors with components in frame 0, which rotates with w0."""
    rates = dict(zip(robot.q, robot.kinematic_map @ Vector(robot.v), strict=True))
    rates |= robot.base.rates()
    flat = iter(directional([e for x in vectors.values() for e in x], rates))
    slopes = {k: Vector([next(flat) for _ in range(3)]) for k in vectors}
    return {k: slopes[k] + robot.base.w.cross(x) for k, x in vectors.items()}


# -- steps -----------------------------------------------------------------------------------------
def _record_columns(
    record: Recorder, robot: Robot, J: WorldJacobians, r_S: Mapping[str, Vector]
) -> None:
    """Record Ω_j and c_j of every speed, and the centres of mass."""
    for k, j in ((b.name, j) for b in robot.bodies for j in robot.columns(b)):
        by, A_r = robot.v[j].name, of("A r", k)
        record("(1.8), (1.10)", of("J_R", k, by), J.rotation[j], of("A", k))
        record("(1.10)", of("J_O", k, by), J.origin[j], A_r, of("J_R", k, by))
    for k, r in r_S.items():
        record("r_OS = r + A s", of("r_S", k), r, of("A r", k))


def _record_momenta(
    record: Recorder, k: str, by: str, momenta: tuple[Vector, Vector], carried: list[Body]
) -> None:
    """Record momentum and angular momentum of a body and everything it carries."""
    parts = [x for c in carried for x in (of("r_S", c.name), of("p N", c.name, by))]
    record(("Σ p", "Σ (N + r × p)"), of("P L", k, by), momenta, *parts)


def _record_result(record: Recorder, robot: Robot, D: Derivation) -> None:
    """Record the entries: sums over the bodies that a joint carries, and a joint's J_O and J_R."""
    own = bodies_by_speed(robot)
    record_sums(
        record, _RULES, list(own), D, robot, path_speeds(robot),
        M=lambda k, j, i: [of("P L", k, i), of("J_O J_R", own[j], j)],
        bias=lambda k, j: [of("P_dot L_dot", k, "", "bias"), of("J_O J_R", k, j)],
        gravity=lambda k, j: [of("F T", k), of("J_O J_R", k, j)],
        Q=lambda f, j: of("J_O J_R", (b.name for k in f.bodies() for b in robot.path(k)), j),
    )  # fmt: skip


class WorldJacobians(Jacobians):
    """Ω_j and c_j of every speed in the inertial frame, by differentiating the pose of its body."""

    def __init__(self, robot: Robot, pose: Mapping[str, Pose]) -> None:
        self._robot, self._pose = robot, pose
        self.rotation: Columns = {}  # Ω_j
        self.origin: Columns = {}  # c_j
        for b in robot.bodies:
            X, N = pose[b.name], b.joint.map()
            slope = coordinate_derivatives(X, b.joint.q)
            for c, j in enumerate(robot.columns(b)):
                omega, r_dot = ZERO3, ZERO3
                for r, q in enumerate(b.joint.q):  # ∂/∂v = ∂/∂q̇ N
                    # (1.8) Ω̃ = Ȧ Aᵀ, (1.10) J_R = ∂Ω/∂q̇ and J_S = ∂r/∂q
                    omega = omega + unskew_product(slope[q].rotation, X.rotation.T) * N[r, c]
                    r_dot = r_dot + slope[q].position * N[r, c]
                self.rotation[j], self.origin[j] = omega, r_dot - omega.cross(X.position)

    def _columns(self, body: str) -> list[int]:
        return [j for b in self._robot.path(body) for j in self._robot.columns(b)]

    def angular(self, body: str) -> Columns:
        return {j: self.rotation[j] for j in self._columns(body)}

    def linear(self, body: str, point: Vector) -> Columns:
        r = self._pose[body].point(point)
        return {j: self.origin[j] + self.rotation[j].cross(r) for j in self._columns(body)}

    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        return self._pose[frame].rotation @ vector
