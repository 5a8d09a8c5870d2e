"""Trees of MATLAB and Octave: functions, statements and expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Node:
    """An expression: its kind, its text and its parts.

    kinds: number, text, name, unary, binary, postfix, index, field, matrix (its parts are rows), row,
    range, colon (all of an axis), end (the last index).
    """

    kind: str
    text: str
    parts: tuple[Node, ...]
    line: int


@final
@dataclass(frozen=True, slots=True)
class Statement:
    """A statement: assign, for, if, return.

    assign: `targets` get `value`; text is the operator. for: the one target runs over `value`.
    if: `branches` are (condition or None, statements).
    """

    kind: str
    line: int
    text: str = ""
    targets: tuple[Node | None, ...] = ()
    value: Node | None = None
    body: tuple[Statement, ...] = ()
    branches: tuple[tuple[Node | None, tuple[Statement, ...]], ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """A function of a file."""

    name: str
    arguments: tuple[str, ...]
    outputs: tuple[str, ...]
    body: tuple[Statement, ...]
    line: int
