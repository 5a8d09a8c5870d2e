"""What the tests of compiled functions share: robots, states, comparison."""

from functools import cache
from typing import Any

import numpy as np

import equamo as eq
from equamo.code.jit.compiled import Compiled, compile
from force_robots import arm, one_of_each

LANES = (1, 2, 4, 8)


@cache
def equations(name: str) -> eq.EquationsOfMotion:
    return eq.derive(arm(*one_of_each()) if name == "one_of_each" else eq.load(name))


@cache
def compiled(name: str, **options: Any) -> Compiled:
    return compile(equations(name), **options)


def states(eom: eq.EquationsOfMotion, seed: int, *shape: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    sizes = {"q": eom.q, "v": eom.v, "vdot": eom.vdot, "tau": eom.v, "inputs": eom.inputs}
    return {n: rng.uniform(-1.5, 1.5, (*shape, len(x))) for n, x in sizes.items()}


def values(eom: eq.EquationsOfMotion) -> dict[str, float]:
    """Of the parameters without a default."""
    missing = [n for n, x in eom.robot.values.items() if x is None]
    return {n: 0.5 + 0.1 * i for i, n in enumerate(missing)}


def of(fast: Compiled, name: str, x: dict[str, Any], **options: Any) -> Any:
    return getattr(fast, name)(*(x[s] for s in fast.function(name).states), **options)


def close(a: Any, b: Any, tolerance: float = 1e-12) -> bool:
    return bool(np.max(np.abs(a - b), initial=0) <= tolerance * np.max(np.abs(b), initial=1e-300))
