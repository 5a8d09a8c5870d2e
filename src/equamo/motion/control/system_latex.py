"""LaTeX of linear systems, with the names of states and inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...algebra.expr.printing.latex_arrays import bmatrix
from ...algebra.expr.printing.notation import name_to_latex

NOTEBOOK_LENGTH: Final = 5_000  # most characters that a notebook typesets


def system_latex(
    states: Sequence[str],
    inputs: Sequence[str],
    A: str,
    B: str,
    drift: str = "",
    discrete: bool = False,
) -> str:
    r"""LaTeX of ẋ = A x + B u + drift, or of the discrete system, for LaTeX of the matrices.

    >>> print(system_latex(["x"], [], "A", "B"))
    \frac{d}{dt} \begin{bmatrix} x \end{bmatrix} = A \begin{bmatrix} x \end{bmatrix}
    """
    x, u = (bmatrix([[name_to_latex(n)] for n in names]) for names in (states, inputs))
    now = "_{k}" if discrete else ""
    left = f"{x}_{{k+1}}" if discrete else rf"\frac{{d}}{{dt}} {x}"
    terms = [f"{A} {x}{now}"]
    if inputs:
        terms.append(f"{B} {u}{now}")
    if drift:
        terms.append(drift)
    return f"{left} = {' + '.join(terms)}"


def notebook_text(latex: str) -> str | None:
    """LaTeX for a notebook; None if it is too long; the notebook then shows the text."""
    return f"$${latex}$$" if len(latex) <= NOTEBOOK_LENGTH else None
