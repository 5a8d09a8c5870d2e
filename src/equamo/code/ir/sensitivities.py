"""The functions that CasADi needs for a function f: f, jac_f, adj1_f and jac_adj1_f.

    f           y(x)                            arguments x_1 …, results y_1 …
    jac_f       ∂y_i/∂x_j                       arguments x, then out_y; results jac_y_x
    adj1_f      Σ λ_iᵀ ∂y_i/∂x_j                arguments x, out_y, then adj_y; results adj_x
    jac_adj1_f  its derivatives: a Hessian      arguments x, out_y, adj_y, out_adj_x

Names, order and shapes are those of CasADi; see "External" in its documentation. Matrices are stored
column by column, and derivatives have only the entries that can differ from zero. out_y has no entries,
because nothing here needs it. A unit quaternion x stands for x/|x|: f is homogeneous of degree 0 in it,

    (1) f(x) = f(u),  ∂f(x) = ∂f(u)/|x|,  ∂²f(x) = ∂²f(u)/|x|²,   u = x/|x|

with the derivatives at u by coordinates. So all are consistent at any x, as a solver needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Final, NamedTuple, final

from ...algebra.expr import ZERO, Expr, as_expr, internal
from ...algebra.expr.differentiate import directional_columns
from ...algebra.expr.functions import sqrt
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector, dot
from ...errors import EquamoError, ExpressionError, ModelError
from ...mechanics.equations.equations import EquationsOfMotion
from .derivative import Derivative, Kind
from .directions import Directions
from .dynamics_derivatives import DynamicsDerivatives
from .function import Function, Result, Value, Way, entries_of, folded, without_empty
from .functions import program_equations
from .program import Argument
from .second_order import Explicit, Rows, Solved
from .variables import Group, Variables

KINDS: Final[dict[str, Kind]] = {"jac_": "jac", "adj1_": "adj1", "jac_adj1_": "jac_adj1"}
PREFIXES: Final = tuple(KINDS)
_SOLVED: Final = ("forward_dynamics", "forward_dynamics_inputs", "state_derivative")


class Port(NamedTuple):
    """An argument or result as CasADi sees it: a matrix; `is_empty` if it has no relevant entries."""

    name: str
    rows: int
    columns: int = 1
    is_empty: bool = False


def ports(
    arguments: Iterable[Argument], results: Iterable[tuple[str, tuple[int, ...]]], prefix: str = ""
) -> tuple[list[Port], list[Port]]:
    """Arguments and results of f, jac_f, adj1_f or jac_adj1_f from those of f.

    Args:
        arguments: Arguments of f, none of them empty.
        results: (name, shape) of each result of f.
        prefix: "" or one of `PREFIXES`.

    >>> x = Argument("x", (internal("a", "b"),))
    >>> [[port.name for port in side] for side in ports([x], [("y", (3,))], "jac_")]
    [['x', 'out_y'], ['jac_y_x']]
    """
    x = [Port(a.name, len(a)) for a in arguments]
    y = [Port(n, (*shape, 1)[0], shape[1] if len(shape) == 2 else 1) for n, shape in results]
    if not prefix:
        return x, y
    if prefix != "jac_":
        seeds = [Port(f"adj_{p.name}", p.rows, p.columns) for p in y]
        inner = [*x, *_unused(y), *seeds], [Port(f"adj_{p.name}", p.rows) for p in x]
        if prefix == "adj1_":
            return inner
        x, y = inner
    blocks = [
        Port(f"jac_{b.name}_{a.name}", b.rows * b.columns, a.rows * a.columns) for b in y for a in x
    ]
    return [*x, *_unused(y)], blocks


def _unused(ports: Iterable[Port]) -> list[Port]:
    return [Port(f"out_{p.name}", p.rows, p.columns, True) for p in ports]


def prefix_of(f: Function) -> str:
    """Prefix of the name of jac_f, adj1_f or jac_adj1_f; empty for any other function."""
    kind = None if f.derivative is None else f.derivative.kind
    return next((prefix for prefix, k in KINDS.items() if k == kind), "")


def sensitivities(
    eom: EquationsOfMotion, f: Function, values: Mapping[str, Any] | None = None
) -> tuple[Function, ...]:
    """f, jac_f, adj1_f and jac_adj1_f.

    Args:
        eom: Equations of motion.
        f: A function of their robot, with all parameters as symbols.
        values: Values of parameters that become constants.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.ir.functions import functions
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> [g.name for g in sensitivities(eom, functions(eom)["gravity"])]
    ['gravity', 'jac_gravity', 'adj1_gravity', 'jac_adj1_gravity']
    """
    return _Family(eom, f, values or {}).functions()


@final
class _Family:
    def __init__(self, eom: EquationsOfMotion, f: Function, values: Mapping[str, Any]) -> None:
        self.eom, self.whole = eom, f
        self.f = without_empty(folded(f, values))
        self.known = {s: as_expr(x) for s, x in self.f.values.items()}
        self.lam = [
            [internal(f"adj {y.name}", str(k)) for k in range(y.size)] for y in self.f.results
        ]
        self.length = _lengths(eom, self.f)
        self.unit = unit_components(eom, self.f)

    def functions(self) -> tuple[Function, ...]:
        f = self.f
        value = f
        if self.unit:
            ways = tuple(partial(self._normalised, way) for way in f.ways)
            what = Derivative(f.name, "normalised", "coordinates", base=f)
            value = replace(f, ways=ways, derivative=what, specified=None)
        made = [self._function(prefix, value) for prefix in PREFIXES]
        return value, *made

    def _normalised(self, way: Way) -> tuple[Value, ...]:
        found = way()
        values = found if isinstance(found, tuple) else (found,)
        return tuple(x.subs(self.unit) for x in values)

    # -- derivatives at unit quaternions ---------------------------------------------------------------
    @cached_property
    def _derivatives(self) -> Explicit | Solved:
        own = {a.name: a for a in self.whole.arguments}
        plain = tuple(
            Group(a.name, a.symbols) for a in self.f.arguments if not self._is_configuration(a)
        )
        x = Variables(Directions(self.eom.robot, "coordinates"), plain)
        flat = [s for part in self.lam for s in part]
        name = self.f.name
        if name in _SOLVED and self.f.specified is None and self.f.frame is None:
            equations = program_equations(self.eom).in_short_frames
            d = DynamicsDerivatives(equations, "coordinates")
            return Solved(d, x, flat, "inputs" in own, name == "state_derivative")
        way = self.whole.ways[0]
        kept = {y.name for y in self.f.results}
        outputs = self.whole.outputs(way).items()
        y = [e for n, value in outputs if n in kept for e in entries_of(value)]
        return Explicit(y, x, flat)

    def _is_configuration(self, a: Argument) -> bool:
        return a.name == "q" and a.symbols == self.eom.q

    @property
    def _places(self) -> list[tuple[int, int]]:
        """(first, number) of the variables of each argument, q first in `Variables`."""
        start = len(self.eom.q)
        found: list[tuple[int, int]] = []
        for a in self.f.arguments:
            if self._is_configuration(a):
                found.append((0, len(a)))
            else:
                found.append((start, len(a)))
                start += len(a)
        return found

    def _final(
        self, entries: Rows, rows: Sequence[Expr | None], columns: Sequence[Expr | None]
    ) -> Rows:
        """(1), with numbers in place of folded parameters."""
        flat = substitute([e for row in entries for e in row], {**self.known, **self.unit})
        width = len(columns)
        found = [list(flat[i * width : (i + 1) * width]) for i in range(len(entries))]
        for i, r in enumerate(rows):
            for j, c in enumerate(columns):
                for x in (r, c):
                    if x is not None and x in self.length and found[i][j] is not ZERO:
                        found[i][j] = found[i][j] / self.length[x]
        return found

    @property
    def _variables(self) -> list[Expr]:
        """Symbols of the columns of `Variables`."""
        plain = (a.symbols for a in self.f.arguments if not self._is_configuration(a))
        return [*self.eom.q, *(s for group in plain for s in group)]

    @cached_property
    def _slopes(self) -> Rows:
        """∂y/∂x: all entries row by row, all variables."""
        d = self._derivatives
        if (
            isinstance(d, Explicit)
            and self.f.name == "inverse_dynamics"
            and self.f.specified is None
        ):
            found = self._of_inverse(d)
        else:
            found = d.jacobian()
        return self._final(found, [None] * len(found), self._variables)

    def _of_inverse(self, d: Explicit) -> Rows:
        """∂τ by q, v and v̇ by the recursion for derivatives, and by constants on the graph."""
        parts = DynamicsDerivatives(program_equations(self.eom).in_short_frames, "coordinates")
        by_q, by_v, by_a = (m.rows for m in parts.inverse_dynamics())
        done = [[*q, *v, *a] for q, v, a in zip(by_q, by_v, by_a, strict=True)]
        rest = directional_columns(d.y, d.x.seeds[len(done[0]) :])
        return [[*row, *more] for row, more in zip(done, rest, strict=True)]

    # -- functions -------------------------------------------------------------------------------------
    def _function(self, prefix: str, value: Function) -> Function:
        inputs, outputs = ports(
            self.f.arguments, [(y.name, y.shape) for y in self.f.results], prefix
        )
        names = [p.name for p in (*inputs, *outputs)]
        twice = next((n for k, n in enumerate(names) if n in names[:k]), None)
        if twice is not None:
            raise EquamoError(
                f"function {self.f.name!r}: names of arguments and results for CasADi must differ, "
                f"got {twice!r} twice in {prefix}{self.f.name}; rename the input or the result."
            )
        symbols = {a.name: a.symbols for a in self.f.arguments}
        for y, lam in zip(self.f.results, self.lam, strict=True):
            symbols[f"adj_{y.name}"] = tuple(lam[k] for k in by_columns(y.shape))
        arguments = tuple(Argument(p.name, () if p.is_empty else symbols[p.name]) for p in inputs)
        blocks: dict[str, Callable[[], list[Rows]]] = {
            "jac_": self._jacobian, "adj1_": self._adjoint, "jac_adj1_": self._second
        }  # fmt: skip
        try:
            made = blocks[prefix]()
        except (ExpressionError, ModelError) as error:  # such as a robot without mass
            raise ExpressionError(f"{self.f.name} has no value: {error}") from None
        whole = Function(
            prefix + self.f.name,
            arguments,
            tuple(Result(p.name, (p.rows, p.columns)) for p in outputs),
            (partial(_matrices, made, outputs),),
            self.f.naming,
            values=self.f.values,
            derivative=Derivative(self.f.name, KINDS[prefix], "coordinates", base=value),
        )
        if prefix == "adj1_":  # its vectors are whole
            return whole
        places = [_places(block) for block in made]
        results = tuple(
            Result(p.name, (len(kept),), tuple(kept), (p.rows, p.columns))
            for p, kept in zip(outputs, places, strict=True)
        )
        return replace(
            whole, results=results, ways=(partial(_packed, made, places),), unpacked=whole
        )

    def _jacobian(self) -> list[Rows]:
        """∂y_i/∂x_j for every i and j."""
        return [_columns(rows, *at) for rows in self._by_result for at in self._places]

    @property
    def _by_result(self) -> list[Rows]:
        """∂y_i/∂x of each result, its entries column by column."""
        found: list[Rows] = []
        start = 0
        for y in self.f.results:
            found.append([self._slopes[start + k] for k in by_columns(y.shape)])
            start += y.size
        return found

    def _adjoint(self) -> list[Rows]:
        """Σ λ_iᵀ ∂y_i/∂x_j for every j."""
        column = [[e] for e in self._derivatives.pulled_back()]
        found = self._final(column, self._variables, [None])
        return [found[first : first + count] for first, count in self._places]

    def _second(self) -> list[Rows]:
        """Of each adj_x_j, the derivatives by x_k, by out_y (none) and by adj_y_i."""
        H = self._final(self._derivatives.hessian(), self._variables, self._variables)
        blocks: list[Rows] = []
        for first, count in self._places:
            rows = H[first : first + count]
            blocks += [_columns(rows, *at) for at in self._places]
            blocks += [[[ZERO] * y.size for _ in range(count)] for y in self.f.results]
            for part in self._by_result:  # the transposed Jacobian
                blocks.append([[row[first + i] for row in part] for i in range(count)])
        return blocks


def _lengths(eom: EquationsOfMotion, f: Function) -> dict[Expr, Expr]:
    """|x| of each component of the quaternions that are arguments."""
    known = {s for a in f.arguments for s in a.symbols}
    groups = [group for group in eom.robot.unit_groups if set(group) <= known]
    return {x: sqrt(dot(group, group)) for group in groups for x in group}


def unit_components(eom: EquationsOfMotion, f: Function) -> dict[Expr, Expr]:
    """x/|x| of each component of the quaternions that are arguments."""
    return {x: x / length for x, length in _lengths(eom, f).items()}


def by_columns(shape: tuple[int, ...]) -> list[int]:
    """Positions of the entries of an array, stored row by row, in the order of columns.

    >>> by_columns((2, 3)), by_columns((2,)), by_columns(())
    ([0, 3, 1, 4, 2, 5], [0, 1], [0])
    """
    rows, columns = shape if len(shape) == 2 else (shape[0] if shape else 1, 1)
    return [i * columns + j for j in range(columns) for i in range(rows)]


def _columns(rows: Rows, first: int, count: int) -> Rows:
    return [row[first : first + count] for row in rows]


def _places(block: Rows) -> list[tuple[int, int]]:
    """(row, column) of the entries that can differ from zero, column by column."""
    found = [(i, j) for i, row in enumerate(block) for j, e in enumerate(row) if e is not ZERO]
    return sorted(found, key=lambda place: place[::-1])


def _matrices(blocks: Sequence[Rows], outputs: Sequence[Port]) -> tuple[Value, ...]:
    names = ([str(k) for k in range(p.columns)] for p in outputs)
    return tuple(Matrix(rows, None, n) for rows, n in zip(blocks, names, strict=True))


def _packed(
    blocks: Sequence[Rows], places: Sequence[Sequence[tuple[int, int]]]
) -> tuple[Value, ...]:
    pairs = zip(blocks, places, strict=True)
    return tuple(Vector([rows[i][j] for i, j in kept]) for rows, kept in pairs)
