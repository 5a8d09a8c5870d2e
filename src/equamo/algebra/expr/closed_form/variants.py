"""Promising equivalent forms of a polynomial in sines and cosines.

For every angle: without squared sines, without squared cosines, whichever has fewer terms, or in the
double angle. For every two angles in the same term: their sum or difference, term by term or as a new
base angle. For all angles together: products turned into sums, the Fourier basis.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .forms import Number, ratio
from .trigonometry import Angles, Poly, eliminated, sparse

Scaled = tuple[Number, Poly]  # (k, p) stands for k·p
MAX_BY_ANGLE: Final = 32  # combinations of the choices for every angle
MAX_HARMONIC_DEGREE: Final = 6
MAX_HARMONIC_ANGLES: Final = 4
ROUNDS: Final = 3  # sums of sums: q1 + q2, q1 + q2 + q3, q1 + q2 + q3 + q4


def variants(angles: Angles, p: Poly) -> Iterator[Scaled]:
    """Yield p in other sines and cosines, including p itself; some forms occur more than once."""
    yield 1, p
    if not angles.active(p):
        return
    plain = angles.plain(p)
    for base in (plain, *_rebased(angles, plain)):
        yield from _by_angle(angles, base)
    for merged in _merged(angles, plain):
        yield 1, merged
    active = angles.active(plain)
    degree = max(sum(m[s] + m[c] for s, c in (angles.pairs[i] for i in active)) for m in plain)
    if len(active) <= MAX_HARMONIC_ANGLES and degree <= MAX_HARMONIC_DEGREE:
        waves = angles.harmonics(plain, active)
        if waves is not None:
            yield ratio(1, 2**degree), waves


def _by_angle(angles: Angles, p: Poly) -> list[Scaled]:
    """All combinations of the choices for every angle."""
    forms: list[Scaled] = [(1, p)]
    for i in angles.active(p):
        s, c = angles.pairs[i]
        if all(m[s] + m[c] < 2 for m in p):
            continue
        new = list(forms)
        for k, q in forms:
            if any(m[c] > 1 for m in q):
                new.append((k, eliminated(q, c, s)))
                new.append((k, sparse(q, s, c)))
            double = angles.doubled(q, i)
            if double is not None:
                new.append((ratio(k, 2 ** max((m[s] + m[c]) // 2 for m in q)), double))
        forms = new[:MAX_BY_ANGLE]
    return forms


def _rebased(angles: Angles, p: Poly) -> list[Poly]:
    """Forms with sums and differences of angles as base angles, while that shortens p."""
    forms: list[Poly] = []
    for _ in range(ROUNDS):
        best: Poly | None = None
        for i, j in angles.together(p, angles.active(p)):
            for a, b in ((i, j), (j, i)):
                for sign in (1, -1):
                    best = angles.rebased(p, a, b, sign, len(best or p)) or best
        if best is None:
            break
        p = best
        forms.append(p)
    return forms


def _merged(angles: Angles, p: Poly) -> list[Poly]:
    """Forms with products of two angles rewritten as their sum or difference, term by term."""
    forms: list[Poly] = []
    for _ in range(ROUNDS):
        before = len(p)
        for i, j in angles.together(p, angles.active(p)):
            p = angles.merged(p, i, j)
        if len(p) == before:
            break
        forms.append(p)
    return forms
