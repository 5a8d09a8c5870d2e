"""LaTeX of expressions. Unlike text it is for reading only: sums and products are flattened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final, final

from ..errors import ExpressionError
from .arrange import Arrangement, Key, natural_key
from .functions import ABS, COS, SIN, SQRT, TABLE
from .graph import (
    ADD,
    ATAN2,
    CONST,
    DIV,
    FIRST_FUNCTION,
    MUL,
    NEG,
    PI,
    POW,
    SUB,
    SYMBOL,
    Expr,
)
from .notation import name_to_latex, verbatim
from .walk import walk

MAX_LENGTH: Final = 200_000  # characters
MAX_NOTEBOOK_LENGTH: Final = 5_000
_COMMANDS: Final = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh coth exp log ln arcsin arccos arctan max min".split()
)
_RAISED: Final = frozenset(("sin", "cos", "tan", "tanh"))  # sin²x is written \sin^{2} x

LOOSE, TIGHT, BASE = range(3)  # a sum may stand here; a product; neither without parentheses
Task = str | tuple[Expr, int, bool]  # text, or (node, where it stands, with a minus sign)
Signed = tuple[Expr, bool]  # a term, and whether it is subtracted


def to_latex(
    expr: Expr,
    short: bool = False,
    width: int | None = None,
    notation: Mapping[str, str] | None = None,
    names: Mapping[Expr, str] | None = None,
) -> str:
    r"""LaTeX of the expression.

    `short` writes c_{1}, s_{12} for cosines and sines of coordinates; `width` breaks a sum into lines
    of about so many characters; `notation` gives the LaTeX of symbols by name, where it is not to be
    made from the name; `names` gives nodes a name as `to_text` does.

    >>> from equamo.expr import parse
    >>> print(to_latex(parse("m1*Lc1**2*cos(q1 + q2)*dq_1l/2")))
    \frac{\dot q_{1l} L_{c1}^{2} m_{1} \cos\left(q_{1} + q_{2}\right)}{2}
    >>> print(to_latex(parse("sin(q1 + q2)**2 - l*cos(q1)"), short=True))
    s_{12}^{2} - l c_{1}
    """
    writer = _Writer(expr, short, notation or {}, names or {})
    text = writer.write(expr, MAX_LENGTH) if width is None else writer.write_lines(expr, width)
    if text is None:
        raise ExpressionError(
            f"The LaTeX of this expression is longer than {MAX_LENGTH} characters. Use closed_form(), "
            "or give names to its intermediates (equamo.expr.text.shared_text lists them)."
        )
    return text


def repr_latex(expr: Expr) -> str | None:
    """What a notebook shows; None (it then shows the text) if that is too long."""
    text = _Writer(expr, False, {}, {}).write(expr, MAX_NOTEBOOK_LENGTH)
    return None if text is None else rf"$\displaystyle {text}$"


@final
class _TooLong(Exception):
    pass


@final
class _Writer:
    """Writes from left to right; what is still to be written waits on a stack."""

    def __init__(
        self, root: Expr, short: bool, notation: Mapping[str, str], names: Mapping[Expr, str]
    ) -> None:
        order = walk([root], stop=names)
        self.arrangement = Arrangement(order, names)
        called = {n: n.a for n in order if n.op == SYMBOL} | dict(names)
        self.atoms = _distinct(called, notation)  # nodes that are written as they stand here
        self.opposite: dict[Expr, str] = {}  # s_{1-2} for the node that is written s_{2-1}
        if short:
            shorter, self.opposite = _short_names(order, self.atoms)
            self.atoms |= shorter

    def write(self, root: Expr, limit: int) -> str | None:
        """LaTeX of a node, None if longer than the limit."""
        try:
            return self._write([(root, LOOSE, False)], limit)
        except _TooLong:
            return None

    def write_lines(self, root: Expr, width: int) -> str | None:
        """LaTeX of a sum broken into lines, None if longer than MAX_LENGTH."""
        try:
            terms = self._terms(root, False, MAX_LENGTH)
            lines, left = [""], MAX_LENGTH
            for i, (term, minus) in enumerate(terms):
                text = self._write(self._term(term, minus, i == 0), left)
                left -= len(text)
                if i > 0 and _visible(lines[-1]) + 1 + _visible(text) > width:
                    lines.append(text.lstrip())
                else:
                    lines[-1] += text
        except _TooLong:
            return None
        if len(lines) == 1:
            return lines[0]
        body = " \\\\\n&\\quad ".join(lines)
        return rf"\begin{{aligned}}& {body}\end{{aligned}}"

    def _write(self, tasks: list[Task], limit: int) -> str:
        out: list[str] = []
        stack = tasks[::-1]
        while stack:
            task = stack.pop()
            if isinstance(task, str):
                out.append(task)
                limit -= len(task)
                if limit < 0:
                    raise _TooLong
            else:
                stack.extend(reversed(self._expand(*task, limit)))
        return "".join(out)

    def _expand(self, n: Expr, place: int, minus: bool, limit: int) -> list[Task]:
        """What ±n consists of, one level down."""
        op = n.op
        sign = "-" if minus else ""
        if n in self.atoms:
            return [self.opposite[n] if minus and n in self.opposite else sign + self.atoms[n]]
        if op == PI or (op == CONST and n.a.denominator == 1):
            return [sign + (r"\pi" if op == PI else str(n.a))]
        if place == BASE and op != ABS or place == TIGHT and op in (ADD, SUB, NEG):
            return [r"\left(", (n, LOOSE, minus), r"\right)"]
        if op in (ADD, SUB, NEG):
            return self._sum(n, minus, limit)
        if op in (CONST, MUL, DIV, POW):
            return self._product(n, minus, limit)
        return self._function(n, 1, minus)

    # -- sums --------------------------------------------------------------------------------------
    def _terms(self, n: Expr, minus: bool, limit: int) -> list[Signed]:
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
            if len(terms) > limit:
                raise _TooLong
        return terms

    def _sum(self, n: Expr, minus: bool, limit: int) -> list[Task]:
        terms = self._terms(n, minus, limit)
        return [t for i, (x, minus) in enumerate(terms) for t in self._term(x, minus, i == 0)]

    def _term(self, x: Expr, minus: bool, first: bool) -> list[Task]:
        if first:
            return [(x, TIGHT, minus)]
        if minus and self.arrangement.has_backward(x):
            return [" + ", (x, TIGHT, True)]
        return [" - " if minus else " + ", (x, TIGHT, False)]

    def _takes_sign(self, x: Expr) -> bool:
        """Whether -x is written without a sign: (b - a), sin(b - a)."""
        return x in self.opposite or (x not in self.atoms and x in self.arrangement.flippable)

    # -- products ----------------------------------------------------------------------------------
    def _product(self, n: Expr, minus: bool, limit: int) -> list[Task]:
        coefficient, above, below = self._factors(n, limit)
        flip = None
        if minus:  # one factor may take the sign: -m (b - a) is m (a - b)
            odd = [x for row in (above, below) for x in row if row[x] % 2 and self._takes_sign(x)]
            flip = max(odd, key=self.arrangement.is_backward, default=None)
        p, q = coefficient.numerator, coefficient.denominator
        tasks = self._row(p, above, flip)
        if q != 1 or below:
            tasks = [r"\frac{", *tasks, "}{", *self._row(q, below, None if flip in above else flip), "}"]
        return ["-", *tasks] if minus and flip is None else tasks

    def _factors(self, n: Expr, limit: int) -> tuple[Fraction, dict[Expr, int], dict[Expr, int]]:
        """n as a number, and powers of factors above and below the fraction bar."""
        coefficient = Fraction(1)
        above: dict[Expr, int] = {}
        below: dict[Expr, int] = {}
        stack = [(n, 1)]
        while stack:
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
                limit -= 1
            if limit < 0:
                raise _TooLong
        return coefficient, above, below

    def _row(self, number: int, factors: dict[Expr, int], flip: Expr | None) -> list[Task]:
        """A number and powers side by side; the minus sign goes into the factor `flip`."""
        pieces: list[list[Task]] = [[str(number)]] if number != 1 or not factors else []
        for x in sorted(factors, key=self._key):
            power = factors[x]
            raised = f"^{{{power}}}" if power != 1 else ""
            minus = x is flip or (power % 2 == 0 and self.arrangement.is_backward(x))
            if x in self.atoms or x.op == PI:
                base = self.opposite[x] if minus else self.atoms.get(x, r"\pi")
                pieces.append([(f"{{{base}}}" if "^" in base and raised else base) + raised])
            elif x.op >= ATAN2:
                pieces.append(self._function(x, power, minus))
            else:
                alone = len(factors) == 1 and number == 1
                pieces.append([(x, BASE if raised else LOOSE if alone else TIGHT, minus), raised])
        return [t for i, piece in enumerate(pieces) for t in ([" "] * (i > 0) + piece)]

    def _key(self, x: Expr) -> tuple[int, Key]:
        """pi, symbols, rates, roots, sums, functions: no factor can be taken for an argument."""
        kind = 5 if x.op >= ATAN2 else 4
        if x.op in (SQRT, ABS):
            kind = 3
        if x.op == PI:
            kind = 0
        elif x.op == SYMBOL or x in self.arrangement.names:
            kind = 2 if self.atoms[x].startswith((r"\dot", r"\ddot")) else 1
        return kind, natural_key(self.arrangement.lead[x])

    # -- functions ---------------------------------------------------------------------------------
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


def _distinct(called: Mapping[Expr, str], notation: Mapping[str, str]) -> dict[Expr, str]:
    """LaTeX of named nodes; where two would look the same, the later ones are shown verbatim."""
    atoms: dict[Expr, str] = {}
    taken = set(notation.values())
    for n, name in sorted(called.items(), key=lambda item: natural_key(item[1])):
        text = notation.get(name)
        if text is None:
            text = name_to_latex(name)
            text = verbatim(name) if text in taken else text
            taken.add(text)
        atoms[n] = text
    return atoms


# -- c_{1}, s_{12} -----------------------------------------------------------------------------------
def _short_names(
    order: Iterable[Expr], atoms: Mapping[Expr, str]
) -> tuple[dict[Expr, str], dict[Expr, str]]:
    """LaTeX of sin and cos of sums of coordinates whose subscripts say which; and of sin(-x)."""
    subscripts: dict[Expr, tuple[str, str]] = {}  # of a sin or cos node: those of x and -x
    meaning: dict[str, set[frozenset[frozenset[Signed]]]] = {}  # angles, up to their sign
    for n in order:
        angle = _angle(n.a, atoms) if n.op in (SIN, COS) and n not in atoms else None
        if angle is None:
            continue
        turned = [(x, not minus) for x, minus in angle]
        both = [_subscript(terms, atoms, even=n.op == COS) for terms in (angle, turned)]
        if both[0] is not None and both[1] is not None:
            subscripts[n] = both[0], both[1]
            for text in subscripts[n]:
                meaning.setdefault(text, set()).add(frozenset((frozenset(angle), frozenset(turned))))
    symbols = set(atoms.values())
    short: dict[Expr, str] = {}
    opposite: dict[Expr, str] = {}
    for n, both in subscripts.items():
        texts = [f"{'s' if n.op == SIN else 'c'}_{{{text}}}" for text in both]
        if all(len(meaning[t]) == 1 for t in both) and symbols.isdisjoint(texts):
            short[n] = texts[0]
            if n.op == SIN and not both[1].startswith("-"):
                opposite[n] = texts[1]
    return short, opposite


def _angle(x: Expr, atoms: Mapping[Expr, str]) -> list[Signed] | None:
    """Terms of a sum of a few distinct symbols, else None."""
    terms: list[Signed] = []
    stack: list[Signed] = [(x, False)]
    while stack:
        y, minus = stack.pop()
        if y in atoms:
            terms.append((y, minus))
        elif y.op in (ADD, SUB) and len(stack) < 10:
            stack += [(y.a, minus), (y.b, minus != (y.op == SUB))]
        elif y.op == NEG:
            stack.append((y.a, not minus))
        else:
            return None
    return terms if len({y for y, _ in terms}) == len(terms) else None


def _subscript(angle: list[Signed], atoms: Mapping[Expr, str], even: bool) -> str | None:
    labels: list[tuple[str, bool]] = []
    for x, minus in angle:
        text = atoms[x]
        found = re.fullmatch(r"(\\?[A-Za-z]+)(?:_(?:\{([^{}]+)\}|(\w)))?", text)
        if found is None:
            return None
        subscript = found[2] or found[3]
        labels.append((subscript if subscript and found[1] in ("q", r"\theta") else text, minus))
    labels.sort(key=lambda item: natural_key(item[0]))
    if even and labels[0][1]:
        labels = [(text, not minus) for text, minus in labels]
    labels.sort(key=lambda item: item[1])  # those with a plus sign first
    plus = "" if all(len(text) == 1 for text, _ in labels) else "+"
    signed = ["-" + text if minus else plus + text for text, minus in labels]
    return "".join(signed).removeprefix("+")


def _visible(latex: str) -> int:
    """About how many characters wide the LaTeX will be."""
    latex = re.sub(r"\\(left|right|d?dot|frac|operatorname|text|mathit) ?|[{}_^]", "", latex)
    return len(re.sub(r"\\(?!sin|cos|tan|log|exp|arc)[A-Za-z]+ ?", "x", latex))
