"""RefereeReport: the comparison of a robot with other libraries, as text, data or a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

from ..._version import __version__
from ...basics.wording import counted
from ...errors import UnknownNameError
from ...robot.formats.text_file import write_text
from ...robot.model.robot import Robot
from .numbers import QUANTITIES
from .result import LibraryResult, QuantityResult

KIND: Final = "equamo comparison"
VERSION: Final = 1


@final
@dataclass(frozen=True)
class RefereeReport:
    """Results of `eq.compare_with`; `ok` if every library was compared and nothing is unexplained.

    Attributes:
        robot: The robot.
        results: One result per library.
        states: Number of random states.
        seed: Seed of the states.
        tolerance: Relative difference above which a difference needs an explanation.
    """

    robot: Robot
    results: tuple[LibraryResult, ...]
    states: int
    seed: int
    tolerance: float

    @property
    def ok(self) -> bool:
        """Whether every library was compared and nothing is unexplained."""
        return all(x.ok for x in self.results)

    def __bool__(self) -> bool:
        return self.ok

    def __iter__(self) -> Iterator[LibraryResult]:
        return iter(self.results)

    def __getitem__(self, library: str) -> LibraryResult:
        """Result for one library.

        Raises:
            UnknownNameError: The library was not compared.
        """
        for x in self.results:
            if x.library == library:
                return x
        raise UnknownNameError("library", library, [x.library for x in self.results], "this report")

    def text(self) -> str:
        """Table of the differences, then rules, unexplained differences and conventions."""
        lines = [self.heading, ""]
        lines += self._table()
        for x in self.results:
            lines += ["", *_details(x)]
        lines += ["", self.summary]
        return "\n".join(lines)

    @property
    def heading(self) -> str:
        """First line of the report."""
        robot = self.robot
        return (
            f"{robot.name}: {counted(len(robot.v), 'degree of freedom')}, "
            f"{counted(self.states, 'random state')} (seed {self.seed})"
        )

    @property
    def summary(self) -> str:
        """One sentence on the outcome."""
        refused = [x.library for x in self.results if x.refused]
        open_ = sum(len(x.unexplained) for x in self.results)
        parts = [f"{counted(open_, 'unexplained difference')} above {self.tolerance:g}"]
        if refused:
            parts.append(f"not compared: {', '.join(refused)}")
        return "; ".join(parts) + "."

    def rows(self) -> list[list[str]]:
        """Table: one row per quantity, one column per library that read the robot."""
        compared = [x for x in self.results if not x.refused]
        rows: list[list[str]] = []
        for name in QUANTITIES:
            cells = [_cell(x, name) for x in compared]
            if any(cells):
                rows.append([name, *(c or "–" for c in cells)])
        return rows

    def columns(self) -> list[str]:
        """Heads of the table."""
        return ["quantity", *(x.label for x in self.results if not x.refused)]

    def _table(self) -> list[str]:
        table = [self.columns(), *self.rows()]
        if len(table) == 1:
            return ["nothing was compared"]
        widths = [max(len(row[k]) for row in table) for k in range(len(table[0]))]
        return [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
            for row in table
        ]

    def to_data(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "kind": KIND,
            "version": VERSION,
            "equamo": __version__,
            "robot": self.robot.name,
            "degrees_of_freedom": len(self.robot.v),
            "states": self.states,
            "seed": self.seed,
            "tolerance": self.tolerance,
            "ok": self.ok,
            "libraries": [x.to_data() for x in self.results],
        }

    def save(self, path: str | Path) -> None:
        """Write the report as JSON."""
        write_text(path, json.dumps(self.to_data(), indent=1, ensure_ascii=False) + "\n", ".json")

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<comparison of {self.robot.name}: {self.summary}>"


def _cell(result: LibraryResult, quantity: str) -> str:
    found: QuantityResult | None = next(
        (x for x in result.quantities if x.quantity == quantity), None
    )
    if found is None:
        return ""
    numbers = f"{found.difference.relative:.1e}"
    if found.remainder is not found.difference:
        numbers += f" → {found.remainder.relative:.1e} by"  # after the rules
    reason = {"agrees": "", "explained": ", ".join(found.rules), "unexplained": "UNEXPLAINED"}
    return f"{numbers} {reason[found.verdict]}".rstrip()


def _details(result: LibraryResult) -> Iterator[str]:
    yield result.label
    if result.refused:
        yield f"  not compared: {result.refused}"
    for name, text in result.rules.items():
        yield f"  {name}: {text}"
    for x in result.unexplained:
        state = ", ".join(f"{n}={value:.6g}" for n, value in list(x.state.items())[:12])
        yield f"  UNEXPLAINED {x}"
        yield f"    at {state}{', …' if len(x.state) > 12 else ''}"
    if result.conventions:
        yield f"  converted: {'; '.join(result.conventions)}"
