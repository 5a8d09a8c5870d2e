"""Joint: how a body moves in its parent. Each kind is one file in `joints`.

Coordinates q, speeds v with q̇ = N(q) v, rotation A_PB(q), position P_r_PB(q), and the motion
subspace S, given by each kind from its axes (never by differentiating A): in the body frame,

    ω_rel = S_ω v        the body's angular velocity relative to its parent
    v_rel = S_v v        its origin's velocity relative to its parent
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..errors import ModelError
from ..expr import Expr, symbol
from ..expr.differentiate import directional
from ..expr.matrix import Matrix, identity
from ..expr.vector import ZERO3, Vector
from ..wording import counted
from .names import Names, read_name, read_names


@dataclass(frozen=True)
class Joint(ABC):
    """Abstract: the placement (a fixed pose of the joint frame in the parent) and the names."""

    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    at: Vector = field(repr=False)  # origin of the joint frame in the parent [m]
    turned: Matrix = field(repr=False)  # fixed rotation of the joint frame in the parent
    name: str = ""

    def __post_init__(self) -> None:
        for n in (*self.coordinates, *self.speeds):
            symbol(n)  # an error names what is no name
        if not self.name and self.coordinates:
            object.__setattr__(self, "name", self.coordinates[0])

    # -- what each kind says -------------------------------------------------------------------------
    @abstractmethod
    def turn(self) -> Matrix:
        """Rotation of the body in the joint frame, as a function of q."""

    @abstractmethod
    def slide(self) -> Vector:
        """Origin of the body in the joint frame, as a function of q."""

    @abstractmethod
    def angular(self) -> Matrix:
        """S_ω: 3 × number of speeds, in the body frame."""

    @abstractmethod
    def linear(self) -> Matrix:
        """S_v: 3 × number of speeds, in the body frame."""

    def map(self) -> Matrix:
        """N with q̇ = N v; the unit matrix unless the kind says otherwise."""
        return identity(len(self.speeds))

    def inverse_map(self) -> Matrix:
        """v = N⁺ q̇, for velocities q̇ that the joint can have."""
        return identity(len(self.speeds))

    def unit_groups(self) -> tuple[tuple[str, ...], ...]:
        """Coordinates whose squares sum to one."""
        return ()

    # -- what follows --------------------------------------------------------------------------------
    @property
    def q(self) -> tuple[Expr, ...]:
        return tuple(symbol(n) for n in self.coordinates)

    @property
    def v(self) -> tuple[Expr, ...]:
        return tuple(symbol(n) for n in self.speeds)

    @property
    def vdot(self) -> tuple[Expr, ...]:
        return tuple(symbol(acceleration_name(n)) for n in self.speeds)

    @cached_property
    def rotation(self) -> Matrix:
        """A_PB(q)"""
        return self.turned @ self.turn()

    @cached_property
    def position(self) -> Vector:
        """P_r_PB(q), the origin of the body in its parent"""
        return self.at + self.turned @ self.slide()

    @cached_property
    def q_dot(self) -> Vector:
        """q̇ = N v"""
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
        """Every expression in it, for a search of symbols."""
        return (*self.rotation.entries, *self.position.entries, *self.angular().entries,
                *self.linear().entries)  # fmt: skip


def speed_name(coordinate: str) -> str:
    """The speed of a coordinate with q̇ = v: `q_1l` → `dq_1l`."""
    return f"d{coordinate}"


def acceleration_name(speed: str) -> str:
    """The derivative of a speed: `dq_1l` → `ddq_1l`."""
    return f"d{speed}"


def coordinate_name(given: Any, kind: str) -> str:
    """The coordinate of a joint that has one."""
    return read_name(given, f"{kind}: the coordinate")


def names_of(given: Names, suffixes: tuple[str, ...], kind: str = "joint") -> tuple[str, ...]:
    """Coordinate names: as many as there are suffixes, or one name that takes the suffixes.

    >>> names_of("hip", ("x", "y"))
    ('hip_x', 'hip_y')
    >>> names_of("qX qY", ("x", "y"))
    ('qX', 'qY')
    """
    parts = read_names(given, f"{kind}: a coordinate")
    if len(parts) == len(suffixes):
        return parts
    if len(parts) == 1:
        return suffixed(parts[0], suffixes)
    raise ModelError(
        f"This joint has {counted(len(suffixes), 'coordinate')} ({', '.join(suffixes)}); give one name "
        f"that takes these suffixes, or {counted(len(suffixes), 'name')}, not {len(parts)}."
    )


def suffixed(name: str, suffixes: tuple[str, ...]) -> tuple[str, ...]:
    """The name with each suffix: `hip` → `hip_x`, `hip_y`."""
    return tuple(f"{name}_{s}" for s in suffixes)
