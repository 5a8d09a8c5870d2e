"""States and exact values for the tests of accuracy: ball arithmetic with 160 bits.

A ball holds its own error bound, so what the machine code is compared with is known to the last bit of
a double, not assumed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from equamo.expr import Expr
from equamo.expr.evaluate import Tape
from equamo.expr.matrix import Matrix
from equamo.expr.vector import Vector
from equamo.formulations import EquationsOfMotion
from equamo.identity.counterexample import Balls
from equamo.program.program import Argument

BITS = 160


def states(
    eom: EquationsOfMotion, arguments: Sequence[Argument], count: int, dtype: str, seed: int = 0
) -> dict[str, np.ndarray]:
    """Half uniform, a quarter near singular, a quarter with large angles; parameters as by default."""
    rng = np.random.default_rng(seed)
    robot, out = eom.robot, dict[str, np.ndarray]()
    for a in arguments:
        x = rng.uniform(-2, 2, (count, len(a)))
        if a.name == "q":
            quarter = slice(count // 2, 3 * count // 4)
            turns = rng.integers(-2, 3, x[quarter].shape) * (np.pi / 2)
            x[quarter] = turns + 10.0 ** rng.uniform(-9, -3, x[quarter].shape)
            last = slice(3 * count // 4, count)
            # A heading is a difference of wheel angles: that of 10⁵ rad in single precision is lost.
            far = 10.0 if dtype == "float32" and robot.speed_map is not None else 1e5
            x[last] = rng.uniform(-far, far, x[last].shape)
            names = [s.name for s in a.symbols]
            for group in robot.unit_groups:
                columns = [names.index(s.name) for s in group]
                x[:, columns] /= np.linalg.norm(x[:, columns], axis=1)[:, None]
        if a.name == "parameters":
            values = [robot.values[s.name] for s in a.symbols]
            x[:] = [1.0 if value is None else float(value) for value in values]
        out[a.name] = x.astype(dtype)
    return out


def exact(
    quantity: Expr | Vector | Matrix | Sequence[Expr],
    arguments: Sequence[Argument],
    given: Mapping[str, np.ndarray],
    more: Mapping[Expr, Any] | None = None,
) -> np.ndarray:
    """Values at all states as balls, an array of objects (N, number of entries)."""
    entries = (
        [quantity] if isinstance(quantity, Expr) else list(getattr(quantity, "entries", quantity))
    )
    tape, rows = Tape(entries), []
    ring = Balls()
    old, flint.ctx.prec = flint.ctx.prec, BITS
    try:
        for i in range(len(next(iter(given.values())))):
            known = {
                s: ring.constant(Fraction(float(x)))
                for a in arguments
                for s, x in zip(a.symbols, given[a.name][i], strict=True)
            }
            known |= {s: ring.constant(Fraction(float(x[i]))) for s, x in (more or {}).items()}
            rows.append(tape.run(ring, known))
    finally:
        flint.ctx.prec = old
    return np.array(rows, dtype=object).reshape(len(rows), len(entries))


def doubles(balls: np.ndarray) -> np.ndarray:
    """The midpoints; their radius is far below the last bit of a double."""
    return np.array([[float(x.mid()) for x in row] for row in balls], dtype=float)
