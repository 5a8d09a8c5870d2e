"""Parameter: a symbol with a default value, a unit and a description."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from ...algebra.expr import Expr, as_expr, symbol
from ...algebra.expr.evaluate import nearest_double
from ...basics.arguments import flag
from ...basics.wording import brief
from ...errors import ModelError, NumberRangeError


def in_range(what: str, value: Fraction | int) -> None:
    """Check that an exact number is in the range of double precision; ModelError otherwise."""
    try:
        nearest_double(value)
    except NumberRangeError as error:
        raise ModelError(f"{what}: {error}") from None


@final
@dataclass(frozen=True, slots=True)
class Parameter:
    """Named number of a robot: a length, a mass, an entry of an inertia.

    Attributes:
        name: Symbol of the parameter.
        value: Default value; None if there is none, so that it must be passed for computations.
        unit: Unit, such as "kg m²".
        description: What it is.
        nonnegative: Never below 0; for proofs that friction dissipates.

    >>> Parameter("m1", 2, "kg", "mass of the upper arm").symbol
    m1
    """

    name: str
    value: Fraction | int | None = None
    unit: str = ""
    description: str = ""
    nonnegative: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore
            raise ModelError(
                f"The name of a parameter must be non-empty text, got {brief(self.name)}."
            )
        if self.value is not None:
            if not isinstance(self.value, (int, Fraction)):  # pyright: ignore
                raise ModelError(
                    f"The value of parameter {self.name!r} must be an int or a Fraction, got "
                    f"{brief(self.value)}; parameters={{{self.name!r}: …}} of Robot takes decimals."
                )
            in_range(f"The value of parameter {self.name!r}", self.value)
        positive = flag(f"nonnegative of parameter {self.name!r}", self.nonnegative)
        if positive and self.value is not None and self.value < 0:
            raise ModelError(f"The value of parameter {self.name!r} must be ≥ 0, got {self.value}.")

    @property
    def symbol(self) -> Expr:
        """Symbol in expressions."""
        return symbol(self.name)


def parameter(name: str, value: Any) -> Parameter:
    """Parameter from a number, a Parameter, or None for a parameter without a value."""
    if isinstance(value, Parameter):
        return value
    if value is None:
        return Parameter(name)
    number = as_expr(value).value
    if number is None:
        raise ModelError(f"The value of parameter {name!r} must be a number, got {brief(value)}.")
    return Parameter(name, number)
