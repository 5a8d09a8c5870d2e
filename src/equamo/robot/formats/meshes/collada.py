"""Read COLLADA files (.dae): geometries, placed by the nodes of the scene, in metres.

    geometry     <source> of numbers, <vertices> that select the positions among them, and primitives
                 (<triangles>, <polylist>, <polygons>, <tristrips>, <trifans>) of indices into them
    scene        nodes with transforms that instance geometries with materials (collada_scene)
    asset        <unit meter="…"> is applied; <up_axis> is not, as in RViz and in robot files

Lines and points are not surfaces and are skipped; skinned and animated bodies are rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ....basics.wording import brief
from ....errors import FileFormatError
from ..xml_tree import Element, parse_xml
from .collada_scene import Placed, first, ids, metres, placed
from .triangles import (
    MOST_BYTES,
    MOST_TRIANGLES,
    Color,
    Faces,
    Points,
    Triangles,
    corners_used,
    triangles,
)

_PIECE: Final = 1 << 20  # characters converted at a time
_WORD: Final = re.compile(r"\S*")
_SURFACES: Final = ("triangles", "polylist", "polygons", "tristrips", "trifans")


def read_collada(data: bytes, file: str) -> tuple[Triangles, ...]:
    """Read the content of a COLLADA file; FileFormatError if it is damaged or not supported."""
    root = parse_xml(data, file, "a COLLADA file", MOST_BYTES)
    if root.tag != "COLLADA":
        raise FileFormatError(
            f"{file}:{root.line}: a COLLADA file must begin with <COLLADA>, got <{root.tag:.40}>."
        )
    unit, reader = metres(root, file), _Geometries(root, file)
    found: dict[Color | None, list[tuple[Points, Faces]]] = {}
    total = 0
    for x in placed(root, file):
        for points, faces, material in reader[x.geometry]:
            total += len(faces)
            if total > MOST_TRIANGLES:
                raise FileFormatError(
                    f"{file}: a mesh must have at most {MOST_TRIANGLES:,} triangles, this one has more."
                )
            with np.errstate(over="ignore", invalid="ignore"):  # checked by `triangles`
                moved = (points @ x.transform[:3, :3].T + x.transform[:3, 3]) * unit
            found.setdefault(_color(x, material), []).append((moved, faces))
    return tuple(_joined(file, parts, color) for color, parts in found.items())


def _color(x: Placed, material: str) -> Color | None:
    """Colour of a primitive's material; if the material is not named, that of the only one."""
    if not material and len(x.colors) == 1:
        return next(iter(x.colors.values()))
    return x.colors.get(material)


def _joined(file: str, parts: list[tuple[Points, Faces]], color: Color | None) -> Triangles:
    starts = np.cumsum([0, *(len(p) for p, _ in parts)])
    faces = [f + s for (_, f), s in zip(parts, starts, strict=False)]
    return triangles(file, np.vstack([p for p, _ in parts]), np.vstack(faces), color)


@final
class _Geometries:
    """Primitives (points, faces, name of the material) of each geometry, read once."""

    def __init__(self, root: Element, file: str) -> None:
        self.file = file
        self.elements = ids(root, "library_geometries", "geometry")
        self.read: dict[str, list[tuple[Points, Faces, str]]] = {}

    def __getitem__(self, name: str) -> list[tuple[Points, Faces, str]]:
        if name not in self.read:
            if name not in self.elements:
                raise FileFormatError(f"{self.file}: unknown geometry {brief(name)} in the scene.")
            self.read[name] = list(self._primitives(self.elements[name]))
        return self.read[name]

    def _primitives(self, geometry: Element) -> Iterator[tuple[Points, Faces, str]]:
        mesh = first(geometry, "mesh")
        if mesh is None:
            return
        parts = _Parts(mesh)
        for primitive in mesh.children:
            if primitive.tag in _SURFACES:
                inputs = [
                    i for i in primitive.all("input") if i.attributes.get("semantic") == "VERTEX"
                ]
                if len(inputs) != 1:
                    raise self._bad(primitive, f"have one <input> VERTEX, got {len(inputs)}")
                points = self._points(parts, inputs[0])
                stride = 1 + max(self._whole(i, "offset") for i in primitive.all("input"))
                faces = self._faces(primitive, stride, self._whole(inputs[0], "offset"))
                own = corners_used(self.file, points, faces)
                yield *own, primitive.attributes.get("material", "")

    def _points(self, parts: _Parts, e: Element) -> Points:
        """Positions named by a VERTEX input, (n, 3); many primitives may share them."""
        name = e.attributes.get("source", "")
        if name not in parts.points:
            parts.points[name] = self._positions(parts, e, name)
        return parts.points[name]

    def _positions(self, parts: _Parts, e: Element, name: str) -> Points:
        vertices = parts.vertices.get(name)
        inputs = vertices.all("input") if vertices else []
        position = [i for i in inputs if i.attributes.get("semantic") == "POSITION"]
        source = parts.sources.get(position[0].attributes.get("source", "")) if position else None
        numbers = first(source, "float_array") if source else None
        if source is None or numbers is None:
            raise self._bad(e, "name <vertices> with a POSITION <source> of a <float_array>")
        values: Points = self._array(numbers, numbers.text, np.float64)
        accessor = next(
            (a for t in source.all("technique_common") for a in t.all("accessor")), None
        )
        stride = self._whole(accessor, "stride", 3) if accessor else 3
        begin = self._whole(accessor, "offset", 0) if accessor else 0
        whole = max(len(values) - begin, 0) // max(stride, 1)
        count = self._whole(accessor, "count", whole) if accessor else whole
        if stride < 3 or begin + stride * count > len(values):
            wanted = f"{begin + stride * count:,} numbers, three or more per point"
            raise self._bad(numbers, f"have {wanted}, got {len(values):,}")
        return values[begin : begin + stride * count].reshape(count, stride)[:, :3]

    def _faces(self, e: Element, stride: int, offset: int) -> Faces:
        """Corners of all triangles of a primitive, (m, 3)."""
        lists = [self._corners(p, stride, offset) for p in e.all("p")]
        if e.tag == "triangles":
            corners = np.concatenate([np.zeros(0, np.int64), *lists])
            if len(corners) % 3:
                raise self._bad(e, f"have three corners per triangle, got {len(corners):,} corners")
            return corners.reshape(-1, 3)
        if e.tag == "polylist":
            corners = np.concatenate([np.zeros(0, np.int64), *lists])
            sizes = first(e, "vcount")
            counts = self._array(e, sizes.text if sizes else "", np.int64)
            many = len(corners)  # each count is checked too, since the sum may overflow
            if np.any((counts < 0) | (counts > many)) or int(counts.sum()) != many:
                raise self._bad(e, f"have as many corners as <vcount> says, got {len(corners):,}")
            return _fans(corners, counts)
        if e.tag == "tristrips":
            strips = [np.stack([c[:-2], c[1:-1], c[2:]], axis=1) for c in lists if len(c) > 2]
            return np.vstack([np.zeros((0, 3), np.int64), *strips])
        joined = np.concatenate([np.zeros(0, np.int64), *lists])  # polygons and fans
        return _fans(joined, np.array([len(c) for c in lists], np.int64))

    def _corners(self, p: Element, stride: int, offset: int) -> NDArray[np.int64]:
        numbers = self._array(p, p.text, np.int64)
        if len(numbers) % stride:
            raise self._bad(p, f"have {stride} indices per corner, got {len(numbers):,} indices")
        return numbers.reshape(-1, stride)[:, offset]

    def _array(self, e: Element, text: str, kind: Any) -> Any:
        try:
            # In pieces, because a list of all words would take many times the size of the text.
            pieces = [np.array(words, dtype=kind) for words in _words(text)]
            return np.concatenate([np.zeros(0, kind), *pieces])
        except (ValueError, OverflowError) as error:
            raise self._bad(e, f"be numbers separated by blanks, got {brief(str(error))}") from None

    def _whole(self, e: Element, name: str, default: int = 0) -> int:
        text = e.attributes.get(name)
        if text is None:
            return default
        if not (text.strip().isdecimal() and len(text) < 10):
            raise self._bad(e, f"have a whole number {name!r}, got {brief(text)}")
        return int(text)

    def _bad(self, e: Element, rule: str) -> FileFormatError:
        return FileFormatError(f"{self.file}:{e.line}: <{e.tag}> must {rule}.")


@final
class _Parts:
    """Targets of the references in a mesh, such as #points."""

    def __init__(self, mesh: Element) -> None:
        self.vertices, self.sources = (
            {"#" + c.attributes.get("id", ""): c for c in reversed(mesh.all(tag))}
            for tag in ("vertices", "source")
        )
        self.points: dict[str, Points] = {}  # positions that were read, by reference


def _words(text: str) -> Iterator[list[str]]:
    """Words of a text, in lists of about `_PIECE` characters.

    >>> list(_words(" 1 2  3 "))
    [['1', '2', '3']]
    """
    begin = 0
    while begin < len(text):
        found = _WORD.match(text, min(begin + _PIECE, len(text)))
        end = found.end() if found else len(text)
        yield text[begin:end].split()
        begin = end


def _fans(corners: NDArray[np.int64], sizes: NDArray[np.int64]) -> Faces:
    """Split polygons, given one after the other, into triangles around their first corners.

    >>> _fans(np.arange(7), np.array([4, 3])).tolist()
    [[0, 1, 2], [0, 2, 3], [4, 5, 6]]
    """
    many = np.maximum(sizes - 2, 0)  # triangles of each polygon
    begins = np.repeat(np.cumsum(sizes) - sizes, many)
    within = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    return np.stack(
        [corners[begins], corners[begins + within + 1], corners[begins + within + 2]], axis=1
    )
