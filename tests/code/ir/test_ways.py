"""The way in which a function is computed: the cheapest, and hopeless ones are not optimised."""

from __future__ import annotations

from typing import Any

import pytest

from equamo.algebra.expr import Expr, parse, symbol
from equamo.code.ir import function
from equamo.code.ir.function import HOPELESS, Function, Result
from equamo.code.ir.passes import optimise
from equamo.code.ir.program import Argument, Program

ARGUMENT = Argument("x", (symbol("a"), symbol("b")))


def long(terms: int) -> Expr:
    """Other values, which does not matter here: ways are proved equal elsewhere."""
    e = parse("a*b")
    for k in range(1, terms):
        e = e * symbol("a") + k
    return e


def seen(patch: pytest.MonkeyPatch, *ways: Expr) -> tuple[list[int], Program]:
    """Lengths of the programs that the passes see, and the program that is chosen."""
    lengths: list[int] = []

    def counted(program: Program, *rest: Any) -> Program:
        lengths.append(len(program.instructions))
        return optimise(program, *rest)

    patch.setattr(function, "optimise", counted)
    made = tuple(lambda e=e: e for e in ways)
    return lengths, Function("f", (ARGUMENT,), (Result("y", ()),), made, dict).program()


def test_the_cheapest_way_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths, chosen = seen(monkeypatch, long(2), long(1))
    assert len(lengths) == 2
    assert [i.op for i in chosen.instructions] == ["input", "input", "mul"]


def test_a_hopeless_way_is_not_optimised(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths, chosen = seen(monkeypatch, long(40), long(1))
    assert lengths == [3]
    assert [i.op for i in chosen.instructions] == ["input", "input", "mul"]
    assert HOPELESS > 1
