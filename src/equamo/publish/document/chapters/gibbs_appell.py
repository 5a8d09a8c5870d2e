r"""Gibbs-Appell equations: the energy of acceleration of every body, and its derivatives by v̇."""

from __future__ import annotations

from typing import Final

from ....algebra.expr.differentiate import gradient, jacobian
from ....algebra.expr.matrix import Matrix, skew
from ....algebra.expr.vector import Vector
from ....mechanics.kinematics.quantity_name import QuantityName
from ....mechanics.kinematics.steps import Value, matrix_entry
from ....robot.model.body import Body
from ..blocks import Equation, Section, Text
from ..families import Family, write
from ..script import Script
from .equations import Sources, terms
from .transforms import transforms
from .velocities import accelerations, velocities


def gibbs_appell(script: Script) -> list[Section]:
    """Chapters of the Gibbs-Appell equations."""
    law = script.law(r"\frac{\partial S}{\partial \dot v_{s}}", "Q_{s}")
    sections = [
        _introduction(law),
        transforms(script),
        velocities(script),
        accelerations(script, ""),
        _bodies(script),
    ]
    sources = _sources(script, law.number)
    return [*sections, *terms(script, sources)]


def _introduction(law: Equation) -> Section:
    return Section(
        "Gibbs-Appell equations",
        (
            Text(
                "The energy of acceleration $S$ is the counterpart of the kinetic energy for "
                "accelerations: half the integral of the squared acceleration over the mass. Its "
                "derivatives with respect to "
                r"$\dot v_{s}$ are the generalized forces, and no time derivative is needed:"
            ),
            law,
        ),
    )


_S: Final = (
    r"\frac{1}{2} m_{j} \boldsymbol{a}_{j}^{\mathsf{T}} \boldsymbol{a}_{j} + "
    r"\boldsymbol{a}_{j} \cdot \left(\boldsymbol{\alpha}_{j} \times m_{j} \boldsymbol{s}_{j} + "
    r"\boldsymbol{\omega}_{j} \times \left(\boldsymbol{\omega}_{j} \times m_{j} "
    r"\boldsymbol{s}_{j}\right)\right)"
)
_S2: Final = (
    r"+ \frac{1}{2} \boldsymbol{\alpha}_{j}^{\mathsf{T}} \boldsymbol{J}_{j} \boldsymbol{\alpha}_{j} + "
    r"\boldsymbol{\alpha}_{j} \cdot \left(\boldsymbol{\omega}_{j} \times \boldsymbol{J}_{j} "
    r"\boldsymbol{\omega}_{j}\right)"
)


def _bodies(script: Script) -> Section:
    """H, c, ∂S/∂(a, α) and the weight of every body."""
    S = script.law("S_{j}", _S, _S2)
    slope = script.law(
        r"\boldsymbol{s}_{j}",
        r"\boldsymbol{H}_{j} \begin{bmatrix} \boldsymbol{a}_{j} \\ \boldsymbol{\alpha}_{j} "
        r"\end{bmatrix} + "
        r"\boldsymbol{c}_{j}",
        follows=(S.number,),
    )

    def H(name: QuantityName, b: Body) -> Value:
        m, K, J = b.inertia.mass, skew(b.inertia.first_moment), b.inertia.tensor
        rows = [[m if i == j else 0 for j in range(3)] + [*(-K).row(i)] for i in range(3)]
        return Matrix(rows + [[*K.row(i), *J.row(i)] for i in range(3)])

    def c(name: QuantityName, b: Body) -> Value:
        w, ms, J = (
            script.vector(QuantityName("w", b.name)),
            b.inertia.first_moment,
            b.inertia.tensor,
        )
        return Vector([*w.cross(w.cross(ms)), *w.cross(J @ w)])

    def force(name: QuantityName, b: Body) -> Value:
        a, alpha = (script.vector(QuantityName(x, b.name)) for x in ("a", "alpha"))
        both = Vector([*a, *alpha])
        return script.matrix(QuantityName("H", b.name)) @ both + script.vector(
            QuantityName("c", b.name)
        )

    def weight(name: QuantityName, b: Body) -> Value:
        g = script.matrix(QuantityName("A", b.name)).T @ script.robot.gravity
        return Vector([*(g * b.inertia.mass), *b.inertia.first_moment.cross(g)])

    families = [
        Family("H", _H, law=S.number, check=H, how="second derivative of $S$", large="general"),
        Family("c", _C, law=S.number, check=c, how="gradient of $S$ at rest", large="general"),
        Family("dS", _DS, law=slope.number, check=force, how="gradient of $S$", large="general"),
    ]
    weights = [Family("G", _G, check=weight, how="weight", large="general")]
    bodies = script.robot.bodies
    return Section(
        "Energy of acceleration, body by body",
        (
            Text(
                r"With the first moment $m_{j} \boldsymbol{s}_{j}$ and the tensor "
                r"$\boldsymbol{J}_{j}$ at the "
                "origin of frame $j$, and without the terms that contain no acceleration,"
            ),
            S,
            Text(
                r"It is quadratic in $\boldsymbol{a}_{j}$ and $\boldsymbol{\alpha}_{j}$. Its "
                r"derivatives with respect to these six "
                r"components, denoted by $\boldsymbol{s}_{j}$, are"
            ),
            slope,
            *write(script, families, bodies),
            Text(r"The weight acts along the same components with the force and moment"),
            *write(script, weights, bodies),
        ),
    )


_H: Final = (
    r"\begin{{bmatrix}} m_{{{j}}} \boldsymbol{{1}} & "
    r"-\left(m_{{{j}}} \boldsymbol{{s}}_{{{j}}}\right)^{{\times}} \\ "
    r"\left(m_{{{j}}} \boldsymbol{{s}}_{{{j}}}\right)^{{\times}} & \boldsymbol{{J}}_{{{j}}} "
    r"\end{{bmatrix}}"
)
_C: Final = (
    r"\begin{{bmatrix}} \boldsymbol{{\omega}}_{{{j}}} \times \left(\boldsymbol{{\omega}}_{{{j}}} \times "
    r"m_{{{j}}} \boldsymbol{{s}}_{{{j}}}\right) \\ \boldsymbol{{\omega}}_{{{j}}} \times "
    r"\boldsymbol{{J}}_{{{j}}} \boldsymbol{{\omega}}_{{{j}}} \end{{bmatrix}}"
)
_DS: Final = (
    r"\boldsymbol{{H}}_{{{j}}} \begin{{bmatrix}} \boldsymbol{{a}}_{{{j}}} \\ "
    r"\boldsymbol{{\alpha}}_{{{j}}} \end{{bmatrix}} + \boldsymbol{{c}}_{{{j}}}"
)
_G: Final = (
    r"\begin{{bmatrix}} m_{{{j}}} \boldsymbol{{A}}_{{{j}}}^{{\mathsf{{T}}}} \boldsymbol{{g}}_{{0}} \\ "
    r"m_{{{j}}} \boldsymbol{{s}}_{{{j}}} \times \boldsymbol{{A}}_{{{j}}}^{{\mathsf{{T}}}} "
    r"\boldsymbol{{g}}_{{0}} \end{{bmatrix}}"
)


def _sources(script: Script, law: int) -> Sources:
    """∂S/∂v̇ = Σ s_j·∂(a, α)/∂v̇, assembled from the recorded derivatives of S."""
    robot = script.robot
    general = {
        "M": r"\sum_{k} \frac{\partial \boldsymbol{s}_{k}}{\partial \dot v_{i}} \cdot "
        r"\frac{\partial \left(\boldsymbol{a}_{k}, \boldsymbol{\alpha}_{k}\right)}{\partial \dot v_{j}}",
        "bias": r"\sum_{k} \boldsymbol{s}_{k}^{\circ} \cdot "
        r"\frac{\partial \left(\boldsymbol{a}_{k}, \boldsymbol{\alpha}_{k}\right)}{\partial \dot v_{i}}",
        "gravity": r"-\sum_{k} \boldsymbol{G}_{k} \cdot "
        r"\frac{\partial \left(\boldsymbol{a}_{k}, \boldsymbol{\alpha}_{k}\right)}{\partial \dot v_{i}}",
    }
    also: dict[QuantityName, Value] = {}
    if robot.speed_map is None and robot.base.is_zero:
        also = _other_routes(script)
    return Sources({}, {"M": law, "bias": law, "gravity": law}, also, general)


def _other_routes(script: Script) -> dict[QuantityName, Value]:
    """M, h and g from the recorded derivatives of S and of the accelerations."""
    robot = script.robot
    v, names = robot.vdot, [x.name for x in robot.v]
    rest = dict.fromkeys(v, 0)
    M: dict[tuple[int, int], Value] = {}
    total_s, total_g = (Vector([0] * len(v)) for _ in range(2))
    for b in robot.bodies:
        if b.inertia.is_zero:
            continue
        a, alpha = (script.vector(QuantityName(x, b.name)) for x in ("a", "alpha"))
        J = Matrix(jacobian([*a, *alpha], v))
        total_s = total_s + J.T @ script.vector(QuantityName("dS", b.name))
        total_g = total_g + J.T @ script.vector(QuantityName("G", b.name))
    for i, e in enumerate(total_s):
        for j, x in enumerate(gradient(e, v)):
            M[i, j] = x
    out: dict[QuantityName, Value] = {
        matrix_entry("M", names[i], names[j]): x for (i, j), x in M.items() if i <= j
    }
    for i, n in enumerate(names):
        out[QuantityName("bias", by=(n,))] = total_s[i].subs(rest)
        out[QuantityName("gravity", by=(n,))] = -total_g[i]
    return out
