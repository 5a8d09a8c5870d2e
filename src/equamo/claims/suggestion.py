"""Suggestions: the smallest edit that makes a wrong entry true, found in a finite field and proved."""

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
MAX_PAIRS: Final = 12  # most candidates that are tried to prove
MAX_SHOWN: Final = 4
MAX_MISSING: Final = 12  # most products that a suggestion may add
BUDGET: Final = 100_000  # of the closed form of the missing terms
_Candidate = tuple[int, int, int, Expr, Edit]  # size, rank of the kind, operations, result, edit


@final
@dataclass(frozen=True)
class Suggestion:
    """Edit that is proved to make the entry true; the author may have meant something else."""

    kinds: tuple[str, ...]
    text: str
    size: int  # number of changes
    result: Expr


def suggest(
    printed: Expr, target: Expr, *, abbreviations: Mapping[Expr, Expr] | None = None,
    more_symbols: Sequence[Expr] = (), unit: Sequence[Sequence[Expr]] = (),
) -> Suggestion | None:  # fmt: skip
    """Smallest edit of `printed` that makes it equal to `target`; None if none was found.

    `printed` may contain abbreviations, which are expanded before any comparison.

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
        self.larger: list[_Candidate] = []  # edits of one term with several changes
        self._evaluate()

    def _expanded(self, exprs: Sequence[Expr]) -> list[Expr]:
        return substitute(exprs, self.abbreviations) if self.abbreviations else list(exprs)

    def _pool(self, more: Sequence[Expr]) -> Pool:
        names = list(dict.fromkeys([*symbols([self.printed, self.target]), *more]))
        trig = [n for n in walk([self.printed, self.target]) if n.op in (SIN, COS)]
        return Pool(names[:MAX_SYMBOLS], trig[:MAX_FUNCTIONS])

    def _evaluate(self) -> None:
        """Compute Δ of every edit, and the value of every printed or missing term, in the field."""
        self.parts = terms(self.printed)
        # The products of a printed term; their negatives cancel it.
        products = [monomials(p) or [p] for p in self._expanded(self.parts)]
        groups = [
            [self.target, self.printed], self.parts, self.missing or [],
            [t.edit.result for t in self.edits], [w.result for w in self.whole],
            [x for p in products for x in p],
        ]  # fmt: skip
        values = iter(field_values(self._expanded([e for g in groups for e in g])))
        (goal, here), own, self.added, edited, wholes, flat = (
            [next(values) for _ in group] for group in groups
        )
        self.defined = goal is not None and here is not None
        self.needed = ((goal or 0) - (here or 0)) % PRIME
        self.deltas = [_difference(v, own[t.term]) for t, v in zip(self.edits, edited, strict=True)]
        self.edited = edited
        self.whole_hits = [w for w, v in zip(self.whole, wholes, strict=True) if v == goal]
        rest = iter(flat)
        self.products = [[next(rest) for _ in p] for p in products]

    def _proved(self, result: Expr) -> bool:
        return bool(prove_equal(self._expanded([result])[0], self.target, unit=self.unit))

    def _order(self, kind: str) -> int:
        """Rank of a kind of edit, simple kinds first; if the target is 0, dropping comes first."""
        return -1 if kind == "dropped" and self.target is ZERO else KINDS.index(kind)

    # -- one edit --------------------------------------------------------------------------------
    def single(self) -> Suggestion | None:
        if not self.defined:
            return None
        hits = [t for t, d in zip(self.edits, self.deltas, strict=True) if d == self.needed]
        candidates: list[_Candidate] = []
        for t in hits[:60]:
            result = applied(self.printed, [t])
            order = self._order(t.edit.kind)
            candidates.append((t.edit.size, order, result.operations().total, result, t.edit))
        for w in self.whole_hits:
            operations = w.result.operations().total
            candidates.append((w.size, KINDS.index(w.kind), operations, w.result, w))
        if self.missing is not None and len(self.missing) == 1 and not self._cancelled([0]):
            term = self.missing[0]
            result = self.printed + term
            order = KINDS.index("term")
            edit = Edit("term", "the missing term {}", (term,), 1, result)
            candidates.append((1, order, result.operations().total, result, edit))
        best = sorted(candidates, key=lambda f: (f[:3], f[4].text))[:MAX_PAIRS]
        for size, _, _, result, edit in best:
            if size == 1 and self._proved(result):
                return Suggestion((edit.kind,), edit.text, size, result)
        self.larger = [f for f in candidates if f[0] > 1]
        return None

    # -- two edits, of different terms -------------------------------------------------------------
    def double(self) -> Suggestion | None:
        """Two edits of different terms, which add up: each is looked up by the remaining difference."""
        if not self.defined:
            return None
        table: dict[int, int] = {}
        for i, d in enumerate(self.deltas):
            if d is not None and self.edits[i].edit.size == 1:
                table.setdefault(d, i)
        best: list[tuple[int, list[TermEdit], Expr | None]] = []
        for k, d in enumerate(self.added):  # an edit and a missing term
            i = None if d is None else table.get((self.needed - d) % PRIME)
            if i is None or self.missing is None:
                continue
            # Dropping the only term and adding another is not an edit. Adding a term that cancels
            # another one, edited or not, means dropping it.
            cancels = (self.edited[i] or 0) == (-(d or 0)) % PRIME or self._cancelled([k])
            if not cancels and (self.edits[i].edit.kind != "dropped" or len(self.parts) > 1):
                kind = self.edits[i].edit.kind
                # Replacing a term says less than two edits of printed terms.
                cost = KINDS.index(kind) + (kind == "dropped") * KINDS.index("term")
                best.append((cost, [self.edits[i]], self.missing[k]))
        for i, d in enumerate(self.deltas):
            if d is None or self.edits[i].edit.size > 1:
                continue
            j = table.get((self.needed - d) % PRIME)
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
    def _cancelled(self, added: Sequence[int]) -> dict[int, list[int]]:
        """{printed term: missing terms that cancel it}."""
        left = {self.added[k]: k for k in added if self.added[k] is not None}
        cancelled: dict[int, list[int]] = {}
        for i, values in enumerate(self.products):
            opposite = [None if v is None else -v % PRIME for v in values]
            if len(set(opposite)) == len(opposite) and all(v in left for v in opposite):
                cancelled[i] = [left.pop(v) for v in opposite]
        return cancelled

    def missing_terms(self) -> Suggestion | None:
        """Suggestion to drop a larger term, or to add several terms."""
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
        """Suggestion to add all missing terms, and to drop printed terms that they cancel.

        Empty if no printed term remains, since that would only repeat the derived side.
        """
        dropped = self._cancelled(range(len(missing)))
        kept = [p for i, p in enumerate(self.parts) if i not in dropped]
        if dropped and not kept:
            return []
        used = {k for ks in dropped.values() for k in ks}
        new = [t for k, t in enumerate(missing) if k not in used]
        texts = [f"without the term {self.parts[i]}" for i in dropped]
        if new:
            whole = closed_form(total(new), BUDGET) if dropped else self.gap
            several = len(terms(whole)) > 1
            listed = (new if len(new) <= MAX_SHOWN else terms(whole)) if several else [whole]
            texts.append(f"the missing term{'s' if several else ''} {', '.join(map(str, listed))}")
        result = total([*kept, *new]) if dropped else sum(new, self.printed)
        kinds = ("dropped",) * len(dropped) + ("term",) * len(new)
        return [Suggestion(kinds, " and ".join(texts), len(missing), result)]


def _difference(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else (a - b) % PRIME
