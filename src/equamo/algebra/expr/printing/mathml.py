r"""Formulas as MathML, the mathematics of HTML pages; browsers need no script to show it."""

from __future__ import annotations

from html import escape
from typing import Final

from .maths import (
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
from .maths_reader import read_maths

# First letters of the alphabets of mathematics in Unicode: A, a, Α, α, 0.
_ALPHABETS: Final[dict[Font, tuple[int, int, int, int]]] = {
    "bold": (0x1D400, 0x1D41A, 0x1D6A8, 0x1D6C2),
    "bold italic": (0x1D468, 0x1D482, 0x1D71C, 0x1D736),
    "sans": (0x1D5A0, 0x1D5BA, 0, 0),
    "calligraphic": (0x1D4D0, 0x1D4EA, 0, 0),
    "blackboard": (0x1D538, 0x1D552, 0, 0),
}
_VARIANTS: Final = {"ϵ": 0x1A, "ϑ": 0x1B, "ϕ": 0x1D, "ϱ": 0x1E}  # places after the letter α
_BLACKBOARD: Final = {"C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"}
_MARKS: Final = {"dot": "˙", "ddot": "¨", "hat": "^", "tilde": "~", "bar": "¯", "vec": "→"}
_BRACKETS: Final = frozenset("()[]{}|‖⟨⟩")
_BEFORE_TERMS: Final = frozenset("=≤≥≠≈≡<>([{,;")
_THIN: Final = '<mspace width="0.17em"/>'


def to_mathml(latex: str, display: bool = False) -> str:
    r"""MathML element of a formula in LaTeX.

    Args:
        latex: Formula, in the subset of `read_maths`.
        display: Whether the formula stands on its own line.

    Raises:
        ParseError: The LaTeX is not in the subset.

    >>> to_mathml(r"\dot q_{1}")
    '<math><msub><mover accent="true"><mi>q</mi><mo>˙</mo></mover><mn>1</mn></msub></math>'
    """
    shown = ' display="block"' if display else ""
    return f"<math{shown}>{_write(read_maths(latex))}</math>"


def styled(text: str, font: Font) -> str:
    """Letters of a font as separate Unicode characters; other characters stay.

    >>> styled("M", "bold"), styled("ω", "bold italic"), styled("q", "italic")
    ('𝐌', '𝝎', 'q')
    """
    if font not in _ALPHABETS:
        return text
    upper, lower, greek_upper, greek_lower = _ALPHABETS[font]

    def letter(c: str) -> str:
        if font == "blackboard" and c in _BLACKBOARD:
            return _BLACKBOARD[c]
        if font.startswith("bold") and "0" <= c <= "9":
            return chr(0x1D7CE + int(c))
        if "A" <= c <= "Z":
            return chr(upper + ord(c) - ord("A"))
        if "a" <= c <= "z":
            return chr(lower + ord(c) - ord("a"))
        if greek_upper and "Α" <= c <= "Ω":
            return chr(greek_upper + ord(c) - ord("Α"))
        if greek_lower and "α" <= c <= "ω":
            return chr(greek_lower + ord(c) - ord("α"))
        if greek_lower and c in _VARIANTS:
            return chr(greek_lower + _VARIANTS[c])
        return c

    return "".join(map(letter, text))


def _row(maths: Maths) -> str:
    """A formula as one element."""
    if isinstance(maths, Row):
        return f"<mrow>{_write(maths)}</mrow>"
    return _write(maths)


def _write(maths: Maths) -> str:
    match maths:
        case Letter(text, font):
            upright = ' mathvariant="normal"' if font == "upright" else ""
            return f"<mi{upright}>{escape(styled(text, font))}</mi>"
        case Word(text, font, function):
            if function:
                return f"<mi>{escape(text)}</mi>"
            tag = "mi" if font != "upright" else "mtext"
            return f"<{tag}>{escape(styled(text, font))}</{tag}>"
        case Number(text, font):
            return f"<mn>{styled(text, font)}</mn>"
        case Sign(text):
            stretchy = ' stretchy="false"' if text in _BRACKETS else ""
            return f"<mo{stretchy}>{escape(text)}</mo>"
        case Space(ems):
            return f'<mspace width="{ems}em"/>'
        case Row(parts):
            return _parts(parts)
        case Scripts():
            return _scripts(maths)
        case Accent(base, mark):
            return f'<mover accent="true">{_row(base)}<mo>{_MARKS[mark]}</mo></mover>'
        case Fraction(top, bottom):
            return f"<mfrac>{_row(top)}{_row(bottom)}</mfrac>"
        case Root(inside):
            return f"<msqrt>{_write(inside)}</msqrt>"
        case Fence(left, inside, right):
            tall = _is_tall(inside)
            return f"<mrow>{_bracket(left, tall)}{_write(inside)}{_bracket(right, tall)}</mrow>"
        case Grid():
            return _grid(maths)


def _scripts(maths: Scripts) -> str:
    """Base with scripts; those of a sum are below and above it."""
    base = maths.base
    limits = isinstance(base, Sign) and base.text in BIG.values() and base.text != "∫"
    names = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
    body = _row(base)
    if maths.below is None:
        above = "<mrow></mrow>" if maths.above is None else _row(maths.above)
        return f"<{names[1]}>{body}{above}</{names[1]}>"
    if maths.above is None:
        return f"<{names[0]}>{body}{_row(maths.below)}</{names[0]}>"
    return f"<{names[2]}>{body}{_row(maths.below)}{_row(maths.above)}</{names[2]}>"


def _parts(parts: tuple[Maths, ...]) -> str:
    """Parts side by side, with thin spaces around functions and unary signs."""
    written: list[str] = []
    before: Maths | None = None
    for k, part in enumerate(parts):
        after = parts[k + 1] if k + 1 < len(parts) else None
        if isinstance(part, Sign) and part.text in "+−" and _opens(before):
            written.append(f'<mo form="prefix">{part.text}</mo>')
        elif _is_function(part):
            if before is not None and not isinstance(before, (Sign, Space)):
                written.append(_THIN)
            written.append(_write(part))
            if after is not None and not isinstance(after, (Sign, Space, Fence)):
                written.append(_THIN)
        else:
            written.append(_write(part))
        before = part
    return "".join(written)


def _opens(before: Maths | None) -> bool:
    """Whether a sign after this part is unary."""
    if before is None:
        return True
    return isinstance(before, Sign) and before.text in _BEFORE_TERMS


def _is_function(maths: Maths) -> bool:
    base = maths.base if isinstance(maths, Scripts) else maths
    return isinstance(base, Word) and base.function


def _is_tall(maths: Maths) -> bool:
    """Whether brackets around a formula must grow."""
    match maths:
        case Fraction() | Grid() | Root():
            return True
        case Row(parts):
            return any(map(_is_tall, parts))
        case Scripts(base) | Accent(base) | Fence(_, base, _):
            return _is_tall(base) or base in (Sign("∑"), Sign("∏"), Sign("∫"))
        case _:
            return False


def _bracket(sign: str, grows: bool = True) -> str:
    return f'<mo stretchy="{str(grows).lower()}">{escape(sign)}</mo>' if sign else ""


def _grid(grid: Grid) -> str:
    left, right = BRACKETS[grid.environment]
    aligned = grid.environment == "aligned"
    rows: list[str] = []
    for row in grid.rows:
        cells: list[str] = []
        for k, cell in enumerate(row):
            side = (' class="right"' if k % 2 == 0 else ' class="left"') if aligned else ""
            cells.append(f"<mtd{side}>{_write(cell)}</mtd>")
        rows.append(f"<mtr>{''.join(cells)}</mtr>")
    shown = ' displaystyle="true" class="aligned"' if aligned else ""
    table = f"<mtable{shown}>{''.join(rows)}</mtable>"
    return f"<mrow>{_bracket(left)}{table}{_bracket(right)}</mrow>" if left or right else table
