"""eq.simulate: the motion of a robot from a state on, by SciPy's solvers or with a fixed step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..equations.equations import EquationsOfMotion, expect_equations
from ..equations.state_reader import Reader, no_value
from ..errors import EvaluationError, SimulationError, UnknownMethodError
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..renamed import renamed
from ..waiting import counting, waiting
from ..wording import brief
from .conditions import read_whole
from .energy_drift import warn_of_drift
from .events import Watched, watch
from .flow import Flow
from .limit_violations import limit_events
from .solve import ADAPTIVE, MAX_STEPS, Run, Steps, Task, solve
from .stepping import FIXED, run_fixed
from .trajectory import Trajectory

Floats = NDArray[np.float64]

SMALLEST_RTOL: Final = 100 * float(np.finfo(float).eps)
_PLACE: Final = "simulate"
_ROUNDING: Final = 1e-12  # of the duration: a last sample that much later is at its end


@renamed(smooth="smoothing")
def simulate(
    eom: EquationsOfMotion,
    q: Any = None,
    v: Any = None,
    duration: float = 10.0,
    control: Any = None,
    values: Mapping[Any, Any] | None = None,
    external: Any = None,
    method: str = "DOP853",
    rtol: float = 1e-9,
    atol: float = 1e-12,
    t_eval: Any = None,
    events: Any = None,
    step: float | None = None,
    progress: Any = None,
    smoothing: float | None = None,
    max_steps: int = MAX_STEPS,
    limits: Literal["report", "stop"] = "report",
) -> Trajectory:
    """The motion from q and v on, for `duration` seconds.

    `q`, `v`: sequences, or {name: number} with the rest at `robot.home`. `control`: numbers or
    expressions in q, v and t, one for each input or {input: expression}; a function (t, q, v) ->
    inputs; or an object with `.inputs(t, q, v)`. A control is a function of (t, q, v) only: it is called
    in any order, and again for the record. `external`: the same for wrenches. `values`:
    {parameter: number}. `method`: "DOP853", "RK45", "RK23", of stiff robots "Radau", "BDF", "LSODA",
    with the largest step `step`; or "rk4", "semi_implicit_euler", "implicit_midpoint" with the fixed
    step `step` [s]. `t_eval`: times of the samples, and the end if an event ends the run; default: the
    solver's steps. `events`: expressions or functions that pass through 0, see `Event`. `smoothing`:
    the width [rad/s, m/s] of tanh(u/width) for every sign(u); default: dry friction sticks and slips
    exactly. `progress`: True, False, or a function of the time; default: a bar where a run takes long
    and a person looks.

    `max_steps`: a run with a variable step that needs more ends with a SimulationError, which says
    whether the problem looks stiff.

    `limits`: joint limits are no forces. "report": `limit_violations` of the result has those that are
    exceeded, and its repr names them; "stop": the run ends where a coordinate or speed reaches its limit
    (`stopped_by`), and must start within them.

    A run in which nothing does work, but whose energy drifts by more than a tenth of what the motion
    moves, gives an EnergyDriftWarning.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> motion = simulate(derive(load("rr_arm")), q={"q1": 1}, duration=2, control={"tau2": "-dq2"})
    >>> bool(abs(motion.energy.drift).max() < 1e-8)
    True
    """
    expect_equations(eom, "simulate")
    if method not in (*ADAPTIVE, *FIXED):
        raise UnknownMethodError("method", str(method), (*ADAPTIVE, *FIXED), _PLACE)
    if not eom.v:
        raise EvaluationError(f"{_PLACE}: robot {eom.robot.name!r} has no speeds; it cannot move.")
    time = _above_zero("duration", duration, "s")
    parameters = _parameters(eom, values)
    initial = _initial(eom, q, v)
    width = None if smoothing is None else _above_zero("smoothing", smoothing, "rad/s or m/s")
    with waiting("compiling the motion"):
        flow = Flow(eom, control, external, parameters, width)
    watched = watch(eom, parameters, events)
    if limits not in ("report", "stop"):
        raise EvaluationError(f'{_PLACE}: limits must be "report" or "stop", got {brief(limits)}.')
    if limits == "stop":
        watched += limit_events(eom, parameters, initial)
    _require_used(flow, watched)
    y = np.concatenate([initial, np.zeros(len(flow.work))])
    with counting("simulating", float(time), "s", progress) as tell, np.errstate(all="ignore"):
        if method in FIXED:
            if step is None:
                raise EvaluationError(
                    f"{_PLACE}: {method} has a fixed step; give step= in seconds."
                )
            if t_eval is not None or width is not None:
                what = "t_eval" if width is None else "smoothing"
                raise EvaluationError(f"{_PLACE}: {what} goes with {', '.join(ADAPTIVE)}.")
            h = _above_zero("step", step, "s")
            run = run_fixed(flow, y, time, h, method, watched, tell)
        else:
            tolerance = _tolerance(rtol, atol)
            largest = np.inf if step is None else _above_zero("step", step, "s")
            times = None if t_eval is None else _times(t_eval, time)
            most = read_whole("max_steps", max_steps, _PLACE)
            task = Task(flow, time, method, tolerance, times, watched, largest, tell, most)
            run = solve(task, y)
    trajectory = _trajectory(flow, method, run)
    if run.broken is not None:
        raise _error(eom, method, run, trajectory)
    warn_of_drift(trajectory)
    return trajectory


def _trajectory(flow: Flow, method: str, run: Run) -> Trajectory:
    """Samples as arrays, with inputs and accelerations."""
    eom, n, m = flow.eom, flow.n_q, flow.n_q + flow.n_v
    t = np.array(run.t)
    y = np.array(run.y).reshape(len(t), flow.size if not run.y else len(run.y[0]))
    lengths = [np.linalg.norm(y[:, group], axis=1) for group in flow.unit]
    q, v = flow.projected(y[:, :n]), y[:, n:m].copy()
    inputs, external = flow.driven(t, q, v)
    s = np.array(run.s).reshape(len(t), -1) if run.s else flow.plain_directions(t, q, v)
    rates = flow.batch_rates(t, q, v, inputs, external, s)
    work = {name: y[:, m + k].copy() for k, name in enumerate(flow.work)}
    work |= {name: np.zeros(len(t)) for name in flow.still}
    return Trajectory(
        eom, method, t, q, v, rates[:, n:m].copy(), inputs, external,
        values=dict(zip((x.name for x in eom.parameters), flow.parameters.tolist(), strict=True)),
        work=work,
        lengths=np.array(lengths).reshape(len(lengths), len(t)).T,
        signs=flow.signs, directions=s,
        events={name: np.array(x) for name, x in run.events.items()},
        stopped_by=run.stopped_by,
        steps=Steps(run.edges, run.pieces) if run.pieces else None,
    )  # fmt: skip


def _error(
    eom: EquationsOfMotion, method: str, run: Run, trajectory: Trajectory
) -> SimulationError:
    assert run.last is not None
    assert run.broken is not None
    t, y = run.last
    n, m = len(eom.q), len(eom.q) + len(eom.v)
    names = [s.name for s in (*eom.q, *eom.v)]
    state = ", ".join(f"{a} = {x:.6g}" for a, x in zip(names[:12], y, strict=False))
    advice = run.advice or (
        "The motion diverges or is not smooth there, or the step is too large"
        if method in FIXED
        else "The motion diverges or is not smooth there, or the tolerance is finer than it can be "
        "computed"
    )
    return SimulationError(
        f"{_PLACE} by {method} broke at t = {t:.9g} s: {run.broken.rstrip('.')}. {advice}. The state "
        f"there: {state}{' …' * (m > 12)}; error.trajectory is the motion up to there.",
        t, y[:n].copy(), y[n:m].copy(), trajectory,
    )  # fmt: skip


# -- what is given -------------------------------------------------------------------------------------
def _initial(eom: EquationsOfMotion, q: Any, v: Any) -> Floats:
    """(q, v), quaternions nearly of length 1 brought to that."""
    space = eom.robot.state_space
    given = ((space.q, q), (space.v, v))
    advice = "eq.rollout runs a batch"
    return np.concatenate(
        [Reader(_PLACE, part, exact=True).read_state(x, advice) for part, x in given]
    )


def _parameters(eom: EquationsOfMotion, values: Any) -> Floats:
    """Values of all parameters, in their order; NaN where there is none."""
    reader = Reader(_PLACE, eom.robot.state_space.values, exact=True)
    found = reader.default()
    for name, x in reader.read_given(values).items():
        found[reader.part.position[name]] = x
    return found


def _require_used(flow: Flow, watched: Sequence[Watched]) -> None:
    """An error for a parameter without a value that anything reads; one that nothing does is 0."""
    from ..expr.walk import symbols

    missing = np.isnan(flow.parameters)
    if not missing.any():
        return
    eom, robot = flow.eom, flow.eom.robot
    springs = [f.energy for f in eom.forces.values() if f.energy is not None]
    followed = ChosenSpeeds(robot).insert([*robot.joint_coordinates, *robot.joint_speeds])
    events = [w.expression for w in watched if w.expression is not None]
    d = eom.derivation
    forces = [x for f in d.forces.values() for x in f]
    used = {
        *symbols(flow.entries),
        *symbols([*d.mass_matrix.entries, *d.bias, *d.gravity, *forces]),
    }
    used |= {*symbols([eom.kinetic_energy, eom.potential_energy, *springs, *followed, *events])}
    names = [s.name for s, x in zip(eom.parameters, missing, strict=True) if x and s in used]
    if names:
        raise no_value(_PLACE, robot.name, names)
    flow.parameters[missing] = 0


def _number(what: str, x: Any) -> float:
    try:
        number = float(x)
    except OverflowError:
        raise EvaluationError(f"{_PLACE}: {what} must be below 1.8e308 in size.") from None
    except (TypeError, ValueError):
        raise EvaluationError(f"{_PLACE}: {what} must be a number, got {brief(x)}.") from None
    if not isfinite(number):
        raise EvaluationError(f"{_PLACE}: {what} must be a finite number, got {number}.")
    return number


def _above_zero(what: str, x: Any, unit: str) -> float:
    number = _number(what, x)
    if number <= 0:
        zero = f"0 {unit}".strip()
        raise EvaluationError(f"{_PLACE}: {what} must be greater than {zero}, got {number:g}.")
    return number


def _tolerance(rtol: Any, atol: Any) -> tuple[float, float]:
    relative, absolute = _above_zero("rtol", rtol, ""), _above_zero("atol", atol, "")
    if relative < SMALLEST_RTOL:
        raise EvaluationError(
            f"{_PLACE}: rtol={relative:g} cannot be reached in double precision; the smallest is "
            f"{SMALLEST_RTOL:.3g}."
        )
    return relative, absolute


def _times(given: Any, duration: float) -> Floats:
    try:
        times = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise EvaluationError(
            f"{_PLACE}: t_eval is made of times [s], not {brief(given)}."
        ) from None
    fine = times.ndim == 1 and len(times) > 0 and bool(np.isfinite(times).all())
    if fine and duration < times[-1] <= duration * (1 + _ROUNDING):
        times = np.minimum(times, duration)
    if not fine or not (np.diff(times) > 0).all() or times[0] < 0 or times[-1] > duration:
        raise EvaluationError(
            f"{_PLACE}: t_eval is times that rise, from 0 to duration={duration:g} s, not "
            f"{brief(given)}."
        )
    return times
