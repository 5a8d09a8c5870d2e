"""Functions of formulas with vector or matrix arguments or values, one row of `TABLE` each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...algebra.expr import ONE, ZERO, Expr, constant
from ...algebra.expr.differentiate import derivative, gradient, jacobian
from ...algebra.expr.graph import ATAN2, DIV, FIRST_FUNCTION, SYMBOL
from ...algebra.expr.matrix import (
    Matrix,
    blocks,
    determinant3,
    diagonal,
    identity,
    skew,
    unskew,
    zeros,
)
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import depends, symbols, walk
from ...basics.wording import brief
from ...errors import ExpressionError, ShapeError
from ...robot.model.rotation import euler_xyz, rotation_x, rotation_y, rotation_z
from .values import Value, described, mapped, matrix, replaced, scalar, vector

# Most nodes of a coefficient: a constant, and a number per node of the expression.
MAX_NODES: Final = (20_000, 10)


def _whole(x: Value, what: str, least: int) -> int:
    n = scalar(x, what).value
    if n is None or n.denominator != 1 or not least <= n <= 100:
        raise ExpressionError(f"{what} must be a whole number from {least} to 100, got {brief(x)}.")
    return int(n)


def _symbol(x: Value, what: str) -> Expr:
    e = scalar(x, what)
    if e.op != SYMBOL:
        raise ExpressionError(f"{what} must be a symbol, got {brief(e)}.")
    return e


def _symbols(x: Value, what: str) -> list[Expr]:
    return [_symbol(e, what) for e in vector(x, what)]


def _diff(e: Value, x: Value) -> Value:
    s = _symbol(x, "The variable of diff")
    return mapped(e, lambda entries: derivative(entries, s))


def _jacobian(r: Value, x: Value) -> Value:
    return Matrix(
        jacobian(vector(r, "The argument of jacobian"), _symbols(x, "A variable of jacobian"))
    )


def _gradient(e: Value, x: Value) -> Value:
    entries = gradient(scalar(e, "The argument of gradient"), _symbols(x, "A variable of gradient"))
    return Vector(entries)


def _partial(e: Value, x: Value) -> Value:
    """∂e/∂x: derivative by a symbol, or gradient or Jacobian by a vector of symbols."""
    if isinstance(x, Expr):
        return _diff(e, x)
    return _gradient(e, x) if isinstance(e, Expr) else _jacobian(e, x)


def _coefficient(e: Value, x: Value, n: Value) -> Value:
    """Coefficient of xⁿ in a polynomial in x: its n-th derivative at 0, divided by n!."""
    s, order = _symbol(x, "The second argument of coefficient"), _whole(n, "The power", 0)

    def each(entries: list[Expr]) -> list[Expr]:
        nodes = walk(entries)
        mask = depends(nodes, [s])
        for node in nodes:  # the derivative of sign(x), say, is 0
            plain = node.op < FIRST_FUNCTION and node.op != ATAN2
            if mask[node] and not (plain and (node.op != DIV or not mask[node.b])):
                raise ExpressionError(f"coefficient: {brief(node)} must be a polynomial in {s}.")
        limit = MAX_NODES[0] + MAX_NODES[1] * len(walk(entries))
        for k in range(order):
            entries = [d * (ONE / constant(k + 1)) for d in derivative(entries, s)]
            if len(walk(entries)) > limit:
                raise ExpressionError(
                    f"The coefficient of {s}**{order} is too large: derivative {k + 1} of {order} must "
                    f"have at most {limit} nodes."
                )
        return [d.subs({s: ZERO}) for d in entries]

    return mapped(e, each)


def _diag(*x: Value) -> Value:
    if len(x) == 1 and not isinstance(x[0], Expr):
        return diagonal(vector(x[0], "The argument of diag"))
    return diagonal([scalar(e, "An argument of diag") for e in x])


def _determinant(A: Value) -> Value:
    M = matrix(A, "The argument of det")
    if M.shape == (2, 2):
        return M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0]
    if M.shape[0] == M.shape[1] != 3:
        raise ExpressionError(f"det takes matrices up to 3×3, got {described(M)}.")
    if M.shape != (3, 3):
        raise ShapeError(f"The argument of det must be a 2×2 or 3×3 matrix, got {described(M)}.")
    return determinant3(M)


def _trace(A: Value) -> Value:
    M = matrix(A, "The argument of trace")
    total = ZERO
    for i in range(min(M.shape)):
        total = total + M[i, i]
    return total


def _four(T: Value) -> Matrix:
    M = matrix(T, "A transform")
    if M.shape != (4, 4):
        raise ShapeError(f"A transform must be a 4×4 matrix, got {described(M)}.")
    return M


def rotation_of(T: Value) -> Matrix:
    """The 3×3 block of a 4×4 transform, or a 3×3 matrix itself."""
    M = matrix(T, "A rotation")
    return M if M.shape == (3, 3) else _four(M)[:3, :3]


def _position_of(T: Value) -> Vector:
    return Vector(_four(T).column(3).entries[:3])


def _transform_of(A: Value, p: Value) -> Value:
    R, r = matrix(A, "A rotation"), vector(p, "A position", 3)
    column = Matrix([[x] for x in r])
    return blocks([[R, column], [zeros(1, 3), identity(1)]])


def _inverse_transform(T: Value) -> Value:
    A, p = rotation_of(T), _position_of(T)
    return _transform_of(A.T, -(A.T @ p))


def _block(*rows: Value) -> Value:
    """Matrix of rows of blocks; each argument is a vector or was composed by `[A, p]`."""
    parts = [Matrix([r.entries]) if isinstance(r, Vector) else matrix(r, "A row") for r in rows]
    return blocks([[p] for p in parts])


def beside(parts: list[Value]) -> Matrix:
    """Matrix [A, p]: matrices, and vectors as columns, side by side."""
    columns = [Matrix([[x] for x in p]) if isinstance(p, Vector) else p for p in parts]
    whole = [c if isinstance(c, Matrix) else Matrix([[c]]) for c in columns]
    if len({c.shape[0] for c in whole}) > 1:
        shapes = " and ".join(map(described, parts))
        raise ShapeError(f"Blocks side by side must have the same number of rows, got {shapes}.")
    return blocks([whole])


def _about_axis(rotation: Callable[[Expr], Matrix]) -> Callable[[Value], Value]:
    return lambda a: rotation(scalar(a, "An angle"))


def _cross(a: Value, b: Value) -> Value:
    return vector(a, "An argument of cross", 3).cross(vector(b, "An argument of cross", 3))


def _dot(a: Value, b: Value) -> Value:
    x, y = vector(a, "An argument of dot"), vector(b, "An argument of dot")
    return x @ y


def _norm2(a: Value) -> Value:
    return _dot(a, a)


def _skew(a: Value) -> Value:
    return skew(vector(a, "The argument of skew", 3))


def _unskew(A: Value) -> Value:
    return unskew(matrix(A, "The argument of unskew"))


def _transpose(A: Value) -> Value:
    return matrix(A, "The argument of transpose").T


def _identity(n: Value) -> Value:
    return identity(_whole(n, "A size", 1))


def _zeros(n: Value, m: Value) -> Value:
    return zeros(_whole(n, "A size", 1), _whole(m, "A size", 1))


def _subs(e: Value, x: Value, y: Value) -> Value:
    s = _symbol(x, "The second argument of subs")
    return replaced(e, {s: scalar(y, "The third argument of subs")})


def _euler(a: Value, b: Value, c: Value) -> Value:
    return euler_xyz(*(scalar(x, "An angle") for x in (a, b, c)))


# name: (function, smallest and largest number of arguments)
TABLE: Final[dict[str, tuple[Callable[..., Value], int, int]]] = {
    "cross": (_cross, 2, 2),
    "dot": (_dot, 2, 2),
    "norm2": (_norm2, 1, 1),
    "skew": (_skew, 1, 1),
    "unskew": (_unskew, 1, 1),
    "transpose": (_transpose, 1, 1),
    "det": (_determinant, 1, 1),
    "trace": (_trace, 1, 1),
    "diag": (_diag, 1, 20),
    "identity": (_identity, 1, 1),
    "zeros": (_zeros, 2, 2),
    "block": (_block, 1, 20),
    "diff": (_diff, 2, 2),
    "jacobian": (_jacobian, 2, 2),
    "gradient": (_gradient, 2, 2),
    "partial": (_partial, 2, 2),
    "coefficient": (_coefficient, 3, 3),
    "subs": (_subs, 3, 3),
    "rot_x": (_about_axis(rotation_x), 1, 1),
    "rot_y": (_about_axis(rotation_y), 1, 1),
    "rot_z": (_about_axis(rotation_z), 1, 1),
    "euler_xyz": (_euler, 3, 3),
    "rotation_of": (rotation_of, 1, 1),
    "position_of": (_position_of, 1, 1),
    "transform_of": (_transform_of, 2, 2),
    "inverse_transform": (_inverse_transform, 1, 1),
}
BY_VARIABLES: Final = frozenset({"diff", "partial", "jacobian", "gradient", "coefficient"})
# Functions that depend on the symbols inside an expression: abbreviations must be expanded first.
LOOKS_INSIDE: Final = frozenset({*BY_VARIABLES, "subs", "dt"})


def symbols_in(x: Value) -> tuple[Expr, ...]:
    """Symbols of a value, sorted by name."""
    return symbols([x] if isinstance(x, Expr) else x.entries)
