"""Reader of the formulas that `typst_maths` writes: letters, signs, strings and calls, as a tree."""

from __future__ import annotations

import re
from typing import Final, final

from ...algebra.expr.printing.maths import (
    Accent,
    Font,
    Fraction,
    Grid,
    Maths,
    Root,
    Row,
    Scripts,
    Sign,
    Word,
)
from ...basics.wording import brief
from ...errors import ParseError

_TOKEN: Final = re.compile(
    r'"(?P<string>(?:[^"\\]|\\.)*)"|(?P<skip>#[a-z]+\([^()]*\)|#[\w.]+|\\\n|&|\s+)|\\(?P<sign>.)'
    r"|(?P<key>[a-z]+(?:-[a-z]+)*):(?= )|(?P<call>[A-Za-z.]{2,})\(|(?P<word>[A-Za-z]{2,})"
    r"|(?P<letter>[0-9.]+|[^\W\d_])|(?P<other>.)"
)
_FONTS: Final[dict[str, Font]] = {"bold": "bold", "cal": "calligraphic", "bb": "blackboard"}
_PLAIN: Final = frozenset(("upright", "sans", "op", "limits", "inline", "lr", "display"))
_MARKS: Final = {"dot": "dot", "dot.double": "ddot", "hat": "hat", "tilde": "tilde",
                 "macron": "bar", "arrow": "vec"}  # fmt: skip


def read_typst(source: str) -> Maths:
    """Read a formula.

    Raises:
        ParseError: The source is not in the language of `typst_maths`.

    >>> from equamo.algebra.expr.printing.appearance import seen
    >>> seen(read_typst('frac(1, 2) m attach(dot(q), t: 2, b: 1)'))
    'frac⟨1⟩⟨2⟩mq̇_{1}^{2}'
    """
    reader = _Reader(source)
    parts = reader.row("italic", "")
    return Row(tuple(parts))


@final
class _Reader:
    """Recursive descent over the tokens."""

    def __init__(self, source: str) -> None:
        self._tokens = [x for x in _TOKEN.finditer(source) if x["skip"] is None]
        self._at = 0

    def row(self, font: Font, ends: str) -> list[Maths]:
        """Parts up to one of the signs that end them, which is taken; up to the end if there is none."""
        parts: list[Maths] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token["string"] is not None:
                parts.append(Word(re.sub(r"\\(.)", r"\1", token["string"]), font))
            elif token["sign"] is not None:
                parts.append(Sign(token["sign"]))
            elif token["call"] is not None:
                parts.append(self._call(token["call"], font))
            elif token["other"] is not None and token["other"] in ends:
                self._end = token["other"]
                return parts
            else:
                parts.append(Word(token[0], font))
        if ends:
            raise ParseError(f"a call must end with ')', got {brief(ends)} and the end.")
        return parts

    def _call(self, name: str, font: Font) -> Maths:
        rows, named = self._arguments(_FONTS.get(name, font))
        cells = [Row(tuple(x)) for row in rows for x in row]
        if name in _PLAIN or name in _FONTS:
            return cells[0]
        if name in _MARKS:
            return Accent(_single(cells[0]), _MARKS[name])
        if name == "frac":
            return Fraction(cells[0], cells[1])
        if name == "sqrt":
            return Root(cells[0])
        if name == "attach":
            return Scripts(_single(cells[0]), named.get("b"), named.get("t"))
        if name == "mat":
            grid = tuple(tuple(Row(tuple(x)) for x in row) for row in rows)
            if "align" in named:
                return Grid("aligned", grid)
            is_square = "delim" in named and named["delim"] == Row((Word("[", font),))
            return Grid("bmatrix" if is_square else "matrix", grid)
        raise ParseError(f"a call must be one of those that a paper has, got {brief(name)}.")

    def _arguments(self, font: Font) -> tuple[list[list[list[Maths]]], dict[str, Maths]]:
        """Arguments in rows, which semicolons separate, and those with names."""
        rows: list[list[list[Maths]]] = [[]]
        named: dict[str, Maths] = {}
        while True:
            key = ""
            if self._at < len(self._tokens) and self._tokens[self._at]["key"]:
                key = self._tokens[self._at]["key"]
                self._at += 1
            parts = self.row(font, ",;)")
            if key:
                named[key] = Row(tuple(parts))
            else:
                rows[-1].append(parts)
            if self._end == ")":
                return rows, named
            if self._end == ";":
                rows.append([])


def _single(maths: Maths) -> Maths:
    return maths.parts[0] if isinstance(maths, Row) and len(maths.parts) == 1 else maths
