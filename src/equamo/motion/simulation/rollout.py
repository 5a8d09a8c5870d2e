"""eq.rollout: batches of runs with a fixed step, entirely in machine code.

N initial states and T steps are one call, without returning to Python in between. Runs are distributed
over the lanes of vector registers and over threads. The control is compiled from expressions in q, v and
t, or consists of numbers per run, or per run and step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

from ...basics.waiting import waiting
from ...code.jit import engine
from ...code.jit.arrays import strides
from ...code.jit.batch import available_threads
from ...code.jit.machine_code import Options
from ...code.steps import method_named
from ...errors import DivergenceError, EvaluationError
from ...mechanics.equations.equations import EquationsOfMotion, expect_equations
from ...mechanics.recursions.composite_bodies import mass_matrix
from .closed_batch import closed_conditions, mark_lost, mark_undetermined
from .closed_state import partition_determinant, projected_rows
from .columns import columns, known_columns
from .conditions import (
    PLACE,
    Conditions,
    number_of_steps,
    read_conditions,
    read_positive_integer,
    read_time,
)
from .energy_drift import warn_of_drifts
from .fixed_step import Plan, fixed_step

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True)
class Broken:
    """Diverged run: its index, the number of completed steps, and its last valid state.

    A run diverges if its state is not finite, or leaves the loops or sticking contacts of the robot.
    """

    index: int
    step: int
    t: float
    q: Floats
    v: Floats

    def __str__(self) -> str:
        return (
            f"run {self.index} diverged after step {self.step}, t = {self.t:.6g} s, "
            f"at (q, v) = {state_text(self.q, self.v)}"
        )


def state_text(q: Floats, v: Floats) -> str:
    """A state as text, at most 12 numbers."""
    more = " …" * (len(q) + len(v) > 12)
    return ", ".join(f"{x:.6g}" for x in (*q, *v)[:12]) + more


@final
@dataclass(frozen=True, eq=False)
class Rollout:
    """Result of runs: times t (T,) [s] and states (q, v) (N, T, n), or (T, n) for one initial state.

    `broken` lists the runs that diverged; their states are NaN from then on.
    """

    eom: EquationsOfMotion  # equations that were integrated
    method: str  # integration method
    step: float  # fixed step [s]
    t: Floats  # times (T,) [s]
    states: Floats  # (q, v) of each run, (N, T, n)
    broken: tuple[Broken, ...] = ()  # runs that diverged

    @property
    def q(self) -> Floats:
        """Coordinates, (N, T, n_q)."""
        return self.states[..., : len(self.eom.q)]

    @property
    def v(self) -> Floats:
        """Speeds, (N, T, n_v)."""
        return self.states[..., len(self.eom.q) :]

    def check(self) -> Rollout:
        """Return this rollout, or raise a DivergenceError for the first run that diverged."""
        if self.broken:
            raise diverged(self.broken[0], self.method)
        return self

    def __repr__(self) -> str:
        runs = 1 if self.states.ndim == 2 else len(self.states)
        broken = f", {len(self.broken)} diverged" if self.broken else ""
        return (
            f"<rollout of robot {self.eom.robot.name!r} by {self.method}: {runs} × {len(self.t)} "
            f"states, {self.t[0]:g} to {self.t[-1]:g} s, step {self.step:g} s{broken}>"
        )


def diverged(
    broken: Broken, method: str, place: str = PLACE, conditions: Conditions | None = None
) -> DivergenceError:
    """Error for a diverged run; with its conditions, it names speeds without inertia."""
    by_iteration = method_named(method).has_middle
    iteration = ", or its iteration does not converge" if by_iteration else ""
    return DivergenceError(
        f"{place} by {method}: {broken}. The next state is not finite, off its loops, or not determined "
        f"by its chosen speeds (eom.augmented() needs none){iteration}; use a smaller step, or check "
        f"the control and the initial state.{_without_inertia(conditions, broken.index)}",
        broken,
    )


def _without_inertia(conditions: Conditions | None, run: int) -> str:
    """Remark on speeds along which these values leave no inertia, though the equations divide by it."""
    if conditions is None or conditions.eom.robot.eliminated:
        return ""
    robot = conditions.eom.robot
    state, values = conditions.initial[run : run + 1], np.atleast_2d(conditions.values)
    row = values[run] if len(values) > 1 else values[0]
    M, n = mass_matrix(robot.tree), len(robot.joint_speeds)
    own = [M[k, k] for k in range(n)]
    q, v = state[:, : len(robot.q)], state[:, len(robot.q) :]
    known = known_columns(conditions.eom, q, v, row)
    found = columns(own, known, 1)[0]
    names = [s.name for s, e, x in zip(robot.joint_speeds, own, found, strict=True)
             if x == 0 and e.value is None]  # fmt: skip
    if not names:
        return ""
    return (
        f" With these values nothing with inertia moves along {', '.join(names)}; such bodies must be "
        "massless in the robot, before its equations are derived."
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
    cpu: str | None = None,
) -> Rollout:
    """Simulate N initial states with a fixed step, in machine code.

    An EnergyDriftWarning is issued if no force does work, but the energy of a run changes by more than a
    tenth. With loops or sticking contacts, initial states are assembled, and states are projected after
    each step; unlike in `simulate`, singular configurations are not searched for.

    Args:
        eom: Equations of motion.
        q: Initial coordinates: (n,), (N, n), or {name: number or N numbers}, the others at `robot.home`.
        v: Initial speeds, in the same forms.
        step: Step [s].
        steps: Number of steps; give either `steps` or `duration`.
        duration: Duration [s], a multiple of `step`.
        control: Inputs: expressions in q, v, t and parameters, as {input: expression} or one per input;
            or numbers: (m,), (N, m), or one row per step, (N, T, m), or (T, m) for one run. By default
            the inputs of `robot.home`.
        method: "rk4", "semi_implicit_euler" or "implicit_midpoint".
        every: Keep every n-th state; it must divide the number of steps.
        start: Time at the start [s].
        values: {parameter: number or N numbers} for parameters that differ from the defaults.
        external: Wrenches of external loads, (k,) or (N, k), by default 0.
        parameters: "symbolic", or "numeric" to compile the default values in.
        lanes: Runs per vector register, by default the widest of this processor.
        threads: Number of threads, by default one per processor.
        cache: Whether to use the cache of machine code on disk.
        cpu: Processor to make the code of the steps for, as in `compile`; by default that in EQUAMO_CPU,
            else "host".

    Returns:
        A `Rollout` with `t`, `q`, `v` and the runs that diverged, `broken`.

    Raises:
        DivergenceError: A single run diverged; in a batch, `broken` lists such runs.
        EvaluationError: An argument has the wrong shape or value.
        UnknownNameError: An argument contains an unknown name.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> many = rollout(eom, {"q1": [0.0, 0.1, 0.2]}, step=0.01, duration=1, control={"tau1": "-2*dq1"})
    >>> many.q.shape, many.broken
    ((3, 101, 2), ())
    """
    expect_equations(eom, "rollout")
    name = method_named(method).name
    options = Options("float64", lanes, threads, cache, parameters, cpu=cpu)
    count, step = number_of_steps(step, steps, duration), read_time("step", step)
    start, every = read_time("start", start), read_positive_integer("every", every)
    if count % every:
        raise EvaluationError(
            f"{PLACE}: every must divide the number of steps, {count}, got {every}."
        )
    conditions = read_conditions(eom, count, q, v, control, values, external)
    with waiting(f"rolling out {len(conditions.initial)} × {count} steps"):
        states, broken, _ = run_batch(conditions, name, (start, step), (count, every), options)
    t = start + step * every * np.arange(count // every + 1, dtype=np.float64)
    result = Rollout(eom, name, step, t, states[0] if conditions.single else states, broken)
    if conditions.single and broken:
        raise diverged(broken[0], name, conditions=conditions)
    warn_of_drifts(conditions, name, t, states, count, [b.index for b in broken])
    return result


def run_batch(
    conditions: Conditions,
    method: str,
    clock: tuple[float, float],
    counts: tuple[int, int],
    options: Options,
) -> tuple[Floats, tuple[Broken, ...], Floats]:
    """States (N, T, n) of runs, those that diverged, and the middle points (N, n) of their last steps.

    clock = (start, step) [s] and counts = (steps, every). Without a middle point, n is 0.
    """
    eom, (start, step), (count, every) = conditions.eom, clock, counts
    runs = len(conditions.initial)

    # code and output arrays
    plan = plan_of(conditions, method, options)
    code = fixed_step(plan)
    n, size = len(eom.q), len(eom.q) + len(eom.v)
    trajectory = _allocate(runs, count // every + 1, size)
    final, broken = np.empty((runs, size)), np.empty((runs, 1))
    middle = np.empty((runs, size if method_named(method).has_middle else 0))
    conditions, held = closed_conditions(conditions)
    inputs = conditions.inputs
    input_step = inputs.strides[1] if inputs.shape[1] > 1 else 0
    wrenches, numbers = conditions.external, conditions.parameters(code.parameters, plan.numeric)
    if held is not None:  # one column per held contact position
        repeated = np.broadcast_to(numbers, (runs, numbers.shape[-1]))
        numbers = np.ascontiguousarray(np.hstack([repeated, held]))
    lengths = [
        *strides(conditions.initial),
        inputs.strides[0] if len(inputs) > 1 else 0, inputs.strides[2],
        *strides(wrenches), *strides(numbers),
        trajectory.strides[0], trajectory.strides[2], *strides(final), *strides(broken),
        *strides(middle), input_step, trajectory.strides[1], count, every,
    ]  # fmt: skip
    arrays = [conditions.initial, inputs, wrenches, numbers, trajectory, final, broken, middle]
    code.run(arrays, lengths, (start, step), options.threads or available_threads())

    if projected_rows(eom):
        mark_lost(conditions, trajectory, (final, broken), every)
        if partition_determinant(eom) is None:  # otherwise machine code watches every step
            mark_undetermined(conditions, trajectory, (final, broken), every)
    stopped = tuple(
        Broken(i, int(s), start + step * int(s), final[i, :n].copy(), final[i, n:].copy())
        for i, s in enumerate(broken[:, 0])
        if s >= 0
    )
    return trajectory, stopped, middle


def plan_of(conditions: Conditions, method: str, options: Options) -> Plan:
    """Plan of the machine code of these runs."""
    alone, machine = len(conditions.initial) == 1, options.machine
    lanes = options.lanes or (1 if alone else engine.widest("float64", machine))
    numeric = options.parameters == "numeric"
    control = conditions.expressions
    return Plan(conditions.eom, method, control, lanes, numeric, options.cache, machine)


def _allocate(runs: int, states: int, size: int) -> Floats:
    """Memory for the states of all runs; an error names its size if there is not enough."""
    try:
        return np.empty((runs, states, size))
    except (MemoryError, ValueError):  # too large for this machine, or for any array
        raise EvaluationError(
            f"{PLACE}: not enough memory for {runs} × {states} states with {size} numbers each "
            f"({8 * runs * states * size / 2**30:.3g} GiB); keep fewer states with every=, or use "
            f"smaller batches."
        ) from None
