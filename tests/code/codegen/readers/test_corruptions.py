"""One wrong character in generated text: whatever changes results is rejected or refuted."""

import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import equamo as eq
from corrupted_code import JUDGES, Corruption, changed, corruptions
from equamo.code.codegen.generate import package_of
from equamo.code.codegen.readers import read
from equamo.code.codegen.targets import Package, target
from equamo.code.codegen.text_proof import prove_code_file
from equamo.code.ir.program import Dtype
from equamo.errors import EquamoError

pytestmark = pytest.mark.ci

FUNCTIONS = ("inverse_dynamics", "mass_matrix", "forward_dynamics", "kinetic_energy", "pose_fore")


@cache
def arm(dtype: Dtype = "float64") -> Package:
    """Some parameters folded in, so that there are constants of many digits."""
    values = {"I1": Fraction(1, 7), "Lc2": "0.3", "L1": Fraction(9, 11)}
    return package_of(eq.derive(eq.load("rr_arm")), FUNCTIONS, dtype, values=values)


def judged_files(package: Package, to: str) -> dict[str, str]:
    """The files that hold functions, and the header of C."""
    files = target(to).files(package)
    names = [n for n in target(to).code(package) if to != "matlab" or n.endswith(".m")]
    return {n: files[n] for n in (*names, *(f"{package.name}.h",) * (to == "c"))}


def is_detected(package: Package, to: str, folder: Path, file: str) -> bool:
    """Whether the reader rejects the file, or a function in it is not proved."""
    prefix = f"{package.name}_" if to in ("c", "matlab") else ""
    programs = {f"{prefix}{r.name}": r.program for r in package.routines}
    path = folder / (f"{package.name}.c" if file.endswith(".h") else file)
    try:
        code = read(path, programs.get)
        lines = prove_code_file(code, programs.get, package.quantities, package.dtype)
    except EquamoError:
        return True
    whole = len(code.functions) == (1 if to == "matlab" else len(programs))
    missing = not whole and not file.endswith("_default_parameters.m")
    wrong = code.arrays not in (None, package.dtype)
    return missing or wrong or not all(line.proof for line in lines)


def written(package: Package, to: str, folder: Path, wrong: Corruption | None) -> Path:
    folder.mkdir()
    for name, text in judged_files(package, to).items():
        if wrong is not None and name == wrong.file:
            text = wrong.text
        elif to == "matlab" and wrong is not None:
            continue  # found in the first folder
        (folder / name).write_text(text)
    return folder


@pytest.mark.needs("gcc", cases="^c$")
@pytest.mark.needs("node", cases="javascript")
@pytest.mark.needs("octave-cli", cases="matlab")
@pytest.mark.parametrize("to", list(JUDGES))
def test_what_changes_results_is_detected(to: str, tmp_path: Path, whole_sweeps: bool) -> None:
    wanted = 75 if whole_sweeps else {"c": 6, "numpy": 20, "matlab": 10, "javascript": 24}[to]
    package, found, seed = arm(), 0, 0
    while found < wanted:
        seed += 1
        place = tmp_path / f"{seed}"
        place.mkdir()
        drawn = corruptions(judged_files(package, to), 8 * wanted, seed)
        folders = [written(package, to, place / "right", None)]
        folders += [written(package, to, place / f"{k}", x) for k, x in enumerate(drawn)]
        right, *results = JUDGES[to](package, folders)
        assert right is not None
        assert not is_detected(package, to, folders[0], drawn[0].file)
        for wrong, folder, numbers in zip(drawn, folders[1:], results, strict=True):
            if numbers is not None and changed(right, numbers):
                found += 1
                assert is_detected(package, to, folder, wrong.file), wrong.note
        assert seed < 30


def test_one_wrong_character_in_cpp(tmp_path: Path, whole_sweeps: bool) -> None:
    """A compiler takes long here: what is not detected must be the same words, comments left out."""
    package, detected = arm(), 0
    drawn = corruptions(judged_files(package, "cpp"), 1000 if whole_sweeps else 80, seed=1)
    (right,) = (_words(text) for text in judged_files(package, "cpp").values())
    for k, wrong in enumerate(drawn):
        folder = written(package, "cpp", tmp_path / f"{k}", wrong)
        if is_detected(package, "cpp", folder, wrong.file):
            detected += 1
        else:
            assert _words(wrong.text) == right, wrong.note
    assert detected > len(drawn) / 2


def _words(text: str) -> list[str | float]:
    """Tokens of a text without its comments; decimal numbers are read as doubles."""
    bare = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    words = re.findall(r"\d+\.\d*(?:[eE][+-]?\d+)?(?!\w)|\w+|\S", bare)
    return [float(x) if "." in x[1:] else x for x in words]
