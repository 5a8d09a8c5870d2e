"""How far generated code is from exact values, by the scale that is proper to each function.

- A relative error is that of an array: max |a − b| / max |b| over all states of a kind.
- Factors of the mass matrix are judged by their product, by the largest term |L|ᵀ |D| |L| in it. They
  are asked for where M, rounded to the type of number, is still positive definite: where the angles
  of a free base lock, it is not.
- An acceleration is judged by what it is for: the force that it needs is the force that was given, to a
  part of the largest term in that sum, in each state. Near a singular state the acceleration itself is
  only as well known as the condition number of M allows; the force is not concerned.
- Speeds that are no rates of coordinates (a rolling disc) come by q̇ = N v, whose N has a pole where
  Euler angles lock. The derivation goes through q̇ and back, once for each of the two sides of M and
  once more for Ṅ: the terms that cancel are as large as the cube of N, and errors are measured by it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from equamo.codegen.golden import SOLVING
from exact_values import Exact

LIMIT = {"float64": 1e-12, "float32": 1e-5}
# Quarters of the states, as `exact_values.states` draws them.
KINDS = {"uniform": (0, 2), "near singular": (2, 3), "large angles": (3, 4)}
Product = tuple[np.ndarray, np.ndarray, np.ndarray]  # A as a sum of two doubles, x


def errors(exact: Exact, name: str, found: np.ndarray) -> dict[str, float]:
    """Relative error of what a function gave at all states, for each kind of state."""
    with np.errstate(all="ignore"):  # numbers that are not asked for may be none
        return _errors(exact, name, found.reshape(exact.count, -1).astype(float))


def _errors(exact: Exact, name: str, found: np.ndarray) -> dict[str, float]:
    n, figures = len(exact.eom.v), [np.zeros(exact.count)]
    if name == "mass_matrix_factors":
        figures.append(factors(exact, matrix(found, n)))
    elif name in SOLVING:
        figures.append(residual(exact, name, found[:, -n:]))
        if name == "state_derivative":  # it begins with q̇
            figures.append(relative(exact, found[:, :-n], exact.values["rates"]))
    else:
        figures.append(relative(exact, found, exact.values[name]))
    usual = stretch(exact)
    worst = np.where(np.isinf(usual), 0.0, np.max(figures, axis=0) / usual)
    return {k: float(worst[part].max()) for k, part in _parts(exact)}


def _parts(exact: Exact) -> Iterable[tuple[str, slice]]:
    return ((k, slice(a * exact.count // 4, b * exact.count // 4)) for k, (a, b) in KINDS.items())


def relative(exact: Exact, found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """|a − b| of each state, by the largest |b| of its kind."""
    largest = np.empty(exact.count)
    for _, part in _parts(exact):
        largest[part] = abs(wanted[part]).max() or 1.0
    return abs(found - wanted).max(axis=1) / largest


def stretch(exact: Exact) -> np.ndarray:
    """How much larger than usual N³ is in each state; infinite where no digit is left to compare."""
    if exact.eom.robot.speed_map is None:
        return np.ones(exact.count)
    N = abs(exact.values["kinematic_map"]).max(axis=1)
    found = np.maximum(N / np.median(N), 1.0) ** 3
    return np.where(found * LIMIT[exact.dtype] < 1, found, np.inf)


def factors(exact: Exact, LD: np.ndarray) -> np.ndarray:
    """max |Lᵀ D L − M| of each state, by the largest term; L is below the diagonal, D on it."""
    n = len(exact.eom.v)
    D, L = np.diagonal(LD, axis1=1, axis2=2), np.tril(LD, -1) + np.eye(n)
    M = matrix(exact.values["mass_matrix"], n)
    missed = abs(L.transpose(0, 2, 1) @ (D[:, :, None] * L) - M).max(axis=(1, 2))
    terms = (abs(L).transpose(0, 2, 1) @ abs(D[:, :, None] * L)).max(axis=(1, 2))
    return np.where(positive_definite(M, exact.dtype), missed / terms, 0.0)


def positive_definite(M: np.ndarray, dtype: str) -> np.ndarray:
    """Whether rounding cannot make M indefinite: its smallest eigenvalue, with ones on the diagonal."""
    size = np.sqrt(np.diagonal(M, axis1=1, axis2=2))
    least = np.linalg.eigvalsh(M / (size[:, :, None] * size[:, None, :]))[:, 0]
    return least > 4 * M.shape[1] * np.finfo(dtype).eps


def residual(exact: Exact, name: str, vdot: np.ndarray) -> np.ndarray:
    """max |M v̇ + rest − τ| of each state, by the largest term in that sum."""
    n, high, low = len(exact.eom.v), exact.values, exact.low
    products = [(matrix(high["mass_matrix"], n), matrix(low["mass_matrix"], n), vdot)]
    force = [high[k] for k in ("rest", "bias", "gravity", "passive_force")]
    if name == "forward_dynamics":
        tau = exact.given["tau"].astype(float)
        force.append(tau)
        missed = accurate_sum(products, [-tau, high["rest"], low["rest"]])
    else:
        if exact.eom.inputs:
            B = matrix(-high["input_matrix"], n), matrix(-low["input_matrix"], n)
            products.append((*B, exact.given["inputs"].astype(float)))
        missed = accurate_sum(products, [high["rest"], low["rest"]])
    terms = [*(A * x[:, None, :] for A, _, x in products), *force]
    largest = np.max([abs(t).reshape(exact.count, -1).max(axis=1) for t in terms], axis=0)
    return abs(missed).max(axis=1) / largest


def matrix(x: np.ndarray, rows: int) -> np.ndarray:
    return x.reshape(len(x), rows, -1)


def accurate_sum(products: Iterable[Product], more: Iterable[np.ndarray]) -> np.ndarray:
    """Σ A x + Σ b of each state, as if in twice the precision (Ogita, Rump, Oishi: Dot2)."""
    total, lost = 0.0, 0.0
    for b in more:
        total, rounding = two_sum(total, b)
        lost = lost + rounding
    for A, low, x in products:
        for j in range(x.shape[1]):
            product, below = two_product(A[:, :, j], x[:, j, None])
            total, rounding = two_sum(total, product)
            lost = lost + (rounding + below + low[:, :, j] * x[:, j, None])
    return np.asarray(total + lost)


def two_sum(a: np.ndarray | float, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a + b and its rounding error (Knuth)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def two_product(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a·b and its rounding error (Dekker), by halves of the digits."""
    p, (a1, a2), (b1, b2) = a * b, _halves(a), _halves(b)
    return p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2)


def _halves(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    c = 134217729.0 * a  # 2²⁷ + 1
    high = c - (c - a)
    return high, a - high
