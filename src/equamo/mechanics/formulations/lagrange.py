"""Lagrange's equations (document 001: Zafar, Equations of Motion of Krang on Fixed Wheels, 2014).

    (1)  Γ_i = d/dt ∂L/∂q̇_i − ∂L/∂q_i
    (2)  E = ½ q̇ᵀ A q̇           (3)  Γ = A q̈ + C q̇ + Q,  C q̇ = Ȧ q̇ − ∂E/∂q  (printed ∂E/∂q̇)
    (11) E_j = ½ (ωᵀ J ω + M V·V + 2 MS·(V × ω))       (15) U_j = −g·(M P + A MS)      (5) Q_i = ∂U/∂q_i

Velocities come from differentiating rotations and positions only: in the body frame ω̃ = Aᵀ Ȧ and
V = Aᵀ Ṗ. C by the Christoffel symbols (4) is in `coriolis`; the certificate proves that it gives the
same C q̇.

If q̇ = N v is not v (quaternions), q̇ are symbols of their own and the equations are projected by
N (Maggi): Nᵀ (d/dt ∂E/∂q̇ − ∂E/∂q), with q̈ = N v̇ + Ṅ v.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ...algebra.expr import HALF, ZERO, Expr
from ...algebra.expr.differentiate import directional, gradient, hessian, pullback
from ...algebra.expr.matrix import Matrix, unskew_product
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector, dot
from ...robot.model.body import Body
from ...robot.model.robot import Robot
from ...robot.spatial.pose import Pose
from ..kinematics.force_projection import Jacobians, generalized_force
from ..kinematics.poses import (
    coordinate_derivatives,
    coordinate_rates,
    poses,
    time_derivatives,
)
from ..kinematics.steps import NO_RECORD, Names, Record, Recorder, of
from ..kinematics.velocities import Columns
from .derivation import Derivation
from .energy_steps import record_center, record_lagrangian
from .entries import record_projected, record_sums

_RULES: Final = {"M": "(2)", "bias": "(3)", "gravity": "(5)", "Q": "Q = Jᵀ F"}
_PROJECTED: Final = {
    "M": "Nᵀ A N",
    "bias": "Nᵀ (C q̇ + A Ṅ v)",
    "gravity": "Nᵀ Q",
    "Q": "Q = Jᵀ F",
}


def lagrange(robot: Robot, record: Record = NO_RECORD) -> Derivation:
    """M, bias, gravity and generalized forces by Lagrange's method.

    Args:
        robot: The robot, in its joint speeds.
        record: Takes the steps.

    >>> from equamo.robot.library import load
    >>> lagrange(load("rr_arm")).mass_matrix[1, 1].closed_form()
    I2 + Lc2**2*m2
    """
    pose = poses(robot, record)
    q, q_dot = robot.q, coordinate_rates(robot)
    E = kinetic_energy(robot, pose, q_dot, record)
    p = _momenta(robot, pose, q_dot, record)  # ∂E/∂q̇
    A = Matrix(hessian(p, q_dot))  # (2) A = ∂²E/∂q̇²
    J = CoordinateJacobians(robot, pose)
    # (3) C q̇ = d/dt ∂E/∂q̇ − ∂E/∂q at q̈ = 0
    rates = dict(zip(q, q_dot, strict=True)) | robot.base.rates()
    p_dot, E_q = directional(p, rates), gradient(E, q)
    b = [x - y for x, y in zip(p_dot, E_q, strict=True)]  # (1)
    # (5) Q = ∂U/∂q
    U = potential_energy(robot, pose, record)
    Q = gradient(U, q)
    forces = {f.name: generalized_force(robot, f, J) for f in robot.forces}
    if robot.has_unit_map:
        D = Derivation(A, Vector(b), Vector(Q), forces)
        record.aside(record_lagrangian, robot, E, U, p, p_dot, A, E_q, Q)
        record.aside(_record_result, robot, J, D, [x.name for x in robot.v])
        return D
    D = Derivation(A, Vector(b), Vector(Q), {})  # in q̇; the forces are in v
    record.aside(_record_result, robot, J, D, [x.name for x in q])
    # Maggi: q̇ = N v, q̈ = N v̇ + Ṅ v
    N = robot.kinematic_map
    v = Vector(robot.v)
    Nv = N @ v
    seeds = dict(zip(q, Nv, strict=True))
    N_dot_v = N.map(lambda e: directional(e, seeds)) @ v
    b = substitute(b, dict(zip(q_dot, Nv, strict=True)))
    M = _project(A, N)
    bias = N.T @ (Vector(b) + A @ N_dot_v)
    D = Derivation(M, bias, N.T @ Vector(Q), forces)
    record.aside(_record_projection, robot, D)
    return D


def _project(A: Matrix, N: Matrix) -> Matrix:
    """Nᵀ A N; a column of N has few entries, those of one joint."""
    columns = [[(i, x) for i, x in enumerate(column) if x is not ZERO] for column in N.T.rows]
    AN = [
        [dot((row[i] for i, _ in column), (x for _, x in column)) for column in columns]
        for row in A.rows
    ]
    return Matrix(
        [dot((x for _, x in column), (AN[i][k] for i, _ in column)) for k in range(len(columns))]
        for column in columns
    )


def kinetic_energy(
    robot: Robot,
    pose: Mapping[str, Pose],
    q_dot: tuple[Expr, ...],
    record: Record = NO_RECORD,
) -> Expr:
    """Kinetic energy E(q, q̇), the sum of (11)."""
    E = ZERO
    for b, V, w in _velocities(robot, pose, q_dot):
        record("ω̃ = Aᵀ Ȧ", of("w", b.name), w, of("A", b.name))
        record("V = Aᵀ Ṗ", of("V", b.name), V, of("A r", b.name))
        record.aside(record_center, robot, b, pose[b.name], w, q_dot)
        E_j = _link_energy(b, V, w)  # (11)
        E = E + record("(11)", of("E", b.name), E_j, of("w V", b.name))
    massive = [b.name for b in robot.bodies if not b.inertia.is_zero]
    return record("(2)", of("E"), E, of("E", massive))


def _velocities(
    robot: Robot, pose: Mapping[str, Pose], q_dot: tuple[Expr, ...]
) -> Iterator[tuple[Body, Vector, Vector]]:
    """(body, V, ω) of every body with inertia, in its frame, by time differentiation of A and P."""
    rate = time_derivatives(robot, pose, dict(zip(robot.q, q_dot, strict=True)))
    w0, v0 = robot.base.w, robot.base.v
    for b in robot.bodies:
        if b.inertia.is_zero:
            continue
        A, P = pose[b.name].rotation, pose[b.name].position
        w = unskew_product(A.T, rate[b.name].rotation) + A.T @ w0  # ω̃ = Aᵀ Ȧ
        V = A.T @ (rate[b.name].position + v0 + w0.cross(P))
        yield b, V, w


def _link_energy(b: Body, V: Vector, w: Vector) -> Expr:
    """(11) E_j = ½ (ωᵀ J ω + M V·V + 2 MS·(V × ω))"""
    M, MS, J = b.inertia.mass, b.inertia.first_moment, b.inertia.tensor
    return HALF * (w @ (J @ w) + M * (V @ V)) + MS @ V.cross(w)


def potential_energy(robot: Robot, pose: Mapping[str, Pose], record: Record = NO_RECORD) -> Expr:
    """Potential energy U(q), the sum of (15) U_j = −g·(M P + A MS)"""
    U = ZERO
    for b in robot.bodies:
        A, P = pose[b.name].rotation, pose[b.name].position
        U_j = robot.gravity @ (P * b.inertia.mass + A @ b.inertia.first_moment)  # (15)
        U = U - record("(15)", of("-U", b.name), U_j, of("A r", b.name))
    return record("(15)", of("U"), U, of("-U", [b.name for b in robot.bodies]))


def _momenta(
    robot: Robot, pose: Mapping[str, Pose], q_dot: tuple[Expr, ...], record: Record
) -> list[Expr]:
    """∂E/∂q̇_i = Σ ∂E_j/∂V·∂V/∂q̇_i + ∂E_j/∂ω·∂ω/∂q̇_i, for all i in one backward pass."""
    slopes: list[tuple[Expr, Expr]] = []
    for b, V, w in _velocities(robot, pose, q_dot):
        M, MS, tensor = b.inertia.mass, b.inertia.first_moment, b.inertia.tensor
        p = V * M + w.cross(MS)
        L = tensor @ w + MS.cross(V)
        record(("p = ∂E_j/∂V", "L = ∂E_j/∂ω"), of("p L", b.name), (p, L), of("V w", b.name))
        slopes += zip((*V, *w), (*p, *L), strict=True)
    return pullback(slopes, q_dot)


class CoordinateJacobians(Jacobians):
    """∂ω/∂q̇ and ∂V/∂q̇ of a body in its frame, by differentiating A and P by each coordinate.

    Only for bodies on which a force element acts.
    """

    def __init__(self, robot: Robot, pose: Mapping[str, Pose]) -> None:
        self._robot, self._pose = robot, pose
        self._position = {x: i for i, x in enumerate(robot.q)}
        self.w: dict[str, Columns] = {"world": {}}
        self.v: dict[str, Columns] = {"world": {}}

    def _differentiate(self, body: str) -> None:
        A_T = self._pose[body].rotation.T
        own = [q for c in self._robot.path(body) for q in c.joint.q]
        self.w[body], self.v[body] = {}, {}
        for q, slope in coordinate_derivatives(self._pose[body], own).items():
            i = self._position[q]
            self.w[body][i] = unskew_product(A_T, slope.rotation)
            self.v[body][i] = A_T @ slope.position

    def _by_speed(self, columns: Columns) -> Columns:
        """∂/∂v = ∂/∂q̇ N"""
        if self._robot.has_unit_map:
            return columns
        N = self._robot.kinematic_map
        out: Columns = {}
        for j in range(len(self._robot.v)):
            parts = {i: N[i, j] for i in columns if N[i, j] is not ZERO}
            if parts:
                out[j] = Vector(
                    dot((columns[i][c] for i in parts), parts.values()) for c in range(3)
                )
        return out

    def angular(self, body: str) -> Columns:
        if body not in self.w:
            self._differentiate(body)
        return self._by_speed(self.w[body])

    def linear(self, body: str, point: Vector) -> Columns:
        if body not in self.w:
            self._differentiate(body)
        w, v = self.w[body], self.v[body]
        return self._by_speed({i: v[i] + w[i].cross(point) for i in w})

    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        X = self._pose
        return X[body].rotation.T @ (X[frame].rotation @ vector)


# -- steps -------------------------------------------------------------------------------------------
def _record_result(
    record: Recorder, robot: Robot, J: CoordinateJacobians, D: Derivation, names: list[str]
) -> None:
    """Record A, C q̇, Q and the forces in q̇, by the names of speeds if q̇ = v, else of coordinates."""
    for k in (b.name for b in robot.bodies if b.name in J.w):
        for i, w in J.w[k].items():
            record("ω̃_i = Aᵀ ∂A/∂q_i", of("w", k, names[i]), w, of("A", k))
            record("V_i = Aᵀ ∂P/∂q_i", of("V", k, names[i]), J.v[k][i], of("A r", k))
    position = {x: i for i, x in enumerate(robot.q)}
    moved_by = {
        b.name: sorted(position[q] for c in robot.path(b.name) for q in c.joint.q)
        for b in robot.bodies
    }
    record_sums(
        record, _RULES, names, D, robot, moved_by,
        M=lambda k, j, i: [of("p L", k), of("V w", k)],
        bias=lambda k, j: [of("E")],
        gravity=lambda k, j: [of("U")],
        Q=lambda f, j: of("w V", f.bodies(), j),
    )  # fmt: skip


def _record_projection(record: Recorder, robot: Robot, D: Derivation) -> None:
    """Record Nᵀ A N, Nᵀ (C q̇ + A Ṅ v) and Nᵀ Q: entries in q̇ projected by N."""
    q, v = ([x.name for x in names] for names in (robot.q, robot.v))
    bodies = {f.name: f.bodies() for f in robot.forces}

    def columns(element: str, rows: Iterable[str]) -> list[Names]:
        return [*record.known(*(of("w V", bodies[element], x) for x in rows))]

    record_projected(record, _PROJECTED, robot.kinematic_map, q, v, D, columns)
