"""Find the meshes of a URDF link, for pictures: visual ones, otherwise collision ones.

The files are only located here; they are read when a picture is drawn. An unusable mesh is kept
with its problem, so that pictures can name it.
"""

from __future__ import annotations

from fractions import Fraction

from ...algebra.expr.matrix import identity
from ...algebra.expr.vector import Vector
from ...basics.wording import brief
from ..model.mesh_file import MeshFile, Three
from .rational_rotation import Turn, rotation_rpy
from .urdf_text import UrdfText, exact_number
from .xml_tree import Element

_LARGEST = 10**6


def read_meshes(
    link: Element, text: UrdfText, shapes: list[Element]
) -> tuple[list[MeshFile], list[Element]]:
    """Meshes of a <link>, and the elements from which they were read."""
    if not text.places.wanted:
        return [], []
    for tag in ("visual", "collision"):
        elements = [e for e in link.all(tag) if _mesh(e) is not None]
        if elements:
            return [
                _read(e, text, not any(s.tag == tag for s in shapes)) for e in elements
            ], elements
        if any(s.tag == tag for s in shapes):
            break
    return [], []


def material_colors(root: Element) -> dict[str, Three]:
    """Colours of the materials defined in a <robot> or its links, by name."""
    links = [v for link in root.all("link") for v in link.all("visual")]
    found: dict[str, Three] = {}
    for m in (m for e in (root, *links) for m in e.all("material")):
        color = _color(m)
        if color is not None:
            found.setdefault(m.attributes.get("name", ""), color)
    return found


def _mesh(e: Element) -> Element | None:
    return next((m for g in e.all("geometry") for m in g.all("mesh")), None)


def _read(e: Element, text: UrdfText, replaces: bool) -> MeshFile:
    mesh = _mesh(e)
    assert mesh is not None
    name = mesh.attributes.get("filename", "")
    path, root, problem = text.places.find(name)
    scale = _numbers(mesh, "scale", Fraction(1))
    origin = next(iter(e.all("origin")), None)
    xyz = _numbers(origin, "xyz", Fraction(0)) if origin else [Fraction(0)] * 3
    rpy = _numbers(origin, "rpy", Fraction(0)) if origin else [Fraction(0)] * 3
    if scale is None or xyz is None or rpy is None or not all(scale):
        problem = "scale and origin of a mesh must be three numbers each, and no scale 0"
        return _unusable(mesh, text, name, problem, replaces)
    if problem:
        return _unusable(mesh, text, name, problem, replaces)
    turns = [Turn.of(x, Fraction(1, 10**6)) for x in rpy]
    A = rotation_rpy(turns[0], turns[1], turns[2]) if any(rpy) else identity(3)
    sx, sy, sz = map(float, scale)
    material = next(iter(e.all("material")), None)
    color = None if material is None else _color(material)
    if material is not None and color is None:
        color = text.colors.get(material.attributes.get("name", ""))
    return MeshFile(name, path, root, (sx, sy, sz), Vector(xyz), A, color, "", replaces)


def _unusable(e: Element, text: UrdfText, name: str, problem: str, replaces: bool) -> MeshFile:
    text.notes.ignore(e.line, f"mesh for pictures: {problem}")
    return MeshFile(
        name if name.isprintable() else brief(name), problem=problem, replaces_shapes=replaces
    )


def _color(material: Element) -> Three | None:
    color = next(iter(material.all("color")), None)
    parts = [exact_number(x) for x in color.attributes.get("rgba", "").split()] if color else []
    if len(parts) < 3 or any(x is None or not 0 <= x <= 1 for x in parts):
        return None
    r, g, b = (float(x or 0) for x in parts[:3])
    return (r, g, b)


def _numbers(e: Element, name: str, default: Fraction) -> list[Fraction] | None:
    """Three numbers, or None if the attribute is something else."""
    if name not in e.attributes:
        return [default] * 3
    parts = [exact_number(x) for x in e.attributes[name].split()]
    found = [x for x in parts if x is not None and abs(x) < _LARGEST]
    return found if len(found) == len(parts) == 3 else None
