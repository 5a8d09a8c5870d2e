r"""Constraints and chosen speeds: u = W v, and the constraints in terms of them."""

from __future__ import annotations

from ....algebra.expr.printing.latex import to_latex
from ....algebra.expr.vector import Vector
from ....mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ....robot.model.robot import Robot
from ..blocks import Block, Section, Text
from ..printed import closed
from ..script import Script


def constraints(script: Script) -> Section | None:
    """Velocity constraints, and the joint speeds in terms of the chosen ones; None if all are free."""
    robot, style = script.robot, script.style
    if robot.speed_map is None:
        return None
    speeds = ChosenSpeeds(robot)
    blocks: list[Block] = []
    if robot.speed_map.constraints:
        blocks.append(Text(f"The joint speeds are not independent. {_reason(robot)}"))
        for c in robot.speed_map.constraints:
            left = to_latex(closed(c.equation), style.short, notation=style.notation)  # pyright: ignore
            blocks.append(
                script.general(
                    left,
                    "0",
                    speeds.insert([c.equation]),
                    how="holds for the speeds below",
                    left_value=c.equation,
                )
            )
    chosen = ", ".join(f"${style.notation[x.name]}$" for x in robot.v)
    blocks.append(
        Text(
            rf"As independent speeds $\boldsymbol{{v}}$ we choose {chosen}. All joint speeds "
            rf"follow from "
            r"them, $\boldsymbol{u} = \boldsymbol{W} \boldsymbol{v}$:"
        )
    )
    u = speeds.W @ Vector(robot.v)
    for name, value in robot.speed_map.dependent:
        blocks.append(
            script.line(
                style.notation[name], value, standing="definition", how="integrated constraint"
            )
        )
        script.eliminate(name, value)
    for x, value in zip(robot.joint_speeds, u, strict=True):
        if x is not value:
            blocks.append(
                script.line(
                    style.notation[x.name], value, standing="definition", how="chosen speeds"
                )
            )
    return Section("Constraints and speeds", tuple(blocks))


def _reason(robot: Robot) -> str:
    """Beginning of a sentence that the constraints complete."""
    assert robot.speed_map is not None
    closing = {r.name for r in robot.closure_rows}
    inside = [c.name in closing for c in robot.speed_map.constraints]
    if not any(inside):
        return "Contact without slip requires"
    if all(inside):
        return "The closed loops require"
    return "The closed loops and contact without slip require"
