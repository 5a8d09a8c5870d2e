"""A method with a projection onto loops and sticking contacts after each step.

The kernel has one more output, the projected point: one step of Newton's method for φ(q) = 0 and the
projection of v onto A v = 0, both at the same q. Two calls after a step of the method give φ as small as
rounding allows (the first leaves the square of its error) and v at the new q.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, final

from ...expr import Expr
from .method import Dynamics, Kernel, Method

if TYPE_CHECKING:
    from .writer import Writer

CALLS: Final = 2


@final
class Closed(Method):
    """Method whose states are projected; `closed` has the projected (q, v) as expressions."""

    method: Method
    name: str
    order: int
    by_acceleration: bool
    has_middle: bool

    def __init__(self, method: Method, closed: Callable[[], Sequence[Expr]]) -> None:
        self.method, self._closed = method, closed
        self.name, self.order = method.name, method.order
        self.by_acceleration, self.has_middle = method.by_acceleration, method.has_middle

    def kernel(self, dynamics: Dynamics) -> Kernel:
        kernel = self.method.kernel(dynamics)
        return Kernel(kernel.arguments, {**kernel.outputs, "closed": self._closed()})

    def begin(self, write: Writer) -> None:
        self.method.begin(write)

    def step(self, write: Writer) -> None:
        self.method.step(write)
        for _ in range(CALLS):
            write.call(point="y", base="x", sum="x", next="unused", total="unused", closed="closed")
            write.copy("closed", "y")
