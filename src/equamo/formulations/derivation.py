"""What every formulation gives: mass matrix, bias, gravity and generalized forces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import final

from ..expr import Expr
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..model.read_only import ReadOnly


@final
@dataclass(frozen=True, slots=True, weakref_slot=True)
class Derivation:
    """M v̇ + bias + gravity = Σ forces, in the order of the robot's speeds."""

    mass_matrix: Matrix
    bias: Vector  # C v, and with a moving base what that brings
    gravity: Vector
    forces: Mapping[str, Vector]  # by the name of the force element, on the right-hand side

    def __post_init__(self) -> None:
        object.__setattr__(self, "forces", ReadOnly(self.forces))

    @property
    def entries(self) -> list[Expr]:
        """Every expression of it, row by row."""
        forces = [e for f in self.forces.values() for e in f]
        return [*self.mass_matrix.entries, *self.bias, *self.gravity, *forces]

    def map(self, change: Callable[[Iterable[Expr]], Iterable[Expr]]) -> Derivation:
        """Derivation with all its entries changed, in one call."""
        entries = iter(change(self.entries))

        def take(part: Sequence[Expr]) -> Iterable[Expr]:
            return islice(entries, len(part))

        return Derivation(
            self.mass_matrix.map(take),
            self.bias.map(take),
            self.gravity.map(take),
            {name: f.map(take) for name, f in self.forces.items()},
        )
