"""The classical Runge-Kutta method of order 4.

    c     a                     k_i = f(t + c_i h, x + a_i h k_{i-1})
    0
    1/2   1/2                   y = x + h (k_1 + 2 k_2 + 2 k_3 + k_4)/6
    1/2         1/2
    1                 1
    ----------------------
    b     1/6   1/3   1/3   1/6

Quaternions are integrated as four numbers and divided by their length after the step. The exact motion
stays on the unit sphere, so this changes y by no more than its error, h⁵: the order remains 4. The
method is neither symplectic nor symmetric: energy drifts in long runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from ..ir.program import Argument
from .method import Dynamics, Kernel, Method

if TYPE_CHECKING:
    from .writer import Writer

# for each stage: its time, the step to the next point, its weight
STAGES: Final = ((0, 1 / 2, 1 / 6), (1 / 2, 1 / 2, 1 / 3), (1 / 2, 1, 1 / 3), (1, 0, 1 / 6))


@final
class RungeKutta4(Method):
    """Classical Runge-Kutta method."""

    name = "rk4"
    order = 4

    def kernel(self, dynamics: Dynamics) -> Kernel:
        _, a, b = dynamics.clock
        f = dynamics.derivative()
        arguments = (Argument("base", dynamics.base), Argument("sum", dynamics.sum))
        return Kernel(
            arguments,
            {
                "next": [x + a * k for x, k in zip(dynamics.base, f, strict=True)],
                "total": [s + b * k for s, k in zip(dynamics.sum, f, strict=True)],
            },
        )

    def step(self, write: Writer) -> None:
        point, total = "x", "x"
        for i, (c, a, b) in enumerate(STAGES, 1):
            # A call must not write to a block that it reads.
            after, sum_after = f"point{i % 2}", "y" if i == len(STAGES) else f"sum{i % 2}"
            write.clock(c, a, b)
            write.call(point=point, base="x", sum=total, next=after, total=sum_after)
            point, total = after, sum_after
