"""LaTeX of the symbols of equations of motion: rates are dotted coordinates and speeds."""

from __future__ import annotations

from ..expr.printing.symbol_name import SymbolName, given_latex, rate_of, symbol_name
from ..model.robot import Robot


def notation_of(robot: Robot) -> dict[str, str]:
    r"""LaTeX by symbol: the robot's own, and dots on the rates of coordinates and speeds.

    >>> from equamo.robots import load
    >>> notation_of(load("rolling_disc"))["du1"]
    '\\dot u_{1}'
    """
    notation = dict(robot.notation)

    def name(text: str) -> SymbolName:
        return given_latex(notation[text]) if text in notation else symbol_name(text)

    for q in robot.q:
        if f"d{q.name}" not in notation:
            notation[f"d{q.name}"] = rate_of(name(q.name)).latex
    for v, rate in zip(robot.v, robot.vdot, strict=True):
        if rate.name not in notation:
            notation[rate.name] = rate_of(name(v.name)).latex
    return notation
