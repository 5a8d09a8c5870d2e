"""Method: the kernel of a fixed-step method, and the calls of it that make a step.

The kernel is a Program like any other, so the sums x + h k of a method are fused into the dynamics.
Its state argument is the point (q, v) at which the dynamics is evaluated; `base` and `sum` are states
that a method adds to; `clock` is (t, a, b): the time of the point and two multiples of the step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix
from ..ir.program import Argument

if TYPE_CHECKING:
    from .writer import Writer


@final
@dataclass(frozen=True)
class Dynamics:
    """Dynamics with the control inserted, in the symbols of q, v, the time and constants."""

    q: tuple[Expr, ...]
    v: tuple[Expr, ...]
    rates: Callable[[Sequence[Expr]], Sequence[Expr]]  # q̇ = N(q) v for any v
    vdot: Callable[[], Sequence[Expr]]
    mass_matrix: Callable[[], Matrix]
    force: Callable[[], Sequence[Expr]]  # M v̇: all forces minus bias and gravity
    clock: tuple[Expr, Expr, Expr]  # t, a, b
    base: tuple[Expr, ...]
    sum: tuple[Expr, ...]

    def derivative(self) -> list[Expr]:
        """(q̇, v̇) at the point."""
        return [*self.rates(self.v), *self.vdot()]


@final
@dataclass(frozen=True)
class Kernel:
    """Arguments of a method besides q, v and `clock`, and its outputs, which are all states."""

    arguments: tuple[Argument, ...]
    outputs: Mapping[str, Sequence[Expr]]


class Method(ABC):
    """Abstract method: a step from x = (q, v) at time t to y at time t + h."""

    name: str
    order: int
    by_acceleration: bool = True  # whether the kernel contains v̇
    has_middle: bool = False  # whether a step solves for a point (q_m, v_m), in the block `middle`

    @abstractmethod
    def kernel(self, dynamics: Dynamics) -> Kernel:
        """Kernel of the method."""

    @abstractmethod
    def step(self, write: Writer) -> None:
        """Write IR that computes the state `y` from the state `x`."""

    def begin(self, write: Writer) -> None:  # noqa: B027 (most methods need nothing)
        """Write IR that precedes the first step."""
