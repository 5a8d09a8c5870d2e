"""PreciseSystem: where a linear system comes from, so that its matrices can be had to any precision.

Rounding hides the structure of a system: an entry 1e-17 may be a zero of the equations or a weak
coupling. So the matrices are evaluated again in ball arithmetic (`balls`), in which zeros are zeros.
There the structure is decided: which states a rate depends on, and the order of a transfer function.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from ...errors import EvaluationError, UnknownNameError
from .balls import (
    Balls,
    Rows,
    ball,
    decided,
    difference,
    exponential,
    from_floats,
    product,
    solved,
    unit_rows,
    zero,
)
from .operating_point import Array

if TYPE_CHECKING:
    from .state_chart import StateChart


class PreciseSystem(ABC):
    """Linear system whose matrices are balls, at the working precision."""

    states: tuple[str, ...]

    @abstractmethod
    def matrices(self) -> tuple[Rows, Rows]:
        """(A, B)"""

    @abstractmethod
    def gradient(self, expression: Any) -> Balls:
        """Row c with y = c x, for an expression in q, v and parameters."""

    def output_row(self, output: Any) -> Balls:
        """Row c with y = c x, for the name of a state or an expression."""
        if isinstance(output, str) and output in self.states:
            return unit_rows(len(self.states), [self.states.index(output)])[0]
        return self.gradient(output)


@final
@dataclass(frozen=True, eq=False)
class Given(PreciseSystem):
    """Matrices of doubles, which are taken to be exact."""

    A: Array
    B: Array
    states: tuple[str, ...]
    chart: StateChart | None

    def matrices(self) -> tuple[Rows, Rows]:
        return from_floats(self.A), from_floats(self.B)

    def gradient(self, expression: Any) -> Balls:
        if self.chart is None:
            raise UnknownNameError("state", expression, self.states, "the linear system")
        return from_floats([self.chart.gradient(expression)])[0]


@final
@dataclass(frozen=True, eq=False)
class Restated(PreciseSystem):
    """A system in other states x' = T x, where x = G x' up to what T does not keep."""

    parent: PreciseSystem
    states: tuple[str, ...]
    expressions: tuple[Any, ...]

    def matrices(self) -> tuple[Rows, Rows]:
        A, B = self.parent.matrices()
        T, G = self._maps()
        return product(product(T, A), G), product(T, B)

    def dependence(self) -> tuple[int, int] | None:
        """(new state, omitted state on which its rate depends); None if there is none."""
        T, G = self._maps()
        for i, rates in enumerate(product(T, self.parent.matrices()[0])):
            j = _beyond(rates, T, G)
            if j is not None:
                return i, j
        return None

    def gradient(self, expression: Any) -> Balls:
        T, G = self._maps()
        row = self.parent.output_row(expression)
        j = _beyond(row, T, G)
        if j is not None:
            raise EvaluationError(
                f"An output must depend on the states {', '.join(self.states[:8])} only, but "
                f"{expression!s:.60} depends on {self.parent.states[j]!r} too; keep this state."
            )
        return product([row], G)[0]

    def _maps(self) -> tuple[Rows, Rows]:
        """(T, G): columns of G for rows of T that follow from others are 0."""
        T = [self.parent.output_row(e) for e in self.expressions]
        kept = _independent(T)
        part = [T[i] for i in kept]
        transposed = [list(x) for x in zip(*part, strict=True)]
        inverse = solved(product(part, transposed), unit_rows(len(kept), range(len(kept))))
        G = [[zero()] * len(T) for _ in self.parent.states]
        for i, row in enumerate(product(transposed, inverse)):
            for k, x in zip(kept, row, strict=True):
                G[i][k] = x
        return T, G


def _beyond(row: Balls, T: Rows, G: Rows) -> int | None:
    """State on which c x depends beyond T x, the one with the largest weight; None if c = c G T."""
    lost = difference([row], product(product([row], G), T))[0]
    weights = [(float(x.abs_upper()), j) for j, x in enumerate(lost) if not x.is_zero()]
    return max(weights)[1] if weights else None


def _independent(T: Rows) -> list[int]:
    """Rows that do not follow from those before them."""
    kept: list[int] = []
    echelon: list[tuple[int, Balls]] = []
    for i, row in enumerate(T):
        rest = row
        for column, other in echelon:
            factor = rest[column] / other[column]
            rest = [
                decided(x - factor * y, [x, factor * y]) for x, y in zip(rest, other, strict=True)
            ]
            rest[column] = zero()
        pivots = [(float(x.abs_upper()), j) for j, x in enumerate(rest) if not x.is_zero()]
        if pivots:
            kept.append(i)
            echelon.append((max(pivots)[1], rest))
    return kept


@final
@dataclass(frozen=True, eq=False)
class Sampled(PreciseSystem):
    """A system in discrete time, with inputs that are constant during each step dt."""

    parent: PreciseSystem
    states: tuple[str, ...]
    dt: float

    def matrices(self) -> tuple[Rows, Rows]:
        A, B = self.parent.matrices()
        step = ball(self.dt)
        moved, n = held(A, B, step), len(A)
        return [r[:n] for r in moved], [r[n:] for r in moved]

    def gradient(self, expression: Any) -> Balls:
        return self.parent.output_row(expression)


def held(A: Rows, B: Rows, step: Any) -> Rows:
    """[A_d, B_d] of x⁺ = A_d x + B_d u: the upper rows of exp [[A, B], [0, 0]] dt."""
    m = len(B[0]) if B else 0
    rows = [[x * step for x in (*a, *b)] for a, b in zip(A, B, strict=True)]
    rows += [[zero()] * (len(A) + m) for _ in range(m)]
    return exponential(rows)[: len(A)]
