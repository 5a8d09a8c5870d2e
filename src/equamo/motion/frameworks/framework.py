"""Import of a framework that is an optional extra."""

from __future__ import annotations

from typing import Any, Final

from ...basics.extras import library

FRAMEWORKS: Final = ("torch", "jax", "casadi")  # modules, each with an extra of the same name


def framework(module: str, place: str) -> Any:
    """Import a framework.

    Args:
        module: Name of its module, one of `FRAMEWORKS`.
        place: What needs it, for the message: "to_torch()".

    Raises:
        MissingLibraryError: It is not installed.

    >>> framework("casadi", "to_casadi()").__name__
    'casadi'
    """
    return library(module, place)
