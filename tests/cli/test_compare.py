"""`equamo compare`: table, JSON, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import equamo
from referee_texts import arm, written


@pytest.mark.needs("mujoco", "pinocchio")
def test_table_and_exit_code(tmp_path: Path) -> None:
    path = str(written(tmp_path, arm(dynamics='<dynamics damping="0.5"/>')))
    done = equamo("compare", path, "--with", "pinocchio, mujoco", "--states", "3")
    assert done.returncode == 0, done.stderr
    assert "arm: 2 degrees of freedom, 3 random states (seed 0)" in done.stdout
    assert "damping" in done.stdout
    free = equamo("compare", path, "--base", "free", "--states", "2")
    assert "8 degrees of freedom" in free.stdout


@pytest.mark.needs("pinocchio")
def test_json_and_file(tmp_path: Path) -> None:
    path, out = str(written(tmp_path, arm())), tmp_path / "report.json"
    done = equamo("compare", path, "--states", "2", "--seed", "3", "--json", "--out", str(out))
    data = json.loads(done.stdout)
    assert data == json.loads(out.read_text("utf-8"))
    assert data["seed"] == 3
    assert data["libraries"][0]["library"] == "pinocchio"


@pytest.mark.needs("mujoco")
def test_a_library_that_refuses_the_robot() -> None:
    done = equamo("compare", "rr_arm", "--with", "mujoco", "--states", "2")
    assert done.returncode == 1
    assert "not compared" in done.stdout


def test_an_unknown_library() -> None:
    done = equamo("compare", "rr_arm", "--with", "pinochio")
    assert done.returncode == 2
    assert "Unknown library 'pinochio'" in done.stderr
