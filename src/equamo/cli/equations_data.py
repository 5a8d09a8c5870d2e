"""Equations of motion as plain data, for `equamo derive --json`.

    M(q) v̇ + bias(q, v) + g(q) = B(q) inputs + passive_force(q, v),   bias = C v,   q̇ = N v

Entries are text that `parse` reads: closed forms if they are short. Otherwise each intermediate is
written once, before its first use, and entries are expressed in terms of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from ..algebra.expr import Expr
from ..algebra.expr.matrix import Matrix
from ..algebra.expr.printing.text import shared_text
from ..mechanics.equations import EquationsOfMotion
from ..mechanics.equations.closed_parts import Parts, closed_parts

PARTS: Final = (
    "mass_matrix", "coriolis_matrix", "bias", "gravity", "input_matrix", "passive_force",
    "kinematic_map",
)  # fmt: skip
COUNTED: Final = ("mass_matrix", "bias", "gravity", "inverse_dynamics")


def equations_data(eom: EquationsOfMotion) -> dict[str, Any]:
    """Names of the symbols, equations entry by entry, and operation counts.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> data = equations_data(derive(load("rr_arm")))
    >>> data["equations"]["mass_matrix"][1]
    ['I2 + Lc2*m2*(L1*cos(q2) + Lc2)', 'I2 + Lc2**2*m2']
    """
    parts: Parts = {name: getattr(eom, name) for name in PARTS}
    intermediates, texts = _texts(eom, parts)
    equations: dict[str, Any] = {}
    for name, part in parts.items():
        first, texts = texts[: len(part.entries)], texts[len(part.entries) :]
        equations[name] = _rows(first, part.shape) if isinstance(part, Matrix) else first
    return {
        "robot": eom.robot.name,
        "by": eom.by,
        "coriolis": eom.coriolis,
        "q": _names(eom.q),
        "v": _names(eom.v),
        "vdot": _names(eom.vdot),
        "inputs": _names(eom.inputs),
        "external": _names(eom.external),
        "parameters": _names(eom.parameters),
        "rows": list(eom.mass_matrix.row_names or ()),
        "intermediates": intermediates,
        "equations": equations,
        "operations": {name: asdict(getattr(eom, name).operations()) for name in COUNTED},
    }


def _texts(eom: EquationsOfMotion, parts: Parts) -> tuple[list[tuple[str, str]], list[str]]:
    """(name, text) of the intermediates, if any, and the text of each entry."""
    short = closed_parts(eom, parts.items())
    if short is not None:
        return [], [str(e) for part in short.values() for e in part.entries]
    entries = [e for part in parts.values() for e in part.entries]
    symbols = (*eom.q, *eom.v, *eom.vdot, *eom.inputs, *eom.external, *eom.parameters)
    prefix = "t"
    while any(x.name.startswith(prefix) for x in symbols):  # names must be unique in the file
        prefix += "_"
    pairs = shared_text(entries, prefix=prefix)
    return [x for x in pairs if x[0]], [text for name, text in pairs if not name]


def _rows(texts: list[str], shape: tuple[int, int]) -> list[list[str]]:
    n, m = shape
    return [texts[i * m : (i + 1) * m] for i in range(n)]


def _names(symbols: Sequence[Expr]) -> list[str]:
    return [x.name for x in symbols]
