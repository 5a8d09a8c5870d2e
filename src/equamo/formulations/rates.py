"""Symbols of q̇, for formulations that differentiate by it."""

from __future__ import annotations

from ..expr import Expr, symbol
from ..model.robot import Robot


def coordinate_rates(robot: Robot) -> tuple[Expr, ...]:
    """The speeds where q̇ = v, else `d<coordinate>`."""
    return robot.v if robot.has_unit_map else tuple(symbol(f"d{x.name}") for x in robot.q)
