"""Rank, independent columns and null space at random points of a field."""

from fractions import Fraction
from math import gcd, isqrt
from random import Random
from typing import Any

import pytest

from equamo.algebra.expr import symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.identity.rank import (
    constant_combinations,
    fraction,
    independent_columns,
    independent_rows,
    rank,
    reduced,
)
from equamo.errors import ExpressionError


def test_rank_of_expressions() -> None:
    A = Matrix([["cos(a)", "sin(a)", 0], ["2*cos(a)", "2*sin(a)", 0], ["x", "x", "sqrt(y)"]])
    assert rank(A) == 2
    assert independent_columns(A) == [0, 1]
    assert independent_rows(A) == [0, 2]
    assert rank(Matrix([["sin(a)**2 + cos(a)**2 - 1"]])) == 0
    assert rank(Matrix([["w**2 + x**2 - 1"]]), unit=[tuple(map(symbol, "wx"))]) == 0
    assert independent_columns(Matrix([[0, "x"], [0, "y"]])) == [1]


@pytest.mark.parametrize("p", [7, 2**61 - 1, 2**127 - 1])
def test_reduced_rows_span_the_same_and_are_in_echelon_form(p: int) -> None:
    random = Random(p)
    for n, m, r in ((3, 5, 2), (5, 3, 3), (6, 6, 4), (2, 2, 0)):
        basis = [[random.randrange(p) for _ in range(m)] for _ in range(r)]
        rows = [
            [sum(f * x for f, x in zip(factors, column, strict=True)) % p
             for column in ([b[j] for b in basis] for j in range(m))]
            for factors in ([random.randrange(p) for _ in range(r)] for _ in range(n))
        ]  # fmt: skip
        found, columns = reduced(rows, p)
        assert len(found) == len(columns) <= r
        for k, j in enumerate(columns):
            assert [row[j] for row in found] == [int(i == k) for i in range(len(found))]
            assert not any(found[k][:j])
        for row in rows:  # each is the combination that its pivot entries say
            combined = [sum(row[j] * y[c] for j, y in zip(columns, found, strict=True)) % p
                        for c in range(m)]  # fmt: skip
            assert combined == row


def test_combinations_of_rows_that_vanish() -> None:
    A = Matrix([["x", "y"], ["sin(a)", 0], ["2*x + sin(a)/3", "2*y"], ["a", "a"]])
    assert constant_combinations(A, seed=1) == [[-2, Fraction(-1, 3), 1, 0]]
    assert constant_combinations(Matrix([["x"], ["x**2"]]), seed=1) == []


@pytest.mark.parametrize("function", [rank, constant_combinations])
def test_a_matrix_without_a_value(function: Any) -> None:
    with pytest.raises(ExpressionError, match="must not divide by zero"):
        function(Matrix([["1/(sin(a)**2 + cos(a)**2 - 1)"]]))


def test_many_square_roots_of_numbers() -> None:
    """At a random prime all 20 of them exist with a probability of 2⁻²⁰."""
    primes = [n for n in range(3, 80) if all(n % d for d in range(2, n))]
    A = Matrix([[f"sqrt({n})*cos(a)", "sin(a)"] for n in primes])
    assert rank(A) == 2
    assert independent_rows(A) == [0, 1]
    kept = constant_combinations(Matrix([["sqrt(3)*x", "x"], ["sqrt(12)*x", "2*x"]]))
    assert kept == [[-2, 1]]


def test_many_square_roots_of_expressions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each exists at half of the points."""
    row = [f"sqrt(x{k} + {k})" for k in range(8)]
    assert rank(Matrix([row, [f"2*{e}" for e in row]])) == 1
    row = [f"sqrt(x{k} + {k})" for k in range(40)]
    monkeypatch.setattr("equamo.algebra.identity.rank._MOST_ROOTS", 2)
    with pytest.raises(ExpressionError, match="with fewer different square roots"):
        rank(Matrix([row]))


@pytest.mark.parametrize("p", [101, 10007, 2**61 - 1])
def test_fractions_up_to_the_limit_come_back(p: int) -> None:
    """Wang's condition is a², b² < p/2: the largest numerators and denominators are found, too."""
    limit = isqrt(p // 2)
    largest = next(b for b in range(limit, 0, -1) if gcd(b, limit - 1) == 1)
    for wanted in (
        Fraction(limit),
        Fraction(-limit),
        Fraction(limit - 1, largest),
        Fraction(1, limit),
    ):
        residue = wanted.numerator * pow(wanted.denominator, -1, p) % p
        assert fraction(residue, p) == wanted
