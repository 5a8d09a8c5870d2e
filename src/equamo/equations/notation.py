"""LaTeX of the symbols of a robot: no two look alike, and rates are dotted coordinates and speeds."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from ..expr.printing.notation import symbol_table
from ..expr.printing.symbol_name import SymbolName, given_latex, rate_of, symbol_name
from ..model.robot import Robot


def notation_of(robot: Robot, taken: AbstractSet[str] = frozenset()) -> dict[str, str]:
    r"""LaTeX of every symbol of a robot by its name: the robot's own notation, or by rule.

    A symbol that would look like another one, or like a letter that is taken, is written differently.

    Args:
        robot: The robot.
        taken: Appearances of letters with another meaning.

    >>> from equamo.robots import load
    >>> notation_of(load("rolling_disc"))["du1"]
    '\\dot u_{1}'
    """

    def forms(name: str, *rules: SymbolName) -> list[SymbolName]:
        own = [given_latex(robot.notation[name])] if name in robot.notation else []
        return [*own, *rules, symbol_name(name)]

    wanted = {x.name: forms(x.name) for x in (*robot.joint_coordinates, *robot.q)}
    wanted |= {f"d{q}": forms(f"d{q}", rate_of(x[0])) for q, x in wanted.items()}
    for x in (*robot.joint_speeds, *robot.v):
        wanted.setdefault(x.name, forms(x.name))
    rates = (
        *zip(robot.joint_speeds, robot.joint_accelerations, strict=True),
        *zip(robot.v, robot.vdot, strict=True),
    )
    for v, rate in rates:
        wanted.setdefault(rate.name, forms(rate.name, rate_of(wanted[v.name][0])))
    for x in (*robot.parameters, *robot.inputs, *robot.external):
        wanted.setdefault(x.name, forms(x.name))
    found = {name: x.latex for name, x in symbol_table(wanted, taken).items()}
    return dict(robot.notation) | found
