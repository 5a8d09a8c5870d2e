"""Fixed: no motion; a body carried by its parent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ...expr.matrix import Matrix, identity
from ...expr.vector import ZERO3, Vector, vector3
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
    """A body fixed to its parent at a point, turned by a fixed rotation."""
    return Fixed((), (), vector3(at), as_rotation(rotation), name)
