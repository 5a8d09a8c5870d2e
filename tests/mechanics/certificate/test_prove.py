"""Proofs share derivations, and equations can be proved without deriving them again."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import equamo as eq
from counted_derivations import counted_derivations
from equamo.errors import FileFormatError, ModelError
from equamo.mechanics.certificate import check_file, proved, statement
from equamo.mechanics.certificate.recent import recall
from equamo.mechanics.equations import FORMULATIONS

ONCE = Counter(FORMULATIONS.keys())


def test_equations_and_robot_share_what_was_derived(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = counted_derivations(monkeypatch)
    robot = eq.load("rp_arm")
    eom = eq.derive(robot, by="kane")
    first = eq.prove(eom)
    assert first.derivations["kane"] is eom.derivation
    second = eq.prove(robot)
    assert first.ok
    assert second.ok
    assert eq.derive(robot, by="lagrange").derivation is first.derivations["lagrange"]
    assert ran == ONCE


def test_boltzmann_hamel_is_derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = eq.load("wheeled_inverted_pendulum")
    ran: list[str] = []
    derive = statement.boltzmann_hamel
    monkeypatch.setattr(statement, "boltzmann_hamel", lambda r: ran.append(r.name) or derive(r))
    first, second = eq.prove(robot), eq.prove(robot)
    assert first.derivations["boltzmann_hamel"] is second.derivations["boltzmann_hamel"]
    assert ran == [robot.name]


def test_a_certificate_is_saved_without_deriving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = counted_derivations(monkeypatch)
    eq.prove(eq.load("rp_arm")).save(tmp_path / "arm.json")
    assert ran == ONCE


def test_a_file_is_checked_with_one_derivation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    eq.prove(eq.load("rp_arm"), seed=1).save(tmp_path / "arm.json")
    ran = counted_derivations(monkeypatch)
    written: list[str] = []
    identities = statement.identities
    monkeypatch.setattr(
        statement, "identities", lambda eoms: written.append("all") or identities(eoms)
    )
    certificate = check_file(tmp_path / "arm.json", seed=2)
    assert certificate.ok
    assert certificate.seed == 2
    assert ran == ONCE
    assert written == ["all"]


def test_wrong_equations_are_refuted_and_not_taken_for_the_robot() -> None:
    robot = eq.load("rr_arm").with_values(m1=5)
    eom = eq.derive(robot, by="kane")
    d = eom.derivation
    wrong = replace(eom, derivation=replace(d, gravity=-d.gravity))
    certificate = eq.prove(wrong)
    bad = [line.name for line in certificate.lines if line.proof.verdict == "refuted"]
    with_kane = [n for n in (x.name for x in certificate.lines) if n.startswith("kane = ")]
    assert bad == [*with_kane, "M v̇ + C v + g = inverse dynamics"]
    assert recall(robot) is None
    assert proved(eom).ok  # these are other equations
    assert proved(wrong) is certificate
    assert proved(robot).ok


def test_equations_under_another_name_are_compared() -> None:
    eom = eq.derive(eq.load("rr_arm"), by="kane")
    named = replace(eom, by="my_own")
    assert "my own = recursive" in [line.name for line in eq.prove(named).lines]
    d = eom.derivation
    wrong = replace(named, derivation=replace(d, bias=-d.bias))
    refuted = [line.name for line in eq.prove(wrong).lines if not line.proof]
    assert refuted == ["my own = recursive"]


def test_wrong_equations_do_not_pass_as_a_file(tmp_path: Path) -> None:
    eom = eq.derive(eq.load("rr_arm"), by="kane")
    d = eom.derivation
    eq.prove(replace(eom, derivation=replace(d, gravity=-d.gravity))).save(tmp_path / "x.json")
    with pytest.raises(FileFormatError, match="differs from the recomputed"):
        check_file(tmp_path / "x.json")


def test_replaced_equations_are_proved_before_the_replacement() -> None:
    eom = eq.derive(eq.load("rr_arm"), by="kane")
    certificate = eq.prove(eom.subs({"g": 0}))
    assert certificate.ok
    assert certificate.derivations["kane"] is eom.derivation
    assert any("symbols were replaced" in x for x in certificate.remarks)
    split = eq.derive(eq.load("rr_arm"), coriolis="split")
    assert eq.prove(split).ok  # Ṁ − 2C of Christoffel's C


def test_other_objects_are_refused() -> None:
    with pytest.raises(ModelError, match=r"prove: expected a Robot, got"):
        eq.prove("rr_arm")  # pyright: ignore[reportArgumentType]
