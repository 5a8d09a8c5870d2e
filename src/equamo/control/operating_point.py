"""The state and inputs that equations are linearized at, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ..equations.equations import EquationsOfMotion, expect_equations
from ..equations.state_reader import Reader
from ..errors import EquilibriumError
from ..model.state_space import StatePart

Array = NDArray[Any]

NO_EQUILIBRIUM: Final = 1e-6  # what inputs leave of the generalized force that is to be held


@final
@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """q, v and inputs, with the values of parameters and the external loads that go with them."""

    eom: EquationsOfMotion
    q: Array
    v: Array
    inputs: Array
    values: Mapping[str, float]
    external: Array

    def evaluate(self, what: Any, vdot: Any = None) -> Any:
        """Numbers of a quantity here."""
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
    """What was given, the rest at `robot.home`; inputs that are not given hold the robot there."""
    expect_equations(eom, function)
    space = eom.robot.state_space
    table = read_values(eom, function, values)
    coordinates, speeds = read(function, space.q, q), read(function, space.v, v)
    loads, chosen = read(function, space.external, external), read(function, space.inputs, inputs)
    point = OperatingPoint(eom, coordinates, speeds, chosen, table, loads)
    if inputs is not None:
        return point
    return OperatingPoint(eom, coordinates, speeds, holding_inputs(point, function), table, loads)


def holding_inputs(point: OperatingPoint, function: str) -> Array:
    """The smallest inputs with B · inputs = inverse dynamics at v̇ = 0; an error if there are none."""
    eom = point.eom
    needed: Array = point.evaluate("inverse_dynamics")
    B: Array = point.evaluate("input_matrix")
    found = np.linalg.lstsq(B, needed, rcond=None)[0] if len(eom.inputs) else np.zeros(0)
    left = np.abs(B @ found - needed)
    if left.max(initial=0) <= NO_EQUILIBRIUM * max(1.0, np.abs(needed).max(initial=0)):
        return found
    names = eom.mass_matrix.row_names or ()
    worst = sorted(range(len(names)), key=lambda i: -left[i])[:3]
    shown = ", ".join(
        f"{names[i]} (by {left[i]:.4g})" for i in worst if left[i] > left.max() * 1e-6
    )
    raise EquilibriumError(
        f"{function}: no inputs hold robot {eom.robot.name!r} at this state: the equations of {shown} "
        f"are not met. Give inputs=… for a linearization with drift, or a state of eq.equilibria(eom)."
    )


# -- reading -------------------------------------------------------------------------------------------
def read(function: str, part: StatePart, given: Any) -> Array:
    """(n,) finite numbers, from a sequence or {name: number} with the rest at home."""
    return Reader(function, part, exact=True).read_state(given)


def read_values(eom: EquationsOfMotion, function: str, given: Any) -> dict[str, float]:
    """{name: number} of the parameters that were given."""
    return Reader(function, eom.robot.state_space.values, exact=True).read_given(given)
