"""Methods of a class that are defined in a layer above it, imported when first used.

These tables are the only place where a lower layer refers to a higher one; `tests/test_layers.py` lists
them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import MethodType
from typing import Any, Final

METHODS: Final[dict[str, dict[str, str]]] = {  # class -> method -> module of the function
    "Compiled": {
        "step": ".motion.simulation.step",
        "step_derivatives": ".motion.simulation.step",
        "rollout": ".motion.simulation.device_rollout",
        "to_torch": ".motion.frameworks.pytorch",
        "to_jax": ".motion.frameworks.jax",
        "to_casadi": ".motion.frameworks.casadi",
    },
    "Robot": {
        "prove_code_again": ".code.jit.certificate",
        "written_code": ".code.jit.certificate",
    },
}
NOTEBOOK: Final = ".publish.page.notebook"
REPRS: Final[dict[str, dict[str, str]]] = {  # class -> method -> function in the notebook module
    "Robot": {"_repr_html_": "robot_html"},
    "EquationsOfMotion": {"_repr_html_": "equations_html", "_repr_latex_": "equations_latex"},
    "Certificate": {"_repr_html_": "certificate_html"},
}


def attached(instance: object, name: str) -> Callable[..., Any] | None:
    """Method of an instance from the table; None if it has no such name.

    >>> attached("text", "step") is None
    True
    """
    module = METHODS.get(type(instance).__name__, {}).get(name)
    if module is None:
        return None
    return MethodType(getattr(import_module(module, "equamo"), name), instance)


def give_reprs(cls: type) -> None:
    """Add the notebook methods of `REPRS` to a class."""
    for method, function in REPRS[cls.__name__].items():
        setattr(cls, method, _repr_method(function))


def _repr_method(function: str) -> Callable[[Any], str | None]:
    def show(self: Any) -> str | None:
        text = getattr(import_module(NOTEBOOK, "equamo"), function)(self)
        return None if text is None else str(text)

    return show
