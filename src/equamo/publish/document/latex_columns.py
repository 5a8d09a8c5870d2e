r"""Columns of a table in LaTeX: as wide as their text, or paragraphs if the line is too short."""

from __future__ import annotations

from typing import Final

from .blocks import Table
from .prose import spans
from .widths import width

_PAGE: Final = 39.0  # ems of a line
_GAP: Final = 1.2  # ems between two columns
_SMALL, _CAPITAL = 0.52, 0.78  # ems of a letter


def table_columns(table: Table) -> str:
    r"""Specification of the columns.

    Columns that would be too wide together become paragraphs, the widest ones first.

    >>> table_columns(Table(("a", "b"), (("x", "y"),)))
    'll'
    >>> table_columns(Table(("a", "b"), (("x", "long text " * 9),)))
    'l>{\\raggedright\\arraybackslash}p{0.93\\linewidth}'
    """
    needs = [max(map(_width, cells)) for cells in zip(table.head, *table.rows, strict=True)]
    room = _PAGE - _GAP * len(needs)
    if sum(needs) <= room:
        return "l" * len(needs)
    narrow = sorted(range(len(needs)), key=lambda k: needs[k])
    share = 0.0
    while narrow and share < needs[narrow[-1]]:  # a paragraph is at least as wide as other columns
        narrow.pop()
        share = (room - sum(needs[k] for k in narrow)) / (len(needs) - len(narrow))
    wide = rf">{{\raggedright\arraybackslash}}p{{{share / _PAGE:.2f}\linewidth}}"
    return "".join("l" if k in narrow else wide for k in range(len(needs)))


def _width(cell: str) -> float:
    """Estimated width of a cell, in ems."""
    return sum(
        width(text) if kind == "maths" else sum(_CAPITAL if x.isupper() else _SMALL for x in text)
        for kind, text in spans(cell)
    )
