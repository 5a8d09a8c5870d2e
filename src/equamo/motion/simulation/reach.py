"""Limits of the explicit form: configurations in which two assemblies of a loop meet.

The explicit form has formulas with square roots for the dependent coordinates. At a limit of an
independent one (such as a crank aligned with its rod) an argument becomes 0; the motion continues in the
other assembly, which these formulas do not describe. A solver with a variable step would get stuck
there, since a trial step beyond has no value. A sum of squares under a root, the distance of two joints,
may be 0 only where they coincide, which ends the formulas as well.
"""

from __future__ import annotations

from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import absolute
from ...algebra.expr.functions import SQRT
from ...algebra.expr.graph import ADD, NEG, SUB
from ...algebra.expr.walk import walk
from ...code.ir.program import Argument
from ...code.jit.kernel import Kernel
from ...mechanics.equations.equations import EquationsOfMotion
from .closing import LostError

Floats = NDArray[np.float64]

END: Final = 1e-8  # argument of a root, as a share of its terms, that counts as 0


@final
class Reach:
    """Arguments of the square roots of dependent coordinates along a motion."""

    parameters: Floats
    n_q: int

    def __init__(self, eom: EquationsOfMotion, parameters: Floats) -> None:
        self.parameters, self.n_q = parameters, len(eom.q)
        self._roots = _roots(eom).again()
        self._largest = np.zeros(self._roots.size // 2)

    def require(self, y: Floats) -> None:
        """Raise LostError if an argument is 0 at the state y."""
        x, terms = np.split(self._roots(y[: self.n_q], self.parameters), 2)
        self._largest = np.fmax(self._largest, terms)
        if (x <= END * self._largest).any():
            raise LostError(
                "two assemblies of a loop meet, and the formulas of the explicit form end there",
                "The motion continues in the other assembly: use eom.augmented() or eom.minimal()",
            )


def reach(eom: EquationsOfMotion, parameters: Floats) -> Reach | None:
    """Reach of the explicit form; None without loops or without roots."""
    chosen = eom.robot.speed_map
    if not eom.robot.loops or chosen is None or not chosen.dependent or not _roots(eom).size:
        return None
    return Reach(eom, parameters)


def _roots(eom: EquationsOfMotion) -> Kernel:
    """Arguments x of the roots, then |a| + |b| of each x = a ± b, of (q, parameters)."""
    key = "roots kernel"
    if key not in eom.made:
        chosen = eom.robot.speed_map
        formulas = () if chosen is None else [e for _, e in chosen.dependent]
        inner = [x.a for x in walk(formulas) if x.op == SQRT]
        sums = [x.a if x.op == NEG else x for x in inner]
        terms = [absolute(x.a) + absolute(x.b) if x.op in (ADD, SUB) else absolute(x) for x in sums]
        arguments = [Argument("q", eom.q), Argument("parameters", eom.parameters)]
        eom.made[key] = Kernel("roots", arguments, [[*inner, *terms]])
    return eom.made[key]
