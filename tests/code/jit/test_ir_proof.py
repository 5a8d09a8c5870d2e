"""Modules of IR are proved to compute their programs; one with an error in a line never is."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import cos, parse, sin, symbol
from equamo.code.ir.function import folded
from equamo.code.ir.functions import Function, frame_function, functions
from equamo.code.ir.lower import lower
from equamo.code.ir.passes import optimise
from equamo.code.ir.program import DTYPES, FUSED, Argument, Dtype, Program
from equamo.code.jit import engine
from equamo.code.jit.certificate import ir_computes_the_program
from equamo.code.jit.compiled import compile
from equamo.code.jit.entry import Signature, entry_ir
from equamo.code.jit.ir_algebra import Terms, terms_of
from equamo.code.jit.ir_execution import execute, number
from equamo.code.jit.ir_proof import prove_ir
from equamo.code.jit.ir_reader import read
from equamo.code.jit.llvm import PACK, Types, ir
from equamo.code.jit.machine_code import LANES
from equamo.errors import EquamoError
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.catalog import load
from equamo.robot.library import names
from ir_corruption import Job, corrupted, results
from peer_urdf import file
from program_corruption import OPERATIONS, run
from random_trees import random_tree

pytestmark = pytest.mark.needs("pinocchio")

VARIANTS: list[tuple[Dtype, int, bool]] = [
    (dtype, lanes, fused) for dtype in DTYPES for lanes in LANES for fused in (True, False)
]
FILES = {
    "panda.urdf": "fixed",
    "anymal_b_simple_description/robots/anymal.urdf": "free",
    "g1_29dof_rev_1_0.urdf": "free",
}
TREES = [f"tree {seed}" for seed in range(50)]
ROBOTS = ("rr_arm", "wheeled_inverted_pendulum", "krang", TREES[4])


@cache
def equations(name: str) -> EquationsOfMotion:
    """Of a built-in robot, of one from a file, or of a random tree."""
    if name in FILES:
        return derive(load(file(name), base=FILES[name]))
    if name in TREES:
        seed = TREES.index(name)
        return derive(random_tree(700 + seed, bodies=2 + seed % 4).robot())
    return derive(load(name))


@cache
def table(name: str) -> dict[str, Function]:
    """The functions of a robot, and those of its last body."""
    eom = equations(name)
    frame = eom.robot.bodies[-1].name
    kinds = ("pose", "jacobian", "jacobian_dot_v")
    return {**functions(eom), **{k: frame_function(eom, k, frame) for k in kinds}}


@cache
def program_of(name: str, function: str) -> Program:
    function, _, numeric = function.partition(" with ")
    if numeric:
        values = equations(name).robot.values
        return folded(table(name)[function], {n: x for n, x in values.items() if x}).program()
    return table(name)[function].program()


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", [*names(), *FILES, *TREES] if WHOLE_SWEEPS else ROBOTS)
def test_every_function_is_proved(name: str) -> None:
    """By the same operations: no expression has to be made."""
    random, chosen = Random(7), list(table(name))
    if name == "krang" and not WHOLE_SWEEPS:
        chosen = random.sample(chosen, 5)
    for function in chosen:
        program = program_of(name, function)
        every = WHOLE_SWEEPS and name in ("rr_arm", "wheeled_inverted_pendulum")
        for dtype, lanes, fused in VARIANTS if every else random.sample(VARIANTS, 2):
            proof = prove_ir(program, ir(program, dtype, lanes, fused), dtype, lanes, fused)
            assert proof, (function, dtype, lanes, fused, str(proof))
            assert proof.bound_bits is None


def everything() -> Program:
    """A program with every function of the language, numbers, π, and more sines than one vector has."""
    names = ("a", "b", "c", "d", "e", "f", "g")
    text = (
        "exp(a) + log(b)", "tanh(a*b)", "asin(c)", "acos(c)", "atan(d)", "atan2(a, b)", "sign(a - b)",
        "abs(a)", "sqrt(b)", "sin(1/3)*a", "cos(0.7)", "tan(a + b)", "sin(exp(a))", "1/3 + pi*a", "0",
        "-2.5", "a", "b - a*c",
        "sin(a)*cos(b)*sin(c)*cos(d)*sin(e)*cos(f)*sin(g)*sin(a+b)*sin(b+c)*sin(c+d)",
    )  # fmt: skip
    x = tuple(symbol(n) for n in names)
    return optimise(lower("f", [Argument("x", x)], {"y": [parse(t) for t in text]}), True)


@pytest.mark.parametrize(("dtype", "lanes", "fused"), VARIANTS)
def test_every_operation(dtype: Dtype, lanes: int, fused: bool) -> None:
    program = everything()
    assert prove_ir(program, ir(program, dtype, lanes, fused), dtype, lanes, fused)


def test_the_entry_belongs_to_the_module() -> None:
    program = program_of("rr_arm", "mass_matrix")
    one, other = Signature((2,), 1, ((2, 2),), "float64"), Signature((2,), 1, ((4,),), "float64")
    text = ir(program, "float64", 1, True)
    assert prove_ir(program, text + entry_ir(one), "float64", 1, True, one)
    for given, meant in ((text + entry_ir(other), one), (text, one), (text + entry_ir(one), None)):
        assert not prove_ir(program, given, "float64", 1, True, meant)


def test_code_from_the_disk_is_known_by_its_digest(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from equamo.code.jit.certificate import Module
    from equamo.code.jit.machine_code import MachineCode

    monkeypatch.setenv("EQUAMO_CACHE", str(tmp_path / "cache"))
    for _ in range(2):  # made, then from the disk
        fast = compile(equations("rr_arm"))
        assert fast.gravity([0.1, 0.2]).shape == (2,)
        (code,) = fast.function("gravity").codes
        assert ir_computes_the_program(Module(code, "float64", 1), 100, 1)
    text = MachineCode.text
    monkeypatch.setattr(MachineCode, "text", lambda *args: text(*args) + "\n; other")
    proof = ir_computes_the_program(Module(code, "float64", 1), 100, 1)
    assert proof.verdict == "refuted"
    assert "another module" in str(proof)


# -- what is not emitted is not understood -----------------------------------------------------------
def rr(lanes: int = 1) -> tuple[Program, str]:
    program = program_of("rr_arm", "inverse_dynamics")
    return program, ir(program, "float64", lanes, True)


def verdict(text: str, lanes: int = 1) -> str:
    return prove_ir(rr(lanes)[0], text, "float64", lanes, True).verdict


@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize(
    "flag", ["fast", "contract", "reassoc", "nsz", "nnan", "ninf", "arcp", "afn"]
)
def test_fast_math_is_refused(flag: str, lanes: int) -> None:
    _, text = rr(lanes)
    assert verdict(text, lanes) == "proved"
    kernel = text.index("define void @kernel")
    after = text.rindex("fmul", kernel, text.index(NEXT))
    assert verdict(text[:after] + f"fmul {flag}" + text[after + 4 :], lanes) == "undecided"


NEXT = "define internal void @gather"
ROUND = "  br label %x\ny:\n  ret void\nx:\n  br label %y\n}\n"
CHANGES = {
    "a volatile load": ("= load double, ptr", "= load volatile double, ptr"),
    "a weaker alignment": ("align 8\n", "align 4\n"),
    "a jump": (f"  ret void\n}}\n{NEXT}", f"{ROUND}{NEXT}"),
    "another table": ("0x3F8111111110F730", "0x3F8111111110F731"),
    "another shift": ("i64 62", "i64 61"),
    "an attribute": ("@kernel(ptr %args) nounwind", "@kernel(ptr noalias %args) nounwind"),
    "a function more": (NEXT, f"define void @f() {{ ret void }}\n{NEXT}"),
    "a variable more": (NEXT, f"@x = global i8 0\n{NEXT}"),
    "an argument that is not there": ("ptr %args, i64 0", "ptr %args, i64 9"),
    "the loop": ("%next = add i64 %i, 1", "%next = add i64 %i, 2"),
}


@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES)
def test_unknown_lines_are_refused(old: str, new: str) -> None:
    _, text = rr()
    assert old in text
    changed = text.replace(old, new, 1)
    engine.printout(changed)  # LLVM takes it
    assert verdict(changed) != "proved"


def test_outputs_are_stored_once_and_after_all_loads() -> None:
    _, text = rr()
    kernel = text[text.index("define void @kernel") : text.index(NEXT)]
    stores = [line for line in kernel.split("\n") if line.startswith("  store double")]
    assert len(stores) == 2
    first_load = next(x for x in kernel.split("\n") if "= load double" in x)
    for changed in (
        text.replace(stores[0] + "\n", "", 1),
        text.replace(stores[0], stores[0] + "\n" + stores[0], 1),
        text.replace(stores[1], stores[1] + "\n" + first_load.replace("%t", "%late", 1), 1),
    ):
        assert changed != text
        assert verdict(changed) == "undecided"


def test_equal_but_by_other_operations_is_still_proved() -> None:
    """a + b instead of b + a: other terms, the same expression."""
    x = (symbol("a"), symbol("b"))
    one, other = (
        lower("f", [Argument("x", x)], {"y": [parse(t)]})
        for t in ("(a + b)**2", "a*a + 2*a*b + b*b")
    )
    proof = prove_ir(one, ir(other, "float64", 2), "float64", 2, False)
    assert proof
    assert proof.bound_bits is not None


def test_lanes_that_are_mixed_up_are_not_proved() -> None:
    program = everything()
    text = ir(program, "float64", 4)
    assert "extractelement <4 x double>" in text
    for wrong in ("i32 1", "i32 3"):
        place = text.index("extractelement <4 x double>")
        place = text.index("i32 0", place)
        assert not prove_ir(program, text[:place] + wrong + text[place + 5 :], "float64", 4, False)


def test_text_that_llvm_refuses_is_undecided() -> None:
    program, text = rr()
    proof = prove_ir(program, text.replace("fmul", "fmull"), "float64", 1, True)
    assert proof.verdict == "undecided"
    assert "LLVM must accept the program, but rejected it" in str(proof)
    with pytest.raises(EquamoError):
        engine.printout("define void @f( {")


# -- errors in lines ---------------------------------------------------------------------------------
Case = tuple[str, str, Dtype, int]
SMALL: list[Case] = [
    (name, function, dtype, lanes)
    for name, function in (
        ("rr_arm", "inverse_dynamics"),
        ("rr_arm", "forward_dynamics"),
        ("rr_arm", "inverse_dynamics with numbers"),
        ("wheeled_inverted_pendulum", "coriolis_matrix"),
        ("wheeled_inverted_pendulum", "gravity"),
    )
    for dtype, lanes in (("float64", 1), ("float64", 4), ("float32", 8))
]
COUNT = 30 if WHOLE_SWEEPS else 12  # errors for each
LIMIT = {"float64": 1e-9, "float32": 1e-3}


def differs(a: list[float] | None, b: list[float], limit: float) -> bool:
    """Beyond rounding; a kernel that ended the process differs."""
    if a is None:
        return True
    size = max(1.0, *map(abs, b))
    return any(math.isnan(x) or abs(x - y) > limit * size for x, y in zip(a, b, strict=True))


def jobs_with_errors(case: Case, random: Random) -> dict[str, tuple[str, Job]]:
    """Modules that LLVM takes, each with an error in a line of the kernel; first the right one."""
    name, function, dtype, lanes = case
    program = program_of(name, function)
    text = ir(program, dtype, lanes, engine.fuses())
    start, end = text.index("define void @kernel"), text.index(NEXT)
    sizes = [len(a) for a in program.arguments]
    outputs = [len(y.values) for y in program.outputs]
    values = [[random.uniform(0.3, 1.5) for _ in range(n)] for n in sizes]
    found: dict[str, tuple[str, Job]] = {}
    draw: tuple[str, str] | None = text[start:end], "none"
    while len(found) <= COUNT:
        if draw is not None:
            changed = text[:start] + draw[0] + text[end:]
            with suppress(EquamoError):
                engine.printout(changed)
                found[changed] = draw[1], Job(text=changed, sizes=sizes, outputs=outputs, dtype=dtype,
                                              lanes=lanes, values=values)  # fmt: skip
        draw = corrupted(text[start:end], random)
    return found


@pytest.mark.ci
def test_no_harmful_error_is_proved() -> None:
    random = Random(5)
    cases = SMALL if WHOLE_SWEEPS else random.sample(SMALL, 4)
    made = [(case, jobs_with_errors(case, random)) for case in cases]
    every = iter(results([job for _, jobs in made for _, job in jobs.values()]))
    harmful = 0
    for (name, function, dtype, lanes), jobs in made:
        right = next(every)
        assert right is not None
        for what, job in list(jobs.values())[1:]:
            if differs(next(every), right, LIMIT[dtype]):
                harmful += 1
                program = program_of(name, function)
                proof = prove_ir(program, job["text"], dtype, lanes, engine.fuses())
                assert not proof, (name, function, dtype, lanes, what)
    assert harmful >= (200 if WHOLE_SWEEPS else 20)


@pytest.mark.parametrize("lanes", [1, 4])
def test_any_change_outside_the_kernel_is_noticed(lanes: int) -> None:
    """The loop, the moves and the entry are compared line by line; nothing has to be run."""
    program, text = rr(lanes)
    signature = Signature((2, 2, 2), 1, ((2,),), "float64") if lanes == 1 else None
    text += entry_ir(signature) if signature else ""
    start, random, count = text.index(NEXT), Random(lanes), 0
    right = engine.printout(text)
    while count < (100 if WHOLE_SWEEPS else 20):
        draw = corrupted(text[start:], random)
        if draw is None:
            continue
        changed = text[:start] + draw[0]
        try:
            if engine.printout(changed) == right:
                continue
        except EquamoError:
            continue
        assert not prove_ir(program, changed, "float64", lanes, True, signature), draw[1]
        count += 1


# -- messages ----------------------------------------------------------------------------------------
def run_kernel(old: str, new: str) -> None:
    """Execute the kernel of the arm with a part of its printout replaced."""
    program, text = rr()
    module = read(engine.printout(text))
    kernel = "\n".join(module.functions["kernel"])
    assert old in kernel
    functions = module.functions | {"kernel": kernel.replace(old, new).split("\n")}
    module = replace(module, functions=functions)
    execute(module, program, Types("float64", 1), True, Terms(program.arguments))


def test_lines_outside_the_kernel_that_are_unknown() -> None:
    with pytest.raises(EquamoError, match="unknown kind of line 'module asm"):
        read('module asm "nop"')
    program, text = rr()
    proof = prove_ir(program, f"{text}\ndeclare double @f(double)\n", "float64", 1, True)
    assert "unknown declaration 'declare double @f(double)'" in proof.reason


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  ret void", "  ret void\n  ret void", "the return must be the last line, got '  ret void'"),
        ("  ret void", "  nothing", "unknown instruction 'nothing'"),
        (" nounwind {", " {", "the kernel must be defined as 'define void @kernel"),
    ],
)  # fmt: skip
def test_lines_of_the_kernel_that_are_unknown(old: str, new: str, message: str) -> None:
    with pytest.raises(EquamoError, match=message):
        run_kernel(old, new)


def test_a_table_of_other_constants() -> None:
    program, text = rr()
    module = read(engine.printout(text))
    variables = dict.fromkeys(module.variables, "@x = global i8 0")
    module = replace(module, variables=variables)
    with pytest.raises(EquamoError, match="must hold the emitted constants of the sines"):
        execute(module, program, Types("float64", 1), True, Terms(program.arguments))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0x7FF0000000000000", "must be finite, got 0x7FF"),
        ("%t1", "a number or a known value, got '%t1'"),
    ],
)
def test_literals_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(EquamoError, match=message):
        number(text)


def test_terms_have_the_values_of_the_program() -> None:
    """Operations of the algebra, run in floats beside the instructions they stand for."""
    names = "abc"
    x = tuple(map(symbol, names))
    text = ("a*b + c", "a*b - c", "c - a*b", "-(a*b) - c", "tan(a)", "sin(a)*cos(b)", "atan2(a, b)/pi",
            "-c", "sqrt(b) - 1/3", "abs(a - b)*sign(c)")  # fmt: skip
    plain = lower("f", [Argument("x", x)], {"y": [parse(t) for t in text]})
    state = dict(zip(x, (0.7, 1.9, -0.4), strict=True))
    fused = optimise(plain, True)
    others = [
        replace(fused, instructions=tuple(i._replace(op=op) if i.op == "fma" else i
                                          for i in fused.instructions)) for op in FUSED
    ]  # fmt: skip
    for program in (plain, fused, *others):
        terms = Terms(program.arguments)
        found = terms_of(program, "float64", terms)["y"]
        value: list[float] = []
        for op, *operands in terms._table:
            if op == "number":
                value.append(operands[0])
            elif op == "symbol":
                value.append(state[x[operands[1]]])
            else:
                function = OPERATIONS.get(op) or getattr(math, op)
                value.append(function(*(value[i] for i in operands)))
        assert [value[i] for i in found] == pytest.approx(run(program, state), rel=1e-15)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_single_angle_is_not_put_into_a_vector(dtype: Dtype) -> None:
    for count in range(1, 2 * PACK[dtype] + 2):
        x = tuple(symbol(f"q{k}") for k in range(count))
        program = optimise(
            lower("f", [Argument("q", x)], {"y": [sin(e) * cos(e) for e in x]}), True
        )
        text = ir(program, dtype, 1, True)
        alone = count % PACK[dtype] == 1
        assert text.count(f" = insertelement <{PACK[dtype]} x ") == count - alone
