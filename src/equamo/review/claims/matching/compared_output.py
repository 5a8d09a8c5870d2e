"""Verdicts on one output of a function, entry by entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final, final

from ....algebra.expr import Expr
from ....algebra.identity import Proof
from ..claim import Claim, Verdict
from ..comparison import Comparison, compare, short
from ..context import Context
from ..diagnosis import OtherEquations, diagnose
from ..edits import tree_size
from ..finding import Entry
from ..judgement import Judge
from ..values import Value
from .outputs import Written
from .rounding import Agreement, agreements, is_folded, unrounded

AS_READ: Final[Verdict] = "proved as read"  # the readers of foreign code are not proved
ROUNDING: Final[Verdict] = "agrees to rounding"
MOST_NODES: Final = 5000  # most nodes, as a tree, of expressions that are explained or shown
Judged = tuple[list[Entry], str, list[str]]  # entries, kind of the diagnosis, remarks


@final
@dataclass(frozen=True)
class Options:
    """Data shared by all outputs of a program."""

    unit: Fraction  # of the rounding errors
    seed: int
    unwritten_is_zero: bool
    others: OtherEquations


@final
@dataclass(frozen=True)
class ComparedOutput:
    """One output in one order of storage, and its comparison with the derived quantity."""

    claim: Claim
    context: Context
    written: Written
    derived: Value
    again: Callable[[Context], Value]  # the quantity under other conventions
    options: Options

    @cached_property
    def plain(self) -> Comparison:
        return compare(self.written.value, self.derived, self.context.unit, self.options.seed)

    def judged(self, why: bool = True) -> Judged:
        """(entries, kind of the diagnosis, remarks); without `why`, no explanations."""
        entries, kind, remarks = self._judged(why)
        zero = self.options.unwritten_is_zero
        placed: list[Entry] = []
        for i, e in enumerate(entries):
            if i in self.written.missing and not zero:
                reason = "the code does not write this entry"
                placed.append(Entry(e.label, "wrong", corrected=_shown(short(self.plain.derived[i])),
                                    reason=reason))  # fmt: skip
            elif e.verdict == "wrong" and not e.reason:
                placed.append(replace(_bounded(e), reason=f"line {self.written.lines[i]}"))
            elif e.verdict == "proved":
                placed.append(replace(_bounded(e), verdict=AS_READ))
            else:
                placed.append(_bounded(e))
        return placed, kind, remarks

    def _judged(self, why: bool) -> Judged:
        plain, options = self.plain, self.options
        if not plain.proved and is_folded(plain.printed):
            return self._measured(why)
        if plain.proved or not why or not self._is_small:
            return Judge(self.claim, self.context, options.seed).entries(plain), "", []
        diagnosis = diagnose(
            self.claim, self.context, self.written.value, plain,
            self.again, self.context.unit, options.others, options.seed,
        )  # fmt: skip
        entries = Judge(self.claim, self.context, options.seed).entries(plain, diagnosis, why=True)
        if diagnosis is None:
            return entries, "", []
        part = "" if diagnosis.comparison.proved else " in part"
        return entries, diagnosis.kind, [f"holds{part} {diagnosis.text}"]

    @property
    def _is_small(self) -> bool:
        pairs = zip(self.plain.printed, self.plain.derived, strict=True)
        return all(tree_size(x) + tree_size(y) <= MOST_NODES for x, y in pairs)

    def _measured(self, why: bool) -> Judged:
        """Entries of a program with folded numbers: proved, or measured."""
        plain, options = self.plain, self.options
        results = agreements(
            plain.printed,
            plain.derived,
            self.context.state,
            self.context.unit,
            options.unit,
            options.seed,
        )
        entries: list[Entry] = []
        for i, (label, result) in enumerate(zip(plain.labels, results, strict=True)):
            printed = plain.printed[i]
            if plain.proofs[i]:
                entries.append(Entry(label, "proved", plain.proofs[i], printed))
            elif result.agrees:
                entries.append(Entry(label, ROUNDING, None, printed, reason=str(result)))
            elif result.agrees is None:
                entries.append(Entry(label, "undecided", None, printed, reason=str(result)))
            else:
                entries.append(self._apart(i, result, why))
        agreed = [r for r, p in zip(results, plain.proofs, strict=True) if r.agrees and not p]
        worst = max(agreed, key=lambda r: r.share, default=None)
        wrong = any(e.verdict != "proved" and e.verdict != ROUNDING for e in entries)
        return entries, "", [] if worst is None or wrong else [str(worst)]

    def _apart(self, i: int, result: Agreement, why: bool) -> Entry:
        """Entry that differs by more than rounding."""
        reason = f"line {self.written.lines[i]}, {result}"
        proof = Proof("refuted", counterexample=result.state, difference=result.residual)
        printed, derived = self.plain.printed[i], self.plain.derived[i]
        entry = Entry(self.plain.labels[i], "wrong", proof, printed, reason=reason)
        # Simple fractions in place of the rounded numbers may allow a short edit.
        is_short = tree_size(printed) + tree_size(derived) <= MOST_NODES
        simple = unrounded(printed) if why and is_short else None
        if simple is None:
            return entry
        meant = compare(simple, derived, self.context.unit, self.options.seed, [entry.label])
        (judged,) = Judge(self.claim, self.context, self.options.seed).entries(meant, why=True)
        return replace(judged, verdict="wrong", proof=proof, printed=printed, reason=reason)


def _bounded(e: Entry) -> Entry:
    """The entry without expressions that are too long to print."""
    return replace(
        e, printed=_shown(e.printed), corrected=_shown(e.corrected), residual=_shown(e.residual)
    )


def _shown(e: Expr | None) -> Expr | None:
    return None if e is None or tree_size(e) > MOST_NODES else e
