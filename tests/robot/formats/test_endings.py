"""The name of a file that is written never promises another format."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import equamo as eq
from command_line import equamo
from equamo.errors import EquamoError, FileFormatError
from equamo.review.claims import audit, claim
from equamo.review.referee.report import RefereeReport
from equamo.robot.formats.text_file import write_text


@pytest.fixture(scope="module")
def savers() -> dict[str, tuple[Any, str]]:
    """Everything that writes a file of one format: a function of a path, and the ending it names."""
    arm = eq.load("rr_arm")
    eom = eq.derive(arm)
    certificate = eq.prove(arm, seed=1)
    claims = audit([claim("a", "here", "m2*Lc2**2 + I2", "mass_matrix[2,2]")], eom)
    return {
        "equations": (eom.save, ".eom"),
        "certificate": (certificate.save, ".json"),
        "proof": (certificate.export, ".json"),
        "audit": (claims.save, ".json"),
        "comparison": (RefereeReport(arm, (), 1, 1, 1e-9).save, ".json"),
        "page": (lambda path: eq.report(arm, path, time=False), ".html"),
        "picture": (lambda path: eq.view(arm, save=path), ".png"),
        "paper": (eq.paper(arm, by="kane").save, ".typ"),
        "motion": (eq.simulate(eom, duration=0.01).save, ".csv"),
    }


@pytest.mark.ci
def test_a_name_never_promises_another_format(savers: dict[str, Any], tmp_path: Path) -> None:
    for what, (save, ending) in savers.items():
        for other in (".docx", ".PDF", ".toml"):
            if what in ("picture", "paper") and other == ".PDF":
                continue  # these are written as PDF
            with pytest.raises(EquamoError, match=r"end|suffix"):
                save(tmp_path / f"x{other}")
        assert list(tmp_path.iterdir()) == [], what
        save(tmp_path / f"x{ending}")
        (tmp_path / f"x{ending}").unlink()


def test_endings_that_name_no_format_are_accepted(tmp_path: Path) -> None:
    for name in ("x", "x.cert", "x.cert.json", "x.v2", "x.JSON"):
        write_text(tmp_path / name, "{}", ".json")
    with pytest.raises(FileFormatError, match=r"x\.pdf: the name must end in \.json, .* got \.pdf"):
        write_text(tmp_path / "x.pdf", "{}", ".json")


def test_every_text_that_is_written_names_its_format() -> None:
    """A new `write_text` in the package must check the ending, unless it chooses the name itself."""
    folder = Path(eq.__file__).parent
    own_names = {"code/codegen/put_in_place.py", "publish/studio/folder.py"}
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        text = path.read_text(encoding="utf-8")
        for call in ast.walk(ast.parse(text)) if "write_text(" in text else ():
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "write_text":
                checked = len(call.args) > 2 or "check_ending(" in text
                assert checked or name in own_names, f"{name}:{call.lineno}"


@pytest.mark.parametrize(
    "command",
    ["prove rr_arm --out x.pdf", "prove rr_arm --export x.py", "derive rr_arm --out x.tex",
     "report rr_arm --out x.pdf", "demo --out x.pdf", "new rrp --out x.urdf",
     "compare rr_arm --out x.html",
     "simulate rr_arm --save x.json", "paper rr_arm --out x.docx"],
)  # fmt: skip
def test_commands_refuse_it_before_they_start(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = equamo(*command.split())
    assert done.returncode == 2, done.stdout
    assert re.search("must end|suffix|ending in", done.stderr)
    assert list(tmp_path.iterdir()) == []
