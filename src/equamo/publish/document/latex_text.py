r"""Plain text as LaTeX: special characters are escaped, those that text fonts lack become formulas."""

from __future__ import annotations

import unicodedata
from typing import Final

from ...algebra.expr.printing.greek import GREEK

_SPECIAL: Final = {c: rf"\{c}" for c in "#$%&_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''",
    "–": "--", "—": "---", "’": "'", "‘": "`", "“": "``", "”": "''", "…": r"\dots{}", "\u00a0": "~",
    "\u202f": r"\,", "−": "$-$", "×": r"$\times$", "·": r"$\cdot$", "≤": r"$\le$", "≥": r"$\ge$",
    "≠": r"$\ne$", "≈": r"$\approx$", "∞": r"$\infty$", "→": r"$\to$", "∂": r"$\partial$",
    "√": r"$\surd$", "°": r"${}^{\circ}$", "∑": r"$\sum$", "∈": r"$\in$", "⊤": r"$\top$",
    "∇": r"$\nabla$", "⋅": r"$\cdot$", "½": r"$\tfrac{1}{2}$", "ᵀ": r"$^{\mathsf T}$",
    "✓": r"$\checkmark$", "∎": r"$\square$", "ₙ": "$_{n}$", "ᵢ": "$_{i}$", "ⱼ": "$_{j}$",
}  # fmt: skip
_GREEK: Final = {letter: rf"$\{name}$" for name, letter in GREEK.items()} | {
    "ε": r"$\epsilon$", "φ": r"$\phi$",
}  # fmt: skip
_RAISED: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ", "0123456789-+n", strict=True))
_LOWERED: Final = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))


def escaped(text: str) -> str:
    r"""Write plain text as LaTeX.

    Accented letters stay, as LaTeX reads UTF-8; a character that it cannot print becomes its name in
    parentheses.

    >>> print(escaped("ω_1 ≤ 2⁻¹¹⁸ [m/s²]"))
    $\omega$\_1 $\le$ 2$^{-118}$ [m/s$^{2}$]
    """
    parts: list[str] = []
    for c in unicodedata.normalize("NFC", text):
        if c in _RAISED or c in _LOWERED:
            sign, plain = ("^", _RAISED[c]) if c in _RAISED else ("_", _LOWERED[c])
            if parts and parts[-1].startswith(f"${sign}{{"):
                parts[-1] = f"{parts[-1][:-2]}{plain}}}$"
            else:
                parts.append(f"${sign}{{{plain}}}$")
        elif c in _SPECIAL or c in _GREEK:
            parts.append(_SPECIAL.get(c) or _GREEK[c])
        elif ord(c) < 0x180 or c in "\n":
            parts.append(c)
        elif c in "\u0307\u0308" and parts:  # q̇: the dot follows its letter
            letter = parts.pop().strip("$")
            parts.append(rf"$\{'dot' if c == chr(0x307) else 'ddot'}{{{letter}}}$")
        elif unicodedata.decomposition(c) and (plain := _undotted(c)):
            parts.append(plain)
        else:
            parts.append(f"({unicodedata.name(c, 'unknown sign').lower()})")
    return "".join(parts)


def _undotted(c: str) -> str:
    """Letter with dots, such as v̇ or ẋ as one character, as a formula; empty for other characters."""
    whole = unicodedata.normalize("NFD", c)
    letter, mark = whole[0], whole[1:]
    command = {"\u0307": "dot", "\u0308": "ddot"}.get(mark)
    return rf"$\{command}{{{letter}}}$" if command and letter.isascii() else ""
