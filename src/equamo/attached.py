"""Methods of a class that are defined in a layer above it, imported when first used.

This table is the only place where a lower layer refers to a higher one; `tests/test_layers.py` lists it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import MethodType
from typing import Any, Final

METHODS: Final[dict[str, dict[str, str]]] = {  # class -> method -> module of the function
    "Compiled": {
        "step": ".motion.step",
        "step_derivatives": ".motion.step",
        "rollout": ".motion.device_rollout",
        "to_torch": ".bridges.pytorch",
        "to_jax": ".bridges.jax",
        "to_casadi": ".bridges.casadi",
    },
}


def attached(instance: object, name: str) -> Callable[..., Any] | None:
    """Method of an instance from the table; None if it has no such name.

    >>> attached("text", "step") is None
    True
    """
    module = METHODS.get(type(instance).__name__, {}).get(name)
    if module is None:
        return None
    return MethodType(getattr(import_module(module, __package__), name), instance)
