"""Spherical joint: any rotation about a point, by a unit quaternion or by Euler angles x-y-z.

With a quaternion the speeds are the angular velocity of the body relative to its parent, in the body
frame, and N is q̇ = ½ q ∘ (0, ω). With Euler angles v = q̇.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeVar, final

from ....algebra.expr import HALF, ONE, TWO, ZERO, Expr, cos, sin
from ....algebra.expr.matrix import Matrix, from_columns, identity
from ....algebra.expr.vector import ZERO3, Vector, vector3
from ....basics.arguments import text_or
from ....basics.renamed import renamed
from ....basics.wording import brief
from ....errors import ModelError
from ..joint import Joint, names_of, speed_name, suffixed
from ..names import Names, label, read_names
from ..rotation import as_rotation, euler_xyz, quaternion_rotation

QUATERNION = ("qw", "qx", "qy", "qz")
Entry = TypeVar("Entry", Expr, float)


def quaternion_rows(w: Entry, x: Entry, y: Entry, z: Entry) -> list[list[Entry]]:
    """Rows of E with (ẇ, ẋ, ẏ, ż) = ½ E ω for ω in the body frame; Eᵀ E = 1 for a unit quaternion."""
    return [[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]


def is_placement(rotation: object) -> bool:
    """Whether `rotation` has its meaning of version 0.1, which is `orientation` now."""
    return not (isinstance(rotation, str) and rotation.isidentifier())


def quaternion_map(w: Expr, x: Expr, y: Expr, z: Expr) -> Matrix:
    """Matrix E of `quaternion_rows`."""
    return Matrix(quaternion_rows(w, x, y, z))


def euler_rates(beta: Expr, gamma: Expr) -> Matrix:
    """Matrix E with ω = E (α̇, β̇, γ̇) in the body frame, for A = Rx(α) Ry(β) Rz(γ)."""
    cb, sb, cg, sg = cos(beta), sin(beta), cos(gamma), sin(gamma)
    return Matrix([[cb * cg, sg, ZERO], [-(cb * sg), cg, ZERO], [sb, ZERO, ONE]])


@final
@dataclass(frozen=True)
class Spherical(Joint):
    """Unit quaternion."""

    def turn(self) -> Matrix:
        return quaternion_rotation(*self.q)

    def slide(self) -> Vector:
        return ZERO3

    def angular(self) -> Matrix:
        return identity(3)

    def linear(self) -> Matrix:
        return from_columns([ZERO3, ZERO3, ZERO3])

    def map(self) -> Matrix:
        return quaternion_map(*self.q) * HALF

    def inverse_map(self) -> Matrix:
        return quaternion_map(*self.q).T * TWO

    def unit_groups(self) -> tuple[tuple[str, ...], ...]:
        return (self.coordinates,)


@final
@dataclass(frozen=True)
class SphericalEuler(Joint):
    """Three Euler angles."""

    def turn(self) -> Matrix:
        return euler_xyz(*self.q)

    def slide(self) -> Vector:
        return ZERO3

    def angular(self) -> Matrix:
        return euler_rates(self.q[1], self.q[2])

    def linear(self) -> Matrix:
        return from_columns([ZERO3, ZERO3, ZERO3])


@renamed(is_placement, rotation="orientation")
@renamed(angles="rotation")
def spherical(
    q: Names,
    rotation: Literal["quaternion", "euler"] = "quaternion",
    at: Any = "0 0 0",
    orientation: Any = None,
    name: str = "",
) -> Spherical | SphericalEuler:
    """Make a ball joint.

    Args:
        q: Names of all coordinates, or a prefix for the suffixes qw, qx, qy, qz (or alpha, beta,
            gamma).
        rotation: Rotation coordinates: "quaternion", or "euler" for the angles of Rx Ry Rz.
        at: Origin of the joint frame in the parent [m].
        orientation: Rotation of the joint frame in the parent: a 3×3 matrix, or three angles.
        name: Name of the joint, and prefix of its speeds wx, wy, wz.

    Returns:
        The joint.

    Raises:
        ModelError: A name is not valid, or `rotation` is neither "quaternion" nor "euler".

    >>> spherical("hip").coordinates, spherical("hip").speeds
    (('hip_qw', 'hip_qx', 'hip_qy', 'hip_qz'), ('hip_wx', 'hip_wy', 'hip_wz'))
    """
    place, turned = vector3(at), as_rotation(orientation)
    if rotation == "quaternion":
        names = names_of(q, QUATERNION, "spherical")
        first = text_or(name, "") or read_names(q, "spherical: a coordinate")[0]
        return Spherical(names, suffixed(first, ("wx", "wy", "wz")), place, turned, first)
    if rotation == "euler":
        names = names_of(q, ("alpha", "beta", "gamma"), "spherical")
        return SphericalEuler(
            names, tuple(map(speed_name, names)), place, turned, text_or(name, label(q))
        )
    raise ModelError(f"spherical: rotation must be 'quaternion' or 'euler', got {brief(rotation)}.")
