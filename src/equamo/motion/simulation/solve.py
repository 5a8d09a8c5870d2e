"""Integration with an adaptive step: samples, events, and a restart wherever a sign switches.

The default method is ours (`dormand_prince`), the others are SciPy's, which have the same interface. The
state of a robot with loops or sticking contacts is projected after every accepted step (`closing`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ...basics.extras import library
from ...errors import EquamoError
from ...mechanics.equations.equations import EquationsOfMotion
from .closing import Closing, LostError, put_state
from .dormand_prince import DormandPrince
from .event_search import locate
from .events import Watched
from .flow import Flow
from .partition import Partition
from .rank_watch import EVENT
from .reach import Reach
from .stiffness import advice
from .switching import Switch, Switching, UnsettledError

Floats = NDArray[np.float64]
Progress = Callable[[float], None]  # called with the time reached so far

ADAPTIVE: Final = ("DOP853", "RK45", "RK23", "Radau", "BDF", "LSODA")
STIFF: Final = ("Radau", "BDF", "LSODA")
SWITCHES: Final = 100  # switches at nearly the same time that count as no progress
STEPS: Final = 2000  # if this many steps cover less than PART of the run, it would never end
PART: Final = 1e-4
MAX_STEPS: Final = 200_000  # steps of a whole run, by default
FIRST: Final = 1e-3  # fraction of a run: length of its first step, if nothing is known
NEAR: Final = 1e-3  # fraction of a step: distance before a switch from which small steps are taken
ABSOLUTE: Final = 1e-12  # absolute tolerance of a state, as a fraction of its size
NOT_FINITE: Final = "the accelerations are not finite (singular mass matrix, or the control)"
UNSETTLED: Final = "Change the control or the friction, or use smoothing="
_ANY: Final = 1e150  # tolerance of the work, which must not affect the step size


@final
@dataclass
class Run:
    """Result of an integration: samples of t, y and directions s, and interpolants of the steps."""

    t: list[float] = field(default_factory=list[float])
    y: list[Floats] = field(default_factory=list[Floats])
    s: list[Floats] = field(default_factory=list[Floats])
    projected: list[float] = field(default_factory=list[float])  # energy of projections so far [J]
    edges: list[float] = field(default_factory=list[float])
    pieces: list[Any] = field(default_factory=list[Any])
    events: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    stopped_by: str | None = None
    broken: str | None = None  # why the integration failed
    advice: str | None = None  # what to do about it
    last: tuple[float, Floats] | None = None  # time and y at that point
    switch: tuple[float, Floats] | None = None  # time and y at which speeds must be switched


@final
class Steps:
    """Interpolants of the steps of a solver, combined into one function of time."""

    edges: NDArray[Any]
    pieces: list[Any]

    def __init__(self, edges: Sequence[float], pieces: Sequence[Any]) -> None:
        self.edges, self.pieces = np.array(edges), list(pieces)

    def __call__(self, times: Floats) -> Floats:
        """y (T, size)."""
        last = len(self.pieces) - 1
        which = np.clip(np.searchsorted(self.edges, times, "right") - 1, 0, last)
        rows = np.empty((len(times), len(np.atleast_1d(self.pieces[0](self.edges[0])))))
        for k in np.unique(which):
            rows[which == k] = self.pieces[k](times[which == k]).T
        return rows


@final
@dataclass(frozen=True)
class Task:
    """Problem and options of an integration; `times` of the samples are by default ends of steps."""

    flow: Flow
    duration: float
    method: str
    tolerance: tuple[float, float | None]  # relative and absolute; None: ABSOLUTE times the sizes
    sizes: Callable[[EquationsOfMotion], Floats]  # characteristic sizes of the states (q, v)
    times: Floats | None
    watched: Sequence[Watched]
    largest: float
    progress: Progress
    max_steps: int = MAX_STEPS
    closing: Closing | None = None  # of a robot with loops or sticking contacts
    partition: Partition | None = None  # independent speeds, which may have to be switched
    seen: Callable[[Floats], Floats] | None = None  # from y to the (q, v) that events expect
    start: float = 0.0
    reach: Reach | None = None  # of the explicit form

    @property
    def tolerances(self) -> tuple[float, Floats]:
        """Relative tolerance, and the absolute one of each state."""
        relative, absolute = self.tolerance
        sizes = ABSOLUTE * self.sizes(self.flow.eom) if absolute is None else absolute
        return relative, np.broadcast_to(sizes, self.flow.n_q + self.flow.n_v)


def solve(task: Task, y: Floats) -> Run:
    """Integrate from y at the start, to the end or until speeds must be switched."""
    run = Run(edges=[task.start], events={w.name: [] for w in task.watched})
    try:
        _advance(run, task, y)
    except _NoStartError as error:
        run.broken, run.last = NOT_FINITE, (error.t, error.y)
    except _EndedError as error:
        run.broken, run.advice, run.last = error.lost.message, error.lost.advice, (error.t, error.y)
    return run


def _advance(run: Run, task: Task, y: Floats) -> None:
    """Step to the end, to a terminal event, or until the integration fails."""
    flow, duration, closing = task.flow, task.duration, task.closing
    switching = Switching(flow, task.tolerances)
    record = _Recorder(run, task, switching)
    if switching:
        try:
            y = switching.start(task.start, y, FIRST * (duration - task.start))
        except UnsettledError as error:
            run.broken, run.advice, run.last = str(error), UNSETTLED, (task.start, y)
            return
    if task.start == 0:
        record.sample(0.0, y)
    record.require_reach(task.start, y)
    make = _solver(task, switching)
    pace, switch_pace = _Pace(duration), _Pace(duration, SWITCHES, 1e-9)
    count = 0
    solver, close, after, message = make(task.start, y, duration, None), False, switching, None
    while True:
        start, before = float(solver.t), solver.y
        count += 1
        slow = pace.too_slow(start)
        if slow is None and count > task.max_steps:
            slow = f"max_steps={task.max_steps} steps do not reach the end at {duration:g} s"
        message = slow or _step(solver)
        if message is not None:
            run.broken, run.last = message, (start, before.copy())
            if slow:
                h, sizes = float(solver.step_size or 0.0), task.sizes(flow.eom)
                run.advice = advice(task.method, switching.derivative, start, before, h, sizes)
            return
        end, dense = float(solver.t), solver.dense_output()
        switch = switching.next(start, end, dense) if switching else None
        if switch is not None and not close:
            # Integrate to shortly before the switch, then take a small step with an exact interpolant.
            short = NEAR * (end - start)
            if switch.t - short > start:
                solver = make(start, before, switch.t - short, None)
                while solver.status == "running" and _step(solver) is None:
                    count += 1
                    start = record.step(start, float(solver.t), solver.dense_output(), solver.y)
                    if run.stopped_by is not None:
                        return
                    _close(closing, switching, solver)
                solver, close = make(float(solver.t), solver.y, duration, 2 * short), True
                continue
        if switch is None:
            end = record.step(start, end, dense, solver.y)
        else:
            y, after, message = _switched(task, switching, switch, dense, float(solver.t) - start)
            end = record.step(start, switch.t, dense, y, after)
        task.progress(end)
        if run.stopped_by is not None or end >= duration:
            return
        close = False
        if switch is None:
            _close(closing, switching, solver)
            if task.partition is not None and task.partition.is_poor(solver.y[: flow.n_q]):
                run.switch = float(solver.t), solver.y.copy()
                return
        else:
            run.advice = None if message is None else UNSETTLED
            if message is None and switch_pace.too_slow(switch.t):
                message = "a sign does not stop switching"
            if message is not None:
                run.broken, run.last = message, (switch.t, y)
                return
            switching.become(after)
            solver = make(switch.t, y, duration, None)


@final
class _NoStartError(Exception):
    """State from which no solver can start; a solver would search for a first step forever."""

    def __init__(self, t: float, y: Floats) -> None:
        super().__init__(t)
        self.t, self.y = t, y.copy()


@final
class _EndedError(Exception):
    """State at which the run ends, because it cannot stay on its loops."""

    def __init__(self, t: float, y: Floats, lost: LostError) -> None:
        super().__init__(t)
        self.t, self.y, self.lost = t, y.copy(), lost


def _switched(
    task: Task, switching: Switching, switch: Switch, dense: Any, step: float
) -> tuple[Floats, Switching, str | None]:
    """State and directions after a switch, or why there are none."""
    y, after = switching.rest(dense(switch.t)), copy(switching)
    try:
        if task.closing is not None:
            y = _closed(task.closing, switch.t, y)
        return after.resolve(switch, y, step), after, None
    except UnsettledError as error:
        return y, switching, str(error)


def _closed(closing: Closing, t: float, y: Floats) -> Floats:
    try:
        return closing.step(y)
    except LostError as lost:
        raise _EndedError(t, y, lost) from None


def _close(closing: Closing | None, switching: Switching, solver: Any) -> None:
    """Project the state of a solver after a step: onto loops, and onto a = 0 of signs that stick."""
    t, y = float(solver.t), solver.y
    if switching:
        y = switching.hold(t, y)
    if closing is not None:
        y = switching.rest(_closed(closing, t, y))
    if y is not solver.y:
        put_state(solver, y)
    if switching:
        switching.left(t, y)


def _step(solver: Any) -> str | None:
    """Take one step; return a message if it failed."""
    try:
        message = solver.step()
    except EquamoError:  # for example of the control
        raise
    except (ValueError, np.linalg.LinAlgError) as error:  # a Jacobian that is not finite
        return str(error)
    if message is None and not np.isfinite(solver.y).all():
        return "the state is not finite"
    return message


@final
class _Pace:
    """Check that the integration makes progress: `steps` steps cover more than a part of the run."""

    def __init__(self, duration: float, steps: int = STEPS, part: float = PART) -> None:
        self.steps, self.least = steps, part * duration
        self._count, self._from = 0, -np.inf

    def too_slow(self, t: float) -> str | None:
        """None, or a text that says how little the last steps covered."""
        self._count += 1
        if self._count < self.steps:
            return None
        covered, self._count = t - self._from, 0
        self._from = t
        if covered > self.least:
            return None
        return f"{self.steps} steps cover only {covered:.3g} s"


def _solver(
    task: Task, switching: Switching
) -> Callable[[float, Floats, float, float | None], Any]:
    """Function that makes a solver for a start, an end and a first step."""
    flow, method, (relative, absolute) = task.flow, task.method, task.tolerances
    states, size = flow.n_q + flow.n_v, flow.size
    # The norm is a mean over all of y, including the work, whose error must not count.
    share = (states / size) ** 0.5
    atol = np.full(size, _ANY)
    atol[:states] = share * absolute
    options: dict[str, Any] = {
        "rtol": max(relative * share, 100 * np.finfo(float).eps), "atol": atol, "max_step": task.largest
    }  # fmt: skip
    if method in STIFF:
        kernel = flow.jacobian()
        if kernel is not None:
            none = np.empty(0)

            def jacobian(t: float, y: Floats) -> Floats:
                J = np.zeros((size, size))
                J[:, :states] = kernel(*flow.at(t, y), none).reshape(size, states)
                return J

            options["jac"] = jacobian
    solver_class = _solver_class(method)

    def make(t: float, y: Floats, end: float, first: float | None) -> Any:
        first = None if first is None else min(first, end - t)
        if not np.isfinite(_rate(switching, t, y)).all():
            raise _NoStartError(t, y)
        solver = solver_class(switching.derivative, t, y, end, first_step=first, **options)
        if not np.isfinite(getattr(solver, "h_abs", 0.0)):  # the norm of the rates overflows
            raise _NoStartError(t, y)
        return solver

    return make


def _solver_class(method: str) -> Any:
    if method == "DOP853":
        return DormandPrince
    return getattr(library("scipy.integrate", f"simulate(method={method!r})"), method)


def _rate(switching: Switching, t: float, y: Floats) -> Floats:
    try:
        return switching.derivative(t, y)
    except np.linalg.LinAlgError:  # directions that are not finite
        return np.full(1, np.nan)


def _unchanged(y: Floats) -> Floats:
    return y


@final
@dataclass(frozen=True)
class _Seen:
    """Interpolant of a step, in the (q, v) that events expect."""

    seen: Callable[[Floats], Floats]
    dense: Any
    end: float
    last: Floats  # state at the end

    def __call__(self, t: Any) -> Floats:
        if np.ndim(t) == 0:
            return self.seen(self.last if t == self.end else self.dense(t))
        return self.seen(self.dense(t).T).T


@final
class _Recorder:
    """Records samples and events of the steps."""

    def __init__(self, run: Run, task: Task, switching: Switching) -> None:
        self.run, self.flow, self.switching = run, task.flow, switching
        self.watched, self.closing, times = task.watched, task.closing, task.times
        self.reach = task.reach
        self.seen = task.seen or _unchanged
        self.values: dict[str, float] = {}  # of the events at the end of the last step
        self.remaining = None if times is None else [float(x) for x in times if x > task.start]
        self.from_start = times is None or (len(times) > 0 and times[0] <= 0)

    def sample(self, t: float, y: Floats) -> None:
        if (t == 0 and not self.from_start) or (self.run.t and t <= self.run.t[-1]):
            return
        if self.closing is not None:
            try:
                y, energy = self.closing.sample(y)
            except LostError as lost:
                raise _EndedError(t, y, lost) from None
            self.run.projected.append(energy)
        self.run.t.append(t)
        self.run.y.append(y)
        self.run.s.append(self.switching.directions(t, y) if self.switching else np.empty(0))

    def step(
        self, start: float, end: float, dense: Any, last: Floats, after: Switching | None = None
    ) -> float:
        """Record one step up to `end`, with the state `last`, or to a terminal event; return its end.

        `after` has the directions from there on, if they change.
        """
        run, whole = self.run, end
        resting = self.switching.resting_arguments
        both = resting if after is None else resting | after.resting_arguments
        dense, last = self.switching.resting_dense(dense), self.switching.rest(last)
        singular = None if self.closing is None else self.closing.singular(start, end, dense)
        if singular is not None:
            end = singular
        seen = _Seen(self.seen, dense, whole, last)
        found = locate(
            self.flow, self.watched, start, end, seen, last=self.values, resting=(resting, both)
        )
        for t, event in found:
            run.events[event.name].append(t)
            if event.terminal:
                run.stopped_by, end = event.name, t
                break
        if self.remaining is None:
            self.sample(end, last if end == whole else dense(end))
        else:
            while self.remaining and self.remaining[0] <= end:
                t = self.remaining.pop(0)
                self.sample(t, last if t == whole else dense(t))
            if run.stopped_by is not None and (not run.t or run.t[-1] < end):
                self.sample(end, last if end == whole else dense(end))
        if end > start:
            run.edges.append(end)
            run.pieces.append(dense)
        if singular is not None and run.stopped_by is None and self.closing is not None:
            run.events.setdefault(EVENT, []).append(singular)
            raise _EndedError(singular, dense(singular), self.closing.lost_rank(dense(singular)))
        if run.stopped_by is None:
            self.require_reach(end, last)
        return end

    def require_reach(self, t: float, y: Floats) -> None:
        """End the run if the formulas of the explicit form are no longer valid at y."""
        if self.reach is not None:
            try:
                self.reach.require(y)
            except LostError as lost:
                raise _EndedError(t, y, lost) from None
