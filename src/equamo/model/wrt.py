"""With respect to what functions of q are differentiated: displacements, or coordinates."""

from __future__ import annotations

from typing import Final, Literal

from ..errors import EquamoError
from ..wording import brief

Wrt = Literal["tangent", "coordinates"]
WRT: Final[tuple[Wrt, ...]] = ("tangent", "coordinates")


def check_wrt(wrt: object, place: str) -> None:
    """Check the choice that a user made."""
    if wrt not in WRT:
        raise EquamoError(f"{place}: wrt must be 'tangent' or 'coordinates', got {brief(wrt)}.")
