"""eq.gravity_compensation: inputs that hold a robot where it is, against gravity and springs.

    B · inputs = inverse dynamics(q, v = 0, v̇ = 0)

in the equations that the chosen inputs act on.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final, final

import numpy as np

from ..equations.equations import EquationsOfMotion, expect_equations
from ..errors import EquamoError, UnknownNameError
from ..expr.vector import Vector
from ..expr.walk import symbols as symbols_of
from ..jit.compiled import Compiled, compile
from .operating_point import Array, read_values

PLACE: Final = "gravity_compensation"


@final
class GravityCompensation:
    """A controller for `eq.simulate(…, control=…)`; inputs that it does not use are 0."""

    def __init__(
        self, eom: EquationsOfMotion, used: list[int], rows: list[int], values: dict[str, float]
    ) -> None:
        self.eom, self.used, self.rows, self.values = eom, used, rows, values
        self._fast: Compiled = compile(eom)
        self._options: dict[str, Any] = {"values": values} if values else {}
        self._still = np.zeros(len(eom.v))

    def __repr__(self) -> str:
        return f"<gravity compensation of robot {self.eom.robot.name!r}>"

    def inputs(self, t: float, q: Any, v: Any) -> Array:
        """The inputs of the robot at its coordinates; time and speeds do not matter."""
        q = np.asarray(q, dtype=np.float64)
        tau: Array = self._fast.inverse_dynamics(q, self._still, self._still, **self._options)
        inputs = np.zeros(len(self.eom.inputs))
        inputs[self.used] = self._inverse(q) @ tau[self.rows]
        return inputs

    def _inverse(self, q: Array) -> Array:
        if not self._varies:
            return self._constant
        return self._of(self._fast.input_matrix(q, **self._options))

    def _of(self, B: Array) -> Array:
        return np.linalg.pinv(B[np.ix_(self.rows, self.used)])

    @cached_property
    def _varies(self) -> bool:
        return bool(set(symbols_of(self.eom.input_matrix.entries)) & set(self.eom.q))

    @cached_property
    def _constant(self) -> Array:
        return self._of(self.eom.evaluate("input_matrix", values=self.values))

    @property
    def expressions(self) -> Vector:
        """The inputs as expressions in q and parameters, where the input matrix is constant."""
        eom = self.eom
        if self._varies:
            raise EquamoError(
                f"{PLACE}: there are no expressions: the input matrix is not constant."
            )
        back = self._constant.round(12)
        tau = eom.inverse_dynamics.subs(dict.fromkeys((*eom.v, *eom.vdot), 0))
        held = Vector([tau[i] for i in self.rows])
        found = {k: Vector(row.tolist()) @ held for k, row in zip(self.used, back, strict=True)}
        names = [s.name for s in eom.inputs]
        return Vector([found.get(k, 0) for k in range(len(names))], names)


def gravity_compensation(
    eom: EquationsOfMotion, inputs: Iterable[str] | None = None, values: Any = None
) -> GravityCompensation:
    """The controller that holds a robot against gravity and springs, with all inputs or those named.

    Every equation that these inputs act on must be met by them: a robot that is not fully actuated,
    such as one on wheels, is held in the joints whose inputs are named.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> eom = derive(load("rr_arm"))
    >>> gravity_compensation(eom).inputs(0, [0, 0], [0, 0]) - eom.evaluate("gravity", q=[0, 0])
    array([0., 0.])
    """
    expect_equations(eom, PLACE)
    table = read_values(eom, PLACE, values)
    names = [s.name for s in eom.inputs]
    chosen = names if inputs is None else [str(getattr(n, "name", n)) for n in _each(inputs)]
    for n in chosen:
        if n not in names:
            raise UnknownNameError("input", n, names, PLACE)
    used = [k for k, n in enumerate(names) if n in chosen]
    B: Array = eom.evaluate("input_matrix", values=table).reshape(len(eom.v), len(names))
    equations = [s.name for s in eom.v]
    rows = [i for i in range(len(equations)) if inputs is None or B[i, used].any()]
    if np.linalg.matrix_rank(B[np.ix_(rows, used)]) < len(rows):
        rest = [
            equations[i] for i in rows if np.count_nonzero(B[i, used]) != 1 or _shared(B, i, used)
        ]
        raise EquamoError(
            f"{PLACE}: the inputs do not hold robot {eom.robot.name!r} alone: the equations of "
            f"{', '.join(rest[:8])} are more than their inputs. Name the inputs of joints that are held "
            f"with inputs=[…] ({', '.join(names[:8])}{' …' * (len(names) > 8)})."
        )
    return GravityCompensation(eom, used, rows, table)


def _each(names: Iterable[str]) -> list[Any]:
    return [names] if isinstance(names, str) else list(names)


def _shared(B: Array, row: int, used: list[int]) -> bool:
    """Whether the one input of this row acts in others too."""
    (column,) = [k for k in used if B[row, k]]
    return bool(np.count_nonzero(B[:, column]) > 1)
