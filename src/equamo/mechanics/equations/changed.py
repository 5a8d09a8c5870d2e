"""Quantities of equations of motion that somebody wrote into their cache."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...robot.model.read_only import ReadOnly
from .equations import EquationsOfMotion
from .replaced import DERIVED, quantity_property


def changed_quantities(eom: EquationsOfMotion) -> list[str]:
    """Names of cached quantities that are not what the derivation gives; somebody wrote them there.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> eom.__dict__["coriolis_matrix"] = 2 * eom.coriolis_matrix
    >>> changed_quantities(eom)
    ['coriolis_matrix']
    """
    found = [] if eom.replaced is None else changed_quantities(eom.replaced.whole)
    before, again = DERIVED.get(eom, {}), replace(eom)  # without what is cached
    for name, x in vars(eom).items():
        if not isinstance(getattr(type(eom), name, None), quantity_property):
            continue
        if x is not before.get(name) and not _same(x, getattr(again, name)):
            found.append(name)
    return found


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, ReadOnly) and isinstance(b, ReadOnly):
        x, y = cast(ReadOnly[Any, Any], a), cast(ReadOnly[Any, Any], b)
        return x.keys() == y.keys() and all(_same(x[n], y[n]) for n in x)
    if isinstance(a, (Vector, Matrix)) and isinstance(b, (Vector, Matrix)):
        energies = getattr(a, "energy", None), getattr(b, "energy", None)
        pairs = zip((*a.entries, energies[0]), (*b.entries, energies[1]), strict=False)
        return a.shape == b.shape and all(x is y for x, y in pairs)
    return a is b or (isinstance(a, str) and a == b)
