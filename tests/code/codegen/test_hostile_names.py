"""Packages in which everything has the name of a keyword, a macro, a library or a part of our templates.

Each is written, proved, compiled, and run: its self-test compares every function with exact values.
"""

from __future__ import annotations

import keyword
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import casadi
import numpy as np
import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import symbol
from equamo.algebra.expr.functions import sin
from equamo.code.codegen.generate import package_of
from equamo.code.codegen.names import ARGUMENTS
from equamo.code.codegen.targets import Package, target
from equamo.code.codegen.text_proof import prove_package
from equamo.code.ir.expressions import TAKEN
from equamo.code.ir.lookup import of_frames, whole_functions
from equamo.code.ir.reserved import reserved_pattern
from generated_code import run
from hostile_words import ALIKE, chosen_words, templates

pytestmark = [
    pytest.mark.ci,
    pytest.mark.needs("gcc", "octave-cli", "node", "mkoctfile", "casadi"),
]

Make = Callable[[Sequence[str], str], Package]
# Eigen and octave-cli need long for each function.
_SAMPLES = {"c": 40, "javascript": 40, "numpy": 40, "matlab": 40, "cpp": 200, "casadi": 200}
ONE_IN: dict[str, int] = {to: 1 if WHOLE_SWEEPS else n for to, n in _SAMPLES.items()}
EIGEN = (
    "-isystem",
    "/usr/include/eigen3",
    "-isystem",
    f"{Path(casadi.__file__).parent}/include/eigen3",
)


def robot(words: Sequence[str], name: str = "math") -> eq.Robot:
    """Two bodies; everything in them has a hostile name, and all words are parameters."""
    inertia = [1, 2, 2.5]
    bodies = [
        eq.Body("for", eq.revolute("q_size", axis="y"), mass="FP_ZERO", com="1 0 0", inertia=inertia),
        eq.Body("real", eq.revolute("x_1", axis="y", at="1 0 0"), parent="for", mass="int",
                com="0 1 0", inertia=inertia),
    ]  # fmt: skip
    masses = {"FP_ZERO": 0.5, "int": 0.75, "g": 9.81}
    small = eq.Robot(name, bodies, parameters=masses)
    taken = {s.name for s in (*small.q, *small.v, *small.vdot, *small.inputs, *small.external)}
    return eq.Robot(
        name, bodies, parameters={w: 0.5 for w in words if w not in {*taken, "pi"}} | masses
    )


def with_functions(words: Sequence[str], to: str) -> Package:
    """A function for each word: its input has the same name, its result the next."""
    eom = eq.derive(robot(("k", "x")))
    fields = [w for w in words if not keyword.iskeyword(w) and w not in (*TAKEN, *ARGUMENTS)]
    refused = {*whole_functions(eom), *of_frames(eom)}
    names = (w for w in words if w[0] != "_" and w not in refused and reserved_pattern(w) is None)
    own: dict[str, object] = {}
    for k, w in enumerate(names):
        field, result = fields[k % len(fields)], fields[(k + 1) % len(fields)]
        x = symbol(f"in {field}")
        own[w] = eq.function({result: x * x + symbol("FP_ZERO") * symbol("q_size")}, {field: x})
    return package_of(eom, ["mass_matrix", "gravity", "pose_real", own], to=to)


def with_values(words: Sequence[str], to: str) -> Package:
    """All words are parameters, and values of one function."""
    eom = eq.derive(robot(words))
    total = sum((symbol(p) * sin(symbol(p)) for p in eom.robot.parameter_info), symbol("q_size"))
    own = {"real": eq.function({"y": total, "check": total * 2})}
    return package_of(eom, ["mass_matrix", own], to=to)


def write(folder: Path, to: str, found: Package) -> str:
    """The files, proved; returns the name of the package."""
    folder.mkdir(parents=True, exist_ok=True)
    language = target(to)
    for file, text in language.files(found).items():
        (folder / file).write_text(text, encoding="ascii")
    prove_package(folder, folder, language, found)
    return found.name


def runs(folder: Path, *commands: str) -> None:
    """All commands end well and say nothing of errors."""
    for command in commands:
        done = run(command.split(), folder)
        assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-3000:]
        assert "warning" not in done.stderr


STRICT = "-Wall -Wextra -Wshadow -Werror -O0"
COMMANDS = {
    "c": [f"gcc {STRICT} {{0}}_selftest.c {{0}}.c -lm -o run", "./run",
          f"gcc -std=c99 {STRICT} {{0}}_example.c {{0}}.c -lm -o show", "./show"],
    "cpp": [f"g++ -std=c++17 {STRICT} {' '.join(EIGEN)} {{0}}_selftest.cpp -o run", "./run",
            f"g++ -std=c++20 {STRICT} {' '.join(EIGEN)} {{0}}_example.cpp -o show", "./show"],
    "matlab": ["octave-cli --norc --eval {0}_selftest",
               "mkoctfile --mex -Wall -Wextra {0}_mex.c {0}.c"],
    "javascript": ["node {0}_selftest.mjs", "node -e import('./{0}.mjs').then(m=>m.mass_matrix([0,0]))"],
    "numpy": [f"{sys.executable} -W error {{0}}.py"],
}  # fmt: skip


@pytest.mark.parametrize("make", [with_values, with_functions])
@pytest.mark.parametrize("to", COMMANDS)
def test_compiles_and_agrees_with_exact_values(to: str, make: Make, tmp_path: Path) -> None:
    words = chosen_words(to, ONE_IN[to])
    name = write(tmp_path, to, make(words, to))
    runs(tmp_path, *(command.format(name) for command in COMMANDS[to]))


def test_casadi_finds_every_function(tmp_path: Path) -> None:
    words = {*ALIKE, *templates("casadi"), *chosen_words("casadi", ONE_IN["casadi"])[::9]}
    # Derivatives have inputs and results of such names; where two meet, there is an error.
    free = [w for w in sorted(words) if w.isidentifier() and not w.startswith(("jac_", "adj1_"))]
    found = with_functions(free, "casadi")
    name = write(tmp_path, "casadi", found)
    runs(tmp_path, f"gcc -std=c99 {STRICT} -shared -fPIC {name}_casadi.c -o robot.so -lm")
    own = [r for r in found.routines if r.is_own and r.arguments[-1].name == "parameters"]
    assert len(own) > 60
    for r in own[::10]:
        f = casadi.external(f"{name}_{r.name}", str(tmp_path / "robot.so"))
        x = [np.full(len(a), 2.0) for a in r.arguments]
        assert float(f(*x)) == 8.0
        place = next(k for k, a in enumerate(r.arguments) if a.symbols[0].name.startswith("in "))
        assert np.array(f.jacobian()(*x, casadi.DM(1, 1))[place]).item() == 4.0
