"""Tautologies: two sides that are the same text, regardless of the robot.

Such a statement would be "proved" for every robot, so it is reported as one that says nothing. Sides are
the same if their trees agree after the document's abbreviations are inserted, or if they are the same
sum of products of the same symbols and functions. No identity of a function is used: sin² + cos² = 1 is
a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

from ...algebra.expr import Expr, symbol
from ...algebra.expr.functions import BY_NAME
from ...errors import EquamoError
from .chain import Link, links
from .claim import Claim, Formula, Part
from .context import Context
from .evaluation import Scope
from .scopes import PlainScope
from .syntax import Node
from .text_reader import read_text
from .values import Value, entries_of

_FUNCTIONS: Final = (*BY_NAME, "atan2")
MAX_NODES: Final = 5000  # of a tree with all abbreviations inserted


@final
@dataclass(frozen=True)
class Side:
    """One side of an equation: its tree, the meaning of its names, and the document's abbreviations."""

    tree: Node
    scope: Scope
    definitions: Mapping[str, Formula]
    image: Callable[[Value], Value] = lambda x: x  # from the names of the scope to the document's

    @property
    def expanded(self) -> Node:
        """The tree with all abbreviations for single formulas inserted."""
        return _expanded(self.tree, self.definitions, [MAX_NODES])

    def key(self, node: Node) -> Hashable:
        """Structure of a tree without positions; names are replaced by their values."""
        if node.kind in ("name", "call", "quantity") and self._is_quantity(node):
            own: Hashable = ("quantity", node.value)
        elif node.kind == "name":
            own = ("values", *entries_of(self._value(node)))
        else:
            own = (node.kind, node.value)
        below = tuple(self.key(c) for c in node.children)
        named = tuple((k, self.key(c)) for k, c in node.keywords)
        rows = tuple(tuple(self.key(c) for c in row) for row in node.rows)
        return (own, below, named, rows)

    def _is_quantity(self, node: Node) -> bool:
        return node.kind == "quantity" or self.scope.is_quantity(node.value)

    def _value(self, node: Node) -> Value:
        if node.value in ("pi", "π"):
            return symbol("π")
        return self.image(self.scope.name(node.value))

    def arithmetic(self, node: Node) -> Sum | None:
        """Sum of products of symbols and unexpanded functions; None if the tree has anything else."""
        if node.kind == "number":
            return _sum({frozenset(): Fraction(node.value)})
        if node.kind == "name" and not self._is_quantity(node):
            value = self._value(node)
            return _factor(value) if isinstance(value, Expr) else None
        parts = [self.arithmetic(c) for c in node.children]
        if any(x is None for x in parts):
            return None
        inside = [x for x in parts if x is not None]
        if node.kind == "call" and node.value in _FUNCTIONS:
            return _factor((node.value, *inside))
        if node.kind == "negative":
            return _scaled(inside[0], -1)
        if node.kind in ("+", "-"):
            return _added(inside[0], _scaled(inside[1], 1 if node.kind == "+" else -1))
        if node.kind in ("*", "/"):
            return _product(inside[0], _power(inside[1], 1 if node.kind == "*" else -1))
        if node.kind == "**" and node.children[1].kind == "number":
            k = Fraction(node.children[1].value)
            return _power(inside[0], int(k)) if k.denominator == 1 and 0 < k < 100 else None
        return None


# -- sums of products, never multiplied out ------------------------------------------------------------
Product = frozenset[tuple[Hashable, int]]  # factors with their exponents
Sum = frozenset[tuple[Product, Fraction]]  # products with their coefficients


def _sum(table: Mapping[Product, Fraction]) -> Sum:
    return frozenset((p, c) for p, c in table.items() if c)


def _factor(x: Hashable, exponent: int = 1) -> Sum:
    return _sum({frozenset({(x, exponent)}): Fraction(1)})


def _scaled(a: Sum, c: int) -> Sum:
    return frozenset((p, c * x) for p, x in a)


def _added(a: Sum, b: Sum) -> Sum:
    table = dict(a)
    for p, c in b:
        table[p] = table.get(p, Fraction(0)) + c
    return _sum(table)


def _product(a: Sum | None, b: Sum | None) -> Sum | None:
    """Product of sums: a sum of several products, in parentheses, is one factor."""
    if a is None or b is None:
        return None
    exponents: dict[Hashable, int] = {}
    coefficient = Fraction(1)
    for x in (a, b):
        if not x:
            return x
        terms = [*x] if len(x) == 1 else [*_factor(x)]
        coefficient *= terms[0][1]
        for factor, k in terms[0][0]:
            exponents[factor] = exponents.get(factor, 0) + k
    return _sum({frozenset((f, k) for f, k in exponents.items() if k): coefficient})


def _power(a: Sum, k: int) -> Sum | None:
    if not a:
        return None if k < 0 else a
    if len(a) > 1:
        return _factor(a, k)
    ((product, c),) = a
    return _sum({frozenset((f, n * k) for f, n in product): c**k})


def same_text(left: Side, right: Side) -> bool:
    """Whether the two sides are the same, regardless of the robot.

    >>> from .scopes import PlainScope
    >>> from .text_reader import read_text
    >>> sides = [Side(n, PlainScope(), {}) for n in read_text("m*g*cos(q) = cos(q)*g*m").sides]
    >>> same_text(*sides)
    True
    """
    try:
        a, b = left.expanded, right.expanded
        if left.key(a) == right.key(b):
            return True
        return _same_entries(a, b, left, right)
    except (EquamoError, RecursionError):  # too long, or an unsuitable name: not the same text
        return False


def _same_entries(a: Node, b: Node, left: Side, right: Side) -> bool:
    """Whether two scalars, or all entries of two lists, are the same sum of products."""
    rows = list(map(len, a.rows))
    if a.kind == b.kind == "list" and a.value == b.value and rows == list(map(len, b.rows)):
        pairs = [
            (x, y) for p, q in zip(a.rows, b.rows, strict=True) for x, y in zip(p, q, strict=True)
        ]
        return all(_same_entries(x, y, left, right) for x, y in pairs)
    x = left.arithmetic(a)
    return x is not None and x == right.arithmetic(b)


def empty_equations(formula: Formula, context: Context) -> set[str]:
    """Labels of the equations of a chain whose sides are the same text."""
    definitions = context.setting.definitions
    return {
        link.label
        for link in links(formula, context)
        if same_text(
            Side(link.left, context.paper, definitions),
            Side(link.right, context.paper, definitions),
        )
    }


def empties(link: Link, edited: Expr, other: Expr, context: Context) -> bool:
    """Whether an edit of one side of an equation only repeats its other side.

    The sides are those before the motions of the robot are inserted. A side with a quantity of the robot
    or a named claim says something in any case.
    """
    definitions = context.setting.definitions
    for tree in (link.left, link.right):
        expanded = Side(tree, context.paper, definitions).expanded
        if any(n.kind == "quantity" or n.value in context.named for n in expanded.walk()):
            return False
    first, second = (Side(read_text(str(e)).tree, PlainScope(), {}) for e in (edited, other))
    return same_text(first, second)


def repeats_quantity(printed: Formula, claim: Claim, context: Context) -> bool:
    """Whether the printed text is the text of the quantity."""
    quantity = claim.quantity
    assert quantity is not None
    if claim.entries or context.setting.sign < 0 or printed.shape != quantity.shape:
        return False
    return len(printed.parts) == len(quantity.parts) and all(
        _repeats(p, q, context) for p, q in zip(printed.parts, quantity.parts, strict=True)
    )


def _repeats(printed: Part, quantity: Part, context: Context) -> bool:
    definitions = context.setting.definitions
    left, right = context.source(printed), context.source(quantity)
    if left.is_equation or right.is_equation:
        return False
    own = Side(right.tree, context.robot, definitions, context.image)
    return same_text(Side(left.tree, context.paper, definitions), own)


def _expanded(node: Node, definitions: Mapping[str, Formula], left: list[int]) -> Node:
    left[0] -= 1
    if left[0] < 0:
        raise EquamoError(f"A formula must have at most {MAX_NODES} nodes with its abbreviations.")
    if node.kind == "name" and node.value in definitions:
        formula = definitions[node.value]
        source = formula.parts[0].source
        if formula.shape == "single" and source is not None and not source.is_equation:
            rest = {k: f for k, f in definitions.items() if k != node.value}
            return _expanded(source.tree, rest, left)
    return Node(
        node.kind,
        node.position,
        node.value,
        tuple([_expanded(c, definitions, left) for c in node.children]),
        tuple([(k, _expanded(c, definitions, left)) for k, c in node.keywords]),
        tuple([tuple([_expanded(c, definitions, left) for c in row]) for row in node.rows]),
    )
