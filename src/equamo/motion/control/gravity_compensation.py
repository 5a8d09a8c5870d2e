"""eq.gravity_compensation: inputs that hold a robot in place against gravity and springs.

    B · inputs = inverse dynamics(q, v = 0, v̇ = 0)

is solved in the rows in which the chosen inputs act (`input_map`). With loops or sticking contacts,
constraint forces Aᵀ λ take part, and it is solved along the possible motions (`loop_torques`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, final

import numpy as np

from ...algebra.expr import ZERO
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...code.ir.expressions import Expressions
from ...code.ir.program import Argument
from ...code.jit.compiled import Compiled, compile
from ...errors import EquamoError, UnknownNameError
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion, expect_equations
from .input_map import InputMap, block, driven_rows, reached, without_loads
from .listed_names import listed_names
from .loop_torques import LoopTorques
from .operating_point import Array, read_now, read_values

PLACE: Final = "gravity_compensation"


@final
class GravityCompensation:
    """Controller for `eq.simulate(…, control=…)`; inputs that it does not use are 0."""

    eom: EquationsOfMotion  # equations of the robot
    used: list[int]  # positions of the inputs that it uses
    rows: list[int]  # rows of the equations that they balance
    values: dict[str, float]  # values of parameters, in place of defaults

    def __init__(
        self, eom: EquationsOfMotion, used: list[int], rows: list[int], values: dict[str, float]
    ) -> None:
        self.eom, self.used, self.rows, self.values = eom, used, rows, values
        self._fast: Compiled = compile(eom)
        self._options: dict[str, Any] = {"values": values} if values else {}
        self._still = np.zeros(len(eom.v))
        self._map = InputMap(PLACE, eom, rows, used, values)
        self._loops = LoopTorques(PLACE, eom, used, values) if is_augmented(eom.robot) else None

    def __repr__(self) -> str:
        return f"<gravity compensation of robot {self.eom.robot.name!r}>"

    def inputs(self, t: float, q: Any, v: Any) -> Array:
        """Inputs of the robot at its coordinates q; they do not depend on t and v.

        Raises:
            EvaluationError: No inputs hold the robot at q, such as at the dead centre of a cylinder.
        """
        q = read_now(PLACE, self.eom.robot.state_space.q, q)
        tau: Array = self._fast.inverse_dynamics(q, self._still, self._still, **self._options)
        if self._loops is not None:
            return self._loops.inputs(q, tau)
        return self._map.inputs(q, tau)

    @property
    def expressions(self) -> Vector:
        """The inputs as expressions in q and parameters.

        Parameters that were passed as `values` are constants in them. External loads are unknown to the
        controller, as in `inputs`. Where no inputs hold the robot, the expressions divide by zero.
        """
        eom = self.eom
        if self._loops is not None:
            raise EquamoError(
                f"{PLACE}: the robot must have no loops or sticking contacts for a controller with "
                f"expressions, got robot {eom.robot.name!r}; use .inputs(t, q, v), or chosen speeds "
                f"(eom.minimal())."
            )
        tau = eom.inverse_dynamics.subs(dict.fromkeys((*eom.v, *eom.vdot), ZERO))
        return without_loads(eom, self._map.expressions(tau), self.values)

    @property
    def law(self) -> Expressions:
        """`expressions` as a function of q and parameters, for `eq.generate` and `eq.compile`."""
        return Expressions({"inputs": self.expressions}, (Argument("q", self.eom.q),), named=False)


def gravity_compensation(
    eom: EquationsOfMotion, inputs: Iterable[str] | None = None, values: Any = None
) -> GravityCompensation:
    """Controller that holds a robot against gravity and springs.

    The chosen inputs must be able to balance every equation that they act on. For a robot that is not
    fully actuated, such as one on wheels, name the inputs of the joints to hold. With loops or sticking
    contacts, the inputs must reach all degrees of freedom; the smallest such inputs are used.

    Args:
        eom: Equations of motion.
        inputs: Names of the inputs to use, by default all.
        values: {parameter: number} for parameters that differ from the robot's defaults.

    Returns:
        A controller for `eq.simulate(…, control=…)`.

    Raises:
        EquamoError: The inputs cannot balance the equations that they act on.
        UnknownNameError: `inputs` or `values` has an unknown name.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> gravity_compensation(eom).inputs(0, [0, 0], [0, 0]) - eom.evaluate("gravity", q=[0, 0])
    array([0., 0.])
    """
    expect_equations(eom, PLACE)
    table = read_values(eom, PLACE, values)
    names = [s.name for s in eom.inputs]
    chosen = (
        names
        if inputs is None
        else [str(getattr(n, "name", n)) for n in listed_names(PLACE, "inputs", inputs)]
    )
    for n in chosen:
        if n not in names:
            raise UnknownNameError("input", n, names, PLACE)
    used = [k for k, n in enumerate(names) if n in chosen]
    if is_augmented(eom.robot):
        return GravityCompensation(eom, used, [], table)
    rows = list(range(len(eom.v))) if inputs is None else driven_rows(eom, used)
    B = block(eom, rows, used)
    if reached(eom, B, table) < len(rows):
        raise EquamoError(
            f"{PLACE}: the inputs cannot hold robot {eom.robot.name!r}: the equations of "
            f"{', '.join(_unbalanced(B)[:8])} have too few inputs. Name the inputs of the joints to "
            f"hold with inputs=[…] ({', '.join(names[:8])}{' …' * (len(names) > 8)})."
        )
    return GravityCompensation(eom, used, rows, table)


def _unbalanced(B: Matrix) -> list[str]:
    """Names of the rows without an input that acts in them alone."""
    own = [sum(x is not ZERO for x in column) == 1 for column in zip(*B.rows, strict=True)] or [
        False
    ]
    pairs = zip(B.row_names or (), B.rows, strict=True)
    names = [
        name
        for name, row in pairs
        if not any(alone and x is not ZERO for alone, x in zip(own, row, strict=False))
    ]
    return names or list(B.row_names or ())
