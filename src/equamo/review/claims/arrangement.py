"""Arrangement: the document's order of equations, and coordinates with the opposite sign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

from ...algebra.expr import Expr, symbol
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...errors import ModelError, ParseError, UnknownNameError
from ...mechanics.equations import EquationsOfMotion
from ...robot.model.joint import acceleration_name
from .limits import whole_number
from .values import Value, replaced


@final
@dataclass(frozen=True)
class Arrangement:
    """Order and signs of equations: `order` lists all or none, `flip` those with negated coordinates."""

    eom: EquationsOfMotion
    order: tuple[str, ...] = ()
    flip: tuple[str, ...] = ()

    @cached_property
    def _places(self) -> dict[str, int]:
        """Index of an equation by its name, the name of its speed, or that of its coordinate."""
        eom = self.eom
        names = eom.mass_matrix.row_names or ()
        places = {x.name: i for i, x in enumerate(eom.v)}
        places |= {n: i for i, n in enumerate(names)}
        if eom.robot.has_unit_map:
            places |= {x.name: i for i, x in enumerate(eom.q)}
        return places

    @cached_property
    def permutation(self) -> tuple[int, ...]:
        """Index of the equation in each printed row."""
        if not self.order:
            return tuple(range(len(self.eom.v)))
        indices = tuple(self.equation(n, "order") for n in self.order)
        if sorted(indices) != list(range(len(self.eom.v))):
            names = ", ".join(self.eom.mass_matrix.row_names or ())
            raise ModelError(
                f"order must list each equation once ({names}), got {', '.join(self.order)}."
            )
        return indices

    def equation(self, name: str, where: str) -> int:
        """Index of an equation by name."""
        if name not in self._places:
            raise UnknownNameError("equation", name, self._places, where)
        return self._places[name]

    def place(self, text: str, position: int) -> int:
        """Index of an equation from its name or its number, from 1, in the printed order."""
        if text in self._places:
            return self._places[text]
        size = len(self.permutation)
        n = whole_number(text, size)
        if n is None:
            raise ParseError(f"expected a number from 1 to {size}, or one of "
                             f"{', '.join(self._places)}.", position)  # fmt: skip
        return self.permutation[n - 1]

    # -- signs -----------------------------------------------------------------------------------
    @cached_property
    def _flipped(self) -> frozenset[int]:
        return frozenset(self.equation(n, "flip") for n in self.flip)

    @cached_property
    def _negated(self) -> dict[Expr, Expr]:
        """Replacement of the symbols of flipped equations by their negatives."""
        new: dict[Expr, Expr] = {}
        robot = self.eom.robot
        rates = dict(zip(robot.joint_speeds, robot.joint_coordinates, strict=False))
        for i in self._flipped:
            v = self.eom.v[i]
            for x in (v, symbol(acceleration_name(v.name))):
                new[x] = -x
            if robot.has_unit_map:
                q = self.eom.q[i]
                new[q] = -q
            elif v in rates and len(robot.joint_speeds) == len(robot.joint_coordinates):
                new[rates[v]] = -rates[v]
        return new

    def flipped(self, x: Expr, places: Sequence[int]) -> Expr:
        """Component with these indices after the change of signs."""
        odd = sum(i in self._flipped for i in places) % 2
        y = replaced(x, self._negated)
        return -y if odd else y

    # -- rows and columns ------------------------------------------------------------------------
    def arranged(self, x: Value) -> Value:
        """Quantity after the change of signs, with named rows and columns in the printed order."""
        if not self.order and not self.flip:
            return x
        is_state = isinstance(x, Vector) and x.entries in (self.eom.v, self.eom.vdot, self.eom.q)
        if not is_state:  # v, v̇ and q are already in the document's signs
            x = replaced(x, self._negated)
        if isinstance(x, Expr):
            return x
        if isinstance(x, Vector):
            rows = self._indices(x.names)
            if rows is None:
                return x
            entries = [x[i] if is_state else self._signed(x[i], (i,)) for i in rows]
            return Vector(entries, x.names and [x.names[i] for i in rows])
        rows, columns = self._indices(x.row_names), self._indices(x.column_names)
        r = range(x.shape[0]) if rows is None else rows
        c = range(x.shape[1]) if columns is None else columns
        block: list[list[Expr]] = []
        for i in r:
            signs = (i,) if rows is not None else ()
            block.append(
                [self._signed(x[i, j], (*signs, j) if columns is not None else signs) for j in c]
            )
        return Matrix(
            block,
            x.row_names and [x.row_names[i] for i in r],
            x.column_names and [x.column_names[j] for j in c],
        )

    def _signed(self, x: Expr, places: Sequence[int]) -> Expr:
        return -x if sum(i in self._flipped for i in places) % 2 else x

    def _indices(self, names: Sequence[str] | None) -> tuple[int, ...] | None:
        """Printed order of rows with these names; None if they are not equations."""
        n = len(self.eom.v)
        if names is None or len(names) != n or any(x not in self._places for x in names):
            return None
        return self.permutation if [self._places[x] for x in names] == list(range(n)) else None
