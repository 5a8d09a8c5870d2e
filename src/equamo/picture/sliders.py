"""The coordinates of a robot as sliders: ranges, units and defaults, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

from ..expr import Expr
from ..expr.evaluate import evaluate_floats
from ..model import Robot
from .posture import Array
from .skeleton import Coordinate


def joint_values(robot: Robot, q: Array, values: Mapping[Expr, float]) -> dict[Expr, float]:
    """Numbers of all joint coordinates: those that follow from others too. Speeds are 0."""
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
    """Range, unit and default of each; without limits a turn both ways, or the robot's size."""
    units = _units(robot)
    quaternion = {s.name for group in robot.unit_groups for s in group}
    found: list[Coordinate] = []
    for s, home in zip(robot.q, q, strict=True):
        limits = robot.limits.get(s.name)
        unit = "" if s.name in quaternion else units.get(s.name, "rad")
        span = 1.0 if s.name in quaternion else pi if unit == "rad" else size
        low, high = (
            None if limits is None or x is None else evaluate_floats([x], values)[0]
            for x in (limits and limits.lower, limits and limits.upper)
        )
        lower = min(home, -span if low is None else low)
        upper = max(home, span if high is None else high)
        limited = low is not None and high is not None
        found.append(Coordinate(s.name, unit, lower, upper, float(home), limited))
    return tuple(found)


def _units(robot: Robot) -> dict[str, str]:
    """rad or m of each coordinate whose rate is a speed."""
    units: dict[str, str] = {}
    for joint in (b.joint for b in robot.bodies):
        if len(joint.coordinates) == len(joint.speeds):
            for n, (S_w, _) in zip(joint.coordinates, joint.columns, strict=True):
                units[n] = "m" if S_w.is_zero else "rad"
        else:  # a position, then a quaternion
            units |= dict.fromkeys(joint.coordinates, "m")
    return units


def unit_groups(robot: Robot) -> tuple[tuple[int, ...], ...]:
    """Places of coordinates whose squares sum to one."""
    place_of = {s: k for k, s in enumerate(robot.q)}
    return tuple(tuple(place_of[s] for s in g) for g in robot.unit_groups)
