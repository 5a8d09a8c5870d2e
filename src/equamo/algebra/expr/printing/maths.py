"""Formulas as trees: `maths_reader` reads them from LaTeX; MathML and typst are written from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, final

Font = Literal["italic", "upright", "bold", "bold italic", "sans", "calligraphic", "blackboard"]


@final
@dataclass(frozen=True, slots=True)
class Letter:
    """Letter of a name, in a font; `q` is italic, as are all letters without a font."""

    text: str
    font: Font = "italic"


@final
@dataclass(frozen=True, slots=True)
class Word:
    """Text of several letters: the name of a function, a long name, a remark."""

    text: str
    font: Font = "upright"
    function: bool = False  # whether it is applied to what follows


@final
@dataclass(frozen=True, slots=True)
class Number:
    """Digits, with or without a decimal point."""

    text: str
    font: Font = "upright"


@final
@dataclass(frozen=True, slots=True)
class Sign:
    """Operator, relation, bracket or punctuation, as one Unicode character."""

    text: str


@final
@dataclass(frozen=True, slots=True)
class Space:
    """White space, in units of the font's size."""

    ems: float


@final
@dataclass(frozen=True, slots=True)
class Row:
    """Parts side by side."""

    parts: tuple[Maths, ...]


@final
@dataclass(frozen=True, slots=True)
class Scripts:
    """Base with a subscript, a superscript, or both."""

    base: Maths
    below: Maths | None = None
    above: Maths | None = None


@final
@dataclass(frozen=True, slots=True)
class Accent:
    """Base under a mark: dot, ddot, hat, tilde, bar or vec."""

    base: Maths
    mark: str


@final
@dataclass(frozen=True, slots=True)
class Fraction:
    """Numerator over denominator."""

    top: Maths
    bottom: Maths


@final
@dataclass(frozen=True, slots=True)
class Root:
    """Square root."""

    inside: Maths


@final
@dataclass(frozen=True, slots=True)
class Fence:
    """Brackets that grow with what they enclose; either may be empty."""

    left: str
    inside: Maths
    right: str


@final
@dataclass(frozen=True, slots=True)
class Grid:
    """Matrix in brackets, or lines that are aligned at their & signs (`environment` is aligned)."""

    environment: str
    rows: tuple[tuple[Maths, ...], ...]


Maths = (
    Letter | Word | Number | Sign | Space | Row | Scripts | Accent | Fraction | Root | Fence | Grid
)

BRACKETS: Final = {  # of an environment
    "bmatrix": ("[", "]"), "pmatrix": ("(", ")"), "vmatrix": ("|", "|"), "matrix": ("", ""),
    "smallmatrix": ("", ""), "cases": ("{", ""), "aligned": ("", ""),
}  # fmt: skip
BIG: Final = {"sum": "∑", "prod": "∏", "int": "∫"}
