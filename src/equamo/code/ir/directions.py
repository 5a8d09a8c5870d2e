"""Directions in which functions of q are differentiated: D_k f = Σ ∂f/∂q_i K_ik.

    tangent       K = N, one column per joint speed: the rate of f if only that speed is 1
    coordinates   K = 1, but 1 − x xᵀ for a unit quaternion x: the gradient of f(x/|x|)

N is the kinematic map of the joints, q̇ = N u, before speeds are chosen; W(q) of chosen speeds is a
function of q like any other. N = ½Q for a quaternion, and 1 − x xᵀ = Q Qᵀ = N · 2Qᵀ on unit ones, so
coordinate derivatives are tangent ones times 2Qᵀ. Along the speed of an eliminated coordinate, which
the equations do not contain, every derivative is 0.

Second derivatives are iterated, D_k(D_l f): K is differentiated too. In the tangent space they are not
symmetric if the fields do not commute, as for a rotation. For coordinates, with n = x/|x|,

    (1) ∂²f(n)/∂x_k ∂x_l = D_k(D_l f) − x_k D_l f      (k, l of one quaternion, |x| = 1)

because D_k = Σ (δ_ik − x_i x_k) ∂_i is not |x| ∂_k off the unit sphere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import final

from ...algebra.expr import ONE, ZERO, Expr, internal
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import dot
from ...robot.model.robot import Robot
from ...robot.model.wrt import Wrt


@final
class Directions:
    """Directions of a robot's configuration: joint speeds, or coordinates.

    >>> from equamo.robot.library import load
    >>> arm = Directions(load("rr_arm"))
    >>> arm.names, arm.seeds(1)
    (('dq1', 'dq2'), {q2: 1})
    """

    robot: Robot
    q: tuple[Expr, ...]

    def __init__(self, robot: Robot, wrt: Wrt = "tangent") -> None:
        self.robot, self.wrt, self.q = robot, wrt, robot.q
        self._groups = [g for g in robot.unit_groups if set(g) <= set(self.q)]
        tangent = wrt == "tangent"
        along = robot.joint_speeds if tangent else self.q
        self.names: tuple[str, ...] = tuple(x.name for x in along)
        self.symbols: tuple[Expr, ...] = tuple(
            internal("delta q", n) for n in self.names
        )  # δ of a direction
        self._columns = self._tangent() if tangent else self._coordinates()

    def __len__(self) -> int:
        return len(self.names)

    def _tangent(self) -> list[dict[Expr, Expr]]:
        N = self.robot.tree.kinematic_map
        rows = [N.row(x.name) for x in self.q]
        pairs = [list(zip(self.q, column, strict=True)) for column in zip(*rows, strict=True)]
        if not rows:
            return [{} for _ in self.names]
        return [{x: e for x, e in column if e is not ZERO} for column in pairs]

    def _coordinates(self) -> list[dict[Expr, Expr]]:
        columns: list[dict[Expr, Expr]] = [{x: ONE} for x in self.q]
        for group in self._groups:
            for x in group:  # 1 − x xᵀ
                columns[self.q.index(x)] = {y: (ONE if x is y else ZERO) - x * y for y in group}
        return columns

    # -- first derivatives ---------------------------------------------------------------------------
    def seeds(self, k: int) -> Mapping[Expr, Expr]:
        """{coordinate: its rate} along direction k; coordinates at rest are omitted."""
        return self._columns[k]

    def along(self, delta: Sequence[Expr]) -> dict[Expr, Expr]:
        """Rates K δ of the coordinates."""
        total: dict[Expr, Expr] = {}
        for column, d in zip(self._columns, delta, strict=True):
            for x, e in column.items():
                total[x] = total.get(x, ZERO) + e * d
        return total

    def pulled_back(self, gradient: Sequence[Expr]) -> list[Expr]:
        """Kᵀ ∂f/∂q of the partial derivatives ∂f/∂q"""
        partial = dict(zip(self.q, gradient, strict=True))
        return [dot([partial[x] for x in c], c.values()) for c in self._columns]

    # -- second derivatives --------------------------------------------------------------------------
    @cached_property
    def commuting(self) -> list[list[bool]]:
        """Whether second derivatives along k and l are symmetric."""
        n = range(len(self))
        if self.wrt == "coordinates":
            return [[True for _ in n] for _ in n]
        joint = [i for i, b in enumerate(self.robot.bodies) for _ in b.joint.speeds]
        plain = [all(e is ONE for e in c.values()) for c in self._columns]
        return [[k == l or joint[k] != joint[l] or (plain[k] and plain[l]) for l in n] for k in n]

    def hessian(self, second: Sequence[Sequence[Expr]], first: Sequence[Expr]) -> Matrix:
        """Second derivatives H from D_k(D_l f), row k, and D_l f."""
        n = range(len(self))
        rows = [list(row) for row in second]
        if self.wrt == "coordinates":  # (1)
            for group in self._groups:
                places = [(self.q.index(x), x) for x in group]
                for k, x in places:
                    for l, _ in places:
                        rows[k][l] = rows[k][l] - x * first[l]
        # The lower triangle has fewer operations for large robots; it is used twice if H is symmetric.
        symmetric = self.commuting
        return Matrix(
            [[rows[l][k] if k < l and symmetric[k][l] else rows[k][l] for l in n] for k in n]
        )

    def hessian_product(self, second: Sequence[Expr], f: Expr, delta: Sequence[Expr]) -> list[Expr]:
        """H δ from D_k(D_δ f)"""
        rows = list(second)
        if self.wrt == "coordinates":  # (1)
            for group in self._groups:
                places = [self.q.index(x) for x in group]
                part = [d if k in places else ZERO for k, d in enumerate(delta)]
                slope = directional([f], self.along(part))[0]
                for k, x in zip(places, group, strict=True):
                    rows[k] = rows[k] - x * slope
        return rows
