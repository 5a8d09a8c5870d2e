"""Composed poses and inertias of links that are fixed to each other: exact numbers, kept short.

Each fixed joint multiplies its rational rotation into the pose of the next link, so that exact numbers
grow by some 200 bits per joint: after 60 joints they are longer than an expression may hold. Numbers of
more than LONGEST bits are therefore rounded to KEPT bits:

    rotation    to the rotation of a quaternion of KEPT bits: exactly orthonormal
    position    to a multiple of 2^-KEPT times its largest component, each component
    inertia     likewise; mass, first moment and tensor each by its own largest entry

One rounding changes an entry by less than 2^-94 of the largest one. A file has at most half a million
elements, so that all roundings together stay below 10^-22 of it, where doubles resolve 10^-16. Shorter
numbers, those of all but very long chains, stay exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from ..expr import Expr, as_expr
from ..expr.matrix import Matrix
from ..expr.number_size import bits
from ..expr.vector import Vector
from ..model.inertia import Inertia
from .rational_rotation import quaternion_of, rotation_of_quaternion

LONGEST: Final = 1024  # bits of a numerator or denominator that is carried on
KEPT: Final = 96  # bits that are kept of a longer one


def short_rotation(A: Matrix) -> Matrix:
    """A rotation of short numbers next to A; A itself if its numbers are short."""
    if bits(A.entries) <= LONGEST:
        return A
    q = quaternion_of(A)
    largest = max(map(abs, q))
    w, x, y, z = (Fraction(round(e / largest * 2**KEPT)) for e in q)
    return rotation_of_quaternion(w, x, y, z)


def short_vector(p: Vector) -> Vector:
    """A vector of short numbers next to p; components with symbols stay as they are."""
    return Vector(_rounded(tuple(p)))


def short_inertia(inertia: Inertia) -> Inertia:
    """An inertia of short numbers next to the given one; entries with symbols stay as they are."""
    m, *rest = inertia.ten
    if bits(inertia.ten) <= LONGEST:
        return inertia
    return Inertia.about_origin([*_rounded([m]), *_rounded(rest[:3]), *_rounded(rest[3:])])


def _rounded(entries: Sequence[Expr]) -> Sequence[Expr]:
    if bits(entries) <= LONGEST:
        return entries
    largest = max(abs(x.value) for x in entries if x.value is not None)
    # The power of two next above the largest: sums of multiples of one power of two stay short.
    size = largest.numerator.bit_length() - largest.denominator.bit_length() + 1
    unit = Fraction(2) ** (size - KEPT)
    return [x if x.value is None else as_expr(round(x.value / unit) * unit) for x in entries]
