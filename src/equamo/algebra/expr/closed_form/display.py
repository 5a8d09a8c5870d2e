"""Expressions simplified for display, within a common limit on the work.

Every entry has the budget of `closed_form`, so `M.latex()` is `M.closed_form().latex()` if the
closed forms can be found. For long expressions only short entries are tried, and once the closed forms
cost too much in total, the remaining entries stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....basics.waiting import waiting
from ..graph import LAST_LEAF, Expr
from ..walk import has_at_most, walk
from .closed_form import DEFAULT_BUDGET, closed_form_and_work

NODES: Final = 300  # most nodes of an entry for which a closed form is tried
MANY: Final = 600  # nodes of all entries, above which only short entries are tried
NODES_OF_MANY: Final = 60
WORK: Final = 6_000_000  # for all entries: a few seconds
NOTEBOOK_WORK: Final = 1_000_000  # for automatic display in a notebook


def simplified(exprs: Sequence[Expr], work: int = WORK) -> list[Expr]:
    """Closed forms of the expressions; those that are too long, or beyond the limit, are unchanged.

    >>> from equamo.algebra.expr import parse
    >>> simplified([parse("x*y + x*z"), parse("(a + b + c + d + e + f)**20")])
    [x*(y + z), (a + b + c + d + e + f)**20]
    """
    forms: dict[Expr, Expr] = {}
    limit = NODES if len(walk(exprs)) <= MANY else NODES_OF_MANY
    with waiting("closed forms") as say:
        for k, e in enumerate(exprs, 1):
            if e.op <= LAST_LEAF or e in forms:
                continue
            if work <= 0 or not has_at_most(e, limit):
                continue
            say(f"closed forms: {k} of {len(exprs)}")
            form, spent = closed_form_and_work(e, min(DEFAULT_BUDGET, work))
            work -= spent
            if form is None:
                limit = len(walk([e])) - 1  # longer entries would probably fail as well
            else:
                forms[e] = form
    return [forms.get(e, e) for e in exprs]
