"""Registers and spilled bytes of kernels for GPUs, by NVIDIA's assembler: measured, and recorded.

python tests/kernel_resources.py        measures all kernels again and writes golden/ptxas.txt (minutes)
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import cast, get_args

import equamo as eq
from equamo.code.ir.lookup import function_named
from equamo.code.ir.program import DTYPES, Dtype, Program
from equamo.code.jit.cuda.image import Resources, used_by_ptxas
from equamo.code.jit.cuda.layout import Access, Layout, chosen, sizes_of
from equamo.code.jit.cuda.ptx import ptx
from peer_urdf import file
from ptxas import ptxas

RECORD = Path(__file__).parent / "golden" / "ptxas.txt"
ROBOTS = ("rr_arm", "iiwa", "panda.urdf", "ur5_robot.urdf", "anymal_b_simple", "g1_29dof_rev_1_0")
FUNCTIONS = (
    "inverse_dynamics", "forward_dynamics", "mass_matrix", "bias", "gravity",
    "inverse_dynamics_derivatives", "forward_dynamics_derivatives",
)  # fmt: skip
LONG = 10_000  # instructions of a program that takes a minute to assemble: one kernel is enough
LONGEST = 20_000  # of one that takes longer than all others together, and is left out
Kernel = tuple[str, str, Access, Dtype]  # robot, function, arrays, type of numbers


@cache
def equations(name: str) -> eq.EquationsOfMotion:
    if name in ("rr_arm", "iiwa"):
        return eq.derive(eq.load(name))
    ends = {
        "panda.urdf": "urdf/panda.urdf",
        "anymal_b_simple": "anymal_b_simple_description/robots/anymal.urdf",
        "g1_29dof_rev_1_0": "g1_29dof_rev_1_0.urdf",
    }
    path = file(ends.get(name, name))
    base = "free" if name.startswith(("anymal", "g1")) else "fixed"
    return eq.derive(eq.load(str(path), base=base))


@cache
def program(robot: str, function: str) -> Program:
    return function_named(equations(robot), function).program()


def layout(p: Program, kind: Access, dtype: Dtype, threads: int = 64) -> Layout:
    last = ("parameters", "external")
    access: list[Access] = ["value" if a.name in last else kind for a in p.arguments]
    return chosen((*access, *(kind for _ in p.outputs)), sizes_of(p), dtype, threads)


def assembled(text: str, folder: Path) -> str:
    """What the assembler says about PTX; it must accept it."""
    path = folder / "kernel.ptx"
    path.write_text(text)
    line = [str(ptxas()), "-v", "-arch=sm_90", str(path), "-o", str(folder / "kernel.cubin")]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def recorded() -> dict[Kernel, Resources]:
    """What each kernel took when it was last measured."""
    found: dict[Kernel, Resources] = {}
    for line in RECORD.read_text().splitlines():
        if line and not line.startswith("#"):
            robot, function, kind, dtype, registers, local = line.split()
            assert kind in get_args(Access)
            assert dtype in DTYPES
            key = robot, function, cast(Access, kind), cast(Dtype, dtype)
            found[key] = Resources(int(registers), int(local))
    return found


def measure() -> None:
    """Measure every kernel, one line each."""
    version = subprocess.run([str(ptxas()), "--version"], capture_output=True, text=True).stdout
    lines = [
        "# robot, function, arrays, type, registers, spilled bytes (tests/kernel_resources.py)",
        f"# {version.strip().splitlines()[-1]}, sm_90",
    ]
    for robot in ROBOTS:
        for function in FUNCTIONS:
            p = program(robot, function)
            if len(p.instructions) > LONGEST:
                continue
            long = len(p.instructions) > LONG
            for kind in ("strided",) if long else ("strided", "rows"):
                for dtype in DTYPES[:1] if long else DTYPES:
                    with tempfile.TemporaryDirectory() as folder:
                        text = assembled(ptx(p, layout(p, kind, dtype)), Path(folder))
                    taken = used_by_ptxas(text)
                    numbers = f"{taken.registers} {taken.local}"
                    lines.append(f"{robot} {function} {kind} {dtype} {numbers}")
                    print(lines[-1], file=sys.stderr, flush=True)
    RECORD.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    measure()
