"""Read the primitive shapes of a URDF link, for pictures: visual ones, otherwise collision ones.

Meshes are found by `urdf_meshes`. Invalid shapes are noted and ignored, because they do not enter the
equations.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ...algebra.expr.matrix import identity
from ...algebra.expr.vector import Vector
from ..model.shape import Shape
from .rational_rotation import Turn, rotation_rpy
from .urdf_text import UrdfText, exact_number
from .xml_tree import Element

_SIZES: Final = {
    "box": ("size",),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
}
_MOST: Final = 10**6  # [m] or [rad]


def read_shapes(link: Element, text: UrdfText) -> tuple[list[Shape], list[Element]]:
    """Shapes of a <link>, and the elements they were read from."""
    for tag in ("visual", "collision"):
        pairs = [(s, e) for e in link.all(tag) if (s := _shape(e, text)) is not None]
        if pairs:
            return [s for s, _ in pairs], [e for _, e in pairs]
    return [], []


def _shape(e: Element, text: UrdfText) -> Shape | None:
    for geometry in e.all("geometry"):
        for c in geometry.children:
            if c.tag not in _SIZES:
                continue
            size = [x for n in _SIZES[c.tag] for x in _numbers(c, n)]
            pose = [
                _numbers(o, n) for o in e.all("origin") for n in ("xyz", "rpy") if n in o.attributes
            ]
            expected = 3 if c.tag == "box" else len(_SIZES[c.tag])
            if len(size) != expected or min(size) <= 0 or any(len(p) != 3 for p in pose):
                text.notes.add("suspicious", c.line, f"<{c.tag}> is not a valid shape, ignored")
                return None
            xyz, rpy = ([x for o in e.all("origin") for x in _numbers(o, n)] or [Fraction(0)] * 3
                        for n in ("xyz", "rpy"))  # fmt: skip
            turns = [Turn.of(x, Fraction(1, 10**6)) for x in rpy]
            A = rotation_rpy(turns[0], turns[1], turns[2]) if any(rpy) else identity(3)
            return Shape(c.tag, Vector(size), Vector(xyz), A)
    return None


def _numbers(e: Element, name: str) -> list[Fraction]:
    parts = [exact_number(x) for x in e.attributes.get(name, "").split()]
    return [x for x in parts if x is not None and abs(x) < _MOST]
