"""`residual`: what is left of a difference."""

import pytest

import equamo as eq
from equamo.algebra.expr import parse
from equamo.algebra.expr.matrix import Matrix, identity
from equamo.algebra.expr.vector import Vector
from equamo.errors import ShapeError


@pytest.mark.parametrize(
    ("a", "b", "left"),
    [
        ("2*sin(x)*cos(x)", "sin(2*x)", "0"),
        ("m*(a + b)**2", "m*a**2 + m*b**2", "2*a*b*m"),
        ("cos(x)**2", "1", "-sin(x)**2"),
        ("0.1*x", "x/10", "0"),
    ],
)
def test_scalars(a: str, b: str, left: str) -> None:
    r = eq.residual(a, b)
    assert eq.prove_equal(r, left)
    assert r.operations().total <= parse(left).operations().total


def test_vectors_and_matrices() -> None:
    R = Matrix([["cos(q)", "-sin(q)"], ["sin(q)", "cos(q)"]])
    assert eq.residual(R.T @ R, identity(2)) == Matrix([[0, 0], [0, 0]])
    assert eq.residual(Vector(["x + y", 1]), Vector(["x", 1])) == Vector(["y", 0])


def test_shapes_must_fit() -> None:
    for other in (Vector([1, 2, 3]), Matrix([[1, 2]]), "x"):
        with pytest.raises(ShapeError, match="must have the same shape"):
            eq.residual(Vector([1, 2]), other)
