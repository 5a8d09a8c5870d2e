"""Shape: a primitive that a body looks like, for pictures; no equation uses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, final

from ..errors import ModelError, UnknownNameError
from ..expr.matrix import Matrix, identity
from ..expr.vector import ZERO3, Vector
from ..wording import brief, counted

# What `size` holds [m].
KINDS: Final = {
    "box": ("x", "y", "z"),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
}


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """A box, a sphere, or a cylinder or capsule along z, placed in the body frame by its middle.

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
                f"A {self.kind} has the sizes {names}, not {counted(len(self.size), 'number')}."
            )


def shapes_of(
    given: Mapping[str, Iterable[Any]], bodies: Iterable[str], robot: str
) -> dict[str, tuple[Shape, ...]]:
    """{body: its shapes} of a robot, from what its constructor was given."""
    known = list(bodies)
    found: dict[str, tuple[Shape, ...]] = {}
    for n, shapes in given.items():
        if n not in known:
            raise UnknownNameError("body", n, known, f"the shapes of robot {robot!r}")
        found[n] = tuple(shapes)
        for shape in found[n]:
            if not isinstance(shape, Shape):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise ModelError(f"A shape of body {n!r} is a Shape, not {brief(shape)}.")
    return found
