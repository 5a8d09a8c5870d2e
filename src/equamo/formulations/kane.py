"""Kane's equations (document 000: Zafar, Equations of Motion of Krang on Fixed Wheels, 2015).

    (1)  Σ_k [ m_k a_Gk·(v_Gk)_j + Ḣ_Gk·(ω_k)_j ] = Σ F_n·(v_n)_j + Σ M_m·(ω_m)_j

With everything about the frame's origin the bracket is, without a division by the mass,

    (8)  m a_G = m a + α × MS + ω × (ω × MS)
    (12) m a_G·(v)_j + (MS × a + J α + ω × J ω)·(ω)_j

a and α are linear in v̇ with the partial velocities as coefficients, a = Σ (v)_i v̇_i + a°, so that (12)
at (v)_i, (ω)_i without ω is the mass matrix and at a°, α° the bias.
"""

from __future__ import annotations

from typing import Final

from ..errors import ModelError
from ..expr import ZERO, Expr
from ..expr.matrix import Matrix, mirrored
from ..expr.vector import Vector
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.force_projection import Jacobians, generalized_force
from ..kinematics.poses import poses, transform
from ..kinematics.quantity_name import QuantityName
from ..kinematics.steps import Recorder, matrix_inputs, of, vector_inputs
from ..kinematics.velocities import Columns, accelerations, partial_velocities, zeros
from ..model.body import Body
from ..model.robot import Robot
from .derivation import Derivation, force_inputs, record_entries

_RULES: Final = {"M": "(12)", "bias": "(12)", "gravity": "(21)", "Q": "(13), (16)"}


def kane(robot: Robot, record: Recorder | None = None) -> Derivation:
    """M, bias, gravity and generalized forces by Kane's method."""
    n = len(robot.v)
    speeds = ChosenSpeeds(robot)
    tree = robot.tree
    joint_w, joint_v = partial_velocities(tree, record)
    w, v = _by_speed(joint_w, speeds), _by_speed(joint_v, speeds)
    m = accelerations(
        tree, zeros(tree) if speeds.trivial else list(speeds.bias), record, case="bias"
    )
    names = [x.name for x in robot.v]
    if record is not None and not speeds.trivial:
        _record_by_speed(record, speeds, {"w": (joint_w, w), "V": (joint_v, v)})
    M: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    bias: list[Expr] = [ZERO] * n
    for b in robot.bodies:
        if b.inertia.is_zero:
            continue
        k = b.name
        w_k, v_k = w[k], v[k]
        # (12) at v̇_i = 1: the coefficient of v̇_i in equation j
        for i in w_k:
            F, T = _inertia_force(b, v_k[i], w_k[i], None)
            if record is not None:
                by = (names[i],)
                record("(12)", QuantityName("F", k, by=by), F, of("Vw", k, by))
                record("(12)", QuantityName("T", k, by=by), T, of("Vw", k, by))
            for j in w_k:
                if j <= i:
                    M[j][i] = M[j][i] + (F @ v_k[j] + T @ w_k[j])
        # (12) at v̇ = 0
        F, T = _inertia_force(b, m.a[k], m.alpha[k], m.w[k])
        if record is not None:
            moving = [*of(("a", "alpha"), k, case="bias"), *of("w", k)]
            record("(12)", QuantityName("F", k, case="bias"), F, moving)
            record("(12)", QuantityName("T", k, case="bias"), T, moving)
        for j in w_k:
            bias[j] = bias[j] + (F @ v_k[j] + T @ w_k[j])
    J = PartialVelocities(tree, speeds, w, v)
    forces = {f.name: generalized_force(robot, f, J) for f in robot.forces}  # (13), (16)
    D = Derivation(mirrored(M), Vector(bias), _weight(robot, w, v, record), forces)
    if record is not None:
        with_mass = {b.name: w[b.name] for b in robot.bodies if not b.inertia.is_zero}
        everywhere = {b.name: w[b.name] for b in robot.bodies}
        inputs = (
            matrix_inputs(with_mass, names, "F T", "V w")
            | vector_inputs("bias", with_mass, names, "F T", "V w", case="bias")
            | vector_inputs("gravity", everywhere, names, "A", "V w")
            | force_inputs(record, robot, "w V", [(n, n) for n in names])
        )
        record_entries(record, _RULES, names, D, lambda x: inputs.get(x, ()))
    if speeds.trivial:
        return D
    D = D.map(speeds.insert)
    if record is not None:
        record_entries(record, "u = W v", names, D, lambda x: [x])
    return D


def _record_by_speed(
    record: Recorder,
    speeds: ChosenSpeeds,
    columns: dict[str, tuple[dict[str, Columns], dict[str, Columns]]],
) -> None:
    """Record ∂/∂v = Σ ∂/∂u_i W_i of the partial velocities."""
    u, v = speeds.robot.joint_speeds, speeds.robot.v
    record.together(
        (
            "∂/∂v = Σ ∂/∂u_i W_i",
            QuantityName(letter, k, by=(v[j].name,)),
            column,
            [
                x
                for i in by_joint[k]
                if speeds.W[i, j] is not ZERO
                for x in of(letter, k, (u[i].name,))
            ],
        )
        for letter, (by_joint, by_speed) in columns.items()
        for k, chosen in by_speed.items()
        for j, column in chosen.items()
    )


def _by_speed(columns: dict[str, Columns], speeds: ChosenSpeeds) -> dict[str, Columns]:
    """Partial velocities by the chosen speeds"""
    return {k: speeds.by_speed(c) for k, c in columns.items()}


def _inertia_force(b: Body, a: Vector, alpha: Vector, w: Vector | None) -> tuple[Vector, Vector]:
    """(m a_G, MS × a + J α + ω × J ω) of (12); without ω the part that is linear in v̇."""
    m, MS, J = b.inertia.mass, b.inertia.first_moment, b.inertia.tensor
    F = a * m + alpha.cross(MS)
    T = MS.cross(a) + J @ alpha
    if w is not None:
        F = F + w.cross(w.cross(MS))
        T = T + w.cross(J @ w)
    return F, T


def contributions(robot: Robot) -> Matrix:
    """Inertial contribution of each body (column) to each equation (row): KHist of document 000."""
    speeds = ChosenSpeeds(robot)
    tree = robot.tree
    w, v = (_by_speed(x, speeds) for x in partial_velocities(tree))
    m = accelerations(tree, tree.vdot)
    rows: list[list[Expr]] = [[ZERO] * len(robot.bodies) for _ in robot.v]
    for column, b in enumerate(robot.bodies):
        k = b.name
        F, T = _inertia_force(b, m.a[k], m.alpha[k], m.w[k])
        for j in w[k]:
            rows[j][column] = F @ v[k][j] + T @ w[k][j]
    K = Matrix(rows, [x.name for x in robot.v], [b.name for b in robot.bodies])
    return K.map(speeds.insert)


def _weight(
    robot: Robot, w: dict[str, Columns], v: dict[str, Columns], record: Recorder | None
) -> Vector:
    """(21) m_k g·(v_Gk)_j, moved to the left-hand side; m v_G = m v + ω × MS."""
    A = poses(robot.tree, record).rotation
    Q: list[Expr] = [ZERO] * len(robot.v)
    for b in robot.bodies:
        k, m, MS = b.name, b.inertia.mass, b.inertia.first_moment
        g = A[k].T @ robot.gravity
        for j in w[k]:
            Q[j] = Q[j] - g @ (v[k][j] * m + w[k][j].cross(MS))
    return Vector(Q)


class PartialVelocities(Jacobians):
    """(ω_k)_j and (v_n)_j in the frame of the body they belong to."""

    def __init__(
        self, tree: Robot, speeds: ChosenSpeeds, w: dict[str, Columns], v: dict[str, Columns]
    ) -> None:
        self._robot, self._speeds, self._w, self._v = tree, speeds, w, v

    def joint_speed(self, i: int) -> dict[int, Expr]:
        return {j: x for j, x in enumerate(self._speeds.W.rows[i]) if x is not ZERO}

    def angular(self, body: str) -> Columns:
        return self._w[body]

    def linear(self, body: str, point: Vector) -> Columns:
        # (v_n)_j = (v_k)_j + (ω_k)_j × r
        return {j: self._v[body][j] + x.cross(point) for j, x in self._w[body].items()}

    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        return transform(self._robot, frame, body)[0] @ vector


# -- the simplified right-hand side, for trees of revolute joints ------------------------------------
def simplified_right_hand_side(robot: Robot) -> tuple[dict[str, Vector], Vector]:
    """(generalized forces, gravity) by (15), (19) and (23), summed over descendants.

    (15) joint torques give τ_j; (19) a wrench at E gives [e_j × r_E/Oj, e_j]ᵀ [F, τ]; (23) gravity
    gives g·(e_j × Σ m_k r_Gk/Oj) over the descendants k of j. Vectors in the world frame.
    """
    for b in robot.bodies:
        if not b.joint.linear().is_zero:
            raise ModelError(
                f"The simplified right-hand side is for trees of revolute joints; the joint of body "
                f"{b.name!r} also slides."
            )
    J = _AxesAndArms(robot)
    forces = {f.name: generalized_force(robot, f, J) for f in robot.forces}
    Q: list[Expr] = [ZERO] * len(robot.v)
    for joint_body in robot.bodies:
        for j in robot.columns(joint_body):
            arm = Vector([0, 0, 0])  # Σ m_k r_Gk/Oj
            for b in robot.bodies:
                if joint_body in robot.path(b.name):
                    r = J.poses.position[b.name] - J.poses.position[joint_body.name]
                    MS = J.poses.rotation[b.name] @ b.inertia.first_moment
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
                self.axis[j] = self.poses.rotation[b.name] @ b.joint.angular().column(column)

    def angular(self, body: str) -> Columns:
        carried_by = [j for b in self._robot.path(body) for j in self._robot.columns(b)]
        return {j: self.axis[j] for j in carried_by}

    def linear(self, body: str, point: Vector) -> Columns:
        E = self.poses.position[body] + self.poses.rotation[body] @ point
        columns: Columns = {}
        for b in self._robot.path(body):
            for j in self._robot.columns(b):
                columns[j] = self.axis[j].cross(E - self.poses.position[b.name])
        return columns

    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        return self.poses.rotation[frame] @ vector
