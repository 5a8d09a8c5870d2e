"""Conversion of the primitive shapes in a robot's file to solids of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ...algebra.arrays import np
from ...algebra.expr import Expr
from .posture import Array
from .skeleton import Solid


class Numbers(Protocol):
    """Evaluator of expressions to numbers."""

    def numbers(self, entries: Sequence[Expr]) -> Array: ...


def solids_of_shape(shape: Any, body: int, known: Numbers) -> list[Solid]:
    """Solids of a shape: one, or three for a capsule; `shape` has kind, size, at and turned."""
    at = known.numbers(list(shape.at))
    rotation = known.numbers(list(shape.turned.entries)).reshape(3, 3)
    size = [float(x) for x in known.numbers(list(shape.size))]
    if shape.kind == "box":
        return [Solid(body, "box", "shape", (size[0], size[1], size[2]), at, rotation)]
    if shape.kind == "sphere":
        return [Solid(body, "sphere", "shape", (size[0], size[0], size[0]), at, rotation)]
    radius, length = size[0], size[1]
    ball = (radius, radius, radius)
    cylinder = Solid(body, "cylinder", "shape", (radius, radius, length), at, rotation)
    if shape.kind == "cylinder":
        return [cylinder]
    half = rotation @ np.array([0.0, 0.0, length / 2])
    ends = [Solid(body, "sphere", "shape", ball, at + s * half, rotation) for s in (-1.0, 1.0)]
    return [cylinder, *ends]
