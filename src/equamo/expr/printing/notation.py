"""How names are written in LaTeX: q_imu, phi, dq_1l, Lc1 … by rules, and c_{1} for cos(q1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from ..functions import COS, SIN
from ..graph import ADD, NEG, SUB, Expr
from .arrange import natural_key
from .greek import GREEK, TYPED

_COMMAND: Final = {name: rf"\{name}" for name in GREEK} | {"th": r"\theta", "Th": r"\Theta"}
_LONGEST_FIRST: Final = "|".join(sorted(_COMMAND, key=len, reverse=True))
_SUBSCRIPTS: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_ACCENTS: Final = {"\u0307": r"\dot", "\u0308": r"\ddot"}
_COORDINATES: Final = frozenset(
    "qxyzXYZ"
)  # letters that dq, ddx … are the rates of, beside Greek ones
_SPECIAL: Final = {c: rf"\{c}" for c in "#$%&_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_MAX_ANGLES: Final = 12  # terms of an angle in the short form

Signed = tuple[Expr, bool]  # a term, and whether it is subtracted

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
        base += "_{" + ",".join(_COMMAND.get(TYPED.get(s, s), s) for s in subscripts) + "}"
    return f"{accent} {base}" if accent else base


def _split(name: str) -> tuple[str, list[str]] | None:
    """(LaTeX of the letter or word, subscripts); None for a name that is shown as it is."""
    first, *subscripts = name.split("_")
    if not all(s.isalnum() for s in (first, *subscripts)):
        return None
    first = TYPED.get(first[0], first[0]) + first[1:]
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


def distinct(called: Mapping[Expr, str], notation: Mapping[str, str]) -> dict[Expr, str]:
    """LaTeX of named nodes; where two would look the same, the later ones are shown verbatim."""
    atoms: dict[Expr, str] = {}
    taken = set(notation.values())
    for n, name in sorted(called.items(), key=lambda item: natural_key(item[1])):
        text = notation.get(name)
        if text is None:
            text = name_to_latex(name)
            text = verbatim(name) if text in taken else text
            taken.add(text)
        atoms[n] = text
    return atoms


# -- c_{1}, s_{12} -------------------------------------------------------------------------------
def short_names(
    order: Iterable[Expr], atoms: Mapping[Expr, str]
) -> tuple[dict[Expr, str], dict[Expr, str]]:
    """LaTeX of sin and cos of sums of coordinates whose subscripts say which; and of sin(-x)."""
    subscripts: dict[Expr, tuple[str, str]] = {}  # of a sin or cos node: those of x and -x
    meaning: dict[str, set[frozenset[frozenset[Signed]]]] = {}  # angles, up to their sign
    for n in order:
        angle = _angle(n.a, atoms) if n.op in (SIN, COS) and n not in atoms else None
        if angle is None:
            continue
        turned = [(x, not minus) for x, minus in angle]
        both = [_subscript(terms, atoms, even=n.op == COS) for terms in (angle, turned)]
        if both[0] is not None and both[1] is not None:
            subscripts[n] = both[0], both[1]
            for text in subscripts[n]:
                meaning.setdefault(text, set()).add(
                    frozenset((frozenset(angle), frozenset(turned)))
                )
    symbols = set(atoms.values())
    short: dict[Expr, str] = {}
    opposite: dict[Expr, str] = {}
    for n, both in subscripts.items():
        texts = [f"{'s' if n.op == SIN else 'c'}_{{{text}}}" for text in both]
        if all(len(meaning[t]) == 1 for t in both) and symbols.isdisjoint(texts):
            short[n] = texts[0]
            if n.op == SIN and not both[1].startswith("-"):
                opposite[n] = texts[1]
    return short, opposite


def _angle(x: Expr, atoms: Mapping[Expr, str]) -> list[Signed] | None:
    """Terms of a sum of a few distinct symbols, else None."""
    terms: list[Signed] = []
    stack: list[Signed] = [(x, False)]
    while stack:
        y, minus = stack.pop()
        if y in atoms:
            terms.append((y, minus))
        elif y.op in (ADD, SUB) and len(stack) + len(terms) < _MAX_ANGLES:
            stack += [(y.a, minus), (y.b, minus != (y.op == SUB))]
        elif y.op == NEG:
            stack.append((y.a, not minus))
        else:
            return None
    return terms if len({y for y, _ in terms}) == len(terms) else None


def _subscript(angle: list[Signed], atoms: Mapping[Expr, str], even: bool) -> str | None:
    labels: list[tuple[str, bool]] = []
    for x, minus in angle:
        text = atoms[x]
        found = re.fullmatch(r"(\\?[A-Za-z]+)(?:_(?:\{([^{}]+)\}|(\w)))?", text)
        if found is None:
            return None
        subscript = found[2] or found[3]
        labels.append((subscript if subscript and found[1] in ("q", r"\theta") else text, minus))
    labels.sort(key=lambda item: natural_key(item[0]))
    if even and labels[0][1]:
        labels = [(text, not minus) for text, minus in labels]
    labels.sort(key=lambda item: item[1])  # those with a plus sign first
    plus = "" if all(len(text) == 1 for text, _ in labels) else "+"
    signed = ["-" + text if minus else plus + text for text, minus in labels]
    return "".join(signed).removeprefix("+")
