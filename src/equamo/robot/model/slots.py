"""Table of the kinds of symbols that each quantity of a robot may depend on.

Derivations differentiate some quantities in time, treat others as constant and evaluate the rest at the
current state. A symbol of the wrong kind would be differentiated, or not, by mistake, and all
formulations would agree on the same wrong equations. No quantity may depend on accelerations, because
forward dynamics solves for them.

A robot may have a parameter `t`. If a quantity is differentiated along the motion (poses of custom
joints, rates, constraints), an undeclared `t` would be read as time and its derivative would be missing;
there a parameter `t` must have a value, a unit or a description. Nor may such a quantity jump: the
derivative of sign(q) is 0, so that the jump, and the impact that it is, would be missing too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Flag, auto
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

from ...algebra.expr import Expr, internal, symbol
from ...algebra.expr.functions import ABS, SIGN
from ...algebra.expr.graph import ATAN2, PI_NODE, ZERO
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import depends, symbols, walk
from ...algebra.identity.prove import prove_all, prove_zero
from ...basics.wording import brief
from ...errors import ModelError
from . import forces, joints
from .base_motion import BaseMotion
from .contact import Contact
from .forces.two_points import TwoPoints
from .inertia import Inertia
from .joint import Joint, acceleration_name
from .limits import Limits
from .loop import Loop
from .parameter import Parameter
from .shape import Shape

if TYPE_CHECKING:
    from .robot import Robot

TIME: Final = "t"
TIME_SYMBOL: Final = internal("time", TIME)  # the time of a run, also if a robot has a t of its own


class Kind(Flag):
    """Kind of a symbol of a robot."""

    PARAMETER = auto()
    COORDINATE = auto()
    OWN_COORDINATE = auto()  # of the joint that the slot belongs to
    SPEED = auto()
    ACCELERATION = auto()
    INPUT = auto()
    EXTERNAL = auto()  # load of a wrench
    TIME = auto()


_WORDS: Final = (  # (kind, singular, plural)
    (Kind.PARAMETER, "a parameter", "parameters"),
    (Kind.COORDINATE, "a coordinate", "coordinates"),
    (Kind.OWN_COORDINATE, "a coordinate", "the joint's own coordinates"),
    (Kind.SPEED, "a speed", "speeds"),
    (Kind.ACCELERATION, "an acceleration", "accelerations"),
    (Kind.INPUT, "an input", "inputs"),
    (Kind.EXTERNAL, "an external load", "external loads"),
    (Kind.TIME, "the time", "the time"),
)
_NOT_THE_TIME: Final = "To use a parameter t, declare it in `parameters` with a value or a unit."

CONSTANT: Final = Kind.PARAMETER
POSE: Final = CONSTANT | Kind.COORDINATE
OWN: Final = CONSTANT | Kind.OWN_COORDINATE
# Evaluated at the state, never differentiated.
STATE: Final = POSE | Kind.SPEED | Kind.EXTERNAL | Kind.TIME
LINEAR: Final = POSE | Kind.SPEED  # an equation that is linear in the speeds


class Entry(NamedTuple):
    """Name of a quantity, and the kinds of symbols it may depend on."""

    name: str
    accepts: Kind
    differentiated: int = 0  # how often along the motion, as a function of the coordinates alone


_AXIS: Final = {"axis": Entry("axis", CONSTANT)}

# {class: {field: entry}}; a class also has the fields of its base classes.
TABLE: Final[Mapping[type, Mapping[str, Entry]]] = {
    Inertia: {
        "mass": Entry("mass", CONSTANT),
        "first_moment": Entry("com", CONSTANT),
        "tensor": Entry("inertia", CONSTANT),
    },
    Shape: {
        "size": Entry("size", CONSTANT),
        "at": Entry("at", CONSTANT),
        "turned": Entry("rotation", CONSTANT),
    },
    Limits: {n: Entry(n, CONSTANT) for n in ("lower", "upper", "speed", "effort")},
    # Given with its derivatives, so it is not differentiated.
    BaseMotion: {n: Entry(n, CONSTANT | Kind.TIME) for n in ("w", "v", "alpha", "a")},
    Loop: {
        "at": Entry("at", CONSTANT),
        "axis": Entry("axis", CONSTANT),
        "to_at": Entry("to_at", CONSTANT),
        "to_axis": Entry("to_axis", CONSTANT),
        "length": Entry("length", CONSTANT),
        "rotation": Entry("rotation", CONSTANT),
    },
    Contact: {"at": Entry("at", CONSTANT), "normal": Entry("normal", CONSTANT)},
    # -- joints ------------------------------------------------------------------------------------
    Joint: {"at": Entry("at", CONSTANT), "turned": Entry("rotation", CONSTANT)},
    joints.Fixed: {},
    joints.Revolute: _AXIS,
    joints.Prismatic: _AXIS,
    joints.Cylindrical: _AXIS,
    joints.Helical: {**_AXIS, "pitch": Entry("pitch", CONSTANT)},
    joints.Universal: {},
    joints.Planar: {},
    joints.Spherical: {},
    joints.SphericalEuler: {},
    joints.Free: {},
    joints.FreeEuler: {},
    joints.Custom: {
        "A": Entry("rotation", OWN, differentiated=2),
        "P": Entry("position", OWN, differentiated=2),
        "axis": Entry("axis", OWN, differentiated=1),
    },
    # -- force elements ----------------------------------------------------------------------------
    forces.JointActuator: {"gear": Entry("gear", POSE | Kind.TIME)},  # a part of B(q)
    forces.JointDamper: {"damping": Entry("damping", STATE)},
    forces.JointFriction: {
        "coulomb": Entry("coulomb", STATE),
        "viscous": Entry("viscous", STATE),
        "width": Entry("smoothing", STATE),
    },
    # If they depend on a coordinate there is a force, but no energy.
    forces.JointSpring: {"stiffness": Entry("stiffness", POSE), "rest": Entry("rest", POSE)},
    forces.RotorInertia: {"ratio": Entry("ratio", CONSTANT), "rotor": Entry("rotor", CONSTANT)},
    forces.TorqueActuator: {"torque": Entry("torque", Kind.INPUT)},
    forces.ForceActuator: {
        "force": Entry("force", Kind.INPUT),
        "point": Entry("at", POSE | Kind.TIME),
        "reaction_point": Entry("to_at", POSE | Kind.TIME),
    },
    forces.Wrench: {
        "force": Entry("force", CONSTANT | Kind.EXTERNAL),
        "torque": Entry("torque", CONSTANT | Kind.EXTERNAL),
        "point": Entry("at", STATE),
    },
    # Points fixed to their bodies: the line between them is differentiated under this assumption.
    TwoPoints: {"point": Entry("at", CONSTANT), "other_point": Entry("to_at", CONSTANT)},
    forces.Spring: {"stiffness": Entry("stiffness", POSE), "rest": Entry("rest", POSE)},
    forces.Damper: {"damping": Entry("damping", STATE)},
    forces.Cylinder: {},
}
# Quantities of the robot as a whole, and of user-defined joints and force elements.
GRAVITY: Final = Entry("gravity", CONSTANT)
RATE: Final = Entry("the rate", POSE, differentiated=1)  # entries of W
LINEAR_RATE: Final = Entry("the rate", LINEAR, differentiated=1)  # before it is solved
KEPT: Final = Entry("the formula", LINEAR, differentiated=1)
CONSTRAINT: Final = Entry("the equation", LINEAR, differentiated=1)
ELIMINATED: Final = Entry("the formula", POSE, differentiated=2)
OTHER_JOINT: Final = Entry("a quantity", OWN, differentiated=2)
OTHER_FORCE: Final = Entry("a load", STATE | Kind.INPUT)
ENERGY: Final = Entry("the energy", LINEAR, differentiated=1)


@final
@dataclass(frozen=True, slots=True)
class Slot:
    """Quantity of one robot."""

    entry: Entry
    owner: str  # "force element 'd'", "the joint of body 'b'"; empty for the robot itself
    expressions: tuple[Expr, ...]
    own: tuple[Expr, ...] = ()  # coordinates of the joint that has the quantity
    is_angle: bool = False  # whether whole turns of this coordinate change nothing

    def __str__(self) -> str:
        return f"{self.entry.name} of {self.owner}" if self.owner else self.entry.name


@cache
def entries_of(kind: type) -> Mapping[str, Entry]:
    """Entries of a class by field, including those of its base classes.

    >>> [entry.name for entry in entries_of(forces.Damper).values()]
    ['at', 'to_at', 'damping']
    """
    return {n: e for c in reversed(kind.__mro__) for n, e in TABLE.get(c, {}).items()}


def check_slots(robot: Robot) -> None:
    """Check that all quantities of a robot depend only on accepted symbols; ModelError otherwise."""
    kinds, slots = _kinds(robot), list(_slots(robot))
    mask = depends(walk(e for slot in slots for e in slot.expressions), kinds)
    for slot in slots:
        # Most quantities depend only on parameters, and accept them.
        if Kind.PARAMETER not in slot.entry.accepts or any(mask[e] for e in slot.expressions):
            _check_symbols(slot, kinds, robot.name)
            if slot.entry.differentiated:
                _check_smooth(slot, kinds, robot.name)
    if kinds.get(symbol(TIME)) is Kind.TIME:
        _check_base(robot)


def _check_base(robot: Robot) -> None:
    """Check that a base's motion that is a function of time has its own derivatives.

    A plain symbol is the value of a moment, of which any derivative may be given.
    """
    base, t = robot.base, symbol(TIME)
    v_dot = base.a - base.w.cross(base.v)
    depends_on_time = {n: t in symbols(getattr(base, n).entries) for n in ("w", "v", "alpha")}
    pairs: list[tuple[str, str, Vector, Vector]] = []
    if depends_on_time["w"] or depends_on_time["alpha"]:
        pairs.append(("w", "alpha", base.w, base.alpha))
    if depends_on_time["v"]:
        pairs.append(("v", "a - w × v", base.v, v_dot))
    for name, given, x, rate in pairs:
        for axis, e, de in zip("xyz", x, rate, strict=True):
            right = e.diff(t)
            if (not e.is_symbol or e is t) and not prove_zero(de - right):
                raise ModelError(
                    f"Robot {robot.name!r}: {given} of the base's motion must be the time derivative "
                    f"of its {name}, whose {axis} is {brief(e)} with the derivative {brief(right)}, "
                    f"got {brief(de)}."
                )


def check_equations(
    robot: Robot, names: Iterable[str], entry: Entry, equations: Iterable[tuple[str, Expr]]
) -> None:
    """Check (owner, equation) pairs of chosen speeds, before the equations are solved."""
    kinds = _joint_kinds(robot)
    for n in names:
        kinds.setdefault(symbol(n), Kind.SPEED)
        kinds.setdefault(symbol(acceleration_name(n)), Kind.ACCELERATION)
    for owner, e in equations:
        _check_symbols(Slot(entry, owner, (e,)), kinds, robot.name)


def check_energy(robot: Robot, element: str, energy: Expr) -> None:
    """Check that the energy of a force element depends on the state alone, and does not jump."""
    slot, kinds = Slot(ENERGY, f"force element {element!r}", (energy,)), _kinds(robot)
    _check_symbols(slot, kinds, robot.name)
    _check_smooth(slot, kinds, robot.name)


def _check_smooth(slot: Slot, kinds: Mapping[Expr, Kind], robot: str) -> None:
    """Check that no derivative along the motion jumps before the last one that is used."""
    order = walk(slot.expressions)
    mask = depends(order, (*kinds, *slot.own))
    kinked = (SIGN,) if slot.entry.differentiated == 1 else (SIGN, ABS)
    for n in order:
        if n.op in kinked and mask[n]:
            how = "jump" if slot.entry.differentiated == 1 else "jump or have a kink"
            raise ModelError(f"Robot {robot!r}: {slot} must not {how}, because it is differentiated "
                             f"along the motion; got {brief(n)}.")  # fmt: skip
        if n.op == ATAN2 and mask[n] and not _is_periodic(slot, n):
            raise ModelError(
                f"Robot {robot!r}: {slot} must not jump, because it is differentiated along the motion; "
                f"got {brief(n)}, which jumps by 2π. Write atan(y/x) if x stays positive."
            )


def _is_periodic(slot: Slot, angle: Expr) -> bool:
    """Whether a jump of an angle by 2π changes nothing, or another angle by whole turns."""
    x, turn = internal("angle", ""), 2 * PI_NODE
    e = substitute(slot.expressions, {angle: x})
    jumps = [b - a for a, b in zip(e, substitute(e, {x: x + turn}), strict=True)]
    whole = (0, 1, -1, 2, -2) if slot.is_angle else (0,)
    return any(prove_all([[jump - k * turn for jump in jumps]])[0] for k in whole)


def _check_symbols(slot: Slot, kinds: Mapping[Expr, Kind], robot: str) -> None:
    accepts = slot.entry.accepts
    for x in symbols(slot.expressions):
        kind = Kind.OWN_COORDINATE if x in slot.own else kinds.get(x, Kind.PARAMETER)
        if kind in accepts or (kind is Kind.TIME and not slot.entry.differentiated):
            continue
        *most, last = (plural for k, _, plural in _WORDS if k in accepts)
        valid = f"{', '.join(most)} and {last}" if most else last
        word = next(singular for k, singular, _ in _WORDS if k is kind)
        hint = "" if kind is not Kind.TIME else f" {_NOT_THE_TIME}"
        raise ModelError(f"Robot {robot!r}: {slot} must not depend on {x.name!r}, which is {word}; it "
                         f"may depend only on {valid}.{hint}")  # fmt: skip


# -- the kinds of all symbols ------------------------------------------------------------------------
def _joint_kinds(robot: Robot) -> dict[Expr, Kind]:
    kinds = dict.fromkeys(robot.joint_coordinates, Kind.COORDINATE)
    kinds |= dict.fromkeys(robot.joint_speeds, Kind.SPEED)
    return kinds | dict.fromkeys(robot.joint_accelerations, Kind.ACCELERATION)


def _kinds(robot: Robot) -> dict[Expr, Kind]:
    """Kinds of symbols; those not listed are parameters."""
    kinds = _joint_kinds(robot)
    for group, kind in (
        (robot.v, Kind.SPEED),
        (robot.vdot, Kind.ACCELERATION),
        (robot.inputs, Kind.INPUT),
        (robot.external, Kind.EXTERNAL),
    ):
        for x in group:
            kinds.setdefault(x, kind)
    if robot.parameter_info.get(TIME, Parameter(TIME)) == Parameter(TIME):
        kinds.setdefault(symbol(TIME), Kind.TIME)
    return kinds


# -- the slots of a robot ------------------------------------------------------------------------------
def _slots(robot: Robot) -> Iterator[Slot]:
    yield Slot(GRAVITY, "", robot.gravity.entries)
    yield from _fields(robot.base, "the base's motion")
    for b in robot.bodies:
        yield from _fields(b.inertia, f"body {b.name!r}")
        own, place = b.joint.q, f"the joint of body {b.name!r}"
        yield from _fields(b.joint, place, own)
        if type(b.joint) not in TABLE:
            yield Slot(OTHER_JOINT, place, b.joint.expressions(), own)
    for f in robot.forces:
        yield from _fields(f, f"force element {f.name!r}")
        if type(f) not in TABLE:
            yield Slot(OTHER_FORCE, f"force element {f.name!r}", f.expressions())
    for n, limits in robot.limits.items():
        yield from _fields(limits, f"the limits of {n!r}")
    for n, shapes in robot.shapes.items():
        for shape in shapes:
            yield from _fields(shape, f"a shape of {n!r}")
    for loop in robot.loops:
        yield from _fields(loop, f"loop {loop.name!r}")
    for contact in robot.contacts:
        yield from _fields(contact, f"contact {contact.name!r}")
    yield from _speed_slots(robot)


def _speed_slots(robot: Robot) -> Iterator[Slot]:
    speeds = robot.speed_map
    if speeds is None:
        return
    for n, row in zip(speeds.W.row_names or (), speeds.W.rows, strict=True):
        yield Slot(RATE, repr(n), tuple(row))
    for n, e in speeds.kept:
        yield Slot(KEPT, f"the speed {n!r}", (e,))
    for c in speeds.constraints:
        yield Slot(CONSTRAINT, f"the constraint {c.name!r}", (c.equation,))
    angles = {
        n
        for b in robot.bodies
        for n, S in zip(b.joint.coordinates, b.subspace, strict=False)
        if all(x is ZERO for x in S.linear)
    }
    # The energy of a spring along an angle would jump with it.
    angles -= {f.coordinate for f in robot.forces if isinstance(f, forces.JointSpring)}
    for n, e in speeds.dependent:
        yield Slot(ELIMINATED, f"the eliminated coordinate {n!r}", (e,), is_angle=n in angles)


def _fields(x: object, owner: str, own: tuple[Expr, ...] = ()) -> Iterator[Slot]:
    """Quantities of an object whose class is in the table."""
    for name, entry in entries_of(type(x)).items():
        value: Any = getattr(x, name)
        if value is not None:
            parts = (value,) if isinstance(value, Expr) else value.entries
            yield Slot(entry, owner, parts, own)
