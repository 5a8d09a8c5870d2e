"""A method with a projection onto loops and sticking contacts after each step.

The kernel has one more output, the projected point: one step of Newton's method for φ(q) = 0 and the
projection of v onto A v = 0, both at the same q. Two calls after a step of the method give φ as small as
rounding allows (the first leaves the square of its error) and v at the new q.

Chosen speeds cease to determine the others where a determinant, the output `determinant`, is 0. A step
behind which it has another sign than at the start of the run has no result: y is not a number there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, final

from ...algebra.expr import Expr
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

    def __init__(
        self,
        method: Method,
        closed: Callable[[], Sequence[Expr]],
        determinant: Callable[[], Expr] | None = None,
    ) -> None:
        self.method, self._closed, self._determinant = method, closed, determinant
        self.name, self.order = method.name, method.order
        self.by_acceleration, self.has_middle = method.by_acceleration, method.has_middle

    def kernel(self, dynamics: Dynamics) -> Kernel:
        kernel = self.method.kernel(dynamics)
        more: dict[str, Sequence[Expr]] = {"closed": self._closed()}
        if self._determinant is not None:
            more["determinant"] = [self._determinant()]
        return Kernel(kernel.arguments, {**kernel.outputs, **more})

    def begin(self, write: Writer) -> None:
        self.method.begin(write)
        if self._determinant is not None:
            write.block("clock", 3)
            for k in range(3):
                write.store(write.types.literal(0.0), "clock", k)
            write.call(
                point="x", base="x", sum="x", next="unused", total="unused", closed="closed",
                determinant="determinant_at_start",
            )  # fmt: skip

    def step(self, write: Writer) -> None:
        self.method.step(write)
        for _ in range(CALLS):
            write.call(point="y", base="x", sum="x", next="unused", total="unused", closed="closed")
            write.copy("closed", "y")
        if self._determinant is not None:
            T, literal = write.types.value, write.types.literal
            first, last = write.load("determinant_at_start", 0), write.load("determinant", 0)
            product = write.line(f"fmul {T} {first}, {last}")
            turned = write.line(f"fcmp olt {T} {product}, {literal(0.0)}")
            y = write.select(turned, literal(float("nan")), write.load("y", 0))
            write.store(y, "y", 0)
