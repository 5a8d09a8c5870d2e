"""What the tests of all targets share: robots to write, hostile names, one of each operation."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import parse, symbol
from equamo.algebra.expr.evaluate import Multiprecision, evaluate
from equamo.algebra.expr.functions import BY_NAME
from equamo.code.codegen.generate import package_of
from equamo.code.codegen.golden import Golden
from equamo.code.codegen.targets import Package, Routine, target
from equamo.code.codegen.targets.package import Quantity
from equamo.code.ir.lower import lower
from equamo.code.ir.passes import optimise
from equamo.code.ir.program import Argument
from equamo.robot.catalog import robots

SMALL = ("rr_arm", "rp_arm", "rolling_disc", "wheeled_inverted_pendulum", "four_bar")
QUATERNIONS = ("free_arm", "ball_arm")  # with unit quaternions among their coordinates
ROBOTS = (*(r.name for r in robots()), *QUATERNIONS) if WHOLE_SWEEPS else (*SMALL, *QUATERNIONS)
# Hostile names; one of each operation; nothing with inertia; nothing that moves; nothing at all.
STRANGE = ("hostile", "every_operation", "massless", "no_joints", "no_bodies")

HOSTILE = (
    'arm */ #include "x"\n#error escaped\n%{ "; system("touch escaped"); \' \\',
    "%{", "%}", '""" + 1 + """', "*/", "/*", "??/", "'); error('x", "a\\", "for", "1st/left-hip.x",
)  # fmt: skip


@cache
def equations(name: str) -> eq.EquationsOfMotion:
    return eq.derive(made_robot(name) or eq.load(name))


def package(name: str, dtype: Any = "float64") -> Package:
    """A built-in robot, one of those made here, or the one of each operation."""
    return _package(name, dtype)


@cache
def _package(name: str, dtype: Any) -> Package:
    if name == "every_operation":
        return every_operation(dtype)
    return package_of(equations(name), dtype=dtype)


def write(name: str, to: str, folder: Path, dtype: Any = "float64") -> Package:
    """The files of a package in a folder."""
    found = package(name, dtype)
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in target(to).files(found).items():
        (folder / file).write_text(text, encoding="ascii")  # no other characters, ever
    return found


def made_robot(name: str) -> eq.Robot | None:
    """A robot by its name, None if it is not made here."""
    fore = eq.Body("fore", eq.revolute("q2", at="1 0 0", axis="x"), parent="base",
                   mass=2, com="0 0.3 0.2", inertia="1 2 2.5")  # fmt: skip
    if name == "hostile":
        return hostile_robot()
    if name in QUATERNIONS:
        joint = eq.free("root") if name == "free_arm" else eq.spherical("ball")
        base = eq.Body("base", joint, mass="m", com="c 0 0.2", inertia="1 2 2.5")
        return eq.Robot(name, [base, fore], parameters={"g": 9.81, "m": 1.5, "c": 0.1})
    if name == "massless":
        bodies = [eq.Body("a", eq.revolute("q1")), eq.Body("b", eq.prismatic("q2"), parent="a")]
        return eq.Robot(name, bodies, parameters={"g": 9.81})
    if name == "no_joints":
        bodies = [eq.Body("a", eq.fixed(at="1 0 0"), mass=1, com="0 2 0")]
        return eq.Robot(name, bodies, gravity="0 0 -9.81")
    return eq.Robot(name, [], gravity="0 0 -9.81") if name == "no_bodies" else None


def hostile_robot() -> eq.Robot:
    """Names and texts that want out of comments, strings and formats."""
    name, *bad = HOSTILE
    a, b, c, d, e, f, g, h, word, digit = bad
    return eq.Robot(
        name,
        [
            eq.Body(h, eq.revolute(symbol(a)), mass=symbol(b), com="1 0 0", inertia=[1, 1, 1]),
            eq.Body(digit, eq.revolute(symbol(c), at=[symbol(d), 0, 0]), mass=symbol(e), parent=h),
            eq.Body(word, eq.prismatic(symbol(word)), mass=symbol(f), parent=digit),
        ],
        parameters=[
            eq.Parameter(b, 1, "*/", name),
            eq.Parameter(d, 2, "\n#error", '"""\n'),
            eq.Parameter(e, 3, g, "%}\nerror('x')"),
            eq.Parameter(f, 4),
        ],
    )


def every_operation(dtype: Any = "float64") -> Package:
    """A package with one function in which each instruction of the language occurs."""
    a, b = symbol("a"), symbol("b")
    texts = [f"{f}(a)" for f in BY_NAME] + [
        "atan2(a, b)", "sin(a + b)*cos(a + b)", "-(a*b)", "a*b + 3*pi", "a*b - a", "a - b*a",
        "-(a*b) - b", "a/b/3", "a/(b/3)", "a - (b - a*a)", "-a/7", "(a - b)**5", "sign(-a)", "abs(-b)",
        "1/3 - a", "a*(-2)",
    ]  # fmt: skip
    outputs = [parse(t) for t in texts]
    program = optimise(lower("all", [Argument("x", (a, b))], {"y": outputs}))
    ring, number = Multiprecision(37), np.float32 if dtype == "float32" else np.float64
    vectors: list[Golden] = []
    for x in ((0.375, 0.8125), (0.9, 0.01), (0.25, -0.75)):
        state = tuple(float(number(z)) for z in x)
        exact = {s: ring.constant(Fraction(z)) for s, z in zip((a, b), state, strict=True)}
        result = tuple(float(z) for z in evaluate(outputs, ring, exact))
        vectors.append(Golden({"x": state}, result, (max(map(abs, result)),)))
    routine = Routine("all", program, tuple(vectors))
    return Package(
        "ops", (routine,), {"x": (Quantity("a"), Quantity("b"))}, ("Made by hand",), dtype
    )


def spoiled(found: Package) -> Package:
    """The package with one number of a golden vector changed."""
    from dataclasses import replace

    first = found.routines[0]
    g = first.golden[-1]
    wrong = replace(g, result=(*g.result[:-1], g.result[-1] + 1e-3 * g.scales[-1]))
    routine = replace(first, golden=(*first.golden[:-1], wrong))
    return replace(found, routines=(routine, *found.routines[1:]))


def states(robot: str, routine: Routine, count: int, seed: int = 5) -> dict[str, np.ndarray]:
    """Random arguments (count, n) of a function; parameters at their defaults."""
    random, found = Random(seed), package(robot)
    drawn: dict[str, np.ndarray] = {}
    for a in routine.arguments:
        rows = [[random.uniform(-3, 3) for _ in a.symbols] for _ in range(count)]
        drawn[a.name] = np.array(rows)
        for group in equations(robot).robot.unit_groups:
            if set(group) <= set(a.symbols):
                columns = [a.symbols.index(s) for s in group]
                norm = np.linalg.norm(drawn[a.name][:, columns], axis=1, keepdims=True)
                drawn[a.name][:, columns] /= norm
    defaults = found.defaults("parameters")
    if "parameters" in drawn and defaults is not None:
        drawn["parameters"] = np.tile(np.array([float(x) for x in defaults]), (count, 1))
    return drawn


def expected(eom: eq.EquationsOfMotion, name: str, state: Mapping[str, np.ndarray]) -> Any:
    """The same by the graph's own evaluation."""
    given = {k: x for k, x in state.items() if k not in ("parameters",)}
    return eom.evaluate(name, **given)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A command, its output as text."""
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
