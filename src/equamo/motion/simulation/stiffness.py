"""Stiffness test: whether steps are small for accuracy, or only for the stability of the method.

An explicit method is stable only for |h λ| of a few, where λ is the fastest decay rate of ẏ = f(t, y).
If stability limits the step, the problem is stiff; an implicit method can then take much larger steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

EXPLICIT: Final = ("DOP853", "RK45", "RK23")
BOUND: Final = 1.5  # of h |Re λ|; the stability limits are 2.5 (RK23), 3.3 (RK45) and 6 (DOP853)
_DIFFERENCE: Final = (
    1e-7  # step of a difference quotient, as a fraction of the state or of its size
)


def advice(
    method: str,
    derivative: Callable[[float, Floats], Floats],
    t: float,
    y: Floats,
    h: float,
    sizes: Floats,
) -> str:
    """Advice on a run that takes too many steps; the first entries of y are its state, with `sizes`."""
    if method in EXPLICIT:
        if _fastest_decay(derivative, t, y, sizes) * h > BOUND:
            return "The problem looks stiff; try method='Radau'"
        return (
            "The motion may diverge, or it is fast and long: check error.trajectory, pass a larger "
            "max_steps= or a larger rtol=, or try method='Radau'"
        )
    return (
        "The motion may diverge, or it is fast and long: check error.trajectory, or pass a larger "
        "max_steps= or a larger rtol="
    )


def _fastest_decay(
    derivative: Callable[[float, Floats], Floats], t: float, y: Floats, sizes: Floats
) -> float:
    """Largest −Re λ of the Jacobian, by finite differences; 0 if it is not finite."""
    n = len(sizes)
    J = np.empty((n, n))
    here = derivative(t, y)[:n].copy()
    for k in range(n):
        near = y.copy()
        near[k] += _DIFFERENCE * max(sizes[k], abs(y[k]))
        J[:, k] = (derivative(t, near)[:n] - here) / (near[k] - y[k])
    if not np.isfinite(J).all():
        return 0.0
    return float(max(-np.linalg.eigvals(J).real.min(), 0.0))
