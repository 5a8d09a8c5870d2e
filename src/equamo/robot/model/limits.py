"""Limits of a joint coordinate: data for simulation, planning and files; they exert no force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast, final

from ...algebra.expr import Expr, as_expr
from ...basics.wording import brief
from ...errors import ModelError, NumberRangeError, UnknownNameError


@final
@dataclass(frozen=True, slots=True)
class Limits:
    """Range, maximum speed and maximum effort of a coordinate; None means no limit.

    Attributes:
        lower: Lower end of the range [rad] or [m].
        upper: Upper end of the range [rad] or [m].
        speed: Maximum absolute speed [rad/s] or [m/s].
        effort: Maximum absolute torque [N m] or force [N].

    >>> Limits.of("q1", ("-pi/2", 1)).upper
    1
    """

    lower: Expr | None = None
    upper: Expr | None = None
    speed: Expr | None = None
    effort: Expr | None = None

    @staticmethod
    def of(coordinate: str, given: Any) -> Limits:
        """Make the limits of a coordinate.

        Args:
            coordinate: Name of the coordinate, for messages.
            given: (lower, upper), {"lower": …, "speed": …} or Limits.

        Returns:
            The limits, checked.

        Raises:
            ModelError: The limits contradict each other or are not numbers.
            UnknownNameError: Unknown key.
        """
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
                f"The limits of {coordinate!r} must be (lower, upper), got {brief(cast(Any, given))}."
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
            raise ModelError(f"The lower limit of {coordinate!r} must not be above its upper limit "
                             f"{self.upper}, got {self.lower}.")  # fmt: skip
        for what, x in (("speed", self.speed), ("effort", self.effort)):
            if x is not None and (_number(x) or 0) < 0:
                raise ModelError(f"The {what} limit of {coordinate!r} must be ≥ 0, got {x}.")

    def expressions(self) -> tuple[Expr, ...]:
        """All limits that are set."""
        return tuple(x for x in (self.lower, self.upper, self.speed, self.effort) if x is not None)


def _number(x: Expr) -> float | None:
    from ...algebra.expr.walk import symbols

    return None if symbols([x]) else float(x)


def limits_of(
    limits: Mapping[str, Any], coordinates: Iterable[str], robot: str
) -> dict[str, Limits]:
    """Limits by coordinate, from the argument of Robot."""
    valid = list(coordinates)
    for n in limits:
        if n not in valid:
            raise UnknownNameError("coordinate", n, valid, f"the limits of robot {robot!r}")
    return {n: Limits.of(n, x) for n, x in limits.items()}
