"""Limits of a joint coordinate: data for simulation, planning and files; no force comes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast, final

from ..errors import ModelError, NumberRangeError, UnknownNameError
from ..expr import Expr, as_expr
from ..wording import brief


@final
@dataclass(frozen=True, slots=True)
class Limits:
    """Range of a coordinate, and the greatest speed and effort; None: no limit.

    >>> Limits.of("q1", ("-pi/2", 1)).upper
    1
    """

    lower: Expr | None = None  # [rad] or [m]
    upper: Expr | None = None
    speed: Expr | None = None  # [rad/s] or [m/s]
    effort: Expr | None = None  # [N m] or [N]

    @staticmethod
    def of(coordinate: str, given: Any) -> Limits:
        """From what a user gives: (lower, upper), {"lower": …, "speed": …} or Limits."""
        if isinstance(given, Limits):
            parts = {n: getattr(given, n) for n in Limits.__slots__}
        elif isinstance(given, Mapping):
            parts = dict(cast(Mapping[str, Any], given))
            for n in parts:
                if n not in Limits.__slots__:
                    raise UnknownNameError(
                        "limit", n, Limits.__slots__, f"coordinate {coordinate!r}"
                    )
        elif isinstance(given, (tuple, list)) and len(cast(Any, given)) == 2:
            parts = dict(zip(("lower", "upper"), cast(Iterable[Any], given), strict=True))
        else:
            raise ModelError(
                f"The limits of {coordinate!r} are (lower, upper), not {brief(cast(Any, given))}."
            )
        limits = Limits(**{n: None if x is None else as_expr(x) for n, x in parts.items()})
        limits._check(coordinate)
        return limits

    def _check(self, coordinate: str) -> None:
        try:
            self._check_numbers(coordinate)
        except NumberRangeError as error:
            raise ModelError(f"The limits of {coordinate!r}: {error}") from None

    def _check_numbers(self, coordinate: str) -> None:
        numbers = [None if x is None else _number(x) for x in (self.lower, self.upper)]
        low, high = numbers
        if low is not None and high is not None and low > high:
            raise ModelError(f"The lower limit of {coordinate!r}, {self.lower}, is above its upper "
                             f"limit {self.upper}.")  # fmt: skip
        for what, x in (("speed", self.speed), ("effort", self.effort)):
            if x is not None and (_number(x) or 0) < 0:
                raise ModelError(f"The greatest {what} of {coordinate!r} is not negative; {x} is.")

    def expressions(self) -> tuple[Expr, ...]:
        """Every expression in it, for a search of symbols."""
        return tuple(x for x in (self.lower, self.upper, self.speed, self.effort) if x is not None)


def _number(x: Expr) -> float | None:
    from ..expr.walk import symbols

    return None if symbols([x]) else float(x)


def limits_of(
    given: Mapping[str, Any], coordinates: Iterable[str], robot: str
) -> dict[str, Limits]:
    """{coordinate: Limits} of a robot, from what its constructor was given."""
    if not isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(
            f"The limits of robot {robot!r} must be {{coordinate: (lower, upper)}}, got {brief(given)}."
        )
    known = list(coordinates)
    for n in given:
        if n not in known:
            raise UnknownNameError("coordinate", n, known, f"the limits of robot {robot!r}")
    return {n: Limits.of(n, x) for n, x in given.items()}
