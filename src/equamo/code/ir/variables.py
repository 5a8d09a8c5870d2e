"""Variables of a derivative: the configuration q, then groups of symbols such as v and v̇.

Every derivative of a function f of (q, v, …) comes from here: its Jacobian by forward sweeps, one per
column; its product with one direction by one forward sweep; its product with λ by one reverse sweep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from ...algebra.expr import ONE, Expr, internal
from ...algebra.expr.differentiate import directional, directional_columns, gradient
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from .directions import Directions


@final
@dataclass(frozen=True)
class Group:
    """Symbols with respect to which a function is differentiated, and the symbols of a direction."""

    name: str
    symbols: tuple[Expr, ...]

    @property
    def size(self) -> int:
        return len(self.symbols)

    @property
    def delta(self) -> tuple[Expr, ...]:
        """Symbols δ, one per symbol."""
        return tuple(internal(f"delta {self.name}", s.name) for s in self.symbols)


@final
@dataclass(frozen=True)
class Variables:
    """Configuration and groups of symbols, in the order of the columns of a Jacobian.

    >>> from equamo.algebra.expr import parse
    >>> from equamo.robot.library import load
    >>> arm = load("rr_arm")
    >>> x = Variables(Directions(arm), (Group("v", arm.v),))
    >>> x.jacobian([parse("q1*dq2")])
    (Matrix([[dq2, 0]]), Matrix([[0, q1]]))
    """

    directions: Directions
    groups: tuple[Group, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of columns: of q, then of each group."""
        return len(self.directions), *(g.size for g in self.groups)

    @property
    def delta(self) -> tuple[Expr, ...]:
        """Symbols δ of a direction, of q and then of each group."""
        return (*self.directions.symbols, *(s for g in self.groups for s in g.delta))

    @property
    def seeds(self) -> list[Mapping[Expr, Expr]]:
        """Rates along each direction."""
        own = [self.directions.seeds(k) for k in range(len(self.directions))]
        return own + [{s: ONE} for g in self.groups for s in g.symbols]

    def rates(self, delta: Sequence[Expr]) -> dict[Expr, Expr]:
        """Rates along the direction δ."""
        n = len(self.directions)
        plain = (s for g in self.groups for s in g.symbols)
        return self.directions.along(delta[:n]) | dict(zip(plain, delta[n:], strict=True))

    def split(self, entries: Sequence[Expr]) -> tuple[Vector, ...]:
        """Entries for all columns as one vector for q and one per group."""
        parts: list[Vector] = []
        start = 0
        for size in self.sizes:
            parts.append(Vector(entries[start : start + size]))
            start += size
        return tuple(parts)

    # -- derivatives of f ----------------------------------------------------------------------------
    def jacobian(self, f: Sequence[Expr]) -> tuple[Matrix, ...]:
        """∂f/∂q, then ∂f by each group."""
        return self.matrices(directional_columns(f, self.seeds))

    def matrices(self, rows: Sequence[Sequence[Expr]]) -> tuple[Matrix, ...]:
        """Columns of all variables as one matrix for q and one per group."""
        parts: list[Matrix] = []
        start = 0
        for size in self.sizes:
            names = [str(k) for k in range(size)]  # a matrix without rows keeps its width
            rest = [row[start : start + size] for row in rows]
            parts.append(Matrix(rest, None, None if rows else names))
            start += size
        return tuple(parts)

    def product(self, f: Sequence[Expr], delta: Sequence[Expr]) -> list[Expr]:
        """∂f · δ, by one forward sweep"""
        return directional(f, self.rates(delta))

    def gradient(self, f: Expr) -> list[Expr]:
        """All derivatives of a scalar f, by one reverse sweep."""
        q = self.directions.q
        plain = [s for g in self.groups for s in g.symbols]
        found = gradient(f, [*q, *plain])
        return [*self.directions.pulled_back(found[: len(q)]), *found[len(q) :]]
