"""Read SDF, the robot format of Gazebo: links, joints, inertias, damping, friction, springs, limits.

Unlike URDF, SDF has poses of links in the model, joints that close loops, and ball and universal joints.
Joints that do not fit into the tree become loops (`sdf_tree`); they are closed in the pose of the file,
in which all coordinates are 0. A model that is not fixed to the world floats, as in Gazebo.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, final

from ...algebra.expr import symbol
from ...algebra.expr.matrix import identity
from ...algebra.expr.vector import ZERO3, Vector
from ...errors import EquamoError, FileFormatError, UnknownNameError
from ..model import Robot, loop
from ..model.body import WORLD, Body
from ..model.force import ForceElement
from ..model.forces import joint_actuator, joint_damper, joint_friction, joint_spring
from ..model.inertia import Inertia
from ..model.joint import Joint
from ..model.joints import fixed, prismatic, revolute, spherical
from ..model.loop import Loop
from ..spatial.frame import WORLD_FRAME, Frame
from ..spatial.pose import Pose
from .sdf_elements import TWO_AXES, SdfAxis, SdfJoint, SdfModel, read_model
from .sdf_poses import Placements
from .sdf_text import SdfText
from .sdf_tree import Edge, spanning_tree
from .urdf import Angles, Parameters, UrdfOptions, free_joint, free_name
from .urdf_elements import Origin, UrdfJoint
from .urdf_limits import limits_of
from .urdf_poses import Quantities, shortened
from .urdf_text import UrdfText
from .xml_tree import Element, parse_xml

SdfBase = Literal["file", "fixed", "free"]
_BASES: Final = ("file", "fixed", "free")
_LOOPS: Final = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic",
                 "fixed": "fixed", "ball": "spherical", "universal": "universal",
                 "revolute2": "universal"}  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class SdfOptions:
    """Options for reading an SDF file; each is checked."""

    parameters: Parameters = "numeric"  # "symbolic": inertias, damping, friction
    base: SdfBase = "file"  # as the file says; "fixed" or "free": joint of the root link
    rotation: Angles = "quaternion"  # coordinates of a free base
    snap: float | str | Fraction = 1e-11  # [rad] angles this close to a quarter turn become one

    def __post_init__(self) -> None:
        if self.base not in _BASES:
            raise UnknownNameError("choice of base", self.base, _BASES)
        _ = self.common

    @property
    def common(self) -> UrdfOptions:
        """The options that URDF has too, checked."""
        return UrdfOptions(parameters=self.parameters, rotation=self.rotation, snap=self.snap)


def robot_of_sdf(data: bytes | str, file: str = "<text>", **options: Any) -> Robot:
    """Build the robot that the text of an SDF file describes.

    Args:
        data: Content of the file.
        file: Its name in messages.
        **options: Fields of `SdfOptions`.

    Returns:
        The robot; its `import_report` lists what happened to each part of the text.

    Raises:
        FileFormatError: The text has parts that equamo cannot represent; the message gives the line.
        UnknownNameError: Unknown option or choice.

    >>> arm = robot_of_sdf('''<sdf version="1.7"><model name="arm"><link name="base"/>
    ...   <link name="hand"><pose>0 0 1 0 0 0</pose><inertial><mass>2</mass></inertial></link>
    ...   <joint name="elbow" type="revolute"><parent>base</parent><child>hand</child>
    ...   <axis><xyz>0 1 0</xyz></axis></joint></model></sdf>''', base="fixed")
    >>> arm.q, arm.body("hand").joint.at
    ((elbow,), Vector([0, 0, 1]))
    """
    chosen = sdf_options(options, file)
    data = data.encode() if isinstance(data, str) else data
    return sdf_robot_of_element(parse_xml(data, file), file, chosen, sha256(data).hexdigest())


def sdf_options(options: dict[str, Any], file: str) -> SdfOptions:
    """Options of `load`, checked."""
    for name in options:
        if name not in SdfOptions.__slots__:
            raise UnknownNameError("option", name, SdfOptions.__slots__, f"load({file!r})")
    return SdfOptions(**options)


def sdf_robot_of_element(root: Element, file: str, options: SdfOptions, read: str = "") -> Robot:
    """Build the robot of a parsed <sdf> element; `read` is the digest of its file."""
    text = SdfText(UrdfText(file, read))
    builder = _Builder(read_model(root, text), text.xml, options)
    try:
        return builder.robot()
    except FileFormatError:
        raise
    except EquamoError as error:  # the model does not know the line
        raise FileFormatError(f"{file}:{builder.line}: {error}") from None


@final
class _Builder:
    """Builder of bodies, forces, limits and loops, link by link in the order of the tree."""

    def __init__(self, model: SdfModel, text: UrdfText, options: SdfOptions) -> None:
        self.model, self.text, self.options = model, text, options
        self.notes = text.notes
        common = options.common
        self.quantities = Quantities(text, common.snapping, common.parameters == "symbolic")
        self.place = Placements(model, self.quantities)
        self.root, self.edges, self.cut = spanning_tree(model, text)
        self.line = model.line  # current line, for errors of the model
        self.bodies: dict[str, tuple[Joint, str, Inertia]] = {}  # joint, parent, inertia
        self.carried: dict[str, tuple[str, Pose]] = {}  # link -> moving body, its pose in the world
        self.axes: dict[str, SdfAxis] = {}  # by coordinate

    def robot(self) -> Robot:
        self._place_root()
        for edge in self.edges:
            self.line = edge.joint.line
            self._attach(edge)
        loops = [self._loop(joint) for joint in self.cut]
        forces = self._forces()
        bodies = [
            Body(n, joint, inertia=inertia, parent=parent)
            for n, (joint, parent, inertia) in self.bodies.items()
        ]
        links = self.model.links
        return Robot(
            self.model.name, bodies, gravity=self._gravity(), forces=forces, loops=loops,
            parameters=self.quantities.parameters, limits=self._limits(),
            shapes={n: x.link.shapes for n, x in links.items() if x.link.shapes},
            description=f"read from {Path(self.text.file).name}", import_report=self.notes.report(),
        )  # fmt: skip

    def _gravity(self) -> Vector:
        if self.model.gravity is not None:
            return Vector(self.model.gravity)
        self.notes.add("defaulted", self.model.line, "no gravity in the file, using 0 0 -9.81")
        return self.quantities.gravity()

    # -- bodies ----------------------------------------------------------------------------------------
    def _place_root(self) -> None:
        base, fixed_by_file = self.options.base, self.model.static or self.root == WORLD
        if base == "free" and fixed_by_file:
            raise self.text.error(self.model.line, "base must not be 'free', because the file fixes the "
                                  "model to the world; remove <static> or the joint.")  # fmt: skip
        if self.root == WORLD:
            self.carried[WORLD] = WORLD, Pose.identity(WORLD_FRAME)
            return
        link = self.model.links[self.root].link
        self.line = link.line
        X = self.place(self.root, link.line)
        moves = base == "free" or (base == "file" and not fixed_by_file)
        inertia = self.quantities.inertia(link, moves)
        if not moves:
            self._add(self.root, fixed(X.position, X.rotation), WORLD, inertia)
            self.carried[self.root] = self.root, X
            return
        if base == "file":
            self.notes.add("used", self.model.line, f"link {self.root}: free base, because nothing "
                           "fixes the model to the world")  # fmt: skip
        taken = {n for j in self.model.joints for n in (j, f"{j}_x", f"{j}_vx")}
        name = free_name("base", taken, lambda n: f"{n}_x")
        joint = free_joint(name, self.options.rotation, X.rotation, X.position)
        self._add(self.root, joint, WORLD, inertia)
        self.carried[self.root] = self.root, X

    def _add(self, body: str, joint: Joint, parent: str, inertia: Inertia) -> None:
        self.bodies[body] = joint, parent, inertia

    def _attach(self, edge: Edge) -> None:
        """Attach a link to the body that carries `base`, with its frame through the joint."""
        joint, link = edge.joint, self.model.links[edge.link].link
        carrier, X = self.carried[edge.base]
        Y, J = self.place(edge.link, link.line), self.place(joint.name, joint.line)
        inertia = self.quantities.inertia(link, joint.kind != "fixed")
        if joint.kind == "fixed":
            self._fix(edge.link, carrier, shortened(X.inverse @ Y), inertia, joint.name)
            return
        self.notes.add(
            "used",
            joint.line,
            f"joint {joint.name}: {joint.kind}"
            + (f", moves its parent {edge.link} relative to its child" if edge.is_reversed else ""),
        )
        # Axes of the new link, through the joint; a prismatic joint has no point.
        at = Y.position if joint.kind == "prismatic" else J.position
        offset = Y.rotation.T @ (Y.position - at)
        moving = (
            edge.link if offset.is_zero else free_name(f"{edge.link}:{joint.name}", self.bodies)
        )
        frame = Frame(moving)
        Z = Pose(frame, WORLD_FRAME, Y.rotation, at)
        place = shortened(X.inverse @ Z)
        *before, last = self._motions(edge, place, Y)
        for k, motion in enumerate(before):  # massless, between two axes
            between = free_name(f"{edge.link}:{joint.name}:{k + 1}", self.bodies)
            self._add(between, motion, carrier, Inertia.zero())
            carrier = between
        if moving == edge.link:
            self._add(moving, last, carrier, inertia)
        else:
            self._add(moving, last, carrier, Inertia.zero())
            own = Pose(Y.frame, frame, identity(3), offset)
            self._fix(edge.link, moving, own, inertia, "")
        self.carried[edge.link] = moving, Z

    def _fix(self, link: str, carrier: str, pose: Pose, inertia: Inertia, name: str) -> None:
        """Turn a link into a frame of the body that carries it; its inertia is added to the body."""
        self.carried[link] = carrier, self.place(link, self.line)
        joint = fixed(pose.position, pose.rotation, name=name)
        if carrier == WORLD or inertia.is_zero:
            self._add(link, joint, carrier, inertia)
            return
        self._add(link, joint, carrier, Inertia.zero())
        own, parent, total = self.bodies[carrier]
        total = total + Inertia.of(pose @ inertia.in_frame(pose.frame))
        self.bodies[carrier] = own, parent, total
        self.notes.add("merged", self.line, f"link {link}: a frame of body {carrier}, which includes "
                       "its inertia")  # fmt: skip

    def _motions(self, edge: Edge, place: Pose, Y: Pose) -> list[Joint]:
        """Joints of one edge, with the axes of the link; about −axis if the edge is reversed."""
        joint, at, A = edge.joint, place.position, place.rotation
        if joint.kind == "ball":
            return [spherical(symbol(joint.name), at=at, orientation=A)]
        axes = [Y.rotation.T @ self.place.axis(joint, a) for a in joint.axes]
        if edge.is_reversed:
            axes = [-e for e in reversed(axes)]
        make = prismatic if joint.kind == "prismatic" else revolute
        names = [joint.name]
        if joint.kind in TWO_AXES:
            names = [f"{joint.name}_{k + 1}" for k in range(2)]
            names = names[::-1] if edge.is_reversed else names
        given = joint.axes[::-1] if edge.is_reversed else joint.axes
        self.axes |= dict(zip(names, given, strict=True))
        motions: list[Joint] = []
        for name, e in zip(names, axes, strict=True):
            motions.append(make(symbol(name), axis=e, at=at, rotation=A))
            at, A = ZERO3, identity(3)
        return motions

    # -- loops -----------------------------------------------------------------------------------------
    def _loop(self, joint: SdfJoint) -> Loop:
        """Loop-closing joint, closed in the pose of the file."""
        self.line = joint.line
        to, body = joint.parent, joint.child
        if body == WORLD:
            to, body = body, to
        X, Y = (self.place(n, joint.line) for n in (to, body))
        point = self.place(joint.name, joint.line).position
        ends = [Z.rotation.T @ (point - Z.position) for Z in (Y, X)]
        kind = _LOOPS[joint.kind]
        options: dict[str, Any] = {}
        e = [self.place.axis(joint, a) for a in joint.axes]
        if body == joint.parent:
            e = e[::-1]
        if e:
            options = {"axis": Y.rotation.T @ e[-1], "to_axis": X.rotation.T @ e[0]}
        if kind == "universal":
            self._check_perpendicular(joint, e[0], e[1])
        if kind in ("prismatic", "fixed"):
            options["rotation"] = X.rotation.T @ Y.rotation
        for a in joint.axes:
            for what in ("limit", "damping", "friction", "stiffness"):
                if getattr(a, what):
                    self.notes.add("ignored", a.line, f"joint {joint.name}: {what} of a joint that "
                                   "closes a loop")  # fmt: skip
        self.notes.add("used", joint.line, f"joint {joint.name}: {joint.kind}, closes a loop")
        return loop(joint.name, body=body, at=ends[0], to=to, to_at=ends[1], joint=kind,
                    **options)  # fmt: skip

    def _check_perpendicular(self, joint: SdfJoint, a: Vector, b: Vector) -> None:
        cosine = float((a @ b).value or 0)
        if abs(cosine) > 1e-6:
            raise self.text.error(joint.line, f"the axes of joint {joint.name!r}, which closes a loop, "
                                  f"must be perpendicular, got the cosine {cosine:.3g}.")  # fmt: skip

    # -- forces and limits -----------------------------------------------------------------------------
    def _forces(self) -> list[ForceElement]:
        """Actuators of joints with one degree of freedom, springs, damping, friction."""
        forces: list[ForceElement] = [
            joint_actuator(symbol(n), input=symbol(f"tau_{n}"))
            for n in self.axes
            if n in self.model.joints
        ]
        for n, a in self.axes.items():
            q, own = symbol(n), self._as_urdf(n)
            self.line = a.line
            if a.stiffness:
                forces.append(joint_spring(q, a.stiffness, a.reference, name=f"spring_{n}"))
                self.notes.add("used", a.line, f"joint {n}: spring {float(a.stiffness):.6g}")
            if a.damping:
                amount = self.quantities.resistance(own, "damping", a.damping)
                forces.append(joint_damper(q, amount))
                self.notes.add("used", a.line, f"joint {n}: damping {float(a.damping):.6g}")
            if a.friction:
                amount = self.quantities.resistance(own, "friction", a.friction)
                forces.append(joint_friction(q, coulomb=amount))
                self.notes.add("used", a.line, f"joint {n}: friction {float(a.friction):.6g}")
        return forces

    def _limits(self) -> dict[str, Any]:
        return limits_of((self._as_urdf(n) for n in self.axes), self.notes)

    def _as_urdf(self, coordinate: str) -> UrdfJoint:
        """Data of a coordinate for limits and resistance, as in URDF."""
        a = self.axes[coordinate]
        joint = self.model.joints.get(coordinate)
        kind = "prismatic" if joint is not None and joint.kind == "prismatic" else "revolute"
        kind = "continuous" if a.limit is None and kind == "revolute" else kind
        limit = a.limit
        return UrdfJoint(coordinate, a.line, kind, "", "", Origin(a.line), a.xyz, limit, None, a.line,
                         a.damping, a.friction)  # fmt: skip
