"""Linear relations between the columns of a matrix that hold at every state, with constant coefficients.

The matrix is evaluated at random states modulo a prime p, with one value for each constant, and the
rows are stacked. The rank of the stack is a lower bound on the number of independent columns, and it is
certain: if a minor is not zero modulo p at a point, it is not zero as a function. Here sin and cos are
points of the circle, sign(x) is 1 or −1, other functions are independent variables.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence, Set
from fractions import Fraction
from random import Random
from typing import Final, final

from ...errors import ExpressionError
from ..expr import Expr
from ..expr.evaluate import Modular, Tape
from ..expr.functions import BY_NAME, SQRT
from ..expr.graph import ZERO
from ..expr.matrix import Matrix
from ..expr.walk import symbols, walk
from .point import Drawn, Points, Unlucky
from .primes import square_root
from .rank import fraction, null_space, reduced
from .rewrite import rewrite

_SIGN: Final = BY_NAME["sign"].opcode
_ATTEMPTS: Final = 256  # draws of one point before giving up
_TRIES: Final = 8  # states at which constants must have roots
_IDLE: Final = 3  # further points that must not raise the rank


@final
class Stack:
    """Rows of a matrix at random states, modulo one prime, with one value for each constant.

    >>> from equamo.algebra.expr import symbol
    >>> A = Matrix([["L*cos(q)", "cos(q)", "sin(q)"]])
    >>> stack = Stack(A, {symbol("L")})
    >>> stack.saturate()
    >>> stack.independent
    [0, 2]
    """

    p: int

    def __init__(
        self,
        A: Matrix,
        constants: Set[Expr] = frozenset(),
        unit: Iterable[Sequence[Expr]] = (),
        bits: int = 61,
        seed: int | None = None,
    ) -> None:
        self._random = Random(secrets.randbits(128) if seed is None else seed)
        self._matrix, self._unit = A, tuple(tuple(group) for group in unit)
        self.columns: int = A.shape[1]
        # Entries that are literally zero are not evaluated.
        self._places = [[j for j, x in enumerate(r) if x is not ZERO] for r in A.rows]
        roots = rewrite([x for r in A.rows for x in r if x is not ZERO])
        self._points = Points(roots, self._unit)
        self._tape = Tape(roots, self._points.given, self._points.order)
        # The root of a constant exists for only half of its values.
        self._has_roots = any(n.op == SQRT for n in walk(roots))
        self._bits, self._constants = bits, constants
        self.p, self._roots = self._points.prime_with_roots(self._bits, self._random)
        self.rows: list[list[int]] = []
        self.independent: list[int] = []  # columns that do not depend on those to their left
        self._known: dict[tuple[int, ...], int] = {}  # values of functions, by their arguments
        self._drawn: Drawn | None = None
        self.redraw()

    def redraw(self, only: Expr | None = None) -> None:
        """Draw other values of the constants, or of one of them, and start again."""
        self.rows, self.independent = [], []
        changing = self._constants if only is None else frozenset({only})
        before = self._drawn
        for _ in range(_ATTEMPTS):
            self._known = {}
            new = self._points.draw_constants(self.p, self._constants, self._random)
            self._drawn = new if before is None else before.updated(new, changing)
            if not self._has_roots or self._values(_TRIES) is not None:
                return

    def draw(self) -> None:
        """Append the rows of one more state."""
        found = self._values(_ATTEMPTS)
        if found is None:
            raise ExpressionError(
                "A matrix must have a value at random states, got a division by zero or a missing "
                f"square root at {_ATTEMPTS} of them; check the model for a singular joint."
            )
        values = iter(found)
        for places in self._places:
            row = [0] * self.columns
            for j in places:
                row[j] = next(values)
            self.rows.append(row)

    def _values(self, attempts: int) -> list[int] | None:
        """Entries at a random state; None if no state with values was found."""
        for _ in range(attempts):
            try:
                point = self._points.draw(self.p, self._roots, self._random, self._drawn)
                return list(self._tape.run(Modular(self.p, self._function), point))
            except (Unlucky, ValueError):
                continue
        return None

    def _function(self, node: Expr, *x: int) -> int:
        if node.op == SQRT:
            r = square_root(x[0], self.p)
            if r is None:
                raise Unlucky(node)
            return r
        if node.op == _SIGN:  # the states with this sign are an open set
            value = self._random.choice((1, self.p - 1))
        else:
            value = self._random.randrange(self.p)
        return self._known.setdefault((node.op, *x), value)

    def saturate(self, goal: int | None = None) -> None:
        """Add states until the rank reaches the goal (by default the number of columns) or stays."""
        if not self.columns or not self._places:
            return
        goal = self.columns if goal is None else goal
        idle = 0
        count = max(2, goal // max(1, len(self._places)))
        while idle < _IDLE:
            for _ in range(count):
                self.draw()
            before = len(self.independent)
            self.rows, self.independent = reduced(self.rows, self.p)
            if len(self.independent) >= goal:
                return
            idle = idle + 1 if len(self.independent) == before else 0
            count = max(1, count // 2)

    def relations(self) -> list[list[int]]:
        """Basis of the combinations of columns that vanish at all states drawn, modulo p."""
        return null_space(self.rows, self.columns, self.p)

    def part(self, columns: Sequence[int], bits: int) -> Stack:
        """Some columns modulo a prime of another size, at new states."""
        rows = [[r[j] for j in columns] for r in self._matrix.rows]
        other = Stack(Matrix(rows), self._constants, self._unit, bits)
        other.saturate()
        return other

    # -- functions of the constants --------------------------------------------------------------------
    @property
    def atoms(self) -> list[Expr]:
        """Symbols that are constants, and sines and cosines of constants, in the entries."""
        nodes = [*self._points.symbols, *self._points.trig]
        return [x for x in nodes if set(symbols([x])) <= self._constants]

    def values(self, functions: Sequence[Expr]) -> list[int]:
        """Values modulo p of rational functions of the atoms."""
        point = self._points.draw(self.p, self._roots, self._random, self._drawn)
        atoms = self.atoms
        tape = Tape(functions, atoms)
        return tape.run(Modular(self.p, self._function), {x: point[x] for x in atoms})

    def solve(self, table: list[list[int]], values: list[int]) -> list[Fraction] | None:
        """Fractions w with Σ_k table[i][k] w_k = values[i] for all i; None if they do not exist."""
        rows = [[*row, y] for row, y in zip(table, values, strict=True)]
        echelon, pivots = reduced(rows, self.p)
        n = len(table[0])
        if n in pivots:
            return None
        weights = [Fraction(0)] * n
        for row, k in zip(echelon, pivots, strict=True):
            w = self.fraction(row[n])
            if w is None:
                return None
            weights[k] = w
        return weights

    def fraction(self, x: int) -> Fraction | None:
        """Short fraction with this value modulo p, if one exists."""
        return fraction(x, self.p)
