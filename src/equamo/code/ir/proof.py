"""Proofs about programs, for the user's own robot.

`prove_programs`: a Program, its constants exact, computes what the equations say (`specification`).
`prove_same`: what was read back from an emitted artefact (LLVM IR, C …) computes what the Program does
with every constant rounded once, to the nearest number of the type. Together: the artefact is a
program that equals the equations, but for constants, each of which is the correctly rounded value of
the exact one. Both sides compute with real numbers: what floating point does to the result is no part
of these statements.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from ...algebra.expr import Expr
from ...algebra.expr.collector import collector_paused
from ...algebra.identity import Proof
from ...algebra.identity.proof import with_place
from ...algebra.identity.prove import ERROR_BITS, differences, prove_all
from ...errors import EquamoError
from ...mechanics.equations.changed import changed_quantities
from ...mechanics.equations.equations import EquationsOfMotion
from .function import Function, Result
from .program import Dtype, Output, Program
from .rebuild import rebuild
from .rounding import rounded
from .specification import residuals

Made = tuple[Function, Program]


def prove_programs(
    eom: EquationsOfMotion,
    programs: Sequence[Made],
    *,
    error_bits: int = ERROR_BITS,
    seed: int | None = None,
) -> list[Proof]:
    """One proof per program: with exact constants it equals the equations.

    Args:
        eom: The equations that the functions are of.
        programs: (function, program) pairs; all are evaluated at shared random points.
        error_bits: n for a probability of at most 2⁻ⁿ that any of these verdicts is wrong.
        seed: Seed of the random primes and points; by default they are different every time.

    Returns:
        The proofs, in the same order. A program that cannot be read back is undecided, with the reason.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.ir.functions import functions
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> f = functions(eom)["forward_dynamics"]
    >>> [proof.verdict for proof in prove_programs(eom, [(f, f.program())])]
    ['proved']
    """
    with collector_paused():
        return _proofs(eom, programs, error_bits, seed)


def _proofs(
    eom: EquationsOfMotion, programs: Sequence[Made], error_bits: int, seed: int | None
) -> list[Proof]:
    if changed := changed_quantities(eom):
        reason = f"{changed[0]} was changed in the cache of the equations; derive them again"
        return [Proof("undecided", reason=reason) for _ in programs]
    share = error_bits + len(programs).bit_length()
    found: dict[int, Proof] = {}
    groups: dict[int, list[Expr]] = {}
    seconds: list[float] = []  # to write down what must vanish; then, in equal parts, to prove it
    for i, (function, program) in enumerate(programs):
        start = time.perf_counter()
        try:
            groups[i] = _claims(eom, function, program)
        except EquamoError as error:
            found[i] = Proof("undecided", reason=str(error))
        seconds.append(time.perf_counter() - start)
    # Divisions have by far the highest degree and would ask for larger primes everywhere.
    for divides in (False, True):
        chosen = [i for i in groups if _divides(programs[i][1]) is divides]
        claims, start = [groups[i] for i in chosen], time.perf_counter()
        try:
            proofs = prove_all(claims, unit=eom.robot.unit_groups, error_bits=share, seed=seed)
        except EquamoError as error:
            proofs = [Proof("undecided", reason=str(error)) for _ in chosen]
        shared = (time.perf_counter() - start) / max(1, len(chosen))
        for i, proof in zip(chosen, proofs, strict=True):
            # What must vanish of a Jacobian are rows: they have no names.
            names = _entry_names((programs[i][0].unpacked or programs[i][0]).results)
            found[i] = with_place(proof, names if len(groups[i]) >= len(names) else [])
            seconds[i] += shared
    return [replace(found[i], seconds=seconds[i]) for i in range(len(programs))]


def _claims(eom: EquationsOfMotion, function: Function, program: Program) -> list[Expr]:
    """Residuals that must vanish if the program computes the function."""
    arguments = tuple((a.name, a.symbols) for a in function.arguments)
    if tuple((a.name, a.symbols) for a in program.arguments) != arguments:
        raise EquamoError(
            f"the arguments of program {program.name!r} must be those of the function {function.name!r}."
        )
    expected, given = (
        ", ".join(f"{y.name} {y.shape}" for y in results)
        for results in (function.results, program.outputs)
    )
    if given != expected:
        raise EquamoError(
            f"program {program.name!r} must have the outputs {expected}, got {given or 'none'}."
        )
    found = rebuild(program)
    return residuals(eom, function, [e for y in function.results for e in found[y.name]])


def _divides(program: Program) -> bool:
    return any(op == "div" for op, _, _ in program.instructions)


def prove_same(
    program: Program,
    outputs: Mapping[str, Sequence[Expr]],
    dtype: Dtype,
    *,
    error_bits: int = ERROR_BITS,
    seed: int | None = None,
) -> Proof:
    """Prove that outputs equal those of the program with its constants rounded to the type.

    Args:
        program: The program that an artefact was emitted from.
        outputs: {output: its entries row by row} as read from the artefact, in the symbols of the
            program's arguments, every constant the exact value of the number that stands there.
        dtype: The type of number of the artefact.
        error_bits: n for a probability of a wrong verdict of at most 2⁻ⁿ.
        seed: Seed of the random primes and points; by default they are different every time.

    Returns:
        The proof. If both sides are the same nodes it is exact and nothing random is needed.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.ir.functions import functions
    >>> from equamo.robot.library import load
    >>> program = functions(derive(load("rr_arm")))["mass_matrix"].program()
    >>> print(prove_same(program, rebuild(program), "float64"))
    proved: the same expression
    """
    names = {y.name: len(y.values) for y in program.outputs}
    given = {name: len(entries) for name, entries in outputs.items()}
    if given != names:
        return Proof("refuted", reason=f"the outputs are {given}, those of the program {names}")
    try:
        expected = rebuild(rounded(program, dtype))
        zero = [e for name in names for e in differences(list(expected[name]), list(outputs[name]))]
        (proof,) = prove_all([zero], error_bits=error_bits, seed=seed)
    except EquamoError as error:
        return Proof("undecided", reason=str(error))
    return with_place(proof, _entry_names(program.outputs))


def _entry_names(outputs: Iterable[Output | Result]) -> list[str]:
    """tau[0], tau[1] …, M[0, 0] …"""
    names: list[str] = []
    for y in outputs:
        places = product(*(range(k) for k in y.shape))
        names += [
            f"{y.name}[{', '.join(map(str, place))}]" if place else y.name for place in places
        ]
    return names
