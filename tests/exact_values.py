"""States and exact values for the tests of accuracy: ball arithmetic with 160 bits or more.

A ball holds its own error bound, so what generated code is compared with is known to far below the last
bit of a double, not assumed. All functions of a robot are evaluated at the same states in one walk.
What solves with M has no exact value here: it is judged by the force that its acceleration needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import add, mul, sub, truediv
from typing import Any

import flint
import numpy as np

from equamo.algebra.expr import Expr
from equamo.algebra.expr.evaluate import Tape
from equamo.algebra.expr.graph import ADD, ATAN2, DIV, MUL, NEG, PI, POW, SUB
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity.counterexample import Balls
from equamo.code.codegen.golden import SOLVING, reference
from equamo.code.codegen.quantities import quantities
from equamo.code.ir.functions import Function, frame_function, functions
from equamo.code.ir.program import Argument
from equamo.mechanics.equations import EquationsOfMotion

BITS = (160, 320, 640)  # the first that is enough: near a singular state much of it cancels
KNOWN = 2.0**-110  # the radius of a ball is less, of the largest entry
OPERATORS = {ADD: add, SUB: sub, MUL: mul, DIV: truediv}
FRAMES = 4  # of the tips of a robot


def tested(eom: EquationsOfMotion) -> dict[str, Function]:
    """All functions that are not empty; of the frames those of the tips, of many tips some."""
    found = dict(functions(eom))
    parents = {b.parent for b in eom.robot.bodies}
    tips = [b.name for b in eom.robot.bodies if b.name not in parents]
    for tip in tips[:: -(-len(tips) // FRAMES)]:
        for kind in ("pose", "jacobian", "jacobian_dot_v"):
            found[f"{kind} {tip}"] = frame_function(eom, kind, tip)
    return {n: f for n, f in found.items() if f.size}


def states(
    eom: EquationsOfMotion, taken: Iterable[Argument], count: int, dtype: str, seed: int = 0
) -> dict[str, np.ndarray]:
    """Half uniform, a quarter near singular, a quarter with large angles; parameters as by default."""
    rng = np.random.default_rng(seed)
    robot, out = eom.robot, dict[str, np.ndarray]()
    for a in taken:
        x = rng.uniform(-2, 2, (count, len(a)))
        if a.name == "q":
            # A finger drawn out by 10⁵ m would make M worse than single precision can hold.
            angles = [i for i, s in enumerate(quantities(robot)["q"]) if s.unit != "m"]
            quarter = np.ix_(range(count // 2, 3 * count // 4), angles)
            turns = rng.integers(-2, 3, x[quarter].shape) * (np.pi / 2)
            x[quarter] = turns + 10.0 ** rng.uniform(-9, -3, x[quarter].shape)
            last = np.ix_(range(3 * count // 4, count), angles)
            x[last] = rng.uniform(-1e5, 1e5, x[last].shape)
            if robot.speed_map is not None:
                # A heading is a difference of wheel angles. To round that of 10⁵ rad to a double is
                # 10⁻¹¹ rad already, whoever computes: here the angles are large, the heading is not.
                x[last] = x[last][:, :1] + rng.uniform(-10, 10, x[last].shape)
            names = [s.name for s in a.symbols]
            for group in robot.unit_groups:
                columns = [names.index(s.name) for s in group]
                x[:, columns] /= np.linalg.norm(x[:, columns], axis=1)[:, None]
        if a.name == "parameters":
            values = [robot.values[s.name] for s in a.symbols]
            x[:] = [1.0 if value is None else float(value) for value in values]
        out[a.name] = x.astype(dtype)
    return out


@dataclass
class Exact:
    """The functions of a robot at `count` states, which are numbers of a type."""

    eom: EquationsOfMotion
    dtype: str
    count: int
    functions: dict[str, Function] = field(init=False)
    given: dict[str, np.ndarray] = field(init=False)  # {argument: (count, length)}
    values: dict[str, np.ndarray] = field(init=False)  # {function: (count, entries)}
    low: dict[str, np.ndarray] = field(init=False)  # what those are without, below their last bits

    def __post_init__(self) -> None:
        eom, table = self.eom, tested(self.eom)
        taken = {a.name: a for f in table.values() for a in f.arguments}
        self.functions = table
        self.given = states(eom, taken.values(), self.count, self.dtype)
        wanted = {
            n: [e for y in reference(eom, f) for e in _entries(y)]
            for n, f in table.items()
            if n not in SOLVING
        }
        wanted["rest"] = list(eom.inverse_dynamics.subs(dict.fromkeys(eom.vdot, 0)))
        wanted["rates"] = list(eom.kinematic_map @ Vector(eom.v))
        found = exact(list(wanted.values()), list(taken.values()), self.given)
        self.values = dict(zip(wanted, (high for high, _ in found), strict=True))
        self.low = dict(zip(wanted, (low for _, low in found), strict=True))

    def every(self, step: int) -> Exact:
        """The same at every k-th state."""
        found = copy(self)
        found.count = len(range(0, self.count, step))
        found.given = {n: x[::step] for n, x in self.given.items()}
        found.values = {n: x[::step] for n, x in self.values.items()}
        found.low = {n: x[::step] for n, x in self.low.items()}
        return found


def _entries(quantity: Expr | Vector | Matrix) -> list[Expr]:
    return [quantity] if isinstance(quantity, Expr) else list(quantity.entries)


def exact(
    groups: Sequence[Sequence[Expr]], taken: Sequence[Argument], given: dict[str, np.ndarray]
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of each group (states, entries) twice: the values as doubles, and what those are without."""
    tape = Tape([e for group in groups for e in group])
    count = len(next(iter(given.values())))
    high = np.empty((count, len(tape.outputs)))
    low = np.empty_like(high)
    for i in range(count):
        state = {s: x for a in taken for s, x in zip(a.symbols, given[a.name][i], strict=True)}
        high[i], low[i] = _at(tape, state)
    ends = np.cumsum([len(group) for group in groups])[:-1]
    return list(zip(np.split(high, ends, axis=1), np.split(low, ends, axis=1), strict=True))


def _at(tape: Tape, state: Mapping[Expr, Any]) -> tuple[list[float], list[float]]:
    """The outputs in one state, as sums of two doubles."""
    ring, radius = Balls(), 0.0
    for bits in BITS:
        with flint.ctx.workprec(bits):
            exact = {s: ring.constant(Fraction(float(x))) for s, x in state.items()}
            balls = _run(tape, ring, exact)
            high = [float(x) for x in balls]
            radius = max(float(x.rad()) for x in balls)
            if radius < KNOWN * max(1.0, *map(abs, high)):
                return high, [float(x - y) for x, y in zip(balls, high, strict=True)]
    raise AssertionError(f"{bits} bits are not enough: a radius of {radius}")


def _run(tape: Tape, ring: Balls, known: Mapping[Expr, Any]) -> list[Any]:
    """`Tape.run` with powers as products: Arb's power of a ball around 0 is not a number."""
    v: list[Any] = [
        known[n] if n in known else ring.pi() if n.op == PI else ring.constant(n.a)
        for n in tape.leaves
    ]
    for node, (op, i, j) in zip(tape.nodes[len(v) :], tape.steps, strict=True):
        if op in OPERATORS:
            v.append(OPERATORS[op](v[i], v[j]))
        elif op == NEG:
            v.append(-v[i])
        elif op == POW:
            product = reduce(mul, [v[i]] * abs(j))
            v.append(product if j > 0 else 1 / product)
        else:
            v.append(ring.apply(node, *((v[i], v[j]) if op == ATAN2 else (v[i],))))
    return [v[k] for k in tape.outputs]
