"""OperatingPoint: the state and inputs at which equations are linearized."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, final

from ...algebra.arrays import NDArray, np
from ...errors import EquilibriumError
from ...mechanics.equations.assembly import assemble
from ...mechanics.equations.characteristic_sizes import CharacteristicSizes
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion, expect_equations
from ...mechanics.equations.loop_state import null_space
from ...mechanics.equations.mobility import independent_rows
from ...mechanics.equations.state_reader import Reader
from ...robot.model.arguments import number
from ...robot.model.state_space import StatePart

Array = NDArray[Any]

NO_EQUILIBRIUM: Final = 1e-6  # fraction of the generalized force that inputs may leave unbalanced


@final
@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """State (q, v), inputs, parameter values and external loads at one instant."""

    eom: EquationsOfMotion
    q: Array
    v: Array
    inputs: Array
    values: Mapping[str, float]
    external: Array

    def evaluate(self, what: Any, vdot: Any = None) -> Any:
        """Numerical value of a quantity at this point."""
        return self.eom.evaluate(
            what, q=self.q, v=self.v, vdot=vdot, inputs=self.inputs, values=self.values,
            external=self.external,
        )  # fmt: skip


def operating_point(
    eom: EquationsOfMotion,
    function: str,
    q: Any = None,
    v: Any = None,
    inputs: Any = None,
    values: Any = None,
    external: Any = None,
) -> OperatingPoint:
    """Operating point from arguments, by default `robot.home`, and inputs that hold the robot there.

    The state of a robot with loops or sticking contacts is assembled.
    """
    expect_equations(eom, function)
    space = eom.robot.state_space
    table = read_values(eom, function, values)
    coordinates, speeds = read(function, space.q, q), read(function, space.v, v)
    if eom.robot.closure_rows:
        state = assemble(eom, q, v, table)
        coordinates, speeds = state.q, state.v
    loads, chosen = read(function, space.external, external), read(function, space.inputs, inputs)
    point = OperatingPoint(eom, coordinates, speeds, chosen, table, loads)
    if inputs is not None:
        return point
    return OperatingPoint(eom, coordinates, speeds, holding_inputs(point, function), table, loads)


def holding_inputs(point: OperatingPoint, function: str) -> Array:
    """Smallest inputs with B · inputs = inverse dynamics at v̇ = 0; an error if none exist.

    In all other directions, constraint forces Aᵀ λ hold a robot with loops or sticking contacts.
    """
    eom = point.eom
    needed: Array = point.evaluate("inverse_dynamics")
    B: Array = point.evaluate("input_matrix").reshape(len(needed), len(eom.inputs))
    sizes = CharacteristicSizes(eom.robot, point.values)
    # Work on displacements of the size of each speed, so that forces and torques are comparable.
    P, moved = _free_projection(point, sizes), sizes.v
    left, right = P @ (moved[:, None] * B), P @ (moved * needed)
    inputs = np.linalg.lstsq(left, right, rcond=None)[0] if len(eom.inputs) else np.zeros(0)
    residual = np.abs(left @ inputs - right)
    most = np.maximum(sizes.forces(eom, point.q), np.abs(needed)) + np.abs(B) @ np.abs(inputs)
    most = np.maximum(most, np.abs(P) @ (moved * most) / moved)
    residual, allowed = residual / moved, sizes.negligible(most, NO_EQUILIBRIUM)
    if (residual <= allowed).all():
        return inputs
    names = eom.mass_matrix.row_names or ()
    worst = sorted(range(len(names)), key=lambda i: -(residual[i] - allowed[i]) * moved[i])[:3]
    unmet = ", ".join(
        f"{names[i]} (by {residual[i]:.4g})" for i in worst if residual[i] > allowed[i]
    )
    raise EquilibriumError(
        f"{function}: no inputs can hold robot {eom.robot.name!r} at this state; the equations of "
        f"{unmet} are not satisfied. Pass inputs=… for a linearization with drift, or a state from "
        f"eq.equilibria(eom)."
    )


def _free_projection(point: OperatingPoint, sizes: CharacteristicSizes) -> Array:
    """Projection onto the directions with A v = 0, in speeds divided by their sizes."""
    eom = point.eom
    if not is_augmented(eom.robot):
        return np.eye(len(eom.v))
    A: Array = point.evaluate("constraint_matrix").reshape(-1, len(eom.v))
    rows = list(independent_rows(eom.robot))
    A = A[rows] * sizes.v / sizes.of_rows([eom.robot.rows[k] for k in rows])[:, None]
    free = null_space(A)
    return free @ free.T


# -- reading -------------------------------------------------------------------------------------------
def read(function: str, part: StatePart, argument: Any) -> Array:
    """(n,) finite numbers from a sequence, or from {name: number} with the others at home."""
    return Reader(function, part, exact=True).read_state(argument)


def read_now(function: str, part: StatePart, argument: Any) -> Array:
    """(n,) finite numbers of a state that a controller is called with; quaternions stay as they are."""
    reader = Reader(function, part, exact=True)
    array = reader.finite(reader.read(argument))
    if array.ndim != 1:
        raise reader.shape_error(array.shape)
    return array


def read_clock(function: str, t: Any) -> float:
    """A finite time [s]."""
    return float(number(f"{function}: the time t", t))


def read_values(eom: EquationsOfMotion, function: str, argument: Any) -> dict[str, float]:
    """{parameter: number} from an argument `values`."""
    return Reader(function, eom.robot.state_space.values, exact=True).read_given(argument)
