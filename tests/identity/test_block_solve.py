"""Linear equations solved block by block: the solution fits for all values of the symbols."""

import random

import pytest

import equamo as eq
from equamo.expr.matrix import Matrix
from equamo.identity.block_solve import solve_by_blocks
from equamo.identity.rank import rank


def random_system(seed: int, n: int, filled: float) -> tuple[Matrix, Matrix]:
    """Sparse matrix of symbols with a nonzero diagonal, in random order, and two right-hand sides."""
    r = random.Random(seed)
    A = [[f"a{i}{j}*cos(x{j})" if i == j or r.random() < filled else "0" for j in range(n)]
         for i in range(n)]  # fmt: skip
    r.shuffle(A)
    return Matrix(A), Matrix([[r.choice(["0", "1", f"b{i}"]), "c"] for i in range(n)])


@pytest.mark.parametrize("seed", range(8))
def test_random_systems(seed: int) -> None:
    A, B = random_system(seed, 2 + seed, 0.25 + 0.05 * (seed % 4))
    assert eq.prove_zero((A @ solve_by_blocks(A, B) - B).entries)


def test_a_full_system_is_eliminated() -> None:
    A, B = random_system(1, 6, 1.0)
    assert eq.prove_zero((A @ solve_by_blocks(A, B, values={"x1": 0.3}) - B).entries)


def test_entries_that_are_zero_in_disguise() -> None:
    zero = "sin(a)**2 + cos(a)**2 - 1"
    A = Matrix([[zero, "b", zero, 0, 0], ["c", 1, zero, 0, 0], [1, 1, "d", zero, 0],
                [0, 0, 0, "e", 1], [0, 0, 0, 1, 0]])  # fmt: skip
    B = Matrix([[1], [2], [3], [4], [5]])
    X = solve_by_blocks(A, B)
    assert eq.prove_zero((A @ X - B).entries)
    assert X[1, 0] == eq.parse("1/b")


def test_pivots_that_vanish_at_the_point_or_everywhere() -> None:
    """Row 2 minus row 1 leaves a zero in the second column; at x = 0 the first pivot is zero."""
    A = Matrix([["x", "x", 1, 0, 2], ["x", "x", 2, 1, 1], ["y", 1, "x", 1, 1], [1, "z", 1, "x", 3],
                [2, 1, "y", 1, "x"]])  # fmt: skip
    assert rank(A) == 5
    B = Matrix([[1], [0], [0], [0], [0]])
    for x in (0.0, 1.0):
        X = solve_by_blocks(A, B, values={"x": x, "y": 1.0, "z": 1.0})
        assert eq.prove_zero((A @ X - B).entries)


def test_small_blocks_are_singular_only_where_they_must() -> None:
    """A rotation has entries that vanish, but no determinant that does."""
    A = Matrix([["cos(q)", "-sin(q)"], ["sin(q)", "cos(q)"]])
    X = solve_by_blocks(A, Matrix([[1], [0]]))
    assert X.subs({"q": 0}) == Matrix([[1], [0]])
