"""Force element: something that acts on bodies and enters the equations by its virtual power.

An element lists its loads on bodies: forces at points, torques, and forces along a speed. A formulation
projects them with its own Jacobians, or turns them into spatial forces (`kinematics.element_forces`).
Loads name their frames, because an element is described before there is a robot. Each kind of element is
one file in `forces`.

Every force is on the right-hand side: its power into the robot is v·f, negative if it dissipates.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, final

from ...algebra.expr import Expr, sqrt
from ...algebra.expr.vector import Vector


@final
@dataclass(frozen=True, slots=True)
class PointForce:
    """Force on a body at one of its points; its power is F·v_point."""

    body: str
    point: Vector  # in the frame of the body, or of `point_in`
    force: Vector  # components in the frame `expressed_in`
    expressed_in: str
    point_in: str | None = None  # frame of the point's components; None: the body's own


@final
@dataclass(frozen=True, slots=True)
class Torque:
    """Torque on a body; its power is T·ω."""

    body: str
    torque: Vector
    expressed_in: str


@final
@dataclass(frozen=True, slots=True)
class SpeedForce:
    """Force along one speed of a joint; its power is f·u."""

    speed: str
    force: Expr


Load = PointForce | Torque | SpeedForce


@final
@dataclass(frozen=True, slots=True)
class Line:
    """Line from a point of one body to a point of another: r = l n.

    Components are in the frame of the first body. l̇ = r·ṙ/l holds in every frame, also a moving one.
    """

    r: Vector
    r_dot: Vector  # derivatives of the components

    @property
    def length(self) -> Expr:
        """l = √(r·r), exact"""
        return sqrt(self.length_squared)

    @property
    def length_squared(self) -> Expr:
        """l² = r·r"""
        return self.r @ self.r

    @property
    def stretch(self) -> Expr:
        """l l̇ = r·ṙ"""
        return self.r @ self.r_dot


class Geometry(ABC):
    """Abstract: positions of bodies, for elements whose force depends on them."""

    @abstractmethod
    def is_constant(self, *quantities: Expr) -> bool:
        """Whether none of the quantities depends on a coordinate or a speed."""

    @abstractmethod
    def line(self, origin: str, origin_point: Vector, body: str, point: Vector) -> Line:
        """Line from a point of `origin` to a point of `body`, components in the frame of `origin`."""


@dataclass(frozen=True)
class ForceElement(ABC):
    """Abstract: a named element with symbols of inputs (actuators) or of external loads (wrenches)."""

    name: str  # unique in the robot

    # Equal and opposite forces along one line, or torques: they do no work along joints that carry both.
    internal: ClassVar[bool] = False
    # Its power is never positive, which `certificate.dissipation` proves.
    dissipates: ClassVar[bool] = False

    @abstractmethod
    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        """Loads applied to each body; `geometry` is for elements that depend on positions of bodies."""

    def inertia(self) -> Mapping[str, Expr]:
        """{joint speed: inertia added to the mass matrix along it}."""
        return {}

    def energy(self, geometry: Geometry) -> Expr | None:
        """Potential energy of a spring, with v·f = −dV/dt [J]."""
        return None

    def power(self, geometry: Geometry) -> Expr | None:
        """Power into the robot in the element's own terms, or None; v·f is proved to be equal."""
        return None

    def inputs(self) -> tuple[str, ...]:
        """Symbols of its control inputs."""
        return ()

    def external(self) -> tuple[str, ...]:
        """Symbols of its external loads, whose default is 0."""
        return ()

    def speeds(self) -> tuple[str, ...]:
        """Joint speeds along which it acts, to check that they exist."""
        along = [x.speed for x in self.loads() if isinstance(x, SpeedForce)]
        return (*along, *self.inertia())

    def rates(self) -> Mapping[str, str]:
        """{coordinate: joint speed} for which it assumes q̇ = u, to check that they belong together."""
        return {}

    def bodies(self) -> tuple[str, ...]:
        """Bodies and frames that it names, to check that they exist."""
        names: list[str] = []
        for load in self.loads():
            if not isinstance(load, SpeedForce):
                names += [load.body, load.expressed_in]
            if isinstance(load, PointForce) and load.point_in is not None:
                names.append(load.point_in)
        return tuple(names)

    def expressions(self) -> tuple[Expr, ...]:
        """All expressions of the element, for a search of symbols."""
        entries: list[Expr] = list(self.inertia().values())
        for load in self.loads():
            if isinstance(load, PointForce):
                entries += [*load.point, *load.force]
            elif isinstance(load, Torque):
                entries += load.torque
            else:
                entries.append(load.force)
        return tuple(entries)
