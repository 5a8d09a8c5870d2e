"""Our numbers of the quantities that libraries offer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from ..equations.equations import EquationsOfMotion
from .states import States

Floats = NDArray[np.float64]
DYNAMICS: Final = (
    "mass matrix", "bias", "gravity", "bias + gravity", "inverse dynamics", "forward dynamics",
)  # fmt: skip
KINEMATICS: Final = ("rotations", "positions", "Jacobians")
QUANTITIES: Final = (*DYNAMICS, *KINEMATICS)


@final
class OurNumbers:
    """Quantities of our equations at given states, each evaluated when it is first asked for."""

    def __init__(self, eom: EquationsOfMotion, states: States) -> None:
        self.eom, self.states = eom, states

    def __getitem__(self, name: str) -> Floats:
        """Quantity by name, except "forward dynamics"."""
        return {
            "mass matrix": lambda: self._mass_matrix,
            "bias": lambda: self._both[0],
            "gravity": lambda: self._both[1],
            "bias + gravity": lambda: self._both[0] + self._both[1],
            "inverse dynamics": lambda: self.inverse_dynamics(self.states.vdot),
            "rotations": lambda: self._frames["rotations"],
            "positions": lambda: self._frames["positions"],
            "Jacobians": lambda: self._frames["Jacobians"],
        }[name]()

    def pair(self, name: str, theirs: Floats) -> tuple[Floats, Floats]:
        """(ours, theirs); forward dynamics as τ and the forces that their v̇ needs in our equations."""
        if name == "forward dynamics":
            return self.states.tau, self.inverse_dynamics(theirs)
        return self[name], theirs

    def inverse_dynamics(self, vdot: Floats) -> Floats:
        """M v̇ + C v + g − passive forces."""
        state = {"q": self.states.q, "v": self.states.v, "vdot": vdot}
        return self.eom.evaluate("inverse_dynamics", **state)

    @cached_property
    def _mass_matrix(self) -> Floats:
        return self.eom.evaluate("mass_matrix", q=self.states.q)

    @cached_property
    def _both(self) -> tuple[Floats, Floats]:
        eom, states = self.eom, self.states
        return (
            eom.evaluate("bias", q=states.q, v=states.v),
            eom.evaluate("gravity", q=states.q),
        )

    @cached_property
    def _frames(self) -> Mapping[str, Floats]:
        """Frames of all bodies; one evaluation, because they share most of their expressions."""
        eom, count = self.eom, len(self.states)
        frames = [eom.frame(b.name) for b in eom.robot.bodies]
        entries = [
            [e for f in frames for e in f.rotation().entries],
            [e for f in frames for e in f.position()],
            [e for f in frames for e in f.jacobian().entries],
        ]
        numbers = eom.evaluate([e for part in entries for e in part], q=self.states.q)
        R, p, J = np.split(numbers, np.cumsum([len(x) for x in entries])[:-1], axis=1)
        shape = count, len(frames)
        return {
            "rotations": R.reshape(*shape, 3, 3),
            "positions": p.reshape(*shape, 3),
            "Jacobians": J.reshape(*shape, 6, len(eom.robot.v)),
        }
