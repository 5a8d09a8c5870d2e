r"""Meaning of the short names c_{1}, s_{12}, c_{1-2}, read from the names alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from ..expr import ZERO, Expr
from ..expr.functions import cos, sin
from ..expr.printing.symbol_name import given_latex

_TERM: Final = re.compile(r"([+-]?)([^+-]+)")


def short_name(name: str, coordinates: Sequence[Expr], notation: Mapping[str, str]) -> Expr | None:
    r"""Sine or cosine that a short name stands for; None if its index does not name coordinates.

    Args:
        name: LaTeX such as s_{12}.
        coordinates: The robot's coordinates.
        notation: LaTeX of the coordinates, by name.

    >>> from equamo.expr import symbol
    >>> q = [symbol("q1"), symbol("q2")]
    >>> short_name("c_{1-2}", q, {"q1": "q_{1}", "q2": "q_{2}"})
    cos(q1 - q2)
    """
    labels = {_label(notation[x.name]): x for x in coordinates if x.name in notation}
    function, index = (sin if name[0] == "s" else cos), name[3:-1]
    angle = ZERO
    for sign, text in _TERM.findall(index):
        parts = [text] if text in labels else list(text)  # 12 is 1 + 2, unless a q_{12} exists
        if not all(x in labels for x in parts):
            return None
        for k, part in enumerate(parts):
            negative = sign == "-" and k == 0
            angle = angle - labels[part] if negative else angle + labels[part]
    return function(angle)


def _label(latex: str) -> str:
    """Index of an angle q or theta; any other coordinate stands for itself."""
    parts = given_latex(latex)
    if parts.subscripts and parts.base in ("q", "theta"):
        return parts.subscript
    return latex
