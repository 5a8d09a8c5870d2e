"""Displacements of configurations in PyTorch: `integrate` and `difference` of tensors.

The formulas of `equations.rigid_motions` in PyTorch operations, without quotients that are 0/0: they
have derivatives of any order everywhere except at rotations by π.
"""

from __future__ import annotations

from math import factorial
from typing import Any, Final, final

from ...mechanics.equations.configuration_space import ConfigurationSpace, Part
from ...mechanics.equations.rigid_motions import SMALL, TERMS
from ...robot.model.joints.spherical import Spherical
from ...robot.model.robot import Robot
from .pytorch_tensors import TensorReader, broadcast_shape, spans

FLAT: Final = 0.01  # tan² of half an angle below which a series of TERMS terms is summed


@final
class TorchConfigurations:
    """Displacements of the configurations of a robot."""

    torch: Any
    robot: Robot
    speeds: tuple[str, ...]
    parts: list[Part]

    def __init__(self, torch: Any, robot: Robot) -> None:
        self.torch, self.robot = torch, robot
        space = ConfigurationSpace(robot)
        self.speeds, self.parts = space.delta.names, space.parts
        places = [i for part in self.parts for i in part.q]
        self._order = [places.index(i) for i in range(len(places))]

    def integrate(self, q: Any, delta: Any) -> Any:
        """q displaced by δ, as `ConfigurationSpace.integrate`."""
        q, delta = self._read("integrate", q=q, delta=delta)
        results: list[Any] = []
        for part in self.parts:
            here, d = q[..., part.q], delta[..., part.v]
            if part.kind is None:
                results.append(here + d)
            elif part.kind is Spherical:
                results.append(self._product(here, self._quaternion_of(d)))
            else:
                rho, phi, turn = d[..., :3], d[..., 3:], here[..., 3:]
                moved = (self._translation_map(phi) @ rho.unsqueeze(-1)).squeeze(-1)  # (2)
                results.append(here[..., :3] + self._rotated(turn, moved))
                results.append(self._product(turn, self._quaternion_of(phi)))
        return self.torch.cat(results, dim=-1)[..., self._order]

    def difference(self, start: Any, end: Any) -> Any:
        """δ with integrate(start, δ) = end, as `ConfigurationSpace.difference`."""
        start, end = self._read("difference", start=start, end=end)
        columns = [start.new_zeros(start.shape[:-1])] * len(self.speeds)
        for part in self.parts:
            a, b = start[..., part.q], end[..., part.q]
            for k, x in zip(part.v, self._moved(part.kind, a, b).unbind(-1), strict=True):
                columns[k] = x
        return self.torch.stack(columns, dim=-1)

    def _moved(self, kind: type | None, a: Any, b: Any) -> Any:
        """Displacement of one joint."""
        if kind is None:
            return b - a
        first, last = a[..., -4:], b[..., -4:]
        back = self.torch.cat([first[..., :1], -first[..., 1:]], dim=-1)
        phi = self._rotation_vector(self._product(back, last))
        if kind is Spherical:
            return phi
        moved = self._rotated(back, b[..., :3] - a[..., :3])
        rho = self.torch.linalg.solve(self._translation_map(phi), moved.unsqueeze(-1)).squeeze(-1)
        return self.torch.cat([rho, phi], dim=-1)

    def _read(self, place: str, **given: Any) -> list[Any]:
        """Check two tensors, and broadcast their leading dimensions."""
        part = self.robot.state_space.q
        readers = [
            TensorReader(self.torch, place, n, self.speeds)
            if n == "delta"
            else TensorReader(self.torch, place, n, part.names, quaternions=spans(part))
            for n in given
        ]
        valid = (self.torch.float64, self.torch.float32)
        dtype = readers[0].dtype(given[readers[0].argument], valid)
        device = getattr(given[readers[0].argument], "device", None)
        found = [r.read(given[r.argument], dtype, device) for r in readers]
        shapes = {r.argument: x.shape[:-1] for r, x in zip(readers, found, strict=True)}
        shape = broadcast_shape(self.torch, place, shapes)
        return [x.expand(*shape, x.shape[-1]) for x in found]

    # -- quaternions -----------------------------------------------------------------------------------
    def _stumpff(self, x: Any) -> tuple[Any, ...]:
        """c_0 … c_3 of (1) in `rigid_motions`, at x = θ²"""
        near, far = x.clamp(max=SMALL), x.clamp(min=SMALL)
        angle = far.sqrt()
        closed = [angle.cos(), angle.sin() / angle]
        closed += [(1 - closed[0]) / far, (1 - closed[1]) / far]
        return tuple(self.torch.where(x < SMALL, _series(near, k), c) for k, c in enumerate(closed))

    def _quaternion_of(self, phi: Any) -> Any:
        half = phi / 2
        c0, c1, *_ = self._stumpff((half * half).sum(-1, keepdim=True))
        return self.torch.cat([c0, c1 * half], dim=-1)

    def _translation_map(self, phi: Any) -> Any:
        """1 + c_2 φ~ + c_3 φ~² of (2)"""
        _, _, c2, c3 = self._stumpff((phi * phi).sum(-1)[..., None, None])
        x, y, z = phi.unbind(-1)
        zero = self.torch.zeros_like(x)
        rows = [zero, -z, y, z, zero, -x, -y, x, zero]
        P = self.torch.stack(rows, dim=-1).unflatten(-1, (3, 3))
        return self.torch.eye(3, dtype=phi.dtype, device=phi.device) + c2 * P + c3 * (P @ P)

    def _rotation_vector(self, quaternion: Any) -> Any:
        """The short way: its angle is at most π."""
        torch = self.torch
        flipped = torch.where(quaternion[..., :1] < 0, -quaternion, quaternion)
        w, axis = flipped[..., :1], flipped[..., 1:]
        s2 = (axis * axis).sum(-1, keepdim=True)
        small = s2 < FLAT * w * w
        near_w = torch.where(small, w, 1.0)
        t = torch.where(small, s2, 0.0) / near_w**2
        series = torch.zeros_like(t)
        for j in reversed(range(TERMS)):  # atan(x)/x, x² = t
            series = series * -t + 1 / (2 * j + 1)
        s = torch.where(small, 1.0, s2).sqrt()
        return 2 * torch.where(small, series / near_w, torch.atan2(s, w) / s) * axis

    def _product(self, p: Any, q: Any) -> Any:
        """Product p ∘ q of quaternions."""
        w, a, u, b = p[..., :1], p[..., 1:], q[..., :1], q[..., 1:]
        first = w * u - (a * b).sum(-1, keepdim=True)
        rest = w * b + u * a + self.torch.linalg.cross(a, b)
        return self.torch.cat([first, rest], dim=-1)

    def _rotated(self, q: Any, a: Any) -> Any:
        """Vector a rotated by a unit quaternion."""
        t = 2 * self.torch.linalg.cross(q[..., 1:], a)
        return a + q[..., :1] * t + self.torch.linalg.cross(q[..., 1:], t)


def _series(x: Any, k: int) -> Any:
    """Σ (−x)^j / (2j + k)!"""
    total = x * 0
    for j in reversed(range(TERMS)):
        total = total * -x + 1 / factorial(2 * j + k)
    return total
