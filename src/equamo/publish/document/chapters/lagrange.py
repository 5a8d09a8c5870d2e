r"""Lagrange's method, written out: energies body by body, L, and its derivatives joint by joint."""

from __future__ import annotations

from typing import Final

from ....algebra.expr import ONE
from ....algebra.expr.differentiate import directional, gradient, hessian
from ....algebra.expr.matrix import Matrix, unskew_product
from ....algebra.expr.vector import Vector, dot
from ....mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ....mechanics.kinematics.quantity_name import QuantityName
from ....mechanics.kinematics.steps import Value, matrix_entry
from ....robot.model.body import Body
from ..blocks import Block, Equation, Section, Text
from ..printed import as_scalar, closed, is_zero, mapped
from ..script import Script
from ..style import is_large
from .equations import Sources, gravity as gravity_section, mass_matrix, velocity_terms
from .jacobians import jacobians
from .lagrange_large import lagrange_large
from .lagrange_laws import AT_CENTER, AT_ORIGIN, HEIGHT, ROTATION, introduction
from .transforms import transforms


def lagrange(script: Script) -> list[Section]:
    """Chapters of Lagrange's method for a robot whose equations are written out."""
    if is_large(script.robot) or not script.robot.tree.has_unit_map:
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
    if robot.speed_map is not None:
        sections.append(_maggi(script))
    M = script.derivation.mass_matrix
    T_number, U_number = script.number(QuantityName("E")), script.number(QuantityName("U"))
    follows = {"M": [T_number], "gravity": [U_number], "bias": [T_number]}
    rules = _RULES if robot.speed_map is None else {}  # the printed T is in the joint speeds
    sources = Sources(rules, {}, _other_routes(script), {}, follows)
    second_route = jacobians(script, M)
    sections += [second_route] if second_route else []
    return [
        *sections,
        mass_matrix(script, names, sources),
        velocity_terms(script, names, sources, M),
        _gravity(script, names, sources),
    ]


def _gravity(script: Script, names: list[str], sources: Sources) -> Section:
    """g = ∂U/∂q, after a repetition of the energies of the bodies."""
    parts: list[Equation] = []
    for b in script.robot.bodies:
        name = QuantityName("U", b.name)
        if script.number(name):
            value = script.form(name)
            parts.append(
                script.line(
                    script.style.latex(name), value, follows=[script.number(name)], how="repeated"
                )
            )
    section = gravity_section(script, names, sources)
    if not parts:
        return section
    U = QuantityName("U")
    rule = " + ".join(x.left for x in parts)
    follows = [script.number(U), *(x.number for x in parts)]
    total = script.line("U", script.form(U), rule, follows=follows, how="repeated")
    text = Text(
        "The gravity terms are the derivatives of the potential energies, which are repeated here:"
    )
    return Section(section.title, (text, *parts, total, *section.blocks))


def _other_routes(script: Script) -> dict[QuantityName, Value]:
    """M and g by differentiating the printed energies."""
    robot = script.robot
    v, names = robot.v, [x.name for x in robot.v]
    T, U = (as_scalar(script.form(QuantityName(x))) for x in "EU")
    second = hessian(gradient(as_scalar(script.in_speeds(T)), v), v)
    also: dict[QuantityName, Value] = {
        matrix_entry("M", a, b): second[i][j]
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i <= j
    }
    slopes = Vector(gradient(U, robot.joint_coordinates))
    g = ChosenSpeeds(robot).W.T @ slopes
    also |= {
        QuantityName("gravity", by=(n,)): script.in_speeds(x) for n, x in zip(names, g, strict=True)
    }
    return also


def _maggi(script: Script) -> Section:
    """Combinations of Lagrange's equations without constraint forces."""
    law = script.law(
        r"\sum_{i} W_{is} \left(\frac{d}{dt} \frac{\partial L}{\partial u_{i}} - "
        r"\frac{\partial L}{\partial q_{i}} - Q_{i}\right)",
        "0",
    )
    text = Text(
        "Each of these equations contains unknown forces of the constraints. They do no work for "
        "any motion "
        r"$\boldsymbol{u} = \boldsymbol{W} \boldsymbol{v}$, so they drop out of the combinations (Maggi)"
    )
    end = Text("which are the equations of motion in the chosen speeds $v_{s}$.")
    return Section("Combination along the chosen speeds", (text, law, end))


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
            r"The angular velocity $\boldsymbol{\omega}_{j}$, in frame $j$, is found by "
            r"differentiating the "
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
            r"\boldsymbol{A}_{j}^{\mathsf{T}} \dot{\boldsymbol{r}}_{j}$ of the origin, the same "
            r"energy is"
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
    blocks: list[Block] = []
    w = script.components(
        QuantityName("w", k),
        cites=(rot,),
        how="derivative of the rotation",
        also=[_spin(script, k)],
    )
    if script.recorded(QuantityName("v_G", k)):
        trans, spin = QuantityName("E_trans", k), QuantityName("E_rot", k)
        blocks += _translation(script, b)
        blocks += [
            Text("Rotation:"),
            *w,
            script.step(
                spin,
                rf"\frac{{1}}{{2}} \boldsymbol{{\omega}}_{{{j}}}^{{\mathsf{{T}}}} "
                rf"\boldsymbol{{I}}_{{{j}}} \boldsymbol{{\omega}}_{{{j}}}",
            ),
            Text("The sum of both, which also follows from the formula at the origin, is"),
            _sum(script, QuantityName("E", k), [trans, spin]),
        ]
    else:
        rule = rf"\boldsymbol{{A}}_{{{j}}}^{{\mathsf{{T}}}} \dot{{\boldsymbol{{r}}}}_{{{j}}}"
        blocks += [
            *w,
            *script.components(QuantityName("V", k), rule, how="derivative of the position"),
            script.step(QuantityName("E", k), cites=(origin,)),
        ]
    U = QuantityName("U", k, minus=True)
    if not is_zero(script.value(U)):
        blocks += [Text("Gravity:"), script.step(U, cites=(height,))]
    else:
        blocks.append(Text(f"Its potential energy is constant, $U_{{{j}}} = 0$."))
    return blocks


def _translation(script: Script, b: Body) -> list[Block]:
    """r_G, v_G and T_trans; a text if the centre of mass does not move."""
    j = script.style.body(b.name)
    r_G, v_G = QuantityName("r_G", b.name), QuantityName("v_G", b.name)
    place = rf"\boldsymbol{{r}}_{{{j}}} + \boldsymbol{{A}}_{{{j}}} \boldsymbol{{s}}_{{{j}}}"
    if is_zero(closed(script.value(v_G))):
        return [Text("Its centre of mass does not move.")]
    rate = rf"\dot{{\boldsymbol{{r}}}}_{{G,{j}}}"
    return [
        Text("Translation:"),
        *script.components(r_G, place),
        *script.components(
            v_G, rate, how="derivative of the printed position", also=[_rate(script, r_G)]
        ),
        script.step(
            QuantityName("E_trans", b.name),
            rf"\frac{{1}}{{2}} m_{{{j}}} \boldsymbol{{v}}_{{G,{j}}}^{{\mathsf{{T}}}} "
            rf"\boldsymbol{{v}}_{{G,{j}}}",
        ),
    ]


def _rate(script: Script, name: QuantityName) -> Value:
    """Time derivative of the printed form."""
    robot = script.robot.tree
    rates = dict(zip(robot.q, robot.v, strict=True))
    return mapped(script.form(name), lambda e: directional(e, rates))


def _spin(script: Script, body: str) -> Value:
    """ω from the printed rotation and its derivative."""
    A, A_dot = script.form(QuantityName("A", body)), _rate(script, QuantityName("A", body))
    assert isinstance(A, Matrix)
    assert isinstance(A_dot, Matrix)
    return unskew_product(A.T, A_dot) + A.T @ script.robot.base.w


def _sum(script: Script, name: QuantityName, parts: list[QuantityName]) -> Equation:
    """The energy of a body as recorded, printed as the sum of its parts."""
    shown = [p for p in parts if not is_zero(closed(script.value(p)))]
    rule = " + ".join(script.style.latex(p) for p in shown)
    total = Vector([as_scalar(script.form(p)) for p in shown])
    return script.step(
        name, rule, follows=[script.number(p) for p in shown], also=[dot(total, [ONE] * len(total))],
        how="sum, and the formula at the origin",
    )  # fmt: skip


# -- the Lagrangian ----------------------------------------------------------------------------------
def _lagrangian(script: Script, L: int) -> Section:
    E, U = QuantityName("E"), QuantityName("U")
    bodies = [b.name for b in script.robot.bodies]
    T_j = [n for n in (QuantityName("E", k) for k in bodies) if script.has(n)]
    U_j = [QuantityName("U", k) for k in bodies if script.has(QuantityName("U", k, minus=True))]
    T_form = script.step(E, " + ".join(script.style.latex(x) for x in T_j), cites=(L + 1,))
    U_form = script.step(U, " + ".join(script.style.latex(x) for x in U_j), cites=(L + 2,))
    shown = as_scalar(script.form(E)) - as_scalar(script.form(U))
    whole = script.step(QuantityName("L"), "T - U", form=shown, cites=(L,))
    return Section("The Lagrangian", (T_form, U_form, whole))


def _joint_by_joint(script: Script, motion: int) -> Section:
    blocks: list[Block | Section] = []
    for q, v in zip(script.robot.joint_coordinates, script.robot.joint_speeds, strict=True):
        by = (v.name,)
        names = [QuantityName(x, by=by) for x in ("dL_dv", "dL_dv_dot", "dL_dq")]
        if not script.recorded(names[0]):
            continue
        lines = [script.step(x) for x in names]
        title = f"Coordinate ${script.style.notation[q.name]}$"
        if script.robot.speed_map is not None:
            blocks.append(Section(title, tuple(lines)))
            continue
        total = script.line(
            rf"Q_{{{script.style.labels[v.name]}}}",
            as_scalar(script.value(names[1])) - as_scalar(script.value(names[2])),
            rf"\frac{{d}}{{dt}} \frac{{\partial L}}{{\partial {script.style.notation[v.name]}}} "
            rf"- \frac{{\partial L}}{{\partial {script.style.notation[q.name]}}}",
            follows=(motion, *(x.number for x in lines)),
            name=QuantityName("motion", by=by),
        )
        blocks.append(Section(title, (*lines, total)))
    return Section("Lagrange's equation, coordinate by coordinate", tuple(blocks))
