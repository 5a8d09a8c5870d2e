"""Numbers: M, h and g at one state, with the default values of the parameters."""

from __future__ import annotations

from fractions import Fraction
from textwrap import fill
from typing import Any, Final

from ....mechanics.equations.derive import derive
from ....robot.library import registry
from ..blocks import Block, Code, Section, Table, Text
from ..script import Script

_MATRIX: Final = 6  # largest mass matrix that is printed
_CODE_WIDTH: Final = 80  # characters in a line of code


def example_state(script: Script) -> Section | None:
    """A state, and the numbers there; None if a parameter has no value."""
    robot, style = script.robot, script.style
    if any(p.value is None for p in robot.parameter_info.values()):
        return None
    q, v = _state(script)
    eom = derive(robot, by=script.by)
    state: dict[str, Any] = {"q": q, "v": v}
    M, h, g = (eom.evaluate(x, **state) for x in ("mass_matrix", "bias", "gravity"))
    rows: list[tuple[str, ...]] = []
    for i, x in enumerate(robot.v):
        rows.append(
            (
                f"${style.notation[x.name]}$",
                *(f"${_number(y)}$" for y in (v[i], M[i, i], h[i], g[i])),
            )
        )
    where = ", ".join(
        f"${style.notation[x.name]} = {_number(y)}$" for x, y in zip(robot.q, q, strict=True)
    )
    label = style.letters[0]
    blocks: list[Block] = [
        Text(f"With the default parameter values and {where}:"),
        Table(
            ("speed", "value", f"${label}_{{ii}}$", "$h_{i}$", f"${style.letters[2]}_{{i}}$"),
            tuple(rows),
        ),
    ]
    if len(robot.v) <= _MATRIX:
        body = r" \\ ".join(" & ".join(_number(x) for x in row) for row in M)
        blocks.append(
            Text(
                rf"The whole mass matrix is ${style.M} = \begin{{bmatrix}} {body} \end{{bmatrix}}$."
            )
        )
    if robot.name in registry.names():
        blocks += [Text("The same numbers in Python:"), Code(_code(script, q, v))]
    return Section("Numerical example", tuple(blocks))


def _state(script: Script) -> tuple[list[float], list[float]]:
    """Generic coordinates and speeds; the home state if the coordinates are constrained."""
    robot = script.robot
    space = robot.state_space
    q = [float(x or 0) for x in space.q.home]
    if not robot.loops and not robot.unit_groups:
        q = [round(x + float(Fraction(i + 2, 10) * (-1) ** i), 3) for i, x in enumerate(q)]
    v = (
        [0.0] * len(robot.v)
        if robot.loops
        else [round(0.5 - 0.1 * (i % 4), 3) for i in range(len(robot.v))]
    )
    return q, v


def _number(x: Any) -> str:
    text = f"{float(x):.5g}"
    if "e" not in text:
        return text
    mantissa, exponent = text.split("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"


def _code(script: Script, q: list[float], v: list[float]) -> str:
    return "\n".join(
        [
            "import equamo as eq",
            "",
            f'eom = eq.derive(eq.load("{script.robot.name}"), by="{script.by}")',
            fill(f"state = dict(q={q}, v={v})", _CODE_WIDTH, subsequent_indent=" " * 4),
            'for name in ("mass_matrix", "bias", "gravity"):',
            "    print(name, eom.evaluate(name, **state))",
        ]
    )
