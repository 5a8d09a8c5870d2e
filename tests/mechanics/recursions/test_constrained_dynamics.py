"""(x, λ) solves [M −Aᵀ; A 0][x; λ] = [f; c], proved for all f and c; separate loops stay separate."""

import pytest

from equamo.algebra.expr import ZERO, Expr, symbol
from equamo.algebra.expr.matrix import Matrix, identity
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity.prove import prove_equal, prove_zero
from equamo.errors import ExpressionError
from equamo.mechanics.recursions.composite_bodies import mass_matrix
from equamo.mechanics.recursions.constrained_dynamics import ConstrainedFactors
from equamo.mechanics.recursions.factorisation import ltdl
from equamo.robot.catalog import load


def legs() -> tuple[Matrix, Matrix]:
    """M of StarlETH, and rows that hold the ends of three of its legs."""
    M = Matrix(mass_matrix(load("starleth")).rows)
    n, rows = len(M.rows), list[list[Expr]]()
    for leg in range(3):
        for c in range(2):
            row = [symbol(f"a{leg}{c}{j}") if j < 6 else ZERO for j in range(n)]
            for j in range(6 + 3 * leg, 9 + 3 * leg):
                row[j] = symbol(f"a{leg}{c}{j}")
            rows.append(row)
    return M, Matrix(rows)


def test_solution_of_the_whole_system() -> None:
    M, A = legs()
    n, m = len(M.rows), len(A.rows)
    f, c = ([symbol(f"{x}{i}") for i in range(k)] for x, k in (("f", n), ("c", m)))
    found = ConstrainedFactors(M, A).solve([*f, *c])
    x, lam = Vector(found[:n]), Vector(found[n:])
    assert prove_equal(M @ x - A.T @ lam, Vector(f), seed=1)
    assert prove_equal(A @ x, Vector(c), seed=1)


def test_inverse_is_what_solve_gives() -> None:
    m, k = symbol("m"), symbol("k")
    M = Matrix([[m, k, ZERO], [k, m, ZERO], [ZERO, ZERO, m]])
    A = Matrix([["a", "b", "c"], [0, "d", "e"]])
    factors = ConstrainedFactors(M, A)
    columns = [factors.solve([*e, ZERO, ZERO])[:3] for e in identity(3).rows]
    assert prove_equal(factors.inverse(), Matrix(columns).T, seed=1)
    assert prove_equal(factors.inertia() @ factors.inverse_inertia, identity(2), seed=1)
    assert prove_equal(M @ ConstrainedFactors(M).inverse(), identity(3), seed=1)


def test_without_rows_it_is_forward_dynamics() -> None:
    M = mass_matrix(load("rr_arm"))
    b = [symbol("b1"), symbol("b2")]
    found, expected = ConstrainedFactors(M).solve(b), ltdl(M).solve(b)
    assert all(x is y for x, y in zip(found, expected, strict=True))


def test_loops_without_a_common_joint_stay_apart() -> None:
    m, a, b = symbol("m"), symbol("a"), symbol("b")
    M = Matrix([[m, a, 0, 0], [a, m, 0, 0], [0, 0, m, b], [0, 0, b, m]])
    A = Matrix([["a1", "a2", 0, 0], [0, 0, "a3", "a4"]])
    factors = ConstrainedFactors(M, A)
    assert factors.inverse_inertia[0, 1] is ZERO
    x = factors.solve([symbol("f1"), symbol("f2"), ZERO, ZERO, ZERO, ZERO])
    assert [e is ZERO for e in x] == [False, False, True, True, False, True]
    assert prove_zero(x[0] * symbol("a1") + x[1] * symbol("a2"), seed=1)


def test_a_row_that_is_zero_is_an_error_with_its_name() -> None:
    M = mass_matrix(load("rr_arm"))
    A = Matrix([["a", "b"], [0, 0]], ["closure x", "closure z"])
    with pytest.raises(ExpressionError, match="must be independent, but 'closure z' depends"):
        ConstrainedFactors(M, A).solve([ZERO] * 4)


def test_a_joint_without_inertia() -> None:
    """M is singular; the rows hold what it lets move."""
    m, f, c = symbol("m"), [symbol(f"f{i}") for i in range(3)], [symbol(f"c{i}") for i in range(2)]
    M = Matrix([[m, 0, 0], [0, m, 0], [0, 0, 0]])
    A = Matrix([["a", "b", "c"], ["d", "e", "g"]])
    factors = ConstrainedFactors(M, A)
    found = factors.solve([*f, *c])
    assert prove_equal(M @ Vector(found[:3]) - A.T @ Vector(found[3:]), Vector(f), seed=1)
    assert prove_equal(A @ Vector(found[:3]), Vector(c), seed=1)
    columns = [factors.solve([*e, ZERO, ZERO])[:3] for e in identity(3).rows]
    assert prove_equal(factors.inverse(), Matrix(columns).T, seed=1)
    columns = [factors.solve([ZERO] * 3 + list(e))[3:] for e in identity(2).rows]
    assert prove_equal(factors.inertia(), Matrix(columns).T, seed=1)
    with pytest.raises(ExpressionError, match="mass matrix is singular"):
        ConstrainedFactors(M)
