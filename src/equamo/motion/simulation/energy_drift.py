"""Warning about motions that should conserve energy but do not.

If no force does work and the base is at rest, kinetic + potential energy is constant. A drift of more
than a tenth of the energy exchanged is far above the error of a method with a sensible step (DOP853:
1e-9, RK23 with rtol=1e-3: 1e-2, rk4 with 10 ms: 1e-4 to 6e-2). Then the step is much too large, or the
integrated equations are not those of the robot.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.substitute import substitute
from ...algebra.expr.walk import walk
from ...errors import EnergyDriftWarning, callers_level
from ...mechanics.equations.equations import EquationsOfMotion
from .flow_code import powers
from .ledger import EnergyLedger, ledger

if TYPE_CHECKING:
    from .conditions import Conditions
    from .trajectory import Trajectory

Floats = NDArray[np.float64]

GROSS: Final = 0.1  # fraction of the energy exchanged
SAMPLES: Final = 65  # samples of a trajectory at which its energy is checked
RUNS: Final = 8  # runs of a batch that are checked
_ROUNDING: Final = 1e-9  # fraction of the potential energy that counts as no motion


def warn_of_drift(trajectory: Trajectory) -> None:
    """Warn if a simulation in which no force does work does not conserve energy."""
    if len(trajectory) < 2 or any(np.any(x != 0) for x in trajectory.work.values()):
        return
    rows = np.unique(np.linspace(0, len(trajectory) - 1, SAMPLES).astype(int))
    t, q, v = trajectory.t[rows], trajectory.q[rows], trajectory.v[rows]
    _warn("simulate", trajectory.method, ledger(trajectory.eom, t, q, v, trajectory.parameters, {}))


def warn_of_drifts(
    conditions: Conditions,
    method: str,
    t: Floats,
    states: Floats,
    steps: int,
    broken: Sequence[int],
) -> None:
    """Warn about a batch with states (N, T, n), by the energy at both ends of a few runs.

    The check is made only if it is cheap: if the batch has more steps than the energy has operations.
    """
    eom, n = conditions.eom, len(conditions.eom.q)
    expressions = conditions.expressions or ()
    driven = bool(conditions.inputs.any()) or any(e is not ZERO for e in expressions)
    operations = _operations_of_conserved_energy(_Key(eom))
    if (
        driven
        or conditions.external.any()
        or operations is None
        or len(states) * steps < operations
    ):
        return
    runs = np.setdiff1d(np.arange(len(states)), broken)
    some: list[int] = np.linspace(0, len(runs) - 1, RUNS).astype(int).tolist() if len(runs) else []
    for k in dict.fromkeys(int(runs[i]) for i in some):
        ends = states[k, [0, -1]]
        values = conditions.values if conditions.values.ndim == 1 else conditions.values[k]
        energy = ledger(eom, t[[0, -1]], ends[:, :n], ends[:, n:], values, {})
        if _warn("rollout", method, energy, f"run {k}: " if len(states) > 1 else ""):
            return


def _warn(place: str, method: str, energy: EnergyLedger, run: str = "") -> bool:
    """Warn if the energy drifts; `run` names the run of a batch."""
    scale = max(
        float(energy.kinetic.max()),
        float(np.ptp(energy.potential)),
        _ROUNDING * float(np.abs(energy.potential).max()),
    )
    drift = float(energy.drift[np.argmax(np.abs(energy.drift))])
    if (
        not abs(drift) > GROSS * scale
    ):  # true for NaN, too: a parameter of the energy without a value
        return False
    warnings.warn(
        f"{place} by {method}: {run}the total energy drifted by {drift:.3g} J, "
        f"{100 * abs(drift) / scale:.0f} % of the {scale:.3g} J exchanged, although no force does work. "
        f"The result is not reliable; use a smaller step or tolerance, or another method.",
        EnergyDriftWarning,
        stacklevel=callers_level(),
    )
    return True


@final
class _Key:
    """Cache key that compares equations by identity."""

    def __init__(self, eom: EquationsOfMotion) -> None:
        self.eom = eom

    def __hash__(self) -> int:
        return id(self.eom)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.eom is other.eom


@lru_cache(maxsize=32)
def _operations_of_conserved_energy(key: _Key) -> int | None:
    """Size of the energy's graph if energy is conserved without inputs and loads; otherwise None."""
    eom = key.eom
    undriven: dict[Expr, Expr] = dict.fromkeys((*eom.inputs, *eom.external), ZERO)
    if any(p is not ZERO for p in substitute(powers(eom).values(), undriven)):
        return None
    springs = [f.energy for f in eom.forces.values() if f.energy is not None]
    return len(walk([eom.kinetic_energy, eom.potential_energy, *springs]))
