"""Skeleton: a robot as the few solids that a picture of it is made of, in numbers.

A link is a rod from its joint to each joint it carries, as thick as its mass; a revolute joint is a drum
on its axis, a prismatic one a block; a body with many limbs a box between them; what rolls a wheel.
Shapes from the file take the place of rods where every body has one. No equation uses any of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, final

import numpy as np

from .posture import Array

Kind = Literal["box", "cylinder", "sphere", "cone"]
Role = Literal["link", "joint", "wheel", "hub", "foot", "shape"]
Motion = Literal["revolute", "prismatic"]

WORLD_INDEX: Final = -1
UPRIGHT: Final = np.eye(3)


@final
@dataclass(frozen=True, slots=True)
class Solid:
    """A primitive on a body. `size` scales the unit shape along its axes: a box of edge 1, a sphere of
    radius 1, a cylinder and a cone of radius 1 and height 1 along z, the middle at the origin."""

    body: int
    kind: Kind
    role: Role
    size: tuple[float, float, float]
    at: Array  # in the body frame [m]
    turned: Array  # 3×3, in the body frame


@final
@dataclass(frozen=True, slots=True)
class Rod:
    """From a point of one body to a point of another: a link, or what a prismatic joint slides on."""

    body: int  # the one it belongs to
    start: tuple[int, Array]
    end: tuple[int, Array]
    radius: float


@final
@dataclass(frozen=True, slots=True)
class Axis:
    """What a joint turns about or slides along, in the body frame."""

    motion: Motion
    direction: Array


@final
@dataclass(frozen=True, slots=True)
class Part:
    """A body in a picture: its joint's axes, its mass, and the ellipsoid that has its inertia."""

    name: str
    parent: int
    axes: tuple[Axis, ...]
    mass: float
    com: Array
    radii: Array | None  # of the solid ellipsoid with the same mass and inertia [m]
    principal: Array  # its axes as columns, in the body frame


@final
@dataclass(frozen=True, slots=True)
class Coordinate:
    """A slider: its range (limits where the robot has them) and its default."""

    name: str
    unit: str  # rad, m, or none: an entry of a quaternion
    lower: float
    upper: float
    home: float
    limited: bool


@final
@dataclass(frozen=True, slots=True)
class Skeleton:
    """All of it. Points are in metres; the ground is the plane `up · x = ground`."""

    name: str
    parts: tuple[Part, ...]
    rods: tuple[Rod, ...]
    solids: tuple[Solid, ...]
    tips: tuple[tuple[int, Array], ...]  # ends of the limbs: body, point on it
    coordinates: tuple[Coordinate, ...]
    unit_groups: tuple[tuple[int, ...], ...]  # coordinates whose squares sum to 1
    up: Array
    ground: float
    size: float  # [m] the extent that lengths in a picture are measured by
    low: Array  # corners of what is seen at home, in the world
    high: Array
    yaw: float  # [rad] where a camera stands at first, see camera.py
    pitch: float


def place(poses: Array, body: int, point: Array) -> Array:
    """A point of a body in the world."""
    return point if body == WORLD_INDEX else poses[body, :3, :3] @ point + poses[body, :3, 3]


def bounds(
    rods: Sequence[Rod],
    solids: Sequence[Solid],
    tips: Sequence[tuple[int, Array]],
    poses: Array,
    size: float,
) -> tuple[Array, Array]:
    """Corners of the box around all that is drawn, in the world."""
    balls = [(place(poses, *e), r.radius) for r in rods for e in (r.start, r.end)]
    for s in solids:
        half = max(s.size) / (2 if s.kind == "box" else 1)
        balls.append((place(poses, s.body, s.at), half))
    balls += [(place(poses, k, p), 0.0) for k, p in tips]
    if not balls:
        balls = [(np.zeros(3), size / 2)]
    low = np.min([p - r for p, r in balls], axis=0)
    return low, np.max([p + r for p, r in balls], axis=0)


def turn_to(direction: Array) -> Array:
    """A rotation whose third column is the direction.

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
