"""Every pass leaves the value of a program unchanged: proved, on robots and on random expressions."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import Expr, symbol
from equamo.algebra.expr.functions import BY_NAME, apply, apply_atan2
from equamo.algebra.identity.prove import prove_zero
from equamo.code.ir.cost import cost
from equamo.code.ir.functions import Function, functions
from equamo.code.ir.lower import lower
from equamo.code.ir.passes import PASSES, optimise
from equamo.code.ir.program import Argument, Program
from equamo.code.ir.rebuild import rebuild
from equamo.mechanics.equations import derive
from equamo.robot.catalog import load, robots
from peer_urdf import file
from random_trees import KINDS, random_tree

pytestmark = pytest.mark.needs("pinocchio")


def values(program: Program) -> list[Expr]:
    return [e for es in rebuild(program).values() for e in es]


def check_passes(program: Program, unit: Iterable[tuple[Expr, ...]] = ()) -> Program:
    """All passes, each proved to change nothing."""
    before = values(program)
    for name, step in PASSES.items():
        program = step(program)
        difference = [a - b for a, b in zip(before, values(program), strict=True)]
        assert prove_zero(difference, unit=unit, seed=1), name
    assert not known_before_it_runs(program)
    return program


def known_before_it_runs(program: Program) -> list[int]:
    """Values of arithmetic on numbers alone."""
    code = program.instructions
    arithmetic = ("neg", "add", "sub", "mul", "div", "fma", "fms", "fnma", "fnms")
    return [
        i
        for i, (op, args, _) in enumerate(code)
        if op in arithmetic and all(code[a].op == "constant" for a in args)
    ]


def lowered(f: Function) -> list[Program]:
    return [lower(f.name, f.arguments, f.outputs(way), f.naming()) for way in f.ways]


ALL = [r.name for r in robots()]
SAMPLE = ("rr_arm", "three_link_prismatic_arm", "wheeled_inverted_pendulum", "puma560")


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ALL if WHOLE_SWEEPS else SAMPLE)
def test_passes_on_every_function_of_a_robot(name: str) -> None:
    robot = load(name)
    for f in functions(derive(robot)).values():
        for program in lowered(f):
            check_passes(program, robot.unit_groups)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("path", "base"), [("panda.urdf", "fixed"), ("b1.urdf", "free")])
def test_passes_on_robots_from_files(path: str, base: str) -> None:
    robot = load(file(path), base=base)
    table = functions(derive(robot))
    for name in ("inverse_dynamics", "mass_matrix", "forward_dynamics"):
        for program in lowered(table[name]):
            before, after = cost(program), cost(check_passes(program, robot.unit_groups))
            assert after.instructions < 0.75 * before.instructions


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", range(40 if WHOLE_SWEEPS else 6))
def test_passes_on_random_trees(seed: int) -> None:
    robot = random_tree(seed, bodies=4).robot()
    for f in functions(derive(robot)).values():
        if f.name != "coriolis_matrix":
            for program in lowered(f):
                check_passes(program, robot.unit_groups)


def random_expressions(random: Random, count: int) -> list[Expr]:
    """Expressions with everything the language has, and much that is there twice."""
    pool: list[Expr] = [symbol(n) for n in "abcd"]
    pool += [pool[0] - pool[0] + k for k in (1, 2, -3)]
    for _ in range(count):
        x, y, z = (random.choice(pool) for _ in range(3))
        kind = random.randrange(10)
        if kind < 3:
            pool.append(x * y + z)
        elif kind < 5:
            pool.append(x * y - x * z)
        elif kind < 6:
            pool.append(-x - y)
        elif kind < 7:
            pool.append(x ** random.randrange(2, 6))
        elif kind < 8:
            pool.append(x / (1 + y * y))
        elif kind < 9:
            name = random.choice(["sin", "cos"])
            pool.append(apply(BY_NAME[name].opcode, random.choice(pool[:4])))
        else:
            pool.append(apply_atan2(x, y) if random.random() < 0.3 else x - 2 * y)
    return pool[-6:]


@pytest.mark.parametrize("seed", range(300 if WHOLE_SWEEPS else 40))
def test_passes_on_random_expressions(seed: int) -> None:
    outputs = random_expressions(Random(seed), 25)
    program = lower("f", [Argument("x", tuple(symbol(n) for n in "abcd"))], {"y": outputs})
    check_passes(program)


def test_a_pass_that_drops_a_sign_is_caught() -> None:
    # The check itself can fail: the same comparison refuses a program with one operand pair swapped.
    x = Argument("x", (symbol("a"), symbol("b")))
    good = lower("f", [x], {"y": symbol("a") - symbol("b")})
    bad = lower("f", [x], {"y": symbol("b") - symbol("a")})
    assert not prove_zero([a - b for a, b in zip(values(good), values(bad), strict=True)], seed=1)


def parsed(*texts: str) -> Program:
    from equamo.algebra.expr import parse

    x = Argument("x", tuple(symbol(n) for n in "abcd"))
    return lower("f", [x], {"y": [parse(t) for t in texts]})


def operations(program: Program) -> list[str]:
    return [i.op for i in program.instructions if i.op not in ("input", "constant")]


def test_multiply_add_fuses_a_product_that_all_its_sums_take() -> None:
    assert sorted(operations(optimise(parsed("a*b + c", "a*b - d")))) == ["fma", "fms"]


def test_multiply_add_keeps_a_product_that_is_also_an_output() -> None:
    assert operations(optimise(parsed("a*b + c", "a*b"))) in (["mul", "add"], ["add", "mul"])


def test_factoring_takes_one_multiplication_off() -> None:
    before, after = parsed("a*b + a*c + d"), optimise(parsed("a*b + a*c + d"), fused=False)
    assert cost(before).multiplications == 2
    assert cost(after).multiplications == 1
    assert cost(after).additions == 2


def test_one_sincos_for_an_angle() -> None:
    assert operations(optimise(parsed("sin(a)", "cos(a)", "sin(b)"))).count("sincos") == 1


def test_signs_cost_nothing_in_sums() -> None:
    assert "neg" not in operations(optimise(parsed("-a*b - c", "-(a - b)", "a*(-c) + b*d")))


def test_dead_code_is_dropped_and_equal_values_are_shared() -> None:
    program = optimise(parsed("(a + b)*(a + b)", "(b + a)*c"))
    assert operations(program).count("add") == 1
    assert all(str(program.arguments[0].symbols[k]) != "d" for k in _inputs(program))


def _inputs(program: Program) -> list[int]:
    return [i.leaf[1] for i in program.instructions if isinstance(i.leaf, tuple)]


def test_every_joint_kind_is_among_the_random_trees() -> None:
    seen = {k for seed in range(40) for k in random_tree(seed, bodies=4).kinds}
    assert seen >= set(KINDS) - {"fixed"}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("(a + 1) + b + 2", 2),
        ("(1 - a) - (b - 3) - 4", 2),
        ("a + 1 + b - 1", 1),
        ("2*a*b + 3*a*b - 5*a*b + c", 1),  # a sum of numbers comes from a common factor
        ("c*2/3 + a*b/7 + c/3", 3),
    ],
)
def test_numbers_in_sums_are_added_before_the_program_runs(text: str, count: int) -> None:
    assert len(operations(check_passes(parsed(text)))) <= count
