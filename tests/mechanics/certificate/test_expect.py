"""A certificate is printed only next to the equations that it proves, and only where it was proved."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import equamo as eq
from equamo.algebra.identity import Proof
from equamo.code.ir.functions import functions
from equamo.code.ir.proof import prove_programs
from equamo.errors import EquamoError, FileFormatError
from equamo.mechanics.certificate import (
    Certificate,
    certificate as module,
    expect_certificate,
    prove,
    proved,
)
from equamo.mechanics.certificate.identities import REPLACED
from equamo.mechanics.equations.digests import equations_digest
from equamo.robot.formats.json_file import digest

ARM = eq.load("rr_arm")
EOM = eq.derive(ARM)
PROVED = prove(ARM)
OTHER = eq.derive(eq.load("rp_arm"))


def other_equations() -> dict[str, eq.EquationsOfMotion]:
    """Equations that `PROVED` does not prove."""
    d = EOM.derivation
    wrong = replace(EOM, derivation=replace(d, gravity=-d.gravity))
    cached = copy.copy(EOM)
    zero = dict.fromkeys(d.forces, d.bias * 0)
    cached.__dict__["gravity"] = -EOM.gravity
    return {
        "gravity negated": wrong,
        "gravity negated, by kane": replace(wrong, by="kane"),
        "gravity negated, pickled": pickle.loads(pickle.dumps(wrong)),
        "gravity negated, copied": copy.deepcopy(wrong),
        "gravity negated in the cache": cached,
        "bias doubled": replace(EOM, derivation=replace(d, bias=d.bias * 2)),
        "forces dropped": replace(EOM, derivation=replace(d, forces=zero)),
        "g = 0": EOM.subs({"g": 0}),
        "another value": eq.derive(ARM.with_values(m1=7)),
        "C split": eq.derive(ARM, coriolis="split"),
        "recursion called kane": replace(EOM, by="kane"),
        "another robot": OTHER,
        "equations of another robot": replace(EOM, robot=ARM.with_values(m1=7)),
    }  # fmt: skip


@pytest.mark.parametrize("what", other_equations())
def test_other_equations(what: str) -> None:
    with pytest.raises(EquamoError, match="must name the digest of exactly these equations"):
        expect_certificate(PROVED, other_equations()[what], "generate()")


def changed_in_the_cache() -> dict[str, eq.EquationsOfMotion]:
    """Equations whose digest is that of `PROVED`, with a quantity that the derivation does not give."""
    edited, negated, short = (eq.derive(ARM, by="kane") for _ in range(3))
    edited.__dict__["coriolis_matrix"] = 2 * edited.coriolis_matrix
    copied = copy.copy(edited)
    negated.__dict__["momentum"] = -negated.momentum
    short.__dict__["center_of_mass"] = eq.Vector(list(short.center_of_mass)[:2])
    return {
        "in the cache": edited, "copied": copied, "pickled": pickle.loads(pickle.dumps(edited)),
        "another shape": short, "negated": negated,
    }  # fmt: skip


@pytest.mark.parametrize("what", changed_in_the_cache())
def test_quantities_changed_in_the_cache(what: str) -> None:
    eom = changed_in_the_cache()[what]
    assert equations_digest(eom) in PROVED.equations.values()
    with pytest.raises(
        EquamoError, match="quantity of the equations must be what their derivation"
    ):
        expect_certificate(PROVED, eom, "generate()")


def test_equations_changed_in_the_cache_are_not_proved() -> None:
    """Nor is the code of their functions: program and equations would be the same wrong C."""
    eom = changed_in_the_cache()["in the cache"]
    with pytest.raises(
        EquamoError, match=r"prove\(\): every quantity .* got another coriolis_matrix"
    ):
        prove(eom)
    f = functions(eom)["coriolis_matrix"]
    (proof,) = prove_programs(eom, [(f, f.program())])
    assert proof.verdict == "undecided"
    assert "coriolis_matrix was changed" in proof.reason


def test_quantities_changed_before_symbols_are_replaced() -> None:
    whole = eq.derive(ARM, by="kane")
    whole.__dict__["coriolis_matrix"] = 2 * whole.coriolis_matrix
    eom = whole.subs({"g": 2})
    certificate = prove(eq.derive(ARM, by="kane").subs({"g": 2}))
    with pytest.raises(EquamoError, match="got another coriolis_matrix"):
        expect_certificate(certificate, eom, "generate()")


def test_the_same_equations_are_the_same_however_they_were_made() -> None:
    certificate = PROVED
    for same in (eq.derive(eq.load("rr_arm")), pickle.loads(pickle.dumps(EOM)), copy.copy(EOM),
                 replace(EOM), eq.derive(ARM, by="kane")):  # fmt: skip
        assert expect_certificate(certificate, same, "x") is certificate


def negated(line: module.Line) -> module.Line:
    return replace(line, name="g = 0")


CHANGES: dict[str, Callable[[Certificate], Certificate]] = {
    "lines dropped": lambda c: replace(c, lines=c.lines[1:]),
    "all lines dropped": lambda c: replace(c, lines=()),
    "a line renamed": lambda c: replace(c, lines=(negated(c.lines[0]), *c.lines[1:])),
    "a verdict": lambda c: replace(
        c, lines=(replace(c.lines[0], proof=Proof("proved", -500.0)), *c.lines[1:])
    ),
    "remarks": lambda c: replace(c, remarks=("everything is proved",)),
    "seed": lambda c: replace(c, seed=c.seed + 1),
    "written by hand": lambda c: Certificate(
        c.robot, c.lines, (), (), 1, 100, (), 0.0, equations=c.equations
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_certificate(what: str) -> None:
    changed = CHANGES[what](PROVED)
    assert not changed.is_proved_here
    assert "as stored, not proved in this process" in str(changed) + repr(changed)
    with pytest.raises(EquamoError, match="got one that was loaded or changed"):
        expect_certificate(changed, EOM, "generate()")


def test_a_verdict_that_is_set_by_force() -> None:
    wrong = other_equations()["gravity negated"]
    certificate = prove(wrong)
    assert not certificate.ok
    assert expect_certificate(certificate, wrong, "x") is certificate  # and the header says NOT
    good = tuple(replace(x, proof=Proof("proved")) for x in certificate.lines)
    object.__setattr__(certificate, "lines", good)
    assert certificate.ok
    with pytest.raises(EquamoError, match="loaded or changed"):
        expect_certificate(certificate, wrong, "generate()")
    assert not proved(wrong).ok  # proved again, though the changed one was the last


def test_digests_that_are_exchanged() -> None:
    """A refuted certificate of wrong equations does not become one by other digests."""
    wrong = other_equations()["gravity negated"]
    forged = replace(PROVED, equations={"recursive": equations_digest(wrong)})
    with pytest.raises(EquamoError, match="loaded or changed"):
        expect_certificate(forged, wrong, "generate()")
    with pytest.raises(EquamoError, match="their digests differ"):
        forged.export("never.json")


def test_derivations_that_are_exchanged(tmp_path: Path) -> None:
    """An exported proof is of the equations that the certificate names."""
    wrong = other_equations()["gravity negated"]
    certificate = PROVED
    forged = replace(certificate, derivations={**certificate.derivations, "kane": wrong.derivation})
    with pytest.raises(EquamoError, match="their digests differ"):
        forged.export(tmp_path / "proof.json")
    certificate.export(tmp_path / "proof.json")
    data = json.loads((tmp_path / "proof.json").read_text("utf-8"))
    assert data["equations_sha256"]["recursive"] == equations_digest(EOM)


def test_a_loaded_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = PROVED
    certificate.save(tmp_path / "arm.json")
    here = Certificate.load(tmp_path / "arm.json")
    assert here.is_proved_here  # this process wrote the file
    assert expect_certificate(here, EOM, "x") is here
    monkeypatch.setattr(module, "_PROVED", set[str]())  # as in another process
    loaded = Certificate.load(tmp_path / "arm.json")
    assert loaded.lines == certificate.lines
    assert not loaded.is_proved_here
    assert "not proved in this process" in str(loaded)
    with pytest.raises(EquamoError, match="loaded or changed"):
        expect_certificate(loaded, EOM, "generate()")
    checked = eq.check_file(tmp_path / "arm.json", ARM)
    assert expect_certificate(checked, EOM, "generate()") is checked


def test_a_forged_file(tmp_path: Path) -> None:
    data = PROVED.to_data()
    data["certificate"]["lines"] = data["certificate"]["lines"][:1]
    data["sha256"] = digest(data["certificate"])
    (tmp_path / "arm.json").write_text(json.dumps(data), "utf-8")
    forged = Certificate.load(tmp_path / "arm.json")
    with pytest.raises(EquamoError, match="loaded or changed"):
        expect_certificate(forged, EOM, "generate()")


@pytest.mark.ci
@pytest.mark.parametrize("given", [EOM.subs({"g": 0}), eq.derive(ARM, by="kane", coriolis="split")])
def test_given_equations_are_proved_as_they_are(
    given: eq.EquationsOfMotion, tmp_path: Path
) -> None:
    certificate = prove(given)
    assert certificate.ok
    assert expect_certificate(certificate, given, "x") is certificate
    expect_certificate(certificate, EOM, "x")
    names = {x.name for x in certificate.lines} - {x.name for x in PROVED.lines}
    if given.replaced is None:
        assert names == {"C v = bias, C split"}
    else:
        assert len(names) == 4
        assert all(n.startswith("recursive = ") and n.endswith(REPLACED) for n in names)
    certificate.save(tmp_path / "given.json")
    again = eq.check_file(tmp_path / "given.json", ARM)
    assert expect_certificate(again, given, "x") is again
    certificate.export(tmp_path / "proof.json")
    data = json.loads((tmp_path / "proof.json").read_text("utf-8"))
    assert names <= {x["name"] for x in data["identities"]}
    replace(certificate, derivations={}).export(tmp_path / "proof.json")


def test_wrong_equations_with_symbols_replaced() -> None:
    d = EOM.derivation
    wrong = replace(EOM, derivation=replace(d, gravity=d.gravity * 2)).subs({"m1": 3})
    certificate = prove(wrong)
    refuted = [x.name for x in certificate.lines if x.proof.verdict == "refuted"]
    assert "recursive = kane, symbols replaced" in refuted


@pytest.mark.ci
@pytest.mark.parametrize(
    "choices", ["recursive", {"by": "kane"}, {"by": "magic", "coriolis": "split", "replaced": []}]
)
def test_damaged_choices(choices: Any, tmp_path: Path) -> None:
    data = prove(eq.derive(ARM, coriolis="split")).to_data()
    data["certificate"]["choices"] = choices
    data["sha256"] = digest(data["certificate"])
    (tmp_path / "arm.json").write_text(json.dumps(data), "utf-8")
    with pytest.raises(FileFormatError, match=r"choices of equations|Unknown formulation"):
        eq.check_file(tmp_path / "arm.json")


@pytest.mark.ci
def test_what_is_no_certificate_of_equations() -> None:
    fast = eq.compile(EOM)
    fast.gravity([0, 0])
    for given in (fast.certificate(), "proved", True):
        with pytest.raises(EquamoError, match="must be a Certificate of equations"):
            expect_certificate(given, EOM, "generate()")
    assert fast.certificate().equations == {"recursive": equations_digest(EOM)}
    assert fast.certificate().is_proved_here
