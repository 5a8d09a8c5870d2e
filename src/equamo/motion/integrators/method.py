"""Method: what the kernel of a fixed-step method computes, and the calls of it that make a step.

The kernel is a Program like any other, so the sums x + h k of a method are fused into the dynamics.
Its state argument is the point (q, v) where the dynamics is evaluated; `base` and `sum` are states
that a method adds to; `clock` is (t, a, b): the time of the point and two multiples of the step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from ...expr import Expr
from ...expr.matrix import Matrix
from ...ir.program import Argument

if TYPE_CHECKING:
    from .writer import Writer


@final
@dataclass(frozen=True)
class Dynamics:
    """The dynamics under its control, in the symbols of q, v, the time and what stays constant."""

    q: tuple[Expr, ...]
    v: tuple[Expr, ...]
    rates: Callable[[Sequence[Expr]], Sequence[Expr]]  # q̇ = N(q) v of given v
    vdot: Callable[[], Sequence[Expr]]
    mass_matrix: Callable[[], Matrix]
    force: Callable[[], Sequence[Expr]]  # M v̇: all forces, less bias and gravity
    clock: tuple[Expr, Expr, Expr]  # t, a, b
    base: tuple[Expr, ...]
    sum: tuple[Expr, ...]

    def derivative(self) -> list[Expr]:
        """(q̇, v̇) at the point."""
        return [*self.rates(self.v), *self.vdot()]


@final
@dataclass(frozen=True)
class Kernel:
    """Arguments of a method's own, besides q, v and `clock`, and what it computes: all states."""

    arguments: tuple[Argument, ...]
    outputs: Mapping[str, Sequence[Expr]]


class Method(ABC):
    """Abstract: a way from x = (q, v) at time t to y at time t + h."""

    name: ClassVar[str]
    order: ClassVar[int]
    by_acceleration: ClassVar[bool] = True  # whether the kernel has v̇ in it

    @abstractmethod
    def kernel(self, dynamics: Dynamics) -> Kernel:
        """What one call of the kernel computes."""

    @abstractmethod
    def step(self, write: Writer) -> None:
        """IR that makes the state `y` from the state `x`."""

    def begin(self, write: Writer) -> None:  # noqa: B027 (most methods need nothing)
        """IR before the first step."""
