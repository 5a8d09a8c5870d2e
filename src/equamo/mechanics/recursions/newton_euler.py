"""Recursive Newton-Euler algorithm: inverse dynamics in two passes, written for few operations.

After Luh, Walker and Paul 1980 in the customised form of Khalil and Kleinfinger 1987: everything about
the frame's origin (inertial parameters enter linearly), and with

    (1) U = α̃ + ω̃ ω̃
    (2) ω_j = A ω_i + S_ω v
    (3) α_j = A α_i + S_ω v̇ + Ṡ_ω v + ω_j × ω_rel
    (4) a_j = A (a_i + U_i P) + S_v v̇ + Ṡ_v v + (2 A ω_i + ω_rel) × v_rel
    (5) f = m a + U MS
    (6) n = J α + ω × J ω + MS × a        its six products shared with U (see `_moment`)
    (7) F_i += X F_j                      handed to the parent, fused
    (8) τ = Sᵀ F
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.graph import LAST_LEAF, NEG
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import ZERO3, Vector
from ...robot.model.body import WORLD, Body
from ...robot.model.force import ForceElement
from ...robot.model.inertia import Inertia
from ...robot.model.robot import Robot
from ...robot.spatial.acceleration import Acceleration
from ...robot.spatial.accumulate import plus_cross, plus_product
from ...robot.spatial.force import Force
from ...robot.spatial.frame import WORLD_FRAME
from ..kinematics.element_forces import BodyForces, element_forces
from ..kinematics.force_projection import affected_speeds, rotor_inertia
from ..kinematics.quantity_name import QuantityName
from ..kinematics.steps import NO_RECORD, Names, Record, Recorder, of

_ALPHA: Final = "α_j = A α_i + S_ω v̇ + Ṡ_ω v + ω_j × ω_rel"
_SUMS: Final = ("f_i += A f", "n_i += A n + P × A f")
_A: Final = "a_j = A (a_i + U_i P) + S_v v̇ + Ṡ_v v + (2 A ω_i + ω_rel) × v_rel"


def inverse_dynamics(
    robot: Robot,
    v: Sequence[Expr],
    vdot: Sequence[Expr],
    gravity: Vector,
    still_base: bool = False,
    elements: Sequence[ForceElement] = (),
    names: dict[Expr, QuantityName] | None = None,
    record: Record = NO_RECORD,
    case: str = "",
) -> Vector:
    """Generalized forces that give v̇ at speeds v, by the recursive Newton-Euler algorithm.

    Args:
        robot: The robot, in its joint speeds.
        v: Joint speeds.
        vdot: Their derivatives.
        gravity: Gravity in the world frame.
        still_base: Leave out the motion of a moving base.
        elements: Force elements that act as well; their loads are subtracted in the backward pass.
        names: Takes the names of intermediate quantities: `w_fore_z`, `a_fore_x`, `f_fore_x`, …
        record: Takes the steps.
        case: Case of the recorded names.

    Returns:
        τ, one entry per joint speed.

    >>> from equamo.robot.library import load
    >>> arm = load("rr_arm")
    >>> inverse_dynamics(arm, [ZERO] * 2, arm.vdot, ZERO3)[1].diff("ddq2").closed_form()
    I2 + Lc2**2*m2
    """
    F = required_forces(robot, v, vdot, gravity, still_base, names, record, case)
    along, on_bodies = total_forces(robot, elements)
    for j, load in on_bodies.items():
        F[j] = F[j] - load
    # A rotor of inertia I_a takes I_a v̇ besides what the bodies take.
    along = [x - I * a for x, I, a in zip(along, rotor_inertia(robot), vdot, strict=True)]
    return Vector(x - y for x, y in zip(_project(robot, F, record, case), along, strict=True))


def required_forces(
    robot: Robot,
    v: Sequence[Expr],
    vdot: Sequence[Expr],
    gravity: Vector,
    still_base: bool = False,
    names: dict[Expr, QuantityName] | None = None,
    record: Record = NO_RECORD,
    case: str = "",
) -> BodyForces:
    """Forward pass, base to tips: force that each body needs for its motion, in its own frame."""
    motions = body_motions(robot, v, vdot, gravity, still_base)
    F: BodyForces = {}
    for b in robot.bodies:
        j, I = b.name, b.inertia
        _, w, a, U = motions[j]
        alpha, linear = a.angular, a.linear
        f = plus_product(linear * I.mass, U, I.first_moment)  # (5)
        n = plus_cross(_moment(I, w, alpha, U), I.first_moment, linear)  # (6)
        F[j] = Force(b.frame, n, f)
        record.aside(_record_body, b, w, a, U, F[j], case)
        if names is not None:
            for letter, x in (("w", w), ("alpha", alpha), ("a", linear), ("f", f), ("n", n)):
                _name(names, letter, j, x)
    return F


@final
class BodyMotion(NamedTuple):
    """Result of (1) to (4) for one body, in its own frame."""

    carried: Vector  # A ω_i, the angular velocity of the parent
    w: Vector
    a: Acceleration  # gravity is treated as an acceleration of the base
    U: Matrix


def body_motions(
    robot: Robot,
    v: Sequence[Expr],
    vdot: Sequence[Expr],
    gravity: Vector,
    still_base: bool = False,
) -> dict[str, BodyMotion]:
    """Motion of every body, in its own frame, and of the world: (1) to (4)."""
    w0, alpha0, a0 = (ZERO3,) * 3 if still_base else (robot.base.w, robot.base.alpha, robot.base.a)
    w: dict[str, Vector] = {WORLD: w0}
    a = {WORLD: Acceleration(WORLD_FRAME, alpha0, a0 - gravity)}
    U: dict[str, Matrix] = {WORLD: acceleration_tensor(w0, alpha0)}
    motions = {WORLD: BodyMotion(w0, w0, a[WORLD], U[WORLD])}
    for b in robot.bodies:
        i, j, own = b.parent, b.name, robot.columns(b)
        X = robot.joint_pose(b)
        A, P = X.inverse.rotation, X.position
        speed = [v[k] for k in own]
        relative, added = b.motion(speed), b.motion([vdot[k] for k in own])
        w_rel, v_rel = relative.angular, relative.linear
        carried = A @ w[i]
        w[j] = carried + w_rel  # (2)
        alpha = A @ a[i].angular + added.angular + w[j].cross(w_rel)  # (3)
        linear = A @ plus_product(a[i].linear, U[i], P) + added.linear  # (4)
        if any(x is not ZERO for x in speed):
            alpha = alpha + b.bias_acceleration.angular
            linear = linear + b.bias_acceleration.linear + (carried + w[j]).cross(v_rel)
        a[j] = Acceleration(b.frame, alpha, linear)
        U[j] = acceleration_tensor(w[j], alpha)  # (1)
        motions[j] = BodyMotion(carried, w[j], a[j], U[j])
    return motions


def _record_body(
    record: Recorder, b: Body, w: Vector, a: Acceleration, U: Matrix, F: Force, case: str
) -> None:
    """Record (1) to (6) of one body."""

    def own(letters: str) -> Names:
        return of(letters, b.name, "", case)

    def parent(letters: str) -> Names:
        return of(letters, b.parent, "", case)

    record("ω_j = A ω_i + S_ω v", own("w"), w, parent("w"))
    record(_ALPHA, own("alpha"), a.angular, own("w"), parent("alpha"))
    record("U = α̃ + ω̃ ω̃", own("U"), U, own("w alpha"))
    record(_A, own("a"), a.linear, own("w"), parent("w alpha U a"))
    record("f = m a + U MS", own("f"), F.force, own("U a"))
    record("n = J α + ω × J ω + MS × a", own("n"), F.moment, own("w alpha U a"))


def _name(names: dict[Expr, QuantityName], letter: str, body: str, vector: Vector) -> None:
    """Name the components that are not symbols or numbers; a node keeps its first name."""
    for c, x in zip("xyz", vector, strict=True):
        minus = x.op == NEG
        node = x.a if minus else x
        if node.op > LAST_LEAF and node not in names:
            names[node] = QuantityName(letter, body, c, minus)


def acceleration_tensor(w: Vector, alpha: Vector) -> Matrix:
    """U = α̃ + ω̃ ω̃, with ω̃ ω̃ = ω ωᵀ − ω·ω 1"""
    (x, y, z), (p, q, r) = w, alpha
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    return Matrix(
        [[-(yy + zz), xy - r, xz + q], [xy + r, -(xx + zz), yz - p], [xz - q, yz + p, -(xx + yy)]]
    )


def _moment(I: Inertia, w: Vector, alpha: Vector, U: Matrix) -> Vector:
    """J α + ω × J ω, written in the entries of U: 15 multiplications, 15 additions."""
    _, _, _, _, XX, XY, XZ, YY, YZ, ZZ = I.ten
    (x, y, z), (p, q, r), u = w, alpha, U.rows
    xx, yy, zz = x * x, y * y, z * z
    return Vector([
        _diagonal(XX, YY, ZZ, p, y * z) - XY * u[2][0] + XZ * u[1][0] + YZ * (yy - zz),
        _diagonal(YY, ZZ, XX, q, x * z) - YZ * u[0][1] + XY * u[2][1] + XZ * (zz - xx),
        _diagonal(ZZ, XX, YY, r, x * y) - XZ * u[1][2] + YZ * u[0][2] + XY * (xx - yy),
    ])  # fmt: skip


def _diagonal(A: Expr, B: Expr, C: Expr, p: Expr, yz: Expr) -> Expr:
    """A p + (C − B) y z, of the moments A, B, C about x, y, z.

    If one moment is the sum of the other two, as base parameters make it, a product is saved, because
    p + y z and p − y z are entries of U.
    """
    if not (yz is ZERO or p is ZERO or B is C):
        if A + B is C:
            return A * (p + yz)
        if A + C is B:
            return A * (p - yz)
        if B + C is A:
            return C * (p + yz) + B * (p - yz)
    return A * p + (C - B) * yz


def _project(
    robot: Robot,
    forces: BodyForces,
    record: Record = NO_RECORD,
    case: str = "",
    by: str = "",
) -> Vector:
    """Backward pass, tips to base: generalized forces of forces on bodies."""
    tau: list[Expr] = [ZERO] * len(robot.v)
    F = dict(forces)
    for b in reversed(robot.bodies):
        i, j = b.parent, b.name
        if j not in F:
            continue
        names, own = of("F N", j, by, case), of("f n", j, by, case)
        record.sum(_SUMS, names, (F[j].force, F[j].moment), robot, own)
        for S, k in zip(b.subspace, robot.columns(b), strict=True):
            tau[k] = S @ F[j]  # (8)
        if i != WORLD:
            total = F[i] if i in F else Force.zero(robot.spatial_frame(i))
            F[i] = total.plus(robot.joint_pose(b), F[j])  # (7)
    return Vector(tau)


def generalized_force(robot: Robot, element: ForceElement, record: Record = NO_RECORD) -> Vector:
    """Generalized force of an element, on the right-hand side: its loads in the backward pass."""
    along, on_bodies = element_forces(robot, element)
    for j, F in on_bodies.items():
        record("load", of("f n", j, element.name, "load"), (F.force, F.moment))
    projected = _project(robot, on_bodies, record, "load", element.name)
    for j in affected_speeds(robot, element):
        along[j] = along[j] + projected[j]
    return Vector(along)


def total_forces(robot: Robot, elements: Sequence[ForceElement]) -> tuple[list[Expr], BodyForces]:
    """(forces along the joint speeds, forces on bodies) of several elements together.

    Internal elements are projected here: joints that carry both of their bodies must not see them.
    """
    along: list[Expr] = [ZERO] * len(robot.v)
    total: BodyForces = {}
    for element in elements:
        if element.internal:
            forces, on_bodies = list(generalized_force(robot, element)), BodyForces()
        else:
            forces, on_bodies = element_forces(robot, element)
        along = [x + y for x, y in zip(along, forces, strict=True)]
        for j, F in on_bodies.items():
            total[j] = total[j] + F if j in total else F
    return along, total
