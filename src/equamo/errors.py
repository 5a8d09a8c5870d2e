"""All errors and warnings that equamo raises on purpose.

A message says what must hold, what was given and what to do. If a built-in error has the same meaning
(ValueError, KeyError, AttributeError), ours derives from it too.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable, Sequence
from typing import Any, Final, final

from .basics.wording import at_most, brief, with_article

LONGEST: Final = 4000  # characters of a message at most
LONGEST_NAME: Final = 200  # characters of a name compared with the valid names


class EquamoError(Exception):
    """Base class of all equamo errors; messages are cut at `LONGEST` characters.

    `path` is the key in the model file to which the error refers: ("bodies", 0, "joint", "axis").
    """

    path: tuple[str | int, ...] = ()  # key in the model file to which the error refers

    def __str__(self) -> str:
        # KeyError.__str__ would return the repr of the message.
        return at_most(Exception.__str__(self), LONGEST)


class ExpressionError(EquamoError, ValueError):
    """Invalid expression: division by zero, an exponent out of range …"""


class BudgetWarning(UserWarning):
    """A closed form exceeds its budget; the shared form is returned instead."""


class EnergyDriftWarning(UserWarning):
    """The energy of a conservative motion drifts by more than 10 %."""


class AccuracyWarning(UserWarning):
    """Rounding makes accelerations of a motion wrong, such as those of very light bodies in loops."""


class ParseError(EquamoError, ValueError):
    """Text that is not a valid expression; `position` counts characters from 0."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position


class UnknownNameError(EquamoError, KeyError):
    """Unknown name; the message lists the valid names and suggests the nearest."""

    def __init__(self, kind: str, name: object, valid: Iterable[str], place: str = "") -> None:
        choices = list(dict.fromkeys(str(v) for v in valid))
        text = name if isinstance(name, str) else brief(name)
        near = difflib.get_close_matches(text[:LONGEST_NAME], choices, n=3)
        hint = f" Did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
        listed = ", ".join(choices[:12]) + (
            f", … ({len(choices)} in all)" if len(choices) > 12 else ""
        )
        where = f" in {place}" if place else ""
        problem = f"Unknown {kind} {brief(name)}{where}."
        if not isinstance(name, (str, int, float)):  # a matrix, say, instead of a name
            subject = f"{place}: {with_article(kind)}" if place else with_article(kind).capitalize()
            problem = f"{subject} must be given by name, got {brief(name)}."
        super().__init__(f"{problem}{hint} Valid: {listed or 'none'}.")
        self.name = name
        self.valid = choices


class ShapeError(EquamoError, ValueError):
    """Vectors or matrices of incompatible sizes."""


class EntryIndexError(EquamoError, IndexError):
    """Index of an entry that a vector or matrix does not have."""


class FrameError(EquamoError, ValueError):
    """Spatial quantities of different frames that were combined; `frames` are the names of both."""

    def __init__(self, operation: str, expected: str, got: str) -> None:
        frames = f"{expected!r} and {got!r}"
        if expected == got:
            frames = f"two frames that are both named {got!r}"
        super().__init__(
            f"{operation}: the frames must be the same, got {frames}; bring one quantity to the frame "
            "of the other with pose @ quantity or pose.inverse @ quantity."
        )
        self.frames: tuple[str, str] = expected, got


class ModelError(EquamoError, ValueError):
    """Invalid robot model: a missing parent, a wrong number of inertia entries …"""


class EvaluationError(EquamoError, ValueError):
    """Failed numerical evaluation: a state of the wrong shape, a parameter without a value …"""


class UnknownEntryError(UnknownNameError, EvaluationError):
    """Unknown name in a state or in `values`."""


class NumberRangeError(EvaluationError, OverflowError):
    """An exact number exceeds the range of double precision where a float is needed."""


class DeviceError(EquamoError):
    """A GPU that is missing, or a failed operation on it; `code` is the driver's error code, or None."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class FileFormatError(EquamoError, ValueError):
    """Unreadable file: damaged, or of another kind or version."""


class ProofError(EquamoError):
    """What was made from the equations is refuted to be equal to them."""


class ConstraintError(EquamoError, ValueError):
    """Invalid constraints or speeds: inconsistent, nonlinear in the speeds, impossible to satisfy …"""


class AssemblyError(EvaluationError):
    """Loops that cannot be closed, or a start that violates them; `loop` and `gap` say where."""

    loop: str  # name of the loop that stays open
    gap: float  # largest remaining error of its equations

    def __init__(self, message: str, loop: str, gap: float) -> None:
        super().__init__(message)
        self.loop, self.gap = loop, gap


# -- names -------------------------------------------------------------------------------------------
class UnknownInputError(UnknownNameError, EvaluationError):
    """Unknown input, external load or symbol of an expression."""


class UnknownMethodError(UnknownNameError, EvaluationError):
    """Unknown integration method."""


class UnknownFunctionError(UnknownNameError, AttributeError):
    """Unknown function of compiled equations."""


class MissingLibraryError(EquamoError, AttributeError):
    """A function needs a library that is not installed; the message names the extra to install."""

    def __init__(self, function: str, library: str, install: str = "", advice: str = "") -> None:
        super().__init__(
            f"{function} needs {library}, which is not installed; run pip install "
            f"{install or library}.{advice and ' ' + advice}"
        )


# -- runs --------------------------------------------------------------------------------------------
class SimulationError(EvaluationError):
    """Failed simulation: `t`, `q`, `v` are its last state, `trajectory` is the motion up to there."""

    t: float  # time of the last state [s]
    q: Any  # its coordinates
    v: Any  # its speeds
    trajectory: Any  # motion up to there

    def __init__(self, message: str, t: float, q: Any, v: Any, trajectory: Any) -> None:
        super().__init__(message)
        self.t, self.q, self.v, self.trajectory = t, q, v, trajectory


class DivergenceError(EvaluationError):
    """The state of a rollout is no longer finite; `broken` says in which run, when and where."""

    def __init__(self, message: str, broken: Any) -> None:
        super().__init__(message)
        self.broken = broken


class SweepError(EquamoError):
    """Some samples of a sweep failed: `failures` lists them, `results` holds the others in order."""

    results: list[Any]  # results in the order of the samples
    failures: list[Any]  # samples that failed

    def __init__(self, results: Sequence[Any], failures: Sequence[Any]) -> None:
        first = "\n".join(f"  {f}" for f in failures[:5])
        more = f"\n  … and {len(failures) - 5} more" if len(failures) > 5 else ""
        super().__init__(
            f"sweep: {len(failures)} of {len(results)} samples failed:\n{first}{more}\n"
            f'The other results are in error.results; pass errors="keep" to get failures as results.'
        )
        self.results, self.failures = list(results), list(failures)


class WorkerDiedError(EquamoError):
    """The worker process of a sample ended at every attempt."""


# -- control -----------------------------------------------------------------------------------------
class EquilibriumError(EvaluationError):
    """No inputs keep the speeds constant at this state."""


class StabilizabilityError(EvaluationError):
    """The inputs cannot stabilise the system; the message names the unreachable states."""


# -- claims ------------------------------------------------------------------------------------------
@final
class ShapeMismatchError(FileFormatError):
    """Incompatible sizes in a formula: a finding in a printed claim, an error elsewhere."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason  # without the place


# -- warnings ----------------------------------------------------------------------------------------
def callers_level() -> int:
    """Return the `stacklevel` at which a warning names the line of the user's code."""
    level, frame = 0, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("equamo."):
        level, frame = level + 1, frame.f_back
    return level
