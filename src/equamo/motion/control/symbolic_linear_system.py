"""SymbolicLinearSystem: ẋ = A x + B u + drift with exact entries in the parameters.

(1) y/u = C (s 1 − A)⁻¹ B, solved in the field of rational functions, so that factors cancel exactly
(2) p(s) = det(s 1 − A)
(3) Liénard-Chipart: a polynomial with positive coefficients has all roots in the left half plane if
    and only if its Hurwitz determinants Δ_{n−1}, Δ_{n−3} … are positive (Gantmacher II, XV.13)
(4) rank [B, A B, A² B …] for generic parameters (Kalman 1960)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, final

from ...algebra.arrays import np
from ...algebra.expr import ONE, ZERO, Expr, as_expr, internal, symbol
from ...algebra.expr.differentiate import gradient
from ...algebra.expr.evaluate import Tape
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...algebra.identity.rank import rank
from ...basics.arguments import is_one_of
from ...basics.wording import brief, counted
from ...errors import EvaluationError, UnknownNameError
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from .balls import Balls, Rows
from .kinks import expect_exact_slopes
from .linear_system import LinearSystem, structured
from .listed_names import listed_names
from .operating_point import read_values
from .precise_robot import parameter_balls, run, shaped
from .precise_system import PreciseSystem
from .rational_functions import Quotient, RationalFunctions, within_budget
from .system_latex import notebook_text, system_latex
from .transfer_function import TransferFunction

MOST_CONDITIONS: Final = 6  # largest order for which Hurwitz determinants are formed

_S: Final = internal("laplace", "s")


@final
@dataclass(frozen=True, eq=False)
class SymbolicPoint:
    """State and inputs at which equations were linearized, as expressions by symbol."""

    eom: EquationsOfMotion
    at: Mapping[Expr, Expr]  # q, v, inputs, external
    values: Mapping[Expr, Expr]  # parameters with a value
    embedding: Matrix  # ∂(q, v)/∂x

    def insert(self, entries: Iterable[Expr]) -> list[Expr]:
        """Expressions at the point."""
        return substitute(substitute(entries, dict(self.at)), dict(self.values))


@final
@dataclass(frozen=True, eq=False)
class SymbolicLinearSystem:
    """Linear system in deviations x of the states and u of the inputs, with exact entries.

    Attributes:
        A: Matrix of the states, with names.
        B: Matrix of the inputs, with names.
        drift: ẋ at the point itself; 0 at an equilibrium.
        point: State and inputs from which x and u are deviations.

    >>> import equamo as eq
    >>> pendulum = eq.Robot("pendulum", [eq.Body("rod", eq.revolute("q", axis="y"), mass="m",
    ...     com="0 0 L")])
    >>> lin = eq.linearize(eq.derive(pendulum), symbolic=True)
    >>> lin.A["dq", "q"], lin.transfer_function("tau_q", "q")
    (g/L, q/tau_q = 1/(L**2*m*s**2 - g*m*L))
    """

    A: Matrix
    B: Matrix
    drift: Vector
    point: SymbolicPoint = field(repr=False)

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the states."""
        return self.A.row_names or ()

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs."""
        return self.B.column_names or ()

    # -- outputs ---------------------------------------------------------------------------------------
    def output_row(self, output: Any) -> Vector:
        """Row C with y = C x, for the name of a state or an expression in q, v and parameters.

        Raises:
            UnknownNameError: The expression contains an unknown name.
        """
        if isinstance(output, str) and output in self.states:
            return Vector([ONE if n == output else ZERO for n in self.states], self.states)
        eom = self.point.eom
        (e,) = ChosenSpeeds(eom.robot).insert([as_expr(output)])
        state = [*eom.q, *eom.v]
        valid = [x.name for x in (*state, *eom.parameters)]
        for x in symbols([e]):
            if x.name not in valid:
                raise UnknownNameError("symbol", x.name, valid, f"the output {output!s:.60}")
        expect_exact_slopes("linear system", brief(e), [e], state, self.point.insert)
        row = Matrix([self.point.insert(gradient(e, state))]) @ self.point.embedding
        return Vector(row.rows[0], self.states)

    def transfer_function(self, input: str, output: Any) -> TransferFunction:
        """Transfer function from an input to an output, without common factors.

        Args:
            input: Name of an input.
            output: Name of a state, or an expression in q, v and parameters, linearized at the point.

        Returns:
            Numerator and denominator in s.

        Raises:
            UnknownNameError: Unknown input, or an unknown name in the output.
            EvaluationError: The polynomials are too long.
        """
        if not is_one_of(input, self.inputs):
            raise UnknownNameError("input", input, self.inputs, "the linear system")
        F, y = self._field, self._field.zero
        with within_budget("transfer_function"):
            x = self._response(self.inputs.index(input))
            for c, xi in zip(self.output_row(output), x, strict=True):
                if c is not ZERO:
                    y = F.add(y, F.multiply(F.read(c), xi))
        name = output if isinstance(output, str) else str(output)
        if y[0].is_zero():
            return TransferFunction((), (ONE,), input, name)
        top, bottom = self._scaled(y)
        return TransferFunction(self._in_s(top), self._in_s(bottom), input, name)

    # -- stability -------------------------------------------------------------------------------------
    @cached_property
    def characteristic_polynomial(self) -> tuple[Expr, ...]:
        """Coefficients of (2), of the highest power first; the first is 1."""
        F = self._field
        with within_budget("characteristic_polynomial"):
            top, bottom = F.solve(self._s_minus_A, [[] for _ in self.states])[1]
        parts = [F.quotient(c, bottom) for c in F.coefficients(top, _S)]
        return tuple(F.write(c) for c in parts)

    @cached_property
    def stability_conditions(self) -> tuple[Expr, ...]:
        """Expressions that are all positive if and only if all poles have negative real parts: (3).

        A condition that is a number ≤ 0 means that the system is never stable.

        Raises:
            EvaluationError: The system has more than 6 states.
        """
        n = len(self.states)
        if n > MOST_CONDITIONS:
            raise EvaluationError(
                f"stability_conditions: the system must have at most {counted(MOST_CONDITIONS, 'state')}"
                f", got {n}; use in_numbers().poles instead."
            )
        F = self._field
        a = [F.read(c) for c in self.characteristic_polynomial]
        conditions = list(a[1:])
        for size in range(n - 1, 1, -2):
            rows = [
                [a[k] if 0 <= (k := 2 * j + 1 - i) <= n else F.zero for j in range(size)]
                for i in range(size)
            ]
            with within_budget("stability_conditions"):
                conditions.append(_determinant(F, rows))
        shown = [F.write(c) for c in conditions]
        return tuple(c for c in shown if c.value is None or c.value <= 0)

    @cached_property
    def controllability_rank(self) -> int:
        """Rank of (4) for generic parameters; the number of states if the system is controllable."""
        return rank(_krylov(self.A, self.B))

    def observability_rank(self, outputs: Iterable[Any]) -> int:
        """Rank of C, C A, C A² … for one output or several, as in `transfer_function`."""
        several = listed_names("observability_rank", "outputs", outputs)
        rows = [self.output_row(y) for y in several]
        if not rows:
            return 0
        C = Matrix([list(r) for r in rows])
        return rank(_krylov(self.A.T, C.T))

    # -- other forms -----------------------------------------------------------------------------------
    def in_numbers(self, values: Mapping[Any, Any] | None = None) -> LinearSystem:
        """The system in numbers, with the robot's parameter values unless `values` replaces them.

        Raises:
            EvaluationError: A parameter has no value, or was already replaced by another one.
        """
        table = read_values(self.point.eom, "in_numbers", values)
        for name, x in table.items():
            fixed = self.point.values.get(symbol(name))
            if fixed is not None and not fixed.symbols() and float(fixed) != x:
                raise EvaluationError(
                    f"in_numbers: {name!r} must have the value {fixed} with which the system was "
                    f"linearized, got {x:g}; call eq.linearize without values={{{name!r}: …}}."
                )
            if fixed is not None and fixed.symbols():
                raise EvaluationError(
                    f"in_numbers: {name!r} was replaced by {brief(fixed)} when the system was "
                    f"linearized, so that it has no value of its own; pass values of "
                    f"{', '.join(s.name for s in fixed.symbols())}."
                )
        entries = [*self.A.entries, *self.B.entries, *self.drift]
        found = self.point.eom.evaluate(Vector(entries), values=table)
        n, m = len(self.states), len(self.inputs)
        A, B, drift = np.split(np.asarray(found, dtype=np.float64), [n * n, n * n + n * m])
        lin = LinearSystem(A.reshape(n, n), B.reshape(n, m), self.states, self.inputs, drift)
        return structured(lin, OfSymbols(self, dict(values or {}), self.states))

    def to_control(self, values: Mapping[Any, Any] | None = None) -> Any:
        """State-space system of python-control, in numbers: see `in_numbers`."""
        return self.in_numbers(values).to_control()

    def latex(self) -> str:
        """LaTeX of ẋ = A x + B u with all entries."""
        drift = "" if self.drift.is_zero else self.drift.latex()
        return system_latex(self.states, self.inputs, self.A.latex(), self.B.latex(), drift)

    def _repr_latex_(self) -> str | None:
        return notebook_text(self.latex())

    def __str__(self) -> str:
        lines = ["ẋ = A x + B u" + ("" if self.drift.is_zero else " + drift")]
        lines += [f"states {', '.join(self.states)}", f"inputs {', '.join(self.inputs)}"]
        for letter, part in (("A", self.A), ("B", self.B), ("drift", self.drift)):
            names = zip(part.entries, part.entry_names, strict=True)
            lines += [f"{letter}{name} = {x}" for x, name in names if x is not ZERO]
        return "\n".join(lines)

    def __repr__(self) -> str:
        states, inputs = counted(len(self.states), "state"), counted(len(self.inputs), "input")
        return f"<symbolic linear system: {states}, {inputs}>"

    # -- the field -------------------------------------------------------------------------------------
    @cached_property
    def _field(self) -> RationalFunctions:
        parameters = [x for x in self.point.eom.parameters if x not in self.point.values]
        at = self.point.at.values()
        return RationalFunctions([*self.A.entries, *self.B.entries, *at], [_S, *parameters])

    @cached_property
    def _s_minus_A(self) -> list[list[Quotient]]:
        F = self._field
        n = range(len(self.states))
        return [[F.read((_S if i == j else ZERO) - self.A[i, j]) for j in n] for i in n]

    def _response(self, column: int) -> list[Quotient]:
        """Transfer functions from one input to all states."""
        F = self._field
        right = [[F.read(self.B[i, column])] for i in range(len(self.states))]
        X, _ = F.solve(self._s_minus_A, right)  # (1)
        return [r[0] for r in X]

    def _scaled(self, y: Quotient) -> Quotient:
        """Numerator and denominator with integer coefficients, the leading one positive."""
        from math import gcd, lcm

        terms = [c for p in y for c in p.to_dict().values()]
        scale = lcm(*(int(c.q) for c in terms))
        divisor = gcd(*(int(c.p * (scale // int(c.q))) for c in terms))
        lead = self._field.coefficients(y[1], _S)[0].leading_coefficient()
        sign = -1 if lead < 0 else 1
        return y[0] * scale * sign / divisor, y[1] * scale * sign / divisor

    def _in_s(self, p: Any) -> tuple[Expr, ...]:
        F = self._field
        return tuple(F.write((c, F.one[1])) for c in F.coefficients(p, _S))


@final
@dataclass(frozen=True, eq=False)
class OfSymbols(PreciseSystem):
    """An exact system with numbers for its parameters."""

    exact: SymbolicLinearSystem
    values: Mapping[Any, Any]
    states: tuple[str, ...]

    def matrices(self) -> tuple[Rows, Rows]:
        known = parameter_balls(self.exact.point.eom, self.values)
        parts = (self.exact.A, self.exact.B)
        A, B = (run(Tape(x.entries), known) for x in parts)
        n, m = len(self.states), len(self.exact.inputs)
        return shaped(A, n), [B[i * m : (i + 1) * m] for i in range(n)]

    def gradient(self, expression: Any) -> Balls:
        known = parameter_balls(self.exact.point.eom, self.values)
        return run(Tape(self.exact.output_row(expression)), known)


def _determinant(F: RationalFunctions, rows: list[list[Quotient]]) -> Quotient:
    try:
        return F.solve(rows, [[] for _ in rows])[1]
    except ZeroDivisionError:
        return F.zero


def _krylov(A: Matrix, B: Matrix) -> Matrix:
    """[B, A B, A² B …]"""
    blocks = [B]
    for _ in range(A.shape[0] - 1):
        blocks.append(A @ blocks[-1])
    return Matrix([[x for b in blocks for x in b.rows[i]] for i in range(A.shape[0])])
