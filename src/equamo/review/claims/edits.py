"""All small edits of an expression that undo typical misprints.

sign      of one term                      symbol    another symbol or index
factor    2, 1/2, 3 … of a term            function  sin for cos
power     a missing or extra square        dropped   an extra term or factor
inserted  a missing factor                 argument  of a function, or a term in it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from ...algebra.expr import ZERO, Expr, constant, cos, sin
from ...algebra.expr.functions import COS, SIN, SQRT
from ...algebra.expr.graph import (
    ADD,
    CONST,
    DIV,
    FIRST_BINARY,
    FIRST_FUNCTION,
    LAST_LEAF,
    MUL,
    POW,
    SUB,
    SYMBOL,
)
from ...algebra.expr.rules import add, sub
from ...algebra.expr.substitute import rebuild
from ...algebra.expr.walk import walk
from ...errors import ExpressionError
from .terms import monomial_count, terms, total

FACTORS: Final = (2, Fraction(1, 2), 3, Fraction(1, 3), 4, Fraction(1, 4))
KINDS: Final = (
    "sign",
    "factor",
    "power",
    "symbol",
    "function",
    "dropped",
    "inserted",
    "argument",
    "term",
)
MAX_NODES: Final = 400  # nodes of the expression as a tree
MAX_EDITS: Final = 40_000


class Edit(NamedTuple):
    """Edited expression, and a description of the edit that is formatted on demand."""

    kind: str
    template: str
    parts: tuple[object, ...]
    size: int
    result: Expr

    @property
    def text(self) -> str:
        return self.template.format(*self.parts)

    @property
    def changed(self) -> int:
        """Number of changed symbols: all that are added or dropped, otherwise one."""
        what = self.parts[0] if self.kind in ("dropped", "inserted", "term") else None
        return symbol_count(what) if isinstance(what, Expr) else 1


def _edit(kind: str, result: Expr, template: str, *parts: object, size: int = 1) -> Edit:
    return Edit(kind, template, parts, size, result)


class TermEdit(NamedTuple):
    """Edit of one term of a sum: the index of the term, and its edit."""

    term: int
    edit: Edit


class Pool(NamedTuple):
    """Candidates for insertion: symbols, and sines and cosines."""

    symbols: Sequence[Expr]
    functions: Sequence[Expr] = ()


def tree_size(e: Expr) -> int:
    """Number of nodes as a tree: shared nodes count once per occurrence."""
    size: dict[Expr, int] = {}
    for n in walk([e]):
        below = n.args
        size[n] = 1 + sum(size[x] for x in below)
    return size[e]


def symbol_count(e: Expr) -> int:
    """Number of symbols as a tree, at least 1."""
    count: dict[Expr, int] = {}
    for n in walk([e]):
        count[n] = n.op == SYMBOL or sum(count[x] for x in n.args)
    return max(1, int(count[e]))


def edits_of_terms(e: Expr, pool: Pool) -> Iterator[TermEdit]:
    """Edits of single terms; `result` is the edited term (0 if it is dropped)."""
    memo: dict[Expr, list[Edit]] = {}
    count = 0
    for i, term in enumerate(terms(e)):
        for edit in (*_as_term(term, pool), *_inside(term, pool, memo)):
            yield TermEdit(i, edit)
            count += 1
            if count > MAX_EDITS:
                return


def edits_of_whole(e: Expr, pool: Pool) -> list[Edit]:
    """Edits of a sum as a whole: its sign, a number, or a missing factor."""
    if len(terms(e)) < 2:
        return []
    edits = [_edit("sign", -e, "the sign of the whole")]
    edits.append(_edit("power", e**2, "the square of the whole"))
    edits += [_edit("factor", constant(f) * e, "a factor {} of the whole", f) for f in FACTORS]
    for x in (*pool.symbols, *pool.functions):
        edits.append(_edit("inserted", e * x, "a factor {} of the whole", x))
        edits.append(_edit("inserted", e / x, "a division of the whole by {}", x))
    return edits


def applied(e: Expr, changes: Sequence[TermEdit]) -> Expr:
    """The sum with some of its terms replaced."""
    parts = terms(e)
    for change in changes:
        parts[change.term] = change.edit.result
    return total(parts)


def _as_term(t: Expr, pool: Pool) -> Iterator[Edit]:
    """Edits of a term as a whole: its sign, a number, a missing factor, or without the term."""
    yield _edit("sign", -t, "the sign of {}", t)
    for f in FACTORS:
        yield _edit("factor", constant(f) * t, "a factor {} in {}", f, t)
    yield _edit("dropped", ZERO, "without the term {}", t, size=monomial_count(t))
    for x in (*pool.symbols, *pool.functions):
        yield _edit("inserted", t * x, "a factor {} in {}", x, t)
        yield _edit("inserted", t / x, "a division by {} in {}", x, t)


def _inside(n: Expr, pool: Pool, memo: dict[Expr, list[Edit]]) -> list[Edit]:
    """Edits of a node and of all nodes below it; `result` is the edited node."""
    if n in memo:
        return memo[n]
    if n.op in (ADD, SUB):
        edits = list(_of_sum(n, pool, memo))
    else:
        edits = list(_local(n, pool))
        if n.op > LAST_LEAF:
            for edit in _inside(n.a, pool, memo):
                _rebuild(edits, n, edit, first=True)
        if FIRST_BINARY <= n.op < FIRST_FUNCTION:
            for edit in _inside(n.b, pool, memo):
                _rebuild(edits, n, edit, first=False)
    memo[n] = edits[:MAX_EDITS]
    return memo[n]


def _rebuild(edits: list[Edit], n: Expr, edit: Edit, first: bool) -> None:
    """Append an edit of an operand as an edit of the node."""
    binary = FIRST_BINARY <= n.op < FIRST_FUNCTION
    a = edit.result if first else n.a
    b = (n.b if first else edit.result) if binary else None
    try:
        edits.append(edit._replace(result=rebuild(n, a, b)))
    except ExpressionError:  # a division by zero
        return


def _local(n: Expr, pool: Pool) -> Iterator[Edit]:
    op = n.op
    if op == SYMBOL:
        yield _edit("power", n * n, "{}**2 for {}", n, n)
        for x in pool.symbols:
            if x is not n:
                yield _edit("symbol", x, "{} for {}", x, n)
    elif op == CONST:
        near = (n.a + 1, n.a - 1) if Fraction(n.a).denominator == 1 else ()
        for c in (*near, 1 / Fraction(n.a) if n.a else 1):
            yield _edit("factor", constant(c), "{} for {}", c, n)
    elif op == POW:
        yield from _of_power(n, pool)
    elif op == MUL:
        yield _edit("power", n * n, "({})**2 for {}", n, n)
        if n.a.op == CONST and n.b.op == SYMBOL:  # one of two equal terms was another symbol
            for x in pool.symbols:
                yield _edit("symbol", constant(n.a.a - 1) * n.b + x, "{} for one {}", x, n.b)
        for kept, dropped in ((n.a, n.b), (n.b, n.a)):
            yield _edit("dropped", kept, "without the factor {}", dropped)
    elif op == DIV:
        yield _edit("dropped", n.a, "without the division by {}", n.b)
    elif op >= FIRST_FUNCTION:
        yield from _of_function(n, pool)


def _of_power(n: Expr, pool: Pool) -> Iterator[Edit]:
    base, k = n.a, n.b
    for other in (k - 1, k + 1):
        yield _edit("power", base**other, "{} for {}", base**other, n)
    if base.op == SYMBOL:  # one of the factors was another symbol
        for x in pool.symbols:
            if x is not base:
                yield _edit("symbol", base ** (k - 1) * x, "{} for one {}", x, base)


def _of_sum(n: Expr, pool: Pool, memo: dict[Expr, list[Edit]]) -> Iterator[Edit]:
    """Edits of a sum inside a product: of each term, or a missing symbol."""
    yield _edit("power", n**2, "({})**2 for ({})", n, n)
    parts = terms(n)
    for i, t in enumerate(parts):
        rest = total(parts[:i] + parts[i + 1 :])
        for edit in (*_as_term(t, pool), *_inside(t, pool, memo)):
            yield edit._replace(result=add(rest, edit.result))
    for x in pool.symbols:
        yield _edit("term", add(n, x), "the missing term {} in {}", x, n)
        yield _edit("term", sub(n, x), "the missing term -{} in {}", x, n)


def _of_function(n: Expr, pool: Pool) -> Iterator[Edit]:
    if n.op in (SIN, COS):
        other = cos(n.a) if n.op == SIN else sin(n.a)
        yield _edit("function", other, "{} for {}", other, n)
        yield _edit("power", n * n, "{}**2 for {}", n, n)
        for x in pool.symbols:
            for argument in (n.a + x, n.a - x, n.a * x):
                if argument.value is None:
                    changed = rebuild(n, argument, None)
                    yield _edit("argument", changed, "{} for {}", changed, n)
    if n.op == SQRT:
        yield _edit("function", n.a, "{} without the root", n.a)
    for f in (2, Fraction(1, 2)):
        changed = rebuild(n, constant(f) * n.a, None)
        yield _edit("argument", changed, "{} for {}", changed, n)
