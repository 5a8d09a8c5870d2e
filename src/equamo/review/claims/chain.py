"""Chains of equations a = b = c: the two sides of each `=`, and which of them is judged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from .claim import Formula
from .context import Context
from .syntax import Node


class Link(NamedTuple):
    """One equation of a chain; the label counts texts and equations from 1."""

    label: str
    left: Node
    right: Node

    @property
    def is_reversed(self) -> bool:
        """Whether the right side is judged: the left side is only a name, or a quantity of the robot."""
        return _is_reference(self.left) and not _is_reference(self.right)


def links(formula: Formula, context: Context) -> Iterator[Link]:
    """All equations in the texts of a formula, with the labels of `Context.equations`.

    >>> from .claim import Setting, formula
    >>> context = Context(Setting(), None, {}, {})
    >>> [(x.label, x.is_reversed) for x in links(formula("F = m*a = -k*x"), context)]
    [('= 1', True), ('= 2', False)]
    """
    many = len(formula.parts) > 1
    for i, part in enumerate(formula.parts, 1):
        sides = context.source(part).sides
        for k, (left, right) in enumerate(pairwise(sides), 1):
            yield Link(f"{i}: = {k}" if many else f"= {k}", left, right)


def _is_reference(node: Node) -> bool:
    return node.kind in ("name", "quantity")
