"""Primitive shapes of bodies, for pictures; they do not enter the equations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, final

from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import ZERO3, Vector
from ...basics.wording import counted
from ...errors import ModelError, UnknownNameError

# Components of `size` [m].
KINDS: Final[dict[str, tuple[str, ...]]] = {
    "box": ("x", "y", "z"),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
}


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """Box, sphere, or cylinder or capsule along z; its centre is placed in the body frame.

    >>> Shape("cylinder", Vector(["1/20", "1/2"])).size[1]
    1/2
    """

    kind: str
    size: Vector
    at: Vector = ZERO3
    turned: Matrix = field(default=identity(3))

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UnknownNameError("kind of shape", self.kind, KINDS)
        if len(self.size) != len(KINDS[self.kind]):
            names = ", ".join(KINDS[self.kind])
            raise ModelError(
                f"The size of a {self.kind} must be {names}, got {counted(len(self.size), 'number')}."
            )
