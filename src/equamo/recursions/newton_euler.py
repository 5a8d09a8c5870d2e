"""Recursive Newton-Euler: inverse dynamics, out to the tips and back, written for few operations.

After Luh, Walker and Paul 1980 in the customised form of Khalil and Kleinfinger 1987: everything about
the frame's origin (inertial parameters enter linearly), and with

    U = α̃ + ω̃ ω̃        so that a_j = A (a_i + U_i P) ,   f = m a + U MS
    n = J α + ω × J ω + MS × a, its six products shared with U (see `_moment`)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..expr import ZERO, Expr
from ..expr.graph import LAST_LEAF, NEG
from ..expr.matrix import Matrix
from ..expr.vector import ZERO3, Vector
from ..kinematics.force_projection import BodyGeometry, body_point, felt, rotor_inertia
from ..kinematics.poses import transform
from ..kinematics.quantity_name import QuantityName
from ..kinematics.steps import Recorder, of
from ..model.body import WORLD
from ..model.force import ForceElement, PointForce, SpeedForce
from ..model.inertia import Inertia
from ..model.robot import Robot
from .accumulate import plus_cross, plus_product

_ALPHA: Final = "α_j = A α_i + S_ω v̇ + Ṡ_ω v + ω_j × ω_rel"
_A: Final = "a_j = A (a_i + U_i P) + S_v v̇ + Ṡ_v v + (2 A ω_i + ω_rel) × v_rel"

Wrenches = dict[str, tuple[Vector, Vector]]  # body -> (f, n) at its origin, in its frame


def inverse_dynamics(
    robot: Robot,
    v: Sequence[Expr],
    vdot: Sequence[Expr],
    gravity: Vector,
    still_base: bool = False,
    helped_by: Sequence[ForceElement] = (),
    names: dict[Expr, QuantityName] | None = None,
    record: Recorder | None = None,
    case: str = "",
) -> Vector:
    """Generalized forces that give v̇ at speeds v: Newton-Euler, out to the tips and back.

    The loads of the force elements in `helped_by` are taken off on the way back. Into `names` go the
    names of what is computed on the way: `w_fore_z`, `a_fore_x`, `f_fore_x`, `n_fore_z` …
    Steps go to `record`, their names with this `case`.
    """
    loads = body_wrenches(robot, v, vdot, gravity, still_base, names, record, case)
    direct, wrenches = loads_of(robot, helped_by)
    for j, (f, n) in wrenches.items():
        loads[j] = loads[j][0] - f, loads[j][1] - n
    # A rotor of inertia I_a takes I_a v̇ beside what the bodies take.
    direct = [x - I * a for x, I, a in zip(direct, rotor_inertia(robot), vdot, strict=True)]
    return Vector(x - y for x, y in zip(_project(robot, loads, record, case), direct, strict=True))


def body_wrenches(
    robot: Robot,
    v: Sequence[Expr],
    vdot: Sequence[Expr],
    gravity: Vector,
    still_base: bool = False,
    names: dict[Expr, QuantityName] | None = None,
    record: Recorder | None = None,
    case: str = "",
) -> Wrenches:
    """Force and moment that each body takes to move so, at its origin: the way out to the tips."""
    w0, alpha0, a0 = (ZERO3,) * 3 if still_base else (robot.base.w, robot.base.alpha, robot.base.a)
    w: dict[str, Vector] = {WORLD: w0}
    alpha: dict[str, Vector] = {WORLD: alpha0}
    U: dict[str, Matrix] = {WORLD: _u(w0, alpha0)}
    a: dict[str, Vector] = {WORLD: a0 - gravity}
    loads: Wrenches = {}
    for b in robot.bodies:  # base to tips
        joint, i, j = b.joint, b.parent, b.name
        A, P = joint.rotation.T, joint.position
        own = robot.columns(b)
        speed = Vector(v[k] for k in own)
        S_w, S_v = joint.angular(), joint.linear()
        w_rel, v_rel, v_dot = S_w @ speed, S_v @ speed, Vector(vdot[k] for k in own)
        moving = any(x is not ZERO for x in speed)
        carried = A @ w[i]
        # ω_j = A ω_i + S_ω v
        w[j] = carried + w_rel
        # α_j = A α_i + S_ω v̇ + Ṡ_ω v + ω_j × ω_rel
        alpha[j] = A @ alpha[i] + S_w @ v_dot + w[j].cross(w_rel)
        # a_j = A (a_i + U_i P) + S_v v̇ + Ṡ_v v + (2 A ω_i + ω_rel) × v_rel
        a[j] = A @ plus_product(a[i], U[i], P) + S_v @ v_dot
        if moving:
            alpha[j] = alpha[j] + joint.angular_bias
            a[j] = a[j] + joint.linear_bias + (carried + w[j]).cross(v_rel)
        U[j] = _u(w[j], alpha[j])
        I = b.inertia
        # f = m a + U MS ,  n = J α + ω × J ω + MS × a
        f = plus_product(a[j] * I.mass, U[j], I.first_moment)
        n = plus_cross(_moment(I, w[j], alpha[j], U[j]), I.first_moment, a[j])
        loads[j] = f, n
        if record is not None:
            up, own = of(("w", "alpha", "U", "a"), i, case=case), of(("w", "alpha"), j, case=case)
            record("ω_j = A ω_i + S_ω v", QuantityName("w", j, case=case), w[j], up[:1])
            record(_ALPHA, QuantityName("alpha", j, case=case), alpha[j], [*own[:1], *up[1:2]])
            record("U = α̃ + ω̃ ω̃", QuantityName("U", j, case=case), U[j], own)
            record(_A, QuantityName("a", j, case=case), a[j], [*own[:1], *up])
            moving = [*own, *of("Ua", j, case=case)]
            record("f = m a + U MS", QuantityName("f", j, case=case), f, moving[2:])
            record("n = J α + ω × J ω + MS × a", QuantityName("n", j, case=case), n, moving)
        if names is not None:
            for letter, vector in (
                ("w", w[j]),
                ("alpha", alpha[j]),
                ("a", a[j]),
                ("f", f),
                ("n", n),
            ):
                _name(names, letter, j, vector)
    return loads


def _name(names: dict[Expr, QuantityName], letter: str, body: str, vector: Vector) -> None:
    """Name the components that are worth one: no symbols and numbers, each node once."""
    for c, x in zip("xyz", vector, strict=True):
        minus = x.op == NEG
        node = x.a if minus else x
        if node.op > LAST_LEAF and node not in names:
            names[node] = QuantityName(letter, body, c, minus)


def _u(w: Vector, alpha: Vector) -> Matrix:
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

    Where one moment is the sum of the other two, as base parameters leave it, a product is saved, since
    p + y z and p − y z stand in U.
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
    loads: Wrenches,
    record: Recorder | None = None,
    case: str = "",
    by: tuple[str, ...] = (),
) -> Vector:
    """Tips to base: τ = S_ωᵀ n + S_vᵀ f, then f and n are handed to the parent."""
    tau: list[Expr] = [ZERO] * len(robot.v)
    total = dict(loads)
    for b in reversed(robot.bodies):
        if b.name not in total:
            continue
        f, n = total[b.name]
        if record is not None:
            carried = [c.name for c in robot.bodies if c.parent == b.name]
            parts = [x for c in carried for x in of("FN", c, by, case)]
            known = record.known([*of("fn", b.name, by, case), *parts])
            record("f_i += A f", QuantityName("F", b.name, by=by, case=case), f, known)
            record("n_i += A n + P × A f", QuantityName("N", b.name, by=by, case=case), n, known)
        for (s_w, s_v), j in zip(b.joint.columns, robot.columns(b), strict=True):
            tau[j] = s_w @ n + s_v @ f
        if b.parent != WORLD:
            A, P = b.joint.rotation, b.joint.position
            f_i, n_i = total.get(b.parent, (ZERO3, ZERO3))
            # f_i += A f ,  n_i += A n + P × A f
            n_i = plus_cross(plus_product(n_i, A, n), P, A @ f)
            f_i = plus_product(f_i, A, f) if P.is_zero else f_i + A @ f
            total[b.parent] = f_i, n_i
    return Vector(tau)


def generalized_force(
    robot: Robot, element: ForceElement, record: Recorder | None = None
) -> Vector:
    """The element's force on the right-hand side, its loads handed down the tree."""
    direct, loads = _loads(robot, element)
    by = (element.name,)
    if record is not None:
        for j, (f, n) in loads.items():
            record("load", QuantityName("f", j, by=by, case="load"), f)
            record("load", QuantityName("n", j, by=by, case="load"), n)
    handed = _project(robot, loads, record, "load", by)
    for j in felt(robot, element):
        direct[j] = direct[j] + handed[j]
    return Vector(direct)


def loads_of(robot: Robot, elements: Sequence[ForceElement]) -> tuple[list[Expr], Wrenches]:
    """(forces along speeds, force and moment on each body) of several elements together."""
    direct: list[Expr] = [ZERO] * len(robot.v)
    total: Wrenches = {}
    for element in elements:
        if element.internal:
            forces, wrenches = list(generalized_force(robot, element)), Wrenches()
        else:
            forces, wrenches = _loads(robot, element)
        direct = [x + y for x, y in zip(direct, forces, strict=True)]
        for j, (f, n) in wrenches.items():
            f_j, n_j = total.get(j, (ZERO3, ZERO3))
            total[j] = f_j + f, n_j + n
    return direct, total


def _loads(robot: Robot, element: ForceElement) -> tuple[list[Expr], Wrenches]:
    """(forces along speeds, force and moment at the origin of each body in its frame)."""
    names = [x.name for x in robot.v]
    direct: list[Expr] = [ZERO] * len(names)
    loads: Wrenches = {}
    for load in element.loads(BodyGeometry(robot)):
        if isinstance(load, SpeedForce):
            k = names.index(load.speed)
            direct[k] = direct[k] + load.force
            continue
        if load.body == WORLD:
            continue
        A, _ = transform(robot, load.expressed_in, load.body)
        f, n = loads.get(load.body, (ZERO3, ZERO3))
        if isinstance(load, PointForce):
            F = A @ load.force
            loads[load.body] = f + F, n + body_point(robot, load).cross(F)
        else:
            loads[load.body] = f, n + A @ load.torque
    return direct, loads
