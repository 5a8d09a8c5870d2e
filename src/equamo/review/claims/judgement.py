"""Verdicts on the entries of a claim, and for wrong ones, what would make them true."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from ...algebra.expr import Expr
from ...algebra.identity import Proof, prove_all
from .claim import Claim
from .comparison import Comparison, short
from .context import Context
from .diagnosis import Diagnosis
from .finding import Entry
from .functions import LOOKS_INSIDE
from .parameters import holds_if
from .suggestion import Suggestion, suggest
from .values import entries_of


@final
@dataclass(frozen=True)
class Judge:
    """Verdicts on one claim."""

    claim: Claim
    context: Context
    seed: int

    def entries(
        self, plain: Comparison, diagnosis: Diagnosis | None = None, *, prefix: str = "",
        why: bool = False,
    ) -> list[Entry]:  # fmt: skip
        """Verdict on each entry; with `why`, also what would make the wrong ones true."""
        entries: list[Entry] = []
        best = plain if diagnosis is None else diagnosis.comparison
        accepted = diagnosis is not None and diagnosis.kind in self.context.setting.accept
        for i, name in enumerate(best.labels):
            label = f"{prefix}{name}".strip()
            p, d = best.printed[i], best.derived[i]
            if plain.proofs[i]:  # as printed, whatever explains the others
                entries.append(Entry(label, "proved", plain.proofs[i], p))
            elif best.proofs[i]:
                entry = Entry(label, "proved" if accepted else "convention", best.proofs[i], p)
                if not accepted:
                    d = plain.derived[i]
                    alone = best.weight == 1
                    hint = self._suggestion(i, p, d) if alone and why else None
                    entry = replace(
                        entry, corrected=short(d), residual=short(p - d), suggestion=hint
                    )
                entries.append(entry)
            elif best.proofs[i].verdict == "undecided":
                entries.append(Entry(label, "undecided", best.proofs[i], p, short(d),
                                     short(p - d), reason=best.proofs[i].reason))  # fmt: skip
            else:
                entries.append(self._wrong(label, i, p, d, best.proofs[i], why))
        return entries

    def _wrong(self, label: str, i: int, p: Expr, d: Expr, proof: Proof, why: bool) -> Entry:
        context = self.context
        residual = short(p - d)
        (smaller,) = prove_all(
            [[residual]], unit=context.unit, seed=self.seed, positive=context.positive
        )
        if smaller.verdict == "refuted":  # a counterexample in the relevant symbols only
            proof = smaller
        entry = Entry(label, "wrong", proof, p, short(d), residual)
        if not why:
            return entry
        conditions = holds_if(residual, d, context.state, context.unit, context.units)
        return replace(entry, suggestion=self._suggestion(i, p, d), holds_if=conditions)

    def _suggestion(self, i: int, p: Expr, d: Expr) -> Suggestion | None:
        """Smallest edit, first with the document's abbreviations, then with them expanded."""
        context = self.context
        unit = context.unit
        best: Suggestion | None = None
        abbreviated = self._abbreviated(i)
        if abbreviated is not None:
            short_form, table = abbreviated
            best = suggest(short_form, d, abbreviations=table, more_symbols=list(table), unit=unit)
            if best is not None and best.changed == 1:
                return best
        plain = suggest(p, d, unit=unit)
        if best is None or (plain is not None and plain.rank < best.rank):
            return plain
        return best

    def _abbreviated(self, i: int) -> tuple[Expr, dict[Expr, Expr]] | None:
        """Printed entry with scalar abbreviations as symbols, and their definitions."""
        printed, context = self.claim.printed, self.context
        if printed is None or any(context.source(p).is_equation for p in printed.parts):
            return None
        nodes = [n for p in printed.parts for n in context.source(p).tree.walk()]
        if any(n.kind == "call" and n.value in LOOKS_INSIDE for n in nodes):
            return None
        scope = context.paper.with_values({}, opaque=True)
        value = context.value(printed, scope)
        entries = entries_of(value)
        if not scope.abbreviations or i >= len(entries):
            return None
        return entries[i], dict(scope.abbreviations)
