"""Fixed-step methods in machine code, one in a file, and the loop that they run in.

    method                order   a step costs                  long runs without friction
    rk4                   4       4 evaluations of (q̇, v̇)       energy drifts, by h⁵ a step
    semi_implicit_euler   1       1                             energy stays near where M is constant
    implicit_midpoint     2       about 6 to 12 of its own      energy comes back: no drift

h is the step. `method` says what a method is, `loop` is the IR around it, `writer` writes its lines.
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


def method_named(name: object) -> Method:
    """A method by its name.

    >>> method_named("rk4").order
    4
    """
    if not isinstance(name, str) or name not in METHODS:
        raise UnknownNameError("fixed-step method", name, METHODS, "rollout")
    return METHODS[name]
