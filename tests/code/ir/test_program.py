"""A Program holds legal instructions only."""

from fractions import Fraction
from typing import Any

import pytest

from equamo.algebra.expr import parse, symbol
from equamo.code.ir.lower import lower
from equamo.code.ir.program import Argument, Instruction, Output, Program
from equamo.errors import EquamoError, UnknownNameError

X = Argument("x", (symbol("a"),))
INPUT = Instruction("input", (), (0, 0))


@pytest.mark.parametrize(
    ("instructions", "output", "message"),
    [
        ([INPUT, ("sinc", (0,), None)], (0,), r"instruction 1 must be legal, got sinc \(0,\)"),
        ([INPUT, ("neg", (1,), None)], (0,), r"instruction 1 must be legal, got neg \(1,\)"),
        ([INPUT, ("add", (0,), None)], (0,), r"instruction 1 must be legal, got add \(0,\)"),
        ([("constant", (), None)], (0,), "instruction 0, constant, cannot have the leaf None"),
        ([INPUT, ("neg", (0,), Fraction(1))], (0,), "instruction 1, neg, cannot have the leaf"),
        ([INPUT], (0, 0), r"Output 'y' of shape \(1,\) must have 1 values, got 2"),
    ],
)
def test_an_illegal_program_is_refused(instructions: Any, output: Any, message: str) -> None:
    rows = tuple(Instruction(*x) for x in instructions)
    with pytest.raises(EquamoError, match=message):
        Program("f", (X,), rows, (Output("y", (1,), output),))


def test_a_symbol_that_is_not_an_argument() -> None:
    with pytest.raises(UnknownNameError, match="Unknown input 'b' in program f"):
        lower("f", [X], {"y": parse("a + b")})
