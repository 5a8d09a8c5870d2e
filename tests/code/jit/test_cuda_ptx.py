"""Kernels for GPUs: every function as PTX, accepted by NVIDIA's assembler, and proved."""

import re
from pathlib import Path

import pytest

import equamo as eq
from equamo.code.ir.program import Dtype
from equamo.code.jit import processor
from equamo.code.jit.certificate import constants_rounded_once
from equamo.code.jit.cuda.image import used_by_ptxas
from equamo.code.jit.cuda.layout import chosen, sizes_of
from equamo.code.jit.cuda.module import DeviceModule
from equamo.code.jit.cuda.parts import divided
from equamo.code.jit.cuda.proof import prove_thread
from equamo.code.jit.cuda.ptx import directed, machine, ptx, undirected
from equamo.code.jit.cuda.thread import thread_ir
from equamo.code.jit.machine_code import MachineCode, Options
from equamo.code.jit.origin import Equations
from equamo.code.steps import method_named
from equamo.code.steps.device_loop import METHODS, DeviceLoop
from equamo.motion.simulation.fixed_step import Plan, kernel
from kernel_resources import (
    FUNCTIONS,
    LONGEST,
    ROBOTS,
    assembled,
    equations,
    layout,
    program,
    recorded,
)

pytestmark = pytest.mark.needs("pinocchio")

DTYPES: tuple[Dtype, ...] = ("float64", "float32")


def cases(whole_sweeps: bool) -> list[tuple[str, str]]:
    if whole_sweeps:
        return [(r, f) for r in ROBOTS for f in FUNCTIONS]
    short = [("rr_arm", f) for f in FUNCTIONS] + [("panda.urdf", f) for f in FUNCTIONS[:2]]
    return [
        *short,
        ("iiwa", FUNCTIONS[5]),
        ("anymal_b_simple", FUNCTIONS[0]),
        (ROBOTS[5], "gravity"),
    ]


@pytest.mark.ci
def test_every_kernel_is_proved_and_becomes_ptx(whole_sweeps: bool) -> None:
    for k, (robot, function) in enumerate(cases(whole_sweeps)):
        p = program(robot, function)
        kinds = ("rows", "strided")
        if not whole_sweeps and robot != "rr_arm":
            kinds = (kinds[k // 2 % 2],)
        for kind in kinds:
            dtype = DTYPES[k % 2]
            place = layout(p, kind, dtype)
            text = thread_ir(p, place)
            assert prove_thread(p, text, place).verdict == "proved", (robot, function, kind)
        made = ptx(p, place)
        assert ".visible .entry kernel(" in made
        assert ".extern" not in made
        assert made.count("fma.rn.f64" if dtype == "float64" else "fma.rn.f32") > 3
        # Only with .rn may the assembler not join a product and a sum.
        assert not re.search(r"\b(add|sub|mul)\.f(32|64)", made)


@pytest.mark.ci
@pytest.mark.ptxas
def test_ptxas_accepts_the_kernels(whole_sweeps: bool, tmp_path: Path) -> None:
    """And they take no more than what is recorded: the first figures of a change that costs speed."""
    record = recorded()
    pairs = [("panda.urdf", FUNCTIONS[0]), ("anymal_b_simple", FUNCTIONS[0])]
    if whole_sweeps:
        pairs = [(r, f) for r in ROBOTS for f in FUNCTIONS]
        assert {x[:2] for x in record} == {
            x for x in pairs if len(program(*x).instructions) <= LONGEST
        }
    for x in record:
        if x[:2] in pairs and (whole_sweeps or x[3] == "float64"):
            p = program(x[0], x[1])
            text = ptx(p, layout(p, x[2], x[3]))
            taken, known = used_by_ptxas(assembled(text, tmp_path)), record[x]
            assert 0 < taken.registers <= min(255, known.registers + 8), x
            assert taken.local <= 1.05 * known.local + 64, x


@pytest.mark.ptxas
def test_ptxas_accepts_directives_parts_and_loops(tmp_path: Path) -> None:
    p = program("rr_arm", "forward_dynamics")
    divided_text = ptx(p, layout(p, "strided", "float64", 32), parts=divided(p, 2))
    spilled = ptx(p, layout(p, "strided", "float64"), spill=True, blocks=8)
    loops = [loop("rr_arm", method, dtype) for method in METHODS for dtype in DTYPES]
    for text in (divided_text, spilled, undirected(spilled), *loops):
        assert used_by_ptxas(assembled(text, tmp_path)).registers > 0


def loop(robot: str, method: str, dtype: Dtype) -> str:
    from equamo.code.jit import engine

    eom = equations(robot)
    p = kernel(Plan(eom, method, None, 1, False, False), method_named(method))
    n = len(eom.q)
    unit = eom.robot.state_space.quaternions
    text = DeviceLoop(p, method, dtype, n, n + len(eom.v), unit).text()
    return directed(engine.assembly(text, machine((9, 0))), 64)


def test_loops_become_ptx() -> None:
    for method in METHODS:
        assert "bra" in loop("rr_arm", method, "float64")


def test_spilling_can_be_taken_back() -> None:
    p = program("rr_arm", "gravity")
    plain = ptx(p, layout(p, "strided", "float64"))
    assert undirected(ptx(p, layout(p, "strided", "float64"), spill=True)) == plain
    assert ".version 9.0" not in plain
    assert ".maxntid 64" in plain


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("= fadd", "= fsub"),
        ("mul i64 %element0, 1", "mul i64 %element0, 0"),
    ],
)
def test_a_changed_kernel_is_not_proved(old: str, new: str) -> None:
    p = program("rr_arm", "inverse_dynamics")
    place = layout(p, "strided", "float64")
    text = thread_ir(p, place)
    assert old in text
    assert prove_thread(p, text.replace(old, new, 1), place).verdict == "refuted"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%i = select i1 %inside, i64 %thread", "%i = select i1 %inside, i64 %last"),
        ("ptr addrspace(1) %own0, i64 %t1\n", "ptr addrspace(1) %own1, i64 %t1\n"),
        ("  ret void", "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n  ret void"),
    ],
)
def test_other_changes_are_not_understood(old: str, new: str) -> None:
    p = program("rr_arm", "inverse_dynamics")
    place = layout(p, "strided", "float64")
    text = "declare void @llvm.nvvm.bar.warp.sync(i32)\n" + thread_ir(p, place)
    assert old in text
    assert prove_thread(p, text.replace(old, new, 1), place).verdict == "undecided"


def test_a_module_has_one_function() -> None:
    p = program("rr_arm", "gravity")
    place = layout(p, "rows", "float64")
    text = thread_ir(p, place)
    other = text.replace("define ptx_kernel", "define void @more() { ret void }\ndefine ptx_kernel")
    assert prove_thread(p, other, place).verdict == "undecided"


def test_a_quotient_is_only_its_own_sequence() -> None:
    p = program("rr_arm", "forward_dynamics")
    place = layout(p, "strided", "float64")
    text = thread_ir(p, place)
    assert "rcp.approx" in text
    assert prove_thread(p, text, place).verdict == "proved"
    lines = text.split("\n")
    at = next(i for i, x in enumerate(lines) if "rcp.approx" in x and "declare" not in x)
    lines[at + 1] = lines[at + 1].replace("1.0", "2.0").replace("0x3FF0", "0x4000")
    assert prove_thread(p, "\n".join(lines), place).verdict == "undecided"


def test_parts_divide_the_entries() -> None:
    p = program("iiwa", "forward_dynamics_derivatives")
    parts = divided(p, 8)
    assert 4 <= len(parts) <= 8
    everything = [entry for part in parts for entry in part]
    assert len(everything) == len(set(everything)) == sum(len(y.values) for y in p.outputs)
    assert divided(p, 1) == (frozenset(everything),)


@pytest.mark.parametrize("count", [2, 8])
def test_a_kernel_in_parts_is_proved(count: int, whole_sweeps: bool) -> None:
    robot = "iiwa" if whole_sweeps or count == 2 else "rr_arm"
    p = program(robot, "forward_dynamics_derivatives")
    place = layout(p, "strided", "float64", 32)
    parts = divided(p, count)
    text = thread_ir(p, place, parts)
    assert prove_thread(p, text, place, len(parts)).verdict == "proved"
    wrong = text.replace("= fadd", "= fsub", 1)
    assert prove_thread(p, wrong, place, len(parts)).verdict == "refuted"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("i32 1, label %part1", "i32 1, label %part0", "must have 2 parts"),
        ("  br label %done\npart1", "  br label %part1\npart1", "must end with a jump to the end"),
    ],
)
def test_parts_that_are_not_as_emitted_are_not_understood(old: str, new: str, reason: str) -> None:
    p = program("rr_arm", "forward_dynamics_derivatives")
    place = layout(p, "strided", "float64", 32)
    text = thread_ir(p, place, divided(p, 2))
    assert old in text
    proof = prove_thread(p, text.replace(old, new, 1), place, 2)
    assert proof.verdict == "undecided"
    assert reason in proof.reason


def test_two_parts_do_not_store_the_same_entry() -> None:
    p = program("rr_arm", "gravity")
    place = layout(p, "strided", "float64", 32)
    whole = frozenset(entry for part in divided(p, 1) for entry in part)
    proof = prove_thread(p, thread_ir(p, place, (whole, whole)), place, 2)
    assert "must not store the same entry" in proof.reason


def test_a_machine_has_the_name_of_its_capability() -> None:
    assert machine((8, 6)).cpu == "sm_86"
    assert machine((12, 0)).cpu == "sm_90"


def test_the_constants_of_quotients_are_known() -> None:
    """Division emits 1.0; a program without it has no number besides its own."""

    def module(name: str) -> DeviceModule:
        robot = eq.Robot("slide", [eq.Body("b", eq.prismatic("x"), mass="m")])
        options = Options(cache=False, cpu=processor.HOST)
        equations = Equations(eq.derive(robot), {})
        code = MachineCode(equations, options, name, None, processor.HOST)
        sizes = sizes_of(code.program)
        return DeviceModule(code, chosen(("strided",) * len(sizes), sizes, "float64"))

    for name, more in (("forward_dynamics", {1.0}), ("inverse_dynamics", set[float]())):
        found = module(name)
        assert found.more_numbers == more
        assert constants_rounded_once(found)
