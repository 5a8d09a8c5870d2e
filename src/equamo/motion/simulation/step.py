"""`fast.step` and `fast.step_derivatives`: one step of a fixed-step method, and its derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr, symbol
from ...basics.wording import brief
from ...code.jit.compiled import Compiled
from ...code.steps import method_named
from ...errors import DivergenceError, EquamoError, EvaluationError, UnknownNameError
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.state_reader import Array, Reader, batch_size
from ...robot.model.arguments import number
from ...robot.model.wrt import Wrt, check_wrt
from .closed_state import projected_rows
from .conditions import Conditions
from .fixed_step import variant_used
from .rollout import Broken, diverged, plan_of, run_batch, state_text
from .step_derivatives import Stages, normalised
from .step_projection import StepProjection

Floats = NDArray[np.float64]


def step(
    fast: Compiled,
    q: Any,
    v: Any,
    inputs: Any = None,
    *,
    dt: float,
    method: str = "rk4",
    values: Any = None,
    external: Any = None,
) -> tuple[Floats, Floats]:
    """State after one step of a fixed-step method, with constant inputs.

    With loops or sticking contacts, the initial state must satisfy them, and the result is projected.

    Args:
        fast: Compiled functions; as a method, `fast.step(q, v, …)`.
        q: Coordinates, (k,) or (N, k).
        v: Speeds, (n,) or (N, n).
        inputs: Inputs, (m,) or (N, m); by default those of `robot.home`.
        dt: Step [s].
        method: "rk4", "semi_implicit_euler" or "implicit_midpoint".
        values: {parameter: number} for parameters that differ from the defaults.
        external: Wrenches of external loads, by default 0.

    Returns:
        (q, v) after the step.

    Raises:
        DivergenceError: The state after the step of a single state is not finite; in a batch it is NaN.
        EvaluationError: An argument has the wrong shape or value.
        UnknownNameError: An argument contains an unknown name.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.jit.compiled import compile
    >>> from equamo.robot.library import load
    >>> q, v = step(compile(derive(load("rr_arm"))), [0, 0], [1, 0], dt=0.01)
    >>> q.round(4).tolist()
    [0.0094, 0.0008]
    """
    name, h = method_named(method, "step").name, _time(dt)
    given = _read("step", fast.eom, q, v, inputs, values, external)
    states, broken, _ = run_batch(given, name, (0.0, h), (1, 1), fast.options)
    if given.single and broken:
        raise diverged(broken[0], name, "step", given)
    after = states[0, 1] if given.single else states[:, 1]
    n = len(fast.eom.q)
    return after[..., :n], after[..., n:]


def step_derivatives(
    fast: Compiled,
    q: Any,
    v: Any,
    inputs: Any = None,
    *,
    dt: float,
    method: str = "rk4",
    by: Sequence[str | Expr] = (),
    wrt: Wrt = "tangent",
    values: Any = None,
    external: Any = None,
) -> tuple[Floats, Floats, Floats]:
    """Derivatives of `step` with respect to the state, the inputs and parameters.

    They are those of the state that `step` returns: for an implicit method, of the same solution of its
    equations.

    Args:
        fast: Compiled functions; as a method, `fast.step_derivatives(q, v, …)`.
        q: Coordinates, (k,) or (N, k).
        v: Speeds, (n,) or (N, n).
        inputs: Inputs, (m,) or (N, m); by default those of `robot.home`.
        dt: Step [s].
        method: "rk4", "semi_implicit_euler" or "implicit_midpoint".
        by: Parameters of the third result.
        wrt: "tangent": in displacements of the configurations, one per joint speed.
            "coordinates": in their coordinates.
        values: {parameter: number} for parameters that differ from the defaults.
        external: Wrenches of external loads, by default 0.

    Returns:
        (∂x⁺/∂x, ∂x⁺/∂inputs, ∂x⁺/∂parameters) with x = (q, v); with a leading axis N for a batch.

    Raises:
        DivergenceError: `step` raises it for this single state, or its derivatives are not finite there;
            in a batch the derivatives are NaN for the states for which `step` gives NaN.
        EvaluationError: An argument has the wrong shape or value.
        UnknownNameError: An argument contains an unknown name.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.jit.compiled import compile
    >>> from equamo.robot.library import load
    >>> A, B, P = step_derivatives(compile(derive(load("rr_arm"))), [0, 0], [0, 0], dt=0.01, by=["m2"])
    >>> A.shape, B.shape, P.shape
    ((4, 4), (4, 2), (4, 1))
    """
    eom, place = fast.eom, "step_derivatives"
    name, h = method_named(method, place).name, _time(dt, place)
    check_wrt(wrt, place)
    chosen = _parameters(eom, by)
    given = _read(place, eom, q, v, inputs, values, external)
    states, broken, middle = run_batch(given, name, (0.0, h), (1, 1), fast.options)
    if given.single and broken:
        raise diverged(broken[0], name, place, given)
    alive = np.setdiff1d(np.arange(len(states)), [b.index for b in broken])
    with np.errstate(all="ignore"):
        slopes = _slopes(fast, chosen, given.only(alive.tolist()), (name, h), middle[alive])
        if wrt == "tangent":
            slopes = _tangent(fast, slopes, states[alive])
    if given.single:
        if not all(np.isfinite(x).all() for x in slopes):
            raise _not_finite(Broken(0, 0, 0.0, *np.split(states[0, 0], [len(eom.q)])), name)
        A, B, P = (x[0] for x in slopes)
        return A, B, P
    A, B, P = (_spread(x, alive, len(states)) for x in slopes)
    return A, B, P


def _slopes(
    fast: Compiled,
    by: tuple[Expr, ...],
    given: Conditions,
    step: tuple[str, float],
    middle: Floats,
) -> tuple[Floats, Floats, Floats]:
    """Derivatives in coordinates, for states from which the step (method, dt) does not diverge."""
    eom, (name, h), x = fast.eom, step, given.initial
    # Off unit quaternions the variants of the dynamics differ.
    chooses = bool(eom.robot.unit_groups) and method_named(name).by_acceleration
    variant = variant_used(plan_of(given, name, fast.options)) if chooses else None
    stages = Stages(eom, by, given, variant)
    if name == "implicit_midpoint":
        X, y = stages.implicit_midpoint(x, h, middle)
    else:
        X, y = (stages.rk4 if name == "rk4" else stages.semi_implicit_euler)(x, h)
    if projected_rows(eom):
        X, y = StepProjection(eom, by)(X, y, x, np.nan_to_num(given.values))
    X, _ = normalised(eom, X, y)
    size, m = x.shape[1], len(eom.inputs)
    return X[:, :, :size], X[:, :, size : size + m], X[:, :, size + m :]


def _tangent(
    fast: Compiled, slopes: tuple[Floats, Floats, Floats], states: Floats
) -> tuple[Floats, Floats, Floats]:
    """Derivatives in displacements; `states` (N, 2, n) are those before and after the step."""
    eom, space, k = fast.eom, fast.configurations, len(fast.eom.q)
    into = _block(space.map(states[:, 0, :k]), eom)
    out = _block(space.inverse_map(states[:, 1, :k]), eom)
    A, B, P = slopes
    return out @ A @ into, out @ B, out @ P


def _spread(x: Floats, rows: NDArray[Any], count: int) -> Floats:
    """The given rows of `count`; the others are NaN."""
    result = np.full((count, *x.shape[1:]), np.nan)
    result[rows] = x
    return result


def _not_finite(at: Broken, method: str) -> DivergenceError:
    return DivergenceError(
        f"step_derivatives by {method}: the derivatives of a step must be finite, got infinity or NaN "
        f"at (q, v) = {state_text(at.q, at.v)}. The step is finite, but its equations are singular "
        f"there, or the derivatives are too large for a number; use another dt.",
        at,
    )


def _block(N: Floats, eom: EquationsOfMotion) -> Floats:
    """Block diagonal matrix of a map of configurations and the identity for the speeds"""
    n = len(eom.v)
    result = np.zeros((len(N), N.shape[1] + n, N.shape[2] + n))
    result[:, : N.shape[1], : N.shape[2]] = N
    result[:, N.shape[1] :, N.shape[2] :] = np.eye(n)
    return result


def _parameters(eom: EquationsOfMotion, by: Any) -> tuple[Expr, ...]:
    names = [s.name for s in eom.parameters]
    if not isinstance(by, (str, Expr, list, tuple)):
        raise EvaluationError(
            f"step_derivatives: by must be a list of parameters, got {brief(by)}; pass by=['m1']."
        )
    chosen = [by] if isinstance(by, (str, Expr)) else list(cast(Sequence[Any], by))
    for x in chosen:
        name = x.name if isinstance(x, Expr) and x.is_symbol else x
        if name not in names:
            raise UnknownNameError("parameter", name, names, f"robot {eom.robot.name!r}")
    return tuple(x if isinstance(x, Expr) else symbol(x) for x in chosen)


def _time(dt: Any, place: str = "step") -> float:
    try:
        seconds = 0.0 if isinstance(dt, bool) else float(number(f"{place}: dt", dt))
    except (EquamoError, OverflowError):
        seconds = 0.0
    if seconds <= 0:
        raise EvaluationError(f"{place}: dt must be a finite time above 0 s, got {brief(dt)}.")
    return seconds


def _read(
    place: str, eom: EquationsOfMotion, q: Any, v: Any, inputs: Any, values: Any, external: Any
) -> Conditions:
    space = eom.robot.state_space
    parameters = Reader(place, space.values, exact=True)
    table = parameters.table(values)
    arrays: dict[str, Array] = {
        "q": Reader(place, space.q, exact=True).read_states(q),
        "v": Reader(place, space.v, exact=True).read_states(v),
        "inputs": Reader(place, space.inputs, exact=True).read_states(inputs),
        "external": Reader(place, space.external, exact=True).read_states(external),
        "values": parameters.read_names(table),
    }
    size = batch_size(place, arrays)
    n = len(eom.q)
    initial = np.empty((1 if size is None else size, n + len(eom.v)))
    initial[:, :n], initial[:, n:] = arrays["q"], arrays["v"]
    given = np.atleast_2d(arrays["inputs"])[:, None]
    return Conditions(
        eom, size is None, initial, None, given, arrays["external"], arrays["values"],
        frozenset(parameters.names_of(table)), place,
    )  # fmt: skip
