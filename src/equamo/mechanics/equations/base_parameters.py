"""Base parameters: the fewest combinations of parameters that determine inverse dynamics, exactly.

    (1) Y π = Y_b β ,  β = π_b + B π_d        Y_b the columns that are kept, π_d the other parameters

Upper bound on their number: the regrouping rules (`recursions.regrouping`) express columns by others;
(1) is proved, for all values of π. Lower bound: the rank of Y_b at random states modulo a prime, which
is certain. If the bounds differ, further relations are interpolated from values of Y_b and proved with
the others. Geometry may be numbers or symbols; symbols are generic, and `special` lists geometries in
which fewer combinations remain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, final

from ...algebra.expr import ONE, ZERO, Expr, symbol
from ...algebra.expr.closed_form.closed_form import closed_form
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...algebra.identity import Proof, prove_equal
from ...algebra.identity.stacked import Stack
from ...basics.wording import counted
from ...robot.model.inertia import NAMES
from ..recursions.regrouping import PREFERENCE, Elimination, Key, regrouping
from .interpolated_relations import interpolated
from .regressor import Regressor, owners
from .replaced import replace_in

if TYPE_CHECKING:
    from .equations import EquationsOfMotion
    from .special_geometries import SpecialGeometry

_LONG: Final = 60  # operations above which no closed form of a coefficient is sought
_BUDGET: Final = 20_000  # of one closed form


@final
@dataclass(frozen=True, eq=False)
class BaseParameters:
    """Combinations of parameters on which inverse dynamics depends.

    Attributes:
        regressor: Regressor of all parameters.
        names: Parameters that are kept, in the order of the columns.
        coefficients: For each of them, the other parameters in its combination: rows of B.
        without_effect: Parameters that do not occur in any combination.
        rank: Lower bound on the number of combinations: rank at random states modulo a prime.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> base = derive(load("rr_arm")).base_parameters
    >>> print(base)
    6 base parameters of rr_arm (of 20, as many as the rank)
    MX_upper + L1*m_fore
    MY_upper
    ZZ_upper + L1**2*m_fore
    MX_fore
    MY_fore
    ZZ_fore
    >>> bool(base.proof)
    True
    """

    regressor: Regressor
    names: tuple[str, ...]
    coefficients: Mapping[str, Mapping[str, Expr]]
    without_effect: tuple[str, ...]
    rank: int

    @property
    def count(self) -> int:
        """Number of combinations."""
        return len(self.names)

    @property
    def is_minimal(self) -> bool:
        """Whether no fewer combinations suffice: the rank equals their number."""
        return self.count == self.rank and bool(self.proof)

    @cached_property
    def terms(self) -> Mapping[str, Mapping[str, Expr]]:
        """`coefficients` in closed form, unless they are long."""
        rows = self.coefficients.items()
        return {n: {other: _short(c) for other, c in row.items()} for n, row in rows}

    @cached_property
    def combinations(self) -> Vector:
        """β as expressions in symbols with the names of the columns of the regressor."""
        return self._combinations(self.terms, symbol)

    @cached_property
    def values(self) -> Vector:
        """β of this robot, from its own masses, centres of mass, inertias and drives."""
        return self._combinations(self.coefficients, self.regressor.parameters.__getitem__)

    def _combinations(
        self, rows: Mapping[str, Mapping[str, Expr]], value: Callable[[str], Expr]
    ) -> Vector:
        found: list[Expr] = []
        for name in self.names:
            total = value(name)
            for other, c in rows[name].items():
                total = total + c * value(other)
            found.append(total)
        return Vector(found, self.names)

    @cached_property
    def matrix(self) -> Matrix:
        """Y_b, one column per combination; matrix · values + remainder = inverse dynamics."""
        Y = self.regressor.matrix
        position = {n: k for k, n in enumerate(self.regressor.names)}
        kept = [position[n] for n in self.names]
        return Matrix([[r[k] for k in kept] for r in Y.rows], Y.row_names, self.names)

    @cached_property
    def proof(self) -> Proof:
        """Proof of (1) for all values of the parameters, which are symbols in it.

        For those of this robot, the left side plus the remainder is also the inverse dynamics itself.
        """
        Y = self.regressor
        ours = self.matrix @ self._combinations(self.coefficients, symbol)
        given = Y.matrix @ Vector([symbol(n) for n in Y.names])
        whole = self.matrix @ self.values + Y.remainder
        unit = Y.equations.robot.unit_groups
        return prove_equal(Vector([*ours, *whole]), Vector([*given, *Y.expected]), unit=unit)

    @cached_property
    def special(self) -> tuple[SpecialGeometry, ...]:
        """Geometries from a fixed list in which fewer combinations remain; computed on demand.

        Parallel or intersecting axes of neighbouring joints, equal lengths, gravity along an axis.
        """
        from .special_geometries import special_geometries

        return special_geometries(self)

    def replaced(self, steps: tuple[Mapping[Any, Any], ...]) -> BaseParameters:
        """Copy with symbols replaced; the combinations stay valid, but fewer may then suffice."""
        coefficients = {
            n: {other: replace_in(c, steps) for other, c in row.items()}
            for n, row in self.coefficients.items()
        }
        Y = self.regressor.replaced(steps)
        rank = len(_stack(Y, self.names).independent)
        return BaseParameters(Y, self.names, coefficients, self.without_effect, rank)

    def __repr__(self) -> str:
        robot = self.regressor.equations.robot.name
        return f"<{counted(self.count, 'base parameter')} of robot {robot!r}>"

    def __str__(self) -> str:
        from .base_parameters_text import to_text

        return to_text(self)


def base_parameters(eom: EquationsOfMotion) -> BaseParameters:
    """Base parameters of equations without replaced symbols."""
    Y, robot = eom.regressor, eom.robot
    keys = column_keys(Y)
    elimination = Elimination(keys)
    for k, key in enumerate(keys):
        if all(row[k] is ZERO for row in Y.matrix.rows):
            elimination.add({key: ONE}, key[1])
    for part in regrouping(robot.tree, [b.name for b in owners(robot)]):
        for relation in part.relations:
            elimination.add(relation, part.body)
        for relation in part.rotors:
            elimination.add(relation, next(iter(relation))[1])
    kept = sorted(elimination.kept, key=lambda key: _place(key, keys.index(key)))
    name = dict(zip(keys, Y.names, strict=True))
    stack = _stack(Y, [name[key] for key in kept])
    rank = len(stack.independent)
    if rank < len(kept):
        by_rules = _result(Y, keys, elimination, rank)
        for relation in interpolated(stack, kept):
            elimination.add(relation, "")
        found = _result(Y, keys, elimination, rank)
        return found if found.proof else by_rules
    return _result(Y, keys, elimination, rank)


def _result(
    Y: Regressor, keys: Sequence[Key], elimination: Elimination, rank: int
) -> BaseParameters:
    name = dict(zip(keys, Y.names, strict=True))
    rows: dict[str, dict[str, Expr]] = {name[key]: {} for key in elimination.kept}
    without: list[str] = []
    for key in keys:
        if key in elimination.expressed:
            terms = elimination.reduced({key: ONE})
            for k, c in terms.items():
                rows[name[k]][name[key]] = c
            if not terms:
                without.append(name[key])
    return BaseParameters(Y, tuple(rows), rows, tuple(without), rank)


def column_keys(Y: Regressor) -> list[Key]:
    """(quantity, owner) of each column, in order."""
    keys = [(n, b.name) for b in owners(Y.equations.robot) for n in NAMES]
    return [*keys, *Y.drives]


def _stack(Y: Regressor, names: Sequence[str]) -> Stack:
    """Some columns at random states; symbols that are not part of a state keep their values."""
    position = {n: k for k, n in enumerate(Y.names)}
    columns = [position[n] for n in names]
    A = Matrix([[r[k] for k in columns] for r in Y.matrix.rows])
    robot = Y.equations.robot
    moving = {*robot.q, *robot.v, *robot.vdot, *symbols(robot.base.expressions())}
    stack = Stack(A, frozenset(symbols(A.entries)) - moving, robot.unit_groups)
    stack.saturate()
    return stack


def _place(key: Key, position: int) -> tuple[int, int, int]:
    """Order of the columns: those to be expressed by others come last."""
    quantity, _ = key
    if quantity not in PREFERENCE:
        return int(quantity == "Ia") + 1, position, 0
    return 0, position // len(NAMES), -PREFERENCE.index(quantity)


def _short(c: Expr) -> Expr:
    """Closed form of a coefficient; a long one stays as it is."""
    if c.value is not None or c.operations().total > _LONG:
        return c
    return closed_form(c, _BUDGET)
