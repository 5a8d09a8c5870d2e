"""Names, units and defaults of the numbers of each argument, for the heads of generated files."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from ...algebra.expr import Expr
from ...robot.model import Robot, StatePart
from ..ir.function import Function
from .targets.package import Quantity

_FORCES: Final = {"rad/s": "N m", "m/s": "N"}  # along a speed of this unit


def quantities(
    robot: Robot, without: Collection[str] = (), functions: Iterable[Function] = ()
) -> dict[str, tuple[Quantity, ...]]:
    """Numbers of each argument, without the parameters in `without`.

    Further arguments are those of the given functions that are not a group of the robot's symbols, if
    they are the same in all functions.

    >>> from equamo.robot.library import load
    >>> [(x.name, x.unit) for x in quantities(load("rp_arm"))["v"]]
    [('dq1', 'rad/s'), ('dq2', 'm/s')]
    >>> [x.unit for x in quantities(load("rolling_disc"))["q"]]
    ['m', 'm', 'rad', 'rad', 'rad']
    """
    space = robot.state_space
    listed = {
        "q": _listed(space.q),
        "v": _listed(space.v),
        "vdot": _listed(space.vdot),
        "tau": [
            Quantity(f"force along {name}", _FORCES.get(unit, ""), 0)
            for name, unit in zip(space.v.names, space.v.units, strict=True)
        ],
        "inputs": _listed(space.inputs),
        "external": _listed(space.external),
        "parameters": [
            Quantity(p.name, p.unit, p.value, p.description)
            for p in robot.parameter_info.values()
            if p.name not in without
        ],
    }
    last = {name: listed.pop(name) for name in ("external", "parameters")}
    more: dict[str, set[tuple[Expr, ...]]] = {}
    for f in functions:
        for a in f.arguments:
            if a.name not in listed and a.name not in last:
                more.setdefault(a.name, set()).add(a.symbols)
    for name, each in more.items():
        if (
            len(each) == 1
        ):  # such as the multipliers of two functions, which one list cannot describe
            listed[name] = [Quantity(s.name, "", 0) for symbols in each for s in symbols]
    return {name: tuple(found) for name, found in (listed | last).items() if found}


def _listed(part: StatePart) -> list[Quantity]:
    return [Quantity(*x) for x in zip(part.names, part.units, part.home, strict=True)]
