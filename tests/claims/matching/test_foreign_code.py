"""Programs of other generators: SymPy's C is proved, CasADi's C agrees to rounding."""

from pathlib import Path

import pytest

from claims.matching.foreign_code import array_c, casadi_source, sympy_c
from equamo.claims import audit

ARMS = ("rr_arm", "three_link_arm")


@pytest.mark.parametrize("robot", ARMS)
@pytest.mark.parametrize("write", [sympy_c, array_c])
def test_sympy_is_proved(robot: str, write: object, tmp_path: Path) -> None:
    path = tmp_path / "arm.c"
    path.write_text(write(robot), encoding="utf-8")  # type: ignore[operator]
    report = audit(code=path, robot=robot, seed=1)
    assert [f.id for f in report.findings] == ["mass_matrix", "coriolis_matrix", "bias", "gravity"]
    assert all(f.verdict == "proved" and not f.remarks for f in report.findings), str(report)


@pytest.mark.parametrize("robot", ["UR5", "Panda"])
def test_casadi_agrees_to_rounding(robot: str, tmp_path: Path) -> None:
    model, text = casadi_source(robot)
    path = tmp_path / "dynamics.c"
    path.write_text(text, encoding="utf-8")
    # Pinocchio leaves the damping of Panda out.
    meaning = {"tau": "inverse_dynamics + passive_force"}
    report = audit(code=path, robot=model, mapping=meaning, seed=1)
    assert [f.id for f in report.findings] == ["dynamics.M", "dynamics.tau", "dynamics.h"]
    assert all(f.verdict == "agrees to rounding" for f in report.findings), str(report)
    assert report.ok
    entries = [e for f in report.findings for e in f.entries if e.verdict != "proved"]
    assert entries
    assert all("≤" in e.reason for e in entries)
