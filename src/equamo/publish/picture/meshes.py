"""Meshes of a robot as simplified surfaces on its bodies."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final, final
from weakref import WeakKeyDictionary

from ...algebra.arrays import NUMPY, np
from ...errors import EquamoError
from ...robot.model import Robot
from ...robot.model.mesh_file import MeshFile
from .posture import Array

if TYPE_CHECKING:
    from .shapes import Numbers
    from .simplify import Surface

_LOOKS: Final = np.array([d for d in product((-1.0, 0.0, 1.0), repeat=3) if any(d)])
MOST_BYTES: Final = 512 << 20  # of all mesh files of a robot; a file counts each time it is read
_kept: WeakKeyDictionary[Robot, dict[int, _Read]] = WeakKeyDictionary()  # by number of triangles


@final
@dataclass(frozen=True, slots=True, eq=False)
class MeshSolid:
    """Surface on a body."""

    body: int
    surface: int  # index in Skeleton.surfaces
    at: Array  # in the body frame [m]
    turned: Array  # 3×3, in the body frame
    color: tuple[float, float, float] | None
    ends: Array  # extreme points of the surface in 26 directions, in the body frame


@final
@dataclass(frozen=True, slots=True, eq=False)
class Meshes:
    """Surfaces with their places, and the problems of meshes that cannot be drawn."""

    surfaces: tuple[Surface, ...] = ()
    solids: tuple[MeshSolid, ...] = ()
    problems: tuple[str, ...] = ()
    incomplete: frozenset[str] = frozenset()  # bodies with such a mesh


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """Simplified surfaces of each mesh with their colours, and problems, of one robot."""

    surfaces: tuple[Surface, ...]
    of_mesh: dict[tuple[Any, ...], list[tuple[int, tuple[float, float, float] | None]]]
    problems: dict[tuple[Any, ...], str]


def meshes(robot: Robot, triangles: int, index: dict[str, int], known: Numbers) -> Meshes:
    """Place the meshes of a robot, reduced to at most `triangles` triangles together.

    Surfaces are read once per robot and number of triangles; equal meshes share their surfaces.
    """
    if not robot.meshes or triangles <= 0:
        return Meshes()
    if not NUMPY:
        problem = "Meshes are drawn only if NumPy is installed."
        return Meshes(problems=(problem,), incomplete=frozenset(robot.meshes))
    per_budget = _kept.setdefault(robot, {})
    if triangles not in per_budget:
        per_budget[triangles] = _read(robot, triangles)
    found = per_budget[triangles]
    solids: list[MeshSolid] = []
    for name, entries in robot.meshes.items():
        for m in entries:
            at = known.numbers(list(m.at))
            turned = known.numbers(list(m.turned.entries)).reshape(3, 3)
            for k, color in found.of_mesh.get(_key(m), ()):
                ends = extreme(found.surfaces[k].points) @ turned.T + at
                solids.append(MeshSolid(index[name], k, at, turned, color or m.color, ends))
    incomplete = {n for n, x in robot.meshes.items() if any(_key(m) in found.problems for m in x)}
    problems = tuple(dict.fromkeys(found.problems.values()))
    return Meshes(found.surfaces, tuple(solids), problems, frozenset(incomplete))


def _key(m: MeshFile) -> tuple[Any, ...]:
    """What distinguishes the surfaces of meshes."""
    return (m.path, m.scale, m.name, id(m.surfaces) if m.surfaces else 0, m.problem)


def _read(robot: Robot, triangles: int) -> _Read:
    from ...robot.formats.meshes.read import read_mesh  # both need NumPy
    from .simplify import Surface, simplified

    raw: list[Surface] = []
    of_mesh: dict[tuple[Any, ...], list[tuple[int, tuple[float, float, float] | None]]] = {}
    problems: dict[tuple[Any, ...], str] = {}
    spent = 0
    for m in (m for entries in robot.meshes.values() for m in entries):
        key = _key(m)
        if key in of_mesh or key in problems:
            continue
        spent += _size(m)
        if spent > MOST_BYTES:
            rule = f"the mesh files of a robot must have at most {MOST_BYTES:,} bytes together"
            problems[key] = f"{m.name}: cannot be drawn: {rule}."
            continue
        try:
            parts = read_mesh(m)
        except EquamoError as error:  # the robot's equations do not depend on it
            problems[key] = str(error).replace(m.path or m.name, m.name)  # as in the robot file
            continue
        of_mesh[key] = [(len(raw) + k, t.color) for k, t in enumerate(parts)]
        raw += [Surface(t.points * np.array(m.scale), t.faces) for t in parts]
    return _Read(tuple(simplified(raw, triangles)), of_mesh, problems)


def _size(m: MeshFile) -> int:
    """Bytes of a file; 0 if there is none, which `read_mesh` reports."""
    try:
        return os.path.getsize(m.path) if m.path else 0
    except OSError:
        return 0


def extreme(points: Array) -> Array:
    """Points of a cloud that are farthest in 26 directions.

    >>> extreme(np.array([[0.0, 0, 0], [1, 0, 0], [0.2, 0.1, 0]])).tolist()
    [[0.0, 0.0, 0.0], [0.2, 0.1, 0.0], [1.0, 0.0, 0.0]]
    """
    if not len(points):
        return np.zeros((0, 3))
    far = np.unique(np.argmax(points @ _LOOKS.T, axis=0))
    return np.unique(points[far], axis=0)
