"""Values that wait in shared memory: each is where the next instruction needs it."""

import re
from dataclasses import replace

import pytest

import equamo as eq
from equamo.ir.lookup import function_named
from equamo.ir.program import Program
from equamo.jit.cuda.layout import Access, Layout, chosen, sizes_of
from equamo.jit.cuda.order import beside
from equamo.jit.cuda.parking import Parking
from equamo.jit.cuda.proof import prove_thread
from equamo.jit.cuda.thread import thread_ir, waiting_values


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


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        (r"(%near, i64 )0\b", r"\g<1>256", "undecided"),  # a place that is loaded was not stored
        (r"(%near, i64 )0\b", r"\g<1>4", "undecided"),  # overlaps another
        (r"(%near, i64 )0\b", r"\g<1>99999744", "undecided"),  # beyond the last
        (r"(store volatile double) %t\w+", r"\1 %t21", "refuted"),  # another value
    ],
)
def test_other_places_are_not_proved(old: str, new: str, verdict: str) -> None:
    p = program("iiwa", "inverse_dynamics")
    place, text = made(p, 200)
    other = re.sub(old, new, text, count=1)
    assert other != text
    assert prove_thread(p, other, place).verdict == verdict
