"""Closing: keeps the motion of a robot on its loops and contacts, step by step.

After every accepted step the state is projected (`projection`), the energy added by this is summed, and
the rank of the rows is monitored (`rank_watch`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ...code.ir.program import Argument
from ...code.jit.kernel import Kernel
from ...mechanics.equations.equations import EquationsOfMotion
from .projection import Projection, projection
from .rank_watch import RankWatch

Floats = NDArray[np.float64]

FIXED_STEP_ERROR: Final = 1e-6  # relative error of a state between two fixed steps


@final
class LostError(Exception):
    """A state cannot be projected, or rank is lost; the run ends with this message."""

    message: str
    advice: str

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.message, self.advice = message, advice


@final
class Closing:
    """Projection of the states of a run, with their energy and their rank."""

    projection: Projection
    rank: RankWatch
    energy: float

    def __init__(self, projection: Projection, rtol: float) -> None:
        self.projection, self.rank = projection, RankWatch(projection, rtol)
        eom = projection.eom
        self._q, self._states = len(eom.q), len(eom.q) + len(eom.v)
        self._unit = eom.robot.state_space.quaternions
        self._energy = _energy(eom).again()
        self._last: tuple[Floats, Floats] | None = None  # a state and its projection
        self.energy = 0.0  # of all projections so far [J]

    def start(self, y: Floats) -> None:
        """Hold the points of sticking contacts where they are at y."""
        self.projection.rows.hold(y[: self._q])

    def closed(self, y: Floats) -> Floats:
        """y with its state projected; raise LostError if that fails."""
        n, m = self._q, self._states
        if self._last is not None and np.array_equal(y, self._last[0]):
            return self._last[1]
        q = y[:n].copy()
        for group in self._unit:
            q[group] /= np.linalg.norm(q[group])
        state = self.projection(q, y[n:m])
        if state.failure is not None:
            advice = (
                "The motion cannot continue on this loop: use a smaller rtol= or step=, or start from "
                "another state"
            )
            lost = LostError(state.failure, advice)
            raise lost
        result = y.copy()
        result[:n], result[n:m] = state.q, state.v
        self._last = y.copy(), result
        return result

    def step(self, y: Floats) -> Floats:
        """y at the end of a step, projected; the change of the energy is counted."""
        after = self.closed(y)
        self.energy += self.total(after) - self.total(y)
        return after

    def sample(self, y: Floats) -> tuple[Floats, float]:
        """y within a step, projected, and the energy of all projections up to there."""
        after = self.closed(y)
        return after, self.energy + self.total(after) - self.total(y)

    def total(self, y: Floats) -> float:
        """Kinetic and potential energy."""
        n, m = self._q, self._states
        return float(self._energy(y[:n], y[n:m], self.projection.rows.parameters)[0])

    def singular(self, start: float, end: float, dense: Callable[[float], Floats]) -> float | None:
        """Time within a step at which rank is lost; None otherwise."""
        return self.rank.singular(start, end, dense)

    def lost_rank(self, y: Floats) -> LostError:
        """Error for a state at which rank is lost."""
        owners = ", ".join(repr(x) for x in self.rank.owners(y[: self._q])[:6])
        return LostError(
            f"singular configuration: the equations of {owners} lose rank, so the further "
            "motion is not unique",
            "Start from another state, limit the motion, or end it earlier with an event",
        )


def closing(eom: EquationsOfMotion, parameters: Floats, rtol: float) -> Closing | None:
    """Closing of a robot with loops or sticking contacts; None for a tree."""
    found = projection(eom, parameters)
    return None if found is None else Closing(found, rtol)


def put_state(solver: Any, y: Floats) -> None:
    """Replace the state of a solver after a step."""
    solver.y = y
    if "D" in vars(solver):  # BDF: its differences start with the state
        solver.D[0] = y
    if "f" in vars(solver):
        solver.f = solver.fun(solver.t, y)


def _energy(eom: EquationsOfMotion) -> Kernel:
    """Kinetic and potential energy of (q, v, parameters), created once per equations."""
    key = "energy kernel"
    if key not in eom.made:
        total = eom.kinetic_energy + eom.potential_energy
        for f in eom.forces.values():
            total = total if f.energy is None else total + f.energy
        arguments = [
            Argument("q", eom.q), Argument("v", eom.v), Argument("parameters", eom.parameters)
        ]  # fmt: skip
        eom.made[key] = Kernel("energy", arguments, [[total]])
    return eom.made[key]
