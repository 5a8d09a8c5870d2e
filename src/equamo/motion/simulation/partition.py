"""Switching of independent speeds: a motion continues when the chosen ones no longer determine it.

Chosen speeds v = D u of a robot with loops determine its joint speeds by [A; D] u = [0; v]. At some
configurations they do not (such as the speed of a rocker when it reverses), although the motion is
regular. The partition is monitored by

    (1) r(A) = smallest singular value of L⁻¹ Aᵀ with columns of length 1,   M = L Lᵀ
    (2) r([A; D]) < POOR · r(A): other joint speeds are chosen, those with the largest r

A motion in which speeds were switched is returned in all joint speeds (the augmented form), because the
chosen ones do not describe its states. There is no augmented form with velocity constraints, such as
those of gears; then the whole motion is computed again in the other speeds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ...code.ir.program import Argument
from ...code.jit.kernel import Kernel
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.forms import minimal
from ...mechanics.equations.mobility import independent_rows
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from .constraint_rows import ConstraintRows, closing_rows
from .inputs import as_function

Floats = NDArray[np.float64]

POOR: Final = 0.1  # share of r(A) below which chosen speeds are replaced


@final
class Partition:
    """Independent speeds of a robot with loops; they are joint speeds."""

    eom: EquationsOfMotion
    parameters: Floats
    n_q: int
    n_v: int

    def __init__(self, eom: EquationsOfMotion, parameters: Floats) -> None:
        self.eom, self.parameters = eom, parameters
        every = [s.name for s in eom.robot.joint_speeds]
        self.kept: list[int] = [every.index(s.name) for s in eom.v]
        self.rows: ConstraintRows = ConstraintRows(eom, parameters)
        self._velocity_rows = _velocity_rows(eom)
        self._speeds = _speeds(eom).again()
        self.n_q, self.n_v = len(eom.q), len(eom.v)

    @property
    def has_velocity_rows(self) -> bool:
        """Whether the robot has velocity constraints, so that it has no augmented form."""
        return self._velocity_rows is not None

    def is_poor(self, q: Floats) -> bool:
        """(2), if other speeds are better"""
        whole, A = self._columns(q)
        if not np.isfinite(whole).all():
            return True
        own = _least(np.hstack([A, whole[:, self.kept]]))
        return own < POOR * _least(A) and set(self.better(q)) != set(self.kept)

    def better(self, q: Floats) -> list[int]:
        """Positions of the joint speeds that determine the others best at q."""
        whole, A = self._columns(q)
        U, _, _ = np.linalg.svd(A)
        free = U[:, A.shape[1] :]
        return sorted(pivots(free.T @ whole))

    def _columns(self, q: Floats) -> tuple[Floats, Floats]:
        """L⁻¹ and L⁻¹ Aᵀ of independent rows, with columns of length 1."""
        at = self.rows.at(q)
        try:
            inverse = np.linalg.inv(np.linalg.cholesky(at.M))
        except np.linalg.LinAlgError:  # a massless body
            inverse = np.eye(len(at.M))
        rows = at.A[self.rows.independent]
        if self._velocity_rows is not None:
            more = self._velocity_rows(q, self.parameters).reshape(-1, rows.shape[1])
            rows = np.vstack([rows, more])
        A = inverse @ rows.T
        return inverse / np.linalg.norm(inverse, axis=0), A / np.linalg.norm(A, axis=0)

    def switched(self, y: Floats) -> tuple[Partition, Floats]:
        """Better speeds at a state y = (q, v, work), and the same state in them."""
        q = y[: self.n_q]
        speeds = self.eom.robot.joint_speeds
        names = tuple(speeds[k].name for k in self.better(q))
        key = "partition", names
        if key not in self.eom.made:
            self.eom.made[key] = minimal(self.eom, names)
        other = Partition(self.eom.made[key], self.parameters)
        return other, np.concatenate([other.reached(self, y), y[self.n_q + self.n_v :]])

    def reached(self, before: Partition, y: Floats) -> Floats:
        """(q, v) of this partition at a state y of another one."""
        return np.concatenate([y[: self.n_q], before.joint_speeds(y)[self.kept]])

    def joint_speeds(self, y: Floats) -> Floats:
        """u of a state y, or of many (T, size)."""
        rows = np.atleast_2d(y)
        q, v = rows[:, : self.n_q], rows[:, self.n_q : self.n_q + self.n_v]
        u = self._speeds.batch(len(rows), q, v, self.parameters)
        return u[0] if y.ndim == 1 else u

    def seen_as(self, first: Partition) -> Callable[[Floats], Floats]:
        """Function from a state y of this partition to (q, v) of the first one."""

        def state(y: Floats) -> Floats:
            return np.concatenate(
                [y[..., : self.n_q], self.joint_speeds(y)[..., first.kept]], axis=-1
            )

        return state

    def control(self, first: Partition, argument: Any) -> Any:
        """A control of the first partition, adapted to this one: functions get v as they expect it."""
        function = as_function(argument)
        if function is None:
            return argument

        def converted(t: float, q: Floats, v: Floats) -> Any:
            u = self.joint_speeds(np.concatenate([q, v]))
            return function(t, q, u[first.kept])

        return converted


def partition(eom: EquationsOfMotion, parameters: Floats) -> Partition | None:
    """Partition of a robot with loops whose chosen speeds are joint speeds."""
    robot, chosen = eom.robot, eom.robot.speed_map
    every = {s.name for s in robot.joint_speeds}
    if chosen is None or chosen.dependent or not closing_rows(eom) or eom.replaced is not None:
        return None
    if not {s.name for s in eom.v} <= every:
        return None
    return Partition(eom, parameters)


def pivots(X: Floats) -> list[int]:
    """Columns that span the rows of X, by QR with column pivoting.

    Each is the column furthest from the span of those before it.

    >>> pivots(np.array([[1.0, 2.0, 2.0], [0.0, 0.0, 1.0]]))
    [2, 1]
    """
    rest, chosen = X.copy(), list[int]()
    for _ in range(len(X)):
        k = int(np.linalg.norm(rest, axis=0).argmax())
        chosen.append(k)
        direction = rest[:, k] / np.linalg.norm(rest[:, k])
        rest -= np.outer(direction, direction @ rest)
        rest[:, k] = 0
    return chosen


def _least(X: Floats) -> float:
    return float(np.linalg.svd(X, compute_uv=False)[-1])


def _velocity_rows(eom: EquationsOfMotion) -> Kernel | None:
    """A of the independent velocity constraints, of (q, parameters); None without any."""
    key = "velocity rows kernel"
    robot = eom.robot
    rows = [robot.rows[k] for k in independent_rows(robot) if robot.rows[k].position is None]
    if not rows:
        return None
    if key not in eom.made:
        arguments = [Argument("q", eom.q), Argument("parameters", eom.parameters)]
        eom.made[key] = Kernel("velocity_rows", arguments, [[a for r in rows for a in r.A]])
    return eom.made[key].again()


def _speeds(eom: EquationsOfMotion) -> Kernel:
    """u = W v of (q, v, parameters), created once per equations."""
    key = "joint speeds kernel"
    if key not in eom.made:
        u = ChosenSpeeds(eom.robot).insert(eom.robot.joint_speeds)
        arguments = [
            Argument("q", eom.q), Argument("v", eom.v), Argument("parameters", eom.parameters)
        ]  # fmt: skip
        eom.made[key] = Kernel("joint_speeds", arguments, [u])
    return eom.made[key]
