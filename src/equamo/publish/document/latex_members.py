r"""Numbered equations in the text of a LaTeX document: chains of members with = between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

_EQUATION: Final = re.compile(
    r"\\begin\{(?P<kind>equation|align)\}(?P<body>.*?)\\tag\{(?P<number>\d+)\}"
    r"|\\fit\{\n(?P<side>(?:(?!\\fit\{).)*?)\n\}\\hfill\((?P<side_number>\d+)\)",
    re.DOTALL,
)
_TAIL: Final = re.compile(r".*?\\end\{(?:equation|align)\}[^\n]*(?:\n\\why\{[^\n]*)?", re.DOTALL)
_TOKEN: Final = re.compile(r"\\[A-Za-z]+|\\.|\s+|[^\\{}&=\s]+|.", re.DOTALL)
_DEPTH: Final = {"{": 1, "}": -1, r"\begin": 1, r"\end": -1, r"\left": 1, r"\right": -1}
_LAYOUT: Final = frozenset(("&", r"\\", r"\notag", r"\quad"))
_SIZES: Final = frozenset((r"\left", r"\right", r"\bigl", r"\bigr", r"\quad"))
_FITTED: Final = re.compile(r"\\fit\{(.*)\}", re.DOTALL)
_ALIGNED: Final = re.compile(r"\\begin\{aligned\}(.*)\\end\{aligned\}", re.DOTALL)


def members_by_number(latex: str) -> dict[int, list[str]]:
    r"""Members of every numbered equation of a document, by its number.

    >>> members_by_number(r"\begin{equation} a &= b + c \\ &\quad + d \tag{3} \end{equation}")
    {3: ['a', 'b + c + d']}
    """
    found: dict[int, list[str]] = {}
    for number, body, _ in _numbered(latex):
        found[number] = members(body)
    return found


def twice(latex: str) -> set[int]:
    r"""Numbers that two equations have.

    >>> twice(r"\begin{equation} a \tag{3} \end{equation} \begin{align} b \tag{3} \end{align}")
    {3}
    """
    count = Counter(number for number, *_ in _numbered(latex))
    return {number for number, n in count.items() if n > 1}


def tails(latex: str) -> dict[int, str]:
    r"""What stands behind every numbered equation: the end of its environment, and why it holds.

    >>> tails("\\begin{equation} a \\tag{3} + b\n\\end{equation}}\n\\why{proved}\nSo")
    {3: '+b\\end{equation}}\\why{proved}'}
    """
    return {number: bare(tail) for number, _, tail in _numbered(latex)}


def _numbered(latex: str) -> Iterator[tuple[int, str, str]]:
    """(number, formula, what stands behind it) of every numbered equation."""
    for match in _EQUATION.finditer(latex):
        tail = ""
        if match["number"]:
            end = _TAIL.match(latex, match.end())
            tail = end[0] if end else latex[match.end() :]
        number = match["number"] or match["side_number"]
        yield int(number), match["body"] or match["side"], tail


def members(equation: str) -> list[str]:
    """Members of one equation, without the commands that place its lines."""
    text = equation.strip()
    for wrapper in (_FITTED, _ALIGNED):
        match = wrapper.fullmatch(text)
        text = match[1].strip() if match else text
    result = [""]
    depth = 0
    for token in _TOKEN.findall(text):
        depth += _DEPTH.get(token, 0)
        if depth == 0 and token == "=":
            result.append("")
        elif depth > 0 or token not in _LAYOUT:
            result[-1] += token
    return [plain(x) for x in result]


def plain(text: str) -> str:
    """Text with single spaces."""
    return " ".join(text.split())


def bare(text: str) -> str:
    r"""Text without spaces and without the commands that place and size its parts.

    >>> bare(r"\left(a \quad b\right)") == bare(r"\bigl(a b\bigr)")
    True
    """
    return "".join(x for x in _TOKEN.findall(text) if not x.isspace() and x not in _SIZES)
