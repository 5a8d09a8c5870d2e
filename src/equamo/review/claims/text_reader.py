"""Reader of formulas in text: the language of `expr.parse`, with vectors and matrices.

[a, b, c]  [a; b; c]  vector        a'         transpose        A[1, 2]  a[3]  A[:, 2]  A[1:3, 1:3]
[a, b; c, d]          matrix        cross(a, b), diff(e, x) …   functions of `functions`
@mass_matrix, @rotation("4l", relative_to="3")                 quantities of the robot
a = b = c             a chain of equations
"""

from __future__ import annotations

import re
from typing import Final, final

from ...basics.wording import brief
from ...errors import ParseError
from .limits import Nesting, number, within_limits
from .syntax import Node, Source

MAX_NESTING: Final = 60

_TOKEN: Final = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d¹²³⁰-ⁿ](?:[^\W¹²³⁰-ⁿ]|\{\w+\}|[\u0300-\u036f₀-₉])*)"
    r"|`(?P<quoted>[^`]*)`"
    r"|(?P<text>\"[^\"\n]*\")"
    r"|(?P<operator>\*\*|[-+*/^()\[\],;:='@−·×⋅∙])"
)
_SPACE: Final = re.compile(r"\s*")
_SAME: Final = {"^": "**", "−": "-", "·": "*", "×": "*", "⋅": "*", "∙": "*"}
# Greek and Cyrillic letters that look like Latin ones.
_LOOK_LATIN: Final = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοАВЕКМНОРСТУХаеорсухіј")
_OPERAND: Final = "a number, a name, a function, '(' or '['"


def read_text(text: str) -> Source:
    """Read a formula, or a chain of equations, into trees.

    >>> [n.kind for n in read_text("m*cross(w, r) = [a; b; c]").sides]
    ['*', 'list']
    """
    return Source(text, within_limits(text, lambda t: _Reader(t).chain()))


@final
class _Reader:
    """Recursive descent; `kind`, `word` and `start` describe the next token."""

    def __init__(self, text: str) -> None:
        self.text, self.end = text, 0
        self.kind, self.word, self.start = "", "", 0
        self.deeper = Nesting(MAX_NESTING, "parentheses, powers or signs", lambda: self.start)
        self.advance()

    # -- tokens ----------------------------------------------------------------------------------
    def advance(self) -> None:
        space = _SPACE.match(self.text, self.end)
        self.start = space.end() if space else self.end
        if self.start >= len(self.text):
            self.kind, self.word = "end", ""
            return
        match = _TOKEN.match(self.text, self.start)
        if match is None:
            c = self.text[self.start]
            hint = "; write x**2 for a power" if c in "⁰¹²³⁴⁵⁶⁷⁸⁹" else ""
            raise self.error(f"the character {brief(c)} cannot be read{hint}")
        self.kind = match.lastgroup or ""
        word = match[self.kind]
        self.word = _SAME.get(word, word) if self.kind == "operator" else word
        self.end = match.end()

    def is_next(self, *words: str) -> bool:
        return self.kind == "operator" and self.word in words

    def take(self, word: str, after: str) -> None:
        if not self.is_next(word):
            raise self.unexpected(f"{brief(word)} after {after}")
        self.advance()

    def unexpected(self, expected: str) -> ParseError:
        token = "the end of the text" if self.kind == "end" else repr(self.word)
        hint = "; write * for a product" if self.kind in ("name", "number") else ""
        return self.error(f"expected {expected}, found {token}{hint}")

    def error(self, message: str, position: int | None = None) -> ParseError:
        return ParseError(message + ".", self.start if position is None else position)

    # -- the language ----------------------------------------------------------------------------
    def chain(self) -> tuple[Node, ...]:
        sides = [self.sum()]
        while self.is_next("="):
            line = self.text.rfind("\n", 0, self.start) + 1
            begins = self.text[line : self.start].lstrip().startswith(("+", "-", "−"))
            if begins and self.text[:line].strip():
                raise self.error(
                    "'=' in a line that begins with a sign cannot be read: the line may continue the "
                    "one before or begin another equation; give each equation its own claim"
                )
            self.advance()
            sides.append(self.sum())
        if self.kind != "end":
            raise self.unexpected("an operator (+ - * / **), '=' or the end")
        return tuple(sides)

    def sum(self) -> Node:
        left = self.product()
        while self.is_next("+", "-"):
            word, start = self.word, self.start
            self.advance()
            left = Node(word, start, children=(left, self.product()))  # pyright: ignore
        return left

    def product(self) -> Node:
        left = self.signed()
        while self.is_next("*", "/"):
            word, start = self.word, self.start
            self.advance()
            left = Node(word, start, children=(left, self.signed()))  # pyright: ignore
        return left

    def signed(self) -> Node:
        if self.is_next("+", "-"):
            word, start = self.word, self.start
            self.advance()
            with self.deeper:
                inner = self.signed()
            return Node("negative", start, children=(inner,)) if word == "-" else inner
        return self.power()

    def power(self) -> Node:
        base = self.postfix()
        if not self.is_next("**"):
            return base
        start = self.start
        caret = self.text[start] == "^"
        self.advance()
        bare = not self.is_next("(")
        with self.deeper:
            exponent = self.signed()
        if (
            caret and bare and exponent.kind == "**"
        ):  # from the left in MATLAB, from the right elsewhere
            raise self.error(
                "a^b^c must have parentheses; it may be read as (a^b)^c or as a^(b^c)", start
            )
        return Node("**", start, children=(base, exponent))

    def postfix(self) -> Node:
        node = self.operand()
        while self.is_next("'", "["):
            start, word = self.start, self.word
            self.advance()
            if word == "'":
                node = Node("transpose", start, children=(node,))
            else:
                node = Node("index", start, children=(node, *self.indices()))
        return node

    def indices(self) -> list[Node]:
        with self.deeper:
            parts = [self.index()]
            while self.is_next(","):
                self.advance()
                parts.append(self.index())
        self.take("]", "an index")
        return parts

    def index(self) -> Node:
        start = self.start
        if self.is_next(":"):
            self.advance()
            return Node("range", start)
        first = self.sum()
        if not self.is_next(":"):
            return first
        self.advance()
        return Node("range", start, children=(first, self.sum()))

    def operand(self) -> Node:
        start, word, kind = self.start, self.word, self.kind
        if kind == "number":
            self.advance()
            return number(word, start)
        if kind == "quoted":
            self.advance()
            return Node("name", start, word)
        if kind == "text":
            self.advance()
            return Node("text", start, word[1:-1])
        if kind == "name":
            alike = sorted(set(word) & _LOOK_LATIN)
            if alike:
                raise self.error(
                    f"{brief(alike[0])} may be read as a Greek or Cyrillic letter or as a Latin one; "
                    f"it must be the Latin letter, or the name must be in backquotes, `{word}`"
                )
            self.advance()
            return self.call(word, start) if self.is_next("(") else Node("name", start, word)
        if self.is_next("@"):
            self.advance()
            if self.kind != "name":
                raise self.unexpected("the name of a quantity after '@'")
            name = self.word
            self.advance()
            node = self.call(name, start) if self.is_next("(") else Node("call", start, name)
            return Node("quantity", start, name, node.children, node.keywords)
        if self.is_next("("):
            self.advance()
            with self.deeper:
                node = self.sum()
            self.take(")", "the expression in parentheses")
            return node
        if self.is_next("["):
            return self.list()
        raise self.unexpected(_OPERAND)

    def call(self, name: str, start: int) -> Node:
        self.advance()
        arguments: list[Node] = []
        keywords: list[tuple[str, Node]] = []
        while not self.is_next(")"):
            key = self.keyword()
            with self.deeper:
                value = self.sum()
            if key:
                keywords.append((key, value))
            else:
                arguments.append(value)
            if not self.is_next(")"):
                self.take(",", f"an argument of {name}")
        self.advance()
        return Node("call", start, name, tuple(arguments), tuple(keywords))

    def keyword(self) -> str:
        """Read `at=` before an argument; return an empty text if there is none."""
        space = _SPACE.match(self.text, self.end)
        if self.kind != "name" or space is None or not self.text.startswith("=", space.end()):
            return ""
        key = self.word
        self.advance()
        self.advance()
        return key

    def list(self) -> Node:
        start = self.start
        self.advance()
        rows: list[list[Node]] = [[]]
        while True:
            with self.deeper:
                rows[-1].append(self.sum())
            if self.is_next(","):
                self.advance()
            elif self.is_next(";"):
                self.advance()
                rows.append([])
            else:
                break
        self.take("]", "the entries of a vector or matrix")
        if len({len(r) for r in rows}) > 1:
            sizes = ", ".join(str(len(r)) for r in rows)
            raise self.error(f"rows must have the same number of entries, got {sizes}", start)
        return Node("list", start, rows=tuple(map(tuple, rows)))
