"""Initial states, inputs, loads and parameters of a batch of runs, checked and converted to arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Final, cast, final

import numpy as np

from ...algebra.expr import Expr
from ...basics.arguments import as_float, whole_number
from ...basics.wording import brief, counted
from ...errors import EquamoError, EvaluationError
from ...mechanics.equations.assembly import names_in
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.state_reader import Array, Reader, batch_size, no_value
from .inputs import insert

PLACE: Final = "rollout"
MOST_STEPS: Final = 2**53  # beyond it k·step cannot represent one step more


@final
@dataclass(frozen=True)
class Conditions:
    """Conditions of N runs: initial (N, n), inputs (N or 1, T or 1, m), external (k,) or (N, k)."""

    eom: EquationsOfMotion
    single: bool  # one run, without a batch axis
    initial: Array
    expressions: tuple[Expr, ...] | None  # of the inputs, if they are compiled in
    inputs: Array
    external: Array
    values: Array  # of all parameters, (p,) or (N, p); NaN without a value
    explicit: frozenset[str]  # parameters in the argument `values`
    place: str = PLACE  # function, for messages
    named: tuple[str, ...] = ()  # coordinates and speeds given by name

    def parameters(self, read: Sequence[str], numeric: bool) -> Array:
        """Values of the parameters that the code reads; if `numeric`, the others are compiled in."""
        names = [s.name for s in self.eom.parameters]
        for name in sorted(self.explicit - set(read)) if numeric else ():
            raise EvaluationError(
                f'{self.place} with parameters="numeric" must use the default values, which are '
                f'compiled in, got a value for {name!r}; use parameters="symbolic" to pass values.'
            )
        missing = set(self.eom.robot.state_space.missing(self.explicit))
        if missing.intersection(read):
            raise no_value(self.place, self.eom.robot.name, [n for n in read if n in missing])
        return np.ascontiguousarray(self.values[..., [names.index(n) for n in read]])

    def only(self, runs: Sequence[int]) -> Conditions:
        """Conditions of the given runs."""
        rows, count = list(runs), len(self.initial)
        inputs = self.inputs[rows] if len(self.inputs) == count else self.inputs
        external, values = (x[rows] if x.ndim == 2 else x for x in (self.external, self.values))
        return replace(
            self, initial=self.initial[rows], inputs=inputs, external=external, values=values
        )


def read_conditions(
    eom: EquationsOfMotion, steps: int, q: Any, v: Any, control: Any, values: Any, external: Any
) -> Conditions:
    """Conditions of runs of `steps` steps, from the arguments of `rollout`."""
    space = eom.robot.state_space
    parameters = Reader(PLACE, space.values, exact=True)
    table = parameters.table(values)
    explicit = frozenset(parameters.names_of(table))
    shared: dict[str, Array] = {
        "q": Reader(PLACE, space.q, exact=True).read_states(q),
        "v": Reader(PLACE, space.v, exact=True).read_states(v),
        "external": Reader(PLACE, space.external, exact=True).read_states(external),
        "values": parameters.read_names(table),
    }
    chosen = [s for s in eom.parameters if s.name in explicit]
    columns = [parameters.part.position[s.name] for s in chosen]
    Reader(PLACE, space.values.only(chosen)).finite(shared["values"][..., columns])
    batched = any(x.ndim == 2 for x in shared.values())
    expressions, inputs = None, np.empty((1, 1, 0))
    if control is None or _is_numbers(control):
        inputs = _inputs(eom, steps, control, batched)
    else:
        expressions = _compiled_in(eom, control)
    if len(inputs) != 1:
        shared["control"] = inputs[:, 0]
    size = batch_size(PLACE, shared)
    if size == 0:
        raise EvaluationError(f"{PLACE}: a batch must have at least one state, got 0.")
    n = len(eom.q)
    initial = np.empty((size or 1, n + len(eom.v)))
    initial[:, :n], initial[:, n:] = shared["q"], shared["v"]
    return Conditions(
        eom,
        size is None,
        initial,
        expressions,
        inputs,
        shared["external"],
        shared["values"],
        explicit,
        named=(*names_in(q), *names_in(v)),
    )


# -- control -------------------------------------------------------------------------------------------
def _inputs(eom: EquationsOfMotion, steps: int, control: Any, batched: bool) -> Array:
    """Inputs (N or 1, T or 1, m); two axes mean (N, m) for a batch and (T, m) for one run."""
    reader = Reader(PLACE, eom.robot.state_space.inputs, "control")
    m = reader.part.size
    if control is None or isinstance(control, Mapping):
        array = reader.finite(reader.read_or_home(control))
        return array[:, None] if array.ndim == 2 else array[None, None]
    array = np.asarray(control)
    if array.ndim == 3:
        if array.shape[2] != m:
            raise reader.shape_error(array.shape)
        array = reader.finite(array)
    else:
        array = reader.finite(reader.read(array))
        rows = array if array.ndim == 2 else array[None]
        array = rows[:, None] if batched and array.ndim == 2 else rows[None]
    if array.shape[1] not in (1, steps):
        raise EvaluationError(
            f"{PLACE}: control must have one row of {counted(m, 'input')} for each of the {steps} "
            f"steps, or one row for all, got {array.shape[1]} rows."
        )
    return array


def _compiled_in(eom: EquationsOfMotion, control: Any) -> tuple[Expr, ...]:
    entries = insert(eom, control)
    if entries is None:
        raise EvaluationError(
            f"{PLACE}: control must be numbers or expressions in q, v and t, because it is compiled, "
            f"got {brief(control)}; use eq.simulate for a Python function."
        )
    return tuple(entries)


def _is_numbers(control: Any) -> bool:
    """Whether a control contains only numbers, not expressions."""
    if isinstance(control, Mapping):
        return all(_is_numbers(x) for x in cast(Mapping[Any, Any], control).values())
    if isinstance(control, (str, Expr)) or callable(control):
        return False
    try:
        return np.asarray(control).dtype.kind in "biuf"
    except ValueError:  # rows of different lengths
        return False


# -- numbers -------------------------------------------------------------------------------------------
def read_time(argument: str, x: Any) -> float:
    """Convert an argument to a finite time [s]."""
    try:
        number = as_float(x)
    except OverflowError:
        raise EvaluationError(f"{PLACE}: {argument} must be below 1.8e308 s.") from None
    except (TypeError, ValueError):
        raise EvaluationError(
            f"{PLACE}: {argument} must be a time in seconds, got {brief(x)}."
        ) from None
    if not isfinite(number):
        raise EvaluationError(
            f"{PLACE}: {argument} must be a finite time in seconds, got {number}."
        )
    return number


def read_positive_integer(argument: str, x: Any, place: str = PLACE) -> int:
    """Convert an argument to an integer ≥ 1."""
    try:
        return whole_number(f"{place}: {argument}", x, 1)
    except EquamoError:
        raise EvaluationError(
            f"{place}: {argument} must be an integer ≥ 1, got {brief(x)}."
        ) from None


def number_of_steps(step: Any, steps: Any, duration: Any) -> int:
    """Number of steps, from `steps` or `duration`."""
    h = read_time("step", step)
    if h <= 0:
        raise EvaluationError(f"{PLACE}: step must be greater than 0 s, got {h:g}.")
    if (steps is None) == (duration is None):
        both = "neither" if steps is None else "both"
        raise EvaluationError(f"{PLACE} needs either steps or duration, got {both}.")
    if steps is None:
        return whole_steps(PLACE, read_time("duration", duration), h)
    count = read_positive_integer("steps", steps)
    if count > MOST_STEPS:
        raise EvaluationError(
            f"{PLACE}: steps must be at most {MOST_STEPS}, got about 2^{count.bit_length()}."
        )
    return count


def whole_steps(place: str, duration: float, step: float) -> int:
    """Number of steps of `step` seconds in `duration` seconds, which are both finite.

    >>> whole_steps("simulate", 1.0, 0.1)
    10
    """
    if duration > step * MOST_STEPS:
        raise EvaluationError(
            f"{place}: a run must have at most {MOST_STEPS} steps, got duration={duration:g} s in "
            f"steps of {step:g} s; take a longer step."
        )
    count = round(duration / step)
    if count < 1 or abs(count * step - duration) > 1e-9 * duration:
        near = f"; use step={duration / max(count, 1):.6g}" if duration > 0 else ""
        raise EvaluationError(
            f"{place}: duration must be a multiple of step={step:g} s, got {duration:g} s{near}."
        )
    return count
