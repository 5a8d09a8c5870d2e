"""Errors of accelerations, and of the forces in loops, by the largest term of the equation they solve.

With loops, A v̇ + c = 0 and M v̇ + rest − τ = Aᵀ λ, where A has the independent rows:

- v̇: the part of M v̇ + rest − τ that no λ explains, and A v̇ + c. The terms of that are accelerations,
  each caused by one force alone.
- λ: the acceleration that it leaves, S λ + A M⁻¹ (τ − rest) + c with S = A M⁻¹ Aᵀ.
- Λ: S Λ − 1.

S and A M⁻¹ come from ball arithmetic. In all terms, every entry of A is replaced by the largest one,
because code computes A to within rounding of that: near a locked state, the terms of a row cancel.
States where rounding S may make it singular are left out: they have no solution to compare with.
"""

from __future__ import annotations

import flint
import numpy as np

from accurate_sums import Product, Sum, accurate_sum, definite, largest, matrix
from equamo.mechanics.equations.mobility import independent_rows
from exact_values import BITS, Exact


def residual(exact: Exact, name: str, vdot: np.ndarray) -> np.ndarray:
    """max |M v̇ + rest − τ| of each state, by the largest term in that sum."""
    products, sums, terms = unforced(exact, name)
    M = sum_of(exact, "mass_matrix")
    missed = accurate_sum([(*M, vdot), *products], sums)
    return largest(missed) / largest(M[0] * vdot[:, None], *terms)


def constrained(exact: Exact, name: str, found: np.ndarray) -> np.ndarray:
    """Relative error of v̇, λ or Λ in each state of a robot with loops."""
    kept = list(independent_rows(exact.eom.robot))
    A, c = independent(exact, kept)
    M, n = sum_of(exact, "mass_matrix"), len(exact.eom.v)
    S, AW = mobility(exact, M, A)
    A_terms = np.broadcast_to(largest(A[0])[:, None, None], A[0].shape)
    AW_terms = A_terms @ abs(np.linalg.inv(M[0]))
    S_terms = AW_terms @ A_terms.transpose(0, 2, 1)
    asked = definite(S[0] / largest(S_terms)[:, None, None], exact.dtype)
    assert asked.mean() > 0.5
    if name == "constraint_inertia":
        L = matrix(found, len(exact.eom.robot.rows))[:, kept][:, :, kept]
        error = largest(S[0] @ L - np.eye(len(kept))) / largest(S_terms @ abs(L))
        return np.where(asked, error, 0.0)
    products, sums, terms = unforced(exact, name)
    if name.startswith("constraint_forces"):
        lam = found[:, kept]
        missed = accurate_sum([(*S, lam), (-AW[0], -AW[1], accurate_sum(products, sums))], c)
        alone = AW_terms * largest(*terms)[:, None, None]
        error = largest(missed) / largest(S_terms * lam[:, None], alone, c[0])
        return np.where(asked, error, 0.0)
    vdot = found[:, -n:]
    held = accurate_sum([(*M, vdot), *products], sums)  # Aᵀ λ
    Q, R = np.linalg.qr(A[0].transpose(0, 2, 1))
    lam = np.linalg.solve(R, Q.transpose(0, 2, 1) @ held[:, :, None])
    unexplained = held[:, :, None] - A[0].transpose(0, 2, 1) @ lam
    forces = largest(M[0] * vdot[:, None], A_terms * lam, *terms)
    missed = accurate_sum([(*A, vdot)], c)
    alone = AW_terms * forces[:, None, None]
    error = largest(missed) / largest(A_terms * vdot[:, None], alone, c[0])
    return np.where(asked, np.maximum(largest(unexplained) / forces, error), 0.0)


def unforced(exact: Exact, name: str) -> tuple[list[Product], list[np.ndarray], list[np.ndarray]]:
    """rest − τ as Σ A x + Σ b, and the terms in it; τ is given, or B·inputs."""
    high, low = exact.values, exact.low
    sums = [high["rest"], low["rest"]]
    terms = [high[k] for k in ("rest", "bias", "gravity", "passive_force")]
    if "tau" in [a.name for a in exact.functions[name].arguments]:
        tau = exact.given["tau"].astype(float)
        return [], [-tau, *sums], [*terms, tau]
    if not exact.eom.inputs:
        return [], sums, terms
    B, below = sum_of(exact, "input_matrix")
    x = exact.given["inputs"].astype(float)
    return [(-B, -below, x)], sums, [*terms, B * x[:, None]]


def sum_of(exact: Exact, name: str) -> Sum:
    """A matrix with one row per speed."""
    n = len(exact.eom.v)
    return matrix(exact.values[name], n), matrix(exact.low[name], n)


def independent(exact: Exact, kept: list[int]) -> tuple[Sum, Sum]:
    """A and c of the independent rows."""
    m, pair = len(exact.eom.robot.rows), (exact.values, exact.low)
    A, A_low = (matrix(x["constraint_matrix"], m)[:, kept] for x in pair)
    c, c_low = (x["constraint_bias"][:, kept] for x in pair)
    return (A, A_low), (c, c_low)


def mobility(exact: Exact, M: Sum, A: Sum) -> tuple[Sum, Sum]:
    """S = A M⁻¹ Aᵀ and A M⁻¹, made once for all targets."""
    if "S" not in exact.values:
        states = [_mobility(*(_balls(x, i) for x in (M, A))) for i in range(exact.count)]
        for name, found in zip(("S", "A M⁻¹"), zip(*states, strict=True), strict=True):
            exact.values[name], exact.low[name] = map(np.array, zip(*found, strict=True))
    S, AW = ((exact.values[k], exact.low[k]) for k in ("S", "A M⁻¹"))
    return S, AW


def _mobility(M: flint.arb_mat, A: flint.arb_mat) -> tuple[Sum, Sum]:
    with flint.ctx.workprec(BITS[0]):
        AW = M.solve(A.transpose()).transpose()  # M is symmetric
        return _doubles(AW * A.transpose()), _doubles(AW)


def _balls(x: Sum, state: int) -> flint.arb_mat:
    with flint.ctx.workprec(BITS[0]):
        rows = zip(x[0][state].tolist(), x[1][state].tolist(), strict=True)
        return flint.arb_mat([[flint.arb(a) + b for a, b in zip(*r, strict=True)] for r in rows])


def _doubles(x: flint.arb_mat) -> Sum:
    rows = x.tolist()
    high = [[float(e) for e in row] for row in rows]
    low = [[float(e - float(e)) for e in row] for row in rows]
    return np.array(high), np.array(low)
