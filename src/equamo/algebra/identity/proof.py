"""Proof: verdict on one identity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor, log2
from typing import Final, Literal, final

from ...basics.wording import at_most, counted

Verdict = Literal["proved", "refuted", "undecided"]
ECHO: Final = 400  # characters of a repr; a counterexample may have hundreds of numbers
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_two(bits: float) -> str:
    """Write 2ⁿ with n rounded up, which gives the weaker bound.

    >>> power_of_two(-100.5)
    '2⁻¹⁰⁰'
    """
    return "2" + str(-floor(-bits)).translate(_RAISED)


def log2_sum(terms: Sequence[float]) -> float:
    """Compute log₂ Σ 2ᵗ, the sum of error bounds that are given as powers of two.

    >>> log2_sum([-5000, -5000])
    -4999.0
    """
    worst = max(terms)
    return worst + log2(sum(2.0 ** (t - worst) for t in terms))


@final
@dataclass(frozen=True, slots=True)
class Proof:
    """Verdict on one identity of a scalar, or of all entries of a vector or matrix.

    A Proof is true in a boolean context only if its verdict is "proved".
    """

    verdict: Verdict  # "proved", "refuted" or "undecided"
    # log₂ of the error bound over the random choices of the proof; None if exact or not proved
    bound_bits: float | None = None
    degree: int = 0  # bound on the degree of the difference as a polynomial
    trials: int = 0  # random points at which the difference vanished
    prime_bits: int = 0  # size of the random primes
    counterexample: Mapping[str, float | Fraction] | None = None  # a real state
    difference: float | None = None  # left minus right at the counterexample
    entry: int | None = None  # refuted entry, counted row by row
    reason: str = ""  # why the verdict is undecided, or refuted without a state
    seconds: float = field(default=0.0, compare=False)  # processor time
    place: str = ""  # name of the refuted entry, such as M[q1, q2]
    remarks: tuple[str, ...] = ()  # on symbols that the two sides spell differently

    def __bool__(self) -> bool:
        return self.verdict == "proved"

    @property
    def bound(self) -> float:
        """Upper bound on the probability of a wrong verdict (0 if the two sides are the same node)."""
        if self.verdict != "proved":
            return 1.0
        return 0.0 if self.bound_bits is None else 2.0**self.bound_bits

    def __str__(self) -> str:
        return "; ".join([self._text, *self.remarks])

    @property
    def _text(self) -> str:
        if self.verdict == "proved":
            if self.bound_bits is None:
                return "proved: the same expression"
            trials = counted(self.trials, "trial")
            huge = self.degree.bit_length() > 1000  # exceeds the range of floats
            degree = power_of_two(self.degree.bit_length()) if huge else f"{self.degree:.6g}"
            return (
                f"proved: error ≤ {power_of_two(self.bound_bits)} "
                f"(degree {degree}, {trials}, {self.prime_bits}-bit prime)"
            )
        if self.verdict == "refuted":
            state = ", ".join(f"{k} = {_short(v)}" for k, v in (self.counterexample or {}).items())
            where = self.place or ("" if self.entry is None else f"entry {self.entry}")
            where = f"{where}, " if where else ""
            if self.difference is None:  # of another form, or from a file, which does not store it
                return f"refuted: {self.reason}" if self.reason else "refuted"
            return f"refuted: {where}difference {self.difference:.6g} at {state or 'every state'}"
        return f"undecided: {self.reason}"

    def __repr__(self) -> str:
        return f"<Proof {at_most(str(self), ECHO)}>"

    def latex(self) -> str:
        r"""LaTeX of the verdict with its bound, or with the state that refutes it.

        >>> print(Proof("proved", bound_bits=-118.5, degree=4, trials=1, prime_bits=127).latex())
        \text{proved: error} \le 2^{-118} \text{ (degree 4, 1 trial, 127-bit prime)}
        """
        from .proof_latex import proof_latex

        return proof_latex(self)

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"


def with_place(proof: Proof, names: Sequence[str]) -> Proof:
    """Copy of a proof with the name of the refuted entry, if the entries have names."""
    if proof.entry is None or proof.entry >= len(names):
        return proof
    return replace(proof, place=names[proof.entry])


def _short(x: float | Fraction) -> str:
    return f"{x}" if isinstance(x, Fraction) else f"{x:.12g}"
