"""Read TOML model files: a whole Robot as text, with symbols allowed in every quantity.

    equamo = 1                                      # version of this format
    name = "rr"
    gravity = "0 -g 0"

    [[bodies]]
    name = "upper"
    joint = { kind = "revolute", q = "q1", axis = "z" }
    mass = "m1"
    com = "Lc1 0 0"
    inertia = "0 I1 I1"                             # about the centre of mass; or ten = "m MX … ZZ"

Further keys are the arguments of Robot: description, base, parameters, forces, home, limits, notation,
speeds, rates, constraints, eliminate, loops, contacts, mode, shapes. Unknown keys are errors; every
error names file, line, table and key. Decimal numbers are exact. `keys_of_tables` has all keys.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from ...algebra.expr import Expr, symbol
from ...basics.wording import brief, counted
from ...errors import EquamoError
from ..model import (
    BaseMotion,
    Body,
    Constraint,
    ForceElement,
    Inertia,
    Joint,
    Parameter,
    Robot,
    constraint as constraint_of,
    forces as kinds_of_force,
    joints as kinds_of_joint,
)
from ..model.joint import speed_name
from ..model.joints.spherical import is_placement
from ..model.names import read_name, read_names
from ..model.rotation import as_rotation
from .text_file import read_text
from .toml_loops import CONTACT_KEYS, LOOP_KEYS, axis_of, contact_of, loop_of
from .toml_positions import Positions
from .toml_shapes import SHAPE_KEYS, shapes_of
from .toml_table import Table, parse_toml

VERSION: Final = 1

_KEYS: Final = (
    "equamo", "name", "description", "gravity", "base", "parameters", "bodies", "forces", "home",
    "limits", "notation", "speeds", "rates", "constraints", "eliminate", "loops", "contacts", "mode",
    "shapes",
)  # fmt: skip
_BODY: Final = ("name", "parent", "joint", "mass", "com", "inertia", "ten")
_PARAMETER: Final = ("value", "unit", "description", "nonnegative")
_BASE: Final = ("w", "v", "alpha", "a")
_LIMITS: Final = ("lower", "upper", "speed", "effort")
_CONSTRAINT: Final = ("name", "equation")
# Keys of each kind of joint in addition to kind, q, at, rotation, name and speeds.
JOINTS: Final[dict[str, tuple[str, ...]]] = {
    "fixed": (), "revolute": ("axis",), "prismatic": ("axis",), "helical": ("axis", "pitch"),
    "cylindrical": ("axis",), "universal": (), "planar": ("plane",), "spherical": ("orientation",),
    "free": ("orientation",), "custom": ("position", "axis", "at", "orientation"),
}  # fmt: skip
# Keys of each kind of force element in addition to kind and name: t text, n name, q quantity, v vector,
# ? optional.
FORCES: Final[dict[str, dict[str, str]]] = {
    "joint_actuator": {"coordinate": "n", "input": "n?", "gear": "q?"},
    "joint_damper": {"coordinate": "n", "damping": "q"},
    "joint_friction": {"coordinate": "n", "coulomb": "q?", "viscous": "q?", "smoothing": "q?"},
    "joint_spring": {"coordinate": "n", "stiffness": "q", "rest": "q?"},
    "rotor_inertia": {"coordinate": "n", "rotor": "q", "ratio": "q?"},
    "torque_actuator": {"body": "t", "reaction_on": "t", "torque": "v"},
    "force_actuator": {"body": "t", "reaction_on": "t?", "force": "v", "at": "v?",
                       "to_at": "v?"},
    "wrench": {"body": "t", "force": "v", "torque": "v?", "at": "v?", "expressed_in": "t?",
               "point_in": "t?"},
    "spring": {"body": "t", "to": "t", "stiffness": "q", "rest": "q?", "at": "v?", "to_at": "v?"},
    "damper": {"body": "t", "to": "t", "damping": "q", "at": "v?", "to_at": "v?"},
    "cylinder": {"body": "t", "to": "t", "input": "n", "at": "v?", "to_at": "v?"},
}  # fmt: skip

# Old names of keys of force elements, still read with a warning.
_OLD_KEYS: Final = {
    "joint_friction": {"width": "smoothing"},
    "force_actuator": {"reaction_at": "to_at"},
}


# Keys of all joints; those of one kind are in JOINTS.
_MOVING: Final = ("q", "speeds")
_PLACED: Final = ("at",)
_SPEED: Final = "speed"  # of force elements at a joint, if it is not that of the coordinate


def keys_of_tables() -> dict[str, tuple[str, ...]]:
    """Keys that the reader accepts, by table; "" is the top of the file.

    `joint`, `parameter` and `limit` are tables inside others. The keys of joints and force elements are
    those of all kinds together.

    >>> keys_of_tables()["contacts"]
    ('name', 'body', 'at', 'normal')
    """
    joint = (
        "kind",
        "name",
        "rotation",
        *_PLACED,
        *_MOVING,
        *(k for x in JOINTS.values() for k in x),
    )
    force = ("kind", "name", *(k for x in FORCES.values() for k in x), _SPEED)
    return {
        "": _KEYS,
        "bodies": _BODY,
        "joint": tuple(dict.fromkeys(joint)),
        "forces": tuple(dict.fromkeys(force)),
        "base": _BASE,
        "parameter": _PARAMETER,
        "limit": _LIMITS,
        "constraints": _CONSTRAINT,
        "loops": LOOP_KEYS,
        "contacts": CONTACT_KEYS,
        "shapes": SHAPE_KEYS,
    }


def read_toml(path: str | os.PathLike[str]) -> Robot:
    """Read a robot from a TOML model file.

    Args:
        path: Path of the file.

    Returns:
        The robot.

    Raises:
        FileFormatError: The file cannot be read or does not describe a robot; the message names the
            line, the table and the key.
        UnknownNameError: Unknown key or kind.
    """
    return parse_robot(read_text(path), os.fspath(path))


def parse_robot(text: str, file: str = "text") -> Robot:
    """Build the robot that the text of a TOML model file describes.

    Args:
        text: Content of the file.
        file: How messages name it.

    Returns:
        The robot.

    Raises:
        FileFormatError: The text does not describe a robot.
        UnknownNameError: Unknown key or kind.

    >>> print(parse_robot('''
    ... equamo = 1
    ... name = "pendulum"
    ... [[bodies]]
    ... name = "bob"
    ... joint = { kind = "revolute", q = "q1", axis = "y" }
    ... mass = "m"
    ... com = "0 0 -L"
    ... '''))
    Robot pendulum: 1 body, 1 degree of freedom, 3 parameters, 1 input
    """
    text = text.removeprefix("\ufeff")
    return robot_of(Table(parse_toml(text, file), file, Positions(text).lines()))


def robot_of(t: Table) -> Robot:
    """Build the robot of a parsed file."""
    if "equamo" not in t:
        raise t.error(
            f"a model file must have the line 'equamo = {VERSION}'; add it if this is a model file."
        )
    version = t.data["equamo"]
    if type(version) is not int or version != VERSION:
        raise t.error(
            f"the version of model files must be {VERSION}, got {brief(version)}.", "equamo"
        )
    t.only(*_KEYS)
    parts: dict[str, Any] = {
        "name": t.text("name"),
        "bodies": [body_of(b) for b in t.tables("bodies")],
        "gravity": t.vector("gravity", "0 0 -g"),
        "forces": [force_of(f) for f in t.tables("forces")] if "forces" in t else None,
        "parameters": _parameters(t.table("parameters")),
        "base": _base(t.table("base")),
        "home": _home(t.table("home")),
        "notation": {n: t.table("notation").text(n) for n in t.table("notation").data},
        "description": t.text("description", ""),
        "limits": {n: _limits(t.table("limits"), n) for n in t.table("limits").data},
        "loops": [loop_of(x) for x in t.tables("loops")] if "loops" in t else (),
        "contacts": [contact_of(x) for x in t.tables("contacts")] if "contacts" in t else (),
        "mode": {n: t.table("mode").text(n) for n in t.table("mode").data},
        "shapes": shapes_of(t.tables("shapes")) if "shapes" in t else None,
        **_speeds(t),
    }
    return t.guarded(lambda: Robot(**parts))


# -- bodies --------------------------------------------------------------------------------------
def body_of(t: Table) -> Body:
    """Body of a table."""
    t.only(*_BODY)
    inertia = inertia_of(t)
    joint = joint_of(t.table("joint")) if "joint" in t else None
    name, parent = t.text("name"), t.text("parent", "world")
    return t.guarded(lambda: Body(name, joint, inertia=inertia, parent=parent))


def inertia_of(t: Table) -> Inertia:
    """Inertia from mass, centre of mass and central tensor, or from ten numbers about the frame."""
    if "ten" in t:
        for key in ("mass", "com", "inertia"):
            if key in t:
                raise t.error(f"'ten' already defines the whole inertia; remove {key!r}.", key)
        return t.guarded(lambda: Inertia.about_origin(t.quantities("ten", 10)), "ten")
    tensor = t.quantities("inertia", 3, 6) if "inertia" in t else "0 0 0"
    mass, com = t.quantity("mass", 0), t.vector("com", "0 0 0")
    return t.guarded(lambda: Inertia.central(mass, com, tensor))


def joint_of(t: Table) -> Joint:
    """Joint of a table; `q` names its coordinates, the optional `speeds` its speeds."""
    kind = t.text("kind")
    if kind not in JOINTS:
        raise t.unknown("kind of joint", kind, JOINTS, "kind")
    placed = () if kind == "custom" else _PLACED
    moves = () if kind == "fixed" else _MOVING
    if kind in ("free", "spherical"):
        if "rotation" in t and is_placement(t.data["rotation"]):
            t = t.renamed(rotation="orientation")
        t = t.renamed(angles="rotation")
    t.only("kind", "name", "rotation", *placed, *moves, *JOINTS[kind])
    # For these `rotation` selects the coordinates; the placement is `orientation`.
    has_choice = kind in ("free", "spherical")
    options: dict[str, Any] = {}
    if not has_choice:
        options["rotation"] = t.rotation("rotation")
    elif "rotation" in t:
        options["rotation"] = t.text("rotation")
    if placed:
        options["at"] = t.vector("at", "0 0 0")
    for key in JOINTS[kind]:
        if key == "axis" and key in t:
            options[key] = axis_of(t)
        elif key == "plane" and key in t:
            options[key] = t.text(key)
        elif key == "orientation":
            options[key] = t.rotation(key)
        elif key == "pitch":
            options[key] = t.quantity(key)
        elif key == "position":
            options[key] = t.vector(key, "0 0 0")
    if kind != "custom":
        return t.guarded(lambda: _named_joint(t, kind, options))
    # The constructor has no placement; the pose of a joint frame comes from files of other formats.
    at, turned = t.vector("at", "0 0 0"), as_rotation(options.pop("orientation"))
    return replace(t.guarded(lambda: _named_joint(t, kind, options)), at=at, turned=turned)


def _named_joint(t: Table, kind: str, options: dict[str, Any]) -> Joint:
    make: Callable[..., Joint] = getattr(kinds_of_joint, kind)
    if kind == "fixed":
        return make(name=t.text("name", ""), **options)
    names = read_names(t.names("q"), f"{kind}: a coordinate")
    if not names:
        raise t.error("expected at least one coordinate name, got none.", "q")
    if isinstance(t.data["q"], str):
        # The constructors accept one name, a prefix, or all names.
        joint = make(q=t.text("q"), name=t.text("name", ""), **options)
    elif kind == "custom":
        joint = make(q=[symbol(n) for n in names], name=t.text("name", ""), **options)
    else:
        joint = make(q="q", name=t.text("name", "") or names[0], **options)
        if len(names) != len(joint.coordinates):
            count = counted(len(joint.coordinates), "coordinate")
            raise t.error(f"a {kind} joint must have {count}, got {len(names)}.", "q")
        plain = joint.speeds == tuple(map(speed_name, joint.coordinates))
        speeds = tuple(map(speed_name, names)) if plain else joint.speeds
        joint = replace(joint, coordinates=names, speeds=speeds)
    if "speeds" in t:
        speeds = read_names(t.names("speeds"), f"{kind}: a speed")
        if len(speeds) != len(joint.speeds):
            count = counted(len(joint.speeds), "speed")
            raise t.error(f"a {kind} joint must have {count}, got {len(speeds)}.", "speeds")
        joint = replace(joint, speeds=speeds)
    _symbols((*joint.coordinates, *joint.speeds))
    return joint


def _symbols(names: Iterable[str]) -> None:
    """Refuse invalid names here, so that the error names the place."""
    for n in names:
        symbol(n)


# -- forces --------------------------------------------------------------------------------------
def force_of(t: Table) -> ForceElement:
    """Force element of a table, made by the function of its kind."""
    kind = t.text("kind")
    if kind not in FORCES:
        raise t.unknown("kind of force element", kind, FORCES, "kind")
    keys = FORCES[kind]
    t = t.renamed(**_OLD_KEYS.get(kind, {}))
    own_speed = (_SPEED,) if "coordinate" in keys else ()
    t.only("kind", "name", *keys, *own_speed)
    options: dict[str, Any] = {"name": t.text("name", "")}
    for key, form in keys.items():
        if key == "coordinate" and key not in t and "speed" in t and kind != "joint_spring":
            options[key] = t.text("speed")
        elif key in t or not form.endswith("?"):
            read = {"t": t.text, "n": t.text, "q": t.quantity, "v": t.vector}[form[0]]
            options[key] = read(key)
    make: Callable[..., ForceElement] = getattr(kinds_of_force, kind)
    element = t.guarded(lambda: make(**options))
    if "speed" in t:
        speed = t.guarded(lambda: read_name(t.text("speed"), "the speed"), "speed")
        element = replace(element, speed=speed)
    return element


# -- the rest ------------------------------------------------------------------------------------
def _parameters(t: Table) -> list[Parameter]:
    parameters: list[Parameter] = []
    for n, x in t.data.items():
        if not isinstance(x, dict):
            parameters.append(t.guarded(lambda n=n: _parameter(n, _number(t, n)), n))
            continue
        p = t.table(n)
        p.only(*_PARAMETER)
        value = _number(p, "value") if "value" in p else None
        rest = (p.text("unit", ""), p.text("description", ""), p.flag("nonnegative"))
        parameters.append(t.guarded(lambda n=n, v=value, r=rest: _parameter(n, v, *r), n))
    return parameters


def _parameter(name: str, value: Fraction | int | None, *rest: Any) -> Parameter:
    _symbols([name])
    return Parameter(name, value, *rest)


def _number(t: Table, key: str) -> Fraction | int:
    x = t.quantity(key).value
    if x is None:
        raise t.wrong("a number", t.data[key], key)
    return x


def _home(t: Table) -> dict[str, Fraction | int | float]:
    """Home values; text such as "pi/2" is rounded to a float."""
    home: dict[str, Fraction | int | float] = {}
    for n, e in t.each().items():
        if e.value is not None:
            home[n] = e.value
            continue
        try:
            home[n] = float(e)
        except (EquamoError, ArithmeticError, ValueError, TypeError):
            raise t.wrong("a number", t.data[n], n) from None
    return home


def _base(t: Table) -> BaseMotion:
    t.only(*_BASE)
    return BaseMotion(**{n: t.vector(n) for n in t.data})


def _limits(t: Table, name: str) -> dict[str, Expr]:
    own = t.table(name)
    own.only(*_LIMITS)
    return own.each()


def _speeds(t: Table) -> dict[str, Any]:
    """Arguments speeds, rates, constraints and eliminate of Robot."""
    arguments: dict[str, Any] = {}
    if "speeds" in t:
        named = isinstance(t.data["speeds"], (str, list))
        arguments["speeds"] = " ".join(t.names("speeds")) if named else t.table("speeds").each()
    for key in ("rates", "eliminate"):
        if key in t:
            arguments[key] = t.table(key).each()
    if "constraints" in t:
        arguments["constraints"] = [_constraint(c) for c in t.tables("constraints")]
    return arguments


def _constraint(t: Table) -> Constraint:
    t.only(*_CONSTRAINT)
    x = t.data.get("equation")
    if isinstance(x, str) and x.count("=") == 1:
        return t.guarded(lambda: constraint_of(x, t.text("name", "")), "equation")
    return constraint_of(t.quantity("equation"), t.text("name", ""))
