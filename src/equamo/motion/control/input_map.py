"""Inputs that produce given generalized forces: B u = τ in chosen rows and for chosen inputs.

With more inputs than rows, the smallest inputs are used:

    (1) u = B⁻¹ τ               as many inputs as rows
    (2) u = Bᵀ (B Bᵀ)⁻¹ τ       more inputs than rows

B may depend on coordinates and parameters, so that expressions of u contain them. At a singular
configuration, such as the dead centre of a cylinder, no inputs produce τ in general: numbers are refused
there, and expressions divide by zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, final

import numpy as np

from ...algebra.expr import ZERO, Expr, symbol
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import Vector, dot
from ...algebra.expr.walk import symbols as symbols_of
from ...algebra.identity.block_elimination import solve_in_blocks
from ...algebra.identity.rank import field_matrices, rank
from ...code.jit.compiled import Compiled, compile
from ...errors import EvaluationError
from ...mechanics.equations.equations import EquationsOfMotion
from .operating_point import Array

UNSOLVED: Final = 1e-9  # fraction of a generalized force that inputs may leave unbalanced


@final
class InputMap:
    """Map from generalized forces in `rows` to the inputs `used`, in numbers and as expressions."""

    place: str
    eom: EquationsOfMotion
    rows: list[int]
    used: list[int]

    def __init__(
        self,
        place: str,
        eom: EquationsOfMotion,
        rows: Sequence[int],
        used: Sequence[int],
        values: Mapping[str, float],
    ) -> None:
        self.place, self.eom = place, eom
        self.rows, self.used = list(rows), list(used)
        self._values = dict(values)
        self._fast: Compiled = compile(eom)
        self._options: dict[str, Any] = {"values": self._values} if values else {}

    # -- numbers ---------------------------------------------------------------------------------------
    def inputs(self, q: Array, tau: Array) -> Array:
        """All inputs for generalized forces τ of all rows; those that are not used are 0.

        Raises:
            EvaluationError: No inputs produce τ at q.
        """
        B: Array = self._at(q) if self._varies else self._constant
        right = tau[self.rows]
        result = np.zeros(len(self.eom.inputs))
        result[self.used] = self._solved(B, right)
        left = B @ result[self.used]
        size = np.abs(B) @ np.abs(result[self.used]) + np.abs(right)
        met: list[bool] = (np.abs(left - right) <= UNSOLVED * size).tolist()
        if not all(met):
            speeds = [s.name for s in self.eom.v]
            unmet = [speeds[i] for i, ok in zip(self.rows, met, strict=True) if not ok]
            names = ", ".join(unmet[:8])
            raise EvaluationError(
                f"{self.place}: the configuration must not be singular for the inputs of robot "
                f"{self.eom.robot.name!r}, but no inputs balance the equations of {names} at "
                f"{state_text(self.eom, q)}."
            )
        return result

    def _solved(self, B: Array, tau: Array) -> Array:
        """(1) or (2); rows and columns are scaled, so that their units do not decide on the rank."""
        if not B.size:
            return np.zeros(len(B.T))
        rows = _scale(np.abs(B).max(axis=1))
        columns = np.ones(B.shape[1])
        if B.shape[0] == B.shape[1]:  # otherwise other columns have other smallest inputs
            columns = _scale(np.abs(B / rows[:, None]).max(axis=0))
        scaled = B / rows[:, None] / columns
        solution: Array = least_squares(scaled, tau / rows)
        return solution / columns

    def _at(self, q: Array) -> Array:
        B: Array = self._fast.input_matrix(q, **self._options)
        return B.reshape(len(self.eom.v), -1)[np.ix_(self.rows, self.used)]

    @cached_property
    def _varies(self) -> bool:
        return bool(set(symbols_of(self.matrix.entries)) & set(self.eom.q))

    @cached_property
    def _constant(self) -> Array:
        return self._at(np.array(self.eom.robot.state_space.q.numbers, dtype=np.float64))

    # -- expressions -----------------------------------------------------------------------------------
    @cached_property
    def matrix(self) -> Matrix:
        """B of these rows and inputs."""
        return block(self.eom, self.rows, self.used)

    def expressions(self, tau: Sequence[Expr]) -> Vector:
        """All inputs for generalized forces τ of all rows, as expressions."""
        names = [s.name for s in self.eom.inputs]
        right = [tau[i] for i in self.rows]
        by_input = {
            k: dot(row, right) for k, row in zip(self.used, self._inverse.rows, strict=True)
        }
        return Vector([by_input.get(k, ZERO) for k in range(len(names))], names)

    @cached_property
    def _inverse(self) -> Matrix:
        B, unit = self.matrix, self.eom.robot.unit_groups
        n, m = B.shape
        if n == m:
            return solve_in_blocks(B, identity(n), unit)  # (1)
        return B.T @ solve_in_blocks(B @ B.T, identity(n), unit)  # (2)


def least_squares(A: Array, b: Array) -> Array:
    """Smallest x with the smallest A x − b."""
    x: Any = np.linalg.lstsq(A, b, rcond=None)[0]
    return x


def block(eom: EquationsOfMotion, rows: Sequence[int], used: Sequence[int]) -> Matrix:
    """B of some rows and inputs."""
    B = eom.input_matrix
    names = B.column_names or ()
    return Matrix(
        [[B[i, k] for k in used] for i in rows],
        [eom.v[i].name for i in rows],
        [names[k] for k in used],
    )


def driven_rows(eom: EquationsOfMotion, used: Sequence[int]) -> list[int]:
    """Rows of the equations in which some of the inputs act, at all configurations but special ones."""
    if not used:
        return []
    n = range(len(eom.v))
    nonzero = field_matrices(block(eom, n, used), 1, eom.robot.unit_groups)[0][1]
    return [i for i, row in zip(n, nonzero, strict=True) if any(row)]


def reached(eom: EquationsOfMotion, matrix: Matrix, values: Mapping[str, float]) -> int:
    """Rank of an input matrix for values of parameters, at all configurations but special ones."""
    if not all(matrix.shape):
        return 0
    numbers = {n: x for n, x in {**eom.robot.values, **values}.items() if x is not None}
    inserted = matrix.subs({symbol(n): x for n, x in numbers.items()})
    return rank(inserted, eom.robot.unit_groups)


def without_loads(eom: EquationsOfMotion, entries: Vector, values: Mapping[str, float]) -> Vector:
    """Expressions without external loads, which a controller does not know, and with given values."""
    known: dict[Expr, Any] = dict.fromkeys(eom.external, ZERO)
    return entries.subs(known | {symbol(n): x for n, x in values.items()})


def state_text(eom: EquationsOfMotion, q: Array) -> str:
    """Coordinates by name, at most 8."""
    pairs = zip([s.name for s in eom.q][:8], q.tolist(), strict=False)
    return ", ".join(f"{n} = {x:.6g}" for n, x in pairs) + " …" * (len(q) > 8)


def _scale(largest: Array) -> Array:
    return np.where(largest > 0, largest, 1.0)
