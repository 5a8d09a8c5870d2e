"""Joint: motion of a body in its parent. Each kind is one file in `joints`.

A joint has coordinates q, speeds v with q̇ = N(q) v, rotation A_PB(q), position P_r_PB(q) and the motion
subspace S, which each kind writes down from its axes (never by differentiating A). In the body frame,

    ω_rel = S_ω v        angular velocity of the body relative to its parent
    v_rel = S_v v        velocity of its origin relative to its parent
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...algebra.expr import Expr, symbol
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import ZERO3, Vector
from ...basics.wording import brief, counted
from ...errors import ModelError
from .names import Names, read_name, read_names


@dataclass(frozen=True)
class Joint(ABC):
    """Abstract joint: names, and the constant pose of the joint frame in the parent.

    Attributes:
        coordinates: Names of the coordinates q.
        speeds: Names of the speeds v.
        at: Origin of the joint frame in the parent [m].
        turned: Constant rotation of the joint frame in the parent.
        name: Name of the joint.
    """

    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    at: Vector = field(repr=False)
    turned: Matrix = field(repr=False)
    name: str = ""

    def __post_init__(self) -> None:
        for n in (*self.coordinates, *self.speeds):
            symbol(n)  # raises an error for an invalid name
        if not isinstance(self.name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"The name of a joint must be text, got {brief(self.name)}.")
        if not self.name and self.coordinates:
            object.__setattr__(self, "name", self.coordinates[0])

    # -- defined by each kind ------------------------------------------------------------------------
    @abstractmethod
    def turn(self) -> Matrix:
        """Rotation of the body in the joint frame, as a function of q."""

    @abstractmethod
    def slide(self) -> Vector:
        """Origin of the body in the joint frame, as a function of q."""

    @abstractmethod
    def angular(self) -> Matrix:
        """S_ω (3 × number of speeds) in the body frame."""

    @abstractmethod
    def linear(self) -> Matrix:
        """S_v (3 × number of speeds) in the body frame."""

    def map(self) -> Matrix:
        """N with q̇ = N v; by default the unit matrix."""
        return identity(len(self.speeds))

    def inverse_map(self) -> Matrix:
        """N⁺ with v = N⁺ q̇, for velocities q̇ that the joint can have."""
        return identity(len(self.speeds))

    def unit_groups(self) -> tuple[tuple[str, ...], ...]:
        """Coordinates whose squares sum to one."""
        return ()

    # -- derived quantities --------------------------------------------------------------------------
    @property
    def q(self) -> tuple[Expr, ...]:
        """Coordinates as symbols."""
        return tuple(symbol(n) for n in self.coordinates)

    @property
    def v(self) -> tuple[Expr, ...]:
        """Speeds as symbols."""
        return tuple(symbol(n) for n in self.speeds)

    @property
    def vdot(self) -> tuple[Expr, ...]:
        """Derivatives of the speeds as symbols."""
        return tuple(symbol(acceleration_name(n)) for n in self.speeds)

    @cached_property
    def rotation(self) -> Matrix:
        """Rotation A_PB(q) of the body in its parent."""
        return self.turned @ self.turn()

    @cached_property
    def position(self) -> Vector:
        """Origin P_r_PB(q) of the body in its parent."""
        return self.at + self.turned @ self.slide()

    @cached_property
    def q_dot(self) -> Vector:
        """Rates q̇ = N v of the coordinates."""
        return self.map() @ Vector(self.v)

    # Made once per joint, for all bodies and robots that have it; `Body` adds the frame.
    @cached_property
    def subspace(self) -> tuple[Matrix, Matrix]:
        """S as its two blocks (S_ω, S_v)"""
        return self.angular(), self.linear()

    @cached_property
    def subspace_rate(self) -> tuple[Matrix, Matrix]:
        """(Ṡ_ω, Ṡ_v), components differentiated in the body frame"""
        S_w, S_v = self.subspace
        return self._rate(S_w), self._rate(S_v)

    @cached_property
    def bias_acceleration(self) -> tuple[Vector, Vector]:
        """(Ṡ_ω v, Ṡ_v v)"""
        if not self.speeds:
            return ZERO3, ZERO3
        v = Vector(self.v)
        S_w, S_v = self.subspace_rate
        return S_w @ v, S_v @ v

    def _rate(self, S: Matrix) -> Matrix:
        seeds = dict(zip(self.q, self.q_dot, strict=True))
        return S.map(lambda entries: directional(entries, seeds))

    def expressions(self) -> tuple[Expr, ...]:
        """All expressions of the joint."""
        return (*self.rotation.entries, *self.position.entries, *self.angular().entries,
                *self.linear().entries)  # fmt: skip


def speed_name(coordinate: str) -> str:
    """Name of the speed of a coordinate with q̇ = v: `q_1l` → `dq_1l`."""
    return f"d{coordinate}"


def acceleration_name(speed: str) -> str:
    """Name of the derivative of a speed: `dq_1l` → `ddq_1l`."""
    return f"d{speed}"


def coordinate_name(q: Any, kind: str) -> str:
    """Name of the coordinate of a joint that has one."""
    return read_name(q, f"{kind}: the coordinate")


def names_of(q: Names, suffixes: tuple[str, ...], kind: str = "joint") -> tuple[str, ...]:
    """Coordinate names: one per suffix, or one prefix for all suffixes.

    >>> names_of("hip", ("x", "y"))
    ('hip_x', 'hip_y')
    >>> names_of("qX qY", ("x", "y"))
    ('qX', 'qY')
    """
    parts = read_names(q, f"{kind}: a coordinate")
    if len(parts) == len(suffixes):
        return parts
    if len(parts) == 1:
        return suffixed(parts[0], suffixes)
    raise ModelError(
        f"{kind}: q must be {counted(len(suffixes), 'name')}, or one prefix for the suffixes "
        f"{', '.join(suffixes)}, got {counted(len(parts), 'name')}."
    )


def suffixed(name: str, suffixes: tuple[str, ...]) -> tuple[str, ...]:
    """Name with each suffix: `hip` → `hip_x`, `hip_y`."""
    return tuple(f"{name}_{s}" for s in suffixes)
