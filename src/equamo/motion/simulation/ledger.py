"""Energy ledger: energies of a motion, and the work of each force element.

    kinetic + potential (gravity and springs) = value at the start + work of all other elements

The difference of both sides is the drift: the error of the integration, and a test of all equations.
For a robot with loops or sticking contacts, the drift includes the energy of the projections after each
step, which has a separate line, like ‖φ‖ and ‖A v‖.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from ...basics.wording import counted
from ...mechanics.equations.equations import EquationsOfMotion
from .closure_errors import ClosureErrors
from .columns import columns, known_columns

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False)
class EnergyLedger:
    """Energies and work over time [J], as arrays (T,)."""

    t: Floats  # times [s]
    kinetic: Floats  # kinetic energy [J]
    gravity: Floats  # potential energy
    springs: Mapping[str, Floats]  # potential energy of each spring
    done: Mapping[str, Floats]  # work since t = 0 of every element that is not a spring
    closure: ClosureErrors | None = None  # of a robot with loops or sticking contacts

    @cached_property
    def potential(self) -> Floats:
        """Potential energy of gravity and all springs."""
        return self.gravity + sum(self.springs.values(), np.zeros_like(self.gravity))

    @cached_property
    def total(self) -> Floats:
        """Kinetic and potential energy."""
        return self.kinetic + self.potential

    @cached_property
    def work(self) -> Mapping[str, Floats]:
        """Work of each force element since the first sample; for springs, from their energy."""
        work = {name: x - x[:1] for name, x in self.done.items()}
        return work | {name: V[:1] - V for name, V in self.springs.items()}

    @cached_property
    def drift(self) -> Floats:
        """Change of the total energy that the work of the elements does not explain."""
        work = sum((x - x[:1] for x in self.done.values()), np.zeros_like(self.total))
        return self.total - self.total[:1] - work

    @property
    def range(self) -> float:
        """Energy exchanged by the motion: the largest span of kinetic, potential or work."""
        parts = (self.kinetic, self.potential, *self.done.values())
        return max((float(np.ptp(x)) for x in parts if len(x)), default=0.0)

    def __repr__(self) -> str:
        return f"<energy ledger: {counted(len(self.t), 'sample')}; print() writes a table>"

    def __str__(self) -> str:
        rows = [("kinetic", self.kinetic), ("gravity", self.gravity)]
        rows += [(f"spring {name}", x) for name, x in self.springs.items()]
        rows += [("total", self.total)]
        works = [(f"work of {n}", x - x[:1]) for n, x in self.done.items() if np.any(x != x[:1])]
        rows += [*works, ("drift", self.drift)]
        if self.closure is not None:
            rows += [
                ("of projections", self.closure.projections),
                ("‖φ‖ [m, rad]", self.closure.positions),
                ("‖A v‖ [m/s, rad/s]", self.closure.velocities),
            ]
        width = max(len(name) for name, _ in rows)
        if not len(self.t):
            return "no samples"
        lines = [
            f"{'energy [J]':{width}}  {'first':>12}  {'last':>12}  {'least':>12}  {'most':>12}"
        ]
        for name, x in rows:
            numbers = (x[0], x[-1], x.min(), x.max())
            lines.append(f"{name:{width}}  " + "  ".join(f"{a:12.6g}" for a in numbers))
        return "\n".join(lines)


def ledger(
    eom: EquationsOfMotion,
    t: Floats,
    q: Floats,
    v: Floats,
    parameters: Floats,
    work: Mapping[str, Floats],
    closure: ClosureErrors | None = None,
) -> EnergyLedger:
    """Ledger of states (T, n), with the integrated work of the elements that are not springs."""
    springs = {name: f.energy for name, f in eom.forces.items() if f.energy is not None}
    known = known_columns(eom, q, v, parameters)
    rows = columns([eom.kinetic_energy, eom.potential_energy, *springs.values()], known, len(t)).T
    energies = dict(zip(springs, rows[2:], strict=True))
    return EnergyLedger(t, rows[0], rows[1], energies, dict(work), closure)
