"""What the numbers of each argument are: names, units and defaults, for the heads of generated files."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..expr import Expr
from ..model import Robot
from .targets.package import Quantity


def quantities(robot: Robot, without: Collection[str] = ()) -> dict[str, tuple[Quantity, ...]]:
    """{argument: its numbers}; parameters in `without` are left out.

    >>> from equamo.robots import load
    >>> [(x.name, x.unit) for x in quantities(load("rp_arm"))["v"]]
    [('dq1', 'rad/s'), ('dq2', 'm/s')]
    >>> [x.unit for x in quantities(load("rolling_disc"))["q"]]
    ['m', 'm', 'rad', 'rad', 'rad']
    """
    home = robot.home
    kinds = _kinds(robot)
    listed = {
        "q": [Quantity(s.name, kinds.get(s.name, ""), home.q[s.name]) for s in robot.q],
        "v": [Quantity(s.name, _per(kinds.get(s.name), 1), home.v[s.name]) for s in robot.v],
        "vdot": [
            Quantity(a.name, _per(kinds.get(s.name), 2), 0)
            for a, s in zip(robot.vdot, robot.v, strict=True)
        ],
        "tau": [Quantity(f"force along {s.name}", _force(kinds.get(s.name)), 0) for s in robot.v],
        "inputs": [Quantity(s.name, "", home.inputs[s.name]) for s in robot.inputs],
        "external": _zeros(robot.external),
        "parameters": [
            Quantity(p.name, p.unit, p.value, p.description)
            for p in robot.parameter_info.values()
            if p.name not in without
        ],
    }
    return {name: tuple(found) for name, found in listed.items() if found}


def _zeros(symbols: Iterable[Expr]) -> list[Quantity]:
    return [Quantity(s.name, "", 0) for s in symbols]


def _kinds(robot: Robot) -> dict[str, str]:
    """rad or m of each coordinate and of each joint's own speed; quaternions have none.

    Speeds that were chosen may be anything: they are not in it.
    """
    coordinates: dict[str, str] = {}
    speeds: dict[str, str] = {}
    units = {s.name for group in robot.unit_groups for s in group}
    for joint in (b.joint for b in robot.bodies):
        # A screw counts by its angle.
        kinds = ["rad" if any(x.value != 0 for x in S_w) else "m" for S_w, _ in joint.columns]
        speeds |= zip(joint.speeds, kinds, strict=True)
        if len(joint.coordinates) == len(kinds):
            coordinates |= zip(joint.coordinates, kinds, strict=True)
        else:  # beside a quaternion stands a position
            coordinates |= {n: "m" for n in joint.coordinates if n not in units}
    return coordinates if robot.speed_map is not None else coordinates | speeds


def _per(kind: str | None, order: int) -> str:
    return "" if kind is None else f"{kind}/s{'^2' * (order == 2)}"


def _force(kind: str | None) -> str:
    return {"rad": "N m", "m": "N"}.get(kind or "", "")
