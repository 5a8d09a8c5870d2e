"""Primitive shapes of bodies, for pictures; they do not enter the equations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, final

from ..errors import ModelError, UnknownNameError
from ..expr.matrix import Matrix, identity
from ..expr.vector import ZERO3, Vector
from ..wording import brief, counted

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


def shapes_of(
    shapes: Mapping[str, Iterable[Any]], bodies: Iterable[str], robot: str
) -> dict[str, tuple[Shape, ...]]:
    """Shapes by body, from the argument of Robot."""
    valid = list(bodies)
    table: dict[str, tuple[Shape, ...]] = {}
    for n, entries in shapes.items():
        if n not in valid:
            raise UnknownNameError("body", n, valid, f"the shapes of robot {robot!r}")
        table[n] = tuple(entries)
        for shape in table[n]:
            if not isinstance(shape, Shape):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise ModelError(
                    f"The shapes of body {n!r} must be a list of Shape, got {brief(shape)} in it."
                )
    return table
