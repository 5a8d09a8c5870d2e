"""Names of symbols split into base, accent and subscripts.

q_imu, phi, dq_1l, Lc1 are split by rules; LaTeX that a user gives for a symbol is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Literal, final

from .greek import GREEK, TYPED

Accent = Literal["", "dot", "ddot"]
Form = Literal["letter", "greek", "word", "text", "latex"]

_NAMED: Final = {name: name for name in GREEK} | {"th": "theta", "Th": "Theta"}
_LONGEST_FIRST: Final = "|".join(sorted(_NAMED, key=len, reverse=True))
_SUBSCRIPTS: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_ACCENTS: Final[dict[str, Accent]] = {"\u0307": "dot", "\u0308": "ddot"}
_DOTS: Final[tuple[Accent, ...]] = ("dot", "ddot")
_COORDINATES: Final = frozenset("qxyzXYZ")  # letters with rates dq, ddx …, besides Greek ones
_SPECIAL: Final = {c: rf"\{c}" for c in "#$%&_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip

# The first part of a name, before any underscore: (letter or Greek name, the rest is a subscript).
_FIRST_PART: Final = [
    re.compile(rf"({_LONGEST_FIRST})((?:[0-9A-Z].*)?)"),  # theta, theta1, thetaR
    re.compile(r"([^\W\d_])((?:[0-9].*)?)"),  # q, q1, q1l
    re.compile(r"([a-z])([A-Z].*)"),  # qLF
    re.compile(r"([A-Za-z])([xyz]{1,3}[0-9]*)"),  # Ixx, Jxy1
    re.compile(r"([A-Za-z])([a-z][0-9]*)"),  # Lc1, lc
    re.compile(r"([^\W\d_]{2,})([0-9]*)"),  # mass, MX, com2: a word
]
# LaTeX of a letter, with or without a subscript.
_GIVEN: Final = re.compile(r"(\\?[A-Za-z]+)(?:_(?:\{([^{}]+)\}|(\w)))?")


@final
@dataclass(frozen=True, slots=True)
class SymbolName:
    r"""Printed form of a symbol.

    >>> SymbolName("theta", "greek", ("R",), "dot").latex
    '\\dot \\theta_{R}'
    """

    base: str  # a letter, the name of a Greek letter, a word, a whole name, or LaTeX
    form: Form  # which of these
    subscripts: tuple[str, ...] = ()
    accent: Accent = ""
    given: str = ""  # LaTeX given by the user, printed instead

    @property
    def latex(self) -> str:
        """LaTeX of the name."""
        if self.given:
            return self.given
        base = self.base_latex
        if self.accent:  # over one letter, or over a word in braces
            one = self.form in ("letter", "greek")
            base = rf"\{self.accent} {base}" if one else rf"\{self.accent}{{{base}}}"
        return f"{base}_{{{self.subscript}}}" if self.subscripts else base

    @property
    def base_latex(self) -> str:
        """LaTeX of the base alone."""
        if self.form == "greek":
            return rf"\{self.base}"
        if self.form == "word":
            return rf"\mathit{{{self.base}}}"
        if self.form == "text":
            return rf"\text{{{''.join(_SPECIAL.get(c, c) for c in self.base)}}}"
        return self.base

    @property
    def subscript(self) -> str:
        """LaTeX of the subscripts, separated by commas."""
        return ",".join(rf"\{greek(s)}" if greek(s) else s for s in self.subscripts)


def greek(part: str) -> str:
    """Name of the Greek letter that a part of a name stands for; empty if there is none.

    >>> greek("th"), greek("θ"), greek("R")
    ('theta', 'theta', '')
    """
    return _NAMED.get(TYPED.get(part, part), "")


def symbol_name(name: str) -> SymbolName:
    """Split a symbol's name into its parts.

    >>> symbol_name("dq_1l")
    SymbolName(base='q', form='letter', subscripts=('1l',), accent='dot', given='')
    """
    accent: Accent = ""
    plain = name.translate(_SUBSCRIPTS)
    if len(plain) > 1 and plain[1] in _ACCENTS:
        accent, plain = _ACCENTS[plain[1]], plain[0] + plain[2:]
    parts = _split(plain)
    if parts is None:
        return whole_name(name)
    if not accent and parts.form != "greek":
        dots: tuple[tuple[str, Accent], ...] = (("dd", "ddot"), ("d", "dot"))
        for prefix, dot in dots:
            inner = _split(plain.removeprefix(prefix)) if plain.startswith(prefix) else None
            if inner is not None and (inner.base in _COORDINATES or inner.form == "greek"):
                parts, accent = inner, dot
                break
    return SymbolName(parts.base, parts.form, parts.subscripts, accent)


def whole_name(name: str) -> SymbolName:
    """Name that is printed verbatim."""
    return SymbolName(name, "text")


def given_latex(latex: str) -> SymbolName:
    r"""Split LaTeX given by a user, if it is a letter with a subscript.

    >>> given_latex(r"\theta_1").subscripts, given_latex(r"\vec{x}").form
    (('1',), 'latex')
    """
    for accent in _DOTS:
        if latex.startswith(rf"\{accent}"):
            return SymbolName(latex, "latex", (), accent, latex)
    match = _GIVEN.fullmatch(latex)
    if match is None:
        return SymbolName(latex, "latex", given=latex)
    below = match[2] or match[3]
    base, form = match[1].removeprefix("\\"), "greek" if match[1].startswith("\\") else "letter"
    return SymbolName(base, form, (below,) if below else (), given=latex)


def rate_of(name: SymbolName) -> SymbolName:
    r"""Add a dot to a name.

    >>> rate_of(symbol_name("u2")).latex, rate_of(given_latex(r"\vec{x}")).latex
    ('\\dot u_{2}', '\\dot \\vec{x}')
    >>> rate_of(given_latex(r"\dot \theta_1")).latex
    '\\ddot \\theta_1'
    """
    if name.given and name.accent == "dot":
        return given_latex(rf"\d{name.given[1:]}")  # \dot q becomes \ddot q
    if name.given:
        return given_latex(rf"\dot {name.given}")
    return replace(name, accent="ddot" if name.accent else "dot")


def _split(name: str) -> SymbolName | None:
    """Split into letter or word and subscripts; None for a name that is printed verbatim."""
    first, *subscripts = name.split("_")
    if not all(s.isalnum() for s in (first, *subscripts)):
        return None
    first = TYPED.get(first[0], first[0]) + first[1:]
    for pattern in _FIRST_PART:
        match = pattern.fullmatch(first)
        if match:
            base, rest = match[1], match[2]
            below = (rest, *subscripts) if rest else tuple(subscripts)
            if base in _NAMED:
                return SymbolName(_NAMED[base], "greek", below)
            return SymbolName(base, "letter" if len(base) == 1 else "word", below)
    return None
