"""Result of a formulation: mass matrix, bias, gravity and generalized forces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import final

from ..expr import Expr
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..kinematics.quantity_name import QuantityName
from ..kinematics.steps import Inputs, Recorder, Step, Value, matrix_entry
from ..model.read_only import ReadOnly
from ..model.robot import Robot


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


def record_entries(
    record: Recorder,
    rules: Mapping[str, str] | str,
    names: Sequence[str],
    D: Derivation,
    inputs: Callable[[QuantityName], Iterable[QuantityName]],
) -> None:
    """Record the entries of M, bias, gravity and forces over the speeds `names`.

    Args:
        record: Takes the steps.
        rules: Rule by letter (M, bias, gravity, Q), or one rule for all.
        names: Names of the speeds.
        D: The derivation.
        inputs: Gives the inputs of each entry, all of which were recorded before this call.
    """
    rows: list[tuple[QuantityName, Value]] = []
    for j, name in enumerate(names):
        for i in range(j, len(names)):
            rows.append((matrix_entry("M", name, names[i]), D.mass_matrix[j, i]))
    for letter, vector in (("bias", D.bias), ("gravity", D.gravity)):
        rows += [(QuantityName(letter, by=(n,)), x) for n, x in zip(names, vector, strict=True)]
    for element, f in D.forces.items():
        rows += [(QuantityName("Q", by=(element, n)), x) for n, x in zip(names, f, strict=True)]
    record.together(
        (rules if isinstance(rules, str) else rules[q.letter], q, x, inputs(q)) for q, x in rows
    )


def force_inputs(
    record: Recorder, robot: Robot, letters: str, along: Sequence[tuple[str, str]]
) -> Inputs:
    """Inputs of generalized forces: the columns of the loaded bodies, if they were recorded.

    Args:
        record: Has the steps of the columns.
        robot: The robot.
        letters: Letters of the columns, such as "w V".
        along: Pairs (name that indexes a column, name of a speed to which the column contributes).
    """
    inputs: Inputs = {}
    for element in robot.forces:
        for column, speed in along:
            inputs.setdefault(QuantityName("Q", by=(element.name, speed)), []).extend(
                record.known(
                    QuantityName(x, body, by=(column,))
                    for body in element.bodies()
                    for x in letters.split()
                )
            )
    return inputs
