"""Universal joint: rotation by q₁ about x of the joint frame, then by q₂ about the new y."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ....algebra.expr import ZERO, cos, sin
from ....algebra.expr.matrix import Matrix, from_columns
from ....algebra.expr.vector import ZERO3, Vector, vector3
from ....basics.arguments import text_or
from ..joint import Joint, names_of, speed_name
from ..names import Names, label
from ..rotation import as_rotation, rotation_x, rotation_y


@final
@dataclass(frozen=True)
class Universal(Joint):
    """Two angles."""

    def turn(self) -> Matrix:
        return rotation_x(self.q[0]) @ rotation_y(self.q[1])

    def slide(self) -> Vector:
        return ZERO3

    def angular(self) -> Matrix:
        # In the body frame: the first axis is Ry(q₂)ᵀ x, the second is y.
        q2 = self.q[1]
        return from_columns([Vector([cos(q2), ZERO, sin(q2)]), Vector([0, 1, 0])])

    def linear(self) -> Matrix:
        return from_columns([ZERO3, ZERO3])


def universal(q: Names, at: Any = "0 0 0", rotation: Any = None, name: str = "") -> Universal:
    """Make a universal joint.

    Args:
        q: Names of the angles about x and about the new y [rad], or a prefix for the suffixes x, y.
        at: Origin of the joint frame in the parent [m].
        rotation: Rotation of the joint frame in the parent: a 3×3 matrix, or the angles "α β γ" of
            Rx(α) Ry(β) Rz(γ).
        name: Name of the joint.

    Returns:
        The joint.

    Raises:
        ModelError: A name or the rotation is not valid.

    >>> universal("wrist").coordinates
    ('wrist_x', 'wrist_y')
    """
    names = names_of(q, ("x", "y"), "universal")
    return Universal(
        names,
        tuple(map(speed_name, names)),
        vector3(at),
        as_rotation(rotation),
        text_or(name, label(q)),
    )
