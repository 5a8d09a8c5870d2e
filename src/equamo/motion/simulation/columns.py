"""Values of expressions at the samples of a trajectory, as columns over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...algebra.expr.evaluate import Arrays, evaluate
from ...mechanics.equations.equations import EquationsOfMotion

Floats = NDArray[np.float64]


def known_columns(
    eom: EquationsOfMotion, q: Floats, v: Floats, parameters: Floats
) -> dict[Expr, Any]:
    """{symbol: number, or array (T,)} of the coordinates, speeds and parameters."""
    known: dict[Expr, Any] = {s: q[:, k] for k, s in enumerate(eom.q)}
    known |= {s: v[:, k] for k, s in enumerate(eom.v)}
    return known | dict(zip(eom.parameters, parameters.tolist(), strict=True))


def columns(entries: Iterable[Expr], known: Mapping[Expr, Any], count: int) -> Floats:
    """Values (count, number of entries) of expressions, from known values of symbols or other nodes.

    >>> from equamo.algebra.expr import parse, symbol
    >>> columns([parse("2*x"), parse("1")], {symbol("x"): np.array([1.0, 2.0])}, 2)
    array([[2., 1.],
           [4., 1.]])
    """
    with np.errstate(all="ignore"):
        results = evaluate(entries, Arrays(), known)
    out = np.empty((count, len(results)))
    for k, column in enumerate(results):
        out[:, k] = column
    return out
