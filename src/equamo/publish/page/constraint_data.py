"""Constraint forces along a motion, as page data: multipliers of all rows, and vectors in the world."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.simulation.trajectory import Trajectory
from ..picture.force_arrows import loads
from ..picture.posture import Posture

Floats = NDArray[np.float64]


def constraint_data(trajectory: Trajectory) -> dict[str, Any] | None:
    """Rows with their λ (T, rows), and the force of each loop or contact (T, 3); None without any.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.motion.simulation.simulate import simulate
    >>> from equamo.robot.library import load
    >>> data = constraint_data(simulate(derive(load("four_bar")), duration=0.1, progress=False))
    >>> data["rows"], data["loads"][0]["name"]
    (['closure x', 'closure y'], 'closure')
    """
    robot = trajectory.eom.robot
    if not robot.closure_rows or not len(trajectory):
        return None
    forces = trajectory.constraint_forces
    owned = {r.name for r in robot.closure_rows}
    rows = [n for n in forces if n in owned]
    found = loads(robot, trajectory.values)
    posture = Posture(robot, trajectory.values)
    vectors = np.zeros((len(found), len(trajectory), 3))
    for t, q in enumerate(trajectory.q):
        poses = posture(q)
        multipliers = {n: float(forces[n][t]) for n in rows}
        for k, load in enumerate(found):
            vectors[k, t] = load.force(poses, multipliers)
    return {
        "rows": rows,
        "multipliers": _rounded(np.array([forces[n] for n in rows]).T),
        "loads": [
            {"name": x.name, "body": x.body, "point": _rounded(x.at), "force": _rounded(f)}
            for x, f in zip(found, vectors, strict=True)
        ],
        "largest": float(np.linalg.norm(vectors, axis=2).max(initial=0.0)),
    }


def _rounded(numbers: Floats) -> Any:
    """Six digits, enough for a drawing."""
    if numbers.ndim > 1:
        return [_rounded(row) for row in numbers]
    return [float(f"{x:.6g}") for x in numbers]
