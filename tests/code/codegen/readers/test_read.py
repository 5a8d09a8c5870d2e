"""Every function of every target, read back: the same nodes as the program with rounded constants."""

import re
from pathlib import Path

import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.code.codegen.generate import package_of
from equamo.code.codegen.readers import READERS, read
from equamo.code.codegen.targets import TARGETS, Package, target
from equamo.errors import FileFormatError
from generated_code import QUATERNIONS, STRANGE, equations, package
from random_trees import random_tree
from read_code import code_files, programs, proofs

ROBOTS = ("rr_arm", "wheeled_inverted_pendulum", *QUATERNIONS, *STRANGE)


def check(found: Package, to: str, folder: Path) -> None:
    lines = proofs(found, to, folder)
    for line in lines:
        assert str(line.proof) == "proved: the same expression", (line.path, line.name)
    names = {line.name for line in lines} - {"default parameters"}
    assert names == set(programs(found, to))


@pytest.mark.parametrize(("to", "dtype"), [(to, x) for to in TARGETS for x in target(to).dtypes])
@pytest.mark.parametrize("robot", ROBOTS)
def test_every_function(robot: str, to: str, dtype: str, tmp_path: Path) -> None:
    check(package(robot, dtype), to, tmp_path)


def test_every_function_of_krang(
    tmp_path: Path, whole_sweeps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "equamo.code.codegen.generate.golden", lambda *_, **__: ()
    )  # they take longest
    some = ("inverse_dynamics", "mass_matrix_factors", "kinetic_energy", "center_of_mass")
    found = package_of(equations("krang"), None if whole_sweeps else some)
    for to in TARGETS:
        check(found, to, tmp_path / to)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", range(50 if WHOLE_SWEEPS else 3))
def test_random_trees(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equamo.code.codegen.generate.golden", lambda *_, **__: ())
    found = package_of(eq.derive(random_tree(seed, most=4, speeds=7).robot()))
    for to in TARGETS:
        check(found, to, tmp_path / to)


def test_parameters_folded_in(tmp_path: Path) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    for k, options in enumerate(({"parameters": "numeric"}, {"values": {"m1": "1/3", "g": 1.6}})):
        found = package_of(eom, ["inverse_dynamics", "forward_dynamics"], **options)  # type: ignore[arg-type]
        for to in TARGETS:
            check(found, to, tmp_path / f"{k} {to}")


def test_line_ends_of_windows(tmp_path: Path) -> None:
    found = package("rr_arm")
    for to in TARGETS:
        code_files(found, to, tmp_path / to)
        for path in (tmp_path / to).iterdir():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        meant = programs(found, to)
        for file in target(to).code(found):
            assert read(tmp_path / to / file, meant.get).path.endswith(file)


def test_every_target_has_a_reader() -> None:
    found = package("rr_arm")
    for to in TARGETS:
        assert {Path(file).suffix for file in target(to).code(found)} <= READERS.keys()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (r"(/\* g, (?:.*\n)*?.*;\n)", r"\1\n\1", "rr_arm_gravity is declared twice"),
        (r"(#endif /\* EQUAMO_rr_arm_H \*/\n)", r"\1int more;\n", "expected the end of the file"),
    ],
)
def test_a_header_declares_each_function_once_and_nothing_else(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    found = package_of(eq.derive(eq.load("rr_arm")), ["mass_matrix", "gravity"])
    code_files(found, "c", tmp_path)
    header = tmp_path / "rr_arm.h"
    text, count = re.subn(old, new, header.read_text())
    assert count == 1
    header.write_text(text)
    with pytest.raises(FileFormatError, match=rf"rr_arm\.h.*{message}"):
        read(tmp_path / "rr_arm.c", programs(found, "c").get)
