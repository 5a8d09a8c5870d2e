"""What a batch of runs starts from and is driven by, as arrays; what does not fit is said in full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, cast, final

import numpy as np

from ..equations.equations import EquationsOfMotion
from ..equations.state_reader import Array, Reader, batch_size, no_value
from ..errors import EvaluationError
from ..expr import Expr
from ..wording import brief
from .inputs import insert

PLACE: Final = "rollout"
MOST_STEPS: Final = 2**53  # from there on k·step has no digits left for one step more


@final
@dataclass(frozen=True)
class Conditions:
    """Of N runs: initial (N, n), inputs (N or 1, T or 1, m), external (k,) or (N, k)."""

    eom: EquationsOfMotion
    single: bool  # one run, given without N
    initial: Array
    expressions: tuple[Expr, ...] | None  # of the inputs, if they are compiled in
    inputs: Array
    external: Array
    values: Array  # of all parameters, (p,) or (N, p); NaN where there is none
    given: frozenset[str]  # parameters whose value was given

    def parameters(self, read: Sequence[str], numeric: bool) -> Array:
        """Values of the parameters that the code reads; `numeric`: the others are part of it."""
        names = [s.name for s in self.eom.parameters]
        for name in sorted(self.given - set(read)) if numeric else ():
            raise EvaluationError(
                f'{PLACE} with parameters="numeric": the value of {name!r} is part of the code. '
                f"Without that option values can be given."
            )
        missing = set(self.eom.robot.state_space.missing(self.given))
        if missing.intersection(read):
            raise no_value(PLACE, self.eom.robot.name, [n for n in read if n in missing])
        return np.ascontiguousarray(self.values[..., [names.index(n) for n in read]])


def read_conditions(
    eom: EquationsOfMotion, steps: int, q: Any, v: Any, control: Any, values: Any, external: Any
) -> Conditions:
    """All that was given for runs of so many steps."""
    space = eom.robot.state_space
    parameters = Reader(PLACE, space.values, exact=True)
    table = parameters.table(values)
    given = frozenset(parameters.names_of(table))
    shared: dict[str, Array] = {
        "q": Reader(PLACE, space.q, exact=True).read_states(q),
        "v": Reader(PLACE, space.v, exact=True).read_states(v),
        "external": Reader(PLACE, space.external, exact=True).read_states(external),
        "values": parameters.read_names(table),
    }
    chosen = [s for s in eom.parameters if s.name in given]
    columns = [parameters.part.position[s.name] for s in chosen]
    Reader(PLACE, space.values.only(chosen)).finite(shared["values"][..., columns])
    several = any(x.ndim == 2 for x in shared.values())
    expressions, inputs = None, np.empty((1, 1, 0))
    if control is None or _is_numbers(control):
        inputs = _inputs(eom, steps, control, several)
    else:
        expressions = _compiled_in(eom, control)
    if len(inputs) != 1:
        shared["control"] = inputs[:, 0]
    found = batch_size(PLACE, shared)
    if found == 0:
        raise EvaluationError(f"{PLACE}: a batch of 0 states was given.")
    n = len(eom.q)
    initial = np.empty((found or 1, n + len(eom.v)))
    initial[:, :n], initial[:, n:] = shared["q"], shared["v"]
    return Conditions(
        eom,
        found is None,
        initial,
        expressions,
        inputs,
        shared["external"],
        shared["values"],
        given,
    )


# -- control -------------------------------------------------------------------------------------------
def _inputs(eom: EquationsOfMotion, steps: int, control: Any, several: bool) -> Array:
    """(N or 1, T or 1, m) of numbers; two axes are (N, m) of several runs, (T, m) of one."""
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
        array = rows[:, None] if several and array.ndim == 2 else rows[None]
    if array.shape[1] not in (1, steps):
        raise EvaluationError(
            f"{PLACE}: control has one row of {m} inputs for each of {steps} steps, or one for all, "
            f"not {array.shape[1]} rows."
        )
    return array


def _compiled_in(eom: EquationsOfMotion, control: Any) -> tuple[Expr, ...]:
    found = insert(eom, control)
    if found is None:
        raise EvaluationError(
            f"{PLACE} runs in machine code: control is expressions in q, v and t, or numbers, not "
            f"{brief(control)}. A Python function goes with eq.simulate."
        )
    return tuple(found)


def _is_numbers(control: Any) -> bool:
    """Whether a control is numbers, not expressions."""
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
    """A finite time [s]."""
    try:
        number = float(x)
    except OverflowError:
        raise EvaluationError(f"{PLACE}: {argument} must be below 1.8e308 s.") from None
    except (TypeError, ValueError):
        raise EvaluationError(
            f"{PLACE}: {argument} is a time in seconds, not {brief(x)}."
        ) from None
    if not isfinite(number):
        raise EvaluationError(f"{PLACE}: {argument} is a finite time in seconds, not {number}.")
    return number


def read_whole(argument: str, x: Any, place: str = PLACE) -> int:
    """A whole number from 1."""
    if isinstance(x, bool) or not hasattr(x, "__index__") or x < 1:
        raise EvaluationError(f"{place}: {argument} is a whole number from 1, not {brief(x)}.")
    return int(x)


def number_of_steps(step: Any, steps: Any, duration: Any) -> int:
    """How many steps there are in a duration, if they were not counted by the caller."""
    h = read_time("step", step)
    if h <= 0:
        raise EvaluationError(f"{PLACE}: step is a time above 0 s, not {h:g}.")
    if (steps is None) == (duration is None):
        raise EvaluationError(f"{PLACE}: give either steps or duration.")
    if steps is None:
        return whole_steps(PLACE, read_time("duration", duration), h)
    count = read_whole("steps", steps)
    if count > MOST_STEPS:
        raise EvaluationError(
            f"{PLACE}: steps must be at most {MOST_STEPS}, got about 2^{count.bit_length()}."
        )
    return count


def whole_steps(place: str, duration: float, step: float) -> int:
    """How many steps of `step` seconds there are in `duration` seconds; both are finite.

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
        near = f"; step={duration / max(count, 1):.6g} is near" if duration > 0 else ""
        raise EvaluationError(
            f"{place}: duration={duration:g} s is not a whole number of steps of {step:g} s{near}."
        )
    return count
