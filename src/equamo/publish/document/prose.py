"""Prose of blocks split into spans: plain text, formulas between dollar signs, code, references."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, Literal, NamedTuple

Kind = Literal["plain", "maths", "code", "reference"]

_SPAN: Final = re.compile(r"\$((?:\\.|[^$\\])+)\$|`([^`]+)`|\(([0-9]+)\)")


class Span(NamedTuple):
    """Part of a paragraph; the text of a reference is the number of the equation."""

    kind: Kind
    text: str


def spans(text: str, numbers: Collection[int] = ()) -> list[Span]:
    """Split a paragraph.

    Args:
        text: Prose of a block.
        numbers: Numbers of the equations; other numbers in parentheses are plain text.

    >>> spans("By (3), $q_1$ in `arm` is 2 (5).", {3})
    [Span(kind='plain', text='By '), Span(kind='reference', text='3'), Span(kind='plain', text=', '), ...
    """
    result: list[Span] = []
    end = 0
    for match in _SPAN.finditer(text):
        maths, code, number = match.groups()
        if number is not None and int(number) not in numbers:
            continue
        if match.start() > end:
            result.append(Span("plain", text[end : match.start()]))
        if maths is not None:
            result.append(Span("maths", maths))
        elif code is not None:
            result.append(Span("code", code))
        elif number is not None:
            result.append(Span("reference", number))
        end = match.end()
    if end < len(text):
        result.append(Span("plain", text[end:]))
    return result
