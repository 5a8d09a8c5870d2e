"""Violation of the rolling constraints along a motion.

Independent of the choice of speeds: u = N⁺ q̇ with numbers q̇ = N v is inserted into the constraints as
the user wrote them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import internal, symbol
from ...algebra.expr.differentiate import directional
from ...mechanics.equations.equations import EquationsOfMotion
from .columns import columns, known_columns

Floats = NDArray[np.float64]


def constraint_rates(
    eom: EquationsOfMotion, q: Floats, q_dot: Floats, parameters: Floats
) -> dict[str, Floats]:
    """{constraint: value of its equation at q and q̇, (T,)}."""
    robot, speeds = eom.robot, eom.robot.speed_map
    if speeds is None or not speeds.constraints:
        return {}
    count = len(q)
    known = known_columns(eom, q, np.empty((count, len(eom.v))), parameters)
    rate = {x: internal("rate", x.name) for x in eom.q}
    known |= {rate[x]: q_dot[:, k] for k, x in enumerate(eom.q)}
    # dependent coordinates and their rates
    dependent = {symbol(name): e for name, e in speeds.dependent}
    for x, e in dependent.items():
        rate[x] = directional([e], rate)[0]
    rates = columns([rate[x] for x in robot.joint_coordinates], known, count)
    values = columns(dependent.values(), known, count)
    known |= {x: values[:, k] for k, x in enumerate(dependent)}
    # u = N⁺ q̇
    N = robot.kinematic_map_inverse
    inverse = columns(N.entries, known, count).reshape(count, *N.shape)
    u = np.einsum("tij,tj->ti", inverse, rates)
    known |= {x: u[:, k] for k, x in enumerate(robot.joint_speeds)}
    violations = columns([c.equation for c in speeds.constraints], known, count)
    return {c.name: violations[:, k] for k, c in enumerate(speeds.constraints)}
