"""Arguments of a call by position and by keyword, for the functions of JAX and CasADi."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...basics.wording import counted
from ...errors import EvaluationError, UnknownNameError


def arguments_by_name(
    place: str, names: Sequence[str], given: Sequence[Any], named: Mapping[str, Any]
) -> dict[str, Any]:
    """All arguments of a call by name, in the order of `names`.

    Args:
        place: The function, for errors.
        names: Names of its arguments.
        given: Arguments by position.
        named: Arguments by keyword.

    Raises:
        UnknownNameError: An argument has none of the names.
        EvaluationError: There are too many arguments, one is missing, or one was passed twice.

    >>> arguments_by_name("bias", ("q", "v"), [1], {"v": 2})
    {'q': 1, 'v': 2}
    """
    if len(given) > len(names):
        raise EvaluationError(f"{place} takes {counted(len(names), 'argument')}, got {len(given)}.")
    chosen = dict(zip(names, given, strict=False))
    for name, x in named.items():
        if name not in names:
            raise UnknownNameError("argument", name, (*names, "values", "external"), place)
        if name in chosen:
            raise EvaluationError(
                f"{place}: {name} must be passed once, got it both by position and by name."
            )
        chosen[name] = x
    missing = [n for n in names if n not in chosen]
    if missing:
        raise EvaluationError(f"{place}: no value for {', '.join(missing)}.")
    return {n: chosen[n] for n in names}
