"""Syntax trees of printed formulas.

The readers of text and of LaTeX build these trees; `evaluation` computes their value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, final

Kind = Literal[
    "number", "name", "text", "call", "quantity", "negative", "+", "-", "*", "/", "**",
    "dot", "cross", "transpose", "index", "range", "list", "value",
]  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class Node:
    """Node of a syntax tree; `position` is the index of its character in the text."""

    kind: Kind
    position: int
    # The number (Fraction), name or text; of a call, its name; of a list, "row" if LaTeX prints a row
    value: Any = None
    children: tuple[Node, ...] = ()
    keywords: tuple[tuple[str, Node], ...] = ()
    rows: tuple[tuple[Node, ...], ...] = ()  # rows of a list: [a, b; c, d]

    def walk(self) -> Iterator[Node]:
        """This node and all nodes below it."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += node.children
            stack += [child for _, child in node.keywords]
            stack += [child for row in node.rows for child in row]


@final
@dataclass(frozen=True, slots=True)
class Source:
    """Text of a formula, and the sides of its `=` signs as trees."""

    text: str
    sides: tuple[Node, ...]
    latex: bool = False

    @property
    def tree(self) -> Node:
        """Tree of a formula that is not an equation."""
        return self.sides[0]

    @property
    def is_equation(self) -> bool:
        return len(self.sides) > 1
