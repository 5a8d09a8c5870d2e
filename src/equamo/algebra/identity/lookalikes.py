"""Lookalikes: symbols that differ in spelling only, such as a robot's q2 and a user's q_2.

A proof treats them as two symbols, and the second may be constant although the first is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..expr.graph import Expr
from ..expr.walk import symbols


def spelling_remarks(
    left: Sequence[Expr], right: Sequence[Expr], names: Iterable[str] = ()
) -> tuple[str, ...]:
    """A remark for each symbol that occurs on one side only and looks like one of the other side or of
    `names`.

    >>> from ..expr import parse
    >>> spelling_remarks([parse("cos(q2)")], [parse("cos(q_2)")])
    ('q2 and q_2 are two different symbols',)
    """
    known = set(names)
    here, there = ({x.name for x in symbols(side)} for side in (left, right))
    one_sided = {(a, b) for a in here ^ there for b in here | there | known if a != b}
    alike = {tuple(sorted(pair)) for pair in one_sided if len({_squeezed(x) for x in pair}) == 1}
    return tuple(f"{a} and {b} are two different symbols" for a, b in sorted(alike))


def _squeezed(name: str) -> str:
    return name.replace("_", "").replace("{", "").replace("}", "")
