"""Rotation matrices A_PB, which map components in B to components in P."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ...algebra.expr import ONE, ZERO, Expr, as_expr, cos, sin, sqrt
from ...algebra.expr.matrix import Matrix, diagonal, identity, outer, skew
from ...algebra.expr.vector import Vector, vector3
from ...errors import ModelError

_AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


def unit_axis(axis: Any) -> Vector:
    """Unit vector from "x", "-z" or three quantities; numbers are normalised exactly.

    >>> unit_axis("3 0 4")
    Vector([3/5, 0, 4/5])
    """
    if isinstance(axis, str) and axis.strip().lstrip("+-").lower() in _AXES:
        text = axis.strip()
        sign = -1 if text.startswith("-") else 1
        return Vector([sign * x for x in _AXES[text.lstrip("+-").lower()]])
    e = vector3(axis)
    square = (e @ e).value
    if square is None:
        return e  # symbolic components must have length 1, which eq.check proves
    if square == 0:
        raise ModelError(
            "An axis must have a direction, got length 0; use x, y, z, -x … or 3 numbers."
        )
    return e if square == 1 else e / sqrt(as_expr(square))


def about(axis: Vector, angle: Expr) -> Matrix:
    """Rotation by `angle` about a unit axis: A = cos 1 + sin e× + (1 − cos) e eᵀ (Rodrigues)."""
    c, s = cos(angle), sin(angle)
    if sum(x is not ZERO for x in axis) == 1:  # along x, y or z: no 1 − cos at all
        k = next(i for i, x in enumerate(axis) if x is not ZERO)
        e = outer(axis, axis)
        plane = diagonal([ZERO if i == k else ONE for i in range(3)])
        return plane * c + skew(axis) * s + e
    return identity(3) * c + skew(axis) * s + outer(axis, axis) * (ONE - c)


def rotation_x(angle: Any) -> Matrix:
    """Rotation about x."""
    return about(unit_axis("x"), as_expr(angle))


def rotation_y(angle: Any) -> Matrix:
    """Rotation about y."""
    return about(unit_axis("y"), as_expr(angle))


def rotation_z(angle: Any) -> Matrix:
    """Rotation about z."""
    return about(unit_axis("z"), as_expr(angle))


def euler_xyz(alpha: Any, beta: Any, gamma: Any) -> Matrix:
    """Rotation A = Rx(α) Ry(β) Rz(γ), intrinsic x-y-z."""
    return rotation_x(alpha) @ rotation_y(beta) @ rotation_z(gamma)


def quaternion_rotation(w: Expr, x: Expr, y: Expr, z: Expr) -> Matrix:
    """Rotation of a unit quaternion (w, x, y, z)."""
    return Matrix([
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ])  # fmt: skip


def as_rotation(rotation: Any) -> Matrix:
    """Rotation from a 3×3 matrix, or from the three angles "α β γ" of Rx Ry Rz; None is identity."""
    if rotation is None:
        return identity(3)
    if hasattr(rotation, "tolist"):  # a NumPy array, a SymPy matrix
        rotation = rotation.tolist()
    if isinstance(rotation, Matrix):
        A = rotation
    elif _has_rows(rotation):
        A = Matrix(rotation)
    else:
        return euler_xyz(*vector3(rotation))
    if A.shape != (3, 3):
        raise ModelError(f"A rotation must be 3×3, or three angles, got {A.shape[0]}×{A.shape[1]}.")
    return A


def _has_rows(value: Any) -> bool:
    """Whether a value is a sequence of sequences that are not text."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return False
    first = cast(Sequence[Any], value)[0]
    return isinstance(first, Sequence) and not isinstance(first, str)
