"""Geometries of an MJCF file for pictures, from MuJoCo's compiled model.

A body shows its geometries that cannot collide, if it has any, otherwise those in groups 0 to 2, which
MuJoCo's own viewer shows by default. MuJoCo has already read the meshes, with their scale and reference
pose, so that no file is opened here.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

import numpy as np

from ...algebra.expr.vector import Vector
from ..model.mesh_file import MeshFile
from ..model.shape import Shape
from .import_report import Notes
from .meshes.triangles import Triangles, triangles
from .mjcf_equality import Numbers

_SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH = range(2, 8)  # mjtGeom
_VISIBLE: Final = 2  # last group that is shown
_ROUND: Final = 12  # circles of an ellipsoid
_GREY: Final = (0.5, 0.5, 0.5)  # MuJoCo's colour for geometries without one


def read_geometry(m: Any, names: dict[int, str], numbers: Numbers, notes: Notes) -> dict[str, Any]:
    """Arguments of Robot: shapes and meshes by body."""
    shapes: dict[str, list[Shape]] = {}
    meshes: dict[str, list[MeshFile]] = {}
    surfaces: dict[int, tuple[Triangles, ...]] = {}  # by MuJoCo's number of the mesh
    for i, name in names.items():
        for g in _shown(m, i):
            values = (*m.geom_pos[g], *m.geom_quat[g], *m.geom_size[g])
            if not all(isfinite(x) for x in values):
                notes.add("suspicious", 1, f"a geometry of body {name} is not finite, ignored")
                continue
            at, turned = numbers.vector(m.geom_pos[g]), numbers.rotation(m.geom_quat[g])
            shape = _shape(m, g, numbers)
            if shape is not None:
                shapes.setdefault(name, []).append(Shape(*shape, at, turned))
                continue
            k = int(m.geom_dataid[g])
            if int(m.geom_type[g]) == _MESH and k not in surfaces:
                surfaces[k] = (_triangles(m, k, notes.file),)
            found = (_ellipsoid(m.geom_size[g], notes.file),) if k < 0 else surfaces[k]
            label = m.mesh(k).name if k >= 0 else "ellipsoid"
            mesh = MeshFile(label or f"mesh{k}", at=at, turned=turned, color=_color(m, g),
                            replaces_shapes=False, surfaces=found)  # fmt: skip
            meshes.setdefault(name, []).append(mesh)
    count = sum(map(len, (*shapes.values(), *meshes.values())))
    if count:
        notes.add("used", 1, f"{count} geometries, for pictures")
    return {"shapes": shapes, "meshes": meshes}


def _shown(m: Any, body: int) -> list[int]:
    """Geometries of a body to draw; planes and height fields belong to the ground."""
    first, count = int(m.body_geomadr[body]), int(m.body_geomnum[body])
    every = [g for g in range(first, first + count) if int(m.geom_type[g]) >= _SPHERE]
    free = [g for g in every if not m.geom_contype[g] and not m.geom_conaffinity[g]]
    visible = [g for g in every if int(m.geom_group[g]) <= _VISIBLE and m.geom_rgba[g][3] > 0]
    return [g for g in free if g in visible] or visible


def _shape(m: Any, g: int, numbers: Numbers) -> tuple[str, Vector] | None:
    kind, size = int(m.geom_type[g]), [numbers.exact(x) for x in m.geom_size[g]]
    if kind == _SPHERE:
        return "sphere", Vector(size[:1])
    if kind == _BOX:
        return "box", Vector([2 * x for x in size])
    if kind in (_CYLINDER, _CAPSULE):
        return "cylinder" if kind == _CYLINDER else "capsule", Vector([size[0], 2 * size[1]])
    return None


def _triangles(m: Any, k: int, file: str) -> Triangles:
    v, n = int(m.mesh_vertadr[k]), int(m.mesh_vertnum[k])
    f, count = int(m.mesh_faceadr[k]), int(m.mesh_facenum[k])
    return triangles(file, m.mesh_vert[v : v + n], m.mesh_face[f : f + count])


def _ellipsoid(radii: Any, file: str) -> Triangles:
    """Ellipsoid as triangles between circles of latitude."""
    north, east = np.linspace(0, np.pi, _ROUND + 1), np.linspace(0, 2 * np.pi, 2 * _ROUND + 1)
    a, b = np.meshgrid(north, east, indexing="ij")
    ball = np.stack([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)], axis=-1)
    k = np.arange(a.size).reshape(a.shape)
    corners = k[:-1, :-1].ravel(), k[1:, :-1].ravel(), k[1:, 1:].ravel(), k[:-1, 1:].ravel()
    faces = [np.stack([corners[i] for i in three], axis=1) for three in ((0, 1, 2), (0, 2, 3))]
    return triangles(file, ball.reshape(-1, 3) * np.array(radii), np.vstack(faces))


def _color(m: Any, g: int) -> tuple[float, float, float] | None:
    material = int(m.geom_matid[g])
    r, g_, b = (float(x) for x in (m.mat_rgba[material] if material >= 0 else m.geom_rgba[g])[:3])
    if material < 0 and (r, g_, b) == _GREY:
        return None
    return _part(r), _part(g_), _part(b)


def _part(x: float) -> float:
    """Part of a colour, from 0 to 1, which MuJoCo does not check."""
    return min(1.0, max(0.0, x))
