"""Derivatives of the projection of a step onto loops and sticking contacts.

`integrators.closed` moves the state x = (q, v) after a step `CALLS` times, with unit quaternions and
K = [M −Aᵀ; A 0] at q:

    (1) K [δ; λ] = [0; −φ],      q' = q + N δ       φ = r(q) − r(q₀) for a held contact
    (2) K [w; μ] = [0; −A v],    v' = v + w         unless chosen speeds satisfy A W v = 0

The same equations are differentiated at the same solutions; d is a derivative by the state before the
step, the inputs and the parameters p:

    (3) K [dδ; dλ] = −∂(M δ − Aᵀ λ; A δ + φ),      dq' = dq + N dδ + ∂(N δ)
    (4) K [dw; dμ] = −∂(M w − Aᵀ μ; A w + A v) − [0; A dv],      dv' = dv + dw

∂ is the change with q and p while δ, λ, w, μ and v are constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr, internal
from ...algebra.expr.differentiate import jacobian
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector, dot
from ...code.ir.program import Argument
from ...code.jit.kernel import Kernel
from ...code.steps.closed import CALLS
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...mechanics.recursions.composite_bodies import mass_matrix
from ...robot.model.closure import Row
from .closed_state import projected_rows
from .step_derivatives import normalised, solve

Floats = NDArray[np.float64]


@final
class StepProjection:
    """M, A, N, φ and A v with their derivatives, and how a projection changes derivatives."""

    eom: EquationsOfMotion
    by: int
    k: int
    u: int
    rows: list[Row]

    def __init__(self, eom: EquationsOfMotion, by: Sequence[Expr]) -> None:
        robot = eom.robot
        self.eom, self.rows, self.by = eom, projected_rows(eom), len(by)
        self.k, self.u = len(eom.q), len(robot.joint_speeds)
        self.held: NDArray[np.bool_] = np.array([r.phi is None for r in self.rows])
        self.augmented: bool = is_augmented(robot)
        M = Matrix(ChosenSpeeds(robot).insert(x) for x in mass_matrix(robot.tree).rows)
        A = Matrix([r.A for r in self.rows])
        N = robot.tree.kinematic_map
        position = [r.position for r in self.rows if r.position is not None]
        rate = [dot(r.A, eom.v) for r in self.rows] if self.augmented else []
        arguments = [
            Argument("q", eom.q), Argument("v", eom.v), Argument("parameters", eom.parameters)
        ]  # fmt: skip
        entries = [*M.entries, *A.entries, *N.entries, *position, *rate]
        self._values = Kernel("projection", arguments, [entries])
        # what is constant in (3) and (4)
        moved = [
            Argument(name, tuple(internal("projection", f"{name}{j}") for j in range(count)))
            for name, count in (("delta", self.u), ("multipliers", len(self.rows)))
        ]
        delta, multipliers = (Vector(x.symbols) for x in moved)
        forces = [a - b for a, b in zip(M @ delta, A.T @ multipliers, strict=True)]
        along = list(A @ delta)
        symbols = [*eom.q, *by]
        slopes = jacobian([*forces, *along, *(N @ delta), *position, *rate], symbols)
        self._slopes = Kernel(
            "projection_slopes", [*arguments, *moved], [[e for row in slopes for e in row]]
        )

    def __call__(self, X: Floats, y: Floats, x: Floats, values: Floats) -> tuple[Floats, Floats]:
        """Derivatives and states after the projection of y, a step from x with derivatives X."""
        m, k = len(self.rows), self.k
        at = self._at(x, values)[3] * self.held
        d_held = np.zeros((len(y), m, X.shape[2]))
        if self.held.any():  # r(q₀)
            *_, by_q, _ = self._changes(x, values, np.zeros((len(y), self.u + m)))
            d_held[:, :, :k] = by_q[:, :, :k]
            d_held[:, :, X.shape[2] - self.by :] = by_q[:, :, k:]
            d_held *= self.held[:, None]
        for _ in range(CALLS):
            X, y = self._projected(*normalised(self.eom, X, y), at, d_held, values)
        return X, y

    def _projected(
        self, X: Floats, y: Floats, held: Floats, d_held: Floats, values: Floats
    ) -> tuple[Floats, Floats]:
        k, u = self.k, self.u
        M, A, N, position, rate = self._at(y, values)
        m = A.shape[1]
        K = np.zeros((len(y), u + m, u + m))
        K[:, :u, :u], K[:, :u, u:], K[:, u:, :u] = M, -np.swapaxes(A, 1, 2), A
        new, after = np.array(X), np.array(y)
        # (1) and (3)
        right = np.zeros((len(y), u + m, 1))
        right[:, u:, 0] = held - position
        move = solve(K, right)[..., 0]
        change, turn, d_position, _ = self._changes(y, values, move)
        change[:, u:] += d_position
        change = self._chained(change, X)
        change[:, u:] -= d_held
        after[:, :k] += (N @ move[:, :u, None])[..., 0]
        new[:, :k] += N @ solve(K, -change)[:, :u] + self._chained(turn, X)
        # (2) and (4)
        if self.augmented:
            right[:, u:, 0] = -rate
            move = solve(K, right)[..., 0]
            change, _, _, d_rate = self._changes(y, values, move)
            change[:, u:] += d_rate
            change = self._chained(change, X)
            change[:, u:] += A @ X[:, k:]
            after[:, k:] += move[:, :u]
            new[:, k:] += solve(K, -change)[:, :u]
        return new, after

    def _at(self, x: Floats, values: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """M, A, N, r and A v at states x."""
        count, m, k, u = len(x), len(self.rows), self.k, self.u
        out = self._values.batch(count, x[:, :k], x[:, k:], values)
        ends = np.cumsum([u * u, m * u, k * u, m])
        M, A, N, position, rate = np.split(out, ends, axis=1)
        return (
            M.reshape(count, u, u), A.reshape(count, m, u), N.reshape(count, k, u), position, rate
        )  # fmt: skip

    def _changes(
        self, x: Floats, values: Floats, move: Floats
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Derivatives by q and p of (M δ − Aᵀ λ; A δ), N δ, r and A v; `move` is (δ, λ)."""
        count, m, k, u = len(x), len(self.rows), self.k, self.u
        arrays = x[:, :k], x[:, k:], values, move[:, :u], move[:, u:]
        out = self._slopes.batch(count, *arrays)
        out = out.reshape(count, u + m + k + m + (m if self.augmented else 0), k + self.by)
        first, turn, position, rate = np.split(out, np.cumsum([u + m, k, m]), axis=1)
        return first, turn, position, rate

    def _chained(self, slopes: Floats, X: Floats) -> Floats:
        """∂/∂q dq + ∂/∂p dp"""
        result = slopes[:, :, : self.k] @ X[:, : self.k]
        if self.by:
            result[:, :, -self.by :] += slopes[:, :, self.k :]
        return result
