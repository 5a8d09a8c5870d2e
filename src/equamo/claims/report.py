"""Audit: all findings of a document, as text, data or a file."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Final, final

from .._version import __version__
from ..errors import UnknownNameError
from ..formats.text_file import write_text
from ..wording import counted
from .claim import VERDICTS, Claims
from .finding import Entry, Finding

KIND: Final = "equamo audit"
VERSION: Final = 1
_MARKS: Final = {
    "proved": "proved",
    "agrees to rounding": "agrees to rounding",
    "convention": "convention",
    "wrong": "WRONG",
    "undecided": "undecided",
}
_GOOD: Final = ("proved", "agrees to rounding")  # the second one only of programs
_LONG: Final = 160  # most characters of an expression on the terminal
_ROWS: Final = 30  # most rows of the table in a notebook


@final
@dataclass(frozen=True)
class Audit:
    """Findings of an audit; `ok` if there are claims and all are proved, or agree to rounding."""

    claims: Claims
    findings: tuple[Finding, ...]
    seed: int = 0  # of the random primes and points of the proofs
    seconds: float = field(default=0.0, compare=False)

    @property
    def ok(self) -> bool:
        return bool(self.findings) and all(f.verdict in _GOOD for f in self.findings)

    def __bool__(self) -> bool:
        return self.ok

    @property
    def as_expected(self) -> bool:
        """Whether there are claims, and all have the verdict that the claims file expects."""
        return bool(self.findings) and all(f.as_expected for f in self.findings)

    @property
    def exit_code(self) -> int:
        """Exit code for a build: 0 if all claims are proved or agree to rounding, 1 if not."""
        return 0 if self.ok else 1

    def counts(self) -> dict[str, int]:
        """Number of claims with each verdict."""
        counter = Counter(f.verdict for f in self.findings)
        return {v: counter[v] for v in VERDICTS}  # pyright: ignore[reportArgumentType]

    def __getitem__(self, id: str) -> Finding:
        for f in self.findings:
            if f.id == id:
                return f
        raise UnknownNameError("claim", id, [f.id for f in self.findings], "the audit")

    @property
    def _name(self) -> str:
        c = self.claims
        return " ".join(x for x in (c.document, c.title) if x) or c.file or "claims"

    @property
    def _summary(self) -> str:
        totals = ", ".join(f"{n} {v}" for v, n in self.counts().items() if n)
        verdict = "all proved" if self.ok else "NOT all proved"
        if self.ok and self.counts()["agrees to rounding"]:
            verdict = "all proved or agree to rounding"
        return f"{verdict}: {totals or 'no claims'}"

    # -- as text ---------------------------------------------------------------------------------
    def __repr__(self) -> str:
        return f"<audit of {self._name}: {self._summary}>"

    def __str__(self) -> str:
        width = max((len(f.id) for f in self.findings), default=0)
        place = min(48, max((len(f.place) for f in self.findings), default=0))
        rest = len(self.claims.not_claims)
        rows = [
            f"Audit of {self._name}: {counted(len(self.findings), 'claim')}, {rest} not claims",
            "",
        ]
        for f in self.findings:
            bound = f" {f.bound}" if f.verdict == "proved" else ""
            rows.append(
                f"  {f.id:<{width}}  {f.place[:place]:<{place}}  {_MARKS[f.verdict]}{bound}"
            )
            rows += [f"  {'':<{width}}    {line}" for line in details(f)]
        rows.append("")
        rows.append(f"{self._summary}, in {self.seconds:.2f} s")
        surprises = [f"{f.id}: {x}" for f in self.findings for x in f.surprises]
        if any(set(f.claim.expect.values()) - {"proved"} for f in self.findings):
            rows += [f"  not as expected: {x}" for x in surprises]
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        """Table for notebooks, shortened, with claims that are not proved first."""
        findings = sorted(self.findings, key=lambda f: f.verdict == "proved")
        rows = [(f.id, f.place, f.verdict, " ".join(details(f)[:1])) for f in findings]
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_cut(cell))}</td>" for cell in row) + "</tr>"
            for row in rows[:_ROWS]
        )
        head = "".join(f"<th>{x}</th>" for x in ("claim", "place", "verdict", "details"))
        more = f"<p>and {len(rows) - _ROWS} more</p>" if len(rows) > _ROWS else ""
        title = escape(_cut(f"Audit of {self._name}: {self._summary}"))
        return (
            f"<div><p>{title}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            f"{more}</div>"
        )

    # -- as data ---------------------------------------------------------------------------------
    def to_data(self) -> dict[str, Any]:
        """Plain data, as written by `save`."""
        return {
            "kind": KIND,
            "version": VERSION,
            "document": self.claims.document,
            "title": self.claims.title,
            "ok": self.ok,
            "as_expected": self.as_expected,
            "counts": self.counts(),
            "findings": [f.to_data() for f in self.findings],
            "not_claims": [
                {"place": ", ".join(n.place), "reason": n.reason} for n in self.claims.not_claims
            ],
            "seed": str(self.seed),
            "seconds": round(self.seconds, 4),
            "equamo": __version__,
        }

    def to_json(self) -> str:
        return json.dumps(self.to_data(), indent=1, ensure_ascii=False)

    def save(self, path: str | Path) -> None:
        """Write the findings as JSON."""
        write_text(path, self.to_json() + "\n")


def details(f: Finding) -> list[str]:
    """Lines below a claim: remarks, and every entry that is not proved."""
    lines = list(f.remarks)
    for e in f.entries:
        if e.verdict in ("wrong", "undecided"):
            lines += _entry_lines(e, " so" if f.diagnosis else "")
        elif e.verdict == "convention" and e.suggestion is not None:
            lines.append(f"or: {e.suggestion.text}")
    if f.claim.note and lines:
        lines.append(f"note: {f.claim.note}")
    return lines


def _entry_lines(e: Entry, how: str = "") -> list[str]:
    name = f"entry {e.label}: " if e.label else ""
    if e.verdict == "undecided":
        return [f"{name}undecided: {e.reason}"]
    lines = [f"{name}{e.reason}"] if e.reason else []
    if e.residual is not None:
        sides = ("left", "right") if "= " in e.label else ("printed", "derived")
        lines.append(f"{name}{sides[0]} − {sides[1]}{how} = {_short(e.residual)}")
        if e.corrected is not None:
            lines.append(f"  {sides[1]}{how}: {_short(e.corrected)}")
    if e.suggestion is not None:
        s = e.suggestion
        lines.append(f"  suggestion: {_cut(s.text)}, which gives {_short(s.result)}")
    if e.holds_if:
        lines.append(f"  holds if {' or '.join(e.holds_if)}")
    if e.causes:
        lines.append(f"  because of {' and '.join(e.causes)}")
    if e.proof is not None and e.proof.counterexample:
        state = ", ".join(f"{k} = {v}" for k, v in e.proof.counterexample.items())
        lines.append(_cut(f"  differs by {e.difference} at {state}"))
    return lines


def _short(e: object) -> str:
    return _cut(str(e))


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"
