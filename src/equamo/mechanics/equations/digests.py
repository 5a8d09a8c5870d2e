"""SHA-256 of a robot and of equations of motion: what a certificate or a header speaks of."""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakKeyDictionary

from ...algebra.expr import Expr
from ...algebra.expr.store import dump
from ...robot.formats.json_file import digest
from ...robot.model.robot import Robot
from ...robot.model.storage import robot_to_data
from .constrained import is_augmented
from .equations import EquationsOfMotion, quantity
from .storage import choices_to_data

_QUANTITIES: Final = (
    "mass_matrix", "bias", "gravity", "input_matrix", "kinematic_map", "kinetic_energy",
    "potential_energy",
)  # fmt: skip
_OF_CONSTRAINTS: Final = ("constraint_matrix", "constraint_bias", "closure")

_of_robot: WeakKeyDictionary[Robot, str] = WeakKeyDictionary()


def robot_digest(robot: Robot) -> str:
    """SHA-256 of a robot's data, numbers included.

    >>> from equamo.robot.library import load
    >>> arm = load("rr_arm")
    >>> robot_digest(arm) == robot_digest(load("rr_arm")), robot_digest(arm.with_values(m1=2))[:8]
    (True, 'b7fb5894')
    """
    if robot not in _of_robot:
        _of_robot[robot] = digest(robot_to_data(robot))
    return _of_robot[robot]


def equations_digest(eom: EquationsOfMotion) -> str:
    """SHA-256 of exactly these equations, after substitutions.

    It covers the robot, formulation and choice of Coriolis matrix, the entries of the derivation, and
    M, C v, g, the forces, B, N, the energies and the constraints as the equations return them.

    >>> from equamo.robot.library import load
    >>> from equamo.mechanics.equations import derive
    >>> eom = derive(load("rr_arm"))
    >>> equations_digest(eom) == equations_digest(eom.subs({"g": "g"}))
    False
    """
    names = (*_QUANTITIES, *(_OF_CONSTRAINTS if is_augmented(eom.robot) else ()))
    parts: list[tuple[str, list[Expr]]] = [("derivation", eom.derivation.entries)]
    parts += [(n, _entries(quantity(eom, n))) for n in names]
    parts += [(f"force {n}", list(f)) for n, f in eom.forces.items()]
    parts += [(f"energy {n}", [f.energy]) for n, f in eom.forces.items() if f.energy is not None]
    return digest({
        "robot": robot_digest(eom.robot),
        **choices_to_data(eom),
        "parts": [[n, len(entries)] for n, entries in parts],
        "expressions": dump(e for _, entries in parts for e in entries),
    })  # fmt: skip


def _entries(x: Any) -> list[Expr]:
    return [x] if isinstance(x, Expr) else list(x.entries)
