r"""Projected Newton-Euler equations: momenta and their rates in the inertial frame, projected."""

from __future__ import annotations

from typing import Final

from ....algebra.expr import ZERO
from ....algebra.expr.vector import ZERO3
from ....mechanics.kinematics.quantity_name import QuantityName
from ....mechanics.kinematics.steps import Value, matrix_entry
from ....robot.model.body import Body
from ..blocks import Section, Text
from ..families import Family, write
from ..script import Script
from .equations import Sources, terms
from .momentum_rates import carried, moment, owners, rates_of_momentum
from .transforms import transforms


def projected_newton_euler(script: Script) -> list[Section]:
    """Chapters of the projected Newton-Euler equations."""
    law = script.law(_LAW_LEFT, r"0")
    intro = Section(
        "Projected Newton-Euler equations",
        (
            Text(
                "Newton's and Euler's equations of every body, in components of frame 0, are "
                "multiplied by "
                r"the directions in which the robot can move. With the momentum "
                r"$\boldsymbol{p}_{j}$ of body "
                r"$j$, its angular momentum $\boldsymbol{N}_{j}$ about the centre of mass $S$, "
                r"and all forces "
                r"$\boldsymbol{F}_{j}$ and moments $\boldsymbol{T}_{j}$ that do work, for every "
                r"speed $v_{s}$"
            ),
            law,
        ),
    )
    sections = [
        intro,
        transforms(script),
        _directions(script),
        _momenta(script),
        rates_of_momentum(script),
    ]
    return [*sections, *terms(script, _sources(script, law.number))]


_LAW_LEFT: Final = (
    r"\sum_{j} \left(\boldsymbol{J}_{S,j}^{(s)} \cdot \left(\dot{\boldsymbol{p}}_{j} - "
    r"\boldsymbol{F}_{j}\right) + \boldsymbol{J}_{R,j}^{(s)} \cdot "
    r"\left(\dot{\boldsymbol{N}}_{j} - \boldsymbol{T}_{j}\right)\right)"
)


def _sources(script: Script, law: int) -> Sources:
    """Middle members of a large robot, with M, h and g assembled from the recorded sums."""
    robot = script.robot
    general = {
        "M": r"\boldsymbol{J}_{O}^{(i)} \cdot \boldsymbol{P}^{(j)} + "
        r"\boldsymbol{J}_{R}^{(i)} \cdot \boldsymbol{L}^{(j)}",
        "bias": r"\boldsymbol{J}_{O}^{(i)} \cdot \dot{\boldsymbol{P}}^{\circ} + "
        r"\boldsymbol{J}_{R}^{(i)} \cdot \dot{\boldsymbol{L}}^{\circ}",
        "gravity": r"-\boldsymbol{J}_{O}^{(i)} \cdot \boldsymbol{F} - "
        r"\boldsymbol{J}_{R}^{(i)} \cdot \boldsymbol{T}",
    }
    also: dict[QuantityName, Value] = {}
    if robot.speed_map is None and robot.base.is_zero:
        owner = owners(script)
        for j, (n, b) in enumerate(owner.items()):
            R, O = (script.vector(QuantityName(x, b, by=(n,))) for x in ("J_R", "J_O"))
            for m, c in list(owner.items())[j:]:
                P, L = (script.vector(QuantityName(x, c, by=(m,))) for x in "PL")
                if b in {x.name for x in robot.path(c)}:
                    also[matrix_entry("M", n, m)] = O @ P + R @ L
                else:
                    also[matrix_entry("M", n, m)] = ZERO
            P, L = (script.vector(QuantityName(x, b, case="bias")) for x in ("P_dot", "L_dot"))
            F, T = (script.vector(QuantityName(x, b)) for x in "FT")
            also[QuantityName("bias", by=(n,))] = O @ P + R @ L
            also[QuantityName("gravity", by=(n,))] = -(O @ F + R @ T)
    letters = {"M": law, "bias": law, "gravity": law}
    return Sources({}, letters, also, general)


# -- directions --------------------------------------------------------------------------------------
def _directions(script: Script) -> Section:
    """Ω_s and c_s of every speed, centres of mass and inertia tensors."""

    def axis(name: QuantityName, b: Body) -> Value:
        column = list(script.robot.tree.columns(b)).index(script.speeds.index(name.by[0]))
        A = script.matrix(QuantityName("A", b.name))
        w = A @ b.subspace[column].angular
        if name.letter == "J_R":
            return w
        r = script.vector(QuantityName("r", b.name))
        return A @ b.subspace[column].linear + r.cross(w)

    def center(name: QuantityName, b: Body) -> Value:
        A, r = script.matrix(QuantityName("A", b.name)), script.vector(QuantityName("r", b.name))
        return r + A @ b.inertia.center

    def tensor(name: QuantityName, b: Body) -> Value:
        A = script.matrix(QuantityName("A", b.name))
        return A @ b.inertia.tensor_at_center @ A.T

    columns = [
        Family(
            "J_R",
            r"\boldsymbol{{A}}_{{{j}}} \boldsymbol{{\omega}}_{{\mathrm{{own}},{j}}}^{{({s})}}",
            by=True,
            check=axis,
            how="axis of the joint",
        ),
        Family(
            "J_O",
            r"\boldsymbol{{A}}_{{{j}}} \boldsymbol{{v}}_{{\mathrm{{own}},{j}}}^{{({s})}} + "
            r"\boldsymbol{{r}}_{{{j}}} "
            r"\times \boldsymbol{{J}}_{{R,{j}}}^{{({s})}}",
            by=True,
            check=axis,
            how="axis of the joint",
        ),
    ]
    points = [
        Family(
            "r_S",
            r"\boldsymbol{{r}}_{{{j}}} + \boldsymbol{{A}}_{{{j}}} \boldsymbol{{s}}_{{{j}}}",
            check=center,
            large="general",
        ),
        Family(
            "theta",
            r"\boldsymbol{{A}}_{{{j}}} \boldsymbol{{I}}_{{{j}}} "
            r"\boldsymbol{{A}}_{{{j}}}^{{\mathsf{{T}}}}",
            check=tensor,
            large="general",
        ),
    ]
    bodies = script.robot.bodies
    return Section(
        "Directions of motion",
        (
            Text(
                r"A speed $v_{s}$ rotates all bodies that its joint carries with "
                r"$\boldsymbol{J}_{R}^{(s)}$, "
                r"found by differentiating the rotation, and moves their point at "
                r"the origin of "
                r"frame 0 with $\boldsymbol{J}_{O}^{(s)}$; both are in components of frame 0. Below, "
                r"$\boldsymbol{\omega}_{\mathrm{own},j}^{(s)}$ and "
                r"$\boldsymbol{v}_{\mathrm{own},j}^{(s)}$ are the axes of the joint:"
            ),
            *write(script, columns, bodies),
            Text(r"Centres of mass, and inertia tensors at them, in frame 0:"),
            *write(script, points, bodies),
        ),
    )


# -- momenta -----------------------------------------------------------------------------------------
def _momenta(script: Script) -> Section:
    """p and N of every body at v_s = 1, and their sums."""
    owner = owners(script)

    def momentum(name: QuantityName, b: Body) -> Value:
        k = owner[name.by[0]]
        R, O = (script.vector(QuantityName(x, k, by=name.by)) for x in ("J_R", "J_O"))
        if name.letter == "N":
            return script.matrix(QuantityName("theta", b.name)) @ R
        return (O + R.cross(script.vector(QuantityName("r_S", b.name)))) * b.inertia.mass

    def total(name: QuantityName, b: Body) -> Value:
        out = ZERO3
        for c in carried(script, b):
            p = script.vector(QuantityName("p", c.name, by=name.by))
            out = out + p if name.letter == "P" else out + moment(script, c, p, name)
        return out

    families = [
        Family(
            "p",
            r"m_{{{j}}} \left(\boldsymbol{{J}}_{{O}}^{{({s})}} + \boldsymbol{{J}}_{{R}}^{{({s})}} "
            r"\times \boldsymbol{{r}}_{{S,{j}}}\right)",
            by=True,
            check=momentum,
            how="momentum",
        ),
        Family(
            "N",
            r"\boldsymbol{{\Theta}}_{{{j}}} \boldsymbol{{J}}_{{R}}^{{({s})}}",
            by=True,
            check=momentum,
            how="angular momentum",
        ),
    ]
    sums = [
        Family(
            "P", r"\sum_{{c}} \boldsymbol{{p}}_{{c}}^{{({s})}}", by=True, check=total, how="sum"
        ),
        Family(
            "L",
            r"\sum_{{c}} \left(\boldsymbol{{N}}_{{c}}^{{({s})}} + \boldsymbol{{r}}_{{S,c}} \times "
            r"\boldsymbol{{p}}_{{c}}^{{({s})}}\right)",
            by=True,
            check=total,
            how="sum",
        ),
    ]
    bodies = script.robot.bodies
    return Section(
        "Momenta",
        (
            Text(
                "Momentum and angular momentum of every body are linear in the speeds. At $v_{s} = 1$:"
            ),
            *write(script, families, bodies),
            Text(
                "A joint carries its own body and all that is attached to it. The sums over the "
                "bodies $c$ "
                "that the joint of body $j$ carries, with moments about the origin of frame 0, are"
            ),
            *write(script, sums, bodies),
        ),
    )
