"""Rank of a matrix at many states, with constants that keep their values."""

from __future__ import annotations

from fractions import Fraction

import pytest

from equamo.algebra.expr import parse, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.identity.stacked import Stack
from equamo.errors import ExpressionError

L, A = symbol("L"), symbol("alpha")


def independent(rows: list[list[str]], *constants: str, unit: list[str] | None = None) -> list[int]:
    group = [[symbol(n) for n in unit]] if unit else []
    stack = Stack(Matrix(rows), frozenset(map(symbol, constants)), group)
    stack.saturate()
    return stack.independent


def test_constants_keep_their_values() -> None:
    """L q and q are dependent if L is a constant, and independent if it is not."""
    assert independent([["q", "L*q"]], "L") == [0]
    assert independent([["q", "L*q"]]) == [0, 1]


def test_angles_that_are_constants_keep_their_values() -> None:
    row = ["cos(q)", "cos(alpha)*cos(q) - sin(alpha)*sin(q)", "sin(q)", "cos(q + alpha)"]
    assert independent([row], "alpha") == [0, 1]
    assert independent([["cos(q)", "cos(q/(L + d))*cos(q)"]], "L", "d") == [0, 1]
    assert independent([["cos(q)", "cos(1/(L + d))*cos(q)"]], "L", "d") == [0]


def test_functions_of_constants_keep_their_values() -> None:
    assert independent([["q", "exp(L)*q"]], "L") == [0]
    assert independent([["q", "exp(q)*q"]]) == [0, 1]


def test_signs_are_one_or_minus_one() -> None:
    """sign(u)³ = sign(u) at all states but u = 0."""
    assert independent([["sign(u)", "sign(u)**3", "u"]]) == [0, 2]


def test_unit_quaternions() -> None:
    row = ["1", "w**2 + x**2", "y**2 + z**2"]
    assert independent([row], unit=["w", "x", "y", "z"]) == [0, 1]


def test_square_roots() -> None:
    assert independent([["sqrt(2)*q", "q", "sqrt(L)*q"]], "L") == [0]


def test_nothing_to_see() -> None:
    assert independent([]) == []
    assert independent([["0", "0"]]) == []


def test_relations_and_fractions() -> None:
    stack = Stack(Matrix([["q", "3*q/7", "v"]]), bits=127)
    stack.saturate()
    (relation,) = stack.relations()
    assert [stack.fraction(x) for x in relation] == [Fraction(-3, 7), 1, 0]


def test_one_constant_is_drawn_again() -> None:
    stack = Stack(Matrix([["L*q", "d*q", "cos(alpha)*v", "v"]]), {L, A, symbol("d")})
    functions = [parse(x) for x in ("L", "d", "cos(alpha)")]
    before = stack.values(functions)
    stack.redraw(only=L)
    after = stack.values(functions)
    assert [x == y for x, y in zip(before, after, strict=True)] == [False, True, True]
    stack.redraw(only=A)
    last = stack.values(functions)
    assert [x == y for x, y in zip(after, last, strict=True)] == [True, True, False]


def test_a_linear_system_is_solved_in_fractions() -> None:
    stack = Stack(Matrix([["q"]]), bits=127)
    p = stack.p
    table = [[1, 2], [1, 3], [1, 5]]
    assert stack.solve(table, [x * pow(3, -1, p) % p for x in (5, 7, 11)]) == [
        Fraction(1, 3), Fraction(2, 3),
    ]  # fmt: skip
    assert stack.solve(table, [5, 7, 12]) is None


def test_a_matrix_without_values() -> None:
    stack = Stack(Matrix([["1/(q - q*cos(a)**2 - q*sin(a)**2)"]]))
    with pytest.raises(
        ExpressionError, match=r"must have a value at random states, got a division"
    ):
        stack.draw()


def test_many_square_roots() -> None:
    """Each exists modulo half of all primes; all of them exist modulo the prime that is drawn."""
    primes = [n for n in range(3, 140) if all(n % d for d in range(2, n))]
    row = [" + ".join(f"sqrt({n})" for n in primes), "q", "sqrt(77) - sqrt(7)*sqrt(11)"]
    stack = Stack(Matrix([row]))
    stack.saturate()
    assert stack.independent == [0, 1]


def test_a_seed_makes_the_draws_repeatable() -> None:
    def drawn(seed: int | None) -> tuple[int, list[list[int]]]:
        stack = Stack(Matrix([["q*L", "cos(q)", "x"]]), {L}, seed=seed)
        stack.saturate()
        return stack.p, stack.rows

    assert drawn(3) == drawn(3)
    assert drawn(3) != drawn(4)
    assert drawn(None) != drawn(None)
