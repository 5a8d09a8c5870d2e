"""Projection of a robot to shaded polygons, back to front, for the SVG and matplotlib pictures.

Each solid is the hull of its projected outline, shaded by its orientation to the light; the farthest is
drawn first. This is not a hidden-surface algorithm, but enough for rods, drums and boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log10
from typing import Final, final

from ...algebra.arrays import np
from .camera import TANGENT, Camera, ground_basis
from .flat_meshes import mesh_ends, mesh_polygons
from .polygon import Polygon
from .posture import Array
from .skeleton import WORLD_INDEX, Rod, Skeleton, Solid, place, turn_to

# Colours of the viewer's light scheme, by role.
COLORS: Final = {
    "link": "#b3c0d1", "joint": "#6d7e97", "wheel": "#3f4856", "hub": "#c3cad5", "foot": "#566379",
    "shape": "#a7b3c4", "mass": "#b3c0d1", "loop": "#c98a3d", "contact": "#8fb59d", "held": "#2f8f5b",
    "force": "#b5473c", "grid": "#b9c3d0", "shadow": "#1d2733", "label": "#39424e",
}  # fmt: skip
_CIRCLE: Final = [(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 24, endpoint=False)]


@final
@dataclass(frozen=True, slots=True)
class Line:
    """Line of the grid; `opacity` fades it out with distance."""

    start: Array
    end: Array
    opacity: float


@final
@dataclass(frozen=True, slots=True)
class Flat:
    """Picture: lines of the ground, shadows on it, and polygons in drawing order."""

    width: float
    height: float
    grid: tuple[Line, ...]
    shadows: tuple[Array, ...]
    polygons: tuple[Polygon, ...]


def flat(robot: Skeleton, poses: Array, camera: Camera) -> Flat:
    """Project a robot at a pose through `camera`."""
    return _Flattening(robot, poses, camera).flat()


@final
class _Flattening:
    def __init__(self, found: Skeleton, poses: Array, camera: Camera) -> None:
        self.found, self.poses, self.camera = found, poses, camera
        east, north = ground_basis(found.up)
        key = found.up + 0.55 * east - 0.35 * north
        self.key = key / np.linalg.norm(key)

    def flat(self) -> Flat:
        found, camera = self.found, self.camera
        polygons = [p for r in found.rods for p in self._rod(r)]
        polygons += [p for k, s in enumerate(found.solids) for p in self._solid(s, k)]
        polygons += mesh_polygons(found, self.poses, camera, self.key)
        polygons.sort(key=lambda p: -p.depth)
        shadows = [self._shadow(self._outline(s)) for s in found.solids if s.body != WORLD_INDEX]
        shadows += [self._shadow(self._rod_outline(r)) for r in found.rods]
        shadows += [self._shadow(mesh_ends(m, self.poses)) for m in found.meshes.solids]
        return Flat(
            camera.width, camera.height, tuple(self._grid()), tuple(shadows), tuple(polygons)
        )

    def _light(self, normal: Array) -> float:
        sky, sun = 0.5 + 0.5 * float(normal @ self.found.up), max(0.0, float(normal @ self.key))
        return 0.38 + 0.30 * sky + 0.42 * sun

    # -- solids ----------------------------------------------------------------------------------------
    def _rod(self, rod: Rod) -> Iterator[Polygon]:
        ends = np.array([place(self.poses, *rod.start), place(self.poses, *rod.end)])
        places, depths = self.camera.project(ends)
        scale = self._scale(depths)
        depth = float(depths.mean()) - rod.radius
        # A dark edge, the body, and a bright band on the upper side.
        for width, shift, light in ((1.0, 0.0, 0.78), (0.82, -0.10, 0.98), (0.3, -0.34, 1.08)):
            balls = [
                np.array([(x + r * width * c, y + r * (shift + width * s)) for c, s in _CIRCLE])
                for (x, y), r in zip(places, scale * rod.radius, strict=True)
            ]
            yield Polygon(hull(np.vstack(balls)), "link", light, depth, rod.body)

    def _solid(self, solid: Solid, order: int) -> Iterator[Polygon]:
        center = place(self.poses, solid.body, solid.at)
        rotation = self._turned(solid)
        _, depths = self.camera.project(center)
        depth = float(depths[0])
        near = depth - max(solid.size) * (0.5 if solid.kind == "box" else 1.0)
        if solid.role in ("wheel", "hub"):  # tyre, hub and spoke are nested, in this order
            near = depth - 1e-5 * order
        outline, _ = self.camera.project(self._outline(solid))
        back = self.camera.axes[2]
        if solid.kind == "sphere":
            middle, _ = self.camera.project(center)
            edge = hull(outline) - middle[0]
            high = float(np.abs(edge[:, 1]).max())
            for width, shift, light in ((1.0, 0.0, 0.8), (0.82, -0.1, 1.0), (0.3, -0.34, 1.08)):
                ball = middle[0] + width * edge + np.array([0.0, shift * high])
                yield Polygon(ball, solid.role, light, near, solid.body)
            return
        side = self._side_light(rotation, back)
        yield Polygon(hull(outline), solid.role, side, near, solid.body)
        for normal, face in self._faces(solid, center, rotation):
            eye = self.camera.target + self.camera.distance * back
            if (eye - face.mean(axis=0)) @ normal > 0:
                points, _ = self.camera.project(face)
                yield Polygon(points, solid.role, self._light(normal), near - 1e-6, solid.body)

    def _side_light(self, rotation: Array, back: Array) -> float:
        """Brightness of the curved side, where it faces the eye."""
        z = rotation[:, 2]
        toward = back - z * (z @ back)
        length = float(np.linalg.norm(toward))
        return self._light(toward / length) if length > 1e-9 else 0.8

    def _faces(self, solid: Solid, center: Array, rotation: Array) -> Iterator[tuple[Array, Array]]:
        """(outward normal, corners) of the flat faces."""
        if solid.kind == "box":
            for axis in range(3):
                u, v = (axis + 1) % 3, (axis + 2) % 3
                for sign in (-1.0, 1.0):
                    corners = np.zeros((4, 3))
                    corners[:, axis] = sign / 2
                    corners[:, u] = [-0.5, 0.5, 0.5, -0.5]
                    corners[:, v] = [-0.5, -0.5, 0.5, 0.5]
                    yield sign * rotation[:, axis], center + (corners * solid.size) @ rotation.T
            return
        for sign in (-1.0, 1.0) if solid.kind == "cylinder" else (-1.0,):
            ring = np.array([(c, s, sign / 2) for c, s in _CIRCLE]) * solid.size
            yield sign * rotation[:, 2], center + ring @ rotation.T

    def _turned(self, solid: Solid) -> Array:
        if solid.body == WORLD_INDEX:
            return solid.turned
        return self.poses[solid.body, :3, :3] @ solid.turned

    def _outline(self, solid: Solid) -> Array:
        """Points in the world frame whose hull is the solid."""
        center, rotation = place(self.poses, solid.body, solid.at), self._turned(solid)
        if solid.kind == "box":
            unit = np.array(
                [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
            )
        elif solid.kind == "sphere":
            unit = np.vstack(
                [self._edge(solid, rotation, d) for d in (self.camera.axes[2], self.found.up)]
            )
        else:
            top = 1.0 if solid.kind == "cylinder" else 0.0
            unit = np.array(
                [p for c, s in _CIRCLE for p in ((c, s, -0.5), (top * c, top * s, 0.5))]
            )
        return center + (unit * solid.size) @ rotation.T

    def _edge(self, solid: Solid, rotation: Array, direction: Array) -> Array:
        """Edge of an ellipsoid seen from afar in a direction, on the unit sphere.

        Its normals S⁻¹ u are perpendicular to the direction, so u is perpendicular to S⁻¹ d.
        """
        across = turn_to((rotation.T @ direction) / np.array(solid.size))[:, :2]
        return np.array([across @ np.array([c, s]) for c, s in _CIRCLE])

    def _rod_outline(self, rod: Rod) -> Array:
        a, b = place(self.poses, *rod.start), place(self.poses, *rod.end)
        along = b - a if np.linalg.norm(b - a) > 0 else self.found.up
        sides = turn_to(along)[:, :2] * rod.radius
        level = turn_to(self.found.up)[:, :2] * rod.radius
        ring = [x * c + y * s for x, y in (sides.T, level.T) for c, s in _CIRCLE]
        return np.array([p + x for p in (a, b) for x in ring])

    def _scale(self, depths: Array) -> Array:
        """Pixels per metre at a depth."""
        return self.camera.height / (2 * TANGENT * depths)

    # -- the ground ------------------------------------------------------------------------------------
    def _shadow(self, points: Array) -> Array:
        up, ground = self.found.up, self.found.ground
        below = points - np.outer(points @ up - ground, up)
        return hull(self.camera.project(below)[0])

    def _grid(self) -> Iterator[Line]:
        found = self.found
        east, north = ground_basis(found.up)
        cell = 10 ** round(log10(found.size / 4))
        middle = (found.low + found.high) / 2
        origin = found.up * found.ground
        reach = 1.5 * found.size
        count, pieces = ceil(reach / cell), 10
        ends: list[Array] = []
        for a, b in ((east, north), (north, east)):
            first, middle_b = round(float(middle @ a) / cell), float(middle @ b)
            for k in range(first - count, first + count + 1):
                ends += [origin + a * k * cell + b * (middle_b + reach * i / pieces)
                         for j in range(-pieces, pieces) for i in (j, j + 1)]  # fmt: skip
        points = np.array(ends)
        places, depths = (x.reshape(len(ends) // 2, 2, -1) for x in self.camera.project(points))
        centers = points.reshape(-1, 2, 3).mean(axis=1) - origin - self._level(middle)
        opacities = 1 - np.linalg.norm(centers, axis=1) / reach
        for (start, end), depth, opacity in zip(places, depths, opacities, strict=True):
            if opacity > 0.03 and depth.min() > 0:
                yield Line(start, end, float(opacity))

    def _level(self, p: Array) -> Array:
        return p - self.found.up * (p @ self.found.up)


def hull(points: Array) -> Array:
    """Corners of the convex hull, in order (Andrew's monotone chain).

    >>> hull(np.array([[0.0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 0]])).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]
    """
    rows = sorted({(float(x), float(y)) for x, y in points})
    if len(rows) < 3:
        return np.array(rows)

    def chain(line: list[tuple[float, float]]) -> list[tuple[float, float]]:
        kept: list[tuple[float, float]] = []
        for p in line:
            while len(kept) > 1 and _left(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return np.array(chain(rows) + chain(rows[::-1]))


def _left(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def shaded(color: str, light: float) -> str:
    """Scale a colour by a brightness, as #rrggbb.

    >>> shaded("#808080", 0.5), shaded("#ffffff", 2)
    ('#404040', '#ffffff')
    """
    parts = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{min(255, max(0, round(x * light))):02x}" for x in parts)
