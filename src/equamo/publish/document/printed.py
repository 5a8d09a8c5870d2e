r"""Printed form of a value: closed forms, in lines that fit the page.

The printed expression, `form`, may contain names of components of earlier
quantities. The proof compares `form`, with the names replaced by what they stand for, with the computed
value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final
from weakref import WeakKeyDictionary

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.closed_form.closed_form import closed_form, closed_form_or_none
from ...algebra.expr.printing.latex import latex_lines, to_latex, visible_width
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...mechanics.kinematics.steps import Value

WIDTH: Final = 88  # characters of a line of the page, at most
BUDGET: Final = 200_000  # of the closed form of an entry; if it is not enough, the default is tried


# Results appear in several equations of a paper: entry by entry, in a matrix, in a sum.
_closed: WeakKeyDictionary[Expr, dict[int, Expr]] = WeakKeyDictionary()


def closed(value: Value, budget: int = BUDGET) -> Value:
    """Closed form of every entry."""
    return mapped(value, lambda entries: [_closed_once(x, budget) for x in entries])


def _closed_once(x: Expr, budget: int) -> Expr:
    known = _closed.setdefault(x, {})
    if budget not in known:
        form = closed_form_or_none(x, budget)
        known[budget] = closed_form(x) if form is None and budget == BUDGET else form or x
    return known[budget]


def mapped(value: Value, change: Callable[[list[Expr]], Sequence[Expr]]) -> Value:
    """A value with all its entries changed in one call."""
    if isinstance(value, Expr):
        return change([value])[0]
    return value.map(change)


def entries(value: Value) -> list[Expr]:
    """All entries of a value, row by row."""
    return [value] if isinstance(value, Expr) else list(value.entries)


def is_zero(value: Value) -> bool:
    """Whether every entry is the number 0."""
    return all(x is ZERO for x in entries(value))


def as_scalar(value: Value) -> Expr:
    """A value that must be a single expression."""
    assert isinstance(value, Expr)
    return value


def inserted(form: Value, meaning: Mapping[Expr, Expr]) -> Value:
    """The form with every name replaced by what it stands for."""
    return mapped(form, lambda x: substitute(x, meaning)) if meaning else form


def width_of(form: Value, short: bool, notation: Mapping[str, str]) -> int:
    """Width of a value on the page, in characters: the sum of the widths of its columns."""
    if isinstance(form, Expr):
        return visible_width(to_latex(form, short, notation=notation))
    rows = [[x] for x in form] if isinstance(form, Vector) else [[*r] for r in form.rows]
    texts = [[visible_width(to_latex(x, short, notation=notation)) for x in r] for r in rows]
    return sum(max(column) + 2 for column in zip(*texts, strict=True))


def latex_of(
    form: Value, short: bool, notation: Mapping[str, str], room: int = WIDTH, row: bool = False
) -> tuple[str, ...]:
    r"""LaTeX of a form, in lines; a matrix and a vector have one.

    Args:
        form: What is printed.
        short: Write c_{1}, s_{12} for cosines and sines of coordinates.
        notation: LaTeX of symbols, by name.
        room: Width of a line, in characters.
        row: Write a vector as a transposed row.

    >>> from equamo.algebra.expr import parse
    >>> latex_of(Vector([parse("a*b"), 0, 1]), False, {}, row=True)
    ('\\begin{bmatrix} a b & 0 & 1 \\end{bmatrix}^{\\mathsf{T}}',)
    """
    if isinstance(form, Expr):
        return tuple(latex_lines(form, max(room, WIDTH // 2), short, notation))
    rows = [[x] for x in form] if isinstance(form, Vector) else [[*r] for r in form.rows]
    texts = [[to_latex(x, short, notation=notation) for x in r] for r in rows]
    width = sum(visible_width(x) + 2 for r in texts for x in r)
    if isinstance(form, Vector) and (row or len(form) > 3) and width < room:
        body = " & ".join(r[0] for r in texts)
        return (rf"\begin{{bmatrix}} {body} \end{{bmatrix}}^{{\mathsf{{T}}}}",)
    body = r" \\ ".join(" & ".join(r) for r in texts)
    return (rf"\begin{{bmatrix}} {body} \end{{bmatrix}}",)
