"""Linear equations in large expressions, solved block by block without closed forms.

The matrix is brought to block triangular form (maximum matching, strongly connected components: Duff and
Reid 1978). Blocks of up to four unknowns are solved by their adjugate, so that a solution is singular
only if its block is; larger ones by elimination, with the pivots that are largest at a given point.
Entries that are zero for all values of the symbols are found at a random point of a finite field; the
caller proves the solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ..errors import EquamoError
from ..expr import ONE, ZERO, Expr
from ..expr.evaluate import evaluate_floats
from ..expr.matrix import Matrix
from ..expr.vector import dot
from ..expr.walk import symbols
from .rank import field_matrices

ADJUGATE: Final = 4  # unknowns of a block that is solved by its adjugate

Rows = list[list[Expr]]


def solve_by_blocks(
    A: Matrix,
    B: Matrix,
    unit: Iterable[Sequence[Expr]] = (),
    values: Mapping[str, float] | None = None,
) -> Matrix:
    """Solve A X = B; A is square and regular.

    Args:
        A: Coefficients.
        B: Right-hand sides, one per column.
        unit: Groups of symbols whose squares sum to one.
        values: Numbers by symbol at which pivots are compared; others are arbitrary.

    Returns:
        X, with shared sub-expressions.

    >>> solve_by_blocks(Matrix([["a", 0], ["b", "c"]]), Matrix([[1], [0]]))
    Matrix([[1/a],
            [-b*(1/a)/c]])
    """
    n = A.shape[0]
    p, modulo = field_matrices(A, 1, unit)[0]
    pairs = zip(A.rows, modulo, strict=True)
    rows = [[x if m else ZERO for x, m in zip(r, s, strict=True)] for r, s in pairs]
    numbers = _numbers(A, values or {})
    row_of = _matching([[j for j in range(n) if r[j] is not ZERO] for r in rows])
    needs = [[j for j in range(n) if rows[i][j] is not ZERO] for i in row_of]
    X: dict[int, list[Expr]] = {}
    for block in _components(needs):
        own = [row_of[j] for j in block]
        right: Rows = []
        for i in own:
            known = [j for j in X if rows[i][j] is not ZERO]
            a = [rows[i][j] for j in known]
            columns = [[X[j][c] for j in known] for c in range(B.shape[1])]
            right.append([b - dot(a, x) for b, x in zip(B.rows[i], columns, strict=True)])
        square = [[rows[i][j] for j in block] for i in own]
        if len(block) <= ADJUGATE:
            solution = _by_adjugate(square, right)
        else:
            points = [[numbers[i][j] for j in block] for i in own]
            exact = [[modulo[i][j] for j in block] for i in own]
            solution = _by_elimination(square, right, points, exact, p)
        X |= dict(zip(block, solution, strict=True))
    return Matrix([X[j] for j in range(n)])


def _numbers(A: Matrix, values: Mapping[str, float]) -> list[list[float]]:
    """A at a point, for pivots; zeros if it has no value there."""
    n, m = A.shape
    point = {x: values.get(x.name, 0.6 + 0.13 * (k % 11)) for k, x in enumerate(symbols(A.entries))}
    try:
        flat = evaluate_floats(A.entries, point)
    except (EquamoError, ArithmeticError, ValueError):
        flat = [0.0] * (n * m)
    return [list(flat[i * m : (i + 1) * m]) for i in range(n)]


def _matching(columns: list[list[int]]) -> list[int]:
    """Row of each column in a perfect matching, for the columns of the nonzero entries of each row."""
    row_of: dict[int, int] = {}

    def augment(i: int, seen: set[int]) -> bool:
        for j in columns[i]:
            if j not in seen:
                seen.add(j)
                if j not in row_of or augment(row_of[j], seen):
                    row_of[j] = i
                    return True
        return False

    for i in range(len(columns)):
        augment(i, set())
    return [row_of[j] for j in range(len(columns))]


def _components(edges: list[list[int]]) -> list[list[int]]:
    """Strongly connected components, each after those that it depends on (Tarjan 1972)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    found: list[list[int]] = []

    def visit(k: int) -> None:
        index[k] = low[k] = len(index)
        stack.append(k)
        for j in edges[k]:
            if j not in index:
                visit(j)
                low[k] = min(low[k], low[j])
            elif j in stack:
                low[k] = min(low[k], index[j])
        if low[k] == index[k]:
            at = stack.index(k)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for k in range(len(edges)):
        if k not in index:
            visit(k)
    return found


def _by_adjugate(A: Rows, B: Rows) -> Rows:
    """X = adj(A) B / det A"""
    n = range(len(A))
    if len(A) == 1:
        return [[b / A[0][0] for b in B[0]]]
    minors: dict[tuple[tuple[int, ...], tuple[int, ...]], Expr] = {}

    def minor(rows: tuple[int, ...], columns: tuple[int, ...]) -> Expr:
        """Determinant of some rows and columns, expanded along the first row."""
        if not rows:
            return ONE
        key = rows, columns
        if key not in minors:
            total = ZERO
            for k, j in enumerate(columns):
                if A[rows[0]][j] is not ZERO:
                    term = A[rows[0]][j] * minor(rows[1:], columns[:k] + columns[k + 1 :])
                    total = total - term if k % 2 else total + term
            minors[key] = total
        return minors[key]

    every = tuple(n)
    det = minor(every, every)
    X: Rows = []
    for j in n:
        others = every[:j] + every[j + 1 :]
        used = [i for i in n if any(b is not ZERO for b in B[i])]
        cofactors = [minor(every[:i] + every[i + 1 :], others) for i in used]
        cofactors = [-c if (i + j) % 2 else c for i, c in zip(used, cofactors, strict=True)]
        columns = range(len(B[0]))
        X.append([dot(cofactors, [B[i][c] for i in used]) / det for c in columns])
    return X


def _by_elimination(
    A: Rows, B: Rows, numbers: list[list[float]], exact: list[list[int]], p: int
) -> Rows:
    """X by Gaussian elimination; the pivot of each column is the largest one at a point.

    `numbers` are the entries of A at that point, `exact` those at a random point modulo p.
    """
    n, m = len(A), len(B[0])
    rows = [[*a, *b] for a, b in zip(A, B, strict=True)]
    for k in range(n):
        choices = [i for i in range(k, n) if exact[i][k]]
        pivot = max(choices, key=lambda i: abs(numbers[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        numbers[k], numbers[pivot] = numbers[pivot], numbers[k]
        exact[k], exact[pivot] = exact[pivot], exact[k]
        inverse = pow(exact[k][k], -1, p)
        for i in range(k + 1, n):
            if not exact[i][k]:
                continue
            f, g = rows[i][k] / rows[k][k], exact[i][k] * inverse % p
            h = numbers[i][k] / numbers[k][k] if numbers[k][k] else 0.0
            exact[i] = [(x - g * y) % p for x, y in zip(exact[i], exact[k], strict=True)]
            numbers[i] = [x - h * y for x, y in zip(numbers[i], numbers[k], strict=True)]
            rows[i] = [
                x - f * y if j >= n or exact[i][j] else ZERO
                for j, (x, y) in enumerate(zip(rows[i], rows[k], strict=True))
            ]
    X: Rows = [[] for _ in range(n)]
    for k in reversed(range(n)):
        later = range(k + 1, n)
        right = [rows[k][n + c] - dot((rows[k][j] for j in later), (X[j][c] for j in later))
                 for c in range(m)]  # fmt: skip
        X[k] = [e / rows[k][k] for e in right]
    return X
