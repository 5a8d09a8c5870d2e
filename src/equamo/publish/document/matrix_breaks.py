r"""Matrices that are wider than the line: their long entries are broken into lines.

A broken entry is \begin{aligned} … \end{aligned} inside the matrix; narrow columns keep their
width, and the others share what is left.
"""

from __future__ import annotations

import re
from typing import Final

from .line_breaks import broken
from .widths import width

_MATRIX: Final = re.compile(r"\\begin\{bmatrix\}((?:(?!\\begin\{).)*?)\\end\{bmatrix\}", re.DOTALL)
_GAP: Final = 1.0  # ems between columns


def narrowed(latex: str, limit: float) -> str:
    r"""A formula whose matrix has its long entries broken, if it is wider than the limit.

    >>> narrowed(r"\begin{bmatrix} a \\ b + c + d \end{bmatrix}", 5)
    '\\begin{bmatrix} a \\\\ \\begin{aligned} & b + c \\\\ & \\quad + d \\end{aligned} \\end{bmatrix}'
    """
    match = _MATRIX.search(latex)
    if match is None or width(latex) <= limit:
        return latex
    rows = [row.split(" & ") for row in match[1].strip().split(r" \\ ")]
    room = limit - (width(latex) - width(match[0])) - 1.0  # brackets
    widths = [max(width(row[k]) for row in rows) for k in range(len(rows[0]))]
    shares = _shares(widths, room - _GAP * (len(widths) - 1))
    body = r" \\ ".join(
        " & ".join(_entry(x, share) for x, share in zip(row, shares, strict=True)) for row in rows
    )
    matrix = rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"
    return latex[: match.start()] + matrix + latex[match.end() :]


def _shares(widths: list[float], room: float) -> list[float]:
    """Width that each column may have: its own if it is narrow, else an equal share of the rest."""
    shares = [0.0] * len(widths)
    left = room
    order = sorted(range(len(widths)), key=lambda k: widths[k])
    for done, k in enumerate(order):
        shares[k] = min(widths[k], left / (len(order) - done))
        left -= shares[k]
    return shares


def _entry(text: str, limit: float) -> str:
    lines = broken(text, max(limit, 4.0)) if width(text) > limit else [text]
    if len(lines) == 1:
        return text
    body = r" \\ ".join(f"& {x}" if k == 0 else rf"& \quad {x}" for k, x in enumerate(lines))
    return rf"\begin{{aligned}} {body} \end{{aligned}}"
