r"""Meaning of the short names c_{1}, s_{12}, c_{1-2}, read from the names alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ..expr import ZERO, Expr
from ..expr.functions import COS, SIN, cos, sin
from ..expr.printing.appearance import appearance
from ..expr.printing.symbol_name import given_latex
from ..expr.walk import symbols, walk
from ..model.robot import Robot

_TERM: Final = re.compile(r"([+-]?)([^+-]+)")


def angles(robot: Robot) -> list[Expr]:
    """Symbols that occur in sines and cosines: the coordinates, and parameters that are angles."""
    inside = [x.a for x in walk(robot.expressions()) if x.op in (SIN, COS)]
    return list(dict.fromkeys((*robot.joint_coordinates, *robot.q, *symbols(inside))))


def are_clear(symbols: Sequence[Expr], notation: Mapping[str, str]) -> bool:
    r"""Whether c_{1} and c_{12} have one meaning: indices differ, none looks like several others, and
    no symbol looks like a short name.

    >>> from equamo.expr import symbol
    >>> q = [symbol("q1"), symbol("q2"), symbol("q12")]
    >>> notation = {"q1": "q_{1}", "q2": "q_{2}", "q12": "q_{12}"}
    >>> are_clear(q[:2], notation), are_clear(q, notation)
    (True, False)
    """
    labels = [appearance(_label(notation[x.name])) for x in symbols]
    known = set(labels)
    indices = {x[3:-1] for x in map(appearance, notation.values()) if x[:3] in ("c_{", "s_{")}
    sums = [x for x in known if len(x) > 1 and set(x) <= known]
    names = [x for x in indices if all(y in known or set(y) <= known for y in re.split("[+−]", x))]
    return len(known) == len(labels) and not sums and not names


def short_name(name: str, meaning: Callable[[str], Mapping[str, Expr]]) -> Expr | None:
    r"""Sine or cosine that a short name stands for; None if its index does not name coordinates.

    Args:
        name: LaTeX such as s_{12}.
        meaning: Symbols in a formula, by their LaTeX.

    >>> from equamo.expr import symbol
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


def _label(latex: str) -> str:
    """Index of an angle q or theta; any other coordinate stands for itself."""
    parts = given_latex(latex)
    if parts.subscripts and parts.base in ("q", "theta"):
        return parts.subscript
    return latex
