"""Verdicts on the statements of `planted_errors`, each made from nothing: robot, equations and proof."""

from __future__ import annotations

import equamo as eq
from equamo.equations import EquationsOfMotion
from equamo.ir.frame_derivatives import FRAME_DERIVATIVES
from equamo.ir.function import Function
from equamo.ir.functions import FRAME_FUNCTIONS, functions
from equamo.ir.lookup import function_named
from equamo.ir.proof import prove_programs
from equamo.ir.sensitivities import sensitivities
from equamo.ir.user_functions import user_functions
from planted_zoo import ZOO

OF_FRAMES = (*FRAME_FUNCTIONS, *FRAME_DERIVATIVES)


def of_line(line: str, robot: str) -> str:
    """Verdict on a line of the certificate of a robot."""
    lines = {x.name: x.proof for x in eq.prove(ZOO[robot](), seed=1).lines}
    return lines[line].verdict


def of_program(name: str, robot: str) -> str:
    """Verdict on the program of a function."""
    eom = eq.derive(ZOO[robot]())
    f = _function(eom, name)
    (proof,) = prove_programs(eom, [(f, f.program())], seed=1)
    return proof.verdict


def _function(eom: EquationsOfMotion, name: str) -> Function:
    if name.endswith("sensitivities"):
        family = sensitivities(eom, functions(eom)["gravity"])
        return next(f for f in family if f.name == name.replace("sensitivities", "gravity"))
    if name in OF_FRAMES:
        return function_named(eom, name, eom.robot.bodies[-1].name)
    if name == "own":
        return user_functions(eom, "test", {"own": "q1**2 + sin(q1)"})["own"]
    return function_named(eom, name)
