"""Custom: any rotation matrix and position in any number of coordinates (proNEu's A_PB, P_r_PO).

Axis and velocity are found by differentiation; or, as in the Krang documents, a body is given by its
unit vectors x, y, z, origin P and axis e: then e is taken as given, and `eq.check` proves it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

from ...errors import ModelError
from ...expr.matrix import Matrix, from_columns, identity, unskew
from ...expr.vector import ZERO3, Vector, vector3
from ..joint import Joint, speed_name
from ..names import Names, read_names
from ..rotation import as_rotation


@final
@dataclass(frozen=True)
class Custom(Joint):
    """A rotation matrix and a position, as given."""

    A: Matrix = field(default=identity(3), kw_only=True)
    P: Vector = field(default=ZERO3, kw_only=True)
    axis: Vector | None = field(default=None, kw_only=True)  # e, in the body frame, where given

    def turn(self) -> Matrix:
        return self.A

    def slide(self) -> Vector:
        return self.P

    def angular(self) -> Matrix:
        return self._found[0]

    def linear(self) -> Matrix:
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[Matrix, Matrix]:
        """(S_ω, S_v) by differentiation, but for an axis that is given."""
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
    """A body with rotation A_PB(q) and origin P_r_PB(q) in its parent.

    >>> custom("q2", position="L1+q2/2 0 0").linear()[0, 0]
    1/2
    """
    names = read_names(q, "custom: a coordinate")
    if not names:
        raise ModelError("A custom joint needs a coordinate; a body that does not move is fixed().")
    if axis is not None and len(names) != 1:
        raise ModelError(f"An axis goes with one coordinate, not with {len(names)}.")
    e = None if axis is None else vector3(axis)
    return Custom(
        names, tuple(map(speed_name, names)), ZERO3, identity(3), name or names[0],
        A=as_rotation(rotation), P=vector3(position), axis=e,
    )  # fmt: skip


def unit_vectors(q: Names, x: Any, y: Any, z: Any, P: Any = "0 0 0", e: Any = None) -> Custom:
    """A body by its unit vectors x, y, z and origin P in its parent, and axis e in itself."""
    A = from_columns([vector3(x), vector3(y), vector3(z)])
    return custom(q, rotation=A, position=P, axis=e)
