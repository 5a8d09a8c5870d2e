"""Our numbers of the quantities that libraries offer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import symbol
from ...algebra.expr.substitute import substitute
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.kinematics.velocities import partial_velocities
from .placed import speed_map
from .states import States

Floats = NDArray[np.float64]
DYNAMICS: Final = (
    "mass matrix", "bias", "gravity", "bias + gravity", "inverse dynamics", "forward dynamics",
)  # fmt: skip
KINEMATICS: Final = ("rotations", "positions", "Jacobians")
QUANTITIES: Final = (*DYNAMICS, *KINEMATICS)


@final
class OurNumbers:
    """Quantities of our equations at given states, each evaluated on first use."""

    eom: EquationsOfMotion
    states: States

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
        """Frames of all bodies in world axes; Jacobians with angular rows first."""
        eom, count = self.eom, len(self.states)
        frames = [eom.frame(b.name) for b in eom.robot.bodies]
        rotations = [e for f in frames for e in f.rotation().entries]
        positions = [e for f in frames for e in f.position()]
        numbers = eom.evaluate([*rotations, *positions], q=self.states.q)
        R = numbers[:, : len(rotations)].reshape(count, len(frames), 3, 3)
        p = numbers[:, len(rotations) :].reshape(count, len(frames), 3)
        return {"rotations": R, "positions": p, "Jacobians": self._jacobians(R)}

    def _jacobians(self, R: Floats) -> Floats:
        """Partial velocities (V_k)_j of all bodies in body axes, rotated to world axes by R."""
        robot = self.eom.robot
        partial = partial_velocities(robot.tree)
        V = [(k, j, x) for k, b in enumerate(robot.bodies) for j, x in partial[b.name].items()]
        gone = {symbol(n): e for n, e in robot.eliminated.items()}
        entries = [e for _, _, x in V for e in (*x.angular, *x.linear)]
        numbers = self.eom.evaluate(substitute(entries, gone) if gone else entries, q=self.states.q)
        J = np.zeros((len(self.states), len(robot.bodies), 6, len(robot.joint_speeds)))
        for (k, j, _), six in zip(V, numbers.reshape(-1, len(V), 6).swapaxes(0, 1), strict=True):
            for rows in (slice(0, 3), slice(3, 6)):
                J[:, k, rows, j] = np.einsum("nij,nj->ni", R[:, k], six[:, rows])
        return J @ speed_map(robot)
