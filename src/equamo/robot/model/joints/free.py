"""Free joint with six degrees of freedom, for a floating base.

With a quaternion, q = x y z qw qx qy qz, and v is the linear, then the angular velocity of the body,
both in the body frame (the only place where linear comes first, as in Pinocchio). With Euler angles
v = q̇.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, final

from ....algebra.expr import HALF, TWO
from ....algebra.expr.matrix import Matrix, blocks, from_columns, identity, zeros
from ....algebra.expr.vector import ZERO3, Vector, vector3
from ....basics.renamed import renamed
from ....basics.wording import brief
from ....errors import ModelError
from ..joint import Joint, names_of, speed_name, suffixed
from ..names import Names, read_names
from ..rotation import as_rotation, euler_xyz, quaternion_rotation
from .spherical import QUATERNION, euler_rates, is_placement, quaternion_map


@final
@dataclass(frozen=True)
class Free(Joint):
    """Position and unit quaternion."""

    def turn(self) -> Matrix:
        return quaternion_rotation(*self.q[3:])

    def slide(self) -> Vector:
        return Vector(self.q[:3])

    def angular(self) -> Matrix:
        return blocks([[zeros(3, 3), identity(3)]])

    def linear(self) -> Matrix:
        return blocks([[identity(3), zeros(3, 3)]])

    def map(self) -> Matrix:
        A, E = self.turn(), quaternion_map(*self.q[3:]) * HALF
        return blocks([[A, zeros(3, 3)], [zeros(4, 3), E]])

    def inverse_map(self) -> Matrix:
        A, E = self.turn(), quaternion_map(*self.q[3:]) * TWO
        return blocks([[A.T, zeros(3, 4)], [zeros(3, 3), E.T]])

    def unit_groups(self) -> tuple[tuple[str, ...], ...]:
        return (self.coordinates[3:],)


@final
@dataclass(frozen=True)
class FreeEuler(Joint):
    """Position and three Euler angles."""

    def turn(self) -> Matrix:
        return euler_xyz(*self.q[3:])

    def slide(self) -> Vector:
        return Vector(self.q[:3])

    def angular(self) -> Matrix:
        return blocks([[zeros(3, 3), euler_rates(self.q[4], self.q[5])]])

    def linear(self) -> Matrix:
        # ẋ, ẏ, ż are along the axes of the joint frame; rows of A are these axes in the body frame.
        A = self.turn()
        return from_columns([*A, ZERO3, ZERO3, ZERO3])


@renamed(is_placement, rotation="orientation")
@renamed(angles="rotation")
def free(
    q: Names = "base",
    rotation: Literal["quaternion", "euler"] = "quaternion",
    at: Any = "0 0 0",
    orientation: Any = None,
    name: str = "",
) -> Free | FreeEuler:
    """Make a joint with six degrees of freedom.

    Args:
        q: Names of all coordinates, or a prefix for the suffixes x, y, z, qw, qx, qy, qz (or alpha,
            beta, gamma).
        rotation: Rotation coordinates: "quaternion", or "euler" for the angles of Rx Ry Rz.
        at: Origin of the joint frame in the parent [m].
        orientation: Rotation of the joint frame in the parent: a 3×3 matrix, or three angles.
        name: Name of the joint, and prefix of its speeds vx, vy, vz, wx, wy, wz.

    Returns:
        The joint.

    Raises:
        ModelError: A name is not valid, or `rotation` is neither "quaternion" nor "euler".

    >>> free("base").speeds
    ('base_vx', 'base_vy', 'base_vz', 'base_wx', 'base_wy', 'base_wz')
    """
    place, turned = vector3(at), as_rotation(orientation)
    given = read_names(q, "free: a coordinate")
    if name is not None and not isinstance(name, str):  # pyright: ignore
        raise ModelError(f"The name of a joint must be text, got {brief(name)}.")
    first = name or (given[0] if given else "")  # names_of refuses to have none
    if rotation == "quaternion":
        names = names_of(q, ("x", "y", "z", *QUATERNION), "free")
        speeds = suffixed(first, ("vx", "vy", "vz", "wx", "wy", "wz"))
        return Free(names, speeds, place, turned, first)
    if rotation == "euler":
        names = names_of(q, ("x", "y", "z", "alpha", "beta", "gamma"), "free")
        return FreeEuler(names, tuple(map(speed_name, names)), place, turned, first)
    raise ModelError(f"free: rotation must be 'quaternion' or 'euler', got {brief(rotation)}.")
