"""Symbols of q̇, for formulations that differentiate by it."""

from __future__ import annotations

from ..expr import Expr, internal
from ..model.robot import Robot


def coordinate_rates(robot: Robot) -> tuple[Expr, ...]:
    """The speeds if q̇ = v, else symbols of their own."""
    return robot.v if robot.has_unit_map else tuple(internal("rate", x.name) for x in robot.q)
