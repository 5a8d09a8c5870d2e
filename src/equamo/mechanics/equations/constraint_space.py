"""Constraint space: response of a robot to impulses along the rows of its loops and held contacts.

With the mass matrix M and the independent rows A of the augmented form,

    (1)  Y = M⁻¹ Aᵀ           column i: change of the speeds by a unit impulse along row i
    (2)  Λ = (A Y)⁻¹          the inertia seen by the rows
    (3)  N = 1 − Y Λ A        projects speeds onto A v = 0, orthogonally in the metric M

Λ needs independent rows: a redundant one makes A M⁻¹ Aᵀ singular. If M is singular, `constrained` has
M + AᵀA in its place, which leaves N as it is and adds 1 to Λ.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import final

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import Vector
from ...errors import ConstraintError
from .constrained import is_augmented
from .equations import EquationsOfMotion


@final
class ConstraintSpace:
    """Independent rows of equations in the augmented form, with Λ and N."""

    def __init__(self, eom: EquationsOfMotion, function: str) -> None:
        self.eom: EquationsOfMotion = eom if eom.replaced is None else eom.replaced.whole
        if not is_augmented(self.eom.robot):
            raise _no_rows(self.eom, function)
        self._system = self.eom.constrained_system
        self.rows: tuple[str, ...] = tuple(r.name for r in self._system.rows)
        self.A = self._system.A
        self.bias: Vector = Vector(self._system.bias, self.rows)  # Ȧ v

    @cached_property
    def inertia(self) -> Matrix:
        """(2) Λ"""
        inverse = self._system.delassus_factors.inverse()
        if not self._system.is_regular:
            inverse = inverse - identity(len(self.rows))
        return Matrix(inverse.rows, self.rows, self.rows)

    def momentum(self, w: Sequence[Expr]) -> Vector:
        """Λ w for velocities w along the rows."""
        p = Vector(self._solve(w))
        return p if self._system.is_regular else p - Vector(w)

    def _solve(self, w: Sequence[Expr]) -> list[Expr]:
        return self._system.delassus_factors.solve(list(w))

    def correction(self, w: Sequence[Expr]) -> Vector:
        """Y Λ w: change of the speeds to subtract to cancel velocities w along the rows."""
        return self._system.response @ Vector(self._solve(w))

    @cached_property
    def projector(self) -> Matrix:
        """(3) N = 1 − Y Λ A"""
        names = self.A.column_names or ()
        columns = [self.correction(list(self.A.column(j))) for j in range(len(names))]
        return Matrix((identity(len(names)) - Matrix(columns).T).rows, names, names)


def _no_rows(eom: EquationsOfMotion, function: str) -> ConstraintError:
    robot = eom.robot
    if robot.speed_map is not None and robot.rows:
        return ConstraintError(
            f"{function} needs equations in the joint speeds, got those of robot {robot.name!r} in the "
            f"chosen speeds {', '.join(x.name for x in eom.v[:6])}; use eom.augmented()."
        )
    advice = "pass loops=[eq.loop(…)] or contacts=[eq.contact(…)] to Robot"
    if robot.contacts:
        advice = f'hold a contact, eom.in_mode({{{robot.contacts[0].name!r}: "stick"}})'
    return ConstraintError(
        f"{function} needs a loop or a held contact, but robot {robot.name!r} has "
        f"neither; {advice}."
    )
