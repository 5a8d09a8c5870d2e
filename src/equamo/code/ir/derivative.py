"""Origin of a derivative function, as structure instead of text in its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, final

from ...algebra.expr import Expr
from ...robot.model.wrt import Wrt

if TYPE_CHECKING:
    from .function import Function

Kind = Literal[
    "jacobian", "jvp", "vjp", "hessian", "hvp", "by",
    "pushforward", "pullback",  # of `differentials`
    "normalised", "jac", "adj1", "jac_adj1",  # of `sensitivities`
]  # fmt: skip


@final
@dataclass(frozen=True)
class Derivative:
    """Kind of derivative, of which function, with respect to what."""

    of: str  # name of the function
    kind: Kind
    wrt: Wrt = "tangent"
    by: tuple[Expr, ...] = ()  # parameters, of the kind "by"
    base: Function | None = None  # the function, of the kind "by" and of pushforwards and pullbacks
    ending: str = ""  # of pushforwards and pullbacks: see `differentials`
