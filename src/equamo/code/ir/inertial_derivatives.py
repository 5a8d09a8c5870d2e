"""Two more derivatives of the dynamics: d/dt of inverse dynamics, and ∂(M a)/∂q.

    inverse_dynamics_rate(q, v, vdot, vddot)       τ̇, for feed-forward of the rate and for jerk limits
    mass_matrix_product_derivatives(q, vdot)       ∂(M a)/∂q with a in place of v̇

The first is computed by the chain rule and specified by a recursion that shares no code with it. It does
not exist on a moving base, because the derivatives of its accelerations are unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ...algebra.expr import ZERO
from ...algebra.expr.differentiate import directional, directional_columns
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import ZERO3, Vector
from ...mechanics.certificate.derivatives import (
    differentiated_recursion,
    second_derivatives,
    time_rates,
)
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.recursions.newton_euler import inverse_dynamics
from ...robot.model.read_only import ReadOnly
from ...robot.model.wrt import WRT, Wrt
from .derivative_specification import slopes
from .directions import Directions
from .function import Function, Result, Way
from .functions import ProgramEquations, program_equations
from .program import Argument


def inertial_derivatives(eom: EquationsOfMotion) -> Mapping[str, Function]:
    """Both functions by name; the table is shared.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> [str(f.results[0]) for f in inertial_derivatives(derive(load("rr_arm"))).values()]
    ['tau_rate (2,)', 'dMa_dq (2, 2)', 'dMa_dq (2, 2)']
    """
    if "inertial derivatives" not in eom.made:
        found = [_product(eom, wrt) for wrt in WRT]
        if eom.robot.base.is_zero:
            found.insert(0, _rate(eom))
        eom.made["inertial derivatives"] = ReadOnly({f.name: f for f in found})
    return eom.made["inertial derivatives"]


def _function(
    eom: EquationsOfMotion,
    name: str,
    state: tuple[Argument, ...],
    result: Result,
    way: Way,
    specified: Way,
) -> Function:
    more = (Argument("external", eom.external), Argument("parameters", eom.parameters))
    arguments = (*state, *(a for a in more if len(a)))
    naming = partial(program_equations(eom).naming, False)
    return Function(name, arguments, (result,), (way,), naming, specified=specified)


# -- d/dt of inverse dynamics --------------------------------------------------------------------------
def _rate(eom: EquationsOfMotion) -> Function:
    state = (
        Argument("q", eom.q), Argument("v", eom.v), Argument("vdot", eom.vdot),
        Argument("vddot", tuple(second_derivatives(eom))),
    )  # fmt: skip

    def way() -> Vector:
        tau = program_equations(eom).inverse_dynamics()
        return Vector(directional(tau, time_rates(eom)))

    def specified() -> Vector:
        return differentiated_recursion(eom)

    return _function(
        eom, "inverse_dynamics_rate", state, Result("tau_rate", (len(eom.v),)), way, specified
    )


# -- M a by q ------------------------------------------------------------------------------------------
def _product(eom: EquationsOfMotion, wrt: Wrt) -> Function:
    directions = Directions(eom.robot, wrt)
    seeds = [directions.seeds(k) for k in range(len(directions))]
    rows = len(eom.v)

    def way() -> Matrix:
        return Matrix(directional_columns(_inertial_force(program_equations(eom)), seeds))

    def specified() -> Matrix:
        return slopes(eom.robot, wrt, list(eom.mass_matrix @ Vector(eom.vdot)))

    suffix = "" if wrt == "tangent" else f"_{wrt}"
    state = (Argument("q", eom.q), Argument("vdot", eom.vdot))
    name, result = f"mass_matrix_product_derivatives{suffix}", Result("dMa_dq", (rows, len(seeds)))
    return _function(eom, name, state, result, way, specified)


def _inertial_force(e: ProgramEquations) -> Vector:
    """M a, by the recursion without speeds and gravity"""
    if not e.direct or not e.speeds.trivial:
        return e.mass_matrix() @ Vector(e.eom.vdot)
    still = [ZERO] * len(e.tree.v)
    return inverse_dynamics(e.tree, still, e.tree.vdot, ZERO3, still_base=True)
