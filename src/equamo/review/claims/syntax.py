"""Syntax trees of printed formulas.

The readers of text and of LaTeX build these trees; `evaluation` computes their value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
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


def form(node: Node) -> Hashable:
    """Structure of a tree, without positions and without the order in which a product is formed."""
    parts = _factors(node) if node.kind == "*" else node.children
    rows = tuple(tuple(map(form, row)) for row in node.rows)
    keywords = tuple((key, form(x)) for key, x in node.keywords)
    return (node.kind, node.value, tuple(map(form, parts)), keywords, rows)


def _factors(node: Node) -> list[Node]:
    if node.kind != "*":
        return [node]
    return [x for child in node.children for x in _factors(child)]


def same(first: Sequence[Node], second: Sequence[Node]) -> bool:
    """Whether two texts were read as the same trees."""
    return list(map(form, first)) == list(map(form, second))


def difference(first: Sequence[Node], second: Sequence[Node]) -> tuple[Node, Node] | None:
    """The smallest parts in which two readings differ; None if only one could be read."""
    if len(first) != len(second):
        return None
    a, b = next((a, b) for a, b in zip(first, second, strict=True) if form(a) != form(b))
    below = difference(a.children, b.children) if (a.kind, a.value) == (b.kind, b.value) else None
    pairs = zip(a.children, b.children, strict=False)
    alone = sum(form(x) != form(y) for x, y in pairs) == 1
    return below if below is not None and alone else (a, b)
