"""Fixed-step methods in machine code, one per file, and the loop around them.

    method                order   cost per step                 long runs without friction
    rk4                   4       4 evaluations of (q̇, v̇)       energy drifts by h⁵ per step
    semi_implicit_euler   1       1 evaluation                  energy stays bounded if M is constant
    implicit_midpoint     2       about 6 to 12 iterations      energy oscillates: no drift

h is the step. In reading order: `method` (the abstract class), the methods, `closed` (a projection after
them), `loop` (the IR around them), `writer` (which writes IR), `device_loop` (the IR for a GPU) and
`device_loop_proof` (proof that one iteration of it computes the method).
"""

from __future__ import annotations

from typing import Final

from ...errors import UnknownNameError
from .implicit_midpoint import ImplicitMidpoint
from .method import Method
from .rk4 import RungeKutta4
from .semi_implicit_euler import SemiImplicitEuler

METHODS: Final[dict[str, Method]] = {
    "rk4": RungeKutta4(),
    "semi_implicit_euler": SemiImplicitEuler(),
    "implicit_midpoint": ImplicitMidpoint(),
}


def method_named(name: object, place: str = "rollout") -> Method:
    """Fixed-step method by name.

    >>> method_named("rk4").order
    4
    """
    if not isinstance(name, str) or name not in METHODS:
        raise UnknownNameError("fixed-step method", name, METHODS, place)
    return METHODS[name]
