"""Verdicts on the statements of `planted_errors`, each made from nothing: robot, equations and proof."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import equamo as eq
from equamo.code.codegen.generate import package_of
from equamo.code.ir.frame_derivatives import FRAME_DERIVATIVES
from equamo.code.ir.function import Function
from equamo.code.ir.functions import FRAME_FUNCTIONS, functions
from equamo.code.ir.lookup import function_named
from equamo.code.ir.proof import prove_programs
from equamo.code.ir.sensitivities import sensitivities
from equamo.code.ir.user_functions import user_functions
from equamo.code.jit import processor
from equamo.code.jit.certificate import Module, constants_rounded_once, ir_computes_the_program
from equamo.code.jit.cuda.layout import chosen, sizes_of
from equamo.code.jit.cuda.module import DeviceModule
from equamo.code.jit.machine_code import MachineCode, Options
from equamo.code.jit.origin import Equations
from equamo.mechanics.certificate.dissipation import dissipation
from equamo.mechanics.equations import EquationsOfMotion
from equamo.publish.document.round_trip import read_back
from equamo.publish.document.write import paper
from force_robots import arm, one_of_each
from loops_examples import four_bar
from planted_zoo import ZOO
from read_code import proofs

OF_FRAMES = (*FRAME_FUNCTIONS, *FRAME_DERIVATIVES)


def of_line(line: str, robot: str) -> str:
    """Verdict on a line of the certificate of a robot."""
    lines = {x.name: x.proof for x in eq.prove(ZOO[robot](), seed=1).lines}
    return lines[line].verdict


def of_program(name: str, robot: str) -> str:
    """Verdict on the program of a function."""
    eom = eq.derive(ZOO[robot]())
    f = function_of(eom, name)
    (proof,) = prove_programs(eom, [(f, f.program())], seed=1)
    return proof.verdict


def function_of(eom: EquationsOfMotion, name: str) -> Function:
    if name.endswith("sensitivities"):
        family = sensitivities(eom, functions(eom)["gravity"])
        return next(f for f in family if f.name == name.replace("sensitivities", "gravity"))
    if name in OF_FRAMES:
        return function_named(eom, name, eom.robot.bodies[-1].name)
    if name == "own":
        return user_functions(eom, "test", {"own": "q1**2 + sin(q1)"})["own"]
    return function_named(eom, name)


def of_element(kind: str, robot: str) -> str:
    """Verdict on the virtual power of the elements of one kind."""
    kind = "Spring" if kind == "length of two points" else kind
    one = arm(*(f for f in one_of_each() if type(f).__name__ == kind))
    lines = {x.name: x.proof for x in eq.prove(one, seed=1).lines}
    return lines["w·f = virtual power of each element"].verdict


def of_other(statement: str, robot: str) -> str:
    """Verdict on a statement that is proved by a function of its own."""
    language = statement.removeprefix("text = program: ")
    if language != statement:
        return _text(language, lambda name: name != "default parameters")
    return OTHER_VERDICTS[statement](ZOO[robot]() if robot in ZOO else None)


def _weakest(verdicts: Iterable[str]) -> str:
    return next((x for x in verdicts if x != "proved"), "proved")


def _stored(robot: eq.Robot) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "eom.json")
        eq.derive(robot).save(path)
        EquationsOfMotion.load(path)
    return "proved"


def _closed(_: Any) -> str:
    eq.derive(four_bar()).explicit()
    return "proved"


def _constraint_forces(robot: eq.Robot) -> str:
    return "proved" if eq.derive(robot).constraint_forces else "undecided"


def _regressor(name: str) -> Callable[[eq.Robot], str]:
    def verdict(robot: eq.Robot) -> str:
        Y = eq.derive(robot).regressor
        return (Y if name == "regressor" else getattr(Y, name)).proof.verdict

    return verdict


def _linearized(robot: eq.Robot) -> str:
    return "proved" if eq.linearize(eq.derive(robot), symbolic=True) else "undecided"


def _expressions(_: Any) -> str:
    f = eq.function("a*(b + 1)", {"x": ["a", "b"]}, cache=False)
    return f.prove(seed=1)["program = expressions"].verdict


def _code(robot: eq.Robot, name: str = "forward_dynamics") -> MachineCode:
    options = Options(cache=False, cpu=processor.HOST)
    return MachineCode(Equations(eq.derive(robot), {}), options, name, None, processor.HOST)


def _kernel(robot: eq.Robot) -> DeviceModule:
    code = _code(robot)
    sizes = sizes_of(code.program)
    return DeviceModule(code, chosen(("strided",) * len(sizes), sizes, "float64"))


def _paper(robot: eq.Robot) -> str:
    found = paper(robot, quantities=["M"]).equations
    return _weakest(p.verdict for x in found for p in x.proofs)


def _read_back(robot: eq.Robot) -> str:
    return "proved" if read_back(paper(robot, quantities=["M"])) else "undecided"


def _two_methods(robot: eq.Robot) -> str:
    text = paper(robot, by=("kane", "lagrange"), quantities=["M"]).latex()
    found = re.search(r"(\d+) of (\d+) lines are proved equal", text)
    assert found is not None
    return "proved" if found[1] == found[2] else "undecided"


def _text(language: str, chosen: Callable[[str], bool]) -> str:
    eom = eq.derive(ZOO["pendulum"]())
    with tempfile.TemporaryDirectory() as folder:
        found = proofs(package_of(eom, functions=["forward_dynamics"]), language, Path(folder))
    return _weakest(x.proof.verdict for x in found if chosen(x.name))


OTHER_VERDICTS: Final[dict[str, Callable[[Any], str]]] = {
    "compare": lambda robot: (
        "proved"
        if eq.compare(eq.derive(robot, by="kane"), eq.derive(robot, by="lagrange"))
        else "undecided"
    ),
    "stored equations": _stored,
    "dissipation": lambda robot: dissipation(eq.derive(robot), "damper_q2").verdict,
    "impact": lambda robot: eq.derive(robot).impact(restitution="1/2").proof.verdict,
    "constraint forces with chosen speeds": _constraint_forces,
    "dependent coordinates in closed form": _closed,
    **{n: _regressor(n) for n in ("regressor", "slotine_li", "momentum", "energy")},
    "base parameters": lambda robot: eq.derive(robot).base_parameters.proof.verdict,
    "base parameters = inverse dynamics": lambda robot: (
        eq.derive(robot).base_parameters.proof.verdict
    ),
    "linearization": _linearized,
    "linearization, holding inputs": _linearized,
    "program = expressions": _expressions,
    "constants rounded once": lambda robot: (
        constants_rounded_once(Module(_code(robot), "float64", 1)).verdict
    ),
    "LLVM IR = program": lambda robot: (
        ir_computes_the_program(Module(_code(robot), "float64", 1), 100, 1).verdict
    ),
    "LLVM IR = program, on 4 lanes": lambda robot: (
        ir_computes_the_program(Module(_code(robot), "float32", 4), 100, 1).verdict
    ),
    "GPU: constants rounded once": lambda robot: constants_rounded_once(_kernel(robot)).verdict,
    "GPU: LLVM IR = program": lambda robot: _kernel(robot).prove().verdict,
    "paper: the lines follow": _paper,
    "paper: the text is read back": _read_back,
    "paper: two methods agree": _two_methods,
    "default parameters": lambda _: _text("c", lambda name: name == "default parameters"),
}
