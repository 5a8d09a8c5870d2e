"""Golden vectors: a function that is undefined at random states has none."""

import pytest

import equamo as eq
from equamo.code.codegen.golden import golden
from equamo.code.ir.functions import functions


def test_a_function_without_a_value_is_named() -> None:
    body = eq.Body("a", eq.revolute("q"), mass="sqrt(p)", com="1 0 0")
    eom = eq.derive(eq.Robot("r", [body], gravity="0 -g 0", parameters={"p": -1}))
    message = r"gravity of robot 'r' must have a value at 3 of 64 random states, got 0; pass"
    with pytest.raises(eq.EvaluationError, match=message):
        golden(eom, functions(eom)["gravity"])
