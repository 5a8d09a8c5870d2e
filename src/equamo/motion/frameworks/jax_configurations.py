"""Displacements of configurations in JAX: `integrate` and `difference`, with derivatives of any order.

The formulas of `equations.rigid_motions` in JAX operations. A quotient that is 0/0 for zero rotation is
summed as a series there, and the branch that is not taken gets a harmless argument, because its
derivative would be NaN. There are no derivatives at rotations by π, where the short way jumps.
"""

from __future__ import annotations

from math import factorial
from typing import Any, Final, final

from ...mechanics.equations.configuration_space import ConfigurationSpace
from ...mechanics.equations.rigid_motions import SMALL, TERMS
from ...mechanics.equations.state_reader import Reader
from ...robot.model.joints.spherical import Spherical
from ...robot.model.robot import Robot
from .framework import framework
from .jax_arrays import PLACE, broadcast, number_type, read_array, unit_quaternions

FLAT: Final = 0.01  # tan² of half an angle below which a series of TERMS terms is summed


@final
class JaxConfigurations:
    """Displacements of the configurations of a robot."""

    def __init__(self, robot: Robot) -> None:
        self._space, self._part = ConfigurationSpace(robot), robot.state_space.q
        jax = framework("jax", PLACE)
        self._np: Any = jax.numpy
        self._end, self._displacement = jax.jit(self._integrate), jax.jit(self._difference)

    def integrate(self, q: Any, delta: Any) -> Any:
        """q displaced by δ, as `ConfigurationSpace.integrate`."""
        return self._end(*self._read("integrate", q=q, delta=delta))

    def difference(self, start: Any, end: Any) -> Any:
        """δ with integrate(start, δ) = end, as `ConfigurationSpace.difference`."""
        return self._displacement(*self._read("difference", start=start, end=end))

    def _integrate(self, q: Any, delta: Any) -> Any:
        np, q = self._np, unit_quaternions(q, self._part.quaternions)
        columns: list[Any] = [None] * self._part.size
        for part in self._space.parts:
            here, d = q[..., np.array(part.q)], delta[..., np.array(part.v)]
            moved = self._integrated(part.kind, here, d)
            for k, i in enumerate(part.q):
                columns[i] = moved[..., k]
        return np.stack(columns, axis=-1) if columns else q

    def _difference(self, start: Any, end: Any) -> Any:
        np, groups = self._np, self._part.quaternions
        start, end = (unit_quaternions(x, groups) for x in (start, end))
        columns: list[Any] = [np.zeros_like(start[..., :1].sum(-1))] * self._space.delta.size
        for part in self._space.parts:
            moved = self._moved(part.kind, *(x[..., np.array(part.q)] for x in (start, end)))
            for k, i in enumerate(part.v):
                columns[i] = moved[..., k]
        return np.stack(columns, axis=-1) if columns else start

    def _read(self, place: str, **given: Any) -> list[Any]:
        """Check two arrays, and broadcast their leading dimensions."""
        np, found = self._np, dict[str, Any]()
        for name, value in given.items():
            reader = Reader(place, self._space.delta if name == "delta" else self._part, name)
            found[name] = read_array(reader, value)
        dtype = number_type(list(found.values()))
        batch = broadcast(place, found)
        return [np.broadcast_to(x.astype(dtype), (*batch, x.shape[-1])) for x in found.values()]

    # -- one joint -----------------------------------------------------------------------------------
    def _integrated(self, kind: type | None, here: Any, d: Any) -> Any:
        if kind is None:
            return here + d
        if kind is Spherical:
            return self._product(here, self._quaternion_of(d))
        rho, phi, turn = d[..., :3], d[..., 3:], here[..., 3:]
        moved = (self._translation_map(phi) @ rho[..., None])[..., 0]  # (2)
        place = here[..., :3] + self._rotated(turn, moved)
        turned = self._product(turn, self._quaternion_of(phi))
        return self._np.concatenate([place, turned], axis=-1)

    def _moved(self, kind: type | None, a: Any, b: Any) -> Any:
        if kind is None:
            return b - a
        first, last = a[..., -4:], b[..., -4:]
        back = self._np.concatenate([first[..., :1], -first[..., 1:]], axis=-1)
        phi = self._rotation_vector(self._product(back, last))
        if kind is Spherical:
            return phi
        moved = self._rotated(back, b[..., :3] - a[..., :3])
        rho = self._np.linalg.solve(self._translation_map(phi), moved[..., None])[..., 0]
        return self._np.concatenate([rho, phi], axis=-1)

    # -- rotations -----------------------------------------------------------------------------------
    def _stumpff(self, x: Any) -> list[Any]:
        """c_0 … c_3 of (1) in `rigid_motions`, at x = θ²"""
        np = self._np
        near, far = np.minimum(x, SMALL), np.maximum(x, SMALL)
        angle = np.sqrt(far)
        closed = [np.cos(angle), np.sin(angle) / angle]
        closed += [(1 - closed[0]) / far, (1 - closed[1]) / far]
        return [np.where(x < SMALL, _series(near, k), c) for k, c in enumerate(closed)]

    def _quaternion_of(self, phi: Any) -> Any:
        half = phi / 2
        c0, c1, *_ = self._stumpff((half * half).sum(-1, keepdims=True))
        return self._np.concatenate([c0, c1 * half], axis=-1)

    def _translation_map(self, phi: Any) -> Any:
        """1 + c_2 φ~ + c_3 φ~² of (2)"""
        np = self._np
        _, _, c2, c3 = self._stumpff((phi * phi).sum(-1)[..., None, None])
        x, y, z = phi[..., 0], phi[..., 1], phi[..., 2]
        zero = np.zeros_like(x)
        rows = ((zero, -z, y), (z, zero, -x), (-y, x, zero))
        P = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
        return np.eye(3, dtype=phi.dtype) + c2 * P + c3 * (P @ P)

    def _rotation_vector(self, quaternion: Any) -> Any:
        """The short way: its angle is at most π."""
        np = self._np
        flipped = np.where(quaternion[..., :1] < 0, -quaternion, quaternion)
        w, axis = flipped[..., :1], flipped[..., 1:]
        s2 = (axis * axis).sum(-1, keepdims=True)
        small = s2 < FLAT * w * w
        near_w = np.where(small, w, 1.0)
        t = np.where(small, s2, 0.0) / near_w**2
        series = np.zeros_like(t)
        for j in reversed(range(TERMS)):  # atan(x)/x, x² = t
            series = series * -t + 1 / (2 * j + 1)
        s = np.sqrt(np.where(small, 1.0, s2))
        return 2 * np.where(small, series / near_w, np.arctan2(s, w) / s) * axis

    def _product(self, p: Any, q: Any) -> Any:
        """Product p ∘ q of quaternions."""
        w, a, u, b = p[..., :1], p[..., 1:], q[..., :1], q[..., 1:]
        first = w * u - (a * b).sum(-1, keepdims=True)
        rest = w * b + u * a + self._np.cross(a, b)
        return self._np.concatenate([first, rest], axis=-1)

    def _rotated(self, q: Any, a: Any) -> Any:
        """Vector a rotated by a unit quaternion."""
        t = 2 * self._np.cross(q[..., 1:], a)
        return a + q[..., :1] * t + self._np.cross(q[..., 1:], t)


def _series(x: Any, k: int) -> Any:
    """Σ (−x)^j / (2j + k)!"""
    total = x * 0
    for j in reversed(range(TERMS)):
        total = total * -x + 1 / factorial(2 * j + k)
    return total
