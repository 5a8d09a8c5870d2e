"""States near an operating point as small numbers x, the states of a linear system.

x = (q − q̄, v − v̄), with three numbers for a quaternion: its error e turns the body by |e| about e, in
body axes, from where it is at the point (to first order; e = 2 × the vector part of q̄⁻¹ q).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from ..equations.equations import EquationsOfMotion
from ..errors import EquamoError, EvaluationError, UnknownNameError
from ..expr import Expr, as_expr
from ..expr.differentiate import gradient
from ..expr.vector import Vector
from ..expr.walk import symbols as symbols_of
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..model.joints.spherical import quaternion_rows
from .operating_point import Array, OperatingPoint


@final
@dataclass(frozen=True, eq=False)
class StateChart:
    """x = matrix · ((q, v) − point), and (q, v) = point + embedding · x; a state is origin + x."""

    point: OperatingPoint
    names: tuple[str, ...]
    matrix: Array
    embedding: Array
    origin: Array  # what the states are at the point

    def deviation(self, q: Any, v: Any) -> Array:
        """x of a state. Of a quaternion and its negative, the same turn, the nearer one is taken.

        Angles are not wrapped: a wheel that has turned once is 2π away.
        """
        coordinates = np.array(q, dtype=np.float64)
        for columns in self._quaternions:
            if coordinates[columns] @ self.point.q[columns] < 0:
                coordinates[columns] *= -1
        return self.matrix @ (np.concatenate([coordinates, v]) - self._point)

    @cached_property
    def _quaternions(self) -> list[list[int]]:
        return self.point.eom.robot.state_space.quaternions

    @cached_property
    def _point(self) -> Array:
        return np.concatenate([self.point.q, self.point.v])

    def gradient(self, given: Any) -> Array:
        """∂e/∂x of an expression in q, v and parameters, at the point."""
        eom, point = self.point.eom, self.point
        e = ChosenSpeeds(eom.robot).insert([as_expr(given)])[0]
        state = [*eom.q, *eom.v]
        valid = [s.name for s in (*state, *eom.parameters)]
        for s in symbols_of([e]):
            if s.name not in valid:
                raise UnknownNameError("symbol", s.name, valid, f"the state {given!s:.60}")
        row: Array = point.evaluate(Vector(gradient(e, state)))
        return row @ self.embedding

    def select(self, states: Mapping[str, Any]) -> tuple[StateChart, Array]:
        """The chart of other states, each an expression; and the matrix T, new x = T · old x."""
        rows = [self._row(name, e) for name, e in states.items()]
        T = np.array(rows, dtype=np.float64).reshape(len(rows), len(self.names))
        chart = StateChart(
            self.point,
            tuple(states),
            T @ self.matrix,
            self.embedding @ pinv(T),
            np.array([self._at_point(e) for e in states.values()]),
        )
        return chart, T

    def _at_point(self, expression: Any) -> float:
        if isinstance(expression, str) and expression in self.names:
            return float(self.origin[self.names.index(expression)])
        e = ChosenSpeeds(self.point.eom.robot).insert([as_expr(expression)])[0]
        return float(self.point.evaluate(e))

    def _row(self, name: str, expression: Any) -> Array:
        if isinstance(expression, str) and expression in self.names:
            return np.eye(len(self.names))[self.names.index(expression)]
        try:
            return self.gradient(expression)
        except UnknownNameError:
            raise
        except EquamoError as error:
            raise EvaluationError(f"The state {name!r}: {error}") from error


def pinv(T: Array) -> Array:
    """T⁺, with T⁺ T the projection on the states that T keeps."""
    return np.asarray(np.linalg.pinv(T), dtype=np.float64)


def state_chart(point: OperatingPoint) -> StateChart:
    """The chart of all states of a robot around a point: (q, v), quaternions by their errors."""
    eom, q = point.eom, point.q
    groups = eom.robot.state_space.quaternions
    first = {columns[0]: columns for columns in groups}
    inside = {k for columns in groups for k in columns}
    prefix = _error_names(eom)
    names: list[str] = []
    columns_of: list[Array] = []  # ∂q/∂x, a column for each state
    rows_of: list[Array] = []  # ∂x/∂q
    unit = np.eye(len(q))
    for k, s in enumerate(eom.q):
        if k in first:
            w, x, y, z = map(float, q[first[k]])
            E = np.array(quaternion_rows(w, x, y, z))
            names += [prefix[s] + axis for axis in ("_ex", "_ey", "_ez")]
            for column in E.T:  # q = q̄ + ½ E e, and Eᵀ E = 1
                whole = unit[first[k]].T @ column
                columns_of.append(whole / 2)
                rows_of.append(whole * 2)
        elif k not in inside:
            names.append(s.name)
            columns_of.append(unit[k])
            rows_of.append(unit[k])
    names += [s.name for s in eom.v]
    n = len(eom.v)
    matrix = _with_speeds(np.array(rows_of).reshape(len(rows_of), len(q)), n)
    embedding = _with_speeds(np.array(columns_of).reshape(len(rows_of), len(q)).T, n)
    at_point = np.concatenate([q, point.v])
    own = {s.name: x for s, x in zip((*eom.q, *eom.v), at_point, strict=True)}
    origin = np.array([own.get(n, 0.0) for n in names])  # an error is 0 at the point
    return StateChart(point, tuple(names), matrix, embedding, origin)


def _with_speeds(part: Array, n: int) -> Array:
    """The part of the coordinates, and the unit matrix of n speeds below and beside it."""
    rows, columns = part.shape
    whole = np.zeros((rows + n, columns + n))
    whole[:rows, :columns] = part
    whole[rows:, columns:] = np.eye(n)
    return whole


def _error_names(eom: EquationsOfMotion) -> dict[Expr, str]:
    """{first symbol of a quaternion: name of its joint}."""
    return {s: b.joint.name for b in eom.robot.bodies for s in b.joint.q if b.joint.unit_groups()}
