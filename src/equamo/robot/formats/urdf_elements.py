"""Read the elements of a URDF file as data: links, joints, transmissions, with exact numbers.

Their meaning is interpreted in `urdf`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, final

from ...basics.wording import brief
from ..model.mesh_file import MeshFile
from ..model.shape import Shape
from .urdf_meshes import material_colors, read_meshes
from .urdf_shapes import read_shapes
from .urdf_text import Three, UrdfText, exact_number
from .xml_tree import Element

JOINT_TYPES: Final = ("revolute", "continuous", "prismatic", "fixed", "planar", "floating")
_ZERO3: Final[Three] = (Fraction(0), Fraction(0), Fraction(0))
_REDUCTION: Final = ("mechanicalReduction", "mechanical_reduction", "drake:gear_ratio")
_ROTOR: Final = ("rotorInertia", "rotor_inertia", "motorInertia", "drake:rotor_inertia")


@final
@dataclass(frozen=True, slots=True)
class Origin:
    """A pose: position [m] and roll, pitch, yaw [rad] about fixed axes, A = Rz Ry Rx."""

    line: int
    xyz: Three = _ZERO3
    rpy: Three = _ZERO3


@final
@dataclass(frozen=True, slots=True)
class Inertial:
    """Mass [kg] and tensor ixx ixy ixz iyy iyz izz [kg m²] about the origin, in its axes."""

    line: int
    origin: Origin
    mass: Fraction
    tensor: tuple[Fraction, ...]


@final
@dataclass(frozen=True, slots=True)
class UrdfLink:
    """A <link>."""

    name: str
    line: int
    inertial: Inertial | None
    has_geometry: bool
    shapes: tuple[Shape, ...] = ()
    meshes: tuple[MeshFile, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Limit:
    """Range [rad, m], speed and effort of a joint; None if the attribute is missing or infinite."""

    line: int
    lower: Fraction | None
    upper: Fraction | None
    velocity: Fraction | None
    effort: Fraction | None
    unlimited: frozenset[str] = frozenset()  # attributes that are infinite or very large


@final
@dataclass(frozen=True, slots=True)
class Mimic:
    """A <mimic>: q = multiplier · q(joint) + offset."""

    line: int
    joint: str
    multiplier: Fraction
    offset: Fraction


@final
@dataclass(frozen=True, slots=True)
class UrdfJoint:
    """A <joint>: how the child link moves in the parent link."""

    name: str
    line: int
    kind: str  # one of JOINT_TYPES
    parent: str
    child: str
    origin: Origin
    axis: Three | None
    limit: Limit | None
    mimic: Mimic | None
    dynamics_line: int
    damping: Fraction
    friction: Fraction


@final
@dataclass(frozen=True, slots=True)
class Transmission:
    """A <transmission>: driven joints, reductions and rotor inertias [kg m²]."""

    name: str
    line: int
    joints: tuple[str, ...]
    reductions: tuple[Fraction, ...]
    rotors: tuple[Fraction, ...]


@final
@dataclass(slots=True)
class UrdfRobot:
    """Content of a file, in its order."""

    name: str
    line: int
    links: dict[str, UrdfLink] = field(default_factory=dict[str, UrdfLink])
    joints: dict[str, UrdfJoint] = field(default_factory=dict[str, UrdfJoint])
    transmissions: list[Transmission] = field(default_factory=list[Transmission])


def read_elements(root: Element, text: UrdfText) -> UrdfRobot:
    """Read the links, joints and transmissions of a <robot>; all else is noted as ignored."""
    if root.tag != "robot":
        raise text.error(root, f"the root of a URDF file must be <robot>, got <{root.tag:.40}>.")
    robot = UrdfRobot(text.name(root), root.line)
    text.colors = material_colors(root)
    text.note_ignored(root, "robot", ("link", "joint", "transmission"), ("name", "version"))
    for e in root.children:
        if e.tag == "link":
            link = _link(e, text)
            if link.name in robot.links:
                first = robot.links[link.name].line
                raise text.error(e, f"link {link.name!r} is already defined in line {first}.")
            robot.links[link.name] = link
        elif e.tag == "joint":
            joint = _joint(e, text)
            if joint.name in robot.joints:
                first = robot.joints[joint.name].line
                raise text.error(e, f"joint {joint.name!r} is already defined in line {first}.")
            robot.joints[joint.name] = joint
        elif e.tag == "transmission":
            robot.transmissions.append(_transmission(e, text))
    return robot


def _link(e: Element, text: UrdfText) -> UrdfLink:
    name = text.name(e)
    shapes, read = read_shapes(e, text)
    meshes, found = read_meshes(e, text, read)
    read = [*read, *(x for x in found if not any(x is y for y in read))]
    text.note_ignored(e, "link", ("inertial",), ("name",), read)
    unusable = [x for x, m in zip(found, meshes, strict=True) if m.problem]
    for c in (c for c in read if not any(c is x for x in unusable)):
        text.notes.add("used", c.line, f"link {name}: <{c.tag}>, for pictures")
    geometry = any(c.tag in ("visual", "collision") for c in e.children)
    child = text.only(e, "inertial")
    inertial = None if child is None else _inertial(child, text)
    return UrdfLink(name, e.line, inertial, geometry, tuple(shapes), tuple(meshes))


def _inertial(e: Element, text: UrdfText) -> Inertial:
    text.note_ignored(e, "link/inertial", ("origin", "mass", "inertia"))
    mass, inertia = text.required(e, "mass"), text.required(e, "inertia")
    six = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    text.note_ignored(mass, "link/inertial/mass", (), ("value",))
    text.note_ignored(inertia, "link/inertial/inertia", (), six)
    tensor = tuple(text.number(inertia, n) for n in six)
    return Inertial(e.line, _origin(e, text, "link/inertial"), text.number(mass, "value"), tensor)


def _origin(parent: Element, text: UrdfText, path: str) -> Origin:
    e = text.only(parent, "origin")
    if e is None:
        return Origin(parent.line)
    text.note_ignored(e, f"{path}/origin", (), ("xyz", "rpy"))
    return Origin(e.line, text.three(e, "xyz", _ZERO3), text.three(e, "rpy", _ZERO3))


def _joint(e: Element, text: UrdfText) -> UrdfJoint:
    name, kind = text.name(e), text.attribute(e, "type")
    if kind not in JOINT_TYPES:
        raise text.error(
            e, f"unknown type {brief(kind)} of joint {name!r}. Valid: {', '.join(JOINT_TYPES)}."
        )
    tags = ["origin", "parent", "child", "limit", "dynamics", "mimic"]
    if kind != "fixed":
        tags.append("axis")
    text.note_ignored(e, "joint", tags, ("name", "type"))
    parent, child = text.required(e, "parent"), text.required(e, "child")
    for end in (parent, child):
        text.note_ignored(end, f"joint/{end.tag}", (), ("link",))
    axis = text.only(e, "axis")
    if axis is not None and kind != "fixed":
        text.note_ignored(axis, "joint/axis", (), ("xyz",))
    dynamics = text.only(e, "dynamics")
    damping = friction = Fraction(0)
    if dynamics is not None:
        text.note_ignored(dynamics, "joint/dynamics", (), ("damping", "friction"))
        damping = text.optional_number(dynamics, "damping") or damping
        friction = text.optional_number(dynamics, "friction") or friction
    return UrdfJoint(
        name, e.line, kind,
        text.name(parent, "link"), text.name(child, "link"),
        _origin(e, text, "joint"),
        None if axis is None or kind == "fixed" else text.three(axis, "xyz"),
        _limit(text.only(e, "limit"), text, name),
        _mimic(text.only(e, "mimic"), text),
        e.line if dynamics is None else dynamics.line,
        damping, friction,
    )  # fmt: skip


def _limit(e: Element | None, text: UrdfText, joint: str) -> Limit | None:
    if e is None:
        return None
    names = ("lower", "upper", "velocity", "effort")
    text.note_ignored(e, "joint/limit", (), names)
    numbers: list[Fraction | None] = []
    unlimited: set[str] = set()
    for n in names:
        x = text.limit(e, n) if n in e.attributes else None
        if x is None or isinstance(x, Fraction):
            numbers.append(x)
            continue
        numbers.append(None)  # ±inf
        entry = f"joint {joint}: {n} {e.attributes[n].strip():.40}"
        if x < 0 if n == "lower" else x > 0:
            unlimited.add(n)
            text.notes.add("unlimited", e.line, entry)
        else:
            text.notes.add("suspicious", e.line, f"{entry} cannot be satisfied, ignored")
    return Limit(e.line, *numbers, unlimited=frozenset(unlimited))


def _mimic(e: Element | None, text: UrdfText) -> Mimic | None:
    if e is None:
        return None
    text.note_ignored(e, "joint/mimic", (), ("joint", "multiplier", "offset"))
    multiplier = text.optional_number(e, "multiplier")
    offset = text.optional_number(e, "offset")
    return Mimic(
        e.line,
        text.name(e, "joint"),
        Fraction(1) if multiplier is None else multiplier,
        Fraction(0) if offset is None else offset,
    )


def _transmission(e: Element, text: UrdfText) -> Transmission:
    """Transmission; reduction and rotor may be in it, its joint or its actuator, as text or value."""
    joints: list[str] = []
    numbers: dict[str, list[Fraction]] = {"reduction": [], "rotor": []}
    for part in (e, *e.all("joint"), *e.all("actuator")):
        path = "transmission" if part is e else f"transmission/{part.tag}"
        text.note_ignored(
            part, path, ("joint", "actuator", "type", *_REDUCTION, *_ROTOR), ("name", "type")
        )
        for c in part.children:
            role = "reduction" if c.tag in _REDUCTION else "rotor" if c.tag in _ROTOR else ""
            if not role:
                continue
            text.note_ignored(c, f"{path}/{c.tag}", (), ("value",))
            value = exact_number(c.attributes.get("value", c.text).strip())
            if value is None:  # some published files have a name that was never replaced
                text.notes.add("suspicious", c.line, f"<{c.tag}> is not a number, ignored")
            else:
                numbers[role].append(value)
        if part.tag == "joint":
            joints.append(text.name(part))
    name = e.attributes.get("name", "")
    return Transmission(name, e.line, tuple(joints), *(tuple(x) for x in numbers.values()))
