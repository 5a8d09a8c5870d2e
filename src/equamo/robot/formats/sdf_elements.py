"""Read the elements of an SDF file as data: links, joints and frames of one model, with exact numbers.

Their meaning is interpreted in `sdf`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, final

from ...basics.wording import brief
from .sdf_shapes import read_sdf_shapes
from .sdf_text import SdfPose, SdfText
from .urdf_elements import Inertial, Limit, Origin, UrdfLink
from .urdf_text import Three
from .xml_tree import Element

JOINT_TYPES: Final = (
    "revolute", "continuous", "prismatic", "fixed", "ball", "universal", "revolute2"
)  # fmt: skip
# Joints of SDF that equamo does not support, with the reason.
REFUSED: Final = {
    "gearbox": "it couples the angles of two other joints; remove it and the rotor that it drives, and "
    "add the rotor's inertia times the square of the ratio to the joint with eq.rotor_inertia",
    "screw": "the meaning of its thread pitch depends on the version of SDF; use eq.helical in Python",
}
TWO_AXES: Final = ("universal", "revolute2")
_ONE: Final = ("revolute", "continuous", "prismatic")


@final
@dataclass(frozen=True, slots=True)
class SdfAxis:
    """An <axis>: direction, limits, and resistance to motion about or along it."""

    line: int
    xyz: Three
    expressed_in: str | None  # None: the joint frame; "__model__": the model frame
    limit: Limit | None
    damping: Fraction
    friction: Fraction
    stiffness: Fraction
    reference: Fraction


@final
@dataclass(frozen=True, slots=True)
class SdfLink:
    """A <link>: data that URDF has too, and its pose."""

    link: UrdfLink
    pose: SdfPose


@final
@dataclass(frozen=True, slots=True)
class SdfJoint:
    """A <joint>: how the child link moves in the parent link."""

    name: str
    line: int
    kind: str  # one of JOINT_TYPES
    parent: str
    child: str
    pose: SdfPose  # in the child link unless it says otherwise
    axes: tuple[SdfAxis, ...]


@final
@dataclass(frozen=True, slots=True)
class SdfFrame:
    """A <frame>: a named pose."""

    name: str
    line: int
    attached_to: str  # "" for the model frame
    pose: SdfPose


@final
@dataclass(slots=True)
class SdfModel:
    """Content of a <model>, in file order."""

    name: str
    line: int
    pose: SdfPose
    static: bool
    canonical: str  # "" if the file does not say
    gravity: Three | None
    links: dict[str, SdfLink] = field(default_factory=dict[str, SdfLink])
    joints: dict[str, SdfJoint] = field(default_factory=dict[str, SdfJoint])
    frames: dict[str, SdfFrame] = field(default_factory=dict[str, SdfFrame])


def read_model(root: Element, text: SdfText) -> SdfModel:
    """Read the one model of an <sdf>; elements that are not read are noted as ignored, or rejected."""
    xml = text.xml
    if root.tag != "sdf":
        raise xml.error(root, f"the root of an SDF file must be <sdf>, got <{root.tag:.40}>.")
    version = xml.attribute(root, "version")
    old = version.strip() in ("1.0", "1.2", "1.3", "1.4")  # axes in the model frame
    xml.note_ignored(root, "sdf", ("model", "world"), ("version",))
    holder, gravity = root, None
    world = xml.only(root, "world")
    if world is not None and not root.all("model"):
        xml.note_ignored(world, "world", ("model", "gravity", "include"), ("name",))
        g = text.child(world, "gravity")
        holder, gravity = world, None if g is None else text.vector(g)
        _refuse_includes(world, text)
    models = holder.all("model")
    if len(models) != 1:
        names = ", ".join(brief(m.attributes.get("name", "")) for m in models[:8]) or "none"
        raise xml.error(holder, f"an SDF file must have exactly one <model>, got {names}.")
    return _model(models[0], text, gravity, old)


def _refuse_includes(e: Element, text: SdfText) -> None:
    for c in e.children:
        if c.tag == "include":
            raise text.xml.error(c, "<include> must be replaced by the content of the included file; "
                                 "equamo does not read other files.")  # fmt: skip


def _model(e: Element, text: SdfText, gravity: Three | None, old: bool) -> SdfModel:
    xml = text.xml
    tags = ("pose", "static", "link", "joint", "frame", "include", "model")
    xml.note_ignored(e, "model", tags, ("name", "canonical_link"))
    _refuse_includes(e, text)
    for nested in e.all("model"):
        raise xml.error(nested, "a <model> must not contain another <model>; move its links and joints "
                        "into the outer one.")  # fmt: skip
    model = SdfModel(
        xml.name(e), e.line, text.pose(e, "model") or SdfPose(e.line), text.child_truth(e, "static"),
        e.attributes.get("canonical_link", "").strip(), gravity,
    )  # fmt: skip
    taken: dict[str, int] = {}
    for c in e.children:
        if c.tag not in ("link", "joint", "frame"):
            continue
        name = xml.name(c)
        if name in taken:
            raise xml.error(c, f"{c.tag} {name!r} must have a unique name, but it is already used in "
                            f"line {taken[name]}.")  # fmt: skip
        taken[name] = c.line
        if c.tag == "link":
            model.links[name] = _link(c, name, text)
        elif c.tag == "joint":
            model.joints[name] = _joint(c, name, text, old)
        else:
            xml.note_ignored(c, "frame", ("pose",), ("name", "attached_to"))
            attached = c.attributes.get("attached_to", "").strip()
            pose = text.pose(c, "frame") or SdfPose(c.line)
            model.frames[name] = SdfFrame(name, c.line, attached, pose)
    return model


def _link(e: Element, name: str, text: SdfText) -> SdfLink:
    xml = text.xml
    shapes, read = read_sdf_shapes(e, text)
    xml.note_ignored(e, "link", ("pose", "inertial", "gravity"), ("name",), read)
    for c in read:
        xml.notes.add("used", c.line, f"link {name}: <{c.tag}>, for pictures")
    if e.all("gravity") and not text.child_truth(e, "gravity"):
        xml.notes.add(
            "suspicious", e.line, f"link {name}: gravity is off in the file, but acts here"
        )
    geometry = any(c.tag in ("visual", "collision") for c in e.children)
    child = xml.only(e, "inertial")
    inertial = None if child is None else _inertial(child, text)
    link = UrdfLink(name, e.line, inertial, geometry, tuple(shapes))
    return SdfLink(link, text.pose(e, "link") or SdfPose(e.line))


def _inertial(e: Element, text: SdfText) -> Inertial:
    """Mass and inertia; SDF's defaults are 1 kg and 1 kg m² about each axis."""
    xml = text.xml
    xml.note_ignored(e, "link/inertial", ("pose", "mass", "inertia"))
    mass = text.child_number(e, "mass")
    inertia = xml.only(e, "inertia")
    six = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    if inertia is not None:
        xml.note_ignored(inertia, "link/inertial/inertia", six)
    values = [text.child_number(inertia, n) for n in six]
    missing = [n for n, x in zip(("mass", *six), (mass, *values), strict=True) if x is None]
    if missing:
        xml.notes.add("defaulted", e.line, f"inertial without {', '.join(missing)}: 1 for mass, ixx, "
                      "iyy and izz, 0 for the others")  # fmt: skip
    tensor = tuple(
        Fraction(1 if n[1] == n[2] else 0) if x is None else x
        for n, x in zip(six, values, strict=True)
    )
    pose = text.pose(e, "link/inertial") or SdfPose(e.line)
    if pose.relative_to or pose.quaternion:
        raise xml.error(e, "the <pose> of an <inertial> must be six numbers in the link frame.")
    return Inertial(
        e.line, Origin(pose.line, pose.xyz, pose.rpy), Fraction(1) if mass is None else mass, tensor
    )


def _joint(e: Element, name: str, text: SdfText, old: bool) -> SdfJoint:
    xml = text.xml
    kind = xml.attribute(e, "type")
    if kind in REFUSED:
        raise xml.error(e, f"joint {name!r} must not be a {kind} joint: {REFUSED[kind]}.")
    if kind not in JOINT_TYPES:
        raise xml.error(
            e, f"unknown type {brief(kind)} of joint {name!r}. Valid: {', '.join(JOINT_TYPES)}."
        )
    count = 1 if kind in _ONE else 2 if kind in TWO_AXES else 0
    tags = ("axis", "axis2")[:count]
    xml.note_ignored(e, "joint", ("pose", "parent", "child", *tags), ("name", "type"))
    axes = tuple(_axis(xml.required(e, tag), name, text, old) for tag in tags)
    parent, child = text.word(e, "parent"), text.word(e, "child")
    if parent == child:
        raise xml.error(e, f"joint {name!r} must connect two links, got {parent!r} twice.")
    pose = text.pose(e, "joint") or SdfPose(e.line)
    return SdfJoint(name, e.line, kind, parent, child, pose, axes)


def _axis(e: Element, joint: str, text: SdfText, old: bool) -> SdfAxis:
    xml, path = text.xml, f"joint/{e.tag}"
    xml.note_ignored(e, path, ("xyz", "use_parent_model_frame", "limit", "dynamics"))
    xyz = xml.only(e, "xyz")
    frame = "__model__" if old or text.child_truth(e, "use_parent_model_frame") else None
    if xyz is not None:
        xml.note_ignored(xyz, f"{path}/xyz", (), ("expressed_in",))
        frame = xyz.attributes.get("expressed_in", "").strip() or frame
    else:
        xml.notes.add("defaulted", e.line, f"joint {joint}: no direction of its axis, using 0 0 1")
    direction = (Fraction(0), Fraction(0), Fraction(1)) if xyz is None else text.vector(xyz)
    dynamics = xml.only(e, "dynamics")
    names = ("damping", "friction", "spring_stiffness", "spring_reference")
    if dynamics is not None:
        xml.note_ignored(dynamics, f"{path}/dynamics", names)
    numbers = [text.child_number(dynamics, n) or Fraction(0) for n in names]
    line = e.line if dynamics is None else dynamics.line
    limit = _limit(xml.only(e, "limit"), joint, text)
    return SdfAxis(line, direction, frame, limit, *numbers)


def _limit(e: Element | None, joint: str, text: SdfText) -> Limit | None:
    """Limits of an axis; missing or very large ones, and negative efforts or speeds, mean no limit."""
    if e is None:
        return None
    names = ("lower", "upper", "velocity", "effort")
    text.xml.note_ignored(e, "joint/axis/limit", names)
    numbers: list[Fraction | None] = []
    for n in names:
        x = text.child_limit(e, n)
        number = x if isinstance(x, Fraction) and (n in names[:2] or x >= 0) else None
        numbers.append(number)
        if number is None and x is not None:
            text.xml.notes.add("unlimited", e.line, f"joint {joint}: {n} {float(x):.6g}")
    return Limit(e.line, *numbers, unlimited=frozenset(("lower", "upper")))
