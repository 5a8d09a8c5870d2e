"""LaTeX of a verdict, for notebooks and documents."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING, Final

from ...basics.wording import at_most
from ..expr.printing.latex_number import number_latex
from ..expr.printing.notation import name_to_latex
from ..expr.printing.symbol_name import whole_name

if TYPE_CHECKING:
    from .proof import Proof

MOST_SYMBOLS: Final = 12  # of a counterexample
LONGEST: Final = 400  # characters of a reason


def proof_latex(proof: Proof) -> str:
    """LaTeX of the verdict with its bound, or with the state that refutes it."""
    if proof.verdict == "proved" and proof.bound_bits is not None:
        _, _, details = str(proof).partition(" (")  # (degree 4, 1 trial, …); remarks
        bound = f"2^{{{-floor(-proof.bound_bits)}}}"
        return rf"{_text('proved: error')} \le {bound} {_text(at_most(f' ({details}', LONGEST))}"
    if proof.verdict != "refuted" or proof.difference is None:
        return _text(at_most(str(proof), LONGEST))
    where = proof.place or ("" if proof.entry is None else f"entry {proof.entry}")
    where = f"refuted: {where}, difference " if where else "refuted: difference "
    state = [
        f"{name_to_latex(name)} = {number_latex(x)}"
        for name, x in (proof.counterexample or {}).items()
    ]
    if len(state) > MOST_SYMBOLS:
        state[MOST_SYMBOLS:] = [r"\ldots"]
    at = rf"{_text(' at ')} {', '.join(state)}" if state else _text(" at every state")
    return f"{_text(where)} {number_latex(proof.difference)} {at}"


def _text(text: str) -> str:
    return whole_name(text).latex
