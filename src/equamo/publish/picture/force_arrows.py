"""Constraint forces of loops and contacts as vectors in the world, from the multipliers λ of their rows.

    (1) f = A_0T Σ λ_i e_i     on the point of `body`; e_i: direction of row i in the frame T of `to`
    (2) f = λ d                of a distance, with d from the point of `to` to that of `body`

Moments, the multipliers of rows of orientation, are not drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, final

from ...algebra.arrays import np
from ...algebra.expr.evaluate import evaluate_floats
from ...algebra.expr.vector import Vector
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.mobility import independent_rows
from ...robot.model import WORLD, Robot
from ...robot.model.closure import perpendicular
from .posture import Array, Values, parameter_values
from .skeleton import WORLD_INDEX, place

_POINTS: Final = ("revolute", "spherical", "universal", "fixed")
AXES: Final = tuple(Vector(row) for row in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))


@final
@dataclass(frozen=True, slots=True)
class Load:
    """Force of one loop or contact on a point of a body."""

    name: str
    body: int
    at: Array  # in the body frame [m]
    to: int
    to_at: Array
    directions: dict[str, Array]  # by row, in the frame of `to`; empty for a distance

    def force(self, poses: Array, multipliers: Mapping[str, float]) -> Array:
        """Force in the world [N]; rows without a multiplier count as 0."""
        if not self.directions:
            d = place(poses, self.body, self.at) - place(poses, self.to, self.to_at)
            return multipliers.get(self.name, 0.0) * d  # (2)
        f = np.zeros(3)
        for row, e in self.directions.items():
            f = f + multipliers.get(row, 0.0) * e
        return f if self.to == WORLD_INDEX else poses[self.to, :3, :3] @ f  # (1)


def loads(robot: Robot, values: Values | None = None) -> tuple[Load, ...]:
    """Loads of all loops and of the contacts that stick."""
    known = parameter_values(robot, values)
    index = {b.name: k for k, b in enumerate(robot.bodies)} | {WORLD: WORLD_INDEX}

    def numbers(v: Vector) -> Array:
        return np.array(evaluate_floats(list(v), known))

    found: list[Load] = []
    for loop in robot.loops:
        x, y = perpendicular(loop.to_axis)
        vectors: tuple[Vector, ...] = AXES if loop.joint in _POINTS else (x, y)
        if loop.joint == "planar":
            vectors = (loop.to_axis,)
        elif loop.joint == "distance":
            vectors = ()
        rows = dict(zip(loop.row_names, map(numbers, vectors), strict=False))
        found.append(
            Load(loop.name, index[loop.body], numbers(loop.at), index[loop.to], numbers(loop.to_at),
                 rows)
        )  # fmt: skip
    for contact in robot.contacts:
        if robot.mode[contact.name] == "open":
            continue
        upright = contact.row_names[2].endswith(" z")
        vectors = AXES if upright else (*perpendicular(contact.normal), contact.normal)
        rows = dict(zip(contact.row_names, map(numbers, vectors), strict=True))
        at = index[contact.body], numbers(contact.at)
        found.append(Load(contact.name, *at, WORLD_INDEX, np.zeros(3), rows))
    return tuple(found)


def resting_forces(
    eom: EquationsOfMotion, q: Array, values: Values | None = None
) -> dict[str, float]:
    """Multipliers λ by row if the robot starts at rest from q, with inputs as at home.

    [M −Aᵀ; A 0] (v̇, λ) = (B τ + Σ f − g, 0) with independent rows A.
    """
    rows = independent_rows(eom.robot)

    def value(name: str) -> Any:
        return np.asarray(eom.evaluate(name, q=q, values=values))

    M, A = value("mass_matrix"), value("constraint_matrix")[list(rows)]
    inputs = np.array([float(x) for x in eom.robot.home.inputs.values()])
    right = value("passive_force") - value("gravity")
    if len(inputs):
        right = right + value("input_matrix") @ inputs
    n, m = len(M), len(A)
    K = np.block([[M, -A.T], [A, np.zeros((m, m))]])
    solution: Any = np.linalg.lstsq(K, np.concatenate([right, np.zeros(m)]), rcond=None)[0]
    names = [eom.robot.rows[k].name for k in rows]
    return dict(zip(names, map(float, solution[n:]), strict=True))
