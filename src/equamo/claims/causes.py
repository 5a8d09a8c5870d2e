"""Which printed intermediate makes an entry wrong: the entry made again with that one corrected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, final

from ..errors import EquamoError
from ..expr import Expr
from ..identity import prove_equal
from .claim import Claim, Formula
from .comparison import Comparison, labels_of, same_shape
from .context import Context
from .field import field_values
from .finding import Entry, Finding
from .values import Value, entries_of, like

MAX_TOGETHER: Final = 2  # wrong intermediates that are corrected at once, before all of them


@final
@dataclass(frozen=True)
class Known:
    """A named claim: what it prints, and how that compares with what is derived."""

    claim: Claim
    printed: Value
    comparison: Comparison


Wrong = tuple[str, int]  # name of a claim, number of its entry


@final
class Causes:
    """Looks for the wrong intermediates behind wrong entries."""

    def __init__(self, known: Mapping[str, Known], context: Callable[[Claim], Context]) -> None:
        self.known, self.context = known, context

    def named(self, finding: Finding) -> Finding:
        """The finding with the causes of its wrong entries."""
        claim = finding.claim
        given = claim.made_from or claim.printed
        if claim.quantity is None or given is None or finding.verdict != "wrong":
            return finding
        context = self.context(claim)
        try:
            wrong = self._wrong_below(context, given, claim)
        except EquamoError:
            return finding
        if not wrong:
            return finding
        labels = self._labels(context, given, finding)
        entries: list[Entry] = []
        for e in finding.entries:
            if e.verdict == "wrong" and e.label in labels and e.printed is not None:
                causes = self._causes(context, given, e, labels.index(e.label), wrong)
                e = replace(e, causes=causes)
                if causes and claim.printed is None:  # it was computed: they are what to mend
                    e = replace(e, suggestion=None)
            entries.append(e)
        return replace(finding, entries=tuple(entries))

    def _labels(self, context: Context, given: Formula, finding: Finding) -> list[str]:
        count = len(entries_of(context.value(given, context.paper)))
        return [e.label for e in finding.entries[:count]]

    def _wrong_below(self, context: Context, given: Formula, claim: Claim) -> list[Wrong]:
        """Entries of named claims that the formula uses, directly or not, and that are wrong."""
        scope = context.paper.with_values({})
        context.value(given, scope)
        found: list[Wrong] = []
        for name in sorted(scope.used):
            if name in self.known and name != claim.name:
                comparison = self.known[name].comparison
                found += [(name, i) for i, p in enumerate(comparison.proofs) if not p]
        return found

    def _causes(
        self, context: Context, given: Formula, entry: Entry, i: int, wrong: Sequence[Wrong]
    ) -> tuple[str, ...]:
        target = entry.corrected
        assert target is not None
        for chosen in _sets(wrong):
            scope = context.paper.with_values(self._corrected(chosen))
            made = entries_of(context.value(given, scope))[i]
            values = field_values([made, target])
            if values[0] == values[1] and prove_equal(made, target):
                return tuple(self._text(w) for w in chosen)
        return ()

    def _corrected(self, chosen: Sequence[Wrong]) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for name in {n for n, _ in chosen}:
            known = self.known[name]
            entries: list[Expr] = list(known.comparison.printed)
            for n, i in chosen:
                if n == name:
                    entries[i] = known.comparison.derived[i]
            printed, _ = same_shape(known.printed, known.printed)
            values[name] = like(printed, entries)
        return values

    def _text(self, wrong: Wrong) -> str:
        name, i = wrong
        known = self.known[name]
        label = labels_of(known.printed)[i]
        entry = f", entry {label}" if label else ""
        return f"{name}{entry} ({', '.join(known.claim.place)})"


def _sets(wrong: Sequence[Wrong]) -> Iterator[Sequence[Wrong]]:
    """One wrong intermediate, two, then all."""
    for k in range(1, min(MAX_TOGETHER, len(wrong)) + 1):
        yield from combinations(wrong, k)
    if len(wrong) > MAX_TOGETHER:
        yield wrong
