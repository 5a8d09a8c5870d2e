"""Read the joint limits of a URDF file; they are data of the robot and do not enter its equations."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from .import_report import Notes
from .urdf_elements import Limit, UrdfJoint

_BOUNDED: Final = ("revolute", "prismatic")
Parts = dict[str, Fraction | None]


def limits_of(joints: Iterable[UrdfJoint], notes: Notes) -> dict[str, Parts]:
    """Limits of each joint, as arguments of Robot; ignored ones are noted."""
    limits: dict[str, Parts] = {}
    for joint in joints:
        limit, label = joint.limit, f"joint {joint.name}"
        if limit is None:
            if joint.kind in _BOUNDED:
                notes.add("suspicious", joint.line, f"{label}: {joint.kind} without limits")
        elif joint.kind in (*_BOUNDED, "continuous"):
            limits[joint.name] = _speed_and_effort(limit, label, notes) | _range(
                joint, limit, notes
            )
        else:
            notes.add("ignored", limit.line, f"{label}: limits of a {joint.kind} joint")
    return limits


def _speed_and_effort(limit: Limit, label: str, notes: Notes) -> Parts:
    parts: Parts = {"speed": limit.velocity, "effort": limit.effort}
    for n, x in parts.items():
        if x is not None and x < 0:
            notes.add("suspicious", limit.line, f"{label}: negative {n} limit, ignored")
            parts[n] = None
    return parts


def _range(joint: UrdfJoint, limit: Limit, notes: Notes) -> Parts:
    label, lower, upper = f"joint {joint.name}", limit.lower, limit.upper
    if joint.kind not in _BOUNDED:
        if lower is not None or upper is not None:
            notes.add("ignored", limit.line, f"{label}: range of a continuous joint")
        return {}
    if lower is not None and upper is not None and lower > upper:
        notes.add("suspicious", limit.line, f"{label}: lower limit {float(lower):.6g} above upper limit "
                  f"{float(upper):.6g}, ignored")  # fmt: skip
        return {}
    if lower is None and upper is None and not {"lower", "upper"} & limit.unlimited:
        notes.add("suspicious", limit.line, f"{label}: {joint.kind} without a range")
    return {"lower": lower, "upper": upper}
