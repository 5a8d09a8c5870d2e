"""Read URDF, the robot format of ROS: links, joints, inertias, damping, friction, limits, rotors.

    A_PB = Rz(yaw) Ry(pitch) Rx(roll)     joint frame in the parent link, followed by the joint motion

Every link keeps its frame. A link fixed to another becomes a frame of the body that carries it, and its
inertia is added to that body. The order is depth first, with siblings in file order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, final

from ...algebra.expr import as_expr, symbol
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import ZERO3, Vector
from ...basics.renamed import warn_renamed
from ...basics.wording import brief
from ...errors import EquamoError, FileFormatError, ModelError, UnknownNameError
from ..model.body import WORLD, Body
from ..model.force import ForceElement
from ..model.forces import joint_actuator, joint_damper, joint_friction, rotor_inertia
from ..model.inertia import Inertia
from ..model.joint import Joint, acceleration_name, speed_name, suffixed
from ..model.joints import Custom, Free, FreeEuler, Planar, fixed, prismatic, revolute
from ..model.joints.spherical import QUATERNION
from ..model.robot import Robot
from ..model.rotation import about
from ..spatial.frame import Frame
from ..spatial.pose import Pose
from .meshes.mesh_place import MeshPlaces
from .rational_rotation import plane_of
from .short_numbers import short_inertia
from .text_file import read_bytes
from .urdf_elements import UrdfJoint, UrdfRobot, read_elements
from .urdf_limits import limits_of
from .urdf_mimic import followers, speed_map_of
from .urdf_poses import Quantities, shortened
from .urdf_text import UrdfText
from .urdf_tree import depth_first
from .xml_tree import Element, parse_xml

Parameters = Literal["numeric", "symbolic"]
Base = Literal["fixed", "free"]
Angles = Literal["quaternion", "euler"]
MimicMode = Literal["free", "follow"]
_CHOICES = {
    "parameters": ("numeric", "symbolic"),
    "base": ("fixed", "free"),
    "rotation": ("quaternion", "euler"),
    "mimic": ("free", "follow"),
}


@final
@dataclass(frozen=True, slots=True)
class UrdfOptions:
    """Options for reading a URDF file; each is checked."""

    parameters: Parameters = "numeric"  # "symbolic": inertias, lengths, damping, friction
    base: Base = "fixed"  # "free": a free joint at the root link
    rotation: Angles = "quaternion"  # coordinates of the free base and of floating joints
    mimic: MimicMode = "free"  # "follow": mimic joints have no coordinates of their own
    snap: float | str | Fraction = (
        1e-11  # [rad] angles this close to a quarter turn are read as one
    )
    meshes: Any = None  # folders of meshes for pictures, besides that of the file; False: no meshes

    def __post_init__(self) -> None:
        for name, valid in _CHOICES.items():
            if getattr(self, name) not in valid:
                raise UnknownNameError(f"choice of {name}", getattr(self, name), valid)
        if not 0 <= self.snapping <= Fraction(1, 4):
            raise ModelError(f"snap must be from 0 to 0.25 rad, got {brief(self.snap)}.")

    @property
    def snapping(self) -> Fraction:
        try:
            return Fraction(self.snap if isinstance(self.snap, Fraction) else str(self.snap))
        except (ValueError, ZeroDivisionError):
            raise ModelError(f"snap must be a number [rad], got {brief(self.snap)}.") from None


def read_urdf(path: str | os.PathLike[str], **options: Any) -> Robot:
    """Read a robot from a URDF file.

    Args:
        path: Path of the file.
        **options: Fields of `UrdfOptions`.

    Returns:
        The robot; its `import_report` lists what happened to each part of the file.

    Raises:
        FileFormatError: The file cannot be read or does not describe a tree; the message gives the line.
        UnknownNameError: Unknown option or choice.
    """
    return robot_of_urdf(read_bytes(path), os.fspath(path), **options)


def robot_of_urdf(data: bytes | str, file: str = "<text>", **options: Any) -> Robot:
    """Build the robot that the text of a URDF file describes.

    Args:
        data: Content of the file.
        file: How messages name it.
        **options: Fields of `UrdfOptions`.

    Returns:
        The robot; its `import_report` lists what happened to each part of the text.

    Raises:
        FileFormatError: The text does not describe a tree of links; the message gives the line.
        UnknownNameError: Unknown option or choice.

    >>> arm = robot_of_urdf('''<robot name="arm"><link name="base"/><link name="hand"><inertial>
    ...   <origin xyz="0 0 0.1"/><mass value="2"/>
    ...   <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    ...   <joint name="elbow" type="revolute"><parent link="base"/><child link="hand"/>
    ...   <axis xyz="0 1 0"/></joint></robot>''')
    >>> arm.q, arm.body("hand").inertia.ten[3]
    ((elbow,), 1/5)
    """
    chosen = urdf_options(options, file)
    data = data.encode() if isinstance(data, str) else data
    return robot_of_element(parse_xml(data, file), file, chosen, sha256(data).hexdigest())


def urdf_options(options: Mapping[str, Any], file: str) -> UrdfOptions:
    """Options of `load`, checked."""
    if "base_rotation" in options and "rotation" not in options:
        warn_renamed(f"load({file!r})", "base_rotation", "rotation")
        options = {"rotation" if n == "base_rotation" else n: x for n, x in options.items()}
    for name in options:
        if name not in UrdfOptions.__slots__:
            raise UnknownNameError("option", name, UrdfOptions.__slots__, f"load({file!r})")
    return UrdfOptions(**options)


def robot_of_element(root: Element, file: str, options: UrdfOptions, read: str = "") -> Robot:
    """Build the robot of a parsed <robot> element; `read` is the digest of its file."""
    text = UrdfText(file, read, MeshPlaces(file, options.meshes))
    elements = read_elements(root, text)
    builder = _Builder(elements, text, options)
    try:
        return builder.robot()
    except FileFormatError:
        raise
    except EquamoError as error:  # the model does not know the place
        raise FileFormatError(f"{file}:{builder.line}: {error}") from None


@final
class _Builder:
    """Builder of bodies, forces and limits, link by link in the order of the tree."""

    def __init__(self, elements: UrdfRobot, text: UrdfText, options: UrdfOptions) -> None:
        self.elements, self.text, self.options = elements, text, options
        self.notes = text.notes
        self.root, self.joints = depth_first(elements, text)
        self.quantities = Quantities(text, options.snapping, options.parameters == "symbolic")
        self.line = elements.line  # current line, for errors of the model
        self.names = self._body_names()
        self.carried: dict[str, tuple[str, Pose]] = {}  # link -> body that carries it, pose in it
        self.bodies: dict[str, tuple[Joint, str]] = {}  # body -> its joint, its parent
        self.inertia: dict[str, Inertia] = {}
        self.rounded: set[tuple[str, str]] = set()  # (body, quantity) already in the report
        self.motion: dict[str, Joint] = {}  # URDF joint -> joint of the model, if it moves

    def robot(self) -> Robot:
        self._place_root()
        for joint in self.joints:
            self.line = joint.line
            self._place(joint)
        follow = followers(self.elements, self.joints, self.text, self.options.mimic)
        self.line = self.elements.line
        forces = self._forces(set(follow))
        limits = limits_of(self.joints, self.notes)
        gravity = self.quantities.gravity()
        self._check_names()
        speeds = speed_map_of(follow, [j for j, _ in self.bodies.values()])
        bodies = [
            Body(n, joint, inertia=self.inertia[n], parent=parent)
            for n, (joint, parent) in self.bodies.items()
        ]
        return Robot(
            self.elements.name, bodies, gravity=gravity, forces=forces,
            parameters=self.quantities.parameters, speeds=speeds, limits=limits, **self._drawn(),
            description=f"read from {Path(self.text.file).name}", import_report=self.notes.report(),
        )  # fmt: skip

    def _drawn(self) -> dict[str, Any]:
        """Primitive shapes and meshes of each body, for pictures."""
        links = [(body, self.elements.links[n]) for n, body in self.names.items()]
        shapes = {body: x.shapes for body, x in links if x.shapes}
        return {"shapes": shapes, "meshes": {body: x.meshes for body, x in links if x.meshes}}

    # -- names -----------------------------------------------------------------------------------------
    def _body_names(self) -> dict[str, str]:
        """Body of each link: the same name, except for a link `world` that is not the ground."""
        names = {n: n for n in self.elements.links}
        ground = self.root == WORLD and self.options.base == "fixed"
        if WORLD in names and not ground:
            names[WORLD] = free_name("world_link", names)
            line = self.elements.links[WORLD].line
            self.notes.add("renamed", line, f"link world moves: body {names[WORLD]}")
        return names

    def _check_names(self) -> None:
        """Check that no two coordinates, speeds, accelerations, inputs or parameters share a name."""
        seen: dict[str, str] = {}

        def claim(names: Iterable[str], what: str, line: int) -> None:
            for n in names:
                if n in seen:
                    raise self.text.error(line, f"{n!r} must have one meaning, but is {seen[n]} and "
                                          f"also {what}; rename one of them.")  # fmt: skip
                seen[n] = what

        for name, joint in self.motion.items():
            line = self.elements.joints[name].line if name in self.elements.joints else self.line
            own = f"joint {name!r}"
            claim(joint.coordinates, f"a coordinate of {own}", line)
            claim(joint.speeds, f"a speed of {own}", line)
            claim(map(acceleration_name, joint.speeds), f"an acceleration of {own}", line)
            if len(joint.speeds) == 1:
                claim([_input_name(name)], f"the input of {own}", line)
        for p in self.quantities.parameters:
            claim([p.name], f"a parameter of {p.description}", self.line)

    # -- bodies ----------------------------------------------------------------------------------------
    def _place_root(self) -> None:
        link = self.elements.links[self.root]
        self.line = link.line
        body = self.names[self.root]
        moves = self.options.base == "free"
        inertia = self.quantities.inertia(link, moves)
        self.carried[self.root] = body, Pose.identity(Frame(self.root))
        if body == WORLD:
            if not inertia.is_zero:
                self.notes.add("merged", link.line, "link world: its mass belongs to the ground and "
                               "does not enter the equations")  # fmt: skip
            return
        if moves:
            taken = {n for j in self.joints for n in (j.name, f"{j.name}_x", f"{j.name}_vx")}
            name = free_name("base", taken, lambda n: f"{n}_x")
            joint = free_joint(name, self.options.rotation, identity(3), ZERO3)
            self.motion[name] = joint
        else:
            joint = fixed()
        self.bodies[body], self.inertia[body] = (joint, WORLD), inertia

    def _place(self, joint: UrdfJoint) -> None:
        link, body = self.elements.links[joint.child], self.names[joint.child]
        carrier, pose = self.carried[joint.parent]
        frame = Frame(joint.child)
        exact = pose @ self.quantities.place(joint, frame, pose.frame)
        pose = shortened(exact)
        if pose is not exact:
            self._rounded(carrier, joint, "pose")
        inertia = self.quantities.inertia(link, joint.kind != "fixed")
        if joint.kind != "fixed":
            self.notes.add("used", joint.line, f"joint {joint.name}: {joint.kind}")
            moving = _motion(joint, self.quantities, pose, self.options.rotation)
            self.motion[joint.name] = moving
            self.bodies[body], self.inertia[body] = (moving, carrier), inertia
            self.carried[joint.child] = body, Pose.identity(frame)
            return
        self.carried[joint.child] = carrier, pose
        self.bodies[body] = fixed(pose.position, pose.rotation, name=joint.name), carrier
        if carrier == WORLD or inertia.is_zero:
            self.inertia[body] = inertia  # fixed to the ground: not merged
            return
        self.inertia[body] = Inertia.zero()
        total = self.inertia[carrier] + Inertia.of(pose @ inertia.in_frame(frame))
        self.inertia[carrier] = short_inertia(total)
        if self.inertia[carrier] is not total:
            self._rounded(carrier, joint, "inertia")
        self.notes.add("merged", joint.line, f"link {link.name} is fixed to {joint.parent}: a frame of "
                       f"body {carrier}, which includes its inertia")  # fmt: skip

    def _rounded(self, carrier: str, joint: UrdfJoint, what: str) -> None:
        """Note a rounding; of a long chain only the first joint is noted."""
        if (carrier, what) not in self.rounded:
            self.rounded.add((carrier, what))
            text = "inertia including links" if what == "inertia" else "poses of links"
            self.notes.add("rounded", joint.line, f"body {carrier}: {text} fixed to it, from joint "
                           f"{joint.name} on")  # fmt: skip

    # -- forces ---------------------------------------------------------------------------------------
    def _forces(self, following: set[str]) -> list[ForceElement]:
        """Actuators of joints with one degree of freedom, damping, friction and rotors."""
        one = [n for n, joint in self.motion.items() if len(joint.speeds) == 1]
        forces: list[ForceElement] = [
            joint_actuator(symbol(n), input=symbol(_input_name(n)))
            for n in one
            if n not in following
        ]
        for joint in self.joints:
            self.line = joint.dynamics_line
            for what, x in (("damping", joint.damping), ("friction", joint.friction)):
                if not x:
                    continue
                if joint.name not in one:
                    self.notes.add("ignored", self.line, f"joint {joint.name}: {what} {float(x):.6g} of "
                                   f"a {joint.kind} joint")  # fmt: skip
                    continue
                q, amount = symbol(joint.name), self.quantities.resistance(joint, what, x)
                forces.append(
                    joint_damper(q, amount)
                    if what == "damping"
                    else joint_friction(q, coulomb=amount)
                )
                self.notes.add("used", self.line, f"joint {joint.name}: {what} {float(x):.6g}")
        return forces + self._rotors(one)

    def _rotors(self, one: list[str]) -> list[ForceElement]:
        rotors: list[ForceElement] = []
        driven: set[str] = set()
        for t in self.elements.transmissions:
            self.line = t.line
            label = f"transmission {t.name or ', '.join(t.joints)}"
            for n in t.joints:
                if n not in self.elements.joints:
                    self.notes.add("suspicious", t.line, f"{label}: unknown joint {n!r}")
            if not t.rotors or not any(t.rotors):
                if any(x != 1 for x in t.reductions):
                    numbers = ", ".join(f"{float(x):.6g}" for x in t.reductions)
                    self.notes.add("ignored", t.line, f"{label}: reduction {numbers} without a rotor "
                                   "inertia; inputs are joint torques")  # fmt: skip
                continue
            single = len(t.joints) == 1 and len(t.rotors) == 1 and len(t.reductions) <= 1
            if not single or t.joints[0] not in one or t.joints[0] in driven:
                self.notes.add("suspicious", t.line, f"{label}: rotor inertia not used; one rotor must "
                               "drive one joint with one degree of freedom")  # fmt: skip
                continue
            joint, ratio = t.joints[0], (*t.reductions, Fraction(1))[0]
            driven.add(joint)
            rotors.append(rotor_inertia(symbol(joint), t.rotors[0], ratio=ratio))
            self.notes.add("used", t.line, f"joint {joint}: rotor {float(t.rotors[0]):.6g} kg m², "
                           f"reduction {float(ratio):.6g}")  # fmt: skip
        return rotors


def _motion(joint: UrdfJoint, quantities: Quantities, pose: Pose, angles: Angles) -> Joint:
    """Joint with its frame at a pose of the carrying body; its name is also its coordinate."""
    if joint.kind == "floating":
        if joint.axis is not None:
            quantities.text.notes.ignore(joint.line, "joint/axis of a floating joint")
        return free_joint(joint.name, angles, pose.rotation, pose.position)
    axis = quantities.axis(joint)
    if joint.kind == "planar":
        return _planar(joint.name, axis, pose)
    make = prismatic if joint.kind == "prismatic" else revolute
    return make(symbol(joint.name), axis=axis, at=pose.position, rotation=pose.rotation)


def free_joint(name: str, angles: Angles, A: Matrix, p: Vector) -> Joint:
    """Joint with six degrees of freedom at a pose; its name may contain blanks."""
    last = QUATERNION if angles == "quaternion" else ("alpha", "beta", "gamma")
    names = suffixed(name, ("x", "y", "z", *last))
    if angles == "euler":
        return FreeEuler(names, tuple(map(speed_name, names)), p, A, name)
    speeds = suffixed(name, ("vx", "vy", "vz", "wx", "wy", "wz"))
    return Free(names, speeds, p, A, name)


def _planar(name: str, axis: Vector, pose: Pose) -> Joint:
    """Motion in the plane normal to the axis, and rotation about it."""
    names = suffixed(name, ("x", "y", "angle"))
    speeds = tuple(map(speed_name, names))
    x, y, angle = (symbol(n) for n in names)
    if axis[2] is as_expr(1):
        return Planar(names, speeds, pose.position, pose.rotation, name)
    plane = plane_of(axis)
    shift = plane.column(0) * x + plane.column(1) * y
    A, p = pose.rotation, pose.position
    return Custom(names, speeds, p, A, name, A=about(axis, angle), P=shift)


def _input_name(joint: str) -> str:
    return f"tau_{joint}"


def free_name(name: str, taken: Any, as_taken: Callable[[str], str] = lambda n: n) -> str:
    """Append underscores to a name until it is not taken."""
    while name in taken or as_taken(name) in taken:
        name += "_"
    return name
