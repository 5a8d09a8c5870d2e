"""Unit quaternions of a default state and of locked joints.

Numbers have rounding errors, so that a length within `OFF` of 1 is accepted, and divided out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import hypot
from typing import Final

from ...algebra.expr import ONE, Expr, as_expr
from ...algebra.identity.prove import prove_zero
from ...basics.wording import brief
from ...errors import ModelError
from .arguments import Number

OFF: Final = 1e-6  # tolerance on the length of a unit quaternion
_ROUNDED: Final = 4e-16  # a length that no division improves


def normalised(
    what: str, values: Mapping[str, Number], groups: Iterable[Sequence[str]]
) -> dict[str, Number]:
    """Values by name, with quaternions of length 1.

    Args:
        what: What messages call the values.
        values: Numbers by name.
        groups: Names of each quaternion; one that is not among the values is skipped.

    Returns:
        The values; those of a quaternion whose length differs by a rounding error are kept as given.

    Raises:
        ModelError: A quaternion does not have length 1.

    >>> normalised("home", {"w": 1.0000001, "x": 0, "y": 0, "z": 0}, [("w", "x", "y", "z")])
    {'w': 1.0, 'x': 0.0, 'y': 0.0, 'z': 0.0}
    """
    found = dict(values)
    for group in groups:
        if not all(n in found for n in group):
            continue  # eliminated coordinates have no default
        length = hypot(*(float(found[n]) for n in group))
        _check(what, group, length)
        if abs(length - 1) > _ROUNDED:
            found |= {n: float(found[n]) / length for n in group}
    return found


def unit_quaternion(what: str, values: Mapping[str, Expr]) -> tuple[dict[str, Expr], Expr]:
    """Quaternion of length 1, and the square of its length, which is 1 up to rounding errors.

    Args:
        what: What messages call the values.
        values: Its numbers, or expressions in parameters, by name.

    Returns:
        The components, and the exact sum of their squares.

    Raises:
        ModelError: The length is not 1, or not for all values of the parameters.

    >>> unit_quaternion("lock", {"w": as_expr("cos(a/2)"), "x": as_expr("sin(a/2)")})[1]
    1
    """
    square = sum((x**2 for x in values.values()), as_expr(0))
    if square.value is not None:
        numbers = normalised(what, {n: float(x) for n, x in values.items()}, [tuple(values)])
        if abs(float(square) - 1) > 2 * _ROUNDED:
            values = {n: as_expr(x) for n, x in numbers.items()}
            square = sum((x**2 for x in values.values()), as_expr(0))
        return dict(values), square
    if not prove_zero(square - ONE):
        raise ModelError(
            f"{what}: the quaternion ({', '.join(values)}) must have length 1 for all values of the "
            f"parameters, got {brief(', '.join(map(str, values.values())))}; use cosines and sines."
        )
    return dict(values), ONE


def _check(what: str, names: Iterable[str], length: float) -> None:
    if not abs(length - 1) <= OFF:
        raise ModelError(
            f"{what}: the quaternion ({', '.join(names)}) must have length 1, got {length:.6g}; divide "
            "its components by that."
        )
