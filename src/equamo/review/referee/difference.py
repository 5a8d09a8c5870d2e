"""Largest difference of two arrays of numbers, relative to the largest entry, and its position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from ...robot.model.robot import Robot

Floats = NDArray[np.float64]
AXES: Final = ("x", "y", "z")
TWIST: Final = ("wx", "wy", "wz", "vx", "vy", "vz")


@final
@dataclass(frozen=True)
class Difference:
    """Largest difference of a quantity over all states."""

    relative: float  # infinite if one side is not finite
    index: tuple[int, ...]  # state, then entry
    ours: float
    theirs: float


def difference(ours: Floats, theirs: Floats, least: float | Floats = 0.0) -> Difference:
    """Compare arrays with the states first.

    Args:
        ours: Our numbers.
        theirs: Numbers of the library.
        least: Smallest scale, one number or one per state, for numbers that cancel up to rounding
            errors.

    >>> difference(np.array([[1.0, 2.0]]), np.array([[1.0, 4.0]]))
    Difference(relative=0.5, index=(0, 1), ours=2.0, theirs=4.0)
    """
    if not ours.size:
        return Difference(0.0, (0,), 0.0, 0.0)
    largest = max(np.abs(x[np.isfinite(x)]).max(initial=0.0) for x in (ours, theirs))
    scale = np.maximum(largest, np.reshape(least, (-1, *[1] * (ours.ndim - 1))))
    gap = np.abs(ours - theirs) / np.where(scale > 0, scale, 1.0)
    gap[~np.isfinite(gap)] = np.inf
    index = tuple(int(k) for k in np.unravel_index(np.argmax(gap), gap.shape))
    return Difference(float(gap[index]), index, float(ours[index]), float(theirs[index]))


def entry_name(robot: Robot, quantity: str, index: Sequence[int]) -> str:
    """Name of an entry: `mass matrix[dq1, dq2]`, `positions[hand, x]`.

    >>> from equamo.robot.library import load
    >>> entry_name(load("rr_arm"), "mass matrix", (0, 1))
    'mass matrix[dq1, dq2]'
    """
    speeds = [x.name for x in robot.v]
    names: Sequence[Sequence[str]] = [speeds, speeds]
    if quantity in ("rotations", "positions", "Jacobians"):
        links = [b.name for b in robot.bodies]
        names = {
            "rotations": (links, AXES, AXES),
            "positions": (links, AXES),
            "Jacobians": (links, TWIST, speeds),
        }[quantity]
    parts = [own[k] for own, k in zip(names, index, strict=False)]
    return f"{quantity}[{', '.join(parts)}]"
