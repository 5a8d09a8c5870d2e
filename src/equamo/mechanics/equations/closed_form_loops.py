"""Dependent coordinates of planar loops in closed form.

A pin between two groups of rotating vectors, one per unknown angle, closes the triangle

    (1) R(α) a + R(β) b = Q

with Q from the other vectors. The products of (1) with Q and with itself give

    (2) Q·R(α)a = K_a = (Q·Q + a·a − b·b)/2      Q×R(α)a = σ S,  S² = (Q·Q)(a·a) − K_a²
    (3) α = atan2(Q·Ja, Q·a) + σ atan2(S, K_a)    J: a quarter turn
    (4) β = atan2(Q·Jb, Q·b) − σ atan2(S, K_b)

where σ = 1 is the open assembly (the pin is to the left of Q, which points from the end of the driven
chain to the other pivot) and σ = −1 the crossed one. Both atan2 of a formula have the same distance
from the origin, so that proofs can decide the sign of its root; (3) and (4) are divided by lengths for
this reason. Parallelograms are solved without a root, because their two assemblies meet:

    (5) α = θ₁, β = θ₂           opposite sides are parallel
    (6) α = 2ψ − θ₁ …            crossed: mirrored at Q, whose angle is ψ

A sliding coordinate s along a direction e, or a rod of constant length, gives a triangle too:

    (7) R(α) a + s e = Q         s = Q·e + σ √(a·a − (Q×e)²)
    (8) R(α)(a + s e) = Q        s = −a·e + σ √(Q·Q − (a×e)²)
    (9) |R(α) a − Q| = length    as (2) and (3) with length instead of |b|
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import tau
from typing import Final, final

from ...algebra.expr import HALF, ONE, ZERO, Expr, atan2, sqrt, symbol
from ...algebra.expr.evaluate import evaluate_floats
from ...algebra.expr.graph import NEG, PI_NODE
from ...algebra.expr.walk import symbols
from ...algebra.identity import prove_zero
from ...errors import ConstraintError, EquamoError
from ...robot.model.robot import Robot
from .loop_terms import (
    coefficient,
    collected,
    group_vector,
    grouped,
    inserted,
    merged,
    parallelogram,
    same_direction,
    term_symbols,
    unknown_coordinates,
)
from .planar_loop import (
    PlanarLoop,
    Term,
    Vector2,
    cross2,
    dot2,
    planar_loop,
    scale2,
    size2,
    sum2,
)

OPEN: Final = "open"
CROSSED: Final = "crossed"


def closed_forms(
    robot: Robot, independent: Iterable[str], assembly: Mapping[str, str]
) -> dict[str, Expr]:
    """Dependent coordinates of all loops in terms of the independent ones; φ = 0 is proved.

    Args:
        robot: Robot with loops.
        independent: Names of the independent coordinates.
        assembly: "open" or "crossed" by loop.

    Raises:
        ConstraintError: A loop has no closed form with these independent coordinates.
    """
    solver = _Solver(robot, set(independent))
    waiting = [planar_loop(robot, loop) for loop in robot.loops]
    while waiting:
        ready = [x for x in waiting if solver.can_solve(x)]
        if not ready:
            raise solver.too_many_unknowns(waiting[0])
        for loop in ready:
            solver.solve(loop, -1 if assembly.get(loop.name, OPEN) == CROSSED else 1)
            waiting.remove(loop)
    formulas = {x.name: e for x, e in solver.formulas.items()}
    rows = [r for r in robot.closure_rows if r.phi is not None]
    proof = prove_zero([r.phi.subs(formulas) for r in rows if r.phi is not None])
    if not proof:
        missing = "they are not" if proof.verdict == "refuted" else "this could not be proved"
        raise ConstraintError(
            f"The loops {', '.join(x.name for x in robot.loops)} must be closed by the formulas of "
            f"{', '.join(formulas)}, but {missing}: {proof}; choose another assembly, or use the "
            "minimal form, eom.minimal()."
        )
    return formulas


@final
class _Solver:
    """Solves the loops one by one; `formulas` has the known coordinates."""

    def __init__(self, robot: Robot, independent: set[str]) -> None:
        self.robot = robot
        self.dependent = {x for x in robot.joint_coordinates if x.name not in independent}
        self.formulas: dict[Expr, Expr] = {}
        home = {symbol(n): float(x) for n, x in robot.home.q.items()}
        given = {symbol(n): float(x) for n, x in robot.values.items() if x is not None}
        self._numbers = {x: 0.0 for x in robot.joint_coordinates} | home | given

    # -- which loops -----------------------------------------------------------------------------------
    def unknowns(self, loop: PlanarLoop) -> list[Expr]:
        """Dependent coordinates of a loop that are not known yet."""
        parts = [x for t in (*loop.body, *loop.to) for x in (t.angle, t.slide) if x is not None]
        found = symbols([*parts, *(loop.angles if loop.welded else ())])
        return [x for x in found if x in self.dependent and x not in self.formulas]

    def can_solve(self, loop: PlanarLoop) -> bool:
        equations = 1 if loop.length is not None else 3 if loop.welded else 2
        return len(self.unknowns(loop)) <= equations

    def too_many_unknowns(self, loop: PlanarLoop) -> ConstraintError:
        names = ", ".join(x.name for x in self.unknowns(loop))
        return ConstraintError(
            f"Loop {loop.name!r} must have at most two unknown coordinates to be solved in closed form, "
            f"got {names}; choose other independent speeds, or use the minimal form, eom.minimal()."
        )

    # -- one loop --------------------------------------------------------------------------------------
    def solve(self, loop: PlanarLoop, sign: int) -> None:
        """Add the formulas of the unknown coordinates of a loop."""
        unknown = self.unknowns(loop)
        body, to = (self._known_inserted(part) for part in (loop.body, loop.to))
        last: dict[Expr, Expr] = {}
        if loop.welded and unknown:  # both bodies have the same angle: one unknown follows
            difference = (loop.angles[0] - loop.angles[1]).subs(self.formulas)
            last = self._from_angles(difference, unknown, (*body, *to))
            body, to = (inserted(part, last) for part in (body, to))
            unknown = [x for x in unknown if x not in last]
        terms, inner = self._signed(body, to)
        moving = [t for t in terms if set(unknown).intersection(term_symbols(t))]
        known = merged([t for t in terms if t not in moving])
        Q_terms = [replace(t, vector=scale2(t.vector, -ONE)) for t in known]
        if loop.length is not None:
            beyond = bool(moving) and terms.index(moving[0]) >= inner  # at the other pivot
            solved = self._rod(loop, moving, Q_terms, unknown, -sign if beyond else sign)
        elif len(unknown) == 2:
            solved = self._triangle(loop, moving, Q_terms, unknown, sign)
        else:
            solved = self._pointed(moving, Q_terms, unknown)
        for x, e in solved.items():
            self.formulas[x] = self._near_home(x, e)
        for x, e in last.items():
            self.formulas[x] = self._near_home(x, collected(e.subs(self.formulas)))

    def _known_inserted(self, terms: Sequence[Term]) -> list[Term]:
        return inserted(terms, self.formulas)

    def _from_angles(
        self, difference: Expr, unknown: Sequence[Expr], terms: Iterable[Term]
    ) -> dict[Expr, Expr]:
        """The unknown determined by difference = 0, if possible one that no term needs."""
        needed = {x for t in terms for x in term_symbols(t)}
        x = next((x for x in unknown if x not in needed), unknown[0])
        rest = collected(difference.subs({x: ZERO}))
        return {x: -rest if coefficient(difference, x) > 0 else rest}

    def _signed(self, body: list[Term], to: list[Term]) -> tuple[list[Term], int]:
        """Terms of body − to = 0, first those of the driven side, which is positive, and their number"""
        independent = {x for x in self.robot.joint_coordinates if x not in self.dependent}
        driven = [
            any(independent.intersection(term_symbols(t)) for t in side) for side in (body, to)
        ]
        start, end = (to, body) if driven == [False, True] else (body, to)
        back = [replace(t, vector=scale2(t.vector, -ONE)) for t in reversed(end)]
        return [*start, *back], len(start)

    # -- triangles -------------------------------------------------------------------------------------
    def _triangle(
        self,
        loop: PlanarLoop,
        moving: list[Term],
        Q_terms: list[Term],
        unknown: list[Expr],
        sign: int,
    ) -> dict[Expr, Expr]:
        slides = [t.slide for t in moving if t.slide in unknown]
        if slides:
            return self._sliding(loop, moving, Q_terms, unknown, sign)
        groups = grouped(moving, unknown)
        if len(groups) != 2:
            raise self.too_many_unknowns(loop)
        (a, alpha, x), (b, beta, y) = (group_vector(g) for g in groups)
        Q = sum2(t.value() for t in Q_terms)
        parallel = parallelogram(a, b, Q_terms)
        if parallel is not None:
            angles = list(parallel)  # (5)
            if sign < 0:
                twice = 2 * self._angle(Q[1], Q[0])
                angles = [twice - e for e in angles]  # (6)
        else:
            QQ, aa, bb = dot2(Q, Q).closed_form(), dot2(a, a), dot2(b, b)
            d, l, m = size2(Q), size2(a), size2(b)
            along = scale2(Q, ONE / d)
            K_a, K_b = HALF * (QQ + aa - bb) / (l * d), HALF * (QQ + bb - aa) / (m * d)  # (2)
            S = sqrt(QQ / (d * d) * (aa / (l * l)) - K_a * K_a)
            turn = sign * self._sign(l) * self._sign(d) * ONE
            angles = [
                self._towards(along, scale2(a, ONE / l)) + turn * atan2(S, K_a),  # (3)
                self._towards(along, scale2(b, ONE / m)) - turn * atan2(S * (l / m), K_b),  # (4)
            ]
        return unknown_coordinates(zip(angles, (alpha, beta), (x, y), strict=True))

    def _sliding(
        self,
        loop: PlanarLoop,
        moving: list[Term],
        Q_terms: list[Term],
        unknown: list[Expr],
        sign: int,
    ) -> dict[Expr, Expr]:
        """One prismatic and one revolute coordinate, (7) or (8)."""
        Q = sum2(t.value() for t in Q_terms)
        slider = next(t for t in moving if t.slide in unknown)
        s = slider.slide
        turning = [t for t in moving if t is not slider]
        others = [x for x in unknown if x is not s]
        if s is None or len(others) != 1 or any(t.slide in unknown for t in turning):
            raise self.too_many_unknowns(loop)
        groups = grouped(turning, others)
        if others[0] not in symbols([slider.angle]):  # (7)
            e = replace(slider, slide=None).value()
            a, alpha, x = group_vector(groups[0])
            S = sqrt(dot2(a, a) - cross2(Q, e) ** 2)
            root = sign * S
            along, across = -root, cross2(e, Q)
            V = along * e[0] - across * e[1], along * e[1] + across * e[0]
            angle = self._turn(a, V)
            return {s: dot2(Q, e) + root} | unknown_coordinates([(angle, alpha, x)])
        # (8): all vectors in the frame of the slider
        reference = Term(slider.angle, (ZERO, ZERO))
        a, alpha, x = group_vector((frozenset(others), [reference, *turning]))
        e = slider.vector
        root = sign * sqrt(dot2(Q, Q) - cross2(a, e) ** 2)
        V = a[0] + (root - dot2(a, e)) * e[0], a[1] + (root - dot2(a, e)) * e[1]
        QQ = dot2(Q, Q)
        angle = self._angle(cross2(V, Q) / QQ, dot2(V, Q) / QQ)
        return {s: root - dot2(a, e)} | unknown_coordinates([(angle, alpha, x)])

    def _rod(
        self,
        loop: PlanarLoop,
        moving: list[Term],
        Q_terms: list[Term],
        unknown: list[Expr],
        sign: int,
    ) -> dict[Expr, Expr]:
        """One unknown coordinate at a distance, (9)."""
        if not unknown:
            return {}
        length = loop.length
        assert length is not None
        Q = sum2(t.value() for t in Q_terms)
        groups = grouped(moving, unknown)
        if moving[0].slide in unknown:
            e = replace(moving[0], slide=None).value()
            return {unknown[0]: dot2(Q, e) + sign * sqrt(length * length - cross2(Q, e) ** 2)}
        a, alpha, x = group_vector(groups[0])
        d, l, QQ, aa = size2(Q), size2(a), dot2(Q, Q).closed_form(), dot2(a, a)
        K = HALF * (QQ + aa - length * length) / (l * d)
        S = sqrt(QQ / (d * d) * (aa / (l * l)) - K * K)
        turn = sign * self._sign(l) * self._sign(d)
        angle = self._towards(scale2(Q, ONE / d), scale2(a, ONE / l)) + turn * atan2(S, K)
        return unknown_coordinates([(angle, alpha, x)])

    def _pointed(
        self, moving: list[Term], Q_terms: list[Term], unknown: list[Expr]
    ) -> dict[Expr, Expr]:
        """One unknown coordinate that the loop determines twice: R(α) a = Q, or s e = Q."""
        if not unknown:
            return {}
        if moving[0].slide in unknown:
            e = replace(moving[0], slide=None).value()
            return {unknown[0]: dot2(sum2(t.value() for t in Q_terms), e)}
        a, alpha, x = group_vector(grouped(moving, unknown)[0])
        if len(Q_terms) == 1 and Q_terms[0].slide is None:
            angle = same_direction(a, Q_terms[0])
            if angle is not None:
                return unknown_coordinates([(angle, alpha, x)])
        return unknown_coordinates([(self._turn(a, sum2(t.value() for t in Q_terms)), alpha, x)])

    # -- angles ----------------------------------------------------------------------------------------
    def _towards(self, Q: Vector2, a: Vector2) -> Expr:
        """Angle that rotates a to the direction of Q: atan2(Q·Ja, Q·a)."""
        return self._angle(cross2(a, Q), dot2(a, Q))

    def _turn(self, a: Vector2, V: Vector2) -> Expr:
        """Angle that rotates a to V, a vector of the same length."""
        aa = dot2(a, a)
        l = size2(a)
        if l is not ONE:  # a along an axis: components over its length
            return self._towards(scale2(V, ONE / l), scale2(a, ONE / l))
        return self._angle(cross2(a, V) / aa, dot2(a, V) / aa)

    def _angle(self, y: Expr, x: Expr) -> Expr:
        """atan2(y, x), or the same angle as atan2(−y, −x) + π if it is near ±π at home"""
        at_home = self._number(x)
        return atan2(-y, -x) + PI_NODE if at_home is not None and at_home < 0 else atan2(y, x)

    def _near_home(self, x: Expr, e: Expr) -> Expr:
        """Formula of an angle with whole turns added, so that it is near the default value."""
        turning = any(
            x in b.joint.q and any(w is not ZERO for S in b.subspace for w in S.angular)
            for b in self.robot.bodies
        )
        value = self._number(e)
        if not turning or value is None:
            return e
        turns = round((self._numbers[x] - value) / tau)
        return e + 2 * turns * PI_NODE if turns else e

    def _sign(self, l: Expr) -> int:
        """Sign of a length: that of its default value, otherwise as written."""
        number = self._number(l)
        if number is None or number == 0:
            return -1 if l.op == NEG else 1
        return 1 if number > 0 else -1

    def _number(self, e: Expr) -> float | None:
        """Number at the default state; None if a parameter has no value or a root does not exist."""
        try:
            return evaluate_floats([e], self._numbers)[0]
        except (EquamoError, ArithmeticError, ValueError):
            return None
