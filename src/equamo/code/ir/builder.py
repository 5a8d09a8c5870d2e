"""Builder of Programs: appends instructions, with equal ones shared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, cast, final

from ...mechanics.kinematics.quantity_name import QuantityName
from .program import FUSED, Instruction, Program

COMMUTATIVE: Final = ("add", "mul")
_EITHER_ORDER: Final = frozenset((*COMMUTATIVE, *FUSED))
_new: Final[Callable[[type[Instruction], tuple[Any, ...]], Instruction]] = cast(Any, tuple).__new__


@final
class Builder:
    """Instructions under construction; `emit` returns the number of a value."""

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self._known: dict[Instruction, int] = {}

    def emit(
        self, op: str, args: tuple[int, ...] = (), leaf: Fraction | tuple[int, int] | None = None
    ) -> int:
        """Value of an instruction, reused if it already exists."""
        if op in _EITHER_ORDER and args[0] > args[1]:
            args = (args[1], args[0], *args[2:])
        known, instructions = self._known, self.instructions
        # Like Instruction(op, args, leaf), in half the time: this line runs most often.
        key = _new(Instruction, (op, args, leaf))
        size = len(instructions)
        number = known.setdefault(key, size)
        if number == size:
            instructions.append(key)
        return number

    def constant(self, value: Fraction | int) -> int:
        """Value of a constant."""
        return self.emit("constant", (), Fraction(value))

    def value(self, i: int) -> Fraction | None:
        """Number of value i if it is a constant, else None."""
        op, _, leaf = self.instructions[i]
        return leaf if op == "constant" and isinstance(leaf, Fraction) else None

    def finish(self, program: Program, new: Sequence[int] | Mapping[int, int]) -> Program:
        """Program with these instructions; `new` maps old values to new ones."""
        return finished(program, self.instructions, new)


def finished(
    program: Program,
    instructions: Sequence[Instruction],
    new: Sequence[int] | Mapping[int, int],
) -> Program:
    """Program with other instructions; `new` maps old values to new ones."""
    outputs = tuple(replace(y, values=tuple(new[i] for i in y.values)) for y in program.outputs)
    names: dict[int, QuantityName] = {}
    for i, name in program.names.items():
        if isinstance(new, Sequence) or i in new:
            names.setdefault(new[i], name)
    return replace(program, instructions=tuple(instructions), outputs=outputs, names=names)
