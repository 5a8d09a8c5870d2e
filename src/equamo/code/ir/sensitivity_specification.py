"""Specification of the functions of `sensitivities`: residuals that vanish along symbols δ, ε and η.

    f at x/|x|     y − y₀(x/|x|) = 0, with y₀ as specified
    jac_f          Σ_j J_ij δ_j − D_δ y_i = 0
    adj1_f         Σ_j a_j·δ_j − λ·D_δ y = 0
    jac_adj1_f     Σ_jk δ_j·H_jk ε_k + Σ_ji δ_j·G_ji η_i − D_ε(λ·D_δ y) − η·D_δ y = 0, by out_y nothing

y are the entries of f, which must be as specified. Components of a unit quaternion are arbitrary numbers
here, because f(x/|x|) and its derivatives are claimed at every x: they are renamed, so that a proof does
not assume that their squares sum to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ...algebra.expr import ZERO, Expr, internal
from ...algebra.expr.differentiate import directional
from ...algebra.expr.functions import sqrt
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import dot
from ...algebra.identity.prove import differences
from ...mechanics.equations.equations import EquationsOfMotion
from .function import Function, entries_of


def sensitivity_residuals(
    eom: EquationsOfMotion, function: Function, outputs: Sequence[Expr]
) -> list[Expr]:
    """Residuals of the outputs, given that the entries of the base function are as specified."""
    d = function.derivative
    assert d is not None
    assert d.base is not None
    base = d.base
    y = [e for value in base.outputs(base.ways[0]).values() for e in entries_of(value)]
    if d.kind == "normalised":
        zero = differences(substitute(y, _normalised(eom, base)), list(outputs))
    else:
        zero = _Claims(function, base, y).residuals(d.kind, list(outputs))
    free = {x: internal("free", x.name) for group in eom.robot.unit_groups for x in group}
    return substitute(zero, free) if free else zero


def _normalised(eom: EquationsOfMotion, base: Function) -> dict[Expr, Expr]:
    """x/|x| of every component of the quaternions in q."""
    q = next((a.symbols for a in base.arguments if a.name == "q"), ())
    groups = [group for group in eom.robot.unit_groups if set(group) <= set(q)]
    return {x: x / sqrt(sum((s * s for s in group), ZERO)) for group in groups for x in group}


def _by_columns(shape: tuple[int, ...]) -> list[int]:
    """Positions of the entries of a matrix in the order of its columns; of others, as they are."""
    columns = shape[1] if len(shape) == 2 else 1
    size = prod(shape)
    return sorted(range(size), key=lambda k: (k % columns, k // columns))


class _Claims:
    def __init__(self, function: Function, base: Function, y: Sequence[Expr]) -> None:
        self.base, self.y = base, y
        self.given = {a.name: a.symbols for a in function.arguments}
        self.symbols = [a.symbols for a in base.arguments]
        self.delta = [[internal("virtual", s.name) for s in group] for group in self.symbols]

    def residuals(self, kind: str, outputs: list[Expr]) -> list[Expr]:
        moved = self._along(self.y, self.delta)
        if kind == "jac":
            return self._jacobian(moved, outputs)
        rate = dot(self._seeds("adj_"), moved)
        if kind == "adj1":
            return [dot([s for part in self.delta for s in part], outputs) - rate]
        return self._second(moved, rate, outputs)

    def _along(self, entries: Sequence[Expr], delta: Sequence[Sequence[Expr]]) -> list[Expr]:
        pairs = zip(self.symbols, delta, strict=True)
        rates = {s: x for group, part in pairs for s, x in zip(group, part, strict=True)}
        return directional(entries, rates)

    def _seeds(self, prefix: str) -> list[Expr]:
        """λ of all entries, row by row."""
        found: list[Expr] = []
        for y in self.base.results:
            order = _by_columns(y.shape)
            symbols = self.given[f"adj_{y.name}"]
            own = dict(zip(order, symbols, strict=True))
            found += [own[k] for k in range(y.size)]
        return found if prefix == "adj_" else [internal("other", s.name) for s in found]

    def _jacobian(self, moved: list[Expr], outputs: list[Expr]) -> list[Expr]:
        zero: list[Expr] = []
        start = 0
        for y in self.base.results:
            rows = [ZERO] * y.size
            for part in self.delta:
                width = len(part)
                for i in range(y.size):
                    rows[i] = rows[i] + dot(outputs[i * width : (i + 1) * width], part)
                outputs = outputs[y.size * width :]
            order = _by_columns(y.shape)
            zero += [x - moved[start + k] for x, k in zip(rows, order, strict=True)]
            start += y.size
        return zero

    def _second(self, moved: list[Expr], rate: Expr, outputs: list[Expr]) -> list[Expr]:
        epsilon = [[internal("other", s.name) for s in group] for group in self.symbols]
        eta = self._seeds("other")
        total = -self._along([rate], epsilon)[0] - dot(eta, moved)
        zero: list[Expr] = []
        of_results: list[list[Expr]] = []
        start = 0
        for y in self.base.results:
            of_results.append([eta[start + k] for k in _by_columns(y.shape)])
            start += y.size
        for part in self.delta:
            height = len(part)
            for steps in (*epsilon, None, *of_results):
                blocks = [len(r) for r in of_results] if steps is None else [len(steps)]
                for width in blocks:
                    block, outputs = outputs[: height * width], outputs[height * width :]
                    if steps is None:  # by out_y
                        zero += block
                        continue
                    rows = (block[i * width : (i + 1) * width] for i in range(height))
                    total = total + dot(part, [dot(row, steps) for row in rows])
        return [total, *zero]
