"""`eq.generate` reads back what it wrote, and puts nothing in place that is not proved."""

from pathlib import Path
from typing import Any

import pytest

import equamo as eq
from equamo.code.codegen.put_in_place import put_in_place
from equamo.code.codegen.targets import TARGETS, C, Cpp, Target, target
from equamo.code.codegen.text_proof import prove_package
from equamo.errors import FileFormatError, ProofError
from generated_code import equations, package
from read_code import code_files


@pytest.mark.parametrize("to", list(TARGETS))
def test_heads_say_what_is_proved(to: str, tmp_path: Path) -> None:
    eom = equations("rr_arm")
    for dtype in target(to).dtypes:
        kind = "float64" if to == "javascript" else dtype
        for path in eq.generate(eom, to, tmp_path, ["gravity"], dtype=dtype):  # type: ignore[arg-type]
            assert f"proved to be its program, each constant rounded to {kind}." in path.read_text()
    for path in eq.generate(eom, to, tmp_path, ["gravity"], prove=False):
        assert "read back" not in path.read_text()


@pytest.mark.parametrize("to", list(TARGETS))
def test_a_wrong_printer_leaves_no_file(to: str, tmp_path: Path, monkeypatch: Any) -> None:
    def product(self: Target, a: str, b: str) -> str:
        return f"{a}*{b}*2.0" + "F" * (isinstance(self, (C, Cpp)) and self.dtype == "float32")

    monkeypatch.setattr(Target, "format_mul", product)
    for dtype in target(to).dtypes:
        with pytest.raises(ProofError, match=r"gravity .*refuted"):
            eq.generate(equations("rr_arm"), to, tmp_path, ["gravity"], dtype=dtype)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
    assert eq.generate(equations("rr_arm"), to, tmp_path, ["gravity"], prove=False)


def test_an_unreadable_text_leaves_the_old_file(tmp_path: Path, monkeypatch: Any) -> None:
    paths = eq.generate(equations("rr_arm"), "c", tmp_path, ["gravity"])
    before = {p: p.read_bytes() for p in paths}
    monkeypatch.setattr(C, "format_input", lambda self, a, k: f"*({a.name} + {k})")
    with pytest.raises(FileFormatError, match=r"rr_arm\.c:\d+: "):
        eq.generate(equations("rr_arm"), "c", tmp_path, ["gravity", "mass_matrix"])
    assert {p: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a.c").mkdir()
    with pytest.raises(FileFormatError, match="cannot be written"):
        put_in_place(tmp_path, {"a.c": "text"}, lambda _: None)
    with pytest.raises(FileFormatError, match="cannot be written"):
        put_in_place(tmp_path / "missing", {"a.c": "text"}, lambda _: None)
    assert [p.name for p in tmp_path.iterdir()] == ["a.c"]


def test_a_text_of_another_type(tmp_path: Path) -> None:
    code_files(package("rr_arm", "float32"), "numpy", tmp_path)
    with pytest.raises(ProofError, match="the type of its arrays must be float64"):
        prove_package(tmp_path, tmp_path, target("numpy"), package("rr_arm"))


def test_a_text_without_a_function(tmp_path: Path) -> None:
    code_files(package("rr_arm"), "javascript", tmp_path)
    path = tmp_path / "rr_arm.mjs"
    before, function, after = path.read_text().partition("// g, ")
    assert function
    path.write_text(before + after[after.index("\n}\n\n") + 4 :])
    with pytest.raises(ProofError, match=r"functions missing in the \.mjs text: gravity"):
        prove_package(tmp_path, tmp_path, target("javascript"), package("rr_arm"))
