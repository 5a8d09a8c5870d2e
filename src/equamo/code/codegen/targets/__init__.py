"""Target languages, one class each, by name."""

from __future__ import annotations

from typing import Final

from ....errors import UnknownNameError
from ...ir.program import Dtype
from .c import C
from .casadi import CasADi
from .cpp import Cpp
from .javascript import JavaScript
from .matlab import Matlab
from .numpy import NumPy
from .package import Package, Routine
from .target import Target

TARGETS: Final[dict[str, type[Target]]] = {
    t.name: t for t in (C, Cpp, NumPy, Matlab, JavaScript, CasADi)
}


def target(name: str) -> Target:
    """Look up a target by its name.

    >>> target("c").description
    'C99 without dependencies'
    """
    if not isinstance(name, str) or name not in TARGETS:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UnknownNameError("target", name, TARGETS, "eq.generate")
    return TARGETS[name]()


__all__ = ["TARGETS", "C", "Cpp", "Dtype", "Package", "Routine", "Target", "target"]
