"""Simulation with a fixed step: in machine code by `rollout`, or in Python to call functions.

Work is integrated by Simpson's rule, of order 4, on the cubic through both ends of a step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...basics.wording import brief
from ...code.jit.machine_code import Options
from ...code.steps import METHODS
from ...errors import EvaluationError
from .closing import Closing, LostError
from .conditions import read_conditions, whole_steps
from .event_search import locate
from .events import Watched
from .flow import Flow
from .partition import partition
from .rank_watch import EVENT
from .reach import reach
from .rollout import run_batch
from .solve import Progress, Run

Floats = NDArray[np.float64]
Derivative = Callable[[float, Floats], Floats]

FIXED: Final = tuple(METHODS)
MOST_NUMBERS: Final = 10**8  # q and v of all samples: several arrays of 0.8 GB
POINTS: Final = 4  # intervals of a step, a cubic, at whose ends events are evaluated


def run_fixed(
    flow: Flow,
    y: Floats,
    duration: float,
    step: float,
    method: str,
    watched: Sequence[Watched],
    progress: Progress,
    closing: Closing | None = None,
) -> Run:
    """Integrate from y = (q, v, 0) at t = 0, with one sample per step."""
    count, n = whole_steps("simulate", duration, step), flow.n_q + flow.n_v
    if count * n > MOST_NUMBERS:
        raise EvaluationError(
            f"simulate: a trajectory must have at most {MOST_NUMBERS:.0e} numbers, got {count:.4g} "
            f"steps with {n} numbers each; use a longer step, or eq.rollout(…, every=…) to keep only "
            f"some of the states."
        )
    run = Run(events={w.name: [] for w in watched})
    if closing is not None:
        states = run_closed(flow, closing, run, y, (count, step), method, progress)[:, :n]
    elif flow.control is not None and flow.external is not None and _constant(flow.external):
        states = _compiled(flow, y[:n], count, step, method)
    else:
        states = _in_python(flow, y, count, step, method, progress)[:, :n]
    _end_at_reach(flow, run, states, step)
    good = np.isfinite(states).all(axis=1)
    if not good.all():
        last = max(0, int(np.argmin(good)) - 1)
        run.broken = run.broken or "the state is not finite"
        run.last = run.last or (last * step, states[last])
        states = states[: last + 1]
    t: Floats = step * np.arange(len(states), dtype=np.float64)
    y_all, rates = _with_work(flow, t, states)
    end, values = len(t), dict[str, float]()
    for k in range(len(t) - 1) if watched else ():
        dense = _cubic(t[k], t[k + 1], y_all[k], y_all[k + 1], rates[k], rates[k + 1])
        for time, event in locate(flow, watched, t[k], t[k + 1], dense, POINTS, values):
            run.events[event.name].append(time)
            if event.terminal:
                run.stopped_by, run.broken, end = event.name, None, k + 1
                t = np.append(t[:end], time)
                last = dense(time)
                if closing is not None:
                    last = closing.closed(last)
                    run.projected.insert(end, run.projected[end - 1])
                y_all = np.vstack([y_all[:end], last])
                end += 1
                break
        if run.stopped_by:
            break
    run.t, run.y, run.projected = t[:end].tolist(), list(y_all[:end]), run.projected[:end]
    return run


def _end_at_reach(flow: Flow, run: Run, states: Floats, step: float) -> None:
    """End a run of the explicit form at a state at which its formulas are no longer valid."""
    limit = reach(flow.eom, flow.parameters)
    for k, state in enumerate(states if limit is not None else ()):
        try:
            assert limit is not None
            limit.require(state)
        except LostError as lost:
            run.broken, run.advice, run.last = lost.message, lost.advice, (k * step, state.copy())
            states[k + 1 :] = np.nan
            return


def _constant(entries: Sequence[Expr]) -> bool:
    return all(e.value is not None for e in entries)


def _compiled(flow: Flow, y: Floats, count: int, step: float, method: str) -> Floats:
    """States of the whole run, in machine code."""
    eom, n = flow.eom, flow.n_q
    assert flow.control is not None
    assert flow.external is not None
    control: Any = flow.control
    if _constant(flow.control):
        control = [float(e.value) for e in flow.control if e.value is not None]
    values = dict(zip((s.name for s in eom.parameters), flow.parameters.tolist(), strict=True))
    external = [float(e.value) for e in flow.external if e.value is not None]
    # A batch of one run keeps its states if it diverges.
    conditions = read_conditions(
        eom, count, y[None, :n], y[None, n:], control or None, values, external or None
    )
    options = Options("float64", None, 1, True, "symbolic")
    states, _, _ = run_batch(conditions, method, (0.0, step), (count, 1), options)
    return states[0]


def _in_python(
    flow: Flow, y: Floats, count: int, step: float, method: str, progress: Progress
) -> Floats:
    """States of the run, step by step, with the user's functions called at each evaluation."""
    if method not in ("rk4", "semi_implicit_euler"):
        raise EvaluationError(
            f'simulate: with a control function, method must be "rk4", "semi_implicit_euler" or one '
            f"with a variable step, got {brief(method)}; pass control as expressions in q, v and t."
        )
    rows = np.full((count + 1, len(y)), np.nan)
    rows[0] = y
    for k in range(count):
        t = k * step
        new = one_step(flow, method, t, rows[k], step, derivative(flow, t, rows[k]))
        if not np.isfinite(new).all():
            break
        rows[k + 1] = new
        progress(t + step)
    return rows


def derivative(flow: Flow, t: float, y: Floats) -> Floats:
    """ẏ, without sticking."""
    s = np.zeros(len(flow.signs))
    for _ in range(flow.depth):
        s = np.sign(flow.switches(t, y, s))
    return flow.rates(flow.at(t, y), s)[0]


def one_step(flow: Flow, method: str, t: float, x: Floats, h: float, k1: Floats) -> Floats:
    """State after one step from x with ẋ = k1; quaternions are normalised."""
    n = flow.n_q
    if method == "rk4":
        k2 = derivative(flow, t + h / 2, x + h / 2 * k1)
        k3 = derivative(flow, t + h / 2, x + h / 2 * k2)
        k4 = derivative(flow, t + h, x + h * k3)
        new = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    else:
        m = n + flow.n_v
        new = x.copy()
        new[n:m] += h * k1[n:m]
        new[:n] += h * derivative(flow, t, np.concatenate([x[:n], new[n:]]))[:n]
    if np.isfinite(new).all():
        new[:n] = flow.projected(new[None, :n])[0]
    return new


def run_closed(
    flow: Flow,
    closing: Closing,
    run: Run,
    y: Floats,
    counts: tuple[int, float],
    method: str,
    progress: Progress,
) -> Floats:
    """States of a robot with loops or sticking contacts, projected after each step."""
    if method not in ("rk4", "semi_implicit_euler"):
        raise EvaluationError(
            f'simulate: with loops or sticking contacts, method must be "rk4", "semi_implicit_euler" or '
            f"one with a variable step, got {brief(method)}."
        )
    count, step = counts
    rows = np.full((count + 1, len(y)), np.nan)
    rows[0] = y
    run.projected.append(0.0)
    rate = derivative(flow, 0.0, y)
    speeds = partition(flow.eom, flow.parameters)
    for k in range(count):
        t = k * step
        new = one_step(flow, method, t, rows[k], step, rate)
        if not np.isfinite(new).all():
            break
        try:
            new = closing.step(new)
            if speeds is not None and speeds.is_poor(new[: flow.n_q]):
                lost = LostError(
                    f"the chosen speeds {', '.join(s.name for s in flow.eom.v)} no longer determine the "
                    f"motion",
                    "Use a method with a variable step, which switches them, or eom.augmented()",
                )
                raise lost
            after = derivative(flow, t + step, new)
            dense = _cubic(t, t + step, rows[k], new, rate, after)
            singular = closing.singular(t, t + step, dense)
            if singular is not None:
                run.events.setdefault(EVENT, []).append(singular)
                lost = closing.lost_rank(dense(singular))
                raise lost
        except LostError as error:
            run.broken, run.advice, run.last = error.message, error.advice, (t, rows[k])
            break
        rows[k + 1], rate = new, after
        run.projected.append(closing.energy)
        progress(t + step)
    return rows


def _with_work(flow: Flow, t: Floats, states: Floats) -> tuple[Floats, Floats]:
    """(y, ẏ) at the samples, with work by Simpson's rule."""
    n = flow.n_q
    rates = _rates(flow, t, states)
    y = np.hstack([states, np.zeros((len(t), len(flow.work)))])
    if len(t) > 1 and flow.work:
        h = np.diff(t)[:, None]
        m = states.shape[1]
        middle = (states[1:] + states[:-1]) / 2 - h / 8 * (rates[1:, :m] - rates[:-1, :m])
        middle[:, :n] = flow.projected(middle[:, :n])
        between = _rates(flow, (t[1:] + t[:-1]) / 2, middle)[:, m:]
        y[1:, m:] = np.cumsum(h / 6 * (rates[1:, m:] + 4 * between + rates[:-1, m:]), axis=0)
    return y, rates


def _rates(flow: Flow, t: Floats, states: Floats) -> Floats:
    q, v = states[:, : flow.n_q], states[:, flow.n_q :]
    inputs, external = flow.driven(t, q, v)
    s = flow.plain_directions(t, q, v)
    return flow.batch_rates(t, q, v, inputs, external, s)


def _cubic(
    t0: float, t1: float, y0: Floats, y1: Floats, f0: Floats, f1: Floats
) -> Callable[[Any], Floats]:
    """Cubic Hermite polynomial through both ends of a step; T times give columns (n, T)."""
    h = t1 - t0

    def dense(t: Any) -> Floats:
        x = (t - t0) / h
        weights = (
            (1 + 2 * x) * (1 - x) ** 2,
            x**2 * (3 - 2 * x),
            h * x * (1 - x) ** 2,
            -h * x**2 * (1 - x),
        )
        ends = zip((y0, y1, f0, f1), weights, strict=True)
        return np.sum([np.multiply.outer(y, w) for y, w in ends], axis=0)

    return dense
