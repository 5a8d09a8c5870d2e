"""Maggi's equations: a derivation in the joint speeds u, projected onto chosen speeds v.

With u = W(q) v, whatever formulation gave M, b, g, f in the joint speeds, virtual motions are the
columns of W, so

    M_v = Wᵀ M W      b_v = Wᵀ (b + M Ẇ v)      g_v = Wᵀ g      f_v = Wᵀ f

`kane` does not use this: it takes partial velocities by v directly.
"""

from __future__ import annotations

from dataclasses import replace

from ..expr.vector import Vector
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..model.robot import Robot
from .derivation import Derivation


def project(robot: Robot, D: Derivation) -> Derivation:
    """Maggi's equations from a derivation in the joint speeds."""
    speeds = ChosenSpeeds(robot)
    if not speeds.trivial:
        D = D.map(speeds.insert)
    M = D.mass_matrix
    return replace(
        D,
        mass_matrix=speeds.project_matrix(M),
        bias=Vector(speeds.combine(D.bias + M @ speeds.bias)),
        gravity=Vector(speeds.combine(D.gravity)),
        forces={name: Vector(speeds.combine(f)) for name, f in D.forces.items()},
    )
