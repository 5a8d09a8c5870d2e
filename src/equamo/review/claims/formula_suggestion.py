"""Suggestions for a whole formula: one edit that corrects all of its wrong entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from ...algebra.expr import Expr
from ...algebra.expr.walk import walk
from ...errors import EquamoError
from .claim import Formula
from .comparison import compare, same_shape, shape_of
from .context import Context
from .field import field_values
from .finding import Entry, Finding
from .formula_edits import FormulaEdit, formula_edits
from .suggestion import Suggestion
from .tautology import empty_equations
from .values import Value, entries_of

MAX_EDITS: Final = 400  # most formulas to compute
MAX_WORK: Final = 400_000  # nodes of all computed formulas
MAX_PROOFS: Final = 4
Sides = Callable[[Formula], Sequence[tuple[Value, Value]]]  # the two sides of all entries


def with_formula_edit(
    finding: Finding, formula: Formula, sides: Sides, context: Context, seed: int
) -> Finding:
    """The finding with an edit of its formula, if that is smaller than the edits of its entries."""
    wrong = [e for e in finding.entries if e.verdict == "wrong"]
    if not wrong or finding.diagnosis or any(e.label == "shape" for e in wrong):
        return finding
    edit = _best(formula, sides, context, seed)
    if edit is None or not _is_smaller(edit, wrong):
        return finding
    results = [e for left, _ in sides(edit.formula) for e in entries_of(left)]
    if len(results) != len(finding.entries):  # a proved vector is one entry of a chain
        entries = [replace(e, suggestion=None) for e in finding.entries]
    else:
        entries = [
            replace(e, suggestion=_of(edit, x)) if e.verdict == "wrong" else e
            for e, x in zip(finding.entries, results, strict=True)
        ]
    return replace(finding, entries=tuple(entries), edit=edit)


def _of(edit: FormulaEdit, result: Expr) -> Suggestion:
    return Suggestion(("formula",), edit.text, 1, result, edit.changed)


def _is_smaller(edit: FormulaEdit, wrong: Sequence[Entry]) -> bool:
    """Whether one edit of the formula changes fewer symbols than all edits of its entries."""
    changed, length = 0, 0
    for e in wrong:
        if e.suggestion is None:
            return True
        changed += e.suggestion.changed
        length += len(e.suggestion.text)
    return edit.changed < changed or (len(wrong) > 1 and edit.rank < (changed, length))


def _best(formula: Formula, sides: Sides, context: Context, seed: int) -> FormulaEdit | None:
    """The smallest edit that is proved to make all entries true, and others as small."""
    size = _size(sides(formula))
    count = min(MAX_EDITS, MAX_WORK // max(1, size))
    hits: list[FormulaEdit] = []
    for k, edit in enumerate(formula_edits(formula, context)):
        if k == count:
            break
        if _agree(edit.formula, sides, context):
            hits.append(edit)
    proved: list[FormulaEdit] = []
    for edit in sorted(hits, key=lambda e: e.rank)[:MAX_PROOFS]:
        comparisons = [
            compare(*same_shape(a, b), context.unit, seed, positive=context.positive)
            for a, b in sides(edit.formula)
        ]
        if all(c.proved for c in comparisons) and (not proved or edit.rank == proved[0].rank):
            proved.append(edit)
    if not proved:
        return None
    return proved[0]._replace(
        text=" or ".join(dict.fromkeys(e.text for e in proved))
    )  # equally small


def _size(sides: Sequence[tuple[Value, Value]]) -> int:
    entries = [e for pair in sides for x in pair for e in entries_of(x)]
    return sum(1 for _ in walk(entries))


def _agree(formula: Formula, sides: Sides, context: Context) -> bool:
    """Whether both sides of an edited formula agree in a finite field, and still say something."""
    try:
        pairs = [same_shape(a, b) for a, b in sides(formula)]
        if any(shape_of(a) != shape_of(b) for a, b in pairs):
            return False
        if all(context.source(p).is_equation for p in formula.parts) and empty_equations(
            formula, context
        ):
            return False
    except (
        EquamoError
    ):  # different shapes, or a derivative with respect to a symbol that does not occur
        return False
    left = [e for a, _ in pairs for e in entries_of(a)]
    right = [e for _, b in pairs for e in entries_of(b)]
    values = field_values([*left, *right])
    ours, theirs = values[: len(left)], values[len(left) :]
    return ours == theirs and None not in ours and any(ours)
