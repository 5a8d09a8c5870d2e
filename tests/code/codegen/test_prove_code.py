"""Generated files on disk, proved again against the robot."""

from pathlib import Path

import pytest

import equamo as eq
from equamo.code.codegen.generate import generate
from equamo.code.codegen.prove_code import CodeProof, prove_code
from equamo.code.codegen.targets import TARGETS, target
from equamo.code.ir.sensitivities import PREFIXES
from equamo.errors import EquamoError
from generated_code import equations, package

FUNCTIONS = ["mass_matrix", "forward_dynamics", "kinetic_energy", "pose_fore", "jacobian_upper"]


def write(
    to: str, folder: Path, functions: list[str] | None = FUNCTIONS, **options: object
) -> list[Path]:
    """Files of rr_arm that hold functions."""
    paths = generate(equations("rr_arm"), to, folder, functions, prove=False, **options)  # type: ignore[arg-type]
    names = set(target(to).code(package("rr_arm"))) | {f"rr_arm_{f}.m" for f in FUNCTIONS}
    return [p for p in paths if p.name in names]


def prove(paths: list[Path], **options: object) -> CodeProof:
    return prove_code(equations("rr_arm"), paths, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("to", "dtype"), [(to, x) for to in TARGETS for x in target(to).dtypes])
def test_every_language(to: str, dtype: str, tmp_path: Path) -> None:
    proof = prove(write(to, tmp_path, dtype=dtype))
    assert proof.ok, str(proof)
    names = {line.name.replace("rr_arm_", "") for line in proof.lines}
    if to == "casadi":
        assert names == {"header", *(prefix + f for f in FUNCTIONS for prefix in ("", *PREFIXES))}
    else:
        assert names == {*FUNCTIONS, "default parameters", "header"}
    assert all(
        line.program for line in proof.lines if line.name not in ("default parameters", "header")
    )
    assert "all proved" in str(proof)
    assert proof.to_data()["ok"] is True


def test_one_digit_changed(tmp_path: Path) -> None:
    (path,) = write("c", tmp_path)
    path.write_text(path.read_text().replace("*2.0 + M_1_1", "*3.0 + M_1_1", 1))
    proof = prove([path])
    assert not proof
    (wrong,) = [line for line in proof.lines if not line]
    assert wrong.name == "rr_arm_mass_matrix"
    assert wrong.text.verdict == "refuted"
    assert "M[0, 0]" in str(wrong)
    assert "NOT all proved: 6 of 7" in str(proof)


def test_one_digit_of_the_defaults_changed(tmp_path: Path) -> None:
    for to in TARGETS:
        for path in write(to, tmp_path / to):
            text = path.read_text()
            if "9.81" not in text or to == "casadi":  # there it stands in a comment
                continue
            path.write_text(text.replace("9.81", "9.82"))
            wrong, *more = [line for line in prove([path]).lines if not line]
            assert wrong.name == "default parameters"
            assert all(line.name == "header" for line in more)  # it lists the default, too
            assert "9.82" in str(wrong)


def test_folded_parameters_must_be_named(tmp_path: Path) -> None:
    (path,) = write("c", tmp_path / "all", parameters="numeric")
    assert prove([path], parameters="numeric").ok
    proof = prove([path])
    assert not proof
    assert "parameters='numeric'" in str(proof)
    path.write_text(path.read_text()[:-5])
    assert not prove([path], parameters="numeric").remarks  # another error
    (path,) = write("c", tmp_path / "all", parameters="numeric")
    (path,) = write("c", tmp_path / "some", values={"m1": "1/3"})
    assert prove([path], values={"m1": "1/3"}).ok
    assert not prove([path], values={"m1": "0.33"}).ok  # another number
    assert not prove([path], values={"m2": "1/3"}).ok  # as many arguments, but others


def test_equations_of_another_robot(tmp_path: Path) -> None:
    (path,) = write("numpy", tmp_path)
    assert not prove_code(equations("rp_arm"), [path])
    heavier = eq.derive(eq.load("rr_arm").with_values(m1=2))
    proof = prove_code(heavier, [path])
    assert [line.name for line in proof.lines if not line] == ["default parameters", "header"]
    assert "names another model" in str(proof)
    assert prove([path]).ok


def test_names_of_frames_that_clash(tmp_path: Path) -> None:
    a = eq.Body("a-b", eq.revolute("q1"), mass=1, com="1 0 0")
    b = eq.Body("a b", eq.revolute("q2"), parent="a-b", mass=1, com="1 0 0")
    eom = eq.derive(eq.Robot("twins", [a, b], gravity="0 0 -9.81"))
    paths = generate(eom, "numpy", tmp_path, ["pose_a-b", "pose_a b"], prove=False)
    assert prove_code(eom, paths, functions=["pose_a-b", "pose_a b"]).ok
    swapped = prove_code(eom, paths, functions=["pose_a b", "pose_a-b"])
    assert [line.text.verdict for line in swapped.lines[:2]] == ["refuted", "refuted"]


def test_what_is_not_code(tmp_path: Path) -> None:
    with pytest.raises(EquamoError, match="cannot be read"):
        prove([tmp_path / "missing.c"])
    other = tmp_path / "notes.txt"
    other.write_text("hello")
    assert "expected generated code" in str(prove([other]))
    assert not prove([])
    write("c", tmp_path)
    assert not prove([tmp_path / "rr_arm_selftest.c"])
