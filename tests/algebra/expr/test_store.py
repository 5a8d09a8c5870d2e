"""Stored expressions come back as the same nodes, through JSON too."""

import json
from fractions import Fraction

import pytest

from equamo.algebra.expr import constant, parse, symbol
from equamo.algebra.expr.functions import TABLE
from equamo.algebra.expr.graph import internal
from equamo.algebra.expr.store import dump, load
from equamo.errors import ExpressionError

TEXTS = [
    "0", "-7/3", "pi", "x", "-x", "x**5 - 2/x", "atan2(y, -x)", "(a - b)*(b - a)/(c + 0.1)",
    *(f"{row.name}(x/3) - y" for row in TABLE.values()),
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_round_trip(text: str) -> None:
    e = parse(text)
    assert load(dump([e])) == [e]
    nodes, outputs = json.loads(json.dumps(dump([e])))
    assert load((nodes, outputs))[0] is e


def test_shared_nodes_are_stored_once() -> None:
    a, b = parse("sin(x*y)**2"), parse("3*sin(x*y)")
    nodes, outputs = dump([a, b, a])
    assert len(nodes) == len({json.dumps(n) for n in nodes})
    assert outputs[0] == outputs[2]
    assert load((nodes, outputs)) == [a, b, a]


def test_operands_come_first() -> None:
    nodes, _ = dump([parse("(x + y)/(x - y) + sin(z)**3")])
    for i, (word, *rest) in enumerate(nodes):
        if word not in ("number", "symbol"):
            assert rest[0] < i


def test_names_and_numbers_of_any_kind() -> None:
    e = symbol("φ̇ with blanks") * constant(Fraction(10**50 + 1, 3)) - symbol("q'")
    assert load(json.loads(json.dumps(dump([e]))))[0] is e


def test_symbols_of_a_derivation_are_not_those_of_a_user() -> None:
    rate, x = internal("rate", "x"), symbol("x")
    stored = [["internal", "rate", "x"], ["symbol", "x"], ["pow", 1, 3]]
    assert dump([rate, x, x**3]) == (stored, [0, 1, 2])
    for found, expected in zip(load((stored, [2, 0, 1])), (x**3, rate, x), strict=True):
        assert found is expected


def test_unknown_operation() -> None:
    with pytest.raises(ExpressionError, match="'sinc'"):
        load(([["symbol", "x"], ["sinc", 0]], [1]))


@pytest.mark.parametrize(
    "stored",
    [
        None, [], [[]], [[], [], []], [{}, []], [[], "x"], [[], [0]], [[["pi"]], [-1]],
        [[["pi"]], [True]], [[["pi"]], ["0"]], [[[]], []], [["pi"], []], [[["pi", 0]], []],
        [[[3]], []], [[["sin", 0]], []], [[["pi"], ["sin", 1]], []], [[["pi"], ["add", 0]], []],
        [[["pi"], ["add", 0, -1]], []], [[["pi"], ["pow", 0, 2.5]], []],
        [[["pi"], ["pow", 0, True]], []], [[["pi"], ["pow", 0, 10**9]], []],
        [[["number", "1e999999999"]], []], [[["number", "1/0"]], []], [[["number", 3]], []],
        [[["number", "9" * 9000]], []], [[["symbol", ""]], []], [[["symbol", 3]], []],
        [[["symbol", ["x"]]], []], [[["internal", 1, "x"]], []],
        [[["internal", "x", 1]], []], [[["internal", "x"]], []], [[["pow", 0, 2]], []],
    ],
)  # fmt: skip
def test_damaged_data_is_an_error_of_ours(stored: object) -> None:
    with pytest.raises(ExpressionError, match=r"must|damaged: .* is not"):
        load(stored)  # type: ignore[arg-type]
