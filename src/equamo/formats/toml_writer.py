"""Write a Robot as a TOML model file that `toml.read_toml` reads back exactly.

Each part is read back as it is written, and refused if the round trip changes it. If joints were locked
after speeds had been chosen, the file stores the map u = W v instead of the original choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from ..errors import EquamoError, FileFormatError
from ..expr import ONE, ZERO, Expr
from ..expr.matrix import Matrix, identity
from ..expr.vector import ZERO3, Vector
from ..model import WORLD, Body, ForceElement, Inertia, Joint, Parameter, Robot
from ..model.forces import ForceActuator, JointSpring, Wrench
from ..model.forces.two_points import TwoPoints
from ..model.joint import speed_name
from ..model.joints import Custom, Helical, Planar
from ..model.names import written
from ..model.speeds import SpeedMap, speed_map
from ..wording import brief
from .toml import FORCES, VERSION, force_of, inertia_of, joint_of
from .toml_table import Table

_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_AXES: Final = {(1, 0, 0): "x", (0, 1, 0): "y", (0, 0, 1): "z",
                (-1, 0, 0): "-x", (0, -1, 0): "-y", (0, 0, -1): "-z"}  # fmt: skip

Value = Any  # value of a TOML key: text, number, bool, list or dict
Entry = dict[str, Value]


def write_toml(robot: Robot) -> str:
    """Write a robot as the text of a TOML model file.

    Args:
        robot: The robot.

    Returns:
        The text of the file.

    Raises:
        FileFormatError: A part of the robot cannot be written so that it reads back exactly.

    >>> from equamo.model import Body, Robot, revolute
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
    top["gravity"] = _vector(robot.gravity)
    if not robot.forces:
        top["forces"] = []
    speeds = _speeds(robot)
    if isinstance(speeds.get("speeds"), str):
        top["speeds"] = speeds.pop("speeds")
    lines = _assignments(top)
    base = {n: _vector(x) for n, x in vars(robot.base).items() if not x.is_zero}
    home = {n: _number(x) for n, x in _home(robot).items()}
    limits = {
        c: {n: _quantity(x) for n in type(l).__slots__ if (x := getattr(l, n)) is not None}
        for c, l in robot.limits.items()
    }
    parameters = {n: _parameter(p) for n, p in robot.parameter_info.items()}
    lines += _section("base", base) + _section("parameters", parameters)
    for b in robot.bodies:
        lines += ["", "[[bodies]]", *_assignments(_body(b))]
    for f in robot.forces:
        lines += ["", "[[forces]]", *_assignments(_force(f))]
    for c in speeds.pop("constraints", ()):
        lines += ["", "[[constraints]]", *_assignments(c)]
    for key, table in speeds.items():
        lines += _section(key, table)
    lines += _section("home", home) + _section("limits", limits)
    lines += _section("notation", robot.notation)
    return "\n".join(lines) + "\n"


# -- text of values ------------------------------------------------------------------------------
def _text(x: str) -> str:
    def escape(c: str) -> str:
        return _ESCAPES.get(c) or (c if c.isprintable() or c == " " else f"\\U{ord(c):08x}")

    return '"' + "".join(map(escape, x)) + '"'


def _key(x: str) -> str:
    return x if re.fullmatch(r"[A-Za-z0-9_-]+", x) else _text(x)


def _value(x: Value) -> str:
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, str):
        return _text(x)
    if isinstance(x, Mapping):
        inside = ", ".join(f"{_key(k)} = {_value(v)}" for k, v in x.items())  # pyright: ignore
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(x, (list, tuple)):
        return f"[{', '.join(_value(v) for v in x)}]"  # pyright: ignore
    return x.text if isinstance(x, _Decimal) else str(x)


class _Decimal:
    """Number that TOML writes with a decimal point."""

    def __init__(self, text: str) -> None:
        self.text = text


def _number(x: Fraction | int | float) -> Value:
    """Integer, or decimal if that is exact and short, or text such as "1/3"."""
    exact = Fraction(repr(x)) if isinstance(x, float) else Fraction(x)
    if exact.denominator == 1 and abs(exact.numerator) < 10**15:
        return int(exact)
    digits, n = 0, exact.denominator
    for p in (2, 5):
        k = 0
        while n % p == 0:
            n, k = n // p, k + 1
        digits = max(digits, k)
    if n != 1 or digits > 24:
        return str(exact)
    whole, rest = divmod(abs(exact.numerator) * 10**digits // exact.denominator, 10**digits)
    return _Decimal(f"{'-' * (exact < 0)}{whole}.{rest:0{digits}d}" if digits else f"{exact}.0")


def _quantity(e: Expr) -> Value:
    return _expression(e) if e.value is None else _number(e.value)


def _expression(e: Expr) -> str:
    text = str(e)
    if text.startswith("<"):
        raise FileFormatError(f"An expression must fit into a text file, got {text}.")
    return text


def _quantities(expressions: Iterable[Expr]) -> Value:
    """One text separated by blanks, or an array if a quantity contains blanks or commas."""
    entries = list(expressions)
    texts = [_expression(e) for e in entries]
    if all(not re.search(r"[\s,]", t) for t in texts):
        return " ".join(texts)
    return [_quantity(e) for e in entries]


def _vector(v: Vector) -> Value:
    return _quantities(v)


def _matrix(A: Matrix) -> Value:
    return [[_quantity(e) for e in row] for row in A.rows]


def _names(names: Sequence[str]) -> str:
    return " ".join(map(written, names))


def _assignments(entry: Entry) -> list[str]:
    return [f"{_key(k)} = {_value(v)}" for k, v in entry.items()]


def _section(name: str, entry: Mapping[str, Value]) -> list[str]:
    return ["", f"[{_key(name)}]", *_assignments(dict(entry))] if entry else []


# -- parts of a robot ----------------------------------------------------------------------------
def _parameter(p: Parameter) -> Value:
    entry: Entry = {} if p.value is None else {"value": _number(p.value)}
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
        entry: Entry = {"mass": _quantity(I.mass)}
        if not I.com.is_zero:
            entry["com"] = _vector(I.com)
        if any(x is not ZERO for x in six):
            entry["inertia"] = _quantities(tensor)
        if _reads_as(inertia_of, entry, I):
            return entry
    return {"ten": _quantities(I.ten)}


def _joint(b: Body) -> Entry:
    joint = b.joint
    kind = type(joint).__name__.removesuffix("Euler").lower()
    entry: Entry = {"kind": kind}
    if joint.coordinates:
        entry["q"] = _names(joint.coordinates)
    if type(joint).__name__.endswith("Euler"):
        entry["rotation"] = "euler"
    if isinstance(joint, Planar) and joint.plane != "xy":
        entry["plane"] = joint.plane
    axis = getattr(joint, "axis", None)
    if isinstance(axis, Vector):
        values = tuple(x.value for x in axis)
        entry["axis"] = _AXES.get(values) or _vector(axis)  # pyright: ignore
    if isinstance(joint, Helical):
        entry["pitch"] = _quantity(joint.pitch)
    place, rotation = (joint.P, joint.A) if isinstance(joint, Custom) else (joint.at, joint.turned)
    if not place.is_zero:
        entry["position" if isinstance(joint, Custom) else "at"] = _vector(place)
    if rotation != identity(3):
        entry["orientation" if kind in ("free", "spherical") else "rotation"] = _matrix(rotation)
    return _completed(joint, entry, f"The joint of body {b.name!r}")


def _completed(joint: Joint, entry: Entry, what: str) -> Entry:
    """Entry with the name and speeds added if they do not follow from the coordinates."""
    named = {"name": joint.name} if joint.name else {}
    speeds = {"speeds": _names(joint.speeds)} if joint.speeds else {}
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
            entry[key] = _vector(x) if form[0] == "v" else _quantity(x)
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


def _reads_as(read: Any, entry: Entry, expected: object) -> bool:
    """Whether an entry reads back as the expected object."""
    try:
        return read(Table(_as_read(entry), "", {})) == expected
    except EquamoError:
        return False


def _as_read(x: Value) -> Any:
    if isinstance(x, _Decimal):
        return Fraction(x.text)
    if isinstance(x, dict):
        return {k: _as_read(v) for k, v in x.items()}  # pyright: ignore
    return [_as_read(v) for v in x] if isinstance(x, list) else x  # pyright: ignore


# -- chosen speeds -------------------------------------------------------------------------------
def _speeds(robot: Robot) -> dict[str, Any]:
    """Keys of the speeds, with constraints or with rates, whichever reads back as this speed map."""
    s = robot.speed_map
    if s is None:
        return {}
    eliminated = dict(s.dependent)
    if s.kept:
        kept = {written(n): e for n, e in s.kept}
        copy = _rebuilt(robot, kept, None, s.constraints, eliminated)
        if copy == s:
            keys: dict[str, Any] = {"speeds": {n: _quantity(e) for n, e in kept.items()}}
            keys["constraints"] = [
                {"name": c.name, "equation": _expression(c.equation)} for c in s.constraints
            ]
            return keys | {"eliminate": {n: _quantity(e) for n, e in s.dependent}}
    u = s.W @ Vector(s.v)
    rates = {n: e for n, e in zip(s.W.row_names or (), u, strict=True) if e is not ZERO}
    copy = _rebuilt(robot, _names(s.names), rates, (), eliminated)
    if (
        copy is None
        or (copy.names, copy.W, copy.dependent) != (s.names, s.W, s.dependent)
        or s.constraints
    ):
        raise FileFormatError(f"The speeds of robot {robot.name!r} cannot be written: the map does not "
                              "read back exactly.")  # fmt: skip
    return {
        "speeds": _names(s.names),
        "rates": {n: _quantity(e) for n, e in rates.items()},
        "eliminate": {n: _quantity(e) for n, e in s.dependent},
    }


def _rebuilt(
    robot: Robot, speeds: Any, rates: Any, constraints: Any, eliminated: Any
) -> SpeedMap | None:
    """Speed map that the reader would build; None if it refuses."""
    try:
        return speed_map(robot.tree, speeds, rates, constraints, eliminated)
    except EquamoError:
        return None
