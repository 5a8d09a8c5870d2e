"""Names of generated packages: what collides is renamed, everywhere alike, and the files say so."""

from __future__ import annotations

import builtins
import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

import equamo as eq
from equamo.code.codegen.generate import generate, package_of
from equamo.code.codegen.names import field_names, package_name, routine_names
from equamo.code.codegen.prove_code import prove_code
from equamo.code.codegen.reserved import BESIDE, is_of_library, is_reserved
from equamo.code.codegen.targets import TARGETS, Package, target
from equamo.code.codegen.text_proof import prove_package
from equamo.errors import EquamoError, ProofError
from generated_code import equations, run
from hostile_words import HEADERS, declared, macros

# Names that once gave packages which were proved, but did not compile or run.
FOUND = {
    "real": eq.function("k*q1", {"k": "k"}),
    "q_size": eq.function("expected*q1", {"expected": "expected"}),
    "DTYPE": eq.function("computed*q1", {"computed": "computed"}),
    "selftest": eq.function({"result": "check*q1"}, {"check": "check"}),
    "f": eq.function({"then": "x*q1"}, {"f": "x"}),
    "f_work": eq.function({"adj_then": "double*q1"}, {"double": "double"}),
    "rr_arm_f": eq.function({"y": "tau*q1"}, {"tau": "tau"}),
    "len": "q1",
    "then": "2*q1",
}


def files(folder: Path, to: str) -> Package:
    """The package of FOUND in one language, proved as text."""
    found = package_of(equations("rr_arm"), [FOUND], to=to)
    language = target(to)
    folder.mkdir(exist_ok=True)
    for name, text in language.files(found).items():
        (folder / name).write_text(text)
    prove_package(folder, folder, language, found)
    return found


def test_names_that_were_found_to_fail_run_in_python(tmp_path: Path) -> None:
    found = files(tmp_path, "numpy")
    spec = importlib.util.spec_from_file_location("found_names", tmp_path / "rr_arm.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.selftest() == 0
    assert [r.name for r in found.routines] == [
        "real_2", "q_size_2", "DTYPE_2", "selftest_2", "f", "f_work_2", "rr_arm_f", "len_", "then_2"
    ]  # fmt: skip


@pytest.mark.ci
@pytest.mark.needs("gcc")
def test_names_that_were_found_to_fail_compile(tmp_path: Path) -> None:
    files(tmp_path, "c")
    command = "gcc -Wall -Wextra -Wshadow -Werror -O0 rr_arm_selftest.c rr_arm.c -lm -o run"
    done = run([*command.split()], tmp_path)
    assert done.returncode == 0, done.stderr
    assert run(["./run"], tmp_path).returncode == 0


def test_the_files_name_what_was_renamed() -> None:
    heads = package_of(equations("rr_arm"), [FOUND]).provenance
    (line,) = (x for x in heads if x.startswith("Renamed: function"))
    assert "function 'real' is real_2, function 'q_size' is q_size_2" in line
    assert "'double' is double_, 'tau' is tau_2" in line
    robot = eq.Robot("numpy", [eq.Body("a", eq.revolute("q1"), mass=1, com="1 0 0")])
    assert (
        "Renamed: robot 'numpy' is numpy_2." in package_of(eq.derive(robot), ["gravity"]).provenance
    )


@pytest.mark.parametrize("to", ["c", "numpy", "matlab"])
def test_files_are_proved_by_the_functions_they_were_made_of(to: str, tmp_path: Path) -> None:
    files(tmp_path, to)
    code = [tmp_path / f for f in target(to).code(files(tmp_path, to))]
    proof = prove_code(equations("rr_arm"), code, functions=[FOUND])
    assert proof.ok, str(proof)
    # arm_f in C is f, and arm_arm_f is arm_f: without the functions neither is known.
    assert not prove_code(equations("rr_arm"), code).ok


@pytest.mark.parametrize("to", TARGETS)
def test_a_text_that_no_compiler_takes_is_not_proved(to: str, tmp_path: Path) -> None:
    found = package_of(equations("rr_arm"), [{"f": eq.function("x*q1", {"x": "x"})}], to=to)
    r = found.routines[0]
    for n in ("double", "FP_ZERO", "q"):  # a keyword, a macro, and the name of another argument
        arguments = (replace(a, name=n) if a.name == "x" else a for a in r.program.arguments)
        program = replace(r.program, arguments=tuple(arguments))
        wrong = replace(found, routines=(replace(r, program=program, golden=()),))
        language = target(to)
        folder = tmp_path / n
        folder.mkdir()
        for name, text in language.files(wrong).items():
            (folder / name).write_text(text)
        with pytest.raises(EquamoError) as error:
            prove_package(folder, folder, language, wrong)
        if n != "q":
            assert isinstance(error.value, ProofError)
            assert f"'{n}' must not be used as a name" in str(error.value)


def test_names_of_derivatives_must_differ() -> None:
    own = {"f": eq.function({"a": "x*y", "a_b": "y"}, {"b_c": "x", "c": "y"})}
    with pytest.raises(EquamoError, match=r"got 'jac_a_b_c' twice in jac_f; rename the input"):
        package_of(equations("rr_arm"), [own], to="casadi")


@pytest.mark.parametrize(
    "name", [
        "math", "Math", "stdio", "numpy", "random", "con", "PRN", "CON", "mex", "for", "std",
        "日本", "7",
        "", "__", "a" * 99, "casadi", "equamo", "EQUAMO_x", "Eigen", "FP_ZERO", "class", "yield",
    ],
)  # fmt: skip
def test_names_of_robots(name: str) -> None:
    found = package_name(name)
    assert not is_reserved(found)
    assert found.casefold() not in ("math", "stdio", "numpy", "random", "con", "prn", "mex")
    assert found[0].isalpha()
    assert len(found) <= 26


def test_a_robot_and_a_function_together_are_no_name_of_a_library() -> None:
    assert routine_names(["t", "u"], "size") == {"t": "t_2", "u": "u"}
    assert routine_names(["usage"], "print") == {"usage": "usage_2"}
    assert routine_names(["Gravity", "gravity"], "arm") == {
        "Gravity": "Gravity",
        "gravity": "gravity_2",
    }
    assert field_names(["y", "adj_y"], "arm") == {"y": "y", "adj_y": "adj_y_2"}


@pytest.mark.needs("gcc")
def test_words_of_the_c_library_are_reserved() -> None:
    assert [x for x in sorted(macros(*HEADERS)) if not is_reserved(x)] == []
    used = declared("math", "stdio", "stdlib", "string", "stdint")
    assert [x for x in sorted(used) if "_" in x and not is_of_library(x)] == []


def test_built_in_names_of_python_are_reserved_for_functions() -> None:
    known = {x for x in dir(builtins) if not x.startswith("_")}
    assert [x for x in sorted(known) if x not in BESIDE and not is_reserved(x)] == []


def test_nobody_sees_a_name_that_was_not_changed(tmp_path: Path) -> None:
    paths = generate(equations("rr_arm"), "numpy", tmp_path, ["gravity"], prove=False)
    assert "Renamed: robot" not in paths[0].read_text()
    assert "Renamed: function" not in paths[0].read_text()
