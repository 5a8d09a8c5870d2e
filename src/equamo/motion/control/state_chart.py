"""StateChart: deviations x from an operating point, the states of a linear system.

x = (q − q̄, v − v̄), with three components per quaternion: its error e, in body axes, rotates the body by
|e| about e from its orientation at the point (to first order; e = 2 × the vector part of q̄⁻¹ q).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

from ...algebra.arrays import np
from ...algebra.expr import Expr, as_expr
from ...algebra.expr.differentiate import gradient
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols as symbols_of
from ...basics.wording import brief
from ...errors import EquamoError, EvaluationError, UnknownNameError
from ...mechanics.equations.characteristic_sizes import CharacteristicSizes
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...robot.model.joints.spherical import quaternion_rows
from .kinks import expect_slopes
from .operating_point import Array, OperatingPoint


@final
@dataclass(frozen=True, eq=False)
class StateChart:
    """Deviations and states: x = matrix · ((q, v) − point) and (q, v) = point + embedding · x."""

    point: OperatingPoint
    names: tuple[str, ...]
    matrix: Array
    embedding: Array
    origin: Array  # the states at the point; a state is origin + x

    def deviation(self, q: Any, v: Any) -> Array:
        """Deviation x of a state.

        A quaternion and its negative are the same rotation: the one nearer to the point is used. Angles
        are not wrapped: a wheel after one revolution is 2π away.
        """
        try:
            coordinates = np.array(q, dtype=np.float64)
            for columns in self._quaternions:
                if coordinates[columns] @ self.point.q[columns] < 0:
                    coordinates[columns] *= -1
            return self.matrix @ (np.concatenate([coordinates, v]) - self._point)
        except (TypeError, ValueError, OverflowError, IndexError):
            sizes = len(self.point.q), len(self.point.v)
            raise EvaluationError(
                f"deviation: q and v must be lists of {sizes[0]} and {sizes[1]} numbers, got {brief(q)} "
                f"and {brief(v)}."
            ) from None

    @cached_property
    def _quaternions(self) -> list[list[int]]:
        return self.point.eom.robot.state_space.quaternions

    @cached_property
    def _point(self) -> Array:
        return np.concatenate([self.point.q, self.point.v])

    def gradient(self, expression: Any) -> Array:
        """∂e/∂x of an expression in q, v and parameters, at the point."""
        eom, point = self.point.eom, self.point
        (e,) = ChosenSpeeds(eom.robot).insert([as_expr(expression)])
        state = [*eom.q, *eom.v]
        valid = [s.name for s in (*state, *eom.parameters)]
        for s in symbols_of([e]):
            if s.name not in valid:
                raise UnknownNameError("symbol", s.name, valid, f"the state {expression!s:.60}")
        expect_slopes(point, e)
        row: Array = point.evaluate(Vector(gradient(e, state)))
        return row @ self.embedding

    def select(self, states: Mapping[str, Any]) -> tuple[StateChart, Array]:
        """Chart of other states, given by expressions, and the matrix T with new x = T · old x."""
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
        (e,) = ChosenSpeeds(self.point.eom.robot).insert([as_expr(expression)])
        return float(self.point.evaluate(e))

    def _row(self, name: str, expression: Any) -> Array:
        if isinstance(expression, str) and expression in self.names:
            return np.eye(len(self.names))[self.names.index(expression)]
        try:
            return self.gradient(expression)
        except UnknownNameError:
            raise
        except EquamoError as error:
            raise EvaluationError(f"State {name!r}: {error}") from error


def rate_near(chart: StateChart) -> float:
    """Rate of change near a point: of a pendulum of the robot's size, or of its speeds [1/s]."""
    sizes = _sizes(chart)
    return max(sizes.rate, float((np.abs(chart.point.v) / sizes.v).max(initial=0)))


def state_sizes(chart: StateChart, rate: float) -> Array:
    """Characteristic sizes of the states, for speeds of `rate` [1/s] times their displacements."""
    sizes = _sizes(chart)
    return np.abs(chart.matrix) @ np.concatenate([sizes.q, sizes.v * rate])


def _sizes(chart: StateChart) -> CharacteristicSizes:
    return CharacteristicSizes(chart.point.eom.robot, chart.point.values)


def pinv(T: Array) -> Array:
    """Pseudoinverse T⁺; T⁺ T is the projection onto the states that T keeps."""
    return np.asarray(np.linalg.pinv(T), dtype=np.float64)


def state_chart(point: OperatingPoint) -> StateChart:
    """Chart of all states (q, v) of a robot around a point, with quaternions as errors."""
    eom, q = point.eom, point.q
    groups = eom.robot.state_space.quaternions
    first = {columns[0]: columns for columns in groups}
    inside = {k for columns in groups for k in columns}
    prefix = _error_names(eom)
    names: list[str] = []
    columns_of: list[Array] = []  # ∂q/∂x, one column per state
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
    by_name = {s.name: x for s, x in zip((*eom.q, *eom.v), at_point, strict=True)}
    origin = np.array([by_name.get(n, 0.0) for n in names])  # an error is 0 at the point
    return StateChart(point, tuple(names), matrix, embedding, origin)


def _with_speeds(part: Array, n: int) -> Array:
    """Block diagonal of the part of the coordinates and the identity for n speeds."""
    rows, columns = part.shape
    whole = np.zeros((rows + n, columns + n))
    whole[:rows, :columns] = part
    whole[rows:, columns:] = np.eye(n)
    return whole


def _error_names(eom: EquationsOfMotion) -> dict[Expr, str]:
    """{first symbol of a quaternion: name of its joint}."""
    return {s: b.joint.name for b in eom.robot.bodies for s in b.joint.q if b.joint.unit_groups()}
