"""Finding: the result of the audit for one claim, entry by entry."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final, final

from ...algebra.expr import Expr
from ...algebra.identity import Proof
from ...algebra.identity.proof import power_of_two
from ...basics.wording import brief
from .claim import Claim, Verdict
from .formula_edits import FormulaEdit
from .magnitude import decimal
from .suggestion import Suggestion

_PLACE: Final = re.compile(r"\d+(,\d+)?")
_WORST: Final = (
    "says nothing", "proved", "proved as read", "agrees to rounding", "convention", "undecided",
    "unreadable",
    "wrong (sign)", "wrong",
)  # fmt: skip


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """The worst of some verdicts; "says nothing" counts only if there is no other."""
    return max(verdicts, key=_WORST.index)


@final
@dataclass(frozen=True)
class Entry:
    """Result for one entry of a claim; expressions are in the document's symbols."""

    label: str
    verdict: Verdict
    proof: Proof | None = None
    printed: Expr | None = None
    corrected: Expr | None = None  # derived value, if the entry is not proved
    residual: Expr | None = None  # printed − derived, in closed form if that is short
    suggestion: Suggestion | None = None
    holds_if: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    reason: str = ""
    sides: tuple[str, str] = (
        "printed",
        "derived",
    )  # words for the judged side and for its reference

    @property
    def difference(self) -> str:
        """printed − derived at the counterexample, as text, since it may exceed any float."""
        proof = self.proof
        if proof is None or proof.difference is None or proof.counterexample is None:
            return ""
        if isfinite(proof.difference) or self.residual is None:
            return f"{proof.difference:.6g}"
        return decimal(self.residual, proof.counterexample)

    def to_data(self) -> dict[str, Any]:
        """Plain data."""
        data: dict[str, Any] = {"entry": self.label, "verdict": self.verdict}
        if self.proof is not None and self.verdict in ("proved", "proved as read", "convention"):
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
                "edit": s.text, "kinds": list(s.kinds), "size": s.size,
                "changed": s.changed, "result": str(s.result)
            }  # fmt: skip
        data |= {k: list(x) for k in ("holds_if", "causes") if (x := getattr(self, k))}
        return data | ({"reason": self.reason} if self.reason else {})


@final
@dataclass(frozen=True)
class Finding:
    """Result for one claim; its verdict is the worst of its entries."""

    claim: Claim
    entries: tuple[Entry, ...]
    diagnosis: str = ""  # one of claim.DIAGNOSES, if a convention explains entries
    remarks: tuple[str, ...] = ()
    edit: FormulaEdit | None = None  # edit of the formula that makes all wrong entries true
    seconds: float = field(default=0.0, compare=False)

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def printed(self) -> str:
        """Printed formula on one line; empty if it was transcribed entry by entry."""
        formula = self.claim.printed or self.claim.made_from
        if formula is None or formula.shape != "single":
            return ""
        return " ".join(formula.parts[0].text.split())

    def printed_entry(self, entry: Entry) -> str:
        """Printed text of one entry, if a vector or matrix was transcribed entry by entry."""
        formula = self.claim.printed
        if formula is None or formula.shape == "single" or not _PLACE.fullmatch(entry.label):
            return ""
        numbers = [int(x) - 1 for x in entry.label.split(",")]
        if formula.shape == "vector":
            is_column = any(x.startswith("column ") for x in self.claim.entries)
            numbers = [0, numbers[0] if is_column else numbers[-1]]
        row, column = numbers[0], numbers[-1]
        if row >= len(formula.rows) or column >= len(formula.rows[row]):
            return ""
        return " ".join(formula.rows[row][column].text.split())

    @property
    def place(self) -> str:
        return ", ".join(self.claim.place)

    @property
    def statement(self) -> str:
        """Name of the printed statement; several claims may be instances of one."""
        return self.claim.statement or self.claim.id

    @property
    def verdict(self) -> Verdict:
        verdicts: list[Verdict] = [e.verdict for e in self.entries]
        return worst(verdicts) if verdicts else "says nothing"

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
        """Whether every entry has the verdict that the claims file expects."""
        return not self.surprises

    @property
    def surprises(self) -> tuple[str, ...]:
        """Entries whose verdict is not the expected one."""
        table = self.claim.expect
        surprises: list[str] = []
        if set(table) == {""}:
            expected = table[""]
            fits = _fits(self.verdict, expected)
            return () if fits else (f"{self.verdict}, not {expected}",)
        for key, expected in table.items():
            group: list[Verdict] = [
                e.verdict for e in self.entries if key in (e.label, *_groups(e.label))
            ]
            verdict = worst(group) if group else f"unknown entry {brief(key)}"
            if not _fits(verdict, expected):
                surprises.append(f"{key}: {verdict}, not {expected}")
        for e in self.entries:
            listed = {e.label, *_groups(e.label)} & set(table)
            if not listed and e.verdict not in ("proved", "says nothing"):
                surprises.append(f"{e.label}: {e.verdict}, not proved")
        return tuple(surprises)

    def to_data(self) -> dict[str, Any]:
        """Plain data."""
        data: dict[str, Any] = {"id": self.id, "place": self.place, "verdict": self.verdict}
        data["statement"] = self.statement
        if self.claim.quoted_from:
            data["quoted_from"] = self.claim.quoted_from
        data["entries"] = [e.to_data() for e in self.entries]
        if self.diagnosis:
            data["diagnosis"] = self.diagnosis
        if self.edit is not None:
            data["suggestion"] = {"edit": self.edit.text, "changed": self.edit.changed}
        if self.remarks:
            data["remarks"] = list(self.remarks)
        if self.claim.note:
            data["note"] = self.claim.note
        if self.claim.repairs:
            data["repairs"] = dict(self.claim.repairs)
        return data | {"as_expected": self.as_expected, "seconds": round(self.seconds, 4)}


def _fits(verdict: str, expected: str) -> bool:
    """Whether a verdict is the expected one; a wrong sign is wrong, and rounded programs hold."""
    also = (("wrong (sign)", "wrong"), ("agrees to rounding", "proved as read"))
    return verdict == expected or (verdict, expected) in also


def _groups(label: str) -> tuple[str, ...]:
    """Groups of an entry: `row 2` for 2,3, and `= 1` for `= 1, 3`."""
    first = label.split(",")[0]
    return (f"row {first}", first) if "," in label else (f"row {first}",)
