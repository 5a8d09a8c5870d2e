"""Every error a user can meet. Each message names the thing, the place and the valid choices.

Where a built-in error says the same (ValueError, KeyError, AttributeError), ours derives from it too.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable, Sequence
from typing import Any, Final, final

from .wording import at_most, brief, with_article

LONGEST: Final = 4000  # characters of a message, whatever a user gave
LONGEST_NAME: Final = 200  # characters of a name that are compared with the valid ones


class EquamoError(Exception):
    """Base of all errors raised on purpose by equamo; its text has a limit."""

    def __str__(self) -> str:
        # A KeyError would show the repr of its text.
        return at_most(Exception.__str__(self), LONGEST)


class ExpressionError(EquamoError, ValueError):
    """An expression that cannot be built: division by zero, a power out of range …"""


class BudgetWarning(UserWarning):
    """A closed form that does not fit its budget; the shared form is returned instead."""


class EnergyDriftWarning(UserWarning):
    """A motion in which no force does work, but whose energy drifts by more than a tenth."""


class ParseError(EquamoError, ValueError):
    """Text that is not an expression; `position` counts characters from 0."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position


class UnknownNameError(EquamoError, KeyError):
    """A name that does not exist where it was used."""

    def __init__(self, kind: str, name: object, valid: Iterable[str], place: str = "") -> None:
        choices = list(dict.fromkeys(str(v) for v in valid))
        text = name if isinstance(name, str) else brief(name)
        near = difflib.get_close_matches(text[:LONGEST_NAME], choices, n=3)
        hint = f" Did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
        shown = ", ".join(choices[:12]) + (
            f", … ({len(choices)} in all)" if len(choices) > 12 else ""
        )
        where = f" in {place}" if place else ""
        problem = f"Unknown {kind} {brief(name)}{where}."
        if not isinstance(name, (str, int, float)):  # a matrix, say, in the place of a name
            subject = f"{place}: {with_article(kind)}" if place else with_article(kind).capitalize()
            problem = f"{subject} must be given by name, got {brief(name)}."
        super().__init__(f"{problem}{hint} Valid: {shown or 'none'}.")
        self.name = name
        self.valid = choices


class ShapeError(EquamoError, ValueError):
    """Vectors or matrices whose sizes do not fit."""


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
        self.frames = expected, got


class ModelError(EquamoError, ValueError):
    """A robot that cannot be: a missing parent, a wrong number of inertia entries …"""


class EvaluationError(EquamoError, ValueError):
    """Numbers that cannot be computed: a state of the wrong shape, a parameter without a value …"""


class UnknownEntryError(UnknownNameError, EvaluationError):
    """A name of a state or of values that the robot does not have."""


class NumberRangeError(EvaluationError, OverflowError):
    """An exact number outside the range of double precision, where a float is needed."""


class FileFormatError(EquamoError, ValueError):
    """A file that is not what it should be: damaged, of another version, of another kind."""


class ProofError(EquamoError):
    """What was made from the equations is refuted to be equal to them."""


class ConstraintError(EquamoError, ValueError):
    """Constraints or speeds that do not go together: inconsistent, nonlinear, not to be kept …"""


# -- names -------------------------------------------------------------------------------------------
class UnknownInputError(UnknownNameError, EvaluationError):
    """A name that is none of the inputs, of the external loads, or of the symbols of an expression."""


class UnknownMethodError(UnknownNameError, EvaluationError):
    """A method of integration that does not exist."""


class UnknownFunctionError(UnknownNameError, AttributeError):
    """A function that compiled equations do not have."""


# -- runs --------------------------------------------------------------------------------------------
class SimulationError(EvaluationError):
    """A simulation that broke: `t`, `q`, `v` say where, `trajectory` is the motion up to there."""

    def __init__(self, message: str, t: float, q: Any, v: Any, trajectory: Any) -> None:
        super().__init__(message)
        self.t, self.q, self.v, self.trajectory = t, q, v, trajectory


class DivergenceError(EvaluationError):
    """A run whose state is not finite any more; `broken` says which, when and where."""

    def __init__(self, message: str, broken: Any) -> None:
        super().__init__(message)
        self.broken = broken


class SweepError(EquamoError):
    """Samples that failed. `failures` names them; `results` has all the others in their places."""

    def __init__(self, results: Sequence[Any], failures: Sequence[Any]) -> None:
        shown = "\n".join(f"  {f}" for f in failures[:5])
        more = f"\n  … and {len(failures) - 5} more" if len(failures) > 5 else ""
        super().__init__(
            f"sweep: {len(failures)} of {len(results)} samples failed (the others are in .results; "
            f'errors="keep" returns them all):\n{shown}{more}'
        )
        self.results, self.failures = list(results), list(failures)


class WorkerDiedError(EquamoError):
    """The process that worked on a sample ended, each time it was tried."""


# -- control -----------------------------------------------------------------------------------------
class EquilibriumError(EvaluationError):
    """No inputs keep the speeds as they are at this state."""


class StabilizabilityError(EvaluationError):
    """Inputs that cannot stabilise a system; the message names the states that they do not reach."""


# -- claims ------------------------------------------------------------------------------------------
@final
class ShapeMismatchError(FileFormatError):
    """Vectors or matrices in a formula that do not fit: wrong in print, an error elsewhere."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason  # without the place


# -- warnings ----------------------------------------------------------------------------------------
def callers_level() -> int:
    """`stacklevel` of a warning that names the line of whoever called this package."""
    level, frame = 0, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("equamo."):
        level, frame = level + 1, frame.f_back
    return level
