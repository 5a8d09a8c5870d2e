"""`equamo linearize`: linear system of a robot near a state, with its poles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import typer

from ..mechanics.equations import derive
from ..motion.control.linear_system import LinearSystem
from ..motion.control.linearize import linearize
from .model import Base, Parameters, RobotName, robot_of
from .output import Json, print_json, progress
from .simulate import numbers


def run(
    robot: RobotName,
    q: Annotated[
        list[str] | None,
        typer.Option(help="Coordinates: q1=1,q2=pi/2. The others are at home."),
    ] = None,
    v: Annotated[
        list[str] | None, typer.Option(help="Speeds: dq1=0.5. The others are at home.")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(help="Inputs: tau1=2. By default the smallest that hold the robot."),
    ] = None,
    value: Annotated[list[str] | None, typer.Option(help="Parameters: m1=2.")] = None,
    dt: Annotated[
        float | None,
        typer.Option(help="Step [s] of a discrete system with constant inputs during each step."),
    ] = None,
    base: Base = None,
    parameters: Parameters = None,
    json: Json = False,
) -> None:
    """Linearize a robot near a state: ẋ = A x + B u + drift.

    \b
    Example:
      equamo linearize rr_arm --q q1=0.3,q2=0.5
      equamo linearize rr_arm --dt 0.01 --json
    """
    with progress("deriving") as say:
        eom = derive(robot_of(robot, base, parameters))
        say("linearizing")
        state = numbers("--q", q), numbers("--v", v), numbers("--inputs", inputs)
        lin = linearize(eom, *state, values=numbers("--value", value), dt=dt)
    if json:
        print_json(_data(eom.robot.name, lin))
    else:
        print(_text(eom.robot.name, lin))


def _data(robot: str, lin: LinearSystem) -> dict[str, Any]:
    point, eom = lin.point, lin.point.eom
    return {
        "robot": robot,
        "q": _named(eom.q, point.q),
        "v": _named(eom.v, point.v),
        "inputs_at_point": _named(eom.inputs, point.inputs),
        "dt": lin.dt,
        "states": list(lin.states),
        "inputs": list(lin.inputs),
        "A": lin.A.tolist(),
        "B": lin.B.tolist(),
        "drift": lin.drift.tolist(),
        "poles": [[float(x.real), float(x.imag)] for x in _poles(lin)],
    }


def _named(symbols: Sequence[Any], numbers: Any) -> dict[str, float]:
    return {s.name: float(x) for s, x in zip(symbols, numbers, strict=True)}


def _poles(lin: LinearSystem) -> list[complex]:
    """Poles in order of their real parts, conjugate pairs together."""
    poles = np.asarray(lin.poles, dtype=np.complex128).tolist()
    return sorted(poles, key=lambda x: (round(x.real, 9), abs(x.imag), x.imag))


def _text(robot: str, lin: LinearSystem) -> str:
    point, eom = lin.point, lin.point.eom
    at = {**_named(eom.q, point.q), **_named(eom.v, point.v), **_named(eom.inputs, point.inputs)}
    state = ", ".join(f"{n} = {x:.6g}" for n, x in at.items())
    lines = [f"{robot} at {state}", str(lin)]
    for letter, matrix, columns in (("A", lin.A, lin.states), ("B", lin.B, lin.inputs)):
        if matrix.size:
            lines += ["", *_table(letter, matrix, lin.states, columns)]
    poles = ", ".join(
        f"{x.real:.6g}{x.imag:+.6g}i" if x.imag else f"{x.real:.6g}" for x in _poles(lin)
    )
    return "\n".join([*lines, "", f"poles {poles}"])


def _table(letter: str, matrix: Any, rows: Sequence[str], columns: Sequence[str]) -> list[str]:
    cells = [[letter, *columns]]
    cells += [[n, *(f"{x + 0.0:.6g}" for x in row)] for n, row in zip(rows, matrix, strict=True)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in cells
    ]
