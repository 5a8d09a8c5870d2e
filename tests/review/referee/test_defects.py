"""The scripts that show defects of other libraries: each defect is still there, or its text must go."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equamo.review.referee.quiet import quiet

NEED_DRAKE = {"drake_massless_link"}  # Drake is not in the environment of the tests
FOLDER = Path(__file__).parents[3] / "examples" / "defects"


def script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with quiet():
        spec.loader.exec_module(module)
    return module


@pytest.mark.needs("pinocchio")
def test_pinocchio_crba_order() -> None:
    found = script("pinocchio_crba_order")
    assert found.error("acb") < 1e-12
    assert found.error("abc") > 0.1


@pytest.mark.needs("pybullet")
def test_pybullet_free_base() -> None:
    with quiet():
        M = script("pybullet_free_base").mass_matrix()
    assert M.shape == (8, 8)  # for seven speeds
    assert M[0, 0] == 2.0  # without the 3 kg of the base


@pytest.mark.needs("pybullet")
def test_pybullet_single_precision() -> None:
    with quiet():
        frame, center = script("pybullet_single_precision").positions()
    expected = np.array([np.cos(0.3), np.sin(0.3), 0.0])
    assert np.abs(center - expected).max() < 1e-15
    assert 1e-9 < np.abs(frame - expected).max() < 1e-7


def test_every_script_has_a_test() -> None:
    tested = {n.removeprefix("test_") for n in globals() if n.startswith("test_")}
    assert {p.stem for p in FOLDER.glob("*.py")} <= tested | NEED_DRAKE
