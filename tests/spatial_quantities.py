"""Random spatial quantities with exact rational components: identities hold to the last digit."""

from __future__ import annotations

import random
from fractions import Fraction

from equamo.algebra.expr import as_expr
from equamo.algebra.expr.matrix import Matrix, diagonal, mirrored
from equamo.algebra.expr.vector import Vector
from equamo.robot.model.rotation import quaternion_rotation
from equamo.robot.spatial.acceleration import Acceleration
from equamo.robot.spatial.force import Force
from equamo.robot.spatial.frame import Frame
from equamo.robot.spatial.inertia import Inertia
from equamo.robot.spatial.motion import Motion
from equamo.robot.spatial.pose import Pose


class Quantities:
    """Quantities from one seed, all in frame `a` unless said otherwise."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.a, self.b, self.c = Frame("a"), Frame("b"), Frame("c")

    def number(self) -> Fraction:
        return Fraction(self._random.randint(-9, 9), self._random.randint(1, 4))

    def vector(self) -> Vector:
        return Vector([self.number() for _ in range(3)])

    def rotation(self) -> Matrix:
        """Exactly orthonormal, about no special axis."""
        q = [as_expr(self._random.randint(1, 5)) for _ in range(4)]
        return quaternion_rotation(*q) * (1 / sum(x * x for x in q))

    def axis_rotation(self) -> Matrix:
        """About a coordinate axis, after a permutation of axes with a sign: an entry is ±1."""
        s, c = self._random.choice([(3, 4), (-4, 3), (5, -12)])
        n = Fraction(1, 5 if abs(s) + abs(c) == 7 else 13)
        about_z = Matrix([[c * n, -s * n, 0], [s * n, c * n, 0], [0, 0, 1]])
        x, y, z = self._random.sample(range(3), 3)
        turn = Matrix([[int(j == i) for j in range(3)] for i in (x, y, z)])
        signs = [self._random.choice([1, -1]) for _ in range(3)]
        turn = diagonal(signs) @ turn
        det = turn.row(0) @ turn.row(1).cross(turn.row(2))
        return about_z @ turn * det if self._random.random() < 0.5 else turn.T @ about_z * det

    def pose(self, frame: Frame, reference: Frame, about_axis: bool = False) -> Pose:
        A = self.axis_rotation() if about_axis else self.rotation()
        return Pose(frame, reference, A, self.vector())

    def motion(self, frame: Frame | None = None) -> Motion:
        return Motion(frame or self.a, self.vector(), self.vector())

    def acceleration(self, frame: Frame | None = None) -> Acceleration:
        return Acceleration(frame or self.a, self.vector(), self.vector())

    def force(self, frame: Frame | None = None) -> Force:
        return Force(frame or self.a, self.vector(), self.vector())

    def inertia(self, frame: Frame | None = None) -> Inertia:
        rows = [[as_expr(self.number()) for _ in range(3)] for _ in range(3)]
        return Inertia(frame or self.a, as_expr(self.number()), self.vector(), mirrored(rows))
