"""Plausible mistakes of a new user: each is an EquamoError that says what must hold."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq

ARM = eq.load("rr_arm")
EOM = eq.derive(ARM)

MISTAKES: list[tuple[Callable[[Any], Any], str]] = [
    (
        lambda e: e.load(3),
        r"load: name must be a built-in robot or the path of a file.*got 3",
    ),
    (lambda e: e.load(ARM), "got a Robot"),
    (lambda e: e.load(["rr_arm"]), r"got \['rr_arm'\]"),
    (lambda e: e.derive(ARM, by=["kane"]), "formulation must be given by name.*Valid: kane"),
    (
        lambda e: e.compile(EOM).function(EOM.gravity),
        "must be given by name, got a Vector of shape",
    ),
    (lambda e: e.compile(EOM).gravity("q1=1"), "must be real numbers .*q1, q2.* got 'q1=1'"),
    (lambda e: e.simulate(EOM, duration="long"), "duration must be a number, got 'long'"),
    (lambda e: e.simulate(EOM, duration=-1), "duration must be greater than 0 s, got -1"),
    (lambda e: e.simulate(EOM, duration=1, rtol=0), "rtol must be greater than 0, got 0"),
    (lambda e: e.prove(ARM, error_bits="many"), "error_bits must be a whole number, got 'many'"),
    (lambda e: e.prove(ARM, seed=1.5), r"seed must be a whole number, got 1\.5"),
    (lambda e: e.prove(ARM, progress=3), "progress must be a function that takes a text, got 3"),
    (
        lambda e: e.generate(EOM, certificate=True),
        r"of equations, from eq.prove\(eom\), got True",
    ),
    (lambda e: e.generate(EOM, prove="no"), "prove must be True or False, got 'no'"),
    (
        lambda e: e.generate(EOM, functions=[EOM.gravity]),
        "must be given by name, got a Vector of shape",
    ),
    (lambda e: e.report(ARM, "page.pdf"), r"ending in \.html, got 'page.pdf'"),
    (lambda e: e.report(ARM, 3), r"ending in \.html, got 3"),
    (lambda e: EOM.mass_matrix[1.5, 0], "whole number or one of q1, q2, got 1.5"),
    (lambda e: EOM.mass_matrix[0, 0, 0], "two indices, got"),
    (lambda e: EOM.gravity[None], "whole number or one of q1, q2, got None"),
    (lambda e: e.equilibria(EOM, starts="all"), "starts must be an integer ≥ 0, got 'all'"),
    (
        lambda e: e.equilibria(EOM, free=3),
        "free must be a list of coordinate or input names, got 3",
    ),
    (lambda e: e.equilibria(EOM, seed="x"), "seed must be an integer ≥ 0, got 'x'"),
    (
        lambda e: e.computed_torque(EOM, None),
        r"the reference must have 2 entries \(q1, q2\), got 1",
    ),
    (
        lambda e: e.computed_torque(EOM, {"q1": "t", "q2": 0}, kp="x*"),
        "kp must consist of finite numbers or expressions",
    ),
    (lambda e: e.controllability(EOM), r"must be a linear system.*eq.linearize\(eom\)"),
    (lambda e: e.audit(3, ARM), "claims must be the path of a claims file.*got 3"),
    (lambda e: e.Robot("r", [], gravity=9.81), "three components.*got 9.81"),
    (lambda e: e.Robot("r", [], gravity="0 -g"), "got '0 -g', which has 2 components"),
    (
        lambda e: e.Robot("r", [], limits=3),
        r"limits of robot .r. must be a mapping by name, .*, got 3",
    ),
    (lambda e: e.parse(3), r"3 \(an int\)"),
]


@pytest.mark.parametrize(("mistake", "message"), MISTAKES, ids=[m for _, m in MISTAKES])
def test_a_mistake_is_explained(
    mistake: Callable[[Any], Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(eq.EquamoError, match=message):
        mistake(eq)
    assert not list(tmp_path.iterdir())


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "arm.txt").write_text("<robot/>")
    with pytest.raises(
        eq.EquamoError, match=r"suffix of a robot file must be \.urdf.*, got '\.txt'"
    ):
        eq.load(tmp_path / "arm.txt")


def test_a_file_of_another_kind_in_this_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("arm.txt").write_text("<robot/>")
    with pytest.raises(
        eq.EquamoError, match=r"suffix of a robot file must be \.urdf.*, got '\.txt'"
    ):
        eq.load("arm.txt")


def test_a_motion_is_saved_to_a_path() -> None:
    motion = eq.simulate(EOM, duration=0.01)
    with pytest.raises(eq.EquamoError, match=r"path must be the path of a file \(\.npz.*got 3"):
        motion.save(3)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_indices() -> None:
    assert EOM.gravity[np.int64(1)] is EOM.gravity[1]
    assert EOM.mass_matrix[np.int32(0), 1] is EOM.mass_matrix[0, 1]
