"""Tokens of LaTeX: commands, letters, numbers and signs; commands for layout are dropped."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, NamedTuple

from ...algebra.expr.printing.greek import GREEK as LETTERS
from ...basics.wording import brief
from ...errors import ParseError


class Token(NamedTuple):
    """Token; `kind` is command, letter, number, sign, open, close, space or end."""

    kind: str
    word: str
    position: int


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GREEK: Final = frozenset(LETTERS) - {"pi"}  # \pi is a number
FUNCTIONS: Final = {
    "sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos",
    "arctan": "atan", "exp": "exp", "log": "log", "ln": "log", "tanh": "tanh",
}  # fmt: skip
# Commands with an argument in braces that only change its appearance.
FONTS: Final = _words(
    "mathbf mathrm mathbb mathit mathsf mathcal boldsymbol bm text textbf textrm operatorname"
)
# Fonts that a reader can tell from the regular one; two of them in one formula are two names.
STYLES: Final = {
    "mathbf": "bold", "boldsymbol": "bold", "bm": "bold", "textbf": "bold", "mathbb": "double",
    "mathcal": "script",
}  # fmt: skip
# Accents belong to the name: \bar{m}_2 is mbar_2, not m_2.
ACCENTS: Final = _words(
    "bar vec hat tilde overline underline widehat widetilde overrightarrow check breve"
)
_DROPPED: Final = _words(
    ", ; : ! displaystyle textstyle limits nolimits bigl bigr big Big Bigl Bigr left "
    "right middle nonumber"
)
# White space that separates: entries of a row in brackets, or a formula from its number.
_GAPS: Final = {" ": "gap", "quad": "quad", "qquad": "quad"}
LINES: Final = _words("aligned align split gathered eqnarray equation")
_TOKEN: Final = re.compile(
    r"\\(?:(?P<line>\\)(?:\[\s*-?[0-9.]+\s*(?:pt|mm|cm|in|em|ex)\s*\])?|(?P<command>[A-Za-z]+|.))"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
    r"|(?P<letter>[A-Za-z])"
    r"|(?P<sign>[-+*/=^_&,.()\[\]|'·×−])"
    r"|(?P<open>\{)|(?P<close>\})"
    r"|(?P<space>[\s~]+)|(?P<comment>%[^\n]*)"
)
_SAME: Final = {"−": "-", "·": "cdot", "×": "times"}


def tokens(text: str) -> list[Token]:
    """Tokens of LaTeX text and an end token; white space between letters becomes `space`.

    >>> [t.word for t in tokens(r"\\frac{1}{2} m_S")][:4]
    ['frac', '{', '1', '}']
    """
    result: list[Token] = []
    at = 0
    while at < len(text):
        m = _TOKEN.match(text, at)
        if m is None:
            raise ParseError(f"the character {brief(text[at])} cannot be read.", at)
        kind = m.lastgroup or ""
        word = m[kind]
        if kind == "sign" and word in _SAME:
            same = _SAME[word]
            kind, word = ("sign", same) if same == "-" else ("command", same)
        if kind == "command" and word in "{}":
            kind = "sign"  # \{ and \} are parentheses
            word = "(" if word == "{" else ")"
        if kind == "line":  # \\ or \\[2mm], which only sets the lines further apart
            kind, word = "sign", "\\\\"
        if kind == "command" and word in _GAPS:
            _space(result, _GAPS[word], at)
        elif kind in ("space", "comment") or (kind == "command" and word in _DROPPED):
            _space(result, " ", at)
        else:
            result.append(Token(kind, word, at))
        at = m.end()
    result.append(Token("end", "", len(text)))
    return result


def _space(result: list[Token], word: str, at: int) -> None:
    """Add white space; of several in a row, only the widest is kept."""
    if result and result[-1].kind == "space":
        widths = (" ", "gap", "quad", "line")
        if widths.index(word) > widths.index(result[-1].word):
            result[-1] = Token("space", word, at)
    elif result:
        result.append(Token("space", word, at))


def without(given: list[Token], dropped: Collection[int]) -> list[Token]:
    """Tokens with white space in place of some."""
    result: list[Token] = []
    for i, t in enumerate(given):
        if i in dropped or t.kind == "space":
            _space(result, t.word if t.kind == "space" else " ", t.position)
        else:
            result.append(t)
    return result


def lines_joined(given: list[Token]) -> list[Token]:
    """Tokens of formulas over several lines, `\\begin{aligned} … \\end{aligned}`, as one line each.

    Such lines may also be inside a matrix.

    >>> [t.word for t in lines_joined(tokens(r"\\begin{aligned} a &= b \\\\ &= c \\end{aligned}"))]
    ['a', ' ', '=', ' ', 'b', 'line', '=', ' ', 'c', ' ', '']
    """
    result: list[Token] = []
    inside: list[bool] = []  # of each open environment, whether it has lines
    at = 0
    while at < len(given):
        t = given[at]
        if t.kind == "command" and t.word in ("begin", "end"):
            size = _environment(given, at, t.word)
            if t.word == "begin":
                inside.append(size > 0)
            elif inside:
                inside.pop()
            if size:
                at += size
                continue
        if inside and inside[-1] and t.kind == "sign" and t.word in ("&", "\\\\"):
            _space(result, " " if t.word == "&" else "line", t.position)
        elif t.kind == "space":
            _space(result, t.word, t.position)
        else:
            result.append(t)
        at += 1
    return result


def _environment(given: list[Token], at: int, command: str) -> int:
    """Number of tokens of \\begin{aligned} or similar at a position; 0 if it is something else."""
    if given[at].kind != "command" or given[at].word != command:
        return 0
    word, end = "", at + 1
    while given[end].kind in ("open", "letter", "space") or given[end].word == "*":
        word += given[end].word if given[end].kind == "letter" else ""
        end += 1
    return end + 1 - at if given[end].kind == "close" and word in LINES else 0
