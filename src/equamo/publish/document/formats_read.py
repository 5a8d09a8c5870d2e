r"""HTML and typst of a paper read back: what each numbered equation looks like there.

The writers make MathML and typst from the tree that is read from LaTeX. Here both are read into such
trees again, without the writers, so that an equation can be compared with the LaTeX that was read back.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final
from xml.etree import ElementTree

from ...algebra.expr.printing.appearance import appearance, seen
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
from ...errors import ParseError, ProofError
from .latex_members import members_by_number
from .typst_reader import read_typst

_HTML: Final = re.compile(r'id="eq-(\d+)"><div class="formula">(<math.*?</math>)</div>', re.DOTALL)
_TYPST: Final = re.compile(
    r"#equation\((\d+), \$ (.*?) \$, (?:\[|none)|fit\(\$ (.*?) \$\), \[#text\(size: 8\.5pt\)\[\((\d+)\)",
    re.DOTALL,
)
_ACCENTS: Final = {"˙": "dot", "¨": "ddot", "^": "hat", "~": "tilde", "¯": "bar", "→": "vec"}
_STYLES: Final[dict[str, Font]] = {
    "MATHEMATICAL BOLD": "bold", "MATHEMATICAL SCRIPT": "calligraphic", "DOUBLE-STRUCK": "blackboard",
    "MATHEMATICAL DOUBLE": "blackboard",
}  # fmt: skip


def check_html(latex: str, html: str) -> None:
    """Compare the equations of a page with those of the LaTeX of the same paper.

    Raises:
        ProofError: An equation looks different.
    """
    found = {int(n): text for n, text in _HTML.findall(html)}
    _compare(latex, found, lambda text: _mathml(ElementTree.fromstring(text)), "HTML")


def check_typst(latex: str, typst: str) -> None:
    """Compare the equations of a typst source with those of the LaTeX of the same paper.

    Raises:
        ProofError: An equation looks different.
    """
    found = {int(a or d): b or c for a, b, c, d in _TYPST.findall(typst)}
    _compare(latex, found, read_typst, "typst")


def _compare(latex: str, found: dict[int, str], read: Callable[[str], Maths], format: str) -> None:
    for number, members in members_by_number(latex).items():
        wanted = _merged(appearance(" = ".join(x for x in members if x)))
        try:
            got = _merged(seen(read(found[number])) if number in found else "")
        except (ParseError, ElementTree.ParseError) as error:
            got = str(error)
        if got.removeprefix("=") != wanted.removeprefix("="):
            raise ProofError(
                f"paper: equation ({number}) must look in {format} as in LaTeX, {brief(wanted, 200)}, "
                f"got {brief(got, 200)}. This is an error of equamo; please report it."
            )


def _merged(text: str) -> str:
    """Appearance with neighbouring bold letters as one word."""
    return text.replace("⟩bold⟨", "").replace("⟩cal⟨", "").replace("⟩bb⟨", "")


# -- MathML ------------------------------------------------------------------------------------------
def _mathml(element: ElementTree.Element) -> Maths:
    """Tree of a MathML element."""
    parts = [_mathml(x) for x in element]
    match element.tag:
        case "mi" | "mn" | "mtext":
            return Row(tuple(_styled(c) for c in element.text or ""))
        case "mo":
            return Sign(element.text or "")
        case "mspace":
            return Row(())
        case "msub" | "munder":
            return Scripts(_single(parts[0]), parts[1])
        case "mover" if element.get("accent"):
            return Accent(_single(parts[0]), _ACCENTS[element[1].text or ""])
        case "msup" | "mover":
            return Scripts(_single(parts[0]), None, parts[1])
        case "msubsup" | "munderover":
            return Scripts(_single(parts[0]), parts[1], parts[2])
        case "mfrac":
            return Fraction(parts[0], parts[1])
        case "msqrt":
            return Root(Row(tuple(parts)))
        case "mtable":
            rows = tuple(tuple(_mathml(cell) for cell in row) for row in element)
            return Grid("aligned" if element.get("class") == "aligned" else "matrix", rows)
        case _:
            return Row(tuple(parts))


def _single(maths: Maths) -> Maths:
    """The only part of a row."""
    return maths.parts[0] if isinstance(maths, Row) and len(maths.parts) == 1 else maths


def _styled(c: str) -> Maths:
    """A letter in the font that its place in Unicode says."""
    name = unicodedata.name(c, "")
    fonts: list[Font] = [x for start, x in _STYLES.items() if name.startswith(start)]
    font: Font = fonts[0] if fonts else "upright"
    plain = unicodedata.normalize("NFKC", c) if font != "upright" else c
    return Word(plain, font)
