"""Mimic joints: q = multiplier · q(joint) + offset, noted in the report or imposed by a speed map.

The speed map has u_f = k u_m for each follower f of a leader m, and q_f = k q_m + c holds at all times.
A chain of mimics is resolved to its first leader, which moves freely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from ...algebra.expr import ONE, ZERO, Expr, as_expr, symbol
from ...algebra.expr.matrix import Matrix
from ...errors import UnknownNameError
from ..model.joint import Joint, speed_name
from ..model.speeds import SpeedMap
from .urdf_elements import Mimic, UrdfJoint, UrdfRobot
from .urdf_text import UrdfText

_ONE_DEGREE = ("revolute", "continuous", "prismatic")


@final
@dataclass(frozen=True, slots=True)
class Following:
    """Relation q = multiplier · q(leader) + offset."""

    leader: str
    multiplier: Fraction
    offset: Fraction


def followers(
    robot: UrdfRobot, joints: Sequence[UrdfJoint], text: UrdfText, mode: str
) -> dict[str, Following]:
    """Leader of each mimic joint in mode "follow"; in mode "free" relations are only noted."""
    relations: dict[str, Following] = {}
    for joint in joints:
        mimic = _relation(robot, joint)
        if mode == "follow" and joint.mimic and joint.mimic.joint not in robot.joints:
            missing = joint.mimic.joint
            error = UnknownNameError("joint", missing, robot.joints, f"mimic of {joint.name!r}")
            raise text.error(joint.mimic.line, str(error))
        if joint.mimic is None:
            continue
        k, c = (float(x) for x in (joint.mimic.multiplier, joint.mimic.offset))
        relation = f"{joint.name} = {k:.6g} * {joint.mimic.joint} + {c:.6g}"
        if mimic is None:
            leader = robot.joints.get(joint.mimic.joint)
            why = (
                "unknown joint"
                if leader is None
                else f"a {joint.kind} joint cannot follow a {leader.kind} joint"
            )
            text.notes.add("suspicious", joint.mimic.line, f"mimic {relation}: not used, {why}")
        elif mode == "free":
            text.notes.add("mimic", mimic.line, f"{relation}: not imposed, {joint.name} has its own "
                           'coordinate (mimic="follow" imposes it)')  # fmt: skip
        else:
            relations[joint.name] = _leader(robot, joint, text)
            text.notes.add("mimic", mimic.line, f"{relation}: imposed")
    return relations


def _relation(robot: UrdfRobot, joint: UrdfJoint) -> Mimic | None:
    """Mimic of a joint, if both joints exist and have one degree of freedom."""
    mimic = joint.mimic
    if mimic is None or mimic.joint not in robot.joints:
        return None
    both = joint.kind, robot.joints[mimic.joint].kind
    return mimic if all(k in _ONE_DEGREE for k in both) else None


def _leader(robot: UrdfRobot, joint: UrdfJoint, text: UrdfText) -> Following:
    """Resolve a chain of mimics to its first leader."""
    k, c = Fraction(1), Fraction(0)
    seen = [joint.name]
    while (m := _relation(robot, joint)) is not None:
        k, c = k * m.multiplier, c + k * m.offset
        if m.joint in seen:
            cycle = " → ".join([*seen, m.joint])
            raise text.error(m.line, f"joint {joint.name!r} must not mimic itself, got {cycle}.")
        seen.append(m.joint)
        joint = robot.joints[m.joint]
    return Following(joint.name, k, c)


def speed_map_of(follow: dict[str, Following], joints: Sequence[Joint]) -> SpeedMap | None:
    """Speed map u = W v with followers' speeds in terms of their leaders'; None without followers."""
    if not follow:
        return None
    by_speed = {speed_name(n): f for n, f in follow.items()}
    speeds = [u for joint in joints for u in joint.speeds]
    kept = [u for u in speeds if u not in by_speed]
    rows: list[list[Expr]] = []
    for u in speeds:
        target, k = (u, ONE)
        if u in by_speed:
            target, k = speed_name(by_speed[u].leader), as_expr(by_speed[u].multiplier)
        rows.append([k if v == target else ZERO for v in kept])
    dependent = tuple(
        (n, f.multiplier * symbol(f.leader) + as_expr(f.offset)) for n, f in follow.items()
    )
    return SpeedMap(tuple(kept), Matrix(rows, speeds, kept), dependent)
