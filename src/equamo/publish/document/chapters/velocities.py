r"""Velocities and accelerations from the joint axes, base to tips, checked by differentiating poses."""

from __future__ import annotations

from collections.abc import Callable

from ....algebra.expr import Expr
from ....algebra.expr.differentiate import directional
from ....algebra.expr.matrix import Matrix, unskew_product
from ....algebra.expr.vector import ZERO3, Vector
from ....mechanics.kinematics.poses import poses
from ....mechanics.kinematics.quantity_name import QuantityName
from ....mechanics.kinematics.steps import Value
from ....robot.model.body import WORLD, Body
from ....robot.spatial.pose import Pose
from ..blocks import Section, Text
from ..families import Family, write
from ..printed import mapped
from ..script import Script
from ..style import is_large


class Differentiated:
    """Velocities and accelerations of the tree by differentiating its poses, as the other route."""

    def __init__(self, script: Script) -> None:
        robot = script.robot.tree
        self.robot = robot
        N, v = robot.kinematic_map, Vector(robot.v)
        rates = dict(zip(robot.q, N @ v, strict=True)) | robot.base.rates()
        self.rates: dict[Expr, Expr] = rates
        self._poses: dict[str, Pose] = poses(robot)

    def w(self, name: QuantityName, b: Body) -> Value:
        """ω = (Aᵀ Ȧ) as a vector, in the frame of the body."""
        A = self._poses[b.name].rotation
        w = unskew_product(A.T, _rate(A, self.rates))
        return w + A.T @ self.robot.base.w

    def V(self, name: QuantityName, b: Body) -> Value:
        """v = Aᵀ ṙ"""
        X = self._poses[b.name]
        base = self.robot.base
        v = X.position.map(lambda e: directional(e, self.rates))
        return X.rotation.T @ (v + base.v + base.w.cross(X.position))


def _rate(A: Matrix, rates: dict[Expr, Expr]) -> Matrix:
    return A.map(lambda e: directional(e, rates))


def velocities(script: Script) -> Section:
    """ω and v of every body."""
    w_law = script.law(
        r"\boldsymbol{\omega}_{j}",
        r"\boldsymbol{A}_{ij}^{\mathsf{T}} \boldsymbol{\omega}_{i} + \boldsymbol{\omega}_{ij}",
    )
    v_law = script.law(r"\boldsymbol{v}_{j}", _V_RULE.format(i="i", ij="ij"))
    other = Differentiated(script)
    families = [
        Family("w", law=w_law.number, check=other.w, how=_TURNED, form=recursion(script)),
        Family("V", law=v_law.number, check=other.V, how=_MOVED, form=recursion(script)),
    ]
    text = Text(
        r"$\boldsymbol{\omega}_{j}$ is the angular velocity of body $j$ and $\boldsymbol{v}_{j}$ the "
        r"velocity of the origin of its frame, both relative to frame 0 and in components of frame $j$. "
        r"They follow from those of the parent $i$ and from the contributions of the joint, "
        r"$\boldsymbol{\omega}_{ij}$ and $\boldsymbol{v}_{ij}$, from the base to the tips. Every "
        r"line was "
        r"also compared with the derivatives of $\boldsymbol{A}_{j}$ and $\boldsymbol{r}_{j}$."
    )
    lines = write(script, families, script.robot.bodies)
    return Section("Velocities", (text, w_law, v_law, *lines))


_TURNED = "derivative of the rotation"
_MOVED = "derivative of the position"


def recursion(script: Script) -> Callable[[QuantityName, Body], Value]:
    """ω or v of a body in components of those of its parent and in its own speeds: (3), (5)."""

    def part(letter: str, body: str) -> Vector:
        if body == WORLD:
            return getattr(script.robot.base, "w" if letter == "w" else "v")
        name = QuantityName(letter, body)
        if not script.has(name):
            return ZERO3
        return Vector([script.component(name, i) for i in range(3)])

    def form(name: QuantityName, b: Body) -> Value:
        X, own = script.robot.tree.joint_pose(b), b.relative_velocity
        w = part("w", b.parent)
        if name.letter == "w":
            return X.rotation.T @ w + own.angular
        return X.rotation.T @ (part("V", b.parent) + w.cross(X.position)) + own.linear

    return form


_V_RULE = (
    r"\boldsymbol{{A}}_{{{ij}}}^{{\mathsf{{T}}}} \left(\boldsymbol{{v}}_{{{i}}} + "
    r"\boldsymbol{{\omega}}_{{{i}}} \times \boldsymbol{{P}}_{{{ij}}}\right) + \boldsymbol{{v}}_{{{ij}}}"
)


def accelerations(script: Script, case: str) -> Section:
    """α and a of every body; at v̇ = 0 if the case is "bias"."""
    mark = r"^{\circ}" if case == "bias" else ""
    a_law = script.law(rf"\boldsymbol{{\alpha}}_{{j}}{mark}", r"\dot{\boldsymbol{\omega}}_{j}")
    v_law = script.law(
        rf"\boldsymbol{{a}}_{{j}}{mark}",
        r"\dot{\boldsymbol{v}}_{j} + \boldsymbol{\omega}_{j} \times \boldsymbol{v}_{j}",
    )
    rates = _acceleration_rates(script, case)

    def slope(name: QuantityName) -> Vector:
        value = mapped(script.value(name), lambda e: directional(e, rates))
        assert isinstance(value, Vector)
        return value

    def alpha(name: QuantityName, b: Body) -> Value:
        return slope(QuantityName("w", b.name))

    def a(name: QuantityName, b: Body) -> Value:
        w, V = (script.vector(QuantityName(x, b.name)) for x in "wV")
        return slope(QuantityName("V", b.name)) + w.cross(V)

    families = [
        Family("alpha", case=case, law=a_law.number, check=alpha, how="derivative of the velocity"),
        Family("a", case=case, law=v_law.number, check=a, how="derivative of the velocity"),
    ]
    at = r" at $\dot{\boldsymbol{v}} = \boldsymbol{0}$" if case == "bias" else ""
    text = Text(
        rf"Angular acceleration $\boldsymbol{{\alpha}}_{{j}}$ and acceleration "
        rf"$\boldsymbol{{a}}_{{j}}$ of the "
        f"origin{at}, in components of frame $j$:"
    )
    lines = write(script, families, script.robot.bodies)
    return Section("Accelerations", (text, a_law, v_law, *lines))


def _acceleration_rates(script: Script, case: str) -> dict[Expr, Expr]:
    robot = script.robot.tree
    N = robot.kinematic_map
    rates = dict(zip(robot.q, N @ Vector(robot.v), strict=True)) | robot.base.rates()
    moving = script.joint_accelerations(case)
    return rates | dict(zip(robot.v, moving, strict=True))


def partial_velocities(script: Script) -> Section:
    """∂ω/∂v_s and ∂v/∂v_s of every body."""
    laws = [] if is_large(script.robot) else [
        script.law(r"\boldsymbol{\omega}_{j}^{(s)}", _SLOPE % r"\boldsymbol{\omega}_{j}"),
        script.law(r"\boldsymbol{v}_{j}^{(s)}", _SLOPE % r"\boldsymbol{v}_{j}"),
    ]  # fmt: skip
    w_law, v_law = (x.number for x in laws) if laws else (0, 0)
    speeds = {x.name: x for x in script.robot.v}

    def slope(letter: str):
        def check(name: QuantityName, b: Body) -> Value:
            value = script.in_speeds(script.value(QuantityName(letter, b.name)))
            return mapped(value, lambda e: [x.diff(speeds[name.by[0]]) for x in e])

        return check

    families = [
        Family("w", r"\frac{{\partial \boldsymbol{{\omega}}_{{{j}}}}}{{\partial {v}}}", by=True,
               law=w_law, check=slope("w"), how="derivative of the velocity"),
        Family("V", r"\frac{{\partial \boldsymbol{{v}}_{{{j}}}}}{{\partial {v}}}", by=True,
               law=v_law, check=slope("V"), how="derivative of the velocity"),
    ]  # fmt: skip
    text = Text(
        "Partial velocities are the coefficients of the speeds $v_{s}$ in the velocities: how a body "
        "would move if one speed were 1 and the others 0."
    )
    lines = write(script, families, script.robot.bodies)
    return Section("Partial velocities", (text, *laws, *lines))


_SLOPE = r"\frac{\partial %s}{\partial v_{s}}"
