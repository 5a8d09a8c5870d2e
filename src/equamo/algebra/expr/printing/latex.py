"""LaTeX printer; for reading only, unlike text, so sums and products are flattened."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, final

from ....basics.arguments import flag
from ....errors import ExpressionError
from ..closed_form.display import NOTEBOOK_WORK, simplified
from ..functions import ABS, SQRT, TABLE
from ..graph import (
    ADD,
    ATAN2,
    CONST,
    DIV,
    LAST_LEAF,
    MUL,
    NEG,
    PI,
    POW,
    SUB,
    SYMBOL,
    Expr,
)
from ..walk import walk
from .appearance import appearance
from .arrange import Arrangement, Key, natural_key
from .notation import Signed, distinct, name_to_latex, short_names

MAX_LENGTH: Final = 200_000  # characters
MAX_NOTEBOOK_LENGTH: Final = 5_000
_COMMANDS: Final = frozenset(("sin", "cos", "tan", "sinh", "cosh", "tanh", "log", "exp"))
_RAISED: Final = frozenset(("sin", "cos", "tan", "tanh"))  # sin²x is written \sin^{2} x
_WORDS: Final = (r"\mathit", r"\text")

LOOSE, TIGHT, BASE = range(3)  # a sum may stand here; a product; neither without parentheses
Task = str | tuple[Expr, int, bool]  # text, or (node, where it stands, with a minus sign)


def to_latex(
    expr: Expr,
    short: bool = False,
    width: int | None = None,
    notation: Mapping[str, str] | None = None,
    names: Mapping[Expr, str] | None = None,
    simplify: bool = False,
) -> str:
    r"""LaTeX of the expression.

    Args:
        expr: Expression.
        short: Write c_{1}, s_{12} for cosines and sines of coordinates.
        width: Break a sum into lines of about this many characters.
        notation: LaTeX of symbols, by name, that replaces the LaTeX made from the name.
        names: Names of nodes, as in `to_text`.
        simplify: Write the closed form, if it is within the budget.

    Raises:
        ExpressionError: The text is longer than 200,000 characters.

    >>> from equamo.algebra.expr import parse
    >>> print(to_latex(parse("m1*Lc1**2*cos(q1 + q2)*dq_1l/2")))
    \frac{L_{c1}^{2} m_{1} \dot q_{1l} \cos\left(q_{1} + q_{2}\right)}{2}
    >>> print(to_latex(parse("sin(q1 + q2)**2 - l*cos(q1)"), short=True))
    s_{12}^{2} - l c_{1}
    """
    short = flag("latex: short", short)
    if flag("latex: simplify", simplify):
        expr = simplified([expr])[0]
    try:
        writer = _Writer(expr, short, notation or {}, names or {}, MAX_LENGTH)
        return writer.write(expr) if width is None else writer.write_lines(expr, width)
    except _TooLongError:
        raise ExpressionError(
            f"LaTeX of an expression must have at most {MAX_LENGTH} characters. Use closed_form(), "
            "or equamo.algebra.expr.printing.latex.shared_latex, which writes each intermediate once."
        ) from None


def latex_lines(
    expr: Expr, width: int, short: bool = False, notation: Mapping[str, str] | None = None
) -> list[str]:
    """LaTeX of a sum in lines of about `width` characters, each with the sign of its first term.

    >>> from equamo.algebra.expr import parse
    >>> latex_lines(parse("alpha*a + b*c - d*e"), 9)
    ['a \\\\alpha + b c', '- d e']
    """
    try:
        return _Writer(expr, short, notation or {}, {}, MAX_LENGTH).lines(expr, width)
    except _TooLongError:
        raise ExpressionError(
            f"LaTeX of an expression must have at most {MAX_LENGTH} characters. Use closed_form()."
        ) from None


def repr_latex(expr: Expr) -> str | None:
    """LaTeX for a notebook; None if it is too long, and the notebook shows the text."""
    text = latex_within(simplified([expr], NOTEBOOK_WORK)[0], MAX_NOTEBOOK_LENGTH)
    return None if text is None else rf"$\displaystyle {text}$"


def latex_within(
    expr: Expr,
    limit: int,
    names: Mapping[Expr, str] | None = None,
    notation: Mapping[str, str] | None = None,
) -> str | None:
    r"""LaTeX of at most this many characters, or None.

    Args:
        expr: Expression.
        limit: Most characters.
        names: Names of nodes; those that do not occur cost nothing.
        notation: LaTeX of these names, by name.

    >>> from equamo.algebra.expr import parse
    >>> latex_within(parse("a + b"), 10), latex_within(parse("a + b"), 4)
    ('a + b', None)
    """
    used: dict[Expr, str] = {}
    if names:
        below = [x for inner in walk([expr], stop=names) for x in inner.args]
        used = {x: names[x] for x in (expr, *below) if x in names}
    try:
        return _Writer(expr, False, notation or {}, used, limit).write(expr)
    except _TooLongError:
        return None


def shared_latex(
    exprs: Sequence[Expr], prefix: str = "x", notation: Mapping[str, str] | None = None
) -> list[tuple[str, str]]:
    r"""LaTeX as (name, text) pairs, intermediates before their use; the expressions come last, unnamed.

    An intermediate is a node that is used more than once; they are named prefix1, prefix2 …
    `notation` is that of `to_latex`; intermediates look like none of its symbols.

    >>> from equamo.algebra.expr import parse
    >>> for name, text in shared_latex([parse("sin(a + b)**2 + cos(a + b)")]):
    ...     print(name, "=", text)
    x_{1} = a + b
     = \cos x_{1} + \sin^{2} x_{1}
    """
    order = walk(exprs)
    given = notation or {}
    known = {n.name for n in order if n.op == SYMBOL} | given.keys()
    taken = {appearance(given.get(x, name_to_latex(x))) for x in known}
    uses: dict[Expr, int] = {}
    for x in [x for n in order if n.op != NEG for x in n.args] + list(exprs):
        x = x.a if x.op == NEG else x  # a sign is not an intermediate
        uses[x] = uses.get(x, 0) + 1
    names: dict[Expr, str] = {}
    pairs: list[tuple[str, str]] = []
    count = 0
    for n in order:
        if n.op <= LAST_LEAF or n.op == NEG or uses.get(n, 0) < 2:
            continue
        count += 1
        while f"{prefix}{count}" in known or appearance(name_to_latex(f"{prefix}{count}")) in taken:
            count += 1
        pairs.append((name_to_latex(f"{prefix}{count}"), _body(n, names, given)))
        names[n] = f"{prefix}{count}"
    return pairs + [("", _body(e, names, given)) for e in exprs]


def _body(n: Expr, names: dict[Expr, str], notation: Mapping[str, str]) -> str:
    """LaTeX of a node that has no name yet or is one of the results."""
    below = [x for inner in walk([n], stop=names) for x in inner.args]
    used = {x: names[x] for x in (n, *below) if x in names}  # a writer sorts all names it gets
    return to_latex(n, names=used, notation=notation)


@final
class _TooLongError(Exception):
    """The text exceeds the limit."""


@final
class _Writer:
    """Writer of LaTeX from left to right, with pending pieces on a stack."""

    def __init__(
        self,
        root: Expr,
        short: bool,
        notation: Mapping[str, str],
        names: Mapping[Expr, str],
        limit: int,
    ) -> None:
        order = walk([root], stop=names)
        self.left = limit  # characters that may still be written
        if len(order) > 5 * limit:
            raise _TooLongError
        self.arrangement = Arrangement(order, names)
        called = {n: n.name for n in order if n.op == SYMBOL} | dict(names)
        parts = distinct(called, notation)
        # LaTeX of nodes that are written by name, and those of them with a dot.
        self.atoms = {n: name.latex for n, name in parts.items()}
        self.rates = {n for n, name in parts.items() if name.accent}
        self.opposite: dict[Expr, str] = {}  # s_{1-2} for the node that is written s_{2-1}
        if short:
            shorter, self.opposite = short_names(order, parts)
            self.atoms |= shorter

    def write(self, root: Expr) -> str:
        """LaTeX of a node."""
        return self._write([(root, LOOSE, False)])

    def write_lines(self, root: Expr, width: int) -> str:
        """LaTeX of a sum, broken into lines, in one environment."""
        lines = self.lines(root, width)
        if len(lines) == 1:
            return lines[0]
        body = " \\\\\n&\\quad ".join(lines)
        return rf"\begin{{aligned}}& {body}\end{{aligned}}"

    def lines(self, root: Expr, width: int) -> list[str]:
        """LaTeX of a sum, broken into lines."""
        lines = [""]
        for i, (term, minus) in enumerate(self._terms(root, False)):
            text = self._write(self._term(term, minus, i == 0))
            if i > 0 and visible_width(lines[-1]) + visible_width(text) > width:
                lines.append(text.lstrip())
            else:
                lines[-1] += text
        return lines

    def _write(self, tasks: list[Task]) -> str:
        out: list[str] = []
        stack = tasks[::-1]
        while stack:
            task = stack.pop()
            if isinstance(task, str):
                out.append(task)
                self.left -= len(task)
                if self.left < 0:
                    raise _TooLongError
            else:
                stack.extend(reversed(self._expand(*task)))
        return "".join(out)

    def _expand(self, n: Expr, place: int, minus: bool) -> list[Task]:
        """Pieces of ±n, one level down."""
        op = n.op
        sign = "-" if minus else ""
        if n in self.atoms:
            return [self.opposite[n] if minus and n in self.opposite else sign + self.atoms[n]]
        if op == PI or (op == CONST and n.a.denominator == 1):
            return [sign + (r"\pi" if op == PI else str(n.a))]
        if (place == BASE and op != ABS) or (place == TIGHT and op in (ADD, SUB, NEG)):
            return [r"\left(", (n, LOOSE, minus), r"\right)"]
        if op in (ADD, SUB, NEG):
            return self._sum(n, minus)
        if op in (CONST, MUL, DIV, POW):
            return self._product(n, minus)
        return self._function(n, 1, minus)

    # -- sums ------------------------------------------------------------------------------------
    def _terms(self, n: Expr, minus: bool) -> list[Signed]:
        terms: list[Signed] = []
        stack: list[Signed] = [(n, minus)]
        while stack:
            x, minus = stack.pop()
            if x in self.atoms or x.op not in (ADD, SUB, NEG):
                terms.append((x, minus))
            elif x.op == NEG:
                stack.append((x.a, not minus))
            else:
                first, second = self.arrangement.terms(x, minus)
                stack += [second, first]
            if len(terms) > self.left:
                raise _TooLongError
        return terms

    def _sum(self, n: Expr, minus: bool) -> list[Task]:
        terms = self._terms(n, minus)
        return [t for i, (x, minus) in enumerate(terms) for t in self._term(x, minus, i == 0)]

    def _term(self, x: Expr, minus: bool, first: bool) -> list[Task]:
        if first:
            return [(x, TIGHT, minus)]
        if minus and self.arrangement.has_backward(x):  # x - m (b - a) is x + m (a - b)
            tasks = self._expand(x, TIGHT, True)
            if not (isinstance(tasks[0], str) and tasks[0].startswith("-")):
                return [" + ", *tasks]
        return [" - " if minus else " + ", (x, TIGHT, False)]

    def _takes_sign(self, x: Expr) -> bool:
        """Whether -x is written without a sign: (b - a), sin(b - a)."""
        return x in self.opposite or (x not in self.atoms and x in self.arrangement.flippable)

    # -- products --------------------------------------------------------------------------------
    def _product(self, n: Expr, minus: bool) -> list[Task]:
        coefficient, *rows = self._factors(n)
        takes_sign: tuple[dict[Expr, int], Expr] | None = None
        if minus:  # one factor may take the sign: -m (b - a) is m (a - b)
            odd = [(row, x) for row in rows for x in row if row[x] % 2 and self._takes_sign(x)]
            takes_sign = max(odd, key=lambda at: self.arrangement.is_backward(at[1]), default=None)
        above, below = (
            self._row(number, row, takes_sign[1] if takes_sign and takes_sign[0] is row else None)
            for number, row in zip(coefficient.as_integer_ratio(), rows, strict=True)
        )
        if below != ["1"]:
            above = [r"\frac{", *above, "}{", *below, "}"]
        return ["-", *above] if minus and takes_sign is None else above

    def _factors(self, n: Expr) -> tuple[Fraction, dict[Expr, int], dict[Expr, int]]:
        """Split n into a number and powers of factors above and below the fraction bar."""
        coefficient = Fraction(1)
        above: dict[Expr, int] = {}
        below: dict[Expr, int] = {}
        stack = [(n, 1)]
        steps = 0
        while stack:
            steps += 1
            if steps > 5 * self.left:
                raise _TooLongError
            x, power = stack.pop()
            atom = x in self.atoms
            if x.op == CONST and not atom:
                coefficient *= Fraction(x.a) ** power
            elif x.op in (MUL, DIV) and not atom:
                stack += [(x.b, power if x.op == MUL else -power), (x.a, power)]
            elif x.op == POW and not atom:
                stack.append((x.a, power * x.b))
            else:
                side = above if power > 0 else below
                side[x] = side.get(x, 0) + abs(power)
        return coefficient, above, below

    def _row(self, number: int, factors: dict[Expr, int], flip: Expr | None) -> list[Task]:
        """Write a number and powers side by side; the minus sign goes into the factor `flip`."""
        pieces: list[list[Task]] = [[str(number)]] if number != 1 or not factors else []
        for x in sorted(factors, key=self._key):
            power = factors[x]
            raised = f"^{{{power}}}" if power != 1 else ""
            minus = x is flip or (power % 2 == 0 and self.arrangement.is_backward(x))
            if x in self.atoms or x.op == PI:
                base = self.opposite[x] if minus else self.atoms.get(x, r"\pi")
                is_raised = "^" in base or ("'" in base and not base.startswith(r"\text"))
                pieces.append([(f"{{{base}}}" if is_raised and raised else base) + raised])
            elif x.op >= ATAN2:
                pieces.append(self._function(x, power, minus))
            else:
                alone = len(factors) == 1 and number == 1
                pieces.append([(x, BASE if raised else LOOSE if alone else TIGHT, minus), raised])
        row: list[Task] = []
        for piece in pieces:
            row += [*([_gap(row[-1], piece[0])] if row else []), *piece]
        return row

    def _key(self, x: Expr) -> tuple[int, Key]:
        """Sort key: pi, symbols, rates, roots, sums, functions; no factor looks like an argument."""
        kind = 5 if x.op >= ATAN2 else 4
        if x.op in (SQRT, ABS):
            kind = 3
        if x.op == PI:
            kind = 0
        elif x.op == SYMBOL or x in self.arrangement.names:
            kind = 2 if x in self.rates else 1
        return kind, natural_key(self.arrangement.lead[x])

    # -- functions -------------------------------------------------------------------------------
    def _function(self, n: Expr, power: int, minus: bool) -> list[Task]:
        raised = "" if power == 1 else f"^{{{power}}}"
        flip = minus and n in self.arrangement.flippable
        sign: list[Task] = ["-"] if minus and not flip else []
        if n.op == ATAN2:
            call: list[Task] = [(n.a, LOOSE, False), ", ", (n.b, LOOSE, False)]
            call = [r"\operatorname{atan2}\left(", *call, r"\right)"]
            return [*sign, *(call if power == 1 else [r"\left(", *call, r"\right)", raised])]
        row = TABLE[n.op]
        flip = flip or (row.parity == "even" and n.a in self.arrangement.backward)
        argument: Task = (n.a, LOOSE, flip)
        if n.op == ABS:
            return [*sign, r"\left|", argument, rf"\right|{raised}"]
        inside = row.name in _RAISED
        if n.op == SQRT:
            call = [r"\sqrt{", argument, "}"]
        else:
            command = row.latex
            if command == rf"\{row.name}" and row.name not in _COMMANDS:
                command = rf"\operatorname{{{row.name}}}"
            command += raised if inside else ""
            call = [command, r"\left(", argument, r"\right)"]
            if (n.a in self.atoms or n.a.op == PI) and row.name != "exp":
                call = [command, " ", argument]
        return [*sign, *(call if inside or power == 1 else [r"\left(", *call, r"\right)", raised])]


def _gap(left: Task, right: Task) -> str:
    """Space between two factors: words such as mass and length need a visible one."""
    words = all(isinstance(x, str) and x.startswith(_WORDS) for x in (left, right))
    return r" \, " if words and "_" not in left else " "


def visible_width(latex: str) -> int:
    """Approximate width of typeset LaTeX, in characters."""
    latex = re.sub(r"\\(left|right|d?dot|frac|operatorname|text|mathit) ?|[{}_^]", "", latex)
    return len(re.sub(r"\\(?!sin|cos|tan|log|exp|arc)[A-Za-z]+ ?", "x", latex))
