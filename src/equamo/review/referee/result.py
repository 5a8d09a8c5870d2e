"""Results of the comparison with one library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Literal, final

from ...errors import UnknownNameError
from .difference import Difference

Verdict = Literal["agrees", "explained", "unexplained"]


@final
@dataclass(frozen=True)
class QuantityResult:
    """One quantity: the difference of both sides, and the rules that explain it.

    Attributes:
        quantity: Name of the quantity.
        difference: Largest difference, relative to the largest entry.
        rules: Names of the rules that explain it, if it is above the tolerance.
        remainder: Largest difference after the rules were applied to our robot.
        within: Whether the remaining difference is within the tolerance.
    """

    quantity: str
    difference: Difference
    rules: tuple[str, ...]
    remainder: Difference
    within: bool

    @property
    def verdict(self) -> Verdict:
        if not self.within:
            return "unexplained"
        return "explained" if self.rules else "agrees"


@final
@dataclass(frozen=True)
class Unexplained:
    """A difference that no rule explains, at its largest entry."""

    quantity: str
    entry: str  # name of the entry
    state: Mapping[str, float]  # coordinates, speeds, accelerations and forces by name
    ours: float
    theirs: float
    relative: float

    def __str__(self) -> str:
        return (
            f"{self.entry}: equamo {self.ours:.12g}, theirs {self.theirs:.12g} (relative difference "
            f"{self.relative:.1e})"
        )


@final
@dataclass(frozen=True)
class LibraryResult:
    """Comparison with one library.

    Attributes:
        library: Name of the library.
        version: Its version; empty if it could not read the robot.
        refused: Why the library cannot read the robot; empty if it can.
        quantities: Results by quantity, for those that the library offers.
        rules: Texts of the rules that explain differences, by name.
        unexplained: Differences that no rule explains.
        conventions: Conventions that were converted.
    """

    library: str
    version: str = ""
    refused: str = ""
    quantities: tuple[QuantityResult, ...] = ()
    rules: Mapping[str, str] = field(default_factory=dict[str, str])
    unexplained: tuple[Unexplained, ...] = ()
    conventions: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the robot was compared and every difference is explained."""
        return not self.refused and not self.unexplained

    def __getitem__(self, quantity: str) -> QuantityResult:
        """Result for one quantity.

        Raises:
            UnknownNameError: The quantity was not compared.
        """
        table = {x.quantity: x for x in self.quantities}
        if not isinstance(quantity, str) or quantity not in table:  # pyright: ignore
            raise UnknownNameError(
                "quantity", quantity, table, f"the comparison with {self.library}"
            )
        return table[quantity]

    @property
    def label(self) -> str:
        return f"{self.library} {self.version}".strip()

    def to_data(self) -> dict[str, Any]:
        """Plain data, for JSON; numbers that are not finite are None."""
        return {
            "library": self.library,
            "version": self.version,
            "refused": self.refused,
            "quantities": [
                {
                    "quantity": x.quantity,
                    "verdict": x.verdict,
                    "difference": _number(x.difference.relative),
                    "rules": list(x.rules),
                    "remainder": _number(x.remainder.relative),
                }
                for x in self.quantities
            ],
            "rules": dict(self.rules),
            "unexplained": [
                {
                    "quantity": x.quantity,
                    "entry": x.entry,
                    "ours": _number(x.ours),
                    "theirs": _number(x.theirs),
                    "difference": _number(x.relative),
                    "state": dict(x.state),
                }
                for x in self.unexplained
            ],
            "conventions": list(self.conventions),
        }


def _number(x: float) -> float | None:
    """A number that JSON can represent."""
    return x if isfinite(x) else None
