"""Tokens of LaTeX: commands, letters, numbers and signs; commands for layout are dropped."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ..errors import ParseError
from ..expr.printing.greek import GREEK as LETTERS
from ..wording import brief


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
    "arctan": "atan", "exp": "exp", "ln": "log", "log": "log", "tanh": "tanh",
}  # fmt: skip
# Commands with an argument in braces that only change its appearance.
FONTS: Final = _words(
    "mathbf mathrm mathbb mathit mathsf mathcal boldsymbol bm text textbf textrm operatorname bar "
    "vec overline underline hat"
)
_DROPPED: Final = _words(
    ", ; : ! quad qquad displaystyle textstyle limits nolimits bigl bigr big Big Bigl Bigr left "
    "right middle nonumber"
)
_TOKEN: Final = re.compile(
    r"\\(?P<command>[A-Za-z]+|.)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
    r"|(?P<letter>[A-Za-z])"
    r"|(?P<sign>[-+*/=^_&,()\[\]|'·×−])"
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
        if kind == "command" and word == "\\":
            kind, word = "sign", "\\\\"
        if kind in ("space", "comment") or (kind == "command" and word in _DROPPED):
            if result and result[-1].kind != "space":
                result.append(Token("space", " ", at))
        elif kind == "command" and word == " ":
            pass
        else:
            result.append(Token(kind, word, at))
        at = m.end()
    result.append(Token("end", "", len(text)))
    return result
