"""The implicit midpoint rule in coordinates and momenta p = M(q) v, for long runs.

    q_m = q + h/2 N(q_m) v_m
    M(q_m) v_m = p + h/2 ṗ(q_m, v_m),     ṗ = M v̇ + Ṁ v       (1) by iteration, to round-off
    q' = q + h N(q_m) v_m,   p' = p + h ṗ,   v' = M(q')⁻¹ p'    (2)

Where q̇ = v this is the variational integrator of the midpoint Lagrangian, and symplectic: the energy of
a robot without friction swings by h² and comes back, however long the run ([GNI] chapter IX). Momenta
make it so: the same rule in (q, v) is symplectic only where M is constant, and on chaotic double
pendulums its energy was seen to wander. With quaternions or rolling wheels there is no such theorem; it
is symmetric there (a step of −h goes back exactly) and keeps quadratic invariants of (q, p).

The iteration ends when its change is zero, or small and no longer falling ([GNI] VIII.6.2): an earlier
end would leave an error of its own in every step, which adds up. It begins where the step before points
to. It converges where h/2 times the stiffness (the norm of ∂f/∂x) is below 1; where it does not within
`LIMIT` iterations, the run is broken there.

[GNI] E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed., Springer 2006.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from ...expr import Expr
from ...expr.differentiate import directional
from ...expr.vector import Vector
from ...ir.program import Argument
from ...recursions.factorisation import ltdl
from .method import Dynamics, Kernel, Method

if TYPE_CHECKING:
    from .writer import Writer

LIMIT: Final = 100  # iterations
SMALL: Final = 2.0**-36  # change over size of the state, from which on it may stop falling


@final
class ImplicitMidpoint(Method):
    """See the head of this file. In the kernel `base` is (q, p), the point (q_m, v_m)."""

    name = "implicit_midpoint"
    order = 2
    by_acceleration = False

    def kernel(self, dynamics: Dynamics) -> Kernel:
        _, half, whole = dynamics.clock
        n = len(dynamics.q)
        q, p = dynamics.base[:n], dynamics.base[n:]
        M, rates = dynamics.mass_matrix(), dynamics.rates(dynamics.v)
        momentum = M @ Vector(dynamics.v)
        turning = directional(momentum, dict(zip(dynamics.q, rates, strict=True)))  # Ṁ v
        pdot = [f + x for f, x in zip(dynamics.force(), turning, strict=True)]

        def after(step: Expr) -> tuple[list[Expr], list[Expr]]:
            return (
                [x + step * k for x, k in zip(q, rates, strict=True)],
                [x + step * k for x, k in zip(p, pdot, strict=True)],
            )

        q_m, p_m = after(half)
        q_1, p_1 = after(whole)
        return Kernel(
            (Argument("base", dynamics.base),),
            {
                "next": [*q_m, *ltdl(M).solve(p_m)],  # (1)
                "total": [*q_1, *p_1],  # (2)
                "momentum": [*dynamics.q, *momentum],
            },
        )

    def begin(self, write: Writer) -> None:
        write.copy("x", "z")
        write.block("clock", 3)
        for k in range(3):
            write.store(write.types.literal(0.0), "clock", k)
        # p = M v
        write.call(point="x", base="x", next="unused", total="unused", momentum="start")

    def step(self, write: Writer) -> None:
        T, number, flag = write.types.value, write.types.literal, write.flag
        for e in range(write.coordinates):
            write.store(write.load("x", e), "start", e)
        write.clock(0.5, 0.5, 1)
        write.set("before", number(float("inf")))
        write.set("active", number(1.0))
        write.jump("iterate_first")
        write.jump("iterate")
        write.lines.append("  %round = phi i64 [ 0, %iterate_first ], [ %round_after, %iterate ]")
        write.call(point="z", base="start", next="z_after", total="end_now", momentum="unused")

        # the change, and the lanes that are still on their way
        active = write.is_one(write.get("active"))
        change, size = number(0.0), number(0.0)
        for e in range(write.size):
            z, after = write.load("z", e), write.load("z_after", e)
            moved = write.intrinsic("fabs", write.line(f"fsub {T} {after}, {z}"))
            change = write.intrinsic("maxnum", change, moved)
            size = write.intrinsic("maxnum", size, write.intrinsic("fabs", after))
            write.store(write.select(active, after, z), "z", e)
            write.store(
                write.select(active, write.load("end_now", e), write.load("end", e)), "end", e
            )

        # done: no change at all (or none that is a number), or small and no longer falling
        falls = write.line(f"fcmp olt {T} {change}, {write.get('before')}")
        least = write.line(f"fmul {T} {size}, {number(SMALL)}")
        large = write.line(f"fcmp ogt {T} {change}, {least}")
        moves = write.line(f"fcmp ogt {T} {change}, {number(0.0)}")
        goes_on = write.line(f"or {flag} {falls}, {large}")
        goes_on = write.line(f"and {flag} {goes_on}, {moves}")
        goes_on = write.line(f"and {flag} {goes_on}, {active}")
        write.set("before", change)
        write.set("active", write.select(goes_on, number(1.0), number(0.0)))
        more = write.any(goes_on)
        write.lines += [
            "  %round_after = add i64 %round, 1",
            f"  %rounds_left = icmp slt i64 %round_after, {LIMIT}",
            f"  %again = and i1 {more}, %rounds_left",
            "  br i1 %again, label %iterate, label %iterated",
            "iterated:",
        ]

        # v' = M(q')⁻¹ p': the kernel with steps of 0; what did not converge is no number
        lost = write.is_one(write.get("active"))
        for e in range(write.size):
            known = "end" if e < write.coordinates else "z"
            write.store(write.load(known, e), "end_point", e)
        write.clock(1, 0, 0)
        write.call(point="end_point", base="end", next="y", total="unused", momentum="unused")
        for e in range(write.size):
            x, y, z = (write.load(block, e) for block in ("x", "y", "z"))
            write.store(write.select(lost, number(float("nan")), y), "y", e)
            # the next z: y + (z − x)
            half = write.line(f"fsub {T} {z}, {x}")
            write.store(write.line(f"fadd {T} {y}, {half}"), "z", e)
            write.store(write.load("end", e), "start", e)
