"""GeneralizedForce: force of one element in the equations, with the energy of a spring."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, final

from ...algebra.expr import Expr
from ...algebra.expr.vector import Vector
from ...errors import UnknownNameError
from ...robot.model.read_only import ReadOnly


@final
class GeneralizedForce(Vector):
    """Force on the right-hand side, with power v·f into the robot; arithmetic gives plain vectors."""

    __slots__ = ("energy",)

    def __init__(
        self, entries: Iterable[Any], names: Sequence[str] | None = None, energy: Expr | None = None
    ) -> None:
        super().__init__(entries, names)
        self.energy: Expr | None = (
            energy  # potential energy of a spring [J], with v·f = −dV/dt; else None
        )

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _load, (Vector(self, self.names), self.energy)


@final
class GeneralizedForces(ReadOnly[str, GeneralizedForce]):
    """Generalized forces by name; an unknown name raises an error with the valid ones."""

    __slots__ = ()

    def __getitem__(self, key: str) -> GeneralizedForce:
        if key not in self:
            raise UnknownNameError("force element", key, self)
        return super().__getitem__(key)


def _load(vector: Vector, energy: Expr | None) -> GeneralizedForce:
    return GeneralizedForce(vector, vector.names, energy)
