"""Variables of derivatives with respect to q: displacements or coordinates."""

from __future__ import annotations

from typing import Final, Literal

from ...basics.arguments import is_one_of
from ...basics.wording import brief
from ...errors import EquamoError

Wrt = Literal["tangent", "coordinates"]
WRT: Final[tuple[Wrt, ...]] = ("tangent", "coordinates")


def check_wrt(wrt: object, place: str) -> None:
    """Check a user's choice."""
    if not is_one_of(wrt, WRT):
        raise EquamoError(f"{place}: wrt must be 'tangent' or 'coordinates', got {brief(wrt)}.")
