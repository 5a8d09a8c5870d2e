"""Values that wait in shared memory: each is where the next instruction needs it."""

import re
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import equamo as eq
from equamo.code.ir.lookup import function_named
from equamo.code.ir.program import Program
from equamo.code.jit.cuda.constants import in_constant_memory
from equamo.code.jit.cuda.image import used_by_ptxas
from equamo.code.jit.cuda.layout import Access, Layout, chosen, sizes_of
from equamo.code.jit.cuda.order import beside, best_order, most_live
from equamo.code.jit.cuda.parking import Parking
from equamo.code.jit.cuda.proof import prove_thread
from equamo.code.jit.cuda.ptx import ptx
from equamo.code.jit.cuda.thread import thread_ir, waiting_values
from ptxas import ptxas


@cache
def program(robot: str, function: str) -> Program:
    return function_named(eq.derive(eq.load(robot)), function).program()


def layout(p: Program, kind: Access = "strided") -> Layout:
    access: list[Access] = ["value" if a.name == "parameters" else kind for a in p.arguments]
    return chosen((*access, *(kind for _ in p.outputs)), sizes_of(p), "float64", 32)


def most_in_registers(p: Program, place: Layout, plan: Parking) -> int:
    """Execute the moves of a plan; an operand must be in a register when it is needed."""
    code = p.instructions
    uses: dict[int, list[int]] = {}
    for t, i in enumerate(plan.order):
        for a in code[i].args:
            uses.setdefault(a, []).append(t)

    def counted(i: int) -> bool:
        leaf = code[i].leaf
        by_value = isinstance(leaf, tuple) and place.access[leaf[0]] == "value"
        return code[i].op not in ("constant", "pi", "sincos") and not by_value

    def stays(value: int, t: int) -> bool:
        """Whether a value keeps its register: it is needed again, and not loaded before that."""
        later = next((u for u in uses[value] if u > t), None)
        if later is None:
            return False
        loaded = (v for v, _ in plan.loads.get(plan.order[later], ()))
        return value not in memory.values() or value not in loaded

    here: set[int] = set()
    memory: dict[int, int] = {}
    most = 0
    for t, i in enumerate(plan.order):
        for value, seat in plan.stores.get(i, ()):
            assert value in here
            assert 0 <= seat < plan.near + plan.far
            memory[seat] = value
        for value, seat in plan.loads.get(i, ()):
            assert memory[seat] == value  # and not one that was stored there since
            here.add(value)
        assert all(a in here for a in code[i].args if counted(a))
        here = {a for a in here if stays(a, t)}
        if counted(i) and i in uses:
            here.add(i)
        most = max(most, len(here))
    return most


@pytest.mark.parametrize(("kept", "room"), [(40, 200), (40, 10), (30, 0)])
def test_operands_are_in_registers(kept: int, room: int) -> None:
    p = program("iiwa", "inverse_dynamics")
    place = layout(p)
    plan = waiting_values(p, place, kept, room)
    assert plan.near <= room
    assert (plan.far > 0) == (room < 200)
    assert most_in_registers(p, place, plan) <= kept


def test_nothing_waits_if_there_are_registers() -> None:
    p = program("rr_arm", "inverse_dynamics")
    plan = waiting_values(p, layout(p), 1000, 100)
    assert (plan.near, plan.far, plan.stores, plan.loads) == (0, 0, {}, {})


def test_a_sine_is_beside_its_cosine() -> None:
    p = program("rr_arm", "inverse_dynamics")
    order = beside(p.instructions, range(len(p.instructions)))
    assert sorted(order) == list(range(len(p.instructions)))
    where = {i: t for t, i in enumerate(order)}
    for i, (op, args, _) in enumerate(p.instructions):
        assert all(where[a] < where[i] for a in args)
        if op in ("sine", "cosine"):
            assert where[i] - where[args[0]] <= 2


@pytest.mark.parametrize("room", [200, 10])
def test_a_kernel_whose_values_wait_is_proved(room: int) -> None:
    p = program("iiwa", "inverse_dynamics")
    place, text = made(p, room)
    assert text.count("store volatile") > 20
    assert prove_thread(p, text, place).verdict == "proved"


def made(p: Program, room: int) -> tuple[Layout, str]:
    plan = waiting_values(p, layout(p), 40, room)
    place = replace(layout(p), parked=plan.near, far=plan.far)
    return place, thread_ir(p, place, parking=plan)


@pytest.mark.parametrize("offset", [256, 4, 99_999_744])  # not stored; overlaps; beyond the last
def test_other_places_are_not_proved(offset: int) -> None:
    p = program("iiwa", "inverse_dynamics")
    place, text = made(p, 200)
    other = re.sub(r"(%near, i64 )0\b", rf"\g<1>{offset}", text, count=1)
    assert other != text
    assert prove_thread(p, other, place).verdict == "undecided"


def test_another_value_in_a_place_is_refuted() -> None:
    p = program("iiwa", "inverse_dynamics")
    place, text = made(p, 200)
    first, second, *_ = re.findall(r"  store volatile double %t\d+,.*", text)
    value = re.findall(r"%t\d+", first)[0]
    other = text.replace(second, re.sub(r"%t\d+", value, second, count=1))
    assert other != text
    assert prove_thread(p, other, place).verdict == "refuted"


def test_the_assembler_may_move_loads() -> None:
    p = program("iiwa", "inverse_dynamics")
    plan = waiting_values(p, layout(p), 40, 200, moved=True)
    place = replace(layout(p), parked=plan.near, far=plan.far)
    text = thread_ir(p, place, parking=plan)
    assert "volatile" not in text
    assert prove_thread(p, text, place).verdict == "proved"
    lost = re.sub(r"  store double %t\d+, ptr addrspace\(3\).*\n", "", text, count=1)
    assert prove_thread(p, lost, place).verdict == "undecided"


@pytest.mark.ptxas
def test_ptxas_spills_nothing(tmp_path: Path) -> None:
    """With values in shared memory and numbers in constant memory, few registers are enough."""
    p = program("iiwa", "inverse_dynamics")
    plan = waiting_values(p, layout(p), 30, 200)
    place = replace(layout(p), parked=plan.near, far=plan.far)
    text = ptx(p, place, parking=plan, constants=True)
    (tmp_path / "kernel.ptx").write_text(text)
    line = [ptxas(), "-v", "-arch=sm_90", "-maxrregcount=128", tmp_path / "kernel.ptx"]
    done = subprocess.run([*line, "-o", tmp_path / "kernel.cubin"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert used_by_ptxas(done.stderr).local == 0


def test_derivatives_have_an_order_with_fewer_live_values() -> None:
    p = program("iiwa", "inverse_dynamics_derivatives")
    code, order = p.instructions, best_order(p)
    assert sorted(order) == list(range(len(code)))
    where = {i: t for t, i in enumerate(order)}
    assert all(where[a] < where[i] for i, x in enumerate(code) for a in x.args)
    assert most_live(code, order) < 0.95 * most_live(code, range(len(code)))


def test_numbers_of_32_bits_stay_in_their_instruction() -> None:
    line = "\tadd.rn.f64 %rd1, %rd2, 0d3FE0000000000000;"
    assert in_constant_memory(line) == line


@pytest.mark.ptxas
def test_functions_that_a_kernel_calls_keep_their_numbers(tmp_path: Path) -> None:
    """They come before the kernel and have registers of their own."""
    fast = eq.compile(
        eq.derive(eq.load("rr_arm")), functions={"soft": eq.parse("0.1*tanh(q1) + atan2(q1, q2)")}
    )
    p = fast.function("soft").program
    text = ptx(p, layout(p), constants=True)
    before, _, kernel = text.partition(".visible .entry")
    assert "%constant" not in before
    assert "%constant0" in kernel
    (tmp_path / "kernel.ptx").write_text(text)
    line = [ptxas(), "-arch=sm_90", tmp_path / "kernel.ptx", "-o", tmp_path / "kernel.cubin"]
    assert subprocess.run(line, capture_output=True).returncode == 0
