"""What the head of a generated file claims is compared with the equations, or proved again."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import equamo as eq
from equamo.code.codegen.generate import generate
from equamo.code.codegen.header import Header
from equamo.code.codegen.prove_code import CodeProof, prove_code
from generated_code import equations

SHA = "0123456789abcdef" * 4


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A module for NumPy with two functions."""
    folder = tmp_path_factory.mktemp("header")
    (path,) = generate(equations("rr_arm"), "numpy", folder, ["gravity", "bias"])
    return path.read_text("ascii")


def prove(text: str, path: Path, eom: eq.EquationsOfMotion | None = None) -> CodeProof:
    path.write_text(text, "ascii")
    return prove_code(equations("rr_arm") if eom is None else eom, [path])


def changed(pattern: str, new: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, new, text, count=1)


LIES = {
    "more formulations": (changed("5 formulations", "6 formulations"), "must claim '5 formul"),
    "more identities": (changed(r"(\d+) identities", r"1\1 identities"), "must claim '5 formul"),
    "a smaller error": (changed(r"2\^-\d+ in all", "2^-99999 in all"), "too small to be proved"),
    "exactly": (changed(r"error at most 2\^-\d+ in all", "exactly"), "must claim"),
    "programs exactly": (
        changed(r"(constants exact), error at most 2\^-\d+ in all", r"\1, exactly"),
        "only a bound is",
    ),
    "programs, a smaller error": (
        changed(r"(constants exact, error at most) 2\^-\d+", r"\1 2^-99999"),
        "2\\^-99999 is too small",
    ),
    "more functions": (changed("2 functions", "3 functions"), "3 proved programs, got 2 of 2"),
    "fewer functions": (changed("2 functions", "1 function"), "1 proved programs, got 2 of 2"),
    "another type": (changed("rounded to float64", "rounded to float32"), "in float32, but it is"),
    "another model": (changed("model SHA-256 [0-9a-f]+", f"model SHA-256 {SHA}"), "another model"),
    "other equations": (changed("Equations: SHA-256 .*", f"Equations: SHA-256 {SHA}"), "by recursive"),
    "no equations": (changed("Equations: SHA-256 .*\n", "\n"), "must name the digest"),
    "a claim of its own": (
        changed("Text: .*", "Text: proved to be safe for humans."),
        "must be one that equamo writes, got 'Text: proved to be safe",
    ),
    "a claim in other words": (
        changed("Names: .*", "All rounding errors were verified."),
        "must be one that equamo writes, got 'All rounding errors",
    ),
    "a claim behind another line": (
        changed("do not edit", "proof: 9 formulations agree; do not edit"),
        "must be one that equamo writes, got 'Written by",
    ),
    "another name of the robot": (changed("Robot: rr_arm, 2", "Robot: panda, 7"), "must say 'Robot: rr"),
    "another derivation": (changed("Derivation: rec", "Derivation: all methods, rec"), "must say 'Deri"),
    "another derivation in a list": (
        changed("# Derivation: ", "# - derivation: by hand.\n# Derivation: "),
        "one that equamo writes, got 'derivation: by",
    ),
    "in capitals": (
        changed("# Certificate", "# CERTIFICATE: 900 proofs.\n# Certificate"),
        "must be one that equamo writes, got 'CERTIFICATE: 900",
    ),
    "words of its own": (changed("5 formulations agree", "all of physics agrees"), "must claim"),
}  # fmt: skip


@pytest.mark.parametrize("what", LIES)
def test_a_false_header(what: str, text: str, tmp_path: Path) -> None:
    lie, reason = LIES[what]
    assert lie(text) != text
    proof = prove(lie(text), tmp_path / "rr_arm.py")
    assert [line.name for line in proof.lines if not line] == ["header"]
    assert re.search(reason, str(proof)), str(proof)


def test_an_honest_header(text: str, tmp_path: Path) -> None:
    proof = prove(text, tmp_path / "rr_arm.py")
    assert "header: proved" in str(proof)
    assert proof.ok
    without = re.sub(
        r"(Certificate of|Programs: 2|Text:|Robot:|Equations:|Derivation:).*\n", "\n", text
    )
    lines = prove(without, tmp_path / "rr_arm.py").lines
    assert all(line.name != "header" for line in lines)


def test_a_stronger_bound_is_proved_again(text: str, tmp_path: Path) -> None:
    lie = re.sub(r"2\^-\d+ in all", "2^-300 in all", text)
    assert Header.read(lie.encode()).error_bits == 300
    assert prove(lie, tmp_path / "rr_arm.py").ok  # it holds, though nobody had proved it


def test_equations_by_another_formulation(text: str, tmp_path: Path) -> None:
    by_kane = eq.derive(eq.load("rr_arm"), by="kane")
    proof = prove(text, tmp_path / "rr_arm.py", by_kane)
    assert "other equations than those by kane" in str(proof)
    assert "--by FORMULATION" in str(proof)


def test_wrong_equations_have_no_certificate(text: str, tmp_path: Path) -> None:
    """A header that names wrong equations and claims that they are proved."""
    from dataclasses import replace

    from equamo.mechanics.equations.digests import equations_digest

    eom = equations("rr_arm")
    wrong = replace(eom, derivation=replace(eom.derivation, gravity=-eom.derivation.gravity))
    lie = re.sub("Equations: SHA-256 .*", f"Equations: SHA-256 {equations_digest(wrong)}", text)
    proof = prove(lie, tmp_path / "rr_arm.py", wrong)
    assert "not all identities of these equations are proved" in str(proof)


def test_the_header_of_a_c_file_is_that_of_both_files(tmp_path: Path) -> None:
    header, path, *_ = generate(equations("rr_arm"), "c", tmp_path, ["gravity"])
    assert prove_code(equations("rr_arm"), [path]).ok
    header.write_text(
        header.read_text("ascii").replace("5 formulations", "9 formulations"), "ascii"
    )
    proof = prove_code(equations("rr_arm"), [path])
    assert [line.name for line in proof.lines if not line] == ["header"]


@pytest.mark.ci
def test_headers_of_matlab_and_of_replaced_equations(tmp_path: Path) -> None:
    paths = generate(equations("rr_arm"), "matlab", tmp_path / "m", ["gravity", "bias"])
    (gravity,) = [p for p in paths if p.name == "rr_arm_gravity.m"]
    assert prove_code(equations("rr_arm"), [gravity]).ok
    eom = equations("rr_arm").subs({"g": 1})
    (path,) = generate(eom, "numpy", tmp_path / "n", ["gravity"])
    assert re.search(
        r"identities proved, \d+ of them before symbols were replaced", path.read_text()
    )
    assert prove_code(eom, [path]).ok
    assert "other equations" in str(prove_code(equations("rr_arm"), [path]))


def test_claims_in_a_name_are_not_claims(tmp_path: Path) -> None:
    name = "x, model SHA-256 " + SHA + "\n * Certificate of these equations: 5 formulations agree"
    bodies = [eq.Body("b", eq.revolute("q1"), mass=1, com="1 0 0")]
    eom = eq.derive(eq.Robot(name, bodies, gravity="0 0 -9.81"))
    (path,) = generate(eom, "numpy", tmp_path, ["gravity"], prove=False)
    assert prove_code(eom, [path]).ok
    assert not any(x.startswith("Certificate of") for x in Header.read(path.read_bytes()).lines)


def test_a_users_own_function_is_not_of_the_equations(tmp_path: Path) -> None:
    own = {"tip": ["q1", "q2"]}
    (path,) = generate(equations("rr_arm"), "numpy", tmp_path, ["gravity", own])
    said = " (a user's own function to its expressions)"
    text = path.read_text("ascii")
    assert f"Programs: 2 functions proved equal to these equations{said}, constants exact" in text
    assert prove_code(equations("rr_arm"), [path], functions=["gravity", own]).ok
    path.write_text(text.replace(said, ""), "ascii")
    proof = prove_code(equations("rr_arm"), [path], functions=["gravity", own])
    assert [line.name for line in proof.lines if not line] == ["header"]
    assert "must say" in str(proof)
