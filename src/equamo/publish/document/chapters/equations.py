r"""The equations of motion: M, C, g, generalized forces, and the equations line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from ....algebra.expr import ZERO, Expr
from ....algebra.expr.matrix import Matrix
from ....algebra.expr.printing.latex import to_latex
from ....algebra.expr.vector import Vector
from ....algebra.identity.prove import differences
from ....mechanics.equations.coriolis import christoffel, christoffel_symbols
from ....mechanics.formulations.derivation import Derivation
from ....mechanics.kinematics.force_projection import input_matrix
from ....mechanics.kinematics.quantity_name import QuantityName
from ....mechanics.kinematics.steps import Value, matrix_entry
from ..blocks import Block, Section, Text
from ..printed import as_scalar, closed, is_zero
from ..script import Script
from ..style import is_large
from .loops import has_multipliers, loop_matrix, multipliers

_MAX_SYMBOLS: Final = 3  # most coordinates for which Christoffel symbols are listed


@final
@dataclass(frozen=True)
class Sources:
    """How the method finds the results: middle members, laws they cite, and other routes to them.

    For a large robot, a letter in `general` is one equation in general symbols, and entries of the
    others are written in components of earlier quantities. A middle member may contain {i}, {j} (labels)
    and {vi}, {vj}, {qi} (symbols of speed and coordinate).
    """

    rules: Mapping[str, str] = field(default_factory=dict[str, str])  # by letter: M, bias, gravity
    laws: Mapping[str, int] = field(default_factory=dict[str, int])
    also: Mapping[QuantityName, Value] = field(default_factory=dict[QuantityName, Value])
    general: Mapping[str, str] = field(default_factory=dict[str, str])  # for large robots
    follows: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])


def terms(script: Script, sources: Sources) -> list[Section]:
    """Chapters on M, h and g over the robot's speeds."""
    names, M = [x.name for x in script.robot.v], script.derivation.mass_matrix
    return [
        mass_matrix(script, names, sources),
        velocity_terms(script, names, sources, M),
        gravity(script, names, sources),
    ]


def mass_matrix(script: Script, names: Sequence[str], sources: Sources) -> Section:
    """Entries of M over the speeds `names`."""
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i:]]
    blocks = _entries(script, [matrix_entry("M", a, b) for a, b in pairs], sources)
    text = Text(
        f"The mass matrix ${script.style.M}$ is symmetric; its entries are the coefficients of "
        "the accelerations."
    )
    return Section("Mass matrix", (text, *blocks))


def gravity(script: Script, names: Sequence[str], sources: Sources) -> Section:
    """Entries of g over the speeds `names`."""
    return Section(
        "Gravity",
        tuple(_entries(script, [QuantityName("gravity", by=(n,)) for n in names], sources)),
    )


def velocity_terms(script: Script, names: Sequence[str], sources: Sources, M: Matrix) -> Section:
    """h = C v: entries, Christoffel symbols of small robots, and C."""
    robot, style = script.robot, script.style
    blocks: list[Block | Section] = [
        Text("The Coriolis and centrifugal terms are"),
        *_entries(script, [QuantityName("bias", by=(n,)) for n in names], sources),
    ]
    plain = robot.speed_map is None and robot.has_unit_map and robot.base.is_zero
    if plain and len(names) <= _MAX_SYMBOLS:
        law = script.law("c_{ijk}", _CHRISTOFFEL.replace("M", style.letters[0]))
        blocks += [
            Text(
                r"They can be written as $\boldsymbol{h} = \boldsymbol{C} \dot{\boldsymbol{q}}$ "
                r"with the "
                "Christoffel symbols"
            ),
            law,
            *_christoffel(script, M, law.number),
        ]
        C = christoffel(robot, M)
        product = script.law("C_{kj}", r"\sum_{i} c_{ijk} \dot q_{i}", follows=(law.number,))
        h = Vector([script.value(QuantityName("bias", by=(n,))) for n in names])
        blocks += [product, *_coriolis(script, C, h, (product.number, law.number), names)]
    return Section("Coriolis and centrifugal terms", tuple(blocks))


def _coriolis(
    script: Script, C: Matrix, h: Vector, laws: tuple[int, int], names: Sequence[str]
) -> list[Block]:
    """C as a matrix, or entry by entry if that is too wide, and h = C q̇."""
    product, how = r"\boldsymbol{C} \dot{\boldsymbol{q}}", "product, and the terms above"
    claim = C @ Vector(script.robot.v)
    numbers = [script.number(QuantityName("bias", by=(n,))) for n in names]
    if not script.is_wide(closed(C)) and not script.is_wide(closed(h)):
        whole = script.line(r"\boldsymbol{C}", C, follows=laws)
        numbers.append(whole.number)
        line = script.line(r"\boldsymbol{h}", h, product, also=(claim,), follows=numbers, how=how)
        return [whole, line]
    n = range(len(names))
    lines = [
        script.line(f"C_{{{k + 1}{j + 1}}}", C[k, j], follows=laws)
        for k in n
        for j in n
        if not is_zero(closed(C[k, j]))
    ]
    numbers += [x.number for x in lines]
    whole = script.general(r"\boldsymbol{h}", product, differences(claim, h), numbers, how)
    return [*lines, Text("The other entries are zero."), whole]


_CHRISTOFFEL = (
    r"\frac{1}{2} \left(\frac{\partial M_{kj}}{\partial q_{i}} + "
    r"\frac{\partial M_{ki}}{\partial q_{j}} - \frac{\partial M_{ij}}{\partial q_{k}}\right)"
)


def _christoffel(script: Script, M: Matrix, law: int) -> list[Block]:
    """c_ijk = c_jik for i ≤ j, equation k; consecutive zeros in one line."""
    c = christoffel_symbols(M, script.robot.q)
    n = range(len(c))
    blocks: list[Block] = []
    zero: list[str] = []
    for k in n:
        for i in n:
            for j in n[i:]:
                left = f"c_{{{i + 1}{j + 1}{k + 1}}}"
                if i != j:
                    left += f" = c_{{{j + 1}{i + 1}{k + 1}}}"
                value = closed(c[k][j, i])
                if is_zero(value):
                    zero.append(left)
                    continue
                if zero:
                    blocks.append(script.line(" = ".join(zero), ZERO, follows=(law,)))
                    zero = []
                blocks.append(script.line(left, c[k][j, i], form=value, follows=(law,)))
    if zero:
        blocks.append(script.line(" = ".join(zero), ZERO, follows=(law,)))
    return blocks


def _entries(script: Script, names: Sequence[QuantityName], sources: Sources) -> list[Block]:
    """One equation for each entry; zeros are collected in one line of text."""
    blocks: list[Block] = []
    zero: list[str] = []
    large = is_large(script.robot)
    letter = names[0].letter
    law = sources.laws.get(letter, 0)
    if large and letter in sources.general:
        return [_general(script, names, sources)]
    for name in names:
        form = closed(script.in_names(name) if large else script.value(name))
        if is_zero(form):
            zero.append(f"${script.style.latex(name)} = 0$")
            continue
        rotor = script.rotor(name)
        also = [as_scalar(sources.also[name]) + rotor] if name in sources.also else []
        rule = _filled(script, sources.rules.get(letter, ""), name) if rotor is ZERO else ""
        follows = sources.follows.get(letter)
        blocks.append(script.step(name, rule, form=form, cites=(law,), also=also, follows=follows))
    if zero:
        more = "The others are zero: " if blocks else ""
        blocks.append(Text(more + ", ".join(zero) + "."))
    return blocks


_ROTORS: Final = (
    r" + \sum_{k} I_{a,k} \frac{\partial \dot q_{k}}{\partial v_{i}} "
    r"\frac{\partial \dot q_{k}}{\partial v_{j}}"
)


def _general(script: Script, names: Sequence[QuantityName], sources: Sources) -> Block:
    """One equation for all entries, each of which is proved by the other route."""
    letter = names[0].letter
    claims: list[Expr] = []
    right = sources.general[letter]
    if letter == "M" and script.rotors:
        chosen = script.robot.speed_map is not None
        right += _ROTORS if chosen else r" + I_{a,i} \delta_{ij}"
    for name in names:
        if name in sources.also:
            value = as_scalar(sources.also[name]) + script.rotor(name)
            claims += differences(value, script.value(name))
    index = ("_i", "_j") if letter == "M" else ("_i",)
    left = script.style.latex(QuantityName(letter, by=index))
    follows = (sources.laws.get(letter, 0), *sources.follows.get(letter, ()))
    if all(name in sources.also for name in names):
        equation = script.general(left, right, claims, follows, f"all {len(names)} entries")
    else:  # without a second route, it is stated as a law
        equation = script.law(left, right, follows=follows)
    for name in names:
        script.covers(name, equation.number)
    return equation


def _filled(script: Script, rule: str, name: QuantityName) -> str:
    """A middle member with the labels and symbols of an entry."""
    if not rule:
        return ""
    robot, style = script.robot, script.style
    coordinates = {v.name: q for q, v in zip(robot.q, robot.v, strict=False)}
    a, b = name.by[0], name.by[-1]
    return rule.format(
        i=style.labels[a], j=style.labels[b], vi=style.notation[a], vj=style.notation[b],
        qi=style.notation[coordinates[a].name] if a in coordinates else "",
    )  # fmt: skip


# -- all together ------------------------------------------------------------------------------------
def equations(script: Script) -> Section:
    """Generalized forces, the matrix equation, and its lines."""
    robot, style, D = script.robot, script.style, script.derivation
    names = [x.name for x in robot.v]
    total = Vector([_force(D, i) for i in range(len(names))])
    speed = (
        r"\dot{\boldsymbol{q}}"
        if robot.has_unit_map and robot.speed_map is None
        else r"\boldsymbol{v}"
    )
    rate = r"\ddot{\boldsymbol{q}}" if "q" in speed else r"\dot{\boldsymbol{v}}"
    held = has_multipliers(script)
    law = script.law(
        rf"{style.M} {rate} + \boldsymbol{{h}} + {style.g}",
        r"\boldsymbol{Q}"
        + (r" + \boldsymbol{J}^{\mathsf{T}} \boldsymbol{\lambda}" if held else ""),
    )
    blocks: list[Block | Section] = [
        Text(
            f"With ${rate}$, the derivative of ${speed}$, and the generalized forces "
            r"$\boldsymbol{Q}$, the equations of motion are"
        ),
        law,
        Text("Actuators and other forces enter by their virtual power:"),
    ]
    if is_large(robot):
        return Section("Equations of motion", (*blocks, *_large_forces(script)))
    Q = script.line(r"\boldsymbol{Q}", total, name=QuantityName("Q_total"))
    forces, values = [as_scalar(closed(x)) for x in total], list(total)
    notation, lambdas = dict(style.notation), list[tuple[str, Expr]]()
    if held:
        lam, more = multipliers(script)
        reaction = loop_matrix(script).T @ lam
        forces = [x + as_scalar(closed(y)) for x, y in zip(forces, reaction, strict=True)]
        values = [x + y for x, y in zip(values, reaction, strict=True)]
        notation |= more
        lambdas = [(more[x.name], x) for x in lam]
    blocks += [Q, Text("Written out:")]
    for i, name in enumerate(names):
        row = matrix_row(script, i)
        entries = [matrix_entry("M", *sorted((name, x), key=names.index)) for x in names]
        used = [*entries, QuantityName("bias", by=(name,)), QuantityName("gravity", by=(name,))]
        left = to_latex(forces[i], style.short, notation=notation)
        value = D.mass_matrix.row(i) @ Vector(robot.vdot) + D.bias[i] + D.gravity[i]
        numbers = [script.number(x) for x in used]
        blocks.append(
            script.line(
                left, value, form=row, follows=(law.number, Q.number, *numbers), how="sum",
                name=QuantityName("equation", by=(name,)), left_value=values[i], left_names=lambdas,
            )
        )  # fmt: skip
    return Section("Equations of motion", tuple(blocks))


def _large_forces(script: Script) -> list[Block]:
    """Generalized forces of a large robot: a list for its actuators, general symbols for loads."""
    robot, D, style = script.robot, script.derivation, script.style
    actuators = [f.name for f in robot.forces if f.inputs()]
    loads = [f.name for f in robot.forces if not f.inputs()]
    drive = Vector([_force(D, i, actuators) for i in range(len(robot.v))])
    B = input_matrix(robot, D.forces)
    general = script.general(
        r"\boldsymbol{Q}",
        r"\boldsymbol{B} \boldsymbol{\tau}" + (r" + \sum_{n} \boldsymbol{Q}_{n}" if loads else ""),
        differences(B @ Vector(robot.inputs), drive),
        how="actuators",
    )
    parts = [
        f"${to_latex(as_scalar(closed(x)), style.short, notation=style.notation)}$ along "
        f"${style.notation[v.name]}$"
        for v, x in zip(robot.v, drive, strict=True)
        if x is not ZERO
    ]
    text = f"The actuators contribute {', '.join(parts)}." if parts else "There is no actuator."
    blocks: list[Block] = [general, Text(text)]
    if loads:
        law = script.law(
            "Q_{n,s}",
            r"\boldsymbol{F}_{n} \cdot \boldsymbol{v}_{n}^{(s)} + \boldsymbol{M}_{n} \cdot "
            r"\boldsymbol{\omega}_{n}^{(s)}",
        )
        text = (
            "The other forces, "
            + ", ".join(loads)
            + ", act through the velocities of their points:"
        )
        blocks += [Text(text), law]
    return blocks


def matrix_row(script: Script, i: int) -> Expr:
    """Σ_j M_ij v̇_j + h_i + g_i in closed forms, term by term."""
    D, total = script.derivation, ZERO
    for j, rate in enumerate(script.robot.vdot):
        total = total + as_scalar(closed(D.mass_matrix[i, j])) * rate
    return total + as_scalar(closed(D.bias[i])) + as_scalar(closed(D.gravity[i]))


def _force(D: Derivation, i: int, names: Sequence[str] | None = None) -> Expr:
    total = ZERO
    for name, f in D.forces.items():
        if names is None or name in names:
            total = total + f[i]
    return total
