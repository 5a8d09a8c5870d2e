"""A warning about motions that should conserve energy and grossly do not.

Where no force does work and the base stands, kinetic + potential energy stays as it is, whatever the
method of integration. A drift of more than a tenth of the energy that moves is far above what a method
leaves with a sensible step (DOP853: 1e-9, RK23 with rtol=1e-3: 1e-2, rk4 with 10 ms: 1e-4 to 6e-2): the
step is much too large, or the equations that were integrated are not those of the robot.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, final

import numpy as np
from numpy.typing import NDArray

from ..equations.equations import EquationsOfMotion
from ..errors import EnergyDriftWarning, callers_level
from ..expr import ZERO, Expr
from ..expr.substitute import substitute
from ..expr.walk import walk
from .flow_code import powers
from .ledger import EnergyLedger, ledger

if TYPE_CHECKING:
    from .conditions import Conditions
    from .trajectory import Trajectory

Floats = NDArray[np.float64]

GROSS: Final = 0.1  # of the energy that moves
SAMPLES: Final = 65  # of a trajectory, at which its energy is looked at
RUNS: Final = 8  # of a batch
_ROUNDING: Final = 1e-9  # of the potential energy: so little is no motion


def warn_of_drift(trajectory: Trajectory) -> None:
    """Warn if a simulation in which nothing does work does not keep its energy."""
    if len(trajectory) < 2 or any(np.any(x != 0) for x in trajectory.work.values()):
        return
    which = np.unique(np.linspace(0, len(trajectory) - 1, SAMPLES).astype(int))
    t, q, v = trajectory.t[which], trajectory.q[which], trajectory.v[which]
    _warn("simulate", trajectory.method, ledger(trajectory.eom, t, q, v, trajectory.parameters, {}))


def warn_of_drifts(
    given: Conditions, method: str, t: Floats, states: Floats, steps: int, broken: Sequence[int]
) -> None:
    """The same of a batch, states (N, T, n): at the ends of a few runs.

    Only where that is cheap: the batch has more steps than the energy has operations.
    """
    eom, n = given.eom, len(given.eom.q)
    driven = bool(given.inputs.any()) or any(e is not ZERO for e in given.expressions or ())
    kept = _kept_energy(_Same(eom))
    if driven or given.external.any() or kept is None or len(states) * steps < kept:
        return
    runs = np.setdiff1d(np.arange(len(states)), broken)
    some: list[int] = np.linspace(0, len(runs) - 1, RUNS).astype(int).tolist() if len(runs) else []
    for k in dict.fromkeys(int(runs[i]) for i in some):
        ends = states[k, [0, -1]]
        values = given.values if given.values.ndim == 1 else given.values[k]
        found = ledger(eom, t[[0, -1]], ends[:, :n], ends[:, n:], values, {})
        if _warn("rollout", method, found, f"run {k}: " if len(states) > 1 else ""):
            return


def _warn(place: str, method: str, energy: EnergyLedger, which: str = "") -> bool:
    scale = max(
        float(energy.kinetic.max()),
        float(np.ptp(energy.potential)),
        _ROUNDING * float(np.abs(energy.potential).max()),
    )
    drift = float(energy.drift[np.argmax(np.abs(energy.drift))])
    if not abs(drift) > GROSS * scale:  # also NaN, of a parameter that only the energy has
        return False
    warnings.warn(
        f"{place} by {method}: {which}the total energy drifted by {drift:.3g} J, "
        f"{100 * abs(drift) / scale:.0f} % of the {scale:.3g} J that the motion moves, though no force "
        f"does work. This motion is not reliable: use a smaller step or tolerance, or another method.",
        EnergyDriftWarning,
        stacklevel=callers_level(),
    )
    return True


@final
class _Same:
    """Equations of motion as a key: the same object."""

    def __init__(self, eom: EquationsOfMotion) -> None:
        self.eom = eom

    def __hash__(self) -> int:
        return id(self.eom)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.eom is other.eom


@lru_cache(maxsize=32)
def _kept_energy(same: _Same) -> int | None:
    """Number of operations of the energy, if it stays without inputs and external loads; else None."""
    eom = same.eom
    nothing: dict[Expr, Expr] = dict.fromkeys((*eom.inputs, *eom.external), ZERO)
    if any(p is not ZERO for p in substitute(powers(eom).values(), nothing)):
        return None
    springs = [f.energy for f in eom.forces.values() if f.energy is not None]
    return len(walk([eom.kinetic_energy, eom.potential_energy, *springs]))
