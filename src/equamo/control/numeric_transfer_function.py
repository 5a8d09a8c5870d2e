"""Transfer function of a linear system in numbers.

Uncontrollable and unobservable states are removed first, so that no
almost equal poles and zeros remain. With the reduced A, b and c:

    (1) y/u = (det(s 1 − A + b c) − det(s 1 − A)) / det(s 1 − A)

A coefficient smaller than its rounding error is set to 0. Its scale is that of the poles: the
coefficient of s^(n−k) is at most (n over k) ω^k, with ω the largest pole.
"""

from __future__ import annotations

from math import comb
from typing import Any, Final

from ..arguments import is_one_of
from ..arrays import np
from ..errors import UnknownNameError
from ..expr import ONE, Expr, as_expr
from .controllability import reachable, scales
from .linear_system import LinearSystem
from .operating_point import Array
from .transfer_function import TransferFunction

ROUNDING: Final = 1e-11  # fraction of its bound below which a coefficient is 0


def numeric_transfer_function(lin: LinearSystem, source: str, output: Any) -> TransferFunction:
    """Transfer function from an input to an output; see `LinearSystem.transfer_function`."""
    if not is_one_of(source, lin.inputs):
        raise UnknownNameError("input", source, lin.inputs, "the linear system")
    name = output if isinstance(output, str) else str(as_expr(output))
    A, b, c = _minimal(lin, lin.B[:, [lin.inputs.index(source)]], _row(lin, output))
    if not len(A):
        return TransferFunction((), (ONE,), source, name)
    below: Array = np.poly(A)
    above: Array = np.poly(A - b @ c) - below
    poles = np.linalg.eigvals(A)
    size = max(float(np.abs(poles).max()), float(np.abs(np.linalg.eigvals(A - b @ c)).max()))
    bound = np.array([comb(len(A), k) * size**k for k in range(len(A) + 1)])
    bound[0] = 1
    top = np.where(np.abs(above) > ROUNDING * bound, above, 0.0)
    bottom = np.where(np.abs(below) > ROUNDING * bound, below, 0.0)
    first = int(np.argmax(top != 0))
    return TransferFunction(_exact(top[first:]), _exact(bottom), source, name)


def _row(lin: LinearSystem, output: Any) -> Array:
    """Row C with y = C x."""
    if isinstance(output, str) and output in lin.states:
        return np.eye(len(lin.states))[[lin.states.index(output)]]
    if lin.chart is None:
        raise UnknownNameError("state", output, lin.states, "the linear system")
    return lin.chart.gradient(output)[None, :]


def _minimal(lin: LinearSystem, b: Array, c: Array) -> tuple[Array, Array, Array]:
    """A, b and c in the states between input and output."""
    scale = scales(lin.A, lin.B)  # x = scale · z
    A, b, c = lin.A * scale[None, :] / scale[:, None], b / scale[:, None], c * scale[None, :]
    Q = reachable(A, b)
    A, b, c = Q.T @ A @ Q, Q.T @ b, c @ Q
    P = reachable(A.T, c.T)
    A, b, c = P.T @ A @ P, P.T @ b, c @ P
    # scale both to the same size, for the difference in (1)
    above, below = np.linalg.norm(b), np.linalg.norm(c)
    if not above or not below:
        return np.zeros((0, 0)), b, c
    return A, b, c


def _exact(numbers: Array) -> tuple[Expr, ...]:
    return tuple(as_expr(float(x)) for x in numbers)
