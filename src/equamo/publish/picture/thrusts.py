"""Points at which force actuators push a body against the world, such as the rotors of a drone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ...algebra.arrays import np
from ...algebra.expr import Expr, symbol
from ...robot.model import WORLD, Robot
from ...robot.model.forces import ForceActuator
from .posture import Array
from .skeleton import Rod, Solid, turn_to

HUB: Final = 0.55  # size of a body with arms, relative to the ellipsoid of its inertia
_ARM: Final = 0.012  # radius of an arm, relative to the robot
_ROTOR: Final = 0.4  # radius of a rotor, relative to its arm


def thrusts(
    robot: Robot,
    index: Mapping[str, int],
    numbers: Callable[[Sequence[Expr], Mapping[Expr, float]], Array],
) -> dict[int, list[tuple[Array, Array]]]:
    """(point, direction) in the body frame of the force actuators that push against the world."""
    found: dict[int, list[tuple[Array, Array]]] = {}
    for f in robot.forces:
        if isinstance(f, ForceActuator) and f.reaction_on == WORLD and f.body != WORLD:
            one = {symbol(n): 1.0 for n in f.inputs()}
            force = numbers(list(f.force), one)
            point = numbers(list(f.point), {})
            if np.linalg.norm(force) > 0:
                found.setdefault(index[f.body], []).append((point, force))
    return found


def arms(
    body: int, com: Array, points: Sequence[tuple[Array, Array]], size: float
) -> tuple[list[Rod], list[Solid]]:
    """An arm and a rotor for each thrust on a lone body, if it is not at the centre of mass."""
    rods: list[Rod] = []
    rotors: list[Solid] = []
    radius = _ARM * size
    for p, direction in points:
        length = float(np.linalg.norm(p - com))
        if length > radius:
            rods.append(Rod(body, (body, com), (body, p), radius))
            disc = (_ROTOR * length, _ROTOR * length, 0.8 * radius)
            rotors.append(Solid(body, "cylinder", "joint", disc, p, turn_to(direction)))
    return rods, rotors
