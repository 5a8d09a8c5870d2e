r"""The recursive method: composite bodies for M, forward and backward passes for the other terms."""

from __future__ import annotations

from typing import Final

from ....algebra.expr import Expr
from ....algebra.expr.vector import ZERO3, Vector
from ....mechanics.kinematics.quantity_name import QuantityName
from ....mechanics.kinematics.steps import Value
from ....robot.model.body import WORLD, Body
from ....robot.spatial.force import Force
from ....robot.spatial.inertia import Inertia as SpatialInertia
from ..blocks import Equation, Section, Text
from ..families import Family, write
from ..script import Script
from .equations import Sources, terms
from .transforms import transforms_of_model


def recursive(script: Script) -> list[Section]:
    """Chapters of the recursive method."""
    law = script.law(
        r"\tau_{s}",
        r"\boldsymbol{\omega}_{\mathrm{own}}^{(s)} \cdot \boldsymbol{N}_{j} + "
        r"\boldsymbol{v}_{\mathrm{own}}^{(s)} \cdot \boldsymbol{F}_{j}",
    )
    sections = [
        _introduction(law),
        transforms_of_model(script),
        _composite(script),
        _columns(script),
        _pass(script, "bias"),
        _pass(script, "gravity"),
    ]
    n = law.number
    sources = Sources({}, {"M": n, "bias": n, "gravity": n})
    return [*sections, *terms(script, sources)]


def _introduction(law: Equation) -> Section:
    return Section(
        "The recursive method",
        (
            Text(
                "Nothing is differentiated and no large expression is written twice: each "
                "quantity of a body "
                "comes from that of its neighbour in the tree. The mass matrix comes from "
                "composite bodies, "
                "the other terms from a forward pass from the base to the tips, which yields "
                "accelerations and the "
                "forces they require, and a backward pass, which adds up the forces. A force "
                r"$\boldsymbol{F}_{j}$ and a moment $\boldsymbol{N}_{j}$ on body $j$ and all "
                r"that it carries "
                r"contribute to the equation of a speed $v_{s}$ of its joint by their components along "
                r"the axes $\boldsymbol{\omega}_{\mathrm{own}}^{(s)}$ and "
                r"$\boldsymbol{v}_{\mathrm{own}}^{(s)}$ of the "
                "joint:"
            ),
            law,
        ),
    )


def _children(script: Script, b: Body) -> list[Body]:
    return [c for c in script.robot.bodies if c.parent == b.name]


# -- the mass matrix ---------------------------------------------------------------------------------
def _composite(script: Script) -> Section:
    """Mass, first moment and tensor of every body with everything it carries, tips to base."""

    def check(name: QuantityName, b: Body) -> Value:
        total = b.spatial_inertia
        for c in _children(script, b):
            X = script.robot.tree.joint_pose(c)
            m = script.value(QuantityName("mc", c.name))
            assert isinstance(m, Expr)
            h, J = (
                script.vector(QuantityName("hc", c.name)),
                script.matrix(QuantityName("Jc", c.name)),
            )
            total = total + X @ SpatialInertia(c.frame, m, h, J)
        parts = {"mc": total.mass, "hc": total.first_moment, "Jc": total.tensor}
        return parts[name.letter]

    families = [
        Family("mc", _MC, check=check, how="composite body", large="general"),
        Family("hc", _HC, check=check, how="composite body", large="general"),
        Family("Jc", _JC, check=check, how="composite body", large="general"),
    ]
    text = Text(
        r"A composite body is body $j$ with everything it carries, as if all joints were locked. "
        r"Its mass, "
        r"first moment and inertia tensor at the origin of frame $j$ are added up from the tips "
        r"to the base; "
        r"$c$ are the bodies that body $j$ carries directly, and $\boldsymbol{h}_{jc} = "
        r"\boldsymbol{A}_{jc} "
        r"\boldsymbol{h}_{c}^{c} + m_{c}^{c} \boldsymbol{P}_{jc}$:"
    )
    return Section("Composite bodies", (text, *write(script, families, script.robot.bodies[::-1])))


_MC: Final = r"m_{{{j}}} + \sum_{{c}} m_{{c}}^{{c}}"
_HC: Final = r"m_{{{j}}} \boldsymbol{{s}}_{{{j}}} + \sum_{{c}} \boldsymbol{{h}}_{{{j}c}}"
_JC: Final = (
    r"\boldsymbol{{J}}_{{{j}}} + \sum_{{c}} \left(\boldsymbol{{A}}_{{{j}c}} "
    r"\boldsymbol{{J}}_{{c}}^{{c}} "
    r"\boldsymbol{{A}}_{{{j}c}}^{{\mathsf{{T}}}} - \boldsymbol{{P}}_{{{j}c}}^{{\times}} "
    r"\left(\boldsymbol{{A}}_{{{j}c}} \boldsymbol{{h}}_{{c}}^{{c}}\right)^{{\times}} - "
    r"\boldsymbol{{h}}_{{{j}c}}^{{\times}} \boldsymbol{{P}}_{{{j}c}}^{{\times}}\right)"
)


def _columns(script: Script) -> Section:
    """Force and moment that move the composite body at v̇_s = 1, also as moved to its ancestors."""
    robot = script.robot.tree

    def check(name: QuantityName, b: Body) -> Value:
        s = script.speeds.index(name.by[0])
        if s in robot.columns(b):
            S = b.subspace[s - robot.columns(b)[0]]
            h, J = (
                script.vector(QuantityName("hc", b.name)),
                script.matrix(QuantityName("Jc", b.name)),
            )
            m = script.value(QuantityName("mc", b.name))
            assert isinstance(m, Expr)
            F = S.linear * m + S.angular.cross(h)
            return F if name.letter == "F" else J @ S.angular + h.cross(S.linear)
        return _moved(script, b, name)

    def is_own(name: QuantityName, b: Body) -> bool:
        return script.speeds.index(name.by[0]) in robot.columns(b)

    def is_below(name: QuantityName, b: Body) -> bool:
        return not is_own(name, b)

    how, moved = "force of the composite body", "the same force, moved"
    own = [
        Family("F", _OWN_F, by=True, check=check, how=how, keep=is_own),
        Family("N", _OWN_N, by=True, check=check, how=how, keep=is_own),
    ]
    below = [
        Family("F", _F, by=True, check=check, how=moved, keep=is_below),
        Family("N", _N, by=True, check=check, how=moved, keep=is_below),
    ]
    bodies = robot.bodies[::-1]
    text = Text(
        r"If $\dot v_{s} = 1$ and everything else is at rest, the composite body of its joint "
        "needs the force and the moment"
    )
    then = Text(
        "For the bodies $j$ between it and the base, with the next body $c$ on the path, they are"
    )
    lines = (*write(script, own, bodies), then, *write(script, below, bodies))
    return Section("Columns of the mass matrix", (text, *lines))


_OWN_F: Final = (
    r"m_{{{j}}}^{{c}} \boldsymbol{{v}}_{{\mathrm{{own}},{j}}}^{{({s})}} + "
    r"\boldsymbol{{\omega}}_{{\mathrm{{own}},{j}}}^{{({s})}} \times \boldsymbol{{h}}_{{{j}}}^{{c}}"
)
_OWN_N: Final = (
    r"\boldsymbol{{J}}_{{{j}}}^{{c}} \boldsymbol{{\omega}}_{{\mathrm{{own}},{j}}}^{{({s})}} + "
    r"\boldsymbol{{h}}_{{{j}}}^{{c}} \times \boldsymbol{{v}}_{{\mathrm{{own}},{j}}}^{{({s})}}"
)
_F: Final = r"\boldsymbol{{A}}_{{{j}c}} \boldsymbol{{F}}_{{c}}^{{({s})}}"
_N: Final = (
    r"\boldsymbol{{A}}_{{{j}c}} \boldsymbol{{N}}_{{c}}^{{({s})}} + \boldsymbol{{P}}_{{{j}c}} \times "
    r"\boldsymbol{{A}}_{{{j}c}} \boldsymbol{{F}}_{{c}}^{{({s})}}"
)


def _moved(script: Script, b: Body, name: QuantityName) -> Vector:
    """Sum of the forces or moments of the bodies that b carries directly, in frame b."""
    total = ZERO3
    for c in _children(script, b):
        X = script.robot.tree.joint_pose(c)
        F, N = (
            script.vector(QuantityName(x, c.name, by=name.by, case=name.case)) for x in ("F", "N")
        )
        load = X @ Force(c.frame, N, F)
        total = total + (load.force if name.letter == "F" else load.moment)
    return total


# -- the two passes ----------------------------------------------------------------------------------
def _pass(script: Script, case: str) -> Section:
    """Motion and forces of every body: at v̇ = 0 without gravity, or at rest in the field of gravity."""
    robot = script.robot.tree
    rest = case == "gravity"
    base_w, base_alpha, base_a = (
        (ZERO3, ZERO3, -robot.gravity) if rest else (robot.base.w, robot.base.alpha, robot.base.a)
    )

    def of_parent(letter: str, b: Body) -> Vector:
        if b.parent == WORLD:
            return {"w": base_w, "alpha": base_alpha, "a": base_a}[letter]
        return script.vector(QuantityName(letter, b.parent, case=case))

    def motion(name: QuantityName, b: Body) -> Value:
        X = robot.joint_pose(b)
        w = of_parent("w", b)
        own = b.motion([x * 0 if rest else x for x in b.joint.v])
        w_j = X.rotation.T @ w + own.angular
        if name.letter == "w":
            return w_j
        bias = (ZERO3, ZERO3) if rest else (b.bias_acceleration.angular, b.bias_acceleration.linear)
        alpha = of_parent("alpha", b)
        if name.letter == "alpha":
            return X.rotation.T @ alpha + w_j.cross(own.angular) + bias[0]
        a = of_parent("a", b) + alpha.cross(X.position) + w.cross(w.cross(X.position))
        turning = (w_j * 2 - own.angular).cross(own.linear)
        return X.rotation.T @ a + turning + bias[1]

    def needed(name: QuantityName, b: Body) -> Value:
        w, alpha, a = (
            script.vector(QuantityName(x, b.name, case=case)) for x in ("w", "alpha", "a")
        )
        m, ms, J = b.inertia.mass, b.inertia.first_moment, b.inertia.tensor
        if name.letter == "f":
            return a * m + alpha.cross(ms) + w.cross(w.cross(ms))
        return ms.cross(a) + J @ alpha + w.cross(J @ w)

    def total(name: QuantityName, b: Body) -> Value:
        own = script.vector(QuantityName(name.letter.lower(), b.name, case=case))
        return own + _moved(script, b, name)

    mark = r"\circ" if case == "bias" else r"\mathrm{{g}}"
    moving = [Family(x, case=case, check=motion, how="recursion") for x in ("w", "alpha", "a")]
    forces = [
        Family(
            "f", _NEEDED_F.replace("MARK", mark), case, check=needed, how="Newton", large="general"
        ),
        Family(
            "n", _NEEDED_N.replace("MARK", mark), case, check=needed, how="Euler", large="general"
        ),
    ]
    sums = [
        Family(
            "F",
            _SUM_F.replace("MARK", mark),
            case,
            check=total,
            how="sum",
            same_as="f",
            large="general",
        ),
        Family(
            "N",
            _SUM_N.replace("MARK", mark),
            case,
            check=total,
            how="sum",
            same_as="n",
            large="general",
        ),
    ]
    title = "Gravity at rest" if rest else "Passes at zero acceleration"
    text = (
        r"Gravity is treated as an acceleration $-\boldsymbol{g}_{0}$ of the base; all speeds are "
        r"zero. Marked "
        r"$\mathrm{g}$:"
        if rest
        else r"At $\dot{\boldsymbol{v}} = \boldsymbol{0}$ and without gravity, marked with a circle, "
        "from the base to the tips:"
    )
    return Section(
        title,
        (
            Text(text),
            *write(script, moving, robot.bodies),
            Text("The forces and moments required for this motion are"),
            *write(script, forces, robot.bodies),
            Text("and, added up from the tips to the base,"),
            *write(script, sums, robot.bodies[::-1]),
        ),
    )


_NEEDED_F: Final = (
    r"m_{{{j}}} \boldsymbol{{a}}_{{{j}}}^{{MARK}} + \boldsymbol{{\alpha}}_{{{j}}}^{{MARK}} \times "
    r"m_{{{j}}} \boldsymbol{{s}}_{{{j}}} + \boldsymbol{{\omega}}_{{{j}}}^{{MARK}} \times "
    r"\left(\boldsymbol{{\omega}}_{{{j}}}^{{MARK}} \times m_{{{j}}} \boldsymbol{{s}}_{{{j}}}\right)"
)
_NEEDED_N: Final = (
    r"m_{{{j}}} \boldsymbol{{s}}_{{{j}}} \times \boldsymbol{{a}}_{{{j}}}^{{MARK}} + "
    r"\boldsymbol{{J}}_{{{j}}} \boldsymbol{{\alpha}}_{{{j}}}^{{MARK}} + "
    r"\boldsymbol{{\omega}}_{{{j}}}^{{MARK}} \times \boldsymbol{{J}}_{{{j}}} "
    r"\boldsymbol{{\omega}}_{{{j}}}^{{MARK}}"
)
_SUM_F: Final = (
    r"\boldsymbol{{f}}_{{{j}}}^{{MARK}} + \sum_{{c}} \boldsymbol{{A}}_{{{j}c}} "
    r"\boldsymbol{{F}}_{{c}}^{{MARK}}"
)
_SUM_N: Final = (
    r"\boldsymbol{{n}}_{{{j}}}^{{MARK}} + \sum_{{c}} \left(\boldsymbol{{A}}_{{{j}c}} "
    r"\boldsymbol{{N}}_{{c}}^{{MARK}} + \boldsymbol{{P}}_{{{j}c}} \times \boldsymbol{{A}}_{{{j}c}} "
    r"\boldsymbol{{F}}_{{c}}^{{MARK}}\right)"
)
