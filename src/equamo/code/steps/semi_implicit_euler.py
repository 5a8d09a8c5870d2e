"""Semi-implicit Euler: speeds first, then coordinates with the new speeds.

    v' = v + h v̇(t, q, v)
    q' = q + h N(q) v'

Order 1, one evaluation per step. Symplectic, and thus without drift of energy, if the mass matrix is
constant and q̇ = v; otherwise only nearly so: with a mass matrix that depends on q, energy wanders by h.
Damping and friction are evaluated at the old speeds, so a stiff damper needs h below 2 M/d.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from .method import Dynamics, Kernel, Method

if TYPE_CHECKING:
    from .writer import Writer


@final
class SemiImplicitEuler(Method):
    """Semi-implicit Euler method."""

    name = "semi_implicit_euler"
    order = 1

    def kernel(self, dynamics: Dynamics) -> Kernel:
        _, h, _ = dynamics.clock
        v = [v + h * a for v, a in zip(dynamics.v, dynamics.vdot(), strict=True)]
        q = [q + h * rate for q, rate in zip(dynamics.q, dynamics.rates(v), strict=True)]
        return Kernel((), {"next": [*q, *v]})

    def step(self, write: Writer) -> None:
        write.clock(0, 1, 0)
        write.call(point="x", next="y")
