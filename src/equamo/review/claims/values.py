"""Values of formulas: scalars, vectors and matrices, and the arithmetic between them.

A transposed vector is a row (a 1×n matrix), and a row times a vector is a scalar, so that `a'*b` is the
scalar product and `a*b'` the outer product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, overload

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix, outer
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...basics.wording import brief
from ...errors import EquamoError, ShapeError

Value: TypeAlias = Expr | Vector | Matrix


def described(x: Value) -> str:
    """Description of a shape: `a scalar`, `a vector of 3`, `a 3×3 matrix`."""
    if isinstance(x, Expr):
        return "a scalar"
    if isinstance(x, Vector):
        return f"a vector of {len(x)}"
    return f"a {x.shape[0]}×{x.shape[1]} matrix"


def entries_of(x: Value) -> list[Expr]:
    """Entries of a value, row by row."""
    return [x] if isinstance(x, Expr) else list(x.entries)


def like(x: Value, entries: Iterable[Expr]) -> Value:
    """Value of the same shape and names with other entries."""
    flat = list(entries)
    if isinstance(x, Expr):
        return flat[0]
    return x.map(lambda _: flat)


def mapped(x: Value, function: Callable[[list[Expr]], Iterable[Expr]]) -> Value:
    """Value with a function applied to all its entries at once."""
    return like(x, function(entries_of(x)))


@overload
def replaced(x: Expr, replacements: Mapping[Expr, Expr]) -> Expr: ...
@overload
def replaced(x: Value, replacements: Mapping[Expr, Expr]) -> Value: ...
def replaced(x: Value, replacements: Mapping[Expr, Expr]) -> Value:
    """Value with symbols replaced simultaneously."""
    return mapped(x, lambda e: substitute(e, replacements)) if replacements else x


def scalar(x: Value, what: str) -> Expr:
    """Return a scalar; raise an error for any other value."""
    if isinstance(x, Expr):
        return x
    raise ShapeError(f"{what} must be a scalar, got {described(x)}.")


def vector(x: Value, what: str, size: int | None = None) -> Vector:
    """Return a vector; a matrix with one row or column becomes one."""
    if isinstance(x, Matrix) and 1 in x.shape:
        x = Vector(x.entries)
    if not isinstance(x, Vector) or (size is not None and len(x) != size):
        length = f" of {size}" if size else ""
        raise ShapeError(f"{what} must be a vector{length}, got {described(x)}.")
    return x


def matrix(x: Value, what: str) -> Matrix:
    """Return a matrix; raise an error for any other value."""
    if isinstance(x, Matrix):
        return x
    raise ShapeError(f"{what} must be a matrix, got {described(x)}.")


def negative(x: Value) -> Value:
    """−x"""
    return -x


def plus(a: Value, b: Value, sign: int = 1) -> Value:
    """a + b or a − b for values of the same shape."""
    if isinstance(a, Expr) and isinstance(b, Expr):
        return a + b if sign > 0 else a - b
    if isinstance(a, Vector) and isinstance(b, Vector) and len(a) == len(b):
        return a + b if sign > 0 else a - b
    if isinstance(a, Matrix) and isinstance(b, Matrix) and a.shape == b.shape:
        return a + b if sign > 0 else a - b
    raise ShapeError(f"{described(a)} and {described(b)} cannot be added.")


def minus(a: Value, b: Value) -> Value:
    """a − b for values of the same shape."""
    return plus(a, b, -1)


def times(a: Value, b: Value) -> Value:
    """Product of two values, in this order."""
    if isinstance(a, Expr):
        return a * b if isinstance(b, Expr) else b * a
    if isinstance(b, Expr):
        return a * b
    if isinstance(a, Matrix):
        return _matrix_product(a, b)
    if isinstance(b, Matrix) and b.shape[0] == 1:
        return outer(a, b.row(0))
    if isinstance(b, Vector):
        raise ShapeError(
            "the product of two vectors must be a'*b or dot(a, b), cross(a, b), or a*b'."
        )
    raise ShapeError(f"{described(a)} and {described(b)} cannot be multiplied.")


def _matrix_product(a: Matrix, b: Vector | Matrix) -> Value:
    if a.shape[1] != b.shape[0]:
        raise ShapeError(f"{described(a)} and {described(b)} cannot be multiplied.")
    if isinstance(b, Vector):
        product = a @ b
        return product[0] if len(product) == 1 else product
    product = a @ b
    return product[0, 0] if product.shape == (1, 1) else product


def over(a: Value, b: Value) -> Value:
    """a/b for a scalar b."""
    d = scalar(b, "A divisor")
    if isinstance(a, Expr):
        return a / d
    return a.map(lambda e: [x / d for x in e])


def to_power(a: Value, b: Value) -> Value:
    """aᵇ for a scalar, or the square of a matrix."""
    n = scalar(b, "An exponent")
    if isinstance(a, Expr):
        return a**n
    if isinstance(a, Matrix) and n.value == 2 and a.shape[0] == a.shape[1]:
        return a @ a
    if isinstance(a, Matrix) and a.shape[0] != a.shape[1]:
        raise ShapeError(f"{described(a)} has no power {brief(n)}.")
    raise EquamoError(
        f"{described(a)} has no power {brief(n)} that can be evaluated; only squares of matrices can. "
        "Write dot(a, a) for the square of a vector, and inverses as equations, A*B = identity(n)."
    )


def transposed(a: Value) -> Value:
    """aᵀ; the transpose of a vector is a row."""
    if isinstance(a, Expr):
        raise EquamoError(
            "A prime or T on a scalar is ambiguous; it may be read as the transpose of a vector, or as "
            "a derivative, an exponent or a part of the name. Write the one that is meant."
        )
    if isinstance(a, Vector):
        return Matrix([a.entries], None, a.names)
    return Vector(a.entries, a.column_names) if a.shape[0] == 1 else a.T


def dotted(a: Value, b: Value) -> Value:
    """a·b in LaTeX: the scalar product of two vectors, otherwise the product."""
    return a @ b if isinstance(a, Vector) and isinstance(b, Vector) else times(a, b)


def crossed(a: Value, b: Value) -> Value:
    """a×b in LaTeX: the vector product of two vectors, otherwise the product."""
    return a.cross(b) if isinstance(a, Vector) and isinstance(b, Vector) else times(a, b)
