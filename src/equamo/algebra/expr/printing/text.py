"""Text printer: infix text that `parse` reads back, and text with named intermediates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, final

from ....basics.wording import counted
from ..functions import TABLE
from ..graph import ATAN2, CONST, LAST_LEAF, MUL, NEG, ONE, PI, POW, SYMBOL, Expr
from ..parse import is_plain_name
from ..walk import walk
from .arrange import ATOM, FACTOR, PRODUCT, SUM, Arrangement

DEFAULT_LIMIT: Final = 100_000  # characters
ECHO: Final = 2000  # characters of the repr of an expression, a vector or a matrix

Task = str | tuple[Expr, bool, int]  # text, or (node, with a minus sign, binds at least so tightly)


def to_text(expr: Expr, limit: int | None = None, names: Mapping[Expr, str] | None = None) -> str:
    """Text of the expression, which `parse` reads back to the same node.

    Args:
        expr: Expression.
        limit: Longer text is written with named intermediates, or as a summary if that is too long
            as well; None for 100,000 characters.
        names: Names that replace nodes.

    >>> from equamo.algebra.expr import parse, symbols
    >>> a, b, m, q1, q10 = symbols("a b m q1 q10")
    >>> print((a - b) * m / 2 - 3 * q10 - q1, -(a + b), -m * (b - a))
    m*(a - b)/2 - 3*q10 - q1 -a - b m*(a - b)
    """
    limit = DEFAULT_LIMIT if limit is None else limit
    order = walk([expr], stop=names or ())
    if len(order) <= 2 * limit + 10:  # each node except a sign takes a character at least
        text = Writer(order, names or {}).write(expr, limit)
        if text is None:
            text = _shared_form(expr, names)
        if len(text) <= limit:
            return text
    return f"<Expr: {_size(order)}>"


def size(exprs: Iterable[Expr]) -> str:
    """Size of several expressions together.

    >>> from equamo.algebra.expr import parse
    >>> size([parse("a + b"), parse("a")])
    '3 nodes, 2 symbols'
    """
    return _size(walk(exprs))


def _size(order: Sequence[Expr]) -> str:
    symbols = sum(n.op == SYMBOL for n in order)
    return f"{counted(len(order), 'node')}, {counted(symbols, 'symbol')}"


def texts(exprs: Iterable[Expr], limit: int = ECHO) -> list[str] | None:
    """Text of each expression; None if they have more than `limit` characters together."""
    reprs: list[str] = []
    for e in exprs:
        reprs.append(repr(e))
        limit -= len(reprs[-1])
        if limit < 0:
            return None
    return reprs


def _shared_form(expr: Expr, names: Mapping[Expr, str] | None) -> str:
    *bindings, (_, result) = shared_text([expr], names)
    return "; ".join([*(f"{name} = {text}" for name, text in bindings), result])


def shared_text(
    exprs: Sequence[Expr], names: Mapping[Expr, str] | None = None, prefix: str = "t"
) -> list[tuple[str, str]]:
    """Text as (name, text) pairs, with each intermediate written once, before its use.

    An intermediate is a node of `names`, or one that is used more than once and named prefix1,
    prefix2 … The last pairs are the expressions themselves, with empty names.

    >>> from equamo.algebra.expr import parse
    >>> shared_text([parse("sin(x + y)**2 + cos(x + y)")])
    [('t1', 'x + y'), ('', 'cos(t1) + sin(t1)**2')]
    """
    order = walk(exprs)
    all_names = dict(names or {})
    taken = {n.name for n in order if n.op == SYMBOL} | set(all_names.values())
    uses: dict[Expr, int] = {}
    for x in [x for n in order if n.op != NEG for x in n.args] + list(exprs):
        x = x.a if x.op == NEG else x  # a sign is not an intermediate
        uses[x] = uses.get(x, 0) + 1
    count = 0
    bound: list[Expr] = []
    for n in order:
        if n.op > LAST_LEAF and n.op != NEG and n not in all_names and uses.get(n, 0) > 1:
            count += 1
            while f"{prefix}{count}" in taken:
                count += 1
            all_names[n] = f"{prefix}{count}"
        if n in all_names:
            bound.append(n)
    writer = Writer(order, all_names)
    pairs = [(all_names[n], writer.write_body(n)) for n in bound]
    return pairs + [("", writer.write(e) or "") for e in exprs]


def wrap(text: str, width: int) -> str:
    """Break text at the + and - outside all parentheses, into lines of at most `width` if possible.

    >>> print(wrap("a*(b + c) + d*sin(e - f) - g", 16))
    a*(b + c)
      + d*sin(e - f)
      - g
    """
    terms, start, depth = [""], 0, 0
    for token in re.finditer(r"`[^`]*`|[()]| [+-] ", text):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth == 0 and token[0] in (" + ", " - "):
            terms[-1] = text[start : token.start()]
            start = token.start() + 1
            terms.append("")
    terms[-1] = text[start:]
    lines = [terms[0]]
    for term in terms[1:]:
        if len(lines[-1]) + 1 + len(term) <= width:
            lines[-1] += " " + term
        else:
            lines.append("  " + term)
    return "\n".join(lines)


def quoted(name: str) -> str:
    """Name as written in text: in backquotes unless it is an identifier."""
    return name if is_plain_name(name) else f"`{name}`"


@final
class Writer:
    """Writer of text from left to right, with pending pieces on a stack."""

    def __init__(self, order: Iterable[Expr], names: Mapping[Expr, str]) -> None:
        self.arrangement: Arrangement = Arrangement(order, names)
        self.names: dict[Expr, str] = self.arrangement.names

    def write(self, root: Expr, limit: int | None = None) -> str | None:
        """Text of the expression; None if it is longer than the limit."""
        out: list[str] = []
        length = 0
        stack: list[Task] = [(root, False, SUM)]
        while stack:
            task = stack.pop()
            if isinstance(task, str):
                out.append(task)
                length += len(task)
                if limit is not None and length > limit:
                    return None
            else:
                stack.extend(reversed(self._expand(*task)))
        return "".join(out)

    def write_body(self, root: Expr) -> str:
        """Text of a named node, written out."""
        name = self.names.pop(root)
        text = self.write(root)
        self.names[root] = name
        assert text is not None
        return text

    def _expand(self, n: Expr, minus: bool, at_least: int) -> list[Task]:
        """Pieces of the text of ±n, one level down."""
        op, arrangement = n.op, self.arrangement
        if arrangement.binding(n) < at_least:
            return ["(", (n, minus, SUM), ")"]
        if op == NEG and n not in self.names:
            return [(n.a, not minus, SUM)]
        if arrangement.is_sum(n):
            return self._sum(n, minus)
        if arrangement.is_product(n):
            return self._product(n, minus)
        sign: list[Task] = ["-"] if minus else []
        if n in self.names or op == SYMBOL:
            return [*sign, quoted(self.names.get(n) or n.name)]
        if op <= PI:
            return [*sign, "pi" if op == PI else str(n.a)]
        if op == POW:
            flip = n.b % 2 == 0 and arrangement.is_backward(n.a)
            return [*sign, (n.a, flip, ATOM), f"**{n.b}"]
        if op == ATAN2:
            return [*sign, "atan2(", (n.a, False, SUM), ", ", (n.b, False, SUM), ")"]
        row = TABLE[op]
        flip = row.parity == "even" and n.a in arrangement.backward
        if minus and n in arrangement.flippable:
            sign, flip = [], True
        return [*sign, f"{row.name}(", (n.a, flip, SUM), ")"]

    def _sum(self, n: Expr, minus: bool) -> list[Task]:
        tail: list[tuple[Expr, bool]] = []
        while self.arrangement.is_sum(n):
            (n, minus), last = self.arrangement.terms(n, minus)
            tail.append(last)
        tasks: list[Task] = [(n, minus, PRODUCT)]
        for term, minus in reversed(tail):
            flip = minus and self.arrangement.has_backward(term)  # x - m*(b - a) is x + m*(a - b)
            tasks += [" - " if minus and not flip else " + ", (term, flip, PRODUCT)]
        return tasks

    def _product(self, n: Expr, minus: bool) -> list[Task]:
        # (p/q)·x is written p*x/q, and (p/q)·(x/y) is written p*x/(q*y).
        p, q = 1, 1
        if n.op == MUL and n.a.op == CONST:
            p, q, n = n.a.a.numerator, n.a.a.denominator, n.b
        first, tail = self.arrangement.factors(n)
        factors = [("", first), *reversed(tail)]
        flip = -1
        if minus:  # one factor may take the sign: -m*(b - a) is m*(a - b)
            takes = [i for i, (_, f) in enumerate(factors) if f in self.arrangement.flippable]
            flip = max(takes, key=lambda i: self.arrangement.is_backward(factors[i][1]), default=-1)
        tasks: list[Task] = ["-"] if minus and flip < 0 else []
        if first is ONE or p != 1:
            tasks.append(str(p) if first is ONE else f"{p}*")
        for i, (operator, f) in enumerate(factors):
            if i == 0 and f is ONE:
                continue
            if i == len(factors) - 1 and operator == "/" and q != 1:
                return [*tasks, f"/({q}*", (f, i == flip, PRODUCT), ")"]
            tasks += [operator, (f, i == flip, FACTOR if operator else PRODUCT)]
        return [*tasks, f"/{q}"] if q != 1 else tasks
