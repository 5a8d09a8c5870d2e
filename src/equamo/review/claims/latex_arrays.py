"""Matrices, rows in brackets, and the number of an equation in LaTeX formulas."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from ...basics.wording import brief
from .latex_operators import OperatorReader
from .syntax import Node

_MATRICES: Final = ("pmatrix", "bmatrix", "matrix", "array", "Bmatrix", "smallmatrix")


class ArrayReader(OperatorReader):
    """Abstract reader of arrays; `latex_reader` adds the rest of the language."""

    at: int

    @abstractmethod
    def sum(self, in_row: bool = False) -> Node: ...

    # -- white space -----------------------------------------------------------------------------
    def skip_number(self) -> None:
        """Skip punctuation and the number of an equation at the end of the text."""
        if self.is_sign(",", "."):
            self.advance()
        if self.is_command("tag"):
            self.advance()
            self.at = self.words(self.at)[1]
            self.skip()
        elif self.after("quad") and self.is_sign("("):
            mark = self.at
            while self.next.kind == "number" or self.is_sign("(", "."):
                self.advance()
            closed = self.is_sign(")")
            self.advance()
            if not closed or self.next.kind != "end":
                self.at = mark

    def after(self, *words: str) -> bool:
        """Whether white space of this kind precedes the next token."""
        before = self.tokens[self.at - 1] if self.at else self.next
        return before.kind == "space" and before.word in words

    # -- rows ------------------------------------------------------------------------------------
    def brackets(self) -> Node:
        """Read an expression in brackets, or a row whose entries are separated by gaps."""
        start = self.advance().position
        entries = [self.sum(in_row=True)]
        while not self.is_sign("]") and self.after("gap", "quad"):
            entries.append(self.sum(in_row=True))
        self.take("sign", "]", "the expression in brackets")
        if len(entries) == 1:
            return entries[0]
        return Node("list", start, "row", rows=(tuple(entries),))

    # -- matrices --------------------------------------------------------------------------------
    def environment(self) -> str:
        self.take("open", "{", "\\begin or \\end")
        word = ""
        while self.next.kind == "letter" or self.is_sign("*"):
            word += self.advance().word
        self.take("close", "}", "the name of an environment")
        return word

    def matrix(self) -> Node:
        start = self.advance()
        name = self.environment()
        if name not in _MATRICES:
            raise self.error(
                f"unknown environment {brief(name)}. Valid: {', '.join(_MATRICES)}.",
                start,
            )
        if name == "array":  # its column specification
            self.take("open", "{", "\\begin{array}")
            while self.next.kind != "close":
                if self.next.kind == "end":
                    raise self.unexpected("'}'")
                self.advance()
            self.advance()
        rows: list[list[Node]] = [[self.sum()]]
        while not self.is_command("end"):
            if self.is_sign("&"):
                self.advance()
                rows[-1].append(self.sum())
            elif self.is_sign("\\\\"):
                self.advance()
                if not self.is_command("end"):
                    rows.append([self.sum()])
            else:
                raise self.unexpected("'&', '\\\\' or \\end")
        self.advance()
        if self.environment() != name:
            raise self.error(f"\\begin{{{name}}} needs \\end{{{name}}}.", start)
        if len({len(r) for r in rows}) > 1:
            sizes = ", ".join(str(len(r)) for r in rows)
            raise self.error(f"rows must have the same number of entries, got {sizes}.", start)
        row = "row" if len(rows) == 1 < len(rows[0]) else None
        return Node("list", start.position, row, rows=tuple(map(tuple, rows)))
