"""Reader of LaTeX formulas: a subset that can be read without guessing.

Names are a base with its subscript (`q_{imu}` is q_imu, `\\dot\\theta_1` is dtheta_1). A run of letters
must be one known name, or have only one split into known names. A function without parentheses takes one
symbol, optionally after a number: `\\sin 2q_1 \\dot q_1` is sin(2*q_1)*dq_1. Brackets with entries that
are separated by `\\ ` or `\\quad` are a row: `[0 \\ 0 \\ -g]^T`. A number after a formula is skipped:
`\\quad (12)` or `\\tag{12}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, final

from ...basics.wording import brief
from ...errors import ParseError
from .latex_arrays import ArrayReader
from .latex_names import ambiguous, squeezed
from .latex_operators import FRACTIONS
from .latex_tokens import ACCENTS, FONTS, FUNCTIONS, GREEK, Token, tokens, without
from .latex_writer import written
from .limits import number, within_limits
from .syntax import Node, Source, difference, same

# Functions written as words, such as \operatorname{sign}(x).
_WORDS: Final = {
    "sign": "sign", "sgn": "sign", "diag": "diag", "det": "det", "skew": "skew", "unskew": "unskew",
    "atan": "atan", "atan2": "atan2", "tr": "trace", "trace": "trace",
}  # fmt: skip
# Commands that set such words.
_UPRIGHT: Final = ("text", "mathrm", "operatorname", "textrm", "mathsf", "mathit")


def read_latex(
    text: str, known: Collection[str] = (), aliases: Mapping[str, Node] | None = None,
    composite: Collection[str] = (), accents: Collection[str] = (), accented: Collection[str] = (),
) -> Source:  # fmt: skip
    """Read a LaTeX formula, or a chain of equations, into trees.

    A formula that can be read in two ways is an error that shows both.

    Args:
        text: The formula.
        known: Names that it may contain.
        aliases: What pieces of LaTeX stand for.
        composite: Abbreviations of the document; a dot over one is its time derivative.
        accents: Accents that mark vectors, and are not part of a name.
        accented: Names, without underscores, over which they do so.

    >>> source = read_latex(r"\\frac{1}{2} m_S d \\sin\\phi \\dot{\\psi}")
    >>> sorted(n.value for n in source.tree.walk() if n.kind == "name")
    ['d', 'dpsi', 'm_S', 'phi']
    """
    table = {_plain(k): v for k, v in (aliases or {}).items()}

    def read(text: str) -> tuple[Node, ...]:
        return _Reader(text, known, table, composite, accents, accented).sides()

    return Source(text, within_limits(text, read), latex=True)


def _plain(latex: str) -> tuple[str, ...]:
    return tuple(t.word for t in tokens(latex) if t.kind not in ("space", "end"))


# A number as programs print it.
_TEN: Final = re.compile(r"([0-9.]+)[eE]([+-][0-9]+)")


@final
class _Reader(ArrayReader):
    """Recursive descent over the tokens."""

    def __init__(
        self, text: str, known: Collection[str], aliases: Mapping[tuple[str, ...], Node],
        composite: Collection[str], accents: Collection[str], accented: Collection[str],
    ) -> None:  # fmt: skip
        super().__init__(text, known, composite, accents, accented)
        self.aliases = dict(sorted(aliases.items(), key=lambda item: -len(item[0])))
        self.in_row = False  # directly inside brackets, where a gap may separate entries
        self.bare: set[tuple[int, int]] = set()  # tokens of braces that are not printed
        self.slashed: Node | None = None  # quotient a/b at the end of the last product

    # -- the language ----------------------------------------------------------------------------
    def sides(self) -> tuple[Node, ...]:
        """Read the text; braces that are not printed must not change its meaning."""
        sides = self.chain()
        if not self.bare:
            return sides
        opened, closed = min(self.bare)
        start, end = self.tokens[opened].position, self.tokens[closed].position + 1
        self.tokens = without(self.tokens, {i for pair in self.bare for i in pair})
        self.at, self.styles, self.readings = 0, {}, 0
        self.skip()
        try:
            printed = self.chain()
        except ParseError:  # the readings of what is printed are shown by the error
            printed = ()
        if not same(sides, printed):
            inside = self.text[start + 1 : end - 1].strip()
            pair = difference(sides, printed) or (f"({inside})", f"{inside} without parentheses")
            raise ambiguous(self.text[start:end], start, *pair)
        return sides

    def chain(self) -> tuple[Node, ...]:
        sides = [self.sum()]
        while self.is_sign("="):
            self.check_line()
            self.advance()
            sides.append(self.sum())
        self.skip_number()
        if self.next.kind != "end":
            raise self.unexpected("an operator, '=' or the end")
        return tuple(sides)

    def check_line(self) -> None:
        """Refuse `=` in a line that begins with a sign: `a = b \\\\ -c = d` may be two equations."""
        breaks = [i for i in range(self.at) if self.tokens[i][:2] == ("space", "line")]
        if breaks and self.tokens[breaks[-1] + 1].word in ("+", "-"):
            raise ambiguous(
                self.since(self.tokens[breaks[-1]].position), self.next.position,
                "a sum that continues the line before", "an equation of its own",
            )  # fmt: skip

    def sum(self, in_row: bool = False) -> Node:
        outer, self.in_row = self.in_row, in_row
        try:
            with self.deeper:
                return self.terms()
        finally:
            self.in_row = outer

    def ends_entry(self) -> bool:
        if not (self.in_row and self.after("gap", "quad")):
            return False
        if self.is_sign("+", "-") and self.tokens[self.at + 1].word == "gap":
            sign = self.next.word
            raise ambiguous(
                f"\\ {sign}\\ ", self.next.position, f"an entry that begins with {sign}",
                "a sum or a difference",
            )  # fmt: skip
        return True

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
        begin = self.next.position
        left = self.cross_product()
        while self.is_command("cdot"):
            slashed = self.slashed
            start = self.advance().position
            right = self.cross_product()
            self.check_solidus(slashed, "dot", right, begin)
            left = Node("dot", start, children=(left, right))
        return left

    def cross_product(self) -> Node:
        begin = self.next.position
        left = self.factors()
        if not self.is_command("times"):
            return left
        slashed = self.slashed
        start = self.advance().position
        middle = self.factors()
        self.check_solidus(slashed, "cross", middle, begin)
        node = Node("cross", start, children=(left, middle))
        if self.is_command("times"):
            self.advance()
            right = self.factors()
            second = replace(node, children=(left, replace(node, children=(middle, right))))
            raise ambiguous(self.since(begin), begin, replace(node, children=(node, right)), second)
        return node

    def factors(self) -> Node:
        begin, before = self.next.position, self.next
        left = last = self.power()
        slashed: Node | None = None
        while True:
            start, first = self.next.position, self.next
            if self.is_sign("*", "/"):
                word, first = self.advance().word, self.next
                last = self.power()
                self.check_solidus(slashed, word, last, begin)
            elif self.starts_operand() and not self.ends_entry() and not self.after("quad"):
                if self.after("line"):
                    raise self.error(
                        "a new line must begin with an operator or '='; "
                        "give each equation its own claim."
                    )
                word = "*"
                last = self.beside(last, before)
                self.check_solidus(slashed, word, last, begin)
            else:
                self.slashed = slashed
                return left
            left = Node(word, start, children=(left, last))  # pyright: ignore[reportArgumentType]
            before, slashed = first, left if word == "/" else None

    def check_solidus(self, slashed: Node | None, word: str, right: Node, begin: int) -> None:
        """Refuse a/b c, a/b/c and a/b \\cdot c."""
        if slashed is not None:
            above, below = slashed.children
            kind: Any = word
            first = Node(kind, begin, children=(slashed, right))
            under = Node(kind, begin, children=(below, right))
            second = Node("/", begin, children=(above, under))
            raise ambiguous(self.since(begin), begin, first, second)

    def beside(self, left: Node, before: Token) -> Node:
        """Read a factor directly beside another one, which began with a token."""
        t = self.next
        is_fraction, in_parentheses = self.is_command(*FRACTIONS), self.is_sign("(")
        right = self.power()
        product = Node("*", left.position, children=(left, right))
        other: Node | str = ""
        owner = left.children[0] if left.kind == "**" else left
        inside = right  # of the parentheses, also of f(x)^2
        if right.kind in ("**", "transpose") and self.text[: right.position].rstrip().endswith(")"):
            inside = right.children[0]
        if t.kind == "number" and left.kind == "number":  # 9 810
            other = f"{written(left)}{t.word}"
        elif t.kind == "number" and left.kind == "name" and left.value.isalpha():  # x 2
            other = f"{written(left)}_{{{t.word}}}"
        elif is_fraction and all(x.kind == "number" for x in (left, *right.children[:2])):  # 2 1/2
            other = replace(product, kind="+")
        elif (
            in_parentheses and owner.kind == "name" and before.word != "("
        ):  # q(t), f(a + b), q^2(t)
            alone = inside.kind in ("name", "number") and squeezed(owner.value) not in self.accented
            if alone or owner.value not in (*self.known, "pi"):
                other = f"{written(left)} of {written(inside)}, a function"
        elif left.kind == "number" and (power := _TEN.match(self.text, left.position)):  # 1.5e-3
            other = f"{power[1]} 10^{{{power[2]}}}"
        if other:
            raise ambiguous(self.since(left.position), left.position, product, other)
        return right

    def starts_operand(self) -> bool:
        t = self.next
        if t.kind in ("letter", "number", "open"):
            return True
        if t.kind == "sign":
            return t.word in "(["
        return t.kind == "command" and t.word not in ("cdot", "times", "end", "tag")

    def power(self) -> Node:
        base = self.operand()
        if self.is_sign("'"):
            raise ambiguous(
                self.since(base.position) + "'", self.next.position,
                f"a transpose or derivative of {written(base)}", "a name with a prime",
            )  # fmt: skip
        if not self.is_sign("^"):
            return base
        start = self.advance().position
        node = self.raised(base, start)
        if self.is_sign("^", "'"):
            first = f"{{{written(base)}}}{self.text[start : self.next.position].strip()}"
            mark = self.next.word
            raise ambiguous(
                f"{self.since(base.position)}{mark}", self.next.position, f"{{{first}}}{mark}…",
                f"an exponent with {mark}",
            )  # fmt: skip
        return node

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
            if len(words) == 3 and (words[0], words[2]) == ("(", ")"):
                inside = f"({words[1]})"
                raise ambiguous(
                    f"^{{{inside}}}", start, f"the power {words[1]}", f"the index {inside}"
                )
            return Node("**", start, children=(base, self.group()))
        if self.next.kind == "number":  # x^23 means x² 3 in TeX, but x²³ to readers
            t = self.advance()
            if len(t.word) > 1:
                braces = f"^{{{t.word}}}"
                raise ambiguous(f"^{t.word}", t.position, braces, f"^{{{t.word[0]}}} {t.word[1:]}")
            return Node("**", start, children=(base, number(t.word, t.position)))
        raise self.unexpected("an exponent")

    def group(self) -> Node:
        self.take("open", "{", "a command")
        node = self.sum()
        self.take("close", "}", "a group")
        return node

    def bare_group(self) -> Node:
        """Read a group in braces that belong to no command, so that they are not printed."""
        opened = self.at
        self.advance()
        node = self.sum()
        self.bare.add((opened, self.at))
        self.take("close", "}", "a group")
        return node

    def argument(self, command: str) -> Node:
        """Read {…}, or one letter or digit."""
        if self.next.kind == "open":
            return self.group()
        t, after = self.next, self.tokens[min(self.at + 1, len(self.tokens) - 1)]
        if t.kind == "number":
            word, rest = t.word[0], t.word[1:]
        elif t.kind == "letter":
            word, rest = t.word, after.word if after.kind == "letter" else ""
        elif self.is_command(*GREEK, "pi"):
            word, rest = f"\\{t.word}", ""
        else:
            with self.deeper:
                self.operand()
            raise ParseError(f"the arguments of {command} must be in braces.", t.position)
        if not rest and after.word == "_":
            rest = "_" + self.tokens[self.at + 2].word
        if rest:
            text = f"{command} {word}{rest}"
            first = f"{command}{{{word}}} {rest}"
            raise ambiguous(text, t.position, first, f"{command}{{{word}{rest}}}")
        with self.deeper:
            return self.operand()

    # -- operands --------------------------------------------------------------------------------
    def operand(self) -> Node:
        alias = self.alias()
        if alias is not None:
            return alias
        t = self.next
        if t.kind == "number":
            self.check_comma()
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
            return self.name() if self.is_name_group() else self.bare_group()
        if t.kind == "letter":
            return self.name()
        if t.kind == "command":
            return self.command(t)
        raise self.unexpected("a number, a name, a command or '('")

    def check_comma(self) -> None:
        """Refuse 0,5 and 9{,}810."""
        words = [t.word for t in self.tokens[self.at : self.at + 5]]
        number_after = [x for x in (words[1:3], words[1:5]) if x[-1:] and x[-1][0:1].isdigit()]
        for between in number_after:
            if between[:-1] in ([","], ["{", ",", "}"]):
                text = "".join([words[0], *between])
                other = f"{words[0]}{between[-1]}" if len(between) > 2 else "two numbers"
                raise ambiguous(text, self.next.position, f"{words[0]}.{between[-1]}", other)

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
            return Node("call", t.position, "sqrt", (self.argument(r"\sqrt"),))
        if word in FUNCTIONS:
            self.advance()
            return self.function(t)
        if word in _UPRIGHT:
            letters, end = self.words(self.at + 1)
            name = "".join(letters)
            if name in FUNCTIONS:
                self.at = end
                self.skip()
                return self.function(t._replace(word=name))
            while self.tokens[end].kind == "space":
                end += 1
            if name in _WORDS and self.tokens[end].word in ("(", "["):
                self.at = end
                return self.call(_WORDS[name], t)
            if word == "operatorname":
                valid = ", ".join(sorted({*_WORDS, *FUNCTIONS}))
                raise self.error(f"unknown function {brief(name)}. Valid: {valid}, before '('.")
        if word == "begin":
            return self.matrix()
        if word == "pi":
            self.advance()
            return Node("name", t.position, "pi")
        if word in GREEK or word in FONTS or word in ACCENTS or word in ("dot", "ddot"):
            return self.name()
        raise self.unexpected("an operand")

    def call(self, name: str, t: Token) -> Node:
        closing = ")" if self.advance().word == "(" else "]"
        arguments = [self.sum()]
        while self.is_sign(","):
            self.advance()
            arguments.append(self.sum())
        self.take("sign", closing, f"the arguments of {name}")
        return Node("call", t.position, name, tuple(arguments))

    def function(self, t: Token) -> Node:
        power: Node | None = None
        if self.is_sign("^"):
            start = self.advance().position
            power = self.raised(Node("number", start, Fraction(0)), start)
            if power.kind != "**":
                raise ParseError("the exponent of a function must be a number.", start)
            if power.children[1].kind != "number":
                text = f"\\{t.word}{self.since(start)}"
                inverse = f"\\arc{t.word}, the inverse function"
                raise ambiguous(text, start, inverse, f"a power of \\{t.word}")

        def of(argument: Node) -> Node:
            node = Node("call", t.position, FUNCTIONS[t.word], (argument,))
            if power is None:
                return node
            return Node("**", power.position, children=(node, power.children[1]))

        printed = self.is_sign("(", "[")  # parentheses around the argument
        argument = self.operand() if printed else self.bare_argument(t)
        node = of(argument)
        if self.is_sign("^"):
            sign = self.advance()
            raised = self.raised(argument, t.position)
            whole = replace(raised, children=(node, *raised.children[1:]))
            raise ambiguous(self.since(t.position), sign.position, of(raised), whole)
        if not printed:
            self.check_argument(t, argument, of)
        return node

    def check_argument(self, t: Token, argument: Node, of: Callable[[Node], Node]) -> None:
        """Refuse a function without parentheses before what may belong to its argument."""
        kind: Any = "*"
        if self.is_sign("/", "*"):
            kind = self.next.word
            follows = kind == "/" or argument.kind == "number"
        elif self.is_command("cdot", "times"):
            follows = argument.kind == "number"
        elif not self.starts_operand() or self.ends_entry() or self.after("quad", "line"):
            follows = False
        else:
            # \cos q_1 q_2, but neither \cos q_1 \dot{q}_2 nor \cos q_1 (a + b)
            plain = self.next.kind != "command" or self.is_command("pi", "sqrt", *FRACTIONS, *GREEK)
            follows = argument.kind == "number" or (plain and not self.is_sign("(", "["))
        if not follows:
            return
        if self.is_sign("/", "*") or self.is_command("cdot", "times"):
            self.advance()
        right = self.power()
        first, second = (
            Node(kind, t.position, children=(of(argument), right)),
            of(Node(kind, t.position, children=(argument, right))),
        )
        raise ambiguous(self.since(t.position), t.position, first, second)

    def bare_argument(self, t: Token) -> Node:
        """Read a symbol or fraction, optionally after a number."""
        if self.next.kind == "open" and not self.is_name_group():
            return self.bare_group()
        factor: Node | None = None
        if self.next.kind == "number":
            self.check_comma()
            n = self.advance()
            factor = number(n.word, n.position)
        simple = self.next.kind in ("letter", "open") or self.is_command(
            *FRACTIONS, "dot", "ddot", "pi", *GREEK, *FONTS, *ACCENTS
        )
        if not simple:
            if factor is not None:
                return factor
            raise self.unexpected(f"the argument of \\{t.word}")
        node = self.operand()
        return node if factor is None else Node("*", factor.position, children=(factor, node))
