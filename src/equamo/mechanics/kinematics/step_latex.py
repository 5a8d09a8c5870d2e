r"""LaTeX of a recorded step: the quantity, and its value in the names of earlier steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...algebra.expr import Expr
from ...algebra.expr.closed_form.closed_form import closed_form_or_none
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.printing.latex import latex_within
from .quantity_latex import quantity_latex
from .quantity_name import QuantityName

if TYPE_CHECKING:
    from .steps import Step, Value

LONG: Final = 160  # characters of an entry for which a closed form is tried
BUDGET: Final = 60_000  # of the closed form
LONGEST: Final = 2_000  # characters of a value; a longer one is not written
_AXES: Final = "xyz"


def step_latex(step: Step, labels: Mapping[str, str] | None = None) -> str:
    r"""LaTeX of a step, such as \boldsymbol{\omega}_{2} = ….

    A node that is a component of an earlier step is written by the name of that component. The
    recorded value is written; a long entry gets its closed form if that is shorter.

    Args:
        step: The step.
        labels: LaTeX of bodies and speeds, by name; others are written by their name.

    >>> from equamo.mechanics.equations import derivation
    >>> from equamo.robot.library import load
    >>> step = derivation(load("rr_arm"), by="recursive").steps[5]
    >>> print(step_latex(step, {"upper": "1", "fore": "2", "dq2": "2"}))
    \boldsymbol{F}_{1}^{(2)} = \begin{bmatrix} -F_{2,y}^{(2)} \sin q_{2} \\ F_{2,y}^{(2)} \cos q_{2} ...
    """
    known = labels or {}
    names: dict[Expr, str] = {}
    notation: dict[str, str] = {}
    for source in _ancestors(step):
        for part, node in components(source.quantity, source.result):
            if node.args and node not in names:
                names[node] = part.text
                notation[part.text] = quantity_latex(part, known)
    sign = "-" if step.quantity.minus else ""
    left = quantity_latex(replace(step.quantity, minus=False), known)
    return f"{sign}{left} = {_value(step.result, names, notation)}"


def _ancestors(step: Step) -> list[Step]:
    """Steps from which a step was computed, the nearest first."""
    found = dict.fromkeys(step.inputs)
    queue = list(found)
    for source in queue:
        new = [x for x in source.inputs if x not in found]
        found |= dict.fromkeys(new)
        queue += new
    return queue


def components(name: QuantityName, value: Value) -> Iterator[tuple[QuantityName, Expr]]:
    """Components of a quantity with their names; none if its size is not 3."""
    if name.minus:
        return
    if isinstance(value, Expr):
        yield name, value
    elif isinstance(value, Matrix):
        if value.shape == (3, 3):
            for i, row in enumerate(value.rows):
                for j, x in enumerate(row):
                    yield replace(name, component=_AXES[i] + _AXES[j]), x
    elif len(value) == 3:
        for i, x in enumerate(value):
            yield replace(name, component=_AXES[i]), x


def _value(value: Value, names: Mapping[Expr, str], notation: Mapping[str, str]) -> str:
    if isinstance(value, Expr):
        rows = [[value]]
    elif isinstance(value, Matrix):
        rows = [[*row] for row in value.rows]
    else:
        rows = [[x] for x in value]
    texts: list[list[str]] = []
    left = LONGEST
    for row in rows:
        texts.append([])
        for x in row:
            text = _entry(x, left, names, notation)
            if text is None:
                return r"\ldots"
            left -= len(text)
            texts[-1].append(text)
    if isinstance(value, Expr):
        return texts[0][0]
    body = r" \\ ".join(" & ".join(row) for row in texts)
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


def _entry(
    x: Expr, limit: int, names: Mapping[Expr, str], notation: Mapping[str, str]
) -> str | None:
    """LaTeX of an entry in names or in closed form, whichever is shorter; None if both are too long."""
    text = latex_within(x, limit, names, notation)
    if text is not None and len(text) <= LONG:
        return text
    closed = closed_form_or_none(x, BUDGET)
    other = None if closed is None else latex_within(closed, limit)
    return min((y for y in (text, other) if y is not None), key=len, default=None)
