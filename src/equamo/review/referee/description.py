"""URDF text that the other libraries read: that of the robot's file, or the robot written as URDF.

Meshes are removed, because a library would look for their files. Mimic relations are removed too, so
that every library has all joints; `placed` projects their speeds if equamo's followers have none. A root
link named `world` gets the name `world_link`, because several libraries define their own `world`. A
floating joint between `world` and the robot becomes a free base, which is how the libraries model it. A
robot whose bodies no longer match the links of its file is written anew.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from ...errors import FileFormatError, ModelError
from ...robot.formats.text_file import read_bytes
from ...robot.formats.urdf_writer import urdf_text
from ...robot.model.body import WORLD
from ...robot.model.edits import copy_with
from ...robot.model.joints import Free, FreeEuler
from ...robot.model.robot import Robot

ROOT: Final = "world_link"  # name of a root link that is `world` in the file
_SHAPES: Final = ("visual", "collision")


@final
@dataclass(frozen=True)
class Link:
    """Inertia of a link according to the text."""

    mass: float | None  # None: no <inertial>
    has_geometry: bool  # a collision shape that is not a mesh
    is_possible: bool  # whether a body can have this mass and these moments of inertia


@final
@dataclass(frozen=True)
class Description:
    """Text of a URDF file, and how its root moves."""

    text: str
    root: str  # name of the root link
    free: bool  # whether the root link moves freely
    links: Mapping[str, Link]
    from_file: bool  # text of the robot's own file, not written by equamo

    def link(self, body: str) -> str:
        """Name in the text of the link of a body."""
        return ROOT if body == WORLD else body


def describe(robot: Robot) -> Description:
    """Description of a robot for other libraries.

    Raises:
        ModelError: URDF cannot represent the robot.
        FileFormatError: The robot's file changed since it was read.

    >>> from equamo.robot.library import load
    >>> describe(load("rr_arm")).root
    'world_link'
    """
    data = _file_of(robot)
    root = ET.fromstring(_written(robot) if data is None else data)
    if data is not None and not _is_whole(robot, root):
        data, root = None, ET.fromstring(_written(robot))
    for joint in root.findall("joint"):
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)
    for link in root.findall("link"):
        for shape in [x for tag in _SHAPES for x in link.findall(tag)]:
            if shape.find("geometry/mesh") is not None:
                link.remove(shape)
    _rename_world(root)
    top = _root_link(root)
    top, floating = _without_floating_root(root, top)
    return Description(
        ET.tostring(root, encoding="unicode"),
        top,
        floating or _has_free_base(robot, root),
        {x.get("name", ""): _link(x) for x in root.findall("link")},
        data is not None,
    )


def _file_of(robot: Robot) -> bytes | None:
    """Bytes of the URDF file that the robot was read from; None if it comes from elsewhere."""
    report = robot.import_report
    if report is None or not report.sha256 or Path(report.file).suffix != ".urdf":
        return None
    if not Path(report.file).exists():
        return None
    data = read_bytes(report.file)
    if sha256(data).hexdigest() != report.sha256:
        raise FileFormatError(
            f"{report.file}: the file must be unchanged since the robot was read, but it has changed; "
            "load it again."
        )
    return data


def _written(robot: Robot) -> str:
    """The robot as URDF, without what is not compared: actuators and wrenches.

    Gravity is set in each library, so it is not needed in the text.
    """
    forces = [f for f in robot.forces if not f.inputs() and not f.external()]
    try:
        text, losses = urdf_text(copy_with(robot, gravity="0 0 -9.81", forces=forces))
        if losses.model:  # other losses do not enter what is compared
            raise losses.error(robot, losses.model)
    except ModelError as error:
        raise ModelError(
            f"compare_with: the other libraries need the robot as URDF. {str(error).split('; pass')[0]}"
        ) from None
    return text


def _is_whole(robot: Robot, root: ET.Element) -> bool:
    """Whether the bodies of the robot are the links of the text, apart from `world`."""
    links = {x.get("name") for x in root.findall("link")} - {WORLD}
    return {b.name for b in robot.bodies} - {ROOT} == links - {ROOT}


def _rename_world(root: ET.Element) -> None:
    """Give the link `world` another name."""
    for element in root.iter():
        if element.tag == "link" and element.get("name") == WORLD:
            element.set("name", ROOT)
        if element.tag in ("parent", "child") and element.get("link") == WORLD:
            element.set("link", ROOT)


def _root_link(root: ET.Element) -> str:
    children = {x.get("link") for x in root.findall("joint/child")}
    return next(n for x in root.findall("link") if (n := x.get("name", "")) not in children)


def _without_floating_root(root: ET.Element, top: str) -> tuple[str, bool]:
    """(root link, whether a floating joint above it was removed)"""
    link = next(x for x in root.findall("link") if x.get("name") == top)
    if top != ROOT:  # a body of the robot, which must stay
        return top, False
    below = [x for x in root.findall("joint") if _end(x, "parent") == top]
    if link.find("inertial") is not None or len(below) != 1 or below[0].get("type") != "floating":
        return top, False
    origin = below[0].find("origin")
    numbers = [] if origin is None else " ".join(origin.attrib.values()).split()
    if any(float(x) for x in numbers):
        return top, False
    root.remove(link)
    root.remove(below[0])
    return _end(below[0], "child"), True


def _end(joint: ET.Element, tag: str) -> str:
    element = joint.find(tag)
    return "" if element is None else element.get("link", "")


def _has_free_base(robot: Robot, root: ET.Element) -> bool:
    """Whether the robot was read with a free base, which its file does not have."""
    names = {x.get("name") for x in root.findall("joint")}
    return any(
        isinstance(b.joint, (Free, FreeEuler)) and b.parent == WORLD and b.joint.name not in names
        for b in robot.bodies
    )


def _link(link: ET.Element) -> Link:
    has_geometry = link.find("collision/geometry") is not None
    inertial = link.find("inertial")
    if inertial is None:
        return Link(None, has_geometry, True)
    mass, moments = _attribute(inertial, "mass", "value"), np.linalg.eigvalsh(_tensor(inertial))
    slack = moments[0] + moments[1] - moments[2]  # 0 for a flat body, up to rounding errors
    possible = moments[0] >= 0 and slack >= -1e-12 * moments[2]
    possible = possible and (mass > 0 or (mass == 0 and not moments.any()))
    return Link(mass, has_geometry, bool(possible))


def _tensor(inertial: ET.Element) -> NDArray[np.float64]:
    """Inertia tensor of the text, about the centre of mass."""
    x = {n: _attribute(inertial, "inertia", n) for n in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
    return np.array([[x["ixx"], x["ixy"], x["ixz"]],
                     [x["ixy"], x["iyy"], x["iyz"]],
                     [x["ixz"], x["iyz"], x["izz"]]])  # fmt: skip


def _attribute(inertial: ET.Element, tag: str, name: str) -> float:
    element = inertial.find(tag)
    return 0.0 if element is None else float(element.get(name, "0"))


def without_zero_inertia(text: str) -> str:
    """Text without <inertial> elements whose mass and moments are 0, which have no effect.

    >>> without_zero_inertia('<robot><link><inertial><mass value="0"/></inertial></link></robot>')
    '<robot><link /></robot>'
    """
    root = ET.fromstring(text)
    for link in root.findall("link"):
        for inertial in link.findall("inertial"):
            if not _attribute(inertial, "mass", "value") and not _tensor(inertial).any():
                link.remove(inertial)
    return ET.tostring(root, encoding="unicode")
