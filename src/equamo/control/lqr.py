"""eq.lqr: the linear feedback that minimises a quadratic cost, by SciPy's Riccati solvers.

    continuous   ∫ xᵀ Q x + uᵀ R u dt      K = R⁻¹ Bᵀ S
    discrete     Σ xᵀ Q x + uᵀ R u         K = (R + Bᵀ S B)⁻¹ Bᵀ S A

with S the stabilising solution of the algebraic Riccati equation, and u = −K x.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from ..errors import EvaluationError, UnknownNameError
from ..wording import brief
from .controllability import AXIS, near_axis, require_stabilizable
from .linear_feedback import LinearFeedback
from .linear_system import LinearSystem
from .operating_point import Array

ROUNDING: Final = 1e-9


def lqr(
    lin: LinearSystem,
    Q: Any,
    R: Any = 1,
    drop: Iterable[str] = (),
    reference: Any = None,
) -> LinearFeedback:
    """The feedback that minimises ∫ xᵀ Q x + uᵀ R u dt; of a discrete system the sum over its steps.

    `Q`, `R`: a symmetric matrix, the diagonal, one number for all, or {name: weight} (states that are
    not named in Q have the weight 0; R names every input). `drop`: states that are left alone, such as
    the position of a robot on wheels; nothing that is kept may depend on them. `reference`: what to
    follow, see `LinearFeedback.following`. States that the inputs do not reach and that do not settle by
    themselves are an error that names them.

    >>> from equamo.control.linear_system import LinearSystem
    >>> double = LinearSystem(np.array([[0., 1], [0, 0]]), np.array([[0.], [1]]), ("x", "v"), ("f",))
    >>> lqr(double, {"x": 1}).K.round(6)
    array([[1.      , 1.414214]])
    """
    import scipy.linalg

    if not isinstance(lin, LinearSystem):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EvaluationError(
            f"lqr() takes a linear system, not {brief(lin)}; make one with eq.linearize(eom)."
        )
    gone = [drop] if isinstance(drop, str) else list(drop)
    if set(lin.states) <= set(gone):
        keep = f"keep one of {', '.join(lin.states[:8])}" if lin.states else "the system has none"
        raise EvaluationError(f"lqr: there is no state to control; {keep}.")
    kept = lin.without(gone) if gone else lin
    weight = _definite("Q", weights("Q", "state", kept.states, Q, complete=False), positive=False)
    price = _definite("R", weights("R", "input", kept.inputs, R, complete=True), positive=True)
    require_stabilizable(kept, "lqr")
    _require_priced(kept, weight)
    algebra: Any = scipy.linalg
    solve = algebra.solve_continuous_are if lin.dt is None else algebra.solve_discrete_are
    try:
        S: Array = solve(kept.A, kept.B, weight, price)
    except np.linalg.LinAlgError as error:
        raise EvaluationError(
            f"lqr: the Riccati equation has no stabilising solution that can be computed ({error}). "
            f"Give weights to more states, and scale them to what matters."
        ) from error
    B = kept.B
    if lin.dt is None:
        K = np.linalg.solve(price, B.T @ S)
    else:
        K = np.linalg.solve(price + B.T @ S @ B, B.T @ S @ kept.A)
    feedback = LinearFeedback(kept, K, S)
    return feedback if reference is None else feedback.following(reference)


def weights(what: str, kind: str, names: Sequence[str], given: Any, complete: bool) -> Array:
    """A weight matrix from a number, a diagonal, a matrix or {name: weight}."""
    n = len(names)
    if isinstance(given, Mapping):
        diagonal = np.zeros(n)
        table = {
            str(getattr(key, "name", key)): x for key, x in cast(Mapping[Any, Any], given).items()
        }
        for name, x in table.items():
            if name not in names:
                raise UnknownNameError(kind, name, names, f"the weights {what} of lqr")
            diagonal[names.index(name)] = _weight(f"{what}[{name!r}]", x)
        missing = [x for x in names if x not in table]
        if complete and missing:
            raise EvaluationError(
                f"lqr: {what} has no weight for {', '.join(missing)}; every {kind} has a positive one."
            )
        return np.diag(diagonal)
    wanted = (
        f"lqr: {what} weighs {n} {kind}s ({', '.join(names[:8])}): a number, ({n},), ({n}, {n}) or "
        f"{{name: weight}}"
    )
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):  # no numbers, or rows of different lengths
        raise EvaluationError(f"{wanted}, not {brief(given)}.") from None
    if array.ndim == 0:
        return np.eye(n) * float(array)
    if array.shape == (n,):
        return np.diag(array)
    if array.shape != (n, n):
        raise EvaluationError(f"{wanted}, not of shape {array.shape}.")
    return array


def _weight(what: str, x: Any) -> float:
    try:
        return float(x)
    except (TypeError, ValueError):
        raise EvaluationError(f"lqr: the weight {what} is a number, not {brief(x)}.") from None


def _definite(what: str, W: Array, positive: bool) -> Array:
    """The weights, exactly symmetric, if they are finite, symmetric and not negative (or positive)."""
    if not np.isfinite(W).all():
        raise EvaluationError(f"lqr: the weights {what} are finite numbers.")
    size = float(np.abs(W).max(initial=0))
    if np.abs(W - W.T).max(initial=0) > ROUNDING * size:
        raise EvaluationError(f"lqr: the weights {what} are a symmetric matrix.")
    smallest = float(np.linalg.eigvalsh(W).min(initial=np.inf))
    if smallest < -ROUNDING * size or (positive and smallest <= np.finfo(float).eps * size):
        kind = "positive" if positive else "not negative"
        raise EvaluationError(
            f"lqr: the weights {what} are {kind} (all eigenvalues); one is {smallest:.4g}."
        )
    return (W + W.T) / 2


def _require_priced(lin: LinearSystem, Q: Array) -> None:
    """Motion that neither grows nor settles must cost something, or no feedback minimises the cost."""
    poles, modes = np.linalg.eig(lin.A)
    limit = near_axis(poles) if lin.dt is None else AXIS
    off = np.abs(np.abs(poles) - 1) if lin.dt is not None else np.abs(np.real(poles))
    unit = Q / max(float(np.abs(Q).max(initial=0)), np.finfo(float).tiny)
    for pole, mode, away in zip(poles, modes.T, off, strict=True):
        if away <= limit and np.abs(unit @ mode).max(initial=0) < AXIS:
            part = [n for n, x in zip(lin.states, mode, strict=True) if abs(x) > 1e-6]
            raise EvaluationError(
                f"lqr: Q gives no weight to a motion of {', '.join(part[:6])} that does not settle by "
                f"itself (pole {complex(pole):.3g}). Give one of these states a weight, or drop it."
            )
