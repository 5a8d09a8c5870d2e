r"""The mass matrix a second time, from the Jacobians of the centres of mass: M = Σ m JᵥᵀJᵥ + JωᵀI Jω."""

from __future__ import annotations

from ....algebra.expr import Expr
from ....algebra.expr.matrix import Matrix, zeros
from ....mechanics.kinematics.quantity_name import QuantityName
from ....mechanics.kinematics.steps import Value
from ....robot.model.body import Body
from ..blocks import Block, Equation, Section, Text
from ..printed import closed, is_zero
from ..script import Script
from ..style import is_large


def jacobians(script: Script, M: Matrix) -> Section | None:
    """Jacobians of every body and their squares, with M as their sum; None if they are not recorded.

    `M` is the mass matrix in q̇, as the energies gave it.
    """
    bodies = [b for b in script.robot.bodies if not b.inertia.is_zero]
    recorded = all(script.recorded(QuantityName("J_v", b.name)) for b in bodies)
    if not recorded or is_large(script.robot) or script.robot.speed_map is not None:
        return None
    letters = ("J_v", "J_w", "JJ_v", "JJ_w")
    shown = [closed(script.matrix(QuantityName(x, b.name))) for x in letters for b in bodies]
    if any(script.is_wide(x) for x in (closed(M), *shown)):
        return None
    blocks: list[Block | Section] = [
        Text(
            r"The same mass matrix can be found without energies. The velocity of a centre of mass and "
            r"the angular velocity are linear in $\dot{\boldsymbol{q}}$,"
        ),
        script.law(r"\boldsymbol{v}_{G,j}", r"\boldsymbol{J}_{v,j} \dot{\boldsymbol{q}}"),
        script.law(r"\boldsymbol{\omega}_{j}", r"\boldsymbol{J}_{\omega,j} \dot{\boldsymbol{q}}"),
        Text("which makes the kinetic energy a quadratic form with the matrix"),
        law := script.law(script.style.M, _SUM),
    ]
    total, parts = zeros(*M.shape), list[str]()
    numbers: list[int] = []
    for b in bodies:
        rows, terms, value = _body(script, b)
        blocks += [Text(f"Body ${script.style.body(b.name)}$:"), *rows]
        parts += terms
        total = total + value
        numbers += [x.number for x in rows]
    whole = script.line(
        script.style.M, M, " + ".join(parts), follows=(law.number, *numbers), also=(total,),
        how="sum of the squares, and second derivative of $T$",
    )  # fmt: skip
    return Section("Jacobians", (*blocks, Text("The sum is"), whole))


_SUM = (
    r"\sum_{j} \left(m_{j} \boldsymbol{J}_{v,j}^{\mathsf{T}} \boldsymbol{J}_{v,j} + "
    r"\boldsymbol{J}_{\omega,j}^{\mathsf{T}} \boldsymbol{I}_{j} \boldsymbol{J}_{\omega,j}\right)"
)


def _body(script: Script, b: Body) -> tuple[list[Equation], list[str], Matrix]:
    """Equations of one body, its terms in the sum, and their value."""
    k, j = b.name, script.style.body(b.name)
    J_v, J_w = QuantityName("J_v", k), QuantityName("J_w", k)
    JJ_v, JJ_w = QuantityName("JJ_v", k), QuantityName("JJ_w", k)
    rows: list[Equation] = []
    terms: list[str] = []
    value = script.matrix(JJ_v) * b.inertia.mass + script.matrix(JJ_w)
    square = r"\boldsymbol{{J}}_{{{x},{j}}}^{{\mathsf{{T}}}} {I}\boldsymbol{{J}}_{{{x},{j}}}"
    v_term = square.format(x="v", j=j, I="")
    w_term = square.format(x=r"\omega", j=j, I=rf"\boldsymbol{{I}}_{{{j}}} ")
    if script.has(J_w):
        rows.append(script.step(J_w, _slope(r"\boldsymbol{\omega}", f"_{{{j}}}")))
    if script.has(J_v):
        rows.append(script.step(J_v, _slope(r"\boldsymbol{v}", f"_{{G,{j}}}")))
    if script.has(J_w):
        spin, also, cites = _spin(script, b), list[Value](), list[int]()
        if spin is not None:
            c, JJ = spin
            plain = square.format(x=r"\omega", j=j, I="")
            rows.append(script.line(plain, JJ, follows=[script.number(J_w)]))
            also, cites = [JJ * c], [rows[-1].number]
        rows.append(script.step(JJ_w, left=w_term, also=also, cites=cites))
        terms.append(w_term)
    if script.has(J_v):
        rows.append(script.step(JJ_v, left=v_term))
        terms.insert(0, rf"m_{{{j}}} {v_term}")
    return rows, terms, value


def _spin(script: Script, b: Body) -> tuple[Expr, Matrix] | None:
    """(I, JωᵀJω) of a body that rotates about one axis of its frame: JωᵀI Jω = I JωᵀJω."""
    J = script.matrix(QuantityName("J_w", b.name))
    turning = [i for i in range(3) if not is_zero(_closed_row(J, i))]
    if len(turning) != 1:
        return None
    return b.inertia.tensor_at_center[turning[0], turning[0]], J.T @ J


def _closed_row(J: Matrix, i: int) -> Matrix:
    """Row i in closed form."""
    return Matrix([J.row(i)]).closed_form()


def _slope(letter: str, index: str) -> str:
    return rf"\frac{{\partial {letter}{index}}}{{\partial \dot{{\boldsymbol{{q}}}}}}"
