"""Controllability: which states the inputs of a linear system reach.

The reachable space is the span of B, A B, A² B …, orthogonalised direction by direction (a staircase by
singular values); the powers of A, which differ widely in size, are never formed. Its orthogonal
complement consists of the combinations of states that no input influences.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, Final, final

import numpy as np

from ...basics.extras import library
from ...basics.wording import brief
from ...errors import EvaluationError, StabilizabilityError
from .linear_system import LinearSystem, characteristic_rate
from .operating_point import Array
from .state_chart import rate_near, state_sizes

SMALL: Final = 1e-9  # singular values below this fraction of the largest count as 0
AXIS: Final = 1e-7  # fraction of the largest pole: closer to the axis is undecided
ROUNDING: Final = 1e-13  # fraction of the largest entry: rounding error of a pole at 0
PIVOT: Final = 1e-7  # fraction of the largest entry below which a direction has no part in a state


@final
@dataclass(frozen=True, eq=False)
class Controllability:
    """Which directions of the state space the inputs reach: `rank` of `size`.

    `directions` has the unreachable ones as rows, `uncontrollable` the same combinations as text, and
    `modes` their eigenvalues.

    >>> from equamo.motion.control.linear_system import LinearSystem
    >>> carts = LinearSystem(np.diag([1.0, -2.0, 3.0]), np.array([[1.0], [0], [1]]), ("a", "b", "c"),
    ...                      ("f",))
    >>> print(controllability(carts))
    2 of 3 directions are controllable
    uncontrollable: b (pole -2)
    """

    rank: int  # number of controllable directions
    size: int  # number of states
    directions: Array  # unreachable directions, as rows
    uncontrollable: tuple[str, ...]  # the same, as text
    modes: Any  # their eigenvalues [1/s]
    stabilizable: bool  # whether these modes decay

    @property
    def controllable(self) -> bool:
        """Whether all directions are controllable."""
        return self.rank == self.size

    def __bool__(self) -> bool:
        return self.controllable

    def __str__(self) -> str:
        first = f"{self.rank} of {self.size} directions are controllable"
        if self.controllable:
            return first
        poles = ", ".join(_number(x) for x in self.modes)
        kind = "pole" if len(self.modes) == 1 else "poles"
        return f"{first}\nuncontrollable: {'; '.join(self.uncontrollable)} ({kind} {poles})"


def controllability(lin: LinearSystem, tolerance: float = SMALL) -> Controllability:
    """Reachable directions of a linear system, and the names of the states that are not reachable.

    States and inputs are scaled first, so that the result does not depend on units.

    Args:
        lin: A linear system, continuous or discrete.
        tolerance: Singular values below this fraction of the largest count as 0.

    Returns:
        A `Controllability`; it is true if all states are reachable.

    Raises:
        EvaluationError: `lin` is not a linear system.

    >>> from equamo.motion.control.linear_system import LinearSystem
    >>> bool(controllability(LinearSystem([[0, 1], [0, 0]], [[0], [1]], ["x", "v"], ["f"])))
    True
    """
    if not isinstance(lin, LinearSystem):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EvaluationError(
            f"controllability: lin must be a linear system, got {brief(lin)}; make one with "
            "eq.linearize(eom)."
        )
    if not isinstance(tolerance, Real) or not 0 <= tolerance <= 1:  # pyright: ignore
        raise EvaluationError(
            f"controllability: tolerance must be a number from 0 to 1, got {brief(tolerance)}."
        )
    n = len(lin.states)
    scale = scales_by_size(lin)  # x = scale · z
    A = lin.A * scale[None, :] / scale[:, None]
    B = lin.B / scale[:, None]
    basis = reachable(A, B, tolerance)
    rest = _complement(basis, n)  # rows w: z = w x obeys ż = w A wᵀ z for any inputs
    unforced = rest @ A @ rest.T
    modes = np.linalg.eigvals(unforced) if len(unforced) else np.zeros(0)
    modes = np.where(np.abs(modes) > ROUNDING * np.abs(A).max(initial=0), modes, 0.0)
    size = np.abs(modes) - 1 if lin.dt is not None else np.real(modes)
    rows = _reduced(rest) / scale[None, :]
    directions = rows / np.array([row[np.flatnonzero(row)[0]] for row in rows]).reshape(-1, 1)
    names = tuple(_combination(row, lin.states) for row in directions)
    stable = bool((size < -near_axis(modes, lin) - ROUNDING * np.abs(A).max(initial=0)).all())
    return Controllability(basis.shape[1], n, directions, names, modes, stable)


def scales(A: Array, B: Array) -> Array:
    """Scales of the states, by LAPACK's balancing of the whole system with all states as outputs.

    Balancing A alone does not work: the scales of a chain of integrators grow without bound.
    """
    n, m = B.shape
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:], whole[n:, :n] = A, B, 1
    algebra = library("scipy.linalg", "controllability")
    return algebra.matrix_balance(whole, permute=False, separate=True)[1][0][:n]


def scales_by_size(lin: LinearSystem) -> Array:
    """Scales of the states, by balancing the system in units of the robot: its sizes and its rate."""
    rate = characteristic_rate(lin) or 1.0
    sizes = np.ones(len(lin.states)) if lin.chart is None else state_sizes(lin.chart, rate)
    A, B = lin.A * sizes / sizes[:, None], lin.B / sizes[:, None]
    if lin.chart is None:
        return scales(A, B)
    lengths = np.linalg.norm(B, axis=0)
    return sizes * scales(A / rate if lin.dt is None else A, B / np.where(lengths > 0, lengths, 1))


def reachable(A: Array, B: Array, tolerance: float = SMALL) -> Array:
    """Orthonormal basis, in columns, of the span of B, A B, A² B …"""
    n = len(A)
    lengths = np.linalg.norm(B, axis=0)
    basis = np.zeros((n, 0))
    new = B[:, lengths > 0] / lengths[lengths > 0]  # the unit of an input must not matter
    size = 1.0
    while new.shape[1] and basis.shape[1] < n:
        for _ in range(2):  # twice is enough (Kahan)
            new = new - basis @ (basis.T @ new)
        U, s, _ = np.linalg.svd(new, full_matrices=False)
        fresh = U[:, s > tolerance * size]
        basis = np.hstack([basis, fresh])
        size = max(float(np.linalg.norm(A, 2)), np.finfo(float).tiny)
        new = A @ fresh
    return basis[:, :n]


def near_axis(poles: Any, lin: LinearSystem) -> float:
    """Distance from the imaginary axis, or the unit circle, below which stability is undecided."""
    of_robot = 0.0 if lin.chart is None else rate_near(lin.chart)
    own = of_robot if lin.dt is None else 1.0
    return AXIS * float(np.abs(poles).max(initial=own))


def require_stabilizable(lin: LinearSystem, function: str) -> None:
    """Raise an error that names the unstable states that the inputs do not reach."""
    result = controllability(lin)
    if result.stabilizable:
        return
    unreached = "; ".join(result.uncontrollable[:6])
    poles = ", ".join(_number(x) for x in result.modes[:6])
    raise StabilizabilityError(
        f"{function}: the system must be stabilizable, but the inputs {', '.join(lin.inputs[:6])} do "
        f"not reach {unreached}, which is not stable (poles {poles}). Leave states out with "
        f"drop=[…], or choose others with lin.in_terms_of({{name: expression}})."
    )


def _complement(basis: Array, n: int) -> Array:
    """Orthonormal basis, in rows, of the orthogonal complement of the columns."""
    if basis.shape[1] == 0:
        return np.eye(n)
    U, _, _ = np.linalg.svd(basis, full_matrices=True)
    return U[:, basis.shape[1] :].T


def _reduced(rows: Array) -> Array:
    """Reduced row echelon form: the same row space, in the form that is shortest to read."""
    rows = rows.copy()
    done = 0
    for column in range(rows.shape[1]):
        if done == len(rows):
            break
        pivot = done + int(np.abs(rows[done:, column]).argmax())
        if abs(rows[pivot, column]) < PIVOT * np.abs(rows).max():
            continue
        rows[[done, pivot]] = rows[[pivot, done]]
        rows[done] /= rows[done, column]
        for i in range(len(rows)):
            if i != done:
                rows[i] -= rows[i, column] * rows[done]
        done += 1
    rows[np.abs(rows) < SMALL] = 0
    return rows


def _combination(row: Array, states: tuple[str, ...]) -> str:
    text = ""
    for c, name in zip(row, states, strict=True):
        if c == 0:
            continue
        sign = ("-" if c < 0 else "") if not text else (" - " if c < 0 else " + ")
        text += sign + (name if np.isclose(abs(c), 1) else f"{abs(c):.4g}*{name}")
    return text


def _number(x: Any) -> str:
    number = complex(x)
    real = number.real if abs(number.real) > SMALL * abs(number) else 0.0
    if abs(number.imag) <= SMALL * abs(number):
        return f"{real:.4g}"
    return f"{real:.4g}{number.imag:+.4g}j"
