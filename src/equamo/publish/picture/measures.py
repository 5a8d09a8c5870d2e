"""Measures of a robot at its home position, from which its picture is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ...algebra.arrays import np
from ...algebra.expr import Expr
from ...algebra.expr.evaluate import evaluate_floats
from ...algebra.expr.walk import symbols
from ...robot.model import WORLD, Body, Robot
from .closures import attached_points
from .ellipsoid import ellipsoid
from .posture import Array, Posture, Values, coordinates, parameter_values
from .skeleton import WORLD_INDEX, Axis, Part, place
from .sliders import joint_values
from .thrusts import thrusts

ZERO: Final = np.zeros(3)


class Measures:
    """A robot with numbers for its parameters: masses, positions of joints and limbs, its size."""

    def __init__(self, robot: Robot, values: Values | None) -> None:
        self.robot = robot
        self.index: dict[str, int] = {b.name: k for k, b in enumerate(robot.bodies)} | {
            WORLD: WORLD_INDEX
        }
        self.values: dict[Expr, float] = parameter_values(robot, values)
        self.q: Array = coordinates(robot, values=values)
        self.known: dict[Expr, float] = self.values | joint_values(robot, self.q, self.values)
        self.poses: Array = Posture(robot, values)(self.q)
        self.children: dict[int, list[int]] = {k: [] for k in self.index.values()}
        for b in robot.bodies:
            self.children[self.index[b.parent]].append(self.index[b.name])
        self.attached: dict[int, list[Array]] = attached_points(robot, self.index, self.numbers)
        self.thrusts: dict[int, list[tuple[Array, Array]]] = thrusts(
            robot, self.index, self.numbers
        )
        self.alive: list[bool] = self._alive()
        self.parts: tuple[Part, ...] = tuple(self._part(b) for b in robot.bodies)
        self.borne: list[float] = [
            p.mass for p in self.parts
        ]  # mass of a body and all bodies it carries
        for k in reversed(range(len(self.parts))):
            self.borne[k] += sum(self.borne[c] for c in self.children[k])
        self.total = sum(p.mass for p in self.parts)
        self.size: float = self._size()
        self.up: Array = self._up()

    def numbers(self, entries: Sequence[Expr], at: Mapping[Expr, float] | None = None) -> Array:
        """Values of expressions at home, or with other coordinates."""
        return np.array(evaluate_floats(entries, {**self.known, **(at or {})}))

    def _part(self, b: Body) -> Part:
        joint, inertia = b.joint, b.inertia
        axes: list[Axis] = []
        for S in b.subspace if len(joint.speeds) <= 3 else ():
            w, v = self.numbers(list(S.angular)), self.numbers(list(S.linear))
            direction = w if np.any(np.abs(w) > 1e-9) else v
            if np.any(np.abs(direction) > 1e-9):
                motion = "revolute" if direction is w else "prismatic"
                axes.append(Axis(motion, direction / np.linalg.norm(direction)))
        mass = float(self.numbers([inertia.mass])[0])
        com, radii, principal = ZERO, None, np.eye(3)
        if mass > 0:
            com = self.numbers(list(inertia.center))
            tensor = self.numbers(list(inertia.tensor_at_center.entries)).reshape(3, 3)
            radii, principal = ellipsoid(mass, tensor)
        return Part(b.name, self.index[b.parent], tuple(axes), mass, com, radii, principal)

    def _alive(self) -> list[bool]:
        """Whether each body moves in its parent, has mass, or carries a body that does."""
        alive = [bool(b.joint.coordinates) or not b.inertia.is_zero for b in self.robot.bodies]
        for k in reversed(range(len(alive))):
            alive[k] |= any(alive[c] for c in self.children[k])
        return alive

    def _size(self) -> float:
        """Extent at home, or the reach of a robot that is folded into one point."""
        points = [place(self.poses, k, p) for k, p in self._points()]
        if not any(self._floats(k) for k in self.children[WORLD_INDEX]):
            points.append(ZERO)  # the base
        reach = [float(np.linalg.norm(self._anchor(k))) for k in range(len(self.parts))]
        wide = [float(p.radii.max()) for p in self.parts if p.radii is not None]
        spread = float(np.linalg.norm(np.ptp(np.array(points), axis=0))) if points else 0.0
        return max([spread, *reach, *(wide if len(self.parts) == 1 else ())]) or max(
            wide, default=1.0
        )

    def _points(self) -> list[tuple[int, Array]]:
        """Positions of the joints and of the ends of the limbs."""
        ends = [(k, 2 * p.com) for k, p in enumerate(self.parts)
                if not self.children[k] and k not in self.attached]  # fmt: skip
        ends += [(k, p) for k, points in self.attached.items() for p in points]
        if len(self.parts) == 1:
            ends += [(k, p) for k, points in self.thrusts.items() for p, _ in points]
        return [(k, ZERO) for k in range(len(self.parts))] + ends

    def _up(self) -> Array:
        """Direction opposite to gravity; z without gravity."""
        g = self.numbers(list(self.robot.gravity))
        length = float(np.linalg.norm(g))
        return -g / length + 0.0 if length > 0 else np.array([0.0, 0.0, 1.0])

    def _anchor(self, k: int) -> Array:
        """Origin of a body in its parent with its own coordinates at 0."""
        joint = self.robot.bodies[k].joint
        moving = [s for s in symbols(list(joint.position)) if s in joint.q]
        return self.numbers(list(joint.position), dict.fromkeys(moving, 0.0))

    def _slides(self, k: int) -> bool:
        joint = self.robot.bodies[k].joint
        return any(s in joint.q for s in symbols(list(joint.position)))

    def _floats(self, k: int) -> bool:
        """Whether a body is a floating base, in the plane or in space."""
        return self.parts[k].parent == WORLD_INDEX and (
            self._slides(k) and len(self.robot.bodies[k].joint.speeds) > 1
        )
