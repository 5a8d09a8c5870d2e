"""Derivatives of the projection of a step onto loops and sticking contacts.

A step y(x) is projected, x' = (q', v'); with S = M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ at q' and derivatives d by the
state, the inputs and the parameters,

    (1) dq' = dq_y − N S dφ,          dφ = ∂φ/∂q dq_y + ∂φ/∂p      (minus A dq_x for a held contact)
    (2) dv' = dv_y − S d(A v_y),      d(A v) = ∂(A v)/∂q dq' + A dv_y + ∂(A v)/∂p

Omitted terms are of the order of φ and A v before the projection, that is, of the step's error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from ..equations.configuration_space import ConfigurationSpace
from ..equations.constrained import is_augmented
from ..equations.equations import EquationsOfMotion
from ..expr import Expr
from ..expr.differentiate import jacobian
from ..expr.vector import dot
from ..ir.program import Argument
from ..jit.kernel import Kernel
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..model.closure import Row
from ..recursions.composite_bodies import mass_matrix
from .closed_state import projected_rows

Floats = NDArray[np.float64]


@final
class StepProjection:
    """Derivatives of φ and A v, and how a projection changes derivatives."""

    eom: EquationsOfMotion
    by: int
    k: int
    n: int
    u: int
    rows: list[Row]

    def __init__(self, eom: EquationsOfMotion, by: Sequence[Expr]) -> None:
        robot = eom.robot
        self.eom, self.rows, self.by = eom, projected_rows(eom), len(by)
        self.k, self.n, self.u = len(eom.q), len(eom.v), len(robot.joint_speeds)
        self.space: ConfigurationSpace = ConfigurationSpace(robot)
        self.held: NDArray[np.bool_] = np.array([r.phi is None for r in self.rows])
        self.augmented: bool = is_augmented(robot)
        phi = [r.position for r in self.rows if r.position is not None]
        rates = [dot(r.A, eom.v) for r in self.rows] if self.augmented else []
        symbols = [*eom.q, *by]
        M = ChosenSpeeds(robot).insert(mass_matrix(robot.tree).entries)
        slopes = [e for row in jacobian([*phi, *rates], symbols) for e in row]
        arguments = [
            Argument("q", eom.q), Argument("v", eom.v), Argument("parameters", eom.parameters)
        ]  # fmt: skip
        entries = [*(a for r in self.rows for a in r.A), *M, *slopes]
        self._kernel = Kernel("step_projection", arguments, [entries])

    def __call__(
        self, X: Floats, before: Floats, y: Floats, after: Floats, values: Floats
    ) -> Floats:
        """Derivatives of x' from those X (N, d, columns) of y; `before` are the states x."""
        count, m, k, u = len(y), len(self.rows), self.k, self.u
        out = self._kernel.batch(count, after[:, :k], y[:, k:], values)
        A, M, slopes = np.split(out, [m * u, m * u + u * u], axis=1)
        A, M = A.reshape(count, m, u), M.reshape(count, u, u)
        slopes = slopes.reshape(count, -1, k + self.by)
        X = np.array(X)
        SN = np.linalg.solve(M, np.swapaxes(A, 1, 2))
        S = SN @ np.linalg.inv(A @ SN)
        d_phi = slopes[:, :m, :k] @ X[:, :k]
        if self.held.any():
            start = self._kernel.batch(count, before[:, :k], before[:, k:], values)
            at_start = start[:, m * u + u * u :].reshape(count, -1, k + self.by)
            moved = np.where(self.held[:, None], at_start[:, :m, :k], 0.0)
            d_phi[:, :, :k] -= moved
            slopes[:, :m, k:] -= np.where(self.held[:, None], at_start[:, :m, k:], 0.0)
        if self.by:
            d_phi[:, :, -self.by :] += slopes[:, :m, k:]
        X[:, :k] -= self.space.map(after[:, :k]) @ (S @ d_phi)  # (1)
        if self.augmented:
            d_rate = slopes[:, m:, :k] @ X[:, :k] + A @ X[:, k:]
            if self.by:
                d_rate[:, :, -self.by :] += slopes[:, m:, k:]
            X[:, k:] -= S @ d_rate  # (2)
        return X
