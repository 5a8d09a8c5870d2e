"""Tables for the terminal and, between two markers, for a page."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table as RichTable

from .build import NotBuiltError, compiler


@dataclass(frozen=True)
class Table:
    """Rows of text under headings; the first columns are names, the others numbers."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 2

    def show(self, console: Console) -> None:
        """Print it."""
        made = RichTable(title=self.title, title_justify="left")
        for k, heading in enumerate(self.headings):
            made.add_column(heading, justify="left" if k < self.names else "right")
        for row in self.rows:
            made.add_row(*row)
        console.print(made)

    def markdown(self) -> str:
        """The table as a page has it."""
        line = ["---" if k < self.names else "--:" for k in range(len(self.headings))]
        rows = [self.headings, line, *self.rows]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def write(page: Path, parts: dict[str, str]) -> None:
    """Put text between `<!-- name -->` and `<!-- /name -->` of a page."""
    text = page.read_text(encoding="utf-8")
    for name, part in parts.items():
        pattern = re.compile(f"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        text, found = pattern.subn(lambda m, part=part: f"{m[1]}{part}\n{m[2]}", text)
        assert found == 1, f"{page.name} has no place for {name!r}"
    page.write_text(text, encoding="utf-8")


def nanoseconds(x: float) -> str:
    """Seconds as a round number of ns."""
    return "–" if x != x else f"{1e9 * x:,.0f}"


def times(ratio: float, reach: float | None = None) -> str:
    """A ratio, with what is to be reached in brackets."""
    if ratio != ratio:
        return "–"
    digits = f"{ratio:.1f}" if ratio < 20 else f"{ratio:.0f}"
    return f"{digits} ×" if reach is None else f"{digits} × ({reach:.0f})"


def machine() -> str:
    """CPU, cores and compiler, in one line."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        fields = dict(
            (part.strip() for part in line.split(":", 1))
            for line in info.read_text().split("\n\n")[0].splitlines()
            if ":" in line
        )
        name = fields.get("model name", name)
        family = f"family {fields.get('cpu family', '?')} model {fields.get('model', '?')}"
        vectors = "AVX-512" if "avx512f" in fields.get("flags", "") else "AVX2"
        name = f"{name} ({family}, {vectors})"
    try:
        built = compiler("gcc")
    except NotBuiltError:
        built = "no gcc"
    return f"{name}, {os.cpu_count()} cores, {platform.system()}; {built}"
