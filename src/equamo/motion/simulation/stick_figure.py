"""Animated stick figure: lines between body origins, and to the centres of mass of the last bodies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import ZERO
from ...algebra.expr.walk import symbols as symbols_of
from ...basics.wording import brief
from ...errors import EvaluationError, UnknownNameError
from ...robot.model.body import WORLD
from .columns import columns, known_columns
from .plot import matplotlib, plain

if TYPE_CHECKING:
    from .trajectory import Trajectory

Floats = NDArray[np.float64]

OPTIONS: Final = {"fps": 25.0, "speed": 1.0, "size": 5.0}  # [1/s], factor, [inches]
FRAMES: Final = 2000  # most frames of one file
_FLAT: Final = 1e-9  # fraction of its size: a figure that leaves its plane by less is drawn in 2D
_LEAST: Final = 1e-3  # [m] half width of a figure that is one point


def segments(trajectory: Trajectory, q: Floats) -> Floats:
    """Lines (T, lines, 2, 3) from parent to body, and from the last bodies to their centres of mass."""
    eom, robot = trajectory.eom, trajectory.eom.robot
    moving = set(eom.q)
    with_children = {b.parent for b in robot.bodies}
    ends: list[tuple[Any, Any]] = []
    for b in robot.bodies:
        frame = eom.frame(b.name)
        # No line from the world to a body that moves freely.
        floating = b.parent == WORLD and not moving.isdisjoint(symbols_of(frame.position().entries))
        if not floating:
            ends.append((eom.frame(b.parent).position(), frame.position()))
        if b.name not in with_children and b.inertia.mass is not ZERO:
            ends.append((frame.position(), frame.position(at="com")))
    known = known_columns(eom, q, np.zeros((len(q), len(eom.v))), trajectory.parameters)
    entries = [x for a, b in ends for x in (*a.entries, *b.entries)]
    return columns(entries, known, len(q)).reshape(len(q), len(ends), 2, 3)


def save_gif(trajectory: Trajectory, path: Path, **options: Any) -> None:
    """Write the animation, played `speed` times as fast; for the options see `OPTIONS`."""
    fps, speed, size = _options(path, options)
    if not len(trajectory):
        raise EvaluationError(f"{path}: the trajectory must have at least one sample, got none.")
    first, last = float(trajectory.t[0]), float(trajectory.t[-1])
    count = max(1, round((last - first) * fps / speed)) + 1
    if count > FRAMES:
        raise EvaluationError(
            f"{path}: a gif must have at most {FRAMES} frames, got {count}; use a lower fps= or a "
            f"higher speed=."
        )
    times = np.linspace(first, last, count)
    lines = segments(trajectory, trajectory.at(times)[0])
    animation, figure_module = matplotlib("animation"), matplotlib("figure")
    figure = figure_module.Figure(figsize=(size, size))
    matplotlib("backends.backend_agg").FigureCanvasAgg(figure)
    draw = _in_plane(figure, lines) or _in_space(figure, lines)
    title = figure.axes[0].set_title("")
    writer = animation.PillowWriter(fps=fps)
    with writer.saving(figure, str(path), dpi=80):
        for t, frame in zip(times, lines, strict=True):
            draw(frame)
            title.set_text(f"{plain(trajectory.eom.robot.name)}, t = {t:.2f} s")
            writer.grab_frame()


def _options(path: Path, options: Mapping[str, Any]) -> list[float]:
    """Values of all options in their order, which must be finite and positive."""
    for name, x in options.items():
        if name not in OPTIONS:
            raise UnknownNameError("option", name, OPTIONS, f"the gif {path}")
        if not isinstance(x, (int, float, np.number)) or not 0 < float(cast(float, x)) < np.inf:
            raise EvaluationError(
                f"{path}: {name} of a gif must be a number greater than 0, got {brief(options[name])}."
            )
    return [float(options.get(name, x)) for name, x in OPTIONS.items()]


def _limits(lines: Floats, axis: int) -> tuple[float, float]:
    """Centre and half width of the figure along an axis."""
    x = lines[..., axis]
    return float(x.max() + x.min()) / 2, float(np.ptp(x)) / 2


def _in_plane(figure: Any, lines: Floats) -> Any:
    """Function that draws a frame in 2D, if the figure stays in a coordinate plane; otherwise None."""
    size = float(np.ptp(lines.reshape(-1, 3), axis=0).max())
    flat = [k for k in (1, 2, 0) if np.ptp(lines[..., k]) <= _FLAT * size]
    if not flat:
        return None
    i, j = (k for k in range(3) if k != flat[0])
    ax = figure.add_subplot()
    half = 1.1 * max(_limits(lines, i)[1], _limits(lines, j)[1]) or _LEAST
    for k, limit, label in ((i, ax.set_xlim, ax.set_xlabel), (j, ax.set_ylim, ax.set_ylabel)):
        middle = _limits(lines, k)[0]
        limit(middle - half, middle + half)
        label(f"{'xyz'[k]} [m]")
    ax.set_aspect("equal")
    drawn = [ax.plot([], [], "o-", linewidth=3, markersize=5, color="C0")[0] for _ in lines[0]]

    def draw(frame: Floats) -> None:
        for line, points in zip(drawn, frame, strict=True):
            line.set_data(points[:, i], points[:, j])

    return draw


def _in_space(figure: Any, lines: Floats) -> Any:
    """Function that draws a frame in 3D."""
    ax = figure.add_subplot(projection="3d")
    half = 1.05 * max(_limits(lines, k)[1] for k in range(3)) or 1.0
    for k, limit in enumerate((ax.set_xlim, ax.set_ylim, ax.set_zlim)):
        middle = _limits(lines, k)[0]
        limit(middle - half, middle + half)
    ax.locator_params(nbins=5)
    ax.set_xlabel("x [m]")
    ax.set_ylabel("y [m]")
    ax.set_zlabel("z [m]")
    drawn = [ax.plot([], [], [], "o-", linewidth=3, markersize=4, color="C0")[0] for _ in lines[0]]

    def draw(frame: Floats) -> None:
        for line, points in zip(drawn, frame, strict=True):
            line.set_data_3d(*points.T)

    return draw
