"""LaTeX of names by rules (q_imu, phi, dq_1l, Lc1 …), and c_{1} for cos(q1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import replace
from typing import Final

from ..functions import COS, SIN
from ..graph import ADD, NEG, SUB, Expr
from .appearance import appearance, is_formula
from .arrange import natural_key
from .symbol_name import SymbolName, given_latex, symbol_name, whole_name

# Words that a reader takes for a function.
_FUNCTIONS: Final = frozenset((
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sign",
    "arcsin", "arccos", "arctan", "sgn", "ln",
))  # fmt: skip
# LaTeX of a user that ends a formula, a cell or a line, and that of a sum outside of braces.
_UNSAFE: Final = re.compile(r"(?<!\\)(?:\\\\)*(?:[$%&#]|\\\\)")
_GROUP: Final = re.compile(r"\{[^{}]*\}")
_OPERATOR: Final = re.compile(r"(?<![_^])[-+=/<>*]|\\(?:cdot|times|pm|mp|div)(?![A-Za-z])")
_MAX_ANGLES: Final = 12  # most terms of an angle in the short form

Signed = tuple[Expr, bool]  # a term, and whether it is subtracted


def name_to_latex(name: str) -> str:
    """LaTeX of a symbol's name.

    >>> [name_to_latex(n) for n in ("q_imu", "phi", "dq_1l", "ddq_1l", "theta_R", "Lc1")]
    ['q_{imu}', '\\\\phi', '\\\\dot q_{1l}', '\\\\ddot q_{1l}', '\\\\theta_{R}', 'L_{c1}']
    >>> [name_to_latex(n) for n in ("qLF_HAA", "Ixx", "mass", "joint-1", "d1", "q̇")]
    ['q_{LF,HAA}', 'I_{xx}', '\\\\mathit{mass}', '\\\\text{joint-1}', 'd_{1}', '\\\\dot q']
    """
    return symbol_name(name).latex


def distinct(called: Mapping[Expr, str], notation: Mapping[str, str]) -> dict[Expr, SymbolName]:
    """Names of nodes in parts; of two that would look the same, the later is printed verbatim."""
    atoms = {n: given_latex(notation[name]) for n, name in called.items() if name in notation}
    taken = {appearance(x) for x in notation.values()}
    others = {n: name for n, name in called.items() if n not in atoms}
    order = sorted(set(others.values()), key=natural_key)
    table = symbol_table({name: [symbol_name(name)] for name in order}, taken)
    return atoms | {n: table[name] for n, name in others.items()}


def symbol_table(
    wanted: Mapping[str, Sequence[SymbolName]], taken: AbstractSet[str] = frozenset()
) -> dict[str, SymbolName]:
    r"""Printed form of every name, so that no two look alike.

    A form that looks like another one, or like a formula in other ones, is replaced: by the next one,
    by the name itself, or by one with a star. So is one that is empty, bold, a function
    or a sum.

    Args:
        wanted: Forms of each name, the best first; names that come first choose first.
        taken: Appearances that mean something else.

    >>> table = symbol_table({x: [symbol_name(x)] for x in ("q1", "q_1", "T")}, {"T"})
    >>> [x.latex for x in table.values()]
    ['q_{1}', '\\text{q\\_1}', 'T_{\\ast}']
    """
    used: set[str] = set()
    all_seen = {appearance(x.latex) for forms in wanted.values() for x in forms[:1]}
    table: dict[str, SymbolName] = {}
    for name, forms in wanted.items():
        for form in _forms(name, forms):
            seen = appearance(form.latex)
            is_letter = form.form in ("letter", "greek") and not form.given
            if seen in used or seen in taken or not _is_letter(form, seen):
                continue
            if is_letter or not is_formula(seen, all_seen | used | _FUNCTIONS):
                table[name] = form
                used.add(seen)
                break
    return table


def _is_letter(form: SymbolName, seen: str) -> bool:
    """Whether a form is visible, not bold as a vector, no function, and one factor of a product."""
    outside = form.given
    while outside != (outside := _GROUP.sub("", outside)):
        pass
    is_factor = not (_UNSAFE.search(form.given) or _OPERATOR.search(outside))
    return bool(seen) and "bold⟨" not in seen and seen not in _FUNCTIONS and is_factor


def _forms(name: str, forms: Sequence[SymbolName]) -> Iterator[SymbolName]:
    """Forms of a name without end: those given, the name itself, and one, two … stars."""
    yield from forms
    yield whole_name(name)
    form = symbol_name(name)
    while True:
        form = replace(form, subscripts=(*form.subscripts, r"\ast"))
        yield form


# -- c_{1}, s_{12} -------------------------------------------------------------------------------
def short_names(
    order: Iterable[Expr], atoms: Mapping[Expr, SymbolName]
) -> tuple[dict[Expr, str], dict[Expr, str]]:
    """LaTeX of sin and cos of sums of coordinates with distinct subscripts, and of sin(-x)."""
    subscripts: dict[Expr, tuple[str, str]] = {}  # of a sin or cos node: those of x and -x
    meaning: dict[str, set[frozenset[frozenset[Signed]]]] = {}  # angles, up to their sign
    for n in order:
        angle = _angle(n.a, atoms) if n.op in (SIN, COS) and n not in atoms else None
        if angle is None:
            continue
        negated = [(x, not minus) for x, minus in angle]
        both = [_subscript(terms, atoms, even=n.op == COS) for terms in (angle, negated)]
        if both[0] is not None and both[1] is not None:
            subscripts[n] = both[0], both[1]
            for text in subscripts[n]:
                meaning.setdefault(text, set()).add(
                    frozenset((frozenset(angle), frozenset(negated)))
                )
    symbols = {name.latex for name in atoms.values()}
    short: dict[Expr, str] = {}
    opposite: dict[Expr, str] = {}
    for n, both in subscripts.items():
        texts = [f"{'s' if n.op == SIN else 'c'}_{{{text}}}" for text in both]
        if all(len(meaning[t]) == 1 for t in both) and symbols.isdisjoint(texts):
            short[n] = texts[0]
            if n.op == SIN and not both[1].startswith("-"):
                opposite[n] = texts[1]
    return short, opposite


def _angle(x: Expr, atoms: Mapping[Expr, SymbolName]) -> list[Signed] | None:
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


def _subscript(angle: list[Signed], atoms: Mapping[Expr, SymbolName], even: bool) -> str | None:
    labels: list[tuple[str, bool]] = []
    for x, minus in angle:
        name = atoms[x]
        if name.accent or name.form not in ("letter", "greek") or not name.base.isascii():
            return None
        is_angle = (name.base, name.form) in (("q", "letter"), ("theta", "greek"))
        labels.append((name.subscript if name.subscripts and is_angle else name.latex, minus))
    labels.sort(key=lambda item: natural_key(item[0]))
    if even and labels[0][1]:
        labels = [(text, not minus) for text, minus in labels]
    labels.sort(key=lambda item: item[1])  # positive terms first
    plus = "" if all(len(text) == 1 for text, _ in labels) else "+"
    signed = ["-" + text if minus else plus + text for text, minus in labels]
    return "".join(signed).removeprefix("+")
