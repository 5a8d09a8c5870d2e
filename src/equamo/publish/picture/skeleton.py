"""Skeleton: numerical description of the solids that represent a robot in pictures.

A link is a rod from its joint to each joint it carries, with a thickness that grows with its mass; a
revolute joint is a drum on its axis, a prismatic one a block; a body with many limbs is a box between
them; a rolling body is a wheel. Joints that close loops and contact points are marked. Shapes and meshes
from the file replace the rods if most bodies have one; a body with mass that nothing else represents is
the ellipsoid of its inertia. No equation uses any of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, final

from ...algebra.arrays import np
from .meshes import Meshes, MeshSolid
from .posture import Array

Kind = Literal["box", "cylinder", "sphere", "cone"]
Role = Literal["link", "joint", "wheel", "hub", "foot", "shape", "mass", "loop", "contact", "held"]
Motion = Literal["revolute", "prismatic"]

WORLD_INDEX: Final = -1
UPRIGHT: Final = np.eye(3)


@final
@dataclass(frozen=True, slots=True)
class Solid:
    """Primitive solid on a body.

    `size` scales the unit shape along its axes: a box of edge 1, a sphere of radius 1, a cylinder or a
    cone of radius 1 and height 1 along z, centred at the origin.
    """

    body: int
    kind: Kind
    role: Role
    size: tuple[float, float, float]
    at: Array  # in the body frame [m]
    turned: Array  # 3×3, in the body frame


@final
@dataclass(frozen=True, slots=True)
class Rod:
    """Rod between points of two bodies: a link, or the rail of a prismatic joint."""

    body: int  # the one it belongs to
    start: tuple[int, Array]
    end: tuple[int, Array]
    radius: float


@final
@dataclass(frozen=True, slots=True)
class Axis:
    """Axis of rotation or sliding of a joint, in the body frame."""

    motion: Motion
    direction: Array


@final
@dataclass(frozen=True, slots=True)
class Part:
    """Body in a picture: axes of its joint, mass, and the ellipsoid of its inertia."""

    name: str
    parent: int
    axes: tuple[Axis, ...]
    mass: float
    com: Array
    radii: Array | None  # radii of the solid ellipsoid with the same mass and inertia [m]
    principal: Array  # axes of the ellipsoid as columns, in the body frame


@final
@dataclass(frozen=True, slots=True)
class Coordinate:
    """Slider of a coordinate: its range (the robot's limits if it has any) and default."""

    name: str
    unit: str  # rad, m, or empty for an entry of a quaternion
    lower: float
    upper: float
    home: float
    limited: bool


@final
@dataclass(frozen=True, slots=True)
class Skeleton:
    """Solids of a robot. Points are in metres; the ground is the plane `up · x = ground`."""

    name: str
    parts: tuple[Part, ...]
    rods: tuple[Rod, ...]
    solids: tuple[Solid, ...]
    tips: tuple[tuple[int, Array], ...]  # ends of the limbs: body, point on it
    coordinates: tuple[Coordinate, ...]
    unit_groups: tuple[tuple[int, ...], ...]  # coordinates whose squares sum to 1
    up: Array
    ground: float
    size: float  # [m] extent, the unit of lengths in a picture
    low: Array  # corners of the visible box at home, in the world frame
    high: Array
    yaw: float  # [rad] initial direction of the camera, see camera.py
    pitch: float
    meshes: Meshes = field(default_factory=Meshes)


def place(poses: Array, body: int, point: Array) -> Array:
    """World position of a point of a body."""
    return point if body == WORLD_INDEX else poses[body, :3, :3] @ point + poses[body, :3, 3]


def bounds(
    rods: Sequence[Rod],
    solids: Sequence[Solid],
    tips: Sequence[tuple[int, Array]],
    poses: Array,
    size: float,
    meshes: Sequence[MeshSolid] = (),
) -> tuple[Array, Array]:
    """Corners of the box around everything drawn, in the world frame."""
    balls = [(place(poses, *e), r.radius) for r in rods for e in (r.start, r.end)]
    for s in solids:
        half = max(s.size) / (2 if s.kind == "box" else 1)
        balls.append((place(poses, s.body, s.at), half))
    balls += [(place(poses, k, p), 0.0) for k, p in tips]
    balls += [(place(poses, m.body, p), 0.0) for m in meshes for p in m.ends]
    if not balls:
        balls = [(np.zeros(3), size / 2)]
    low = np.min([p - r for p, r in balls], axis=0)
    return low, np.max([p + r for p, r in balls], axis=0)


def turn_to(direction: Array) -> Array:
    """Rotation whose third column is the direction.

    >>> turn_to(np.array([0.0, 0.0, 2.0]))
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    z: Array = direction / np.linalg.norm(direction)
    least = UPRIGHT[int(np.argmin(np.abs(z)))]
    y: Array = np.asarray(np.cross(z, least), dtype=np.float64)
    y = y / np.linalg.norm(y)
    return np.stack([np.cross(y, z), y, z], axis=1)
