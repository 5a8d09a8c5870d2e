"""Controllability: which states the inputs of a linear system reach.

The reachable space is built direction by direction, B, A B, A² B … orthogonalised as it grows (a
staircase by singular values); the powers of A themselves, of very different size, are never formed. What
is orthogonal to it is a combination of states that goes its own way whatever the inputs do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from ..errors import EvaluationError, StabilizabilityError
from ..wording import brief
from .linear_system import LinearSystem
from .operating_point import Array

SMALL: Final = 1e-9  # singular values below this part of the largest are taken for 0
AXIS: Final = 1e-7  # of the largest pole, or of 1 1/s: so near to the axis a pole is not decided
ROUNDING: Final = 1e-13  # of the largest entry: what a pole at 0 may be computed as


@final
@dataclass(frozen=True, eq=False)
class Controllability:
    """`rank` of `size` directions are reached; `directions` are those that are not, as rows.

    `modes` are the eigenvalues of what is not reached; `uncontrollable` are its combinations in words.

    >>> from equamo.control.linear_system import LinearSystem
    >>> carts = LinearSystem(np.diag([1.0, -2.0, 3.0]), np.array([[1.0], [0], [1]]), ("a", "b", "c"),
    ...                      ("f",))
    >>> print(controllability(carts))
    2 of 3 directions are controllable
    not: b (pole -2)
    """

    rank: int
    size: int
    directions: Array
    uncontrollable: tuple[str, ...]
    modes: Any
    stabilizable: bool

    @property
    def controllable(self) -> bool:
        return self.rank == self.size

    def __bool__(self) -> bool:
        return self.controllable

    def __str__(self) -> str:
        first = f"{self.rank} of {self.size} directions are controllable"
        if self.controllable:
            return first
        poles = ", ".join(_number(x) for x in self.modes)
        kind = "pole" if len(self.modes) == 1 else "poles"
        return f"{first}\nnot: {'; '.join(self.uncontrollable)} ({kind} {poles})"


def controllability(lin: LinearSystem, tolerance: float = SMALL) -> Controllability:
    """The reachable directions of a linear system, and the states that are not reached, by name.

    States and inputs are scaled first, so that units do not decide.
    """
    if not isinstance(lin, LinearSystem):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EvaluationError(
            f"controllability() takes a linear system, not {brief(lin)}; make one with "
            "eq.linearize(eom)."
        )
    n = len(lin.states)
    scale = scales(lin.A, lin.B)  # x = scale · z
    A = lin.A * scale[None, :] / scale[:, None]
    B = lin.B / scale[:, None]
    basis = reachable(A, B, tolerance)
    rest = _complement(basis, n)  # rows w: ż = w A wᵀ z for z = w x, whatever the inputs
    own = rest @ A @ rest.T
    modes = np.linalg.eigvals(own) if len(own) else np.zeros(0)
    size = np.abs(modes) - 1 if lin.dt is not None else np.real(modes)
    directions = _reduced(rest / scale[None, :])
    names = tuple(_combination(row, lin.states) for row in directions)
    stable = bool((size < -near_axis(modes) - ROUNDING * np.abs(A).max(initial=0)).all())
    return Controllability(basis.shape[1], n, directions, names, modes, stable)


def scales(A: Array, B: Array) -> Array:
    """Sizes of the states, by LAPACK's balancing of the whole system with all states as outputs.

    A alone will not do: balanced, a chain of integrators goes to sizes without bound.
    """
    import scipy.linalg

    n, m = B.shape
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:], whole[n:, :n] = A, B, 1
    algebra: Any = scipy.linalg
    return algebra.matrix_balance(whole, permute=False, separate=True)[1][0][:n]


def reachable(A: Array, B: Array, tolerance: float = SMALL) -> Array:
    """An orthonormal basis, in columns, of the space of B, A B, A² B …"""
    n = len(A)
    lengths = np.linalg.norm(B, axis=0)
    found = np.zeros((n, 0))
    new = B[:, lengths > 0] / lengths[lengths > 0]  # an input's unit decides nothing
    size = 1.0
    while new.shape[1] and found.shape[1] < n:
        for _ in range(2):  # twice is enough (Kahan)
            new = new - found @ (found.T @ new)
        U, s, _ = np.linalg.svd(new, full_matrices=False)
        fresh = U[:, s > tolerance * size]
        found = np.hstack([found, fresh])
        size = max(float(np.linalg.norm(A, 2)), np.finfo(float).tiny)
        new = A @ fresh
    return found[:, :n]


def near_axis(poles: Any) -> float:
    """How far from the axis, or the circle, a pole of a system is neither stable nor unstable."""
    return AXIS * float(np.abs(poles).max(initial=1))


def require_stabilizable(lin: LinearSystem, function: str) -> None:
    """An error names the states that the inputs do not reach and that do not settle by themselves."""
    found = controllability(lin)
    if found.stabilizable:
        return
    shown = "; ".join(found.uncontrollable[:6])
    poles = ", ".join(_number(x) for x in found.modes[:6])
    raise StabilizabilityError(
        f"{function}: the inputs {', '.join(lin.inputs[:6])} do not reach {shown}, which does not "
        f"settle by itself (poles {poles}). Leave states out of it with drop=[…], or choose others "
        f"with lin.in_terms_of({{name: expression}})."
    )


def _complement(basis: Array, n: int) -> Array:
    """Rows: an orthonormal basis of what is orthogonal to the columns."""
    if basis.shape[1] == 0:
        return np.eye(n)
    U, _, _ = np.linalg.svd(basis, full_matrices=True)
    return U[:, basis.shape[1] :].T


def _reduced(rows: Array) -> Array:
    """The same space of rows, each led by a 1 of its own: the shortest to read."""
    rows = rows.copy()
    done = 0
    for column in range(rows.shape[1]):
        if done == len(rows):
            break
        pivot = done + int(np.abs(rows[done:, column]).argmax())
        if abs(rows[pivot, column]) < 1e-7 * np.abs(rows).max():
            continue
        rows[[done, pivot]] = rows[[pivot, done]]
        rows[done] /= rows[done, column]
        for i in range(len(rows)):
            if i != done:
                rows[i] -= rows[i, column] * rows[done]
        done += 1
    rows[np.abs(rows) < 1e-9] = 0
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
    real = number.real if abs(number.real) > 1e-9 else 0.0
    if abs(number.imag) < 1e-9:
        return f"{real:.4g}"
    return f"{real:.4g}{number.imag:+.4g}j"
