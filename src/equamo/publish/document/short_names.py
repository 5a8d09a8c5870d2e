r"""Meaning of the short names c_{1}, s_{12}, c_{1-2}, read from the names alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.functions import cos, sin

_TERM: Final = re.compile(r"([+-]?)([^+-]+)")


def short_name(name: str, meaning: Callable[[str], Mapping[str, Expr]]) -> Expr | None:
    r"""Sine or cosine that a short name stands for; None if its index does not name coordinates.

    Args:
        name: LaTeX such as s_{12}.
        meaning: Symbols in a formula, by their LaTeX.

    >>> from equamo.algebra.expr import symbol
    >>> q = {"q_{1}": symbol("q1"), "q_{2}": symbol("q2")}
    >>> short_name("c_{1-2}", lambda x: {x: q[x]} if x in q else {})
    cos(q1 - q2)
    """

    def symbol(index: str) -> Expr | None:
        spelled = (f"q_{{{index}}}", rf"\theta_{{{index}}}", index)
        found = [x for latex in spelled if (x := meaning(latex).get(latex)) is not None]
        return found[0] if len(found) == 1 else None

    function, index = (sin if name[0] == "s" else cos), name[3:-1]
    angle = ZERO
    for sign, text in _TERM.findall(index):
        whole = symbol(text)  # 12 is 1 + 2, unless a q_{12} exists
        parts = [symbol(x) for x in text] if whole is None else [whole]
        for k, part in enumerate(parts):
            if part is None:
                return None
            angle = angle - part if sign == "-" and k == 0 else angle + part
    return function(angle)
