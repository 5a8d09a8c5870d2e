"""Result of a formulation: mass matrix, bias, gravity and generalized forces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import final

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...robot.model.read_only import ReadOnly
from ..kinematics.steps import Step


@final
@dataclass(frozen=True, slots=True, weakref_slot=True)
class Derivation:
    """M v̇ + bias + gravity = Σ forces, in the order of the robot's speeds."""

    mass_matrix: Matrix
    bias: Vector  # C v, plus the terms of a moving base
    gravity: Vector
    forces: Mapping[str, Vector]  # by the name of the force element, on the right-hand side
    steps: tuple[Step, ...] = field(default=(), repr=False, compare=False)  # if recorded

    def __post_init__(self) -> None:
        object.__setattr__(self, "forces", ReadOnly(self.forces))

    @property
    def entries(self) -> list[Expr]:
        """All expressions, row by row."""
        forces = [e for f in self.forces.values() for e in f]
        return [*self.mass_matrix.entries, *self.bias, *self.gravity, *forces]

    def latex(self) -> str:
        r"""LaTeX of all recorded steps, one per line, as an align* environment."""
        lines = [step.latex().replace(" = ", " &= ", 1) for step in self.steps]
        return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"

    def map(self, change: Callable[[Iterable[Expr]], Iterable[Expr]]) -> Derivation:
        """Copy with a function applied to all entries, in one call."""
        entries = iter(change(self.entries))

        def take(part: Sequence[Expr]) -> Iterable[Expr]:
            return islice(entries, len(part))

        return Derivation(
            self.mass_matrix.map(take),
            self.bias.map(take),
            self.gravity.map(take),
            {name: f.map(take) for name, f in self.forces.items()},
        )
