r"""Laws of Lagrange's method: the equation itself, and the energies of a body."""

from __future__ import annotations

from ..blocks import Section, Text
from ..script import Script

ROTATION = r"\boldsymbol{A}_{j}^{\mathsf{T}} \dot{\boldsymbol{A}}_{j}"
AT_CENTER = (
    r"\frac{1}{2} m_{j} \boldsymbol{v}_{G,j}^{\mathsf{T}} \boldsymbol{v}_{G,j} + "
    r"\frac{1}{2} \boldsymbol{\omega}_{j}^{\mathsf{T}} \boldsymbol{I}_{j} \boldsymbol{\omega}_{j}"
)
AT_ORIGIN = (
    r"\frac{1}{2} m_{j} \boldsymbol{v}_{j}^{\mathsf{T}} \boldsymbol{v}_{j} + "
    r"\frac{1}{2} \boldsymbol{\omega}_{j}^{\mathsf{T}} \boldsymbol{J}_{j} \boldsymbol{\omega}_{j} + "
    r"m_{j} \boldsymbol{s}_{j}^{\mathsf{T}} "
    r"\left(\boldsymbol{v}_{j} \times \boldsymbol{\omega}_{j}\right)"
)


HEIGHT = (
    r"-\boldsymbol{g}_{0}^{\mathsf{T}} "
    r"\left(m_{j} \boldsymbol{r}_{j} + \boldsymbol{A}_{j} m_{j} \boldsymbol{s}_{j}\right)"
)


def introduction(script: Script) -> tuple[Section, int, int]:
    """L = T − U and Lagrange's equation; with the numbers of both."""
    L = script.law("L", "T - U")
    T = script.law("T", r"\sum_{j} T_{j}")
    U = script.law("U", r"\sum_{j} U_{j}")
    motion = script.law(
        r"\frac{d}{dt} \frac{\partial L}{\partial \dot q_{i}} - \frac{\partial L}{\partial q_{i}}",
        "Q_{i}",
        follows=(L.number,),
    )
    blocks = (
        Text(
            "Lagrange's method needs two quantities for each body: its kinetic energy $T_{j}$ and its "
            "potential energy $U_{j}$. Neither internal forces nor accelerations occur. The Lagrangian "
            "is the difference of the two sums,"
        ),
        L,
        T,
        U,
        Text("and for every coordinate $q_{i}$ with the generalized force $Q_{i}$"),
        motion,
    )
    return Section("Lagrange's equations", blocks), L.number, motion.number
