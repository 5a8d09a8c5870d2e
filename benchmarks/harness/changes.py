"""What changed between two runs of a benchmark: figures that differ by more than noise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .results import UNITS, Results
from .tables import Table

LIMIT = 0.10  # of the old figure


class Change(NamedTuple):
    """One figure before and after; None if it is missing on one side."""

    benchmark: str
    name: str
    unit: str
    before: float | None
    after: float | None

    @property
    def ratio(self) -> float | None:
        """After over before."""
        if self.before is None or self.after is None or not self.before:
            return None
        return self.after / self.before

    @property
    def worse(self) -> bool:
        """Whether it got worse; a figure that is gone did, and one of another program never does."""
        if UNITS[self.unit].peer:
            return False
        if self.before is None or self.after is None:
            return self.after is None
        return (self.after < self.before) == UNITS[self.unit].larger_is_better

    @property
    def text(self) -> str:
        """The change in percent, or what happened instead."""
        if self.before is None:
            return "new"
        if self.after is None:
            return "gone"
        return "from 0" if self.ratio is None else f"{100 * (self.ratio - 1):+.0f} %"


def changes(before: Results, after: Results, limit: float = LIMIT) -> Iterator[Change]:
    """Figures that changed by more than `limit`, counts that changed at all, and new or missing ones.

    Times, rates and memory are compared only if both runs were on the same machine.
    """
    same_machine = before.machine == after.machine
    for name in dict.fromkeys([*before.figures, *after.figures]):
        old, new = before.figures.get(name), after.figures.get(name)
        unit = (new or old or before.figures[name]).unit
        if old and new and old.unit != new.unit:  # another quantity under the same name
            yield Change(after.benchmark, name, old.unit, old.value, None)
            yield Change(after.benchmark, name, new.unit, None, new.value)
            continue
        found = Change(
            after.benchmark, name, unit, old.value if old else None, new.value if new else None
        )
        if found.before is not None and found.after is not None:
            kind = UNITS[unit]
            if not kind.portable and not same_machine:
                continue
            allowed = 0.0 if kind.exact else max(limit * found.before, kind.resolution)
            if abs(found.after - found.before) <= allowed:
                continue
        yield found


def conditions(before: Results, after: Results) -> list[str]:
    """Differences between the two runs that are not figures, one line each."""
    lines: list[str] = []
    if before.machine != after.machine:
        lines.append(
            "another machine, so only ratios and counts are compared: "
            f"{before.machine} → {after.machine}"
        )
    for package in dict.fromkeys([*before.versions, *after.versions]):
        old, new = before.versions.get(package, "–"), after.versions.get(package, "–")
        if old != new:
            lines.append(f"{package} {old} → {new}")
    return lines


def change_table(found: list[Change]) -> Table:
    """Changes as a table."""
    rows = [
        [c.benchmark, c.name, c.unit, _shown(c.before), _shown(c.after), c.text, _verdict(c)]
        for c in found
    ]
    headings = ("benchmark", "figure", "unit", "before", "after", "change", "")
    return Table("Changes", headings, rows, names=3)


def _verdict(c: Change) -> str:
    if UNITS[c.unit].peer:
        return "peer"
    return "new" if c.before is None else "worse" if c.worse else "better"


def _shown(x: float | None) -> str:
    return "–" if x is None else f"{x:,.4g}" if x < 1000 else f"{x:,.0f}"
