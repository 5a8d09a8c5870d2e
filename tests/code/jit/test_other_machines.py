"""Objects of a real robot's kernels for machines that are not this one: all that they leave to link."""

from functools import cache

import pytest

from equamo.code.ir.functions import functions
from equamo.code.ir.program import Program
from equamo.code.jit import engine, object_file
from equamo.code.jit.entry import Signature, entry_ir
from equamo.code.jit.llvm import Dtype, ir
from equamo.mechanics.equations import derive
from equamo.robot.catalog import load
from peer_urdf import file

pytestmark = pytest.mark.needs("pinocchio")

MACHINES = {
    "windows": (engine.WINDOWS, "COFF"),
    "macos": (engine.MACOS, "Mach-O"),
    "linux-arm": (engine.LINUX_ARM, "ELF 183"),
}


@cache
def panda() -> Program:
    return functions(derive(load(file("panda.urdf"))))["inverse_dynamics"].program()


@pytest.mark.sweep(14)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
@pytest.mark.parametrize("name", MACHINES)
def test_kernels_leave_only_named_symbols(name: str, lanes: int, dtype: Dtype) -> None:
    machine, kind = MACHINES[name]
    text, made = ir(panda(), dtype, lanes, engine.fuses(machine)), {"kernel", "batch"}
    if lanes == 1:
        text += entry_ir(Signature((9, 9, 9), 0, ((9,),), dtype))
        made |= {"entry", "bind"}
    found = object_file.read(engine.object_code(text, machine))
    assert found.kind.startswith(kind)
    assert made <= found.defined
    assert found.undefined <= engine.UNDEFINED_ALLOWED
    # Sines are our own: nothing of the mathematics library is needed.
    assert not {x for x in found.undefined if x.startswith(("sin", "cos", "pow"))}
