"""Derivatives of the implicit equations r = 0 of the accelerations, one graph per robot."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, final

from ...algebra.expr import Expr
from ...algebra.expr.vector import Vector
from ...code.ir.dynamics_derivatives import DynamicsDerivatives
from ...code.ir.functions import program_equations
from ...mechanics.equations.equations import EquationsOfMotion

KEPT: Final = 8  # robots in the cache


@final
class SameEquations:
    """Cache key that compares equations by identity."""

    def __init__(self, eom: EquationsOfMotion) -> None:
        self.eom = eom

    def __hash__(self) -> int:
        return id(self.eom)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameEquations) and self.eom is other.eom


def residual_slopes(eom: EquationsOfMotion) -> Vector:
    """∂r/∂(q, v), or ∂(r, c)/∂(q, v) with constraints c, row by row, then ∂(N v)/∂q."""
    return _slopes(SameEquations(eom))


@lru_cache(maxsize=KEPT)
def _slopes(key: SameEquations) -> Vector:
    d = DynamicsDerivatives(program_equations(key.eom), "coordinates")
    by_q, by_v = d.residual_slopes(by_inputs=True)
    rows = zip(by_q.rows, by_v.rows, strict=True)
    entries: list[Expr] = [x for of_q, of_v in rows for x in (*of_q, *of_v)]
    return Vector([*entries, *d.rate_slopes().entries])
