"""Tokens of MATLAB and Octave. Blanks between the entries of a matrix become commas here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, final

from ....basics.wording import brief
from ..place import Place

Kind = Literal["number", "name", "text", "operator", "newline", "end"]

_TOKEN: Final = re.compile(
    r"(?P<blank>[ \t\f\v]+)"
    r"|(?P<continuation>\.\.\.[^\n]*\n)"
    r"|(?P<comment>[%#][^\n]*)"
    r"|(?P<newline>\n)"
    # A point before an operator belongs to the operator: 1.*x is 1 .* x.
    r"|(?P<number>(?:\d+(?:\.(?![*/\\^'])\d*)?|\.\d+)(?:[eEdD][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator>\.\^'|\.[*/\\^']|\+\+|--|[-+*/^|&]=|==|~=|!=|<=|>=|&&|\|\||[-+*/\\^=<>~!&|(),;:\[\]{}.@'\"])"
)
_OPEN: Final = {"(": ")", "[": "]", "{": "}"}
_SIGNS: Final = ("+", "-")


@final
@dataclass(frozen=True, slots=True)
class Token:
    """A word of the text."""

    kind: Kind
    text: str
    line: int


def tokens(text: str, file: str) -> list[Token]:
    """Cut a text into tokens; the last one is the end of the file.

    >>> [t.text for t in tokens("x = [a' -b; c - d];  % remark", "x.m")[:-2]]
    ['x', '=', '[', 'a', "'", ',', '-', 'b', ';', 'c', '-', 'd', ']', ';']
    """
    return _Reader(_without_blocks(text), file).read()


def comments(text: str, file: str) -> list[tuple[int, str]]:
    """(line, text) of each comment to the end of a line; what looks like one inside a string is none.

    >>> comments("s = '% a'; % b", "x.m")
    [(1, '% b')]
    """
    reader = _Reader(_without_blocks(text), file)
    reader.read()
    return reader.comments


def _without_blocks(text: str) -> str:
    """Remove comments between lines with only %{ and %}."""
    lines: list[str] = []
    depth = 0
    for line in text.split("\n"):
        word = line.strip()
        if word in ("%{", "#{"):
            depth += 1
        lines.append("" if depth else line)
        if word in ("%}", "#}") and depth:
            depth -= 1
    return "\n".join(lines)


@final
class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.found: list[Token] = []
        self.comments: list[tuple[int, str]] = []  # their lines and texts
        self.open: list[tuple[str, int]] = []  # open brackets and their lines
        self.line = 1

    def read(self) -> list[Token]:
        i, blank = 0, False
        while i < len(self.text):
            match = _TOKEN.match(self.text, i)
            if match is None:
                self._place().fail(f"the character {brief(self.text[i])} cannot be read")
            kind, word = str(match.lastgroup), match.group()
            i = match.end()
            if kind in ("blank", "comment", "continuation"):
                blank = True
                if kind == "comment":
                    self.comments.append((self.line, word))
                self.line += word.count("\n")
                continue
            if kind == "newline":
                self._newline()
                self.line += 1
                blank = True
                continue
            if word in ("'", '"') and not (word == "'" and self._ends_operand(blank)):
                i = self._text(i, word, blank)
            else:
                self._separate(blank, kind, word, self.text[i : i + 1])
                self._add("name" if kind == "name" else "number" if kind == "number" else "operator",
                          word)  # fmt: skip
                self._bracket(word)
            blank = False
        if self.open:
            word, line = self.open[-1]
            Place(self.file, line).fail(f"{word!r} must be closed by {_OPEN[word]!r}")
        self._add("newline", "\n")
        self._add("end", "")
        return self.found

    def _place(self) -> Place:
        return Place(self.file, self.line)

    def _add(self, kind: Kind, word: str) -> None:
        self.found.append(Token(kind, word, self.line))

    def _in_matrix(self) -> bool:
        return bool(self.open) and self.open[-1][0] in "[{"

    def _ends_operand(self, blank: bool) -> bool:
        """Whether the last token ends an operand, so that ' transposes it."""
        if not self.found or (blank and self._in_matrix()):
            return False
        last = self.found[-1]
        if last.kind == "name":
            return last.text not in _BEFORE_TEXT
        return last.kind in ("number", "text") or last.text in (")", "]", "}", "'", ".'")

    def _separate(self, blank: bool, kind: str, word: str, after: str) -> None:
        """A comma between two entries of a matrix separated only by a blank."""
        if not (blank and self._in_matrix() and self._ends_operand(False)):
            return
        begins = kind in ("name", "number") or word in ("(", "[", "{", "@")
        if word in ("~", "!"):
            begins = True
        if word in _SIGNS:  # [a -b] has two entries, [a - b] and [a -  b] have one
            begins = after not in (" ", "\t", "", "\n")
        if begins:
            self._add("operator", ",")

    def _text(self, i: int, quote: str, blank: bool) -> int:
        end = self.text.find(quote, i)
        if end < 0 or "\n" in self.text[i:end]:
            self._place().fail("a string must end on its line")
        if (
            quote == '"' and self.text[end - 1] == "\\"
        ):  # the string goes on in Octave, not in MATLAB
            self._place().fail(
                'a string must not contain \\", which MATLAB and Octave read differently'
            )
        if blank and self._in_matrix() and self._ends_operand(False):
            self._add("operator", ",")
        self._add("text", self.text[i:end])
        return end + 1

    def _newline(self) -> None:
        if not self.open:
            self._add("newline", "\n")
        elif self._in_matrix() and self.found[-1].text not in (";", "["):
            self._add("operator", ";")

    def _bracket(self, word: str) -> None:
        if word in _OPEN:
            self.open.append((word, self.line))
        elif word in _OPEN.values():
            if not self.open or _OPEN[self.open[-1][0]] != word:
                self._place().fail(f"{word!r} must close an open bracket")
            self.open.pop()


_BEFORE_TEXT: Final = {"case", "if", "elseif", "return", "while", "for", "switch", "otherwise"}
