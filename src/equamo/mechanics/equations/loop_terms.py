"""Terms of a planar loop: grouped by their unknown angles, merged, and solved for coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ...algebra.expr import ONE, ZERO, Expr, constant, cos, sin
from ...algebra.expr.graph import PI_NODE
from ...algebra.expr.linear_form import linear_form
from ...algebra.expr.walk import symbols
from .planar_loop import Term, Vector2, scale2, sum2

Group = tuple[frozenset[Expr], list[Term]]  # unknown coordinates in the angles, and the terms


def term_symbols(t: Term) -> set[Expr]:
    """Coordinates on which a term depends."""
    return set(symbols([t.angle] if t.slide is None else [t.angle, t.slide]))


def inserted(terms: Iterable[Term], formulas: Mapping[Expr, Expr]) -> list[Term]:
    """Terms with known coordinates replaced; a known slide becomes part of its vector."""
    new: list[Term] = []
    for t in terms:
        slide, vector = t.slide, t.vector
        if slide is not None and slide in formulas:
            slide, vector = None, scale2(vector, formulas[slide])
        new.append(Term(t.angle.subs(formulas), vector, slide))
    return new


def merged(terms: Iterable[Term]) -> list[Term]:
    """Terms without unknowns, those of equal angles added."""
    groups: dict[frozenset[tuple[object, object]], list[Term]] = {}
    for t in terms:
        key = frozenset(linear_form(t.angle).items()) | {("slide", t.slide)}
        groups.setdefault(key, []).append(t)
    merged: list[Term] = []
    for group in groups.values():
        x, y = sum2(t.vector for t in group)
        v = x.closed_form(), y.closed_form()
        if v != (ZERO, ZERO):
            merged.append(replace(group[0], vector=v))
    return merged


def grouped(terms: Iterable[Term], unknown: Sequence[Expr]) -> list[Group]:
    """Terms by the unknown coordinates in their angles, in order."""
    groups: dict[frozenset[Expr], list[Term]] = {}
    for t in terms:
        key = frozenset(symbols([t.angle])).intersection(unknown)
        groups.setdefault(key, []).append(t)
    return list(groups.items())


def group_vector(group: Group) -> tuple[Vector2, Expr, frozenset[Expr]]:
    """(a, α, unknowns) with Σ R(angle) vector = R(α) a"""
    unknown, terms = group
    still = dict.fromkeys(unknown, ZERO)
    alpha = terms[0].angle
    vectors: list[Vector2] = []
    for t in terms:
        turn = collected(t.angle.subs(still) - alpha.subs(still))
        v = t.vector if t.slide is None else scale2(t.vector, t.slide)
        vectors.append(v if turn is ZERO else _rotated(turn, v))
    x, y = sum2(vectors)
    return (x.closed_form(), y.closed_form()), alpha, unknown


def _rotated(angle: Expr, v: Vector2) -> Vector2:
    c, s = cos(angle), sin(angle)
    return c * v[0] - s * v[1], s * v[0] + c * v[1]


def unknown_coordinates(
    solved: Iterable[tuple[Expr, Expr, frozenset[Expr]]],
) -> dict[Expr, Expr]:
    """Unknown coordinates from (value, angle as a sum of coordinates, its unknowns)."""
    known: dict[Expr, Expr] = {}
    for value, angle, unknown in sorted(solved, key=lambda x: len(x[2])):
        (x,) = [u for u in unknown if u not in known]
        rest = angle.subs({x: ZERO} | known)
        difference = collected(value - rest)
        known[x] = difference if coefficient(angle, x) > 0 else -difference
    return known


def collected(e: Expr) -> Expr:
    """A sum of coordinates and functions with equal terms added; others unchanged."""
    form = linear_form(e)
    total = ZERO
    for monomial, factor in form.items():
        atoms = list(monomial)
        if len(atoms) > 1 or any(n != 1 or not isinstance(x, Expr) for x, n in atoms):
            return e
        term = atoms[0][0] if atoms else ONE
        total = total + constant(factor) * term
    return total


def coefficient(angle: Expr, x: Expr) -> int:
    """Coefficient ±1 of a coordinate in an angle."""
    return int(linear_form(angle)[frozenset({(x, 1)})])


def parallelogram(a: Vector2, b: Vector2, Q_terms: list[Term]) -> tuple[Expr, Expr] | None:
    """(α, β) with R(α) a and R(β) b equal to one term of Q each; None if they do not exist."""
    if len(Q_terms) != 2 or any(t.slide is not None for t in Q_terms):
        return None
    for first, second in (Q_terms, Q_terms[::-1]):
        alpha, beta = same_direction(a, first), same_direction(b, second)
        if alpha is not None and beta is not None:
            return alpha, beta
    return None


def same_direction(a: Vector2, term: Term) -> Expr | None:
    """Angle α with R(α) a = term, if a is its vector or the negative of it."""
    for sign, turn in ((ONE, ZERO), (-ONE, PI_NODE)):
        if all((p - sign * q).closed_form() is ZERO for p, q in zip(a, term.vector, strict=True)):
            return term.angle + turn
    return None
