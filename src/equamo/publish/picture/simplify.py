"""Simplification of surfaces to a number of triangles, by clustering of corners.

Space is cut into cubes; the corners in a cube become one, at the point with the least sum of squared
distances to the planes of the triangles that meet there (Lindstrom 2000, "Out-of-core simplification of
large polygonal models"):

    (1) A x = b,   A = Σ a n nᵀ,   b = Σ a n (n · p)     over triangles with area a, normal n, corner p

Triangles with two corners in a cube vanish. The result depends on the input alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from .posture import Array

Faces = NDArray[np.int64]
WELD: Final = 1e-5  # corners closer than this fraction of the extent are one
FILLED: Final = 0.85  # a result with this fraction of the budget is good enough
ROUNDS: Final = 12  # most trials of a cube size
SHIFT: Final = 0.381966  # of the cubes, relative to their size
STIFF: Final = 1e-3  # weight of the mean corner in (1), so that flat places have a solution


@final
@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Triangles of one colour: corners (n, 3) [m] and their indices (m, 3)."""

    points: Array
    faces: Faces

    @property
    def extent(self) -> float:
        """Longest edge of the box around the surface."""
        return float(np.ptp(self.points, axis=0).max()) if len(self.points) else 0.0


def simplified(surfaces: Sequence[Surface], budget: int) -> list[Surface]:
    """Reduce surfaces to at most `budget` triangles together.

    The size of the cubes grows with the square root of the extent of a surface, so small parts keep more
    detail than large ones.

    >>> square = Surface(np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]),
    ...                  np.array([[0, 1, 2], [0, 2, 3]]))
    >>> [len(s.faces) for s in simplified([square], 10)]
    [2]
    """
    welded = [clustered(s, WELD * s.extent) for s in surfaces]
    total = sum(len(s.faces) for s in welded)
    if total <= budget:
        return welded
    low, high, size = 0.0, np.inf, 0.01 * max(s.extent for s in welded) ** 0.5
    best, count = size, total
    for _ in range(ROUNDS):  # the number of triangles falls with the square of the size
        count = sum(_remaining(s, size * s.extent**0.5) for s in welded)
        if count <= budget:
            best, high = size, size
            if count >= FILLED * budget:
                break
        else:
            low = size
        guess = size * (max(count, 1) / (0.95 * budget)) ** 0.5
        # Between the bounds, so that every round narrows them.
        size = guess if low < guess < high else (low + high) / 2 if high < np.inf else 2 * low
    while high == np.inf:  # a budget of very few triangles
        size *= 2
        if sum(_remaining(s, size * s.extent**0.5) for s in welded) <= budget:
            best = high = size
    return [clustered(s, best * s.extent**0.5) for s in welded]


def clustered(surface: Surface, size: float) -> Surface:
    """Surface with one corner per cube of this size, by (1)."""
    if size <= 0 or not len(surface.faces):
        return Surface(np.zeros((0, 3)), np.zeros((0, 3), np.int64))
    cubes, count = _cubes(surface, size)
    faces = cubes[surface.faces]
    whole = _distinct(faces)
    points = _corners(surface, cubes, count, size)
    faces = faces[whole]
    # Keep one of several triangles with the same corners.
    _, first = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)
    faces = faces[np.sort(first)]
    used, renamed = np.unique(faces, return_inverse=True)
    return Surface(points[used], renamed.reshape(-1, 3).astype(np.int64))


def _cubes(surface: Surface, size: float) -> tuple[NDArray[np.int64], int]:
    """Number of the cube of each corner, and how many cubes have corners."""
    p = surface.points
    # Shifted, so that the middle and the ends of a part do not lie on sides of cubes.
    cells = np.floor((p - p.min(axis=0)) / size + SHIFT).astype(np.int64)
    keys = (cells[:, 0] << 42) | (cells[:, 1] << 21) | cells[:, 2]
    found, cubes = np.unique(keys, return_inverse=True)
    return cubes.astype(np.int64), len(found)


def _distinct(faces: Faces) -> NDArray[np.bool_]:
    a, b, c = faces.T
    return (a != b) & (b != c) & (c != a)


def _remaining(surface: Surface, size: float) -> int:
    """Number of triangles that cubes of this size leave, counting copies."""
    if not len(surface.faces):
        return 0
    return int(_distinct(_cubes(surface, size)[0][surface.faces]).sum())


def _corners(surface: Surface, cubes: NDArray[np.int64], count: int, size: float) -> Array:
    """The new corner of each cube."""
    p, f = surface.points, surface.faces
    many = np.bincount(cubes, minlength=count)
    mean = np.stack([np.bincount(cubes, p[:, k], count) for k in range(3)], axis=1) / many[:, None]
    n = np.cross(p[f[:, 1]] - p[f[:, 0]], p[f[:, 2]] - p[f[:, 0]])  # length: twice the area
    double = np.linalg.norm(n, axis=1)
    unit = n / np.maximum(double, 1e-300)[:, None]
    A, b = np.zeros((count, 3, 3)), np.zeros((count, 3))
    for k in range(3):  # corner of the triangle
        cube = cubes[f[:, k]]
        away = np.einsum("ij,ij->i", unit, p[f[:, k]] - mean[cube])  # relative to the mean corner
        for i in range(3):
            b[:, i] += np.bincount(cube, double * unit[:, i] * away, count)
            for j in range(i, 3):
                A[:, i, j] += np.bincount(cube, double * unit[:, i] * unit[:, j], count)
    A[:, [1, 2, 2], [0, 0, 1]] = A[:, [0, 0, 1], [1, 2, 2]]
    weight = STIFF * np.trace(A, axis1=1, axis2=2) + 1e-300
    A[:, [0, 1, 2], [0, 1, 2]] += weight[:, None]
    shift = np.linalg.solve(A, b[:, :, None])[:, :, 0]
    return mean + np.clip(shift, -size / 2, size / 2)
