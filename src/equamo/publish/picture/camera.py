"""Camera of static pictures, the same as that of the page's viewer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, pi, sin, tan
from typing import Final, final

from ...algebra.arrays import np
from .posture import Array
from .skeleton import Skeleton, bounds

TANGENT: Final = tan(pi / 12)  # tangent of half the angle of view
MARGIN: Final = 0.9  # fraction of the picture that the robot fills
FOLLOWED: Final = 0.5  # fraction of its size that a robot moves before the view follows


def ground_basis(up: Array) -> tuple[Array, Array]:
    """Two directions on the ground; the first is along the world axis that is least upright.

    >>> ground_basis(np.array([0.0, 0.0, 1.0]))[1]
    array([0., 1., 0.])
    """
    axis = np.eye(3)[int(np.argmin(np.round(np.abs(up), 9)))]
    first: Array = axis - up * (axis @ up)
    first = first / np.linalg.norm(first)
    return first, np.cross(up, first)


def first_view(up: Array, axes: Sequence[Array]) -> tuple[float, float]:
    """Initial (yaw, pitch): along the axes of a planar mechanism, else from the front right."""
    if axes:
        n = axes[0] / np.linalg.norm(axes[0])
        planar = all(abs(abs(n @ a) - 1) < 1e-6 for a in axes)
        if planar and abs(n @ up) < 1e-6:
            east, north = ground_basis(up)
            return atan2(float(n @ north), float(n @ east)) - 0.35, 0.22
    return -0.75, 0.28


def view_shift(robot: Skeleton, home: Array, poses: Array) -> Array:
    """Displacement of the view that follows a robot; the page's script does the same.

    It follows the mean position of the bodies along the ground, relative to home.
    """
    away: Array = poses[:, :3, 3].mean(axis=0) - home[:, :3, 3].mean(axis=0)
    along = away - robot.up * (robot.up @ away)
    far = float(np.linalg.norm(along))
    reach = FOLLOWED * robot.size
    return along * (1 - reach / far) if far > reach else np.zeros(3)


def motion_bounds(robot: Skeleton, home: Array, motion: Iterable[Array]) -> tuple[Array, Array]:
    """Corners of the box around the robot at home and along a motion, in the following view.

    `home` and each item of `motion` are the transforms of all bodies, (n, 4, 4).
    """
    lows, highs = [robot.low], [robot.high]
    for poses in motion:
        low, high = _bounds(robot, poses)
        shift = view_shift(robot, home, poses)
        lows.append(low - shift)
        highs.append(high - shift)
    return np.min(lows, axis=0), np.max(highs, axis=0)


def _bounds(robot: Skeleton, poses: Array) -> tuple[Array, Array]:
    """Corners of the box around the robot at given poses."""
    return bounds(robot.rods, robot.solids, robot.tips, poses, robot.size, robot.meshes.solids)


@final
@dataclass(frozen=True)
class Camera:
    """Camera that looks at `target` from a direction and a distance, with a picture in pixels."""

    up: Array
    target: Array
    distance: float
    yaw: float
    pitch: float
    width: float
    height: float

    @staticmethod
    def fitted(robot: Skeleton, width: float, height: float, poses: Array | None = None) -> Camera:
        """Camera that shows the whole robot at home, or at the given poses."""
        low, high = robot.low, robot.high
        if poses is not None:
            low, high = _bounds(robot, poses)
        camera = Camera(robot.up, (low + high) / 2, 1.0, robot.yaw, robot.pitch, width, height)
        right, above, back = camera.axes
        corners = np.array([[(low, high)[s >> i & 1][i] for i in range(3)] for s in range(8)])
        seen = corners - camera.target
        # A corner is in the picture if |x| <= t (d - b), which gives the distance d of the eye.
        wide = np.abs(seen @ right) / (MARGIN * TANGENT * width / height) + seen @ back
        tall = np.abs(seen @ above) / (MARGIN * TANGENT) + seen @ back
        return replace(camera, distance=float(max(wide.max(), tall.max())))

    @property
    def axes(self) -> tuple[Array, Array, Array]:
        """Right, up and backward directions of the camera, in the world frame."""
        east, north = ground_basis(self.up)
        level = cos(self.yaw) * east + sin(self.yaw) * north
        back = cos(self.pitch) * level + sin(self.pitch) * self.up
        right: Array = np.asarray(np.cross(self.up, back), dtype=np.float64)
        right = right / np.linalg.norm(right)
        return right, np.asarray(np.cross(back, right), dtype=np.float64), back

    def project(self, points: Array) -> tuple[Array, Array]:
        """Project points to pixels (N, 2), y downwards, and depths in front of the eye."""
        right, above, back = self.axes
        seen = np.atleast_2d(points) - (self.target + self.distance * back)
        depth = -(seen @ back)
        scale = self.height / (2 * TANGENT * depth)
        x = self.width / 2 + scale * (seen @ right)
        y = self.height / 2 - scale * (seen @ above)
        return np.stack([x, y], axis=1), depth
