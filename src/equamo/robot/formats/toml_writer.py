"""Write a Robot as a TOML model file that `toml.read_toml` reads back exactly.

Each part is read back as it is written, and finally the whole file; what a round trip would change is
refused. If joints were locked after speeds had been chosen, the file stores the map u = W v instead of
the original choice. The import report is not written: it is about the file that the robot was read from.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ...algebra.expr import ONE, ZERO
from ...algebra.expr.matrix import identity
from ...algebra.expr.vector import ZERO3, Vector
from ...basics.wording import brief
from ...errors import EquamoError, FileFormatError
from ..model import (
    WORLD,
    Body,
    Contact,
    ForceElement,
    Inertia,
    Joint,
    Loop,
    Parameter,
    Robot,
)
from ..model.contact import OPEN
from ..model.edits import copy_with, velocity_constraints
from ..model.forces import ForceActuator, JointSpring, Wrench
from ..model.forces.two_points import TwoPoints
from ..model.joint import speed_name
from ..model.joints import Custom, Helical, Planar
from ..model.names import written
from ..model.shape import Shape
from ..model.speeds import SpeedMap, speed_map
from ..model.storage import robot_to_data
from .toml import FORCES, VERSION, force_of, inertia_of, joint_of, parse_robot
from .toml_loops import contact_of, loop_of
from .toml_table import Table
from .toml_text import (
    Entry,
    Value,
    as_read,
    assignments,
    comment,
    expression,
    matrix,
    names,
    number,
    quantities,
    quantity,
    section,
    vector,
)

_AXES: Final = {(1, 0, 0): "x", (0, 1, 0): "y", (0, 0, 1): "z",
                (-1, 0, 0): "-x", (0, -1, 0): "-y", (0, 0, -1): "-z"}  # fmt: skip


def write_toml(robot: Robot, lossy: bool = False) -> str:
    """Write a robot as the text of a TOML model file.

    Args:
        robot: The robot.
        lossy: Write mesh files of pictures, which a model file cannot hold, as comments instead of
            raising an error.

    Returns:
        The text of the file.

    Raises:
        FileFormatError: A part of the robot cannot be written so that it reads back exactly.

    >>> from equamo.robot.model import Body, Robot, revolute
    >>> bob = Body("bob", revolute("q", axis="y"), mass="m", com="0 0 -L")
    >>> print(write_toml(Robot("pendulum", [bob], forces=[], parameters={"L": "1/3"})), end="")
    equamo = 1
    name = "pendulum"
    gravity = "0 0 -g"
    forces = []
    <BLANKLINE>
    [parameters]
    L = "1/3"
    g = 9.81
    m = {}
    <BLANKLINE>
    [[bodies]]
    name = "bob"
    joint = { kind = "revolute", q = "q", axis = "y" }
    mass = "m"
    com = "0 0 -L"
    """
    top: Entry = {"equamo": VERSION, "name": robot.name}
    if robot.description:
        top["description"] = robot.description
    top["gravity"] = vector(robot.gravity)
    top |= {n: [] for n in ("bodies", "forces") if not getattr(robot, n)}
    speeds = _speeds(robot)
    if isinstance(speeds.get("speeds"), str):
        top["speeds"] = speeds.pop("speeds")
    lost = _lost(robot)
    if lost and not lossy:
        raise FileFormatError(
            f"A model file cannot hold these parts of robot {robot.name!r}: {'; '.join(lost)}; pass "
            "lossy=True to write them as comments."
        )
    lines = [*(f"# not in this file: {comment(x)}" for x in lost), *assignments(top)]
    base = {n: vector(x) for n, x in vars(robot.base).items() if not x.is_zero}
    home = {n: number(x) for n, x in _home(robot).items()}
    limits = {
        c: {n: quantity(x) for n in type(l).__slots__ if (x := getattr(l, n)) is not None}
        for c, l in robot.limits.items()
    }
    parameters = {n: _parameter(p) for n, p in robot.parameter_info.items()}
    lines += section("base", base) + section("parameters", parameters)
    for b in robot.bodies:
        lines += ["", "[[bodies]]", *assignments(_body(b))]
    for f in robot.forces:
        lines += ["", "[[forces]]", *assignments(_force(f))]
    for loop in robot.loops:
        lines += ["", "[[loops]]", *assignments(_loop(loop))]
    for contact in robot.contacts:
        lines += ["", "[[contacts]]", *assignments(_contact(contact))]
    for c in speeds.pop("constraints", ()):
        lines += ["", "[[constraints]]", *assignments(c)]
    for key, table in speeds.items():
        lines += section(key, table)
    lines += section("mode", {n: x for n, x in robot.mode.items() if x != OPEN})
    lines += section("home", home) + section("limits", limits)
    lines += section("notation", robot.notation)
    for body, shapes in robot.shapes.items():
        for shape in shapes:
            lines += ["", "[[shapes]]", *assignments(_shape(body, shape))]
    text = "\n".join(lines) + "\n"
    _check_whole(robot, text)
    return text


def _lost(robot: Robot) -> list[str]:
    """Parts that a model file cannot hold."""
    meshes = [n for n, files in robot.meshes.items() if files]
    return [f"the meshes of {', '.join(meshes)}"] if meshes else []


def _check_whole(robot: Robot, text: str) -> None:
    """Check that the file reads back as the robot; the speeds were checked on their own."""
    try:
        data = [robot_to_data(x) for x in (robot, parse_robot(text))]
    except EquamoError as error:
        raise FileFormatError(
            f"Robot {robot.name!r} cannot be written: it does not read back: {error}"
        ) from None
    changed = [n for n, x in data[0].items() if n != "speeds" and data[1].get(n) != x]
    if changed:
        raise FileFormatError(
            f"Robot {robot.name!r} cannot be written: {', '.join(changed)} would not read back exactly."
        )


# -- parts of a robot ----------------------------------------------------------------------------
def _parameter(p: Parameter) -> Value:
    entry: Entry = {} if p.value is None else {"value": number(p.value)}
    if entry and not (p.unit or p.description or p.nonnegative):
        return entry["value"]
    entry |= {n: x for n in ("unit", "description") if (x := getattr(p, n))}
    return entry | ({"nonnegative": True} if p.nonnegative else {})


def _home(robot: Robot) -> dict[str, Any]:
    """Home values that differ from the default."""
    first = {g[0].name for g in robot.unit_groups}
    flat = {**robot.home.q, **robot.home.v, **robot.home.inputs}
    return {n: x for n, x in flat.items() if x != (1 if n in first else 0)}


def _body(b: Body) -> Entry:
    entry: Entry = {"name": b.name}
    if b.parent != WORLD:
        entry["parent"] = b.parent
    return entry | {"joint": _joint(b)} | _inertia(b)


def _inertia(b: Body) -> Entry:
    """Mass, centre of mass and central tensor if they read back exactly, else the ten numbers."""
    I = b.inertia
    if Inertia.zero() == I:
        return {}
    if I.com is not None and I.central_tensor is not None:
        J = I.central_tensor
        six = [J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2]]
        tensor = [six[0], six[3], six[5]] if all(six[k] is ZERO for k in (1, 2, 4)) else six
        entry: Entry = {"mass": quantity(I.mass)}
        if not I.com.is_zero:
            entry["com"] = vector(I.com)
        if any(x is not ZERO for x in six):
            entry["inertia"] = quantities(tensor)
        if _reads_as(inertia_of, entry, I):
            return entry
    return {"ten": quantities(I.ten)}


def _joint(b: Body) -> Entry:
    joint = b.joint
    kind = type(joint).__name__.removesuffix("Euler").lower()
    entry: Entry = {"kind": kind}
    if joint.coordinates:
        entry["q"] = names(joint.coordinates)
    if type(joint).__name__.endswith("Euler"):
        entry["rotation"] = "euler"
    if isinstance(joint, Planar) and joint.plane != "xy":
        entry["plane"] = joint.plane
    axis = getattr(joint, "axis", None)
    if isinstance(axis, Vector):
        entry["axis"] = _axis(axis)
    if isinstance(joint, Helical):
        entry["pitch"] = quantity(joint.pitch)
    place, rotation = (joint.P, joint.A) if isinstance(joint, Custom) else (joint.at, joint.turned)
    if not place.is_zero:
        entry["position" if isinstance(joint, Custom) else "at"] = vector(place)
    if rotation != identity(3):
        entry["orientation" if kind in ("free", "spherical") else "rotation"] = matrix(rotation)
    if isinstance(joint, Custom):
        entry |= {} if joint.at.is_zero else {"at": vector(joint.at)}
        entry |= {} if joint.turned == identity(3) else {"orientation": matrix(joint.turned)}
    return _completed(joint, entry, f"The joint of body {b.name!r}")


def _axis(e: Vector) -> Value:
    return _AXES.get(tuple(x.value for x in e)) or vector(e)  # pyright: ignore


def _completed(joint: Joint, entry: Entry, what: str) -> Entry:
    """Entry with the name and speeds added if they do not follow from the coordinates."""
    named = {"name": joint.name} if joint.name else {}
    speeds = {"speeds": names(joint.speeds)} if joint.speeds else {}
    for more in ({}, named, speeds, named | speeds):
        if _reads_as(joint_of, entry | more, joint):
            return entry | more
    if joint.coordinates and isinstance(entry["q"], str):
        return _completed(joint, entry | {"q": [written(n) for n in joint.coordinates]}, what)
    raise FileFormatError(f"{what} cannot be written: {brief(joint)} does not read back exactly.")


# Fields whose names differ from the constructors' arguments.
_FIELDS: Final = {"at": "point", "to": "other", "to_at": "other_point", "smoothing": "width"}


def _force(f: ForceElement) -> Entry:
    kind = re.sub(r"(?<=.)([A-Z])", r"_\1", type(f).__name__).lower()
    if kind not in FORCES:
        raise FileFormatError(
            f"Force element {f.name!r} cannot be written: a file cannot hold the class "
            f"{type(f).__name__}; use one of {', '.join(FORCES)}."
        )
    entry: Entry = {"kind": kind, "name": f.name}
    speed = getattr(f, "speed", "")
    for key, form in FORCES[kind].items():
        if key == "coordinate":
            coordinate = f.coordinate if isinstance(f, JointSpring) else speed.removeprefix("d")
            if speed == speed_name(coordinate) or isinstance(f, JointSpring):
                entry[key] = written(coordinate)
            if speed != speed_name(coordinate):
                entry["speed"] = written(speed)
            continue
        field = _FIELDS.get(key, key)
        if isinstance(f, ForceActuator) and key == "to_at":
            field = "reaction_point"
        x = getattr(f, field)
        if form.endswith("?") and _is_default(f, key, x):
            continue
        if isinstance(x, str):
            entry[key] = written(x) if form[0] == "n" else x
        else:
            entry[key] = vector(x) if form[0] == "v" else quantity(x)
    if not _reads_as(force_of, entry, f):
        raise FileFormatError(
            f"Force element {f.name!r} cannot be written: it does not read back exactly."
        )
    return entry


def _is_default(f: ForceElement, key: str, x: Any) -> bool:
    if x is None or (isinstance(x, Vector) and x == ZERO3):
        return True
    if key == "expressed_in":
        return isinstance(f, Wrench) and x == f.body
    return x is (ONE if key in ("ratio", "gear") else ZERO) and not (
        key == "rest" and isinstance(f, TwoPoints)
    )


def _loop(x: Loop) -> Entry:
    entry: Entry = {"name": x.name, "body": x.body, "at": vector(x.at), "axis": _axis(x.axis)}
    entry |= {"to": x.to, "to_at": vector(x.to_at), "to_axis": _axis(x.to_axis), "joint": x.joint}
    if x.length is not None:
        entry["length"] = quantity(x.length)
    if x.rotation is not None:
        entry["rotation"] = matrix(x.rotation)
    if not _reads_as(loop_of, entry, x):
        raise FileFormatError(f"Loop {x.name!r} cannot be written: it does not read back exactly.")
    return entry


def _contact(x: Contact) -> Entry:
    entry: Entry = {"name": x.name, "body": x.body, "at": vector(x.at), "normal": _axis(x.normal)}
    if not _reads_as(contact_of, entry, x):
        raise FileFormatError(
            f"Contact {x.name!r} cannot be written: it does not read back exactly."
        )
    return entry


def _shape(body: str, x: Shape) -> Entry:
    entry: Entry = {"body": body, "kind": x.kind, "size": quantities(x.size)}
    if not x.at.is_zero:
        entry["at"] = vector(x.at)
    if x.turned != identity(3):
        entry["rotation"] = matrix(x.turned)
    return entry


def _reads_as(read: Any, entry: Entry, expected: object) -> bool:
    """Whether an entry reads back as the expected object."""
    try:
        return read(Table(as_read(entry), "", {})) == expected
    except EquamoError:
        return False


# -- chosen speeds -------------------------------------------------------------------------------
def _speeds(robot: Robot) -> dict[str, Any]:
    """Keys of the speeds, with constraints or with rates, whichever reads back as this speed map."""
    s = robot.speed_map
    if s is None:
        return {}
    eliminated = dict(s.dependent)
    if s.kept:
        kept = {written(n): e for n, e in s.kept}
        own = velocity_constraints(robot)
        copy, _ = _rebuilt(robot, kept, None, own, eliminated)
        if copy == s:
            keys: dict[str, Any] = {"speeds": {n: quantity(e) for n, e in kept.items()}}
            keys["constraints"] = [  # the reader adds those of the loops
                {"name": c.name, "equation": expression(c.equation)} for c in own
            ]
            return keys | {"eliminate": {n: quantity(e) for n, e in s.dependent}}
    u = s.W @ Vector(s.v)
    rates = {n: e for n, e in zip(s.W.row_names or (), u, strict=True) if e is not ZERO}
    copy, reason = _rebuilt(robot, names(s.names), rates, (), eliminated)
    if (
        copy is None
        or (copy.names, copy.W, copy.dependent) != (s.names, s.W, s.dependent)
        or s.constraints
    ):
        raise FileFormatError(
            f"The speeds of robot {robot.name!r} cannot be written: "
            f"{reason or 'the map does not read back exactly.'}"
        )
    return {
        "speeds": names(s.names),
        "rates": {n: quantity(e) for n, e in rates.items()},
        "eliminate": {n: quantity(e) for n, e in s.dependent},
    }


def _rebuilt(
    robot: Robot, speeds: Any, rates: Any, constraints: Any, eliminated: Any
) -> tuple[SpeedMap | None, str]:
    """Speed map that the reader would build; None and the reason if it refuses."""
    bare = copy_with(robot, speeds=None)
    try:
        return speed_map(bare, speeds, rates, constraints, eliminated), ""
    except EquamoError as error:
        return None, str(error)
