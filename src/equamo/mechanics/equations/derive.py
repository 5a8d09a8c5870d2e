"""`eq.derive`: equations of motion by a chosen formulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from ...algebra.expr import ZERO
from ...algebra.expr.collector import collector_paused
from ...algebra.expr.matrix import Matrix
from ...basics.arguments import is_one_of
from ...basics.waiting import waiting
from ...errors import UnknownNameError
from ...robot.model.edits import copy_with
from ...robot.model.robot import Robot, expect_robot
from ..formulations.derivation import Derivation
from ..formulations.entries import record_entries
from ..formulations.gibbs_appell import gibbs_appell
from ..formulations.kane import kane
from ..formulations.lagrange import lagrange
from ..formulations.maggi import project
from ..formulations.projected_newton_euler import projected_newton_euler
from ..formulations.recursive import recursive
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.force_projection import rotor_inertia
from ..kinematics.steps import NO_RECORD, Record, Recorder
from .equations import Coriolis, EquationsOfMotion

FORMULATIONS: Final[dict[str, Callable[[Robot, Record], Derivation]]] = {
    "kane": kane,
    "lagrange": lagrange,
    "projected_newton_euler": projected_newton_euler,
    "gibbs_appell": gibbs_appell,
    "recursive": recursive,
}
METHOD_NAMES: Final = {
    "kane": "Kane's method",
    "lagrange": "Lagrange's method",
    "projected_newton_euler": "the projected Newton-Euler method",
    "gibbs_appell": "the Gibbs-Appell method",
    "recursive": "the recursive method",
}


def derive(
    robot: Robot, by: str = "recursive", coriolis: Coriolis = "christoffel"
) -> EquationsOfMotion:
    """Derive the equations of motion of a robot.

    Args:
        robot: Robot.
        by: Formulation: kane, lagrange, projected_newton_euler, gibbs_appell or recursive.
        coriolis: Coriolis matrix: "christoffel" (Ṁ − 2C skew) or "split" (the documents' getAC).

    Returns:
        The equations of motion, exact and symbolic.

    Raises:
        UnknownNameError: `by` or `coriolis` is unknown.

    >>> from equamo.robot.library import load
    >>> derive(load("rr_arm")).mass_matrix[0, 1].closed_form()
    I2 + Lc2*m2*(L1*cos(q2) + Lc2)
    """
    expect_robot(robot, "derive")
    _check_formulation(by)
    if not is_one_of(coriolis, ("christoffel", "split")):
        raise UnknownNameError("Coriolis matrix", coriolis, ("christoffel", "split"))
    with waiting(f"deriving {robot.name}"):
        eom = EquationsOfMotion(robot, by, formulate(robot, by), coriolis)
    object.__setattr__(eom, "is_recursive", by == "recursive")  # known here, no comparison needed
    return eom


def derivation(robot: Robot, by: str = "recursive") -> Derivation:
    """Derive the equations of motion and keep the steps.

    Args:
        robot: Robot.
        by: Formulation: kane, lagrange, projected_newton_euler, gibbs_appell or recursive.

    Returns:
        Mass matrix, bias, gravity and forces; `steps` lists how they were computed, in order: rule,
        quantity, result and the earlier steps it was computed from.

    Raises:
        UnknownNameError: `by` is unknown.

    >>> from equamo.robot.library import load
    >>> first = derivation(load("rr_arm"), by="kane").steps[0]
    >>> first.rule, first.body, first.quantity.text, first.result
    ('∂(3)', 'upper', 'w_upper_dq1', Vector([0, 0, 1]))
    """
    expect_robot(robot, "derivation")
    _check_formulation(by)
    record = Recorder(by)
    return replace(formulate(robot, by, record), steps=record.steps)


def _check_formulation(by: str) -> None:
    if not isinstance(by, str) or by not in FORMULATIONS:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UnknownNameError("formulation", by, FORMULATIONS)


# Weak: a derivation lives as long as the equations or certificates that use it.
_derived: WeakKeyDictionary[Robot, WeakValueDictionary[Any, Derivation]] = WeakKeyDictionary()


def derived_once(robot: Robot, by: str, make: Callable[[], Derivation]) -> Derivation:
    """Return the derivation of this robot that is still in use, or make and share a new one."""
    known = _derived.setdefault(robot, WeakValueDictionary())
    shared = known.get(_key(by))
    if shared is None:
        shared = known.setdefault(_key(by), make())
    return shared


def is_derived(eom: EquationsOfMotion) -> bool:
    """Whether a formulation derived these equations in this process."""
    known = _derived.get(eom.robot)
    return known is not None and known.get(_key(eom.by)) is eom.derivation


def _key(by: str) -> object:
    return by, FORMULATIONS.get(by)  # a replaced formulation of the same name derives again


def formulate(robot: Robot, by: str, record: Record = NO_RECORD) -> Derivation:
    """Derive M, bias, gravity and forces, in the robot's speeds and with its base's motion.

    A derivation that equations or a certificate of this robot still hold is shared, unless the steps
    are recorded.
    """
    if record is not NO_RECORD:
        return _formulate(robot, by, record)
    return derived_once(robot, by, lambda: _formulate(robot, by, NO_RECORD))


def _formulate(robot: Robot, by: str, record: Record) -> Derivation:
    with collector_paused():
        return _with_base(robot, by, record)


def _with_base(robot: Robot, by: str, record: Record) -> Derivation:
    if not robot.base.is_zero:
        # The base's motion as symbols, which can be differentiated, and then as given.
        base, motion = robot.base.in_symbols()
        d = _in_speeds(copy_with(robot, base=base), by, record)
        d = replace(d, bias=d.bias.subs(motion))
        record.aside(_record_change, "motion of the base", robot, d)
        return d
    return _in_speeds(robot, by, record)


def _in_speeds(robot: Robot, by: str, record: Record) -> Derivation:
    if robot.speed_map is None or by == "kane":
        return _with_rotors(robot, by, FORMULATIONS[by](robot, record), record)
    d = _with_rotors(robot.tree, by, FORMULATIONS[by](robot.tree, record), record)
    return project(robot, d, record)


def _record_change(record: Recorder, rule: str, robot: Robot, d: Derivation) -> None:
    """Record the entries that a rule changes, each with its previous value."""
    record_entries(record, rule, [x.name for x in robot.v], d, lambda x: [x])


def _with_rotors(robot: Robot, by: str, d: Derivation, record: Record) -> Derivation:
    """Add rotors of inertias I_a along u = W v: M + Wᵀ I_a W, bias + Wᵀ I_a Ẇ v.

    `recursive` includes them itself. Rotors depend on the joint speeds only, so no formulation of the
    bodies is involved.
    """
    rotors = rotor_inertia(robot)
    if by == "recursive" or all(x is ZERO for x in rotors):
        return d
    speeds = ChosenSpeeds(robot)
    n = range(len(rotors))
    I_a = Matrix([[rotors[i] if i == j else ZERO for j in n] for i in n])
    M = d.mass_matrix + speeds.W.T @ I_a @ speeds.W
    d = replace(d, mass_matrix=M, bias=d.bias + speeds.W.T @ (I_a @ speeds.bias))
    record.aside(_record_change, "M + Wᵀ I_a W, b + Wᵀ I_a Ẇ v", robot, d)
    return d
