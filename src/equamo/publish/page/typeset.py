"""Typeset names: q̇ with index 1l as a small tree that the page's script converts to MathML.

["i", "q"]  an identifier    ["t", "text"]    ["sub", base, below]   ["sup", base, above]
["over", base, "˙"]          ["row", …]       ["n", "12"]
"""

from __future__ import annotations

import re
from typing import Any, Final, final

from ...algebra.expr.printing.greek import GREEK
from ...algebra.expr.printing.symbol_name import SymbolName, greek, symbol_name

Tree = list[Any]

_LETTERS: Final = GREEK | {"ell": "ℓ", "prime": "′", "ast": "∗"}
_ACCENTS: Final = {"dot": "˙", "ddot": "¨", "bar": "¯", "hat": "^", "tilde": "~", "vec": "→"}
_TEXT: Final = frozenset(("text", "mathit", "mathrm", "textrm", "operatorname", "mathbf"))
_ESCAPED: Final = {r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^"}
_LONG: Final = 9  # letters of a long word
_TOKEN: Final = re.compile(r"\\[A-Za-z]+ ?|\\.|[0-9]+|\s+|.", re.DOTALL)


def typeset_name(name: str) -> Tree:
    """Tree of a symbol's name, in the form of its LaTeX.

    >>> typeset_name("dq_1l")
    ['sub', ['over', ['i', 'q'], '˙'], ['t', '1l']]
    """
    return typeset(symbol_name(name), name)


def typeset(parts: SymbolName, name: str, short: bool = False) -> Tree:
    """Tree of a name in parts.

    A long word with indices, common in files, stays whole: panda_joint1, not panda with an index; a
    `short` name made from such a word has indices.
    LaTeX given by a user is parsed; if it is more than a name, the name is written as text.

    >>> typeset_name("panda_joint1"), typeset_name("YY_w")
    (['t', 'panda_joint1'], ['sub', ['t', 'YY'], ['t', 'w']])
    """
    if parts.given:
        try:
            return _Reader(parts.given).whole()
        except _BeyondNamesError:
            return ["t", name]
    if parts.form == "word" and parts.subscripts and len(name) > _LONG and not short:
        return ["t", name]
    base = _letter(parts.base) if parts.form in ("letter", "greek") else ["t", parts.base]
    if parts.accent:
        base = ["over", base, _ACCENTS[parts.accent]]
    return ["sub", base, _below(parts.subscripts)] if parts.subscripts else base


def _letter(name: str) -> Tree:
    return ["i", _LETTERS.get(name, name)]


def _below(subscripts: tuple[str, ...]) -> Tree:
    """Subscripts as one text, or as a row if there are Greek letters among them."""
    if not any(greek(s) for s in subscripts):
        return _word(",".join(subscripts))
    row: Tree = []
    for s in subscripts:
        row += [["t", ","]] if row else []
        row.append(_letter(greek(s)) if greek(s) else _word(s))
    return row[0] if len(row) == 1 else ["row", *row]


def _word(text: str) -> Tree:
    return ["n" if text.isdecimal() else "t", text]


@final
class _BeyondNamesError(Exception):
    """LaTeX command that does not occur in names."""


@final
class _Reader:
    def __init__(self, latex: str) -> None:
        self._tokens = [t for t in _TOKEN.findall(latex) if t.strip()]
        self._next = 0

    def whole(self) -> Tree:
        """Read the whole text."""
        parts = self._row()
        if self._next < len(self._tokens) or not parts:
            raise _BeyondNamesError
        return parts[0] if len(parts) == 1 else ["row", *parts]

    def _row(self) -> list[Tree]:
        parts: list[Tree] = []
        while self._next < len(self._tokens) and self._tokens[self._next] != "}":
            if self._tokens[self._next] in ("_", "^"):
                kind = "sub" if self._take() == "_" else "sup"
                base = parts.pop() if parts else ["row"]
                # in q̇₁ the dot is on the letter alone
                parts.append([kind, base, self._script()])
            else:
                parts.append(self._atom())
        return parts

    def _script(self) -> Tree:
        if self._peek() != "{":
            return self._atom()
        start = self._next + 1
        end = self._closing(start)
        inside = self._tokens[start:end]
        if all(re.fullmatch(r"[^\\{}_^]+", t) for t in inside):  # "1l", "x,2": read as one word
            self._next = end + 1
            word = "".join(inside)
            return ["n", word] if word.isdecimal() else ["t", word]
        return self._atom()

    def _atom(self) -> Tree:
        token = self._take()
        if token == "{":
            parts = self._row()
            self._expect("}")
            return parts[0] if len(parts) == 1 else ["row", *parts]
        if token.startswith("\\"):
            return self._command(token[1:].strip())
        if token.isdecimal():
            return ["n", token]
        if token.isalpha():
            return ["i", token]
        if token in ",'*+-()|/":
            return ["t", token]
        raise _BeyondNamesError

    def _command(self, word: str) -> Tree:
        if word in _LETTERS:
            return ["i", _LETTERS[word]]
        if word in _ACCENTS:
            return ["over", self._atom(), _ACCENTS[word]]
        if word in _TEXT:
            return ["t", self._text()]
        raise _BeyondNamesError

    def _text(self) -> str:
        self._expect("{")
        start = self._next
        end = self._closing(start)
        self._next = end + 1
        word = "".join(self._tokens[start:end])
        for latex, plain in _ESCAPED.items():
            word = word.replace(latex, plain)
        return re.sub(r"\\([#$%&_{}])", r"\1", word)

    def _closing(self, start: int) -> int:
        depth = 0
        for k in range(start, len(self._tokens)):
            if self._tokens[k] == "}":
                if depth == 0:
                    return k
                depth -= 1
            depth += self._tokens[k] == "{"
        raise _BeyondNamesError

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        if not token:
            raise _BeyondNamesError
        self._next += 1
        return token

    def _expect(self, token: str) -> None:
        if self._take() != token:
            raise _BeyondNamesError
