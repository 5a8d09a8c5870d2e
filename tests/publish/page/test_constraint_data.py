"""Constraint forces on the page: drawn along the motion, plotted over time."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import equamo as eq
from equamo.publish.page.constraint_data import constraint_data
from equamo.publish.page.report import report
from robot_pages import opened

pytestmark = pytest.mark.needs("pinocchio")


def test_the_data_are_the_forces_of_the_motion() -> None:
    motion = eq.simulate(eq.derive(eq.load("four_bar")), duration=0.5, progress=False)
    data = constraint_data(motion)
    assert data is not None
    forces = motion.constraint_forces
    assert data["rows"] == list(forces)
    x, y = (np.array(data["multipliers"])[:, k] for k in (0, 1))
    np.testing.assert_allclose(x, forces["closure x"], rtol=1e-5, atol=1e-9)
    vectors = np.array(data["loads"][0]["force"])
    np.testing.assert_allclose(vectors, np.stack([x, y, 0 * x], axis=1), rtol=1e-5)  # of the world


@pytest.mark.browser
def test_the_page_draws_the_forces_of_the_motion(tmp_path: Path) -> None:
    eom = eq.derive(eq.load("four_bar"))
    motion = eq.simulate(eom, duration=0.5, progress=False)
    path = report(eom, tmp_path / "m.html", trajectory=motion, time=False, prove=False)
    with opened(path) as page:
        shown = "document.querySelectorAll('#chart-forces svg.chart').length"
        assert page.evaluate(shown) == 1
        options = "[...document.querySelectorAll('#options input')].map((x) => x.dataset.option)"
        assert "forces" in page.evaluate(options)
        page.evaluate("equamo.player.seek(0.25)")
        assert page.evaluate("equamo.state.onTrack") is True
        page.evaluate("equamo.state.setCoordinate(0, 1)")
        assert page.evaluate("equamo.state.onTrack") is False


def test_robots_without_loops_have_none(tmp_path: Path) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    motion = eq.simulate(eom, duration=0.1, progress=False)
    assert constraint_data(motion) is None
    path = report(eom, tmp_path / "m.html", trajectory=motion, time=False, prove=False)
    text = path.read_text(encoding="utf-8")
    assert 'data-option="forces"' not in text
    assert json.dumps("constraints") in text
