"""Random states at which libraries are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr, symbol
from ...robot.model.robot import Robot

Floats = NDArray[np.float64]
RANGE: Final = 3.0  # coordinates, speeds, accelerations and forces lie between -RANGE and RANGE


@final
@dataclass(frozen=True)
class States:
    """Coordinates, speeds, accelerations and generalized forces; one state per row."""

    q: Floats
    v: Floats
    vdot: Floats
    tau: Floats

    def __len__(self) -> int:
        return len(self.q)


def random_states(robot: Robot, count: int, seed: int = 0) -> States:
    """Random states of a robot, with quaternions of length 1; the first states do not depend on the
    count.

    >>> from equamo.robot.library import load
    >>> random_states(load("rr_arm"), 3).q.shape
    (3, 2)
    """
    sizes = len(robot.q), len(robot.v), len(robot.v), len(robot.v)
    rng = np.random.default_rng(seed)
    numbers = rng.uniform(-RANGE, RANGE, (count, sum(sizes)))
    q, v, vdot, tau = np.split(numbers, np.cumsum(sizes)[:-1], axis=1)
    names = [x.name for x in robot.q]
    for group in robot.unit_groups:
        columns = [names.index(x.name) for x in group]
        q[:, columns] /= np.linalg.norm(q[:, columns], axis=1, keepdims=True)
    return States(q, v, vdot, tau)


def parameter_values(robot: Robot) -> dict[Expr, float]:
    """Default values of the parameters that have one.

    >>> from equamo.robot.library import load
    >>> len(parameter_values(load("rr_arm")))
    8
    """
    return {symbol(n): float(x) for n, x in robot.values.items() if x is not None}
