"""Names that a user lists: of states, inputs or outputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from ..errors import EvaluationError
from ..wording import brief


def listed_names(function: str, argument: str, names: Any) -> list[Any]:
    """One name, or several, as a list.

    >>> listed_names("lqr", "drop", "x"), listed_names("lqr", "drop", ("x", "y"))
    (['x'], ['x', 'y'])
    """
    if isinstance(names, str):
        return [names]
    if not isinstance(names, Iterable):
        raise EvaluationError(
            f"{function}: {argument} must be a name or a list of names, got {brief(names)}."
        )
    return list(cast(Iterable[Any], names))
