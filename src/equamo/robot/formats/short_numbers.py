"""Round the exact poses and inertias of long chains of fixed links, so that numbers stay short.

Each fixed joint multiplies its rational rotation into the pose of the next link, so exact numbers grow
by about 200 bits per joint: after 60 joints they exceed what an expression may hold. Numbers of more
than LONGEST bits are therefore rounded to KEPT bits:

    rotation    to the rotation of a quaternion of KEPT bits, which is exactly orthonormal
    position    each component to a multiple of 2^-KEPT times the largest component
    inertia     likewise; mass, first moment and tensor each relative to its own largest entry

One rounding changes an entry by less than 2^-94 of the largest one. A file has at most half a million
elements, so all roundings together stay below 10^-22, while doubles resolve 10^-16. Shorter numbers,
which all but very long chains have, stay exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from ...algebra.expr import Expr, as_expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.number_size import bits
from ...algebra.expr.vector import Vector
from ..model.inertia import Inertia
from .rational_rotation import quaternion_of, rotation_of_quaternion

LONGEST: Final = 1024  # bits of a numerator or denominator that stays exact
KEPT: Final = 96  # bits to which longer ones are rounded


def short_rotation(A: Matrix) -> Matrix:
    """Rotation near A with short entries; A itself if its entries are short."""
    if bits(A.entries) <= LONGEST:
        return A
    q = quaternion_of(A)
    largest = max(map(abs, q))
    w, x, y, z = (Fraction(round(e / largest * 2**KEPT)) for e in q)
    return rotation_of_quaternion(w, x, y, z)


def short_vector(p: Vector) -> Vector:
    """Vector near p with short components; components with symbols are kept."""
    return Vector(_rounded(tuple(p)))


def short_inertia(inertia: Inertia) -> Inertia:
    """Inertia near the given one with short entries; entries with symbols are kept."""
    m, *rest = inertia.ten
    if bits(inertia.ten) <= LONGEST:
        return inertia
    return Inertia.about_origin([*_rounded([m]), *_rounded(rest[:3]), *_rounded(rest[3:])])


def _rounded(entries: Sequence[Expr]) -> Sequence[Expr]:
    if bits(entries) <= LONGEST:
        return entries
    largest = max(abs(x.value) for x in entries if x.value is not None)
    # Next power of two above the largest: sums of multiples of one power of two stay short.
    size = largest.numerator.bit_length() - largest.denominator.bit_length() + 1
    unit = Fraction(2) ** (size - KEPT)
    return [x if x.value is None else as_expr(round(x.value / unit) * unit) for x in entries]
