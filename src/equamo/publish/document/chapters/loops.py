r"""Closed loops: φ(q) = 0, its rate J v = 0, J v̇ = −J̇ v, and the multipliers λ."""

from __future__ import annotations

from typing import Final

from ....algebra.expr import Expr, internal
from ....algebra.expr.differentiate import directional
from ....algebra.expr.matrix import Matrix
from ....algebra.expr.vector import Vector
from ....basics.wording import counted
from ....mechanics.kinematics.closure import constraint_bias, constraint_matrix
from ..blocks import Block, Section, Text
from ..script import Script

MULTIPLIER: Final = "multiplier"


def has_multipliers(script: Script) -> bool:
    """Whether the equations of motion contain forces of loops or held contacts."""
    return script.robot.speed_map is None and bool(_rows(script))


def _rows(script: Script) -> list[int]:
    """Positions of the equations that are not satisfied identically."""
    return [i for i, row in enumerate(script.robot.closure_rows) if not row.is_zero]


def multipliers(script: Script) -> tuple[Vector, dict[str, str]]:
    """λ of every equation, and its LaTeX by the name of the symbol."""
    symbols = [internal(MULTIPLIER, str(i + 1)) for i, _ in enumerate(_rows(script))]
    return Vector(symbols), {x.name: rf"\lambda_{{{i}}}" for i, x in enumerate(symbols, 1)}


def loop_matrix(script: Script) -> Matrix:
    """J, the rows of A that are not zero."""
    rows = script.robot.closure_rows
    return Matrix([rows[i].A for i in _rows(script)])


def loops(script: Script) -> Section | None:
    """Equations of the loops; None if there are none, or if chosen speeds satisfy them."""
    if not has_multipliers(script):
        return None
    robot = script.robot
    which = _rows(script)
    phi = Vector([_position(script, i) for i in which])
    names = ", ".join(dict.fromkeys(robot.closure_rows[i].owner for i in which))
    rate = script.law(r"\boldsymbol{J} \dot{\boldsymbol{q}}", r"\dot{\boldsymbol{\varphi}}")
    second = script.law(
        r"\boldsymbol{J} \ddot{\boldsymbol{q}} + \dot{\boldsymbol{J}} \dot{\boldsymbol{q}}",
        r"\boldsymbol{0}",
        follows=(rate.number,),
    )
    J = loop_matrix(script)
    axes = Matrix([constraint_matrix(robot).row(i) for i in which])
    bias = Vector([constraint_bias(robot)[i] for i in which])
    rates = dict(zip(robot.q, robot.kinematic_map @ Vector(robot.v), strict=True))
    slope = J.map(lambda e: directional(e, rates)) @ Vector(robot.v)
    lines = [
        script.line(rf"\varphi_{{{n}}}", x, standing="definition", how="closure")
        for n, x in enumerate(phi, 1)
    ]
    blocks: list[Block] = [
        Text(
            f"The joints of the bodies form a tree; {names} closes it with "
            f"{counted(len(which), 'equation')} "
            r"$\boldsymbol{\varphi}(\boldsymbol{q}) = \boldsymbol{0}$:"
        ),
        *lines,
        Text("Their rates are linear in the speeds, and so are their second derivatives:"),
        rate,
        second,
        script.line(
            r"\boldsymbol{J}", J, r"\frac{\partial \boldsymbol{\varphi}}{\partial \boldsymbol{q}}",
            follows=[rate.number, *(x.number for x in lines)], also=(axes,),
            how="derivative, and moments of the joint axes",
        ),
        script.line(
            r"\dot{\boldsymbol{J}} \dot{\boldsymbol{q}}", slope, follows=[second.number], also=(bias,),
            how="derivative, and accelerations of the closing points",
        ),
        Text(
            r"The closing joint exerts the generalized force $\boldsymbol{J}^{\mathsf{T}} "
            r"\boldsymbol{\lambda}$ "
            r"with one multiplier for each equation. It does no work, because "
            r"$\boldsymbol{J} \dot{\boldsymbol{q}} = \boldsymbol{0}$. Together with the "
            r"equations of motion "
            r"below, the second derivative determines $\ddot{\boldsymbol{q}}$ and "
            r"$\boldsymbol{\lambda}$."
        ),
    ]  # fmt: skip
    return Section("Loops", tuple(blocks))


def _position(script: Script, i: int) -> Expr:
    row = script.robot.closure_rows[i]
    assert row.position is not None
    return row.position
