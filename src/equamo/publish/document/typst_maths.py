r"""Formulas as typst source, from which the PDF is typeset.

Letters are separated and signs escaped, so that nothing can be read as the name of a symbol,
as a call, or as a separator of arguments.
"""

from __future__ import annotations

from typing import Final

from ...algebra.expr.printing.maths import (
    BIG,
    BRACKETS,
    Accent,
    Fence,
    Font,
    Fraction,
    Grid,
    Letter,
    Maths,
    Number,
    Root,
    Row,
    Scripts,
    Sign,
    Space,
    Word,
)
from ...algebra.expr.printing.maths_reader import read_maths

_FONTS: Final[dict[Font, str]] = {
    "italic": "{}", "upright": "upright({})", "bold": "upright(bold({}))", "bold italic": "bold({})",
    "sans": "upright(sans({}))", "calligraphic": "cal({})", "blackboard": "bb({})",
}  # fmt: skip
_MARKS: Final = {
    "dot": "dot", "ddot": "dot.double", "hat": "hat", "tilde": "tilde", "bar": "macron",
    "vec": "arrow",
}  # fmt: skip
_PLAIN: Final = frozenset("+−=<>≤≥≠≈≡±∓×⋅∂∇∞→↦∈…⋯⋮⋱∘⊗′∗†⊥∥⟨⟩∑∏∫")


def to_typst(latex: str) -> str:
    r"""Typst source of a formula in LaTeX, without the dollar signs around it.

    Args:
        latex: Formula, in the subset of `read_maths`.

    Raises:
        ParseError: The LaTeX is not in the subset.

    >>> to_typst(r"\frac{1}{2} m \dot q_{1}^{2}")
    'frac(1, 2) m attach(dot(q), t: 2, b: 1)'
    """
    return _write(read_maths(latex))


def quoted(text: str) -> str:
    r"""Text as a typst string.

    >>> print(quoted('a "b"'))
    "a \"b\""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def _write(maths: Maths) -> str:
    match maths:
        case Letter(text, font):
            return _FONTS[font].format(text if len(text) == 1 and text.isalpha() else quoted(text))
        case Word(text, font, function):
            if function:
                return f"op({quoted(text)})"
            if font != "upright" and text.isalpha():  # strings have no other style
                return _FONTS[font].format(" ".join(text))
            return quoted(text) if font == "upright" else _FONTS[font].format(quoted(text))
        case Number(text, font):
            return text if font == "upright" else _FONTS[font].format(text)
        case Sign(text):
            return text if text in _PLAIN else f"\\{text}"
        case Space(ems):
            return f"#h({ems}em)"
        case Row(parts):
            return _row(parts)
        case Scripts(base, below, above):
            scripts = [
                f", {place}: {_write(x)}"
                for place, x in (("t", above), ("b", below))
                if x is not None
            ]
            is_big = isinstance(base, Sign) and base.text in BIG.values()
            inner = f"limits({_write(base)})" if is_big else _write(base)
            return f"attach({inner}{''.join(scripts)})"
        case Accent(base, mark):
            return f"{_MARKS[mark]}({_write(base)})"
        case Fraction(top, bottom):
            return f"frac({_write(top)}, {_write(bottom)})"
        case Root(inside):
            return f"sqrt({_write(inside)})"
        case Fence(left, inside, right):
            return f"lr({_bracket(left)} {_write(inside)} {_bracket(right)})"
        case Grid():
            return _grid(maths)


def _row(parts: tuple[Maths, ...]) -> str:
    """Parts side by side; a sign that continues a sum on a new line is binary, not unary."""
    written = [_write(x) for x in parts]
    spaces = next((k for k, x in enumerate(parts) if not isinstance(x, Space)), 0)
    if spaces and parts[spaces] in (Sign("+"), Sign("−")):
        written.insert(spaces, '""')
    return " ".join(written) or '""'


def _bracket(sign: str) -> str:
    return f"\\{sign}" if sign and sign not in _PLAIN else sign


def _grid(grid: Grid) -> str:
    """Matrix; aligned lines are a left-aligned matrix without brackets."""
    left, _ = BRACKETS[grid.environment]
    delimiter = f'"{left}"' if left else "#none"
    cell = "inline({})" if grid.environment == "aligned" else "{}"  # not smaller inside a matrix
    rows = "; ".join(", ".join(cell.format(_write(x)) for x in row) for row in grid.rows)
    if grid.environment == "cases":
        return f"cases({', '.join(' & '.join(map(_write, row)) for row in grid.rows)})"
    if grid.environment == "aligned":
        return f"mat(delim: #none, align: #left, column-gap: #0.1em, {rows})"
    return f"mat(delim: {delimiter}, {rows})"
