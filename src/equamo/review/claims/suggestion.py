"""Suggestions: the smallest edit that makes a wrong entry true, found in a finite field and proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, final

from ...algebra.expr import Expr
from ...algebra.expr.closed_form.closed_form import closed_form
from ...algebra.expr.functions import COS, SIN
from ...algebra.expr.substitute import substitute
from ...algebra.expr.walk import symbols, walk
from ...algebra.identity import prove_equal
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
MAX_HITS: Final = 200  # most candidates that are ranked
MAX_PROOFS: Final = 12  # most candidates that are tried to prove
MAX_TEXT: Final = 120  # most characters of a readable edit
MAX_TERM: Final = 60  # characters of a missing term; a longer one only repeats the residual
BUDGET: Final = 100_000  # of the closed form of the missing terms


@final
@dataclass(frozen=True)
class Suggestion:
    """Edit that is proved to make the entry true; the author may have meant something else."""

    kinds: tuple[str, ...]
    text: str
    size: int  # number of changes
    result: Expr
    changed: int = 1  # number of changed symbols

    @property
    def rank(self) -> tuple[int, int]:
        """Order among suggestions: the number of changed symbols, then the length."""
        return self.changed, len(self.text)


def suggest(
    printed: Expr, target: Expr, *, abbreviations: Mapping[Expr, Expr] | None = None,
    more_symbols: Sequence[Expr] = (), unit: Sequence[Sequence[Expr]] = (),
) -> Suggestion | None:  # fmt: skip
    """Smallest edit of `printed` that makes it equal to `target`; None if none was found.

    Edits that change fewer symbols come first, then the shorter ones. Adding the missing part is an
    edit only if it is a single term of the target; anything else would repeat the residual. `printed`
    may contain abbreviations, which are expanded before any comparison.

    >>> from equamo.algebra.expr import parse
    >>> suggest(parse("m*l**2 + I*sin(q)"), parse("m*l**2 - I*sin(q)")).text
    'the sign of I*sin(q)'
    """
    if printed.value == 0 or target.value == 0:  # everything would have to be added or dropped
        return None
    return _Search(printed, target, dict(abbreviations or {}), more_symbols, unit).best()


@final
@dataclass(frozen=True)
class _Candidate:
    """Edits of single terms, or of the whole, with a term to add."""

    edits: tuple[Edit, ...]
    result: Callable[[], Expr]
    size: int

    @property
    def rank(self) -> tuple[int, int, int, str]:
        order = sum(KINDS.index(e.kind) for e in self.edits)
        return sum(e.changed for e in self.edits), len(self.text), order, self.text

    @property
    def text(self) -> str:
        return " and ".join(e.text for e in self.edits)

    def suggestion(self) -> Suggestion:
        kinds = tuple(e.kind for e in self.edits)
        return Suggestion(kinds, self.text, self.size, self.result(), self.rank[0])


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
        names = list(dict.fromkeys([*symbols([self.printed, self.target]), *more]))
        trig = [n for n in walk([self.printed, self.target]) if n.op in (SIN, COS)]
        return Pool(names[:MAX_SYMBOLS], trig[:MAX_FUNCTIONS])

    def _evaluate(self) -> None:
        """Compute Δ of every edit, and the value of every printed or missing term, in the field."""
        self.parts = terms(self.printed)
        # The products of a printed term; their negatives cancel it.
        products = [monomials(p) or [p] for p in self._expanded(self.parts)]
        whole = [
            p for e in (self.target, closed_form(self.target, BUDGET)) for p in monomials(e) or ()
        ]
        groups = [
            [self.target, self.printed], self.parts, self.missing or [],
            [t.edit.result for t in self.edits], [w.result for w in self.whole],
            [x for p in products for x in p], whole,
        ]  # fmt: skip
        values = iter(field_values(self._expanded([e for g in groups for e in g])))
        (goal, here), own, self.added, edited, wholes, flat, of_target = (
            [next(values) for _ in group] for group in groups
        )
        # If one of them is zero, everything would have to be added or dropped.
        self.defined = bool(goal) and bool(here)
        self.needed = ((goal or 0) - (here or 0)) % PRIME
        self.deltas = [_difference(v, own[t.term]) for t, v in zip(self.edits, edited, strict=True)]
        self.edited = edited
        self.whole_hits = [w for w, v in zip(self.whole, wholes, strict=True) if v == goal]
        self.of_target = set(of_target)
        rest = iter(flat)
        self.products = [[next(rest) for _ in p] for p in products]

    def _proved(self, result: Expr) -> bool:
        return bool(prove_equal(self._expanded([result])[0], self.target, unit=self.unit))

    # -- candidates ------------------------------------------------------------------------------
    def best(self) -> Suggestion | None:
        """The first candidate that is proved, in their order."""
        if not self.defined:
            return None
        candidates = [*self._single(), *self._pairs(), *self._missing()]
        short = [c for c in candidates if len(c.text) <= MAX_TEXT]
        for c in sorted(short, key=lambda c: c.rank)[:MAX_PROOFS]:
            suggestion = c.suggestion()
            if self._proved(suggestion.result):
                return suggestion
        return None

    def _single(self) -> Iterator[_Candidate]:
        """One edit of one term, or of the whole."""
        hits = [t for t, d in zip(self.edits, self.deltas, strict=True) if d == self.needed]
        for t in hits[:MAX_HITS]:
            if t.edit.kind != "dropped" or len(self.parts) > 1 or t.edit.result.value != 0:
                yield _Candidate((t.edit,), partial(applied, self.printed, [t]), t.edit.size)
        for w in self.whole_hits:
            yield _Candidate((w,), partial(_same, w.result), w.size)

    def _pairs(self) -> Iterator[_Candidate]:
        """Two edits of different terms, which add up: each is looked up by the remaining difference."""
        table: dict[int, int] = {}
        for i, d in enumerate(self.deltas):
            if d is not None and self.edits[i].edit.size == 1:
                other = table.setdefault(d, i)
                if self.edits[i].edit.changed < self.edits[other].edit.changed:
                    table[d] = i
        found = 0
        for k, d in enumerate(self.added):  # an edit and a missing term
            i = None if d is None else table.get((self.needed - d) % PRIME)
            if i is None or self.missing is None or not self._is_missing([k]):
                continue
            # Dropping a term and adding another is not an edit. Adding a term that cancels another
            # one, edited or not, means dropping it.
            t = self.edits[i]
            cancels = (self.edited[i] or 0) == (-(d or 0)) % PRIME or self._cancelled([k])
            if not cancels and t.edit.kind != "dropped":
                term = _missing_term(self.missing[k])
                yield _Candidate((t.edit, term), partial(self._with, [t], term.result), 2)
        for i, d in enumerate(self.deltas):
            if d is None or self.edits[i].edit.size > 1 or found == MAX_HITS:
                continue
            j = table.get((self.needed - d) % PRIME)
            if j is not None and self.edits[j].term != self.edits[i].term:
                found += 1
                both = [self.edits[i], self.edits[j]]
                edits = tuple(t.edit for t in both)
                yield _Candidate(edits, partial(applied, self.printed, both), 2)

    def _with(self, changes: Sequence[TermEdit], term: Expr) -> Expr:
        return applied(self.printed, changes) + term

    # -- a missing term --------------------------------------------------------------------------
    def _missing(self) -> Iterator[_Candidate]:
        """The missing term, if it is a whole term of the target."""
        every = range(len(self.missing or ()))
        if not self.missing or len(terms(self.gap)) != 1 or not self._is_missing(every):
            return
        if len(str(self.gap)) <= MAX_TERM and not self._cancelled(every):
            term = _missing_term(self.gap)
            yield _Candidate((term,), partial(self._with, [], self.gap), len(self.missing))

    def _is_missing(self, added: Sequence[int]) -> bool:
        """Whether these products are products of the target."""
        return all(self.added[k] in self.of_target for k in added)

    def _cancelled(self, added: Sequence[int]) -> bool:
        """Whether these products cancel a printed term."""
        left = {self.added[k] for k in added}
        return any(
            all(v is not None and -v % PRIME in left for v in values) for values in self.products
        )


def _missing_term(term: Expr) -> Edit:
    return Edit("term", "the missing term {}", (term,), 1, term)


def _same(e: Expr) -> Expr:
    return e


def _difference(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else (a - b) % PRIME
