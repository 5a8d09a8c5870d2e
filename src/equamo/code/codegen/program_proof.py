"""The proof of the programs that files are written from, and what the heads of the files say of it."""

from __future__ import annotations

from collections.abc import Sequence

from ...algebra.identity import Proof
from ...algebra.identity.proof import log2_sum
from ...basics.wording import counted
from ...errors import ProofError
from ...mechanics.equations.equations import EquationsOfMotion
from ..ir.lookup import is_users_own
from ..ir.proof import Made, prove_programs

NOT_PROVED = "Programs: not proved to be these equations."
OWN = "(a user's own function to its expressions)"


def program_heads(eom: EquationsOfMotion, made: Sequence[Made], prove: bool) -> tuple[str, ...]:
    """Lines for the head of a file: whether its programs equal the equations.

    Args:
        eom: The equations that the functions are of.
        made: (function, program) pairs.
        prove: Whether to prove them; if not, the line says so.

    Raises:
        ProofError: If a program is refuted. That is an error of equamo, and nothing must be written.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.ir.functions import functions
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> f = functions(eom)["gravity"]
    >>> program_heads(eom, [(f, f.program())], prove=True)[0][:72]
    'Programs: 1 function proved equal to these equations, constants exact, e'
    """
    if not prove:
        return (NOT_PROVED,)
    proofs = dict(zip((f.name for f, _ in made), prove_programs(eom, made), strict=True))
    for name, proof in proofs.items():
        if proof.verdict == "refuted":
            raise ProofError(
                f"generate(): the program of {name} of {eom.robot.name!r} must equal the equations, "
                f"but it is {proof}. Nothing was written. This is a bug in equamo; please report it."
            )
    return tuple(_lines(proofs, any(is_users_own(eom, f) for f, _ in made)))


def _lines(proofs: dict[str, Proof], has_own: bool) -> list[str]:
    undecided = {name: proof.reason for name, proof in proofs.items() if not proof}
    lines = [f"Programs: {name} is NOT PROVED, undecided: {x}" for name, x in undecided.items()]
    count = len(proofs) - len(undecided)
    if count:
        bits = [p.bound_bits for p in proofs.values() if p and p.bound_bits is not None]
        bound = f"error at most 2^{int(log2_sum(bits))} in all" if bits else "exactly"
        whole = counted(count, "function") if not undecided else f"the other {count}"
        own = f" {OWN}" if has_own else ""
        lines.append(
            f"Programs: {whole} proved equal to these equations{own}, constants exact, {bound}."
        )
    return lines
