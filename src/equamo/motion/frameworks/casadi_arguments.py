"""Arguments of functions for CasADi as its matrices: numbers, DM, SX or MX, one state per column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np

from ...basics.wording import brief, counted
from ...errors import EvaluationError


def matrix(casadi: Any, place: str, name: str, x: Any) -> Any:
    """User's argument as a DM, SX or MX.

    >>> import casadi
    >>> q = casadi.SX.sym("q", 2)
    >>> matrix(casadi, "gravity", "q", [q[0], 1]), matrix(casadi, "gravity", "q", [0, 1])
    (SX([q_0, 1]), DM([0, 1]))
    """
    if isinstance(x, (casadi.SX, casadi.MX, casadi.DM)):
        return x
    if isinstance(x, np.ndarray) and (array := cast(Any, x)).dtype == object:
        x = array.tolist()  # array of expressions, which DM would read as NaN
    items = list(cast(Iterable[Any], x)) if isinstance(x, (list, tuple)) else []
    try:
        if any(isinstance(e, (casadi.SX, casadi.MX)) for e in items):
            return casadi.vertcat(*items)
        return casadi.DM(x)
    except (NotImplementedError, RuntimeError):  # no such conversion; rows of different lengths
        given = brief(cast(object, x))
        raise EvaluationError(
            f"{place}: {name} must be numbers, or DM, SX or MX of CasADi, got {given}."
        ) from None


def column(casadi: Any, place: str, name: str, size: int, x: Any) -> Any:
    """Argument as a matrix with `size` rows."""
    found = matrix(casadi, place, name, x)
    if found.shape[0] != size:
        raise EvaluationError(
            f"{place}: {name} must be a column of {counted(size, 'entry')}, or {size}×N with one "
            f"state per column, got shape {found.shape}."
        )
    return found


def entries(casadi: Any, place: str, given: Mapping[str, Any], numbers: Mapping[str, float]) -> Any:
    """Matrix of named entries: those passed, each a number or a row, and numbers for the others.

    Args:
        casadi: The module.
        place: Name of the function, for messages.
        given: {name: 1×1 or 1×N}
        numbers: {name: default}, in order.
    """
    check_together(place, given)
    states = max((x.shape[1] for x in given.values()), default=1)
    rows = [given.get(name, x) for name, x in numbers.items()]
    return casadi.vertcat(*(casadi.repmat(x, 1, states) if _is_one(x) else x for x in rows))


def _is_one(x: Any) -> bool:
    return isinstance(x, float) or x.shape == (1, 1)


def check_together(place: str, arguments: Mapping[str, Any]) -> None:
    """Check that arguments fit into one call: their types and numbers of states."""
    kinds = {name: type(x).__name__ for name, x in arguments.items()}
    if {"SX", "MX"} <= set(kinds.values()):
        each = ", ".join(f"{name} is {kind}" for name, kind in kinds.items())
        raise EvaluationError(
            f"{place}: the arguments must be all SX or all MX, got {each}; make a "
            "casadi.Function of the SX and call it with MX."
        )
    states = {name: x.shape[1] for name, x in arguments.items()}
    if len(set(states.values()) - {1}) > 1:
        each = ", ".join(f"{name} has {n}" for name, n in states.items())
        raise EvaluationError(
            f"{place}: all arguments must have one column or the same number of columns, got {each}."
        )
