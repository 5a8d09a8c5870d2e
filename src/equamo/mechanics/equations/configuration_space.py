"""Configurations of a robot: q displaced by δ, the displacement between two, and their derivatives.

A displacement δ has one entry per joint speed. `integrate` moves every joint with the constant speeds δ
for one second: q + δ if q̇ = v, the exponential map for quaternions. `difference` is its inverse, by
the shorter rotation. Derivatives are with respect to displacements (`tangent`), along
the joint speeds at each configuration, or with respect to coordinates, with q̇ = N v, v = N⁺ q̇.

Coordinates that follow from others (`eliminate`) are not part of q: their displacements have no effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple, final

from ...algebra.arrays import NDArray, np
from ...robot.model.joints.free import Free
from ...robot.model.joints.spherical import Spherical, quaternion_rows
from ...robot.model.robot import Robot
from ...robot.model.state_space import StatePart
from ...robot.model.wrt import Wrt, check_wrt
from . import rigid_motions as motions
from .rigid_motions import Floats
from .state_reader import Reader, batch_size

LINEAR_FIRST: Final = [3, 4, 5, 0, 1, 2]  # order of a free joint's speeds; its own inverse


class Part(NamedTuple):
    """Joint: positions of its coordinates in q and of its speeds among the joint speeds."""

    kind: type | None  # Free or Spherical, with a quaternion; None: q̇ = v
    q: list[int]
    v: list[int]


@final
class ConfigurationSpace:
    """Displacements of the configurations of a robot, of one or of a batch.

    >>> from equamo.robot.library import load
    >>> space = ConfigurationSpace(load("rr_arm"))
    >>> space.integrate([1.0, 0.0], [0.5, 0.25])
    array([1.5 , 0.25])
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.delta: StatePart = StatePart.of_zeros("delta", "joint speed", robot.joint_speeds)

    @cached_property
    def parts(self) -> list[Part]:
        place = {x: k for k, x in enumerate(self.robot.q)}
        found: list[Part] = []
        for b in self.robot.bodies:
            columns, q = list(self.robot.columns(b)), b.joint.q
            if isinstance(b.joint, (Free, Spherical)):
                found.append(Part(type(b.joint), [place[x] for x in q], columns))
            else:
                kept = [(place[x], k) for x, k in zip(q, columns, strict=True) if x in place]
                found.append(Part(None, [i for i, _ in kept], [k for _, k in kept]))
        return [part for part in found if part.q]

    # -- configurations --------------------------------------------------------------------------------
    def integrate(self, q: Any, delta: Any) -> Floats:
        """q displaced by δ.

        Args:
            q: Configuration, (k,) or (N, k).
            delta: Displacement, (n_u,) or (N, n_u): one entry per joint speed.

        Returns:
            The configuration, (k,) or (N, k).

        Raises:
            EvaluationError: A shape or a number is not valid.
        """
        rows, moved, single = self._both("integrate", q, delta)
        result = self._integrate(rows, moved)
        return result[0] if single else result

    def difference(self, start: Any, end: Any) -> Floats:
        """δ with integrate(start, δ) = end, by the shorter rotation.

        Args:
            start: Configuration, (k,) or (N, k).
            end: Configuration, (k,) or (N, k).

        Returns:
            The displacement, (n_u,) or (N, n_u).

        Raises:
            EvaluationError: A shape or a number is not valid.
        """
        first, last, single = self._pair(start, end)
        result = self._difference(first, last)
        return result[0] if single else result

    def _integrate(self, q: Floats, delta: Floats) -> Floats:
        result = q.copy()
        for part in self.parts:
            here, d = q[:, part.q], delta[:, part.v]
            if part.kind is None:
                result[:, part.q] = here + d
            elif part.kind is Spherical:
                result[:, part.q] = _unit(motions.product(here, motions.quaternion_of(d)))
            else:
                rho, phi, turn = d[:, :3], d[:, 3:], here[:, 3:]
                moved = (motions.translation_map(phi) @ rho[..., None])[..., 0]  # (2)
                result[:, part.q[:3]] = here[:, :3] + motions.rotated(turn, moved)
                result[:, part.q[3:]] = _unit(motions.product(turn, motions.quaternion_of(phi)))
        return result

    def _difference(self, start: Floats, end: Floats) -> Floats:
        delta = np.zeros((len(start), self.delta.size))
        for part in self.parts:
            a, b = start[:, part.q], end[:, part.q]
            if part.kind is None:
                delta[:, part.v] = b - a
                continue
            first, last = (x if part.kind is Spherical else x[:, 3:] for x in (a, b))
            back = motions.conjugate(first)
            phi = motions.rotation_vector(motions.product(back, last))
            if part.kind is Spherical:
                delta[:, part.v] = phi
                continue
            moved = motions.rotated(back, b[:, :3] - a[:, :3])
            rho = np.linalg.solve(motions.translation_map(phi), moved[..., None])[..., 0]
            delta[:, part.v] = np.concatenate([rho, phi], axis=1)
        return delta

    # -- derivatives -----------------------------------------------------------------------------------
    def integrate_derivatives(
        self, q: Any, delta: Any, wrt: Wrt = "tangent"
    ) -> tuple[Floats, Floats]:
        """Derivatives of `integrate` with respect to q and δ.

        Args:
            q: Configuration, (k,) or (N, k).
            delta: Displacement, (n_u,) or (N, n_u).
            wrt: "tangent": in displacements of the result and of q, both n_u × n_u. "coordinates": in
                their coordinates, k × k and k × n_u.

        Returns:
            (∂/∂q, ∂/∂δ), with a leading axis N for a batch.

        Raises:
            EquamoError: `wrt` is neither of the two.
            EvaluationError: A shape or a number is not valid.
        """
        check_wrt(wrt, "integrate_derivatives")
        rows, moved, single = self._both("integrate_derivatives", q, delta)
        by_q, by_delta = self._blocks(len(rows)), self._blocks(len(rows))
        for part, transport, jacobian in self._jacobians(moved):
            _put(by_q, part, transport)
            _put(by_delta, part, jacobian)
        if wrt == "coordinates":
            N = self.map(self._integrate(rows, moved))
            by_q, by_delta = N @ by_q @ self.inverse_map(rows), N @ by_delta
        return (by_q[0], by_delta[0]) if single else (by_q, by_delta)

    def difference_derivatives(
        self, start: Any, end: Any, wrt: Wrt = "tangent"
    ) -> tuple[Floats, Floats]:
        """Derivatives of `difference` with respect to both configurations.

        Args:
            start: Configuration, (k,) or (N, k).
            end: Configuration, (k,) or (N, k).
            wrt: "tangent": in displacements of the configurations, both n_u × n_u. "coordinates": in
                their coordinates, both n_u × k.

        Returns:
            (∂/∂start, ∂/∂end), with a leading axis N for a batch.

        Raises:
            EquamoError: `wrt` is neither of the two.
            EvaluationError: A shape or a number is not valid.
        """
        check_wrt(wrt, "difference_derivatives")
        first, last, single = self._pair(start, end)
        by_start, by_end = self._blocks(len(first)), self._blocks(len(first))
        for part, transport, jacobian in self._jacobians(self._difference(first, last)):
            inverse = np.linalg.inv(jacobian)
            _put(by_end, part, inverse)
            _put(by_start, part, -inverse @ transport)
        if wrt == "coordinates":
            by_start, by_end = by_start @ self.inverse_map(first), by_end @ self.inverse_map(last)
        return (by_start[0], by_end[0]) if single else (by_start, by_end)

    def _jacobians(self, delta: Floats) -> Iterator[tuple[Part, Floats, Floats]]:
        """For each joint: transport of displacements along δ, and the right Jacobian at δ"""
        for part in self.parts:
            d = delta[:, part.v]
            if part.kind is None:
                one = np.broadcast_to(np.eye(len(part.v)), (len(d), len(part.v), len(part.v)))
                yield part, one, one
            elif part.kind is Spherical:
                yield part, motions.rotation_transport(d), motions.rotation_jacobian(d)
            else:
                rho, phi = d[:, :3], d[:, 3:]
                both = motions.motion_transport(phi, rho), motions.motion_jacobian(phi, rho)
                transport, jacobian = (x[:, LINEAR_FIRST][:, :, LINEAR_FIRST] for x in both)
                yield part, transport, jacobian

    def _blocks(self, count: int) -> Floats:
        return np.zeros((count, self.delta.size, self.delta.size))

    def map(self, q: Floats) -> Floats:
        """N of the joints in numbers, (N, k, n_u)"""
        N = np.zeros((len(q), q.shape[1], self.delta.size))
        for part in self.parts:
            if part.kind is None:
                N[:, part.q, part.v] = 1
                continue
            turn = q[:, part.q[-4:]]
            N[np.ix_(range(len(q)), part.q[-4:], part.v[-3:])] = _quaternion_map(turn) / 2
            if part.kind is Free:
                N[np.ix_(range(len(q)), part.q[:3], part.v[:3])] = _rotation(turn)
        return N

    def inverse_map(self, q: Floats) -> Floats:
        """N⁺ of the joints in numbers, (N, n_u, k)"""
        N = np.zeros((len(q), self.delta.size, q.shape[1]))
        for part in self.parts:
            if part.kind is None:
                N[:, part.v, part.q] = 1
                continue
            turn = q[:, part.q[-4:]]
            E = np.swapaxes(_quaternion_map(turn), 1, 2)
            N[np.ix_(range(len(q)), part.v[-3:], part.q[-4:])] = 2 * E
            if part.kind is Free:
                A = np.swapaxes(_rotation(turn), 1, 2)
                N[np.ix_(range(len(q)), part.v[:3], part.q[:3])] = A
        return N

    # -- arguments -------------------------------------------------------------------------------------
    def _both(self, place: str, q: Any, delta: Any) -> tuple[Floats, Floats, bool]:
        space = self.robot.state_space.q
        rows = Reader(place, space).read_states(q)
        reader = Reader(place, self.delta)
        return _batch(place, {"q": rows, "delta": reader.finite(reader.read(delta))})

    def _pair(self, start: Any, end: Any) -> tuple[Floats, Floats, bool]:
        space, place = self.robot.state_space.q, "difference"
        both = {
            n: Reader(place, space, n).read_states(x) for n, x in (("start", start), ("end", end))
        }
        return _batch(place, both)


def _batch(place: str, arrays: dict[str, Floats]) -> tuple[Floats, Floats, bool]:
    """Both arrays as batches of the same size, and whether both were single states"""
    size = batch_size(place, arrays)
    count = 1 if size is None else size
    first, second = (np.broadcast_to(x, (count, x.shape[-1])) for x in arrays.values())
    return first, second, size is None


def _put(matrix: Floats, part: Part, block: NDArray[Any]) -> None:
    matrix[np.ix_(range(len(matrix)), part.v, part.v)] = block


def _unit(quaternion: Floats) -> Floats:
    return quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)


def _quaternion_map(q: Floats) -> Floats:
    """E of `quaternion_rows`, (N, 4, 3)"""
    rows: Any = quaternion_rows(*np.moveaxis(q, -1, 0))
    return np.moveaxis(np.array(rows), -1, 0)


def _rotation(q: Floats) -> Floats:
    """Rotation matrices, (N, 3, 3)"""
    axes = np.eye(3)[:, None, :]
    return np.stack([motions.rotated(q, np.broadcast_to(e, q[:, 1:].shape)) for e in axes], axis=-1)
