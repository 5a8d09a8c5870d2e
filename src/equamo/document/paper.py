"""Paper: the derivation of one robot's equations as a document, independent of the file it is written to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

from ..model.robot import Robot
from .blocks import Equation, Section


@final
@dataclass(frozen=True, slots=True)
class Paper:
    """A document: title, abstract and sections. Numbers of equations depend on robot, methods and options only."""

    title: str
    robot: Robot = field(repr=False)
    formulations: tuple[str, ...]  # one method, or two side by side
    abstract: str
    sections: tuple[Section, ...] = field(repr=False)
    notation: Mapping[str, str] = field(repr=False)  # LaTeX of the robot's symbols, by name
    short: bool = False  # whether c_{1}, s_{12} stand for cosines and sines of coordinates

    @property
    def equations(self) -> tuple[Equation, ...]:
        """All numbered equations, in order."""
        return tuple(x for section in self.sections for x in section.equations())
