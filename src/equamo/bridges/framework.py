"""Import of a framework that is an optional extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from ..errors import EquamoError

FRAMEWORKS: Final = {  # module -> name, extra of this package
    "torch": ("PyTorch", "torch"),
    "jax": ("JAX", "jax"),
    "casadi": ("CasADi", "casadi"),
}


def framework(module: str, place: str) -> Any:
    """Import a framework.

    Args:
        module: Name of its module, one of `FRAMEWORKS`.
        place: What needs it, for the message: "to_torch()".

    Raises:
        EquamoError: It is not installed.

    >>> framework("casadi", "to_casadi()").__name__
    'casadi'
    """
    name, extra = FRAMEWORKS[module]
    try:
        return import_module(module)
    except ImportError:
        raise EquamoError(
            f"{place} needs {name}, which is not installed; run pip install 'equamo[{extra}]'."
        ) from None
