"""What a printed formula says, before anything is known about its names: a tree of nodes.

Both readers, of text and of LaTeX, make these trees; `evaluation` gives them a value.
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
    """One operation; `position` counts characters of the text it was read from."""

    kind: Kind
    position: int
    value: Any = None  # of a number (Fraction), name, text or call (its name)
    children: tuple[Node, ...] = ()
    keywords: tuple[tuple[str, Node], ...] = ()
    rows: tuple[tuple[Node, ...], ...] = ()  # of a list: [a, b; c, d]

    def walk(self) -> Iterator[Node]:
        """This node and all below it."""
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
    """A formula as it was given: its text, and the sides of its `=` signs as trees."""

    text: str
    sides: tuple[Node, ...]
    latex: bool = False

    @property
    def tree(self) -> Node:
        """The formula, where it is no equation."""
        return self.sides[0]

    @property
    def is_equation(self) -> bool:
        return len(self.sides) > 1
