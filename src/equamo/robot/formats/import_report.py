"""Import reports: what happened to each part of a file. Nothing is dropped silently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, final

KINDS: Final = {
    "used": "enters the equations or is kept as data",
    "merged": "counted with the body that carries it",
    "rounded": "exact numbers of more than 1024 bits, rounded to 96",
    "snapped": "read as a quarter turn or a coordinate axis",
    "near": "close to a quarter turn, left as written",
    "defaulted": "missing in the file, default used",
    "unlimited": "limits so large that they mean no limit",
    "mimic": "joints that follow another joint",
    "renamed": "names that differ from the file",
    "ignored": "not part of the equations",
    "suspicious": "worth checking",
}


@final
@dataclass(frozen=True, slots=True)
class Entry:
    """One part of a file, and what happened to it."""

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
    """Entries of an import, in the order of the file.

    Attributes:
        file: Name of the file.
        entries: What happened to each part of it.
        sha256: Digest of the bytes that were read; empty if the file refers to other files.

    >>> report = ImportReport("arm.urdf", (
    ...     Entry("used", "arm.urdf", 3, "link hand: 0.5 kg"),
    ...     Entry("ignored", "arm.urdf", 9, "gazebo")))
    >>> print(report)
    arm.urdf: 1 used, 1 ignored
    ignored: not part of the equations
      arm.urdf:9: gazebo
    >>> report["used"][0].text
    'link hand: 0.5 kg'
    """

    file: str
    entries: tuple[Entry, ...]
    sha256: str = ""

    def __getitem__(self, kind: str) -> tuple[Entry, ...]:
        """Entries of one kind."""
        return tuple(e for e in self.entries if e.kind == kind)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def counts(self) -> dict[str, int]:
        """Number of entries per kind, in the order of KINDS."""
        counter = Counter(e.kind for e in self.entries)
        return {k: counter[k] for k in KINDS if counter[k]}

    def text(self, everything: bool = True) -> str:
        """Report as text.

        Args:
            everything: Include the entries of kind "used".

        Returns:
            A heading with the counts, then the entries by kind.
        """
        lines, name = [self._heading], PurePath(self.file).name
        for kind in self.counts:
            if everything or kind != "used":
                lines.append(f"{kind}: {KINDS[kind]}")
                lines += [f"  {name}:{e.line}: {e.text}" for e in self[kind]]
        return "\n".join(lines)

    def to_data(self) -> list[dict[str, Any]]:
        """Entries as plain data, for JSON.

        Returns:
            One dict per entry, with kind, file, line and text.
        """
        return [{"kind": e.kind, "file": e.file, "line": e.line, "text": e.text} for e in self]

    def __str__(self) -> str:
        return self.text(everything=False)

    def __repr__(self) -> str:
        return f"<import report of {self._heading}>"

    @property
    def _heading(self) -> str:
        counts = ", ".join(f"{n} {k}" for k, n in self.counts.items())
        return f"{self.file}: {counts or 'no entries'}"


@final
class Notes:
    """Collector of entries while a file is read; ignored parts of the same path become one entry."""

    file: str
    sha256: str

    def __init__(self, file: str, sha256: str = "") -> None:
        self.file, self.sha256 = file, sha256
        self._entries: list[Entry] = []
        self._ignored: dict[str, list[int]] = {}

    def add(self, kind: str, line: int, text: str) -> None:
        assert kind in KINDS
        self._entries.append(Entry(kind, self.file, line, text))

    def ignore(self, line: int, what: str) -> None:
        """Note a tag or attribute that is not read; equal ones are combined into one entry."""
        self._ignored.setdefault(what, []).append(line)

    def report(self) -> ImportReport:
        entries = list(self._entries)
        for what, lines in self._ignored.items():
            more = ""
            if len(lines) > 1:
                numbers = ", ".join(map(str, lines[:6])) + (", …" if len(lines) > 6 else "")
                more = f" ({len(lines)} times, lines {numbers})"
            entries.append(Entry("ignored", self.file, lines[0], what + more))
        entries.sort(key=lambda e: e.line)
        return ImportReport(self.file, tuple(entries), self.sha256)
