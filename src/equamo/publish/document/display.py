"""Numbered equations as aligned lines, the same in every format, and notes on why they hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, final

from .blocks import Equation
from .line_breaks import broken
from .matrix_breaks import narrowed
from .widths import LINE, width

TALL: Final = 14  # fewest lines of an equation that may be split across pages
_PART: Final = 16.0  # ems of a left side that gets its own line if the equation is too long


@final
class Line(NamedTuple):
    """Line of an equation: the parts left and right of the alignment point."""

    left: str
    right: str


def lines(equation: Equation, limit: float = LINE) -> list[Line]:
    r"""Lines of an equation, aligned at their equals signs.

    Args:
        equation: The equation.
        limit: Widest line that keeps several members together, in ems.

    >>> lines(Equation(1, "E", (r"\frac{1}{2} m v^{2}",), rule="E_{1}"))
    [Line(left='E', right='= E_{1} = \\frac{1}{2} m v^{2}')]
    >>> lines(Equation(1, "E", ("a", "+ b")))
    [Line(left='E', right='= a'), Line(left='', right='\\quad + b')]
    """
    left, rule, (first, *more) = equation.left, equation.rule, equation.lines
    members = [x for x in (rule, first) if x]
    whole = " = ".join(members)
    equals = "= " if left else ""
    if not more and (len(members) == 1 or width(f"{left} = {whole}") <= limit):
        result = [Line(left, equals + whole)]
    else:
        result = [Line(left, equals + members[0])]
        result += [Line("", f"= {x}") for x in members[1:]]
        result += [Line("", rf"\quad {x}") for x in more]
    if width(left) > _PART and total_width(result) > limit:
        head, *tail = result
        result = [Line("", left), Line("", rf"\quad {head.right}")]
        result += [Line("", rf"\quad {x.right}") for x in tail]
    room = limit - max(width(x.left) for x in result)
    return [
        Line(x.left if k == 0 else "", text if k == 0 else rf"\quad {text}")
        for x in result
        for k, text in enumerate(broken(narrowed(x.right, room), room))
    ]


def total_width(shown: list[Line]) -> float:
    """Width of aligned lines, in ems."""
    return max(width(x.left) for x in shown) + max(width(x.right) for x in shown)


def note(equation: Equation) -> str:
    """Why an equation holds, as prose: from which equations, and what was proved.

    >>> from equamo.algebra.expr import ONE
    >>> note(Equation(14, "E", ("a",), follows=(9, 12), how="closed form", value=ONE))
    'from (9), (12): proved, closed form'
    >>> note(Equation(14, "E", ("a",), follows=(1, 2, 3, 4, 6), how="6 instances"))
    'from (1)–(4), (6): instances proved, 6 instances'
    >>> note(Equation(14, "E", ("a",), follows=(9,), standing="refuted"))
    'from (9): refuted'
    """
    origin = f"from {_ranges(equation.follows)}" if equation.follows else ""
    verdict = "" if equation.standing in ("definition", "law") else equation.standing
    if verdict == "proved" and equation.value is None and equation.left_value is None:
        verdict = "instances proved"
    if verdict and equation.how:
        verdict = f"{verdict}, {equation.how}"
    return ": ".join(x for x in (origin, verdict) if x)


def _ranges(numbers: Sequence[int]) -> str:
    """References to equations; three or more in a row are given as a range."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    texts: list[str] = []
    for run in runs:
        texts += [f"({run[0]})–({run[-1]})"] if len(run) > 2 else [f"({n})" for n in run]
    return ", ".join(texts)
