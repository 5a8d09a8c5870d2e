"""Programs are proved equal to the equations; a corrupted one never is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import ZERO, Expr, parse, symbol
from equamo.algebra.identity import prove_zero
from equamo.code.ir.lower import lower
from equamo.code.ir.program import Argument, Instruction, Program
from equamo.code.ir.proof import Made, prove_programs, prove_same
from equamo.code.ir.rebuild import rebuild
from equamo.code.ir.rounding import rounded
from equamo.code.ir.specification import residuals
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.catalog import load
from equamo.robot.library import names
from equamo.robot.model import BaseMotion, Robot
from force_robots import arm, one_of_each
from peer_urdf import file
from program_corruption import corrupted, run
from programs_made import made, prove
from random_trees import random_tree

pytestmark = pytest.mark.needs("pinocchio")

SAMPLE = ("rr_arm", "wheeled_inverted_pendulum", "rolling_disc", "krang")


def check(eom: EquationsOfMotion, numeric: bool = False) -> None:
    programs = made(eom, numeric=numeric)
    proofs = prove(eom, programs)
    assert not {n: str(p) for n, p in proofs.items() if not p}
    assert len(proofs) >= 15


# -- every function is proved ------------------------------------------------------------------------
@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", names() if WHOLE_SWEEPS else SAMPLE)
def test_every_function_of_a_robot_is_proved(name: str) -> None:
    check(derive(load(name)))


@pytest.mark.parametrize("name", SAMPLE[:3])
def test_every_function_with_folded_parameters_is_proved(name: str) -> None:
    check(derive(load(name)), numeric=True)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", range(50) if WHOLE_SWEEPS else (0, 7, 9, 11))
def test_every_function_of_a_random_tree_is_proved(seed: int) -> None:
    bodies = 2 + seed % 5 if WHOLE_SWEEPS else 2
    check(derive(random_tree(500 + seed, bodies=bodies).robot()), numeric=seed % 2 == 1)


OTHERS: dict[str, Callable[[], EquationsOfMotion]] = {
    "one of each force element": lambda: derive(arm(*one_of_each())),
    "a moving base": lambda: derive(
        arm(*one_of_each(), base=BaseMotion(w="0 0 w0", v="v0 0 0", alpha="0 0 alpha0", a="a0 0 0"))
    ),
    "another method": lambda: derive(load("rolling_disc"), by="lagrange"),
    "another Coriolis matrix": lambda: derive(load("rr_arm"), coriolis="split"),
    "symbols replaced": lambda: derive(load("rr_arm")).subs({"m2": "m1", "q1": 0}),
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("make", OTHERS.values(), ids=OTHERS)
def test_every_function_of_other_equations_is_proved(make: Callable[[], EquationsOfMotion]) -> None:
    check(make())


FILES = (("panda.urdf", "fixed"), ("anymal_b_simple_description/robots/anymal.urdf", "free"),
         ("g1_29dof_rev_1_0.urdf", "free"))  # fmt: skip


@pytest.mark.ci
@pytest.mark.parametrize(("path", "base"), FILES if WHOLE_SWEEPS else FILES[:1])
def test_every_function_of_a_robot_from_a_file_is_proved(path: str, base: str) -> None:
    check(derive(load(file(path), base=base)))


def test_the_bound_holds_for_all_programs_together() -> None:
    eom = derive(load("rr_arm"))
    proofs = prove(eom, made(eom), seed=2**128 + 1).values()
    assert sum(p.bound for p in proofs) <= 2.0**-100
    assert any(p.bound_bits is None for p in proofs)  # the same nodes: nothing random


def test_unit_quaternions_are_needed() -> None:
    """A program that is right only where |quaternion| = 1 is right."""
    robot = eq.Robot(
        "ball", [eq.Body("ball", eq.free("b"), mass="m", com="c 0 0", inertia="A B C")]
    )
    eom = derive(robot)
    ((function, program),) = made(eom, ("gravity",))
    length = sum((x**2 for x in robot.unit_groups[0]), start=ZERO)
    other = lower("gravity", program.arguments, {"g": eom.gravity * length})
    assert prove(eom, [(function, other)])["gravity"]
    zero = residuals(eom, function, rebuild(other)["g"])
    assert prove_zero(zero).verdict == "refuted"


# -- a corrupted program is not ----------------------------------------------------------------------
def free_body() -> Robot:
    return random_tree(3, bodies=("spherical quaternion", "revolute"), symbolic=False).robot()


SMALL: dict[str, Callable[[], Robot]] = {
    "rr_arm": lambda: load("rr_arm"),
    "wheeled_inverted_pendulum": lambda: load("wheeled_inverted_pendulum"),
    "rolling_disc": lambda: load("rolling_disc"),
    "quaternion": free_body,
}


@cache
def programs_of(name: str) -> tuple[EquationsOfMotion, list[Made]]:
    eom = derive(SMALL[name]())
    return eom, made(eom, last=1) + made(eom, ("inverse_dynamics", "mass_matrix"), numeric=True)


def states(eom: EquationsOfMotion, program: Program, count: int) -> list[dict[Expr, float]]:
    random, found = Random(5), list[dict[Expr, float]]()
    for _ in range(count):
        state = {s: random.uniform(0.3, 1.5) for a in program.arguments for s in a.symbols}
        for group in eom.robot.unit_groups:
            norm = math.sqrt(sum(state.get(s, 0.0) ** 2 for s in group))
            state |= {s: state[s] / norm for s in group if s in state}
        found.append(state)
    return found


def differs(eom: EquationsOfMotion, right: Program, wrong: Program) -> bool:
    """Whether a result is another by more than rounding, at one of a few states; or is none at all."""
    for state in states(eom, right, 3):
        expected = run(right, state)
        try:
            found = run(wrong, state)
        except (ArithmeticError, TypeError, ValueError, LookupError):
            return True
        size = max(1.0, *map(abs, expected))
        if any(not abs(a - b) <= 1e-9 * size for a, b in zip(expected, found, strict=True)):
            return True
    return False


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", SMALL)
def test_no_corruption_of_a_program_is_proved(name: str) -> None:
    """40 for each robot; half a thousand in `make test-all`."""
    eom, programs = programs_of(name)
    random, verdicts, kinds = Random(name), Counter[str](), Counter[str]()
    while verdicts.total() < (125 if WHOLE_SWEEPS else 40):
        function, program = random.choice(programs)
        kind, wrong = corrupted(program, random)
        if wrong == program or not differs(eom, program, wrong):
            continue
        (proof,) = prove_programs(eom, [(function, wrong)], seed=1)
        assert not proof, (function.name, kind, str(wrong))
        verdicts[proof.verdict] += 1
        kinds[kind] += 1
    assert len(kinds) == 4
    assert verdicts["refuted"] > 0.8 * verdicts.total(), verdicts


def test_a_corruption_by_one_part_in_a_billion_is_refuted() -> None:
    eom, programs = programs_of("wheeled_inverted_pendulum")
    (made_,) = [x for x in programs if x[0].name == "mass_matrix" and x[0].values]
    function, program = made_
    i = next(i for i, x in enumerate(program.instructions) if x.op == "constant")
    code = list(program.instructions)
    leaf = code[i].leaf
    assert isinstance(leaf, Fraction)
    code[i] = code[i]._replace(leaf=leaf * (1 + Fraction(1, 10**9)))
    (proof,) = prove_programs(eom, [(function, replace(program, instructions=tuple(code)))])
    assert proof.verdict == "refuted"
    assert proof.place.startswith("M[")


def test_one_wrong_program_leaves_the_others_proved() -> None:
    eom = derive(load("rr_arm"))
    (bias, gravity) = made(eom, ("bias", "gravity"))
    wrong = replace(bias[1], outputs=(replace(bias[1].outputs[0], values=(0, 0)),))
    proofs = prove_programs(eom, [(bias[0], wrong), gravity], seed=1)
    assert [p.verdict for p in proofs] == ["refuted", "proved"]


# -- what is not the program of the function ---------------------------------------------------------
def test_arguments_and_outputs_must_be_those_of_the_function() -> None:
    eom = derive(load("rr_arm"))
    (_, bias), (function, program) = made(eom, ("bias", "gravity"))
    renamed = replace(program, outputs=(replace(program.outputs[0], name="b"),))
    for wrong, reason in (
        (bias, "the arguments of"),
        (renamed, "must have the outputs g (2,), got b (2,)"),
    ):
        (proof,) = prove_programs(eom, [(function, wrong)])
        assert proof.verdict == "undecided"
        assert reason in proof.reason


def test_a_pair_of_sine_and_cosine_is_not_a_number() -> None:
    eom = derive(load("rr_arm"))
    ((function, program),) = made(eom, ("gravity",))
    pair = next(i for i, x in enumerate(program.instructions) if x.op == "sincos")
    (y,) = program.outputs
    returned = replace(program, outputs=(replace(y, values=(pair, pair)),))
    added = replace(
        program,
        instructions=(*program.instructions, Instruction("add", (pair, pair))),
        outputs=(replace(y, values=(len(program.instructions),) * 2),),
    )
    for wrong in (returned, added):
        (proof,) = prove_programs(eom, [(function, wrong)])
        assert proof.verdict == "undecided"
        assert "pair" in proof.reason


# -- artefacts ---------------------------------------------------------------------------------------
def third() -> Program:
    return lower("f", [Argument("x", (symbol("a"),))], {"y": parse("sin(a)/3 + pi*a")})


def test_an_artefact_has_rounded_constants() -> None:
    program = third()
    for dtype in ("float64", "float32"):
        emitted = rebuild(rounded(program, dtype))
        proof = prove_same(program, emitted, dtype)
        assert proof
        assert proof.bound_bits is None
        assert (
            prove_same(program, rebuild(program), dtype).verdict == "refuted"
        )  # exact: not emitted
    assert not prove_same(program, rebuild(rounded(program, "float32")), "float64")


def test_an_artefact_may_compute_in_another_way() -> None:
    program = lower("f", [Argument("x", (symbol("a"),))], {"y": parse("(a + 1)**2/4")})
    other = {"y": [parse("a**2/4 + a/2 + 0.25")]}
    assert prove_same(program, other, "float64").bound_bits is not None
    assert prove_same(program, {"y": [parse("a**2/4 + a/2")]}, "float64").verdict == "refuted"


def test_an_artefact_has_all_outputs_and_no_others() -> None:
    program = third()
    for outputs in ({}, {"z": [symbol("a")]}, {"y": [symbol("a")] * 2}):
        proof = prove_same(program, outputs, "float64")
        assert proof.verdict == "refuted"
        assert "those of the program {'y': 1}" in str(proof)


def test_a_constant_that_is_too_large_for_the_type_is_undecided() -> None:
    program = lower("f", [Argument("x", (symbol("a"),))], {"y": parse("10**40*a")})
    assert prove_same(program, rebuild(program), "float32").verdict == "undecided"
    assert prove_same(program, rebuild(rounded(program, "float64")), "float64")
