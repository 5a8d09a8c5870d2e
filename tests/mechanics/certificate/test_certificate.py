"""The certificate: complete, saved, checked again; any change in the file is noticed."""

import json
import pickle
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import parse
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import Proof, prove_equal
from equamo.algebra.identity.prove import seed_bits
from equamo.errors import EquamoError, FileFormatError, ShapeError
from equamo.mechanics.certificate import Certificate, check_file, compare, prove, proved
from equamo.mechanics.certificate.certificate import Line
from equamo.mechanics.certificate.comparison import Comparison, Difference
from equamo.mechanics.equations import FORMULATIONS, derive
from equamo.robot.formats.json_file import digest
from equamo.robot.library import load, names
from equamo.robot.model import BaseMotion, Body, Robot, check, prismatic, revolute
from equamo.robot.model.edits import copy_with

LARGE = ("stewart", "cassie_leg")  # in the whole sweep only


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", [n for n in names() if WHOLE_SWEEPS or n not in LARGE])
def test_every_robot_has_a_certificate(name: str) -> None:
    certificate = prove(load(name))
    assert certificate.ok, str(certificate)
    assert certificate.bound_bits <= -100
    pairs = len(FORMULATIONS) * (len(FORMULATIONS) - 1) // 2
    assert sum(" = " in line.name for line in certificate.lines) >= pairs
    assert "positive definite" in certificate.remarks[0]


def test_a_massless_leaf_is_named() -> None:
    arm = Robot("arm", [
        Body("a", revolute("q1"), mass=1, com="1 0 0", inertia="1 1 1"),
        Body("b", revolute("q2", at="1 0 0"), parent="a"),
    ])  # fmt: skip
    certificate = prove(arm)
    assert certificate.ok
    assert "singular along dq2" in certificate.remarks[0]


def test_lines_that_do_not_apply_to_a_moving_base_are_named() -> None:
    base = BaseMotion("wx wy wz", "vx vy vz", "ax ay az", "bx by bz")
    certificate = prove(copy_with(load("rr_arm"), base=base))
    assert certificate.ok, str(certificate)
    assert any("C v = bias" in x for x in certificate.not_applicable)


def test_a_wrong_formulation_is_refuted_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(robot: Robot, record: object = None):  # gravity upside down
        d = FORMULATIONS["kane"](robot)
        return type(d)(d.mass_matrix, d.bias, -d.gravity, d.forces)

    monkeypatch.setitem(FORMULATIONS, "lagrange", wrong)
    certificate = prove(load("rr_arm"))
    assert not certificate.ok
    bad = [line.name for line in certificate.lines if not line.proof]
    assert bad
    assert all("lagrange" in name for name in bad)
    (line,) = (x for x in str(certificate).splitlines() if " lagrange " in x and "kane " in x)
    assert "refuted: g[q1], difference" in line


@pytest.mark.parametrize(
    ("part", "said"),
    [("mass_matrix", "M[q1, q2]"), ("bias", "C v[q1]"), ("forces", "forces[tau2][q1]")],
)
def test_the_entry_that_is_wrong_has_its_name(
    part: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(robot: Robot, record: object = None):
        d = FORMULATIONS["kane"](robot)
        if part == "mass_matrix":
            zero = Matrix([[0, "m1"], ["m1", 0]])
            return type(d)(d.mass_matrix + zero, d.bias, d.gravity, d.forces)
        if part == "bias":
            return type(d)(d.mass_matrix, d.bias + Vector(["m1", 0]), d.gravity, d.forces)
        forces = {n: f + Vector(["m1*tau2", 0]) if n == "tau2" else f for n, f in d.forces.items()}
        return type(d)(d.mass_matrix, d.bias, d.gravity, forces)

    monkeypatch.setitem(FORMULATIONS, "lagrange", wrong)
    assert f"refuted: {said}, difference" in str(prove(load("rr_arm")))


def saved(tmp_path: Path) -> tuple[Path, dict]:
    path = tmp_path / "arm.cert.json"
    prove(load("rr_arm")).save(path)
    return path, json.loads(path.read_text(encoding="utf-8"))


def test_saved_and_proved_again(tmp_path: Path) -> None:
    path, data = saved(tmp_path)
    again = check_file(path)
    assert again.ok
    assert str(again.seed) != data["certificate"]["seed"]  # new random points


def changes(data: object, path: tuple[object, ...] = ()):
    """Places of all digits in text and of all numbers in the robot and of all digests."""
    if isinstance(data, dict):
        for key, x in data.items():
            yield from changes(x, (*path, key))
    elif isinstance(data, list):
        for i, x in enumerate(data):
            yield from changes(x, (*path, i))
    elif isinstance(data, str) and any(c.isdigit() for c in data):
        yield path


def test_one_changed_digit_fails(tmp_path: Path) -> None:
    path, data = saved(tmp_path)
    body = data["certificate"]
    places = [("certificate", "robot", *p) for p in changes(body["robot"])]
    places += [("certificate", "robot_sha256"), ("sha256",)]
    places += [("certificate", "equations_sha256", by) for by in FORMULATIONS]
    for place in places[:: max(1, len(places) // 25)] + places[-7:]:
        damaged = json.loads(json.dumps(data))
        inner = damaged
        for key in place[:-1]:
            inner = inner[key]
        text = inner[place[-1]]
        k = next(i for i, c in enumerate(text) if c.isdigit())
        inner[place[-1]] = text[:k] + str((int(text[k]) + 1) % 10) + text[k + 1 :]
        path.write_text(json.dumps(damaged), encoding="utf-8")
        with pytest.raises(FileFormatError):
            check_file(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"kind": "equamo certificate"}', "\x00"])
def test_what_is_no_certificate_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EquamoError):
        check_file(path)


def test_pickles() -> None:
    certificate = prove(load("rp_arm"))
    copy = pickle.loads(pickle.dumps(certificate))
    assert isinstance(copy, Certificate)
    assert copy.ok
    assert str(copy) == str(certificate)


def test_compare_names_the_entries_that_differ() -> None:
    arm = load("rr_arm")
    heavier = arm.add_mass("fore", "dm", com="Lc2 0 0")
    comparison = compare(derive(arm), derive(heavier))
    assert not comparison
    quantities = {(d.quantity, d.entry) for d in comparison.differences}
    assert ("mass_matrix", ("q1", "q1")) in quantities
    assert ("gravity", ("q2",)) in quantities
    assert all(d.proof.verdict == "refuted" for d in comparison.differences)


def test_compare_wants_equally_many_speeds() -> None:
    with pytest.raises(ShapeError):
        compare(derive(load("rr_arm")), derive(load("three_link_arm")))


def test_compare_is_not_fooled_by_names() -> None:
    """A prismatic joint of the same name gives other equations, and they are named."""
    one = Robot("one", [Body("a", revolute("q1"), mass="m", com="c 0 0")])
    two = Robot("two", [Body("a", prismatic("q1"), mass="m", com="c 0 0")])
    comparison = compare(derive(one), derive(two))
    assert comparison.differences[0].quantity == "mass_matrix"


@pytest.mark.parametrize(
    "call",
    [lambda: prove("krang"), lambda: compare(1, 2), lambda: check("krang"), lambda: derive(None)],
)
def test_something_else_than_a_robot_is_an_error_of_ours(call) -> None:
    with pytest.raises(EquamoError, match=r"takes|expected a Robot, got"):
        call()


def test_the_bounds_of_all_lines_add_up() -> None:
    certificate = prove(load("rr_arm"), error_bits=60)
    bounds = [line.proof.bound for line in certificate.lines]
    assert 2.0**certificate.bound_bits == pytest.approx(sum(bounds), rel=1e-9)
    assert sum(bounds) > 2 * max(bounds)
    assert certificate.bound_bits <= -60
    assert "in all" in str(certificate)


def test_there_are_more_seeds_than_the_bound_needs() -> None:
    assert seed_bits(prove(load("rr_arm")).seed) >= 128
    strong = prove(load("rr_arm"), error_bits=300)
    assert -300 >= strong.bound_bits >= -seed_bits(strong.seed)


def test_a_short_seed_gives_a_weak_bound() -> None:
    weak = prove(load("rr_arm"), seed=1)
    assert weak.ok
    assert weak.bound_bits == 0
    assert "error ≤ 2⁰ in all, seed 1" in str(weak)
    exact = replace(weak, lines=tuple(x for x in weak.lines if x.proof.bound_bits is None))
    assert exact.bound_bits == -inf
    assert "exactly, seed 1" in str(exact)
    assert proved(load("rr_arm")).bound_bits <= -100  # the weak one is not used again
    assert prove(load("rr_arm"), error_bits=300).seed.bit_length() >= 300


def test_compare_shows_twenty_differences() -> None:
    def lines(count: int) -> list[str]:
        proof = prove_equal(parse("x"), parse("x + 1"))
        some = [Difference("gravity", (f"q{k}",), proof) for k in range(count)]
        return str(Comparison("a", "b", 30, tuple(some))).splitlines()

    assert len(lines(20)) == 21
    assert len(lines(23)) == 22
    assert "q19" in lines(23)[20]
    assert lines(23)[21] == "  … and 3 more"


def test_a_loaded_certificate_is_the_saved_one(tmp_path: Path) -> None:
    certificate = prove(load("rr_arm"))
    certificate.save(tmp_path / "arm.json")
    again = Certificate.load(tmp_path / "arm.json")
    assert again.ok
    assert again.lines == certificate.lines
    assert (again.seed, again.remarks) == (certificate.seed, certificate.remarks)
    assert again.bound_bits == certificate.bound_bits
    assert repr(again) == repr(certificate)


@pytest.mark.parametrize(
    ("key", "value"),
    [("lines", []), ("lines", 1), ("lines", [{"name": "x"}]), ("seed", "x"), ("robot", {})],
)
def test_a_certificate_that_cannot_be_is_refused(tmp_path: Path, key: str, value: object) -> None:
    data = prove(load("rr_arm")).to_data()
    body = {**data["certificate"], key: value}
    data |= {"certificate": body, "sha256": digest(body)}
    (tmp_path / "arm.json").write_text(json.dumps(data))
    with pytest.raises(FileFormatError, match=r"arm\.json"):
        Certificate.load(tmp_path / "arm.json")


def test_an_unknown_verdict_is_refused(tmp_path: Path) -> None:
    data = prove(load("rr_arm")).to_data()
    data["certificate"]["lines"][0]["verdict"] = "certain"
    data["sha256"] = digest(data["certificate"])
    (tmp_path / "arm.json").write_text(json.dumps(data))
    with pytest.raises(FileFormatError, match="'refuted' or 'undecided', got 'certain'"):
        Certificate.load(tmp_path / "arm.json")


def test_a_refuted_line_is_still_refuted_after_loading(tmp_path: Path) -> None:
    data = prove(load("rr_arm")).to_data()
    body = data["certificate"]
    body["lines"][0] |= {"verdict": "refuted", "bound_bits": None}
    data["sha256"] = digest(body)
    (tmp_path / "arm.json").write_text(json.dumps(data))
    again = Certificate.load(tmp_path / "arm.json")
    assert not again.ok
    assert "refuted" in str(again)


def test_the_printed_certificate() -> None:
    """Columns are aligned by what is seen: the dot of v̇ has no width."""
    lines = (
        Line("v̇ = M⁻¹ r", Proof("proved", -120.0, 8, 2, 64), 0.0123),
        Line("M = Mᵀ", Proof("proved"), 0.5),
        Line("f = 0", Proof("undecided", reason="too large"), 1.0),
    )
    code = {"by": "recursive"}
    args = (("g",), ("a remark",), 7, 100, (("derive", 0.25),), 1.504, {}, code)
    assert str(Certificate(load("rr_arm"), lines, *args)).splitlines() == [
        "Certificate of the compiled functions of rr_arm: 2 degrees of freedom, 8 parameters",
        "",
        "  v̇ = M⁻¹ r   proved, ≤ 2⁻¹²⁰            12.3 ms",
        "  M = Mᵀ      proved exactly            500.0 ms",
        "  f = 0       undecided: too large   1000.0 ms",
        "  does not apply: g",
        "",
        "  derive                                250.0 ms",
        "  a remark",
        "NOT all proved as stored, not proved in this process: 2 of 3 in 1.50 s, error ≤ 2⁻¹²⁰ in all, "
        "seed 7",
    ]
    exact = Certificate(load("rr_arm"), lines[1:2], (), (), 7, 100, (), 0.5)
    assert str(exact).splitlines()[0].startswith("Certificate of rr_arm: 2 degrees of freedom, ")
    stored = "as stored, not proved in this process"
    assert str(exact).splitlines()[-1] == f"all proved {stored}: 1 of 1 in 0.50 s, exactly, seed 7"
    assert repr(exact) == f"<certificate of robot 'rr_arm': 1 of 1 lines proved {stored}, exactly>"
    assert not Certificate(load("rr_arm"), (), (), (), 7, 100, (), 0.5).ok
