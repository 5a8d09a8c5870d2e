"""eq.rollout: many runs with a fixed step, whole, in machine code.

N initial states and T steps are one call: nothing returns to Python in between. States go through the
lanes of vectors, and batches through threads. The control is compiled in as expressions in q, v and t,
or given as numbers for each run, or for each run and step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

from ..equations.equations import EquationsOfMotion, expect_equations
from ..errors import DivergenceError, EvaluationError
from ..jit import engine
from ..jit.arrays import strides
from ..jit.batch import available_threads
from ..jit.machine_code import Options
from ..waiting import waiting
from .conditions import (
    PLACE,
    Conditions,
    number_of_steps,
    read_conditions,
    read_time,
    read_whole,
)
from .energy_drift import warn_of_drifts
from .fixed_step import Plan, fixed_step
from .integrators import method_named

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True)
class Broken:
    """A run that could not go on: its number, the steps it made, and the last state it had."""

    index: int
    step: int
    t: float
    q: Floats
    v: Floats

    def __str__(self) -> str:
        state = ", ".join(f"{x:.6g}" for x in (*self.q, *self.v)[:12])
        more = " …" * (len(self.q) + len(self.v) > 12)
        return (
            f"run {self.index} broke after step {self.step}, t = {self.t:.6g} s, "
            f"at (q, v) = {state}{more}"
        )


@final
@dataclass(frozen=True, eq=False)
class Rollout:
    """Runs: times t (T,) [s] and states (q, v) (N, T, n); without N for one initial state.

    `broken` are runs that diverged; their rows are NaN from there.
    """

    eom: EquationsOfMotion
    method: str
    step: float
    t: Floats
    states: Floats
    broken: tuple[Broken, ...] = ()

    @property
    def q(self) -> Floats:
        """Coordinates, (N, T, n_q)."""
        return self.states[..., : len(self.eom.q)]

    @property
    def v(self) -> Floats:
        """Speeds, (N, T, n_v)."""
        return self.states[..., len(self.eom.q) :]

    def check(self) -> Rollout:
        """Itself, or a DivergenceError of the first run that broke."""
        if self.broken:
            raise _diverged(self.broken[0], self.method)
        return self

    def __repr__(self) -> str:
        runs = 1 if self.states.ndim == 2 else len(self.states)
        broken = f", {len(self.broken)} broken" if self.broken else ""
        return (
            f"<rollout of robot {self.eom.robot.name!r} by {self.method}: {runs} × {len(self.t)} "
            f"states, {self.t[0]:g} to {self.t[-1]:g} s, step {self.step:g} s{broken}>"
        )


def _diverged(broken: Broken, method: str) -> DivergenceError:
    iteration = ", or its iteration does not converge" if "implicit" in method else ""
    return DivergenceError(
        f"{PLACE} by {method}: {broken}. The next state is not finite{iteration}: take a smaller "
        f"step, or look for what drives the robot there.",
        broken,
    )


def rollout(
    eom: EquationsOfMotion,
    q: Any = None,
    v: Any = None,
    *,
    step: float,
    steps: int | None = None,
    duration: float | None = None,
    control: Any = None,
    method: str = "rk4",
    every: int = 1,
    start: float = 0.0,
    values: Mapping[Any, Any] | None = None,
    external: Any = None,
    parameters: Literal["symbolic", "numeric"] = "symbolic",
    lanes: int | None = None,
    threads: int | None = None,
    cache: bool = True,
) -> Rollout:
    """Runs from N initial states with a fixed step [s], for `steps` or a `duration` [s].

    `q`, `v`: (n,) or (N, n), or {name: number} with the rest at `robot.home`. `control`: expressions in
    q, v, t and parameters, {input: expression} or one for each input; or numbers: (m,), (N, m), or one
    row a step, (N, T, m), of one run (T, m); None: those of `robot.home`. `method`: "rk4",
    "semi_implicit_euler" or "implicit_midpoint". `every`: keep each so many-th state. `values`:
    {parameter: number, or N of them}; `external`: wrenches, (k,) or (N, k). `parameters`, `lanes`,
    `threads`, `cache`: as of `compile`.

    One run that diverges is a DivergenceError; of a batch, see `broken` of the result. A batch in
    which nothing does work and a run loses or gains more than a tenth of its energy gives an
    EnergyDriftWarning.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> eom = derive(load("rr_arm"))
    >>> many = rollout(eom, {"q1": [0.0, 0.1, 0.2]}, step=0.01, duration=1, control={"tau1": "-2*dq1"})
    >>> many.q.shape, many.broken
    ((3, 101, 2), ())
    """
    expect_equations(eom, "rollout")
    name = method_named(method).name
    options = Options("float64", lanes, threads, cache, parameters)
    count, step = number_of_steps(step, steps, duration), float(step)
    start, every = read_time("start", start), read_whole("every", every)
    if count % every:
        raise EvaluationError(
            f"{PLACE}: every={every} does not divide the number of steps, {count}."
        )
    given = read_conditions(eom, count, q, v, control, values, external)
    with waiting(f"rolling out {len(given.initial)} × {count} steps"):
        states, lost = run_batch(given, name, (start, step), (count, every), options)
    t = start + step * every * np.arange(count // every + 1, dtype=np.float64)
    result = Rollout(eom, name, step, t, states[0] if given.single else states, lost)
    if given.single:
        result.check()
    warn_of_drifts(given, name, t, states, count, [b.index for b in lost])
    return result


def run_batch(
    given: Conditions,
    method: str,
    clock: tuple[float, float],
    counts: tuple[int, int],
    options: Options,
) -> tuple[Floats, tuple[Broken, ...]]:
    """States (N, T, n) of runs with clock = (start, step) [s] and counts = (steps, every)."""
    eom, (start, step), (count, every) = given.eom, clock, counts
    runs = len(given.initial)

    # the code, and where it writes
    wide = options.lanes or (1 if runs == 1 else engine.widest("float64"))
    numeric = options.parameters == "numeric"
    plan = Plan(eom, method, given.expressions, wide, numeric, options.cache)
    code = fixed_step(plan)
    n, size = len(eom.q), len(eom.q) + len(eom.v)
    trajectory = _room(runs, count // every + 1, size)
    final, broken = np.empty((runs, size)), np.empty((runs, 1))
    inputs, input_step = given.inputs, given.inputs.strides[1] if given.inputs.shape[1] > 1 else 0
    wrenches, numbers = given.external, given.parameters(code.parameters, plan.numeric)
    lengths = [
        *strides(given.initial),
        inputs.strides[0] if len(inputs) > 1 else 0, inputs.strides[2],
        *strides(wrenches), *strides(numbers),
        trajectory.strides[0], trajectory.strides[2], *strides(final), *strides(broken),
        input_step, trajectory.strides[1], count, every,
    ]  # fmt: skip
    arrays = [given.initial, inputs, wrenches, numbers, trajectory, final, broken]
    code.run(arrays, lengths, (start, step), options.threads or available_threads())

    lost = tuple(
        Broken(i, int(s), start + step * int(s), final[i, :n].copy(), final[i, n:].copy())
        for i, s in enumerate(broken[:, 0])
        if s >= 0
    )
    return trajectory, lost


def _room(runs: int, states: int, size: int) -> Floats:
    """Memory for the states of all runs; an error that says how much it would be if there is none."""
    try:
        return np.empty((runs, states, size))
    except (MemoryError, ValueError):  # too much for this machine, or for any
        raise EvaluationError(
            f"{PLACE}: not enough memory for {runs} × {states} states with {size} numbers each, "
            f"{8 * runs * states * size / 2**30:.3g} GiB; keep fewer states with every=, or run fewer "
            f"at a time."
        ) from None
