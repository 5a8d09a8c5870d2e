"""Gibbs-Appell equations: ∂S/∂v̇ = generalized force, with S the energy of acceleration.

For a rigid body with everything about its frame's origin (Gibbs 1879; Appell 1899; the integral of
½ |a + α × r + ω × (ω × r)|² dm, terms without accelerations left out),

    S_k = ½ m a·a + a·(α × MS + ω × (ω × MS)) + ½ α·J α + α·(ω × J ω)

S is differentiated by a and α; they are linear in v̇, and their coefficients come from differentiating
the acceleration recursion by v̇.
"""

from __future__ import annotations

from typing import Final

from ..expr import HALF, ZERO, Expr, internal
from ..expr.differentiate import gradient, jacobian, linear_coefficients
from ..expr.matrix import Matrix, mirrored
from ..expr.substitute import substitute
from ..expr.vector import Vector
from ..kinematics.force_projection import Jacobians, generalized_force
from ..kinematics.poses import poses
from ..kinematics.quantity_name import QuantityName
from ..kinematics.steps import Recorder, matrix_inputs, of, vector_inputs
from ..kinematics.velocities import BodyMotions, Columns, accelerations, zeros
from ..model.body import Body
from ..model.robot import Robot
from .derivation import Derivation, force_inputs, record_entries

_RULES: Final = {
    "M": "∂²S/∂v̇²",
    "bias": "∂S/∂v̇ at v̇ = 0",
    "gravity": "−G·∂(a, α)/∂v̇",
    "Q": "Q = Jᵀ F",
}

# a, α, ω of one body while S is differentiated
_A = Vector(internal("a", c) for c in "xyz")
_ALPHA = Vector(internal("alpha", c) for c in "xyz")
_W = Vector(internal("omega", c) for c in "xyz")


def gibbs_appell(robot: Robot, record: Recorder | None = None) -> Derivation:
    """M, bias, gravity and generalized forces from the energy of acceleration.

    Args:
        robot: The robot, in its joint speeds.
        record: Takes the steps.

    >>> from equamo.robots import load
    >>> gibbs_appell(load("rr_arm")).mass_matrix[1, 1].closed_form()
    I2 + Lc2**2*m2
    """
    n = len(robot.v)
    motion = accelerations(robot, robot.vdot, record)
    still = accelerations(robot, zeros(robot), record, case="bias")
    J = AccelerationJacobians(robot, motion)
    M: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    bias: list[Expr] = [ZERO] * n
    gravity: list[Expr] = [ZERO] * n
    X = poses(robot, record)
    names = [x.name for x in robot.v]
    if record is not None:
        for k in (b.name for b in robot.bodies):
            for j in J.a[k]:
                by = (names[j],)
                record("∂α/∂v̇", QuantityName("w", k, by=by), J.alpha[k][j], of(("alpha",), k))
                record("∂a/∂v̇", QuantityName("V", k, by=by), J.a[k][j], of("a", k))
    for b in robot.bodies:
        if b.inertia.is_zero:
            continue
        a_j, alpha_j = J.a[b.name], J.alpha[b.name]
        # S is quadratic: ∂S/∂(a, α) = H (a, α) + c(ω)
        S = acceleration_energy(b)
        slope = gradient(S, [*_A, *_ALPHA])
        rows, c = linear_coefficients(slope, [*_A, *_ALPHA])
        H, k = Matrix(rows), b.name
        # ∂S/∂v̇_i = ∂S/∂a·∂a/∂v̇_i + ∂S/∂α·∂α/∂v̇_i; at v̇ = 0 the bias, its slope in v̇ the mass matrix
        w, a = still.velocity[k].angular, still.acceleration[k]
        gyroscopic = Vector(substitute(c, dict(zip(_W, w, strict=True))))
        force = H @ Vector([*a.linear, *a.angular]) + gyroscopic
        g = X[k].rotation.T @ robot.gravity
        weight = Vector([*(g * b.inertia.mass), *b.inertia.first_moment.cross(g)])
        columns = {i: Vector([*a_j[i], *alpha_j[i]]) for i in a_j}
        if record is not None:
            record("S_k", QuantityName("S", k), S)
            record("H = ∂²S/∂(a, α)²", QuantityName("H", k), H, of("S", k))
            record("c(ω)", QuantityName("c", k), gyroscopic, of("Sw", k))
            known = [*of("Hc", k), *of(("a", "alpha"), k, case="bias")]
            record("∂S/∂(a, α)", QuantityName("dS", k, case="bias"), force, known)
            record("(m g, MS × g)", QuantityName("G", k), weight, of("A", k))
        for i, column in columns.items():
            bias[i] = bias[i] + force @ column
            gravity[i] = gravity[i] - weight @ column
            slope_i = H @ column
            if record is not None:
                by = (names[i],)
                known = [*of("H", k), *of("Vw", k, by)]
                record("∂S/∂(a, α)", QuantityName("dS", k, by=by), slope_i, known)
            for j in columns:
                if j <= i:
                    M[j][i] = M[j][i] + slope_i @ columns[j]
    forces = {f.name: generalized_force(robot, f, J) for f in robot.forces}
    D = Derivation(mirrored(M), Vector(bias), Vector(gravity), forces)
    if record is not None:
        massive = {b.name: J.a[b.name] for b in robot.bodies if not b.inertia.is_zero}
        inputs = (
            matrix_inputs(massive, names, "dS", "V w")
            | vector_inputs("bias", massive, names, "dS", "V w", case="bias")
            | vector_inputs("gravity", massive, names, "G", "V w")
            | force_inputs(record, robot, "w V", [(n, n) for n in names])
        )
        record_entries(record, _RULES, names, D, lambda x: inputs.get(x, ()))
    return D


def acceleration_energy(b: Body) -> Expr:
    """S of one body in a, α, ω (components in its frame)."""
    m, MS, J = b.inertia.mass, b.inertia.first_moment, b.inertia.tensor
    a, alpha, w = _A, _ALPHA, _W
    return (
        HALF * (m * (a @ a))
        + a @ (alpha.cross(MS) + w.cross(w.cross(MS)))
        + HALF * (alpha @ (J @ alpha))
        + alpha @ w.cross(J @ w)
    )


class AccelerationJacobians(Jacobians):
    """∂a/∂v̇ and ∂α/∂v̇, which are ∂V/∂v and ∂ω/∂v, by differentiating the accelerations."""

    def __init__(self, robot: Robot, motion: BodyMotions) -> None:
        self._robot, self._poses = robot, poses(robot)
        self.a: dict[str, Columns] = {"world": {}}
        self.alpha: dict[str, Columns] = {"world": {}}
        names = [b.name for b in robot.bodies]
        by_body = [motion.acceleration[k] for k in names]
        D = jacobian([x for a in by_body for x in (*a.linear, *a.angular)], robot.vdot)
        for i, k in enumerate(names):
            own = [j for c in robot.path(k) for j in robot.columns(c)]
            self.a[k] = {j: Vector([D[6 * i + r][j] for r in range(3)]) for j in own}
            self.alpha[k] = {j: Vector([D[6 * i + 3 + r][j] for r in range(3)]) for j in own}

    def angular(self, body: str) -> Columns:
        return self.alpha[body]

    def linear(self, body: str, point: Vector) -> Columns:
        return {j: a + self.alpha[body][j].cross(point) for j, a in self.a[body].items()}

    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        return self._poses[body].rotation.T @ (self._poses[frame].rotation @ vector)
