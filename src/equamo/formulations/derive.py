"""`eq.derive`: the equations of motion by a chosen formulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..errors import UnknownNameError
from ..model.robot import Robot
from .derivation import Derivation
from .equations import Coriolis, EquationsOfMotion
from .gibbs_appell import gibbs_appell
from .kane import kane
from .lagrange import lagrange
from .projected_newton_euler import projected_newton_euler
from .recursive import recursive

FORMULATIONS: Final[dict[str, Callable[[Robot], Derivation]]] = {
    "kane": kane,
    "lagrange": lagrange,
    "projected_newton_euler": projected_newton_euler,
    "gibbs_appell": gibbs_appell,
    "recursive": recursive,
}


def derive(
    robot: Robot, by: str = "recursive", coriolis: Coriolis = "christoffel"
) -> EquationsOfMotion:
    """Derive the equations of motion of a robot.

    `by` is one of kane, lagrange, projected_newton_euler, gibbs_appell, recursive; `coriolis` is
    "christoffel" (Ṁ − 2C skew) or "split" (the documents' getAC).

    >>> from equamo.robots import load
    >>> derive(load("rr_arm")).mass_matrix[0, 1].closed_form()
    I2 + Lc2*m2*(L1*cos(q2) + Lc2)
    """
    if not isinstance(robot, Robot):  # pyright: ignore[reportUnnecessaryIsInstance]
        from ..errors import ModelError

        raise ModelError(f"derive() takes a Robot, not {robot!r:.60}; read one with eq.load(…).")
    if by not in FORMULATIONS:
        raise UnknownNameError("formulation", by, FORMULATIONS)
    if coriolis not in ("christoffel", "split"):
        raise UnknownNameError("Coriolis matrix", coriolis, ("christoffel", "split"))
    return EquationsOfMotion(robot, by, FORMULATIONS[by](robot), coriolis)
