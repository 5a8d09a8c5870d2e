"""eq.gravity_compensation: inputs that hold a robot in place against gravity and springs.

    B · inputs = inverse dynamics(q, v = 0, v̇ = 0)

is solved in the rows on which the chosen inputs act. With loops or sticking contacts, constraint forces
Aᵀ λ take part, and it is solved along the possible motions (`loop_torques`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final, final

import numpy as np

from ..equations.assembly import assemble
from ..equations.constrained import is_augmented
from ..equations.equations import EquationsOfMotion, expect_equations
from ..errors import EquamoError, UnknownNameError
from ..expr import symbol
from ..expr.vector import Vector
from ..expr.walk import symbols as symbols_of
from ..ir.expressions import Expressions
from ..ir.program import Argument
from ..jit.compiled import Compiled, compile
from .listed_names import listed_names
from .loop_torques import LoopTorques
from .operating_point import Array, read_values

PLACE: Final = "gravity_compensation"


@final
class GravityCompensation:
    """Controller for `eq.simulate(…, control=…)`; inputs that it does not use are 0."""

    eom: EquationsOfMotion
    used: list[int]
    rows: list[int]
    values: dict[str, float]

    def __init__(
        self, eom: EquationsOfMotion, used: list[int], rows: list[int], values: dict[str, float]
    ) -> None:
        self.eom, self.used, self.rows, self.values = eom, used, rows, values
        self._fast: Compiled = compile(eom)
        self._options: dict[str, Any] = {"values": values} if values else {}
        self._still = np.zeros(len(eom.v))
        self._loops = LoopTorques(PLACE, eom, used, values) if is_augmented(eom.robot) else None

    def __repr__(self) -> str:
        return f"<gravity compensation of robot {self.eom.robot.name!r}>"

    def inputs(self, t: float, q: Any, v: Any) -> Array:
        """Inputs of the robot at its coordinates q; they do not depend on t and v."""
        q = np.asarray(q, dtype=np.float64)
        tau: Array = self._fast.inverse_dynamics(q, self._still, self._still, **self._options)
        if self._loops is not None:
            return self._loops.inputs(q, tau)
        inputs = np.zeros(len(self.eom.inputs))
        inputs[self.used] = self._inverse(q) @ tau[self.rows]
        return inputs

    def _inverse(self, q: Array) -> Array:
        if not self._varies:
            return self._constant
        return self._inverted(self._fast.input_matrix(q, **self._options))

    def _inverted(self, B: Array) -> Array:
        return np.linalg.pinv(B[np.ix_(self.rows, self.used)])

    @cached_property
    def _varies(self) -> bool:
        return bool(set(symbols_of(self.eom.input_matrix.entries)) & set(self.eom.q))

    @cached_property
    def _constant(self) -> Array:
        return self._inverted(self.eom.evaluate("input_matrix", values=self.values))

    @property
    def expressions(self) -> Vector:
        """The inputs as expressions in q and parameters, if the input matrix is constant."""
        eom = self.eom
        if self._loops is not None:
            raise EquamoError(
                f"{PLACE}: the robot must have no loops or sticking contacts for a controller with "
                f"expressions, got robot {eom.robot.name!r}; use .inputs(t, q, v), or chosen speeds "
                f"(eom.minimal())."
            )
        if self._varies:
            raise EquamoError(
                f"{PLACE}: the controller has expressions only if the input matrix is constant; that of "
                f"robot {eom.robot.name!r} depends on its coordinates. Use .inputs(t, q, v)."
            )
        B_inverse = self._constant.round(12)
        tau = eom.inverse_dynamics.subs(dict.fromkeys((*eom.v, *eom.vdot), 0))
        held = Vector([tau[i] for i in self.rows])
        by_input = {
            k: Vector(row.tolist()) @ held for k, row in zip(self.used, B_inverse, strict=True)
        }
        names = [s.name for s in eom.inputs]
        return Vector([by_input.get(k, 0) for k in range(len(names))], names)

    @property
    def law(self) -> Expressions:
        """The inputs as expressions in q and parameters, for `eq.generate` and `eq.compile`.

        Parameters that were passed as `values` are constants in them.
        """
        inputs = self.expressions.subs({symbol(n): x for n, x in self.values.items()})
        return Expressions({"inputs": inputs}, (Argument("q", self.eom.q),), named=False)


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

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
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
    home = assemble(eom, values=table).q if eom.robot.closure_rows else None
    B: Array = eom.evaluate("input_matrix", q=home, values=table).reshape(len(eom.v), len(names))
    equations = [s.name for s in eom.v]
    rows = [i for i in range(len(equations)) if inputs is None or B[i, used].any()]
    if np.linalg.matrix_rank(B[np.ix_(rows, used)]) < len(rows):
        rest = [
            equations[i] for i in rows if np.count_nonzero(B[i, used]) != 1 or _shared(B, i, used)
        ]
        raise EquamoError(
            f"{PLACE}: the inputs cannot hold robot {eom.robot.name!r}: the equations of "
            f"{', '.join(rest[:8])} have too few inputs. Name the inputs of the joints to hold with "
            f"inputs=[…] ({', '.join(names[:8])}{' …' * (len(names) > 8)})."
        )
    return GravityCompensation(eom, used, rows, table)


def _shared(B: Array, row: int, used: list[int]) -> bool:
    """Whether the only input of this row also acts in other rows."""
    (column,) = [k for k in used if B[row, k]]
    return bool(np.count_nonzero(B[:, column]) > 1)
