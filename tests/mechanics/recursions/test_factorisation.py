"""Lᵀ D L is M, solving with it satisfies M x = b, and branches stay separate."""

from equamo.algebra.expr import ONE, ZERO, symbol
from equamo.algebra.expr.matrix import Matrix, diagonal
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity.prove import prove_equal
from equamo.mechanics.equations import derive
from equamo.mechanics.recursions.factorisation import ltdl
from equamo.robot.catalog import load


def test_factors_of_a_mass_matrix() -> None:
    M = derive(load("starleth")).mass_matrix
    factors, n = ltdl(M), len(M.rows)
    L = Matrix(
        [[ONE if i == j else factors.L.get((i, j), ZERO) for j in range(n)] for i in range(n)]
    )
    assert prove_equal(L.T @ diagonal(factors.D) @ L, M, seed=1)
    b = [symbol(f"b{i}") for i in range(n)]
    assert prove_equal(Matrix(M.rows) @ Vector(factors.solve(b)), Vector(b), seed=1)


def test_zeros_between_branches_stay() -> None:
    M = derive(load("starleth")).mass_matrix
    n = len(M.rows)
    zeros = [(i, j) for i in range(n) for j in range(i) if M[i, j] is ZERO]
    assert zeros
    assert not any(place in ltdl(M).L for place in zeros)
