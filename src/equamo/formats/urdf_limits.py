"""Limits of the joints of a URDF file: data of the robot, without a part in its equations."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from .import_report import Notes
from .urdf_elements import Limit, UrdfJoint

_BOUNDED: Final = ("revolute", "prismatic")
Parts = dict[str, Fraction | None]


def limits_of(joints: Iterable[UrdfJoint], notes: Notes) -> dict[str, Parts]:
    """{joint: its limits as Robot takes them}; what is left out is noted."""
    limits: dict[str, Parts] = {}
    for joint in joints:
        given, label = joint.limit, f"joint {joint.name}"
        if given is None:
            if joint.kind in _BOUNDED:
                notes.add("suspicious", joint.line, f"{label}: {joint.kind} without limits")
        elif joint.kind in (*_BOUNDED, "continuous"):
            limits[joint.name] = _greatest(given, label, notes) | _range(joint, given, notes)
        else:
            notes.add("ignored", given.line, f"{label}: limits of a {joint.kind} joint")
    return limits


def _greatest(given: Limit, label: str, notes: Notes) -> Parts:
    """Greatest speed and effort."""
    parts: Parts = {"speed": given.velocity, "effort": given.effort}
    for n, x in parts.items():
        if x is not None and x < 0:
            notes.add("suspicious", given.line, f"{label}: negative {n} limit, left out")
            parts[n] = None
    return parts


def _range(joint: UrdfJoint, given: Limit, notes: Notes) -> Parts:
    label, lower, upper = f"joint {joint.name}", given.lower, given.upper
    if joint.kind not in _BOUNDED:
        if lower is not None or upper is not None:
            notes.add("ignored", given.line, f"{label}: range of a continuous joint")
        return {}
    if lower is not None and upper is not None and lower > upper:
        notes.add("suspicious", given.line, f"{label}: lower limit {float(lower):.6g} above upper limit "
                  f"{float(upper):.6g}, left out")  # fmt: skip
        return {}
    if lower is None and upper is None and not {"lower", "upper"} & given.unlimited:
        notes.add("suspicious", given.line, f"{label}: {joint.kind} without a range")
    return {"lower": lower, "upper": upper}
