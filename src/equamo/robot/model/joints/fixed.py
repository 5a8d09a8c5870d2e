"""Fixed joint: a rigid connection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ....algebra.expr.matrix import Matrix, identity
from ....algebra.expr.vector import ZERO3, Vector, vector3
from ..joint import Joint
from ..rotation import as_rotation


@final
@dataclass(frozen=True)
class Fixed(Joint):
    """No motion."""

    def turn(self) -> Matrix:
        return identity(3)

    def slide(self) -> Vector:
        return ZERO3

    def angular(self) -> Matrix:
        return Matrix([[], [], []])

    def linear(self) -> Matrix:
        return Matrix([[], [], []])


def fixed(at: Any = "0 0 0", rotation: Any = None, name: str = "") -> Fixed:
    """Make a rigid connection.

    Args:
        at: Origin of the body in the parent [m].
        rotation: Rotation of the body in the parent: a 3×3 matrix, or the angles "α β γ" of
            Rx(α) Ry(β) Rz(γ).
        name: Name of the joint.

    Returns:
        The joint.

    Raises:
        ModelError: The rotation is not 3×3.

    >>> fixed(at="0 0 L").position
    Vector([0, 0, L])
    """
    return Fixed((), (), vector3(at), as_rotation(rotation), name)
