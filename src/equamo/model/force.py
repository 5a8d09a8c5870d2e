"""Force element: something that acts on bodies and enters the equations by its virtual power.

An element says which loads it puts on which bodies: forces at points, torques, and forces along a
speed. A formulation projects them with its own Jacobians. Each kind is one file in `forces`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

from ..expr import Expr
from ..expr.vector import Vector


@final
@dataclass(frozen=True, slots=True)
class PointForce:
    """A force on `body` at a point of it; power F·v_point."""

    body: str
    point: Vector  # in the frame of the body, or of `point_in`
    force: Vector  # components in the frame `expressed_in`
    expressed_in: str
    point_in: str | None = None  # frame in which the point is given, where it is not the body's


@final
@dataclass(frozen=True, slots=True)
class Torque:
    """A torque on `body`; power T·ω."""

    body: str
    torque: Vector
    expressed_in: str


@final
@dataclass(frozen=True, slots=True)
class SpeedForce:
    """A force along one speed of the robot; power f·v."""

    speed: str
    force: Expr


Load = PointForce | Torque | SpeedForce


@dataclass(frozen=True)
class ForceElement(ABC):
    """Abstract: a name, and symbols that are inputs (of actuators) or external (of wrenches)."""

    name: str

    @abstractmethod
    def loads(self) -> tuple[Load, ...]:
        """What it puts on which body."""

    def inputs(self) -> tuple[str, ...]:
        """Symbols of the control inputs it brings."""
        return ()

    def external(self) -> tuple[str, ...]:
        """Symbols of the external loads it brings; their default is 0."""
        return ()

    def bodies(self) -> tuple[str, ...]:
        """Bodies and frames it names, for the check that they exist."""
        names: list[str] = []
        for load in self.loads():
            if not isinstance(load, SpeedForce):
                names += [load.body, load.expressed_in]
            if isinstance(load, PointForce) and load.point_in is not None:
                names.append(load.point_in)
        return tuple(names)

    def expressions(self) -> tuple[Expr, ...]:
        """Every expression in it, for a search of symbols."""
        found: list[Expr] = []
        for load in self.loads():
            if isinstance(load, PointForce):
                found += [*load.point, *load.force]
            elif isinstance(load, Torque):
                found += load.torque
            else:
                found.append(load.force)
        return tuple(found)
