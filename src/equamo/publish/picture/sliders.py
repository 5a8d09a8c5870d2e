"""Sliders for the coordinates of a robot: ranges, units and defaults, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

from ...algebra.expr import Expr
from ...algebra.expr.evaluate import evaluate_floats
from ...robot.model import Robot
from .posture import Array
from .skeleton import Coordinate


def joint_values(robot: Robot, q: Array, values: Mapping[Expr, float]) -> dict[Expr, float]:
    """Numbers of all joint coordinates, including dependent ones, with speeds at 0."""
    known = {s: float(x) for s, x in zip(robot.q, q, strict=True)}
    still = dict.fromkeys(robot.joint_speeds, 0.0)
    if robot.speed_map is None:
        return known | still
    by_name = {s.name: s for s in robot.joint_coordinates}
    for name, e in robot.speed_map.dependent:
        known[by_name[name]] = evaluate_floats([e], {**values, **known})[0]
    return known | still


def sliders(
    robot: Robot, q: Array, size: float, values: Mapping[Expr, float]
) -> tuple[Coordinate, ...]:
    """Range, unit and default of each coordinate; without limits ±π, or ± the robot's size."""
    part = robot.state_space.q
    span = {"": 1.0, "rad": pi, "m": size}  # quaternion entry, angle, length
    coordinates: list[Coordinate] = []
    for name, unit, ends, home in zip(part.names, part.units, part.limits, q, strict=True):
        low, high = (None if x is None else evaluate_floats([x], values)[0] for x in ends)
        lower = min(home, -span[unit] if low is None else low)
        upper = max(home, span[unit] if high is None else high)
        limited = low is not None and high is not None
        coordinates.append(Coordinate(name, unit, lower, upper, float(home), limited))
    return tuple(coordinates)
