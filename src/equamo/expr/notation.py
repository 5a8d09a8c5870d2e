"""How the name of a symbol is written in LaTeX: q_imu, phi, dq_1l, Lc1 … by a few rules."""

from __future__ import annotations

import re
from typing import Final

_GREEK: Final = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega varepsilon vartheta varphi varrho "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
).split()
_LETTERS: Final = dict(
    zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", _GREEK[:23] + _GREEK[27:], strict=True)
)
_COMMAND: Final = {name: rf"\{name}" for name in _GREEK} | {"th": r"\theta", "Th": r"\Theta"}
_LONGEST_FIRST: Final = "|".join(sorted(_COMMAND, key=len, reverse=True))
_SUBSCRIPTS: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_ACCENTS: Final = {"\u0307": r"\dot", "\u0308": r"\ddot"}
_COORDINATES: Final = frozenset("qxyzXYZ")  # letters that dq, ddx … are the rates of, beside Greek ones
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


def name_to_latex(name: str) -> str:
    """LaTeX of a symbol's name.

    >>> [name_to_latex(n) for n in ("q_imu", "phi", "dq_1l", "ddq_1l", "theta_R", "Lc1")]
    ['q_{imu}', '\\\\phi', '\\\\dot q_{1l}', '\\\\ddot q_{1l}', '\\\\theta_{R}', 'L_{c1}']
    >>> [name_to_latex(n) for n in ("qLF_HAA", "Ixx", "mass", "joint-1", "d1", "q̇")]
    ['q_{LF,HAA}', 'I_{xx}', '\\\\mathit{mass}', '\\\\text{joint-1}', 'd_{1}', '\\\\dot q']
    """
    accent = ""
    plain = name.translate(_SUBSCRIPTS)
    if len(plain) > 1 and plain[1] in _ACCENTS:
        accent, plain = _ACCENTS[plain[1]], plain[0] + plain[2:]
    parts = _split(plain)
    if parts is None:
        return verbatim(name)
    base, subscripts = parts
    if not accent and base not in _COMMAND.values():
        for prefix, dots in (("dd", r"\ddot"), ("d", r"\dot")):
            inner = _split(plain.removeprefix(prefix)) if plain.startswith(prefix) else None
            if inner is not None and (inner[0] in _COORDINATES or inner[0] in _COMMAND.values()):
                accent = dots
                base, subscripts = inner
                break
    if subscripts:
        base += "_{" + ",".join(_COMMAND.get(_LETTERS.get(s, s), s) for s in subscripts) + "}"
    return f"{accent} {base}" if accent else base


def _split(name: str) -> tuple[str, list[str]] | None:
    """(LaTeX of the letter or word, subscripts); None for a name that is shown as it is."""
    first, *subscripts = name.split("_")
    if not all(s.isalnum() for s in (first, *subscripts)):
        return None
    first = _LETTERS.get(first[0], first[0]) + first[1:]
    for pattern in _FIRST_PART:
        found = pattern.fullmatch(first)
        if found:
            base, rest = found[1], found[2]
            base = _COMMAND.get(base, base if len(base) == 1 else rf"\mathit{{{base}}}")
            return base, [rest, *subscripts] if rest else subscripts
    return None


def verbatim(name: str) -> str:
    """A name as plain text, LaTeX's special characters escaped."""
    return rf"\text{{{''.join(_SPECIAL.get(c, c) for c in name)}}}"
