"""The Robotics Toolbox (P. Corke): its tables and its numeric recursive Newton-Euler, for agreement.

Its tables also go through a recursion written here, which shares no code with either: Luh, Walker and
Paul 1980, in world coordinates.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from equamo.mechanics.equations import EquationsOfMotion


class Link:
    """A row of the toolbox's table."""

    def __init__(self, link: Any) -> None:
        self.slides = bool(link.isprismatic)
        self.theta, self.d, self.a, self.alpha = (float(x) for x in (
            link.theta, link.d, link.a, link.alpha))  # fmt: skip
        self.m, self.r, self.I = float(link.m), np.array(link.r, float), np.array(link.I, float)
        self.Jm, self.G, self.B, self.Tc = link.Jm, link.G, link.B, np.array(link.Tc, float)


def toolbox(name: str) -> Any:
    """A DH model of the toolbox; its import warns about what is not ours to mend."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import roboticstoolbox

        return getattr(roboticstoolbox.models.DH, name)()


def newton_euler(links: list[Link], q: Any, v: Any, a: Any) -> np.ndarray:
    """Inverse dynamics of a standard DH table, rotors and friction included."""
    R, p, z = np.eye(3), np.zeros(3), np.array([0, 0, 1.0])
    w, al, acc = np.zeros(3), np.zeros(3), np.array([0, 0, 9.81])
    axes, origins, ends, forces, moments = [], [], [], [], []
    for k, x, dx, ddx in zip(links, q, v, a, strict=True):
        axis = R @ z
        axes.append(axis)
        origins.append(p)
        theta, d = (k.theta, x) if k.slides else (x, k.d)
        if not k.slides:
            al = al + axis * ddx + np.cross(w, axis * dx)
            w = w + axis * dx
        Rz = np.array([[np.cos(theta), -np.sin(theta), 0], [np.sin(theta), np.cos(theta), 0], z])
        ca, sa = np.cos(k.alpha), np.sin(k.alpha)
        R_next = R @ Rz @ np.array([[1, 0, 0], [0, ca, -sa], [0, sa, ca]])
        step = R @ (Rz @ np.array([k.a, 0, d]))
        acc = acc + np.cross(al, step) + np.cross(w, np.cross(w, step))
        if k.slides:
            acc = acc + axis * ddx + 2 * np.cross(w, axis * dx)
        R, p = R_next, p + step
        c = R @ k.r
        forces.append(k.m * (acc + np.cross(al, c) + np.cross(w, np.cross(w, c))))
        J = R @ k.I @ R.T
        moments.append(J @ al + np.cross(w, J @ w))
        ends.append(p + c)
    tau = np.zeros(len(links))
    for i, k in enumerate(links):
        F = sum(forces[i:])
        N = sum(
            m + np.cross(e - origins[i], f)
            for m, e, f in zip(moments[i:], ends[i:], forces[i:], strict=True)
        )
        friction = abs(k.G) * (k.B * abs(k.G) * v[i] + (k.Tc[0] if v[i] > 0 else k.Tc[1]))
        tau[i] = axes[i] @ (F if k.slides else N) + k.G**2 * k.Jm * a[i] + friction
    return tau


def agrees(eom: EquationsOfMotion, peer: Any, states: int = 20, tolerance: float = 1e-10) -> None:
    """Inverse dynamics, mass matrix and gravity of both, at random states; and of the recursion here."""
    links = [Link(k) for k in peer.links]
    r = np.random.default_rng(560)
    for _ in range(states):
        q, v, a = r.uniform(-2, 2, (3, len(eom.q)))
        ours = eom.evaluate("inverse_dynamics", q=q, v=v, vdot=a)
        assert close(ours, peer.rne(q, v, a), tolerance)
        assert close(ours, newton_euler(links, q, v, a), tolerance)
        assert close(eom.evaluate("mass_matrix", q=q), peer.inertia(q), tolerance)
        assert close(eom.evaluate("gravity", q=q), peer.gravload(q), tolerance)


def close(ours: Any, theirs: Any, tolerance: float) -> bool:
    """Relative to the largest entry."""
    theirs = np.asarray(theirs, float).reshape(np.shape(ours))
    return bool(np.abs(ours - theirs).max() <= tolerance * np.abs(theirs).max())
