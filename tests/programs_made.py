"""Functions and programs of a robot, made as `compile` and `generate` make them, for tests of proofs."""

from __future__ import annotations

from collections.abc import Iterable

from equamo.algebra.identity import Proof
from equamo.code.ir.function import folded
from equamo.code.ir.functions import FRAME_FUNCTIONS, frame_function, frames, functions
from equamo.code.ir.proof import Made, prove_programs
from equamo.errors import ExpressionError
from equamo.mechanics.equations import EquationsOfMotion


def made(
    eom: EquationsOfMotion, names: Iterable[str] | None = None, numeric: bool = False, last: int = 2
) -> list[Made]:
    """(function, program) pairs: the functions of the robot, and those of its last frames."""
    chosen = list(functions(eom).values())
    chosen += [frame_function(eom, k, f) for f in frames(eom)[-1 - last :] for k in FRAME_FUNCTIONS]
    if names is not None:
        chosen = [f for f in chosen if f.name in names]
    if numeric:
        values = {n: x for n, x in eom.robot.values.items() if x is not None}
        chosen = [folded(f, values) for f in chosen]
    found: list[Made] = []
    for f in chosen:
        if f.size:
            try:
                found.append((f, f.program()))
            except ExpressionError:  # such as forward dynamics without inertia
                assert f.name in ("forward_dynamics", "mass_matrix_factors", "center_of_mass")
    return found


def prove(eom: EquationsOfMotion, programs: list[Made], seed: int | None = 1) -> dict[str, Proof]:
    """{function: its proof}"""
    proofs = prove_programs(eom, programs, seed=seed)
    return {f.name: proof for (f, _), proof in zip(programs, proofs, strict=True)}
