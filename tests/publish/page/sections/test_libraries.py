"""The section of the page on other libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

import equamo as eq
from command_line import equamo
from referee_texts import arm, written

pytestmark = pytest.mark.needs("mujoco", "pinocchio")


def test_section(tmp_path: Path) -> None:
    robot = eq.load(written(tmp_path, arm(dynamics='<dynamics damping="0.5"/>')))
    referee = eq.compare_with(robot, ["pinocchio", "mujoco"], states=2)
    path = eq.report(robot, tmp_path / "arm.html", referee=referee, prove=False, simulate=False,
                     time=False)  # fmt: skip
    text = path.read_text("utf-8")
    assert 'id="libraries"' in text
    assert "damping: equamo includes the damping of the file" in text
    assert "quaternions are (x, y, z, w)" in text
    assert 'href="#libraries"' in text


def test_a_page_without_comparison_has_no_section(tmp_path: Path) -> None:
    path = eq.report(
        eq.load("rr_arm"), tmp_path / "rr.html", prove=False, simulate=False, time=False
    )
    assert 'id="libraries"' not in path.read_text("utf-8")


def test_command(tmp_path: Path) -> None:
    out = tmp_path / "rr.html"
    done = equamo("report", "rr_arm", "--compare", "pinocchio,mujoco", "--no-prove", "--no-time",
                  "--out", str(out))  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = out.read_text("utf-8")
    assert "not compared: mujoco" in text


def test_errors(tmp_path: Path) -> None:
    robot = eq.load(written(tmp_path, arm()))
    with pytest.raises(eq.EquamoError, match="referee must be a RefereeReport from eq"):
        eq.report(robot, tmp_path / "a.html", referee=3)  # type: ignore
    other = eq.compare_with("rr_arm", "pinocchio", states=1)
    with pytest.raises(eq.EquamoError, match="comparison must belong to robot 'arm'"):
        eq.report(robot, tmp_path / "a.html", referee=other, prove=False)
