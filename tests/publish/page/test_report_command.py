"""`equamo report`: a good run, and bad ones that say what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

import equamo as eq
from equamo.cli import report as command
from equamo.errors import EquamoError
from equamo.motion.simulation.simulate import simulate
from equamo.publish.page.report import report
from equamo.review.claims import audit, claim


def run(*words: str | Path) -> Result:
    app = typer.Typer()
    app.command()(command.run)
    return CliRunner().invoke(app, [str(w) for w in words])


def test_it_writes_the_page(tmp_path: Path) -> None:
    out = tmp_path / "arm.html"
    done = run("rr_arm", "--out", out, "--no-time", "--json")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert said == {"robot": "rr_arm", "file": str(out), "bytes": out.stat().st_size}
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_it_plays_a_motion_from_a_file(tmp_path: Path) -> None:
    motion = simulate(eq.derive(eq.load("rr_arm")), q={"q1": 0.5}, duration=0.25)
    motion.save(tmp_path / "motion.npz")
    done = run("rr_arm", "--out", tmp_path / "x.html", "--trajectory", tmp_path / "motion.npz",
               "--no-time", "--no-prove")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "0.25 s simulated by DOP853" in (tmp_path / "x.html").read_text(encoding="utf-8")


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no_such_robot"], "no_such_robot"),
        (["rr_arm", "--by", "guess"], "guess"),
        (["rr_arm", "--no-prove", "--no-time", "--out", "/no/such/folder/x.html"], "/no/such"),
        (["rr_arm", "--trajectory", "nothing.npz"], "nothing.npz"),
    ],
)
def test_bad_input_is_named(words: list[str], said: str) -> None:
    done = run(*words)
    assert isinstance(done.exception, EquamoError)  # main() prints it and exits with 2
    assert said in str(done.exception)


def test_a_motion_of_another_robot_is_refused(tmp_path: Path) -> None:
    motion = simulate(eq.derive(eq.load("rr_arm")), duration=0.1)
    message = "must belong to robot 'rp_arm', got one of robot 'rr_arm' with other"
    with pytest.raises(EquamoError, match=message):
        report(eq.load("rp_arm"), tmp_path / "x.html", trajectory=motion)
    with pytest.raises(EquamoError, match="another robot or other numbers: robot 'rr_arm'"):
        report(eq.load("krang"), tmp_path / "x.html", certificate=eq.prove(eq.load("rr_arm")))


def test_findings_of_an_audit_are_on_the_page(tmp_path: Path) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    found = audit([claim("d22", "<i>page</i> 1", "m2*Lc2**2", "mass_matrix[2, 2]")], eom)
    path = report(eom, tmp_path / "x.html", audit=found, prove=False, simulate=False, time=False)
    text = path.read_text(encoding="utf-8")
    assert "1 printed equation: 1 wrong" in text
    assert "&lt;i&gt;page&lt;/i&gt; 1" in text
    assert "printed − derived = -I2" in text


@pytest.mark.ci
def test_the_old_names_of_the_parts_still_work(tmp_path: Path) -> None:
    arm, old = eq.load("rr_arm"), {"proved": False, "simulated": False, "timed": False}
    new = report(arm, tmp_path / "new.html", prove=False, simulate=False, time=False).read_text()
    with pytest.warns(DeprecationWarning, match=r"report\(\): '(proved|simulated|timed)' is now"):
        assert report(arm, tmp_path / "old.html", **old).read_text() == new  # type: ignore[arg-type]


def test_a_robot_without_numbers_has_a_page_that_says_so(tmp_path: Path) -> None:
    arm = eq.Robot("bare", [eq.Body("link", eq.revolute("q", axis="x"), mass="m", com="0 0 l")])
    text = report(arm, tmp_path / "x.html").read_text("utf-8")
    assert "No value was given for l, m: " in text


def test_a_name_is_not_a_robot(tmp_path: Path) -> None:
    with pytest.raises(EquamoError, match=r"eq\.load"):
        report("rr_arm", tmp_path / "x.html")  # type: ignore[arg-type]
