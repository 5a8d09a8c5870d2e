#!/usr/bin/env python3
"""Write docs/project/audits.md: what documents 000 to 004 print, compared with what is derived.

python scripts/audits_page.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src")]

from equamo.review.claims import Audit, Entry, Finding, audit  # noqa: E402

FOLDER = ROOT / "examples" / "audits"
PAGE = ROOT / "docs" / "project" / "audits.md"
LONG = 240  # characters of a formula that a reader can take in
SHOWN = 6  # entries of one claim
SEED = 1
HEADING = """# Audits

Five documents, transcribed literally into `examples/audits/*.toml` and compared with the derived
equations by `equamo audit`. This page is made by `scripts/audits_page.py`. Every numbered equation,
printed matrix or transform, and formula line of the listings is a claim, or is listed under "Not claims"
with the reason. A formula that a document prints once for all frames is one statement, with one instance
per frame; its verdict is the worst of its instances.

- **proved**: equal to the derived formula, error below 2⁻¹⁰⁰.
- **by convention**: equal after one change of convention, which is named, such as an inertia about
  another point.
- **wrong (sign)**: equal after a change of sign (of the whole, of a coordinate or of gravity) that other
  claims of the same document do not follow.
- **wrong**: different, with a state at which it differs.
- **says nothing**: both sides are the same text, whatever the robot; not counted as a statement.
- **reported**: errors that the document itself reports about another paper; not counted as its own.

The tests check every verdict in a second way: another reader of the same files evaluates both sides
numerically at random states, with velocities and accelerations by finite differences and the equations
from another formulation.

"""
COLUMNS = (
    "document", "title", "statements", "instances", "proved", "by convention", "wrong (sign)", "wrong",
    "reported", "not claims",
)  # fmt: skip


def row(report: Audit) -> str:
    """A line of the table."""
    c, n = report.claims, report.statement_counts()
    assert not n["undecided"]
    assert not n["unreadable"]
    reported = len({f.statement for f in report.quoted})
    cells = [
        c.document, c.title, statements(report), instances(report), n["proved"], n["convention"],
        n["wrong (sign)"], n["wrong"], reported, len(c.not_claims),
    ]  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def statements(report: Audit) -> int:
    """Printed statements of the document itself, without those that say nothing."""
    return sum(n for v, n in report.statement_counts().items() if v != "says nothing")


def instances(report: Audit) -> int:
    """Instances of these statements."""
    return sum(n for v, n in report.counts().items() if v != "says nothing")


def section(report: Audit) -> list[str]:
    """Section of one document: what does not hold, what holds, and what is not a claim."""
    c = report.claims
    lines = ["", f"## Document {c.document}: {c.title}", ""]
    lines += ["### What does not hold", ""]
    for f in report.own:
        if f.verdict not in ("proved", "says nothing"):
            lines += described(f)
    if report.quoted:
        lines += ["", "### Errors that the document reports about other papers", ""]
        for f in report.quoted:
            lines += described(f)
    lines += ["", "### What holds", ""]
    lines += [f"{'; '.join(holding(report))}.", ""]
    noted = {
        f.claim.note: f for f in reversed(report.findings) if f.verdict == "proved" and f.claim.note
    }
    lines += [f"- {f.place}: {note}" for note, f in reversed(noted.items())]
    lines += ["", "### Not claims", ""]
    empty = [f for f in report.own if f.verdict == "says nothing"]
    lines += [f"- {f.place}: says nothing. {f.claim.note}".rstrip() for f in empty]
    return lines + [f"- {', '.join(n.place)}: {n.reason}." for n in c.not_claims]


def holding(report: Audit) -> list[str]:
    """Places of what is proved; the frames, links and legs of one formula are put together."""
    found: dict[str, int] = {}
    for f in report.findings:
        if f.verdict == "proved":
            place = re.sub(
                r",? ?(for )?(frame|link|foot|joint|hand|j =|k =|of leg) \w+$", "", f.place
            )
            place = re.sub(r", [lr]$|, equation \d$|, i, j, k = [\d, ]+$", "", place)
            found[place] = found.get(place, 0) + 1
    return [place if n == 1 else f"{place} ({n} claims)" for place, n in found.items()]


def described(f: Finding) -> list[str]:
    """A claim that is not proved: why, entry by entry, and the correct form."""
    kind = {"convention": "by convention", "proved": "holds"}.get(f.verdict, f.verdict)
    source = f", in {f.claim.quoted_from}" if f.claim.quoted_from else ""
    lines = [f"- **{f.place}** ({kind}{source}). {f.claim.note}".rstrip()]
    if f.printed and len(f.printed) <= LONG:
        lines.append(f"  - printed: `{f.printed}`")
    lines += [f"  - the audit: {remark}" for remark in f.remarks]
    entries = [e for e in f.entries if e.verdict != "proved"]
    for e in entries[:SHOWN]:
        if text := entry_text(e, f.printed_entry(e)):
            lines.append(f"  - {text}")
    if len(entries) > SHOWN:
        lines.append(f"  - and {len(entries) - SHOWN} more entries")
    if f.edit is not None:
        lines.append(f"  - suggestion: {f.edit.text}")
    return lines


def entry_text(e: Entry, printed: str) -> str:
    """Printed, correct, the edit, and what it rests on; only what is short enough to be read."""
    sentence = re.sub(r"^.*?claims\[\d+\][.\w]*: ", "", e.reason.split("\n")[0]).rstrip(".")
    parts = [sentence] if sentence else []
    formulas = (("printed", printed), ("correct", e.corrected), ("printed − derived", e.residual))
    for word, x in formulas:
        if x not in (None, "") and len(str(x)) <= LONG:
            parts.append(f"{word} `{x}`")
    if e.causes:
        parts.append(f"because of {' and '.join(e.causes)}")
    elif e.suggestion is not None and "formula" not in e.suggestion.kinds:
        parts.append(f"suggestion: {e.suggestion.text}")
    if conditions := [x for x in e.holds_if if not x.endswith(" = 0")]:
        parts.append(f"holds if {' or '.join(conditions)}")
    return f"{f'entry {e.label}: ' if e.label else ''}{'; '.join(parts)}" if parts else ""


def page() -> str:
    """The whole page."""
    reports = [audit(path, seed=SEED) for path in sorted(FOLDER.glob("document_*.toml"))]
    lines = [f"| {' | '.join(COLUMNS)} |", f"|{'---|' * len(COLUMNS)}", *map(row, reports)]
    both = (sum(statements(r) for r in reports), sum(instances(r) for r in reports))
    lines += ["", f"{both[0]:,} statements in {both[1]:,} instances."]
    for r in reports:
        lines += section(r)
    return HEADING + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
