"""Remarks on functions that are not smooth: points at which a derivative does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ...algebra.expr import Expr
from ...algebra.expr.functions import ABS, SIGN
from ...algebra.expr.walk import walk
from ...basics.wording import brief
from ...mechanics.equations.equations import EquationsOfMotion
from .function import Function, entries_of

_RULES: Final = {
    SIGN: "its derivative is taken to be 0, which holds away from the jump at {0} = 0",
    ABS: "its derivative is taken to be sign({0}), which is 0 at {0} = 0",
}


def non_smooth(entries: Iterable[Expr]) -> tuple[str, ...]:
    """One remark per `sign` or `abs` in the entries.

    >>> from equamo.algebra.expr import parse
    >>> non_smooth([parse("Fc*sign(dq1)")])
    ('sign(dq1): its derivative is taken to be 0, which holds away from the jump at dq1 = 0',)
    """
    found = [n for n in walk(entries) if n.op in _RULES]
    texts = (f"{brief(n)}: {_RULES[n.op].format(brief(n.a))}" for n in found)
    return tuple(dict.fromkeys(texts))


def remarks(function: Function, eom: EquationsOfMotion) -> tuple[str, ...]:
    """Remarks on a derivative function; none on any other function."""
    d = function.derivative
    if d is None:
        return ()
    if d.base is None:
        return non_smooth(eom.inverse_dynamics)
    return non_smooth(e for x in d.base.outputs(d.base.ways[0]).values() for e in entries_of(x))
