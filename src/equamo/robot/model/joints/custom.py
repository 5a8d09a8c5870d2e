"""Custom joint: any rotation and position as functions of coordinates (proNEu's A_PB, P_r_PO).

The motion subspace is computed by differentiation. As in the Krang documents, the axis e may be given
along with unit vectors x, y, z and origin P; then it is used as it is, and `eq.check` proves it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

from ....algebra.expr.matrix import Matrix, from_columns, identity, unskew
from ....algebra.expr.vector import ZERO3, Vector, vector3
from ....basics.arguments import text_or
from ....errors import ModelError
from ..joint import Joint, speed_name
from ..names import Names, read_names
from ..rotation import as_rotation


@final
@dataclass(frozen=True)
class Custom(Joint):
    """Rotation matrix and position as functions of the coordinates."""

    A: Matrix = field(default=identity(3), kw_only=True)
    P: Vector = field(default=ZERO3, kw_only=True)
    axis: Vector | None = field(default=None, kw_only=True)  # e in the body frame; None: computed

    def turn(self) -> Matrix:
        return self.A

    def slide(self) -> Vector:
        return self.P

    def angular(self) -> Matrix:
        return self._subspace[0]

    def linear(self) -> Matrix:
        return self._subspace[1]

    @cached_property
    def _subspace(self) -> tuple[Matrix, Matrix]:
        """S_ω and S_v by differentiation, except for a given axis."""
        A_T = self.A.T
        if self.axis is not None:
            S_w = from_columns([self.axis])
        else:  # ω̃ = Aᵀ Ȧ in the body frame
            S_w = from_columns([unskew(A_T @ self.A.diff(q)) for q in self.q])
        return S_w, from_columns([A_T @ self.P.diff(q) for q in self.q])


def custom(
    q: Names,
    rotation: Any = None,
    position: Any = "0 0 0",
    axis: Any = None,
    name: str = "",
) -> Custom:
    """Make a joint with rotation A_PB(q) and origin P_r_PB(q) of the body in its parent.

    Args:
        q: Names of the coordinates.
        rotation: A_PB(q): a 3×3 matrix, or the angles "α β γ" of Rx(α) Ry(β) Rz(γ).
        position: P_r_PB(q) [m].
        axis: Axis in the body frame, for one coordinate; by default computed from the rotation.
        name: Name of the joint; by default the first coordinate.

    Returns:
        The joint, with one speed per coordinate and v = q̇.

    Raises:
        ModelError: `q` is empty, or an axis is given for more than one coordinate.

    >>> custom("q2", position="L1+q2/2 0 0").linear()[0, 0]
    1/2
    """
    names = read_names(q, "custom: a coordinate")
    if not names:
        raise ModelError(
            "custom: q must have at least one coordinate, got none; use fixed() for a rigid connection."
        )
    if axis is not None and len(names) != 1:
        raise ModelError(f"custom: an axis needs exactly one coordinate, got {len(names)}.")
    e = None if axis is None else vector3(axis)
    return Custom(
        names, tuple(map(speed_name, names)), ZERO3, identity(3), text_or(name, names[0]),
        A=as_rotation(rotation), P=vector3(position), axis=e,
    )  # fmt: skip


def unit_vectors(q: Names, x: Any, y: Any, z: Any, P: Any = "0 0 0", e: Any = None) -> Custom:
    """Make a custom joint from the unit vectors of the body.

    Args:
        q: Names of the coordinates.
        x: Unit vector x of the body in its parent.
        y: Unit vector y.
        z: Unit vector z.
        P: Origin of the body in its parent [m].
        e: Axis in the body frame; by default computed from the unit vectors.

    Returns:
        The joint.

    Raises:
        ModelError: As for `custom`.

    >>> unit_vectors("q", "cos(q) sin(q) 0", "-sin(q) cos(q) 0", "0 0 1", e="0 0 1").rotation[0, 0]
    cos(q)
    """
    A = from_columns([vector3(x), vector3(y), vector3(z)])
    return custom(q, rotation=A, position=P, axis=e)
