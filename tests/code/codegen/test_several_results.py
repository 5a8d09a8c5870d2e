"""Functions with several results in every language: they run, and readers notice what is wrong."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import equamo as eq
from equamo.code.codegen.generate import package_of
from equamo.code.codegen.prove_code import prove_code
from equamo.code.codegen.targets import target
from equamo.errors import EquamoError
from generated_code import run, spoiled

pytestmark = pytest.mark.ci

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-O0"]


@cache
def equations() -> eq.EquationsOfMotion:
    return eq.derive(eq.load("rr_arm"))


def several() -> dict[str, Any]:
    eom = equations()
    zero = [[0, "q1"]]
    outputs = {"M": eom.mass_matrix, "T": eom.kinetic_energy, "grav": eom.gravity, "zero": zero}
    return {"several": outputs, "numbers": {"first": "t*q1", "second": "abs(q2)"}}


FUNCTIONS = ["gravity", "kinetic_energy", "mass_matrix_packed"]
SELFTESTS = {
    "c": ["sh", "-c", f"gcc {' '.join(STRICT)} rr_arm_selftest.c rr_arm.c -lm -o t && ./t"],
    "numpy": ["python", "rr_arm.py"],
    "javascript": ["node", "rr_arm_selftest.mjs"],
    "matlab": ["octave-cli", "--norc", "--eval", "rr_arm_selftest"],
}


@pytest.mark.needs("gcc", "sh", cases="^c$")
@pytest.mark.needs("node", cases="javascript")
@pytest.mark.needs("octave-cli", cases="matlab")
@pytest.mark.parametrize("to", SELFTESTS)
def test_they_are_proved_and_pass_their_selftest(to: str, tmp_path: Path) -> None:
    functions = [*FUNCTIONS, several()]
    for dtype in ("float64", "float32"):
        folder = tmp_path / dtype
        paths = eq.generate(equations(), to, folder, functions=functions, dtype=dtype)  # type: ignore[arg-type]
        done = run(SELFTESTS[to], folder)
        assert done.returncode == 0, done.stdout + done.stderr
        assert re.search(r"5 functions, 15 golden vectors, 0 (missed|entries wrong)", done.stdout)
        code = [
            p for p in paths if p.suffix in (".c", ".py", ".m", ".mjs") and "self" not in p.name
        ]
        code = [p for p in code if not p.name.endswith(("_example.c", "_mex.c"))]
        assert prove_code(equations(), code, functions=functions).ok


@pytest.mark.needs("gcc", "sh", cases="^c$")
@pytest.mark.needs("node", cases="javascript")
@pytest.mark.needs("octave-cli", cases="matlab")
@pytest.mark.parametrize("to", SELFTESTS)
def test_selftests_notice_a_wrong_number(to: str, tmp_path: Path) -> None:
    package = spoiled(package_of(equations(), [several()]))
    for file, text in target(to).files(package).items():
        (tmp_path / file).write_text(text)
    done = run(SELFTESTS[to], tmp_path)
    assert done.returncode != 0
    assert "several" in done.stdout


CORRUPTIONS = {
    "c": [
        (r"real zero\[1\]\[2\]\)", "real zero[1][3])", "expected '2'"),
        (r"    grav\[0\] = .*;\n", "", "must be written"),
        (r"(    T\[0\] = .*;\n)", r"\1\1", "twice"),
        (r"(    M\[0\]\[0\] = .*;\n)((?:.*\n)*?)(    T\[0\] = .*;\n)", r"\2\3\1", "must be written"),
    ],
    "numpy": [
        (r"\), \(2,\), q, v, parameters\),", "), (1, 2), q, v, parameters),", "expected return"),
        (r"        _result\(\(\n.*\n        \), \(\), q, v, parameters\),\n", "", "entries of"),
        (r"    return \(\n        _result", "    return [\n        _result", None),
    ],
    "javascript": [
        (r"return \[M, ", "return [grav, ", "expected 'M'"),
        (r"  grav\[0\] = .*;\n", "", "must be written"),
        (r"return \[(.*), grav, zero\]", r"return [\1, grav]", "expected ','"),
    ],
    "matlab": [
        (r"\[M, T, grav, zero\]", "[M, grav, T, zero]", "expected 'T'"),
        (r"  T = zeros\(1, 1\);\n", "", "expected '=', got"),
        (r"\[M, T, grav, zero\] =", "[M, T, grav, zero", None),
    ],
}  # fmt: skip


@pytest.mark.parametrize("to", CORRUPTIONS)
def test_readers_refuse_texts_that_are_not_in_order(to: str, tmp_path: Path) -> None:
    functions = several()
    paths = eq.generate(equations(), to, tmp_path, functions=[functions], prove=False)
    (path,) = [p for p in paths if re.fullmatch(r"rr_arm(_several)?\.(c|py|m|mjs)", p.name)
               and (to != "matlab" or p.suffix == ".m")]  # fmt: skip
    text = path.read_text()
    assert prove_code(equations(), [path], functions=[functions]).ok
    for pattern, new, message in CORRUPTIONS[to]:
        wrong, count = re.subn(pattern, new, text, count=1)
        assert count == 1, pattern
        path.write_text(wrong)
        proof = prove_code(equations(), [path], functions=[functions])
        assert not proof.ok, pattern
        assert message is None or re.search(message, str(proof)), str(proof)


def test_results_that_change_places_are_refuted(tmp_path: Path) -> None:
    functions = {"two": {"first": "q1 + q2", "second": "q1 - q2"}}
    for to, file in (("numpy", "rr_arm.py"), ("javascript", "rr_arm.mjs"), ("c", "rr_arm.c")):
        eq.generate(equations(), to, tmp_path, functions=[functions], prove=False)
        path = tmp_path / file
        text = path.read_text()
        one, other = ("q1 + q2", "q1 - q2")
        path.write_text(text.replace(one, "?").replace(other, one).replace("?", other))
        line = prove_code(equations(), [path], functions=[functions]).lines[0]
        assert line.text.verdict == "refuted"
        assert "first" in str(line.text)


def test_empty_results_are_left_out(tmp_path: Path) -> None:
    eom = equations()
    own = {"f": {"none": eq.Vector([]), "grav": eom.gravity, "nothing": eq.Matrix([], None, ["x"])}}
    eq.generate(eom, "c", tmp_path, functions=[own])
    assert "rr_arm_real grav[2])" in (tmp_path / "rr_arm.h").read_text()
    with pytest.raises(EquamoError, match="function 'f' must have at least one entry, got none"):
        eq.generate(eom, "c", tmp_path, functions=[{"f": eq.Vector([])}])


def test_the_header_says_where_packed_entries_are(tmp_path: Path) -> None:
    eq.generate(
        equations(), "c", tmp_path, functions=["mass_matrix_packed", "jacobian_fore_packed"]
    )
    header = (tmp_path / "rr_arm.h").read_text()
    assert (
        "entries of M (2x2, the lower triangle of a symmetric matrix): (0,0) (1,0) (1,1)" in header
    )
    assert "entries of J (6x2): (2,0) (2,1) (3,0) (4,0)" in header


@pytest.mark.needs("mkoctfile", "octave-cli")
def test_a_mex_gateway_returns_as_many_results_as_are_asked_for(tmp_path: Path) -> None:
    eq.generate(equations(), "matlab", tmp_path, functions=[several()], prove=False)
    assert run(["mkoctfile", "--mex", "rr_arm_mex.c", "rr_arm.c"], tmp_path).returncode == 0
    calls = (
        "q = [0.1 0.2]; v = [1 2];"
        "M = rr_arm_mex('several', q, v); [A, T, g] = rr_arm_mex('several', q, v);"
        "[B, S, h] = rr_arm_several(q, v); rr_arm_mex('several', q, v);"
        "assert(M, B, 1e-12); assert(A, B, 1e-12); assert(T, S, 1e-12); assert(g, h, 1e-12);"
        "disp(size(g)); disp('done')"
    )
    done = run(["octave-cli", "--norc", "--eval", calls], tmp_path)
    assert "done" in done.stdout, done.stdout + done.stderr
