"""eq.lqr: linear feedback that minimises a quadratic cost, by SciPy's Riccati solvers.

    continuous   ∫ xᵀ Q x + uᵀ R u dt      K = R⁻¹ Bᵀ S
    discrete     Σ xᵀ Q x + uᵀ R u         K = (R + Bᵀ S B)⁻¹ Bᵀ S A

with S the stabilising solution of the algebraic Riccati equation, and u = −K x.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from ...basics.extras import library
from ...basics.wording import brief
from ...errors import EvaluationError, UnknownNameError
from .controllability import AXIS, near_axis, require_stabilizable, scales_by_size
from .linear_feedback import LinearFeedback
from .linear_system import LinearSystem, characteristic_rate
from .listed_names import listed_names
from .operating_point import Array

ROUNDING: Final = 1e-9


def lqr(
    lin: LinearSystem,
    Q: Any,
    R: Any = 1,
    drop: Iterable[str] = (),
    reference: Any = None,
) -> LinearFeedback:
    """Linear-quadratic regulator: feedback that minimises ∫ xᵀ Q x + uᵀ R u dt.

    For a discrete system the cost is the sum over its steps. The gain is that of ẋ = A x + B u and does
    not compensate a drift d: with one, the robot settles beside the operating point, at (B K − A)⁻¹ d to
    first order, and the feedback says so when it is printed. Linearize at an equilibrium to avoid this.

    Args:
        lin: Linear system, from `eq.linearize`.
        Q: Weights of the states: a symmetric matrix, its diagonal, one number for all, or
            {state: weight}, where the other states have weight 0.
        R: Weights of the inputs, in the same forms; each must be positive.
        drop: States to leave uncontrolled, such as the position of a robot on wheels. The rates of the
            remaining states must not depend on them.
        reference: Reference to follow, see `LinearFeedback.following`.

    Returns:
        The feedback, a controller for `eq.simulate(…, control=…)`.

    Raises:
        StabilizabilityError: The inputs do not reach some states that are not stable.
        EvaluationError: The weights have the wrong shape or sign, or no stabilising solution exists.
        UnknownNameError: A weight, `drop` or `reference` names an unknown state or input.

    >>> from equamo.motion.control.linear_system import LinearSystem
    >>> double = LinearSystem(np.array([[0., 1], [0, 0]]), np.array([[0.], [1]]), ("x", "v"), ("f",))
    >>> lqr(double, {"x": 1}).K.round(6)
    array([[1.      , 1.414214]])
    """
    if not isinstance(lin, LinearSystem):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EvaluationError(
            f"lqr: lin must be a linear system, got {brief(lin)}; make one with eq.linearize(eom)."
        )
    dropped = listed_names("lqr", "drop", drop)
    if set(lin.states) <= set(dropped):
        keep = f"keep one of {', '.join(lin.states[:8])}" if lin.states else "the system has none"
        raise EvaluationError(f"lqr needs at least one state to control; {keep}.")
    kept = lin.without(dropped) if dropped else lin
    weight = _definite("Q", weights("Q", "state", kept.states, Q, complete=False), positive=False)
    price = _definite("R", weights("R", "input", kept.inputs, R, complete=True), positive=True)
    require_stabilizable(kept, "lqr")
    _require_priced(kept, weight)
    S = _riccati(kept, weight, price)
    B = kept.B
    if lin.dt is None:
        K = np.linalg.solve(price, B.T @ S)
    else:
        K = np.linalg.solve(price + B.T @ S @ B, B.T @ S @ kept.A)
    feedback = LinearFeedback(kept, K, S)
    return feedback if reference is None else feedback.following(reference)


def _riccati(lin: LinearSystem, Q: Array, R: Array) -> Array:
    """Stabilising solution S of the Riccati equation, solved in units in which its terms are near 1.

    With x = scale · z, time in units of 1/rate, the cost in units of the largest entry of Q, and inputs
    in units in which R has the diagonal 1, results do not depend on the units of masses and lengths.
    """
    algebra = library("scipy.linalg", "lqr")
    solve = algebra.solve_continuous_are if lin.dt is None else algebra.solve_discrete_are
    scale = scales_by_size(lin)
    rate = (characteristic_rate(lin) or 1.0) if lin.dt is None else 1.0
    states = np.outer(scale, scale)
    cost = float(np.abs(Q * states).max(initial=0)) or 1.0
    inputs = np.sqrt(cost / np.diag(R))
    A, B = lin.A * scale / scale[:, None] / rate, lin.B * inputs / scale[:, None] / rate
    square = float(np.abs(B).max(initial=0)) ** 2
    try:
        if not square * square < np.inf:  # LAPACK would fail with a warning of NumPy
            raise np.linalg.LinAlgError("the weights of the inputs are too small")
        S: Array = solve(A, B, Q * states / cost, R * np.outer(inputs, inputs) / cost)
    except np.linalg.LinAlgError as error:
        raise EvaluationError(
            f"lqr: the Riccati equation could not be solved ({str(error).rstrip('.')}). Give "
            f"weights to more states, and choose weights of similar size."
        ) from error
    return S * cost / rate / states


def weights(what: str, kind: str, names: Sequence[str], entries: Any, complete: bool) -> Array:
    """Weight matrix from a number, a diagonal, a matrix or {name: weight}."""
    n = len(names)
    if isinstance(entries, Mapping):
        diagonal = np.zeros(n)
        table = {
            str(getattr(key, "name", key)): x for key, x in cast(Mapping[Any, Any], entries).items()
        }
        for name, x in table.items():
            if name not in names:
                raise UnknownNameError(kind, name, names, f"the weights {what} of lqr")
            diagonal[names.index(name)] = _weight(f"{what}[{name!r}]", x)
        missing = [x for x in names if x not in table]
        if complete and missing:
            raise EvaluationError(
                f"lqr: {what} must have a positive weight for each {kind}; missing: "
                f"{', '.join(missing)}."
            )
        return np.diag(diagonal)
    forms = (
        f"lqr: {what} must be a number, an array of shape ({n},) or ({n}, {n}), or {{name: weight}} "
        f"for the {kind}s {', '.join(names[:8])}"
    )
    try:
        array = np.asarray(entries, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # not numbers, or rows of different lengths
        raise EvaluationError(f"{forms}, got {brief(entries)}.") from None
    if array.ndim == 0:
        return np.eye(n) * float(array)
    if array.shape == (n,):
        return np.diag(array)
    if array.shape != (n, n):
        raise EvaluationError(f"{forms}, got shape {array.shape}.")
    return array


def _weight(what: str, x: Any) -> float:
    try:
        return float(x)
    except (TypeError, ValueError):
        raise EvaluationError(f"lqr: the weight {what} must be a number, got {brief(x)}.") from None


def _definite(what: str, W: Array, positive: bool) -> Array:
    """The weights made exactly symmetric; raise an error unless they are (semi)definite."""
    if not np.isfinite(W).all():
        raise EvaluationError(f"lqr: the weights {what} must be finite, got {brief(W)}.")
    size = float(np.abs(W).max(initial=0))
    if np.abs(W - W.T).max(initial=0) > ROUNDING * size:
        raise EvaluationError(
            f"lqr: the weights {what} must be a symmetric matrix, got {brief(W)}."
        )
    smallest = float(np.linalg.eigvalsh(W).min(initial=np.inf))
    if smallest < -ROUNDING * size or (positive and smallest <= np.finfo(float).eps * size):
        bound = "> 0" if positive else "≥ 0"
        raise EvaluationError(
            f"lqr: all eigenvalues of the weights {what} must be {bound}, got {smallest:.4g}."
        )
    return (W + W.T) / 2


def _require_priced(lin: LinearSystem, Q: Array) -> None:
    """Raise an error if Q ignores a mode on the stability boundary: then no optimum exists."""
    scale = scales_by_size(lin)
    poles, modes = np.linalg.eig(lin.A * scale / scale[:, None])
    limit = near_axis(poles, lin) if lin.dt is None else AXIS
    off = np.abs(np.abs(poles) - 1) if lin.dt is not None else np.abs(np.real(poles))
    Q = Q * np.outer(scale, scale)
    unit = Q / max(float(np.abs(Q).max(initial=0)), np.finfo(float).tiny)
    for pole, mode, away in zip(poles, modes.T, off, strict=True):
        if away <= limit and np.abs(unit @ mode).max(initial=0) < AXIS:
            part = [n for n, x in zip(lin.states, mode, strict=True) if abs(x) > 1e-6]
            raise EvaluationError(
                f"lqr: Q must weigh every mode that does not decay, but gives no weight to a motion of "
                f"{', '.join(part[:6])} (pole {complex(pole):.3g}). Give one of these states a weight, "
                f"or drop it."
            )
