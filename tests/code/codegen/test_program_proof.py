"""Generated files: the programs are proved first, and the files say what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import equamo as eq
import equamo.code.ir.functions
from equamo.algebra.expr import ONE
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import Proof
from equamo.code.codegen.generate import generate
from equamo.code.codegen.program_proof import program_heads
from equamo.code.ir.functions import functions
from equamo.errors import ProofError


@pytest.mark.sweep(1)
@pytest.mark.parametrize("to", ["c", "numpy", "matlab", "javascript"])
def test_every_file_says_that_its_programs_are_proved(to: str, tmp_path: Path) -> None:
    eom = eq.derive(eq.load("rolling_disc"))
    certificate = eq.prove(eom)
    paths = generate(eom, to, tmp_path, values={"m": "1.5"}, certificate=certificate)
    said = "17 functions proved equal to these equations, constants exact, error at most 2^-1"
    for path in paths:
        assert f"Programs: {said}" in path.read_text(encoding="utf-8"), path


def test_a_refuted_program_is_an_error_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = equamo.code.ir.functions.inverse_dynamics

    def wrong(*given: Any, **options: Any) -> Vector:
        return Vector([x + ONE for x in right(*given, **options)])

    monkeypatch.setattr(equamo.code.ir.functions, "inverse_dynamics", wrong)
    eom = eq.derive(eq.load("rr_arm"))
    with pytest.raises(ProofError, match=r"the program of bias .* refuted: b\[0\]"):
        generate(eom, "c", tmp_path / "out", ["bias"])
    assert not (tmp_path / "out").exists()
    paths = generate(eom, "c", tmp_path / "out", ["bias"], prove=False)
    assert "Programs: not proved to be these equations." in paths[0].read_text(encoding="utf-8")


def test_an_undecided_program_is_named_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    made = [(f, f.program()) for f in map(functions(eom).get, ("bias", "gravity")) if f]
    proofs = [Proof("undecided", reason="more than 10 square roots"), Proof("proved", -104.5)]
    monkeypatch.setattr(
        "equamo.code.codegen.program_proof.prove_programs", lambda eom, made: proofs[: len(made)]
    )
    assert program_heads(eom, made, prove=True) == (
        "Programs: bias is NOT PROVED, undecided: more than 10 square roots",
        "Programs: the other 1 proved equal to these equations, constants exact, error at most 2^-104 "
        "in all.",
    )
    assert len(program_heads(eom, made[:1], prove=True)) == 1
