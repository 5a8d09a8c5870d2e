"""Kane's equations (document 000: Zafar, Equations of Motion of Krang on Fixed Wheels, 2015).

    (1)  Σ_k [ m_k a_Gk·(v_Gk)_j + Ḣ_Gk·(ω_k)_j ] = Σ F_n·(v_n)_j + Σ M_m·(ω_m)_j

With everything about the frame's origin the bracket is, without a division by the mass,

    (8)  m a_G = m a + α × MS + ω × (ω × MS)
    (12) m a_G·(v)_j + (MS × a + J α + ω × J ω)·(ω)_j

a and α are linear in v̇ with the partial velocities as coefficients, a = Σ (v)_i v̇_i + a°, so that (12)
at (v)_i, (ω)_i without ω is the mass matrix and at a°, α° the bias.

The partial velocities of a body are those of its parent, moved, plus those of its own joint. So the
forces and moments of (12) are added up from the tips to the base, and each sum is multiplied by the
partial velocities that the joint itself contributes: as (15), (19) and (23) do for the right-hand side.
"""

from __future__ import annotations

from typing import Final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.matrix import Matrix, mirrored
from ...algebra.expr.vector import Vector
from ...errors import ModelError
from ...robot.model.body import WORLD, Body
from ...robot.model.robot import Robot
from ...robot.spatial.force import Force
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.force_projection import Jacobians, generalized_force
from ..kinematics.poses import poses, transform
from ..kinematics.steps import NO_RECORD, Record, Recorder, of
from ..kinematics.velocities import (
    Columns,
    PartialVelocities,
    accelerations,
    partial_velocities,
    zeros,
)
from .derivation import Derivation
from .entries import record_entries, record_sums

_RULES: Final = {"M": "(12)", "bias": "(12)", "gravity": "(21)", "Q": "(13), (16)"}


def kane(robot: Robot, record: Record = NO_RECORD) -> Derivation:
    """M, bias, gravity and generalized forces by Kane's method.

    Args:
        robot: The robot; with chosen speeds, partial velocities are taken by them directly.
        record: Takes the steps.

    >>> from equamo.robot.library import load
    >>> kane(load("rr_arm")).mass_matrix[1, 1].closed_form()
    I2 + Lc2**2*m2
    """
    n, v = len(robot.v), [x.name for x in robot.v]
    speeds, tree = ChosenSpeeds(robot), robot.tree
    by_joint = partial_velocities(tree, record)
    V = _by_speed(tree, by_joint, speeds)
    still = zeros(tree) if speeds.trivial else list(speeds.bias)
    motion = accelerations(tree, still, record, case="bias")
    record.aside(_record_by_speed, speeds, by_joint, V)
    own = _own_columns(tree, speeds, record)
    massive = [b for b in tree.bodies if not b.inertia.is_zero]
    M: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    for i in range(n):
        # (12) at v̇_i = 1: the coefficient of v̇_i in equation j
        loads: dict[str, Force] = {}
        for b in (b for b in massive if i in V[b.name]):
            k, V_i = b.name, V[b.name][i]
            F, T = _inertia_force(b, V_i.linear, V_i.angular, None)
            record("(12)", of("F T", k, v[i]), (F, T), of("V w", k, v[i]))
            loads[k] = Force(b.frame, T, F)
        for k, load in _with_carried(tree, loads, record, by=v[i]).items():
            for j, V_j in own[k].items():
                if j <= i:
                    M[j][i] = M[j][i] + V_j @ load  # (1)
    # (12) at v̇ = 0
    loads = {}
    for b in massive:
        k = b.name
        a, w = motion.acceleration[k], motion.velocity[k].angular
        F, T = _inertia_force(b, a.linear, a.angular, w)
        record("(12)", of("F T", k, "", "bias"), (F, T), of("a alpha", k, "", "bias"), of("w", k))
        loads[k] = Force(b.frame, T, F)
    bias = _project(n, own, _with_carried(tree, loads, record, case="bias"))
    gravity = -_project(n, own, _with_carried(tree, _weight(robot, record), record, case="gravity"))
    J = BodyJacobians(tree, speeds, V)
    forces = {f.name: generalized_force(robot, f, J) for f in robot.forces}  # (13), (16)
    D = Derivation(mirrored(M), bias, gravity, forces)
    record.aside(_record_result, robot, own, D)
    if not speeds.trivial:
        D = D.map(speeds.insert)
        record.aside(record_entries, "u = W v", v, D, lambda x: [x])
    return D


def _by_speed(
    tree: Robot, partial: dict[str, PartialVelocities], speeds: ChosenSpeeds
) -> dict[str, PartialVelocities]:
    """Partial velocities by the chosen speeds."""
    return {k: speeds.by_speed(V, tree.spatial_frame(k)) for k, V in partial.items()}


def _own_columns(tree: Robot, speeds: ChosenSpeeds, record: Record) -> dict[str, PartialVelocities]:
    """Partial velocities that the joint of each body contributes by itself: columns of S, by v."""
    own: dict[str, PartialVelocities] = {}
    for b in tree.bodies:
        S = dict(zip(tree.columns(b), b.subspace, strict=True))
        own[b.name] = speeds.by_speed(S, b.frame)
        for j, V_j in own[b.name].items():
            names = of("V_own w_own", b.name, speeds.robot.v[j].name)
            record(("∂(5)", "∂(3)"), names, (V_j.linear, V_j.angular))
    return own


def _with_carried(
    tree: Robot, loads: dict[str, Force], record: Record, by: str = "", case: str = ""
) -> dict[str, Force]:
    """Force and moment on each body and everything it carries, tips to base."""
    total = dict(loads)
    for b in reversed(tree.bodies):
        k = b.name
        if k not in total:
            continue
        F, T = total[k].force, total[k].moment
        names, own = of("F_sum T_sum", k, by, case), of("F T", k, by, case)
        record.sum("Σ_k (12)", names, (F, T), tree, own)
        if b.parent != WORLD:
            X = tree.joint_pose(b)
            above = total.get(b.parent)
            total[b.parent] = X @ total[k] if above is None else above.plus(X, total[k])
    return total


def _project(n: int, own: dict[str, PartialVelocities], total: dict[str, Force]) -> Vector:
    """Σ F·(v)_j + T·(ω)_j over the joints that contribute to speed j."""
    Q: list[Expr] = [ZERO] * n
    for k, load in total.items():
        for j, V_j in own[k].items():
            Q[j] = Q[j] + V_j @ load
    return Vector(Q)


def _inertia_force(b: Body, a: Vector, alpha: Vector, w: Vector | None) -> tuple[Vector, Vector]:
    """(m a_G, MS × a + J α + ω × J ω) of (12); without ω the part that is linear in v̇."""
    m, MS, J = b.inertia.mass, b.inertia.first_moment, b.inertia.tensor
    F = a * m + alpha.cross(MS)  # (8), then (12)
    T = MS.cross(a) + J @ alpha
    if w is not None:
        F = F + w.cross(w.cross(MS))
        T = T + w.cross(J @ w)
    return F, T


def contributions(robot: Robot) -> Matrix:
    """Inertial contribution of each body (column) to each equation (row): KHist of document 000.

    >>> from equamo.robot.library import load
    >>> contributions(load("rr_arm")).shape
    (2, 2)
    """
    speeds = ChosenSpeeds(robot)
    tree = robot.tree
    V = _by_speed(tree, partial_velocities(tree), speeds)
    motion = accelerations(tree, tree.vdot)
    rows: list[list[Expr]] = [[ZERO] * len(robot.bodies) for _ in robot.v]
    for column, b in enumerate(robot.bodies):
        k = b.name
        a_k, w_k = motion.acceleration[k], motion.velocity[k].angular
        F, T = _inertia_force(b, a_k.linear, a_k.angular, w_k)
        for j, V_j in V[k].items():
            rows[j][column] = F @ V_j.linear + T @ V_j.angular
    K = Matrix(rows, [x.name for x in robot.v], [b.name for b in robot.bodies])
    return K.map(speeds.insert)


def _weight(robot: Robot, record: Record) -> dict[str, Force]:
    """(21) m_k g·(v_Gk)_j, with m v_G = m v + ω × MS: the force m g and the moment MS × g."""
    X, loads = poses(robot.tree, record), dict[str, Force]()
    for b in robot.bodies:
        k, m, MS = b.name, b.inertia.mass, b.inertia.first_moment
        g = X[k].rotation.T @ robot.gravity
        load = loads[k] = Force(b.frame, MS.cross(g), g * m)
        record("(21)", of("F T", k, "", "gravity"), (load.force, load.moment), of("A", k))
    return loads


class BodyJacobians(Jacobians):
    """(ω_k)_j and (v_n)_j in the frame of the body they belong to."""

    def __init__(self, tree: Robot, speeds: ChosenSpeeds, V: dict[str, PartialVelocities]) -> None:
        self._robot, self._speeds, self._V = tree, speeds, V

    def joint_speed(self, i: int) -> dict[int, Expr]:
        return {j: x for j, x in enumerate(self._speeds.W.rows[i]) if x is not ZERO}

    def angular(self, body: str) -> Columns:
        return {j: V_j.angular for j, V_j in self._V[body].items()}

    def linear(self, body: str, point: Vector) -> Columns:
        # (v_n)_j = (v_k)_j + (ω_k)_j × r
        return {j: V_j.at(point) for j, V_j in self._V[body].items()}

    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        return transform(self._robot, frame, body).rotation @ vector


# -- steps -------------------------------------------------------------------------------------------
def _record_by_speed(
    record: Recorder,
    speeds: ChosenSpeeds,
    by_joint: dict[str, PartialVelocities],
    by_speed: dict[str, PartialVelocities],
) -> None:
    """Record ∂V/∂v_j = Σ ∂V/∂u_i W_ij of the partial velocities."""
    u, v = speeds.robot.joint_speeds, speeds.robot.v
    record.together(
        (
            "∂/∂v = Σ ∂/∂u_i W_i",
            of(letter, k, v[j].name),
            V.angular if letter == "w" else V.linear,
            [of(letter, k, u[i].name) for i in by_joint[k] if speeds.W[i, j] is not ZERO],
        )
        for letter in "wV"
        for k, partial in by_speed.items()
        for j, V in partial.items()
    )


def _record_result(
    record: Recorder, robot: Robot, own: dict[str, PartialVelocities], D: Derivation
) -> None:
    """Record the entries: sums on each body, times what its joint contributes to the speed."""
    v = [x.name for x in robot.v]
    record_sums(
        record, _RULES, v, D, robot, own,
        M=lambda k, j, i: [of("F_sum T_sum", k, i), of("V_own w_own", k, j)],
        bias=lambda k, j: [of("F_sum T_sum", k, "", "bias"), of("V_own w_own", k, j)],
        gravity=lambda k, j: [of("F_sum T_sum", k, "", "gravity"), of("V_own w_own", k, j)],
        Q=lambda f, j: of("w V", f.bodies(), j),
        others=dict.fromkeys(own, range(len(v))),
    )  # fmt: skip


# -- the simplified right-hand side, for trees of revolute joints ------------------------------------
def simplified_right_hand_side(robot: Robot) -> tuple[dict[str, Vector], Vector]:
    """(generalized forces, gravity) by (15), (19) and (23), summed over descendants.

    (15) joint torques give τ_j; (19) a wrench at E gives [e_j × r_E/Oj, e_j]ᵀ [F, τ]; (23) gravity
    gives g·(e_j × Σ m_k r_Gk/Oj) over the descendants k of j. Vectors are in the world frame.

    Raises:
        ModelError: If a joint is not revolute.
    """
    for b in robot.bodies:
        if not b.joint.linear().is_zero:
            raise ModelError(
                f"simplified_right_hand_side: all joints must be revolute, got a sliding joint at body "
                f"{b.name!r}; use eq.derive(robot, by='kane')."
            )
    J = _AxesAndArms(robot)
    forces = {f.name: generalized_force(robot, f, J) for f in robot.forces}
    Q: list[Expr] = [ZERO] * len(robot.v)
    for joint_body in robot.bodies:
        for j in robot.columns(joint_body):
            arm = Vector([0, 0, 0])  # Σ m_k r_Gk/Oj
            for b in robot.bodies:
                if joint_body in robot.path(b.name):
                    r = J.poses[b.name].position - J.poses[joint_body.name].position
                    MS = J.poses[b.name].rotation @ b.inertia.first_moment
                    arm = arm + r * b.inertia.mass + MS
            Q[j] = -(robot.gravity @ J.axis[j].cross(arm))  # (23)
    return forces, Vector(Q)


class _AxesAndArms(Jacobians):
    """(14) ∂ω_k/∂q̇_j = e_j, (18) ∂v_E/∂q̇_j = e_j × r_E/Oj if j carries k, else 0; world frame."""

    def __init__(self, robot: Robot) -> None:
        self._robot, self.poses = robot, poses(robot)
        self.axis: dict[int, Vector] = {}
        for b in robot.bodies:
            for column, j in enumerate(robot.columns(b)):
                self.axis[j] = self.poses[b.name].rotation @ b.joint.angular().column(column)

    def angular(self, body: str) -> Columns:
        carried_by = [j for b in self._robot.path(body) for j in self._robot.columns(b)]
        return {j: self.axis[j] for j in carried_by}

    def linear(self, body: str, point: Vector) -> Columns:
        E = self.poses[body].point(point)
        columns: Columns = {}
        for b in self._robot.path(body):
            for j in self._robot.columns(b):
                columns[j] = self.axis[j].cross(E - self.poses[b.name].position)
        return columns

    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        return self.poses[frame].rotation @ vector
