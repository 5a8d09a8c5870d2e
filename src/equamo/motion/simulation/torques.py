"""Terms of the equations of motion along a trajectory.

    M v̇ + C v + g = passive + inputs + external + constraints,     constraints = Aᵀ λ

Chosen speeds satisfy their constraints, so the constraint forces do not appear.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...basics.wording import counted
from ...mechanics.equations.equations import EquationsOfMotion
from .columns import columns
from .constraint_forces import constraint_torque

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False)
class Torques:
    """Generalized forces (T, n), one column per speed [N m for revolute, N for prismatic joints]."""

    inertia: Floats  # M v̇
    coriolis: Floats  # C v, and terms of a moving base
    gravity: Floats  # g
    passive: Floats  # friction, dampers, springs, on the right-hand side
    inputs: Floats  # B · inputs
    external: Floats  # of wrenches
    elements: Mapping[str, Floats]  # contribution of each force element to the right-hand side
    constraints: Floats  # Aᵀ λ of loops and sticking contacts

    @property
    def residual(self) -> Floats:
        """Left-hand side minus right-hand side: 0 up to rounding."""
        left = self.inertia + self.coriolis + self.gravity
        return left - self.passive - self.inputs - self.external - self.constraints

    def __repr__(self) -> str:
        samples, speeds = self.inertia.shape
        return f"<torques: {counted(samples, 'sample')} of {counted(speeds, 'speed')}>"


def torques(eom: EquationsOfMotion, vdot: Floats, known: Mapping[Expr, Any], count: int) -> Torques:
    """Terms from known values of all symbols and of signs that stick."""
    n = len(eom.v)
    M = columns(eom.mass_matrix.entries, known, count).reshape(count, n, n)
    bias = columns(eom.bias.entries, known, count)
    g = columns(eom.gravity.entries, known, count)
    elements = {name: columns(f.entries, known, count) for name, f in eom.forces.items()}
    kinds: dict[str, Floats] = {k: np.zeros((count, n)) for k in ("passive", "inputs", "external")}
    for element in eom.robot.forces:
        kind = "inputs" if element.inputs() else "external" if element.external() else "passive"
        kinds[kind] = kinds[kind] + elements[element.name]
    inertia = np.einsum("tij,tj->ti", M, vdot)
    unbalanced = inertia + bias + g - sum(kinds.values())
    constraints = constraint_torque(eom, unbalanced, known, count)
    return Torques(inertia, bias, g, elements=elements, constraints=constraints, **kinds)
