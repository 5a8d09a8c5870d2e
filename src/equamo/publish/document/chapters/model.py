"""The model: figure, bodies and joints, inertia, parameters with units."""

from __future__ import annotations

from typing import Final

from ....algebra.expr import Expr
from ....algebra.expr.closed_form.closed_form import closed_form
from ....algebra.expr.printing.latex import to_latex
from ....algebra.expr.vector import Vector
from ....basics.wording import counted
from ....robot.model.body import WORLD, Body
from ...picture.static_svg import static_svg
from ..blocks import Block, Figure, Section, Table, Text
from ..script import Script
from ..style import Style, is_large

_MANY_PARAMETERS: Final = 60
_KINDS: Final = {
    "Revolute": "revolute", "Prismatic": "prismatic", "Fixed": "fixed", "Free": "free",
    "Spherical": "spherical", "Universal": "universal", "Planar": "planar", "Helical": "helical",
    "Cylindrical": "cylindrical", "Custom": "given by its pose",
    "FreeEuler": "free, three angles", "SphericalEuler": "spherical, three angles",
}  # fmt: skip


def model(script: Script) -> Section:
    """Figure, and tables of bodies, inertias and parameters."""
    robot, style = script.robot, script.style
    bodies, joints = counted(len(robot.bodies), "body", "bodies"), counted(len(robot.v), "speed")
    about = robot.description[:1].upper() + robot.description[1:]
    blocks: list[Block | Section] = [
        Text(
            f"{about + '. ' if about else ''}The model has {bodies} and {joints}. Frames are "
            "right-handed, units are SI and angles are in radians. Frame 0 is the inertial frame; frame "
            "$j$ is fixed to body $j$."
        ),
        *_figure(script),
        _bodies(style),
        _inertias(style),
        Text(f"The acceleration of gravity is ${_row(style, robot.gravity)}$ in frame 0."),
    ]
    parameters = _parameters(style)
    if parameters is not None:
        blocks.append(parameters)
    return Section("The model", tuple(blocks))


def _figure(script: Script) -> list[Block]:
    """The robot with its joints a little off their home position, so that frames can be told apart.

    None if a parameter has no value.
    """
    robot = script.robot
    if any(p.value is None for p in robot.parameter_info.values()):
        return []
    if robot.loops or robot.unit_groups or robot.speed_map is not None or is_large(robot):
        return [Figure(static_svg(robot, trimmed=True), "The robot in its home position.")]
    home = robot.state_space.q.home
    q = {
        x.name: float(y or 0) + 0.3 + 0.2 * i
        for i, (x, y) in enumerate(zip(robot.q, home, strict=True))
    }
    where = ", ".join(f"${script.style.notation[n]} = {_short(x)}$" for n, x in q.items())
    return [Figure(static_svg(robot, q, trimmed=True), f"The robot at {where}.")]


def _short(x: float) -> str:
    return f"{x:.3g}"


def symbol_latex(style: Style, x: Expr) -> str:
    """LaTeX of an expression in the symbols of the model."""
    return to_latex(closed_form(x), style.short, notation=style.notation)


def _row(style: Style, v: Vector) -> str:
    cells = " & ".join(symbol_latex(style, x) for x in v)
    return rf"\boldsymbol{{g}}_{{0}} = \begin{{bmatrix}} {cells} \end{{bmatrix}}^{{\mathsf{{T}}}}"


def _bodies(style: Style) -> Table:
    rows: list[tuple[str, ...]] = []
    for b in style.robot.bodies:
        kind = _KINDS.get(type(b.joint).__name__, type(b.joint).__name__.lower())
        q = ", ".join(f"${symbol_latex(style, x)}$" for x in b.joint.q) or "–"
        v = ", ".join(f"${symbol_latex(style, x)}$" for x in b.joint.v) or "–"
        parent = style.body(b.parent) if b.parent != WORLD else "0"
        rows.append((f"${style.body(b.name)}$", b.name, f"${parent}$", kind, q, v))
    head = ("$j$", "body", "parent $i$", "joint", "coordinates", "speeds")
    return Table(head, tuple(rows), "Bodies and joints.")


def _inertias(style: Style) -> Table:
    """Mass, centre of mass and central tensor, or the first moment and the tensor at the origin."""
    rows: list[tuple[str, ...]] = []
    central = [b for b in style.robot.bodies if _is_central(b)]
    about = [b for b in style.robot.bodies if not b.inertia.is_zero and not _is_central(b)]
    for b in central + about:
        i = b.inertia
        point = i.center if _is_central(b) else i.first_moment
        tensor = i.tensor_at_center if _is_central(b) else i.tensor
        J = (tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2])
        cells = (i.mass, *point, *J)
        rows.append((f"${style.body(b.name)}$", *(f"${symbol_latex(style, x)}$" for x in cells)))
    if about and not central:
        head = ("$j$", "$m$", *("$mx$", "$my$", "$mz$"), *_TENSOR)
        caption = "Mass, first moment and inertia tensor of body $j$ at the origin of frame $j$."
    else:
        head = ("$j$", "$m$", *("$x_G$", "$y_G$", "$z_G$"), *_TENSOR)
        caption = "Mass, centre of mass and inertia tensor at the centre of mass, in frame $j$."
        if about:
            names = ", ".join(f"${style.body(b.name)}$" for b in about)
            caption += f" Of {names}: first moment, and tensor at the origin of the frame."
    return Table(head, tuple(rows), caption)


_TENSOR: Final = ("$I_{xx}$", "$I_{yy}$", "$I_{zz}$", "$I_{xy}$", "$I_{xz}$", "$I_{yz}$")


def _is_central(b: Body) -> bool:
    return not b.inertia.is_zero and b.inertia.com is not None


def _parameters(style: Style) -> Table | None:
    """Symbol, value, unit and meaning; None if there are none."""
    info = style.robot.parameter_info
    if not info or len(info) > _MANY_PARAMETERS:
        return None
    rows = [
        (
            f"${symbol_latex(style, p.symbol)}$",
            "–" if p.value is None else f"{float(p.value):.6g}",
            p.unit or "–",
            p.description or "–",
        )
        for p in info.values()
    ]
    return Table(("symbol", "value", "unit", "meaning"), tuple(rows), "Parameters.")
