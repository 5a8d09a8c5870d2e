"""Maggi's equations: a derivation in the joint speeds u, projected onto chosen speeds v.

With u = W(q) v, virtual motions are the columns of W. So, for M, b, g, f in the joint speeds by any
formulation,

    M_v = Wᵀ M W      b_v = Wᵀ (b + M Ẇ v)      g_v = Wᵀ g      f_v = Wᵀ f

`kane` does not use this: it takes partial velocities with respect to v directly.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..expr import ZERO
from ..expr.vector import Vector
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.quantity_name import QuantityName
from ..kinematics.steps import Recorder, matrix_entry
from ..model.robot import Robot
from .derivation import Derivation, record_entries

_RULES: Final = {"M": "Wᵀ M W", "bias": "Wᵀ (b + M Ẇ v)", "gravity": "Wᵀ g", "Q": "Wᵀ f"}


def project(robot: Robot, D: Derivation, record: Recorder | None = None) -> Derivation:
    """Maggi's equations from a derivation in the joint speeds."""
    speeds = ChosenSpeeds(robot)
    if not speeds.trivial:
        D = D.map(speeds.insert)
    M = D.mass_matrix
    projected = replace(
        D,
        mass_matrix=speeds.project_matrix(M),
        bias=Vector(speeds.combine(D.bias + M @ speeds.bias)),
        gravity=Vector(speeds.combine(D.gravity)),
        forces={name: Vector(speeds.combine(f)) for name, f in D.forces.items()},
    )
    if record is not None:
        _record(record, speeds, projected)
    return projected


def _record(record: Recorder, speeds: ChosenSpeeds, D: Derivation) -> None:
    u, v = speeds.robot.joint_speeds, speeds.robot.v
    n = range(len(u))
    rows = {v[j].name: [i for i in n if speeds.W[i, j] is not ZERO] for j in range(len(v))}

    def M(i: int, j: int) -> QuantityName:
        return matrix_entry("M", u[min(i, j)].name, u[max(i, j)].name)

    def inputs(x: QuantityName) -> list[QuantityName]:
        if x.letter == "M":
            return [M(i, j) for i in rows[x.by[0]] for j in rows[x.by[1]]]
        own = rows[x.by[-1]]
        used = [replace(x, by=(*x.by[:-1], u[i].name)) for i in own]
        return used + ([M(i, j) for i in own for j in n] if x.letter == "bias" else [])

    record_entries(record, _RULES, [x.name for x in v], D, inputs)
