"""The implicit midpoint rule in coordinates and momenta p = M(q) v, for long runs.

    q_m = q + h/2 N(q_m) v_m
    M(q_m) v_m = p + h/2 ṗ(q_m, v_m),     ṗ = M v̇ + Ṁ v       (1) by iteration, to rounding error
    q' = q + h N(q_m) v_m,   p' = p + h ṗ,   v' = M(q')⁻¹ p'    (2)

If q̇ = v, this is the variational integrator of the midpoint Lagrangian, and symplectic: the energy of a
robot without friction oscillates by h², however long the run ([GNI] chapter IX). Momenta are essential:
the same rule in (q, v) is symplectic only if M is constant, and on chaotic double pendulums its energy
was seen to wander. With quaternions or rolling wheels there is no such theorem; there the rule is
symmetric (a step of −h reverses it exactly) and conserves quadratic invariants of (q, p).

The iteration ends when its change is zero, or small and no longer decreasing ([GNI] VIII.6.2): stopping
earlier would leave an error in every step, and these errors accumulate. It starts from an extrapolation
of the last step. It converges if h/2 times the stiffness (the norm of ∂f/∂x) is below 1; if it does not
converge within `LIMIT` iterations, the run counts as diverged. Its last point (q_m, v_m) is an output:
`step_derivatives` differentiates (1) there, and solves nothing again.

[GNI] E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed., Springer 2006.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from ...algebra.expr import Expr
from ...algebra.expr.differentiate import directional
from ...algebra.expr.vector import Vector
from ...mechanics.recursions.factorisation import ltdl
from ..ir.program import Argument
from .method import Dynamics, Kernel, Method

if TYPE_CHECKING:
    from .writer import Writer

LIMIT: Final = 100  # iterations
SMALL: Final = 2.0**-36  # relative change below which the iteration may stop


@final
class ImplicitMidpoint(Method):
    """Implicit midpoint rule; in the kernel `base` is (q, p), and the point is (q_m, v_m)."""

    name = "implicit_midpoint"
    order = 2
    by_acceleration = False
    has_middle = True

    def kernel(self, dynamics: Dynamics) -> Kernel:
        _, half, whole = dynamics.clock
        n = len(dynamics.q)
        q, p = dynamics.base[:n], dynamics.base[n:]
        M, rates = dynamics.mass_matrix(), dynamics.rates(dynamics.v)
        momentum = M @ Vector(dynamics.v)
        Mdot_v = directional(momentum, dict(zip(dynamics.q, rates, strict=True)))
        pdot = [f + x for f, x in zip(dynamics.force(), Mdot_v, strict=True)]

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

        # the change, and the lanes that still iterate
        active = write.is_one(write.get("active"))
        change, size = number(0.0), number(0.0)
        for e in range(write.size):
            z, after = write.load("z", e), write.load("z_after", e)
            difference = write.intrinsic("fabs", write.line(f"fsub {T} {after}, {z}"))
            change = write.intrinsic("maxnum", change, difference)
            size = write.intrinsic("maxnum", size, write.intrinsic("fabs", after))
            write.store(write.select(active, after, z), "z", e)
            write.store(
                write.select(active, write.load("end_now", e), write.load("end", e)), "end", e
            )

        # done if the change is zero or NaN, or small and no longer decreasing
        decreases = write.line(f"fcmp olt {T} {change}, {write.get('before')}")
        least = write.line(f"fmul {T} {size}, {number(SMALL)}")
        large = write.line(f"fcmp ogt {T} {change}, {least}")
        changes = write.line(f"fcmp ogt {T} {change}, {number(0.0)}")
        continues = write.line(f"or {flag} {decreases}, {large}")
        continues = write.line(f"and {flag} {continues}, {changes}")
        continues = write.line(f"and {flag} {continues}, {active}")
        write.set("before", change)
        write.set("active", write.select(continues, number(1.0), number(0.0)))
        more = write.any(continues)
        write.lines += [
            "  %round_after = add i64 %round, 1",
            f"  %rounds_left = icmp slt i64 %round_after, {LIMIT}",
            f"  %again = and i1 {more}, %rounds_left",
            "  br i1 %again, label %iterate, label %iterated",
            "iterated:",
        ]

        # v' = M(q')⁻¹ p': the kernel with steps of 0; NaN in lanes that did not converge
        diverged = write.is_one(write.get("active"))
        for e in range(write.size):
            source = "end" if e < write.coordinates else "z"
            write.store(write.load(source, e), "end_point", e)
        write.clock(1, 0, 0)
        write.call(point="end_point", base="end", next="y", total="unused", momentum="unused")
        for e in range(write.size):
            x, y, z = (write.load(block, e) for block in ("x", "y", "z"))
            write.store(write.select(diverged, number(float("nan")), y), "y", e)
            write.store(z, "middle", e)
            # the next z: y + (z − x)
            half = write.line(f"fsub {T} {z}, {x}")
            write.store(write.line(f"fadd {T} {y}, {half}"), "z", e)
            write.store(write.load("end", e), "start", e)
