"""Derivatives of the dynamics as functions of a robot."""

from __future__ import annotations

from collections.abc import Mapping

from ..equations.equations import EquationsOfMotion
from .function import Function


def derivative_functions(eom: EquationsOfMotion) -> Mapping[str, Function]:
    """Derivative functions of a robot by name; nothing is differentiated here."""
    del eom
    return {}
