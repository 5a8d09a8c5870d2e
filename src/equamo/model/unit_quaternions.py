"""Quaternions among given coordinates: of length 1 nearly, and brought to that length."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import EvaluationError
from .robot import Robot

OFF: Final = 1e-6  # how far a given quaternion may be from length 1


def quaternions(robot: Robot) -> list[list[int]]:
    """Positions among the coordinates of each quaternion (w, x, y, z)."""
    at = {s: k for k, s in enumerate(robot.q)}
    return [[at[s] for s in group] for group in robot.unit_groups if set(group) <= set(at)]


def unit_length(robot: Robot, place: str, q: NDArray[Any]) -> NDArray[np.float64]:
    """Coordinates (n,) or (N, n) with quaternions of length 1; an error if one was not nearly that.

    >>> from equamo.robots import load
    >>> unit_length(load("rr_arm"), "simulate", np.array([1.0, 2.0]))
    array([1., 2.])
    """
    found = np.array(q, dtype=np.float64)
    rows = np.atleast_2d(found)  # a view
    for columns in quaternions(robot):
        length = np.linalg.norm(rows[:, columns], axis=1)
        worst = int(np.argmax(np.abs(length - 1)))
        if not abs(length[worst] - 1) <= OFF:
            names = ", ".join(robot.q[k].name for k in columns)
            which = f" of state {worst}" if q.ndim == 2 else ""
            raise EvaluationError(
                f"{place}: the quaternion ({names}){which} has the length {length[worst]:.6g}, not 1."
            )
        rows[:, columns] /= length[:, None]
    return found
