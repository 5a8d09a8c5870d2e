"""The document's order of equations, and the coordinates that it counts the other way round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

from ..equations import EquationsOfMotion
from ..errors import ParseError, UnknownNameError
from ..expr import Expr, symbol
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..model.joint import acceleration_name
from .limits import whole_number
from .values import Value, replaced


@final
@dataclass(frozen=True)
class Arrangement:
    """`order` lists all equations by name (or none); `flip` those whose coordinate is negated."""

    eom: EquationsOfMotion
    order: tuple[str, ...] = ()
    flip: tuple[str, ...] = ()

    @cached_property
    def _places(self) -> dict[str, int]:
        """Equation by any of its names: of the equation, of its speed, of its coordinate."""
        eom = self.eom
        names = eom.mass_matrix.row_names or ()
        places = {x.name: i for i, x in enumerate(eom.v)}
        places |= {n: i for i, n in enumerate(names)}
        if eom.robot.has_unit_map:
            places |= {x.name: i for i, x in enumerate(eom.q)}
        return places

    @cached_property
    def permutation(self) -> tuple[int, ...]:
        """Equation of each printed row."""
        if not self.order:
            return tuple(range(len(self.eom.v)))
        found = tuple(self.equation(n, "order") for n in self.order)
        if sorted(found) != list(range(len(self.eom.v))):
            names = ", ".join(self.eom.mass_matrix.row_names or ())
            raise UnknownNameError("order", ", ".join(self.order), (names,))
        return found

    def equation(self, name: str, where: str) -> int:
        if name not in self._places:
            raise UnknownNameError("equation", name, self._places, where)
        return self._places[name]

    def place(self, given: str, position: int) -> int:
        """The equation that an index from 1 in the printed order, or a name, says."""
        if given in self._places:
            return self._places[given]
        size = len(self.permutation)
        n = whole_number(given, size)
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
        """Symbols of the flipped equations by their negatives."""
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
        """A component with these indices, its signs turned."""
        turned = sum(i in self._flipped for i in places) % 2
        y = replaced(x, self._negated)
        return -y if turned else y

    # -- rows and columns ------------------------------------------------------------------------
    def arranged(self, x: Value) -> Value:
        """A quantity with flipped signs, and its named rows and columns in the printed order."""
        if not self.order and not self.flip:
            return x
        is_state = isinstance(x, Vector) and x.entries in (self.eom.v, self.eom.vdot, self.eom.q)
        if not is_state:  # v, v̇ and q are the document's own after the flip
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
        """The printed order of rows with these names; None if they are not equations."""
        n = len(self.eom.v)
        if names is None or len(names) != n or any(x not in self._places for x in names):
            return None
        return self.permutation if [self._places[x] for x in names] == list(range(n)) else None
