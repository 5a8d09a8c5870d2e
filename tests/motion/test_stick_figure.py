"""Stick figures: the plane that a flat motion is drawn in."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from equamo.motion.stick_figure import _in_plane

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
