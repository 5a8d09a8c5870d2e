"""Forms of equations with loops: augmented, minimal and explicit, each derived from the same robot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from ...algebra.expr import symbol
from ...algebra.expr.evaluate import evaluate_floats
from ...basics.wording import brief
from ...errors import ConstraintError, EquamoError, UnknownNameError
from ...robot.model.edits import copy_with, velocity_constraints
from ...robot.model.robot import Robot
from ...robot.model.speeds import eliminate
from .closed_form_loops import CROSSED, OPEN, closed_forms
from .mobility import mobility

if TYPE_CHECKING:
    from .equations import EquationsOfMotion

ASSEMBLIES: Final = (OPEN, CROSSED)


def augmented(eom: EquationsOfMotion) -> EquationsOfMotion:
    """Equations in the joint speeds, with multipliers."""
    robot = eom.robot
    if robot.speed_map is None:
        return eom
    if velocity_constraints(robot):
        raise ConstraintError(
            f"Robot {robot.name!r} must have no velocity constraints for an augmented form, "
            f"got {velocity_constraints(robot)[0].name!r}; use the minimal form."
        )
    return _derived(eom, _with_all_coordinates(robot).with_speeds(None))


def minimal(eom: EquationsOfMotion, speeds: Any = "auto") -> EquationsOfMotion:
    """Equations in independent speeds, without multipliers."""
    return _derived(eom, minimal_robot(eom.robot, speeds))


def minimal_robot(robot: Robot, speeds: Any = "auto") -> Robot:
    """Robot with independent speeds; for an overconstrained mechanism, from its independent rows."""
    _check_rows(robot)
    robot = _with_all_coordinates(robot)
    report = mobility(robot)
    rows = None
    if report.overconstrained:
        closing = {r.name for r in robot.closure_rows}
        rows = [n for n in report.independent if n in closing]
    return robot.with_speeds(speeds, rows)


def explicit(
    eom: EquationsOfMotion, assembly: str | Mapping[str, str] = OPEN, speeds: Any = "auto"
) -> EquationsOfMotion:
    """Equations in independent coordinates, with the dependent ones in closed form."""
    return _derived(eom, explicit_robot(eom.robot, assembly, speeds))


def explicit_robot(
    robot: Robot, assembly: str | Mapping[str, str] = OPEN, speeds: Any = "auto"
) -> Robot:
    """Robot without dependent coordinates."""
    robot = _with_all_coordinates(robot)
    chosen = _assemblies(robot, assembly)
    small = minimal_robot(robot, speeds)
    if small.speed_map is None:
        raise ConstraintError(
            f"explicit: speeds must be names of joint speeds, formulas by name or 'auto', got "
            f"{brief(speeds)}."
        )
    independent: list[str] = []
    for b in robot.bodies:
        pairs = zip(b.joint.coordinates, b.joint.speeds, strict=False)
        independent += [q for q, v in pairs if v in small.speed_map.names]
    formulas = closed_forms(robot, independent, chosen)
    map_ = eliminate(small.speed_map, formulas, robot.joint_coordinates)
    return copy_with(small, speeds=map_)


def _with_all_coordinates(robot: Robot) -> Robot:
    """Robot without closed forms; the dependent coordinates have their assembled default values."""
    if robot.speed_map is None or not robot.speed_map.dependent:
        return robot
    numbers = {x: n or 0.0 for x, n in zip(robot.q, robot.state_space.q.numbers, strict=True)}
    numbers |= {symbol(n): float(x) for n, x in robot.values.items() if x is not None}
    whole = copy_with(robot, speeds=replace(robot.speed_map, dependent=()))
    try:
        formulas = [e for _, e in robot.speed_map.dependent]
        values = evaluate_floats(formulas, numbers)
    except (EquamoError, ArithmeticError, ValueError):
        return whole  # a parameter has no value, or the default state is out of reach
    names = [n for n, _ in robot.speed_map.dependent]
    return whole.with_home(**dict(zip(names, values, strict=True)))


def _assemblies(robot: Robot, assembly: Any) -> dict[str, str]:
    """Assembly of each loop."""
    loops = [x.name for x in robot.loops]
    if isinstance(assembly, str):
        table = dict.fromkeys(loops, assembly)
    elif isinstance(assembly, Mapping):
        table = dict(cast(Mapping[str, str], assembly))
    else:
        raise ConstraintError(
            "explicit: assembly must be 'open', 'crossed' or one of them by loop, got "
            f"{brief(assembly)}."
        )
    for name, word in table.items():
        if name not in loops:
            raise UnknownNameError("loop", name, loops, f"robot {robot.name!r}")
        if word not in ASSEMBLIES:
            raise UnknownNameError("assembly", word, ASSEMBLIES, f"loop {name!r}")
    return table


def _check_rows(robot: Robot) -> None:
    if not robot.rows:
        raise ConstraintError(
            f"Robot {robot.name!r} must have loops, held contacts or constraints for a minimal "
            "form, got none: its speeds are independent."
        )


def _derived(eom: EquationsOfMotion, robot: Robot) -> EquationsOfMotion:
    """The same formulation and substitutions for another form of the robot."""
    from .derive import FORMULATIONS, derive

    new = derive(robot, eom.by if eom.by in FORMULATIONS else "recursive", eom.coriolis)
    for step in () if eom.replaced is None else eom.replaced.steps:
        new = new.subs(step)
    return new
