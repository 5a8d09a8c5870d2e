"""What a batch of runs starts from and is driven by, as arrays; what does not fit is said in full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, cast, final

import numpy as np

from ..equations.equations import EquationsOfMotion
from ..errors import EvaluationError
from ..expr import Expr
from ..jit.arrays import Array, Slot, batch_size, native
from ..model.unit_quaternions import unit_length
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
        x = self.values[..., [names.index(n) for n in read]]
        for k, name in enumerate(read):
            if not np.isfinite(x[..., k]).all():
                raise EvaluationError(
                    f"{PLACE}: the parameter {name!r} of robot {self.eom.robot.name!r} has no finite "
                    f"value; give one with values={{{name!r}: …}}."
                )
        return np.ascontiguousarray(x)


def read_conditions(
    eom: EquationsOfMotion, steps: int, q: Any, v: Any, control: Any, values: Any, external: Any
) -> Conditions:
    """All that was given for runs of so many steps."""
    home = eom.robot.home
    table = _table("values", values)
    shared = {
        "q": _finite("q", _read(_slot("q", eom.q, home.q), q)),
        "v": _finite("v", _read(_slot("v", eom.v, home.v), v)),
        "external": _finite("external", _read(_slot("external", eom.external, {}), external)),
        "values": _slot("values", eom.parameters, eom.robot.values).read_names(table),
    }
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
    initial[:, :n] = unit_length(eom.robot, PLACE, initial[:, :n])
    given = frozenset(str(getattr(key, "name", key)) for key in table)
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
    slot = _slot("control", eom.inputs, eom.robot.home.inputs)
    m = len(slot.names)
    if control is None or isinstance(control, Mapping):
        array = _finite("control", _read(slot, control))
        return array[:, None] if array.ndim == 2 else array[None, None]
    array = np.asarray(control)
    if array.ndim == 3:
        slot.read(array.reshape(-1, array.shape[2]))  # an error names the inputs
        array = _finite("control", array)
    else:
        array = _finite("control", slot.read(array))
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
def _slot(argument: str, symbols: Sequence[Expr], table: Mapping[str, Any]) -> Slot:
    numbers = [table.get(s.name, 0) for s in symbols]
    defaults = tuple(None if x is None else float(x) for x in numbers)
    return Slot(PLACE, argument, tuple(s.name for s in symbols), defaults)


def _read(slot: Slot, given: Any) -> Array:
    return slot.default() if given is None else slot.read(given)


def _table(argument: str, given: Any) -> Mapping[Any, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise EvaluationError(
            f"{PLACE}: {argument} is {{name of a parameter: number}}, not {brief(given)}."
        )
    return cast(Mapping[Any, Any], given)


def _finite(argument: str, x: Array) -> Array:
    """The array as float64, if all of it is finite."""
    bad = np.argwhere(~np.isfinite(x))
    if len(bad):
        place = ", ".join(str(k) for k in bad[0])
        number = x[tuple(bad[0])]
        raise EvaluationError(f"{PLACE}: {argument}[{place}] is {number}; give finite numbers.")
    return native(x, "float64")


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
