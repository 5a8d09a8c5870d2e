"""eq.linearize: the linear system near a state, with exact Jacobians from the graph.

The accelerations are an implicit function of state and inputs:

    (1) r(q, v, v̇, u) = inverse dynamics(q, v, v̇) − B(q) u = 0,   ∂r/∂v̇ = M
    (2) ∂v̇/∂x = −M⁻¹ ∂r/∂x,   ∂v̇/∂u = M⁻¹ B

∂r and ∂(N v) are those of the derivative functions (`ir.dynamics_derivatives`), by coordinates; a
symbolic M⁻¹ never appears. The embedding of a state chart is tangent to unit quaternions, so that their
normalisation does not matter.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Literal, final, overload

import numpy as np

from ..equations.equations import EquationsOfMotion
from ..errors import EvaluationError
from ..expr import Expr
from ..expr.vector import Vector
from ..ir.dynamics_derivatives import DynamicsDerivatives
from ..ir.functions import program_equations
from .linear_system import LinearSystem
from .operating_point import Array, OperatingPoint, operating_point
from .state_chart import state_chart
from .symbolic_linear_system import SymbolicLinearSystem
from .symbolic_linearize import symbolic_linearize

KEPT: Final = 8  # Jacobians in the cache


@overload
def linearize(
    eom: EquationsOfMotion,
    q: Any = None,
    v: Any = None,
    inputs: Any = None,
    values: Any = None,
    dt: float | None = None,
    external: Any = None,
    symbolic: Literal[False] = False,
) -> LinearSystem: ...
@overload
def linearize(
    eom: EquationsOfMotion,
    q: Any = None,
    v: Any = None,
    inputs: Any = None,
    values: Any = None,
    dt: float | None = None,
    external: Any = None,
    *,
    symbolic: Literal[True],
) -> SymbolicLinearSystem: ...
def linearize(
    eom: EquationsOfMotion,
    q: Any = None,
    v: Any = None,
    inputs: Any = None,
    values: Any = None,
    dt: float | None = None,
    external: Any = None,
    symbolic: bool = False,
) -> LinearSystem | SymbolicLinearSystem:
    """Linear system ẋ = A x + B u + drift near a state.

    The states are (q, v), with three error components per quaternion (see `state_chart`); with rolling
    constraints there are more coordinates than speeds. Dry friction, sign(v), has slope 0 everywhere, so
    it does not appear in A at rest; use a smooth form of friction if it matters.

    Args:
        eom: Equations of motion.
        q: Coordinates of the operating point, by default `robot.home`.
        v: Speeds of the operating point, by default those of `robot.home`.
        inputs: Inputs at the operating point, by default the smallest that give v̇ = 0.
        values: {parameter: number} for parameters that differ from the robot's defaults.
        dt: Step [s] of a discrete system, exact for inputs that are constant during each step.
        external: External loads at the operating point, by default 0.
        symbolic: Whether A and B are exact expressions in the parameters. State and inputs may then be
            expressions, such as inputs={"F": "(m + m_L)*g"}, and only `values` replaces parameters.

    Returns:
        A `LinearSystem` with `A`, `B`, `states`, `inputs` and `drift`; a `SymbolicLinearSystem` if
        `symbolic`.

    Raises:
        EquilibriumError: `inputs` is missing, and no inputs hold the robot at this state.
        EvaluationError: An argument has the wrong shape, or the equations are singular here.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> lin = linearize(derive(load("rr_arm")), q=[0.3, 0.5])
    >>> lin.states, lin.inputs
    (('q1', 'q2', 'dq1', 'dq2'), ('tau1', 'tau2'))
    >>> bool(abs(lin.drift).max() < 1e-12)
    True
    """
    if symbolic:
        if dt is not None:
            raise EvaluationError(
                "linearize: a symbolic system must be continuous, got dt; use in_numbers().discrete(dt)."
            )
        return symbolic_linearize(eom, q, v, inputs, values, external)
    point = operating_point(eom, "linearize", q, v, inputs, values, external)
    rates, A, B = derivatives(point)
    chart = state_chart(point)
    to, back = chart.matrix, chart.embedding
    names = tuple(s.name for s in eom.inputs)
    lin = LinearSystem(to @ A @ back, to @ B, chart.names, names, to @ rates, None, chart)
    return lin if dt is None else lin.discrete(dt)


def derivatives(point: OperatingPoint) -> tuple[Array, Array, Array]:
    """(ẋ, ∂ẋ/∂x, ∂ẋ/∂u) with x = (q, v), all coordinates of quaternions included."""
    eom = point.eom
    k, n = len(eom.q), len(eom.v)
    M: Array = point.evaluate("mass_matrix")
    N: Array = point.evaluate("kinematic_map").reshape(k, n)
    B: Array = point.evaluate("input_matrix").reshape(n, len(eom.inputs))
    rest = B @ point.inputs - point.evaluate("inverse_dynamics")
    vdot = _solve(point, M, rest)
    parts = _jacobians(_Key(eom))
    slopes: Array = point.evaluate(parts, vdot=vdot)
    of_force = slopes[: n * (k + n)].reshape(n, k + n)
    A = np.zeros((k + n, k + n))
    A[:k, :k] = slopes[n * (k + n) :].reshape(k, k)  # ∂(N v)/∂q
    A[:k, k:] = N
    A[k:] = -_solve(point, M, of_force)  # (2)
    whole_B = np.zeros((k + n, len(eom.inputs)))
    whole_B[k:] = _solve(point, M, B)  # (2)
    rates = np.concatenate([N @ point.v, vdot])
    if not (np.isfinite(A).all() and np.isfinite(whole_B).all() and np.isfinite(rates).all()):
        raise EvaluationError(
            f"linearize: the equations of robot {eom.robot.name!r} are not differentiable at this "
            f"state; choose another."
        )
    return rates, A, whole_B


def _solve(point: OperatingPoint, M: Array, right: Array) -> Array:
    try:
        return np.linalg.solve(M, right) if right.size else np.zeros(right.shape)
    except np.linalg.LinAlgError:
        raise EvaluationError(
            f"linearize: the mass matrix of robot {point.eom.robot.name!r} is singular at this state; "
            f"every joint must move some inertia."
        ) from None


@final
class _Key:
    """Cache key that compares equations by identity."""

    def __init__(self, eom: EquationsOfMotion) -> None:
        self.eom = eom

    def __hash__(self) -> int:
        return id(self.eom)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.eom is other.eom


@lru_cache(maxsize=KEPT)
def _jacobians(key: _Key) -> Vector:
    """∂r/∂(q, v) of (1), row by row, then ∂(N v)/∂q."""
    d = DynamicsDerivatives(program_equations(key.eom), "coordinates")
    by_q, by_v = d.residual_slopes(by_inputs=True)
    rows = zip(by_q.rows, by_v.rows, strict=True)
    entries: list[Expr] = [x for of_q, of_v in rows for x in (*of_q, *of_v)]
    return Vector([*entries, *d.rate_slopes().entries])
