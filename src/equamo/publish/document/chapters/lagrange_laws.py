r"""Laws of Lagrange's method: the equation itself, and the energies of a body."""

from __future__ import annotations

from typing import Final

from ....robot.model.robot import Robot
from ..blocks import Section, Text
from ..script import Script
from ..style import is_large

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


RATE: Final = r"\frac{\partial \dot q_{k}}{\partial v_{i}}"
_PROJECTED: Final = (
    rf"\sum_{{k}} {RATE} \left(\frac{{d}}{{dt}} \frac{{\partial L}}{{\partial \dot q_{{k}}}} - "
    r"\frac{\partial L}{\partial q_{k}}\right)"
)
PROJECTED_T: Final = _PROJECTED.replace("L", "T")


def is_in_rates(robot: Robot) -> bool:
    """Whether the speeds are the rates of the coordinates: no quaternions, and no chosen speeds."""
    return robot.has_unit_map and robot.speed_map is None


def introduction(script: Script) -> tuple[Section, int, int]:
    """L = T − U and Lagrange's equation; with the numbers of both."""
    L = script.law("L", "T - U")
    T = script.law("T", r"\sum_{j} T_{j}")
    U = script.law("U", r"\sum_{j} U_{j}")
    projected = is_large(script.robot) or not script.robot.tree.has_unit_map
    projected = projected and not is_in_rates(script.robot)
    left = (
        r"\frac{d}{dt} \frac{\partial L}{\partial \dot q_{i}} - \frac{\partial L}{\partial q_{i}}"
    )
    motion = script.law(_PROJECTED if projected else left, "Q_{i}", follows=(L.number,))
    each = (
        r"for every speed $v_{i}$, on which the rates $\dot q_{k}$ of the coordinates depend,"
        if projected
        else "for every coordinate $q_{i}$"
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
        Text(f"and {each} with the generalized force $Q_{{i}}$"),
        motion,
    )
    return Section("Lagrange's equations", blocks), L.number, motion.number
