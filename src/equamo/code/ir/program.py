"""Program: straight-line code in static single assignment form, the input of every target.

Value i is the result of instruction i; an instruction uses earlier values. Numbers stay exact until a
target writes them. The legal instructions:

    instruction          value                      instruction       value
    constant             a Fraction                 fma   a b c       a·b + c
    pi                   3.14…                      fms   a b c       a·b − c
    input                (argument, element)        fnma  a b c       c − a·b
    neg  a               −a                         fnms  a b c       −a·b − c
    add sub mul div a b  a + b, a − b, a·b, a/b     sincos a          the pair (sin a, cos a)
    atan2 a b            angle of the point (b, a)  sine p, cosine p  one of such a pair
    sin, cos, sqrt … a   a function of `expr.functions`
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Final, Literal, NamedTuple, final

from ...algebra.expr import Expr
from ...algebra.expr.functions import BY_NAME
from ...basics.wording import counted
from ...errors import EquamoError
from ...mechanics.kinematics.quantity_name import QuantityName

Dtype = Literal["float64", "float32"]
DTYPES: Final[tuple[Dtype, ...]] = ("float64", "float32")

LEAVES: Final = ("constant", "pi", "input")
FUSED: Final = ("fma", "fms", "fnma", "fnms")  # their first two operands may be swapped
ARITY: Final[Mapping[str, int]] = (
    dict.fromkeys(LEAVES, 0)
    | dict.fromkeys(("neg", "sincos", "sine", "cosine", *BY_NAME), 1)
    | dict.fromkeys(("add", "sub", "mul", "div", "atan2"), 2)
    | dict.fromkeys(FUSED, 3)
)


class Instruction(NamedTuple):
    """Instruction: its operation, its operands, and the content of a leaf."""

    op: str
    args: tuple[int, ...] = ()
    leaf: Fraction | tuple[int, int] | None = None  # a number, or (argument, element) of an input


@final
@dataclass(frozen=True)
class Argument:
    """Group of inputs that is passed as one array: q, v, vdot, tau, the parameters …"""

    name: str
    symbols: tuple[Expr, ...]
    is_number: bool = False  # of one symbol: Python passes a number, not an array of one

    def __len__(self) -> int:
        return len(self.symbols)


@final
@dataclass(frozen=True)
class Output:
    """Output array: its shape, and its values row by row.

    `places` has the row and column of each value if these are entries of a matrix that has more.
    """

    name: str
    shape: tuple[int, ...]
    values: tuple[int, ...]
    places: tuple[tuple[int, ...], ...] | None = None


@final
@dataclass(frozen=True)
class Program:
    """Straight-line code with typed inputs and outputs, exact constants and readable names.

    >>> from equamo.algebra.expr import parse, symbol
    >>> from equamo.code.ir.lower import lower
    >>> print(lower("f", [Argument("x", (symbol("a"), symbol("b")))], {"y": parse("a*b + 2")}))
    f(x[2]) -> y
      0 = constant 2
      1 = x[0] (a)
      2 = x[1] (b)
      3 = mul 1 2
      4 = add 0 3
      y = 4
    """

    name: str
    arguments: tuple[Argument, ...]
    instructions: tuple[Instruction, ...]
    outputs: tuple[Output, ...]
    names: Mapping[int, QuantityName] = field(
        default_factory=dict[int, QuantityName]
    )  # names of values, from the derivation

    def __post_init__(self) -> None:
        for i, (op, args, leaf) in enumerate(self.instructions):
            # min and max instead of a loop: every pass checks every instruction here
            if ARITY.get(op, -1) != len(args) or (args and (min(args) < 0 or max(args) >= i)):
                raise EquamoError(
                    f"Program {self.name!r}: instruction {i} must be legal, got {op} {args}."
                )
            if (leaf is None) != (op not in ("constant", "input")):
                raise EquamoError(
                    f"Program {self.name!r}: instruction {i}, {op}, cannot have the leaf {leaf!r}."
                )
        for y in self.outputs:
            if prod(y.shape) != len(y.values):
                raise EquamoError(
                    f"Output {y.name!r} of shape {y.shape} must have {prod(y.shape)} values, got "
                    f"{len(y.values)}."
                )

    def __repr__(self) -> str:
        return f"<program {self.name}: {counted(len(self.instructions), 'instruction')}>"

    def __str__(self) -> str:
        calls = ", ".join(f"{a.name}[{len(a)}]" for a in self.arguments)
        lines = [f"{self.name}({calls}) -> {', '.join(y.name for y in self.outputs)}"]
        for i, (op, args, leaf) in enumerate(self.instructions):
            text = " ".join([op, *map(str, args)])
            if isinstance(leaf, tuple):
                argument = self.arguments[leaf[0]]
                text = f"{argument.name}[{leaf[1]}] ({argument.symbols[leaf[1]]})"
            elif leaf is not None:
                text = f"{op} {leaf}"
            note = f"    {self.names[i]}" if i in self.names else ""
            lines.append(f"  {i} = {text}{note}")
        lines += [f"  {y.name} = {' '.join(map(str, y.values))}" for y in self.outputs]
        return "\n".join(lines)
