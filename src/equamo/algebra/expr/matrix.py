"""Matrices of expressions, with the few operations that mechanics needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final, overload

from ...basics.arguments import expect_function
from ...basics.extras import library
from ...basics.wording import brief
from ...errors import ExpressionError, ShapeError
from .convert import as_expr
from .graph import ONE, ZERO, Expr
from .rules import add, mul, neg, operand, sub
from .vector import Vector, dot, each_closed_form, listed, position

if TYPE_CHECKING:
    from .count import Count


@final
class Matrix:
    """Immutable matrix of expressions; entries by index, or by name if it has names.

    Args:
        rows: Entries row by row; each is a quantity as in `Robot`: a number, text, an Expr …
        row_names: One name per row.
        column_names: One name per column.

    Raises:
        ShapeError: The rows differ in length.

    >>> A = Matrix([["cos(q)", "-sin(q)"], ["sin(q)", "cos(q)"]])
    >>> print((A.T @ A)[0, 0].closed_form())
    1
    """

    __slots__ = ("_T", "_width", "column_names", "row_names", "rows")

    def __init__(
        self,
        rows: Iterable[Iterable[Any]],
        row_names: Sequence[str] | None = None,
        column_names: Sequence[str] | None = None,
    ) -> None:
        self.rows: tuple[tuple[Expr, ...], ...] = tuple(
            tuple([x if isinstance(x, Expr) else as_expr(x) for x in listed(r, "rows")])
            for r in listed(rows, "rows")
        )
        if len({len(r) for r in self.rows}) > 1:
            lengths = ", ".join(str(len(r)) for r in self.rows[:12])
            raise ShapeError(f"The rows of a matrix must have equal lengths, got {lengths}.")
        self._T: Matrix | None = None
        self._width = len(self.rows[0]) if self.rows else 0  # without rows, that of the names
        self.row_names: tuple[str, ...] | None = (
            None if row_names is None else tuple(listed(row_names, "row names"))
        )
        self.column_names: tuple[str, ...] | None = (
            None if column_names is None else tuple(listed(column_names, "column names"))
        )

    # -- shape and entries ---------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)"""
        return len(self.rows), self._width or (0 if self.rows else len(self.column_names or ()))

    @property
    def entries(self) -> tuple[Expr, ...]:
        """All entries, row by row."""
        return tuple(x for r in self.rows for x in r)

    @property
    def entry_names(self) -> tuple[str, ...]:
        """Subscript of each entry, row by row: its names, or its zero-based indices.

        >>> Matrix([[1, 2]], ["x"], ["q1", "q2"]).entry_names, Matrix([[1, 2]]).entry_names
        (('[x, q1]', '[x, q2]'), ('[0, 0]', '[0, 1]'))
        """
        n, m = self.shape
        rows, columns = self.row_names or range(n), self.column_names or range(m)
        return tuple(f"[{i}, {j}]" for i in rows for j in columns)

    def __iter__(self) -> Iterator[Vector]:
        return (self.row(i) for i in range(len(self.rows)))

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, ij: tuple[int | str, int | str]) -> Expr: ...
    @overload
    def __getitem__(self, ij: tuple[slice, slice]) -> Matrix: ...
    @overload
    def __getitem__(self, ij: int | str) -> Vector: ...
    def __getitem__(self, ij: Any) -> Any:
        if not isinstance(ij, tuple):
            return self.row(ij)
        if len(ij) != 2:  # pyright: ignore[reportUnknownArgumentType]
            raise ShapeError(f"A matrix takes two indices, got {brief(ij)}.")  # pyright: ignore[reportUnknownArgumentType]
        i, j = ij  # pyright: ignore[reportUnknownVariableType]
        if isinstance(i, slice) or isinstance(j, slice):
            n, m = self.shape
            if not isinstance(i, slice):
                k = position(i, self.row_names, n) % n  # pyright: ignore
                i = slice(k, k + 1)
            if not isinstance(j, slice):
                k = position(j, self.column_names, m) % m  # pyright: ignore
                j = slice(k, k + 1)
            return _of_width(
                len(range(m)[j]),
                [r[j] for r in self.rows[i]],
                self.row_names and self.row_names[i],
                self.column_names and self.column_names[j],
            )
        n, m = self.shape
        return self.rows[position(i, self.row_names, n)][position(j, self.column_names, m)]  # pyright: ignore

    @property
    def is_zero(self) -> bool:
        """Whether every entry is the number 0."""
        return all(x is ZERO for r in self.rows for x in r)

    def row(self, i: int | str) -> Vector:
        """One row, by index or name."""
        return Vector(self.rows[position(i, self.row_names, len(self.rows))], self.column_names)

    def column(self, j: int | str) -> Vector:
        """One column, by index or name."""
        k = position(j, self.column_names, self.shape[1])
        return Vector((r[k] for r in self.rows), self.row_names)

    # -- algebra -------------------------------------------------------------------------------------
    @property
    def T(self) -> Matrix:
        """Transpose, cached."""
        if self._T is None:
            n, m = self.shape
            rows = zip(*self.rows, strict=True) if n else [()] * m
            self._T = _of_width(n, rows, self.column_names, self.row_names)
        return self._T

    def _like(self, rows: Iterable[Iterable[Expr]]) -> Matrix:
        return _of_width(self.shape[1], rows, self.row_names, self.column_names)

    def _same(self, other: Matrix) -> None:
        if not isinstance(other, Matrix):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ExpressionError(
                f"Expected a Matrix, got {brief(other)}; make one with eq.Matrix."
            )
        if self.shape != other.shape:
            raise ShapeError(
                f"Matrices must have equal shapes to be added, got {self.shape} and {other.shape}."
            )

    def __add__(self, other: Matrix) -> Matrix:
        self._same(other)
        return self._like(map(add, r, s) for r, s in zip(self.rows, other.rows, strict=True))

    def __sub__(self, other: Matrix) -> Matrix:
        self._same(other)
        return self._like(map(sub, r, s) for r, s in zip(self.rows, other.rows, strict=True))

    def __neg__(self) -> Matrix:
        return self._like(map(neg, r) for r in self.rows)

    def __mul__(self, c: Any) -> Matrix:
        k = operand(c)
        if k is None:
            return NotImplemented
        return self._like((mul(k, x) for x in r) for r in self.rows)

    __rmul__ = __mul__

    @overload
    def __matmul__(self, other: Matrix) -> Matrix: ...
    @overload
    def __matmul__(self, other: Vector) -> Vector: ...
    def __matmul__(self, other: Matrix | Vector) -> Matrix | Vector:
        if not isinstance(other, (Matrix, Vector)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ExpressionError(
                f"A Matrix must be multiplied by a Matrix or a Vector, got {brief(other)}; make one "
                "with eq.Vector(…), and use * for numbers."
            )
        if self.shape[1] != other.shape[0]:
            raise ShapeError(
                f"A matrix of shape {self.shape} cannot be multiplied by one of shape {other.shape}; "
                "the inner sizes must be equal."
            )
        if isinstance(other, Vector):
            return Vector.of(tuple([dot(r, other.entries) for r in self.rows]), self.row_names)
        columns = other.T.rows
        return _of_width(
            other.shape[1], ([dot(r, c) for c in columns] for r in self.rows), self.row_names,
            other.column_names,
        )  # fmt: skip

    # -- operations ----------------------------------------------------------------------------------
    def map(self, function: Callable[[list[Expr]], Iterable[Expr]]) -> Matrix:
        """Matrix of function(entries), with the same shape and names."""
        expect_function("map: function", function, "entries")
        flat = iter(list(function(list(self.entries))))
        return self._like([next(flat) for _ in r] for r in self.rows)

    def subs(self, replacements: Mapping[Any, Any]) -> Matrix:
        """Copy with symbols replaced in every entry."""
        from .substitute import substitute

        return self.map(lambda e: substitute(e, replacements))

    def diff(self, x: Expr | str) -> Matrix:
        """Derivative of every entry with respect to a symbol."""
        from .differentiate import derivative

        return self.map(lambda e: derivative(e, x))

    def closed_form(self, budget: int | None = None) -> Matrix:
        """Copy with every entry in a short, readable form."""
        return self.map(lambda e: each_closed_form(e, budget))

    def operations(self) -> Count:
        """Operation count of all entries, with shared sub-expressions counted once."""
        from .count import count

        return count(self.entries)

    count = operations

    def sympy(self, simplify: bool = True) -> Any:
        """Convert to SymPy: the entries in closed form within the budget, or as they are."""
        from .sympy_bridge import to_sympy_all

        return library("sympy", "sympy()").Matrix(*self.shape, to_sympy_all(self.entries, simplify))

    def latex(self, short: bool = False, simplify: bool = True) -> str:
        """LaTeX of the entries in closed form; with `simplify=False`, as they are."""
        from .printing.latex_arrays import matrix_latex

        return matrix_latex(self.rows, short, simplify)

    def _repr_latex_(self) -> str | None:
        from .printing.latex_arrays import repr_matrix

        return repr_matrix(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matrix) and self.rows == other.rows

    def __hash__(self) -> int:
        return hash(self.rows)

    def __repr__(self) -> str:
        """Entries; a summary if they are too long for an interactive session."""
        from .printing.text import size, texts

        entries = texts(self.entries)
        if entries is None:
            shape = "×".join(map(str, self.shape))
            return f"<Matrix {shape}: {size(self.entries)}; print() writes its entries>"
        return self._text(entries)

    def __str__(self) -> str:
        """All entries, each by its repr."""
        return self._text([repr(x) for x in self.entries])

    def _text(self, entries: Iterable[str]) -> str:
        each = iter(entries)
        rows = ",\n        ".join(f"[{', '.join(next(each) for _ in r)}]" for r in self.rows)
        return f"Matrix([{rows}])"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        from .store import dump

        return _load, (dump(self.entries), self.shape, self.row_names, self.column_names)


def _of_width(
    columns: int,
    rows: Iterable[Iterable[Any]],
    row_names: Sequence[str] | None = None,
    column_names: Sequence[str] | None = None,
) -> Matrix:
    """Matrix with this number of columns, also if it has no rows."""
    made = Matrix(rows, row_names, column_names)
    made._width = columns  # pyright: ignore[reportPrivateUsage]
    return made


def _load(stored: Any, shape: tuple[int, int], row_names: Any, column_names: Any) -> Matrix:
    from .store import load

    flat = iter(load(stored))
    rows = [[next(flat) for _ in range(shape[1])] for _ in range(shape[0])]
    return _of_width(shape[1], rows, row_names, column_names)


def identity(n: int) -> Matrix:
    """n×n unit matrix."""
    return Matrix([[ONE if i == j else ZERO for j in range(n)] for i in range(n)])


def zeros(n: int, m: int) -> Matrix:
    """n×m matrix of zeros."""
    return _of_width(m, [[ZERO] * m for _ in range(n)])


def diagonal(entries: Iterable[Any]) -> Matrix:
    """Square matrix with these entries on its diagonal."""
    d = [as_expr(x) for x in entries]
    return Matrix([[x if i == j else ZERO for j in range(len(d))] for i, x in enumerate(d)])


def mirrored(upper: Sequence[Sequence[Expr]]) -> Matrix:
    """Symmetric matrix with this upper triangle; entries below the diagonal are ignored.

    >>> mirrored([[ONE, ZERO], [ONE, ONE]])
    Matrix([[1, 0],
            [0, 1]])
    """
    n = range(len(upper))
    return Matrix([[upper[min(i, j)][max(i, j)] for j in n] for i in n])


def from_columns(columns: Iterable[Iterable[Any]]) -> Matrix:
    """Matrix with these columns, such as [x y z] of a frame's unit vectors."""
    return Matrix(zip(*columns, strict=True))


def block_diagonal(
    parts: Iterable[Matrix], row_names: Sequence[str], column_names: Sequence[str]
) -> Matrix:
    """Matrix with the parts along its diagonal and zeros elsewhere."""
    M = [[ZERO] * len(column_names) for _ in row_names]
    i = j = 0
    for part in parts:
        n, m = part.shape
        for r in range(n):
            M[i + r][j : j + m] = part.rows[r]
        i, j = i + n, j + m
    return Matrix(M, row_names, column_names)


def blocks(rows: Iterable[Iterable[Matrix]]) -> Matrix:
    """Matrix assembled from blocks.

    >>> blocks([[identity(1), zeros(1, 2)]]).shape
    (1, 3)
    """
    out: list[list[Expr]] = []
    for row in rows:
        parts = [b.rows for b in row]
        out += [[x for part in line for x in part] for line in zip(*parts, strict=True)]
    return Matrix(out)


def skew(v: Vector) -> Matrix:
    """Cross-product matrix of v: skew(a) @ b = a × b."""
    x, y, z = v.entries
    return Matrix([[ZERO, neg(z), y], [z, ZERO, neg(x)], [neg(y), x, ZERO]])


def unskew(S: Matrix) -> Vector:
    """Vector of a skew-symmetric matrix: unskew(skew(v)) = v."""
    return Vector([S[2, 1], S[0, 2], S[1, 0]])


def unskew_product(A: Matrix, B: Matrix) -> Vector:
    """Vector of a skew-symmetric product: unskew(A @ B), computing only the needed entries."""
    x, y, z = B.T.rows
    return Vector([dot(A.rows[2], y), dot(A.rows[0], z), dot(A.rows[1], x)])


def outer(a: Vector, b: Vector) -> Matrix:
    """Outer product a bᵀ."""
    return Matrix([[mul(x, y) for y in b] for x in a])


def determinant3(A: Matrix) -> Expr:
    """Determinant of a 3×3 matrix: x · (y × z) of its rows."""
    return A.row(0) @ A.row(1).cross(A.row(2))
