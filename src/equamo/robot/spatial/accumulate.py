"""Sums that take products in one by one: each is one instruction on a processor with multiply-add.

b + (x y + z w) takes three instructions, (b + x y) + z w takes two, with as many multiplications and
additions.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.rules import difference_of_products, mul, sub, sum_of_products
from ...algebra.expr.vector import Vector


def plus_dot(b: Expr, x: Iterable[Expr], y: Iterable[Expr]) -> Expr:
    """b + Σ xᵢ yᵢ

    >>> from equamo.algebra.expr import symbols
    >>> a, b, c, d, e = symbols("a b c d e")
    >>> plus_dot(a, [b, c], [d, e]) is (a + b * d) + c * e
    True
    """
    return sum_of_products(x, y, start=b)


def minus_dot(b: Expr, x: Iterable[Expr], y: Iterable[Expr]) -> Expr:
    """b − Σ xᵢ yᵢ"""
    for p, q in zip(x, y, strict=True):
        if p is not ZERO and q is not ZERO:
            b = sub(b, mul(p, q))
    return b


def plus_product(b: Vector, A: Matrix, x: Vector) -> Vector:
    """b + A x"""
    return Vector.of(tuple([plus_dot(y, r, x) for y, r in zip(b, A.rows, strict=True)]))


def plus_cross(b: Vector, x: Vector, y: Vector) -> Vector:
    """b + x × y"""
    (b1, b2, b3), (x1, x2, x3), (y1, y2, y3) = b, x, y
    return Vector.of((
        difference_of_products(x2, y3, x3, y2, start=b1),
        difference_of_products(x3, y1, x1, y3, start=b2),
        difference_of_products(x1, y2, x2, y1, start=b3),
    ))  # fmt: skip
