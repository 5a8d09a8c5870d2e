"""Planar joint: translation in a coordinate plane of the joint frame, rotation about its normal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, final

from ....algebra.expr import cos, sin
from ....algebra.expr.matrix import Matrix, from_columns
from ....algebra.expr.vector import ZERO3, Vector, vector3
from ....basics.arguments import text_or
from ....basics.wording import brief
from ....errors import ModelError
from ..joint import Joint, names_of, speed_name
from ..names import Names, label
from ..rotation import about, as_rotation, unit_axis

# Axes of the two lengths -> right-handed (a, b, n): the angle rotates a towards b, about n.
PLANES: Final = {
    "xy": "xyz", "yx": "xyz", "yz": "yzx", "zy": "yzx", "zx": "zxy", "xz": "zxy",
}  # fmt: skip


@final
@dataclass(frozen=True)
class Planar(Joint):
    """Two lengths and an angle."""

    plane: str = field(default="xy", kw_only=True)  # axes of the two lengths

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.plane, str) or self.plane not in PLANES:  # pyright: ignore
            valid = ", ".join(map(repr, PLANES))
            raise ModelError(f"planar: plane must be one of {valid}, got {brief(self.plane)}.")

    @property
    def normal(self) -> Vector:
        """Axis of the angle."""
        return unit_axis(PLANES[self.plane][2])

    def turn(self) -> Matrix:
        return about(self.normal, self.q[2])

    def slide(self) -> Vector:
        first, second = (unit_axis(x) for x in self.plane)
        return first * self.q[0] + second * self.q[1]

    def angular(self) -> Matrix:
        return from_columns([ZERO3, ZERO3, self.normal])

    def linear(self) -> Matrix:
        # The lengths are along axes of the joint frame; the body frame is rotated by the angle.
        c, s = cos(self.q[2]), sin(self.q[2])
        a, b = (unit_axis(x) for x in PLANES[self.plane][:2])
        in_body = dict(zip(PLANES[self.plane], (a * c - b * s, a * s + b * c), strict=False))
        return from_columns([*(in_body[x] for x in self.plane), ZERO3])


def planar(
    q: Names, at: Any = "0 0 0", rotation: Any = None, name: str = "", plane: str = "xy"
) -> Planar:
    """Make a planar joint with v = q̇.

    Args:
        q: Names of the two lengths [m] and the angle [rad], or a prefix for the suffixes, which are
            the letters of the plane and `angle`.
        at: Origin of the joint frame in the parent [m].
        rotation: Rotation of the joint frame in the parent: a 3×3 matrix, or the angles "α β γ" of
            Rx(α) Ry(β) Rz(γ).
        name: Name of the joint.
        plane: Axes of the two lengths. The angle is right-handed about z for "xy", about x for "yz"
            and about y for "xz" or "zx".

    Returns:
        The joint.

    Raises:
        ModelError: A name, the rotation or the plane is not valid.

    >>> planar("x z theta", plane="xz").position
    Vector([x, 0, z])
    >>> planar("base").coordinates
    ('base_x', 'base_y', 'base_angle')
    """
    letters = plane if isinstance(plane, str) else ""  # pyright: ignore[reportUnnecessaryIsInstance]
    suffixes = (*(letters if letters in PLANES else "xy"), "angle")
    names = names_of(q, suffixes, "planar")
    return Planar(
        names, tuple(map(speed_name, names)), vector3(at), as_rotation(rotation),
        text_or(name, label(q)),
        plane=plane,
    )  # fmt: skip
