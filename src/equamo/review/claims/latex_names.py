"""Names in LaTeX: letters are one known name, or the only product of known names; never a guess."""

from __future__ import annotations

from abc import ABC
from collections.abc import Collection
from fractions import Fraction
from typing import Final, NamedTuple

from ...basics.wording import brief
from ...errors import ParseError
from .latex_tokens import ACCENTS, FONTS, FUNCTIONS, GREEK, STYLES, Token, lines_joined, tokens
from .latex_writer import written
from .limits import Nesting
from .syntax import Node

MAX_NESTING: Final = 40
MAX_RUN: Final = 60  # most letters in a row that are split into names
MAX_SPLITS: Final = 4  # splits to find: one more than a message shows

_COMMANDS: Final = (
    *FUNCTIONS, "frac", "dfrac", "tfrac", "sqrt", "dot", "ddot", "cdot", "times", "begin", "pi", "left",
    "right", "partial", "sum", "underbrace",
)  # fmt: skip


def resolved(
    base: str, whole: bool, dots: int, start: int, known: Collection[str],
    composite: Collection[str] = (),
) -> Node:  # fmt: skip
    """Symbol, or product of known symbols, for a run of letters.

    `whole` means that they look like one name: a single letter, Greek, or in one font. A name is also
    known by its spelling without underscores and commas: q_1 is q1 if only that is known. A dot over a
    `composite` name, an abbreviation of the document, is its time derivative.

    >>> resolved("mgl", False, 0, 0, ["m", "g", "l"]).kind
    '*'
    """
    letters, line, subscript = base.partition("_")
    if not (whole or dots) and base in known and len(letters) <= MAX_RUN:
        splits = segmented(letters, line + subscript, known)
        product = next((s for s in splits if len(s) > 1), None)
        if product:
            raise ambiguous(base, start, f"the one name {base}", "*".join(product))
    if "d" * dots + base in known:
        return Node("name", start, "d" * dots + base)
    alike = [base] if base in known else _alike("d" * dots + base, known)
    if dots and (base in known or not alike):
        plain = [base] if base in known else _alike(base, known)
        if len(plain) == 1 and plain[0] in composite:
            return _rate(plain[0], dots, start, known)
        alike = ["d" * dots + n for n in plain]
    if len(alike) == 1:
        return Node("name", start, alike[0])
    if "," in base or len(alike) > 1:
        choices = ", ".join(alike) or "no similar name is known"
        raise ParseError(
            f"the name {brief(base)} is ambiguous ({choices}); add it to `aliases` or `known`.",
            start,
        )
    if whole:
        return Node("name", start, "d" * dots + base)
    function = next((f for f in FUNCTIONS if f in letters), "")
    if function:
        raise ambiguous(letters, start, rf"\{function}, the function", "a product of letters")
    if len(letters) > MAX_RUN:
        raise ParseError(
            f"at most {MAX_RUN} letters in a row can be split into names, got {len(letters)}. "
            "Write spaces or braces between names.",
            start,
        )
    splits = segmented(letters, line + subscript, known)
    if dots or len(splits) != 1:
        several = " or ".join("*".join(f) for f in splits[:3])
        names = "a known name or a product of known names"
        why = f"must have one meaning, but may be {several}" if splits else f"are not {names}"
        valid = ", ".join(sorted(known)[:20]) or "none"
        raise ParseError(
            f"the letters {brief(base)} {why}; write spaces or braces between names, or add the name "
            f"to `known`. Known: {valid}.",
            start,
        )
    node = Node("name", start, splits[0][0])
    for n in splits[0][1:]:
        node = Node("*", start, children=(node, Node("name", start, n)))
    return node


def ambiguous(text: str, position: int, first: Node | str, second: Node | str) -> ParseError:
    """Error that shows the two readings of a piece of LaTeX."""
    readings = [written(x) if isinstance(x, Node) else x for x in (first, second)]
    return ParseError(
        f"{brief(text)} is ambiguous; it may be read as {readings[0]} or as {readings[1]}. "
        "Write the one that is meant.",
        position,
    )


class Base(NamedTuple):
    """Letters of a name, how they are printed, and the number of dots."""

    letters: str
    whole: bool  # whether they look like one name
    dots: int = 0
    accent: str = ""  # "bar", or several: "hatbar"
    style: str = ""  # font that a reader can tell from the regular one

    def accented(self, accent: str) -> str:
        """Letters with an accent: m_2 under a bar is mbar_2."""
        letters, line, subscript = self.letters.partition("_")
        return letters + accent + line + subscript


def _rate(name: str, dots: int, start: int, known: Collection[str]) -> Node:
    """Time derivative of an abbreviation; two dots: that of its named rate, if there is one."""
    node = Node("name", start, name)
    for _ in range(dots):
        rate = f"d{node.value}" if node.kind == "name" else ""
        node = Node("name", start, rate) if rate in known else Node("call", start, "dt", (node,))
    return node


def _alike(name: str, known: Collection[str]) -> list[str]:
    """Known names with the same letters and digits."""
    return sorted(n for n in known if n.replace("_", "") == squeezed(name))


def squeezed(name: str) -> str:
    """Name without underscores and commas."""
    return name.replace("_", "").replace(",", "")


def segmented(letters: str, subscript: str, known: Collection[str]) -> list[list[str]]:
    """The first few splits of letters into known names, the last with the subscript.

    >>> segmented("aab", "_1", ["a", "b_1", "ab_1"])
    [['a', 'ab_1'], ['a', 'a', 'b_1']]
    """
    splits: list[list[list[str]]] = [[] for _ in range(len(letters) + 1)]
    splits[0] = [[]]
    for end in range(1, len(letters) + 1):
        for begin in range(end):
            piece = letters[begin:end] + (subscript if end == len(letters) else "")
            for spelling in dict.fromkeys((piece, piece.replace("_", ""))):
                if spelling in known:
                    splits[end] += [[*w, spelling] for w in splits[begin]]
                    break
        del splits[end][MAX_SPLITS:]
    return splits[-1]


class NameReader(ABC):
    """Abstract reader: a position among the tokens, and the reading of names."""

    text: str
    tokens: list[Token]
    known: Collection[str]
    accents: Collection[str]
    accented: Collection[str]
    at: int

    def __init__(
        self, text: str, known: Collection[str], composite: Collection[str],
        accents: Collection[str] = (), accented: Collection[str] = (),
    ) -> None:  # fmt: skip
        self.text, self.tokens, self.known, self.at = text, lines_joined(tokens(text)), known, 0
        self.composite = composite
        self.accents, self.accented = accents, accented
        self.styles: dict[str, str] = {}  # of the names in the formula
        self.indices: dict[str, int] = {}  # values of the indices of sums
        self.deeper: Nesting = Nesting(MAX_NESTING, "groups", lambda: self.next.position)
        self.skip()

    # -- tokens ----------------------------------------------------------------------------------
    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def skip(self) -> None:
        while self.next.kind == "space":
            self.at += 1

    def advance(self) -> Token:
        token = self.next
        if token.kind == "end":
            return token
        self.at += 1
        self.skip()
        return token

    def is_sign(self, *words: str) -> bool:
        return self.next.kind == "sign" and self.next.word in words

    def is_command(self, *words: str) -> bool:
        return self.next.kind == "command" and self.next.word in words

    def error(self, message: str, token: Token | None = None) -> ParseError:
        return ParseError(message, (token or self.next).position)

    def unexpected(self, expected: str) -> ParseError:
        t = self.next
        if t.kind == "end":
            return self.error(f"expected {expected}, found the end.")
        if t.kind == "command":
            valid = ", ".join("\\" + c for c in _COMMANDS)
            return self.error(
                f"expected {expected}, found \\{t.word}. Valid commands: {valid}, Greek letters, and "
                f"fonts such as \\mathbf."
            )
        return self.error(f"expected {expected}, found {brief(t.word)}.")

    def take(self, kind: str, word: str, after: str) -> Token:
        if self.next.kind != kind or self.next.word != word:
            raise self.unexpected(f"{brief(word)} after {after}")
        return self.advance()

    # -- names -----------------------------------------------------------------------------------
    def is_name_group(self) -> bool:
        """Whether {XX}_w follows: only letters in braces, then a subscript."""
        at = self.at + 1
        letters = 0
        while self.tokens[at].kind in ("letter", "space"):
            letters += self.tokens[at].kind == "letter"
            at += 1
        return letters > 0 and self.tokens[at].kind == "close" and self.tokens[at + 1].word == "_"

    def name(self) -> Node:
        start, first, at = self.next.position, self.next, self.at
        base = self.base()
        if (
            base.letters in self.indices
            and not (base.dots or base.accent or base.style)
            and not self.is_sign("_")
        ):
            return Node("number", start, Fraction(self.indices[base.letters]))
        if self.is_sign("_") and "_" not in base.letters:
            self.advance()
            base = base._replace(letters=f"{base.letters}_{self.subscript()}")
        if self.is_sign("_"):
            raise self.error("a name can have only one subscript; put both into braces.")
        if first.kind == "open":  # {XX}_w is one name
            base = base._replace(whole=True)
        node = self.resolved(base, start)
        if node.kind == "*":  # the other names are read next: in mg^2 the power is of g alone
            while node.kind == "*":
                node = node.children[0]
            self.at = at + len(str(node.value))
            if node.value in self.indices:
                return Node("number", start, Fraction(self.indices[str(node.value)]))
        if node.kind == "name" and self.styles.setdefault(node.value, base.style) != base.style:
            raise ambiguous(
                self.since(start), start, f"{node.value}, which is also printed in another font",
                "a name of its own",
            )  # fmt: skip
        return node

    def resolved(self, base: Base, start: int) -> Node:
        """Node of a name; an accent is dropped if it marks the document's vectors."""
        if not base.accent:
            letters, whole = base.letters, base.whole
        elif base.accent in self.accents and squeezed(base.letters) in self.accented:
            letters, whole = base.letters, True
        else:
            letters, whole = base.accented(base.accent), True
            own = base.dots * "d" + letters
            plain = _alike(base.dots * "d" + base.letters, self.known)
            if plain and not _alike(own, self.known):
                raise ambiguous(
                    self.since(start), start,
                    f"{plain[0]}, if accents = ['{base.accent}'] marks vectors",
                    f"a symbol of its own, {own}, to be listed in known",
                )  # fmt: skip
        return resolved(letters, whole, base.dots, start, self.known, self.composite)

    def base(self) -> Base:
        with self.deeper:
            return self.bare_base()

    def bare_base(self) -> Base:
        t = self.next
        if t.kind == "letter":
            letters = t.word
            self.at += 1
            while self.next.kind == "letter":  # a run without spaces
                letters += self.next.word
                self.at += 1
            self.skip()
            return Base(letters, len(letters) == 1)
        if t.kind == "open":
            self.advance()
            base = self.base()
            if self.is_sign("_"):
                self.advance()
                base = base._replace(letters=f"{base.letters}_{self.subscript()}")
            self.take("close", "}", "a name")
            return base
        if t.kind == "command" and t.word in GREEK:
            self.advance()
            return Base(t.word, True)
        if t.kind == "command" and t.word in ("dot", "ddot"):
            base = self.under(t)
            return base._replace(dots=base.dots + (1 if t.word == "dot" else 2))
        if t.kind == "command" and t.word in ACCENTS:
            base = self.under(t)
            return base._replace(whole=True, accent=base.accent + t.word)
        if t.kind == "command" and t.word in FONTS:
            base = self.under(t)
            while self.is_command(t.word):  # \mathbf{M}\mathbf{X} is one name in one font
                mark = self.at
                more = self.under(self.next)
                if more[2:] != base[2:] or base.dots or self.are_two_names(base, more):
                    self.at = mark
                    break
                base = base._replace(letters=base.letters + more.letters)
            if base.letters == "d" and not base.dots and not self.is_sign("_"):
                raise ambiguous(self.since(t.position), t.position, "a differential", "the name d")
            return base._replace(whole=True, style=STYLES.get(t.word, base.style))
        raise self.unexpected("a name")

    def under(self, command: Token) -> Base:
        """Read the argument of an accent or a font: a group, or one letter."""
        self.advance()
        first, after = self.next, self.tokens[min(self.at + 1, len(self.tokens) - 1)]
        if first.kind == after.kind == "letter":
            word = f"\\{command.word}"
            both = f"{first.word}{after.word}"
            first_reading = f"{word}{{{first.word}}} {after.word}"
            text = f"{word} {both}"
            raise ambiguous(text, command.position, first_reading, f"{word}{{{both}}}")
        return self.base()

    def since(self, start: int) -> str:
        """What was read since a position."""
        return self.text[start : self.next.position].strip()

    def are_two_names(self, first: Base, second: Base) -> bool:
        r"""Whether \mathit{mass} \mathit{length} is a product of two known names."""
        both = first.letters + second.letters
        one = any(n == both or n.startswith(f"{both}_") for n in self.known)
        return first.letters in self.known and not one

    def subscript(self) -> str:
        if self.next.kind != "open":
            t = self.next
            if t.kind not in ("letter", "number") and t.word not in GREEK:
                raise self.unexpected("a subscript")
            self.advance()
            if t.kind == "number" and len(t.word) > 1:
                short = f"_{{{t.word[0]}}} {t.word[1:]}"
                raise ambiguous(f"_{t.word}", t.position, f"_{{{t.word}}}", short)
            return str(self.indices.get(t.word, t.word))
        opened = self.advance()
        text, depth = "", 1
        while depth:
            t = self.advance()
            if t.kind == "end":
                raise self.error("the closing brace is missing.", opened)
            if t.kind in ("open", "close"):
                depth += 1 if t.kind == "open" else -1
            elif t.kind == "letter":
                text += self.subscript_letter(t)
            elif t.kind == "number" or t.word in GREEK or t.word == ",":
                text += t.word
            elif t.word != "_" and not (t.kind == "command" and t.word in FONTS):
                raise self.error(
                    f"a subscript cannot contain {brief(t.word)}; add the name to `aliases`.",
                    t,
                )
        return text

    def subscript_letter(self, t: Token) -> str:
        """A letter of a subscript, or its value in a sum: i, i + 1, or ij."""
        if t.word not in self.indices:
            return t.word
        before = [x for x in self.tokens[: self.tokens.index(t)] if x.kind != "space"]
        beside = (before[-1], self.next)
        if any(x.kind == "letter" and x.word not in self.indices for x in beside):
            raise self.error(
                f"the index {brief(t.word)} of a sum must be separated from other letters of a "
                "subscript; write a comma or an underscore between them.",
                t,
            )  # fmt: skip
        value = self.indices[t.word]
        if self.is_sign("+", "-"):
            sign = 1 if self.advance().word == "+" else -1
            if not self.next.word.isdecimal():
                raise self.unexpected("a whole number in the subscript")
            value += sign * int(self.advance().word)
        return str(value)
