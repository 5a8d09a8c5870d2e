"""Errors put into programs: all are found, and no original is called wrong."""

from pathlib import Path

import pytest

from conftest import WHOLE_SWEEPS
from equamo.mechanics.equations import derive
from equamo.review.claims import audit
from equamo.review.claims.finding import Finding
from equamo.robot.catalog import load
from review.claims.matching.code_errors import (
    KINDS,
    CFunction,
    Seeded,
    casadi_errors,
    functions,
    numpy_errors,
    one_file,
    seeded,
)
from review.claims.matching.foreign_code import array_c, casadi_source, numpy_module, sympy_c

pytestmark = pytest.mark.needs("pcpp", "pycparser", "sympy")

# 200 in all: in C and NumPy of SymPy, and in C of CasADi.
COUNT, ARMS = (140, ("rr_arm", "three_link_arm")) if WHOLE_SWEEPS else (20, ("rr_arm",))
IN_NUMPY, IN_CASADI = (40, 20) if WHOLE_SWEEPS else (5, 2)
Outcome = list[tuple[Seeded, Finding]]


def originals(robot: str) -> list[CFunction]:
    """All but those of SymPy that have a line of many pages."""
    listed = [*functions(sympy_c(robot)), *functions(array_c(robot))]
    return [f for f in listed if len(f.body) < 10_000]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    folder = tmp_path_factory.mktemp("seeded")
    found: Outcome = []
    for robot in ARMS:
        errors = seeded(originals(robot), COUNT // len(ARMS), seed=11, folder=folder)
        path = folder / f"{robot}.c"
        path.write_text(one_file(s.edited for s in errors), encoding="utf-8")
        found += zip(errors, audit(code=path, robot=robot, seed=1).findings, strict=True)
    return found


@pytest.mark.needs("gcc")
@pytest.mark.ci
def test_every_error_is_found(outcome: Outcome) -> None:
    assert len(outcome) == COUNT
    assert {s.kind for s, _ in outcome} == set(KINDS)
    missed = [
        (s.kind, s.edited.body) for s, f in outcome if f.verdict not in ("wrong", "convention")
    ]
    assert not missed


def test_every_wrong_entry_has_a_state_and_a_line(outcome: Outcome) -> None:
    for _, f in outcome:
        for e in f.entries:
            if e.verdict == "wrong":
                assert e.reason.startswith("line ")
                assert e.proof is not None
                assert e.proof.counterexample is not None
                assert e.residual is not None


def test_most_errors_have_a_suggestion(outcome: Outcome) -> None:
    helped = sum(any(e.suggestion for e in f.entries) or bool(f.diagnosis) for _, f in outcome)
    assert helped >= 0.5 * COUNT, f"{helped} of {COUNT}"


@pytest.mark.parametrize("robot", ARMS)
def test_originals_are_proved(robot: str, tmp_path: Path) -> None:
    path = tmp_path / "originals.c"
    path.write_text(one_file(originals(robot)), encoding="utf-8")
    assert {f.verdict for f in audit(code=path, robot=robot, seed=1).findings} == {"proved as read"}


def test_every_error_in_numpy_is_found(tmp_path: Path) -> None:
    path = tmp_path / "arm.py"
    for robot in ARMS:
        for kind, name, text in numpy_errors(numpy_module(robot), IN_NUMPY // len(ARMS), seed=12):
            path.write_text(text, encoding="utf-8")
            report = audit(code=path, robot=robot, functions=[name], seed=1)
            assert report.findings[0].verdict in ("wrong", "convention"), (kind, text)


@pytest.mark.needs("casadi", "gcc", "pinocchio")
def test_every_error_in_rounded_code_is_found(tmp_path: Path) -> None:
    model, text = casadi_source("UR5")
    path = tmp_path / "dynamics.c"
    eom = derive(load(model))
    for kind, edited in casadi_errors(text, [36, 6, 6], IN_CASADI, seed=13, folder=tmp_path):
        path.write_text(edited, encoding="utf-8")
        report = audit(code=path, robot=eom, seed=1)
        assert "wrong" in {f.verdict for f in report.findings}, kind
        assert not report.ok
