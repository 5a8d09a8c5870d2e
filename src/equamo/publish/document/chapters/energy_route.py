"""The mass matrix by another route: second derivatives of the energy of the recorded velocities."""

from __future__ import annotations

from ....algebra.expr import HALF, ZERO
from ....algebra.expr.differentiate import gradient, hessian
from ....algebra.expr.vector import Vector
from ....mechanics.kinematics.quantity_name import QuantityName
from ....mechanics.kinematics.steps import Value, matrix_entry
from ..script import Script


def from_energy(script: Script) -> dict[QuantityName, Value]:
    """∂²T/∂v_i∂v_j by entry of M, with T = ½ Σ (m v·v + ω·J ω + 2 ms·(v × ω)) at the recorded ω, v."""
    T = ZERO
    for b in script.robot.bodies:
        if b.inertia.is_zero:
            continue
        w, V = (script.in_speeds(script.value(QuantityName(x, b.name))) for x in "wV")
        assert isinstance(w, Vector)
        assert isinstance(V, Vector)
        m, ms, J = b.inertia.mass, b.inertia.first_moment, b.inertia.tensor
        T = T + HALF * (m * (V @ V) + w @ (J @ w)) + ms @ V.cross(w)
    v = script.robot.v
    second = hessian(gradient(T, v), v)
    names = [x.name for x in v]
    return {
        matrix_entry("M", a, names[j]): second[i][j]
        for i, a in enumerate(names)
        for j in range(i, len(names))
    }
