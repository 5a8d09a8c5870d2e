"""The smallest edit of a wrong entry that makes it true: found in a finite field, then proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from ..expr import ZERO, Expr
from ..expr.closed_form import closed_form
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
from .terms import monomials, terms

MAX_SYMBOLS: Final = 60
MAX_FUNCTIONS: Final = 12
MAX_PAIRS: Final = 12  # of edits that are proved before the search ends
MAX_SHOWN: Final = 4
MAX_MISSING: Final = 12  # products that a suggestion may add
BUDGET: Final = 100_000  # for the closed form of what is missing


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
        self._evaluate()

    def _expanded(self, exprs: Sequence[Expr]) -> list[Expr]:
        return substitute(exprs, self.abbreviations) if self.abbreviations else list(exprs)

    def _pool(self, more: Sequence[Expr]) -> Pool:
        found = list(dict.fromkeys([*symbols([self.printed, self.target]), *more]))
        trig = [n for n in walk([self.printed, self.target]) if n.op in (SIN, COS)]
        return Pool(found[:MAX_SYMBOLS], trig[:MAX_FUNCTIONS])

    def _evaluate(self) -> None:
        """Δ of every edit, and of every missing term, in the field."""
        parts = terms(self.printed)
        added = self.missing or []
        exprs = [self.target, self.printed, *parts, *added, *(t.edit.result for t in self.edits)]
        values = field_values(self._expanded([*exprs, *(w.result for w in self.whole)]))
        n = 2 + len(parts)
        wholes = values[len(exprs) :]
        values = values[: len(exprs)]
        self.whole_hits = [w for w, v in zip(self.whole, wholes, strict=True) if v == values[0]]
        goal, here = values[0], values[1]
        self.defined = goal is not None and here is not None
        self.wanted = ((goal or 0) - (here or 0)) % PRIME
        self.added = [None if v is None else v % PRIME for v in values[n : n + len(added)]]
        self.deltas: list[int | None] = []
        for change, v in zip(self.edits, values[n + len(added) :], strict=True):
            before = values[2 + change.term]
            self.deltas.append(None if v is None or before is None else (v - before) % PRIME)

    def _proved(self, result: Expr) -> bool:
        return bool(prove_equal(self._expanded([result])[0], self.target, unit=self.unit, seed=1))

    def _order(self, kind: str) -> int:
        """Simpler kinds first; where nothing should stand, what stands there is too much."""
        return -1 if kind == "dropped" and self.target is ZERO else KINDS.index(kind)

    # -- one edit --------------------------------------------------------------------------------
    def single(self) -> Suggestion | None:
        if not self.defined:
            return None
        hits = [t for t, d in zip(self.edits, self.deltas, strict=True) if d == self.wanted]
        found: list[tuple[int, int, int, Expr, Edit]] = []
        for t in hits[:60]:
            result = applied(self.printed, [t])
            order = self._order(t.edit.kind)
            found.append((t.edit.size, order, result.count().total, result, t.edit))
        for w in self.whole_hits:
            found.append((w.size, KINDS.index(w.kind), w.result.count().total, w.result, w))
        if self.missing is not None and len(self.missing) == 1:
            term = self.missing[0]
            result = self.printed + term
            order = KINDS.index("term")
            edit = Edit("term", "the missing term {}", (term,), 1, result)
            found.append((1, order, result.count().total, result, edit))
        for size, _, _, result, edit in sorted(found, key=lambda f: (f[:3], str(f[4].text)))[
            :MAX_PAIRS
        ]:
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
            # To drop the only term and write another one is no edit of what stands there.
            if self.edits[i].edit.kind != "dropped" or len(terms(self.printed)) > 1:
                cost = KINDS.index(self.edits[i].edit.kind)
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
    def missing_terms(self) -> Suggestion | None:
        """A larger term dropped, or several added."""
        options: list[Suggestion] = []
        for size, _, _, result, edit in sorted(getattr(self, "larger", []), key=lambda f: f[:3])[
            :3
        ]:
            options.append(Suggestion((edit.kind,), edit.text, size, result))
        if self.missing and len(self.missing) <= MAX_MISSING:
            result = self.printed
            for t in self.missing:
                result = result + t
            several = len(terms(self.gap)) > 1
            shown = self.missing if len(self.missing) <= MAX_SHOWN else terms(self.gap)
            text = f"the missing term{'s' if several else ''} "
            text += str(self.gap) if not several else ", ".join(str(t) for t in shown)
            options.append(
                Suggestion(("term",) * len(self.missing), text, len(self.missing), result)
            )
        for option in sorted(options, key=lambda s: s.size):
            if self._proved(option.result):
                return option
        return None
