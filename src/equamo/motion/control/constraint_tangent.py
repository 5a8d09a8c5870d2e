"""Directions in which a robot with loops or sticking contacts can move away from an operating point.

The states of its linear system are deviations that keep φ(q) = 0 and A v = 0, to first order:

    (1) A δq = 0
    (2) A δv + ∂(A v)/∂q δq = 0      only if v are the joint speeds; chosen speeds satisfy it

As many deviations x of the tree (`state_chart`) are kept as there are degrees of freedom, and
the others follow: x = T y, y = L x, L T = 1. Those of chosen speeds are kept, or of actuated joints if
they determine the others well. A linear system in all x would have modes that leave the loops, which no
input controls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from ...algebra.arrays import np
from ...algebra.expr.vector import Vector
from ...code.ir.dynamics_derivatives import DynamicsDerivatives
from ...code.ir.functions import program_equations
from ...errors import EvaluationError
from ...mechanics.equations.characteristic_sizes import CharacteristicSizes
from ...mechanics.equations.closure_values import ClosureValues
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.mobility import independent_rows
from ...robot.model.independent_speeds import actuated_speeds
from .operating_point import Array, OperatingPoint
from .state_chart import StateChart

ACTUATED: Final = 4.0  # by how much an actuated joint is preferred
CHOSEN: Final = 100.0  # by how much a chosen speed is preferred
SINGULAR: Final = 1e-9  # smaller singular values, relative to the largest, count as 0


@final
@dataclass(frozen=True, eq=False)
class Tangent:
    """T and the indices of the deviations that are kept."""

    embedding: Array  # T
    kept: list[int]

    def restrict(self, chart: StateChart) -> StateChart:
        """Chart of the kept deviations."""
        return StateChart(
            chart.point,
            tuple(chart.names[k] for k in self.kept),
            chart.matrix[self.kept],
            chart.embedding @ self.embedding,
            chart.origin[self.kept],
        )


def tangent(chart: StateChart) -> Tangent | None:
    """Directions on the loops and contacts at the point of a chart; None for a tree."""
    point = chart.point
    eom, robot = point.eom, point.eom.robot
    rows = [k for k in independent_rows(robot) if robot.rows[k].position is not None]
    if not rows or robot.eliminated:
        return None  # with eliminated coordinates φ = 0 for all q
    values = ClosureValues(robot, point.values, "linearize")
    sizes = CharacteristicSizes(robot, point.values)
    row_sizes = sizes.of_rows([robot.rows[k] for k in rows])[:, None]
    A = values.matrix(point.q)[rows] / row_sizes
    n, k = len(robot.joint_speeds), len(eom.v)
    size = len(chart.names) - k  # deviations of coordinates
    # x_q = G δ for displacements δ along the joint speeds; they differ for a free joint
    G = chart.matrix[:size, : len(eom.q)] @ values.space.map(point.q[None])[0]
    by_q: Array = A @ np.asarray(np.linalg.inv(G), dtype=np.float64)
    wanted = _preference(eom)
    chart_sizes = np.abs(chart.matrix[:size, : len(eom.q)]) @ sizes.q
    weight = G @ np.diag(wanted / sizes.u) if n == size else np.diag(1 / chart_sizes)
    T_q, kept_q = _solved(by_q, weight, chart_sizes, point)
    if robot.speed_map is not None:
        T = _block(T_q, np.zeros((k, T_q.shape[1])), np.eye(k))
        return Tangent(T, [*kept_q, *range(size, size + k)])
    T_v, kept_v = _solved(A, np.diag(wanted / sizes.u), sizes.u, point)
    slope = (
        _rate_slopes(point, rows) / row_sizes @ chart.embedding[: len(eom.q), :size]
    )  # ∂(A v)/∂x_q
    unit = np.zeros((len(kept_v), n))
    unit[range(len(kept_v)), kept_v] = 1
    left = np.vstack([A, unit])
    right = np.vstack([-slope @ T_q, np.zeros((len(kept_v), T_q.shape[1]))])
    moved = np.linalg.solve(left, right)  # (2), with the kept speeds unchanged
    return Tangent(_block(T_q, moved, T_v), [*kept_q, *(size + j for j in kept_v)])


def _preference(eom: EquationsOfMotion) -> Array:
    """Weight of each joint speed: larger if it was chosen, or if an actuator drives its joint."""
    driven = actuated_speeds(eom.robot)
    chosen: set[str] = set() if eom.robot.speed_map is None else {s.name for s in eom.v}
    weights = np.ones(len(eom.robot.joint_speeds))
    for k, s in enumerate(eom.robot.joint_speeds):
        weights[k] = CHOSEN if s.name in chosen else ACTUATED if s.name in driven else 1.0
    return weights


def _solved(
    A: Array, weight: Array, sizes: Array, point: OperatingPoint
) -> tuple[Array, list[int]]:
    """(T, kept) with A T = 0 and T[kept] = 1: the entries that are kept determine the others."""
    _, s, V = np.linalg.svd(A * sizes)
    if s.min(initial=np.inf) <= SINGULAR * s.max(initial=0.0):
        raise singular(point)
    Z = sizes[:, None] * V[len(s) :].T  # A Z = 0
    kept = sorted(_pivots(weight @ Z))
    return Z @ np.linalg.inv(Z[kept]), kept


def _pivots(rows: Array) -> list[int]:
    """Rows chosen by QR with pivoting: the longest, then the one farthest from those already chosen, …

    >>> _pivots(np.array([[1.0, 0.0], [3.0, 0.1], [0.0, 2.0]]))
    [1, 2]
    """
    rest, chosen = np.array(rows), list[int]()
    for _ in range(rows.shape[1]):
        k = int(np.argmax(np.sum(rest * rest, axis=1)))
        chosen.append(k)
        direction = rest[k] / np.linalg.norm(rest[k])
        rest = rest - np.outer(rest @ direction, direction)
    return chosen


def singular(point: OperatingPoint) -> EvaluationError:
    """Error for a point at which independent rows become dependent."""
    return EvaluationError(
        f"linearize: robot {point.eom.robot.name!r} must not be in a singular configuration, where "
        f"its loops do not determine how it moves; choose another q."
    )


def _rate_slopes(point: OperatingPoint, rows: list[int]) -> Array:
    """∂(A v)/∂q at fixed v, with respect to coordinates."""
    eom = point.eom
    if not np.any(point.v):
        return np.zeros((len(rows), len(eom.q)))
    d = DynamicsDerivatives(program_equations(eom), "coordinates")
    v = Vector(eom.v)
    rates = [Vector(eom.robot.rows[k].A) @ v for k in rows]
    (by_q, _) = d.of_state.jacobian(rates)
    return point.evaluate(by_q)


def _block(of_q: Array, mixed: Array, of_v: Array) -> Array:
    top = np.hstack([of_q, np.zeros((len(of_q), of_v.shape[1]))])
    return np.vstack([top, np.hstack([mixed, of_v])])
