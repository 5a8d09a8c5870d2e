"""What is exported: both sides of every line, and the names of what is not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import equamo as eq
from equamo.algebra.expr import cos, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.identity import Proof
from equamo.cli import app
from equamo.errors import EquamoError
from equamo.mechanics.certificate import prove
from equamo.mechanics.certificate.export import LEMMAS, _that_fit, export, export_data
from equamo.robot.model import Body, Robot, joint_friction, revolute
from proof_files import accepts, exported, is_false
from random_trees import WHOLE_SWEEPS, random_tree


def test_every_line_is_there() -> None:
    certificate = prove(eq.load("rr_arm"))
    data = export_data(certificate)
    names = [x["name"] for x in data["identities"]]
    assert names == [line.name for line in certificate.lines]
    assert data["not_checked"] == list(certificate.remarks)
    assert not is_false(data)


def test_the_claims_are_what_the_checker_computes(capsys: pytest.CaptureFixture[str]) -> None:
    """Degrees and bounds, also of lines whose sides are the same registers; no bit is given away."""
    data = exported("rr_arm")
    assert accepts(data)
    printed = [x.split(" (degree ") for x in capsys.readouterr().out.splitlines()]
    found = [(x[0], x[1].split(";")[0]) for x in printed if x[0].startswith("accepted ")]
    assert found == [
        (f"accepted {x['name']}: error <= 2^-{x['bound']}", x["degree"]) for x in data["identities"]
    ]
    trivial = [x for x in data["identities"] if x["left"] == x["right"]]
    assert {(x["degree"], x["bound"]) for x in trivial} == {("0", data["prime_bits"] - 3)}
    count = len(data["identities"])
    assert min(x["bound"] for x in data["identities"]) == data["bound"] + count.bit_length()


@pytest.mark.parametrize(
    ("most", "chosen"),
    [(2, ""), (3, "product again"), (5, "product again"), (6, "product sum again")],
)
def test_the_lines_that_fit(most: int, chosen: str) -> None:
    """Nodes are counted once, so what an earlier line computes is free."""
    x, y, z = map(symbol, "xyz")
    written = {"product": [(x * y, y)], "sum": [(x * y + z, cos(z))], "again": [(y, x * y)]}
    names = chosen.split()
    fit = {n: written[n] for n in names}
    assert _that_fit(written, most) == (fit, [n for n in written if n not in names])


def test_lines_that_are_left_out_are_named() -> None:
    certificate = prove(eq.load("rr_arm"))
    data = export_data(certificate, most=300)
    names = [x["name"] for x in data["identities"]]
    left_out = [x.name for x in certificate.lines if x.name not in names]
    assert len(left_out) > 1
    assert len(data["program"]) < 300
    assert data["not_checked"] == [
        *(f"{n}: left out, to keep this short" for n in left_out), *certificate.remarks
    ]  # fmt: skip


def test_the_sides_are_two() -> None:
    """Not a difference and 0, where the methods derive something."""
    data = exported("rr_arm")
    zero = data["numbers"].index("0")
    lagrange = next(x for x in data["identities"] if x["name"] == "kane = lagrange")
    assert lagrange["left"] != lagrange["right"]
    assert zero not in {*lagrange["left"][:8], *lagrange["right"][:8]}


def test_a_saved_certificate_can_be_exported(tmp_path: Path) -> None:
    certificate = prove(eq.load("rp_arm"))
    certificate.save(tmp_path / "rp.json")
    loaded = eq.Certificate.load(tmp_path / "rp.json")
    assert not loaded.derivations
    assert export_data(loaded) == export_data(certificate)


def test_what_is_not_proved_is_not_exported(tmp_path: Path) -> None:
    eom = eq.derive(eq.load("rr_arm"), by="kane")
    rows = [[x * 2 for x in row] for row in eom.derivation.mass_matrix.rows]
    wrong = replace(eom, derivation=replace(eom.derivation, mass_matrix=Matrix(rows)))
    with pytest.raises(EquamoError, match="'kane = lagrange' is not"):
        prove(wrong).export(tmp_path / "proof.json")
    assert not list(tmp_path.iterdir())


def test_functions_of_arguments_in_two_forms_need_a_lemma() -> None:
    """One formulation has the friction tanh(u/(w(a + b))) as tanh(u/(w a + w b))."""
    body = Body("a", revolute("q"), mass="m", com="x 0 0", inertia="1 1 1")
    friction = joint_friction("q", "Fc", "Fv", smoothing="w*(a + b)")
    eom = eq.derive(Robot("wheel", [body], forces=[friction]), by="kane")
    old = eom.derivation.forces[friction.name]
    other = eq.Vector([eq.parse("-Fc*tanh(dq/(w*a + w*b)) - Fv*dq")], old.names)
    assert old[0] is not other[0]
    forces = {friction.name: other}
    data = export_data(prove(replace(eom, derivation=replace(eom.derivation, forces=forces))))
    assert [x for x in data["identities"] if x["name"] == LEMMAS]
    assert len([name for name in data["symbols"] if name.startswith("tanh(")]) == 1
    assert accepts(data)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", range(12) if WHOLE_SWEEPS else (3, 7, 11))
def test_random_trees(seed: int) -> None:
    """Every kind of joint: angles in sums and multiples, quaternions, constraints between angles."""
    certificate = prove(random_tree(seed, bodies=2).robot())
    data = export_data(certificate)
    if certificate.robot.v:  # otherwise M and the accelerations have no entries
        assert len(data["identities"]) == len(certificate.lines)
    assert accepts(data)


def test_compiled_functions(tmp_path: Path) -> None:
    fast = eq.compile(eq.derive(eq.load("rr_arm")))
    fast.forward_dynamics([0.3, 0.5], [1, 0], [0, 0])
    fast.mass_matrix([0.3, 0.5])
    fast.certificate().export(tmp_path / "code.json")
    data = json.loads((tmp_path / "code.json").read_text("utf-8"))
    names = {x["name"] for x in data["identities"]}
    assert names == {f"{n}: program = equations" for n in ("forward_dynamics", "mass_matrix")}
    assert any("constants rounded once" in x for x in data["not_checked"])
    assert accepts(data)
    data["program"][-1] = data["program"][-1].replace("+", "*").replace("-", "+")
    assert is_false(data)
    assert not accepts(data)


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    done = CliRunner().invoke(app, ["prove", "rp_arm", "--export", str(path), "--seed", "1"])
    assert done.exit_code == 0, done.output
    assert accepts(json.loads(path.read_text("utf-8")))


def test_a_certificate_of_which_nothing_can_be_exported(monkeypatch: pytest.MonkeyPatch) -> None:
    def undecided(groups: list[object], **_: object) -> list[Proof]:
        return [Proof("undecided", reason="as planted")] * len(groups)

    monkeypatch.setattr("equamo.mechanics.certificate.export.prove_all", undecided)
    with pytest.raises(EquamoError, match=r"must have a line .* straight-line program, got none"):
        export_data(prove(eq.load("rr_arm")))


def test_names_are_written_as_they_are_read(tmp_path: Path) -> None:
    """Not with escapes: a person compares the lines of the file with those of the certificate."""
    certificate, path = prove(eq.load("rr_arm")), tmp_path / "proof.json"
    export(certificate, path)
    text = path.read_text(encoding="utf-8")
    assert "\\u" not in text
    assert all(f'"name": "{line.name}"' in text for line in certificate.lines)
