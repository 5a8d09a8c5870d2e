"""Value of an expression at a state as a decimal number, even beyond the range of floats."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from ...algebra.expr import Expr, symbol
from ...algebra.expr.evaluate import Tape
from ...algebra.identity.counterexample import Balls

_DIGITS: Final = 120  # working precision, the largest in the search for a counterexample


def decimal(e: Expr, state: Mapping[str, float | Fraction]) -> str:
    """Value to three digits.

    >>> from equamo.algebra.expr import parse
    >>> decimal(parse("-2*x**4000"), {"x": 10.0})
    '-2e+4000'
    """
    ring = Balls()
    with ring.flint.ctx.workdps(_DIGITS):
        values = {symbol(k): ring.constant(Fraction(repr(x)) if isinstance(x, float) else x)
                  for k, x in state.items()}  # fmt: skip
        (ball,) = Tape([e]).run(ring, values)
        if not ball.is_finite() or ball.contains(0):
            return "an unknown amount"
        ten = ring.flint.arb(10).log()
        power = abs(ball).log() / ten
        exponent = int((power + 0.5).floor().mid().unique_fmpz())  # |value| = 10**power
        leading = float(((power - exponent) * ten).exp())
    if f"{leading:.3g}"[0] == "0":  # 0.32 … 1
        leading, exponent = 10 * leading, exponent - 1
    return f"{'-' if ball < 0 else ''}{leading:.3g}e{exponent:+d}"
