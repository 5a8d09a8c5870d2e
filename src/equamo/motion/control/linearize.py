"""eq.linearize: the linear system near a state, with exact Jacobians from the graph.

The accelerations are an implicit function of state and inputs:

    (1) r(q, v, v̇, u) = inverse dynamics(q, v, v̇) − B(q) u = 0,   ∂r/∂v̇ = M
    (2) ∂v̇/∂x = −M⁻¹ ∂r/∂x,   ∂v̇/∂u = M⁻¹ B

∂r and ∂(N v) come from the derivative functions (`ir.dynamics_derivatives`), in coordinates; a
symbolic M⁻¹ never appears. The embedding of a state chart is tangent to unit quaternions, so that their
normalisation does not matter.

With loops or sticking contacts, and independent rows A, accelerations and multipliers λ solve

    (3) r = ID − B u − Aᵀ λ = 0,   c = A v̇ + Ȧ v = 0
    (4) [M −Aᵀ; A 0] [∂v̇; ∂λ] = −[∂r; ∂c]     at fixed v̇ and λ

and the states are the deviations that stay on the loops (`constraint_tangent`).
"""

from __future__ import annotations

from typing import Any, Literal, overload

from ...algebra.arrays import np
from ...basics.arguments import flag
from ...code.ir.functions import program_equations
from ...errors import EvaluationError
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.mobility import independent_rows
from .constraint_tangent import singular, tangent
from .kinks import expect_slopes_of_motion
from .linear_system import LinearSystem, structured
from .operating_point import Array, OperatingPoint, operating_point
from .precise_robot import OfRobot
from .residual_slopes import residual_slopes
from .state_chart import state_chart
from .symbolic_linear_system import SymbolicLinearSystem
from .symbolic_linearize import symbolic_linearize


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
    constraints there are more coordinates than speeds. With loops or sticking contacts, q and v are
    assembled first, and the states are as many coordinates and speeds as there are degrees of freedom,
    from which the others follow. Dry friction, sign(v), has slope 0 everywhere, so
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
        EvaluationError: An argument has the wrong shape, the equations are singular here or have a kink,
            such as abs(q) at q = 0, or `symbolic` coordinates depend on each other through loops.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> lin = linearize(derive(load("rr_arm")), q=[0.3, 0.5])
    >>> lin.states, lin.inputs
    (('q1', 'q2', 'dq1', 'dq2'), ('tau1', 'tau2'))
    >>> bool(abs(lin.drift).max() < 1e-12)
    True
    """
    if flag("linearize: symbolic", symbolic):
        if dt is not None:
            raise EvaluationError(
                "linearize: a symbolic system must be continuous, got dt; use in_numbers().discrete(dt)."
            )
        return symbolic_linearize(eom, q, v, inputs, values, external)
    point = operating_point(eom, "linearize", q, v, inputs, values, external)
    rates, A, B = derivatives(point)
    chart = state_chart(point)
    on_loops = tangent(chart)
    if on_loops is not None:
        chart = on_loops.restrict(chart)
    to, back = chart.matrix, chart.embedding
    names = tuple(s.name for s in eom.inputs)
    lin = LinearSystem(to @ A @ back, to @ B, chart.names, names, to @ rates, None, chart)
    lin = structured(lin, OfRobot(point, chart.names))
    return lin if dt is None else lin.discrete(dt)


def derivatives(point: OperatingPoint) -> tuple[Array, Array, Array]:
    """(ẋ, ∂ẋ/∂x, ∂ẋ/∂u) with x = (q, v), all coordinates of quaternions included."""
    eom = point.eom
    k, n, m = len(eom.q), len(eom.v), len(eom.inputs)
    N: Array = point.evaluate("kinematic_map").reshape(k, n)
    B: Array = point.evaluate("input_matrix").reshape(n, m)
    whole: Array = point.evaluate("mass_matrix")
    rest = B @ point.inputs - point.evaluate("inverse_dynamics")
    if is_augmented(eom.robot):
        rows = list(independent_rows(eom.robot))
        A: Array = point.evaluate("constraint_matrix").reshape(-1, n)[rows]
        whole = np.block([[whole, -A.T], [A, np.zeros((len(rows), len(rows)))]])
        rest = np.concatenate([rest, -point.evaluate("constraint_bias")[rows]])
        B = np.vstack([B, np.zeros((len(rows), m))])
    solution = _solve(point, whole, rest)  # v̇, and λ of (3)
    size, vdot = len(solution), solution[:n]
    unknowns = program_equations(eom).constraints
    multipliers = {} if unknowns is None else dict(zip(unknowns.lam, solution[n:], strict=True))
    expect_slopes_of_motion(point, vdot, multipliers)
    slopes: Array = point.evaluate(residual_slopes(eom).subs(multipliers), vdot=vdot)
    of_force = slopes[: size * (k + n)].reshape(size, k + n)
    by_state = np.zeros((k + n, k + n))
    by_state[:k, :k] = slopes[size * (k + n) :].reshape(k, k)  # ∂(N v)/∂q
    by_state[:k, k:] = N
    by_state[k:] = -_solve(point, whole, of_force)[:n]  # (2), (4)
    by_inputs = np.zeros((k + n, m))
    by_inputs[k:] = _solve(point, whole, B)[:n]  # (2), (4)
    return _finite(point, np.concatenate([N @ point.v, vdot]), by_state, by_inputs)


def _finite(point: OperatingPoint, *results: Array) -> tuple[Array, Array, Array]:
    if not all(np.isfinite(x).all() for x in results):
        raise EvaluationError(
            f"linearize: the equations of robot {point.eom.robot.name!r} are not differentiable at this "
            f"state; choose another."
        )
    rates, A, B = results
    return rates, A, B


def _solve(point: OperatingPoint, M: Array, right: Array) -> Array:
    try:
        return np.linalg.solve(M, right) if right.size else np.zeros(right.shape)
    except np.linalg.LinAlgError:
        if is_augmented(point.eom.robot):
            raise singular(point) from None
        raise EvaluationError(
            f"linearize: the mass matrix of robot {point.eom.robot.name!r} is singular at this state; "
            f"every joint must move some inertia."
        ) from None
