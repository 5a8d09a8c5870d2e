"""Nodes, materials and unit of a COLLADA file: places and colours of the geometries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from ....basics.wording import brief
from ....errors import FileFormatError
from ..xml_tree import Element
from .triangles import Color

_DEEPEST: Final = 32  # deepest nesting of nodes
_MOST: Final = 10_000  # nodes, counting each instance
_MOST_WITHIN: Final = 1_000_000  # elements in them, counting each instance
_TRANSFORMS: Final = {"matrix": 16, "translate": 3, "rotate": 4, "scale": 3}
_REFUSED: Final = ("skew", "lookat", "instance_controller")
Transform = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Placed:
    """Instance of a geometry: its transform to the file's frame, and colours by material symbol."""

    geometry: str
    transform: Transform
    colors: Mapping[str, Color]


def metres(root: Element, file: str) -> float:
    """Length of the file's unit [m]; 1 if it is missing."""
    asset = first(root, "asset")
    unit = first(asset, "unit") if asset else None
    if unit is None or "meter" not in unit.attributes:
        return 1.0
    text = unit.attributes["meter"]
    try:
        length = float(text)
    except ValueError:
        length = 0.0
    if not 1e-9 <= length <= 1e9:
        raise FileFormatError(
            f"{file}:{unit.line}: the unit must be a length in metres greater than 0, got {brief(text)}."
        )
    return length


def placed(root: Element, file: str) -> Iterator[Placed]:
    """Every geometry of the scene; in a file without a scene, they are at the origin."""
    reader = _Scene(root, file)
    scene = first(root, "scene")
    shown = first(scene, "instance_visual_scene") if scene else None
    scenes = ids(root, "library_visual_scenes", "visual_scene")
    url = shown.attributes.get("url", "")[1:] if shown else next(iter(scenes), "")
    if url not in scenes:
        for name in ids(root, "library_geometries", "geometry"):
            yield Placed(name, np.eye(4), {})
        return
    for node in scenes[url].all("node"):
        yield from reader.walk(node, np.eye(4), 0)


@final
class _Scene:
    def __init__(self, root: Element, file: str) -> None:
        self.file, self.count, self.within = file, 0, 0
        self.nodes = ids(root, "library_nodes", "node")
        self.colors = _colors(root)

    def walk(self, node: Element, outer: Transform, depth: int) -> Iterator[Placed]:
        """Geometries of a node and of the nodes in it."""
        self.count += 1
        self.within += len(node.children)
        if depth > _DEEPEST or self.count > _MOST or self.within > _MOST_WITHIN:
            raise FileFormatError(
                f"{self.file}:{node.line}: a scene must have at most {_MOST:,} nodes, nested at most "
                f"{_DEEPEST} times, with {_MOST_WITHIN:,} elements in them, this one has more."
            )
        inner = outer
        for c in node.children:
            if c.tag in _REFUSED:
                raise FileFormatError(
                    f"{self.file}:{c.line}: <{c.tag}> is not supported; nodes must use "
                    f"{', '.join(_TRANSFORMS)} and instance_geometry."
                )
            if c.tag in _TRANSFORMS:
                with np.errstate(over="ignore", invalid="ignore"):  # the points are checked later
                    inner = inner @ self._transform(c)
        for c in node.children:
            if c.tag == "instance_geometry":
                yield Placed(c.attributes.get("url", "")[1:], inner, self._materials(c))
            elif c.tag == "node":
                yield from self.walk(c, inner, depth + 1)
            elif c.tag == "instance_node":
                name = c.attributes.get("url", "")[1:]
                if name not in self.nodes:
                    raise FileFormatError(f"{self.file}:{c.line}: unknown node {brief(name)}.")
                yield from self.walk(self.nodes[name], inner, depth + 1)

    def _transform(self, e: Element) -> Transform:
        count = _TRANSFORMS[e.tag]
        try:
            x = np.array(e.text.split(maxsplit=count), dtype=np.float64)
        except ValueError:
            x = np.zeros(0)
        if len(x) != count or not np.isfinite(x).all():
            raise FileFormatError(
                f"{self.file}:{e.line}: <{e.tag}> must be {count} finite numbers, got "
                f"{brief(' '.join(e.text.split(maxsplit=count)))}."
            )
        if e.tag == "matrix":
            return x.reshape(4, 4)
        T = np.eye(4)
        if e.tag == "translate":
            T[:3, 3] = x
        elif e.tag == "scale":
            T[[0, 1, 2], [0, 1, 2]] = x
        else:
            T[:3, :3] = _turn(x[:3], math.radians(x[3]))
        return T

    def _materials(self, instance: Element) -> dict[str, Color]:
        """Colours by the symbol that the primitives of a geometry use."""
        found: dict[str, Color] = {}
        stack = instance.all("bind_material")
        while stack:
            e = stack.pop()
            stack += e.all("technique_common")
            for m in e.all("instance_material"):
                color = self.colors.get(m.attributes.get("target", "")[1:])
                if color is not None:
                    found[m.attributes.get("symbol", "")] = color
        return found


def _turn(axis: Transform, angle: float) -> Transform:
    """Rotation about an axis (Rodrigues); the identity if the axis is 0."""
    length = float(np.linalg.norm(axis))
    if not length:
        return np.eye(3)
    x, y, z = axis / length
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def _colors(root: Element) -> dict[str, Color]:
    """Diffuse colours by material; materials with a texture instead are omitted."""
    effects = ids(root, "library_effects", "effect")
    found: dict[str, Color] = {}
    for name, material in ids(root, "library_materials", "material").items():
        instance = first(material, "instance_effect")
        effect = effects.get(instance.attributes.get("url", "")[1:]) if instance else None
        color = _diffuse(effect) if effect else None
        if color is not None:
            found[name] = color
    return found


def _diffuse(effect: Element) -> Color | None:
    e: Element | None = effect
    for tags in (("profile_COMMON",), ("technique",), ("phong", "lambert", "blinn", "constant"),
                 ("diffuse", "emission"), ("color",)):  # fmt: skip
        e = next((c for tag in tags for c in e.all(tag)), None) if e else None
    if e is None:
        return None
    try:
        r, g, b = (min(1.0, max(0.0, float(x))) for x in e.text.split(maxsplit=3)[:3])
    except ValueError:
        return None
    return (r, g, b)


def ids(root: Element, library: str, tag: str) -> dict[str, Element]:
    """Elements of a library by their id."""
    found = (e for part in root.all(library) for e in part.all(tag))
    return {e.attributes.get("id", ""): e for e in found}


def first(e: Element, tag: str) -> Element | None:
    """First child with this tag."""
    return next(iter(e.all(tag)), None)
