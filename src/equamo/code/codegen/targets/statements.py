"""Conversion of a Program to statements: some values get a name, others stay in expressions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Final, final

from ...ir.program import Instruction, Program
from ..names import ValueNames
from .target import Target

SUM, PRODUCT, ATOM = 1, 2, 3  # binding strength of a text

# Required binding strength of each operand, and that of the result. A right operand never joins a chain
# of its own kind: a + (b + c) keeps its parentheses, so that rounding is that of the program.
_LEVELS: Final[dict[str, tuple[tuple[int, ...], int]]] = {
    "neg": ((PRODUCT,), SUM),
    "add": ((SUM, PRODUCT), SUM),
    "sub": ((SUM, PRODUCT), SUM),
    "mul": ((PRODUCT, ATOM), PRODUCT),
    "div": ((PRODUCT, ATOM), PRODUCT),
    "fma": ((PRODUCT, ATOM, PRODUCT), SUM),
    "fms": ((PRODUCT, ATOM, PRODUCT), SUM),
    "fnma": ((PRODUCT, ATOM, SUM), SUM),
    "fnms": ((PRODUCT, ATOM, PRODUCT), SUM),
}


@final
@dataclass
class Statements:
    """Body of a function: (name, expression) in order, then the expression of each output entry."""

    assignments: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    results: list[str] = field(default_factory=list[str])
    names: set[str] = field(default_factory=set[str])  # names of arguments that occur


def statements(program: Program, target: Target, taken: Collection[str] = ()) -> Statements:
    """Write a program in a language, without the names that are `taken` by the file.

    >>> from equamo.algebra.expr import parse, symbol
    >>> from equamo.code.ir.lower import lower
    >>> from equamo.code.ir.program import Argument
    >>> from equamo.code.codegen.targets import target
    >>> f = lower("f", [Argument("x", (symbol("a"), symbol("b")))], {"y": parse("a*(b + 1/2)")})
    >>> body = statements(f, target("c"))
    >>> body.assignments, body.results
    ([('a', 'x[0]'), ('b', 'x[1]')], ['(0.5 + b)*a'])
    """
    return _Writer(program, target, taken).write()


@final
class _Writer:
    def __init__(self, program: Program, target: Target, taken: Collection[str]) -> None:
        self.program, self.target = program, target
        self.names = ValueNames(program, taken)
        self.uses = Counter(a for i in program.instructions for a in i.args)
        self.results = {v for y in program.outputs for v in y.values}
        self.uses.update(v for y in program.outputs for v in y.values)
        self.halves = _halves(program)
        self.text: dict[int, tuple[str, int]] = {}
        self.body = Statements()

    def write(self) -> Statements:
        code = self.program.instructions
        read = [
            (x.leaf, i) for i, x in enumerate(code) if isinstance(x.leaf, tuple) and self.uses[i]
        ]
        for _, i in sorted(read):  # inputs are read first
            self._instruction(i, code[i])
        for i, instruction in enumerate(code):
            if self.uses[i] and i not in self.text:
                self._instruction(i, instruction)
        self.body.results = [self.text[i][0] for y in self.program.outputs for i in y.values]
        return self.body

    def _instruction(self, i: int, instruction: Instruction) -> None:
        op, args, leaf = instruction
        if isinstance(leaf, Fraction):
            text = self.target.format_constant(leaf)
            self.text[i] = text, SUM if text.startswith("-") else ATOM
        elif isinstance(leaf, tuple):
            argument = self.program.arguments[leaf[0]]
            self.body.names.add(argument.name)
            self._assign(i, self.target.format_input(argument, leaf[1]))
        elif op == "pi":
            self.text[i] = self.target.format_pi(), ATOM
        elif op == "sincos":
            if self.text[args[0]][1] != ATOM:
                self._assign(args[0], self.text[args[0]][0])
            for half, name in self.halves[i]:  # sine and cosine next to each other
                self._assign(half, self.target.format_function(name, self.text[args[0]][0]))
        else:
            self._operation(i, op, args)

    def _operation(self, i: int, op: str, args: tuple[int, ...]) -> None:
        operands = (0,) * len(args)
        level = ATOM
        if op in _LEVELS:
            operands, level = _LEVELS[op]
        x = [self._operand(a, least) for a, least in zip(args, operands, strict=True)]
        write = self._writer(op)
        text = write(*x)
        short = len(text) <= self.target.longest_inside or i in self.results
        if self.uses[i] == 1 and not self.names.has_name(i) and short:
            self.text[i] = text, level
        else:
            self._assign(i, text)

    def _writer(self, op: str) -> Callable[..., str]:
        if op in _LEVELS or op == "atan2":
            return getattr(self.target, f"format_{op}")
        return partial(self.target.format_function, op)

    def _operand(self, i: int, least: int) -> str:
        text, level = self.text[i]
        return text if level >= least else f"({text})"

    def _assign(self, i: int, text: str) -> None:
        name = self.names[i]
        self.body.assignments.append((name, text))
        self.text[i] = name, ATOM


def _halves(program: Program) -> dict[int, list[tuple[int, str]]]:
    """Sine and cosine of each sincos, in this order."""
    halves: dict[int, list[tuple[int, str]]] = {}
    for i, (op, args, _) in enumerate(program.instructions):
        if op in ("sine", "cosine"):
            halves.setdefault(args[0], []).append((i, op[:3]))
    return {pair: sorted(found, key=lambda x: x[1] != "sin") for pair, found in halves.items()}
