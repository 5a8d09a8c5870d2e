"""Robots from Denavit-Hartenberg tables, standard and modified.

    standard (Denavit and Hartenberg 1955, Paul)   A_i = Rz(θ_i) Tz(d_i) Tx(a_i) Rx(α_i)
    modified (Craig, Khalil and Kleinfinger)       A_i = Rx(α_i) Tx(a_i) Rz(θ_i) Tz(d_i)

The frame `link<i>` is frame i of the table in both, and mass, centre of mass and inertia of a row are
given in it. In the modified convention that frame is on the axis of joint i and is the moving body.
In the standard one joint i is about z of frame i−1: the moving body `body<i>` has its frame on that
axis, the row's inertia is moved there by the constant pose Tz(d) Tx(a) Rx(α), and `link<i>` is a frame
without mass, fixed to it. So every joint has its axis given, and none is found by differentiation.

Drives are those of the Robotics Toolbox (Corke), all referred to the motor, G motor turns a joint turn:
    rotor inertia  G² Jm            viscous friction  G² B q̇            Coulomb friction  |G| Tc±
Tc is one number, or a pair (Tc⁺ ≥ 0, Tc⁻ ≤ 0). A pair that is not symmetric is represented exactly:
    Tc(q̇) = Tc⁺ ((1 + sign q̇)/2)² + |Tc⁻| ((1 − sign q̇)/2)²     times sign(q̇), so 0 at rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, Final, Literal, final

from ..errors import EquamoError, ModelError, UnknownNameError
from ..expr import HALF, ONE, ZERO, Expr, absolute, as_expr, sign, symbol
from ..expr.graph import PI_NODE
from ..expr.matrix import Matrix, identity
from ..expr.vector import ZERO3, Vector, vector3
from ..expr.walk import symbols
from ..model import (
    WORLD,
    Body,
    ForceElement,
    Inertia,
    Joint,
    Parameter,
    Robot,
    fixed,
    joint_actuator,
    joint_friction,
    prismatic,
    revolute,
    rotor_inertia,
)
from ..model.inertia import symmetric
from ..model.joint import speed_name
from ..model.names import read_name
from ..model.rotation import as_rotation, rotation_x, rotation_z

Convention = Literal["standard", "modified"]
SNAP: Final = 1e-11  # [rad] an angle that is so near to a quarter turn is one


@final
@dataclass(frozen=True)
class Row:
    """A row of the table: a link and its joint. The symbol `q`, in theta or in d, is the variable."""

    theta: Any = 0  # [rad]
    d: Any = 0  # [m]
    a: Any = 0  # [m]
    alpha: Any = 0  # [rad]
    q: str = ""  # name of the coordinate, q<i> unless said
    mass: Any = 0  # [kg]
    com: Any = "0 0 0"  # centre of mass in frame link<i> [m]
    inertia: Any = "0 0 0"  # about the centre of mass, in the axes of link<i> [kg m²]
    ten: Any = None  # or m MX MY MZ XX XY XZ YY YZ ZZ about frame link<i>
    Jm: Any = 0  # rotor inertia, at the motor [kg m²]
    G: Any = 1  # gear ratio
    B: Any = 0  # viscous friction, at the motor [N m s/rad]
    Tc: Any = 0  # Coulomb friction, at the motor [N m]; a pair (+, −) where it is not symmetric
    limits: Any = None  # (lower, upper), …


@final
@dataclass(frozen=True)
class _Link:
    """A row made exact."""

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
    """A robot from a DH table. `base` and `tool` are (position, rotation) before and after it.

    Floats within `snap` of a quarter turn are quarter turns. `other` goes to Robot.

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
        raise ModelError(f"The DH table of robot {name!r} has no rows.")
    p, A = _pose(base)
    make = _standard if convention == "standard" else _modified
    bodies = make(links, p, A)
    if tool is not None:
        p, A = _pose(tool)
        bodies.append(Body("tool", fixed(p, A), parent=f"link{len(links)}"))
    limits = {k.q: k.row.limits for k in links if k.row.limits is not None}
    other.setdefault("forces", [*(joint_actuator(symbol(k.q)) for k in links), *_drives(links)])
    other.setdefault("limits", limits)
    return Robot(name, bodies, gravity=gravity, parameters=parameters, **other)


# -- rows ----------------------------------------------------------------------------------------
def _link(i: int, given: Row | Mapping[str, Any], snap: float) -> _Link:
    if not isinstance(given, Row):
        known = [f.name for f in fields(Row)]
        for key in given:
            if key not in known:
                raise UnknownNameError("column", key, known, f"row {i} of the DH table")
        given = Row(**given)
    try:
        name = read_name(given.q or f"q{i}", "the joint variable")
        return _exact_link(name, given, snap)
    except EquamoError as error:
        raise ModelError(f"Row {i} of the DH table: {error}") from None


def _exact_link(name: str, row: Row, snap: float) -> _Link:
    q = symbol(name)
    theta, alpha = _angle(row.theta, snap), _angle(row.alpha, snap)
    d, a = as_expr(row.d), as_expr(row.a)
    where = [n for n, e in (("theta", theta), ("d", d), ("a", a), ("alpha", alpha))
             if q in symbols([e])]  # fmt: skip
    if where not in (["theta"], ["d"]):
        found = f"is in {' and '.join(where)}" if where else "is nowhere"
        raise ModelError(f"the joint variable {name!r} stands in theta (revolute) or in d (prismatic), "
                         f"in one of them; here it {found}.")  # fmt: skip
    slides = where == ["d"]
    offset = ((d if slides else theta) - q).closed_form()
    if q in symbols([offset]):
        raise ModelError(f"{where[0]} is {name} plus an offset, not {d if slides else theta}.")
    return _Link(name, slides, theta if slides else offset, offset if slides else d, a, alpha, row)


def _angle(x: Any, snap: float) -> Expr:
    """An angle; a float near a quarter turn is that."""
    if isinstance(x, float) and math.isfinite(x):
        quarters = round(x / (math.pi / 2))
        if abs(x - quarters * math.pi / 2) <= snap:
            return as_expr(Fraction(quarters, 2)) * PI_NODE
    return as_expr(x)


def _pose(given: tuple[Any, Any] | None) -> tuple[Vector, Matrix]:
    if given is None:
        return ZERO3, identity(3)
    return vector3(given[0]), as_rotation(given[1])


# -- bodies --------------------------------------------------------------------------------------
def _standard(links: list[_Link], p: Vector, A: Matrix) -> list[Body]:
    """p, A: frame i−1 in the moving body i−1, at first the base in the world"""
    bodies: list[Body] = []
    parent = WORLD
    for i, k in enumerate(links, 1):
        # frame i in the moving body: Tz(d) Tx(a) Rx(α), of a prismatic joint Tx(a) Rx(α)
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
        turned = A @ rotation_x(k.alpha)
        if not k.prismatic:
            at = at + turned @ Vector([ZERO, ZERO, k.d])
        inertia = _inertia(k.row, ZERO3, identity(3))
        bodies.append(Body(f"link{i}", _joint(k, at, turned), inertia=inertia, parent=parent))
        parent, p, A = f"link{i}", ZERO3, identity(3)
    return bodies


def _joint(k: _Link, p: Vector, A: Matrix) -> Joint:
    """About z, or along it; the constant part of θ and d goes before it."""
    turned = A @ rotation_z(k.theta)
    if k.prismatic:
        return prismatic(symbol(k.q), "z", at=p + A @ Vector([ZERO, ZERO, k.d]), rotation=turned)
    return revolute(symbol(k.q), "z", at=p, rotation=turned)


def _inertia(row: Row, p: Vector, A: Matrix) -> Inertia:
    """The row's inertia in a frame in which frame i has origin p and rotation A."""
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
    given = k.row.Tc
    forward, backward = given if isinstance(given, (tuple, list)) else (given, -as_expr(given))  # pyright: ignore
    ahead, back = as_expr(forward), -as_expr(backward)
    for what, x in (("Tc+", ahead), ("-Tc-", back)):
        if x.value is not None and x.value < 0:
            raise ModelError(f"Coulomb friction of {k.q!r} opposes the motion: {what} is not negative, "
                             f"{x} is.")  # fmt: skip
    if ahead is back:
        return ahead
    s = sign(symbol(speed_name(k.q)))
    return ahead * ((ONE + s) * HALF) ** 2 + back * ((ONE - s) * HALF) ** 2
