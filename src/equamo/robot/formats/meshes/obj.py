"""Read Wavefront OBJ files: points, faces and the diffuse colours of their materials.

v x y z        a point            usemtl name   material of the faces that follow
f a b c …      a polygon, whose corners are `point/texture/normal` numbers from 1, or from -1 back
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from itertools import pairwise
from typing import Final

import numpy as np

from ....basics.wording import brief
from ....errors import FileFormatError
from .triangles import MOST_TRIANGLES, Color, Triangles, corners_used, triangles

LONGEST: Final = 1 << 20  # bytes of a line
MOST_FILES: Final = 16  # material files; each is read again for every line that names it
Materials = Callable[[str], Mapping[str, Color]]  # colours by name, from a file next to the mesh


def no_materials(name: str) -> Mapping[str, Color]:
    """No materials, for a mesh whose other files are not read."""
    return {}


def read_obj(data: bytes, file: str, materials: Materials = no_materials) -> tuple[Triangles, ...]:
    """Read the content of an OBJ file; FileFormatError if it is damaged.

    >>> [len(t) for t in read_obj(b"v 0 0 0\\nv 1 0 0\\nv 1 1 0\\nv 0 1 0\\nf 1 2 3 4", "a.obj")]
    [2]
    """
    points = array("d")  # an array takes a tenth of the memory of a list
    faces: dict[Color | None, array[int]] = {}
    colors: dict[str, Color] = {}
    color: Color | None = None
    total = files = 0
    for number, line in _lines(data, file):
        word, *rest = line.split() or [""]
        if word == "v":
            points.extend(_numbers(rest[:3], 3, f"{file}:{number}: a point 'v'"))
        elif word == "f":
            corners = [_index(x, len(points) // 3, f"{file}:{number}") for x in rest]
            if len(corners) < 3:
                raise FileFormatError(
                    f"{file}:{number}: a face 'f' must have at least three corners, got {len(corners)}."
                )
            total += len(corners) - 2
            if total > MOST_TRIANGLES:
                raise FileFormatError(
                    f"{file}:{number}: a mesh must have at most {MOST_TRIANGLES:,} triangles, this one "
                    "has more."
                )
            first, *others = corners
            own = faces.setdefault(color, array("q"))
            for a, b in pairwise(others):
                own.extend((first, a, b))
        elif word == "mtllib":
            files += 1
            if files > MOST_FILES:
                raise FileFormatError(
                    f"{file}:{number}: a mesh must have at most {MOST_FILES} lines 'mtllib', this one "
                    "has more."
                )
            colors.update(materials(" ".join(rest)))
        elif word == "usemtl":
            color = colors.get(" ".join(rest))
    every = np.asarray(points, np.float64).reshape(-1, 3)
    return tuple(triangles(file, *corners_used(file, every, f), c) for c, f in faces.items())


def read_mtl(data: bytes, file: str) -> dict[str, Color]:
    """Diffuse colours of the materials of an MTL file, by name; FileFormatError if it is damaged.

    >>> read_mtl(b"newmtl steel\\nKd 0.5 0.5 0.6", "a.mtl")
    {'steel': (0.5, 0.5, 0.6)}
    """
    colors: dict[str, Color] = {}
    name = ""
    for number, line in _lines(data, file):
        word, *rest = line.split() or [""]
        if word == "newmtl":
            name = " ".join(rest)
        elif word == "Kd" and rest[:1] not in (["spectral"], ["xyz"]):
            r, g, b = _numbers(rest[:3], 3, f"{file}:{number}: a colour 'Kd'")
            colors[name] = (_part(r), _part(g), _part(b))
    return colors


def _lines(data: bytes, file: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line; one that ends with a backslash continues on the next."""
    joined = data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    for number, line in enumerate(BytesIO(joined), 1):
        if len(line) > LONGEST:  # its words would take fifty times the memory of the file
            raise FileFormatError(
                f"{file}:{number}: a line must have at most {LONGEST:,} bytes, got {len(line):,}."
            )
        yield number, line.decode("utf-8", errors="replace")


def _numbers(parts: list[str], count: int, what: str) -> list[float]:
    try:
        found = [float(x) for x in parts]
    except ValueError:
        found = []
    if len(found) != count:
        raise FileFormatError(f"{what} must be {count} numbers, got {brief(' '.join(parts))}.")
    return found


def _index(text: str, count: int, place: str) -> int:
    try:
        k = int(text.partition("/")[0])
    except ValueError:
        k = 0
    if not 0 < abs(k) <= count:
        raise FileFormatError(
            f"{place}: a corner of a face must be the number of one of the {count:,} points so far, got "
            f"{brief(text)}."
        )
    return k - 1 if k > 0 else count + k


def _part(x: float) -> float:
    return min(1.0, max(0.0, x)) if x == x else 0.0
