"""Polygon of a static picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from .posture import Array


@final
@dataclass(frozen=True, slots=True)
class Polygon:
    """Points in pixels, y downwards; `role` selects the colour, `light` its brightness."""

    points: Array
    role: str
    light: float
    depth: float
    body: int
    color: str = ""  # instead of that of the role, as #rrggbb
