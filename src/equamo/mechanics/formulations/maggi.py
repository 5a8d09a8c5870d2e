"""Maggi's equations: a derivation in the joint speeds u, projected onto chosen speeds v.

With u = W(q) v, virtual motions are the columns of W. So, for M, b, g, f in the joint speeds by any
formulation,

    M_v = Wᵀ M W      b_v = Wᵀ (b + M Ẇ v)      g_v = Wᵀ g      f_v = Wᵀ f

`kane` does not use this: it takes partial velocities with respect to v directly.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...algebra.expr.vector import Vector
from ...robot.model.robot import Robot
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.steps import NO_RECORD, Record
from .derivation import Derivation
from .entries import record_projected

_RULES: Final = {"M": "Wᵀ M W", "bias": "Wᵀ (b + M Ẇ v)", "gravity": "Wᵀ g", "Q": "Wᵀ f"}


def project(robot: Robot, D: Derivation, record: Record = NO_RECORD) -> Derivation:
    """Maggi's equations from a derivation in the joint speeds."""
    speeds = ChosenSpeeds(robot)
    if not speeds.trivial:
        D = D.map(speeds.insert)
    M = D.mass_matrix
    D = replace(
        D,
        mass_matrix=speeds.project_matrix(M),
        bias=Vector(speeds.combine(D.bias + M @ speeds.bias)),
        gravity=Vector(speeds.combine(D.gravity)),
        forces={name: Vector(speeds.combine(f)) for name, f in D.forces.items()},
    )
    u, v = ([x.name for x in names] for names in (robot.joint_speeds, robot.v))
    record.aside(record_projected, _RULES, speeds.W, u, v, D)
    return D
