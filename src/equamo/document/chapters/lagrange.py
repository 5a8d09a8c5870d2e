r"""Lagrange's method, written out: energies body by body, L, and its derivatives joint by joint."""

from __future__ import annotations

from typing import Final

from ...expr import Expr
from ...expr.differentiate import gradient, hessian
from ...kinematics.quantity_name import QuantityName
from ...kinematics.steps import Value, matrix_entry
from ...model.body import Body
from ..blocks import Block, Equation, Section, Text
from ..printed import closed, is_zero
from ..script import Script
from ..style import is_large
from .equations import Sources, mass_matrix, velocity_terms
from .equations import gravity as gravity_section
from .jacobians import jacobians
from .lagrange_large import lagrange_large
from .lagrange_laws import AT_CENTER, AT_ORIGIN, HEIGHT, ROTATION, introduction
from .transforms import transforms


def lagrange(script: Script) -> list[Section]:
    """Chapters of Lagrange's method for a robot whose equations are written out."""
    if is_large(script.robot) or not script.robot.has_unit_map:
        return lagrange_large(script)
    laws, L, motion = introduction(script)
    robot = script.robot
    names = [x.name for x in robot.v]
    sections = [
        laws,
        transforms(script),
        _energies(script),
        _lagrangian(script, L),
        _joint_by_joint(script, motion),
    ]
    M = script.derivation.mass_matrix
    T, U = script.form(QuantityName("E")), script.form(QuantityName("U"))
    assert isinstance(T, Expr) and isinstance(U, Expr)
    second = hessian(gradient(T, robot.v), robot.v)
    also: dict[QuantityName, Value] = {
        matrix_entry("M", a, b): second[i][j]
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i <= j
    }
    also |= {
        QuantityName("gravity", by=(n,)): x
        for n, x in zip(names, gradient(U, robot.q), strict=True)
    }
    T_number, U_number = script.number(QuantityName("E")), script.number(QuantityName("U"))
    follows = {"M": [T_number], "gravity": [U_number], "bias": [T_number]}
    sources = Sources(_RULES, {}, also, {}, follows)
    second_route = jacobians(script, M)
    sections += [second_route] if second_route else []
    sections += [
        mass_matrix(script, names, sources),
        velocity_terms(script, names, sources, M),
        gravity_section(script, names, sources),
    ]
    return sections


_RULES: Final = {
    "M": r"\frac{{\partial^{{2}} T}}{{\partial {vi} \partial {vj}}}",
    "gravity": r"\frac{{\partial U}}{{\partial {qi}}}",
}


# -- energies ----------------------------------------------------------------------------------------
def _energies(script: Script) -> Section:
    rot = script.law(r"\boldsymbol{\omega}_{j}^{\times}", ROTATION)
    central = any(script.recorded(QuantityName("v_G", b.name)) for b in script.robot.bodies)
    blocks: list[Block | Section] = [
        Text(
            r"The angular velocity $\boldsymbol{\omega}_{j}$, in frame $j$, is found by differentiating the "
            r"rotation: with the skew matrix $\boldsymbol{\omega}^{\times}$ of $\boldsymbol{\omega}$,"
        ),
        rot,
    ]
    if central:
        energy = script.law("T_{j}", AT_CENTER)
        blocks += [Text("With the centre of mass $G$ of each body, Koenig's theorem is"), energy]
    origin = script.law("T_{j}", AT_ORIGIN)
    blocks += [
        Text(
            r"At the origin of frame $j$, with the first moment $m_{j} \boldsymbol{s}_{j}$, the inertia "
            r"tensor $\boldsymbol{J}_{j}$ there and the velocity $\boldsymbol{v}_{j} = "
            r"\boldsymbol{A}_{j}^{\mathsf{T}} \dot{\boldsymbol{r}}_{j}$ of the origin, the same energy is"
        ),
        origin,
    ]
    height = script.law(
        "U_{j}",
        HEIGHT,
    )
    blocks += [Text("The potential energy in the field of gravity is"), height]
    for b in script.robot.bodies:
        if b.inertia.is_zero:
            continue
        parts = _body(script, b, rot.number, origin.number, height.number)
        j = script.style.body(b.name)
        blocks.append(Section(f"Body ${j}$: {b.name}", tuple(parts)))
    return Section("Energies, body by body", tuple(blocks))


def _body(script: Script, b: Body, rot: int, origin: int, height: int) -> list[Block]:
    """r_G, v_G, T_trans, ω, T_rot, T and U of one body."""
    k, j = b.name, script.style.body(b.name)
    w, V = QuantityName("w", k), QuantityName("V", k)
    blocks: list[Block] = []
    if script.recorded(QuantityName("v_G", k)):
        r_G, v_G = QuantityName("r_G", k), QuantityName("v_G", k)
        trans, rot_energy = QuantityName("E_trans", k), QuantityName("E_rot", k)
        blocks += [
            Text("Translation:"),
            script.step(r_G, rf"\boldsymbol{{r}}_{{{j}}} + \boldsymbol{{A}}_{{{j}}} \boldsymbol{{s}}_{{{j}}}"),
            script.step(v_G, rf"\dot{{\boldsymbol{{r}}}}_{{G,{j}}}", how="derivative of the position"),
            script.step(
                trans,
                rf"\frac{{1}}{{2}} m_{{{j}}} \boldsymbol{{v}}_{{G,{j}}}^{{\mathsf{{T}}}} \boldsymbol{{v}}_{{G,{j}}}",
            ),
            Text("Rotation:"),
            script.step(w, cites=(rot,), how="derivative of the rotation"),
            script.step(
                rot_energy,
                rf"\frac{{1}}{{2}} \boldsymbol{{\omega}}_{{{j}}}^{{\mathsf{{T}}}} \boldsymbol{{I}}_{{{j}}} \boldsymbol{{\omega}}_{{{j}}}",
            ),
        ]
        total = _sum(script, QuantityName("E", k), [trans, rot_energy])
        blocks += [Text("Together, and by the formula at the origin as well,"), total]
    else:
        blocks += [
            script.step(w, cites=(rot,), how="derivative of the rotation"),
            script.step(
                V,
                rf"\boldsymbol{{A}}_{{{j}}}^{{\mathsf{{T}}}} \dot{{\boldsymbol{{r}}}}_{{{j}}}",
                how="derivative of the position",
            ),
            script.step(QuantityName("E", k), cites=(origin,)),
        ]
    U = QuantityName("U", k, minus=True)
    if not is_zero(script.value(U)):
        blocks += [Text("Gravity:"), script.step(U, cites=(height,))]
    else:
        blocks.append(Text(f"Its potential energy is constant, $U_{{{j}}} = 0$."))
    return blocks


def _sum(script: Script, name: QuantityName, parts: list[QuantityName]) -> Equation:
    """The energy of a body as recorded, printed as the sum of its parts."""
    shown = [p for p in parts if not is_zero(script.value(p))]
    rule = " + ".join(script.style.latex(p) for p in shown)
    return script.step(name, rule, cites=[script.number(p) for p in shown])


# -- the Lagrangian ----------------------------------------------------------------------------------
def _lagrangian(script: Script, L: int) -> Section:
    E, U = QuantityName("E"), QuantityName("U")
    bodies = [b.name for b in script.robot.bodies]
    T_j = [n for n in (QuantityName("E", k) for k in bodies) if script.has(n)]
    U_j = [QuantityName("U", k) for k in bodies if script.has(QuantityName("U", k, minus=True))]
    T_form = script.step(E, " + ".join(script.style.latex(x) for x in T_j), cites=(L + 1,))
    U_form = script.step(U, " + ".join(script.style.latex(x) for x in U_j), cites=(L + 2,))
    shown = closed(script.value(E)) - closed(script.value(U))  # pyright: ignore
    whole = script.step(QuantityName("L"), "T - U", form=shown, cites=(L,))
    return Section("The Lagrangian", (T_form, U_form, whole))


def _joint_by_joint(script: Script, motion: int) -> Section:
    blocks: list[Block | Section] = []
    for q, v in zip(script.robot.joint_coordinates, script.robot.joint_speeds, strict=True):
        by = (v.name,)
        names = [QuantityName(x, by=by) for x in ("dL_dv", "dL_dv_dot", "dL_dq")]
        if not script.recorded(names[0]):
            continue
        lines = [script.step(x, left=script.style.latex(x)) for x in names]
        total = script.line(
            rf"Q_{{{script.style.labels[v.name]}}}",
            script.value(names[1]) - script.value(names[2]),  # pyright: ignore
            rf"\frac{{d}}{{dt}} \frac{{\partial L}}{{\partial {script.style.notation[v.name]}}} - \frac{{\partial L}}{{\partial {script.style.notation[q.name]}}}",
            follows=(motion, *(x.number for x in lines)),
            name=QuantityName("motion", by=by),
        )
        title = f"Coordinate ${script.style.notation[q.name]}$"
        blocks.append(Section(title, (*lines, total)))
    return Section("Lagrange's equation, coordinate by coordinate", tuple(blocks))
