"""Projection of meshes to shaded triangles, for static pictures and animations."""

from __future__ import annotations

from typing import Final

from ...algebra.arrays import np
from .camera import Camera
from .meshes import MeshSolid
from .polygon import Polygon
from .posture import Array
from .skeleton import WORLD_INDEX, Skeleton

TRIANGLES: Final = 4000  # of a static picture, all meshes together


def mesh_polygons(robot: Skeleton, poses: Array, camera: Camera, key: Array) -> list[Polygon]:
    """Triangles of all meshes, each with its own shade; `key` is the direction of the main light."""
    return [p for m in robot.meshes.solids for p in _polygons(m, robot, poses, camera, key)]


def mesh_ends(m: MeshSolid, poses: Array) -> Array:
    """Extreme points of a mesh in the world frame."""
    if m.body == WORLD_INDEX:
        return m.ends
    return m.ends @ poses[m.body, :3, :3].T + poses[m.body, :3, 3]


def _polygons(
    m: MeshSolid, robot: Skeleton, poses: Array, camera: Camera, key: Array
) -> list[Polygon]:
    surface = robot.meshes.surfaces[m.surface]
    if not len(surface.faces):
        return []
    R, p = m.turned, m.at
    if m.body != WORLD_INDEX:
        R, p = poses[m.body, :3, :3] @ R, poses[m.body, :3, :3] @ p + poses[m.body, :3, 3]
    corners = (surface.points @ R.T + p)[surface.faces]  # (n, 3, 3)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    eye = camera.target + camera.distance * camera.axes[2]
    away = np.einsum("ij,ij->i", normals, corners.mean(axis=1) - eye) > 0
    normals[away] *= -1  # both sides are visible, since files differ in the order of corners
    light = 0.38 + 0.30 * (0.5 + 0.5 * normals @ robot.up) + 0.42 * np.maximum(normals @ key, 0)
    places, depths = camera.project(corners.reshape(-1, 3))
    places, depths = places.reshape(-1, 3, 2), depths.reshape(-1, 3).mean(axis=1)
    color = "" if m.color is None else "#" + "".join(f"{round(255 * x):02x}" for x in m.color)
    return [
        Polygon(points, "shape", float(shade), float(depth), m.body, color)
        for points, shade, depth in zip(places, light, depths, strict=True)
    ]
