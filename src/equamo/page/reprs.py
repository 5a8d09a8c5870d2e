"""Notebook displays, attached to classes of lower layers and imported on first use.

The classes do not know the page; `equamo/__init__.py` knows both. Importing this module imports nothing
else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

METHODS: Final = {
    "Robot": {"_repr_html_": "robot_html"},
    "EquationsOfMotion": {"_repr_html_": "equations_html", "_repr_latex_": "equations_latex"},
    "Certificate": {"_repr_html_": "certificate_html"},
}


def give_reprs(*classes: type) -> None:
    """Attach the notebook methods of `METHODS` to each class."""
    for cls in classes:
        for method, function in METHODS[cls.__name__].items():
            setattr(cls, method, _asked(function))


def _asked(function: str) -> Callable[[Any], str | None]:
    def shown(self: Any) -> str | None:
        from . import notebook

        text = getattr(notebook, function)(self)
        return None if text is None else str(text)

    return shown
