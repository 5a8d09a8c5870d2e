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

from acceleration_errors import constrained, residual
from accurate_sums import definite, matrix
from equamo.code.codegen.golden import SOLVING
from equamo.mechanics.equations.constrained import is_augmented
from exact_values import Exact

LIMIT = {"float64": 1e-12, "float32": 1e-5}
# Quarters of the states, as `exact_values.states` draws them.
KINDS = {"uniform": (0, 2), "near singular": (2, 3), "large angles": (3, 4)}


def errors(exact: Exact, name: str, found: np.ndarray) -> dict[str, float]:
    """Relative error of what a function gave at all states, for each kind of state."""
    with np.errstate(all="ignore"):  # numbers that are not asked for may be none
        return _errors(exact, name, found.reshape(exact.count, -1).astype(float))


def _errors(exact: Exact, name: str, found: np.ndarray) -> dict[str, float]:
    n, figures = len(exact.eom.v), [np.zeros(exact.count)]
    if name == "mass_matrix_factors":
        figures.append(factors(exact, matrix(found, n)))
    elif name in SOLVING and is_augmented(exact.eom.robot):
        figures.append(constrained(exact, name, found))
    elif name in SOLVING:
        figures.append(residual(exact, name, found[:, -n:]))
    else:
        figures.append(relative(exact, found, exact.values[name]))
    if name == "state_derivative":  # it begins with q̇
        figures.append(relative(exact, found[:, :-n], exact.values["rates"]))
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
    """Whether rounding cannot make M indefinite, with ones on its diagonal."""
    size = np.sqrt(np.diagonal(M, axis1=1, axis2=2))
    return definite(M / (size[:, :, None] * size[:, None, :]), dtype)
