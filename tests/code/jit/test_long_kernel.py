"""Long kernels: their blocks stay apart, and nothing else is different."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import equamo as eq
from equamo.code.ir.functions import functions
from equamo.code.ir.program import Dtype, Program
from equamo.code.jit import engine, llvm
from equamo.code.jit.ir_proof import prove_ir
from equamo.code.jit.llvm import BLOCKS, ir
from equamo.code.jit.machine_code import MachineCode

NAMES = "mass_matrix", "forward_dynamics"


@pytest.fixture
def short_limits() -> Iterator[None]:
    """Limits that make the kernels of an arm long ones, of many blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(llvm, "LONG", 100)
        patch.setattr(llvm, "BLOCK", 40)
        yield


@pytest.fixture(scope="module")
def iiwa() -> eq.EquationsOfMotion:
    return eq.derive(eq.load("iiwa"))


def program(eom: eq.EquationsOfMotion, name: str) -> Program:
    return functions(eom)[name].program()


@pytest.mark.parametrize("name", NAMES)
def test_an_arm_has_no_table(iiwa: eq.EquationsOfMotion, name: str) -> None:
    assert BLOCKS not in ir(program(iiwa, name))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("lanes", [1, 4])
def test_a_long_kernel_is_proved(
    short_limits: None, iiwa: eq.EquationsOfMotion, name: str, lanes: int
) -> None:
    p = program(iiwa, name)
    text = ir(p, "float64", lanes, True)
    assert text.count("blockaddress") == text.count("br label %block") > 10
    assert str(prove_ir(p, text, "float64", lanes, True)) == "proved: the same expression"


def test_the_table_has_addresses_of_blocks_only(
    short_limits: None, iiwa: eq.EquationsOfMotion
) -> None:
    p = program(iiwa, "mass_matrix")
    text = ir(p, "float64", 1, True)
    other = text.replace("ptr blockaddress(@kernel, %block1)", "ptr @batch")
    assert other != text
    proof = prove_ir(p, other, "float64", 1, True)
    assert proof.verdict == "undecided"
    assert "the variables must be as emitted" in str(proof.reason)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("lanes", [1, 4])
def test_the_numbers_are_the_same(iiwa: eq.EquationsOfMotion, name: str, lanes: int) -> None:
    rng = np.random.default_rng(7)
    states = [rng.normal(size=(9, 7)) for _ in range(1 if name == "mass_matrix" else 3)]

    def values() -> np.ndarray:
        fast = eq.compile(iiwa, cache=False, lanes=lanes)
        return np.asarray(getattr(fast, name)(*states))

    plain = values()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(llvm, "LONG", 100)
        patch.setattr(llvm, "BLOCK", 40)
        made: list[str] = []
        text = MachineCode.text

        def kept(self: MachineCode, dtype: Dtype, lanes: int) -> str:
            made.append(text(self, dtype, lanes))
            return made[-1]

        patch.setattr(MachineCode, "text", kept)
        assert np.array_equal(values(), plain)
        assert made
        assert all(BLOCKS in x for x in made)


@pytest.mark.parametrize("machine", [engine.WINDOWS, engine.MACOS, engine.LINUX_ARM])
def test_other_machines_take_the_table(
    short_limits: None, iiwa: eq.EquationsOfMotion, machine: engine.Machine
) -> None:
    text = ir(program(iiwa, "mass_matrix"), "float64", 1, True)
    assert engine.object_code(text, machine)


def test_the_blocks_stay_apart(short_limits: None, iiwa: eq.EquationsOfMotion) -> None:
    """Without the table LLVM joins the blocks, and makes the same code for any length of blocks."""
    p = program(iiwa, "mass_matrix")
    codes: dict[bool, set[bytes]] = {True: set(), False: set()}
    for length in (40, 90):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(llvm, "BLOCK", length)
            text = ir(p, "float64", 1, True)
        for table in codes:
            lines = [x for x in text.split("\n") if table or not x.startswith(f"@{BLOCKS}")]
            codes[table].add(engine.object_code("\n".join(lines)))
    assert len(codes[False]) == 1
    assert len(codes[True]) == 2
