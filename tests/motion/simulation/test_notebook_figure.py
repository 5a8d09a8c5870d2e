"""The figure of a motion in a notebook: a picture, shown once."""

from pathlib import Path
from typing import Any

import matplotlib.figure
import matplotlib.image
import matplotlib.pyplot as plt
import pytest

import equamo as eq

pytestmark = pytest.mark.needs("matplotlib")


@pytest.fixture(scope="module")
def motion() -> eq.Trajectory:
    return eq.simulate(eq.derive(eq.load("rr_arm")), q={"q1": 1}, duration=0.2)


def displayed(value: Any) -> dict[str, Any]:
    """What a notebook shows of a value: the types that its methods give, without any formatter."""
    kinds = {"png": "image/png", "svg": "image/svg+xml", "jpeg": "image/jpeg", "html": "text/html"}
    methods = {mime: getattr(value, f"_repr_{kind}_", None) for kind, mime in kinds.items()}
    found = {mime: method() for mime, method in methods.items() if method is not None}
    return {mime: x for mime, x in found.items() if x is not None}


def test_a_notebook_shows_a_picture(motion: eq.Trajectory, tmp_path: Path) -> None:
    shown = displayed(motion.plot())
    assert list(shown) == ["image/png"]  # one picture, not one per format
    (tmp_path / "shown.png").write_bytes(shown["image/png"])
    pixels = matplotlib.image.imread(tmp_path / "shown.png")
    assert min(pixels.shape[:2]) > 300
    assert pixels.std() > 0.05  # curves, not an empty page


def test_pyplot_does_not_show_it_again(motion: eq.Trajectory) -> None:
    before = plt.get_fignums()
    motion.plot()
    assert plt.get_fignums() == before


@pytest.mark.ci
def test_it_is_a_figure_for_scripts(motion: eq.Trajectory, tmp_path: Path) -> None:
    figure = motion.plot()
    assert isinstance(figure, matplotlib.figure.Figure)
    figure.savefig(tmp_path / "motion.svg")
    assert "<svg" in (tmp_path / "motion.svg").read_text(encoding="utf-8")
