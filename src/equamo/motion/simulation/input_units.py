"""Units of inputs and external loads, from the force elements they drive."""

from __future__ import annotations

from typing import Final

from ...algebra.expr import Expr
from ...algebra.expr.walk import symbols
from ...robot.model.forces import Cylinder, ForceActuator, JointActuator, TorqueActuator, Wrench
from ...robot.model.robot import Robot

_ALONG: Final = {"rad/s": "N m", "m/s": "N"}  # a force along a speed of this unit


def input_units(robot: Robot) -> dict[str, str]:
    """Unit by name; inputs with a factor of unknown unit, such as a motor constant, are omitted.

    >>> from equamo.robot.library import load
    >>> input_units(load("rp_arm"))
    {'tau1': 'N m', 'tau2': 'N'}
    """
    names, rates = robot.state_space.v.names, robot.state_space.v.units
    along = {n: _ALONG.get(u, "") for n, u in zip(names, rates, strict=True)}
    units: dict[str, str] = {}
    for f in robot.forces:
        if isinstance(f, JointActuator):
            _set(units, f.input, along.get(f.speed, "") if f.gear.value is not None else "")
        elif isinstance(f, Cylinder):
            _set(units, f.input, "N")
        elif isinstance(f, (ForceActuator, Wrench)):
            _set_all(units, list(f.force), "N", f.external() or f.inputs())
        if isinstance(f, (TorqueActuator, Wrench)):
            _set_all(units, list(f.torque), "N m", f.external() or f.inputs())
    return {n: u for n, u in units.items() if u}


def _set_all(
    units: dict[str, str], components: list[Expr], unit: str, names: tuple[str, ...]
) -> None:
    for e in components:
        # The factors of an actuator's inputs are numbers.
        for s in (s for s in symbols([e]) if s.name in names):
            _set(units, s.name, unit)


def _set(units: dict[str, str], name: str, unit: str) -> None:
    """Set a unit; a name that has two is left without one."""
    units[name] = unit if units.get(name, unit) == unit else ""
