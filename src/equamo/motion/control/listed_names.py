"""Names that a user lists: of states, inputs or outputs."""

from __future__ import annotations

from typing import Any

from ...algebra.expr import Expr
from ...basics.arguments import items_of
from ...basics.wording import brief
from ...errors import EvaluationError


def listed_names(function: str, argument: str, names: Any) -> list[Any]:
    """One name, or several, as a list.

    >>> listed_names("lqr", "drop", "x"), listed_names("lqr", "drop", ("x", "y"))
    (['x'], ['x', 'y'])
    """
    if isinstance(names, str):
        return [names]
    listed = items_of(names)
    if listed is None:
        raise EvaluationError(
            f"{function}: {argument} must be a name or a list of names, got {brief(names)}."
        )
    for n in listed:
        if not isinstance(n, (str, Expr)):
            raise EvaluationError(
                f"{function}: {argument} must consist of names, got {brief(n)} in it."
            )
    return listed
