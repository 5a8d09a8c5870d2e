"""Points at which force actuators push a body against the world, such as the rotors of a drone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..expr import Expr, symbol
from ..model import WORLD, Robot
from ..model.forces import ForceActuator
from .posture import Array


def thrusts(
    robot: Robot,
    index: Mapping[str, int],
    numbers: Callable[[Sequence[Expr], Mapping[Expr, float]], Array],
) -> dict[int, list[tuple[Array, Array]]]:
    """(point, direction) of the force actuators of each body that react on the world, in its frame."""
    found: dict[int, list[tuple[Array, Array]]] = {}
    for f in robot.forces:
        if isinstance(f, ForceActuator) and f.reaction_on == WORLD and f.body != WORLD:
            one = {symbol(n): 1.0 for n in f.inputs()}
            force = numbers(list(f.force), one)
            point = numbers(list(f.point), {})
            if np.linalg.norm(force) > 0:
                found.setdefault(index[f.body], []).append((point, force))
    return found
