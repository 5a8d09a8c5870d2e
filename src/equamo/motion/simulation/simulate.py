"""eq.simulate: the motion of a robot from an initial state, with an adaptive or a fixed step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ...basics.arguments import as_float, expect_function, is_one_of
from ...basics.renamed import renamed
from ...basics.waiting import counting, waiting
from ...basics.wording import brief
from ...errors import EvaluationError, SimulationError, UnknownMethodError
from ...mechanics.equations.assembly import assemble
from ...mechanics.equations.characteristic_sizes import CharacteristicSizes
from ...mechanics.equations.equations import EquationsOfMotion, expect_equations
from ...mechanics.equations.state_reader import Reader, no_value
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from .acceleration_errors import warn_of_wrong_accelerations
from .closing import FIXED_STEP_ERROR, closing
from .conditions import read_positive_integer
from .constraint_rows import closing_rows
from .energy_drift import warn_of_drift
from .events import Watched, watch
from .flow import Flow
from .limit_violations import limit_events
from .partition import partition
from .reach import reach
from .segments import Driven, continued
from .solve import ADAPTIVE, MAX_STEPS, Run, Steps, Task, solve
from .stepping import FIXED, run_fixed
from .trajectory import Trajectory

Floats = NDArray[np.float64]

SMALLEST_RTOL: Final = 100 * float(np.finfo(float).eps)
_PLACE: Final = "simulate"
_ROUNDING: Final = 1e-12  # fraction of the duration by which the last sample may exceed it


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
    atol: float | None = None,
    t_eval: Any = None,
    events: Any = None,
    step: float | None = None,
    progress: Any = None,
    smoothing: float | None = None,
    max_steps: int = MAX_STEPS,
    limits: Literal["report", "stop"] = "report",
    start_gap: float | None = None,
) -> Trajectory:
    """Simulate the motion of a robot from an initial state.

    The initial state of a robot with loops or sticking contacts is assembled first (`eq.assemble`), and
    the state is projected back onto them after each step. The run fails at a singular configuration. If
    the chosen speeds of a robot with loops cease to determine its motion, others are used from there on,
    and the result is in all joint speeds, `eom.augmented()`.

    An EnergyDriftWarning is issued if no force does work, but the energy drifts by more than a tenth of
    the energy exchanged, and an AccuracyWarning if rounding makes the accelerations of a robot with
    loops wrong, as those of a body with 10⁻¹² of the mass of the others.

    Args:
        eom: Equations of motion.
        q: Initial coordinates: a sequence, or {name: number} with the others at `robot.home`.
        v: Initial speeds, in the same forms.
        duration: Duration [s].
        control: Inputs: numbers or expressions in q, v and t, one per input or {input: expression}; a
            function (t, q, v) -> inputs; or an object with `.inputs(t, q, v)`. The result must depend on
            (t, q, v) only: a function is called in any order, and again for the samples.
        values: {parameter: number} for parameters that differ from the robot's defaults.
        external: Wrenches of external loads, in the same forms as `control`.
        method: "DOP853", "RK45" or "RK23"; for stiff robots "Radau", "BDF" or "LSODA"; with a fixed step
            "rk4", "semi_implicit_euler" or "implicit_midpoint".
        rtol: Relative tolerance of a method with a variable step.
        atol: Absolute tolerance of a method with a variable step [rad, m, rad/s, m/s]; by default 1e-12
            times the characteristic sizes of the robot, so that small and slow robots are not simulated
            less exactly: 1 rad, its largest length L, and these per √(L/|g|) or per duration.
        t_eval: Times of the samples [s], by default the solver's steps. If an event ends the run, its
            time is added.
        events: Expressions or functions whose zero crossings to find, see `Event`.
        step: Fixed step [s], or the largest step of a method with a variable step.
        progress: True, False, or a function of the time; by default a bar if the run takes long and
            stderr is a terminal.
        smoothing: Width [rad/s, m/s] of tanh(u/width), which then replaces every sign(u). By default
            dry friction sticks and slips exactly.
        max_steps: Largest number of steps of a method with a variable step.
        limits: Joint limits are not forces. "report": the result lists violations in
            `limit_violations`. "stop": the run ends when a coordinate or speed reaches its limit
            (`stopped_by`), and must start within the limits.
        start_gap: Largest gap of a loop [m, rad] that the initial state may have; by default any gap is
            closed.

    Returns:
        The motion, a `Trajectory`.

    Raises:
        SimulationError: The integration failed; the error has the motion up to there.
        AssemblyError: A loop cannot be closed, or the initial state violates it by more than
            `start_gap`.
        EvaluationError: An argument has the wrong shape or value, or a parameter has no value.
        UnknownNameError: An argument contains an unknown name.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> motion = simulate(derive(load("rr_arm")), q={"q1": 1}, duration=2, control={"tau2": "-dq2"})
    >>> bool(abs(motion.energy.drift).max() < 1e-8)
    True
    """
    expect_equations(eom, "simulate")
    if callable(progress):
        expect_function(f"{_PLACE}: progress", progress, "t")
    if not is_one_of(method, (*ADAPTIVE, *FIXED)):
        raise UnknownMethodError("method", method, (*ADAPTIVE, *FIXED), _PLACE)
    if not eom.v:
        raise EvaluationError(
            f"{_PLACE}: robot {eom.robot.name!r} cannot move; it must have at least one joint that is "
            f"not fixed."
        )
    time = _above_zero("duration", duration, "s")
    parameters = _parameters(eom, values)
    initial = _initial(eom, q, v)
    if closing_rows(eom):
        initial = _assembled(eom, q, v, values, start_gap)
        if method == "LSODA":
            raise EvaluationError(
                f"{_PLACE}: the method must allow projections after each step for a robot with loops or "
                f"sticking contacts, got 'LSODA'; use 'Radau' or 'BDF'."
            )
    width = None if smoothing is None else _above_zero("smoothing", smoothing, "rad/s or m/s")
    with waiting("compiling the motion"):
        flow = Flow(eom, control, external, parameters, width)
    watched = watch(eom, parameters, events)
    if not is_one_of(limits, ("report", "stop")):
        raise EvaluationError(f'{_PLACE}: limits must be "report" or "stop", got {brief(limits)}.')
    if limits == "stop":
        watched += limit_events(eom, parameters, initial)
    _require_used(flow, watched)
    for event in watched:
        if event.expression is not None:
            event.enclose(eom, flow.parameters, flow.at_unit([event.expression])[0])
    y = np.concatenate([initial, np.zeros(len(flow.work))])
    closed = closing(eom, flow.parameters, rtol if method in ADAPTIVE else FIXED_STEP_ERROR)
    if closed is not None:
        closed.start(y)
    # before a run that may take small steps for this reason
    warned = warn_of_wrong_accelerations(_trajectory(flow, method, Run(t=[0.0], y=[y])))
    with counting("simulating", float(time), "s", progress) as tell, np.errstate(all="ignore"):
        if method in FIXED:
            if step is None:
                raise EvaluationError(
                    f"{_PLACE}: method={method!r} needs a fixed step; pass step= in seconds."
                )
            if t_eval is not None or width is not None:
                argument = "t_eval" if width is None else "smoothing"
                raise EvaluationError(
                    f"{_PLACE}: {argument} can be used only with a variable step "
                    f"({', '.join(ADAPTIVE)}), got method={method!r}."
                )
            h = _above_zero("step", step, "s")
            run = run_fixed(flow, y, time, h, method, watched, tell, closed)
        else:
            tolerance = _tolerance(rtol, atol)
            sizes = _sizes(flow.parameters, initial, time)
            largest = np.inf if step is None else _above_zero("step", step, "s")
            times = None if t_eval is None else _times(t_eval, time)
            most = read_positive_integer("max_steps", max_steps, _PLACE)
            chosen = partition(eom, flow.parameters)
            task = Task(
                flow, time, method, tolerance, sizes, times, watched, largest, tell, most, closed,
                chosen,
                reach=reach(eom, flow.parameters),
            )  # fmt: skip
            run = solve(task, y)
            if run.switch is not None:
                flow, run = continued(task, run, y, Driven(control, external, width), rtol)
    trajectory = _trajectory(flow, method, run)
    if not warned:
        warn_of_wrong_accelerations(trajectory)  # a reason for a failure, too
    if run.broken is not None:
        raise _error(flow.eom, method, run, trajectory)
    warn_of_drift(trajectory)
    return trajectory


def _trajectory(flow: Flow, method: str, run: Run) -> Trajectory:
    """Trajectory of a run: samples as arrays, with inputs and accelerations."""
    eom, n, m = flow.eom, flow.n_q, flow.n_q + flow.n_v
    t = np.array(run.t)
    y = np.array(run.y).reshape(len(t), flow.size if not run.y else len(run.y[0]))
    lengths = [np.linalg.norm(y[:, group], axis=1) for group in flow.unit]
    q, v = flow.projected(y[:, :n]), y[:, n:m].copy()
    s = np.array(run.s).reshape(len(t), -1) if run.s else flow.plain_directions(t, q, v)
    signs, directions = flow.known_signs(t, q, v, s)
    # What drove the robot: while a sign sticks, a control with this sign has a value in between.
    inputs, external = flow.driven(t, q, v, dict(zip(signs, directions.T, strict=True)))
    rates = flow.batch_rates(t, q, v, inputs, external, s)
    work = {name: y[:, m + k].copy() for k, name in enumerate(flow.work)}
    work |= {name: np.zeros(len(t)) for name in flow.still}
    return Trajectory(
        eom, method, t, q, v, rates[:, n:m].copy(), inputs, external,
        values=dict(zip((x.name for x in eom.parameters), flow.parameters.tolist(), strict=True)),
        work=work,
        lengths=np.array(lengths).reshape(len(lengths), len(t)).T,
        signs=signs, directions=directions,
        events={name: np.array(x) for name, x in run.events.items()},
        stopped_by=run.stopped_by,
        steps=Steps(run.edges, run.pieces) if run.pieces else None,
        projections=np.array(run.projected) if run.projected else None,
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
    cause = (
        "step is too large" if method in FIXED else "tolerance is too small for double precision"
    )
    advice = run.advice or f"The motion diverges or is not smooth there, or the {cause}"
    return SimulationError(
        f"{_PLACE} by {method} failed at t = {t:.9g} s: {run.broken.rstrip('.')}. {advice}. State: "
        f"{state}{' …' * (m > 12)}; error.trajectory has the motion up to there.",
        t, y[:n].copy(), y[n:m].copy(), trajectory,
    )  # fmt: skip


# -- arguments -----------------------------------------------------------------------------------------
def _initial(eom: EquationsOfMotion, q: Any, v: Any) -> Floats:
    """Initial state (q, v); quaternions of nearly length 1 are normalised."""
    space = eom.robot.state_space
    arguments = ((space.q, q), (space.v, v))
    advice = "eq.rollout runs a batch"
    return np.concatenate(
        [Reader(_PLACE, part, exact=True).read_state(x, advice) for part, x in arguments]
    )


def _assembled(eom: EquationsOfMotion, q: Any, v: Any, values: Any, start_gap: Any) -> Floats:
    """Initial state (q, v) on the loops and contacts."""
    state = assemble(eom, q, v, values, start_gap)
    return np.concatenate([state.q, state.v])


def _parameters(eom: EquationsOfMotion, values: Any) -> Floats:
    """Values of all parameters, in their order; NaN without a value."""
    reader = Reader(_PLACE, eom.robot.state_space.values, exact=True)
    numbers = reader.default()
    for name, x in reader.read_given(values).items():
        numbers[reader.part.position[name]] = x
    return numbers


def _require_used(flow: Flow, watched: Sequence[Watched]) -> None:
    """Raise an error if a parameter that is used has no value; set unused ones to 0."""
    from ...algebra.expr.walk import symbols

    missing = np.isnan(flow.parameters)
    if not missing.any():
        return
    eom, robot = flow.eom, flow.eom.robot
    springs = [f.energy for f in eom.forces.values() if f.energy is not None]
    joints = ChosenSpeeds(robot).insert([*robot.joint_coordinates, *robot.joint_speeds])
    events = [w.expression for w in watched if w.expression is not None]
    d = eom.derivation
    forces = [x for f in d.forces.values() for x in f]
    used = {
        *symbols(flow.entries),
        *symbols([*d.mass_matrix.entries, *d.bias, *d.gravity, *forces]),
    }
    used |= {*symbols([eom.kinetic_energy, eom.potential_energy, *springs, *joints, *events])}
    names = [s.name for s, x in zip(eom.parameters, missing, strict=True) if x and s in used]
    if names:
        raise no_value(_PLACE, robot.name, names)
    flow.parameters[missing] = 0


def _number(what: str, x: Any) -> float:
    try:
        number = as_float(x)
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


def _sizes(
    parameters: Floats, initial: Floats, duration: float
) -> Callable[[EquationsOfMotion], Floats]:
    """Function that returns the sizes of the states (q, v) of equations of the robot."""

    def sizes(eom: EquationsOfMotion) -> Floats:
        own = CharacteristicSizes.of_parameters(eom, parameters)
        return own.of_motion(initial, duration).states(duration)

    return sizes


def _tolerance(rtol: Any, atol: Any) -> tuple[float, float | None]:
    relative = _above_zero("rtol", rtol, "")
    absolute = None if atol is None else _above_zero("atol", atol, "")
    if relative < SMALLEST_RTOL:
        raise EvaluationError(
            f"{_PLACE}: rtol must be at least {SMALLEST_RTOL:.3g}, the limit of double precision, got "
            f"{relative:g}."
        )
    return relative, absolute


def _times(t_eval: Any, duration: float) -> Floats:
    try:
        times = np.asarray(t_eval, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise EvaluationError(
            f"{_PLACE}: t_eval must contain times in seconds, got {brief(t_eval)}."
        ) from None
    valid = times.ndim == 1 and len(times) > 0 and bool(np.isfinite(times).all())
    if valid and duration < times[-1] <= duration * (1 + _ROUNDING):
        times = np.minimum(times, duration)
    if not valid or not (np.diff(times) > 0).all() or times[0] < 0 or times[-1] > duration:
        raise EvaluationError(
            f"{_PLACE}: t_eval must be increasing times between 0 and duration={duration:g} s, got "
            f"{brief(t_eval)}."
        )
    return times
