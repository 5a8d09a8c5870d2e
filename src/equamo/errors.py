"""Every error a user can meet. Each message names the thing, the place and the valid choices."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

from .wording import at_most, brief, with_article

LONGEST: Final = 4000  # characters of a message, whatever a user gave
LONGEST_NAME: Final = 200  # characters of a name that are compared with the valid ones


class EquamoError(Exception):
    """Base of all errors raised on purpose by equamo; its text has a limit."""

    def __str__(self) -> str:
        return at_most(super().__str__(), LONGEST)


class ExpressionError(EquamoError):
    """An expression that cannot be built: division by zero, a power out of range …"""


class BudgetWarning(UserWarning):
    """A closed form that does not fit its budget; the shared form is returned instead."""


class EnergyDriftWarning(UserWarning):
    """A motion in which no force does work, but whose energy drifts by more than a tenth."""


class ParseError(EquamoError):
    """Text that is not an expression; `position` counts characters from 0."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position


class UnknownNameError(EquamoError):
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
        problem = f"There is no {kind} {brief(name)}{where}."
        if not isinstance(name, (str, int, float)):  # a matrix, say, in the place of a name
            article = with_article(kind)
            problem = f"{article[0].upper()}{article[1:]} is given by its name, not by "
            problem += f"{brief(name)}{where}."
        super().__init__(f"{problem}{hint} Valid: {shown or 'none'}.")
        self.name = name
        self.valid = choices


class ShapeError(EquamoError):
    """Vectors or matrices whose sizes do not fit."""


class ModelError(EquamoError):
    """A robot that cannot be: a missing parent, a wrong number of inertia entries …"""


class EvaluationError(EquamoError):
    """Numbers that cannot be computed: a state of the wrong shape, a parameter without a value …"""


class UnknownEntryError(UnknownNameError, EvaluationError):
    """A name of a state or of values that the robot does not have."""


class NumberRangeError(EvaluationError, OverflowError):
    """An exact number outside the range of double precision, where a float is needed."""


class FileFormatError(EquamoError):
    """A file that is not what it should be: damaged, of another version, of another kind."""


class ConstraintError(EquamoError):
    """Constraints or speeds that do not go together: inconsistent, nonlinear, not to be kept …"""
