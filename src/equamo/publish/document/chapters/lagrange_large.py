r"""Lagrange's method for a large robot: velocities in names, energies and results in general symbols."""

from __future__ import annotations

from typing import Final

from ....algebra.expr import HALF, Expr
from ....algebra.expr.differentiate import directional, gradient, jacobian
from ....algebra.expr.matrix import Matrix, skew, zeros
from ....algebra.expr.vector import Vector
from ....algebra.identity.prove import differences
from ....mechanics.kinematics.quantity_name import QuantityName
from ....mechanics.kinematics.steps import Value
from ....robot.model.body import Body
from ..blocks import Block, Section, Text
from ..families import Family, write
from ..script import Script
from .energy_route import from_energy
from .equations import Sources, gravity as gravity_section, mass_matrix, velocity_terms
from .lagrange_laws import AT_ORIGIN, HEIGHT, PROJECTED_T, RATE, introduction, is_in_rates
from .transforms import transforms
from .velocities import recursion


def lagrange_large(script: Script) -> list[Section]:
    """Chapters of Lagrange's method, with one general equation where a small robot has many lines."""
    laws, L, _ = introduction(script)
    robot = script.robot
    names = [x.name for x in robot.v]
    sections = [laws, transforms(script), _velocities(script), _energies(script, L)]
    T, U = script.number(QuantityName("E")), script.number(QuantityName("U"))
    follows = {"M": [T], "bias": [T], "gravity": [U]}
    sources = Sources({}, {}, _other_routes(script), _general(script), follows)
    M = script.derivation.mass_matrix
    return [
        *sections,
        _with_columns(script, mass_matrix(script, names, sources)),
        velocity_terms(script, names, sources, M),
        gravity_section(script, names, sources),
    ]


def _with_columns(script: Script, section: Section) -> Section:
    """The mass matrix again: a sum of products of partial velocities over the bodies."""
    robot = script.robot
    if not robot.tree.has_unit_map or robot.speed_map is not None or script.rotors:
        return section
    n = len(robot.v)
    total = zeros(n, n)
    for b in robot.bodies:
        if not b.inertia.is_zero:
            m, ms, J = b.inertia.mass, b.inertia.first_moment, b.inertia.tensor
            w, V = (
                Matrix(jacobian(list(script.vector(QuantityName(x, b.name))), robot.v))
                for x in "wV"
            )
            mixed = V.T @ skew(ms).T @ w  # v·(ω × ms) = ms·(v × ω)
            total = total + V.T @ V * m + w.T @ J @ w + mixed + mixed.T
    w = script.law(r"\boldsymbol{\omega}_{j}^{(s)}", _SLOPE % r"\boldsymbol{\omega}_{j}")
    v = script.law(r"\boldsymbol{v}_{j}^{(s)}", _SLOPE % r"\boldsymbol{v}_{j}")
    products = script.general(
        script.style.latex(QuantityName("M", by=("_i", "_s"))),
        _PRODUCTS,
        differences(total, script.derivation.mass_matrix),
        (w.number, v.number),
        f"all {n * n} entries",
    )
    text = Text(
        "Written with the coefficients of the speeds in the velocities, which can be read off the lines "
        "above, it is a sum of products over the bodies that both joints carry:"
    )
    return Section(section.title, (*section.blocks, text, w, v, products))


_SLOPE: Final = r"\frac{\partial %s}{\partial \dot q_{s}}"
_PRODUCTS: Final = (
    r"\sum_{j} \left(m_{j} \boldsymbol{v}_{j}^{(i)} \cdot \boldsymbol{v}_{j}^{(s)} + "
    r"\boldsymbol{\omega}_{j}^{(i)} \cdot \boldsymbol{J}_{j} \boldsymbol{\omega}_{j}^{(s)} + "
    r"m_{j} \boldsymbol{s}_{j} \cdot \left(\boldsymbol{v}_{j}^{(i)} \times "
    r"\boldsymbol{\omega}_{j}^{(s)} + \boldsymbol{v}_{j}^{(s)} \times "
    r"\boldsymbol{\omega}_{j}^{(i)}\right)\right)"
)


def _general(script: Script) -> dict[str, str]:
    """M, h and g in general symbols; if v is not q̇, Lagrange's equations are projected by ∂q̇/∂v."""
    robot, M = script.robot, script.style.letters[0]
    if not is_in_rates(robot):
        h = rf"{PROJECTED_T} - \sum_{{j}} {M}_{{ij}} \dot v_{{j}}"
        h += rf" + \sum_{{k}} I_{{a,k}} {RATE} \ddot q_{{k}}" if script.rotors else ""
        return {
            "M": r"\frac{\partial^{2} T}{\partial v_{i} \partial v_{j}}",
            "bias": h,
            "gravity": rf"\sum_{{k}} {RATE} \frac{{\partial U}}{{\partial q_{{k}}}}",
        }
    h = rf"\sum_{{j}} \dot {M}_{{ij}} \dot q_{{j}} - \frac{{\partial T}}{{\partial q_{{i}}}}"
    if not robot.base.is_zero:  # T is not a quadratic form in q̇
        h = r"\frac{d}{dt} \frac{\partial T}{\partial \dot q_{i}} - \frac{\partial T}{\partial q_{i}}"
        h += rf" - \sum_{{j}} {M}_{{ij}} \ddot q_{{j}}"
        h += r" + I_{a,i} \ddot q_{i}" if script.rotors else ""
    return {
        "M": r"\frac{\partial^{2} T}{\partial \dot q_{i} \partial \dot q_{j}}",
        "bias": h,
        "gravity": r"\frac{\partial U}{\partial q_{i}}",
    }


def _other_routes(script: Script) -> dict[QuantityName, Value]:
    """M from the energy of the recorded velocities, h = Ṁ q̇ − ∂T/∂q from M, g from the recorded U."""
    robot = script.robot
    also = from_energy(script)
    if not robot.has_unit_map or robot.speed_map is not None:
        return also
    M, v = script.derivation.mass_matrix, Vector(robot.v)
    rates = dict(zip(robot.q, robot.v, strict=True)) | robot.base.rates()
    T = HALF * (v @ (M @ v))
    if robot.base.is_zero:
        h = M.map(lambda e: directional(e, rates)) @ v - Vector(gradient(T, robot.q))
        also |= {QuantityName("bias", by=(x.name,)): y for x, y in zip(robot.v, h, strict=True)}
    U = script.value(QuantityName("U"))
    assert isinstance(U, Expr)
    slopes = gradient(U, robot.q)
    also |= {QuantityName("gravity", by=(x.name,)): y for x, y in zip(robot.v, slopes, strict=True)}
    return also


def _velocities(script: Script) -> Section:
    """ω and v, printed as the recursion and proved equal to the differentiated poses."""
    turned = script.law(
        r"\boldsymbol{\omega}_{j}^{\times}",
        r"\boldsymbol{A}_{j}^{\mathsf{T}} \dot{\boldsymbol{A}}_{j}",
    )
    moved = script.law(
        r"\boldsymbol{v}_{j}", r"\boldsymbol{A}_{j}^{\mathsf{T}} \dot{\boldsymbol{r}}_{j}"
    )
    w = script.law(
        r"\boldsymbol{\omega}_{j}",
        r"\boldsymbol{A}_{ij}^{\mathsf{T}} \boldsymbol{\omega}_{i} + \boldsymbol{\omega}_{ij}",
    )
    v = script.law(
        r"\boldsymbol{v}_{j}",
        r"\boldsymbol{A}_{ij}^{\mathsf{T}} \left(\boldsymbol{v}_{i} + \boldsymbol{\omega}_{i} \times "
        r"\boldsymbol{P}_{ij}\right) + \boldsymbol{v}_{ij}",
    )
    form = recursion(script) if script.robot.tree.has_unit_map else None
    families = [
        Family("w", law=w.number, form=form, how="derivative of the rotation"),
        Family("V", law=v.number, form=form, how="derivative of the position"),
    ]
    if form is None:
        return Section("Velocities", (turned, moved))
    blocks: list[Block] = [
        Text(
            r"The angular velocity of body $j$ and the velocity of the origin of its frame, in "
            r"components of "
            r"frame $j$, come from differentiating rotation and position; "
            r"$\boldsymbol{\omega}^{\times}$ is "
            r"the skew matrix of $\boldsymbol{\omega}$:"
        ),
        turned,
        moved,
        Text(
            r"With the contributions of the joint, $\boldsymbol{\omega}_{ij}$ and "
            r"$\boldsymbol{v}_{ij}$, "
            r"they can be "
            r"written in components of those of the parent $i$. They are printed in this form "
            r"and "
            r"compared with the derivatives:"
        ),
        w,
        v,
        *write(script, families, script.robot.bodies),
    ]
    return Section("Velocities", tuple(blocks))


def _energies(script: Script, L: int) -> Section:
    """T_j and U_j in general symbols, with every instance proved, and their sums."""

    def kinetic(name: QuantityName, b: Body) -> Value:
        w, V = (script.vector(QuantityName(x, b.name)) for x in "wV")
        m, ms, J = b.inertia.mass, b.inertia.first_moment, b.inertia.tensor
        return HALF * m * (V @ V) + HALF * (w @ (J @ w)) + ms @ V.cross(w)

    T_j = Family("E", _braced(AT_ORIGIN), check=kinetic, large="general")
    blocks: list[Block] = [
        Text(
            r"With the first moment $m_{j} \boldsymbol{s}_{j}$ and the inertia tensor "
            r"$\boldsymbol{J}_{j}$ at "
            "the origin of frame $j$, the kinetic energy of every body is"
        ),
        *write(script, [T_j], script.robot.bodies),
        Text("and its potential energy"),
        height := script.law("U_{j}", HEIGHT),
    ]
    E, U = QuantityName("E"), QuantityName("U")
    total = _total(script, E, r"\sum_{j} T_{j}", L + 1)
    potential = _total(script, U, r"\sum_{j} U_{j}", height.number)
    return Section("Energies", (*blocks, Text("The sums over all bodies are"), total, potential))


def _total(script: Script, name: QuantityName, right: str, law: int) -> Block:
    """The total energy as the sum over the bodies, proved."""
    parts = [
        script.recorded(QuantityName(name.letter, b.name, minus=name.letter == "U"))
        for b in script.robot.bodies
    ]
    total = script.value(name)
    assert isinstance(total, Expr)
    for part in parts:
        if part is not None:
            assert isinstance(part.result, Expr)
            total = total + part.result if name.letter == "U" else total - part.result
    equation = script.general(
        script.style.latex(name),
        right,
        [total],
        (law, *script.sources([name])),
        "sum over the bodies",
    )
    script.covers(name, equation.number)
    return equation


def _braced(law: str) -> str:
    return law.replace("{", "{{").replace("}", "}}").replace("{{j}}", "{{{j}}}")
