r"""Elements of a document: prose, numbered equations, tables, figures and code, in sections.

Blocks say what is written; the writers (`latex`, `html`, `typst`, `notebook`) say how it looks. Maths is
LaTeX, in the subset that `maths` reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, final

from ...algebra.expr import Expr
from ...algebra.identity.proof import Proof
from ...mechanics.kinematics.quantity_name import QuantityName
from ...mechanics.kinematics.steps import Value

# "definition": the left side is a new name. "law": holds for every robot, and is cited, not derived.
# "proved": the right side, as it was read back, equals what was computed; of an equation in general
# symbols, which has no value, every instance does. "refuted", "undecided": the proof failed. "not read
# back": the expression is proved, but its text could not be read back.
Standing = Literal["definition", "law", "proved", "refuted", "undecided", "not read back"]


@final
@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; maths is between dollar signs, a reference to equation 3 is written `(3)`."""

    text: str


@final
@dataclass(frozen=True, slots=True)
class Equation:
    r"""A numbered equation, left = rule = right.

    >>> Equation(1, r"M_{12}", ("m l^{2}", "+ I"), standing="definition").right
    'm l^{2} + I'
    """

    number: int
    left: str
    lines: tuple[str, ...]  # of the right side; a long sum has several, each with its sign
    rule: str = ""  # middle member in general symbols, such as \frac{1}{2} m v^{2}; may be empty
    follows: tuple[int, ...] = ()  # numbers of the equations from which it follows
    standing: Standing = "proved"
    how: str = ""  # what was proved, in a few words: "closed form", "derivative of (4)"
    proofs: tuple[Proof, ...] = field(default=(), repr=False)
    # For the round trip: what the right side must equal, and what the names in it stand for.
    value: Value | None = field(default=None, repr=False)
    names: tuple[tuple[str, Expr], ...] = field(default=(), repr=False)  # LaTeX, node
    quantity: QuantityName | None = None
    left_value: Expr | None = field(default=None, repr=False)  # of a left side that is a formula

    @property
    def right(self) -> str:
        """The right side as one text."""
        return " ".join(self.lines)


@final
@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; a cell is text with maths between dollar signs."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@final
@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing."""

    svg: str = field(repr=False)
    caption: str = ""


@final
@dataclass(frozen=True, slots=True)
class Code:
    """Code that a notebook can run."""

    text: str
    language: str = "python"


@final
@dataclass(frozen=True, slots=True)
class SideBySide:
    """Equations of two methods in two columns; a row whose sides are equal is marked."""

    heads: tuple[str, str]
    rows: tuple[tuple[Equation | None, Equation | None, bool], ...]


Block = Text | Equation | Table | Figure | Code | SideBySide


@final
@dataclass(frozen=True, slots=True)
class Section:
    """A title with the content below it; sections inside a section are one level lower."""

    title: str
    blocks: tuple[Block | Section, ...]

    def equations(self) -> Iterator[Equation]:
        """All numbered equations, in order."""
        for block in self.blocks:
            if isinstance(block, Equation):
                yield block
            elif isinstance(block, Section):
                yield from block.equations()
            elif isinstance(block, SideBySide):
                yield from (x for row in block.rows for x in row[:2] if x is not None)

    def map(self, change: Callable[[Equation], Equation]) -> Section:
        """Copy of the section with every equation changed."""

        def changed(x: Equation | None) -> Equation | None:
            return None if x is None else change(x)

        blocks: list[Block | Section] = []
        for block in self.blocks:
            if isinstance(block, Equation):
                blocks.append(change(block))
            elif isinstance(block, Section):
                blocks.append(block.map(change))
            elif isinstance(block, SideBySide):
                rows = tuple((changed(a), changed(b), equal) for a, b, equal in block.rows)
                blocks.append(replace(block, rows=rows))
            else:
                blocks.append(block)
        return Section(self.title, tuple(blocks))
