"""Finding: what the audit says of one claim, entry by entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final, final

from ..expr import Expr
from ..identity import Proof
from ..identity.proof import power_of_two
from ..wording import brief
from .claim import Claim, Verdict
from .magnitude import decimal
from .suggestion import Suggestion

_WORST: Final = ("proved", "convention", "undecided", "wrong")


@final
@dataclass(frozen=True)
class Entry:
    """One entry of a claim. Expressions are in the document's symbols."""

    label: str
    verdict: Verdict
    proof: Proof | None = None
    printed: Expr | None = None
    corrected: Expr | None = None  # what is derived, where the entry is not proved
    residual: Expr | None = None  # printed − derived, in closed form where that is short
    suggestion: Suggestion | None = None
    holds_if: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    reason: str = ""

    @property
    def difference(self) -> str:
        """printed − derived at the counterexample, as text: it may be larger than a float."""
        proof = self.proof
        if proof is None or proof.difference is None or proof.counterexample is None:
            return ""
        if isfinite(proof.difference) or self.residual is None:
            return f"{proof.difference:.6g}"
        return decimal(self.residual, proof.counterexample)

    def to_data(self) -> dict[str, Any]:
        """Plain data."""
        data: dict[str, Any] = {"entry": self.label, "verdict": self.verdict}
        if self.proof is not None and self.verdict in ("proved", "convention"):
            data["bound_bits"] = self.proof.bound_bits
        for key in ("printed", "corrected", "residual"):
            if (e := getattr(self, key)) is not None:
                data[key] = str(e)
        if self.proof is not None and self.proof.counterexample is not None:
            state = {k: str(x) for k, x in self.proof.counterexample.items()}
            size = self.proof.difference
            finite = size is not None and isfinite(size)  # JSON has no infinite numbers
            data["counterexample"] = {
                "state": state,
                "difference": size if finite else self.difference,
            }
        if self.suggestion is not None:
            s = self.suggestion
            data["suggestion"] = {
                "edit": s.text, "kinds": list(s.kinds), "size": s.size, "result": str(s.result)
            }  # fmt: skip
        data |= {k: list(x) for k in ("holds_if", "causes") if (x := getattr(self, k))}
        return data | ({"reason": self.reason} if self.reason else {})


@final
@dataclass(frozen=True)
class Finding:
    """The verdict on one claim: the worst of its entries."""

    claim: Claim
    entries: tuple[Entry, ...]
    diagnosis: str = ""  # one of claim.DIAGNOSES, where a convention explains entries
    remarks: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def place(self) -> str:
        return ", ".join(self.claim.place)

    @property
    def verdict(self) -> Verdict:
        verdicts: list[Verdict] = [e.verdict for e in self.entries]
        return max(verdicts, key=_WORST.index) if verdicts else "proved"

    @property
    def bound_bits(self) -> float | None:
        """log₂ of the weakest bound of the proved entries; None if all are exact."""
        bits = [e.proof.bound_bits for e in self.entries if e.proof is not None]
        return max((b for b in bits if b is not None), default=None)

    @property
    def bound(self) -> str:
        return "exactly" if self.bound_bits is None else f"≤ {power_of_two(self.bound_bits)}"

    @property
    def as_expected(self) -> bool:
        """Whether every entry got the verdict that the claims file says."""
        return not self.surprises

    @property
    def surprises(self) -> tuple[str, ...]:
        """Entries whose verdict is not the expected one."""
        table = self.claim.expect
        found: list[str] = []
        if set(table) == {""}:
            wanted = table[""]
            return () if self.verdict == wanted else (f"{self.verdict}, not {wanted}",)
        for key, wanted in table.items():
            group = [e.verdict for e in self.entries if key in (e.label, *_groups(e.label))]
            worst = max(group, key=_WORST.index) if group else f"there is no entry {brief(key)}"
            if worst != wanted:
                found.append(f"{key}: {worst}, not {wanted}")
        for e in self.entries:
            if not {e.label, *_groups(e.label)} & set(table) and e.verdict != "proved":
                found.append(f"{e.label}: {e.verdict}, not proved")
        return tuple(found)

    def to_data(self) -> dict[str, Any]:
        """Plain data."""
        data: dict[str, Any] = {"id": self.id, "place": self.place, "verdict": self.verdict}
        data["entries"] = [e.to_data() for e in self.entries]
        if self.diagnosis:
            data["diagnosis"] = self.diagnosis
        if self.remarks:
            data["remarks"] = list(self.remarks)
        if self.claim.note:
            data["note"] = self.claim.note
        return data | {"as_expected": self.as_expected, "seconds": round(self.seconds, 4)}


def _groups(label: str) -> tuple[str, ...]:
    """What an entry belongs to: `row 2` of 2,3; `= 1` of `= 1, 3`."""
    first = label.split(",")[0]
    return (f"row {first}", first) if "," in label else (f"row {first}",)
