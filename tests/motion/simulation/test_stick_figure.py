"""Stick figures: the plane that a flat motion is drawn in."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from equamo.errors import EvaluationError
from equamo.mechanics.equations import derive
from equamo.motion.simulation.simulate import simulate
from equamo.motion.simulation.stick_figure import _in_plane, _in_space
from equamo.robot.model import Body, Robot, prismatic

pytestmark = pytest.mark.needs("matplotlib")


@pytest.mark.parametrize(
    ("flat", "labels"),
    [
        ((1,), ("x [m]", "z [m]")),
        ((2,), ("x [m]", "y [m]")),
        ((0,), ("y [m]", "z [m]")),
        ((1, 2), ("x [m]", "z [m]")),  # a motion along x is seen from the side
        ((0, 2), ("x [m]", "y [m]")),
    ],
)
def test_the_plane_of_a_flat_motion(flat: tuple[int, ...], labels: tuple[str, str]) -> None:
    lines = np.random.default_rng(1).normal(size=(5, 3, 2, 3))
    lines[..., flat] = 0.7
    figure = Figure()
    draw = _in_plane(figure, lines)
    (ax,) = figure.axes
    assert (ax.get_xlabel(), ax.get_ylabel()) == labels
    draw(lines[2])
    i, j = ("xyz".index(label[0]) for label in labels)
    for line, points in zip(ax.lines, lines[2], strict=True):
        assert np.array_equal(np.array(line.get_data()), points[:, (i, j)].T)


def test_a_motion_in_space_has_no_plane() -> None:
    assert _in_plane(Figure(), np.random.default_rng(1).normal(size=(5, 3, 2, 3))) is None


def test_lines_look_alike_in_a_plane_and_in_space() -> None:
    lines = np.random.default_rng(2).normal(size=(5, 3, 2, 3))
    styles = []
    for each, kind in ((lines * [1, 0, 1], _in_plane), (lines, _in_space)):
        figure = Figure()
        draw = kind(figure, each)
        draw(each[1])
        (ax,) = figure.axes
        assert len(ax.lines) == 3
        for line, points in zip(ax.lines, each[1], strict=True):
            data = line.get_data_3d() if kind is _in_space else line.get_data()
            shown = points if kind is _in_space else points[:, ::2]
            assert np.array_equal(np.array(data), shown.T)
        styles.append([(x.get_linewidth(), x.get_marker(), x.get_color()) for x in ax.lines])
        for k, limits in zip("xyz", (ax.get_xlim(), ax.get_ylim()), strict=False):
            seen = each[..., 2 if k == "y" and kind is _in_plane else "xyz".index(k)]
            assert limits[0] < seen.min() < seen.max() < limits[1]
    assert styles[0] == styles[1]


def test_a_gif_shows_25_frames_per_second_of_motion(tmp_path: Path) -> None:
    """Unless another number is asked for; too long a motion is refused before it is drawn."""
    slider = Robot("slider", [Body("b", prismatic("x", axis="x"), mass=1)], gravity="0 0 0")
    motion = simulate(derive(slider), v=[0], duration=100, t_eval=[0, 100])
    with pytest.raises(EvaluationError, match="at most 2000 frames, got 2501; use a lower fps="):
        motion.save(tmp_path / "long.gif")
