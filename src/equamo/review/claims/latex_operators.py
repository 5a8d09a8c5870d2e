"""Operators of LaTeX formulas: derivatives, sums with numeric bounds, and braces with a remark.

\\frac{\\partial L}{\\partial q_1}    partial(L, q_1), also of vectors; by t, or \\frac{dL}{dt}: dt(L)
\\frac{d}{dt}(a b)                    an operator applies to one factor; several need parentheses
\\sum_{i=1}^{2} m_i v_i^2             the term is read once per index value, as m_1, m_2
\\underbrace{a + b}_{…}               a + b
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from ...errors import ParseError
from .latex_names import NameReader, ambiguous
from .latex_tokens import FONTS, Token
from .syntax import Kind, Node

MAX_READINGS: Final = 400  # of the terms of all sums in a formula
FRACTIONS: Final = ("frac", "dfrac", "tfrac")


class OperatorReader(NameReader):
    """Abstract reader of operators; `latex_reader` adds the rest of the language."""

    readings: int = 0

    indices: dict[str, int]
    at: int

    @abstractmethod
    def sum(self) -> Node: ...
    @abstractmethod
    def product(self) -> Node: ...
    @abstractmethod
    def power(self) -> Node: ...
    @abstractmethod
    def group(self) -> Node: ...
    @abstractmethod
    def argument(self, command: str) -> Node: ...
    @abstractmethod
    def alias(self) -> Node | None: ...
    @abstractmethod
    def starts_operand(self) -> bool: ...

    # -- fractions and derivatives ---------------------------------------------------------------
    def fraction(self) -> Node:
        """Read a fraction or a derivative."""
        start = self.advance().position
        if self.is_derivative():
            return self.derivative(start)
        t = self.next
        if (
            t.kind == "number" and len(t.word) == 2 and t.word.isdecimal()
        ):  # \frac12, as TeX reads it
            self.advance()
            a, b = (Node("number", t.position + i, Fraction(x)) for i, x in enumerate(t.word))
            return Node("/", start, children=(a, b))
        top = self.argument(r"\frac")
        return Node("/", start, children=(top, self.argument(r"\frac")))

    def words(self, at: int) -> tuple[list[str], int]:
        """Words in the braces that open at a position, and the position after them."""
        found: list[str] = []
        depth = 0
        while True:
            t = self.tokens[at]
            depth += (t.kind == "open") - (t.kind == "close")
            if t.kind == "end" or not depth:
                return found[1:], at + (t.kind != "end")
            if t.kind != "space":
                found.append(t.word)
            at += 1

    def is_derivative(self) -> bool:
        """Whether the two arguments of a fraction are those of a derivative."""
        if self.next.kind != "open":
            return False
        start = self.next.position
        top, at = self.words(self.at)
        while self.tokens[at].kind == "space":
            at += 1
        bottom, end = self.words(at) if self.tokens[at].kind == "open" else ([], at)
        if top[:1] == ["partial"]:
            return True
        if _after_d(top) is None or not (below := _after_d(bottom)) or not below[0].isalpha():
            return False
        if below[0] != "t":
            text = self.text[start : self.tokens[end].position].strip()
            raise ambiguous(rf"\frac{text}", start, "a derivative, \\frac{\\partial …}{\\partial …}",
                            "a fraction of products with d")  # fmt: skip
        if "d" in self.known and "t" in self.known:
            raise self.error(
                "d/dt must have one meaning, but d and t are known names; rename one of them."
            )
        return True

    def derivative(self, start: int) -> Node:
        self.advance()
        sign = self.differential()
        order = self.order()
        inner = None if self.next.kind == "close" else self.product()
        self.take("close", "}", "the numerator of a derivative")
        self.take("open", "{", "the numerator of a derivative")
        variables: list[Node] = []
        while self.next.kind != "close":
            if self.differential() != sign:
                raise self.unexpected(f"'{sign}' before each variable of a derivative")
            variable = self.alias() or self.name()
            variables += [variable] * self.order()
        self.take("close", "}", "the denominator of a derivative")
        if len(variables) != order:
            raise ParseError(
                f"a derivative of order {order} needs as many variables, got {len(variables)}.",
                start,
            )

        def of(node: Node) -> Node:
            for x in reversed(variables):
                by_time = x.kind == "name" and x.value == "t" and "t" not in self.known
                call = ("dt", (node,)) if by_time else ("partial", (node, x))
                node = Node("call", start, *call)
            return node

        return of(inner) if inner is not None else self.of_factor(of, start)

    def differential(self) -> str:
        """Read d or ∂; d may be in another font."""
        if self.is_command(*FONTS):
            words, after = self.words(self.at + 1)
            if words == ["d"]:
                self.at = after
                self.skip()
                return "d"
        return self.advance().word

    def order(self) -> int:
        """Read the exponent of d or ∂; 1 without one."""
        if not self.is_sign("^"):
            return 1
        self.advance()
        braces = self.next.kind == "open"
        if braces:
            self.advance()
        t = self.advance()
        if t.word not in ("1", "2", "3", "4"):
            raise self.error("the order of a derivative must be a number from 1 to 4.", t)
        if braces:
            self.take("close", "}", "the order of a derivative")
        return int(t.word)

    def of_factor(self, of: Callable[[Node], Node], start: int) -> Node:
        """Read the operand of an operator; several factors have two readings."""
        node = self.power()
        kind: Kind = "*"
        if self.is_command("cdot", "times"):
            kind = "dot" if self.advance().word == "cdot" else "cross"
        elif self.is_sign("*", "/"):
            kind = "*" if self.advance().word == "*" else "/"
        elif not self.starts_operand():
            return of(node)
        right = self.power()
        first = Node(kind, start, children=(of(node), right))
        second = of(Node(kind, start, children=(node, right)))
        raise ambiguous(self.since(start), start, first, second)

    # -- sums ------------------------------------------------------------------------------------
    def summation(self) -> Node:
        """Read a sum, with its term once per value of the index."""
        start = self.advance()
        index, first, last = self.bounds(start)
        outer, at = dict(self.indices), self.at
        total: Node | None = None
        for k in range(first, max(first, last) + 1):  # the term of an empty sum is read too
            self.readings += 1
            if self.readings > MAX_READINGS:
                raise self.error(f"sums must have at most {MAX_READINGS} terms in all.", start)
            self.at, self.indices = at, {**outer, index: k}
            with self.deeper:
                term = self.product()
            total = term if total is None else Node("+", start.position, children=(total, term))
        self.indices = outer
        if last < first - 1:
            raise self.error(f"a sum must have terms, got the bounds {first} and {last}.", start)
        assert total is not None
        return total if last >= first else Node("number", start.position, Fraction(0))

    def bounds(self, start: Token) -> tuple[str, int, int]:
        """Read _{i=1}^{n}: index, first and last value."""
        index, ends = "", dict[str, int]()
        while self.is_sign("_", "^"):
            which = self.advance().word
            if which == "^":
                ends[which] = self.whole(self.argument(r"\sum"), start)
                continue
            if self.next.kind != "open":
                break
            self.advance()
            index = self.advance().word
            if not self.is_sign("="):
                break
            self.advance()
            ends[which] = self.whole(self.sum(), start)
            self.take("close", "}", "the lower bound of a sum")
        if len(ends) != 2 or len(index) != 1:
            raise self.error("a sum needs an index and two bounds: \\sum_{i=1}^{3}.", start)
        return index, ends["_"], ends["^"]

    def whole(self, node: Node, start: Token) -> int:
        """Value of a bound: whole numbers, indices of outer sums, and their sums."""
        if node.kind == "number" and node.value.denominator == 1:
            return int(node.value)
        if node.kind in ("+", "-"):
            a, b = (self.whole(x, start) for x in node.children)
            return a + b if node.kind == "+" else a - b
        raise self.error(
            "the bounds of a sum must be whole numbers; assign numbers to names such as n in `aliases`.",
            start,
        )

    # -- braces ----------------------------------------------------------------------------------
    def braced(self) -> Node:
        """Read \\underbrace{…}_{remark}."""
        brace = self.advance()
        node = self.group()
        if self.is_sign("_" if brace.word == "underbrace" else "^"):
            self.advance()
            self.at = self.words(self.at)[1] if self.next.kind == "open" else self.at + 1
            self.skip()
        return node


def _after_d(words: list[str]) -> list[str] | None:
    """Words after the d of a derivative, in any font; None if they do not begin with one."""
    if words[:1] == ["d"]:
        rest = words[1:]
    elif words[:1] and words[0] in FONTS and words[1:4] == ["{", "d", "}"]:
        rest = words[4:]
    else:
        return None
    return None if rest[:1] in (["_"], ["cdot"], ["times"]) else rest
