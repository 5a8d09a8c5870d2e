"""Read the primitive shapes of an SDF link, for pictures: visual ones, otherwise collision ones.

Meshes are not read. Invalid shapes are noted and ignored, because they do not enter the equations.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ...algebra.expr.matrix import identity
from ...algebra.expr.vector import Vector
from ...errors import FileFormatError
from ..model.shape import Shape
from .rational_rotation import Turn, rotation_of_quaternion, rotation_rpy
from .sdf_text import SdfPose, SdfText
from .xml_tree import Element

_SIZES: Final = {
    "box": (("size", 3),),
    "sphere": (("radius", 1),),
    "cylinder": (("radius", 1), ("length", 1)),
    "capsule": (("radius", 1), ("length", 1)),
}
_MOST: Final = 10**6  # [m] or [rad]


def read_sdf_shapes(link: Element, text: SdfText) -> tuple[list[Shape], list[Element]]:
    """Shapes of a <link>, and the elements they were read from."""
    for tag in ("visual", "collision"):
        pairs = [(s, e) for e in link.all(tag) if (s := _shape(e, text)) is not None]
        if pairs:
            return [s for s, _ in pairs], [e for _, e in pairs]
    return [], []


def _shape(e: Element, text: SdfText) -> Shape | None:
    for geometry in e.all("geometry"):
        for c in geometry.children:
            if c.tag not in _SIZES:
                continue
            try:
                size = [
                    x for n, k in _SIZES[c.tag] for x in text.numbers(text.xml.required(c, n), k)
                ]
                pose = text.pose(e, f"link/{e.tag}") or SdfPose(e.line)
            except FileFormatError:
                size, pose = [Fraction(0)], SdfPose(e.line)
            most = max(map(abs, (*size, *pose.xyz, *pose.rpy)))
            if min(size) <= 0 or most >= _MOST or pose.relative_to:
                text.xml.notes.add("suspicious", c.line, f"<{c.tag}> is not a valid shape, ignored")
                return None
            turns = [Turn.of(x, Fraction(1, 10**6)) for x in pose.rpy]
            A = rotation_rpy(turns[0], turns[1], turns[2]) if any(pose.rpy) else identity(3)
            if pose.quaternion is not None:
                A = rotation_of_quaternion(*pose.quaternion)
            return Shape(c.tag, Vector(size), Vector(pose.xyz), A)
    return None
