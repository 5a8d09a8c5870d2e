"""Force element: something that acts on bodies and enters the equations by its virtual power.

An element says which loads it puts on which bodies: forces at points, torques, and forces along a
speed. A formulation projects them with its own Jacobians. Each kind is one file in `forces`.

Every force is on the right-hand side: its power into the robot is v·f, negative where it dissipates.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, final

from ..expr import Expr, sqrt
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
    """A force along one speed of a joint; power f·u."""

    speed: str
    force: Expr


Load = PointForce | Torque | SpeedForce


@final
@dataclass(frozen=True, slots=True)
class Line:
    """From a point of one body to a point of another: r = l n.

    Components are in the frame of the first body. l̇ = r·ṙ/l in whatever frame ṙ is seen from.
    """

    r: Vector
    r_dot: Vector  # of the components

    @property
    def length(self) -> Expr:
        """l = √(r·r), exact"""
        return sqrt(self.length_squared)

    @property
    def length_squared(self) -> Expr:
        return self.r @ self.r

    @property
    def stretch(self) -> Expr:
        """l l̇ = r·ṙ"""
        return self.r @ self.r_dot


class Geometry(ABC):
    """Abstract: where bodies are, for elements whose force depends on it."""

    @abstractmethod
    def is_constant(self, *quantities: Expr) -> bool:
        """Whether no quantity depends on a coordinate or a speed."""

    @abstractmethod
    def line(self, origin: str, origin_point: Vector, body: str, point: Vector) -> Line:
        """From a point of `origin` to a point of `body`, components in the frame of `origin`."""


@dataclass(frozen=True)
class ForceElement(ABC):
    """Abstract: a name, and symbols that are inputs (of actuators) or external (of wrenches)."""

    name: str

    # Equal and opposite forces along one line, or torques: what carries both bodies feels nothing.
    internal: ClassVar[bool] = False
    # Its power is never positive: `certificate.dissipation` proves it.
    dissipates: ClassVar[bool] = False

    @abstractmethod
    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        """What it puts on which body; `geometry` for elements that depend on where bodies are."""

    def inertia(self) -> Mapping[str, Expr]:
        """{joint speed: inertia that it adds to the mass matrix along it}."""
        return {}

    def energy(self, geometry: Geometry) -> Expr | None:
        """Potential energy of a spring, with v·f = −dV/dt [J]."""
        return None

    def power(self, geometry: Geometry) -> Expr | None:
        """Power into the robot in the element's own terms, where it has such; v·f is proved equal."""
        return None

    def inputs(self) -> tuple[str, ...]:
        """Symbols of the control inputs it brings."""
        return ()

    def external(self) -> tuple[str, ...]:
        """Symbols of the external loads it brings; their default is 0."""
        return ()

    def speeds(self) -> tuple[str, ...]:
        """Joint speeds along which it acts, for the check that they exist."""
        along = [x.speed for x in self.loads() if isinstance(x, SpeedForce)]
        return (*along, *self.inertia())

    def rates(self) -> Mapping[str, str]:
        """{coordinate: joint speed} where it relies on q̇ = u, for the check that they are a pair."""
        return {}

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
        found: list[Expr] = list(self.inertia().values())
        for load in self.loads():
            if isinstance(load, PointForce):
                found += [*load.point, *load.force]
            elif isinstance(load, Torque):
                found += load.torque
            else:
                found.append(load.force)
        return tuple(found)
