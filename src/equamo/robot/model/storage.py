"""Exact conversion of a Robot to plain data (JSON) and back: expressions as text, exact numbers.

Data that is read back is checked, because anybody can write a file with a valid digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...basics.wording import brief
from ...errors import EquamoError, FileFormatError
from .base_motion import BaseMotion
from .body import Body
from .contact import Contact
from .force import ForceElement
from .inertia import Inertia
from .joint import Joint
from .limits import Limits
from .loop import Loop
from .parameter import Parameter
from .robot import Robot
from .shape import Shape
from .speeds import SpeedMap
from .stored_value import damaged, decode, encode, items, of_type, text


def robot_to_data(robot: Robot) -> dict[str, Any]:
    """Convert a robot to plain data: strings, lists and dicts only."""
    return {
        "name": robot.name,
        "description": robot.description,
        "gravity": encode(robot.gravity),
        "base": encode(robot.base),
        "bodies": [
            {
                "name": b.name,
                "parent": b.parent,
                "joint": encode(b.joint),
                "inertia": encode(b.inertia),
            }
            for b in robot.bodies
        ],
        "forces": [encode(f) for f in robot.forces],
        "parameters": [encode(p) for p in robot.parameter_info.values()],
        "home": {n: encode(x) for part in _home(robot) for n, x in part.items()},
        "notation": dict(robot.notation),
        "speeds": encode(robot.speed_map),
        "limits": {n: encode(x) for n, x in robot.limits.items()},
        **({"shapes": {n: encode(x) for n, x in robot.shapes.items()}} if robot.shapes else {}),
        **({"loops": [encode(x) for x in robot.loops]} if robot.loops else {}),
        **({"contacts": [encode(x) for x in robot.contacts]} if robot.contacts else {}),
        **({"mode": dict(robot.mode)} if robot.contacts else {}),
    }


def _home(robot: Robot) -> list[Mapping[str, Any]]:
    return [robot.home.q, robot.home.v, robot.home.inputs]


def robot_from_data(data: Any) -> Robot:
    """Rebuild a robot from `robot_to_data`; EquamoError if the data is damaged."""
    try:
        return _robot(_table(data))
    except EquamoError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError,
            AssertionError, RecursionError) as error:  # fmt: skip
        # Fields have the right types but contradict each other, such as an axis of length 0.
        raise FileFormatError(f"The stored robot is damaged: {brief(error)}.") from None


def _robot(data: dict[str, Any]) -> Robot:
    robot = Robot(
        text(_part(data, "name"), "the name of a robot"),
        [_body(_table(b)) for b in items(_part(data, "bodies"))],
        gravity=of_type(_part(data, "gravity"), Vector, "gravity"),
        forces=[of_type(f, ForceElement, "a force element") for f in items(_part(data, "forces"))],
        parameters=[of_type(p, Parameter, "a parameter") for p in items(_part(data, "parameters"))],
        base=of_type(_part(data, "base"), BaseMotion, "the base"),
        home={n: decode(x) for n, x in _table(_part(data, "home")).items()},
        notation={n: text(x, "LaTeX") for n, x in _table(_part(data, "notation")).items()},
        description=text(_part(data, "description"), "the description"),
        speeds=_speeds(_part(data, "speeds")),
        limits={n: of_type(x, Limits, "limits") for n, x in _table(_part(data, "limits")).items()},
        shapes={n: _shapes(x) for n, x in _table(data.get("shapes", {})).items()},
        loops=[of_type(x, Loop, "a loop") for x in items(data.get("loops", []))],
        contacts=[of_type(x, Contact, "a contact") for x in items(data.get("contacts", []))],
        mode={n: text(x, "a mode") for n, x in _table(data.get("mode", {})).items()},
    )
    _check_speeds(robot)
    _ = robot.parameters  # raises an error if a name is invalid
    return robot


def _table(data: Any) -> dict[str, Any]:
    """Data that must be a dict."""
    if not isinstance(data, dict):
        raise damaged(f"expected a table, got {brief(data)}")
    return cast(dict[str, Any], data)


def _part(data: dict[str, Any], name: str) -> Any:
    if name not in data:
        raise damaged(f"{name!r} is missing")
    return data[name]


def _body(data: dict[str, Any]) -> Body:
    name, parent = text(_part(data, "name"), "a body"), text(_part(data, "parent"), "a parent")
    joint = of_type(_part(data, "joint"), Joint, f"the joint of body {name!r}")
    inertia = of_type(_part(data, "inertia"), Inertia, f"the inertia of body {name!r}")
    _check_joint(joint, name)
    return Body(name, joint, inertia=inertia, parent=parent)


def _check_joint(joint: Joint, body: str) -> None:
    """Check the number of coordinates and speeds of a joint."""
    n, m = len(joint.coordinates), len(joint.speeds)
    try:
        _ = joint.rotation, joint.position
        shapes = joint.map().shape, joint.angular().shape, joint.linear().shape
    except (LookupError, ValueError):  # not enough coordinates
        shapes = None
    if shapes != ((n, m), (3, m), (3, m)):
        kind = type(joint).__name__
        raise damaged(
            f"the {kind} joint of body {body!r} cannot have {n} coordinates and {m} speeds"
        )


def _speeds(data: Any) -> SpeedMap | None:
    return None if data is None else of_type(data, SpeedMap, "the speeds")


def _check_speeds(robot: Robot) -> None:
    """Check that W has one row per joint speed and one column per chosen speed, in q and parameters."""
    chosen = robot.speed_map
    if chosen is None:
        return
    rows, columns = tuple(x.name for x in robot.joint_speeds), chosen.names
    if (chosen.W.row_names, chosen.W.column_names) != (rows, columns) or len(set(columns)) < len(
        columns
    ):
        raise damaged("the map of the chosen speeds must have one row per joint speed")
    dependent = [n for n, _ in chosen.dependent]
    if not {*dependent} <= {x.name for x in robot.joint_coordinates}:
        raise damaged(f"eliminated coordinates must be joint coordinates, got {brief(dependent)}")
    moving = {*robot.joint_speeds, *robot.joint_accelerations, *robot.v, *robot.vdot}
    used = symbols([*chosen.W.entries, *(e for _, e in chosen.dependent)])
    if any(x in moving or x.name in dependent for x in used if x not in robot.q):
        raise damaged("chosen speeds must not depend on speeds or eliminated coordinates")


def _shapes(data: Any) -> tuple[Shape, ...]:
    shapes = of_type(data, tuple, "the shapes of a body")
    return cast(tuple[Shape, ...], shapes)  # the robot checks their types
