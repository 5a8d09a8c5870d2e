"""Contents of a generated file, as a reader returns them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

from ....algebra.expr import Expr
from ...ir.program import Argument, Dtype, Program

# The program that a function of this name is meant to be, None if no function has this name. A reader
# takes from it the symbols of the arguments and the sizes that the text must declare, nothing else.
Meant = Callable[[str], Program | None]
# The bytes and the path of a file in the same folder.
Beside = Callable[[str], tuple[bytes, str]]


@final
@dataclass(frozen=True)
class CodeFile:
    """The functions of a file, each as the entries of its result row by row.

    Args:
        path: The file that was read.
        dtype: The type of its constants.
        functions: {name in the file: entries}, in the symbols of the arguments that are meant.
        defaults: Default numbers of the parameters, None if the file does not have them.
        sizes: {argument: size} where a file lists them apart from its functions.
        arrays: The type of arrays and of the default parameters, None if the file does not say it.
    """

    path: str
    dtype: Dtype
    functions: dict[str, tuple[Expr, ...]]
    defaults: tuple[Fraction, ...] | None = None
    sizes: dict[str, int] = field(default_factory=dict[str, int])
    arrays: Dtype | None = None


def arguments_of(program: Program) -> tuple[Argument, ...]:
    """The arguments that a function in a file has: not those without elements."""
    return tuple(a for a in program.arguments if len(a))
