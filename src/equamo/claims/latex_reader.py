"""Reader of LaTeX formulas: a subset that can be read without guessing.

Names are a base with its subscript (`q_{imu}` is q_imu, `\\dot\\theta_1` is dtheta_1). A run of letters
must be one known name, or have only one split into known names. A function without parentheses takes one
symbol, optionally after a number: `\\sin 2q_1 \\dot q_1` is sin(2*q_1)*dq_1. Brackets with entries that
are separated by `\\ ` or `\\quad` are a row: `[0 \\ 0 \\ -g]^T`. A number after a formula is skipped:
`\\quad (12)` or `\\tag{12}`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Final, final

from ..errors import ParseError
from .latex_arrays import ArrayReader
from .latex_operators import FRACTIONS
from .latex_tokens import FONTS, FUNCTIONS, GREEK, Token, tokens
from .limits import number, within_limits
from .syntax import Node, Source

# Functions written as words, such as \operatorname{sign}(x).
_WORDS: Final = {
    "sign": "sign", "sgn": "sign", "diag": "diag", "det": "det", "skew": "skew", "unskew": "unskew",
    "atan": "atan", "atan2": "atan2", "tr": "trace", "trace": "trace",
}  # fmt: skip


def read_latex(
    text: str, known: Collection[str] = (), aliases: Mapping[str, Node] | None = None,
    composite: Collection[str] = (),
) -> Source:  # fmt: skip
    """Read a LaTeX formula, or a chain of equations, into trees.

    >>> source = read_latex(r"\\frac{1}{2} m_S d \\sin\\phi \\dot{\\psi}")
    >>> sorted(n.value for n in source.tree.walk() if n.kind == "name")
    ['d', 'dpsi', 'm_S', 'phi']
    """
    table = {_plain(k): v for k, v in (aliases or {}).items()}
    sides = within_limits(text, lambda t: _Reader(t, known, table, composite).chain())
    return Source(text, sides, latex=True)


def _plain(latex: str) -> tuple[str, ...]:
    return tuple(t.word for t in tokens(latex) if t.kind not in ("space", "end"))


@final
class _Reader(ArrayReader):
    """Recursive descent over the tokens."""

    def __init__(
        self, text: str, known: Collection[str], aliases: Mapping[tuple[str, ...], Node],
        composite: Collection[str],
    ) -> None:  # fmt: skip
        super().__init__(text, known, composite)
        self.aliases = dict(sorted(aliases.items(), key=lambda item: -len(item[0])))
        self.in_row = False  # directly inside brackets, where a gap may separate entries

    # -- the language ----------------------------------------------------------------------------
    def chain(self) -> tuple[Node, ...]:
        sides = [self.sum()]
        while self.is_sign("="):
            self.advance()
            sides.append(self.sum())
        self.skip_number()
        if self.next.kind != "end":
            raise self.unexpected("an operator, '=' or the end")
        return tuple(sides)

    def sum(self, in_row: bool = False) -> Node:
        outer, self.in_row = self.in_row, in_row
        try:
            with self.deeper:
                return self.terms()
        finally:
            self.in_row = outer

    def ends_entry(self) -> bool:
        return self.in_row and self.after("gap", "quad")

    def terms(self) -> Node:
        start = self.next.position
        negative = False
        while self.is_sign("+", "-"):
            negative ^= self.advance().word == "-"
        left = self.product()
        if negative:
            left = Node("negative", start, children=(left,))
        while self.is_sign("+", "-") and not self.ends_entry():
            sign = self.advance()
            left = Node(sign.word, sign.position, children=(left, self.product()))  # pyright: ignore
        return left

    def product(self) -> Node:
        """Read a product: juxtaposition binds tighter than `\\times`, and that than `\\cdot`."""
        left = self.cross_product()
        while self.is_command("cdot"):
            start = self.advance().position
            left = Node("dot", start, children=(left, self.cross_product()))
        return left

    def cross_product(self) -> Node:
        left = self.factors()
        if not self.is_command("times"):
            return left
        start = self.advance().position
        left = Node("cross", start, children=(left, self.factors()))
        if self.is_command("times"):
            raise self.error("a × b × c needs parentheses, since it is ambiguous.")
        return left

    def factors(self) -> Node:
        left = self.power()
        while True:
            start = self.next.position
            if self.is_sign("*", "/"):
                word = self.advance().word
                left = Node(word, start, children=(left, self.power()))  # pyright: ignore
            elif self.starts_operand() and not self.ends_entry() and not self.after("quad"):
                if self.after("line"):
                    raise self.error(
                        "a new line must begin with an operator or '='; "
                        "give each equation its own claim."
                    )
                left = Node("*", start, children=(left, self.power()))
            else:
                return left

    def starts_operand(self) -> bool:
        t = self.next
        if t.kind in ("letter", "number", "open"):
            return True
        if t.kind == "sign":
            return t.word in "(["
        return t.kind == "command" and t.word not in ("cdot", "times", "end", "tag")

    def power(self) -> Node:
        base = self.operand()
        while self.is_sign("^", "'"):
            start = self.next.position
            if self.advance().word == "'":
                raise ParseError("a prime cannot be read; add the name to `aliases`.", start)
            base = self.raised(base, start)
        return base

    def raised(self, base: Node, start: int) -> Node:
        """Read base^x: a power, or with T the transpose."""
        if self.next.word in ("T", "top"):
            self.advance()
            return Node("transpose", start, children=(base,))
        if self.next.kind == "open":
            words, after = self.words(self.at)  # also ^{\mathsf{T}}
            if [x for x in words if x not in FONTS and x not in ("{", "}")] in (["T"], ["top"]):
                self.at = after
                self.skip()
                return Node("transpose", start, children=(base,))
            return Node("**", start, children=(base, self.group()))
        if self.next.kind == "number":  # x^23 means x² 3 in TeX, but x²³ to readers
            t = self.advance()
            if len(t.word) > 1:
                raise self.error("an exponent with several digits must be in braces.", t)
            return Node("**", start, children=(base, number(t.word, t.position)))
        raise self.unexpected("an exponent")

    def group(self) -> Node:
        self.take("open", "{", "a command")
        node = self.sum()
        self.take("close", "}", "a group")
        return node

    def argument(self) -> Node:
        """Read {…}, or one token."""
        if self.next.kind == "open":
            return self.group()
        if self.next.kind == "number":
            if len(self.next.word) > 1:
                raise self.error("arguments with several digits must be in braces: \\frac{1}{2}.")
            t = self.advance()
            return number(t.word, t.position)
        with self.deeper:
            return self.operand()

    # -- operands --------------------------------------------------------------------------------
    def operand(self) -> Node:
        alias = self.alias()
        if alias is not None:
            return alias
        t = self.next
        if t.kind == "number":
            self.advance()
            return number(t.word, t.position)
        if t.kind == "sign" and t.word == "[":
            return self.brackets()
        if t.kind == "sign" and t.word == "(":
            self.advance()
            node = self.sum()
            self.take("sign", ")", "the expression in parentheses")
            return node
        if t.kind == "open":
            return self.name() if self.is_name_group() else self.group()
        if t.kind == "letter":
            return self.name()
        if t.kind == "command":
            return self.command(t)
        raise self.unexpected("a number, a name, a command or '('")

    def alias(self) -> Node | None:
        """Alias that the next tokens spell; None if there is none."""
        for words, node in self.aliases.items():
            at, left = self.at, list(words)
            while left and (self.tokens[at].kind == "space" or self.tokens[at].word == left[0]):
                if self.tokens[at].kind != "space":
                    left.pop(0)
                at += 1
            if not left and self.tokens[at].word != "_":
                self.at = at
                self.skip()
                return node
        return None

    def command(self, t: Token) -> Node:
        word = t.word
        if word in FRACTIONS:
            return self.fraction()
        if word == "sum":
            return self.summation()
        if word in ("underbrace", "overbrace"):
            return self.braced()
        if word == "sqrt":
            self.advance()
            if self.is_sign("["):
                raise self.error("only square roots can be read; write a power instead.")
            return Node("call", t.position, "sqrt", (self.argument(),))
        if word in FUNCTIONS:
            return self.function(t)
        if word in ("text", "mathrm", "operatorname") and (name := self.function_word()):
            return self.call(name, t)
        if word == "begin":
            return self.matrix()
        if word == "pi":
            self.advance()
            return Node("name", t.position, "pi")
        if word in GREEK or word in FONTS or word in ("dot", "ddot"):
            return self.name()
        raise self.unexpected("an operand")

    def function_word(self) -> str:
        """Function written as a word, \\text{sign}(…); empty if it is something else."""
        letters, end = self.words(self.at + 1)
        word = "".join(letters)
        return _WORDS.get(word, "") if self.tokens[end].word in ("(", "[") else ""

    def call(self, name: str, t: Token) -> Node:
        self.at = self.words(self.at + 1)[1]
        closing = ")" if self.advance().word == "(" else "]"
        arguments = [self.sum()]
        while self.is_sign(","):
            self.advance()
            arguments.append(self.sum())
        self.take("sign", closing, f"the arguments of {name}")
        return Node("call", t.position, name, tuple(arguments))

    def function(self, t: Token) -> Node:
        self.advance()
        power: Node | None = None
        if self.is_sign("^"):
            start = self.advance().position
            power = self.raised(Node("number", start, Fraction(0)), start)
            if power.kind != "**":
                raise ParseError("the exponent of a function must be a number.", start)
            exponent = power.children[1]
            if exponent.kind != "number":
                raise ParseError("f^{-1} is ambiguous; write \\arcsin, or 1/\\sin x.", start)
        inner = self.function_argument(t)
        node = Node("call", t.position, FUNCTIONS[t.word], (inner,))
        if power is None:
            return node
        return Node("**", power.position, children=(node, power.children[1]))

    def function_argument(self, t: Token) -> Node:
        if self.is_sign("(", "["):
            node = self.operand()
        elif self.next.kind == "open" and not self.is_name_group():
            node = self.group()
        else:
            node = self.bare_argument(t)
        if self.is_sign("^"):
            raise self.error(
                f"\\{t.word} x^2 is ambiguous; write \\{t.word}^2 x, or \\{t.word}(x^2)."
            )
        return node

    def bare_argument(self, t: Token) -> Node:
        """Read a symbol or fraction, optionally after a number."""
        factor: Node | None = None
        if self.next.kind == "number":
            n = self.advance()
            factor = number(n.word, n.position)
        simple = self.next.kind in ("letter", "open") or self.is_command(
            *FRACTIONS, "dot", "ddot", "pi", *GREEK, *FONTS
        )
        if not simple:
            if factor is not None:
                return factor
            raise self.unexpected(f"the argument of \\{t.word}")
        node = self.operand()
        if node.kind == "*" and factor is None:
            raise self.error(f"\\{t.word} before several names needs parentheses.", t)
        return node if factor is None else Node("*", factor.position, children=(factor, node))
