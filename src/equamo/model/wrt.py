"""Variables of derivatives with respect to q: displacements or coordinates."""

from __future__ import annotations

from typing import Final, Literal

from ..errors import EquamoError
from ..wording import brief

Wrt = Literal["tangent", "coordinates"]
WRT: Final[tuple[Wrt, ...]] = ("tangent", "coordinates")


def check_wrt(wrt: object, place: str) -> None:
    """Check a user's choice."""
    if wrt not in WRT:
        raise EquamoError(f"{place}: wrt must be 'tangent' or 'coordinates', got {brief(wrt)}.")
