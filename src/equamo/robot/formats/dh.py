"""Robots from Denavit-Hartenberg tables, standard and modified.

    standard (Denavit and Hartenberg 1955, Paul)   A_i = Rz(θ_i) Tz(d_i) Tx(a_i) Rx(α_i)
    modified (Craig, Khalil and Kleinfinger)       A_i = Rx(α_i) Tx(a_i) Rz(θ_i) Tz(d_i)

In both conventions `link<i>` is frame i of the table, and the mass, centre of mass and inertia of row i
are expressed in it. In the modified convention frame i lies on the axis of joint i and moves with the
body. In the standard convention joint i acts about z of frame i−1, so the moving body `body<i>` has its
frame on that axis, the inertia of the row is transformed by the constant pose Tz(d) Tx(a) Rx(α), and
`link<i>` is a massless frame fixed to it. Every joint axis is therefore known without differentiation.

Drives follow the Robotics Toolbox (Corke). All quantities refer to the motor, which makes G turns per
turn of the joint:
    rotor inertia  G² Jm            viscous friction  G² B q̇            Coulomb friction  |G| Tc±
Tc is a number or a pair (Tc⁺ ≥ 0, Tc⁻ ≤ 0). An asymmetric pair is represented exactly:
    Tc(q̇) = Tc⁺ ((1 + sign q̇)/2)² + |Tc⁻| ((1 − sign q̇)/2)²     multiplied by sign(q̇), so 0 at rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, Final, Literal, final

from ...algebra.expr import HALF, ONE, ZERO, Expr, absolute, as_expr, sign, symbol
from ...algebra.expr.graph import PI_NODE
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import ZERO3, Vector, vector3
from ...algebra.expr.walk import symbols
from ...errors import EquamoError, ModelError, UnknownNameError
from ..model import (
    WORLD,
    Body,
    ForceElement,
    Inertia,
    Joint,
    Parameter,
    Robot,
    fixed,
    joint_friction,
    prismatic,
    revolute,
    rotor_inertia,
)
from ..model.forces import joint_actuators
from ..model.inertia import symmetric
from ..model.joint import speed_name
from ..model.names import read_name
from ..model.rotation import as_rotation, rotation_x, rotation_z

Convention = Literal["standard", "modified"]
SNAP: Final = 1e-11  # [rad] angles this close to a quarter turn are read as one


@final
@dataclass(frozen=True)
class Row:
    """Row of a DH table: one joint and its link. The joint variable `q` appears in theta or in d."""

    theta: Any = 0  # [rad]
    d: Any = 0  # [m]
    a: Any = 0  # [m]
    alpha: Any = 0  # [rad]
    q: str = ""  # name of the coordinate, by default q<i>
    mass: Any = 0  # [kg]
    com: Any = "0 0 0"  # centre of mass in frame link<i> [m]
    inertia: Any = "0 0 0"  # about the centre of mass, in the axes of link<i> [kg m²]
    ten: Any = None  # instead of the three: m MX MY MZ XX XY XZ YY YZ ZZ about frame link<i>
    Jm: Any = 0  # rotor inertia, at the motor [kg m²]
    G: Any = 1  # gear ratio
    B: Any = 0  # viscous friction, at the motor [N m s/rad]
    Tc: Any = 0  # Coulomb friction, at the motor [N m]; a pair (+, −) if it is not symmetric
    limits: Any = None  # (lower, upper), …


@final
@dataclass(frozen=True)
class _Link:
    """Row with exact entries."""

    q: str
    prismatic: bool
    theta: Expr  # without the variable
    d: Expr
    a: Expr
    alpha: Expr
    row: Row = field(repr=False)


def dh_robot(
    name: str,
    rows: Iterable[Row | Mapping[str, Any]],
    convention: Convention = "standard",
    gravity: Any = "0 0 -g",
    base: tuple[Any, Any] | None = None,
    tool: tuple[Any, Any] | None = None,
    parameters: Mapping[str, Any] | Iterable[Parameter] = (),
    snap: float = SNAP,
    **other: Any,
) -> Robot:
    """Build a robot from a DH table.

    Args:
        name: Name of the robot.
        rows: One row per joint, from the base to the tip; a mapping has the fields of `Row` as keys.
        convention: "standard" or "modified".
        gravity: Gravitational acceleration in the world frame [m/s²].
        base: Position and rotation of the first frame in the world.
        tool: Position and rotation of a frame `tool` in the last frame.
        parameters: Parameters of the robot, or their values by name.
        snap: Floats this close to a quarter turn are read as quarter turns [rad].
        **other: Further arguments of `Robot`.

    Returns:
        The robot, with one actuator per joint and the drives of the rows.

    Raises:
        UnknownNameError: The convention or a column does not exist.
        ModelError: The table is empty, or a row does not describe a link.

    >>> rr = dh_robot("rr", [Row("q1", a="L1", mass="m1"), Row("q2", a="L2", mass="m2")])
    >>> [b.name for b in rr.bodies]
    ['body1', 'link1', 'body2', 'link2']
    >>> rr.bodies[2].joint.position
    Vector([L1, 0, 0])
    """
    if convention not in ("standard", "modified"):
        raise UnknownNameError("DH convention", convention, ("standard", "modified"))
    links = [_link(i, r, snap) for i, r in enumerate(rows, 1)]
    if not links:
        raise ModelError(f"The DH table of robot {name!r} must have at least one row, got none.")
    p, A = _pose(base)
    make = _standard if convention == "standard" else _modified
    bodies = make(links, p, A)
    if tool is not None:
        p, A = _pose(tool)
        bodies.append(Body("tool", fixed(p, A), parent=f"link{len(links)}"))
    limits = {k.q: k.row.limits for k in links if k.row.limits is not None}
    other.setdefault("forces", [*joint_actuators(symbol(k.q) for k in links), *_drives(links)])
    other.setdefault("limits", limits)
    return Robot(name, bodies, gravity=gravity, parameters=parameters, **other)


# -- rows ----------------------------------------------------------------------------------------
def _link(i: int, row: Row | Mapping[str, Any], snap: float) -> _Link:
    if not isinstance(row, Row):
        columns = [f.name for f in fields(Row)]
        for key in row:
            if key not in columns:
                raise UnknownNameError("column", key, columns, f"row {i} of the DH table")
        row = Row(**row)
    try:
        name = read_name(row.q or f"q{i}", "the joint variable")
        return _exact_link(name, row, snap)
    except EquamoError as error:
        raise ModelError(f"Row {i} of the DH table: {error}") from None


def _exact_link(name: str, row: Row, snap: float) -> _Link:
    q = symbol(name)
    theta, alpha = _angle(row.theta, snap), _angle(row.alpha, snap)
    d, a = as_expr(row.d), as_expr(row.a)
    columns = [
        n for n, e in (("theta", theta), ("d", d), ("a", a), ("alpha", alpha)) if q in symbols([e])
    ]
    if columns not in (["theta"], ["d"]):
        raise ModelError(f"the joint variable {name!r} must appear in theta (revolute) or in d "
                         f"(prismatic) only, got {' and '.join(columns) or 'neither'}.")  # fmt: skip
    slides = columns == ["d"]
    offset = ((d if slides else theta) - q).closed_form()
    if q in symbols([offset]):
        raise ModelError(
            f"{columns[0]} must be {name} plus an offset, got {d if slides else theta}."
        )
    return _Link(name, slides, theta if slides else offset, offset if slides else d, a, alpha, row)


def _angle(x: Any, snap: float) -> Expr:
    """Angle as an expression; floats near a quarter turn become one."""
    if isinstance(x, float) and math.isfinite(x):
        quarters = round(x / (math.pi / 2))
        if abs(x - quarters * math.pi / 2) <= snap:
            return as_expr(Fraction(quarters, 2)) * PI_NODE
    return as_expr(x)


def _pose(pose: tuple[Any, Any] | None) -> tuple[Vector, Matrix]:
    if pose is None:
        return ZERO3, identity(3)
    return vector3(pose[0]), as_rotation(pose[1])


# -- bodies --------------------------------------------------------------------------------------
def _standard(links: list[_Link], p: Vector, A: Matrix) -> list[Body]:
    """Bodies of a standard table; p, A is the pose of frame i−1 in body i−1, initially of the base."""
    bodies: list[Body] = []
    parent = WORLD
    for i, k in enumerate(links, 1):
        # frame i in the moving body: Tz(d) Tx(a) Rx(α); for a prismatic joint Tx(a) Rx(α)
        offset = Vector([k.a, ZERO, ZERO if k.prismatic else k.d])
        twist = rotation_x(k.alpha)
        inertia = _inertia(k.row, offset, twist)
        bodies.append(Body(f"body{i}", _joint(k, p, A), inertia=inertia, parent=parent))
        parent = f"body{i}"
        bodies.append(Body(f"link{i}", fixed(offset, twist), parent=parent))
        p, A = offset, twist
    return bodies


def _modified(links: list[_Link], p: Vector, A: Matrix) -> list[Body]:
    bodies: list[Body] = []
    parent = WORLD
    for i, k in enumerate(links, 1):
        # Rx(α) Tx(a) Rz(θ) Tz(d): the body's frame is frame i
        at = p + A @ Vector([k.a, ZERO, ZERO])
        rotation = A @ rotation_x(k.alpha)
        if not k.prismatic:
            at = at + rotation @ Vector([ZERO, ZERO, k.d])
        inertia = _inertia(k.row, ZERO3, identity(3))
        bodies.append(Body(f"link{i}", _joint(k, at, rotation), inertia=inertia, parent=parent))
        parent, p, A = f"link{i}", ZERO3, identity(3)
    return bodies


def _joint(k: _Link, p: Vector, A: Matrix) -> Joint:
    """Joint about or along z, placed after the constant parts of θ and d."""
    rotation = A @ rotation_z(k.theta)
    if k.prismatic:
        return prismatic(symbol(k.q), "z", at=p + A @ Vector([ZERO, ZERO, k.d]), rotation=rotation)
    return revolute(symbol(k.q), "z", at=p, rotation=rotation)


def _inertia(row: Row, p: Vector, A: Matrix) -> Inertia:
    """Inertia of the row, expressed in a frame in which frame i has origin p and rotation A."""
    if row.ten is not None:
        inertia = Inertia.about_origin(row.ten)
        return inertia if p.is_zero and identity(3) == A else inertia.moved(A, p)
    J = A @ symmetric(row.inertia) @ A.T
    six = [J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2]]
    return Inertia.central(row.mass, p + A @ vector3(row.com), six)


# -- drives --------------------------------------------------------------------------------------
def _drives(links: list[_Link]) -> list[ForceElement]:
    rotors: list[ForceElement] = []
    friction: list[ForceElement] = []
    for k in links:
        G, Jm, B = (as_expr(x) for x in (k.row.G, k.row.Jm, k.row.B))
        if Jm is not ZERO and G is not ZERO:
            rotors.append(rotor_inertia(symbol(k.q), Jm, G))
        coulomb = _coulomb(k) * absolute(G)
        if coulomb is not ZERO or B is not ZERO:
            friction.append(joint_friction(symbol(k.q), coulomb, G**2 * B))
    return [*rotors, *friction]


def _coulomb(k: _Link) -> Expr:
    """Tc as a function of the direction of motion."""
    Tc = k.row.Tc
    plus, minus = Tc if isinstance(Tc, (tuple, list)) else (Tc, -as_expr(Tc))  # pyright: ignore
    forward, backward = as_expr(plus), -as_expr(minus)
    for what, x in (("Tc+", forward), ("-Tc-", backward)):
        if x.value is not None and x.value < 0:
            raise ModelError(
                f"Coulomb friction of {k.q!r} must oppose the motion: {what} must be ≥ 0, got {x}."
            )
    if forward is backward:
        return forward
    s = sign(symbol(speed_name(k.q)))
    return forward * ((ONE + s) * HALF) ** 2 + backward * ((ONE - s) * HALF) ** 2
