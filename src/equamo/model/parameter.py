"""Parameter: a symbol with a default value, a unit and a description."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from ..errors import ModelError, NumberRangeError
from ..expr import Expr, as_expr, symbol
from ..expr.evaluate import nearest_double
from ..wording import brief


def in_range(what: str, value: Fraction | int) -> None:
    """ModelError if an exact number is too large to be computed with in double precision."""
    try:
        nearest_double(value)
    except NumberRangeError as error:
        raise ModelError(f"{what}: {error}") from None


@final
@dataclass(frozen=True, slots=True)
class Parameter:
    """A number of the robot that has a name: a length, a mass, an entry of an inertia.

    >>> Parameter("m1", 2, "kg", "mass of the upper arm").symbol
    m1
    """

    name: str
    value: Fraction | int | None = None  # default; None: must be given before numbers are asked for
    unit: str = ""
    description: str = ""
    nonnegative: bool = False  # never below 0, for proofs that friction dissipates

    def __post_init__(self) -> None:
        if self.value is not None:
            in_range(f"The value of the parameter {self.name!r}", self.value)
        if self.nonnegative and self.value is not None and self.value < 0:
            raise ModelError(f"The parameter {self.name!r} is not negative; {self.value} is.")

    @property
    def symbol(self) -> Expr:
        return symbol(self.name)


def parameter(name: str, given: Any) -> Parameter:
    """A Parameter from what a user gives beside its name: a number, or a Parameter."""
    if isinstance(given, Parameter):
        return given
    if given is None:
        return Parameter(name)
    value = as_expr(given).value
    if value is None:
        raise ModelError(f"The value of the parameter {name!r} is a number, not {brief(given)}.")
    return Parameter(name, value)
