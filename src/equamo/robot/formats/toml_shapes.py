"""Shapes of TOML model files, for pictures; they do not enter the equations.

[[shapes]]
body = "upper"
kind = "cylinder"               # box: x y z; sphere: radius; cylinder, capsule: radius length
size = "0.05 L1"
at = "L1/2 0 0"                 # centre, in the frame of the body
rotation = "0 pi/2 0"           # cylinders and capsules are along z
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ...algebra.expr.vector import Vector
from ..model.rotation import as_rotation
from ..model.shape import KINDS, Shape
from .toml_table import Table

SHAPE_KEYS: Final = ("body", "kind", "size", "at", "rotation")
_LENGTHS: Final = tuple(sorted({len(x) for x in KINDS.values()}))


def shapes_of(tables: Iterable[Table]) -> dict[str, tuple[Shape, ...]]:
    """Shapes by body, in the order of the file."""
    found: dict[str, tuple[Shape, ...]] = {}
    for t in tables:
        t.only(*SHAPE_KEYS)
        body = t.text("body")
        found[body] = (*found.get(body, ()), shape_of(t))
    return found


def shape_of(t: Table) -> Shape:
    """Shape of a table."""
    kind = t.text("kind")
    if kind not in KINDS:
        raise t.unknown("kind of shape", kind, KINDS, "kind")
    size, at = t.quantities("size", *_LENGTHS), t.vector("at", "0 0 0")
    rotation = t.rotation("rotation")
    return t.guarded(lambda: Shape(kind, Vector(size), at, as_rotation(rotation)), "size")
