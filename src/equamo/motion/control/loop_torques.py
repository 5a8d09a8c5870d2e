"""Inputs of a robot with loops or sticking contacts, where constraint forces carry part of the load.

Generalized forces τ and B · inputs have the same effect if they agree along all motions W that the
constraints allow:

    (1) A W = 0
    (2) Wᵀ B · inputs = Wᵀ τ        the smallest inputs solve it

Joint accelerations follow from those of independent coordinates, S u̇ = a:

    (3) A u̇ = −Ȧ u,   S u̇ = a
"""

from __future__ import annotations

from typing import Any, final

import numpy as np

from ...code.jit.compiled import Compiled, compile
from ...errors import EquamoError, EvaluationError
from ...mechanics.equations.assembly import assemble
from ...mechanics.equations.characteristic_sizes import CharacteristicSizes
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.loop_state import null_space
from ...mechanics.equations.mobility import independent_rows
from .input_map import UNSOLVED, least_squares, state_text
from .operating_point import Array


@final
class LoopTorques:
    """Inputs for generalized forces of one robot in augmented form; `used` are the inputs to use."""

    place: str
    eom: EquationsOfMotion
    used: list[int]
    values: dict[str, float]

    def __init__(
        self, place: str, eom: EquationsOfMotion, used: list[int], values: dict[str, float]
    ) -> None:
        self.place, self.eom, self.used, self.values = place, eom, used, values
        self.rows: list[int] = list(independent_rows(eom.robot))
        self.fast: Compiled = compile(eom)
        self.options: dict[str, Any] = {"values": values} if values else {}
        sizes = CharacteristicSizes(eom.robot, values)
        rows = sizes.of_rows([eom.robot.rows[k] for k in self.rows])
        self.sizes: tuple[Array, Array] = rows, sizes.u  # of A, its rows and columns
        self.home: Array = assemble(eom, values=values).q
        self._require_actuated()

    def matrix(self, q: Array) -> Array:
        """A of independent rows."""
        return self.fast.constraint_matrix(q, **self.options)[self.rows]

    def motions(self, q: Array) -> Array:
        """W of (1), with orthonormal columns."""
        return null_space(self.matrix(q), *self.sizes)

    def inputs(self, q: Array, tau: Array) -> Array:
        """Smallest inputs with the effect of τ; unused inputs are 0.

        Raises:
            EvaluationError: No inputs have the effect at q.
        """
        W = self.motions(q)
        B = self.fast.input_matrix(q, **self.options).reshape(len(tau), -1)[:, self.used]
        left, right = W.T @ B, W.T @ tau
        inputs = least_squares(left, right)  # (2)
        gap = np.abs(left @ inputs - right).max(initial=0)
        if not gap <= UNSOLVED * (np.abs(tau).max(initial=0) + np.abs(B @ inputs).max(initial=0)):
            raise EvaluationError(
                f"{self.place}: the configuration must not be singular for the inputs of robot "
                f"{self.eom.robot.name!r}, but no inputs have the effect of the generalized forces at "
                f"{state_text(self.eom, q)}."
            )
        result = np.zeros(len(self.eom.inputs))
        result[self.used] = inputs
        return result

    def accelerations(self, q: Array, v: Array, kept: list[int], a: Array) -> Array:
        """u̇ of (3), for independent joint speeds `kept` with accelerations a."""
        S = np.eye(len(v))[kept]
        bias = self.fast.constraint_bias(q, v, **self.options)[self.rows]
        return np.linalg.solve(np.vstack([self.matrix(q), S]), np.concatenate([-bias, a]))

    def freedom(self) -> int:
        """Degrees of freedom."""
        return len(self.eom.v) - len(self.rows)

    def _require_actuated(self) -> None:
        W = self.motions(self.home)
        B = self.fast.input_matrix(self.home, **self.options).reshape(len(W), -1)[:, self.used]
        rank = np.linalg.matrix_rank(W.T @ B) if B.size else 0
        if rank < W.shape[1]:
            names = ", ".join(self.eom.inputs[k].name for k in self.used[:8]) or "no inputs"
            raise EquamoError(
                f"{self.place}: the inputs must reach all {W.shape[1]} degrees of freedom of robot "
                f"{self.eom.robot.name!r}, got {rank} from {names}. "
                f"Use eq.linearize and eq.lqr, or other inputs."
            )
