"""Linearization of a robot in ball arithmetic: the equations of `linearize`, to any precision.

The operating point consists of doubles that stand for exact numbers: an angle of 1.5707963267948966 is
π/2, 0.1 is 1/10, and an acceleration of 1e-17 at a state of rest is 0. A configuration of a robot with
loops is moved onto φ = 0 by Newton's method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import pi
from typing import Any, Final, final

from ...algebra.expr import Expr, as_expr
from ...algebra.expr.differentiate import gradient
from ...algebra.expr.evaluate import Tape
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols as symbols_of
from ...algebra.identity.counterexample import Balls as BallRing
from ...code.ir.dynamics_derivatives import DynamicsDerivatives
from ...code.ir.functions import program_equations
from ...errors import UnknownNameError
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion, quantity
from ...mechanics.equations.mobility import independent_rows
from ...mechanics.equations.state_reader import Reader
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...robot.model.joints.spherical import quaternion_rows
from .balls import (
    Balls,
    Rows,
    UndecidedError,
    ball,
    bits,
    decided,
    difference,
    negative,
    product,
    solved,
    unit_rows,
    zero,
)
from .kinks import expect_slopes
from .operating_point import OperatingPoint
from .precise_system import PreciseSystem
from .residual_slopes import KEPT, SameEquations, residual_slopes
from .state_chart import StateChart, state_chart

ROUNDED: Final = 1e-12  # a coordinate this close to a multiple of π/12 is meant to be it
AT_REST: Final = (
    1e-9  # fraction of the accelerations without inputs (at least 1) that counts as rest
)
STEPS: Final = 40  # most steps of Newton's method

State = Mapping[Expr, Any]


@final
@dataclass(frozen=True, eq=False)
class OfRobot(PreciseSystem):
    """Linear system of a robot at an operating point."""

    point: OperatingPoint
    states: tuple[str, ...]

    def matrices(self) -> tuple[Rows, Rows]:
        known = self._state()
        A, B = self._derivatives(known)
        to, back = self._maps(known)
        return product(product(to, A), back), product(to, B)

    def gradient(self, expression: Any) -> Balls:
        eom = self.point.eom
        (e,) = ChosenSpeeds(eom.robot).insert([as_expr(expression)])
        state = [*eom.q, *eom.v]
        valid = [s.name for s in (*state, *eom.parameters)]
        for s in symbols_of([e]):
            if s.name not in valid:
                raise UnknownNameError("symbol", s.name, valid, f"the output {expression!s:.60}")
        expect_slopes(self.point, e)
        known = self._state()
        row = run(Tape(gradient(e, state)), known)
        return product([row], self._maps(known)[1])[0]

    # -- the point -------------------------------------------------------------------------------------
    def _state(self) -> dict[Expr, Any]:
        """{symbol: ball} of the state, inputs, loads and parameters."""
        point = self.point
        eom, space = point.eom, point.eom.robot.state_space
        known = parameter_balls(eom, point.values)
        state = zip((*eom.q, *eom.v), (*point.q, *point.v), strict=True)
        known |= {s: meant(float(x), ROUNDED) for s, x in state}
        loads = (*eom.inputs, *space.external.symbols), (*point.inputs, *point.external)
        known |= {s: meant(float(x)) for s, x in zip(*loads, strict=True)}
        self._normalise(known)
        if eom.robot.closure_rows and not eom.robot.eliminated:
            self._close(known)
        return known

    def _normalise(self, known: dict[Expr, Any]) -> None:
        for group in self.point.eom.robot.unit_groups:
            if group[0] in known:
                squares = product([[known[x] for x in group]], [[known[x]] for x in group])
                length = squares[0][0].sqrt()
                known.update({x: known[x] / length for x in group})

    def _close(self, known: dict[Expr, Any]) -> None:
        """Move q onto φ = 0, and v onto A v = 0."""
        robot, eom = self.point.eom.robot, self.point.eom
        rows = [robot.rows[k] for k in independent_rows(robot) if robot.rows[k].phi is not None]
        if rows:
            phi, matrix = (
                Tape([r.phi for r in rows if r.phi is not None]),
                Tape([a for r in rows for a in r.A]),
            )
            N = Tape(robot.tree.kinematic_map.entries)
            n = len(robot.joint_speeds)
            small = ball(Fraction(1, 2 ** (bits() * 3 // 4)))
            for _ in range(STEPS):
                gap = [[x.mid()] for x in run(phi, known)]
                if all(abs(x) < small for (x,) in gap):
                    break
                A = _mid(shaped(run(matrix, known), n))
                step = product(_transposed(A), solved(product(A, _transposed(A)), gap))
                moved = product(shaped(run(N, known), n), step)
                for s, (x,) in zip(robot.tree.q, moved, strict=True):
                    known[s] = (known[s] - x).mid()
                self._normalise(known)
            else:
                raise UndecidedError
            for s in robot.tree.q:  # what is left of φ
                known[s] = decided(known[s] + small * ball(1).union(ball(-1)), [ball(1)])
        if not any(float(x) for x in self.point.v) or robot.speed_map is not None:
            return
        rows = [robot.rows[k] for k in independent_rows(robot)]
        A = shaped(run(Tape([a for r in rows for a in r.A]), known), len(eom.v))
        gap = product(A, [[known[s]] for s in eom.v])
        step = product(_transposed(A), solved(product(A, _transposed(A)), gap))
        for s, (x,) in zip(eom.v, step, strict=True):
            known[s] = known[s] - x

    # -- derivatives -----------------------------------------------------------------------------------
    def _derivatives(self, known: State) -> tuple[Rows, Rows]:
        """(∂ẋ/∂x, ∂ẋ/∂u) with x = (q, v), as `derivatives` of `linearize`."""
        eom = self.point.eom
        k, n, m = len(eom.q), len(eom.v), len(eom.inputs)
        still = {**known, **dict.fromkeys(eom.vdot, zero())}
        first, second = _tapes(SameEquations(eom))
        values = iter(run(first, still))
        N = [[next(values) for _ in range(n)] for _ in range(k)]
        B = [[next(values) for _ in range(m)] for _ in range(n)]
        M = [[next(values) for _ in range(n)] for _ in range(n)]
        needed = [next(values) for _ in range(n)]
        count = len(list(independent_rows(eom.robot))) if is_augmented(eom.robot) else 0
        A = [[next(values) for _ in range(n)] for _ in range(count)]
        bias = [next(values) for _ in range(count)]
        u = [known[s] for s in eom.inputs]
        whole = [[*row, *(-a[i] for a in A)] for i, row in enumerate(M)]
        whole += [[*a, *([zero()] * count)] for a in A]
        forced = product(B, [[x] for x in u]) if u else [[zero()] for _ in B]
        rest = difference(forced, [[h] for h in needed]) + [[-b] for b in bias]
        free = [[-h] for h in needed] + [[-b] for b in bias]
        solution = [x for (x,) in _solution(whole, rest)]
        vdot, scale = (
            solution[:n],
            max((abs(float(x)) for (x,) in _solution(whole, free)), default=0.0),
        )
        if max((abs(float(x)) for x in vdot), default=0.0) <= AT_REST * max(1.0, scale):
            vdot = [zero()] * n
        at = {**known, **dict(zip(eom.vdot, vdot, strict=True))}
        unknowns = program_equations(eom).constraints
        if unknowns is not None:
            at |= dict(zip(unknowns.lam, solution[n:], strict=True))
        slopes = iter(run(second, at))
        size = n + count
        of_force = [[-next(slopes) for _ in range(k + n)] for _ in range(size)]
        of_rates = [[next(slopes) for _ in range(k)] for _ in range(k)]
        inputs = B + [[zero()] * m for _ in range(count)]
        both = _solution(whole, [[*a, *b] for a, b in zip(of_force, inputs, strict=True)])[:n]
        by_state = [[*a, *b] for a, b in zip(of_rates, N, strict=True)] + [r[: k + n] for r in both]
        by_inputs = [[zero()] * m for _ in range(k)] + [r[k + n :] for r in both]
        return by_state, by_inputs

    # -- the chart -------------------------------------------------------------------------------------
    def _maps(self, known: State) -> tuple[Rows, Rows]:
        """(∂x/∂(q, v), ∂(q, v)/∂x)"""
        eom = self.point.eom
        whole = state_chart(self.point)
        to, back = _whole_maps(eom, known)
        if whole.names == self.states:
            return to, back
        kept = [whole.names.index(n) for n in self.states]
        return [to[i] for i in kept], product(back, self._tangent(known, whole, to, back, kept))

    def _tangent(
        self, known: State, whole: StateChart, to: Rows, back: Rows, kept: Sequence[int]
    ) -> Rows:
        """T of `constraint_tangent`: x = T x[kept]."""
        eom, robot = self.point.eom, self.point.eom.robot
        rows = [robot.rows[k] for k in independent_rows(robot)]
        rows = [r for r in rows if r.position is not None]
        n, k = len(robot.joint_speeds), len(eom.v)
        size = len(whole.names) - k
        A = shaped(run(Tape([a for r in rows for a in r.A]), known), n)
        N = shaped(run(Tape(robot.tree.kinematic_map.entries), known), n)
        G = product([r[: len(eom.q)] for r in to[:size]], N)
        by_q = _transposed(solved(_transposed(G), _transposed(A)))
        kept_q = [i for i in kept if i < size]
        T_q = _completed(by_q, kept_q, size)
        if robot.speed_map is not None:
            return _block(T_q, [[zero()] * len(kept_q) for _ in range(k)], unit_rows(k, range(k)))
        kept_v = [i - size for i in kept if i >= size]
        T_v = _completed(A, kept_v, n)
        moved = [[zero()] * len(kept_q) for _ in range(n)]
        if any(float(x) for x in self.point.v):
            d = DynamicsDerivatives(program_equations(eom), "coordinates")
            (by, _) = d.of_state.jacobian([Vector(r.A) @ Vector(eom.v) for r in rows])
            slope = shaped(run(Tape(by.entries), known), len(eom.q))
            along = product(product(slope, [r[:size] for r in back[: len(eom.q)]]), T_q)
            others = [j for j in range(n) if j not in kept_v]
            found = solved([[a[j] for j in others] for a in A], negative(along))
            for j, row in zip(others, found, strict=True):
                moved[j] = row
        return _block(T_q, moved, T_v)


def parameter_balls(eom: EquationsOfMotion, values: Any) -> dict[Expr, Any]:
    """{parameter: ball}, with the robot's values unless `values` replaces them."""
    part = eom.robot.state_space.values
    reader = Reader("linearize", part, exact=True)
    numbers = reader.read_names(reader.table(values))
    pairs = zip(part.symbols, numbers, strict=True)
    return {s: meant(float(x)) for s, x in pairs if x == x}  # nan: it has no value


def meant(x: float, rounded: float = 0.0) -> Any:
    """The exact number that a double stands for: a multiple of π/12, or the decimals Python prints."""
    twelfths = round(12 * x / pi)
    if abs(x - pi * twelfths / 12) <= rounded:
        return BallRing().pi() * twelfths / 12
    return ball(Fraction(repr(x)))


@lru_cache(maxsize=KEPT)
def _tapes(key: SameEquations) -> tuple[Tape, Tape]:
    """Tapes of the equations and of their slopes."""
    eom = key.eom
    names = ["kinematic_map", "input_matrix", "mass_matrix", "inverse_dynamics"]
    entries: list[Expr] = [x for name in names for x in quantity(eom, name).entries]
    if is_augmented(eom.robot):
        rows = list(independent_rows(eom.robot))
        A, bias = quantity(eom, "constraint_matrix"), quantity(eom, "constraint_bias")
        entries += [x for i in rows for x in A.rows[i]]
        entries += [bias.entries[i] for i in rows]
    return Tape(entries), Tape(residual_slopes(eom).entries)


def run(tape: Tape, known: State) -> Balls:
    """Values of the outputs, with exact zeros."""
    values = tape.run_all(BallRing(), known)
    largest = max((x.abs_upper() for x in values if x.is_finite()), default=zero())
    return [decided(values[i], [largest]) for i in tape.outputs]


def _solution(whole: Rows, right: Rows) -> Rows:
    return solved(whole, right) if right and right[0] else [[] for _ in right]


def _whole_maps(eom: EquationsOfMotion, known: State) -> tuple[Rows, Rows]:
    """(∂x/∂(q, v), ∂(q, v)/∂x) of all states, as `state_chart`."""
    k, n = len(eom.q), len(eom.v)
    groups = {c[0]: c for c in eom.robot.state_space.quaternions}
    inside = {i for c in groups.values() for i in c}
    rows: Rows = []
    columns: Rows = []
    for i in range(k):
        if i in groups:
            E = quaternion_rows(*(known[eom.q[j]] for j in groups[i]))
            for c in range(3):
                part = [zero()] * k
                for j, row in zip(groups[i], E, strict=True):
                    part[j] = zero() + row[c]
                rows.append([x * 2 for x in part])
                columns.append([x / 2 for x in part])
        elif i not in inside:
            (unit,) = unit_rows(k, [i])
            rows.append(unit)
            columns.append(unit)
    speeds = unit_rows(n, range(n))
    to = _block(rows, [[zero()] * k for _ in range(n)], speeds)
    back = _block(_transposed(columns), [[zero()] * len(rows) for _ in range(n)], speeds)
    return to, back


def _completed(A: Rows, kept: Sequence[int], size: int) -> Rows:
    """T with A T = 0 and T[kept] = 1."""
    others = [j for j in range(size) if j not in kept]
    found = solved([[a[j] for j in others] for a in A], [[-a[j] for j in kept] for a in A])
    T = [[zero()] * len(kept) for _ in range(size)]
    for j, row in zip(kept, unit_rows(len(kept), range(len(kept))), strict=True):
        T[j] = row
    for j, row in zip(others, found, strict=True):
        T[j] = row
    return T


def _block(of_q: Rows, mixed: Rows, of_v: Rows) -> Rows:
    """[of_q 0; mixed of_v]"""
    width = len(of_v[0]) if of_v else 0
    return [[*r, *([zero()] * width)] for r in of_q] + [
        [*a, *b] for a, b in zip(mixed, of_v, strict=True)
    ]


def shaped(entries: Balls, width: int) -> Rows:
    """Rows of a given width."""
    return [entries[i : i + width] for i in range(0, len(entries), width)]


def _transposed(A: Rows) -> Rows:
    return [list(x) for x in zip(*A, strict=True)]


def _mid(A: Rows) -> Rows:
    return [[x.mid() for x in row] for row in A]
