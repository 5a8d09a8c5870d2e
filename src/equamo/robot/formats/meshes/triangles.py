"""Triangles: a surface of one colour as immutable arrays, checked on creation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ....basics.wording import brief
from ....errors import FileFormatError

MOST_BYTES: Final = 128 << 20  # of a mesh file
MOST_TRIANGLES: Final = 3_000_000  # of a mesh file, with all its instances
LARGEST: Final = 1e9  # of a coordinate
Color = tuple[float, float, float]  # red, green, blue, from 0 to 1
Points = NDArray[np.float64]
Faces = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Triangles:
    """Surface of one colour.

    Attributes:
        points: Corners, (n, 3), in the units of the robot's file before its scale [m].
        faces: Indices of the three corners of each triangle, (m, 3).
        color: Colour in the mesh file, or None.
    """

    points: Points
    faces: Faces
    color: Color | None = None

    def __len__(self) -> int:
        return len(self.faces)


def corners_used(file: str, points: Points, faces: Any) -> tuple[Points, Faces]:
    """Points used by a triangle, and the faces with new indices.

    A file may have millions of points and use few of them many times, in other places or colours.

    >>> p, f = corners_used("a.obj", np.arange(12.0).reshape(4, 3), [[0, 1, 3]])
    >>> p[:, 0].tolist(), f.tolist()
    ([0.0, 3.0, 9.0], [[0, 1, 2]])
    """
    f = np.asarray(faces, dtype=np.int64).reshape(-1, 3)
    _check_numbers(file, f, len(points))
    used, renamed = np.unique(f, return_inverse=True)
    return points[used], renamed.reshape(-1, 3).astype(np.int64)


def triangles(file: str, points: Any, faces: Any, color: Color | None = None) -> Triangles:
    """Check corners and faces, and make them read-only.

    >>> len(triangles("a.stl", np.eye(3), [[0, 1, 2]]))
    1
    """
    p: Points = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
    f: Faces = np.ascontiguousarray(faces, dtype=np.int64).reshape(-1, 3)
    if len(f) > MOST_TRIANGLES:
        raise FileFormatError(
            f"{file}: a mesh must have at most {MOST_TRIANGLES:,} triangles, got {len(f):,}."
        )
    _check_numbers(file, f, len(p))
    good = np.abs(p) <= LARGEST  # False for nan
    if not good.all():
        raise FileFormatError(
            f"{file}: coordinates of points must be finite numbers below {LARGEST:g}, got "
            f"{brief(float(p[~good][0]))}."
        )
    p.flags.writeable = f.flags.writeable = False
    return Triangles(p, f, color)


def _check_numbers(file: str, f: Faces, count: int) -> None:
    if len(f) and not (f.min() >= 0 and f.max() < count):
        bad = int(f.max() if f.max() >= count else f.min())
        raise FileFormatError(
            f"{file}: a corner of a triangle must be one of the {count:,} points, got number {bad + 1}."
        )
