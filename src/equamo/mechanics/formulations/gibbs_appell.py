"""Gibbs-Appell equations: ∂S/∂v̇ = generalized force, with S the energy of acceleration.

For a rigid body with everything about its frame's origin (Gibbs 1879; Appell 1899; the integral of
½ |a + α × r + ω × (ω × r)|² dm, terms without accelerations left out),

    S_k = ½ m a·a + a·(α × MS + ω × (ω × MS)) + ½ α·J α + α·(ω × J ω)

S is differentiated by a and α, which are linear in v̇, and then backwards through the recursion of
accelerations, which yields ∂S/∂v̇ of all speeds at once. The derivative of ∂S/∂v̇ by v̇ is the mass
matrix.
"""

from __future__ import annotations

from typing import Final

from ...algebra.expr import HALF, Expr, internal
from ...algebra.expr.differentiate import gradient, hessian, jacobian, pullback
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...algebra.identity.linearity import linear_coefficients
from ...robot.model.robot import Robot
from ..kinematics.force_projection import Jacobians, generalized_force
from ..kinematics.poses import poses
from ..kinematics.steps import NO_RECORD, Record, Recorder, of
from ..kinematics.velocities import BodyMotions, Columns, accelerations, zeros
from .derivation import Derivation
from .entries import path_speeds, record_sums

_RULES: Final = {
    "M": "∂²S/∂v̇²",
    "bias": "∂S/∂v̇ at v̇ = 0",
    "gravity": "−G·∂(a, α)/∂v̇",
    "Q": "Q = Jᵀ F",
}

# m, MS, J and a, α, ω of one body while S is differentiated
_MASS = internal("inertia", "m")
_MS = Vector(internal("inertia", f"MS_{c}") for c in "xyz")
_TENSOR = [internal("inertia", c) for c in ("xx", "yy", "zz", "xy", "xz", "yz")]
_J = Matrix([[_TENSOR[i] for i in row] for row in ((0, 3, 4), (3, 1, 5), (4, 5, 2))])
_A = Vector(internal("a", c) for c in "xyz")
_ALPHA = Vector(internal("alpha", c) for c in "xyz")
_W = Vector(internal("omega", c) for c in "xyz")


def gibbs_appell(robot: Robot, record: Record = NO_RECORD) -> Derivation:
    """M, bias, gravity and generalized forces from the energy of acceleration.

    Args:
        robot: The robot, in its joint speeds.
        record: Takes the steps.

    >>> from equamo.robot.library import load
    >>> gibbs_appell(load("rr_arm")).mass_matrix[1, 1].closed_form()
    I2 + Lc2**2*m2
    """
    motion = accelerations(robot, robot.vdot, record)
    X = poses(robot, record)
    inertial: list[tuple[Expr, Expr]] = []  # components of a and α, with ∂S/∂a and ∂S/∂α
    weights: list[tuple[Expr, Expr]] = []  # the same with the weight (m g, MS × g)
    slope, c = _quadratic_slope()
    for b in robot.bodies:
        if b.inertia.is_zero:
            continue
        m, MS, J, k = b.inertia.mass, b.inertia.first_moment, b.inertia.tensor, b.name
        w, a = motion.velocity[k].angular, motion.acceleration[k]
        known = dict(zip((_MASS, *_MS, *_J.entries, *_W), (m, *MS, *J.entries, *w), strict=True))
        H = slope.subs(known)
        gyroscopic = c.subs(known)
        moved = Vector([*a.linear, *a.angular])
        force = H @ moved + gyroscopic  # (3)
        g = X[k].rotation.T @ robot.gravity
        weight = Vector([*(g * m), *MS.cross(g)])
        inertial += zip(moved, force, strict=True)
        weights += zip(moved, weight, strict=True)
        record.aside(_record_energy, k, m, MS, J)
        record("H = ∂²S/∂(a, α)²", of("H", k), H, of("S", k))
        record("c(ω)", of("c", k), gyroscopic, of("S w", k))
        record("∂S/∂(a, α)", of("dS", k), force, of("H c a alpha", k))
        record("(m g, MS × g)", of("G", k), weight, of("A", k))
    # (4) ∂S/∂v̇_i = Σ_k ∂S/∂a·∂a/∂v̇_i + ∂S/∂α·∂α/∂v̇_i
    # (1) At v̇ = 0 it is the bias; its derivative by v̇ is the mass matrix.
    slopes = pullback(inertial, robot.vdot)
    M = Matrix(hessian(slopes, robot.vdot))
    bias = Vector(substitute(slopes, dict(zip(robot.vdot, zeros(robot), strict=True))))
    gravity = -Vector(pullback(weights, robot.vdot))
    J = AccelerationJacobians(robot, motion)
    forces = {f.name: generalized_force(robot, f, J) for f in robot.forces}
    D = Derivation(M, bias, gravity, forces)
    record.aside(_record_result, robot, J, D)
    return D


def acceleration_energy(m: Expr, MS: Vector, J: Matrix) -> Expr:
    """S of one body in a, α, ω (components in its frame)."""
    a, alpha, w = _A, _ALPHA, _W
    return (
        HALF * (m * (a @ a))  # (2)
        + a @ (alpha.cross(MS) + w.cross(w.cross(MS)))
        + HALF * (alpha @ (J @ alpha))
        + alpha @ w.cross(J @ w)
    )


def _quadratic_slope() -> tuple[Matrix, Vector]:
    """(H, c) of any body: S is quadratic, ∂S/∂(a, α) = H (a, α) + c(ω)."""
    both = [*_A, *_ALPHA]
    rows, c = linear_coefficients(gradient(acceleration_energy(_MASS, _MS, _J), both), both)
    return Matrix(rows), Vector(c)


class AccelerationJacobians(Jacobians):
    """∂a/∂v̇ and ∂α/∂v̇, which are ∂V/∂v and ∂ω/∂v, by differentiating the accelerations.

    Only for bodies on which a force element acts.
    """

    def __init__(self, robot: Robot, motion: BodyMotions) -> None:
        self._robot, self._poses, self._motion = robot, poses(robot), motion
        self.a: dict[str, Columns] = {"world": {}}
        self.alpha: dict[str, Columns] = {"world": {}}

    def _differentiate(self, body: str) -> None:
        own = [j for c in self._robot.path(body) for j in self._robot.columns(c)]
        a = self._motion.acceleration[body]
        D = jacobian([*a.linear, *a.angular], [self._robot.vdot[j] for j in own])
        self.a[body] = {j: Vector([D[r][c] for r in range(3)]) for c, j in enumerate(own)}
        self.alpha[body] = {j: Vector([D[3 + r][c] for r in range(3)]) for c, j in enumerate(own)}

    def angular(self, body: str) -> Columns:
        if body not in self.alpha:
            self._differentiate(body)
        return self.alpha[body]

    def linear(self, body: str, point: Vector) -> Columns:
        alpha = self.angular(body)
        return {j: a + alpha[j].cross(point) for j, a in self.a[body].items()}

    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        return self._poses[body].rotation.T @ (self._poses[frame].rotation @ vector)


# -- steps -------------------------------------------------------------------------------------------
def _record_energy(record: Recorder, k: str, m: Expr, MS: Vector, J: Matrix) -> None:
    """Record S of a body; the method needs its derivatives only."""
    record("S_k", of("S", k), acceleration_energy(m, MS, J))


def _record_result(record: Recorder, robot: Robot, J: AccelerationJacobians, D: Derivation) -> None:
    """Record the columns that force elements need, and the entries of the result."""
    v = [x.name for x in robot.v]
    for k in (b.name for b in robot.bodies if b.name in J.a):
        for j in J.a[k]:
            record("∂α/∂v̇", of("w", k, v[j]), J.alpha[k][j], of("alpha", k))
            record("∂a/∂v̇", of("V", k, v[j]), J.a[k][j], of("a", k))
    record_sums(
        record, _RULES, v, D, robot, path_speeds(robot),
        M=lambda k, j, i: [of("dS", k), of("a alpha", k)],
        bias=lambda k, j: [of("dS", k), of("a alpha", k)],
        gravity=lambda k, j: [of("G", k), of("a alpha", k)],
        Q=lambda f, j: of("w V", f.bodies(), j),
    )  # fmt: skip
