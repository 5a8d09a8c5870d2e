"""The recursions of [RBDA] on CasADi's scalar graph (SX), with the numbers of one robot in it.

Written as one writes them with CasADi: vectors of 3 in the frames of the bodies, sparse matrices, so
that zeros of rotations, axes and inertias never become operations. Forward dynamics both ways, by
factors of the mass matrix and by articulated bodies; the one with fewer operations counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from .models import SLIDING, Tree

SNAP = 1e-10  # entries of rotations and axes so close to 0 or ±1 are taken for it, as ours are
SX = Any


def numbers(x: Any, snap: bool = False) -> SX:
    """A sparse constant."""
    x = np.array(x, float)
    near = np.round(x)
    return ca.SX(ca.sparsify(ca.DM(np.where(np.abs(x - near) < SNAP, near, x) if snap else x)))


def skew(x: SX) -> SX:
    return ca.sparsify(ca.skew(x))


@dataclass(frozen=True)
class Place:
    """Of a body in its parent: A takes components of the body to the parent's, r is its origin there."""

    A: SX
    r: SX

    def motion(self, w: SX, v: SX) -> tuple[SX, SX]:
        """A motion of the parent, in the body."""
        return self.A.T @ w, self.A.T @ (v + ca.cross(w, self.r))

    def force(self, n: SX, f: SX) -> tuple[SX, SX]:
        """A force on the body, in the parent."""
        f = self.A @ f
        return self.A @ n + ca.cross(self.r, f), f


@dataclass(frozen=True)
class Recursions:
    """Expressions of a tree in the symbols q, v, a."""

    tree: Tree

    @cached_property
    def symbols(self) -> tuple[SX, SX, SX]:
        n = self.tree.nv
        return ca.SX.sym("q", self.tree.nq), ca.SX.sym("v", n), ca.SX.sym("x", n)

    @cached_property
    def places(self) -> list[Place]:
        return [self._place(i) for i in self.bodies]

    @property
    def bodies(self) -> range:
        return range(len(self.tree.kinds))

    def _place(self, i: int) -> Place:
        tree, q = self.tree, self.symbols[0]
        A, r = numbers(tree.rotations[i], snap=True), numbers(tree.positions[i])
        k, axis = tree.first_q[i], numbers(tree.axes[i], snap=True)
        if tree.kinds[i] in SLIDING:
            return Place(A, r + A @ axis * q[k])
        if tree.kinds[i] != "FreeFlyer":
            K = skew(axis)
            return Place(A @ (ca.SX.eye(3) + ca.sin(q[k]) * K + (1 - ca.cos(q[k])) * (K @ K)), r)
        w, x, y, z = (q[k + 3 + j] for j in range(4))
        turn = ca.vertcat(
            ca.horzcat(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            ca.horzcat(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            ca.horzcat(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
        return Place(A @ turn, r + A @ q[k : k + 3])

    def subspace(self, i: int) -> tuple[SX, SX]:
        """(angular, linear) rows of S."""
        if self.tree.kinds[i] == "FreeFlyer":
            eye, zero = ca.SX.eye(3), ca.SX(3, 3)
            return ca.horzcat(zero, eye), ca.horzcat(eye, zero)
        axis, zero = numbers(self.tree.axes[i], snap=True), ca.SX(3, 1)
        return (zero, axis) if self.tree.kinds[i] in SLIDING else (axis, zero)

    def columns(self, i: int) -> slice:
        return slice(self.tree.first_v[i], self.tree.first_v[i + 1])

    def kinematic_map(self) -> SX:
        """N with q̇ = N v: for a free joint the rotation, and half the quaternion's matrix."""
        tree, N = self.tree, ca.SX(self.tree.nq, self.tree.nv)
        for i in self.bodies:
            k, l = tree.first_q[i], tree.first_v[i]
            if tree.kinds[i] != "FreeFlyer":
                N[k, l] = 1
                continue
            w, x, y, z = (self.symbols[0][k + 3 + j] for j in range(4))
            N[k : k + 3, l : l + 3] = self.places[i].A
            rows = [(-x, -y, -z), (w, -z, y), (z, w, -x), (-y, x, w)]
            N[k + 3 : k + 7, l + 3 : l + 6] = ca.vertcat(*(ca.horzcat(*r) for r in rows)) / 2
        return ca.sparsify(N)

    def inertia(self, i: int) -> tuple[SX, SX, SX]:
        """(m, m c, tensor about the origin)."""
        m, c, J = self.tree.masses[i], self.tree.centers[i], self.tree.tensors[i]
        return numbers(m), numbers(m * c), numbers(J + m * (c @ c * np.eye(3) - np.outer(c, c)))

    def velocities(self) -> Iterator[tuple[int, tuple[SX, SX], tuple[SX, SX]]]:
        """Of each body its velocity, and V × S v."""
        V: list[tuple[SX, SX]] = []
        for i in self.bodies:
            parent = self.tree.parents[i]
            w, v = self.places[i].motion(*V[parent]) if parent >= 0 else (ca.SX(3, 1), ca.SX(3, 1))
            Sw, Sv = (S @ self.symbols[1][self.columns(i)] for S in self.subspace(i))
            w, v = w + Sw, v + Sv
            V.append((w, v))
            yield i, V[i], (ca.cross(w, Sw), ca.cross(w, Sv) + ca.cross(v, Sw))

    def bias_force(self, i: int, w: SX, v: SX) -> tuple[SX, SX]:
        """V ×* I V."""
        m, h, J = self.inertia(i)
        n, p = J @ w + ca.cross(h, v), m * v - ca.cross(h, w)
        return ca.cross(w, n) + ca.cross(v, p), ca.cross(w, p)

    @cached_property
    def base_acceleration(self) -> tuple[SX, SX]:
        return ca.SX(3, 1), -numbers(self.tree.gravity)

    # -- the algorithms ----------------------------------------------------------------------------
    def inverse_dynamics(self, vdot: SX | None = None) -> SX:
        """Newton and Euler, [RBDA] table 5.1."""
        vdot = self.symbols[2] if vdot is None else vdot
        A: list[tuple[SX, SX]] = []
        F: list[tuple[SX, SX]] = []
        for i, V, C in self.velocities():
            parent = self.tree.parents[i]
            dw, dv = self.places[i].motion(*(A[parent] if parent >= 0 else self.base_acceleration))
            Sw, Sv = (S @ vdot[self.columns(i)] for S in self.subspace(i))
            dw, dv = dw + Sw + C[0], dv + Sv + C[1]
            A.append((dw, dv))
            m, h, J = self.inertia(i)
            n, f = self.bias_force(i, *V)
            F.append((J @ dw + ca.cross(h, dv) + n, m * dv - ca.cross(h, dw) + f))
        tau = ca.SX(self.tree.nv, 1)
        for i in reversed(self.bodies):
            Sw, Sv = self.subspace(i)
            tau[self.columns(i)] = Sw.T @ F[i][0] + Sv.T @ F[i][1]
            parent = self.tree.parents[i]
            if parent >= 0:
                n, f = self.places[i].force(*F[i])
                F[parent] = F[parent][0] + n, F[parent][1] + f
        return tau

    def mass_matrix(self) -> SX:
        """Composite rigid bodies, [RBDA] table 6.2."""
        whole = [self.inertia(i) for i in self.bodies]
        M = ca.SX(self.tree.nv, self.tree.nv)
        for i in reversed(self.bodies):
            (m, h, J), place = whole[i], self.places[i]
            Sw, Sv = self.subspace(i)
            own = self.columns(i)
            H = skew(h)
            n, f = J @ Sw + H @ Sv, m * Sv - H @ Sw
            M[own, own] = Sw.T @ n + Sv.T @ f
            j = i
            while self.tree.parents[j] >= 0:
                A, r = self.places[j].A, self.places[j].r
                f = A @ f
                n = A @ n + skew(r) @ f
                j = self.tree.parents[j]
                Sw, Sv = self.subspace(j)
                there = self.columns(j)
                M[there, own] = Sw.T @ n + Sv.T @ f
                M[own, there] = M[there, own].T
            parent = self.tree.parents[i]
            if parent >= 0:
                M0, h0, J0 = whole[parent]
                a, R = skew(place.A @ h), skew(place.r)
                moved = place.A @ J @ place.A.T - R @ a - a @ R - m * (R @ R)
                whole[parent] = M0 + m, h0 + place.A @ h + m * place.r, J0 + ca.sparsify(moved)
        return M

    def forward_dynamics_factored(self) -> SX:
        """M = Lᵀ D L with the sparsity of the branches, [RBDA] table 6.3."""
        n, M = self.tree.nv, self.mass_matrix()
        bias = self.inverse_dynamics(ca.SX(n, 1))
        above = self._speeds_above()
        H = {(i, j): M[i, j] for i in range(n) for j in [i, *above[i]]}
        x = [self.symbols[2][i] - bias[i] for i in range(n)]
        for k in reversed(range(n)):
            for i in above[k]:
                a = H[k, i] / H[k, k]
                for j in [i, *above[i]]:
                    H[i, j] -= a * H[k, j]
                H[k, i] = a
        for i in reversed(range(n)):
            for j in above[i]:
                x[j] -= H[i, j] * x[i]
        for i in range(n):
            x[i] /= H[i, i]
            for j in above[i]:
                x[i] -= H[i, j] * x[j]
        return ca.vertcat(*x)

    def _speeds_above(self) -> list[list[int]]:
        """For each speed those it hangs on, nearest first."""
        above: list[list[int]] = []
        for i in self.bodies:
            parent, first = self.tree.parents[i], self.tree.first_v[i]
            last = self.tree.first_v[parent + 1] - 1 if parent >= 0 else -1
            chain = [last, *above[last]] if parent >= 0 else []
            for k in range(first, self.tree.first_v[i + 1]):
                above.append(list(chain))
                chain = [k, *chain]
        return above

    def forward_dynamics_articulated(self) -> SX:
        """Articulated bodies, [RBDA] table 7.1."""
        tau, count = self.symbols[2], len(self.tree.kinds)
        C: list[SX] = []
        P: list[SX] = []
        whole: list[SX] = []
        for i, V, c in self.velocities():
            C.append(ca.vertcat(*c))
            P.append(ca.vertcat(*self.bias_force(i, *V)))
            m, h, J = self.inertia(i)
            H = skew(h)
            whole.append(ca.blockcat([[J, H], [-H, m * ca.SX.eye(3)]]))
        S = [ca.vertcat(*self.subspace(i)) for i in self.bodies]
        solved: list[Any] = [None] * count
        for i in reversed(self.bodies):
            U = whole[i] @ S[i]
            D, u = S[i].T @ U, tau[self.columns(i)] - S[i].T @ P[i]
            parent = self.tree.parents[i]
            solved[i] = U, D, u
            if parent >= 0:
                X = self._transform(i)
                Ia = whole[i] - U @ U.T / D
                Pa = P[i] + Ia @ C[i] + U * (u / D)
                whole[parent] = ca.sparsify(whole[parent] + X.T @ Ia @ X)
                P[parent] = P[parent] + X.T @ Pa
        vdot, A = ca.SX(self.tree.nv, 1), []
        for i in self.bodies:
            parent = self.tree.parents[i]
            above = A[parent] if parent >= 0 else ca.vertcat(*self.base_acceleration)
            a = self._transform(i) @ above + C[i]
            U, D, u = solved[i]
            vdot[self.columns(i)] = own = _solve(D, u - U.T @ a)
            A.append(a + S[i] @ own)
        return vdot

    def _transform(self, i: int) -> SX:
        """6×6: a motion of the parent, in the body."""
        A, r = self.places[i].A, self.places[i].r
        return ca.sparsify(ca.blockcat([[A.T, ca.SX(3, 3)], [-A.T @ skew(r), A.T]]))


def _solve(D: SX, b: SX) -> SX:
    """D x = b by L D Lᵀ; 1×1 but for a free base."""
    n = D.shape[0]
    H = {(i, j): D[i, j] for i in range(n) for j in range(i + 1)}
    x = [b[i] for i in range(n)]
    for k in range(n):
        for i in range(k + 1, n):
            a = H[i, k] / H[k, k]
            for j in range(k + 1, i + 1):
                H[i, j] -= a * H[j, k]
            x[i] -= a * x[k]
    # the columns below the pivots still hold L D
    for i in reversed(range(n)):
        for k in range(i + 1, n):
            x[i] -= H[k, i] * x[k]
        x[i] /= H[i, i]
    return ca.vertcat(*x)
