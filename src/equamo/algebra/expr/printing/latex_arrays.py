"""LaTeX of vectors and matrices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....basics.arguments import flag
from ..closed_form.display import NOTEBOOK_WORK, simplified
from ..graph import Expr
from .latex import MAX_NOTEBOOK_LENGTH, latex_within, to_latex


def bmatrix(rows: Iterable[Iterable[str]]) -> str:
    r"""Matrix of LaTeX texts in square brackets.

    >>> print(bmatrix([["a", "b"], ["c", "d"]]))
    \begin{bmatrix} a & b \\ c & d \end{bmatrix}
    """
    body = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


def matrix_latex(rows: Sequence[Sequence[Expr]], short: bool, simplify: bool) -> str:
    """LaTeX of the entries, in closed form if requested."""
    entries = [x for row in rows for x in row]
    short = flag("latex: short", short)
    each = iter(simplified(entries) if flag("latex: simplify", simplify) else entries)
    return bmatrix([[to_latex(next(each), short=short) for _ in row] for row in rows])


def repr_matrix(rows: Sequence[Sequence[Expr]]) -> str | None:
    """LaTeX for a notebook; None if it is too long; the notebook then shows the text."""
    each = iter(simplified([x for row in rows for x in row], NOTEBOOK_WORK))
    left = MAX_NOTEBOOK_LENGTH
    texts: list[list[str]] = []
    for row in rows:
        texts.append([])
        for _ in row:
            text = latex_within(next(each), left)
            if text is None:
                return None
            left -= len(text)
            texts[-1].append(text)
    return rf"$\displaystyle {bmatrix(texts)}$"
