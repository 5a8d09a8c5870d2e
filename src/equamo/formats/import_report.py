"""Import report: what became of everything in a file. Nothing is dropped silently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, final

KINDS: Final = {
    "used": "in the equations, or kept as data",
    "merged": "counted with the body that carries it",
    "rounded": "exact numbers of more than 1024 bits, rounded to 96",
    "snapped": "taken as a quarter turn or an axis",
    "near": "close to a quarter turn, and left as written",
    "defaulted": "not in the file",
    "unlimited": "a limit so large that it means none",
    "mimic": "a joint that follows another",
    "renamed": "under another name than in the file",
    "ignored": "has no part in the equations",
    "suspicious": "worth a look",
}


@final
@dataclass(frozen=True, slots=True)
class Entry:
    """One thing of a file, and what became of it."""

    kind: str  # one of KINDS
    file: str
    line: int
    text: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return f"{self.kind}: {self.place}: {self.text}"


@final
@dataclass(frozen=True, slots=True)
class ImportReport:
    """Entries in the order of the file, and the file they are about.

    >>> report = ImportReport("arm.urdf", (
    ...     Entry("used", "arm.urdf", 3, "link hand: 0.5 kg"),
    ...     Entry("ignored", "arm.urdf", 9, "gazebo")))
    >>> print(report)
    arm.urdf: 1 used, 1 ignored
    ignored: has no part in the equations
      arm.urdf:9: gazebo
    >>> report["used"][0].text
    'link hand: 0.5 kg'
    """

    file: str
    entries: tuple[Entry, ...]
    sha256: str = ""  # of the bytes that were read, where one file says it all

    def __getitem__(self, kind: str) -> tuple[Entry, ...]:
        """The entries of a kind."""
        return tuple(e for e in self.entries if e.kind == kind)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def counts(self) -> dict[str, int]:
        """{kind: number of entries}, in the order of KINDS."""
        found = Counter(e.kind for e in self.entries)
        return {k: found[k] for k in KINDS if found[k]}

    def text(self, everything: bool = True) -> str:
        """All entries, or all but what was simply used."""
        lines, name = [self._heading], PurePath(self.file).name
        for kind in self.counts:
            if everything or kind != "used":
                lines.append(f"{kind}: {KINDS[kind]}")
                lines += [f"  {name}:{e.line}: {e.text}" for e in self[kind]]
        return "\n".join(lines)

    def to_data(self) -> list[dict[str, Any]]:
        """Plain data, for JSON."""
        return [{"kind": e.kind, "file": e.file, "line": e.line, "text": e.text} for e in self]

    def __str__(self) -> str:
        return self.text(everything=False)

    def __repr__(self) -> str:
        return f"<import report of {self._heading}>"

    @property
    def _heading(self) -> str:
        counts = ", ".join(f"{n} {k}" for k, n in self.counts.items())
        return f"{self.file}: {counts or 'nothing in it'}"


@final
class Notes:
    """Entries as they are found; what is ignored is gathered by its place in the file's structure."""

    def __init__(self, file: str, sha256: str = "") -> None:
        self.file, self.sha256 = file, sha256
        self._entries: list[Entry] = []
        self._ignored: dict[str, list[int]] = {}

    def add(self, kind: str, line: int, text: str) -> None:
        assert kind in KINDS
        self._entries.append(Entry(kind, self.file, line, text))

    def ignore(self, line: int, what: str) -> None:
        """A tag or attribute that is not read; many alike make one entry."""
        self._ignored.setdefault(what, []).append(line)

    def report(self) -> ImportReport:
        found = list(self._entries)
        for what, lines in self._ignored.items():
            more = ""
            if len(lines) > 1:
                shown = ", ".join(map(str, lines[:6])) + (", …" if len(lines) > 6 else "")
                more = f" ({len(lines)} times, lines {shown})"
            found.append(Entry("ignored", self.file, lines[0], what + more))
        found.sort(key=lambda e: e.line)
        return ImportReport(self.file, tuple(found), self.sha256)
