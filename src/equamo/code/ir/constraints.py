"""Constraints of programs: independent rows of A v̇ + Ȧ v = 0, and functions that exist only with them.

    constraint_matrix(q)              A, one row per equation of the loops and contacts
    constraint_bias(q, v)             Ȧ v
    closure(q)                        φ of the loops, 0 if they are closed
    constraint_forces(q, v, tau)      λ: the generalized force of the constraints is Aᵀ λ; or for inputs
    constraint_inertia(q)             Λ = (A M⁻¹ Aᵀ)⁻¹

The three equations of a point say that a vector is zero, so they may be written in any frame: v̇ is the
same, and λ is rotated. `shortened` chooses the frame with the fewest operations, such as that of a
floating base, for everything but λ.

Forces and inertia belong to independent rows. In these two functions a redundant row has zeros, so that
all functions have the same rows: Aᵀ λ is the whole force, and −Λ A v the impulse that stops A v.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar, final

from ...algebra.expr import ZERO, Expr, internal
from ...algebra.expr.count import count
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.mobility import independent_rows
from ...mechanics.kinematics.closure import Path, constraint_bias, constraint_matrix
from ...robot.model.contact import STICK, Contact
from ...robot.model.loop import Loop
from ...robot.model.robot import Robot

T = TypeVar("T")


@final
@dataclass(frozen=True)
class Constraints:
    """Rows of constraints that accelerations must satisfy, with multipliers λ.

    `whole` and `whole_bias` have all rows; the others only those that are independent on φ = 0.
    """

    whole: Matrix  # A
    whole_bias: Vector  # Ȧ v
    kept: tuple[int, ...]  # positions of independent rows

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the independent rows."""
        return tuple(self.chosen(self.whole.row_names or ()))

    @cached_property
    def A(self) -> Matrix:
        """Independent rows of A."""
        return Matrix(self.chosen(self.whole.rows), self.names, self.whole.column_names)

    @cached_property
    def bias(self) -> list[Expr]:
        """Independent entries of Ȧ v."""
        return self.chosen(list(self.whole_bias))

    @cached_property
    def lam(self) -> tuple[Expr, ...]:
        """Symbols λ, one per independent row."""
        return tuple(internal("multiplier", name) for name in self.names)

    def chosen(self, entries: Sequence[T]) -> list[T]:
        """Items of the independent rows."""
        return [entries[i] for i in self.kept]

    def others(self, entries: Sequence[T]) -> list[T]:
        """Items of the redundant rows."""
        return [x for i, x in enumerate(entries) if i not in self.kept]

    def padded(self, entries: Sequence[Expr]) -> list[Expr]:
        """Entries of independent rows, with 0 for all others."""
        found = dict(zip(self.kept, entries, strict=True))
        return [found.get(i, ZERO) for i in range(len(self.whole.rows))]

    def padded_rows(self, X: Matrix) -> Matrix:
        """Matrix rows of independent rows, with zeros for all others."""
        empty, rows = [ZERO] * X.shape[1], dict(zip(self.kept, X.rows, strict=True))
        return Matrix([rows.get(i, empty) for i in range(len(self.whole.rows))])

    def padded_matrix(self, X: Matrix) -> Matrix:
        """Rows and columns of independent rows, with zeros for all others."""
        return self.padded_rows(Matrix([self.padded(row) for row in X.rows]))


def constraints(eom: EquationsOfMotion, direct: bool) -> Constraints:
    """Constraints of equations, by recursion if `direct`, else as derived."""
    kept = independent_rows(eom.robot)
    if direct:
        return Constraints(constraint_matrix(eom.robot), constraint_bias(eom.robot), kept)
    return Constraints(eom.constraint_matrix, eom.constraint_bias, kept)


_POINTS: Final = ("revolute", "spherical", "universal", "fixed")  # joints that hold a point


def shortened(robot: Robot, rows: Constraints) -> Constraints:
    """Rows whose points are written in frames with few operations."""
    A, bias = [list(row) for row in rows.whole.rows], list(rows.whole_bias)
    held = [c for c in robot.contacts if robot.mode[c.name] == STICK]
    start = 0
    for closed in (*robot.loops, *held):
        places = range(start, start + 3)
        start += len(closed.row_names)
        holds = isinstance(closed, Contact) or closed.joint in _POINTS
        if holds and set(places) <= set(rows.kept):
            for i, row, c in zip(places, *_shortest(robot, closed), strict=True):
                A[i], bias[i] = row, c
    whole = rows.whole
    return Constraints(Matrix(A, whole.row_names, whole.column_names), Vector(bias), rows.kept)


def _shortest(robot: Robot, closed: Loop | Contact) -> tuple[list[list[Expr]], list[Expr]]:
    found = [
        Path(robot, closed, frame).point_rows()
        for frame in dict.fromkeys(Path(robot, closed).frames)
    ]
    return min(found, key=lambda x: count([*(e for row in x[0] for e in row), *x[1]]).instructions)
