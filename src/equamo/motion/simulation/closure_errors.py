"""Errors of the loops and contacts along a motion: |φ| and |A v| at its samples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from ...basics.wording import counted
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from .columns import columns, known_columns
from .constraint_rows import ConstraintRows, closing_rows

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False, repr=False)
class ClosureErrors:
    """φ and A v of every row of the loops and sticking contacts, (T, rows).

    `projections` is the energy that projections have added since t = 0, (T,) [J].
    """

    names: tuple[str, ...]
    phi: Floats
    rates: Floats
    projections: Floats

    @cached_property
    def positions(self) -> Floats:
        """‖φ‖, (T,) [m; sines of angles]"""
        return np.linalg.norm(self.phi, axis=1)

    @cached_property
    def velocities(self) -> Floats:
        """‖A v‖, (T,) [m/s, rad/s]"""
        return np.linalg.norm(self.rates, axis=1)

    def __repr__(self) -> str:
        phi, rate = (float(x.max(initial=0)) for x in (self.positions, self.velocities))
        rows, samples = counted(len(self.names), "row"), counted(len(self.phi), "sample")
        return f"<closure errors of {rows} at {samples}: ‖φ‖ ≤ {phi:.2g}, ‖A v‖ ≤ {rate:.2g}>"


def closure_errors(
    eom: EquationsOfMotion, q: Floats, v: Floats, parameters: Floats, projections: Floats | None
) -> ClosureErrors | None:
    """Errors at states (T, n); None for a tree."""
    if not closing_rows(eom):
        return None
    rows = ConstraintRows(eom, parameters)
    if len(q):
        rows.hold(q[0])
    at = rows.batch(q)
    u = ChosenSpeeds(eom.robot).insert(eom.robot.joint_speeds)
    speeds = columns(u, known_columns(eom, q, v, parameters), len(q))
    added = np.zeros(len(q)) if projections is None else projections
    return ClosureErrors(tuple(rows.names), at.phi, np.einsum("tij,tj->ti", at.A, speeds), added)
