"""The smallest edit of a wrong entry that makes it true: found in a finite field, then proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from ..expr import ZERO, Expr
from ..expr.closed_form.closed_form import closed_form
from ..expr.functions import COS, SIN
from ..expr.substitute import substitute
from ..expr.walk import symbols, walk
from ..identity import prove_equal
from .edits import (
    KINDS,
    MAX_NODES,
    Edit,
    Pool,
    TermEdit,
    applied,
    edits_of_terms,
    edits_of_whole,
    tree_size,
)
from .field import PRIME, field_values
from .terms import monomials, terms, total

MAX_SYMBOLS: Final = 60
MAX_FUNCTIONS: Final = 12
MAX_PAIRS: Final = 12  # of edits that are proved before the search ends
MAX_SHOWN: Final = 4
MAX_MISSING: Final = 12  # products that a suggestion may add
BUDGET: Final = 100_000  # for the closed form of what is missing
_Found = tuple[int, int, int, Expr, Edit]  # size, rank of the kind, operations, result, edit


@final
@dataclass(frozen=True)
class Suggestion:
    """An edit that was proved to make the entry true. What the author meant is not known."""

    kinds: tuple[str, ...]
    text: str
    size: int  # how many things it changes
    result: Expr


def suggest(
    printed: Expr, target: Expr, *, abbreviations: Mapping[Expr, Expr] | None = None,
    more_symbols: Sequence[Expr] = (), unit: Sequence[Sequence[Expr]] = (),
) -> Suggestion | None:  # fmt: skip
    """The smallest edit of `printed` that makes it equal to `target`; None if none was found.

    `printed` may hold abbreviations, which are put in before anything is compared.

    >>> from equamo.expr import parse
    >>> suggest(parse("m*l**2 + I*sin(q)"), parse("m*l**2 - I*sin(q)")).text
    'the sign of I*sin(q)'
    """
    search = _Search(printed, target, dict(abbreviations or {}), more_symbols, unit)
    return search.single() or search.double() or search.missing_terms()


@final
class _Search:
    def __init__(
        self, printed: Expr, target: Expr, abbreviations: dict[Expr, Expr],
        more: Sequence[Expr], unit: Sequence[Sequence[Expr]],
    ) -> None:  # fmt: skip
        self.printed, self.target, self.unit = printed, target, unit
        self.abbreviations = abbreviations
        pool = self._pool(more)
        small = tree_size(printed) <= MAX_NODES
        self.edits = list(edits_of_terms(printed, pool)) if small else []
        self.whole = edits_of_whole(printed, pool)
        self.gap = closed_form(target - self._expanded([printed])[0], BUDGET)
        self.missing = monomials(self.gap)
        self.larger: list[_Found] = []  # edits of one term that change several things
        self._evaluate()

    def _expanded(self, exprs: Sequence[Expr]) -> list[Expr]:
        return substitute(exprs, self.abbreviations) if self.abbreviations else list(exprs)

    def _pool(self, more: Sequence[Expr]) -> Pool:
        found = list(dict.fromkeys([*symbols([self.printed, self.target]), *more]))
        trig = [n for n in walk([self.printed, self.target]) if n.op in (SIN, COS)]
        return Pool(found[:MAX_SYMBOLS], trig[:MAX_FUNCTIONS])

    def _evaluate(self) -> None:
        """Δ of every edit, and the value of every term, printed or missing, in the field."""
        self.parts = terms(self.printed)
        # The products of a printed term: what would have to be added to take it away.
        products = [monomials(p) or [p] for p in self._expanded(self.parts)]
        groups = [
            [self.target, self.printed], self.parts, self.missing or [],
            [t.edit.result for t in self.edits], [w.result for w in self.whole],
            [x for p in products for x in p],
        ]  # fmt: skip
        found = iter(field_values(self._expanded([e for g in groups for e in g])))
        (goal, here), own, self.added, edited, wholes, flat = (
            [next(found) for _ in group] for group in groups
        )
        self.defined = goal is not None and here is not None
        self.wanted = ((goal or 0) - (here or 0)) % PRIME
        self.deltas = [_difference(v, own[t.term]) for t, v in zip(self.edits, edited, strict=True)]
        self.edited = edited
        self.whole_hits = [w for w, v in zip(self.whole, wholes, strict=True) if v == goal]
        rest = iter(flat)
        self.products = [[next(rest) for _ in p] for p in products]

    def _proved(self, result: Expr) -> bool:
        return bool(prove_equal(self._expanded([result])[0], self.target, unit=self.unit))

    def _order(self, kind: str) -> int:
        """Simpler kinds first; where nothing should stand, what stands there is too much."""
        return -1 if kind == "dropped" and self.target is ZERO else KINDS.index(kind)

    # -- one edit --------------------------------------------------------------------------------
    def single(self) -> Suggestion | None:
        if not self.defined:
            return None
        hits = [t for t, d in zip(self.edits, self.deltas, strict=True) if d == self.wanted]
        found: list[_Found] = []
        for t in hits[:60]:
            result = applied(self.printed, [t])
            order = self._order(t.edit.kind)
            found.append((t.edit.size, order, result.operations().total, result, t.edit))
        for w in self.whole_hits:
            found.append((w.size, KINDS.index(w.kind), w.result.operations().total, w.result, w))
        if self.missing is not None and len(self.missing) == 1 and not self._taken_away([0]):
            term = self.missing[0]
            result = self.printed + term
            order = KINDS.index("term")
            edit = Edit("term", "the missing term {}", (term,), 1, result)
            found.append((1, order, result.operations().total, result, edit))
        best = sorted(found, key=lambda f: (f[:3], f[4].text))[:MAX_PAIRS]
        for size, _, _, result, edit in best:
            if size == 1 and self._proved(result):
                return Suggestion((edit.kind,), edit.text, size, result)
        self.larger = [f for f in found if f[0] > 1]
        return None

    # -- two edits, of different terms -------------------------------------------------------------
    def double(self) -> Suggestion | None:
        """Edits of different terms add up: each is looked up by what the other leaves to do."""
        if not self.defined:
            return None
        table: dict[int, int] = {}
        for i, d in enumerate(self.deltas):
            if d is not None and self.edits[i].edit.size == 1:
                table.setdefault(d, i)
        best: list[tuple[int, list[TermEdit], Expr | None]] = []
        for k, d in enumerate(self.added):  # an edit and a missing term
            i = None if d is None else table.get((self.wanted - d) % PRIME)
            if i is None or self.missing is None:
                continue
            # To drop the only term and write another one is no edit of what stands there; to add
            # what cancels a term, the edited one or another, is to drop it.
            cancels = (self.edited[i] or 0) == (-(d or 0)) % PRIME or self._taken_away([k])
            if not cancels and (self.edits[i].edit.kind != "dropped" or len(self.parts) > 1):
                kind = self.edits[i].edit.kind
                # A term written for another says less than two edits of what stands there.
                cost = KINDS.index(kind) + (kind == "dropped") * KINDS.index("term")
                best.append((cost, [self.edits[i]], self.missing[k]))
        for i, d in enumerate(self.deltas):
            if d is None or self.edits[i].edit.size > 1:
                continue
            j = table.get((self.wanted - d) % PRIME)
            if j is not None and self.edits[j].term != self.edits[i].term:
                kinds = [self.edits[x].edit.kind for x in (i, j)]
                cost = sum(KINDS.index(x) for x in kinds)
                best.append((cost, [self.edits[i], self.edits[j]], None))
        for _, changes, term in sorted(best, key=lambda b: b[0])[:MAX_PAIRS]:
            result = applied(self.printed, changes)
            result = result if term is None else result + term
            if self._proved(result):
                texts = [c.edit.text for c in changes]
                texts += [] if term is None else [f"the missing term {term}"]
                kinds = tuple(c.edit.kind for c in changes) + (() if term is None else ("term",))
                return Suggestion(kinds, " and ".join(texts), 2, result)
        return None

    # -- terms ---------------------------------------------------------------------------------------
    def _taken_away(self, added: Sequence[int]) -> dict[int, list[int]]:
        """Printed terms that some of the missing ones cancel: {term: the missing ones that do}."""
        left = {self.added[k]: k for k in added if self.added[k] is not None}
        found: dict[int, list[int]] = {}
        for i, values in enumerate(self.products):
            opposite = [None if v is None else -v % PRIME for v in values]
            if len(set(opposite)) == len(opposite) and all(v in left for v in opposite):
                found[i] = [left.pop(v) for v in opposite]
        return found

    def missing_terms(self) -> Suggestion | None:
        """A larger term dropped, or several added."""
        options = [
            Suggestion((edit.kind,), edit.text, size, result)
            for size, _, _, result, edit in sorted(self.larger, key=lambda f: f[:3])[:3]
        ]
        if self.missing and len(self.missing) <= MAX_MISSING:
            options += self._replaced_terms(self.missing)
        for option in sorted(options, key=lambda s: s.size):
            if self._proved(option.result):
                return option
        return None

    def _replaced_terms(self, missing: Sequence[Expr]) -> list[Suggestion]:
        """All that is missing added, and printed terms dropped where that cancels them.

        Nothing if no printed term remains: it would be the derived side over again.
        """
        gone = self._taken_away(range(len(missing)))
        kept = [p for i, p in enumerate(self.parts) if i not in gone]
        if gone and not kept:
            return []
        used = {k for ks in gone.values() for k in ks}
        new = [t for k, t in enumerate(missing) if k not in used]
        texts = [f"without the term {self.parts[i]}" for i in gone]
        if new:
            whole = closed_form(total(new), BUDGET) if gone else self.gap
            several = len(terms(whole)) > 1
            shown = (new if len(new) <= MAX_SHOWN else terms(whole)) if several else [whole]
            texts.append(f"the missing term{'s' if several else ''} {', '.join(map(str, shown))}")
        result = total([*kept, *new]) if gone else sum(new, self.printed)
        kinds = ("dropped",) * len(gone) + ("term",) * len(new)
        return [Suggestion(kinds, " and ".join(texts), len(missing), result)]


def _difference(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else (a - b) % PRIME
