"""Causes of a wrong entry: printed intermediates whose correction makes the entry true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, final

from ...algebra.expr import Expr
from ...algebra.identity import prove_equal
from ...errors import EquamoError
from .claim import Claim, Formula
from .comparison import Comparison, labels_of, same_shape
from .context import Context
from .field import field_values
from .finding import Entry, Finding
from .values import Value, entries_of, like

MAX_TOGETHER: Final = 2  # wrong intermediates corrected together, before trying all of them


@final
@dataclass(frozen=True)
class NamedClaim:
    """Named claim with its printed value and the comparison with the derived one."""

    claim: Claim
    printed: Value
    comparison: Comparison


Wrong = tuple[str, int]  # name of a claim, number of its entry


@final
class Causes:
    """Search for the wrong intermediates behind wrong entries."""

    claims: Mapping[str, NamedClaim]
    context: Callable[[Claim], Context]

    def __init__(
        self, claims: Mapping[str, NamedClaim], context: Callable[[Claim], Context]
    ) -> None:
        self.claims, self.context = claims, context

    def named(self, finding: Finding) -> Finding:
        """The finding with the causes of its wrong entries."""
        claim = finding.claim
        formula = claim.made_from or claim.printed
        if claim.quantity is None or formula is None or finding.verdict != "wrong":
            return finding
        context = self.context(claim)
        try:
            wrong = self._wrong_below(context, formula, claim)
        except EquamoError:
            return finding
        if not wrong:
            return finding
        labels = self._labels(context, formula, finding)
        entries: list[Entry] = []
        for e in finding.entries:
            if e.verdict == "wrong" and e.label in labels and e.printed is not None:
                causes = self._causes(context, formula, e, labels.index(e.label), wrong)
                e = replace(e, causes=causes)
                if causes:  # they are to be corrected, not this entry
                    e = replace(e, suggestion=None)
            entries.append(e)
        edit = None if any(e.causes for e in entries) else finding.edit
        return replace(finding, entries=tuple(entries), edit=edit)

    def _labels(self, context: Context, formula: Formula, finding: Finding) -> list[str]:
        count = len(entries_of(context.value(formula, context.paper)))
        return [e.label for e in finding.entries[:count]]

    def _wrong_below(self, context: Context, formula: Formula, claim: Claim) -> list[Wrong]:
        """Wrong entries of named claims that the formula uses, directly or indirectly."""
        scope = context.paper.with_values({})
        context.value(formula, scope)
        wrong: list[Wrong] = []
        for name in sorted(scope.used):
            if name in self.claims and name != claim.name:
                comparison = self.claims[name].comparison
                wrong += [(name, i) for i, p in enumerate(comparison.proofs) if not p]
        return wrong

    def _causes(
        self, context: Context, formula: Formula, entry: Entry, i: int, wrong: Sequence[Wrong]
    ) -> tuple[str, ...]:
        target = entry.corrected
        assert target is not None
        for chosen in _sets(wrong):
            scope = context.paper.with_values(self._corrected(chosen))
            made = entries_of(context.value(formula, scope))[i]
            values = field_values([made, target])
            if values[0] == values[1] and prove_equal(made, target):
                return tuple(self._text(w) for w in chosen)
        return ()

    def _corrected(self, chosen: Sequence[Wrong]) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for name in {n for n, _ in chosen}:
            named = self.claims[name]
            entries: list[Expr] = list(named.comparison.printed)
            for n, i in chosen:
                if n == name:
                    entries[i] = named.comparison.derived[i]
            printed, _ = same_shape(named.printed, named.printed)
            values[name] = like(printed, entries)
        return values

    def _text(self, wrong: Wrong) -> str:
        name, i = wrong
        named = self.claims[name]
        label = labels_of(named.printed)[i]
        entry = f", entry {label}" if label else ""
        return f"{name}{entry} ({', '.join(named.claim.place)})"


def _sets(wrong: Sequence[Wrong]) -> Iterator[Sequence[Wrong]]:
    """Sets of wrong intermediates to try: single ones, pairs, then all of them."""
    for k in range(1, min(MAX_TOGETHER, len(wrong)) + 1):
        yield from combinations(wrong, k)
    if len(wrong) > MAX_TOGETHER:
        yield wrong
