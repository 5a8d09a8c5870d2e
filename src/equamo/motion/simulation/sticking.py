"""Directions of signs at 0: which of them stick, which slip, and what holds those that stick.

With ȧ = c + A s, the directions s of dry friction solve

    (1) s_k = 1, ȧ_k ≥ 0    or    s_k = −1, ȧ_k ≤ 0    or    |s_k| ≤ 1, ȧ_k = 0

These are the conditions of a convex quadratic program: −A = J M⁻¹ Jᵀ F with friction forces F > 0, and
½ fᵀ (J M⁻¹ Jᵀ) f − cᵀ f, f = F s, is smallest for |s| ≤ 1. Its accelerations ȧ are unique; s is not if
several signs share one load, such as those of geared joints. `pivoting` solves (1) with z = s + 1:

    (2) w = −c + A 1 − A z + μ ≥ 0  ⟂  z ≥ 0,        u = 2 − z ≥ 0  ⟂  μ ≥ 0

A sign whose A_kk ≥ 0 cannot stick; it slips in the direction of its rate.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .pivoting import complementary

Floats = NDArray[np.float64]

SHARED: Final = 1e-9  # relative singular value below which several signs share one load
EDGE: Final = 1e-10  # closer to ±1, sticking has just ended and must not start again
RESIDUAL: Final = 1e-8  # largest violation of (1), relative to the terms of ȧ
_STEEP: Final = 1e-13  # a smaller |A_kk|, relative to the terms of ȧ_k, cannot hold a at 0
_COVERS: Final = 8  # paths of pivoting that are tried


class Directions(NamedTuple):
    """Solution of (1): s, and which signs stick."""

    s: Floats
    sticks: NDArray[np.bool_]


def directions(c: Floats, A: Floats) -> Directions | None:
    """Directions of signs at 0; None if (1) has no solution that meets its residual.

    >>> directions(np.array([0.5, 3.0]), -np.eye(2))
    Directions(s=array([0.5, 1. ]), sticks=array([ True, False]))
    """
    n = len(c)
    if not (np.isfinite(c).all() and np.isfinite(A).all()):
        return None
    terms = np.abs(c) + np.abs(A).sum(axis=1)
    can = -np.diag(A) > _STEEP * terms
    s = np.zeros(n)
    held, free = np.flatnonzero(can), np.flatnonzero(~can)
    # The direction of a sign that cannot stick may change what the others do, and the other way round.
    for _ in range(2 * len(free) + 1):
        before = s.copy()
        s[free] = np.sign(c[free] + A[free] @ s)
        solution = _box(c[held] + A[np.ix_(held, free)] @ s[free], A[np.ix_(held, held)])
        if solution is None:
            return None
        s[held] = solution
        if (s[free] == before[free]).all() and not (len(free) and (before == 0).all()):
            break
        if not len(free):
            break
    else:
        if (np.sign(c[free] + A[free] @ s) != s[free]).any():
            return None
    s[held], sticks = _split(
        c[held] + A[np.ix_(held, free)] @ s[free], A[np.ix_(held, held)], s[held]
    )
    every = np.zeros(n, dtype=bool)
    every[held] = sticks
    return Directions(s, every)


def _box(c: Floats, A: Floats) -> Floats | None:
    """Some s of (1) for signs that can stick."""
    n, s = len(c), np.zeros(len(c))
    # Rates that friction cannot reverse are decided; this also keeps numbers of one size together.
    open_ = np.ones(n, dtype=bool)
    while True:
        rate = c + A[:, ~open_] @ s[~open_]
        clear = open_ & (np.abs(rate) > np.abs(A[:, open_]).sum(axis=1) * (1 + EDGE))
        if not clear.any():
            break
        s[clear], open_ = np.sign(rate[clear]), open_ & ~clear
    k = np.flatnonzero(open_)
    if not len(k):
        return s
    c, A = (c + A[:, ~open_] @ s[~open_])[k], A[np.ix_(k, k)]
    if len(k) == 1:
        s[k] = np.clip(-c / A[:, 0], -1, 1)
        return s
    sizes = -np.diag(A)  # columns of one size: what is sought is f = size·s
    P, m = -A / sizes, len(k)
    M = np.block([[P, np.eye(m)], [-np.eye(m), np.zeros((m, m))]])
    q = np.concatenate([-c + A.sum(axis=1), 2 * sizes])
    rng = np.random.default_rng(m)
    for attempt in range(_COVERS):
        cover = None if attempt == 0 else rng.uniform(0.5, 2, size=2 * m)
        z = complementary(M, q, cover)
        if z is not None:
            found = np.clip(z[:m] / sizes - 1, -1, 1)
            if violation(c, A, found) <= RESIDUAL:
                s[k] = found
                return s
    return None


def violation(c: Floats, A: Floats, s: Floats) -> float:
    """Largest violation of (1), relative to the terms of ȧ."""
    terms = np.abs(c) + np.abs(A).sum(axis=1)
    rate = c + A @ s
    wrong = np.abs(rate)
    wrong[s >= 1 - EDGE] = np.maximum(-rate, 0)[s >= 1 - EDGE]
    wrong[s <= -1 + EDGE] = np.maximum(rate, 0)[s <= -1 + EDGE]
    return float((wrong / np.where(terms > 0, terms, 1)).max(initial=0))


def _split(c: Floats, A: Floats, s: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Directions, and which signs stick, from a solution s of (1)."""
    terms = np.abs(c) + np.abs(A).sum(axis=1)
    rest = np.abs(c + A @ s) <= 1e-9 * terms
    rest |= np.abs(s) < 1 - EDGE
    sticks, s = np.zeros(len(c), dtype=bool), np.where(rest, s, np.sign(s))
    # Those at rest that carry all they can begin to slip, which decides for those that are left.
    while rest.any():
        k = np.flatnonzero(rest)
        load = Load(A[np.ix_(k, k)], -(c + A[:, ~rest] @ s[~rest])[k])
        over = load.shares() >= 1 - EDGE
        if not over.any():
            s[k], sticks[k] = load.held(), True
            break
        s[k[over]] = np.sign(load.held()[over])
        rest[k[over]] = False
    return s, sticks


class Load:
    """A s = b for signs that stick: s, and how much of their friction the load takes."""

    A: Floats
    b: Floats

    def __init__(self, A: Floats, b: Floats) -> None:
        self.A, self.b = A, b
        self.free: Floats | None = None  # orthonormal s without an effect; None if s is unique
        if is_shared(A):
            U, d, V = np.linalg.svd(A)
            r = int((d >= SHARED * d[0]).sum())
            self.s: Floats = V[:r].T @ ((U[:, :r].T @ b) / d[:r])
            self.free = V[r:].T
        else:
            self.s = solved(A, b)

    def shares(self) -> Floats:
        """|s| of every sign; of signs that share a load, the smallest possible largest |s|."""
        result = np.abs(self.s)
        for group, least in self._groups():
            result[group] = np.abs(least).max()
        return result

    def held(self) -> Floats:
        """s; if it is not unique, near the shortest one, but with |s| ≤ 1 if that is possible."""
        s = self.s.copy()
        for group, least in self._groups():
            short, theta = s[group], 0.0
            for a, b in zip(short, least, strict=True):
                if abs(a) > 1 and abs(a) > abs(b):
                    theta = max(theta, min(1.0, (abs(a) - 1) / abs(a - b)))
            s[group] = short + theta * (least - short)
        return s

    def _groups(self) -> list[tuple[NDArray[np.intp], Floats]]:
        """Signs that share one load, and their s with the smallest largest |s|."""
        if self.free is None:
            return []
        near = np.abs(self.free @ self.free.T) > SHARED
        found: list[tuple[NDArray[np.intp], Floats]] = []
        seen = np.zeros(len(self.s), dtype=bool)
        for k in range(len(self.s)):
            if seen[k] or not near[k, k]:
                continue
            group = near[k]
            while (wider := near[group].any(axis=0)).sum() > group.sum():
                group = wider
            seen |= group
            index = np.flatnonzero(group)
            N = self.free[index]
            U, d, _ = np.linalg.svd(N, full_matrices=False)
            found.append((index, smallest(self.s[index], U[:, d > 0.5])))
        return found


def smallest(s: Floats, N: Floats) -> Floats:
    """s + N α with the smallest largest entry: a linear program in α and ρ, by `pivoting`.

    >>> smallest(np.array([1.05, 0.35]), np.array([[1.0], [-3.0]])).round(9)
    array([0.875, 0.875])
    """
    n, d = N.shape
    # x = (α⁺, α⁻, ρ) ≥ 0 with G x ≥ h minimises ρ: (1) of `pivoting` for [0 −Gᵀ; G 0].
    G = np.block([[-N, N, np.ones((n, 1))], [N, -N, np.ones((n, 1))]])
    h = np.concatenate([s, -s])
    cost = np.zeros(2 * d + 1)
    cost[-1] = 1
    m = len(cost)
    M = np.block([[np.zeros((m, m)), -G.T], [G, np.zeros((2 * n, 2 * n))]])
    z = complementary(M, np.concatenate([cost, -h]))
    if z is None:
        return s
    return s + N @ (z[:d] - z[d : 2 * d])


def is_shared(A: Floats) -> bool:
    """Whether several signs share one load, so that their directions are not unique."""
    if len(A) < 2 or not np.isfinite(A).all():
        return False
    sizes = np.sqrt(np.abs(np.diag(A)))
    d = (
        np.linalg.svd(A, compute_uv=False)
        if not sizes.all()
        else np.linalg.svd(A / np.abs(np.diag(A)), compute_uv=False)
    )
    return bool(d[-1] < SHARED * d[0])


def solved(A: Floats, b: Floats) -> Floats:
    """Solution of A x = b; the shortest if there is no unique one."""
    if not is_shared(A):
        try:
            return np.asarray(np.linalg.solve(A, b), dtype=np.float64)
        except np.linalg.LinAlgError:
            pass
    return np.asarray(np.linalg.lstsq(A, b, rcond=SHARED)[0], dtype=np.float64)
