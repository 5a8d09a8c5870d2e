"""Arguments of sines and cosines, taken apart and put together."""

from fractions import Fraction

import pytest

from equamo.algebra.expr import Expr, parse, symbol
from equamo.algebra.expr.angles import base_angles, combination, turn


def bases(*arguments: str) -> dict[str, list[tuple[str, int]]]:
    """{argument: [(base angle, multiple), …]}"""
    turns = {text: turn(parse(text)) for text in arguments}
    table = base_angles(turns.values())
    return {
        text: sorted((str(table[part][0]), table[part][1]) for part in t.parts.items())
        for text, t in turns.items()
    }


def test_the_base_angle_divides_all_uses() -> None:
    assert bases("q/2", "3*q") == {"q/2": [("q/2", 1)], "3*q": [("q/2", 6)]}
    assert bases("2*q", "4*q") == {"2*q": [("2*q", 1)], "4*q": [("2*q", 2)]}
    assert bases("2*q/3", "3*q/4 - p") == {
        "2*q/3": [("2*q/3", 1)],  # not 8·q/12
        "3*q/4 - p": [("3*q/4", 1), ("p", -1)],
    }


def test_monomials_are_atoms() -> None:
    assert bases("R*(a - b)/L") == {"R*(a - b)/L": [("a*R/L", 1), ("b*R/L", -1)]}
    assert bases("x**2/(y + z) + 1") == {"x**2/(y + z) + 1": [("1", 1), ("x**2/(y + z)", 1)]}


@pytest.mark.parametrize(
    ("text", "quarters", "rest"),
    [("q + pi/2", 1, 0), ("q - pi/2", 3, 0), ("q + 3*pi", 2, 0), ("q + pi/3", 0, Fraction(1, 3))],
)
def test_quarter_turns_are_folded(text: str, quarters: int, rest: Fraction) -> None:
    t = turn(parse(text))
    q = turn(symbol("q")).parts
    assert t.quarters == quarters
    assert {m: c for m, c in t.parts.items() if m not in q} == (
        {next(iter(turn(parse("pi/3")).parts)): rest} if rest else {}
    )


def test_combination() -> None:
    q1, q2 = symbol("q1"), symbol("q2")
    angles: list[tuple[Expr, int]] = [(q2, -2), (q1, 1), (q1 * q2, 0)]
    assert str(combination(angles)) == "q1 - 2*q2"
