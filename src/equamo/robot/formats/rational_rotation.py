"""Rational rotations and unit vectors: exactly orthonormal approximations of the angles in a file.

Files give angles as decimals, whose sines and cosines are not rational. Identities of the equations
need A Aᵀ = 1 exactly, so each rotation is replaced by a nearby rational rotation that differs by less
than 10⁻¹⁵ in every entry:

    (1) one angle      t ≈ tan(δ/2),  cos δ = (1 − t²)/(1 + t²),  sin δ = 2t/(1 + t²)
    (2) any rotation   A(w, x, y, z)/(w² + x² + y² + z²)  of a quaternion of any length
    (3) a unit vector  (2u, 2v, 1 − u² − v²)/(1 + u² + v²), projected from the opposite pole

Quarter turns are exact. Fractions are the simplest ones within reach, because short numbers make short
proofs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Final, final

from ...algebra.expr import as_expr
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import Vector
from ...errors import ModelError
from ..model.rotation import quaternion_rotation

REACH: Final = Fraction(1, 2**52)  # largest error of the fractions t, u, v
_QUATERNION_BITS: Final = 54
PI: Final = Fraction("3.14159265358979323846264338327950288419716939937510582097494459")


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Fraction with the smallest denominator in [low, high].

    >>> simplest(Fraction("3.1415"), Fraction("3.1416"))
    Fraction(333, 106)
    """
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest(-high, -low)
    floors: list[int] = []
    while True:  # continued fractions of both ends, as long as they agree
        whole = low.numerator // low.denominator
        if whole == low:
            floors.append(whole)
            break
        if whole + 1 <= high:
            floors.append(whole + 1)
            break
        floors.append(whole)
        low, high = 1 / (high - whole), 1 / (low - whole)
    value = Fraction(floors.pop())
    while floors:
        value = floors.pop() + 1 / value
    return value


@final
@dataclass(frozen=True, slots=True)
class Turn:
    """Angle as quarter turns plus a remainder δ, stored as t = tan(δ/2)."""

    quarters: int  # 0 to 3
    tangent: Fraction  # 0: quarter turns only
    distance: Fraction  # |δ|, distance of the angle in the file from the quarter turn [rad]

    @staticmethod
    def of(angle: Fraction, snap: Fraction = Fraction(0)) -> Turn:
        """Turn of an angle; a whole number of quarter turns if the angle is within `snap` of one.

        >>> Turn.of(Fraction("1.57079632679"), snap=Fraction(1, 10**11)).quarters
        1
        """
        k = round(angle * 2 / PI)
        delta = angle - k * PI / 2
        if abs(delta) <= snap:
            return Turn(k % 4, Fraction(0), abs(delta))
        return Turn(k % 4, tangent_of_half(delta), abs(delta))

    @property
    def is_quarter(self) -> bool:
        return not self.tangent

    def cosine_and_sine(self) -> tuple[Fraction, Fraction]:
        """Cosine and sine of the whole angle, by (1)."""
        t = self.tangent
        c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        for _ in range(self.quarters):
            c, s = -s, c
        return c, s

    def about(self, axis: int) -> Matrix:
        """Rotation matrix about x, y or z (0, 1, 2)."""
        c, s = self.cosine_and_sine()
        i, j = (axis + 1) % 3, (axis + 2) % 3
        rows: list[list[Fraction]] = [[Fraction(0)] * 3 for _ in range(3)]
        rows[axis][axis] = Fraction(1)
        rows[i][i] = rows[j][j] = c
        rows[i][j], rows[j][i] = -s, s
        return Matrix(rows)


def tangent_of_half(delta: Fraction) -> Fraction:
    """Simplest fraction t near tan(δ/2), for |δ| ≤ π/2."""
    c, s = _cosine_and_sine(_fixed(delta / 2))
    t = Fraction(s, c)
    return simplest(t - REACH, t + REACH)


def rotation_rpy(roll: Turn, pitch: Turn, yaw: Turn) -> Matrix:
    """Rotation A = Rz(yaw) Ry(pitch) Rx(roll), as URDF's rpy.

    >>> zero, quarter = Turn.of(Fraction(0)), Turn(1, Fraction(0), Fraction(0))
    >>> rotation_rpy(quarter, zero, zero)
    Matrix([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    """
    turns = (roll, pitch, yaw)
    if any(t.is_quarter for t in turns):
        # At most two rational factors: as short as a quaternion, and zeros are preserved.
        return yaw.about(2) @ pitch.about(1) @ roll.about(0)
    q = _times(_times(_half_turn(2, yaw), _half_turn(1, pitch)), _half_turn(0, roll))
    largest = max(map(abs, q))
    scaled = [Fraction(round(Fraction(x, largest) * 2**_QUATERNION_BITS)) for x in q]
    return rotation_of_quaternion(*scaled)


def rotation_of_quaternion(w: Fraction, x: Fraction, y: Fraction, z: Fraction) -> Matrix:
    """Rotation (2), exactly orthonormal for any four rationals that are not all zero.

    >>> rotation_of_quaternion(*map(Fraction, (2, 0, 0, 1)))
    Matrix([[3/5, -4/5, 0], [4/5, 3/5, 0], [0, 0, 1]])
    """
    n = w * w + x * x + y * y + z * z
    return quaternion_rotation(*map(as_expr, (w, x, y, z))) * as_expr(1 / n)


def quaternion_of(A: Matrix) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Quaternion (w, x, y, z) of a rational rotation, not normalised: the inverse of (2).

    >>> quaternion_of(rotation_of_quaternion(*map(Fraction, (1, 2, 3, 4))))
    (Fraction(8, 15), Fraction(16, 15), Fraction(8, 5), Fraction(32, 15))
    """
    a = [[Fraction(A[i, j].value or 0) for j in range(3)] for i in range(3)]
    # 4 q qᵀ for the unit quaternion q: every column is a multiple of q; the largest one is not zero.
    diagonal = [
        1 + a[0][0] + a[1][1] + a[2][2],
        1 + a[0][0] - a[1][1] - a[2][2],
        1 - a[0][0] + a[1][1] - a[2][2],
        1 - a[0][0] - a[1][1] + a[2][2],
    ]
    wx, wy, wz = a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]
    xy, xz, yz = a[0][1] + a[1][0], a[0][2] + a[2][0], a[1][2] + a[2][1]
    w, x, y, z = diagonal
    columns = ((w, wx, wy, wz), (wx, x, xy, xz), (wy, xy, y, yz), (wz, xz, yz, z))
    return columns[max(range(4), key=lambda i: diagonal[i])]


def unit_vector(components: Sequence[Fraction], snap: Fraction = Fraction(0)) -> Vector:
    """Direction of a vector, with length exactly 1.

    Args:
        components: Three rational components, not all zero.
        snap: Components at most this fraction of the largest one become 0.

    Returns:
        A rational unit vector.

    Raises:
        ModelError: All components are zero.

    >>> unit_vector([Fraction(3), Fraction(0), Fraction(-4)])
    Vector([3/5, 0, -4/5])
    """
    largest = max(range(3), key=lambda i: abs(components[i]))
    top = abs(components[largest])
    if not top:
        raise ModelError("An axis must have a direction, got length 0; use x, y, z or 3 numbers.")
    a = [Fraction(x) / top for x in components]
    a = [Fraction(0) if abs(x) <= snap else x for x in a]
    square = sum((x * x for x in a), Fraction(0))
    root = _exact_root(square)
    if root is not None:
        return Vector([x / root for x in a])
    # (3) from the pole −sign·e_largest, so that u and v are at most 1
    length = Fraction(
        isqrt(square.numerator * square.denominator << 240), square.denominator << 120
    )
    sign = 1 if a[largest] > 0 else -1
    others = [i for i in range(3) if i != largest]
    uv = [a[i] / (length + 1) for i in others]
    u, v = (simplest(x - REACH, x + REACH) for x in uv)
    n = 1 + u * u + v * v
    e = [Fraction(0)] * 3
    e[largest] = sign * (1 - u * u - v * v) / n
    e[others[0]], e[others[1]] = 2 * u / n, 2 * v / n
    return Vector(e)


def plane_of(axis: Vector) -> Matrix:
    """Shortest rotation that maps z onto a rational unit vector.

    >>> plane_of(Vector([1, 0, 0]))
    Matrix([[0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    """
    x, y, z = (Fraction(e.value or 0) for e in axis)
    if z == -1:
        return Matrix([[1, 0, 0], [0, -1, 0], [0, 0, -1]])
    if z == 1:
        return identity(3)
    return rotation_of_quaternion(1 + z, -y, x, Fraction(0))


# -- sines and cosines of fractions, in integers scaled by 2^120 ----------------------------------------
_BITS: Final = 120


def _fixed(x: Fraction) -> int:
    return round(x * (1 << _BITS))


def _cosine_and_sine(x: int) -> tuple[int, int]:
    """Cosine and sine by Taylor series, for |x| up to about π/2."""
    square = x * x >> _BITS
    sums = [0, 0]
    for part, term in enumerate((1 << _BITS, x)):
        n = part
        while term:
            sums[part] += term
            term = -(term * square >> _BITS) // ((n + 1) * (n + 2))
            n += 2
    return sums[0], sums[1]


def _half_turn(axis: int, turn: Turn) -> tuple[int, int, int, int]:
    """Quaternion of a turn about x, y or z: the product of its quarter turns and its remainder."""
    c, s = _cosine_and_sine(_fixed(PI / 4 * turn.quarters))
    rest = _fixed(turn.tangent)
    w, u = c - (s * rest >> _BITS), s + (c * rest >> _BITS)
    parts = [w, 0, 0, 0]
    parts[1 + axis] = u
    return parts[0], parts[1], parts[2], parts[3]


def _times(p: Sequence[int], q: Sequence[int]) -> tuple[int, int, int, int]:
    """Product of two scaled quaternions."""
    a, b, c, d = p
    w, x, y, z = q
    return (
        (a * w - b * x - c * y - d * z) >> _BITS,
        (a * x + b * w + c * z - d * y) >> _BITS,
        (a * y - b * z + c * w + d * x) >> _BITS,
        (a * z + b * y - c * x + d * w) >> _BITS,
    )


def _exact_root(x: Fraction) -> Fraction | None:
    p, q = isqrt(x.numerator), isqrt(x.denominator)
    return Fraction(p, q) if p * p == x.numerator and q * q == x.denominator else None
