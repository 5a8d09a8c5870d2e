"""Finding of a check: a problem with one entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """Problem with one entry of a body."""

    body: str  # or the name of the robot, or of a loop or contact
    entry: str
    problem: str

    def __str__(self) -> str:
        return f"{self.body}: {self.entry}: {self.problem}"
