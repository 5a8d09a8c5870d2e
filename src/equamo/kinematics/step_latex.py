r"""LaTeX of a recorded step: the quantity, and its value in the names of the steps it was computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..expr import Expr
from ..expr.matrix import Matrix
from ..expr.printing.latex import latex_within
from .quantity_latex import quantity_latex
from .quantity_name import QuantityName

if TYPE_CHECKING:
    from .steps import Step, Value

LONGEST: Final = 2_000  # characters of a value; a longer one is not written
_AXES: Final = "xyz"


def step_latex(step: Step, labels: Mapping[str, str] | None = None) -> str:
    r"""LaTeX of a step, such as \boldsymbol{\omega}_{2} = ….

    A node that is a component of an input is written by the name of that component. Nothing is computed
    again: what is written is the recorded value.

    Args:
        step: The step.
        labels: LaTeX of bodies and speeds, by name; others are written by their name.

    >>> from equamo.equations import derivation
    >>> from equamo.robots import load
    >>> steps = derivation(load("rr_arm"), by="lagrange").steps
    >>> print(next(step_latex(x) for x in steps if x.quantity.text == "M_dq2_dq2"))
    M_{dq2,dq2} = I_{2} + L_{c2}^{2} m_{2}
    """
    known = labels or {}
    names: dict[Expr, str] = {}
    notation: dict[str, str] = {}
    for source in _ancestors(step):
        for part, node in _components(source.quantity, source.result):
            if node.args and node not in names:
                names[node] = part.text
                notation[part.text] = quantity_latex(part, known)
    sign = "-" if step.quantity.minus else ""
    left = quantity_latex(replace(step.quantity, minus=False), known)
    return f"{sign}{left} = {_value(step.result, names, notation)}"


def _ancestors(step: Step) -> list[Step]:
    """Steps that a step was computed from, the nearest first."""
    found = dict.fromkeys(step.inputs)
    queue = list(found)
    for source in queue:
        new = [x for x in source.inputs if x not in found]
        found |= dict.fromkeys(new)
        queue += new
    return queue


def _components(name: QuantityName, value: Value) -> Iterator[tuple[QuantityName, Expr]]:
    """Components of a quantity with their names; of a size other than 3, none."""
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
            text = latex_within(x, left, names, notation)
            if text is None:
                return r"\ldots"
            left -= len(text)
            texts[-1].append(text)
    if isinstance(value, Expr):
        return texts[0][0]
    body = r" \\ ".join(" & ".join(row) for row in texts)
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"
