"""Inertia of links as numbers, as stored by a library after reading a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr.evaluate import evaluate_floats
from ...robot.model.body import WORLD
from ...robot.model.joints import Fixed
from ...robot.model.robot import Robot
from .states import parameter_values

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True)
class LinkInertia:
    """Mass, first moment m c and tensor about the origin of the link's frame."""

    mass: float
    first_moment: Floats
    tensor: Floats

    @staticmethod
    def central(mass: float, com: Floats, tensor: Floats) -> LinkInertia:
        """From the centre of mass c and the tensor about it: J_O = J_G + m(c·c 1 − c cᵀ).

        >>> LinkInertia.central(2.0, np.array([1.0, 0, 0]), np.eye(3)).tensor.diagonal()
        array([1., 3., 3.])
        """
        steiner = mass * (com @ com * np.eye(3) - np.outer(com, com))
        return LinkInertia(mass, mass * com, tensor + steiner)

    @staticmethod
    def zero() -> LinkInertia:
        return LinkInertia(0.0, np.zeros(3), np.zeros((3, 3)))

    def __add__(self, other: LinkInertia) -> LinkInertia:
        return LinkInertia(
            self.mass + other.mass,
            self.first_moment + other.first_moment,
            self.tensor + other.tensor,
        )

    def moved(self, A: Floats, p: Floats) -> LinkInertia:
        """About another frame, in which this one has the rotation A and the origin p."""
        m, h = self.mass, A @ self.first_moment
        # J' = A J Aᵀ + 2 (h·p) 1 − h pᵀ − p hᵀ + m (p·p 1 − p pᵀ)
        cross = 2 * (h @ p) * np.eye(3) - np.outer(h, p) - np.outer(p, h)
        steiner = m * (p @ p * np.eye(3) - np.outer(p, p))
        return LinkInertia(m, h + m * p, A @ self.tensor @ A.T + cross + steiner)

    @property
    def ten(self) -> Floats:
        """m MX MY MZ XX XY XZ YY YZ ZZ."""
        J = self.tensor
        six = J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2]
        return np.array([self.mass, *self.first_moment, *six])

    def difference(self, other: LinkInertia) -> float:
        """Largest relative difference of mass, first moment and tensor."""
        parts = ((x.mass, x.first_moment, x.tensor) for x in (self, other))
        return max(_relative(np.asarray(a), np.asarray(b)) for a, b in zip(*parts, strict=True))


def _relative(a: Floats, b: Floats) -> float:
    scale = max(np.abs(a).max(), np.abs(b).max())
    return float(np.abs(a - b).max() / scale) if scale else 0.0


def own_inertias(robot: Robot) -> dict[str, LinkInertia]:
    """Inertia of each body of a robot as numbers; links fixed to a body are not yet added."""
    values = parameter_values(robot)
    found: dict[str, LinkInertia] = {}
    for b in robot.bodies:
        m, x, y, z, *six = evaluate_floats(list(b.inertia.ten), values)
        xx, xy, xz, yy, yz, zz = six
        J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=np.float64)
        found[b.name] = LinkInertia(float(m), np.array([x, y, z], dtype=np.float64), J)
    return found


def carriers(robot: Robot) -> dict[str, tuple[str, Floats, Floats]]:
    """For each body, the moving body that carries it, and its rotation and position in that one."""
    values = parameter_values(robot)
    found: dict[str, tuple[str, Floats, Floats]] = {WORLD: (WORLD, np.eye(3), np.zeros(3))}
    for b in robot.bodies:
        found[b.name] = b.name, np.eye(3), np.zeros(3)
        if isinstance(b.joint, Fixed):
            carrier, A, p = found[b.parent]
            numbers = evaluate_floats([*b.joint.rotation.entries, *b.joint.position], values)
            B, r = np.array(numbers[:9], float).reshape(3, 3), np.array(numbers[9:], float)
            found[b.name] = carrier, A @ B, p + A @ r
    return found


def merged(robot: Robot, links: Mapping[str, LinkInertia]) -> dict[str, LinkInertia]:
    """Inertia of each moving body, with all links that are fixed to it."""
    totals: dict[str, LinkInertia] = {}
    for name, (carrier, A, p) in carriers(robot).items():
        if carrier != WORLD:
            part = links.get(name, LinkInertia.zero()).moved(A, p)
            totals[carrier] = totals.get(carrier, LinkInertia.zero()) + part
    return totals
