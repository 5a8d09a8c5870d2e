"""Programs of other generators: SymPy's code is proved, CasADi's C agrees to rounding."""

import re
from pathlib import Path

import pytest

from equamo.review.claims import audit
from review.claims.matching.foreign_code import (
    array_c,
    casadi_source,
    numpy_module,
    octave_functions,
    sympy_c,
)

pytestmark = pytest.mark.needs("sympy")

ARMS = ("rr_arm", "three_link_arm")


@pytest.mark.needs("pcpp", "pycparser")
@pytest.mark.sweep(1)
@pytest.mark.parametrize("robot", ARMS)
@pytest.mark.parametrize("write", [sympy_c, array_c])
def test_sympy_is_proved(robot: str, write: object, tmp_path: Path) -> None:
    path = tmp_path / "arm.c"
    path.write_text(write(robot), encoding="utf-8")  # type: ignore[operator]
    report = audit(code=path, robot=robot, seed=1)
    assert [f.id for f in report.findings] == ["mass_matrix", "coriolis_matrix", "bias", "gravity"]
    assert all(f.verdict == "proved as read" and not f.remarks for f in report.findings), str(
        report
    )


@pytest.mark.parametrize("robot", ARMS)
def test_octave_functions_of_document_002_are_proved(robot: str, tmp_path: Path) -> None:
    """Mfunc, bfunc and gfunc, as section 3.4 has them written by matlabFunction."""
    paths: list[Path] = []
    for name, text in octave_functions(robot).items():
        paths.append(tmp_path / name)
        paths[-1].write_text(text, encoding="utf-8")
    report = audit(code=paths, robot=robot, seed=1)
    assert [f.place.partition(", ")[2] for f in report.findings] == [
        "mass_matrix",
        "bias",
        "gravity",
    ]
    assert all(f.verdict == "proved as read" and not f.remarks for f in report.findings), str(
        report
    )
    text = paths[2].read_text(encoding="utf-8")
    paths[2].write_text(re.sub(r"\bcos\b", "sin", text), encoding="utf-8")
    assert audit(code=paths[2], robot=robot, seed=1).findings[0].verdict == "wrong"


@pytest.mark.parametrize("robot", ARMS)
def test_numpy_is_proved(robot: str, tmp_path: Path) -> None:
    path = tmp_path / "arm.py"
    path.write_text(numpy_module(robot), encoding="utf-8")
    report = audit(code=path, robot=robot, seed=1)
    assert [f.id for f in report.findings] == ["mass_matrix", "coriolis_matrix", "bias", "gravity"]
    assert all(f.verdict == "proved as read" and not f.remarks for f in report.findings), str(
        report
    )


@pytest.mark.needs("casadi", "pcpp", "pycparser")
@pytest.mark.parametrize("robot", ["UR5", "Panda"])
def test_casadi_agrees_to_rounding(robot: str, tmp_path: Path) -> None:
    model, text = casadi_source(robot)
    path = tmp_path / "dynamics.c"
    path.write_text(text, encoding="utf-8")
    # Pinocchio leaves the damping of Panda out.
    meaning = {"tau": "inverse_dynamics + passive_force"}
    report = audit(code=path, robot=model, mapping=meaning, accept=["as read"], seed=1)
    assert [f.id for f in report.findings] == ["dynamics.M", "dynamics.tau", "dynamics.h"]
    assert all(f.verdict == "agrees to rounding" for f in report.findings), str(report)
    assert report.ok
    entries = [e for f in report.findings for e in f.entries if e.verdict != "proved as read"]
    assert entries
    assert all("≤" in e.reason for e in entries)
