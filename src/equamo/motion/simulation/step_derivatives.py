"""Derivatives of one step of a fixed-step method, stage by stage.

f = (q̇, v̇) is differentiated with every coordinate as an independent number, because a stage may
leave the unit quaternions. X' is the derivative of the state after the step by x, inputs and parameters:

    rk4                   K_i = f_x (X + c_i h K_{i−1}) + f_z,   X' = X + h/6 (K_1 + 2 K_2 + 2 K_3 + K_4)
    semi_implicit_euler   V' = V + h v̇_z,   Q' = Q + h (∂(N v)/∂q Q + N V')
    implicit_midpoint     its equations differentiated at the middle point that the machine code returns

No equation of a step is solved again: another iteration may find another solution, or one where the
step has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...algebra.expr.differentiate import directional, jacobian
from ...algebra.expr.vector import Vector
from ...code.ir.functions import functions
from ...code.ir.program import Argument
from ...code.jit.kernel import Kernel
from ...mechanics.equations.equations import EquationsOfMotion
from .conditions import Conditions

Floats = NDArray[np.float64]


@final
class Stages:
    """f and its derivatives in machine code, and how the methods use them.

    Every method returns (X', x'): the derivative of the state after the step, (N, d, d + m + p), and the
    state itself, before quaternions are normalised. `variant` is the index of the variant of f that the
    machine code of the step uses; None if all variants are the same function.
    """

    eom: EquationsOfMotion
    by: tuple[Expr, ...]
    given: Conditions
    count: Any
    size: Any
    k: int
    columns: Any

    def __init__(
        self, eom: EquationsOfMotion, by: tuple[Expr, ...], given: Conditions, variant: int | None
    ) -> None:
        self.eom, self.by, self.given = eom, by, given
        self.count, self.size = given.initial.shape
        self.k, self.columns = len(eom.q), self.size + len(eom.inputs) + len(by)
        symbols = (("q", eom.q), ("v", eom.v), ("inputs", eom.inputs), ("external", eom.external))
        self.arguments: list[Argument] = [
            *(Argument(*x) for x in symbols),
            Argument("parameters", eom.parameters),
        ]
        names = [s.name for s in eom.parameters]
        variants = [list(way) for way in self._made("state_derivative")]
        self.table: list[list[Expr]] = variants if variant is None else [variants[variant]]
        read = {s.name for way in self.table for e in way for s in e.symbols()}
        given.parameters([n for n in names if n in read], numeric=False)  # an error without a value
        self.numbers: NDArray[Any] = np.nan_to_num(given.values)

    # -- functions -------------------------------------------------------------------------------------
    def _made(self, name: str) -> list[Any]:
        """Expressions of a function as computed by programs, for each alternative"""
        return [way() for way in functions(self.eom)[name].ways]

    def _kernel(self, name: str, ways: Sequence[Sequence[Expr]]) -> Kernel:
        """Values, then derivatives by q, v, inputs and parameters, row by row."""
        symbols = [*self.eom.q, *self.eom.v, *self.eom.inputs, *self.by]
        with_slopes = [[*way, *(e for row in jacobian(way, symbols) for e in row)] for way in ways]
        return Kernel(name, self.arguments, with_slopes)

    def _at(self, kernel: Kernel, x: Floats) -> tuple[Floats, Floats]:
        """Values (N, r) and derivatives (N, r, columns) at states x."""
        inputs = self.given.inputs[:, 0]
        arrays = x[:, : self.k], x[:, self.k :], inputs, self.given.external, self.numbers
        out = kernel.batch(self.count, *(np.asarray(a) for a in arrays))
        rows = kernel.size // (self.columns + 1)
        return out[:, :rows], out[:, rows:].reshape(self.count, rows, self.columns)

    def _start(self) -> Floats:
        """∂x/∂(x, inputs, parameters)"""
        return np.broadcast_to(
            np.eye(self.size, self.columns), (self.count, self.size, self.columns)
        )

    def _chained(self, slopes: Floats, X: Floats) -> Floats:
        """f_x X + f_z"""
        d = self.size
        result = slopes[:, :, :d] @ X
        result[:, :, d:] += slopes[:, :, d:]
        return result

    # -- methods ---------------------------------------------------------------------------------------
    def rk4(self, x: Floats, h: float) -> tuple[Floats, Floats]:
        f, X = self._kernel("state_derivative_and_slopes", self.table), self._start()
        after, total = x.copy(), np.array(X)
        k, K = np.zeros_like(x), np.zeros_like(total)
        for part, weight in ((0.0, 1), (0.5, 2), (0.5, 2), (1.0, 1)):
            k, slopes = self._at(f, x + part * h * k)
            K = self._chained(slopes, X + part * h * K)
            after, total = after + h * weight / 6 * k, total + h * weight / 6 * K
        return total, after

    def semi_implicit_euler(self, x: Floats, h: float) -> tuple[Floats, Floats]:
        n, X = self.k, np.array(self._start())
        accelerations = [way[n:] for way in self.table]
        vdot, slopes = self._at(self._kernel("acceleration_and_slopes", accelerations), x)
        V = X[:, n:] + h * self._chained(slopes, X)
        v = x[:, n:] + h * vdot
        middle, mixed = np.hstack([x[:, :n], v]), np.concatenate([X[:, :n], V], axis=1)
        rates, slopes = self._at(self._rates(), middle)
        Q = X[:, :n] + h * self._chained(slopes, mixed)
        return np.concatenate([Q, V], axis=1), np.hstack([x[:, :n] + h * rates, v])

    def implicit_midpoint(self, x: Floats, h: float, middle: Floats) -> tuple[Floats, Floats]:
        """q_m = q + h/2 N v_m,  p(q_m, v_m) = p(q, v) + h/2 ṗ,  then q' and p(q', v') = p + h ṗ"""
        eom, d, n = self.eom, self.size, self.k
        momentum = self._made("mass_matrix")[0] @ Vector(eom.v)
        along = dict(zip(eom.q, eom.kinematic_map @ Vector(eom.v), strict=True))
        still = self._made("inverse_dynamics")[0].subs(dict.fromkeys(eom.vdot, 0))
        force = eom.input_matrix @ Vector(eom.inputs) - still
        pdot = [a + b for a, b in zip(force, directional(momentum, along), strict=True)]
        # x → (q, p) and x → (q̇, ṗ)
        place = self._kernel("momentum_and_slopes", [[*eom.q, *momentum]])
        flow = self._kernel("momentum_rate_and_slopes", [[*along.values(), *pdot]])
        y, Y = self._at(place, x)
        rate, slopes = self._at(flow, middle)
        _, at_middle = self._at(place, middle)
        # (place_x − h/2 flow_x) X_m = Y + h/2 flow_z − place_z
        left = at_middle[:, :, :d] - h / 2 * slopes[:, :, :d]
        right = np.array(Y)
        right[:, :, d:] += h / 2 * slopes[:, :, d:] - at_middle[:, :, d:]
        X_m = solve(left, right)
        end = y + h * rate
        E = Y + h * self._chained(slopes, X_m)
        # p is linear in v: v' = v_m + M(q')⁻¹ (p' − M(q') v_m)
        after = np.hstack([end[:, :n], middle[:, n:]])
        value, at_end = self._at(place, after)
        after[:, n:] += solve(at_end[:, n:, n:d], (end - value)[:, n:, None])[..., 0]
        _, at_end = self._at(place, after)
        E[:, :, d:] -= at_end[:, :, d:]
        return solve(at_end[:, :, :d], E), after

    def _rates(self) -> Kernel:
        rates = self.eom.kinematic_map @ Vector(self.eom.v)
        return self._kernel("rates_and_slopes", [list(rates)])


def normalised(eom: EquationsOfMotion, X: Floats, x: Floats) -> tuple[Floats, Floats]:
    """Divide quaternions by their length: ∂(a/|a|) = (1 − â âᵀ)/|a|"""
    X, x = np.array(X), np.array(x)
    for group in eom.robot.state_space.quaternions:
        part = list(group)
        length = np.linalg.norm(x[:, part], axis=1)[:, None]
        unit = x[:, part] / length
        along = unit[:, None, :] @ X[:, part]
        X[:, part] = (X[:, part] - unit[:, :, None] * along) / length[:, :, None]
        x[:, part] = unit
    return X, x


def solve(A: Floats, b: Floats) -> Floats:
    """A⁻¹ b of each state, (N, r, c); NaN if A is singular."""
    with suppress(np.linalg.LinAlgError):
        return np.asarray(np.linalg.solve(A, b), np.float64)
    result = np.full(b.shape, np.nan)
    for k in range(len(A)):
        with suppress(np.linalg.LinAlgError):
            result[k] = np.linalg.solve(A[k], b[k])
    return result
