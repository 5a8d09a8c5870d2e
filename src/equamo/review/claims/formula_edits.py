"""Edits of a whole printed formula, if one symbol makes several entries wrong.

name        another vector, matrix, abbreviation or named claim of the same shape
variable    another variable of a derivative, or the rates of all variables
sign        of a term, which may be a vector or a matrix
power       a lost or extra square of a parenthesis
transpose   a lost or extra transpose
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple, final

from ...algebra.expr.matrix import Matrix
from ...errors import EquamoError
from .claim import Formula, Part
from .context import Context
from .functions import BY_VARIABLES
from .syntax import Node, Source
from .values import Value, described

MAX_NODES: Final = 300  # of a tree that is edited
MAX_NAMES: Final = 24  # most similar names that are tried for one name
_Change = tuple[str, int, Node]  # text, number of changed symbols, new tree


class FormulaEdit(NamedTuple):
    """Edit of a formula: its description, the number of changed symbols, and the edited formula."""

    text: str
    changed: int
    formula: Formula

    @property
    def rank(self) -> tuple[int, int]:
        """Order among suggestions: the number of changed symbols, then the length."""
        return self.changed, len(self.text)


def formula_edits(formula: Formula, context: Context) -> Iterator[FormulaEdit]:
    """All edits of a formula, in the order of its text.

    >>> from .claim import Setting, formula
    >>> context = Context(Setting(vectors={"v": 3, "w": 3}), None, {}, {})
    >>> [e.text for e in formula_edits(formula("cross(v, v)"), context)]
    ['the sign of the whole', 'w for the first v', 'w for the second v']
    """
    for i, row in enumerate(formula.rows):
        for j, part in enumerate(row):
            source = context.source(part)
            for k, side in enumerate(source.sides):
                if sum(1 for _ in side.walk()) > MAX_NODES:
                    continue
                for text, changed, node in _Editor(part, source, context).edits(side, top=True):
                    sides = (*source.sides[:k], node, *source.sides[k + 1 :])
                    new = Part(part.text, part.place, Source(part.text, sides, source.latex))
                    cells = (*row[:j], new, *row[j + 1 :])
                    rows = (*formula.rows[:i], cells, *formula.rows[i + 1 :])
                    yield FormulaEdit(text, changed, replace(formula, rows=rows))


@final
class _Editor:
    """Edits of the trees of one text."""

    def __init__(self, part: Part, source: Source, context: Context) -> None:
        self.text, self.context = part.text, context
        s = context.setting
        self.names = [*s.definitions, *s.vectors, *s.matrices, *context.named]
        self.places: dict[str, list[int]] = {}  # of each name, in the order of the text
        for node in sorted((n for x in source.sides for n in x.walk()), key=lambda n: n.position):
            if node.kind == "name":
                self.places.setdefault(node.value, []).append(node.position)

    def edits(self, node: Node, top: bool = False) -> Iterator[_Change]:
        """Edits of a node and of all nodes below it."""
        if node.kind == "quantity":  # its arguments are names of frames
            return
        if top and node.kind != "negative":
            yield "the sign of the whole", 1, Node("negative", node.position, children=(node,))
        yield from self._local(node, top)
        by_variables = node.kind == "call" and node.value in BY_VARIABLES
        for i, child in enumerate(node.children):
            below = self._of_variables(child) if by_variables and i == 1 else self.edits(child)
            for text, changed, new in below:
                if node.kind == new.kind == "transpose":  # the transpose of a transpose
                    continue
                children = (*node.children[:i], new, *node.children[i + 1 :])
                yield text, changed, replace(node, children=children)
        for i, row in enumerate(node.rows):
            for j, child in enumerate(row):
                for text, changed, new in self.edits(child):
                    cells = (*row[:j], new, *row[j + 1 :])
                    rows = (*node.rows[:i], cells, *node.rows[i + 1 :])
                    yield text, changed, replace(node, rows=rows)

    def _local(self, node: Node, top: bool) -> Iterator[_Change]:
        if node.kind == "name" and node.value in self.names:
            yield from self._of_name(node)
        elif node.kind in ("+", "-"):
            other = replace(node, kind="-" if node.kind == "+" else "+")
            yield f"the sign of {self._term(node.position)}", 1, other
            if not top:
                two = Node("number", node.position, Fraction(2))
                square = Node("**", node.position, children=(node, two))
                yield f"the square of ({self._sum(node)})", 1, square
        elif node.kind == "negative":
            yield f"the sign of {self._term(node.position)}", 1, node.children[0]
        elif node.kind == "transpose":
            yield f"{self._text(node.children[0])} without its transpose", 1, node.children[0]

    def _of_name(self, node: Node) -> Iterator[_Change]:
        value = self._value(node.value)
        if value is None:
            return
        for name in self._similar(node.value, self.names):
            other = self._value(name)
            if other is not None and described(other) == described(value):
                yield f"{name} for {self._occurrence(node)}", 1, replace(node, value=name)
        if isinstance(value, Matrix) and value.shape[0] == value.shape[1]:
            transposed = Node("transpose", node.position, children=(node,))
            yield f"{node.value}' for {self._occurrence(node)}", 1, transposed

    def _value(self, name: str) -> Value | None:
        try:
            return self.context.paper.defined(name)
        except EquamoError:  # a claim about another robot, or a circular one
            return None

    def _of_variables(self, node: Node) -> Iterator[_Change]:
        """Edits of the variables of a derivative."""
        state = [x.name for x in self.context.state]
        if node.kind == "name":
            for name in self._similar(node.value, state):
                yield f"{name} for {self._occurrence(node)}", 1, replace(node, value=name)
            return
        for rates in (True, False):  # all by their rates, or the reverse
            changed = _map_names(node, lambda n, up=rates: f"d{n}" if up else n.removeprefix("d"))
            before, after = _names(node), _names(changed)
            if before != after and set(after) <= set(state):
                yield f"{', '.join(after)} for {', '.join(before)}", len(before), changed

    # -- texts -----------------------------------------------------------------------------------
    def _similar(self, name: str, names: Sequence[str]) -> list[str]:
        """Other names, the most similar first."""
        others = [n for n in dict.fromkeys(names) if n != name]
        return sorted(others, key=lambda n: (-_likeness(n, name), n))[:MAX_NAMES]

    def _occurrence(self, node: Node) -> str:
        """The name, and which of its occurrences it is if there are several."""
        places = self.places.get(node.value, [])
        if len(places) < 2 or node.position not in places:
            return str(node.value)
        number = places.index(node.position)
        words = ("first", "second", "third", "fourth", "fifth")
        word = words[number] if number < len(words) else f"{number + 1}th"
        return f"the {word} {node.value}"

    def _term(self, position: int) -> str:
        """Text of the term after a sign."""
        return self._until(position + 1, "+-−=,;")

    def _sum(self, node: Node) -> str:
        """Text of a sum, from its first operand."""
        first = node
        while first.kind in ("+", "-", "*", "/", "**", "index", "transpose") and first.children:
            first = first.children[0]
        return self._until(first.position, "=,;")

    def _text(self, node: Node) -> str:
        return str(node.value) if node.kind == "name" else self._sum(node).rstrip("'")

    def _until(self, start: int, stops: str) -> str:
        """Text up to one of the stops, or up to an unmatched closing bracket."""
        depth, end = 0, start
        while end < len(self.text):
            c = self.text[end]
            depth += (c in "([{") - (c in ")]}")
            if depth < 0 or (depth == 0 and c in stops and self.text[start:end].strip()):
                break
            end += 1
        text = " ".join(self.text[start:end].split())
        return text.removesuffix("\\right").rstrip()


def _likeness(a: str, b: str) -> float:
    return difflib.SequenceMatcher(None, a, b).ratio()


def _names(node: Node) -> list[str]:
    found = sorted((n for n in node.walk() if n.kind == "name"), key=lambda n: n.position)
    return [str(n.value) for n in found]


def _map_names(node: Node, change: Callable[[str], str]) -> Node:
    value = change(node.value) if node.kind == "name" else node.value
    children = tuple([_map_names(c, change) for c in node.children])
    rows = tuple([tuple([_map_names(c, change) for c in row]) for row in node.rows])
    return replace(node, value=value, children=children, rows=rows)
