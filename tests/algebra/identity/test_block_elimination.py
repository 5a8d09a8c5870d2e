"""Equations of loops, solved in blocks: exact, and without divisors other than determinants."""

from __future__ import annotations

from random import Random

import pytest

from equamo.algebra.expr import ZERO, parse
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal
from equamo.algebra.identity.block_elimination import solve_in_blocks


def random_matrix(n: int, m: int, seed: int, sparse: float = 0.0) -> Matrix:
    random = Random(seed)
    choices = ["cos(q1)", "sin(q2)", "L", "a", "b"]

    def entry() -> str:
        if random.random() < sparse:
            return "0"
        return f"{random.randint(1, 9)}*{random.choice(choices)}"

    return Matrix([[entry() for _ in range(m)] for _ in range(n)])


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
def test_solution(n: int) -> None:
    A, B = random_matrix(n, n, n), random_matrix(n, 2, 10 + n)
    assert prove_equal(A @ solve_in_blocks(A, B), B)


@pytest.mark.parametrize("seed", range(2))
def test_blocks_and_single_unknowns(seed: int) -> None:
    """A triangle, a block of two and a block of four, with rows and columns shuffled."""
    random = Random(seed)
    full = random_matrix(8, 8, seed)
    order, other = list(range(8)), list(range(8))
    random.shuffle(order)
    random.shuffle(other)

    def stands(i: int, j: int) -> bool:
        return i == j or (i < 2 and j <= i) or (2 <= i < 4 and j < 4) or (i >= 4 and j >= 4)

    A = Matrix([[full[i, j] if stands(i, j) else ZERO for j in other] for i in order])
    B = random_matrix(8, 3, 20 + seed)
    assert prove_equal(A @ solve_in_blocks(A, B), B)


def test_no_divisor_but_the_determinant() -> None:
    """Pivots of elimination can vanish where the system is regular: here cos q1 at q1 = π/2."""
    A = Matrix([["cos(q1)", "-sin(q1)"], ["sin(q1)", "cos(q1)"]])
    X = solve_in_blocks(A, Matrix([["a"], ["b"]]))
    assert prove_equal(X.column(0), Vector(["a*cos(q1) + b*sin(q1)", "b*cos(q1) - a*sin(q1)"]))
    assert X[0, 0] is parse("a*cos(q1) + b*sin(q1)")


def test_common_factors_are_cancelled() -> None:
    A = Matrix([["L*a", "L*b"], ["-L*b", "L*a"]])
    X = solve_in_blocks(A, Matrix([["L*c"], [0]]))
    assert str(X[0, 0]) == "a*c/(a**2 + b**2)"


def test_entries_that_are_zero_in_disguise() -> None:
    zero = "sin(a)**2 + cos(a)**2 - 1"
    A = Matrix([[zero, "b", zero, 0, 0], ["c", 1, zero, 0, 0], [1, 1, "d", zero, 0],
                [0, 0, 0, "e", 1], [0, 0, 0, 1, 0]])  # fmt: skip
    B = Matrix([[1], [2], [3], [4], [5]])
    X = solve_in_blocks(A, B)
    assert prove_equal(A @ X, B)
    assert X[1, 0] is parse("1/b")


def test_blocks_that_need_each_other_one_way_are_separate() -> None:
    """Two full blocks of two: the second one needs the first, no divisor is a determinant of four."""
    A = Matrix([["a", "b", 0, 0], ["c", "d", 0, 0], ["e", 1, "f", "g"], [1, "h", "k", "l"]])
    X = solve_in_blocks(A, Matrix([[1], [0], [0], [0]]))
    assert str(X[0, 0]) == "d/(a*d - b*c)"
    assert prove_equal(A @ X, Matrix([[1], [0], [0], [0]]))
