"""Values at one point of a finite field, to filter candidates before a proof."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from ...algebra.expr import constant, internal, sin
from ...algebra.expr.angles import turn
from ...algebra.expr.fingerprint import PRIME, fingerprints
from ...algebra.expr.functions import COS, SIN, TAN
from ...algebra.expr.graph import Expr
from ...algebra.expr.walk import walk

__all__ = ["PRIME", "field_values"]


def field_values(exprs: Sequence[Expr], point: str = "claims") -> list[int | None]:
    """Values from 0 to PRIME − 1 of expressions at one point; None for undefined ones (1/0).

    >>> from equamo.algebra.expr import parse
    >>> a, b = field_values([parse("sin(2*x)"), parse("2*sin(x)*cos(x)")])
    >>> a == b
    True
    """
    try:
        return [v % PRIME for v in fingerprints(exprs, point)]
    except ValueError:  # a division by zero, or a root that does not exist
        pass
    # One by one, each with an angle that makes all of them use the same points of the circle.
    turns = [turn(n.a) for n in walk(exprs) if n.op in (SIN, COS, TAN)]
    unit = lcm(*(c.denominator for t in turns for c in t.parts.values()))
    anchor = sin(constant(Fraction(1, unit)) * internal("anchor", "circle"))
    values: list[int | None] = []
    for e in exprs:
        try:
            values.append(fingerprints([e, anchor], point)[0] % PRIME)
        except ValueError:
            values.append(None)
    return values
